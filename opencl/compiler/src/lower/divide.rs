//! Lowering of integer division, by the reciprocal of a float.
//!
//! The reciprocal is reduced slightly, so the first quotient is never too large. The remainder is divided again, and
//! the sum of the quotients is then at most one too small. The result of a division by zero is unspecified, as in PTX.

use super::arithmetic::{add, logic, set};
use super::{full, Lowering};
use crate::ir::Comparison;
use crate::machine_ir::{Source, Word};
use flexgrip_isa::{Float, Integer, Logic, Operation, Rounding, Sign, SpecialFunction, Sum, Width};

/// The amount by which the reciprocal is reduced, in ulp.
const MARGIN: u32 = 3;

impl Lowering<'_> {
    /// Lowers a quotient or remainder.
    pub(super) fn divide(&mut self, to: Word, a: Source, b: Source, signed: bool, remainder: bool) {
        let (a, b) = (self.in_word(a), self.in_word(b));
        if !signed {
            self.divide_unsigned(to, a, b, remainder);
            return;
        }
        let [sign_a, sign_b] = [a, b].map(|word| self.sign_of(full(word)));
        let sign = self.sign_of_division(sign_a, sign_b, remainder);
        let magnitude_a = self.temporary();
        self.turn(magnitude_a, a, sign_a);
        let magnitude_b = self.temporary();
        self.turn(magnitude_b, b, sign_b);
        let result = self.temporary();
        self.divide_unsigned(result, magnitude_a, magnitude_b, remainder);
        self.turn(to, result, sign);
    }

    /// Returns all ones if the quotient is negative, else 0. The sign of a remainder is the sign of the dividend.
    pub(super) fn sign_of_division(&mut self, dividend: Word, divisor: Word, remainder: bool) -> Word {
        if remainder {
            return dividend;
        }
        let sign = self.temporary();
        self.binary(logic(Logic::Xor), sign, full(dividend), full(divisor));
        sign
    }

    /// Writes the word to `to`, negated if `sign` is all ones rather than zero.
    fn turn(&mut self, to: Word, word: Word, sign: Word) {
        let flipped = self.temporary();
        self.binary(logic(Logic::Xor), flipped, full(word), full(sign));
        self.sum(add(Sum::Subtract), to, full(flipped), full(sign));
    }

    /// Converts an unsigned word to a float.
    pub(super) fn floated(&mut self, word: Word, rounding: Rounding) -> Word {
        let to = self.temporary();
        let operation = Operation::I2f {
            from: Integer::U32,
            to: Float::F32,
            sign: Sign::PLAIN,
            rounding,
            saturate: false,
        };
        self.unary(operation, to, full(word));
        to
    }

    /// Computes a quotient that is exact or too small, with the reciprocal.
    fn guess(&mut self, word: Word, reciprocal: Word) -> Word {
        let float = self.floated(word, Rounding::Zero);
        let product = self.temporary();
        let multiply = Operation::Fmul {
            rounding: Rounding::Zero,
            saturate: false,
            negate1: false,
            negate2: false,
        };
        self.binary(multiply, product, full(float), full(reciprocal));
        let quotient = self.temporary();
        let convert = Operation::F2i {
            from: Float::F32,
            width: Width::B32,
            signed: false,
            sign: Sign::PLAIN,
            rounding: Rounding::Zero,
        };
        self.unary(convert, quotient, full(product));
        quotient
    }

    /// Marks the last instruction as the one that reads the divisor.
    pub(super) fn mark_divisor(&mut self) {
        if let Some(last) = self.instructions.last_mut() {
            last.divisor = true;
        }
    }

    fn divide_unsigned(&mut self, to: Word, a: Word, b: Word, remainder: bool) {
        let float = self.floated(b, Rounding::Up);
        self.mark_divisor();
        let exact = self.temporary();
        let reciprocal = Operation::Special {
            function: SpecialFunction::Reciprocal,
            sign: Sign::PLAIN,
            saturate: false,
        };
        self.unary(reciprocal, exact, full(float));
        let lowered = self.temporary();
        let margin = Source::Immediate(MARGIN.wrapping_neg());
        self.sum(add(Sum::Add), lowered, full(exact), margin);

        let first = self.guess(a, lowered);
        let product = self.temporary();
        self.multiply_words(product, first, b, false);
        let rest = self.temporary();
        self.sum(add(Sum::Subtract), rest, full(a), full(product));

        let second = self.guess(rest, lowered);
        let product = self.temporary();
        self.multiply_words(product, b, second, true);
        let last = self.temporary();
        self.sum(add(Sum::Subtract), last, full(rest), full(product));

        let once_more = self.temporary();
        let at_least = Comparison {
            less: false,
            equal: true,
            greater: true,
            unordered: false,
        };
        self.binary(set(at_least, false), once_more, full(last), full(b));
        let part = self.temporary();
        if remainder {
            self.binary(logic(Logic::And), part, full(once_more), full(b));
            self.sum(add(Sum::Subtract), to, full(last), full(part));
        } else {
            self.sum(add(Sum::Add), part, full(first), full(second));
            self.sum(add(Sum::Subtract), to, full(part), full(once_more));
        }
    }
}
