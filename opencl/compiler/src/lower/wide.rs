//! Lowering of 64-bit integers to two words each.

use super::arithmetic::{add, logic, logic_of, mirrored, set, shift_right, NOT, SHIFT_LEFT};
use super::{full, Lowering};
use crate::error::CompileError;
use crate::ir::{self, Argument, Comparison, Value};
use crate::machine_ir::{Source, Word};
use crate::ptx::ast::Kind;
use flexgrip_isa::{Logic, Operation, Sum, Width};

/// The condition-code register for the carry.
const CARRY: u8 = 0;

/// The words of a 64-bit number, low word first.
pub(super) type Pair = (Source, Source);

impl Lowering<'_> {
    /// Returns the words of an argument.
    fn pair(&mut self, argument: Argument) -> Pair {
        (self.source(argument), self.high_source(argument))
    }

    pub(super) fn wide(
        &mut self,
        instruction: &ir::Instruction,
        result: Value,
        arguments: &[Argument],
    ) -> Result<(), CompileError> {
        use ir::Operation::*;
        if let Some(lowered) = self.double(instruction, result, arguments) {
            return lowered;
        }
        let ty = instruction.ty;
        let signed = ty.kind == Kind::Signed;
        match (instruction.operation, arguments) {
            (Copy, &[a]) => {
                let (low, high) = self.pair(a);
                self.finish(result, low, high);
            }
            (Add | Subtract, &[a, b]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let (low, high) = self.add_wide(a, b, instruction.operation == Subtract);
                self.finish(result, low, high);
            }
            (Join, &[a, b]) => {
                let (low, high) = (self.source(a), self.source(b));
                self.finish(result, low, high);
            }
            (High, &[a]) => {
                let high = self.high_source(a);
                let to = self.low(result);
                self.copy(to, high);
            }
            (Negate, &[b]) => {
                let b = self.pair(b);
                let (low, high) = self.add_wide((Source::Immediate(0), Source::Immediate(0)), b, true);
                self.finish(result, low, high);
            }
            (And | Or | Xor, &[a, b]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let operation = logic(logic_of(instruction.operation));
                let [low, high] = [(a.0, b.0), (a.1, b.1)].map(|(a, b)| {
                    let word = self.temporary();
                    self.binary(operation, word, a, b);
                    full(word)
                });
                self.finish(result, low, high);
            }
            (Not, &[a]) => {
                let (low, high) = self.pair(a);
                let [low, high] = [low, high].map(|half| {
                    let half = full(self.in_word(half));
                    let word = self.temporary();
                    self.binary(NOT, word, half, half);
                    full(word)
                });
                self.finish(result, low, high);
            }
            (Select, &[a, b, Argument::Value(predicate)]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let predicate = self.low(predicate);
                let (low, high) = (self.low(result), self.half(result, true));
                self.select(low, a.0, b.0, predicate);
                self.select(high, a.1, b.1, predicate);
            }
            (MultiplyWide, &[a, b]) => {
                let (low, high) = self.product(a, b, signed);
                self.finish(result, full(low), full(high));
            }
            (MultiplyAddWide, &[a, b, c]) => {
                let (low, high) = self.product(a, b, signed);
                let c = self.pair(c);
                let (low, high) = self.add_wide((full(low), full(high)), c, false);
                self.finish(result, low, high);
            }
            (Multiply, &[a, b]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let product = self.multiply_wide(a, b);
                self.finish(result, product.0, product.1);
            }
            (MultiplyAdd, &[a, b, c]) => {
                let (a, b, c) = (self.pair(a), self.pair(b), self.pair(c));
                let product = self.multiply_wide(a, b);
                let (low, high) = self.add_wide(product, c, false);
                self.finish(result, low, high);
            }
            (MultiplyHigh, &[a, b]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let (low, high) = self.multiply_wide_high(a, b, signed);
                self.finish(result, low, high);
            }
            (Divide(_) | Remainder, &[a, b]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let (low, high) = self.divide_wide(a, b, signed, instruction.operation == Remainder);
                self.finish(result, low, high);
            }
            (Minimum | Maximum, &[a, b]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let first = Comparison {
                    less: instruction.operation == Minimum,
                    equal: false,
                    greater: instruction.operation == Maximum,
                    unordered: false,
                };
                let (low, high) = self.choose_wide(first, a, b, signed);
                self.finish(result, low, high);
            }
            (Absolute, &[a]) => {
                let a = self.pair(a);
                let sign = self.sign_of(a.1);
                let (low, high) = self.turn_wide(a, sign);
                self.finish(result, low, high);
            }
            (ShiftLeft, &[a, Argument::Constant(count)]) => {
                let (low, high) = self.pair(a);
                let count = count.min(127) as u32;
                let (low, high) = if count >= 32 {
                    let word = self.temporary();
                    self.binary(SHIFT_LEFT, word, low, Source::Immediate(count - 32));
                    (Source::Immediate(0), full(word))
                } else {
                    let [lower, upper, across, both] = [(); 4].map(|()| self.temporary());
                    self.binary(SHIFT_LEFT, lower, low, Source::Immediate(count));
                    self.binary(SHIFT_LEFT, upper, high, Source::Immediate(count));
                    self.binary(shift_right(false), across, low, Source::Immediate(32 - count));
                    self.binary(logic(Logic::Or), both, full(upper), full(across));
                    (full(lower), full(both))
                };
                self.finish(result, low, high);
            }
            (ShiftRight, &[a, Argument::Constant(count)]) => {
                let (low, high) = self.pair(a);
                let count = count.min(127) as u32;
                let (low, high) = if count >= 32 {
                    let [lower, upper] = [(); 2].map(|()| self.temporary());
                    self.binary(shift_right(signed), lower, high, Source::Immediate(count - 32));
                    let fill = if signed { 31 } else { 127 };
                    self.binary(shift_right(signed), upper, high, Source::Immediate(fill));
                    (full(lower), full(upper))
                } else {
                    let [lower, upper, across, both] = [(); 4].map(|()| self.temporary());
                    self.binary(shift_right(false), lower, low, Source::Immediate(count));
                    self.binary(shift_right(signed), upper, high, Source::Immediate(count));
                    self.binary(SHIFT_LEFT, across, high, Source::Immediate(32 - count));
                    self.binary(logic(Logic::Or), both, full(lower), full(across));
                    (full(both), full(upper))
                };
                self.finish(result, low, high);
            }
            (ShiftLeft, &[a, count]) => {
                let (a, count) = (self.pair(a), self.word(count));
                let (low, high) = self.shift_left_wide(a, count);
                self.finish(result, low, high);
            }
            (ShiftRight, &[a, count]) => {
                let (a, count) = (self.pair(a), self.word(count));
                let (low, high) = self.shift_right_wide(a, count, signed);
                self.finish(result, low, high);
            }
            (Compare(comparison), &[a, b]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let to = self.low(result);
                self.compare_wide(to, comparison, a, b, signed);
            }
            (Convert { from, .. }, &[a]) if ty.kind != Kind::Float && from.kind != Kind::Float => {
                if ty.bits < 64 {
                    let narrow = self.source(a);
                    let to = self.low(result);
                    self.copy(to, narrow);
                    return Ok(());
                }
                if from.bits == 64 {
                    let (low, high) = self.pair(a);
                    self.finish(result, low, high);
                    return Ok(());
                }
                let low = self.extend(a, from);
                let high = if from.kind == Kind::Signed {
                    let low = full(self.in_word(low));
                    let sign = self.temporary();
                    self.binary(shift_right(true), sign, low, Source::Immediate(31));
                    full(sign)
                } else {
                    Source::Immediate(0)
                };
                self.finish(result, low, high);
            }
            (Convert { from, rounding, .. }, &[a]) if from.bits == 64 && ty.bits == 32 && from.kind != Kind::Float => {
                let (a, to) = (self.pair(a), self.low(result));
                self.wide_to_float(to, a, from.kind == Kind::Signed, rounding);
            }
            (Convert { from, rounding, .. }, &[a]) if from.kind == Kind::Float && from.bits == 32 => {
                let a = self.word(a);
                let (low, high) = self.float_to_wide(a, signed, rounding);
                self.finish(result, low, high);
            }
            _ => {
                return self.error(format!(
                    "{:?} of 64-bit integers is not supported",
                    instruction.operation
                ))
            }
        }
        Ok(())
    }

    /// Writes the words of a result. Both sources are read before a word is written.
    pub(super) fn finish(&mut self, result: Value, low: Source, high: Source) {
        let (to_low, to_high) = (self.low(result), self.half(result, true));
        if high == full(to_low) {
            let kept = self.temporary();
            self.copy(kept, high);
            self.copy(to_low, low);
            self.copy(to_high, full(kept));
        } else {
            self.copy(to_low, low);
            self.copy(to_high, high);
        }
    }

    /// Computes the 64-bit product of two 32-bit numbers.
    fn product(&mut self, a: Argument, b: Argument, signed: bool) -> (Word, Word) {
        let (a, b) = (self.word(a), self.word(b));
        self.product_of_words(a, b, signed)
    }

    /// A 64-bit number in words.
    fn words_of_pair(&mut self, a: Pair) -> (Word, Word) {
        (self.in_word(a.0), self.in_word(a.1))
    }

    /// `a * b` modulo 2^64.
    pub(super) fn multiply_wide(&mut self, a: Pair, b: Pair) -> Pair {
        let (zero_a, zero_b) = (a.1 == Source::Immediate(0), b.1 == Source::Immediate(0));
        let (a, b) = (self.words_of_pair(a), self.words_of_pair(b));
        let (low, mut high) = self.product_of_words(a.0, b.0, false);
        // Partial products with an upper word of zero are omitted.
        for (x, y, zero) in [(a.0, b.1, zero_b), (a.1, b.0, zero_a)] {
            if !zero {
                let (part, sum) = (self.temporary(), self.temporary());
                self.multiply_words(part, x, y, false);
                self.sum(add(Sum::Add), sum, full(high), full(part));
                high = sum;
            }
        }
        (full(low), full(high))
    }

    /// The upper 64 bits of the product.
    fn multiply_wide_high(&mut self, a: Pair, b: Pair, signed: bool) -> Pair {
        let (a, b) = (self.words_of_pair(a), self.words_of_pair(b));
        let (_, lowest) = self.product_of_words(a.0, b.0, false);
        let left = self.product_of_words(a.0, b.1, false);
        let right = self.product_of_words(a.1, b.0, false);
        let top = self.product_of_words(a.1, b.1, false);
        let pair = |words: (Word, Word)| (full(words.0), full(words.1));
        let zero = Source::Immediate(0);
        // None of these sums overflows.
        let left = self.add_wide(pair(left), (full(lowest), zero), false);
        let right = self.add_wide(pair(right), (left.0, zero), false);
        let upper = self.add_wide((left.1, zero), (right.1, zero), false);
        let mut high = self.add_wide(pair(top), upper, false);
        if signed {
            // For each negative factor, the unsigned product is too large by the other factor times 2^64.
            for (x, y) in [(a, b), (b, a)] {
                let sign = self.sign_of(full(x.1));
                let [low, upper] = [y.0, y.1].map(|word| {
                    let part = self.temporary();
                    self.binary(logic(Logic::And), part, full(sign), full(word));
                    full(part)
                });
                high = self.add_wide(high, (low, upper), true);
            }
        }
        high
    }

    /// All ones if the word is negative, else 0.
    pub(super) fn sign_of(&mut self, word: Source) -> Word {
        let word = full(self.in_word(word));
        let sign = self.temporary();
        self.binary(shift_right(true), sign, word, Source::Immediate(31));
        sign
    }

    /// The number, negated if `sign` is all ones rather than zero.
    pub(super) fn turn_wide(&mut self, a: Pair, sign: Word) -> Pair {
        let [low, high] = [a.0, a.1].map(|half| {
            let half = full(self.in_word(half));
            let flipped = self.temporary();
            self.binary(logic(Logic::Xor), flipped, half, full(sign));
            full(flipped)
        });
        self.add_wide((low, high), (full(sign), full(sign)), true)
    }

    /// a if the comparison of a with b holds, else b.
    fn choose_wide(&mut self, comparison: Comparison, a: Pair, b: Pair, signed: bool) -> Pair {
        let predicate = self.temporary();
        self.compare_wide(predicate, comparison, a, b, signed);
        let (low, high) = (self.temporary(), self.temporary());
        self.select(low, a.0, b.0, predicate);
        self.select(high, a.1, b.1, predicate);
        (full(low), full(high))
    }

    /// Shifts by any count. The machine's shift by 32 or more, which includes negative counts, returns 0.
    pub(super) fn shift_left_wide(&mut self, a: Pair, count: Word) -> Pair {
        let a = self.words_of_pair(a);
        let (rest, over) = self.rest_and_over(count);
        let low = self.temporary();
        self.binary(SHIFT_LEFT, low, full(a.0), full(count));
        let [own, across, far, both, high] = [(); 5].map(|()| self.temporary());
        self.binary(SHIFT_LEFT, own, full(a.1), full(count));
        self.binary(shift_right(false), across, full(a.0), full(rest));
        self.binary(SHIFT_LEFT, far, full(a.0), full(over));
        self.binary(logic(Logic::Or), both, full(own), full(across));
        self.binary(logic(Logic::Or), high, full(both), full(far));
        (full(low), full(high))
    }

    fn shift_right_wide(&mut self, a: Pair, count: Word, signed: bool) -> Pair {
        let a = self.words_of_pair(a);
        let (rest, over) = self.rest_and_over(count);
        let [high, own, across, both, far, low] = [(); 6].map(|()| self.temporary());
        self.binary(shift_right(signed), high, full(a.1), full(count));
        self.binary(shift_right(false), own, full(a.0), full(count));
        self.binary(SHIFT_LEFT, across, full(a.1), full(rest));
        self.binary(logic(Logic::Or), both, full(own), full(across));
        self.binary(shift_right(signed), far, full(a.1), full(over));
        if signed {
            // A signed shift by a negative number gives the sign instead of 0.
            let beyond = self.temporary();
            let at_least = Comparison {
                less: false,
                equal: true,
                greater: true,
                unordered: false,
            };
            self.binary(set(at_least, false), beyond, full(count), Source::Immediate(32));
            self.select(low, full(far), full(both), beyond);
        } else {
            self.binary(logic(Logic::Or), low, full(both), full(far));
        }
        (full(low), full(high))
    }

    /// 32 - count and count - 32.
    fn rest_and_over(&mut self, count: Word) -> (Word, Word) {
        let (rest, over) = (self.temporary(), self.temporary());
        self.sum(add(Sum::ReverseSubtract), rest, full(count), Source::Immediate(32));
        self.sum(
            add(Sum::Add),
            over,
            full(count),
            Source::Immediate(32u32.wrapping_neg()),
        );
        (rest, over)
    }

    pub(super) fn add_wide(&mut self, a: Pair, b: Pair, subtract: bool) -> Pair {
        let (low, high) = (self.temporary(), self.temporary());
        // Operands first: no instruction may lie between the two additions.
        let a_low = full(self.in_word(a.0));
        let a_high = full(self.in_word(a.1));
        let b_low = full(self.in_word(b.0));
        let b_high = if subtract {
            let b_high = full(self.in_word(b.1));
            let inverted = self.temporary();
            self.binary(NOT, inverted, b_high, b_high);
            full(inverted)
        } else {
            full(self.in_word(b.1))
        };
        self.sum(add(if subtract { Sum::Subtract } else { Sum::Add }), low, a_low, b_low);
        if let Some(last) = self.instructions.last_mut() {
            last.code = Some(CARRY);
        }
        let carry = Operation::Iadd {
            sum: Sum::AddCarry,
            carry: CARRY,
            width: Width::B32,
            saturate: false,
        };
        self.sum(carry, high, a_high, b_high);
        (full(low), full(high))
    }

    pub(super) fn compare_wide(&mut self, to: Word, comparison: Comparison, a: Pair, b: Pair, signed: bool) {
        let (a, b, comparison) = match a.1 {
            Source::Immediate(_) => (b, a, mirrored(comparison)),
            _ => (a, b, comparison),
        };
        let a = (full(self.in_word(a.0)), full(self.in_word(a.1)));
        let equality = Comparison {
            less: false,
            equal: true,
            greater: false,
            unordered: false,
        };
        // The upper words decide unless they are equal; then the lower ones do.
        let strict = Comparison {
            equal: false,
            ..comparison
        };
        let [upper, same, lower, both] = [(); 4].map(|()| self.temporary());
        self.binary(set(strict, signed), upper, a.1, b.1);
        self.binary(set(equality, false), same, a.1, b.1);
        self.binary(set(comparison, false), lower, a.0, b.0);
        self.binary(logic(Logic::And), both, full(same), full(lower));
        self.binary(logic(Logic::Or), to, full(upper), full(both));
    }
}
