//! `transpose`: a matrix of 64 x 64 random words, with 16 blocks of 16 x 16 threads.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "transpose";
const SIZE: usize = 64;
/// The number of words of a tile in shared memory: 16 rows of 17.
const TILE_WORDS: u32 = 16 * 17;

pub fn kernel() -> Kernel {
    let input = random::words(NAME, "input", SIZE * SIZE);
    let output: Vec<u32> = (0..SIZE)
        .flat_map(|column| input.iter().skip(column).step_by(SIZE).copied())
        .collect();
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(input);
    memory.canaries(16);
    let at_output = memory.canaries(SIZE * SIZE);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary:
            "transposes a matrix of 64 x 64 words in tiles of 16 x 16 in shared memory, with rows padded to 17 words",
        registers: 9,
        shared_data_bytes: 4 * TILE_WORDS,
        grid: [4, 4],
        block: [16, 16, 1],
        params: vec![at_input, at_output],
        memory: memory.words,
        expected: results(at_output, output),
        ..Kernel::default()
    }
}
