//! Pairs of halves.

use super::pieces::*;
use crate::set::*;

/// Upper 10 bits of a half.
const H_HI: Piece = Number(bits("high", 30, 9).and(56, 1), HALF_10);

const H_LO: Piece = Number(bits("low", 20, 9).and(29, 1), HALF_10);

/// Two halves.
const HH: Piece = Pieces(&[COMMA, H_HI, COMMA, H_LO]);

const H32: Piece = Pieces(&[
    COMMA,
    Number(bits("high", 36, 16), HALF_FULL),
    COMMA,
    Number(bits("low", 20, 16), HALF_FULL),
]);

const FMZI: &[Option<&str>] = names!["", ".FTZ", ".FMZ", ".INVALID"];

const SEL_H: &[Option<&str>] = names!["", ".F32", ".H0_H0", ".H1_H1"];

const MERGE: &[Option<&str>] = names!["", ".F32", ".MRG_H0", ".MRG_H1"];

const HA: Piece = Pieces(&[
    COMMA,
    on(43, "-"),
    on(44, "|"),
    A,
    pick("part", 47, 2, SEL_H),
    on(44, "|"),
]);

const HA_PLAIN: Piece = Pieces(&[COMMA, A, pick("part", 47, 2, SEL_H)]);

const HB: Piece = Pieces(&[
    COMMA,
    on(31, "-"),
    on(30, "|"),
    B,
    pick("part", 28, 2, SEL_H),
    on(30, "|"),
]);

const HB_N: Piece = Pieces(&[COMMA, on(31, "-"), B, pick("part", 28, 2, SEL_H)]);

const HK: Piece = Pieces(&[COMMA, on(56, "-"), on(54, "|"), CONST, on(54, "|")]);

const HK_NEG: Piece = Pieces(&[COMMA, on(56, "-"), CONST]);

const HK_MUL: Piece = Pieces(&[COMMA, on(43, "-"), on(54, "|"), CONST, on(54, "|")]);

const HMUL_A: Piece = Pieces(&[COMMA, on(44, "|"), A, pick("part", 47, 2, SEL_H), on(44, "|")]);

const HC: Piece = Pieces(&[COMMA, on(51, "-"), C, pick("part", 53, 2, SEL_H)]);

/// What the forms of HSET2 begin with.
const HSET2_M: Piece = Pieces(&[
    on(53, ".BF"),
    pick("compare", 49, 4, CMP_F),
    on(54, ".FTZ"),
    pick("combined by", 45, 2, BOOL),
    INTO_D,
]);

/// What the forms of HSETP2 begin with.
const HSETP2_M: Piece = Pieces(&[
    pick("compare", 49, 4, CMP_F),
    on(53, ".H_AND"),
    on(6, ".FTZ"),
    pick("combined by", 45, 2, BOOL),
    PP,
]);

/// Pairs of halves.
pub(super) const ROWS: &[Row] = &[
    op(
        "HADD2",
        0x5d10,
        0xfff8,
        &[
            pick("merge", 49, 2, MERGE),
            on(39, ".FTZ"),
            on(32, ".SAT"),
            INTO_D,
            HA,
            HB,
        ],
    )
    .since(HALF)
    .about("Adds pairs of halves")
    .source("facts 5d10"),
    op(
        "HADD2",
        0x7a80,
        0xfe80,
        &[
            pick("merge", 49, 2, MERGE),
            on(39, ".FTZ"),
            on(52, ".SAT"),
            INTO_D,
            HA,
            HK,
        ],
    )
    .since(HALF)
    .about("Adds pairs of halves")
    .source("facts 7a80"),
    op(
        "HADD2",
        0x7a00,
        0xfe80,
        &[
            pick("merge", 49, 2, MERGE),
            on(39, ".FTZ"),
            on(52, ".SAT"),
            INTO_D,
            HA,
            HH,
        ],
    )
    .since(HALF)
    .about("Adds pairs of halves")
    .source("facts 7a00"),
    op(
        "HMUL2",
        0x5d08,
        0xfff8,
        &[
            pick("merge", 49, 2, MERGE),
            pick("subnormals", 39, 2, FMZI),
            on(32, ".SAT"),
            INTO_D,
            HMUL_A,
            HB,
        ],
    )
    .since(HALF)
    .about("Multiplies pairs of halves")
    .source("facts 5d08"),
    op(
        "HMUL2",
        0x7880,
        0xfe80,
        &[
            pick("merge", 49, 2, MERGE),
            pick("subnormals", 39, 2, FMZI),
            on(52, ".SAT"),
            INTO_D,
            HMUL_A,
            HK_MUL,
        ],
    )
    .since(HALF)
    .about("Multiplies pairs of halves")
    .source("facts 7880"),
    op(
        "HMUL2",
        0x7800,
        0xfe80,
        &[
            pick("merge", 49, 2, MERGE),
            pick("subnormals", 39, 2, FMZI),
            on(52, ".SAT"),
            INTO_D,
            HA,
            HH,
        ],
    )
    .since(HALF)
    .about("Multiplies pairs of halves")
    .source("facts 7800"),
    op(
        "HFMA2",
        0x5d00,
        0xfff8,
        &[
            pick("merge", 49, 2, MERGE),
            pick("subnormals", 37, 2, FMZI),
            on(32, ".SAT"),
            INTO_D,
            HA_PLAIN,
            HB_N,
            COMMA,
            on(30, "-"),
            C,
            pick("part", 35, 2, SEL_H),
        ],
    )
    .since(HALF)
    .about("Multiplies and adds pairs of halves")
    .source("facts 5d00"),
    op(
        "HFMA2",
        0x7080,
        0xf880,
        &[
            pick("merge", 49, 2, MERGE),
            pick("subnormals", 57, 2, FMZI),
            on(52, ".SAT"),
            INTO_D,
            HA_PLAIN,
            HK_NEG,
            HC,
        ],
    )
    .since(HALF)
    .about("Multiplies and adds pairs of halves")
    .source("facts 7080"),
    op(
        "HFMA2",
        0x7000,
        0xf880,
        &[
            pick("merge", 49, 2, MERGE),
            pick("subnormals", 57, 2, FMZI),
            on(52, ".SAT"),
            INTO_D,
            HA_PLAIN,
            HH,
            HC,
        ],
    )
    .since(HALF)
    .about("Multiplies and adds pairs of halves")
    .source("facts 7000"),
    op(
        "HFMA2",
        0x6080,
        0xf880,
        &[
            pick("merge", 49, 2, MERGE),
            pick("subnormals", 57, 2, FMZ),
            on(52, ".SAT"),
            INTO_D,
            HA_PLAIN,
            COMMA,
            on(56, "-"),
            C,
            pick("part", 53, 2, SEL_H),
            COMMA,
            on(51, "-"),
            CONST,
        ],
    )
    .since(HALF)
    .about("Multiplies and adds pairs of halves")
    .source("facts 6080"),
    op(
        "HADD2_32I",
        0x2c00,
        0xfe00,
        &[
            on(55, ".FTZ"),
            on(52, ".SAT"),
            INTO_D,
            COMMA,
            on(56, "-"),
            A,
            pick("part", 53, 2, SEL_H),
            H32,
        ],
    )
    .since(HALF)
    .about("Adds a pair of full halves")
    .source("facts 2c00"),
    op(
        "HMUL2_32I",
        0x2a00,
        0xfe00,
        &[
            pick("subnormals", 55, 2, FMZI),
            on(52, ".SAT"),
            INTO_D,
            THEN_A,
            pick("part", 53, 2, SEL_H),
            H32,
        ],
    )
    .since(HALF)
    .about("Multiplies by a pair of full halves")
    .source("facts 2a00"),
    op(
        "HFMA2_32I",
        0x2800,
        0xfe00,
        &[
            pick("subnormals", 55, 2, FMZ),
            INTO_D,
            THEN_A,
            pick("part", 53, 2, SEL_H),
            H32,
            COMMA,
            on(52, "-"),
            D,
        ],
    )
    .since(HALF)
    .about("Multiplies by a pair of full halves and adds")
    .source("facts 2800"),
    op(
        "HSET2",
        0x5d18,
        0xfff8,
        &[
            on(49, ".BF"),
            pick("compare", 35, 4, CMP_F),
            on(50, ".FTZ"),
            pick("combined by", 45, 2, BOOL),
            INTO_D,
            HA,
            HB,
            THEN_PC,
        ],
    )
    .since(HALF)
    .about("Compares pairs of halves and sets a register")
    .source("facts 5d18"),
    op("HSET2", 0x7c80, 0xfe80, &[HSET2_M, HA, HK_NEG, THEN_PC])
        .since(HALF)
        .about("Compares pairs of halves and sets a register")
        .source("facts 7c80"),
    op("HSET2", 0x7c00, 0xfe80, &[HSET2_M, HA, HH, THEN_PC])
        .since(HALF)
        .about("Compares pairs of halves and sets a register")
        .source("facts 7c00"),
    op(
        "HSETP2",
        0x5d20,
        0xfff8,
        &[
            pick("compare", 35, 4, CMP_F),
            on(49, ".H_AND"),
            on(6, ".FTZ"),
            pick("combined by", 45, 2, BOOL),
            PP,
            HA,
            HB,
            THEN_PC,
        ],
    )
    .since(HALF)
    .about("Compares pairs of halves and sets predicates")
    .source("facts 5d20"),
    op("HSETP2", 0x7e80, 0xfe80, &[HSETP2_M, HA, HK, THEN_PC])
        .since(HALF)
        .about("Compares pairs of halves and sets predicates")
        .source("facts 7e80"),
    op("HSETP2", 0x7e00, 0xfe80, &[HSETP2_M, HA, HH, THEN_PC])
        .since(HALF)
        .about("Compares pairs of halves and sets predicates")
        .source("facts 7e00"),
];
