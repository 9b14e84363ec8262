//! The program counter, illegal instructions, and how kernels end.

use crate::running::*;
use crate::words::*;
use flexgrip_machine::{ErrorKind, Launch};

#[test]
fn pc_outside_the_program_stops_the_kernel() {
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
fn other_words_and_unexecuted_instructions_are_illegal() {
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
fn endless_kernels_are_stopped_at_the_limit() {
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
