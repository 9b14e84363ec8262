//! Lowering of doubles: each instruction rounds according to IEEE 754, with denormals.
//!
//! A double is two words, in an even register and the next one. There are no instructions for division and root: calls
//! of functions in `builtins/double.ptx` were inlined before.

use super::arithmetic::logic;
use super::float::rounding;
use super::{full, Lowering};
use crate::error::CompileError;
use crate::ir::{self, is_double, Argument, Arithmetic, Comparison, Value};
use crate::machine_ir::{Destination, Source, Word};
use crate::ptx::ast::{Kind, Type};
use flexgrip_isa::{Double, FloatOrder, Logic, Operation, Order, Rounding, Sign, WideInteger, Width};

/// The sign of a double, in its upper word.
const SIGN_BIT: u32 = 0x8000_0000;

fn compare(comparison: Comparison) -> Double {
    Double::Set {
        order: FloatOrder {
            ordered: Order {
                less: comparison.less,
                equal: comparison.equal,
                greater: comparison.greater,
            },
            unordered: comparison.unordered,
        },
        sign1: Sign::PLAIN,
        sign2: Sign::PLAIN,
    }
}

/// The operation of an instruction with a rounding mode.
fn arithmetic(operation: Arithmetic, rounding: Rounding) -> Double {
    match operation {
        Arithmetic::Add | Arithmetic::Subtract => Double::Add {
            rounding,
            negate1: false,
            negate3: operation == Arithmetic::Subtract,
        },
        Arithmetic::Multiply => Double::Mul {
            rounding,
            negate1: false,
        },
        Arithmetic::FusedMultiplyAdd => Double::Fma {
            rounding,
            negate_product: false,
            negate3: false,
        },
    }
}

/// The integer of 32 or 64 bits that a type is converted from or to.
fn integer(ty: Type) -> WideInteger {
    match (ty.bits, ty.kind == Kind::Signed) {
        (64, true) => WideInteger::S64,
        (64, false) => WideInteger::U64,
        (_, true) => WideInteger::S32,
        (_, false) => WideInteger::U32,
    }
}

impl Lowering<'_> {
    /// Lowers an operation on doubles. `None` if the operation is lowered as for 64-bit integers.
    pub(super) fn double(
        &mut self,
        instruction: &ir::Instruction,
        result: Value,
        arguments: &[Argument],
    ) -> Option<Result<(), CompileError>> {
        use ir::Operation::*;
        let ty = instruction.ty;
        let from = match instruction.operation {
            Convert { from, .. } => from,
            _ => ty,
        };
        if !is_double(ty) && !is_double(from) {
            return None;
        }
        let nearest = |operation| arithmetic(operation, Rounding::Nearest);
        let (operation, sources) = match (instruction.operation, arguments) {
            (Copy | Select | Join | High, _) => return None,
            (Add, &[a, b]) => (nearest(Arithmetic::Add), [Some(a), None, Some(b)]),
            (Subtract, &[a, b]) => (nearest(Arithmetic::Subtract), [Some(a), None, Some(b)]),
            (Multiply, &[a, b]) => (nearest(Arithmetic::Multiply), [Some(a), Some(b), None]),
            (FusedMultiplyAdd, &[a, b, c]) => {
                let operation = nearest(Arithmetic::FusedMultiplyAdd);
                (operation, [Some(a), Some(b), Some(c)])
            }
            (Directed(operation, mode), &[a, b]) => {
                let sources = match operation {
                    Arithmetic::Multiply => [Some(a), Some(b), None],
                    _ => [Some(a), None, Some(b)],
                };
                (arithmetic(operation, rounding(mode)), sources)
            }
            (Directed(operation, mode), &[a, b, c]) => {
                (arithmetic(operation, rounding(mode)), [Some(a), Some(b), Some(c)])
            }
            (Minimum | Maximum, &[a, b]) => {
                let (sign1, sign2) = (Sign::PLAIN, Sign::PLAIN);
                let operation = match instruction.operation {
                    Minimum => Double::Min { sign1, sign2 },
                    _ => Double::Max { sign1, sign2 },
                };
                (operation, [Some(a), Some(b), None])
            }
            (Compare(comparison), &[a, b]) => (compare(comparison), [Some(a), Some(b), None]),
            (Negate | Absolute, &[a]) => {
                self.change_sign(result, a, instruction.operation == Negate);
                return Some(Ok(()));
            }
            (Convert { .. }, &[a]) => return Some(self.convert_double(instruction, result, a)),
            _ => return Some(self.error(format!("{:?} of doubles is not supported", instruction.operation))),
        };
        let to = (
            self.low(result),
            operation.has_wide_result().then(|| self.half(result, true)),
        );
        self.emit_double(operation, to, sources);
        Some(Ok(()))
    }

    /// Appends an operation. `to` has the words of the result; a 32-bit result has only one.
    fn emit_double(&mut self, operation: Double, to: (Word, Option<Word>), sources: [Option<Argument>; 3]) {
        let operands = sources.map(|argument| argument.map(|argument| self.operand(argument, operation.is_wide())));
        self.emit_words(operation, to, operands);
    }

    /// Appends an operation on the words of its sources.
    fn emit_words(
        &mut self,
        operation: Double,
        (to, to_upper): (Word, Option<Word>),
        operands: [Option<(Source, Option<Word>)>; 3],
    ) {
        let [a, b, c] = operands.map(|operand| operand.and_then(|(_, upper)| upper));
        let lower = operands.map(|operand| operand.map(|(lower, _)| lower));
        self.emit(Operation::Double(operation), Destination::Word(to), lower);
        if let Some(last) = self.instructions.last_mut() {
            last.upper = [to_upper, a, b, c];
        }
    }

    /// Returns the words of a source. A zero takes no registers: R124 and above read as zero.
    fn operand(&mut self, argument: Argument, wide: bool) -> (Source, Option<Word>) {
        match argument {
            Argument::Constant(0) => (Source::Immediate(0), None),
            _ if !wide => (full(self.word(argument)), None),
            Argument::Value(value) => (full(self.low(value)), Some(self.half(value, true))),
            Argument::Constant(number) => {
                let [low, high] = [number as u32, (number >> 32) as u32].map(|half| {
                    let word = self.temporary();
                    self.copy(word, Source::Immediate(half));
                    word
                });
                (full(low), Some(high))
            }
        }
    }

    /// Negates the value, or clears its sign.
    fn change_sign(&mut self, result: Value, a: Argument, negate: bool) {
        let (low, high) = (self.source(a), self.high_source(a));
        let upper = self.temporary();
        match negate {
            true => self.binary(logic(Logic::Xor), upper, high, Source::Immediate(SIGN_BIT)),
            false => self.binary(logic(Logic::And), upper, high, Source::Immediate(!SIGN_BIT)),
        }
        self.finish(result, low, full(upper));
    }

    fn convert_double(
        &mut self,
        instruction: &ir::Instruction,
        result: Value,
        a: Argument,
    ) -> Result<(), CompileError> {
        let ir::Operation::Convert {
            from,
            rounding: mode,
            integral,
            ..
        } = instruction.operation
        else {
            return self.error("a conversion was expected");
        };
        let (ty, sign, rounding) = (instruction.ty, Sign::PLAIN, rounding(mode));
        let to = self.low(result);
        let operation = match (ty.kind, from.kind) {
            (Kind::Float, Kind::Float) if is_double(ty) && is_double(from) => {
                let integral = integral.then_some(rounding);
                Double::ToDouble { sign, integral }
            }
            (Kind::Float, Kind::Float) if is_double(ty) => Double::FromSingle { sign },
            (Kind::Float, Kind::Float) => Double::ToSingle { sign, rounding },
            (Kind::Float, _) => {
                let (double, from) = (true, integer(from));
                Double::FromInteger {
                    double,
                    from,
                    sign,
                    rounding,
                }
            }
            _ => {
                let (double, to) = (true, integer(ty));
                Double::ToInteger {
                    double,
                    to,
                    sign,
                    rounding,
                }
            }
        };
        if ty.kind != Kind::Float && ty.bits < 32 {
            let whole = self.temporary();
            self.emit_double(operation, (whole, None), [Some(a), None, None]);
            self.clamp(to, whole, ty);
            return Ok(());
        }
        let upper = operation.has_wide_result().then(|| self.half(result, true));
        if !matches!(from.kind, Kind::Float) && from.bits < 32 {
            let extended = self.extend(a, from);
            let extended = full(self.in_word(extended));
            self.emit_words(operation, (to, upper), [Some((extended, None)), None, None]);
            return Ok(());
        }
        self.emit_double(operation, (to, upper), [Some(a), None, None]);
        Ok(())
    }

    /// Clamps an integer to the range of a type of 8 or 16 bits.
    pub(super) fn clamp(&mut self, to: Word, whole: Word, ty: Type) {
        let (width, signed) = (Width::B32, ty.kind == Kind::Signed);
        let most = (1u32 << (u32::from(ty.bits) - u32::from(signed))) - 1;
        let below = if signed { self.temporary() } else { to };
        let smaller = Operation::Imin { width, signed };
        self.binary(smaller, below, full(whole), Source::Immediate(most));
        if signed {
            let least = Source::Immediate(!most);
            self.binary(Operation::Imax { width, signed }, to, full(below), least);
        }
    }
}
