//! Random operations of the integer unit, each with the expected result from [`flexgrip_arith`]: for the tests of the
//! circuit, and for the host that tests a lane on an FPGA.

use flexgrip_arith::integer::{
    i2i, iadd, imad, imax, imin, imul16, imul24, isad, iset, lop, plain, shl, shr, Integer, Logic, Order, Product, Sum,
};
use flexgrip_arith::{Cc, Flagged, Width};
use flexgrip_hdl::bundles::{IntegerControl, IntegerOperation, IntegerWidth};
use hdlkit::prelude::Bits;
use rand::Rng;

/// The inputs of the unit in a cycle, and the expected outputs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the operation, for messages.
    pub name: String,
    /// The control of the operation.
    pub control: IntegerControl,
    /// The first operand.
    pub a: u32,
    /// The second operand.
    pub b: u32,
    /// The third operand.
    pub c: u32,
    /// The carry of the source condition code.
    pub carry: bool,
    /// The expected result.
    pub want: Flagged,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} a {:08x} b {:08x} c {:08x} carry {}: {:08x} {}",
            self.name, self.a, self.b, self.c, self.carry as u8, self.want.value, self.want.cc
        )
    }
}

/// A random value of the list.
fn pick<T: Copy>(rng: &mut impl Rng, of: &[T]) -> T {
    of[rng.gen_range(0..of.len())]
}

/// An operand biased to corner cases: limits of all widths, shift counts, random bits.
pub fn operand(rng: &mut impl Rng) -> u32 {
    const CORNERS: [u32; 30] = [
        0,
        1,
        2,
        0x7f,
        0x80,
        0x81,
        0xff,
        0x100,
        0x7ffe,
        0x7fff,
        0x8000,
        0x8001,
        0xfffe,
        0xffff,
        0x1_0000,
        0x7f_ffff,
        0x80_0000,
        0xff_ffff,
        0x100_0000,
        0x7fff_fffe,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        0xffff_7fff,
        0xffff_8000,
        0xffff_ff7f,
        0xffff_ff80,
        0xffff_0000,
        0xffff_fffe,
        0xffff_ffff,
    ];
    match rng.gen_range(0..10) {
        0..=4 => pick(rng, &CORNERS),
        5 => 1 << rng.gen_range(0..32),
        6 => (rng.gen_range(-40..40i32)) as u32,
        7 => rng.gen::<u32>() >> rng.gen_range(0..32),
        _ => rng.gen(),
    }
}

/// A shift count: most are less than the widths, some far above.
pub fn shift_count(rng: &mut impl Rng) -> u32 {
    match rng.gen_range(0..4) {
        0 => pick(
            rng,
            &[
                63,
                64,
                127,
                255,
                256,
                0x8000,
                0xffff,
                0x1_0000,
                0x8000_0000,
                0xffff_ffff,
            ],
        ),
        1 => operand(rng),
        _ => rng.gen_range(0..34),
    }
}

/// A random control, because fields that an operation does not use must not affect it.
pub fn noise(rng: &mut impl Rng) -> IntegerControl {
    IntegerControl {
        operation: IntegerOperation::Move,
        narrow: rng.gen(),
        is_signed: rng.gen(),
        saturate: rng.gen(),
        negate_first: rng.gen(),
        negate_last: rng.gen(),
        carry_in: rng.gen(),
        multiply_24: rng.gen(),
        multiply_high: rng.gen(),
        multiply_signed_a: rng.gen(),
        multiply_signed_b: rng.gen(),
        accumulate: rng.gen(),
        shift_right: rng.gen(),
        logic_function: Bits::new(rng.gen_range(0..4)),
        invert_a: rng.gen(),
        invert_b: rng.gen(),
        compare_less: rng.gen(),
        compare_equal: rng.gen(),
        compare_greater: rng.gen(),
        maximum: rng.gen(),
        source_width: pick(rng, IntegerWidth::ALL),
        source_signed: rng.gen(),
        result_width: pick(rng, IntegerWidth::ALL),
        result_signed: rng.gen(),
        absolute: rng.gen(),
        negate: rng.gen(),
    }
}

/// Sets the addition of a control.
pub fn set_sum(control: &mut IntegerControl, sum: Sum) {
    control.negate_first = sum == Sum::ReverseSubtract;
    control.negate_last = sum == Sum::Subtract;
    control.carry_in = sum == Sum::AddCarry;
}

/// Sets the multiplication of a control.
pub fn set_product(control: &mut IntegerControl, product: Product) {
    use Product::*;
    let signed = !matches!(product, U16 | U24 | HiU24);
    control.multiply_24 = !matches!(product, U16 | S16 | SatS16);
    control.multiply_signed_a = signed;
    control.multiply_signed_b = signed;
    control.saturate = matches!(product, SatS16 | SatS24 | HiSatS24);
    // The bit is only used if multiply_24 is set.
    control.multiply_high = matches!(product, U16 | S16 | SatS16 | HiU24 | HiS24 | HiSatS24);
}

fn integer(width: IntegerWidth, signed: bool) -> Integer {
    match (width, signed) {
        (IntegerWidth::Word, false) => Integer::U32,
        (IntegerWidth::Word, true) => Integer::S32,
        (IntegerWidth::Half, false) => Integer::U16,
        (IntegerWidth::Half, true) => Integer::S16,
        (IntegerWidth::Byte, false) => Integer::U8,
        (IntegerWidth::Byte, true) => Integer::S8,
    }
}

const SUMS: [Sum; 4] = [Sum::Add, Sum::Subtract, Sum::ReverseSubtract, Sum::AddCarry];
/// The products of a multiplication with an addend.
pub const PRODUCTS: [Product; 9] = [
    Product::U16,
    Product::S16,
    Product::SatS16,
    Product::U24,
    Product::S24,
    Product::SatS24,
    Product::HiU24,
    Product::HiS24,
    Product::HiSatS24,
];

/// The number of kinds of operations in [`random_case`]; conversions count twice.
pub const KINDS: u32 = 13;

/// An operation of this kind with random operands.
pub fn random_case(rng: &mut impl Rng, kind: u32) -> Case {
    let mut control = noise(rng);
    let narrow = control.narrow;
    let width = if narrow { Width::B16 } else { Width::B32 };
    let mask = width.mask();
    let (mut a, mut b, mut c) = (operand(rng), operand(rng), operand(rng));
    if rng.gen_range(0..8) == 0 {
        b = a;
    }
    let carry = rng.gen();
    let (what, want) = match kind {
        0 => {
            (a, b) = (a & mask, b & mask);
            control.operation = IntegerOperation::Move;
            ("move".into(), plain(width, a))
        }
        1 => {
            (a, b) = (a & mask, b & mask);
            control.operation = IntegerOperation::Add;
            let sum = pick(rng, &SUMS);
            set_sum(&mut control, sum);
            let want = iadd(sum, width, control.saturate, a, b, carry);
            (format!("{sum:?} saturate {}", control.saturate), want)
        }
        2 => {
            control.operation = IntegerOperation::Multiply;
            control.accumulate = false;
            control.multiply_24 = false;
            (a, b) = (a & 0xffff, b & 0xffff);
            let signed = (control.multiply_signed_a, control.multiply_signed_b);
            (format!("multiply 16 {signed:?}"), imul16(signed.0, signed.1, a, b))
        }
        3 => {
            control.operation = IntegerOperation::Multiply;
            control.accumulate = false;
            control.multiply_24 = true;
            control.multiply_signed_b = control.multiply_signed_a;
            let (signed, high) = (control.multiply_signed_a, control.multiply_high);
            (
                format!("multiply 24 signed {signed} high {high}"),
                imul24(signed, high, a, b),
            )
        }
        4 => {
            control.operation = IntegerOperation::Multiply;
            control.accumulate = true;
            let product = pick(rng, &PRODUCTS);
            let sum = pick(rng, &SUMS);
            set_product(&mut control, product);
            set_sum(&mut control, sum);
            if !control.multiply_24 {
                (a, b) = (a & 0xffff, b & 0xffff);
            }
            if rng.gen_range(0..4) == 0 {
                // The sum nearly overflows, or is 0.
                c = imad(product, Sum::Add, a, b, 0, false).value;
                c = pick(rng, &[c, !c, c.wrapping_neg(), 0x7fff_ffffu32.wrapping_sub(c)]);
            }
            let want = imad(product, sum, a, b, c, carry);
            (format!("multiply {product:?} {sum:?}"), want)
        }
        5 => {
            control.operation = IntegerOperation::Shift;
            (a, b) = (a & mask, shift_count(rng) & mask);
            let want = if control.shift_right {
                shr(width, control.is_signed, a, b)
            } else {
                shl(width, a, b)
            };
            (
                format!("shift right {} signed {}", control.shift_right, control.is_signed),
                want,
            )
        }
        6 => {
            control.operation = IntegerOperation::Logic;
            (a, b) = (a & mask, b & mask);
            let logic = [Logic::And, Logic::Or, Logic::Xor, Logic::PassB][control.logic_function.index()];
            let invert = (control.invert_a, control.invert_b);
            (
                format!("{logic:?} inverted {invert:?}"),
                lop(logic, width, invert.0, invert.1, a, b),
            )
        }
        7 => {
            control.operation = IntegerOperation::Set;
            (a, b) = (a & mask, b & mask);
            let order = Order {
                less: control.compare_less,
                equal: control.compare_equal,
                greater: control.compare_greater,
            };
            (
                format!("set {order:?} signed {}", control.is_signed),
                iset(order, width, control.is_signed, a, b),
            )
        }
        8 => {
            control.operation = IntegerOperation::MinMax;
            (a, b) = (a & mask, b & mask);
            let function = if control.maximum { imax } else { imin };
            (
                format!("maximum {} signed {}", control.maximum, control.is_signed),
                function(width, control.is_signed, a, b),
            )
        }
        9 => {
            control.operation = IntegerOperation::SumDistance;
            (a, b) = (a & mask, b & mask);
            if rng.gen_range(0..4) == 0 {
                // The sum is 0 or close to 0.
                c = isad(width, control.is_signed, a, b, 0).value.wrapping_neg();
                c = c.wrapping_add(rng.gen_range(0..3)).wrapping_sub(1);
            }
            (
                format!("distance signed {}", control.is_signed),
                isad(width, control.is_signed, a, b, c),
            )
        }
        10 => {
            control.operation = IntegerOperation::SetCode;
            control.narrow = false;
            let want = Flagged {
                value: a,
                cc: Cc::from_bits(a as u8),
            };
            ("set the code".into(), want)
        }
        _ => {
            control.operation = IntegerOperation::Convert;
            // Sometimes a value near the ends of the ranges.
            if rng.gen() {
                let end = pick(rng, &[7, 8, 15, 16, 31]);
                a = (1u32 << end).wrapping_add(rng.gen_range(0..5)).wrapping_sub(2);
                if rng.gen() {
                    a = a.wrapping_neg();
                }
            }
            let source = integer(control.source_width, control.source_signed);
            let result = integer(control.result_width, control.result_signed);
            let (absolute, negate) = (control.absolute, control.negate);
            (
                format!("convert {source:?} to {result:?} absolute {absolute} negate {negate}"),
                i2i(source, result, width, absolute, negate, a),
            )
        }
    };
    Case {
        name: format!("{what} narrow {narrow}"),
        control,
        a,
        b,
        c,
        carry,
        want,
    }
}
