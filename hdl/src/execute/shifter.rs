//! The barrel shifter of a lane: left, right and arithmetic right, of 32 or 16 bits, with the last bit shifted out.
//!
//! It rotates right by the count or, for a left shift, by 32 minus the count; then a mask replaces the bits that
//! wrapped around with zeros or copies of the sign. The last bit shifted out also wrapped around, to a known position.
//! The rotation by 16 is before the first register.

use hdlkit::prelude::*;

/// `x1_value` shifted by `x1_count`, two cycles later; the results of `flexgrip_arith::integer::{shl, shr}`.
///
/// ```text
/// cycle   t                t+1                       t+2
///         value, count     rotated by 16             x3_value, x3_carry, x3_overflow
///                          | by 12, 8, 4; 3, 2, 1; mask
/// ```
#[circuit]
#[derive(Clone, Debug)]
pub struct Shifter {
    pub clock: Signal<In, Clock>,
    /// 16-bit operation: upper bits are 0.
    pub x1_value: Signal<In, Bits<32>>,
    /// Unsigned and does not wrap: a count of the width or more shifts everything out.
    pub x1_count: Signal<In, Bits<32>>,
    /// Shift right instead of left.
    pub x1_right: Signal<In, Bit>,
    /// Right shift: shift in copies of the sign.
    pub x1_is_signed: Signal<In, Bit>,
    /// The operation is 16 bits wide.
    pub x1_narrow: Signal<In, Bit>,
    /// The result; for a 16-bit operation in bits 15..0, with bits 31..16 undefined.
    pub x3_value: Signal<Out, Bits<32>>,
    /// The last bit shifted out; 0 for a count of 0, or of the width or more.
    pub x3_carry: Signal<Out, Bit>,
    /// The count is 1 and the sign changed; never for an arithmetic right shift.
    pub x3_overflow: Signal<Out, Bit>,

    x2: DFF<RotatedOperand>,
    value: DFF<Bits<32>>,
    carry: DFF<Bit>,
    overflow: DFF<Bit>,
}

/// The register before stage 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct RotatedOperand {
    /// The operand, rotated by 16 if bit 4 of the rotation is set.
    value: Bits<32>,
    /// Bits 3..0 of the rotation.
    rotation: Bits<4>,
    /// The result keeps bit i of the rotated operand, in a right shift if `limit` <= 31 - i, in a left shift if `limit`
    /// >= 31 - i.
    limit: Bits<5>,
    left: Bit,
    narrow: Bit,
    /// Shift in ones.
    sign: Bit,
    /// The count is the width or more.
    over: Bit,
    /// The last bit shifted out is a bit of the operand.
    lost: Bit,
    overflow: Bit,
}

/// 32 - count modulo 32, without a carry chain: a bit is inverted if a lower bit is set.
#[hdl_fn]
fn negated(count: Bits<5>) -> Bits<5> {
    count ^ ((count << 1) | (count << 2) | (count << 3) | (count << 4))
}

/// `word` rotated right by `count`.
#[hdl_fn]
fn rotated(word: Bits<32>, count: Bits<4>) -> Bits<32> {
    let twice: Bits<64> = word.concat(word);
    (twice >> count).low::<32>()
}

impl Logic for Shifter {
    #[hdl_gen]
    fn update(&mut self) {
        self.rotate_by_16();
        self.rotate_and_mask();
        self.x3_value.next = self.value.q.val();
        self.x3_carry.next = self.carry.q.val();
        self.x3_overflow.next = self.overflow.q.val();
    }
}

impl Shifter {
    #[hdl_part]
    fn rotate_by_16(&mut self) {
        let value = self.x1_value.val();
        let right = self.x1_right.val();
        let narrow = self.x1_narrow.val();
        let count = self.x1_count.val().low::<5>();
        let beyond = self.x1_count.val().bits::<27>(5).any();
        let (top, second) =
            if narrow { (value.get_bit(15), value.get_bit(14)) } else { (value.get_bit(31), value.get_bit(30)) };
        let sign = top && right && self.x1_is_signed.val();
        let over = beyond || (narrow && count.get_bit(4));
        let rotation = if right { count } else { negated(count) };
        let next_top = if right { sign } else { second };
        self.x2.d.next = RotatedOperand {
            value: if rotation.get_bit(4) { value.low::<16>().concat(value.bits::<16>(16)) } else { value },
            rotation: rotation.low::<4>(),
            limit: if right { count.replace_bit(4, count.get_bit(4) || narrow) } else { !count },
            left: !right,
            narrow,
            sign,
            over,
            lost: !over && count.any(),
            overflow: !beyond && count == 1 && top != next_top,
        };
    }

    #[hdl_part]
    fn rotate_and_mask(&mut self) {
        let operand = self.x2.q.val();
        let by_4 = rotated(operand.value, operand.rotation & 0b1100);
        let by_1 = rotated(by_4, operand.rotation & 0b11);
        let reach = (Bits::<32>::ONES >> operand.limit) >> operand.left.fill::<1>();
        let keep = mask(!operand.over, reach ^ operand.left.fill::<32>());
        self.value.d.next = (by_1 & keep) | mask(operand.sign, !keep);
        let last = if !operand.left {
            by_1.get_bit(31)
        } else if operand.narrow {
            by_1.get_bit(16)
        } else {
            by_1.get_bit(0)
        };
        self.carry.d.next = operand.lost && last;
        self.overflow.d.next = operand.overflow;
    }
}
