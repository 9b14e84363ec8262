//! Memoised clusters: a large cluster that depends on few registers, such as decode on the instruction word, looks its
//! results up in a table of those that it has computed before.
//!
//! ```text
//! table[hash of the inputs]: valid, inputs, results ──> equal inputs? ──┬─> yes: take the results
//!                                                                     └─> no: compute them, and enter them
//! ```
//! Each machine has its own tables. They are not a part of its state, because only its speed depends on them.

use super::emit::{begin_if, end_if, sized, type_of, unaligned, Emitter, Kept};
use super::flags::Flags;
use super::plan::activity::{Cluster, Item};
use super::plan::layout::bytes;
use super::plan::packs::{Packs, State};
use crate::design::graph::{Id, Op};
use crate::design::Source;
use cranelift_codegen::ir::{types, Block, InstBuilder, MemFlags, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Fewer items are computed as fast as they are looked up.
const LEAST_ITEMS: usize = 400;
/// The most registers that a cluster may depend on, and the most results.
const MOST_INPUTS: usize = 2;
const MOST_RESULTS: usize = 32;
/// The binary logarithm of the number of entries. A program has some hundred instructions.
const ENTRIES: u32 = 9;

/// A value in the state.
#[derive(Clone, Copy)]
struct Place {
    at: u32,
    bytes: u32,
}

/// A memoised cluster.
pub(super) struct Memo {
    /// The first byte of its table.
    table: u32,
    inputs: Vec<Place>,
    /// The results, with the clusters that need them, and true if these are computed only if the result has changed.
    results: Vec<(Place, Flags, bool)>,
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
            Op::Cell(cell) if state.design.cells[cell as usize].source == Source::Register => Some(Place {
                at: state.layout.register[state.registers[&cell]],
                bytes: bytes(graph.width(*id)).min(8),
            }),
            _ => None,
        };
        let inputs: Vec<Place> = read.iter().map(input).collect::<Option<_>>()?;
        let is_read = own
            .iter()
            .any(|id| matches!(graph.op(*id), Op::Read { .. } | Op::Call { .. }));
        let is_wide = read.iter().any(|id| graph.width(*id) > u64::BITS);
        let needed = own.iter().filter_map(|id| Some((*id, kept.get(id)?)));
        let mut results: Vec<(Place, Flags, bool)> = needed
            .filter(|(_, kept)| !kept.users.is_empty())
            .map(|(id, kept)| {
                let bytes = packs.of(id).map_or(type_of(graph.width(id)).bytes(), |_| 16);
                (Place { at: kept.at, bytes }, kept.users.clone(), kept.compared)
            })
            .collect();
        results.sort_by_key(|(place, ..)| place.at);
        let pays = inputs.len() <= MOST_INPUTS && results.len() <= MOST_RESULTS;
        (pays && !is_read && !is_wide).then_some(Memo { table, inputs, results })
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> u32 {
        self.entry() << ENTRIES
    }

    /// The bytes of an entry.
    fn entry(&self) -> u32 {
        let results: u32 = self
            .results
            .iter()
            .map(|(place, ..)| place.bytes.next_multiple_of(8))
            .sum();
        8 + self.inputs.len() as u32 * 8 + results
    }
}

impl<'a> Emitter<'a, '_> {
    /// Emits the search for a cluster's results: code from here on is executed if they are not found. Otherwise they are
    /// taken, the cluster is no longer active, and execution continues at `next`.
    pub fn look_up(&mut self, memo: &'a Memo, cluster: usize, next: Block) {
        let entry = self.entry(memo);
        let valid = self.builder.ins().load(types::I64, MemFlags::trusted(), entry, 0);
        let mut different = self.builder.ins().bxor_imm(valid, 1);
        let mut offset = 8;
        for input in &memo.inputs {
            let value = self.input(*input);
            let known = self.builder.ins().load(types::I64, MemFlags::trusted(), entry, offset);
            let difference = self.builder.ins().bxor(known, value);
            different = self.builder.ins().bor(different, difference);
            offset += 8;
        }
        let (found, missing) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(different, missing, &[], found, &[]);
        self.builder.seal_block(found);
        self.builder.seal_block(missing);
        self.builder.switch_to_block(found);
        let mut changes: Vec<(&Flags, Option<Value>)> = vec![];
        for (place, users, compared) in &memo.results {
            for word in 0..place.bytes.div_ceil(8) {
                let kind = sized(place.bytes.min(8));
                let at = (place.at + word * 8) as i32;
                let value = self.builder.ins().load(kind, MemFlags::trusted(), entry, offset);
                offset += 8;
                if *compared {
                    let old = self.builder.ins().load(kind, unaligned(), self.state, at);
                    let difference = self.builder.ins().bxor(old, value);
                    let difference = self.convert(difference, types::I64);
                    match changes.iter_mut().find(|(flags, sum)| *flags == users && sum.is_some()) {
                        Some((_, Some(sum))) => *sum = self.builder.ins().bor(*sum, difference),
                        _ => changes.push((users, Some(difference))),
                    }
                } else if !changes.contains(&(users, None)) {
                    changes.push((users, None));
                }
                self.builder.ins().store(unaligned(), value, self.state, at);
            }
        }
        for (flags, different) in changes {
            match different {
                None => flags.emit(self.builder, self.state, self.layout.active),
                Some(different) => {
                    let next = begin_if(self.builder, different);
                    flags.emit(self.builder, self.state, self.layout.active);
                    end_if(self.builder, next);
                }
            }
        }
        let none = self.builder.ins().iconst(types::I8, 0);
        let flag = (self.layout.active + cluster as u32) as i32;
        self.builder.ins().store(MemFlags::trusted(), none, self.state, flag);
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(missing);
    }

    /// Emits the entry of the results that a cluster has computed.
    pub fn enter(&mut self, memo: &Memo) {
        let entry = self.entry(memo);
        let one = self.builder.ins().iconst(types::I64, 1);
        self.builder.ins().store(MemFlags::trusted(), one, entry, 0);
        let mut offset = 8;
        for input in &memo.inputs {
            let value = self.input(*input);
            self.builder.ins().store(MemFlags::trusted(), value, entry, offset);
            offset += 8;
        }
        for (place, ..) in &memo.results {
            for word in 0..place.bytes.div_ceil(8) {
                let kind = sized(place.bytes.min(8));
                let at = (place.at + word * 8) as i32;
                let value = self.builder.ins().load(kind, unaligned(), self.state, at);
                self.builder.ins().store(MemFlags::trusted(), value, entry, offset);
                offset += 8;
            }
        }
    }

    /// The address of the entry for the present inputs.
    fn entry(&mut self, memo: &Memo) -> Value {
        let mut sum = self.builder.ins().iconst(types::I64, 0);
        for input in &memo.inputs {
            let value = self.input(*input);
            let mixed = self.builder.ins().bxor(sum, value);
            // The golden ratio's bits spread those of the inputs over the high ones.
            sum = self.builder.ins().imul_imm(mixed, 0x9e37_79b9_7f4a_7c15_u64 as i64);
        }
        let index = self.builder.ins().ushr_imm(sum, i64::from(u64::BITS - ENTRIES));
        let offset = self.builder.ins().imul_imm(index, i64::from(memo.entry()));
        let at = (self.design.memories.len() * 8) as i32;
        let tables = self
            .builder
            .ins()
            .load(types::I64, MemFlags::trusted(), self.memories, at);
        let table = self.builder.ins().iadd_imm(tables, i64::from(memo.table));
        self.builder.ins().iadd(table, offset)
    }

    fn input(&mut self, place: Place) -> Value {
        let value = self
            .builder
            .ins()
            .load(sized(place.bytes), unaligned(), self.state, place.at as i32);
        self.convert(value, types::I64)
    }
}
