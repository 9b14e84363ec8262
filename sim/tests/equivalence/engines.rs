//! Compares the results, records and cycles of kernels on all engines and at all lane counts.
//!
//! The kernels are the project's, and a corpus of real ones if it exists (see `corpus`).

use crate::common::{
    build, configuration, flexgrip, kernels_below, on_all_cores, recorded_cycles, root, shared, verilator, Folder,
    TIER_LANES,
};
use flexgrip_exhaustive::conformance::{record, Subject};
use flexgrip_machine::{ErrorKind, ImageSpace, KernelError, Placement, Retire};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::compiled::CompiledEngine;
use flexgrip_sim::engines::native::kernels::KernelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::engines::verilog::verilator::VerilatorEngine;
use flexgrip_sim::files::expectation::initial_global;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::report::Summary;
use flexgrip_sim::trace::ending::Ending;
use hdlkit::output::grouped;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

fn options(lanes: u32) -> Options {
    Options {
        configuration: configuration(lanes, 1 << 20),
        max_cycles: 2_000_000,
        build: build(),
        ..Options::default()
    }
}

/// The real kernels in `$FLEXGRIP_SHARED/corpus/apps`, by default in a folder next to the project.
fn corpus() -> Vec<PathBuf> {
    let folder = shared().join("corpus/apps");
    let kernels = kernels_below(&folder);
    if kernels.is_empty() {
        println!("skipped: no kernels in {}", folder.display());
    }
    kernels
}

fn kernels() -> Vec<Kernel> {
    let own = kernels_below(&root().join("kernels"));
    own.into_iter()
        .chain(corpus())
        .map(|path| Kernel::load(&path).unwrap())
        .collect()
}

/// The kernels for slow tests: in the quick tier those that take less than 20,000 cycles with 8 lanes, as three
/// quarters of them do, and those without a record.
fn tier_kernels() -> Vec<Kernel> {
    let recorded = recorded_cycles();
    let cycles = |kernel: &Kernel| recorded.get(&kernel.launch.name)?.get("lanes_8").copied();
    let mut kernels = kernels();
    kernels.retain(|kernel| cfg!(feature = "soak") || cycles(kernel).is_none_or(|cycles| cycles < 20_000));
    kernels
}

/// Checks that a run ended normally, or at an instruction that this core does not implement.
#[track_caller]
fn assert_ending(kernel: &Kernel, report: &RunReport) {
    match report.ending {
        Ending::Complete
        | Ending::Failed(KernelError {
            kind: ErrorKind::IllegalInstruction,
            ..
        }) => {}
        other => panic!("{}: {other:?}", kernel.launch.name),
    }
}

#[test]
fn circuits_agree_with_the_model() {
    let kernels = kernels();
    let instructions = AtomicU64::new(0);
    on_all_cores(&kernels, |kernel| {
        for &lanes in TIER_LANES {
            let run = lockstep::run(&mut RtlEngine, &kernel.launch, &options(lanes), |_| {});
            let (report, compared, difference) = run.unwrap();
            let name = &kernel.launch.name;
            assert!(difference.is_none(), "{name}, {lanes} lanes: {}", difference.unwrap());
            assert_ending(kernel, &report);
            assert!(compared > 0, "{name}: no record");
            instructions.fetch_add(compared, Ordering::Relaxed);
            if report.ending == Ending::Complete {
                assert_eq!(
                    compared, report.warp_instructions,
                    "{name}: a record for each instruction"
                );
                let summary = Summary::new(kernel, "rtl", lanes, 1, &report);
                assert!(summary.success(), "{name}, {lanes} lanes: {}", summary.verdict());
            }
        }
    });
    let lanes: Vec<String> = TIER_LANES.iter().map(u32::to_string).collect();
    let cases = format!(
        "{} kernels at {} lanes, {} warp instructions",
        kernels.len(),
        lanes.join(", "),
        grouped(instructions.into_inner())
    );
    record("kernels", Subject::Machine, &cases);
}

/// The circuits load initial contents over the bus, but not memory that an earlier launch has left.
#[test]
fn carried_memory_is_like_initial_contents() {
    let kernel = Kernel::load(&root().join("kernels/vectoradd")).unwrap();
    let words = options(8).configuration.global_bytes as usize / 4;
    let carried = Options {
        memory: Some(initial_global(&kernel.launch, words)),
        ..options(8)
    };
    let mut launch = kernel.launch.clone();
    launch.memory.retain(|image| image.space != ImageSpace::Global);
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(ModelEngine), Box::new(RtlEngine), Box::new(KernelEngine)];
    if verilator() {
        engines.push(Box::new(VerilatorEngine::default()));
    }
    for engine in &mut engines {
        let mut loaded = engine.run(&kernel.launch, &options(8), None).unwrap();
        let report = engine.run(&launch, &carried, None).unwrap();
        loaded.wall = report.wall;
        assert_eq!(report, loaded, "{}", engine.name());
        assert!(Summary::new(&kernel, engine.name(), 8, 1, &report).success());
    }
    let (report, compared, difference) = lockstep::run(&mut RtlEngine, &launch, &carried, |_| {}).unwrap();
    assert_eq!((compared, difference), (report.warp_instructions, None));
    // Without regions, all carried words count as written.
    let check = Options { check: true, ..carried };
    let checked = ModelEngine.run(&launch, &check, None).unwrap().check.unwrap();
    assert_eq!(checked.findings.errors(), 0);
    let unwritten = Options { memory: None, ..check };
    let checked = ModelEngine.run(&launch, &unwritten, None).unwrap().check.unwrap();
    assert!(checked.findings.errors() > 0);
}

/// Runs a kernel, and returns its report and all records.
fn records(engine: &mut dyn Engine, kernel: &Kernel, options: &Options) -> (RunReport, Vec<Retire>) {
    let mut records = Vec::new();
    let report = engine.run(
        &kernel.launch,
        options,
        Some(&mut |record| {
            records.push(record.clone());
            ControlFlow::Continue(())
        }),
    );
    (
        RunReport {
            wall: std::time::Duration::ZERO,
            ..report.unwrap()
        },
        records,
    )
}

/// Checks that two clocked engines agree in every cycle.
#[track_caller]
fn assert_alike(one: &mut dyn Engine, other: &mut dyn Engine, kernel: &Kernel, lanes: u32) -> RunReport {
    let name = format!(
        "{}, {lanes} lanes, {} and {}",
        kernel.launch.name,
        one.name(),
        other.name()
    );
    let (report, own_records) = records(one, kernel, &options(lanes));
    let (other_report, other_records) = records(other, kernel, &options(lanes));
    for (own, other) in own_records.iter().zip(&other_records) {
        if let Some(difference) = own.difference(other, Placement::Compare) {
            panic!("{name}: {difference}\n{own}\n{other}");
        }
        let cycles = |record: &Retire| (record.issue_cycle, record.retire_cycle);
        assert_eq!(cycles(own), cycles(other), "{name}: {own}");
    }
    assert_eq!(own_records.len(), other_records.len(), "{name}");
    assert!(
        report == other_report,
        "{name}: cycles, counters, ending or memory differ"
    );
    report
}

#[test]
fn kernels_and_machine_code_agree_in_every_cycle() {
    on_all_cores(&tier_kernels(), |kernel| {
        for &lanes in TIER_LANES {
            assert_alike(&mut KernelEngine, &mut CompiledEngine, kernel, lanes);
        }
    });
}

/// Every engine for the circuits, in a separate process, prints the same report.
#[test]
fn all_circuit_engines_print_the_same_report() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/sgemm_tiled");
    let run = |engine: &str| {
        let output = flexgrip(&["run", "--json", "--engine", engine], &folder);
        assert!(output.status.success());
        let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let report = report.as_object_mut().unwrap();
        for differs in ["engine", "wall_seconds", "cycles_per_second"] {
            report.remove(differs);
        }
        serde_json::to_string_pretty(report).unwrap()
    };
    let kernels = run("kernels");
    assert_eq!(kernels, run("rtl"));
    assert_eq!(kernels, run("compiled"));
}

#[test]
fn circuits_and_verilog_agree_in_every_cycle() {
    if !verilator() {
        return;
    }
    on_all_cores(&tier_kernels(), |kernel| {
        for &lanes in TIER_LANES {
            let observed = assert_alike(&mut RtlEngine, &mut VerilatorEngine::default(), kernel, lanes);
            // A run without an observer gives the same report.
            let alone = RtlEngine.run(&kernel.launch, &options(lanes), None).unwrap();
            assert_eq!(alone.cycles, observed.cycles, "{}", kernel.launch.name);
        }
    });
}

#[test]
fn model_gives_the_expected_results() {
    for kernel in kernels() {
        let report = ModelEngine.run(&kernel.launch, &options(8), None).unwrap();
        assert_ending(&kernel, &report);
        if report.ending == Ending::Complete {
            let summary = Summary::new(&kernel, "model", 8, 1, &report);
            assert!(summary.success(), "{}: {}", kernel.launch.name, summary.verdict());
        }
    }
}

#[test]
fn memory_latency_only_changes_cycles() {
    let text = "SHL R1, R0, 2\nGLD.U32 R2, global14[R1]\nIADD32I R2, R2, 1\nGST.U32 global14[R1], R2\nRET\n";
    let kernel = Folder::sass(text).kernel();
    let mut cycles = Vec::new();
    for memory_latency in [1, 20, 500] {
        let options = Options {
            memory_latency,
            ..options(8)
        };
        let (report, compared, difference) = lockstep::run(&mut RtlEngine, &kernel.launch, &options, |_| {}).unwrap();
        assert!(difference.is_none() && compared == 5);
        cycles.push(report.cycles.unwrap());
    }
    // Up to 20 cycles of latency may be hidden by the beats, but not 500.
    assert!(cycles[0] <= cycles[1] && cycles[1] + 400 < cycles[2], "{cycles:?}");
}

#[test]
fn observer_ends_the_run() {
    let kernel = Folder::sass("loop: BRA loop\n").kernel();
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(RtlEngine)];
    if verilator() {
        engines.push(Box::new(VerilatorEngine::default()));
    }
    for mut engine in engines {
        let mut seen = 0;
        let mut observer = |_: &Retire| {
            seen += 1;
            if seen == 3 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let report = engine.run(&kernel.launch, &options(8), Some(&mut observer)).unwrap();
        assert_eq!((report.ending, seen), (Ending::Stopped, 3), "{}", engine.name());
    }
}

#[test]
fn wave_is_written() {
    let folder = Folder::sass("RET\n");
    let wave = folder.path().join("wave.vcd");
    let output = flexgrip(&["run", "--wave", wave.to_str().unwrap()], folder.path());
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(&wave).unwrap();
    assert!(text.contains("$enddefinitions") && text.contains("$scope module trace[0]") && text.contains(" issue_pc "));
    // Surfer's parser accepts the file, and it contains every signal in GTKWave's save file.
    let parsed = wellen::simple::read(&wave).unwrap();
    let names: std::collections::HashSet<String> = parsed
        .hierarchy()
        .iter_vars()
        .map(|variable| variable.full_name(parsed.hierarchy()))
        .collect();
    let save = std::fs::read_to_string(wave.with_extension("gtkw")).unwrap();
    let groups: Vec<&str> = save.lines().filter(|line| line.starts_with('-')).step_by(2).collect();
    let stages = [
        "-fetch",
        "-warp scheduler and decode",
        "-scoreboard",
        "-read",
        "-operand collector",
        "-execute",
        "-float units",
        "-special function units",
    ];
    assert_eq!(groups[2..10], stages, "{groups:?}");
    let signals: Vec<&str> = save.lines().filter(|line| line.starts_with("top.")).collect();
    assert!(signals.len() > 100, "only {} signals", signals.len());
    for signal in signals {
        // The range of a vector is not part of the name; the index of an array before it is.
        let name = match signal.rsplit_once('[') {
            Some((name, range)) if range.ends_with(":0]") => name,
            _ => signal,
        };
        assert!(names.contains(name), "the wave has no {name}");
    }
    // The model cannot write waves.
    let output = flexgrip(
        &["run", "--engine", "model", "--wave", wave.to_str().unwrap()],
        folder.path(),
    );
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("no signals"));
}

#[test]
fn trace_has_a_line_for_each_instruction() {
    let folder = Folder::sass("MOV32 R0, R0\nMOV32 R0, R0\nRET\n");
    let trace = folder.path().join("trace.txt");
    let output = flexgrip(&["run", "--trace", trace.to_str().unwrap()], folder.path());
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(&trace).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
}
