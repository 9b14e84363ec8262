//! Jump threading: skips branches whose outcome is known after the previous branch.
//!
//! For a loop that is left on `a || b`, clang generates a branch on `a` around a block that computes `b`, to a block
//! that branches on `a | b`. If `a` is true, the outcome of that branch is known, so the edge is redirected to its
//! target. A predicate that is known on all paths to a block is replaced by a constant.

use crate::analysis::divergence::effects;
use crate::analysis::flow::predecessors;
use crate::analysis::live::live;
use crate::analysis::loops::loops;
use crate::ir::{Argument, Block, Function, Operation, Terminator, Value};
use crate::ptx::ast::Kind;
use std::collections::HashMap;

/// Predicates whose values are known.
type Known = HashMap<Value, bool>;
/// The longest chain of blocks through which a known predicate is followed.
const CHAIN: usize = 8;

/// Redirects edges past branches with a known outcome, and replaces known predicates. Returns the number of edges and
/// operands changed.
pub fn thread(function: &mut Function) -> usize {
    past_branches(function) + constants(function)
}

/// Returns the predicate of a block's branch, and its value on the edge to `to`.
fn condition(block: &Block, to: usize) -> Option<(Value, bool)> {
    match block.terminator {
        Terminator::Branch {
            predicate,
            negated,
            taken,
            otherwise,
        } if taken != otherwise && (taken == to || otherwise == to) => Some((predicate, (taken == to) != negated)),
        _ => None,
    }
}

fn argument(known: &Known, argument: Argument) -> Option<bool> {
    match argument {
        Argument::Constant(number) => Some(number != 0),
        Argument::Value(value) => known.get(&value).copied(),
    }
}

/// Updates the known predicates for a block's instructions.
fn behind(block: &Block, known: &mut Known) {
    for instruction in &block.instructions {
        let of = |index: usize| instruction.arguments.get(index).and_then(|&a| argument(known, a));
        let result = match instruction.operation {
            _ if instruction.ty.kind != Kind::Predicate => None,
            Operation::Copy => of(0),
            Operation::Not => of(0).map(|a| !a),
            Operation::And => match (of(0), of(1)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Operation::Or => match (of(0), of(1)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Operation::Xor => of(0).zip(of(1)).map(|(a, b)| a != b),
            _ => None,
        };
        for &written in &instruction.results {
            match result {
                Some(value) => known.insert(written, value),
                None => known.remove(&written),
            };
        }
    }
}

fn past_branches(function: &mut Function) -> usize {
    let mut changed = 0;
    let successors = function.successors();
    let live = live(&successors, &effects(function));
    // Edges past a loop header are not redirected: a second entry would make the loop irreducible.
    let headers: Vec<usize> = loops(&successors).into_iter().map(|found| found.header).collect();
    for over in 1..function.blocks.len() {
        let block = &function.blocks[over];
        let Terminator::Branch {
            predicate,
            negated,
            taken,
            otherwise,
        } = block.terminator
        else {
            continue;
        };
        let pure = |operation: Operation| !operation.has_effect();
        if headers.contains(&over) || !block.instructions.iter().all(|instruction| pure(instruction.operation)) {
            continue;
        }
        for from in 0..function.blocks.len() {
            let Some((value, holds)) = condition(&function.blocks[from], over).filter(|_| from != over) else {
                continue;
            };
            let mut known = Known::from([(value, holds)]);
            behind(&function.blocks[over], &mut known);
            let Some(&outcome) = known.get(&predicate) else {
                continue;
            };
            let to = if outcome != negated { taken } else { otherwise };
            let mut written = function.blocks[over].instructions.iter().flat_map(|i| &i.results);
            if to == over || written.any(|value| live.at_start[to].contains(value.0 as usize)) {
                continue;
            }
            if let Terminator::Branch { taken, otherwise, .. } = &mut function.blocks[from].terminator {
                if *taken == over {
                    *taken = to;
                } else {
                    *otherwise = to;
                }
                if taken == otherwise {
                    function.blocks[from].terminator = Terminator::Jump(to);
                }
            }
            changed += 1;
        }
    }
    changed
}

fn constants(function: &mut Function) -> usize {
    let predecessors = predecessors(&function.successors());
    let mut changed = 0;
    for at in 1..function.blocks.len() {
        let mut known = Known::new();
        let mut block = at;
        for _ in 0..CHAIN {
            let &[from] = predecessors[block].as_slice() else {
                break;
            };
            if let Some((value, holds)) = condition(&function.blocks[from], block) {
                known.entry(value).or_insert(holds);
            }
            // If this block writes a register, its value on the incoming edge was a different one.
            let written = |value: Value| {
                let mut instructions = function.blocks[from].instructions.iter();
                instructions.any(|instruction| instruction.results.contains(&value))
            };
            if from == 0 || known.keys().any(|&value| written(value)) || from == at {
                break;
            }
            block = from;
        }
        if known.is_empty() {
            continue;
        }
        let block = &mut function.blocks[at];
        for instruction in &mut block.instructions {
            for argument in &mut instruction.arguments {
                if let Argument::Value(value) = argument {
                    if let Some(&holds) = known.get(value) {
                        *argument = Argument::Constant(holds.into());
                        changed += 1;
                    }
                }
            }
            for result in &instruction.results {
                known.remove(result);
            }
        }
        if let Terminator::Branch {
            predicate,
            negated,
            taken,
            otherwise,
        } = block.terminator
        {
            if let Some(&holds) = known.get(&predicate) {
                block.terminator = Terminator::Jump(if holds != negated { taken } else { otherwise });
                changed += 1;
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{copies, simplify};
    use crate::testing::function;

    #[test]
    fn a_loop_left_for_either_of_two_reasons_has_two_branches() {
        let mut function = function(
            "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nbra.uni L1;\nL3:\nsetp.eq.s32 %p3, %r3, 32;\n\
             or.pred %p4, %p1, %p3;\n@!%p4 bra L1;\nbra.uni L4;\nL1:\nmul.lo.s32 %r1, %r1, 3;\nsetp.gt.s32 %p1, %r1, 99;\n\
             @%p1 bra L3;\nadd.s32 %r3, %r3, 1;\nbra.uni L3;\nL4:\nst.global.u32 [%r2], %r1;\nret;",
        );
        simplify::simplify(&mut function);
        assert!(thread(&mut function) >= 2, "{function}");
        simplify::simplify(&mut function);
        copies::clean(&mut function);
        crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
        let mut all = function.blocks.iter().flat_map(|block| &block.instructions);
        assert!(
            all.all(|instruction| instruction.operation != Operation::Or),
            "{function}"
        );
        assert_eq!(function.blocks.len(), 4, "{function}");
    }
}
