//! `flexgrip faults gates` and `flexgrip faults list --gates`.

use crate::common::root;
use flexgrip_testbench::tools::{found, YOSYS};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a command in the project's folder, where yosys's results are cached.
fn command(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command
        .current_dir(root())
        .arg("faults")
        .args(arguments)
        .output()
        .unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = command(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = command(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

const DECODE: &str = "sm[0].scheduler.decode";

#[test]
fn results_are_independent_of_threads() {
    if !found(YOSYS) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &[&str]| {
        let output = folder.path().join(name);
        let arguments = [
            "gates",
            "kernels/vectoradd",
            "--unit",
            DECODE,
            "--count",
            "1500",
            "--output",
        ];
        printed(&[&arguments[..], &[&output.display().to_string()], more].concat());
        ["faults.csv", "results.csv", "windows.csv"].map(|file| fs::read_to_string(output.join(file)).unwrap())
    };
    let one = run("one", &["--jobs", "1"]);
    let two = run("two", &["--jobs", "2"]);
    assert!(one == two, "{} and {}", one[1], two[1]);
    let [faults, results, windows] = one;
    assert_eq!((faults.lines().count(), results.lines().count()), (1501, 1501));
    // A header and the instructions of a warp, which has no branches.
    assert!(windows.lines().count() > 10, "{windows}");
    for state in [",not-excited,", ",no-effect,", ",detected,"] {
        assert!(results.contains(state), "{state}");
    }
    // With dropping, only the first difference of each fault remains.
    let [_, dropped, _] = run("dropped", &["--drop"]);
    // The last two columns count windows and classes, which differ with dropping.
    let firsts = |text: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.rsplitn(3, ',').nth(2));
        lines.map(str::to_string).collect()
    };
    assert_eq!(firsts(&dropped), firsts(&results));
    // A fault that is detected in a window is also detected in the whole run.
    let [_, whole, _] = run("whole", &["--whole"]);
    let detected = |text: &str| text.lines().filter(|line| line.contains(",detected,")).count();
    assert!(detected(&whole) >= detected(&results));
}

#[test]
fn faults_of_a_unit_are_listed() {
    if !found(YOSYS) {
        return;
    }
    let text = printed(&["list", "--gates", DECODE]);
    assert!(text.contains("gates") && text.contains("untestable"), "{text}");
    let json = printed(&["list", "--gates", DECODE, "--where", "*.a.register*", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let faults = json["faults"].as_array().unwrap();
    assert_eq!(json["counts"]["chosen"]["all"], faults.len());
    assert!(faults
        .iter()
        .all(|fault| fault["site"].as_str().unwrap().contains(".a.register")));
    let text = printed(&["list", "--gates", DECODE, "--where", "*.d_decoded.a.register[0].out"]);
    assert!(
        text.starts_with("sm[0].scheduler.decode.d_decoded.a.register[0].out stuck-at-0"),
        "{text}"
    );
}

#[test]
fn wrong_arguments_are_refused() {
    if !found(YOSYS) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("none").display().to_string();
    let gates = |more: &[&str]| refused(&[&["gates", "kernels/vectoradd", "--output", &output], more].concat());
    for (error, expected) in [
        (gates(&["--unit", "sm[0].fecth"]), "something in `sm[0]` such as fetch"),
        (
            gates(&["--unit", "sm[0].register_file.bank[0]"]),
            "is a memory, for which no gates are made",
        ),
        (
            gates(&["--unit", DECODE, "--warp", "31"]),
            "warp 31 has no instruction in this unit",
        ),
        (
            gates(&["--unit", DECODE, "--where", "nothing"]),
            "no site matches `nothing`",
        ),
        (gates(&["--unit", DECODE, "--count", "100000"]), "more than there are"),
    ] {
        assert!(error.contains(expected), "{error}");
    }
    assert!(!Path::new(&output).exists());
    let output = Command::new(env!("CARGO_BIN_EXE_flexgrip"))
        .current_dir(root())
        .args(["faults", "list", "--gates", DECODE])
        .env("YOSYS", "/nowhere/yosys")
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(1) && error.contains("`make tools` installs it"),
        "{error}"
    );
}
