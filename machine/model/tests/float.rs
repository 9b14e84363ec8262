//! Float instructions on the model: routing of operands, signs, modes, condition codes, halves. The functions' results
//! are tested in `flexgrip-arith`; the numbers here are chosen so that a wrong operand shows.

mod common;

use common::{by_lane, kernel};
use flexgrip_isa::table::ROWS;
use flexgrip_isa::{decode, Unit};
use flexgrip_machine::{Configuration, ErrorKind, ImageSpace, MemoryImage, RegisterPart};
use flexgrip_model::Machine;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const NAN: u32 = 0x7fff_ffff;
const ZERO: u8 = 1;
const SIGN: u8 = 2;
const UNORDERED: u8 = 3;

const fn bits(value: f32) -> u32 {
    value.to_bits()
}

/// Executes one instruction with R1 = 5.5, R2 = -2, R3 = 0.75, R4 = 3, R5 = a NaN, c[1][0] = 10, g[4] = 7; returns its
/// results, the same in all lanes.
#[track_caller]
fn execute(instruction: &str) -> (u32, Option<u8>) {
    let [r1, r2, r3, r4] = [5.5, -2.0, 0.75, 3.0].map(bits);
    let mut kernel = kernel(
        32,
        &format!(
            "MVI R1, {r1:#x}; MVI R2, {r2:#x}; MVI R3, {r3:#x}; MVI R4, {r4:#x}; MVI R5, 0xff800123
             here: {instruction}
             after: NOP
             RET"
        ),
    );
    kernel.launch.memory = vec![MemoryImage {
        space: ImageSpace::Constant { bank: 1 },
        address: 0,
        words: vec![bits(10.0)],
    }];
    // Parameter 0 is word 4 of shared memory.
    kernel.launch.params = vec![bits(7.0)];
    let run = kernel.finish();
    let record = run.record("here");
    let write = record.destination.as_ref().expect("a result");
    assert_eq!(write.values, [write.values[0]; 32], "{instruction}");
    let code = record.cc.as_ref().map(|write| {
        assert_eq!(write.values, [write.values[0]; 32], "{instruction}");
        write.values[0]
    });
    (write.values[0], code)
}

#[track_caller]
fn gives(instruction: &str, value: f32) {
    value_of(instruction, bits(value));
}

#[track_caller]
fn value_of(instruction: &str, want: u32) {
    let (value, code) = execute(instruction);
    assert_eq!(
        (format!("{value:08x}"), code),
        (format!("{want:08x}"), None),
        "{instruction}"
    );
}

#[track_caller]
fn gives_with_code(instruction: &str, want: u32, code: u8) {
    let (value, got) = execute(instruction);
    assert_eq!(
        (format!("{value:08x}"), got),
        (format!("{want:08x}"), Some(code)),
        "{instruction}"
    );
}

#[test]
fn addition_follows_the_contract() {
    gives("FADD R8, R1, R2", 3.5);
    gives("FADD R8, -R1, R2", -7.5);
    gives("FADD R8, R1, -R2", 7.5);
    gives("FADD R8, -R1, -R2", -3.5);
    gives("FADD.SAT R8, R1, R2", 1.0);
    gives("FADD.SAT R8, -R1, R2", 0.0);
    gives("FADD R8, R1, c[1][0]", 15.5);
    gives("FADD R8, g[4], -R1", 1.5);
    gives("FADD32 R8, R1, -R2", 7.5);
    gives("FADD32.SAT R8, R3, R2", 0.0);
    gives("FADD32I R8, R1, 0.5", 6.0);
    gives("FADD32I.NEG R8, R1, 0.5", 5.0);
    gives("FADD32I R8, -R1, 0.5", -5.0);
    value_of("FADD R8, R1, R5", NAN);
    // 5.5 + 2^-22 - 2^-24: more than half a unit in the last place.
    value_of("FADD32I R8, R1, 0x34400000", bits(5.5));
    value_of("FADD32I R8, R1, 0x34800001", bits(5.5) + 1);
}

#[test]
fn addition_rounds_toward_zero() {
    let run = kernel(
        1,
        "MVI R1, 0x3f800000; MVI R2, 0x33ffffff
         FADD R3, R1, R2; FADD.TRUNC R4, R1, R2; FADD.TRUNC R5, -R1, -R2; FMUL R6, R2, R2; FMUL.TRUNC R7, R2, R2
         RET",
    )
    .finish();
    assert_eq!(run.register(3)[0], 0x3f80_0001);
    assert_eq!(run.register(4)[0], 0x3f80_0000);
    assert_eq!(run.register(5)[0], 0xbf80_0000);
    assert_eq!(run.register(6)[0], 0x287f_fffe);
    assert_eq!(run.register(7)[0], 0x287f_fffe);
}

/// Each thread of a quad combines source 1 of the chosen thread, which need not be active or even exist, with its own
/// source 3.
#[test]
fn fswz_combines_threads_of_a_quad() {
    let run = kernel(
        38,
        "I2F.F32.U32 R1, R0; FADD32I R2, R1, 100.0; MVI R9, 7
         ISET.C1 o[0x7f], R0, R124, GT
         all: FSWZ.L1.C2 R3, R1, R2, ADD, SUBR, SUB, MOV
         some: FSWZ.L0 R9 (C1.NE), R1, R2, SUBR, SUBR, SUBR, SUBR
         none: FSWZ.DY.C3 R4, R1, R2, SUB, ADD, SUBR, MOV
         RET",
    )
    .finish();
    let sums = |warp: u32| {
        by_lane(|lane| {
            let (other, own) = (warp * 32 + (lane & !3) + 1, warp * 32 + lane + 100);
            let [other, own] = [other as f32, own as f32];
            bits([other + own, own - other, other - own, own][lane as usize & 3])
        })
    };
    let of = |label: &str, warp: u32| {
        let at = run.kernel.at(label);
        let mut records = run.records.iter();
        records
            .find(|record| record.pc == at && record.warp_in_block == warp)
            .expect("it ran")
    };
    let values = |label: &str, warp: u32| of(label, warp).destination.as_ref().expect("a result").values;
    assert_eq!(values("all", 0), sums(0));
    assert_eq!(values("all", 1)[..6], sums(1)[..6]);
    let codes = of("all", 0).cc.as_ref().expect("a code").values;
    assert_eq!(codes[..4], [0, 0, SIGN, 0]);
    // Thread 0 is inactive here, but its source 1 is read.
    assert_eq!(of("some", 0).executed, 0xffff_fffe);
    assert_eq!(values("some", 0)[1..4], [101.0, 102.0, 103.0].map(bits));
    assert_eq!(values("none", 0), [0; 32]);
    assert_eq!(of("none", 0).cc.as_ref().expect("a code").values, [ZERO; 32]);

    // The last warp has one thread, 32; R0 of the missing thread 35 holds the number that it would have.
    let mut alone = kernel(33, "last: FSWZ.L3 R1, R0, R124, ADD, ADD, ADD, ADD; RET");
    alone.launch.block = [1, 1, 33];
    let run = alone.finish();
    let record = run
        .records
        .iter()
        .find(|record| record.pc == 0 && record.warp_in_block == 1);
    let write = record.and_then(|record| record.destination.as_ref()).expect("a result");
    assert_eq!(write.values[0], 35 << 26);
}

#[test]
fn multiplication_follows_the_contract() {
    gives("FMUL R8, R1, R2", -11.0);
    gives("FMUL R8, -R1, R2", 11.0);
    gives("FMUL R8, R1, -R2", 11.0);
    // A product is never clamped.
    gives("FMUL.SAT R8, R1, R2", -11.0);
    gives("FMUL.SAT R8, -R1, R2", 11.0);
    gives("FMUL32I.SAT R8, R1, 2.0", 11.0);
    gives("FMUL R8, R1, c[1][0]", 55.0);
    gives("FMUL R8, g[4], R1", 38.5);
    gives("FMUL32 R8, R1, -R2", 11.0);
    gives("FMUL32.SAT R8, R1, R4", 16.5);
    gives("FMUL32I R8, R1, 2.0", 11.0);
    gives("FMUL32I.NEG R8, R1, 2.0", -11.0);
    value_of("FMUL32I R8, R1, 0x7f800000", bits(f32::INFINITY));
}

#[test]
fn multiplication_addition_follows_the_contract() {
    gives("FMAD R8, R1, R2, R3", -10.25);
    gives("FMAD R8, -R1, R2, R3", 11.75);
    gives("FMAD R8, R1, R2, -R3", -11.75);
    gives("FMAD.SAT R8, R1, R2, R3", 0.0);
    gives("FMAD R8, R1, c[1][0], R3", 55.75);
    gives("FMAD R8, R1, R2, c[1][0]", -1.0);
    gives("FMAD R8, g[4], R2, R3", -13.25);
    // The destination is source 3.
    gives("FMAD32 R3, R1, R2, R3", -10.25);
    gives("FMAD32 R3, -R1, R2, R3", 11.75);
    gives("FMAD32.SAT R3, R1, R4, R3", 1.0);
    gives("FMAD32 R3, R1, R2, -R3", -11.75);
    gives("FMAD32I R3, R1, 2.0, R3", 11.75);
    gives("FMAD32I R3, -R1, 2.0, -R3", -11.75);
}

#[test]
fn multiplication_addition_is_not_fused() {
    // (1 + 2^-23)^2 - 1 is 2^-22 + 2^-46: the product has lost its last bits.
    let run = kernel(
        1,
        "MVI R1, 0x3f800001; MVI R2, 0xbf800000
         FMAD R3, R1, R1, R2
         RET",
    )
    .finish();
    assert_eq!(run.register(3)[0], bits(2f32.powi(-22)));
}

#[test]
fn comparison_takes_all_sixteen_sets() {
    // By number: less, equal, greater, unordered are bits 0 to 3.
    let sets = [
        "FALSE", "LT", "EQ", "LE", "GT", "NE", "GE", "LEG", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "TRUE",
    ];
    for (set, name) in sets.iter().enumerate() {
        for (operands, outcome) in [
            ("R2, R1", 0),
            ("R1, R1", 1),
            ("R1, R2", 2),
            ("R5, R1", 3),
            ("R1, R5", 3),
        ] {
            let truth = set >> outcome & 1 == 1;
            let (value, code) = if truth { (u32::MAX, SIGN) } else { (0, ZERO) };
            gives_with_code(&format!("FSET.C1 R8, {operands}, {name}"), value, code);
        }
    }
    gives_with_code("FSET.C1 R8, |R2|, R2, GT", u32::MAX, SIGN);
    gives_with_code("FSET.C1 R8, R1, -R1, GT", u32::MAX, SIGN);
    gives_with_code("FSET.C1 R8, R2, -|R2|, EQ", u32::MAX, SIGN);
    gives_with_code("FSET.C1 R8, R1, c[1][0], LT", u32::MAX, SIGN);
}

#[test]
fn minimum_maximum_and_selection_follow_the_contract() {
    gives("FMIN R8, R1, R2", -2.0);
    gives("FMAX R8, R1, R2", 5.5);
    gives("FMIN R8, -R1, |R2|", -5.5);
    gives("FMAX R8, -|R1|, -R2", 2.0);
    gives("FMAX R8, R5, R2", -2.0);
    value_of("FMIN R8, R5, R5", NAN);
    gives("FSLCT R8, R1, R3, R4", 5.5);
    gives("FSLCT R8, R1, R3, -R4", 0.75);
    gives("FSLCT R8, R1, R3, R2", 0.75);
    gives("FSLCT R8, R1, R3, R5", 0.75);
    gives("FSLCT R8, R1, c[1][0], R2", 10.0);
    // A NaN is passed through. The condition code has its sign bit.
    gives_with_code("FSLCT.C2 R8, R5, R3, R4", 0xff80_0123, SIGN);
}

#[test]
fn float_results_set_condition_codes() {
    gives_with_code("FADD.C0 R8, R1, R2", bits(3.5), 0);
    gives_with_code("FADD.C1 R8, R1, -R1", 0, ZERO);
    gives_with_code("FMUL.C2 R8, R1, R2", bits(-11.0), SIGN);
    gives_with_code("FMAD.C3 R8, R1, R5, R2", NAN, UNORDERED);
    gives_with_code("FMAX.C0 R8, R2, R2", bits(-2.0), SIGN);
    gives_with_code("F2F.F32.F32.C0 R8, R5", NAN, UNORDERED);
    gives_with_code("F2I.S32.F32.C0 R8, R2", -2i32 as u32, SIGN);
    gives_with_code("I2F.F32.S32.C0 R8, R2", bits(-1_073_741_824.0), SIGN);
}

#[test]
fn a_condition_on_a_nan_chooses_the_threads() {
    // Even lanes have a NaN.
    let run = kernel(
        8,
        "MVI R1, 1; LOP.AND R1, R1, R0
         I2F.F32.U32 R2, R1; RCP R3, R2; MVI R4, 0; FMUL.C0 R4, R3, R4
         MVI R5, 7; yes: MVI R6, 0; MOV R5 (C0.NAN), R6
         unordered: FADD.C1 R7 (C0.NAN), R4, R4; ordered: FADD.C1 R7 (C0.LEG), R2, R2
         RET",
    )
    .finish();
    let even = |lane: u32| lane % 2 == 0;
    assert_eq!(
        run.register(5)[..8],
        by_lane(|lane| if even(lane) { 0 } else { 7 })[..8]
    );
    assert_eq!(
        (run.record("unordered").executed, run.record("ordered").executed),
        (0x55, 0xaa)
    );
    let result = by_lane(|lane| if even(lane) { NAN } else { bits(2.0) });
    assert_eq!(run.register(7)[..8], result[..8]);
}

#[test]
fn f2f_rounds_to_integral_values() {
    for (mode, of_5_5, of_minus_0_75) in [
        ("", 5.5, -0.75),
        (".ROUND", 6.0, -1.0),
        (".FLOOR", 5.0, -1.0),
        (".CEIL", 6.0, -0.0),
        (".TRUNC", 5.0, -0.0),
    ] {
        gives(&format!("F2F.F32.F32{mode} R8, R1"), of_5_5);
        gives(&format!("F2F.F32.F32{mode} R8, -R3"), of_minus_0_75);
        gives(&format!("F2F.F32.F32{mode} R8, -|R3|"), of_minus_0_75);
        gives(&format!("F2F.SAT.F32.F32{mode} R8, -R3"), 0.0);
        gives(&format!("F2F.SAT.F32.F32{mode} R8, R1"), 1.0);
    }
    gives("F2F.F32.F32 R8, |R2|", 2.0);
}

#[test]
fn floats_become_integers() {
    for (mode, of_5_5, of_minus_0_75) in [("", 6, -1i32), (".FLOOR", 5, -1), (".CEIL", 6, 0), (".TRUNC", 5, 0)] {
        value_of(&format!("F2I.S32.F32{mode} R8, R1"), of_5_5);
        value_of(&format!("F2I.U32.F32{mode} R8, R1"), of_5_5);
        value_of(&format!("F2I.S32.F32{mode} R8, -R3"), of_minus_0_75 as u32);
        value_of(&format!("F2I.U32.F32{mode} R8, -R3"), 0);
        value_of(&format!("F2I.S16.F32{mode} R8L, -R3"), of_minus_0_75 as u32 & 0xffff);
        value_of(&format!("F2I.U16.F32{mode} R8H, R1"), of_5_5);
    }
    value_of("F2I.S32.F32 R8, |R2|", 2);
    value_of("F2I.S32.F32 R8, R5", 0);
    let half = kernel(
        1,
        "MVI R1, 0x47c35000; MVI R2, 0xabcd1234\n here: F2I.S16.F32 R2H, R1\n RET",
    )
    .finish();
    let write = half.record("here").destination.clone().expect("a result");
    assert_eq!((write.part, write.values[0]), (RegisterPart::High, 0x7fff));
}

#[test]
fn integers_become_floats() {
    let run = kernel(
        1,
        "MVI R1, 0xfffe80ff; MVI R2, 0x1000003
         a: I2F.F32.U32 R8, R1; b: I2F.F32.S32 R8, R1; c: I2F.F32.U16 R8, R1L; d: I2F.F32.S16 R8, R1H
         e: I2F.F32.S32 R8, -R1; f: I2F.F32.S32 R8, |R1|; g: I2F.F32.S16 R8, -|R1L|
         n: I2F.F32.U32 R8, R2; m: I2F.F32.U32.FLOOR R8, R2; p: I2F.F32.U32.CEIL R8, R2; z: I2F.F32.U32.TRUNC R8, R2
         RET",
    )
    .finish();
    for (label, want) in [
        ("a", 4_294_869_247.0),
        ("b", -98_049.0),
        ("c", 33_023.0),
        ("d", -2.0),
        ("e", 98_049.0),
        ("f", 98_049.0),
        ("g", -32_513.0),
        ("n", 16_777_220.0),
        ("m", 16_777_218.0),
        ("p", 16_777_220.0),
        ("z", 16_777_218.0),
    ] {
        let write = run.record(label).destination.as_ref().expect("a result");
        assert_eq!(f32::from_bits(write.values[0]), want, "{label}");
    }
}

#[test]
fn bytes_become_floats() {
    let run = kernel(
        1,
        "MVI R1, 0xfffe80ff
         a: I2F.F32.U16.BEXT R8, R1L; b: I2F.F32.S16.BEXT R8, R1L; c: I2F.F32.S16.BEXT R8, R1H
         d: I2F.F32.U16.BEXT R8, R1H; e: I2F.F32.U32.BEXT R8, R1; f: I2F.F32.S32.BEXT R8, -R1
         RET",
    )
    .finish();
    for (label, want) in [
        ("a", 255.0),
        ("b", -1.0),
        ("c", -2.0),
        ("d", 254.0),
        ("e", 255.0),
        ("f", 1.0),
    ] {
        let write = run.record(label).destination.as_ref().expect("a result");
        assert_eq!(f32::from_bits(write.values[0]), want, "{label}");
    }
}

#[test]
fn half_precision_lives_in_register_halves() {
    let run = kernel(
        1,
        "MVI R1, 0x40b00000; MVI R2, 0xffff; MVI R9, 100
         F2F.F16.F32 R2H, R1; F2F.F16.F32 R2L, -R1
         F2F.F32.F16 R3, R2L; F2F.F32.F16 R4, |R2L|
         F2I.S32.F16 R5, R2L; F2I.S16.F16.TRUNC R6H, R2L
         I2F.F16.S32 R7L, R9; F2F.F16.F16.FLOOR R8L, R2L
         small: I2F.F16.S32.C1 R7H, -R9
         RET",
    )
    .finish();
    let last = |index: u8, part: RegisterPart| {
        let mut writes = run
            .records
            .iter()
            .rev()
            .filter_map(|record| record.destination.as_ref());
        let write = writes.find(|write| (write.register, write.part) == (index, part));
        write.expect("a write").values[0]
    };
    assert_eq!(last(2, RegisterPart::High), 0x4580);
    assert_eq!(last(2, RegisterPart::Low), 0xc580);
    assert_eq!(f32::from_bits(last(3, RegisterPart::Full)), -5.5);
    assert_eq!(f32::from_bits(last(4, RegisterPart::Full)), 5.5);
    assert_eq!(last(5, RegisterPart::Full) as i32, -6);
    assert_eq!(last(6, RegisterPart::High), 0xfffb);
    assert_eq!(last(7, RegisterPart::Low), 0x5640);
    assert_eq!(last(8, RegisterPart::Low), 0xc600);
    assert_eq!(last(7, RegisterPart::High), 0xd640);
    assert_eq!(run.record("small").cc.as_ref().map(|write| write.values[0]), Some(SIGN));
}

#[test]
fn special_functions_take_their_operand_and_its_sign() {
    gives("RCP R8, R2", -0.5);
    gives("RCP R8, |R2|", 0.5);
    gives("RCP R8, -R2", 0.5);
    gives("RCP R8, -|R2|", -0.5);
    gives("RCP32 R8, R2", -0.5);
    gives("RCP32 R8, -R2", 0.5);
    value_of("RSQ R8, R2", NAN);
    // 1 / sqrt(2) is 0x3f3504f3: within the function's 1.5 units in the last place.
    value_of("RSQ R8, |R2|", 0x3f35_04f2);
    gives("LG2 R8, -R2", 1.0);
    value_of("LG2 R8, R2", NAN);
    value_of("RRO R8, R1, EX2", 0x2c0_0000);
    value_of("RRO R8, -R1, EX2", 0x82c0_0000);
    value_of("RRO R8, |R2|, EX2", 0x100_0000);
    // 2 / (pi/2) is 1.273.
    value_of("RRO R8, -R2, SIN", 0xa2_f983);
}

#[test]
fn functions_take_reduced_operands() {
    let run = kernel(
        1,
        "MVI R1, 0xc0000000; MVI R2, 0x40400000; MVI R3, 0x3f860a92
         RRO R4, R1, EX2; EX2 R5, R4; RRO R4, R2, EX2; EX2 R6, R4; EX2.SAT R7, R4
         RRO R4, R3, SIN; SIN R8, R4; COS R9, R4; RRO R4, -R3, SIN; SIN R10, R4; COS R11, R4
         RET",
    )
    .finish();
    let value = |index: u8| f32::from_bits(run.register(index)[0]);
    assert_eq!((value(5), value(6), value(7)), (0.25, 8.0, 1.0));
    let near = |index: u8, exact: f64| {
        let error = (f64::from(value(index)) - exact).abs();
        assert!(error < 2f64.powi(-21), "R{index}: {}", value(index));
    };
    // pi/3.
    near(8, 0.75f64.sqrt());
    near(9, 0.5);
    near(10, -0.75f64.sqrt());
    near(11, 0.5);
}

#[test]
fn every_float_row_is_executed_with_any_fields() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let rows = ROWS
        .iter()
        .filter(|row| matches!(row.unit, Unit::Float | Unit::SpecialFunction));
    let mut counted = 0;
    for row in rows {
        counted += 1;
        let mut tried = 0;
        while tried < 200 {
            let word = random.gen::<u64>() & !row.pattern.mask | row.pattern.value;
            // Some fields have undefined values, and some bits change the form.
            if !row.pattern.matches(word) || decode(word).is_err() {
                continue;
            }
            tried += 1;
            let mut kernel = kernel(32, "RET");
            kernel.launch.program = vec![word as u32, (word >> 32) as u32];
            let mut machine = Machine::new(kernel.launch, Configuration::default()).expect("a launch that fits");
            if let Err(error) = machine.step_warp(0, 0) {
                // An operand in memory may be out of range.
                assert_ne!(error.kind, ErrorKind::IllegalInstruction, "{error}");
            }
        }
    }
    assert!(counted >= 30, "{counted} rows");
}
