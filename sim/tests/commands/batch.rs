//! Tests `flexgrip run` with several kernels and with `--batch`: order, failures, files, and refused options.

use crate::common::{clang, Folder};
use serde_json::Value;
use std::process::{Command, Output};

/// Adds 1 to the first words of memory, one per thread.
const ADD: &str = "SHL R1, R0, 2\nGLD.U32 R2, global14[R1]\nIADD32I R2, R2, 1\nGST.EXIT.U32 global14[R1], R2\n";
const LAUNCH: &str = r#"name = "add"
program = "kernel.sass"
registers = 8
grid = [1, 1]
block = [32, 1, 1]
"#;
const MEMORY: &str = "[[memory]]\nspace = \"global\"\nfile = \"global.hex\"\n";
const EXPECT: &str = "[[expect]]\nspace = \"global\"\nfile = \"global.txt\"\n";

/// A folder with kernels: `add` gives the expected results, `wrong` does not, `bad` has a misaligned store.
fn kernels() -> Folder {
    let folder = Folder::new(&[]);
    let add = format!("{LAUNCH}{MEMORY}{EXPECT}");
    for (name, launch, program, expected) in [
        ("add", add.as_str(), ADD, "0 6\n4 7\n"),
        ("wrong", &add, ADD, "0 6\n4 8\n"),
        ("bad", LAUNCH, "MVI R1, 2\nGST.U32 global14[R1], R0\nRET\n", ""),
    ] {
        let kernel = folder.path().join(name);
        std::fs::create_dir(&kernel).unwrap();
        for (file, text) in [
            ("launch.toml", launch),
            ("kernel.sass", program),
            ("global.hex", "5\n6\n"),
            ("global.txt", expected),
        ] {
            std::fs::write(kernel.join(file), text).unwrap();
        }
    }
    folder
}

/// Inputs for `add`, with expected results for `a` and `c`; the results for `c` are wrong.
fn with_inputs() -> Folder {
    let folder = kernels();
    let inputs = folder.path().join("in");
    std::fs::create_dir(&inputs).unwrap();
    for (file, text) in [
        ("a.hex", "10\n"),
        ("a.txt", "0 11\n"),
        ("b.hex", "20\n21\n22\n"),
        ("c.hex", "30\n"),
        ("c.txt", "0 32\n"),
        ("d.hex", "no number\n"),
        ("notes.md", "not an input\n"),
    ] {
        std::fs::write(inputs.join(file), text).unwrap();
    }
    folder
}

fn run(folder: &Folder, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command.arg("run").args(arguments.split_whitespace());
    command.current_dir(folder.path()).output().unwrap()
}

/// The lines printed with this exit code. The last line is cut after the number of failures, without the seconds.
#[track_caller]
fn table(folder: &Folder, code: i32, arguments: &str) -> Vec<String> {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let last = lines.pop().unwrap();
    assert!(last.ends_with(" s"), "{last}");
    lines.push(
        last.split("; ")
            .next()
            .unwrap()
            .split(", ")
            .take(2)
            .collect::<Vec<_>>()
            .join(", "),
    );
    lines
}

#[track_caller]
fn json(folder: &Folder, code: i32, arguments: &str) -> Value {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The error of a wrong command line, which runs nothing.
#[track_caller]
fn misused(folder: &Folder, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn several_kernels_are_listed_in_order() {
    let folder = kernels();
    for engine in ["model", "rtl"] {
        let command = format!("add bad none wrong add/launch.toml --engine {engine}");
        let lines = table(&folder, 1, &format!("{command} --jobs 1"));
        for jobs in ["--jobs 2", "--jobs 5", "--jobs", ""] {
            assert_eq!(table(&folder, 1, &format!("{command} {jobs}")), lines, "{jobs}");
        }
        for (line, (name, verdict)) in lines[1..].iter().zip([
            ("add ", "result matches"),
            ("bad ", "error: bad/kernel.sass:2"),
            ("none ", "error: none: cannot load a kernel from here"),
            ("wrong ", "result does not match: 1 word is not as expected"),
            ("add/launch.toml ", "result matches"),
        ]) {
            assert!(line.starts_with(name) && line.contains(verdict), "{line}");
        }
        assert_eq!(lines[6..], ["5 runs, 3 failures"]);
    }
}

#[test]
fn row_has_the_cycles_of_a_single_run() {
    let folder = kernels();
    let alone = json(&folder, 0, "add --json");
    let all = json(&folder, 1, "add wrong none --json --jobs 3");
    let runs = all["runs"].as_array().unwrap();
    let names: Vec<_> = runs.iter().map(|run| run["run"].as_str().unwrap()).collect();
    assert_eq!(names, ["add", "wrong", "none"]);
    for key in ["cycles", "warp_instructions", "counters", "match", "lanes"] {
        assert_eq!(runs[0][key], alone[key], "{key}");
    }
    assert_eq!(runs[1]["mismatches"][0]["got"], 7);
    assert_eq!(runs[2]["match"], false);
    assert!(runs[2]["error"].as_str().unwrap().contains("cannot load a kernel"));
    assert_eq!(all["failed"], 2);
    assert_eq!(all["jobs"], 3);
    assert_eq!(
        all["cycles"].as_u64(),
        alone["cycles"].as_u64().map(|cycles| 2 * cycles)
    );
}

#[test]
fn inputs_replace_global_memory() {
    let folder = with_inputs();
    let lines = table(&folder, 1, "add --engine model --dump out/{}.bin@0+12 --batch in");
    for (line, (name, verdict)) in lines[1..].iter().zip([
        ("in/a.hex", "result matches"),
        ("in/b.hex", "nothing to check: the kernel has no expectations"),
        ("in/c.hex", "result does not match: 1 word is not as expected"),
        ("in/d.hex", "error: in/d.hex:1:1: expected a 32-bit word"),
    ]) {
        assert!(line.starts_with(name) && line.contains(verdict), "{line}");
    }
    assert_eq!(lines.len(), 6);
    let word = |name: &str, word: usize| {
        let bytes = std::fs::read(folder.path().join("out").join(name)).unwrap();
        u32::from_le_bytes(bytes[4 * word..][..4].try_into().unwrap())
    };
    assert_eq!([0, 1, 2].map(|at| word("a.bin", at)), [0x11, 1, 1]);
    assert_eq!([0, 1, 2].map(|at| word("b.bin", at)), [0x21, 0x22, 0x23]);
    assert_eq!(word("c.bin", 0), 0x31);
    assert!(!folder.path().join("out/d.bin").exists());
    // Files as listed by the shell; the circuits give the same results.
    let some = json(&folder, 0, "add --json --batch in/b.hex in/a.hex");
    assert_eq!(some["runs"][0]["run"], "in/b.hex");
    assert_eq!(some["runs"][1]["match"], true);
}

#[test]
fn seeds_fill_random_buffers() {
    if !clang() {
        return;
    }
    let source = "kernel void add(global uint *x) { x[get_global_id(0)] += 1; }";
    let folder = Folder::new(&[("k.cl", source), ("fixed.cl", source)]);
    let command = "k.cl --engine model --global 64 --arg buffer:uint:64=random --result";
    let alone = run(&folder, &format!("{command} 0=alone.txt"));
    assert!(alone.status.success(), "{alone:?}");
    let lines = table(&folder, 0, &format!("{command} 0=of{{}}.txt --batch 0-2 7"));
    assert_eq!(lines.len(), 6);
    assert!(lines[4].starts_with("seed 7 "), "{lines:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let all = ["of0.txt", "of1.txt", "of2.txt", "of7.txt"].map(read);
    assert_eq!(all[0], read("alone.txt"), "a single run has seed 0");
    for (index, text) in all.iter().enumerate() {
        assert!(!all[..index].contains(text), "{index}");
    }
    // A single seed gives the same results as among others.
    table(&folder, 0, &format!("{command} 0=again{{}}.txt --batch 7"));
    assert_eq!(all[3], read("again7.txt"));
    for (arguments, says) in [
        (
            "k.cl --global 64 --arg buffer:uint:64 --batch 1-3",
            "there is nothing random",
        ),
        (
            "k.cl --global 64 --arg buffer:uint:64=random --batch a.hex",
            "OpenCL C takes seeds",
        ),
        ("k.cl fixed.cl", "OpenCL C has options of its own"),
        (
            "k.cl fixed.cl --global 64",
            "options of OpenCL C apply to a single kernel",
        ),
        (
            &format!("{command} 0 --batch 1-3"),
            "--result is printed for one run only",
        ),
        (&format!("{command} 0=x.txt --batch 1-3"), "every run would write x.txt"),
    ] {
        assert!(misused(&folder, arguments).contains(says), "{arguments}");
    }
}

#[test]
fn options_for_a_single_run_are_refused() {
    let folder = with_inputs();
    for (arguments, says) in [
        (
            "add wrong --wave w.vcd",
            "--wave is for a single run; this command has 2 runs",
        ),
        ("add wrong --trace -", "--trace is for a single run"),
        ("add wrong --timeline t.json", "--timeline is for a single run"),
        ("add wrong --save-at 5 s.snap", "--save-at is for a single run"),
        ("add wrong --from s.snap", "--from is for a single run"),
        ("add --stats --batch in", "--stats is for a single run"),
        ("add wrong --batch in", "--batch is for one kernel"),
        (
            "add wrong --dump x@0+4",
            "every run would write x; expected {} in the file name",
        ),
        ("add wrong add --dump {}@0+4", "two runs have the name `add`"),
        (
            "add --batch in/a.hex in/a.hex --dump {}@0+4",
            "two runs have the name `a`",
        ),
        ("add --batch 1-3", "seeds are for OpenCL C"),
        ("add --batch 1-3 in", "has both seeds and files"),
        ("add --batch in/notes.md", "--batch in/notes.md: expected .hex files"),
        ("add --batch 3-1", "expected the smaller one first"),
        ("add --batch 0-1000000", "more than 1000000 seeds"),
        ("add --batch 99999999999999999999", "is not a seed"),
        ("add --batch 0-1 2-1000000", "more than 1000000 runs"),
        ("add --batch ./7", "--batch ./7: expected .hex files"),
        ("add --batch 1-2-3", "--batch 1-2-3: expected .hex files"),
        ("add --batch", "a value is required"),
        ("add wrong --jobs 0", "invalid value '0'"),
        ("add wrong --check --engine rtl", "--check is for the model"),
    ] {
        let error = misused(&folder, arguments);
        assert!(error.contains(says), "{arguments}: {error}");
    }
    // No file was written.
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 4);
}

#[test]
fn unreadable_files_are_reported() {
    let folder = with_inputs();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let output = run(&folder, "add --batch empty");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("empty: there is no .hex file in this folder"), "{error}");
    let lines = table(&folder, 1, "bad --engine model --batch in/a.hex in/none.hex");
    assert!(
        lines[1].contains("the launch has no contents of global memory"),
        "{lines:?}"
    );
    let lines = table(&folder, 1, "add --engine model --batch in/none.hex in/a.hex");
    assert!(
        lines[1].contains("in/none.hex: cannot read the input: no such file"),
        "{lines:?}"
    );
    assert!(lines[2].contains("result matches"), "{lines:?}");
    // A file with more words than memory has.
    let large = "1\n".repeat(100);
    std::fs::write(folder.path().join("in/e.hex"), large).unwrap();
    let lines = table(&folder, 1, "add --global-size 256 --batch in/e.hex in/a.hex");
    assert!(lines[1].contains("this needs --global-size 448 or more"), "{lines:?}");
}
