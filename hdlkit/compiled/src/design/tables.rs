//! Dependency tables of a circuit, shared by the good machine and all faulty ones, and for idle cycles.

use super::graph::{mask, Id, Op};
use super::parts::{words_of, Design, Source};
use rustc_hash::FxHashMap;

/// A list for each number from 0.
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(lists: &[Vec<u32>]) -> Self {
        let mut starts = vec![0];
        let mut items = vec![];
        for list in lists {
            items.extend_from_slice(list);
            starts.push(items.len() as u32);
        }
        Lists { starts, items }
    }

    #[inline(always)]
    pub fn of(&self, number: u32) -> &[u32] {
        let at = number as usize;
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// Marks a missing node.
pub(crate) const NONE: Id = Id::MAX;

/// A state value: a register, or a word of a registered read port's data.
pub(crate) struct Lasting {
    /// The node with the value; [`NONE`] if it is never read.
    pub node: Id,
    /// The index of the word in the node's value.
    pub word: u32,
    /// The mask of its bits.
    pub mask: u128,
}

pub(crate) struct MemoryPorts {
    pub registered: bool,
    /// The number of elements less one: a mask for addresses.
    pub last: u64,
    pub stride: u32,
    /// The bits that each write enable covers, if there are several.
    pub part: Option<(u32, u32)>,
    /// The node that enables registered reads.
    pub read_enable: Id,
    pub write_enable: Id,
    pub write_address: Id,
    /// The addresses of registered reads.
    pub read_addresses: Vec<Id>,
    /// For each word of an element, the node and the index of its word.
    pub write_data: Vec<(Id, u32)>,
    /// The state value with the first word of each registered read port.
    pub data: Vec<u32>,
    /// The masks of an element's words.
    pub masks: Vec<u64>,
    /// The nodes that read it within the cycle.
    pub reads: Vec<Id>,
    /// The memory's number among the sources that nodes depend on.
    pub followed: u32,
}

impl MemoryPorts {
    /// The first word of the element at an address.
    #[inline(always)]
    pub fn element(&self, address: u128) -> usize {
        (address as u64 & self.last) as usize * self.stride as usize
    }

    /// All nodes that the memory reads at the edge.
    pub fn inputs(&self) -> impl Iterator<Item = Id> + '_ {
        let read_enable = self.registered.then_some(self.read_enable);
        let one = [self.write_enable, self.write_address];
        let data = self.write_data.iter().map(|(node, _)| *node);
        read_enable
            .into_iter()
            .chain(one)
            .chain(self.read_addresses.iter().copied())
            .chain(data)
    }
}

pub(crate) struct Tables {
    /// The users of nodes, then of memories.
    pub users: Lists,
    /// For each node, the registers that load it.
    pub takers: Lists,
    /// For each node, the memories that read it.
    pub memories_of: Lists,
    /// For each node, the positions of the ports with its value.
    pub outputs_of: Lists,
    pub lasting: Vec<Lasting>,
    /// The next value of each register; registers come first among the state values.
    pub next: Vec<Id>,
    pub memories: Vec<MemoryPorts>,
    /// For each state value after the registers, its memory.
    pub memory_of: Vec<u32>,
    /// Input nodes with their positions.
    pub inputs: Vec<(Id, u32)>,
    /// For each position of an input, its node, the index of the word in the node's value, and the mask of its bits.
    pub inputs_by_place: FxHashMap<u32, (Id, u32, u128)>,
    /// For each position of the ports, its node and the index of the word; [`NONE`] for inputs.
    pub shown: Vec<(Id, u32)>,
    pub nodes: usize,
}

impl Tables {
    pub fn new(design: &Design) -> Self {
        let graph = &design.graph;
        let nodes = graph.nodes.len();
        let mut cells = FxHashMap::default();
        for (id, node) in graph.nodes.iter().enumerate() {
            if let Op::Cell(cell) = node.op {
                cells.insert(cell, id as Id);
            }
        }
        let mut lasting = vec![];
        for register in &design.registers {
            lasting.push(Lasting {
                node: cells.get(&register.cell).copied().unwrap_or(NONE),
                word: 0,
                mask: mask(design.cells[register.cell as usize].width),
            });
        }
        let mut memory_of = vec![];
        let mut memories = vec![];
        // The state value for each word of read data, by memory and position.
        let mut data_words = FxHashMap::default();
        for (number, memory) in design.memories.iter().enumerate() {
            let widths: Vec<u32> = memory.word_widths().collect();
            let mut data = vec![];
            for first in &memory.reads {
                data.push(lasting.len() as u32);
                for (word, width) in (0..).zip(&widths) {
                    data_words.insert((number as u32, first + word), lasting.len());
                    memory_of.push(number as u32);
                    lasting.push(Lasting {
                        node: NONE,
                        word: 0,
                        mask: mask(*width),
                    });
                }
            }
            let first = usize::from(memory.registered);
            let value = |index: usize| memory.inputs[index];
            let reads = if memory.registered { memory.reads.len() } else { 0 };
            let write_data = memory.inputs[first + 2 + reads..].iter();
            let write_data = write_data.flat_map(|value| (0..words_of(graph.width(*value))).map(|at| (*value, at)));
            memories.push(MemoryPorts {
                registered: memory.registered,
                last: u64::from(memory.elements - 1),
                stride: memory.stride,
                part: (memory.enables > 1).then(|| (memory.enables, memory.shape.width() as u32 / memory.enables)),
                read_enable: if memory.registered { value(0) } else { NONE },
                write_enable: value(first),
                write_address: value(first + 1),
                read_addresses: (0..reads).map(|port| value(first + 2 + port)).collect(),
                write_data: write_data.collect(),
                data,
                masks: widths.iter().map(|width| mask(*width) as u64).collect(),
                reads: vec![],
                followed: (nodes + number) as u32,
            });
        }
        let mut inputs = vec![];
        for (cell, id) in &cells {
            let width = design.cells[*cell as usize].width;
            match design.cells[*cell as usize].source {
                Source::Input(place) => inputs.push((*id, place)),
                Source::Memory { memory, word } => {
                    for at in 0..words_of(width) {
                        let value = &mut lasting[data_words[&(memory, word + at)]];
                        (value.node, value.word) = (*id, at);
                    }
                }
                _ => {}
            }
        }
        inputs.sort_unstable();
        let words = inputs.iter().flat_map(|(id, place)| {
            let width = graph.width(*id);
            (0..words_of(width)).map(move |word| (place + word, (*id, word, mask((width - 64 * word).min(64)))))
        });
        let inputs_by_place = words.collect();
        let mut takers = vec![vec![]; nodes];
        let mut memories_of = vec![vec![]; nodes];
        let mut outputs_of = vec![vec![]; nodes];
        let mut shown = vec![(NONE, 0); design.port_words as usize];
        for (number, register) in design.registers.iter().enumerate() {
            takers[register.next as usize].push(number as u32);
        }
        for (number, memory) in memories.iter().enumerate() {
            for input in memory.inputs() {
                let list = &mut memories_of[input as usize];
                if list.last() != Some(&(number as u32)) {
                    list.push(number as u32);
                }
            }
        }
        for output in design.outputs.iter().filter(|output| output.place < design.port_words) {
            for word in 0..words_of(graph.width(output.value)) {
                outputs_of[output.value as usize].push(output.place + word);
                shown[(output.place + word) as usize] = (output.value, word);
            }
        }
        // Folding leaves dead nodes.
        let mut needed = vec![false; nodes];
        let sinks = [&takers, &memories_of, &outputs_of];
        let mut users = vec![vec![]; nodes + memories.len()];
        for id in (0..nodes).rev() {
            needed[id] |= sinks.iter().any(|lists| !lists[id].is_empty());
            if !needed[id] {
                continue;
            }
            let op = graph.nodes[id].op;
            op.operands(&mut |operand| {
                needed[operand as usize] = true;
                users[operand as usize].push(id as u32);
            });
            if let Op::Read { memory, .. } = op {
                users[nodes + memory as usize].push(id as u32);
                memories[memory as usize].reads.push(id as u32);
            }
        }
        Tables {
            users: Lists::new(&users),
            takers: Lists::new(&takers),
            memories_of: Lists::new(&memories_of),
            outputs_of: Lists::new(&outputs_of),
            lasting,
            next: design.registers.iter().map(|register| register.next).collect(),
            memories,
            memory_of,
            inputs,
            inputs_by_place,
            shown,
            nodes,
        }
    }
}
