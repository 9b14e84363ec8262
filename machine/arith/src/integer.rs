//! Integer arithmetic: IADD, IMUL, IMAD, SHL, SHR, LOP, ISET, IMIN, IMAX, I2I, ISAD.
//!
//! 16-bit operations read bits 15..0 of their operands and return a result with bits 31..16 clear. The condition code
//! always has Z and S of the result as written; each function defines C and O, which are 0 by default.
//!
//! Hardware vectors cover addition, multiply-add, shifts and the sum of absolute differences. Logic, comparison,
//! minimum, maximum and conversion have no vectors and follow the specification's prose.

use crate::condition::{Cc, Flagged, Width};

/// The adder's operation on `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    /// `a + b`
    Add,
    /// `a - b`, computed as `a + !b + 1`: C is set when there is no borrow.
    Subtract,
    /// `b - a`, computed as `!a + b + 1`.
    ReverseSubtract,
    /// `a + b + carry`
    AddCarry,
}

/// The product of an IMAD, and the saturation of its sum. The variants have the names of the instruction's type field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Product {
    /// 16 x 16 bits, unsigned; low 32 bits.
    U16,
    /// 16 x 16 bits, signed; low 32 bits.
    S16,
    /// Like `S16`, with the sum clamped to the signed 32-bit range.
    SatS16,
    /// 24 x 24 bits, unsigned; low 32 bits.
    U24,
    /// 24 x 24 bits, signed; low 32 bits.
    S24,
    /// Like `S24`, with the sum clamped to the signed 32-bit range.
    SatS24,
    /// 24 x 24 bits, unsigned; bits 47..16.
    HiU24,
    /// 24 x 24 bits, signed; bits 47..16.
    HiS24,
    /// Like `HiS24`, with the sum clamped to the signed 32-bit range.
    HiSatS24,
}

/// A bitwise operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `b`
    PassB,
}

/// A subset of {less, equal, greater}: the comparison holds if the operands' order is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Order {
    /// True if `a < b`.
    pub less: bool,
    /// True if `a == b`.
    pub equal: bool,
    /// True if `a > b`.
    pub greater: bool,
}

impl Order {
    /// The subset of bit 0 = less, bit 1 = equal, bit 2 = greater, as instructions encode it; other bits are ignored.
    pub const fn from_bits(bits: u32) -> Self {
        Order {
            less: bits & 1 != 0,
            equal: bits & 2 != 0,
            greater: bits & 4 != 0,
        }
    }

    #[inline(always)]
    pub(crate) const fn holds(self, order: std::cmp::Ordering) -> bool {
        match order {
            std::cmp::Ordering::Less => self.less,
            std::cmp::Ordering::Equal => self.equal,
            std::cmp::Ordering::Greater => self.greater,
        }
    }
}

/// The integer type of a conversion's source or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integer {
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 8 bits.
    S8,
    /// Signed, 16 bits.
    S16,
    /// Signed, 32 bits.
    S32,
}

impl Integer {
    /// The width in bits: 8, 16 or 32.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        match self {
            Integer::U8 | Integer::S8 => 8,
            Integer::U16 | Integer::S16 => 16,
            Integer::U32 | Integer::S32 => 32,
        }
    }

    /// True for two's complement.
    pub const fn is_signed(self) -> bool {
        matches!(self, Integer::S8 | Integer::S16 | Integer::S32)
    }

    /// The value of the low bits of `bits` in this type.
    #[inline(always)]
    pub const fn read(self, bits: u32) -> i64 {
        match self {
            Integer::U8 => bits as u8 as i64,
            Integer::U16 => bits as u16 as i64,
            Integer::U32 => bits as i64,
            Integer::S8 => bits as i8 as i64,
            Integer::S16 => bits as i16 as i64,
            Integer::S32 => bits as i32 as i64,
        }
    }

    /// The smallest and the largest value of this type.
    #[inline(always)]
    pub const fn range(self) -> (i64, i64) {
        match self {
            Integer::U8 => (0, u8::MAX as i64),
            Integer::U16 => (0, u16::MAX as i64),
            Integer::U32 => (0, u32::MAX as i64),
            Integer::S8 => (i8::MIN as i64, i8::MAX as i64),
            Integer::S16 => (i16::MIN as i64, i16::MAX as i64),
            Integer::S32 => (i32::MIN as i64, i32::MAX as i64),
        }
    }
}

/// `value` truncated to `width` with Z and S, C and O clear: the code of every result without a carry.
#[inline(always)]
pub const fn plain(width: Width, value: u32) -> Flagged {
    let value = value & width.mask();
    Flagged {
        value,
        cc: Cc::of_integer(value, width, false, false),
    }
}

/// IADD: the sum or difference of `a` and `b`, by `sum`; only [`Sum::AddCarry`] reads `carry`.
///
/// C is the carry out of the top bit and O signed overflow, both of the unsaturated sum; `saturate` then clamps an
/// overflowing result to the signed range, and Z and S describe the clamped result.
#[inline(always)]
pub const fn iadd(sum: Sum, width: Width, saturate: bool, a: u32, b: u32, carry: bool) -> Flagged {
    // The code has neither branches nor wider numbers, so that loops over a warp's lanes are vectorised.
    let mask = width.mask();
    let (flip_a, flip_b, one, with_carry) = match sum {
        Sum::Add => (0, 0, false, false),
        Sum::Subtract => (0, mask, true, false),
        Sum::ReverseSubtract => (mask, 0, true, false),
        Sum::AddCarry => (0, 0, false, true),
    };
    let (a, b) = ((a ^ flip_a) & mask, (b ^ flip_b) & mask);
    let low = a.wrapping_add(b).wrapping_add((one | with_carry & carry) as u32) & mask;
    let top = width.bits() - 1;
    let carry = (a & b | (a | b) & !low) >> top & 1 == 1;
    let overflow = ((a ^ low) & (b ^ low)) >> top & 1 == 1;
    let value = if !(saturate && overflow) {
        low
    } else if a >> top & 1 == 1 {
        1 << top
    } else {
        mask >> 1
    };
    Flagged {
        value,
        cc: Cc::of_integer(value, width, carry, overflow),
    }
}

/// `value`'s low `bits` bits (1 to 32), zero- or sign-extended.
#[inline(always)]
const fn extend(value: u32, bits: u32, signed: bool) -> i64 {
    let unused = 32 - bits;
    if signed {
        ((value << unused) as i32 >> unused) as i64
    } else {
        (value << unused >> unused) as i64
    }
}

#[inline(always)]
const fn product(a: u32, b: u32, bits: u32, a_signed: bool, b_signed: bool, high: bool) -> u32 {
    let wide = extend(a, bits, a_signed) * extend(b, bits, b_signed);
    if high {
        (wide >> 16) as u32
    } else {
        wide as u32
    }
}

/// IMUL, 16-bit form: the product of `a`'s and `b`'s bits 15..0, each zero- or sign-extended by its own flag; 32 bits.
#[inline(always)]
pub const fn imul16(a_signed: bool, b_signed: bool, a: u32, b: u32) -> Flagged {
    plain(Width::B32, product(a, b, 16, a_signed, b_signed, false))
}

/// IMUL, 24-bit form: the 48-bit product of `a`'s and `b`'s bits 23..0; bits 31..0 of it, or 47..16 if `high`.
#[inline(always)]
pub const fn imul24(signed: bool, high: bool, a: u32, b: u32) -> Flagged {
    plain(Width::B32, product(a, b, 24, signed, signed, high))
}

/// IMAD: the product of `a` and `b`, by `kind`, then IADD of product and `c` (so [`Sum::Subtract`] is product minus
/// `c`, [`Sum::ReverseSubtract`] is `c` minus product). C and O are the addition's.
#[inline(always)]
pub const fn imad(kind: Product, sum: Sum, a: u32, b: u32, c: u32, carry: bool) -> Flagged {
    let (bits, signed, high, saturate) = match kind {
        Product::U16 => (16, false, false, false),
        Product::S16 => (16, true, false, false),
        Product::SatS16 => (16, true, false, true),
        Product::U24 => (24, false, false, false),
        Product::S24 => (24, true, false, false),
        Product::SatS24 => (24, true, false, true),
        Product::HiU24 => (24, false, true, false),
        Product::HiS24 => (24, true, true, false),
        Product::HiSatS24 => (24, true, true, true),
    };
    iadd(
        sum,
        Width::B32,
        saturate,
        product(a, b, bits, signed, signed, high),
        c,
        carry,
    )
}

/// SHL: `a` shifted left by the unsigned `count` (of the operation's width; 16-bit forms read its bits 15..0).
///
/// A count of the width or more gives 0. C is the last bit shifted out for counts of 1 to width - 1, else 0. O is set
/// for a count of 1 if the sign changed.
#[inline(always)]
pub const fn shl(width: Width, a: u32, count: u32) -> Flagged {
    let (a, count) = (a & width.mask(), count & width.mask());
    let within = count < width.bits();
    let value = if within { a << (count & 31) & width.mask() } else { 0 };
    let last = a >> (width.bits().wrapping_sub(count) & 31) & 1 == 1;
    let carry = within & (count != 0) & last;
    let overflow = count == 1 && (a ^ value) >> (width.bits() - 1) & 1 == 1;
    Flagged {
        value,
        cc: Cc::of_integer(value, width, carry, overflow),
    }
}

/// SHR: `a` shifted right by the unsigned `count` (of the operation's width; 16-bit forms read its bits 15..0).
///
/// A count of the width or more gives 0, or all sign bits if `signed`. C is the last bit shifted out for counts of 1 to
/// width - 1, else 0. O is set for a count of 1 if the sign changed, which a signed shift never does.
#[inline(always)]
pub const fn shr(width: Width, signed: bool, a: u32, count: u32) -> Flagged {
    let (a, count) = (a & width.mask(), count & width.mask());
    let far = if count > 31 { 31 } else { count };
    let value = if signed {
        (extend(a, width.bits(), true) as i32 >> far) as u32 & width.mask()
    } else if count > 31 {
        0
    } else {
        a >> far
    };
    let last = a >> (count.wrapping_sub(1) & 31) & 1 == 1;
    let carry = (count < width.bits()) & (count != 0) & last;
    let overflow = count == 1 && (a ^ value) >> (width.bits() - 1) & 1 == 1;
    Flagged {
        value,
        cc: Cc::of_integer(value, width, carry, overflow),
    }
}

/// LOP: the bitwise operation `logic` of `a` and `b`, each inverted first if its flag is set.
#[inline(always)]
pub const fn lop(logic: Logic, width: Width, invert_a: bool, invert_b: bool, a: u32, b: u32) -> Flagged {
    let a = if invert_a { !a } else { a };
    let b = if invert_b { !b } else { b };
    let value = match logic {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
        Logic::PassB => b,
    };
    plain(width, value)
}

/// An integer with the same order as the operand: its bits at the top, the highest inverted for an unsigned type.
/// Differences are the operands' differences, shifted.
#[inline(always)]
const fn in_order(width: Width, signed: bool, value: u32) -> i32 {
    let flip = if signed { 0 } else { 1 << 31 };
    (value << (32 - width.bits()) ^ flip) as i32
}

/// ISET: all ones (0xffffffff, or 0xffff in the 16-bit form) if the order of `a` and `b` is in `order`, else 0. The
/// code is a set instruction's: S if true, Z if false.
#[inline(always)]
pub const fn iset(order: Order, width: Width, signed: bool, a: u32, b: u32) -> Flagged {
    let (a, b) = (in_order(width, signed, a), in_order(width, signed, b));
    let truth = order.less & (a < b) | order.equal & (a == b) | order.greater & (a > b);
    Flagged {
        value: if truth { width.mask() } else { 0 },
        cc: Cc::of_set(truth),
    }
}

/// IMIN: the smaller of `a` and `b`.
#[inline(always)]
pub const fn imin(width: Width, signed: bool, a: u32, b: u32) -> Flagged {
    let a_first = in_order(width, signed, a) <= in_order(width, signed, b);
    plain(width, if a_first { a } else { b })
}

/// IMAX: the larger of `a` and `b`.
#[inline(always)]
pub const fn imax(width: Width, signed: bool, a: u32, b: u32) -> Flagged {
    let a_last = in_order(width, signed, a) >= in_order(width, signed, b);
    plain(width, if a_last { a } else { b })
}

/// I2I: `a` read as `source`; then its absolute value, if `absolute`; then its negation, if `negate`; then clamped to
/// the range of `destination`. All steps are exact, so a negated unsigned source is negative, and becomes 0 in an
/// unsigned destination. An 8-bit result is extended by its type to `width`, the width of the register written.
#[inline(always)]
pub fn i2i(source: Integer, destination: Integer, width: Width, absolute: bool, negate: bool, a: u32) -> Flagged {
    let mut value = source.read(a);
    let ((least, most), (low, high)) = (source.range(), destination.range());
    if !absolute && !negate && low <= least && most <= high {
        // Most of these instructions have nothing to clamp.
        return plain(width, value as u32);
    }
    if absolute {
        value = value.abs();
    }
    if negate {
        value = -value;
    }
    plain(width, value.clamp(low, high) as u32)
}

/// ISAD: `|a - b| + c`, the difference of signed or unsigned operands of `width`.
///
/// Only `a` and `b` have that width: their difference, `c` and the sum have 32 bits in both forms, and the code
/// describes the sum, like IADD's.
#[inline(always)]
pub fn isad(width: Width, signed: bool, a: u32, b: u32, c: u32) -> Flagged {
    let shifted = in_order(width, signed, a).abs_diff(in_order(width, signed, b));
    let difference = shifted >> (32 - width.bits());
    iadd(Sum::Add, Width::B32, false, difference, c, false)
}

#[cfg(test)]
mod tests {
    //! Cases worked by hand, for checkouts without the vectors. Condition codes are written as the letters of [`Cc`]'s
    //! display: O C S Z.

    use super::*;
    use Width::{B16, B32};

    #[track_caller]
    fn check(got: Flagged, value: u32, cc: &str) {
        assert_eq!(
            (format!("{:#x}", got.value), got.cc.to_string()),
            (format!("{value:#x}"), cc.to_string())
        );
    }

    #[test]
    fn iadd_carries_and_overflows() {
        check(iadd(Sum::Add, B32, false, 1, 2, true), 3, "----");
        check(iadd(Sum::Add, B32, false, 0xffff_ffff, 1, false), 0, "-C-Z");
        check(iadd(Sum::Add, B32, false, 0x7fff_ffff, 1, false), 0x8000_0000, "O-S-");
        check(iadd(Sum::Add, B32, true, 0x7fff_ffff, 1, false), 0x7fff_ffff, "O---");
        check(
            iadd(Sum::Add, B32, true, 0x8000_0000, 0xffff_ffff, false),
            0x8000_0000,
            "OCS-",
        );
        check(iadd(Sum::Add, B16, false, 0xdead_ffff, 0xbeef_0001, false), 0, "-C-Z");
        check(iadd(Sum::Subtract, B32, false, 5, 5, false), 0, "-C-Z");
        check(iadd(Sum::Subtract, B32, false, 5, 6, false), 0xffff_ffff, "--S-");
        check(iadd(Sum::ReverseSubtract, B32, false, 5, 6, false), 1, "-C--");
        check(iadd(Sum::Subtract, B16, true, 0x8000, 1, false), 0x8000, "OCS-");
        check(iadd(Sum::AddCarry, B32, false, 1, 2, true), 4, "----");
        check(iadd(Sum::AddCarry, B32, false, 0xffff_ffff, 0, true), 0, "-C-Z");
    }

    #[test]
    fn products_take_their_operands_bits() {
        check(imul16(false, false, 0x1_ffff, 0x2_ffff), 0xfffe_0001, "--S-");
        check(imul16(true, true, 0xffff, 0xffff), 1, "----");
        check(imul16(true, false, 0xffff, 0xffff), 0xffff_0001, "--S-");
        check(imul16(false, true, 0x10, 0x8000), 0xfff8_0000, "--S-");
        check(imul24(false, false, 0xff00_1000, 0x1000), 0x0100_0000, "----");
        check(imul24(true, false, 0x00ff_ffff, 2), 0xffff_fffe, "--S-");
        check(imul24(false, true, 0x00ff_ffff, 0x00ff_ffff), 0xffff_fe00, "--S-");
        check(imul24(true, true, 0x0080_0000, 0x0080_0000), 0x4000_0000, "----");
        check(imul24(true, true, 0, 7), 0, "---Z");
        check(imad(Product::U16, Sum::Add, 3, 4, 5, true), 17, "----");
        check(imad(Product::S16, Sum::Subtract, 3, 4, 12, false), 0, "-C-Z");
        check(
            imad(Product::U24, Sum::ReverseSubtract, 3, 4, 5, false),
            0xffff_fff9,
            "--S-",
        );
        check(imad(Product::U24, Sum::AddCarry, 3, 4, 5, true), 18, "----");
        check(
            imad(Product::SatS24, Sum::Add, 0x7fff, 0xffff, 0x7fff_ffff, false),
            0x7fff_ffff,
            "O---",
        );
        check(
            imad(Product::HiU24, Sum::Add, 0x10000, 0x10000, 1, false),
            0x1_0001,
            "----",
        );
        check(
            imad(
                Product::HiSatS24,
                Sum::Subtract,
                0x0080_0000,
                0x007f_ffff,
                0x7fff_ffff,
                false,
            ),
            0x8000_0000,
            "OCS-",
        );
    }

    #[test]
    fn shift_counts_never_wrap() {
        check(shl(B32, 0x8000_0001, 1), 2, "OC--");
        check(shl(B32, 1, 31), 0x8000_0000, "--S-");
        check(shl(B32, 3, 31), 0x8000_0000, "-CS-");
        check(shl(B32, 1, 32), 0, "---Z");
        check(shl(B32, 1, 33), 0, "---Z");
        check(shl(B32, 1, 0xffff_ffff), 0, "---Z");
        check(shl(B16, 1, 0x1_0000), 1, "----");
        check(shl(B16, 0x8000, 1), 0, "OC-Z");
        check(shl(B16, 1, 16), 0, "---Z");
        check(shr(B32, false, 0x8000_0001, 1), 0x4000_0000, "OC--");
        check(shr(B32, true, 0x8000_0000, 31), 0xffff_ffff, "--S-");
        check(shr(B32, true, 0x8000_0000, 32), 0xffff_ffff, "--S-");
        check(shr(B32, true, 0x8000_0000, 99), 0xffff_ffff, "--S-");
        check(shr(B32, false, 0xffff_ffff, 32), 0, "---Z");
        check(shr(B32, true, 0x8000_0001, 1), 0xc000_0000, "-CS-");
        check(shr(B16, true, 0xffac, 1), 0xffd6, "--S-");
        check(shr(B16, false, 0xffac, 1), 0x7fd6, "O---");
        check(shr(B16, true, 0x8000, 4), 0xf800, "--S-");
        check(shr(B16, true, 0x8000, 16), 0xffff, "--S-");
        check(shr(B16, false, 0xffff_8000, 15), 1, "----");
    }

    #[test]
    fn logic_inverts_first() {
        check(lop(Logic::And, B32, false, false, 0xff00, 0x0ff0), 0x0f00, "----");
        check(lop(Logic::Or, B32, false, false, 0xff00, 0x0ff0), 0xfff0, "----");
        check(lop(Logic::Xor, B32, false, false, 5, 5), 0, "---Z");
        check(lop(Logic::PassB, B32, false, true, 7, 0), 0xffff_ffff, "--S-");
        check(lop(Logic::And, B32, true, false, 0xff, 0xfff), 0xf00, "----");
        check(lop(Logic::PassB, B16, false, true, 7, 0x1_00ff), 0xff00, "--S-");
    }

    #[test]
    fn comparison_is_any_subset() {
        let less = Order::from_bits(1);
        check(iset(less, B32, true, 0xffff_ffff, 0), 0xffff_ffff, "--S-");
        check(iset(less, B32, false, 0xffff_ffff, 0), 0, "---Z");
        check(iset(less, B16, true, 0x8000, 0x7fff), 0xffff, "--S-");
        check(iset(Order::from_bits(0), B32, true, 1, 1), 0, "---Z");
        check(iset(Order::from_bits(7), B32, true, 1, 1), 0xffff_ffff, "--S-");
        check(iset(Order::from_bits(6), B32, false, 2, 1), 0xffff_ffff, "--S-");
        check(imin(B32, true, 0xffff_ffff, 1), 0xffff_ffff, "--S-");
        check(imin(B32, false, 0xffff_ffff, 1), 1, "----");
        check(imax(B32, true, 0xffff_ffff, 1), 1, "----");
        check(imax(B16, false, 0x5_8000, 0x7fff), 0x8000, "--S-");
        check(imin(B16, true, 0x5_8000, 0x7fff), 0x8000, "--S-");
    }

    #[test]
    fn conversion_clamps_last() {
        use Integer::*;
        check(i2i(S8, S32, B32, false, false, 0x1280), 0xffff_ff80, "--S-");
        check(i2i(U8, S32, B32, false, false, 0x1280), 0x80, "----");
        check(i2i(S32, U32, B32, false, false, 0xffff_ffff), 0, "---Z");
        check(i2i(S32, U32, B32, true, false, 0xffff_ffff), 1, "----");
        check(i2i(S32, S32, B32, true, false, 0x8000_0000), 0x7fff_ffff, "----");
        check(i2i(S32, S32, B32, false, true, 1), 0xffff_ffff, "--S-");
        check(i2i(S32, S16, B16, false, false, 0x0001_0000), 0x7fff, "----");
        check(i2i(S32, S16, B16, false, false, 0x8000_0000), 0x8000, "--S-");
        check(i2i(U32, S32, B32, false, false, 0xffff_ffff), 0x7fff_ffff, "----");
        check(i2i(S32, U8, B32, false, false, 300), 255, "----");
        check(i2i(S32, S8, B16, false, false, 0xffff_0000), 0xff80, "--S-");
        check(i2i(S32, S32, B32, true, true, 5), 0xffff_fffb, "--S-");
    }

    #[test]
    fn isad_adds_the_distance() {
        check(isad(B32, false, 3, 10, 5), 12, "----");
        check(isad(B32, true, 0xffff_ffff, 1, 0), 2, "----");
        check(isad(B32, false, 0xffff_ffff, 1, 0), 0xffff_fffe, "--S-");
        // The sum has the carry and overflow of a 32-bit addition, for halves too.
        check(isad(B32, false, 0x10, 0xffff_ffdf, 0x392b_3e15), 0x392b_3de4, "-C--");
        check(isad(B32, true, 0x8000_0000, 0x7fff_ffff, 1), 0, "-C-Z");
        check(isad(B32, false, 0x7fff_ffff, 0, 1), 0x8000_0000, "O-S-");
        check(isad(B16, false, 1, 0xffff, 2), 0x1_0000, "----");
        check(isad(B16, true, 0x5_8000, 0x7_7fff, 0x7fff_0001), 0x8000_0000, "O-S-");
        check(isad(B16, false, 0x97d2, 0x20, 0x885f_5175), 0x885f_e927, "--S-");
        check(isad(B16, false, 0, 0x1a, 0xffff_ffbf), 0xffff_ffd9, "--S-");
    }

    #[test]
    fn add_and_subtract_agree_with_wide_arithmetic() {
        // A deterministic walk over bit patterns; the reference is 64-bit signed and unsigned arithmetic.
        let mut state = 0x9e37_79b9u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        for _ in 0..20_000 {
            let (a, b) = (next(), next());
            for (sum, signed, unsigned) in [
                (Sum::Add, a as i32 as i64 + b as i32 as i64, a as u64 + b as u64),
                (
                    Sum::Subtract,
                    a as i32 as i64 - b as i32 as i64,
                    (1 << 32) + a as u64 - b as u64,
                ),
                (
                    Sum::ReverseSubtract,
                    b as i32 as i64 - a as i32 as i64,
                    (1 << 32) + b as u64 - a as u64,
                ),
            ] {
                let got = iadd(sum, B32, false, a, b, false);
                assert_eq!(got.value, signed as u32);
                assert_eq!(got.cc.overflow(), i32::try_from(signed).is_err());
                assert_eq!(got.cc.carry(), unsigned >> 32 == 1);
                let clamped = signed.clamp(i32::MIN as i64, i32::MAX as i64) as u32;
                assert_eq!(iadd(sum, B32, true, a, b, false).value, clamped);
            }
        }
    }
}
