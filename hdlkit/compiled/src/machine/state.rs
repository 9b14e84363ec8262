//! A circuit's state at run time, and its two steps.

use super::awake::Awake;
use super::called::CalledBlock;
use super::code::Code;
use super::flip_flops::FlipFlops;
use super::memory::Memory;
use super::words::element;
use crate::code::{group_of_port, groups, size};
use crate::design::{field, mask, words_of};
use hdlkit::circuit::{Called, Follows, Kind, Primitive, Structure};
use rust_hdl_core::prelude::VCDValue;
use std::ops::Range;
use std::sync::Arc;

/// A circuit's state, with the code that runs it.
pub(super) struct Machine {
    pub code: Arc<Code>,
    pub state: Vec<u64>,
    memories: Vec<Memory>,
    /// The addresses of the words of `memories`.
    pointers: Vec<*const u64>,
    opaques: Vec<CalledBlock>,
    awake_memories: Awake,
    awake_opaques: Awake,
    /// The top block's ports in the state.
    pub ports: Range<usize>,
    /// For each input port, its group and its words.
    inputs: Vec<(u32, Range<usize>)>,
    /// The words of the shown signals when they were last reported, and whether nothing has been reported yet.
    pub told: (Vec<u64>, bool),
    /// The ports' words at the last look.
    seen: Vec<u64>,
}

impl Clone for Machine {
    fn clone(&self) -> Self {
        let memories = self.memories.clone();
        Machine {
            code: self.code.clone(),
            state: self.state.clone(),
            pointers: memories.iter().map(|memory| memory.words.as_ptr()).collect(),
            memories,
            opaques: self.opaques.clone(),
            awake_memories: self.awake_memories.clone(),
            awake_opaques: self.awake_opaques.clone(),
            ports: self.ports.clone(),
            inputs: self.inputs.clone(),
            told: self.told.clone(),
            seen: self.seen.clone(),
        }
    }
}

impl Machine {
    /// See `MachineCode::new`.
    pub fn new(block: &dyn Structure, code: Arc<Code>) -> Self {
        let Code { design, program } = &*code;
        let layout = &program.layout;
        let mut state = vec![0u64; layout.bytes as usize / 8];
        let flip_flops = FlipFlops::of(block);
        assert_eq!(flip_flops.len(), design.flip_flops as usize, "flip-flops");
        for (register, at) in design.registers.iter().zip(&layout.register) {
            let width = design.cells[register.cell as usize].width;
            let value = field(&flip_flops[register.flip_flop as usize], register.low, width);
            let size = size(width);
            bytes_mut(&mut state)[*at as usize..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        let mut primitives = vec![];
        block.primitives(&mut primitives);
        let mut memories = vec![];
        let mut opaques = vec![];
        for Primitive(kind) in primitives {
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
                        family: design.opaques[opaques.len()].family,
                    });
                    continue;
                }
                Kind::Registered(words, shown) => (words, shown),
                Kind::Memory(values, shown) => {
                    let shape = &design.memories[memories.len()].shape;
                    let words = |values: Vec<VCDValue>| values.iter().flat_map(|value| element(shape, value)).collect();
                    (words(values), words(shown))
                }
            };
            let ports = &design.memories[memories.len()];
            let memory = Memory::new(ports, layout.memory[memories.len()], words);
            let places = memory.reads.iter().flat_map(|(_, data)| *data..data + memory.stride);
            for (place, shown) in places.zip(shown) {
                state[memory.at + place] = shown;
            }
            memories.push(memory);
        }
        assert_eq!(memories.len(), design.memories.len(), "memories");
        assert_eq!(opaques.len(), design.opaques.len(), "blocks");
        let first = layout.top as usize / 8;
        let mut inputs = vec![];
        for (index, port) in design.ports.iter().enumerate().filter(|(_, port)| port.input) {
            let group = group_of_port(design, index);
            for (_, width, place) in &port.fields {
                let start = first + *place as usize;
                inputs.push((group, start..start + words_of(*width) as usize));
            }
        }
        let changed = layout.changed as usize / 8;
        state[changed..][..(groups(design) as usize).div_ceil(64)].fill(!0);
        Machine {
            ports: first..first + design.words as usize,
            inputs,
            seen: vec![0; design.port_words as usize],
            told: (vec![0; (design.words - design.port_words) as usize], true),
            pointers: memories.iter().map(|m| m.words.as_ptr()).collect(),
            awake_memories: Awake::all(memories.len()),
            awake_opaques: Awake::all(opaques.len()),
            state,
            memories,
            opaques,
            code,
        }
    }

    /// Evaluates combinational logic, from the ports' inputs to their outputs.
    pub fn settle(&mut self) {
        let state = self.state.as_mut_ptr().cast::<u8>();
        for function in &self.code.program.functions {
            // SAFETY: the code was compiled for this state layout, these memories (whose words do not move) and these
            // opaque blocks; nothing else refers to them while it runs.
            unsafe { function(state, self.pointers.as_ptr(), self.opaques.as_mut_ptr().cast::<u8>()) };
        }
    }

    /// Looks for changes of the top block's inputs, which have been set.
    pub fn look(&mut self) {
        let changed = self.code.program.layout.changed as usize / 8;
        for (group, words) in &self.inputs {
            let seen = words.start - self.ports.start..words.end - self.ports.start;
            if self.state[words.clone()] != self.seen[seen.clone()] {
                self.seen[seen].copy_from_slice(&self.state[words.clone()]);
                mark(&mut self.state[changed..], *group);
            }
        }
    }

    /// The value of `width` bits at byte `at` of the state.
    pub fn value(&self, at: usize, width: u32) -> u128 {
        let mut bytes = [0; 16];
        let size = size(width);
        for (index, byte) in bytes.iter_mut().take(size).enumerate() {
            let at = at + index;
            *byte = (self.state[at / 8] >> (at % 8 * 8)) as u8;
        }
        u128::from_le_bytes(bytes)
    }

    /// Writes the low `width` bits of a value to byte `at` of the state.
    pub fn set_value(&mut self, at: usize, width: u32, value: u128) {
        let bytes = (value & mask(width)).to_le_bytes();
        let size = size(width);
        bytes_mut(&mut self.state)[at..][..size].copy_from_slice(&bytes[..size]);
    }

    /// What the parts of a family hold has changed between two cycles.
    pub fn changed(&mut self, family: u32) {
        let changed = self.code.program.layout.changed as usize / 8;
        mark(&mut self.state[changed..], family);
    }

    /// A memory's words.
    pub fn memory_words(&self, number: usize) -> Option<&[u64]> {
        Some(&self.memories.get(number)?.words)
    }

    /// Changes a word of a memory, between two cycles.
    pub fn set_memory_word(&mut self, number: usize, word: usize, value: u64) -> bool {
        let Some(memory) = self.memories.get_mut(number) else {
            return false;
        };
        let Some(place) = memory.words.get_mut(word) else {
            return false;
        };
        *place = value;
        // Reads within the cycle see it; registered ones read again at the next edge, whatever their address.
        let family = memory.family;
        self.awake_memories.wake(number as u32);
        self.changed(family);
        true
    }

    /// A called block.
    pub fn opaque(&self, number: usize) -> Option<&dyn Called> {
        Some(&*self.opaques.get(number)?.block)
    }

    /// A called block whose contents may be changed, between two cycles.
    pub fn opaque_mut(&mut self, number: usize) -> Option<&mut dyn Called> {
        let family = self.opaques.get(number)?.family;
        self.awake_opaques.wake(number as u32);
        self.changed(family);
        let opaque = &mut self.opaques[number];
        opaque.touch();
        Some(&mut *opaque.block)
    }

    /// The rising edge.
    pub fn tick(&mut self) {
        let Machine {
            code,
            state,
            memories,
            opaques,
            awake_memories,
            awake_opaques,
            ..
        } = self;
        let program = &code.program;
        let layout = &program.layout;
        let changed = layout.changed as usize / 8;
        let computed = program.computed as usize / 8;
        let distance = layout.registers as usize / 8;
        state[changed..computed].fill(0);
        for (word, takers) in program.takers.chunks(8).enumerate() {
            let mut bytes = std::mem::take(&mut state[computed + word]);
            while bytes != 0 {
                let byte = bytes.trailing_zeros() as usize / 8;
                bytes &= !(0xff << (byte * 8));
                let takers = &takers[byte];
                for family in &takers.families {
                    if take(state, layout.families[*family as usize].clone(), distance) {
                        mark(&mut state[changed..], *family);
                    }
                }
                takers.memories.iter().for_each(|memory| awake_memories.wake(*memory));
                takers.opaques.iter().for_each(|opaque| awake_opaques.wake(*opaque));
            }
        }
        awake_memories.visit(|memory| {
            let memory = &mut memories[memory as usize];
            let (shows, again) = memory.tick(state);
            if shows {
                mark(&mut state[changed..], memory.family);
            }
            again
        });
        awake_opaques.visit(|opaque| {
            let opaque = &mut opaques[opaque as usize];
            if !opaque.has_state {
                return false;
            }
            let shows = opaque.tick(&mut state[opaque.at / 8..][..opaque.words]);
            if shows {
                mark(&mut state[changed..], opaque.family);
            }
            shows
        });
    }
}

/// Registers take their next values, `distance` words further on; true if any differs.
#[inline(always)]
fn take(state: &mut [u64], registers: Range<usize>, distance: usize) -> bool {
    let (now, next) = state.split_at_mut(distance);
    let (now, next) = (&mut now[registers.clone()], &next[registers]);
    let mut different = 0;
    // By index: in a release build an iterator over both may be a call for each family, an eighth of the whole time.
    for index in 0..now.len() {
        different |= now[index] ^ next[index];
        now[index] = next[index];
    }
    different != 0
}

/// Sets a group's bit.
#[inline(always)]
fn mark(changed: &mut [u64], group: u32) {
    changed[group as usize / 64] |= 1 << (group % 64);
}

/// The state as bytes.
fn bytes_mut(state: &mut [u64]) -> &mut [u8] {
    let bytes = std::mem::size_of_val(state);
    // SAFETY: the same memory, and every byte is a valid u8.
    unsafe { std::slice::from_raw_parts_mut(state.as_mut_ptr().cast::<u8>(), bytes) }
}
