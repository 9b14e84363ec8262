//! Runs small kernels for single instructions, on the circuits at every lane count in lockstep with the model. The
//! records must agree, and memory must contain the results that the test computes independently.

mod barriers;
mod coalescing;
mod wide_accesses;

use crate::common::{launch, run, run_all, run_on, with_verilog_of, LANES};
use flexgrip_machine::{ErrorKind, Launch, Retire};
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::trace::ending::Ending;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random words, with corner cases of 16 and 32 bits.
fn operands(seed: u64, count: usize) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let corners = [0, 1, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    (0..count)
        .map(|_| match rng.gen() {
            true => corners[rng.gen_range(0..corners.len())],
            false => rng.gen(),
        })
        .collect()
}

/// Runs a kernel on Verilator and on the native circuits, which must give the same records.
#[track_caller]
fn run_both(launch: &Launch, lanes: u32) -> (RunReport, Vec<Retire>) {
    let (report, records) = run(launch, lanes);
    if let Some((other, other_records)) = with_verilog_of(lanes, |engine| run_on(engine, launch, lanes)) {
        assert_eq!(
            (report.ending, report.cycles),
            (other.ending, other.cycles),
            "{lanes} lanes"
        );
        assert_eq!(report.global, other.global, "{lanes} lanes");
        assert_eq!(records, other_records, "{lanes} lanes");
    }
    (report, records)
}

/// The zero and sign flags of a result of `bits` bits.
fn zero_sign(value: u32, bits: u32) -> u32 {
    u32::from(value == 0) | (value >> (bits - 1) & 1) << 1
}

#[test]
fn isad_sums_distances_of_both_widths_and_signs() {
    const THREADS: usize = 64;
    let kernel = "
        SHL R1, R0, 2
        GLD.U32 R2, global14[R1]        // a
        IADD32I R1, R1, 0x100
        GLD.U32 R3, global14[R1]        // b
        IADD32I R1, R1, 0x100
        GLD.U32 R4, global14[R1]        // c
        ISAD.C1 R5, R2, R3, R4
        C2R R6, C1
        ISAD.S32.C2 R7, R2, R3, R4
        ISAD.U16.C3 R8, R2L, R3H, R4
        C2R R9, C3
        ISAD.S16 R10, R2H, R3L, R4
        MOV R11, R4
        ISAD32 R11, R2, R3, R11
        MOV R12, R4
        ISAD32.S16 R12, R2L, R3L, R12
        C2R R13, C2
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R5
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R6
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R7
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R8
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R9
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R10
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R11
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R12
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R13
        RET
    ";
    let memory = operands(1, 3 * THREADS);
    let inputs = memory.clone();
    run_all(&launch(kernel, 1, THREADS as u32, memory), |global, context| {
        for thread in 0..THREADS {
            let [a, b, c] = [0, 1, 2].map(|row| inputs[row * THREADS + thread]);
            let (low, high) = (|x: u32| x & 0xffff, |x: u32| x >> 16);
            let signed16 = |x: u32, y: u32| (x as u16 as i16).abs_diff(y as u16 as i16);
            // Sum and condition code are computed as in a 32-bit addition, even for distances of halves.
            let sum = |distance: u32| {
                let (sum, carry) = distance.overflowing_add(c);
                let (_, overflow) = (distance as i32).overflowing_add(c as i32);
                let code = zero_sign(sum, 32) | u32::from(carry) << 2 | u32::from(overflow) << 3;
                (sum, code)
            };
            let unsigned = sum(a.abs_diff(b));
            let signed = sum((a as i32).abs_diff(b as i32));
            let halves = sum(low(a).abs_diff(high(b)));
            let want = [
                unsigned.0,
                unsigned.1,
                signed.0,
                halves.0,
                halves.1,
                sum(signed16(high(a), low(b)).into()).0,
                unsigned.0,
                sum(signed16(low(a), low(b)).into()).0,
                signed.1,
            ];
            let got: Vec<u32> = (0..want.len())
                .map(|row| global[(3 + row) * THREADS + thread])
                .collect();
            assert_eq!(got, want, "{context}, thread {thread}: {a:08x} {b:08x} {c:08x}");
        }
    });
}

#[test]
fn condition_codes_round_trip_through_registers() {
    const THREADS: usize = 40;
    // In the second iteration only odd threads set C1; C2 is read where it is EQ; C3 has never been written; C1's carry
    // decides a branch.
    let kernel = "
        SHL R1, R0, 2
        GLD.U32 R2, global14[R1]
        R2C C1, R2
        C2R R3, C1
        LOP32I.AND R4, R0, 1
        IADD.C0 o[0x7f], R4, R124
        LOP.XOR R5, R2, R1
        R2C C1 (C0.NE), R5
        C2R R6, C1
        R2C C2, R2
        MVI R7, 99
        C2R R7 (C2.EQ), C2
        C2R R8, C3
        MVI R9, 5
        BRA C1.CARRY, taken
        MVI R9, 6
taken:  NOP.S
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R3
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R6
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R7
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R8
        IADD32I R1, R1, 0x100
        GST.U32 global14[R1], R9
        RET
    ";
    let memory = operands(2, 64);
    let inputs = memory.clone();
    run_all(&launch(kernel, 1, THREADS as u32, memory), |global, context| {
        for thread in 0..THREADS {
            let word = inputs[thread];
            let second = if thread % 2 == 1 {
                word ^ (4 * thread as u32)
            } else {
                word
            };
            let zero = word & 1 == 1 && word & 2 == 0;
            let want = [
                word & 15,
                second & 15,
                if zero { word & 15 } else { 99 },
                0,
                if second & 4 != 0 { 5 } else { 6 },
            ];
            let got = [1, 2, 3, 4, 5].map(|row| global[64 * row + thread]);
            assert_eq!(got, want, "{context}, thread {thread}: {word:08x}");
        }
    });
}

#[test]
fn physical_id_and_clock_are_read() {
    // Blocks of two warps, more than are resident at once.
    let kernel = "
        I2I.U32.U16 R4, g[6].U16
        S2R R1, SR1
        S2R R2, SR0
        S2R R5, SR2
        S2R R6, SR5
        LOP32I.AND R3, R0, 1
        IADD.C0 o[0x7f], R3, R124
        MVI R7, 1
        S2R R7 (C0.EQ), SR1
        IADD R5, R5, R6
        MVI R8, 64
        IMUL.U16.U16 R8, R4L, R8L
        IADD R8, R8, R0
        SHL R8, R8, 4
        MOV R4, R1
        MOV R6, R5
        MOV R5, R2
        GST.S128 global14[R8], R4
        RET
    ";
    let launch = launch(kernel, 20, 64, vec![]);
    for lanes in LANES {
        let (report, records) = run_both(&launch, lanes);
        assert_eq!(report.ending, Ending::Complete, "{lanes} lanes");
        let clocks = records
            .iter()
            .filter(|record| record.word & 0xf000_0003 == 1 && record.word >> 61 == 3);
        let mut offsets = Vec::new();
        for record in clocks.filter(|record| record.word >> 46 & 15 == 1) {
            let lane = record.executed.trailing_zeros() as usize;
            let write = record.destination.as_ref().unwrap();
            offsets.push(record.issue_cycle.unwrap() as i64 - i64::from(write.values[lane]));
        }
        assert_eq!(offsets.len(), 80, "{lanes} lanes");
        // The value is the issue cycle plus a constant.
        println!("{lanes} lanes: the clock's 0 is cycle {}", offsets[0]);
        assert!(
            offsets.iter().all(|offset| offset == &offsets[0]),
            "{lanes} lanes: {offsets:?}"
        );
        assert!((0..4).contains(&offsets[0]), "{lanes} lanes: {}", offsets[0]);
        for thread in 0..20 * 64 {
            let words = &report.global[4 * thread..][..4];
            assert_eq!((words[1] & 0xff) as usize, thread % 32, "{lanes} lanes");
            // Eight blocks of two warps are resident.
            assert!(words[1] >> 8 < 16 && words[2] == 0, "{lanes} lanes: {words:x?}");
        }
    }
}

#[test]
fn undefined_special_registers_are_illegal() {
    for number in [3, 8, 15] {
        for lanes in LANES {
            let (report, _) = run_both(&launch(&format!("S2R R1, SR{number}; RET"), 1, 32, vec![]), lanes);
            let Ending::Failed(error) = report.ending else {
                panic!("SR{number}, {lanes} lanes: {:?}", report.ending);
            };
            assert_eq!(error.kind, ErrorKind::IllegalInstruction, "SR{number}, {lanes} lanes");
        }
    }
}
