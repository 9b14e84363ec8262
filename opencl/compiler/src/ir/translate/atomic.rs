//! Translation of atomic operations.

use super::memory::MemoryTarget;
use super::Translation;
use crate::error::CompileError;
use crate::ir::types::*;
use crate::ptx::ast::Kind;
use flexgrip_isa::{Atomic, Atomic32, Atomic64};

/// Modifiers for memory order and scope. They are ignored, because each access of a thread is visible to all threads
/// before the thread's next access begins.
const ORDERS: &[&str] = &["relaxed", "acquire", "release", "acq_rel", "cta", "gpu", "sys"];

/// Returns the atomic operation with this modifier, for integers of this type.
fn atomic(word: &str, ty: crate::ptx::ast::Type) -> Option<Atomic> {
    let signed = ty.kind == Kind::Signed;
    Some(match (word, ty.bits) {
        ("add", 32) => Atomic::Word(Atomic32::Add),
        ("exch", 32) => Atomic::Word(Atomic32::Exchange),
        ("cas", 32) => Atomic::Word(Atomic32::CompareAndSwap),
        ("inc", 32) => Atomic::Word(Atomic32::Increment),
        ("dec", 32) => Atomic::Word(Atomic32::Decrement),
        ("min", 32) => Atomic::Word(Atomic32::Minimum { signed }),
        ("max", 32) => Atomic::Word(Atomic32::Maximum { signed }),
        ("and", 32) => Atomic::Word(Atomic32::And),
        ("or", 32) => Atomic::Word(Atomic32::Or),
        ("xor", 32) => Atomic::Word(Atomic32::Xor),
        ("add", 64) => Atomic::Long(Atomic64::Add),
        ("exch", 64) => Atomic::Long(Atomic64::Exchange),
        ("cas", 64) => Atomic::Long(Atomic64::CompareAndSwap),
        _ => return None,
    })
}

impl Translation<'_, '_> {
    /// `atom.global.add.u32 %r1, [%r2], %r3;`, or `red` without the result.
    pub(crate) fn atomic(&mut self) -> Result<(), CompileError> {
        let mut ty = self.ty()?;
        if ty.kind == Kind::Float {
            return self.unsupported("the only atomic operation on floats is an exchange");
        }
        let mut words = self.modifiers.words.iter().filter(|word| !ORDERS.contains(word));
        let found = words
            .next()
            .and_then(|word| atomic(word, ty))
            .filter(|_| words.next().is_none());
        let Some(atomic) = found else {
            return self.unsupported(
                "there is no such atomic operation: on 64 bits there are add, exchange, and compare and swap, on 8 and \
                 16 bits none",
            );
        };
        if ty.kind == Kind::Bits {
            ty.kind = Kind::Unsigned;
        }
        let first = usize::from(self.instruction.opcode.base == "atom");
        let result = match first {
            0 => None,
            _ => {
                let operand = self.operand(0)?;
                Some(self.result(operand)?)
            }
        };
        let operand = self.operand(first)?;
        let MemoryTarget::Memory(memory, base, offset) = self.memory_target(operand)? else {
            return self.unsupported("parameters cannot be written");
        };
        let offset = self.memory_offset(offset)?;
        let mut arguments = vec![base];
        for index in 0..1 + usize::from(atomic.has_operand_c()) {
            arguments.push(self.argument(first + 1 + index)?);
        }
        let operation = Operation::Atomic { atomic, memory, offset };
        self.push(operation, ty, result.into_iter().collect(), arguments);
        Ok(())
    }
}
