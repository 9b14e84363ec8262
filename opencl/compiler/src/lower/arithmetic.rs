//! Lowering of integers of up to 32 bits.

use super::{full, Lowering};
use crate::error::CompileError;
use crate::ir::{self, Argument, Comparison, Value};
use crate::machine_ir::{Destination, Source, Word};
use crate::ptx::ast::{Kind, Type};
use flexgrip_isa::{Integer, Logic, Operation, Order, Product, RegisterPart, Sum, Width};

/// 32-bit addition or subtraction.
pub(super) fn add(sum: Sum) -> Operation {
    Operation::Iadd {
        sum,
        carry: 0,
        width: Width::B32,
        saturate: false,
    }
}

pub(super) fn logic(logic: Logic) -> Operation {
    Operation::Logic {
        logic,
        width: Width::B32,
        invert1: false,
        invert2: false,
    }
}

pub(super) const NOT: Operation = Operation::Logic {
    logic: Logic::PassB,
    width: Width::B32,
    invert1: false,
    invert2: true,
};
pub(super) const SHIFT_LEFT: Operation = Operation::Shl { width: Width::B32 };
pub(super) const fn shift_right(signed: bool) -> Operation {
    Operation::Shr {
        width: Width::B32,
        signed,
    }
}
pub(super) const MULTIPLY_16: Operation = Operation::Imul16 {
    signed1: false,
    signed2: false,
};
pub(super) const MULTIPLY_ADD_16: Operation = Operation::Imad {
    product: Product::U16,
    sum: Sum::Add,
    carry: 0,
};

/// Returns the operation for a comparison of integers. `unordered` is ignored.
pub(super) fn set(comparison: Comparison, signed: bool) -> Operation {
    Operation::Iset {
        order: Order {
            less: comparison.less,
            equal: comparison.equal,
            greater: comparison.greater,
        },
        width: Width::B32,
        signed,
    }
}

/// Returns the comparison for exchanged operands.
pub(super) fn mirrored(comparison: Comparison) -> Comparison {
    Comparison {
        less: comparison.greater,
        greater: comparison.less,
        ..comparison
    }
}

fn low(word: Word) -> Source {
    Source::Word(word, RegisterPart::Low)
}

fn high(word: Word) -> Source {
    Source::Word(word, RegisterPart::High)
}

fn is_number(source: Source) -> bool {
    matches!(source, Source::Immediate(_))
}

/// Extends a constant of this type to 32 bits.
pub(super) fn extended(number: u64, ty: Type) -> u32 {
    match (ty.bits, ty.kind) {
        (8, Kind::Signed) => number as i8 as u32,
        (8, _) => u32::from(number as u8),
        (16, Kind::Signed) => number as i16 as u32,
        (16, _) => u32::from(number as u16),
        _ => number as u32,
    }
}

impl Lowering<'_> {
    /// Extends an argument of this type to 32 bits.
    pub(super) fn extend(&mut self, argument: Argument, ty: Type) -> Source {
        let Argument::Value(value) = argument else {
            let Argument::Constant(number) = argument else {
                return self.source(argument);
            };
            return Source::Immediate(extended(number, ty));
        };
        let word = self.low(value);
        let bits = self.bits.of(argument);
        let signed = ty.kind == Kind::Signed;
        let clean = u32::from(ty.bits) - u32::from(signed);
        if ty.bits >= 32 || bits <= clean {
            return full(word);
        }
        let (from, source) = match (ty.bits, signed) {
            (8, true) => (Integer::S8, full(word)),
            (8, false) => (Integer::U8, full(word)),
            (_, true) => (Integer::S16, low(word)),
            (_, false) => (Integer::U16, low(word)),
        };
        let to = self.temporary();
        self.convert_integer(to, source, from);
        full(to)
    }

    /// Converts an integer of this type to a word.
    pub(super) fn convert_integer(&mut self, to: Word, source: Source, from: Integer) {
        let operation = Operation::I2i {
            from,
            to: if from.is_signed() { Integer::S32 } else { Integer::U32 },
            width: Width::B32,
            absolute: false,
            negate: false,
        };
        self.unary(operation, to, source);
    }

    pub(super) fn integer(
        &mut self,
        instruction: &ir::Instruction,
        result: Value,
        arguments: &[Argument],
    ) -> Result<(), CompileError> {
        use ir::Operation::*;
        let ty = instruction.ty;
        let signed = ty.kind == Kind::Signed;
        let to = self.low(result);
        match (instruction.operation, arguments) {
            (Add, &[a, b]) => {
                let (a, b) = self.commuted(a, b);
                self.sum(add(Sum::Add), to, a, b);
            }
            (Subtract, &[a, Argument::Constant(number)]) => {
                let a = self.source(a);
                self.sum(add(Sum::Add), to, a, Source::Immediate((number as u32).wrapping_neg()));
            }
            (Subtract, &[a, b]) => {
                let (a, b) = (self.source(a), self.source(b));
                if is_number(a) {
                    self.sum(add(Sum::ReverseSubtract), to, b, a);
                } else {
                    self.sum(add(Sum::Subtract), to, a, b);
                }
            }
            (And | Or | Xor, &[a, b]) => {
                let (a, b) = self.commuted(a, b);
                self.binary(logic(logic_of(instruction.operation)), to, a, b);
            }
            (Not, &[a]) => {
                let a = self.word(a);
                self.binary(NOT, to, full(a), full(a));
            }
            (Negate, &[a]) => {
                let a = self.source(a);
                self.sum(add(Sum::ReverseSubtract), to, a, Source::Immediate(0));
            }
            (Absolute, &[a]) => {
                // Not I2I, which would saturate the absolute value of the smallest number.
                let a = self.extend(a, ty);
                let a = full(self.in_word(a));
                let sign = self.temporary();
                self.binary(shift_right(true), sign, a, Source::Immediate(31));
                let flipped = self.temporary();
                self.binary(logic(Logic::Xor), flipped, a, full(sign));
                self.sum(add(Sum::Subtract), to, full(flipped), full(sign));
            }
            (ShiftLeft, &[a, b]) => {
                let (a, b) = (self.source(a), self.shift_count(b));
                self.binary(SHIFT_LEFT, to, a, b);
            }
            (ShiftRight, &[a, b]) => {
                let a = self.extend(a, ty);
                let b = self.shift_count(b);
                self.binary(shift_right(signed), to, a, b);
            }
            (Minimum | Maximum, &[a, b]) => {
                let (a, b) = (self.extend(a, ty), self.extend(b, ty));
                let (a, b) = if is_number(a) { (b, a) } else { (a, b) };
                let width = Width::B32;
                let operation = match instruction.operation {
                    Minimum => Operation::Imin { width, signed },
                    _ => Operation::Imax { width, signed },
                };
                self.binary(operation, to, a, b);
            }
            (Multiply, &[a, b]) if ty.bits == 32 => self.multiply(to, a, b, None),
            (Multiply | MultiplyWide, &[a, b]) if ty.bits <= 16 => {
                self.multiply_narrow(to, a, b, signed, None);
            }
            (MultiplyAdd, &[a, b, c]) if ty.bits == 32 => {
                let c = self.source(c);
                self.multiply(to, a, b, Some(c));
            }
            (MultiplyAdd | MultiplyAddWide, &[a, b, c]) if ty.bits <= 16 => {
                let c = self.source(c);
                self.multiply_narrow(to, a, b, signed, Some(c));
            }
            (MultiplyHigh, &[a, b]) if ty.bits == 32 => {
                let (a, b) = (self.word(a), self.word(b));
                self.multiply_high(to, a, b, signed);
            }
            (MultiplyHigh, &[a, b]) => {
                let product = self.temporary();
                self.multiply_narrow(product, a, b, signed, None);
                self.binary(shift_right(signed), to, full(product), Source::Immediate(16));
            }
            (Multiply24 | MultiplyHigh24, &[a, b]) => {
                let (a, b) = self.commuted(a, b);
                let high = instruction.operation == MultiplyHigh24;
                self.binary(Operation::Imul24 { signed, high }, to, a, b);
            }
            (MultiplyAdd24, &[a, b, c]) => {
                let (a, b) = self.commuted(a, b);
                let c = self.source(c);
                let operation = Operation::Imad {
                    product: if signed { Product::S24 } else { Product::U24 },
                    sum: Sum::Add,
                    carry: 0,
                };
                self.emit(operation, Destination::Word(to), [Some(a), Some(b), Some(c)]);
            }
            (Divide(_) | Remainder, &[a, b]) => {
                let (a, b) = (self.extend(a, ty), self.extend(b, ty));
                self.divide(to, a, b, signed, instruction.operation == Remainder);
            }
            (Compare(comparison), &[a, b]) if ty.kind != Kind::Predicate => {
                let (a, b) = (self.extend(a, ty), self.extend(b, ty));
                let (a, b, comparison) = if is_number(a) {
                    (b, a, mirrored(comparison))
                } else {
                    (a, b, comparison)
                };
                self.binary(set(comparison, signed), to, a, b);
            }
            (Convert { from, .. }, &[a]) if from.kind != Kind::Float => {
                // Bits above the result's are undefined, and a narrower source is extended.
                let source = if ty.bits <= from.bits && ty.bits < 32 {
                    self.source(a)
                } else {
                    self.extend(a, from)
                };
                self.copy(to, source);
            }
            (Convert { from, rounding, .. }, &[a]) => return self.float_to_integer(to, a, from, ty, rounding),
            _ => return self.error(format!("{:?} is not supported for this type", instruction.operation)),
        }
        Ok(())
    }

    /// Returns two arguments of a commutative operation; a constant is second.
    fn commuted(&mut self, a: Argument, b: Argument) -> (Source, Source) {
        let (a, b) = (self.source(a), self.source(b));
        if is_number(a) {
            (b, a)
        } else {
            (a, b)
        }
    }

    /// Returns a shift count. A constant is limited to 127, because the instruction has seven bits for it.
    fn shift_count(&mut self, argument: Argument) -> Source {
        match argument {
            Argument::Constant(number) => Source::Immediate((number as u32).min(127)),
            Argument::Value(_) => self.source(argument),
        }
    }

    /// 16 by 16 bits, 32-bit result.
    fn multiply_narrow(&mut self, to: Word, a: Argument, b: Argument, signed: bool, c: Option<Source>) {
        let (a, b) = (self.word(a), self.word(b));
        match c {
            None => {
                let operation = Operation::Imul16 {
                    signed1: signed,
                    signed2: signed,
                };
                self.binary(operation, to, low(a), low(b));
            }
            Some(c) => {
                let operation = Operation::Imad {
                    product: if signed { Product::S16 } else { Product::U16 },
                    sum: Sum::Add,
                    carry: 0,
                };
                self.emit(operation, Destination::Word(to), [Some(low(a)), Some(low(b)), Some(c)]);
            }
        }
    }

    /// `to = a * b + c` modulo 2^32, in as few instructions as the known bits allow.
    pub(super) fn multiply(&mut self, to: Word, a: Argument, b: Argument, c: Option<Source>) {
        let (a, b) = match a {
            Argument::Constant(_) => (b, a),
            Argument::Value(_) => (a, b),
        };
        if let Argument::Constant(number) = b {
            let number = number as u32;
            if number.is_power_of_two() {
                let a = self.source(a);
                let shifted = if c.is_some() { self.temporary() } else { to };
                self.binary(SHIFT_LEFT, shifted, a, Source::Immediate(number.trailing_zeros()));
                if let Some(c) = c {
                    self.sum(add(Sum::Add), to, full(shifted), c);
                }
                return;
            }
        }
        let most = self.bits.of(a).max(self.bits.of(b));
        if most <= 24 {
            let narrow = most <= 16;
            let part = |source| match source {
                Source::Word(word, _) if narrow => low(word),
                other => other,
            };
            let mut a = part(self.source(a));
            let b = part(self.source(b));
            if is_number(a) {
                a = part(full(self.in_word(a)));
            }
            match c {
                None if narrow => self.binary(MULTIPLY_16, to, a, b),
                None => self.binary(
                    Operation::Imul24 {
                        signed: false,
                        high: false,
                    },
                    to,
                    a,
                    b,
                ),
                Some(c) => {
                    // A 16-bit constant is moved to a register, because literals have 32 bits.
                    let b = if is_number(b) && narrow {
                        low(self.in_word(b))
                    } else {
                        b
                    };
                    let operation = Operation::Imad {
                        product: if narrow { Product::U16 } else { Product::U24 },
                        sum: Sum::Add,
                        carry: 0,
                    };
                    self.emit(operation, Destination::Word(to), [Some(a), Some(b), Some(c)]);
                }
            }
            return;
        }
        let (short_a, short_b) = (self.bits.of(a) <= 16, self.bits.of(b) <= 16);
        let (x, y) = (self.word(a), self.word(b));
        let product = if c.is_some() { self.temporary() } else { to };
        match (short_a, short_b) {
            (_, true) => self.multiply_words(product, x, y, true),
            (true, _) => self.multiply_words(product, y, x, true),
            _ => self.multiply_words(product, x, y, false),
        }
        if let Some(c) = c {
            self.sum(add(Sum::Add), to, full(product), c);
        }
    }

    /// `to = a * b` modulo 2^32; `short`: b has 16 bits.
    pub(super) fn multiply_words(&mut self, to: Word, a: Word, b: Word, short: bool) {
        let middle = self.temporary();
        self.binary(MULTIPLY_16, middle, high(a), low(b));
        let middle = if short {
            middle
        } else {
            let both = self.temporary();
            self.emit(
                MULTIPLY_ADD_16,
                Destination::Word(both),
                [Some(low(a)), Some(high(b)), Some(full(middle))],
            );
            both
        };
        let shifted = self.temporary();
        self.binary(SHIFT_LEFT, shifted, full(middle), Source::Immediate(16));
        self.emit(
            MULTIPLY_ADD_16,
            Destination::Word(to),
            [Some(low(a)), Some(low(b)), Some(full(shifted))],
        );
    }

    /// The upper 32 bits of the product of two words.
    pub(super) fn multiply_high(&mut self, to: Word, a: Word, b: Word, signed: bool) {
        let (_, high) = self.product_of_words(a, b, signed);
        self.copy(to, full(high));
    }

    /// All 64 bits of the product of two words, low before high.
    pub(super) fn product_of_words(&mut self, a: Word, b: Word, signed: bool) -> (Word, Word) {
        let step = |lowering: &mut Self, x: Source, y: Source, z: Option<Word>| {
            let word = lowering.temporary();
            match z {
                None => lowering.binary(MULTIPLY_16, word, x, y),
                Some(z) => lowering.emit(
                    MULTIPLY_ADD_16,
                    Destination::Word(word),
                    [Some(x), Some(y), Some(full(z))],
                ),
            }
            word
        };
        let carry = |lowering: &mut Self, from: Word| {
            let word = lowering.temporary();
            lowering.binary(shift_right(false), word, full(from), Source::Immediate(16));
            word
        };
        let lowest = step(self, low(a), low(b), None);
        let carried = carry(self, lowest);
        let first = step(self, high(a), low(b), Some(carried));
        let rest = self.temporary();
        self.convert_integer(rest, low(first), Integer::U16);
        let second = step(self, low(a), high(b), Some(rest));
        // The low word, from the last 16-bit partial product and the first.
        let (bottom, middle, whole) = (self.temporary(), self.temporary(), self.temporary());
        self.convert_integer(bottom, low(lowest), Integer::U16);
        self.binary(SHIFT_LEFT, middle, full(second), Source::Immediate(16));
        self.binary(logic(Logic::Or), whole, full(middle), full(bottom));
        let carried = carry(self, first);
        let top = step(self, high(a), high(b), Some(carried));
        let carried = carry(self, second);
        let mut product = self.temporary();
        self.sum(add(Sum::Add), product, full(top), full(carried));
        if signed {
            // For each negative factor, the unsigned product is too large by the other factor times 2^32.
            for (x, y) in [(a, b), (b, a)] {
                let sign = self.temporary();
                self.binary(shift_right(true), sign, full(x), Source::Immediate(31));
                let excess = self.temporary();
                self.binary(logic(Logic::And), excess, full(sign), full(y));
                let next = self.temporary();
                self.sum(add(Sum::Subtract), next, full(product), full(excess));
                product = next;
            }
        }
        (whole, product)
    }
}

pub(super) fn logic_of(operation: ir::Operation) -> Logic {
    match operation {
        ir::Operation::And => Logic::And,
        ir::Operation::Or => Logic::Or,
        _ => Logic::Xor,
    }
}
