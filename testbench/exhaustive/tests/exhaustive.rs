//! Tests the program `exhaustive` on a small part of each operation: it checks, resumes, restarts, and finds
//! differences.

use flexgrip_exhaustive::plan::NAMES;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder for the state, with the gates of an earlier test if they exist.
fn folder() -> TempDir {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tempfile::tempdir_in(root).unwrap()
}

/// The folder of the gates, which are made once for all tests of this file.
fn gates() -> PathBuf {
    static MADE: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    MADE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exhaustive-gates");
        let output = run_in(
            &folder,
            &["--range", "0..1", "--sums", "0", "--mixed", "0", "--restart"],
        );
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    })
    .clone()
}

fn fresh() -> TempDir {
    let folder = folder();
    for entry in std::fs::read_dir(gates()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".json") && name != "state.json" {
            std::fs::copy(&path, folder.path().join(name)).unwrap();
        }
    }
    folder
}

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_exhaustive"))
        .arg("--folder")
        .arg(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// The report, and true if the run succeeded.
fn report(folder: &Path, arguments: &[&str]) -> (Value, bool) {
    let output = run_in(folder, &[&["--json"], arguments].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    let report = serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{e}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    (report, output.status.success())
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("no {key} in {value}"))
}

#[test]
fn part_of_each_operation_is_checked() {
    let folder = fresh();
    // The range begins with the last floats below 1. Its ends are inside batches.
    let little = [
        "--range",
        "0x3f7fff03..0x3f800105",
        "--sums",
        "20000",
        "--mixed",
        "5000",
    ];
    let (checked, success) = report(folder.path(), &little);
    assert!(success, "{checked}");
    assert_eq!(checked["match"], true);
    let operations = checked["operations"].as_array().unwrap();
    let names: Vec<&str> = operations.iter().map(|of| of["operation"].as_str().unwrap()).collect();
    assert_eq!(names, NAMES);
    for operation in operations {
        assert_eq!(number(operation, "checked"), number(operation, "inputs"), "{operation}");
        assert_eq!(number(operation, "checked_before"), 0, "{operation}");
        assert_eq!(number(operation, "differences"), 0, "{operation}");
    }
    let inputs = |name| number(operations.iter().find(|of| of["operation"] == name).unwrap(), "checked");
    // 514 operands and 8,192 mixed cases; sums are in whole batches.
    assert_eq!(inputs("rcp"), 514 + 8_192);
    assert_eq!(inputs("ex2"), 2 * 514 + 8_192);
    assert_eq!(inputs("fmad"), 20_480);
    assert_eq!(inputs("f2i"), 16 * 514 + 8_192);

    // All of it has been checked.
    let (again, success) = report(folder.path(), &little);
    assert!(success);
    for operation in again["operations"].as_array().unwrap() {
        assert_eq!(
            number(operation, "checked_before"),
            number(operation, "checked"),
            "{operation}"
        );
    }
    // All operands are checked again after a restart.
    let (anew, _) = report(folder.path(), &[&little[..], &["--restart", "--only", "rcp"]].concat());
    assert_eq!(number(&anew["operations"][0], "checked_before"), 0);
}

#[test]
fn small_sources_are_checked_completely() {
    let folder = fresh();
    let (checked, _) = report(
        folder.path(),
        &["--only", "f2f,i2f", "--range", "0..0x10000", "--mixed", "0"],
    );
    // f2f has 26 modes from 32 bits, 128 from 16; i2f has 96 from 32, 128 from 16, 128 from 8.
    let of = |index: usize| number(&checked["operations"][index], "checked");
    assert_eq!(of(0), (26 + 128) << 16);
    assert_eq!(of(1), ((96 + 128) << 16) + (128 << 8));
    assert_eq!(checked["match"], true);
}

#[test]
fn run_resumes_only_with_the_same_circuit() {
    let folder = fresh();
    let only = |range| ["--only", "rsq", "--mixed", "0", "--range", range];
    let (first, _) = report(folder.path(), &only("0x100..0x300"));
    assert_eq!(number(&first["operations"][0], "checked"), 0x200);
    let (second, _) = report(folder.path(), &only("0x200..0x1000"));
    assert_eq!(number(&second["operations"][0], "checked"), 0xe00);
    assert_eq!(number(&second["operations"][0], "checked_before"), 0x100);

    let path = folder.path().join("state.json");
    let mut state: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(state["rsq"]["inputs"], serde_json::json!([[0x100, 0x1000]]));
    assert_eq!(state["rsq"]["circuit"].as_str().unwrap().len(), 64);
    for key in ["circuit", "reference"] {
        let kept = state["rsq"][key].take();
        state["rsq"][key] = "0".repeat(64).into();
        std::fs::write(&path, state.to_string()).unwrap();
        let (third, _) = report(folder.path(), &only("0x200..0x1000"));
        assert_eq!(number(&third["operations"][0], "checked_before"), 0, "{key}");
        state["rsq"][key] = kept;
    }

    std::fs::write(&path, "no state").unwrap();
    let output = run_in(folder.path(), &only("0..1"));
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("state.json") && message.contains("--restart"),
        "{message}"
    );
}

#[test]
fn differences_are_reported_and_not_recorded() {
    let folder = fresh();
    let wrong = [
        "--only",
        "rcp,rsq",
        "--range",
        "0x3f800000..0x3f810000",
        "--mixed",
        "0",
        "--jobs",
        "2",
        "--falsify",
        "0x3f800123",
    ];
    for _ in 0..2 {
        let output = run_in(folder.path(), &wrong);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let named = text
            .lines()
            .find(|line| line.starts_with("differs: rcp"))
            .unwrap_or_else(|| panic!("{text}"));
        assert!(named.contains("input 1065353507 (a 3f800123"), "{named}");
        // 1 / 1.0000347, and the same with a wrong last bit.
        let right = flexgrip_arith::special::rcp(0x3f80_0123);
        let told = format!("the circuit gives {right:08x}, the reference {:08x}", right ^ 1);
        assert!(named.ends_with(&told), "{named}");
        assert!(text.lines().any(|line| line.starts_with("differs: rsq")), "{text}");
    }
    let (checked, success) = report(folder.path(), &wrong);
    assert!(!success);
    assert_eq!(checked["match"], false);
    assert_eq!(number(&checked["operations"][0], "differences"), 1);
    assert_eq!(number(&checked["operations"][0], "checked_before"), 0);
    // Without the falsified operand, it is checked again.
    let (checked, success) = report(folder.path(), &wrong[..8]);
    assert!(success, "{checked}");
    assert_eq!(number(&checked["operations"][0], "checked_before"), 0);
}

#[test]
fn wrong_arguments_are_reported() {
    for (arguments, expected) in [
        (["--only", "tan"], "possible values"),
        (["--range", "7"], "two numbers"),
        (["--range", "8..7"], "range is empty"),
        (["--range", "0..0x100000001"], "32 bits"),
        (["--range", "a..b"], "is not a number"),
        (["--jobs", "0"], "0 is not in"),
    ] {
        let output = run_in(Path::new("unused"), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(expected), "{message}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_exhaustive"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(help.contains("Examples:") && !help.contains("falsify"), "{help}");
}
