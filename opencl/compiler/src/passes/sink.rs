//! Sinking: if the only use of a result is a copy later in its block, the computation is moved to the copy, which is
//! then removed. Loop-carried values are such results: their register is still read before the copy.

use crate::ir::{Argument, Function, Instruction, Operation, Terminator, Value};

/// Sinks computations to their copies. Returns the number of computations moved.
pub fn sink(function: &mut Function) -> usize {
    let registers = function.registers.len();
    let (mut reads, mut writes) = (vec![0u32; registers], vec![0u32; registers]);
    for block in &function.blocks {
        for instruction in &block.instructions {
            for value in instruction.arguments.iter().filter_map(|argument| argument.value()) {
                reads[value.0 as usize] += 1;
            }
            for value in &instruction.results {
                writes[value.0 as usize] += 1;
            }
        }
        if let Terminator::Branch { predicate, .. } = block.terminator {
            reads[predicate.0 as usize] += 1;
        }
    }
    let mut moved = 0;
    for block in &mut function.blocks {
        let mut at = 0;
        while at < block.instructions.len() {
            let copy = &block.instructions[at];
            at += 1;
            let (Operation::Copy, &[to], &[Argument::Value(from)]) =
                (copy.operation, copy.results.as_slice(), copy.arguments.as_slice())
            else {
                continue;
            };
            let index = from.0 as usize;
            if reads[index] != 1 || writes[index] != 1 {
                continue;
            }
            let copy_at = at - 1;
            let defined = block.instructions[..copy_at]
                .iter()
                .rposition(|instruction| instruction.results == [from]);
            let Some(defined) = defined.filter(|&defined| movable(&block.instructions, defined, copy_at, to)) else {
                continue;
            };
            let mut instruction = block.instructions.remove(defined);
            instruction.results = vec![to];
            block.instructions[copy_at - 1] = instruction;
            moved += 1;
        }
    }
    moved
}

/// True if the instruction can be computed later, and moving it removes a copy.
fn movable(instructions: &[Instruction], from: usize, to: usize, copied: Value) -> bool {
    let instruction = &instructions[from];
    let between = &instructions[from + 1..to];
    let pure = !instruction.operation.has_effect()
        && !matches!(
            instruction.operation,
            Operation::Load { .. } | Operation::LockedLoad { .. } | Operation::Special(_)
        );
    let reads = |instruction: &Instruction, value: Value| instruction.arguments.contains(&Argument::Value(value));
    let changed = between
        .iter()
        .flat_map(|instruction| &instruction.results)
        .any(|&result| reads(instruction, result));
    // The kernel may overwrite its parameters after a barrier.
    let lost = matches!(instruction.operation, Operation::Parameter { .. })
        && between
            .iter()
            .any(|instruction| matches!(instruction.operation, Operation::Barrier { .. }));
    pure && !changed && !lost && between.iter().any(|instruction| reads(instruction, copied))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::function;

    fn copies(body: &str) -> usize {
        let mut function = function(body);
        sink(&mut function);
        crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        instructions.filter(|i| i.operation == Operation::Copy).count()
    }

    #[test]
    fn loop_carried_values_are_computed_last() {
        let round = "L:\nadd.s32 %r3, %r1, %r2;\nmul.lo.s32 %r2, %r1, %r1;\nmov.u32 %r1, %r3;\nbra.uni L;";
        // The source %r2 is written in between.
        assert_eq!(copies(round), 1);
        let round = "L:\nadd.s32 %r3, %r1, %r2;\nmul.lo.s32 %r4, %r1, %r1;\nmov.u32 %r1, %r3;\nst.global.u32 [%r4], %r1;\nbra.uni L;";
        assert_eq!(copies(round), 0);
    }
}
