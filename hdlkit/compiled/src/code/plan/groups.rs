//! Groups of sources of change, and the groups that each node of a design depends on.

use crate::design::graph::Op;
use crate::design::{words_of, Design, Source};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// A set of groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Groups(Vec<u32>);

impl Groups {
    pub fn insert(&mut self, group: u32) {
        let word = group as usize / 32;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (group % 32);
    }

    /// Adds another set; true if the set has grown.
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

    /// The groups in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let bits = |word: u32| (0..32).filter(move |bit| word >> bit & 1 != 0);
        (0..)
            .zip(&self.0)
            .flat_map(move |(number, word)| bits(*word).map(move |bit| number * 32 + bit))
    }
}

/// The group of each source of change.
pub(crate) struct Sources {
    pub register: Vec<u32>,
    pub memory: Vec<u32>,
    pub opaque: Vec<u32>,
    pub port: Vec<u32>,
    /// Number of groups.
    pub count: u32,
}

/// Numbers groups in the order of first use.
struct Numbers<K>(FxHashMap<K, u32>);

impl<K: Eq + Hash> Numbers<K> {
    fn of(&mut self, key: K) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }
}

impl Sources {
    /// The families that each node of a design depends on, as groups.
    pub fn families(design: &Design) -> Vec<Groups> {
        let family = |index: usize| (design.registers[index].family, Groups::default());
        Sources::new(design, family).follows(design)
    }

    /// The groups of a design, and the groups that each of its nodes depends on. `of_register`: each register's family, and
    /// the families that its next value depends on.
    ///
    /// Registers of a family are in one group if their next values depend on the same families: they change together,
    /// as the registers of all lanes do, where the beat's number in a stage changes more often than its instruction.
    pub fn of(design: &Design, of_register: impl Fn(usize) -> (u32, Groups)) -> (Self, Vec<Groups>) {
        let groups = Sources::new(design, of_register);
        let nodes = groups.follows(design);
        (groups, nodes)
    }

    fn new(design: &Design, of_register: impl Fn(usize) -> (u32, Groups)) -> Self {
        let mut numbers = Numbers(FxHashMap::default());
        let registers = 0..design.registers.len();
        let register = registers.map(|index| numbers.of(of_register(index))).collect();
        let mut of_family = |family: u32| numbers.of((family, Groups::default()));
        let memory = design.memories.iter().map(|memory| of_family(memory.family)).collect();
        let opaque = design.opaques.iter().map(|opaque| of_family(opaque.family)).collect();
        let ports = design.families..design.families + design.ports.len() as u32;
        let port = ports.map(of_family).collect();
        Sources {
            register,
            memory,
            opaque,
            port,
            count: numbers.0.len() as u32,
        }
    }

    /// The groups that each node depends on.
    fn follows(&self, design: &Design) -> Vec<Groups> {
        let graph = &design.graph;
        let mut group_of_cell = vec![0; design.cells.len()];
        for (register, group) in design.registers.iter().zip(&self.register) {
            group_of_cell[register.cell as usize] = *group;
        }
        let mut group_of_word = vec![0; design.words as usize];
        for (port, group) in design.ports.iter().zip(&self.port) {
            for (_, width, place) in &port.fields {
                group_of_word[*place as usize..][..words_of(*width) as usize].fill(*group);
            }
        }
        let mut nodes = vec![Groups::default(); graph.nodes.len()];
        let mut opaques = vec![Groups::default(); design.opaques.len()];
        for (set, group) in opaques.iter_mut().zip(&self.opaque) {
            set.insert(*group);
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
                        Source::Register => set.insert(group_of_cell[cell as usize]),
                        Source::Input(word) => set.insert(group_of_word[word as usize]),
                        Source::Memory { memory, .. } => set.insert(self.memory[memory as usize]),
                        Source::Opaque { opaque, .. } => set.insert(self.opaque[opaque as usize]),
                        Source::Nothing | Source::Wire(_) | Source::Read { .. } | Source::Call { .. } => {
                            unreachable!("resolved: only state and inputs are cells")
                        }
                    },
                    Op::Call { opaque, .. } => {
                        set.extend(&opaques[opaque as usize]);
                    }
                    Op::Read { memory, .. } => set.insert(self.memory[memory as usize]),
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
}
