//! Depth of the reconvergence stack: the number of the machine's 32 entries that the code can need, and the regions to
//! remove if 32 are not enough.
//!
//! An open region takes one entry, pushed by its SSY. A divergent branch takes one while its taken side executes; the
//! other side then executes without it. So it is cheaper to take the side that needs fewer entries. A side that
//! continues at the join needs none, so nested ifs without else take one entry each, not two.
//!
//! The entries of branches have disjoint sets of inactive threads, so there are at most 31 in any program. Therefore
//! *one* open region and any number of branches always fit. If the code is too deep, regions are removed, innermost
//! first. Their threads reconverge at the join of the enclosing region, and each path executes the code in between.
//! This only costs time, unless that code has a barrier, which is an error.

use super::flow::{reachable, Successors};
use super::regions::Regions;
use crate::error::CompileError;
use crate::machine_ir::{Code, End};
use fixedbitset::FixedBitSet;
use flexgrip_isa::Operation;
use flexgrip_machine::sizes::STACK_ENTRIES;

/// The maximum number of threads that wait at branches: all of a warp but the one that executes.
const WAITING: usize = 31;
/// A depth of this many entries or more is treated as unbounded.
const MANY: usize = 1000;

/// An edge of the graph, by its effect on the stack.
#[derive(Debug, Clone)]
enum Edge {
    /// The thread ends or pops. Entries that it pushes later are counted outside the region.
    Ends,
    /// Continues in a block, after the SSY of these regions: indices, outermost first.
    Enters(Vec<usize>, usize),
}

/// The entries that each block adds to the stack.
#[derive(Debug, Clone)]
pub struct Stack {
    /// By block: the number of entries above the entries of its enclosing regions.
    above: Vec<usize>,
    /// By region: the number of entries above the entries of its enclosing regions, from its join on.
    after: Vec<usize>,
    /// By region: true if no other region can be open at the same time.
    alone: Vec<bool>,
    /// The outgoing edges of each block.
    edges: Vec<Vec<Edge>>,
    /// By region: the edge from the region to its join.
    behind: Vec<Edge>,
    entry: Edge,
}

/// Blocks that only return. A branch to such a block is a conditional return, which takes no entry.
pub fn returns(code: &Code, regions: &Regions) -> FixedBitSet {
    let mut found = FixedBitSet::with_capacity(code.blocks.len());
    for (index, block) in code.blocks.iter().enumerate() {
        found.set(
            index,
            block.instructions.is_empty() && block.end == End::Return && !regions.is_join(index),
        );
    }
    found
}

impl Stack {
    /// Counts entries. `first` returns the successor that a divergent branch takes, 0 or 1; `None` selects the one that
    /// needs fewer entries.
    pub fn new(
        successors: &Successors,
        returns: &FixedBitSet,
        divergent: &FixedBitSet,
        regions: &Regions,
        first: impl Fn(usize) -> Option<usize>,
    ) -> Self {
        let edge = |from: Option<usize>, to: usize| {
            if returns.contains(to) || from.is_some_and(|from| regions.leaves(from, to)) {
                return Edge::Ends;
            }
            Edge::Enters(regions.entered_numbers(from, to), to)
        };
        let dead_ends = regions.regions.iter().any(|region| region.dead_end);
        let mut stack = Stack {
            above: vec![0; successors.len()],
            after: vec![0; regions.regions.len()],
            alone: regions
                .regions
                .iter()
                .map(|region| region.depth == 0 && !region.has_inner && !dead_ends)
                .collect(),
            edges: successors
                .iter()
                .enumerate()
                .map(|(from, to)| to.iter().map(|&to| edge(Some(from), to)).collect())
                .collect(),
            behind: regions
                .regions
                .iter()
                .map(|region| {
                    let entered = regions.entered_numbers(region.blocks.ones().next(), region.join);
                    Edge::Enters(entered, region.join)
                })
                .collect(),
            entry: edge(None, 0),
        };
        loop {
            let mut changed = false;
            for region in 0..stack.after.len() {
                let value = stack.edge(&stack.behind[region]);
                changed |= std::mem::replace(&mut stack.after[region], value) != value;
            }
            for block in (0..successors.len()).rev() {
                let value = stack.block(block, successors, returns, divergent, &first).min(MANY);
                changed |= std::mem::replace(&mut stack.above[block], value) != value;
            }
            if !changed {
                return stack;
            }
        }
    }

    fn block(
        &self,
        block: usize,
        successors: &Successors,
        returns: &FixedBitSet,
        divergent: &FixedBitSet,
        first: impl Fn(usize) -> Option<usize>,
    ) -> usize {
        let [a, b] = self.edges[block].as_slice() else {
            return self.edges[block].iter().map(|edge| self.edge(edge)).max().unwrap_or(0);
        };
        let (a, b) = (self.edge(a), self.edge(b));
        if !divergent.contains(block) || successors[block].iter().any(|&to| returns.contains(to)) {
            return a.max(b);
        }
        match first(block) {
            Some(0) => b.max(a + 1),
            Some(_) => a.max(b + 1),
            None => a.max(b).max(a.min(b) + 1),
        }
    }

    fn edge(&self, edge: &Edge) -> usize {
        let Edge::Enters(regions, to) = edge else {
            return 0;
        };
        let inside = match regions.as_slice() {
            &[region] if self.alone[region] => self.above[*to].min(WAITING),
            _ => self.above[*to],
        };
        let behind = regions
            .iter()
            .enumerate()
            .map(|(open, &region)| open + self.after[region]);
        behind.max().unwrap_or(0).max(regions.len() + inside).min(MANY)
    }

    /// The maximum number of entries that the code can need; 1000 if it is unbounded.
    pub fn depth(&self) -> usize {
        self.edge(&self.entry)
    }

    /// The successor that a divergent branch should take, 0 or 1; `None` if both need equally many entries.
    pub fn side(&self, block: usize) -> Option<usize> {
        let [a, b] = self.edges[block].as_slice() else {
            return None;
        };
        match self.edge(a).cmp(&self.edge(b)) {
            std::cmp::Ordering::Less => Some(0),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(1),
        }
    }

    /// True if the stack can overflow in the region with this index.
    fn overflows(&self, regions: &Regions, region: usize) -> bool {
        let edges = self.edges.iter().flatten().chain([&self.entry]);
        regions.regions[region].depth == 0
            && edges
                .filter(|edge| matches!(edge, Edge::Enters(entered, _) if entered.first() == Some(&region)))
                .any(|edge| match edge {
                    Edge::Enters(entered, to) => entered.len() + self.above[*to] > STACK_ENTRIES,
                    Edge::Ends => false,
                })
    }
}

/// Removes inner regions until the stack suffices. Returns the number of regions removed.
///
/// # Errors
/// There is a barrier between a join that must be removed and the join of the enclosing region.
pub fn fit(code: &Code, divergent: &FixedBitSet, regions: &mut Regions) -> Result<usize, CompileError> {
    let successors = code.successors();
    let mut given_up = 0;
    loop {
        let returns = returns(code, regions);
        let stack = Stack::new(&successors, &returns, divergent, regions, |_| None);
        // Without divergent branches, the depth is the maximum number of open regions.
        let none = FixedBitSet::with_capacity(code.blocks.len());
        let open = Stack::new(&successors, &returns, &none, regions, |_| None).depth();
        if stack.depth() <= STACK_ENTRIES || open + WAITING <= STACK_ENTRIES {
            return Ok(given_up);
        }
        let inner = |index: &usize| regions.regions[*index].depth > 0 || regions.regions[*index].dead_end;
        let within = |index: &usize| {
            let blocks = &regions.regions[*index].blocks;
            (0..regions.regions.len())
                .filter(|&outer| stack.overflows(regions, outer))
                .any(|outer| blocks.is_subset(&regions.regions[outer].blocks))
        };
        let mut candidates: Vec<usize> = (0..regions.regions.len()).filter(inner).filter(within).collect();
        if candidates.is_empty() {
            candidates = (0..regions.regions.len()).filter(inner).collect();
        }
        let free: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|&index| !barrier_behind(code, &successors, regions, index))
            .collect();
        let deepest = free.iter().map(|&index| regions.regions[index].depth).max();
        let Some(deepest) = deepest else {
            let place = candidates
                .iter()
                .max_by_key(|&&index| regions.regions[index].depth)
                .and_then(|&index| {
                    regions.regions[index]
                        .blocks
                        .ones()
                        .find(|&block| divergent.contains(block))
                })
                .map_or_else(Default::default, |block| code.blocks[block].place);
            return Err(CompileError::new(
                place,
                format!(
                    "divergent branches are nested too deeply around a barrier: the machine's divergence stack has \
                     {STACK_ENTRIES} entries"
                ),
            ));
        };
        let joins: Vec<usize> = free
            .iter()
            .map(|&index| &regions.regions[index])
            .filter(|region| region.depth == deepest)
            .map(|region| region.join)
            .collect();
        given_up += joins.len();
        regions.give_up(&joins);
    }
}

/// True if there is a barrier between the join of a region and the join of its enclosing region.
fn barrier_behind(code: &Code, successors: &Successors, regions: &Regions, index: usize) -> bool {
    let region = &regions.regions[index];
    let around = regions
        .regions
        .iter()
        .filter(|outer| outer.join != region.join && region.blocks.is_subset(&outer.blocks))
        .max_by_key(|outer| outer.depth);
    let between = reachable(successors, region.join, around.map(|outer| outer.join));
    code.blocks.iter().enumerate().any(|(at, block)| {
        let mut instructions = block.instructions.iter();
        between[at] && instructions.any(|instruction| matches!(instruction.operation, Operation::Bar { .. }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(successors: &Successors, divergent: &[usize], first: impl Fn(usize) -> Option<usize>) -> usize {
        let divergent: FixedBitSet = divergent.iter().copied().collect();
        let regions = Regions::new(successors, &divergent);
        let returns = FixedBitSet::with_capacity(successors.len());
        Stack::new(successors, &returns, &divergent, &regions, first).depth()
    }

    /// Nested ifs without else, each with a block after the inner one.
    fn nest(levels: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
        let mut graph = Vec::new();
        for level in 0..levels {
            graph.push(vec![level + 1, 2 * levels - level]);
        }
        for block in levels..2 * levels {
            graph.push(vec![block + 1]);
        }
        graph.push(vec![]);
        (graph, (0..levels).collect())
    }

    #[test]
    fn the_taken_side_determines_the_depth() {
        let (graph, divergent) = nest(5);
        // With the side that leads to the join taken: an SSY for each level, and the innermost branch.
        assert_eq!(depth(&graph, &divergent, |_| None), 6);
        assert_eq!(depth(&graph, &divergent, |_| Some(1)), 6);
        // With the other side taken, the entry of each branch stays.
        assert_eq!(depth(&graph, &divergent, |_| Some(0)), 10);
    }

    #[test]
    fn a_chain_of_cases_takes_one_entry_at_a_time() {
        // 0 to 9 each test for one case; cases 10 to 19 and the last test continue at 20.
        let mut graph: Vec<Vec<usize>> = (0..10).map(|case| vec![case + 10, (case + 1) % 10]).collect();
        graph[9][1] = 20;
        graph.extend((0..10).map(|_| vec![20]));
        graph.push(vec![]);
        let divergent: Vec<usize> = (0..10).collect();
        assert_eq!(depth(&graph, &divergent, |_| None), 2);
        assert_eq!(depth(&graph, &divergent, |_| Some(1)), 11);
    }

    #[test]
    fn taking_the_exit_of_a_loop_bounds_the_depth() {
        // A loop of 1 and 2 in one side of a branch.
        let graph = [vec![1, 4], vec![2, 3], vec![1], vec![4], vec![]];
        assert_eq!(depth(&graph, &[0, 1], |_| None), 3);
        let stays = depth(&graph, &[0, 1], |block| (block == 1).then_some(0));
        assert!(stays > STACK_ENTRIES);
        // Without an enclosing region such a loop fits, because at most 31 threads wait.
        let graph = [vec![1], vec![1, 2], vec![]];
        assert_eq!(depth(&graph, &[1], |_| Some(0)), STACK_ENTRIES);
    }
}
