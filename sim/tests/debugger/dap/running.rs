//! Tests of running and stepping in both directions, while other requests are answered.

use super::{line_of, stencil, Editor};
use crate::common::Folder;
use serde_json::json;

#[test]
fn calls_are_frames_with_all_step_commands() {
    let (mut editor, server) = Editor::launched(&stencil(), json!({}));
    let source = json!({ "path": stencil().join("kernel.sass") });
    let call = line_of(&stencil(), "CAL bring");
    editor.done(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": [{ "line": call }] }),
    );
    let stop = editor.go("continue", &json!(1));
    let thread = stop["threadId"].clone();
    editor.done("setBreakpoints", json!({ "source": source, "breakpoints": [] }));
    // Step over.
    assert_eq!(editor.go("next", &thread)["reason"], "step");
    let after = editor.frames(&thread);
    assert_eq!(
        (after.len(), after[0]["line"].as_i64().unwrap()),
        (1, line_of(&stencil(), "MVI R7, 2 * RADIUS"))
    );
    // Step back, and step in. A step back sees the subroutine's instructions.
    editor.done("setInstructionBreakpoints", json!({ "breakpoints": [] }));
    let functions = json!({ "breakpoints": [{ "name": "bring", "condition": "of 0.0" }, { "name": "nowhere" }] });
    let body = editor.done("setFunctionBreakpoints", functions);
    assert_eq!(
        (&body["breakpoints"][0]["verified"], &body["breakpoints"][1]["verified"]),
        (&json!(true), &json!(false))
    );
    let stop = editor.go("reverseContinue", &thread);
    assert_eq!(stop["reason"], "function breakpoint", "{stop}");
    let frames = editor.frames(&thread);
    assert_eq!((frames.len(), frames[0]["name"].as_str().unwrap()), (2, "bring"));
    assert_eq!(frames[1]["line"], after[0]["line"], "the return address");
    let deeper = editor.done(
        "stackTrace",
        json!({ "threadId": thread, "startFrame": 1, "levels": 1 }),
    );
    assert_eq!(
        (deeper["stackFrames"].as_array().unwrap().len(), &deeper["totalFrames"]),
        (1, &json!(2))
    );
    assert_eq!(editor.go("stepBack", &thread)["reason"], "step");
    assert_eq!(editor.frames(&thread)[0]["line"], call);
    editor.done("stepIn", json!({ "threadId": thread, "granularity": "instruction" }));
    editor.stop();
    assert_eq!(editor.frames(&thread)[0]["name"], "bring");
    assert_eq!(editor.go("stepOut", &thread)["reason"], "step");
    assert_eq!(editor.frames(&thread), {
        let mut same = after.clone();
        same[0]["id"] = editor.frames(&thread)[0]["id"].clone();
        same
    });
    assert!(editor
        .refused("stepOut", json!({ "threadId": thread }))
        .contains("threads are on one path"));
    editor.disconnect(server);
}

/// The end can be inspected like any other moment, and stepping back is possible. The same moment always looks the
/// same.
#[test]
fn session_steps_back_from_end_to_beginning() {
    let (mut editor, server) = Editor::launched(&stencil(), json!({}));
    let at_first = editor.console("registers");
    let stop = editor.go("continue", &json!(2));
    assert_eq!(
        (&stop["reason"], &stop["description"]),
        (&json!("end"), &json!("the grid has ended"))
    );
    assert_eq!(
        editor.done("threads", json!({}))["threads"],
        json!([{ "id": 1, "name": "the grid has ended" }])
    );
    assert_eq!(editor.frames(&json!(1))[0]["name"], "the grid has ended");
    let result = editor.done("readMemory", json!({ "memoryReference": "0x468", "count": 64 }));
    let stop = editor.go("stepBack", &stop["threadId"]);
    assert_eq!(stop["reason"], "step");
    let thread = stop["threadId"].clone();
    assert_ne!(thread, 1);
    let late = (editor.frames(&thread)[0]["line"].clone(), editor.console("registers"));
    assert_eq!(editor.go("reverseContinue", &thread)["description"], "the beginning");
    assert_eq!(editor.console("registers"), at_first);
    let stop = editor.go("continue", &json!(2));
    assert_eq!(
        editor.done("readMemory", json!({ "memoryReference": "0x468", "count": 64 })),
        result
    );
    editor.go("stepBack", &stop["threadId"]);
    assert_eq!(
        (editor.frames(&thread)[0]["line"].clone(), editor.console("registers")),
        late
    );
    editor.done("restart", json!({}));
    assert_eq!(editor.stop()["reason"], "entry");
    assert!(editor.console("where").starts_with("instruction 0,"));
    // The console can also step the session, and the editor is notified.
    let text = editor.console("cycle 5");
    assert!(text.starts_with("instruction 5,"), "{text}");
    assert_eq!(editor.stop()["reason"], "step");
    editor.done("terminate", json!({}));
    editor.event("terminated");
    editor.disconnect(server);
}

#[test]
fn failing_kernel_stops_at_its_error() {
    let folder = Folder::sass("MVI R1, 0x7f000000\nfar: GST.U32 global14[R1], R0\nRET\n");
    let (mut editor, server) = Editor::launched(folder.path(), json!({}));
    let stop = editor.go("continue", &json!(2));
    assert_eq!(
        (&stop["reason"], &stop["description"]),
        (&json!("exception"), &json!("the kernel has failed"))
    );
    assert!(stop["text"].as_str().unwrap().contains("0x7f000000"), "{stop}");
    let body = editor.done("exceptionInfo", json!({ "threadId": stop["threadId"] }));
    assert_eq!(
        (&body["exceptionId"], &body["description"]),
        (&json!("error"), &stop["text"])
    );
    let stop = editor.go("stepBack", &stop["threadId"]);
    let frame = editor.frames(&stop["threadId"])[0].clone();
    assert_eq!((&frame["name"], &frame["line"]), (&json!("far"), &json!(2)), "{frame}");
    editor.disconnect(server);
    // Without debugging, the kernel runs to its end, and the adapter reports the result.
    for (kernel, code) in [(folder.path(), 1), (&stencil(), 0)] {
        let (mut editor, server) = Editor::with_server();
        editor.launch(kernel, json!({ "noDebug": true }));
        let body = editor.done("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "far" }] }));
        assert!(body["breakpoints"][0]["message"].as_str().unwrap().contains("noDebug"));
        editor.done("configurationDone", json!({}));
        assert_eq!(editor.event("exited")["exitCode"], code);
        editor.event("terminated");
        editor.disconnect(server);
    }
}

/// Continuing never stops at the current position of the session.
#[test]
fn breakpoint_at_the_first_instruction_is_reached() {
    let folder = Folder::sass("first: MOV R1, R0\nRET\n");
    let (mut editor, server) = Editor::with_server();
    editor.launch(folder.path(), json!({ "stopOnEntry": false }));
    editor.done(
        "setFunctionBreakpoints",
        json!({ "breakpoints": [{ "name": "first" }] }),
    );
    editor.done("configurationDone", json!({}));
    for _ in 0..2 {
        let stop = editor.stop();
        assert_eq!(stop["reason"], "function breakpoint", "{stop}");
        assert!(editor.console("where").starts_with("instruction 0,"));
        editor.done("restart", json!({}));
    }
    editor.stop();
    assert_eq!(editor.go("continue", &json!(2))["reason"], "end");
    editor.disconnect(server);
}

/// Runs a kernel without an end: the server answers its client while it runs.
#[test]
fn requests_are_answered_while_a_kernel_runs() {
    let folder = Folder::sass("loop: IADD R1, R1, R0\nBRA loop\nRET\n");
    let (mut editor, server) = Editor::launched(folder.path(), json!({}));
    for round in 0..3 {
        editor.done("continue", json!({ "threadId": 2 }));
        assert_eq!(
            editor.done("threads", json!({}))["threads"].as_array().unwrap().len(),
            1
        );
        assert!(editor.refused("next", json!({ "threadId": 2 })).contains("is running"));
        let error = editor.refused("evaluate", json!({ "expression": "step", "context": "repl" }));
        assert!(error.contains("is running"), "{error}");
        assert!(editor.console("registers").contains("R1"));
        editor.done("pause", json!({ "threadId": 2 }));
        let stop = editor.stop();
        assert_eq!(stop["reason"], "pause", "round {round}");
        assert_eq!(editor.frames(&stop["threadId"]).len(), 1);
    }
    // These requests are sent without waiting for responses.
    editor.send("continue", json!({ "threadId": 2 }));
    let pause = editor.send("pause", json!({ "threadId": 2 }));
    while editor.receive()["request_seq"] != pause {}
    assert_eq!(editor.stop()["reason"], "pause");
    // A breakpoint that is set while the kernel runs is reached.
    editor.done("continue", json!({ "threadId": 2 }));
    editor.done("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "loop" }] }));
    assert_eq!(editor.stop()["reason"], "function breakpoint");
    editor.done("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    editor.done("continue", json!({ "threadId": 2 }));
    editor.done("restart", json!({}));
    assert_eq!(editor.stop()["reason"], "entry");
    editor.done("continue", json!({ "threadId": 2 }));
    editor.disconnect(server);
    // A limit of cycles.
    let (mut editor, server) = Editor::launched(folder.path(), json!({ "maxCycles": 1000 }));
    let stop = editor.go("continue", &json!(2));
    assert_eq!(stop["description"], "stopped after 1000 instructions");
    // A client that disconnects while the kernel runs ends the server.
    editor.done("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    drop(editor);
    let error = server.join().unwrap().unwrap_err().to_string();
    assert!(error.contains("without a `disconnect` request"), "{error}");
    let (mut editor, server) = Editor::launched(folder.path(), json!({}));
    editor.done("continue", json!({ "threadId": 2 }));
    drop(editor);
    server.join().unwrap().unwrap_err();
}
