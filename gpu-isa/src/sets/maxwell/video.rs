//! Video instructions: parts of registers.

use super::pieces::*;
use crate::set::*;

const V_TYPES_16_32: &[Option<&str>] = names! { ".U8", _, ".U16", ".U32", ".S8", _, ".S16", ".S32" };

const V_TYPES_8: &[Option<&str>] = names! { ".U8", ".S8" };

const V_TYPES_N: &[Option<&str>] = names! { ".U16", ".S16" };

/// Type of the first operand.
const V_TYPE_A: Piece = cases! {
    if_bits(38, 1, 0, &[pick("type", 48, 1, V_TYPES_8)]),
    otherwise(&[Names(bits("type", 37, 2).and(48, 1), V_TYPES_16_32)]),
};

/// Part of the first operand.
const V_PART: Piece = cases! {
    if_bits(37, 2, 2, &[on(36, ".H1")]),
    if_bits(37, 2, 3, &[]),
    if_bits(38, 1, 0, &[pick("part", 36, 2, BYTE_PARTS)]),
};

/// Type of the second operand: an immediate has 16 bits.
const V_TYPE_B: Piece = cases! {
    if_bits(50, 1, 0, &[pick("type", 49, 1, V_TYPES_N)]),
    if_bits(30, 1, 0, &[pick("type", 49, 1, V_TYPES_8)]).with(bits("", 50, 1), 1),
    if_bits(50, 1, 1, &[Names(bits("type", 29, 2).and(49, 1), V_TYPES_16_32)]),
};

/// Types of the operands; nothing is printed if both are signed words.
const V_TYPES: Piece = cases! {
    if_bits(29, 2, 3, &[]).with(bits("", 37, 2), 3).with(bits("", 48, 3), 7),
    otherwise(&[V_TYPE_A, V_TYPE_B]),
};

/// Types of the operands of a shift; its second operand is unsigned.
const V_TYPES_SHIFT: Piece = group! {
    V_TYPE_A,
    Cases(&[if_bits(50, 1, 0, &[Text(".U16")]), if_bits(30, 1, 0, &[Text(".U8")]), if_bits(29, 2, 2, &[Text(".U16")]),
        if_bits(29, 2, 3, &[Text(".U32")])])
};

const V_REG: Piece = group! {
    B,
    Cases(&[if_bits(29, 2, 2, &[on(28, ".H1")]), if_bits(29, 2, 3, &[]),
        if_bits(30, 1, 0, &[pick("part", 28, 2, BYTE_PARTS)])])
};

/// The second operand: an immediate, signed or not, or a part of a register.
const THEN_V_B: Piece = group! {
    COMMA,
    Cases(&[if_bits(49, 2, 0, &[hex("number", 20, 16)]), if_bits(49, 2, 1, &[signed("number", 20, 16)]),
        if_bits(50, 1, 1, &[V_REG])])
};

const THEN_V_B_UNSIGNED: Piece = group! {
    COMMA, Cases(&[if_bits(50, 1, 0, &[hex("number", 20, 16)]), if_bits(50, 1, 1, &[V_REG])])
};

const V_MODES: &[Option<&str>] = names! {
    ".MRG_16H", ".MRG_16L", ".MRG_8B0", ".MRG_8B2", ".ACC", ".MIN", ".MAX", ""
};

const THEN_A_PART: Piece = group! { COMMA, A, V_PART };

const PO_56: Piece = cases! { if_bits(56, 2, 3, &[Text(".PO")]) };

const MINUS_57: Piece = cases! { if_bits(56, 2, 2, &[Text("-")]) };

const THEN_V_B_SIGNED: Piece = group! {
    COMMA,
    Cases(&[if_bits(50, 1, 0, &[hex("number", 20, 16)]),
        if_bits(50, 1, 1, &[Cases(&[if_bits(56, 2, 1, &[Text("-")])]), V_REG])])
};

const V_SCALES: &[Option<&str>] = names! { "", ".SHR_7", ".SHR_15", ".INVALIDVMADSCALE3" };

const V4_LANES: &[Option<&str>] = names! {
    ".INVALID0", ".X", ".Y", ".XY", ".Z", ".XZ", ".YZ", ".XYZ", ".W", ".XW", ".YW", ".XYW", ".ZW", ".XZW", ".YZW", ""
};

const V4_BYTES_A: &[Option<&str>] = names! {
    ".0000", ".1111", ".2222", ".3333", "", ".4321", ".5432", ".6543", ".3201", ".3012", ".0213", ".3120", ".1230",
    ".2310", _, _
};

const V4_BYTES_B: &[Option<&str>] = names! {
    ".4444", ".5555", ".6666", ".7777", "", ".6543", ".5432", ".4321", ".4567", ".6745", ".5467"
};

const V4_SUMS: &[Option<&str>] = names! { "", ".ACC", ".INVALIDRED2", ".INVALIDRED3" };

const IDP_MODES: &[Option<&str>] = names! {
    ".4A.U8", ".2A.LO.U16", ".4A.S8", ".2A.LO.S16", _, ".2A.HI.U16", _, ".2A.HI.S16"
};

/// The first pieces of every form of IDP.
const IDP: Piece = group! { pick("mode", 48, 3, IDP_MODES), pick("type", 47, 1, V_TYPES_8), INTO_D, THEN_A };

/// Video instructions: parts of registers.
pub(super) const ROWS: &[Row] = rows! {
    op("VADD", 0x2000, 0xfc00, &[off(54, ".UD"), V_TYPES, PO_56, on(55, ".SAT"), pick("mode", 51, 3, V_MODES),
        INTO_D_CC, COMMA, MINUS_57, A, V_PART, THEN_V_B_SIGNED, THEN_C])
        .about("Adds parts of registers (video)").source("facts 2000"),

    op("VMNMX", 0x3a00, 0xfe00, &[off(54, ".UD"), V_TYPES, on(56, ".MX"), on(55, ".SAT"),
        pick("mode", 51, 3, V_MODES), INTO_D_CC, THEN_A_PART, THEN_V_B, THEN_C])
        .about("Minimum or maximum of parts of registers (video)").source("facts 3a00"),

    op("VABSDIFF", 0x5400, 0xff00, &[on(54, ".SD"), V_TYPES, on(55, ".SAT"), pick("mode", 51, 3, V_MODES), INTO_D_CC,
        THEN_A_PART, THEN_V_B, THEN_C])
        .about("Absolute difference of parts of registers (video)").source("document lines 610, 611; facts 5400"),

    op("VSHR", 0x5600, 0xff00, &[off(54, ".UD"), V_TYPES_SHIFT, on(49, ".W"), on(55, ".SAT"),
        pick("mode", 51, 3, V_MODES), INTO_D_CC, THEN_A_PART, THEN_V_B_UNSIGNED, THEN_C])
        .about("Shifts a part of a register right (video)").source("facts 5600"),

    op("VSHL", 0x5700, 0xff00, &[off(54, ".UD"), V_TYPES_SHIFT, on(49, ".W"), on(55, ".SAT"),
        pick("mode", 51, 3, V_MODES), INTO_D_CC, THEN_A_PART, THEN_V_B_UNSIGNED, THEN_C])
        .about("Shifts a part of a register left (video)").source("facts 5700"),

    op("VSET", 0x4000, 0xfe00, &[pick("compare", 54, 3, CMP_I), V_TYPES, pick("mode", 51, 3, V_MODES), INTO_D_CC,
        THEN_A_PART, THEN_V_B, THEN_C])
        .about("Compares parts of registers and sets a register (video)").source("facts 4000"),

    op("VSETP", 0x50f0, 0xfff8, &[Names(bits("compare", 43, 2).and(47, 1), CMP_I), V_TYPES,
        pick("combined by", 45, 2, BOOL), INTO_PP, THEN_A_PART, THEN_V_B, THEN_PC])
        .about("Compares parts of registers and sets predicates (video)").source("facts 50f0"),

    op("VMAD", 0x5f00, 0xff00, &[V_TYPES, Cases(&[if_bits(53, 2, 3, &[Text(".PO")])]), pick("scale", 51, 2, V_SCALES),
        on(55, ".SAT"), INTO_D_CC, COMMA, Cases(&[if_bits(53, 2, 2, &[Text("-")])]), A, V_PART, THEN_V_B_UNSIGNED,
        COMMA, Cases(&[if_bits(53, 2, 1, &[Text("-")])]), C])
        .about("Multiplies parts of registers and adds (video)").source("facts 5f00"),

    op("VABSDIFF4", 0x5000, 0xff80, &[on(38, ".SD"), pick("type", 48, 1, V_TYPES_8), pick("type", 49, 1, V_TYPES_8),
        SAT_50, pick("sum", 53, 2, V4_SUMS), Names(bits("lanes", 51, 2).and(36, 2), V4_LANES), INTO_D, THEN_A,
        pick("bytes", 32, 4, V4_BYTES_A), THEN_B, pick("bytes", 28, 4, V4_BYTES_B), THEN_C])
        .about("Sum of absolute differences of four bytes (video)").source("facts 5000"),

    op("IDP", 0x53f8, 0xfff8, &[IDP, THEN_B, THEN_C])
        .since(60).about("Dot product of bytes or halves").source("facts 53f8"),
    op("IDP", 0x53d8, 0xfff8, &[IDP, COMMA, CONST, THEN_C])
        .since(60).about("Dot product of bytes or halves").source("facts 53d8"),
};
