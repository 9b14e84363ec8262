//! Snapshots: a circuit's state between two cycles, as words.
//!
//! The state is registers, memories and the data at registered read ports. All other values depend on these and the
//! inputs, and their layout depends on the signals that are shown, and on the compiler.

use super::code::Code;
use super::machine_code::MachineCode;
use crate::design::{mask, words_of, Design};

/// Lowest bit in the state and width of every state value.
fn values(code: &Code) -> impl Iterator<Item = (usize, u32)> + '_ {
    let (design, program) = (&code.design, &code.program);
    let registers = program.registers.iter().map(|place| place.bit);
    let memories = design.memories.iter().zip(&program.layout.memory);
    let data = memories.flat_map(|(memory, at)| {
        let reads = memory.reads.iter();
        reads.flat_map(move |first| (0..memory.stride).map(move |word| (*at + (first + word) * 8) as usize * 8))
    });
    registers.chain(data).zip(widths(design))
}

/// The widths of all state values in bits: registers, then the data at registered read ports.
fn widths(design: &Design) -> impl Iterator<Item = u32> + '_ {
    let registers = design.registers.iter();
    let registers = registers.map(|register| design.cells[register.cell as usize].width);
    let data = design.memories.iter();
    registers.chain(data.flat_map(|memory| memory.reads.iter().flat_map(|_| memory.word_widths())))
}

/// The saved part of a state value: everything except the switches of gate faults, which are not part of a circuit's
/// state.
pub(crate) fn kept(design: &Design, number: u32, value: u128) -> u128 {
    match design.has_switches(number) {
        true => 0,
        false => value,
    }
}

/// Saves a state value.
pub(crate) fn push(words: &mut Vec<u64>, value: u128, width: u32) {
    words.push(value as u64);
    if width > 64 {
        words.push((value >> 64) as u64);
    }
}

/// The state values, masked to their widths, and the memories' words; `None` if there are too few words or too many.
pub(crate) fn parts<'a>(design: &'a Design, saved: &'a [u64]) -> Option<(impl Iterator<Item = u128> + 'a, &'a [u64])> {
    let lasting: usize = widths(design).map(|width| words_of(width) as usize).sum();
    let memories = design.memories.iter();
    let memories: u32 = memories.map(|memory| memory.elements * memory.stride).sum();
    if saved.len() != lasting + memories as usize {
        return None;
    }
    let (mut lasting, memories) = saved.split_at(lasting);
    let values = widths(design).map(move |width| {
        let (words, after) = lasting.split_at(words_of(width) as usize);
        lasting = after;
        let value = words.iter().rev();
        value.fold(0, |value, word| value << 64 | u128::from(*word)) & mask(width)
    });
    Some((values, memories))
}

/// Fills the memories with the words of [`parts`].
pub(crate) fn fill(design: &Design, memories: &mut [Vec<u64>], mut saved: &[u64]) {
    for (memory, about) in memories.iter_mut().zip(&design.memories) {
        let (words, after) = saved.split_at(memory.len());
        // An address with excess bits would be outside another memory.
        let masks: Vec<u64> = about.word_widths().map(|width| mask(width) as u64).collect();
        for (word, (saved, mask)) in memory.iter_mut().zip(words.iter().zip(masks.iter().cycle())) {
            *word = saved & mask;
        }
        saved = after;
    }
}

impl MachineCode {
    /// The circuit's state after a clock edge, for [`MachineCode::restore`]. `None` if it has called blocks: their
    /// state cannot be read here.
    pub fn save(&self) -> Option<Vec<u64>> {
        let machine = &*self.0;
        if !machine.code.design.opaques.is_empty() {
            return None;
        }
        let mut words = Vec::new();
        for (number, (at, width)) in (0..).zip(values(&machine.code)) {
            push(
                &mut words,
                kept(&machine.code.design, number, machine.value(at, width)),
                width,
            );
        }
        machine.memories.iter().for_each(|memory| words.extend(memory));
        Some(words)
    }

    /// Restores a saved state of a machine of the same circuit, which may have shown other signals. Inputs do not
    /// change. Excess bits of values are ignored. Returns false, without a change, if there are too few words or too
    /// many.
    #[must_use]
    pub fn restore(&mut self, saved: &[u64]) -> bool {
        let machine = &mut *self.0;
        let code = machine.code.clone();
        let design = &code.design;
        let Some((lasting, memories)) = parts(design, saved).filter(|_| design.opaques.is_empty()) else {
            return false;
        };
        for ((at, width), value) in values(&code).zip(lasting) {
            machine.set_value(at, width, value);
        }
        fill(design, &mut machine.memories, memories);
        machine.watch.forget();
        // All signals are computed again.
        machine.state[code.program.active()].fill(!0);
        true
    }
}
