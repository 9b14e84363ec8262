//! Floating-point arithmetic of 3.5.

use super::parts::*;
use crate::set::{bits, when, Case, Cases, Flag, Names, Piece, Pieces, Row, Text};

// Modifiers.

const ADD: Piece = Pieces(&[FTZ, ROUND, SAT]);
const MUL: Piece = Pieces(&[
    Names(bits("ftz", 47, 2), FTZ_FMZ),
    Names(
        bits("scale", 44, 3),
        &[Some(""), Some(".D2"), Some(".D4"), Some(".D8"), Some(".M8"), Some(".M4"), Some(".M2")],
    ),
    ROUND,
    SAT,
]);
const FMA: Piece = Pieces(&[Names(bits("ftz", 56, 2), FTZ_FMZ), Names(bits("round", 54, 2), ROUNDS), SAT]);
const DFMA_ROUND: Piece = Names(bits("round", 53, 2), ROUNDS);

// FSET, DSET: bits of the sources differ from FADD's.
const SET_NEG_A: Piece = Flag(bits("neg_a", 46, 1), 1, "-");
const SET_ABS_B: Piece = Flag(bits("abs_b", 47, 1), 1, "|");
const SET_ABS_A: Piece = Flag(bits("abs_a", 57, 1), 1, "|");
const SET_NEG_B: Piece = Flag(bits("neg_b", 56, 1), 1, "-");
const SET_A: Piece = Pieces(&[SET_NEG_A, SET_ABS_A, RA, SET_ABS_A]);
const SET_B: Piece = Pieces(&[SET_NEG_B, SET_ABS_B, SRC, SET_ABS_B]);
const SET_AFTER: Piece = Pieces(&[Flag(bits("neg_b", 56, 1), 1, ".NEG"), Flag(bits("abs_b", 47, 1), 1, ".ABS")]);
const SET_DST: Piece = Pieces(&[S, SP, RD, CC, COMMA, SET_A, COMMA]);
const SET_BF: Piece = Flag(bits("bf", 55, 1), 1, ".BF");
const FSET: Piece = Pieces(&[SET_BF, FCOMP, Flag(bits("ftz", 58, 1), 1, ".FTZ"), BOOL, SET_DST]);
const DSET: Piece = Pieces(&[SET_BF, FCOMP, BOOL, SET_DST]);

// FSETP, DSETP.
const SETP_ABS_A: Piece = Flag(bits("abs_a", 9, 1), 1, "|");
const SETP_NEG_B: Piece = Flag(bits("neg_b", 8, 1), 1, "-");
const SETP_A: Piece = Pieces(&[SET_NEG_A, SETP_ABS_A, RA, SETP_ABS_A, COMMA]);
const SETP_B: Piece = Pieces(&[SETP_NEG_B, SET_ABS_B, SRC, SET_ABS_B, COMMA_PC]);
const SETP_AFTER: Piece = Pieces(&[Flag(bits("neg_b", 8, 1), 1, ".NEG"), Flag(bits("abs_b", 47, 1), 1, ".ABS"), COMMA_PC]);
const CMP_FTZ: Piece = Flag(bits("ftz", 50, 1), 1, ".FTZ");
const FSETP: Piece = Pieces(&[FCOMP, CMP_FTZ, BOOL, S, SP, PP, SETP_A]);
const DSETP: Piece = Pieces(&[FCOMP, BOOL, S, SP, PP, SETP_A]);

const FCMP: Piece = Pieces(&[FCOMP, CMP_FTZ, DST_ONLY, RA, COMMA]);
const CHECK: Piece = Pieces(&[S, SP, P5, FA, COMMA]);

const MINMAX: Piece = Pieces(&[S, SP, RD, CC, COMMA, FA, COMMA]);

/// `N` and `P` of the four lanes, the highest pair first, and `Z` with `P`.
const LANES: &[Option<&str>] = &[Some("PP"), Some("NP"), Some("PN"), Some("ZP")];

const FLONG_AFTER: Piece = Pieces(&[FLONG, Flag(bits("neg_b", 56, 1), 1, ".NEG"), Flag(bits("abs_b", 60, 1), 1, ".ABS")]);
const ABS_LONG: Piece = Flag(bits("abs_a", 57, 1), 1, "|");
const NEG_LONG: Piece = Flag(bits("neg_a", 59, 1), 1, "-");
const MUFU: &[Option<&str>] = &[
    Some(".COS"), Some(".SIN"), Some(".EX2"), Some(".LG2"), Some(".RCP"), Some(".RSQ"), Some(".RCP64H"), Some(".RSQ64H"),
];
const RRO: Piece = Pieces(&[Names(bits("function", 42, 1), &[Some(".SINCOS"), Some(".EX2")]), DST_ONLY]);
const FSWZ_LANE: &[Case] = &[
    when(bits("lane", 44, 3), 0, &[Text(".0000")]),
    when(bits("lane", 44, 3), 1, &[Text(".1111")]),
    when(bits("lane", 44, 3), 2, &[Text(".2222")]),
    when(bits("lane", 44, 3), 3, &[Text(".3333")]),
    when(bits("lane", 44, 3), 4, &[Text(".1032")]),
    when(bits("lane", 44, 3), 5, &[Text(".2301")]),
];

pub(super) const ROWS: &[Row] = &[
    // Sums.
    src("FADD", 0x62c0, &[ADD, S, SP, RD, CC, COMMA, FA, COMMA, FB]).about("FP32 add").source("nv.json 343, 344; gk110 m 22c0"),
    num("FADD", 0xc2c0, &[ADD, S, SP, RD, CC, COMMA, FA, COMMA, FB_NUM]).about("FP32 add").source("nv.json 342; gk110 i 02c0"),
    op("FADD32I", 0xe000, 0x4000, 0, &[
        Flag(bits("ftz", 58, 1), 1, ".FTZ"), S, SP, RD, CC_LONG, COMMA, NEG_LONG, ABS_LONG, RA, ABS_LONG, COMMA, FLONG_AFTER,
    ]).about("FP32 add of a 32-bit immediate").source("nv.json 345; gk110 c 4000"),
    src("DADD", 0x6380, &[ROUND, S, SP, RD, CC, COMMA, FA, COMMA, FB]).about("FP64 add").source("nv.json 363, 365; gk110 m 2380"),
    num("DADD", 0xc380, &[ROUND, S, SP, RD, CC, COMMA, FA, COMMA, DB_NUM]).about("FP64 add").source("nv.json 364; gk110 i 0380"),

    // Products.
    src("FMUL", 0x6340, &[MUL, S, SP, RD, CC, COMMA, MUL_A, COMMA, SRC]).about("FP32 multiply").source("nv.json 346, 348; gk110 m 2340"),
    num("FMUL", 0xc340, &[MUL, S, SP, RD, CC, COMMA, MUL_A, COMMA, FNUM]).about("FP32 multiply").source("nv.json 347; gk110 i 0340"),
    op("FMUL32I", 0xf800, 0x2000, 2, &[
        Names(bits("ftz", 56, 2), FTZ_FMZ), Flag(bits("sat", 58, 1), 1, ".SAT"), DST_A_LONG, FLONG,
    ]).about("FP32 multiply by a 32-bit immediate").source("nv.json 349; gk110 m 2000"),
    src("DMUL", 0x6400, &[ROUND, S, SP, RD, CC, COMMA, MUL_A, COMMA, SRC]).about("FP64 multiply").source("nv.json 366, 371; gk110 m 2400"),
    num("DMUL", 0xc400, &[ROUND, S, SP, RD, CC, COMMA, MUL_A, COMMA, DNUM]).about("FP64 multiply").source("nv.json 367; gk110 i 0400")
        .notes(&["The document's pattern has the immediate's sign set."]),

    // Products with a sum.
    op("FFMA", 0x7c00, 0x4c00, 2, &[FMA, S, SP, RD, CC, COMMA, MUL_A, COMMA, FMA_SRC_C]).about("FP32 fused multiply-add").source("nv.json 350, 351; gk110 m 0c00"),
    op("FFMA", 0xfc00, 0x8c00, 2, &[FMA, S, SP, RD, CC, COMMA, MUL_A, COMMA, FMA_C_CONST]).about("FP32 fused multiply-add").source("nv.json 353; gk110 m 0c00"),
    op("FFMA", 0xf400, 0x9400, 1, &[FMA, S, SP, RD, CC, COMMA, MUL_A, COMMA, FMA_NUM_C]).about("FP32 fused multiply-add").source("nv.json 352; gk110 i 94c0"),
    op("FFMA32I", 0xe000, 0x6000, 0, &[
        Names(bits("ftz", 56, 2), FTZ_FMZ), Flag(bits("sat", 58, 1), 1, ".SAT"), S, SP, RD, CC_LONG, COMMA, NEG_LONG, RA, COMMA,
        FLONG, COMMA, Flag(bits("neg_c", 60, 1), 1, "-"), RD,
    ]).about("FP32 fused multiply-add to the destination").source("gk110 c 6000"),
    op("DFMA", 0x7f80, 0x5b80, 2, &[DFMA_ROUND, S, SP, RD, CC, COMMA, MUL_A, COMMA, FMA_SRC_C]).about("FP64 fused multiply-add").source("nv.json 374, 375; gk110 m 1b80"),
    op("DFMA", 0xff80, 0x9b80, 2, &[DFMA_ROUND, S, SP, RD, CC, COMMA, MUL_A, COMMA, FMA_C_CONST]).about("FP64 fused multiply-add").source("nv.json 373; gk110 m 1b80"),
    op("DFMA", 0xf780, 0xb380, 1, &[DFMA_ROUND, S, SP, RD, CC, COMMA, MUL_A, COMMA, DFMA_NUM_C]).about("FP64 fused multiply-add").source("nv.json 372")
        .notes(&["envytools has no row for the immediate."]),

    // Comparisons.
    op("FSET", 0x7800, 0x4000, 2, &[FSET, SET_B, COMMA_PC]).about("FP32 compare and set").source("gk110 m 0000"),
    op("FSET", 0xf000, 0x8000, 1, &[FSET, FNUM, SET_AFTER, COMMA_PC]).about("FP32 compare and set").source("gk110 i 8000"),
    op("DSET", 0x7c00, 0x4800, 2, &[DSET, SET_B, COMMA_PC]).about("FP64 compare and set").source("gk110 m 0800"),
    op("DSET", 0xf400, 0x9000, 1, &[DSET, DNUM, SET_AFTER, COMMA_PC]).about("FP64 compare and set").source("gk110 i 9000"),
    op("FSETP", 0x7f80, 0x5d80, 2, &[FSETP, SETP_B]).about("FP32 compare and set predicate").source("nv.json 354, 355; gk110 m 1d80"),
    op("FSETP", 0xf780, 0xb580, 1, &[FSETP, FNUM, SETP_AFTER]).about("FP32 compare and set predicate").source("nv.json 356; gk110 i b580"),
    op("DSETP", 0x7f80, 0x5c00, 2, &[DSETP, SETP_B]).about("FP64 compare and set predicate").source("nv.json 358, 359; gk110 m 1c00"),
    op("DSETP", 0xf780, 0xb400, 1, &[DSETP, DNUM, SETP_AFTER]).about("FP64 compare and set predicate").source("nv.json 357; gk110 i b400"),
    op("FCMP", 0x7f80, 0x5d00, 2, &[FCMP, SRC_C]).about("FP32 compare to zero and select").source("nv.json 360, 361; gk110 m 1d00"),
    op("FCMP", 0xff80, 0x9d00, 2, &[FCMP, C_CONST]).about("FP32 compare to zero and select").source("gk110 m 1d00"),
    op("FCMP", 0xf780, 0xb500, 1, &[FCMP, FNUM, COMMA, RC]).about("FP32 compare to zero and select").source("gk110 i b500"),

    // Minimum and maximum.
    src("FMNMX", 0x6300, &[FTZ, MINMAX, FB, COMMA_PC]).about("FP32 minimum or maximum").source("gk110 m 2300"),
    num("FMNMX", 0xc300, &[FTZ, MINMAX, FB_NUM, COMMA_PC]).about("FP32 minimum or maximum").source("gk110 i 0300"),
    src("DMNMX", 0x6280, &[MINMAX, FB, COMMA_PC]).about("FP64 minimum or maximum").source("gk110 m 2280"),
    num("DMNMX", 0xc280, &[MINMAX, DB_NUM, COMMA_PC]).about("FP64 minimum or maximum").source("gk110 i 0280"),

    // Division and functions.
    src("FCHK.DIVIDE", 0x6440, &[CHECK, FB]).about("FP32 division test").source("nv.json 433, 434"),
    num("FCHK.DIVIDE", 0xc440, &[CHECK, FB_NUM]).about("FP32 division test").source("corpus c440"),
    src("DCHK.DIVIDE", 0x63c0, &[CHECK, FB]).about("FP64 division test").source("corpus 63c0"),
    num("DCHK.DIVIDE", 0xc3c0, &[CHECK, DB_NUM]).about("FP64 division test").source("corpus c3c0"),
    op("FCCO.SP", 0x7f80, 0x5c80, 2, &[S, SP, P5, RA, COMMA, SRC_C]).about("Unknown").source("corpus 5c80, dc80"),
    op("FCCO.SP", 0xff80, 0x9c80, 2, &[S, SP, P5, RA, COMMA, C_CONST]).about("Unknown").source("corpus 9c80"),
    op("FCCO.SP", 0xf780, 0xb480, 1, &[S, SP, P5, RA, COMMA, FNUM, COMMA, RC]).about("Unknown").source("corpus b480"),
    src("RRO", 0x6480, &[RRO, FB]).about("FP32 range reduction").source("gk110 m 2480"),
    num("RRO", 0xc480, &[RRO, FB_NUM]).about("FP32 range reduction").source("corpus c480"),
    op("MUFU", 0xffc0, 0x8400, 2, &[Names(bits("function", 23, 3), MUFU), SAT, DST_ONLY, FA]).about("FP32 function").source("nv.json 362; gk110 m 8400"),
    op("FSWZ", 0xffc0, 0x7fc0, 2, &[
        Cases(FSWZ_LANE), FTZ, ROUND, Flag(bits("ndv", 41, 1), 1, ".NDV"), DST_A, RB, COMMA,
        Names(bits("lanes_3", 37, 2), LANES), Names(bits("lanes_2", 35, 2), LANES),
        Names(bits("lanes_1", 33, 2), LANES), Names(bits("lanes_0", 31, 2), LANES),
    ]).about("FP32 add across the lanes of a quad").source("gk110 m 7fc0")
        .notes(&["Of the lane selections the corpus has .0000; the names of the others are envytools's."]),
];
