//! Translation of one PTX instruction to operations.

mod atomic;
mod double;
mod expand;
mod memory;

use crate::error::{CompileError, NO_TEXTURES};
use crate::ir::builder::Builder;
use crate::ir::types::*;
use crate::ptx::ast::{self, Kind, Modifier, OperandKind, Space, Type};
use flexgrip_machine::Fence;

pub(crate) const U32: Type = Type {
    kind: Kind::Unsigned,
    bits: 32,
};

pub(crate) const F64: Type = Type {
    kind: Kind::Float,
    bits: 64,
};

/// An opcode's modifiers, sorted.
pub(crate) struct Modifiers<'a> {
    pub types: Vec<Type>,
    pub words: Vec<&'a str>,
    pub space: Option<Space>,
    pub vector: u8,
}

impl<'a> Modifiers<'a> {
    fn of(opcode: &'a ast::Opcode<'a>) -> Self {
        let mut modifiers = Modifiers {
            types: Vec::new(),
            words: Vec::new(),
            space: None,
            vector: 1,
        };
        for modifier in &opcode.modifiers {
            match *modifier {
                Modifier::Type(ty) => modifiers.types.push(ty),
                Modifier::Space(space) => modifiers.space = Some(space),
                Modifier::Vector(length) => modifiers.vector = length,
                Modifier::Word(word) => modifiers.words.push(word),
            }
        }
        modifiers
    }

    pub fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// The rounding mode, and true if it rounds to an integral value.
    pub fn rounding(&self) -> (Rounding, bool) {
        let find = |word: &&str| match *word {
            "rn" => Some((Rounding::Nearest, false)),
            "rz" => Some((Rounding::Zero, false)),
            "rm" => Some((Rounding::Down, false)),
            "rp" => Some((Rounding::Up, false)),
            "rni" => Some((Rounding::Nearest, true)),
            "rzi" => Some((Rounding::Zero, true)),
            "rmi" => Some((Rounding::Down, true)),
            "rpi" => Some((Rounding::Up, true)),
            _ => None,
        };
        self.words.iter().find_map(find).unwrap_or((Rounding::Nearest, false))
    }

    fn accuracy(&self) -> Accuracy {
        if self.has("approx") {
            Accuracy::Approximate
        } else {
            Accuracy::Rounded
        }
    }
}

/// The comparison of a name: `lt`, `hs`, `neu`.
pub(crate) fn comparison(word: &str, float: bool) -> Option<Comparison> {
    let (less, equal, greater, unordered) = match word {
        "eq" => (false, true, false, false),
        "ne" => (true, false, true, false),
        "lt" | "lo" => (true, false, false, false),
        "le" | "ls" => (true, true, false, false),
        "gt" | "hi" => (false, false, true, false),
        "ge" | "hs" => (false, true, true, false),
        "equ" if float => (false, true, false, true),
        "neu" if float => (true, false, true, true),
        "ltu" if float => (true, false, false, true),
        "leu" if float => (true, true, false, true),
        "gtu" if float => (false, false, true, true),
        "geu" if float => (false, true, true, true),
        "num" if float => (true, true, true, false),
        "nan" if float => (false, false, false, true),
        _ => return None,
    };
    Some(Comparison {
        less,
        equal,
        greater,
        unordered,
    })
}

pub(crate) struct Translation<'b, 'a> {
    pub builder: &'b mut Builder<'a>,
    pub instruction: &'a ast::Instruction<'a>,
    pub modifiers: Modifiers<'a>,
}

/// Appends the instruction to the builder's block.
pub(crate) fn translate<'a>(
    builder: &mut Builder<'a>,
    instruction: &'a ast::Instruction<'a>,
) -> Result<(), CompileError> {
    let modifiers = Modifiers::of(&instruction.opcode);
    let result = Translation {
        builder,
        instruction,
        modifiers,
    }
    .run();
    if !matches!(instruction.opcode.base, "membar" | "fence") {
        builder.fence = None;
    }
    result
}

impl<'a> Translation<'_, 'a> {
    pub(crate) fn unsupported<T>(&self, why: &str) -> Result<T, CompileError> {
        self.builder.error(
            self.instruction.opcode.span,
            format!("`{}`: {why}", self.instruction.opcode.text),
        )
    }

    /// The error for a type that the machine does not have.
    fn unsupported_type<T>(&self, ty: Type, why: &str) -> Result<T, CompileError> {
        match (ty.kind, ty.bits) {
            (Kind::Float, 64) if !self.builder.has_doubles() => self.builder.no_doubles(self.instruction.opcode.span),
            _ => self.unsupported(why),
        }
    }

    pub(crate) fn ty(&self) -> Result<Type, CompileError> {
        match self.modifiers.types.first() {
            Some(&ty) => Ok(ty),
            None => self.unsupported("the type is missing"),
        }
    }

    pub(crate) fn operand(&self, index: usize) -> Result<&'a ast::Operand<'a>, CompileError> {
        match self.instruction.operands.get(index) {
            Some(operand) => Ok(operand),
            None => self.unsupported("an operand is missing"),
        }
    }

    pub(crate) fn result(&mut self, operand: &'a ast::Operand<'a>) -> Result<Value, CompileError> {
        let class = self.ty().ok().and_then(class).unwrap_or(Class::Word);
        self.result_of(operand, class)
    }

    /// Returns the register for a destination operand; for `_`, a new register of this class.
    pub(crate) fn result_of(&mut self, operand: &'a ast::Operand<'a>, class: Class) -> Result<Value, CompileError> {
        match operand.kind {
            OperandKind::Register { name, negated: false } | OperandKind::Symbol { name, offset: 0, .. } => {
                self.builder.register(name, operand.span)
            }
            OperandKind::Sink => Ok(self.builder.function.add(class, "_".to_string())),
            _ => self.builder.error(operand.span, "expected a register"),
        }
    }

    pub(crate) fn argument(&mut self, index: usize) -> Result<Argument, CompileError> {
        let operand = self.operand(index)?;
        self.argument_of(operand)
    }

    pub(crate) fn argument_of(&mut self, operand: &'a ast::Operand<'a>) -> Result<Argument, CompileError> {
        let span = operand.span;
        Ok(match operand.kind {
            OperandKind::Register { name, negated } => {
                let value = self.builder.register(name, span)?;
                if negated {
                    let class = Class::Predicate;
                    let result = self.builder.function.add(class, format!("!{name}"));
                    let ty = Type {
                        kind: Kind::Predicate,
                        bits: 1,
                    };
                    self.push(Operation::Not, ty, vec![result], vec![Argument::Value(value)]);
                    return Ok(Argument::Value(result));
                }
                Argument::Value(value)
            }
            OperandKind::Integer(integer) => {
                let value = integer.magnitude;
                Argument::Constant(if integer.negative { value.wrapping_neg() } else { value })
            }
            OperandKind::Float(float) => Argument::Constant(self.literal(float, span)?),
            OperandKind::Special(name) => {
                let hidden = Hidden::of(name, self.builder.large_grid);
                if let Some(offset) = hidden.and_then(|word| self.builder.function.hidden_offset(word)) {
                    let result = self.builder.function.add(Class::Word, name.to_string());
                    self.push(Operation::Parameter { offset }, U32, vec![result], Vec::new());
                    let (Some(Hidden::FirstBlock(_)), Some(special)) = (hidden, special(name)) else {
                        return Ok(Argument::Value(result));
                    };
                    let index = self.builder.function.add(Class::Word, name.to_string());
                    let sum = self.builder.function.add(Class::Word, name.to_string());
                    self.push(Operation::Special(special), U32, vec![index], Vec::new());
                    let terms = vec![Argument::Value(index), Argument::Value(result)];
                    self.push(Operation::Add, U32, vec![sum], terms);
                    return Ok(Argument::Value(sum));
                }
                let Some(special) = special(name) else {
                    return self
                        .builder
                        .error(span, format!("the special register `{name}` is not supported"));
                };
                let result = self.builder.function.add(Class::Word, name.to_string());
                self.push(Operation::Special(special), U32, vec![result], Vec::new());
                Argument::Value(result)
            }
            OperandKind::Symbol {
                name: "WARP_SZ",
                offset: 0,
                ..
            } => Argument::Constant(32),
            OperandKind::Symbol { name, offset, .. } => self.symbol_address(name, offset, false, span)?,
            OperandKind::Generic { name, offset } => self.symbol_address(name, offset, true, span)?,
            _ => {
                return self
                    .builder
                    .error(span, "an operand of this kind is not supported here")
            }
        })
    }

    pub(crate) fn arguments(&mut self, count: usize) -> Result<Vec<Argument>, CompileError> {
        (1..=count).map(|index| self.argument(index)).collect()
    }

    pub(crate) fn push(&mut self, operation: Operation, ty: Type, results: Vec<Value>, arguments: Vec<Argument>) {
        let place = self.builder.place(self.instruction.span);
        self.builder.push(Instruction {
            operation,
            ty,
            results,
            arguments,
            place,
        });
    }

    /// Appends an operation with one result and `count` arguments.
    pub(crate) fn plain(&mut self, operation: Operation, ty: Type, count: usize) -> Result<(), CompileError> {
        let arguments = self.arguments(count)?;
        let operand = self.operand(0)?;
        let result = self.result(operand)?;
        self.push(operation, ty, vec![result], arguments);
        Ok(())
    }

    fn refuse_saturation(&self) -> Result<(), CompileError> {
        if self.modifiers.has("sat") {
            return self.unsupported(".sat is not supported here");
        }
        Ok(())
    }

    fn nearest(&self) -> Result<(), CompileError> {
        match self.modifiers.rounding() {
            (Rounding::Nearest, false) => Ok(()),
            _ => self.unsupported("only rounding to nearest is supported"),
        }
    }

    fn run(&mut self) -> Result<(), CompileError> {
        if self.promoted()? {
            return Ok(());
        }
        let base = self.instruction.opcode.base;
        match base {
            "ld" | "ldu" => return self.load(),
            "st" => return self.store(),
            "bar" | "barrier" => return self.barrier(),
            // A store is visible to other threads as soon as its instruction is complete, so a fence needs no code.
            // Directly before a barrier, it is the memory that the barrier orders: see `clang::unwritten`.
            "membar" | "fence" => {
                self.builder.fence = Some(Fence {
                    global: !self.modifiers.has("cta"),
                    shared: !self.modifiers.has("gl"),
                });
                return Ok(());
            }
            "trap" => {
                self.push(Operation::Trap, U32, Vec::new(), Vec::new());
                return Ok(());
            }
            "atom" | "red" => return self.atomic(),
            "tex" | "suld" | "sust" | "txq" | "suq" | "tld4" => return self.unsupported(NO_TEXTURES),
            "mov" => return self.mov(),
            "cvta" => return self.convert_address(),
            "setp" => return self.setp(),
            "cvt" => return self.cvt(),
            "mul" | "mad" | "mul24" | "mad24" => return self.multiply(),
            _ => {}
        }
        let ty = self.ty()?;
        self.check_float(ty)?;
        if class(ty).is_none() {
            return self.unsupported_type(ty, "this type is not supported");
        }
        let float = ty.kind == Kind::Float;
        self.refuse_saturation()?;
        if self.modifiers.has("cc") {
            return self.unsupported("extended-precision arithmetic is not supported");
        }
        let accuracy = self.modifiers.accuracy();
        if float && matches!(base, "div" | "rcp" | "sqrt") {
            self.nearest()?;
        }
        if is_double(ty) {
            match base {
                "div" | "rcp" | "sqrt" => return self.call_for_double(base, ty),
                "rsqrt" | "ex2" | "lg2" | "sin" | "cos" => {
                    return self.unsupported("there is no such instruction of doubles")
                }
                _ => {}
            }
        }
        let (operation, count) = match base {
            "add" if float => (self.rounded(ty, Operation::Add)?, 2),
            "sub" if float => (self.rounded(ty, Operation::Subtract)?, 2),
            "add" => (Operation::Add, 2),
            "sub" => (Operation::Subtract, 2),
            "fma" => (self.rounded(ty, Operation::FusedMultiplyAdd)?, 3),
            "div" => (Operation::Divide(accuracy), 2),
            "rem" if !float => (Operation::Remainder, 2),
            "min" => (Operation::Minimum, 2),
            "max" => (Operation::Maximum, 2),
            "abs" => (Operation::Absolute, 1),
            "neg" => (Operation::Negate, 1),
            "and" => (Operation::And, 2),
            "or" => (Operation::Or, 2),
            "xor" => (Operation::Xor, 2),
            "not" => (Operation::Not, 1),
            "shl" => (Operation::ShiftLeft, 2),
            "shr" => (Operation::ShiftRight, 2),
            "selp" => (Operation::Select, 3),
            "rcp" => (Operation::Reciprocal(accuracy), 1),
            "sqrt" => (Operation::SquareRoot(accuracy), 1),
            "rsqrt" => (Operation::ReciprocalRoot, 1),
            "ex2" => (Operation::Power, 1),
            "lg2" => (Operation::Logarithm, 1),
            "sin" => (Operation::Sine, 1),
            "cos" => (Operation::Cosine, 1),
            _ => return self.expand(base, ty),
        };
        if matches!(base, "shl" | "shr" | "sub") && self.builder.in_rotation() {
            return self.rotation(operation, ty);
        }
        self.plain(operation, ty, count)
    }

    /// Translates a shift of clang's sequence for a rotation, or the subtraction for its other shift. (LLVM's `fshl`
    /// reduces its count modulo the width. The sequence does not, so the count is masked here.)
    fn rotation(&mut self, operation: Operation, ty: Type) -> Result<(), CompileError> {
        let mut arguments = self.arguments(2)?;
        let other = matches!(
            self.operand(2)?.kind,
            OperandKind::Register { name: "%amt2", .. } | OperandKind::Symbol { name: "%amt2", .. }
        );
        if !other {
            // The width of the rotated number may differ from the width of the count's type.
            let bits = self.builder.register_bits("%lhs").unwrap_or(32);
            let mask = Argument::Constant(u64::from(bits) - 1);
            arguments[1] = self.make(Operation::And, U32, &[arguments[1], mask]);
        }
        let operand = self.operand(0)?;
        let result = self.result(operand)?;
        self.push(operation, ty, vec![result], arguments);
        Ok(())
    }

    /// Refuses floats that the machine cannot compute.
    pub(crate) fn check_float(&self, ty: Type) -> Result<(), CompileError> {
        match (ty.kind, ty.bits) {
            (Kind::Float, 64) if !self.builder.has_doubles() => self.builder.no_doubles(self.instruction.opcode.span),
            (Kind::Float, 16) => self.unsupported("16-bit floats (half) are only moved and converted"),
            _ => Ok(()),
        }
    }

    fn mov(&mut self) -> Result<(), CompileError> {
        let ty = self.ty()?;
        if self
            .instruction
            .operands
            .iter()
            .any(|o| matches!(o.kind, OperandKind::Vector(_)))
        {
            return self.pack();
        }
        if self.builder.class(ty).is_none() {
            return self.unsupported_type(ty, "this type is not supported");
        }
        self.plain(Operation::Copy, ty, 1)
    }

    fn setp(&mut self) -> Result<(), CompileError> {
        let ty = self.ty()?;
        self.check_float(ty)?;
        if class(ty).is_none() {
            return self.unsupported_type(ty, "comparisons of this type are not supported");
        }
        let float = ty.kind == Kind::Float;
        let words = self.modifiers.words.clone();
        let Some(comparison) = words.first().and_then(|word| comparison(word, float)) else {
            return self.unsupported("unknown comparison");
        };
        let combine = words.iter().find_map(|word| match *word {
            "and" => Some(Operation::And),
            "or" => Some(Operation::Or),
            "xor" => Some(Operation::Xor),
            _ => None,
        });
        let operand = self.operand(0)?;
        let arguments = self.arguments(2)?;
        let third = match combine {
            Some(combine) => Some((combine, self.argument(3)?)),
            None => None,
        };
        let predicate = Type {
            kind: Kind::Predicate,
            bits: 1,
        };
        if let OperandKind::Pair(pair) = &operand.kind {
            // The second result is the inverse comparison, combined with the same predicate.
            let holds = self.make(Operation::Compare(comparison), ty, &arguments);
            let fails = self.make(Operation::Not, predicate, &[holds]);
            for (operand, value) in pair.iter().zip([holds, fails]) {
                let result = self.result_of(operand, Class::Predicate)?;
                match third {
                    Some((combine, third)) => self.push(combine, predicate, vec![result], vec![value, third]),
                    None => self.push(Operation::Copy, predicate, vec![result], vec![value]),
                }
            }
            return Ok(());
        }
        let result = self.result_of(operand, Class::Predicate)?;
        match third {
            None => self.push(Operation::Compare(comparison), ty, vec![result], arguments),
            Some((combine, third)) => {
                let middle = self.make(Operation::Compare(comparison), ty, &arguments);
                self.push(combine, predicate, vec![result], vec![middle, third]);
            }
        }
        Ok(())
    }

    fn cvt(&mut self) -> Result<(), CompileError> {
        let &[to, from] = self.modifiers.types.as_slice() else {
            return self.unsupported("expected two types");
        };
        let without = |ty: &Type| self.builder.class(*ty).is_none() || ty.kind == Kind::Predicate;
        if let Some(ty) = [to, from].into_iter().find(without) {
            return self.unsupported_type(ty, "conversions of these types are not supported");
        }
        if is_double(to) && from.kind == Kind::Float && from.bits == 16
            || is_double(from) && to.kind == Kind::Float && to.bits == 16
        {
            return self.unsupported("16-bit floats (half) are converted from and to 32 bits only");
        }
        let (rounding, integral) = self.modifiers.rounding();
        let mut saturate = self.modifiers.has("sat");
        let mut source = self.argument(1)?;
        // If the register is wider than the source type, its low part is converted.
        if self.class_of(source) == Some(Class::Pair) && from.bits < 64 {
            source = self.resize(
                source,
                Type {
                    kind: Kind::Unsigned,
                    bits: 64,
                },
                U32,
            );
        }
        if saturate && to.kind != Kind::Float {
            // Conversions from float to integer always clamp.
            if from.kind != Kind::Float {
                source = self.clamp(source, from, to);
            }
            saturate = false;
        }
        if saturate && is_double(from) {
            source = self.clamp_to_unit(source);
            saturate = false;
        }
        let operation = Operation::Convert {
            from,
            rounding,
            integral,
            saturate,
        };
        if saturate && is_double(to) {
            let operation = Operation::Convert {
                from,
                rounding,
                integral,
                saturate: false,
            };
            let whole = self.make(operation, to, &[source]);
            let clamped = self.clamp_to_unit(whole);
            let operand = self.operand(0)?;
            let result = self.result(operand)?;
            self.push(Operation::Copy, to, vec![result], vec![clamped]);
            return Ok(());
        }
        let operand = self.operand(0)?;
        let result = self.result(operand)?;
        let bits = match operand.kind {
            OperandKind::Register { name, .. } | OperandKind::Symbol { name, .. } => self.builder.register_bits(name),
            _ => None,
        };
        // A register wider than the result receives the extended result.
        if to.kind != Kind::Float && bits.is_some_and(|bits| bits > to.bits) {
            let narrow = self.make(operation, to, &[source]);
            let operation = Operation::Convert {
                from: to,
                rounding: Rounding::Zero,
                integral: false,
                saturate: false,
            };
            let kind = if to.kind == Kind::Signed {
                Kind::Signed
            } else {
                Kind::Unsigned
            };
            let bits = if bits == Some(64) { 64 } else { 32 };
            self.push(operation, Type { kind, bits }, vec![result], vec![narrow]);
            return Ok(());
        }
        self.push(operation, to, vec![result], vec![source]);
        Ok(())
    }

    /// Clamps an integer to the range of another type.
    fn clamp(&mut self, source: Argument, from: Type, to: Type) -> Argument {
        let (from_signed, to_signed) = (from.kind == Kind::Signed, to.kind == Kind::Signed);
        let bits = |ty: Type| u32::from(ty.bits) - u32::from(ty.kind == Kind::Signed);
        let mut value = source;
        if bits(to) < bits(from) {
            let most = Argument::Constant((1 << bits(to)) - 1);
            value = self.make(Operation::Minimum, from, &[value, most]);
        }
        if from_signed && (!to_signed || to.bits < from.bits) {
            let least = if to_signed { !((1u64 << bits(to)) - 1) } else { 0 };
            value = self.make(Operation::Maximum, from, &[value, Argument::Constant(least)]);
        }
        value
    }

    fn multiply(&mut self) -> Result<(), CompileError> {
        let ty = self.ty()?;
        self.refuse_saturation()?;
        let base = self.instruction.opcode.base;
        let adds = base.starts_with("mad");
        let count = if adds { 3 } else { 2 };
        self.check_float(ty)?;
        if ty.kind == Kind::Float {
            let operation = if adds {
                Operation::FusedMultiplyAdd
            } else {
                Operation::Multiply
            };
            return self.plain(self.rounded(ty, operation)?, ty, count);
        }
        let operation = match (base, self.modifiers.has("hi"), self.modifiers.has("wide")) {
            ("mul24", false, _) => Operation::Multiply24,
            ("mul24", true, _) => Operation::MultiplyHigh24,
            ("mad24", false, _) => Operation::MultiplyAdd24,
            ("mad" | "mad24", true, _) => {
                let arguments = self.arguments(3)?;
                let operation = if base == "mad" {
                    Operation::MultiplyHigh
                } else {
                    Operation::MultiplyHigh24
                };
                let product = self.make(operation, ty, &arguments[..2]);
                let operand = self.operand(0)?;
                let result = self.result(operand)?;
                self.push(Operation::Add, ty, vec![result], vec![product, arguments[2]]);
                return Ok(());
            }
            ("mul", true, _) => Operation::MultiplyHigh,
            ("mul", _, true) => Operation::MultiplyWide,
            ("mad", _, true) => Operation::MultiplyAddWide,
            ("mul", false, false) => Operation::Multiply,
            ("mad", false, false) => Operation::MultiplyAdd,
            _ => return self.unsupported("this multiplication is not supported"),
        };
        self.plain(operation, ty, count)
    }

    fn barrier(&mut self) -> Result<(), CompileError> {
        let whole = matches!(
            self.instruction.operands.as_slice(),
            [] | [ast::Operand {
                kind: OperandKind::Integer(ast::Integer { magnitude: 0, .. }),
                ..
            }]
        );
        if !whole || self.modifiers.has("arrive") || self.modifiers.has("red") {
            return self.unsupported("only barrier 0 for the whole block is supported");
        }
        let fence = self.builder.fence.unwrap_or(Fence::ALL);
        self.push(Operation::Barrier { fence }, U32, Vec::new(), Vec::new());
        Ok(())
    }
}

/// The special register with this name.
fn special(name: &str) -> Option<Special> {
    let dimension = |of: fn(u8) -> Special, rest: &str| match rest {
        ".x" => Some(of(0)),
        ".y" => Some(of(1)),
        ".z" => Some(of(2)),
        _ => None,
    };
    let (head, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
    match head {
        "%tid" => dimension(Special::ThreadIndex, rest),
        "%ntid" => dimension(Special::BlockSize, rest),
        "%ctaid" if rest != ".z" => dimension(Special::BlockIndex, rest),
        "%nctaid" if rest != ".z" => dimension(Special::GridSize, rest),
        "%laneid" => Some(Special::Lane),
        "%clock" => Some(Special::Clock),
        _ => None,
    }
}
