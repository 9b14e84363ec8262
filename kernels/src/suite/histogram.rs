//! `histogram`: counts the bytes of each of three parts of 1024 bytes in 64 bins, with two blocks.
//!
//! Each byte of the first part is the smaller of two random ones, so low bins are fuller than high ones. In the second
//! part, all bytes of one thread are equal, which takes a counter to its maximum. The first block also handles the
//! third part.

use crate::kernel::Kernel;
use crate::memory::{results, words_of, Memory};
use crate::random;

const NAME: &str = "histogram";
const BINS: usize = 64;
const PARTS: usize = 3;
const BLOCKS: usize = 2;
const BLOCK_THREADS: usize = 64;
/// The distance between bins in shared memory in bytes: one counter per thread, and a gap.
const PITCH: usize = BLOCK_THREADS + 4;
/// The number of words of a part that a thread counts.
const THREAD_WORDS: usize = 4;
const PART_BYTES: usize = 4 * BLOCK_THREADS * THREAD_WORDS;
/// The thread that sees a single value in the second part.
const UNIFORM_THREAD: usize = 41;

fn input() -> Vec<u8> {
    let mut bytes = random::bytes(NAME, "a", PARTS * PART_BYTES);
    let others = random::bytes(NAME, "b", PART_BYTES);
    for (byte, other) in bytes.iter_mut().zip(others) {
        *byte = other.min(*byte);
    }
    // A thread counts every 64th word of a part.
    let second = &mut bytes[PART_BYTES..][..PART_BYTES];
    for word in second.chunks_mut(4).skip(UNIFORM_THREAD).step_by(BLOCK_THREADS) {
        word.fill(0xff);
    }
    bytes
}

fn histogram(bytes: &[u8]) -> [u32; BINS] {
    let mut bins = [0; BINS];
    for byte in bytes {
        bins[usize::from(byte / 4)] += 1;
    }
    bins
}

pub fn kernel() -> Kernel {
    let input = input();
    let histograms: Vec<u32> = input.chunks(PART_BYTES).flat_map(histogram).collect();
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(words_of(&input));
    memory.canaries(16);
    let at_output = memory.canaries(histograms.len());
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "histograms of three parts of 1024 bytes in 64 bins, two blocks, a byte counter per thread and bin",
        registers: 11,
        shared_data_bytes: (BINS * PITCH) as u32,
        grid: [BLOCKS as u32, 1],
        block: [BLOCK_THREADS as u32, 1, 1],
        params: vec![at_input, PARTS as u32, at_output],
        memory: memory.words,
        expected: results(at_output, histograms),
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_in_a_bin() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(histogram(&all), [4; BINS]);
    }

    #[test]
    fn uniform_thread_fills_the_last_bin() {
        let bins = input().chunks(PART_BYTES).map(histogram).collect::<Vec<_>>();
        assert!(bins[1][BINS - 1] >= 4 * THREAD_WORDS as u32);
        assert!(bins[0][..BINS / 2].iter().sum::<u32>() > bins[0][BINS / 2..].iter().sum());
    }
}
