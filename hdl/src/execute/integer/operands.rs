//! Stage 1 of the integer lane prepares the operands of the multiplier, the shifter and the comparison.

use super::{IntegerLane, IntegerOperands};
use crate::bundles::*;
use hdlkit::prelude::*;

/// The integer of a width in the low bits of `x`, sign- or zero-extended to 32 bits; true if it is negative.
#[hdl_fn]
pub(in crate::execute) fn extended(x: Bits<32>, width: IntegerWidth, is_signed: Bit) -> (Bits<32>, Bit) {
    let (low, top) = match width {
        IntegerWidth::Half => (bits::<32>(0xffff), x.get_bit(15)),
        IntegerWidth::Byte => (bits(0xff), x.get_bit(7)),
        _ => (bits(0xffff_ffff), x.get_bit(31)),
    };
    let negative = is_signed && top;
    ((x & low) | mask(negative, !low), negative)
}

/// A factor of a multiplication, sign- or zero-extended from 16 or 24 bits to 25.
#[hdl_fn]
fn factor(x: Bits<32>, has_24_bits: Bit, is_signed: Bit) -> Bits<25> {
    let (low, top) = if has_24_bits { (bits::<25>(0xff_ffff), x.get_bit(23)) } else { (bits(0xffff), x.get_bit(15)) };
    (x.low::<25>() & low) | mask(is_signed && top, !low)
}

impl IntegerLane {
    /// Selects the multiplier's factors: the float unit's have priority. Without a product they are 0.
    #[hdl_part]
    pub(super) fn feed_multiplier(&mut self) {
        let control = self.x1_control.val();
        let multiplies = control.operation == IntegerOperation::Multiply;
        let a = factor(self.x_operands.val().a, control.multiply_24, control.multiply_signed_a);
        let b = factor(self.x_operands.val().b, control.multiply_24, control.multiply_signed_b);
        let (factor_a, factor_b) = if self.x1_is_float.val() {
            (self.x1_float_a.val(), self.x1_float_b.val())
        } else {
            (mask(multiplies, a), mask(multiplies, b))
        };
        self.multiplier.x1_a.next = factor_a;
        self.multiplier.x1_b.next = factor_b;
    }

    /// Drives the shifter's operands for any operation; stage 3 takes or ignores its result.
    #[hdl_part]
    pub(super) fn feed_shifter(&mut self) {
        let control = self.x1_control.val();
        self.shifter.x1_value.next = self.x_operands.val().a;
        self.shifter.x1_count.next = self.x_operands.val().b;
        self.shifter.x1_right.next = control.shift_right;
        self.shifter.x1_is_signed.next = control.is_signed;
        self.shifter.x1_narrow.next = control.narrow;
    }

    /// Selects the operands that stage 2 subtracts and compares. A conversion subtracts its value from 0, which gives
    /// the negative. Signed operands with different signs compare in reverse.
    #[hdl_part]
    pub(super) fn choose_operands(&mut self) {
        let control = self.x1_control.val();
        let a = self.x_operands.val().a;
        let b = self.x_operands.val().b;
        let (source, source_negative) = extended(a, control.source_width, control.source_signed);
        let (sign_a, sign_b) =
            if control.narrow { (a.get_bit(15), b.get_bit(15)) } else { (a.get_bit(31), b.get_bit(31)) };
        let (first, second, flip) = if control.operation == IntegerOperation::Convert {
            (bits::<32>(0), source, source_negative)
        } else if control.operation == IntegerOperation::SumDistance && control.narrow && control.is_signed {
            // 16-bit operands are not sign-extended. With bit 15 inverted, the unsigned distance is the signed one.
            (a ^ 0x8000, b ^ 0x8000, false)
        } else {
            (a, b, control.is_signed && sign_a != sign_b)
        };
        self.x2.d.next = IntegerOperands {
            first,
            second,
            third: self.x_operands.val().c,
            carry: self.x_carry.val(),
            flip,
            negate: (control.absolute && source_negative) != control.negate,
        };
    }
}
