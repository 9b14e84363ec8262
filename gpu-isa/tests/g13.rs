//! Apple G13 against the shared tables of words: names, lengths and texts, in this table's notation and in applegpu's.
//!
//! The files are not part of the repository: `FLEXGRIP_SHARED` gives their location, by default `../shared` next to it.

use flexgrip_gpu_isa::set::ones;
use flexgrip_gpu_isa::text::print::alias_texts;
use flexgrip_gpu_isa::{set, Set};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

fn g13() -> &'static Set {
    set("g13").unwrap_or_else(|| panic!("no set g13"))
}

fn shared(name: &str) -> Option<String> {
    let root = flexgrip_skip::shared();
    let path = root.join("other-isa").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: no {}", path.display());
    }
    text
}

/// A line of the table of words.
struct Known {
    bytes: Vec<u8>,
    /// applegpu's name of the row.
    name: String,
    upstream: String,
    own: String,
    real: bool,
}

fn number(digits: &str) -> u128 {
    let digits = digits.trim_start_matches("0x");
    u128::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("`{digits}` is not a number"))
}

fn words() -> Option<Vec<Known>> {
    let text = shared("corpus/g13_words.tsv")?;
    let lines = text.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let byte = |at| number(&columns[0][at..at + 2]) as u8;
        Known {
            bytes: (0..columns[0].len()).step_by(2).map(byte).collect(),
            name: columns[1].to_string(),
            upstream: columns[2].to_string(),
            own: columns[3].to_string(),
            real: columns[6].starts_with("mesa") || columns[6].starts_with("applegpu"),
        }
    });
    Some(lines.collect())
}

fn word(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte))
}

#[test]
fn words_have_their_name_length_and_text() {
    let (Some(words), Some(table)) = (words(), shared("g13_full.json")) else {
        return;
    };
    let table: serde_json::Value = serde_json::from_str(&table).unwrap_or_else(|error| panic!("{error}"));
    // The mnemonics that a name has in this table's notation.
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in table["instructions"].as_array().into_iter().flatten() {
        let name = row["name"].as_str().unwrap_or_default();
        let known = names.entry(name).or_default();
        known.extend(row["house"]["mnemonic"].as_str());
        let by_field = row["house"]["mnemonic_by"]["names"].as_object();
        known.extend(by_field.into_iter().flatten().filter_map(|(_, name)| name.as_str()));
    }
    let (mut differ, mut lost, mut named) = (Vec::new(), Vec::new(), Vec::new());
    let (mut equal, mut ambiguous) = (0, 0);
    for known in &words {
        let decoded = g13()
            .decode(&known.bytes, 0)
            .unwrap_or_else(|| panic!("{} is empty", known.own));
        let Some(row) = decoded.row.filter(|_| usize::from(decoded.bytes) == known.bytes.len()) else {
            named.push(format!("{:02x?} {}", known.bytes, known.own));
            continue;
        };
        if !names[known.name.as_str()].contains(&row.mnemonic) {
            named.push(format!("{:02x?} {} is {}", known.bytes, known.name, row.mnemonic));
        }
        let text = g13().text_at(decoded.word, 0).unwrap_or_default();
        match g13().parse_at(&text, 0) {
            Ok(parsed) if parsed.word == decoded.word && parsed.bytes == decoded.bytes => {}
            other => lost.push(format!("{text}: {other:?}")),
        }
        if text == known.own {
            equal += 1;
            continue;
        }
        // Another word may have the same text, which omits bits of unused registers and of values without a name.
        let before = |text: &str| text.split(" ?").next().unwrap_or_default().to_string();
        let other = g13().parse_at(&known.own, 0).ok().map(|parsed| parsed.word);
        let of_another = other.is_some_and(|other| {
            other != decoded.word && g13().text_at(other, 0).as_deref() == Some(known.own.as_str())
        });
        assert!(!known.real, "{:02x?}: `{text}`, expected `{}`", known.bytes, known.own);
        if before(&text) == before(&known.own) && of_another {
            ambiguous += 1;
        } else {
            differ.push(format!("{:02x?}: `{text}`, expected `{}`", known.bytes, known.own));
        }
    }
    println!(
        "{} words: {equal} texts are equal, {ambiguous} are another word's in the table, {} differ",
        words.len(),
        differ.len()
    );
    assert!(
        named.is_empty(),
        "{} have a different name or length:\n{}",
        named.len(),
        named.join("\n")
    );
    assert!(
        lost.is_empty(),
        "{} do not round-trip:\n{}",
        lost.len(),
        lost.join("\n")
    );
    // Numbers of operations without a name, and a bit of the textures that image_write_block does not show.
    assert!(differ.len() * 200 <= words.len(), "{}", differ.join("\n"));
}

/// Texts of applegpu's disassembler: the assembler accepts them, and `explain` shows them. They show neither unread
/// bits nor long forms that could be short; then the assembler returns another word with the same text. A `mov` of an
/// immediate is a bitop in applegpu, but another instruction in this table.
#[test]
fn texts_of_applegpu_are_assembled() {
    let Some(words) = words() else { return };
    let (mut right, mut silent, mut shown) = (0, 0, 0);
    let mut wrong = Vec::new();
    for known in &words {
        let own = word(&known.bytes);
        // Bits that nothing reads follow the text here.
        let is_shown = |word| {
            let explained = g13().explain_at(word, 0);
            let mut texts = explained
                .lines()
                .map(|line| line.split(" ?").next().unwrap_or_default());
            texts.any(|text| {
                text.strip_suffix(&known.upstream)
                    .is_some_and(|before| before.ends_with("  "))
            })
        };
        shown += usize::from(is_shown(own));
        match g13().parse_at(&known.upstream, 0) {
            Ok(parsed) if parsed.word == own => right += 1,
            Ok(parsed) if is_shown(own) && is_shown(parsed.word) => silent += 1,
            Ok(parsed) => wrong.push(format!("{} is {parsed:x?}, not {:02x?}", known.upstream, known.bytes)),
            Err(error) => wrong.push(format!("{error} {:02x?} {}", known.bytes, known.own)),
        }
    }
    println!(
        "{} texts: {right} give the word, {silent} do not determine it, {} are wrong; {shown} are shown",
        words.len(),
        wrong.len()
    );
    assert!(right * 100 >= words.len() * 88, "{right} of {}", words.len());
    assert!(
        wrong.len() * 100 <= words.len() && shown * 100 >= words.len() * 99,
        "{}",
        wrong.join("\n")
    );
}

/// The listing of bytes given as hexadecimal digits.
fn listing(digits: &str) -> Vec<String> {
    let digits: String = digits.split_whitespace().collect();
    let bytes: Vec<u8> = (0..digits.len())
        .step_by(2)
        .map(|at| number(&digits[at..at + 2]) as u8)
        .collect();
    let listed = g13().list(&bytes);
    match g13().assemble(&listed.source()) {
        Ok(again) => assert_eq!(again, bytes, "{}", listed.source()),
        Err(errors) => panic!("{}\n{}", errors[0], listed.source()),
    }
    listed
        .lines
        .iter()
        .map(|line| line.marked(&line.text).into_owned())
        .collect()
}

/// Assembles the program on the front page of applegpu.
#[test]
fn the_sample_is_ten_instructions() {
    let sample = "0501040d00c43200 3800 be890a042c00 be810a242c00 9a85c4020200 0a05c282 9a81c0020200 0a01c082 \
                  c508803d00803000 c500a03d00803000";
    assert_eq!(
        listing(sample),
        [
            "device_load r0_r1, du2, 0, lsl 1, i32, xy, a",
            "wait a",
            "convert $r2, ^r0, u32_to_f, rte",
            "convert $r0, ^r1, u32_to_f, rte",
            "fmul $r1, ^r2, 0.5",
            "rcp r1, ^r1",
            "fmul $r0, ^r0, 0.5",
            "rcp r0, ^r0",
            "uniform_store r1l_r1h, 8, i16, xy",
            "uniform_store r0l_r0h, 10, i16, xy",
        ]
    );
}

#[test]
fn unsure_ground_has_no_branches() {
    // The length of 0300 is unknown; a call, a mov, a return and a trap follow. Decoding is sure again after `stop`.
    assert_eq!(
        listing("3800 0300 0404 6200 0500 1404 0800 8800 0404 8800 000000000000"),
        [
            "wait a",
            ".word 0x0003",
            ".word 0x0404  // unsure",
            "mov r0l, 5  // unsure",
            ".word 0x0414  // unsure",
            ".word 0x0008  // unsure",
            "stop  // unsure",
            "call r2",
            "stop",
            ".zero 6",
        ]
    );
    // A jump from sure code leads into what would otherwise be a longer instruction.
    assert_eq!(
        listing("00c00a000000 0300 0e05 0404 8800"),
        [
            "jmp_exec_any 0xa",
            ".word 0x0003",
            ".word 0x050e  // unsure",
            "call r2",
            "stop"
        ]
    );
    // A jump backward, after the end of the program.
    assert_eq!(
        listing("0300 0404 8800 00c0fcffffff"),
        [".word 0x0003", "call r2", "stop", "jmp_exec_any 0x2",]
    );
}

#[test]
fn zeros_after_the_end_are_padding() {
    assert_eq!(
        listing(&format!("8800 {} 3800 00000000", "00".repeat(20))),
        ["stop", ".zero 16", ".zero 4", "wait a", "jmp_incomplete 0x18"]
    );
    // Missing bytes count as 0, here the bit that determines the length; the rest is data.
    assert_eq!(listing("0501040d"), [".word 0x0d040105"]);
    assert_eq!(listing("8800 00"), ["stop", ".zero 1"]);
    for wrong in [".zero", ".zero 0", ".zero 17", ".zero x"] {
        assert!(g13().parse_at(wrong, 0).is_err(), "{wrong}");
    }
}

#[test]
fn both_notations_are_accepted() {
    for (own, upstream) in [
        ("iadd r0, r1, ^r2.sx.neg, lsl 2, sat", "isub.sat r0, r1, r2.discard.sx, lsl 2"),
        ("iadd dr2, $dr4, u3", "iadd r2_r3, r4_r5.cache, u3"),
        ("fmul $r1, ^r2, 0.5", "fmul32 r1.cache, r2.discard, 0.5"),
        ("bitop r0, r1, 0, a", "mov r0, r1"),
        ("bitop r0, r1, r2, a & b", "and r0, r1, r2"),
        ("bitop r0, r1, r2, a & ~b", "bitop 0100, r0, r1, r2"),
        ("bfi r0, 0, r1, 3, 5", "bfi r0, 0, r1, 3, mask 0x1F"),
        ("get_sr r0, thread_in_grid_x", "get_sr r0, sr80 (thread_position_in_grid.x)"),
        ("get_sr r0, core_index", "get_sr r0, sr20"),
        ("if_fcmp 0.0, 0.0, 0, eq", "update_exec r0l"),
        ("if_fcmp 0.0, 0.0, 2, cache, eq", "push_exec r0l.cache, 2"),
        ("if_icmp r1, r2, 1, ine", "if_icmp r0l, nueq, r1, r2, 1"),
        ("jmp_exec_none 0x11c", "jmp_exec_none pc+284"),
        ("call -0xa0", "call pc-160"),
        ("wait b", "wait 1"),
        (
            "device_load r0_r1, du2, 0, lsl 1, i32, xy, a",
            "device_load 0, i32, xy, r0_r1, u2_u3, 0, signed, lsl 1",
        ),
        (
            "ld_tile r0l_r0h_r1l_r1h, 0, 255, 0, explicit_coords, u8norm, xyzw",
            "ld_tile r0l_r0h_r1l_r1h, u8norm, 1, xyzw, 0, 255, 0",
        ),
        (
            "texture_sample r4_r5_r6_r7, du54, r1, r0h, r2_r3, 0, 2d, xyzw, auto_lod, gather_g, a",
            "texture_sample 0, 0b1100, 0b0, gather_g, xyzw, 0b00, r4_r5_r6_r7, u54_u55, r1, r0h, tex_2d, r2_r3, auto_lod, 0",
        ),
    ] {
        let word = |text| match g13().parse_at(text, 0) {
            Ok(word) => word,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(word(upstream), word(own), "{own}");
        assert_eq!(g13().text_at(word(own).word, 0).as_deref(), Some(own));
    }
}

/// Random words of every row round-trip through applegpu's notation, with unread bits after the text. Some long forms
/// become the short form, which the notation does not distinguish.
#[test]
fn random_words_come_back_in_applegpus_notation() {
    const SEED: u64 = 45;
    let words = if cfg!(debug_assertions) { 100 } else { 2_000 };
    println!("seed {SEED}, {words} words per row");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let (mut texts, mut shorter, mut taken) = (0, 0, 0);
    for row in g13().all_rows() {
        for number in 0..words {
            let mut any = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            if number % 2 == 0 {
                any &= u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            }
            let word = any & !row.mask | row.value;
            let word = word & ones(8 * u32::from(row.length(word)));
            let Some(row) = g13().find(word) else { continue };
            for text in alias_texts(row, word, 0) {
                texts += 1;
                let parsed = g13()
                    .parse_at(&text, 0)
                    .unwrap_or_else(|error| panic!("{word:#x}: {error}"));
                if parsed.word == word {
                    continue;
                }
                // A text that is also valid in this table's notation has that meaning: `mov r0, 5`.
                if g13().text_at(parsed.word, 0).as_deref() == Some(text.as_str()) {
                    taken += 1;
                    continue;
                }
                assert!(
                    parsed.bytes < row.length(word),
                    "{word:#x} is `{text}`, which is {:#x}",
                    parsed.word
                );
                shorter += 1;
            }
        }
    }
    println!("{texts} texts, {shorter} of long forms that could be short, {taken} of another instruction here");
    assert!((shorter + taken) * 100 < texts);
}

#[test]
fn names_of_applegpu_have_a_page() {
    for (own, upstream) in [
        ("iadd", "isub"),
        ("fmul", "FMUL32"),
        ("ldcf", "TODO.ldcf"),
        ("if_fcmp", "push_exec"),
    ] {
        assert!(g13().page(own).is_some(), "{own}");
        assert_eq!(g13().page(own), g13().page(upstream));
    }
}

/// The error for an invalid text has the column of the mistake.
#[test]
fn mistakes_have_a_position() {
    for (text, column, part) in [
        ("device_load r0_r2, du2, 0, i32, xy, a", 13, "expected"),
        ("device_load r0_r1, du2, 0, i32, xyz, a", 1, "exclude each other"),
        ("device_load r0_r1, du2, 70000, i32, xy, a", 25, "out of range"),
        ("fmul32 r0, r1, 0.3", 16, "more digits"),
        ("isub r0, r1", 12, "`,`"),
        ("jmp_exec_any pc284", 14, "expected"),
        ("TODO.unk r0", 1, "`TODO.ldcf`"),
    ] {
        match g13().parse_at(text, 0) {
            Ok(word) => panic!("{text} is {word:x?}"),
            Err(error) => assert!(error.column == column && error.message.contains(part), "{error}"),
        }
    }
}
