//! Lowering of 64-bit integer division, by the reciprocal of a float, as for 32 bits.
//!
//! The reciprocal is reduced so that a quotient is never too large. Each of four rounds reduces the remainder at least
//! by a factor of 2^19; then it is less than twice the divisor. (Let u be the remainder in units of the divisor: each
//! round leaves at most u * 2^-19.7 + 1; from 2^64, this is less than 2^45, 2^26, 100, 2.) The result of a division by
//! zero is unspecified, as in PTX.

use super::arithmetic::{add, logic};
use super::float::{multiply, special};
use super::wide::Pair;
use super::{full, Lowering};
use crate::ir::Comparison;
use crate::machine_ir::{Source, Word};
use flexgrip_isa::{Float, Logic, Operation, Rounding, Sign, SpecialFunction, Sum, Width};

/// 2^32, 2^-32 and -2^32.
pub(super) const UP: u32 = 0x4f80_0000;
pub(super) const DOWN: u32 = 0x2f80_0000;
pub(super) const LESS: u32 = 0xcf80_0000;
/// The amount by which the reciprocal is reduced, in ulp. The errors of divisor and reciprocal are less than 6 in sum.
const MARGIN: u32 = 6;

/// The sum of floats, rounded toward zero.
pub(super) const ADD_CUT: Operation = Operation::Fadd {
    rounding: Rounding::Zero,
    saturate: false,
    negate1: false,
    negate3: false,
};

impl Lowering<'_> {
    pub(super) fn divide_wide(&mut self, a: Pair, b: Pair, signed: bool, remainder: bool) -> Pair {
        if !signed {
            return self.divide_wide_unsigned(a, b, remainder);
        }
        let (sign_a, sign_b) = (self.sign_of(a.1), self.sign_of(b.1));
        let a = self.turn_wide(a, sign_a);
        let b = self.turn_wide(b, sign_b);
        let result = self.divide_wide_unsigned(a, b, remainder);
        let sign = self.sign_of_division(sign_a, sign_b, remainder);
        self.turn_wide(result, sign)
    }

    fn unsigned_to_float(&mut self, word: Source) -> Word {
        let word = self.in_word(word);
        self.floated(word, Rounding::Zero)
    }

    /// Converts a number to a float that is at most the number, with a relative error of at most 2^-22.
    fn cut_to_float(&mut self, a: Pair) -> Word {
        let (low, high) = (self.unsigned_to_float(a.0), self.unsigned_to_float(a.1));
        let (scaled, sum) = (self.temporary(), self.temporary());
        self.binary(multiply(Rounding::Nearest), scaled, full(high), Source::Immediate(UP));
        self.sum(ADD_CUT, sum, full(scaled), full(low));
        sum
    }

    /// Returns the integral part of a float below 2^32.
    pub(super) fn cut_to_word(&mut self, float: Word) -> Word {
        let word = self.temporary();
        let operation = Operation::F2i {
            from: Float::F32,
            width: Width::B32,
            signed: false,
            sign: Sign::PLAIN,
            rounding: Rounding::Zero,
        };
        self.unary(operation, word, full(float));
        word
    }

    /// Returns the integral part of a positive float, saturated to 64 bits.
    pub(super) fn cut_to_wide(&mut self, float: Word) -> (Word, Word) {
        let scaled = self.temporary();
        self.binary(
            multiply(Rounding::Nearest),
            scaled,
            full(float),
            Source::Immediate(DOWN),
        );
        let high = self.cut_to_word(scaled);
        let back = self.unsigned_to_float(full(high));
        let (part, rest) = (self.temporary(), self.temporary());
        self.binary(multiply(Rounding::Nearest), part, full(back), Source::Immediate(LESS));
        self.sum(ADD_CUT, rest, full(float), full(part));
        (self.cut_to_word(rest), high)
    }

    fn divide_wide_unsigned(&mut self, a: Pair, b: Pair, remainder: bool) -> Pair {
        let b = (full(self.in_word(b.0)), full(self.in_word(b.1)));
        let divisor = self.cut_to_float(b);
        self.mark_divisor();
        let (exact, reciprocal) = (self.temporary(), self.temporary());
        self.unary(special(SpecialFunction::Reciprocal), exact, full(divisor));
        let margin = Source::Immediate(MARGIN.wrapping_neg());
        self.sum(add(Sum::Add), reciprocal, full(exact), margin);
        let mut rest = a;
        let mut quotient: Option<Pair> = None;
        for round in 0..4 {
            let float = self.cut_to_float(rest);
            let guess = self.temporary();
            self.binary(multiply(Rounding::Zero), guess, full(float), full(reciprocal));
            let digits = if round < 2 {
                let (low, high) = self.cut_to_wide(guess);
                (full(low), full(high))
            } else {
                (full(self.cut_to_word(guess)), Source::Immediate(0))
            };
            let product = self.multiply_wide(digits, b);
            rest = self.add_wide(rest, product, true);
            quotient = Some(match quotient {
                None => digits,
                Some(quotient) => self.add_wide(quotient, digits, false),
            });
        }
        let once_more = self.temporary();
        let at_least = Comparison {
            less: false,
            equal: true,
            greater: true,
            unordered: false,
        };
        self.compare_wide(once_more, at_least, rest, b, false);
        if remainder {
            let [low, high] = [b.0, b.1].map(|half| {
                let part = self.temporary();
                self.binary(logic(Logic::And), part, full(once_more), half);
                full(part)
            });
            return self.add_wide(rest, (low, high), true);
        }
        // Subtracting -1 adds one.
        let quotient = quotient.unwrap_or((Source::Immediate(0), Source::Immediate(0)));
        self.add_wide(quotient, (full(once_more), full(once_more)), true)
    }
}
