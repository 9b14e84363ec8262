//! `sort`: two segments, of 32 and of 23 signed words, each sorted in place.
//!
//! The first segment is in descending order except for some equal and extreme words, so it needs all 32 phases; the
//! second one is random. The words of another segment after them must be unchanged.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "sort";
const SEGMENT: usize = 32;
const ELEMENTS: usize = 55;
/// The number of words in memory before the segments.
const BEFORE: usize = 64;

/// Random signed words, followed by `more`.
fn signed(stream: &str, count: usize, more: &[i32]) -> Vec<i32> {
    let random = random::words(NAME, stream, count - more.len());
    random
        .into_iter()
        .map(|word| word as i32)
        .chain(more.iter().copied())
        .collect()
}

pub fn kernel() -> Kernel {
    let mut descending = signed("first", SEGMENT - 6, &[]);
    descending.sort_by(|a, b| b.cmp(a));
    let highest = descending.iter().copied().take(1);
    let lowest = descending.iter().copied().rev().take(1);
    let first: Vec<i32> = [i32::MAX]
        .into_iter()
        .chain(highest)
        .chain(descending.iter().copied())
        .chain(lowest)
        .chain([i32::MIN, 0, 0])
        .collect();
    let second = signed("second", ELEMENTS - SEGMENT, &[-1, 1, -1]);

    let data: Vec<u32> = first.iter().chain(&second).map(|&word| word as u32).collect();
    let sorted = [first, second].into_iter().flat_map(|mut segment| {
        segment.sort();
        segment
    });
    let mut memory = Memory::default();
    memory.canaries(BEFORE);
    let at_data = memory.place(data);
    memory.place(random::words(NAME, "behind", SEGMENT));
    Kernel {
        name: NAME,
        summary: "sorts segments of 32 signed words, one per warp: 32 and 23 words",
        registers: 9,
        shared_data_bytes: 0,
        grid: [1, 1],
        block: [64, 1, 1],
        params: vec![at_data, ELEMENTS as u32],
        memory: memory.words,
        expected: results(at_data, sorted.map(|word| word as u32)),
        ..Kernel::default()
    }
}
