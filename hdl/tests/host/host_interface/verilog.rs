//! Compares the interface and the counters with their Verilog, and runs the lint.

use super::bench::{host, INSTRUCTION_BYTES};
use super::counters::{counted, CAUSES};
use flexgrip_hdl::bundles::*;
use flexgrip_hdl::chip::counters::{CounterRead, CycleCounter, EventCounters, GridPulses, IssueAccount};
use flexgrip_hdl::chip::host_interface::ErrorReport;
use flexgrip_machine::host_map::*;
use hdlkit::lint::lint;
use hdlkit::prelude::{Bits, Blank};
use hdlkit_compiled::cosim::cosim;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn host_interface_equals_its_verilog() {
    let mut addresses: Vec<u32> = REGISTERS.iter().map(|r| r.address).collect();
    addresses.extend([
        PARAMETER_BASE,
        PARAMETER_BASE + 0xfc,
        COUNTER_BASE + 8,
        COUNTER_BASE + COUNTER_STRIDE + 0x74,
        COUNTER_BASE + COUNTER_STRIDE + 0x78,
        COUNTER_BASE + 2 * COUNTER_STRIDE,
        INSTRUCTION_BASE + 0x40,
        CONSTANT_BASE + 0xfffc,
    ]);
    addresses.extend([GLOBAL_BASE, GLOBAL_BASE + 0x1234, 0x64, 0x1_0000, INSTRUCTION_BASE + INSTRUCTION_BYTES]);
    let report = cosim(host, 20_000, 7, |block, rng, cycle| {
        let answered = block.host.acknowledge.val() || block.host.error.val();
        // Usually hold a request until its answer. Sizes are written first, so grids can start.
        if answered || !block.host.strobe.val() || rng.gen_range(0..50) == 0 {
            block.host.cycle.next = rng.gen_range(0..8) != 0;
            block.host.strobe.next = rng.gen_range(0..8) != 0;
            let any = *addresses.choose(rng).expect("not empty");
            let control = rng.gen_range(0..8) == 0;
            block.host.write.next = control || rng.gen();
            block.host.address.next = Bits::new(if control { CONTROL } else { any } as u64);
            block.host.write_data.next =
                Bits::new(if control || cycle % 1000 < 500 { rng.gen_range(1..3) } else { rng.gen::<u32>() as u64 });
            if rng.gen_range(0..20) == 0 {
                block.host.address.next = Bits::new(rng.gen::<u32>() as u64);
            }
        }
        block.grid.parameter_index.next = Bits::new(rng.gen_range(0..2) * 63);
        block.memory.request_ready.next = rng.gen();
        block.memory.response_valid.next = rng.gen();
        block.memory.response_data[0].next = Bits::new(rng.gen::<u32>() as u64);
        block.reset.next = rng.gen_range(0..3000) == 0;
        block.memory_error.next = rng.gen_range(0..100) == 0;
        block.memory_busy.next = rng.gen();
        block.grid.done.next = rng.gen_range(0..60) == 0;
        block.grid.running.next = rng.gen_range(0..100) == 0;
        block.error.next = ErrorReport {
            error: KernelError {
                code: Bits::new(rng.gen_range(0..4)),
                warp: Bits::new(rng.gen_range(0..32)),
                pc: Bits::new(rng.gen_range(0..1 << 24)),
                address: Bits::new(rng.gen::<u32>() as u64),
            },
            warp: WarpIdentity { block: Bits::new(rng.gen::<u32>() as u64), index: Bits::new(rng.gen_range(0..32)) },
            sm: Bits::new(rng.gen_range(0..8)),
        };
        block.counter_word.next = Bits::new(rng.gen::<u32>() as u64);
    })
    .unwrap_or_else(|e| panic!("{e}"));
    // The byte enables of global memory are always the same.
    assert_eq!(report.outputs_that_changed, report.outputs - 1);
}

fn grid(rng: &mut ChaCha8Rng) -> GridPulses {
    GridPulses { start: rng.gen_range(0..100) == 0, done: rng.gen_range(0..150) == 0 }
}

fn counter(rng: &mut ChaCha8Rng) -> CounterRead {
    let sm = Bits::new(rng.gen_range(0..8));
    CounterRead { valid: rng.gen(), of_sm: rng.gen(), sm, index: Bits::new(rng.gen_range(0..64)) }
}

#[test]
fn counters_equal_their_verilog() {
    let mut values = ChaCha8Rng::seed_from_u64(9);
    let report = cosim(
        || Box::new(EventCounters::blank()),
        5_000,
        8,
        |block, rng, _| {
            block.grid.next = grid(rng);
            block.counted.next = counted(&mut values);
            block.counter.next = counter(rng);
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
    let report = cosim(
        || Box::new(IssueAccount::blank()),
        5_000,
        8,
        |block, rng, _| {
            block.grid.next = grid(rng);
            block.cause.next = CAUSES[rng.gen_range(0..CAUSES.len())];
            block.counter.next = counter(rng);
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
    let report = cosim(
        || Box::new(CycleCounter::blank()),
        5_000,
        8,
        |block, rng, _| {
            block.grid.next = grid(rng);
            block.counter.next = counter(rng);
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn host_interface_passes_the_lint() {
    assert_eq!(lint(&*host()), []);
    assert_eq!(lint(&CycleCounter::blank()), []);
    assert_eq!(lint(&IssueAccount::blank()), []);
    assert_eq!(lint(&EventCounters::blank()), []);
}
