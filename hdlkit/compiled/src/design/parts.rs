//! A flat circuit: its cells, with the sources of their values and their users.

use super::graph::{Graph, Id};
use hdlkit::kernel::shape::{low_bits, Shape};
use num_bigint::{BigInt, BigUint};
use std::ops::Range;

/// The source of a cell's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Nothing,
    /// Logic, a node of the graph before it is resolved.
    Wire(Id),
    Register,
    /// An input of the top block, from this word onward.
    Input(u32),
    /// A memory's registered read data: memory, and word of its ports.
    Memory {
        memory: u32,
        word: u32,
    },
    /// A memory read within the cycle: word of the element, and the address cell.
    Read {
        memory: u32,
        word: u32,
        address: u32,
    },
    /// An opaque block's output that does not depend on its inputs within the cycle.
    Opaque {
        opaque: u32,
        word: u32,
    },
    /// An opaque block's output that depends on inputs within the cycle.
    Call {
        opaque: u32,
        word: u32,
    },
}

#[derive(Clone)]
pub(crate) struct Cell {
    pub name: String,
    pub width: u32,
    pub source: Source,
}

#[derive(Clone, Copy)]
pub(crate) struct Register {
    pub cell: u32,
    /// The next value: a cell, later the node that drives it.
    pub next: u32,
    pub initial: Initial,
    /// The lowest bit in the flip-flop.
    pub low: u32,
    pub family: u32,
}

/// The value of a register at power-up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Initial {
    /// The value of a flip-flop of the circuit, counted in the order of the fields; the register is one of its fields.
    FlipFlop(u32),
    /// A constant. The circuit has no such flip-flop.
    Value(u128),
}

impl Initial {
    /// The circuit's flip-flop.
    pub fn flip_flop(self) -> Option<u32> {
        match self {
            Initial::FlipFlop(number) => Some(number),
            Initial::Value(_) => None,
        }
    }
}

/// A word passed to or from Rust; a value of more than 64 bits has two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub place: u32,
    /// A cell, later the node that drives it.
    pub value: u32,
}

#[derive(Clone)]
pub(crate) struct Memory {
    /// The path: `top.sm[0].register_file.bank[3]`.
    pub name: String,
    /// The number of elements, a power of two.
    pub elements: u32,
    /// Words of an element.
    pub stride: u32,
    /// The layout of an element.
    pub shape: Shape,
    /// The lowest bit and the width of the values that an element consists of: fields side by side, as many as a word has
    /// bits for, or one field of more bits, in two words.
    pub values: Vec<(u32, u32)>,
    /// For each field of an element its first word, and its lowest bit and its width there.
    pub fields: Vec<(usize, u32, u32)>,
    /// True if read data are registered.
    pub registered: bool,
    /// The number of write enables.
    pub enables: u32,
    /// Cells, later the nodes that drive them: read enable (registered memories), write enable, write address, read
    /// addresses (registered memories), write data.
    pub inputs: Vec<u32>,
    /// For every read port with registered data, the position of its first word; the others follow.
    pub reads: Vec<u32>,
    /// The number of words of all read ports with registered data.
    pub words: u32,
    pub family: u32,
}

impl Memory {
    /// The widths of the words of an element, in bits.
    pub(crate) fn word_widths(&self) -> impl Iterator<Item = u32> + '_ {
        self.values
            .iter()
            .flat_map(|&(_, width)| (0..words_of(width)).map(move |word| (width - 64 * word).min(64)))
    }
}

#[derive(Clone)]
pub(crate) struct Opaque {
    /// The path.
    pub name: String,
    pub words: u32,
    pub family: u32,
    pub inputs: Vec<Word>,
    /// The `inputs` that the outputs depend on within the cycle.
    pub followed: Vec<usize>,
}

/// A port of the top block.
#[derive(Clone)]
pub(crate) struct Port {
    /// The index among the block's own signals.
    pub atom: usize,
    pub key: String,
    pub input: bool,
    /// Lowest bit, width and position of every field.
    pub fields: Vec<(u32, u32, u32)>,
}

/// A visible signal inside the circuit.
pub(crate) struct Shown {
    /// The index in visiting order.
    pub atom: usize,
    pub shape: Shape,
    /// Lowest bit and width of every field, its cell, and its position after the ports' words.
    pub fields: Vec<(u32, u32, u32, u32)>,
}

/// The bits of a register of switches.
pub(super) const SWITCHES: u32 = 64;

/// The switches of a block's faults.
pub(crate) struct Switches {
    /// The block's path.
    pub path: String,
    /// The first register of switches.
    pub register: u32,
    /// The number of switches.
    pub count: u32,
}

impl Switches {
    /// The registers of switches.
    pub fn registers(&self) -> Range<u32> {
        self.register..self.register + self.count.div_ceil(SWITCHES)
    }

    /// The register of a fault's switch, and its bit there; `None` if there is no such fault.
    pub fn place(&self, fault: u32) -> Option<(u32, u32)> {
        (fault < self.count).then_some((self.register + fault / SWITCHES, fault % SWITCHES))
    }
}

/// A circuit without hierarchy.
pub(crate) struct Design {
    pub shown: Vec<Shown>,
    pub ports: Vec<Port>,
    /// The flip-flops of the circuit; each has a register for every field.
    pub flip_flops: u32,
    /// The number of primitives of the circuit, and the indices of the primitives that blocks of gates replace.
    pub primitives: usize,
    pub absent: Vec<usize>,
    /// The switches of each block of gates.
    pub switches: Vec<Switches>,
    pub graph: Graph,
    pub cells: Vec<Cell>,
    pub registers: Vec<Register>,
    pub memories: Vec<Memory>,
    pub opaques: Vec<Opaque>,
    /// Outputs of the top block.
    pub outputs: Vec<Word>,
    /// Words of the top block's ports.
    pub port_words: u32,
    /// Words of the ports and the shown signals.
    pub words: u32,
    /// Number of [families](super::elaborate) of registers, memories and opaque blocks.
    pub families: u32,
}

impl Design {
    /// True if the register has switches.
    pub(crate) fn has_switches(&self, register: u32) -> bool {
        let mut blocks = self.switches.iter();
        blocks.any(|block| block.registers().contains(&register))
    }
}

/// The number of 64-bit words of a value.
pub(crate) fn words_of(width: u32) -> u32 {
    width.div_ceil(64)
}

/// `width` bits of a value starting at `low`, at most [`MOST_BITS`](super::graph::MOST_BITS).
pub(crate) fn field(value: &BigUint, low: u32, width: u32) -> u128 {
    u128::try_from(low_bits(&BigInt::from(value >> low), width as usize)).unwrap_or_default()
}
