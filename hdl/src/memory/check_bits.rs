//! Check bits of a 16-bit half or of a byte: one flipped bit is corrected, two are detected.
//!
//! A half has a Hamming code and an overall parity bit, 6 bits. Bits have the positions 1 to 21. Positions that are
//! powers of two are check bits, the others data, lowest first. Check bit k makes the parity even over all positions
//! with bit k set, so the checks that fail name the position of a single flipped bit. Check bit 5 makes the parity of
//! all 22 bits even: if it holds although others fail, two bits have flipped. All zeros are a valid word, so memories
//! start with valid words.
//!
//! A byte is a half whose upper byte is 0. It has five check bits, because check bit 4, of the positions from 16 up, is
//! always 0.

use hdlkit::prelude::*;

/// A word as read, with both halves corrected.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CorrectedWord {
    pub word: Bits<32>,
    /// More than one bit of a half has flipped; the half is wrong.
    pub lower_uncorrectable: Bit,
    pub upper_uncorrectable: Bit,
}

/// A word of bytes as read, with every byte corrected.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CorrectedBytes {
    pub word: Bits<32>,
    /// Bytes of which more than one bit has flipped; they are wrong.
    pub uncorrectable: Bits<4>,
}

/// A byte as read, corrected.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CorrectedByte {
    pub byte: Bits<8>,
    /// More than one bit has flipped; `byte` is wrong.
    pub uncorrectable: Bit,
}

/// A half as read, corrected.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CorrectedHalf {
    pub half: Bits<16>,
    /// More than one bit has flipped; `half` is wrong.
    pub uncorrectable: Bit,
}

/// Returns the data bits of a half in their positions.
#[hdl_fn]
fn positions(half: Bits<16>) -> Bits<22> {
    let wide = half.resize::<22>();
    ((wide & 0x1) << 3) | ((wide & 0xe) << 4) | ((wide & 0x7f0) << 5) | ((wide & 0xf800) << 6)
}

/// Returns the data bits at their positions as a half.
#[hdl_fn]
fn data_at(positions: Bits<22>) -> Bits<16> {
    let half =
        ((positions >> 3) & 0x1) | ((positions >> 4) & 0xe) | ((positions >> 5) & 0x7f0) | ((positions >> 6) & 0xf800);
    half.low::<16>()
}

/// Returns the check bits 0 to 4 of a half.
#[hdl_fn]
fn hamming(half: Bits<16>) -> Bits<5> {
    let data = positions(half);
    let mut check = bits::<5>(0);
    check = check.replace_bit(0, (data & 0x2a_aaaa).xor());
    check = check.replace_bit(1, (data & 0x0c_cccc).xor());
    check = check.replace_bit(2, (data & 0x30_f0f0).xor());
    check = check.replace_bit(3, (data & 0x00_ff00).xor());
    check.replace_bit(4, (data & 0x3f_0000).xor())
}

/// Returns the check bits of a half.
#[hdl_fn]
pub fn check_bits_of_half(half: Bits<16>) -> Bits<6> {
    let check = hamming(half);
    check.resize::<6>().replace_bit(5, half.xor() ^ check.xor())
}

/// Returns a half that was read with its check bits, with one flipped bit of either corrected.
#[hdl_fn]
pub fn corrected_half(half: Bits<16>, check: Bits<6>) -> CorrectedHalf {
    let failed = hamming(half) ^ check.low::<5>();
    let odd = half.xor() ^ check.xor();
    let flipped = data_at(failed.one_hot::<22>());
    CorrectedHalf { half: half ^ mask(odd, flipped), uncorrectable: failed.any() && (!odd || failed > 21) }
}

/// Returns the check bits of both halves of a word, the upper half's in the upper bits.
#[hdl_fn]
pub fn check_bits_of_word(word: Bits<32>) -> Bits<12> {
    check_bits_of_half(word.bits::<16>(16)).concat(check_bits_of_half(word.low::<16>()))
}

/// Returns a word that was read with its check bits, with one flipped bit of each half corrected.
#[hdl_fn]
pub fn corrected_word(word: Bits<32>, check: Bits<12>) -> CorrectedWord {
    let lower = corrected_half(word.low::<16>(), check.low::<6>());
    let upper = corrected_half(word.bits::<16>(16), check.bits::<6>(6));
    CorrectedWord {
        word: upper.half.concat(lower.half),
        lower_uncorrectable: lower.uncorrectable,
        upper_uncorrectable: upper.uncorrectable,
    }
}

/// Returns the parity of both halves of a word, the upper half's in bit 1.
#[hdl_fn]
pub fn parity_of_word(word: Bits<32>) -> Bits<2> {
    let (lower, upper) = (word.low::<16>().xor(), word.bits::<16>(16).xor());
    bits::<2>(0).replace_bit(0, lower).replace_bit(1, upper)
}

/// Returns the check bits of a byte: bits 0 to 3 and bit 5 of a half's.
#[hdl_fn]
pub fn check_bits_of_byte(byte: Bits<8>) -> Bits<5> {
    let check = check_bits_of_half(byte.resize());
    check.bits::<1>(5).concat::<4, 5>(check.low::<4>())
}

/// Returns a byte that was read with its check bits, with one flipped bit of either corrected.
#[hdl_fn]
pub fn corrected_byte(byte: Bits<8>, check: Bits<5>) -> CorrectedByte {
    let corrected = corrected_half(byte.resize(), check.bits::<1>(4).concat::<5, 6>(check.low::<4>().resize::<5>()));
    // No single flip has a position in the upper byte.
    let outside = corrected.half.bits::<8>(8).any();
    CorrectedByte { byte: corrected.half.low::<8>(), uncorrectable: corrected.uncorrectable || outside }
}

/// Returns the check bits of the four bytes of a word, the highest byte's in the highest bits.
#[hdl_fn]
pub fn check_bits_of_bytes(word: Bits<32>) -> Bits<20> {
    let mut check = Bits::<20>::ZERO;
    for i in 0..4 {
        check = check | (check_bits_of_byte(word.bits::<8>(8 * i)).resize::<20>() << (5 * i) as u64);
    }
    check
}

/// Returns a word that was read with the check bits of its bytes, with one flipped bit of each byte corrected.
#[hdl_fn]
pub fn corrected_bytes(word: Bits<32>, check: Bits<20>) -> CorrectedBytes {
    let mut corrected = CorrectedBytes::default();
    for i in 0..4 {
        let byte = corrected_byte(word.bits::<8>(8 * i), check.bits::<5>(5 * i));
        corrected.word = corrected.word | (byte.byte.resize::<32>() << (8 * i) as u64);
        corrected.uncorrectable = corrected.uncorrectable.replace_bit(i, byte.uncorrectable);
    }
    corrected
}

/// Returns the parity of each byte of a word, the highest byte's in bit 3.
#[hdl_fn]
pub fn parity_of_bytes(word: Bits<32>) -> Bits<4> {
    let mut parity = Bits::<4>::ZERO;
    for i in 0..4 {
        parity = parity.replace_bit(i, word.bits::<8>(8 * i).xor());
    }
    parity
}
