//! Lowering of conversions between 64-bit integers and floats.

use super::arithmetic::{add, logic, set, shift_right, SHIFT_LEFT};
use super::float::{multiply, rounding, to_integral};
use super::wide::Pair;
use super::{full, Lowering};
use crate::ir::{self, Comparison};
use crate::machine_ir::{Source, Word};
use flexgrip_isa::{Float, Integer, Logic, Operation, Rounding, Sign, Sum};

const SIGN_BIT: u32 = 0x8000_0000;
/// The exponent field of 1 in a float.
const BIAS: u32 = 127;
const FRACTION: u32 = 23;

const EQUAL: Comparison = Comparison {
    less: false,
    equal: true,
    greater: false,
    unordered: false,
};

impl Lowering<'_> {
    fn convert_unsigned(&mut self, word: Word, mode: Rounding) -> Word {
        let float = self.temporary();
        let operation = Operation::I2f {
            from: Integer::U32,
            to: Float::F32,
            sign: Sign::PLAIN,
            rounding: mode,
            saturate: false,
        };
        self.unary(operation, float, full(word));
        float
    }

    /// The number of leading zeros of a word, 0 to 32.
    pub(super) fn leading_zeros(&mut self, word: Word) -> Word {
        // Rounded toward zero, the float's exponent is the position of the highest bit; the exponent of 0 is far below.
        let float = self.convert_unsigned(word, Rounding::Zero);
        let [exponent, count, zeros] = [(); 3].map(|()| self.temporary());
        self.binary(shift_right(false), exponent, full(float), Source::Immediate(FRACTION));
        let most = Source::Immediate(BIAS + 31);
        self.sum(add(Sum::ReverseSubtract), count, full(exponent), most);
        let smaller = Operation::Imin {
            width: flexgrip_isa::Width::B32,
            signed: false,
        };
        self.binary(smaller, zeros, full(count), Source::Immediate(32));
        zeros
    }

    /// Normalises a number: returns a word with its highest bit at bit 31 and a sticky bit 0, and the power of two to
    /// multiply this word by, as a float.
    fn normalised(&mut self, a: Pair) -> (Word, Word) {
        let (low, high) = (self.in_word(a.0), self.in_word(a.1));
        // Without an upper word, the lower word is the upper word of a number 2^32 times as large.
        let small = self.temporary();
        self.binary(set(EQUAL, false), small, full(high), Source::Immediate(0));
        let (upper, lower, kept, weight) = (self.temporary(), self.temporary(), self.temporary(), self.temporary());
        self.select(upper, full(low), full(high), small);
        self.binary(super::arithmetic::NOT, kept, full(small), full(small));
        self.binary(logic(Logic::And), lower, full(low), full(kept));
        self.binary(logic(Logic::And), weight, full(kept), Source::Immediate(32));
        let zeros = self.leading_zeros(upper);
        let (low, high) = self.shift_left_wide((full(lower), full(upper)), zeros);
        let low = self.in_word(low);
        let [more, bit, top, power, scaled] = [(); 5].map(|()| self.temporary());
        let unequal = Comparison {
            less: true,
            equal: false,
            greater: true,
            unordered: false,
        };
        self.binary(set(unequal, false), more, full(low), Source::Immediate(0));
        self.binary(logic(Logic::And), bit, full(more), Source::Immediate(1));
        self.binary(logic(Logic::Or), top, high, full(bit));
        self.sum(add(Sum::Subtract), power, full(weight), full(zeros));
        self.sum(add(Sum::Add), scaled, full(power), Source::Immediate(BIAS));
        let factor = self.temporary();
        self.binary(SHIFT_LEFT, factor, full(scaled), Source::Immediate(FRACTION));
        (top, factor)
    }

    pub(super) fn wide_to_float(&mut self, to: Word, a: Pair, signed: bool, mode: ir::Rounding) {
        let sign = signed.then(|| self.sign_of(a.1));
        let magnitude = match sign {
            Some(sign) => self.turn_wide(a, sign),
            None => a,
        };
        let (top, factor) = self.normalised(magnitude);
        let float = match (sign, mode) {
            (Some(sign), ir::Rounding::Down | ir::Rounding::Up) => {
                // Rounding down increases the magnitude of a negative number.
                let up = self.convert_unsigned(top, Rounding::Up);
                let down = self.convert_unsigned(top, Rounding::Zero);
                let (negative, positive) = match mode {
                    ir::Rounding::Down => (up, down),
                    _ => (down, up),
                };
                let float = self.temporary();
                self.select(float, full(negative), full(positive), sign);
                float
            }
            _ => self.convert_unsigned(top, rounding(mode)),
        };
        let scaled = if signed { self.temporary() } else { to };
        self.binary(multiply(Rounding::Nearest), scaled, full(float), full(factor));
        if let Some(sign) = sign {
            let bit = self.temporary();
            self.binary(logic(Logic::And), bit, full(sign), Source::Immediate(SIGN_BIT));
            self.binary(logic(Logic::Or), to, full(scaled), full(bit));
        }
    }

    /// Converts a float to a 64-bit integer, clamped to its range.
    pub(super) fn float_to_wide(&mut self, float: Word, signed: bool, mode: ir::Rounding) -> Pair {
        let mut whole = float;
        if mode != ir::Rounding::Zero {
            whole = self.temporary();
            self.unary(to_integral(mode), whole, full(float));
        }
        if !signed {
            let (low, high) = self.cut_to_wide(whole);
            return (full(low), full(high));
        }
        let (sign, magnitude) = (self.sign_of(full(whole)), self.temporary());
        self.binary(logic(Logic::And), magnitude, full(whole), Source::Immediate(!SIGN_BIT));
        let (low, high) = self.cut_to_wide(magnitude);
        // A magnitude of 2^63 or more saturates to the largest or smallest number.
        let beyond = self.sign_of(full(high));
        let (number_low, number_high) = self.turn_wide((full(low), full(high)), sign);
        let [most_low, most_high, result_low, result_high] = [(); 4].map(|()| self.temporary());
        self.binary(super::arithmetic::NOT, most_low, full(sign), full(sign));
        self.sum(
            add(Sum::ReverseSubtract),
            most_high,
            full(sign),
            Source::Immediate(!SIGN_BIT),
        );
        self.select(result_low, full(most_low), number_low, beyond);
        self.select(result_high, full(most_high), number_high, beyond);
        (full(result_low), full(result_high))
    }
}
