//! `bitonic_sort`: sorts 512 signed words in place: a descending part, a part with few distinct keys, a part with
//! extreme keys, and a random one.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "bitonic_sort";
const KEYS: usize = 512;

fn keys() -> Vec<i32> {
    let mut keys: Vec<i32> = (0..128).rev().map(|i| i << 20).collect();
    keys.extend(
        random::words_below(NAME, "few", 120, 5)
            .into_iter()
            .map(|key| key as i32 - 2),
    );
    keys.extend([i32::MIN, i32::MAX, i32::MIN, -1, 0, 1, i32::MAX - 1, i32::MIN + 1]);
    let rest = random::words(NAME, "random", KEYS - keys.len());
    keys.extend(rest.into_iter().map(|word| word as i32));
    keys
}

pub fn kernel() -> Kernel {
    let keys = keys();
    let mut sorted = keys.clone();
    sorted.sort();
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_keys = memory.place(keys.into_iter().map(|key| key as u32));
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "sorts 512 signed words in shared memory, 256 threads, 45 steps with a barrier each",
        registers: 9,
        shared_data_bytes: 4 * KEYS as u32,
        grid: [1, 1],
        block: [KEYS as u32 / 2, 1, 1],
        params: vec![at_keys],
        memory: memory.words,
        expected: results(at_keys, sorted.into_iter().map(|key| key as u32)),
        ..Kernel::default()
    }
}
