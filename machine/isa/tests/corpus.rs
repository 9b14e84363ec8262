//! The table against real SM 1.x machine code and the vendor's disassembly: `corpus/` of the shared material, found
//! through FLEXGRIP_SHARED or next to the workspace.

use flexgrip_isa::{assemble, decode, encode, listing, parse_instruction, Form, Instruction, Marker, Style};
use std::collections::BTreeMap;

/// A file of the shared material, or `None` with a note.
fn shared(path: &str) -> Option<String> {
    let root = flexgrip_skip::shared();
    let path = root.join(path);
    if !root.exists() {
        println!("skipped: {} does not exist", path.display());
        return None;
    }
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn hex(text: &str) -> u64 {
    if text.is_empty() {
        0
    } else {
        u64::from_str_radix(text, 16).unwrap_or_else(|e| panic!("{text:?}: {e}"))
    }
}

/// Text of the manual or of its decoded column in normal form: without blanks and final semicolons, which vary, and
/// without the exit marker, which neither shows. Hexadecimal digits, mixed in the manual, become lower case.
fn normal(text: &str) -> String {
    text.trim_end_matches([';', ' '])
        .replace(' ', "")
        .replace(".EXIT", "")
        .to_ascii_lowercase()
}

/// Checks that hold for every legal word.
fn round_trip(word: u64, instruction: &Instruction) {
    let meaningful = instruction.meaningful_bits();
    assert_eq!(encode(instruction), word & meaningful, "{instruction}");
    assert_eq!(decode(encode(instruction)), Ok(*instruction));
    let text = instruction.to_string();
    let back = parse_instruction(&text).unwrap_or_else(|e| panic!("{word:#018x} {text}: {e}"));
    assert_eq!(
        encode(&back),
        encode(instruction),
        "{text}: {word:#018x} became {:#018x}",
        encode(&back)
    );
}

/// The corpus's text for a word whose operands no vendor listing shows: only the mnemonic is compared.
const OPERANDS_UNKNOWN: &str = "...";

/// Real words that do not keep all of their bits, by mnemonic: the table ignores these bits.
const NOT_ALL_MEANINGFUL: &[(&str, usize, &str)] = &[(
    "SSY",
    32,
    "its condition field is TRUE in code of one compiler and 0 in code of another; SSY ignores it",
)];

#[test]
fn real_words_round_trip_and_print_as_listed() {
    let Some(text) = shared("corpus/sm10_words.tsv") else {
        return;
    };
    let mut not_meaningful = BTreeMap::new();
    let (mut words, mut executed, mut exits, mut vendor_lines, mut known_wrong) = (0, 0, 0, 0, 0);
    let (mut by_version, mut operands_unknown) = ([0, 0], 0);
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let word = hex(columns[0]) | hex(columns[1]) << 32;
        let (sass, vendor) = (columns[2], columns[3]);
        words += 1;
        let instruction = decode(word).unwrap_or_else(|error| panic!("{line}: {error}"));
        executed += usize::from(instruction.executed());
        round_trip(word, &instruction);
        assert_eq!(instruction.size() == 8, word & 1 != 0);
        if word & !instruction.meaningful_bits() != 0 {
            *not_meaningful.entry(instruction.row().name).or_insert(0) += 1;
        }
        // Exact, except for the exit marker, which the column does not show.
        let printed = instruction.to_string();
        let exit = instruction.marker() == Marker::Exit;
        exits += usize::from(exit);
        let shown = if exit {
            printed.replacen(".EXIT", "", 1)
        } else {
            printed
        };
        match sass.strip_suffix(OPERANDS_UNKNOWN) {
            Some(mnemonic) => {
                operands_unknown += 1;
                assert_eq!(instruction.row().name, mnemonic, "{line}");
            }
            None => assert_eq!(shown, sass, "{line}"),
        }
        if !vendor.is_empty() {
            vendor_lines += 1;
            let by = |style| instruction.text(style).to_string() == vendor;
            let known = !by(Style::Vendor) && !by(Style::EarlyVendor);
            if known {
                known_wrong += 1;
                assert!(vendor_is_known_wrong(sass, vendor), "{line}");
            } else {
                by_version[usize::from(!by(Style::Vendor))] += 1;
            }
            // The vendor's text assembles, unless its printer was wrong.
            if !vendor.contains("C48") {
                let from_vendor = parse_instruction(vendor).unwrap_or_else(|e| panic!("{vendor}: {e}"));
                if !known && !exit {
                    assert_eq!(from_vendor, instruction, "{line}");
                }
            }
        }
    }
    assert_eq!(
        not_meaningful,
        NOT_ALL_MEANINGFUL.iter().map(|&(m, n, _)| (m, n)).collect()
    );
    println!(
        "{words} real words, all decode ({operands_unknown} with operands in our own style); {executed} executed by \
         this core, {exits} with an exit marker"
    );
    println!(
        "{vendor_lines} vendor lines: {} as its tool prints, {} as its earlier versions, {known_wrong} known wrong",
        by_version[0], by_version[1]
    );
}

/// Vendor lines that differ from the bits in more than blanks.
fn vendor_is_known_wrong(sass: &str, vendor: &str) -> bool {
    // A known bug of the vendor's printer: the condition register of a BRA on .EQU.
    vendor.contains("(C48.EQU)")
        // Words edited by hand after their comment was written (FlexGripPlus): different comparison, register, target.
        || HAND_EDITED.contains(&(sass, vendor))
        // Offsets with two digits, by hand or by yet another version.
        || [("IADD R0, g[0x4], R1", "IADD R0, g [0x04], R1"), ("IADD R1, g[0x5], R1", "IADD R1, g [0x05], R1")]
            .contains(&(sass, vendor))
}

const HAND_EDITED: &[(&str, &str)] = &[
    ("BRA C0.NE, 0xc0", "BRA C0.NE, 0xc8"),
    ("ISET.S32 R72, g[0x6], R1, GT", "ISET.S32.C0 R8, g [0x6], R1, LE"),
    ("ISET.S32 R70, g[0x6], R4, GT", "ISET.S32.C0 R6, g [0x6], R4, LE"),
    (
        "ISET.S32.C0 o[0x7f], g[0x7], R2, GT",
        "ISET.S32.C0 o[0x7f], g [0x7], R2, LE",
    ),
    (
        "ISET.S32.C0 o[0x7f], g[0x5], R0, NE",
        "ISET.S32.C0 o[0x7f], g [0x5], R0, LE",
    ),
    (
        "ISET.S32.C0 o[0x7f], g[0x7], R6, NE",
        "ISET.S32.C0 o[0x7f], g [0x7], R6, LE",
    ),
    (
        "ISET.S32.C0 o[0x7f], g[0x8], R6, NE",
        "ISET.S32.C0 o[0x7f], g [0x8], R6, LE",
    ),
    (
        "ISET.S32.C0 o[0x7f], g[0x6], R2, GE",
        "ISET.S32.C0 o[0x7f], g [0x6], R2, LE",
    ),
    (
        "ISET.S32.C0 o[0x7f], g[0x6], c[0x1][0x0], LT",
        "ISET.S32.C0 o[0x7f], g [0x6], c[0x1][0x0], LE",
    ),
];

/// The beginning of the verdict on an example of the manual whose text contradicts its encoding.
const MANUAL_SAYS: &str = "MANUAL TYPO";

#[test]
fn manual_examples_decode_as_encoded() {
    let Some(text) = shared("corpus/manual_examples.tsv") else {
        return;
    };
    let (mut examples, mut typos) = (0, 0);
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let word = hex(columns[2]) | hex(columns[3]) << 32;
        let instruction = decode(word).unwrap_or_else(|e| panic!("{line}: {e}"));
        round_trip(word, &instruction);
        let printed = normal(&instruction.to_string());
        // The text of the reference decoder.
        assert_eq!(printed, normal(columns[5]), "{line}");
        let manual = normal(columns[1]);
        examples += 1;
        if columns[6].starts_with(MANUAL_SAYS) {
            typos += 1;
            assert_ne!(printed, manual, "{line}");
        } else {
            assert_eq!(printed, manual, "{line}");
        }
    }
    println!("{examples} manual examples, {typos} of them contradict themselves");
}

#[test]
fn listings_of_real_kernels_assemble_to_their_code() {
    // Exit markers, which the vendor's text does not show, and words edited by hand after the text was written.
    for (app, exits, edited) in [("vectoradd_int", 1, 0), ("sort_v1", 1, 1)] {
        let (Some(listing), Some(code)) = (
            shared(&format!("corpus/apps/{app}/listing.txt")),
            shared(&format!("corpus/apps/{app}/kernel.hex")),
        ) else {
            return;
        };
        let program = assemble(&listing, app).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let code: Vec<u32> = code.split_whitespace().map(|word| hex(word) as u32).collect();
        assert_eq!(program.words.len(), code.len(), "{app}");
        let mut differences = (0, 0);
        let mut pc = 0;
        while pc < code.len() {
            let instruction = decode(word_at(&code, pc)).unwrap();
            let assembled = decode(word_at(&program.words, pc)).unwrap();
            assert!(instruction.executed(), "{app} {instruction}");
            if assembled != instruction {
                let (bits, text) = (instruction.to_string(), assembled.to_string());
                if bits.replace(".EXIT", "") == text {
                    differences.0 += 1;
                } else {
                    assert!(
                        HAND_EDITED
                            .iter()
                            .any(|&(sass, vendor)| sass == bits && normal(vendor) == normal(&text)),
                        "{app} {:#x}: {text} is {bits}",
                        4 * pc
                    );
                    differences.1 += 1;
                }
            }
            pc += instruction.size() as usize / 4;
        }
        assert_eq!(differences, (exits, edited), "{app}");
    }
}

fn word_at(code: &[u32], pc: usize) -> u64 {
    let low = u64::from(code[pc]);
    match Form::of(low) {
        Form::Short => low,
        _ => low | u64::from(code[pc + 1]) << 32,
    }
}

/// Disassembling a whole program and assembling the result gives the program back.
#[test]
fn whole_kernels_survive_disassembly() {
    let Some(_) = shared("corpus/README.md") else {
        return;
    };
    let root = flexgrip_skip::shared();
    let mut kernels = 0;
    for entry in std::fs::read_dir(root.join("corpus/apps")).unwrap() {
        let path = entry.unwrap().path();
        let code = std::fs::read_to_string(path.join("kernel.hex")).unwrap();
        let code: Vec<u32> = code.split_whitespace().map(|word| hex(word) as u32).collect();
        let mut expected = Vec::new();
        let mut pc = 0;
        while pc < code.len() {
            let word = word_at(&code, pc);
            let instruction = decode(word).unwrap_or_else(|e| panic!("{} {:#x}: {e}", path.display(), 4 * pc));
            let word = encode(&instruction);
            expected.push(word as u32);
            if instruction.size() == 8 {
                assert_eq!(pc % 2, 0, "{}: long instruction at {:#x}", path.display(), 4 * pc);
                expected.push((word >> 32) as u32);
            }
            pc += instruction.size() as usize / 4;
        }
        let text = listing(&code, Style::Plain);
        let program = assemble(&text, "disassembly").unwrap_or_else(|e| panic!("{e:#?}"));
        assert_eq!(program.words, expected, "{}", path.display());
        kernels += 1;
    }
    println!("{kernels} kernels");
}
