//! The engine, with a small table that contains every kind of piece.

use flexgrip_gpu_isa::index::Built;
use flexgrip_gpu_isa::set::*;
use flexgrip_gpu_isa::Kind;

const REG: Format = Format::Register {
    prefix: "R",
    scale: 1,
    top: Some("RZ"),
};
const PREDICATE: Format = Format::Register {
    prefix: "P",
    scale: 1,
    top: Some("PT"),
};
const D: Field = bits("d", 0, 8);
const A: Field = bits("a", 8, 8);
const GUARD: &[Piece] = &[Cases(&[
    case(0xf << 16, 7 << 16, &[]),
    otherwise(&[
        Text("@"),
        Flag(bits("not", 19, 1), 1, "!"),
        Number(bits("guard", 16, 3), PREDICATE),
        Text(" "),
    ]),
])];
const IMMEDIATE: Field = bits("number", 20, 19).and(56, 1);
const MODE: Field = bits("mode", 40, 2);
const MODES: &[Option<&str>] = &[Some(""), Some(".HI"), Some(".HIGH")];

static SMALL: Set = Set {
    name: "small",
    title: "Small",
    version: 2,
    unit: 8,
    lengths: Lengths::Table(&[(0, 0, 8)]),
    rows: &[&[
        row(
            "ADD",
            0xff << 57,
            0x38 << 57,
            8,
            &[
                Names(MODE, MODES),
                Text(" "),
                Number(D, REG),
                Text(", "),
                Flag(bits("neg", 42, 1), 1, "-"),
                Number(A, REG),
                Text(", "),
                Number(IMMEDIATE, Format::SignedHex { scale: 1 }),
            ],
        )
        .lead(GUARD),
        row(
            "ADD.F",
            0xff << 56,
            0x73 << 56,
            8,
            &[
                Text(" "),
                Number(D, REG),
                Text(", "),
                Number(A, REG),
                Text(", "),
                Cases(&[
                    when(
                        MODE,
                        0,
                        &[Number(
                            bits("float", 20, 20),
                            Format::Float {
                                kind: Float::Single,
                                low: 12,
                            },
                        )],
                    ),
                    when(
                        MODE,
                        1,
                        &[
                            Text("["),
                            Number(A, REG),
                            Text("+"),
                            Number(bits("offset", 20, 8), Format::Hex { scale: 4 }),
                            Text("]"),
                        ],
                    ),
                ]),
            ],
        )
        .lead(GUARD),
        row("NEW", 0xff << 56, 0x74 << 56, 8, &[]).since(3),
        row(
            "BRA",
            0xff << 56,
            0x75 << 56,
            8,
            &[
                Text(" "),
                Number(bits("target", 20, 24), Format::Target { base: 8, scale: 1 }),
            ],
        ),
        row(
            "HALF",
            0xff << 56,
            0x76 << 56,
            8,
            &[
                Text(" "),
                Number(
                    bits("half", 0, 16),
                    Format::Float {
                        kind: Float::Half,
                        low: 0,
                    },
                ),
                Text(", "),
                Number(
                    bits("double", 16, 20),
                    Format::Float {
                        kind: Float::Double,
                        low: 44,
                    },
                ),
            ],
        ),
        row("HALF", 0xfff << 52, 0x761 << 52, 8, &[Text(" none")]).rank(1),
    ]],
    control: Some(Control {
        period: 32,
        slots: &[],
        rows: &[row(
            ".control",
            1 << 63,
            0,
            8,
            &[Text(" "), Number(bits("stall", 0, 4), Format::Decimal { scale: 1 })],
        )],
    }),
    ports: &[],
    dropped: &[".reuse"],
    synonyms: &[],
    notes: &[],
    open: &[],
    sources: &[],
    built: Built::new(),
};

fn word(text: &str) -> u128 {
    match SMALL.parse_at(text, 0) {
        Ok(word) => word.word,
        Err(error) => panic!("{error}"),
    }
}

fn text(word: u128) -> String {
    SMALL.text_at(word, 0).unwrap_or_default()
}

#[test]
fn words_and_texts_correspond() {
    for (expected, line) in [
        (0x7000_0000_0407_0201, "ADD R1, R2, 0x40"),
        (0x7000_0000_0007_0201, "ADD R1, R2, 0x0"),
        (0x7100_007f_fff0_0201, "@P0 ADD R1, R2, -0x1"),
        (0x7000_0400_0008_ff01, "@!P0 ADD R1, -RZ, 0x0"),
        (0x7000_0200_0007_0201, "ADD.HIGH R1, R2, 0x0"),
        (0x7000_0300_0007_0201, "ADD R1, R2, 0x0 ?0x30000000000"),
        (0x7300_003f_8007_0201, "ADD.F R1, R2, 1"),
        (0x7300_007f_c007_0201, "ADD.F R1, R2, +QNAN"),
        (0x7300_007f_c107_0201, "ADD.F R1, R2, +QNAN ?0x1000000"),
        (0x7300_0100_0047_0201, "ADD.F R1, R2, [R2+0x10]"),
        (0x7300_0200_0047_0201, "ADD.F R1, R2,  ?0x20000400000"),
    ] {
        assert_eq!(text(expected), line);
        assert_eq!(word(line), expected, "{line}");
    }
}

/// The column and the message of the error for a text that is not an instruction.
fn refused(text: &str) -> (usize, String) {
    match SMALL.parse_at(text, 8) {
        Ok(word) => panic!("`{text}` is {:#x}", word.word),
        Err(error) => (error.column, error.message),
    }
}

#[test]
fn spaces_number_formats_and_reuse_are_accepted() {
    let expected = word("@!P1 ADD.HI R1, -R2, -0x10");
    for line in [
        "  @!P1   ADD.HI\tR1 ,- R2,-16 ;",
        "@ ! P1 ADD .HI R1,-R2,-0x10",
        "@!P1 ADD.HI R1.reuse, -R2.reuse, -16;",
        "@!P1 ADD.HI R1, -R2, - 0x00010",
    ] {
        assert_eq!(word(line), expected, "{line}");
    }
    assert_eq!(word("ADD R255, RZ, 0"), word("ADD RZ, RZ, 0x0"));
    // Addresses count from the next instruction.
    let parsed = SMALL.parse_at("BRA 0x100", 0x80).map(|word| word.word);
    assert_eq!(parsed, Ok(0x7500_0000_0000_0000 | 0x78 << 20));
    assert_eq!(
        SMALL.text_at(0x7500_0000_0000_0000 | 0xff_fff8 << 20, 0x80).as_deref(),
        Some("BRA 0x80")
    );
    assert_eq!(
        SMALL.text_at(0x7500_0000_0000_0000 | 0xff_fff0 << 20, 0).as_deref(),
        Some("BRA -0x8")
    );
}

#[test]
fn floats_are_exact() {
    for (half, double, line) in [
        (0x3c00, 0x3ff00, "HALF 1, 1"),
        (0xc500, 0x40590, "HALF -5, 100"),
        (0x0001, 0x80000, "HALF 5.9604644775390625e-08, -0"),
        (0x7bff, 0x7ff00, "HALF 65504, +INF"),
        (0xfe00, 0x7ff80, "HALF -QNAN, +QNAN"),
        (0x7d00, 0x3fd55, "HALF +SNAN, 0.3330078125 ?0x100"),
    ] {
        let bits = 0x7600_0000_0000_0000 | half | double << 16;
        assert_eq!(text(bits), line);
        assert_eq!(word(line), bits, "{line}");
    }
    assert_eq!(word("HALF 0.5, 1e2"), word("HALF 5e-1, 100.0"));
    let (column, message) = refused("HALF 0.1, 1");
    assert!(column == 6 && message.contains("more digits"), "{message}");
    let (column, message) = refused("HALF 1e9, 1");
    assert!(column == 6 && message.contains("more digits"), "{message}");
}

#[test]
fn the_row_with_the_higher_rank_wins() {
    assert_eq!(text(0x7610_0000_0000_0000), "HALF none");
    assert_eq!(word("HALF none"), 0x7610_0000_0000_0000);
    // No word has the text of one row with the unread bits of the other.
    let (_, message) = refused("HALF 0, 0 ?0x10000000000000");
    assert!(message.contains("no word has this text"), "{message}");
    // Bits that a piece prints are not unread.
    let (_, message) = refused("ADD R1, R2, 0x0 ?0x1");
    assert!(
        message.contains("no word has this text and the unread bits 0x1"),
        "{message}"
    );
}

#[test]
fn errors_show_the_position() {
    let error = match SMALL.assemble("ADD R1, R2, 0x0\n\tADD R1, Q2, 0x0 // comment\nADDD R1, R2, 1\n") {
        Ok(bytes) => panic!("{bytes:?}"),
        Err(errors) => errors,
    };
    let texts: Vec<String> = error.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "line 2, column 10: expected `-` or `R<n>` or `RZ`, found `Q2`\n     ADD R1, Q2, 0x0\n             ^^",
            "line 3, column 1: there is no instruction `ADDD`; did you mean `ADD`?\n    ADDD R1, R2, 1\n    ^^^^",
        ]
    );
    assert_eq!(refused(""), (1, "expected an instruction, found nothing".to_string()));
    assert_eq!(refused("@P1"), (1, "there is no instruction `@P1`".to_string()));
    let (column, message) = refused("ADD R1, R2, 0x80000");
    assert!(
        column == 13 && message.contains("out of range (-0x80000 to 0x7ffff)"),
        "{message}"
    );
    let (column, message) = refused("ADD.F R1, R2, [R3+0x4]");
    assert!(
        column == 16 && message.contains("contradicts an earlier part of the instruction (field `a`)"),
        "{message}"
    );
    let (column, message) = refused("ADD.F R1, R2, [R2+0x3]");
    assert!(column == 19 && message.contains("not a multiple of 4"), "{message}");
    let (column, message) = refused("ADD R1, R2, 0x0, R3");
    assert!(
        column == 16 && message.contains("expected the end, found `,`"),
        "{message}"
    );
    let (column, message) = refused("NEW");
    assert!(
        column == 1 && message.contains("there is no instruction `NEW`"),
        "{message}"
    );
    let (_, message) = refused(".word 0x123");
    assert!(message.contains("two digits for each byte"), "{message}");
}

#[test]
fn control_words_are_at_their_addresses() {
    // The assembler inserts control words that are missing in the text.
    let bytes = SMALL
        .assemble("ADD R1, R2, 0x0 /* a\ncomment */\nADD R2, R2, 0x0\n\nBRA 0x8\nBRA 0x28\n")
        .unwrap_or_default();
    assert_eq!(bytes.len(), 48);
    let listed = SMALL.list(&bytes);
    assert_eq!(listed.plain(), "ADD R1, R2, 0x0\nADD R2, R2, 0x0\nBRA 0x8\nBRA 0x28\n");
    assert_eq!(listed.count(Kind::Control), 2);
    assert_eq!(listed.lines[0].text, ".control 0");
    // It keeps control words in the text, also as data if no row matches.
    let source = ".control 7 ?0x100\nADD R1, R2, 0x0\n.word 0xfedcba9876543210\nBRA 0x8\n.word 0x8000000000000000\n.word 0x0102\n";
    let bytes = SMALL.assemble(source).unwrap_or_default();
    assert_eq!(bytes.len(), 42);
    assert_eq!(SMALL.list(&bytes).source(), source);
    assert_eq!(SMALL.list(&bytes).count(Kind::Data), 3);
}

/// A set whose instructions have two lengths, with texts in two notations.
static PAIRS: Set = Set {
    name: "pairs",
    title: "Pairs",
    version: 0,
    unit: 2,
    lengths: Lengths::Forms(&[
        Length {
            mask: 0xf,
            value: 1,
            bytes: 6,
            // The bit is in the second halfword.
            short: Some(Short { bit: 31, bytes: 4 }),
        },
        Length {
            mask: 0xf,
            value: 2,
            bytes: 2,
            short: None,
        },
    ]),
    rows: &[&[
        row(
            "load",
            0xf,
            1,
            6,
            &[
                Text(" "),
                Cases(&[when(MASK, 0, &[]), otherwise(&[Number(FIRST, REGISTERS), Text(", ")])]),
                Number(bits("n", 16, 3), Format::Binary),
                Names(MASK, &[Some(""), Some(", x"), Some(", y"), Some(", xy")]),
                Number(bits("far", 32, 8), Format::Offset { prefix: " at pc" }),
                Flag(bits("L", 31, 1), 1, " long"),
            ],
        )
        .short(31, 4)
        .usual(1 << 8)
        .also(&[alias(
            "ld.y",
            &[
                Text(" "),
                Number(bits("n", 16, 3), Format::Decimal { scale: 1 }),
                Text(", "),
                Number(FIRST, REGISTERS),
                Cases(&[when(bits("L", 31, 1), 0, &[]), when(bits("L", 31, 1), 1, &[])]),
            ],
        )
        .only(MASK, 2)]),
        row("end", 0xffff, 0x12, 2, &[]).flow(Flow::End),
        row(
            "jump",
            0xff,
            0x22,
            2,
            &[
                Text(" "),
                Number(bits("to", 8, 8), Format::Target { base: 0, scale: 2 }),
            ],
        )
        .flow(Flow::Away),
    ]],
    control: None,
    ports: &[],
    dropped: &[],
    synonyms: &[],
    notes: &[],
    open: &[],
    sources: &[],
    built: Built::new(),
};
const MASK: Field = bits("mask", 4, 2);
const FIRST: Field = bits("first", 9, 4);
const REGISTERS: Format = Format::Run {
    prefix: "r",
    halves: true,
    scale: 1,
    count: Count::Ones(&MASK),
};

#[test]
fn texts_have_two_notations() {
    for (word, own) in [
        (0x8005_0731u128 | 0x11 << 32, "load r1h_r2l, 0b101, xy at pc+17 long"),
        (0x0000_0101, "load 0b000 at pc+0"),
        (0x8000_0121 | 0xfe << 32, "load r0l, 0b000, y at pc-2 long"),
        (0x0002_0621, "load r1h, 0b010, y at pc+0 ?0x100"),
    ] {
        assert_eq!(PAIRS.text_at(word, 0).as_deref(), Some(own));
        assert_eq!(PAIRS.parse_at(own, 0).map(|parsed| parsed.word), Ok(word), "{own}");
    }
    // The other notation shows neither bit 8, which is usually set here, nor the length.
    let parsed = PAIRS.parse_at("ld.y 2, r1h", 0);
    assert_eq!(parsed.map(|parsed| (parsed.word, parsed.bytes)), Ok((0x0002_0621, 4)));
    let explained = PAIRS.explain_at(0x0002_0621, 0);
    assert!(explained.contains("\nor        ld.y 2, r1h\n"), "{explained}");
    let page = PAIRS.page("load").unwrap_or_default();
    assert!(page.contains("or `ld.y <n>, <first>`"), "{page}");
    for (text, message) in [
        ("load r1h_r2h, 0b1, xy at pc+0", "registers in a row, `r<n>l_...`"),
        ("load r1h, 0b1, xy at pc+0", "its parts exclude each other"),
        ("load r9l, 0b1, x at pc+0", "out of range"),
        ("load r1, 0b1, x at pc+0", "expected"),
        ("load r1l, 0b1000, x at pc+0", "out of range (0b000 to 0b111)"),
        ("load 0b1 at pc0", "` at pc+<n>` or ` at pc-<n>`"),
        ("load 0b1 at pc+200", "out of range"),
    ] {
        match PAIRS.parse_at(text, 0) {
            Ok(word) => panic!("{text} is {word:x?}"),
            Err(error) => assert!(error.message.contains(message), "{error}"),
        }
    }
}

#[test]
fn lengths_depend_on_several_halfwords() {
    assert_eq!(PAIRS.known_length(0x8000_0001), Some(6));
    assert_eq!(PAIRS.known_length(0x0001), Some(4));
    assert_eq!(PAIRS.known_length(0x0003), None);
    assert_eq!(PAIRS.length(0x0003), 2);
    let listed = PAIRS.list(&[0x22, 0x03, 0x03, 0, 0x22, 0x02, 0x01, 0x01, 0, 0, 0x12, 0, 0, 0]);
    let lines: Vec<(String, Kind)> = listed
        .lines
        .iter()
        .map(|line| (line.marked(&line.text).into_owned(), line.kind))
        .collect();
    let expected = [
        ("jump 0x6", Kind::Instruction),
        (".word 0x0003", Kind::Data),
        (".word 0x0222  // unsure", Kind::Data),
        ("load 0b000 at pc+0", Kind::Instruction),
        ("end", Kind::Instruction),
        (".zero 2", Kind::Padding),
    ];
    assert_eq!(lines, expected.map(|(text, kind)| (text.to_string(), kind)));
}

/// Tests registers in files, channels, immediates with several encodings, bits that the text does not determine, and
/// other names.
#[test]
fn operands_of_vector_machines_round_trip() {
    let usse = flexgrip_gpu_isa::set("usse").unwrap();
    for (text, word) in [
        ("VMAD r[ idx1*2+4 ].x i0.x r2.x i1.x", 0x1820_0083_0080_1001),
        (
            "VMOVC.f32 pa8.xy (i0.xy != vec(0)) ? pa28.xy : pa24.xy",
            0x3800_45a2_a313_c38c,
        ),
        // The immediate as stored, and its effective value.
        ("OR o0.x r0.x 0x12, rol 3", 0x5001_00c9_2000_0012),
        ("OR o0.x r0.x 0x90", 0x5001_0009_2000_4010),
        // The document's names.
        ("p0 mad.f32 ?0x3c", 0x0100_0000_0000_003c),
        ("illegal.0x48 ?0x1", 0x4800_0000_0000_0001),
    ] {
        assert_eq!(usse.parse_at(text, 0).map(|parsed| parsed.word), Ok(word), "{text}");
    }
    for (text, column, message) in [
        (
            "VMUL pa1.xy pa0.xy pa2.xy",
            6,
            "`pa1`: the number of the destination is not a multiple of 2",
        ),
        (
            "VMUL r500.xy pa0.xy pa2.xy",
            6,
            "`r500`: the destination has no register of this number",
        ),
        (
            "VMUL pa0.xy pa0.x pa2.xy",
            16,
            "channels that the other operands also have, found `.`",
        ),
        ("VMUL pa0.xy q0.xy pa2.xy", 13, "expected a register (r<n>, o<n>, pa<n>"),
        (
            "OR o0.x r0.x 0x12345678",
            14,
            "more digits than the bits can hold (16 bits, rotated",
        ),
        ("VMUL pa0.xy pa0.xy pa2.xy ?0x12z", 27, "expected the unread bits"),
    ] {
        let error = usse.parse_at(text, 0).unwrap_err();
        assert_eq!(error.column, column, "{error}");
        assert!(error.message.contains(message), "{error}");
    }
    // The fields that the text does not show, and the names in the document.
    let explained = usse.explain_at(0x8008_0100_82a1_5166, 0);
    for part in [
        "destination  ",
        "sa21",
        "r102",
        "skipinv",
        "In the USSE document\n  add.fx8 ?0x8010082a15166",
    ] {
        assert!(explained.contains(part), "{part}: {explained}");
    }
    assert!(usse.page("mad").is_some_and(|page| page.contains("`VMAD2`")));
}
