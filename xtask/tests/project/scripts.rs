//! The scripts have no syntax errors, although `make test` does not run all of them.

use crate::sources;
use std::process::Command;

/// Compiles the files that are its arguments.
const COMPILE: &str = "import sys\nfor name in sys.argv[1:]: compile(open(name).read(), name, 'exec')";

/// Runs a check of files; skips if its program is missing.
fn check(command: &mut Command, ending: &str) {
    let files = sources(ending);
    assert!(!files.is_empty(), "no file .{ending}");
    let Some(output) = flexgrip_skip::found_or_skip(command.args(&files).output()) else {
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn python_scripts_compile() {
    check(Command::new("python3").args(["-W", "error", "-c", COMPILE]), "py");
}

#[test]
fn shell_scripts_are_parsed() {
    const PARSE: &str = "for name; do bash -n \"$name\" || exit; done";
    check(Command::new("bash").args(["-c", PARSE, "bash"]), "sh");
}
