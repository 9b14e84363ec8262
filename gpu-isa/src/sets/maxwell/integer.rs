//! Integers: sums, shifts, logic, bit fields, products.

use super::pieces::*;
use crate::set::*;

const NUMBER_32: Piece = signed("number", 20, 32);

const LOGIC: &[Option<&str>] = names! { ".AND", ".OR", ".XOR", ".PASS_B" };

const TESTS: &[Option<&str>] = names! { "", ".T", ".Z", ".NZ" };

const IMNMX_MODES: &[Option<&str>] = names! { "", ".XLO", ".XMED", ".XHI" };

/// `.PO`, plus one, if both sign bits are set.
const PO_49_48: Piece = cases! { if_bits(48, 2, 3, &[Text(".PO")]) };

/// A minus by bit 49, but not with bit 48: both together are .PO.
const MINUS_49_NOT_48: Piece = cases! { if_bits(48, 2, 2, &[Text("-")]) };

/// A minus by bit 48, but not with bit 49: both together are .PO.
const MINUS_48_NOT_49: Piece = cases! { if_bits(48, 2, 1, &[Text("-")]) };

/// A minus by bit 48, but not with bit 49: both together are .PO.
const NEG_48_NOT_49: Piece = cases! { if_bits(48, 2, 1, &[Text(".NEG")]) };

/// The first pieces of every form of IADD.
const IADD: Piece = group! { PO_49_48, SAT_50, on(43, ".X"), INTO_D_CC, COMMA, MINUS_49_NOT_48, A };

const THEN_SHIFT: Piece = group! { COMMA, hex("shift", 39, 5) };

/// The first pieces of every form of ISCADD.
const ISCADD: Piece = group! { PO_49_48, INTO_D_CC, COMMA, MINUS_49_NOT_48, A };

const IADD3_PARTS: &[Option<&str>] = names! { "", ".H0", ".H1", _ };

const IADD3_SHIFTS: &[Option<&str>] = names! { "", ".RS", ".LS", _ };

/// The first pieces of every form of IADD3.
const IADD3: Piece = group! { on(48, ".X"), INTO_D_CC };

/// The first pieces of every form of IMNMX.
const IMNMX: Piece = group! { pick("type", 48, 1, U32_NAME), pick("mode", 43, 2, IMNMX_MODES), INTO_D_CC, THEN_A };

/// The first pieces of every form of SHL.
const SHL: Piece = group! { on(39, ".W"), on(43, ".X"), INTO_D_CC, THEN_A };

const SHR_MODES: &[Option<&str>] = names! { "", ".INVALIDSHRXMODE1", ".X", ".XHI" };

/// The first pieces of every form of SHR.
const SHR: Piece = group! {
    pick("type", 48, 1, U32_NAME), on(39, ".W"), pick("mode", 43, 2, SHR_MODES), on(40, ".BREV"), INTO_D_CC, THEN_A
};

const SHF_TYPES: &[Option<&str>] = names! { "", ".INVALIDMAXSHIFT3", ".U64", ".S64" };

const SHF_MODES: &[Option<&str>] = names! { "", ".HI", ".X", ".XHI" };

/// The first pieces of every form of SHF.
const SHF: Piece = group! {
    on(50, ".W"), pick("type", 37, 2, SHF_TYPES), pick("mode", 48, 2, SHF_MODES), INTO_D_CC, THEN_A
};

/// A predicate that is written; PT is not printed.
const PD: Piece = cases! { if_bits(48, 3, 7, &[]), otherwise(&[pred(48), COMMA]) };

const INTO_PD_CC: Piece = group! { SPACE, PD, D, CC };

/// The first pieces of every form of LOP.
const LOP: Piece = group! {
    pick("operation", 41, 2, LOGIC), on(43, ".X"), pick("test", 44, 2, TESTS), INTO_PD_CC, COMMA, invert(39), A
};

/// The first pieces of every form of BFE.
const BFE: Piece = group! { pick("type", 48, 1, U32_NAME), on(40, ".BREV"), INTO_D_CC, THEN_A };

/// The first pieces of every form of BFI.
const BFI: Piece = group! { INTO_D_CC, THEN_A };

/// The first pieces of every form of FLO.
const FLO: Piece = group! { pick("type", 48, 1, U32_NAME), on(41, ".SH"), INTO_D_CC };

const PRMT_MODES: &[Option<&str>] = names! { "", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16", ".INVALIDPMODE7" };

/// The first pieces of every form of PRMT.
const PRMT: Piece = group! { pick("mode", 48, 3, PRMT_MODES), INTO_D, THEN_A };

/// A shift of 0 is not printed.
const THEN_SHIFT_39: Piece = cases! { if_bits(39, 5, 0, &[]), otherwise(&[COMMA, hex("shift", 39, 5)]) };

const THEN_SHIFT_28: Piece = cases! { if_bits(28, 5, 0, &[]), otherwise(&[COMMA, hex("shift", 28, 5)]) };

const THEN_SHIFT_51: Piece = cases! { if_bits(51, 5, 0, &[]), otherwise(&[COMMA, hex("shift", 51, 5)]) };

/// The first pieces of every form of LEA.
const LEA: Piece = group! { on(46, ".X"), INTO_PD_CC, COMMA, minus(45), A };

const SIGNS_32: &[Option<&str>] = names! { ".U32", ".S32" };

/// The types; nothing is printed if both are signed.
const TYPES_40_41: Piece = cases! {
    if_bits(40, 2, 3, &[]),
    otherwise(&[pick("type", 40, 1, SIGNS_32), pick("type", 41, 1, SIGNS_32)]),
};

/// The first pieces of every form of IMUL.
const IMUL: Piece = group! { TYPES_40_41, on(39, ".HI"), INTO_D_CC, THEN_A };

/// The types; nothing is printed if both are signed.
const TYPES_54_55: Piece = cases! {
    if_bits(54, 2, 3, &[]),
    otherwise(&[pick("type", 54, 1, SIGNS_32), pick("type", 55, 1, SIGNS_32)]),
};

/// The types; nothing is printed if both are signed.
const TYPES_48_53: Piece = cases! {
    if_bits(48, 1, 1, &[]).with(bits("", 53, 1), 1),
    otherwise(&[pick("type", 48, 1, SIGNS_32), pick("type", 53, 1, SIGNS_32)]),
};

/// `.PO`, plus one, if both sign bits are set.
const PO_52_51: Piece = cases! { if_bits(51, 2, 3, &[Text(".PO")]) };

/// A minus by bit 52, but not with bit 51: both together are .PO.
const MINUS_52_NOT_51: Piece = cases! { if_bits(51, 2, 2, &[Text("-")]) };

/// A minus by bit 51, but not with bit 52: both together are .PO.
const MINUS_51_NOT_52: Piece = cases! { if_bits(51, 2, 1, &[Text("-")]) };

/// The first pieces of every form of IMAD.
const IMAD: Piece = group! {
    TYPES_48_53, on(54, ".HI"), PO_52_51, SAT_50, on(49, ".X"), INTO_D_CC, COMMA, MINUS_52_NOT_51, A
};

const THEN_IMAD_C: Piece = group! { COMMA, MINUS_51_NOT_52, C };

/// The types; nothing is printed if both are signed.
const TYPES_54_57: Piece = cases! {
    if_bits(54, 1, 1, &[]).with(bits("", 57, 1), 1),
    otherwise(&[pick("type", 54, 1, SIGNS_32), pick("type", 57, 1, SIGNS_32)]),
};

/// `.PO`, plus one, if both sign bits are set.
const PO_56_55: Piece = cases! { if_bits(55, 2, 3, &[Text(".PO")]) };

/// A minus by bit 56, but not with bit 55: both together are .PO.
const MINUS_56_NOT_55: Piece = cases! { if_bits(55, 2, 2, &[Text("-")]) };

/// A minus by bit 55, but not with bit 56: both together are .PO.
const MINUS_55_NOT_56: Piece = cases! { if_bits(55, 2, 1, &[Text("-")]) };

const IMADSP_A: &[Option<&str>] = names! { ".U32", ".S32", ".U24", ".S24", ".U16H0", ".S16H0", ".U16H1", ".S16H1" };

const IMADSP_B: &[Option<&str>] = names! { ".U24", ".S24", ".U16H0", ".S16H0" };

const IMADSP_C_U: &[Option<&str>] = names! { ".U32", ".U24", ".U16H0", _ };

const IMADSP_C_S: &[Option<&str>] = names! { ".S32", ".S24", ".S16H0", _ };

/// The third operand is signed if either of the others is signed.
const IMADSP_C: Piece = cases! {
    if_bits(48, 1, 0, &[pick("type", 51, 2, IMADSP_C_U)]).with(bits("", 53, 1), 0),
    otherwise(&[pick("type", 51, 2, IMADSP_C_S)]),
};

/// The first pieces of every form of IMADSP.
const IMADSP: Piece = group! {
    pick("type", 48, 3, IMADSP_A), pick("type", 53, 2, IMADSP_B), IMADSP_C, INTO_D_CC, THEN_A
};

const XMAD_TYPES: &[Option<&str>] = names! { "", ".S16.U16", ".U16.S16", ".S16.S16" };

const XMAD_MODES: &[Option<&str>] = names! { "", ".CLO", ".CHI", ".CSFU", ".CBCC", _, _, _ };

const XMAD_MODES_2: &[Option<&str>] = names! { "", ".CLO", ".CHI", ".CSFU" };

const XMAD_A: Piece = group! { COMMA, A, on(53, ".H1") };

/// The first pieces of every form of XMAD.
const XMAD: Piece = group! {
    pick("type", 48, 2, XMAD_TYPES), on(36, ".PSL"), pick("mode", 50, 3, XMAD_MODES), on(37, ".MRG"), on(38, ".X"),
    INTO_D_CC, XMAD_A
};

const XMAD_NUMBER: Piece = cases! {
    if_bits(49, 1, 1, &[signed("number", 20, 16)]),
    otherwise(&[hex("number", 20, 16)]),
};

/// Integers: sums, shifts, logic, bit fields, products.
pub(super) const ROWS: &[Row] = rows! {
    op("IADD", 0x5c10, 0xfff8, &[IADD, COMMA, MINUS_48_NOT_49, B])
        .about("Adds integers").source("document line 497; facts 5c10"),
    op("IADD", 0x4c10, 0xfff8, &[IADD, COMMA, MINUS_48_NOT_49, CONST])
        .about("Adds integers").source("document line 498; facts 4c10"),
    op("IADD", 0x3810, 0xfef8, &[IADD, COMMA, NUMBER, NEG_48_NOT_49])
        .about("Adds integers").source("document line 499; facts 3810"),

    op("ISCADD", 0x5c18, 0xfff8, &[ISCADD, COMMA, MINUS_48_NOT_49, B, THEN_SHIFT])
        .about("Shifts the first operand left and adds").source("document line 504; facts 5c18"),
    op("ISCADD", 0x4c18, 0xfff8, &[ISCADD, COMMA, MINUS_48_NOT_49, CONST, THEN_SHIFT])
        .about("Shifts the first operand left and adds").source("document line 506; facts 4c18"),
    op("ISCADD", 0x3818, 0xfef8, &[ISCADD, COMMA, NUMBER, NEG_48_NOT_49, THEN_SHIFT])
        .about("Shifts the first operand left and adds").source("document line 505; facts 3818"),

    op("IADD3", 0x5cc0, 0xfff0, &[pick("shift", 37, 2, IADD3_SHIFTS), IADD3, COMMA, minus(51), A,
        pick("part", 35, 2, IADD3_PARTS), COMMA, minus(50), B, pick("part", 33, 2, IADD3_PARTS), COMMA, minus(49), C,
        pick("part", 31, 2, IADD3_PARTS)])
        .about("Adds three integers").source("document line 607; facts 5cc0"),
    op("IADD3", 0x4cc0, 0xfff0, &[IADD3, COMMA, minus(51), A, COMMA, minus(50), CONST, COMMA, minus(49), C])
        .about("Adds three integers").source("document line 609; facts 4cc0"),
    op("IADD3", 0x38c0, 0xfef0, &[IADD3, COMMA, minus(51), A, COMMA, NUMBER_U, on(50, ".NEG"), COMMA, minus(49), C])
        .about("Adds three integers").source("document line 608; facts 38c0")
        .notes(&["Document, line 608: digits misread."]),

    op("IADD32I", 0x1c00, 0xfe80, &[on(54, ".SAT"), on(53, ".X"), INTO_D_CC_52, COMMA, minus(56), A, COMMA,
        NUMBER_32])
        .about("Adds a 32-bit immediate").source("document line 500; facts 1c00"),
    op("IADD32I", 0x1d80, 0xff80, &[Text(".PO"), on(54, ".SAT"), on(53, ".X"), INTO_D_CC_52, THEN_A, COMMA,
        NUMBER_32])
        .about("Adds a 32-bit immediate").source("facts 1d80"),

    op("ISCADD32I", 0x1400, 0xfc00, &[INTO_D_CC_52, THEN_A, COMMA, NUMBER_32, COMMA, hex("shift", 53, 5)])
        .about("Shifts the first operand left and adds a 32-bit immediate").source("document line 590; facts 1400"),

    op("IMNMX", 0x5c20, 0xfff8, &[IMNMX, COMMA, B, THEN_PC])
        .about("Minimum or maximum of integers, by a predicate").source("document line 502; facts 5c20"),
    op("IMNMX", 0x4c20, 0xfff8, &[IMNMX, COMMA, CONST, THEN_PC])
        .about("Minimum or maximum of integers, by a predicate").source("document line 501; facts 4c20"),
    op("IMNMX", 0x3820, 0xfef8, &[IMNMX, COMMA, NUMBER, THEN_PC])
        .about("Minimum or maximum of integers, by a predicate").source("document line 503; facts 3820"),

    op("SHL", 0x5c48, 0xfff8, &[SHL, COMMA, B])
        .about("Shifts left").source("document line 533; facts 5c48"),
    op("SHL", 0x4c48, 0xfff8, &[SHL, COMMA, CONST])
        .about("Shifts left").source("facts 4c48"),
    op("SHL", 0x3848, 0xfef8, &[SHL, COMMA, NUMBER])
        .about("Shifts left").source("document line 532; facts 3848"),

    op("SHR", 0x5c28, 0xfff8, &[SHR, COMMA, B])
        .about("Shifts right").source("document line 535; facts 5c28"),
    op("SHR", 0x4c28, 0xfff8, &[SHR, COMMA, CONST])
        .about("Shifts right").source("facts 4c28"),
    op("SHR", 0x3828, 0xfef8, &[SHR, COMMA, NUMBER])
        .about("Shifts right").source("document line 534; facts 3828"),

    op("SHF.R", 0x5cf8, 0xfff8, &[SHF, THEN_B, THEN_C])
        .about("Shifts a pair of registers (funnel shift)").source("facts 5cf8"),
    op("SHF.L", 0x5bf8, 0xfff8, &[SHF, THEN_B, THEN_C])
        .about("Shifts a pair of registers (funnel shift)").source("document line 592; facts 5bf8")
        .notes(&["Document, line 592: digits misread."]),
    op("SHF.R", 0x38f8, 0xfef8, &[SHF, COMMA, hex("number", 20, 6), THEN_C])
        .about("Shifts a pair of registers (funnel shift)").source("facts 38f8"),
    op("SHF.L", 0x36f8, 0xfef8, &[SHF, COMMA, hex("number", 20, 6), THEN_C])
        .about("Shifts a pair of registers (funnel shift)").source("document line 591; facts 36f8"),

    op("LOP", 0x5c40, 0xfff8, &[LOP, COMMA, invert(40), B])
        .about("Logic operation of two operands").source("document lines 526, 527; facts 5c40")
        .notes(&["Document, line 526: digits misread."]),
    op("LOP", 0x4c40, 0xfff8, &[LOP, COMMA, invert(40), CONST])
        .about("Logic operation of two operands").source("document lines 528, 529; facts 4c40")
        .notes(&["Document, line 528: digits misread."]),
    op("LOP", 0x3840, 0xfef8, &[LOP, COMMA, NUMBER, on(40, ".INV")])
        .about("Logic operation of two operands").source("document lines 525, 530; facts 3840")
        .notes(&["Document, line 530: digits misread."]),

    op("LOP32I", 0x0400, 0xfc00, &[pick("operation", 53, 2, LOGIC), on(57, ".X"), INTO_D_CC_52, COMMA, invert(55), A,
        COMMA, NUMBER_32_U, on(56, ".INV")])
        .about("Logic operation with a 32-bit immediate").source("document line 531; facts 0400"),

    op("LOP3.LUT", 0x5be0, 0xfff8, &[on(38, ".X"), pick("test", 36, 2, TESTS), INTO_PD_CC, THEN_A, THEN_B, THEN_C,
        COMMA, hex("lut", 28, 8)])
        .about("Any logic operation of three operands, by a truth table").source("document lines 616, 617; facts 5be0")
        .notes(&["Document, line 617: digits misread."]),
    op("LOP3.LUT", 0x0200, 0xfe00, &[on(56, ".X"), INTO_D_CC, THEN_A, COMMA, CONST, THEN_C, COMMA, hex("lut", 48, 8)])
        .about("Any logic operation of three operands, by a truth table").source("document line 618; facts 0200"),
    op("LOP3.LUT", 0x3c00, 0xfc00, &[on(57, ".X"), INTO_D_CC, THEN_A, COMMA, NUMBER, THEN_C, COMMA,
        hex("lut", 48, 8)])
        .about("Any logic operation of three operands, by a truth table").source("document line 619; facts 3c00"),

    op("BFE", 0x5c00, 0xfff8, &[BFE, COMMA, B])
        .about("Extracts a bit field").source("facts 5c00"),
    op("BFE", 0x4c00, 0xfff8, &[BFE, COMMA, CONST])
        .about("Extracts a bit field").source("facts 4c00"),
    op("BFE", 0x3800, 0xfef8, &[BFE, COMMA, NUMBER])
        .about("Extracts a bit field").source("document line 536; facts 3800"),

    op("BFI", 0x5bf0, 0xfff8, &[BFI, THEN_B, THEN_C])
        .about("Inserts a bit field").source("facts 5bf0"),
    op("BFI", 0x4bf0, 0xfff8, &[BFI, COMMA, CONST, THEN_C])
        .about("Inserts a bit field").source("facts 4bf0"),
    op("BFI", 0x36f0, 0xfef8, &[BFI, COMMA, NUMBER, THEN_C])
        .about("Inserts a bit field").source("document line 537; facts 36f0"),
    op("BFI", 0x53f0, 0xfff8, &[BFI, THEN_C, COMMA, CONST])
        .about("Inserts a bit field").source("facts 53f0"),

    op("POPC", 0x5c08, 0xfff8, &[INTO_D, COMMA, invert(40), B])
        .about("Counts ones").source("document line 588; facts 5c08"),
    op("POPC", 0x4c08, 0xfff8, &[INTO_D, COMMA, invert(40), CONST])
        .about("Counts ones").source("facts 4c08"),
    op("POPC", 0x3808, 0xfef8, &[INTO_D, COMMA, NUMBER, on(40, ".INV")])
        .about("Counts ones").source("facts 3808"),

    op("FLO", 0x5c30, 0xfff8, &[FLO, COMMA, invert(40), B])
        .about("Finds the leading one").source("document line 576; facts 5c30"),
    op("FLO", 0x4c30, 0xfff8, &[FLO, COMMA, invert(40), CONST])
        .about("Finds the leading one").source("facts 4c30"),
    op("FLO", 0x3830, 0xfef8, &[FLO, COMMA, NUMBER, on(40, ".INV")])
        .about("Finds the leading one").source("facts 3830"),

    op("PRMT", 0x5bc0, 0xfff8, &[PRMT, THEN_B, THEN_C])
        .about("Selects bytes of two registers").source("facts 5bc0"),
    op("PRMT", 0x4bc0, 0xfff8, &[PRMT, COMMA, CONST, THEN_C])
        .about("Selects bytes of two registers").source("facts 4bc0"),
    op("PRMT", 0x36c0, 0xfef8, &[PRMT, COMMA, NUMBER, THEN_C])
        .about("Selects bytes of two registers").source("document line 580; facts 36c0"),
    op("PRMT", 0x53c0, 0xfff8, &[PRMT, THEN_C, COMMA, CONST])
        .about("Selects bytes of two registers").source("facts 53c0"),

    op("LEA", 0x5bd0, 0xfff8, &[LEA, COMMA, B, THEN_SHIFT_39])
        .about("Computes an address: shifts and adds").source("document lines 624, 625, 626, 627; facts 5bd0")
        .notes(&["Document, line 626: digits misread.", "Document, line 627: digits misread; shift 43..39 = 0."]),
    op("LEA", 0x4bd0, 0xfff8, &[LEA, COMMA, CONST, THEN_SHIFT_39])
        .about("Computes an address: shifts and adds").source("facts 4bd0"),
    op("LEA", 0x36d0, 0xfef8, &[LEA, COMMA, NUMBER, THEN_SHIFT_39])
        .about("Computes an address: shifts and adds").source("document lines 632, 633, 634, 635; facts 36d0")
        .notes(&[
            "Document, line 632: digits misread.",
            "Document, line 633: digits misread.",
            "Document, line 634: digits misread.",
            "Document, line 635: digits misread.",
        ]),
    op("LEA.HI", 0x5bd8, 0xfff8, &[on(38, ".X"), INTO_PD_CC, COMMA, minus(37), A, THEN_B, THEN_C, THEN_SHIFT_28])
        .about("Computes an address: shifts and adds").source("document lines 628, 629, 630, 631; facts 5bd8")
        .notes(&[
            "Document, line 628: digits misread.",
            "Document, line 629: digits misread.",
            "Document, line 630: digits misread.",
            "Document, line 631: digits misread.",
        ]),
    op("LEA.HI", 0x1800, 0xfc00, &[on(57, ".X"), INTO_PD_CC, COMMA, minus(56), A, COMMA, CONST, THEN_C,
        THEN_SHIFT_51])
        .about("Computes an address: shifts and adds").source("facts 1800"),

    op("IMUL", 0x5c38, 0xfff8, &[IMUL, COMMA, B])
        .about("Multiplies integers").source("facts 5c38"),
    op("IMUL", 0x4c38, 0xfff8, &[IMUL, COMMA, CONST])
        .about("Multiplies integers").source("facts 4c38"),
    op("IMUL", 0x3838, 0xfef8, &[IMUL, COMMA, NUMBER])
        .about("Multiplies integers").source("facts 3838"),

    op("IMUL32I", 0x1f00, 0xff00, &[TYPES_54_55, on(53, ".HI"), INTO_D_CC_52, THEN_A, COMMA, NUMBER_32])
        .about("Multiplies by a 32-bit immediate").source("facts 1f00"),

    op("IMAD", 0x5a00, 0xff80, &[IMAD, THEN_B, THEN_IMAD_C])
        .about("Multiplies and adds integers").source("facts 5a00"),
    op("IMAD", 0x4a00, 0xff80, &[IMAD, COMMA, CONST, THEN_IMAD_C])
        .about("Multiplies and adds integers").source("facts 4a00"),
    op("IMAD", 0x3400, 0xfe80, &[IMAD, COMMA, NUMBER, THEN_IMAD_C])
        .about("Multiplies and adds integers").source("facts 3400"),
    op("IMAD", 0x5200, 0xff80, &[IMAD, COMMA, C, COMMA, MINUS_51_NOT_52, CONST])
        .about("Multiplies and adds integers").source("facts 5200"),

    op("IMAD32I", 0x1000, 0xfc00, &[TYPES_54_57, on(53, ".HI"), PO_56_55, INTO_D_CC_52, COMMA, MINUS_56_NOT_55, A,
        COMMA, NUMBER_32, COMMA, MINUS_55_NOT_56, D])
        .about("Multiplies by a 32-bit immediate and adds").source("facts 1000"),

    op("IMADSP", 0x5a80, 0xff80, &[IMADSP, THEN_B, THEN_C])
        .about("Multiplies parts of integers and adds").source("facts 5a80"),
    op("IMADSP", 0x4a80, 0xff80, &[IMADSP, COMMA, CONST, THEN_C])
        .about("Multiplies parts of integers and adds").source("facts 4a80"),
    op("IMADSP", 0x3480, 0xfe80, &[IMADSP, COMMA, NUMBER, THEN_C])
        .about("Multiplies parts of integers and adds").source("facts 3480"),
    op("IMADSP", 0x5280, 0xff80, &[IMADSP, THEN_C, COMMA, CONST])
        .about("Multiplies parts of integers and adds").source("facts 5280"),

    op("XMAD", 0x5b00, 0xffc0, &[XMAD, THEN_B, on(35, ".H1"), THEN_C])
        .about("Multiplies halves of 16 bits and adds").source("document line 600; facts 5b00"),
    op("XMAD", 0x3600, 0xfec0, &[XMAD, COMMA, XMAD_NUMBER, THEN_C])
        .about("Multiplies halves of 16 bits and adds").source("document line 601; facts 3600"),
    op("XMAD", 0x4e00, 0xfe00, &[pick("type", 48, 2, XMAD_TYPES), on(55, ".PSL"), pick("mode", 50, 2, XMAD_MODES_2),
        on(56, ".MRG"), on(54, ".X"), INTO_D_CC, XMAD_A, COMMA, CONST_SP, on(52, ".H1"), THEN_C])
        .about("Multiplies halves of 16 bits and adds").source("document line 603; facts 4e00"),
    op("XMAD", 0x5100, 0xff80, &[pick("type", 48, 2, XMAD_TYPES), pick("mode", 50, 2, XMAD_MODES_2), on(54, ".X"),
        INTO_D_CC, XMAD_A, COMMA, C, on(52, ".H1"), COMMA, CONST])
        .about("Multiplies halves of 16 bits and adds").source("document line 602; facts 5100"),
};
