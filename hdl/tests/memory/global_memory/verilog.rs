//! Runs the lint, and compares the native circuit with its Verilog.

use super::bench::{drive, passes};
use super::model::access;
use flexgrip_hdl::memory::global::{queue_instructions, GlobalMemoryUnit};
use hdlkit::prelude::*;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

fn lint<const LANES: usize>() {
    let findings = hdlkit::lint::lint(&GlobalMemoryUnit::<LANES>::default());
    let text: Vec<String> = findings.iter().map(|f| f.to_string()).collect();
    assert!(text.is_empty(), "{}", text.join("\n"));
}

#[test]
fn kernels_pass_the_lint() {
    lint::<8>();
    lint::<16>();
    lint::<32>();
}

/// Compares the native circuit with its Verilog, with random accesses and an occasional error and clear.
fn equals_verilog<const LANES: usize>(cycles: u64) {
    let (mut credits, mut beat, mut part, mut current) = (queue_instructions(LANES), 0, 0, None);
    let (mut taken, mut awaited) = (false, 0u32);
    let stimulus = |unit: &mut GlobalMemoryUnit<LANES>, rng: &mut ChaCha8Rng, cycle: u64| {
        // Outcome of the previous cycle.
        credits += usize::from(unit.m_dequeued.val());
        if taken && unit.memory.request_valid.val() && !unit.memory.request_write.val() {
            awaited += 1;
        }
        unit.configuration.next.global_end = Bits::new(0x1_0000);
        unit.configuration.next.strict_coalescing = cycle % 1000 >= 500;
        unit.m.enqueue.next = false;
        if (beat > 0 || part > 0 || credits > 0) && rng.gen_bool(0.8) {
            if beat == 0 && part == 0 {
                credits -= 1;
                let mut a = access(rng, 0x1_0000);
                if rng.gen_range(0..40) == 0 {
                    a.address[rng.gen_range(0..32)] = rng.gen();
                }
                current = Some(a);
            }
            if let Some(a) = &current {
                drive(unit, a, beat, part);
                part = (part + 1) % passes(a);
            }
            if part == 0 {
                beat = (beat + 1) % (32 / LANES);
            }
        }
        unit.clear.next = unit.m_error.val().error.code.any() && rng.gen_range(0..20) == 0;
        unit.memory.response_valid.next = awaited > 0 && rng.gen_bool(0.7);
        awaited -= u32::from(unit.memory.response_valid.next);
        for port in &mut unit.memory.response_data {
            port.next = Bits::new(rng.gen::<u32>().into());
        }
        // Slow phases fill the queues.
        taken = rng.gen_bool(if cycle % 500 < 100 { 0.1 } else { 0.9 });
        unit.memory.request_ready.next = taken;
        unit.loads.ready.next = rng.gen_bool(if cycle % 700 < 150 { 0.1 } else { 0.9 });
    };
    match hdlkit_compiled::cosim::cosim(|| Box::new(GlobalMemoryUnit::<LANES>::default()), cycles, 7, stimulus) {
        Ok(report) => {
            assert_eq!(report.cycles, cycles);
            assert_eq!(report.outputs_that_changed, report.outputs, "{report:?}");
        }
        Err(hdlkit_compiled::cosim::CosimError::Missing { tool, .. }) => println!("skipped: no {tool}"),
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn circuit_equals_verilog_at_8_lanes() {
    equals_verilog::<8>(6000);
}

#[test]
#[cfg(feature = "soak")]
fn circuit_equals_verilog_at_16_lanes() {
    equals_verilog::<16>(3000);
}

#[test]
#[cfg(feature = "soak")]
fn circuit_equals_verilog_at_32_lanes() {
    equals_verilog::<32>(2000);
}
