//! Conversions and moves.

use super::pieces::*;
use crate::set::*;

/// A half: the low 16 of 20 bits.
const HALF_NUMBER: Piece = Number(bits("number", 20, 16), HALF_FULL);

const TYPE3: &[Option<&str>] = names! { ".U8", ".U16", ".U32", ".U64", ".S8", ".S16", ".S32", ".S64" };

const DST3: &[Option<&str>] = names! { ".INVALID0", ".U16", ".U32", ".U64", ".INVALID1", ".S16", ".S32", ".S64" };

const FDST: &[Option<&str>] = names! { ".INVALIDFPDEST0", ".F16", ".F32", ".F64" };

const FSRC: &[Option<&str>] = names! { ".INVALIDFPSRC0", ".F16", ".F32", ".F64" };

const SHORT_PARTS: &[Option<&str>] = names! { "", ".INVALIDSIZE1", ".H1", ".INVALIDSIZE3" };

/// The part of the source: a half of 16 bits or a byte.
const CV_SEL: Piece = cases! {
    if_bits(10, 2, 1, &[pick("part", 41, 2, SHORT_PARTS)]),
    otherwise(&[pick("part", 41, 2, BYTE_PARTS)]),
};

const CV_B: Piece = group! { minus(45), bar(49), B, CV_SEL, bar(49) };

const CV_K: Piece = group! { minus(45), bar(49), CONST_SP, CV_SEL, bar(49) };

const CV_S: Piece = group! { on(45, ".NEG"), on(49, ".ABS"), CV_SEL };

/// The first pieces of every form of I2I.
const I2I: Piece = group! {
    Names(bits("type", 8, 2).and(12, 1), TYPE3), Names(bits("type", 10, 2).and(13, 1), TYPE3), SAT_50, INTO_D_CC
};

/// The first pieces of every form of I2F.
const I2F: Piece = group! {
    pick("type", 8, 2, FSRC), Names(bits("type", 10, 2).and(13, 1), TYPE3), pick("rounding", 39, 2, ROUND), INTO_D_CC
};

/// The float source; for a half, `.H1` selects the upper half of the register.
const F_R: Piece = cases! {
    if_bits(10, 2, 1, &[minus(45), bar(49), B, on(41, ".H1"), bar(49)]),
    otherwise(&[B_45_49]),
};

const F_K: Piece = cases! {
    if_bits(10, 2, 1, &[minus(45), bar(49), CONST_SP, on(41, ".H1"), bar(49)]),
    otherwise(&[K_45_49]),
};

const F_KS: Piece = group! { minus(45), bar(49), CONST_SP, bar(49) };

const F_KI: Piece = cases! {
    if_bits(10, 2, 1, &[minus(45), bar(49), CONST_SP, on(41, ".H1"), bar(49)]),
    otherwise(&[F_KS]),
};

/// The number is a half, a single or a double.
const F_I: Piece = group! {
    Cases(&[if_bits(10, 2, 1, &[HALF_NUMBER]), if_bits(10, 2, 3, &[DOUBLE_NUMBER]), otherwise(&[SINGLE_NUMBER])]),
    N_45_49
};

const F2I_ROUND: &[Option<&str>] = names! { "", ".FLOOR", ".CEIL", ".TRUNC" };

/// The first pieces of every form of F2I.
const F2I: Piece = group! {
    on(44, ".FTZ"), Names(bits("type", 8, 2).and(12, 1), DST3), pick("type", 10, 2, FSRC),
    pick("rounding", 39, 2, F2I_ROUND), INTO_D_CC
};

const F2F_INT_ROUND: &[Option<&str>] = names! { "", _, _, ".PASS", ".ROUND", ".FLOOR", ".CEIL", ".TRUNC" };

/// For equal types, the number is rounded to an integer or passed through unchanged.
const F2F_ROUNDING: Piece = cases! {
    if_bits(8, 4, 0, &[Names(bits("rounding", 39, 2).and(42, 1), F2F_INT_ROUND)]),
    if_bits(8, 4, 5, &[Names(bits("rounding", 39, 2).and(42, 1), F2F_INT_ROUND)]),
    if_bits(8, 4, 0xa, &[Names(bits("rounding", 39, 2).and(42, 1), F2F_INT_ROUND)]),
    if_bits(8, 4, 0xf, &[Names(bits("rounding", 39, 2).and(42, 1), F2F_INT_ROUND)]),
    otherwise(&[pick("rounding", 39, 2, ROUND)]),
};

/// The first pieces of every form of F2F.
const F2F: Piece = group! {
    on(44, ".FTZ"), pick("type", 8, 2, FDST), pick("type", 10, 2, FSRC), F2F_ROUNDING, SAT_50, INTO_D_CC
};

/// The bytes that are written; not printed if all are.
const BYTES_39: Piece = cases! { if_bits(39, 4, 0xf, &[]), otherwise(&[COMMA, hex("lanes", 39, 4)]) };

/// The first pieces of every form of SEL.
const SEL: Piece = group! { INTO_D, THEN_A };

const PR_OR_CC: &[Option<&str>] = names! { "PR", "CC" };

/// The first pieces of every form of R2P.
const R2P: Piece = group! { SPACE, pick("predicates", 40, 1, PR_OR_CC), THEN_A, pick("part", 41, 2, BYTE_PARTS) };

/// The first pieces of every form of P2R.
const P2R: Piece = group! {
    pick("part", 41, 2, BYTE_PARTS), INTO_D, COMMA, pick("predicates", 40, 1, PR_OR_CC), THEN_A
};

const SPECIAL_REGISTER: Piece = Number(bits("special", 20, 8), super::special::SPECIAL);

const B2R_MODE: Field = bits("mode", 32, 2);

/// The predicate of `B2R.RESULT`; PT is not printed.
const THEN_P_45: Piece = cases! { if_bits(45, 3, 7, &[]), otherwise(&[COMMA, pred(45)]) };

/// The barrier; `B2R.RESULT` and `B2R.WARP` may have none.
const B2R_BARRIER: Piece = cases! { if_bits(8, 8, 0xff, &[]), otherwise(&[COMMA, hex("barrier", 8, 8)]) };

const R2B_MODES: &[Option<&str>] = names! { "", ".RESULT", ".WARP", _ };

/// Conversions and moves.
pub(super) const ROWS: &[Row] = rows! {
    op("I2I", 0x5ce0, 0xfff8, &[I2I, COMMA, CV_B])
        .about("Integer to integer").source("document line 519; facts 5ce0"),
    op("I2I", 0x4ce0, 0xfff8, &[I2I, COMMA, CV_K])
        .about("Integer to integer").source("document line 520; facts 4ce0"),
    op("I2I", 0x38e0, 0xfef8, &[I2I, COMMA, NUMBER, CV_S])
        .about("Integer to integer").source("document line 518; facts 38e0"),

    op("I2F", 0x5cb8, 0xfff8, &[I2F, COMMA, CV_B])
        .about("Integer to float").source("document line 516; facts 5cb8"),
    op("I2F", 0x4cb8, 0xfff8, &[I2F, COMMA, CV_K])
        .about("Integer to float").source("document line 517; facts 4cb8"),
    op("I2F", 0x38b8, 0xfef8, &[I2F, COMMA, NUMBER, CV_S])
        .about("Integer to float").source("facts 38b8"),

    op("F2I", 0x5cb0, 0xfff8, &[F2I, COMMA, F_R])
        .about("Float to integer").source("document line 521; facts 5cb0"),
    op("F2I", 0x4cb0, 0xfff8, &[F2I, COMMA, F_KI])
        .about("Float to integer").source("facts 4cb0"),
    op("F2I", 0x38b0, 0xfef8, &[F2I, COMMA, F_I])
        .about("Float to integer").source("facts 38b0"),

    op("F2F", 0x5ca8, 0xfff8, &[F2F, COMMA, F_R])
        .about("Float to float").source("document line 522; facts 5ca8"),
    op("F2F", 0x4ca8, 0xfff8, &[F2F, COMMA, F_K])
        .about("Float to float").source("document line 523; facts 4ca8"),
    op("F2F", 0x38a8, 0xfef8, &[F2F, COMMA, F_I])
        .about("Float to float").source("document line 524; facts 38a8"),

    op("MOV", 0x5c98, 0xfff8, &[INTO_D, COMMA, B, BYTES_39])
        .about("Copies").source("document lines 450, 451; facts 5c98")
        .notes(&["Document, line 450: as line 448."]),
    op("MOV", 0x4c98, 0xfff8, &[INTO_D, COMMA, CONST, BYTES_39])
        .about("Copies").source("document lines 448, 449; facts 4c98")
        .notes(&["Document, line 448: printed run of x one too long: lane mask is bits 42..39."]),
    op("MOV", 0x3898, 0xfef8, &[INTO_D, COMMA, NUMBER, BYTES_39])
        .about("Copies").source("facts 3898"),

    op("MOV32I", 0x0100, 0xfff0, &[INTO_D, COMMA, NUMBER_32_U,
        Cases(&[if_bits(12, 4, 0xf, &[]), otherwise(&[COMMA, hex("lanes", 12, 4)])])])
        .about("Loads a 32-bit immediate").source("document lines 452, 453; facts 0100")
        .notes(&["Document, line 452: two x too many: lane mask is bits 15..12."]),

    op("SEL", 0x5ca0, 0xfff8, &[SEL, COMMA, B, THEN_PC])
        .about("Selects by a predicate").source("document line 538; facts 5ca0"),
    op("SEL", 0x4ca0, 0xfff8, &[SEL, COMMA, CONST, THEN_PC])
        .about("Selects by a predicate").source("document line 540; facts 4ca0"),
    op("SEL", 0x38a0, 0xfef8, &[SEL, COMMA, NUMBER, THEN_PC])
        .about("Selects by a predicate").source("document line 539; facts 38a0"),

    op("R2P", 0x5cf0, 0xfff8, &[R2P, COMMA, B])
        .about("Copies a register into predicates or the condition code").source("facts 5cf0"),
    op("R2P", 0x4cf0, 0xfff8, &[R2P, COMMA, CONST])
        .about("Copies a register into predicates or the condition code").source("facts 4cf0"),
    op("R2P", 0x38f0, 0xfef8, &[R2P, COMMA, NUMBER_U])
        .about("Copies a register into predicates or the condition code").source("facts 38f0"),

    op("P2R", 0x5ce8, 0xfff8, &[P2R, COMMA, B])
        .about("Copies predicates or the condition code into a register").source("facts 5ce8"),
    op("P2R", 0x4ce8, 0xfff8, &[P2R, COMMA, CONST])
        .about("Copies predicates or the condition code into a register").source("facts 4ce8"),
    op("P2R", 0x38e8, 0xfef8, &[P2R, COMMA, NUMBER])
        .about("Copies predicates or the condition code into a register").source("facts 38e8"),

    op("S2R", 0xf0c8, 0xfff8, &[INTO_D, COMMA, SPECIAL_REGISTER])
        .about("Copies a special register").source("document line 573; facts f0c8"),

    op("CS2R", 0x50c8, 0xfff8, &[INTO_D, COMMA, SPECIAL_REGISTER])
        .about("Copies a special register, fast variant").source("facts 50c8"),

    op("B2R", 0xf0b8, 0xfff8, &[
        Cases(&[when(B2R_MODE, 1, &[Text(".RESULT"), INTO_D, THEN_P_45, B2R_BARRIER]),
            when(B2R_MODE, 2, &[Text(".WARP"), INTO_D, B2R_BARRIER]),
            otherwise(&[Names(B2R_MODE, &[Some("")]), INTO_D, COMMA, hex("barrier", 8, 8)])])])
        .about("Copies the state of a barrier into a register").source("facts f0b8; gk110 m 85c0"),

    op("R2B", 0xf0c0, 0xfff8, &[pick("mode", 32, 2, R2B_MODES), SPACE, hex("barrier", 28, 4), THEN_B])
        .about("Copies a register into the state of a barrier").source("facts f0c0"),

    op("LEPC", 0x50d0, 0xfff8, &[INTO_D])
        .about("Loads the address of the instruction").source("facts 50d0"),
};
