//! Parameters of kernels whose `__local` memory takes all of shared memory, including the bytes that contain the header
//! and the parameters when a block begins.
//!
//! The kernel reads all of them at its entry. A barrier follows: no thread may store there before all threads have read
//! them.

use super::builder::{Builder, Symbol};
use super::calls::takes_address;
use super::types::*;
use crate::error::CompileError;
use crate::ptx::ast;
use flexgrip_machine::Fence;
use std::collections::HashMap;

const WORD: ast::Type = ast::Type {
    kind: ast::Kind::Unsigned,
    bits: 32,
};

/// True if the operation reads the header or a parameter.
fn is_read(operation: Operation) -> bool {
    match operation {
        Operation::Parameter { .. } => true,
        Operation::Special(special) => matches!(
            special,
            Special::BlockSize(_) | Special::BlockIndex(_) | Special::GridSize(_)
        ),
        _ => false,
    }
}

/// Moves all reads of the header and the parameters to the entry, with a barrier after them.
pub fn read_at_entry(function: &mut Function) {
    let mut reads: Vec<Instruction> = Vec::new();
    let mut known: HashMap<(Operation, ast::Type, usize), Vec<Value>> = HashMap::new();
    let Function { registers, blocks, .. } = function;
    for block in blocks.iter_mut() {
        let mut instructions = Vec::with_capacity(block.instructions.len());
        for instruction in block.instructions.drain(..) {
            if !is_read(instruction.operation) {
                instructions.push(instruction);
                continue;
            }
            let key = (instruction.operation, instruction.ty, instruction.results.len());
            let values = known.entry(key).or_insert_with(|| {
                let values: Vec<Value> = instruction
                    .results
                    .iter()
                    .map(|result| {
                        registers.push(registers[result.0 as usize].clone());
                        Value(registers.len() as u32 - 1)
                    })
                    .collect();
                reads.push(Instruction {
                    results: values.clone(),
                    ..instruction.clone()
                });
                values
            });
            for (&result, &value) in instruction.results.iter().zip(values.iter()) {
                instructions.push(Instruction {
                    operation: Operation::Copy,
                    ty: instruction.ty,
                    results: vec![result],
                    arguments: vec![Argument::Value(value)],
                    place: instruction.place,
                });
            }
        }
        block.instructions = instructions;
    }
    let Some(entry) = blocks.first_mut() else { return };
    reads.push(Instruction {
        operation: Operation::Barrier { fence: Fence::ALL },
        ty: WORD,
        results: Vec::new(),
        arguments: Vec::new(),
        place: reads.first().map_or(entry.place, |read| read.place),
    });
    entry.instructions.splice(0..0, reads);
}

impl<'a> Builder<'a> {
    /// Copies the parameters that the kernel takes the address of to local memory, unless they stay in shared memory.
    pub(super) fn parameters_with_addresses(
        &mut self,
        kernel: &'a ast::Function<'a>,
        statements: &'a [ast::Statement<'a>],
    ) -> Result<(), CompileError> {
        for (index, parameter) in kernel.parameters.iter().enumerate() {
            let name = parameter.name.text;
            let (offset, bytes) = match self.function.parameters.get(index) {
                Some(parameter) => (parameter.offset, parameter.bytes.next_multiple_of(4)),
                None => continue,
            };
            let stays = !self.function.whole_shared && offset + bytes <= SHARED_PARAMETER_BYTES;
            if stays || !takes_address(statements, name) {
                continue;
            }
            let alignment = parameter.alignment.unwrap_or(0).max(u32::from(parameter.ty.bits / 8));
            let at = self.local_bytes(Some(bytes.into()), alignment, parameter.span)?;
            for word in (0..bytes).step_by(4) {
                let value = self.function.add(Class::Word, format!("{name}+{word}"));
                let read = Operation::Parameter { offset: offset + word };
                self.emit(read, WORD, vec![value], Vec::new(), parameter.span);
                let store = Operation::Store {
                    memory: Memory::Local,
                    offset: word as i32,
                };
                let arguments = vec![Argument::Constant(at.into()), Argument::Value(value)];
                self.emit(store, WORD, Vec::new(), arguments, parameter.span);
            }
            self.globals.insert(name, Symbol::Local(at));
        }
        Ok(())
    }
}
