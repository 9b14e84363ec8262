//! Tests, of a predicate and of a mask: groups 0x48 and 0x78.

use super::operands::*;
use crate::set::*;

const S1_FILE: Field = bits("source_1_file", 30, 2).and(49, 1);
const S2_FILE: Field = bits("source_2_file", 28, 2).and(48, 1);
const NEGATIVE: Piece = Flag(bits("source_1_negative", 50, 1), 1, "-");
const COMPONENT: Field = bits("component", 36, 3);
/// The channel that a test reads.
const ONE_OF: &[Mask] = &[
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
    Mask::at(X[0], COMPONENT.mask(), 0),
];
/// The channel of a register that may be an immediate. The meaning of the upper four values is unknown.
macro_rules! component {
    ($file:expr, $channels:expr) => {
        Cases(&[
            case($file.mask(), $file.put(6), &[]),
            when(
                bits("component_unknown", 38, 1),
                1,
                &[Piece::Channels(&fixed("component", X, "?"))],
            ),
            otherwise(&[Piece::Channels(&$channels)]),
        ])
    };
}

/// The kind of mask that a test writes: the third writes all channels.
const MASK_KIND: Field = bits("mask_kind", 36, 2);
const BY_KIND: &[Mask] = &[
    Mask {
        base: 15,
        ..Mask::at(X[0], MASK_KIND.mask(), MASK_KIND.put(2))
    },
    X[0],
];

const ZERO: Field = bits("zero_test", 40, 2);
const SIGN: Field = bits("sign_test", 42, 2);
/// A condition of the result: sign and zero. With the fourth value of the sign, the value of zero does not matter.
const OF_RESULT: Piece = Cases(&[
    when(SIGN, 3, &[Text(".invzero")]),
    when(
        ZERO,
        1,
        &[Names(SIGN, &[Some(".equalzero"), Some(".lezero"), Some(".gezero")])],
    ),
    otherwise(&[Names(SIGN, &[Some(".nezero"), Some(".ltzero"), Some(".gtzero")])]),
]);
/// The condition of a subtraction, which compares its sources.
const OF_SOURCES: Piece = Cases(&[
    when(SIGN, 3, &[Text(".inv")]),
    when(ZERO, 1, &[Names(SIGN, &[Some(".equal"), Some(".le"), Some(".ge")])]),
    otherwise(&[Names(SIGN, &[Some(".ne"), Some(".lt"), Some(".gt")])]),
]);

const REST: Piece = unseen!(
    "zero_test" 40 .. 41, "skipinv" 55, "onceonly" 53, "syncstart" 52, "repeat" 44 .. 45, "and" 39, "write_enable" 20,
);
const PREDICATE: Format = Format::Register {
    prefix: " p",
    scale: 1,
    top: None,
};

/// A test of a predicate: condition, type, scale of the registers, channels of source 2, further pieces.
macro_rules! predicate_pieces {
    ($condition:expr, $type:literal, $scale:literal, $second:expr, $($more:expr),*) => {
        &[
            $condition,
            Text($type),
            Number(bits("tested", 34, 2), PREDICATE),
            Text(" "),
            NEGATIVE,
            Piece::Register(&source(bits("source_1", 7, 7), S1_FILE, $scale)),
            component!(S1_FILE, fixed("component", ONE_OF, "xyzw")),
            Text(" "),
            Piece::Register(&source(bits("source_2", 0, 7), S2_FILE, $scale)),
            $second,
            REST,
            unseen!("component" 36 .. 38, "destination" 21 .. 27, "destination_file" 32 .. 33, "destination_extension" 51),
            $($more),*
        ]
    };
}

/// With this piece, all channels of source 2 may be its first channel.
const SPREAD: Piece = component!(
    S2_FILE,
    Channels {
        name: "source_2_spread",
        mask: ONE_OF,
        letters: Letters::Table {
            choice: bits("table", 0, 0),
            tables: &[&["xyzw", "xxxx"]],
            entry: bits("source_2_spread", 46, 1),
        },
        absent: None,
    }
);
const NOT_SPREAD: Piece = Pieces(&[
    component!(S2_FILE, fixed("component", ONE_OF, "xyzw")),
    unseen!("source_2_spread" 46),
]);

/// A test of a mask: condition, types, scale of the registers, channels.
macro_rules! mask_pieces {
    ($condition:expr, $type:literal, $scale:literal, $mask:expr, $($more:expr),*) => {
        &[
            $condition,
            Text($type),
            Text($type),
            Text(" "),
            Piece::Register(&DESTINATION_7.times($scale)),
            Piece::Channels(&written($mask)),
            Text(" "),
            NEGATIVE,
            Piece::Register(&source(bits("source_1", 7, 7), S1_FILE, $scale)),
            Piece::Channels(&fixed("mask", $mask, "xyzw").of(S1_FILE)),
            Text(" "),
            Piece::Register(&source(bits("source_2", 0, 7), S2_FILE, $scale)),
            Piece::Channels(&fixed("mask", $mask, "xyzw").of(S2_FILE)),
            REST,
            unseen!("mask_kind" 36 .. 37, "source_2_spread" 46),
            $($more),*
        ]
    };
}

const OPERATION: u128 = 15 << 14 | 3 << 18;

/// A row of group 0x48, by the unit and the operation in it.
const fn predicate(mnemonic: &'static str, unit: u128, operation: u128, pieces: &'static [Piece]) -> Row {
    tested(mnemonic, 0x48, unit, operation, pieces)
        .about("tests a result and writes a predicate")
        .source("usse_full.json, VTST")
        .notes(&["The document calls this group illegal, but compiled shaders use it."])
}

/// A row of group 0x78.
const fn mask(mnemonic: &'static str, unit: u128, operation: u128, pieces: &'static [Piece]) -> Row {
    tested(mnemonic, 0x78, unit, operation, pieces)
        .about("tests a result and writes a mask")
        .source("usse_full.json, VTSTMSK")
        .notes(&[
            "The document calls this group illegal, but compiled shaders use it.",
            "The mask's kind: bytes that are not 0, or 1.0 in each channel (2). On hardware VRCP, VRSQ, VLOG and VEXP \
             use the first channel for all.",
        ])
}

const fn tested(
    mnemonic: &'static str,
    group_byte: u128,
    unit: u128,
    operation: u128,
    pieces: &'static [Piece],
) -> Row {
    group(
        mnemonic,
        GROUP | OPERATION,
        group_byte << 56 | unit << 18 | operation << 14,
        pieces,
    )
    .lead(EXTENDED)
    .rank(1)
    // Compilers set bit 41 if the test is not for zero.
    .usual(2 << 40)
}

/// A row of floats: one more fixed bit, their size.
const fn sized(mut row: Row, single: u128) -> Row {
    row.mask |= 1 << 47;
    row.value |= single << 47;
    row
}

macro_rules! floats {
    ($predicates:ident, $masks:ident, $single:literal, $type:literal: $($operation:literal $mnemonic:literal $mask:ident,)*) => {
        pub const $predicates: &[Row] = &[
            $(sized(predicate($mnemonic, 0, $operation, predicate_pieces!(OF_RESULT, $type, 2, SPREAD,)), $single),)*
            sized(predicate("CMP", 0, 14, predicate_pieces!(OF_SOURCES, $type, 2, SPREAD,)), $single),
        ];
        pub const $masks: &[Row] = &[
            $(sized(mask($mnemonic, 0, $operation, mask_pieces!(OF_RESULT, $type, 2, $mask,)), $single),)*
            sized(mask("CMPMSK", 0, 14, mask_pieces!(OF_SOURCES, $type, 2, BY_KIND,)), $single),
        ];
    };
}

floats!(HALVES, MASK_HALVES, 0, ".f16":
    2 "VF16ADD" BY_KIND,
    3 "VF16FRC" BY_KIND,
    4 "VRCP" BY_KIND,
    5 "VRSQ" BY_KIND,
    6 "VLOG" BY_KIND,
    7 "VEXP" BY_KIND,
    8 "VF16DP" XYZW,
    9 "VF16MIN" BY_KIND,
    10 "VF16MAX" BY_KIND,
    11 "VF16DSX" BY_KIND,
    12 "VF16DSY" BY_KIND,
    13 "VF16MUL" BY_KIND,
);
floats!(SINGLES, MASK_SINGLES, 1, ".f32":
    2 "VADD" BY_KIND,
    3 "VFRC" BY_KIND,
    4 "VRCP" BY_KIND,
    5 "VRSQ" BY_KIND,
    6 "VLOG" BY_KIND,
    7 "VEXP" BY_KIND,
    8 "VDP" XYZW,
    9 "VMIN" BY_KIND,
    10 "VMAX" BY_KIND,
    11 "VDSX" BY_KIND,
    12 "VDSY" BY_KIND,
    13 "VMUL" BY_KIND,
);

macro_rules! integers {
    ($predicates:ident, $masks:ident, $unit:literal: $($operation:literal $condition:ident $type:literal $mnemonic:literal $masked:literal,)*) => {
        pub const $predicates: &[Row] = &[
            $(predicate($mnemonic, $unit, $operation, predicate_pieces!(
                $condition, $type, 1, NOT_SPREAD, unseen!("precision" 47)
            )),)*
        ];
        pub const $masks: &[Row] = &[
            $(mask($masked, $unit, $operation, mask_pieces!(
                $condition, $type, 1, X, unseen!("precision" 47)
            )),)*
        ];
    };
}

integers!(WORDS, MASK_WORDS, 1:
    6 OF_RESULT ".i16" "IADD16" "IADD16",
    7 OF_SOURCES ".i16" "CMP" "CMPMSK",
    8 OF_RESULT ".i16" "IMUL16" "IMUL16",
    9 OF_RESULT ".u16" "IADDU16" "IADDU16",
    10 OF_SOURCES ".u16" "CMP" "CMPMSK",
    11 OF_RESULT ".u16" "IMULU16" "IMULU16",
    12 OF_RESULT ".i32" "IADD32" "IADD32",
    13 OF_RESULT ".u32" "IADDU32" "IADDU32",
    14 OF_SOURCES ".i32" "CMP" "CMPMSK",
    15 OF_SOURCES ".u32" "CMP" "CMPMSK",
);
integers!(BYTES, MASK_BYTES, 2:
    0 OF_RESULT ".u8" "IADD8" "IADD8",
    2 OF_RESULT ".u8" "IADDU8" "IADDU8",
    4 OF_RESULT ".u8" "IMUL8" "IMUL8",
    5 OF_RESULT ".u8" "FPMUL8" "FPMUL8",
    6 OF_RESULT ".u8" "IMULU8" "IMULU8",
    7 OF_RESULT ".u8" "FPADD8" "FPADD8",
);
integers!(BITS, MASK_BITS, 3:
    0 OF_RESULT ".u32" "AND" "AND",
    1 OF_RESULT ".u32" "OR" "OR",
    2 OF_RESULT ".u32" "XOR" "XOR",
    3 OF_RESULT ".u32" "SHL" "SHL",
    4 OF_RESULT ".u32" "SHR" "SHR",
    5 OF_RESULT ".u32" "ROL" "ROL",
    7 OF_RESULT ".u32" "ASR" "ASR",
);

/// Three subtractions of bytes (ISUB8, ISUBU8, FPSUB8) have the same text. It is assembled as the last one, which
/// compilers use.
macro_rules! subtractions {
    ($build:ident, $mnemonic:literal, $pieces:expr) => {
        &[
            untold($build($mnemonic, 2, 1, $pieces)),
            untold($build($mnemonic, 2, 3, $pieces)),
            untold($build($mnemonic, 2, 8, $pieces)),
        ]
    };
}

const fn untold(row: Row) -> Row {
    row.untold(15 << 14).usual(2 << 40 | 8 << 14)
}

pub const BYTE_COMPARISONS: &[Row] = subtractions!(
    predicate,
    "CMP",
    predicate_pieces!(OF_SOURCES, ".u8", 1, NOT_SPREAD, unseen!("precision" 47))
);
pub const MASK_BYTE_COMPARISONS: &[Row] = subtractions!(
    mask,
    "CMPMSK",
    mask_pieces!(OF_SOURCES, ".u8", 1, X, unseen!("precision" 47))
);

/// Unknown operations of both groups.
pub const UNKNOWN: &[Row] = &[
    group(
        "VTST",
        GROUP,
        0x48 << 56,
        &[unseen!("unit" 18 .. 19, "operation" 14 .. 17, "precision" 47)],
    )
    .about("a test with an unknown operation")
    .source("usse_full.json, VTST"),
    group(
        "VTSTMSK",
        GROUP,
        0x78 << 56,
        &[unseen!("unit" 18 .. 19, "operation" 14 .. 17, "precision" 47)],
    )
    .about("a test of a mask with an unknown operation")
    .source("usse_full.json, VTSTMSK"),
];
