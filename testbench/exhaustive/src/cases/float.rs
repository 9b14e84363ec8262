//! Operations of the float unit: operands at corner cases, and the results of `flexgrip_arith`.

use flexgrip_arith::convert::{f2f, f2i, i2f, Float};
use flexgrip_arith::float::{fadd, fmad, fmax, fmin, fmul, fset, fslct, FloatOrder, Rounding, Sign};
use flexgrip_arith::integer::Integer;
use flexgrip_arith::{special, Cc, Flagged, Width};
use flexgrip_hdl::bundles::IntegerWidth;
use flexgrip_hdl::execute::float::{FloatControl, FloatOperation};
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::Rng;

/// The inputs of the unit in a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatCase {
    /// The operation and its modifiers.
    pub control: FloatControl,
    /// Operand a: a 32-bit float, a 16-bit float in the lower half, or the integer to convert.
    pub a: u32,
    /// Operand b, a 32-bit float.
    pub b: u32,
    /// Operand c, a 32-bit float.
    pub c: u32,
}

/// The sign bit.
pub const SIGN: u32 = 0x8000_0000;

/// A float with corner cases: special values, the ends of the exponents' range, few bits set, many bits set.
pub fn float(rng: &mut impl Rng) -> u32 {
    const CORNERS: [u32; 24] = [
        0,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x0080_0001,
        0x00ff_ffff,
        0x0100_0000,
        0x3eff_ffff,
        0x3f00_0000,
        0x3f00_0001,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x3fc0_0000,
        0x4020_0000,
        0x4b00_0001,
        0x4b7f_ffff,
        0x7e80_0000,
        0x7f00_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fc0_0000,
        0x7fff_ffff,
    ];
    let magnitude = match rng.gen_range(0..10) {
        0..=1 => *CORNERS.choose(rng).expect("corners"),
        2 => rng.gen(),
        3 => *[0, 1, 2, 253, 254, 255].choose(rng).expect("ends") << 23 | fraction(rng),
        4..=5 => rng.gen_range(100..155) << 23 | fraction(rng),
        6 => rng.gen_range(0..256) << 23 | fraction(rng),
        _ => rng.gen_range(120..135) << 23 | fraction(rng),
    };
    magnitude & !SIGN | if rng.gen() { SIGN } else { 0 }
}

/// A fraction: random bits, a run of equal bits at either end, or a single bit.
pub fn fraction(rng: &mut impl Rng) -> u32 {
    let bits = match rng.gen_range(0..6) {
        0 => 0,
        1 => 1 << rng.gen_range(0..23),
        2 => 0x7f_ffff << rng.gen_range(0..23),
        3 => 0x7f_ffff >> rng.gen_range(0..23),
        _ => rng.gen(),
    };
    bits & 0x7f_ffff
}

/// A 16-bit float with random upper bits.
pub fn half(rng: &mut impl Rng) -> u32 {
    let low: u32 = match rng.gen_range(0..4) {
        0 => *[0, 1, 0x3ff, 0x400, 0x3bff, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7fff]
            .choose(rng)
            .expect("corners"),
        1 => rng.gen_range(0..0x400),
        _ => rng.gen_range(0..0x8000),
    };
    rng.gen::<u32>() & 0xffff_8000 | low
}

/// An integer: with a random number of bits, near a power of two, or with a run of ones.
pub fn integer(rng: &mut impl Rng) -> u32 {
    let magnitude = match rng.gen_range(0..6) {
        0 => (1u32 << rng.gen_range(0..32))
            .wrapping_add(rng.gen_range(0..5))
            .wrapping_sub(2),
        1 => rng.gen::<u32>() >> rng.gen_range(0..32),
        2 => u32::MAX >> rng.gen_range(0..32) << rng.gen_range(0..8),
        // Bits 29 to 5 are all ones, or all but one.
        3 => {
            let hole = if rng.gen() { 0 } else { 1 << rng.gen_range(0..32) };
            (0x3fff_ffe0 | rng.gen::<u32>() & 0xc000_003f) & !hole
        }
        // Halves of a unit in the last place of float32.
        4 => {
            let shift = rng.gen_range(0..8);
            ((rng.gen_range(0..1u32 << 23) | 1 << 23) << 1 | 1) << shift | rng.gen_range(0..2)
        }
        _ => rng.gen(),
    };
    if rng.gen() {
        magnitude.wrapping_neg()
    } else {
        magnitude
    }
}

/// A value near `bits`: the same, its negative, or a few units in the last place or exponents away.
pub fn near(rng: &mut impl Rng, bits: u32) -> u32 {
    let moved = match rng.gen_range(0..3) {
        0 => bits.wrapping_add(rng.gen_range(0..9)).wrapping_sub(4),
        1 => bits.wrapping_add(rng.gen_range(0..5) << 23).wrapping_sub(2 << 23),
        _ => {
            (bits & 0xff80_0000)
                .wrapping_add(rng.gen_range(0..61) << 23)
                .wrapping_sub(30 << 23)
                | fraction(rng)
        }
    };
    moved ^ if rng.gen() { SIGN } else { 0 }
}

/// All operations of the unit.
pub const OPERATIONS: [FloatOperation; 11] = [
    FloatOperation::MultiplyAdd,
    FloatOperation::Add,
    FloatOperation::Multiply,
    FloatOperation::Set,
    FloatOperation::MinMax,
    FloatOperation::Select,
    FloatOperation::ToFloat,
    FloatOperation::ToInteger,
    FloatOperation::FromInteger,
    FloatOperation::ReduceSine,
    FloatOperation::ReducePower,
];

/// A control with random values in all fields that the operation does not use, because they must have no effect.
pub fn noise(rng: &mut impl Rng, operation: FloatOperation) -> FloatControl {
    const WIDTHS: [IntegerWidth; 3] = [IntegerWidth::Word, IntegerWidth::Half, IntegerWidth::Byte];
    FloatControl {
        operation,
        rounding: Bits::new(rng.gen_range(0..4)),
        saturate: rng.gen(),
        absolute_a: rng.gen(),
        negate_a: rng.gen(),
        absolute_b: rng.gen(),
        negate_b: rng.gen(),
        negate_c: rng.gen(),
        compare_less: rng.gen(),
        compare_equal: rng.gen(),
        compare_greater: rng.gen(),
        compare_unordered: rng.gen(),
        maximum: rng.gen(),
        integral: rng.gen(),
        source_half: rng.gen(),
        result_half: rng.gen(),
        source_width: WIDTHS[rng.gen_range(0..3)],
        source_signed: rng.gen(),
        result_narrow: rng.gen(),
        result_signed: rng.gen(),
    }
}

/// The result of `flexgrip_arith`.
pub fn reference(control: &FloatControl, a: u32, b: u32, c: u32) -> Flagged {
    let rounding = Rounding::from_bits(control.rounding.raw() as u32);
    let sign_a = Sign {
        absolute: control.absolute_a,
        negate: control.negate_a,
    };
    let sign_b = Sign {
        absolute: control.absolute_b,
        negate: control.negate_b,
    };
    let sign_c = Sign {
        absolute: false,
        negate: control.negate_c,
    };
    let saturate = control.saturate;
    let float = |half| if half { Float::F16 } else { Float::F32 };
    match control.operation {
        FloatOperation::MultiplyAdd => fmad(saturate, sign_a.apply(a), sign_b.apply(b), sign_c.apply(c)),
        FloatOperation::Add => fadd(rounding, saturate, sign_a.apply(a), sign_c.apply(c)),
        FloatOperation::Multiply => fmul(rounding, sign_a.apply(a), sign_b.apply(b)),
        FloatOperation::Set => {
            let bits = [
                control.compare_less,
                control.compare_equal,
                control.compare_greater,
                control.compare_unordered,
            ];
            let order = (0..4).fold(0, |set, bit| set | u32::from(bits[bit]) << bit);
            fset(FloatOrder::from_bits(order), sign_a.apply(a), sign_b.apply(b))
        }
        FloatOperation::MinMax => {
            let function = if control.maximum { fmax } else { fmin };
            function(sign_a.apply(a), sign_b.apply(b))
        }
        FloatOperation::Select => fslct(a, b, sign_c.apply(c)),
        FloatOperation::ToFloat => {
            // The sign of a 16-bit float is bit 15, and f2f applies it there.
            let (from, to) = (float(control.source_half), float(control.result_half));
            f2f(from, to, sign_a, rounding, control.integral, saturate, a)
        }
        FloatOperation::ToInteger => {
            let width = if control.result_narrow { Width::B16 } else { Width::B32 };
            f2i(
                float(control.source_half),
                width,
                control.result_signed,
                sign_a,
                rounding,
                a,
            )
        }
        FloatOperation::FromInteger => {
            let from = match (control.source_width, control.source_signed) {
                (IntegerWidth::Word, false) => Integer::U32,
                (IntegerWidth::Word, true) => Integer::S32,
                (IntegerWidth::Half, false) => Integer::U16,
                (IntegerWidth::Half, true) => Integer::S16,
                (IntegerWidth::Byte, false) => Integer::U8,
                (IntegerWidth::Byte, true) => Integer::S8,
            };
            i2f(from, float(control.result_half), sign_a, rounding, saturate, a)
        }
        FloatOperation::ReduceSine => bare(special::rro_sin(sign_a.apply(a))),
        FloatOperation::ReducePower => bare(special::rro_ex2(sign_a.apply(a))),
    }
}

/// A result without a condition code.
pub fn bare(value: u32) -> Flagged {
    Flagged {
        value,
        cc: Cc::from_bits(0),
    }
}

/// Random operands and modifiers for an operation.
pub fn random_case(rng: &mut impl Rng, operation: FloatOperation) -> FloatCase {
    let mut control = noise(rng, operation);
    let (mut a, mut b, mut c) = (float(rng), float(rng), float(rng));
    match operation {
        FloatOperation::MultiplyAdd => {
            control.rounding = Bits::new(0);
            // A third operand that cancels the product, exactly or nearly, or is far above or below it.
            if rng.gen() {
                c = near(rng, fmul(Rounding::Zero, a, b).value);
            } else if rng.gen_range(0..8) == 0 {
                // A sum near the smallest normal number, minus half of a denormal's unit in the last place.
                c = c & SIGN | rng.gen_range(0x0080_0000..0x0080_0003);
                let (one, both) = (rng.gen_range(1..100), rng.gen_range(100..108));
                a = a & 0x807f_ffff | one << 23;
                b = b & 0x807f_ffff | (both - one) << 23;
            }
        }
        FloatOperation::Add => {
            if rng.gen() {
                c = near(rng, a);
            }
        }
        FloatOperation::Multiply => {
            // A product near the smallest or the largest number, or one with few bits, halfway between two numbers.
            match rng.gen_range(0..4) {
                0 => {
                    let power = *[1, 127, 255].choose(rng).expect("powers");
                    let exponent = (a >> 23 & 0xff) as i32;
                    let other = power + 127 - exponent + rng.gen_range(-2..3);
                    b = (other.clamp(0, 255) as u32) << 23 | b & 0x807f_ffff;
                }
                1 => {
                    a &= 0xffff_f800;
                    b = b & 0xff80_0000 | (b & 0x7f_ffff) >> 11 << 11;
                }
                _ => {}
            }
        }
        FloatOperation::Set | FloatOperation::MinMax => {
            if rng.gen() {
                b = near(rng, a);
            }
        }
        FloatOperation::ToFloat => {
            if control.source_half {
                a = half(rng);
            } else if rng.gen() {
                // The number is in the range of 16-bit floats, sometimes halfway between two of them.
                a = a & 0x807f_ffff | rng.gen_range(88..148) << 23;
                if rng.gen() {
                    let bit = rng.gen_range(0..23);
                    a = a & !0u32 << bit | 1 << bit;
                }
            }
        }
        FloatOperation::ToInteger => {
            if control.source_half {
                a = half(rng);
            } else if rng.gen() {
                a = a & 0x807f_ffff | rng.gen_range(120..162) << 23;
                if rng.gen() {
                    let bit = rng.gen_range(0..23);
                    a = a & !0u32 << bit | 1 << bit;
                }
            }
        }
        FloatOperation::FromInteger => a = integer(rng),
        FloatOperation::ReduceSine | FloatOperation::ReducePower => {
            if rng.gen() {
                a = a & 0x807f_ffff | rng.gen_range(95..175) << 23;
            }
        }
        FloatOperation::Select => {}
    }
    FloatCase { control, a, b, c }
}
