//! Pieces that rows share: operands, modifiers, the guard, addresses.
//!
//! Groups are named for their text: `THEN_A` is `, R1`, `INTO_D_CC` is ` R0.CC`, `B_45_49` is the second register with
//! a minus if bit 45 is set and as an absolute value if bit 49 is set, `K_45_49` is the same for a constant, and
//! `N_45_49` has the modifiers after an immediate.

use crate::set::*;

/// A list of names; `_` is an undefined value.
macro_rules! names {
    (@ _) => { None };
    (@ $name:literal) => { Some($name) };
    [$($name:tt),* $(,)?] => { &[$(names!(@ $name)),*] };
}
pub(super) use names;

/// A group of pieces. (Macros in braces keep the table's own layout.)
macro_rules! group {
    ($($piece:expr),* $(,)?) => { Pieces(&[$($piece),*]) };
}
pub(super) use group;

/// Alternatives; the first case that matches applies.
macro_rules! cases {
    ($($case:expr),* $(,)?) => { Cases(&[$($case),*]) };
}
pub(super) use cases;

/// A list of rows.
macro_rules! rows {
    ($($row:expr),* $(,)?) => { &[$($row),*] };
}
pub(super) use rows;

/// A memory operand: `[R1+0x10]` with a signed offset, without a register `[0x10]` with an unsigned one, `[R1]`,
/// `[RZ]`.
macro_rules! place {
    ($low:literal, $width:literal, $unsigned:ident, $signed:ident) => {
        Cases(&[
            if_bits(8, 8, 0xff, &[Text("[RZ]")]).with(bits("", $low, $width), 0),
            if_bits(
                8,
                8,
                0xff,
                &[Text("["), Number(bits("offset", $low, $width), $unsigned), Text("]")],
            ),
            if_bits($low, $width, 0, &[Text("["), A, Text("]")]),
            otherwise(&[
                Text("["),
                A,
                Text("+"),
                Number(bits("offset", $low, $width), $signed),
                Text("]"),
            ]),
        ])
    };
}
pub(super) use place;

/// A form of 64 bits with a guard, by the upper 16 bits of its value and its mask.
pub(super) const fn op(mnemonic: &'static str, value: u128, mask: u128, pieces: &'static [Piece]) -> Row {
    wide(mnemonic, value << 48, mask << 48, pieces)
}

/// Like [`op`], with all bits of value and mask.
pub(super) const fn wide(mnemonic: &'static str, value: u128, mask: u128, pieces: &'static [Piece]) -> Row {
    row(mnemonic, mask, value, 8, pieces).lead(&[GUARD])
}

/// Like [`op`] for an instruction that ignores the guard. In real code the guard is always PT.
pub(super) const fn bare(mnemonic: &'static str, value: u128, mask: u128, pieces: &'static [Piece]) -> Row {
    bare_wide(mnemonic, value << 48, mask << 48, pieces)
}

/// Like [`bare`], with all bits of value and mask.
pub(super) const fn bare_wide(mnemonic: &'static str, value: u128, mask: u128, pieces: &'static [Piece]) -> Row {
    row(mnemonic, mask, value, 8, pieces).usual(7 << 16)
}

/// A text if the bit is set.
pub(super) const fn on(bit: u8, text: &'static str) -> Piece {
    Flag(bits(text, bit, 1), 1, text)
}

/// A text if the bit is not set.
pub(super) const fn off(bit: u8, text: &'static str) -> Piece {
    Flag(bits(text, bit, 1), 0, text)
}

/// A minus if the bit is set.
pub(super) const fn minus(bit: u8) -> Piece {
    Flag(bits("negative", bit, 1), 1, "-")
}

/// One of the two bars of an absolute value if the bit is set.
pub(super) const fn bar(bit: u8) -> Piece {
    Flag(bits("absolute", bit, 1), 1, "|")
}

/// An exclamation mark if the bit is set: a predicate is inverted.
pub(super) const fn not(bit: u8) -> Piece {
    Flag(bits("inverted", bit, 1), 1, "!")
}

/// A tilde if the bit is set: the operand's bits are inverted.
pub(super) const fn invert(bit: u8) -> Piece {
    Flag(bits("inverted", bit, 1), 1, "~")
}

/// A case for the value of some bits.
pub(super) const fn if_bits(low: u8, width: u8, value: u128, pieces: &'static [Piece]) -> Case {
    when(bits("", low, width), value, pieces)
}

/// A name for the value of some bits.
pub(super) const fn pick(name: &'static str, low: u8, width: u8, names: &'static [Option<&'static str>]) -> Piece {
    Names(bits(name, low, width), names)
}

/// A predicate's number; 7 is PT.
pub(super) const fn pred(low: u8) -> Piece {
    Number(bits("predicate", low, 3), P)
}

/// An unsigned number in hexadecimal.
pub(super) const fn hex(name: &'static str, low: u8, width: u8) -> Piece {
    Number(bits(name, low, width), HEX)
}

/// A signed number in hexadecimal.
pub(super) const fn signed(name: &'static str, low: u8, width: u8) -> Piece {
    Number(bits(name, low, width), SIGNED)
}

/// A register.
pub(super) const fn reg(name: &'static str, low: u8) -> Piece {
    Number(bits(name, low, 8), R)
}

pub(super) const R: Format = Format::Register {
    prefix: "R",
    scale: 1,
    top: Some("RZ"),
};
pub(super) const P: Format = Format::Register {
    prefix: "P",
    scale: 1,
    top: Some("PT"),
};
pub(super) const HEX: Format = Format::Hex { scale: 1 };
pub(super) const HEX_4: Format = Format::Hex { scale: 4 };
pub(super) const SIGNED: Format = Format::SignedHex { scale: 1 };
pub(super) const SIGNED_4: Format = Format::SignedHex { scale: 4 };
pub(super) const DECIMAL: Format = Format::Decimal { scale: 1 };
/// The next register, and the register after it.
pub(super) const NEXT_1: Format = Format::Next { prefix: "R", add: 1 };
pub(super) const NEXT_2: Format = Format::Next { prefix: "R", add: 2 };
pub(super) const SINGLE: Format = Format::WideFloat {
    kind: Float::Single,
    low: 0,
};
pub(super) const HALF_FULL: Format = Format::WideFloat {
    kind: Float::Half,
    low: 0,
};
/// The upper 20 bits of a float32 or double; the upper 10 bits of a half.
pub(super) const SINGLE_20: Format = Format::WideFloat {
    kind: Float::Single,
    low: 12,
};
pub(super) const DOUBLE_20: Format = Format::WideFloat {
    kind: Float::Double,
    low: 44,
};
pub(super) const HALF_10: Format = Format::WideFloat {
    kind: Float::Half,
    low: 6,
};
/// A branch target is relative to the next instruction, in bytes.
pub(super) const FROM_NEXT: Format = Format::Target { base: 8, scale: 1 };

/// Destination, first, second and third source; a texture's second destination.
pub(super) const D: Piece = reg("d", 0);
pub(super) const A: Piece = reg("a", 8);
pub(super) const B: Piece = reg("b", 20);
pub(super) const C: Piece = reg("c", 39);
pub(super) const E: Piece = reg("e", 28);

pub(super) const SPACE: Piece = Text(" ");
pub(super) const COMMA: Piece = Text(", ");

/// The first version with instructions on pairs of halves. NVIDIA's disassembler accepts all of them for sm_52 (837
/// words of its opcode space) and none for sm_50; the hardware has them since 5.3.
pub(super) const HALF: u16 = 52;

/// The guard: PT is not printed.
pub(super) const GUARD: Piece = cases! { if_bits(16, 4, 7, &[]), otherwise(&[Text("@"), not(19), pred(16), SPACE]) };

/// The predicate that is read: bits 41..39, 42 inverts.
pub(super) const PC: Piece = group! { not(42), pred(39) };

/// `.CC`: the instruction writes the condition code.
pub(super) const CC: Piece = on(47, ".CC");

pub(super) const CC_52: Piece = on(52, ".CC");

/// The destination, with `.CC` if the condition code is written.
pub(super) const INTO_D_CC: Piece = group! { SPACE, D, CC };

pub(super) const INTO_D_CC_52: Piece = group! { SPACE, D, CC_52 };

pub(super) const INTO_D: Piece = group! { SPACE, D };

pub(super) const THEN_A: Piece = group! { COMMA, A };

pub(super) const THEN_B: Piece = group! { COMMA, B };

pub(super) const THEN_C: Piece = group! { COMMA, C };

/// c[bank][offset]: offsets are in words.
pub(super) const CONST: Piece = group! {
    Text("c["), hex("bank", 34, 5), Text("]["), Number(bits("offset", 20, 14), SIGNED_4), Text("]")
};

/// A constant with a space between bank and offset, as NVIDIA prints it where a part of the constant can be selected.
pub(super) const CONST_SP: Piece = group! {
    Text("c["), hex("bank", 34, 5), Text("] ["), Number(bits("offset", 20, 14), SIGNED_4), Text("]")
};

/// A signed immediate of 20 bits.
pub(super) const NUMBER: Piece = Number(bits("number", 20, 19).and(56, 1), SIGNED);

/// An unsigned immediate of 20 bits.
pub(super) const NUMBER_U: Piece = Number(bits("number", 20, 19).and(56, 1), HEX);

/// Upper 20 bits of a single.
pub(super) const SINGLE_NUMBER: Piece = Number(bits("number", 20, 19).and(56, 1), SINGLE_20);

/// Upper 20 bits of a double.
pub(super) const DOUBLE_NUMBER: Piece = Number(bits("number", 20, 19).and(56, 1), DOUBLE_20);

pub(super) const NUMBER_32_U: Piece = hex("number", 20, 32);

pub(super) const MEM_0: Piece = group! { Text("["), A, Text("]") };

/// c[bank][R1+offset]
pub(super) const CONST_X: Piece = cases! {
    if_bits(8, 8, 0xff, &[Text("c["), hex("bank", 36, 5), Text("][RZ]")]).with(bits("", 20, 16), 0),
    if_bits(8, 8, 0xff, &[Text("c["), hex("bank", 36, 5), Text("]["), signed("offset", 20, 16), Text("]")]),
    if_bits(20, 16, 0, &[Text("c["), hex("bank", 36, 5), Text("]["), A, Text("]")]),
    otherwise(&[Text("c["), hex("bank", 36, 5), Text("]["), A, Text("+"), signed("offset", 20, 16), Text("]")]),
};

/// Rounding; to nearest is not printed.
pub(super) const ROUND: &[Option<&str>] = names! { "", ".RM", ".RP", ".RZ" };

/// The treatment of denormals.
pub(super) const FMZ: &[Option<&str>] = names! { "", ".FTZ", ".FMZ", ".INVALIDFMZ3" };

pub(super) const BOOL: &[Option<&str>] = names! { ".AND", ".OR", ".XOR", ".INVALIDBOP3" };

pub(super) const CMP_I: &[Option<&str>] = names! { ".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".T" };

pub(super) const CMP_F: &[Option<&str>] = names! {
    ".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU", ".LEU", ".GTU", ".NEU", ".GEU",
    ".T"
};

/// The test of the condition code.
pub(super) const CONDITIONS: &[Option<&str>] = names! {
    "F", "LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T", "OFF", "LO",
    "SFF", "LS", "HI", "SFT", "HS", "OFT", "CSM_TA", "CSM_TR", "CSM_MX", "FCSM_TA", "FCSM_TR", "FCSM_MX", "RLE", "RGT"
};

pub(super) const U32_NAME: &[Option<&str>] = names! { ".U32", "" };

pub(super) const BYTE_PARTS: &[Option<&str>] = names! { "", ".B1", ".B2", ".B3" };

pub(super) const CACHE_L: &[Option<&str>] = names! { "", ".CG", ".CI", ".CV" };

pub(super) const CACHE_S: &[Option<&str>] = names! { "", ".CG", ".CS", ".WT" };

pub(super) const SAT_50: Piece = on(50, ".SAT");

pub(super) const THEN_PC: Piece = group! { COMMA, PC };

/// The two destination predicates.
pub(super) const INTO_PP: Piece = group! { SPACE, pred(3), COMMA, pred(0) };

/// The second source, a register: negative if bit 45 is set, absolute if bit 49 is set.
pub(super) const B_45_49: Piece = group! { minus(45), bar(49), B, bar(49) };

/// The second source, a constant: negative by bit 45, absolute by bit 49.
pub(super) const K_45_49: Piece = group! { minus(45), bar(49), CONST, bar(49) };

/// The modifiers after an immediate: bit 45 negates, bit 49 takes the absolute value.
pub(super) const N_45_49: Piece = group! { on(45, ".NEG"), on(49, ".ABS") };

pub(super) const PREDICATES_DOWN: &[Option<&str>] = names! { "PT", "P6", "P5", "P4", "P3", "P2", "P1", "P0" };
