//! The circuits' Verilog under Icarus Verilog, with the test bench in `testbench/verilog`. It is slow, because nothing
//! is compiled to machine code, but shows that the Verilog is usable without the rest of the project.
//!
//! A run writes the launch as a job for the test bench and reads back memory and registers. Global memory is preset
//! rather than loaded over the bus.

use crate::circuits::host::{launch_writes, local_layout, HostStatus};
use crate::circuits::sizes::check;
use crate::engine::{Engine, Observer, Options};
use crate::error::RunError;
use crate::files::hex::read_words;
use crate::outcome::RunReport;
use crate::outside::ToolError;
use crate::verilog::result::HarnessResult;
use flexgrip_export::verilog::machine_verilog;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::host_map::{SmCounter, CONTROL, CONTROL_START, COUNTER_BASE, REGISTERS};
use flexgrip_machine::sizes::Sms;
use flexgrip_machine::Launch;
use hdlkit::memory::POISON;
use hdlkit::tools::{IVERILOG, VVP};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const TEST_BENCH: &str = include_str!("../../../../testbench/verilog/gpgpu_tb.v");
/// Suffix of a counter's high word in the result.
const HIGH: &str = "_HIGH";

/// The test bench's job for a checked launch on a machine of one SM: load, start, and read the results.
///
/// Its format is in `testbench/verilog/README.md`.
pub fn job(launch: &Launch, options: &Options) -> String {
    let mut text = String::new();
    for write in launch_writes(launch, options) {
        let _ = writeln!(text, "w {:x} {:x}", write.address, write.data);
    }
    let _ = writeln!(text, "s {CONTROL:x} {CONTROL_START:x}");
    for address in HostStatus::REGISTERS {
        let register = REGISTERS.iter().find(|register| register.address == address);
        let _ = writeln!(text, "r {address:x} {}", register.map_or("", |register| register.name));
    }
    for (number, counter) in SmCounter::ALL.into_iter().enumerate() {
        let low = COUNTER_BASE + 8 * number as u32;
        let name = counter.name();
        let _ = writeln!(text, "r {low:x} SM0_{name}\nr {:x} SM0_{name}{HIGH}", low + 4);
    }
    text
}

/// Runs launches under Icarus Verilog.
#[derive(Clone, Copy, Debug, Default)]
pub struct IverilogEngine;

impl Engine for IverilogEngine {
    fn name(&self) -> &'static str {
        "iverilog"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let parameters = check(self.name(), launch, options)?;
        let MachineParameters { lanes, sms, .. } = parameters;
        options.refuse_snapshots(self.name())?;
        let refused = if options.wave.is_some() {
            Some("does not write waves; choose rtl or verilator".into())
        } else if options.timeline.is_some() {
            Some("cannot trace instructions, and a timeline needs that; choose rtl or verilator".into())
        } else if observer.is_some() {
            Some("cannot trace instructions; choose rtl or verilator".into())
        } else if sms != Sms::One {
            Some(format!(
                "has a test bench for one SM, not {sms}; choose rtl or verilator"
            ))
        } else {
            None
        };
        if let Some(reason) = refused {
            let engine = self.name();
            return Err(RunError::Unsupported { engine, reason });
        }
        run_under_iverilog(&machine_verilog(parameters)?, lanes.count(), launch, options)
    }
}

/// Runs a checked launch on a machine of one SM in Verilog, as exported or as a netlist synthesised from it.
///
/// # Errors
/// [`RunError::Tool`] if Icarus Verilog is missing or refuses the Verilog; [`RunError::Bench`] with the test bench's
/// message if the machine breaks the rules of its interfaces.
pub fn run_under_iverilog(
    verilog: &str,
    lanes: u32,
    launch: &Launch,
    options: &Options,
) -> Result<RunReport, RunError> {
    let folder = tempfile::tempdir().map_err(RunError::io("cannot create a temporary folder"))?;
    let path = |name: &str| folder.path().join(name);
    for (name, text) in [
        ("gpgpu.v", verilog),
        ("gpgpu_tb.v", TEST_BENCH),
        ("job.txt", &job(launch, options)),
    ] {
        std::fs::write(path(name), text).map_err(RunError::io(format!("cannot write {name}")))?;
    }
    // All of external memory, rounded up to whole lines of the port.
    let words = local_layout(launch, &options.configuration)
        .end
        .div_ceil(4)
        .next_multiple_of(u64::from(lanes));
    let output = IVERILOG
        .command()
        .args(["-g2005", "-o", "machine.vvp", "gpgpu_tb.v", "gpgpu.v"])
        .arg(format!("-DFLEXGRIP_MEMORY_WORDS={words}"))
        .arg(format!("-DFLEXGRIP_LANES_{lanes}"))
        .arg(format!("-D{POISON}"))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .map_err(RunError::not_started(IVERILOG.name))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = text.lines().take(20).collect();
        return Err(RunError::Tool(ToolError {
            tool: IVERILOG.name,
            message: format!("failed on the Verilog:\n{}", lines.join("\n")),
        }));
    }
    let wall = simulate(folder.path(), options)?;
    let text =
        std::fs::read_to_string(path("result.txt")).map_err(RunError::io("cannot read the test bench's result"))?;
    let text = whole_counters(&text) + &format!("run_nanoseconds {}\n", wall.as_nanos());
    let result = HarnessResult::parse(&text, 1).map_err(RunError::Bench)?;
    let global = read_words(&path("memory.hex"), "memory after the run")?;
    result.report(launch, options, global)
}

/// Runs the compiled machine; returns the time from the grid's start to its end.
fn simulate(folder: &Path, options: &Options) -> Result<Duration, RunError> {
    let mut child = VVP
        .command()
        .arg("machine.vvp")
        .args(["+job=job.txt", "+result=result.txt", "+memory=memory.hex"])
        .arg(format!("+dump_words={}", options.configuration.global_bytes / 4))
        .arg(format!("+latency={}", options.memory_latency.max(1)))
        .arg(format!("+max_cycles={}", options.max_cycles))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(RunError::not_started(VVP.name))?;
    let (mut start, mut end, mut complete) = (None, None, false);
    let mut failure = None;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line.map_err(RunError::io("cannot read the test bench's output"))?;
            match line.as_str() {
                "grid starts" => start = Some(Instant::now()),
                "grid ends" => end = Some(Instant::now()),
                _ if line.starts_with("error: ") => failure = Some(line["error: ".len()..].to_string()),
                _ => complete |= line.starts_with("job done"),
            }
        }
    }
    let mut message = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        // Used only in the error below; may be missing.
        let _ = stderr.read_to_string(&mut message);
    }
    let status = child.wait().map_err(RunError::io("cannot wait for the simulator"))?;
    match (start, end) {
        (Some(start), Some(end)) if complete && failure.is_none() && status.success() => Ok(end - start),
        _ => Err(RunError::Bench(failure.unwrap_or_else(|| {
            format!("the simulator ended with {status}: {}", message.trim())
        }))),
    }
}

/// The result with 64-bit counters, joined from the words that the test bench reads.
fn whole_counters(text: &str) -> String {
    let values: HashMap<&str, u64> = text
        .lines()
        .filter_map(|line| {
            let (key, value) = line.split_once(' ')?;
            Some((key, value.parse().ok()?))
        })
        .collect();
    let mut whole = String::new();
    for line in text.lines() {
        let key = line.split(' ').next().unwrap_or_default();
        match (values.get(key), values.get(format!("{key}{HIGH}").as_str())) {
            (Some(low), Some(high)) if key.starts_with("SM") => {
                let _ = writeln!(whole, "{key} {}", high << 32 | low);
            }
            _ => {
                let _ = writeln!(whole, "{line}");
            }
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_put_together() {
        let text = "CYCLES 7\nCYCLES_HIGH 1\nSM0_ISSUED 5\nSM0_ISSUED_HIGH 2\nending done\n";
        let whole = whole_counters(text);
        assert!(whole.contains("SM0_ISSUED 8589934597\n"), "{whole}");
        assert!(
            whole.contains("CYCLES 7\n") && whole.contains("ending done\n"),
            "{whole}"
        );
    }

    #[test]
    fn a_job_loads_starts_and_reads() {
        let job = job(&Launch::default(), &Options::default());
        let first = |letter: char| job.lines().position(|line| line.starts_with(letter)).unwrap();
        assert!(first('w') < first('s') && first('s') < first('r'), "{job}");
        assert!(job.contains("\nr 4c ERROR_CODE\n"), "{job}");
        // The test bench treats global memory's window as memory.
        assert_eq!(flexgrip_machine::host_map::GLOBAL_BASE, 1 << 31);
    }
}
