//! Tests of a grid's counters, and of the report of its error.

use super::bench::{Bench, Refused, SMS};
use flexgrip_hdl::bundles::*;
use flexgrip_hdl::bundles::{Counted, IssueCause};
use flexgrip_machine::host_map::*;
use hdlkit::prelude::Bits;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub const CAUSES: [IssueCause; ACCOUNT_COUNTERS] = [
    IssueCause::Issued,
    IssueCause::ReadSlot,
    IssueCause::WritePort,
    IssueCause::Scoreboard,
    IssueCause::MemoryQueue,
    IssueCause::SpecialFunction,
    IssueCause::Collector,
    IssueCause::Branch,
    IssueCause::Barrier,
    IssueCause::Fetch,
    IssueCause::NoWarp,
];

pub fn counted(rng: &mut ChaCha8Rng) -> Counted {
    Counted {
        executed: Bits::new(if rng.gen() { rng.gen::<u32>() & rng.gen::<u32>() } else { 0 }.into()),
        transaction: rng.gen(),
        divergence: rng.gen_bool(0.1),
        barrier_wait: rng.gen_bool(0.2),
        at_barrier: rng.gen_bool(0.3),
        bank_conflict: rng.gen_bool(0.4),
    }
}

#[test]
fn counters_and_errors_are_reported() {
    let mut bench = Bench::new();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    bench.configure();
    for round in 0..20u32 {
        bench.write(CONTROL, CONTROL_START).unwrap();
        // The acknowledge is in the cycle of the grid's start, cycle 0. A following pause of the host counts.
        let start = bench.engine.cycle() - 1 - u64::from(!bench.engine.block.host.cycle.next);
        bench.engine.block.grid.running.next = true;
        // The first cycle counts as `no_warp`, regardless of the SM's report; after a pause, the second one counts by
        // the last report.
        let mut expected = [[0u64; SM_COUNTERS]; SMS];
        let count = |expected: &mut [u64; SM_COUNTERS], cause: IssueCause, now: &Counted| {
            expected[CAUSES.iter().position(|one| *one == cause).unwrap()] += 1;
            expected[ACCOUNT_COUNTERS] += u64::from(now.executed.raw().count_ones());
            let events = [now.transaction, now.divergence, now.barrier_wait, now.at_barrier, now.bank_conflict];
            for (expected, event) in expected[ACCOUNT_COUNTERS + 1..].iter_mut().zip(events) {
                *expected += u64::from(event);
            }
        };
        for (s, expected) in expected.iter_mut().enumerate() {
            expected[ACCOUNT_COUNTERS - 1] += 1;
            if bench.engine.cycle() - start == 2 {
                count(expected, bench.causes[s], &bench.counters[s].block.counted.next);
            }
        }
        // Not every cause occurs in every round: the count of the others must read as 0.
        let causes = rng.gen_range(1..=CAUSES.len());
        for _ in 0..rng.gen_range(1..200) {
            for (s, expected) in expected.iter_mut().enumerate() {
                let now = counted(&mut rng);
                bench.counters[s].block.counted.next = now;
                bench.causes[s] = CAUSES[rng.gen_range(0..causes)];
                count(expected, bench.causes[s], &now);
            }
            bench.step();
        }
        let code = if round % 2 == 0 { 0 } else { rng.gen_range(1..=10u32) };
        let (warp, pc, address) = (rng.gen_range(0..32u32), rng.gen_range(0..1u32 << 24), rng.gen::<u32>());
        let (sm, index, number) = (rng.gen_range(0..8u32), rng.gen_range(0..32u32), rng.gen::<u32>());
        let cycles = bench.engine.cycle() - start;
        // Events from the last cycle onward do not count.
        bench.finish(
            KernelError {
                code: Bits::new(code as u64),
                warp: Bits::new(warp as u64),
                pc: Bits::new(pc as u64),
                address: Bits::new(address as u64),
            },
            sm,
            index,
            number,
        );
        for _ in 0..5 {
            bench.step();
        }
        assert_eq!(bench.read(CYCLES), Ok(cycles as u32));
        assert_eq!(bench.read(CYCLES_HIGH), Ok(0));
        for (s, expected) in (0..).zip(expected) {
            for (n, value) in (0..).zip(expected) {
                let address = COUNTER_BASE + s * COUNTER_STRIDE + 8 * n;
                let name = SmCounter::ALL[n as usize].name();
                assert_eq!(bench.read(address), Ok(value as u32), "{name} of SM {s} in round {round}");
                assert_eq!(bench.read(address + 4), Ok(0));
                assert_eq!(bench.write(address, 0), Err(Refused));
            }
            assert_eq!(expected[..ACCOUNT_COUNTERS].iter().sum::<u64>(), cycles, "the causes add up to the cycles");
        }
        let failed = code != 0;
        let or_0 = |value: u32| if failed { value } else { 0 };
        assert_eq!(bench.read(STATUS), Ok(STATUS_DONE | or_0(STATUS_ERROR)));
        assert_eq!(bench.read(ERROR_CODE), Ok(code));
        assert_eq!(bench.read(ERROR_PC), Ok(or_0(pc)));
        assert_eq!(bench.read(ERROR_SM), Ok(or_0(sm)));
        assert_eq!(bench.read(ERROR_WARP), Ok(or_0(index | warp << 8)));
        assert_eq!(bench.read(ERROR_BLOCK), Ok(or_0(number)));
        assert_eq!(bench.read(ERROR_ADDRESS), Ok(or_0(address)));
    }
}
