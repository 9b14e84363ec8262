//! Bad input: each case gives one clear error with its location and exit code 1, the same on every engine.

use crate::common::{engines, flexgrip, Folder};
use std::path::Path;

const LAUNCH: &str = r#"name = "t"
program = "kernel.hex"
registers = 16
grid = [1, 1]
block = [32, 1, 1]
"#;
const RET: &str = "30000003\n00000780\n";

/// Runs the kernel on the model and on the circuits. Returns the error that both print, without the path of the folder.
#[track_caller]
fn error_of(kernel: &Path, arguments: &[&str]) -> String {
    let mut errors = Vec::new();
    for engine in engines() {
        let mut all = vec!["run", "--engine", engine];
        all.extend(arguments);
        let output = flexgrip(&all, kernel);
        assert_eq!(output.status.code(), Some(1), "{engine}: {output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("compiling ")).collect();
        assert_eq!(
            lines.iter().filter(|line| line.starts_with("error: ")).count(),
            1,
            "{engine}: one error: {text}"
        );
        errors.push(lines[0].to_owned());
    }
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:#?}");
    let folder = format!("{}/", kernel.display());
    errors[0].strip_prefix("error: ").unwrap().replace(&folder, "")
}

/// The error for a folder with these files.
#[track_caller]
fn files(files: &[(&str, &str)]) -> String {
    error_of(Folder::new(files).path(), &[])
}

/// The error for a launch file with `from` replaced by `to`; program and images exist and are valid.
#[track_caller]
fn launch(from: &str, to: &str) -> String {
    assert!(LAUNCH.contains(from));
    let text = LAUNCH.replace(from, to);
    files(&[
        ("launch.toml", &text),
        ("kernel.hex", RET),
        ("image.hex", "1\n"),
        ("expected.txt", "0 1\n"),
    ])
}

/// The error for a launch file with `more` appended.
#[track_caller]
fn with(more: &str) -> String {
    launch("block = [32, 1, 1]\n", &format!("block = [32, 1, 1]\n{more}"))
}

#[track_caller]
fn assert_says(error: String, place: &str, words: &[&str]) {
    assert!(error.starts_with(place), "{error}");
    for word in words {
        assert!(error.contains(word), "no `{word}` in: {error}");
    }
}

#[test]
fn wrong_launch_files_are_refused() {
    let nowhere = error_of(Path::new("/nowhere"), &[]);
    assert_says(
        nowhere,
        "/nowhere: ",
        &["no such file", "expected a folder with a launch.toml"],
    );
    assert_says(
        files(&[]),
        "launch.toml: ",
        &["cannot read the launch file", "no such file"],
    );
    assert_says(launch("name = \"t\"", "name = "), "launch.toml:1:8: ", &[]);
    assert_says(
        launch("registers = 16", "register = 16"),
        "launch.toml:3:1: ",
        &["unknown field `register`"],
    );
    assert_says(
        launch("name = \"t\"\n", ""),
        "launch.toml:1:1: ",
        &["missing field `name`"],
    );
    assert_says(
        launch("registers = 16\n", ""),
        "launch.toml:2:11: ",
        &["needs `registers`"],
    );
    assert_says(launch("[1, 1]", "[1, -1]"), "launch.toml:4:12: ", &["-1"]);
    assert_says(launch("[32, 1, 1]", "32"), "launch.toml:5:9: ", &["array of length 3"]);
    assert_says(with("entry = \"main\"\n"), "launch.toml:6:9: ", &["no kernel names"]);
    assert_says(
        with("params = [1, 4294967296]\n"),
        "launch.toml:6:14: ",
        &["4294967296 does not fit"],
    );
}

#[test]
fn wrong_programs_are_refused() {
    assert_says(
        files(&[("launch.toml", LAUNCH)]),
        "launch.toml:2:11: ",
        &["`kernel.hex`", "no such file"],
    );
    assert_says(
        launch("kernel.hex", "kernel"),
        "launch.toml:2:11: ",
        &["`kernel`", ".sass, .hex, .cubin or .vhd"],
    );
    let hex = |text| files(&[("launch.toml", LAUNCH), ("kernel.hex", text)]);
    assert_says(hex("30000003\n  3000000z\n"), "kernel.hex:2:3: ", &["`3000000z`"]);
    assert_says(hex("# nothing\n"), "launch.toml:2:11: ", &["empty"]);
    let sass = |text| files(&[("launch.toml", &LAUNCH.replace("hex", "sass")), ("kernel.sass", text)]);
    assert_says(
        sass("    MOV R1, R2\n    MOVE R1, R2\n"),
        "kernel.sass:2:5: ",
        &["MOVE"],
    );
    assert_says(sass("    BRA nowhere\n"), "kernel.sass:1:", &["nowhere"]);
}

#[test]
fn wrong_images_and_expectations_are_refused() {
    let image = "[[memory]]\nspace = \"global\"\nfile = \"image.hex\"\n";
    assert_says(
        with(&image.replace("image", "no")),
        "launch.toml:8:8: ",
        &["`no.hex`", "no such file"],
    );
    assert_says(
        with(&image.replace("global", "shared")),
        "launch.toml:7:9: ",
        &["shared", "global", "constant"],
    );
    assert_says(
        with(&image.replace("global", "constant")),
        "launch.toml:7:9: ",
        &["needs a `bank`"],
    );
    assert_says(with(&format!("{image}bank = 1\n")), "launch.toml:9:8: ", &["no banks"]);
    assert_says(
        with(&format!("{image}address = 1048576\n")),
        "launch.toml:9:11: ",
        &["do not fit in the memory"],
    );
    assert_says(
        with(&format!("{image}address = 2\n")),
        "launch.toml:9:11: ",
        &["not a multiple of 4"],
    );
    let constant = image.replace("global", "constant");
    assert_says(
        with(&format!("{constant}bank = 16\n")),
        "launch.toml:9:8: ",
        &["no such bank"],
    );
    let text = format!("{LAUNCH}{image}");
    let bad = files(&[("launch.toml", &text), ("kernel.hex", RET), ("image.hex", "1\n\n2 3\n")]);
    assert_says(bad, "image.hex:3:3: ", &["one word a line"]);

    let expect = "[[expect]]\nspace = \"global\"\nfile = \"expected.txt\"\n";
    assert_says(
        with(&expect.replace("global", "constant")),
        "launch.toml:7:9: ",
        &["global memory; expected `space"],
    );
    assert_says(with(&format!("{expect}ulp = 1\n")), "launch.toml:9:7: ", &["f32"]);
    assert_says(
        with(&format!("{expect}absolute = 0.5\n")),
        "launch.toml:9:12: ",
        &["f32"],
    );
    for difference in ["-0.5", "nan", "inf"] {
        let text = format!("{expect}compare = \"f32\"\nabsolute = {difference}\n");
        assert_says(
            with(&text),
            "launch.toml:10:12: ",
            &["accepted difference", "a finite number"],
        );
    }
    assert_says(
        with(&format!("{expect}compare = \"f64\"\n")),
        "launch.toml:9:11: ",
        &["f64", "u32", "f32"],
    );
    let text = format!("{LAUNCH}{expect}");
    let expected = |lines| files(&[("launch.toml", &text), ("kernel.hex", RET), ("expected.txt", lines)]);
    assert_says(expected("0 1\n2 1\n"), "expected.txt:2:1: ", &["not a multiple of 4"]);
    assert_says(
        expected("0 1\n100000 1\n"),
        "expected.txt:2:1: ",
        &["outside the global memory"],
    );
    assert_says(expected("0 1\n0 2\n"), "expected.txt:2:1: ", &["already in line 1"]);
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    assert_says(launch("[32, 1, 1]", "[1024, 2, 1]"), "launch.toml:5:9: ", &["1024x2x1"]);
    assert_says(launch("[1, 1]", "[0, 1]"), "launch.toml:4:8: ", &["0x1 blocks"]);
    assert_says(
        launch("registers = 16", "registers = 129"),
        "launch.toml:3:13: ",
        &["129 registers"],
    );
}

#[test]
fn launches_exceeding_an_sm_are_refused() {
    let text = LAUNCH
        .replace("[32, 1, 1]", "[1024, 1, 1]")
        .replace("registers = 16", "registers = 17");
    let error = files(&[("launch.toml", &text), ("kernel.hex", RET)]);
    assert_says(error, "launch.toml:3:13: ", &["needs 17408 registers", "has 16384"]);
    assert_says(
        with("shared_bytes = 16385\n"),
        "launch.toml:6:16: ",
        &["16448 bytes of shared memory", "16384"],
    );
    assert_says(
        with(&format!("params = {:?}\n", [0; 65])),
        "launch.toml:6:10: ",
        &["65 parameter words"],
    );
    assert_says(with("entry = 8\n"), "launch.toml:6:9: ", &["the entry is 0x8"]);
}

/// Checks the command line's report of a kernel that fails, and of one that does not end. `wild_kernels.rs` covers all
/// kinds of failures.
#[test]
fn failing_kernels_are_reported() {
    let place = "(SM 0, block 0, warp 0)";
    let text = LAUNCH.to_owned();
    let error = files(&[
        ("launch.toml", &text),
        ("kernel.hex", "10008000\n10008000\nf0000001\n00000780\n"),
    ]);
    assert_says(
        error,
        "launch.toml: kernel t: illegal instruction at PC 0x0008",
        &[place, "f0000001 00000780"],
    );
    let running = |program| error_of(Folder::sass(program).path(), &["--max-cycles", "3000"]);
    assert_says(
        running("MVI R1, 0x100000\nGLD.U32 R2, global14[R1]\nRET\n"),
        "kernel.sass:2: kernel t: global access out of range at address 0x100000 at PC 0x0008",
        &[place, "GLD.U32"],
    );
    assert_says(
        running("BRA 0x1000\n"),
        "kernel.sass: kernel t: program counter outside the program or misaligned at PC 0x1000",
        &[place],
    );
    assert_eq!(
        running("loop: BRA loop\n"),
        format!(
            "kernel.sass:1: kernel t: did not end within 3000 steps at PC 0x0000 {place}; --max-cycles sets a higher \
             limit"
        )
    );
}

/// Realigns a program with a misaligned long instruction, reached at once and after a branch.
#[test]
fn misaligned_long_instructions_are_reported() {
    let ways_out = [
        "the long instruction at 0x0",
        "is not on an 8-byte boundary",
        "--unaligned-code",
        "`unaligned_code = true`",
        "flexgrip asm --realign FILE.hex -o FILE.hex",
    ];
    // MOV32 R0, R0; RET
    let at_once = Folder::new(&[
        ("launch.toml", LAUNCH),
        ("kernel.hex", "10008000\n30000003\n00000780\n"),
    ]);
    assert_says(
        error_of(at_once.path(), &[]),
        "launch.toml:2:11: the long instruction at 0x0004 ",
        &ways_out,
    );
    // BRA 0xc, which skips half of a NOP.
    let text = "10006003\n00000780\nf0000001\n30000003\n00000780\n";
    let branch = text.replace("10006003", "10001803");
    let behind = Folder::new(&[("launch.toml", LAUNCH), ("kernel.hex", &branch)]);
    let error = error_of(behind.path(), &[]);
    assert_says(
        error,
        "launch.toml: kernel t: program counter outside the program or misaligned at PC 0x000c (SM 0, block 0, warp 0): ",
        &ways_out,
    );
    // The hint is also in the JSON outcome, and in the JSON of a comparison in which both engines agree.
    let output = flexgrip(&["run", "--engine", "model", "--json"], behind.path());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let place = format!("{}/launch.toml: kernel t: program counter", behind.path().display());
    assert_says(json["error"].as_str().unwrap().to_string(), &place, &ways_out);
    let output = flexgrip(&["lockstep"], behind.path());
    assert_eq!(output.status.code(), Some(1));
    assert_says(
        String::from_utf8(output.stderr).unwrap(),
        &format!("error: {place}"),
        &ways_out,
    );
    for folder in [&at_once, &behind] {
        let output = flexgrip(&["run", "--unaligned-code"], folder.path());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    // No hint where it does not help: for a target outside the program, and for half an instruction.
    for program in [
        &text.replace("10006003", "10010003")[..],
        "10001003\n00000780\n30000003\n",
        "10008000\n30000003\n",
    ] {
        let folder = Folder::new(&[("launch.toml", LAUNCH), ("kernel.hex", program)]);
        let error = error_of(folder.path(), &[]);
        assert!(
            error.starts_with("launch.toml: kernel t: program counter out") && error.ends_with("warp 0)"),
            "{error}"
        );
        assert_eq!(error_of(folder.path(), &["--unaligned-code"]), error);
    }
    let wrong = launch("grid", "unaligned_code = 1\ngrid");
    assert_says(wrong, "launch.toml:4:18: ", &["expected a boolean"]);
}

/// Tests programs that cannot be realigned, and files that are not programs to realign.
#[test]
fn unsuitable_programs_are_not_realigned() {
    let refused = |name: &str, program: &str, arguments: &[&str]| {
        let folder = Folder::new(&[(name, program)]);
        let out = folder.path().join("out.hex");
        let all = [&["asm", "--realign", "-o", out.to_str().unwrap()], arguments].concat();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_flexgrip"))
            .args(&all)
            .arg(folder.path().join(name))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(output.stdout.is_empty() && !out.exists(), "nothing is written");
        let text = String::from_utf8(output.stderr).unwrap();
        let text = text.replace(&format!("{}/", folder.path().display()), "");
        text.strip_prefix("error: ").unwrap().trim_end().to_string()
    };
    // BRA 0x14 and BRA 0x10 after a short instruction; RET.
    let program = "10008000\n10002803\n00000780\n30000003\n00000780\n";
    assert_eq!(
        refused("k.hex", program, &[]),
        "k.hex: cannot be moved: BRA at 0x0004 targets 0x0014, outside the program of 0x14 bytes"
    );
    assert_eq!(
        refused("k.hex", &program.replace("10002803", "10002003"), &[]),
        "k.hex: cannot be moved: BRA at 0x0004 targets 0x0010, the middle of the long instruction before it"
    );
    assert_eq!(
        refused("k.hex", "10008000\n30000003\n", &[]),
        "k.hex: cannot be moved: the long instruction at 0x0004 has no high half: the program ends there"
    );
    assert_eq!(
        refused("k.hex", "10008000\n30000003\n00000780\n", &["--entry", "0x8"]),
        "k.hex: cannot be moved: no instruction begins at the entry 0x0008"
    );
    assert_says(
        refused("k.sass", "RET\n", &[]),
        "k.sass: ",
        &["--realign is for a .hex or a .vhd"],
    );
    assert_says(refused("k.hex", "1000800g\n", &[]), "k.hex:1:", &[]);
    assert_says(
        refused("k.txt", "", &[]),
        "k.txt: ",
        &["unknown kind of program; expected"],
    );
    let folder = Folder::new(&[("k.hex", "30000003\n00000780\n")]);
    for arguments in [
        &["--realign", "--entry", "x"][..],
        &["--entry", "8"],
        &["--realign", "--json"],
    ] {
        let output = flexgrip(&[&["asm"], arguments].concat(), &folder.path().join("k.hex"));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let cubin = folder.path().join("out.cubin");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command
        .args(["asm", "--realign", "-o"])
        .arg(&cubin)
        .arg(folder.path().join("k.hex"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("code without names"));
}

#[test]
fn json_reports_a_failing_kernel() {
    let folder = Folder::sass("MVI R1, 0x102\nGST.U32 global14[R1], R1\nRET\n");
    for engine in engines() {
        let output = flexgrip(&["run", "--engine", engine, "--json"], folder.path());
        assert_eq!(output.status.code(), Some(1));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["match"], false);
        let error = json["error"].as_str().unwrap();
        assert!(
            error.contains("/kernel.sass:2: kernel t: misaligned global access"),
            "{error}"
        );
    }
}

#[test]
fn impossible_memory_sizes_are_refused() {
    let folder = Folder::sass("RET\n");
    let odd = error_of(folder.path(), &["--global-size", "1000"]);
    assert_says(odd, "launch.toml: ", &["global_bytes is 1000", "multiple of 64"]);
    // The model would accept this size, but the host's window is smaller.
    let output = flexgrip(&["run", "--global-size", "2147483712"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr)
        .unwrap()
        .contains("at most 2147483648, the host's window; --engine model takes more"));
}

#[test]
fn wrong_usage_exits_with_code_2() {
    let folder = Folder::sass("RET\n");
    for arguments in [
        ["run", "--lanes", "7"],
        ["run", "--engine", "ghdl"],
        ["lockstep", "--engine", "model"],
    ] {
        assert_eq!(flexgrip(&arguments, folder.path()).status.code(), Some(2));
    }
}

#[test]
fn impossible_snapshots_are_refused() {
    let folder = Folder::sass("MVI R1, 1\nRET\n");
    let (file, full) = (folder.path().join("snapshot"), "/dev/full/snapshot");
    let name = file.to_str().unwrap();
    let run = |arguments: &[&str]| {
        let output = flexgrip(&[&["run"], arguments].concat(), folder.path());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for arguments in [
        &["--from", name, "--engine", "model"][..],
        &["--from", name, "--engine", "kernels"],
        &["--from", name, "--engine", "verilator"],
        &["--save-at", "5", name, "--engine", "iverilog"],
        &["--save-at", "5", name, "--check"],
        &["--save-at", "0", name],
        &["--save-at", name],
        &["--from", name, "--timeline", "t.json"],
    ] {
        let (code, text) = run(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
    }
    for (arguments, says) in [
        (&["--from", name][..], "cannot read the snapshot: no such file"),
        (
            &["--save-at", "9999", name],
            "not written: cycle 9999 is not in the run, which has cycles 1 to",
        ),
        (&["--save-at", "5", full], "cannot write /dev/full/snapshot"),
    ] {
        let (code, text) = run(arguments);
        assert!(code == Some(1) && text.contains(says), "{arguments:?}: {text}");
    }
    assert!(!file.exists());
}

/// The error cannot be printed, but the exit code still reports it.
#[test]
#[cfg(target_os = "linux")]
fn unprintable_error_still_sets_the_exit_code() {
    for (program, arguments) in [
        (env!("CARGO_BIN_EXE_flexgrip"), ["run", "nowhere"]),
        (env!("CARGO_BIN_EXE_flexgrip"), ["explain", "nothing"]),
        (env!("CARGO_BIN_EXE_flexgrip"), ["isa", "nothing"]),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = std::process::Command::new(program)
            .args(arguments)
            .stderr(full)
            .status();
        assert_eq!(status.unwrap().code(), Some(1), "{program}");
    }
}
