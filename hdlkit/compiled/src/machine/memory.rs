//! A memory as it runs: its words, and the effect of an edge.

use crate::design;

/// A memory as it runs.
#[derive(Clone)]
pub(super) struct Memory {
    pub words: Vec<u64>,
    pub stride: usize,
    wrap: usize,
    registered: bool,
    enables: u32,
    /// Bits of each write enable.
    part: u32,
    /// State word where its ports' words begin.
    pub at: usize,
    /// For each registered read port, the place of its address, and the first word of its data.
    pub reads: Vec<(usize, usize)>,
    write_enable: usize,
    write_data: usize,
    pub family: u32,
}

impl Memory {
    /// A memory whose ports are at byte `at` of the state.
    pub fn new(memory: &design::Memory, at: u32, words: Vec<u64>) -> Self {
        let place = |index: usize| memory.inputs[index].place as usize;
        let first = usize::from(memory.registered);
        let ports = memory.reads.len();
        Memory {
            stride: memory.stride as usize,
            wrap: words.len() / memory.stride as usize - 1,
            registered: memory.registered,
            enables: memory.enables,
            part: memory.shape.width() as u32 / memory.enables,
            at: at as usize / 8,
            reads: (0..ports)
                .map(|port| (place(first + 2 + port), memory.reads[port] as usize))
                .collect(),
            write_enable: place(first),
            write_data: place(first + 2 + ports),
            words,
            family: memory.family,
        }
    }

    /// The edge. Returns whether it is visible, since read data may differ, and whether the next edge may change
    /// something with the same inputs.
    #[inline(always)]
    pub fn tick(&mut self, state: &mut [u64]) -> (bool, bool) {
        let words = &mut state[self.at..];
        let mut different = 0;
        if self.registered && words[0] != 0 {
            for &(address, data) in &self.reads {
                let element = (words[address] as usize & self.wrap) * self.stride;
                for (word, now) in words[data..].iter_mut().zip(&self.words[element..][..self.stride]) {
                    different |= *word ^ now;
                    *word = *now;
                }
            }
        }
        let enable = words[self.write_enable];
        if enable == 0 {
            return (different != 0, false);
        }
        let element = (words[self.write_enable + 1] as usize & self.wrap) * self.stride;
        let data = &words[self.write_data..][..self.stride];
        if self.enables == 1 {
            self.words[element..][..self.stride].copy_from_slice(data);
        } else {
            let mut mask = 0;
            for part in 0..self.enables {
                if enable >> part & 1 != 0 {
                    mask |= ((1u64 << self.part) - 1) << (part * self.part);
                }
            }
            self.words[element] = self.words[element] & !mask | data[0] & mask;
        }
        // With reads within the cycle, every write may be visible.
        (different != 0 || !self.registered, true)
    }
}
