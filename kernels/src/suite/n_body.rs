//! `n_body`: two steps of 64 bodies that attract each other. The expected values are computed in f64.
//!
//! The tolerance follows from the errors of the kernel's operations. A rounding is at most u = 2^-24, relatively, a
//! product truncated in a multiply-add 2 u, and RSQ is accurate to 1.51 units in the last place, 3.1 u. For one body's
//! attraction by another:
//!
//! - a component of the distance 1 u (its inputs' errors follow below); squared and truncated 4 u, with three sums, of
//!   numbers of one sign, 7 u: the squared distance;
//! - half of it and 3.1 u by RSQ, 6.6 u; three times that and three products, 22.8 u;
//! - times a component of the distance, and truncated: 25.8 u.
//!
//! An acceleration adds 64 of these, each sum with 1 u of the partial result: (25.8 + 64) u times the sum of the
//! attractions' magnitudes, [`Errors::acceleration`]. Speeds and positions are rounded once in each step (an error of
//! u, 1.1 u with a margin) and inherit earlier errors, times dt, which is exact because dt is a power of 2. Errors of
//! two positions, up to sqrt(3) times the errors of their components, change the attractions of the second step by at
//! most 2 / (squared distance)^(3/2) times the mass ([`Errors::gradient`]). Finally the expected value itself is
//! rounded.

use crate::kernel::{rounded_up, Kernel, Tolerance};
use crate::memory::{bits, results, Memory, CANARY};
use crate::random;

const NAME: &str = "n_body";
const BODIES: usize = 64;
const STEPS: usize = 2;
const DT: f32 = 0.0625;
const SOFTENING: f32 = 0.01;
/// The relative error of a rounding.
const U: f64 = 1.0 / (1 << 24) as f64;

#[derive(Clone, Copy)]
struct Body {
    place: [f64; 3],
    speed: [f64; 3],
    mass: f64,
}

/// The inputs of the tolerance: the maxima over all bodies and steps.
#[derive(Default)]
struct Errors {
    /// The sum of the magnitudes of attractions.
    acceleration: f64,
    /// The change of the acceleration with the difference of two positions.
    gradient: f64,
    /// A component of a position, or of a speed.
    place: f64,
    speed: f64,
}

impl Errors {
    /// The largest final error of a component of a position or a speed.
    fn bound(&self) -> f64 {
        let dt = f64::from(DT);
        let (mut place, mut speed) = (0.0, 0.0);
        for _ in 0..STEPS {
            let moved = self.gradient * 2.0 * 3_f64.sqrt() * place;
            speed += dt * ((25.8 + BODIES as f64) * U * self.acceleration + moved) + 1.1 * U * self.speed;
            place += dt * speed + 1.1 * U * self.place;
        }
        f64::max(place, speed) + U * f64::max(self.place, self.speed)
    }
}

fn steps(mut bodies: Vec<Body>) -> (Vec<Body>, Errors) {
    let mut errors = Errors::default();
    let dt = f64::from(DT);
    for _ in 0..STEPS {
        let old = bodies.clone();
        for body in &mut bodies {
            let mut acceleration = [0.0; 3];
            let (mut magnitudes, mut gradient) = ([0.0; 3], 0.0);
            for other in &old {
                let way = [0, 1, 2].map(|i| other.place[i] - body.place[i]);
                let square = way.iter().map(|part| part * part).sum::<f64>() + f64::from(SOFTENING);
                let pull = other.mass / (square * square.sqrt());
                for i in 0..3 {
                    acceleration[i] += way[i] * pull;
                    magnitudes[i] += (way[i] * pull).abs();
                }
                gradient += 2.0 * pull;
            }
            for i in 0..3 {
                body.speed[i] += acceleration[i] * dt;
                body.place[i] += body.speed[i] * dt;
                errors.acceleration = errors.acceleration.max(magnitudes[i]);
                errors.speed = errors.speed.max(body.speed[i].abs());
                errors.place = errors.place.max(body.place[i].abs());
            }
            errors.gradient = errors.gradient.max(gradient);
        }
    }
    (bodies, errors)
}

pub fn kernel() -> Kernel {
    let places = random::floats(NAME, "place", 3 * BODIES, -1.0, 2.0);
    let speeds = random::floats(NAME, "speed", 3 * BODIES, -0.25, 0.5);
    let masses = random::floats(NAME, "mass", BODIES, 0.0, 0.03125);
    let triple = |of: &[f32], i: usize| [0, 1, 2].map(|part| f64::from(of[3 * i + part]));
    let bodies = (0..BODIES).map(|i| Body {
        place: triple(&places, i),
        speed: triple(&speeds, i),
        mass: f64::from(masses[i]),
    });
    let (after, errors) = steps(bodies.collect());

    // Records of four words: the fourth word of a speed is padding.
    let padding = f32::from_bits(CANARY);
    let records = |triples: Vec<[f32; 3]>, fourth: &dyn Fn(usize) -> f32| -> Vec<u32> {
        let records = triples.into_iter().enumerate();
        records.flat_map(|(i, [x, y, z])| bits(&[x, y, z, fourth(i)])).collect()
    };
    let mass = |i: usize| masses[i];
    let pad = |_: usize| padding;
    let triples = |of: &[f32]| of.chunks(3).map(|part| [part[0], part[1], part[2]]).collect();
    let single = |of: [f64; 3]| of.map(|part| part as f32);
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_places = memory.place(records(triples(&places), &mass));
    memory.canaries(16);
    let at_speeds = memory.place(records(triples(&speeds), &pad));
    memory.canaries(16);
    let mut expected = results(
        at_places,
        records(after.iter().map(|body| single(body.place)).collect(), &mass),
    );
    expected.extend(results(
        at_speeds,
        records(after.iter().map(|body| single(body.speed)).collect(), &pad),
    ));
    // Masses and padding must be unchanged, bit by bit.
    expected.retain(|address, _| address % 16 != 12);
    Kernel {
        name: NAME,
        summary: "two steps of 64 bodies that attract each other",
        registers: 23,
        shared_data_bytes: 16 * BODIES as u32,
        grid: [1, 1],
        block: [BODIES as u32, 1, 1],
        params: vec![at_places, at_speeds, SOFTENING.to_bits(), DT.to_bits()],
        expected,
        tolerance: Some(Tolerance {
            ulp: 0,
            absolute: rounded_up(errors.bound()),
        }),
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_is_conserved() {
        let body = |x: f64, mass: f64| Body {
            place: [x, 0.5, 0.0],
            speed: [0.0; 3],
            mass,
        };
        let (after, _) = steps(vec![body(0.0, 3.0), body(1.0, 1.0)]);
        assert!((3.0 * after[0].speed[0] + after[1].speed[0]).abs() < 1e-12);
        assert!(after[0].speed[0] > 0.0 && after[0].place[1] == 0.5);
    }

    #[test]
    fn tolerance_is_small_relative_to_movements() {
        let kernel = kernel();
        let tolerance = kernel.tolerance.unwrap().absolute;
        let moved = kernel.expected.iter().filter(|&(&address, &word)| {
            let before = f32::from_bits(kernel.memory[address as usize / 4]);
            (f32::from_bits(word) - before).abs() > 100.0 * tolerance as f32
        });
        assert!(moved.count() > kernel.expected.len() * 9 / 10, "{tolerance}");
    }
}
