//! Operands in shared, constant and local memory, and the use of address registers.

use super::layout::Layout;
use super::operands::MemorySources;
use super::row::Row;
use crate::bundles::*;
use hdlkit::prelude::*;

/// The addresses of an instruction's operands in memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct MemoryOperands {
    /// Byte offset of a shared operand, and its access type: 0 u8, 1 u16, 2 s16, 3 b32.
    pub shared_offset: Bits<7>,
    pub shared_access: Bits<2>,
    /// Byte address of a constant operand.
    pub constant_address: Bits<16>,
    pub indexing: Indexing,
    /// An address register of the instruction does not exist.
    pub no_such_register: Bit,
}

/// The offset of a per-thread address, before sign extension.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct IndexOffset {
    /// Access type, as for shared operands.
    access: Bits<2>,
    /// Offset in bytes, zero-extended.
    offset: Bits<16>,
    /// The offset's sign bit, used only for increments.
    negative: Bit,
    /// Bytes to subtract from a negative offset to sign-extend it.
    span: Bits<16>,
}

/// Converts a number of accesses of a type (0 u8, 1 u16, 2 s16, 3 b32) to bytes.
#[hdl_fn]
fn in_bytes<const N: usize>(number: Bits<N>, access: Bits<2>) -> Bits<N> {
    match access.index() {
        0 => number,
        3 => number << 2,
        _ => number << 1,
    }
}

/// Decodes a word's operands in memory, and its address registers.
#[hdl_fn]
pub fn memory_operands_of(word: Bits<64>, layout: Layout, row: Row, sources: MemorySources) -> MemoryOperands {
    let constant_field = if layout.is_short {
        word.bits::<5>(16).resize()
    } else if sources.constant_is_3 {
        layout.field_3
    } else {
        layout.field_2
    };
    let constant_access = if sources.constant_wide { bits::<2>(3) } else { bits(1) };
    let constant_offset = in_bytes::<16>(constant_field.resize::<16>(), constant_access);

    // A shared offset counts accesses: bytes, half-words or words.
    let (shared_access, shared_units) = if layout.is_full {
        (word.bits::<2>(14), word.bits::<5>(9).resize::<7>())
    } else {
        (word.bits::<2>(13), word.bits::<4>(9).resize::<7>())
    };
    let shared_offset = in_bytes::<7>(shared_units, shared_access);

    // Per-thread addresses.
    let long_offset = word.bits::<16>(9);
    let index = if sources.shared_is_indexed {
        let span = if layout.is_full { bits::<16>(32) } else { bits(16) };
        IndexOffset {
            access: shared_access,
            offset: shared_offset.resize(),
            negative: if layout.is_full { word.get_bit(13) } else { word.get_bit(12) },
            span: in_bytes::<16>(span, shared_access),
        }
    } else if row.moves_constant || row.scatters {
        let stored = if layout.wide { bits::<2>(3) } else { mask(!word.get_bit(54), bits(1)) };
        let access = if row.scatters { stored } else { word.bits::<2>(46) };
        IndexOffset { access, offset: in_bytes::<16>(long_offset, access), ..Default::default() }
    } else if row.is_local {
        IndexOffset { offset: long_offset, ..Default::default() }
    } else {
        let span = if layout.is_short { bits::<16>(32) } else { bits(128) };
        IndexOffset {
            access: constant_access,
            offset: constant_offset,
            negative: if layout.is_short { constant_field.get_bit(4) } else { constant_field.get_bit(6) },
            span: in_bytes::<16>(span, constant_access),
        }
    };
    // An increment is signed. A full 16-bit offset is exact modulo 2^16 without extension.
    let offset = if layout.post_increment && index.negative { index.offset - index.span } else { index.offset };

    // Address registers.
    let gathers = sources.shared_is_indexed || sources.constant_is_indexed;
    let uses_address = gathers || row.scatters || row.reads_address;
    let register_used = uses_address && layout.address_register.any();
    let post_increment = layout.post_increment && (!row.reads_address || row.is_local);
    let destination = word.bits::<3>(2);
    let writes_same = row.writes_address && destination == layout.address_register;
    MemoryOperands {
        shared_offset,
        shared_access,
        // Banks of 4096 bytes.
        constant_address: (layout.bank.resize::<16>() << 12) + constant_offset,
        indexing: Indexing {
            gathers,
            scatters: row.scatters,
            local: row.is_local,
            constant: sources.constant_is_indexed,
            bank: layout.bank,
            access: index.access,
            offset,
            post_increment,
            increments: register_used && post_increment && !writes_same,
            register: layout.address_register.low::<2>() - 1,
            register_used,
        },
        no_such_register: uses_address && layout.address_register > 4 || row.writes_address && destination > 4,
    }
}
