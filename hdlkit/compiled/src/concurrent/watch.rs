//! Which faulty machines are computed again because something near them changes in the good machine.

use super::good::Good;
use super::tables::Tables;
use crate::design::graph::Id;
use rustc_hash::FxHashMap;

/// A faulty machine, and the sleep that it sleeps: an entry of an earlier one means nothing.
type Sleeper = (u32, u32);

#[derive(Default)]
pub(super) struct Watches {
    /// For each node and memory.
    nodes: Vec<Vec<Sleeper>>,
    /// By memory and the first word of an element.
    elements: FxHashMap<(u32, u32), Vec<Sleeper>>,
    /// For each memory, its elements that are watched.
    watched: Vec<u32>,
    /// Entries for nodes, and how many there may be until those that mean nothing are looked for.
    entries: usize,
    limit: usize,
}

/// The least limit: some megabytes.
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

    /// Wakes at a change of a node, or of a memory that is read within the cycle.
    pub fn node(&mut self, id: Id, sleeper: Sleeper) {
        let list = &mut self.nodes[id as usize];
        if list.last() != Some(&sleeper) {
            list.push(sleeper);
            self.entries += 1;
        }
    }

    /// Removes entries that mean nothing, if there may be many: those for nodes that never change would stay for ever.
    pub fn sweep(&mut self, sleeps: impl Fn(Sleeper) -> bool) {
        if self.entries > self.limit {
            for list in &mut self.nodes {
                list.retain(|sleeper| sleeps(*sleeper));
                list.shrink_to(list.len() * 2);
            }
            self.entries = self.nodes.iter().map(Vec::len).sum();
            self.limit = ENTRIES.max(self.entries * 2);
        }
    }

    /// Wakes when a memory's element is read or written.
    pub fn element(&mut self, memory: u32, element: u32, sleeper: Sleeper) {
        let list = self.elements.entry((memory, element)).or_default();
        self.watched[memory as usize] += u32::from(list.is_empty());
        list.push(sleeper);
    }

    /// Calls `wake` with all that this cycle wakes, once the good machine has settled.
    pub fn wake(&mut self, tables: &Tables, good: &Good, mut wake: impl FnMut(Sleeper)) {
        for id in &good.changed {
            self.entries -= self.nodes[*id as usize].len();
            self.nodes[*id as usize].drain(..).for_each(&mut wake);
        }
        for (number, ports) in (0..).zip(&tables.memories) {
            if self.watched[number as usize] == 0 {
                continue;
            }
            let value = |id: Id| good.values[id as usize];
            let mut used = |address: Id| {
                let element = ports.element(value(address)) as u32;
                if let Some(list) = self.elements.remove(&(number, element)) {
                    self.watched[number as usize] -= 1;
                    list.into_iter().for_each(&mut wake);
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
