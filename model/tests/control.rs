//! The rules of the machine's contract (`docs/machine.md`) for calls, breaks, exits and barriers, one by one.
//!
//! Most programs run with 8 threads, lanes 0 to 7. `low` sets a condition-code register for the threads below a number
//! (condition NE holds for them) and `odd` for the odd threads.

mod common;

use common::{by_lane, kernel, pop, push, Kernel, Run, LIMIT};
use flexgrip_machine::{BarrierEffect, EntryKind, ErrorKind, StackOperation};
use flexgrip_model::Machine;
use std::ops::ControlFlow;

/// NE holds on condition-code register `register` for threads below `limit`, EQ for the others.
fn low(register: u8, limit: u32) -> String {
    format!("MVI R15, {limit}; ISET.C{register} o[0x7f], R0, R15, LT\n")
}

/// NE holds for odd threads.
fn odd(register: u8) -> String {
    format!("MVI R15, 1; LOP.AND.C{register} o[0x7f], R0, R15\n")
}

#[track_caller]
fn eight(text: &str) -> Kernel {
    kernel(8, text)
}

// ---- Calls ----

#[test]
fn a_call_comes_back_behind_itself() {
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
fn recursion_that_ends_comes_back_thread_by_thread() {
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
fn threads_that_return_wait_for_the_others_of_their_call() {
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
fn a_conditional_return_inside_of_a_branch_inside_of_a_call_loses_nobody() {
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
fn a_call_on_one_side_of_a_branch_concerns_its_threads_alone() {
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
fn outside_of_calls_ret_exits_also_after_one() {
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
fn a_join_with_a_call_or_a_break_on_top_goes_on() {
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

// ---- Breaks ----

#[test]
fn threads_break_one_by_one_and_go_on_together() {
    let run = eight(
        "MVI R1, 1; MVI R2, 0
         PBK out
         loop: IADD R2, R2, R1
         ISET.C0 o[0x7f], R0, R2, LT
         BRK C0.NE
         BRA loop
         out: RET",
    )
    .finish();
    let mut wanted: Vec<_> = (0..8).map(|turn| ("loop", 0xff & 0xff << turn)).collect();
    wanted.push(("out", 0xff));
    assert_eq!(run.passes(), wanted);
    assert_eq!(run.register(2), by_lane(|lane| if lane < 8 { lane + 1 } else { 0 }));
    let out = run.kernel.at("out");
    assert_eq!(
        run.stack(),
        [push(EntryKind::Break, 0xff, out), pop(EntryKind::Break, 0xff, out)]
    );
    let pushed = run
        .records
        .iter()
        .find(|record| !record.stack.is_empty())
        .expect("a push");
    let line = pushed.to_string();
    assert!(line.ends_with(&format!(" push(break,000000ff,{out:04x})")), "{line}");
}

#[test]
fn a_break_leaves_branches_inside_of_the_loop() {
    let text = low(0, 4)
        + &odd(1)
        + "PBK out
         SSY join
         BRA C0.NE, below
         above: BRK C1.NE
         BRA join
         below: BRK
         join: NOP.S
         rest: BRK
         out: RET";
    let run = eight(&text).finish();
    assert_eq!(
        run.passes(),
        [
            ("below", 0x0f),
            ("above", 0xf0),
            ("join", 0x50),
            ("rest", 0x50),
            ("out", 0xff)
        ]
    );
}

#[test]
fn a_break_is_out_of_the_innermost_loop() {
    let text = low(0, 4)
        + &odd(1)
        + "PBK out
         BRK C0.NE
         PBK middle
         inner: BRK C1.NE
         NOP
         BRK
         middle: BRK
         out: RET";
    let run = eight(&text).finish();
    assert_eq!(run.passes(), [("inner", 0xf0), ("middle", 0xf0), ("out", 0xff)]);
}

#[test]
fn some_return_out_of_a_loop_that_others_break_out_of() {
    let text = |first: &str, second: &str| {
        low(0, 4)
            + &format!(
                "CAL sub
                 back: RET
                 sub: PBK out
                 {first}
                 on: {second}
                 out: NOP
                 RET"
            )
    };
    let run = eight(&text("RET C0.NE", "BRK")).finish();
    assert_eq!(
        run.passes(),
        [("sub", 0xff), ("on", 0xf0), ("out", 0xf0), ("back", 0xff)]
    );
    let run = eight(&text("BRK C0.NE", "RET")).finish();
    assert_eq!(
        run.passes(),
        [("sub", 0xff), ("on", 0xf0), ("out", 0x0f), ("back", 0xff)]
    );
    // No thread breaks: the entry is skipped.
    let run = eight(&text("RET C0.NE", "RET")).finish();
    assert_eq!(run.passes(), [("sub", 0xff), ("on", 0xf0), ("back", 0xff)]);
    let run = eight(&text("KIL C0.NE", "KIL")).finish();
    assert_eq!(run.passes(), [("sub", 0xff), ("on", 0xf0)]);
}

#[test]
fn a_break_without_pbk_is_an_error_when_the_path_ends() {
    assert_eq!(eight("NOP\n here: BRK").fails_at("here").0, ErrorKind::StackUnderflow);
    // The other threads continue first; the error is where the last of them exit.
    let text = low(0, 4) + "BRK C0.NE\n NOP\n here: RET";
    assert_eq!(eight(&text).fails_at("here").0, ErrorKind::StackUnderflow);
    // A caller's loop does not belong to the subroutine.
    let text = "PBK out\n CAL sub\n out: RET\n sub: BRK";
    assert_eq!(eight(text).fails_at("sub").0, ErrorKind::StackUnderflow);
    let text = low(0, 4) + "PBK out\n CAL sub\n out: RET\n sub: BRK C0.NE\n here: RET";
    assert_eq!(eight(&text).fails_at("here").0, ErrorKind::StackUnderflow);
    // No thread breaks: no error.
    let text = low(0, 0) + "BRK C0.NE\n RET";
    eight(&text).finish();
}

// ---- Exits and errors ----

#[test]
fn kil_exits_the_threads_of_its_condition() {
    let text = low(0, 4) + "KIL C0.NE\n on: NOP\n KIL\n never: NOP";
    let run = eight(&text).finish();
    assert_eq!(run.passes(), [("on", 0xf0)]);
    // No thread exits: the warp continues.
    let text = low(0, 0) + "KIL C0.NE\n on: RET";
    assert_eq!(eight(&text).finish().passes(), [("on", 0xff)]);
}

#[test]
fn exits_inside_of_a_call_inside_of_a_branch_are_for_good() {
    for leaving in ["KIL", "NOP.EXIT", "IADD.EXIT R1 (C2.FALSE), R1, R1"] {
        let text = low(0, 4)
            + &odd(1)
            + &format!(
                "SSY join
                 BRA C0.NE, below
                 above: NOP
                 BRA join
                 below: CAL sub
                 back: NOP
                 join: NOP.S
                 end: RET
                 sub: RET C1.NE
                 leave: {leaving}"
            );
        let run = eight(&text).finish();
        assert_eq!(
            run.passes(),
            [
                ("below", 0x0f),
                ("sub", 0x0f),
                ("leave", 0x05),
                ("back", 0x0a),
                ("join", 0x0a),
                ("above", 0xf0),
                ("join", 0xf0),
                ("end", 0xfa)
            ]
        );
    }
}

#[test]
fn an_exit_marker_may_end_a_path_with_a_broken_thread() {
    let text = low(0, 4) + "PBK out\n BRK C0.NE\n NOP.EXIT\n out: RET";
    let run = eight(&text).finish();
    assert_eq!(run.passes(), [("out", 0x0f)]);
    let text = low(0, 4) + "BRK C0.NE\n here: NOP.EXIT";
    assert_eq!(eight(&text).fails_at("here").0, ErrorKind::StackUnderflow);
}

#[test]
fn traps_and_breakpoints_stop_the_kernel() {
    // TRAP's word holds condition 0, never.
    for (text, kind, code) in [
        ("TRAP", ErrorKind::Trap, 10),
        ("TRAP32", ErrorKind::Trap, 10),
        ("BPT", ErrorKind::Breakpoint, 11),
        ("BPT C0.NE", ErrorKind::Breakpoint, 11),
        ("BPT32", ErrorKind::Breakpoint, 11),
    ] {
        let text = low(0, 1) + &format!("here: {text}");
        let run = eight(&text).run();
        let error = run.result.expect_err("an error");
        assert_eq!((error.kind, kind.code()), (kind, Some(code)));
        assert_eq!(error.pc, run.kernel.at("here"));
        assert_eq!(run.records.len(), 2);
    }
    let text = low(0, 0) + "BPT C0.NE\n on: RET";
    assert_eq!(eight(&text).finish().passes(), [("on", 0xff)]);
    let error = eight("BPT32").run().result.expect_err("an error");
    assert_eq!(
        error.to_string(),
        "breakpoint at PC 0x0000 (SM 0, block 0, warp 0): b0000002 BPT32"
    );
}

#[test]
fn pmtrig_does_nothing_but_for_its_marker() {
    let text = low(0, 4)
        + "SSY join
         BRA C0.NE, join
         above: PMTRIG 7
         join: PMTRIG.S 3
         end: RET";
    let run = eight(&text).finish();
    assert_eq!(
        run.passes(),
        [("join", 0x0f), ("above", 0xf0), ("join", 0xf0), ("end", 0xff)]
    );
    let record = run.record("above");
    assert_eq!((record.executed, &record.destination, &record.cc), (0xf0, &None, &None));
}

#[test]
fn conditions_of_calls_breaks_and_barriers_are_ignored() {
    // Their words encode condition 0, never.
    for text in ["CAL on", "PBK on", "BAR.ARV.WAIT b0, 0xfff"] {
        let run = eight(&format!("here: {text}\n on: NOP")).run();
        let record = run.record("here");
        assert_eq!((record.word >> 39 & 0x1f, record.executed), (0, 0xff), "{text}");
    }
}

#[test]
fn what_is_not_executed_is_illegal() {
    for text in ["S2R R1, SR3", "S2R R1, SR8", "TXQ R2, X, R2, 0x0, 0x0"] {
        let kernel = eight(&format!("here: {text}"));
        assert_eq!(kernel.fails_at("here").0, ErrorKind::IllegalInstruction, "{text}");
    }
}

// ---- Barriers ----

/// A block of `warps` warps, which branch to labels `w1`, `w2`... by warp number; warp 0 falls through.
#[track_caller]
fn warps(warps: u32, text: &str) -> Kernel {
    let mut branches = String::from("SHR R1, R0, 5\n");
    for warp in 1..warps {
        branches += &format!("MVI R2, {warp}; ISET.C0 o[0x7f], R1, R2, EQ; BRA C0.NE, w{warp}\n");
    }
    kernel(32 * warps, &(branches + text))
}

/// The position of each warp's visit to a label among all visits.
fn order(run: &Run, label: &str) -> Vec<usize> {
    let visits = run.warps();
    (0..visits.len()).filter(|&i| visits[i].0 == label).collect()
}

fn effect(barrier: u8, arrives: bool, waits: bool) -> Option<BarrierEffect> {
    Some(BarrierEffect {
        barrier,
        arrives,
        waits,
    })
}

#[test]
fn a_barrier_for_all_lets_nobody_pass_before_the_last() {
    // Warp w runs 4 w loop iterations before the barrier; twice, so that the barrier must be reset for the second time.
    let kernel = kernel(
        96,
        "SHR R1, R0, 5; SHL R1, R1, 2; MVI R3, 0xffffffff; MVI R4, 2; MVI R5, 0
         again: IADD R2, R1, R4
         before: IADD R2, R2, R3
         ISET.C0 o[0x7f], R2, R5, GT
         BRA C0.NE, before
         bar: BAR.ARV.WAIT b5, 0xfff
         after: IADD.C1 R4, R4, R3
         BRA C1.NE, again
         RET",
    );
    let run = kernel.clone().finish();
    assert_eq!(order(&run, "bar").len(), 6);
    for half in [0..3, 3..6] {
        let last = order(&run, "bar")[half.clone()].iter().max().copied();
        let first = order(&run, "after")[half].iter().min().copied();
        assert!(last < first, "{:?}", run.warps());
    }
    let bars: Vec<_> = run.records.iter().filter_map(|record| record.barrier).collect();
    assert_eq!(bars.len(), 6);
    assert!(bars.iter().all(|bar| bar.barrier == 5 && bar.arrives && bar.waits));
    let line = run.record("bar").to_string();
    assert!(line.ends_with(" barrier(5,arrives,waits)"), "{line}");
    // In any order of warps.
    let mut machine = kernel.machine();
    machine.step_warp(0, 0).unwrap_or_else(|error| panic!("{error}"));
    for warp in [2, 0, 1, 2, 1, 0, 1, 2] {
        while machine.block(0).is_some_and(|block| block.warps[warp].can_run()) {
            machine
                .step_warp(0, warp as u32)
                .unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert!(machine.ended());
    assert_eq!(machine.outcome(), run.machine.outcome());
}

#[test]
fn a_number_of_threads_counts_in_warps() {
    // 33 to 64 threads are two warps: 0 and 2 meet; warp 1 takes no part.
    for threads in [33, 64] {
        let run = warps(
            3,
            &format!(
                "bar: BAR.ARV.WAIT b1, {threads}
                 after: RET
                 w1: RET
                 w2: NOP; NOP; NOP; NOP
                 late: BAR.ARV.WAIT b1, {threads}
                 RET"
            ),
        )
        .finish();
        let at = |label| order(&run, label)[0];
        assert!(at("w1") < at("late") && at("late") < at("after"), "{:?}", run.warps());
        assert_eq!(run.record("bar").barrier, effect(1, true, true));
        assert_eq!(run.record("late").barrier, effect(1, true, true));
    }
    // One warp is enough for up to 32 threads, and none is needed for 0.
    for threads in [0, 1, 32] {
        let run = kernel(32, &format!("bar: BAR.ARV.WAIT b0, {threads}\n RET")).finish();
        assert_eq!(run.record("bar").barrier, effect(0, true, true));
    }
}

#[test]
fn who_only_arrives_goes_on_and_who_waits_waits() {
    // Warp 0 produces without waiting, warp 1 consumes.
    let run = warps(
        2,
        "NOP; NOP; NOP; NOP; NOP
         arrive: BAR.ARV b2, 64
         on: RET
         w1: BAR.ARV.WAIT b2, 64
         after: RET",
    )
    .finish();
    assert_eq!(run.warps(), [("w1", 1), ("arrive", 0), ("after", 1), ("on", 0)]);
    assert_eq!(run.record("arrive").barrier, effect(2, true, false));
    // The reverse: the arrival is remembered.
    let run = warps(
        2,
        "arrive: BAR.ARV b2, 64
         on: RET
         w1: NOP; NOP; NOP; NOP; NOP
         bar: BAR.ARV.WAIT b2, 64
         after: RET",
    )
    .finish();
    assert_eq!(run.record("bar").barrier, effect(2, true, true));
}

#[test]
fn who_waits_without_arriving_is_not_counted() {
    let run = warps(
        3,
        "wait: BAR.WAIT b3, 64
         after: RET
         w1: NOP; NOP; NOP
         first: BAR.ARV b3, 64
         RET
         w2: NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP
         second: BAR.ARV b3, 64
         RET",
    )
    .finish();
    let at = |label| order(&run, label)[0];
    assert!(
        at("wait") < at("first") && at("second") < at("after"),
        "{:?}",
        run.warps()
    );
    assert_eq!(run.record("wait").barrier, effect(3, false, true));
    // Neither ARV nor WAIT: no effect.
    let run = kernel(32, "bar: BAR b0, 64\n RET").finish();
    assert_eq!(run.record("bar").barrier, None);
}

#[test]
fn barriers_are_apart() {
    // Warps 0 and 1 meet at b14, warps 2 and 3 at b15, and then all at b0.
    let run = warps(
        4,
        "BAR.ARV.WAIT b14, 64
         a: BRA meet
         w1: NOP; NOP; NOP; NOP
         BAR.ARV.WAIT b14, 64
         BRA meet
         w2: BAR.ARV.WAIT b15, 64
         b: BRA meet
         w3: NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP
         late: BAR.ARV.WAIT b15, 64
         meet: BAR.ARV.WAIT b0, 0xfff
         end: RET",
    )
    .finish();
    let at = |label| order(&run, label)[0];
    assert!(at("a") < at("late") && at("late") < at("b"), "{:?}", run.warps());
    assert!(order(&run, "meet").last() < order(&run, "end").first());
    assert_eq!(order(&run, "end").len(), 4);
}

#[test]
fn a_warp_that_ends_is_not_waited_for_by_a_barrier_for_all() {
    // Before the others arrive, and after.
    for turns in ["", "NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP"] {
        for leaving in ["RET", "NOP.EXIT", "KIL"] {
            let text = format!(
                "first: BAR.ARV.WAIT b0, 0xfff
                 after: RET
                 w1: {turns}
                 leave: {leaving}
                 w2: BAR.ARV.WAIT b0, 0xfff
                 RET"
            );
            let run = warps(3, &text).finish();
            if !turns.is_empty() {
                assert!(order(&run, "leave")[0] < order(&run, "after")[0], "{:?}", run.warps());
                assert_eq!(run.record("w2").barrier, effect(0, true, true));
            }
        }
    }
    // A warp still waits at a barrier for a number of threads.
    let error = warps(2, "here: BAR.ARV.WAIT b0, 64\n RET\n w1: RET").run().result;
    assert_eq!(error.expect_err("deadlock").kind, ErrorKind::BarrierDeadlock);
}

#[test]
fn the_last_arrival_says_whether_a_barrier_is_for_all() {
    // Warp 0 arrives and exits: of the two warps left, one more arrival is enough, and the other warp then arrives
    // anew.
    let text = |first: &str| {
        format!(
            "first: {first}
             RET
             w1: NOP; NOP; NOP; NOP
             second: BAR.ARV.WAIT b0, 0xfff
             on: RET
             w2: NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP
             third: BAR.ARV.WAIT b0, 0xfff
             RET"
        )
    };
    for first in ["BAR.ARV b0, 0xfff", "BAR.ARV b0, 96"] {
        let run = warps(3, &text(first)).finish();
        assert_eq!(run.record("second").barrier, effect(0, true, true), "{first}");
        let at = |label| order(&run, label)[0];
        assert!(at("on") < at("third"), "{:?}", run.warps());
        assert_eq!(run.record("third").barrier, effect(0, true, true), "{first}");
    }
    // The last arrival is from a BAR for a number of threads: a warp's exit does not release it.
    let run = warps(
        2,
        "BAR.ARV b0, 0xfff
         here: BAR.ARV.WAIT b0, 96
         RET
         w1: NOP; NOP; NOP; NOP; NOP; NOP
         RET",
    );
    assert_eq!(run.fails_at("here").0, ErrorKind::BarrierDeadlock);
}

#[test]
fn a_warp_counts_once_however_many_threads_it_brings() {
    let text = low(0, 4) + "RET C0.NE\n bar: BAR.ARV.WAIT b0, 0xfff\n on: RET";
    let run = kernel(40, &text).finish();
    let passes: Vec<_> = run.passes().into_iter().filter(|pass| pass.0 == "on").collect();
    assert_eq!(passes, [("on", 0xffff_fff0), ("on", 0xff)]);
    // On both sides of a branch the warp arrives twice.
    let text = low(0, 4)
        + "SSY join
         BRA C0.NE, join
         NOP
         join: BAR.ARV b0, 96
         NOP.S
         all: BAR.ARV.WAIT b0, 96
         RET";
    let run = eight(&text).finish();
    assert_eq!(run.passes(), [("join", 0x0f), ("join", 0xf0), ("all", 0xff)]);
    assert_eq!(run.record("join").barrier, effect(0, true, false));
    assert_eq!(run.record("all").barrier, effect(0, true, true));
}

#[test]
fn when_all_wait_the_kernel_stops() {
    let text = "here: BAR.ARV.WAIT b0, 96
                RET
                w1: NOP; NOP; NOP
                BAR.WAIT b1, 32
                RET
                w2: RET";
    let run = warps(3, text).run();
    let error = run.result.expect_err("deadlock");
    assert_eq!((error.kind.code(), error.warp_in_block), (Some(9), 0));
    assert_eq!(error.pc, run.kernel.at("here"));
    let shown = error.to_string();
    assert!(shown.starts_with("barrier deadlock at PC 0x"), "{shown}");
    assert!(shown.ends_with("BAR.ARV.WAIT b0, 0x60"), "{shown}");

    // The lowest warp may have exited, and another block without a deadlock does not help.
    let mut kernel = warps(2, "RET\n w1: BAR.WAIT b1, 32\n RET");
    kernel.launch.grid = [2, 1];
    let error = kernel.run().result.expect_err("deadlock");
    assert_eq!(
        (error.kind, error.block, error.warp_in_block),
        (ErrorKind::BarrierDeadlock, 0, 1)
    );
}

#[test]
fn a_warp_that_waits_is_not_stepped() {
    let kernel = warps(2, "here: BAR.ARV.WAIT b0, 64\n on: RET\n w1: BAR.WAIT b0, 64\n RET");
    let mut machine = kernel.machine();
    let step = |machine: &mut Machine, warp| machine.step_warp(0, warp).map_err(|error| error.kind);
    for _ in 0..5 {
        assert!(step(&mut machine, 0).is_ok());
    }
    // Warp 0 waits. The other can still arrive, so this is only the caller's error.
    assert_eq!(step(&mut machine, 0), Err(ErrorKind::NoSuchWarp));
    assert_eq!(machine.block(0).expect("running").barriers[0].arrivals(), 1);
    for _ in 0..5 {
        assert!(step(&mut machine, 1).is_ok());
    }
    // Now both wait; whichever is stepped, the error is that of the lowest.
    let error = machine.clone().step_warp(0, 1).expect_err("deadlock");
    assert_eq!((error.kind, error.warp_in_block), (ErrorKind::BarrierDeadlock, 0));
    assert_eq!(error.pc, kernel.at("here"));
    assert_eq!(machine.clone().run(10), Err(error));
    assert_eq!(machine.step_warp(0, 0), Err(error));
    assert_eq!(machine.step_warp(1, 0), Err(error), "the grid has stopped");
}

#[test]
fn blocks_have_barriers_of_their_own() {
    let mut kernel = kernel(64, "BAR.ARV.WAIT b0, 0xfff\n on: RET");
    kernel.launch.grid = [3, 2];
    let run = kernel.finish();
    assert_eq!(order(&run, "on").len(), 12);
    assert!(run
        .stack()
        .iter()
        .all(|operation| !matches!(operation, StackOperation::Push(_))));
}

#[test]
fn an_observer_that_says_break_ends_the_run() {
    // Without the observer it would never end: two warps that count their loop iterations in memory.
    let text = "
        SHL R1, R0, 2
        MVI R2, 0
        again: IADD32I R2, R2, 1
        GST.U32 global14[R1], R2
        BRA again
    ";
    let kernel = kernel(64, text);
    let (mut stopped, mut seen) = (kernel.machine(), Vec::new());
    let ended = stopped.run_while(LIMIT, |record| {
        seen.push(record.clone());
        if seen.len() == 100 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(ended, Ok(ControlFlow::Break(())));
    assert_eq!((seen.len(), stopped.outcome().warp_instructions), (100, 100));
    assert!(!stopped.ended());

    // It has done exactly what a run of the same number of instructions does.
    let mut limited = kernel.machine();
    let error = limited.run(100).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Endless { limit: 100 });
    assert!(stopped.global().words().eq(limited.global().words()));

    // An observer that never stops the run changes nothing.
    let mut whole = eight("MVI R1, 8\nRET\n").machine();
    let ended = whole.run_while(LIMIT, |_| ControlFlow::Continue(()));
    assert_eq!(ended, Ok(ControlFlow::Continue(whole.outcome())));
    assert!(whole.ended());
}
