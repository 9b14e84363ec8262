//! Atomic operations on edge and random operands, against definitions in wider numbers.

use flexgrip_arith::atomic::{atomic32, atomic64, Atomic32, Atomic64};
use proptest::prelude::*;

/// Any word, or one at an edge: comparisons are often equal or off by one.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        0u32..4,
        (u32::MAX - 3)..=u32::MAX,
        0x7fff_fffeu32..0x8000_0002
    ]
}

fn new_value(number: u32, signed: bool, memory: u32, b: u32, c: u32) -> Option<u32> {
    Some(atomic32(Atomic32::from_bits(number, signed)?, memory, b, c))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_of_32_bits_match_the_definition(memory in word(), b in word(), c in word()) {
        let (m, wide_b) = (u64::from(memory), u64::from(b));
        let unsigned = [
            ((m + wide_b) % (1 << 32)) as u32,
            b,
            if m == wide_b { c } else { memory },
            0,
            // A counter modulo b + 1, up and down; beyond b it restarts.
            if m <= wide_b { ((m + 1) % (wide_b + 1)) as u32 } else { 0 },
            if m <= wide_b { ((m + wide_b) % (wide_b + 1)) as u32 } else { b },
            m.max(wide_b) as u32,
            m.min(wide_b) as u32,
            0,
            0,
            memory & b,
            memory | b,
            memory ^ b,
        ];
        for (number, want) in unsigned.into_iter().enumerate() {
            let want = (![3, 8, 9].contains(&number)).then_some(want);
            prop_assert_eq!(new_value(number as u32, false, memory, b, c), want, "operation {}", number);
        }
        let (m, signed_b) = (memory as i32, b as i32);
        for number in 0..13 {
            let want = match number {
                0 => Some(m.wrapping_add(signed_b)),
                6 => Some(m.max(signed_b)),
                7 => Some(m.min(signed_b)),
                _ => None,
            };
            let want = want.map(|word| word as u32);
            prop_assert_eq!(new_value(number, true, memory, b, c), want, "operation {}", number);
        }
    }

    #[test]
    fn words_of_64_bits_match_the_definition(memory: u64, other: u64, same: bool, c: u64) {
        let b = if same { memory } else { other };
        let sum = (u128::from(memory) + u128::from(b)) as u64;
        prop_assert_eq!(atomic64(Atomic64::Add, memory, b, c), sum);
        prop_assert_eq!(atomic64(Atomic64::Exchange, memory, b, c), b);
        prop_assert_eq!(atomic64(Atomic64::CompareAndSwap, memory, b, c), if memory == b { c } else { memory });
    }
}

#[test]
fn other_numbers_are_not_operations() {
    for number in (13..64).chain([u32::MAX]) {
        assert_eq!(
            (Atomic32::from_bits(number, false), Atomic32::from_bits(number, true)),
            (None, None)
        );
    }
    let long: Vec<u32> = (0..64)
        .filter(|&number| Atomic64::from_bits(number).is_some())
        .collect();
    assert_eq!(long, [0, 1, 2]);
}
