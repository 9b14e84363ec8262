//! `breadth_first_search`: the smallest number of edges from one node of a directed graph of 64 nodes to each other
//! node.
//!
//! The graph has a path of many levels, a cluster of random edges with self-loops and duplicate edges, nodes without
//! edges, and a part that cannot be reached but leads back.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;
use std::collections::VecDeque;

const NAME: &str = "breadth_first_search";
const NODES: usize = 64;
const SOURCE: usize = 37;

/// The targets of each node's edges.
type Graph = Vec<Vec<usize>>;

fn graph() -> Graph {
    let mut graph = vec![vec![]; NODES];
    let mut edge = |from: usize, to: usize| graph[from].push(to);
    // A path through nodes 0, 5, 10, ... 60.
    for node in (0..60).step_by(5) {
        edge(node, node + 5);
    }
    // Random edges among nodes 16 to 47. Some of these nodes have an edge to the start of the path.
    let ends = random::words_below(NAME, "edges", 120, 32);
    for pair in ends.chunks(2) {
        edge(16 + pair[0] as usize, 16 + pair[1] as usize);
    }
    edge(SOURCE, 18);
    edge(18, 0);
    edge(20, 20);
    edge(SOURCE, 18);
    // Nodes 48 to 54 lead to each other, to the source and to the path, but cannot be reached.
    for node in [48, 49, 51, 52, 53] {
        edge(node, node + 1);
        edge(node, SOURCE);
    }
    graph
}

/// The distance of each node from `source` in edges; `None` if it cannot be reached.
fn levels(graph: &Graph, source: usize) -> Vec<Option<u32>> {
    let mut levels = vec![None; graph.len()];
    levels[source] = Some(0);
    let mut found = VecDeque::from([(source, 0)]);
    while let Some((node, level)) = found.pop_front() {
        for &next in &graph[node] {
            if levels[next].is_none() {
                levels[next] = Some(level + 1);
                found.push_back((next, level + 1));
            }
        }
    }
    levels
}

pub fn kernel() -> Kernel {
    let graph = graph();
    let levels = levels(&graph, SOURCE);
    let mut offsets = vec![0];
    let mut targets = Vec::new();
    for node in &graph {
        targets.extend(node.iter().map(|&target| target as u32));
        offsets.push(targets.len() as u32);
    }
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_offsets = memory.place(offsets);
    let at_targets = memory.place(targets);
    memory.canaries(16);
    let at_output = memory.canaries(NODES);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "the levels of a graph of 64 nodes, one block that runs until a level is empty",
        registers: 11,
        shared_data_bytes: 4 + 2 * NODES as u32,
        grid: [1, 1],
        block: [NODES as u32, 1, 1],
        params: vec![at_offsets, at_targets, SOURCE as u32, at_output],
        memory: memory.words,
        expected: results(at_output, levels.into_iter().map(|level| level.unwrap_or(u32::MAX))),
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_minimum_numbers_of_edges() {
        let graph = vec![vec![1, 2], vec![3], vec![2, 3], vec![0], vec![0]];
        assert_eq!(levels(&graph, 0), [Some(0), Some(1), Some(1), Some(2), None]);
    }

    #[test]
    fn graph_has_many_levels_and_unreachable_nodes() {
        let levels = levels(&graph(), SOURCE);
        assert!(levels.iter().flatten().max() >= Some(&10));
        assert!(levels.contains(&None));
    }
}
