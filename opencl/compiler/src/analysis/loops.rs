//! Dominators and natural loops of a graph.

use super::flow::{predecessors, reachable, reverse_post_order, Successors};
use fixedbitset::FixedBitSet;

/// A natural loop: its header, through which every iteration passes, and all blocks on paths from the header back to
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The block where the loop is entered.
    pub header: usize,
    /// The blocks of the loop, with the header.
    pub blocks: FixedBitSet,
}

/// The immediate dominator of each node. The entry and unreachable nodes are their own immediate dominators.
/// (Algorithm: Cooper, Harvey and Kennedy.)
pub fn dominators(successors: &Successors) -> Vec<usize> {
    let order = reverse_post_order(successors);
    let mut number = vec![usize::MAX; successors.len()];
    for (index, &node) in order.iter().enumerate() {
        number[node] = index;
    }
    let predecessors = predecessors(successors);
    let mut immediate: Vec<Option<usize>> = vec![None; successors.len()];
    if let Some(&entry) = order.first() {
        immediate[entry] = Some(entry);
    }
    loop {
        let mut changed = false;
        for &node in order.iter().skip(1) {
            let mut new: Option<usize> = None;
            for &from in predecessors[node].iter().filter(|&&from| immediate[from].is_some()) {
                new = Some(match new {
                    None => from,
                    Some(other) => {
                        let (mut a, mut b) = (from, other);
                        while a != b {
                            while number[a] > number[b] {
                                a = immediate[a].unwrap_or(a);
                            }
                            while number[b] > number[a] {
                                b = immediate[b].unwrap_or(b);
                            }
                        }
                        a
                    }
                });
            }
            if immediate[node] != new {
                immediate[node] = new;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    (0..successors.len())
        .map(|node| immediate[node].unwrap_or(node))
        .collect()
}

/// True if every path from the entry to `node` contains `over`.
pub fn dominates(dominators: &[usize], over: usize, node: usize) -> bool {
    let mut at = node;
    loop {
        if at == over {
            return true;
        }
        let next = dominators[at];
        if next == at {
            return false;
        }
        at = next;
    }
}

/// The natural loops, inner loops first. A retreating edge to a block that does not dominate its source is ignored: an
/// irreducible cycle is not a natural loop.
pub fn loops(successors: &Successors) -> Vec<Loop> {
    let dominators = dominators(successors);
    let predecessors = predecessors(successors);
    let reached = reachable(successors, 0, None);
    let mut loops: Vec<Loop> = Vec::new();
    for (from, to) in successors.iter().enumerate().filter(|(from, _)| reached[*from]) {
        for &header in to.iter().filter(|&&header| dominates(&dominators, header, from)) {
            let inside = reachable(&predecessors, from, Some(header));
            let mut blocks: FixedBitSet = (0..successors.len()).filter(|&block| inside[block]).collect();
            blocks.grow(successors.len());
            blocks.insert(header);
            match loops.iter_mut().find(|known| known.header == header) {
                Some(known) => known.blocks.union_with(&blocks),
                None => loops.push(Loop { header, blocks }),
            }
        }
    }
    loops.sort_by_key(|found| found.blocks.count_ones(..));
    loops
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_nest() {
        // 1 is the outer header; 2 is an inner loop of one block; 3 branches back to 1 or leaves to 4.
        let graph = [vec![1], vec![2, 4], vec![2, 3], vec![1, 4], vec![]];
        let found: Vec<(usize, Vec<usize>)> = loops(&graph)
            .into_iter()
            .map(|found| (found.header, found.blocks.ones().collect()))
            .collect();
        assert_eq!(found, [(2, vec![2]), (1, vec![1, 2, 3])]);
        assert_eq!(dominators(&graph), [0, 0, 1, 2, 1]);
    }

    #[test]
    fn an_irreducible_cycle_is_not_a_loop() {
        let graph = [vec![1, 2], vec![2], vec![1, 3], vec![]];
        assert!(loops(&graph).is_empty());
    }
}
