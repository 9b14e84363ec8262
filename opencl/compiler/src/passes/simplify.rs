//! Control-flow simplification: removes unreachable blocks, skips empty ones, copies blocks that only return into their
//! predecessors, and merges blocks in a row.
//!
//! With separate returns, threads that leave early do not reconverge with others. The main return is the last block.

use super::returns::in_order;
use crate::analysis::flow::{predecessors, reverse_post_order};
use crate::ir::{Block, Function, Terminator};

/// Simplifies the function's graph. Returns the number of blocks left.
pub fn simplify(function: &mut Function) -> usize {
    loop {
        let changed = skip_empty(function) | copy_returns(function) | straighten(function);
        compact(function);
        if !changed {
            in_order(function);
            return function.blocks.len();
        }
    }
}

/// Replaces an edge to an empty block by an edge to its successor, except in a cycle of empty blocks.
fn skip_empty(function: &mut Function) -> bool {
    let through: Vec<usize> = (0..function.blocks.len())
        .map(|start| {
            let mut at = start;
            for _ in 0..function.blocks.len() {
                match &function.blocks[at] {
                    Block {
                        instructions,
                        terminator: Terminator::Jump(to),
                        ..
                    } if instructions.is_empty() && *to != at => at = *to,
                    _ => return at,
                }
            }
            start
        })
        .collect();
    let mut changed = false;
    for block in &mut function.blocks {
        let before = block.terminator.clone();
        block.terminator.retarget(|to| through[to]);
        changed |= block.terminator != before;
    }
    changed
}

/// Replaces a jump to a block that only returns by a return.
fn copy_returns(function: &mut Function) -> bool {
    let only_returns: Vec<bool> = function
        .blocks
        .iter()
        .map(|block| block.instructions.is_empty() && block.terminator.ends())
        .collect();
    let mut changed = false;
    for at in 0..function.blocks.len() {
        match function.blocks[at].terminator {
            Terminator::Jump(to) if only_returns[to] => {
                function.blocks[at].terminator = function.blocks[to].terminator.clone();
                changed = true;
            }
            _ => {}
        }
    }
    // Each branch to a block that only returns gets a copy of it.
    let used: Vec<usize> = predecessors(&function.successors()).iter().map(Vec::len).collect();
    for (target, only) in only_returns.iter().enumerate() {
        let mut spare = used[target].saturating_sub(1);
        if !only {
            continue;
        }
        for from in 0..function.blocks.len() {
            if spare == 0 {
                break;
            }
            if function.blocks[from].terminator.successors().contains(&target) {
                let copy = function.blocks[target].clone();
                let new = function.blocks.len();
                function.blocks[from]
                    .terminator
                    .retarget(|to| if to == target { new } else { to });
                function.blocks.push(copy);
                spare -= 1;
                changed = true;
            }
        }
    }
    changed
}

/// Merges a block into its only predecessor, if the predecessor ends with a jump.
fn straighten(function: &mut Function) -> bool {
    let reached = reverse_post_order(&function.successors());
    let mut changed = false;
    for &at in &reached {
        while let Terminator::Jump(to) = function.blocks[at].terminator {
            let count = function
                .blocks
                .iter()
                .filter(|block| block.terminator.successors().contains(&to))
                .count();
            if count != 1 || to == 0 || to == at {
                break;
            }
            let next = &mut function.blocks[to];
            let mut instructions = std::mem::take(&mut next.instructions);
            let terminator = std::mem::replace(&mut next.terminator, Terminator::Return);
            let place = next.place;
            let block = &mut function.blocks[at];
            block.instructions.append(&mut instructions);
            block.terminator = terminator;
            block.place = place;
            changed = true;
        }
    }
    changed
}

/// Removes unreachable blocks, and keeps the order of the others.
fn compact(function: &mut Function) {
    let reached = reverse_post_order(&function.successors());
    let mut number = vec![None; function.blocks.len()];
    let mut kept = reached;
    kept.sort_unstable();
    for (new, &old) in kept.iter().enumerate() {
        number[old] = Some(new);
    }
    let mut old = 0;
    function.blocks.retain(|_| {
        old += 1;
        number[old - 1].is_some()
    });
    for block in &mut function.blocks {
        block.terminator.retarget(|to| number[to].unwrap_or(to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::function;

    #[test]
    fn every_exit_has_its_own_return() {
        let mut function = function(
            "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra END;\nsetp.eq.s32 %p2, %r1, 1;\n@%p2 bra END;\n\
             st.global.u32 [%r2], %r1;\nbra.uni NEXT;\nNEXT:\nbra.uni END;\nEND:\nret;",
        );
        simplify(&mut function);
        let returns = function.blocks.iter().filter(|block| block.terminator.ends());
        assert_eq!(returns.count(), 3, "{function}");
        assert!(predecessors(&function.successors()).iter().all(|from| from.len() <= 1));
    }

    #[test]
    fn an_infinite_loop_of_empty_blocks_stays() {
        let mut function = function("A:\nbra.uni B;\nB:\nbra.uni A;");
        assert!(simplify(&mut function) >= 1);
        assert!(function.blocks.iter().all(|block| !block.terminator.ends()));
    }
}
