//! The compiled engine: a circuit's kernels as machine code, for long runs.
//!
//! The cycle engine runs kernels as they are, block by block, and looks in every pass at what has changed. This one takes
//! the same kernels as the Verilog export does, dissolves the hierarchy, computes what is constant once, and compiles the
//! rest to code without a branch that computes every signal of a cycle in one go, in an order in which each is computed
//! once. What has no kernel stays what it is in Rust: memories, and blocks whose Verilog is written by hand.
//!
//! | step | file |
//! |---|---|
//! | memories, and blocks that are called | `primitive` |
//! | words and operations | `graph` |
//! | from kernels to one graph | `elaborate` |
//! | machine code | `emit` |
//!
//! It starts from the circuit as it is, registers and memories included, so that it can take over from the cycle engine
//! between two cycles. It shows the outputs of the top block and nothing of what is inside: for waves there is the cycle
//! engine. A test holds the two together.

pub(crate) mod elaborate;
pub(crate) mod emit;
pub(crate) mod graph;
pub mod primitive;

use crate::cycle::Cycle;
use crate::verilog::collect::collect;
use elaborate::{elaborate, Design};
use emit::{compile, Program};
use primitive::{Called, Ports};
use rust_hdl_core::prelude::Block;
use std::fmt;

/// Why a circuit was not compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct CompileError {
    /// The block or signal, as `top.lanes[3].alu`.
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}

impl CompileError {
    pub(crate) fn new(place: impl fmt::Display, reason: impl Into<String>) -> Self {
        CompileError {
            place: place.to_string(),
            reason: reason.into(),
        }
    }
}

/// A memory as it runs.
struct Memory {
    words: Vec<u64>,
    stride: usize,
    wrap: usize,
    registered: bool,
    enables: u32,
    /// Bits of each write enable.
    part: u32,
    /// Words in the state, from its ports' first one on.
    at: usize,
    read_addresses: Vec<usize>,
    /// For each read port, place and word of the element.
    reads: Vec<Vec<(usize, usize)>>,
    write_enable: usize,
    write_data: usize,
}

struct CalledBlock {
    block: Box<dyn Called + Send>,
    /// First byte and number of words in the state.
    at: usize,
    words: usize,
}

/// A circuit that runs as machine code.
pub struct MachineCode<B> {
    /// The top block, of which only the ports are kept up to date.
    pub block: Box<B>,
    program: Program,
    state: Vec<u64>,
    memories: Vec<Memory>,
    /// Where the words of `memories` are.
    pointers: Vec<*const u64>,
    opaques: Vec<CalledBlock>,
    top: usize,
    words: usize,
}

/// What compiled code calls for an opaque block.
///
/// # Safety
/// `opaques` and `state` are those of one engine, which is borrowed for the call.
unsafe extern "C" fn call_opaque(opaques: *mut CalledBlock, state: *mut u8, number: usize) {
    // SAFETY: compiled for this engine's number of opaque blocks and the layout of its state; nothing else refers to them
    // while the code runs.
    let (opaque, words) = unsafe {
        let opaque = &mut *opaques.add(number);
        let words = std::slice::from_raw_parts_mut(state.add(opaque.at).cast::<u64>(), opaque.words);
        (opaque, words)
    };
    opaque.block.settle(words);
}

impl<B: Block + Cycle + Ports> MachineCode<B> {
    /// Compiles `block` and takes over its state, as it is after it has settled.
    ///
    /// # Errors
    /// The circuit has something that cannot be compiled: see [`CompileError`].
    pub fn new(block: Box<B>) -> Result<Self, CompileError> {
        let top = collect(&*block, "top").ok_or_else(|| CompileError::new("top", "is not one block"))?;
        let mut primitives = vec![];
        Cycle::primitives(&*block, &mut primitives);
        let design = elaborate(&top, primitives)?;
        let program = compile(&design, call_opaque as *const u8)?;
        Ok(Self::start(block, design, program))
    }

    fn start(block: Box<B>, design: Design, program: Program) -> Self {
        let layout = &program.layout;
        let mut state = vec![0u64; layout.bytes as usize / 8];
        for (register, at) in design.registers.iter().zip(&layout.register) {
            let width = design.cells[register.cell as usize].width;
            let bytes = bytes_mut(&mut state);
            let size = emit::size(width);
            bytes[*at as usize..][..size].copy_from_slice(&register.value.to_le_bytes()[..size]);
        }
        let mut memories = vec![];
        for (memory, at) in design.memories.into_iter().zip(&layout.memory) {
            let place = |index: usize| memory.inputs[index].place as usize;
            let first = usize::from(memory.registered);
            let ports = if memory.registered { memory.reads.len() } else { 0 };
            memories.push(Memory {
                stride: memory.stride as usize,
                wrap: memory.depth as usize - 1,
                registered: memory.registered,
                enables: memory.enables,
                part: memory.data_bits / memory.enables,
                at: *at as usize / 8,
                read_addresses: (0..ports).map(|port| place(first + 2 + port)).collect(),
                reads: memory
                    .reads
                    .iter()
                    .map(|port| port.data.iter().map(|(a, b)| (*a as usize, *b as usize)).collect())
                    .collect(),
                write_enable: place(first),
                write_data: place(first + 2 + ports),
                words: memory.contents,
            });
        }
        let pointers = memories.iter().map(|m| m.words.as_ptr()).collect();
        let opaques = design
            .opaques
            .into_iter()
            .zip(&layout.opaque)
            .map(|(opaque, at)| CalledBlock {
                block: opaque.block,
                at: *at as usize,
                words: opaque.words as usize,
            })
            .collect();
        let mut engine = MachineCode {
            top: layout.top as usize / 8,
            words: design.words as usize,
            block,
            program,
            state,
            memories,
            pointers,
            opaques,
        };
        for opaque in &mut engine.opaques {
            let words = &mut engine.state[opaque.at / 8..][..opaque.words];
            opaque.block.outputs(words);
        }
        engine
    }

    /// Combinational logic; then the top block's outputs are valid.
    pub fn settle(&mut self) {
        self.block.inputs(&mut &mut self.state[self.top..][..self.words]);
        let state = self.state.as_mut_ptr().cast::<u8>();
        for function in &self.program.functions {
            // SAFETY: the code was compiled for this layout of the state, these memories (whose words do not move) and
            // these opaque blocks; nothing else refers to them while it runs.
            unsafe { function(state, self.pointers.as_ptr(), self.opaques.as_mut_ptr().cast::<u8>()) };
        }
        self.block.set_outputs(&mut &self.state[self.top..][..self.words]);
    }

    /// The rising edge.
    pub fn tick(&mut self) {
        for memory in &mut self.memories {
            memory.tick(&mut self.state);
        }
        for opaque in &mut self.opaques {
            opaque.block.tick(&mut self.state[opaque.at / 8..][..opaque.words]);
        }
        let registers = self.program.layout.registers as usize / 8;
        let (now, next) = self.state.split_at_mut(registers);
        now.copy_from_slice(&next[..registers]);
    }
}

impl Memory {
    #[inline(always)]
    fn tick(&mut self, state: &mut [u64]) {
        let words = &mut state[self.at..];
        if self.registered && words[0] != 0 {
            for (address, data) in self.read_addresses.iter().zip(&self.reads) {
                let element = (words[*address] as usize & self.wrap) * self.stride;
                for (place, word) in data {
                    words[*place] = self.words[element + word];
                }
            }
        }
        let enable = words[self.write_enable];
        if enable == 0 {
            return;
        }
        let element = (words[self.write_enable + 1] as usize & self.wrap) * self.stride;
        let data = &words[self.write_data..][..self.stride];
        if self.enables == 1 {
            self.words[element..][..self.stride].copy_from_slice(data);
            return;
        }
        let mut mask = 0;
        for part in 0..self.enables {
            if enable >> part & 1 != 0 {
                mask |= ((1u64 << self.part) - 1) << (part * self.part);
            }
        }
        self.words[element] = self.words[element] & !mask | data[0] & mask;
    }
}

/// The state as bytes.
fn bytes_mut(state: &mut [u64]) -> &mut [u8] {
    let bytes = std::mem::size_of_val(state);
    // SAFETY: the same memory, and every byte is a valid u8.
    unsafe { std::slice::from_raw_parts_mut(state.as_mut_ptr().cast::<u8>(), bytes) }
}
