//! Calls, breaks, kills and traps, and narrow accesses, on the circuits in lockstep with the model, at every lane
//! count, and on their Verilog: against results that are computed here, thread by thread.

mod common;

use common::{build, verilator, Folder};
use flexgrip_sim::engine::{Ending, Engine, Options};
use flexgrip_sim::lockstep;
use flexgrip_sim::rtl::{configuration, RtlEngine};
use flexgrip_sim::verilator::VerilatorEngine;

/// Where the threads' results are: a word each.
const RESULTS: usize = 0x1000 / 4;

/// What all programs begin with: R0 = thread, R1 = address of its result, R2 = its input, which is what `input` says.
const HEAD: &str = "I2I.U32.U16 R0, R0L; SHL R1, R0, 2; MVI R3, 0x1000; IADD R1, R1, R3\n";

/// Runs a program of one block of `threads` threads on all circuits. Their results, which must be the same everywhere,
/// or the error.
#[track_caller]
fn run(program: &str, threads: usize) -> Result<Vec<u32>, String> {
    let folder = Folder::new(&[
        (
            "launch.toml",
            &format!(
                "name = \"t\"\nprogram = \"kernel.sass\"\nregisters = 16\ngrid = [1, 1]\nblock = [{threads}, 1, 1]\n"
            ),
        ),
        ("kernel.sass", &format!("{HEAD}{program}")),
    ]);
    let kernel = folder.kernel();
    let mut outcomes = Vec::new();
    let mut engines: Vec<(Box<dyn Engine>, u32)> = Vec::new();
    for lanes in [8, 16, 32] {
        engines.push((Box::new(RtlEngine), lanes));
    }
    if verilator() {
        engines.push((Box::new(VerilatorEngine::default()), 8));
    }
    for (mut engine, lanes) in engines {
        let options = Options {
            configuration: configuration(lanes, 1 << 16),
            max_cycles: 200_000,
            build: build(),
            ..Options::default()
        };
        let (report, compared, difference) =
            lockstep::run(&mut *engine, &kernel.launch, &options, |_| {}).unwrap_or_else(|error| panic!("{error}"));
        let place = format!("{}, {lanes} lanes", engine.name());
        assert!(difference.is_none(), "{place}: {}", difference.unwrap());
        assert!(compared > 0, "{place}: no records");
        outcomes.push(match report.ending {
            Ending::Complete => Ok(report.global[RESULTS..RESULTS + threads].to_vec()),
            Ending::Failed(error) => Err(error.to_string()),
            Ending::Stopped => panic!("{place}: stopped"),
        });
    }
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:#?}");
    outcomes.remove(0)
}

/// Results of a program that ends, against a function of the thread.
#[track_caller]
fn check(program: &str, threads: usize, expected: impl Fn(u32) -> u32) {
    let results = run(program, threads).unwrap_or_else(|error| panic!("{error}"));
    let expected: Vec<u32> = (0..threads as u32).map(expected).collect();
    assert_eq!(results, expected);
}

const STORE: &str = "GST.U32 global14[R1], R2\n";

#[test]
fn subroutines_are_called_from_two_places_and_call_others() {
    let program = format!(
        "MOV R2, R0; CAL.NOINC twice; IADD32I R2, R2, 1; CAL.NOINC twice\n{STORE}RET
        twice: CAL.NOINC once; CAL.NOINC once; RET
        once: IADD R2, R2, R0; IADD32I R2, R2, 3; RET"
    );
    check(&program, 70, |t| 5 * t + 13);
}

#[test]
fn threads_return_one_by_one_and_none_is_lost() {
    // In a subroutine, inside of a divergent if: odd threads return early from there, of the others those above 16
    // from behind it.
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
fn killed_threads_do_nothing_more() {
    let program = format!(
        "MVI R2, 1\n{STORE}MVI R4, 4; LOP.AND.C0 o[0x7f], R0, R4; CAL.NOINC maybe; MVI R2, 3\n{STORE}RET
        maybe: KIL C0.NE; MVI R2, 2\n{STORE}RET"
    );
    check(&program, 40, |t| if t & 4 != 0 { 1 } else { 3 });
}

#[test]
fn errors_of_control_flow() {
    let error = |program: &str| run(program, 32).unwrap_err();
    let head_end = 4 * 8;
    let at = |pc: usize| format!("at PC {:#06x} (SM 0, block 0, warp 0)", head_end + pc);
    let trap = error("NOP; TRAP; RET");
    assert!(trap.contains("trap") && trap.contains(&at(8)), "{trap}");
    let short = error("NOP; MOV32 R1, R1; TRAP32; RET");
    assert!(short.contains("trap") && short.contains(&at(12)), "{short}");
    let breakpoint = error("ISET.C0 o[0x7f], R0, R0, NE; BPT C0.NE; BPT; RET");
    assert!(
        breakpoint.contains("breakpoint") && breakpoint.contains(&at(16)),
        "{breakpoint}"
    );
    let endless = error("again: CAL.NOINC again");
    assert!(endless.contains("overflow") && endless.contains(&at(0)), "{endless}");
    let unbroken = error("NOP; BRK; RET");
    assert!(
        unbroken.contains("underflow") && unbroken.contains(&at(8)),
        "{unbroken}"
    );
    let inside = error("PBK out; CAL.NOINC sub; out: RET\nsub: BRK; RET");
    assert!(inside.contains("underflow"), "{inside}");
}

#[test]
fn bytes_and_halves_are_loaded_and_stored() {
    // The thread's result: a byte, then a half, stored by neighbours into words that they share; loaded back with
    // either sign.
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
fn narrow_accesses_that_are_wrong() {
    let misaligned = run("IADD32I R5, R1, 1; GLD.U16 R2, global14[R5]; RET", 32).unwrap_err();
    assert!(misaligned.contains("misaligned"), "{misaligned}");
    // The last byte there is can be had, the next one cannot.
    let program = |address: u32| format!("MVI R5, {address:#x}; GLD.U8 R2, global14[R5]\n{STORE}RET");
    assert_eq!(run(&program(0xffff), 1), Ok(vec![0]));
    let outside = run(&program(0x1_0000), 1).unwrap_err();
    assert!(outside.contains("range"), "{outside}");
}
