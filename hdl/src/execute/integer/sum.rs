//! Stage 3 of the integer lane: the sum, clamped, and its condition code.

use super::{IntegerLane, IntegerWidth};
use hdlkit::prelude::*;

impl IntegerLane {
    /// The adder's first operand: the product or the shifter's result, if it is one of these. Each input is 0 where
    /// another is used.
    #[hdl_part]
    pub(super) fn merge_augend(&mut self) {
        self.x3_product.next = self.multiplier.x3_product.val();
        self.x3_augend.next = self.x3.q.val().augend;
        self.x3_terms.next = self.x3.q.val();
        self.x3_shift_carry.next = false;
        self.x3_shift_overflow.next = false;
        if self.x3_terms.val().takes_high {
            self.x3_augend.next = self.x3_augend.val() | self.x3_product.val().get_bits::<32>(16);
        }
        if self.x3_terms.val().takes_low {
            self.x3_augend.next = self.x3_augend.val() | self.x3_product.val().get_bits::<32>(0);
        }
        if self.x3_terms.val().takes_shift {
            self.x3_augend.next = self.x3_augend.val() | self.shifter.x3_value.val();
            self.x3_shift_carry.next = self.shifter.x3_carry.val();
            self.x3_shift_overflow.next = self.shifter.x3_overflow.val();
        }
        self.x3_narrow.next = self.x3_terms.val().narrow;
        self.x3_converts.next = self.x3_terms.val().converts;
        self.x3_flags.next = self.x3_terms.val().counts;
        self.x3_inverts.next = self.x3_terms.val().inverts;
    }

    /// The sum, with bit 0 for the carry in, and its carry and overflow.
    #[hdl_part]
    pub(super) fn add_terms(&mut self) {
        self.x3_addend.next = self.x3.q.val().addend;
        self.x3_wide_augend.next = bit_cast::<34, 32>(self.x3_augend.val());
        self.x3_raised.next = self.x3_wide_augend.val() << 1;
        self.x3_left.next = self.x3_raised.val() | 1;
        self.x3_right.next = bit_cast::<34, 33>(self.x3_addend.val());
        self.x3_total.next = self.x3_left.val() + self.x3_right.val();
        self.x3_sum.next = self.x3_total.val().get_bits::<32>(1);

        self.x3_carry_out.next = self.x3_total.val().get_bit(33);
        self.x3_sign_augend.next = self.x3_augend.val().get_bit(31);
        self.x3_sign_addend.next = self.x3_addend.val().get_bit(32);
        self.x3_sign_sum.next = self.x3_sum.val().get_bit(31);
        if self.x3_narrow.val() {
            self.x3_carry_out.next = self.x3_total.val().get_bit(17);
            self.x3_sign_augend.next = self.x3_augend.val().get_bit(15);
            self.x3_sign_addend.next = self.x3_addend.val().get_bit(16);
            self.x3_sign_sum.next = self.x3_sum.val().get_bit(15);
        }
        self.x3_carry.next = (self.x3_carry_out.val() != self.x3_inverts.val()) && self.x3_flags.val();
        self.x3_overflow.next = (self.x3_sign_augend.val() != self.x3_sign_sum.val())
            && (self.x3_sign_addend.val() != self.x3_sign_sum.val())
            && self.x3_flags.val();
        // A distance of 2^31 is stored here minus 1, as a positive number: there is an overflow if and only if there is
        // a carry.
        self.x3_farthest.next = self.x3.q.val().farthest;
        self.x3_wrapped.next = self.x3_sum.val();
        if self.x3_inverts.val() {
            self.x3_wrapped.next = !self.x3_sum.val();
        }
    }

    /// The limit to clamp to, and whether to clamp: to the signed range of the width on overflow, or as the conversion
    /// found. After an overflow the true sum has the other sign.
    #[hdl_part]
    pub(super) fn choose_limit(&mut self) {
        self.x3_clamps.next = self.x3_overflow.val() && self.x3_terms.val().saturates;
        self.x3_negative.next = self.x3_sign_sum.val() == self.x3_inverts.val();
        self.x3_limit_signed.next = true;
        self.x3_limit_width.next = IntegerWidth::Word;
        if self.x3_narrow.val() {
            self.x3_limit_width.next = IntegerWidth::Half;
        }
        if self.x3_converts.val() {
            self.x3_clamps.next = self.x3.q.val().clamp;
            self.x3_negative.next = self.x3.q.val().negative;
            self.x3_limit_signed.next = self.x3_control.val().result_signed;
            self.x3_limit_width.next = self.x3_control.val().result_width;
        }
        match self.x3_limit_width.val() {
            IntegerWidth::Half => self.x3_unsigned_limit.next = 0xffff.into(),
            IntegerWidth::Byte => self.x3_unsigned_limit.next = 0xff.into(),
            _ => self.x3_unsigned_limit.next = 0xffff_ffff_u64.into(),
        }
        self.x3_signed_limit.next = self.x3_unsigned_limit.val() >> 1;
        self.x3_limit.next = self.x3_unsigned_limit.val();
        if self.x3_limit_signed.val() {
            self.x3_limit.next = self.x3_signed_limit.val();
            if self.x3_negative.val() {
                self.x3_limit.next = !self.x3_signed_limit.val();
            }
        } else if self.x3_negative.val() {
            self.x3_limit.next = 0.into();
        }
    }

    /// The sum or the limit. Z is computed for both before the choice between them, which is known late.
    #[hdl_part]
    pub(super) fn choose_value(&mut self) {
        self.x3_cut_sum.next = self.x3_wrapped.val();
        self.x3_cut_limit.next = self.x3_limit.val();
        if self.x3_narrow.val() {
            self.x3_cut_sum.next = self.x3_wrapped.val() & 0xffff;
            self.x3_cut_limit.next = self.x3_limit.val() & 0xffff;
        }
        self.x3_value.next = self.x3_cut_sum.val();
        self.x3_zero.next = !self.x3_cut_sum.val().any();
        if self.x3_clamps.val() {
            self.x3_value.next = self.x3_cut_limit.val();
            self.x3_zero.next = !self.x3_cut_limit.val().any();
        }
        self.x3_sign.next = self.x3_value.val().get_bit(31);
        if self.x3_narrow.val() {
            self.x3_sign.next = self.x3_value.val().get_bit(15);
        }
    }

    /// The condition code: Z, S, C and O. R2C's code is in the value's low bits.
    #[hdl_part]
    pub(super) fn compose_condition(&mut self) {
        self.x3_code_0.next = 0.into();
        if self.x3_zero.val() {
            self.x3_code_0.next = 1.into();
        }
        self.x3_code_1.next = self.x3_code_0.val().replace_bit(1, self.x3_sign.val());
        self.x3_carry_code.next = self.x3_carry.val() || self.x3_shift_carry.val();
        self.x3_overflow_code.next = self.x3_overflow.val() || self.x3_shift_overflow.val();
        if self.x3_farthest.val() {
            self.x3_overflow_code.next = self.x3_carry_out.val();
        }
        self.x3_code_2.next = self.x3_code_1.val().replace_bit(2, self.x3_carry_code.val());
        self.x3_code_3.next = self.x3_code_2.val().replace_bit(3, self.x3_overflow_code.val());
        self.x4.d.next.value = self.x3_value.val();
        self.x3_code.next = self.x3_code_3.val();
        if self.x3_terms.val().sets_code {
            self.x3_code.next = self.x3_value.val().get_bits::<4>(0);
        }
        self.x4.d.next.condition = self.x3_code.val();
    }

    /// The result, and the one kept for later.
    #[hdl_part]
    pub(super) fn drive_result(&mut self) {
        self.x_result.next = self.x4.q.val().value;
        self.x_condition.next = self.x4.q.val().condition;
        if self.x4_keep.val() {
            self.x5.d.next = self.x4.q.val();
        }
        self.x5_result.next = self.x5.q.val();
    }
}
