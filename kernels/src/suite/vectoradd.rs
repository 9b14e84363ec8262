//! `vectoradd`: c = a + b over 213 random words each, for a grid of 4 blocks of 64 threads.
//!
//! Threads 213 to 223 exit while the others of their warp continue, and the last warp exits at once. There are words
//! after the ends of the vectors, so that a thread that does not exit is detected.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "vectoradd";
const ELEMENTS: usize = 213;
/// The number of words in memory for each vector.
const ROOM: usize = 256;

pub fn kernel() -> Kernel {
    let a = random::words(NAME, "a", ROOM);
    let b = random::words(NAME, "b", ROOM);
    let sums: Vec<u32> = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
    let mut memory = Memory::default();
    let at_a = memory.place(a);
    let at_b = memory.place(b);
    let at_c = memory.canaries(ROOM);
    Kernel {
        name: NAME,
        summary: "c[i] = a[i] + b[i], unsigned, 4 blocks of 64 threads, 213 elements",
        registers: 4,
        shared_data_bytes: 0,
        grid: [4, 1],
        block: [64, 1, 1],
        params: vec![at_a, at_b, at_c, ELEMENTS as u32],
        memory: memory.words,
        expected: results(at_c, sums.into_iter().take(ELEMENTS)),
        ..Kernel::default()
    }
}
