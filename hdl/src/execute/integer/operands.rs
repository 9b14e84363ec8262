//! Stage 1 of the integer lane: prepares operands for the multiplier, the shifter and the comparison.

use super::{IntegerLane, IntegerOperation, IntegerWidth};
use hdlkit::prelude::*;

impl IntegerLane {
    /// The factors of a multiplication, sign- or zero-extended from 16 or 24 bits to 25.
    #[hdl_part]
    pub(super) fn extend_factors(&mut self) {
        self.x1_factor_mask.next = 0xffff.into();
        self.x1_top_a.next = self.x_a.val().get_bit(15);
        self.x1_top_b.next = self.x_b.val().get_bit(15);
        if self.x1_control.val().multiply_24 {
            self.x1_factor_mask.next = 0xff_ffff.into();
            self.x1_top_a.next = self.x_a.val().get_bit(23);
            self.x1_top_b.next = self.x_b.val().get_bit(23);
        }
        self.x1_factor_ones.next = !self.x1_factor_mask.val();
        self.x1_cut_a.next = self.x_a.val().get_bits::<25>(0);
        self.x1_cut_b.next = self.x_b.val().get_bits::<25>(0);
        self.x1_low_a.next = self.x1_cut_a.val() & self.x1_factor_mask.val();
        self.x1_low_b.next = self.x1_cut_b.val() & self.x1_factor_mask.val();
        self.x1_factor_a.next = self.x1_low_a.val();
        if self.x1_control.val().multiply_signed_a && self.x1_top_a.val() {
            self.x1_factor_a.next = self.x1_low_a.val() | self.x1_factor_ones.val();
        }
        self.x1_factor_b.next = self.x1_low_b.val();
        if self.x1_control.val().multiply_signed_b && self.x1_top_b.val() {
            self.x1_factor_b.next = self.x1_low_b.val() | self.x1_factor_ones.val();
        }
    }

    /// The multiplier's factors: the float unit's have priority. They change only for products.
    #[hdl_part]
    pub(super) fn feed_multiplier(&mut self) {
        self.multiplier.x1_a.next = 0.into();
        self.multiplier.x1_b.next = 0.into();
        if self.x1_control.val().operation == IntegerOperation::Multiply {
            self.multiplier.x1_a.next = self.x1_factor_a.val();
            self.multiplier.x1_b.next = self.x1_factor_b.val();
        }
        if self.x1_is_float.val() {
            self.multiplier.x1_a.next = self.x1_float_a.val();
            self.multiplier.x1_b.next = self.x1_float_b.val();
        }
    }

    /// The shifter's operands, for any operation: stage 3 takes its result or ignores it.
    #[hdl_part]
    pub(super) fn feed_shifter(&mut self) {
        self.shifter.x1_value.next = self.x_a.val();
        self.shifter.x1_count.next = self.x_b.val();
        self.shifter.x1_right.next = self.x1_control.val().shift_right;
        self.shifter.x1_is_signed.next = self.x1_control.val().is_signed;
        self.shifter.x1_narrow.next = self.x1_control.val().narrow;
    }

    /// The value to convert, extended to 32 bits and a sign.
    #[hdl_part]
    pub(super) fn extend_source(&mut self) {
        self.x1_converts.next = self.x1_control.val().operation == IntegerOperation::Convert;
        self.x1_source_top.next = self.x_a.val().get_bit(31);
        self.x1_source_mask.next = 0xffff_ffff_u64.into();
        match self.x1_control.val().source_width {
            IntegerWidth::Half => {
                self.x1_source_top.next = self.x_a.val().get_bit(15);
                self.x1_source_mask.next = 0xffff.into();
            }
            IntegerWidth::Byte => {
                self.x1_source_top.next = self.x_a.val().get_bit(7);
                self.x1_source_mask.next = 0xff.into();
            }
            _ => {}
        }
        self.x1_source_negative.next = self.x1_control.val().source_signed && self.x1_source_top.val();
        self.x1_source_low.next = self.x_a.val() & self.x1_source_mask.val();
        self.x1_source_ones.next = !self.x1_source_mask.val();
        self.x1_source.next = self.x1_source_low.val();
        if self.x1_source_negative.val() {
            self.x1_source.next = self.x1_source_low.val() | self.x1_source_ones.val();
        }
        self.x1_absolute.next = self.x1_control.val().absolute && self.x1_source_negative.val();
    }

    /// The operands that stage 2 subtracts and compares. A conversion subtracts its value from 0, so that the
    /// difference is its negative. Signed operands whose signs differ compare the other way round.
    #[hdl_part]
    pub(super) fn choose_operands(&mut self) {
        self.x1_sign_a.next = self.x_a.val().get_bit(31);
        self.x1_sign_b.next = self.x_b.val().get_bit(31);
        if self.x1_control.val().narrow {
            self.x1_sign_a.next = self.x_a.val().get_bit(15);
            self.x1_sign_b.next = self.x_b.val().get_bit(15);
        }

        self.x2.d.next.first = self.x_a.val();
        self.x2.d.next.second = self.x_b.val();
        self.x2.d.next.third = self.x_c.val();
        self.x2.d.next.carry = self.x_carry.val();
        self.x2.d.next.flip = self.x1_control.val().is_signed && (self.x1_sign_a.val() != self.x1_sign_b.val());
        self.x2.d.next.negate = self.x1_absolute.val() != self.x1_control.val().negate;
        // 16-bit operands have no bits above for their sign; with the top bit inverted, signed ones are as far apart as
        // unsigned ones.
        if self.x1_control.val().operation == IntegerOperation::SumDistance
            && self.x1_control.val().narrow
            && self.x1_control.val().is_signed
        {
            self.x2.d.next.first = self.x_a.val() ^ 0x8000;
            self.x2.d.next.second = self.x_b.val() ^ 0x8000;
            self.x2.d.next.flip = false;
        }
        if self.x1_converts.val() {
            self.x2.d.next.first = 0.into();
            self.x2.d.next.second = self.x1_source.val();
            self.x2.d.next.flip = self.x1_source_negative.val();
        }
    }
}
