//! `saxpy_int`: y = a * x + y over 399 signed words with a = -1234567, for a grid of 2 blocks of 80 threads.
//!
//! The first elements of x are corner cases of products computed from halves; the others are random 32-bit words. 160
//! threads process 399 elements in up to three strides; the last stride ends inside a warp.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "saxpy_int";
const FACTOR: i32 = -1_234_567;
const ELEMENTS: usize = 399;
/// The number of words in memory for each vector.
const ROOM: usize = 512;
const BLOCKS: u32 = 2;
const BLOCK_THREADS: u32 = 80;

/// Values at the limits of 16, 24 and 32 bits.
const EDGES: [i32; 24] = [
    0,
    1,
    -1,
    2,
    -2,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x1_0001,
    -0x8000,
    -0x8001,
    -0xffff,
    -0x1_0000,
    -0x1_0001,
    0x7f_ffff,
    0x80_0000,
    0xff_ffff,
    0x100_0000,
    -0x80_0000,
    -0x80_0001,
    0x7fff_ffff,
    -0x7fff_ffff,
    -0x8000_0000,
];

pub fn kernel() -> Kernel {
    let mut x = EDGES.map(|edge| edge as u32).to_vec();
    x.extend(random::words(NAME, "x", ROOM - EDGES.len()));
    let y = random::words(NAME, "y", ROOM);
    let sums: Vec<u32> = x
        .iter()
        .zip(&y)
        .map(|(&x, &y)| FACTOR.wrapping_mul(x as i32).wrapping_add(y as i32) as u32)
        .collect();
    let mut memory = Memory::default();
    let at_x = memory.place(x);
    let at_y = memory.place(y);
    let threads = BLOCKS * BLOCK_THREADS;
    Kernel {
        name: NAME,
        summary: "y[i] = a * x[i] + y[i], signed 32 bits from 16-bit products, 2 blocks of 80 threads, 399 elements",
        registers: 8,
        shared_data_bytes: 0,
        grid: [BLOCKS, 1],
        block: [BLOCK_THREADS, 1, 1],
        params: vec![FACTOR as u32, at_x, at_y, ELEMENTS as u32],
        memory: memory.words,
        constants: vec![threads, 4 * threads],
        expected: results(at_y, sums.into_iter().take(ELEMENTS)),
        ..Kernel::default()
    }
}
