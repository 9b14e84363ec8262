//! Shrinks a failing program.

use super::program::{Node, RandomProgram};
use flexgrip_engines::reduce::Reducer;
use std::convert::Infallible;

/// The maximum number of runs to shrink a program.
const MOST_RUNS: usize = 400;

/// The smallest program for which `fails` is still true, as far as a limited search finds it.
pub fn shrink(program: RandomProgram, mut fails: impl FnMut(&RandomProgram) -> bool) -> RandomProgram {
    let reduced = Reducer::new(program, MOST_RUNS).rounds(|reducer| {
        let mut test = |program: &RandomProgram| Ok::<bool, Infallible>(fails(program));
        let mut progress = false;
        let RandomProgram { blocks, threads, .. } = *reducer.program();
        for (fewer_blocks, fewer_threads) in [(1, threads), (blocks, 32), (1, 32), (1, 1)] {
            let RandomProgram { blocks, threads, .. } = *reducer.program();
            if (fewer_blocks, fewer_threads) != (blocks, threads) && fewer_blocks <= blocks && fewer_threads <= threads
            {
                let smaller = RandomProgram {
                    blocks: fewer_blocks,
                    threads: fewer_threads,
                    ..reducer.program().clone()
                };
                progress |= reducer.attempt(smaller, &mut test)?;
            }
        }
        let mut at = 0;
        // Nodes are in reading order, so a node is removed before its contents are tried one by one.
        while at < count(reducer.program()) {
            let mut changed = false;
            for change in [Change::Remove, Change::Unwrap] {
                let mut smaller = reducer.program().clone();
                if apply(&mut smaller, at, change) && reducer.attempt(smaller, &mut test)? {
                    changed = true;
                    break;
                }
            }
            progress |= changed;
            at += usize::from(!changed);
        }
        Ok::<bool, Infallible>(progress)
    });
    match reduced {
        Ok(program) => program,
        Err(never) => match never {},
    }
}

#[derive(Clone, Copy)]
enum Change {
    /// Remove the node.
    Remove,
    /// Replace the node with its contents.
    Unwrap,
}

fn lists(program: &mut RandomProgram) -> impl Iterator<Item = &mut Vec<Node>> {
    std::iter::once(&mut program.main).chain(program.subroutines.iter_mut())
}

fn count(program: &RandomProgram) -> usize {
    fn of(nodes: &[Node]) -> usize {
        nodes
            .iter()
            .map(|node| match node {
                Node::If { then, otherwise, .. } => 1 + of(then) + of(otherwise),
                Node::Loop { body, .. } => 1 + of(body),
                _ => 1,
            })
            .sum()
    }
    of(&program.main) + program.subroutines.iter().map(|body| of(body)).sum::<usize>()
}

/// Changes the node at index `at` in reading order; false if the change does not apply.
fn apply(program: &mut RandomProgram, mut at: usize, change: Change) -> bool {
    fn within(nodes: &mut Vec<Node>, at: &mut usize, change: Change) -> Option<bool> {
        let mut index = 0;
        while index < nodes.len() {
            if *at == 0 {
                let inside = match (&nodes[index], change) {
                    (_, Change::Remove) => Vec::new(),
                    (Node::If { then, otherwise, .. }, Change::Unwrap) => [then.clone(), otherwise.clone()].concat(),
                    (Node::Loop { body, .. }, Change::Unwrap) => body.clone(),
                    _ => return Some(false),
                };
                nodes.splice(index..=index, inside);
                return Some(true);
            }
            *at -= 1;
            let found = match &mut nodes[index] {
                Node::If { then, otherwise, .. } => within(then, at, change).or_else(|| within(otherwise, at, change)),
                Node::Loop { body, .. } => within(body, at, change),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
            index += 1;
        }
        None
    }
    lists(program)
        .find_map(|nodes| within(nodes, &mut at, change))
        .unwrap_or(false)
}
