//! Random words of memory, with a preference for boundary values of integers and floats.

use rand::seq::SliceRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A random integer; half of them are small numbers and extremes.
pub fn integer_word(rng: &mut ChaCha8Rng) -> u32 {
    const EXTREMES: [u32; 8] = [0, 1, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX];
    match rng.gen_range(0..4) {
        0 => rng.gen_range(0..40),
        1 => chosen(&EXTREMES, rng),
        _ => rng.gen(),
    }
}

fn chosen(all: &[u32], rng: &mut ChaCha8Rng) -> u32 {
    all.choose(rng).copied().unwrap_or_default()
}

/// Magnitudes of 32-bit floats at boundaries: zero, denormals, the smallest and the largest normal numbers, infinity,
/// NaNs.
const EXTREMES: [u32; 14] = [
    0,
    1,
    0x0040_0000,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x00ff_ffff,
    0x7f00_0000,
    0x7f7f_fffe,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fc0_0000,
    0x7fff_ffff,
];

/// Magnitudes of 16-bit floats at boundaries.
const HALF_EXTREMES: [u32; 12] = [
    0, 1, 0x1ff, 0x3ff, 0x400, 0x401, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff,
];

/// A float, or two 16-bit floats; occasionally arbitrary bits.
pub fn float_word(rng: &mut ChaCha8Rng) -> u32 {
    let sign = rng.gen::<u32>() & 0x8000_0000;
    let float = |exponent: u32, fraction: u32| exponent << 23 | fraction & 0x7f_ffff;
    let magnitude = match rng.gen_range(0..16) {
        0 | 1 => chosen(&EXTREMES, rng),
        // One, and powers of two.
        2 => 0x3f80_0000,
        3 => float(rng.gen_range(0..256), 0),
        // Floats of similar size, whose sums cancel. Only a few distinct ones, so some sums are 0.
        4..=6 => float(rng.gen_range(124..131), rng.gen()),
        7 => float(rng.gen_range(126..129), rng.gen_range(0..8)),
        8 => float(rng.gen_range(126..129), 0x7f_ffff - rng.gen_range(0..8)),
        // Few significant bits: products and sums are exactly halfway between two floats.
        9 | 10 => {
            let bits = rng.gen_range(1..14);
            float(rng.gen_range(100..156), rng.gen::<u32>() << (23 - bits))
        }
        // Integers and halves near both limits of the integer types.
        11 | 12 => {
            let power = chosen(&[0, 7, 8, 15, 16, 22, 23, 24, 25, 31, 32, 33], rng);
            let step = rng.gen_range(0..4);
            (float(127 + power, 0) + step).wrapping_sub(rng.gen_range(0..4))
        }
        13 => (rng.gen_range(0..64) as f32 / 2.0).to_bits(),
        // Sizes at which products overflow or underflow.
        14 => float(
            chosen(&[1, 2, 30, 62, 63, 64, 190, 191, 192, 230, 253, 254], rng),
            rng.gen(),
        ),
        _ => {
            let half = |rng: &mut ChaCha8Rng| match rng.gen() {
                true => chosen(&HALF_EXTREMES, rng) | rng.gen::<u32>() & 0x8000,
                false => rng.gen::<u32>() & 0xffff,
            };
            return match rng.gen() {
                true => half(rng) << 16 | half(rng),
                false => rng.gen(),
            };
        }
    };
    magnitude & 0x7fff_ffff | sign
}

/// `count` words; `floats` of 16 are floats on average.
pub fn words(count: usize, floats: u32, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let word = |_| match rng.gen_range(0..16) < floats {
        true => float_word(rng),
        false => integer_word(rng),
    };
    (0..count).map(word).collect()
}
