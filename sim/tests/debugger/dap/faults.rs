//! Tests of requests that are wrong, too early, or damaged at random.

use super::{framed, load, stencil, Editor};
use flexgrip_sim::debug::adapter::serve;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{json, Value};
use std::io::Write;

#[test]
fn early_and_wrong_requests_are_refused() {
    let (mut editor, server) = Editor::with_server();
    assert!(editor
        .refused("threads", json!({}))
        .contains("no kernel has been launched yet"));
    assert!(editor.refused("dance", json!({})).contains("unknown request `dance`"));
    assert!(editor
        .refused("launch", json!({ "kernel": "x" }))
        .contains("expected `initialize` before"));
    assert!(editor
        .refused("initialize", json!({ "pathFormat": "uri" }))
        .contains("format `uri`"));
    assert_eq!(editor.done("initialize", json!({}))["supportsStepBack"], true);
    assert!(editor.refused("initialize", json!({})).contains("already"));
    assert!(editor
        .refused("attach", json!({}))
        .contains("`attach` is not supported"));
    for (arguments, says) in [
        (json!({}), "`kernel` is missing"),
        (json!({ "kernel": "/nowhere" }), "/nowhere"),
        (json!({ "kernel": 5 }), "launch configuration"),
    ] {
        let error = editor.refused("launch", arguments);
        assert!(error.contains(says), "{error}");
    }
    // The server still works after all these requests.
    editor.done("launch", json!({ "kernel": stencil(), "stopOnEntry": true, "lane": 8 }));
    let note = editor.event("output")["output"].clone();
    assert!(note.as_str().unwrap().contains("did you mean `lanes`?"), "{note}");
    assert!(editor
        .refused("next", json!({ "threadId": 2 }))
        .contains("configurationDone"));
    editor.done("configurationDone", json!({}));
    assert!(editor.refused("configurationDone", json!({})).contains("already"));
    assert!(editor
        .refused("launch", json!({ "kernel": stencil() }))
        .contains("already"));
    assert!(editor
        .refused("goto", json!({ "threadId": 2 }))
        .contains("not supported"));
    for (command, arguments, says) in [
        ("next", json!({}), "missing field `threadId`"),
        ("next", json!({ "threadId": "two" }), "invalid type"),
        ("next", json!({ "threadId": 2, "granularity": "mile" }), "mile"),
        ("next", json!({ "threadId": 999_999 }), "is not resident"),
        ("next", json!({ "threadId": -3 }), "no thread -3"),
        ("stackTrace", json!({ "threadId": 0 }), "no thread 0"),
        ("scopes", json!({ "frameId": 77 }), "is not a valid reference"),
        ("variables", json!([1]), "variables: the arguments are not an object"),
        (
            "evaluate",
            json!({ "expression": "stpe", "context": "repl" }),
            "did you mean `step`?",
        ),
        ("evaluate", json!({ "expression": "" }), "expected a value"),
        ("setBreakpoints", json!({}), "missing field `source`"),
    ] {
        let error = editor.refused(command, arguments.clone());
        assert!(error.contains(says), "{command} {arguments}: {error}");
    }
    // Messages that are not requests are reported, and the next request is answered.
    for (body, says) in [
        ("{", "not JSON"),
        (r#"{"type":"response"}"#, "expected `request`"),
        (r#"{"type":"request"}"#, "no seq"),
    ] {
        editor.output.write_all(&framed(body)).unwrap();
        let text = editor.event("output")["output"].clone();
        assert!(text.as_str().unwrap().contains(says), "{text}");
        editor.done("threads", json!({}));
    }
    editor.output.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let text = editor.event("output")["output"].clone();
    assert!(
        text.as_str()
            .unwrap()
            .contains("does not speak the Debug Adapter Protocol"),
        "{text}"
    );
    assert!(server.join().unwrap().is_err());
}

/// Changes a random part of a message.
fn mutate(value: &mut Value, random: &mut ChaCha8Rng) {
    let scalars = [
        json!(null),
        json!(true),
        json!(-1),
        json!(2),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("0x0"),
        json!("global"),
        json!("R1[*]"),
        json!("\u{0}{é}\n"),
        json!([]),
        json!({}),
        json!([[{ "line": 3 }]]),
    ];
    match value {
        Value::Object(fields) if !fields.is_empty() && random.gen_bool(0.8) => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = names.choose(random).unwrap();
            match random.gen_range(0..8) {
                0 => drop(fields.remove(name)),
                1 => drop(fields.insert(name.to_uppercase(), json!(1))),
                _ => mutate(fields.get_mut(name).unwrap(), random),
            }
        }
        Value::Array(items) if !items.is_empty() && random.gen_bool(0.8) => {
            let at = random.gen_range(0..items.len());
            match random.gen_range(0..4) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => mutate(&mut items[at], random),
            }
        }
        value => *value = scalars.choose(random).unwrap().clone(),
    }
}

/// Each changed request has one response, and the server survives.
#[test]
fn mutated_requests_are_all_answered() {
    let (mut editor, server) = Editor::launched(&stencil(), json!({}));
    let source = json!({ "path": stencil().join("kernel.sass") });
    let seeds = [
        ("initialize", json!({ "adapterID": "x" })),
        ("launch", json!({ "kernel": "x" })),
        ("configurationDone", json!({})),
        ("continue", json!({ "threadId": 2 })),
        ("reverseContinue", json!({ "threadId": 2 })),
        ("next", json!({ "threadId": 2, "granularity": "line" })),
        ("stepIn", json!({ "threadId": 34, "granularity": "instruction" })),
        ("stepOut", json!({ "threadId": 2 })),
        ("stepBack", json!({ "threadId": 2 })),
        ("pause", json!({ "threadId": 2 })),
        ("restart", json!({})),
        ("threads", json!({})),
        ("stackTrace", json!({ "threadId": 2, "startFrame": 0, "levels": 5 })),
        ("scopes", json!({ "frameId": 1 })),
        (
            "variables",
            json!({ "variablesReference": 2, "start": 0, "count": 3, "filter": "named" }),
        ),
        (
            "setVariable",
            json!({ "variablesReference": 2, "name": "R1", "value": "3" }),
        ),
        (
            "evaluate",
            json!({ "expression": "registers", "context": "repl", "frameId": 1 }),
        ),
        (
            "evaluate",
            json!({ "expression": "global:0x100.f", "context": "hover" }),
        ),
        ("setExpression", json!({ "expression": "R1[3]", "value": "4" })),
        ("completions", json!({ "text": "st", "column": 3 })),
        ("exceptionInfo", json!({ "threadId": 2 })),
        (
            "setBreakpoints",
            json!({ "source": source, "breakpoints": [{ "line": 60, "condition": "R1 == 3" }] }),
        ),
        (
            "setInstructionBreakpoints",
            json!({ "breakpoints": [{ "instructionReference": "0x8", "offset": 0 }] }),
        ),
        (
            "setFunctionBreakpoints",
            json!({ "breakpoints": [{ "name": "bring", "condition": "R3[*] > 100" }] }),
        ),
        (
            "setDataBreakpoints",
            json!({ "breakpoints": [{ "dataId": "R5 of 0.1", "accessType": "write" }] }),
        ),
        (
            "setExceptionBreakpoints",
            json!({ "filters": ["barrier"], "filterOptions": [{ "filterId": "divergence" }] }),
        ),
        (
            "dataBreakpointInfo",
            json!({ "name": "R1", "variablesReference": 2, "bytes": 4, "asAddress": false }),
        ),
        (
            "breakpointLocations",
            json!({ "source": source, "line": 1, "endLine": 500 }),
        ),
        (
            "disassemble",
            json!({ "memoryReference": "0x10", "offset": 0, "instructionOffset": -5, "instructionCount": 20 }),
        ),
        (
            "readMemory",
            json!({ "memoryReference": "shared:0", "offset": 4, "count": 64 }),
        ),
        (
            "writeMemory",
            json!({ "memoryReference": "global", "offset": 4, "data": "AAAA" }),
        ),
        ("loadedSources", json!({})),
        ("dance", json!({})),
    ];
    let mut random = ChaCha8Rng::seed_from_u64(30);
    let (mut refused, rounds) = (0, 1500);
    for round in 0..rounds {
        let (command, arguments) = seeds.choose(&mut random).unwrap();
        let mut arguments = arguments.clone();
        for _ in 0..random.gen_range(0..3) {
            mutate(&mut arguments, &mut random);
        }
        let seq = editor.send(command, arguments.clone());
        let response = editor.response(seq);
        assert!(
            response["success"].is_boolean(),
            "round {round}: {command} {arguments}: {response}"
        );
        refused += u32::from(response["success"] == false);
    }
    assert!((200..rounds).contains(&refused), "{refused} of {rounds} are refused");
    // The envelope is also changed. Some messages are then not requests, and get no response.
    for _ in 0..300 {
        let mut message = json!({ "seq": 1, "type": "request", "command": "threads", "arguments": {} });
        mutate(&mut message, &mut random);
        editor.output.write_all(&framed(&message.to_string())).unwrap();
    }
    editor.seq = 1_000_000;
    let last = editor.send("threads", json!({}));
    while editor.receive()["request_seq"] != last {}
    editor.disconnect(server);
}

/// Bytes that are not a message end the server with an error, without a panic.
#[test]
fn mutated_bytes_never_cause_a_panic() {
    let mut random = ChaCha8Rng::seed_from_u64(31);
    let mut conversation = Vec::new();
    for (command, arguments) in [
        ("initialize", json!({})),
        ("launch", json!({ "kernel": stencil(), "stopOnEntry": true })),
        ("configurationDone", json!({})),
        ("threads", json!({})),
        ("disconnect", json!({})),
    ] {
        let message = json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments });
        conversation.extend(framed(&message.to_string()));
    }
    let mut ended = 0;
    for round in 0..60 {
        let mut bytes = conversation.clone();
        if round > 0 {
            for _ in 0..random.gen_range(1..4) {
                let at = random.gen_range(0..bytes.len());
                bytes[at] = random.gen();
            }
            bytes.truncate(random.gen_range(bytes.len() / 2..=bytes.len()));
        }
        let result = serve(std::io::Cursor::new(bytes), std::io::sink(), load);
        ended += u32::from(result.is_err());
        assert!(round > 0 || result.is_ok(), "an unchanged conversation succeeds");
    }
    assert!((20..60).contains(&ended), "{ended} of 60 ended badly");
}
