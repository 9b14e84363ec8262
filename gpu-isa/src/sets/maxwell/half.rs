//! Pairs of halves.

use super::pieces::*;
use crate::set::*;

/// Upper 10 bits of a half.
const HIGH_HALF: Piece = Number(bits("high", 30, 9).and(56, 1), HALF_10);

const LOW_HALF: Piece = Number(bits("low", 20, 9).and(29, 1), HALF_10);

/// Two halves.
const THEN_HALVES: Piece = group! { COMMA, HIGH_HALF, COMMA, LOW_HALF };

const THEN_FULL_HALVES: Piece = group! {
    COMMA, Number(bits("high", 36, 16), HALF_FULL), COMMA, Number(bits("low", 20, 16), HALF_FULL)
};

const FMZ_H: &[Option<&str>] = names! { "", ".FTZ", ".FMZ", ".INVALID" };

const HALF_PARTS: &[Option<&str>] = names! { "", ".F32", ".H0_H0", ".H1_H1" };

const MERGES: &[Option<&str>] = names! { "", ".F32", ".MRG_H0", ".MRG_H1" };

const THEN_H_A: Piece = group! { COMMA, minus(43), bar(44), A, pick("part", 47, 2, HALF_PARTS), bar(44) };

const THEN_H_A_PLAIN: Piece = group! { COMMA, A, pick("part", 47, 2, HALF_PARTS) };

const THEN_H_B: Piece = group! { COMMA, minus(31), bar(30), B, pick("part", 28, 2, HALF_PARTS), bar(30) };

const THEN_H_B_PLAIN: Piece = group! { COMMA, minus(31), B, pick("part", 28, 2, HALF_PARTS) };

const THEN_H_K: Piece = group! { COMMA, minus(56), bar(54), CONST, bar(54) };

const THEN_H_K_PLAIN: Piece = group! { COMMA, minus(56), CONST };

const THEN_H_K_MUL: Piece = group! { COMMA, minus(43), bar(54), CONST, bar(54) };

const THEN_H_A_ABS: Piece = group! { COMMA, bar(44), A, pick("part", 47, 2, HALF_PARTS), bar(44) };

const THEN_H_C: Piece = group! { COMMA, minus(51), C, pick("part", 53, 2, HALF_PARTS) };

/// The first pieces of every form of HSET2.
const HSET2: Piece = group! {
    on(53, ".BF"), pick("compare", 49, 4, CMP_F), on(54, ".FTZ"), pick("combined by", 45, 2, BOOL), INTO_D
};

/// The first pieces of every form of HSETP2.
const HSETP2: Piece = group! {
    pick("compare", 49, 4, CMP_F), on(53, ".H_AND"), on(6, ".FTZ"), pick("combined by", 45, 2, BOOL), INTO_PP
};

/// Pairs of halves.
pub(super) const ROWS: &[Row] = rows! {
    op("HADD2", 0x5d10, 0xfff8, &[pick("merge", 49, 2, MERGES), on(39, ".FTZ"), on(32, ".SAT"), INTO_D, THEN_H_A,
        THEN_H_B])
        .since(HALF).about("Adds pairs of halves").source("facts 5d10"),
    op("HADD2", 0x7a80, 0xfe80, &[pick("merge", 49, 2, MERGES), on(39, ".FTZ"), on(52, ".SAT"), INTO_D, THEN_H_A,
        THEN_H_K])
        .since(HALF).about("Adds pairs of halves").source("facts 7a80"),
    op("HADD2", 0x7a00, 0xfe80, &[pick("merge", 49, 2, MERGES), on(39, ".FTZ"), on(52, ".SAT"), INTO_D, THEN_H_A,
        THEN_HALVES])
        .since(HALF).about("Adds pairs of halves").source("facts 7a00"),

    op("HMUL2", 0x5d08, 0xfff8, &[pick("merge", 49, 2, MERGES), pick("subnormals", 39, 2, FMZ_H), on(32, ".SAT"),
        INTO_D, THEN_H_A_ABS, THEN_H_B])
        .since(HALF).about("Multiplies pairs of halves").source("facts 5d08"),
    op("HMUL2", 0x7880, 0xfe80, &[pick("merge", 49, 2, MERGES), pick("subnormals", 39, 2, FMZ_H), on(52, ".SAT"),
        INTO_D, THEN_H_A_ABS, THEN_H_K_MUL])
        .since(HALF).about("Multiplies pairs of halves").source("facts 7880"),
    op("HMUL2", 0x7800, 0xfe80, &[pick("merge", 49, 2, MERGES), pick("subnormals", 39, 2, FMZ_H), on(52, ".SAT"),
        INTO_D, THEN_H_A, THEN_HALVES])
        .since(HALF).about("Multiplies pairs of halves").source("facts 7800"),

    op("HFMA2", 0x5d00, 0xfff8, &[pick("merge", 49, 2, MERGES), pick("subnormals", 37, 2, FMZ_H), on(32, ".SAT"),
        INTO_D, THEN_H_A_PLAIN, THEN_H_B_PLAIN, COMMA, minus(30), C, pick("part", 35, 2, HALF_PARTS)])
        .since(HALF).about("Multiplies and adds pairs of halves").source("facts 5d00"),
    op("HFMA2", 0x7080, 0xf880, &[pick("merge", 49, 2, MERGES), pick("subnormals", 57, 2, FMZ_H), on(52, ".SAT"),
        INTO_D, THEN_H_A_PLAIN, THEN_H_K_PLAIN, THEN_H_C])
        .since(HALF).about("Multiplies and adds pairs of halves").source("facts 7080"),
    op("HFMA2", 0x7000, 0xf880, &[pick("merge", 49, 2, MERGES), pick("subnormals", 57, 2, FMZ_H), on(52, ".SAT"),
        INTO_D, THEN_H_A_PLAIN, THEN_HALVES, THEN_H_C])
        .since(HALF).about("Multiplies and adds pairs of halves").source("facts 7000"),
    op("HFMA2", 0x6080, 0xf880, &[pick("merge", 49, 2, MERGES), pick("subnormals", 57, 2, FMZ), on(52, ".SAT"),
        INTO_D, THEN_H_A_PLAIN, COMMA, minus(56), C, pick("part", 53, 2, HALF_PARTS), COMMA, minus(51), CONST])
        .since(HALF).about("Multiplies and adds pairs of halves").source("facts 6080"),

    op("HADD2_32I", 0x2c00, 0xfe00, &[on(55, ".FTZ"), on(52, ".SAT"), INTO_D, COMMA, minus(56), A,
        pick("part", 53, 2, HALF_PARTS), THEN_FULL_HALVES])
        .since(HALF).about("Adds a pair of full halves").source("facts 2c00"),

    op("HMUL2_32I", 0x2a00, 0xfe00, &[pick("subnormals", 55, 2, FMZ_H), on(52, ".SAT"), INTO_D, THEN_A,
        pick("part", 53, 2, HALF_PARTS), THEN_FULL_HALVES])
        .since(HALF).about("Multiplies by a pair of full halves").source("facts 2a00"),

    op("HFMA2_32I", 0x2800, 0xfe00, &[pick("subnormals", 55, 2, FMZ), INTO_D, THEN_A, pick("part", 53, 2, HALF_PARTS),
        THEN_FULL_HALVES, COMMA, minus(52), D])
        .since(HALF).about("Multiplies by a pair of full halves and adds").source("facts 2800"),

    op("HSET2", 0x5d18, 0xfff8, &[on(49, ".BF"), pick("compare", 35, 4, CMP_F), on(50, ".FTZ"),
        pick("combined by", 45, 2, BOOL), INTO_D, THEN_H_A, THEN_H_B, THEN_PC])
        .since(HALF).about("Compares pairs of halves and sets a register").source("facts 5d18"),
    op("HSET2", 0x7c80, 0xfe80, &[HSET2, THEN_H_A, THEN_H_K_PLAIN, THEN_PC])
        .since(HALF).about("Compares pairs of halves and sets a register").source("facts 7c80"),
    op("HSET2", 0x7c00, 0xfe80, &[HSET2, THEN_H_A, THEN_HALVES, THEN_PC])
        .since(HALF).about("Compares pairs of halves and sets a register").source("facts 7c00"),

    op("HSETP2", 0x5d20, 0xfff8, &[pick("compare", 35, 4, CMP_F), on(49, ".H_AND"), on(6, ".FTZ"),
        pick("combined by", 45, 2, BOOL), INTO_PP, THEN_H_A, THEN_H_B, THEN_PC])
        .since(HALF).about("Compares pairs of halves and sets predicates").source("facts 5d20"),
    op("HSETP2", 0x7e80, 0xfe80, &[HSETP2, THEN_H_A, THEN_H_K, THEN_PC])
        .since(HALF).about("Compares pairs of halves and sets predicates").source("facts 7e80"),
    op("HSETP2", 0x7e00, 0xfe80, &[HSETP2, THEN_H_A, THEN_HALVES, THEN_PC])
        .since(HALF).about("Compares pairs of halves and sets predicates").source("facts 7e00"),
};
