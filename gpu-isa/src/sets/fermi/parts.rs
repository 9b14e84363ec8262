//! Pieces that rows of compute capabilities 2.x and 3.0 share: guard, operands, modifiers.

use crate::set::{bits, case, otherwise, row, when, Case, Cases, Field, Flag, Float, Format, Names, Number, Piece, Pieces, Row, Text};

// Number formats.

/// A register, 63 is RZ.
pub(super) const REG: Format = Format::Register { prefix: "R", scale: 1, top: Some("RZ") };
/// A predicate, 7 is PT.
pub(super) const PRED: Format = Format::Register { prefix: "P", scale: 1, top: Some("PT") };
/// An unsigned hexadecimal number.
pub(super) const HEX: Format = Format::Hex { scale: 1 };
/// A signed hexadecimal number.
pub(super) const SIGNED: Format = Format::SignedHex { scale: 1 };
/// A branch target: signed, in bytes, from the next instruction.
pub(super) const TARGET: Format = Format::Target { base: 8, scale: 1 };

// Fields.

pub(super) const D: Field = bits("d", 14, 6);
pub(super) const A: Field = bits("a", 20, 6);
pub(super) const B: Field = bits("b", 26, 6);
pub(super) const C: Field = bits("c", 49, 6);
/// The kinds of the sources: 0 registers, 1 the second in c[], 2 the third in c[], 3 the second immediate.
pub(super) const KIND: Field = bits("kind", 46, 2);
const NUMBER: Field = bits("number", 26, 20);
/// The 32-bit immediate of the long forms.
pub(super) const LONG: Field = bits("number", 26, 32);

// Text.

pub(super) const SP: Piece = Text(" ");
pub(super) const COMMA: Piece = Text(", ");

/// `@P0 `, `@!P0 `; nothing for PT.
pub(super) const GUARD: &[Piece] = &[Cases(&[
    case(0xf << 10, 7 << 10, &[]),
    otherwise(&[Text("@"), Flag(bits("guard_not", 13, 1), 1, "!"), Number(bits("guard", 10, 3), PRED), SP]),
])];

/// `.S`: join, the last modifier.
pub(super) const S: Piece = Flag(bits("join", 4, 1), 1, ".S");

// Operands.

pub(super) const RD: Piece = Number(D, REG);
pub(super) const RA: Piece = Number(A, REG);
pub(super) const RB: Piece = Number(B, REG);
pub(super) const RC: Piece = Number(C, REG);
const CC: Piece = Flag(bits("cc", 48, 1), 1, ".CC");
/// `.CC` of the forms with a 32-bit immediate.
pub(super) const CC_LONG: Piece = Flag(bits("cc", 58, 1), 1, ".CC");
/// ` R0.CC, `.
pub(super) const DST: Piece = Pieces(&[S, SP, RD, CC, COMMA]);
/// ` R0.CC, R1, `.
pub(super) const DST_A: Piece = Pieces(&[DST, RA, COMMA]);
/// ` R0, `, for instructions without `.CC`.
pub(super) const DST_ONLY: Piece = Pieces(&[S, SP, RD, COMMA]);
/// ` R0.CC, ` before a 32-bit immediate.
pub(super) const DST_LONG: Piece = Pieces(&[S, SP, RD, CC_LONG, COMMA]);

/// `c[0x1][0x100]`.
pub(super) const CONST: Piece =
    Pieces(&[Text("c["), Number(bits("bank", 42, 4), HEX), Text("]["), Number(bits("offset", 26, 16), SIGNED), Text("]")]);
/// Conversions write a space.
const CONST_WIDE: Piece =
    Pieces(&[Text("c["), Number(bits("bank", 42, 4), HEX), Text("] ["), Number(bits("offset", 26, 16), SIGNED), Text("]")]);
pub(super) const NUM: Piece = Number(NUMBER, SIGNED);
/// The upper 20 bits of a float32. The disassemblers of these sets write -0 as `-0`.
pub(super) const FNUM: Piece = Cases(&[
    when(NUMBER, 1 << 19, &[Text("-0")]),
    otherwise(&[Number(NUMBER, Format::WideFloat { kind: Float::Single, low: 12 })]),
]);
/// The upper 20 bits of a double.
pub(super) const DNUM: Piece = Cases(&[
    when(NUMBER, 1 << 19, &[Text("-0")]),
    otherwise(&[Number(NUMBER, Format::WideFloat { kind: Float::Double, low: 44 })]),
]);
/// A 32-bit float.
pub(super) const FLONG: Piece = Cases(&[
    when(LONG, 1 << 31, &[Text("-0")]),
    otherwise(&[Number(LONG, Format::WideFloat { kind: Float::Single, low: 0 })]),
]);
/// A half in the lower 16 bits.
const HNUM: Piece = Cases(&[
    when(bits("number", 26, 16), 1 << 15, &[Text("-0")]),
    otherwise(&[Number(bits("number", 26, 16), Format::WideFloat { kind: Float::Half, low: 0 })]),
]);

/// Second source: register, constant or immediate.
pub(super) const SRC: Piece = Cases(&[when(KIND, 0, &[RB]), when(KIND, 1, &[CONST]), when(KIND, 3, &[NUM])]);
/// Second and third source.
pub(super) const SRC_C: Piece = Cases(&[
    when(KIND, 0, &[RB, COMMA, RC]), when(KIND, 1, &[CONST, COMMA, RC]),
    when(KIND, 2, &[RC, COMMA, CONST]), when(KIND, 3, &[NUM, COMMA, RC]),
]);
/// Second and third source, with a float immediate.
pub(super) const FSRC_C: Piece = Cases(&[
    when(KIND, 0, &[RB, COMMA, RC]), when(KIND, 1, &[CONST, COMMA, RC]),
    when(KIND, 2, &[RC, COMMA, CONST]), when(KIND, 3, &[FNUM, COMMA, RC]),
]);

// Sources with sign and magnitude.

const NEG_A: Piece = Flag(bits("neg_a", 9, 1), 1, "-");
const ABS_A: Piece = Flag(bits("abs_a", 7, 1), 1, "|");
const NEG_B: Piece = Flag(bits("neg_b", 8, 1), 1, "-");
const ABS_B: Piece = Flag(bits("abs_b", 6, 1), 1, "|");
const AFTER: Piece = Pieces(&[Flag(bits("neg_b", 8, 1), 1, ".NEG"), Flag(bits("abs_b", 6, 1), 1, ".ABS")]);
/// First source of FADD and similar instructions: `-|R1|`.
pub(super) const FA: Piece = Pieces(&[NEG_A, ABS_A, RA, ABS_A]);
const FREG: &[Piece] = &[NEG_B, ABS_B, RB, ABS_B];
const FCONST: &[Piece] = &[NEG_B, ABS_B, CONST, ABS_B];
const FCONST_WIDE: &[Piece] = &[NEG_B, ABS_B, CONST_WIDE, ABS_B];
/// Second source of FADD and similar instructions.
pub(super) const FB: Piece = Cases(&[when(KIND, 0, FREG), when(KIND, 1, FCONST), when(KIND, 3, &[FNUM, AFTER])]);
/// Second source of DADD and similar instructions, with a double immediate.
pub(super) const DB: Piece = Cases(&[when(KIND, 0, FREG), when(KIND, 1, FCONST), when(KIND, 3, &[DNUM, AFTER])]);
/// The source of a conversion: an integer, a float32, a double, a half.
pub(super) const CONVERT_INT: &[Case] = &[when(KIND, 0, FREG), when(KIND, 1, FCONST_WIDE), when(KIND, 3, &[NUM, AFTER])];
pub(super) const CONVERT_SINGLE: &[Case] = &[when(KIND, 0, FREG), when(KIND, 1, FCONST_WIDE), when(KIND, 3, &[FNUM, AFTER])];
pub(super) const CONVERT_DOUBLE: &[Case] = &[when(KIND, 0, FREG), when(KIND, 1, FCONST_WIDE), when(KIND, 3, &[DNUM, AFTER])];
pub(super) const CONVERT_HALF: &[Case] = &[
    when(KIND, 0, FREG), when(KIND, 1, FCONST_WIDE),
    when(KIND, 3, &[HNUM, AFTER]),
];

/// Second and third source of FFMA: the sign of the product is printed with the second, as in NVIDIA's disassembler.
const NEG_PRODUCT: Piece = Flag(bits("neg_product", 9, 1), 1, "-");
const AFTER_PRODUCT: Piece = Flag(bits("neg_product", 9, 1), 1, ".NEG");
pub(super) const FMA_SRC_C: Piece = Cases(&[
    when(KIND, 0, &[NEG_PRODUCT, RB, COMMA, NEG_B, RC]), when(KIND, 1, &[NEG_PRODUCT, CONST, COMMA, NEG_B, RC]),
    when(KIND, 2, &[NEG_PRODUCT, RC, COMMA, NEG_B, CONST]), when(KIND, 3, &[FNUM, AFTER_PRODUCT, COMMA, NEG_B, RC]),
]);
pub(super) const DFMA_SRC_C: Piece = Cases(&[
    when(KIND, 0, &[NEG_PRODUCT, RB, COMMA, NEG_B, RC]), when(KIND, 1, &[NEG_PRODUCT, CONST, COMMA, NEG_B, RC]),
    when(KIND, 2, &[NEG_PRODUCT, RC, COMMA, NEG_B, CONST]), when(KIND, 3, &[DNUM, AFTER_PRODUCT, COMMA, NEG_B, RC]),
]);

/// Signs of the sources of an addition; 3 is `.PO`, plus one.
pub(super) const SIGNS: Field = bits("signs", 8, 2);
pub(super) const PO: Piece = Flag(SIGNS, 3, ".PO");
pub(super) const IA: Piece = Cases(&[when(SIGNS, 2, &[Text("-"), RA]), otherwise(&[RA])]);
pub(super) const LA: Piece = Pieces(&[Flag(bits("inv_a", 9, 1), 1, "~"), RA]);
const INV_B: Piece = Flag(bits("inv_b", 8, 1), 1, "~");
pub(super) const LB: Piece = Cases(&[
    when(KIND, 0, &[INV_B, RB]), when(KIND, 1, &[INV_B, CONST]), when(KIND, 3, &[NUM, Flag(bits("inv_b", 8, 1), 1, ".INV")]),
]);

// Predicates.

/// The predicate read in bits 49..51, inverted by 52.
pub(super) const PC: Piece = Pieces(&[Flag(bits("pc_not", 52, 1), 1, "!"), Number(bits("pc", 49, 3), PRED)]);
pub(super) const COMMA_PC: Piece = Pieces(&[COMMA, PC]);
/// The two written predicates: `P0, P1, `.
pub(super) const PP: Piece = Pieces(&[Number(bits("p", 17, 3), PRED), COMMA, Number(bits("p_second", 14, 3), PRED), COMMA]);
/// A predicate in bits 8, 9 and 58.
pub(super) const P8: Piece = Number(bits("p", 8, 2).and(58, 1), PRED);

// Modifiers.

pub(super) const BOOL: Piece = Names(bits("bool", 53, 2), &[Some(".AND"), Some(".OR"), Some(".XOR")]);
pub(super) const FCOMP: Piece = Names(
    bits("compare", 55, 4),
    &[
        Some(".F"), Some(".LT"), Some(".EQ"), Some(".LE"), Some(".GT"), Some(".NE"), Some(".GE"), Some(".NUM"),
        Some(".NAN"), Some(".LTU"), Some(".EQU"), Some(".LEU"), Some(".GTU"), Some(".NEU"), Some(".GEU"), Some(".T"),
    ],
);
pub(super) const COMPARE: &[Option<&str>] =
    &[Some(".F"), Some(".LT"), Some(".EQ"), Some(".LE"), Some(".GT"), Some(".NE"), Some(".GE"), Some(".T")];
pub(super) const ICOMP: Piece = Names(bits("compare", 55, 3), COMPARE);
/// `.U32` if bit 5 is 0.
pub(super) const U32: Piece = Flag(bits("signed", 5, 1), 0, ".U32");
pub(super) const SAT: Piece = Flag(bits("sat", 5, 1), 1, ".SAT");
pub(super) const ROUNDS: &[Option<&str>] = &[Some(""), Some(".RM"), Some(".RP"), Some(".RZ")];
pub(super) const ROUND: Piece = Names(bits("round", 55, 2), ROUNDS);
pub(super) const FTZ_FMZ: &[Option<&str>] = &[Some(""), Some(".FTZ"), Some(".FMZ"), Some(".INVALIDFMZ3")];
/// Types of the two factors; nothing if both are signed.
pub(super) const FACTORS: Piece = Cases(&[
    case(1 << 7 | 1 << 5, 0, &[Text(".U32.U32")]),
    case(1 << 7 | 1 << 5, 1 << 5, &[Text(".U32.S32")]),
    case(1 << 7 | 1 << 5, 1 << 7, &[Text(".S32.U32")]),
    case(1 << 7 | 1 << 5, 1 << 7 | 1 << 5, &[]),
]);
/// Names of the condition codes. 15 is `T`, true.
pub(super) const CONDITIONS: &[Option<&str>] = &[
    Some("F"), Some("LT"), Some("EQ"), Some("LE"), Some("GT"), Some("NE"), Some("GE"), Some("NUM"),
    Some("NAN"), Some("LTU"), Some("EQU"), Some("LEU"), Some("GTU"), Some("NEU"), Some("GEU"), Some("T"),
    Some("OFF"), Some("LO"), Some("SFF"), Some("LS"), Some("HI"), Some("SFT"), Some("HS"), Some("OFT"),
    Some("CSM_TA"), Some("CSM_TR"), Some("CSM_MX"), Some("FCSM_TA"), Some("FCSM_TR"), Some("FCSM_MX"), Some("RLE"), Some("RGT"),
];

// Memory.

/// An address with an offset of 32 bits: `[R1+0x10]`, `[0x10]` without a register.
pub(super) const MEM32: Piece = Cases(&[
    when(A, 63, &[Text("["), Number(bits("offset", 26, 32), HEX), Text("]")]),
    when(bits("offset", 26, 32), 0, &[Text("["), RA, Text("]")]),
    otherwise(&[Text("["), RA, Text("+"), Number(bits("offset", 26, 32), SIGNED), Text("]")]),
]);
/// An address with an offset of 24 bits.
pub(super) const MEM24: Piece = Cases(&[
    when(A, 63, &[Text("["), Number(bits("offset", 26, 24), HEX), Text("]")]),
    when(bits("offset", 26, 24), 0, &[Text("["), RA, Text("]")]),
    otherwise(&[Text("["), RA, Text("+"), Number(bits("offset", 26, 24), SIGNED), Text("]")]),
]);
/// An address with an offset of 20 bits, for atomic operations.
pub(super) const MEM20: Piece = Cases(&[
    when(A, 63, &[Text("["), Number(bits("offset", 26, 17).and(55, 3), HEX), Text("]")]),
    when(bits("offset", 26, 17).and(55, 3), 0, &[Text("["), RA, Text("]")]),
    otherwise(&[Text("["), RA, Text("+"), Number(bits("offset", 26, 17).and(55, 3), SIGNED), Text("]")]),
]);
/// An address with an offset of 30 bits, in units of 4 bytes.
pub(super) const MEM30: Piece = Cases(&[
    when(A, 63, &[Text("["), Number(bits("offset", 28, 30), Format::Hex { scale: 4 }), Text("]")]),
    when(bits("offset", 28, 30), 0, &[Text("["), RA, Text("]")]),
    otherwise(&[Text("["), RA, Text("+"), Number(bits("offset", 28, 30), Format::SignedHex { scale: 4 }), Text("]")]),
]);
pub(super) const LOAD_SIZES: &[Option<&str>] =
    &[Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(""), Some(".64"), Some(".128"), Some(".U.128")];
pub(super) const STORE_SIZES: &[Option<&str>] =
    &[Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(""), Some(".64"), Some(".128"), Some(".INVALIDSIZE7")];

// Rows.

/// A row with a guard. `mask` and `top` are bits 63..48 of the mask and of the pattern, `unit` is bits 2..0.
pub(super) const fn op(name: &'static str, mask: u128, top: u128, unit: u128, pieces: &'static [Piece]) -> Row {
    low(name, mask, top, 0xf, unit, pieces)
}

/// A row with a guard, with fixed bits in the lower half as well.
pub(super) const fn low(
    name: &'static str, mask: u128, top: u128, low_mask: u128, low: u128, pieces: &'static [Piece],
) -> Row {
    row(name, mask << 48 | low_mask | 0xf, top << 48 | low, 8, pieces).lead(GUARD)
}

/// A row without a guard.
pub(super) const fn bare(name: &'static str, mask: u128, top: u128, unit: u128, pieces: &'static [Piece]) -> Row {
    row(name, mask << 48 | 0xf, top << 48 | unit, 8, pieces)
}

/// A row that ignores its guard. In real code the guard's bits are 0 or PT; only an exact text shows PT.
pub(super) const fn free(name: &'static str, mask: u128, top: u128, unit: u128, pieces: &'static [Piece]) -> Row {
    bare(name, mask, top, unit, pieces).lead(&[Flag(IGNORED_GUARD, 7, "@PT ")]).same(IGNORED_GUARD.mask(), IGNORED_GUARD.put(7))
}

const IGNORED_GUARD: Field = bits("guard, ignored", 10, 4);
