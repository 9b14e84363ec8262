//! Tests of the check bits of a half, against a reference from the definition of the code: all single and double flips of
//! many halves; and against their Verilog.

use flexgrip_hdl::memory::check_bits::{check_bits_of_half, corrected_half, CorrectedHalf};
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bits of a half and its check bits.
const BITS: usize = 22;

/// The check bits from the definition of the code: bit k is the parity of the data at positions with bit k set.
fn reference(half: u16) -> u64 {
    let places = (1u32..).filter(|place| !place.is_power_of_two());
    let set = places.enumerate().take(16).filter(|(bit, _)| half >> bit & 1 == 1);
    let check = set.fold(0, |check, (_, place)| check ^ u64::from(place));
    let ones = half.count_ones() + check.count_ones();
    check | u64::from(ones % 2) << 5
}

/// The functions as a circuit.
#[circuit]
struct HalfCode {
    pub half: Signal<In, Bits<16>>,
    pub check: Signal<In, Bits<6>>,
    pub written: Signal<Out, Bits<6>>,
    pub corrected: Signal<Out, CorrectedHalf>,
}

impl Logic for HalfCode {
    #[hdl_gen]
    fn update(&mut self) {
        self.written.next = check_bits_of_half(self.half.val());
        self.corrected.next = corrected_half(self.half.val(), self.check.val());
    }
}

/// The half and whether it is uncorrectable, after bits of the stored word have flipped: 16 of data, 6 of check bits.
fn read(half: u16, flipped: u64) -> (u16, bool) {
    let stored = (u64::from(half) | check_bits_of_half(Bits::new(half.into())).raw() << 16) ^ flipped;
    let corrected = corrected_half(Bits::new(stored & 0xffff), Bits::new(stored >> 16));
    (corrected.half.raw() as u16, corrected.uncorrectable)
}

#[test]
fn check_bits_equal_the_reference() {
    for half in 0..=u16::MAX {
        assert_eq!(check_bits_of_half(Bits::new(half.into())).raw(), reference(half), "{half:#x}");
        assert_eq!(read(half, 0), (half, false));
    }
    assert_eq!(reference(0), 0, "zeroed memories have valid words");
}

#[test]
fn single_flips_are_corrected_and_double_flips_detected() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let halves = [0, u16::MAX].into_iter().chain((0..500).map(|_| rng.gen()));
    for half in halves {
        for first in 0..BITS {
            assert_eq!(read(half, 1 << first), (half, false), "{half:#x}, bit {first}");
            for second in 0..first {
                assert!(read(half, 1 << first | 1 << second).1, "{half:#x}, bits {first} and {second}");
            }
        }
    }
}

#[test]
fn check_bits_equal_their_verilog() {
    let report = cosim(Box::<HalfCode>::default, 5_000, 1, |block, rng, _| {
        let half: u16 = rng.gen();
        // Up to three flips of the half and its check bits.
        let flips = (0..rng.gen_range(0..4)).fold(0u64, |flips, _| flips ^ 1 << rng.gen_range(0..BITS));
        block.half.next = Bits::new(u64::from(half) ^ flips & 0xffff);
        block.check.next = Bits::new(reference(half) ^ flips >> 16);
    });
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}
