//! Commands of other programs: written as one line, run in the project's folder, shown before they run.

use anyhow::{bail, Context, Result};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Output of everything that is built by a target of the Makefile: `build/` in the project's folder.
pub fn build() -> PathBuf {
    root().join("build")
}

/// The command of a line: words separated by spaces, without quoting. The word `cargo` is the cargo that runs this
/// program.
pub fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = match words.next().unwrap_or_default() {
        "cargo" => program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())),
        name => program(name),
    };
    command.args(words);
    command
}

/// A program by its name or path, without arguments.
pub fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    command.current_dir(root());
    command
}

/// Prints the command, with the variables that are set for it, and runs it; an exit code other than 0 is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let words = variables.map(|(name, value)| [name, value].join(OsStr::new("=")));
    let program = [command.get_program().to_owned()];
    let words: Vec<OsString> = words
        .chain(program)
        .chain(command.get_args().map(OsStr::to_owned))
        .collect();
    let line = words.join(OsStr::new(" ")).to_string_lossy().into_owned();
    eprintln!("{line}");
    let status = command.status().with_context(|| format!("cannot run {line}"))?;
    if !status.success() {
        bail!("{line}\nfailed: {status}");
    }
    Ok(())
}

/// Runs the command of a line.
pub fn run_line(line: &str) -> Result<()> {
    run(&mut command(line))
}

/// Runs a shell command and returns true if it succeeds; its output is discarded.
pub fn holds(shell: &str) -> bool {
    let mut test = Command::new("sh");
    test.args(["-c", shell])
        .current_dir(root())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    test.status().is_ok_and(|status| status.success())
}

/// The folder of cargo's results, `target` unless CARGO_TARGET_DIR names another one.
pub fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Builds the program `flexgrip` in a profile, and returns its path.
pub fn flexgrip(profile: &str) -> Result<PathBuf> {
    run(command("cargo build --quiet --package flexgrip-sim --bin flexgrip --profile").arg(profile))?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target().join(folder).join("flexgrip"))
}
