//! The table alone: rows are disjoint and complete, and decode, encode and text agree on random words.

use flexgrip_isa::table::{Location, Role, Suffix, ABSENT, ROWS};
use flexgrip_isa::{
    decode, encode, explain, parse_instruction, Condition, DecodeError, Form, Instruction, Kind, Operand, Operation,
    Resource, Rounding, Sign, Texture, TextureKind, Unit,
};
use flexgrip_isa::{Float, Integer, Product, Quad, Sum};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A small random generator without a dependency (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[test]
fn no_word_matches_two_rows() {
    for (i, a) in ROWS.iter().enumerate() {
        assert_eq!(a.pattern.value & !a.pattern.mask, 0, "{}", a.name);
        assert_eq!(Form::of(a.pattern.value), a.form(), "{}", a.name);
        for b in &ROWS[i + 1..] {
            let common = a.pattern.mask & b.pattern.mask;
            assert!(
                a.form() != b.form() || (a.pattern.value ^ b.pattern.value) & common != 0,
                "{} and {}",
                a.name,
                b.name
            );
        }
    }
}

#[test]
fn rows_are_well_formed() {
    for row in ROWS {
        assert!(!row.semantics.is_empty() && !row.source.is_empty(), "{}", row.name);
        for other in ROWS.iter().filter(|other| other.name == row.name) {
            assert_eq!(row.form().size(), other.form().size(), "{}", row.name);
        }
        for field in row.fields() {
            assert!(field.width() <= 32, "{} {}", row.name, field.name);
            let bits: u32 = field.parts.iter().map(|&(_, width)| width).sum();
            assert_eq!(field.mask().count_ones(), bits, "{} {}", row.name, field.name);
            let outside = field.mask() & row.pattern.mask;
            assert_eq!(outside, 0, "{}: {} overlaps the pattern", row.name, field.name);
            if row.form() == Form::Short {
                assert!(field.mask() < 1 << 32, "{} {}", row.name, field.name);
            }
        }
        for suffix in row.suffixes {
            if let Some((field, names)) = suffix.names() {
                assert_eq!(names.len(), 1 << field.width(), "{} {}", row.name, field.name);
                let without_effect = matches!(suffix, Suffix::WithoutEffect(..));
                assert!(
                    !without_effect || names.iter().all(Option::is_some),
                    "{} {}",
                    row.name,
                    field.name
                );
                for (i, name) in names.iter().enumerate() {
                    assert!(name.is_none() || !names[i + 1..].contains(name), "{}", row.name);
                }
            }
        }
        for slot in row.slots {
            check_location(row.name, &slot.location, slot.role);
        }
    }
}

/// Selections are complete, and a location suits its role (decode relies on both).
fn check_location(name: &str, location: &Location, role: Role) {
    match location {
        Location::Select(field, locations) => {
            assert_eq!(locations.len(), 1 << field.width(), "{name} {}", field.name);
            for location in *locations {
                check_location(name, location, role);
            }
        }
        Location::Named(field, names) => {
            assert_eq!(names.len(), 1 << field.width(), "{name} {}", field.name);
            assert_eq!(role, Role::Inherent, "{name}");
        }
        Location::Target(_) | Location::Barrier(_) | Location::Condition(..) => {
            assert_eq!(role, Role::Inherent, "{name}")
        }
        Location::Discard(_) => assert_eq!(role, Role::Destination, "{name}"),
        Location::Word(_)
        | Location::Pair(_)
        | Location::Half(_)
        | Location::Address(_)
        | Location::ConditionCode(_) => {
            assert_ne!(role, Role::Inherent, "{name}")
        }
        Location::Shared { .. }
        | Location::Constant { .. }
        | Location::Local { .. }
        | Location::Global(..)
        | Location::Special(_) => {
            assert!(matches!(role, Role::Source1 | Role::Source2 | Role::Source3), "{name}");
        }
        Location::Number(_) | Location::FloatNumber(_) | Location::OptionalNumber(_) => {
            assert_ne!(role, Role::Destination, "{name}")
        }
        Location::Nothing | Location::Undefined => {}
    }
}

/// Decode reads every field of every row, and no other bits.
#[test]
fn meaningful_bits_are_pattern_and_fields() {
    let mut random = Random(1);
    for row in ROWS {
        let fields = row
            .fields()
            .iter()
            .fold(row.pattern.mask, |mask, field| mask | field.mask());
        let mut seen = row.pattern.mask;
        for _ in 0..2000 {
            let word = row.pattern.value | (random.next() & !row.pattern.mask);
            if let Ok(instruction) = decode(word) {
                assert_eq!(std::ptr::eq(instruction.row(), row), Form::of(word) == row.form());
                if std::ptr::eq(instruction.row(), row) {
                    assert_eq!(instruction.meaningful_bits() & !fields, 0, "{instruction}");
                    seen |= instruction.meaningful_bits();
                }
            }
        }
        assert_eq!(seen, fields, "{}: {:#x} never read", row.name, fields & !seen);
    }
}

/// The fields of a word are the fields that its decoding reads.
#[test]
fn fields_of_a_word_are_its_meaningful_bits() {
    let mut random = Random(4);
    for row in ROWS {
        for _ in 0..500 {
            let word = row.pattern.value | (random.next() & !row.pattern.mask);
            let Ok(instruction) = decode(word) else { continue };
            let row = instruction.row();
            let fields = row.fields_of(word);
            let mask = fields.iter().fold(row.pattern.mask, |mask, field| mask | field.mask());
            assert_eq!(mask, instruction.meaningful_bits(), "{word:#018x} {instruction}");
            assert!(fields.iter().all(|field| row.fields().contains(field)));
        }
    }
}

/// A row's operation looks only at the bits that [`flexgrip_isa::Row::operation_bits`] passes to it: any other field
/// would be lost.
#[test]
fn operations_depend_only_on_their_bits() {
    let mut random = Random(9);
    for row in ROWS {
        for _ in 0..3_000 {
            let word = random.next() & !row.pattern.mask | row.pattern.value;
            let Some(instruction) = decode(word).ok().filter(|found| found.row().pattern == row.pattern) else {
                continue;
            };
            let whole = (row.operation)(encode(&instruction));
            assert_eq!(instruction.operation(), whole, "{}: {word:#x}", row.name);
        }
    }
}

/// Fields with named values have a name for every value, and undefined values have an empty one.
#[test]
fn choices_have_words() {
    for row in ROWS {
        for field in row.fields() {
            let Kind::Choice(words) = field.kind else { continue };
            assert!(words.len() <= 1 << field.width(), "{} {}", row.name, field.name);
            // The last of the marker's values makes the word one of the immediate form.
            assert!(
                words.len() == 1 << field.width() || field.name == "marker",
                "{} {}",
                row.name,
                field.name
            );
            for suffix in row.suffixes {
                if let Some((at, names)) = suffix.names() {
                    if at == field {
                        for (name, words) in names.iter().zip(words) {
                            assert_eq!(name.is_none(), words.is_empty(), "{} {}", row.name, field.name);
                        }
                    }
                }
            }
        }
    }
}

/// A word listed as absent is not an instruction, and is listed once.
#[test]
fn absent_words_are_not_instructions() {
    for (i, absent) in ABSENT.iter().enumerate() {
        for (name, other) in ROWS
            .iter()
            .map(|row| (row.name, row.pattern))
            .chain(ABSENT[i + 1..].iter().map(|other| (other.name, other.pattern)))
        {
            let common = absent.pattern.mask & other.mask;
            assert!(
                absent.pattern.form != other.form || (absent.pattern.value ^ other.value) & common != 0,
                "{} and {name}",
                absent.name
            );
        }
        let error = decode(absent.pattern.value).unwrap_err();
        assert!(matches!(error, DecodeError::NoRow { .. }), "{}: {error}", absent.name);
        let text = explain(absent.pattern.value);
        assert!(text.contains(absent.name) && text.contains(absent.reason), "{text}");
    }
}

/// The resources as text, separated by commas.
fn resources(all: &[Resource]) -> String {
    all.iter().map(Resource::to_string).collect::<Vec<_>>().join(", ")
}

#[test]
fn instructions_read_and_write() {
    for (text, reads, writes) in [
        ("IADD.CARRY1.C2 R1 (C1.LT), R2, R3", "C1, R2, R3", "R1, C2"),
        ("IADD.U16 R1L, R2H, R3L", "R2H, R3L", "R1L"),
        ("IADD o[0x7f], g[A1+++0x4], R3", "A1, shared memory, R3", "A1"),
        ("IADD R0 (C0.FALSE), R0, c[0x2][0x1]", "R0, constant bank 2", "R0"),
        ("IMAD32.U24 R0, R1, R2, R0", "R1, R2, R0", "R0"),
        ("MVI R0, 0x5", "", "R0"),
        (
            "GLD.S128 R4, global14[R1]",
            "R1, global memory, space 14",
            "R4, R5, R6, R7",
        ),
        ("GST.S64 global14[R1], R4", "R1, R4, R5", "global memory, space 14"),
        (
            "GLD.S128 R126, global14[R1]",
            "R1, global memory, space 14",
            "R126, R127",
        ),
        ("LST.U32 local[A2+0x4], R4", "A2, R4", "local memory"),
        ("R2G.U32.U32 g[0x4], R4", "R4", "shared memory"),
        ("R2A A1, R2, 0x2", "R2", "A1"),
        ("ADA A2, A0, 0x10", "", "A2"),
        ("S2R R0, SR1", "SR1", "R0"),
        ("C2R R2, C1", "C1", "R2"),
        ("R2C C1, R2", "R2", "C1"),
        ("BRA C0.NE, 0x10", "C0", "program counter, divergence stack"),
        ("SSY 0x10", "", "divergence stack"),
        (
            "RET",
            "divergence stack",
            "program counter, divergence stack, active mask",
        ),
        ("BAR.ARV.WAIT b1, 0xfff", "barrier 1", "barrier 1"),
        ("NOP.S", "divergence stack", "program counter, divergence stack"),
        ("NOP.EXIT", "", "active mask"),
        ("TEX R8, XZ, R8, V3, 0x1, 0x2", "R8, R9, R10, texture memory", "R8, R9"),
    ] {
        let instruction = parse_instruction(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(resources(&instruction.reads()), reads, "{text}");
        assert_eq!(resources(&instruction.writes()), writes, "{text}");
    }
}

/// Decodes the words of operations that the G80 has in addition to the manual's.
#[test]
fn rows_beyond_the_manual_have_operations() {
    for (text, operation) in [
        (
            "TEX.LIVE.DERIV R10, XW, R10, V2, 0x80, 0x3, 0x8f1",
            Operation::Texture(Texture {
                kind: TextureKind::Sample,
                cube: false,
                texture: 128,
                sampler: 3,
                coordinates: 2,
                components: 9,
                live_only: true,
                derivatives: true,
                offset: [1, -1, -8],
            }),
        ),
        (
            "TXQ R0, XY, R0, 0x1, 0x0",
            Operation::Texture(Texture {
                kind: TextureKind::Size,
                cube: false,
                texture: 1,
                sampler: 0,
                coordinates: 1,
                components: 3,
                live_only: false,
                derivatives: false,
                offset: [0; 3],
            }),
        ),
        (
            "F2F.F16.F32.TRUNC R1H, -|R2|",
            Operation::F2f {
                from: Float::F32,
                to: Float::F16,
                sign: Sign {
                    absolute: true,
                    negate: true,
                },
                rounding: Rounding::Zero,
                integral: false,
                saturate: false,
            },
        ),
        ("FSLCT R0, R1, c[0x1][0x2], -R3", Operation::Fslct { negate3: true }),
        (
            "FMUL.SAT R0, R1, -R2",
            Operation::Fmul {
                rounding: Rounding::Nearest,
                saturate: false,
                negate1: false,
                negate2: true,
            },
        ),
        (
            "FSWZ.L2 R3, R1, R127, ADD, SUBR, SUB, MOV",
            Operation::Fswz {
                thread: Some(2),
                operations: [Quad::Add, Quad::ReverseSubtract, Quad::Subtract, Quad::Move],
            },
        ),
        (
            "FSWZ.DY7 R3 (C0.LT), R1, R2, MOV, MOV, MOV, MOV",
            Operation::Fswz {
                thread: None,
                operations: [Quad::Move; 4],
            },
        ),
        (
            "IMAD.CARRY1.U24.X5 R3, R1, R2, R4",
            Operation::Imad {
                product: Product::U24,
                sum: Sum::AddCarry,
                carry: 1,
            },
        ),
        (
            "F2F.F16.F32.INT.CEIL R1L, R2",
            Operation::F2f {
                from: Float::F32,
                to: Float::F16,
                sign: Sign::default(),
                rounding: Rounding::Up,
                integral: true,
                saturate: false,
            },
        ),
        (
            "I2F.SAT.F32.S16 R1, R2H",
            Operation::I2f {
                from: Integer::S16,
                to: Float::F32,
                sign: Sign::default(),
                rounding: Rounding::Nearest,
                saturate: true,
            },
        ),
        ("KIL C1.LT", Operation::Kil),
        ("BPT32", Operation::Bpt),
    ] {
        let instruction = parse_instruction(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(instruction.operation(), operation, "{text}");
        assert_eq!(instruction.to_string(), text);
        assert_eq!(
            instruction.executed(),
            instruction.row().unit != Unit::Texture,
            "{text}"
        );
    }
}

/// Don't-care bits have no effect: these words have the same meaning as the assembled ones.
#[test]
fn ignored_bits_do_not_change_the_meaning() {
    for (text, word) in [
        ("F2F.F32.F32 R0, R0", 0xa000_0001_c402_4780_u64.rotate_left(32)),
        ("F2F.F16.F16 R0L, R0L", 0xa000_0001_c006_0780_u64.rotate_left(32)),
        ("F2F.F32.F16 R0, R0L", 0xa000_0001_c406_0780_u64.rotate_left(32)),
        (
            "FSWZ.L0 R0, R0, R0, ADD, ADD, ADD, ADD",
            0xcfc8_0001_9020_0784_u64.rotate_left(32),
        ),
    ] {
        let instruction = decode(word).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(instruction.to_string(), text);
        assert!(instruction.executed(), "{text}");
        assert_ne!(encode(&instruction), word, "{text}");
        assert_eq!(
            encode(&instruction),
            encode(&parse_instruction(text).unwrap()),
            "{text}"
        );
    }
}

/// Every explanation names the text, every field with its bits, and the source; no word makes it panic.
#[test]
fn explanations_are_complete() {
    let mut random = Random(5);
    for row in ROWS {
        for _ in 0..200 {
            let word = row.pattern.value | (random.next() & !row.pattern.mask);
            let text = explain(word);
            assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
            let Ok(instruction) = decode(word) else {
                assert!(text.contains("is not an instruction"), "{text}");
                continue;
            };
            assert!(text.contains(&format!("\n{instruction}\n")), "{text}");
            for field in instruction.row().fields_of(word) {
                let line = text
                    .lines()
                    .find(|line| line.starts_with(&format!("{} ", field.bits())) && line.contains(field.name))
                    .unwrap_or_else(|| panic!("{} of {text}", field.name));
                assert!(line.contains(&format!(" {:#x} ", field.get(word))), "{line}");
                assert!(!line.contains("no meaning") && !line.ends_with(' '), "{text}");
            }
            assert!(text.contains(instruction.row().source.split(' ').next().unwrap()));
            assert_eq!(text.contains("executed      yes"), instruction.executed(), "{text}");
        }
    }
    for _ in 0..20_000 {
        assert!(!explain(random.next()).is_empty());
    }
    // The lanes of a MOV: the row that almost fits comes first.
    let text = explain(0x0403_4780_1000_0001);
    assert!(text.contains("MOV   47 "), "{text}");
}

fn check_word(word: u64) -> Option<Instruction> {
    let instruction = match decode(word) {
        Ok(instruction) => instruction,
        Err(error) => {
            assert!(error.to_string().contains("is not an instruction"));
            return None;
        }
    };
    let canonical = encode(&instruction);
    assert_eq!(canonical, word & instruction.meaningful_bits());
    // Inverting the ignored bits changes nothing.
    let inverted = word ^ !instruction.meaningful_bits();
    if Form::of(word) == Form::Short {
        assert_eq!(decode(inverted & 0xffff_ffff), Ok(instruction));
    }
    assert_eq!(decode(inverted), Ok(instruction), "{instruction}");
    let again = decode(canonical).unwrap();
    assert_eq!(again, instruction);
    assert_eq!(again.operation(), instruction.operation());
    assert_eq!(again.sources(), instruction.sources());
    assert_eq!(again.destination(), instruction.destination());
    assert_eq!(again.predicate(), instruction.predicate());
    assert_eq!(again.marker(), instruction.marker());
    assert_eq!(again.cc_write(), instruction.cc_write());
    let text = instruction.to_string();
    let back = parse_instruction(&text).unwrap_or_else(|e| panic!("{word:#018x} {text}: {e}"));
    assert_eq!(back, instruction, "{word:#018x} {text} is {back}");
    Some(instruction)
}

#[test]
fn random_words_round_trip() {
    let mut random = Random(0);
    let mut legal = 0;
    for _ in 0..300_000 {
        legal += usize::from(check_word(random.next()).is_some());
    }
    println!("{legal} of 300000 random words are instructions");
    assert!(legal > 10_000);
}

/// Tests random words of every row, so that rare rows are tested as well as common ones.
#[test]
fn random_words_of_every_row_round_trip() {
    let mut random = Random(2);
    let mut executed = BTreeMap::new();
    for row in ROWS {
        let mut legal = 0;
        for _ in 0..3000 {
            let word = row.pattern.value | (random.next() & !row.pattern.mask);
            // Marker bits 11 make a word of a long row one of the immediate form.
            if let Some(instruction) = check_word(word).filter(|i| i.form() == row.form()) {
                legal += 1;
                if instruction.executed() && !row.is_extension() {
                    *executed.entry(row.name).or_insert(0) += 1;
                }
            }
        }
        assert!(legal > 30, "{}: {legal}", row.name);
    }
    // The mnemonics of the G80 that this core executes.
    let executed: Vec<&str> = executed.into_keys().collect();
    assert_eq!(
        executed,
        [
            "A2R", "ADA", "BAR", "BPT", "BPT32", "BRA", "BRK", "C2R", "CAL", "COS", "EX2", "F2F", "F2I", "FADD",
            "FADD32", "FADD32I", "FMAD", "FMAD32", "FMAD32I", "FMAX", "FMIN", "FMUL", "FMUL32", "FMUL32I", "FSET",
            "FSLCT", "FSWZ", "GLD", "GST", "I2F", "I2I", "IADD", "IADD32", "IADD32I", "IMAD", "IMAD32", "IMAD32I",
            "IMAX", "IMIN", "IMUL", "IMUL32", "IMUL32I", "ISAD", "ISAD32", "ISET", "KIL", "LG2", "LLD", "LOP",
            "LOP32I", "LST", "MOV", "MOV32", "MVC", "MVI", "NOP", "PBK", "PMTRIG", "R2A", "R2C", "R2G", "RCP", "RCP32",
            "RET", "RRO", "RSQ", "S2R", "SHL", "SHR", "SIN", "SSY", "TRAP", "TRAP32"
        ]
    );
}

#[test]
fn executed_instructions_are_as_listed() {
    for (text, executed) in [
        ("IADD R0, g[0x4], R1", true),
        ("IADD R0, g[A1+0x4], R1", true),
        ("IADD R0, g[A1+++0x4], R1", true),
        ("IADD R0, R0, c[0x1][0x2]", true),
        ("IADD R0, R0, c[0x1][A2+0x2]", true),
        ("MOV32 R0, g[A1+0x1]", true),
        ("GLD.U32 R0, global14[R1]", true),
        ("GLD.U32 R0, global13[R1]", false),
        ("GLD.S16 R0, global14[R1]", true),
        ("GLD.S64 R0, global14[R2]", true),
        ("GST.S128 global14[R1], R5", true),
        ("GST.S128 global0[R1], R4", false),
        ("FADD R0, R1, R2", true),
        ("RCP R0, R1", true),
        ("F2F.F16.F32 R0L, R1", true),
        ("TXQ R2, X, R2, 0x0, 0x0", false),
        ("TRAP", true),
        ("S2R R0, SR0", true),
        ("S2R R0, SR1", true),
        ("S2R R0, SR3", false),
        ("S2R R0, SR7", true),
        ("S2R R0, SR8", false),
    ] {
        let instruction = parse_instruction(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(instruction.executed(), executed, "{text}");
        assert_eq!(instruction.to_string(), text);
    }
    let instruction = parse_instruction("FMAD R3, g[A1++-0x10].U16, R6, R3").unwrap();
    assert!(matches!(
        instruction.sources()[0],
        Some(Operand::Shared {
            offset: -32,
            indirect: Some(_),
            ..
        })
    ));
}

/// Checks the table of refusals in the crate's documentation, for builders of hardware decoders, as code. It has the
/// G80's instructions, without extensions.
#[test]
fn executed_rows_refuse_the_documented_words() {
    let mut random = Random(3);
    let (mut executed, mut refused) = (0, 0);
    for row in ROWS {
        if !row.executes() || row.is_extension() {
            continue;
        }
        for _ in 0..5000 {
            let word = row.pattern.value | (random.next() & !row.pattern.mask);
            if Form::of(word) != row.form() {
                continue;
            }
            let bits = |low: u32, width: u32| word >> low & ((1 << width) - 1);
            let bit = |at: u32| bits(at, 1) == 1;
            let is = |names: &[&str]| names.contains(&row.name);
            let long = row.form() == Form::Long;
            let short_alu = is(&["IADD32", "IMUL32", "IMAD32", "FADD32", "FMUL32", "FMAD32"]);
            let registers_alone = is(&["RCP", "RSQ", "LG2", "SIN", "COS", "EX2", "FSWZ"]);
            let mut legal = true;
            if (long && !is(&["NOP", "PMTRIG"])) || is(&["BRA", "RET", "BRK", "KIL", "BPT"]) {
                legal &= !(0x14..=0x1b).contains(&bits(39, 5));
            }
            let no_output = [
                "GLD", "GST", "LLD", "LST", "NOP", "PMTRIG", "A2R", "ADA", "C2R", "R2A", "R2C", "R2G", "S2R",
            ];
            let long_alu = long && !is(&no_output);
            legal &= !(long_alu && bit(35) && bits(2, 7) != 0x7f);
            legal &= !((is(&["IMAD", "ISAD", "FMAD", "FSLCT"]) || short_alu) && bit(23) && bit(24));
            legal &= !is(&["FADD"]) || matches!(bits(16, 2), 0 | 3);
            legal &= !is(&["FMUL"]) || matches!(bits(46, 2), 0 | 3);
            legal &= !is(&["GLD", "GST", "LLD", "LST"]) || bits(53, 3) != 7;
            legal &= !is(&["GLD", "GST"]) || bits(16, 4) == 14;
            legal &= !is(&["S2R"]) || matches!(bits(46, 4), 0..=2 | 4..=7);
            let shared = match row.form() {
                Form::Long => (long_alu && row.name != "MVC" && !registers_alone || row.name == "R2A") && bit(53),
                Form::Short => !is(&["ISAD32", "RCP32", "TRAP32", "BPT32"]) && bit(24),
                Form::Immediate => row.name != "MVI" && bit(24),
                Form::Control => false,
            };
            let with_c2 = [
                "IMUL", "IMAD", "ISAD", "LOP", "ISET", "IMIN", "IMAX", "FMUL", "FMAD", "FSLCT", "FSET", "FMIN", "FMAX",
            ];
            let constant = (is(&with_c2) && bit(23))
                || (is(&["SHL", "SHR"]) && bit(23) && !bit(52))
                || (is(&["IADD", "IMAD", "ISAD", "FADD", "FMAD", "FSLCT"]) && bit(24))
                || (short_alu && bit(23));
            let memory = shared || constant || is(&["A2R", "ADA", "LLD", "LST", "MVC", "R2G"]);
            legal &= !(memory && long && bit(34) && bits(26, 2) != 0);
            legal &= !(is(&["R2A", "ADA"]) && bits(2, 3) > 4);
            legal &= !(row.name == "R2G" && bit(54) && bit(58));
            let decoded = decode(word);
            assert_eq!(
                decoded.is_ok_and(|instruction| instruction.executed()),
                legal,
                "{} {word:#018x} {decoded:?}",
                row.name
            );
            if legal {
                executed += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(executed > 10_000 && refused > 10_000, "{executed} {refused}");
}

/// Tests words that decode must refuse although a row matches.
#[test]
fn undefined_fields_are_errors() {
    let word = |text| encode(&parse_instruction(text).unwrap_or_else(|e| panic!("{e}")));
    let cases = [
        ("condition 0x14", word("MOV R0, R1") & !(0x1f << 39) | 0x14 << 39),
        ("condition 0x1b", word("BRA 0x10") & !(0x1f << 39) | 0x1b << 39),
        ("MOV lanes", word("MOV R0, R1") & !(1 << 46)),
        ("output register", word("MOV R0, R1") | 1 << 35),
        ("two constants", word("IMAD.U16 R0, R1L, c[0x0][0x0], R2") | 1 << 24),
        (
            "s[] and c[] in a short one",
            word("IADD32 R0, R1, c[0x0][0x1]") | 1 << 24,
        ),
        ("address register 5", word("IADD R0, g[A1+0x4], R1") | 1 << 34),
        ("access 7", word("GLD.U32 R0, global14[R1]") | 1 << 53),
        ("opcode", 0xc000_0001 | 5 << 61),
        ("immediate opcode", 0xf000_0001 | 3 << 32),
        ("short control", 0x1000_0002),
    ];
    for (what, word) in cases {
        assert!(decode(word).is_err(), "{what}: {word:#018x} is {:?}", decode(word));
    }
    assert!(matches!(
        decode(cases[0].1),
        Err(DecodeError::Undefined { field: "condition", .. })
    ));
    // Rows without a condition ignore the field.
    for text in ["NOP", "SSY 0x10", "BAR.ARV.WAIT b0, 0xfff"] {
        assert!(decode(word(text) | 0x14 << 39).is_ok());
    }
}

/// The conditions come in complementary pairs, and give the correct results for comparisons.
#[test]
fn conditions_are_complementary_pairs() {
    assert_eq!(Condition::ALL.len(), 24);
    for code in 0..32 {
        let condition = Condition::from_code(code);
        assert_eq!(condition.is_none(), (0x14..=0x1b).contains(&code));
        if let Some(condition) = condition {
            assert_eq!(condition.code(), code);
        }
    }
    use Condition as C;
    for cc in 0..16 {
        for (a, b) in [
            (C::False, C::True),
            (C::Lt, C::Geu),
            (C::Eq, C::Neu),
            (C::Ne, C::Equ),
            (C::Leg, C::Nan),
            (C::Ltu, C::Ge),
            (C::Leu, C::Gt),
            (C::Off, C::NotOff),
            (C::Carry, C::NotCarry),
            (C::Above, C::NotAbove),
            (C::Sign, C::NotSign),
        ] {
            assert_ne!(a.holds(cc), b.holds(cc), "{a} {b} {cc}");
        }
    }
    // Condition codes of a - b on 4-bit numbers.
    for a in -8i32..8 {
        for b in -8i32..8 {
            let (ua, ub) = (a as u32 & 15, b as u32 & 15);
            let result = ua.wrapping_sub(ub) & 15;
            let zero = result == 0;
            let sign = result & 8 != 0;
            let carry = ua + (!ub & 15) + 1 > 15;
            let overflow = !(-8..8).contains(&(a - b));
            let cc = u8::from(zero) | u8::from(sign) << 1 | u8::from(carry) << 2 | u8::from(overflow) << 3;
            for (condition, expected) in [
                (C::Lt, a < b),
                (C::Eq, a == b),
                (C::Le, a <= b),
                (C::Gt, a > b),
                (C::Ne, a != b),
                (C::Ge, a >= b),
                (C::Above, ua > ub),
                (C::Carry, ua >= ub),
                (C::NotCarry, ua < ub),
                (C::NotAbove, ua <= ub),
            ] {
                assert_eq!(condition.holds(cc), expected, "{a} {condition} {b}");
            }
        }
    }
}

proptest! {
    // Failures are printed with their input; integration tests have no file to keep them in.
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decode_never_panics(word: u64) {
        let _ = decode(word).map(|instruction| instruction.to_string());
    }

    #[test]
    fn assembler_never_panics(text in "\\PC{0,60}") {
        let _ = flexgrip_isa::assemble(&text, "random");
        let _ = parse_instruction(&text);
    }

    #[test]
    fn assembler_never_panics_on_likely_text(
        text in "(IADD|IMAD32I|GST|BRA|\\.word|\\.const|\\.equ|\\.kernel|\\.param|x:|R2A|MVC|FSET)[.A-Z0-9 ]{0,8}(R[0-9]{1,3}[LH]?|g\\[|c\\[|\\]|o\\[|A[0-9]|\\+|-|\\||,|\\(|\\)|0x[0-9a-f]{1,9}|\\.U16|~|;| ){0,10}"
    ) {
        let _ = flexgrip_isa::assemble(&text, "random");
        let _ = parse_instruction(&text);
    }
}

/// ptxas sets bits 55..54 of FMAD for `mad.rm`, `mad.rp` and `mad.rz`. They are printed and assembled, but do not
/// change the operation. With a constant, these bits are its bank.
#[test]
fn rounding_bits_of_fmad_round_trip() {
    let text = |word| decode(word).unwrap().to_string();
    let plain = decode(0x0000_0780_e001_0205).unwrap();
    for (word, expected) in [
        (0x0000_0780_e001_0a09, "FMAD R2, R5, R1, R0"),
        (0x0040_8780_e001_0205, "FMAD.FLOOR R1, R1, R1, R2"),
        (0x0080_4780_e003_0a19, "FMAD.CEIL R6, R5, R3, R1"),
        (0x00c0_8780_e006_0619, "FMAD.TRUNC R6, R3, R6, R2"),
        (0x20c0_8780_e006_0619, "FMAD.SAT.TRUNC R6, R3, R6, R2"),
        (0x00c0_8780_e086_0619, "FMAD R6, R3, c[0x3][0x6], R2"),
        (0x00c0_8780_e106_0619, "FMAD R6, R3, R6, c[0x3][0x2]"),
    ] {
        assert_eq!(text(word), expected);
        assert_eq!(encode(&parse_instruction(expected).unwrap()), word, "{expected}");
        if word >> 61 == 0 {
            assert_eq!(decode(word).unwrap().operation(), plain.operation(), "{expected}");
        }
    }
    // The bank's bits are taken, and the short form has no such bits.
    for wrong in [
        "FMAD.FLOOR R6, R3, c[0x0][0x6], R2",
        "FMAD32.FLOOR R6, R3, R6, R6",
        "FMAD.ROUND R1, R1, R1, R2",
    ] {
        assert!(parse_instruction(wrong).is_err(), "{wrong}");
    }
}
