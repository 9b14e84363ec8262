//! `stencil_1d`: a sharpening filter of seven taps over 500 signed 16-bit samples, clamped to 16 bits.
//!
//! The samples vary over the whole range, so results reach both limits; a ramp and a constant part pass unchanged. The
//! last of the four blocks is only partly used.

use crate::kernel::Kernel;
use crate::memory::{results, words_of, Memory};
use crate::random;

const NAME: &str = "stencil_1d";
const SAMPLES: usize = 500;
const BLOCK_THREADS: u32 = 128;
const RADIUS: usize = 3;
/// The weights by distance from the sample. All seven taps add up to 256, which represents 1.
const WEIGHTS: [i32; RADIUS + 1] = [360, -20, -24, -8];

fn samples() -> Vec<i16> {
    let random = random::words(NAME, "samples", SAMPLES - 200);
    let ramp = (0..100).map(|i| -10_000 + 50 * i);
    let constant = [12_345; 100];
    let noise = random.into_iter().map(|word| word as i16);
    noise.chain(ramp).chain(constant).collect()
}

fn filter(samples: &[i16]) -> Vec<i16> {
    // Samples beyond the ends are 0.
    let sample = |at: isize| {
        usize::try_from(at)
            .ok()
            .and_then(|at| samples.get(at))
            .map_or(0, |&s| i32::from(s))
    };
    let radius = RADIUS as isize;
    (0..samples.len() as isize)
        .map(|i| {
            let taps = (-radius..=radius).map(|distance| WEIGHTS[distance.unsigned_abs()] * sample(i + distance));
            let clamped = (taps.sum::<i32>() >> 8).clamp(i16::MIN.into(), i16::MAX.into());
            clamped as i16
        })
        .collect()
}

fn words(samples: &[i16]) -> Vec<u32> {
    words_of(
        &samples
            .iter()
            .flat_map(|sample| sample.to_le_bytes())
            .collect::<Vec<u8>>(),
    )
}

pub fn kernel() -> Kernel {
    let samples = samples();
    let filtered = words(&filter(&samples));
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(words(&samples));
    memory.canaries(16);
    let at_output = memory.canaries(filtered.len());
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "a filter of seven taps over 500 samples of 16 bits, 4 blocks of 128 threads, clamped results",
        registers: 8,
        shared_data_bytes: (2 * (BLOCK_THREADS + 2 * RADIUS as u32)).next_multiple_of(4),
        grid: [(SAMPLES as u32).div_ceil(BLOCK_THREADS), 1],
        block: [BLOCK_THREADS, 1, 1],
        params: vec![at_input, at_output, SAMPLES as u32],
        memory: memory.words,
        constants: WEIGHTS.map(|weight| weight as u32).to_vec(),
        expected: results(at_output, filtered),
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_sample_gives_the_weights() {
        let mut samples = [0; 9];
        samples[4] = 256;
        assert_eq!(filter(&samples), [0, -8, -24, -20, 360, -20, -24, -8, 0]);
    }

    #[test]
    fn results_reach_both_limits() {
        let filtered = filter(&samples());
        assert!(filtered.contains(&i16::MIN) && filtered.contains(&i16::MAX));
    }
}
