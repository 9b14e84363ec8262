//! Stages 1 and 2 of the double-precision unit unpack and compare the operands, find results that need no arithmetic,
//! and the distance between the two terms of a sum.

use super::bundles::{DoubleRest, DoubleTerms};
use crate::bundles::{DoubleControl, DoubleOperands, DoubleOperation};
use hdlkit::prelude::*;

/// The class of an operand.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleClass {
    nan: Bit,
    infinite: Bit,
    zero: Bit,
    /// The exponent field is not 0: the significand has a leading one.
    normal: Bit,
}

/// The register before stage 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct UnpackedDoubles {
    control: DoubleControl,
    /// A double, also if the source is a float32, with its sign as modified by the instruction; the exponent field of a
    /// float32 denormal is 896. Or an integer, extended.
    a: Bits<64>,
    b: Bits<64>,
    c: Bits<64>,
    class_a: DoubleClass,
    class_b: DoubleClass,
    class_c: DoubleClass,
    /// FromInteger: the integer is negative; the result is.
    integer_negative: Bit,
    integer_result_negative: Bit,
    /// MultiplyAdd, Multiply: b is a factor. MultiplyAdd, Add: c is the second term.
    multiplies: Bit,
    adds: Bit,
    /// Sum of the factors' exponents.
    exponents: Bits<12>,
    /// The exponent to which a smaller product is aligned: c's, an integer's, or the least of the result's format.
    reference: Bits<12>,
    /// Round the product to an integer.
    integral: Bit,
}

/// The first two stages of the unit.
#[circuit]
#[derive(Clone, Debug)]
pub struct DoubleUnpack {
    pub clock: Signal<In, Clock>,
    pub x_control: Signal<In, DoubleControl>,
    pub x_operands: Signal<In, DoubleOperands>,
    /// Significands for the multiplier.
    pub x1_factor_a: Signal<Out, Bits<53>>,
    pub x1_factor_b: Signal<Out, Bits<53>>,
    pub x3_terms: Signal<Out, DoubleTerms>,

    x2: DFF<UnpackedDoubles>,
    x3: DFF<DoubleTerms>,
}

impl Logic for DoubleUnpack {
    #[hdl_gen]
    fn update(&mut self) {
        self.unpack_operands();
        self.form_terms();
        self.x3_terms.next = self.x3.q.val();
    }
}

/// The class of a double, which has a leading one if it is `normal`.
#[hdl_fn]
fn class_of(x: Bits<64>, normal: Bit) -> DoubleClass {
    let largest = x.bits::<11>(52).all();
    let has_fraction = x.low::<52>().any();
    DoubleClass {
        nan: largest && has_fraction,
        infinite: largest && !has_fraction,
        zero: !normal && !has_fraction,
        normal,
    }
}

/// A float32 as a double. The exponent of a denormal or zero is 896: its significand has no leading one.
#[hdl_fn]
fn from_single(x: Bits<32>) -> Bits<64> {
    let exponent = x.bits::<8>(23);
    let top = exponent.get_bit(7);
    let infinite = exponent.all();
    // 896 more changes only the upper bits.
    let upper: Bits<4> = top.fill::<1>().concat((!top || infinite).fill::<3>());
    let field: Bits<11> = upper.concat(exponent.low::<7>());
    let magnitude: Bits<63> = field.concat(x.low::<23>().resize::<52>() << 29);
    x.bits::<1>(31).concat(magnitude)
}

/// A sign after the instruction's modifiers.
#[hdl_fn]
fn modified(negative: Bit, absolute: Bit, negate: Bit) -> Bit {
    (negative && !absolute) != negate
}

/// The biased exponent of the significand's bit 52. A denormal has the least normal exponent, one more than its field.
#[hdl_fn]
fn exponent_of(x: Bits<64>, normal: Bit) -> Bits<12> {
    let field = x.bits::<11>(52).resize::<12>();
    field.replace_bit(0, field.get_bit(0) || !normal)
}

/// The significand of 53 bits.
#[hdl_fn]
fn significand_of(x: Bits<64>, normal: Bit) -> Bits<53> {
    x.low::<52>().resize::<53>().replace_bit(52, normal)
}

impl DoubleUnpack {
    /// Stage 1 brings the operands into one format, classifies them, and adds the factors' exponents.
    #[hdl_part]
    fn unpack_operands(&mut self) {
        let control = self.x_control.val();
        let operation = control.operation;
        let multiplies = operation == DoubleOperation::MultiplyAdd || operation == DoubleOperation::Multiply;
        let adds = operation == DoubleOperation::MultiplyAdd || operation == DoubleOperation::Add;
        let to_float = operation == DoubleOperation::ToFloat;
        let to_integer = operation == DoubleOperation::ToInteger;
        let from_integer = operation == DoubleOperation::FromInteger;

        let source = self.x_operands.val().a;
        let b = self.x_operands.val().b;
        let c = self.x_operands.val().c;
        let (a, normal_a) = if control.source_short && (to_float || to_integer) {
            (from_single(source.low::<32>()), source.bits::<8>(23).any())
        } else {
            (source, source.bits::<11>(52).any())
        };
        let normal_b = b.bits::<11>(52).any();
        let normal_c = c.bits::<11>(52).any();
        let class_a = class_of(a, normal_a);
        let class_b = class_of(b, normal_b);
        let class_c = class_of(c, normal_c);

        // A NaN keeps its sign.
        let negative_a = modified(a.get_bit(63), control.absolute_a && !class_a.nan, control.negate_a && !class_a.nan);
        let negative_b = modified(b.get_bit(63), control.absolute_b && !class_b.nan, control.negate_b && !class_b.nan);
        let negative_c = c.get_bit(63) != (control.negate_c && !class_c.nan);

        let top = if control.source_short { source.get_bit(31) } else { source.get_bit(63) };
        let integer_negative = from_integer && control.source_signed && top;
        let integer =
            if control.source_short { integer_negative.fill::<32>().concat(source.low::<32>()) } else { source };

        let one = bits::<53>(0x10_0000_0000_0000);
        self.x1_factor_a.next = significand_of(a, normal_a);
        self.x1_factor_b.next = if multiplies { significand_of(b, normal_b) } else { one };
        let factor_exponent = if multiplies { exponent_of(b, normal_b) } else { bits::<12>(1023) };
        let integral = to_integer || (to_float && control.integral);
        self.x2.d.next = UnpackedDoubles {
            control,
            a: if from_integer { integer } else { a.replace_bit(63, negative_a) },
            b: b.replace_bit(63, negative_b),
            c: c.replace_bit(63, negative_c),
            class_a,
            class_b,
            class_c,
            integer_negative,
            integer_result_negative: modified(integer_negative, control.absolute_a, control.negate_a),
            multiplies,
            adds,
            exponents: exponent_of(a, normal_a) + factor_exponent,
            // An integer's unit is bit 2 of the sum, 105 below the bit to which the exponent belongs.
            reference: if adds {
                exponent_of(c, normal_c)
            } else if integral || from_integer {
                bits(1023 + 105)
            } else if to_float && control.result_short {
                bits(1023 - 126)
            } else {
                bits(1)
            },
            integral,
        };
    }

    /// Stage 2 forms the terms of the sum, with the distance of their exponents, or the result if it is ready.
    #[hdl_part]
    fn form_terms(&mut self) {
        let operands = self.x2.q.val();
        let control = operands.control;
        let operation = control.operation;
        let a = operands.a;
        let b = operands.b;
        let c = operands.c;
        let class_a = operands.class_a;
        let class_b = operands.class_b;
        let class_c = operands.class_c;
        let sign_a = a.get_bit(63);
        let sign_b = b.get_bit(63);
        let multiplies = operands.multiplies;
        let adds = operands.adds;
        let sets = operation == DoubleOperation::Set;
        let min_max = operation == DoubleOperation::MinMax;
        let to_float = operation == DoubleOperation::ToFloat;
        let to_integer = operation == DoubleOperation::ToInteger;
        let from_integer = operation == DoubleOperation::FromInteger;
        let short = sets || (control.result_short && (to_float || to_integer || from_integer));

        // The comparison. DMIN and DMAX order -0 below +0. Either of two equal operands is a correct result.
        let smaller = a.low::<63>() < b.low::<63>();
        let below = if sign_a == sign_b { smaller != sign_a } else { sign_a };
        let equal = (class_a.zero && class_b.zero) || a == b;
        let truth = if class_a.nan || class_b.nan {
            control.compare_unordered
        } else if equal {
            control.compare_equal
        } else if below {
            control.compare_less
        } else {
            control.compare_greater
        };

        // Special values of the product and of the sum.
        let product_negative = sign_a != (multiplies && sign_b);
        let second_negative = if adds { c.get_bit(63) } else { product_negative };
        let is_sum = multiplies || adds;
        let nan_b = multiplies && class_b.nan;
        let nan_c = adds && class_c.nan;
        let infinite_c = adds && class_c.infinite;
        let product_infinite = class_a.infinite || (multiplies && class_b.infinite);
        let product_zero = class_a.zero || (multiplies && class_b.zero);
        let opposite = product_negative != second_negative;
        let any_nan = nan_b || nan_c || class_a.nan;
        let invalid = is_sum && !any_nan && product_infinite && (product_zero || (infinite_c && opposite));
        let infinite = is_sum && !any_nan && (product_infinite || infinite_c);

        // The operand that is the result: a NaN, an infinite c, or the choice of DMIN and DMAX.
        let takes_b = if min_max { class_a.nan || (below == control.maximum && !class_b.nan) } else { nan_b };
        let takes_c = !takes_b && (nan_c || (infinite && !product_infinite));
        let operand = if takes_b {
            b
        } else if takes_c {
            c
        } else {
            a
        };
        let operand_nan = if takes_b {
            class_b.nan
        } else if takes_c {
            class_c.nan
        } else {
            class_a.nan && !from_integer
        };
        let passed = operand.replace_bit(51, operand.get_bit(51) || operand_nan);
        let chosen = if sets {
            mask(truth, bits::<64>(0xffff_ffff))
        } else if to_integer {
            if control.result_short {
                bits(0x8000_0000)
            } else {
                bits(0x8000_0000_0000_0000)
            }
        } else if invalid {
            bits(0xfff8_0000_0000_0000)
        } else if infinite && product_infinite {
            bits::<64>(0x7ff0_0000_0000_0000).replace_bit(63, product_negative)
        } else if to_float && control.result_short {
            // An infinity or a NaN as a float32.
            passed.bits::<31>(29).resize::<64>().replace_bit(31, sign_a)
        } else {
            passed
        };
        let nan = (operand_nan && !sets) || invalid;
        let ready = sets || min_max || infinite || (!from_integer && any_nan) || (to_float && class_a.infinite);

        // The distance between the exponents, and the term with the smaller one, which is shifted.
        let exponent = operands.exponents.resize::<13>() - 1023;
        let reference = operands.reference.resize::<13>();
        let over = exponent - reference;
        let under = reference - exponent;
        let product_smaller = product_zero || from_integer || over.get_bit(12);
        let is_chosen = ready || from_integer;
        let distance = mask(!is_chosen, if product_smaller { under } else { over });

        let away = match control.rounding.index() {
            1 => product_negative,
            2 => !product_negative,
            _ => false,
        };
        let half = if away {
            bits::<2>(3)
        } else if control.rounding == 0 {
            bits(2)
        } else {
            bits(0)
        };
        let negative = if from_integer {
            operands.integer_result_negative
        } else if product_smaller {
            second_negative
        } else {
            product_negative
        };
        let zero_negative = if from_integer {
            negative
        } else if opposite {
            control.rounding == 1
        } else {
            product_negative
        };
        self.x3.d.next = DoubleTerms {
            chosen,
            second: mask(adds, significand_of(c, class_c.normal)),
            is_chosen,
            product_smaller,
            distance: distance.low::<7>(),
            beyond: distance.bits::<5>(7).any(),
            exponent: if product_smaller { reference.low::<12>() } else { exponent.low::<12>() },
            subtract: if from_integer { operands.integer_negative } else { opposite && !ready },
            negative,
            half: mask(operands.integral, half),
            integral: operands.integral,
            rest: DoubleRest {
                rounding: control.rounding,
                rounds_positive: from_integer && !control.source_signed,
                ready,
                to_integer,
                short,
                signed: control.result_signed,
                nan,
                zero_negative,
            },
        };
    }
}
