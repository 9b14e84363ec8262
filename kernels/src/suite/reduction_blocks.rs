//! `reduction_blocks`: the sums modulo 2^32 of 16 parts of 256 random words, with one block of 128 threads per part.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "reduction_blocks";
const PARTS: usize = 16;
const PART: usize = 256;
const BLOCK_THREADS: u32 = 128;

pub fn kernel() -> Kernel {
    let input = random::words(NAME, "input", PARTS * PART);
    let sum = |part: &[u32]| part.iter().fold(0_u32, |sum, &word| sum.wrapping_add(word));
    let sums: Vec<u32> = input.chunks(PART).map(sum).collect();
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(input);
    memory.canaries(16);
    let at_output = memory.canaries(PARTS);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "the sum of each of 16 parts of 256 words, one block per part; threads exit between barriers",
        registers: 6,
        shared_data_bytes: 4 * BLOCK_THREADS,
        grid: [PARTS as u32, 1],
        block: [BLOCK_THREADS, 1, 1],
        params: vec![at_input, at_output],
        memory: memory.words,
        expected: results(at_output, sums),
        ..Kernel::default()
    }
}
