//! Blocks on several threads: the same as sequentially, even where blocks depend on each other; then the reason is
//! reported.

mod common;

use common::{kernel, LIMIT};
use flexgrip_machine::{Configuration, ErrorKind, ImageSpace, Launch, MemoryImage};
use flexgrip_model::{InTurns, Machine, Outcome};
use std::num::NonZeroUsize;

/// One warp for each of 24 blocks. R1 is blockIdx.x, R2 is 4 times blockIdx.x, R3 is 4 times the thread.
fn blocks(body: &str) -> Launch {
    let text = format!(
        "I2I.U32.U16 R1, g[6].U16
         SHL R2, R1, 2
         I2I.U32.U16 R3, R0L
         SHL R3, R3, 2
         {body}
         RET"
    );
    Launch {
        grid: [6, 4],
        ..kernel(32, &text).launch
    }
}

/// Runs a launch both ways; returns its outcome, and the reason for sequential execution.
#[track_caller]
fn both(launch: &Launch) -> (Result<Outcome, ErrorKind>, Option<InTurns>) {
    let new = || Machine::new(launch.clone(), Default::default()).expect("a launch that fits");
    let mut in_turns = new();
    let expected = in_turns.run(LIMIT);
    let mut parallel = new();
    let result = parallel.run_parallel(LIMIT, NonZeroUsize::new(3).expect("some"));
    assert_eq!(result.map(|(outcome, _)| outcome), expected);
    assert_eq!(parallel.global(), in_turns.global());
    assert_eq!(parallel.outcome(), in_turns.outcome());
    assert_eq!(parallel.ended(), in_turns.ended());
    let reason = result.ok().and_then(|(_, reason)| reason);
    (expected.map_err(|error| error.kind), reason)
}

#[test]
fn blocks_with_separate_writes_run_in_parallel() {
    // Row blockIdx.y (half-word 7) of 1,024 bytes, in it 128 bytes for each blockIdx.x: each thread has its own word.
    let (outcome, reason) = both(&blocks(
        "I2I.U32.U16 R4, g[7].U16
         SHL R4, R4, 10
         SHL R5, R1, 7
         IADD R4, R4, R5
         IADD R4, R4, R3
         GLD.U32 R6, global14[R4]
         IADD R6, R6, R5
         GST.U32 global14[R4], R6",
    ));
    assert_eq!(reason, None);
    assert_eq!(outcome.expect("an end").blocks, 24);
}

#[test]
fn equal_writes_and_unwritten_reads_are_allowed() {
    let (_, reason) = both(&blocks(
        "MVI R4, 4096; MVI R5, 7; GLD.U32 R6, global14[R3]; GST.U32 global14[R4], R5",
    ));
    assert_eq!(reason, None);
    // Half of a word; the other half stays the same.
    let (_, reason) = both(&blocks("MVI R4, 4098; MVI R5, 7; GST.U16 global14[R4], R5"));
    assert_eq!(reason, None);
}

/// Tests accesses of all sizes, in rows and scattered, across the ends of lines (256 bytes) and pages (4,096 bytes),
/// the units of the check and of the threads' copies of memory. Each block has 1,088 bytes, in R5, so that many of them
/// share a line or a page.
#[test]
fn blocks_may_share_lines_and_pages() {
    let number = "I2I.U32.U16 R4, g[7].U16; SHL R5, R4, 2; SHL R4, R4, 1; IADD R5, R5, R4; IADD R5, R5, R1;
        SHL R4, R5, 6; SHL R5, R5, 10; IADD R5, R5, R4";
    let bodies = [
        // Rows of words, read where another page is written.
        "IADD R6, R5, R3; GLD.U32 R7, global14[R6]; IADD R7, R7, R5; GST.U32 global14[R6], R7;
         MVI R8, 512; IADD R6, R6, R8; GLD.U32 R8, global14[R6]; IADD R8, R8, R7; GST.U32 global14[R6], R8",
        // Eight and sixteen bytes a lane, read again.
        "SHL R6, R3, 1; IADD R6, R6, R5; GST.S64 global14[R6], R2; GLD.S64 R8, global14[R6]; GST.S64 global14[R6], R8",
        "SHL R6, R3, 2; IADD R6, R6, R5; GLD.S128 R8, global14[R6]; IADD R9, R9, R5; GST.S128 global14[R6], R8",
        // Bytes and half-words, 48 and 96 bytes from the block's beginning.
        "MVI R6, 48; IADD R6, R6, R5; SHR R7, R3, 2; IADD R6, R6, R7; GST.U8 global14[R6], R5; GLD.S8 R7, global14[R6];
         IADD R6, R6, R7; MVI R7, 0xffc; LOP.AND R6, R6, R7; GLD.U32 R7, global14[R5]; GST.U16 global14[R5], R7",
        // Every second lane reads words that no thread writes, from a separate page for each lane.
        "IADD R6, R5, R3; GST.U32 global14[R6], R5; MVI R7, 4; LOP.AND R7, R3, R7; ISET.S32.C0 o[0x7f], R7, R124, NE;
         SHL R7, R3, 8; MVI R8, 0x10000; IADD R7, R7, R8; MOV R6 (C0.NE), R7; GLD.U32 R8, global14[R6];
         IADD R6, R5, R3; GST.U32 global14[R6], R8",
        // Addresses are scattered over the block's range, or are the same in all lanes.
        "MVI R6, 0x55; LOP.XOR R6, R3, R6; SHL R6, R6, 2; MVI R7, 0x3fc; LOP.AND R6, R6, R7; IADD R6, R6, R5;
         GST.U32 global14[R6], R3; GST.U32 global14[R5], R3; GLD.U32 R7, global14[R5]; GST.U32 global14[R6], R7",
    ];
    for body in bodies {
        for block in [32, 20] {
            let mut launch = blocks(&format!("{number}; {body}"));
            launch.block = [block, 1, 1];
            launch.memory = vec![MemoryImage {
                space: ImageSpace::Global,
                address: 0,
                words: (0..0x8000u32).map(|word| word.wrapping_mul(0x9e37_79b9)).collect(),
            }];
            let (outcome, reason) = both(&launch);
            assert_eq!(reason, None, "{body}");
            assert_eq!(outcome.map(|outcome| outcome.blocks), Ok(24), "{body}");
        }
    }
}

/// Each thread has its own page, of 4,096 bytes, at the end of 64 MiB. Recording a page must not read all memory below
/// it, which took minutes.
#[test]
fn page_cost_is_independent_of_the_memory_size() {
    let launch = blocks(
        "I2I.U32.U16 R4, g[7].U16
         SHL R5, R4, 3
         IADD R5, R5, R1
         SHL R5, R5, 5
         I2I.U32.U16 R6, R0L
         IADD R5, R5, R6
         SHL R5, R5, 12
         MVI R6, 0x3c00000
         IADD R5, R5, R6
         GST.U32 global14[R5], R3",
    );
    let configuration = Configuration {
        global_bytes: 64 << 20,
        ..Configuration::default()
    };
    let mut machine = Machine::new(launch, configuration).expect("a launch that fits");
    let (outcome, reason) = machine
        .run_parallel(LIMIT, NonZeroUsize::new(3).expect("some"))
        .expect("an end");
    assert_eq!((outcome.blocks, reason), (24, None));
    let words: Vec<u32> = machine.global().words_from(0x3c0_0000 / 4).step_by(1024).collect();
    for row in 0..4 {
        for thread in 0..6 * 32 {
            assert_eq!(words[row * 8 * 32 + thread], 4 * (thread as u32 % 32));
        }
    }
}

#[test]
fn blocks_that_meet_run_in_turns() {
    let meet = [
        // All blocks write, each a different value.
        "MVI R4, 64; GST.U32 global14[R4], R1",
        // A counter.
        "MVI R4, 64; GLD.U32 R5, global14[R4]; IADD R5, R5, R1; GST.U32 global14[R4], R5",
        // A block reads a word that all write, even if with the same value.
        "MVI R4, 64; MVI R5, 3; GST.U32 global14[R4], R5; GLD.U32 R5, global14[R4]",
        // A block reads its neighbour's word.
        "GST.U32 global14[R2], R1; MVI R4, 4; IADD R4, R2, R4; GLD.U32 R5, global14[R4]; SHL R2, R2, 4; GST.U32 global14[R2], R5",
        // Bytes of one word.
        "GST.U8 global14[R1], R1",
    ];
    for body in meet {
        let (outcome, reason) = both(&blocks(body));
        assert!(matches!(reason, Some(InTurns::Shared { .. })), "{body}: {reason:?}");
        assert_eq!(outcome.expect("an end").blocks, 24);
    }
}

#[test]
fn clock_and_location_equal_a_run_in_turns() {
    for register in ["SR0", "SR1"] {
        let launch = blocks(&format!("S2R R4, {register}; GST.U32 global14[R2], R4"));
        assert!(
            matches!(both(&launch).1, Some(InTurns::Place { pc: 32 })),
            "{register}: {:?}",
            both(&launch).1
        );
    }
}

#[test]
fn unwritten_local_memory_keeps_the_previous_blocks_data() {
    let launch = |body: &str| Launch {
        local_bytes: 64,
        ..blocks(body)
    };
    let keep = "I2I.U32.U16 R4, g[7].U16; SHL R4, R4, 10; SHL R5, R1, 7; IADD R4, R4, R5; IADD R4, R4, R3";
    let own = format!("LST.U32 local[0x10], R1; LLD.U32 R6, local[0x10]; {keep}; GST.U32 global14[R4], R6");
    assert_eq!(both(&launch(&own)).1, None);
    let left = format!("LLD.U32 R6, local[0x10]; LST.U32 local[0x10], R1; {keep}; GST.U32 global14[R4], R6");
    assert_eq!(both(&launch(&left)).1, Some(InTurns::Local { address: 16 }));
}

#[test]
fn errors_occur_at_the_same_instruction() {
    let (outcome, _) = both(&blocks("MVI R4, 1; GST.U32 global14[R4], R1"));
    assert!(outcome.is_err());
    let (outcome, _) = both(&blocks("here: BRA here"));
    assert_eq!(outcome, Err(ErrorKind::Endless { limit: LIMIT }));
}

#[test]
fn started_machine_continues_in_turns() {
    let launch = blocks("MVI R4, 64; GST.U32 global14[R4], R1");
    let mut machine = Machine::new(launch, Default::default()).expect("a launch that fits");
    let begun = machine.run(20).expect_err("cut off");
    assert_eq!(begun.kind, ErrorKind::Endless { limit: 20 });
    let two = NonZeroUsize::new(2).expect("some");
    let (outcome, reason) = machine.run_parallel(LIMIT, two).expect("an end");
    assert_eq!((outcome.blocks, reason), (24, None));
}
