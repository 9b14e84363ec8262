//! Tests `flexgrip faults gates` and `flexgrip faults list --gates`.

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
    // A header, and the instructions of a warp without branches.
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

/// A renamed journal of a shard has the contents that a killed run of all faults leaves.
#[test]
fn shards_and_killed_runs_give_the_same_results() {
    if !found(YOSYS) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = |name: &str| folder.path().join(name).display().to_string();
    let run = |name: &str, more: &[&str]| {
        let output = output(name);
        let arguments = [
            "gates",
            "kernels/vectoradd",
            "--unit",
            DECODE,
            "--output",
            &output,
            "--count",
            "1500",
        ];
        printed(&[&arguments[..], more].concat())
    };
    let files = |name: &str| {
        let file = |file: &str| fs::read_to_string(folder.path().join(name).join(file)).unwrap();
        ["faults.csv", "results.csv", "windows.csv"].map(file)
    };
    let names = |name: &str| {
        let entries = fs::read_dir(folder.path().join(name)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    run("whole", &[]);
    for shard in ["0/3", "1/3", "2/3"] {
        run("shards", &["--shard", shard]);
    }
    assert_eq!(
        names("shards"),
        ["found-0-of-3.csv", "found-1-of-3.csv", "found-2-of-3.csv"]
    );
    run("shards", &[]);
    assert!(files("shards") == files("whole"));
    assert_eq!(names("shards"), ["faults.csv", "results.csv", "windows.csv"]);

    run("killed", &["--shard", "1/2"]);
    let kept = folder.path().join("killed/found-1-of-2.csv");
    let all = folder.path().join("killed/found.csv");
    fs::rename(&kept, &all).unwrap();
    // Kept detections are not simulated again, so a detection deleted there is missing in the results.
    let text = fs::read_to_string(&all).unwrap();
    // A fault without kept detections would be simulated again.
    let fault = |line: &str| line.split(',').nth(1).map(str::to_string);
    let lines: Vec<&str> = text.lines().collect();
    let two = lines.windows(2).find(|two| fault(two[0]) == fault(two[1])).unwrap();
    let one = two[0].to_string();
    fs::write(&all, text.replace(&(one.clone() + "\n"), "")).unwrap();
    run("killed", &[]);
    assert!(files("killed") != files("whole"), "{one}");
    fs::write(&all, &text).unwrap();
    run("killed", &[]);
    assert!(files("killed") == files("whole"));
    assert_eq!(names("killed"), ["faults.csv", "results.csv", "windows.csv"]);

    // A file of a campaign with other options is refused.
    fs::write(&all, &text).unwrap();
    let arguments = [
        "gates",
        "kernels/vectoradd",
        "--unit",
        DECODE,
        "--drop",
        "--output",
        &output("killed"),
    ];
    let message = refused(&arguments);
    assert!(
        message.contains("it belongs to another unit, kernel or options"),
        "{message}"
    );
    fs::write(&all, &text[..text.len() - 1]).unwrap();
    let message = refused(&arguments);
    assert!(message.contains("the line is truncated"), "{message}");
    let mut columns: Vec<&str> = one.split(',').collect();
    columns[2] = "999999";
    fs::write(&all, text.replace(&one, &columns.join(","))).unwrap();
    let arguments = [
        "gates",
        "kernels/vectoradd",
        "--unit",
        DECODE,
        "--count",
        "1500",
        "--output",
        &output("killed"),
    ];
    let message = refused(&arguments);
    assert!(message.contains("a journal has window 999999"), "{message}");
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
            "is a memory, which is not converted to gates",
        ),
        (
            gates(&["--unit", DECODE, "--warp", "31"]),
            "warp 31 has no instruction in this unit",
        ),
        (
            gates(&["--unit", DECODE, "--where", "nothing"]),
            "no site matches `nothing`",
        ),
        (gates(&["--unit", DECODE, "--count", "100000"]), "there are only"),
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
