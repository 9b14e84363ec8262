//! Tests for faults and gaps of the VHDL original, FlexGripPlus; each test is named after the fault. They are fixed
//! here: on the circuits, at every lane count in lockstep with the model, the results equal the independently computed
//! results of each test.
//!
//! Floating point, accesses of 64 and 128 bits and local memory are tested elsewhere.

use crate::common::{launch, run, run_all, LANES};
use flexgrip_machine::{ErrorKind, ImageSpace, Launch, LaunchError, MemoryImage};
use flexgrip_sim::engines::engine::Engine;
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::trace::ending::Ending;

/// R0 is the thread in the block, R15 the block, R14 the byte address of the thread's word in global memory.
const HEAD: &str = "
        I2I.U32.U16 R15, g[6].U16
        I2I.U32.U16 R14, g[1].U16
        IMUL.U16.U16 R14, R15L, R14L
        IADD R14, R14, R0
        SHL R14, R14, 2
";

/// The distance in bytes between a thread's results, if it has more than one.
const NEXT: usize = 0x2000;

/// Runs blocks in which each thread gives one or more words (in R1, R2 and so on), and compares them with a function of
/// the block, the thread and the number of the word.
#[track_caller]
fn results(
    program: &str,
    [blocks, threads]: [u32; 2],
    words: usize,
    tail: &str,
    change: impl FnOnce(&mut Launch),
    expected: impl Fn(u32, u32, usize) -> u32,
) {
    assert!(4 * (blocks * threads) as usize <= NEXT);
    let mut stores = String::new();
    for word in 1..=words {
        stores += &format!("GST.U32 global14[R14], R{word}\nIADD32I R14, R14, {NEXT}\n");
    }
    let mut launch = launch(
        &format!("{HEAD}{program}\n{stores}RET\n{tail}"),
        blocks,
        threads,
        vec![],
    );
    change(&mut launch);
    run_all(&launch, |global, place| {
        for word in 0..words {
            for index in 0..blocks * threads {
                let (block, thread) = (index / threads, index % threads);
                let found = global[word * NEXT / 4 + index as usize];
                let expected = expected(block, thread, word);
                assert_eq!(
                    found,
                    expected,
                    "{place}, block {block}, thread {thread}, R{}: {found:#x}, not {expected:#x}",
                    word + 1
                );
            }
        }
    });
}

/// Like [`results`], for one block of 64 threads whose program ends after the given text.
#[track_caller]
fn check(program: &str, words: usize, expected: impl Fn(u32, usize) -> u32) {
    results(
        program,
        [1, 64],
        words,
        "",
        |_| (),
        |_, thread, word| expected(thread, word),
    );
}

// ---- Control ----

#[test]
fn trap_hangs() {
    let wild = launch("NOP\nTRAP\nRET\n", 1, 32, vec![]);
    for lanes in LANES {
        let Ending::Failed(error) = run(&wild, lanes).0.ending else {
            panic!("{lanes} lanes: no error");
        };
        assert_eq!((error.kind, error.pc), (ErrorKind::Trap, 8), "{lanes} lanes");
    }
}

#[test]
fn bar_hangs_after_a_warp_has_exited() {
    // Warps 1 and 3 exit at once. Then 0 and 2 meet at a barrier, and each reads the other's earlier store.
    let program = "
        SHR R3, R0, 5
        LOP32I.AND R3, R3, 1
        IADD.C0 o[0x7f], R3, R124
        BRA C0.EQ, stays
        RET
stays:  MVI R4, 200
again:  IADD32I R4, R4, -1
        ISET.C0 o[0x7f], R4, R124, NE
        BRA C0.NE, again
        SHL R5, R0, 2
        R2A A1, R5
        R2G.U32.U32 g[A1+8], R0
        BAR.ARV.WAIT b0, 0xfff
        LOP32I.XOR R5, R5, 0x100
        R2A A1, R5
        MOV R1, g[A1+8]
    ";
    let change = |launch: &mut Launch| launch.shared_bytes = 1024;
    results(program, [2, 128], 1, "", change, |_, thread, _| {
        if thread / 32 % 2 == 1 {
            0
        } else {
            thread ^ 64
        }
    });
}

#[test]
fn exit_markers_are_ignored() {
    // Threads below 9 end with a store that has the exit marker. The code after it is only for the others, which also
    // end with an exit marker. There is no RET.
    let program = format!(
        "{HEAD}
        MVI R1, 7
        MVI R2, 9
        ISET.C0 o[0x7f], R0, R2, GE
        BRA C0.NE, others
        GST.EXIT.U32 global14[R14], R1
others: MVI R1, 8
        GST.U32 global14[R14], R1
        IADD.EXIT R1, R1, R1
        GST.U32 global14[R14], R0
        TRAP"
    );
    run_all(&launch(&program, 1, 40, vec![]), |global, place| {
        for (thread, word) in global[..40].iter().enumerate() {
            assert_eq!(*word, if thread < 9 { 7 } else { 8 }, "{place}, thread {thread}");
        }
    });
}

#[test]
fn conditional_ret_in_a_divergent_region_loses_threads() {
    // Of the threads below 16, the odd ones exit inside the branch. The others must all reach the store.
    let program = "
        MVI R3, 16
        ISET.C0 o[0x7f], R0, R3, LT
        MVI R4, 1
        LOP.AND.C1 R5, R0, R4
        MVI R1, 1
        SSY join
        BRA C0.NE, below
        MVI R1, 2
        BRA join
below:  RET C1.NE
        MVI R1, 3
join:   NOP.S
    ";
    check(program, 1, |thread, _| match thread {
        0..16 if thread % 2 == 1 => 0,
        0..16 => 3,
        _ => 2,
    });
}

#[test]
fn cal_and_ret_use_a_stale_pc() {
    // The subroutine is called from three places, one of them a subroutine, without other instructions in between.
    let program = "
        MVI R1, 1
        CAL.NOINC two
        CAL.NOINC one
        IADD32I R1, R1, 100
        CAL.NOINC one
    ";
    let tail = "
one:    IADD R1, R1, R0
        RET
two:    CAL.NOINC one
        IADD32I R1, R1, 10
        RET
    ";
    results(program, [2, 96], 1, tail, |_| (), |_, thread, _| 111 + 3 * thread);
}

#[test]
fn divergence_stack_overflows_silently() {
    let wild = launch("here: SSY here\nBRA here\n", 1, 32, vec![]);
    for lanes in LANES {
        let (report, records) = run(&wild, lanes);
        let Ending::Failed(error) = report.ending else {
            panic!("{lanes} lanes: no error");
        };
        assert_eq!((error.kind, error.pc), (ErrorKind::StackOverflow, 0), "{lanes} lanes");
        let pushes = records
            .iter()
            .filter(|record| record.pc == 0 && !record.stack.is_empty());
        assert_eq!(pushes.count(), 32, "{lanes} lanes");
    }
}

// ---- Integers ----

#[test]
fn iadd_with_carry_reads_the_wrong_operand() {
    // A 64-bit sum: the low word is (t << 26) + 0xf000_0001, the high word 3 t + t; c is 5 t and must not be read.
    let program = "
        SHL R3, R0, 26
        MVI R4, 0xf0000001
        IADD.C1 R1, R3, R4
        MVI R5, 3
        IMUL.U16.U16 R5, R0L, R5L
        MVI R6, 5
        IMUL.U16.U16 R6, R0L, R6L
        IADD.CARRY1 R2, R5, R0
    ";
    check(program, 2, |thread, word| {
        let low = u64::from(thread << 26) + 0xf000_0001;
        let carry = (low >> 32) as u32;
        [low as u32, 4 * thread + carry][word]
    });
}

#[test]
fn iadd_never_sets_the_sign_flag() {
    // t - 20, and the same in 16 bits.
    let program = "
        IADD32I R3, R0, -20
        IADD.C0 R4, R3, R124
        C2R R1, C0
        MVI R5, 0
        IADD.U16.C2 R4L, R3L, R5L
        C2R R2, C2
    ";
    check(program, 2, |thread, _| {
        u32::from(thread == 20) | u32::from(thread < 20) << 1
    });
}

#[test]
fn imad_u24_multiplies_16_bits() {
    let program = "
        MVI R3, 0x12345
        IADD R3, R3, R0
        MVI R4, 0xff6789ab
        MVI R1, 1000
        IMAD.U24 R1, R3, R4, R1
    ";
    check(program, 1, |thread, _| {
        let product = u64::from(0x1_2345 + thread) * 0x67_89ab;
        (product as u32).wrapping_add(1000)
    });
}

#[test]
fn min_and_max_ignore_an_operand() {
    let program = "
        MVI R5, 30
        IMIN R1, R0, R5
        IMIN R2, R5, R0
        IMAX R3, R0, R5
        IADD32I R6, R0, -20
        IMAX.S32 R4, R6, R124
    ";
    check(program, 4, |thread, word| {
        [
            thread.min(30),
            thread.min(30),
            thread.max(30),
            thread.saturating_sub(20),
        ][word]
    });
}

#[test]
fn lop_pass_b_inverts_source_1() {
    let program = "
        MVI R3, 0x1234
        LOP.PASS_B R1, R3, R0
        LOP.PASS_B R2, R3, ~R0
    ";
    check(program, 2, |thread, word| [thread, !thread][word]);
}

// ---- Memories ----

#[test]
fn shared_operands_from_g_0x10_up_alias() {
    // Words 4 to 0x1f are parameters. Each is read as an operand of a weighted sum. So are half-words and bytes with
    // indices as high, and words at higher addresses through an address register.
    let parameter = |word: u32| 0x0203_0405 * word;
    let weight = |word: u32| 3 * word + 1;
    let mut program = "MVI R1, 0\n".to_string();
    for word in 4..0x20 {
        program += &format!(
            "MVI R3, {}\nMOV R4, g[{word:#x}]\nIMAD.U24 R1, R3, R4, R1\n",
            weight(word)
        );
    }
    program += "MOV R2, g[0x4]\nMOV R3, g[0x14]\nMOV R4, g[0x1f].U16\nMOV R5, g[0x1d].U8\nMOV R6, g[A1+0x1e]\n";
    let change = |launch: &mut Launch| launch.params = (4..0x20).map(parameter).collect();
    results(&program, [1, 32], 6, "", change, |_, _, result| {
        let sum = (4..0x20).fold(0, |sum: u32, word| {
            let product = u64::from(weight(word)) * u64::from(parameter(word) & 0xff_ffff);
            sum.wrapping_add(product as u32)
        });
        [
            sum,
            parameter(4),
            parameter(0x14),
            parameter(0xf) >> 16,
            parameter(7) >> 8 & 0xff,
            parameter(0x1e),
        ][result]
    });
}

#[test]
fn constant_bank_number_is_ignored() {
    let mut program = "MVI R1, 0\nMVI R5, 3\n".to_string();
    for bank in 0..16 {
        program += &format!("IADD R1, R1, c[{bank}][5]\nIMUL.U16.U16 R1, R1L, R5L\n");
    }
    program += "IADD R2, R0, c[1][5]\nMVC R3, c[15][5]\nSHL R4, R0, 2\nR2A A1, R4\nMVC R4, c[9][A1+0]\n";
    let change = |launch: &mut Launch| {
        launch.memory.extend((0..16).map(|bank| MemoryImage {
            space: ImageSpace::Constant { bank },
            address: 0,
            words: (0..64).map(|word| 100 * bank + word).collect(),
        }));
    };
    results(&program, [1, 64], 4, "", change, |_, thread, result| {
        let sum = (0..16).fold(0, |sum: u32, bank| (sum + 100 * bank + 5) % 0x1_0000 * 3);
        [sum, thread + 105, 1505, 900 + thread][result]
    });
}

#[test]
fn shared_memory_and_registers_keep_old_values() {
    // More blocks than slots. Each reads registers, condition codes, address registers and words of shared memory
    // before it writes them. All must be 0.
    let program = "
        SHL R3, R0, 2
        IADD R1, R5, R6
        C2R R4, C2
        IADD R1, R1, R4
        A2R R4, A3
        IADD R1, R1, R4
        R2A A1, R3
        MOV R2, g[A1+8]
        MVI R5, 0x5555
        MVI R6, 0x6666
        R2C C2, R5
        R2A A3, R6
        R2G.U32.U32 g[A1+8], R5
    ";
    let change = |launch: &mut Launch| launch.shared_bytes = 512;
    results(program, [30, 32], 2, "", change, |_, _, _| 0);
}

#[test]
fn register_rows_wrap_silently() {
    // A block of 32 warps with 17 registers exceeds the register file, so it is refused.
    let mut big = launch("RET\n", 1, 1024, vec![]);
    big.registers = 17;
    let refused = RtlEngine.run(&big, &crate::common::options(8), None);
    assert!(
        matches!(
            refused,
            Err(RunError::Launch(LaunchError::RegisterFile {
                needed: 17_408,
                available: 16_384
            }))
        ),
        "{refused:?}"
    );
    // The whole register file is in use. Registers that a thread does not have read as 0, and writes to them do not
    // affect other threads.
    let program = "
        IADD32I R2, R0, 5
        MOV R16, R0
        MVI R17, 0x7777
        MOV R127, R0
        BAR.ARV.WAIT b0, 0xfff
        IADD R1, R16, R17
        IADD R1, R1, R127
    ";
    results(
        program,
        [2, 1024],
        2,
        "",
        |_| (),
        |_, thread, word| [0, thread + 5][word],
    );
}

// ---- Blocks ----

#[test]
fn blocks_are_launched_in_waves() {
    // Block 0 counts for a long time, all others end soon. All of them must run while it does, although an SM has only
    // eight block slots.
    const BLOCKS: u32 = 40;
    let program = format!(
        "{HEAD}
        MVI R1, 1
        IADD.C0 o[0x7f], R15, R124
        BRA C0.NE, short
        MVI R1, 400
short:  IADD32I R1, R1, -1
        ISET.C0 o[0x7f], R1, R124, NE
        BRA C0.NE, short
        IADD32I R2, R15, 70
        GST.U32 global14[R14], R2
        RET"
    );
    let launch = launch(&program, BLOCKS, 32, vec![]);
    for lanes in LANES {
        let (report, records) = run(&launch, lanes);
        assert_eq!(report.ending, Ending::Complete, "{lanes} lanes");
        for block in 0..BLOCKS {
            assert_eq!(report.global[32 * block as usize], 70 + block, "{lanes} lanes");
        }
        let end = |block: u32| {
            let own = records.iter().filter(|record| record.block == block);
            own.filter_map(|record| record.issue_cycle).max().expect("a record")
        };
        let others = (1..BLOCKS).map(end).max().expect("a block");
        assert!(others < end(0), "{lanes} lanes: {others} cycles, block 0 {}", end(0));
    }
}
