//! Which logic is computed in a cycle: only logic that depends on something that has changed.
//!
//! Registers, memories, opaque blocks and input ports are the sources of change. They come in groups, each with a bit in
//! the state that says whether it changed at the last edge: one group per family (such as the registers of one name in
//! all lanes) and one per input port. A cluster is what a family takes at the edge, with the nodes that this needs and no
//! earlier cluster has:
//!
//! ```text
//! groups that changed ──┬─> follows one of them? ──> nodes ──> what family A takes     A is compared at the edge
//!                       ├─> follows one of them? ──> nodes ──> what family B takes     B keeps what it has
//!                       └─> ..
//! ```
//! A cluster that follows no changed group is skipped: its results are still there from before. That is a pipeline stage
//! without an instruction, and in a GPU most stages are empty most of the time. Values are compared only for families
//! whose cluster has been computed.
//!
//! Clusters that follow few groups come first, so that nodes they share with others are computed seldom.

use super::groups::{follows, groups, groups_of_words, Groups};
use super::layout::Layout;
use crate::design::graph::{Id, Op};
use crate::design::{Design, Word};
use crate::error::CompileError;

/// With fewer nodes, a cluster is not worth a branch of its own.
const SMALL: usize = 12;

/// A step of a computation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item {
    Node(Id),
    Register(usize),
    /// Stored into the state, as whole words.
    Word {
        at: u32,
        value: Id,
    },
    /// An opaque block computes its outputs.
    Call(u32),
}

/// Nodes that are computed together or not at all.
#[derive(Default)]
pub(crate) struct Cluster {
    pub items: Vec<Item>,
    /// The groups that it follows.
    pub follows: Groups,
    pub takers: Takers,
}

/// Families of registers, memories and opaque blocks with something to take at the edge if a cluster has been computed.
#[derive(Default)]
pub(crate) struct Takers {
    pub families: Vec<u32>,
    pub memories: Vec<u32>,
    pub opaques: Vec<u32>,
}

impl Cluster {
    fn add(&mut self, other: Cluster) {
        self.items.extend(other.items);
        self.follows.extend(&other.follows);
        self.takers.families.extend(other.takers.families);
        self.takers.memories.extend(other.takers.memories);
        self.takers.opaques.extend(other.takers.opaques);
    }
}

/// Values that a family or a port takes: roots of the computation.
#[derive(Default)]
struct Sink {
    registers: Vec<usize>,
    memories: Vec<usize>,
    opaques: Vec<usize>,
    outputs: Vec<Word>,
    follows: Groups,
}

/// The clusters of a design, ordered so that each needs only earlier ones.
///
/// # Errors
/// An opaque block follows itself.
pub(crate) fn clusters(design: &Design, layout: &Layout) -> Result<Vec<Cluster>, CompileError> {
    let group_of_word = groups_of_words(design);
    let nodes = follows(design, &group_of_word);
    let mut sinks: Vec<Sink> = (0..groups(design)).map(|_| Sink::default()).collect();
    for (index, register) in design.registers.iter().enumerate() {
        let sink = &mut sinks[register.family as usize];
        sink.registers.push(index);
        sink.follows.extend(&nodes[register.next as usize]);
    }
    for (index, memory) in design.memories.iter().enumerate() {
        let sink = &mut sinks[memory.family as usize];
        sink.memories.push(index);
        for word in &memory.inputs {
            sink.follows.extend(&nodes[word.value as usize]);
        }
    }
    for (index, opaque) in design.opaques.iter().enumerate() {
        let sink = &mut sinks[opaque.family as usize];
        sink.opaques.push(index);
        for word in &opaque.inputs {
            sink.follows.extend(&nodes[word.value as usize]);
        }
    }
    for word in &design.outputs {
        let sink = &mut sinks[group_of_word[word.place as usize] as usize];
        sink.outputs.push(*word);
        sink.follows.extend(&nodes[word.value as usize]);
    }
    sinks.sort_by_key(|sink| sink.follows.count());

    let mut order = Order {
        design,
        layout,
        cluster: Cluster::default(),
        seen: vec![false; design.graph.nodes.len()],
        called: vec![0; design.opaques.len()],
    };
    let mut clusters: Vec<Cluster> = vec![];
    for sink in sinks {
        order.sink(sink)?;
        let cluster = std::mem::take(&mut order.cluster);
        if cluster.items.is_empty() {
            continue;
        }
        let small = |cluster: &Cluster| cluster.items.len() < SMALL;
        match clusters.last_mut() {
            // Nothing large is computed for the sake of something small.
            Some(last) if small(last) && (small(&cluster) || cluster.follows.has_all(&last.follows)) => {
                last.add(cluster)
            }
            Some(last) if last.follows == cluster.follows => last.add(cluster),
            _ => clusters.push(cluster),
        }
    }
    Ok(clusters)
}

/// The order of computation.
struct Order<'a> {
    design: &'a Design,
    layout: &'a Layout,
    cluster: Cluster,
    seen: Vec<bool>,
    /// Opaque blocks: 1 while their inputs are being found, 2 once called.
    called: Vec<u8>,
}

impl Order<'_> {
    fn sink(&mut self, sink: Sink) -> Result<(), CompileError> {
        let (design, layout) = (self.design, self.layout);
        self.cluster.follows = sink.follows;
        for index in sink.registers {
            let register = &design.registers[index];
            self.node(register.next)?;
            self.cluster.items.push(Item::Register(index));
            if self.cluster.takers.families.last() != Some(&register.family) {
                self.cluster.takers.families.push(register.family);
            }
        }
        for index in sink.memories {
            for word in &design.memories[index].inputs {
                self.node(word.value)?;
                self.word(layout.memory[index], *word);
            }
            self.cluster.takers.memories.push(index as u32);
        }
        for index in sink.opaques {
            let opaque = &design.opaques[index];
            for (number, word) in opaque.inputs.iter().enumerate() {
                if !opaque.followed.contains(&number) || self.called[index] == 0 {
                    self.node(word.value)?;
                    self.word(layout.opaque[index], *word);
                }
            }
            self.cluster.takers.opaques.push(index as u32);
        }
        for word in sink.outputs {
            self.node(word.value)?;
            self.word(layout.top, word);
        }
        Ok(())
    }

    fn node(&mut self, root: Id) -> Result<(), CompileError> {
        // Nodes to visit, and whether their operands have been visited.
        let mut open = vec![(root, false)];
        while let Some((id, ready)) = open.pop() {
            if self.seen[id as usize] {
                continue;
            }
            let op = self.design.graph.op(id);
            if !ready {
                open.push((id, true));
                if let Op::Call { opaque, .. } = op {
                    self.call(opaque)?;
                }
                op.operands(&mut |operand| {
                    if !self.seen[operand as usize] {
                        open.push((operand, false));
                    }
                });
                continue;
            }
            self.seen[id as usize] = true;
            if !matches!(op, Op::Constant(_)) {
                self.cluster.items.push(Item::Node(id));
            }
        }
        Ok(())
    }

    fn call(&mut self, opaque: u32) -> Result<(), CompileError> {
        let at = opaque as usize;
        match self.called[at] {
            2 => return Ok(()),
            1 => {
                return Err(CompileError::new(
                    "a block whose Verilog is written by hand",
                    "follows itself within a cycle",
                ))
            }
            _ => self.called[at] = 1,
        }
        let design = self.design;
        for &input in &design.opaques[at].followed {
            let word = design.opaques[at].inputs[input];
            self.node(word.value)?;
            self.word(self.layout.opaque[at], word);
        }
        self.cluster.items.push(Item::Call(opaque));
        self.cluster.takers.opaques.push(opaque);
        self.called[at] = 2;
        Ok(())
    }

    fn word(&mut self, base: u32, word: Word) {
        self.cluster.items.push(Item::Word {
            at: base + word.place * 8,
            value: word.value,
        });
    }
}
