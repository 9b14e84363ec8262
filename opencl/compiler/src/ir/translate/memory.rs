//! Translation of loads, stores, addresses, and vectors in registers.

use super::{Translation, U32};
use crate::error::CompileError;
use crate::ir::builder::{Passed, Symbol};
use crate::ir::scope::HEADER_BYTES;
use crate::ir::types::*;
use crate::ptx::ast::{self, Kind, OperandKind, Space, Type};

/// The target of a memory operand.
pub(crate) enum MemoryTarget {
    /// An address in a memory, and an offset in bytes.
    Memory(Memory, Argument, i64),
    /// A parameter of the kernel, by its byte offset.
    Parameter(i64),
    /// A parameter or result of a call, and a byte offset in it.
    Passed(usize, i64),
}

fn unsigned(bits: u8) -> Type {
    Type {
        kind: Kind::Unsigned,
        bits,
    }
}

/// Returns the conversion of an integer of this type to another type.
fn whole_conversion(from: Type) -> Operation {
    Operation::Convert {
        from,
        rounding: Rounding::Zero,
        integral: false,
        saturate: false,
    }
}

fn memory_of(space: Space) -> Option<Memory> {
    match space {
        Space::Global | Space::Const => Some(Memory::Global),
        Space::Shared => Some(Memory::Shared),
        Space::Local => Some(Memory::Local),
        _ => None,
    }
}

impl<'a> Translation<'_, 'a> {
    pub(crate) fn temporary(&mut self, class: Class, name: &str) -> Value {
        self.builder.function.add(class, name.to_string())
    }

    /// Appends an operation and returns its result, a new register.
    pub(crate) fn make(&mut self, operation: Operation, ty: Type, arguments: &[Argument]) -> Argument {
        let class = match operation {
            Operation::Compare(_) => Class::Predicate,
            Operation::Join => Class::Pair,
            Operation::High => Class::Word,
            Operation::MultiplyWide | Operation::MultiplyAddWide if ty.bits == 32 => Class::Pair,
            _ => class(ty).unwrap_or(Class::Word),
        };
        let result = self.temporary(class, "t");
        self.push(operation, ty, vec![result], arguments.to_vec());
        Argument::Value(result)
    }

    /// Appends a conversion of integers and returns its result, a new register.
    pub(crate) fn resize(&mut self, argument: Argument, from: Type, to: Type) -> Argument {
        self.make(whole_conversion(from), to, &[argument])
    }

    /// Extends a number into a register of `bits` bits.
    fn extend(&mut self, from: Type, number: Argument, bits: u8, result: Value) {
        let kind = if from.kind == Kind::Signed {
            Kind::Signed
        } else {
            Kind::Unsigned
        };
        self.push(whole_conversion(from), Type { kind, bits }, vec![result], vec![number]);
    }

    pub(crate) fn class_of(&self, argument: Argument) -> Option<Class> {
        let registers = &self.builder.function.registers;
        argument
            .value()
            .and_then(|value| registers.get(value.0 as usize))
            .map(|register| register.class)
    }

    /// Returns the memory and address of a variable, or `None` if the symbol is not in memory.
    fn address_of(&mut self, symbol: Symbol, offset: i64) -> Option<(Memory, Argument)> {
        let (memory, at) = match symbol {
            Symbol::Shared(at) => (Memory::Shared, at),
            Symbol::Local(at) => (Memory::Local, at),
            Symbol::Variable(at) => {
                let offset_of_hidden = self.builder.function.hidden_offset(Hidden::Variables)?;
                let base = self.make(
                    Operation::Parameter {
                        offset: offset_of_hidden,
                    },
                    U32,
                    &[],
                );
                let base = self.make(Operation::AddressOf(Memory::Global), U32, &[base]);
                let distance = Argument::Constant(i64::from(at).wrapping_add(offset) as u64);
                return Some((Memory::Global, self.make(Operation::Add, U32, &[base, distance])));
            }
            // Parameters that do not stay in shared memory have been copied to local memory.
            Symbol::Parameter(at) => (Memory::Shared, HEADER_BYTES + at),
            Symbol::Passed(_) => return None,
        };
        Some((memory, Argument::Constant(i64::from(at).wrapping_add(offset) as u64)))
    }

    /// Returns a variable's address as an operand.
    pub(crate) fn symbol_address(
        &mut self,
        name: &'a str,
        offset: i64,
        generic: bool,
        span: ast::Span,
    ) -> Result<Argument, CompileError> {
        if let Some(symbol) = self.builder.symbol(name) {
            let Some((memory, address)) = self.address_of(symbol, offset) else {
                return self.builder.error(
                    span,
                    format!("the address of `{name}`, a parameter or result of a call, cannot be taken here"),
                );
            };
            let operation = if generic {
                Operation::ToGeneric(memory)
            } else {
                Operation::AddressOf(memory)
            };
            return Ok(self.make(operation, U32, &[address]));
        }
        if let Some(error) = self.builder.unusable(name) {
            return Err(error);
        }
        if offset != 0 {
            return self.builder.error(span, format!("`{name}` is not declared"));
        }
        Ok(Argument::Value(self.builder.register(name, span)?))
    }

    /// The target of a memory operand.
    pub(crate) fn memory_target(&mut self, operand: &'a ast::Operand<'a>) -> Result<MemoryTarget, CompileError> {
        let span = operand.span;
        let OperandKind::Address(address) = operand.kind else {
            return self.builder.error(span, "expected an address in brackets");
        };
        // `passes::spaces` finds the memory of accesses without a space, and of parameters at an address in a register.
        let memory = match self.modifiers.space {
            None | Some(Space::Param) => Memory::Generic,
            Some(space) => match memory_of(space) {
                Some(memory) => memory,
                None => return self.unsupported("this address space is not supported"),
            },
        };
        let (base, offset) = match address.base {
            ast::Base::Register(name) => (Argument::Value(self.builder.register(name, span)?), address.offset),
            ast::Base::None => (Argument::Constant(address.offset as u64), 0),
            ast::Base::Symbol(name) => match (self.builder.symbol(name), self.modifiers.space) {
                (Some(Symbol::Parameter(at)), Some(Space::Param)) => {
                    return Ok(MemoryTarget::Parameter(i64::from(at).wrapping_add(address.offset)));
                }
                (Some(Symbol::Passed(index)), Some(Space::Param)) => {
                    return Ok(MemoryTarget::Passed(index, address.offset))
                }
                (Some(symbol), space) => {
                    let found = self.address_of(symbol, address.offset);
                    let fits = |found: Memory| memory == found || space == Some(Space::Param) && found == Memory::Local;
                    match found {
                        Some((found, base)) if fits(found) => return Ok(MemoryTarget::Memory(found, base, 0)),
                        _ => {
                            return self
                                .builder
                                .error(span, format!("`{name}` is not in this address space"))
                        }
                    }
                }
                (None, _) => (self.symbol_address(name, 0, false, span)?, address.offset),
            },
        };
        if self.class_of(base) == Some(Class::Pair) {
            return self.builder.error(
                span,
                "an address of 64 bits: only modules of `.address_size 32` are supported",
            );
        }
        Ok(MemoryTarget::Memory(memory, base, offset))
    }

    fn elements(&self, operand: &'a ast::Operand<'a>) -> Result<Vec<&'a ast::Operand<'a>>, CompileError> {
        let elements: Vec<_> = match &operand.kind {
            OperandKind::Vector(elements) => elements.iter().collect(),
            _ => vec![operand],
        };
        if elements.len() != usize::from(self.modifiers.vector) {
            return self.unsupported("the number of registers differs from the vector's length");
        }
        Ok(elements)
    }

    fn memory_type(&self) -> Result<Type, CompileError> {
        let ty = self.ty()?;
        match class(ty) {
            Some(Class::Word | Class::Pair) if self.builder.class(ty).is_some() => Ok(ty),
            _ => {
                self.check_float(ty)?;
                self.unsupported("values of this type cannot be loaded or stored")
            }
        }
    }

    pub(crate) fn memory_offset(&self, offset: i64) -> Result<i32, CompileError> {
        match i32::try_from(offset) {
            Ok(offset) => Ok(offset),
            Err(_) => self.unsupported("the offset does not fit in 32 bits"),
        }
    }

    pub(crate) fn load(&mut self) -> Result<(), CompileError> {
        let ty = self.memory_type()?;
        let operand = self.operand(0)?;
        let operands = self.elements(operand)?;
        let own = class(ty).unwrap_or(Class::Word);
        let mut results = Vec::new();
        // A register wider than the loaded value receives the extended value.
        let mut widened = Vec::new();
        for operand in operands {
            let register = self.result(operand)?;
            let class = self.class_of(Argument::Value(register));
            if class == Some(Class::Pair) && own == Class::Word {
                let narrow = self.temporary(Class::Word, "loaded");
                widened.push((register, narrow));
                results.push(narrow);
            } else {
                results.push(register);
            }
        }
        let operand = self.operand(1)?;
        match self.memory_target(operand)? {
            MemoryTarget::Parameter(at) => {
                let size = i64::from(ty.bits / 8) * results.len() as i64;
                let end = i64::from(self.builder.function.parameter_bytes());
                if at < 0 || at.checked_add(size).is_none_or(|last| last > end) {
                    return self.unsupported("this address is outside the parameters");
                }
                let offset = at as u32;
                match results.as_slice() {
                    [result] if ty.bits == 32 && self.is_two_bytes(offset) => self.load_two_bytes(offset, *result),
                    _ => self.push(Operation::Parameter { offset }, ty, results, Vec::new()),
                }
            }
            MemoryTarget::Passed(index, at) => self.load_passed(index, at, ty, &results)?,
            MemoryTarget::Memory(memory, base, offset) => {
                let offset = self.memory_offset(offset)?;
                self.push(Operation::Load { memory, offset }, ty, results, vec![base]);
            }
        }
        for (register, narrow) in widened {
            self.extend(ty, Argument::Value(narrow), 64, register);
        }
        Ok(())
    }

    /// True if there is a parameter of two bytes at this offset.
    fn is_two_bytes(&self, offset: u32) -> bool {
        let parameters = &self.builder.function.parameters;
        parameters.iter().any(|one| one.offset == offset && one.bytes == 2)
    }

    /// Loads a `char2` parameter. Clang loads four bytes, and uses each half of the word as an element. So it expects
    /// 16 bits for each element in parameter memory, which contradicts the type of the parameter.
    fn load_two_bytes(&mut self, offset: u32, result: Value) {
        let byte = |builder: &mut Self, offset| {
            let byte = builder.temporary(Class::Word, "element");
            builder.push(Operation::Parameter { offset }, unsigned(8), vec![byte], Vec::new());
            Argument::Value(byte)
        };
        let (first, second) = (byte(self, offset), byte(self, offset + 1));
        let second = self.make(Operation::ShiftLeft, U32, &[second, Argument::Constant(16)]);
        self.push(Operation::Or, U32, vec![result], vec![first, second]);
    }

    pub(crate) fn store(&mut self) -> Result<(), CompileError> {
        let ty = self.memory_type()?;
        let operand = self.operand(0)?;
        let target = self.memory_target(operand)?;
        let operand = self.operand(1)?;
        let mut values = Vec::new();
        for element in self.elements(operand)? {
            let value = self.argument_of(element)?;
            // If the register is wider than the stored value, its low part is stored.
            values.push(match self.class_of(value) {
                Some(Class::Pair) if ty.bits < 64 => self.resize(value, unsigned(64), U32),
                _ => value,
            });
        }
        self.store_values(target, ty, values)
    }

    /// Stores consecutive values of a type.
    pub(crate) fn store_values(
        &mut self,
        target: MemoryTarget,
        ty: Type,
        values: Vec<Argument>,
    ) -> Result<(), CompileError> {
        match target {
            MemoryTarget::Parameter(_) => self.unsupported("a kernel's parameters cannot be written"),
            MemoryTarget::Passed(index, at) => self.store_passed(index, at, ty, &values),
            MemoryTarget::Memory(memory, base, offset) => {
                let offset = self.memory_offset(offset)?;
                let mut arguments = vec![base];
                arguments.extend(values);
                self.push(Operation::Store { memory, offset }, ty, Vec::new(), arguments);
                Ok(())
            }
        }
    }

    /// Returns the word of a parameter or result with this byte, and the number of bits below the byte in it.
    fn passed_word(&self, index: usize, at: i64, bytes: u8) -> Result<(Value, u64), CompileError> {
        let word = |passed: &Passed| -> Option<Value> {
            let end = at.checked_add(bytes.into())?;
            if at < 0 || end > 4 * passed.words.len() as i64 || at % 4 + i64::from(bytes.min(4)) > 4 {
                return None;
            }
            passed.words.get(at as usize / 4).copied()
        };
        match self.builder.passed.get(index).and_then(word) {
            Some(word) => Ok((word, 8 * (at as u64 % 4))),
            None => self.unsupported("this address is outside the parameter, or misaligned in it"),
        }
    }

    pub(crate) fn load_passed(
        &mut self,
        index: usize,
        at: i64,
        ty: Type,
        results: &[Value],
    ) -> Result<(), CompileError> {
        let size = i64::from(ty.bits / 8);
        for (number, &result) in results.iter().enumerate() {
            let at = at.saturating_add(size * number as i64);
            let (word, shift) = self.passed_word(index, at, ty.bits / 8)?;
            if ty.bits == 64 {
                let (high, _) = self.passed_word(index, at + 4, 4)?;
                let parts = vec![Argument::Value(word), Argument::Value(high)];
                self.push(Operation::Join, unsigned(64), vec![result], parts);
                continue;
            }
            let mut value = Argument::Value(word);
            if shift != 0 {
                value = self.make(Operation::ShiftRight, U32, &[value, Argument::Constant(shift)]);
            }
            if ty.bits == 32 {
                self.push(Operation::Copy, U32, vec![result], vec![value]);
                continue;
            }
            // Like a load, this extends to the register's width.
            self.extend(ty, value, 32, result);
        }
        Ok(())
    }

    pub(crate) fn store_passed(
        &mut self,
        index: usize,
        at: i64,
        ty: Type,
        values: &[Argument],
    ) -> Result<(), CompileError> {
        let size = i64::from(ty.bits / 8);
        for (number, &value) in values.iter().enumerate() {
            let at = at.saturating_add(size * number as i64);
            let (word, shift) = self.passed_word(index, at, ty.bits / 8)?;
            match ty.bits {
                64 => {
                    let (upper, _) = self.passed_word(index, at + 4, 4)?;
                    let low = self.resize(value, unsigned(64), U32);
                    let high = self.make(Operation::High, U32, &[value]);
                    self.push(Operation::Copy, U32, vec![word], vec![low]);
                    self.push(Operation::Copy, U32, vec![upper], vec![high]);
                }
                32 => self.push(Operation::Copy, U32, vec![word], vec![value]),
                bits => {
                    let mask = (1u64 << bits) - 1;
                    let part = self.make(Operation::And, U32, &[value, Argument::Constant(mask)]);
                    let part = self.make(Operation::ShiftLeft, U32, &[part, Argument::Constant(shift)]);
                    let kept = Argument::Constant(u64::from(!((mask << shift) as u32)));
                    let rest = self.make(Operation::And, U32, &[Argument::Value(word), kept]);
                    self.push(Operation::Or, U32, vec![word], vec![rest, part]);
                }
            }
        }
        Ok(())
    }

    /// `cvta.local.u32 %r1, %r2;`, `cvta.to.global.u32 %r1, %r2;`
    pub(crate) fn convert_address(&mut self) -> Result<(), CompileError> {
        let ty = self.ty()?;
        if ty.bits != 32 {
            return self.unsupported("only addresses of 32 bits are supported");
        }
        let memory = match self.modifiers.space {
            // The address of a parameter already has its memory.
            Some(Space::Param) => None,
            Some(space) => match memory_of(space) {
                Some(memory) => Some(memory),
                None => return self.unsupported("this address space is not supported"),
            },
            None => return self.unsupported("the address space is missing"),
        };
        let operation = match (memory, self.modifiers.has("to")) {
            (None, _) => Operation::Copy,
            (Some(memory), true) => Operation::FromGeneric(memory),
            (Some(memory), false) => Operation::ToGeneric(memory),
        };
        self.plain(operation, ty, 1)
    }

    /// `mov.b64 %rd, {%r1, %r2}` and back, also with parts of 8 and 16 bits.
    pub(crate) fn pack(&mut self) -> Result<(), CompileError> {
        let ty = self.ty()?;
        if !matches!(ty.bits, 16 | 32 | 64) {
            return self.unsupported("moves of vectors of this type are not supported");
        }
        let (to, from) = (self.operand(0)?, self.operand(1)?);
        match (&to.kind, &from.kind) {
            (OperandKind::Vector(parts), _) => {
                let bits = self.part_bits(ty, parts.len())?;
                let source = self.argument_of(from)?;
                let mut pieces = Vec::new();
                for index in 0..parts.len() {
                    pieces.push(self.part(source, ty, bits, index));
                }
                // All parts are read before the first is written.
                for (part, piece) in parts.iter().zip(pieces) {
                    let result = self.result_of(part, Class::Word)?;
                    self.push(Operation::Copy, U32, vec![result], vec![piece]);
                }
            }
            (_, OperandKind::Vector(parts)) => {
                let bits = self.part_bits(ty, parts.len())?;
                let mut words = Vec::new();
                for pair in parts.chunks((32 / usize::from(bits)).max(1)) {
                    let mut word = None;
                    for (index, part) in pair.iter().enumerate() {
                        let part = self.argument_of(part)?;
                        let mut piece = part;
                        if bits < 32 {
                            let mask = Argument::Constant((1 << bits) - 1);
                            piece = self.make(Operation::And, U32, &[part, mask]);
                            let by = Argument::Constant(u64::from(bits) * index as u64);
                            piece = self.make(Operation::ShiftLeft, U32, &[piece, by]);
                        }
                        word = Some(match word {
                            None => piece,
                            Some(word) => self.make(Operation::Or, U32, &[word, piece]),
                        });
                    }
                    words.extend(word);
                }
                let result = self.result(to)?;
                match *words.as_slice() {
                    [word] => self.push(Operation::Copy, unsigned(ty.bits), vec![result], vec![word]),
                    [low, high] => self.push(Operation::Join, unsigned(64), vec![result], vec![low, high]),
                    _ => return self.unsupported("a vector of this length is not supported"),
                }
            }
            _ => return self.unsupported("expected a vector"),
        }
        Ok(())
    }

    fn part_bits(&self, ty: Type, parts: usize) -> Result<u8, CompileError> {
        match (usize::from(ty.bits).checked_div(parts), parts) {
            (Some(bits @ (8 | 16 | 32)), 2 | 4) => Ok(bits as u8),
            _ => self.unsupported("vectors of this length are not supported here"),
        }
    }

    /// Returns a bit field of a register, in the low bits of a word.
    fn part(&mut self, source: Argument, ty: Type, bits: u8, index: usize) -> Argument {
        let at = usize::from(bits) * index;
        let word = match (ty.bits, at) {
            (64, 32..) => self.make(Operation::High, U32, &[source]),
            (64, _) => self.resize(source, unsigned(64), U32),
            _ => source,
        };
        match at as u64 % 32 {
            0 => word,
            shift => self.make(Operation::ShiftRight, U32, &[word, Argument::Constant(shift)]),
        }
    }
}
