//! Double precision: registers, operands and codes. The arithmetic is tested with vectors, in `vectors.rs`.

use super::running::{configuration, launch, machine, record, run, words, LIMIT};
use flexgrip_isa::Capability;
use flexgrip_model::check::{Fault, Use};
use flexgrip_model::Machine;

fn double(value: f64) -> [u32; 2] {
    let bits = value.to_bits();
    [bits as u32, (bits >> 32) as u32]
}

/// Loads doubles from global memory into R2, R4 and R6, executes, and stores R8 and R9.
fn program(instruction: &str) -> String {
    format!(
        "MVI R8, 0\nMVI R9, 0\nMVI R1, 0\nGLD.S64 R2, global14[R1]\nMVI R1, 8\nGLD.S64 R4, global14[R1]\nMVI R1, 16\n\
         GLD.S64 R6, global14[R1]\n{instruction}\nMVI R1, 24\nGST.S64 global14[R1], R8\nRET"
    )
}

fn result(instruction: &str, operands: [f64; 3]) -> ([u32; 2], u8, Vec<u8>) {
    let start: Vec<u32> = operands.into_iter().flat_map(double).collect();
    let (machine, records) = run(launch(&program(instruction), 1, &start));
    let record = record(&records, 8);
    let stored = words(&machine, 8);
    let registers = record
        .destination
        .iter()
        .chain(&record.further)
        .map(|write| write.register);
    let code = record.cc.as_ref().map_or(0, |write| write.values[0]);
    ([stored[6], stored[7]], code, registers.collect())
}

#[test]
fn operations_have_their_results() {
    for (instruction, operands, expected, code) in [
        ("DFMA.C0 R8, R2, R4, R6", [3.0, 5.0, -15.0], 0.0, 1),
        ("DFMA.C0 R8, -R2, R4, -R6", [1.5, 2.0, 0.25], -3.25, 2),
        ("DADD.C0 R8, R2, -R4", [1e300, 1e300, 0.0], 0.0, 1),
        ("DADD.FLOOR.C0 R8, R2, -R4", [1.0, 1.0, 0.0], -0.0, 1),
        ("DADD.C0 R8, R2, R4", [1.0, f64::EPSILON / 2.0, 0.0], 1.0, 0),
        (
            "DADD.CEIL.C0 R8, R2, R4",
            [1.0, f64::EPSILON / 2.0, 0.0],
            1.0 + f64::EPSILON,
            0,
        ),
        ("DMUL.C0 R8, -R2, R4", [2.5, 4.0, 0.0], -10.0, 2),
        (
            "DMUL.TRUNC.C0 R8, R2, R4",
            [f64::MIN_POSITIVE, 0.5, 0.0],
            f64::MIN_POSITIVE / 2.0,
            0,
        ),
        ("DMIN.C0 R8, R2, -|R4|", [2.0, 7.0, 0.0], -7.0, 2),
        ("DMAX.C0 R8, |R2|, R4", [-9.0, 7.0, 0.0], 9.0, 0),
        ("F2F.F64.F64.C0 R8, -R2", [1.5, 0.0, 0.0], -1.5, 2),
        ("F2F.F64.F64.ROUND.C0 R8, R2", [2.5, 0.0, 0.0], 2.0, 0),
        ("F2F.F64.F64.CEIL.C0 R8, R2", [-0.5, 0.0, 0.0], -0.0, 1),
    ] {
        let (found, cc, registers) = result(instruction, operands);
        assert_eq!((found, cc), (double(expected), code), "{instruction}");
        assert_eq!(registers, [8, 9], "{instruction}");
    }
    // 32-bit results leave the next register alone.
    for (instruction, operands, expected, code) in [
        ("DSET.C0 R8, R2, R4, LT", [1.0, 2.0, 0.0], u32::MAX, 2),
        ("DSET.C0 R8, R2, R4, GEU", [1.0, 2.0, 0.0], 0, 1),
        ("DSET.C0 R8, R2, R4, GEU", [f64::NAN, 2.0, 0.0], u32::MAX, 2),
        ("F2F.F32.F64.C0 R8, -R2", [0.5, 0.0, 0.0], (-0.5f32).to_bits(), 2),
        ("F2I.S32.F64.TRUNC.C0 R8, R2", [-3.75, 0.0, 0.0], -3i32 as u32, 2),
        ("F2I.U32.F64.C0 R8, R2", [5e9, 0.0, 0.0], u32::MAX, 10),
    ] {
        let (found, cc, registers) = result(instruction, operands);
        assert_eq!((found, cc), ([expected, 0], code), "{instruction}");
        assert_eq!(registers, [8], "{instruction}");
    }
}

/// Tests conversions from 32 bits, also from shared memory, and with a discarded result.
#[test]
fn sources_of_32_bits_are_converted() {
    let text = "MVI R2, 0xfffffff9\nI2F.F64.S32 R4, R2\nMVI R3, 0x40\nR2A A1, R3\nMVI R6, 0x3fc00000\nR2G.U32.U32 g[A1+0x0], R6\n\
        F2F.F64.F32.C1 R6, -g[0x10]\nDSET.C2 o[0x7f], R4, R6, LT\nMVI R1, 0\nGST.S64 global14[R1], R4\nMVI R1, 8\nGST.S64 global14[R1], R6\nRET";
    let (machine, records) = run(launch(text, 1, &[0; 4]));
    assert_eq!(words(&machine, 4), [double(-7.0), double(-1.5)].concat());
    let set = record(&records, 7);
    assert!(set.destination.is_none());
    assert_eq!(set.cc.as_ref().unwrap().values[0], 2);
    assert_eq!(record(&records, 6).cc.as_ref().unwrap().values[0], 2);
}

/// The destination may be an operand. A register that the launch does not have reads 0 and drops its word of a result.
#[test]
fn registers_overlap_and_end() {
    let start: Vec<u32> = [double(1.5), double(2.5), double(4.0)].concat();
    let text = program("DFMA R4, R2, R4, R4\nMOV R8, R4\nMOV R9, R5");
    let (machine, _) = run(launch(&text, 1, &start));
    assert_eq!(words(&machine, 8)[6..], double(1.5 * 2.5 + 2.5));
    // The launch has 15 registers, so R14 is the last one.
    let text = program("DADD R14, R2, R4\nMOV R8, R14\nMOV R9, R15");
    let mut short = launch(&text, 1, &[1, 2, 3, 4, 0, 0]);
    short.registers = 15;
    let (machine, records) = run(short);
    let add = record(&records, 8);
    let sum = f64::from_bits(2 << 32 | 1) + f64::from_bits(4 << 32 | 3);
    assert_eq!(words(&machine, 8)[6..], [double(sum)[0], 0]);
    assert!(add.destination.is_some() && add.further.is_empty());
}

/// FMUL.SAT and bit 54 of conversions depend on the machine, not on the program.
#[test]
fn meanings_depend_on_the_machine() {
    let text = "MVI R2, 0x40000000\nMVI R3, 0xbf800000\nFMUL.SAT R4, R2, R2\nFMUL.SAT R5, R2, R3\nFMUL32.SAT R6, R2, R2\nFMUL32I.SAT R7, R3, 0x3f800000\n\
        MVI R1, 0\nGST.S128 global14[R1], R4\nRET";
    for &capability in Capability::ALL {
        let mut launch = launch(text, 1, &[0; 4]);
        launch.capability = Capability::V1_0;
        let mut machine = Machine::new(launch, configuration(capability)).unwrap();
        machine.run(LIMIT).unwrap();
        let (four, minus_two, minus_one, one) = (0x4080_0000, 0xc000_0000, 0xbf80_0000, 0x3f80_0000);
        let expected = match capability >= Capability::V1_2 {
            true => [one, 0, one, 0],
            false => [four, minus_two, four, minus_one],
        };
        assert_eq!(words(&machine, 4), expected, "{capability}");
    }
    let text = "MVI R2, 0x7\nMVI R1, 0x7\nI2F.F64.U32 R4, R2\nMVI R1, 0\nGST.S64 global14[R1], R4\nRET";
    for (capability, expected) in [(Capability::V1_3, double(7.0)), (Capability::V1_2, [7f32.to_bits(), 0])] {
        let mut launch = launch(text, 1, &[0; 2]);
        launch.capability = Capability::V1_0;
        let mut machine = Machine::new(launch, configuration(capability)).unwrap();
        machine.run(LIMIT).unwrap();
        assert_eq!(words(&machine, 2), expected, "{capability}");
    }
}

#[test]
fn checker_follows_undefined_doubles() {
    let found = |text: &str| {
        let mut machine = machine(launch(text, 1, &[0; 8]));
        machine.check();
        machine.run(LIMIT).unwrap();
        let places = machine.checker().unwrap().findings().groups();
        places.iter().map(|place| place.first.fault.clone()).collect::<Vec<_>>()
    };
    // R5, the high word of the second operand, was never written: both words of the result are undefined.
    let text = "MVI R2, 0\nMVI R3, 0\nMVI R4, 0\nDADD R6, R2, R4\nMVI R1, 0\nGST.U32 global14[R1], R7\nRET";
    assert!(
        matches!(found(text)[..], [Fault::Unwritten { used: Use::Store, .. }]),
        "{:?}",
        found(text)
    );
    assert_eq!(found(&text.replace("MVI R4, 0\n", "MVI R4, 0\nMVI R5, 0\n")), []);
    let text = "VOTE.ANY C1, C2.EQ\nBRA C1.LT, 0x10\nNOP\nRET";
    assert!(
        matches!(found(text)[..], [Fault::Unwritten { used: Use::Branch, .. }]),
        "{:?}",
        found(text)
    );
    assert_eq!(found("VOTE.ANY C1, C2.TRUE\nBRA C1.LT, 0x10\nNOP\nRET"), []);
}
