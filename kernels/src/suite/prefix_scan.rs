//! `prefix_scan`: the exclusive prefix sums of 512 random words modulo 2^32, followed by the total.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "prefix_scan";
const WORDS: usize = 512;

/// The sum of the words before each word, and the total.
fn sums(words: &[u32]) -> Vec<u32> {
    let mut sum = 0_u32;
    let mut sums = vec![sum];
    for word in words {
        sum = sum.wrapping_add(*word);
        sums.push(sum);
    }
    sums
}

pub fn kernel() -> Kernel {
    let input = random::words(NAME, "input", WORDS);
    let sums = sums(&input);
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(input);
    memory.canaries(16);
    let at_output = memory.canaries(sums.len());
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "exclusive prefix sums of 512 words, up and down a tree in shared memory, by 256 threads",
        registers: 11,
        shared_data_bytes: 4 * WORDS as u32,
        grid: [1, 1],
        block: [WORDS as u32 / 2, 1, 1],
        params: vec![at_input, at_output],
        memory: memory.words,
        expected: results(at_output, sums),
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sum_excludes_its_own_word() {
        assert_eq!(sums(&[3, 1, u32::MAX, 7]), [0, 3, 4, 3, 10]);
    }
}
