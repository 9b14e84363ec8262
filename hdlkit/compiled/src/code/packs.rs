//! Vectorisation by packs: four nodes with one operation for four neighbours, such as lanes, are computed as one
//! vector.
//!
//! Packs are found from the results back. Four adjacent registers of neighbours load four values; if these have the
//! same operation, they are a pack, and so are their operands, one position after the other:
//!
//! ```text
//! lane[0].x3.q <- Add(a0, b0)                             operands that are
//! lane[1].x3.q <- Add(a1, b1)    Add [a0 a1 a2 a3]          the same operation: a pack themselves
//! lane[2].x3.q <- Add(a2, b2) =>     [b0 b1 b2 b3]          one value: the same in all elements
//! lane[3].x3.q <- Add(a3, b3)                               registers side by side: loaded together
//!                                                           anything else: gathered, one by one
//! ```
//! A pack that costs more for gathering and extracting elements than it saves is dropped.

use super::activity::{Cluster, Item};
use super::groups::Sources;
use super::layout::{bytes, Layout};
use crate::design::graph::{Id, Op};
use crate::design::{Design, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::{discriminant, take};

/// Elements of a vector.
pub(super) const ELEMENTS: usize = 4;
/// The widest element: a vector's elements have 32 bits.
const MOST_BITS: u32 = 32;

/// A value for each element of a vector.
pub(super) type Four = [Id; ELEMENTS];

/// Four nodes of one operation.
pub(super) struct Pack {
    pub nodes: Four,
    /// The operation of the first node. The other nodes have the same operation with other operands.
    pub op: Op,
    /// The operands of all four, one position after the other.
    pub operands: Vec<Four>,
}

/// The source of the four values of a vector.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Pack(u32),
    /// One value for all elements.
    Same,
    Constants,
    /// Adjacent registers in the state, from this byte on.
    Registers(u32),
    Elsewhere,
}

/// The packs of a design.
#[derive(Default)]
pub(super) struct Packs {
    packs: Vec<Option<Pack>>,
    /// The pack of a node, and its element there.
    of: FxHashMap<Id, (u32, u32)>,
    /// Four registers of neighbours, of one group and side by side in the state, that one cluster computes.
    fours: Vec<[usize; ELEMENTS]>,
    /// The index in `fours` of the four registers that a register belongs to.
    four_of: FxHashMap<usize, u32>,
}

impl Packs {
    pub fn get(&self, number: u32) -> &Pack {
        self.packs[number as usize]
            .as_ref()
            .expect("a pack that has not been removed")
    }

    /// The number of packs.
    pub fn count(&self) -> usize {
        self.numbers().count()
    }

    /// The pack that a node is in, and its element.
    pub fn of(&self, id: Id) -> Option<(u32, usize)> {
        self.of.get(&id).map(|(pack, element)| (*pack, *element as usize))
    }

    /// Calls `f` with the nodes that an item needs.
    pub fn needs(&self, design: &Design, item: Item, f: &mut dyn FnMut(Id)) {
        match item {
            Item::Pack(pack) => self.get(pack).operands.iter().flatten().for_each(|id| f(*id)),
            Item::Registers(four) => {
                let registers = self.registers(four);
                registers
                    .iter()
                    .for_each(|register| f(design.registers[*register].next));
            }
            item => item.needs(design, f),
        }
    }

    /// Four registers that load their values together.
    pub fn registers(&self, four: u32) -> [usize; ELEMENTS] {
        self.fours[four as usize]
    }

    /// The four registers that this one belongs to, if their next values are a pack.
    fn together(&self, design: &Design, register: usize) -> Option<u32> {
        let four = *self.four_of.get(&register)?;
        let next = self.registers(four).map(|register| design.registers[register].next);
        let (pack, _) = self.of(next[0])?;
        (self.get(pack).nodes == next).then_some(four)
    }

    /// The source of four values.
    pub fn origin(&self, design: &Design, layout: &Layout, registers: &FxHashMap<u32, usize>, four: &Four) -> Origin {
        if four.iter().all(|id| *id == four[0]) {
            return Origin::Same;
        }
        if let Some((pack, _)) = self.of(four[0]) {
            if self.get(pack).nodes == *four {
                return Origin::Pack(pack);
            }
        }
        if four.iter().all(|id| design.graph.as_constant(*id).is_some()) {
            return Origin::Constants;
        }
        let place = |id: Id| match design.graph.op(id) {
            Op::Cell(cell) if design.cells[cell as usize].source == Source::Register => {
                Some(layout.register[registers[&cell]])
            }
            _ => None,
        };
        let size = bytes(design.graph.width(four[0]));
        match place(four[0]) {
            Some(first) if (0..).zip(four).all(|(at, id)| place(*id) == Some(first + at * size)) => {
                Origin::Registers(first)
            }
            _ => Origin::Elsewhere,
        }
    }

    fn remove(&mut self, number: u32) {
        if let Some(pack) = self.packs[number as usize].take() {
            pack.nodes.iter().for_each(|id| {
                self.of.remove(id);
            });
        }
    }

    fn numbers(&self) -> impl Iterator<Item = (u32, &Pack)> {
        let packs = (0..).zip(&self.packs);
        packs.filter_map(|(number, pack)| Some((number, pack.as_ref()?)))
    }
}

/// Packs nodes of `clusters`: the items become packs and the remaining nodes, in an order in which all can be computed.
pub(super) fn pack(
    design: &Design,
    layout: &Layout,
    sources: &Sources,
    registers: &FxHashMap<u32, usize>,
    clusters: &mut [Cluster],
) -> Packs {
    let mut finder = Finder {
        design,
        layout,
        sources,
        registers,
        cluster_of: vec![usize::MAX; design.graph.nodes.len()],
        packs: Packs::default(),
    };
    let mut taken_by = vec![usize::MAX; design.registers.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        // The result of a call depends on the words at the time of the call, so the order of items must not change.
        if cluster.items.iter().any(|item| matches!(item, Item::Call(_))) {
            continue;
        }
        for item in &cluster.items {
            match *item {
                Item::Node(id) => finder.cluster_of[id as usize] = number,
                Item::Register(index) => taken_by[index] = number,
                _ => {}
            }
        }
    }
    finder.seed(clusters.len(), &taken_by);
    finder.prune(clusters);
    let mut packs = finder.packs;
    for cluster in clusters {
        order(design, &mut packs, cluster);
    }
    packs
}

struct Finder<'a> {
    design: &'a Design,
    layout: &'a Layout,
    sources: &'a Sources,
    registers: &'a FxHashMap<u32, usize>,
    /// The cluster that computes a node, if it can be packed.
    cluster_of: Vec<usize>,
    packs: Packs,
}

impl Finder<'_> {
    /// Finds packs, from the next values of neighbours' registers and the inputs of memories, and from the last cluster
    /// to the first.
    fn seed(&mut self, clusters: usize, taken_by: &[usize]) {
        let mut open: Vec<Vec<Four>> = vec![vec![]; clusters];
        let mut registers: Vec<usize> = (0..self.design.registers.len()).collect();
        registers.sort_by_key(|index| self.layout.register[*index]);
        let key = |index: usize| {
            let register = &self.design.registers[index];
            (register.family, register.low, self.design.graph.width(register.next))
        };
        for same in registers.chunk_by(|a, b| key(*a) == key(*b)) {
            for four in same.chunks_exact(ELEMENTS) {
                let four: [usize; ELEMENTS] = std::array::from_fn(|at| four[at]);
                self.request(&mut open, four.map(|register| self.design.registers[register].next));
                let cluster = taken_by[four[0]];
                let places = four.map(|register| self.layout.register[register]);
                let size = bytes(self.design.graph.width(self.design.registers[four[0]].next));
                let side_by_side = (0..).zip(places).all(|(at, place)| place == places[0] + at * size);
                let group = |register: usize| self.sources.register[register];
                let together = |register: &usize| taken_by[*register] == cluster && group(*register) == group(four[0]);
                if side_by_side && cluster != usize::MAX && four.iter().all(together) {
                    let number = self.packs.fours.len() as u32;
                    self.packs.four_of.extend(four.map(|register| (register, number)));
                    self.packs.fours.push(four);
                }
            }
        }
        let memories = &self.design.memories;
        for same in memories.chunk_by(|a, b| a.family == b.family && a.inputs.len() == b.inputs.len()) {
            for four in same.chunks_exact(ELEMENTS) {
                for input in 0..four[0].inputs.len() {
                    self.request(&mut open, std::array::from_fn(|at| four[at].inputs[input].value));
                }
            }
        }
        for number in (0..clusters).rev() {
            while let Some(four) = open[number].pop() {
                let Some(pack) = self.isomorphic(four) else { continue };
                let known = self.packs.packs.len() as u32;
                for (element, id) in (0..).zip(four) {
                    self.packs.of.insert(id, (known, element));
                }
                for operands in &pack.operands {
                    self.request(&mut open, *operands);
                }
                self.packs.packs.push(Some(pack));
            }
        }
    }

    /// Queues four values as a possible pack for their cluster's turn.
    fn request(&self, open: &mut [Vec<Four>], four: Four) {
        let cluster = self.cluster_of[four[0] as usize];
        let same = four.iter().all(|id| self.cluster_of[*id as usize] == cluster);
        if same && cluster != usize::MAX && four[0] != four[1] {
            open[cluster].push(four);
        }
    }

    /// The pack of four nodes, if they are the same operation.
    fn isomorphic(&self, four: Four) -> Option<Pack> {
        let graph = &self.design.graph;
        let distinct = (1..ELEMENTS).all(|at| !four[..at].contains(&four[at]));
        if !distinct || four.iter().any(|id| self.packs.of.contains_key(id)) {
            return None;
        }
        let [op, ..] = four.map(|id| graph.op(id));
        let width = graph.width(four[0]);
        let mut positions: Vec<Four> = vec![];
        for (element, id) in four.into_iter().enumerate() {
            let other = graph.op(id);
            let mut operands = vec![];
            other.operands(&mut |operand| operands.push(operand));
            if discriminant(&op) != discriminant(&other) || graph.width(id) != width {
                return None;
            }
            if let (Op::Slice(_, low), Op::Slice(_, other)) = (op, other) {
                if low != other {
                    return None;
                }
            }
            if element == 0 {
                positions = operands.iter().map(|operand| [*operand; ELEMENTS]).collect();
            } else if let (Op::And(..) | Op::Or(..) | Op::Xor(..) | Op::Add(..) | Op::Equal(..), [a, b]) =
                (other, &operands[..])
            {
                // Operands are ordered by number in the graph, which may differ between neighbours.
                let like = |a: Id, b: Id| {
                    a == b
                        || discriminant(&graph.op(a)) == discriminant(&graph.op(b)) && graph.width(a) == graph.width(b)
                };
                let [first, second] = [positions[0][0], positions[1][0]];
                let same = *a == first || *b == second;
                let turned = *a == second || *b == first;
                if !same && (turned || !like(*a, first) && like(*b, first)) {
                    operands.reverse();
                }
            }
            for (position, operand) in positions.iter_mut().zip(&operands) {
                position[element] = *operand;
            }
        }
        let fits = |position: &Four| {
            let width = graph.width(position[0]);
            width <= MOST_BITS && position.iter().all(|id| graph.width(*id) == width)
        };
        let pack = Pack {
            nodes: four,
            op,
            operands: positions,
        };
        (width <= MOST_BITS && self.has_vector(&pack) && pack.operands.iter().all(fits)).then_some(pack)
    }

    /// True if there is a vector instruction for this operation.
    fn has_vector(&self, pack: &Pack) -> bool {
        match pack.op {
            Op::Not(_)
            | Op::And(..)
            | Op::Or(..)
            | Op::Xor(..)
            | Op::Equal(..)
            | Op::Mux(..)
            | Op::Slice(..)
            | Op::Concat(..)
            | Op::ZeroExtend(_)
            | Op::SignExtend(_) => true,
            Op::Negate(a) | Op::Add(a, _) | Op::Sub(a, _) | Op::Mul(a, _) => self.design.graph.width(a) > 1,
            // Signed comparisons are rare.
            Op::Less { signed, left, .. } => !signed && self.design.graph.width(left) > 1,
            // All elements are shifted by one count.
            Op::ShiftLeft(a, _) | Op::ShiftRight(a, _) => {
                self.design.graph.width(a) > 1 && pack.operands[1].iter().all(|id| *id == pack.operands[1][0])
            }
            Op::Constant(_) | Op::Cell(_) | Op::Call { .. } | Op::Read { .. } | Op::Parity(_) => false,
        }
    }

    /// Removes packs that cost more instructions than they save, and then the packs that depended on them for a profit.
    fn prune(&mut self, clusters: &[Cluster]) {
        loop {
            let apart = self.apart(clusters);
            let count = self.packs.packs.len();
            // The gain of each single pack, the number of packs that use it, and its connected set.
            let (mut gain, mut used) = (vec![0i32; count], vec![0i32; count]);
            let mut parent: Vec<u32> = (0..count as u32).collect();
            for (number, pack) in self.packs.numbers() {
                let saved = match pack.op {
                    Op::ZeroExtend(a) if self.design.graph.width(a) > 1 => 0,
                    _ => ELEMENTS as i32 - 1,
                };
                gain[number as usize] += saved - apart.get(&number).map_or(0, FxHashSet::len) as i32;
                for operands in &pack.operands {
                    match self.origin(operands) {
                        Origin::Pack(other) => {
                            used[other as usize] += 1;
                            let (a, b) = (root(&mut parent, number), root(&mut parent, other));
                            parent[a as usize] = b;
                        }
                        Origin::Elsewhere => gain[number as usize] -= ELEMENTS as i32,
                        Origin::Same | Origin::Constants | Origin::Registers(_) => {}
                    }
                }
            }
            let mut sums = vec![0; count];
            for (number, gain) in (0..).zip(&gain) {
                sums[root(&mut parent, number) as usize] += gain;
            }
            let mut bad = vec![];
            for (number, _) in self.packs.numbers() {
                // Without it, the packs that use it would have to gather.
                let without = -(ELEMENTS as i32) * used[number as usize];
                if sums[root(&mut parent, number) as usize] <= 0 || gain[number as usize] < without {
                    bad.push(number);
                }
            }
            if bad.is_empty() {
                return;
            }
            bad.into_iter().for_each(|number| self.packs.remove(number));
        }
    }

    /// The elements of packs that are needed as single values.
    fn apart(&self, clusters: &[Cluster]) -> FxHashMap<u32, FxHashSet<usize>> {
        let mut apart: FxHashMap<u32, FxHashSet<usize>> = FxHashMap::default();
        let mut need = |id: Id| {
            if let Some((pack, element)) = self.packs.of(id) {
                apart.entry(pack).or_default().insert(element);
            }
        };
        for item in clusters.iter().flat_map(|cluster| &cluster.items) {
            let packed = match *item {
                Item::Node(id) => self.packs.of(id).is_some(),
                Item::Register(index) => self.packs.together(self.design, index).is_some(),
                _ => false,
            };
            if !packed {
                item.needs(self.design, &mut need);
            }
        }
        let operands = self.packs.numbers().flat_map(|(_, pack)| &pack.operands);
        for four in operands.filter(|four| self.origin(four) == Origin::Elsewhere) {
            four.iter().for_each(|id| need(*id));
        }
        apart
    }

    fn origin(&self, four: &Four) -> Origin {
        self.packs.origin(self.design, self.layout, self.registers, four)
    }
}

/// The representative of a set of packs.
fn root(parent: &mut [u32], mut number: u32) -> u32 {
    while parent[number as usize] != number {
        parent[number as usize] = parent[parent[number as usize] as usize];
        number = parent[number as usize];
    }
    number
}

/// Orders a cluster's items so that each is after its operands. Packs in a cycle are dissolved.
fn order(design: &Design, packs: &mut Packs, cluster: &mut Cluster) {
    let nodes = cluster.items.iter().filter_map(|item| match item {
        Item::Node(id) => Some(*id),
        _ => None,
    });
    let own: FxHashSet<Id> = nodes.collect();
    let items = take(&mut cluster.items);
    loop {
        let mut ordered = Ordered::default();
        let circle = items.iter().find_map(|item| ordered.item(design, packs, &own, *item));
        match circle {
            Some(pack) => packs.remove(pack),
            None => {
                cluster.items = ordered.items;
                return;
            }
        }
    }
}

#[derive(Default)]
struct Ordered {
    items: Vec<Item>,
    /// Nodes and packs: false while an operand is being visited, true afterwards.
    known: FxHashMap<Item, bool>,
    together: FxHashSet<u32>,
}

impl Ordered {
    /// Adds an item after its operands. Returns a pack that depends on itself, if there is one.
    fn item(&mut self, design: &Design, packs: &Packs, own: &FxHashSet<Id>, item: Item) -> Option<u32> {
        let mut root = |id| self.unit(design, packs, own, id);
        match item {
            Item::Node(id) => root(id),
            Item::Word { value, .. } => {
                let circle = root(value);
                self.items.push(item);
                circle
            }
            Item::Register(index) => {
                let four = packs.together(design, index);
                if four.is_some_and(|four| !self.together.insert(four)) {
                    return None;
                }
                let circle = self.unit(design, packs, own, design.registers[index].next);
                self.items.push(four.map_or(item, Item::Registers));
                circle
            }
            Item::Call(_) | Item::Pack(_) | Item::Registers(_) => {
                self.items.push(item);
                None
            }
        }
    }

    /// Adds a node, or its pack, after its operands. Returns a pack that depends on itself, if there is one.
    fn unit(&mut self, design: &Design, packs: &Packs, own: &FxHashSet<Id>, root: Id) -> Option<u32> {
        let unit = |id: &Id| packs.of(*id).map_or(Item::Node(*id), |(pack, _)| Item::Pack(pack));
        let mut open: Vec<(Item, bool)> = own.get(&root).map(|id| (unit(id), false)).into_iter().collect();
        while let Some((next, ready)) = open.pop() {
            match self.known.get(&next) {
                _ if ready => {
                    self.known.insert(next, true);
                    self.items.push(next);
                }
                Some(true) => {}
                // Single nodes do not depend on themselves, so there is a pack in the cycle.
                Some(false) => {
                    let way = open.iter().rev().filter(|(_, ready)| *ready).map(|(unit, _)| *unit);
                    return std::iter::once(next).chain(way).find_map(|unit| match unit {
                        Item::Pack(pack) => Some(pack),
                        _ => None,
                    });
                }
                None => {
                    self.known.insert(next, false);
                    open.push((next, true));
                    let mut push = |id: Id| open.extend(own.get(&id).map(|id| (unit(id), false)));
                    packs.needs(design, next, &mut push);
                }
            }
        }
        None
    }
}
