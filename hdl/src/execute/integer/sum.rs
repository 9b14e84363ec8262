//! Stage 3 of the integer lane: the sum, clamped, and its condition code.

use super::{IntegerLane, IntegerResult};
use crate::bundles::*;
use hdlkit::prelude::*;

/// The limit of a width's range: the lower one for a negative number.
#[hdl_fn]
fn limit(width: IntegerWidth, is_signed: Bit, negative: Bit) -> Bits<32> {
    let unsigned = match width {
        IntegerWidth::Half => bits::<32>(0xffff),
        IntegerWidth::Byte => bits(0xff),
        _ => bits(0xffff_ffff),
    };
    if is_signed {
        (unsigned >> 1) ^ negative.fill::<32>()
    } else {
        mask(!negative, unsigned)
    }
}

impl IntegerLane {
    /// Adds the terms; a product or a shifted value may replace the first one, which is then 0.
    #[hdl_part]
    pub(super) fn add_terms(&mut self) {
        let terms = self.x3.q.val();
        let product = self.multiplier.x3_product.val();
        self.x3_product.next = product;
        let augend = terms.augend
            | mask(terms.takes_high, product.bits::<32>(16))
            | mask(terms.takes_low, product.low::<32>())
            | mask(terms.takes_shift, self.shifter.x3_value.val());

        // Bit 0 is the carry in.
        let total = ((augend.resize::<34>() << 1) | 1) + terms.addend.resize::<34>();
        let sum = total.bits::<32>(1);
        let (carry_out, sign_augend, sign_addend, sign_sum) = if terms.narrow {
            (total.get_bit(17), augend.get_bit(15), terms.addend.get_bit(16), sum.get_bit(15))
        } else {
            (total.get_bit(33), augend.get_bit(31), terms.addend.get_bit(32), sum.get_bit(31))
        };
        let carry = (carry_out != terms.inverts) && terms.counts;
        let overflow = sign_augend != sign_sum && sign_addend != sign_sum && terms.counts;

        // Clamps to the signed range on overflow, or to the range of a conversion's result. After an overflow the true
        // sum has the other sign.
        let control = self.x3_control.val();
        let narrow_or_word = if terms.narrow { IntegerWidth::Half } else { IntegerWidth::Word };
        let (clamps, width, is_signed, negative) = if terms.converts {
            (terms.clamp, control.result_width, control.result_signed, terms.negative)
        } else {
            (overflow && terms.saturates, narrow_or_word, true, sign_sum == terms.inverts)
        };

        // Z is computed for both values, because the choice between them is known late.
        let kept = bits::<32>(0xffff) | mask(!terms.narrow, bits::<32>(0xffff_0000));
        let cut_sum = (sum ^ terms.inverts.fill::<32>()) & kept;
        let cut_end = limit(width, is_signed, negative) & kept;
        let (value, zero) = if clamps { (cut_end, !cut_end.any()) } else { (cut_sum, !cut_sum.any()) };

        let sign = if terms.narrow { value.get_bit(15) } else { value.get_bit(31) };
        let shift_carry = terms.takes_shift && self.shifter.x3_carry.val();
        let shift_overflow = terms.takes_shift && self.shifter.x3_overflow.val();
        // The farthest distance is stored minus 1: there is an overflow if and only if there is a carry.
        let overflows = if terms.farthest { carry_out } else { overflow || shift_overflow };
        let flags = bits::<4>(0)
            .replace_bit(0, zero)
            .replace_bit(1, sign)
            .replace_bit(2, carry || shift_carry)
            .replace_bit(3, overflows);
        self.x4.d.next = IntegerResult {
            value,
            // R2C's code is in the value's low bits.
            condition: if terms.sets_code { value.low::<4>() } else { flags },
        };
    }

    /// The code of a G2R.LCK is S with the lock, else Z.
    #[hdl_part]
    pub(super) fn set_lock_code(&mut self) {
        let lock = self.x3_lock[0].q.val();
        if lock.valid {
            self.x4.d.next.condition = if lock.succeeds { bits(2) } else { bits(1) };
        }
    }
}
