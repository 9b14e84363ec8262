//! Fragments and tiles: interpolation, varyings, tile memory, sample masks, depth.

use super::operands::*;
use super::places::*;
use crate::set::*;

const SOURCE: &str = "applegpu.py, Memory and Stack Instructions; Mesa, AGX2.xml";
const VARYINGS: &str = "applegpu.py, Pixel Operations; Mesa, AGX2.xml";
const UNKNOWN: &str = "Its effect is unknown.";

/// A run of as many registers as the count (0 means four), or three times as many.
macro_rules! results {
    ($name:ident, $one:literal, $two:literal, $three:literal, $four:literal) => {
        const $name: Both = {
            const SIZE: Field = bits("Dt", 8, 1);
            const COUNT: Field = bits("count", 30, 2);
            const WIDE: Field = bits("D", 10, 5).and(56, 2);
            const HALF: Field = bits("D", 9, 6).and(56, 2);
            same(&[Cases(&[
                when(SIZE, 0, &[Number(HALF, run("r", true, $four))]).with(COUNT, 0),
                when(SIZE, 0, &[Number(HALF, run("r", true, $one))]).with(COUNT, 1),
                when(SIZE, 0, &[Number(HALF, run("r", true, $two))]).with(COUNT, 2),
                when(SIZE, 0, &[Number(HALF, run("r", true, $three))]).with(COUNT, 3),
                when(SIZE, 1, &[Number(WIDE, run("r", false, $four))]).with(COUNT, 0),
                when(SIZE, 1, &[Number(WIDE, run("r", false, $one))]).with(COUNT, 1),
                when(SIZE, 1, &[Number(WIDE, run("r", false, $two))]).with(COUNT, 2),
                when(SIZE, 1, &[Number(WIDE, run("r", false, $three))]).with(COUNT, 3),
            ])])
        };
    };
}
results!(VARIABLES, 1, 2, 3, 4);
results!(COEFFICIENTS, 3, 6, 9, 12);

/// A coefficient register, with its number as a constant or in a 16-bit register.
const COEFFICIENT: Both = {
    const VALUE: Field = bits("I", 16, 6).and(58, 2);
    same(&[Cases(&[
        when(bits("It", 23, 1), 0, &[Number(VALUE, numbered("cf"))]),
        when(bits("It", 23, 1), 1, &[Number(VALUE, RH)]),
    ])])
};
const DIVISOR: Both = same(&[Number(bits("J", 24, 6).and(60, 2), numbered("cf"))]);

/// The position in the pixel, after the sample's number if there is one.
const INTERPOLATION: Field = bits("interpolation", 48, 2);
const SAMPLE: Piece = Cases(&[
    when(INTERPOLATION, 1, &[C, Number(bits("S", 32, 8), DECIMAL)]),
    when(INTERPOLATION, 3, &[C, Number(bits("S", 32, 8), RH)]),
    otherwise(&[]),
]);
const PLACE: Piece = Names(
    INTERPOLATION,
    &[Some(""), Some(", sample"), Some(", centroid"), Some(", sample")],
);
const PLACE_UP: Piece = Names(
    INTERPOLATION,
    &[Some(", center"), Some(", sample"), Some(", centroid"), Some(", sample")],
);
const FORWARD: Piece = Flag(bits("forwarding", 22, 1), 1, ", forward");
const ELIDE: Piece = Flag(bits("elide", 46, 1), 1, ", elide");
const KILL: Field = bits("kill", 52, 1);

/// The modifiers after the operands of an interpolation.
const OPTIONS: Piece = Pieces(&[SAMPLE, FORWARD, ELIDE, PLACE, Flag(KILL, 1, ", kill")]);
const OPTIONS_UP: Piece = Pieces(&[
    SAMPLE,
    FORWARD,
    ELIDE,
    PLACE_UP,
    C,
    Number(KILL, Format::Binary),
    C,
    Number(bits("unk1", 40, 6), DECIMAL),
    C,
    Number(bits("unk2", 47, 1), DECIMAL),
    C,
    Number(bits("unk3", 50, 2), DECIMAL),
    C,
    Number(bits("unk4", 53, 3), DECIMAL),
    C,
    Number(bits("unk5", 62, 2), DECIMAL),
]);

const VARYING: Both = same(&[Number(bits("r", 10, 5).and(24, 2), R)]);

/// An output of the vertex shader.
macro_rules! varying {
    ($mnemonic:literal, $value:literal, $about:literal $(, $more:expr)*) => {
        row($mnemonic, 0x40_03ff, $value, 4, &[operands!(own: VARYING, I26)])
            .usual(0x8000_0000)
            .also(&[alias($mnemonic, &[operands!(up: U31, VARYING, I26)]) $(, $more)*])
            .about($about)
            .source(VARYINGS)
    };
}

unknown! {
    U31: bits("u", 31, 1);
    TILE_U0: bits("u0", 35, 1);
    TILE_OFFSET: bits("A", 28, 7).and(40, 2);
    TILE_C: bits("C", 16, 6).and(58, 2);
    DEPTH_U0: bits("u0", 22, 2);
    V1_OP: bits("q16", 16, 4);
    V1_Q17: bits("q17", 24, 2);
    V1_Q18: bits("q18", 27, 3);
    V1_Q19: bits("q19", 31, 1);
}

/// The coordinates in a tile: an immediate, or a pair of half registers.
const TILE_COORDINATES: Piece = {
    const PAIR: Field = bits("Ct", 55, 1);
    const VALUE: Field = bits("C", 16, 6).and(58, 2);
    Cases(&[
        when(PAIR, 0, &[Number(VALUE, DECIMAL)]),
        when(PAIR, 1, &[Number(VALUE, run("r", true, 2))]),
    ])
};
/// The mask of samples: an immediate or half a register.
const TILE_SAMPLES: Both = {
    const KIND: Field = bits("St", 22, 2);
    const VALUE: Field = bits("S", 42, 6).and(56, 2);
    same(&[Cases(&[
        when(KIND, 0b00, &[Number(VALUE, DECIMAL)]),
        when(KIND, 0b01, &[Number(VALUE, RH)]),
        otherwise(&[Text("_")]),
    ])])
};

/// An access to the memory of the tile.
macro_rules! tile {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row(
            $mnemonic,
            0x7f,
            $value,
            10,
            &[
                L64,
                SP,
                Pieces(R9_36.own),
                TILE_COORDINATES,
                C,
                Pieces(TILE_SAMPLES.own),
                C,
                Pieces(TILE_OFFSET.own),
                Flag(bits("u0", 35, 1), 1, ", explicit_coords"),
                Pieces(F24.own),
                components(36),
            ],
        )
        .short(15, 8)
        .also(&[alias(
            $mnemonic,
            &[
                EITHER,
                SP,
                Pieces(R9_36.own),
                Pieces(F24.up),
                C,
                Pieces(TILE_U0.up),
                components(36),
                C,
                Pieces(TILE_OFFSET.up),
                C,
                Pieces(TILE_SAMPLES.up),
                C,
                Pieces(TILE_C.up),
            ],
        )])
        .about($about)
        .source(SOURCE)
        .notes(&["Coordinates in registers are used with explicit_coords."])
    };
}

/// Depth and stencil values, in a run of no, one or three 16-bit registers.
const DEPTH: Both = {
    const Z: Field = bits("z", 29, 1);
    const S: Field = bits("s", 30, 1);
    const VALUE: Field = bits("T", 16, 6).and(26, 2);
    same(&[Cases(&[
        when(Z, 0, &[]).with(S, 0),
        when(Z, 0, &[C, Number(VALUE, run("r", true, 1))]).with(S, 1),
        when(Z, 1, &[C, Number(VALUE, run("r", true, 2))]).with(S, 0),
        when(Z, 1, &[C, Number(VALUE, run("r", true, 3))]).with(S, 1),
    ])])
};

const TARGET: Field = bits("target", 36, 1);
const MAPPED: Both = same(&[Number(bits("R", 11, 5).and(40, 2), R)]);
/// The tile mapping in applegpu's notation, with unknown bits as numbers.
const MAP_UP: &[Piece] = &[
    SP,
    Names(TARGET, &[Some("target0"), Some("target1")]),
    C,
    Pieces(MAPPED.up),
    C,
    Pieces(V16.up),
    C,
    Number(bits("q1", 8, 2), Format::Binary),
    C,
    Number(bits("q2", 30, 1), Format::Binary),
    C,
    Number(bits("q3", 37, 3), Format::Binary),
    C,
    Number(bits("q4", 42, 5), Format::Binary),
    C,
    Number(bits("q5", 48, 8), Format::Binary),
];
const MAP: &[Piece] = &[SP, Pieces(MAPPED.own), C, Number(TARGET, DECIMAL), C, Pieces(V16.own)];
/// The usual value, from real code, of bits that applegpu ignores.
const MAP_USUAL: u128 = 0x400_0000;
const Q1: Both = same(&[Number(bits("q1", 8, 2), Format::Binary)]);

pub(super) const ROWS: &[Row] = &[
    row(
        "iter",
        0xff,
        0x21,
        8,
        &[L32W, operands!(own: VARIABLES, COEFFICIENT), OPTIONS],
    )
    .short(15, 4)
    .also(&[alias(
        "iter",
        &[EITHER, operands!(up: VARIABLES, COEFFICIENT), OPTIONS_UP],
    )])
    .about("interpolate a varying without perspective")
    .source(VARYINGS),
    row(
        "iterproj",
        0xff,
        0x61,
        8,
        &[L32W, operands!(own: VARIABLES, COEFFICIENT, DIVISOR), OPTIONS],
    )
    .short(15, 4)
    .also(&[alias(
        "iterproj",
        &[EITHER, operands!(up: VARIABLES, COEFFICIENT, DIVISOR), OPTIONS_UP],
    )])
    .about("interpolate a varying with perspective, by the second coefficient")
    .source(VARYINGS),
    row(
        "ldcf",
        0xff,
        0xa1,
        8,
        &[L32W, operands!(own: COEFFICIENTS, COEFFICIENT)],
    )
    .short(15, 4)
    .also(&[alias("TODO.ldcf", &[EITHER, operands!(up: COEFFICIENTS, COEFFICIENT)])])
    .about("load coefficients, three for each component")
    .source(VARYINGS),
    varying!(
        "no_var",
        0x51,
        "no varying: the vertex shader has no output",
        alias("TODO.unk51", &[])
            .only(bits("u", 31, 1), 0)
            .only(bits("r", 10, 6).and(24, 2), 0)
            .only(bits("I", 16, 6).and(26, 5), 0)
            .only(bits("It", 23, 1), 0)
    )
    .notes(&[
        "Register and number are unused.",
        "applegpu has another row, TODO.unk51, for some of its words, which its decoder never reaches.",
    ]),
    varying!("st_var", 0x11, "store an output of the vertex shader"),
    varying!("st_var_final", 0x91, "store the last output of the vertex shader"),
    tile!("st_tile", 0x09, "store to the memory of the tile"),
    tile!("ld_tile", 0x49, "load from the memory of the tile"),
    row("sample_mask", 0x80ff, 0xc1, 4, &[operands!(own: S24, M26)])
        .about("keep the samples of the first mask that are in the second mask")
        .source(SOURCE),
    row("zs_emit", 0x80ff, 0x41, 4, &[operands!(own: S24), Pieces(DEPTH.own)])
        .also(&[alias(
            "zs_emit",
            &[operands!(up: S24), Pieces(DEPTH.up), C, Pieces(DEPTH_U0.up)],
        )])
        .about("write depth and stencil for the samples in the mask")
        .source(SOURCE),
    row("map", 0x8000_bb00_04ff, 0x8000_0100_0075, 8, MAP)
        .rank(1)
        .usual(0x10_4000_0401_0000)
        .also(&[
            alias("map", MAP_UP).only(bits("op", 16, 4), 1).usual(MAP_USUAL),
            alias("TODO.map", MAP_UP).usual(0x1_0000),
        ])
        .about("map a page of a sparse texture")
        .source(SOURCE)
        .notes(&["Other values of bits 19..16 than 1 are unknown."]),
    row("unmap", 0x8000_bb0f_04ff, 0x8000_0100_0075, 8, MAP)
        .rank(2)
        .usual(0x10_4000_0400_0000)
        .also(&[alias("unmap", MAP_UP).usual(MAP_USUAL)])
        .about("unmap a page of a sparse texture")
        .source(SOURCE),
    row(
        "unk75_alt",
        0x8000_0000_04ff,
        0x8000_0000_0075,
        8,
        &[operands!(own: MAPPED, V16)],
    )
    .usual(0x10_4000_0500_0000)
    .also(&[alias(
        "TODO.unk75_alt",
        &[operands!(up: V1_OP, V1_Q17, V1_Q18, V1_Q19, MAPPED, V16, Q1)],
    )])
    .about("other words with the opcode of map")
    .source(SOURCE)
    .notes(&[UNKNOWN]),
    row("after_sampling1", 0xffff, 0x101c, 2, &[])
        .also(&[alias("TODO.after_sampling1", &[])])
        .about("seen after textures are sampled")
        .source(SOURCE)
        .notes(&[UNKNOWN]),
    row("after_sampling2", 0xffff, 0x62cc, 2, &[])
        .also(&[alias("TODO.after_sampling2", &[])])
        .about("seen after textures are sampled")
        .source(SOURCE)
        .notes(&[UNKNOWN]),
    row("unke8", 0xffff, 0xe8, 2, &[])
        .also(&[alias("TODO.unkE800", &[])])
        .about("unknown")
        .source(SOURCE)
        .notes(&[UNKNOWN]),
    row("unk0c", 0xffff, 0x0c, 2, &[])
        .also(&[alias("TODO.unk0C00", &[])])
        .about("unknown")
        .source(SOURCE)
        .notes(&[UNKNOWN]),
];
