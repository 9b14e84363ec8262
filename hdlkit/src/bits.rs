//! A fast `Bits<N>` for circuits.
//!
//! rust-hdl's own `Bits` costs 32 ns for a shift or a slice and keeps anything wider than 32 bits as an array of
//! bools. This one keeps up to 128 bits in two machine words; the compiler drops the upper word's work wherever
//! N <= 64, since N is known. It implements rust-hdl's [`Synth`], and because `#[hdl_gen]` looks at names only, a kernel
//! takes it as soon as it shadows rust-hdl's names: `use hdlkit::prelude::*`.
//!
//! A `LogicStruct` may be wider than 128 bits in total: then only its all-zero value can become a `Bits`, which is what
//! rust-hdl needs for defaults. Its fields are still exact, and so are waveforms and co-simulation, which go by field.

use num_bigint::BigUint;
use rust_hdl_core::bits::Bits as SlowBits;
use rust_hdl_core::prelude::{Synth, TypeDescriptor, TypeKind, VCDValue, VerilogLiteral};
use std::cmp::Ordering;

/// An unsigned value of `N` bits, arithmetic wraps at `N`. Widths of 1 to 128.
#[derive(Copy, Clone, PartialEq, Eq, Default, Hash)]
pub struct Bits<const N: usize> {
    low: u64,
    high: u64,
}

impl<const N: usize> Bits<N> {
    const LOW_MASK: u64 = if N >= 64 { !0 } else { (1u64 << N) - 1 };
    const HIGH_MASK: u64 = if N >= 128 {
        !0
    } else if N > 64 {
        (1u64 << (N - 64)) - 1
    } else {
        0
    };

    /// The value's low 64 bits.
    #[inline(always)]
    pub const fn raw(self) -> u64 {
        self.low
    }

    /// The whole value.
    #[inline(always)]
    pub const fn wide(self) -> u128 {
        self.low as u128 | (self.high as u128) << 64
    }

    /// `value` truncated to N bits.
    #[inline(always)]
    pub const fn new(value: u64) -> Self {
        Bits {
            low: value & Self::LOW_MASK,
            high: 0,
        }
    }

    /// `value` truncated to N bits.
    #[inline(always)]
    pub const fn from_wide(value: u128) -> Self {
        Bits {
            low: value as u64 & Self::LOW_MASK,
            high: (value >> 64) as u64 & Self::HIGH_MASK,
        }
    }

    /// `M` bits from bit `offset` up; bits past the end are 0.
    #[inline(always)]
    pub const fn get_bits<const M: usize>(&self, offset: usize) -> Bits<M> {
        if N <= 64 {
            Bits::<M>::new(if offset >= 64 { 0 } else { self.low >> offset })
        } else {
            Bits::<M>::from_wide(if offset >= 128 { 0 } else { self.wide() >> offset })
        }
    }

    /// Bit `index`.
    ///
    /// # Panics
    /// If `index >= N`: a kernel that can do so would read X in Verilog.
    #[inline(always)]
    pub const fn get_bit(&self, index: usize) -> bool {
        assert!(index < N, "get_bit past the end");
        if index < 64 {
            (self.low >> index) & 1 != 0
        } else {
            (self.high >> (index - 64)) & 1 != 0
        }
    }

    /// The value with bit `index` set to `value`.
    ///
    /// # Panics
    /// If `index >= N`.
    #[inline(always)]
    pub const fn replace_bit(&self, index: usize, value: bool) -> Self {
        assert!(index < N, "replace_bit past the end");
        let bit = 1u128 << index;
        Self::from_wide(if value { self.wide() | bit } else { self.wide() & !bit })
    }

    /// OR of all bits.
    #[inline(always)]
    pub const fn any(&self) -> bool {
        self.low != 0 || (N > 64 && self.high != 0)
    }

    /// AND of all bits.
    #[inline(always)]
    pub const fn all(&self) -> bool {
        self.low == Self::LOW_MASK && (N <= 64 || self.high == Self::HIGH_MASK)
    }

    /// XOR of all bits.
    #[inline(always)]
    pub const fn xor(&self) -> bool {
        (self.low.count_ones() + self.high.count_ones()) & 1 == 1
    }

    /// The value as an index. In a kernel it marks a signal used as an index.
    #[inline(always)]
    pub const fn index(&self) -> usize {
        self.low as usize
    }
}

/// Truncates or zero-extends.
#[inline(always)]
pub const fn bit_cast<const M: usize, const N: usize>(x: Bits<N>) -> Bits<M> {
    Bits::from_wide(x.wide())
}

/// A literal of N bits.
#[inline(always)]
pub const fn bits<const N: usize>(x: u64) -> Bits<N> {
    Bits::new(x)
}

/// Bits needed to count `t` states.
pub const fn clog2(t: usize) -> usize {
    rust_hdl_core::bits::clog2(t)
}

/// Conversion of plain integers, as rust-hdl's trait of this name.
pub trait ToBits {
    /// The value as N bits; it must fit.
    fn to_bits<const N: usize>(self) -> Bits<N>;
}

macro_rules! to_bits {
    ($($t:ty),*) => {$(
        impl ToBits for $t {
            #[inline(always)]
            fn to_bits<const N: usize>(self) -> Bits<N> {
                (self as u64).into()
            }
        }
    )*};
}
to_bits!(usize, u64, u32, u16, u8);

impl<const N: usize> From<u64> for Bits<N> {
    /// # Panics
    /// In debug builds, if the literal does not fit.
    #[inline(always)]
    fn from(x: u64) -> Self {
        debug_assert!(x & !Self::LOW_MASK == 0, "literal {x:#x} does not fit in {N} bits");
        Bits::new(x)
    }
}

impl From<bool> for Bits<1> {
    #[inline(always)]
    fn from(b: bool) -> Self {
        Bits::new(b as u64)
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident, |$a:ident, $b:ident| $narrow:expr, $wide:expr) => {
        impl<const N: usize> std::ops::$trait for Bits<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                if N <= 64 {
                    let ($a, $b) = (self.low, other.low);
                    Bits::new($narrow)
                } else {
                    let ($a, $b) = (self.wide(), other.wide());
                    Bits::from_wide($wide)
                }
            }
        }
        impl<const N: usize> std::ops::$trait<u64> for Bits<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: u64) -> Self {
                std::ops::$trait::$method(self, Bits::<N>::new(other))
            }
        }
    };
}
binary!(Add, add, |a, b| a.wrapping_add(b), a.wrapping_add(b));
binary!(Sub, sub, |a, b| a.wrapping_sub(b), a.wrapping_sub(b));
binary!(BitAnd, bitand, |a, b| a & b, a & b);
binary!(BitOr, bitor, |a, b| a | b, a | b);
binary!(BitXor, bitxor, |a, b| a ^ b, a ^ b);

impl<const N: usize> std::ops::Not for Bits<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Bits {
            low: !self.low & Self::LOW_MASK,
            high: !self.high & Self::HIGH_MASK,
        }
    }
}

impl<const N: usize> Bits<N> {
    #[inline(always)]
    fn shifted_left(self, count: u64) -> Self {
        if count >= 128 {
            Self::default()
        } else if N <= 64 {
            Bits::new(if count >= 64 { 0 } else { self.low << count })
        } else {
            Bits::from_wide(self.wide() << count)
        }
    }

    #[inline(always)]
    fn shifted_right(self, count: u64) -> Self {
        if count >= 128 {
            Self::default()
        } else if N <= 64 {
            Bits::new(if count >= 64 { 0 } else { self.low >> count })
        } else {
            Bits::from_wide(self.wide() >> count)
        }
    }
}

macro_rules! shift {
    ($trait:ident, $method:ident, $how:ident) => {
        impl<const N: usize, const M: usize> std::ops::$trait<Bits<M>> for Bits<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, count: Bits<M>) -> Self {
                self.$how(count.low)
            }
        }
        impl<const N: usize> std::ops::$trait<u64> for Bits<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, count: u64) -> Self {
                self.$how(count)
            }
        }
    };
}
shift!(Shl, shl, shifted_left);
shift!(Shr, shr, shifted_right);

impl std::ops::Mul for Bits<16> {
    type Output = Bits<32>;
    #[inline(always)]
    fn mul(self, other: Self) -> Bits<32> {
        Bits::new(self.low * other.low)
    }
}

impl<const N: usize> PartialEq<u64> for Bits<N> {
    #[inline(always)]
    fn eq(&self, other: &u64) -> bool {
        self.low == *other && (N <= 64 || self.high == 0)
    }
}

impl<const N: usize> PartialOrd for Bits<N> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for Bits<N> {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        if N <= 64 {
            self.low.cmp(&other.low)
        } else {
            self.wide().cmp(&other.wide())
        }
    }
}

impl<const N: usize> PartialOrd<u64> for Bits<N> {
    #[inline(always)]
    fn partial_cmp(&self, other: &u64) -> Option<Ordering> {
        self.wide().partial_cmp(&(*other as u128))
    }
}

impl<const N: usize> From<Bits<N>> for SlowBits<N> {
    fn from(x: Bits<N>) -> Self {
        if N <= 64 {
            SlowBits::<N>::from(x.low)
        } else {
            SlowBits::<N>::from(BigUint::from(x.wide()))
        }
    }
}

impl<const N: usize> From<Bits<N>> for VerilogLiteral {
    fn from(x: Bits<N>) -> Self {
        SlowBits::<N>::from(x).into()
    }
}

impl<const N: usize> Synth for Bits<N> {
    const BITS: usize = N;

    fn descriptor() -> TypeDescriptor {
        TypeDescriptor {
            name: format!("Bits::<{N}>"),
            kind: TypeKind::Bits(N),
        }
    }

    fn vcd(self) -> VCDValue {
        SlowBits::<N>::from(self).into()
    }

    fn verilog(self) -> VerilogLiteral {
        self.into()
    }
}

impl<const N: usize> std::fmt::Debug for Bits<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{N}'h{:x}", self.wide())
    }
}

impl<const N: usize> std::fmt::LowerHex for Bits<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::LowerHex::fmt(&self.wide(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    /// Every operation equals the same one on u128, masked, at widths around the word boundaries.
    fn check_width<const N: usize>() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(N as u64);
        let mask = if N == 128 { !0 } else { (1u128 << N) - 1 };
        for _ in 0..2000 {
            let (a, b): (u128, u128) = (rng.gen::<u128>() & mask, rng.gen::<u128>() & mask);
            let (x, y) = (Bits::<N>::from_wide(a), Bits::<N>::from_wide(b));
            let count = rng.gen_range(0..140u64);
            assert_eq!((x + y).wide(), a.wrapping_add(b) & mask);
            assert_eq!((x - y).wide(), a.wrapping_sub(b) & mask);
            assert_eq!((x & y).wide(), a & b);
            assert_eq!((x | y).wide(), a | b);
            assert_eq!((x ^ y).wide(), a ^ b);
            assert_eq!((!x).wide(), !a & mask);
            let shl = if count >= 128 { 0 } else { (a << count) & mask };
            let shr = if count >= 128 { 0 } else { a >> count };
            assert_eq!((x << count).wide(), shl);
            assert_eq!((x >> Bits::<8>::new(count)).wide(), shr);
            assert_eq!(x.cmp(&y), a.cmp(&b));
            assert_eq!(x == y, a == b);
            assert_eq!(x.any(), a != 0);
            assert_eq!(x.all(), a == mask);
            assert_eq!(x.xor(), a.count_ones() & 1 == 1);
            let index = rng.gen_range(0..N);
            assert_eq!(x.get_bit(index), a >> index & 1 == 1);
            assert_eq!(x.replace_bit(index, true).wide(), a | 1 << index);
            assert_eq!(x.get_bits::<7>(index).wide(), a >> index & 0x7f);
            assert_eq!(bit_cast::<9, N>(x).wide(), a & 0x1ff);
            assert_eq!(SlowBits::<N>::from(x), SlowBits::<N>::from(BigUint::from(a)));
        }
    }

    #[test]
    fn operations_equal_masked_integers() {
        check_width::<1>();
        check_width::<7>();
        check_width::<32>();
        check_width::<63>();
        check_width::<64>();
        check_width::<65>();
        check_width::<100>();
        check_width::<128>();
    }
}
