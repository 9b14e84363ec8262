//! 64-bit integers: two words each.

use super::arithmetic::{add, logic, logic_of, mirrored, set, shift_right, NOT, SHIFT_LEFT};
use super::machine::{Source, Word};
use super::{full, Lowering};
use crate::error::CompileError;
use crate::ir::{self, Argument, Comparison, Value};
use crate::ptx::ast::Kind;
use flexgrip_isa::{Logic, Operation, Sum, Width};

/// The condition-code register that carries.
const CARRY: u8 = 0;

impl Lowering<'_> {
    /// Both words of an argument.
    fn pair(&mut self, argument: Argument) -> (Source, Source) {
        (self.source(argument), self.high_source(argument))
    }

    pub(super) fn wide(
        &mut self,
        instruction: &ir::Instruction,
        result: Value,
        arguments: &[Argument],
    ) -> Result<(), CompileError> {
        use ir::Operation::*;
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
                let [a_low, a_high, b_low, b_high] = [a.0, a.1, b.0, b.1].map(|source| self.in_word(source));
                let [top, left, right, low] = [(); 4].map(|()| self.temporary());
                self.multiply_high(top, a_low, b_low, false);
                self.multiply_words(left, a_low, b_high, false);
                self.multiply_words(right, a_high, b_low, false);
                self.multiply_words(low, a_low, b_low, false);
                let (sum, high) = (self.temporary(), self.temporary());
                self.sum(add(Sum::Add), sum, full(left), full(right));
                self.sum(add(Sum::Add), high, full(sum), full(top));
                self.finish(result, full(low), full(high));
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
            (Compare(comparison), &[a, b]) => {
                let (a, b) = (self.pair(a), self.pair(b));
                let to = self.low(result);
                self.compare_wide(to, comparison, a, b, signed);
            }
            (Convert { from, .. }, &[a]) if ty.kind != Kind::Float && from.kind != Kind::Float => {
                if ty.bits < 64 {
                    let narrow = if ty.bits == 8 {
                        self.extend_low(a, ty.kind == Kind::Signed)
                    } else {
                        self.source(a)
                    };
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
            _ => {
                return self.error(format!(
                    "{:?} of 64-bit integers is not supported yet",
                    instruction.operation
                ))
            }
        }
        Ok(())
    }

    /// The lowest byte of an argument, extended.
    fn extend_low(&mut self, argument: Argument, signed: bool) -> Source {
        let low = self.source(argument);
        let low = full(self.in_word(low));
        let [up, down] = [(); 2].map(|()| self.temporary());
        self.binary(SHIFT_LEFT, up, low, Source::Immediate(24));
        self.binary(shift_right(signed), down, full(up), Source::Immediate(24));
        full(down)
    }

    /// Writes both words of a result, neither before both are read.
    fn finish(&mut self, result: Value, low: Source, high: Source) {
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

    /// The 64-bit product of two 32-bit numbers.
    fn product(&mut self, a: Argument, b: Argument, signed: bool) -> (Word, Word) {
        let (a, b) = (self.word(a), self.word(b));
        let (low, high) = (self.temporary(), self.temporary());
        self.multiply_words(low, a, b, false);
        self.multiply_high(high, a, b, signed);
        (low, high)
    }

    fn add_wide(&mut self, a: (Source, Source), b: (Source, Source), subtract: bool) -> (Source, Source) {
        let (low, high) = (self.temporary(), self.temporary());
        // The operands first: nothing may come between the two additions.
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

    fn compare_wide(
        &mut self,
        to: Word,
        comparison: Comparison,
        a: (Source, Source),
        b: (Source, Source),
        signed: bool,
    ) {
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
