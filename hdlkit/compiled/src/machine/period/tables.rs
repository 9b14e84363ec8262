//! Tables of a circuit for skipping cycles: the registers and memories that may be counters.

use crate::code::Program;
use crate::design::graph::{Id, Op};
use crate::design::tables::Tables;
use crate::design::{mask, Design, Source as CellSource};
use std::ops::Range;

/// The maximum number of words of a memory with counters.
const MOST_WORDS: usize = 64;
/// The maximum number of nodes between a counter and its next value.
const DEEPEST: u32 = 8;

/// A register, or a word of a memory, that may be a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountedValue {
    Register(u32),
    /// A word of a memory.
    Word {
        memory: u32,
        word: u32,
    },
}

/// Tables of a circuit for skipping cycles.
pub struct IdleTables {
    pub tables: Tables,
    /// The lowest bit of each cell in the state; `None` for logic, which has none there.
    pub places: Vec<Option<usize>>,
    pub register_of_cell: Vec<Option<u32>>,
    /// The registers that may be counters: their next value can be a sum with their value.
    pub registers: Vec<u32>,
    /// The memories that may have counters.
    pub memories: Vec<u32>,
    /// A mask of the bits of these registers in the words of the state.
    pub bits: Vec<u64>,
    /// The words of the state with the write enables of all other memories, and the enables' bits.
    pub enables: Vec<(usize, u64)>,
    /// The words of the state with the data at registered read ports.
    pub data: Vec<Range<usize>>,
}

impl IdleTables {
    pub fn new(design: &Design, program: &Program) -> Self {
        let layout = &program.layout;
        let mut register_of_cell = vec![None; design.cells.len()];
        for (number, register) in (0..).zip(&design.registers) {
            register_of_cell[register.cell as usize] = Some(number);
        }
        let place = |cell: usize| match design.cells[cell].source {
            CellSource::Register => register_of_cell[cell].map(|number: u32| program.registers[number as usize].bit),
            CellSource::Input(word) => Some((layout.top + word * 8) as usize * 8),
            CellSource::Memory { memory, word } => Some((layout.memory[memory as usize] + word * 8) as usize * 8),
            _ => None,
        };
        let places = (0..design.cells.len()).map(place).collect();
        let mut tables = IdleTables {
            tables: Tables::new(design),
            places,
            register_of_cell,
            registers: vec![],
            memories: vec![],
            bits: vec![0; layout.registers as usize / 8],
            enables: vec![],
            data: vec![],
        };
        for (number, register) in (0..).zip(&design.registers) {
            if !adds(design, register.next, &|op| op == Op::Cell(register.cell)) {
                continue;
            }
            tables.registers.push(number);
            let first = program.registers[number as usize].bit;
            for bit in (first..).take(design.cells[register.cell as usize].width as usize) {
                tables.bits[bit / 64] |= 1 << (bit % 64);
            }
        }
        for (number, memory) in (0..).zip(&design.memories) {
            let ports = layout.memory[number as usize] as usize / 8;
            let own = |op: Op| matches!(op, Op::Read { memory, .. } if memory == number);
            let is_small = (memory.elements * memory.stride) as usize <= MOST_WORDS;
            let counts = memory.inputs.iter().any(|value| adds(design, *value, &own));
            if is_small && counts && !memory.registered {
                tables.memories.push(number);
            } else {
                let port = layout.inputs[number as usize][usize::from(memory.registered)];
                let (at, ones) = (port.at as usize, mask(port.bytes * 8) as u64);
                match tables.enables.last_mut() {
                    Some((word, bits)) if *word == at / 8 => *bits |= ones << (at % 8 * 8),
                    _ => tables.enables.push((at / 8, ones << (at % 8 * 8))),
                }
            }
            let reads = memory.reads.iter().map(|first| ports + *first as usize);
            tables.data.extend(reads.map(|at| at..at + memory.stride as usize));
        }
        tables
    }
}

/// True if the value of a node can be the sum of another value and a value for which `own` is true.
fn adds(design: &Design, id: Id, own: &dyn Fn(Op) -> bool) -> bool {
    fn find(design: &Design, id: Id, own: &dyn Fn(Op) -> bool, added: bool, depth: u32) -> bool {
        let find = |id: Id, added: bool| depth > 0 && find(design, id, own, added, depth - 1);
        match design.graph.op(id) {
            Op::Add(a, b) => find(a, true) || find(b, true),
            Op::Sub(a, _) => find(a, true),
            Op::Mux(_, one, zero) => find(one, added) || find(zero, added),
            Op::And(a, b) => find(a, added) || find(b, added),
            op => added && own(op),
        }
    }
    find(design, id, own, false, DEEPEST)
}
