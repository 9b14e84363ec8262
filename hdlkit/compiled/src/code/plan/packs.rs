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
use crate::design::graph::{Graph, Id, Op};
use crate::design::{Design, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::{discriminant, take};

/// Elements of a vector.
pub(in crate::code) const ELEMENTS: usize = 4;
/// The widest element: a vector's elements have 32 bits.
const MOST_BITS: u32 = 32;

/// A value for each element of a vector.
pub(in crate::code) type Four = [Id; ELEMENTS];

/// Four nodes of one operation.
pub(in crate::code) struct Pack {
    pub nodes: Four,
    /// The operation of the first node. The other nodes have the same operation with other operands.
    pub op: Op,
    /// The operands of all four, one position after the other.
    pub operands: Vec<Four>,
}

impl Pack {
    /// False for slices of one value from different bits on; true for all other operations.
    pub fn is_level(&self, graph: &Graph) -> bool {
        let low = |id: Id| match graph.op(id) {
            Op::Slice(_, low) => low,
            _ => 0,
        };
        self.nodes.iter().all(|id| low(*id) == low(self.nodes[0]))
    }
}

/// A part of a concatenation.
#[derive(Clone, Copy)]
pub(in crate::code) enum Part {
    Value(Id),
    /// One bit, of this number, of each of four values, from the first up.
    Bits(Four, u32),
}

/// The source of the four values of a vector.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::code) enum Origin {
    Pack(u32),
    /// One value for all elements.
    Same,
    Constants,
    /// Adjacent registers in the state, from this byte on.
    Registers(u32),
    Elsewhere,
}

/// A design, with the places of its registers in the state.
#[derive(Clone, Copy)]
pub(in crate::code) struct State<'a> {
    pub design: &'a Design,
    pub layout: &'a Layout,
    /// The index of each cell's register.
    pub registers: &'a FxHashMap<u32, usize>,
}

/// The packs of a design.
#[derive(Default)]
pub(in crate::code) struct Packs {
    packs: Vec<Option<Pack>>,
    /// The pack of a node, and its element there.
    of: FxHashMap<Id, (u32, u32)>,
    /// Four registers of neighbours, of one group and side by side in the state, that one cluster computes.
    fours: Vec<[usize; ELEMENTS]>,
    /// The index in `fours` of the four registers that a register belongs to.
    four_of: FxHashMap<usize, u32>,
    /// Four values that one cluster stores side by side, each in so many bytes, from this byte of the state on.
    words: Vec<(u32, u32, Four)>,
    /// The index in `words` of the four values that the one stored at this byte belongs to.
    words_of: FxHashMap<u32, u32>,
    /// The parts of concatenations of bits of neighbours.
    bits: FxHashMap<Id, Vec<Part>>,
    /// Nodes that only these concatenations need.
    inside: FxHashSet<Id>,
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

    /// The number of concatenations of bits of neighbours.
    pub fn concatenations(&self) -> usize {
        self.bits.len()
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
            Item::Words(four) => self.words(four).2.iter().for_each(|id| f(*id)),
            Item::Node(id) if self.bits.contains_key(&id) => {
                for part in &self.bits[&id] {
                    match part {
                        Part::Value(id) => f(*id),
                        Part::Bits(four, _) => four.iter().for_each(|id| f(*id)),
                    }
                }
            }
            item => item.needs(design, f),
        }
    }

    /// Four registers that load their values together.
    pub fn registers(&self, four: u32) -> [usize; ELEMENTS] {
        self.fours[four as usize]
    }

    /// Four values that are stored together, each in so many bytes, from this byte of the state on.
    pub fn words(&self, four: u32) -> (u32, u32, Four) {
        self.words[four as usize]
    }

    /// The parts of a concatenation of bits of neighbours.
    pub fn bits(&self, id: Id) -> Option<&[Part]> {
        self.bits.get(&id).map(|parts| &parts[..])
    }

    /// Four registers or stored values as an item, if `item` is one of them and they are a pack or other registers.
    fn together(&self, state: State, item: Item) -> Option<Item> {
        let (four, values) = match item {
            Item::Register(register) => {
                let four = *self.four_of.get(&register)?;
                let next = |register: usize| state.design.registers[register].next;
                (Item::Registers(four), self.registers(four).map(next))
            }
            Item::Word { at, .. } => {
                let four = *self.words_of.get(&at)?;
                (Item::Words(four), self.words(four).2)
            }
            _ => return None,
        };
        matches!(
            self.origin(state, &values),
            Origin::Same | Origin::Pack(_) | Origin::Registers(_)
        )
        .then_some(four)
    }

    /// The source of four values.
    pub fn origin(&self, state: State, four: &Four) -> Origin {
        let State {
            design,
            layout,
            registers,
        } = state;
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
pub(in crate::code) fn pack(state: State, sources: &Sources, clusters: &mut [Cluster]) -> Packs {
    let design = state.design;
    let mut finder = Finder {
        state,
        sources,
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
    finder.find_bits(clusters);
    finder.seed(clusters, &taken_by);
    finder.prune(clusters);
    let mut packs = finder.packs;
    for cluster in clusters {
        order(state, &mut packs, cluster);
    }
    packs
}

struct Finder<'a> {
    state: State<'a>,
    sources: &'a Sources,
    /// The cluster that computes a node, if it can be packed.
    cluster_of: Vec<usize>,
    packs: Packs,
}

impl Finder<'_> {
    /// Finds concatenations of bits of neighbours: of single bits, the same one of four values that can be a pack.
    fn find_bits(&mut self, clusters: &[Cluster]) {
        let graph = &self.state.design.graph;
        let mut uses = vec![0u32; graph.nodes.len()];
        for item in clusters.iter().flat_map(|cluster| &cluster.items) {
            item.needs(self.state.design, &mut |id| uses[id as usize] += 1);
        }
        let items = clusters.iter().flat_map(|cluster| cluster.items.iter().rev());
        for item in items {
            let Item::Node(root) = *item else { continue };
            let cluster = self.cluster_of[root as usize];
            let fits = matches!(graph.op(root), Op::Concat(..)) && graph.width(root) <= u64::BITS;
            if !fits || cluster == usize::MAX || self.packs.inside.contains(&root) {
                continue;
            }
            // Only the concatenation needs these.
            let own = |id: Id| uses[id as usize] == 1 && self.cluster_of[id as usize] == cluster;
            let mut inside = vec![];
            let (mut open, mut leaves) = (vec![root], vec![]);
            while let Some(id) = open.pop() {
                match graph.op(id) {
                    Op::Concat(high, low) if id == root || own(id) => {
                        inside.extend((id != root).then_some(id));
                        open.extend([high, low]);
                    }
                    _ => leaves.push(id),
                }
            }
            let mut parts = vec![];
            let mut rest = &leaves[..];
            while let Some(first) = rest.first() {
                let bits = rest.first_chunk().and_then(|four| self.bits_of_each(*four, &own));
                let length = match bits {
                    Some((four, low, is_inside)) => {
                        if is_inside {
                            inside.extend(&rest[..ELEMENTS]);
                        }
                        parts.push(Part::Bits(four, low));
                        ELEMENTS
                    }
                    None => {
                        parts.push(Part::Value(*first));
                        1
                    }
                };
                rest = &rest[length..];
            }
            if parts.iter().any(|part| matches!(part, Part::Bits(..))) {
                self.packs.inside.extend(inside);
                self.packs.bits.insert(root, parts);
            }
        }
    }

    /// Four values and the number of a bit, if `four` are this bit of each; true if they are slices that nothing else
    /// needs. `own`: true for such nodes.
    fn bits_of_each(&self, four: Four, own: &dyn Fn(Id) -> bool) -> Option<(Four, u32, bool)> {
        let graph = &self.state.design.graph;
        let bit = |id: Id| match graph.op(id) {
            Op::Slice(whole, low) if own(id) => (whole, low, true),
            _ => (id, 0, false),
        };
        let (_, low, is_slice) = bit(four[0]);
        let values = four.map(|id| bit(id).0);
        let distinct = (1..ELEMENTS).all(|at| !values[..at].contains(&values[at]));
        let width = graph.width(values[0]);
        let like = |id: &Id| {
            let (value, at, slice) = bit(*id);
            graph.width(*id) == 1 && graph.width(value) == width && (at, slice) == (low, is_slice)
        };
        (distinct && width <= MOST_BITS && four.iter().all(like)).then_some((values, low, is_slice))
    }

    /// Finds packs, from the next values of neighbours' registers, the inputs of memories and the bits of
    /// concatenations, and from the last cluster to the first.
    fn seed(&mut self, clusters: &[Cluster], taken_by: &[usize]) {
        let State { design, layout, .. } = self.state;
        let mut open: Vec<Vec<Four>> = vec![vec![]; clusters.len()];
        for part in self.packs.bits.values().flatten() {
            if let Part::Bits(four, _) = part {
                self.request(&mut open, *four);
            }
        }
        self.seed_words(clusters, &mut open);
        let mut registers: Vec<usize> = (0..design.registers.len()).collect();
        registers.sort_by_key(|index| layout.register[*index]);
        let key = |index: usize| {
            let register = &design.registers[index];
            (register.family, register.low, design.graph.width(register.next))
        };
        for same in registers.chunk_by(|a, b| key(*a) == key(*b)) {
            for four in same.chunks_exact(ELEMENTS) {
                let four: [usize; ELEMENTS] = std::array::from_fn(|at| four[at]);
                self.request(&mut open, four.map(|register| design.registers[register].next));
                let cluster = taken_by[four[0]];
                let places = four.map(|register| layout.register[register]);
                let size = bytes(design.graph.width(design.registers[four[0]].next));
                let side_by_side = (0..).zip(places).all(|(at, place)| place == places[0] + at * size);
                let group = |register: usize| self.sources.register[register];
                let together = |register: &usize| taken_by[*register] == cluster && group(*register) == group(four[0]);
                // A wider value is not an element of a vector.
                let fits = size * 8 <= MOST_BITS;
                if fits && side_by_side && cluster != usize::MAX && four.iter().all(together) {
                    let number = self.packs.fours.len() as u32;
                    self.packs.four_of.extend(four.map(|register| (register, number)));
                    self.packs.fours.push(four);
                }
            }
        }
        for number in (0..clusters.len()).rev() {
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

    /// Queues four values that a cluster stores side by side.
    fn seed_words(&mut self, clusters: &[Cluster], open: &mut [Vec<Four>]) {
        let graph = &self.state.design.graph;
        for cluster in clusters {
            let mut words: Vec<(u32, u32, Id)> = cluster
                .items
                .iter()
                .filter_map(|item| match *item {
                    Item::Word { at, bytes, value } if graph.width(value) <= MOST_BITS => Some((at, bytes, value)),
                    _ => None,
                })
                .collect();
            words.sort_unstable();
            let next = |a: &(u32, u32, Id), b: &(u32, u32, Id)| {
                a.0 + a.1 == b.0 && a.1 == b.1 && graph.width(a.2) == graph.width(b.2)
            };
            for row in words.chunk_by(next) {
                for four in row.chunks_exact(ELEMENTS) {
                    let values = std::array::from_fn(|at| four[at].2);
                    let number = self.packs.words.len() as u32;
                    self.packs.words.push((four[0].0, four[0].1, values));
                    self.packs.words_of.extend(four.iter().map(|word| (word.0, number)));
                    self.request(open, values);
                }
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
        let graph = &self.state.design.graph;
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
            if let (Op::Slice(whole, low), Op::Slice(of, other)) = (op, other) {
                if low != other && whole != of {
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
        let is_level = pack.is_level(graph) || pack.operands[0].iter().all(|id| *id == pack.operands[0][0]);
        (width <= MOST_BITS && is_level && self.has_vector(&pack) && pack.operands.iter().all(fits)).then_some(pack)
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
            Op::Negate(a) | Op::Add(a, _) | Op::Sub(a, _) | Op::Mul(a, _) => self.state.design.graph.width(a) > 1,
            // Signed comparisons are rare.
            Op::Less { signed, left, .. } => !signed && self.state.design.graph.width(left) > 1,
            // All elements are shifted by one count.
            Op::ShiftLeft(a, _) | Op::ShiftRight(a, _) => {
                self.state.design.graph.width(a) > 1 && pack.operands[1].iter().all(|id| *id == pack.operands[1][0])
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
                    Op::ZeroExtend(a) if self.state.design.graph.width(a) > 1 => 0,
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
            match *item {
                Item::Node(id) if self.packs.of(id).is_some() || self.packs.inside.contains(&id) => {}
                Item::Node(id) if self.packs.bits.contains_key(&id) => {
                    for part in &self.packs.bits[&id] {
                        match part {
                            Part::Value(id) => need(*id),
                            Part::Bits(four, _) if self.origin(four) == Origin::Elsewhere => {
                                four.iter().for_each(|id| need(*id))
                            }
                            Part::Bits(..) => {}
                        }
                    }
                }
                item if self.packs.together(self.state, item).is_some() => {}
                item => item.needs(self.state.design, &mut need),
            }
        }
        let operands = self.packs.numbers().flat_map(|(_, pack)| &pack.operands);
        for four in operands.filter(|four| self.origin(four) == Origin::Elsewhere) {
            four.iter().for_each(|id| need(*id));
        }
        apart
    }

    fn origin(&self, four: &Four) -> Origin {
        self.packs.origin(self.state, four)
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
fn order(state: State, packs: &mut Packs, cluster: &mut Cluster) {
    let nodes = cluster.items.iter().filter_map(|item| match item {
        Item::Node(id) => Some(*id),
        _ => None,
    });
    let own: FxHashSet<Id> = nodes.collect();
    let items = take(&mut cluster.items);
    loop {
        let mut ordered = Ordered::default();
        let circle = items.iter().find_map(|item| ordered.item(state, packs, &own, *item));
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
    together: FxHashSet<Item>,
}

impl Ordered {
    /// Adds an item after its operands. Returns a pack that depends on itself, if there is one.
    fn item(&mut self, state: State, packs: &Packs, own: &FxHashSet<Id>, item: Item) -> Option<u32> {
        let design = state.design;
        let value = match item {
            // It is added when something else needs it.
            Item::Node(id) if packs.inside.contains(&id) => return None,
            Item::Node(id) => return self.unit(design, packs, own, id),
            Item::Word { value, .. } => Some(value),
            Item::Register(index) => Some(design.registers[index].next),
            Item::Call(_) | Item::Pack(_) | Item::Registers(_) | Item::Words(_) => None,
        };
        let four = packs.together(state, item);
        if four.is_some_and(|four| !self.together.insert(four)) {
            return None;
        }
        let circle = value.and_then(|value| self.unit(design, packs, own, value));
        self.items.push(four.unwrap_or(item));
        circle
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
