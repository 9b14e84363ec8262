//! Runs random programs on the circuits in lockstep with the model. A fault is found, shrunk and written to a folder.

use crate::common::{build, configuration, verilator};
use flexgrip_export::verilog::circuit_hash;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_isa::{decode, Operation};
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::{Capability, Launch, Retire};
use flexgrip_sim::engines::engine::{Engine, Observer, Options};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::engines::verilog::verilator::VerilatorEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::fuzz::generate::Mix;
use flexgrip_sim::fuzz::program::MEMORY_BYTES;
use flexgrip_sim::fuzz::{fuzz, fuzz_on_threads, write_program, FuzzOptions};
use std::num::NonZeroUsize;
use std::process::Command;

fn options(seed: u64, count: u64) -> FuzzOptions {
    FuzzOptions {
        seed,
        first: 0,
        count,
        mix: Mix::Any,
        capability: Capability::V1_0,
        lanes: None,
        build: build(),
        output: std::env::temp_dir(),
    }
}

/// Tests programs of a later capability: the model runs them to their end, with all instructions that it has.
#[test]
fn later_capabilities_run_on_the_model() {
    for capability in [Capability::V1_1, Capability::V1_2, Capability::V1_3] {
        let options = FuzzOptions {
            capability,
            ..options(8, 200)
        };
        let report = fuzz(&mut ModelEngine, &options, |_| {}).unwrap();
        assert!(report.failure.is_none(), "{capability}: {:#?}", report.failure);
        // Hazards between units need a clock.
        let missing = report
            .coverage
            .missing()
            .into_iter()
            .filter(|item| !item.starts_with("hazard: "));
        assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "{capability}");
        println!("{capability}: {} warp instructions", report.warp_instructions);
        assert!(report.warp_instructions > 50_000);
        let one = FuzzOptions { count: 1, ..options };
        let folder = tempfile::tempdir().unwrap();
        write_program(folder.path(), &one).unwrap();
        assert_eq!(Kernel::load(folder.path()).unwrap().launch.capability, capability);
    }
}

/// The circuits agree with the model on programs of later capabilities, with all of their instructions. The quick tier
/// runs few programs of 1.1 and 1.2, because 1.3 has all of their instructions, and one number of lanes for each
/// capability.
#[test]
fn later_circuits_agree_with_the_model() {
    let soak = cfg!(feature = "soak");
    for (capability, seed, count, lanes) in [
        (Capability::V1_1, 6, if soak { 80 } else { 12 }, Lanes::Sixteen),
        (Capability::V1_2, 8, if soak { 100 } else { 12 }, Lanes::ThirtyTwo),
        (Capability::V1_3, 4, 150, Lanes::Eight),
    ] {
        let options = FuzzOptions {
            capability,
            lanes: (!soak).then_some(lanes),
            ..options(seed, count)
        };
        let report = fuzz(&mut RtlEngine, &options, |_| {}).unwrap();
        assert!(report.failure.is_none(), "{capability}: {:#?}", report.failure);
        if soak || capability == Capability::V1_3 {
            assert_eq!(report.coverage.missing(), [""; 0], "{capability}");
        }
    }
}

#[test]
fn random_programs_reach_full_coverage_on_circuits() {
    let report = fuzz(&mut RtlEngine, &options(4, 80), |_| {}).unwrap();
    assert!(report.failure.is_none(), "{:#?}", report.failure);
    assert_eq!(report.coverage.missing(), [""; 0]);
    println!("{} warp instructions", report.warp_instructions);
    assert!(report.warp_instructions > 50_000);
}

#[test]
fn circuits_run_random_float_programs() {
    let options = FuzzOptions {
        mix: Mix::Float,
        ..options(2, 2)
    };
    let report = fuzz(&mut RtlEngine, &options, |_| {}).unwrap();
    assert!(report.failure.is_none(), "{:#?}", report.failure);
    // Most executed instructions are float instructions, although every program also loads, stores, branches and
    // computes addresses.
    let (all, floats) = (report.warp_instructions, report.coverage.float_instructions());
    println!("{floats} of {all} warp instructions on floats");
    assert!(floats > 4_000 && 2 * floats > all, "{floats} of {all}");
    assert!(
        report.coverage.float_results().numbers > 1_000,
        "{:?}",
        report.coverage.float_results()
    );
}

#[test]
fn written_program_is_a_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let write = |number: u64, name: &str| {
        let options = FuzzOptions {
            first: number,
            ..options(4, 1)
        };
        write_program(&folder.path().join(name), &options).unwrap();
        Kernel::load(&folder.path().join(name)).unwrap().launch
    };
    let (one, again, other) = (write(7, "one"), write(7, "again"), write(8, "other"));
    assert_eq!(one, again);
    assert!(one.program != other.program && one.program.len() > 20);
    let options = Options {
        configuration: configuration(8, MEMORY_BYTES),
        ..Options::default()
    };
    let run = lockstep::run(&mut RtlEngine, &one, &options, |_| {}).unwrap();
    assert!(run.2.is_none(), "{:?}", run.2);
}

/// Writes the record of a run by `make conformance`.
#[test]
fn run_writes_its_outcome_as_json() {
    let arguments = ["fuzz", "--seed", "4", "--first", "7", "--count", "2", "--json"];
    let output = Command::new(env!("CARGO_BIN_EXE_flexgrip"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["match"], true);
    assert_eq!(
        (&json["seed"], &json["first"], &json["programs"]),
        (&4.into(), &7.into(), &2.into())
    );
    assert_eq!((&json["engine"], &json["mix"]), (&"rtl".into(), &"any".into()));
    assert_eq!(json["circuit"], circuit_hash(MachineParameters::default()).unwrap());
    // Two programs cannot reach all items. Each warp instruction has exactly one unit.
    assert!(!json["not_reached"].as_array().unwrap().is_empty());
    let by_unit = json["warp_instructions_by_unit"].as_object().unwrap();
    let sum: u64 = by_unit.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(json["warp_instructions"], sum);
}

#[test]
fn verilog_runs_random_programs() {
    if !verilator() {
        return;
    }
    let mut engine = VerilatorEngine::default();
    let options = FuzzOptions {
        // Each size is a Verilator build, so all sizes are only built in the soak tier.
        lanes: (!cfg!(feature = "soak")).then_some(Lanes::Eight),
        ..options(3, 15)
    };
    let report = fuzz(&mut engine, &options, |_| {}).unwrap();
    assert!(report.failure.is_none(), "{:#?}", report.failure);
    assert!(report.warp_instructions > 10_000);
}

/// The model with a wrong bit in SHL's result if lane 0 shifts by an odd count.
struct Faulty;

fn spoil(record: &mut Retire) {
    let is_shift =
        decode(record.word).is_ok_and(|instruction| matches!(instruction.operation(), Operation::Shl { .. }));
    if let (true, Some(destination)) = (is_shift && record.executed & 1 != 0, &mut record.destination) {
        destination.values[0] ^= 1 << 3;
    }
}

impl Engine for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        match observer {
            None => ModelEngine.run(launch, options, None),
            Some(observer) => ModelEngine.run(
                launch,
                options,
                Some(&mut |record| {
                    let mut record = record.clone();
                    // The prologue of every program also has an SHL, which must remain correct.
                    if record.pc >= 0x20 {
                        spoil(&mut record);
                    }
                    observer(&record)
                }),
            ),
        }
    }
}

#[test]
fn fault_is_found_and_shrunk() {
    let folder = tempfile::tempdir().unwrap();
    let options = FuzzOptions {
        output: folder.path().into(),
        ..options(2, 1000)
    };
    let report = fuzz(&mut Faulty, &options, |_| {}).unwrap();
    let failure = report.failure.expect("SHL is common");
    assert!(failure.message.contains("SHL"), "{}", failure.message);
    let text = std::fs::read_to_string(failure.folder.join("kernel.sass")).unwrap();
    let program = text.split("IADD32I R8, R8, 0x200\n").last().unwrap();
    let program = program.split("sub_0:").next().unwrap();
    let program: Vec<&str> = program
        .split([';', '\n'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    // The shift, possibly with an address register that is set by three instructions, and the end.
    assert!(program.len() < 7 && program.contains(&"RET"), "{text}");

    // Several threads run the same programs, and report the same first fault.
    let other = tempfile::tempdir().unwrap();
    let elsewhere = FuzzOptions {
        output: other.path().into(),
        ..options.clone()
    };
    let jobs = NonZeroUsize::new(5).unwrap();
    let again = fuzz_on_threads(&|| Box::new(Faulty), jobs, &elsewhere, |_| {}).unwrap();
    assert_eq!(again.programs, report.programs);
    assert_eq!(again.warp_instructions, report.warp_instructions);
    assert_eq!(again.coverage.missing(), report.coverage.missing());
    assert_eq!(
        again.coverage.float_instructions(),
        report.coverage.float_instructions()
    );
    let found = again.failure.unwrap();
    assert_eq!((found.number, &found.message), (failure.number, &failure.message));
    assert_eq!(std::fs::read_to_string(found.folder.join("kernel.sass")).unwrap(), text);

    // The folder reproduces the fault, which the circuits do not have.
    let kernel = Kernel::load(&failure.folder).unwrap();
    let options = Options {
        configuration: configuration(failure.lanes, MEMORY_BYTES),
        memory_latency: failure.latency,
        ..Options::default()
    };
    let difference = |engine: &mut dyn Engine| lockstep::run(engine, &kernel.launch, &options, |_| {}).unwrap().2;
    assert!(difference(&mut Faulty).is_some());
    assert!(difference(&mut RtlEngine).is_none());
}
