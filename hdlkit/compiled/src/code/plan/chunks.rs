//! Chunks: fields of a register side by side in one word, as in hardware.
//!
//! A bundle goes through a pipeline as it is, or a kernel chooses between two bundles. With a register for each field
//! that is a load, a choice, a store and a comparison for each, most of them of one bit:
//!
//! ```text
//! r1.valid <- Mux(stall, r1.valid, r0.valid)
//! r1.warp  <- Mux(stall, r1.warp, r0.warp)      =>   r1[0..64] <- Mux(stall, r1[0..64], r0[0..64])
//! r1.pc    <- Mux(stall, r1.pc, r0.pc)               a user of r1.warp takes a slice
//! ```
//! Only fields whose next values depend on the same registers are in one chunk: a field that changes in every cycle would
//! wake the users of all the others. Registers of neighbours, such as lanes, keep their fields, for
//! [vectors](super::packs).

use super::groups::Groups;
use crate::design::graph::{Graph, Id, Op};
use crate::design::{Design, Register, Source, Word};
use rustc_hash::FxHashMap;

/// The most bits of a chunk, which is one word.
const MOST_BITS: u32 = 64;

/// A design with chunks.
pub(in crate::code) struct Chunks {
    pub design: Design,
    /// The register that has each register of the original design, and its lowest bit there.
    pub places: Vec<(usize, u32)>,
    /// The first register of the original design in each register.
    pub first: Vec<usize>,
}

/// Joins the fields of registers. `follows`: the families that each node depends on.
pub(in crate::code) fn chunk(design: &Design, follows: &[Groups]) -> Chunks {
    let mut chunks = Chunks {
        design: Design {
            shown: vec![],
            ports: design.ports.clone(),
            switches: vec![],
            absent: vec![],
            graph: Graph::default(),
            cells: design.cells.clone(),
            registers: vec![],
            memories: design.memories.clone(),
            opaques: design.opaques.clone(),
            outputs: design.outputs.clone(),
            ..*design
        },
        places: vec![(0, 0); design.registers.len()],
        first: vec![],
    };
    let fields = chunks.add_registers(design, follows);
    let nodes = chunks.translate(design, &fields);
    let mut joiner = Joiner {
        graph: &mut chunks.design.graph,
        known: FxHashMap::default(),
    };
    for (chunk, fields) in chunks.design.registers.iter_mut().zip(&fields) {
        let next = fields.iter().map(|field| nodes[design.registers[*field].next as usize]);
        chunk.next = joiner.all(next);
    }
    let new_of = |node: &mut Id| *node = nodes[*node as usize];
    let translate = |words: &mut [Word]| words.iter_mut().for_each(|word| new_of(&mut word.value));
    let new = &mut chunks.design;
    let memories = new.memories.iter_mut();
    memories.for_each(|memory| memory.inputs.iter_mut().for_each(new_of));
    new.opaques.iter_mut().for_each(|opaque| translate(&mut opaque.inputs));
    translate(&mut new.outputs);
    chunks
}

impl Chunks {
    /// Adds the registers. Returns the original registers in each, from the lowest bits up.
    fn add_registers(&mut self, design: &Design, follows: &[Groups]) -> Vec<Vec<usize>> {
        let width = |index: usize| design.cells[design.registers[index].cell as usize].width;
        let mut single = vec![None; design.families as usize];
        for register in &design.registers {
            let flip_flop = register.initial.flip_flop();
            let known = single[register.family as usize].get_or_insert(flip_flop);
            if *known != flip_flop {
                *known = None;
            }
        }
        let mut all: Vec<Vec<usize>> = vec![];
        // The open chunk of each flip-flop and set of groups, and its bits.
        let mut open: FxHashMap<(u32, &Groups), (usize, u32)> = FxHashMap::default();
        for (index, register) in design.registers.iter().enumerate() {
            let single = single[register.family as usize].flatten();
            let Some(flip_flop) = single.filter(|_| width(index) < MOST_BITS) else {
                self.places[index] = (all.len(), 0);
                all.push(vec![index]);
                continue;
            };
            let chunk = open
                .entry((flip_flop, &follows[register.next as usize]))
                .or_insert((usize::MAX, 0));
            if chunk.0 == usize::MAX || chunk.1 + width(index) > MOST_BITS {
                *chunk = (all.len(), 0);
                all.push(vec![]);
            }
            self.places[index] = *chunk;
            all[chunk.0].push(index);
            chunk.1 += width(index);
        }
        for fields in &all {
            let first = &design.registers[fields[0]];
            let cell = match fields.len() {
                1 => first.cell,
                _ => {
                    let mut cell = design.cells[first.cell as usize].clone();
                    cell.width = fields.iter().map(|field| width(*field)).sum();
                    self.design.cells.push(cell);
                    self.design.cells.len() as u32 - 1
                }
            };
            self.design.registers.push(Register { cell, ..*first });
        }
        self.first = all.iter().map(|fields| fields[0]).collect();
        all
    }

    /// Copies the graph, with slices of chunks for their fields. Returns the new node of each old one.
    fn translate(&mut self, design: &Design, fields: &[Vec<usize>]) -> Vec<Id> {
        let mut chunk_of_cell = FxHashMap::default();
        for (chunk, fields) in fields.iter().enumerate().filter(|(_, fields)| fields.len() > 1) {
            for field in fields {
                chunk_of_cell.insert(design.registers[*field].cell, (chunk, self.places[*field].1));
            }
        }
        let new = &mut self.design;
        let mut nodes: Vec<Id> = Vec::with_capacity(design.graph.nodes.len());
        for node in &design.graph.nodes {
            let id = match node.op {
                Op::Cell(cell) => match chunk_of_cell.get(&cell) {
                    Some((chunk, low)) => {
                        let cell = new.registers[*chunk].cell;
                        debug_assert!(new.cells[cell as usize].source == Source::Register);
                        let whole = new.graph.add(Op::Cell(cell), new.cells[cell as usize].width);
                        new.graph.slice(whole, *low, node.width)
                    }
                    None => new.graph.add(node.op, node.width),
                },
                op => {
                    let op = op.map(|operand| Ok::<Id, std::convert::Infallible>(nodes[operand as usize]));
                    let Ok(op) = op;
                    new.graph.add(op, node.width)
                }
            };
            nodes.push(id);
        }
        nodes
    }
}

/// Joins the next values of fields.
struct Joiner<'a> {
    graph: &'a mut Graph,
    /// Joined pairs: the upper and the lower value.
    known: FxHashMap<(Id, Id), Id>,
}

impl Joiner<'_> {
    /// All values side by side, the lowest first.
    fn all(&mut self, values: impl Iterator<Item = Id>) -> Id {
        // Neighbours that the same test chooses become one choice.
        let mut parts: Vec<Id> = vec![];
        for mut value in values {
            while let Some(joined) = parts.last().and_then(|low| self.choice(value, *low)) {
                parts.pop();
                value = joined;
            }
            parts.push(value);
        }
        let whole = parts.into_iter().reduce(|low, high| self.two(high, low));
        whole.expect("a chunk has a field")
    }

    /// Two values side by side.
    fn two(&mut self, high: Id, low: Id) -> Id {
        if let Some(known) = self.known.get(&(high, low)) {
            return *known;
        }
        let joined = match self.choice(high, low) {
            Some(choice) => choice,
            None => {
                let width = self.graph.width(high) + self.graph.width(low);
                self.graph.add(Op::Concat(high, low), width)
            }
        };
        self.known.insert((high, low), joined);
        joined
    }

    /// A choice between joined values, if the same test chooses both.
    fn choice(&mut self, high: Id, low: Id) -> Option<Id> {
        let test = [low, high].into_iter().find_map(|id| match self.graph.op(id) {
            Op::Mux(test, ..) => Some(test),
            _ => None,
        })?;
        let ([high_one, high_zero], [low_one, low_zero]) = (self.arms(high, test)?, self.arms(low, test)?);
        let one = self.two(high_one, low_one);
        let zero = self.two(high_zero, low_zero);
        Some(self.graph.mux(test, one, zero))
    }

    /// The values of a node where `test` is 1, and where it is 0.
    fn arms(&mut self, id: Id, test: Id) -> Option<[Id; 2]> {
        let [zero, one] = [0, 1].map(|bit| self.graph.constant(bit, 1));
        let is_not = |graph: &Graph, id: Id| graph.op(id) == Op::Not(test);
        match self.graph.op(id) {
            Op::Mux(by, one, zero) if by == test => Some([one, zero]),
            Op::Mux(..) => None,
            _ if id == test => Some([one, zero]),
            Op::Not(of) if of == test => Some([zero, one]),
            Op::And(a, b) if a == test => Some([b, zero]),
            Op::And(a, b) if b == test => Some([a, zero]),
            Op::And(a, b) if is_not(self.graph, a) => Some([zero, b]),
            Op::And(a, b) if is_not(self.graph, b) => Some([zero, a]),
            Op::Or(a, b) if a == test => Some([one, b]),
            Op::Or(a, b) if b == test => Some([one, a]),
            Op::Or(a, b) if is_not(self.graph, a) => Some([b, one]),
            Op::Or(a, b) if is_not(self.graph, b) => Some([a, one]),
            // A constant is the same in either case.
            Op::Constant(_) => Some([id, id]),
            _ => None,
        }
    }
}
