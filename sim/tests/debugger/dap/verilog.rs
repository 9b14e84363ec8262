//! Tests an editor's session on the Verilog: missing capabilities and refused requests.

use super::program::with_program;
use crate::common::processes::{children, signal};
use crate::common::{build, root, verilator, Folder};
use serde_json::json;

#[test]
fn unsupported_features_are_not_offered() {
    if !verilator() {
        return;
    }
    let folder = Folder::sass("    MVI R1, 0x0\nloop:\n    IADD32I R1, R1, 1\n    BRA loop\n");
    let (mut editor, mut child) = with_program();
    let able = editor.done("initialize", json!({ "adapterID": "flexgrip" }));
    assert_eq!(able["supportsStepBack"], true, "for other machines");
    // The folder of compiled Verilog is the project's folder.
    assert!(build().starts_with(root()));
    let launch = json!({ "kernel": folder.path(), "engine": "verilator", "cwd": root(), "stopOnEntry": true });
    editor.done("launch", launch);
    let capabilities = editor.event("capabilities")["capabilities"].clone();
    for name in [
        "supportsStepBack",
        "supportsSetVariable",
        "supportsSetExpression",
        "supportsWriteMemoryRequest",
    ] {
        assert_eq!(capabilities[name], false, "{capabilities}");
    }
    editor.event("initialized");
    editor.done(
        "setFunctionBreakpoints",
        json!({ "breakpoints": [{ "name": "loop", "condition": "R1 == 3" }] }),
    );
    editor.done("configurationDone", json!({}));
    assert_eq!(editor.stop()["reason"], "entry");
    let stop = editor.go("continue", &json!(2));
    assert_eq!(stop["reason"], "function breakpoint");
    let thread = stop["threadId"].clone();
    let frame = editor.frames(&thread)[0].clone();
    assert_eq!((&frame["name"], &frame["line"]), (&json!("loop"), &json!(3)));
    let (registers, variables) = editor.scope(&thread, "Lane 0");
    assert_eq!(variables[1]["value"], "0x00000003");
    for (command, arguments, says) in [
        ("stepBack", json!({ "threadId": thread }), "runs forwards only"),
        ("reverseContinue", json!({ "threadId": thread }), "runs forwards only"),
        (
            "setVariable",
            json!({ "variablesReference": registers, "name": "R1", "value": "5" }),
            "cannot change the state",
        ),
        (
            "writeMemory",
            json!({ "memoryReference": "0x0", "data": "AAAA" }),
            "cannot change the state",
        ),
        (
            "evaluate",
            json!({ "expression": "back", "context": "repl" }),
            "runs forwards only",
        ),
    ] {
        let error = editor.refused(command, arguments);
        assert!(error.contains(says), "{command}: {error}");
    }
    // A command that moves the session reports its position, even after a failure.
    assert_eq!(editor.stop()["description"], "stepped by a command");
    assert_eq!(editor.go("next", &thread)["reason"], "step");
    // A harness that no longer responds does not make the session hang.
    let harness = children(child.id());
    assert_eq!(harness.len(), 1, "{harness:?}");
    signal("STOP", harness[0]);
    editor.done("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    editor.done("continue", json!({ "threadId": thread }));
    editor.done("pause", json!({ "threadId": thread }));
    assert_eq!(editor.stop()["reason"], "pause");
    editor.done("restart", json!({}));
    assert_eq!(editor.stop()["reason"], "entry");
    let again = children(child.id());
    assert!(again.len() == 1 && again != harness, "{again:?}");
    editor.done("disconnect", json!({}));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
