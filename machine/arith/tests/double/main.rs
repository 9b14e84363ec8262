//! Double-precision arithmetic against an exact reference with another algorithm (`reference.rs`), on random operands
//! (`operands.rs`); `examples/double_check.rs` compares any number of them. The vectors are in `tests/capability.rs`.

mod comparison;
mod operands;
mod reference;

use comparison::{arithmetic, arithmetic_of, conversions, from_double, from_integer, from_single};
use flexgrip_arith::double::convert::{f2f, f2f_from_single, f2f_to_single, f2i, i2f, i2f_to_single, WideInteger};
use flexgrip_arith::double::{dadd, dfma, dmax, dmin, dmul, INVALID};
use flexgrip_arith::float::{Rounding, Sign};
use flexgrip_arith::Cc;
use operands::{Random, SPECIAL};
use Rounding::{Down, Nearest, Up, Zero};

const MODES: [Rounding; 4] = [Nearest, Down, Up, Zero];
const SIGN: u64 = 1 << 63;
const ONE: u64 = 0x3ff0_0000_0000_0000;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;
const LARGEST: u64 = INFINITY - 1;

const SIGNS: [Sign; 4] = [
    Sign::PLAIN,
    Sign::NEGATED,
    Sign {
        absolute: true,
        negate: false,
    },
    Sign {
        absolute: true,
        negate: true,
    },
];

fn repeat(seed: u64, count: u32, check: impl Fn(&mut Random) -> Result<(), String>) {
    let mut random = Random(seed);
    for number in 0..count {
        if let Err(difference) = check(&mut random) {
            panic!("input {number} of seed {seed}: {difference}");
        }
    }
}

#[test]
fn arithmetic_is_exact_and_rounded_once() {
    repeat(1, 1_000_000, arithmetic);
}

#[test]
fn conversions_are_exact_and_rounded_once() {
    repeat(2, 1_000_000, conversions);
}

#[test]
fn triples_of_special_numbers_are_exact() {
    for a in SPECIAL {
        for b in SPECIAL {
            for c in SPECIAL {
                arithmetic_of(a, b, c).unwrap();
            }
        }
    }
}

#[test]
fn conversions_of_edges_are_exact() {
    // Values within a few units of every power of two, as numbers and as integers, and special numbers.
    for mode in MODES {
        for sign in SIGNS {
            for distance in -2i64..=2 {
                for field in 0..0x7ffu64 {
                    from_double(sign, mode, (field << 52).wrapping_add_signed(distance)).unwrap();
                }
                for field in 0..0xffu32 {
                    from_single(sign, mode, (field << 23).wrapping_add_signed(distance as i32)).unwrap();
                }
                for bit in 0..64 {
                    from_integer(sign, mode, (1u64 << bit).wrapping_add_signed(distance)).unwrap();
                }
            }
            for bits in SPECIAL {
                from_double(sign, mode, bits).unwrap();
                from_single(sign, mode, (bits >> 32) as u32).unwrap();
            }
        }
    }
}

#[test]
fn each_operation_prefers_a_nan() {
    let [first, second, third] = [0x7ff0_0000_0000_0001, 0xfff0_0000_0000_0002, 0x7ff8_0000_0000_0003];
    let quiet = |bits: u64| bits | 1 << 51;
    for mode in MODES {
        let fma = |a, b, c| dfma(mode, a, b, c).value;
        assert_eq!(fma(first, second, third), quiet(second));
        assert_eq!(fma(first, ONE, third), quiet(third));
        assert_eq!(fma(first, ONE, ONE), quiet(first));
        assert_eq!(fma(INFINITY, 0, third), quiet(third), "0 * Inf + NaN");
        assert_eq!(dadd(mode, first, second).value, quiet(second));
        assert_eq!(dadd(mode, first, INFINITY).value, quiet(first));
        assert_eq!(dmul(mode, first, second).value, quiet(second));
        assert_eq!(dmul(mode, first, 0).value, quiet(first));
    }
    assert_eq!(
        (dmin(first, second).value, dmax(first, second).value),
        (quiet(second), quiet(second))
    );
    // A number takes precedence, even over a signalling NaN.
    assert_eq!((dmin(first, ONE).value, dmax(1, second).value), (ONE, 1));
    assert_eq!(dadd(Nearest, first, second).cc.bits(), Cc::ZERO | Cc::SIGN);
}

#[test]
fn signs_do_not_change_nans() {
    for sign in SIGNS {
        for nan in [0x7ff0_0000_0000_0001, 0xffff_ffff_ffff_ffff] {
            assert_eq!(sign.apply_double(nan), nan);
            assert_eq!(f2f(sign, None, nan).value, nan | 1 << 51);
        }
        assert_eq!(f2f_from_single(sign, 0xff80_0001).value, 0xfff8_0000_2000_0000);
        assert_eq!(f2f_to_single(sign, Up, 0x7ff1_2345_6789_abcd).value, 0x7fc9_1a2b);
    }
    let [plain, negated, absolute, both] = SIGNS.map(|sign| [ONE, SIGN | ONE, 0, SIGN].map(|x| sign.apply_double(x)));
    assert_eq!(plain, [ONE, SIGN | ONE, 0, SIGN]);
    assert_eq!(negated, [SIGN | ONE, ONE, SIGN, 0]);
    assert_eq!(absolute, [ONE, ONE, 0, 0]);
    assert_eq!(both, [SIGN | ONE, SIGN | ONE, SIGN, SIGN]);
}

#[test]
fn invalid_operations_give_one_nan() {
    for mode in MODES {
        assert_eq!(dadd(mode, INFINITY, SIGN | INFINITY).value, INVALID);
        assert_eq!(dmul(mode, 0, INFINITY).value, INVALID);
        assert_eq!(dfma(mode, SIGN | INFINITY, 0, INFINITY).value, INVALID);
        assert_eq!(dfma(mode, INFINITY, ONE, SIGN | INFINITY).value, INVALID);
    }
    assert_eq!(INVALID, reference::INVALID);
}

#[test]
fn exact_zeros_have_a_sign() {
    for mode in MODES {
        let difference = if mode == Down { SIGN } else { 0 };
        assert_eq!(dadd(mode, ONE, SIGN | ONE).value, difference);
        assert_eq!(dadd(mode, 0, SIGN).value, difference);
        assert_eq!(dadd(mode, SIGN, SIGN).value, SIGN);
        assert_eq!(dmul(mode, SIGN, ONE).value, SIGN);
        // The product is -0.
        assert_eq!(dfma(mode, SIGN, ONE, SIGN).value, SIGN);
        assert_eq!(dfma(mode, SIGN | ONE, 0, 0).value, difference);
    }
}

#[test]
fn results_beyond_the_range_follow_the_mode() {
    let twice = |mode, sign| dadd(mode, LARGEST | sign, LARGEST | sign).value;
    assert_eq!(MODES.map(|mode| twice(mode, 0)), [INFINITY, LARGEST, INFINITY, LARGEST]);
    assert_eq!(
        MODES.map(|mode| twice(mode, SIGN) & !SIGN),
        [INFINITY, INFINITY, LARGEST, LARGEST]
    );
    // The square of the smallest number, and half of the smallest number.
    assert_eq!(MODES.map(|mode| dmul(mode, 1, 1).value), [0, 0, 1, 0]);
    assert_eq!(
        MODES.map(|mode| dmul(mode, SIGN | 1, ONE - (1 << 52)).value ^ SIGN),
        [0, 1, 0, 0]
    );
    assert_eq!(dmul(Nearest, 3, ONE - (1 << 52)).value, 2, "1.5 units to even");
    assert_eq!(dmul(Up, 1, 1).cc.bits(), 0, "a denormal is not a zero");
}

#[test]
fn conversions_to_integers_set_overflow() {
    let all = |to, a| {
        let got = f2i(to, Sign::PLAIN, Zero, a);
        (got.value, got.cc.bits())
    };
    let nan = 0x7ff8_0000_0000_0000;
    assert_eq!(all(WideInteger::U32, nan), (0x8000_0000, Cc::OVERFLOW | Cc::SIGN));
    assert_eq!(all(WideInteger::S64, nan), (SIGN, Cc::OVERFLOW | Cc::SIGN));
    assert_eq!(all(WideInteger::U32, INFINITY), (0xffff_ffff, Cc::OVERFLOW | Cc::SIGN));
    // This is the only clamped result without O.
    assert_eq!(all(WideInteger::U64, INFINITY), (u64::MAX, Cc::SIGN));
    assert_eq!(all(WideInteger::U64, 0x43f0_0000_0000_0000), (u64::MAX, Cc::SIGN));
    assert_eq!(all(WideInteger::U64, SIGN | ONE), (0, Cc::OVERFLOW | Cc::ZERO));
    // -0.99 is truncated to 0, which is in the range.
    assert_eq!(all(WideInteger::U64, SIGN | (ONE - 1)), (0, Cc::ZERO));
    assert_eq!(all(WideInteger::S32, 0xc1e0_0000_0000_0000), (0x8000_0000, Cc::SIGN));
}

#[test]
fn negated_unsigned_integers_round_as_positive() {
    let single = |signed, mode| i2f_to_single(signed, Sign::NEGATED, mode, u64::MAX).value;
    assert_eq!(
        MODES.map(|mode| single(false, mode)),
        [0xdf80_0000, 0xdf7f_ffff, 0xdf80_0000, 0xdf7f_ffff]
    );
    // As a signed integer the operand is -1.
    assert_eq!(MODES.map(|mode| single(true, mode)), [0x3f80_0000; 4]);
    let double = |from, mode| i2f(from, Sign::NEGATED, mode, i64::MAX as u64).value;
    assert_eq!(double(WideInteger::U64, Down), 0xc3df_ffff_ffff_ffff);
    assert_eq!(double(WideInteger::S64, Down), 0xc3e0_0000_0000_0000);
    assert_eq!(double(WideInteger::S64, Up), 0xc3df_ffff_ffff_ffff);
    let zero = i2f(WideInteger::U32, Sign::NEGATED, Nearest, 0xffff_ffff_0000_0000);
    assert_eq!((zero.value, zero.cc.bits()), (SIGN, Cc::ZERO));
}
