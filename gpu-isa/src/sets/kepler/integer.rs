//! Integer arithmetic and logic of 3.5.

use super::parts::*;
use crate::set::{bits, case, otherwise, when, Case, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

const IADD: Piece = Pieces(&[PO, SAT, X, S, SP, RD, CC, COMMA]);
const ISUB: Piece = Pieces(&[SAT, X, S, SP, RD, CC, COMMA]);
const SHIFT: Piece = Pieces(&[COMMA, Number(bits("shift", 42, 5), HEX)]);
const ISCADD: Piece = Pieces(&[PO, Flag(bits("x", 53, 1), 1, ".X"), S, SP, RD, CC, COMMA, IA, COMMA]);

// Products.
const HI: Piece = Flag(bits("high", 57, 1), 1, ".HI");
const IMAD_TYPES: &[Case] = &factors(51, 56);
const IMAD_SIGNS: Field = bits("signs", 54, 2);
const IMAD_A: Piece = Cases(&[when(IMAD_SIGNS, 2, &[Text("-"), RA]), otherwise(&[RA])]);
const IMAD_NEG_C: Piece = Cases(&[when(IMAD_SIGNS, 1, &[Text("-")]), otherwise(&[])]);
const IMAD: Piece = Pieces(&[
    Cases(IMAD_TYPES), HI, Flag(IMAD_SIGNS, 3, ".PO"), SAT, Flag(bits("x", 52, 1), 1, ".X"), S, SP, RD, CC, COMMA, IMAD_A, COMMA,
]);
const IMUL_TYPES: &[Case] = &factors(43, 44);
const IMUL: Piece = Pieces(&[Cases(IMUL_TYPES), Flag(bits("high", 42, 1), 1, ".HI"), DST_A]);
const IMUL_LONG_TYPES: &[Case] = &factors(57, 58);
const IMAD_LONG_TYPES: &[Case] = &factors(57, 60);
const LONG_SIGNS: Field = bits("signs", 58, 2);
const HIGH_LONG: Piece = Flag(bits("high", 56, 1), 1, ".HI");

// IMADSP: the third operand is signed if either of the others is signed.
const SP_FIRST: Piece = Names(
    bits("type_a", 51, 3),
    &[Some(".U32"), Some(".S32"), Some(".U24"), Some(".S24"), Some(".U16H0"), Some(".S16H0"), Some(".U16H1"), Some(".S16H1")],
);
const SP_SECOND: Piece = Names(bits("type_b", 56, 2), &[Some(".U24"), Some(".S24"), Some(".U16H0"), Some(".S16H0")]);
const SP_THIRD: Field = bits("type_c", 54, 2);
const UNSIGNED: u128 = 1 << 51 | 1 << 56;
const SP_TYPES: &[Case] = &[
    when(SP_THIRD, 3, &[Text(".SD")]),
    case(UNSIGNED | 3 << 54, 0, &[SP_FIRST, SP_SECOND, Text(".U32")]),
    case(UNSIGNED | 3 << 54, 1 << 54, &[SP_FIRST, SP_SECOND, Text(".U24")]),
    case(UNSIGNED | 3 << 54, 2 << 54, &[SP_FIRST, SP_SECOND, Text(".U16H0")]),
    when(SP_THIRD, 0, &[SP_FIRST, SP_SECOND, Text(".S32")]),
    when(SP_THIRD, 1, &[SP_FIRST, SP_SECOND, Text(".S24")]),
    when(SP_THIRD, 2, &[SP_FIRST, SP_SECOND, Text(".S16H0")]),
];
const IMADSP: Piece = Pieces(&[Cases(SP_TYPES), DST_A]);

// Comparisons.
const ISETP: Piece = Pieces(&[ICOMP, U32, X, BOOL, S, SP, PP, RA, COMMA]);
const ISET: Piece = Pieces(&[BF, ICOMP, U32, X, BOOL, DST_A]);
const ICMP: Piece = Pieces(&[ICOMP, U32, DST_ONLY, RA, COMMA]);
const IMNMX: Piece = Pieces(&[
    U32,
    Names(bits("part", 46, 2), &[Some(""), Some(".XLO"), Some(".XMED"), Some(".XHI")]),
    DST_A,
]);

// Shifts and fields.
const WRAP: Piece = Flag(bits("wrap", 42, 1), 1, ".W");
const BREV: Piece = Flag(bits("reversed", 43, 1), 1, ".BREV");
const SHR: Piece = Pieces(&[U32, WRAP, BREV, Flag(bits("x", 47, 1), 1, ".X"), DST_A]);
const SHL: Piece = Pieces(&[WRAP, X, DST_A]);
const SHF: Piece = Pieces(&[
    Flag(bits("wrap", 53, 1), 1, ".W"),
    Names(bits("type", 40, 2), &[Some(""), None, Some(".U64"), Some(".S64")]),
    Names(bits("high", 51, 2), &[Some(""), Some(".HI"), Some(".X"), Some(".XHI")]),
    DST_A,
]);
const SHF_NUM: Piece = Pieces(&[SHF, Number(bits("shift", 23, 6), HEX), COMMA, RC]);
const FIND: Piece = Pieces(&[U32, Flag(bits("shift_amount", 44, 1), 1, ".SH"), DST]);
const LOP: Piece = Pieces(&[
    Names(bits("function", 44, 2), &[Some(".AND"), Some(".OR"), Some(".XOR"), Some(".PASS_B")]),
    X, S, SP, RD, CC, COMMA, LA, COMMA,
]);
const PRMT: Piece = Pieces(&[
    Names(
        bits("mode", 51, 3),
        &[Some(""), Some(".F4E"), Some(".B4E"), Some(".RC8"), Some(".ECL"), Some(".ECR"), Some(".RC16")],
    ),
    DST_ONLY, RA, COMMA,
]);

pub(super) const ROWS: &[Row] = &[
    // Sums.
    src("IADD", 0x6080, &[IADD, IA, COMMA, IB]).about("Integer add").source("nv.json 376, 377; gk110 m 2080"),
    num("IADD", 0xc080, &[IADD, IA, COMMA, IB_NUM]).about("Integer add").source("nv.json 378; gk110 i 0080"),
    op("ISUB", 0x7fd8, 0x6088, 2, &[ISUB, RA, COMMA, SRC]).rank(1).about("Integer subtract").source("nv.json 436, 437; gk110 m 2080"),
    op("ISUB", 0xffd8, 0x6090, 2, &[ISUB, CONST, COMMA, RA]).rank(1).about("Integer subtract").source("nv.json 435; gk110 m 2080")
        .notes(&["The form with two registers and this sign is IADD with a minus."]),
    op("ISUB", 0xf7d8, 0xc088, 1, &[ISUB, RA, COMMA, NUM]).rank(1).about("Integer subtract").source("nv.json 439; gk110 i 0080"),
    op("ISUB", 0xf7d8, 0xc090, 1, &[ISUB, NUM, COMMA, RA]).rank(1).about("Integer subtract").source("nv.json 438; gk110 i 0080"),
    op("IADD32I", 0xf000, 0x4000, 1, &[
        Cases(&[
            when(LONG_SIGNS, 1, &[Text(".ILLEGAL1")]),
            when(LONG_SIGNS, 3, &[Text(".PO")]),
            otherwise(&[]),
        ]),
        Flag(bits("sat", 57, 1), 1, ".SAT"), Flag(bits("x", 56, 1), 1, ".X"), S, SP, RD, CC_LONG, COMMA,
        Cases(&[when(LONG_SIGNS, 2, &[Text("-"), RA]), otherwise(&[RA])]), COMMA, Number(LONG, SIGNED),
    ]).about("Integer add of a 32-bit immediate").source("nv.json 379; gk110 i 4000"),
    src("ISCADD", 0x60c0, &[ISCADD, IB, SHIFT]).about("Integer add, first source shifted left").source("nv.json 392, 393; gk110 m 20c0"),
    num("ISCADD", 0xc0c0, &[ISCADD, IB_NUM, SHIFT]).about("Integer add, first source shifted left").source("nv.json 391; gk110 i 00c0"),
    op("ISCADD32I", 0xe000, 0xa000, 0, &[DST_A_LONG, Number(LONG, SIGNED), COMMA, Number(bits("shift", 56, 5), HEX)])
        .about("Add of a 32-bit immediate, first source shifted left").source("gk110 c a000"),
    op("ISAD", 0x7fc0, 0x5f40, 2, &[U32, DST_A, SRC_C]).about("Sum of absolute differences").source("gk110 m 1f40"),
    op("ISAD", 0xffc0, 0x9f40, 2, &[U32, DST_A, C_CONST]).about("Sum of absolute differences").source("gk110 m 1f40"),
    op("ISAD", 0xf7c0, 0xb740, 1, &[U32, DST_A, NUM_C]).about("Sum of absolute differences").source("gk110 i b740"),

    // Products.
    src("IMUL", 0x61c0, &[IMUL, SRC]).about("Integer multiply").source("nv.json 383, 385; gk110 m 21c0"),
    num("IMUL", 0xc1c0, &[IMUL, NUM]).about("Integer multiply").source("nv.json 384; gk110 i 01c0"),
    op("IMUL32I", 0xf800, 0x2800, 2, &[Cases(IMUL_LONG_TYPES), HIGH_LONG, DST_A_LONG, Number(LONG, SIGNED)])
        .about("Integer multiply by a 32-bit immediate").source("nv.json 386; gk110 m 2800"),
    op("IMAD", 0x7c00, 0x5000, 2, &[IMAD, SRC, COMMA, IMAD_NEG_C, RC]).about("Integer multiply-add").source("nv.json 388, 389; gk110 m 1000"),
    op("IMAD", 0xfc00, 0x9000, 2, &[IMAD, RC, COMMA, IMAD_NEG_C, CONST]).about("Integer multiply-add").source("nv.json 390; gk110 m 1000"),
    op("IMAD", 0xf400, 0xa000, 1, &[IMAD, NUM, COMMA, IMAD_NEG_C, RC]).about("Integer multiply-add").source("nv.json 387; gk110 i a000"),
    op("IMAD32I", 0xe000, 0x8000, 0, &[
        Cases(IMAD_LONG_TYPES), HIGH_LONG, Flag(LONG_SIGNS, 3, ".PO"), S, SP, RD, CC_LONG, COMMA,
        Cases(&[when(LONG_SIGNS, 2, &[Text("-"), RA]), otherwise(&[RA])]), COMMA, Number(LONG, SIGNED), COMMA,
        Cases(&[when(LONG_SIGNS, 1, &[Text("-"), RD]), otherwise(&[RD])]),
    ]).about("Integer multiply-add to the destination").source("corpus 8000"),
    op("IMADSP", 0x7c00, 0x5400, 2, &[IMADSP, SRC_C]).about("Multiply-add of parts of the sources").source("gk110 m 1400"),
    op("IMADSP", 0xfc00, 0x9400, 2, &[IMADSP, C_CONST]).about("Multiply-add of parts of the sources").source("gk110 m 1400"),
    op("IMADSP", 0xf400, 0xa400, 1, &[IMADSP, NUM_C]).about("Multiply-add of parts of the sources").source("corpus a400"),

    // Comparisons, minimum and maximum.
    op("ISETP", 0x7f80, 0x5b00, 2, &[ISETP, SRC, COMMA_PC]).about("Integer compare and set predicate").source("nv.json 396, 397; gk110 m 1b00"),
    op("ISETP", 0xf780, 0xb300, 1, &[ISETP, NUM, COMMA_PC]).about("Integer compare and set predicate").source("nv.json 395; gk110 i b300"),
    op("ISET", 0x7f80, 0x5a80, 2, &[ISET, SRC, COMMA_PC]).about("Integer compare and set").source("nv.json 394; gk110 m 1a80"),
    op("ISET", 0xf780, 0xb280, 1, &[ISET, NUM, COMMA_PC]).about("Integer compare and set").source("gk110 i b280"),
    op("ICMP", 0x7f80, 0x5a00, 2, &[ICMP, SRC_C]).about("Integer compare to zero and select").source("nv.json 399, 400; gk110 m 1a00"),
    op("ICMP", 0xff80, 0x9a00, 2, &[ICMP, C_CONST]).about("Integer compare to zero and select").source("gk110 m 1a00"),
    op("ICMP", 0xf780, 0xb200, 1, &[ICMP, NUM_C]).about("Integer compare to zero and select").source("nv.json 398; gk110 i b200"),
    src("IMNMX", 0x6100, &[IMNMX, SRC, COMMA_PC]).about("Integer minimum or maximum").source("nv.json 381, 382; gk110 m 2100"),
    num("IMNMX", 0xc100, &[IMNMX, NUM, COMMA_PC]).about("Integer minimum or maximum").source("nv.json 380; gk110 i 0100"),

    // Shifts.
    src("SHR", 0x6140, &[SHR, SRC]).about("Shift right").source("nv.json 416; gk110 m 2140"),
    num("SHR", 0xc140, &[SHR, NUM]).about("Shift right").source("nv.json 415; gk110 i 0140"),
    src("SHL", 0x6240, &[SHL, SRC]).about("Shift left").source("nv.json 414; gk110 m 2240"),
    num("SHL", 0xc240, &[SHL, NUM]).about("Shift left").source("gk110 i 0240"),
    op("SHF.L", 0xffc0, 0xdfc0, 2, &[SHF, RB, COMMA, RC]).about("Funnel shift left").source("nv.json 431; gk110 m dfc0"),
    op("SHF.L", 0xf7c0, 0xb7c0, 1, &[SHF_NUM]).about("Funnel shift left").source("nv.json 432; gk110 i 37c0"),
    op("SHF.R", 0xffc0, 0xe7c0, 2, &[SHF, RB, COMMA, RC]).about("Funnel shift right").source("gk110 m 27c0"),
    op("SHF.R", 0xf7c0, 0xc7c0, 1, &[SHF_NUM]).about("Funnel shift right").source("gk110 i 07c0"),

    // Logic and bit fields.
    src("LOP", 0x6200, &[LOP, LB]).about("Logic").source("nv.json 410, 412; gk110 m 2200"),
    num("LOP", 0xc200, &[LOP, LB_NUM]).about("Logic").source("nv.json 411; gk110 i 0200"),
    op("LOP32I", 0xe000, 0x2000, 0, &[
        Names(bits("function", 56, 2), &[Some(".AND"), Some(".OR"), Some(".XOR"), Some(".PASS_B")]),
        Flag(bits("x", 60, 1), 1, ".X"), S, SP, RD, CC_LONG, COMMA, Flag(bits("inv_a", 58, 1), 1, "~"), RA, COMMA,
        Number(LONG, HEX), Flag(bits("inv_b", 59, 1), 1, ".INV"),
    ]).about("Logic with a 32-bit immediate").source("nv.json 413; gk110 c 2000"),
    src("BFE", 0x6000, &[U32, BREV, DST_A, SRC]).about("Bit field extract").source("nv.json 418; gk110 m e000"),
    num("BFE", 0xc000, &[U32, BREV, DST_A, NUM]).about("Bit field extract").source("nv.json 417; gk110 i c000"),
    op("BFI", 0x7fc0, 0x5f80, 2, &[DST_A, SRC_C]).about("Bit field insert").source("gk110 m 1f80"),
    op("BFI", 0xffc0, 0x9f80, 2, &[DST_A, C_CONST]).about("Bit field insert").source("gk110 m 1f80"),
    op("BFI", 0xf7c0, 0xb780, 1, &[DST_A, NUM_C]).about("Bit field insert").source("nv.json 419; gk110 i b780"),
    src("POPC", 0x6040, &[DST_ONLY, LA, COMMA, LB]).about("Count the ones").source("gk110 m 2040"),
    num("POPC", 0xc040, &[DST_ONLY, LA, COMMA, LB_NUM]).about("Count the ones").source("gk110 i 0040"),
    src("FLO", 0x6180, &[FIND, LB]).about("Find the leading one").source("gk110 m 2180"),
    num("FLO", 0xc180, &[FIND, LB_NUM]).about("Find the leading one").source("corpus c180"),
    op("PRMT", 0x7fc0, 0x5e00, 2, &[PRMT, SRC_C]).about("Permute bytes").source("gk110 m 1e00"),
    op("PRMT", 0xffc0, 0x9e00, 2, &[PRMT, C_CONST]).about("Permute bytes").source("gk110 m 1e00"),
    op("PRMT", 0xf7c0, 0xb600, 1, &[PRMT, NUM_C]).about("Permute bytes").source("gk110 i b600"),
];
