//! Tests the strict coalescing rule of the G80: it changes the cycles, not the results.

use super::operands;
use crate::common::{launch, options, run, with_verilog, LANES};
use flexgrip_machine::{Launch, Retire};
use flexgrip_sim::engines::engine::{Coalescing, Engine, Options};
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::RunReport;

/// Runs a small kernel in lockstep with this coalescing rule.
#[track_caller]
fn run_coalescing(
    engine: &mut dyn Engine,
    launch: &Launch,
    lanes: u32,
    coalescing: Coalescing,
) -> (RunReport, Vec<Retire>) {
    let options = Options {
        coalescing,
        ..options(lanes)
    };
    let mut records = Vec::new();
    let (report, _, difference) =
        lockstep::run(engine, launch, &options, |record| records.push(record.clone())).unwrap();
    if let Some(difference) = difference {
        panic!("{}, {lanes} lanes: {difference}", engine.name());
    }
    (report, records)
}

#[test]
fn strict_rule_only_changes_cycles() {
    // Threads in order, then each half-warp reversed, for which the strict rule makes one request per thread.
    let kernel = |flip: u32| {
        format!(
            "
            LOP32I.XOR R1, R0, {flip}
            SHL R1, R1, 3
            GLD.S64 R2, global14[R1]
            IADD R3, R3, R2
            GST.S64 global14[R1], R2
            SHL R1, R0, 2
            IADD32I R1, R1, 0x800
            GST.U32 global14[R1], R3
            RET
            "
        )
    };
    let memory = operands(12, 2 * 96);
    for flip in [0, 15] {
        let launch = launch(&kernel(flip), 1, 96, memory.clone());
        for lanes in LANES {
            let segment = run(&launch, lanes).0;
            let g80 = run_coalescing(&mut RtlEngine, &launch, lanes, Coalescing::G80).0;
            assert_eq!(
                (segment.ending, &segment.global),
                (g80.ending, &g80.global),
                "{lanes} lanes"
            );
            let [fast, slow] = [segment.cycles, g80.cycles].map(|cycles| cycles.unwrap_or(0));
            println!("{lanes} lanes, flip {flip}: {fast} cycles by segments, {slow} by the strict rule");
            // Requests that wait for their half-warp may happen to be in a better order of warps.
            assert!(flip == 0 || slow > fast + 96, "{lanes} lanes: {fast}, {slow}");
            let other =
                (lanes == 8).then(|| with_verilog(|engine| run_coalescing(engine, &launch, lanes, Coalescing::G80).0));
            if let Some(other) = other.flatten() {
                assert_eq!((g80.cycles, &g80.global), (other.cycles, &other.global));
            }
        }
    }
}
