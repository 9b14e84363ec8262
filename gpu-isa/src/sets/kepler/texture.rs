//! Texture accesses of 3.5.

use super::memory::PHASE;
use super::parts::*;
use crate::set::{bits, otherwise, when, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

const NODEP: Piece = Flag(bits("nodep", 31, 1), 1, ".NODEP");
const NDV: Piece = Flag(bits("ndv", 41, 1), 1, ".NDV");
const DC: Piece = Flag(bits("depth_compare", 42, 1), 1, ".DC");
const AOFFI: Piece = Flag(bits("offsets", 43, 1), 1, ".AOFFI");
const END: Piece = Pieces(&[NODEP, PHASE, S, SP]);

/// The second source is missing if it is RZ.
const MORE: Piece = Cases(&[when(B, 0xff, &[]), otherwise(&[RB, COMMA])]);
const SHAPE: Piece = Names(
    bits("shape", 38, 3),
    &[
        Some("1D"), Some("ARRAY_1D"), Some("2D"), Some("ARRAY_2D"), Some("3D"), Some("ARRAY_3D"), Some("CUBE"),
        Some("ARRAY_CUBE"),
    ],
);
const CHANNELS: Piece = Number(bits("channels", 34, 4), HEX);
const WHERE: Piece = Pieces(&[RD, COMMA, RA, COMMA, MORE]);
const SHAPE_CHANNELS: Piece = Pieces(&[COMMA, SHAPE, COMMA, CHANNELS]);
const TEXTURE: Field = bits("texture", 47, 13);
const LEVEL: Piece = Names(
    bits("level", 44, 3),
    &[Some(""), Some(".LZ"), Some(".LB"), Some(".LL"), None, None, Some(".LBA"), Some(".LLA")],
);
const TEX: Piece = Pieces(&[LEVEL, AOFFI, DC, NDV, END, WHERE]);
const GATHER: Field = bits("channel", 45, 2);
const GATHERS: &[Option<&str>] = &[Some(".R"), Some(".G"), Some(".B"), Some(".A")];
const TLD4: Piece = Pieces(&[Names(bits("offsets", 43, 2), &[Some(""), Some(".AOFFI"), Some(".PTP")]), DC, NDV, END, WHERE]);
const TLD: Piece = Pieces(&[
    Names(bits("level", 44, 1), &[Some(".LZ"), Some(".LL")]), Flag(bits("offsets", 41, 1), 1, ".AOFFI"),
    Flag(bits("multisample", 43, 1), 1, ".MS"), Flag(bits("clamp", 42, 1), 1, ".CL"), END, WHERE,
]);
const TXD: Piece = Pieces(&[Flag(bits("offsets", 54, 1), 1, ".AOFFI"), END, WHERE]);
const GRADIENT_TEXTURE: Field = bits("texture", 41, 13);
const QUERY: Piece = Cases(&[
    when(QUERY_FIELD, 1, &[Text("TEX_HEADER_DIMENSION")]),
    when(QUERY_FIELD, 2, &[Text("TEX_HEADER_TEXTURE_TYPE")]),
    when(QUERY_FIELD, 5, &[Text("TEX_HEADER_SAMPLER_POS")]),
    when(QUERY_FIELD, 16, &[Text("TEX_SAMPLER_FILTER")]),
    when(QUERY_FIELD, 18, &[Text("TEX_SAMPLER_LOD")]),
    when(QUERY_FIELD, 20, &[Text("TEX_SAMPLER_WRAP")]),
    when(QUERY_FIELD, 22, &[Text("TEX_SAMPLER_BORDER_COLOR")]),
    otherwise(&[Number(QUERY_FIELD, HEX)]),
]);
const QUERY_FIELD: Field = bits("query", 25, 6);

pub(super) const ROWS: &[Row] = &[
    op("TEX", 0xf000, 0x6000, 1, &[TEX, Number(TEXTURE, HEX), SHAPE_CHANNELS]).about("Texture access").source("gk110 i 2000")
        .notes(&["envytools's mask contains the texture's number, of which the corpus shows 13 bits."]),
    op("TEX.B", 0xffc0, 0x7d80, 2, &[TEX, Text("0x0"), SHAPE_CHANNELS]).about("Texture access, bindless").source("gk110 m 7d80"),
    op("TLD4", 0xf000, 0x7000, 1, &[Names(GATHER, GATHERS), TLD4, Number(TEXTURE, HEX), SHAPE_CHANNELS]).about("Texture gather").source("corpus 7000"),
    op("TLD4", 0xffc0, 0x7dc0, 2, &[Names(GATHER, GATHERS), Text(".B"), TLD4, Text("0x0"), SHAPE_CHANNELS]).about("Texture gather, bindless").source("corpus 7dc0"),
    op("TLD", 0xfc00, 0x7000, 2, &[TLD, Number(bits("texture", 45, 13), HEX), SHAPE_CHANNELS]).about("Texture load").source("gk110 m 7000"),
    op("TLD.B", 0xffc0, 0x7800, 2, &[TLD, Text("0x0"), SHAPE_CHANNELS]).about("Texture load, bindless").source("gk110 m 7800"),
    op("TXD", 0xff80, 0x7600, 2, &[TXD, Number(GRADIENT_TEXTURE, HEX), SHAPE_CHANNELS]).about("Texture access with derivatives").source("gk110 m 7600"),
    op("TXD.B", 0xff80, 0x7e00, 2, &[TXD, Text("0x0"), SHAPE_CHANNELS]).about("Texture access with derivatives, bindless").source("gk110 m 7e00"),
    op("TMML.LOD", 0xffc0, 0x7680, 2, &[END, RD, COMMA, RA, COMMA, Number(GRADIENT_TEXTURE, HEX), SHAPE_CHANNELS]).about("Texture level of detail").source("corpus 7680"),
    op("TMML.B.LOD", 0xffc0, 0x7e80, 2, &[NDV, END, WHERE, Text("0x0"), SHAPE_CHANNELS]).about("Texture level of detail, bindless").source("corpus 7e80"),
    op("TXA", 0xffc0, 0x76c0, 2, &[
        END, RD, COMMA, RA, COMMA, Number(GRADIENT_TEXTURE, HEX), COMMA, CHANNELS,
    ]).about("Texture sample positions").source("gk110 m 76c0"),
    op("TXQ", 0xffc0, 0x7540, 2, &[
        END, RD, COMMA, RA, COMMA, QUERY, COMMA, Number(GRADIENT_TEXTURE, HEX), COMMA, CHANNELS,
    ]).about("Texture query").source("gk110 m 7540"),
    op("TXQ.B", 0xffc0, 0x7d40, 2, &[END, RD, COMMA, RA, COMMA, QUERY, Text(", 0x0, "), CHANNELS]).about("Texture query, bindless").source("gk110 m 7d40"),
];
