//! The good machine: the circuit without a fault, evaluated node by node where values have changed.

use super::agenda::Agenda;
use crate::design::graph::{mask, Graph, Id, Op};
use crate::design::tables::{MemoryPorts, Tables, NONE};

pub(super) struct Good {
    /// The value of each node in this cycle.
    pub values: Vec<u128>,
    /// The state values: registers and data at read ports.
    pub lasting: Vec<u128>,
    pub memories: Vec<Vec<u64>>,
    /// The top block's ports.
    pub ports: Vec<u64>,
    /// Nodes and memories that have changed since registers last loaded their values, including the changes of that
    /// edge.
    pub changed: Vec<u32>,
    agenda: Agenda,
    /// The changes of the next edge, kept to reuse the memory.
    changes: Vec<(u32, u128)>,
}

/// Word `word` of a value.
#[inline(always)]
pub(super) fn word_of(value: u128, word: u32) -> u64 {
    (value >> (64 * word)) as u64
}

/// A word after a write: `old`, or `new` where it is enabled. `part`: the number of enables, and the bits of each.
pub(super) fn written(old: u64, new: u64, enable: u128, part: Option<(u32, u32)>) -> u64 {
    let Some((enables, bits)) = part else {
        return if enable == 0 { old } else { new };
    };
    let set = (0..enables).filter(|index| enable >> index & 1 != 0);
    let mask = set.fold(0, |sum, index| sum | u64::MAX >> (64 - bits) << (index * bits));
    old & !mask | new & mask
}

impl Good {
    pub fn new(graph: &Graph, tables: &Tables, elements: impl Iterator<Item = usize>) -> Self {
        let values = graph.nodes.iter().map(|node| match node.op {
            Op::Constant(value) => value & mask(node.width),
            _ => 0,
        });
        Good {
            values: values.collect(),
            lasting: vec![0; tables.lasting.len()],
            memories: elements.map(|words| vec![0; words]).collect(),
            ports: vec![0; tables.shown.len()],
            changed: vec![],
            agenda: Agenda::new(tables.nodes),
            changes: vec![],
        }
    }

    /// Marks everything as changed.
    pub fn forget(&mut self, graph: &Graph, tables: &Tables) {
        for number in 0..tables.lasting.len() {
            self.show(tables, number as u32);
        }
        for (id, node) in graph.nodes.iter().enumerate() {
            if !matches!(node.op, Op::Constant(_) | Op::Cell(_)) {
                self.agenda.insert(id as Id);
            }
        }
        // A value that is the same as before may still differ from its register.
        self.changed.extend(&tables.next);
        for (place, (node, word)) in tables.shown.iter().enumerate().filter(|(_, (node, _))| *node != NONE) {
            self.ports[place] = word_of(self.values[*node as usize], *word);
        }
    }

    /// Updates the node of a state value. Returns true if the value changed.
    fn show(&mut self, tables: &Tables, number: u32) -> bool {
        let lasting = &tables.lasting[number as usize];
        if lasting.node == NONE {
            return false;
        }
        let value = &mut self.values[lasting.node as usize];
        let shift = 64 * lasting.word;
        let new = *value & !(lasting.mask << shift) | self.lasting[number as usize] << shift;
        std::mem::replace(value, new) != new
    }

    /// Marks the users of a node with a new value.
    fn follow(&mut self, tables: &Tables, id: Id) {
        self.changed.push(id);
        tables.users.of(id).iter().for_each(|user| self.agenda.insert(*user));
        for place in tables.outputs_of.of(id) {
            let (node, word) = tables.shown[*place as usize];
            self.ports[*place as usize] = word_of(self.values[node as usize], word);
        }
    }

    /// Evaluates the logic from the ports' inputs to their outputs.
    pub fn settle(&mut self, graph: &Graph, tables: &Tables) {
        for &(id, place) in &tables.inputs {
            let width = graph.width(id);
            let place = place as usize;
            let high = if width > 64 { self.ports[place + 1] } else { 0 };
            let value = (u128::from(high) << 64 | u128::from(self.ports[place])) & mask(width);
            if std::mem::replace(&mut self.values[id as usize], value) != value {
                self.follow(tables, id);
            }
        }
        while let Some(id) = self.agenda.pop() {
            let node = graph.nodes[id as usize];
            let value = match node.op {
                Op::Read { memory, word, address } => {
                    let ports = &tables.memories[memory as usize];
                    let element = ports.element(self.values[address as usize]);
                    let words = &self.memories[memory as usize][element + word as usize..];
                    let high = if node.width > 64 { words[1] } else { 0 };
                    u128::from(high) << 64 | u128::from(words[0])
                }
                op => {
                    let value = graph.apply(op, node.width, |operand| Some(self.values[operand as usize]));
                    value.unwrap_or(self.values[id as usize])
                }
            };
            if std::mem::replace(&mut self.values[id as usize], value) != value {
                self.follow(tables, id);
            }
        }
    }

    /// True if the element from this word onward is written at the edge, or read to registers.
    pub fn uses(&self, ports: &MemoryPorts, element: usize) -> bool {
        let value = |id: Id| self.values[id as usize];
        let is_at = |address: &Id| ports.element(value(*address)) == element;
        value(ports.write_enable) != 0 && is_at(&ports.write_address)
            || ports.registered && value(ports.read_enable) != 0 && ports.read_addresses.iter().any(is_at)
    }

    /// A memory's word after the edge.
    pub fn after_edge(&self, ports: &MemoryPorts, memory: u32, at: u32) -> u64 {
        let old = self.memories[memory as usize][at as usize];
        let value = |id: Id| self.values[id as usize];
        let element = ports.element(value(ports.write_address));
        match (at as usize)
            .checked_sub(element)
            .and_then(|word| ports.write_data.get(word))
        {
            Some((node, part)) => {
                let enable = value(ports.write_enable);
                written(old, word_of(value(*node), *part), enable, ports.part)
            }
            None => old,
        }
    }

    /// Simulates the rising edge of the clock.
    pub fn tick(&mut self, tables: &Tables) {
        let mut changes = std::mem::take(&mut self.changes);
        for id in self.changed.drain(..).filter(|id| (*id as usize) < tables.nodes) {
            for register in tables.takers.of(id) {
                changes.push((*register, self.values[id as usize]));
            }
        }
        for (number, ports) in tables.memories.iter().enumerate() {
            let value = |id: Id| self.values[id as usize];
            let memory = &mut self.memories[number];
            if ports.registered && value(ports.read_enable) != 0 {
                for (address, data) in ports.read_addresses.iter().zip(&ports.data) {
                    let element = ports.element(value(*address));
                    for word in 0..ports.stride {
                        changes.push((data + word, u128::from(memory[element + word as usize])));
                    }
                }
            }
            let enable = value(ports.write_enable);
            if enable != 0 {
                let element = ports.element(value(ports.write_address));
                let mut different = false;
                for (word, (node, part)) in ports.write_data.iter().enumerate() {
                    let place = &mut memory[element + word];
                    let new = written(*place, word_of(value(*node), *part), enable, ports.part);
                    different |= std::mem::replace(place, new) != new;
                }
                if different && !ports.reads.is_empty() {
                    self.changed.push(ports.followed);
                    ports.reads.iter().for_each(|read| self.agenda.insert(*read));
                }
            }
        }
        for (number, value) in changes.drain(..) {
            if std::mem::replace(&mut self.lasting[number as usize], value) != value && self.show(tables, number) {
                self.follow(tables, tables.lasting[number as usize].node);
            }
        }
        self.changes = changes;
    }
}
