//! Address folding: constants that are added to an address in shared or local memory become the offset of the access,
//! which is free.

use super::copies::single;
use crate::ir::{Argument, Function, Instruction, Memory, Operation, Value};
use std::collections::HashMap;

/// Folds additions into offsets. Returns the number of accesses changed.
pub fn fold(function: &mut Function) -> usize {
    let single = single(function);
    let known = |value: Value| single.contains(value.0 as usize);
    let mut everywhere: HashMap<Value, (Value, u32)> = HashMap::new();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if let Some((sum, of, number)) = sum(instruction) {
            if known(sum) && known(of) {
                everywhere.insert(sum, (of, number));
            }
        }
    }
    let mut folded = 0;
    for block in &mut function.blocks {
        // Sums in this block whose operands have not been written since.
        let mut here: HashMap<Value, (Value, u32)> = HashMap::new();
        for instruction in &mut block.instructions {
            let found = match &mut instruction.operation {
                Operation::Load { memory, offset } | Operation::Store { memory, offset } => {
                    Some((offset, matches!(memory, Memory::Shared | Memory::Local)))
                }
                Operation::Lock { offset }
                | Operation::LockedLoad { offset }
                | Operation::LockedStore { offset, .. } => Some((offset, true)),
                _ => None,
            };
            if let Some((offset, reachable)) = found {
                // Each step leads to an earlier write, so the loop ends.
                while let (true, Some(&Argument::Value(base))) = (reachable, instruction.arguments.first()) {
                    let Some(&(of, number)) = here.get(&base).or_else(|| everywhere.get(&base)) else {
                        break;
                    };
                    *offset = offset.wrapping_add(number as i32);
                    instruction.arguments[0] = Argument::Value(of);
                    folded += 1;
                }
            }
            for result in &instruction.results {
                here.remove(result);
                here.retain(|_, (of, _)| of != result);
            }
            if let Some((sum, of, number)) = sum(instruction) {
                if sum != of {
                    here.insert(sum, (of, number));
                }
            }
        }
    }
    folded
}

/// `sum = of + number`.
fn sum(instruction: &Instruction) -> Option<(Value, Value, u32)> {
    match (
        instruction.operation,
        instruction.results.as_slice(),
        instruction.arguments.as_slice(),
    ) {
        (Operation::Add, &[sum], &[Argument::Value(of), Argument::Constant(number)])
            if instruction.ty.bits == 32 && instruction.ty.kind != crate::ptx::ast::Kind::Float =>
        {
            Some((sum, of, number as u32))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::function;

    fn offsets(body: &str) -> Vec<i32> {
        let mut function = function(body);
        fold(&mut function);
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        instructions
            .filter_map(|instruction| match instruction.operation {
                Operation::Load { offset, .. } | Operation::Store { offset, .. } => Some(offset),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn sums_become_offsets_until_a_term_changes() {
        let body =
            "mov.u32 %r1, %tid.x;\nL:\nadd.s32 %r2, %r1, 32;\nadd.s32 %r3, %r2, 8;\nst.shared.u32 [%r3+4], %r1;\n\
                    add.s32 %r1, %r1, 4;\nst.shared.u32 [%r2], %r1;\nst.global.u32 [%r3], %r1;\nbra.uni L;";
        assert_eq!(offsets(body), [44, 0, 0]);
    }
}
