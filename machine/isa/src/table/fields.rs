//! The fields of instruction words: the bits of each, and the meaning of its values.
//!
//! Public fields select what an execution unit does with its operands. A name ends in the field's lowest bit, or in
//! `SHORT`, if words of another form have it elsewhere.

use super::field::{Field, Kind};
use crate::operation::{Atomic32, Atomic64};

const fn field(name: &'static str, parts: &'static [(u32, u32)], kind: Kind) -> Field {
    Field::new(name, parts, kind)
}

type Words = &'static [&'static str];
const ACCESS_WORDS: Words = &[
    "a byte, zero-extended",
    "two bytes, zero-extended",
    "two bytes, sign-extended",
    "four bytes",
];
const INTEGER_WORDS: Words = &[
    "16 bits, unsigned",
    "32 bits, unsigned",
    "16 bits, signed",
    "32 bits, signed",
];
const ADD_WORDS: Words = &[
    "add",
    "subtract the last source",
    "subtract the first source or the product",
    "add, with carry",
];
const MAD_ADD_WORDS: Words = &["add", "subtract source 3", "subtract the product", "add, with carry"];
const MUL_WORDS: Words = &[
    "16 by 16 bits, unsigned",
    "16 by 16 bits, source 2 signed",
    "16 by 16 bits, source 1 signed",
    "16 by 16 bits, signed",
    "24 by 24 bits, unsigned",
    "bits 47..16 of 24 by 24 bits, unsigned",
    "24 by 24 bits, signed",
    "bits 47..16 of 24 by 24 bits, signed",
];
const MAD_WORDS: Words = &[
    "16 by 16 bits, unsigned",
    "16 by 16 bits, signed",
    "16 by 16 bits, signed, sum clamped",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, signed",
    "24 by 24 bits, signed, sum clamped",
    "bits 47..16 of 24 by 24 bits, unsigned",
    "bits 47..16 of 24 by 24 bits, signed",
];
const MAD_7_WORDS: Words = &[
    "bits 47..16 of 24 by 24 bits, signed, sum clamped",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
];
const MAD_SHORT_WORDS: Words = &[
    "16 by 16 bits, unsigned",
    "16 by 16 bits, signed",
    "16 by 16 bits, signed, sum clamped",
    "24 by 24 bits, unsigned",
];
const LOGIC_WORDS: Words = &["and", "or", "exclusive or", "source 2"];
const COMPARE_WORDS: Words = &[
    "never",
    "less",
    "equal",
    "less or equal",
    "greater",
    "not equal",
    "greater or equal",
    "always",
];
const COMPARE_FLOAT_WORDS: Words = &[
    "never",
    "less",
    "equal",
    "less or equal",
    "greater",
    "less or greater",
    "greater or equal",
    "ordered",
    "unordered",
    "less or unordered",
    "equal or unordered",
    "less, equal or unordered",
    "greater or unordered",
    "not equal or unordered",
    "greater, equal or unordered",
    "always",
];
const CONVERT_FROM_WORDS: Words = &[
    "16 bits, unsigned",
    "32 bits, unsigned",
    "8 bits of a half, unsigned",
    "8 bits of a register, unsigned",
    "16 bits, signed",
    "32 bits, signed",
    "8 bits of a half, signed",
    "8 bits of a register, signed",
];
const CONVERT_TO_WORDS: Words = &[
    "16 bits, unsigned",
    "32 bits, unsigned",
    "16 bits, signed",
    "32 bits, signed",
    "8 bits, unsigned, in a half",
    "8 bits, unsigned, in a register",
    "8 bits, signed, in a half",
    "8 bits, signed, in a register",
];
const MEMORY_WORDS: Words = &[
    "a byte, zero-extended",
    "a byte, sign-extended",
    "two bytes, zero-extended",
    "two bytes, sign-extended",
    "eight bytes, two registers",
    "sixteen bytes, four registers",
    "four bytes",
    "",
];
const R2G_WORDS: Words = &[
    "a half stored as two bytes",
    "a register stored as two bytes",
    "a half stored as a byte",
    "a register stored as a byte",
    "a half stored as four bytes",
    "a register stored as four bytes",
    "",
    "",
];
const ROUND_NEAREST_ZERO_WORDS: Words = &["to nearest, ties to even", "", "", "toward zero"];
const ROUND_WORDS: Words = &["to nearest, ties to even", "down", "up", "toward zero"];
const ROUND_MAD_WORDS: Words = &[
    "none, or mad.rn",
    "mad.rm: without effect",
    "mad.rp: without effect",
    "mad.rz: without effect",
];
const ROUND_INTEGRAL_WORDS: Words = &[
    "to the nearest integral value, ties to even",
    "down to an integral value",
    "up to an integral value",
    "toward zero to an integral value",
];
const ROUND_HALF_WORDS: Words = &[
    "to nearest, ties to even",
    "to the nearest integral value, ties to even, then truncated",
    "down",
    "down to an integral value, then truncated",
    "up",
    "up to an integral value, then truncated",
    "toward zero",
    "toward zero to an integral value, then truncated",
];
const QUAD_THREAD_WORDS: Words = &[
    "thread 0 of the quad",
    "thread 1 of the quad",
    "thread 2 of the quad",
    "thread 3 of the quad",
    "horizontal neighbour; +0 in a kernel",
    "vertical neighbour; +0 in a kernel",
    "as 4",
    "as 5",
];
const QUAD_WORDS: Words = &[
    "source 1 + source 3",
    "source 3 - source 1",
    "source 1 - source 3",
    "source 3 + 0",
];
const COORDINATE_WORDS: Words = &["one register", "two registers", "three registers", "four registers"];
/// The operations of GATOM and GRED, by number; `""` for numbers without an operation.
const ATOMIC_WORDS: [&str; 16] = [
    "memory + b",
    "b",
    "c if memory equals b",
    "",
    "0 if memory is at least b, else memory + 1",
    "b if memory is 0 or above b, else memory - 1",
    "the larger of memory and b",
    "the smaller of memory and b",
    "",
    "",
    "memory and b",
    "memory or b",
    "memory exclusive or b",
    "",
    "",
    "",
];
/// The operations, by number, that a form of GATOM or GRED has.
pub(super) type Operations = [bool; 16];
const fn operations(long: bool, signed: bool, returns: bool) -> Operations {
    let mut all = [false; 16];
    let mut number = 0;
    while number < 16 {
        all[number] = match long {
            true => Atomic64::from_bits(number as u32).is_some(),
            false => Atomic32::from_bits(number as u32, signed).is_some(),
        };
        number += 1;
    }
    if !returns {
        // Without the old value, EXCH and CAS have no use.
        (all[1], all[2]) = (false, false);
    }
    all
}
pub(super) const OF_WORD: Operations = operations(false, false, true);
pub(super) const OF_SIGNED: Operations = operations(false, true, true);
pub(super) const OF_LONG: Operations = operations(true, false, true);
pub(super) const OF_REDUCTION: Operations = operations(false, false, false);
pub(super) const OF_LONG_REDUCTION: Operations = operations(true, false, false);
const fn words_of(operations: Operations) -> [&'static str; 16] {
    let mut words = ATOMIC_WORDS;
    let mut number = 0;
    while number < 16 {
        if !operations[number] {
            words[number] = "";
        }
        number += 1;
    }
    words
}
const WORD_WORDS: [&str; 16] = words_of(OF_WORD);
const SIGNED_WORDS: [&str; 16] = words_of(OF_SIGNED);
const LONG_WORDS: [&str; 16] = words_of(OF_LONG);
const REDUCTION_WORDS: [&str; 16] = words_of(OF_REDUCTION);
const LONG_REDUCTION_WORDS: [&str; 16] = words_of(OF_LONG_REDUCTION);
const VOTE_WORDS: Words = &[
    "",
    "the condition holds for one thread",
    "the condition holds for all threads",
    "",
];
const RRO_WORDS: Words = &["for SIN and COS", "for EX2"];

pub(super) const DESTINATION: Field = field("destination", &[(2, 7)], Kind::Register);
pub(super) const SOURCE_1: Field = field("source 1", &[(9, 7)], Kind::Register);
pub(super) const SOURCE_2: Field = field("source 2", &[(16, 7)], Kind::Register);
pub(super) const SOURCE_3: Field = field("source 3", &[(46, 7)], Kind::Register);
pub(super) const DESTINATION_6: Field = field("destination", &[(2, 6)], Kind::Register);
pub(super) const SOURCE_1_6: Field = field("source 1", &[(9, 6)], Kind::Register);
pub(super) const SOURCE_2_6: Field = field("source 2", &[(16, 6)], Kind::Register);
pub(super) const OUTPUT: Field = field("destination is o[]", &[(35, 1)], Kind::Flag);
pub(super) const SHARED_1: Field = field("source 1 is s[]", &[(53, 1)], Kind::Flag);
pub(super) const SHARED_1_SHORT: Field = field("source 1 is s[]", &[(24, 1)], Kind::Flag);
pub(super) const SHARED_OFFSET: Field = field("s[] offset", &[(9, 5)], Kind::Offset);
pub(super) const SHARED_ACCESS: Field = field("s[] access", &[(14, 2)], Kind::Choice(ACCESS_WORDS));
pub(super) const SHARED_OFFSET_SHORT: Field = field("s[] offset", &[(9, 4)], Kind::Offset);
pub(super) const SHARED_ACCESS_SHORT: Field = field("s[] access", &[(13, 2)], Kind::Choice(ACCESS_WORDS));
pub(super) const CONSTANT_2: Field = field("source 2 is c[]", &[(23, 1)], Kind::Flag);
pub(super) const CONSTANT_3: Field = field("source 3 is c[]", &[(24, 1)], Kind::Flag);
pub(super) const BANK: Field = field("c[] bank", &[(54, 4)], Kind::Bank);
pub(super) const CONSTANT_OFFSET_2: Field = field("c[] offset", &[(16, 7)], Kind::Offset);
pub(super) const CONSTANT_OFFSET_3: Field = field("c[] offset", &[(46, 7)], Kind::Offset);
pub(super) const BANK_SHORT: Field = field("c[] bank", &[(21, 1)], Kind::Bank);
pub(super) const CONSTANT_OFFSET_SHORT: Field = field("c[] offset", &[(16, 5)], Kind::Offset);
pub(super) const ADDRESS: Field = field("address register", &[(26, 2), (34, 1)], Kind::AddressRegister);
pub(super) const ADDRESS_SHORT: Field = field("address register", &[(26, 2)], Kind::AddressRegister);
pub(super) const POST_INCREMENT: Field = field("post-increment", &[(25, 1)], Kind::Flag);
pub(super) const NUMBER: Field = field("immediate", &[(16, 6), (34, 26)], Kind::Number);
pub(super) const TARGET: Field = field("target", &[(11, 16), (46, 6)], Kind::Target);
pub(super) const WIDE: Field = field("32-bit", &[(58, 1)], Kind::Flag);
/// Width and sign of an integer: the sources of long words, the result of F2I.
pub const WIDE_SIGNED: Field = field("type", &[(58, 1), (59, 1)], Kind::Choice(INTEGER_WORDS));
pub(super) const WIDE_SHORT: Field = field("32-bit", &[(15, 1)], Kind::Flag);
/// Selects the negated operand of IADD or of a short IMAD, or addition with carry.
pub const ADD_KIND: Field = field("add kind", &[(22, 1), (28, 1)], Kind::Choice(ADD_WORDS));
/// Negation of a long IMAD's product or of its source 3; or the addition with carry.
pub const MAD_ADD_KIND: Field = field("add kind", &[(58, 1), (59, 1)], Kind::Choice(MAD_ADD_WORDS));
/// The result is clamped, in long words of IADD and EX2.
pub const SATURATE_59: Field = field("saturate", &[(59, 1)], Kind::Flag);
/// The sources are signed, in long words.
pub const SIGNED_59: Field = field("signed", &[(59, 1)], Kind::Flag);
/// The result is clamped to 0..1, in long words of FADD and FMAD.
pub const SATURATE_61: Field = field("saturate", &[(61, 1)], Kind::Flag);
/// The result is clamped, in short and immediate words.
pub const SATURATE_8: Field = field("saturate", &[(8, 1)], Kind::Flag);
/// The sources are signed, in short words.
pub const SIGNED_8: Field = field("signed", &[(8, 1)], Kind::Flag);
/// Signs and widths of a long IMUL's sources, and the half of the product.
pub const MUL_KIND: Field = field("type", &[(46, 3)], Kind::Choice(MUL_WORDS));
/// The types of a short or immediate IMUL's sources, and the half of the product.
pub const MUL_KIND_SHORT: Field = field("type", &[(8, 1), (15, 1), (22, 1)], Kind::Choice(MUL_WORDS));
pub(super) const MUL_24: Field = field("24-bit", &[(48, 1)], Kind::Flag);
pub(super) const MUL_24_SHORT: Field = field("24-bit", &[(22, 1)], Kind::Flag);
/// Signs and widths of a long IMAD's sources, the half of the product, and clamping.
pub const MAD_KIND: Field = field("type", &[(61, 3)], Kind::Choice(MAD_WORDS));
/// The types of a long IMAD's sources, the half of the product, and clamping, in words with opcode 7.
pub const MAD_KIND_7: Field = field("type", &[(61, 3)], Kind::Choice(MAD_7_WORDS));
/// The types of a short or immediate IMAD's sources, and clamping.
pub const MAD_KIND_SHORT: Field = field("type", &[(8, 1), (15, 1)], Kind::Choice(MAD_SHORT_WORDS));
pub(super) const SHIFT_NUMBER: Field = field("shift count is an immediate", &[(52, 1)], Kind::Flag);
/// The function of a long LOP.
pub const LOGIC: Field = field("operation", &[(46, 2)], Kind::Choice(LOGIC_WORDS));
/// The function of an immediate LOP.
pub const LOGIC_SHORT: Field = field("operation", &[(8, 1), (15, 1)], Kind::Choice(LOGIC_WORDS));
/// Source 1 of a long LOP is inverted.
pub const INVERT_1: Field = field("invert source 1", &[(48, 1)], Kind::Flag);
/// Source 2 of a long LOP is inverted.
pub const INVERT_2: Field = field("invert source 2", &[(49, 1)], Kind::Flag);
/// Source 1 of an immediate LOP is inverted.
pub const INVERT_1_SHORT: Field = field("invert source 1", &[(22, 1)], Kind::Flag);
/// The comparison of ISET.
pub const COMPARE: Field = field("comparison", &[(46, 3)], Kind::Choice(COMPARE_WORDS));
/// The comparison of FSET.
pub const COMPARE_FLOAT: Field = field("comparison", &[(46, 4)], Kind::Choice(COMPARE_FLOAT_WORDS));
/// The type of the integer that I2I and I2F convert.
pub const CONVERT_FROM: Field = field("source type", &[(46, 3)], Kind::Choice(CONVERT_FROM_WORDS));
pub(super) const CONVERT_FROM_WIDE: Field = field("source is 32-bit", &[(46, 1)], Kind::Flag);
/// The type that I2I converts to.
pub const CONVERT_TO: Field = field(
    "destination type",
    &[(58, 1), (59, 1), (51, 1)],
    Kind::Choice(CONVERT_TO_WORDS),
);
/// The absolute value of source 1 is taken, in long words.
pub const ABSOLUTE: Field = field("absolute value", &[(52, 1)], Kind::Flag);
/// The source of a conversion, or source 3 of FSLCT, is negated.
pub const NEGATE_61: Field = field("negate", &[(61, 1)], Kind::Flag);
pub(super) const GLOBAL_SPACE: Field = field("global space", &[(16, 4)], Kind::Space);
pub(super) const MEMORY_ACCESS: Field = field("access", &[(53, 3)], Kind::Choice(MEMORY_WORDS));
pub(super) const WIDE_OFFSET_8: Field = field("offset", &[(9, 16)], Kind::Offset);
pub(super) const WIDE_OFFSET_16: Field = field("offset", &[(9, 15)], Kind::Offset);
pub(super) const WIDE_OFFSET_32: Field = field("offset", &[(9, 14)], Kind::Offset);
pub(super) const MVC_ACCESS: Field = field("access", &[(46, 2)], Kind::Choice(ACCESS_WORDS));
pub(super) const ADDRESS_DESTINATION: Field = field("destination", &[(2, 3)], Kind::AddressRegister);
pub(super) const R2A_SHIFT: Field = field("shift count", &[(16, 4)], Kind::Number);
pub(super) const R2G_KIND: Field = field("type", &[(53, 1), (54, 1), (58, 1)], Kind::Choice(R2G_WORDS));
pub(super) const R2G_WORD: Field = field("source is 32-bit", &[(53, 1)], Kind::Flag);
pub(super) const R2G_BYTE: Field = field("store 8 bits", &[(54, 1)], Kind::Flag);
pub(super) const ADDRESS_IMMEDIATE: Field = field("immediate", &[(9, 16)], Kind::Number);
pub(super) const SPECIAL_REGISTER: Field = field("special register", &[(46, 4)], Kind::SpecialRegister);
pub(super) const BARRIER: Field = field("barrier", &[(21, 4)], Kind::Barrier);
pub(super) const BARRIER_MASK: Field = field("thread mask", &[(9, 12)], Kind::Mask);
pub(super) const ARRIVE: Field = field("arrive", &[(25, 1)], Kind::Flag);
pub(super) const WAIT: Field = field("wait", &[(26, 1)], Kind::Flag);
pub(super) const CALL_LIMITED: Field = field("limited call", &[(38, 1)], Kind::Flag);
pub(super) const EVENT: Field = field("event", &[(10, 4)], Kind::Number);
/// Rounding of a long FADD.
pub const ROUND_16: Field = field("rounding", &[(16, 2)], Kind::Choice(ROUND_NEAREST_ZERO_WORDS));
/// Rounding of a long FMUL.
pub const ROUND_46: Field = field("rounding", &[(46, 2)], Kind::Choice(ROUND_NEAREST_ZERO_WORDS));
/// Used where neither source 2 nor source 3 is c[], which has its bank in these bits.
pub(super) const ROUND_54: Field = field("requested rounding", &[(54, 2)], Kind::Choice(ROUND_MAD_WORDS));
/// Rounding of a conversion.
pub const ROUND_49: Field = field("rounding", &[(49, 2)], Kind::Choice(ROUND_WORDS));
pub(super) const ROUND_INTEGRAL: Field = field("integral rounding", &[(49, 2)], Kind::Choice(ROUND_INTEGRAL_WORDS));
/// A conversion between floats rounds to an integral value.
pub const INTEGRAL: Field = field("integral", &[(59, 1)], Kind::Flag);
pub(super) const ROUND_HALF: Field = field("rounding", &[(59, 1), (49, 2)], Kind::Choice(ROUND_HALF_WORDS));
pub(super) const SATURATE_52: Field = field("saturate", &[(52, 1)], Kind::Flag);
pub(super) const QUAD_THREAD: Field = field("source thread", &[(16, 3)], Kind::Choice(QUAD_THREAD_WORDS));
pub(super) const QUAD_0: Field = field("operation of thread 0", &[(58, 2)], Kind::Choice(QUAD_WORDS));
pub(super) const QUAD_1: Field = field("operation of thread 1", &[(56, 2)], Kind::Choice(QUAD_WORDS));
pub(super) const QUAD_2: Field = field("operation of thread 2", &[(54, 2)], Kind::Choice(QUAD_WORDS));
pub(super) const QUAD_3: Field = field("operation of thread 3", &[(20, 2)], Kind::Choice(QUAD_WORDS));
/// The result of a conversion to a float is clamped to 0..1.
pub const SATURATE_51: Field = field("saturate", &[(51, 1)], Kind::Flag);
/// Source 1 or the product is negated, in long words of floats.
pub const NEGATE_58: Field = field("negate source 1", &[(58, 1)], Kind::Flag);
/// Source 2, or source 3 if the instruction has one, is negated, in long words of floats.
pub const NEGATE_59: Field = field("negate source 2", &[(59, 1)], Kind::Flag);
/// The absolute value of source 2 is taken, in long words of floats.
pub const ABSOLUTE_51: Field = field("absolute value of source 2", &[(51, 1)], Kind::Flag);
/// Source 1 or the product is negated, in short and immediate words of floats.
pub const NEGATE_15: Field = field("negate source 1", &[(15, 1)], Kind::Flag);
/// The last source is negated, in short and immediate words of floats.
pub const NEGATE_22: Field = field("negate source 2", &[(22, 1)], Kind::Flag);
/// The absolute value of the source of a short RCP is taken.
pub const ABSOLUTE_15: Field = field("absolute value", &[(15, 1)], Kind::Flag);
/// The range reduction of RRO: for SIN and COS, or for EX2.
pub const RRO_KIND: Field = field("reduction", &[(46, 1)], Kind::Choice(RRO_WORDS));
pub(super) const SAD_SIGNED_SHORT: Field = field("type", &[(15, 1), (8, 1)], Kind::Choice(INTEGER_WORDS));

pub(super) const TEXTURE: Field = field("texture", &[(9, 8)], Kind::Texture);
pub(super) const SAMPLER: Field = field("sampler", &[(17, 5)], Kind::Sampler);
pub(super) const COORDINATES: Field = field("coordinates", &[(22, 2)], Kind::Choice(COORDINATE_WORDS));
pub(super) const COMPONENTS: Field = field("components", &[(25, 2), (46, 2)], Kind::Mask);
pub(super) const LIVE: Field = field("live threads only", &[(34, 1)], Kind::Flag);
pub(super) const LIVE_SHORT: Field = field("live threads only", &[(8, 1)], Kind::Flag);
pub(super) const DERIVATIVES: Field = field("derivatives", &[(35, 1)], Kind::Flag);
pub(super) const TEXEL_OFFSET: Field = field("texel offset", &[(56, 4), (52, 4), (48, 4)], Kind::TexelOffset);

const ATOMIC_BITS: &[(u32, u32)] = &[(34, 4)];
pub(super) const ATOMIC: Field = field("operation", ATOMIC_BITS, Kind::Choice(&WORD_WORDS));
pub(super) const SIGNED_ATOMIC: Field = field("operation", ATOMIC_BITS, Kind::Choice(&SIGNED_WORDS));
pub(super) const LONG_ATOMIC: Field = field("operation", ATOMIC_BITS, Kind::Choice(&LONG_WORDS));
pub(super) const REDUCTION: Field = field("operation", ATOMIC_BITS, Kind::Choice(&REDUCTION_WORDS));
pub(super) const LONG_REDUCTION: Field = field("operation", ATOMIC_BITS, Kind::Choice(&LONG_REDUCTION_WORDS));
pub(super) const GLOBAL_SPACE_23: Field = field("global space", &[(23, 4)], Kind::Space);
/// A store to shared memory unlocks the word.
pub(super) const UNLOCK: Field = field("unlock", &[(55, 1)], Kind::Flag);
/// A conversion has a 64-bit source or result.
pub(super) const CONVERTS_64: Field = field("64-bit conversion", &[(54, 1)], Kind::Flag);
pub(super) const VOTE: Field = field("vote", &[(9, 2)], Kind::Choice(VOTE_WORDS));
/// Rounding of DADD.
pub(super) const ROUND_DADD: Field = field("rounding", &[(16, 2)], Kind::Choice(ROUND_WORDS));
/// Rounding of DFMA.
pub(super) const ROUND_DFMA: Field = field("rounding", &[(54, 2)], Kind::Choice(ROUND_WORDS));
