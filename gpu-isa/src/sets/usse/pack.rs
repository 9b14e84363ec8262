//! Conversions between formats: group 0x40.

use super::operands::*;
use crate::set::*;

const D: Register = DESTINATION_7;
const WRITTEN: &[Mask] = &[each(bits("mask", 34, 4))];
const S1_FILE: Field = bits("source_1_file", 30, 2).and(49, 1);
const S2_FILE: Field = bits("source_2_file", 28, 2).and(48, 1);
/// A source of floats is numbered by pairs of registers; a source of integers has one more bit in its number.
const FLOATS: Register = source(bits("source_1", 8, 6), S1_FILE, 2);
const INTEGERS: Register = source(bits("source_1", 7, 7), S1_FILE, 1);
const S2: Register = source(bits("source_2", 1, 6), S2_FILE, 2);

const Y: Field = bits("channel_1", 16, 2);
const Z: Field = bits("channel_2", 14, 2);
const W: Field = bits("channel_3", 19, 2);
/// The first channel: with a second source its upper bit is next to the first source's number.
const OF_F32: &[Field] = &[bits("channel_0", 0, 1).and(7, 1), Y, Z, W];
const OF_OTHERS: &[Field] = &[bits("channel_0", 0, 2), Y, Z, W];

/// The channels of a source: packed if one of the formats is an integer format.
const fn packed(fields: &'static [Field], packed: bool, rest: &'static str) -> Channels {
    Channels {
        name: "swizzle",
        mask: WRITTEN,
        letters: Letters::Each {
            fields,
            letters: "xyzw",
            packed,
            rest,
        },
        absent: immediate(S1_FILE),
    }
}

const SCALE: Piece = Cases(&[
    when(bits("scale", 18, 1), 1, &[Text(" [scale]")]),
    otherwise(&[Text(" [noscale]")]),
]);
const REST: Piece = unseen!(
    "skipinv" 55, "nosched" 54, "unknown" 53, "syncstart" 52, "end" 50, "repeat" 44 .. 47,
);
/// Without a second source its bits have no effect, except for one bit of the first channel.
const ONE_SOURCE: Piece = Unseen(&[
    Number(bits("source_2_unused", 2, 5), DECIMAL),
    Number(bits("source_2_file", 28, 2).and(48, 1), DECIMAL),
]);

macro_rules! one_source {
    ($register:expr, $channels:expr, $($more:expr),*) => {
        &[
            Text(" "),
            Piece::Register(&D),
            Piece::Channels(&written(WRITTEN)),
            Text(" "),
            Piece::Register(&$register),
            Piece::Channels(&$channels),
            SCALE,
            REST,
            ONE_SOURCE,
            $($more),*
        ]
    };
}

/// One source of floats; the second source is an immediate, or equal to it.
macro_rules! first_of_two {
    ($packed:literal, $($more:expr),*) => {
        &[
            Text(" "),
            Piece::Register(&FLOATS),
            Piece::Channels(&packed(OF_F32, $packed, "")),
            $($more),*
        ]
    };
}

macro_rules! both_of_two {
    ($packed:literal) => {
        &[
            Text(" ("),
            Piece::Register(&FLOATS),
            Piece::Channels(&packed(OF_F32, $packed, "")),
            Text(" "),
            Piece::Register(&S2),
            Piece::Channels(&fixed("mask", XYZW, "xyzw").of(S2_FILE)),
            Text(")"),
        ]
    };
}

/// Both sources, with their files.
const FIRST: Field = bits("source_1", 8, 6).and(30, 2).and(49, 1);
const SECOND_OF_TWO: Field = bits("source_2", 1, 6).and(28, 2).and(48, 1);

/// The selectors of the four channels.
const IDENTITY: Field = bits("channels", 0, 1).and(7, 1).and(16, 2).and(14, 2);
const MASK: Field = bits("mask", 34, 4);

/// A case in which two equal sources are written once: every channel selects itself, and the mask has the first
/// channels.
macro_rules! once {
    ($packed:literal, $mask:literal) => {
        when(
            IDENTITY,
            0b10_01_0_0,
            &[Piece::Same(&Same {
                one: FIRST,
                other: SECOND_OF_TWO,
                same: first_of_two!($packed,),
                differ: both_of_two!($packed),
            })],
        )
        .with(W, 3)
        .with(MASK, $mask)
    };
}

macro_rules! two_sources {
    ($packed:literal) => {
        &[
            Text(" "),
            Piece::Register(&D),
            Piece::Channels(&written(WRITTEN)),
            Silent(&[
                when(S2_FILE, 6, first_of_two!($packed,)),
                once!($packed, 1),
                once!($packed, 3),
                once!($packed, 7),
                once!($packed, 15),
                otherwise(both_of_two!($packed)),
            ]),
            Unseen(&[Piece::Register(&S2)]),
            SCALE,
            REST,
        ]
    };
}

const BYTES: &[Piece] = one_source!(INTEGERS, packed(OF_OTHERS, true, "xy"),);
const WORDS: &[Piece] = one_source!(INTEGERS, packed(OF_OTHERS, true, ""),);
const HALVES: &[Piece] = one_source!(FLOATS, packed(OF_OTHERS, false, ""), unseen!("unused" 7));
const PACKED_HALVES: &[Piece] = one_source!(FLOATS, packed(OF_OTHERS, true, ""), unseen!("unused" 7));
const SINGLES: &[Piece] = two_sources!(false);
const PACKED_SINGLES: &[Piece] = two_sources!(true);

const fn pack(mnemonic: &'static str, from: u128, to: u128) -> Row {
    let floats = to >= 5;
    let pieces = match from {
        0 => BYTES,
        1..=4 => WORDS,
        5 | 7 if floats => HALVES,
        5 | 7 => PACKED_HALVES,
        _ if floats => SINGLES,
        _ => PACKED_SINGLES,
    };
    let row = group(
        mnemonic,
        GROUP | 7 << 41 | 7 << 38,
        0x40 << 56 | from << 41 | to << 38,
        pieces,
    )
    .lead(EXTENDED)
    .about("converts and packs")
    .source("usse_full.json, VPCK");
    match from {
        0 => row.notes(&[
            "The channels of 8-bit sources are uncertain: results of a shader on hardware match neither Vita3K's \
             channels, which are used here, nor the channels given by the fields.",
        ]),
        1..=4 => row,
        6 => row.usual(S2_FILE.put(6)).notes(&[
            "The second source is not printed if it is an immediate, or if it equals the first one, the swizzle is the \
             identity and the mask has the first channels. A text with one source has the immediate 0 as its second.",
        ]),
        _ => row,
    }
}

/// The rows that convert from a format to each.
macro_rules! from {
    ($name:ident, $from:literal, $number:literal) => {
        pub const $name: &[Row] = &[
            pack(concat!("VPCKU8", $from), $number, 0),
            pack(concat!("VPCKS8", $from), $number, 1),
            pack(concat!("VPCKO8", $from), $number, 2),
            pack(concat!("VPCKU16", $from), $number, 3),
            pack(concat!("VPCKS16", $from), $number, 4),
            pack(concat!("VPCKF16", $from), $number, 5),
            pack(concat!("VPCKF32", $from), $number, 6),
            pack(concat!("VPCKC10", $from), $number, 7),
        ];
    };
}

from!(FROM_U8, "U8", 0);
from!(FROM_S8, "S8", 1);
from!(FROM_O8, "O8", 2);
from!(FROM_U16, "U16", 3);
from!(FROM_S16, "S16", 4);
from!(FROM_F16, "F16", 5);
from!(FROM_F32, "F32", 6);
from!(FROM_C10, "C10", 7);
