//! Breaks out of loops, and a break without PBK.

use crate::common::{by_lane, pop, push};
use crate::{eight, low, odd};
use flexgrip_machine::{EntryKind, ErrorKind};

#[test]
fn threads_break_one_by_one_and_reconverge() {
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
fn threads_leave_a_loop_by_return_or_break() {
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
fn break_without_pbk_is_an_error() {
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
