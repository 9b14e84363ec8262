//! Stages 1 and 2 of the float lane unpack and compare the operands, and form the two terms of a sum.
//!
//! Stage 1 also decodes the control for stage 2. The control reaches all lanes from one place, over the longest wires
//! of the float units; decoding it after them would make stage 2 the critical path of a placed SM.

use super::bundles::FloatTerms;
use crate::bundles::{FloatControl, FloatOperation, Operands};
use crate::execute::integer::operands::extended;
use hdlkit::prelude::*;

/// The register before stage 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatOperands {
    /// A float32 with its sign as modified by the instruction; a 16-bit denormal is not normalised. Or an integer,
    /// extended to 32 bits, with its own sign.
    pub a: Bits<32>,
    pub b: Bits<32>,
    pub c: Bits<32>,
    /// The sign of the product, or of an integer, as modified by the instruction.
    pub product_negative: Bit,
    /// The integer's own sign.
    pub integer_negative: Bit,
    /// Sum of the factors' exponents.
    pub exponents: Bits<9>,
    /// The product is 0.
    pub empty: Bit,
    /// The result is a 16-bit denormal, or too small for one.
    pub denormal: Bit,
    /// The exponent to which a smaller product is aligned; true if there is such an exponent.
    pub reference: Bits<8>,
    pub has_reference: Bit,
    /// Round the product to an integer.
    pub integral: Bit,
    /// The operation, decoded. Multiply, MultiplyAdd.
    pub multiplies: Bit,
    /// Add, MultiplyAdd: c is the second term.
    pub adds: Bit,
    /// MinMax, Select: a or b is the second term.
    pub chooses: Bit,
    /// MinMax: the comparison chooses.
    pub chooses_by_size: Bit,
    pub sets: Bit,
    pub from_integer: Bit,
    /// Select, Set, FromInteger: there is no product.
    pub is_ready: Bit,
    /// The same fields as in [`FloatControl`].
    pub compare_less: Bit,
    pub compare_equal: Bit,
    pub compare_greater: Bit,
    pub compare_unordered: Bit,
    pub maximum: Bit,
}

/// The first two stages of a float lane, with the ports of [`FloatLane`](super::FloatLane).
#[circuit]
#[derive(Clone, Debug)]
pub struct FloatUnpack {
    pub clock: Signal<In, Clock>,
    pub x1_control: Signal<In, FloatControl>,
    pub x_operands: Signal<In, Operands>,
    pub x1_factor_a: Signal<Out, Bits<25>>,
    pub x1_factor_b: Signal<Out, Bits<25>>,
    pub x3_terms: Signal<Out, FloatTerms>,

    x2: DFF<FloatOperands>,
    x3: DFF<FloatTerms>,
}

impl Logic for FloatUnpack {
    #[hdl_gen]
    fn update(&mut self) {
        self.unpack_operands();
        self.form_terms();
        self.x3_terms.next = self.x3.q.val();
    }
}

/// The class of a float: true for a NaN, and true for an infinity.
#[hdl_fn]
fn classes(x: Bits<32>) -> (Bit, Bit) {
    let largest = x.bits::<8>(23).all();
    let has_fraction = x.low::<23>().any();
    (largest && has_fraction, largest && !has_fraction)
}

impl FloatUnpack {
    /// Stage 1 unpacks the operands into signs, exponents and factors.
    #[hdl_part]
    fn unpack_operands(&mut self) {
        let control = self.x1_control.val();
        let a = self.x_operands.val().a;
        let b = self.x_operands.val().b;
        let c = self.x_operands.val().c;

        // Decoded here, because stage 2 has no time.
        let operation = control.operation;
        let multiplies = operation == FloatOperation::MultiplyAdd || operation == FloatOperation::Multiply;
        let adds = operation == FloatOperation::MultiplyAdd || operation == FloatOperation::Add;
        let selects = operation == FloatOperation::Select;
        let sets = operation == FloatOperation::Set;
        let min_max = operation == FloatOperation::MinMax;
        let reduces = operation == FloatOperation::ReduceSine || operation == FloatOperation::ReducePower;
        let converts = operation == FloatOperation::ToFloat;
        let to_integer = operation == FloatOperation::ToInteger;
        let from_integer = operation == FloatOperation::FromInteger;

        // a as a float32: a 16-bit float's exponent gets the bias of float32.
        let half_exponent = a.bits::<5>(10);
        let half_fraction = a.low::<10>();
        let half_biased = if !half_exponent.any() {
            bits::<8>(113)
        } else if half_exponent.all() {
            bits(255)
        } else {
            half_exponent.resize::<8>() + 112
        };
        let (top_a, exponent_a, fraction_a, is_normal_a, is_zero_a) = if control.source_half && (converts || to_integer)
        {
            (
                a.get_bit(15),
                half_biased,
                half_fraction.resize::<23>() << 13,
                half_exponent.any(),
                !half_exponent.any() && !half_fraction.any(),
            )
        } else {
            let exponent = a.bits::<8>(23);
            (a.get_bit(31), exponent, a.low::<23>(), exponent.any(), !exponent.any())
        };
        let exponent_b = b.bits::<8>(23);
        let exponent_c = c.bits::<8>(23);

        // The instruction's sign modifiers: absolute value, then negation. FSLCT passes its operands unchanged.
        let (integer, integer_negative) = extended(a, control.source_width, control.source_signed);
        let sign_a = if from_integer { integer_negative } else { top_a };
        let negative_a = (sign_a && !control.absolute_a) != control.negate_a;
        let negative_b = (b.get_bit(31) && !control.absolute_b) != control.negate_b;
        let negative_c = c.get_bit(31) != control.negate_c;
        let float_a = (exponent_a.resize::<32>() << 23) | fraction_a.resize::<32>();

        // The multiplier's factors. The second one is b, 2/pi for RRO.SIN, or else 1. F2F to 16 bits flushes a value
        // below 2^-33 to 0.
        let to_half = converts && control.result_half && !control.integral;
        let is_void = is_zero_a || min_max || (to_half && exponent_a < 94);
        let is_denormal = to_half && (exponent_a < 113 || !is_normal_a);
        self.x1_factor_a.next = mask(!is_void, fraction_a.resize::<25>().replace_bit(23, is_normal_a));
        let (factor_b, factor_exponent) = if multiplies {
            (mask(exponent_b.any(), b.low::<23>().resize::<25>() | 0x80_0000), exponent_b)
        } else if operation == FloatOperation::ReduceSine {
            (bits(0xa2_f983), bits(126))
        } else {
            (bits(0x80_0000), bits(127))
        };
        self.x1_factor_b.next = factor_b;

        // The exponent to which the product is aligned: c's, or the one that brings an integer's unit to bit 2: 2^0,
        // 2^-23 for RRO, 2^-24 for a 16-bit denormal.
        let integral = to_integer || reduces || is_denormal || (converts && control.integral);
        let reference = if is_denormal {
            bits::<8>(135)
        } else if reduces {
            bits(136)
        } else if adds {
            exponent_c
        } else {
            bits(159)
        };
        self.x2.d.next = FloatOperands {
            a: if from_integer {
                integer
            } else if selects {
                a
            } else {
                float_a.replace_bit(31, negative_a)
            },
            b: if selects { b } else { b.replace_bit(31, negative_b) },
            c: c.replace_bit(31, negative_c),
            product_negative: negative_a != (multiplies && negative_b),
            integer_negative: integer_negative && from_integer,
            exponents: exponent_a.resize::<9>() + factor_exponent.resize::<9>(),
            empty: is_void || (multiplies && !exponent_b.any()),
            denormal: is_denormal,
            reference,
            has_reference: integral || (adds && exponent_c.any()),
            integral,
            multiplies,
            adds,
            chooses: min_max || selects,
            chooses_by_size: min_max,
            sets,
            from_integer,
            is_ready: selects || sets || from_integer,
            compare_less: control.compare_less,
            compare_equal: control.compare_equal,
            compare_greater: control.compare_greater,
            compare_unordered: control.compare_unordered,
            maximum: control.maximum,
        };
    }

    /// Stage 2 forms the two terms of the sum, finds the smaller one, and computes the distance of their exponents.
    #[hdl_part]
    fn form_terms(&mut self) {
        let operands = self.x2.q.val();
        let a = operands.a;
        let b = operands.b;
        let c = operands.c;
        let has_exponent_a = a.bits::<8>(23).any();
        let has_exponent_b = b.bits::<8>(23).any();
        let (a_nan, a_infinite) = classes(a);
        let (b_nan, b_infinite) = classes(b);
        let (c_nan, _) = classes(c);
        let sign_a = a.get_bit(31);
        let sign_b = b.get_bit(31);

        // The comparison. FMIN and FMAX order -0 below +0. Either of two equal operands is a correct result.
        let smaller = a.low::<31>() < b.low::<31>();
        let below = if sign_a == sign_b { smaller != sign_a } else { sign_a };
        let zeros = !has_exponent_a && !has_exponent_b;
        let equal = zeros || (a.low::<31>() == b.low::<31>() && sign_a == sign_b);
        let less = below && !equal;
        let greater = !below && !equal;
        let truth = if a_nan || b_nan {
            operands.compare_unordered
        } else {
            (operands.compare_less && less)
                || (operands.compare_equal && equal)
                || (operands.compare_greater && greater)
        };
        let takes_b = if !operands.chooses_by_size {
            c_nan || (c.get_bit(31) && c.bits::<8>(23).any())
        } else {
            a_nan || (below == operands.maximum && !b_nan)
        };

        // The sum's second term, and the signs of both. An operation without a product already has its result here.
        let first = if operands.from_integer || (operands.chooses && !takes_b) { a } else { mask(operands.chooses, b) };
        let second = if operands.adds {
            c
        } else if operands.sets && truth {
            bits(0xffff_ffff)
        } else {
            first
        };
        let product_negative = if operands.chooses_by_size { first.get_bit(31) } else { operands.product_negative };
        let second_negative = if operands.adds { c.get_bit(31) } else { product_negative };

        // The distance between the exponents, and the term with the smaller one, which is shifted.
        let exponent = operands.exponents.resize::<10>() - 126;
        let reference = operands.reference.resize::<10>();
        let over = exponent - reference;
        let under = reference - exponent;
        let product_smaller = operands.empty || (over.get_bit(9) && operands.has_reference);
        let distance = mask(!operands.is_ready, if product_smaller { under } else { over });

        // The special values of the product.
        let void_product = (a_infinite && !has_exponent_b) || (b_infinite && !has_exponent_a);
        let (product_nan, product_infinite) = if operands.multiplies {
            (a_nan || b_nan || void_product, a_infinite || b_infinite)
        } else {
            let is_float = !operands.is_ready && !operands.chooses_by_size;
            (a_nan && is_float, a_infinite && is_float)
        };
        self.x3.d.next = FloatTerms {
            second,
            exponent: if operands.from_integer {
                bits(159)
            } else if operands.chooses_by_size {
                second.bits::<8>(23).resize()
            } else if product_smaller {
                reference
            } else {
                exponent
            },
            product_smaller,
            distance: distance.low::<6>(),
            beyond: distance.bits::<4>(6).any(),
            subtract: product_negative != second_negative || operands.integer_negative,
            product_negative,
            second_negative,
            product_nan,
            product_infinite,
            integral: operands.integral,
            past: !product_smaller && over.any(),
            denormal: operands.denormal,
        };
    }
}
