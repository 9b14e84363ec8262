//! Floats that clang passes to `printf` as doubles, because the source uses doubles.
//!
//! This needs no double-precision unit: the bits of the double are computed from the bits of the float with integers.
//! Such a value is only converted, selected and stored, always as 64 bits. Denormal floats become zeros, as in all
//! conversions of the machine.

use super::super::builder::Builder;
use super::super::translate::{Translation, U32};
use super::super::types::*;
use crate::error::CompileError;
use crate::ptx::ast::{self, Float, Kind, OperandKind, Space, Type};
use Argument::Constant as Number;

const F32: Type = Type::new(Kind::Float, 32);
const F64: Type = Type::new(Kind::Float, 64);
const U64: Type = Type::new(Kind::Unsigned, 64);

/// The difference of the exponents' biases, at the position of the exponent in the upper word.
const REBIAS: u64 = (1023 - 127) << 20;
/// The bits of the smallest normal float, and of infinity.
const LEAST: u64 = 0x0080_0000;
const INFINITY: u64 = 0x7f80_0000;

impl<'a> Builder<'a> {
    /// Returns the register for the bits of a double. `defines` creates it; other uses need an existing one.
    fn double(&mut self, name: &'a str, span: ast::Span, defines: bool) -> Result<Value, CompileError> {
        let found = self.declaration(name).filter(|(_, ty)| *ty == F64);
        let Some(scope) = found.map(|(scope, _)| scope) else {
            return self.no_doubles(span);
        };
        if let Some(&value) = self.frame().scopes.get(scope).and_then(|scope| scope.values.get(name)) {
            return Ok(value);
        }
        if !defines {
            return self.no_doubles(span);
        }
        let value = self.function.add(Class::Pair, name.to_string());
        if let Some(scope) = self.frame().scopes.get_mut(scope) {
            scope.values.insert(name, value);
        }
        Ok(value)
    }
}

impl<'a> Translation<'_, 'a> {
    /// Translates an instruction with doubles if it may compute a value for `printf`. Returns false for all other
    /// instructions.
    ///
    /// # Errors
    /// An operand is a double that was not converted from a float.
    pub(in super::super) fn promoted(&mut self) -> Result<bool, CompileError> {
        let is_double = self.modifiers.types.first() == Some(&F64);
        if !is_double || self.builder.has_doubles() || !self.builder.is_printf("printf") {
            return Ok(false);
        }
        let from = self.modifiers.types.get(1);
        match self.instruction.opcode.base {
            "mov" => {
                let value = self.bits_of(1)?;
                self.define(Operation::Copy, vec![value])?;
            }
            "selp" => {
                let values = vec![self.bits_of(1)?, self.bits_of(2)?, self.argument(3)?];
                self.define(Operation::Select, values)?;
            }
            "cvt" if from == Some(&F32) => {
                let float = self.argument(1)?;
                let [low, high] = self.widened(float);
                self.define(Operation::Join, vec![low, high])?;
            }
            "st" if matches!(self.modifiers.space, None | Some(Space::Param)) => {
                let operand = self.operand(0)?;
                let target = self.memory_target(operand)?;
                let operand = self.operand(1)?;
                let elements = match &operand.kind {
                    OperandKind::Vector(elements) => elements.iter().collect(),
                    _ => vec![operand],
                };
                let values = elements.into_iter().map(|element| self.bits(element));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                self.store_values(target, U64, values)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn bits_of(&mut self, index: usize) -> Result<Argument, CompileError> {
        let operand = self.operand(index)?;
        self.bits(operand)
    }

    fn bits(&mut self, operand: &'a ast::Operand<'a>) -> Result<Argument, CompileError> {
        match operand.kind {
            OperandKind::Float(Float::Double(bits)) => Ok(Number(bits)),
            OperandKind::Register { name, negated: false } | OperandKind::Symbol { name, offset: 0, .. } => {
                self.builder.double(name, operand.span, false).map(Argument::Value)
            }
            _ => self.builder.no_doubles(operand.span),
        }
    }

    fn define(&mut self, operation: Operation, arguments: Vec<Argument>) -> Result<(), CompileError> {
        let operand = self.operand(0)?;
        let (OperandKind::Register { name, .. } | OperandKind::Symbol { name, .. }) = operand.kind else {
            return self.builder.no_doubles(operand.span);
        };
        let result = self.builder.double(name, operand.span, true)?;
        self.push(operation, U64, vec![result], arguments);
        Ok(())
    }

    /// Converts a float to the two words of a double, low word first.
    fn widened(&mut self, float: Argument) -> [Argument; 2] {
        let at_least = Comparison {
            greater: true,
            ..Comparison::EQUAL
        };
        let magnitude = self.make(Operation::And, U32, &[float, Number(0x7fff_ffff)]);
        let sign = self.make(Operation::And, U32, &[float, Number(0x8000_0000)]);
        let fraction = self.make(Operation::ShiftRight, U32, &[magnitude, Number(3)]);
        let number = self.make(Operation::Add, U32, &[fraction, Number(REBIAS)]);
        // The exponent of infinities and NaNs: 255 becomes 2047.
        let special = self.make(Operation::Add, U32, &[number, Number(REBIAS)]);
        let is_special = self.make(Operation::Compare(at_least), U32, &[magnitude, Number(INFINITY)]);
        let number = self.make(Operation::Select, U32, &[special, number, is_special]);
        let low = self.make(Operation::ShiftLeft, U32, &[float, Number(29)]);
        let is_normal = self.make(Operation::Compare(at_least), U32, &[magnitude, Number(LEAST)]);
        let high = self.make(Operation::Select, U32, &[number, Number(0), is_normal]);
        let low = self.make(Operation::Select, U32, &[low, Number(0), is_normal]);
        [low, self.make(Operation::Or, U32, &[high, sign])]
    }
}
