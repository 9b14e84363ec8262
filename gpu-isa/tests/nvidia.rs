//! NVIDIA 5.x and 6.x against the document's opcode table and the words that NVIDIA's disassembler has printed.
//!
//! The data is not part of the repository: `FLEXGRIP_SHARED` gives its location, by default `../shared` next to the
//! workspace.

use flexgrip_gpu_isa::set::{Row, Set};
use flexgrip_gpu_isa::sets::maxwell::{SM50, SM52, SM60};
use serde_json::Value;
use std::collections::BTreeMap;

const SETS: [&Set; 3] = [&SM50, &SM52, &SM60];

/// A file next to the document; `None` if it is missing.
fn shared(name: &str) -> Option<String> {
    let root = flexgrip_skip::shared();
    let text = std::fs::read_to_string(root.join("other-isa").join(name)).ok();
    if text.is_none() {
        println!("skipped: {name} does not exist");
    }
    text
}

/// Words with the vendor's text.
fn samples(name: &str) -> Vec<(u64, String)> {
    let text = shared(&format!("corpus/nv/{name}")).unwrap_or_default();
    text.lines()
        .skip(1)
        .filter_map(|line| {
            let (word, text) = line.split_once('\t')?;
            Some((u64::from_str_radix(word, 16).ok()?, normal(text)))
        })
        .collect()
}

/// One space between tokens, none before a comma; no `.reuse`, no brackets of pairs of instructions, no unread bits.
fn normal(text: &str) -> String {
    let text = text.split(" ?0x").next().unwrap_or(text).replace(".reuse", "");
    // Braces around two instructions, not around a set of barriers.
    let text = text.trim().trim_start_matches('{').trim_end_matches("; }");
    let text = text
        .trim_end_matches(';')
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    text.replace(" ,", ",")
}

/// Guard, mnemonic with its modifiers, operands.
fn split(text: &str) -> (&str, &str, &str) {
    let (guard, rest) = match text.starts_with('@') {
        true => text.split_once(' ').unwrap_or((text, "")),
        false => ("", text),
    };
    let end = rest.find([' ', '[']).unwrap_or(rest.len());
    (guard, &rest[..end], rest[end..].trim_start())
}

/// The address that a sample had, if its text ends with a branch's target.
fn address(word: u64, text: &str) -> u64 {
    let Some(target) = text.rsplit([' ', ',']).next() else {
        return 0;
    };
    let (negative, digits) = match target.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, target),
    };
    let Some(target) = digits
        .strip_prefix("0x")
        .and_then(|digits| i64::from_str_radix(digits, 16).ok())
    else {
        return 0;
    };
    let offset = (word << 20) as i64 >> 40;
    let address = if negative { -target } else { target } - 8 - offset;
    match address {
        0..0x1_0000 if address % 8 == 0 => address as u64,
        _ => 0,
    }
}

fn text(set: &Set, word: u64, address: u64) -> Option<String> {
    set.text_at(u128::from(word), address)
}

/// The numbers of words with NVIDIA's mnemonic, operands and text, and the differences.
#[derive(Default)]
struct Score {
    words: usize,
    mnemonic: usize,
    operands: usize,
    whole: usize,
    unread: usize,
    differences: BTreeMap<String, Vec<String>>,
}

impl Score {
    fn of(set: &Set, samples: &[(u64, String)]) -> Score {
        let mut score = Score::default();
        for (word, vendor) in samples {
            score.words += 1;
            let ours = text(set, *word, address(*word, vendor)).unwrap_or_else(|| ".word".to_string());
            score.unread += usize::from(ours.contains(" ?0x"));
            let ours = normal(&ours);
            let (guard, mnemonic, operands) = split(&ours);
            let (their_guard, their_mnemonic, their_operands) = split(vendor);
            let same = (
                mnemonic == their_mnemonic,
                (guard, operands) == (their_guard, their_operands),
            );
            score.mnemonic += usize::from(same.0);
            score.operands += usize::from(same.1);
            score.whole += usize::from(same.0 && same.1);
            if same != (true, true) {
                let what = match same {
                    (true, _) => "operands",
                    (_, true) => "mnemonic",
                    _ => "all",
                };
                let stem = their_mnemonic.split('.').next().unwrap_or_default();
                let class = format!("{stem}: {what}");
                let difference = format!("{word:016x}  {vendor}  |  {ours}");
                score.differences.entry(class).or_default().push(difference);
            }
        }
        score
    }

    fn print(&self, name: &str) {
        let share = |count: usize| 100.0 * count as f64 / self.words.max(1) as f64;
        println!(
            "{name}: {} words; mnemonic {:.2} %, operands {:.2} %, whole text {:.2} %; {} have unread bits",
            self.words,
            share(self.mnemonic),
            share(self.operands),
            share(self.whole),
            self.unread
        );
        for (class, differences) in &self.differences {
            println!("  {class}: {}", differences.len());
            for difference in differences.iter().take(2) {
                println!("      {difference}");
            }
        }
    }
}

#[test]
fn fields_of_sm60_decode() {
    let samples = samples("sm60_nvdisasm_fields.tsv");
    let score = Score::of(&SM60, &samples);
    score.print("sm60, fields");
    assert_eq!(score.mnemonic, score.words);
    assert!(100 * score.operands >= 99 * score.words);
    assert!(100 * score.whole >= 95 * score.words);
}

#[test]
fn opcode_space_of_sm52_decodes() {
    let samples = samples("sm52_opcode_space.tsv");
    for set in [&SM52, &SM60] {
        let score = Score::of(set, &samples);
        score.print(&format!("{}, opcode space", set.name));
        assert!(100 * score.mnemonic >= 92 * score.words);
        assert!(100 * score.operands >= 92 * score.words);
    }
}

fn number(row: &Value, key: &str) -> u128 {
    let text = row[key].as_str().unwrap_or_default().trim_start_matches("0x");
    u128::from_str_radix(text, 16).unwrap_or_default()
}

#[test]
fn rows_match_the_document() {
    let Some(json) = shared("nv.json") else { return };
    let json: Value = serde_json::from_str(&json).expect("nv.json is JSON");
    let rows = json["opcodes"].as_array().expect("opcodes are a list");
    let mut count = 0;
    let mut stricter = 0;
    for row in rows.iter().filter(|row| row["arch"] == "5.x/6.x") {
        let (mask, value) = (number(row, "final_mask"), number(row, "final_value"));
        let form = row["form_fixed"].as_str().unwrap_or_default();
        let name = form.split(' ').next().unwrap_or_default();
        let covers = |ours: &&&Row| {
            ours.stem() == name && ours.mask & !mask == 0 && (ours.value ^ value) & ours.mask == 0 && ours.rank == 0
        };
        let ours = SM60.all_rows().iter().find(covers);
        let ours = ours.unwrap_or_else(|| panic!("line {}: {form} {mask:x} {value:x} is not covered", row["line"]));
        assert_eq!(SM60.find(value).map(Row::stem), Some(name), "line {}", row["line"]);
        if mask != ours.mask {
            stricter += 1;
            println!(
                "line {}: {form} also fixes the bits {:#x}",
                row["line"],
                mask & !ours.mask
            );
        }
        if row["final_why"] != "as printed" {
            println!("line {}: {form}: {}", row["line"], row["final_why"]);
        }
        count += 1;
    }
    println!("{count} rows of the document, {stricter} of them with bits that need not be fixed");
    assert_eq!(count, 185);
}

#[test]
fn special_registers_have_their_names() {
    let Some(json) = shared("nv.json") else { return };
    let json: Value = serde_json::from_str(&json).expect("nv.json is JSON");
    for register in json["special_registers"]
        .as_array()
        .expect("special registers are a list")
    {
        let code = register["enc"].as_u64().expect("a code");
        let word = 0xf0c8_0000_0007_0000 | code << 20;
        for name in [&register["name"], &register["alt"]]
            .into_iter()
            .filter_map(Value::as_str)
        {
            let parsed = SM60
                .parse_at(&format!("S2R R0, {name}"), 0)
                .expect("a special register of the document");
            assert_eq!(parsed.word, u128::from(word), "{name}");
        }
        let ours = text(&SM60, word, 0).unwrap_or_default();
        if code != 44 && code != 62 {
            assert_eq!(
                ours,
                format!("S2R R0, {}", register["name"].as_str().unwrap_or_default())
            );
        }
    }
}

#[test]
fn rows_do_not_overlap() {
    for set in SETS {
        let rows = set.all_rows();
        for (at, one) in rows.iter().enumerate() {
            assert_eq!(one.value & !one.mask, 0, "{}", one.mnemonic);
            assert!(
                !one.description.is_empty() && !one.source.is_empty(),
                "{}",
                one.mnemonic
            );
            for other in &rows[at + 1..] {
                let both = one.mask & other.mask;
                assert!(
                    (one.value ^ other.value) & both != 0 || one.rank != other.rank,
                    "{}: {} {:x} and {} {:x}",
                    set.name,
                    one.mnemonic,
                    one.value,
                    other.mnemonic,
                    other.value
                );
            }
        }
    }
}

/// A simple random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }
}

fn round_trip(set: &Set, word: u64) {
    let at = word & 0xff8;
    let Some(text) = text(set, word, at) else { return };
    match set.parse_at(&text, at) {
        Ok(parsed) => assert_eq!(parsed.word, u128::from(word), "{}: {word:016x} {text}", set.name),
        Err(error) => panic!("{}: {word:016x}\n{error}", set.name),
    }
}

#[test]
fn every_row_round_trips() {
    let mut random = Random(5);
    for set in SETS {
        for row in set.all_rows() {
            let (mask, value) = (row.mask as u64, row.value as u64);
            for times in 0..400 {
                // All bits at random; few of them set; few of them clear.
                let noise = match times % 4 {
                    0 => random.next(),
                    1 => random.next() & random.next() & random.next(),
                    2 => random.next() | random.next() | random.next(),
                    _ => random.next() & 0x0007_ffff_ffff_ffff | 7 << 16,
                };
                round_trip(set, value | noise & !mask);
            }
            for bit in 0..64 {
                round_trip(set, value | (1 << bit) & !mask);
                round_trip(set, value | !mask & !(1 << bit));
            }
        }
        for _ in 0..50_000 {
            round_trip(set, random.next());
        }
    }
}

#[test]
fn samples_round_trip() {
    for name in ["sm60_nvdisasm_fields.tsv", "sm52_opcode_space.tsv"] {
        for (word, vendor) in samples(name) {
            round_trip(&SM60, word);
            // NVIDIA's text also assembles to a word with the same text.
            let at = address(word, &vendor);
            let Some(ours) = text(&SM60, word, at) else { continue };
            if normal(&ours) == vendor {
                let parsed = SM60
                    .parse_at(&vendor, at)
                    .unwrap_or_else(|error| panic!("{word:016x}\n{error}"));
                let again = text(&SM60, parsed.word as u64, at).unwrap_or_default();
                assert_eq!(normal(&again), vendor);
            }
        }
    }
}

#[test]
fn ignored_guards_are_not_printed() {
    assert_eq!(text(&SM60, 0xe370_0000_0007_0000, 0).as_deref(), Some("SAM"));
    assert_eq!(text(&SM60, 0xe370_0000_0000_0000, 0).as_deref(), Some("SAM ?0x70000"));
    assert_eq!(text(&SM60, 0xe370_0000_000f_0000, 0).as_deref(), Some("SAM ?0x80000"));
    let word = |text| SM60.parse_at(text, 0).map(|word| word.word as u64).ok();
    assert_eq!(word("SAM"), Some(0xe370_0000_0007_0000));
    assert_eq!(word("SAM ?0x70000"), Some(0xe370_0000_0000_0000));
    assert_eq!(word("SSY 0x98"), Some(0xe290_0000_0907_0000));
    assert!(SM60.explain_at(0xe370_0000_0007_0000, 0).contains("0x70000, as usual"));
    let other = SM60.explain_at(0xe370_0000_000f_0000, 0);
    assert!(
        other.contains("0xf0000, usually 0x70000: printed as ?0x80000"),
        "{other}"
    );
}

#[test]
fn examples_of_the_specification_agree() {
    for (word, line) in [
        (0x0106_222f_b397_20ff, "MOV32I RZ, 0x6222fb39, 0x2"),
        (0x5b30_0b18_0197_0404, "XMAD.PSL.CBCC R4, R4.H1, R25.H1, R22"),
        (0x1c00_1586_0ef9_363f, "@!P1 IADD32I R63, R54, 0x15860ef"),
        (0x3380_144c_ac47_2523, "FFMA R35, R37, -90308608, R40"),
    ] {
        assert_eq!(text(&SM60, word, 0).as_deref(), Some(line));
        let parsed = SM60.parse_at(line, 0).expect("an example");
        assert_eq!(parsed.word, u128::from(word));
    }
    let reuse = SM60
        .parse_at("XMAD R8, R12.reuse, R7.reuse, RZ", 0)
        .expect("reuse is dropped");
    assert_eq!(reuse.word, 0x5b00_7f80_0077_0c08);
}

#[test]
fn atomics_and_results_of_barriers_decode() {
    for (set, word, line) in [
        (&SM60, 0xebf9_0000_0067_0204_u64, "RED.E.ADD.F64.RN [R2], R4"),
        (&SM52, 0xebf9_0000_0067_0204, "RED.E.ADD.F64.RN [R2], R4"),
        (&SM52, 0xebf9_0000_0047_0204, "RED.E.ADD.F16x2.FTZ.RN [R2], R4"),
        (&SM60, 0xebf9_0000_0047_0204, "RED.E.ADD.F16x2.RN [R2], R4"),
        (&SM60, 0xed0d_0000_0067_0204, "ATOM.E.ADD.F64.RN R4, [R2], R6"),
        (&SM60, 0xf0b8_0001_0007_ffff, "B2R.RESULT RZ, P0"),
        (&SM50, 0xf0b8_e001_0007_ff07, "B2R.RESULT R7"),
        (&SM60, 0xf0b8_6001_0007_0507, "B2R.RESULT R7, P3, 0x5"),
        (&SM60, 0xf0b8_0002_0007_ff07, "B2R.WARP R7"),
        (&SM60, 0xf0b8_0000_0007_ff07, "B2R R7, 0xff"),
        (&SM60, 0xf0c0_0001_4197_0000, "R2B.RESULT 0x4, R25"),
    ] {
        assert_eq!(text(set, word, 0).as_deref(), Some(line));
        assert_eq!(
            set.parse_at(line, 0).expect("its text").word,
            u128::from(word),
            "{line}"
        );
    }
}

#[test]
fn halves_depend_on_the_version() {
    let words = [0x5d10_0000_0ff7_192a_u64, 0x2c51_6da0_b765_1a0d, 0x7e00_0392_de47_ff3f];
    for word in words {
        assert_eq!(text(&SM50, word, 0), None);
        assert!(text(&SM52, word, 0).is_some());
        assert!(text(&SM60, word, 0).is_some());
    }
    let dot = 0x53f8_0000_0007_0000;
    assert_eq!(text(&SM52, dot, 0), None);
    assert_eq!(text(&SM60, dot, 0).as_deref(), Some("IDP.4A.U8.U8 R0, R0, R0, R0"));
    assert!(SM50.parse_at("HADD2 R0, R1, R2", 0).is_err());
}

#[test]
fn control_words_round_trip() {
    let program = "
        .control stall 1 yield 0 write 7 read 7 wait 0x0 reuse 0x0, stall 15 yield 1 write 0 read 2 wait 0x21 reuse 0x3, stall 0 yield 1 write 7 read 7 wait 0x3f reuse 0xf
        MOV R1, c[0x0][0x20];
        @P0 BRA 0x0;
        IADD3 R2, R1.reuse, R2, RZ;
        EXIT;
        ";
    let bytes = SM60.assemble(program).expect("a program");
    assert_eq!(bytes.len(), 48);
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
    let slots = [
        0x07e1,
        0x03_0000 << 1 | 0x21 << 11 | 2 << 8 | 0x1f,
        0xf << 17 | 0x3f << 11 | 0x7f0,
    ];
    let control = slots[0] | slots[1] << 21 | slots[2] << 42;
    assert_eq!(word(0), control, "{:016x}", word(0));
    // The second group has no control text, so it gets the control word that compilers use with padding.
    assert_eq!(word(32), 0x001f_8000_fc00_07e0);
    assert_eq!(word(16), 0xe240_0fff_fe80_000f);
    let listed = SM60.list(&bytes);
    assert_eq!(SM60.assemble(&listed.source()).expect("the listing"), bytes);
    assert!(!listed.plain().contains(".control"));
    // Bit 63 of a control word is 0; otherwise the word is data.
    let mut bytes = bytes;
    bytes[7] |= 0x80;
    let listed = SM60.list(&bytes);
    assert!(listed.lines[0].text.starts_with(".word 0x"));
    assert_eq!(SM60.assemble(&listed.source()).expect("with data"), bytes);
}
