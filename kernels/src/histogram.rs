//! `histogram`: for two blocks of 64 threads, how many of the block's 2048 bytes fall into each of 64 bins.
//!
//! The first block's bytes are the smaller of two random ones, so low bins are fuller than high ones. Of the second's,
//! those of one thread are all the same, which brings a counter to its highest number.

use crate::{random, results, words_of, Kernel, Memory};

const NAME: &str = "histogram";
const BINS: usize = 64;
const BLOCKS: usize = 2;
const BLOCK_THREADS: usize = 64;
/// Words of the input that a thread counts.
const THREAD_WORDS: usize = 8;
const BLOCK_BYTES: usize = 4 * BLOCK_THREADS * THREAD_WORDS;
/// The thread that meets a single value.
const UNIFORM_THREAD: usize = 41;

fn input() -> Vec<u8> {
    let a = random::bytes(NAME, "a", BLOCKS * BLOCK_BYTES);
    let b = random::bytes(NAME, "b", BLOCK_BYTES);
    let mut bytes = a;
    for (byte, other) in bytes.iter_mut().zip(b) {
        *byte = other.min(*byte);
    }
    // A thread takes every 64th word of its block.
    for word in bytes[BLOCK_BYTES..]
        .chunks_mut(4)
        .skip(UNIFORM_THREAD)
        .step_by(BLOCK_THREADS)
    {
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
    let histograms: Vec<u32> = input.chunks(BLOCK_BYTES).flat_map(histogram).collect();
    let mut memory = Memory::default();
    let at_input = memory.place(words_of(&input));
    memory.canaries(16);
    let at_output = memory.canaries(histograms.len());
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "histograms of 64 bins of 2048 bytes each, two blocks, a byte counter for each thread and bin",
        registers: 10,
        shared_data_bytes: (BINS * BLOCK_THREADS) as u32,
        grid: [BLOCKS as u32, 1],
        block: [BLOCK_THREADS as u32, 1, 1],
        params: vec![at_input, at_output],
        memory: memory.words,
        constants: vec![],
        expected: results(at_output, histograms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_in_a_bin() {
        let bins = histogram(&(0..=255).collect::<Vec<u8>>());
        assert_eq!(bins, [4; BINS]);
        assert_eq!(
            input()
                .chunks(BLOCK_BYTES)
                .map(|part| histogram(part).iter().sum::<u32>())
                .max(),
            Some(2048)
        );
    }
}
