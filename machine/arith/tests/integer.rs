//! Integer operations, written without branches for vector code, against their definitions in wider numbers.

use flexgrip_arith::integer::{iadd, imax, imin, isad, iset, shl, shr, Order, Sum};
use flexgrip_arith::{Cc, Flagged, Width};

const EDGES: [u32; 18] = [
    0,
    1,
    2,
    15,
    16,
    17,
    31,
    32,
    0x7ffe,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
];

/// The value of an operand of this width.
fn number(width: Width, signed: bool, value: u32) -> i128 {
    match (width, signed) {
        (Width::B16, false) => i128::from(value as u16),
        (Width::B16, true) => i128::from(value as u16 as i16),
        (Width::B32, false) => i128::from(value),
        (Width::B32, true) => i128::from(value as i32),
    }
}

fn result(width: Width, value: i128, carry: bool, overflow: bool) -> Flagged {
    let value = value as u32 & width.mask();
    Flagged {
        value,
        cc: Cc::of_integer(value, width, carry, overflow),
    }
}

fn for_all(mut check: impl FnMut(Width, u32, u32)) {
    for width in [Width::B16, Width::B32] {
        for a in EDGES {
            EDGES.iter().for_each(|&b| check(width, a, b));
        }
    }
}

#[test]
fn sums_match_wider_numbers() {
    for_all(|width, a, b| {
        let all = i128::from(width.mask());
        for (sum, carry) in [
            (Sum::Add, false),
            (Sum::Add, true),
            (Sum::Subtract, false),
            (Sum::ReverseSubtract, true),
            (Sum::AddCarry, false),
            (Sum::AddCarry, true),
        ] {
            // Sums as additions, with a complement and 1 for a difference: unsigned for the carry, signed for the
            // overflow.
            let of = |signed| {
                let (a, b) = (number(width, signed, a), number(width, signed, b));
                let not = |value: i128| if signed { -1 - value } else { all - value };
                match sum {
                    Sum::Add => a + b,
                    Sum::Subtract => a + not(b) + 1,
                    Sum::ReverseSubtract => not(a) + b + 1,
                    Sum::AddCarry => a + b + i128::from(carry),
                }
            };
            let (low, high) = (-(all / 2) - 1, all / 2);
            let overflow = !(low..=high).contains(&of(true));
            let expected = result(width, of(false), of(false) > all, overflow);
            assert_eq!(
                iadd(sum, width, false, a, b, carry),
                expected,
                "{sum:?} {width:?} {a:#x} {b:#x}"
            );
            let clamped = result(width, of(true).clamp(low, high), of(false) > all, overflow);
            assert_eq!(
                iadd(sum, width, true, a, b, carry),
                clamped,
                "{sum:?} {width:?} {a:#x} {b:#x}"
            );
        }
    });
}

#[test]
fn shifts_match_wider_numbers() {
    for_all(|width, a, b| {
        let count = number(width, false, b);
        let bits = width.bits() as i128;
        let within = (1..bits).contains(&count);
        // Far enough to lose everything.
        let far = count.min(64) as u32;
        let sign = |value: i128| number(width, true, value as u32) < 0;

        let left = number(width, false, a) << far;
        let carry = within && left >> bits & 1 == 1;
        let overflow = count == 1 && sign(left) != sign(number(width, false, a));
        assert_eq!(
            shl(width, a, b),
            result(width, left, carry, overflow),
            "{width:?} {a:#x} << {b:#x}"
        );

        for signed in [false, true] {
            let value = number(width, signed, a);
            let right = value >> far;
            let carry = within && value >> (far - 1) & 1 == 1;
            let overflow = count == 1 && sign(right) != sign(value);
            let expected = result(width, right, carry, overflow);
            assert_eq!(
                shr(width, signed, a, b),
                expected,
                "{width:?} {signed} {a:#x} >> {b:#x}"
            );
        }
    });
}

#[test]
fn comparisons_match_wider_numbers() {
    for_all(|width, a, b| {
        for signed in [false, true] {
            let (x, y) = (number(width, signed, a), number(width, signed, b));
            for bits in 0..8 {
                let order = Order::from_bits(bits);
                let truth = x < y && order.less || x == y && order.equal || x > y && order.greater;
                let expected = Flagged {
                    value: if truth { width.mask() } else { 0 },
                    cc: Cc::of_set(truth),
                };
                assert_eq!(
                    iset(order, width, signed, a, b),
                    expected,
                    "{bits} {width:?} {signed} {a:#x} {b:#x}"
                );
            }
            assert_eq!(imin(width, signed, a, b), result(width, x.min(y), false, false));
            assert_eq!(imax(width, signed, a, b), result(width, x.max(y), false, false));
            for c in EDGES {
                let difference = (x - y).unsigned_abs() as u32;
                let expected = iadd(Sum::Add, Width::B32, false, difference, c, false);
                assert_eq!(
                    isad(width, signed, a, b, c),
                    expected,
                    "{width:?} {signed} {a:#x} {b:#x} {c:#x}"
                );
            }
        }
    });
}
