//! Tests `--check`: errors of kernels in OpenCL C and in SASS are reported with line, argument and work-item. Without
//! clang, the tests of OpenCL C print "skipped".

use crate::common::{clang, Folder};
use std::process::{Command, Output};

const SOURCE: &str = "\
kernel void behind(global int *a, global int *b) {
    a[get_global_id(0) + 1] = 7;
}
kernel void neighbour(global int *a, global int *b) {
    int far = get_global_id(0) + 500;
    a[far] = 1;
}
kernel void misaligned(global char *a) {
    *(global int *)(a + 1) = 1;
}
kernel void barriers(global int *a) {
    int l = get_local_id(0);
    if (l < 10) barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = l;
}
kernel void race(global int *a) {
    local int s[64];
    int l = get_local_id(0);
    s[l] = l;
    a[l] = s[63 - l];
}
kernel void flags(global int *a) {
    local int s[64];
    int l = get_local_id(0);
    s[l] = l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[l] = s[63 - l];
}
kernel void unwritten(global int *a) {
    local int s[64];
    int l = get_local_id(0);
    if (l < 32) s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = s[l];
}
kernel void variable(global const int *a, global int *b) {
    int x;
    if (a[get_global_id(0)] > 70) x = 3;
    b[get_global_id(0)] = x;
}
kernel void array(global const int *a, global int *b) {
    int t[4] = {1, 2, 3, 4};
    b[get_global_id(0)] = t[a[get_global_id(0)]];
}
kernel void divide(global const int *a, global int *b) {
    int i = get_global_id(0);
    b[i] = 100 / a[i];
}
kernel void wide(global const int *a, global int *b) {
    int i = get_global_id(0);
    b[i] = 100000000000L % (long)a[i];
}
kernel void right(global const int *a, global int *b) {
    local int s[64];
    int l = get_local_id(0), x;
    s[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 5) x = s[63 - l] / (l + 1); else x = s[l];
    b[get_global_id(0)] = x;
}
";

fn folder() -> Option<Folder> {
    clang().then(|| Folder::new(&[("k.cl", SOURCE)]))
}

fn flexgrip(arguments: &str, folder: &std::path::Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command.args(arguments.split_whitespace()).current_dir(folder);
    command.output().unwrap()
}

/// The output of a run with the checker, and its exit code.
fn checked(folder: &Folder, kernel: &str, buffers: &str) -> (String, Option<i32>) {
    let arguments = format!("run k.cl --kernel {kernel} --global 64 --local 64 {buffers} --check");
    let output = flexgrip(&arguments, folder.path());
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// A buffer that was never written; `TWO` has another one before it, with numbers.
const ONE: &str = "--arg buffer:int:64";
const TWO: &str = "--arg buffer:int:64=range --arg buffer:int:64";

#[test]
fn each_error_is_reported_with_its_line() {
    let Some(folder) = folder() else { return };
    for (kernel, buffers, expected) in [
        ("behind", TWO, "k.cl:2:29: kernel behind: error: store of 4 bytes outside argument 0: index 64 of 64\n    work-item (63, 0, 0), group (0, 0, 0), warp 1, lane 31"),
        ("neighbour", TWO, "k.cl:6:12: kernel neighbour: error: store of 4 bytes outside argument 0: index 500 of 64"),
        ("misaligned", "--arg buffer:char:8", "k.cl:9:28: kernel misaligned: error: misaligned store of 4 bytes at argument 0, byte 1"),
        ("barriers", ONE, "k.cl:13:17: kernel barriers: error: a barrier that 10 work-items (0 to 9) reach, while 22 work-items (10 to 31) are at"),
        ("race", ONE, "k.cl:20:12: kernel race: error: race: load and store of the __local variable (s), byte 252; no barrier orders them\n    work-item (0, 0, 0), group (0, 0, 0), warp 0, lane 0"),
        ("race", ONE, "the other store is of work-item (63, 0, 0), group (0, 0, 0), warp 1, lane 31, at k.cl:19:10"),
        ("flags", ONE, "kernel flags: error: race: load and store of the __local variable (s)"),
        ("unwritten", ONE, "kernel unwritten: error: an uninitialised value from shared memory is stored to argument 0, index 32"),
        ("variable", TWO, "kernel variable: error: an uninitialised value from private memory is stored to argument 1, index 0"),
        ("array", TWO, "kernel array: error: an index outside an array of known size"),
        ("divide", TWO, "k.cl:47:16: kernel divide: error: division of an integer by zero"),
        ("wide", TWO, "kernel wide: error: division of an integer by zero"),
    ] {
        let (text, code) = checked(&folder, kernel, buffers);
        assert!(text.contains(expected), "{kernel}: {text}\nexpected: {expected}");
        assert_eq!(code, Some(1), "{kernel}");
    }
}

#[test]
fn correct_kernel_has_no_findings() {
    let Some(folder) = folder() else { return };
    let (text, code) = checked(&folder, "right", TWO);
    assert!(text.contains("the checker found no error"), "{text}");
    assert_eq!(code, Some(0), "{text}");
    // The first kernel's input was never written.
    let (text, _) = checked(&folder, "right", "--arg buffer:int:64 --arg buffer:int:64");
    assert!(
        text.contains("an uninitialised value from shared memory is stored to argument 1"),
        "{text}"
    );
}

#[test]
fn json_lists_all_findings() {
    let Some(folder) = folder() else { return };
    let arguments = format!("run k.cl --kernel race --global 64 --local 64 {ONE} --check --json");
    let output = flexgrip(&arguments, folder.path());
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["check"]["errors"], 64);
    let findings = summary["check"]["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 64);
    assert_eq!(findings[0]["kind"], "race");
    assert_eq!(findings[0]["place"], "k.cl:20:12: kernel race");
}

#[test]
fn sass_is_checked_in_lockstep_and_debugger() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = flexgrip("lockstep kernels/breadth_first_search --check", &root);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("kernel.sass:82: kernel breadth_first_search: error: race"),
        "{text}"
    );
    assert!(text.contains("and the model agree"), "{text}");
    assert_eq!(output.status.code(), Some(1));
    let output = flexgrip("run kernels/vectoradd --check", &root);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let output = flexgrip("run kernels/vectoradd --check --engine rtl", &root);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("--check is for the model"), "{error}");
}
