//! Runs the machine in plain Verilog, in Icarus Verilog with the test bench in `testbench/verilog`: cycles, counters,
//! memory and errors equal the native circuits. Also runs the model's blocks on several threads.

use crate::common::{assemble, options};
use flexgrip_machine::{ErrorKind, Launch};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::verilog::iverilog::IverilogEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use flexgrip_sim::waves::file::WaveFile;
use flexgrip_testbench::tools::{found, IVERILOG};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

fn own(name: &str) -> Kernel {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels").join(name);
    Kernel::load(&folder).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a launch on the native circuits and in plain Verilog, which must agree. Returns the ending.
#[track_caller]
fn same(launch: &Launch, options: &Options) -> Ending {
    let native = RtlEngine.run(launch, options, None).unwrap();
    let plain = IverilogEngine
        .run(launch, options, None)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(plain.ending, native.ending);
    if native.ending == Ending::Complete {
        assert_eq!(plain.cycles, native.cycles);
        assert_eq!(plain.counters, native.counters);
        assert_eq!(plain.global, native.global);
    }
    native.ending
}

#[test]
fn kernels_have_equal_cycles_and_memory() {
    if !found(IVERILOG) {
        return;
    }
    let quick = [("vectoradd", 8, 20), ("vectoradd", 16, 1), ("float_pitfalls", 8, 20)];
    // These take a minute together.
    let long = [("vectoradd", 32, 100), ("divide_sqrt", 8, 20), ("divergence", 8, 20)];
    let long = long.into_iter().filter(|_| cfg!(feature = "soak"));
    for (name, lanes, memory_latency) in quick.into_iter().chain(long) {
        let kernel = own(name);
        let options = Options {
            memory_latency,
            ..options(lanes)
        };
        assert_eq!(same(&kernel.launch, &options), Ending::Complete, "{name}");
    }
}

#[test]
fn failing_kernels_stop_at_the_same_address() {
    if !found(IVERILOG) {
        return;
    }
    let launch = |text: &str| Launch {
        name: "wild".into(),
        program: assemble(text).words,
        registers: 16,
        grid: [3, 1],
        block: [64, 1, 1],
        ..Launch::default()
    };
    let misaligned = same(&launch("MVI R1, 1; here: GST.U32 global14[R1], R1; RET"), &options(8));
    assert!(
        matches!(misaligned, Ending::Failed(error) if error.kind == ErrorKind::GlobalMisaligned),
        "{misaligned:?}"
    );
    let short = Options {
        max_cycles: 500,
        ..options(8)
    };
    let endless = same(&launch("here: BRA here"), &short);
    assert!(
        matches!(endless, Ending::Failed(error) if error.kind == ErrorKind::Endless { limit: 500 }),
        "{endless:?}"
    );
}

/// The reason why an engine cannot run with these options.
#[track_caller]
fn refusal(engine: &mut dyn Engine, options: &Options, observed: bool) -> String {
    let launch = own("vectoradd").launch;
    let mut observer = |_: &flexgrip_machine::Retire| ControlFlow::Continue(());
    let observer: Option<&mut flexgrip_sim::engines::engine::Observer> =
        if observed { Some(&mut observer) } else { None };
    match engine.run(&launch, options, observer) {
        Err(RunError::Unsupported { engine: name, reason }) => {
            assert_eq!(name, engine.name());
            reason
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn unsupported_options_are_reported() {
    let mut two_sms = options(8);
    two_sms.configuration.sms = 2;
    assert!(refusal(&mut IverilogEngine, &two_sms, false).contains("one SM, not 2"));
    assert!(refusal(&mut IverilogEngine, &options(8), true).contains("cannot trace instructions"));
    let wave = Options {
        wave: Some(WaveFile::new("wave.vcd").unwrap()),
        ..options(8)
    };
    assert!(refusal(&mut IverilogEngine, &wave, false).contains("does not write waves"));
    let jobs = Options {
        jobs: NonZeroUsize::new(2).unwrap(),
        ..options(8)
    };
    assert!(refusal(&mut RtlEngine, &jobs, false).contains("choose the model"));
    assert!(refusal(&mut ModelEngine, &jobs, true).contains("with one job"));
}

#[test]
fn model_is_independent_of_threads() {
    for name in ["sobel", "life", "histogram", "sgemm_naive"] {
        let kernel = own(name);
        let one = ModelEngine.run(&kernel.launch, &options(8), None).unwrap();
        let jobs = Options {
            jobs: NonZeroUsize::new(3).unwrap(),
            ..options(8)
        };
        let mut several = ModelEngine.run(&kernel.launch, &jobs, None).unwrap();
        several.wall = one.wall;
        assert_eq!(several, one, "{name}");
        assert_eq!(one.ending, Ending::Complete, "{name}");
    }
}
