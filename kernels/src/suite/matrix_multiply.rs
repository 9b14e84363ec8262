//! `matrix_multiply`: C = A * B for matrices of 32 x 32 signed 24-bit numbers, with sums modulo 2^32.
//!
//! The corners of A and B are the extreme numbers; all others are random 24-bit numbers.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use crate::random;

const NAME: &str = "matrix_multiply";
const SIZE: usize = 32;
/// The extreme 24-bit numbers.
const SMALLEST: i32 = -(1 << 23);
const LARGEST: i32 = (1 << 23) - 1;

/// A matrix, as rows.
type Matrix = Vec<Vec<i32>>;

fn input(stream: &str, corners: [i32; 2]) -> Matrix {
    let random = random::words(NAME, stream, SIZE * SIZE);
    let mut numbers: Vec<i32> = random.into_iter().map(|word| word as i32 >> 8).collect();
    numbers[0] = corners[0];
    numbers[SIZE * SIZE - 1] = corners[1];
    numbers.chunks(SIZE).map(<[i32]>::to_vec).collect()
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let element = |row: &[i32], column: usize| {
        let products = row.iter().zip(b).map(|(&a, b)| a.wrapping_mul(b[column]));
        products.fold(0, i32::wrapping_add)
    };
    a.iter()
        .map(|row| (0..SIZE).map(|column| element(row, column)).collect())
        .collect()
}

fn words(matrix: &Matrix) -> impl Iterator<Item = u32> + '_ {
    matrix.iter().flatten().map(|&number| number as u32)
}

pub fn kernel() -> Kernel {
    let a = input("a", [SMALLEST, LARGEST]);
    let b = input("b", [SMALLEST, SMALLEST]);
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_a = memory.place(words(&a));
    let at_b = memory.place(words(&b));
    memory.canaries(16);
    let at_c = memory.canaries(SIZE * SIZE);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "C = A * B, matrices of 32 x 32 24-bit numbers, in tiles of 16 x 16 in shared memory",
        registers: 13,
        shared_data_bytes: 2 * 4 * 16 * 16,
        grid: [2, 2],
        block: [16, 16, 1],
        params: vec![at_a, at_b, at_c],
        memory: memory.words,
        expected: results(at_c, words(&product(&a, &b))),
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_matrix_is_neutral() {
        let unit: Matrix = (0..SIZE)
            .map(|row| (0..SIZE).map(|column| i32::from(row == column)).collect())
            .collect();
        let a = input("a", [1, 2]);
        assert_eq!(product(&a, &unit), a);
        assert_eq!(product(&unit, &a), a);
    }
}
