//! Tests calls, breaks, kills, traps and narrow accesses, on the circuits in lockstep with the model at every lane
//! count, and on their Verilog. The results are compared with results computed here for each thread.

use crate::common::{launch, run_on, with_verilog, LANES};
use flexgrip_sim::engines::engine::Engine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::trace::ending::Ending;

/// The word address of the threads' results, one word each.
const RESULTS: usize = 0x1000 / 4;

/// The beginning of all programs. R0 is the thread, R1 the address of its result; R2 is the result at the end.
const HEAD: &str = "I2I.U32.U16 R0, R0L; SHL R1, R0, 2; MVI R3, 0x1000; IADD R1, R1, R3\n";

/// Runs a program of one block of `threads` threads on all circuits. Returns the results, which must be the same
/// everywhere.
#[track_caller]
fn run(program: &str, threads: usize) -> Vec<u32> {
    let launch = launch(&format!("{HEAD}{program}"), 1, threads as u32, vec![]);
    let results = |engine: &mut dyn Engine, lanes: u32| {
        let (report, records) = run_on(engine, &launch, lanes);
        assert!(!records.is_empty(), "{}, {lanes} lanes: no records", engine.name());
        assert_eq!(report.ending, Ending::Complete, "{}, {lanes} lanes", engine.name());
        report.global[RESULTS..RESULTS + threads].to_vec()
    };
    let mut found: Vec<_> = LANES.map(|lanes| results(&mut RtlEngine, lanes)).into();
    found.extend(with_verilog(|engine| results(engine, 8)));
    assert!(found.iter().all(|results| *results == found[0]), "{found:#?}");
    found.remove(0)
}

/// Compares the results of a program with a function of the thread.
#[track_caller]
fn check(program: &str, threads: usize, expected: impl Fn(u32) -> u32) {
    let results = run(program, threads);
    let expected: Vec<u32> = (0..threads as u32).map(expected).collect();
    assert_eq!(results, expected);
}

const STORE: &str = "GST.U32 global14[R1], R2\n";

#[test]
fn subroutines_have_several_callers_and_nest() {
    let program = format!(
        "MOV R2, R0; CAL.NOINC twice; IADD32I R2, R2, 1; CAL.NOINC twice\n{STORE}RET
        twice: CAL.NOINC once; CAL.NOINC once; RET
        once: IADD R2, R2, R0; IADD32I R2, R2, 3; RET"
    );
    check(&program, 70, |t| 5 * t + 13);
}

#[test]
fn threads_return_one_by_one() {
    // In a subroutine with a divergent if: odd threads with bit 1 set return early inside it; of the others, threads
    // from 16 up return early after it.
    let program = format!(
        "MOV R2, R0; CAL.NOINC work; IADD32I R2, R2, 1000\n{STORE}RET
        work: MVI R4, 1; LOP.AND.C0 R5, R0, R4
        SSY join; BRA C0.EQ, even
        IADD32I R2, R2, 100
        MVI R4, 2; LOP.AND.C1 R5, R0, R4
        RET C1.NE
        IADD32I R2, R2, 7; BRA join
        even: IADD32I R2, R2, 10
        join: NOP.S
        MVI R4, 16; ISET.C2 o[0x7f], R0, R4, GE
        RET C2.NE
        IADD32I R2, R2, 3; RET"
    );
    check(&program, 64, |t| {
        let mut r = t;
        if t % 2 == 1 {
            r += 100;
            if t & 2 != 0 {
                return r + 1000;
            }
            r += 7;
        } else {
            r += 10;
        }
        if t < 16 {
            r += 3;
        }
        r + 1000
    });
}

#[test]
fn threads_break_one_by_one_from_nested_loops() {
    // for i in 0..t % 5 { for j in 0.. { r += 1; if j == i { break } } if r > 9 { break } }; r
    let program = format!(
        "MVI R2, 0; MVI R4, 0
        I2I.U32.U16 R7, R0L; MVI R8, 5
        modulo: ISET.C0 o[0x7f], R7, R8, LT; SSY counted; BRA C0.NE, counted
        IADD R7, R7, -R8; BRA modulo
        counted: NOP.S
        PBK done
        outer: ISET.C0 o[0x7f], R4, R7, GE; BRK C0.NE
        MVI R5, 0; PBK next
        inner: IADD32I R2, R2, 1; ISET.C0 o[0x7f], R5, R4, EQ; BRK C0.NE
        IADD32I R5, R5, 1; BRA inner
        next: MVI R9, 9; ISET.C0 o[0x7f], R2, R9, GT; BRK C0.NE
        IADD32I R4, R4, 1; BRA outer
        done: {STORE}RET"
    );
    check(&program, 64, |t| {
        let mut r = 0;
        for i in 0..t % 5 {
            r += i + 1;
            if r > 9 {
                break;
            }
        }
        r
    });
}

#[test]
fn killed_threads_have_no_further_effects() {
    let program = format!(
        "MVI R2, 1\n{STORE}MVI R4, 4; LOP.AND.C0 o[0x7f], R0, R4; CAL.NOINC maybe; MVI R2, 3\n{STORE}RET
        maybe: KIL C0.NE; MVI R2, 2\n{STORE}RET"
    );
    check(&program, 40, |t| if t & 4 != 0 { 1 } else { 3 });
}

#[test]
fn bytes_and_halves_are_loaded_and_stored() {
    // A byte and a half-word are stored into words that neighbouring threads share, and loaded again, signed or
    // unsigned.
    let program = "MVI R4, 0x2000; IADD R5, R4, R0; MVI R6, 37; IMUL.U16.U16 R2, R0L, R6L; IADD32I R2, R2, 200
        GST.U8 global14[R5], R2
        SHL R7, R0, 1; MVI R4, 0x3000; IADD R7, R7, R4; MVI R6, 9999; IMUL.U16.U16 R8, R0L, R6L
        GST.U16 global14[R7], R8
        GLD.S8 R9, global14[R5]; GLD.U8 R10, global14[R5]; GLD.S16 R11, global14[R7]; GLD.U16 R12, global14[R7]
        IADD R2, R9, R10; MVI R6, 7; IMUL.U16.U16 R2, R2L, R6L
        IADD R2, R2, R11; IADD R2, R2, R12
        GST.U32 global14[R1], R2; RET";
    check(program, 64, |t| {
        let byte = (37 * t + 200) as u8;
        let half = (9999 * t) as u16;
        let sum = (byte as i8 as u32).wrapping_add(byte.into()) & 0xffff;
        (7 * sum).wrapping_add(half as i16 as u32).wrapping_add(half.into())
    });
}

#[test]
fn last_byte_of_global_memory_is_accessible() {
    let program = format!("MVI R5, 0xffff; GLD.U8 R2, global14[R5]\n{STORE}RET");
    assert_eq!(run(&program, 1), [0]);
}
