//! `divide_sqrt`: quotients and square roots with the code that NVIDIA's compilers generated for compute capability
//! 1.0.
//!
//! The CUDA programming guide states the errors of this code relative to the correctly rounded result: 2 units in the
//! last place for the division, 3 for the root. The tolerance of the launch is the larger one. The bound of the
//! division is not checked here; it follows from 0.975 units of RCP and half a unit of the product.

use crate::kernel::{Kernel, Tolerance};
use crate::memory::{bits, results, Memory};
use crate::{g80, random};

const NAME: &str = "divide_sqrt";
const NUMBERS: usize = 512;
const BLOCK_THREADS: usize = 64;
/// The error of the root in the programming guide, in units in the last place.
const ULP: u32 = 3;

/// Operand pairs at special cases.
fn special() -> Vec<(f32, f32)> {
    let (large, infinity) = (2_f32.powi(126), f32::INFINITY);
    let denormal = f32::from_bits(0x0000_1234);
    vec![
        // Near the smallest b for which both operands are scaled, and the largest.
        (3.0 * 2_f32.powi(124), large),
        (1e30, -1.000_001 * large),
        (-f32::MAX, 1.5 * large),
        (f32::MAX, f32::MAX),
        (2_f32.powi(127), 1.9 * large),
        // A quarter of a would be flushed to zero.
        (1.25 * 2_f32.powi(-125), 1.75 * 2_f32.powi(-125)),
        // The quotient is flushed to zero.
        (2.0, 1.9 * large),
        (1.0, 0.0),
        (-1.0, 0.0),
        (1.0, -0.0),
        (0.0, 5.0),
        (-0.0, 5.0),
        (0.0, 0.0),
        (infinity, 2.0),
        (2.0, infinity),
        (infinity, infinity),
        (f32::NAN, 2.0),
        (2.0, f32::NAN),
        (denormal, 1.0),
        (1.0, denormal),
        (4.0, 2.0),
        (9.0, 3.0),
    ]
}

/// The expected float on a G80: without denormals, and with one NaN.
fn word(exact: f64) -> u32 {
    g80::add(exact as f32, -0.0).to_bits()
}

pub fn kernel() -> Kernel {
    let numbers = |stream: &str| {
        let words = random::words(NAME, stream, NUMBERS).into_iter();
        // Both signs, and magnitudes from 2^-60 to 2^60.
        words.map(|word| f32::from_bits(word & 0x807f_ffff | (67 + (word >> 23) % 120) << 23))
    };
    let pairs: Vec<(f32, f32)> = special()
        .into_iter()
        .chain(numbers("a").zip(numbers("b")))
        .take(NUMBERS)
        .collect();
    let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
    let exact = |x: f32| f64::from(g80::flush(x));
    let quotients = a.iter().zip(&b).map(|(&a, &b)| word(exact(a) / exact(b)));
    // The root of -0 is the reciprocal of RSQ(-0), which is -Inf: -0.
    let roots = a.iter().map(|&a| word(exact(a).sqrt()));
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_a = memory.place(bits(&a));
    let at_b = memory.place(bits(&b));
    memory.canaries(16);
    let at_quotients = memory.canaries(NUMBERS);
    memory.canaries(16);
    let at_roots = memory.canaries(NUMBERS);
    memory.canaries(16);
    let mut expected = results(at_quotients, quotients);
    expected.extend(results(at_roots, roots));
    Kernel {
        name: NAME,
        summary: "512 quotients and square roots, as compilers for the G80 wrote them",
        registers: 5,
        grid: [(NUMBERS / BLOCK_THREADS) as u32, 1],
        block: [BLOCK_THREADS as u32, 1, 1],
        params: vec![at_a, at_b, at_quotients, at_roots],
        constants: bits(&[2_f32.powi(126), 0.25]),
        expected,
        tolerance: Some(Tolerance {
            ulp: ULP,
            absolute: 0.0,
        }),
        memory: memory.words,
        ..Kernel::default()
    }
}
