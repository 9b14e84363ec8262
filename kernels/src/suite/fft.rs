//! `fft`: the discrete Fourier transform of 256 complex numbers. The expected values are the defining sum, in f64.
//!
//! The tolerance follows from the errors of the kernel's operations, in units of u = 2^-24. In each stage:
//!
//! - An angle, at most pi, is an integer times -pi / n. This float has a relative error of 0.5, and the product is
//!   rounded, 1: 4.8 u. SIN and COS with RRO are accurate to 2^-21.46 and 2^-21.24 there, 5.9 u and 6.8 u. So a
//!   factor's parts have 10.7 u and 11.6 u: the factor is off by less than 15.8 u.
//! - Its product with a number: each part is a product, rounded, and a truncated one, 2, and their sum, 1. That is at
//!   most 3 times the number's magnitude, 4.3 for both parts.
//! - The sum: 1 for both parts.
//!
//! Each output is the sum of all inputs, each times a factor of magnitude 1, computed in 8 such stages: its error is at
//! most 8 * 21.1 u times the sum of the inputs' magnitudes, plus half a unit in the last place of the expected value.

use crate::kernel::{rounded_up, Kernel, Tolerance};
use crate::memory::{bits, results, Memory};
use crate::random;
use std::f64::consts::TAU;

const NAME: &str = "fft";
const POINTS: usize = 256;
const STAGES: i32 = 8;
const U: f64 = 1.0 / (1 << 24) as f64;

/// A complex number: real and imaginary part.
type Complex = [f64; 2];

fn transform(input: &[Complex]) -> Vec<Complex> {
    let point = |k: usize| {
        let terms = input.iter().enumerate().map(|(j, &[re, im])| {
            // The angle as a fraction of a turn, reduced modulo 1.
            let angle = -TAU * ((j * k % input.len()) as f64) / input.len() as f64;
            let (sin, cos) = angle.sin_cos();
            [re * cos - im * sin, re * sin + im * cos]
        });
        terms.fold([0.0; 2], |sum, term| [sum[0] + term[0], sum[1] + term[1]])
    };
    (0..input.len()).map(point).collect()
}

pub fn kernel() -> Kernel {
    let input = random::floats(NAME, "input", 2 * POINTS, -1.0, 2.0);
    let numbers: Vec<Complex> = input.chunks(2).map(|part| [part[0], part[1]].map(f64::from)).collect();
    let magnitudes: f64 = numbers.iter().map(|[re, im]| re.hypot(*im)).sum();
    let output = transform(&numbers);
    let output: Vec<f32> = output.as_flattened().iter().map(|&part| part as f32).collect();
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(bits(&input));
    memory.canaries(16);
    let at_output = memory.canaries(2 * POINTS);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary:
            "the Fourier transform of 256 complex numbers, radix 2 in shared memory, twiddle factors by SIN and COS",
        registers: 14,
        shared_data_bytes: 2 * 4 * POINTS as u32,
        grid: [1, 1],
        block: [POINTS as u32 / 2, 1, 1],
        params: vec![at_input, at_output],
        expected: results(at_output, bits(&output)),
        tolerance: Some(Tolerance {
            ulp: 0,
            absolute: rounded_up((f64::from(STAGES) * 21.1 + 1.0) * U * magnitudes),
        }),
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotating_number_has_a_single_frequency() {
        let input: Vec<Complex> = (0..16)
            .map(|j| (TAU * 3.0 * f64::from(j) / 16.0).sin_cos())
            .map(|(sin, cos)| [cos, sin])
            .collect();
        for (k, [re, im]) in transform(&input).into_iter().enumerate() {
            let want = if k == 3 { 16.0 } else { 0.0 };
            assert!((re - want).abs() < 1e-12 && im.abs() < 1e-12, "{k}: {re} {im}");
        }
    }

    #[test]
    fn most_results_are_far_above_the_tolerance() {
        let kernel = kernel();
        let tolerance = kernel.tolerance.unwrap().absolute;
        let large = kernel
            .expected
            .values()
            .filter(|&&word| f64::from(f32::from_bits(word).abs()) > 1000.0 * tolerance);
        assert!(large.count() > 3 * POINTS / 2, "{tolerance}");
    }
}
