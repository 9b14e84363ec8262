//! Types and instructions that all generators use.

use cranelift_codegen::ir::{types, Block, InstBuilder, MemFlags, Type, Value};
use cranelift_frontend::FunctionBuilder;

/// The register type for a value of this width. A bit has 32, too: with 8 it would be extended before it meets others.
pub(super) fn type_of(width: u32) -> Type {
    match width {
        ..=32 => types::I32,
        33..=64 => types::I64,
        _ => types::I128,
    }
}

/// The type with this many bytes.
pub(super) fn sized(bytes: u32) -> Type {
    Type::int(bytes as u16 * 8).expect("a value's bytes")
}

/// A number times a constant.
pub(super) fn times(builder: &mut FunctionBuilder, number: Value, factor: i64) -> Value {
    match factor.count_ones() {
        // It becomes part of an address.
        1 => builder.ins().ishl_imm(number, i64::from(factor.trailing_zeros())),
        _ => builder.ins().imul_imm(number, factor),
    }
}

/// Code from here to [`end_if`] is executed only if `test` is not 0. Returns the block after it.
pub(super) fn begin_if(builder: &mut FunctionBuilder, test: Value) -> Block {
    let (body, next) = (builder.create_block(), builder.create_block());
    builder.ins().brif(test, body, &[], next, &[]);
    builder.seal_block(body);
    builder.switch_to_block(body);
    next
}

/// Ends a block of [`begin_if`].
pub(super) fn end_if(builder: &mut FunctionBuilder, next: Block) {
    builder.ins().jump(next, &[]);
    builder.seal_block(next);
    builder.switch_to_block(next);
}

/// Flags for values in the state, which are packed without alignment.
pub(super) fn unaligned() -> MemFlags {
    let mut flags = MemFlags::new();
    flags.set_notrap();
    flags
}
