//! The circuits' Verilog, compiled by Verilator around the C++ harness in `testbench/verilator`.
//!
//! Compiling takes minutes, so the results are kept in `build/verilator/`, in a folder named by a hash of all inputs. A
//! run writes the launch as a job for the harness and reads back events, memory and counters.

use crate::circuits::sizes::check;
use crate::engine::{Engine, Observer, Options};
use crate::error::RunError;
use crate::outcome::RunReport;
use crate::outside::{IoError, ToolError};
use crate::progress::Progress;
use crate::recorder::Recorder;
use crate::trace::ending::Ending;
use crate::verilog::harness::{Events, Harness, Wanted};
use crate::waves::error::WavesError;
use crate::waves::file::{WaveFile, WaveFormat};
use crate::waves::header::read_wave_header;
use crate::waves::signals::at_rest;
use crate::waves::signals::signals_of;
use flexgrip_export::c_header;
use flexgrip_export::verilog::machine_verilog;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::Launch;
use hdlkit::tools::VERILATOR;
use hdlkit::waves::verilog_scopes;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const HARNESS: &str = include_str!("../../../../testbench/verilator/harness.cpp");
const FAULTS: &str = include_str!("../../../../testbench/verilator/faults.h");
const PUBLIC: &str = include_str!("../../../../testbench/verilator/public.vlt");

/// Set to 1 by `make test`. The machine is then built in half the time, runs at half the speed, and can write VCD
/// waves, so runs with and without waves share one build.
const QUICK: &str = "FLEXGRIP_QUICK_VERILATOR";

fn is_quick() -> bool {
    std::env::var_os(QUICK).is_some_and(|value| value == "1")
}

/// The abilities of a compiled program besides running kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extra {
    /// Only runs kernels.
    None,
    /// Writes waves of this format.
    Waves(WaveFormat),
    /// Injects faults.
    Faults,
}

/// Runs launches on the circuits' Verilog.
#[derive(Clone, Debug, Default)]
pub struct VerilatorEngine {
    /// Programs built, by parameters and abilities.
    built: HashMap<(MachineParameters, Extra), PathBuf>,
}

impl Engine for VerilatorEngine {
    fn name(&self) -> &'static str {
        "verilator"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let parameters = check(self.name(), launch, options)?;
        options.refuse_snapshots(self.name())?;
        // Checked before compiling, which takes minutes, to report errors early.
        let recorder = Recorder::new(options, observer, false)?;
        let scopes = match &options.wave {
            Some(wave) => wave_scopes(wave, parameters)?,
            None => Vec::new(),
        };
        let harness = self.harness(parameters, options)?;
        let report = run(&harness, launch, options, &scopes.concat(), recorder)?;
        if let Some(wave) = &options.wave {
            check_scopes(wave, &scopes)?;
        }
        Ok(report)
    }
}

impl VerilatorEngine {
    /// The program for a machine of these parameters and the requested waves; compiled unless it exists.
    ///
    /// # Errors
    /// The errors of [`build`].
    pub fn harness(&mut self, parameters: MachineParameters, options: &Options) -> Result<PathBuf, RunError> {
        let format = options.wave.as_ref().map(|wave| wave.format);
        let format = format.or(is_quick().then_some(WaveFormat::Vcd));
        let extra = format.map_or(Extra::None, Extra::Waves);
        let variant = (parameters, extra);
        if let Some(harness) = self.built.get(&variant) {
            return Ok(harness.clone());
        }
        let verilog = machine_verilog(parameters)?;
        let MachineParameters { lanes, sms, .. } = parameters;
        let harness = build(&verilog, lanes, sms, extra, &options.build, &options.progress)?;
        self.built.insert(variant, harness.clone());
        Ok(harness)
    }
}

/// The modules and signals of the Verilog for each scope to be shown in the waves.
fn wave_scopes(wave: &WaveFile, parameters: MachineParameters) -> Result<Vec<Vec<String>>, WavesError> {
    at_rest(parameters, |block| {
        wave.options().check(block)?;
        let signals = signals_of(block);
        let scopes = wave.scopes.iter();
        Ok(scopes
            .map(|scope| verilog_scopes(&signals, std::slice::from_ref(scope)))
            .collect())
    })
}

/// Checks that the waves have a signal of each requested scope; `found` are the scopes' modules and signals in the
/// Verilog. Verilator drops signals that it has optimised away.
fn check_scopes(wave: &WaveFile, found: &[Vec<String>]) -> Result<(), WavesError> {
    if found.is_empty() {
        return Ok(());
    }
    let what = format!("cannot read {}", wave.path.display());
    let header = read_wave_header(wave).map_err(IoError::of(what))?;
    let shown = |scope: &String| {
        header.iter().any(|variable| {
            let rest = variable
                .name
                .strip_prefix("TOP.")
                .and_then(|name| name.strip_prefix(scope.as_str()));
            // `[`: an array element.
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    };
    match wave
        .scopes
        .iter()
        .zip(found)
        .find(|(_, found)| !found.iter().any(shown))
    {
        None => Ok(()),
        Some((scope, found)) => Err(WavesError::Asked(format!(
            "{} has no signal of `{scope}`: the Verilog has no {}, or Verilator has optimised them away; use the rtl \
             engine",
            wave.path.display(),
            found.join(", ")
        ))),
    }
}

/// Locked while Verilator and the compiler run.
static BUILDING: Mutex<()> = Mutex::new(());

/// Compiles the machine and the harness, unless already done; returns the program's path.
///
/// # Errors
/// Verilator is missing or fails, or files cannot be written.
pub fn build(
    verilog: &str,
    lanes: Lanes,
    sms: Sms,
    extra: Extra,
    root: &Path,
    progress: &Progress,
) -> Result<PathBuf, RunError> {
    let header = c_header::c_header();
    // Runs with waves are short, and more code is compiled.
    let level = match (is_quick(), extra) {
        (true, _) => "-O0",
        (false, Extra::None) => "-O2",
        (false, _) => "-O1",
    };
    let faults = u8::from(extra == Extra::Faults);
    let flags = format!("{level} -std=c++17 -DFLEXGRIP_LANES={lanes} -DFLEXGRIP_SMS={sms} -DFLEXGRIP_FAULTS={faults}");
    let mut arguments = vec![
        "--cc",
        "--exe",
        "--build",
        "-O3",
        "-Wno-fatal",
        "--top-module",
        "gpgpu",
        "--prefix",
        "Vgpgpu",
        "--Mdir",
        "obj",
        "-o",
        "../harness",
        "-j",
        "2",
        "-CFLAGS",
        &flags,
        "gpgpu.v",
        "harness.cpp",
    ];
    let mut files = vec![
        ("gpgpu.v", verilog),
        ("flexgrip_host_map.h", &header),
        ("harness.cpp", HARNESS),
    ];
    match extra {
        Extra::Waves(WaveFormat::Vcd) => arguments.push("--trace"),
        Extra::Waves(WaveFormat::Fst) => arguments.push("--trace-fst"),
        Extra::Faults => {
            arguments.push("public.vlt");
            files.extend([("public.vlt", PUBLIC), ("faults.h", FAULTS)]);
        }
        Extra::None => {}
    }
    if is_quick() {
        // Verilator's makefile appends its own flags to those given here, so its variables are also set.
        for variable in ["OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O0"] {
            arguments.extend(["-MAKEFLAGS", variable]);
        }
    }
    let mut hash = Sha256::new();
    let command = arguments.join(" ");
    for part in files.iter().map(|(_, text)| *text).chain([&*command]) {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let name = hash
        .finalize()
        .iter()
        .take(8)
        .fold(String::new(), |name, byte| name + &format!("{byte:02x}"));
    let root = root.join("verilator");
    let folder = root.join(name);
    let program = folder.join("harness");
    progress.begin("compiling the Verilog", None);
    // One build at a time: each uses several cores, and the next caller may need the same machine.
    let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    if program.is_file() {
        return Ok(program);
    }
    progress.note(format_args!(
        "compiling the Verilog of --lanes {lanes} --sms {sms} with Verilator, once, into {}",
        folder.display()
    ));
    let io = |error| IoError {
        what: format!(
            "cannot write to {} (--build-dir chooses another folder)",
            root.display()
        ),
        error,
    };
    std::fs::create_dir_all(&root).map_err(io)?;
    // Built elsewhere and renamed when complete, so that other processes never find a partial build.
    let aside = tempfile::Builder::new()
        .prefix("build-")
        .tempdir_in(&root)
        .map_err(io)?;
    for (name, text) in files {
        std::fs::write(aside.path().join(name), text).map_err(io)?;
    }
    // The Makefile is in obj/, one level below the sources.
    let output = VERILATOR
        .command()
        .args(&arguments)
        .args(["-CFLAGS", "-I.."])
        .current_dir(aside.path())
        .stdin(Stdio::null())
        .output()
        .map_err(RunError::not_started(VERILATOR.name))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("rror")).take(20).collect();
        let kept = aside.into_path();
        let message = format!("failed on the Verilog in {}:\n{}", kept.display(), lines.join("\n"));
        return Err(RunError::Tool(ToolError {
            tool: VERILATOR.name,
            message,
        }));
    }
    let aside = aside.into_path();
    if let Err(error) = std::fs::rename(&aside, &folder) {
        // Another process was faster with the same build; use that.
        if !program.is_file() {
            return Err(io(error).into());
        }
        std::fs::remove_dir_all(&aside).map_err(io)?;
    }
    Ok(program)
}

/// Runs a checked launch on a harness built by [`build`]. `scopes`: modules and signals of the Verilog for the waves;
/// empty for all.
///
/// # Errors
/// [`RunError::Bench`] with the harness's message, [`RunError::Trace`] if the events contradict each other.
fn run(
    program: &Path,
    launch: &Launch,
    options: &Options,
    scopes: &[String],
    recorder: Option<Recorder>,
) -> Result<RunReport, RunError> {
    let wanted = Wanted {
        events: recorder.is_some(),
        memory: true,
        faults: None,
    };
    // The machine runs in its own process, which reports cycles only with its events.
    let counted = wanted.events.then_some("cycles");
    options.progress.begin("running the compiled Verilog", counted);
    let mut harness = Harness::start(program, launch, options, scopes, wanted)?;
    let mut reader = EventReader {
        recorder,
        progress: options.progress.clone(),
        cycle: 0,
    };
    if let Some(events) = harness.events(options.configuration.lanes.count()) {
        if reader.read(events)?.is_break() {
            harness.kill();
            return Ok(reader.stopped_report());
        }
    }
    let result = harness.finish(options.configuration.sms)?;
    let mut report = result.report(launch, options, harness.memory()?)?;
    if reader.finish(&report.ending, report.cycles.unwrap_or(0))? {
        report.ending = Ending::Stopped;
    }
    Ok(report)
}

/// Converts the harness's events to records.
struct EventReader<'a, 'b> {
    recorder: Option<Recorder<'a, 'b>>,
    progress: Progress,
    cycle: u64,
}

impl EventReader<'_, '_> {
    fn read(&mut self, mut events: Events) -> Result<ControlFlow<()>, RunError> {
        let Some(recorder) = &mut self.recorder else {
            return Ok(ControlFlow::Continue(()));
        };
        while let Some((cycle, sm, event)) = events.read()? {
            self.cycle = cycle;
            self.progress.count(cycle);
            recorder.event(cycle, sm, &event)?;
            recorder.pass_on(cycle)?;
            if recorder.stopped() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Passes on the records held back. True if the observer has ended the run.
    fn finish(&mut self, ending: &Ending, cycle: u64) -> Result<bool, RunError> {
        let Some(recorder) = &mut self.recorder else {
            return Ok(false);
        };
        recorder.finish(ending, cycle)?;
        Ok(recorder.stopped())
    }

    fn stopped_report(&self) -> RunReport {
        let recorded = self.recorder.as_ref().map(Recorder::recorded).unwrap_or_default();
        RunReport {
            ending: Ending::Stopped,
            cycles: Some(self.cycle),
            skipped: 0,
            warp_instructions: recorded.records,
            thread_instructions: recorded.threads,
            divergent_branches: recorded.divergences,
            counters: Vec::new(),
            global: Vec::new(),
            wall: Duration::ZERO,
            check: None,
        }
    }
}
