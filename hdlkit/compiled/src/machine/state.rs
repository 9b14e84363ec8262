//! A circuit's state at run time, and its two steps.
#![allow(unsafe_code, reason = "machine code gets pointers to a machine's state")]

use super::called::CalledBlock;
use super::code::Code;
use super::flip_flops::FlipFlops;
use super::period::watch::Watch;
use super::words::element;
use crate::code::{Flags, Function, Program};
use crate::design::{self, field, mask, words_of, Initial};
use hdlkit::circuit::{Called, Follows, Kind, Primitive, Structure};
use rust_hdl_core::prelude::VCDValue;
use std::ops::Range;
use std::sync::Arc;

/// A circuit's state, with the code that runs it.
pub(super) struct Machine {
    pub code: Arc<Code>,
    pub state: Vec<u64>,
    /// The words of each memory.
    pub memories: Vec<Vec<u64>>,
    /// The addresses of the memories' words. Machine code writes there.
    pointers: Pointers,
    opaques: Vec<CalledBlock>,
    /// The top block's ports in the state.
    pub ports: Range<usize>,
    /// The words of each field of an input port, with its group; contiguous fields together.
    inputs: Vec<Vec<(u32, Range<usize>)>>,
    /// The words of the shown signals at the last report, and true if there has been no report yet.
    pub told: (Vec<u64>, bool),
    /// The ports' words at the last check.
    seen: Vec<u64>,
    pub watch: Watch,
}

/// The addresses of the words of a machine's own memories, and of its tables, which are not copied.
struct Pointers {
    all: Vec<*mut u64>,
    /// The tables of memoised clusters, all zero at first.
    _tables: Vec<u64>,
}

// SAFETY: the words belong to the machine that has the pointers, and do not move when it does.
unsafe impl Send for Pointers {}

impl Clone for Machine {
    fn clone(&self) -> Self {
        let mut memories = self.memories.clone();
        Machine {
            code: self.code.clone(),
            state: self.state.clone(),
            pointers: pointers(&mut memories, &self.code),
            memories,
            opaques: self.opaques.clone(),
            ports: self.ports.clone(),
            inputs: self.inputs.clone(),
            told: self.told.clone(),
            seen: self.seen.clone(),
            watch: self.watch.clone(),
        }
    }
}

impl Machine {
    /// See `MachineCode::new`.
    pub fn new(block: &dyn Structure, code: Arc<Code>) -> Self {
        let Code { design, program, .. } = &*code;
        let layout = &program.layout;
        let mut state = vec![0u64; layout.bytes as usize / 8];
        let flip_flops = FlipFlops::of(block);
        assert_eq!(flip_flops.len(), design.flip_flops as usize, "flip-flops");
        for (register, place) in design.registers.iter().zip(&program.registers) {
            let width = design.cells[register.cell as usize].width;
            let value = match register.initial {
                Initial::FlipFlop(number) => field(&flip_flops[number as usize], register.low, width),
                Initial::Value(value) => value,
            };
            set_value_in(&mut state, place.bit, width, value);
        }
        let mut primitives = vec![];
        block.primitives(&mut primitives);
        let mut memories = vec![];
        let mut opaques = vec![];
        let present = |(number, _): &(usize, Primitive)| !design.absent.contains(number);
        for (_, Primitive(kind)) in primitives.into_iter().enumerate().filter(present) {
            let (words, shown) = match kind {
                Kind::Opaque(block, follows) => {
                    let at = layout.opaque[opaques.len()] as usize;
                    let words = design.opaques[opaques.len()].words as usize;
                    block.outputs(&mut state[at / 8..][..words]);
                    opaques.push(CalledBlock {
                        block,
                        at,
                        words,
                        has_state: !matches!(follows, Follows::All),
                        settled: vec![0; words].into(),
                        is_settled: false,
                        quiet: vec![0; words].into(),
                        is_quiet: false,
                        group: program.sources.opaque[opaques.len()],
                    });
                    continue;
                }
                Kind::Registered(words, shown) => (words, shown),
                Kind::Memory(values, shown) => {
                    let memory = &design.memories[memories.len()];
                    let words =
                        |values: Vec<VCDValue>| values.iter().flat_map(|value| element(memory, value)).collect();
                    (words(values), words(shown))
                }
            };
            let memory: &design::Memory = &design.memories[memories.len()];
            assert_eq!(
                words.len(),
                (memory.elements * memory.stride) as usize,
                "{}",
                memory.name
            );
            let ports = layout.memory[memories.len()] as usize / 8;
            let places = memory.reads.iter().flat_map(|data| *data..data + memory.stride);
            for (place, shown) in places.zip(shown) {
                state[ports + place as usize] = shown;
            }
            memories.push(words);
        }
        assert_eq!(memories.len(), design.memories.len(), "memories");
        assert_eq!(opaques.len(), design.opaques.len(), "blocks");
        let first = layout.top as usize / 8;
        let mut inputs: Vec<Vec<(u32, Range<usize>)>> = vec![];
        for (index, port) in design.ports.iter().enumerate().filter(|(_, port)| port.input) {
            let group = program.sources.port[index];
            for (_, width, place) in &port.fields {
                let start = first + *place as usize;
                let input = (group, start..start + words_of(*width) as usize);
                match inputs.last_mut() {
                    Some(run) if run[run.len() - 1].1.end == start => run.push(input),
                    _ => inputs.push(vec![input]),
                }
            }
        }
        state[program.active()].fill(!0);
        Machine {
            ports: first..first + design.words as usize,
            inputs,
            seen: vec![0; design.port_words as usize],
            watch: Watch::default(),
            told: (vec![0; (design.words - design.port_words) as usize], true),
            pointers: pointers(&mut memories, &code),
            state,
            memories,
            opaques,
            code,
        }
    }

    /// Evaluates the combinational logic between the ports' inputs and outputs.
    pub fn settle(&mut self) {
        self.call(|program| program.settle);
    }

    /// Calls a function of the machine code.
    #[inline(always)]
    fn call(&mut self, function: impl FnOnce(&Program) -> Function) {
        let function = function(&self.code.program);
        let (state, opaques) = (
            self.state.as_mut_ptr().cast::<u8>(),
            self.opaques.as_mut_ptr().cast::<u8>(),
        );
        // SAFETY: the code was compiled for this state layout, these memories (whose words do not move) and these opaque
        // blocks; nothing else refers to them while it runs.
        unsafe { function(state, self.pointers.all.as_ptr(), opaques) };
    }

    /// Checks for changes of the top block's inputs.
    pub fn look(&mut self) {
        let seen = |words: &Range<usize>| words.start - self.ports.start..words.end - self.ports.start;
        for run in &self.inputs {
            let words = run[0].1.start..run[run.len() - 1].1.end;
            if self.state[words.clone()] == self.seen[seen(&words)] {
                continue;
            }
            for (group, words) in run {
                if self.state[words.clone()] != self.seen[seen(words)] {
                    self.seen[seen(words)].copy_from_slice(&self.state[words.clone()]);
                    mark(&mut self.state, &self.code.program, *group);
                    self.watch.forget();
                }
            }
        }
    }

    /// True if the inputs have not changed since the last check.
    pub fn inputs_stay(&self) -> bool {
        self.inputs.iter().all(|run| {
            let words = run[0].1.start..run[run.len() - 1].1.end;
            self.state[words.clone()] == self.seen[words.start - self.ports.start..words.end - self.ports.start]
        })
    }

    /// The value of `width` bits from `bit` of the state up.
    pub fn value(&self, bit: usize, width: u32) -> u128 {
        value_in(&self.state, bit, width)
    }

    /// Writes the low `width` bits of a value to the state from `bit` up.
    pub fn set_value(&mut self, bit: usize, width: u32, value: u128) {
        set_value_in(&mut self.state, bit, width, value);
    }

    /// The lowest bit of a register in the state, and its width.
    pub fn register(&self, number: usize) -> Option<(usize, u32)> {
        let Code { design, program, .. } = &*self.code;
        let cell = design.registers.get(number)?.cell;
        Some((program.registers[number].bit, design.cells[cell as usize].width))
    }

    /// Sets a register to the low bits of a value, between two cycles. The next edge compares it.
    pub fn set_register(&mut self, number: usize, value: u128) -> bool {
        let Some((at, width)) = self.register(number) else {
            return false;
        };
        self.set_value(at, width, value);
        self.watch.forget();
        let program = &self.code.program;
        let place = &program.registers[number];
        mark(&mut self.state, program, place.group);
        Flags::of([place.cluster]).set(&mut self.state[program.active()]);
        true
    }

    /// The words of a memory; `None` if it does not exist.
    pub fn memory_words(&self, number: usize) -> Option<&[u64]> {
        Some(self.memories.get(number)?)
    }

    /// Sets a word of a memory to the low bits of a value, between two cycles.
    pub fn set_memory_word(&mut self, number: usize, word: usize, value: u64) -> bool {
        let Some(place) = self.memories.get_mut(number).and_then(|words| words.get_mut(word)) else {
            return false;
        };
        let memory = &self.code.design.memories[number];
        let width = memory.word_widths().nth(word % memory.stride as usize);
        *place = value & mask(width.unwrap_or_default()) as u64;
        self.watch.forget();
        // Reads within the cycle see the change. Registered reads read again at the next edge, even from the same
        // address.
        let program = &self.code.program;
        mark(&mut self.state, program, program.sources.memory[number]);
        let due = Flags::of([program.layout.due[number]]);
        due.set(&mut self.state[program.active()]);
        true
    }

    /// A called block.
    pub fn opaque(&self, number: usize) -> Option<&dyn Called> {
        Some(&*self.opaques.get(number)?.block)
    }

    /// A called block, to change its state between two cycles.
    pub fn opaque_mut(&mut self, number: usize) -> Option<&mut dyn Called> {
        let group = self.opaques.get(number)?.group;
        mark(&mut self.state, &self.code.program, group);
        let opaque = &mut self.opaques[number];
        opaque.touch();
        Some(&mut *opaque.block)
    }

    /// Simulates the rising edge of the clock, after [`Machine::settle`].
    pub fn tick(&mut self) {
        self.watch.edges += 1;
        self.call(|program| program.edge);
        let Machine {
            code, state, opaques, ..
        } = self;
        let program = &code.program;
        let next = program.next();
        state.copy_within(next.clone(), program.active().start);
        state[next].fill(0);
        for opaque in opaques.iter_mut().filter(|opaque| opaque.has_state) {
            if opaque.tick(&mut state[opaque.at / 8..][..opaque.words]) {
                mark(state, program, opaque.group);
            }
        }
    }
}

/// The value of `width` bits from `bit` of a state's words up.
pub(super) fn value_in(state: &[u64], bit: usize, width: u32) -> u128 {
    let value = pieces(bit, width).fold(0, |value, piece| {
        value | u128::from(state[piece.word] >> piece.shift) << piece.from
    });
    value & mask(width)
}

/// Writes the low `width` bits of a value to a state's words from `bit` up.
fn set_value_in(state: &mut [u64], bit: usize, width: u32, value: u128) {
    for piece in pieces(bit, width) {
        let ones = (mask(width) >> piece.from) as u64;
        let new = (value >> piece.from) as u64;
        let word = &mut state[piece.word];
        *word = *word & !(ones << piece.shift) | (new & ones) << piece.shift;
    }
}

/// The bits of a value in one word of a state.
struct Piece {
    word: usize,
    /// The lowest of the bits in the word, and in the value.
    shift: usize,
    from: usize,
}

fn pieces(bit: usize, width: u32) -> impl Iterator<Item = Piece> {
    let end = bit + width as usize;
    (bit / 64..end.div_ceil(64)).map(move |word| {
        let start = bit.max(word * 64);
        Piece {
            word,
            shift: start % 64,
            from: start - bit,
        }
    })
}

fn pointers(memories: &mut [Vec<u64>], code: &Code) -> Pointers {
    let mut tables = vec![0; code.program.tables];
    let mut all: Vec<*mut u64> = memories.iter_mut().map(|words| words.as_mut_ptr()).collect();
    all.push(tables.as_mut_ptr());
    Pointers { all, _tables: tables }
}

/// Marks a group as changed: the clusters that depend on it will be computed.
#[inline(always)]
fn mark(state: &mut [u64], program: &Program, group: u32) {
    program.followers[group as usize].set(&mut state[program.active()]);
}
