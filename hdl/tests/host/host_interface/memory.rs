//! Tests of the memory windows: loads, accesses of global memory, and the memory's errors.

use super::bench::{Bench, Event, Refused, CONSTANT_BYTES, INSTRUCTION_BYTES};
use flexgrip_machine::host_map::*;
use hdlkit::prelude::Bits;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

#[test]
fn loads_are_pulses() {
    let mut bench = Bench::new();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut want = vec![];
    for i in 0..300 {
        let constant: bool = rng.gen();
        let (base, bytes) =
            if constant { (CONSTANT_BASE, CONSTANT_BYTES) } else { (INSTRUCTION_BASE, INSTRUCTION_BYTES) };
        let address = if i < 8 { bytes - 4 } else { rng.gen_range(0..bytes / 4) * 4 };
        let data = rng.gen();
        bench.write(base + address, data).unwrap();
        want.push(Event::Load { constant, address, data });
    }
    assert_eq!(bench.events, want);
}

#[test]
fn global_memory_reads_and_writes() {
    let mut bench = Bench::new();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut want = BTreeMap::new();
    for _ in 0..500 {
        let address = rng.gen_range(0..40) * 4 + if rng.gen() { 0x7fff_ff00 } else { 0 };
        if rng.gen() {
            let data: u32 = rng.gen();
            bench.write(GLOBAL_BASE + address, data).unwrap();
            want.insert(address, data);
        } else {
            let value = want.get(&address).copied().unwrap_or(0);
            assert_eq!(bench.read(GLOBAL_BASE + address), Ok(value));
        }
    }
    assert_eq!(bench.memory, want);
    assert_eq!(bench.requests, 500);
}

#[test]
fn dropped_accesses_do_not_disturb_later_ones() {
    let mut bench = Bench::new();
    bench.memory.insert(0x40, 77);
    for write in [false, true] {
        for held in 1..4 {
            bench.memory_busy = 6;
            let block = &mut bench.engine.block;
            block.host.cycle.next = true;
            block.host.strobe.next = true;
            block.host.write.next = write;
            block.host.address.next = Bits::new((GLOBAL_BASE + 0x80) as u64);
            block.host.write_data.next = Bits::new(5);
            for _ in 0..held {
                assert_eq!((bench.step().0, bench.step().1), (false, false));
            }
            bench.engine.block.host.cycle.next = false;
            bench.step();
            // The next access starts while the dropped one is still in flight.
            assert_eq!(bench.read(ID), Ok(ID_VALUE));
            assert_eq!(bench.read(GLOBAL_BASE + 0x40), Ok(77));
        }
    }
    assert_eq!(bench.memory[&0x80], 5);
}

/// A memory error stays in STATUS until the next start, answers a host read with ERR, and stops a grid.
#[test]
fn memory_errors_are_reported() {
    let mut bench = Bench::new();
    bench.memory.insert(0x40, 77);
    // The write was accepted and acknowledged; its outcome is known only later.
    bench.write(GLOBAL_BASE + 0x80, 5).unwrap();
    bench.engine.block.memory_error.next = true;
    bench.step();
    bench.engine.block.memory_error.next = false;
    assert_eq!(bench.read(STATUS), Ok(STATUS_BUS_ERROR));
    // A read whose response arrives with the error.
    bench.engine.block.memory_error.next = true;
    assert_eq!(bench.read(GLOBAL_BASE + 0x40), Err(Refused));
    bench.engine.block.memory_error.next = false;
    assert_eq!(bench.read(GLOBAL_BASE + 0x40), Ok(77));
    assert_eq!(bench.read(STATUS), Ok(STATUS_BUS_ERROR));

    bench.configure();
    bench.write(CONTROL, CONTROL_START).unwrap();
    bench.engine.block.grid.running.next = true;
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING));
    assert_eq!(bench.events, [Event::Start]);
    bench.engine.block.memory_error.next = true;
    bench.step();
    bench.engine.block.memory_error.next = false;
    bench.step();
    assert_eq!(bench.events[..2], [Event::Start, Event::Abort]);
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING | STATUS_BUS_ERROR));
    bench.finish(Default::default(), 0, 0, 0);
    assert_eq!(bench.read(STATUS), Ok(STATUS_DONE | STATUS_BUS_ERROR));
    assert!(bench.engine.block.interrupt.val());
    assert!(!bench.engine.block.grid.abort.val());
    bench.write(CONTROL, CONTROL_START).unwrap();
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING));
}
