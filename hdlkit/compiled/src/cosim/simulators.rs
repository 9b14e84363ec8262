//! Verilog simulators, run to completion or to a time limit.

use super::report::{CosimError, Simulator};
use hdlkit::tools::{Tool, IVERILOG, VERILATOR, VVP};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time limit for building a test bench, in case a zero-delay loop, which Rust's statement order hides, never ends.
const LIMIT: Duration = Duration::from_secs(300);
/// The additional time per cycle. On a busy machine 100,000 cycles of a wide decoder need more than [`LIMIT`].
const CYCLE_LIMIT: Duration = Duration::from_millis(20);

/// Runs a command to completion or for `limit`; returns its output and whether it succeeded, or nothing if it had to be
/// killed.
fn run_within(command: &mut Command, dir: &Path, limit: Duration) -> std::io::Result<Option<(String, bool)>> {
    // Output to a file: a pipe that is not read fills up.
    let path = dir.join("said.txt");
    let said = File::create(&path)?;
    let mut process = command
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(said)
        .spawn()?;
    let end = Instant::now() + limit;
    let status = loop {
        match process.try_wait()? {
            Some(status) => break status,
            None if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
            None => {
                process.kill()?;
                process.wait()?;
                return Ok(None);
            }
        }
    };
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    Ok(Some((text, status.success())))
}

fn run_tool(tool: Tool, arguments: &[&str], dir: &Path, limit: Duration) -> Result<String, CosimError> {
    let outcome = run_within(tool.command().args(arguments), dir, limit);
    let tool = tool.name;
    let dir = dir.to_path_buf();
    match outcome.map_err(|error| CosimError::Missing { tool, error })? {
        Some((text, true)) => Ok(text),
        Some((output, false)) => Err(CosimError::Tool { tool, dir, output }),
        None => Err(CosimError::Hangs { tool, dir, limit }),
    }
}

/// The output of the test bench in `dir`, which runs for `cycles`.
pub(super) fn run(simulator: Simulator, dir: &Path, cycles: u64) -> Result<String, CosimError> {
    let limit = LIMIT + CYCLE_LIMIT * cycles.min(1 << 20) as u32;
    match simulator {
        Simulator::Iverilog | Simulator::Gates => {
            let arguments = ["-g2005", "-s", "testbench", "-o", "sim.vvp", "dut.v", "testbench.v"];
            run_tool(IVERILOG, &arguments, dir, LIMIT)?;
            run_tool(VVP, &["-n", "sim.vvp"], dir, limit)
        }
        Simulator::Verilator => {
            let arguments = [
                "--binary",
                "--timing",
                "-Wno-fatal",
                "-Wno-lint",
                "-Wno-style",
                "--top-module",
                "testbench",
                "-o",
                "sim",
                "dut.v",
                "testbench.v",
            ];
            run_tool(VERILATOR, &arguments, dir, LIMIT)?;
            match run_within(&mut Command::new(dir.join("obj_dir/sim")), dir, limit)? {
                Some((text, _)) => Ok(text),
                None => Err(CosimError::Hangs {
                    tool: "the verilated model",
                    dir: dir.to_path_buf(),
                    limit,
                }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hanging_processes_are_ended() {
        let dir = tempfile::tempdir().unwrap();
        let run = |seconds: &str, limit| {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("echo said; sleep {seconds}")]);
            run_within(&mut command, dir.path(), limit).unwrap()
        };
        assert_eq!(run("0", LIMIT), Some(("said\n".to_string(), true)));
        let start = Instant::now();
        assert_eq!(run("30", Duration::from_millis(50)), None);
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
