//! Barriers: the warps that must arrive, the warps that continue, and kernels that stop because all warps wait.

use crate::common::{kernel, ProgramLaunch, Run};
use crate::{eight, low};
use flexgrip_machine::{BarrierEffect, ErrorKind, StackOperation};
use flexgrip_model::Machine;

/// A block of `warps` warps, which branch to labels `w1`, `w2`... by warp number; warp 0 falls through.
#[track_caller]
fn warps(warps: u32, text: &str) -> ProgramLaunch {
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
fn barrier_for_all_waits_for_the_last_warp() {
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
    // This holds in any order of warps.
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
fn arriving_warp_continues_and_waiting_warp_waits() {
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
fn barrier_for_all_ignores_ended_warps() {
    // The warp ends before the others arrive, or after.
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
fn last_arrival_determines_if_barrier_is_for_all() {
    // Warp 0 arrives and exits: of the two warps left, one more arrival is enough, and the other warp then arrives
    // again.
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
fn warp_counts_once_with_any_number_of_threads() {
    let text = low(0, 4) + "RET C0.NE\n bar: BAR.ARV.WAIT b0, 0xfff\n on: RET";
    let run = kernel(40, &text).finish();
    let passes: Vec<_> = run.passes().into_iter().filter(|pass| pass.0 == "on").collect();
    assert_eq!(passes, [("on", 0xffff_fff0), ("on", 0xff)]);
    // A warp that executes the barrier on both sides of a branch arrives twice.
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
    // Now both wait. Stepping either gives the error of the lowest warp.
    let error = machine.clone().step_warp(0, 1).expect_err("deadlock");
    assert_eq!((error.kind, error.warp_in_block), (ErrorKind::BarrierDeadlock, 0));
    assert_eq!(error.pc, kernel.at("here"));
    assert_eq!(machine.clone().run(10), Err(error));
    assert_eq!(machine.step_warp(0, 0), Err(error));
    assert_eq!(machine.step_warp(1, 0), Err(error), "the grid has stopped");
}

#[test]
fn blocks_have_separate_barriers() {
    let mut kernel = kernel(64, "BAR.ARV.WAIT b0, 0xfff\n on: RET");
    kernel.launch.grid = [3, 2];
    let run = kernel.finish();
    assert_eq!(order(&run, "on").len(), 12);
    assert!(run
        .stack()
        .iter()
        .all(|operation| !matches!(operation, StackOperation::Push(_))));
}
