//! `newton`: quotients and square roots, corrected by a step of Newton's method with an exact remainder. They equal
//! IEEE 754 results, so the host's division and root give the expected values, bit by bit.
//!
//! This requires that the exact result is not too close to the midpoint between two floats. Before the last step, a
//! quotient is off by at most 2 units in the last place (0.975 of RCP and 0.5 of the product, doubled if the result's
//! units are smaller), a root by 4. The step adds this error times RCP or RSQ, which are accurate to 2^-22, truncated
//! to 2^-23: the sum before its rounding is accurate to 4 * 1.5 * 2^-22, less than 2^-19 units. [`clear`] makes sure
//! that no result is that close to the midpoint.

use crate::kernel::Kernel;
use crate::memory::{bits, results, Memory};
use crate::random;

const NAME: &str = "newton";
const NUMBERS: usize = 512;
const BLOCK_THREADS: usize = 64;

/// The nearest float, if it is unambiguous. `exact` has the error of an f64, 2^-29 units in the last place.
///
/// # Panics
/// Panics if it is ambiguous; the kernel then needs other numbers.
fn clear(exact: f64) -> f32 {
    let nearest = exact as f32;
    if !exact.is_finite() || exact == 0.0 {
        return nearest;
    }
    let unit = f64::from(f32::from_bits(nearest.abs().to_bits() + 1)) - f64::from(nearest.abs());
    let away = (exact - f64::from(nearest)).abs() / unit;
    assert!(
        away < 0.5 - 2_f64.powi(-19),
        "{exact} is too close to the midpoint between two floats"
    );
    nearest
}

/// Numbers of both signs between 2^-20 and 2^20.
fn numbers(stream: &str) -> Vec<f32> {
    random::words(NAME, stream, NUMBERS)
        .into_iter()
        .map(|word| f32::from_bits(word & 0x807f_ffff | (107 + (word >> 23) % 40) << 23))
        .collect()
}

pub fn kernel() -> Kernel {
    let (mut a, mut b) = (numbers("a"), numbers("b"));
    // At least three quarters have a root. Among these, every seventh quotient and every eleventh root is an integer or
    // close to one.
    for (i, a) in a.iter_mut().enumerate().filter(|(i, _)| i % 4 != 0) {
        *a = a.abs();
        if i % 7 == 0 {
            *a = b[i].abs() * (i as f32);
        }
        if i % 11 == 0 {
            *a = (i * i) as f32 + [0.0, 1.0, -1.0][i % 3];
        }
    }
    let almost_two = f32::from_bits(0x3fff_ffff);
    // 1 / almost_two is not suitable for this kernel: it is the midpoint between two floats plus 2^-50.
    let special = [
        (0.0, 3.0),
        (-0.0, 3.0),
        (1.0, 3.0),
        (3.0, almost_two),
        (almost_two, 1.0),
        (almost_two, almost_two),
        (5.0, -almost_two),
        (-1.0, f32::from_bits(0x3f80_0001)),
    ];
    for (i, (special_a, special_b)) in special.into_iter().enumerate() {
        (a[i], b[i]) = (special_a, special_b);
    }
    let quotients = a.iter().zip(&b).map(|(&a, &b)| {
        assert_eq!(a / b, clear(f64::from(a) / f64::from(b)));
        a / b
    });
    let quotients: Vec<f32> = quotients.collect();
    let roots = a.iter().map(|&a| {
        if a < 0.0 {
            return f32::from_bits(0x7fff_ffff);
        }
        assert_eq!(a.sqrt(), clear(f64::from(a).sqrt()));
        a.sqrt()
    });
    let roots: Vec<f32> = roots.collect();
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_a = memory.place(bits(&a));
    let at_b = memory.place(bits(&b));
    memory.canaries(16);
    let at_quotients = memory.canaries(NUMBERS);
    memory.canaries(16);
    let at_roots = memory.canaries(NUMBERS);
    memory.canaries(16);
    let mut expected = results(at_quotients, bits(&quotients));
    expected.extend(results(at_roots, bits(&roots)));
    Kernel {
        name: NAME,
        summary: "512 quotients and square roots, rounded correctly, by a step of Newton's method",
        registers: 10,
        grid: [(NUMBERS / BLOCK_THREADS) as u32, 1],
        block: [BLOCK_THREADS as u32, 1, 1],
        params: vec![at_a, at_b, at_quotients, at_roots],
        expected,
        memory: memory.words,
        ..Kernel::default()
    }
}
