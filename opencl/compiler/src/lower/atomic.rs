//! Lowering of atomic operations on global memory, and of locks of shared memory.

use super::memory::{FAR, GLOBAL, LARGEST_OFFSET};
use super::{full, predicates, Lowering};
use crate::error::CompileError;
use crate::ir::{self, Argument};
use crate::machine_ir::{Destination, Instruction, Test, Word};
use flexgrip_isa::{Access, Atomic, Operation, Width};

impl Lowering<'_> {
    /// Lowers an atomic operation on global memory. Dead-code elimination may drop the result.
    pub(super) fn atomic(
        &mut self,
        instruction: &ir::Instruction,
        atomic: Atomic,
        offset: i32,
    ) -> Result<(), CompileError> {
        let Some((&base, operands)) = instruction.arguments.split_first() else {
            return self.error("an atomic operation without an address");
        };
        let address = full(self.address(base, offset));
        let operation = Operation::Atomic { space: GLOBAL, atomic };
        let result = instruction.results.first().copied();
        if let Atomic::Long(_) = atomic {
            // The operands are copied, because the old value replaces operand b.
            let mut group = Vec::new();
            for &operand in operands {
                for source in [self.source(operand), self.high_source(operand)] {
                    let word = self.temporary();
                    self.copy(word, source);
                    group.push(word);
                }
            }
            let third = group.get(2).map(|&word| full(word));
            let sources = [Some(address), Some(full(group[0])), third];
            self.grouped(operation, Destination::Word(group[0]), sources, group.clone());
            if let Some(result) = result {
                let (low, high) = (self.low(result), self.half(result, true));
                self.copy(low, full(group[0]));
                self.copy(high, full(group[1]));
            }
            return Ok(());
        }
        let mut sources = [Some(address), None, None];
        for (source, &operand) in sources.iter_mut().skip(1).zip(operands) {
            *source = Some(full(self.word(operand)));
        }
        let old = match result {
            Some(result) => self.low(result),
            None => self.temporary(),
        };
        self.grouped(operation, Destination::Word(old), sources, Vec::new());
        Ok(())
    }

    /// Lowers a load that locks its word in one thread. The condition code identifies that thread.
    pub(super) fn lock(&mut self, instruction: &ir::Instruction, offset: i32) -> Result<(), CompileError> {
        let (&[base], &[old, locked]) = (instruction.arguments.as_slice(), instruction.results.as_slice()) else {
            return self.error("a lock without an address");
        };
        let place = self.shared(base, offset, Access::B32, FAR)?;
        let (operation, old) = (Operation::G2rLock { width: Width::B32 }, self.low(old));
        self.locked = Some(locked);
        self.push(Instruction {
            code: Some(predicates::LOCK),
            ..Instruction::new(operation, Destination::Word(old), [Some(place), None, None], self.place)
        });
        Ok(())
    }

    /// Lowers a load in the thread with the lock.
    pub(super) fn locked_load(&mut self, instruction: &ir::Instruction, offset: i32) -> Result<(), CompileError> {
        let (&[base, Argument::Value(locked)], &[result]) =
            (instruction.arguments.as_slice(), instruction.results.as_slice())
        else {
            return self.error("a locked load without a lock");
        };
        if self.locked != Some(locked) {
            return self.error("a locked load in another block than its lock");
        }
        let place = self.shared(base, offset, Access::B32, LARGEST_OFFSET)?;
        let (operation, result) = (Operation::Mov { width: Width::B32 }, self.low(result));
        let test = self.has_lock(locked);
        self.push(Instruction {
            test,
            whole: true,
            ..Instruction::new(
                operation,
                Destination::Word(result),
                [Some(place), None, None],
                self.place,
            )
        });
        Ok(())
    }

    /// Lowers a store in the thread with the lock.
    pub(super) fn locked_store(
        &mut self,
        instruction: &ir::Instruction,
        offset: i32,
        unlock: bool,
    ) -> Result<(), CompileError> {
        let &[base, value, Argument::Value(locked)] = instruction.arguments.as_slice() else {
            return self.error("a locked store without a lock");
        };
        if self.locked != Some(locked) {
            return self.error("a locked store in another block than its lock");
        }
        let value: Word = self.word(value);
        let place = self.shared(base, offset, Access::B32, FAR)?;
        let operation = if unlock { Operation::R2gUnlock } else { Operation::R2g };
        let sources = [Some(place), None, Some(full(value))];
        let test = self.has_lock(locked);
        self.push(Instruction {
            test,
            ..Instruction::new(operation, Destination::None, sources, self.place)
        });
        Ok(())
    }

    /// Returns the condition that is true in the thread with the lock.
    fn has_lock(&mut self, locked: ir::Value) -> Option<Test> {
        let predicate = self.predicate(locked);
        Some(Test { predicate, holds: true })
    }
}
