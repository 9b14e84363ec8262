//! Textures and memory: groups 0xe0, 0xe8, 0xf0.

use super::operands::*;
use crate::set::*;

const S1_FILE: Field = bits("source_1_file", 30, 2).and(49, 1);
const S2_FILE: Field = bits("source_2_file", 28, 2).and(48, 1);
const S0: Register = source_0(bits("source_0", 14, 7), bits("source_0_file", 34, 1).and(50, 1), 1);

/// A destination that is a primary attribute or a temporary register.
const ATTRIBUTE: Piece = Pieces(&[
    Names(bits("destination_file", 39, 1), &[Some(" r"), Some(" pa")]),
    Number(bits("destination", 21, 7), DECIMAL),
    Text(".x"),
]);

const LEVEL: Field = bits("lod_mode", 40, 2);

macro_rules! sample {
    ($mask:expr) => {
        &[
            Cases(&[
                when(bits("result_format", 46, 2), 1, &[Text(".sampler")]),
                when(bits("result_format", 46, 2), 2, &[Text(".f16")]),
                otherwise(&[Text(".f32")]),
            ]),
            Cases(&[
                when(bits("coordinate_format", 35, 2), 0, &[Text(".f32")]),
                when(bits("coordinate_format", 35, 2), 1, &[Text(".f16")]),
                otherwise(&[Text(".c10")]),
            ]),
            Names(
                bits("query", 37, 2),
                &[Some(""), Some(".gather4"), Some(".info"), Some(".gather4.uv")],
            ),
            ATTRIBUTE,
            Text(" "),
            Piece::Register(&S0.times(2)),
            Piece::Channels(&fixed("mask", $mask, "xyzw")),
            Text(" "),
            Piece::Register(&SOURCE_1_7.times(2)),
            Cases(&[
                when(LEVEL, 0, &[unseen!("source_2" 0 .. 6, "source_2_file" 28 .. 29, "source_2_extension" 48)]),
                otherwise(&[
                    Text(" "),
                    Piece::Register(&SOURCE_2_7.times(2)),
                    Piece::Channels(&fixed("mask", X, "xyzw").of(S2_FILE)),
                ]),
            ]),
            Unseen(&[Names(LEVEL, &[Some("none"), Some("bias"), Some("replace"), Some("gradient")])]),
            unseen!(
                "result_format" 46 .. 47, "coordinate_format" 35 .. 36, "skipinv" 55, "nosched" 54, "syncstart" 52, "minpack" 51,
                "repeat" 44 .. 45, "drc" 32 .. 33,
            ),
        ]
    };
}

const fn sample_row(mnemonic: &'static str, dimensions: u128, pieces: &'static [Piece]) -> Row {
    group(mnemonic, GROUP | 3 << 42, 0xe0 << 56 | dimensions << 42, pieces)
        .lead(EXTENDED)
        .about("samples a texture: destination, coordinates, sampler, level of detail")
        .source("usse_full.json, SMP")
        .notes(&["The level is a bias, replaces the texture's level, or is a gradient; only `lod_mode` shows which."])
        // The usual values among encodings with the same text: a bias, f32, c10.
        .usual(LEVEL.put(1) | 2 << 35)
}

pub const SAMPLES: &[Row] = &[
    sample_row("SMP1d", 0, sample!(X)),
    sample_row("SMP2d", 1, sample!(XY)),
    sample_row("SMP3d", 2, sample!(XYZ)),
    sample_row("SMP4d", 3, sample!(XY)),
];

const TYPE: Field = bits("data_type", 36, 2);

/// Address and size of a load, by the bytes of its type.
macro_rules! load {
    ($bytes:literal) => {
        &[
            ATTRIBUTE,
            Text(" ("),
            plain_scalar!(S0),
            Text(" + "),
            Piece::Register(&SOURCE_1_7.unit($bytes)),
            Piece::Channels(&fixed("mask", X, "xyzw").of(S1_FILE)),
            Text(" + "),
            scalar!(SOURCE_2_7),
            Text(") ["),
            Number(bits("repeat", 44, 4), Format::Counted { scale: $bytes }),
            Text(" bytes]"),
        ]
    };
}

macro_rules! store {
    ($bytes:literal) => {
        &[
            Text(" "),
            scalar!(SOURCE_2_7),
            Text(" ("),
            plain_scalar!(S0),
            Text(" + "),
            Piece::Register(&SOURCE_1_7.unit($bytes)),
            Piece::Channels(&fixed("mask", X, "xyzw").of(S1_FILE)),
            Text(" + 0) [4 bytes]"),
        ]
    };
}

const REST: Piece = Pieces(&[
    Unseen(&[Names(
        TYPE,
        &[Some("32 bits"), Some("16 bits"), Some("8 bits"), Some("32 bits")],
    )]),
    unseen!(
        "skipinv" 55, "nosched" 54, "moe_expand" 53, "syncstart" 52, "cache_ext" 51, "addr_mode" 42 .. 43, "mode" 40 .. 41,
        "range_enable" 38, "decrement" 35, "cache_by_pass12" 33, "drc" 32,
    ),
]);

const UNITS: &str = "An immediate counts units of the data type, which the text does not show.";

pub const MEMORY: &[Row] = &[
    group(
        "LDR",
        GROUP,
        0xe8 << 56,
        &[
            Silent(&[when(TYPE, 1, load!(2)), when(TYPE, 2, load!(1)), otherwise(load!(4))]),
            REST,
        ],
    )
    .lead(EXTENDED)
    .about("loads from the sum of the sources")
    .source("usse_full.json, VLDST")
    .notes(&[UNITS, "Vita3K prints an undefined swizzle after the destination."]),
    group(
        "STR",
        GROUP,
        0xf0 << 56,
        &[
            Silent(&[when(TYPE, 1, store!(2)), when(TYPE, 2, store!(1)), otherwise(store!(4))]),
            REST,
            unseen!("destination" 21 .. 27, "destination_file" 39, "repeat" 44 .. 47),
        ],
    )
    .lead(EXTENDED)
    .about("stores source 2 to the sum of sources 0 and 1")
    .source("usse_full.json, VLDST")
    .notes(&[UNITS]),
];
