//! `flexgrip compile`, and `flexgrip run` of a .cl file. Without a clang these tests say "skipped".

use crate::common::Folder;
use flexgrip_compiler::clang::Clang;
use std::process::{Command, Output};

const SAXPY: &str = "\
kernel void saxpy(float a, global const float *x, global float *y) {
    uint i = get_global_id(0);
    y[i] = a * x[i] + N;
}
kernel void where(global uint *out) {
    uint at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    out[at] = at + 100 * get_group_id(2);
}
constant float TABLE[4] = {1, 10, 100, 1000};
kernel void table(global float *out) {
    out[get_global_id(0)] = TABLE[get_global_id(0) & 3];
}
";

/// A folder with the source, unless there is no clang.
fn folder() -> Option<Folder> {
    match Clang::find() {
        Ok(_) => Some(Folder::new(&[
            ("k.cl", SAXPY),
            ("bad.cl", "kernel void k() {\n  x = 1;\n}\n"),
        ])),
        Err(error) if std::env::var_os("FLEXGRIP_REQUIRE_TOOLS").is_some() => panic!("{error}"),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

fn flexgrip(folder: &Folder, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flexgrip"))
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .output()
        .unwrap()
}

#[track_caller]
fn succeeds(folder: &Folder, arguments: &str) -> String {
    let output = flexgrip(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const RUN: &str = "run k.cl -DN=1 --kernel saxpy --global 64 --local 32 --arg float:2 --arg buffer:float:64=range";

#[test]
fn results_on_engines() {
    let Some(folder) = folder() else { return };
    for engine in ["model", "rtl"] {
        let text = succeeds(&folder, &format!("{RUN} --arg buffer:float:64 --engine {engine}"));
        let shown = "argument 2, 64 of float: 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 ...\n";
        assert!(text.contains(shown), "{engine}: {text}");
    }
    succeeds(
        &folder,
        &format!("{RUN} --arg buffer:float:64 --engine model --result 2=y.npy --result 2=y.csv"),
    );
    let csv = std::fs::read_to_string(folder.path().join("y.csv")).unwrap();
    assert!(csv.starts_with("1\n3\n5\n") && csv.lines().count() == 64, "{csv}");
    // The file as input: x is the y of before.
    let again = RUN.replace("buffer:float:64=range", "buffer:float=y.npy");
    let text = succeeds(&folder, &format!("{again} --arg buffer:float:64 --engine model"));
    assert!(text.contains("argument 2, 64 of float: 3 7 11 15"), "{text}");
}

/// Each slice of the third dimension is a launch that goes on with the memory of the one before.
#[test]
fn slices() {
    let Some(folder) = folder() else { return };
    let run =
        "run k.cl -DN=1 --kernel where --global 4,2,2 --local 2,2,1 --arg buffer:uint:16 --engine model --result 0";
    let text = succeeds(&folder, run);
    let shown = "argument 0, 16 of uint: 0 1 2 3 4 5 6 7 108 109 110 111 112 113 114 115\n";
    assert!(text.contains(shown), "{text}");
}

/// A timeline is of one launch, and names the lines of the source.
#[test]
fn timelines() {
    let Some(folder) = folder() else { return };
    let run = format!("{RUN} --arg buffer:float:64 --engine model --timeline t.json");
    succeeds(&folder, &run);
    let text = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    assert!(text.contains("\"source\":\"k.cl:3\""), "{text}");
    let slices = "run k.cl -DN=1 --kernel where --global 4,2,2 --arg buffer:uint:16 --engine model --timeline u.json";
    let output = flexgrip(&folder, slices);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("--timeline") && text.contains("of one launch"), "{text}");
    assert!(!folder.path().join("u.json").exists());
}

/// A table in the source lies in global memory, where only a launch of the source puts it.
#[test]
fn variables_of_the_module() {
    let Some(folder) = folder() else { return };
    let run = "run k.cl -DN=1 --kernel table --global 6 --arg buffer:float:6 --engine";
    for engine in ["model", "rtl"] {
        let text = succeeds(&folder, &format!("{run} {engine} --result 0"));
        let shown = "argument 0, 6 of float: 1 10 100 1000 1 10\n";
        assert!(text.contains(shown), "{engine}: {text}");
    }
    let output = flexgrip(&folder, "compile k.cl -DN=1 --kernel table -o k.cubin");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("table reads "), "{text}");
    assert!(text.contains("the address of the module's variables"), "{text}");
}

#[test]
fn programs() {
    let Some(folder) = folder() else { return };
    succeeds(&folder, "compile k.cl -D N=1 --kernel saxpy -o k.sass");
    succeeds(&folder, "compile k.cl -D N=1 --kernel saxpy -o k.hex");
    succeeds(&folder, "compile k.cl -D N=1 --kernel saxpy -o k.cubin");
    // The text is what the assembler makes the same words of.
    assert_eq!(
        succeeds(&folder, "asm k.sass"),
        std::fs::read_to_string(folder.path().join("k.hex")).unwrap()
    );
    assert!(succeeds(&folder, "disasm k.cubin").contains("saxpy"));
    let explained = succeeds(&folder, "compile k.cl -DN=1 --kernel saxpy --explain");
    assert!(
        explained.contains("//    3      y[i] = a * x[i] + N;\n/*"),
        "{explained}"
    );
    assert!(succeeds(&folder, "compile k.cl -DN=1 --kernel saxpy --emit ptx").contains(".entry saxpy"));
    assert!(succeeds(&folder, "compile k.cl -DN=1 --kernel saxpy --emit ir").starts_with("kernel saxpy:"));
    assert!(succeeds(&folder, "compile k.cl -DN=1 --kernel saxpy --fast-math").contains("FMAD"));
}

#[test]
fn mistakes() {
    let Some(folder) = folder() else { return };
    for (arguments, code, message) in [
        (
            "compile bad.cl",
            1,
            "bad.cl:2:3: error: use of undeclared identifier 'x'",
        ),
        ("compile missing.cl", 1, "missing.cl: cannot read the source"),
        (
            "compile k.cl -DN=1",
            2,
            "which kernel? expected --kernel with one of saxpy, where, table",
        ),
        (
            "compile k.cl -DN=1 --kernel no",
            2,
            "it has no kernel `no`; expected one of saxpy, where, table",
        ),
        (
            "compile k.cl --options -cl-nothing",
            2,
            "unknown build option `-cl-nothing`",
        ),
        (
            "compile k.cl -DN=1 --kernel saxpy -o k.exe",
            1,
            "unknown kind of output",
        ),
        ("run k.cl -DN=1 --kernel saxpy", 2, "a .cl file needs --global"),
        (
            "run k.cl -DN=1 --kernel saxpy --global 64",
            2,
            "takes 3 arguments; 0 are given",
        ),
        (
            "run k.cl -DN=1 --kernel where --global 64 --local 7 --arg buffer:uint:64",
            2,
            "is not a multiple",
        ),
        (
            "run k.cl -DN=1 --kernel where --global 64 --arg int:5 --result 0",
            2,
            "argument 0 is no buffer",
        ),
        (
            "run k.cl -DN=1 --kernel where --global 64 --arg buffer:what:5",
            2,
            "`what` is not a type",
        ),
        ("run . --global 64", 2, "are for a .cl file"),
    ] {
        let output = flexgrip(&folder, arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(message), "{arguments}: {text}");
        assert_eq!(output.status.code(), Some(code), "{arguments}: {text}");
    }
}
