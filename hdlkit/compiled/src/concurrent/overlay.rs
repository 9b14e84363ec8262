//! The nodes of one faulty machine in one cycle, where they differ from the good machine's.

use super::agenda::Agenda;
use super::difference::StateDifference;
use super::good::{word_of, Good};
use crate::design::graph::{Graph, Id, Op};
use crate::design::tables::{Tables, NONE};

/// Values that override the good machine's. One overlay serves all faulty machines in turn.
pub(super) struct Overlay {
    values: Vec<u128>,
    /// For each node, the number of the evaluation that its value belongs to.
    stamps: Vec<u32>,
    stamp: u32,
    agenda: Agenda,
    /// Nodes with another value than in the good machine.
    pub differing: Vec<Id>,
    /// Nodes that were computed.
    pub computed: Vec<Id>,
}

impl Overlay {
    pub fn new(tables: &Tables) -> Self {
        Overlay {
            values: vec![0; tables.nodes],
            stamps: vec![0; tables.nodes],
            stamp: 0,
            agenda: Agenda::new(tables.nodes),
            differing: vec![],
            computed: vec![],
        }
    }

    /// A node's value in the faulty machine.
    #[inline(always)]
    pub fn value(&self, good: &Good, id: Id) -> u128 {
        match self.stamps[id as usize] == self.stamp {
            true => self.values[id as usize],
            false => good.values[id as usize],
        }
    }

    #[inline(always)]
    fn differ(&mut self, tables: &Tables, id: Id, value: u128) {
        self.values[id as usize] = value;
        if std::mem::replace(&mut self.stamps[id as usize], self.stamp) != self.stamp {
            self.differing.push(id);
            tables.users.of(id).iter().for_each(|user| self.agenda.insert(*user));
        }
    }

    /// Overrides word `word` of a node's value.
    fn differ_in_word(&mut self, tables: &Tables, good: &Good, (id, word): (Id, u32), mask: u128, new: u128) {
        let (old, shift) = (self.value(good, id), 64 * word);
        self.differ(tables, id, old & !(mask << shift) | new << shift);
    }

    /// Computes the nodes that depend on a machine's differences.
    pub fn evaluate(&mut self, graph: &Graph, tables: &Tables, good: &Good, difference: &StateDifference) {
        self.differing.clear();
        self.computed.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
        for (number, value) in &difference.lasting {
            let lasting = &tables.lasting[*number as usize];
            if lasting.node != NONE {
                self.differ_in_word(tables, good, (lasting.node, lasting.word), lasting.mask, *value);
            }
        }
        for (place, value) in &difference.inputs {
            let found = tables.inputs_by_place.get(place);
            if let Some((id, word, mask)) = found {
                self.differ_in_word(tables, good, (*id, *word), *mask, u128::from(*value) & mask);
            }
        }
        let mut last = u32::MAX;
        for (memory, ..) in &difference.memory {
            if std::mem::replace(&mut last, *memory) != *memory {
                let reads = &tables.memories[*memory as usize].reads;
                reads.iter().for_each(|read| self.agenda.insert(*read));
            }
        }
        while let Some(id) = self.agenda.pop() {
            self.computed.push(id);
            let node = graph.nodes[id as usize];
            let value = match node.op {
                Op::Read { memory, word, address } => {
                    let ports = &tables.memories[memory as usize];
                    let at = ports.element(self.value(good, address)) as u32 + word;
                    let low = difference.word(good, memory, at);
                    let high = if node.width > 64 {
                        difference.word(good, memory, at + 1)
                    } else {
                        0
                    };
                    u128::from(high) << 64 | u128::from(low)
                }
                op => {
                    let value = graph.apply(op, node.width, |operand| Some(self.value(good, operand)));
                    value.unwrap_or(good.values[id as usize])
                }
            };
            if value != good.values[id as usize] {
                self.differ(tables, id, value);
            }
        }
    }

    /// The word at a position of the ports.
    pub fn port(&self, tables: &Tables, good: &Good, place: u32) -> u64 {
        match tables.shown[place as usize] {
            (NONE, _) => good.ports[place as usize],
            (id, word) => word_of(self.value(good, id), word),
        }
    }
}
