//! Tests of random accesses, legal and faulting, with random timing.

use super::bench::{Bench, Surroundings};
use super::model::{access, expect, Access, Memory};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn surroundings(rng: &mut impl Rng) -> Surroundings {
    let probability = |rng: &mut dyn rand::RngCore| *[1.0, 1.0, 0.7, 0.2].get(rng.gen_range(0..4)).unwrap_or(&1.0);
    let least = rng.gen_range(1..8);
    Surroundings {
        enqueue: probability(rng),
        ready: probability(rng),
        writeback: probability(rng),
        latency: (least, least + if rng.gen() { 0 } else { rng.gen_range(0..40) }),
    }
}

/// Ends of memory: the whole range, the smallest above 0, some inside a segment.
const ENDS: [u64; 5] = [1 << 32, 1 << 16, 4, 4096 + 20, 8192 + 3];

fn random_accesses<const LANES: usize>() {
    for seed in 0..if cfg!(feature = "soak") { 60 } else { 20 } {
        let mut rng = ChaCha8Rng::seed_from_u64(1000 + seed);
        let end = ENDS[seed as usize % ENDS.len()];
        let mut bench = Bench::<LANES>::new(seed, end);
        for _ in 0..3 {
            let accesses: Vec<Access> = (0..rng.gen_range(1..60)).map(|_| access(&mut rng, end)).collect();
            bench.strict = rng.gen();
            bench.run(&accesses, surroundings(&mut rng));
        }
    }
}

#[test]
fn random_accesses_at_8_lanes() {
    random_accesses::<8>();
}

#[test]
fn random_accesses_at_16_lanes() {
    random_accesses::<16>();
}

#[test]
fn random_accesses_at_32_lanes() {
    random_accesses::<32>();
}

fn random_errors<const LANES: usize>() {
    let mut seen = [0; 16];
    for seed in 0..80 {
        let mut rng = ChaCha8Rng::seed_from_u64(2000 + seed);
        let end = ENDS[seed as usize % ENDS.len()];
        let mut bench = Bench::<LANES>::new(seed, end);
        for _ in 0..3 {
            let mut accesses: Vec<Access> = (0..rng.gen_range(1..40)).map(|_| access(&mut rng, end)).collect();
            for _ in 0..rng.gen_range(1..4) {
                let victim = rng.gen_range(0..accesses.len());
                for _ in 0..rng.gen_range(1..4) {
                    let lane = rng.gen_range(0..32);
                    let address = &mut accesses[victim].address[lane];
                    *address = match rng.gen_range(0..4) {
                        0 => *address + rng.gen_range(1..4),
                        1 => rng.gen(),
                        2 => (end as u32).wrapping_sub(rng.gen_range(0..6)),
                        _ => u32::MAX - 3,
                    };
                    accesses[victim].mask |= u32::from(rng.gen::<bool>()) << lane;
                }
            }
            bench.strict = rng.gen();
            let expected = expect(LANES, &accesses, Memory::default(), end, bench.strict);
            seen[expected.fault.map_or(0, |f| f.0 as usize)] += 1;
            bench.run(&accesses, surroundings(&mut rng));
            bench.clear();
        }
    }
    assert!(seen[0] > 5 && seen[5] > 20 && seen[6] > 20, "{seen:?}");
}

#[test]
fn random_errors_at_8_lanes() {
    random_errors::<8>();
}

#[test]
fn random_errors_at_16_lanes() {
    random_errors::<16>();
}

#[test]
fn random_errors_at_32_lanes() {
    random_errors::<32>();
}
