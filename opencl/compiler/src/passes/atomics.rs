//! Atomic operations: one instruction on global memory, a loop on shared memory.
//!
//! Shared memory has no atomic instructions, but a load that locks its word for one thread of the warp, and a store
//! that unlocks it (compute capability 1.2). A thread leaves the loop after it has had the lock:
//!
//! ```text
//! before: ...
//! try:    old, locked = lock [a]     // in at most one thread of the warp
//!         new = old + b
//!         unlock [a], new            // where locked
//!         branch try                 // where not locked
//! after:  result = old
//! ```
//! The unlock is before the branch: otherwise the thread with the lock could wait for the others. All atomic operations
//! on a 64-bit number lock its low word.

use crate::error::{needs, CompileError, SourceLocation};
use crate::ir::{
    Argument, Block, BlockIndex, Class, Comparison, Function, Instruction, Memory, Operation, Terminator, Value,
};
use crate::ptx::ast::{Kind, Type};
use flexgrip_isa::{Atomic, Atomic32, Atomic64, Capability};

const U32: Type = Type::new(Kind::Unsigned, 32);
const U64: Type = Type::new(Kind::Unsigned, 64);

/// Checks that the device has the kernel's atomic operations, and expands those on shared memory. Returns the number
/// expanded.
///
/// # Errors
/// An operation that the device does not have.
pub fn expand(function: &mut Function) -> Result<usize, CompileError> {
    check(function)?;
    let mut expanded = 0;
    let mut at = 0;
    while at < function.blocks.len() {
        let mut instructions = function.blocks[at].instructions.iter().enumerate();
        if let Some((index, kind, offset)) = instructions.find_map(|(index, found)| on_shared(index, found)) {
            split(function, at, index, (kind, offset));
            expanded += 1;
            // The block of the loop has no such operation; the block after it may have one.
            at += 1;
        }
        at += 1;
    }
    Ok(expanded)
}

/// Returns the index, operation and offset of an atomic instruction on shared memory.
fn on_shared(index: usize, instruction: &Instruction) -> Option<(usize, Atomic, i32)> {
    match instruction.operation {
        Operation::Atomic {
            atomic,
            memory: Memory::Shared,
            offset,
        } => Some((index, atomic, offset)),
        _ => None,
    }
}

fn check(function: &Function) -> Result<(), CompileError> {
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        let Operation::Atomic { atomic, memory, .. } = instruction.operation else {
            continue;
        };
        let (what, since) = match (memory, atomic) {
            (Memory::Shared, _) => ("atomic operations on local memory", Capability::V1_2),
            (Memory::Global, Atomic::Long(_)) => ("atomic operations on 64 bits", Capability::V1_2),
            (Memory::Global, Atomic::Word(_)) => ("atomic operations on global memory", Capability::V1_1),
            (Memory::Local | Memory::Generic, _) => {
                let message = "an atomic operation on private memory: expected an address in global or local memory";
                return Err(CompileError::new(instruction.place, message));
            }
        };
        if function.capability < since {
            let message = needs(what, since, function.capability);
            return Err(CompileError::new(instruction.place, message));
        }
    }
    Ok(())
}

/// Replaces an atomic operation of a block by a loop. The block ends before it, and the blocks of the loop and of the
/// instructions after it follow.
fn split(function: &mut Function, at: BlockIndex, index: usize, (kind, offset): (Atomic, i32)) {
    let (tries, after) = (at + 1, at + 2);
    for block in &mut function.blocks {
        block.terminator.retarget(|to| if to > at { to + 2 } else { to });
    }
    let block = &mut function.blocks[at];
    let mut rest = block.instructions.split_off(index);
    let atomic = rest.remove(0);
    let name = block.name.clone();
    let terminator = std::mem::replace(&mut block.terminator, Terminator::Jump(tries));
    let place = std::mem::replace(&mut block.place, atomic.place);
    let mut building = Loop {
        function,
        place: atomic.place,
        instructions: Vec::new(),
    };
    let (old, locked) = building.body(kind, offset, &atomic.arguments);
    let instructions = std::mem::take(&mut building.instructions);
    if let (Some(&result), Some(old)) = (atomic.results.first(), old.value()) {
        rest.insert(
            0,
            instruction(
                Operation::Copy,
                atomic.ty,
                vec![result],
                &[Argument::Value(old)],
                atomic.place,
            ),
        );
    }
    let again = Block {
        name: format!("{name} lock"),
        instructions,
        terminator: Terminator::Branch {
            predicate: locked,
            negated: true,
            taken: tries,
            otherwise: after,
        },
        place: atomic.place,
    };
    let following = Block {
        name: format!("{name} unlocked"),
        instructions: rest,
        terminator,
        place,
    };
    function.blocks.splice(tries..tries, [again, following]);
}

fn instruction(
    operation: Operation,
    ty: Type,
    results: Vec<Value>,
    arguments: &[Argument],
    place: SourceLocation,
) -> Instruction {
    Instruction {
        operation,
        ty,
        results,
        arguments: arguments.to_vec(),
        place,
    }
}

/// The loop's block under construction.
struct Loop<'f> {
    function: &'f mut Function,
    place: SourceLocation,
    instructions: Vec<Instruction>,
}

impl Loop<'_> {
    fn make(&mut self, operation: Operation, ty: Type, class: Class, arguments: &[Argument]) -> Argument {
        let result = self.function.add(class, "atomic".to_string());
        self.instructions
            .push(instruction(operation, ty, vec![result], arguments, self.place));
        Argument::Value(result)
    }

    /// Appends the lock, the computation and the unlock. Returns the old value, and the predicate that is true in the
    /// thread with the lock.
    fn body(&mut self, kind: Atomic, offset: i32, arguments: &[Argument]) -> (Argument, Value) {
        // Only compare and swap has operand c.
        let of = |index: usize| arguments.get(index).copied().unwrap_or(Argument::Constant(0));
        let (address, b, c) = (of(0), of(1), of(2));
        let low = self.function.add(Class::Word, "old".to_string());
        let locked = self.function.add(Class::Predicate, "locked".to_string());
        let lock = Operation::Lock { offset };
        self.instructions
            .push(instruction(lock, U32, vec![low, locked], &[address], self.place));
        let low = Argument::Value(low);
        let (old, new) = match kind {
            Atomic::Word(kind) => (low, self.word(kind, low, b, c)),
            Atomic::Long(kind) => {
                let offset = offset.wrapping_add(4);
                let load = Operation::LockedLoad { offset };
                let high = self.make(load, U32, Class::Word, &[address, Argument::Value(locked)]);
                let old = self.make(Operation::Join, U64, Class::Pair, &[low, high]);
                let new = self.long(kind, old, b, c);
                let high = self.make(Operation::High, U32, Class::Word, &[new]);
                self.store(address, offset, high, locked, false);
                let whole = Operation::Convert {
                    from: U64,
                    rounding: crate::ir::Rounding::Zero,
                    integral: false,
                    saturate: false,
                };
                (old, self.make(whole, U32, Class::Word, &[new]))
            }
        };
        self.store(address, offset, new, locked, true);
        (old, locked)
    }

    fn store(&mut self, address: Argument, offset: i32, value: Argument, locked: Value, unlock: bool) {
        let store = Operation::LockedStore { offset, unlock };
        let arguments = [address, value, Argument::Value(locked)];
        self.instructions
            .push(instruction(store, U32, Vec::new(), &arguments, self.place));
    }

    /// Computes the new value of a word.
    fn word(&mut self, atomic: Atomic32, old: Argument, b: Argument, c: Argument) -> Argument {
        let typed = |signed| Type::new(if signed { Kind::Signed } else { Kind::Unsigned }, 32);
        let (operation, ty) = match atomic {
            Atomic32::Exchange => return b,
            Atomic32::Add => (Operation::Add, U32),
            Atomic32::And => (Operation::And, U32),
            Atomic32::Or => (Operation::Or, U32),
            Atomic32::Xor => (Operation::Xor, U32),
            Atomic32::Minimum { signed } => (Operation::Minimum, typed(signed)),
            Atomic32::Maximum { signed } => (Operation::Maximum, typed(signed)),
            Atomic32::CompareAndSwap => return self.choose(Comparison::EQUAL, U32, (old, b), c, old),
            Atomic32::Increment => {
                let more = self.make(Operation::Add, U32, Class::Word, &[old, Argument::Constant(1)]);
                return self.choose(Comparison::LESS, U32, (old, b), more, Argument::Constant(0));
            }
            // Numbers from 1 to b are decremented, all others become b: 0 - 1 is the largest unsigned number.
            Atomic32::Decrement => {
                let less = self.make(Operation::Subtract, U32, Class::Word, &[old, Argument::Constant(1)]);
                return self.choose(Comparison::LESS, U32, (less, b), less, b);
            }
        };
        self.make(operation, ty, Class::Word, &[old, b])
    }

    /// Computes the new value of 64 bits.
    fn long(&mut self, atomic: Atomic64, old: Argument, b: Argument, c: Argument) -> Argument {
        match atomic {
            Atomic64::Exchange => self.make(Operation::Copy, U64, Class::Pair, &[b]),
            Atomic64::Add => self.make(Operation::Add, U64, Class::Pair, &[old, b]),
            Atomic64::CompareAndSwap => self.choose(Comparison::EQUAL, U64, (old, b), c, old),
        }
    }

    /// Selects the first value if a comparison holds, otherwise the second.
    fn choose(
        &mut self,
        comparison: Comparison,
        ty: Type,
        (a, b): (Argument, Argument),
        holds: Argument,
        fails: Argument,
    ) -> Argument {
        let class = if ty.bits == 64 { Class::Pair } else { Class::Word };
        let condition = self.make(Operation::Compare(comparison), ty, Class::Predicate, &[a, b]);
        self.make(Operation::Select, ty, class, &[holds, fails, condition])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::verify::verify;
    use crate::passes::spaces;
    use crate::testing::unresolved;

    fn expanded(body: &str, capability: Capability) -> Result<(Function, usize), String> {
        let mut function = unresolved(body);
        function.capability = capability;
        spaces::resolve(&mut function).map_err(|error| error.message)?;
        let count = expand(&mut function).map_err(|error| error.message)?;
        verify(&function).map_err(|error| error.message)?;
        Ok((function, count))
    }

    #[test]
    fn shared_operations_become_loops_and_global_ones_stay() {
        let body = "mov.u32 %r1, 0;\nL:\natom.shared.add.u32 %r2, [%r1+4], 5;\nred.shared.max.s32 [%r1], %r2;\n\
                    atom.global.cas.b32 %r3, [%r1], %r2, 7;\nsetp.ne.s32 %p1, %r3, 0;\n@%p1 bra L;\nret;";
        let (function, count) = expanded(body, Capability::V1_2).expect("expanded");
        assert_eq!(count, 2);
        let of = |wanted: fn(Operation) -> bool| {
            let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            instructions.filter(|instruction| wanted(instruction.operation)).count()
        };
        assert_eq!(of(|operation| matches!(operation, Operation::Lock { .. })), 2);
        assert_eq!(
            of(|operation| matches!(operation, Operation::LockedStore { unlock: true, .. })),
            2
        );
        assert_eq!(of(|operation| matches!(operation, Operation::Atomic { .. })), 1);
        let again =
            |(at, block): (usize, &Block)| matches!(block.terminator, Terminator::Branch { taken, .. } if taken == at);
        assert_eq!(
            function.blocks.iter().enumerate().filter(|&block| again(block)).count(),
            2
        );
        // The loop of the source still branches to its header.
        let back = function.blocks.iter().rposition(|block| {
            matches!(block.terminator, Terminator::Branch { taken, .. }
            if function.blocks[taken].name.contains('L'))
        });
        assert!(back.is_some(), "{function}");
    }

    #[test]
    fn unsupported_atomics_are_refused() {
        let global = "atom.global.add.u32 %r1, [%r2], 1;\nret;";
        let shared = "atom.shared.add.u32 %r1, [%r2], 1;\nret;";
        let long = "mov.u64 %rd1, 0;\natom.global.add.u64 %rd1, [%r2], %rd1;\nret;";
        for (body, since) in [
            (global, Capability::V1_1),
            (shared, Capability::V1_2),
            (long, Capability::V1_2),
        ] {
            for &capability in Capability::ALL {
                let found = expanded(body, capability);
                match capability >= since {
                    true => assert!(found.is_ok(), "{body} {capability}"),
                    false => {
                        let error = found.expect_err(body);
                        let wanted = format!("need compute capability {since}, and this device has {capability}: ");
                        assert!(error.contains(&wanted), "{error}");
                    }
                }
            }
        }
        let private = ".local .align 4 .b8 depot[16];\nmov.u32 %r1, depot;\ncvta.local.u32 %r2, %r1;\n\
                       atom.add.u32 %r3, [%r2], 1;\nret;";
        let error = expanded(private, Capability::V1_3).expect_err("private memory");
        assert!(error.starts_with("an atomic operation on private memory: "), "{error}");
    }
}
