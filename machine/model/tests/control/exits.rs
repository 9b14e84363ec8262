//! Exits, traps and breakpoints; conditions that are ignored; and runs that their observer ends.

use crate::common::{kernel, LIMIT};
use crate::{eight, low, odd};
use flexgrip_machine::ErrorKind;
use std::ops::ControlFlow;

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
fn exits_inside_calls_are_permanent() {
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
fn exit_marker_may_end_a_partly_broken_path() {
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
fn pmtrig_has_no_effect_except_its_marker() {
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
    // The words of these instructions encode condition 0, never.
    for text in ["CAL on", "PBK on", "BAR.ARV.WAIT b0, 0xfff"] {
        let run = eight(&format!("here: {text}\n on: NOP")).run();
        let record = run.record("here");
        assert_eq!((record.word >> 39 & 0x1f, record.executed), (0, 0xff), "{text}");
    }
}

#[test]
fn unexecuted_instructions_are_illegal() {
    for text in ["S2R R1, SR3", "S2R R1, SR8", "TXQ R2, X, R2, 0x0, 0x0"] {
        let kernel = eight(&format!("here: {text}"));
        assert_eq!(kernel.fails_at("here").0, ErrorKind::IllegalInstruction, "{text}");
    }
}

#[test]
fn observer_can_end_the_run() {
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
    let ended = stopped.run_while(LIMIT, &mut |record| {
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
    let ended = whole.run_while(LIMIT, &mut |_| ControlFlow::Continue(()));
    assert_eq!(ended, Ok(ControlFlow::Continue(whole.outcome())));
    assert!(whole.ended());
}
