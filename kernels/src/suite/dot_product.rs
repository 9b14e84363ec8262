//! `dot_product`: the sums of products of 4 parts of two vectors of floats, added in the order of the threads.
//! Bit-exact.

use crate::kernel::Kernel;
use crate::memory::{bits, results, Memory};
use crate::{g80, random};

const NAME: &str = "dot_product";
const PARTS: usize = 4;
const THREADS: usize = 128;
const PART: usize = 2 * THREADS;

/// The sum of products of a part: two per thread, then as a tree.
fn dot(x: &[f32], y: &[f32]) -> f32 {
    let mut sums: Vec<f32> = (0..THREADS)
        .map(|i| {
            let first = g80::mul(x[i], y[i]);
            g80::mad(x[i + THREADS], y[i + THREADS], first)
        })
        .collect();
    while sums.len() > 1 {
        let upper = sums.split_off(sums.len() / 2);
        for (sum, other) in sums.iter_mut().zip(upper) {
            *sum = g80::add(*sum, other);
        }
    }
    sums[0]
}

pub fn kernel() -> Kernel {
    let x = random::floats(NAME, "x", PARTS * PART, -1.0, 2.0);
    let y = random::floats(NAME, "y", PARTS * PART, -1.0, 2.0);
    let sums = x.chunks(PART).zip(y.chunks(PART)).map(|(x, y)| dot(x, y).to_bits());
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_x = memory.place(bits(&x));
    memory.canaries(16);
    let at_y = memory.place(bits(&y));
    memory.canaries(16);
    let at_partial = memory.canaries(PARTS);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "the dot product of two vectors of 1,024 floats, a quarter per block, by a tree in shared memory",
        registers: 8,
        shared_data_bytes: 4 * THREADS as u32,
        grid: [PARTS as u32, 1],
        block: [THREADS as u32, 1, 1],
        params: vec![at_x, at_y, at_partial],
        expected: results(at_partial, sums),
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_is_near_the_exact_sum() {
        let x = random::floats(NAME, "x", PART, -1.0, 2.0);
        let y = random::floats(NAME, "y", PART, -1.0, 2.0);
        let exact: f64 = x.iter().zip(&y).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
        assert!((f64::from(dot(&x, &y)) - exact).abs() < 1e-5);
    }
}
