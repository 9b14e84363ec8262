//! The words of a row as the decoder distinguishes them: by form, opcode and sub-opcode, then by the other fixed bits.

use flexgrip_isa::table::{Form, Row};
use std::fmt::Write;

/// The bits that the decoder looks at first: the form, the opcode and, in long words, the sub-opcode.
fn key_mask(form: Form) -> u64 {
    let forms = match form {
        Form::Immediate => 3 | 3 << 32,
        _ => 3,
    };
    let subop = if form == Form::Long { 7 << 61 } else { 0 };
    forms | 0xf << 28 | subop
}

/// The fixed bits beyond the key.
pub(super) fn residue(row: &Row) -> u64 {
    row.pattern.mask & !key_mask(row.form())
}

pub(super) fn pieces(mask: u64) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = vec![];
    for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
        match found.last_mut() {
            Some((low, width)) if *low + *width == bit => *width += 1,
            _ => found.push((bit, 1)),
        }
    }
    found
}

pub(super) fn value_of(parts: &[(u32, u32)], word: u64) -> u32 {
    let mut value = 0;
    let mut at = 0;
    for &(low, width) in parts {
        value |= ((word >> low) as u32 & ((1 << width) - 1)) << at;
        at += width;
    }
    value
}

/// The opcodes of the row's words.
pub(super) fn opcodes(row: &Row) -> Vec<u32> {
    let of = |opcode: &u32| (row.pattern.value ^ u64::from(*opcode) << 28) & row.pattern.mask & 0xf000_0000 == 0;
    (0..16).filter(of).collect()
}

/// The sub-opcodes of a long row.
pub(super) fn subops(row: &Row) -> Vec<u32> {
    let of = |subop: &u32| (row.pattern.value ^ u64::from(*subop) << 61) & row.pattern.mask & 7 << 61 == 0;
    (0..8).filter(of).collect()
}

/// True if bit 1 is set, as in flow instructions.
pub(super) fn is_control(row: &Row) -> bool {
    row.pattern.value & 2 != 0
}

/// True if the rows have a form, opcode and sub-opcode in common.
pub(super) fn shares_key(one: &Row, other: &Row) -> bool {
    let mask = key_mask(one.form()) & one.pattern.mask & other.pattern.mask;
    one.form() == other.form() && (one.pattern.value ^ other.pattern.value) & mask == 0
}

/// A bit range as text: `49..46`, or `34`.
pub(super) fn range(low: u32, width: u32) -> String {
    match width {
        1 => low.to_string(),
        _ => format!("{}..{low}", low + width - 1),
    }
}

/// A row's fixed bits in a word; `?` is free.
pub(super) fn mask_text(row: &Row) -> String {
    let bit = |bit: u32| match (row.pattern.mask >> bit & 1, row.pattern.value >> bit & 1) {
        (0, _) => '?',
        (_, 0) => '0',
        _ => '1',
    };
    let bits = |high: u32, low: u32| (low..=high).rev().map(bit).collect::<String>();
    let mut text = match row.form() {
        Form::Short => format!("           {} {}", bits(31, 28), bits(1, 0)),
        Form::Long => format!("{}     ?? {} {}", bits(63, 61), bits(31, 28), bits(1, 0)),
        Form::Immediate => format!("        {} {} {}", bits(33, 32), bits(31, 28), bits(1, 0)),
        Form::Control => format!("           {} {}", bits(31, 28), bits(1, 0)),
    };
    for (low, width) in pieces(residue(row)) {
        let high = low + width - 1;
        let _ = write!(text, ", {}: {}", range(low, width), bits(high, low));
    }
    text
}
