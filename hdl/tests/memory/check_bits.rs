//! Tests of the check bits of halves and bytes, against a reference from the definition of the code: all single and double
//! flips of many halves and of all bytes; and against their Verilog.

use flexgrip_hdl::memory::check_bits::{
    check_bits_of_byte, check_bits_of_bytes, check_bits_of_half, corrected_byte, corrected_bytes, corrected_half,
    parity_of_bytes, CorrectedBytes, CorrectedHalf,
};
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bits of a half and its check bits; of a byte and its check bits.
const BITS: usize = 22;
const BITS_OF_BYTE: usize = 13;

/// The check bits from the definition of the code: bit k is the parity of the data at positions with bit k set.
fn reference(half: u16) -> u64 {
    let places = (1u32..).filter(|place| !place.is_power_of_two());
    let set = places.enumerate().take(16).filter(|(bit, _)| half >> bit & 1 == 1);
    let check = set.fold(0, |check, (_, place)| check ^ u64::from(place));
    let ones = half.count_ones() + check.count_ones();
    check | u64::from(ones % 2) << 5
}

/// The check bits of a byte, likewise: the code of eight data bits has check bits 0 to 3 and the overall parity.
fn reference_of_byte(byte: u8) -> u64 {
    let check = reference(byte.into());
    assert_eq!(check & 1 << 4, 0);
    check & 0xf | check >> 5 << 4
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

/// The functions of words of bytes as a circuit.
#[circuit]
struct ByteCodes {
    pub word: Signal<In, Bits<32>>,
    pub check: Signal<In, Bits<20>>,
    pub written: Signal<Out, Bits<20>>,
    pub parity: Signal<Out, Bits<4>>,
    pub corrected: Signal<Out, CorrectedBytes>,
}

impl Logic for ByteCodes {
    #[hdl_gen]
    fn update(&mut self) {
        self.written.next = check_bits_of_bytes(self.word.val());
        self.parity.next = parity_of_bytes(self.word.val());
        self.corrected.next = corrected_bytes(self.word.val(), self.check.val());
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

/// As [`read`], of a byte: 8 bits of data, 5 of check bits.
fn read_byte(byte: u8, flipped: u64) -> (u8, bool) {
    let stored = (u64::from(byte) | check_bits_of_byte(Bits::new(byte.into())).raw() << 8) ^ flipped;
    let corrected = corrected_byte(Bits::new(stored & 0xff), Bits::new(stored >> 8));
    (corrected.byte.raw() as u8, corrected.uncorrectable)
}

#[test]
fn bytes_are_corrected_like_halves() {
    for byte in 0..=u8::MAX {
        assert_eq!(check_bits_of_byte(Bits::new(byte.into())).raw(), reference_of_byte(byte), "{byte:#x}");
        assert_eq!(read_byte(byte, 0), (byte, false));
        for first in 0..BITS_OF_BYTE {
            assert_eq!(read_byte(byte, 1 << first), (byte, false), "{byte:#x}, bit {first}");
            for second in 0..first {
                assert!(read_byte(byte, 1 << first | 1 << second).1, "{byte:#x}, bits {first} and {second}");
            }
        }
    }
}

#[test]
fn words_of_bytes_equal_their_bytes_and_verilog() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..2_000 {
        let (bytes, flips): ([u8; 4], [u16; 4]) = (rng.gen(), std::array::from_fn(|_| 1 << rng.gen_range(0..16)));
        let word = Bits::new(u32::from_le_bytes(bytes).into());
        let check = check_bits_of_bytes(word).raw();
        let wrong = bytes.iter().zip(flips).rev();
        let wrong = wrong.fold(0, |wrong, (byte, flip)| wrong << 8 | u64::from(*byte) ^ u64::from(flip & 0xff));
        let corrected = corrected_bytes(Bits::new(wrong), Bits::new(check));
        assert_eq!((corrected.word, corrected.uncorrectable.raw()), (word, 0));
        for (i, byte) in bytes.into_iter().enumerate() {
            assert_eq!(check >> (5 * i) & 0x1f, reference_of_byte(byte));
            let odd = parity_of_bytes(word).get_bit(i);
            assert_eq!(u32::from(odd), byte.count_ones() % 2);
        }
    }
    let report = cosim(Box::<ByteCodes>::default, 5_000, 1, |block, rng, _| {
        let word: u32 = rng.gen();
        let check = check_bits_of_bytes(Bits::new(word.into())).raw();
        // Up to three flips of the word and its check bits.
        let flips = (0..rng.gen_range(0..4)).fold(0u64, |flips, _| flips ^ 1 << rng.gen_range(0..52));
        block.word.next = Bits::new(u64::from(word) ^ flips & 0xffff_ffff);
        block.check.next = Bits::new(check ^ flips >> 32);
    });
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
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
