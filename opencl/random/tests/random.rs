//! Runs the program with a small number of random kernels.

use std::process::Command;

/// Number of kernels: enough for most features of the language, and few enough for every test run.
const COUNT: &str = "48";

#[test]
fn kernels_have_equal_results_on_the_processor() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_opencl-random"))
        .args(["--seed", "29", "--count", COUNT, "--folder"])
        .arg(folder.path())
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("apt-get install") {
        assert_eq!(output.status.code(), Some(1), "{errors}");
        return flexgrip_skip::skip(errors);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{errors}");
    assert_eq!(
        text,
        format!("seed 29: {COUNT} of {COUNT} kernels have the same results\n")
    );
}

#[test]
fn wrong_usage_is_refused() {
    for arguments in [["--count", "0"], ["--jobs", "0"], ["--seed", "x"], ["--first", "-1"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_opencl-random"))
            .args(arguments)
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}
