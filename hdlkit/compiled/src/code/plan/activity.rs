//! Activity-driven evaluation: a cycle computes only logic that reads changed values.
//!
//! Registers, memories, opaque blocks and input ports are the sources of change. They come in [groups](super::groups)
//! that change together. A cluster is the nodes that depend on the same groups, directly or through others, with their
//! operands that no earlier cluster computes:
//!
//! ```text
//! groups that changed ──┬─> cluster that reads one of them ──> nodes ──┬─> next value of group A that differs
//!                       │                                              │    └──> clusters that read A, next cycle
//!                       │                                              └─> value that differs from before
//!                       │                                                   └──> cluster that reads it ──> ..
//!                       └─> ..
//! ```
//! A change sets the flags of the clusters that read the changed group, in the next cycle, or the changed value, in this
//! one. A cluster is skipped if its flag is not set, because its previous results are still valid. Examples are
//! pipeline stages without an instruction, because most stages of a GPU are empty most of the time, and selections with
//! the same outcome as before. Only two kinds of values are compared: the registers of computed clusters, and values
//! that are read by clusters larger than the comparison.
//!
//! Clusters that depend on few groups are formed first: the groups of an operand are always a subset of the groups of its
//! user. Nodes that outputs need are in clusters of their own, which are computed when the circuit settles; the clock edge
//! computes the others. Their [order](super::order) depends on the registers that they write.

use super::groups::{Groups, Sources};
use super::layout::{Layout, Port};
use crate::design::graph::{Id, Op};
use crate::design::{words_of, Design, Word};
use crate::error::CompileError;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of nodes below which a cluster is not worth its own branch.
const SMALL: usize = 12;

/// A step of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Node(Id),
    Register(usize),
    /// A value that is stored into these bytes of the state.
    Word {
        at: u32,
        bytes: u32,
        value: Id,
    },
    /// A call of an opaque block, which computes its outputs.
    Call(u32),
    /// A [pack](super::packs), by its number.
    Pack(u32),
    /// Four registers that load a pack, by their index among such sets.
    Registers(u32),
    /// Four stored values, by their index among such sets.
    Words(u32),
}

impl Item {
    /// Calls `f` with the operands. For packs, see [`Packs::needs`](super::packs::Packs::needs).
    pub fn needs(self, design: &Design, f: &mut dyn FnMut(Id)) {
        match self {
            Item::Node(id) => design.graph.op(id).operands(f),
            Item::Register(index) => f(design.registers[index].next),
            Item::Word { value, .. } => f(value),
            Item::Call(_) | Item::Pack(_) | Item::Registers(_) | Item::Words(_) => {}
        }
    }
}

/// Nodes that are computed together or not at all.
#[derive(Default)]
pub(crate) struct Cluster {
    pub items: Vec<Item>,
    /// The groups that it depends on; after [`follow_directly`], only the groups that it reads.
    pub follows: Groups,
    /// True if an output needs it, so it is computed when the circuit settles; others are computed at the edge.
    pub settles: bool,
    /// The groups of the registers that it computes.
    pub registers: Vec<u32>,
    /// The memories with inputs that it computes: they are due at the edge.
    pub memories: Vec<u32>,
}

impl Cluster {
    fn add(&mut self, other: Cluster) {
        self.items.extend(other.items);
        self.follows.extend(&other.follows);
        self.registers.extend(other.registers);
        self.memories.extend(other.memories);
    }
}

/// A value that is needed at the edge or outside: a root of the computation.
#[derive(Clone, Copy)]
enum Root {
    Register(usize),
    Memory(usize, usize),
    Output(Word),
    /// An opaque block, with all of its inputs.
    Opaque(usize),
}

/// The nodes that depend on the same groups.
#[derive(Default)]
struct Same {
    nodes: Vec<Id>,
    roots: Vec<Root>,
}

/// Returns the clusters of a design, each after the clusters that it needs, and first those that settle.
///
/// # Errors
/// An opaque block depends on itself.
pub(crate) fn clusters(
    design: &Design,
    layout: &Layout,
    sources: &Sources,
    nodes: &[Groups],
) -> Result<Vec<Cluster>, CompileError> {
    // By their groups; false for those that settle.
    let mut same: FxHashMap<(bool, Groups), Same> = FxHashMap::default();
    let mut of =
        |late: bool, groups: &Groups, root: Root| same.entry((late, groups.clone())).or_default().roots.push(root);
    // The values that the edge needs, and those that are needed before.
    let (mut needed, mut settled) = (vec![], vec![]);
    for (index, register) in design.registers.iter().enumerate() {
        of(true, &nodes[register.next as usize], Root::Register(index));
        needed.push(register.next);
    }
    for (index, memory) in design.memories.iter().enumerate() {
        for (input, value) in memory.inputs.iter().enumerate() {
            of(true, &nodes[*value as usize], Root::Memory(index, input));
            needed.push(*value);
        }
    }
    for (index, opaque) in design.opaques.iter().enumerate() {
        let mut groups = Groups::default();
        for word in &opaque.inputs {
            groups.extend(&nodes[word.value as usize]);
            settled.push(word.value);
        }
        of(false, &groups, Root::Opaque(index));
    }
    for word in &design.outputs {
        of(false, &nodes[word.value as usize], Root::Output(*word));
        settled.push(word.value);
    }
    // A block is called while the circuit settles.
    let calls = (0..).zip(&design.graph.nodes);
    settled.extend(
        calls
            .filter(|(_, node)| matches!(node.op, Op::Call { .. }))
            .map(|(id, _)| id),
    );
    let (needed, settled) = (reached(design, needed), reached(design, settled));
    for (id, (needed, settled)) in needed.into_iter().zip(settled).enumerate() {
        let computes = !matches!(design.graph.op(id as Id), Op::Constant(_) | Op::Cell(_));
        if (needed || settled) && computes {
            let nodes = (!settled, nodes[id].clone());
            same.entry(nodes).or_default().nodes.push(id as Id);
        }
    }
    let mut same: Vec<((bool, Groups), Same)> = same.into_iter().collect();
    same.retain(|(_, same)| same.nodes.len() >= SMALL || !same.roots.is_empty());
    // Each node is in exactly one cluster, so the first node identifies the cluster. A cluster without nodes is
    // identified by its groups. The order is deterministic.
    same.sort_by_cached_key(|((late, groups), same)| {
        let first = same.nodes.first().copied();
        (*late, groups.count(), first, groups.iter().collect::<Vec<_>>())
    });

    let mut order = Order {
        design,
        layout,
        sources,
        cluster: Cluster::default(),
        seen: vec![false; design.graph.nodes.len()],
        called: vec![0; design.opaques.len()],
        stored: FxHashSet::default(),
    };
    let mut clusters: Vec<Cluster> = vec![];
    for ((late, groups), same) in same {
        order.cluster.follows = groups;
        order.cluster.settles = !late;
        if same.nodes.len() >= SMALL {
            for id in same.nodes {
                order.node(id)?;
            }
        }
        for root in same.roots {
            order.root(root)?;
        }
        let cluster = std::mem::take(&mut order.cluster);
        if cluster.items.is_empty() {
            continue;
        }
        let small = |cluster: &Cluster| cluster.items.len() < SMALL;
        match clusters.last_mut() {
            // A large cluster is never computed because of a small one.
            Some(last)
                if last.settles == cluster.settles
                    && small(last)
                    && (small(&cluster) || cluster.follows.has_all(&last.follows)) =>
            {
                last.add(cluster)
            }
            _ => clusters.push(cluster),
        }
    }
    follow_directly(design, sources, nodes, &mut clusters);
    Ok(clusters)
}

/// Restricts each cluster to the groups that its own nodes read: values of earlier clusters activate it if they change.
fn follow_directly(design: &Design, sources: &Sources, nodes: &[Groups], clusters: &mut [Cluster]) {
    for cluster in clusters {
        let mut follows = Groups::default();
        let mut read = |id: Id| match design.graph.op(id) {
            // An opaque block's outputs are not compared.
            Op::Cell(_) | Op::Call { .. } => {
                follows.extend(&nodes[id as usize]);
            }
            _ => {}
        };
        for item in &cluster.items {
            if let Item::Node(id) = *item {
                read(id);
            }
            item.needs(design, &mut read);
        }
        for item in &cluster.items {
            if let Item::Node(id) = item {
                if let Op::Read { memory, .. } = design.graph.op(*id) {
                    follows.insert(sources.memory[memory as usize]);
                }
            }
        }
        cluster.follows = follows;
    }
}

/// Returns the nodes that these values need, including the values.
fn reached(design: &Design, mut open: Vec<Id>) -> Vec<bool> {
    let mut reached = vec![false; design.graph.nodes.len()];
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut reached[id as usize], true) {
            design.graph.op(id).operands(&mut |operand| open.push(operand));
        }
    }
    reached
}

/// The order of computation.
struct Order<'a> {
    design: &'a Design,
    layout: &'a Layout,
    sources: &'a Sources,
    cluster: Cluster,
    seen: Vec<bool>,
    /// The places of memories' inputs that are stored.
    stored: FxHashSet<u32>,
    /// Opaque blocks: 1 while their inputs are being visited, 2 once called.
    called: Vec<u8>,
}

impl Order<'_> {
    fn root(&mut self, root: Root) -> Result<(), CompileError> {
        let (design, layout) = (self.design, self.layout);
        match root {
            Root::Register(index) => {
                self.node(design.registers[index].next)?;
                self.cluster.items.push(Item::Register(index));
                once(&mut self.cluster.registers, self.sources.register[index]);
            }
            Root::Memory(index, input) => {
                let value = design.memories[index].inputs[input];
                self.node(value)?;
                let Port { at, bytes } = layout.inputs[index][input];
                if self.stored.insert(at) {
                    self.cluster.items.push(Item::Word { at, bytes, value });
                }
                once(&mut self.cluster.memories, index as u32);
            }
            Root::Opaque(index) => {
                let opaque = &design.opaques[index];
                for (number, word) in opaque.inputs.iter().enumerate() {
                    if !opaque.followed.contains(&number) || self.called[index] == 0 {
                        self.node(word.value)?;
                        self.word(layout.opaque[index], *word);
                    }
                }
            }
            Root::Output(word) => {
                self.node(word.value)?;
                self.word(layout.top, word);
            }
        }
        Ok(())
    }

    fn node(&mut self, root: Id) -> Result<(), CompileError> {
        // The nodes to visit, each with true if its operands have been visited.
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
                    "depends on itself within a cycle",
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
        self.called[at] = 2;
        Ok(())
    }

    fn word(&mut self, base: u32, word: Word) {
        self.cluster.items.push(Item::Word {
            at: base + word.place * 8,
            bytes: words_of(self.design.graph.width(word.value)) * 8,
            value: word.value,
        });
    }
}

/// Adds `number`, unless it is in the list.
fn once(list: &mut Vec<u32>, number: u32) {
    if !list.contains(&number) {
        list.push(number);
    }
}
