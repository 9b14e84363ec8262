//! Calls and returns: nested, recursive, inside of branches, by some of the threads.

use crate::common::{by_lane, pop, push};
use crate::{eight, low, odd};
use flexgrip_machine::{EntryKind, ErrorKind};

#[test]
fn call_returns_to_the_next_instruction() {
    for call in ["CAL", "CAL.NOINC"] {
        let run = eight(&format!("{call} sub\n back: NOP\n end: RET\n sub: NOP\n leave: RET")).finish();
        assert_eq!(
            run.passes(),
            [("sub", 0xff), ("leave", 0xff), ("back", 0xff), ("end", 0xff)]
        );
        assert_eq!(
            run.stack(),
            [push(EntryKind::Call, 0xff, 8), pop(EntryKind::Call, 0xff, 8)]
        );
        let line = run.records[0].to_string();
        assert!(line.ends_with(" push(call,000000ff,0008)"), "{line}");
    }
}

#[test]
fn calls_nest() {
    let run = eight(
        "CAL one
         a: CAL one
         b: RET
         one: CAL two
         c: CAL two
         d: RET
         two: CAL three
         e: RET
         three: RET",
    )
    .finish();
    let labels: Vec<_> = run.passes().into_iter().map(|(label, _)| label).collect();
    let one = ["one", "two", "three", "e", "c", "two", "three", "e", "d"];
    assert_eq!(labels, [&one[..], &["a"], &one[..], &["b"]].concat());
    assert!(run.passes().iter().all(|&(_, active)| active == 0xff));
}

#[test]
fn recursion_overflows_the_stack() {
    let run = eight("here: CAL here").run();
    assert_eq!(run.records.len(), 32);
    let error = run.result.expect_err("an overflow");
    assert_eq!((error.kind, error.pc), (ErrorKind::StackOverflow, 0));
    assert_eq!(
        eight("NOP\n here: PBK here\n BRA here").fails_at("here").0,
        ErrorKind::StackOverflow
    );
}

#[test]
fn finite_recursion_returns_thread_by_thread() {
    // Thread t calls t + 1 times; R3 counts the calls on the way in, R4 the returns.
    let run = eight(
        "MVI R1, 1; MVI R2, 0; MVI R3, 0; MVI R4, 0
         CAL sub
         back: RET
         sub: IADD R3, R3, R1
         ISET.C0 o[0x7f], R3, R0, GT
         RET C0.NE
         CAL sub
         IADD R4, R4, R1
         RET",
    )
    .finish();
    assert_eq!(run.passes().last(), Some(&("back", 0xff)));
    let of_eight = |value: fn(u32) -> u32| by_lane(|lane| if lane < 8 { value(lane) } else { 0 });
    assert_eq!(run.register(3), of_eight(|thread| thread + 1));
    assert_eq!(run.register(4), of_eight(|thread| thread));
}

#[test]
fn returning_threads_wait_for_the_other_callers() {
    let text = low(0, 2)
        + &low(1, 5)
        + "CAL sub
         back: NOP
         RET
         sub: RET C0.NE
         some: RET C1.NE
         none: RET C1.NE
         rest: RET";
    let run = eight(&text).finish();
    assert_eq!(
        run.passes(),
        [
            ("sub", 0xff),
            ("some", 0xfc),
            ("none", 0xe0),
            ("rest", 0xe0),
            ("back", 0xff)
        ]
    );
    assert_eq!(run.record("none").executed, 0);
    assert_eq!(run.record("some").stack, []);
}

#[test]
fn conditional_return_in_a_branch_loses_no_thread() {
    let text = low(0, 4)
        + &odd(1)
        + "CAL sub
         back: RET
         sub: SSY join
         BRA C0.NE, below
         above: RET C1.NE
         BRA join
         below: RET C1.NE
         join: NOP.S
         rest: NOP
         RET";
    let run = eight(&text).finish();
    assert_eq!(
        run.passes(),
        [
            ("sub", 0xff),
            ("below", 0x0f),
            ("join", 0x05),
            ("above", 0xf0),
            ("join", 0x50),
            ("rest", 0x55),
            ("back", 0xff)
        ]
    );
}

#[test]
fn whole_sides_of_a_branch_may_return() {
    // The first side returns: then the second, then after the join the second alone, then all threads after the call.
    let sides = |below: &str, above: &str| {
        let text = low(0, 4)
            + &format!(
                "CAL sub
                 back: RET
                 sub: SSY join
                 BRA C0.NE, below
                 above: {above}
                 BRA join
                 below: {below}
                 join: NOP.S
                 rest: RET"
            );
        let run = eight(&text).finish();
        let passes: Vec<_> = run.passes().into_iter().map(|(l, m)| (l.to_string(), m)).collect();
        let passes: Vec<_> = passes.iter().map(|(l, m)| format!("{l} {m:02x}")).collect();
        passes.join(", ")
    };
    assert_eq!(
        sides("RET", "NOP"),
        "sub ff, below 0f, above f0, join f0, rest f0, back ff"
    );
    assert_eq!(
        sides("NOP", "RET"),
        "sub ff, below 0f, join 0f, above f0, rest 0f, back ff"
    );
    assert_eq!(sides("RET", "RET"), "sub ff, below 0f, above f0, back ff");
    // Threads that exit do not come back.
    assert_eq!(sides("RET", "KIL"), "sub ff, below 0f, above f0, back 0f");
    assert_eq!(sides("KIL", "KIL"), "sub ff, below 0f, above f0");
    assert_eq!(
        sides("NOP", "KIL"),
        "sub ff, below 0f, join 0f, above f0, rest 0f, back 0f"
    );
}

#[test]
fn call_affects_only_the_threads_of_its_path() {
    let text = low(0, 4)
        + "SSY join
         BRA C0.NE, below
         above: NOP
         BRA join
         below: CAL sub
         back: NOP
         join: NOP.S
         end: RET
         sub: RET";
    let run = eight(&text).finish();
    assert_eq!(
        run.passes(),
        [
            ("below", 0x0f),
            ("sub", 0x0f),
            ("back", 0x0f),
            ("join", 0x0f),
            ("above", 0xf0),
            ("join", 0xf0),
            ("end", 0xff)
        ]
    );
}

#[test]
fn ret_exits_outside_calls_and_after_a_call() {
    let text = low(0, 4)
        + "CAL sub
         RET C0.NE
         on: NOP
         RET
         sub: RET";
    let run = eight(&text).finish();
    assert_eq!(run.passes(), [("sub", 0xff), ("on", 0xf0)]);
    assert_eq!(run.records.last().expect("a record").next.pc, None);
}

#[test]
fn join_at_a_call_or_break_entry_continues() {
    let run = eight("CAL sub\n back: RET\n sub: NOP.S\n rest: RET").finish();
    assert_eq!(run.passes(), [("sub", 0xff), ("rest", 0xff), ("back", 0xff)]);
    assert_eq!(run.record("sub").stack, []);
    let text = low(0, 4)
        + "PBK out
         BRK C0.NE
         here: NOP.S
         rest: BRK
         out: RET";
    let run = eight(&text).finish();
    assert_eq!(run.passes(), [("here", 0xf0), ("rest", 0xf0), ("out", 0xff)]);
    assert_eq!(run.record("here").stack, []);
    // A side whose threads have all exited is popped first.
    let text = low(0, 4)
        + "CAL sub
         back: RET
         sub: BRA C0.NE, below
         above: NOP.S
         rest: RET
         below: RET";
    let run = eight(&text).finish();
    assert_eq!(
        run.passes(),
        [
            ("sub", 0xff),
            ("below", 0x0f),
            ("above", 0xf0),
            ("rest", 0xf0),
            ("back", 0xff)
        ]
    );
}
