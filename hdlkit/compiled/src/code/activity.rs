//! Activity-driven evaluation: a cycle computes only logic that reads changed values.
//!
//! Registers, memories, opaque blocks and input ports are the sources of change. They come in [groups](super::groups)
//! that change together. A cluster is the nodes that depend on the same groups, directly or through others, with their
//! operands that no earlier cluster computes:
//!
//! ```text
//! groups that changed ──┬─> cluster that reads one of them ──> nodes ──┬─> next value of group A  A is compared at the edge
//!                       │                                              └─> value that differs from before
//!                       │                                                   └──> cluster that reads it ──> ..
//!                       └─> ..
//! ```
//! A change sets the bits of the clusters that read the changed group, at the edge, or the changed value, while it is
//! computed. A cluster is skipped if its bit is not set, because its previous results are still valid. Examples are
//! pipeline stages without an instruction, because most stages of a GPU are empty most of the time, and selections with
//! the same outcome as before. Only two kinds of values are compared: the registers of computed clusters, and values
//! that are read by clusters larger than the comparison.
//!
//! Clusters that depend on few groups come first: the groups of an operand are always a subset of the groups of its
//! user.

use super::groups::{Groups, Sources};
use super::layout::Layout;
use crate::design::graph::{Id, Op};
use crate::design::{Design, Word};
use crate::error::CompileError;
use rustc_hash::FxHashMap;

/// The number of nodes below which a cluster is not worth its own branch.
const SMALL: usize = 12;

/// A step of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Node(Id),
    Register(usize),
    /// A value that is stored into the state, as whole words.
    Word {
        at: u32,
        value: Id,
    },
    /// A call of an opaque block, which computes its outputs.
    Call(u32),
    /// A [pack](super::packs), by its number.
    Pack(u32),
    /// Four registers that load a pack, by their index among such sets.
    Registers(u32),
}

impl Item {
    /// Calls `f` with the operands. For packs, see [`Packs::needs`](super::packs::Packs::needs).
    pub fn needs(self, design: &Design, f: &mut dyn FnMut(Id)) {
        match self {
            Item::Node(id) => design.graph.op(id).operands(f),
            Item::Register(index) => f(design.registers[index].next),
            Item::Word { value, .. } => f(value),
            Item::Call(_) | Item::Pack(_) | Item::Registers(_) => {}
        }
    }
}

/// Nodes that are computed together or not at all.
#[derive(Default)]
pub(crate) struct Cluster {
    pub items: Vec<Item>,
    /// The groups that it depends on; after [`follow_directly`], only the groups that it reads.
    pub follows: Groups,
    pub takers: Takers,
}

/// The registers, memories and opaque blocks that need the edge if the cluster has been computed, by number.
#[derive(Default)]
pub(crate) struct Takers {
    pub registers: Vec<u32>,
    pub memories: Vec<u32>,
    pub opaques: Vec<u32>,
}

impl Cluster {
    fn add(&mut self, other: Cluster) {
        self.items.extend(other.items);
        self.follows.extend(&other.follows);
        self.takers.registers.extend(other.takers.registers);
        self.takers.memories.extend(other.takers.memories);
        self.takers.opaques.extend(other.takers.opaques);
    }
}

/// A value that is needed at the edge or outside: a root of the computation.
#[derive(Clone, Copy)]
enum Root {
    Register(usize),
    Memory(usize, Word),
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

/// Returns the clusters of a design, each after the clusters that it needs.
///
/// # Errors
/// An opaque block depends on itself.
pub(crate) fn clusters(
    design: &Design,
    layout: &Layout,
    sources: &Sources,
    nodes: &[Groups],
) -> Result<Vec<Cluster>, CompileError> {
    let mut same: FxHashMap<Groups, Same> = FxHashMap::default();
    let mut of = |groups: &Groups, root: Root| match same.get_mut(groups) {
        Some(same) => same.roots.push(root),
        None => same.entry(groups.clone()).or_default().roots.push(root),
    };
    let mut needed = vec![];
    for (index, register) in design.registers.iter().enumerate() {
        of(&nodes[register.next as usize], Root::Register(index));
        needed.push(register.next);
    }
    for (index, memory) in design.memories.iter().enumerate() {
        for word in &memory.inputs {
            of(&nodes[word.value as usize], Root::Memory(index, *word));
            needed.push(word.value);
        }
    }
    for (index, opaque) in design.opaques.iter().enumerate() {
        let mut groups = Groups::default();
        for word in &opaque.inputs {
            groups.extend(&nodes[word.value as usize]);
            needed.push(word.value);
        }
        of(&groups, Root::Opaque(index));
    }
    for word in &design.outputs {
        of(&nodes[word.value as usize], Root::Output(*word));
        needed.push(word.value);
    }
    for (id, needed) in reached(design, needed).into_iter().enumerate() {
        let computes = !matches!(design.graph.op(id as Id), Op::Constant(_) | Op::Cell(_));
        if needed && computes {
            same.entry(nodes[id].clone()).or_default().nodes.push(id as Id);
        }
    }
    let mut same: Vec<(Groups, Same)> = same.into_iter().collect();
    same.retain(|(_, same)| same.nodes.len() >= SMALL || !same.roots.is_empty());
    // Each node is in exactly one cluster, so the first node identifies the cluster. A cluster without nodes is
    // identified by its groups. The order is deterministic.
    same.sort_by_cached_key(|(groups, same)| {
        let first = same.nodes.first().copied();
        (groups.count(), first, groups.iter().collect::<Vec<_>>())
    });

    let mut order = Order {
        design,
        layout,
        sources,
        cluster: Cluster::default(),
        seen: vec![false; design.graph.nodes.len()],
        called: vec![0; design.opaques.len()],
    };
    let mut clusters: Vec<Cluster> = vec![];
    for (groups, same) in same {
        order.cluster.follows = groups;
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
            Some(last) if small(last) && (small(&cluster) || cluster.follows.has_all(&last.follows)) => {
                last.add(cluster)
            }
            _ => clusters.push(cluster),
        }
    }
    let mut clusters = by_place(design, clusters);
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

/// The clusters in the order of the circuit's registers and memories, each after the clusters that it needs. Neighbours
/// are usually active at the same time, because they belong to one unit.
fn by_place(design: &Design, clusters: Vec<Cluster>) -> Vec<Cluster> {
    let mut cluster_of = vec![usize::MAX; design.graph.nodes.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        for item in &cluster.items {
            if let Item::Node(id) = item {
                cluster_of[*id as usize] = number;
            }
        }
    }
    let mut needs = vec![vec![]; clusters.len()];
    let mut place = vec![usize::MAX; clusters.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        let mut need = |id: Id| match cluster_of[id as usize] {
            usize::MAX => {}
            other if other == number || needs[number].last() == Some(&other) => {}
            other => needs[number].push(other),
        };
        for item in &cluster.items {
            item.needs(design, &mut need);
            if let Item::Register(index) = *item {
                place[number] = place[number].min(index);
            }
        }
    }
    let mut order: Vec<usize> = (0..clusters.len()).collect();
    order.sort_by_key(|number| place[*number]);
    let mut clusters: Vec<Option<Cluster>> = clusters.into_iter().map(Some).collect();
    let mut sorted = vec![];
    let mut open: Vec<(usize, bool)> = order.into_iter().rev().map(|number| (number, false)).collect();
    while let Some((number, ready)) = open.pop() {
        if clusters[number].is_none() {
            continue;
        }
        if ready {
            sorted.extend(clusters[number].take());
            continue;
        }
        open.push((number, true));
        open.extend(needs[number].iter().rev().map(|other| (*other, false)));
    }
    sorted
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
                once(&mut self.cluster.takers.registers, self.sources.register[index]);
            }
            Root::Memory(index, word) => {
                self.node(word.value)?;
                self.word(layout.memory[index], word);
                once(&mut self.cluster.takers.memories, index as u32);
            }
            Root::Opaque(index) => {
                let opaque = &design.opaques[index];
                for (number, word) in opaque.inputs.iter().enumerate() {
                    if !opaque.followed.contains(&number) || self.called[index] == 0 {
                        self.node(word.value)?;
                        self.word(layout.opaque[index], *word);
                    }
                }
                self.cluster.takers.opaques.push(index as u32);
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

/// Adds `taker`, unless it is in the list.
fn once(takers: &mut Vec<u32>, taker: u32) {
    if !takers.contains(&taker) {
        takers.push(taker);
    }
}
