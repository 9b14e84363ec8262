//! Comparisons, predicates and votes.

use super::pieces::*;
use crate::set::*;

const PC_12: Piece = group! { not(15), pred(12) };

const PC_29: Piece = group! { not(32), pred(29) };

/// Like CMP_F, but FCMP does not print GT.
const CMP_FCMP: &[Option<&str>] = names! {
    ".F", ".LT", ".EQ", ".LE", "", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU", ".LEU", ".GTU", ".NEU", ".GEU", ".T"
};

const ISET_COMPARE: Piece = group! {
    pick("compare", 49, 3, CMP_I), pick("type", 48, 1, U32_NAME), on(43, ".X"), pick("combined by", 45, 2, BOOL)
};

/// The first pieces of every form of ISET.
const ISET: Piece = group! { on(44, ".BF"), ISET_COMPARE, INTO_D_CC, THEN_A };

/// The first pieces of every form of ISETP.
const ISETP: Piece = group! { ISET_COMPARE, INTO_PP, THEN_A };

/// The first pieces of every form of ICMP.
const ICMP: Piece = group! { pick("compare", 49, 3, CMP_I), pick("type", 48, 1, U32_NAME), INTO_D, THEN_A };

/// The first pieces of every form of FCMP.
const FCMP: Piece = group! { pick("compare", 48, 4, CMP_FCMP), on(47, ".FTZ"), INTO_D, THEN_A };

/// The first source: negative by bit 43, absolute by bit 54.
const A_43_54: Piece = group! { COMMA, minus(43), bar(54), A, bar(54) };

/// The second source, a register: negative by bit 53, absolute by bit 44.
const B_53_44: Piece = group! { minus(53), bar(44), B, bar(44) };

/// The second source, a constant: negative by bit 53, absolute by bit 44.
const K_53_44: Piece = group! { minus(53), bar(44), CONST, bar(44) };

/// The modifiers after an immediate: bit 53 negates, bit 44 takes the absolute value.
const N_53_44: Piece = group! { on(53, ".NEG"), on(44, ".ABS") };

/// The first pieces of every form of FSET.
const FSET: Piece = group! {
    on(52, ".BF"), pick("compare", 48, 4, CMP_F), on(55, ".FTZ"), pick("combined by", 45, 2, BOOL), INTO_D_CC, A_43_54
};

/// The first pieces of every form of DSET.
const DSET: Piece = group! {
    on(52, ".BF"), pick("compare", 48, 4, CMP_F), pick("combined by", 45, 2, BOOL), INTO_D_CC, A_43_54
};

/// The first source: negative by bit 43, absolute by bit 7.
const A_43_7: Piece = group! { COMMA, minus(43), bar(7), A, bar(7) };

/// The second source, a register: negative by bit 6, absolute by bit 44.
const B_6_44: Piece = group! { minus(6), bar(44), B, bar(44) };

/// The second source, a constant: negative by bit 6, absolute by bit 44.
const K_6_44: Piece = group! { minus(6), bar(44), CONST, bar(44) };

/// The modifiers after an immediate: bit 6 negates, bit 44 takes the absolute value.
const N_6_44: Piece = group! { on(6, ".NEG"), on(44, ".ABS") };

/// The first pieces of every form of FSETP.
const FSETP: Piece = group! {
    pick("compare", 48, 4, CMP_F), on(47, ".FTZ"), pick("combined by", 45, 2, BOOL), INTO_PP, A_43_7
};

/// The first pieces of every form of DSETP.
const DSETP: Piece = group! { pick("compare", 48, 4, CMP_F), pick("combined by", 45, 2, BOOL), INTO_PP, A_43_7 };

/// The first pieces of every form of CSETP.
const CSETP: Piece = group! { Text("."), pick("condition", 8, 5, CONDITIONS), pick("combined by", 45, 2, BOOL) };

const THREE_PC: Piece = group! { PC_12, COMMA, PC_29, COMMA, PC };

const VTG_MODES: &[Option<&str>] = names! { ".R", ".A", ".RA", _ };

const VOTE_MODES: &[Option<&str>] = names! { ".ALL", ".ANY", ".EQ", ".INVALIDVMODE3" };

/// Comparisons, predicates and votes.
pub(super) const ROWS: &[Row] = rows! {
    op("ISET", 0x5b50, 0xfff0, &[ISET, COMMA, B, THEN_PC])
        .about("Compares integers and sets a register").source("document line 507; facts 5b50"),
    op("ISET", 0x4b50, 0xfff0, &[ISET, COMMA, CONST, THEN_PC])
        .about("Compares integers and sets a register").source("document line 508; facts 4b50"),
    op("ISET", 0x3650, 0xfef0, &[ISET, COMMA, NUMBER, THEN_PC])
        .about("Compares integers and sets a register").source("document line 509; facts 3650"),

    op("ISETP", 0x5b60, 0xfff0, &[ISETP, COMMA, B, THEN_PC])
        .about("Compares integers and sets predicates").source("document line 510; facts 5b60"),
    op("ISETP", 0x4b60, 0xfff0, &[ISETP, COMMA, CONST, THEN_PC])
        .about("Compares integers and sets predicates").source("document line 512; facts 4b60"),
    op("ISETP", 0x3660, 0xfef0, &[ISETP, COMMA, NUMBER, THEN_PC])
        .about("Compares integers and sets predicates").source("document line 511; facts 3660"),

    op("ICMP", 0x5b40, 0xfff0, &[ICMP, THEN_B, THEN_C])
        .about("Selects by comparing an integer with 0").source("document line 513; facts 5b40"),
    op("ICMP", 0x4b40, 0xfff0, &[ICMP, COMMA, CONST, THEN_C])
        .about("Selects by comparing an integer with 0").source("document line 515; facts 4b40"),
    op("ICMP", 0x3640, 0xfef0, &[ICMP, COMMA, NUMBER, THEN_C])
        .about("Selects by comparing an integer with 0").source("document line 514; facts 3640"),
    op("ICMP", 0x5340, 0xfff0, &[ICMP, THEN_C, COMMA, CONST])
        .about("Selects by comparing an integer with 0").source("facts 5340"),

    op("FCMP", 0x5ba0, 0xfff0, &[FCMP, THEN_B, THEN_C])
        .about("Selects by comparing a float with 0").source("document line 481; facts 5ba0"),
    op("FCMP", 0x4ba0, 0xfff0, &[FCMP, COMMA, CONST, THEN_C])
        .about("Selects by comparing a float with 0").source("document line 482; facts 4ba0"),
    op("FCMP", 0x36a0, 0xfef0, &[FCMP, COMMA, SINGLE_NUMBER, THEN_C])
        .about("Selects by comparing a float with 0").source("document line 483; facts 36a0"),
    op("FCMP", 0x53a0, 0xfff0, &[FCMP, THEN_C, COMMA, CONST])
        .about("Selects by comparing a float with 0").source("facts 53a0"),

    op("FSET", 0x5800, 0xff00, &[FSET, COMMA, B_53_44, THEN_PC])
        .about("Compares floats and sets a register").source("document line 474; facts 5800"),
    op("FSET", 0x4800, 0xff00, &[FSET, COMMA, K_53_44, THEN_PC])
        .about("Compares floats and sets a register").source("facts 4800"),
    op("FSET", 0x3000, 0xfe00, &[FSET, COMMA, SINGLE_NUMBER, N_53_44, THEN_PC])
        .about("Compares floats and sets a register").source("document line 473; facts 3000"),

    op("DSET", 0x5900, 0xff80, &[DSET, COMMA, B_53_44, THEN_PC])
        .about("Compares doubles and sets a register").source("document line 636; facts 5900")
        .notes(&["Document, line 636: digits misread."]),
    op("DSET", 0x4900, 0xff80, &[DSET, COMMA, K_53_44, THEN_PC])
        .about("Compares doubles and sets a register").source("document line 637; facts 4900")
        .notes(&["Document, line 637: digits misread."]),
    op("DSET", 0x3200, 0xfe80, &[DSET, COMMA, DOUBLE_NUMBER, N_53_44, THEN_PC])
        .about("Compares doubles and sets a register").source("document line 638; facts 3200"),

    op("FSETP", 0x5bb0, 0xfff0, &[FSETP, COMMA, B_6_44, THEN_PC])
        .about("Compares floats and sets predicates").source("document line 476; facts 5bb0"),
    op("FSETP", 0x4bb0, 0xfff0, &[FSETP, COMMA, K_6_44, THEN_PC])
        .about("Compares floats and sets predicates").source("document line 477; facts 4bb0"),
    op("FSETP", 0x36b0, 0xfef0, &[FSETP, COMMA, SINGLE_NUMBER, N_6_44, THEN_PC])
        .about("Compares floats and sets predicates").source("document line 475; facts 36b0"),

    op("DSETP", 0x5b80, 0xfff0, &[DSETP, COMMA, B_6_44, THEN_PC])
        .about("Compares doubles and sets predicates").source("document line 478; facts 5b80"),
    op("DSETP", 0x4b80, 0xfff0, &[DSETP, COMMA, K_6_44, THEN_PC])
        .about("Compares doubles and sets predicates").source("document line 480; facts 4b80"),
    op("DSETP", 0x3680, 0xfef0, &[DSETP, COMMA, DOUBLE_NUMBER, N_6_44, THEN_PC])
        .about("Compares doubles and sets predicates").source("document line 479; facts 3680")
        .notes(&["Document, line 479: digits misread."]),

    op("CSETP", 0x50a0, 0xfff8, &[CSETP, INTO_PP, Text(", CC"), THEN_PC])
        .about("Tests the condition code and sets predicates").source("document line 589; facts 50a0"),

    op("CSET", 0x5098, 0xfff8, &[on(44, ".BF"), CSETP, INTO_D_CC, Text(", CC"), THEN_PC])
        .about("Tests the condition code and sets a register").source("facts 5098"),

    op("PSETP", 0x5090, 0xfff8, &[pick("combined by", 24, 2, BOOL), pick("combined by", 45, 2, BOOL), INTO_PP, COMMA,
        THREE_PC])
        .about("Combines predicates and sets predicates").source("document line 574; facts 5090"),

    op("PSET", 0x5088, 0xfff8, &[on(44, ".BF"), pick("combined by", 24, 2, BOOL), pick("combined by", 45, 2, BOOL),
        INTO_D_CC, COMMA, THREE_PC])
        .about("Combines predicates and sets a register").source("document line 575; facts 5088"),

    op("VOTE.VTG", 0x50e0, 0xfff8, &[pick("mode", 48, 2, VTG_MODES), SPACE, hex("number", 20, 24)])
        .about("Votes across the warp").source("facts 50e0"),
    op("VOTE", 0x50d8, 0xfff8, &[pick("mode", 48, 2, VOTE_MODES), SPACE,
        Cases(&[if_bits(0, 8, 0xff, &[]), otherwise(&[D, COMMA])]), pred(45), THEN_PC])
        .about("Votes across the warp").source("document lines 586, 587; facts 50d8"),
};
