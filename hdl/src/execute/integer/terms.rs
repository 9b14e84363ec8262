//! Stage 2 of the integer lane: comparison, logic, and the adder's two terms.

use super::{IntegerLane, IntegerOperation, IntegerWidth};
use hdlkit::prelude::*;

impl IntegerLane {
    /// The comparison, from the difference of the operands; for a conversion the difference is the negative.
    #[hdl_part]
    pub(super) fn compare_operands(&mut self) {
        self.x2_first.next = self.x2.q.val().first;
        self.x2_second.next = self.x2.q.val().second;
        self.x2_minuend.next = bit_cast::<33, 32>(self.x2_first.val());
        self.x2_subtrahend.next = bit_cast::<33, 32>(self.x2_second.val());
        self.x2_difference.next = self.x2_minuend.val() - self.x2_subtrahend.val();
        self.x2_equal.next = self.x2_first.val() == self.x2_second.val();
        self.x2_less.next = self.x2_difference.val().get_bit(32) != self.x2.q.val().flip;
        self.x2_greater.next = !self.x2_less.val() && !self.x2_equal.val();
        self.x2_truth.next = (self.x2_control.val().compare_less && self.x2_less.val())
            || (self.x2_control.val().compare_equal && self.x2_equal.val())
            || (self.x2_control.val().compare_greater && self.x2_greater.val());
    }

    /// Most operations look up each bit in a table, indexed by the bits of the first and second operand: logic, a or b
    /// itself, all ones or zeros. Products and shifts are 0 here, and are added in stage 3.
    #[hdl_part]
    pub(super) fn choose_table(&mut self) {
        self.x2_table_a.next = 0b1100.into();
        if self.x2_control.val().invert_a {
            self.x2_table_a.next = 0b0011.into();
        }
        self.x2_table_b.next = 0b1010.into();
        if self.x2_control.val().invert_b {
            self.x2_table_b.next = 0b0101.into();
        }
        self.x2_logic_function.next = self.x2_control.val().logic_function;
        self.x2_table.next = 0b1100.into();
        self.x2_takes_difference.next = false;
        self.x2_inverts.next = false;
        match self.x2_control.val().operation {
            IntegerOperation::Logic => match self.x2_logic_function.val().index() {
                0 => self.x2_table.next = self.x2_table_a.val() & self.x2_table_b.val(),
                1 => self.x2_table.next = self.x2_table_a.val() | self.x2_table_b.val(),
                2 => self.x2_table.next = self.x2_table_a.val() ^ self.x2_table_b.val(),
                _ => self.x2_table.next = self.x2_table_b.val(),
            },
            IntegerOperation::Set => {
                self.x2_table.next = 0.into();
                if self.x2_truth.val() {
                    self.x2_table.next = 0b1111.into();
                }
            }
            IntegerOperation::MinMax => {
                if self.x2_less.val() == self.x2_control.val().maximum {
                    self.x2_table.next = 0b1010.into();
                }
            }
            IntegerOperation::Convert => {
                self.x2_table.next = 0b1010.into();
                self.x2_takes_difference.next = self.x2.q.val().negate;
            }
            // The distance, minus 1 where the carry of the addend makes up for it.
            IntegerOperation::SumDistance => {
                self.x2_takes_difference.next = true;
                self.x2_inverts.next = self.x2_less.val();
            }
            IntegerOperation::Multiply => self.x2_table.next = 0.into(),
            IntegerOperation::Shift => self.x2_table.next = 0.into(),
            _ => {}
        }
    }

    /// The adder's first operand: each bit from the table, or the difference for operations that use it.
    #[hdl_part]
    pub(super) fn look_up_augend(&mut self) {
        self.x2_inverse_first.next = !self.x2_first.val();
        self.x2_inverse_second.next = !self.x2_second.val();
        self.x2_without_first.next = 0.into();
        self.x2_with_first.next = 0.into();
        if self.x2_table.val().get_bit(0) {
            self.x2_without_first.next = self.x2_inverse_second.val();
        }
        if self.x2_table.val().get_bit(1) {
            self.x2_without_first.next = self.x2_without_first.val() | self.x2_second.val();
        }
        if self.x2_table.val().get_bit(2) {
            self.x2_with_first.next = self.x2_inverse_second.val();
        }
        if self.x2_table.val().get_bit(3) {
            self.x2_with_first.next = self.x2_with_first.val() | self.x2_second.val();
        }
        self.x2_augend.next = (self.x2_first.val() & self.x2_with_first.val())
            | (self.x2_inverse_first.val() & self.x2_without_first.val());
        if self.x2_takes_difference.val() {
            self.x2_augend.next = self.x2_difference.val().get_bits::<32>(0);
            if self.x2_inverts.val() {
                self.x2_augend.next = !self.x2_augend.val();
            }
        }
    }

    /// Whether the value to convert, which is the augend, is out of range. It is in range if all bits above the width
    /// are its sign.
    #[hdl_part]
    pub(super) fn check_range(&mut self) {
        self.x2_negative.next = self.x2.q.val().flip;
        if self.x2.q.val().negate {
            self.x2_negative.next = self.x2_less.val();
        }
        self.x2_high_half.next = self.x2_augend.val().get_bits::<16>(16);
        self.x2_high_byte.next = self.x2_augend.val().get_bits::<8>(8);
        if self.x2_negative.val() {
            self.x2_past_half.next = !self.x2_high_half.val().all();
            self.x2_past_byte.next = !self.x2_high_half.val().all() || !self.x2_high_byte.val().all();
        } else {
            self.x2_past_half.next = self.x2_high_half.val().any();
            self.x2_past_byte.next = self.x2_high_half.val().any() || self.x2_high_byte.val().any();
        }
        match self.x2_control.val().result_width {
            IntegerWidth::Half => {
                self.x2_past.next = self.x2_past_half.val();
                self.x2_past_signed.next =
                    self.x2_past_half.val() || (self.x2_augend.val().get_bit(15) != self.x2_negative.val());
            }
            IntegerWidth::Byte => {
                self.x2_past.next = self.x2_past_byte.val();
                self.x2_past_signed.next =
                    self.x2_past_byte.val() || (self.x2_augend.val().get_bit(7) != self.x2_negative.val());
            }
            _ => {
                self.x2_past.next = false;
                self.x2_past_signed.next = self.x2_augend.val().get_bit(31) != self.x2_negative.val();
            }
        }
        self.x2_clamp.next = self.x2_past.val() || self.x2_negative.val();
        if self.x2_control.val().result_signed {
            self.x2_clamp.next = self.x2_past_signed.val();
        }
    }

    /// The adder's second operand: b, c or 0, inverted to subtract, with the carry in bit 0.
    #[hdl_part]
    pub(super) fn choose_addend(&mut self) {
        self.x2_operand.next = self.x2_second.val();
        self.x2_adds.next = false;
        self.x2_sums_distance.next = false;
        self.x2_narrow.next = false;
        match self.x2_control.val().operation {
            IntegerOperation::Add => {
                self.x2_adds.next = true;
                self.x2_narrow.next = self.x2_control.val().narrow;
            }
            IntegerOperation::Multiply => {
                self.x2_operand.next = self.x2.q.val().third;
                self.x2_adds.next = self.x2_control.val().accumulate;
            }
            IntegerOperation::SumDistance => {
                self.x2_operand.next = self.x2.q.val().third;
                self.x2_sums_distance.next = true;
            }
            _ => {}
        }
        self.x2_term.next = 0.into();
        if self.x2_adds.val() {
            self.x2_term.next = self.x2_operand.val();
            if self.x2_control.val().negate_first || self.x2_control.val().negate_last {
                self.x2_term.next = !self.x2_operand.val();
            }
        } else if self.x2_sums_distance.val() {
            self.x2_term.next = self.x2_operand.val();
        }
        self.x2_cut.next = self.x2_term.val();
        if self.x2_narrow.val() {
            self.x2_cut.next = self.x2_term.val() & 0xffff;
        }
        self.x2_wide.next = bit_cast::<33, 32>(self.x2_cut.val());
        self.x2_raised.next = self.x2_wide.val() << 1;
        self.x2_carries.next =
            (self.x2_control.val().carry_in && self.x2.q.val().carry) || self.x2_control.val().negate_last;
        self.x2_addend.next = self.x2_raised.val();
        if self.x2_adds.val() {
            if self.x2_carries.val() {
                self.x2_addend.next = self.x2_raised.val() | 1;
            }
        } else if self.x2_sums_distance.val() {
            if self.x2_less.val() {
                self.x2_addend.next = self.x2_raised.val() | 1;
            }
        }
    }

    /// The terms for stage 3, with its decoded operation.
    #[hdl_part]
    pub(super) fn register_terms(&mut self) {
        self.x3.d.next.augend = self.x2_augend.val();
        self.x3.d.next.addend = self.x2_addend.val();
        self.x3.d.next.clamp = self.x2_clamp.val();
        self.x3.d.next.negative = self.x2_negative.val();
        self.x3.d.next.farthest = self.x2_inverts.val() && !self.x2_difference.val().get_bits::<31>(0).any();

        // The control of stage 3, in each lane: one register for all lanes is too far from most of them, and the stage
        // has no time to decode.
        self.x2_product_high.next = self.x2_control.val().multiply_high && self.x2_control.val().multiply_24;
        self.x2_counts.next = self.x2_adds.val() || self.x2_sums_distance.val();
        self.x3.d.next.counts = self.x2_counts.val();
        self.x3.d.next.inverts = self.x2_adds.val() && self.x2_control.val().negate_first;
        self.x3.d.next.saturates = self.x2_adds.val() && self.x2_control.val().saturate;
        self.x3.d.next.takes_high = false;
        self.x3.d.next.takes_low = false;
        self.x3.d.next.takes_shift = self.x2_control.val().operation == IntegerOperation::Shift;
        self.x3.d.next.converts = self.x2_control.val().operation == IntegerOperation::Convert;
        self.x3.d.next.sets_code = self.x2_control.val().operation == IntegerOperation::SetCode;
        self.x3.d.next.narrow = self.x2_control.val().narrow;
        if self.x2_control.val().operation == IntegerOperation::Multiply {
            self.x3.d.next.takes_high = self.x2_product_high.val();
            self.x3.d.next.takes_low = !self.x2_product_high.val();
            self.x3.d.next.narrow = false;
        }
        // For 16-bit operands, too, the distance, the sum and its code have 32 bits.
        if self.x2_sums_distance.val() {
            self.x3.d.next.narrow = false;
        }
    }
}
