//! `black_scholes`: prices of 256 European options. The expected values are computed in f64, with the normal
//! distribution from its series.
//!
//! The tolerance follows from the errors of the kernel's operations, here in relative units of u = 2^-24. A rounding is
//! at most 1, a product truncated in a multiply-add 2, RCP 0.975 units in the last place, so 2, and RSQ 1.51, so 3.1. A
//! constant is off by 1 or less. LG2 is accurate to 2^-22.15, 3.6 u, between 1/2 and 2; outside this range, its last
//! place alone adds 2 u. EX2 with RRO: 1.39 and 0.7 units in the last place, 4.2. With numbers of the sizes used here
//! (S and X between 24 and 56, so |ln(S/X)| < 0.85; T between 1/4 and 2 1/4; v 0.3, so v sqrt(T) between 0.15 and
//! 0.45):
//!
//! - S / X has 3, which is 4.4 u in its logarithm, and 10 u with LG2's own errors. Times ln(2) this is 7 u, and the
//!   product with ln(2) adds 1.7 u. (r + v v / 2) T, at most 0.15, adds 0.5 u, and the sum 1: 10.2 u.
//! - v sqrt(T) has 3.1 + 1 + 1 + 1 = 6.1, its reciprocal 8.1, d1 9.1 |d1| and 10.2 / 0.15 = 68 u. d2 has 6.1 * 0.45 u
//!   more, and its own rounding: 10.1 * (|d2| + 0.45) and 70.8 u, in total less than 10.1 |d| + 75.4 u for both.
//! - This changes N by the density at d, at most 0.4, and at most 0.242 when multiplied by |d|: 32.7 u.
//! - k has 2 + 1 + 2 = 5. The polynomial's derivative by k, times k, is at most 20.4, and the sum of its terms'
//!   magnitudes 5.7 (both for k = 1, where d is 0). A step of the polynomial has 3 and a constant 1, so 16 for five
//!   steps: 5 * 20.4 + 16 * 5.7 = 194 u. Times the density: 77.6 u.
//! - exp(-d d / 2): the exponent has 3, and x exp(-x) is at most 0.37. EX2 with RRO adds 4.2, and the two products 1
//!   each, all times N of at most a half: less than 4.3 u. 1 - N: 1 u. The approximation: 7.5e-8, 1.3 u.
//! - So N is accurate to 117 u. exp(-r T) has 4.3, its product with X 5.3, of 56.
//! - call: 56 * 117 twice, 56 * 5.3, and 4 of 56 for products and sum: 13,630 u. put: two more sums of at most 56,
//!   while the error of X exp(-r T) counts 1 - N(d2) times instead of N(d2): 13,750 u. 14,000 u leaves a margin.

use crate::kernel::{rounded_up, Kernel, Tolerance};
use crate::memory::{bits, results, Memory};
use crate::random;
use std::f64::consts::{LN_2, LOG2_E, PI};

const NAME: &str = "black_scholes";
const OPTIONS: usize = 256;
const BLOCK_THREADS: usize = 64;
const RATE: f64 = 0.02;
const VOLATILITY: f32 = 0.3;
/// The bound derived above.
const ABSOLUTE: f64 = 14_000.0 / (1 << 24) as f64;
/// The coefficients a1 to a5 of the approximation.
const POWERS: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];

/// The normal distribution: 1/2 and the density times d + d^3 / 3 + d^5 / (3 * 5) + ...
fn normal(d: f64) -> f64 {
    let mut term = d;
    let mut sum = 0.0;
    for odd in (3..).step_by(2) {
        sum += term;
        term *= d * d / f64::from(odd);
        if term.abs() < 1e-20 {
            break;
        }
    }
    0.5 + sum * (-d * d / 2.0).exp() / (2.0 * PI).sqrt()
}

/// The prices of a call and a put.
fn prices([share, strike, years]: [f64; 3], rate: f64, volatility: f64) -> [f64; 2] {
    let spread = volatility * years.sqrt();
    let d1 = ((share / strike).ln() + (rate + volatility * volatility / 2.0) * years) / spread;
    let now = strike * (-rate * years).exp();
    let call = share * normal(d1) - now * normal(d1 - spread);
    [call, call - share + now]
}

pub fn kernel() -> Kernel {
    let shares = random::floats(NAME, "share", OPTIONS, 24.0, 32.0);
    let strikes = random::floats(NAME, "strike", OPTIONS, 24.0, 32.0);
    let years = random::floats(NAME, "time", OPTIONS, 0.25, 2.0);
    let volatility = f64::from(VOLATILITY);
    let prices = (0..OPTIONS).map(|i| prices([shares[i], strikes[i], years[i]].map(f64::from), RATE, volatility));
    let (calls, puts): (Vec<f32>, Vec<f32>) = prices.map(|[call, put]| (call as f32, put as f32)).unzip();
    let mut memory = Memory::default();
    memory.canaries(16);
    let inputs = [shares, strikes, years].map(|input| memory.place(bits(&input)));
    memory.canaries(16);
    let at_calls = memory.canaries(OPTIONS);
    memory.canaries(16);
    let at_puts = memory.canaries(OPTIONS);
    memory.canaries(16);
    let mut expected = results(at_calls, bits(&calls));
    expected.extend(results(at_puts, bits(&puts)));
    let constants = [LN_2, RATE + volatility * volatility / 2.0, -RATE * LOG2_E];
    let powers = POWERS.map(|power| power / (2.0 * PI).sqrt());
    let constants: Vec<f32> = constants
        .into_iter()
        .chain(powers)
        .map(|constant| constant as f32)
        .collect();
    Kernel {
        name: NAME,
        summary: "prices of 256 European options by the formula of Black and Scholes",
        registers: 13,
        grid: [(OPTIONS / BLOCK_THREADS) as u32, 1],
        block: [BLOCK_THREADS as u32, 1, 1],
        params: [&inputs[..], &[at_calls, at_puts, VOLATILITY.to_bits()]].concat(),
        constants: bits(&constants),
        expected,
        tolerance: Some(Tolerance {
            ulp: 0,
            absolute: rounded_up(ABSOLUTE),
        }),
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_distribution_matches_tables() {
        assert_eq!(normal(0.0), 0.5);
        for (d, known) in [
            (1.0, 0.841_344_746_068_543),
            (-2.0, 0.022_750_131_948_179),
            (6.0, 0.999_999_999_013_412),
        ] {
            assert!((normal(d) - known).abs() < 1e-14, "{d}");
        }
    }

    #[test]
    fn approximation_is_within_the_assumed_error() {
        for i in 0..600 {
            let d = f64::from(i) / 100.0;
            let k = 1.0 / (1.0 + 0.2316419 * d);
            let sum = POWERS.iter().rev().fold(0.0, |sum, power| (sum + power) * k);
            let tail = (-d * d / 2.0).exp() / (2.0 * PI).sqrt() * sum;
            assert!((normal(-d) - tail).abs() < 7.5e-8, "{d}");
        }
        let terms: f64 = POWERS.iter().map(|power| power.abs()).sum();
        let slopes = POWERS.iter().zip(1..).map(|(power, i)| f64::from(i) * power.abs());
        assert!(terms < 5.7 && slopes.sum::<f64>() < 20.4);
    }

    #[test]
    fn textbook_example_is_reproduced() {
        let [call, put] = prices([42.0, 40.0, 0.5], 0.1, 0.2);
        assert_eq!(
            (format!("{call:.2}"), format!("{put:.2}")),
            ("4.76".into(), "0.81".into())
        );
    }

    #[test]
    fn most_prices_are_far_above_the_tolerance() {
        let kernel = kernel();
        let worth = kernel
            .expected
            .values()
            .filter(|&&word| f64::from(f32::from_bits(word)) > 1000.0 * ABSOLUTE);
        assert!(worth.count() > OPTIONS);
    }
}
