//! Condition codes and the result type that carries them.
//!
//! A condition-code register of the G80 has four bits. There is one rule for all integer results and one for all float
//! results; both are defined here.

use std::fmt;

/// A condition code: four bits, Z = bit 0, S = bit 1, C = bit 2, O = bit 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cc(u8);

impl Cc {
    /// The result is zero; with [`Cc::SIGN`]: a float comparison found a NaN.
    pub const ZERO: u8 = 1;
    /// The result's top bit is set.
    pub const SIGN: u8 = 2;
    /// Carry out of the top bit, or the last bit that a shift lost.
    pub const CARRY: u8 = 4;
    /// Signed overflow.
    pub const OVERFLOW: u8 = 8;

    /// The condition code with these bits; bits above 3 are ignored.
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Self {
        Cc(bits & 0xf)
    }

    /// The four bits.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The code of an integer result as written: Z and S from `value`, C and O as given.
    #[inline(always)]
    pub const fn of_integer(value: u32, width: Width, carry: bool, overflow: bool) -> Self {
        let value = value & width.mask();
        let sign = (value >> (width.bits() - 1)) as u8;
        Cc((value == 0) as u8 | (sign * Cc::SIGN) | (carry as u8 * Cc::CARRY) | (overflow as u8 * Cc::OVERFLOW))
    }

    /// The code of a float32 result, by comparison with 0: Z if it is a zero, S if it is less, both if it is a NaN.
    #[inline(always)]
    pub const fn of_float(value: u32) -> Self {
        let magnitude = value & 0x7fff_ffff;
        Cc(if magnitude > 0x7f80_0000 {
            Cc::ZERO | Cc::SIGN
        } else if magnitude == 0 {
            Cc::ZERO
        } else {
            (value >> 31) as u8 * Cc::SIGN
        })
    }

    /// The code of a double result, by the same rule; a denormal is not a zero.
    #[inline(always)]
    pub const fn of_double(value: u64) -> Self {
        let magnitude = value & 0x7fff_ffff_ffff_ffff;
        Cc(if magnitude > 0x7ff0_0000_0000_0000 {
            Cc::ZERO | Cc::SIGN
        } else if magnitude == 0 {
            Cc::ZERO
        } else {
            (value >> 63) as u8 * Cc::SIGN
        })
    }

    /// The code of a set instruction: S if the result is true, Z if it is false.
    #[inline(always)]
    pub const fn of_set(truth: bool) -> Self {
        Cc(if truth { Cc::SIGN } else { Cc::ZERO })
    }

    /// Z, bit 0.
    pub const fn zero(self) -> bool {
        self.0 & Cc::ZERO != 0
    }

    /// S, bit 1.
    pub const fn sign(self) -> bool {
        self.0 & Cc::SIGN != 0
    }

    /// C, bit 2.
    #[inline(always)]
    pub const fn carry(self) -> bool {
        self.0 & Cc::CARRY != 0
    }

    /// O, bit 3.
    pub const fn overflow(self) -> bool {
        self.0 & Cc::OVERFLOW != 0
    }
}

impl fmt::Display for Cc {
    /// The set bits by letter, in the order O C S Z, `-` for a clear one: `O-S-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (bit, letter) in [(3, 'O'), (2, 'C'), (1, 'S'), (0, 'Z')] {
            write!(f, "{}", if self.0 >> bit & 1 == 1 { letter } else { '-' })?;
        }
        Ok(())
    }
}

/// A result and its condition code. 16-bit results have bits 31..16 clear; a double or 64-bit integer is a `u64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flagged<T = u32> {
    /// The result.
    pub value: T,
    /// Its condition code.
    pub cc: Cc,
}

/// The width of an operation's operands and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 16 bits: a register half.
    B16,
    /// 32 bits: a register.
    B32,
}

impl Width {
    /// The number of bits, 16 or 32.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        match self {
            Width::B16 => 16,
            Width::B32 => 32,
        }
    }

    /// All ones in this width.
    #[inline(always)]
    pub const fn mask(self) -> u32 {
        match self {
            Width::B16 => 0xffff,
            Width::B32 => 0xffff_ffff,
        }
    }
}
