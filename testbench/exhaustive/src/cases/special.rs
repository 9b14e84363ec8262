//! Operations of the special function unit: arguments at corner cases, and the results of `flexgrip_arith`.

use flexgrip_arith::float::Sign;
use flexgrip_arith::special::{cos, ex2, lg2, rcp, rro_ex2, rro_sin, rsq, sin};
use flexgrip_hdl::execute::special_function::{SpecialControl, SpecialOperation};
use rand::seq::SliceRandom;
use rand::Rng;

/// The inputs of the unit in a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpecialCase {
    /// The operation and its modifiers.
    pub control: SpecialControl,
    /// The argument: a 32-bit float, or the result of a range reduction for sine, cosine and power.
    pub a: u32,
}

/// All operations of the unit.
pub const OPERATIONS: [SpecialOperation; 6] = [
    SpecialOperation::Reciprocal,
    SpecialOperation::ReciprocalRoot,
    SpecialOperation::Logarithm,
    SpecialOperation::Sine,
    SpecialOperation::Cosine,
    SpecialOperation::Power,
];

/// The result of `flexgrip_arith`.
pub fn reference(control: &SpecialControl, a: u32) -> u32 {
    let sign = Sign {
        absolute: control.absolute,
        negate: control.negate,
    };
    let a = sign.apply(a);
    match control.operation {
        SpecialOperation::Reciprocal => rcp(a),
        SpecialOperation::ReciprocalRoot => rsq(a),
        SpecialOperation::Logarithm => lg2(a),
        SpecialOperation::Sine => sin(a),
        SpecialOperation::Cosine => cos(a),
        SpecialOperation::Power => ex2(control.saturate, a),
    }
}

/// An argument with corner cases: special values of floats and of reduced numbers, the ends of segments and ranges.
pub fn argument(rng: &mut impl Rng, operation: SpecialOperation) -> u32 {
    const CORNERS: [u32; 20] = [
        0,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x3fff_ffff,
        0x4000_0000,
        0x4080_0000,
        0x3e80_0000,
        0x7e7f_ffff,
        0x7e80_0000,
        0x7e80_0001,
        0x7f00_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fc0_0000,
        0x7fff_ffff,
    ];
    let fraction = match rng.gen_range(0..4) {
        // The ends of a segment.
        0 => ((rng.gen_range(0..128u32) << 16) as i32 + rng.gen_range(-2..3)) as u32,
        1 => 1 << rng.gen_range(0..23),
        _ => rng.gen(),
    } & 0x7f_ffff;
    let magnitude = match rng.gen_range(0..8) {
        0 => *CORNERS.choose(rng).expect("corners"),
        1 => rng.gen::<u32>() & 0x7fff_ffff,
        2 => rng.gen_range(0..256) << 23 | fraction,
        3 => rng.gen_range(125..130) << 23 | fraction,
        4 => *[0, 1, 2, 126, 127, 128, 252, 253, 254].choose(rng).expect("ends") << 23 | fraction,
        5 => rng.gen_range(0..4) << 23 | fraction,
        _ => match operation {
            SpecialOperation::Sine | SpecialOperation::Cosine => rro_sin(rng.gen_range(100..140) << 23 | fraction),
            SpecialOperation::Power => rro_ex2(rng.gen_range(100..136) << 23 | fraction),
            _ => rng.gen_range(100..154) << 23 | fraction,
        },
    };
    magnitude | if rng.gen_range(0..3) == 0 { 1 << 31 } else { 0 }
}

/// A random argument and modifiers for an operation.
pub fn random_case(rng: &mut impl Rng, operation: SpecialOperation) -> SpecialCase {
    let control = SpecialControl {
        operation,
        absolute: rng.gen_range(0..4) == 0,
        negate: rng.gen_range(0..4) == 0,
        saturate: rng.gen(),
    };
    let a = argument(rng, operation);
    SpecialCase { control, a }
}
