//! Arms: the nodes that only one side of a choice needs are computed only if it is chosen.
//!
//! ```text
//! Mux(test, large, x)   =>   test? ──┬─> yes: compute large
//!                                    └─> no: x
//! ```
//! An example is a register of the host interface, chosen by an address, which keeps its value in most cycles.

use super::activity::{Cluster, Item};
use super::packs::Packs;
use crate::design::graph::{Id, Op};
use crate::design::Design;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BinaryHeap;

/// A branch that is not foreseen costs as much as this many nodes.
const LEAST_NODES: usize = 12;

/// The choices that are branches.
#[derive(Default)]
pub(in crate::code) struct Arms {
    /// The nodes that choose.
    branches: FxHashSet<Id>,
    /// The nodes in their arms.
    inside: FxHashSet<Id>,
}

impl Arms {
    /// Finds the choices in parts of at most `part` items of clusters.
    pub fn of(design: &Design, packs: &Packs, clusters: &[Cluster], part: usize) -> Arms {
        let mut uses = vec![0u32; design.graph.nodes.len()];
        for item in clusters.iter().flat_map(|cluster| &cluster.items) {
            packs.needs(design, *item, &mut |id| uses[id as usize] += 1);
        }
        let mut arms = Arms::default();
        for cluster in clusters {
            let parts = cluster.items.chunks(part);
            parts.for_each(|items| arms.find(design, packs, items, &uses));
        }
        arms
    }

    /// The number of choices that are branches.
    pub fn branches(&self) -> usize {
        self.branches.len()
    }

    /// True if the node is computed by a branch.
    pub fn is_branch(&self, id: Id) -> bool {
        self.branches.contains(&id)
    }

    /// True if the node is computed where an arm needs it.
    pub fn is_inside(&self, id: Id) -> bool {
        self.inside.contains(&id)
    }

    fn find(&mut self, design: &Design, packs: &Packs, items: &[Item], uses: &[u32]) {
        let mut place = FxHashMap::default();
        for (number, item) in items.iter().enumerate() {
            if let Item::Node(id) = *item {
                if packs.of(id).is_none() && !matches!(design.graph.op(id), Op::Cell(_) | Op::Call { .. }) {
                    place.insert(id, number);
                }
            }
        }
        for item in items.iter().rev() {
            let Item::Node(id) = *item else { continue };
            if !place.contains_key(&id) || packs.bits(id).is_some() {
                continue;
            }
            let arms: Vec<Vec<Id>> = choice(design, id)
                .into_iter()
                .flat_map(|(_, arms)| arms)
                .map(|root| cone(design, packs, root, &place, uses))
                .collect();
            if arms.iter().any(|arm| arm.len() >= LEAST_NODES) {
                self.branches.insert(id);
                self.inside.extend(arms.into_iter().flatten());
            }
        }
    }
}

/// The test and the arms of a choice: where it is 1, and where it is 0. The second arm of a mask is 0, and has no node.
pub(in crate::code) fn choice(design: &Design, id: Id) -> Option<(Id, Vec<Id>)> {
    let graph = &design.graph;
    match graph.op(id) {
        Op::Mux(test, one, zero) => Some((test, vec![one, zero])),
        Op::And(a, b) if graph.width(id) > 1 => [(a, b), (b, a)].into_iter().find_map(|(mask, value)| {
            let Op::SignExtend(test) = graph.op(mask) else {
                return None;
            };
            (graph.width(test) == 1).then(|| (test, vec![value]))
        }),
        _ => None,
    }
}

/// The nodes with places that only `root`, and only one other node through it, need, including `root`.
fn cone(design: &Design, packs: &Packs, root: Id, place: &FxHashMap<Id, usize>, uses: &[u32]) -> Vec<Id> {
    let mut nodes = vec![];
    let mut used: FxHashMap<Id, u32> = FxHashMap::default();
    // Users come before their operands.
    let mut open = BinaryHeap::new();
    let mut need = |id: Id, open: &mut BinaryHeap<(usize, Id)>| {
        let used = used.entry(id).or_default();
        *used += 1;
        if *used == uses[id as usize] {
            open.extend(place.get(&id).map(|place| (*place, id)));
        }
    };
    need(root, &mut open);
    while let Some((_, id)) = open.pop() {
        nodes.push(id);
        packs.needs(design, Item::Node(id), &mut |operand| need(operand, &mut open));
    }
    nodes
}
