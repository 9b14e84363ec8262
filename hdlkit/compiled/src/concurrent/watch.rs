//! Watches: the faulty machines that must be computed again because a value near them changes in the good machine.

use super::difference::StateDifference;
use super::good::Good;
use crate::design::graph::Id;
use crate::design::tables::Tables;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// A faulty machine, and the number of its cone: an entry of an earlier cone is stale.
type Sleeper = (u32, u32);

pub(super) struct Watches {
    /// Sleepers by node and memory.
    nodes: Vec<Vec<Sleeper>>,
    /// The machines that differ or have differed in an element, by its memory and first word.
    elements: FxHashMap<(u32, u32), Vec<u32>>,
    /// For each memory, the number of watched elements.
    watched: Vec<u32>,
    /// The number of entries for nodes, and the limit at which stale ones are removed.
    entries: usize,
    limit: usize,
}

/// The smallest limit: some megabytes.
const ENTRIES: usize = 1 << 20;

impl Watches {
    pub fn new(tables: &Tables) -> Self {
        Watches {
            nodes: vec![vec![]; tables.nodes + tables.memories.len()],
            elements: FxHashMap::default(),
            watched: vec![0; tables.memories.len()],
            entries: 0,
            limit: ENTRIES,
        }
    }

    /// Watches a node, or a memory that is read within the cycle: a change wakes the sleeper.
    pub fn node(&mut self, id: Id, sleeper: Sleeper) {
        let list = &mut self.nodes[id as usize];
        if list.last() != Some(&sleeper) {
            list.push(sleeper);
            self.entries += 1;
        }
    }

    /// Removes stale entries once there are many. Otherwise entries for nodes that never change would accumulate.
    pub fn sweep(&mut self, counts: impl Fn(Sleeper) -> bool) {
        if self.entries > self.limit {
            for list in &mut self.nodes {
                list.retain(|sleeper| counts(*sleeper));
                list.shrink_to(list.len() * 2);
            }
            self.entries = self.nodes.iter().map(Vec::len).sum();
            self.limit = ENTRIES.max(self.entries * 2);
        }
    }

    /// Watches an element of a memory: a read or write wakes the machine, as long as it differs there.
    pub fn element(&mut self, memory: u32, element: u32, number: u32) {
        let list = self.elements.entry((memory, element)).or_default();
        self.watched[memory as usize] += u32::from(list.is_empty());
        if !list.contains(&number) {
            list.push(number);
        }
    }

    /// Watches all elements in which the machine differs.
    pub fn elements(&mut self, tables: &Tables, number: u32, difference: &StateDifference) {
        let mut last = None;
        for (memory, at, _) in &difference.memory {
            let stride = tables.memories[*memory as usize].stride;
            let element = (*memory, at / stride * stride);
            if last.replace(element) != Some(element) {
                self.element(element.0, element.1, number);
            }
        }
    }

    /// Calls `wake` for all sleepers that a changed node wakes in this cycle, after the good machine has settled. The
    /// node is no longer watched.
    pub fn wake_followers(&mut self, good: &Good, mut wake: impl FnMut(Id, Sleeper)) {
        for id in &good.changed {
            self.entries -= self.nodes[*id as usize].len();
            self.nodes[*id as usize]
                .drain(..)
                .for_each(|sleeper| wake(*id, sleeper));
        }
    }

    /// Calls `wake` for all machines that watch an element that the good machine uses in this cycle, and the element.
    /// `wake` returns true if the machine differs there.
    pub fn wake_users(&mut self, tables: &Tables, good: &Good, mut wake: impl FnMut(u32, (u32, u32)) -> bool) {
        for (number, ports) in (0..).zip(&tables.memories) {
            if self.watched[number as usize] == 0 {
                continue;
            }
            let value = |id: Id| good.values[id as usize];
            let mut used = |address: Id| {
                let element = (number, ports.element(value(address)) as u32);
                if let Entry::Occupied(mut list) = self.elements.entry(element) {
                    list.get_mut().retain(|machine| wake(*machine, element));
                    if list.get().is_empty() {
                        list.remove();
                        self.watched[number as usize] -= 1;
                    }
                }
            };
            if value(ports.write_enable) != 0 {
                used(ports.write_address);
            }
            if ports.registered && value(ports.read_enable) != 0 {
                ports.read_addresses.iter().for_each(|address| used(*address));
            }
        }
    }
}
