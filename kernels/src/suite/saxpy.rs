//! `saxpy`: y = a * x + y for 1,500 floats, including special cases of float units. Bit-exact.

use crate::kernel::Kernel;
use crate::memory::{bits, results, Memory};
use crate::{g80, random};

const NAME: &str = "saxpy";
const NUMBERS: usize = 1500;
const A: f32 = -1.7;

/// Pairs of x and y with special cases, in one of them or in the sum.
fn special() -> Vec<(f32, f32)> {
    let denormal = f32::from_bits(0x0040_0000);
    let tiny = f32::MIN_POSITIVE;
    vec![
        (0.0, 0.0),
        (0.0, -0.0),
        (-0.0, -0.0),
        (denormal, 0.0),
        (denormal, 3.0),
        (1.0, -denormal),
        // a * x equals -y, except for the truncated bits.
        (1.0, 1.7),
        (3.0, 5.1),
        (1.0 / 1.7, 1.0),
        // Sums and products near the smallest normal number.
        (tiny, tiny),
        (tiny, 1.699 * tiny),
        (0.25 * f32::EPSILON, tiny),
        (1e-25, 1e-20),
        // A product that overflows, alone or with y.
        (f32::MAX, f32::MAX),
        (f32::MAX, -f32::MAX),
        (0.7 * f32::MAX, f32::MAX),
        (f32::INFINITY, 1.0),
        (f32::INFINITY, f32::INFINITY),
        (1.0, f32::NEG_INFINITY),
        (f32::MAX, f32::INFINITY),
        (f32::NAN, 1.0),
        (1.0, f32::from_bits(0xffc1_2345)),
    ]
}

pub fn kernel() -> Kernel {
    let mut x = random::floats(NAME, "x", NUMBERS, -8.0, 16.0);
    let mut y = random::floats(NAME, "y", NUMBERS, -8.0, 16.0);
    // The special values begin at thread 100, in the middle of a warp.
    for (i, (special_x, special_y)) in (100..).zip(special()) {
        (x[i], y[i]) = (special_x, special_y);
    }
    let sums = x.iter().zip(&y).map(|(&x, &y)| g80::mad(A, x, y).to_bits());
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_x = memory.place(bits(&x));
    memory.canaries(16);
    let at_y = memory.place(bits(&y));
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "y[i] = a * x[i] + y[i] for i < 1,500, floats, with zeros, denormals, infinities and NaNs",
        registers: 5,
        grid: [12, 1],
        block: [128, 1, 1],
        params: vec![NUMBERS as u32, A.to_bits(), at_x, at_y],
        expected: results(at_y, sums),
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_cases_differ_from_the_host() {
        let sums: Vec<u32> = special().iter().map(|&(x, y)| g80::mad(A, x, y).to_bits()).collect();
        for wanted in [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fff_ffff] {
            assert!(sums.contains(&wanted), "{wanted:08x}");
        }
        // The host's arithmetic differs for truncated products and for denormals.
        let differ = special().into_iter().filter(|&(x, y)| {
            let fused = A.mul_add(x, y);
            let twice = A * x + y;
            let got = g80::mad(A, x, y);
            !got.is_nan() && got != fused && got != twice
        });
        assert!(differ.count() >= 2);
    }
}
