//! Translation of double-precision instructions: four rounding modes, literals, division and root. Division and root
//! are functions in PTX.

use super::{Translation, F64, U32};
use crate::error::CompileError;
use crate::ir::builder::{Builder, Scope, Symbol};
use crate::ir::types::*;
use crate::ptx;
use crate::ptx::ast::{self, Kind, Type};
use std::sync::OnceLock;
use Argument::Constant as Number;

/// The sign of a double, in its upper word.
const SIGN_BIT: u64 = 0x8000_0000;

/// The functions of `builtins/double.ptx`.
fn doubles() -> &'static Result<ast::Module<'static>, String> {
    static MODULE: OnceLock<Result<ast::Module<'static>, String>> = OnceLock::new();
    MODULE.get_or_init(|| ptx::parse(include_str!("../../../builtins/double.ptx")).map_err(|error| error.to_string()))
}

impl Builder<'_> {
    /// Inlines a function of `builtins/double.ptx`. Its instructions have the place of the call. Returns the index of
    /// the result, 8 bytes.
    fn call_for_doubles(&mut self, name: &str, arguments: &[usize], span: ast::Span) -> Result<usize, CompileError> {
        let functions = doubles()
            .as_ref()
            .map_err(|error| CompileError::new(self.place(span), error.clone()))?;
        let found = functions.items.iter().find_map(|item| match item {
            ast::Item::Function(function) if function.name.text == name => Some(function),
            _ => None,
        });
        let Some((callee, body)) = found.and_then(|function| Some((function, function.body.as_ref()?))) else {
            return self.error(span, format!("`{name}` of doubles has no definition"));
        };
        let mut scope = Scope::default();
        for (parameter, &argument) in callee.parameters.iter().zip(arguments) {
            scope.symbols.insert(parameter.name.text, Symbol::Passed(argument));
        }
        let result = self.passed(Some(8), span)?;
        for parameter in &callee.returns {
            scope.symbols.insert(parameter.name.text, Symbol::Passed(result));
        }
        let outer = self.called_from.replace(span);
        let inlined = self.inline(callee, body, scope, span);
        self.called_from = outer;
        inlined.map(|()| result)
    }
}

impl Translation<'_, '_> {
    /// Returns the bits of a literal. Its type is the last type of the instruction.
    pub(crate) fn literal(&self, float: ast::Float, span: ast::Span) -> Result<u64, CompileError> {
        let double = self.modifiers.types.last().copied().is_some_and(is_double);
        match float {
            ast::Float::Single(bits) if double => Ok(f64::from(f32::from_bits(bits)).to_bits()),
            ast::Float::Single(bits) => Ok(bits.into()),
            ast::Float::Double(_) if !self.builder.has_doubles() => self.builder.no_doubles(span),
            ast::Float::Double(bits) if self.modifiers.types.iter().any(|ty| ty.bits == 64) => Ok(bits),
            ast::Float::Double(_) => self.builder.error(span, "a literal of 64 bits for an operand of 32"),
        }
    }

    /// Returns the operation with the instruction's rounding mode. Floats only round to nearest, doubles in all modes.
    pub(crate) fn rounded(&self, ty: Type, operation: Operation) -> Result<Operation, CompileError> {
        let arithmetic = match operation {
            Operation::Add => Arithmetic::Add,
            Operation::Subtract => Arithmetic::Subtract,
            Operation::Multiply => Arithmetic::Multiply,
            _ => Arithmetic::FusedMultiplyAdd,
        };
        match self.modifiers.rounding() {
            (Rounding::Nearest, false) => Ok(operation),
            (rounding, false) if is_double(ty) => Ok(Operation::Directed(arithmetic, rounding)),
            _ => self.unsupported("only rounding to nearest is supported"),
        }
    }

    /// Division, reciprocal and root of doubles.
    pub(crate) fn call_for_double(&mut self, base: &str, ty: Type) -> Result<(), CompileError> {
        let (name, arguments) = match base {
            "sqrt" => ("root", vec![self.argument(1)?]),
            "rcp" => ("quotient", vec![Argument::Constant(1f64.to_bits()), self.argument(1)?]),
            _ => ("quotient", self.arguments(2)?),
        };
        let span = self.instruction.span;
        let mut passed = Vec::new();
        for argument in arguments {
            let index = self.builder.passed(Some(8), span)?;
            self.store_passed(index, 0, ty, &[argument])?;
            passed.push(index);
        }
        let found = self.builder.call_for_doubles(name, &passed, span)?;
        let operand = self.operand(0)?;
        let result = self.result(operand)?;
        self.load_passed(found, 0, ty, &[result])
    }

    /// A double, clamped to [0, 1]; a NaN becomes 0.
    pub(crate) fn clamp_to_unit(&mut self, a: Argument) -> Argument {
        let positive = self.make(Operation::Maximum, F64, &[a, Argument::Constant(0)]);
        let one = Argument::Constant(1f64.to_bits());
        self.make(Operation::Minimum, F64, &[positive, one])
    }

    /// `copysign` of doubles, which only changes the upper word.
    pub(crate) fn copy_sign_of_double(&mut self) -> Result<Argument, CompileError> {
        let arguments = self.arguments(2)?;
        let [from, to] = [0, 1].map(|index| self.make(Operation::High, U32, &[arguments[index]]));
        let sign = self.make(Operation::And, U32, &[from, Number(SIGN_BIT)]);
        let rest = self.make(Operation::And, U32, &[to, Number(SIGN_BIT - 1)]);
        let high = self.make(Operation::Or, U32, &[sign, rest]);
        let wide = Type {
            kind: Kind::Unsigned,
            bits: 64,
        };
        let low = self.resize(arguments[1], wide, U32);
        Ok(self.make(Operation::Join, wide, &[low, high]))
    }
}
