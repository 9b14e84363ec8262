//! Operations on doubles and 64-bit integers.

use flexgrip_arith::double::convert::{f2f, f2f_from_single, f2f_to_single, f2i, f2i_from_single, i2f, i2f_to_single};
use flexgrip_arith::double::{dadd, dfma, dmax, dmin, dmul, dset};
use flexgrip_arith::float::{FloatOrder, Rounding, Sign};
use flexgrip_arith::Flagged;

pub use flexgrip_arith::double::convert::WideInteger;

/// An operation with a 64-bit source or result. A 64-bit value is in two consecutive registers, the first one even,
/// with the low word in the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Double {
    /// `±(source 1 * source 2) ± source 3`, rounded once (DFMA).
    Fma {
        /// The rounding mode.
        rounding: Rounding,
        /// True to negate the product.
        negate_product: bool,
        /// Negate source 3.
        negate3: bool,
    },
    /// `±source 1 ± source 3` (DADD).
    Add {
        /// The rounding mode.
        rounding: Rounding,
        /// Negate source 1.
        negate1: bool,
        /// Negate source 3.
        negate3: bool,
    },
    /// `±source 1 * source 2` (DMUL).
    Mul {
        /// The rounding mode.
        rounding: Rounding,
        /// Negate source 1.
        negate1: bool,
    },
    /// The smaller of source 1 and source 2 (DMIN).
    Min {
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// The larger of source 1 and source 2 (DMAX).
    Max {
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// 32 bits, all ones if the order of source 1 and source 2 is in `order`, else 0 (DSET).
    Set {
        /// Orderings for which the result is true.
        order: FloatOrder,
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// A double as a float32 (F2F.F32.F64).
    ToSingle {
        /// Sign handling of source 1.
        sign: Sign,
        /// The rounding mode.
        rounding: Rounding,
    },
    /// A float32 as a double, exactly (F2F.F64.F32).
    FromSingle {
        /// Sign handling of source 1.
        sign: Sign,
    },
    /// A double as a double (F2F.F64.F64).
    ToDouble {
        /// Sign handling of source 1.
        sign: Sign,
        /// Rounding to an integral value, if any.
        integral: Option<Rounding>,
    },
    /// A float as an integer (F2I).
    ToInteger {
        /// The source is a double, else a float32 and the result has 64 bits.
        double: bool,
        /// Type of the result.
        to: WideInteger,
        /// Sign handling of source 1.
        sign: Sign,
        /// The rounding mode.
        rounding: Rounding,
    },
    /// An integer as a float (I2F).
    FromInteger {
        /// The result is a double, else a float32 and the source has 64 bits.
        double: bool,
        /// Type of the source.
        from: WideInteger,
        /// Sign handling of source 1.
        sign: Sign,
        /// The rounding mode.
        rounding: Rounding,
    },
}

/// A 32-bit result with bits 63..32 clear.
const fn narrow(result: Flagged) -> Flagged<u64> {
    Flagged {
        value: result.value as u64,
        cc: result.cc,
    }
}

const fn negated(negate: bool) -> Sign {
    Sign {
        absolute: false,
        negate,
    }
}

impl Double {
    /// True if the sources have 64 bits; all sources of an operation are alike.
    pub const fn is_wide(self) -> bool {
        match self {
            Double::FromSingle { .. } => false,
            Double::ToInteger { double, .. } => double,
            Double::FromInteger { from, .. } => from.bits() == 64,
            _ => true,
        }
    }

    /// True if the result has 64 bits.
    pub const fn has_wide_result(self) -> bool {
        match self {
            Double::Set { .. } | Double::ToSingle { .. } => false,
            Double::ToInteger { to, .. } => to.bits() == 64,
            Double::FromInteger { double, .. } => double,
            _ => true,
        }
    }

    /// The result in a lane, with its condition code. Sources and results of 32 bits are in bits 31..0.
    pub fn compute(self, [a, b, c]: [u64; 3]) -> Flagged<u64> {
        match self {
            Double::Fma {
                rounding,
                negate_product,
                negate3,
            } => dfma(
                rounding,
                negated(negate_product).apply_double(a),
                b,
                negated(negate3).apply_double(c),
            ),
            Double::Add {
                rounding,
                negate1,
                negate3,
            } => dadd(
                rounding,
                negated(negate1).apply_double(a),
                negated(negate3).apply_double(c),
            ),
            Double::Mul { rounding, negate1 } => dmul(rounding, negated(negate1).apply_double(a), b),
            Double::Min { sign1, sign2 } => dmin(sign1.apply_double(a), sign2.apply_double(b)),
            Double::Max { sign1, sign2 } => dmax(sign1.apply_double(a), sign2.apply_double(b)),
            Double::Set { order, sign1, sign2 } => narrow(dset(order, sign1.apply_double(a), sign2.apply_double(b))),
            Double::ToSingle { sign, rounding } => narrow(f2f_to_single(sign, rounding, a)),
            Double::FromSingle { sign } => f2f_from_single(sign, a as u32),
            Double::ToDouble { sign, integral } => f2f(sign, integral, a),
            Double::ToInteger {
                double: true,
                to,
                sign,
                rounding,
            } => f2i(to, sign, rounding, a),
            Double::ToInteger { to, sign, rounding, .. } => f2i_from_single(to.is_signed(), sign, rounding, a as u32),
            Double::FromInteger {
                double: true,
                from,
                sign,
                rounding,
            } => i2f(from, sign, rounding, a),
            Double::FromInteger {
                from, sign, rounding, ..
            } => narrow(i2f_to_single(from.is_signed(), sign, rounding, a)),
        }
    }
}
