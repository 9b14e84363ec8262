//! Copy propagation, algebraic simplification and dead-code elimination.
//!
//! A copy is replaced by its source if both registers are written only once, before every read: then the source cannot
//! change between the copy and a read of the copy. A negated predicate is also replaced, by the predicate with an
//! inverted condition.

use super::fold::fold;
use crate::analysis::divergence::effects;
use crate::analysis::live::live;
use crate::ir::{Argument, Class, Function, Instruction, Operation, Terminator, Value};
use fixedbitset::FixedBitSet;

/// Propagates copies and removes dead code until nothing changes. Returns the number of instructions removed.
pub fn clean(function: &mut Function) -> usize {
    let before = count(function);
    loop {
        let changed = (fold(function) > 0) | trivial(function) | propagate(function);
        if !(changed | drop_dead(function)) {
            return before - count(function);
        }
    }
}

fn count(function: &Function) -> usize {
    function.blocks.iter().map(|block| block.instructions.len()).sum()
}

/// Replaces operations that are copies or negations because of a constant operand.
fn trivial(function: &mut Function) -> bool {
    let mut changed = false;
    let classes: Vec<Class> = function.registers.iter().map(|register| register.class).collect();
    for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        let predicate = instruction
            .results
            .first()
            .is_some_and(|result| classes.get(result.0 as usize) == Some(&Class::Predicate));
        let commutes = matches!(
            instruction.operation,
            Operation::Add | Operation::And | Operation::Or | Operation::Xor | Operation::Multiply
        );
        if let (true, [Argument::Constant(_), Argument::Value(_)]) = (commutes, instruction.arguments.as_slice()) {
            instruction.arguments.swap(0, 1);
        }
        let Some(&[a, Argument::Constant(number)]) = instruction.arguments.get(..2).and_then(|a| a.first_chunk())
        else {
            continue;
        };
        let new = match instruction.operation {
            Operation::Xor if predicate && number != 0 => Some((Operation::Not, a)),
            Operation::And if predicate => Some((Operation::Copy, if number != 0 { a } else { Argument::Constant(0) })),
            Operation::Or if predicate && number != 0 => Some((Operation::Copy, Argument::Constant(1))),
            Operation::Add if number == 0 && instruction.ty.kind != crate::ptx::ast::Kind::Float => {
                Some((Operation::Copy, a))
            }
            Operation::Xor | Operation::Or | Operation::ShiftLeft | Operation::ShiftRight if number == 0 => {
                // Only for registers: a shift of a constant is left to the lowering.
                matches!(a, Argument::Value(_)).then_some((Operation::Copy, a))
            }
            _ => None,
        };
        if let Some((operation, argument)) = new {
            instruction.operation = operation;
            instruction.arguments = vec![argument];
            changed = true;
        }
    }
    changed
}

/// Returns the registers that are written only once, before every read.
pub(crate) fn single(function: &Function) -> FixedBitSet {
    let registers = function.registers.len();
    let mut once = FixedBitSet::with_capacity(registers);
    let mut twice = FixedBitSet::with_capacity(registers);
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        for result in &instruction.results {
            if once.put(result.0 as usize) {
                twice.insert(result.0 as usize);
            }
        }
    }
    once.difference_with(&twice);
    let live = live(&function.successors(), &effects(function));
    if let Some(undefined) = live.at_start.first() {
        once.difference_with(undefined);
    }
    once
}

fn propagate(function: &mut Function) -> bool {
    let single = single(function);
    let known = |value: Value| single.contains(value.0 as usize);
    // The replacement of each register, with a flag for its negation.
    let mut instead: Vec<Option<(Argument, bool)>> = vec![None; function.registers.len()];
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        let (&[result], &[argument]) = (instruction.results.as_slice(), instruction.arguments.as_slice()) else {
            continue;
        };
        let negated = match instruction.operation {
            Operation::Copy => false,
            Operation::Not if function.registers[result.0 as usize].class == Class::Predicate => true,
            _ => continue,
        };
        let usable = match argument {
            Argument::Constant(_) => !negated,
            Argument::Value(source) => known(source) && source != result,
        };
        if known(result) && usable {
            instead[result.0 as usize] = Some((argument, negated));
        }
    }
    // Follows each chain to its end; chains have no cycles, because each register is written before it is read.
    let resolve = |start: Value| {
        let (mut at, mut negated) = (Argument::Value(start), false);
        for _ in 0..instead.len() {
            match at {
                Argument::Value(value) => match instead[value.0 as usize] {
                    Some((next, turned)) => {
                        at = next;
                        negated ^= turned;
                    }
                    None => break,
                },
                Argument::Constant(number) if negated => {
                    at = Argument::Constant(u64::from(number == 0));
                    negated = false;
                }
                Argument::Constant(_) => break,
            }
        }
        (at, negated)
    };
    let mut changed = false;
    for block in &mut function.blocks {
        for instruction in &mut block.instructions {
            changed |= replace(instruction, &resolve);
        }
        if let Terminator::Branch {
            predicate,
            negated,
            taken,
            otherwise,
        } = block.terminator
        {
            let (argument, turned) = resolve(predicate);
            match argument {
                Argument::Value(value) if value != predicate => {
                    block.terminator = Terminator::Branch {
                        predicate: value,
                        negated: negated ^ turned,
                        taken,
                        otherwise,
                    };
                    changed = true;
                }
                Argument::Constant(number) => {
                    let holds = (number != 0) ^ turned ^ negated;
                    block.terminator = Terminator::Jump(if holds { taken } else { otherwise });
                    changed = true;
                }
                Argument::Value(_) => {}
            }
        }
    }
    changed
}

fn replace(instruction: &mut Instruction, resolve: &impl Fn(Value) -> (Argument, bool)) -> bool {
    let mut changed = false;
    for index in 0..instruction.arguments.len() {
        let Argument::Value(value) = instruction.arguments[index] else {
            continue;
        };
        let (argument, negated) = resolve(value);
        if argument == Argument::Value(value) {
            continue;
        }
        if negated {
            // Only a selection can invert its condition.
            if instruction.operation != Operation::Select || index != 2 {
                continue;
            }
            instruction.arguments.swap(0, 1);
        }
        instruction.arguments[index] = argument;
        changed = true;
    }
    if instruction.operation == Operation::Select {
        if let Some(&Argument::Constant(number)) = instruction.arguments.get(2) {
            let chosen = instruction.arguments[usize::from(number == 0)];
            instruction.operation = Operation::Copy;
            instruction.arguments = vec![chosen];
            changed = true;
        }
    }
    changed
}

fn drop_dead(function: &mut Function) -> bool {
    let live = live(&function.successors(), &effects(function));
    let mut changed = false;
    for (block, mut needed) in function.blocks.iter_mut().zip(live.at_end) {
        if let Terminator::Branch { predicate, .. } = block.terminator {
            needed.insert(predicate.0 as usize);
        }
        let mut kept = Vec::with_capacity(block.instructions.len());
        for instruction in block.instructions.drain(..).rev() {
            let needed_here = instruction.operation.has_effect()
                || instruction
                    .results
                    .iter()
                    .any(|result| needed.contains(result.0 as usize));
            if !needed_here {
                changed = true;
                continue;
            }
            for result in &instruction.results {
                needed.set(result.0 as usize, false);
            }
            for value in instruction.arguments.iter().filter_map(|argument| argument.value()) {
                needed.insert(value.0 as usize);
            }
            kept.push(instruction);
        }
        kept.reverse();
        block.instructions = kept;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::function;

    #[test]
    fn copies_and_dead_code_are_removed() {
        let mut function = function(
            "ld.param.u32 %r1, [out];\nmov.u32 %r2, %r1;\nmov.u32 %r3, 5;\nadd.s32 %r4, %r2, %r3;\n\
             mul.lo.s32 %r5, %r4, 3;\nst.global.u32 [%r2], %r3;\nret;",
        );
        clean(&mut function);
        assert_eq!(count(&function), 2, "{function}");
    }

    #[test]
    fn a_copy_of_a_changing_register_stays() {
        let mut function = function(
            "ld.param.u32 %r1, [out];\nmov.u32 %r2, 0;\nL:\nmov.u32 %r3, %r2;\nadd.s32 %r2, %r2, 4;\n\
             st.global.u32 [%r1], %r3;\nsetp.ne.s32 %p1, %r2, 40;\n@%p1 bra L;\nret;",
        );
        clean(&mut function);
        let copies = function.blocks.iter().flat_map(|block| &block.instructions);
        assert_eq!(
            copies.filter(|i| i.operation == Operation::Copy).count(),
            2,
            "{function}"
        );
    }

    #[test]
    fn a_negated_predicate_turns_the_branch() {
        let mut function = function(
            "setp.eq.s32 %p1, %r1, 0;\nmov.pred %p2, -1;\nxor.pred %p3, %p1, %p2;\n@%p3 bra END;\n\
             st.global.u32 [%r1], 1;\nEND:\nret;",
        );
        clean(&mut function);
        let first = &function.blocks[0];
        assert_eq!(first.instructions.len(), 1, "{function}");
        assert!(matches!(first.terminator, Terminator::Branch { negated: true, .. }));
    }
}
