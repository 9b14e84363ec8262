//! Unpacking of float64 and float32 numbers with denormals, exact sums and products, and the one rounding at the end.
//!
//! Unlike the machine's other float arithmetic ([`crate::number`]) nothing is flushed here and NaNs keep their payload.

use crate::rounding::Rounding;

/// A binary interchange format of IEEE 754 with at most 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Number of fraction bits: the significand's leading one is this bit.
    pub fraction_bits: u32,
    /// The exponent field of infinities and NaNs, all ones.
    pub exponent_max: u64,
}

/// IEEE binary64.
pub(super) const DOUBLE: Format = Format {
    fraction_bits: 52,
    exponent_max: 0x7ff,
};
/// IEEE binary32, in bits 31..0.
pub(super) const SINGLE: Format = Format {
    fraction_bits: 23,
    exponent_max: 0xff,
};

impl Format {
    /// The sign bit.
    #[inline(always)]
    pub const fn sign(self) -> u64 {
        (self.exponent_max + 1) << self.fraction_bits
    }

    #[inline(always)]
    pub const fn is_negative(self, bits: u64) -> bool {
        bits & self.sign() != 0
    }

    /// The zero of this sign.
    #[inline(always)]
    pub const fn zero(self, negative: bool) -> u64 {
        if negative {
            self.sign()
        } else {
            0
        }
    }

    /// The infinity of this sign.
    #[inline(always)]
    pub const fn infinity(self, negative: bool) -> u64 {
        self.zero(negative) | self.exponent_max << self.fraction_bits
    }

    #[inline(always)]
    pub const fn is_infinite(self, bits: u64) -> bool {
        bits & !self.sign() == self.infinity(false)
    }

    #[inline(always)]
    pub const fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign() > self.infinity(false)
    }

    /// The fraction's top bit, which a quiet NaN has set.
    #[inline(always)]
    pub const fn quiet(self) -> u64 {
        1 << (self.fraction_bits - 1)
    }

    /// The exponent field of numbers in 1.0 to 2.0.
    #[inline(always)]
    const fn bias(self) -> i32 {
        (self.exponent_max >> 1) as i32
    }
}

/// The bit of the leading one of [`Exact::magnitude`] before an addition: a sum of two is below 2^127.
const TOP: u32 = 125;

/// The exponent of a zero, lower than the exponent of any product, so a zero never shifts the other addend out.
const ZERO_EXPONENT: i32 = -10_000;

/// A finite number, `significand * 2^exponent`, negated if `negative`.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub negative: bool,
    pub exponent: i32,
    /// 0, or 53 bits with the highest one set, even for a denormal or a float32.
    pub significand: u64,
}

impl Number {
    /// Unpacks a finite number; the result for infinities and NaNs is meaningless.
    #[inline(always)]
    pub const fn of(format: Format, bits: u64) -> Self {
        let negative = format.is_negative(bits);
        let magnitude = bits & (format.sign() - 1);
        if magnitude == 0 {
            return Number {
                negative,
                exponent: ZERO_EXPONENT,
                significand: 0,
            };
        }
        let leading_one = 1 << format.fraction_bits;
        let fraction = magnitude & (leading_one - 1);
        let field = (magnitude >> format.fraction_bits) as i32;
        let (field, significand) = if field == 0 {
            (1, fraction)
        } else {
            (field, fraction | leading_one)
        };
        let shift = significand.leading_zeros() - 11;
        Number {
            negative,
            exponent: field - format.bias() - format.fraction_bits as i32 - shift as i32,
            significand: significand << shift,
        }
    }

    #[inline(always)]
    pub const fn is_zero(self) -> bool {
        self.significand == 0
    }

    /// The same number as an addend.
    #[inline(always)]
    pub const fn exact(self) -> Exact {
        Exact {
            negative: self.negative,
            exponent: self.exponent - (TOP - 52) as i32,
            magnitude: (self.significand as u128) << (TOP - 52),
        }
    }

    /// The exact product, 106 bits.
    #[inline(always)]
    pub const fn times(self, other: Number) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            exponent: self.exponent + other.exponent - (TOP - 105) as i32,
            magnitude: (self.significand as u128 * other.significand as u128) << (TOP - 105),
        }
    }

    /// The magnitude rounded to an integer, for a number of this sign. From 2^117 on the result may be any integer from
    /// 2^116 up.
    #[inline(always)]
    pub const fn round_to_integer(self, rounding: Rounding) -> u128 {
        if self.exponent >= 0 {
            let shift = if self.exponent > 64 { 64 } else { self.exponent };
            return (self.significand as u128) << shift;
        }
        let quarters = shift_sticky((self.significand as u128) << 2, self.exponent.unsigned_abs());
        round_quarters(quarters as u64, rounding, self.negative) as u128
    }
}

/// A finite number, `magnitude * 2^exponent`, negated if `negative`.
///
/// As an addend it is 0, or its highest bit is [`TOP`] or the one below, and its low 20 bits are 0.
#[derive(Clone, Copy)]
pub(super) struct Exact {
    pub negative: bool,
    pub exponent: i32,
    /// Exact, or with a sticky bit 0 far below the bits that any format keeps.
    pub magnitude: u128,
}

impl Exact {
    /// The sum of two addends. An exact zero has their common sign, else the sign that `rounding` gives it.
    #[inline(always)]
    pub const fn plus(self, other: Exact, rounding: Rounding) -> Exact {
        let exponent = if self.exponent > other.exponent {
            self.exponent
        } else {
            other.exponent
        };
        let sum = self.aligned(exponent) + other.aligned(exponent);
        let negative = if sum != 0 {
            sum < 0
        } else if self.negative == other.negative {
            self.negative
        } else {
            matches!(rounding, Rounding::Down)
        };
        Exact {
            negative,
            exponent,
            magnitude: sum.unsigned_abs(),
        }
    }

    /// The signed magnitude in units of `2^exponent`; `exponent` must not be less than the exponent of `self`. Only
    /// shifts of more than 20 lose bits, which a sticky bit replaces; sums that cancel more than one bit lose none.
    #[inline(always)]
    const fn aligned(self, exponent: i32) -> i128 {
        let magnitude = shift_sticky(self.magnitude, (exponent - self.exponent) as u32) as i128;
        if self.negative {
            -magnitude
        } else {
            magnitude
        }
    }

    /// Rounds to a number of `format`, with denormals. Too large a magnitude becomes an infinity, or the largest finite
    /// number if `rounding` is toward zero for this sign.
    #[inline(always)]
    pub const fn round(self, format: Format, rounding: Rounding) -> u64 {
        let sign = format.zero(self.negative);
        if self.magnitude == 0 {
            return sign;
        }
        let zeros = self.magnitude.leading_zeros();
        let magnitude = self.magnitude << zeros;
        let field = self.exponent - zeros as i32 + 127 + format.bias();
        let (below, field) = if field < 1 { (1 - field, 1) } else { (0, field) };
        let kept_from = 127 - format.fraction_bits + below as u32;
        let significand = round_quarters(shift_sticky(magnitude, kept_from - 2) as u64, rounding, self.negative);
        // A leading one adds 1 to the exponent field, and so does a carry out of rounding.
        let rounded = ((field - 1) as u64) << format.fraction_bits;
        let rounded = rounded + significand;
        if rounded < format.infinity(false) {
            sign | rounded
        } else {
            sign | (format.infinity(false) - rounding.is_toward_zero(self.negative) as u64)
        }
    }
}

/// Sticky right shift by any count: bit 0 of the result is also set if any bit was lost.
#[inline(always)]
const fn shift_sticky(value: u128, count: u32) -> u128 {
    // A shift of 127 or more leaves 0 or 1.
    let count = if count > 127 { 127 } else { count };
    let kept = value >> count;
    kept | (kept << count != value) as u128
}

/// Rounds a magnitude in quarters, with this sign, to an integer. The lowest bit may be sticky: a bit for one half and
/// a sticky bit are enough for all modes.
#[inline(always)]
const fn round_quarters(quarters: u64, rounding: Rounding, negative: bool) -> u64 {
    let (kept, rest) = (quarters >> 2, quarters & 3);
    let nearest = matches!(rounding, Rounding::Nearest) & (rest | kept & 1 > 2);
    kept + (nearest | rounding.is_away(negative) & (rest != 0)) as u64
}
