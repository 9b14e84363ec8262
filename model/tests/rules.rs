//! The rules of the machine's contract (`docs/machine.md`), one by one, on short programs.
//!
//! The words are assembled here from the field positions, so that these tests do not depend on the assembler.

use flexgrip_machine::{
    Configuration, Entry, EntryKind, ErrorKind, KernelError, Launch, MemoryEffect, MemorySpace, Next, Part, Placement,
    Retire, StackOperation,
};
use flexgrip_model::Machine;

// ---- Instruction words: long ones unless the name says otherwise, always executed, no marker. ----

/// Condition 15, always.
const ALWAYS: u64 = 0xf << 39;
const WIDE: u64 = 1 << 58;

/// The instruction, executed only where condition `code` holds on the condition-code register.
fn when(word: u64, register: u64, code: u64) -> u64 {
    word & !(0x7f << 39) | code << 39 | register << 44
}
/// Conditions after a set instruction.
const TRUE: u64 = 5;
const FALSE: u64 = 2;
fn exit(word: u64) -> u64 {
    word | 1 << 32
}
fn join(word: u64) -> u64 {
    word | 2 << 32
}
/// Also writes a condition-code register.
fn cc(word: u64, register: u64) -> u64 {
    word | 1 << 38 | register << 36
}
/// Changes the destination to o[0x7f].
fn discard(word: u64) -> u64 {
    word | 0x7f << 2 | 1 << 35
}
fn mvi(register: u64, value: u32) -> u64 {
    let value = u64::from(value);
    0x1000_8001 | register << 2 | (value & 0x3f) << 16 | 3 << 32 | (value >> 6) << 34
}
/// MVI.U16 into a half: `half` is twice the register number, plus 1 for the high half.
fn mvi_half(half: u64, value: u32) -> u64 {
    mvi(half, value) & !0x8000
}
fn iadd(d: u64, a: u64, c: u64) -> u64 {
    0x2000_0001 | d << 2 | a << 9 | c << 46 | ALWAYS | WIDE
}
fn iadd_carry(d: u64, a: u64, c: u64, register: u64) -> u64 {
    iadd(d, a, c) | 1 << 22 | 1 << 28 | register << 44
}
/// IADD.U16 of halves.
fn iadd_half(d: u64, a: u64, c: u64) -> u64 {
    iadd(d, a, c) & !WIDE
}
/// IADD32, short.
fn iadd_short(d: u64, a: u64, c: u64) -> u64 {
    0x2000_8000 | d << 2 | a << 9 | c << 16
}
const LT: u64 = 1;
const GE: u64 = 6;
/// Signed.
fn iset(d: u64, a: u64, compare: u64, b: u64) -> u64 {
    0x3000_0001 | d << 2 | a << 9 | b << 16 | compare << 46 | 3 << 61 | 1 << 59 | ALWAYS | WIDE
}
/// ISET into a condition-code register only.
fn test(register: u64, a: u64, compare: u64, b: u64) -> u64 {
    cc(discard(iset(0, a, compare, b)), register)
}
fn shl(d: u64, a: u64, count: u64) -> u64 {
    0x3000_0001 | d << 2 | a << 9 | count << 16 | 1 << 52 | 6 << 61 | ALWAYS | WIDE
}
fn shr(d: u64, a: u64, count: u64) -> u64 {
    shl(d, a, count) | 7 << 61
}
/// MOV from g[]: access 1 u16, 2 s16, 3 b32 (0 u8); the offset is in units of the access.
fn mov_shared(d: u64, offset: u64, access: u64) -> u64 {
    0x1000_0001 | d << 2 | offset << 9 | access << 14 | 0xf << 46 | 1 << 53 | ALWAYS | WIDE
}
/// R2A: the address register from a register.
fn r2a(address: u64, a: u64, shift: u64) -> u64 {
    0x0000_0001 | address << 2 | a << 9 | shift << 16 | 6 << 61 | ALWAYS
}
/// R2G.U32.U32; the offset is in words.
fn r2g(offset: u64, register: u64) -> u64 {
    0x0000_0001 | offset << 9 | register << 46 | 1 << 53 | 7 << 61 | ALWAYS | WIDE
}
fn gld(d: u64, a: u64) -> u64 {
    0xd00e_0001 | d << 2 | a << 9 | 6 << 53 | 4 << 61 | ALWAYS
}
fn gst(a: u64, d: u64) -> u64 {
    0xd00e_0001 | d << 2 | a << 9 | 6 << 53 | 5 << 61 | ALWAYS
}
fn bra(target: u64) -> u64 {
    0x1000_0003 | (target >> 2) << 11 | ALWAYS
}
fn ssy(target: u64) -> u64 {
    0xa000_0003 | (target >> 2) << 11
}
fn ret() -> u64 {
    0x3000_0003 | ALWAYS
}
fn nop() -> u64 {
    0xf000_0001 | 7 << 61
}

// ---- Running ----

fn program(words: &[u64]) -> Vec<u32> {
    words
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32])
        .collect()
}

fn launch(words: &[u64]) -> Launch {
    Launch {
        program: program(words),
        block: [32, 1, 1],
        registers: 16,
        ..Launch::default()
    }
}

fn machine(launch: Launch) -> Machine {
    Machine::new(launch, Configuration::default()).expect("a launch that fits")
}

/// Runs to the end or to an error, and returns the records too.
fn run(launch: Launch) -> (Machine, Vec<Retire>, Result<(), KernelError>) {
    let mut machine = machine(launch);
    let mut records = Vec::new();
    let result = machine.run_observed(10_000, |record| records.push(record.clone()));
    (machine, records, result.map(|_| ()))
}

fn finished(words: &[u64]) -> Vec<Retire> {
    let (_, records, result) = run(launch(words));
    result.unwrap_or_else(|error| panic!("{error}"));
    records
}

#[track_caller]
fn fails(launch: Launch) -> KernelError {
    run(launch).2.expect_err("an error")
}

/// PC, active mask and execution mask of each record.
fn path(records: &[Retire]) -> Vec<(u32, u32, u32)> {
    records
        .iter()
        .map(|record| (record.pc, record.active, record.executed))
        .collect()
}

/// Executes `count` instructions of warp 0 of block 0 and returns a register in all lanes.
#[track_caller]
fn register_after(launch: Launch, count: usize, register: usize) -> [u32; 32] {
    let mut machine = machine(launch);
    for _ in 0..count {
        machine.step_warp(0, 0).unwrap_or_else(|error| panic!("{error}"));
    }
    machine.block(0).expect("still running").warps[0].registers[register]
}

fn by_lane(value: impl Fn(u32) -> u32) -> [u32; 32] {
    std::array::from_fn(|lane| value(lane as u32))
}

const ALL: u32 = u32::MAX;

fn push(kind: EntryKind, mask: u32, pc: u32) -> StackOperation {
    StackOperation::Push(Entry { kind, mask, pc })
}

fn pop(kind: EntryKind, mask: u32, pc: u32) -> StackOperation {
    StackOperation::Pop(Entry { kind, mask, pc })
}

// ---- Divergence ----

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
fn both_ways_run_and_meet() {
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
fn the_joining_instruction_runs_with_the_mask_before_the_pop() {
    let launch = launch(&two_ways(mvi(2, 1), mvi(2, 2), join(iadd(2, 2, 2))));
    assert_eq!(
        register_after(launch, 10, 2),
        by_lane(|lane| if lane < 4 { 2 } else { 4 })
    );
}

#[test]
fn a_branch_that_all_or_none_take_does_not_diverge() {
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
fn returning_on_one_way_leaves_the_other() {
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
fn when_the_last_way_returns_the_waiting_threads_resume_behind_the_join() {
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
fn an_exit_marker_ends_the_active_threads_whatever_the_condition() {
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
fn joining_on_an_empty_stack_restores_the_threads_that_are_left() {
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
fn a_way_that_waits_goes_on_when_the_other_exits() {
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

// ---- Operands and results ----

#[test]
fn halves_leave_the_other_half_alone() {
    let words = [
        mvi(1, 0x1111_2222),
        mvi_half(3, 0xaaaa),
        mvi_half(2, 0xbbbb),
        iadd_half(2, 3, 2),
        ret(),
    ];
    assert_eq!(register_after(launch(&words), 2, 1), [0xaaaa_2222; 32]);
    assert_eq!(register_after(launch(&words), 3, 1), [0xaaaa_bbbb; 32]);
    assert_eq!(register_after(launch(&words), 4, 1), [0xaaaa_6665; 32]);
    let records = finished(&words);
    let write = records[3].destination.as_ref().expect("a write");
    assert_eq!((write.register, write.part, write.values), (1, Part::Low, [0x6665; 32]));
    assert_eq!(records[1].destination.as_ref().expect("a write").part, Part::High);
}

#[test]
fn only_executing_lanes_write() {
    let words = [
        mvi(1, 30),
        test(2, 0, GE, 1),
        mvi(2, 5),
        when(iadd(2, 0, 0), 2, TRUE),
        ret(),
    ];
    assert_eq!(
        register_after(launch(&words), 4, 2),
        by_lane(|lane| if lane < 30 { 5 } else { 2 * lane })
    );
    let records = finished(&words);
    assert_eq!(records[1].destination, None, "o[0x7f] discards");
    let codes = records[1].cc.as_ref().expect("a condition code");
    assert_eq!((codes.register, codes.values[29], codes.values[30]), (2, 1, 2));
    assert_eq!(records[3].executed, 0xc000_0000);
    assert_eq!(records[3].destination.as_ref().expect("a write").values[29], 0);
    // No lane is active: nothing is written or recorded.
    let records = finished(&[cc(when(iadd(2, 0, 0), 0, FALSE), 1), ret()]);
    assert_eq!(
        (records[0].executed, &records[0].destination, &records[0].cc),
        (0, &None, &None)
    );
}

#[test]
fn reads_come_before_writes() {
    assert_eq!(
        register_after(launch(&[iadd(0, 0, 0), ret()]), 1, 0),
        by_lane(|lane| 2 * lane)
    );
}

#[test]
fn short_instructions_are_four_bytes() {
    let pair = iadd_short(1, 0, 0) | iadd_short(2, 1, 1) << 32;
    let records = finished(&[pair, ret()]);
    assert_eq!(path(&records).iter().map(|step| step.0).collect::<Vec<_>>(), [0, 4, 8]);
    assert_eq!(records[1].word, iadd_short(2, 1, 1));
    assert_eq!(
        records[1].destination.as_ref().expect("a write").values,
        by_lane(|lane| 4 * lane)
    );
}

#[test]
fn registers_past_the_allocation_read_zero_and_drop_writes() {
    let launch = Launch {
        registers: 2,
        ..launch(&[mvi(2, 9), iadd(1, 2, 2), cc(iadd(124, 0, 0), 0), mvi(1, 1), ret()])
    };
    let (_, records, result) = run(launch);
    assert_eq!(result, Ok(()));
    assert_eq!(records[0].destination, None);
    assert_eq!(records[1].destination.as_ref().expect("a write").values, [0; 32]);
    assert_eq!(records[2].destination, None);
    assert_eq!(
        records[2].cc.as_ref().expect("codes").values[..2],
        [1, 0],
        "the condition code is written all the same"
    );
}

#[test]
fn carries_chain_through_a_condition_code() {
    let words = [
        mvi(1, u32::MAX),
        cc(iadd(2, 1, 0), 3),
        iadd_carry(3, 0, 0, 3),
        iadd_carry(4, 0, 0, 2),
        ret(),
    ];
    assert_eq!(
        register_after(launch(&words), 3, 3),
        by_lane(|lane| 2 * lane + u32::from(lane > 0))
    );
    assert_eq!(register_after(launch(&words), 4, 4), by_lane(|lane| 2 * lane));
}

#[test]
fn shared_operands_see_header_and_parameters() {
    let words = [
        mov_shared(1, 0, 3),
        mov_shared(2, 1, 1),
        mov_shared(3, 4, 3),
        mov_shared(4, 11, 2),
        mov_shared(5, 19, 0),
        ret(),
    ];
    let launch = Launch {
        params: vec![0x1234_5678, 2, 0],
        grid: [3, 2],
        ..launch(&words)
    };
    assert_eq!(register_after(launch.clone(), 1, 1), [0x20_0000; 32]);
    assert_eq!(register_after(launch.clone(), 2, 2), [32; 32]);
    assert_eq!(register_after(launch.clone(), 3, 3), [0x1234_5678; 32]);
    let negative = Launch {
        params: vec![0, 0x8001_0000],
        ..launch.clone()
    };
    assert_eq!(register_after(negative, 4, 4), [0xffff_8001; 32]);
    assert_eq!(register_after(launch, 5, 5), [0x12; 32]);
}

#[test]
fn constants_come_from_their_bank() {
    use flexgrip_machine::{ImageSpace, MemoryImage};
    // IADD R1, R0, c[3][4]
    let words = [iadd(1, 0, 1) | 1 << 24 | 3 << 54, ret()];
    let image = MemoryImage {
        space: ImageSpace::Constant { bank: 3 },
        address: 4,
        words: vec![100],
    };
    let launch = Launch {
        memory: vec![image],
        ..launch(&words)
    };
    assert_eq!(register_after(launch, 1, 1), by_lane(|lane| 100 + lane));
}

#[test]
fn words_of_real_kernels_give_results_worked_by_hand() {
    use flexgrip_machine::{ImageSpace, MemoryImage};
    let before = [0x8001_fffb, 0x0002_ffff, 0x1f07, 0x0004_0100];
    for (low, high, register, want) in [
        (0x4007_0411u64, 0x0000_0780u64, 4, 0x0003_fffcu32), // IMUL.U16.U16 R4, R1L, R3H
        (0x4004_8101, 0x0000_04cb, 0, 0xfffe_816c),          // IMUL32I.S16.S16 R0, R0L, 0x4c84
        (0x4003_0009, 0x0001_0780, 2, 0x01eb_fb00),          // IMUL.U24.U24 R2, R0, R3
        (0x6006_0611, 0x0000_0780, 4, 0x8002_01fb),          // IMAD.U16 R4, R1H, R3L, R0
        (0x300a_020d, 0xe010_0780, 1, 0x0020_ffff),          // SHR.U16 R1H, R0H, 0xa
        (0x3002_0609, 0xec00_0780, 2, 0),                    // SHR.S32 R2, R3, R2: the count is 0x1f07
        (0xa000_0025, 0x0411_4780, 9, 0x7ffe_0005),          // I2I.U32.S32 R9, |R0|
        (0xa000_001d, 0x2c01_4780, 7, 0x7ffe_0005),          // I2I.S32.S32 R7, -R0
        (0xa000_0809, 0x0400_8780, 2, 0x07),                 // I2I.U32.U16.BEXT R2, R2L
        (0xa000_0019, 0x0c01_0780, 6, 0xffff_fffb),          // I2I.S32.S16 R6, R0L
        (0xd002_0615, 0x0400_0780, 5, 0x0000_0100),          // LOP.AND R5, R3, R2
        (0xd003_0001, 0x0402_c780, 0, 0xfffb_feff),          // LOP.PASS_B R0, R0, ~R3
        (0x3080_0001, 0x8440_0780, 0, 0x8001_fffb),          // IMAX R0, R0, c[0x1][0x0]
        (0x3080_0001, 0x8c40_0780, 0, 0x0000_0010),          // IMAX.S32 R0, R0, c[0x1][0x0]
        (0x3080_0001, 0xa440_0780, 0, 0x0000_0010),          // IMIN R0, R0, c[0x1][0x0]
        (0x3080_0001, 0xac40_0780, 0, 0x8001_fffb),          // IMIN.S32 R0, R0, c[0x1][0x0]
    ] {
        let mut words: Vec<_> = before
            .iter()
            .enumerate()
            .map(|(r, &value)| mvi(r as u64, value))
            .collect();
        words.extend([low | high << 32, ret()]);
        let image = MemoryImage {
            space: ImageSpace::Constant { bank: 1 },
            address: 0,
            words: vec![0x10],
        };
        let launch = Launch {
            memory: vec![image],
            ..launch(&words)
        };
        let got = register_after(launch, 5, register);
        assert_eq!(
            got.map(|v| format!("{v:08x}")),
            [(); 32].map(|()| format!("{want:08x}")),
            "{low:08x} {high:08x}"
        );
    }
}

// ---- Memory ----

#[test]
fn loads_and_stores_go_lane_by_lane() {
    let words = [shl(1, 0, 2), gst(1, 0), mvi(2, 0), gst(2, 0), gld(3, 1), ret()];
    let (machine, records, result) = run(launch(&words));
    assert_eq!(result, Ok(()));
    let memory: Vec<_> = machine.global().words().take(33).collect();
    // Every lane stores to word 0 last: the highest lane's value stays.
    assert_eq!(memory[..3], [31, 1, 2]);
    assert_eq!(memory[31..], [31, 0]);
    let effect = |store, lane, address, data| MemoryEffect {
        space: MemorySpace::Global,
        store,
        lane,
        address,
        bytes: 4,
        data,
    };
    assert_eq!(records[1].memory[5], effect(true, 5, 20, 5));
    assert_eq!(records[4].memory[0], effect(false, 0, 0, 31));
    assert_eq!(records[4].memory.len(), 32);
    assert_eq!(
        records[4].destination.as_ref().expect("a write").values,
        by_lane(|l| if l == 0 { 31 } else { l })
    );
}

#[test]
fn bad_addresses_name_the_lowest_lane_at_fault() {
    // Lane l stores to size - 16 + 4 l: lane 4 is the first out of range.
    let top = (1 << 20) - 16;
    let error = fails(launch(&[shl(1, 0, 2), mvi(2, top), iadd(1, 1, 2), gst(1, 0), ret()]));
    assert_eq!(
        (error.kind, error.address, error.pc),
        (ErrorKind::GlobalRange, Some(1 << 20), 0x18)
    );
    // Lane l loads from 2 l: lane 1 is misaligned.
    let error = fails(launch(&[shl(1, 0, 1), gld(2, 1), ret()]));
    assert_eq!((error.kind, error.address), (ErrorKind::GlobalMisaligned, Some(2)));
    assert_eq!(
        error.to_string(),
        "misaligned global access at address 0x2 at PC 0x0008 (SM 0, block 0, warp 0): d00e0209 80c00780 \
         GLD.U32 R2, global14[R1]"
    );
    // Inactive lanes cannot fault.
    let words = [
        shl(1, 0, 1),
        mvi(2, 1),
        test(0, 0, LT, 2),
        when(gld(3, 1), 0, TRUE),
        ret(),
    ];
    assert_eq!(run(launch(&words)).2, Ok(()));
    let error = fails(launch(&[mvi(1, 0xffff_fffc), gld(2, 1), ret()]));
    assert_eq!((error.kind, error.address), (ErrorKind::GlobalRange, Some(0xffff_fffc)));
}

#[test]
fn shared_operands_are_checked_against_the_blocks_size() {
    assert_eq!(run(launch(&[mov_shared(1, 15, 3), ret()])).2, Ok(()));
    let error = fails(launch(&[mov_shared(1, 16, 3), ret()]));
    assert_eq!(
        (error.kind, error.address, error.pc),
        (ErrorKind::SharedRange, Some(64), 0)
    );
    // No lane is active: nothing is read.
    assert_eq!(run(launch(&[when(mov_shared(1, 16, 3), 0, FALSE), ret()])).2, Ok(()));
}

// ---- Program counter, illegal instructions, ends ----

#[test]
fn a_pc_out_of_the_program_stops_the_kernel_there() {
    for (words, pc) in [(vec![bra(0x400)], 0x400), (vec![nop()], 8)] {
        let (_, records, result) = run(launch(&words));
        let error = result.expect_err("an error");
        assert_eq!(records.len(), 1, "the instruction before is executed");
        assert_eq!(
            (error.kind, error.pc, error.word, error.address),
            (ErrorKind::ProgramCounter, pc, 0, None)
        );
    }
    // A long instruction off its 8-byte boundary, and one without its high half.
    let error = fails(launch(&[bra(0xc), nop() << 32, ret() << 32 | nop() >> 32]));
    assert_eq!((error.kind, error.pc), (ErrorKind::ProgramCounter, 0xc));
    let mut cut = launch(&[nop(), ret()]);
    cut.program.pop();
    let error = fails(cut);
    assert_eq!((error.kind, error.pc), (ErrorKind::ProgramCounter, 8));
}

#[test]
fn a_launch_may_allow_long_instructions_anywhere() {
    // BRA over a half, a long instruction across two 8-byte words, RET across the next two.
    let words = [bra(0xc), nop() << 32, ret() << 32 | nop() >> 32, ret() >> 32];
    let anywhere = Launch {
        unaligned_code: true,
        ..launch(&words)
    };
    let (_, records, result) = run(anywhere.clone());
    result.expect("the end");
    let executed: Vec<(u32, u64)> = records.iter().map(|record| (record.pc, record.word)).collect();
    assert_eq!(executed, [(0, bra(0xc)), (0xc, nop()), (0x14, ret())]);
    // The high half must still be in the program, and instructions lie at multiples of 4.
    let mut cut = anywhere;
    cut.program.truncate(6);
    let error = fails(cut);
    assert_eq!((error.kind, error.pc, error.word), (ErrorKind::ProgramCounter, 0x14, 0));
}

#[test]
fn what_is_no_instruction_or_not_executed_is_illegal() {
    // A texture query is an instruction, but not executed; opcode 0xf with sub-opcode 5 is not an instruction.
    let query = flexgrip_isa::parse_instruction("TXQ R2, X, R2, 0x0, 0x0").expect("an instruction");
    for word in [flexgrip_isa::encode(&query), 0xf000_0001 | 5 << 61] {
        let error = fails(launch(&[word, ret()]));
        assert_eq!(
            (error.kind, error.pc, error.word),
            (ErrorKind::IllegalInstruction, 0, word)
        );
        assert_eq!(error.kind.code(), Some(1));
    }
}

#[test]
fn a_kernel_without_end_is_stopped_at_the_limit() {
    let mut machine = machine(launch(&[bra(0)]));
    let error = machine.run(1000).expect_err("endless");
    assert_eq!(
        (error.kind, error.pc, error.word),
        (ErrorKind::Endless { limit: 1000 }, 0, bra(0))
    );
    assert_eq!(machine.outcome().warp_instructions, 1000);
    assert_eq!(
        machine.run(10).expect_err("still").kind,
        ErrorKind::Endless { limit: 10 }
    );
    assert_eq!(machine.outcome().warp_instructions, 1010);
}

#[test]
fn a_limit_that_is_just_enough_is_enough() {
    assert!(machine(launch(&[nop(), ret()])).run(2).is_ok());
    assert!(machine(launch(&[nop(), ret()])).run(1).is_err());
}

// ---- Warps and blocks ----

/// Each thread stores its index in the block, plus 100 times the block's index, to its own word.
fn numbered(grid: [u32; 2], block: [u32; 3]) -> Launch {
    let words = [
        mov_shared(2, 6, 1), // ctaid.x
        mov_shared(3, 7, 1), // ctaid.y
        shl(3, 3, 2),        // grids are 4 wide
        iadd(2, 2, 3),       // linear block index
        shl(4, 2, 6),        // 64 threads a block
        iadd(4, 4, 0),       // thread's place
        shl(5, 4, 2),        // address
        mvi(6, 0x1000),
        iadd(4, 4, 6),
        gst(5, 4),
        ret(),
    ];
    Launch {
        grid,
        block,
        ..launch(&words)
    }
}

fn check_numbers(machine: &Machine, blocks: u32, threads: u32) {
    let memory: Vec<_> = machine.global().words().collect();
    for block in 0..blocks {
        for thread in 0..64 {
            let place = block * 64 + thread;
            let want = if thread < threads { place + 0x1000 } else { 0 };
            assert_eq!(memory[place as usize], want, "block {block} thread {thread}");
        }
    }
}

#[test]
fn every_thread_of_every_block_runs_once() {
    for (grid, block) in [([4, 5], [64, 1, 1]), ([4, 1], [33, 1, 1]), ([1, 1], [1, 1, 1])] {
        for sms in [1, 3] {
            let configuration = Configuration {
                sms,
                ..Configuration::default()
            };
            let mut machine = Machine::new(numbered(grid, block), configuration).expect("a launch that fits");
            let mut places = std::collections::BTreeSet::new();
            machine
                .run_observed(100_000, |record| {
                    places.insert((record.sm, record.warp));
                    assert_eq!(record.active & !record.executed, 0);
                })
                .unwrap_or_else(|error| panic!("{error}"));
            let blocks = grid[0] * grid[1];
            check_numbers(&machine, blocks, block[0]);
            assert!(machine.ended());
            assert_eq!(machine.outcome().blocks, u64::from(blocks));
            assert_eq!(machine.outcome().thread_instructions, u64::from(11 * blocks * block[0]));
            assert!(places.iter().all(|&(sm, warp)| sm < sms && warp < 32), "{places:?}");
        }
    }
}

#[test]
fn directed_steps_can_follow_any_order() {
    let mut free = machine(numbered([4, 3], [40, 1, 1]));
    let mut records = Vec::new();
    free.run_observed(100_000, |record| records.push(record.clone()))
        .unwrap_or_else(|error| panic!("{error}"));
    let mut directed = machine(numbered([4, 3], [40, 1, 1]));
    for block in (0..12).rev() {
        for warp in [1, 0] {
            for record in records
                .iter()
                .filter(|record| (record.block, record.warp_in_block) == (block, warp))
            {
                let step = directed
                    .step_warp(block, warp)
                    .unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(step.difference(record, Placement::Ignore), None);
            }
        }
    }
    assert!(directed.ended());
    assert_eq!(directed.global(), free.global());
    assert_eq!(directed.outcome(), free.outcome());
}

#[test]
fn a_run_can_finish_what_steps_began() {
    let mut machine = machine(numbered([4, 3], [64, 1, 1]));
    machine.step_warp(7, 1).unwrap_or_else(|error| panic!("{error}"));
    machine.run(100_000).unwrap_or_else(|error| panic!("{error}"));
    assert!(machine.ended());
    check_numbers(&machine, 12, 64);
}

#[test]
fn stepping_a_warp_that_is_not_there_is_an_error_value() {
    let mut machine = machine(numbered([1, 1], [32, 1, 1]));
    for (block, warp) in [(1, 0), (0, 1), (u32::MAX, u32::MAX)] {
        let error = machine.step_warp(block, warp).expect_err("no such warp");
        assert_eq!(
            (error.kind, error.block, error.warp_in_block),
            (ErrorKind::NoSuchWarp, block, warp)
        );
    }
    for _ in 0..11 {
        machine.step_warp(0, 0).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(machine.step_warp(0, 0).expect_err("ended").kind, ErrorKind::NoSuchWarp);
    assert!(machine.ended());
}

#[test]
fn an_error_stops_the_grid() {
    let mut machine = machine(Launch {
        grid: [2, 1],
        ..launch(&[nop(), bra(0x100)])
    });
    for _ in 0..2 {
        machine.step_warp(1, 0).unwrap_or_else(|error| panic!("{error}"));
    }
    let error = machine.step_warp(1, 0).expect_err("out of the program");
    assert_eq!(
        (error.kind, error.block, error.pc),
        (ErrorKind::ProgramCounter, 1, 0x100)
    );
    assert_eq!(machine.step_warp(0, 0), Err(error));
    assert_eq!(machine.run(100), Err(error));
}

// ---- Threads of a warp against threads alone ----

/// Generates structured programs: sums, two-way branches, loops and returns, nested, all depending on the thread.
///
/// Registers: 1 to 4 values, 5 the thread's address, 6 a constant -1, 7 zero, 8 to 11 loop counters by depth.
struct Generator {
    words: Vec<u64>,
    state: u64,
}

impl Generator {
    fn random(&mut self, below: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % below
    }

    fn here(&self) -> u64 {
        8 * self.words.len() as u64
    }

    fn value(&mut self) -> u64 {
        1 + self.random(4)
    }

    fn condition(&mut self) {
        let (register, compare) = (self.random(4), self.random(8));
        let (a, b) = (self.value(), self.value());
        self.words.push(test(register, a, compare, b));
    }

    /// A branch whose target is set later.
    fn hole(&mut self) -> usize {
        self.words.push(0);
        self.words.len() - 1
    }

    fn statements(&mut self, depth: u64) {
        for _ in 0..1 + self.random(3) {
            match self.random(if depth < 4 { 12 } else { 6 }) {
                0..=4 => {
                    let (d, a, c) = (self.value(), self.value(), self.value());
                    self.words.extend([iadd(d, a, c), gst(5, d)]);
                }
                5 => {
                    self.condition();
                    let register = self.random(4);
                    let leaving = if self.random(4) == 0 {
                        exit(nop())
                    } else {
                        when(ret(), register, TRUE)
                    };
                    // An exit marker ends the whole path: only after a branch, and rarely.
                    if depth > 1 || leaving != exit(nop()) {
                        self.words.push(leaving);
                    }
                }
                6..=8 => {
                    self.condition();
                    let register = self.random(4);
                    let (join_hole, taken_hole) = (self.hole(), self.hole());
                    self.statements(depth + 1);
                    let over_hole = self.hole();
                    self.words[taken_hole] = when(bra(self.here()), register, TRUE);
                    self.statements(depth + 1);
                    self.words[join_hole] = ssy(self.here());
                    self.words[over_hole] = bra(self.here());
                    self.words.push(join(nop()));
                }
                _ => {
                    let (counter, register) = (8 + depth, self.random(4));
                    // 1 to 4 iterations, by the thread's value.
                    let value = self.value();
                    self.words.extend([shl(counter, value, 30), shr(counter, counter, 30)]);
                    let join_hole = self.hole();
                    let top = self.here();
                    self.statements(depth + 1);
                    self.words.push(iadd(counter, counter, 6));
                    self.words.push(test(register, counter, GE, 7));
                    self.words.push(when(bra(top), register, TRUE));
                    self.words[join_hole] = ssy(self.here());
                    self.words.push(join(nop()));
                }
            }
        }
    }

    fn program(seed: u64) -> Vec<u64> {
        let mut generator = Generator {
            words: Vec::new(),
            state: seed | 1,
        };
        for _ in 0..8 {
            generator.random(2);
        }
        generator.words = vec![
            mov_shared(1, 6, 1), // ctaid.x, 0 if there is one block
            iadd(0, 0, 1),       // the thread's number, in its own block or not
            shl(5, 0, 2),
            mvi(6, u32::MAX),
            shl(2, 0, 3),
            iadd(3, 2, 6),
            iadd(1, 0, 0),
            iadd(4, 3, 0),
        ];
        for _ in 0..3 {
            generator.statements(0);
        }
        generator.words.extend([gst(5, 1), ret()]);
        generator.words
    }
}

#[test]
fn threads_of_a_warp_do_what_each_would_do_alone() {
    let mut diverged = 0;
    for seed in 1..=400u64 {
        let words = Generator::program(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let together = Launch {
            block: [32, 1, 1],
            ..launch(&words)
        };
        let alone = Launch {
            grid: [32, 1],
            block: [1, 1, 1],
            ..launch(&words)
        };
        let (mut together, mut alone) = (machine(together), machine(alone));
        let pushed = |record: &Retire| {
            let mut entries = record.stack.iter();
            entries.any(|op| {
                matches!(
                    op,
                    StackOperation::Push(Entry {
                        kind: EntryKind::Diverged,
                        ..
                    })
                )
            })
        };
        together
            .run_observed(1_000_000, |record| diverged += usize::from(pushed(record)))
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        alone
            .run_observed(1_000_000, |record| {
                assert!(!pushed(record), "one thread does not diverge")
            })
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let words = |machine: &Machine| machine.global().words().take(32).collect::<Vec<_>>();
        assert_eq!(words(&together), words(&alone), "seed {seed}");
        assert!(
            together.outcome().warp_instructions < alone.outcome().warp_instructions,
            "seed {seed}"
        );
    }
    println!("{diverged} divergent branches");
    assert!(diverged > 1000, "the programs diverge: {diverged}");
}

// ---- Arbitrary words ----

#[test]
fn no_program_makes_the_model_panic_and_records_are_canonical() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let legal = [
        mvi(1, 5),
        iadd(2, 1, 0),
        iadd_half(3, 2, 5),
        iset(3, 0, LT, 1),
        test(0, 0, LT, 1),
        shl(1, 1, 3),
        mov_shared(4, 3, 3),
        gld(5, 1),
        gst(1, 5),
        bra(0x20),
        when(bra(0x40), 0, TRUE),
        ssy(0x38),
        ret(),
        when(ret(), 0, FALSE),
        join(nop()),
        exit(nop()),
        iadd_short(1, 2, 3) | iadd_short(4, 5, 6) << 32,
        0x2000_0003 | 0x28 << 9, // CAL 0x28
        0x4000_0003 | 0x30 << 9, // PBK 0x30
        0x5000_0003 | ALWAYS,    // BRK
        0x0000_0003 | ALWAYS,    // KIL
        0x861f_fe03,             // BAR.ARV.WAIT b0, 0xfff
        r2a(1, 0, 2),
        mov_shared(4, 3, 3) | 1 << 26 | 1 << 25, // MOV R4, g[A1+++3]
        r2g(8, 2) | 1 << 26,
        gld(4, 1) ^ 2 << 53,   // GLD.S64
        gld(5, 124) ^ 3 << 53, // GLD.S128 R5: beyond the launch's registers
        gst(124, 6) ^ 3 << 53,
    ];
    let mut executed = 0;
    for _ in 0..3000 {
        let words: Vec<u64> = (0..12)
            .map(|_| match random() % 8 {
                0 => random(),
                1 | 2 => legal[random() as usize % legal.len()] ^ 1 << (random() % 64),
                _ => legal[random() as usize % legal.len()],
            })
            .collect();
        let launch = Launch {
            block: [45, 1, 1],
            registers: 8,
            ..launch(&words)
        };
        let mut machine = Machine::new(launch, Configuration::default()).expect("a launch that fits");
        let result = machine.run_observed(500, |record| {
            executed += 1;
            assert_eq!(record.executed & !record.active, 0);
            let outside = |lane: usize| record.executed >> lane & 1 == 0;
            for write in record.destination.iter().chain(&record.further) {
                assert!((0..32).all(|lane| !outside(lane) || write.values[lane] == 0));
                assert!(record.executed != 0 && write.register < 8);
                assert!(write.part == Part::Full || write.values.iter().all(|&value| value <= 0xffff));
            }
            if let Some(write) = &record.cc {
                assert!((0..32).all(|lane| !outside(lane) || write.values[lane] == 0) && record.executed != 0);
            }
            for write in [&record.address, &record.post_increment].into_iter().flatten() {
                assert!((0..32).all(|lane| !outside(lane) || write.values[lane] == 0));
                assert!(record.executed != 0 && (1..=4).contains(&write.register));
            }
            assert!(record.memory.iter().all(|effect| !outside(usize::from(effect.lane))));
            assert_eq!(record.next.pc.is_none(), record.next.active == 0);
        });
        if let Err(error) = result {
            assert!(!error.to_string().is_empty());
            assert_eq!(error.address.is_some(), error.kind.has_address());
        }
    }
    assert!(executed > 30_000, "most programs run for a while: {executed}");
}
