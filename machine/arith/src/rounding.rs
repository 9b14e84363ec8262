//! Rounding modes, which every float operation and conversion takes.

/// Rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
    /// Toward zero.
    Zero,
}

impl Rounding {
    /// The mode with this number, as instructions encode it; bits above 1 are ignored.
    pub const fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Rounding::Nearest,
            1 => Rounding::Down,
            2 => Rounding::Up,
            _ => Rounding::Zero,
        }
    }

    /// True if this mode never increases the magnitude of a number of this sign.
    #[inline(always)]
    pub(crate) const fn is_toward_zero(self, negative: bool) -> bool {
        matches!(self, Rounding::Zero) || self.is_away(!negative)
    }

    /// True if this mode increases the magnitude of an inexact number of this sign.
    #[inline(always)]
    pub(crate) const fn is_away(self, negative: bool) -> bool {
        let away = if negative { Rounding::Down } else { Rounding::Up };
        self as u8 == away as u8
    }
}
