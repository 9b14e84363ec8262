//! The engine with a small table that has every kind of piece.

use flexgrip_gpu_isa::index::Built;
use flexgrip_gpu_isa::set::*;

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
    ]],
    control: None,
    ports: &[],
    dropped: &[".reuse"],
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
fn both_directions() {
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
