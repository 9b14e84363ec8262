//! `divergence`: four blocks of 48 threads: two warps each, the second half empty. The input words select the paths.
//!
//! Three of the eight warps have random words. The words of the others are chosen so that, together, they cover every
//! way in which threads can leave while others continue (`machine/model/tests/kernels.rs` checks that they do).

use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::random;

const NAME: &str = "divergence";
const BLOCKS: usize = 4;
const BLOCK_THREADS: usize = 48;
/// The number of threads in the first warp of a block, and in the second.
const WARP: usize = 32;
const REST: usize = BLOCK_THREADS - WARP;

/// The signature of a thread: the marks that it has passed.
struct Signature(u32);

impl Signature {
    fn mark(&mut self, mark: u32) {
        self.0 = self.0.wrapping_mul(33).wrapping_add(mark);
    }
}

/// The path of a thread with input word `v`, as the source of `divergence/kernel.sass` describes it.
///
/// Returns the word that the thread stores, or `None` if it ends without storing.
fn path(v: u32) -> Option<u32> {
    let bit = |k: u32| v >> k & 1 == 1;
    let mut signature = Signature(1);
    // Part 1
    signature.mark(1);
    // Part 2
    if bit(0) {
        signature.mark(2);
        if bit(1) {
            signature.mark(3);
            signature.mark(if bit(2) { 4 } else { 5 });
            signature.mark(6);
        } else if bit(3) {
            signature.mark(7);
        }
        signature.mark(8);
    } else {
        signature.mark(9);
    }
    signature.mark(10);
    // Part 3
    for _ in 0..=(v >> 4 & 7) {
        signature.mark(11);
    }
    for left in (1..=(v >> 8 & 15)).rev() {
        if left % 2 == 1 {
            signature.mark(12);
        }
        signature.mark(13);
    }
    signature.mark(14);
    // Part 4
    if bit(12) {
        signature.mark(15);
        if bit(13) {
            return Some(signature.0);
        }
        signature.mark(16);
    } else {
        if bit(14) {
            signature.mark(17);
            return Some(signature.0);
        }
        signature.mark(18);
        signature.mark(19);
        if bit(15) {
            signature.mark(20);
            return bit(13).then_some(signature.0);
        }
    }
    if bit(12) {
        signature.0 = signature.0.wrapping_add(0x55);
    }
    signature.mark(21);
    // Part 5
    bit(16).then_some(signature.0)
}

/// The word with bit `bit` set or cleared.
fn with(word: u32, bit: u32, value: bool) -> u32 {
    word & !(1 << bit) | u32::from(value) << bit
}

/// The words of all threads.
fn input() -> Vec<u32> {
    // Bit 16 is mostly set, so most threads store at the end.
    let random = random::words(NAME, "input", BLOCKS * BLOCK_THREADS);
    let chances = random::words(NAME, "store", BLOCKS * BLOCK_THREADS);
    let mut words: Vec<u32> = random
        .iter()
        .zip(chances)
        .map(|(&word, chance)| with(word, 16, chance % 4 != 0))
        .collect();
    let mut warp = |block: usize, first: usize, count: usize, change: &dyn Fn(u32, usize) -> u32| {
        let first = block * BLOCK_THREADS + first;
        for (lane, word) in words[first..first + count].iter_mut().enumerate() {
            *word = change(*word, lane);
        }
    };
    // Block 0, warp 1: the whole second path leaves at the RET of the nested if, so no thread waits at its join, and
    // the stack leads to the first path, past that join.
    warp(0, WARP, REST, &|word, lane| {
        if lane % 2 == 0 {
            with(with(word, 12, false), 14, true)
        } else {
            with(word, 12, true)
        }
    });
    // Block 1, warp 0: the same word for all threads, which makes every branch uniform.
    let uniform = random[BLOCK_THREADS] & !(0b1111 << 12) | 1 << 16 | 0b0101;
    warp(1, 0, WARP, &|_, _| uniform);
    // Block 1, warp 1: all threads of the warp leave at the RET of the nested if.
    warp(1, WARP, REST, &|word, _| with(with(word, 12, false), 14, true));
    // Block 2, warp 0: the whole second path leaves, some threads at that RET and the others at the exit marker; then
    // the first path leaves, except for one thread.
    warp(2, 0, WARP, &|word, lane| match lane {
        lane if lane % 2 == 0 => with(with(word, 12, false), 15, true),
        31 => with(with(with(word, 13, false), 12, true), 16, true),
        _ => with(with(word, 12, true), 13, true),
    });
    // Block 3, warp 0: all take the second path. Threads that leave at the exit marker are last; the others wait at the
    // join of part 4.
    warp(3, 0, WARP, &|word, _| with(word, 12, false));
    words
}

pub fn kernel() -> Kernel {
    let words = input();
    let stored: Vec<Option<u32>> = words.iter().map(|&word| path(word)).collect();
    let mut memory = Memory::default();
    let at_input = memory.place(words);
    let at_output = memory.canaries(BLOCKS * BLOCK_THREADS);
    Kernel {
        name: NAME,
        summary: "nested ifs, loops with a trip count per thread, early exits: a signature of each thread's path",
        registers: 8,
        shared_data_bytes: 0,
        grid: [BLOCKS as u32, 1],
        block: [BLOCK_THREADS as u32, 1, 1],
        params: vec![at_input, at_output],
        memory: memory.words,
        constants: (0..17).map(|k| 1 << k).collect(),
        expected: (at_output..)
            .step_by(4)
            .zip(stored)
            .filter_map(|(address, word)| Some((address, word?)))
            .collect(),
        ..Kernel::default()
    }
}
