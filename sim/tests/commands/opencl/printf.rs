//! Tests `printf` in kernels in OpenCL C: on all engines, in comparisons and in the debugger. Without clang, these
//! tests print "skipped".

use super::{command, flexgrip};
use crate::common::{clang, Folder};
use std::process::Output;

const SOURCE: &str = "\
kernel void few(global int *out) {
    uint i = get_global_id(0);
    if (i % 16 == 3)
        printf(\"%d: %5.2f %v4hlx %s\\n\", i, i * 0.5f, (uint4)(i, 255, 0, 7), i > 20 ? \"large\" : \"small\");
    for (int j = 0; j < i % 3; j++)
        printf(\"[%u.%d]\", i, j);
    if (i % 8 == 7)
        printf(\"\\n\");
    out[i] = i;
}
kernel void many(global int *out) {
    int lost = 0;
    for (int j = 0; j < 50; j++)
        lost -= printf(\"%d %d\\n\", (int)get_global_id(0), j);
    out[get_global_id(0)] = lost;
}
kernel void where(global int *out) {
    printf(\"%d %d %d\\n\", (int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2));
}
kernel void wrong(global char *text) {
    printf(\"%s\\n\",
           text);
}
";

fn folder() -> Option<Folder> {
    clang().then(|| Folder::new(&[("k.cl", SOURCE)]))
}

/// Standard output of a success, and standard error.
#[track_caller]
fn succeeds(folder: &Folder, arguments: &str) -> (String, String) {
    let output = flexgrip(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments}: {error}");
    (String::from_utf8(output.stdout).unwrap(), error)
}

const FEW: &str = "run k.cl --kernel few --global 40 --local 20 --arg buffer:int:40";

/// The output of `few` with 40 work-items.
fn wanted() -> String {
    let mut text = String::new();
    for i in 0..40 {
        if i % 16 == 3 {
            let size = if i > 20 { "large" } else { "small" };
            text += &format!("{i}: {:5.2} {i:x},ff,0,7 {size}\n", f64::from(i) * 0.5);
        }
        for j in 0..i % 3 {
            text += &format!("[{i}.{j}]");
        }
        if i % 8 == 7 {
            text.push('\n');
        }
    }
    text
}

#[test]
fn text_is_equal_on_all_engines() {
    let Some(folder) = folder() else { return };
    for engine in ["model", "model --jobs 2", "rtl", "rtl --lanes 32"] {
        let (text, error) = succeeds(&folder, &format!("{FEW} --engine {engine}"));
        assert!(text.starts_with(&(wanted() + "kernel ")), "{engine}: {text}");
        assert!(text.contains("argument 0, 40 of int: 0 1 2 3"), "{engine}: {text}");
        // A call reads the lane from the warp's physical ID, so its blocks are not known to be independent.
        let in_turns = "the blocks ran one after another, not in parallel: ";
        match engine {
            "model --jobs 2" => assert!(error.starts_with(in_turns) && error.lines().count() == 1, "{error}"),
            _ => assert_eq!(error, "", "{engine}"),
        }
    }
    let (text, _) = succeeds(&folder, &format!("{FEW} --engine model --json"));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["printed"]["text"], wanted());
    assert_eq!(
        (&json["printed"]["lost_calls"], &json["printed"]["lost_bytes"]),
        (&0.into(), &0.into())
    );
    // A trace on standard output is for programs.
    let (trace, error) = succeeds(&folder, &format!("{FEW} --engine model --trace -"));
    assert!(error.contains("]3:  1.50 3,ff,0,7 small\n"), "{error}");
    assert!(!trace.contains("small"));
}

#[test]
fn slices_of_three_dimensions_are_in_order() {
    let Some(folder) = folder() else { return };
    let run = "run k.cl --kernel where --global 4,2,2 --local 2,1,2 --arg buffer:int:1 --engine model";
    let (text, _) = succeeds(&folder, run);
    let mut wanted = String::new();
    for (y, x) in [(0, 0), (0, 2), (1, 0), (1, 2)] {
        for (z, item) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            wanted += &format!("{} {y} {z}\n", x + item);
        }
    }
    assert!(text.starts_with(&wanted), "{text}");
    let (text, _) = succeeds(&folder, &run.replace("2,1,2", "2,1,1"));
    let wanted = "0 0 0\n1 0 0\n2 0 0\n3 0 0\n0 1 0\n1 1 0\n2 1 0\n3 1 0\n0 0 1\n";
    assert!(text.starts_with(wanted), "{text}");
}

#[test]
fn full_buffer_is_reported() {
    let Some(folder) = folder() else { return };
    let run = "run k.cl --kernel many --global 64 --local 32 --arg buffer:int:64 --result 0";
    let limited = |engine: &str, bytes: &str| {
        let arguments = format!("{run} --engine {engine}");
        let mut program = command(&folder, &arguments);
        program.env("FLEXGRIP_PRINTF_BUFFER", bytes).output().unwrap()
    };
    // Two warps with 12 bytes of header and 12 bytes for each record: 84 and 84 of 1,600.
    let [model, circuits] = ["model", "rtl"].map(|engine| limited(engine, "2048"));
    let error = String::from_utf8_lossy(&model.stderr);
    let lost = "printf's buffer was full: the output of 3032 calls, 36384 bytes of records, is lost; \
                FLEXGRIP_PRINTF_BUFFER sets a larger size, in bytes";
    assert!(model.status.success() && error.contains(lost), "{error}");
    let text = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let (printed, rest) = text.split_once("kernel ").unwrap();
        let (_, buffer) = rest.split_once("argument 0").unwrap();
        (printed.to_string(), buffer.to_string())
    };
    assert_eq!(text(&model).0.lines().count(), 168);
    assert_eq!(text(&model), text(&circuits), "also which calls are lost");
    assert_eq!(model.stderr, circuits.stderr);
    let whole = limited("model", "1048576");
    assert_eq!(text(&whole).0.lines().count(), 3200);
    assert_eq!(whole.stderr, b"");
    let wrong = limited("model", "12");
    let error = String::from_utf8_lossy(&wrong.stderr);
    assert!(
        error.contains("FLEXGRIP_PRINTF_BUFFER is `12`; expected a number of bytes from 1024"),
        "{error}"
    );
    assert_eq!((wrong.status.code(), wrong.stdout.len()), (Some(2), 0));
}

#[test]
fn strings_must_be_literals() {
    let Some(folder) = folder() else { return };
    let output = flexgrip(&folder, "run k.cl --kernel wrong --global 1 --arg buffer:char:1");
    let error = String::from_utf8_lossy(&output.stderr);
    let wanted = "k.cl:21:5: argument 1 of `printf`: `%s` takes a string literal";
    assert!(error.contains(wanted), "{error}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn checks_and_lockstep_accept_printing_kernels() {
    let Some(folder) = folder() else { return };
    let (text, _) = succeeds(&folder, &format!("{FEW} --check"));
    assert!(text.starts_with(&(wanted() + "kernel ")), "{text}");
    assert!(text.contains("the checker found no error"), "{text}");
    let (text, _) = succeeds(&folder, &FEW.replace("run ", "lockstep "));
    assert!(text.contains("and the model agree"), "{text}");
}

#[test]
fn runs_of_a_batch_print_below_their_lines() {
    let Some(folder) = folder() else { return };
    let run = "run k.cl --kernel where --global 2 --arg buffer:int:1=random --engine model --batch 1-2";
    let (text, _) = succeeds(&folder, run);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[1].starts_with("seed 1") && lines[4].starts_with("seed 2"),
        "{text}"
    );
    assert_eq!(
        [lines[2], lines[3], lines[5], lines[6]],
        ["0 0 0", "1 0 0", "0 0 0", "1 0 0"]
    );
}

/// PoCL also prints at the end of the kernel: with `--compare cpu` both texts are in the output.
#[test]
fn text_equals_that_of_the_processor() {
    let Some(folder) = folder() else { return };
    // One work-item at a time: PoCL does not promise an order of several.
    let run = "run k.cl --kernel few --global 1 --offset 35 --arg buffer:int:64 --engine model --compare cpu";
    let output = flexgrip(&folder, run);
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("apt-get install pocl-opencl-icd") {
        return flexgrip_skip::skip(errors);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        text.matches("35: 17.50 23,ff,0,7 large\n[35.0][35.1]").count(),
        2,
        "{text}"
    );
}

/// Text appears after the step that has executed the call, and not again after steps back.
#[test]
fn debugger_prints_each_call_once() {
    let Some(folder) = folder() else { return };
    for (engine, step) in [("model", 150), ("rtl", 1500)] {
        let steps = format!("cycle {step}\n").repeat(8);
        let script = format!("{steps}back-cycle {0}\ncycle {0}\ngoto 0\ncontinue\n", 3 * step);
        std::fs::write(folder.path().join("s.txt"), script).unwrap();
        let debug = format!("{} --engine {engine} --script s.txt", FEW.replace("run ", "debug "));
        let (text, _) = succeeds(&folder, &debug.replace("40 --local 20", "8 --local 8"));
        assert_eq!(text.matches("3:  1.50 3,ff,0,7 small\n").count(), 1, "{engine}: {text}");
        for item in ["1.0", "2.0", "2.1", "4.0", "5.0", "5.1", "7.0"] {
            assert_eq!(text.matches(&format!("[{item}]")).count(), 1, "{engine}: {text}");
        }
        // The texts appear after the steps that have executed the calls, not at the end.
        let (before, _) = text.split_once("> back-cycle").unwrap();
        let calls = ["small\n", "[1.0]"].map(|part| before.find(part).unwrap());
        assert!(before[calls[0]..calls[1]].contains("> cycle"), "{engine}: {text}");
    }
}
