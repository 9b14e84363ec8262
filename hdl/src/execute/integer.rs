//! The integer unit of one scalar processor: every integer operation of the G80, one result per cycle, no stalls.
//!
//! All operations go through one adder with saturation, in the third stage. Those that do not add have their result
//! ready before it and add 0; a conversion clamps with the adder's saturation. That leaves one multiplexer before the
//! adder, one behind it, and no other way to the result:
//!
//! ```text
//!  stage 1                       stage 2                         stage 3
//!
//!  a, b --- 16/24 bits ---------- Multiplier -----------------+--- (floats' product)
//!  a, b ------------------------- Shifter --------------------|
//!  a, b; 0, value to convert -+-- logic, compare, difference -+- + --- clamp --- result
//!  c -------------------------+-- b, c or 0, inverted; carry ----+               condition
//! ```
//!
//! The differences `b - a` and `c - product` are the inverse of `a + ~b` and `product + ~c`, so the inversion is behind
//! the adder and nothing but the choice of the operand is before it. The distance `|a - b|` is the difference that stage 2
//! compares by; where it is negative, its inverse goes to the adder, and a carry with it.
//!
//! The multiplier is lent to the float unit, in cycles in which the operands are floats'.
//!
//! The arithmetic is that of `flexgrip_arith::integer`.

use super::multiplier::Multiplier;
use super::shifter::Shifter;
use hdlkit::prelude::*;

/// Which circuit of the integer lane gives the result.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum IntegerOperation {
    /// a passes through.
    Move,
    /// a + b, or with either negated, or with carry.
    Add,
    /// a * b, and c added if `accumulate`.
    Multiply,
    /// a shifted by b.
    Shift,
    /// AND, OR, XOR, PASS_B.
    Logic,
    /// a compared with b: all ones or 0.
    Set,
    /// The smaller or greater of a and b.
    MinMax,
    /// I2I: a narrowed, abs, negated, clamped.
    Convert,
    /// ISAD: c + |a - b|.
    SumDistance,
    /// R2C: a passes through, and its four low bits are the condition code.
    SetCode,
}

/// Width of an integer in a conversion.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum IntegerWidth {
    Word,
    Half,
    Byte,
}

/// What an integer lane does with its operands; the same for all lanes. From decode, see `decode/`; arithmetic in
/// `flexgrip-arith`.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IntegerControl {
    pub operation: IntegerOperation,
    /// 16-bit operation: operands are the low 16 bits (upper bits 0; not of c), the result is 16 bits.
    /// A multiplication's result is always 32 bits.
    pub narrow: Bit,
    /// Compare, right shift, min/max, distance: operands are signed.
    pub is_signed: Bit,
    /// Clamp to the signed range on overflow (Add, Multiply with accumulate).
    pub saturate: Bit,
    /// Add: -a (subr). Multiply: -product (subr).
    pub negate_first: Bit,
    /// Add: -b (sub). Multiply: -c (sub).
    pub negate_last: Bit,
    /// Add the carry of the source condition code instead of 0 (addc); with both negates clear.
    pub carry_in: Bit,
    /// Multiply: operands of 24 bits instead of 16.
    pub multiply_24: Bit,
    /// Multiply: bits 47..16 of the 24-bit product instead of its low 32.
    pub multiply_high: Bit,
    pub multiply_signed_a: Bit,
    pub multiply_signed_b: Bit,
    /// Multiply: add c.
    pub accumulate: Bit,
    /// Shift: right instead of left.
    pub shift_right: Bit,
    /// Logic: 0 AND, 1 OR, 2 XOR, 3 PASS_B.
    pub logic_function: Bits<2>,
    /// Logic: ~a, ~b.
    pub invert_a: Bit,
    pub invert_b: Bit,
    /// Set: true if less, equal, greater (any subset).
    pub compare_less: Bit,
    pub compare_equal: Bit,
    pub compare_greater: Bit,
    /// MinMax: the greater.
    pub maximum: Bit,
    /// Convert.
    pub source_width: IntegerWidth,
    pub source_signed: Bit,
    pub result_width: IntegerWidth,
    pub result_signed: Bit,
    pub absolute: Bit,
    pub negate: Bit,
}

/// What stage 2 works on.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IntegerOperands {
    /// a; of a conversion 0, so that `first - second` is the negative.
    first: Bits<32>,
    /// b; of a conversion the source's value.
    second: Bits<32>,
    /// c.
    third: Bits<32>,
    /// C of the source condition code.
    carry: Bit,
    /// The unsigned comparison's answer is wrong: signed, and the signs differ. Of a conversion: the value is negative.
    flip: Bit,
    /// Convert: take the negative.
    negate: Bit,
}

/// What stage 3 works on.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IntegerTerms {
    /// First operand of the adder, unless the multiplier or the shifter has it.
    augend: Bits<32>,
    /// Second operand of the adder, and the carry in bit 0.
    addend: Bits<33>,
    /// Convert: the value is out of range.
    clamp: Bit,
    /// Convert: the value is negative.
    negative: Bit,
    /// The distance to add is 2^31.
    farthest: Bit,
    // What the operation means for the stage, so that nothing of it has to be found out there.
    /// The first operand is the product's bits 47..16; its bits 31..0; what the shifter has.
    takes_high: Bit,
    takes_low: Bit,
    takes_shift: Bit,
    /// The sum has a carry and an overflow; it is inverted; it is clamped on overflow.
    counts: Bit,
    inverts: Bit,
    saturates: Bit,
    converts: Bit,
    narrow: Bit,
    sets_code: Bit,
}

/// What the unit gives.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IntegerResult {
    pub value: Bits<32>,
    /// Z = bit 0, S = bit 1, C = bit 2, O = bit 3.
    pub condition: Bits<4>,
}

/// One lane's integer unit.
///
/// ```text
/// cycle   t                       t+1           t+2           t+3
///         x_a, x_b, x_c, x_carry                              x_result, x_condition
///         x1_control              x2_control    x3_control
/// ```
/// The three controls are the same control, delayed by the parent once for all lanes. There is no valid: every cycle's
/// operands give a result. Operands of `narrow` operations have bits 31..16 clear, and so have their results; of
/// SumDistance only a and b are halves.
///
/// Combinations that no instruction has: `negate_first`, `negate_last` and `carry_in` exclude each other; negation,
/// `carry_in` and `saturate` of a multiplication count with `accumulate` only, `multiply_high` with `multiply_24` only.
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
pub struct IntegerLane {
    pub clock: Signal<In, Clock>,
    /// Control of the operands in stage 1.
    pub x1_control: Signal<In, IntegerControl>,
    /// The same, a cycle later.
    pub x2_control: Signal<In, IntegerControl>,
    /// The same, two cycles later.
    pub x3_control: Signal<In, IntegerControl>,
    pub x_a: Signal<In, Bits<32>>,
    pub x_b: Signal<In, Bits<32>>,
    pub x_c: Signal<In, Bits<32>>,
    /// C of the source condition code.
    pub x_carry: Signal<In, Bit>,
    /// Two factors of the float unit's go to the multiplier instead; the product two cycles later, whosever it is.
    pub x1_is_float: Signal<In, Bit>,
    pub x1_float_a: Signal<In, Bits<25>>,
    pub x1_float_b: Signal<In, Bits<25>>,
    pub x3_product: Signal<Out, Bits<48>>,
    pub x_result: Signal<Out, Bits<32>>,
    /// Z = bit 0, S = bit 1, C = bit 2, O = bit 3.
    pub x_condition: Signal<Out, Bits<4>>,
    /// The result that is there in this cycle is to be kept: it is in `x5_result` from the next one on.
    pub x4_keep: Signal<In, Bit>,
    pub x5_result: Signal<Out, IntegerResult>,

    multiplier: Multiplier,
    shifter: Shifter,
    x2: DFF<IntegerOperands>,
    x3: DFF<IntegerTerms>,
    x4: DFF<IntegerResult>,
    x5: DFF<IntegerResult>,

    x1_converts: Signal<Local, Bit>,
    x1_factor_mask: Signal<Local, Bits<25>>,
    x1_factor_ones: Signal<Local, Bits<25>>,
    x1_cut_a: Signal<Local, Bits<25>>,
    x1_cut_b: Signal<Local, Bits<25>>,
    x1_low_a: Signal<Local, Bits<25>>,
    x1_low_b: Signal<Local, Bits<25>>,
    x1_top_a: Signal<Local, Bit>,
    x1_top_b: Signal<Local, Bit>,
    x1_factor_a: Signal<Local, Bits<25>>,
    x1_factor_b: Signal<Local, Bits<25>>,
    x1_source_top: Signal<Local, Bit>,
    x1_source_negative: Signal<Local, Bit>,
    x1_source_mask: Signal<Local, Bits<32>>,
    x1_source_low: Signal<Local, Bits<32>>,
    x1_source_ones: Signal<Local, Bits<32>>,
    x1_source: Signal<Local, Bits<32>>,
    x1_sign_a: Signal<Local, Bit>,
    x1_sign_b: Signal<Local, Bit>,
    x1_absolute: Signal<Local, Bit>,

    x2_first: Signal<Local, Bits<32>>,
    x2_second: Signal<Local, Bits<32>>,
    x2_minuend: Signal<Local, Bits<33>>,
    x2_subtrahend: Signal<Local, Bits<33>>,
    x2_difference: Signal<Local, Bits<33>>,
    x2_equal: Signal<Local, Bit>,
    x2_less: Signal<Local, Bit>,
    x2_greater: Signal<Local, Bit>,
    x2_truth: Signal<Local, Bit>,
    x2_inverse_first: Signal<Local, Bits<32>>,
    x2_inverse_second: Signal<Local, Bits<32>>,
    x2_logic_function: Signal<Local, Bits<2>>,
    /// Of operand a, inverted or not, and of b: bit 2 * a + b.
    x2_table_a: Signal<Local, Bits<4>>,
    x2_table_b: Signal<Local, Bits<4>>,
    x2_table: Signal<Local, Bits<4>>,
    x2_takes_difference: Signal<Local, Bit>,
    x2_inverts: Signal<Local, Bit>,
    x2_without_first: Signal<Local, Bits<32>>,
    x2_with_first: Signal<Local, Bits<32>>,
    x2_negative: Signal<Local, Bit>,
    x2_sums_distance: Signal<Local, Bit>,
    x2_augend: Signal<Local, Bits<32>>,
    x2_high_half: Signal<Local, Bits<16>>,
    x2_high_byte: Signal<Local, Bits<8>>,
    x2_past_half: Signal<Local, Bit>,
    x2_past_byte: Signal<Local, Bit>,
    x2_past: Signal<Local, Bit>,
    x2_past_signed: Signal<Local, Bit>,
    x2_clamp: Signal<Local, Bit>,
    x2_operand: Signal<Local, Bits<32>>,
    x2_adds: Signal<Local, Bit>,
    x2_narrow: Signal<Local, Bit>,
    x2_product_high: Signal<Local, Bit>,
    x2_counts: Signal<Local, Bit>,
    x2_term: Signal<Local, Bits<32>>,
    x2_cut: Signal<Local, Bits<32>>,
    x2_wide: Signal<Local, Bits<33>>,
    x2_raised: Signal<Local, Bits<33>>,
    x2_carries: Signal<Local, Bit>,
    x2_addend: Signal<Local, Bits<33>>,

    x3_augend: Signal<Local, Bits<32>>,
    x3_converts: Signal<Local, Bit>,
    x3_terms: Signal<Local, IntegerTerms>,
    x3_flags: Signal<Local, Bit>,
    x3_farthest: Signal<Local, Bit>,
    x3_narrow: Signal<Local, Bit>,
    x3_shift_carry: Signal<Local, Bit>,
    x3_shift_overflow: Signal<Local, Bit>,
    x3_addend: Signal<Local, Bits<33>>,
    x3_wide_augend: Signal<Local, Bits<34>>,
    x3_raised: Signal<Local, Bits<34>>,
    x3_left: Signal<Local, Bits<34>>,
    x3_right: Signal<Local, Bits<34>>,
    x3_total: Signal<Local, Bits<34>>,
    x3_sum: Signal<Local, Bits<32>>,
    x3_carry_out: Signal<Local, Bit>,
    x3_sign_augend: Signal<Local, Bit>,
    x3_sign_addend: Signal<Local, Bit>,
    x3_sign_sum: Signal<Local, Bit>,
    x3_inverts: Signal<Local, Bit>,
    x3_carry: Signal<Local, Bit>,
    x3_overflow: Signal<Local, Bit>,
    x3_wrapped: Signal<Local, Bits<32>>,
    x3_clamps: Signal<Local, Bit>,
    x3_negative: Signal<Local, Bit>,
    x3_limit_signed: Signal<Local, Bit>,
    x3_limit_width: Signal<Local, IntegerWidth>,
    x3_unsigned_limit: Signal<Local, Bits<32>>,
    x3_signed_limit: Signal<Local, Bits<32>>,
    x3_limit: Signal<Local, Bits<32>>,
    x3_cut_sum: Signal<Local, Bits<32>>,
    x3_cut_limit: Signal<Local, Bits<32>>,
    x3_value: Signal<Local, Bits<32>>,
    x3_zero: Signal<Local, Bit>,
    x3_sign: Signal<Local, Bit>,
    x3_code_0: Signal<Local, Bits<4>>,
    x3_code_1: Signal<Local, Bits<4>>,
    x3_carry_code: Signal<Local, Bit>,
    x3_overflow_code: Signal<Local, Bit>,
    x3_code_2: Signal<Local, Bits<4>>,
    x3_code_3: Signal<Local, Bits<4>>,
    x3_code: Signal<Local, Bits<4>>,

    _activity: Activity,
}

impl Logic for IntegerLane {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x2, x3, x4, x5);
        self.multiplier.clock.next = self.clock.val();
        self.shifter.clock.next = self.clock.val();

        // Stage 1. Factors: sign- or zero-extended from 16 or 24 bits to 25.
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
        // The multiplier moves for products only.
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

        self.shifter.x1_value.next = self.x_a.val();
        self.shifter.x1_count.next = self.x_b.val();
        self.shifter.x1_right.next = self.x1_control.val().shift_right;
        self.shifter.x1_is_signed.next = self.x1_control.val().is_signed;
        self.shifter.x1_narrow.next = self.x1_control.val().narrow;

        // The value to convert, extended to 32 bits and a sign.
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
        // Halves have no bits above for their sign; with the top bit inverted signed ones are as far apart as unsigned ones.
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

        // Stage 2. Compare; and the negative, of a conversion.
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

        // Most operations take bit by bit what a table has for the bits of the first and second operand: logic, a or b itself, all
        // ones or zeros. Products and shifts are 0 here, and come in stage 3.
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
            // The distance, less 1 where the carry of the addend makes up for it.
            IntegerOperation::SumDistance => {
                self.x2_takes_difference.next = true;
                self.x2_inverts.next = self.x2_less.val();
            }
            IntegerOperation::Multiply => self.x2_table.next = 0.into(),
            IntegerOperation::Shift => self.x2_table.next = 0.into(),
            _ => {}
        }
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

        // Is the value to convert, which is the augend, out of range? Not if all bits above the width are its sign.
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

        // The second operand of the adder.
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

        self.x3.d.next.augend = self.x2_augend.val();
        self.x3.d.next.addend = self.x2_addend.val();
        self.x3.d.next.clamp = self.x2_clamp.val();
        self.x3.d.next.negative = self.x2_negative.val();
        self.x3.d.next.farthest = self.x2_inverts.val() && !self.x2_difference.val().get_bits::<31>(0).any();

        // The control of stage 3: one register for all lanes is too far from most of them, and the stage has no time to decode.
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
        // Of halves too the distance, the sum and its code have 32 bits.
        if self.x2_sums_distance.val() {
            self.x3.d.next.narrow = false;
        }

        // Stage 3. The first operand of the adder.
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

        // The sum, with bit 0 for the carry to come in.
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
        // A distance of 2^31 stands here less 1, as a positive number: there is an overflow if and only if there is a carry.
        self.x3_farthest.next = self.x3.q.val().farthest;
        self.x3_wrapped.next = self.x3_sum.val();
        if self.x3_inverts.val() {
            self.x3_wrapped.next = !self.x3_sum.val();
        }

        // Clamp: to the signed range of the width on overflow, or as the conversion found. After an overflow the true
        // sum has the other sign.
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

        // Z is found on both before the choice between them, which comes late.
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

        self.x_result.next = self.x4.q.val().value;
        self.x_condition.next = self.x4.q.val().condition;
        if self.x4_keep.val() {
            self.x5.d.next = self.x4.q.val();
        }
        self.x5_result.next = self.x5.q.val();
    }
}
