//! Branches that divide a warp, and where its threads reconverge.

use crate::running::*;
use crate::words::*;
use flexgrip_machine::{EntryKind, ErrorKind, Next};

/// Lanes below 4 take the branch to 0x30, the others fall through; both reconverge at 0x38.
fn two_ways(taken: u64, other: u64, joining: u64) -> Vec<u64> {
    vec![
        mvi(1, 4),                // 00
        test(0, 0, LT, 1),        // 08
        ssy(0x38),                // 10
        when(bra(0x30), 0, TRUE), // 18
        other,                    // 20
        bra(0x38),                // 28
        taken,                    // 30
        joining,                  // 38
        mvi(3, 7),                // 40
        ret(),                    // 48
    ]
}

#[test]
fn both_paths_run_and_reconverge() {
    let records = finished(&two_ways(mvi(2, 1), mvi(2, 2), join(nop())));
    assert_eq!(
        path(&records)[2..],
        [
            (0x10, ALL, ALL),
            (0x18, ALL, 0xf),
            (0x30, 0xf, 0xf),
            (0x38, 0xf, 0xf),
            (0x20, !0xf, !0xf),
            (0x28, !0xf, !0xf),
            (0x38, !0xf, !0xf),
            (0x40, ALL, ALL),
            (0x48, ALL, ALL),
        ]
    );
    assert_eq!(records[2].stack, [push(EntryKind::Join, ALL, 0x38)]);
    assert_eq!(records[3].stack, [push(EntryKind::Diverged, !0xf, 0x20)]);
    assert_eq!(
        records[3].next,
        Next {
            pc: Some(0x30),
            active: 0xf
        }
    );
    assert_eq!(records[5].stack, [pop(EntryKind::Diverged, !0xf, 0x20)]);
    assert_eq!(
        records[5].next,
        Next {
            pc: Some(0x20),
            active: !0xf
        }
    );
    assert_eq!(records[8].stack, [pop(EntryKind::Join, ALL, 0x38)]);
    assert_eq!(
        records[8].next,
        Next {
            pc: Some(0x40),
            active: ALL
        }
    );
    assert_eq!(records.last().unwrap().next, Next { pc: None, active: 0 });
}

#[test]
fn joining_instruction_runs_with_the_mask_before_pop() {
    let launch = launch(&two_ways(mvi(2, 1), mvi(2, 2), join(iadd(2, 2, 2))));
    assert_eq!(
        register_after(launch, 10, 2),
        by_lane(|lane| if lane < 4 { 2 } else { 4 })
    );
}

#[test]
fn uniform_branches_do_not_diverge() {
    // The codes are 0, neither S nor Z: condition NE holds and EQ does not.
    let records = finished(&[when(bra(0x10), 0, TRUE), mvi(1, 1), ret()]);
    assert_eq!(path(&records), [(0, ALL, ALL), (0x10, ALL, ALL)]);
    assert!(records.iter().all(|record| record.stack.is_empty()));
    let records = finished(&[when(bra(0x10), 0, FALSE), mvi(1, 1), ret()]);
    assert_eq!(path(&records), [(0, ALL, 0), (8, ALL, ALL), (0x10, ALL, ALL)]);
    assert!(records.iter().all(|record| record.stack.is_empty()));
}

#[test]
fn divergence_nests() {
    let records = finished(&[
        mvi(1, 8),                // 00
        mvi(2, 2),                // 08
        test(0, 0, LT, 1),        // 10
        test(1, 0, LT, 2),        // 18
        ssy(0x60),                // 20
        when(bra(0x38), 0, TRUE), // 28
        bra(0x60),                // 30
        ssy(0x58),                // 38
        when(bra(0x50), 1, TRUE), // 40
        bra(0x58),                // 48
        nop(),                    // 50
        join(nop()),              // 58
        join(nop()),              // 60
        ret(),                    // 68
    ]);
    assert_eq!(
        path(&records)[5..],
        [
            (0x28, ALL, 0xff),
            (0x38, 0xff, 0xff),
            (0x40, 0xff, 0x3),
            (0x50, 0x3, 0x3),
            (0x58, 0x3, 0x3),
            (0x48, 0xfc, 0xfc),
            (0x58, 0xfc, 0xfc),
            (0x60, 0xff, 0xff),
            (0x30, !0xff, !0xff),
            (0x60, !0xff, !0xff),
            (0x68, ALL, ALL),
        ]
    );
}

#[test]
fn return_on_one_path_keeps_the_other() {
    let records = finished(&two_ways(ret(), mvi(2, 2), join(nop())));
    assert_eq!(
        path(&records)[4..],
        [
            (0x30, 0xf, 0xf),
            (0x20, !0xf, !0xf),
            (0x28, !0xf, !0xf),
            (0x38, !0xf, !0xf),
            (0x40, !0xf, !0xf),
            (0x48, !0xf, !0xf)
        ]
    );
    assert_eq!(records[4].stack, [pop(EntryKind::Diverged, !0xf, 0x20)]);
    assert_eq!(
        records[4].next,
        Next {
            pc: Some(0x20),
            active: !0xf
        }
    );
    assert_eq!(records[7].stack, [pop(EntryKind::Join, ALL, 0x38)]);
}

#[test]
fn waiting_threads_resume_after_the_join() {
    let records = finished(&two_ways(mvi(2, 1), ret(), join(nop())));
    assert_eq!(
        path(&records)[4..],
        [
            (0x30, 0xf, 0xf),
            (0x38, 0xf, 0xf),
            (0x20, !0xf, !0xf),
            (0x40, 0xf, 0xf),
            (0x48, 0xf, 0xf)
        ]
    );
    assert_eq!(records[6].stack, [pop(EntryKind::Join, ALL, 0x38)]);
    assert_eq!(
        records[6].next,
        Next {
            pc: Some(0x40),
            active: 0xf
        }
    );
}

#[test]
fn entries_whose_threads_have_all_left_are_skipped() {
    // Both paths return: the join entry has no threads left, and the warp ends.
    let records = finished(&two_ways(ret(), ret(), join(nop())));
    assert_eq!(path(&records)[4..], [(0x30, 0xf, 0xf), (0x20, !0xf, !0xf)]);
    assert_eq!(records[5].stack, [pop(EntryKind::Join, ALL, 0x38)]);
    assert_eq!(records[5].next, Next { pc: None, active: 0 });
}

#[test]
fn a_conditional_return_takes_only_its_threads() {
    let records = finished(&[
        mvi(1, 4),
        test(0, 0, LT, 1),
        when(ret(), 0, TRUE),
        when(ret(), 0, TRUE),
        mvi(2, 1),
        ret(),
    ]);
    assert_eq!(
        path(&records)[2..],
        [
            (0x10, ALL, 0xf),
            (0x18, !0xf, 0),
            (0x20, !0xf, !0xf),
            (0x28, !0xf, !0xf)
        ]
    );
    assert!(records.iter().all(|record| record.stack.is_empty()));
}

#[test]
fn exit_marker_ends_active_threads_under_any_condition() {
    let records = finished(&[mvi(1, 4), test(0, 0, LT, 1), exit(when(iadd(2, 0, 0), 0, TRUE)), ret()]);
    assert_eq!(path(&records)[2..], [(0x10, ALL, 0xf)]);
    let write = records[2].destination.as_ref().expect("a write");
    assert_eq!(write.values, by_lane(|lane| if lane < 4 { 2 * lane } else { 0 }));
    assert_eq!(records[2].next, Next { pc: None, active: 0 });
    // On one path of a divergent branch, only that path ends.
    let records = finished(&two_ways(exit(when(nop(), 3, 0)), mvi(2, 2), join(nop())));
    assert_eq!(path(&records)[4..6], [(0x30, 0xf, 0xf), (0x20, !0xf, !0xf)]);
}

#[test]
fn join_on_an_empty_stack_restores_remaining_threads() {
    let records = finished(&[
        mvi(1, 4),                // 00
        mvi(2, 2),                // 08
        test(0, 0, LT, 1),        // 10
        test(1, 0, LT, 2),        // 18
        when(bra(0x28), 0, TRUE), // 20: no SSY
        when(ret(), 1, TRUE),     // 28
        join(nop()),              // 30
        join(nop()),              // 38
        ret(),                    // 40
    ]);
    assert_eq!(
        path(&records)[4..],
        [
            (0x20, ALL, 0xf),
            (0x28, 0xf, 0x3),
            (0x30, 0xc, 0xc),
            (0x28, !0xf, 0),
            (0x30, !0xf, !0xf),
            (0x38, !0x3, !0x3),
            (0x40, !0x3, !0x3),
        ]
    );
    assert_eq!(records[6].stack, [pop(EntryKind::Diverged, !0xf, 0x28)]);
    assert!(records[8].stack.is_empty());
}

#[test]
fn waiting_path_continues_when_the_other_exits() {
    // Without SSY only the other path is on the stack.
    let records = finished(&[
        mvi(1, 4),                // 00
        test(0, 0, LT, 1),        // 08
        when(bra(0x18), 0, TRUE), // 10: lanes 4.. wait at 18
        exit(nop()),              // 18
    ]);
    assert_eq!(
        path(&records)[2..],
        [(0x10, ALL, 0xf), (0x18, 0xf, 0xf), (0x18, !0xf, !0xf)]
    );
    assert_eq!(records[4].next.pc, None);
}

#[test]
fn the_condition_of_ssy_and_nop_is_ignored() {
    let records = finished(&[when(ssy(0x10), 0, 0), when(nop(), 0, 0), join(when(nop(), 0, 0)), ret()]);
    assert_eq!(path(&records)[..3], [(0, ALL, ALL), (8, ALL, ALL), (0x10, ALL, ALL)]);
    assert_eq!(records[0].stack, [push(EntryKind::Join, ALL, 0x10)]);
    assert_eq!(records[2].stack, [pop(EntryKind::Join, ALL, 0x10)]);
}

#[test]
fn the_thirty_third_push_stops_the_kernel() {
    let error = fails(launch(&[ssy(0), bra(0)]));
    assert_eq!(
        (error.kind, error.pc, error.word),
        (ErrorKind::StackOverflow, 0, ssy(0))
    );
    let (_, records, _) = run(launch(&[ssy(0), bra(0)]));
    assert_eq!(records.len(), 64);
}
