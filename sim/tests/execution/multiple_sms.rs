//! Tests several SMs: kernels of many blocks, in lockstep with the model on the circuits and their Verilog, are faster
//! than on one SM; blocks are placed correctly; errors stop all SMs and name the failing one.

use crate::common::{build, configuration, many_blocks, verilator_of, Folder, TIER_LANES};
use flexgrip_machine::host_map::SmCounter;
use flexgrip_machine::{Configuration, ErrorKind, KernelError, Placement, Retire};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::engines::verilog::verilator::VerilatorEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

const BLOCKS: u32 = 40;

fn options(lanes: u32, sms: u32) -> Options {
    Options {
        configuration: Configuration {
            sms,
            ..configuration(lanes, 1 << 20)
        },
        max_cycles: 200_000,
        build: build(),
        ..Options::default()
    }
}

/// The two words of each thread of the kernel of many blocks.
fn expected(threads: u32) -> Vec<(u32, u32)> {
    let own = |i: u32| i.wrapping_mul((i.wrapping_mul(31) & 31) + 1);
    let neighbour = |i: u32| if i % 96 == 95 { i } else { i + 1 };
    (0..threads)
        .map(|i| (own(i), own(i).wrapping_add(own(neighbour(i)))))
        .collect()
}

fn lockstep_run(engine: &mut dyn Engine, kernel: &Kernel, lanes: u32, sms: u32) -> (RunReport, Vec<Retire>) {
    let mut records = Vec::new();
    let (report, compared, difference) = lockstep::run(engine, &kernel.launch, &options(lanes, sms), |record| {
        records.push(record.clone());
    })
    .unwrap();
    let place = format!("{}, {lanes} lanes, {sms} SMs", engine.name());
    assert!(difference.is_none(), "{place}: {}", difference.unwrap());
    assert_eq!(report.ending, Ending::Complete, "{place}");
    assert_eq!(
        (compared, records.len() as u64),
        (report.warp_instructions, compared),
        "{place}"
    );
    for (i, (own, sum)) in expected(BLOCKS * 96).into_iter().enumerate() {
        assert_eq!(
            (report.global[i], report.global[0x2000 + i]),
            (own, sum),
            "{place}: thread {i}"
        );
    }
    (report, records)
}

#[test]
fn many_blocks_use_all_sms_and_run_faster() {
    let kernel = many_blocks(BLOCKS);
    for &lanes in TIER_LANES {
        let mut cycles = Vec::new();
        for sms in [1, 2, 4] {
            let (report, records) = lockstep_run(&mut RtlEngine, &kernel, lanes, sms);
            cycles.push(report.cycles.unwrap());
            assert_eq!(report.counters.len(), sms as usize);
            // Each block runs on a single SM, and the SMs in the records match the counters.
            let places: BTreeSet<(u32, u32)> = records.iter().map(|record| (record.block, record.sm)).collect();
            assert_eq!(places.len(), BLOCKS as usize);
            for (sm, counters) in (0..).zip(&report.counters) {
                let issued = records.iter().filter(|record| record.sm == sm).count() as u64;
                assert!(issued > 0, "SM {sm} of {sms} has executed nothing");
                assert_eq!(issued, counters.get(SmCounter::Issued), "SM {sm} of {sms}");
                assert_eq!(counters.account().iter().sum::<u64>(), report.cycles.unwrap());
                let own: Vec<u64> = records
                    .iter()
                    .filter(|record| record.sm == sm)
                    .filter_map(|record| record.issue_cycle)
                    .collect();
                assert!(own.is_sorted(), "the records of SM {sm} are in its issue order");
            }
            // The first blocks are assigned to the SMs in turn.
            for (block, sm) in places.into_iter().take(sms as usize) {
                assert_eq!(block, sm);
            }
        }
        assert!(
            cycles[1] * 10 < cycles[0] * 7 && cycles[2] * 10 < cycles[1] * 8,
            "{lanes} lanes: {cycles:?}"
        );
    }
}

/// The Verilog has the same records, cycles, counters and memory as the circuits. Only machines with 2 SMs of 8 lanes
/// are tested: each further SM and lane takes minutes in Verilator and adds no new Verilog; other tests compare a
/// single SM at every number of lanes.
#[test]
fn verilog_of_2_sms_agrees() {
    let (lanes, sms) = (8, 2);
    if !verilator_of(lanes, sms) {
        println!("skipped: the soak tier builds 2 SMs");
        return;
    }
    let kernel = many_blocks(BLOCKS);
    let (native, native_records) = lockstep_run(&mut RtlEngine, &kernel, lanes, sms);
    let (verilog, verilog_records) = lockstep_run(&mut VerilatorEngine::default(), &kernel, lanes, sms);
    for (native, verilog) in native_records.iter().zip(&verilog_records) {
        assert_eq!(
            native.difference(verilog, Placement::Compare),
            None,
            "\n{native}\n{verilog}"
        );
        assert_eq!(
            (native.issue_cycle, native.retire_cycle),
            (verilog.issue_cycle, verilog.retire_cycle)
        );
    }
    let timeless = |report: RunReport| RunReport {
        wall: std::time::Duration::ZERO,
        ..report
    };
    assert!(timeless(native) == timeless(verilog), "{lanes} lanes, {sms} SMs");
}

/// A kernel of 4 one-warp blocks. Block b branches to the label `block_b`.
fn by_block(code: &str) -> Kernel {
    let program = format!(
        "I2I.U32.U16 R1, g[6].U16; MVI R2, 1; ISET.C0 o[0x7f], R1, R2, EQ; ISET.C1 o[0x7f], R1, R2, GT
         MVI R2, 2; ISET.C2 o[0x7f], R1, R2, GT
         BRA C2.NE, block_3; BRA C1.NE, block_2; BRA C0.NE, block_1; BRA block_0
         {code}"
    );
    let launch =
        "name = \"t\"\nprogram = \"kernel.sass\"\nregisters = 16\ngrid = [4, 1]\nblock = [32, 1, 1]\n".to_string();
    Folder::new(&[("launch.toml", &launch), ("kernel.sass", &program)]).kernel()
}

/// Returns the error of a kernel, which must be the same on every engine. Verilator only runs machines of up to 2 SMs,
/// because larger ones take minutes to build.
fn error(code: &str, sms: u32) -> KernelError {
    let kernel = by_block(code);
    let mut errors = Vec::new();
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(RtlEngine), Box::new(ModelEngine)];
    if sms <= 2 && verilator_of(8, sms) {
        engines.push(Box::new(VerilatorEngine::default()));
    }
    for engine in &mut engines {
        let (report, _, difference) = lockstep::run(&mut **engine, &kernel.launch, &options(8, sms), |_| {}).unwrap();
        assert!(difference.is_none(), "{}: {}", engine.name(), difference.unwrap());
        let Ending::Failed(error) = report.ending else {
            panic!("{}: {:?}", engine.name(), report.ending)
        };
        errors.push((engine.name(), error));
    }
    assert!(errors.iter().all(|(_, error)| *error == errors[0].1), "{errors:?}");
    errors[0].1
}

#[test]
fn error_on_sm_1_stops_all_sms() {
    // The other blocks never end.
    let only = error(
        "block_0: BRA block_0; block_1: TRAP; block_2: BRA block_2; block_3: BRA block_3",
        2,
    );
    assert_eq!((only.kind, only.sm, only.block), (ErrorKind::Trap, 1, 1));
    let memory = "block_0: BRA block_0; block_1: BRA block_1; block_2: BRA block_2; block_3: MVI R3, 2; GLD.U32 R3, global14[R3]; RET";
    let memory = error(memory, 4);
    assert_eq!(
        (memory.kind, memory.sm, memory.block),
        (ErrorKind::GlobalMisaligned, 3, 3)
    );
    assert_eq!(memory.address, Some(2));
}

/// Blocks fail on both SMs: the first error is reported, regardless of the other SM while it drains.
#[test]
fn first_error_is_reported() {
    let kernel = by_block("block_0: BRA block_0; block_1: NOP; NOP; NOP; NOP; TRAP; block_2: TRAP; block_3: TRAP");
    let run = |sms| RtlEngine.run(&kernel.launch, &options(8, sms), None).unwrap().ending;
    // On 4 SMs, block 1 starts before the others, but fails later than block 2, which traps at once.
    let Ending::Failed(first) = run(4) else { panic!() };
    assert_eq!(first.kind, ErrorKind::Trap);
    assert_eq!(first.sm, first.block, "the report is of one SM: {first}");
}

#[test]
fn endless_kernel_names_the_last_sm() {
    let kernel = by_block("block_0: RET; block_1: BRA block_1; block_2: RET; block_3: RET");
    let options = Options {
        max_cycles: 3000,
        ..options(8, 2)
    };
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(RtlEngine)];
    if verilator_of(8, 2) {
        engines.push(Box::new(VerilatorEngine::default()));
    }
    for mut engine in engines {
        let mut seen = BTreeSet::new();
        let observer = &mut |record: &Retire| {
            seen.insert(record.sm);
            ControlFlow::Continue(())
        };
        let report = engine.run(&kernel.launch, &options, Some(observer)).unwrap();
        let Ending::Failed(error) = report.ending else {
            panic!("{:?}", report.ending)
        };
        assert_eq!(
            (error.kind, error.sm, error.block),
            (ErrorKind::Endless { limit: 3000 }, 1, 1)
        );
        assert_eq!(seen, BTreeSet::from([0, 1]));
    }
}

#[test]
fn unsupported_sizes_are_refused() {
    let kernel = many_blocks(1);
    for sms in [3, 8] {
        let refused = RtlEngine.run(&kernel.launch, &options(8, sms), None);
        assert!(
            matches!(&refused, Err(RunError::Unsupported { reason, .. }) if reason.contains("expected 1, 2 or 4")),
            "{refused:?}"
        );
    }
}
