//! Memoised clusters: a large cluster that depends on few registers, such as decode on the instruction word, looks its
//! results up in a table of those that it has computed before.
//!
//! ```text
//! table[hash of the inputs]: valid, inputs, results ──> equal inputs? ──┬─> yes: take the results
//!                                                                     └─> no: compute them, and enter them
//! ```
//! Each machine has its own tables. They are not a part of its state, because only its speed depends on them.

use super::activity::{Cluster, Item};
use super::layout::{bytes, Kept, Port};
use super::packs::{Packs, State};
use crate::code::flags::Flags;
use crate::design::graph::{Id, Op};
use crate::design::Source;
use rustc_hash::{FxHashMap, FxHashSet};

/// Fewer items are computed as fast as they are looked up.
const LEAST_ITEMS: usize = 400;
/// The most registers that a cluster may depend on, and the most results.
const MOST_INPUTS: usize = 2;
const MOST_RESULTS: usize = 32;
/// The binary logarithm of the number of entries. A program has some hundred instructions.
pub(in crate::code) const ENTRIES: u32 = 9;

/// A memoised cluster.
pub(in crate::code) struct Memo {
    /// The first byte of its table.
    pub table: u32,
    pub inputs: Vec<Port>,
    /// The results, with the clusters that need them, and true if these are computed only if the result has changed.
    pub results: Vec<(Port, Flags, bool)>,
}

impl Memo {
    /// The table of a cluster, from byte `table` on; `None` if it would not pay, or if the cluster has other effects than
    /// values that it keeps for others.
    pub fn of(state: State, packs: &Packs, kept: &FxHashMap<Id, Kept>, cluster: &Cluster, table: u32) -> Option<Memo> {
        if cluster.items.len() < LEAST_ITEMS {
            return None;
        }
        let graph = &state.design.graph;
        let mut own: FxHashSet<Id> = FxHashSet::default();
        for item in &cluster.items {
            match *item {
                Item::Node(id) => own.extend([id]),
                Item::Pack(pack) => own.extend(packs.get(pack).nodes),
                _ => return None,
            }
        }
        let mut read: Vec<Id> = vec![];
        for item in &cluster.items {
            packs.needs(state.design, *item, &mut |id| {
                if !own.contains(&id) || matches!(graph.op(id), Op::Cell(_)) {
                    read.push(id);
                }
            });
        }
        read.retain(|id| graph.as_constant(*id).is_none());
        read.sort_unstable();
        read.dedup();
        let input = |id: &Id| match graph.op(*id) {
            Op::Cell(cell)
                if graph.width(*id) <= u64::BITS && state.design.cells[cell as usize].source == Source::Register =>
            {
                Some(Port {
                    at: state.layout.register[state.registers[&cell]],
                    bytes: bytes(graph.width(*id)),
                })
            }
            _ => None,
        };
        let inputs: Vec<Port> = read.iter().map(input).collect::<Option<_>>()?;
        let is_read = own
            .iter()
            .any(|id| matches!(graph.op(*id), Op::Read { .. } | Op::Call { .. }));
        let needed = own.iter().filter_map(|id| kept.get(id));
        let mut results: Vec<(Port, Flags, bool)> = needed
            .filter(|kept| !kept.users.is_empty())
            .map(|kept| (kept.place, kept.users.clone(), kept.compared))
            .collect();
        results.sort_by_key(|(place, ..)| place.at);
        let pays = inputs.len() <= MOST_INPUTS && results.len() <= MOST_RESULTS;
        (pays && !is_read).then_some(Memo { table, inputs, results })
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> u32 {
        self.entry() << ENTRIES
    }

    /// The bytes of an entry.
    pub fn entry(&self) -> u32 {
        let results = self.results.iter().flat_map(|(place, ..)| place.words());
        (1 + self.inputs.len() + results.count()) as u32 * 8
    }
}
