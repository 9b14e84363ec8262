//! Tests of breakpoints of all kinds.

use super::{line_of, named, stencil, Editor};
use serde_json::json;

#[test]
fn source_breakpoints_stop_and_report_their_location() {
    let (mut editor, server) = Editor::launched(&stencil(), json!({}));
    let source = json!({ "path": stencil().join("kernel.sass") });
    let shift = line_of(&stencil(), "SHL R2, R2, 7");
    let body = editor.done(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": [
            { "line": shift }, { "line": 1 }, { "line": 9999 }, { "line": shift, "condition": "R5" },
            { "line": shift, "hitCondition": "3" }, { "line": shift, "condition": "of 2.1 if R1[0] == 32" },
            { "line": 0 },
        ] }),
    );
    let set = body["breakpoints"].as_array().unwrap();
    assert_eq!(
        (&set[0]["verified"], &set[0]["line"]),
        (&json!(true), &json!(shift)),
        "{body}"
    );
    let moved = line_of(&stencil(), "I2I.U32.U16 R1, R0L");
    assert_eq!(set[1]["line"], moved);
    assert_eq!(
        set[1]["message"],
        format!("line 1 has no instructions; moved to line {moved}")
    );
    for (index, says) in [
        (2, "nor does any later line"),
        (3, "VALUE == VALUE"),
        (4, "hit-count conditions"),
        (6, "no line 0"),
    ] {
        assert_eq!(set[index]["verified"], false, "{body}");
        assert!(set[index]["message"].as_str().unwrap().contains(says), "{body}");
    }
    assert_eq!(set[5]["verified"], true, "{body}");
    let only = json!({ "source": source, "breakpoints": [{ "line": shift }] });
    let set = editor.done("setBreakpoints", only)["breakpoints"].clone();
    let stop = editor.go("continue", &json!(1));
    assert_eq!(
        (&stop["reason"], &stop["hitBreakpointIds"]),
        (&json!("breakpoint"), &json!([set[0]["id"]])),
        "{stop}"
    );
    let frame = &editor.frames(&stop["threadId"])[0];
    assert_eq!(frame["line"], shift, "{frame}");
    assert_eq!(frame["source"]["path"], source["path"]);
    // Only the breakpoint with the condition is left.
    let all = json!({ "source": source, "breakpoints": [{ "line": shift, "condition": "of 2.1 if R1[0] == 32" }] });
    editor.done("setBreakpoints", all);
    let stop = editor.go("continue", &stop["threadId"]);
    assert!(stop["description"].as_str().unwrap().contains("warp 2.1"), "{stop}");
    // Breakpoints in other files are refused, and do not affect the existing ones.
    let other = json!({ "source": { "path": "/other.sass" }, "breakpoints": [{ "line": 3 }] });
    let body = editor.done("setBreakpoints", other);
    assert!(body["breakpoints"][0]["message"]
        .as_str()
        .unwrap()
        .contains("is not the program's source"));
    assert_eq!(editor.console("points").lines().count(), 1);
    let lines = json!({ "source": source, "line": 1, "endLine": shift });
    let body = editor.done("breakpointLocations", lines);
    assert_eq!(body["breakpoints"].as_array().unwrap().len() as i64, shift - moved + 1);
    editor.disconnect(server);
}

#[test]
fn data_breakpoints_and_filters_stop_after_the_event() {
    let (mut editor, server) = Editor::launched(&stencil(), json!({}));
    let (lane, _) = editor.scope(&json!(2), "Lane 0");
    let body = editor.done(
        "dataBreakpointInfo",
        json!({ "variablesReference": lane, "name": "R4" }),
    );
    assert_eq!(
        (&body["dataId"], &body["accessTypes"]),
        (&json!("R4 of 0.0"), &json!(["write"]))
    );
    let body = editor.done("dataBreakpointInfo", json!({ "name": "pc" }));
    assert!(
        body["dataId"].is_null() && body["description"].as_str().unwrap().contains("cannot be watched"),
        "{body}"
    );
    let body = editor.done(
        "dataBreakpointInfo",
        json!({ "name": "0x468", "asAddress": true, "bytes": 2 }),
    );
    let (bytes, accesses) = (body["dataId"].clone(), body["accessTypes"].as_array().unwrap().len());
    assert_eq!((&bytes, accesses), (&json!("global:0x468 +2"), 3));
    let points = json!({ "breakpoints": [
        { "dataId": "R4 of 0.0" }, { "dataId": bytes, "accessType": "write" }, { "dataId": "R4", "accessType": "read" },
    ] });
    let body = editor.done("setDataBreakpoints", points);
    let set = body["breakpoints"].as_array().unwrap();
    assert_eq!(
        (&set[0]["verified"], &set[1]["verified"], &set[2]["verified"]),
        (&json!(true), &json!(true), &json!(false))
    );
    let stop = editor.go("continue", &json!(2));
    assert_eq!(
        (&stop["reason"], &stop["hitBreakpointIds"]),
        (&json!("data breakpoint"), &json!([set[0]["id"]])),
        "{stop}"
    );
    assert!(stop["description"].as_str().unwrap().contains("IADD32I"), "{stop}");
    let filters = json!({ "filters": ["divergence", "error", "wind"], "filterOptions": [{ "filterId": "barrier", "condition": "of 1.0" }] });
    let body = editor.done("setExceptionBreakpoints", filters);
    let verified: Vec<_> = body["breakpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|set| &set["verified"])
        .collect();
    assert_eq!(verified, [true, true, false, true]);
    editor.done("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": bytes }] }));
    let stop = editor.go("continue", &json!(2));
    assert_eq!(
        (&stop["reason"], &stop["description"]),
        (&json!("exception"), &json!("Divergent branch")),
        "{stop}"
    );
    let body = editor.done("exceptionInfo", json!({ "threadId": stop["threadId"] }));
    assert_eq!(body["exceptionId"], "divergence");
    assert!(body["description"].as_str().unwrap().contains("BRA"), "{body}");
    let (_, state) = editor.scope(&stop["threadId"], "Warp");
    let stack = named(&state, "divergence stack")["variablesReference"]
        .as_i64()
        .unwrap();
    assert!(editor.inside(stack)[0]["value"].as_str().unwrap().contains("diverged"));
    editor.done(
        "setExceptionBreakpoints",
        json!({ "filters": [], "filterOptions": [{ "filterId": "barrier", "condition": "of 1.0" }] }),
    );
    let stop = editor.go("continue", &stop["threadId"]);
    assert_eq!(stop["description"], "Barrier", "{stop}");
    editor.done("setExceptionBreakpoints", json!({ "filters": [] }));
    assert!(editor.refused("exceptionInfo", json!({})).contains("threadId"));
    let stop = editor.go("continue", &stop["threadId"]);
    assert_eq!(stop["reason"], "data breakpoint", "{stop}");
    assert!(editor
        .refused("exceptionInfo", json!({ "threadId": 2 }))
        .contains("no exception here"));
    editor.disconnect(server);
}
