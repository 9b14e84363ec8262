//! Moves, integer arithmetic, shifts and bits.

use super::operands::*;
use super::registers::{SPECIAL, SPECIAL_UP};
use crate::set::*;

const MOVE: &str = "applegpu.py, Move Instructions";
const INTEGER: &str = "applegpu.py, Integer Arithmetic Instructions";
const SHIFTS: &str = "applegpu.py, Shift/Bitfield Instructions";
const BIT: &str = "applegpu.py, Bit Manipulation Instructions";

const NEGATED: Field = bits("N", 27, 1);
const NEGATE: Piece = Flag(NEGATED, 1, ".neg");
const SHIFT: Piece = Cases(&[
    when(bits("shift", 39, 1).and(52, 2), 0, &[]),
    otherwise(&[Text(", lsl "), Number(bits("shift", 39, 1).and(52, 2), DECIMAL)]),
]);
const KILL: Field = bits("kill", 62, 1);

const SR: Both = Both {
    own: &[Number(bits("SR", 16, 6).and(26, 2), SPECIAL)],
    up: &[Number(bits("SR", 16, 6).and(26, 2), SPECIAL_UP)],
};

/// Kinds of conversions. Other kinds have another text before the number.
const fn conversions(prefix: &'static str) -> Format {
    Format::Listed {
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
        prefix,
    }
}
const MODE: Both = Both {
    own: &[Number(bits("mode", 16, 6), conversions("mode"))],
    up: &[Number(bits("mode", 16, 6), conversions(""))],
};
const ROUND: Piece = Names(bits("round", 26, 2), &[Some(", rtz"), Some(", rte")]);
const ROUND_UP: Piece = Names(
    bits("round", 26, 2),
    &[Some(", rtz"), Some(", rte"), Some(", 2"), Some(", 3")],
);

/// The number of bits; 0 means 32. applegpu prints it as a mask.
const SIZE: Field = bits("m", 38, 2).and(50, 2).and(63, 1);
const SIZE_UP: Piece = Names(
    SIZE,
    &[
        Some(""),
        Some(", mask 0x1"),
        Some(", mask 0x3"),
        Some(", mask 0x7"),
        Some(", mask 0xF"),
        Some(", mask 0x1F"),
        Some(", mask 0x3F"),
        Some(", mask 0x7F"),
        Some(", mask 0xFF"),
        Some(", mask 0x1FF"),
        Some(", mask 0x3FF"),
        Some(", mask 0x7FF"),
        Some(", mask 0xFFF"),
        Some(", mask 0x1FFF"),
        Some(", mask 0x3FFF"),
        Some(", mask 0x7FFF"),
        Some(", mask 0xFFFF"),
        Some(", mask 0x1FFFF"),
        Some(", mask 0x3FFFF"),
        Some(", mask 0x7FFFF"),
        Some(", mask 0xFFFFF"),
        Some(", mask 0x1FFFFF"),
        Some(", mask 0x3FFFFF"),
        Some(", mask 0x7FFFFF"),
        Some(", mask 0xFFFFFF"),
        Some(", mask 0x1FFFFFF"),
        Some(", mask 0x3FFFFFF"),
        Some(", mask 0x7FFFFFF"),
        Some(", mask 0xFFFFFFF"),
        Some(", mask 0x1FFFFFFF"),
        Some(", mask 0x3FFFFFFF"),
        Some(", mask 0x7FFFFFFF"),
    ],
);

const TRUTH: Field = bits("tt", 26, 2).and(38, 2);
/// The results for (a, b) = 00, 10, 01, 11 in this order, as applegpu prints them.
const TRUTH_DIGITS: Both = same(&[Names(
    TRUTH,
    &[
        Some("0000"),
        Some("1000"),
        Some("0100"),
        Some("1100"),
        Some("0010"),
        Some("1010"),
        Some("0110"),
        Some("1110"),
        Some("0001"),
        Some("1001"),
        Some("0101"),
        Some("1101"),
        Some("0011"),
        Some("1011"),
        Some("0111"),
        Some("1111"),
    ],
)]);
const FUNCTION: Piece = Names(
    TRUTH,
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

/// applegpu's name of a function of two operands.
const fn of_two(mnemonic: &'static str, truth: u128) -> Alias {
    alias(mnemonic, &[operands!(up: D44, A42, B40)]).only(TRUTH, truth)
}

/// applegpu's name of a function of one operand; the other operand is the immediate 0.
const fn of_one(mnemonic: &'static str, truth: u128) -> Alias {
    alias(mnemonic, &[operands!(up: D44, A42)])
        .only(TRUTH, truth)
        .only(bits("Bt", 34, 4), 0)
        .only(bits("B", 28, 6).and(40, 2), 0)
}

const BFI: &[Piece] = &[operands!(own: D60, A58, B56, C54), C, Number(SIZE, DECIMAL)];
const BFI_UP: &[Piece] = &[operands!(up: D60, A58, B56, C54), SIZE_UP];

/// An insertion or extraction.
macro_rules! field {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row($mnemonic, 0xc00_807f, $value, 8, BFI)
            .also(&[alias($mnemonic, BFI_UP)])
            .about($about)
            .source(SHIFTS)
    };
}

/// A shift with sign.
macro_rules! shift {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row($mnemonic, 0xc00_807f, $value, 8, &[operands!(own: D60, A58, B56)])
            .also(&[alias($mnemonic, &[operands!(up: D60, A58, B56)])])
            .about($about)
            .source(SHIFTS)
    };
}

/// A function of one integer. It takes precedence over `iunop`, which covers all function codes.
macro_rules! count {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row($mnemonic, 0xff_fc00_807f, $value, 6, &[operands!(own: D44, A42)])
            .also(&[alias($mnemonic, &[operands!(up: D44, A42)])])
            .rank(1)
            .about($about)
            .source(BIT)
    };
}

pub(super) const ROWS: &[Row] = &[
    row("mov", 0x17f, 0x62, 6, &[L32, operands!(own: D44, IMM16)])
        .short(15, 4)
        .also(&[alias("mov_imm", &[EITHER, operands!(up: D44, IMM16)])])
        .about("move a 16-bit immediate")
        .source(MOVE),
    row(
        "mov",
        0x17f,
        0x162,
        8,
        &[L48, operands!(own: D60, IMM32), Flag(KILL, 1, ", kill")],
    )
    .short(15, 6)
    .also(&[alias(
        "mov_imm",
        &[EITHER, operands!(up: D60, IMM32), C, Number(KILL, Format::Binary)],
    )])
    .about("move a 32-bit immediate")
    .source(MOVE),
    row("get_sr", 0x807f, 0x72, 4, &[operands!(own: D28, SR)])
        .also(&[alias("get_sr", &[operands!(up: D28, SR)])])
        .about("move from a special register")
        .source(MOVE)
        .notes(&["A special register is also accepted by its number, `sr80`."]),
    row("sr_thing", 0x807f, 0x8072, 4, &[operands!(own: D28, SR)])
        .also(&[alias("TODO.sr_thing", &[operands!(up: D28, SR)])])
        .about("a move from a special register with bit 15 set")
        .source(MOVE)
        .notes(&["The meaning of bit 15 is unknown."]),
    row(
        "iadd",
        0x803f,
        0x0e,
        8,
        &[operands!(own: DD44, AA42, AB40), NEGATE, SHIFT, SATURATE],
    )
    .also(&[
        alias("iadd", &[SAT, operands!(up: DD44, AA42, AB40), SHIFT]).only(NEGATED, 0),
        alias("isub", &[SAT, operands!(up: DD44, AA42, AB40), SHIFT]).only(NEGATED, 1),
    ])
    .about("a + (b << shift); .neg after b subtracts")
    .source(INTEGER)
    .notes(&[
        "With a shift of 5 or more the result is a + 0.",
        "Saturates only without a shift and up to 32 bits.",
    ]),
    row(
        "imadd",
        0x803f,
        0x1e,
        8,
        &[operands!(own: DD60, MA58, MB56, AC54), NEGATE, SHIFT, SATURATE],
    )
    .also(&[
        alias("imadd", &[SAT, operands!(up: DD60, MA58, MB56, AC54), SHIFT]).only(NEGATED, 0),
        alias("imsub", &[SAT, operands!(up: DD60, MA58, MB56, AC54), SHIFT]).only(NEGATED, 1),
    ])
    .about("a * b + (c << shift); .neg after c subtracts")
    .source(INTEGER)
    .notes(&[
        "With a shift of 5 or more the result is a * b + 0.",
        "Saturates only without a shift and up to 32 bits.",
    ]),
    row(
        "convert",
        0xcc0_03c0_807f,
        0x803e,
        6,
        &[operands!(own: D44, SRC, MODE), ROUND],
    )
    .also(&[alias("convert", &[operands!(up: MODE, D44, SRC), ROUND_UP])])
    .about("convert between integers and floating-point numbers")
    .source(INTEGER)
    .notes(&["Rounding modes 2 and 3 and the other kinds are unknown."]),
    field!(
        "bfi",
        0x2e,
        "insert m bits of b into a, shifted left by c; with a = 0 and m = 0 a shift to the left"
    ),
    field!(
        "bfeil",
        0x802e,
        "insert m bits of b, shifted right by c, into the low bits of a; with a = 0 and m = 0 a shift to the right"
    ),
    field!("extr", 0x400_002e, "m bits of the pair b:a from bit c on"),
    field!("shlhi", 0x800_002e, "insert the upper half of b << c into a"),
    field!("shrhi", 0x800_802e, "insert b << 32 >> c into a"),
    shift!("asr", 0x400_802e, "arithmetic shift of a right by b"),
    shift!("asrh", 0xc00_802e, "arithmetic shift of a << 32 right by b"),
    row("bitop", 0x807f, 0x7e, 6, &[operands!(own: D44, A42, B40), FUNCTION])
        .also(&[
            of_one("not", 0b0101),
            of_one("mov", 0b1010),
            of_two("and", 0b1000),
            of_two("or", 0b1110),
            of_two("xor", 0b0110),
            of_two("nand", 0b0111),
            of_two("nor", 0b0001),
            of_two("xnor", 0b1001),
            alias("bitop", BITOP),
            alias("bitop_mov_a", BITOP),
        ])
        .about("any function of two bits, by its truth table")
        .source(BIT)
        .notes(&["The truth tables of b and ~b are undefined: the result is not b."]),
    count!("bitrev", 0x400_003e, "reverse the order of 32 bits"),
    count!("popcount", 0x800_003e, "count the set bits"),
    row("intl", 0xc0_0c00_807f, 0x3e, 6, &[operands!(own: D44, A42, B40)])
        .also(&[alias("intl", &[operands!(up: D44, A42, B40)])])
        .rank(1)
        .about("interleave the bits of a and b (Morton order)")
        .source(BIT),
    count!("ffs", 0xc00_003e, "number of the highest set bit, -1 if there is none"),
    row("iunop", 0x3f_f000_807f, 0x3e, 6, &[operands!(own: D44, A42, OP1, OP2)])
        .also(&[alias("iunop", &[operands!(up: D44, A42, OP1, OP2)])])
        .about("unnamed functions of one integer")
        .source(BIT)
        .notes(&["Its result is unknown."]),
];

const BITOP: &[Piece] = &[operands!(up: TRUTH_DIGITS, D44, A42, B40)];
const OP1: Both = same(&[Number(bits("op1", 38, 2), Format::Binary)]);
const OP2: Both = same(&[Number(bits("op2", 26, 2), Format::Binary)]);
