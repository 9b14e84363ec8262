//! Tests of variables, memories, the program and signals, and of changes to them.

use super::{line_of, named, stencil, Editor};
use serde_json::json;

#[test]
fn variables_are_shown_and_changed() {
    let (mut editor, server) = Editor::launched(&stencil(), json!({}));
    let threads = editor.done("threads", json!({}));
    let threads = threads["threads"].as_array().unwrap();
    assert!(
        threads.len() >= 4 && threads[0]["name"].as_str().unwrap().starts_with("warp 0.0 on SM 0"),
        "{threads:?}"
    );
    let thread = threads[0]["id"].clone();
    editor.go("next", &thread);
    let (lane, registers) = editor.scope(&thread, "Lane 0");
    assert_eq!(named(&registers, "R1")["value"], "0x00000000");
    let body = editor.done(
        "setVariable",
        json!({ "variablesReference": lane, "name": "R1", "value": "0x2a" }),
    );
    assert_eq!(body["value"], "0x0000002a");
    assert_eq!(editor.event("invalidated")["areas"], json!(["variables"]));
    let types = named(&registers, "R1")["variablesReference"].as_i64().unwrap();
    let body = editor.done(
        "setVariable",
        json!({ "variablesReference": types, "name": "float", "value": "1.5" }),
    );
    assert_eq!(body["value"], "1.5");
    assert_eq!(
        named(&editor.inside(types), "unsigned")["value"],
        0x3fc0_0000.to_string()
    );
    let (_, lanes) = editor.scope(&thread, "Lanes");
    let number = named(&lanes, "R1")["variablesReference"].as_i64().unwrap();
    let page = json!({ "variablesReference": number, "filter": "indexed", "start": 5, "count": 2 });
    let page = editor.done("variables", page);
    assert_eq!(page["variables"][0]["name"], "[5]");
    assert_eq!(
        (
            &page["variables"][1]["value"],
            page["variables"].as_array().unwrap().len()
        ),
        (&json!("0x00000006"), 2)
    );
    editor.done(
        "setVariable",
        json!({ "variablesReference": number, "name": "[7]", "value": "-1" }),
    );
    let frame = editor.frames(&thread)[0]["id"].clone();
    let value = |editor: &mut Editor, text: &str| {
        let body = editor.done(
            "evaluate",
            json!({ "expression": text, "context": "watch", "frameId": frame }),
        );
        body["result"].as_str().unwrap().to_string()
    };
    assert_eq!(value(&mut editor, "R1.s[7]"), "-1");
    assert_eq!(value(&mut editor, "R1.f"), "1.5");
    let body = editor.done(
        "setExpression",
        json!({ "expression": "R1[3]", "value": "17", "frameId": frame }),
    );
    assert_eq!(body["value"], "17 = 0x11");
    assert!(editor
        .refused("evaluate", json!({ "expression": "R1[40]" }))
        .contains("0 to 31"));
    // The lane is selected in the console, and the scopes change with it.
    editor.console("lane 7");
    assert_eq!(value(&mut editor, "R1.s"), "-1");
    let (_, registers) = editor.scope(&thread, "Lane 7");
    assert_eq!(named(&registers, "R1")["value"], "0xffffffff");
    let (codes, flags) = editor.scope(&thread, "Condition codes");
    assert_eq!(flags.len(), 4);
    editor.done(
        "setVariable",
        json!({ "variablesReference": codes, "name": "C2", "value": "1" }),
    );
    let (_, addresses) = editor.scope(&thread, "Address registers");
    assert_eq!((addresses.len(), &addresses[0]["value"]), (4, &json!("0x0000")));
    let (warp, state) = editor.scope(&thread, "Warp");
    assert_eq!(named(&state, "active")["value"], "all 32 lanes");
    assert!(editor
        .refused(
            "setVariable",
            json!({ "variablesReference": warp, "name": "pc", "value": "0" })
        )
        .contains("cannot be changed"));
    // References from before a step are invalid after it.
    editor.go("next", &thread);
    assert!(editor
        .refused("variables", json!({ "variablesReference": warp }))
        .contains("is not a valid reference"));
    assert!(editor
        .refused(
            "setVariable",
            json!({ "variablesReference": lane, "name": "R1", "value": "0" })
        )
        .contains("is not a valid reference"));
    let body = editor.done("completions", json!({ "text": "stop-at", "column": 8 }));
    assert_eq!(body["targets"].as_array().unwrap().len(), 2, "{body}");
    editor.disconnect(server);
}

#[test]
fn memories_and_program_are_read_by_reference() {
    let (mut editor, server) = Editor::launched(&stencil(), json!({}));
    let (_, memories) = editor.scope(&json!(2), "Memories");
    let references: Vec<&str> = memories
        .iter()
        .filter_map(|memory| memory["memoryReference"].as_str())
        .collect();
    assert!(
        references.starts_with(&["global", "shared:0"]) && references.contains(&"const:1"),
        "{references:?}"
    );
    for reference in &references {
        let body = editor.done("readMemory", json!({ "memoryReference": reference, "count": 4 }));
        assert_eq!(body["data"].as_str().unwrap().len(), 8, "{reference}: {body}");
    }
    let body = editor.done(
        "writeMemory",
        json!({ "memoryReference": "0x100", "offset": 4, "data": "AQIDBA==" }),
    );
    assert_eq!(body["bytesWritten"], 4);
    let body = editor.done(
        "readMemory",
        json!({ "memoryReference": "global@0x100", "offset": 4, "count": 4 }),
    );
    assert_eq!((&body["data"], &body["address"]), (&json!("AQIDBA=="), &json!("0x104")));
    let body = editor.done("evaluate", json!({ "expression": "global:0x104" }));
    assert_eq!(
        (&body["result"], &body["memoryReference"]),
        (&json!("67305985 = 0x4030201"), &json!("global@0x104"))
    );
    // A read beyond the end of a memory is truncated.
    let body = editor.done(
        "readMemory",
        json!({ "memoryReference": "global", "offset": (1 << 20) - 3, "count": 16 }),
    );
    assert_eq!(
        (body["data"].as_str().unwrap().len(), &body["unreadableBytes"]),
        (4, &json!(13))
    );
    let body = editor.done(
        "readMemory",
        json!({ "memoryReference": "global", "offset": -16, "count": 8 }),
    );
    assert_eq!(body["unreadableBytes"], 8);
    for (reference, data, says) in [
        ("global@0xfffff", "AQIDBA==", "1048576"),
        ("const:1", "AQ==", "constant memory"),
        ("shared:99", "AQ==", "99"),
        ("heap", "AQ==", "not a memory"),
        ("global", "A", "base64"),
    ] {
        let error = editor.refused("writeMemory", json!({ "memoryReference": reference, "data": data }));
        assert!(error.contains(says), "{error}");
    }
    let listing =
        json!({ "memoryReference": "0x0", "instructionOffset": -2, "instructionCount": 5, "resolveSymbols": true });
    let body = editor.done("disassemble", listing);
    let listed = body["instructions"].as_array().unwrap();
    let addresses: Vec<&str> = listed
        .iter()
        .map(|listed| listed["address"].as_str().unwrap())
        .collect();
    assert_eq!((addresses.len(), &addresses[..3]), (5, &["-16", "-8", "0x0"][..]));
    assert_eq!(listed[0]["presentationHint"], "invalid");
    assert_eq!(listed[2]["symbol"], "stencil_1d", "{body}");
    assert_eq!(listed[2]["line"], line_of(&stencil(), "I2I.U32.U16 R1, R0L"));
    assert!(listed[2]["instruction"].as_str().unwrap().contains("I2I"), "{body}");
    let error = editor.refused(
        "disassemble",
        json!({ "memoryReference": "0x0", "instructionCount": 1_u64 << 40 }),
    );
    assert!(error.contains("expected at most"), "{error}");
    // A breakpoint at one of these addresses.
    let at = json!({ "breakpoints": [
        { "instructionReference": addresses[3], "offset": 0 }, { "instructionReference": "0x2" }, { "instructionReference": "x" },
    ] });
    let body = editor.done("setInstructionBreakpoints", at);
    assert_eq!(
        (&body["breakpoints"][0]["verified"], &body["breakpoints"][1]["verified"]),
        (&json!(true), &json!(false))
    );
    assert!(
        body["breakpoints"][1]["message"]
            .as_str()
            .unwrap()
            .contains("the previous one is at 0x0"),
        "{body}"
    );
    let stop = editor.go("continue", &json!(2));
    assert_eq!(stop["reason"], "instruction breakpoint");
    assert_eq!(
        editor.frames(&stop["threadId"])[0]["instructionPointerReference"],
        addresses[3]
    );
    editor.disconnect(server);
}

#[test]
fn signals_of_the_circuits_form_a_tree() {
    let (mut editor, server) = Editor::launched(&stencil(), json!({ "engine": "rtl" }));
    let mut thread = json!(1);
    let shift = line_of(&stencil(), "SHL R2, R2, 7");
    let source = json!({ "path": stencil().join("kernel.sass") });
    editor.done(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": [{ "line": shift }] }),
    );
    let mut places = Vec::new();
    for round in 0..4 {
        if round == 2 {
            editor.go("stepBack", &thread);
            editor.done("restart", json!({}));
            assert_eq!(editor.stop()["reason"], "entry");
        }
        thread = editor.go("continue", &thread)["threadId"].clone();
        assert_eq!(editor.frames(&thread)[0]["line"], shift);
        places.push(editor.console("where"));
    }
    assert_eq!(places[..2], places[2..]);
    assert_ne!(places[0], places[1]);
    let (_, top) = editor.scope(&thread, "Signals");
    let (mut blocks, mut path) = (top, Vec::new());
    // Descends to a signal.
    let signal = loop {
        if let Some(signal) = blocks.iter().find(|block| block["variablesReference"] == 0) {
            break signal.clone();
        }
        path.push(blocks[0]["name"].as_str().unwrap().to_string());
        let number = blocks[0]["variablesReference"].as_i64().unwrap();
        blocks = editor.inside(number);
    };
    let name = signal["evaluateName"].as_str().unwrap();
    assert!(
        name.starts_with(&format!("{}.", path.join("."))) && path[0] == "top",
        "{name}"
    );
    let body = editor.done("evaluate", json!({ "expression": name, "context": "hover" }));
    assert_eq!(body["result"], signal["value"]);
    let back = editor.go("reverseContinue", &thread);
    assert_eq!(back["reason"], "breakpoint");
    assert_eq!(editor.console("where"), places[0]);
    editor.disconnect(server);
}
