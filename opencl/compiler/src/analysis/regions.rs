//! Reconvergence regions: the blocks that threads execute between a divergent branch and their reconvergence.
//!
//! A divergent branch has a *join*: the first block that all of its paths contain. The blocks from the branch to the
//! join are in the join's *region*. SSY belongs to the region, not to the branch: there is one on each edge that enters
//! the region, and one pop (`NOP.S`) on each edge from it to the join. Then every path in the region pops each pushed
//! entry exactly once, and the last pop removes the entry of SSY. (An SSY before each branch would be wrong if branches
//! share a join: the second pop would find threads that have already continued.)
//!
//! Overlapping regions are nested: if a join is in another region, that region is extended by the join's own region.
//! The joins of a block form a chain, because each post-dominates the joins before it. So regions cannot overlap in any
//! other way, even if the graph is irreducible.
//!
//! Returns are not joins: a thread that ends does not reconverge, and is removed from the stack. The last return that a
//! block reaches is its *goal*. Paths to blocks with a different goal are ignored, and such blocks are not in the same
//! region. The last return of the kernel is the main return.

use super::flow::{post_dominators_of, predecessors, reachable, reverse_post_order, Successors};
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

/// The reconvergence region of a join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The block where the region ends; it is not part of the region.
    pub join: usize,
    /// The blocks of the region, without the join.
    pub blocks: FixedBitSet,
    /// The number of regions that contain this one.
    pub depth: usize,
    /// True if this region contains other regions.
    pub has_inner: bool,
    /// True if the main return cannot be reached from the join: other regions may still be open there.
    pub dead_end: bool,
}

/// All regions of a kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Regions {
    /// The regions, outer regions first.
    pub regions: Vec<Region>,
}

/// The goal of each block: the last return that it reaches. `None` if it does not reach a return.
pub(crate) fn goals(successors: &Successors) -> Vec<Option<usize>> {
    let before = predecessors(successors);
    let mut returns = reverse_post_order(successors);
    returns.retain(|&block| successors[block].is_empty());
    returns.sort_unstable();
    let mut goals = vec![None; successors.len()];
    for &goal in returns.iter().rev() {
        let mut leading = vec![goal];
        while let Some(block) = leading.pop() {
            if goals[block].is_none() {
                goals[block] = Some(goal);
                leading.extend(&before[block]);
            }
        }
    }
    goals
}

/// The join of each block: the first block on all paths to its goal. `None` if there is no such block.
pub fn joins(successors: &Successors) -> Vec<Option<usize>> {
    let goals = goals(successors);
    let alive: Vec<Vec<usize>> = successors
        .iter()
        .enumerate()
        .map(|(from, to)| to.iter().copied().filter(|&to| goals[to] == goals[from]).collect())
        .collect();
    post_dominators_of(&alive, &reverse_post_order(successors))
}

/// Builds the regions from the join, blocks and dead-end flag of each: computes their depths, and sorts them.
fn nested(sets: Vec<(usize, FixedBitSet, bool)>) -> Vec<Region> {
    let others = |join: usize| sets.iter().filter(move |(other, ..)| *other != join);
    let mut regions: Vec<Region> = sets
        .iter()
        .map(|(join, blocks, dead_end)| Region {
            join: *join,
            blocks: blocks.clone(),
            dead_end: *dead_end,
            depth: others(*join).filter(|(_, around, _)| blocks.is_subset(around)).count(),
            has_inner: others(*join).any(|(_, inside, _)| inside.is_subset(blocks)),
        })
        .collect();
    regions.sort_by_key(|region| (region.depth, region.join));
    regions
}

impl Regions {
    /// Returns the regions of these divergent branches.
    pub fn new(successors: &Successors, divergent: &FixedBitSet) -> Self {
        let joins = joins(successors);
        let goals = goals(successors);
        let mut sets: BTreeMap<usize, FixedBitSet> = BTreeMap::new();
        for branch in divergent.ones() {
            let Some(join) = joins[branch] else {
                continue;
            };
            let living = successors[branch]
                .iter()
                .filter(|&&to| goals[to] == goals[branch])
                .count();
            if living < 2 {
                // The threads of one side end, so there is nothing to reconverge.
                continue;
            }
            let set = sets
                .entry(join)
                .or_insert_with(|| FixedBitSet::with_capacity(successors.len()));
            let between = reachable(successors, branch, Some(join));
            set.extend((0..successors.len()).filter(|&block| between[block] && goals[block] == goals[join]));
        }
        let keys: Vec<usize> = sets.keys().copied().collect();
        loop {
            let mut changed = false;
            for &outer in &keys {
                for &inner in &keys {
                    let (Some(out), Some(within)) = (sets.get(&outer), sets.get(&inner)) else {
                        continue;
                    };
                    if outer != inner && out.contains(inner) && !out.is_disjoint(within) && !within.is_subset(out) {
                        let within = within.clone();
                        if let Some(out) = sets.get_mut(&outer) {
                            out.union_with(&within);
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        Regions {
            regions: nested(
                sets.into_iter()
                    .map(|(join, blocks)| (join, blocks, goals[join] != goals[0]))
                    .collect(),
            ),
        }
    }

    /// Removes the regions of these joins. Their threads then reconverge at the join of the enclosing region.
    pub fn give_up(&mut self, joins: &[usize]) {
        let kept = self.regions.drain(..).filter(|region| !joins.contains(&region.join));
        self.regions = nested(
            kept.map(|region| (region.join, region.blocks, region.dead_end))
                .collect(),
        );
    }

    /// The joins of the regions that an edge enters, outermost first. `from` is `None` for the kernel's entry.
    pub fn entered(&self, from: Option<usize>, to: usize) -> Vec<usize> {
        let numbers = self.entered_numbers(from, to);
        numbers.into_iter().map(|number| self.regions[number].join).collect()
    }

    /// The indices of the regions that an edge enters, in the order of [`Regions::entered`].
    pub fn entered_numbers(&self, from: Option<usize>, to: usize) -> Vec<usize> {
        let enters =
            |region: &Region| region.blocks.contains(to) && !from.is_some_and(|from| region.blocks.contains(from));
        (0..self.regions.len())
            .filter(|&number| enters(&self.regions[number]))
            .collect()
    }

    /// True if an edge leads from a region to its join.
    pub fn leaves(&self, from: usize, to: usize) -> bool {
        self.regions
            .iter()
            .any(|region| region.join == to && region.blocks.contains(from))
    }

    /// True if the block is the join of a region.
    pub fn is_join(&self, block: usize) -> bool {
        self.regions.iter().any(|region| region.join == block)
    }

    /// The innermost region of a block.
    pub fn innermost(&self, block: usize) -> Option<&Region> {
        self.regions.iter().rfind(|region| region.blocks.contains(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divergent(branches: &[usize]) -> FixedBitSet {
        branches.iter().copied().collect()
    }

    fn blocks(region: &Region) -> Vec<usize> {
        region.blocks.ones().collect()
    }

    #[test]
    fn branches_with_one_join_share_a_region() {
        // 0 branches to 1 or 4, 1 to 2 or 3; all paths meet at 4. An SSY for each branch would be one too many.
        let graph = [vec![1, 4], vec![2, 3], vec![4], vec![4], vec![]];
        let regions = Regions::new(&graph, &divergent(&[0, 1]));
        assert_eq!(regions.regions.len(), 1);
        assert_eq!(blocks(&regions.regions[0]), [0, 1, 2, 3]);
        assert_eq!(regions.entered(None, 0), [4]);
        assert!(regions.entered(Some(0), 1).is_empty());
        assert!(regions.leaves(3, 4) && !regions.leaves(0, 1));
    }

    #[test]
    fn nested_regions_have_ascending_depths() {
        // 0 branches to 1 or 5, 1 to 2 or 3, which meet at 4; then all paths meet at 5.
        let graph = [vec![1, 5], vec![2, 3], vec![4], vec![4], vec![5], vec![]];
        let regions = Regions::new(&graph, &divergent(&[0, 1]));
        let found: Vec<_> = regions
            .regions
            .iter()
            .map(|region| (region.join, region.depth))
            .collect();
        assert_eq!(found, [(5, 0), (4, 1)]);
        assert_eq!(regions.entered(Some(0), 1), [4]);
        assert!(regions.regions[0].has_inner && !regions.regions[1].has_inner);
    }

    #[test]
    fn an_early_return_needs_no_region() {
        // 0 branches to 2, which returns, or to 1 and the main return.
        let graph = [vec![2, 1], vec![3], vec![], vec![]];
        assert_eq!(joins(&graph)[0], Some(1));
        assert!(Regions::new(&graph, &divergent(&[0])).regions.is_empty());
    }

    #[test]
    fn paths_to_other_returns_have_joins() {
        // 0 branches to 1 or 6, the main return; 1 to 2 or 3; 3 to 4, which returns, or 5. 2 and 3 meet at 5, which
        // returns.
        let graph = [vec![1, 6], vec![2, 3], vec![5], vec![4, 5], vec![], vec![], vec![]];
        assert_eq!(goals(&graph), [6, 5, 5, 5, 4, 5, 6].map(Some));
        assert_eq!(joins(&graph)[..4], [6, 5, 5, 5].map(Some));
        let regions = Regions::new(&graph, &divergent(&[0, 1, 3]));
        assert_eq!(regions.regions.len(), 1);
        assert_eq!(blocks(&regions.regions[0]), [1, 2, 3]);
        assert!(regions.regions[0].dead_end && regions.regions[0].join == 5);
    }

    #[test]
    fn a_loop_is_entered_once() {
        // 1 and 2 are a loop; 2 leaves it to 3.
        let graph = [vec![1], vec![2, 3], vec![1], vec![]];
        let regions = Regions::new(&graph, &divergent(&[1]));
        assert_eq!(blocks(&regions.regions[0]), [1, 2]);
        assert_eq!(regions.entered(Some(0), 1), [3]);
        assert!(regions.entered(Some(2), 1).is_empty());
    }
}
