//! Integer arithmetic of 2.x and 3.0: units 2 (32-bit immediates, also of floats) and 3.

use super::parts::*;
use crate::set::{bits, case, otherwise, when, Case, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

const HI: Piece = Flag(bits("high", 6, 1), 1, ".HI");
const X6: Piece = Flag(bits("x", 6, 1), 1, ".X");
const BF: Piece = Flag(bits("bf", 7, 1), 1, ".BF");
const FUNCTION: Piece = Names(bits("function", 6, 2), &[Some(".AND"), Some(".OR"), Some(".XOR"), Some(".PASS_B")]);
const WRAP: Piece = Flag(bits("wrap", 9, 1), 1, ".W");
const BREV: Piece = Flag(bits("reversed", 8, 1), 1, ".BREV");
const NUM32: Piece = Number(LONG, SIGNED);
const FTZ: Piece = Names(bits("ftz", 6, 2), FTZ_FMZ);

// Additions.
const IB: Piece = Cases(&[
    when(SIGNS, 1, &[Text("-"), RB]).with(KIND, 0),
    when(SIGNS, 1, &[Text("-"), CONST]).with(KIND, 1),
    when(SIGNS, 1, &[NUM, Text(".NEG")]).with(KIND, 3),
    otherwise(&[SRC]),
]);
const ADD: Piece = Pieces(&[SAT, X6, DST]);
const SCADD_SIGNS: Field = bits("signs", 55, 2);
const SHIFT: Field = bits("shift", 5, 5);
const SCADD_A: Piece = Cases(&[when(SCADD_SIGNS, 2, &[Text("-"), RA]), otherwise(&[RA])]);
const SCADD_B: Piece = Cases(&[
    when(SCADD_SIGNS, 1, &[Text("-"), RB]).with(KIND, 0),
    when(SCADD_SIGNS, 1, &[Text("-"), CONST]).with(KIND, 1),
    when(SCADD_SIGNS, 1, &[NUM, Text(".NEG")]).with(KIND, 3),
    otherwise(&[SRC]),
]);
// IMAD: the minus is printed before the third source.
const MINUS_C: Piece = Cases(&[when(SIGNS, 1, &[Text("-")]), otherwise(&[])]);
const MAD_SRC_C: Piece = Cases(&[
    when(KIND, 0, &[RB, COMMA, MINUS_C, RC]), when(KIND, 1, &[CONST, COMMA, MINUS_C, RC]),
    when(KIND, 2, &[RC, COMMA, MINUS_C, CONST]), when(KIND, 3, &[NUM, COMMA, MINUS_C, RC]),
]);

// IMADSP: the third operand is signed if either of the others is signed.
const SP_FIRST: Piece = Names(
    bits("type_a", 7, 3),
    &[Some(".U32"), Some(".S32"), Some(".U24"), Some(".S24"), Some(".U16H0"), Some(".S16H0"), Some(".U16H1"), Some(".S16H1")],
);
const SP_SECOND: Piece = Names(bits("type_b", 5, 2), &[Some(".U24"), Some(".S24"), Some(".U16H0"), Some(".S16H0")]);
const SP_THIRD: Field = bits("type_c", 55, 2);
const SP_BITS: u128 = 1 << 7 | 1 << 5 | 3 << 55;
const SP_TYPES: &[Case] = &[
    when(SP_THIRD, 3, &[Text(".SD")]),
    case(SP_BITS, 0, &[SP_FIRST, SP_SECOND, Text(".U32")]),
    case(SP_BITS, 1 << 55, &[SP_FIRST, SP_SECOND, Text(".U24")]),
    case(SP_BITS, 2 << 55, &[SP_FIRST, SP_SECOND, Text(".U16H0")]),
    when(SP_THIRD, 0, &[SP_FIRST, SP_SECOND, Text(".S32")]),
    when(SP_THIRD, 1, &[SP_FIRST, SP_SECOND, Text(".S24")]),
    when(SP_THIRD, 2, &[SP_FIRST, SP_SECOND, Text(".S16H0")]),
];
const LONG_A: Piece = Pieces(&[IA, COMMA]);

pub(super) const ROWS: &[Row] = &[
    // A 32-bit immediate.
    op("IMAD32I", 0xf800, 0x0000, 2, &[
        FACTORS, HI, PO, DST_LONG, LONG_A, NUM32, COMMA, Cases(&[when(SIGNS, 1, &[Text("-"), RD]), otherwise(&[RD])]),
    ]).about("Integer multiply-add to the destination").source("gf100 m 0000"),
    op("IADD32I", 0xf800, 0x0800, 2, &[
        Cases(&[when(SIGNS, 1, &[Text(".ILLEGAL1")]), when(SIGNS, 3, &[Text(".PO")]), otherwise(&[])]),
        SAT, X6, DST_LONG, LONG_A, NUM32,
    ]).about("Integer add of a 32-bit immediate").source("nv.json form 45; gf100 m 0800"),
    op("IMUL32I", 0xf800, 0x1000, 2, &[FACTORS, HI, DST_LONG, RA, COMMA, NUM32]).about("Integer multiply by a 32-bit \
        immediate").source("nv.json form 46; gf100 m 1000"),
    op("MOV32I", 0xf800, 0x1800, 2, &[S, SP, RD, COMMA, Number(LONG, HEX), super::moves::LANE]).about("Move a 32-bit \
        immediate").source("nv.json form 23; gf100 m 1800"),
    op("FFMA32I", 0xf800, 0x2000, 2, &[
        FTZ, SAT, DST_LONG, Flag(bits("neg_product", 9, 1), 1, "-"), RA, COMMA, FLONG, COMMA,
        Flag(bits("neg_c", 8, 1), 1, "-"), RD,
    ]).about("FP32 fused multiply-add to the destination").source("gf100 m 2000"),
    op("FADD32I", 0xf800, 0x2800, 2, &[
        Flag(bits("ftz", 5, 1), 1, ".FTZ"), DST_LONG, FA, COMMA, FLONG,
        Flag(bits("neg_b", 8, 1), 1, ".NEG"), Flag(bits("abs_b", 6, 1), 1, ".ABS"),
    ]).about("FP32 add of a 32-bit immediate").source("nv.json form 43; gf100 m 2800"),
    op("FMUL32I", 0xf800, 0x3000, 2, &[FTZ, SAT, DST_LONG, RA, COMMA, FLONG]).about("FP32 multiply by a 32-bit immediate").source("nv.json form 44; gf100 m 3000"),
    op("LOP32I", 0xf800, 0x3800, 2, &[
        FUNCTION, Flag(bits("x", 5, 1), 1, ".X"), DST_LONG, LA, COMMA, Number(LONG, HEX), Flag(bits("inv_b", 8, 1), 1, ".INV"),
    ]).about("Logic with a 32-bit immediate").source("nv.json form 47; gf100 m 3800"),
    op("ISCADD32I", 0xf800, 0x4000, 2, &[DST_LONG, RA, COMMA, NUM32, COMMA, Number(SHIFT, HEX)]).about("Add of a \
        32-bit immediate, first source shifted left").source("nv.json form 42; gf100 m 4000"),

    // Sums.
    op("IADD", 0xf800, 0x4800, 3, &[PO, ADD, IA, COMMA, IB]).about("Integer add").source("nv.json form 52; gf100 m 4800"),
    low("ISUB", 0xf800, 0x4800, 3 << 8, 1 << 8 | 3, &[ADD, RA, COMMA, SRC]).rank(1).about("Integer subtract").source("nv.json form 53; gf100 m 4800"),
    low("ISUB", 0xf800, 0x4800, 3 << 8 | 1 << 46, 2 << 8 | 1 << 46 | 3, &[
        ADD, Cases(&[when(KIND, 1, &[CONST]), when(KIND, 3, &[NUM])]), COMMA, RA,
    ]).rank(1).about("Integer subtract").source("nv.json form 53; gf100 m 4800")
        .notes(&["The form with two registers and this sign is IADD with a minus, as in 3.5."]),
    op("ISCADD", 0xf800, 0x4000, 3, &[Flag(SCADD_SIGNS, 3, ".PO"), DST, SCADD_A, COMMA, SCADD_B, COMMA, Number(SHIFT, HEX)]).about("Integer add, first source shifted left").source("nv.json form 74; gf100 m 4000"),
    op("ISAD", 0xf800, 0x3800, 3, &[U32, DST_A, SRC_C]).about("Sum of absolute differences").source("gf100 m 3800"),

    // Products.
    op("IMUL", 0xf800, 0x5000, 3, &[FACTORS, HI, DST_A, SRC]).about("Integer multiply").source("nv.json form 54; gf100 m 5000"),
    op("IMAD", 0xf800, 0x2000, 3, &[
        FACTORS, HI, PO, Flag(bits("sat", 56, 1), 1, ".SAT"), Flag(bits("x", 55, 1), 1, ".X"), DST, IA, COMMA, MAD_SRC_C,
    ]).about("Integer multiply-add").source("nv.json form 62; gf100 m 2000"),
    op("IMADSP", 0xf800, 0x0000, 3, &[Cases(SP_TYPES), DST_A, SRC_C]).since(30).about("Multiply-add of parts of the sources").source("gf100 m 0000"),

    // Comparisons, minimum and maximum.
    op("ISET", 0xf800, 0x1000, 3, &[BF, ICOMP, U32, X6, BOOL, DST_A, SRC, COMMA_PC]).about("Integer compare and set").source("nv.json form 68; gf100 m 1000"),
    op("ISETP", 0xf800, 0x1800, 3, &[ICOMP, U32, X6, BOOL, S, SP, PP, RA, COMMA, SRC, COMMA_PC]).about("Integer compare and set predicate").source("nv.json form 85; gf100 m 1800"),
    op("ICMP", 0xf800, 0x3000, 3, &[ICOMP, U32, DST_ONLY, RA, COMMA, SRC_C]).about("Integer compare to zero and select").source("nv.json form 64; gf100 m 3000"),
    op("IMNMX", 0xf800, 0x0800, 3, &[
        U32, Names(bits("part", 6, 2), &[Some(""), Some(".XLO"), Some(".XMED"), Some(".XHI")]), DST_A, SRC, COMMA_PC,
    ]).about("Integer minimum or maximum").source("nv.json form 72; gf100 m 0800"),

    // Shifts, logic, bit fields.
    op("SHR", 0xf800, 0x5800, 3, &[U32, WRAP, BREV, Flag(bits("x", 7, 1), 1, ".X"), DST_A, SRC]).about("Shift right").source("nv.json form 57; gf100 m 5800"),
    op("SHL", 0xf800, 0x6000, 3, &[WRAP, X6, DST_A, SRC]).about("Shift left").source("nv.json form 56; gf100 m 6000"),
    op("LOP", 0xf800, 0x6800, 3, &[FUNCTION, Flag(bits("x", 5, 1), 1, ".X"), DST, LA, COMMA, LB]).about("Logic").source("nv.json form 55; gf100 m 6800"),
    op("BFE", 0xf800, 0x7000, 3, &[U32, BREV, DST_A, SRC]).about("Bit field extract").source("nv.json form 58; gf100 m 7000"),
    op("BFI", 0xf800, 0x2800, 3, &[DST_A, SRC_C]).about("Bit field insert").source("nv.json form 65; gf100 m 2800"),
    op("FLO", 0xf800, 0x7800, 3, &[U32, Flag(bits("shift_amount", 6, 1), 1, ".SH"), DST, LB]).about("Find the leading one").source("nv.json form 40; gf100 m 7800"),
];
