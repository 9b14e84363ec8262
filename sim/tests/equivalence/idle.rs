//! Skipping idle cycles changes only the time of a run. Records, counters, memory, snapshots and outcomes of faults
//! equal the results of a machine that simulates every cycle. A machine does so if any bits are forced, even an empty
//! set.

use crate::common::{build, configuration, kernels_below, on_all_cores, root, Folder};
use flexgrip_isa::decode;
use flexgrip_machine::{Capability, Retire};
use flexgrip_sim::engines::engine::{Engine, Observer, Options};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::native::compiled::{CompiledEngine, CompiledMachine, Held, Holds};
use flexgrip_sim::engines::native::snapshot::Snapshot;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::fuzz::generate::Mix;
use flexgrip_sim::fuzz::program::MEMORY_BYTES;
use flexgrip_sim::fuzz::{write_program, FuzzOptions};
use flexgrip_sim::trace::ending::Ending;
use hdlkit_compiled::MachineCode;
use std::ops::ControlFlow;
use std::time::Duration;

/// Dependent loads of one warp, while the other waits at a barrier.
const LOADS: &str = "
    I2I.U32.U16 R1, R0L
    MVI R5, 31
    ISET.C0 o[0x7f], R1, R5, GT
    BRA C0.NE, wait
    MVI R4, 4
    again: GLD.U32 R2, global14[R2]
    IADD32I R4, R4, -1
    ISET.C0 o[0x7f], R4, R124, NE
    BRA C0.NE, again
    wait: BAR.ARV.WAIT b0, 0xfff
    SHL R3, R1, 2
    GST.U32 global14[R3], R2
    RET
";

fn loads() -> Kernel {
    let launch = "name = \"loads\"\nprogram = \"kernel.sass\"\nregisters = 8\ngrid = [1, 1]\nblock = [64, 1, 1]\n";
    Folder::new(&[("launch.toml", launch), ("kernel.sass", LOADS)]).kernel()
}

fn options(memory_latency: u32) -> Options {
    Options {
        configuration: configuration(8, MEMORY_BYTES.max(1 << 20)),
        memory_latency,
        max_cycles: 2_000_000_000,
        build: build(),
        ..Options::default()
    }
}

/// Returns an empty set of forced bits, which disables skipping.
fn every_cycle() -> Option<Held> {
    Some(Held {
        targets: vec![],
        how: Holds::Zero,
        cycles: u64::MAX,
    })
}

/// Cycles from a request to memory to its answer.
const LATENCIES: [u32; 4] = [1, 20, 200, 1000];

type Run = (RunReport, Vec<Retire>);

/// The report of a run, without its time, and its records; a machine with a flipped bit may also break the rules of
/// its trace.
fn recorded(run: impl FnOnce(&mut Observer) -> Result<RunReport, RunError>) -> Result<Run, String> {
    let mut records = vec![];
    let report = run(&mut |record| {
        records.push(record.clone());
        ControlFlow::Continue(())
    });
    let report = RunReport {
        wall: Duration::ZERO,
        skipped: 0,
        ..report.map_err(|error| error.to_string())?
    };
    Ok((report, records))
}

#[track_caller]
fn assert_equal(all: &Result<Run, String>, some: &Result<Run, String>, what: &str) {
    let (Ok((report, records)), Ok((other, other_records))) = (all, some) else {
        assert_eq!(all.as_ref().err(), some.as_ref().err(), "{what}");
        return;
    };
    assert_eq!(report.ending, other.ending, "{what}");
    assert_eq!(report.cycles, other.cycles, "{what}");
    assert_eq!(report.counters, other.counters, "{what}");
    assert!(report == other, "{what}: memory");
    assert!(records == other_records, "{what}: records");
}

/// Runs from a snapshot without and with skipped cycles, and compares them.
#[track_caller]
fn compare_from(
    machine: &mut CompiledMachine,
    from: &Snapshot,
    change: impl Fn(&mut MachineCode),
    what: &str,
) -> Result<Run, String> {
    let all = recorded(|observer| machine.run(from, &change, every_cycle(), Some(observer)));
    let ended = (machine.ended(), machine.state().unwrap());
    let some = recorded(|observer| machine.run(from, &change, None, Some(observer)));
    assert_equal(&all, &some, what);
    assert!(ended == (machine.ended(), machine.state().unwrap()), "{what}: state");
    all
}

/// Checks that skipped cycles change nothing: in a run, with and without records, and in snapshots.
#[track_caller]
fn check(kernel: &Kernel, latency: u32) {
    let options = options(latency);
    let what = format!("{}, latency {latency}", kernel.launch.name);
    let all = CompiledMachine::with(&kernel.launch, &options, |machine| {
        let from = machine.snapshot(1)?;
        let all = compare_from(machine, &from, |_| {}, &what).unwrap();
        let cycles = all.0.cycles.unwrap_or_default();
        let mut step = from.clone();
        for (number, cycle) in (1..cycles).step_by(15).enumerate().take(400) {
            // Runs of at most 15 cycles are never skipped.
            step = machine.snapshot_from(&step, cycle, true)?;
            if number % 40 == 39 {
                let state = machine.state()?;
                machine.snapshot_from(&from, cycle, true)?;
                assert!(state == machine.state()?, "{what}: the state in cycle {cycle}");
                let rest = recorded(|observer| machine.run(&step, |_| {}, None, Some(observer))).unwrap();
                assert_eq!(rest.0.global, all.0.global, "{what}: continued in cycle {cycle}");
                assert_eq!(rest.0.cycles, all.0.cycles, "{what}: continued in cycle {cycle}");
            }
        }
        Ok(all)
    });
    let whole = recorded(|observer| CompiledEngine.run(&kernel.launch, &options, Some(observer)));
    assert_equal(&all.map_err(|error| error.to_string()), &whole, &what);
    let whole = whole.unwrap();
    // Without an observer, fewer events are visible. Skipping must not depend on them.
    let alone = CompiledEngine.run(&kernel.launch, &options, None).unwrap();
    assert_eq!(
        (alone.cycles, &alone.counters),
        (whole.0.cycles, &whole.0.counters),
        "{what}"
    );
    assert!(alone.global == whole.0.global, "{what}: memory");
}

#[test]
fn kernels_are_the_same_with_skipped_cycles() {
    let mut kernels: Vec<Kernel> = kernels_below(&root().join("kernels"))
        .iter()
        .map(|path| Kernel::load(path).unwrap())
        .collect();
    kernels.push(loads());
    let mut runs: Vec<(&Kernel, u32)> = kernels
        .iter()
        .flat_map(|kernel| LATENCIES.map(|latency| (kernel, latency)))
        .collect();
    if !cfg!(feature = "soak") {
        // 25 and the number of latencies have no common divisor, so every latency is used, the longest one for the last
        // kernel.
        runs = runs.into_iter().rev().step_by(25).collect();
    }
    on_all_cores(&runs, |(kernel, latency)| check(kernel, *latency));
}

#[test]
fn random_programs_are_the_same_with_skipped_cycles() {
    let programs = if cfg!(feature = "soak") { 100 } else { 2 };
    let runs: Vec<(u64, u32)> = (0..programs).zip(LATENCIES.into_iter().cycle().skip(1)).collect();
    on_all_cores(&runs, |(first, latency)| {
        let folder = tempfile::tempdir().unwrap();
        let options = FuzzOptions {
            seed: 47,
            first: *first,
            count: 1,
            mix: Mix::Any,
            capability: Capability::V1_0,
            lanes: None,
            build: build(),
            output: folder.path().into(),
        };
        write_program(folder.path(), &options).unwrap();
        check(&Kernel::load(folder.path()).unwrap(), *latency)
    });
}

/// A bit of each register is flipped during a wait. The flip may end the wait, change a counter, or remain.
#[test]
fn flips_in_idle_cycles_have_the_same_outcome() {
    let kernel = loads();
    let options = Options {
        max_cycles: 20_000,
        ..options(200)
    };
    CompiledMachine::with(&kernel.launch, &options, |machine| {
        let start = machine.snapshot(1)?;
        let all = compare_from(machine, &start, |_| {}, "no flip").unwrap();
        let second = all
            .1
            .iter()
            .filter(|record| decode(record.word).unwrap().to_string().starts_with("GLD"))
            .nth(1);
        let cycle = second.unwrap().issue_cycle.unwrap() + 120;
        let from = machine.snapshot(cycle)?;
        let registers = machine.code().flip_flops().count();
        for number in (0..registers).step_by(7) {
            let flip = |machine: &mut MachineCode| {
                let value = machine.flip_flop(number).unwrap();
                machine.set_flip_flop(number, value ^ 1);
            };
            let _ = compare_from(machine, &from, flip, &format!("register {number}"));
        }
        Ok(())
    })
    .unwrap();
}

/// Simulated cycle by cycle, this would take an hour.
#[test]
fn long_waits_are_skipped() {
    let run = |latency| CompiledEngine.run(&loads().launch, &options(latency), None).unwrap();
    let (long, short) = (run(250_000_000), run(1000));
    assert_eq!(long.ending, Ending::Complete);
    // Each of the four loads waits for its data.
    let longer = long.cycles.unwrap() - short.cycles.unwrap();
    assert_eq!(longer, 4 * (250_000_000 - 1000));
}
