//! Apple G13: the 52 instructions that the document has, with the operand classes as upstream defines them.
//!
//! A field that the document continues upward (`Dx:D`) is one field here. Hints: `$` keeps a register in the cache, `^`
//! discards it after the reads. `_` stands for an operand whose flags are not defined; its bits follow as unread.

use crate::index::Built;
use crate::set::*;

const R: Format = Format::Register {
    prefix: "r",
    scale: 1,
    top: None,
};
const DR: Format = Format::Register {
    prefix: "dr",
    scale: 1,
    top: None,
};
const U: Format = Format::Register {
    prefix: "u",
    scale: 1,
    top: None,
};
const DECIMAL: Format = Format::Decimal { scale: 1 };
const MINI: Format = Format::Float {
    kind: Float::Mini,
    low: 0,
};
const TARGET: Format = Format::Target { base: 0, scale: 1 };
const SPECIAL: Format = Format::Listed {
    names: &[
        (0, "threadgroup_in_grid_x"),
        (1, "threadgroup_in_grid_y"),
        (2, "threadgroup_in_grid_z"),
        (48, "thread_in_threadgroup_x"),
        (49, "thread_in_threadgroup_y"),
        (50, "thread_in_threadgroup_z"),
        (80, "thread_in_grid_x"),
        (81, "thread_in_grid_y"),
        (82, "thread_in_grid_z"),
    ],
    prefix: "sr",
};
const MODE: Format = Format::Listed {
    names: &[
        (0, "u8_to_f"),
        (1, "s8_to_f"),
        (4, "f_to_u16"),
        (5, "f_to_s16"),
        (6, "u16_to_f"),
        (7, "s16_to_f"),
        (8, "f_to_u32"),
        (9, "f_to_s32"),
        (10, "u32_to_f"),
        (11, "s32_to_f"),
    ],
    prefix: "mode",
};
const HALVES: &[Option<&str>] = &[Some("l"), Some("h")];

const SP: Piece = Text(" ");
const C: Piece = Text(", ");

/// `ALUDst` with the field's upper bits at `$x`: 16 bits, or 32 bits, or, with `$odd`, what an odd number means.
macro_rules! destination {
    ($name:ident, $x:literal, [$($odd:expr)?]) => {
        const $name: &[Piece] = {
            const SIZE: Field = bits("Dt", 8, 1);
            const REGISTER: Field = bits("D", 10, 5).and($x, 2);
            const ODD: Field = bits("D", 9, 1);
            &[
                Flag(bits("Dt", 7, 1), 1, "$"),
                Cases(&[
                    when(SIZE, 0, &[Number(REGISTER, R), Names(ODD, HALVES)]),
                    $(when(SIZE, 1, &[Number(REGISTER, $odd)]).with(ODD, 1),)?
                    when(SIZE, 1, &[Number(REGISTER, R)]),
                ]),
            ]
        };
    };
}

destination!(D28, 28, []);
destination!(D44, 44, []);
destination!(D60, 60, []);
destination!(D76, 76, []);
destination!(DD44, 44, [DR]);
destination!(DD60, 60, [DR]);

/// `FloatDst16`: 16-bit registers only.
macro_rules! destination16 {
    ($name:ident, $x:literal) => {
        const $name: &[Piece] = {
            const REGISTER: Field = bits("D", 10, 5).and($x, 2);
            &[
                Flag(bits("Dt", 7, 1), 1, "$"),
                Cases(&[when(
                    bits("Dt", 8, 1),
                    0,
                    &[Number(REGISTER, R), Names(bits("D", 9, 1), HALVES)],
                )]),
            ]
        };
    };
}

destination16!(H44, 44);
destination16!(H60, 60);

/// A source with four flags at `$t`: value at `$low` and `$x`, immediates as `$immediate`, `$after` a register or
/// uniform, `$pair` for 64-bit registers.
macro_rules! source {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $immediate:expr,
     $after:expr, [$($pair:expr)?]) => {
        const $name: &[Piece] = {
            const KIND: Field = bits($flags, $t, 4);
            const WIDE: Field = bits($flags, $t + 1, 3);
            const REGISTER: Field = bits($letter, $low + 1, 5).and($x, 2);
            const UNIFORM: Field = REGISTER.and($t, 1);
            const HALF: Piece = Names(bits($letter, $low, 1), HALVES);
            const AFTER: Piece = Pieces($after);
            &[Cases(&[
                when(KIND, 0b0000, &[Number(bits($letter, $low, 6).and($x, 2), $immediate)]),
                when(KIND, 0b0001, &[Number(REGISTER, R), HALF, AFTER]),
                when(KIND, 0b0010, &[Text("$"), Number(REGISTER, R), HALF, AFTER]),
                when(KIND, 0b0011, &[Text("^"), Number(REGISTER, R), HALF, AFTER]),
                when(WIDE, 0b010, &[Number(UNIFORM, U), HALF, AFTER]),
                when(WIDE, 0b011, &[Number(UNIFORM, U), AFTER]),
                when(KIND, 0b1001, &[Number(REGISTER, R), AFTER]),
                when(KIND, 0b1010, &[Text("$"), Number(REGISTER, R), AFTER]),
                when(KIND, 0b1011, &[Text("^"), Number(REGISTER, R), AFTER]),
                $(
                    when(KIND, 0b1101, &[Number(REGISTER, $pair), AFTER]),
                    when(KIND, 0b1110, &[Text("$"), Number(REGISTER, $pair), AFTER]),
                    when(KIND, 0b1111, &[Text("^"), Number(REGISTER, $pair), AFTER]),
                )?
                otherwise(&[Text("_")]),
            ])]
        };
    };
}

/// `ALUSrc`: letter, its flags' name, low bit, bit of the upper bits, flags.
macro_rules! alu {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal) => {
        source!($name, $letter, $flags, $low, $x, $t, DECIMAL, &[], []);
    };
}
/// `MulSrc`: an `ALUSrc` with sign extension, whose bit is the last.
macro_rules! mul {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $sign:literal, $s:literal) => {
        source!(
            $name,
            $letter,
            $flags,
            $low,
            $x,
            $t,
            DECIMAL,
            &[Flag(bits($sign, $s, 1), 1, ".sx")],
            []
        );
    };
}
/// `AddSrc`: a `MulSrc` that may be 64 bits wide.
macro_rules! add {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $sign:literal, $s:literal) => {
        source!(
            $name,
            $letter,
            $flags,
            $low,
            $x,
            $t,
            DECIMAL,
            &[Flag(bits($sign, $s, 1), 1, ".sx")],
            [DR]
        );
    };
}
/// `FloatSrc`: an `ALUSrc` with floating-point immediates and modifiers, whose two bits are the last.
macro_rules! float {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $m:literal, $at:literal) => {
        const $name: &[Piece] = {
            source!(VALUE, $letter, $flags, $low, $x, $t, MINI, &[], []);
            &[
                Pieces(VALUE),
                Flag(bits($m, $at, 1), 1, ".abs"),
                Flag(bits($m, $at + 1, 1), 1, ".neg"),
            ]
        };
    };
}
/// `FloatSrc16`: three flags, 16-bit registers only.
macro_rules! half {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $m:literal, $at:literal) => {
        const $name: &[Piece] = {
            const KIND: Field = bits($flags, $t, 3);
            const HALF: Field = bits($letter, $low, 1);
            const REGISTER: Field = bits($letter, $low + 1, 5).and($x, 2);
            const R16: Piece = Pieces(&[Number(REGISTER, R), Names(HALF, HALVES)]);
            &[
                Cases(&[
                    when(KIND, 0b000, &[Number(bits($letter, $low, 6).and($x, 2), MINI)]),
                    when(KIND, 0b001, &[R16]),
                    when(KIND, 0b010, &[Text("$"), R16]),
                    when(KIND, 0b011, &[Text("^"), R16]),
                    when(
                        bits($flags, $t + 1, 2),
                        0b10,
                        &[Number(REGISTER.and($t, 1), U), Names(HALF, HALVES)],
                    ),
                    otherwise(&[Text("_")]),
                ]),
                Flag(bits($m, $at, 1), 1, ".abs"),
                Flag(bits($m, $at + 1, 1), 1, ".neg"),
            ]
        };
    };
}
/// `CmpselSrc`: three flags, as wide as the destination.
macro_rules! select {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal) => {
        const $name: &[Piece] = {
            const KIND: Field = bits($flags, $t, 3);
            const HALF: Field = bits($letter, $low, 1);
            const REGISTER: Field = bits($letter, $low + 1, 5).and($x, 2);
            const PART: Piece = Cases(&[when(bits("Dt", 8, 1), 1, &[]), otherwise(&[Names(HALF, HALVES)])]);
            &[Cases(&[
                when(KIND, 0b100, &[Number(bits($letter, $low, 6).and($x, 2), DECIMAL)]),
                when(KIND, 0b001, &[Number(REGISTER, R), PART]),
                when(KIND, 0b010, &[Text("$"), Number(REGISTER, R), PART]),
                when(KIND, 0b011, &[Text("^"), Number(REGISTER, R), PART]),
                when(
                    bits($flags, $t + 1, 2),
                    0b11,
                    &[Number(REGISTER.and($t, 1), U), PART],
                ),
                otherwise(&[Text("_")]),
            ])]
        };
    };
}

// Names: class letter, operand, where its upper bits are.
alu!(A42, "A", "At", 16, 42, 22);
alu!(A58, "A", "At", 16, 58, 22);
alu!(A74, "A", "At", 16, 74, 22);
alu!(B40, "B", "Bt", 28, 40, 34);
alu!(B56, "B", "Bt", 28, 56, 34);
alu!(B72, "B", "Bt", 28, 72, 34);
alu!(C54, "C", "Ct", 40, 54, 46);
alu!(SRC, "src", "srct", 28, 40, 34);
mul!(MA58, "A", "At", 16, 58, 22, "As", 26);
mul!(MB56, "B", "Bt", 28, 56, 34, "Bs", 38);
add!(AA42, "A", "At", 16, 42, 22, "As", 26);
add!(AB40, "B", "Bt", 28, 40, 34, "Bs", 38);
add!(AC54, "C", "Ct", 40, 54, 46, "Cs", 50);
float!(FA42, "A", "At", 16, 42, 22, "Am", 26);
float!(FA58, "A", "At", 16, 58, 22, "Am", 26);
float!(FB40, "B", "Bt", 28, 40, 34, "Bm", 38);
float!(FB56, "B", "Bt", 28, 56, 34, "Bm", 38);
float!(FC54, "C", "Ct", 40, 54, 46, "Cm", 50);
half!(HA42, "A", "At", 16, 42, 22, "Am", 25);
half!(HA58, "A", "At", 16, 58, 22, "Am", 25);
half!(HB40, "B", "Bt", 28, 40, 34, "Bm", 37);
half!(HB56, "B", "Bt", 28, 56, 34, "Bm", 37);
half!(HC54, "C", "Ct", 40, 54, 46, "Cm", 49);
select!(X70, "X", "Xt", 40, 70, 46);
select!(Y68, "Y", "Yt", 52, 68, 58);

const NEGATE: Piece = Flag(bits("N", 27, 1), 1, ".neg");
const SATURATE: Piece = Flag(bits("S", 6, 1), 1, ", sat");
const CACHE: Piece = Flag(bits("Dt", 7, 1), 1, ", cache");
const SHIFT: Piece = Cases(&[
    when(bits("shift", 39, 1).and(52, 2), 0, &[]),
    otherwise(&[Text(", lsl "), Number(bits("shift", 39, 1).and(52, 2), DECIMAL)]),
]);
const SIZE_M: Piece = Number(bits("m", 38, 2).and(50, 2).and(63, 1), DECIMAL);
const N: Piece = Number(bits("n", 11, 2), DECIMAL);
const TRUTH: Piece = Names(
    bits("tt", 26, 2).and(38, 2),
    &[
        Some(", 0"),
        Some(", ~(a | b)"),
        Some(", a & ~b"),
        None,
        Some(", ~a & b"),
        Some(", ~a"),
        Some(", a ^ b"),
        Some(", ~(a & b)"),
        Some(", a & b"),
        Some(", ~(a ^ b)"),
        Some(", a"),
        Some(", a | ~b"),
        None,
        Some(", ~a | b"),
        Some(", a | b"),
        Some(", ~0"),
    ],
);
const ROUND: Piece = Names(bits("round", 26, 2), &[Some(", rtz"), Some(", rte")]);
const CONDITION: Piece = Names(
    bits("cc", 13, 3).and(8, 1),
    &[
        Some(", ieq"),
        Some(", ult"),
        Some(", ugt"),
        None,
        Some(", seq"),
        Some(", slt"),
        Some(", sgt"),
        None,
        Some(", ine"),
        Some(", ugte"),
        Some(", ulte"),
        None,
        Some(", nseq"),
        Some(", sgte"),
        Some(", slte"),
    ],
);
const SELECT_CONDITION: Piece = Names(
    bits("cc", 61, 3),
    &[
        Some(", ieq"),
        Some(", ult"),
        Some(", ugt"),
        None,
        Some(", seq"),
        Some(", slt"),
        Some(", sgt"),
    ],
);
const FLOAT_CONDITION: Piece = Names(
    bits("cc", 13, 3).and(8, 1),
    &[
        Some(", eq"),
        Some(", lt"),
        Some(", gt"),
        Some(", ltn"),
        None,
        Some(", ge"),
        Some(", le"),
        Some(", gtn"),
        Some(", neq"),
        Some(", nlt"),
        Some(", ngt"),
        Some(", nltn"),
        None,
        Some(", nge"),
        Some(", nle"),
        Some(", ngtn"),
    ],
);

/// The mark of a long form whose last bytes are all 0: without them it would be the short form. The bytes begin at bit
/// `$low` and are `$width` bits.
macro_rules! long {
    ($name:ident, $low:literal, $width:literal) => {
        const $name: Piece = Cases(&[
            when(bits("L", 15, 1), 0, &[]),
            when(bits("L", 15, 1), 1, &[Text(".long")]).with(bits("omitted", $low, $width), 0),
            when(bits("L", 15, 1), 1, &[]),
        ]);
    };
}

long!(L32, 32, 16);
long!(L48, 48, 16);
long!(L64, 64, 16);

/// A floating-point instruction with one source, six bytes long or, with bit 15 clear, four.
const fn unary(mnemonic: &'static str, value: u128, long: bool) -> Row {
    if long {
        row(
            mnemonic,
            0x3ff_f000_803f,
            value,
            6,
            &[SP, Pieces(D44), C, Pieces(FA42), SATURATE],
        )
    } else {
        let pieces: &[Piece] = &[L32, SP, Pieces(D44), C, Pieces(FA42), SATURATE];
        row(mnemonic, 0x3ff_f000_003f, value, 6, pieces).short(15, 4)
    }
}

/// An insertion or extraction: `m` counts the bits, 0 stands for 32.
const fn field(mnemonic: &'static str, value: u128) -> Row {
    let pieces: &[Piece] = &[
        SP,
        Pieces(D60),
        C,
        Pieces(A58),
        C,
        Pieces(B56),
        C,
        Pieces(C54),
        C,
        SIZE_M,
    ];
    row(mnemonic, 0xc00_807f, value, 8, pieces)
}

const fn shift(mnemonic: &'static str, value: u128) -> Row {
    row(
        mnemonic,
        0xc00_807f,
        value,
        8,
        &[SP, Pieces(D60), C, Pieces(A58), C, Pieces(B56)],
    )
}

const fn count(mnemonic: &'static str, value: u128) -> Row {
    row(mnemonic, 0xff_fc00_807f, value, 6, &[SP, Pieces(D44), C, Pieces(A42)])
}

const fn integer_mask(mnemonic: &'static str, value: u128) -> Row {
    let pieces: &[Piece] = &[SP, Pieces(A42), C, Pieces(B40), C, N, CACHE, CONDITION];
    row(mnemonic, 0x30c0_0c00_067f, value, 6, pieces)
}

const fn float_mask(mnemonic: &'static str, value: u128) -> Row {
    let pieces: &[Piece] = &[SP, Pieces(FA42), C, Pieces(FB40), C, N, CACHE, FLOAT_CONDITION];
    row(mnemonic, 0x3000_0000_067f, value, 6, pieces)
}

const MOVE: &[Row] = &[
    row(
        "mov",
        0x17f,
        0x62,
        6,
        &[L32, SP, Pieces(D44), C, Number(bits("imm16", 16, 16), DECIMAL)],
    )
    .short(15, 4)
    .about("move a 16-bit immediate")
    .source("Move Instructions: mov (Move 16-bit Immediate)"),
    row(
        "mov",
        0x17f,
        0x162,
        8,
        &[L48, SP, Pieces(D60), C, Number(bits("imm32", 16, 32), DECIMAL)],
    )
    .short(15, 6)
    .about("move a 32-bit immediate")
    .source("Move Instructions: mov (Move 32-bit Immediate)"),
    row(
        "get_sr",
        0x807f,
        0x72,
        4,
        &[SP, Pieces(D28), C, Number(bits("SR", 16, 6).and(26, 2), SPECIAL)],
    )
    .about("move from a special register")
    .source("Move Instructions: get_sr"),
];

const INTEGER: &[Row] = &[
    row(
        "iadd",
        0x803f,
        0xe,
        8,
        &[
            SP,
            Pieces(DD44),
            C,
            Pieces(AA42),
            C,
            Pieces(AB40),
            NEGATE,
            SHIFT,
            SATURATE,
        ],
    )
    .about("a + (b << shift); .neg after b subtracts")
    .source("Integer Arithmetic Instructions: iadd")
    .notes(&[
        "A shift of 5 or more gives a + 0.",
        "Saturates only without shift and up to 32 bits.",
    ]),
    row(
        "imadd",
        0x803f,
        0x1e,
        8,
        &[
            SP,
            Pieces(DD60),
            C,
            Pieces(MA58),
            C,
            Pieces(MB56),
            C,
            Pieces(AC54),
            NEGATE,
            SHIFT,
            SATURATE,
        ],
    )
    .about("a * b + (c << shift); .neg after c subtracts")
    .source("Integer Arithmetic Instructions: imadd")
    .notes(&[
        "A shift of 5 or more gives a * b + 0.",
        "Saturates only without shift and up to 32 bits.",
    ]),
    row(
        "convert",
        0xcc0_03c0_807f,
        0x803e,
        6,
        &[
            SP,
            Pieces(D44),
            C,
            Pieces(SRC),
            C,
            Number(bits("mode", 16, 6), MODE),
            ROUND,
        ],
    )
    .about("convert between integers and floating-point numbers")
    .source("Integer Arithmetic Instructions: convert")
    .notes(&["The document gives no meaning (TODO); modes and roundings are those of real code."]),
];

const BITS: &[Row] = &[
    field("bfi", 0x2e)
        .about("insert m bits of b into a, shifted left by c; with a = 0 and m = 0 a shift to the left")
        .source("Shift/Bitfield Instructions: bfi"),
    field("bfeil", 0x802e)
        .about(
            "insert m bits of b, shifted right by c, into the low bits of a; with a = 0 and m = 0 a shift to the right",
        )
        .source("Shift/Bitfield Instructions: bfeil"),
    field("extr", 0x400_002e)
        .about("m bits of the pair b:a from bit c on")
        .source("Shift/Bitfield Instructions: extr"),
    field("shlhi", 0x800_002e)
        .about("insert the upper half of b << c into a")
        .source("Shift/Bitfield Instructions: shlhi"),
    field("shrhi", 0x800_802e)
        .about("insert b << 32 >> c into a")
        .source("Shift/Bitfield Instructions: shrhi"),
    shift("asr", 0x400_802e)
        .about("shift a right by b, with its sign")
        .source("Shift/Bitfield Instructions: asr"),
    shift("asrh", 0xc00_802e)
        .about("shift a << 32 right by b, with its sign")
        .source("Shift/Bitfield Instructions: asrh"),
    row(
        "bitop",
        0x807f,
        0x7e,
        6,
        &[SP, Pieces(D44), C, Pieces(A42), C, Pieces(B40), TRUTH],
    )
    .about("any function of two bits, by its truth table")
    .source("Bit Manipulation Instructions: bitop")
    .notes(&["The truth tables of b and ~b are undefined."]),
    count("bitrev", 0x400_003e)
        .about("reverse the order of 32 bits")
        .source("Bit Manipulation Instructions: bitrev")
        .notes(&["The document's loop does not advance its counter."]),
    count("popcount", 0x800_003e)
        .about("count the bits that are set")
        .source("Bit Manipulation Instructions: popcount")
        .notes(&["The document's loop does not advance its counter."]),
    count("ffs", 0xc00_003e)
        .about("number of the highest bit that is set, -1 if none is")
        .source("Bit Manipulation Instructions: ffs"),
];

const FLOATS: &[Row] = &[
    row(
        "fmadd",
        0x3f,
        0x3a,
        8,
        &[
            L48,
            SP,
            Pieces(D60),
            C,
            Pieces(FA58),
            C,
            Pieces(FB56),
            C,
            Pieces(FC54),
            SATURATE,
        ],
    )
    .short(15, 6)
    .about("a * b + c, rounded once")
    .source("Floating-Point Arithmetic: fmadd"),
    row(
        "fmadd16",
        0x3f,
        0x36,
        8,
        &[
            L48,
            SP,
            Pieces(H60),
            C,
            Pieces(HA58),
            C,
            Pieces(HB56),
            C,
            Pieces(HC54),
            SATURATE,
        ],
    )
    .short(15, 6)
    .about("a * b + c of halves, rounded once")
    .source("Floating-Point Arithmetic: fmadd16"),
    row(
        "fadd",
        0x803f,
        0x802a,
        6,
        &[SP, Pieces(D44), C, Pieces(FA42), C, Pieces(FB40), SATURATE],
    )
    .about("a + b")
    .source("Floating-Point Arithmetic: fadd")
    .notes(&[SHORT]),
    row(
        "fadd16",
        0x803f,
        0x8026,
        6,
        &[SP, Pieces(H44), C, Pieces(HA42), C, Pieces(HB40), SATURATE],
    )
    .about("a + b of halves")
    .source("Floating-Point Arithmetic: fadd16")
    .notes(&[SHORT]),
    row(
        "fmul",
        0x803f,
        0x801a,
        6,
        &[SP, Pieces(D44), C, Pieces(FA42), C, Pieces(FB40), SATURATE],
    )
    .about("a * b")
    .source("Floating-Point Arithmetic: fmul")
    .notes(&[SHORT]),
    row(
        "fmul16",
        0x803f,
        0x8016,
        6,
        &[SP, Pieces(H44), C, Pieces(HA42), C, Pieces(HB40), SATURATE],
    )
    .about("a * b of halves")
    .source("Floating-Point Arithmetic: fmul16")
    .notes(&[SHORT]),
    unary("floor", 0x0a, false)
        .about("round down to an integer")
        .source("Floating-Point Arithmetic: floor"),
    unary("ceil", 0x1_0000_800a, true)
        .about("round up to an integer")
        .source("Floating-Point Arithmetic: ceil"),
    unary("trunc", 0x2_0000_800a, true)
        .about("round to an integer, towards zero")
        .source("Floating-Point Arithmetic: trunc"),
    unary("rint", 0x3_0000_800a, true)
        .about("round to the nearest integer")
        .source("Floating-Point Arithmetic: rint"),
    unary("rcp", 0x8000_000a, false)
        .about("1 / a")
        .source("Floating-Point Arithmetic: rcp"),
    unary("rsqrt", 0x9000_000a, false)
        .about("1 / sqrt(a)")
        .source("Floating-Point Arithmetic: rsqrt"),
    unary("rsqrt_special", 0x1000_000a, false)
        .about("1 / sqrt(a), so that its product with a is sqrt(a) for special numbers, too")
        .source("Floating-Point Arithmetic: rsqrt_special"),
    unary("sin_pt_1", 0xa000_000a, false)
        .about("first part of a sine: an angle from 0 to 4, a full turn, to a number for sin_pt_2")
        .source("Floating-Point Arithmetic: sin_pt_1")
        .notes(&["The sine is the product of both parts' results."]),
    unary("sin_pt_2", 0xe000_000a, false)
        .about("second part of a sine")
        .source("Floating-Point Arithmetic: sin_pt_2"),
    unary("log2", 0xc000_000a, false)
        .about("logarithm to base 2")
        .source("Floating-Point Arithmetic: log2"),
    unary("exp2", 0xd000_000a, false)
        .about("2 to the power of a")
        .source("Floating-Point Arithmetic: exp2"),
    unary("dfdx", 0x4000_000a, false)
        .about("derivative in x")
        .source("Floating-Point Arithmetic: dfdx")
        .notes(&[TODO]),
    unary("dfdy", 0x6000_000a, false)
        .about("derivative in y")
        .source("Floating-Point Arithmetic: dfdy")
        .notes(&[TODO]),
];

const SHORT: &str = "Real code has four-byte forms with bit 15 clear, which the document does not describe: data here.";
const TODO: &str = "The document gives no meaning (TODO).";

const FLOW: &[Row] = &[
    row("ret", 0x7f, 0x14, 2, &[SP, Number(bits("reg32", 9, 7), R)])
        .about("return to the address in a register")
        .source("Flow Control Instructions: ret")
        .notes(&[TODO]),
    row("stop", 0xffff, 0x88, 2, &[])
        .about("end the program")
        .source("Flow Control Instructions: stop"),
    row("trap", 0xffff, 0x08, 2, &[])
        .source("Flow Control Instructions: trap")
        .notes(&[TODO]),
    row("call", 0x7f, 0x04, 2, &[SP, Number(bits("reg32", 9, 7), R)])
        .about("call the address in a register")
        .source("Flow Control Instructions: call (register)")
        .notes(&[TODO]),
    row(
        "jmp_incomplete",
        0xff00_ffff,
        0x00,
        4,
        &[SP, Number(bits("off", 16, 8), DECIMAL)],
    )
    .source("Flow Control Instructions: jmp_incomplete")
    .notes(&[TODO]),
    row(
        "jmp_exec_any",
        0xffff,
        0xc000,
        6,
        &[SP, Number(bits("off", 16, 32), TARGET)],
    )
    .about("jump if any thread is active")
    .source("Flow Control Instructions: jmp_exec_any"),
    row(
        "jmp_exec_none",
        0xffff,
        0xc020,
        6,
        &[SP, Number(bits("off", 16, 32), TARGET)],
    )
    .about("jump if no thread is active")
    .source("Flow Control Instructions: jmp_exec_none"),
    row("call", 0xffff, 0xc010, 6, &[SP, Number(bits("off", 16, 32), TARGET)])
        .about("call; the return address goes to r1")
        .source("Flow Control Instructions: call"),
];

const MASK: &[Row] = &[
    row("pop_exec", 0xffff_ffff_e67f, 0x652, 6, &[SP, N, CACHE])
        .about("pop n levels of the execution mask stack in r0l")
        .source("Execution Mask Stack Instructions: pop_exec"),
    integer_mask("if_icmp", 0x52)
        .about("enter a block in the threads whose comparison holds")
        .source("Execution Mask Stack Instructions: if_icmp"),
    float_mask("if_fcmp", 0x42)
        .about("enter a block in the threads whose comparison holds")
        .source("Execution Mask Stack Instructions: if_fcmp"),
    integer_mask("while_icmp", 0x452)
        .about("stay in a loop in the threads whose comparison holds")
        .source("Execution Mask Stack Instructions: while_icmp"),
    float_mask("while_fcmp", 0x442)
        .about("stay in a loop in the threads whose comparison holds")
        .source("Execution Mask Stack Instructions: while_fcmp"),
    integer_mask("else_icmp", 0x252)
        .about("change to the other branch, in the threads whose comparison holds")
        .source("Execution Mask Stack Instructions: else_icmp"),
    float_mask("else_fcmp", 0x242)
        .about("change to the other branch, in the threads whose comparison holds")
        .source("Execution Mask Stack Instructions: else_fcmp"),
];

const SELECT: &[Row] = &[row(
    "icmpsel",
    0x7f,
    0x12,
    10,
    &[
        L64,
        SP,
        Pieces(D76),
        C,
        Pieces(A74),
        C,
        Pieces(B72),
        C,
        Pieces(X70),
        C,
        Pieces(Y68),
        SELECT_CONDITION,
    ],
)
.short(15, 8)
.about("x if a and b compare, else y")
.source("Select Instructions: icmpsel")];

/// An operand's value lies in six bits, with two more above.
const fn value(low: u8, x: u8) -> Field {
    bits("value", low, 6).and(x, 2)
}

const PORTS: &[Operand] = &[
    operand("d", &["D"], &[value(9, 28), value(9, 44), value(9, 60), value(9, 76)]),
    operand("d_type", &["Dt"], &[bits("type", 7, 2), bits("type", 7, 1)]).cases(),
    operand("a", &["A"], &[value(16, 42), value(16, 58), value(16, 74)]),
    operand("a_type", &[], &[bits("type", 22, 4), bits("type", 22, 3)]).cases(),
    operand("b", &["B", "src"], &[value(28, 40), value(28, 56), value(28, 72)]),
    operand("b_type", &[], &[bits("type", 34, 4), bits("type", 34, 3)]).cases(),
    operand("c", &["C"], &[value(40, 54)]),
    operand("c_type", &[], &[bits("type", 46, 4), bits("type", 46, 3)]).cases(),
    operand("x", &["X"], &[value(40, 70)]),
    operand("y", &["Y"], &[value(52, 68)]),
    operand("number", &["imm16", "imm32", "SR", "off"], &[]),
];

/// Apple G13.
pub static G13: Set = Set {
    name: "g13",
    title: "Apple G13",
    version: 0,
    unit: 2,
    lengths: Lengths::Rows {
        others: &[
            (0x803f, 0x2a, 4),
            (0x803f, 0x26, 4),
            (0x803f, 0x1a, 4),
            (0x803f, 0x16, 4),
            (0, 0, 2),
        ],
    },
    rows: &[MOVE, INTEGER, BITS, FLOATS, FLOW, MASK, SELECT],
    control: None,
    ports: PORTS,
    dropped: &[],
    synonyms: &[],
    notes: &[
        "An instruction has 2 to 10 bytes. Those with a bit L (bit 15) have a short form with L = 0 that omits the last \
         two bytes, which read as 0. `.long` after the mnemonic marks a long form that could be short.",
        "`$` before a register is the cache hint, `^` the discard hint; `.sx` extends the sign, `.abs` and `.neg` are the \
         absolute value and the negative. `l` and `h` are the halves of a register, `dr` is a pair of registers.",
        "The mask stack instructions read and write r0l, which the text leaves out; `, cache` is its cache hint.",
        "A target is the address, counted from the instruction's own.",
    ],
    open: &[
        "The saved page ends after icmpsel: 22 of upstream's 74 instructions are missing, among them all loads and \
         stores. Their lengths are not known, so a listing may be out of step after one of them.",
        "fadd, fmul, fadd16 and fmul16 have four-byte forms in real code; the document has only the long ones. They are \
         data here, of four bytes.",
        "The operand classes are used and not defined; the definitions are upstream's. 64-bit uniforms of the classes of \
         iadd and imadd are not settled.",
        "The floating-point conditions 5 and 6 are told as less-or-equal and greater-or-equal in places; real code has \
         them the other way round, and so does this table.",
        "The loops of bitrev and popcount do not advance; convert, dfdx, dfdy, ret, call by register, trap and \
         jmp_incomplete have no meaning given; the pseudocode has lost its indentation.",
        "Dt of the two immediate moves covers bit 8, which is an opcode bit, too: 0 for 16 bits and 1 for 32 bits.",
    ],
    sources: &[
        Source {
            name: "Apple G13 GPU Architecture Reference (applegpu, docs.html)",
            about: "opcode bits and field positions of all rows, what they do",
        },
        Source {
            name: "Mesa, src/asahi/isa (MIT)",
            about: "names of conversions and inverted conditions; 282 test words",
        },
    ],
    built: Built::new(),
};
