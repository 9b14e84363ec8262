//! Tests of the whole collector: grids of random instructions, and the rate of gathers.

use super::bench::{AddressWrite, Bench, Surroundings};
use super::reference::{Reference, Task};
use super::{size, WORD};
use flexgrip_hdl::bundles::{Indexing, Issued};
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random instruction for the collector, of one of `warps` warps.
fn any_task(rng: &mut ChaCha8Rng, warps: u64) -> Task {
    let access = rng.gen_range(0..4);
    let kind = rng.gen_range(0..8);
    let mut issued = Issued {
        valid: true,
        warp: Bits::new(rng.gen_range(0..warps) * (31 / (warps - 1))),
        pc: Bits::new(rng.gen_range(0..1 << 20) * 8),
        condition_live: rng.gen(),
        ..Issued::default()
    };
    let post_increment = kind < 7 && rng.gen_bool(0.2);
    let register_used = rng.gen_bool(0.9);
    issued.decoded.predicated = rng.gen();
    issued.decoded.condition = Bits::new(rng.gen_range(0..32));
    issued.decoded.condition_source = Bits::new(rng.gen_range(0..4));
    issued.decoded.indexing = Indexing {
        gathers: kind < 5,
        scatters: kind == 5 || kind == 6,
        local: false,
        constant: kind < 5 && rng.gen_bool(0.3),
        bank: Bits::new(rng.gen_range(0..16)),
        access: Bits::new(access),
        offset: match rng.gen_range(0..20) {
            0 => Bits::new(rng.gen_range(0..0x1_0000)),
            // Negative: down to -124.
            1 => Bits::new(0x1_0000 - rng.gen_range(1..32) * 4),
            _ => Bits::new(rng.gen_range(0..32) * u64::from(size(access))),
        },
        post_increment,
        // In a tenth of the cases there is no increment, as if R2A wrote the same register.
        increments: post_increment && register_used && rng.gen_bool(0.9),
        register: Bits::new(rng.gen_range(0..4)),
        register_used,
    };
    let mask = match rng.gen_range(0..6) {
        0 => 0,
        1 => 0xffff << (16 * rng.gen_range(0..2)),
        2 => 1 << rng.gen_range(0..32),
        3 => rng.gen(),
        _ => u32::MAX,
    };
    Task { issued, mask, data: std::array::from_fn(|_| rng.gen()) }
}

/// Runs grids of random instructions, some until an error. Returns the numbers of gathered words, stored half-warps and
/// errors.
fn random_grids<const LANES: usize>(seed: u64, grids: u64) -> [u64; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bench = Bench::<LANES>::new(&mut rng);
    let mut errors = 0;
    for grid in 0..grids {
        let block_bytes = *[1024, 4096, 4096, 16384].choose(&mut rng).expect("some");
        bench.clear(&mut rng, block_bytes);
        let around = Surroundings {
            issue: *[0.2, 0.7, 1.0].choose(&mut rng).expect("some"),
            ready: *[0.1, 0.6, 1.0].choose(&mut rng).expect("some"),
            busy: *[0.0, 0.3, 0.8].choose(&mut rng).expect("some"),
            writes: 0.05,
        };
        let warps = *[2, 4, 32].choose(&mut rng).expect("some");
        let fails = grid % 3 == 2;
        let mut source = |rng: &mut ChaCha8Rng, reference: &Reference| {
            let task = any_task(rng, warps);
            // Faults are rare, and only in some grids: a fault ends the grid.
            let good = reference.outcome(&task).fault.is_none();
            (good || fails && rng.gen_bool(0.1)).then_some(task)
        };
        for _ in 0..600 {
            bench.cycle(&mut rng, around, &mut source);
            if bench.stopped.is_some() {
                break;
            }
            let faulty = bench.flights.iter().find(|flight| flight.outcome.fault.is_some());
            if let Some(faulty) = faulty {
                assert!(bench.engine.cycle() < faulty.taken + 3_000, "a fault is never found");
            }
        }
        // In the worst case there are four instructions of 32 steps each, and the memories are often busy.
        bench.drain(&mut rng, around, 6_000);
        if bench.flights.iter().any(|flight| flight.outcome.fault.is_some()) {
            assert!(bench.stopped.is_some(), "grid {grid}: idle, and no error");
        }
        if bench.stopped.is_some() {
            assert!(bench.engine.block.c_error.val().error.code.any());
            errors += 1;
        } else {
            assert!(bench.flights.is_empty() && !bench.engine.block.collect.held.val().any());
            assert!(!bench.engine.block.collect.storing.val() && bench.engine.block.collect.room.val());
            bench.check_memory();
            assert_eq!(bench.conflicts, bench.expected_conflicts, "grid {grid}");
        }
    }
    [bench.gathered, bench.stored, errors]
}

#[test]
fn random_instructions_equal_sequential_execution() {
    let found = [random_grids::<8>(6, 80), random_grids::<16>(7, 80), random_grids::<32>(8, 80)];
    println!("words gathered, half-warps stored, errors at 8, 16 and 32 lanes: {found:?}");
    for [gathered, stored, errors] in found {
        assert!(gathered > 5_000 && stored > 500 && errors > 8, "{found:?}");
    }
}

/// Cycles for 64 gathers issued as fast as possible, from eight warps in turn.
fn rate<const LANES: usize>(stride: u16) -> u64 {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut bench = Bench::<LANES>::new(&mut rng);
    bench.clear(&mut rng, 16384);
    let around = Surroundings { issue: 1.0, ready: 1.0, busy: 0.0, writes: 0.0 };
    for warp in 0..8 {
        let values = std::array::from_fn(|thread| stride * 4 * (thread as u16 % 16));
        bench.reference.write(warp, 0, u32::MAX, &values);
        let begins = bench.engine.cycle();
        bench.writes.push(AddressWrite { warp, register: 0, begins, lanes: u32::MAX, values });
        for _ in 0..Bench::<LANES>::BEATS {
            bench.cycle(&mut rng, around, &mut |_, _| None);
        }
    }
    // Offers the instructions in turn; one that must wait is offered again.
    let run = |bench: &mut Bench<LANES>, rng: &mut ChaCha8Rng, count: u64| {
        let mut last_tag = bench.tag;
        let mut taken = 0;
        let since = bench.engine.cycle();
        while taken < count {
            let mut task = any_task(rng, 8);
            task.mask = u32::MAX;
            task.issued.warp = Bits::new(bench.tag % 8);
            task.issued.decoded.indexing =
                Indexing { gathers: true, access: Bits::new(WORD), register_used: true, ..Indexing::default() };
            bench.cycle(rng, around, &mut |_, _| Some(task.clone()));
            taken += (bench.tag + 0x1_0000 - last_tag) % 0x1_0000;
            last_tag = bench.tag;
        }
        bench.engine.cycle() - since
    };
    run(&mut bench, &mut rng, 16);
    let cycles = run(&mut bench, &mut rng, 64);
    println!("{LANES} lanes, a stride of {stride} words: {cycles} cycles for 64 warp instructions");
    cycles
}

#[test]
fn gather_rates_depend_on_conflicts() {
    for (stride, cycles) in [(1, 4), (0, 4), (2, 8), (4, 16), (8, 32), (16, 64), (17, 4)] {
        assert_eq!(rate::<8>(stride), 64 * cycles, "a stride of {stride} words");
    }
    assert_eq!([rate::<16>(16), rate::<32>(16)], [64 * 32; 2]);
    // Without conflicts, an instruction takes two and a half cycles: four entries are not enough to hide the latency to
    // the read stage.
    assert_eq!(rate::<16>(1), 160);
}
