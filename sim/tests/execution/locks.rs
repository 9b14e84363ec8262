//! Runs accesses to shared memory under a lock on the circuits in lockstep with the model, and on their Verilog.

use super::capability::{run_all, run_on};
use crate::common::{launch_at as launch, LANES};
use flexgrip_isa::Capability;
use flexgrip_machine::{ErrorKind, Launch};
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::trace::ending::Ending;

/// R1 is the thread's number in its block, R2 its address in global memory, in the block's 512 bytes.
const BEGIN: &str = "
    MOV.U16 R0H, g[6].U16
    I2I.U32.U16 R1, R0L
    I2I.U32.U16 R3, R0H
    SHL R3, R3, 9
    SHL R2, R1, 2
    IADD R2, R2, R3
";

/// The loop that adds R5 to the word at A1 + 0x40; R4 is the word before.
const ADD: &str = "
    SSY done
    try: G2R.LCK.C0 R4, g[A1+0x10]
    IADD R6 (C0.LT), R4, R5
    R2G.UNL.U32.U32 g[A1+0x10] (C0.LT), R6
    BRA C0.GEU, try
    done: NOP.S
";

fn kernel(program: &str, grid: u32, block: u32) -> Launch {
    launch(Capability::V1_2, &format!("{BEGIN}{program}"), grid, block, vec![])
}

/// Three warps at one word: each thread gets a different old value.
#[test]
fn lock_loop_serves_every_thread() {
    let program = format!("MVI R5, 1\nR2A A1, R124, 0\n{ADD}\nGST.U32 global14[R2], R4\nRET");
    run_all(&kernel(&program, 1, 96), &Ending::Complete, |global| {
        let mut old = global[..96].to_vec();
        old.sort_unstable();
        assert_eq!(old, (0..96).collect::<Vec<_>>());
    });
}

/// A histogram in each block: 16 words in different banks, and 16 in one bank.
#[test]
fn lock_loop_counts_in_many_banks() {
    for shift in [2, 6] {
        let program = format!(
            "IMUL.U16.U16 R7, R1L, R1L\nLOP32I.AND R7, R7, 0xf\nSHL R7, R7, {shift}\nR2A A1, R7, 0\nMVI R5, 1\n{ADD}
             BAR.ARV.WAIT b0, 0xfff
             SHL R7, R1, {shift}\nR2A A2, R7, 0\nMVI R8, 0\nMVI R9, 16\nISET.C1 o[0x7f], R1, R9, LT
             MOV R8 (C1.NE), g[A2+0x10]\nGST.U32 global14[R2], R8\nRET"
        );
        let launch = Launch {
            shared_bytes: 2048,
            ..kernel(&program, 3, 128)
        };
        run_all(&launch, &Ending::Complete, |global| {
            for block in global[..384].chunks(128) {
                for (word, count) in block.iter().enumerate() {
                    let want = (0..128).filter(|thread| thread * thread % 16 == word).count();
                    assert_eq!(*count as usize, if word < 16 { want } else { 0 }, "word {word}");
                }
            }
        });
    }
}

/// Only some threads of each warp take part, in both paths of a branch, at the same words.
#[test]
fn divergent_threads_share_locks() {
    let program = format!(
        "LOP32I.AND R7, R1, 0x4\nR2A A1, R7, 0\nMVI R8, 3\nLOP.AND R8, R1, R8\nMVI R9, 1
         SSY join\nISET.C1 o[0x7f], R8, R9, LE\nBRA C1.NE, low
         MVI R5, 0x100\n{ADD}\nBRA join
         low: MVI R5, 1\n{}
         join: NOP.S
         BAR.ARV.WAIT b0, 0xfff
         LOP32I.AND R7, R1, 0x4\nR2A A2, R7, 0\nMOV R8, g[A2+0x10]\nGST.U32 global14[R2], R8\nRET",
        ADD.replace("try", "again").replace("done", "end")
    );
    run_all(&kernel(&program, 1, 64), &Ending::Complete, |global| {
        // 64 threads: half at each word, and half of them on each path.
        assert!(global[..64].iter().all(|word| *word == 0x1010), "{:x?}", &global[..64]);
    });
}

/// The first warp takes a lock before all others try, and ends while they wait for it, by a return, a marker and KIL;
/// the last warp keeps its lock to the end of the block. The next blocks find all words free.
#[test]
fn end_of_warp_releases_its_lock() {
    for end in [
        "RET",
        "MOV.EXIT R7, R5",
        "KIL",
        "G2R.EXIT.LCK.C2 R7, g[A1+0x11]",
        "R2G.EXIT.U32.U32 g[A1+0x20], R5",
        "R2G.EXIT.UNL.U32.U32 g[A1+0x10], R5",
    ] {
        let program = format!(
            "MVI R5, 1\nR2A A1, R124, 0\nMVI R7, 32\nISET.C1 o[0x7f], R1, R7, LT\nBRA C1.EQ, others
             G2R.LCK.C0 R4, g[A1+0x10]
             BAR.ARV.WAIT b0, 0xfff
             MVI R8, 40
             wait: IADD32I R8, R8, -1\nISET.S32.C2 o[0x7f], R8, R124, GT\nBRA C2.NE, wait
             GST.U32 global14[R2], R8
             {end}\nRET
             others: BAR.ARV.WAIT b0, 0xfff
             {ADD}
             IADD32I R4, R4, 1
             GST.U32 global14[R2], R4
             G2R.LCK.C0 R4, g[A1+0x30]
             RET"
        );
        let launch = Launch {
            shared_bytes: 2048,
            ..kernel(&program, 6, 128)
        };
        run_all(&launch, &Ending::Complete, |global| {
            let first = u32::from(end.contains("UNL"));
            for block in global[..6 * 128].chunks(128) {
                let mut old = block[32..].to_vec();
                old.sort_unstable();
                assert_eq!(old, (1..97).map(|count| count + first).collect::<Vec<_>>(), "{end}");
            }
        });
    }
}

/// The lowest lane whose word is free gets the lock, but no lane of a warp that already holds one. Lanes without the
/// lock keep their register, written before or not, whole or half.
#[test]
fn lowest_lane_with_free_word_gets_lock() {
    let program = "
        SHL R7, R1, 2
        R2A A1, R7, 0                       // a word for each thread
        IADD32I R8, R1, 0x100
        R2G.U32.U32 g[A1+0x10], R8
        LOP32I.AND R7, R7, 0x7c
        R2A A2, R7, 0                       // the same words for both warps
        BAR.ARV.WAIT b0, 0xfff
        MVI R9, 32
        ISET.C1 o[0x7f], R1, R9, LT
        MVI R10, 5
        BRA C1.EQ, second
        G2R.LCK.C0 R10, g[A2+0x10]          // lane 0
        G2R.LCK.C2 R11, g[A2+0x11]          // none: the warp holds a lock
        BAR.ARV.WAIT b1, 0xfff
        BAR.ARV.WAIT b2, 0xfff
        BRA report
        second: BAR.ARV.WAIT b1, 0xfff
        MVI R12, 20
        ISET.C3 o[0x7f], R7, R12, LT        // the first five lanes
        G2R.LCK.C0 R10 (C3.NE), g[A2+0x10]  // lane 1
        R2G.UNL.U32.U32 g[A2+0x10] (C0.GEU), R124   // words of other lanes: the lock stays
        G2R.LCK.C2 R11, g[A2+0x10]          // none
        R2G.UNL.U32.U32 g[A2+0x10] (C0.LT), R124    // the lock of lane 1
        MVI R13, 0x77777
        G2R.LCK.U16.C2 R13L, g[A2+0x10]         // lane 1, a half
        R2G.UNL.U32.U32 g[A2+0x10], R10     // all words
        G2R.LCK.C3 o[0x7f], g[A2+0x10]      // lane 1, without a register
        BAR.ARV.WAIT b2, 0xfff
        report: C2R R14, C0
        C2R R15, C2
        SHL R15, R15, 8
        IADD R14, R14, R15
        C2R R15, C3
        SHL R15, R15, 16
        IADD R14, R14, R15
        GST.U32 global14[R2], R14
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R10
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R11
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R13
        RET
    ";
    run_all(&kernel(program, 1, 64), &Ending::Complete, |global| {
        for thread in 0..64 {
            let of = |row: usize| global[64 * row + thread];
            let first = thread < 32;
            let lane = thread % 32;
            let won = lane == usize::from(!first);
            assert_eq!(
                of(0) & 0xff,
                if won { 2 } else { u32::from(first || lane < 5) },
                "thread {thread}"
            );
            assert_eq!(
                of(0) >> 8 & 0xff,
                if !first && lane == 1 { 2 } else { 1 },
                "thread {thread}"
            );
            assert_eq!(
                of(1),
                if won {
                    0x100 + thread as u32 - if first { 0 } else { 32 }
                } else {
                    5
                }
            );
            assert_eq!(of(2), 0, "thread {thread}");
            if !first {
                assert_eq!(of(0) >> 16, if lane == 1 { 2 } else { 1 }, "thread {thread}");
                assert_eq!(of(3), if lane == 1 { 0x70000 } else { 0x77777 }, "thread {thread}");
            }
        }
    });
}

/// Every warp ends, even if more warps than the operand collector has entries try to lock all the time.
#[test]
fn waiting_warps_let_others_end() {
    let program = format!(
        "MVI R5, 1\nR2A A1, R124, 0\nSHR R7, R1, 5\nMVI R8, 24\nISET.C1 o[0x7f], R7, R8, LT\nBRA C1.EQ, others
         SHL R7, R7, 2\nR2A A2, R7, 0\nG2R.LCK.C0 R4, g[A2+0x10]     // 24 warps hold one of 24 words
         BAR.ARV.WAIT b0, 0xfff
         RET
         others: LOP32I.AND R7, R1, 0x1f\nSHL R7, R7, 2\nR2A A1, R7, 0\nBAR.ARV.WAIT b0, 0xfff
         {ADD}
         GST.U32 global14[R2], R4\nRET"
    );
    let launch = Launch {
        registers: 16,
        ..kernel(&program, 2, 1024)
    };
    for lanes in LANES {
        let (report, _) = run_on(&mut RtlEngine, &launch, lanes);
        assert_eq!(report.ending, Ending::Complete, "{lanes} lanes");
    }
}

/// Each executing lane's access is checked, whether or not it gets the lock.
#[test]
fn faulting_locks_end_the_kernel() {
    for (program, kind, address) in [
        (
            "IADD32I R3, R1, 0x40\nR2A A1, R3, 0\nG2R.LCK.C0 R4, g[A1+0x0]",
            ErrorKind::SharedMisaligned,
            0x41,
        ),
        (
            "SHL R3, R1, 8\nR2A A1, R3, 0\nG2R.LCK.C0 R4, g[A1+0x0]",
            ErrorKind::SharedRange,
            0x400,
        ),
        (
            "G2R.LCK.C0 R4, g[0x10]\nSHL R3, R1, 6\nR2A A1, R3, 0\nG2R.LCK.C0 R4, g[A1+0x0]",
            ErrorKind::SharedRange,
            0x400,
        ),
        (
            "SHL R3, R1, 6\nR2A A1, R3, 0\nR2G.UNL.U32.U32 g[A1+0x0], R4",
            ErrorKind::SharedRange,
            0x400,
        ),
    ] {
        let launch = kernel(&format!("{program}\nRET"), 1, 32);
        for lanes in LANES {
            let (report, _) = run_on(&mut RtlEngine, &launch, lanes);
            let Ending::Failed(error) = report.ending else {
                panic!("{program}: {:?}", report.ending)
            };
            assert_eq!(
                (error.kind, error.address),
                (kind, Some(address)),
                "{lanes} lanes: {program}"
            );
        }
    }
}

/// Post-increments move the address registers of all executing lanes.
#[test]
fn locks_increment_addresses_of_all_lanes() {
    let program = "
        SHL R7, R1, 2
        R2A A1, R7, 0
        G2R.LCK.C0 R4, g[A1+++0x10]
        R2G.UNL.U32.U32 g[A1+++0x10] (C0.GEU), R1
        A2R R8, A1
        GST.U32 global14[R2], R8
        RET
    ";
    run_all(&kernel(program, 1, 64), &Ending::Complete, |global| {
        for (thread, address) in global[..64].iter().enumerate() {
            // Lane 0 of the first warp holds the lock of its word; in the second warp the lowest lane does.
            let increments = if thread % 32 == 0 { 1 } else { 2 };
            assert_eq!(*address as usize, 4 * thread + 0x40 * increments, "thread {thread}");
        }
    });
}
