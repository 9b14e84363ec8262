//! Floating-point arithmetic of 2.x and 3.0: units 0 (single) and 1 (double).

use super::parts::*;
use crate::set::{bits, when, Cases, Flag, Names, Piece, Row};

const FTZ5: Piece = Flag(bits("ftz", 5, 1), 1, ".FTZ");
const FTZ59: Piece = Flag(bits("ftz", 59, 1), 1, ".FTZ");
const FTZ: Piece = Names(bits("ftz", 6, 2), FTZ_FMZ);
const BF: Piece = Flag(bits("bf", 5, 1), 1, ".BF");
const SCALE: Piece = Names(
    bits("scale", 49, 3),
    &[Some(""), Some(".D2"), Some(".D4"), Some(".D8"), Some(".M8"), Some(".M4"), Some(".M2")],
);
/// Second source of FMUL, with the product's sign.
const FMUL_NEG: Piece = Flag(bits("neg_product", 57, 1), 1, "-");
const FMUL_SRC: Piece = Cases(&[
    when(KIND, 0, &[FMUL_NEG, RB]),
    when(KIND, 1, &[FMUL_NEG, CONST]),
    when(KIND, 3, &[FNUM, Flag(bits("neg_product", 57, 1), 1, ".NEG")]),
]);
const DMUL_NEG: Piece = Flag(bits("neg_product", 9, 1), 1, "-");
const DMUL_SRC: Piece = Cases(&[
    when(KIND, 0, &[DMUL_NEG, RB]),
    when(KIND, 1, &[DMUL_NEG, CONST]),
    when(KIND, 3, &[DNUM, Flag(bits("neg_product", 9, 1), 1, ".NEG")]),
]);
const LANES: &[Option<&str>] = &[Some("PP"), Some("NP"), Some("PN"), Some("ZP")];
const MUFU: &[Option<&str>] = &[
    Some(".COS"), Some(".SIN"), Some(".EX2"), Some(".LG2"), Some(".RCP"), Some(".RSQ"), Some(".RCP64H"), Some(".RSQ64H"),
];

pub(super) const ROWS: &[Row] = &[
    op("FADD", 0xf800, 0x5000, 0, &[FTZ5, ROUND, Flag(bits("sat", 49, 1), 1, ".SAT"), DST, FA, COMMA, FB]).about("FP32 add").source("nv.json form 48; gf100 m 5000"),
    op("FMUL", 0xf800, 0x5800, 0, &[FTZ, SCALE, ROUND, SAT, DST_A, FMUL_SRC]).about("FP32 multiply").source("nv.json form 49; gf100 m 5800"),
    op("FFMA", 0xf800, 0x3000, 0, &[FTZ, ROUND, SAT, DST_A, FMA_SRC_C]).about("FP32 fused multiply-add").source("nv.json form 60; gf100 m 3000"),
    op("FSET", 0xf000, 0x1000, 0, &[BF, FCOMP, FTZ59, BOOL, DST, FA, COMMA, FB, COMMA_PC]).about("FP32 compare and set").source("nv.json form 67; gf100 m 1000"),
    op("FSETP", 0xf000, 0x2000, 0, &[FCOMP, FTZ59, BOOL, S, SP, PP, FA, COMMA, FB, COMMA_PC]).about("FP32 compare and set predicate").source("nv.json form 86; gf100 m 2000"),
    op("FCMP", 0xf800, 0x3800, 0, &[FCOMP, FTZ5, DST_ONLY, RA, COMMA, FSRC_C]).about("FP32 compare to zero and select").source("nv.json form 63; gf100 m 3800"),
    op("FMNMX", 0xf800, 0x0800, 0, &[FTZ5, DST, FA, COMMA, FB, COMMA_PC]).about("FP32 minimum or maximum").source("nv.json form 70; gf100 m 0800"),
    op("FSWZ", 0xf800, 0x4800, 0, &[
        Names(bits("lane", 6, 3), &[Some(".0000"), Some(".1111"), Some(".2222"), Some(".3333"), Some(".1032"), Some(".2301")]),
        FTZ5, ROUND, Flag(bits("ndv", 9, 1), 1, ".NDV"), DST_A, RB, COMMA,
        Names(bits("lanes_3", 38, 2), LANES), Names(bits("lanes_2", 36, 2), LANES),
        Names(bits("lanes_1", 34, 2), LANES), Names(bits("lanes_0", 32, 2), LANES),
    ]).about("FP32 add across the lanes of a quad").source("gf100 m 4800"),
    op("RRO", 0xf800, 0x6000, 0, &[Names(bits("function", 5, 1), &[Some(".SINCOS"), Some(".EX2")]), DST_ONLY, FB]).about("FP32 range reduction").source("nv.json form 41; gf100 m 6000"),
    op("MUFU", 0xf800, 0xc800, 0, &[Names(bits("function", 26, 3), MUFU), SAT, DST_ONLY, FA]).about("FP32 function").source("nv.json form 39; gf100 m c800"),
    op("IPA", 0xf800, 0xc000, 0, &[
        Names(bits("mode", 6, 2), &[Some(".PASS"), Some(""), Some(".CONSTANT"), Some(".SC")]),
        Names(bits("sample", 8, 2), &[Some(""), Some(".CENTROID"), Some(".OFFSET")]),
        SAT, DST_ONLY, super::memory::ATTRIBUTE, COMMA, RB, super::memory::C_UNLESS_RZ,
    ]).about("Interpolate an attribute").source("gf100 m c000"),

    op("DADD", 0xf800, 0x4800, 1, &[ROUND, DST, FA, COMMA, DB]).about("FP64 add").source("nv.json form 50; gf100 m 4800"),
    op("DMUL", 0xf800, 0x5000, 1, &[ROUND, DST_A, DMUL_SRC]).about("FP64 multiply").source("nv.json form 51; gf100 m 5000"),
    op("DFMA", 0xf800, 0x2000, 1, &[ROUND, DST_A, DFMA_SRC_C]).about("FP64 fused multiply-add").source("nv.json form 61; gf100 m 2000"),
    op("DSET", 0xf800, 0x1000, 1, &[BF, FCOMP, BOOL, DST, FA, COMMA, DB, COMMA_PC]).about("FP64 compare and set").source("gf100 m 1000"),
    op("DSETP", 0xf800, 0x1800, 1, &[FCOMP, BOOL, S, SP, PP, FA, COMMA, DB, COMMA_PC]).about("FP64 compare and set predicate").source("nv.json form 84; gf100 m 1800"),
    op("DMNMX", 0xf800, 0x0800, 1, &[DST, FA, COMMA, DB, COMMA_PC]).about("FP64 minimum or maximum").source("nv.json form 71; gf100 m 0800"),
];
