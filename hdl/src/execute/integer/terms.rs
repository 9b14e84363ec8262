//! Stage 2 of the integer lane: comparison, logic, and the adder's two terms.

use super::{IntegerLane, IntegerTerms, LockTerms};
use crate::bundles::*;
use hdlkit::prelude::*;

/// The truth table of a logic operation, indexed by the bits of both operands: bit 2 * a + b.
#[hdl_fn]
fn logic_table(control: IntegerControl) -> Bits<4> {
    let a = if control.invert_a { bits::<4>(0b0011) } else { bits(0b1100) };
    let b = if control.invert_b { bits::<4>(0b0101) } else { bits(0b1010) };
    match control.logic_function.index() {
        0 => a & b,
        1 => a | b,
        2 => a ^ b,
        _ => b,
    }
}

/// True if a number is outside a result's range; `value` is its low 32 bits, `negative` its sign. It is inside if all
/// bits above the width equal the sign, and so does a signed result's top bit; an unsigned result's sign must be 0.
#[hdl_fn]
fn is_past(value: Bits<32>, negative: Bit, width: IntegerWidth, is_signed: Bit) -> Bit {
    let differs = value ^ negative.fill::<32>();
    let past = match width {
        IntegerWidth::Half => differs.bits::<16>(16).any(),
        IntegerWidth::Byte => differs.bits::<24>(8).any(),
        _ => false,
    };
    let top_differs = match width {
        IntegerWidth::Half => differs.get_bit(15),
        IntegerWidth::Byte => differs.get_bit(7),
        _ => differs.get_bit(31),
    };
    past || (if is_signed { top_differs } else { negative })
}

impl IntegerLane {
    /// Forms the adder's terms and the control of stage 3.
    #[hdl_part]
    pub(super) fn form_terms(&mut self) {
        let control = self.x2_control.val();
        let operands = self.x2.q.val();
        let first = operands.first;
        let second = operands.second;
        let multiplies = control.operation == IntegerOperation::Multiply;
        let converts = control.operation == IntegerOperation::Convert;
        let sums_distance = control.operation == IntegerOperation::SumDistance;

        // The comparison, from the difference of the operands; for a conversion the difference is the negative.
        let difference = first.resize::<33>() - second.resize::<33>();
        let equal = first == second;
        let less = difference.get_bit(32) != operands.flip;
        let truth = (control.compare_less && less)
            || (control.compare_equal && equal)
            || (control.compare_greater && !less && !equal);

        // Most operations look up each bit in a truth table, indexed by the bits of the first and second operand:
        // logic, a or b itself, all ones or zeros. Products and shifts are 0 here, and are added in stage 3.
        let table = match control.operation {
            IntegerOperation::Logic => logic_table(control),
            IntegerOperation::Set => truth.fill::<4>(),
            IntegerOperation::MinMax => {
                if less == control.maximum {
                    bits(0b1010)
                } else {
                    bits(0b1100)
                }
            }
            IntegerOperation::Convert => bits(0b1010),
            IntegerOperation::Multiply | IntegerOperation::Shift => bits(0b0000),
            _ => bits(0b1100),
        };
        let without_first = mask(table.get_bit(0), !second) | mask(table.get_bit(1), second);
        let with_first = mask(table.get_bit(2), !second) | mask(table.get_bit(3), second);
        let looked_up = (first & with_first) | (!first & without_first);

        // The adder's first operand. A negative distance is inverted, and the carry adds 1.
        let reverses = sums_distance && less;
        let augend = if sums_distance || (converts && operands.negate) {
            difference.low::<32>() ^ reverses.fill::<32>()
        } else {
            looked_up
        };

        // The adder's second operand: b, c or 0, inverted to subtract, with the carry in bit 0.
        let adds = control.operation == IntegerOperation::Add || (multiplies && control.accumulate);
        let operand = if control.operation == IntegerOperation::Add { second } else { operands.third };
        let subtracts = adds && (control.negate_first || control.negate_last);
        let term = mask(adds || sums_distance, operand ^ subtracts.fill::<32>());
        let cut = if control.operation == IntegerOperation::Add && control.narrow { term & 0xffff } else { term };
        let carries = (control.carry_in && operands.carry) || control.negate_last;
        let carry = (adds && carries) || reverses;

        // The sign of the value to convert, which is the augend.
        let negative = if operands.negate { less } else { operands.flip };
        let product_high = control.multiply_high && control.multiply_24;
        self.x3.d.next = IntegerTerms {
            augend,
            addend: cut.concat(carry.fill::<1>()),
            clamp: is_past(augend, negative, control.result_width, control.result_signed),
            negative,
            // A distance of 2^31 is stored here as 2^31 - 1, a positive number.
            farthest: reverses && !difference.low::<31>().any(),
            // The control of stage 3, in each lane: one register for all lanes is too far from most of them, and the
            // stage has no time to decode.
            takes_high: multiplies && product_high,
            takes_low: multiplies && !product_high,
            takes_shift: control.operation == IntegerOperation::Shift,
            counts: adds || sums_distance,
            inverts: adds && control.negate_first,
            saturates: adds && control.saturate,
            converts,
            // Sums with a product or a distance have 32 bits, even with 16-bit operands.
            narrow: control.narrow && !multiplies && !sums_distance,
            sets_code: control.operation == IntegerOperation::SetCode,
        };
    }

    /// Passes to stage 3 whether the lane has the lock of a G2R.LCK.
    #[hdl_part]
    pub(super) fn form_lock_terms(&mut self) {
        let control = self.x2_control.val();
        self.x3_lock[0].d.next = LockTerms {
            valid: control.operation == IntegerOperation::SetCode && control.carry_in,
            succeeds: self.x2.q.val().carry,
        };
    }
}
