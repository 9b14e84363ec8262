//! `softmax`: exp(x) of each of 256 numbers divided by the sum of all, for 4 rows. The expected values are computed in
//! f64.
//!
//! Without subtracting the largest number first, the second row would overflow and the third underflow. The last row
//! has a number next to which all others vanish, at a position where finding it takes the whole tree.
//!
//! The tolerance: relative errors, in units of 2^-24. A rounding is at most one unit, and a float's unit in the last
//! place is one to two units.
//!
//! - x - m is exact: numbers are multiples of 2^-17 or less, and at most 8 apart. (Those next to the last row's large
//!   number are further apart; their exp is 0.)
//! - Its product with log2(e), at most 11.6, is rounded, and log2(e) as a float is off by 0.23: an absolute error of
//!   1.23 * 11.6 in the exponent, and ln(2) times that in the exp: 9.9.
//! - EX2 has 1.39 units in the last place, RRO before it at most 0.7: 4.2.
//! - So each exp has 14.1. The sum has as much from its terms, plus 8 chained additions: 22.1.
//! - RCP has 0.975 units in the last place, 2, and the last product is rounded, 1.
//!
//! The total is 14.1 + 22.1 + 2 + 1 = 39.2, and at most as many units in the last place. The expected value itself is
//! off by half a unit, and a distance is an integer: 39.

use crate::kernel::{Kernel, Tolerance};
use crate::memory::{bits, results, Memory};
use crate::{g80, random};
use std::f32::consts::LOG2_E;

const NAME: &str = "softmax";
const ROWS: usize = 4;
const ROW: usize = 256;
const ULP: u32 = 39;

fn softmax(row: &[f32]) -> Vec<f32> {
    let exps: Vec<f64> = row.iter().map(|&x| f64::from(x).exp()).collect();
    let sum: f64 = exps.iter().sum();
    exps.iter().map(|exp| g80::flush((exp / sum) as f32)).collect()
}

fn rows() -> Vec<f32> {
    let mut rows = random::floats(NAME, "input", ROWS * ROW, -4.0, 8.0);
    for (row, distance) in [(1, 100.0), (2, -120.0)] {
        rows[ROW * row..][..ROW].iter_mut().for_each(|x| *x += distance);
    }
    rows[ROW * 3 + 205] = 100.0;
    rows
}

pub fn kernel() -> Kernel {
    let input = rows();
    let output: Vec<f32> = input.chunks(ROW).flat_map(softmax).collect();
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(bits(&input));
    memory.canaries(16);
    let at_output = memory.canaries(ROWS * ROW);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "the softmax of 4 rows of 256 floats, one block per row: maximum, EX2, sum, RCP",
        registers: 8,
        shared_data_bytes: 4 * 128,
        grid: [ROWS as u32, 1],
        block: [128, 1, 1],
        params: vec![at_input, at_output],
        constants: bits(&[LOG2_E]),
        expected: results(at_output, bits(&output)),
        tolerance: Some(Tolerance {
            ulp: ULP,
            absolute: 0.0,
        }),
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_row_add_up_to_one() {
        for row in rows().chunks(ROW) {
            let sum: f64 = softmax(row).into_iter().map(f64::from).sum();
            assert!((sum - 1.0).abs() < 1e-6);
        }
        assert_eq!(softmax(&[1.0, 1.0, 1.0, 1.0]), [0.25; 4]);
    }

    #[test]
    fn constant_is_within_the_assumed_error() {
        let error = f64::from(LOG2_E) / std::f64::consts::LOG2_E - 1.0;
        assert!(error.abs() < 0.23 * 2_f64.powi(-24), "{error}");
    }
}
