//! Fast bit vectors for circuits.
//!
//! rust-hdl's own `Bits` costs 32 ns for a shift or a slice and keeps anything wider than 32 bits as an array of bools.
//! These types keep their value in one or two machine words on the stack. They implement rust-hdl's [`Synth`], and
//! because `#[hdl_gen]` looks at names only, kernels accept them once they shadow rust-hdl's names:
//! `use hdlkit::prelude::*`.
//!
//! | type | widths | size |
//! |---|---|---|
//! | [`Bits`] | 1 to 64 | 8 bytes |
//! | [`WideBits`] | 1 to 128 | 16 bytes |
//!
//! There are two types because in stable Rust a type's size cannot depend on its width, and simulation speed is bound
//! by the memory that the signals take: with 16 bytes for every signal the whole GPU simulates a fifth slower.
//! [`bit_cast_wide`] and [`bit_cast_narrow`] convert; in Verilog they are plain width conversions.
//!
//! A `LogicStruct` may be wider than 64 bits in total. rust-hdl packs it into a `Bits` of its width for the literal of
//! a constant or a reset; a value with a bit set above the 64th cannot be packed and panics. Waveforms, Verilog and
//! co-simulation work field by field.

use num_bigint::BigUint;
use rust_hdl_core::bits::Bits as SlowBits;
use rust_hdl_core::prelude::{Synth, TypeDescriptor, TypeKind, VCDValue, VerilogLiteral};
use std::cmp::Ordering;

/// `width` bits of `value`, in the form of rust-hdl's waves. Compiled once, not for every width.
fn waves_value(value: u128, width: usize) -> VCDValue {
    let bit = |index| vcd::Value::from(value >> index & 1 == 1);
    match width {
        1 => VCDValue::Single(bit(0)),
        _ => VCDValue::Vector((0..width).rev().map(bit).collect()),
    }
}

macro_rules! bit_vector {
    ($(#[$documentation:meta])* $name:ident, $word:ident, $most:literal, $whole:ident) => {
        $(#[$documentation])*
        #[derive(Copy, Clone, PartialEq, Eq, Default, Hash)]
        pub struct $name<const N: usize> {
            word: $word,
        }

        impl<const N: usize> $name<N> {
            const MASK: $word = if N >= $most { !0 } else { (1 << N) - 1 };

            /// The low 64 bits of the value.
            #[inline(always)]
            pub const fn raw(self) -> u64 {
                self.word as u64
            }

            /// The whole value.
            #[inline(always)]
            pub const fn wide(self) -> u128 {
                self.word as u128
            }

            /// `value` truncated to N bits.
            #[inline(always)]
            pub const fn new(value: u64) -> Self {
                $name { word: value as $word & Self::MASK }
            }

            /// `value` truncated to N bits.
            #[inline(always)]
            pub const fn from_wide(value: u128) -> Self {
                $name { word: value as $word & Self::MASK }
            }

            #[inline(always)]
            const fn from_word(value: $word) -> Self {
                $name { word: value & Self::MASK }
            }

            /// `M` bits from bit `offset` up; bits past the end are 0.
            #[inline(always)]
            pub const fn get_bits<const M: usize>(&self, offset: usize) -> $name<M> {
                $name::from_word(if offset >= $most { 0 } else { self.word >> offset })
            }

            /// Bit `index`.
            ///
            /// # Panics
            /// If `index >= N`: such a kernel would read X in Verilog.
            #[inline(always)]
            pub const fn get_bit(&self, index: usize) -> bool {
                assert!(index < N, "get_bit past the end");
                (self.word >> index) & 1 != 0
            }

            /// The value with bit `index` set to `value`.
            ///
            /// # Panics
            /// If `index >= N`.
            #[inline(always)]
            pub const fn replace_bit(&self, index: usize, value: bool) -> Self {
                assert!(index < N, "replace_bit past the end");
                let bit = 1 << index;
                $name { word: if value { self.word | bit } else { self.word & !bit } }
            }

            /// OR of all bits.
            #[inline(always)]
            pub const fn any(&self) -> bool {
                self.word != 0
            }

            /// AND of all bits.
            #[inline(always)]
            pub const fn all(&self) -> bool {
                self.word == Self::MASK
            }

            /// XOR of all bits.
            #[inline(always)]
            pub const fn xor(&self) -> bool {
                self.word.count_ones() & 1 == 1
            }

            /// The value as an index. In a kernel it marks a signal used as an index.
            #[inline(always)]
            pub const fn index(&self) -> usize {
                self.word as usize
            }

            /// No bit set.
            pub const ZERO: Self = $name { word: 0 };

            /// All bits set.
            pub const ONES: Self = $name { word: Self::MASK };

            /// Truncated or zero-extended.
            #[inline(always)]
            pub const fn resize<const M: usize>(self) -> $name<M> {
                $name::from_word(self.word)
            }

            /// The low `M` bits; `M` must not exceed the width.
            #[inline(always)]
            pub const fn low<const M: usize>(self) -> $name<M> {
                const { assert!(M <= N, "fewer bits than are read") };
                $name::from_word(self.word)
            }

            /// `M` bits from bit `low` up.
            ///
            /// # Panics
            /// If they exceed the value's width.
            #[inline(always)]
            pub const fn bits<const M: usize>(self, low: usize) -> $name<M> {
                assert!(low + M <= N, "fewer bits than are read");
                $name::from_word(self.word >> low)
            }

            /// The lowest set bit alone: 6 gives 2, 0 gives 0.
            #[inline(always)]
            pub const fn lowest_set(self) -> Self {
                $name { word: self.word & self.word.wrapping_neg() }
            }

            /// The highest set bit alone: 6 gives 4, 0 gives 0.
            #[inline(always)]
            pub const fn highest_set(self) -> Self {
                match self.word {
                    0 => self,
                    word => $name { word: 1 << word.ilog2() },
                }
            }

            /// A value of `M` bits with only bit `self` set; 0 if there is no such bit.
            #[inline(always)]
            pub const fn one_hot<const M: usize>(self) -> $name<M> {
                $name::from_word(if self.word >= $most { 0 } else { 1 << self.word })
            }

            /// The index of the only set bit; 0 if none is set. With several, their indices are combined by OR.
            #[inline(always)]
            pub const fn one_hot_index<const M: usize>(self) -> $name<M> {
                let (mut rest, mut index) = (self.word, 0);
                while rest != 0 {
                    index |= rest.trailing_zeros() as $word;
                    rest &= rest - 1;
                }
                $name::from_word(index)
            }

            /// The bits below bit `self`: 3 gives 7. All bits if there is no bit `self`.
            #[inline(always)]
            pub const fn ones_below<const M: usize>(self) -> $name<M> {
                $name::from_word(if self.word >= $most { !0 } else { (1 << self.word) - 1 })
            }

            /// The number of set bits, in `M` bits.
            #[inline(always)]
            pub const fn population_count<const M: usize>(self) -> $name<M> {
                $name::from_word(self.word.count_ones() as $word)
            }

            /// The bits in reverse order.
            #[inline(always)]
            pub const fn reverse(self) -> Self {
                $name { word: self.word.reverse_bits() >> ($most - N) }
            }

            /// This value above `low`.
            ///
            /// # Panics
            /// If `R` is not the sum of both widths.
            #[inline(always)]
            pub const fn concat<const M: usize, const R: usize>(self, low: $name<M>) -> $name<R> {
                assert!(R == N + M, "the result has as many bits as both parts");
                let high = if M >= $most { 0 } else { self.word << M };
                $name::from_word(high | low.word)
            }

            /// The same number in two's complement of `M` bits.
            ///
            /// # Panics
            /// If `M` is less than the width.
            #[inline(always)]
            pub const fn sign_extend<const M: usize>(self) -> $name<M> {
                assert!(M >= N, "a sign is extended to more bits");
                let above = if self.get_bit(N - 1) { !Self::MASK } else { 0 };
                $name::from_word(self.word | above)
            }

            /// The product of two numbers in two's complement.
            ///
            /// # Panics
            /// If `R` is not the sum of both widths.
            #[inline(always)]
            pub const fn signed_product<const M: usize, const R: usize>(self, other: $name<M>) -> $name<R> {
                assert!(R == N + M, "the product has as many bits as both factors");
                let (a, b) = (self.sign_extend::<R>(), other.sign_extend::<R>());
                $name::from_word(a.word.wrapping_mul(b.word))
            }

            #[inline(always)]
            fn shifted_left(self, count: u64) -> Self {
                let shifted = if count >= $most { 0 } else { self.word << count };
                if N > $most {
                    // Packs a bundle into a literal: no bits may be lost.
                    let back = if count >= $most { 0 } else { shifted >> count };
                    assert!(
                        back == self.word,
                        "a bundle of {N} bits has no literal with a bit above the first {} set",
                        $most
                    );
                }
                Self::from_word(shifted)
            }

            #[inline(always)]
            fn shifted_right(self, count: u64) -> Self {
                $name { word: if count >= $most { 0 } else { self.word >> count } }
            }
        }

        impl<const N: usize> From<u64> for $name<N> {
            /// # Panics
            /// In debug builds, if the literal does not fit.
            #[inline(always)]
            fn from(x: u64) -> Self {
                debug_assert!(x as $word & !Self::MASK == 0, "literal {x:#x} does not fit in {N} bits");
                Self::new(x)
            }
        }

        impl From<bool> for $name<1> {
            #[inline(always)]
            fn from(b: bool) -> Self {
                Self::new(b as u64)
            }
        }

        bit_vector!(@binary $name, Add, add, |a, b| a.wrapping_add(b));
        bit_vector!(@binary $name, Sub, sub, |a, b| a.wrapping_sub(b));
        bit_vector!(@binary $name, BitAnd, bitand, |a, b| a & b);
        bit_vector!(@binary $name, BitOr, bitor, |a, b| a | b);
        bit_vector!(@binary $name, BitXor, bitxor, |a, b| a ^ b);
        bit_vector!(@shift $name, Shl, shl, shifted_left);
        bit_vector!(@shift $name, Shr, shr, shifted_right);

        impl<const N: usize> std::ops::Not for $name<N> {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self::from_word(!self.word)
            }
        }

        impl<const N: usize> PartialEq<u64> for $name<N> {
            #[inline(always)]
            fn eq(&self, other: &u64) -> bool {
                self.word == *other as $word
            }
        }

        impl<const N: usize> PartialOrd for $name<N> {
            #[inline(always)]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl<const N: usize> Ord for $name<N> {
            #[inline(always)]
            fn cmp(&self, other: &Self) -> Ordering {
                self.word.cmp(&other.word)
            }
        }

        impl<const N: usize> PartialOrd<u64> for $name<N> {
            #[inline(always)]
            fn partial_cmp(&self, other: &u64) -> Option<Ordering> {
                self.word.partial_cmp(&(*other as $word))
            }
        }

        impl<const N: usize> From<$name<N>> for SlowBits<N> {
            fn from(x: $name<N>) -> Self {
                SlowBits::<N>::from($whole::from(x.word))
            }
        }

        impl<const N: usize> From<$name<N>> for VerilogLiteral {
            fn from(x: $name<N>) -> Self {
                SlowBits::<N>::from(x).into()
            }
        }

        impl<const N: usize> Synth for $name<N> {
            const BITS: usize = N;

            /// # Panics
            /// If the type has fewer than N bits.
            fn descriptor() -> TypeDescriptor {
                assert!(
                    N <= $most,
                    "{}<{N}>: at most {} bits{}",
                    stringify!($name),
                    $most,
                    if $most < 128 && N <= 128 { "; WideBits holds 128" } else { "" }
                );
                TypeDescriptor {
                    name: format!("Bits::<{N}>"),
                    kind: TypeKind::Bits(N),
                }
            }

            fn vcd(self) -> VCDValue {
                waves_value(self.wide(), N)
            }

            fn verilog(self) -> VerilogLiteral {
                self.into()
            }
        }

        impl<const N: usize> std::fmt::Debug for $name<N> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{N}'h{:x}", self.word)
            }
        }

        impl<const N: usize> std::fmt::LowerHex for $name<N> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::LowerHex::fmt(&self.word, f)
            }
        }
    };
    (@binary $name:ident, $trait:ident, $method:ident, |$a:ident, $b:ident| $result:expr) => {
        impl<const N: usize> std::ops::$trait for $name<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.word, other.word);
                Self::from_word($result)
            }
        }
        impl<const N: usize> std::ops::$trait<u64> for $name<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: u64) -> Self {
                std::ops::$trait::$method(self, Self::new(other))
            }
        }
    };
    (@shift $name:ident, $trait:ident, $method:ident, $how:ident) => {
        impl<const N: usize, const M: usize> std::ops::$trait<Bits<M>> for $name<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, count: Bits<M>) -> Self {
                self.$how(count.word)
            }
        }
        impl<const N: usize> std::ops::$trait<u64> for $name<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, count: u64) -> Self {
                self.$how(count)
            }
        }
    };
}

bit_vector! {
    /// An unsigned value of `N` bits, 1 to 64; arithmetic wraps at `N`.
    Bits, u64, 64, u64
}
bit_vector! {
    /// An unsigned value of `N` bits, 1 to 128; arithmetic wraps at `N`.
    WideBits, u128, 128, BigUint
}

/// Truncates or zero-extends.
#[inline(always)]
pub const fn bit_cast<const M: usize, const N: usize>(x: Bits<N>) -> Bits<M> {
    Bits::from_word(x.word)
}

/// Truncates or zero-extends a wide value. (A kernel treats every function with a name that begins with `bit_cast` as a
/// cast.)
#[inline(always)]
pub const fn bit_cast_within_wide<const M: usize, const N: usize>(x: WideBits<N>) -> WideBits<M> {
    WideBits::from_word(x.word)
}

/// Zero-extends or truncates into a wide value.
#[inline(always)]
pub const fn bit_cast_wide<const M: usize, const N: usize>(x: Bits<N>) -> WideBits<M> {
    WideBits::from_word(x.word as u128)
}

/// Truncates a wide value to at most 64 bits.
#[inline(always)]
pub const fn bit_cast_narrow<const M: usize, const N: usize>(x: WideBits<N>) -> Bits<M> {
    Bits::from_word(x.word as u64)
}

impl<const N: usize> Bits<N> {
    /// Zero-extends or truncates into a wide value.
    #[inline(always)]
    pub const fn widen<const M: usize>(self) -> WideBits<M> {
        bit_cast_wide(self)
    }
}

impl<const N: usize> WideBits<N> {
    /// Truncates to at most 64 bits.
    #[inline(always)]
    pub const fn narrow<const M: usize>(self) -> Bits<M> {
        bit_cast_narrow(self)
    }
}

/// `value` if `test` is true, else 0.
#[inline(always)]
pub const fn mask<const N: usize>(test: bool, value: Bits<N>) -> Bits<N> {
    if test {
        value
    } else {
        Bits::ZERO
    }
}

/// Replication of a bit.
pub trait Fill {
    /// N copies of this bit.
    fn fill<const N: usize>(self) -> Bits<N>;
}

impl Fill for bool {
    #[inline(always)]
    fn fill<const N: usize>(self) -> Bits<N> {
        mask(self, Bits::ONES)
    }
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

/// Conversion from plain integers, like rust-hdl's trait of this name.
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

impl std::ops::Mul for Bits<16> {
    type Output = Bits<32>;
    #[inline(always)]
    fn mul(self, other: Self) -> Bits<32> {
        Bits::new(self.word * other.word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    /// Every operation equals the operation on u128, masked.
    macro_rules! check_width {
        ($name:ident, $n:literal, $cast:ident) => {{
            const N: usize = $n;
            type B = $name<N>;
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(N as u64);
            let mask = if N == 128 { !0 } else { (1u128 << N) - 1 };
            for _ in 0..2000 {
                let (a, b): (u128, u128) = (rng.gen::<u128>() & mask, rng.gen::<u128>() & mask);
                let (x, y) = (B::from_wide(a), B::from_wide(b));
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
                assert_eq!(x == y.raw(), a == b & u128::from(u64::MAX));
                assert_eq!(x.any(), a != 0);
                assert_eq!(x.all(), a == mask);
                assert_eq!(x.xor(), a.count_ones() & 1 == 1);
                let index = rng.gen_range(0..N);
                assert_eq!(x.get_bit(index), a >> index & 1 == 1);
                assert_eq!(x.replace_bit(index, true).wide(), a | 1 << index);
                assert_eq!(x.replace_bit(index, false).wide(), a & !(1 << index));
                assert_eq!(x.get_bits::<7>(index).wide(), a >> index & 0x7f);
                assert_eq!($cast::<9, N>(x).wide(), a & 0x1ff);
                assert_eq!(SlowBits::<N>::from(x), SlowBits::<N>::from(BigUint::from(a)));
            }
        }};
    }

    #[test]
    fn operations_equal_masked_integers() {
        check_width!(Bits, 1, bit_cast);
        check_width!(Bits, 7, bit_cast);
        check_width!(Bits, 32, bit_cast);
        check_width!(Bits, 63, bit_cast);
        check_width!(Bits, 64, bit_cast);
        check_width!(WideBits, 1, bit_cast_narrow);
        check_width!(WideBits, 64, bit_cast_within_wide);
        check_width!(WideBits, 65, bit_cast_narrow);
        check_width!(WideBits, 100, bit_cast_within_wide);
        check_width!(WideBits, 128, bit_cast_narrow);
    }

    #[test]
    fn casts_convert_between_bits_and_wide_bits() {
        let wide = bit_cast_wide::<100, 64>(Bits::new(u64::MAX)) << 30;
        assert_eq!(wide.wide(), u128::from(u64::MAX) << 30);
        assert_eq!(bit_cast_narrow::<64, 100>(wide).raw(), u64::MAX << 30);
        assert_eq!(bit_cast_wide::<3, 8>(Bits::new(0xff)).wide(), 7);
    }

    #[test]
    fn sizes_are_words() {
        assert_eq!((size_of::<Bits<1>>(), size_of::<Bits<64>>()), (8, 8));
        assert_eq!((size_of::<WideBits<1>>(), size_of::<WideBits<128>>()), (16, 16));
    }

    #[test]
    #[should_panic(expected = "Bits<65>: at most 64 bits; WideBits holds 128")]
    fn a_signal_without_room_is_refused() {
        Bits::<65>::descriptor();
    }

    #[test]
    #[should_panic(expected = "a bundle of 80 bits has no literal")]
    fn literals_keep_all_bits() {
        let _ = Bits::<80>::new(2) << 63u64;
    }
}
