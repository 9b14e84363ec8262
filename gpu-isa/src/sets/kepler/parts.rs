//! Pieces that rows of compute capability 3.5 share: guard, operands, modifiers.
//!
//! The fields of 3.5 are the fields of 5.x, moved up by three bits (by two below bit 10). Values that the corpus of 3.5
//! does not show have NVIDIA's names for 5.x.

use crate::set::{bits, case, otherwise, row, when, Cases, Field, Flag, Float, Format, Names, Number, Piece, Pieces, Row, Text};

// Number formats.

/// A register, 255 is RZ.
pub(super) const REG: Format = Format::Register { prefix: "R", scale: 1, top: Some("RZ") };
/// A predicate, 7 is PT.
pub(super) const PRED: Format = Format::Register { prefix: "P", scale: 1, top: Some("PT") };
/// An unsigned hexadecimal number.
pub(super) const HEX: Format = Format::Hex { scale: 1 };
/// A signed hexadecimal number.
pub(super) const SIGNED: Format = Format::SignedHex { scale: 1 };
/// A branch target: signed, in bytes, from the next instruction.
pub(super) const TARGET: Format = Format::Target { base: 8, scale: 1 };
const SINGLE_HIGH: Format = Format::WideFloat { kind: Float::Single, low: 12 };
const DOUBLE_HIGH: Format = Format::WideFloat { kind: Float::Double, low: 44 };
const SINGLE: Format = Format::WideFloat { kind: Float::Single, low: 0 };

// Fields.

const D: Field = bits("d", 2, 8);
const A: Field = bits("a", 10, 8);
pub(super) const B: Field = bits("b", 23, 8);
pub(super) const C: Field = bits("c", 42, 8);
/// The 20-bit immediate of the short form: bits 41..23 and the sign.
const SHORT: Field = bits("number", 23, 19).and(59, 1);
/// The 32-bit immediate of the long form.
pub(super) const LONG: Field = bits("number", 23, 32);
/// The second operand of the register form: 0 constant, 1 register.
const KIND: Field = bits("kind", 63, 1);

// Text.

pub(super) const SP: Piece = Text(" ");
pub(super) const COMMA: Piece = Text(", ");

/// `@P0 `, `@!P0 `; nothing for PT.
pub(super) const GUARD: &[Piece] = &[Cases(&[
    case(0xf << 18, 7 << 18, &[]),
    otherwise(&[Text("@"), Flag(bits("guard_not", 21, 1), 1, "!"), Number(bits("guard", 18, 3), PRED), SP]),
])];

/// `.S`: join, the last modifier of most instructions.
pub(super) const S: Piece = Flag(bits("join", 22, 1), 1, ".S");

// Operands.

pub(super) const RD: Piece = Number(D, REG);
pub(super) const RA: Piece = Number(A, REG);
pub(super) const RB: Piece = Number(B, REG);
pub(super) const RC: Piece = Number(C, REG);
pub(super) const CC: Piece = Flag(bits("cc", 50, 1), 1, ".CC");
/// `.CC` of the forms with a 32-bit immediate.
pub(super) const CC_LONG: Piece = Flag(bits("cc", 55, 1), 1, ".CC");

/// ` R0.CC, R1, `: the end of the mnemonic, destination and first source.
pub(super) const DST_A: Piece = Pieces(&[S, SP, RD, CC, COMMA, RA, COMMA]);
/// ` R0.CC, `: the end of the mnemonic and destination.
pub(super) const DST: Piece = Pieces(&[S, SP, RD, CC, COMMA]);
/// ` R0.CC, R1, ` before a 32-bit immediate.
pub(super) const DST_A_LONG: Piece = Pieces(&[S, SP, RD, CC_LONG, COMMA, RA, COMMA]);
/// ` R0, `, for instructions without `.CC`.
pub(super) const DST_ONLY: Piece = Pieces(&[S, SP, RD, COMMA]);

const BANK: Piece = Number(bits("bank", 37, 5), HEX);
const OFFSET: Piece = Number(bits("offset", 23, 14), Format::SignedHex { scale: 4 });
/// `c[0x3][0x10]`.
pub(super) const CONST: Piece = Pieces(&[Text("c["), BANK, Text("]["), OFFSET, Text("]")]);
/// `c[0x3] [0x10]`: conversions write a space.
const CONST_WIDE: Piece = Pieces(&[Text("c["), BANK, Text("] ["), OFFSET, Text("]")]);

/// Second source: constant or register.
pub(super) const SRC: Piece = Cases(&[when(KIND, 0, &[CONST]), when(KIND, 1, &[RB])]);
/// Second source of a conversion: constant or register.
pub(super) const SRC_WIDE: Piece = Cases(&[when(KIND, 0, &[CONST_WIDE]), when(KIND, 1, &[RB])]);
/// Second source: a 20-bit immediate.
pub(super) const NUM: Piece = Number(SHORT, SIGNED);
/// Second source: the upper 20 bits of a float32. The disassemblers of these sets write -0 as `-0`.
pub(super) const FNUM: Piece =
    Cases(&[when(SHORT, 1 << 19, &[Text("-0")]), otherwise(&[Number(SHORT, SINGLE_HIGH)])]);
/// Second source: the upper 20 bits of a double.
pub(super) const DNUM: Piece =
    Cases(&[when(SHORT, 1 << 19, &[Text("-0")]), otherwise(&[Number(SHORT, DOUBLE_HIGH)])]);
/// A 32-bit float.
pub(super) const FLONG: Piece = Cases(&[when(LONG, 1 << 31, &[Text("-0")]), otherwise(&[Number(LONG, SINGLE)])]);
/// A half in the lower 16 bits.
pub(super) const HNUM: Piece = Cases(&[
    when(bits("number", 23, 16), 1 << 15, &[Text("-0")]),
    otherwise(&[Number(bits("number", 23, 16), Format::WideFloat { kind: Float::Half, low: 0 })]),
]);
/// A 20-bit immediate, printed as unsigned.
pub(super) const SHORT_PLAIN: Piece = Number(SHORT, HEX);
pub(super) const SHORT_FIELD: Field = SHORT;

/// Second and third source: `c[][], R3` or `R2, R3`.
pub(super) const SRC_C: Piece = Pieces(&[SRC, COMMA, RC]);
/// Second and third source: `R2, c[][]`.
pub(super) const C_CONST: Piece = Pieces(&[RC, COMMA, CONST]);
/// Second and third source: `0x10, R3`.
pub(super) const NUM_C: Piece = Pieces(&[NUM, COMMA, RC]);

// Sources with sign and magnitude.

const NEG_A: Field = bits("neg_a", 51, 1);
const ABS_A: Field = bits("abs_a", 49, 1);
const NEG_B: Field = bits("neg_b", 48, 1);
const ABS_B: Field = bits("abs_b", 52, 1);

/// First source of FADD and similar instructions: `-|R1|`.
pub(super) const FA: Piece = Pieces(&[Flag(NEG_A, 1, "-"), Flag(ABS_A, 1, "|"), RA, Flag(ABS_A, 1, "|")]);
const FB_NEG: Piece = Flag(NEG_B, 1, "-");
const FB_ABS: Piece = Flag(ABS_B, 1, "|");
/// Second source of FADD and similar instructions: `-|R2|`.
pub(super) const FB: Piece = Pieces(&[FB_NEG, FB_ABS, SRC, FB_ABS]);
/// Second source of a conversion: `-|R2|`.
pub(super) const FB_WIDE: Piece = Pieces(&[FB_NEG, FB_ABS, SRC_WIDE, FB_ABS]);
/// The modifiers after a floating-point immediate.
pub(super) const FB_AFTER: Piece = Pieces(&[Flag(NEG_B, 1, ".NEG"), Flag(ABS_B, 1, ".ABS")]);
/// Second source of FADD and similar instructions: `1.NEG.ABS`.
pub(super) const FB_NUM: Piece = Pieces(&[FNUM, FB_AFTER]);
pub(super) const DB_NUM: Piece = Pieces(&[DNUM, FB_AFTER]);

/// First source of FMUL and FFMA: the sign of the product.
pub(super) const MUL_A: Piece = Pieces(&[Flag(NEG_A, 1, "-"), RA]);
/// Third source of FFMA.
const NEG_C: Field = bits("neg_c", 52, 1);
/// `c[][], -R3`, `R2, -R3`.
pub(super) const FMA_SRC_C: Piece = Pieces(&[SRC, COMMA, Flag(NEG_C, 1, "-"), RC]);
/// `R2, -c[][]`.
pub(super) const FMA_C_CONST: Piece = Pieces(&[RC, COMMA, Flag(NEG_C, 1, "-"), CONST]);
pub(super) const FMA_NUM_C: Piece = Pieces(&[FNUM, COMMA, Flag(NEG_C, 1, "-"), RC]);
pub(super) const DFMA_NUM_C: Piece = Pieces(&[DNUM, COMMA, Flag(NEG_C, 1, "-"), RC]);

/// Signs of the two sources of an addition; 3 is `.PO`, plus one.
const SIGNS: Field = bits("signs", 51, 2);
pub(super) const PO: Piece = Flag(SIGNS, 3, ".PO");
pub(super) const IA: Piece = Cases(&[when(SIGNS, 2, &[Text("-"), RA]), otherwise(&[RA])]);
pub(super) const IB: Piece = Cases(&[when(SIGNS, 1, &[Text("-"), SRC]), otherwise(&[SRC])]);
pub(super) const IB_NUM: Piece = Cases(&[when(SIGNS, 1, &[NUM, Text(".NEG")]), otherwise(&[NUM])]);

// Inverted sources of logic.

const INV_A: Field = bits("inv_a", 42, 1);
const INV_B: Field = bits("inv_b", 43, 1);
pub(super) const LA: Piece = Pieces(&[Flag(INV_A, 1, "~"), RA]);
pub(super) const LB: Piece = Pieces(&[Flag(INV_B, 1, "~"), SRC]);
pub(super) const LB_NUM: Piece = Pieces(&[NUM, Flag(INV_B, 1, ".INV")]);

// Predicates.

/// The predicate read in bits 42..44, inverted by 45.
pub(super) const PC: Piece = Pieces(&[Flag(bits("pc_not", 45, 1), 1, "!"), Number(bits("pc", 42, 3), PRED)]);
/// `, P0`.
pub(super) const COMMA_PC: Piece = Pieces(&[COMMA, PC]);
/// The two written predicates: `P0, P1, `.
pub(super) const PP: Piece = Pieces(&[Number(bits("p", 5, 3), PRED), COMMA, Number(bits("p_second", 2, 3), PRED), COMMA]);
/// The one written predicate: `P0, `.
pub(super) const P5: Piece = Pieces(&[Number(bits("p", 5, 3), PRED), COMMA]);
/// The predicate in bits 48..50.
pub(super) const P48: Piece = Number(bits("p", 48, 3), PRED);
/// The predicate in bits 51..53.
pub(super) const P51: Piece = Number(bits("p", 51, 3), PRED);

// Modifiers.

/// `.AND`, `.OR`, `.XOR` of comparisons.
pub(super) const BOOL: Piece = Names(bits("bool", 48, 2), &[Some(".AND"), Some(".OR"), Some(".XOR")]);
const FCMP: &[Option<&str>] = &[
    Some(".F"), Some(".LT"), Some(".EQ"), Some(".LE"), Some(".GT"), Some(".NE"), Some(".GE"), Some(".NUM"),
    Some(".NAN"), Some(".LTU"), Some(".EQU"), Some(".LEU"), Some(".GTU"), Some(".NEU"), Some(".GEU"), Some(".T"),
];
/// Comparison of floats.
pub(super) const FCOMP: Piece = Names(bits("compare", 51, 4), FCMP);
/// Comparison of integers.
pub(super) const ICOMP: Piece = Names(
    bits("compare", 52, 3),
    &[Some(".F"), Some(".LT"), Some(".EQ"), Some(".LE"), Some(".GT"), Some(".NE"), Some(".GE"), Some(".T")],
);
/// `.U32` if bit 51 is 0.
pub(super) const U32: Piece = Flag(bits("signed", 51, 1), 0, ".U32");
/// `.X`: with the carry.
pub(super) const X: Piece = Flag(bits("x", 46, 1), 1, ".X");
/// `.SAT` of most instructions.
pub(super) const SAT: Piece = Flag(bits("sat", 53, 1), 1, ".SAT");
/// `.FTZ` of FADD and similar instructions.
pub(super) const FTZ: Piece = Flag(bits("ftz", 47, 1), 1, ".FTZ");
/// `.BF`: a comparison that writes 1.0.
pub(super) const BF: Piece = Flag(bits("bf", 47, 1), 1, ".BF");
pub(super) const FTZ_FMZ: &[Option<&str>] = &[Some(""), Some(".FTZ"), Some(".FMZ"), Some(".INVALIDFMZ3")];
pub(super) const ROUNDS: &[Option<&str>] = &[Some(""), Some(".RM"), Some(".RP"), Some(".RZ")];
/// Rounding of FADD and similar instructions.
pub(super) const ROUND: Piece = Names(bits("round", 42, 2), ROUNDS);
/// Types of the two factors; nothing if both are signed.
pub(super) const fn factors(first: u8, second: u8) -> [crate::set::Case; 4] {
    let first = bits("signed_a", first, 1);
    let second = bits("signed_b", second, 1);
    [
        when(first, 0, &[Text(".U32.U32")]).with(second, 0),
        when(first, 0, &[Text(".U32.S32")]).with(second, 1),
        when(first, 1, &[Text(".S32.U32")]).with(second, 0),
        when(first, 1, &[]).with(second, 1),
    ]
}

/// Names of the condition codes. 15 is `T`, true.
pub(super) const CONDITIONS: &[Option<&str>] = &[
    Some("F"), Some("LT"), Some("EQ"), Some("LE"), Some("GT"), Some("NE"), Some("GE"), Some("NUM"),
    Some("NAN"), Some("LTU"), Some("EQU"), Some("LEU"), Some("GTU"), Some("NEU"), Some("GEU"), Some("T"),
    Some("OFF"), Some("LO"), Some("SFF"), Some("LS"), Some("HI"), Some("SFT"), Some("HS"), Some("OFT"),
    Some("CSM_TA"), Some("CSM_TR"), Some("CSM_MX"), Some("FCSM_TA"), Some("FCSM_TR"), Some("FCSM_MX"), Some("RLE"), Some("RGT"),
];

// Memory.

/// An address with an offset of 32 bits.
pub(super) const MEM32: Piece = Cases(&[
    when(A, 0xff, &[Text("["), Number(bits("offset", 23, 32), HEX), Text("]")]),
    when(bits("offset", 23, 32), 0, &[Text("["), RA, Text("]")]),
    otherwise(&[Text("["), RA, Text("+"), Number(bits("offset", 23, 32), SIGNED), Text("]")]),
]);
/// An address with an offset of 24 bits.
pub(super) const MEM24: Piece = Cases(&[
    when(A, 0xff, &[Text("["), Number(bits("offset", 23, 24), HEX), Text("]")]),
    when(bits("offset", 23, 24), 0, &[Text("["), RA, Text("]")]),
    otherwise(&[Text("["), RA, Text("+"), Number(bits("offset", 23, 24), SIGNED), Text("]")]),
]);
/// An address with an offset of 20 bits, for atomic operations.
pub(super) const MEM20: Piece = Cases(&[
    when(A, 0xff, &[Text("["), Number(bits("offset", 31, 20), HEX), Text("]")]),
    when(bits("offset", 31, 20), 0, &[Text("["), RA, Text("]")]),
    otherwise(&[Text("["), RA, Text("+"), Number(bits("offset", 31, 20), SIGNED), Text("]")]),
]);
/// Sizes of loads.
pub(super) const LOAD_SIZES: &[Option<&str>] =
    &[Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(""), Some(".64"), Some(".128"), Some(".U.128")];
/// Sizes of stores.
pub(super) const STORE_SIZES: &[Option<&str>] =
    &[Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(""), Some(".64"), Some(".128"), Some(".INVALIDSIZE7")];

// Rows.

/// A row with a guard. `mask` and `top` are bits 63..48 of the mask and of the pattern, `class` are bits 1..0.
pub(super) const fn op(name: &'static str, mask: u128, top: u128, class: u128, pieces: &'static [Piece]) -> Row {
    row(name, mask << 48 | 3, top << 48 | class, 8, pieces).lead(GUARD)
}

/// The form with a constant (bits 63, 62 = 01) or a register (11) as second source.
pub(super) const fn src(name: &'static str, top: u128, pieces: &'static [Piece]) -> Row {
    op(name, 0x7fc0, top, 2, pieces)
}

/// The form with a 20-bit immediate as second source, its sign in bit 59.
pub(super) const fn num(name: &'static str, top: u128, pieces: &'static [Piece]) -> Row {
    op(name, 0xf7c0, top, 1, pieces)
}

/// A row without a guard.
pub(super) const fn bare(name: &'static str, mask: u128, top: u128, class: u128, pieces: &'static [Piece]) -> Row {
    row(name, mask << 48 | 3, top << 48 | class, 8, pieces)
}

/// A row that ignores its guard. In real code the guard's bits are 0 or PT; only an exact text shows PT.
pub(super) const fn free(name: &'static str, mask: u128, top: u128, class: u128, pieces: &'static [Piece]) -> Row {
    bare(name, mask, top, class, pieces).lead(&[Flag(IGNORED_GUARD, 7, "@PT ")]).same(IGNORED_GUARD.mask(), IGNORED_GUARD.put(7))
}

const IGNORED_GUARD: Field = bits("guard, ignored", 18, 4);
