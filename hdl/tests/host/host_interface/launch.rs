//! Tests of start, abort and reset.

use super::bench::{Bench, Event, Refused, SMS};
use flexgrip_machine::host_map::*;
use hdlkit::prelude::Bits;

/// After a reset of one cycle, the interface answers nothing and aborts the grid, until the grid has ended and the
/// memory is idle. Then registers have their power-up values.
#[test]
fn reset_waits_for_grid_and_memory() {
    let mut bench = Bench::new();
    bench.configure();
    bench.write(PARAMETER_BASE, 9).unwrap();
    bench.write(CONTROL, CONTROL_START).unwrap();
    let block = &mut bench.engine.block;
    block.grid.running.next = true;
    block.memory_busy.next = true;
    bench.step();
    bench.events.clear();
    let block = &mut bench.engine.block;
    block.reset.next = true;
    block.host.cycle.next = true;
    block.host.strobe.next = true;
    block.host.write.next = false;
    block.host.address.next = Bits::new(ENTRY.into());
    for cycle in 0..30 {
        let (acknowledge, error, _) = bench.step();
        assert!(!acknowledge && !error, "an answer in cycle {cycle}");
        let block = &mut bench.engine.block;
        assert!(block.restarting.val() && block.grid.abort.val());
        block.reset.next = false;
        block.grid.done.next = cycle == 10;
        if cycle == 11 {
            block.grid.running.next = false;
        }
        block.memory_busy.next = cycle < 28;
    }
    // The transfer that the host has held since then is served now.
    bench.step();
    assert!(!bench.engine.block.restarting.val() && !bench.engine.block.grid.abort.val());
    assert_eq!(bench.step(), (true, false, 0));
    bench.engine.block.host.strobe.next = false;
    assert!(!bench.engine.block.interrupt.val(), "the end of a grid that a reset has stopped");
    for register in REGISTERS {
        let value = match register.address {
            ID => ID_VALUE,
            CONFIGURATION => 8 | (SMS as u32) << 8 | 32 << 16,
            // A counter keeps its value.
            CYCLES => continue,
            _ => 0,
        };
        assert_eq!(bench.read(register.address), Ok(value), "{}", register.name);
    }
    assert_eq!(bench.read(PARAMETER_BASE), Ok(9));
    assert_eq!(bench.write(CONTROL, CONTROL_START), Err(Refused));
}

/// Resets the circuit in the middle of the host's own access to memory.
#[test]
fn reset_ends_the_hosts_memory_access() {
    let mut bench = Bench::new();
    bench.memory.insert(0x40, 77);
    bench.memory_busy = 6;
    let block = &mut bench.engine.block;
    block.host.cycle.next = true;
    block.host.strobe.next = true;
    block.host.write.next = false;
    block.host.address.next = Bits::new((GLOBAL_BASE + 0x80).into());
    bench.step();
    bench.step();
    let block = &mut bench.engine.block;
    block.reset.next = true;
    block.host.strobe.next = false;
    bench.step();
    bench.engine.block.reset.next = false;
    let mut waited = 0;
    while bench.engine.block.restarting.val() {
        let (acknowledge, error, _) = bench.step();
        assert!(!acknowledge && !error);
        waited += 1;
    }
    assert!(waited > 4, "the request was still at the memory");
    assert_eq!(bench.read(GLOBAL_BASE + 0x40), Ok(77));
}

#[test]
fn start_needs_every_size_and_no_running_grid() {
    let mut bench = Bench::new();
    assert_eq!(bench.write(CONTROL, CONTROL_START), Err(Refused));
    for address in
        [GRID_X, GRID_Y, BLOCK_X, BLOCK_Y, BLOCK_Z, BLOCK_THREADS, BLOCKS_PER_SM, REGISTER_COUNT, SHARED_ROWS]
    {
        bench.configure();
        bench.write(address, 0).unwrap();
        assert_eq!(bench.write(CONTROL, CONTROL_START), Err(Refused), "{address:#x} is 0");
    }
    bench.configure();
    for value in [0, 3, 4, 0x8000_0001, u32::MAX] {
        assert_eq!(bench.write(CONTROL, value), Err(Refused));
    }
    assert_eq!(bench.write(CONTROL, CONTROL_ABORT), Ok(()));
    assert!(bench.events.is_empty(), "an abort without a grid");
    assert_eq!(bench.write(CONTROL, CONTROL_START), Ok(()));
    assert_eq!(bench.events, [Event::Start]);
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING));
    bench.engine.block.grid.running.next = true;

    // While the grid runs, the launch is stable and memory belongs to the grid.
    let before = bench.engine.block.grid.launch.val();
    let grid = bench.engine.block.grid.shape.val();
    for register in REGISTERS {
        let want = match register.address {
            CONTROL => continue,
            _ => Err(Refused),
        };
        assert_eq!(bench.write(register.address, 1), want, "{}", register.name);
        assert!(bench.read(register.address).is_ok(), "{}", register.name);
    }
    assert_eq!(bench.write(CONTROL, CONTROL_START), Err(Refused));
    assert_eq!(bench.write(PARAMETER_BASE, 1), Err(Refused));
    assert_eq!(bench.read(PARAMETER_BASE), Ok(0));
    assert_eq!(bench.write(INSTRUCTION_BASE, 1), Err(Refused));
    assert_eq!(bench.write(CONSTANT_BASE, 1), Err(Refused));
    assert_eq!(bench.write(GLOBAL_BASE, 1), Err(Refused));
    assert_eq!(bench.read(GLOBAL_BASE), Err(Refused));
    assert_eq!(bench.engine.block.grid.launch.val(), before);
    assert_eq!(bench.engine.block.grid.shape.val(), grid);
    assert_eq!(bench.requests, 0);

    assert_eq!(bench.write(CONTROL, CONTROL_ABORT), Ok(()));
    assert_eq!(bench.events, [Event::Start, Event::Abort]);
    assert!(!bench.engine.block.interrupt.val());
    bench.finish(Default::default(), 0, 0, 0);
    assert_eq!(bench.read(STATUS), Ok(STATUS_DONE));
    assert!(bench.engine.block.interrupt.val());
    bench.configure();
    assert_eq!(bench.write(CONTROL, CONTROL_START), Ok(()));
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING));
    assert!(!bench.engine.block.interrupt.val());
}
