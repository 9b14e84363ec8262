//! `reduction`: the sum of 1,000 random words modulo 2^32, by one block of 256 threads.
//!
//! 1,000 is not a multiple of 256, so threads add up three or four words each. The words after the last one must not be
//! added.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "reduction";
const WORDS: usize = 1_000;
const THREADS: u32 = 256;

pub fn kernel() -> Kernel {
    let input = random::words(NAME, "input", WORDS);
    let sum = input.iter().fold(0_u32, |sum, &word| sum.wrapping_add(word));
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(input);
    memory.canaries(64);
    let at_output = memory.canaries(1);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "the sum of 1000 words, by a tree of 256 threads in shared memory",
        registers: 6,
        shared_data_bytes: 4 * THREADS,
        grid: [1, 1],
        block: [THREADS, 1, 1],
        params: vec![at_input, WORDS as u32, at_output],
        memory: memory.words,
        expected: results(at_output, [sum]),
        ..Kernel::default()
    }
}
