//! Tests local memory (LLD, LST): it is private to each thread, in every size, with and without address registers, with
//! later blocks in the same warp slots. Also tests its errors.

use crate::common::{launch, run_all, run_on, with_verilog, LANES};
use flexgrip_machine::{ErrorKind, Launch, MemorySpace};
use flexgrip_sim::engines::engine::Engine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::trace::ending::Ending;

fn with_local(program: &str, grid: u32, block: u32, local_bytes: u32) -> Launch {
    Launch {
        local_bytes,
        ..launch(program, grid, block, Vec::new())
    }
}

#[test]
fn every_thread_has_private_memory() {
    // Word k of a thread is 1000 * k plus its number. Words are written and read in different orders, and summed up.
    let program = "
        MOV.U16 R0H, g[6].U16; I2I.U32.U16 R1, R0L
        MVI R2, 64; IMUL.U16.U16 R2, R0H, R2L
        IADD R2, R2, R1                 // number in the grid
        SHL R3, R2, 2
        MVI R4, 0; MVI R9, 28           // byte of the word, and where to stop
        MVI R5, 1000; MOV R6, R2
        SSY written
        write: R2A A1, R4
        LST.U32 local[A1+0x10], R6
        IADD R6, R6, R5
        IADD32I R4, R4, 4
        ISET.S32.C0 o[0x7f], R4, R9, LT
        BRA C0.NE, write
        written: NOP.S
        LLD.U32 R7, local[0x28]
        LLD.U32 R8, local[0x10]
        IADD R7, R7, R8
        GST.U32 global14[R3], R7
        RET";
    // 24 blocks, more than an SM holds at once.
    let launch = with_local(program, 24, 64, 0x2c);
    run_all(&launch, |memory, context| {
        for (thread, &word) in (0..24 * 64).zip(memory) {
            assert_eq!(word, 2 * thread + 6000, "{context}, thread {thread}");
        }
    });
    with_verilog(|engine| {
        let (report, _) = run_on(engine, &launch, 8);
        assert_eq!(report.global[100], 6200);
    });
}

#[test]
fn all_sizes_and_increments_work() {
    let program = "
        MVI R8, 0x80818283
        MVI R9, 0x11223344
        MVI R10, 0x55667788
        MVI R11, 0x99aabbcc
        MVI R12, 8
        R2A A2, R12
        LST.S128 local[A2+0x8], R8
        LST.S64 local[A2+++0x8], R10
        LLD.U8 R4, local[0x13]
        LLD.S8 R5, local[0x13]
        LLD.S16 R6, local[A2+0x2]
        LLD.U16 R7, local[A2+0x0]
        LLD.S64 R12, local[0x8]
        A2R R14, A2
        GST.S128 global14[R124], R4
        MVI R3, 16
        GST.S64 global14[R3], R12
        GST.U32 global14[R3], R14
        RET";
    let launch = with_local(program, 1, 1, 32);
    run_all(&launch, |memory, context| {
        assert_eq!(
            memory[..6],
            [0x80, 0xffff_ff80, 0xffff_8081, 0x8283, 16, 0x99aa_bbcc],
            "{context}"
        );
    });
    for lanes in LANES {
        let (_, records) = run_on(&mut RtlEngine, &launch, lanes);
        let effects: Vec<_> = records
            .iter()
            .flat_map(|record| &record.memory)
            .filter(|effect| effect.space == MemorySpace::Local)
            .map(|effect| (effect.store, effect.address, effect.bytes))
            .collect();
        assert_eq!(
            effects,
            [
                (true, 16, 16),
                (true, 8, 8),
                (false, 0x13, 1),
                (false, 0x13, 1),
                (false, 18, 2),
                (false, 16, 2),
                (false, 8, 8)
            ]
        );
    }
}

/// The error and its address for a kernel of 40 threads in which all but the first three execute `access`. A1 is 16 * t
/// in thread t.
fn error_of(engine: &mut dyn Engine, access: &str, local_bytes: u32, lanes: u32) -> (ErrorKind, Option<u32>) {
    let program = format!(
        "I2I.U32.U16 R1, R0L; SHL R2, R1, 4; R2A A1, R2; MVI R3, 3; ISET.C1 o[0x7f], R1, R3, GE
        {access}
        NOP
        RET"
    );
    let launch = with_local(&program, 1, 40, local_bytes);
    let (report, _) = run_on(engine, &launch, lanes);
    match report.ending {
        Ending::Failed(error) => {
            assert_eq!((error.block, error.pc), (0, 0x28), "{access}: {error}");
            (error.kind, error.address)
        }
        other => panic!("{access}: {other:?}"),
    }
}

#[test]
fn wrong_accesses_are_reported() {
    let cases = [
        (
            "LLD.U32 R4 (C1.NE), local[A1+0x2]",
            1024,
            ErrorKind::LocalMisaligned,
            50,
        ),
        (
            "LST.S64 local[A1+0x4] (C1.NE), R4",
            1024,
            ErrorKind::LocalMisaligned,
            52,
        ),
        (
            "LLD.S128 R4 (C1.NE), local[A1+0x8]",
            1024,
            ErrorKind::LocalMisaligned,
            56,
        ),
        // Threads from the fifth onward access memory out of range.
        ("LST.U32 local[A1+0x0] (C1.NE), R4", 80, ErrorKind::LocalRange, 80),
        ("LLD.U8 R4 (C1.NE), local[A1+0x4f]", 95, ErrorKind::LocalRange, 127),
        ("LLD.U32 R4 (C1.NE), local[0x0]", 0, ErrorKind::LocalRange, 0),
        ("LST.U8 local[0xffff] (C1.NE), R4", 1024, ErrorKind::LocalRange, 0xffff),
    ];
    for (access, local_bytes, kind, address) in cases {
        for lanes in LANES {
            let error = error_of(&mut RtlEngine, access, local_bytes, lanes);
            assert_eq!(error, (kind, Some(address)), "{access}, {lanes} lanes");
        }
        with_verilog(|engine| {
            assert_eq!(
                error_of(engine, access, local_bytes, 8),
                (kind, Some(address)),
                "{access}"
            )
        });
    }
}
