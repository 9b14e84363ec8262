//! The control that each operation requires in the float lanes and the special function units.

use crate::controls::width_is_16;
use flexgrip_hdl::bundles::IntegerWidth;
use flexgrip_hdl::execute::float::{FloatControl, FloatOperation};
use flexgrip_hdl::execute::special_function::{SpecialControl, SpecialOperation};
use flexgrip_isa as isa;
use hdlkit::prelude::*;
use isa::Operation;

pub fn integer_width(integer: isa::Integer) -> IntegerWidth {
    match integer.bits() {
        8 => IntegerWidth::Byte,
        16 => IntegerWidth::Half,
        _ => IntegerWidth::Word,
    }
}

fn rounding(rounding: isa::Rounding) -> Bits<2> {
    Bits::new(match rounding {
        isa::Rounding::Nearest => 0,
        isa::Rounding::Down => 1,
        isa::Rounding::Up => 2,
        isa::Rounding::Zero => 3,
    })
}

/// The required control of a float lane; `None` for an instruction of another unit.
pub fn float_control(operation: Operation) -> Option<FloatControl> {
    let mut control = FloatControl::default();
    match operation {
        Operation::Fadd { rounding: mode, saturate, negate1, negate3 } => {
            control.operation = FloatOperation::Add;
            control.rounding = rounding(mode);
            control.saturate = saturate;
            control.negate_a = negate1;
            control.negate_c = negate3;
        }
        Operation::Fmul { rounding: mode, saturate, negate1, negate2 } => {
            control.operation = if saturate { FloatOperation::MultiplyAdd } else { FloatOperation::Multiply };
            control.saturate = saturate;
            control.rounding = rounding(mode);
            control.negate_a = negate1;
            control.negate_b = negate2;
        }
        Operation::Fmad { saturate, negate_product, negate3 } => {
            control.operation = FloatOperation::MultiplyAdd;
            control.saturate = saturate;
            control.negate_a = negate_product;
            control.negate_c = negate3;
        }
        Operation::Fset { order, sign1, sign2 } => {
            control.operation = FloatOperation::Set;
            control.compare_less = order.ordered.less;
            control.compare_equal = order.ordered.equal;
            control.compare_greater = order.ordered.greater;
            control.compare_unordered = order.unordered;
            (control.absolute_a, control.negate_a) = (sign1.absolute, sign1.negate);
            (control.absolute_b, control.negate_b) = (sign2.absolute, sign2.negate);
        }
        Operation::Fmin { sign1, sign2 } | Operation::Fmax { sign1, sign2 } => {
            control.operation = FloatOperation::MinMax;
            control.maximum = matches!(operation, Operation::Fmax { .. });
            (control.absolute_a, control.negate_a) = (sign1.absolute, sign1.negate);
            (control.absolute_b, control.negate_b) = (sign2.absolute, sign2.negate);
        }
        Operation::Fswz { .. } => control.operation = FloatOperation::Add,
        Operation::Fslct { negate3 } => {
            control.operation = FloatOperation::Select;
            control.negate_c = negate3;
        }
        Operation::Rro { ex2, sign } => {
            control.operation = if ex2 { FloatOperation::ReducePower } else { FloatOperation::ReduceSine };
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::F2f { from, to, sign, rounding: mode, integral, saturate } => {
            control.operation = FloatOperation::ToFloat;
            control.source_half = from == isa::Float::F16;
            control.result_half = to == isa::Float::F16;
            control.integral = integral;
            control.rounding = rounding(mode);
            control.saturate = saturate;
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::F2i { from, width, signed, sign, rounding: mode } => {
            control.operation = FloatOperation::ToInteger;
            control.source_half = from == isa::Float::F16;
            control.result_narrow = width_is_16(width);
            control.result_signed = signed;
            control.rounding = rounding(mode);
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::I2f { from, to, sign, rounding: mode, saturate } => {
            control.operation = FloatOperation::FromInteger;
            control.source_width = integer_width(from);
            control.source_signed = from.is_signed();
            control.result_half = to == isa::Float::F16;
            control.rounding = rounding(mode);
            control.saturate = saturate;
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        _ => return None,
    }
    Some(control)
}

/// The required control of the double-precision unit, as lines of a float lane in which a half is 32 bits wide, except
/// [`DOUBLE_IGNORES`].
pub fn double_control(operation: isa::Double) -> FloatControl {
    let mut control = FloatControl::default();
    let signs = |control: &mut FloatControl, a: isa::Sign, b: isa::Sign| {
        (control.absolute_a, control.negate_a) = (a.absolute, a.negate);
        (control.absolute_b, control.negate_b) = (b.absolute, b.negate);
    };
    let none = isa::Sign::default();
    match operation {
        isa::Double::Fma { rounding: mode, negate_product, negate3 } => {
            control.operation = FloatOperation::MultiplyAdd;
            control.rounding = rounding(mode);
            (control.negate_a, control.negate_c) = (negate_product, negate3);
        }
        isa::Double::Add { rounding: mode, negate1, negate3 } => {
            control.operation = FloatOperation::Add;
            control.rounding = rounding(mode);
            (control.negate_a, control.negate_c) = (negate1, negate3);
        }
        isa::Double::Mul { rounding: mode, negate1 } => {
            control.operation = FloatOperation::Multiply;
            control.rounding = rounding(mode);
            control.negate_a = negate1;
        }
        isa::Double::Min { sign1, sign2 } | isa::Double::Max { sign1, sign2 } => {
            control.operation = FloatOperation::MinMax;
            control.maximum = matches!(operation, isa::Double::Max { .. });
            signs(&mut control, sign1, sign2);
        }
        isa::Double::Set { order, sign1, sign2 } => {
            control.operation = FloatOperation::Set;
            control.compare_less = order.ordered.less;
            control.compare_equal = order.ordered.equal;
            control.compare_greater = order.ordered.greater;
            control.compare_unordered = order.unordered;
            signs(&mut control, sign1, sign2);
            control.result_half = true;
        }
        isa::Double::ToSingle { sign, rounding: mode } => {
            control.operation = FloatOperation::ToFloat;
            control.rounding = rounding(mode);
            control.result_half = true;
            signs(&mut control, sign, none);
        }
        isa::Double::FromSingle { sign } => {
            control.operation = FloatOperation::ToFloat;
            control.source_half = true;
            signs(&mut control, sign, none);
        }
        isa::Double::ToDouble { sign, integral } => {
            control.operation = FloatOperation::ToFloat;
            control.integral = integral.is_some();
            control.rounding = integral.map_or(Bits::ZERO, rounding);
            signs(&mut control, sign, none);
        }
        isa::Double::ToInteger { double, to, sign, rounding: mode } => {
            control.operation = FloatOperation::ToInteger;
            control.rounding = rounding(mode);
            control.source_half = !double;
            control.result_half = to.bits() == 32;
            control.result_signed = to.is_signed();
            signs(&mut control, sign, none);
        }
        isa::Double::FromInteger { double, from, sign, rounding: mode } => {
            control.operation = FloatOperation::FromInteger;
            control.rounding = rounding(mode);
            control.source_half = from.bits() == 32;
            control.result_half = !double;
            control.source_signed = from.is_signed();
            signs(&mut control, sign, none);
        }
    }
    control
}

/// The lines of a float lane that the double-precision unit does not have. It ignores the rounding of exact conversions, too.
pub const DOUBLE_IGNORES: [&str; 3] = ["float.source_width", "float.result_narrow", "float.saturate"];

/// True if a double instruction has no rounding.
pub fn is_exact(control: &FloatControl) -> bool {
    match control.operation {
        FloatOperation::ToFloat => !control.integral && !control.result_half,
        FloatOperation::Set | FloatOperation::MinMax => true,
        _ => false,
    }
}

pub fn special_control(function: isa::SpecialFunction, sign: isa::Sign, saturate: bool) -> SpecialControl {
    SpecialControl {
        operation: match function {
            isa::SpecialFunction::Reciprocal => SpecialOperation::Reciprocal,
            isa::SpecialFunction::ReciprocalRoot => SpecialOperation::ReciprocalRoot,
            isa::SpecialFunction::Logarithm => SpecialOperation::Logarithm,
            isa::SpecialFunction::Sine => SpecialOperation::Sine,
            isa::SpecialFunction::Cosine => SpecialOperation::Cosine,
            isa::SpecialFunction::Power => SpecialOperation::Power,
        },
        absolute: sign.absolute,
        negate: sign.negate,
        saturate,
    }
}
