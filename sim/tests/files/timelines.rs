//! Tests timelines: each format is compared with the records of its run, on all engines. Also tests random kernels,
//! wrong options and full disks.

mod checks;
mod kanata;
mod traces;

use crate::common::{self, build, flexgrip, root, with_verilog, Folder, LANES};
use checks::Run;
use flexgrip_machine::sizes::Sms;
use flexgrip_machine::{Launch, Retire};
use flexgrip_sim::engines::engine::{Coalescing, Engine, Observer, Options};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::kernels::KernelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::fuzz::generate::Mix;
use flexgrip_sim::fuzz::{fuzz, FuzzOptions};
use flexgrip_sim::timeline::file::TimelineFile;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a launch with a timeline in the format with this extension. Returns its bytes.
fn write(
    engine: &mut dyn Engine,
    launch: &Launch,
    options: &Options,
    ending: &str,
) -> Result<(Run, Vec<u8>), RunError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t").with_extension(ending);
    let options = Options {
        timeline: Some(TimelineFile {
            title: "t".into(),
            ..TimelineFile::new(&path).unwrap()
        }),
        ..options.clone()
    };
    let mut records: Vec<Retire> = Vec::new();
    let report = engine.run(
        launch,
        &options,
        Some(&mut |record| {
            records.push(record.clone());
            ControlFlow::Continue(())
        }),
    )?;
    Ok((Run::new(records, report), std::fs::read(&path).unwrap()))
}

/// Runs a launch with a timeline in each format, and checks them.
fn check(engine: &mut dyn Engine, launch: &Launch, options: &Options) -> Result<Run, RunError> {
    let clock = engine.name() != "model";
    let (run, bytes) = write(engine, launch, options, "json")?;
    let (chrome, about) = traces::chrome(&bytes);
    run.check_trace(&chrome, clock);
    let unit = if clock {
        "1 ns = 1 cycle"
    } else {
        "1 ns = 1 warp instruction"
    };
    assert_eq!(about["otherData"]["unit"], unit);
    assert!(
        chrome.processes.values().all(|name| name.ends_with(unit)),
        "{:?}",
        chrome.processes
    );
    // The other encoding has the same contents.
    for ending in ["perfetto", "pftrace"].into_iter().take(if clock { 1 } else { 2 }) {
        let (_, bytes) = write(engine, launch, options, ending)?;
        assert_eq!(traces::perfetto(&bytes), chrome);
    }
    let (run, bytes) = write(engine, launch, options, "kanata")?;
    run.check_kanata(&kanata::read(&String::from_utf8(bytes).unwrap()));
    let (run, bytes) = write(engine, launch, options, "svg")?;
    run.check_picture(&String::from_utf8(bytes).unwrap());
    Ok(run)
}

/// An engine that checks the timelines of all its runs.
struct Checked<E> {
    engine: E,
    runs: u32,
}

impl<E: Engine> Engine for Checked<E> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        check(&mut self.engine, launch, options)?;
        self.runs += 1;
        self.engine.run(launch, options, observer)
    }
}

fn kernel(name: &str) -> Kernel {
    Kernel::load(&root().join("kernels").join(name)).unwrap()
}

fn options(lanes: u32) -> Options {
    Options {
        configuration: common::configuration(lanes, 1 << 20),
        ..common::options(lanes)
    }
}

#[test]
fn random_kernels_are_shown_completely() {
    let options = FuzzOptions {
        seed: 31,
        first: 0,
        count: if cfg!(feature = "soak") { 100 } else { 4 },
        mix: Mix::Any,
        capability: flexgrip_isa::Capability::V1_0,
        lanes: None,
        build: build(),
        output: std::env::temp_dir(),
    };
    let mut rtl = Checked {
        engine: RtlEngine,
        runs: 0,
    };
    let report = fuzz(&mut rtl, &options, |_| {}).unwrap();
    assert!(report.failure.is_none(), "{:#?}", report.failure);
    assert_eq!(u64::from(rtl.runs), options.count);
}

#[test]
fn timelines_cover_all_lanes_and_both_rules() {
    for (name, coalescing) in [("vectoradd", Coalescing::Segment), ("bitonic_sort", Coalescing::G80)] {
        for lanes in LANES {
            let options = Options {
                coalescing,
                ..options(lanes)
            };
            let run = check(&mut RtlEngine, &kernel(name).launch, &options).unwrap();
            assert!(run.records.len() > 90, "{name}");
        }
    }
}

#[test]
fn each_sm_is_a_process() {
    let mut options = options(8);
    options.configuration.sms = Sms::Two.count();
    let run = check(&mut RtlEngine, &common::many_blocks(5).launch, &options).unwrap();
    assert!((0..2).all(|sm| run.records.iter().any(|record| record.sm == sm)));
}

#[test]
fn all_engines_show_the_same_cycles() {
    let launch = kernel("divergence").launch;
    let options = options(8);
    let (_, rtl) = write(&mut RtlEngine, &launch, &options, "kanata").unwrap();
    let (_, kernels) = write(&mut KernelEngine, &launch, &options, "kanata").unwrap();
    assert!(rtl == kernels, "rtl and kernels differ");
    let verilog = with_verilog(|engine| {
        check(engine, &launch, &options).unwrap();
        write(engine, &launch, &options, "kanata").unwrap().1
    });
    assert!(verilog.is_none_or(|verilog| verilog == rtl), "rtl and verilator differ");
}

#[test]
fn model_counts_warp_instructions() {
    for name in ["vectoradd", "divergence"] {
        let run = check(&mut ModelEngine, &kernel(name).launch, &options(8)).unwrap();
        assert_eq!(run.records.len() as u64, run.report.warp_instructions);
    }
}

/// Checks the order of issue, the stages and the dependencies of a program whose every cycle is in `docs/pipeline.md`.
#[test]
fn small_program_has_the_documented_timeline() {
    let program = "GLD.U32 R1, global14[R0]\nIADD R2, R1, R1\nRCP R3, R2\nRET\n";
    let launch = Launch {
        memory: Vec::new(),
        ..common::launch(program, 1, 1, Vec::new())
    };
    let (_, bytes) = write(&mut RtlEngine, &launch, &options(8), "kanata").unwrap();
    let ops = kanata::read(&String::from_utf8(bytes).unwrap());
    let first = ops[0].begin;
    let shown: Vec<String> = ops
        .iter()
        .map(|op| {
            let stages = op.stages.iter().map(|(name, begin)| format!("{name}{}", begin - first));
            let stages: Vec<String> = stages.collect();
            format!("{} {}, {} {:?}", op.label, stages.join(" "), op.end - first, op.needs)
        })
        .collect();
    let expected = [
        "0.00 0000: GLD.U32 R1, global14[R0] I0 R1 Xm3 W28, 32 []",
        "0.00 0008: IADD R2, R1, R1 I33 R34 X38 W39, 43 [0]",
        "0.00 0010: RCP R3, R2 I41 R42 Xs46 W59, 72 [1]",
        "0.00 0018: RET I73 R74 X78 W79, 83 []",
    ];
    assert_eq!(shown, expected);
}

fn failure(output: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

fn run_with(arguments: &[&str], folder: &Path) -> Output {
    flexgrip(&[&["run", "--engine", "model"], arguments].concat(), folder)
}

#[test]
fn command_line_timeline_names_source_lines() {
    let folder = Folder::sass("MVI R0, 5\n\nRET\n");
    let file = folder.path().join("t.json");
    let output = run_with(&["--timeline", file.to_str().unwrap()], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (trace, about) = traces::chrome(&std::fs::read(&file).unwrap());
    let sources: Vec<&String> = trace.slices.iter().map(|slice| &slice.arguments["source"]).collect();
    assert_eq!(sources, ["kernel.sass:1", "kernel.sass:3"]);
    assert_eq!(about["otherData"]["kernel"], "t on model");
}

#[test]
fn failing_kernel_is_shown_until_its_error() {
    let folder = Folder::sass("MVI R0, 1\nGLD.U32 R1, global14[R0]\nRET\n");
    for engine in ["model", "rtl"] {
        let file = folder.path().join("t.json");
        let arguments = ["run", "--engine", engine, "--timeline", file.to_str().unwrap()];
        failure(&flexgrip(&arguments, folder.path()), 1);
        let (trace, _) = traces::chrome(&std::fs::read(&file).unwrap());
        assert_eq!(
            trace.slices.first().map(|slice| slice.name.as_str()),
            Some("MVI R0, 0x1"),
            "{engine}"
        );
    }
}

#[test]
fn errors_are_reported_before_the_run() {
    let folder = Folder::sass("RET\n");
    let text = failure(&run_with(&["--timeline", "t.log"], folder.path()), 2);
    assert!(
        [".json", ".perfetto", ".pftrace", ".kanata", ".svg"]
            .iter()
            .all(|ending| text.contains(ending)),
        "{text}"
    );
    let missing = folder.path().join("missing/t.kanata");
    let output = run_with(&["--timeline", missing.to_str().unwrap()], folder.path());
    let text = failure(&output, 1);
    assert!(text.contains("missing/t.kanata: No such file"), "{text}");
    assert!(output.stdout.is_empty(), "the kernel ran");
    let file = folder.path().join("t.json");
    let timeline = ["--timeline", file.to_str().unwrap()];
    let text = failure(&run_with(&[&timeline[..], &["--jobs", "2"]].concat(), folder.path()), 1);
    assert!(text.contains("one job only"), "{text}");
    let output = flexgrip(
        &[&["run", "--engine", "iverilog"], &timeline[..]].concat(),
        folder.path(),
    );
    let text = failure(&output, 1);
    assert!(
        text.contains("timeline") && text.contains("choose rtl or verilator"),
        "{text}"
    );
    assert!(!file.exists());
}

/// Runs a kernel with a timeline on a full disk, in these formats and on both engines. `check` gets the error and the
/// format.
fn on_a_full_disk(kernel: &str, endings: &[&str], check: impl Fn(&str, &str)) {
    let folder = Folder::sass(kernel);
    for ending in endings {
        let full = folder.path().join("full").with_extension(ending);
        std::os::unix::fs::symlink("/dev/full", &full).unwrap();
        for engine in ["model", "rtl"] {
            let arguments = ["run", "--engine", engine, "--timeline", full.to_str().unwrap()];
            check(&failure(&flexgrip(&arguments, folder.path()), 1), ending);
        }
    }
}

#[test]
fn full_disk_is_an_error() {
    on_a_full_disk(
        "MVI R0, 1\nRET\n",
        &["json", "perfetto", "kanata", "svg"],
        |text, ending| {
            let expected = format!("full.{ending}: No space left on device (os error 28); the file is incomplete");
            assert!(text.contains(&expected), "{text}");
        },
    );
}

/// Another thread writes the file, and its error must end the run; this kernel would run for minutes. A picture is only
/// drawn at the end.
#[test]
fn full_disk_ends_the_run() {
    on_a_full_disk("next: BRA next\n", &["json", "perfetto", "kanata"], |text, _| {
        assert!(text.contains("No space left on device"), "{text}");
        assert!(!text.contains("did not end"), "{text}");
    });
}

/// Checks the messages against Perfetto's own schema, with its classes from PyPI.
#[test]
fn packets_follow_the_schema_of_perfetto() {
    let Some(python) = std::env::var_os("FLEXGRIP_PERFETTO_PYTHON") else {
        println!("skipped: FLEXGRIP_PERFETTO_PYTHON is not set; `make timeline-check` installs the schema and sets it");
        return;
    };
    let (run, bytes) = write(&mut RtlEngine, &kernel("bitonic_sort").launch, &options(8), "perfetto").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.perfetto");
    std::fs::write(&file, bytes).unwrap();
    let script = root().join("sim/tests/files/timelines/schema.py");
    let output = Command::new(python).arg(script).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let flights = format!("flight {}\n", run.records.len());
    assert!(text.contains(&flights), "{text}");
}
