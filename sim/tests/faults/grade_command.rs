//! Tests `flexgrip faults grade`, `compact`, and `list` for the instructions of a kernel.

use crate::common::{root, Folder};
use flexgrip_testbench::tools::{found, YOSYS};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a command in the project's folder, where yosys's results are cached.
fn command(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command.current_dir(root()).args(arguments).output().unwrap()
}

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = command(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--json"]].concat())).unwrap()
}

#[track_caller]
fn refused(code: i32, arguments: &[&str]) -> String {
    let output = command(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn grade_is_independent_of_threads() {
    if !found(YOSYS) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let grade = |name: &str, more: &[&str]| {
        let output = folder.path().join(name);
        let path = output.display().to_string();
        let arguments = ["faults", "grade", "kernels/vectoradd", "--unit", "decode", "-o", &path];
        let json = json(&[&arguments[..], more].concat());
        let files = ["faults.csv", "instructions.csv", "coverage.svg"].map(|file| read(&output, file));
        (json, files)
    };
    let (summary, one) = grade("one", &["--jobs", "1"]);
    let (_, two) = grade("two", &["--jobs", "2"]);
    assert_eq!(one, two);
    let summary_of = |json: &Value, status: &str| {
        let statuses = json["summary"]["statuses"].as_array().unwrap();
        let of = statuses.iter().find(|of| of["status"] == status).unwrap();
        of["faults"]["prime"].as_u64().unwrap() as usize
    };
    let lines = |status: &str| {
        one[0]
            .lines()
            .skip(1)
            .filter(|line| line.contains(&format!(",{status},")))
            .count()
    };
    for status in ["detected", "not-observed", "not-excited", "untestable"] {
        assert_eq!(lines(status), summary_of(&summary, status), "{status}");
    }
    let new: u64 = summary["instructions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["new_prime"].as_u64().unwrap())
        .sum();
    assert_eq!(new as usize, lines("detected"));
    assert!(new > 2_000, "{new}");
    let last = summary["instructions"].as_array().unwrap().last().unwrap()["coverage"].as_f64();
    assert_eq!(last, summary["summary"]["fault_coverage"]["all"].as_f64());
    // Without dropping, the first detections are the same, and there are further ones.
    let (all, files) = grade("all", &["--all"]);
    assert_eq!(files[0], one[0]);
    for row in all["instructions"].as_array().unwrap() {
        assert!(row["all_prime"].as_u64() >= row["new_prime"].as_u64(), "{row}");
    }
    assert!(read(&folder.path().join("all"), "detections.csv").lines().count() as u64 > 2 * new);
    let text = printed(&[
        "faults",
        "grade",
        "vectoradd",
        "--unit",
        "decode",
        "--count",
        "300",
        "-o",
        &folder.path().join("some").display().to_string(),
    ]);
    assert!(text.contains("fault coverage") && text.contains("  prime: "), "{text}");
}

#[test]
fn memory_detects_fewer_faults_than_state() {
    if !found(YOSYS) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().display().to_string();
    let prime = |more: &[&str]| {
        let arguments = [
            "faults",
            "grade",
            "kernels/vectoradd",
            "--unit",
            "decode",
            "--count",
            "150",
            "-o",
            &output,
        ];
        let json = json(&[&arguments[..], more].concat());
        json["summary"]["fault_coverage"]["prime"].as_f64().unwrap()
    };
    let outputs = prime(&[]);
    let state = prime(&["--observe", "state"]);
    let memory = prime(&["--observe", "memory"]);
    let word = prime(&["--observe", "memory", "--memory", "0x800+4"]);
    assert!(
        outputs > state && state >= memory && memory > word && word > 0.0,
        "{outputs} {state} {memory} {word}"
    );
}

const TEST: &str = "\
.kernel test
.registers 8
    SHL R1, R0, 2; LOP32I.AND R1, R1, 0x7c     // the address
    MOV R5, R5
    SSY join
    ISET.S32.C0 o[0x7f], R1, R124, GT
    BRA C0.EQ, join
    IADD32I R2, R1, 0x1234
    IADD32I R2, R1, 0x1234                  // the same again
join:
    NOP.S
    IADD R4, R3, R2
    NOP
    IADD R4, R3, R2
    GST.U32 global14[R1], R4
    IADD R6, R4, R4
    RET
";

fn test_kernel(program: &str) -> Folder {
    let launch = "name = \"test\"\nprogram = \"test.sass\"\nregisters = 8\nshared_bytes = 16\ngrid = [1, 1]\nblock = [32, 1, 1]\n";
    Folder::new(&[("launch.toml", launch), ("test.sass", program)])
}

#[test]
fn compacted_kernel_is_shorter_with_equal_coverage() {
    if !found(YOSYS) {
        return;
    }
    let kernel = test_kernel(TEST);
    let path = kernel.path().display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let output = |name: &str| folder.path().join(name);
    let compact = |name: &str, more: &[&str]| {
        let output = output(name).display().to_string();
        json(&[&["faults", "compact", &path, "--unit", "decode", "-o", &output], more].concat())
    };
    let one = compact("one", &["--jobs", "1"]);
    let coverage = |side: &Value| side["summary"]["fault_coverage"]["all"].as_f64().unwrap();
    let instructions = |side: &Value| side["instructions"].as_u64().unwrap();
    assert_eq!(instructions(&one["before"]), 15);
    assert!(instructions(&one["after"]) < 13, "{one}");
    assert!(coverage(&one["after"]) >= coverage(&one["before"]), "{one}");
    assert!(one["after"]["summary"]["cycles"].as_u64() < one["before"]["summary"]["cycles"].as_u64());
    // The folder is a kernel. Its expectations come from the model, and the circuits give the same.
    let path_of_one = output("one").display().to_string();
    printed(&["run", &path_of_one]);
    assert!(!read(&output("one"), "expected.txt").is_empty());
    let again = json(&[
        "faults",
        "grade",
        &path_of_one,
        "--unit",
        "decode",
        "-o",
        &output("grade").display().to_string(),
    ]);
    assert_eq!(
        again["summary"]["fault_coverage"],
        one["after"]["summary"]["fault_coverage"]
    );
    assert_eq!(
        read(&output("grade"), "faults.csv"),
        read(&output("one").join("compacted"), "faults.csv")
    );
    let log = read(&output("one"), "log.csv");
    assert!(
        log.starts_with(
            "pass,asm_source,removed_lines,block_index,instructions,compiles,lsim_ok,tat,fsim_ok,coverage,verdict\n"
        ),
        "{log}"
    );
    assert!(log.contains(",Proceed\n") && log.contains(",Restore\n"), "{log}");
    // The files are the same with more threads after an interruption.
    let files = ["kernel.sass", "launch.toml", "expected.txt", "log.csv", "state.json"];
    let all = |name: &str| files.map(|file| read(&output(name), file));
    let mut state: Value = serde_json::from_str(&read(&output("one"), "state.json")).unwrap();
    // The state of a run that was interrupted at once. The tests of the search cover other moments.
    state["state"]["log"] = Value::Array(vec![]);
    let stopped = output("stopped");
    fs::create_dir(&stopped).unwrap();
    fs::write(stopped.join("state.json"), state.to_string()).unwrap();
    compact("stopped", &["--jobs", "2"]);
    assert_eq!(all("one"), all("stopped"));
    // The compaction is complete, so nothing is tried again.
    compact("one", &[]);
    assert_eq!(all("one"), all("stopped"));
    let other = refused(
        1,
        &[
            "faults",
            "compact",
            &path,
            "--unit",
            "decode",
            "--block",
            "3",
            "-o",
            &path_of_one,
        ],
    );
    assert!(
        other.contains("the folder has the compaction of another kernel or with other options"),
        "{other}"
    );
    assert_eq!(all("one"), all("stopped"));
}

#[test]
fn wrong_grading_requests_are_refused() {
    if !found(YOSYS) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("none").display().to_string();
    let grade = |code, more: &[&str]| {
        refused(
            code,
            &[
                &[
                    "faults",
                    "grade",
                    "kernels/vectoradd",
                    "--unit",
                    "decode",
                    "-o",
                    &output,
                ],
                more,
            ]
            .concat(),
        )
    };
    for (error, expected) in [
        (grade(2, &["--memory", "0x800+4"]), "expected --observe memory"),
        (grade(2, &["--observe", "memory", "--memory", "12"]), "such as 0x800+4"),
        (grade(2, &["--observe", "memory", "--memory", "4+0"]), "such as 0x800+4"),
        (
            grade(2, &["--observe", "memory", "--memory", "0xfffffff0+8"]),
            "outside the global memory",
        ),
        (grade(2, &["--observe", "state", "--all"]), "expected --observe outputs"),
        (grade(1, &["--where", "nothing"]), "no site matches `nothing`"),
        (grade(1, &["--count", "100000"]), "there are only"),
    ] {
        assert!(error.contains(expected), "{error}");
    }
    let number = test_kernel("    SSY 0x10\n    MOV R1, R2; NOP.S; RET\n");
    let words = Folder::new(&[
        (
            "launch.toml",
            "name = \"w\"\nprogram = \"w.hex\"\nregisters = 8\nshared_bytes = 16\ngrid = [1, 1]\nblock = [32, 1, 1]\n",
        ),
        ("w.hex", "30000003\n00000780\n"),
    ]);
    let compact = |kernel: &Folder, output: &str| {
        let path = kernel.path().display().to_string();
        refused(1, &["faults", "compact", &path, "--unit", "decode", "-o", output])
    };
    let error = compact(&number, &output);
    assert!(
        error.contains("launch.toml:1: `SSY 0x10` branches to an address"),
        "{error}"
    );
    let error = compact(&words, &output);
    assert!(error.contains("expected a program in assembly text"), "{error}");
    assert!(!Path::new(&output).exists());
    let mine = Folder::new(&[("launch.toml", "mine")]);
    let error = compact(&test_kernel(TEST), &mine.path().display().to_string());
    assert!(error.contains("the folder has other files"), "{error}");
    assert_eq!(read(mine.path(), "launch.toml"), "mine");
}

#[test]
fn instructions_of_a_kernel_are_listed() {
    let all = json(&["faults", "list", "kernels/vectoradd"]);
    let all = all.as_array().unwrap();
    let sites = |list: &[Value]| -> Vec<String> {
        list.iter()
            .map(|line| line["site"].as_str().unwrap().to_string())
            .collect()
    };
    assert!(
        all.len() > 12
            && sites(all)
                .iter()
                .any(|site| site.starts_with("GST.") && site.contains(".0x")),
        "{all:?}"
    );
    let first = &all[0];
    // The kernel has four blocks of two warps.
    assert_eq!(
        (&first["warp_instructions"], &first["thread_instructions"]),
        (&8.into(), &256.into())
    );
    let results = json(&["faults", "list", "kernels/vectoradd", "--model", "flip-destination"]);
    assert!(results.as_array().unwrap().len() < all.len());
    assert!(!sites(results.as_array().unwrap())
        .iter()
        .any(|site| site.starts_with("GST") || site.starts_with("RET")));
    let loads = printed(&["faults", "list", "vectoradd", "--where", "load:"]);
    assert_eq!(loads.lines().count(), 4, "{loads}");
    let error = refused(2, &["faults", "list", "vectoradd", "--model", "flip"]);
    assert!(error.contains("independent of the kernel"), "{error}");
    let error = refused(1, &["faults", "list", "vectoradd", "--where", "FADDD"]);
    assert!(error.contains("no site matches `FADDD`"), "{error}");
    refused(2, &["faults", "list", "--model", "ira"]);
}
