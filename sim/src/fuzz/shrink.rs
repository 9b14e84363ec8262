//! Shrinks a failing program while it still fails.

use super::program::{Node, RandomProgram};

/// Limit of runs for one program.
const MOST_RUNS: usize = 400;

/// The smallest program that still `fails`, as far as a limited search finds it.
pub fn shrink(mut program: RandomProgram, mut fails: impl FnMut(&RandomProgram) -> bool) -> RandomProgram {
    let mut runs = 0;
    let mut attempt = |smaller: RandomProgram, program: &mut RandomProgram| {
        if runs >= MOST_RUNS {
            return false;
        }
        runs += 1;
        let better = fails(&smaller);
        if better {
            *program = smaller;
        }
        better
    };
    loop {
        let mut progress = false;
        for (blocks, threads) in [(1, program.threads), (program.blocks, 32), (1, 32), (1, 1)] {
            if (blocks, threads) != (program.blocks, program.threads)
                && blocks <= program.blocks
                && threads <= program.threads
            {
                let smaller = RandomProgram {
                    blocks,
                    threads,
                    ..program.clone()
                };
                progress |= attempt(smaller, &mut program);
            }
        }
        let mut at = 0;
        // Large parts first: removing a node removes everything in it.
        while at < count(&program) {
            let mut changed = false;
            for change in [Change::Remove, Change::Unwrap] {
                let mut smaller = program.clone();
                if apply(&mut smaller, at, change) && attempt(smaller, &mut program) {
                    changed = true;
                    break;
                }
            }
            progress |= changed;
            at += usize::from(!changed);
        }
        if !progress {
            return program;
        }
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

/// Changes the node at place `at` in reading order; false if the change does not apply.
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
