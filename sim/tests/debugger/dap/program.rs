//! Tests the program `flexgrip dap`: OpenCL C, TCP, exit codes.

use super::{stencil, Editor, PATIENCE};
use crate::common::{clang, Folder};
use serde_json::json;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Starts the program.
fn program(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command.arg("dap").args(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

pub(super) fn with_program() -> (Editor, Child) {
    let mut child = program(&[]);
    let editor = Editor::new(child.stdout.take().unwrap(), child.stdin.take().unwrap());
    (editor, child)
}

#[test]
fn opencl_is_debugged_in_its_source() {
    if !clang() {
        return;
    }
    let text = "kernel void saxpy(float a, global const float *x, global float *y) {\n    uint i = get_global_id(0);\n    y[i] = a * x[i] + 1;\n}\n";
    let folder = Folder::new(&[("k.cl", text)]);
    let (mut editor, mut child) = with_program();
    editor.done("initialize", json!({}));
    let wrong = [
        (json!({ "lanes": 9 }), "'9'"),
        (json!({ "engine": "magic" }), "'magic'"),
        (json!({ "global": [] }), "needs --global"),
        (json!({ "args": ["float"] }), "float"),
        (json!({ "cwd": "/nowhere" }), "cannot work in /nowhere"),
        (json!({ "kernelName": "missing" }), "missing"),
    ];
    let good = json!({
        "kernel": "k.cl", "cwd": folder.path(), "global": 64, "local": [32], "stopOnEntry": true,
        "args": ["float:2", "buffer:float:64=range", "buffer:float:64"],
    });
    for (change, says) in wrong {
        let mut arguments = good.clone();
        for (name, value) in change.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let error = editor.refused("launch", arguments);
        assert!(error.contains(says), "{change}: {error}");
    }
    editor.done("launch", good);
    editor.event("initialized");
    let path = folder.path().join("k.cl");
    let source = json!({ "path": path });
    let body = editor.done(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": [{ "line": 3 }] }),
    );
    assert_eq!(body["breakpoints"][0]["verified"], true, "{body}");
    editor.done("configurationDone", json!({}));
    assert_eq!(editor.stop()["reason"], "entry");
    let stop = editor.go("continue", &json!(2));
    assert_eq!(stop["reason"], "breakpoint");
    let frame = editor.frames(&stop["threadId"])[0].clone();
    let name = frame["source"]["path"].as_str().unwrap();
    assert_eq!(
        (frame["line"].as_i64(), Path::new(name).canonicalize().unwrap()),
        (Some(3), path.canonicalize().unwrap())
    );
    editor.done("disconnect", json!({}));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn server_ends_with_its_client() {
    let (editor, mut child) = with_program();
    drop(editor);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert!(error.contains("without a `disconnect` request"), "{error}");
    // Repeats the test over TCP.
    for disconnects in [true, false] {
        let mut child = program(&["--port", "0"]);
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut editor = Editor::new(stream.try_clone().unwrap(), stream);
        editor.launch(&stencil(), json!({}));
        editor.done("configurationDone", json!({}));
        assert_eq!(editor.stop()["reason"], "entry");
        assert!(TcpStream::connect(address).is_err(), "one editor at a time");
        if disconnects {
            editor.done("disconnect", json!({}));
        }
        drop(editor);
        assert_eq!(child.wait().unwrap().code(), Some(i32::from(!disconnects)));
    }
    let output = program(&["--port", "no"]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
