//! Runs the double-precision instructions of capability 1.3 on the circuits in lockstep with the model, and on their
//! Verilog.

use super::capability::{run_all, run_on};
use crate::common::{launch_at as launch, LANES};
use flexgrip_isa::Capability;
use flexgrip_machine::{ErrorKind, Launch};
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::trace::ending::Ending;

/// Threads of the kernels, and the bytes of a row of memory with a double for each.
const THREADS: usize = 64;
const ROW: usize = 8 * THREADS;

/// Loads three doubles: a to R2, b to R4, c to R6. R1 is the address of the thread's double in the row of results.
const BEGIN: &str = "
    I2I.U32.U16 R0, R0L
    SHL R1, R0, 3
    GLD.S64 R2, global14[R1]
    IADD32I R1, R1, 0x200
    GLD.S64 R4, global14[R1]
    IADD32I R1, R1, 0x200
    GLD.S64 R6, global14[R1]
    IADD32I R1, R1, 0x200
";
/// Stores R8 and R9, and continues at the next row.
const STORE: &str = "GST.S64 global14[R1], R8\nIADD32I R1, R1, 0x200\n";

/// The operands a, b and c of each thread: special values, products that round, integers beyond 32 bits.
fn operands() -> [Vec<f64>; 3] {
    let corners = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        f64::from_bits(1),
        -f64::MIN_POSITIVE / 3.0,
        f64::MAX,
        f64::INFINITY,
        -f64::INFINITY,
        f64::from_bits(0x7ff4_5678_9abc_def0),
        1.0 + f64::EPSILON,
        4_294_967_296.75,
        -9.3e18,
        2.5,
        1e-310,
        f64::from(f32::MAX) * 1.000_000_1,
    ];
    let value = |thread: usize, step: usize| match thread % 3 {
        0 => f64::from_bits(((thread * step) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 6 | 0x3fc0_0000_0000_0000),
        _ => corners[thread * step / 3 % corners.len()],
    };
    [1, 5, 7].map(|step| (0..THREADS).map(|thread| value(thread, step)).collect())
}

fn memory() -> Vec<u32> {
    let words = |value: &f64| [value.to_bits() as u32, (value.to_bits() >> 32) as u32];
    operands().iter().flatten().flat_map(words).collect()
}

fn kernel(program: &str) -> Launch {
    let text = format!("{BEGIN}{program}\nRET");
    launch(Capability::V1_3, &text, 1, THREADS as u32, memory())
}

/// The double that a thread has stored to a row of results.
fn result(global: &[u32], row: usize, thread: usize) -> u64 {
    let at = (3 + row) * ROW / 4 + 2 * thread;
    u64::from(global[at + 1]) << 32 | u64::from(global[at])
}

/// Every operation and modifier. Sums, products and the fused sum are also compared with this processor's.
#[test]
fn operations_agree_with_the_model() {
    let operations = [
        "DFMA.C0 R8, R2, R4, R6",
        "DADD.C1 R8, R2, R6",
        "DMUL.C2 R8, R2, R4",
        "DFMA.FLOOR R8, -R2, R4, R6",
        "DFMA.CEIL R8, R2, R4, -R6",
        "DFMA.TRUNC R8, R2, R2, R2",
        "DADD.FLOOR R8, -R2, R6",
        "DADD.CEIL.C3 R8, R2, -R6",
        "DADD.TRUNC R8, R4, R4",
        "DMUL.FLOOR R8, -R2, R4",
        "DMUL.CEIL R8, R4, R4",
        "DMUL.TRUNC R8, R2, R6",
        "DMIN.C0 R8, |R2|, -R4",
        "DMAX.C0 R8, -R2, |R4|",
        "DSET.C1 R8, R2, R4, LT",
        "DSET.C1 R9, -R2, |R4|, GEU",
        "DSET.C2 o[0x7f], R2, R4, EQ",
        "F2F.F32.F64.C0 R8, R2",
        "F2F.F32.F64.TRUNC R8, -R2",
        "F2F.F64.F64.C0 R8, |R2|",
        "F2F.F64.F64.ROUND R8, R2",
        "F2F.F64.F64.FLOOR R8, R4",
        "F2F.F64.F32.C0 R8, R3",
        "F2I.U32.F64.C0 R8, R2",
        "F2I.S32.F64.TRUNC.C0 R9, R2",
        "F2I.U64.F32.C0 R8, R3",
        "F2I.S64.F32.FLOOR R8, -R3",
        "F2I.U64.F64.C0 R8, R2",
        "F2I.S64.F64.CEIL.C0 R8, R2",
        "I2F.F64.U32 R8, R3",
        "I2F.F64.S32.C0 R8, -R3",
        "I2F.F32.U64.FLOOR R8, -R2",
        "I2F.F32.S64.C0 R9, R2",
        "I2F.F64.U64.TRUNC R8, R2",
        "I2F.F64.S64.C0 R8, |R2|",
    ];
    let program: String = operations
        .iter()
        .map(|operation| format!("{operation}\n{STORE}"))
        .collect();
    run_all(&kernel(&program), &Ending::Complete, |global| {
        let [a, b, c] = operands();
        for thread in 0..THREADS {
            let (a, b, c) = (a[thread], b[thread], c[thread]);
            for (row, want) in [a.mul_add(b, c), a + c, a * b].into_iter().enumerate() {
                let got = result(global, row, thread);
                let agrees = got == want.to_bits() || want.is_nan() && f64::from_bits(got).is_nan();
                assert!(
                    agrees,
                    "{}, thread {thread}: {got:016x}, not {:016x}",
                    operations[row],
                    want.to_bits()
                );
            }
        }
    });
}

/// Instructions issued directly after a double need one or both registers of its pending pair, as operand or
/// destination.
#[test]
fn pairs_wait_for_each_register() {
    let program = format!(
        "DADD R8, R2, R4\nDMUL R2, R8, R8\nDFMA R4, R2, R8, R4\nDFMA R8, R8, R4, R2\n{STORE}
         DADD R8, R2, R6\nMOV R9, R8\n{STORE}
         DADD R8, R2, R6\nMOV R10, R9\nMVI R8, 3\nMOV R9, R10\n{STORE}
         F2F.F64.F32 R8, R3\nF2F.F32.F64 R9, R8\nI2F.F64.U32 R10, R9\nI2F.F64.S32 R8, R11\nF2I.S64.F64 R8, R8\n{STORE}
         DMUL R8, R4, R4\nIADD R11, R9, R8\nDSET R8, R8, R10, LT\nDADD R10, R8, R8\nDADD R8, R10, R10\n{STORE}
         RCP R9, R3\nDADD R8, R8, R4\nRCP R9, R9\nDADD R12, R8, R8\nGLD.S64 R8, global14[R1]\nDADD R8, R8, R12\n{STORE}"
    );
    run_all(&kernel(&program), &Ending::Complete, |_| {});
}

/// Threads that do not execute keep their registers and codes, or read 0 if no instruction has written them; a
/// condition directly follows the double that sets its code.
#[test]
fn conditions_select_threads() {
    let program = format!(
        "MVI R10, 0\nLOP32I.AND R11, R0, 0x5\nISET.C0 o[0x7f], R11, R10, EQ
         DADD R8 (C0.NE), R2, R6\n{STORE}
         DMUL R8 (C0.EQ), R2, R4\n{STORE}
         DSET.C1 R12 (C0.NE), R2, R4, LT\nDFMA R8 (C1.LT), R2, R4, R6\n{STORE}
         DADD.C1 R14, R2, R4\nDADD R8 (C1.LT), R14, R14\n{STORE}
         F2I.U32.F64.C2 R15 (C0.NE), R2\nMOV R9 (C2.NE), R15\n{STORE}
         DADD R8 (C0.FALSE), R8, R8\n{STORE}
         SSY join\nBRA C0.NE, other\nDMUL R8, R4, R6\nBRA join\nother: DADD R8, R4, R6\njoin: NOP.S\n{STORE}"
    );
    run_all(&kernel(&program), &Ending::Complete, |_| {});
}

/// A register that its block has not written reads 0, each register of a pair independently, whatever an earlier block
/// has left in it.
#[test]
fn unwritten_registers_of_a_pair_read_0() {
    let program = format!(
        "{BEGIN}MVI R10, 7\nMVI R13, 0x40000000\nMVI R14, 5\nMVI R17, 0x3ff00000
         DFMA R8, R2, R4, R10\n{STORE}DFMA R8, R2, R4, R12\n{STORE}
         DFMA R8, R10, R4, R6\n{STORE}DFMA R8, R12, R4, R6\n{STORE}
         DMUL R8, R2, R14\n{STORE}DMUL R8, R2, R16\n{STORE}DADD R8, R18, R18\n{STORE}
         {}RET",
        (10..20)
            .map(|register| format!("MVI R{register}, 0x3ff12345\n"))
            .collect::<String>()
    );
    let blocks = launch(Capability::V1_3, &program, 40, THREADS as u32, memory());
    run_all(&blocks, &Ending::Complete, |_| {});
}

/// Registers beyond the launch's number read 0 and are not written, each register of a pair independently.
#[test]
fn registers_of_a_pair_may_be_missing() {
    let program = format!(
        "DADD R8, R2, R4\nDADD R10, R2, R4\nDADD R12, R2, R4\nDADD.C0 o[0x7f], R2, R4\nMOV R9, R10\n{STORE}
         DADD R8, R10, R2\n{STORE}\nDFMA R8, R2, R12, R126\n{STORE}\nI2F.F64.U64 R8, R10\n{STORE}"
    );
    let launch = Launch {
        registers: 11,
        ..kernel(&program)
    };
    run_all(&launch, &Ending::Complete, |global| {
        let [a, b, _] = operands();
        for thread in (0..THREADS).filter(|thread| !(a[*thread] + b[*thread]).is_nan()) {
            // The only word of R10 and R11 is low.
            let low = (a[thread] + b[thread]).to_bits() & 0xffff_ffff;
            assert_eq!(result(global, 3, thread), (low as f64).to_bits(), "thread {thread}");
        }
    });
}

/// Conversions of a word in shared memory, the same for all threads or at each thread's address.
#[test]
fn conversions_read_shared_memory() {
    let program = format!(
        "SHL R10, R0, 2\nR2A A1, R10, 0\nR2G.U32.U32 g[A1+0x10], R3\nBAR.ARV.WAIT b0, 0xfff
         F2F.F64.F32 R8, g[0x14]\n{STORE}
         F2F.F64.F32 R8, -g[A1+0x10]\n{STORE}
         I2F.F64.S32 R8, |g[A1+0x10]|\n{STORE}
         F2I.S64.F32.C0 R8 (C0.EQ), g[A1+0x10]\n{STORE}"
    );
    run_all(&kernel(&program), &Ending::Complete, |global| {
        let [a, ..] = operands();
        let word = |thread: usize| (a[thread].to_bits() >> 32) as u32;
        for thread in 0..THREADS {
            let want = f64::from(word(thread) as i32).abs();
            assert_eq!(result(global, 2, thread), want.to_bits(), "thread {thread}");
            let want = -f64::from(f32::from_bits(word(thread)));
            let got = f64::from_bits(result(global, 1, thread));
            assert!(
                got == want || got.is_nan() && want.is_nan(),
                "thread {thread}: {got}, not {want}"
            );
        }
    });
}

/// Doubles, special functions, loads and atomic operations of eight warps compete for the write port; blocks end with a
/// double, whose registers the next block of the slot gets.
#[test]
fn doubles_share_the_write_port() {
    let program = "
        I2I.U32.U16 R0, R0L
        LOP32I.AND R10, R0, 0x3f
        SHL R1, R10, 3
        GLD.S64 R2, global14[R1]
        MVI R11, 2
        again:
        RCP R4, R2
        DADD R6, R2, R2
        GLD.S64 R8, global14[R1]
        EX2 R5, R3
        FMUL R12, R4, R4
        DMUL R2, R6, R8
        LG2 R12, R5
        DSET.C1 R13, R2, R6, LT
        GATOM.IADD.U32 R4, global14[R1], R12
        F2F.F32.F64 R5, R6
        RSQ R14 (C1.NE), R5
        DFMA R6, R4, R8, R2
        IADD32I R11, R11, -1
        MVI R15, 0
        ISET.C0 o[0x7f], R11, R15, NE
        BRA C0.NE, again
        DADD.EXIT R6, R6, R2
    ";
    let mixed = launch(Capability::V1_3, program, 6, 256, memory());
    run_all(&mixed, &Ending::Complete, |_| {});
}

/// The last doubles of a block are in flight when its last instruction issues. The next block in its slot loads the
/// same registers and reads them for as long as the doubles take.
#[test]
fn doubles_end_before_their_block() {
    let program = format!(
        "{BEGIN}MVI R12, 0\n{}DADD R6, R2, R4\nDADD R8, R2, R4\nDADD R10, R2, R4\nDADD.EXIT R2, R4, R6",
        "IADD R12, R12, R2\nIADD R12, R12, R4\n".repeat(60)
    );
    let blocks = launch(Capability::V1_3, &program, 40, 32, memory());
    run_all(&blocks, &Ending::Complete, |_| {});
}

/// The scheduler leaves gaps for the results: one warp's chain of doubles adds little time to warps that issue an
/// instruction whenever they can.
#[test]
fn doubles_get_gaps_in_a_full_pipeline() {
    const CHAIN: usize = 100;
    let cycles = |chain: usize, lanes: u32| {
        let text = format!(
            "{BEGIN}LOP32I.AND R10, R0, 0x7e0\nMVI R11, 0\nISET.C0 o[0x7f], R10, R11, EQ\nBRA C0.NE, doubles
             {}RET\ndoubles: {}RET",
            "IADD R12, R2, R4\nIADD R13, R4, R5\n".repeat(500),
            "DFMA R8, R8, R4, R6\n".repeat(chain)
        );
        let kernel = launch(Capability::V1_3, &text, 1, 256, vec![0; 2048]);
        run_on(&mut RtlEngine, &kernel, lanes).0.cycles.expect("a clock")
    };
    for lanes in LANES {
        let (without, with) = (cycles(0, lanes), cycles(CHAIN, lanes));
        println!("{lanes} lanes: {with} cycles, {without} without doubles");
        // Alone, the chain takes 52 cycles an instruction.
        assert!(
            with < without + 26 * CHAIN as u64,
            "{lanes} lanes: {without}, then {with} cycles"
        );
    }
}

/// An error stops the kernel while doubles are in flight; an odd register is an illegal instruction.
#[test]
fn errors_end_doubles_in_flight() {
    let faulty =
        "MVI R10, 0x70000000\nDFMA R8, R2, R4, R6\nDADD.C0 R12, R2, R4\nGLD.U32 R14, global14[R10]\nDMUL R8, R8, R8";
    let trap = "DFMA R8, R2, R4, R6\nDADD.C0 R12, R2, R4\nTRAP";
    let outside = "MVI R10, 0x4000\nR2A A1, R10, 0\nDADD R8, R2, R4\nF2F.F64.F32 R8, g[A1+0x0]";
    for (program, kind) in [
        (faulty, ErrorKind::GlobalRange),
        (trap, ErrorKind::Trap),
        (outside, ErrorKind::SharedRange),
    ] {
        for lanes in LANES {
            let (report, _) = run_on(&mut RtlEngine, &kernel(program), lanes);
            let Ending::Failed(error) = report.ending else {
                panic!("{program}: {:?}", report.ending)
            };
            assert_eq!(error.kind, kind, "{program}, {lanes} lanes");
        }
    }
    let right = kernel("DFMA R8, R2, R4, R6");
    // The instruction before the RET; both have two words.
    let place = right.program.len() - 4;
    for bit in [2, 9, 16, 46] {
        let mut launch = right.clone();
        launch.program[place + bit / 32] ^= 1 << (bit % 32);
        let (report, _) = run_on(&mut RtlEngine, &launch, 8);
        let Ending::Failed(error) = report.ending else {
            panic!("bit {bit}: {:?}", report.ending)
        };
        assert_eq!(error.kind, ErrorKind::IllegalInstruction, "bit {bit}");
    }
}

/// A double instruction takes 32 cycles of the unit, at any number of lanes; a dependent one waits for the whole
/// latency.
#[test]
fn warp_takes_32_cycles() {
    let cycles = |program: &str, block: u32, lanes: u32| {
        let text = format!("{BEGIN}{program}\nRET");
        let launch = launch(Capability::V1_3, &text, 1, block, memory());
        run_on(&mut RtlEngine, &launch, lanes).0.cycles.expect("a clock")
    };
    for lanes in LANES {
        // Six results of each of two warps, which do not depend on each other.
        let independent = |rounds: usize| {
            let round = "DFMA R8, R2, R4, R6\nDFMA R10, R2, R4, R6\nDFMA R12, R2, R4, R6\n";
            cycles(&round.repeat(rounds), 64, lanes)
        };
        let (less, more) = (independent(4), independent(12));
        assert_eq!(more - less, 8 * 3 * 2 * 32, "{lanes} lanes");
        let dependent = |count: usize| cycles(&"DFMA R2, R2, R4, R6\n".repeat(count), 32, lanes);
        let latency = (dependent(20) - dependent(4)) / 16;
        assert_eq!(latency, 52, "{lanes} lanes: docs/pipeline.md says 52");
    }
}
