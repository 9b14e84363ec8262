//! `sgemm_naive` and `sgemm_tiled`: C = A * B for matrices of 32 x 32 floats, with each sum in the order of A's row.
//! Bit-exact, and equal for both.

use crate::kernel::Kernel;
use crate::memory::{bits, results, Memory};
use crate::{g80, random};

const SIZE: usize = 32;

/// The product of two matrices, as rows.
fn product(a: &[f32], b: &[f32]) -> Vec<f32> {
    let element = |row: usize, column: usize| {
        (0..SIZE).fold(0.0, |sum, k| g80::mad(a[SIZE * row + k], b[SIZE * k + column], sum))
    };
    (0..SIZE * SIZE).map(|i| element(i / SIZE, i % SIZE)).collect()
}

/// A kernel of this name, without the launch and the other parts that depend on its source.
fn of_matrices(name: &'static str) -> Kernel {
    let a = random::floats(name, "a", SIZE * SIZE, -1.0, 2.0);
    let b = random::floats(name, "b", SIZE * SIZE, -1.0, 2.0);
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_a = memory.place(bits(&a));
    let at_b = memory.place(bits(&b));
    memory.canaries(16);
    let at_c = memory.canaries(SIZE * SIZE);
    memory.canaries(16);
    Kernel {
        name,
        params: vec![at_a, at_b, at_c],
        expected: results(at_c, bits(&product(&a, &b))),
        memory: memory.words,
        ..Kernel::default()
    }
}

pub fn naive() -> Kernel {
    Kernel {
        summary: "C = A * B, matrices of 32 x 32 floats, from global memory",
        registers: 9,
        grid: [2, 2],
        block: [16, 16, 1],
        ..of_matrices("sgemm_naive")
    }
}

pub fn tiled() -> Kernel {
    Kernel {
        summary: "C = A * B, matrices of 32 x 32 floats in shared memory, by one block of 1,024 threads",
        registers: 8,
        shared_data_bytes: 2 * 4 * (SIZE * SIZE) as u32,
        grid: [1, 1],
        block: [32, 32, 1],
        ..of_matrices("sgemm_tiled")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_matrix_is_neutral() {
        let unit: Vec<f32> = (0..SIZE * SIZE)
            .map(|i| if i / SIZE == i % SIZE { 1.0 } else { 0.0 })
            .collect();
        let a = random::floats("sgemm_naive", "a", SIZE * SIZE, -1.0, 2.0);
        assert_eq!(product(&a, &unit), a);
        assert_eq!(product(&unit, &a), a);
    }
}
