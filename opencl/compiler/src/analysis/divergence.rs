//! Divergence analysis: which values and branches may differ between the threads of a warp.
//!
//! Thread indices and loaded values differ. So does every value computed from them, and every register that is written
//! between a divergent branch and the block where its paths meet, and read after that. (This includes registers with a
//! single write: if threads leave a loop in different iterations, the register has a value of a different iteration in
//! each thread.)

use super::flow::{reachable, Successors};
use super::live::{live, Effects, Live};
use super::regions::joins;
use crate::ir::{Function, Operation, Special, Terminator, Value};
use fixedbitset::FixedBitSet;

/// The values and branches that may differ between threads.
#[derive(Debug, Clone)]
pub struct Divergence {
    /// The values that differ, by virtual register.
    pub values: FixedBitSet,
    /// The blocks with a branch that threads may take differently.
    pub branches: FixedBitSet,
}

/// Reads and writes of each block.
pub fn effects(function: &Function) -> Vec<Effects> {
    function
        .blocks
        .iter()
        .map(|block| {
            let mut effects = Effects::new(function.registers.len());
            for instruction in &block.instructions {
                for value in instruction.arguments.iter().filter_map(|argument| argument.value()) {
                    effects.read(value.0 as usize);
                }
                for value in &instruction.results {
                    effects.write(value.0 as usize);
                }
            }
            if let Terminator::Branch { predicate, .. } = block.terminator {
                effects.read(predicate.0 as usize);
            }
            effects
        })
        .collect()
}

/// Runs the analysis.
pub fn divergence(function: &Function) -> Divergence {
    let successors = function.successors();
    let joins = joins(&successors);
    let effects = effects(function);
    let live = live(&successors, &effects);
    let mut found = Divergence {
        values: FixedBitSet::with_capacity(function.registers.len()),
        branches: FixedBitSet::with_capacity(function.blocks.len()),
    };
    loop {
        let mut changed = false;
        for (at, block) in function.blocks.iter().enumerate() {
            for instruction in &block.instructions {
                let differs = match instruction.operation {
                    Operation::Special(Special::ThreadIndex(_) | Special::Lane | Special::Clock)
                    | Operation::Load { .. }
                    | Operation::Atomic { .. }
                    | Operation::Lock { .. }
                    | Operation::LockedLoad { .. } => true,
                    _ => instruction
                        .arguments
                        .iter()
                        .filter_map(|argument| argument.value())
                        .any(|value| found.values.contains(value.0 as usize)),
                };
                if differs {
                    for &Value(result) in &instruction.results {
                        changed |= !found.values.put(result as usize);
                    }
                }
            }
            if let Terminator::Branch { predicate, .. } = block.terminator {
                if found.values.contains(predicate.0 as usize) && !found.branches.put(at) {
                    changed = true;
                    let mixed = mixed(&successors, &effects, &live, at, joins[at]);
                    found.values.union_with(&mixed);
                }
            }
        }
        if !changed {
            return found;
        }
    }
}

/// The values that differ between threads where the paths of a divergent branch meet.
fn mixed(successors: &Successors, effects: &[Effects], live: &Live, branch: usize, join: Option<usize>) -> FixedBitSet {
    let between = reachable(successors, branch, join);
    let sides: Vec<Vec<bool>> = successors[branch]
        .iter()
        .map(|&side| reachable(successors, side, join))
        .collect();
    let registers = effects.first().map_or(0, |block| block.uses.len());
    let mut written = FixedBitSet::with_capacity(registers);
    let mut needed = FixedBitSet::with_capacity(registers);
    for block in 0..successors.len() {
        if between[block] {
            written.union_with(&effects[block].defines);
        }
        if Some(block) == join || sides.iter().filter(|side| side[block]).count() > 1 {
            needed.union_with(&live.at_start[block]);
        }
    }
    written.intersect_with(&needed);
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::function;

    fn differs(function: &Function, name: &str) -> bool {
        let at = function.registers.iter().position(|register| register.name == name);
        divergence(function).values.contains(at.expect("a register"))
    }

    #[test]
    fn thread_indices_differ_and_parameters_do_not() {
        let function = function(
            "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nld.param.u32 %r3, [n];\nadd.s32 %r4, %r1, %r3;\n\
             add.s32 %r5, %r2, %r3;\nst.global.u32 [%r4], %r5;\nret;",
        );
        assert!(differs(&function, "%r4") && !differs(&function, "%r5"));
    }

    /// Threads leave a loop in different iterations: a value that is uniform in the loop differs after it, even if one
    /// instruction writes it.
    #[test]
    fn values_after_a_divergent_loop_differ() {
        let function = function(
            "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL:\nshl.b32 %r3, %r2, 2;\nadd.s32 %r2, %r2, 1;\n\
             setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nadd.s32 %r4, %r3, 1;\nst.global.u32 [%r4], %r4;\nret;",
        );
        assert!(differs(&function, "%r3") && differs(&function, "%r4"));
        assert_eq!(divergence(&function).branches.count_ones(..), 1);
    }

    #[test]
    fn uniform_branches_do_not_cause_divergence() {
        let function = function(
            "ld.param.u32 %r1, [n];\nmov.u32 %r2, 1;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra END;\nmov.u32 %r2, 2;\n\
             END:\nst.global.u32 [%r1], %r2;\nret;",
        );
        assert!(!differs(&function, "%r2"));
    }
}
