//! Selection of the sources of operands a, b and c.
//!
//! Operand a is source 1, b source 2 and c source 3, unless the row's flags say otherwise (`b_is_3`, ..): IADD's second
//! addend, encoded as source 3, is b, and so is a store's data. FSWZ's source 3 is a and its source 1 is b; its c is
//! the b of one thread of the quad.

use super::layout::Layout;
use super::row::Row;
use crate::bundles::*;
use hdlkit::prelude::*;

/// The operands that are in memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct MemorySources {
    /// Operand a is in s[]; b is in c[]; c is in c[].
    pub shared: Bit,
    pub constant_b: Bit,
    pub constant_c: Bit,
    /// Each thread computes its own address in s[]; in c[].
    pub shared_is_indexed: Bit,
    pub constant_is_indexed: Bit,
    /// An operand in c[] is 32 bits wide, not 16.
    pub constant_wide: Bit,
    /// In a long word, source 3, not source 2, is the field of an operand in c[].
    pub constant_is_3: Bit,
    /// Illegal: s[] and c[] in one short instruction, or c[] twice.
    pub conflict: Bit,
}

/// The operands of an instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Operands {
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    /// The value of an immediate operand.
    pub immediate: Bits<32>,
    pub memory: MemorySources,
}

/// Decodes the operands of a word. `multiply_24`: its factors are 24 bits wide.
#[hdl_fn]
pub fn operands_of(word: Bits<64>, layout: Layout, row: Row, multiply_24: Bit) -> Operands {
    // True for whole registers, false for halves.
    let wide_a = (!row.sized_a || layout.wide) && (!row.from_a || word.get_bit(46)) && (!row.product || multiply_24);
    let wide_b = (!row.sized_b || layout.wide) && (!row.word_b || word.get_bit(53)) && (!row.product || multiply_24);
    let is_count = row.b_is_count && word.get_bit(52);
    let memory = memory_sources(word, layout, row, wide_b, is_count);
    Operands {
        a: operand_a(word, layout, row, memory, wide_a),
        b: operand_b(layout, row, memory, wide_b, is_count),
        c: operand_c(layout, row, memory),
        immediate: immediate_of(word, layout, row, wide_a, is_count),
        memory,
    }
}

/// Finds the operands in memory. The address register belongs to the operand in s[] if there is one, else to the
/// operand in c[].
#[hdl_fn]
fn memory_sources(word: Bits<64>, layout: Layout, row: Row, wide_b: Bit, is_count: Bit) -> MemorySources {
    let shared = row.shared_a && layout.select_shared;
    let constant_b = row.constant_b && if row.b_is_3 { word.get_bit(24) } else { word.get_bit(23) && !is_count };
    let constant_c = row.constant_c && if row.c_is_2 { word.get_bit(23) } else { word.get_bit(24) };
    let constant = constant_b || constant_c;
    let indexed = layout.address_register.any() || layout.post_increment;
    MemorySources {
        shared,
        constant_b,
        constant_c,
        shared_is_indexed: shared && indexed,
        constant_is_indexed: constant && !shared && indexed || row.moves_constant,
        constant_wide: wide_b || constant_c,
        constant_is_3: row.b_is_3 || constant_c,
        conflict: constant_b && constant_c || layout.is_short && shared && constant,
    }
}

/// Returns the part of the register that a field names. A half in memory is in the low half of its word.
#[hdl_fn]
fn part_of(field: Bits<7>, wide: Bit, in_memory: Bit) -> Part {
    if wide {
        Part::Whole
    } else if field.get_bit(0) && !in_memory {
        Part::High
    } else {
        Part::Low
    }
}

#[hdl_fn]
fn operand_a(word: Bits<64>, layout: Layout, row: Row, memory: MemorySources, wide: Bit) -> Operand {
    let field = if row.a_is_3 { layout.field_3 } else { layout.field_1 };
    let register = if wide { field } else { field >> 1 };
    // FSWZ's thread numbers 4 and up name a neighbour of a pixel program, which does not exist: the result is 0 + 0.
    let is_neighbour = row.swizzles && word.get_bit(18);
    Operand {
        source: if memory.shared_is_indexed || row.moves_constant {
            Source::Gathered
        } else if row.reads_special {
            Source::Special
        } else if row.reads_address {
            Source::Address
        } else if row.reads_code {
            Source::ConditionCode
        } else if is_neighbour {
            Source::Quad
        } else if row.a_is_number {
            Source::Immediate
        } else if memory.shared {
            Source::Shared
        } else {
            Source::Register
        },
        register_used: row.uses_a && !memory.shared && !is_neighbour,
        register: if row.reads_special { word.bits::<4>(46).resize() } else { register },
        part: part_of(field, wide, memory.shared),
    }
}

#[hdl_fn]
fn operand_b(layout: Layout, row: Row, memory: MemorySources, wide: Bit, is_count: Bit) -> Operand {
    let field = if row.b_is_destination {
        layout.destination
    } else if row.b_is_1 {
        layout.field_1
    } else if row.b_is_3 {
        layout.field_3
    } else {
        layout.field_2
    };
    let is_immediate = is_count || row.b_is_number || row.b_is_shift || row.b_is_offset;
    let is_register = !is_immediate && !memory.constant_b;
    Operand {
        source: if is_immediate {
            Source::Immediate
        } else if memory.constant_b && memory.constant_is_indexed {
            Source::Gathered
        } else if memory.constant_b {
            Source::Constant
        } else {
            Source::Register
        },
        register_used: is_register && row.uses_b,
        register: if wide { field } else { field >> 1 },
        part: part_of(field, wide, !is_register),
    }
}

/// Operand c is always a whole register.
#[hdl_fn]
fn operand_c(layout: Layout, row: Row, memory: MemorySources) -> Operand {
    let is_register = !row.c_is_number && !row.swizzles && !memory.constant_c;
    Operand {
        source: if row.c_is_number {
            Source::Immediate
        } else if row.swizzles {
            Source::Quad
        } else if memory.constant_c && memory.constant_is_indexed {
            Source::Gathered
        } else if memory.constant_c {
            Source::Constant
        } else {
            Source::Register
        },
        register_used: is_register && row.uses_c,
        register: if row.c_is_2 {
            layout.field_2
        } else if row.c_is_destination {
            layout.destination
        } else {
            layout.field_3
        },
        part: Part::Whole,
    }
}

/// Returns the immediate; for a 16-bit operation, its low 16 bits.
#[hdl_fn]
fn immediate_of(word: Bits<64>, layout: Layout, row: Row, wide: Bit, is_count: Bit) -> Bits<32> {
    let immediate: Bits<32> = word.bits::<26>(34).concat(word.bits::<6>(16));
    if row.b_is_shift {
        word.bits::<4>(16).resize()
    } else if row.b_is_offset {
        word.bits::<16>(9).resize()
    } else if is_count {
        layout.field_2.resize()
    } else if wide {
        immediate
    } else {
        immediate.low::<16>().resize()
    }
}
