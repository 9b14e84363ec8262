//! Compute capabilities 1.1 to 1.3: the words of `capability/words.tsv` in the shared material, the rows at each
//! capability, words that a capability does not have, and words whose meaning depends on it.

use flexgrip_isa::ignored::ignored_bits;
use flexgrip_isa::table::{all_rows, rows_at, Row, LATER_ROWS, ROWS};
use flexgrip_isa::{
    assemble, assemble_at, cubin, decode, decode_at, encode, explain, explain_at, instructions_at, listing_at,
    parse_instruction, parse_instruction_at, Capability, DecodeError, Form, Instruction, Operation, Style,
};

fn hex(text: &str) -> u64 {
    match text {
        "" => 0,
        _ => u64::from_str_radix(text, 16).unwrap_or_else(|error| panic!("{text:?}: {error}")),
    }
}

/// Every word of the specification's list prints as its text and assembles back, at its capability and at all later
/// ones that have it; earlier ones refuse it with the reason.
#[test]
fn words_are_those_of_the_specification() {
    let path = flexgrip_skip::shared().join("capability/words.tsv");
    if !path.exists() {
        println!("skipped: no {}", path.display());
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("word_lo\tword_hi\tsince\tkind\tsass\tenvydis\tsource")
    );
    let mut count = 0;
    for line in lines {
        let columns: Vec<&str> = line.split('\t').collect();
        let word = hex(columns[1]) << 32 | hex(columns[0]);
        let since: Capability = columns[2].parse().unwrap();
        let sass = columns[4];
        for &capability in Capability::ALL.iter().filter(|capability| **capability >= since) {
            let instruction = decode_at(word, capability).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(instruction.to_string(), sass, "{capability}: {line}");
            let back = parse_instruction_at(sass, capability).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(
                encode(&back),
                word & instruction.meaningful_bits(),
                "{capability}: {line}"
            );
            assert_eq!(back, instruction, "{capability}: {line}");
        }
        // FMUL.SAT, the unlocking R2G and the conversions are other instructions on earlier capabilities.
        let ignored = ["FMUL", "R2G", "F2F", "F2I", "I2F"]
            .iter()
            .any(|name| sass.starts_with(name));
        for &capability in Capability::ALL.iter().filter(|capability| **capability < since) {
            let decoded = decode_at(word, capability);
            match decoded {
                Ok(instruction) => assert!(ignored, "{capability}: {line} is {instruction}"),
                Err(error) => {
                    assert!(
                        matches!(error, DecodeError::Later { since: found, .. } if found == since),
                        "{line}"
                    );
                    let text = error.to_string();
                    assert!(text.contains(&format!("compute capability {capability}")), "{text}");
                    assert!(
                        text.ends_with(&format!("needs {since} (--capability {since})")),
                        "{text}"
                    );
                }
            }
        }
        count += 1;
    }
    assert!(count >= 271, "{count}");
}

#[test]
fn no_word_matches_two_rows_of_a_capability() {
    for &capability in Capability::ALL {
        let rows: Vec<&Row> = rows_at(capability).collect();
        for (i, a) in rows.iter().enumerate() {
            let (this, name) = (a.pattern_at(capability), a.name);
            assert_eq!(this.value & !this.mask, 0, "{name}");
            for b in &rows[i + 1..] {
                let other = b.pattern_at(capability);
                let common = this.mask & other.mask;
                assert!(
                    this.form != other.form || (this.value ^ other.value) & common != 0,
                    "{capability}: {name} and {}",
                    b.name
                );
            }
            for field in a.fields() {
                assert_eq!(field.mask() & this.mask, 0, "{name}: {}", field.name);
            }
        }
    }
}

/// Checks the table of the specification: capability, mask and value of each row, and words that must be refused
/// although they have a row's mask and value.
#[test]
fn rows_have_the_masks_of_the_specification() {
    const ROWS: &[(Capability, &str, u64, u64)] = &[
        (
            Capability::V1_1,
            "GRED.IADD.U32",
            0xe0e0_003c_f000_0003,
            0xc0c0_0000_d000_0001,
        ),
        (
            Capability::V1_1,
            "GATOM.IMIN.S32",
            0xe0e0_003c_f000_0003,
            0xe0e0_001c_d000_0001,
        ),
        (
            Capability::V1_2,
            "GATOM.CAS.S64",
            0xe0e0_003c_f000_0003,
            0xe080_0008_d000_0001,
        ),
        (Capability::V1_1, "G2R", 0xe000_c000_f000_0003, 0x4000_0000_1000_0001),
        (Capability::V1_1, "G2R", 0xe000_c000_f000_0003, 0x4000_4000_1000_0001),
        (Capability::V1_1, "G2R", 0xe000_c000_f000_0003, 0x4000_8000_1000_0001),
        (Capability::V1_1, "G2R", 0xe080_c000_f000_0003, 0x4000_c000_1000_0001),
        (
            Capability::V1_2,
            "G2R.LCK",
            0xe080_c000_f000_0003,
            0x4080_c000_1000_0001,
        ),
        (
            Capability::V1_2,
            "R2G.UNL",
            0xe4c0_0000_f000_0003,
            0xe480_0000_0000_0001,
        ),
        (
            Capability::V1_2,
            "VOTE.ANY",
            0xe000_0000_f000_0603,
            0x6000_0000_1000_0201,
        ),
        (
            Capability::V1_2,
            "VOTE.ALL",
            0xe000_0000_f000_0603,
            0x6000_0000_1000_0401,
        ),
        (Capability::V1_3, "DFMA", 0xe000_0000_f000_0003, 0x4000_0000_e000_0001),
        (Capability::V1_3, "DADD", 0xe000_0000_f000_0003, 0x6000_0000_e000_0001),
        (Capability::V1_3, "DMUL", 0xe000_0000_f000_0003, 0x8000_0000_e000_0001),
        (Capability::V1_3, "DMIN", 0xe000_0000_f000_0003, 0xa000_0000_e000_0001),
        (Capability::V1_3, "DMAX", 0xe000_0000_f000_0003, 0xc000_0000_e000_0001),
        (Capability::V1_3, "DSET", 0xe000_0000_f000_0003, 0xe000_0000_e000_0001),
        (
            Capability::V1_3,
            "F2F.F32.F64",
            0xc440_4000_f000_0003,
            0xc040_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2F.F64.F64",
            0xcc40_4000_f000_0003,
            0xc440_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2F.F64.F64.ROUND",
            0xcc40_4000_f000_0003,
            0xcc40_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2F.F64.F32",
            0xc440_4000_f000_0003,
            0xc440_0000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2I.U32.F64",
            0xcc40_4000_f000_0003,
            0x8040_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2I.S32.F64",
            0xcc40_4000_f000_0003,
            0x8840_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2I.U64.F32",
            0xcc40_4000_f000_0003,
            0x8440_0000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2I.S64.F32",
            0xcc40_4000_f000_0003,
            0x8c40_0000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2I.U64.F64",
            0xcc40_4000_f000_0003,
            0x8440_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "F2I.S64.F64",
            0xcc40_4000_f000_0003,
            0x8c40_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "I2F.F64.U32",
            0xc441_4000_f000_0003,
            0x4440_0000_a000_0001,
        ),
        (
            Capability::V1_3,
            "I2F.F64.S32",
            0xc441_4000_f000_0003,
            0x4441_0000_a000_0001,
        ),
        (
            Capability::V1_3,
            "I2F.F32.U64",
            0xc441_4000_f000_0003,
            0x4040_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "I2F.F32.S64",
            0xc441_4000_f000_0003,
            0x4041_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "I2F.F64.U64",
            0xc441_4000_f000_0003,
            0x4440_4000_a000_0001,
        ),
        (
            Capability::V1_3,
            "I2F.F64.S64",
            0xc441_4000_f000_0003,
            0x4441_4000_a000_0001,
        ),
        // These are decoded, but refused by this core.
        (
            Capability::V1_2,
            "TEXPREP.CUBE",
            0xf00f_0000_f800_0003,
            0x6001_0000_f800_0001,
        ),
        (Capability::V1_2, "TMML", 0xf00f_0000_f000_0003, 0x6002_0000_f000_0001),
        (Capability::V1_2, "TLD4", 0xf000_0000_f100_0003, 0x8000_0000_f100_0001),
    ];
    let mut state = 7u64;
    let mut random = || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        state ^ state >> 31
    };
    let mut legal = vec![0; ROWS.len()];
    for (at, &(since, name, mask, value)) in ROWS.iter().enumerate() {
        let texture = name.starts_with('T');
        for _ in 0..3000 {
            let word = value | random() & random() & !mask;
            let Ok(instruction) = decode_at(word, since) else {
                continue;
            };
            if Form::of(word) != Form::Long {
                continue;
            }
            assert!(
                instruction.to_string().starts_with(name.split('.').next().unwrap()),
                "{name}: {instruction}"
            );
            assert_eq!(
                !instruction.executed(),
                texture || !space_is_14(&instruction),
                "{instruction}"
            );
            legal[at] += 1;
        }
        assert!(legal[at] > 20, "{name}: {}", legal[at]);
        let refused = [
            ("odd destination", 1u64 << 2),
            ("constant", 1 << 23),
            ("other constant", 1 << 24),
            ("shared", 1 << 53),
        ];
        if name.starts_with('D') {
            let word = value | 0x0780u64 << 32;
            assert!(decode_at(word, since).is_ok(), "{name}");
            for (what, bit) in refused {
                let odd_allowed = name == "DSET" && bit == 1 << 2;
                assert_eq!(decode_at(word | bit, since).is_err(), !odd_allowed, "{name}: {what}");
            }
        }
    }
}

/// False for an atomic operation on a space of global memory that programs do not use.
fn space_is_14(instruction: &Instruction) -> bool {
    !matches!(instruction.operation(), Operation::Atomic { space, .. } if space != 14)
}

#[test]
fn absent_combinations_are_refused() {
    let word = |text: &str| encode(&parse_instruction_at(text, Capability::V1_3).unwrap());
    let add = word("GATOM.IADD.U32 R0, global14[R1], R2");
    let reduce = word("GRED.IADD.U32 global14[R1], R2");
    for (kind, operations) in [
        (4u64, &[0u64, 1, 2][..]),
        (6, &[0, 1, 2, 4, 5, 6, 7, 10, 11, 12]),
        (7, &[0, 6, 7]),
        (0, &[]),
        (1, &[]),
        (2, &[]),
        (3, &[]),
        (5, &[]),
    ] {
        for operation in 0..16 {
            let with = |word: u64| word & !(7 << 53 | 15 << 34) | kind << 53 | operation << 34;
            let known = operations.contains(&operation);
            assert_eq!(
                decode_at(with(add), Capability::V1_3).is_ok(),
                known,
                "GATOM {kind} {operation}"
            );
            // GRED has neither exchange nor compare and swap.
            let known = known && !(1..=2).contains(&operation);
            assert_eq!(
                decode_at(with(reduce), Capability::V1_3).is_ok(),
                known,
                "GRED {kind} {operation}"
            );
        }
    }
    let at_1_3 = |word| decode_at(word, Capability::V1_3).is_ok();
    let at_1_2 = |word| decode_at(word, Capability::V1_2).is_ok();
    // A 64-bit value in an odd register.
    let long = word("GATOM.CAS.S64 R2, global14[R1], R4, R6");
    for bit in [2, 16, 46] {
        assert!(!at_1_3(long | 1 << bit), "{bit}");
    }
    assert!(at_1_3(long | 1 << 12), "the address is a single register");
    // Neither or both of ANY and ALL, an undefined condition, 8 and 16 bits unlocked.
    let vote = word("VOTE.ANY C0, C1.NE");
    assert!(!at_1_3(vote ^ 1 << 9) && !at_1_3(vote | 1 << 10) && !at_1_3(vote & !(0x1f << 39) | 0x1a << 39));
    for text in ["R2G.U32.U16 g[0x2], R1", "R2G.U32.U8 g[0x2], R1"] {
        let word = encode(&parse_instruction(text).unwrap()) | 1 << 55;
        let below = decode_at(word, Capability::V1_1).map(|instruction| instruction.to_string());
        assert_eq!(below.as_deref(), Ok(text));
        assert!(!at_1_2(word) && !at_1_3(word), "{text}");
    }
    // Bit 54 of a conversion without a 64-bit side, and a 64-bit source in shared memory.
    let narrow = encode(&parse_instruction("F2F.F16.F16 R0L, R1L").unwrap()) | 1 << 54;
    assert!(at_1_2(narrow) && !at_1_3(narrow));
    let wide = word("F2I.S32.F64 R1, R2");
    assert!(!at_1_3(wide | 1 << 53));
    let shared = word("F2F.F64.F32 R2, g[0x4]");
    assert_eq!(
        decode_at(shared, Capability::V1_3).unwrap().to_string(),
        "F2F.F64.F32 R2, g[0x4]"
    );
    // Only 1.2 has the instructions of Direct3D 10.1.
    let gather = word_of_1_2("TLD4 R4, XYZW, R4, V2, 0x0, 0x0");
    assert!(at_1_2(gather) && !at_1_3(gather) && decode(gather).is_err());
}

fn word_of_1_2(text: &str) -> u64 {
    encode(&parse_instruction_at(text, Capability::V1_2).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn meanings_that_depend_on_the_capability() {
    let saturates = |word, capability| match decode_at(word, capability).map(|found| found.operation()) {
        Ok(Operation::Fmul { saturate, .. }) => saturate,
        other => panic!("{other:?}"),
    };
    for text in [
        "FMUL.SAT R0, R1, R2",
        "FMUL32.SAT R0, R1, R2",
        "FMUL32I.SAT R0, R1, 0x3f800000",
    ] {
        let word = encode(&parse_instruction(text).unwrap());
        for &capability in Capability::ALL {
            assert_eq!(
                saturates(word, capability),
                capability >= Capability::V1_2,
                "{text} {capability}"
            );
            assert_eq!(decode_at(word, capability).unwrap().to_string(), text);
        }
    }
    let unlock = encode(&parse_instruction_at("R2G.UNL.U32.U32 g[0x2], R3", Capability::V1_2).unwrap());
    let convert = encode(&parse_instruction_at("I2F.F64.S32 R2, R3", Capability::V1_3).unwrap());
    for (word, texts) in [
        (
            unlock,
            [
                "R2G.U32.U32 g[0x2], R3",
                "R2G.U32.U32 g[0x2], R3",
                "R2G.UNL.U32.U32 g[0x2], R3",
                "R2G.UNL.U32.U32 g[0x2], R3",
            ],
        ),
        (
            convert,
            [
                "I2F.F32.U16.BEXT R2, R1H",
                "I2F.F32.U16.BEXT R2, R1H",
                "I2F.F32.U16.BEXT R2, R1H",
                "I2F.F64.S32 R2, R3",
            ],
        ),
    ] {
        for (&capability, text) in Capability::ALL.iter().zip(texts) {
            let found = decode_at(word, capability).unwrap().to_string();
            assert!(
                found == text || text.starts_with("I2F.F32") && found.starts_with("I2F.F32"),
                "{capability}: {found}"
            );
        }
    }
}

/// Tests random words of every row at every capability: text and word round-trip, ignored bits have no effect, and an
/// earlier capability refuses the text and names the capability that it needs.
#[test]
fn random_words_of_every_row_come_back() {
    let mut state = 11u64;
    let mut random = || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        state ^ state >> 29
    };
    for &capability in Capability::ALL {
        for row in rows_at(capability) {
            let pattern = row.pattern_at(capability);
            let (mut legal, mut told) = (0, 0);
            for _ in 0..2000 {
                let word = pattern.value | random() & random() & !pattern.mask;
                let Ok(instruction) = decode_at(word, capability) else {
                    continue;
                };
                if instruction.form() != row.form() {
                    continue;
                }
                legal += 1;
                assert!(std::ptr::eq(instruction.row(), row), "{instruction}");
                assert_eq!(encode(&instruction), word & instruction.meaningful_bits());
                let other = word
                    ^ !instruction.meaningful_bits()
                        & if row.form() == Form::Short {
                            0xffff_ffff
                        } else {
                            u64::MAX
                        };
                assert_eq!(
                    decode_at(other, capability),
                    Ok(instruction),
                    "{capability} {instruction}"
                );
                let text = instruction.to_string();
                let back =
                    parse_instruction_at(&text, capability).unwrap_or_else(|error| panic!("{capability}: {error}"));
                assert_eq!(back, instruction, "{capability} {text}");
                assert_eq!(instruction.operation(), (row.operation)(encode(&instruction)), "{text}");
                let fields = row
                    .fields_of(word)
                    .iter()
                    .fold(pattern.mask, |mask, field| mask | field.mask());
                assert_eq!(fields, instruction.meaningful_bits(), "{capability} {text}");
                if LATER_ROWS.iter().any(|later| std::ptr::eq(later, row)) && !row.name.starts_with("FMUL") && told < 3
                {
                    told += 1;
                    let error = parse_instruction(&text).unwrap_err().to_string();
                    assert!(
                        error.contains(&format!("needs compute capability {}", row.since)),
                        "{error}"
                    );
                    assert!(
                        error.contains(&format!("--capability {} allows it", row.since)),
                        "{error}"
                    );
                }
            }
            assert!(legal > 20, "{capability} {}: {legal}", row.name);
            assert_eq!(
                ignored_bits(row) & row.fields().iter().fold(0, |bits, field| bits | field.mask()),
                0
            );
        }
    }
}

#[test]
fn a_capability_has_the_rows_up_to_it() {
    let names = |capability| rows_at(capability).map(|row| row.name).collect::<Vec<_>>();
    let counts: Vec<usize> = Capability::ALL
        .iter()
        .map(|&capability| names(capability).len())
        .collect();
    // 1.0 has the rows of the first table. 1.2 replaces three FMULs, and 1.3 lacks four texture rows.
    let (first, second) = (ROWS.len() + 8, ROWS.len() + 8 + 14 - 3);
    assert_eq!(counts, [ROWS.len(), first, second, second - 4 + 22]);
    assert_eq!(all_rows().count(), ROWS.len() + LATER_ROWS.len());
    assert!(!names(Capability::V1_1).contains(&"VOTE") && names(Capability::V1_2).contains(&"VOTE"));
    assert!(names(Capability::V1_2).contains(&"TLD4") && !names(Capability::V1_3).contains(&"TLD4"));
    assert!(
        names(Capability::V1_0).contains(&"BPT"),
        "this core has it at every capability"
    );
}

#[test]
fn texts_and_aliases_assemble() {
    let word =
        |text: &str| encode(&parse_instruction_at(text, Capability::V1_3).unwrap_or_else(|error| panic!("{error}")));
    for (text, other) in [
        (
            "GATOM.IADD.S64 R2, global14[R1], R4",
            "GATOM.IADD.U64 R2, global14[R1], R4",
        ),
        ("GRED.IADD.S64 global14[R1], R4", "gred.iadd.b64 global14[r1], r4"),
        ("G2R R1, g[0x44]", "G2R R1, g[0x44].U32"),
        ("VOTE.ALL C2, C0.LEG", "VOTE.ALL C2, C0.NUM"),
    ] {
        assert_eq!(word(text), word(other));
        assert_eq!(decode_at(word(other), Capability::V1_3).unwrap().to_string(), text);
    }
    for (wrong, message) in [
        ("GATOM.IADD.U32 R0, global14[R1], R2, R3", "takes no more operands"),
        ("GATOM.CAS.U32 R0, global14[R1], R2", "an operand is missing"),
        ("GATOM.IMAX.S64 R0, global14[R1], R2", "expected .U32"),
        ("GRED.EXCH.U32 global14[R1], R2", "expected one of .IADD, .INC"),
        ("DADD R1, R2, R4", "a 64-bit value begins at an even register"),
        ("DADD R0, R2, c[0x1][0x2]", "does not fit"),
        ("G2R.LCK R0, g[0x2]", "the instruction always writes one"),
        ("VOTE.ANY C0, R1", "does not fit: expected a condition"),
        ("VOTE.ANY C0, C1.XX", "there is no condition `XX`"),
        ("VOTE C0, C1.NE", "expected one of .ANY, .ALL"),
    ] {
        let error = parse_instruction_at(wrong, Capability::V1_3).unwrap_err().to_string();
        assert!(error.contains(message), "{wrong}: {error}");
    }
}

#[test]
fn programs_listings_and_cubins_have_a_capability() {
    let text = ".kernel k\nGATOM.INC.U32 R0, global14[R1], R2\nDFMA R4, R4, R6, R8\nF2F.F64.F32 R6, R1\nRET";
    let program = assemble_at(text, "k", Capability::V1_3).unwrap();
    assert_eq!(program.capability, Capability::V1_3);
    assert_eq!(program.kernels[0].registers, 10, "R8 is a pair");
    let listed: Vec<String> = instructions_at(&program.words, Capability::V1_3)
        .map(|listed| listed.statement(Style::Plain))
        .collect();
    assert_eq!(
        listed[..3],
        [
            "GATOM.INC.U32 R0, global14[R1], R2",
            "DFMA R4, R4, R6, R8",
            "F2F.F64.F32 R6, R1"
        ]
    );
    let listing = listing_at(&program.words, Style::Plain, Capability::V1_1);
    assert!(listing.contains("GATOM.INC.U32"), "{listing}");
    assert!(listing.contains("DFMA needs 1.3 (--capability 1.3)"), "{listing}");
    for errors in [
        assemble(text, "k").unwrap_err(),
        assemble_at(text, "k", Capability::V1_2).unwrap_err(),
    ] {
        let text = errors
            .iter()
            .map(|error| error.to_string())
            .collect::<Vec<_>>()
            .join("\n");
        assert!(text.contains("DFMA needs compute capability 1.3"), "{text}");
        assert!(
            text.contains("this form of the instruction needs compute capability 1.3"),
            "{text}"
        );
    }
    for &capability in Capability::ALL {
        let program = assemble_at(".kernel k\nNOP\nRET", "k", capability).unwrap();
        let read = cubin::read_cubin(&cubin::write_cubin(&program).unwrap()).unwrap();
        assert_eq!(read.capability, capability);
    }
}

#[test]
fn explanations_name_the_capability() {
    let word = encode(&parse_instruction_at("DADD R0, R2, -R4", Capability::V1_3).unwrap());
    let text = explain(word);
    assert!(
        text.contains("DADD needs 1.3 (--capability 1.3)") && text.contains("DADD R0, R2, -R4"),
        "{text}"
    );
    assert!(
        text.contains("compute capability 1.3") && text.contains("R4 and R5"),
        "{text}"
    );
    let text = explain_at(word, Capability::V1_3);
    assert!(
        !text.contains("--capability") && text.contains("executed      yes"),
        "{text}"
    );
    let word = encode(&parse_instruction_at("F2I.S32.F64 R1, R2", Capability::V1_3).unwrap());
    assert!(explain_at(word, Capability::V1_3).contains("F2I.S32.F64 R1, R2"));
    assert!(explain(word).contains("F2I.S16.F32"));
    // An undefined field at its capability.
    let text = explain_at(word | 1 << 9, Capability::V1_3);
    assert!(text.contains("has no source 1 0x3"), "{text}");
}
