//! Floats and doubles.

use super::pieces::*;
use crate::set::*;

const SINGLE_32: Piece = Number(bits("number", 20, 32), SINGLE);

/// The first source: negative by bit 48, absolute by bit 46.
const A_48_46: Piece = group! { COMMA, minus(48), bar(46), A, bar(46) };

/// The first pieces of every form of FADD.
const FADD: Piece = group! { on(44, ".FTZ"), pick("rounding", 39, 2, ROUND), SAT_50, INTO_D_CC, A_48_46 };

/// The first pieces of every form of DADD.
const DADD: Piece = group! { pick("rounding", 39, 2, ROUND), INTO_D_CC, A_48_46 };

/// The first pieces of every form of FMNMX.
const FMNMX: Piece = group! { on(44, ".FTZ"), INTO_D_CC, A_48_46 };

/// The first pieces of every form of DMNMX.
const DMNMX: Piece = group! { INTO_D_CC, A_48_46 };

const FMUL_SCALES: &[Option<&str>] = names! { "", ".D2", ".D4", ".D8", ".M8", ".M4", ".M2", ".INVALIDSCALE37" };

/// The first pieces of every form of FMUL.
const FMUL: Piece = group! {
    pick("subnormals", 44, 2, FMZ), pick("scale", 41, 3, FMUL_SCALES), pick("rounding", 39, 2, ROUND), SAT_50,
    INTO_D_CC, THEN_A
};

/// The first pieces of every form of DMUL.
const DMUL: Piece = group! { pick("rounding", 39, 2, ROUND), INTO_D_CC, THEN_A };

/// The first pieces of every form of FFMA.
const FFMA: Piece = group! {
    pick("subnormals", 53, 2, FMZ), pick("rounding", 51, 2, ROUND), SAT_50, INTO_D_CC, THEN_A
};

const THEN_C_49: Piece = group! { COMMA, minus(49), C };

/// The first pieces of every form of DFMA.
const DFMA: Piece = group! { pick("rounding", 50, 2, ROUND), INTO_D_CC, THEN_A };

/// The first source: negative by bit 56, absolute by bit 54.
const A_56_54: Piece = group! { COMMA, minus(56), bar(54), A, bar(54) };

const FCHK_OPS: &[Option<&str>] = names! { ".DIVIDE" };

/// The first pieces of every form of FCHK.
const FCHK: Piece = group! { pick("operation", 39, 6, FCHK_OPS), SPACE, pred(3), A_48_46 };

const RRO_OPS: &[Option<&str>] = names! { ".SINCOS", ".EX2" };

/// The first pieces of every form of RRO.
const RRO: Piece = group! { pick("operation", 39, 1, RRO_OPS), INTO_D };

const MUFU_OPS: &[Option<&str>] = names! {
    ".COS", ".SIN", ".EX2", ".LG2", ".RCP", ".RSQ", ".RCP64H", ".RSQ64H", ".SQRT", ".INVALIDMUFUOPCODE9",
    ".INVALIDMUFUOPCODEA", ".INVALIDMUFUOPCODEB", ".INVALIDMUFUOPCODEC", ".INVALIDMUFUOPCODED", ".INVALIDMUFUOPCODEE",
    ".INVALIDMUFUOPCODEF"
};

const FSWZADD_SIGNS: &[Option<&str>] = names! { "PP", "NP", "PN", "ZP" };

/// Floats and doubles.
pub(super) const ROWS: &[Row] = rows! {
    op("FADD", 0x5c58, 0xfff8, &[FADD, COMMA, B_45_49])
        .about("Adds floats").source("document line 461; facts 5c58"),
    op("FADD", 0x4c58, 0xfff8, &[FADD, COMMA, K_45_49])
        .about("Adds floats").source("document line 462; facts 4c58"),
    op("FADD", 0x3858, 0xfef8, &[FADD, COMMA, SINGLE_NUMBER, N_45_49])
        .about("Adds floats").source("document line 463; facts 3858"),

    op("DADD", 0x5c70, 0xfff8, &[DADD, COMMA, B_45_49])
        .about("Adds doubles").source("document line 485; facts 5c70"),
    op("DADD", 0x4c70, 0xfff8, &[DADD, COMMA, K_45_49])
        .about("Adds doubles").source("document line 489; facts 4c70"),
    op("DADD", 0x3870, 0xfef8, &[DADD, COMMA, DOUBLE_NUMBER, N_45_49])
        .about("Adds doubles").source("document line 488; facts 3870"),

    op("FMNMX", 0x5c60, 0xfff8, &[FMNMX, COMMA, B_45_49, THEN_PC])
        .about("Minimum or maximum of floats, by a predicate").source("document line 583; facts 5c60"),
    op("FMNMX", 0x4c60, 0xfff8, &[FMNMX, COMMA, K_45_49, THEN_PC])
        .about("Minimum or maximum of floats, by a predicate").source("facts 4c60"),
    op("FMNMX", 0x3860, 0xfef8, &[FMNMX, COMMA, SINGLE_NUMBER, N_45_49, THEN_PC])
        .about("Minimum or maximum of floats, by a predicate").source("document line 584; facts 3860"),

    op("DMNMX", 0x5c50, 0xfff8, &[DMNMX, COMMA, B_45_49, THEN_PC])
        .about("Minimum or maximum of doubles, by a predicate").source("document line 581; facts 5c50"),
    op("DMNMX", 0x4c50, 0xfff8, &[DMNMX, COMMA, K_45_49, THEN_PC])
        .about("Minimum or maximum of doubles, by a predicate").source("facts 4c50"),
    op("DMNMX", 0x3850, 0xfef8, &[DMNMX, COMMA, DOUBLE_NUMBER, N_45_49, THEN_PC])
        .about("Minimum or maximum of doubles, by a predicate").source("document line 582; facts 3850"),

    op("FMUL", 0x5c68, 0xfff8, &[FMUL, COMMA, minus(48), B])
        .about("Multiplies floats").source("document line 465; facts 5c68"),
    op("FMUL", 0x4c68, 0xfff8, &[FMUL, COMMA, minus(48), CONST])
        .about("Multiplies floats").source("document line 467; facts 4c68"),
    op("FMUL", 0x3868, 0xfef8, &[FMUL, COMMA, SINGLE_NUMBER, on(48, ".NEG")])
        .about("Multiplies floats").source("document line 466; facts 3868"),

    op("DMUL", 0x5c80, 0xfff8, &[DMUL, COMMA, minus(48), B])
        .about("Multiplies doubles").source("document line 490; facts 5c80"),
    op("DMUL", 0x4c80, 0xfff8, &[DMUL, COMMA, minus(48), CONST])
        .about("Multiplies doubles").source("document line 492; facts 4c80"),
    op("DMUL", 0x3880, 0xfef8, &[DMUL, COMMA, DOUBLE_NUMBER, on(48, ".NEG")])
        .about("Multiplies doubles").source("document line 491; facts 3880"),

    op("FFMA", 0x5980, 0xff80, &[FFMA, COMMA, minus(48), B, THEN_C_49])
        .about("Multiplies and adds floats, rounding once").source("document line 472; facts 5980"),
    op("FFMA", 0x4980, 0xff80, &[FFMA, COMMA, minus(48), CONST, THEN_C_49])
        .about("Multiplies and adds floats, rounding once").source("document line 471; facts 4980"),
    op("FFMA", 0x3280, 0xfe80, &[FFMA, COMMA, SINGLE_NUMBER, on(48, ".NEG"), THEN_C_49])
        .about("Multiplies and adds floats, rounding once").source("document line 470; facts 3280"),
    op("FFMA", 0x5180, 0xff80, &[FFMA, COMMA, minus(48), C, COMMA, minus(49), CONST])
        .about("Multiplies and adds floats, rounding once").source("document line 469; facts 5180"),

    op("DFMA", 0x5b70, 0xfff0, &[DFMA, COMMA, minus(48), B, THEN_C_49])
        .about("Multiplies and adds doubles, rounding once").source("document line 493; facts 5b70"),
    op("DFMA", 0x4b70, 0xfff0, &[DFMA, COMMA, minus(48), CONST, THEN_C_49])
        .about("Multiplies and adds doubles, rounding once").source("document line 495; facts 4b70"),
    op("DFMA", 0x3670, 0xfef0, &[DFMA, COMMA, DOUBLE_NUMBER, on(48, ".NEG"), THEN_C_49])
        .about("Multiplies and adds doubles, rounding once").source("document line 494; facts 3670"),
    op("DFMA", 0x5370, 0xfff0, &[DFMA, COMMA, minus(48), C, COMMA, minus(49), CONST])
        .about("Multiplies and adds doubles, rounding once").source("document line 496; facts 5370"),

    op("FADD32I", 0x0800, 0xfc00, &[on(55, ".FTZ"), INTO_D_CC_52, A_56_54, COMMA, SINGLE_32, on(53, ".NEG"),
        on(57, ".ABS")])
        .about("Adds a 32-bit float immediate").source("document line 464; facts 0800"),

    op("FMUL32I", 0x1e00, 0xff00, &[pick("subnormals", 53, 2, FMZ), on(55, ".SAT"), INTO_D_CC_52, THEN_A, COMMA,
        SINGLE_32])
        .about("Multiplies by a 32-bit float immediate").source("document line 468; facts 1e00"),

    op("FFMA32I", 0x0c00, 0xfc00, &[pick("subnormals", 53, 2, FMZ), on(55, ".SAT"), INTO_D_CC_52, COMMA, minus(56), A,
        COMMA, SINGLE_32, COMMA, minus(57), D])
        .about("Multiplies by a 32-bit float immediate and adds").source("facts 0c00"),

    op("FCHK", 0x5c88, 0xfff8, &[FCHK, COMMA, B_45_49])
        .about("Checks whether a division needs the slow path").source("document line 593; facts 5c88"),
    op("FCHK", 0x4c88, 0xfff8, &[FCHK, COMMA, K_45_49])
        .about("Checks whether a division needs the slow path").source("facts 4c88"),
    op("FCHK", 0x3888, 0xfef8, &[FCHK, COMMA, SINGLE_NUMBER, N_45_49])
        .about("Checks whether a division needs the slow path").source("facts 3888"),

    op("RRO", 0x5c90, 0xfff8, &[RRO, COMMA, B_45_49])
        .about("Reduces the range for sine, cosine or 2^x").source("document line 579; facts 5c90"),
    op("RRO", 0x4c90, 0xfff8, &[RRO, COMMA, K_45_49])
        .about("Reduces the range for sine, cosine or 2^x").source("facts 4c90"),
    op("RRO", 0x3890, 0xfef8, &[RRO, COMMA, SINGLE_NUMBER, N_45_49])
        .about("Reduces the range for sine, cosine or 2^x").source("facts 3890"),

    op("MUFU", 0x5080, 0xfff8, &[pick("operation", 20, 4, MUFU_OPS), SAT_50, INTO_D, A_48_46])
        .about("Approximates a function: sine, 2^x, reciprocal and others").source("document line 484; facts 5080"),

    op("FSWZADD", 0x50f8, 0xfff8, &[on(44, ".FTZ"), pick("rounding", 39, 2, ROUND), on(38, ".NDV"), INTO_D_CC, THEN_A,
        THEN_B, COMMA, pick("sign", 34, 2, FSWZADD_SIGNS), pick("sign", 32, 2, FSWZADD_SIGNS),
        pick("sign", 30, 2, FSWZADD_SIGNS), pick("sign", 28, 2, FSWZADD_SIGNS)])
        .about("Adds floats of neighbouring lanes, with signs by lane").source("facts 50f8"),
};
