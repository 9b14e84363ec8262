//! Float vector instructions, and moves: groups 0x00, 0x08, 0x10, 0x18, 0x30, 0x38.

use super::operands::*;
use crate::set::*;

/// The destination of the groups with a mask at 42..39.
const D_NUMBER: Field = bits("destination", 22, 6);
const D_MASK: Field = bits("mask", 39, 4);
const D_FILE: Field = bits("destination_file", 32, 2).and(51, 1);
const D: Register = destination(D_NUMBER, D_FILE, 2);
const S1_FILE: Field = bits("source_1_file", 30, 2).and(49, 1);
const S2_FILE: Field = bits("source_2_file", 28, 2).and(48, 1);
const S1: Register = source(bits("source_1", 6, 6), S1_FILE, 2);
const S2: Register = source(bits("source_2", 0, 6), S2_FILE, 2);
const WRITTEN: &[Mask] = &[each(D_MASK)];

/// The channels that each bit of a mask adds, for pairs of halves.
const HALVES: [u8; 4] = [3, 0, 12, 0];
/// The channels that each bit of a mask adds, for single floats.
const SINGLES: [u8; 4] = [1, 2, 0, 0];

/// VMAD2's destination has a file of two bits, and its mask counts in units of a register.
const MAD2_D: Register = destination(D_NUMBER, bits("destination_file", 32, 2), 2);
/// Internal registers have all channels.
const MAD2_INTERNAL: Mask = each(D_MASK).at(3 << 32 | 15 << 24, 15 << 24);
const MAD2_F32: &[Mask] = &[MAD2_INTERNAL, each(D_MASK).adding(SINGLES)];
const MAD2_F16: &[Mask] = &[
    MAD2_INTERNAL,
    each(D_MASK).at(3 << 32, 3 << 32),
    each(D_MASK).adding(HALVES),
];
const MAD2_S0: [&str; 8] = ["xxxx", "yyyy", "zzzz", "wwww", "xyzw", "yzxw", "xyww", "zwxy"];
const MAD2_S1: [&str; 8] = ["xxxx", "yyyy", "zzzz", "wwww", "xyzw", "xyyz", "yyww", "wyzw"];
const MAD2_S2: [&str; 8] = ["xxxx", "yyyy", "zzzz", "wwww", "xyzw", "xzww", "xxyz", "xyzz"];

macro_rules! mad2 {
    ($mask:expr) => {
        &[
            Text(" "),
            Piece::Register(&MAD2_D),
            Piece::Channels(&written($mask)),
            Text(" "),
            absolute!(
                bits("source_0_absolute", 50, 1),
                source_0(bits("source_0", 12, 6), bits("source_0_file", 34, 1), 2),
                swizzle($mask, bits("source_0_swizzle", 18, 2).and(53, 1), &[&MAD2_S0])
            ),
            Text(" "),
            modified!(
                bits("source_1_modifier", 37, 2),
                bits("source_1_modifier", 38, 1),
                S1,
                swizzle($mask, bits("source_1_swizzle", 20, 2).and(44, 1), &[&MAD2_S1]).of(S1_FILE)
            ),
            Text(" "),
            modified!(
                bits("source_2_modifier", 35, 2),
                bits("source_2_modifier", 36, 1),
                S2,
                swizzle($mask, bits("source_2_swizzle", 45, 3), &[&MAD2_S2]).of(S2_FILE)
            ),
            unseen!("skipinv" 55, "syncstart" 52, "nosched" 43),
        ]
    };
}

/// Group 0x00.
pub const MAD2: &[Row] = &[
    mad2_row("VMAD2", 0, mad2!(MAD2_F32)),
    mad2_row("VF16MAD2", 1 << 58, mad2!(MAD2_F16)),
];

const fn mad2_row(mnemonic: &'static str, format: u128, pieces: &'static [Piece]) -> Row {
    group(mnemonic, GROUP | 1 << 58, format, pieces)
        .lead(VECTOR_SHORT)
        .about("multiplies and adds: source 0 * source 1 + source 2")
        .source("usse_full.json, VMAD2")
        .notes(&[
            "Vita3K reads the predicate as none, p0, p1, p2; the document has none, p0, !p0, pN, as in dual issue, \
             where both agree.",
            "The mask is of registers: two bits for single floats, a bit for each two channels of halves; an internal \
             register has all four.",
        ])
}

/// The first source's channels: 12 bits in four parts.
const NMAD_SWIZZLE: &[Field] = &[
    bits("source_1_x", 15, 3),
    bits("source_1_y", 18, 3),
    bits("source_1_z", 21, 1).and(34, 2),
    bits("source_1_w", 50, 1).and(53, 2),
];

macro_rules! nmad {
    ($mask:expr) => {
        &[
            Text(" "),
            Piece::Register(&D),
            Piece::Channels(&written(WRITTEN)),
            Text(" "),
            modified!(
                bits("source_1_modifier", 37, 2),
                bits("source_1_modifier", 38, 1),
                S1,
                letters($mask, NMAD_SWIZZLE).of(S1_FILE)
            ),
            Text(" "),
            absolute!(
                bits("source_2_absolute", 36, 1),
                S2,
                swizzle($mask, bits("source_2_swizzle", 44, 4), &[&VEC4]).of(S2_FILE)
            ),
            unseen!("skipinv" 55, "syncstart" 52, "nosched" 43),
        ]
    };
}

const NMAD_PIECES: &[Piece] = nmad!(WRITTEN);
/// A dot product reads all channels, independent of the channels that it writes.
const NMAD_DOT: &[Piece] = nmad!(XYZW);

const fn nmad_row(mnemonic: &'static str, group_byte: u128, operation: u128, about: &'static str) -> Row {
    let pieces = if operation == 7 { NMAD_DOT } else { NMAD_PIECES };
    let row = group(mnemonic, GROUP | 7 << 12, group_byte << 56 | operation << 12, pieces)
        .lead(VECTOR)
        .about(about)
        .notes(&["Vita3K prints nothing for the predicates !p2 and pN, which the document has."]);
    match (group_byte, operation) {
        // It has the same text as group 0x18 with four channels, which compilers use.
        (0x08, 7) => row.source("usse_full.json, V32NMAD").untold(1 << 60).usual(1 << 60),
        (0x08, _) => row.source("usse_full.json, V32NMAD"),
        _ => row.source("usse_full.json, V16NMAD"),
    }
}

/// Groups 0x08 and 0x10.
pub const NMAD: &[Row] = &[
    nmad_row("VMUL", 0x08, 0, "multiplies"),
    nmad_row("VADD", 0x08, 1, "adds"),
    nmad_row("VFRC", 0x08, 2, "the fraction of a number"),
    nmad_row("VDSX", 0x08, 3, "the difference to the neighbour in x"),
    nmad_row("VDSY", 0x08, 4, "the difference to the neighbour in y"),
    nmad_row("VMIN", 0x08, 5, "the minimum"),
    nmad_row("VMAX", 0x08, 6, "the maximum"),
    nmad_row("VDP", 0x08, 7, "the dot product"),
    nmad_row("VF16MUL", 0x10, 0, "multiplies halves"),
    nmad_row("VF16ADD", 0x10, 1, "adds halves"),
    nmad_row("VF16FRC", 0x10, 2, "the fraction of halves"),
    nmad_row("VF16DSX", 0x10, 3, "the difference of halves to the neighbour in x"),
    nmad_row("VF16DSY", 0x10, 4, "the difference of halves to the neighbour in y"),
    nmad_row("VF16MIN", 0x10, 5, "the minimum of halves"),
    nmad_row("VF16MAX", 0x10, 6, "the maximum of halves"),
    nmad_row("VF16DP", 0x10, 7, "the dot product of halves"),
];

/// Source 1 of group 0x18.
const GPI_S1: Register = source(bits("source_1", 0, 6), S1_FILE, 2);
const INTERNAL: Format = Format::Register {
    prefix: "i",
    scale: 1,
    top: None,
};

macro_rules! mad {
    ($own:literal, $tables:expr) => {
        &[
            Text(" "),
            Piece::Register(&D),
            Piece::Channels(&fixed("mask", WRITTEN, $own)),
            Text(" "),
            Names(bits("gpi0_modifier", 11, 1).and(46, 1), MODIFIER),
            Number(bits("gpi0", 28, 2), INTERNAL),
            Flag(bits("gpi0_absolute", 46, 1), 1, ")"),
            Piece::Channels(&swizzle(WRITTEN, bits("gpi0_swizzle", 18, 4).and(34, 1), $tables)),
            Text(" "),
            modified!(
                bits("source_1_modifier", 38, 1).and(37, 1),
                bits("source_1_absolute", 37, 1),
                GPI_S1,
                swizzle(WRITTEN, bits("source_1_swizzle", 6, 4).and(10, 1), $tables).of(S1_FILE)
            ),
            Text(" "),
            Names(bits("gpi1_modifier", 36, 1).and(35, 1), MODIFIER),
            Number(bits("gpi1", 12, 2), INTERNAL),
            Flag(bits("gpi1_absolute", 35, 1), 1, ")"),
            Piece::Channels(&swizzle(WRITTEN, bits("gpi1_swizzle", 14, 4).and(54, 1), $tables)),
            unseen!("skipinv" 55, "end" 50, "repeat_mode" 47 .. 48, "repeat" 44 .. 45, "nosched" 43),
        ]
    };
}

macro_rules! dot {
    ($mask:expr, $tables:expr) => {
        &[
            Text(" "),
            Piece::Register(&D),
            Piece::Channels(&written(WRITTEN)),
            Text(" "),
            modified!(
                bits("source_1_modifier", 38, 1).and(37, 1),
                bits("source_1_absolute", 37, 1),
                GPI_S1,
                letters(
                    $mask,
                    &[
                        bits("source_1_x", 6, 3),
                        bits("source_1_y", 9, 3),
                        bits("source_1_z", 12, 3),
                        bits("source_1_w", 15, 3),
                    ]
                )
                .of(S1_FILE)
            ),
            Text(" "),
            Flag(bits("gpi0_absolute", 46, 1), 1, "abs("),
            Number(bits("gpi0", 28, 2), INTERNAL),
            Flag(bits("gpi0_absolute", 46, 1), 1, ")"),
            Piece::Channels(&swizzle($mask, bits("gpi0_swizzle", 18, 4), $tables)),
            unseen!(
                "skipinv" 55, "clip_plane_enable" 54, "end" 50, "repeat_mode" 47 .. 48, "repeat" 44 .. 45, "nosched" 43,
                "clip_plane" 34 .. 36,
            ),
        ]
    };
}

/// Group 0x18: bit 53 distinguishes multiplications from dot products, bit 52 three channels from four. The text does
/// not show the number of channels of a multiplication.
pub const INTERNAL_SOURCES: &[Row] = &[
    mad_row("VMAD", 2, mad!("xyz", &[&VEC3_BOTH])).untold(1 << 52),
    mad_row("VMAD", 3, mad!("xyzw", &[&VEC4_BOTH])).untold(1 << 52),
    dot_row("VDP", 0, dot!(XYZ, &[&VEC3])),
    dot_row("VDP", 1, dot!(XYZW, &[&VEC4])),
];

const fn mad_row(mnemonic: &'static str, form: u128, pieces: &'static [Piece]) -> Row {
    group(mnemonic, GROUP | 3 << 52, 0x18 << 56 | form << 52, pieces)
        .lead(VECTOR)
        .about("multiplies and adds, two of the sources internal registers")
        .source("usse_full.json, VMAD")
        .notes(&["The last five extended swizzles of three channels are not defined: `?`."])
}

const fn dot_row(mnemonic: &'static str, form: u128, pieces: &'static [Piece]) -> Row {
    group(mnemonic, GROUP | 3 << 52, 0x18 << 56 | form << 52, pieces)
        .lead(VECTOR)
        .about("the dot product with an internal register")
        .source("usse_full.json, VDP")
}

/// Group 0x30.
const COMPLEX_S1_FILE: Field = bits("source_1_file", 30, 2).and(49, 1);
const COMPONENT: Field = bits("component", 35, 2);
const ONE_OF: &[Mask] = &[
    Mask::at(X[0], COMPONENT.mask(), 0),
    Mask {
        base: 2,
        ..Mask::at(X[0], COMPONENT.mask(), COMPONENT.put(1))
    },
    Mask {
        base: 4,
        ..Mask::at(X[0], COMPONENT.mask(), COMPONENT.put(2))
    },
    Mask {
        base: 8,
        ..Mask::at(X[0], COMPONENT.mask(), COMPONENT.put(3))
    },
];

const COMPLEX: &[Piece] = &[
    Text(" "),
    Piece::Register(&destination(
        bits("destination", 21, 7),
        bits("destination_file", 32, 2).and(51, 1),
        2,
    )),
    Piece::Channels(&written(&[each(bits("mask", 0, 4))])),
    Text(" "),
    modified!(
        bits("source_1_modifier", 37, 2),
        bits("source_1_modifier", 38, 1),
        source(bits("source_1", 7, 7), COMPLEX_S1_FILE, 2),
        fixed("component", ONE_OF, "xyzw").of(COMPLEX_S1_FILE)
    ),
    unseen!(
        "component" 35 .. 36, "skipinv" 55, "destination_type" 53 .. 54, "syncstart" 52, "end" 50, "repeat" 44 .. 47,
        "nosched" 43, "source_type" 39 .. 40,
    ),
];

const fn complex(mnemonic: &'static str, operation: u128, about: &'static str) -> Row {
    group(mnemonic, GROUP | 3 << 41, 0x30 << 56 | operation << 41, COMPLEX)
        .lead(EXTENDED)
        .about(about)
        .source("usse_full.json, VCOMP")
}

pub const COMPLEX_ROWS: &[Row] = &[
    complex("VRCP", 0, "the reciprocal of one channel"),
    complex("VRSQ", 1, "the reciprocal of the square root of one channel"),
    complex("VLOG", 2, "the binary logarithm of one channel"),
    complex("VEXP", 3, "2 to the power of one channel"),
];

/// Group 0x38: the types with register numbers in steps of two.
const MOVE_MASK: Field = bits("mask", 24, 4);
const MOVE_D: Register = destination(bits("destination", 18, 6), D_FILE, 2);
const MOVE_S0: Register = source_0(bits("source_0", 12, 6), bits("source_0_file", 34, 1).and(50, 1), 2);
const MOVE_INTERNAL: Mask = each(MOVE_MASK).at(D_FILE.mask() | 15 << 20, 15 << 20);
const MOVE_F32: &[Mask] = &[MOVE_INTERNAL, each(MOVE_MASK).adding(SINGLES)];
const MOVE_F16: &[Mask] = &[
    MOVE_INTERNAL,
    each(MOVE_MASK).at(D_FILE.mask(), D_FILE.put(3)),
    each(MOVE_MASK).at(D_FILE.mask(), D_FILE.put(4)).adding(HALVES),
    each(MOVE_MASK).at(1 << 51, 1 << 51),
    each(MOVE_MASK).adding(HALVES),
];
const MOVE_C10: &[Mask] = &[each(MOVE_MASK)];
const MOVE_SWIZZLE: Field = bits("swizzle", 35, 4);
const MOVE_TEST: Piece = Names(
    bits("test", 39, 1).and(54, 1),
    &[Some(" =="), Some(" !="), Some(" <"), Some(" <=")],
);
const OWN_SWIZZLE: Field = bits("source_0_swizzled", 53, 1);

macro_rules! conditional {
    ($d:expr, $s0:expr, $s1:expr, $s2:expr, $($more:expr),*) => {
        &[
            Text(" "), $d, Text(" ("), $s0, MOVE_TEST, Text(" vec(0)) ? "), $s1, Text(" : "), $s2,
            unseen!("skipinv" 55, "syncstart" 52, "repeat" 44 .. 45, "nosched" 43),
            $($more),*
        ]
    };
}

/// The moves of a type: unconditional, by a condition, by a condition on bytes.
macro_rules! moves {
    ($name:ident, $type:literal, $number:literal, vector $mask:expr) => {
        const $name: &[Row] = &[
            move_row(
                concat!("VMOV.", $type),
                $number,
                0,
                &[
                    Text(" "),
                    Piece::Register(&MOVE_D),
                    Piece::Channels(&written($mask)),
                    Text(" "),
                    Piece::Register(&S1),
                    Piece::Channels(&swizzle($mask, MOVE_SWIZZLE, &[&VEC4]).of(S1_FILE)),
                    UNCONDITIONAL,
                ],
            ),
            move_row(concat!("VMOVC.", $type), $number, 1, vector_conditional!($mask)),
            move_row(concat!("VMOVCU8.", $type), $number, 2, vector_conditional!($mask)),
        ];
    };
    ($name:ident, $type:literal, $number:literal, scalar) => {
        const $name: &[Row] = &[
            move_row(
                concat!("VMOV.", $type),
                $number,
                0,
                &[
                    Text(" "),
                    plain_scalar!(MOVE_D.times(1)),
                    Text(" "),
                    scalar!(S1.times(1)),
                    UNCONDITIONAL,
            unseen!("swizzle" 35 .. 38, "mask" 24 .. 27),
                ],
            ),
            move_row(concat!("VMOVC.", $type), $number, 1, SCALAR_CONDITIONAL),
            move_row(concat!("VMOVCU8.", $type), $number, 2, SCALAR_CONDITIONAL),
        ];
    };
}

macro_rules! vector_conditional {
    ($mask:expr) => {
        conditional!(
            Pieces(&[Piece::Register(&MOVE_D), Piece::Channels(&written($mask))]),
            Pieces(&[
                Piece::Register(&MOVE_S0),
                Silent(&[
                    when(OWN_SWIZZLE, 0, &[Piece::Channels(&fixed("mask", $mask, "xyzw"))]),
                    otherwise(&[Piece::Channels(&swizzle($mask, MOVE_SWIZZLE, &[&VEC4]))]),
                ]),
            ]),
            Pieces(&[
                Piece::Register(&S1),
                Piece::Channels(&swizzle($mask, MOVE_SWIZZLE, &[&VEC4]).of(S1_FILE)),
            ]),
            Pieces(&[
                Piece::Register(&S2),
                Piece::Channels(&swizzle($mask, MOVE_SWIZZLE, &[&VEC4]).of(S2_FILE)),
            ]),
        )
    };
}

const SCALAR_CONDITIONAL: &[Piece] = conditional!(
    plain_scalar!(MOVE_D.times(1)),
    plain_scalar!(MOVE_S0.times(1)),
    scalar!(S1.times(1)),
    scalar!(S2.times(1)),
    unseen!("source_0_swizzled" 53, "swizzle" 35 .. 38, "mask" 24 .. 27)
);

/// The fields that an unconditional move does not use.
const UNCONDITIONAL: Piece = unseen!(
    "skipinv" 55, "test_bit_2" 54, "source_0_swizzled" 53, "syncstart" 52, "end" 50, "repeat" 44 .. 45, "nosched" 43,
    "test_bit_1" 39,
);

const fn move_row(mnemonic: &'static str, number: u128, form: u128, pieces: &'static [Piece]) -> Row {
    let about = match form {
        0 => "moves",
        1 => "moves source 1 where the condition on source 0 is true, otherwise source 2",
        _ => "moves source 1 where the condition on bytes of source 0 is true, otherwise source 2",
    };
    group(
        mnemonic,
        GROUP | 3 << 46 | 7 << 40,
        0x38 << 56 | form << 46 | number << 40,
        pieces,
    )
    .lead(EXTENDED)
    .about(about)
    .source("usse_full.json, VMOV")
}

moves!(I8, "i8", 0, scalar);
moves!(I16, "i16", 1, scalar);
moves!(I32, "i32", 2, scalar);
moves!(C10, "c10", 3, vector MOVE_C10);
moves!(F16, "f16", 4, vector MOVE_F16);
moves!(F32, "f32", 5, vector MOVE_F32);
moves!(U8, "u8", 6, scalar);
moves!(U16, "u16", 7, scalar);

/// Group 0x38, a list for each type.
pub const MOVES: [&[Row]; 8] = [I8, I16, I32, C10, F16, F32, U8, U16];

pub const UNKNOWN_MOVE: &[Row] = &[group("VMOV", GROUP | 3 << 46, 0x38 << 56 | 3 << 46, &[])
    .about("a move of an unknown kind")
    .source("usse_full.json, VMOV")];
