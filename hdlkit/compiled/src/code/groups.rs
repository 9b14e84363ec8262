//! Groups of sources of change, and which of them each node of a design follows.

use crate::design::graph::Op;
use crate::design::{words_of, Design, Source};

/// A set of groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Groups(Vec<u32>);

impl Groups {
    pub fn insert(&mut self, group: u32) {
        let word = group as usize / 32;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (group % 32);
    }

    /// True if the set has grown.
    pub fn extend(&mut self, other: &Groups) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut grown = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grown |= *more & !*word != 0;
            *word |= more;
        }
        grown
    }

    pub fn has_all(&self, other: &Groups) -> bool {
        !self.clone().extend(other)
    }

    /// The number of groups in the set.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The non-empty words of 32 groups, with their numbers.
    pub fn words(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(self.0.iter().copied()).filter(|(_, word)| *word != 0)
    }
}

/// The group of an input port of the top block.
pub(crate) fn group_of_port(design: &Design, port: usize) -> u32 {
    design.families + port as u32
}

/// Number of groups.
pub(crate) fn groups(design: &Design) -> u32 {
    group_of_port(design, design.ports.len())
}

/// For each of the top block's words, the group of its port.
pub(super) fn groups_of_words(design: &Design) -> Vec<u32> {
    let mut group_of_word = vec![0; design.words as usize];
    for (index, port) in design.ports.iter().enumerate() {
        for (_, width, place) in &port.fields {
            let words = words_of(*width) as usize;
            group_of_word[*place as usize..][..words].fill(group_of_port(design, index));
        }
    }
    group_of_word
}

/// The groups that each node follows.
pub(super) fn follows(design: &Design, group_of_word: &[u32]) -> Vec<Groups> {
    let graph = &design.graph;
    let mut family_of_register = vec![0; design.cells.len()];
    for register in &design.registers {
        family_of_register[register.cell as usize] = register.family;
    }
    let mut nodes = vec![Groups::default(); graph.nodes.len()];
    let mut opaques = vec![Groups::default(); design.opaques.len()];
    for (set, opaque) in opaques.iter_mut().zip(&design.opaques) {
        set.insert(opaque.family);
    }
    // Operands come before their users, except through opaque blocks.
    loop {
        for (id, node) in graph.nodes.iter().enumerate() {
            let mut set = Groups::default();
            node.op.operands(&mut |operand| {
                set.extend(&nodes[operand as usize]);
            });
            match node.op {
                Op::Cell(cell) => match design.cells[cell as usize].source {
                    Source::Register => set.insert(family_of_register[cell as usize]),
                    Source::Input(word) => set.insert(group_of_word[word as usize]),
                    Source::Memory { memory, .. } => set.insert(design.memories[memory as usize].family),
                    Source::Opaque { opaque, .. } => set.insert(design.opaques[opaque as usize].family),
                    Source::Nothing | Source::Wire(_) | Source::Read { .. } | Source::Call { .. } => {
                        unreachable!("resolved: only state and inputs are cells")
                    }
                },
                Op::Call { opaque, .. } => {
                    set.extend(&opaques[opaque as usize]);
                }
                Op::Read { memory, .. } => set.insert(design.memories[memory as usize].family),
                _ => {}
            }
            nodes[id] = set;
        }
        let mut grown = false;
        for (set, opaque) in opaques.iter_mut().zip(&design.opaques) {
            for input in &opaque.followed {
                grown |= set.extend(&nodes[opaque.inputs[*input].value as usize]);
            }
        }
        if !grown {
            return nodes;
        }
    }
}
