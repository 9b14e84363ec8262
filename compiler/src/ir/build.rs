//! From the syntax tree of a kernel to its control-flow graph.
//!
//! Names are resolved, parameters and shared variables get their addresses, and a guarded instruction becomes a branch
//! around it.

use super::instructions::translate;
use super::types::*;
use crate::error::{CompileError, Place, SourceLine};
use crate::ptx::ast;
use std::collections::HashMap;

/// Bytes of shared memory before the parameters.
pub const HEADER_BYTES: u32 = 16;
/// Bytes of shared memory of an SM.
const SHARED_LIMIT: u64 = 16 * 1024;
/// Bytes of local memory that 16 address bits reach.
const LOCAL_LIMIT: u64 = 1 << 16;

/// Registers of one declaration, by their name without the number.
#[derive(Clone, Copy)]
struct Declared {
    ty: ast::Type,
    /// `None`: one register of exactly this name.
    count: Option<u32>,
}

/// What a name of a variable stands for.
#[derive(Clone, Copy)]
pub(super) enum Symbol {
    /// A byte address in shared memory.
    Shared(u32),
    /// A byte address in local memory.
    Local(u32),
    /// A parameter, by its offset in bytes.
    Parameter(u32),
    /// Known, but not supported: in global or constant memory.
    Global,
}

pub(super) struct Builder<'a> {
    pub function: Function,
    declared: HashMap<&'a str, Declared>,
    values: HashMap<&'a str, Value>,
    symbols: HashMap<&'a str, Symbol>,
    labels: HashMap<&'a str, BlockIndex>,
    /// The block being filled; `None` behind a branch.
    current: Option<BlockIndex>,
    location: Option<SourceLine>,
}

/// Builds a kernel of the module.
///
/// # Errors
/// The first thing that cannot be compiled, with its place.
pub fn build<'a>(module: &'a ast::Module<'a>, kernel: &'a ast::Function<'a>) -> Result<Function, CompileError> {
    let mut builder = Builder {
        function: Function {
            name: kernel.name.text.to_string(),
            registers: Vec::new(),
            blocks: Vec::new(),
            parameters: Vec::new(),
            hidden: Vec::new(),
            shared_bytes: 0,
            local_bytes: 0,
        },
        declared: HashMap::new(),
        values: HashMap::new(),
        symbols: HashMap::new(),
        labels: HashMap::new(),
        current: None,
        location: None,
    };
    let Some(body) = &kernel.body else {
        let place = builder.place(kernel.span);
        return Err(CompileError::new(place, "the kernel has no body"));
    };
    let mut used = Vec::new();
    names(&body.statements, &mut used);
    builder.parameters(kernel, &used)?;
    for item in &module.items {
        if let ast::Item::Variable(variable) = item {
            if used.contains(&variable.name.text) {
                builder.variable(variable)?;
            }
        }
    }
    builder.declarations(&body.statements)?;
    let entry = builder.block("entry".to_string());
    builder.current = Some(entry);
    builder.statements(&body.statements)?;
    let end = builder.place(body.span);
    if builder.current.is_some() {
        builder.end(Terminator::Return, end);
    }
    builder.check_labels()?;
    Ok(builder.function)
}

/// Names of variables and special registers that the statements mention.
fn names<'a>(statements: &'a [ast::Statement<'a>], used: &mut Vec<&'a str>) {
    fn operand<'a>(of: &'a ast::Operand<'a>, used: &mut Vec<&'a str>) {
        match &of.kind {
            ast::OperandKind::Symbol { name, .. }
            | ast::OperandKind::Generic { name, .. }
            | ast::OperandKind::Special(name) => used.push(name),
            ast::OperandKind::Address(ast::Address {
                base: ast::Base::Symbol(name),
                ..
            }) => used.push(name),
            ast::OperandKind::Vector(list)
            | ast::OperandKind::AddressList(list)
            | ast::OperandKind::Arguments(list) => list.iter().for_each(|o| operand(o, used)),
            ast::OperandKind::Pair(pair) => pair.iter().for_each(|o| operand(o, used)),
            _ => {}
        }
    }
    for statement in statements {
        match statement {
            ast::Statement::Instruction(instruction) => {
                instruction.operands.iter().for_each(|o| operand(o, used));
            }
            ast::Statement::Block(block) => names(&block.statements, used),
            _ => {}
        }
    }
}

fn align(value: u64, alignment: u32) -> u64 {
    value.next_multiple_of(u64::from(alignment.max(1)))
}

/// Bytes of a variable or parameter; `None` if the size is open or does not fit 64 bits.
fn bytes(ty: ast::Type, vector: u8, dimensions: &[Option<u64>]) -> Option<u64> {
    let element = u64::from(ty.bits / 8) * u64::from(vector.max(1));
    dimensions
        .iter()
        .try_fold(element, |size, dimension| size.checked_mul((*dimension)?))
}

impl<'a> Builder<'a> {
    /// A place with the current `.loc`.
    pub fn place(&self, span: ast::Span) -> Place {
        Place {
            span,
            source: self.location,
        }
    }

    pub fn error<T>(&self, span: ast::Span, message: impl Into<String>) -> Result<T, CompileError> {
        Err(CompileError::new(self.place(span), message))
    }

    fn parameters(&mut self, kernel: &'a ast::Function<'a>, used: &[&'a str]) -> Result<(), CompileError> {
        let mut offset = 0u64;
        for parameter in &kernel.parameters {
            let size = bytes(parameter.ty, parameter.vector, &parameter.dimensions);
            let Some(size) = size.filter(|&size| offset.saturating_add(size) <= 1 << 12) else {
                return self.error(parameter.span, "the parameters are too long: up to 4096 bytes fit");
            };
            self.symbols
                .insert(parameter.name.text, Symbol::Parameter(offset as u32));
            self.function.parameters.push(Parameter {
                name: parameter.name.text.to_string(),
                offset: offset as u32,
                bytes: size as u32,
                kind: match parameter.pointer {
                    None => ParameterKind::Value,
                    Some(ast::Pointer {
                        space: Some(ast::Space::Shared),
                        ..
                    }) => ParameterKind::Local,
                    Some(_) => ParameterKind::Global,
                },
            });
            offset = align(offset + size, 4);
        }
        for word in used.iter().filter_map(|name| Hidden::of(name)) {
            if !self.function.hidden.contains(&word) {
                self.function.hidden.push(word);
            }
        }
        self.function.shared_bytes = HEADER_BYTES + self.function.parameter_bytes();
        Ok(())
    }

    fn variable(&mut self, variable: &'a ast::Variable<'a>) -> Result<(), CompileError> {
        let size = bytes(variable.ty, variable.vector, &variable.dimensions);
        let alignment = variable.alignment.unwrap_or(u32::from(variable.ty.bits / 8)).max(4);
        let symbol = match variable.space {
            ast::Space::Shared => {
                if variable.linkage == ast::Linkage::Extern {
                    return self.error(
                        variable.span,
                        "shared memory of a size that the launch gives is not supported",
                    );
                }
                let at = align(u64::from(self.function.shared_bytes), alignment.min(16));
                let end = size.and_then(|size| at.checked_add(size));
                let Some(end) = end.filter(|&end| end <= SHARED_LIMIT) else {
                    return self.error(
                        variable.span,
                        format!("shared memory has {SHARED_LIMIT} bytes; this does not fit"),
                    );
                };
                self.function.shared_bytes = end as u32;
                Symbol::Shared(at as u32)
            }
            ast::Space::Local => {
                let at = align(u64::from(self.function.local_bytes), alignment.min(16));
                let end = size.and_then(|size| at.checked_add(size));
                let Some(end) = end.filter(|&end| end <= LOCAL_LIMIT) else {
                    return self.error(
                        variable.span,
                        format!("local memory has {LOCAL_LIMIT} bytes; this does not fit"),
                    );
                };
                self.function.local_bytes = end as u32;
                Symbol::Local(at as u32)
            }
            _ => Symbol::Global,
        };
        self.symbols.insert(variable.name.text, symbol);
        Ok(())
    }

    fn declarations(&mut self, statements: &'a [ast::Statement<'a>]) -> Result<(), CompileError> {
        for statement in statements {
            match statement {
                ast::Statement::Registers(registers) => {
                    for name in &registers.names {
                        let declared = Declared {
                            ty: registers.ty,
                            count: name.count,
                        };
                        self.declared.insert(name.name.text, declared);
                    }
                }
                ast::Statement::Variable(variable) => self.variable(variable)?,
                ast::Statement::Block(block) => self.declarations(&block.statements)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The virtual register of a name.
    pub fn register(&mut self, name: &'a str, span: ast::Span) -> Result<Value, CompileError> {
        if let Some(&value) = self.values.get(name) {
            return Ok(value);
        }
        let exact = self.declared.get(name).filter(|declared| declared.count.is_none());
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = name.get(stem.len()..).and_then(|digits| digits.parse::<u32>().ok());
        let numbered = self
            .declared
            .get(stem)
            .filter(|declared| matches!((declared.count, number), (Some(count), Some(number)) if number < count));
        let Some(declared) = exact.or(numbered).copied() else {
            return self.error(span, format!("the register `{name}` is not declared"));
        };
        let Some(class) = class(declared.ty) else {
            let reason = match declared.ty.bits {
                64 => "64-bit floats (double) do not exist on SM 1.0",
                16 => "16-bit floats (half) are not supported",
                _ => "registers of this type are not supported",
            };
            return self.error(span, format!("`{name}`: {reason}"));
        };
        let value = self.function.add(class, name.to_string());
        self.values.insert(name, value);
        Ok(value)
    }

    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    fn block(&mut self, name: String) -> BlockIndex {
        self.function.blocks.push(Block {
            name,
            instructions: Vec::new(),
            terminator: Terminator::Return,
            place: Place::default(),
        });
        self.function.blocks.len() - 1
    }

    /// The block of a label, which may come later.
    fn label(&mut self, name: &'a str) -> BlockIndex {
        if let Some(&block) = self.labels.get(name) {
            return block;
        }
        let block = self.block(name.to_string());
        self.labels.insert(name, block);
        block
    }

    /// Every label that was branched to must have been seen: its block has a place then.
    fn check_labels(&self) -> Result<(), CompileError> {
        for block in &self.function.blocks {
            for to in block.terminator.successors() {
                let target = self.function.blocks.get(to);
                if let Some(target) = target.filter(|target| target.place == Place::default()) {
                    return Err(CompileError::new(
                        block.place,
                        format!("there is no label `{}`", target.name),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Ends the current block.
    fn end(&mut self, terminator: Terminator, place: Place) {
        if let Some(block) = self.current.take().and_then(|at| self.function.blocks.get_mut(at)) {
            block.terminator = terminator;
            block.place = place;
        }
    }

    /// Appends to the current block.
    pub fn push(&mut self, instruction: Instruction) {
        let at = match self.current {
            Some(at) => at,
            None => {
                let at = self.block("unreachable".to_string());
                self.current = Some(at);
                at
            }
        };
        if let Some(block) = self.function.blocks.get_mut(at) {
            block.instructions.push(instruction);
        }
    }

    fn statements(&mut self, statements: &'a [ast::Statement<'a>]) -> Result<(), CompileError> {
        for statement in statements {
            match statement {
                ast::Statement::Label(name) => {
                    let place = self.place(name.span);
                    let seen = self.labels.get(name.text).and_then(|&at| self.function.blocks.get(at));
                    if seen.is_some_and(|block| block.place != Place::default()) {
                        return self.error(name.span, format!("the label `{}` is there twice", name.text));
                    }
                    let block = self.label(name.text);
                    self.end(Terminator::Jump(block), place);
                    if let Some(block) = self.function.blocks.get_mut(block) {
                        block.place = place;
                    }
                    self.current = Some(block);
                }
                ast::Statement::Instruction(instruction) => self.instruction(instruction)?,
                ast::Statement::Block(block) => self.statements(&block.statements)?,
                ast::Statement::Location(location) if location.line != 0 => {
                    self.location = Some(SourceLine {
                        file: location.file,
                        line: location.line,
                        column: location.column,
                    });
                }
                ast::Statement::BranchTargets(targets) => {
                    return self.error(targets.span, "branches by a table (brx) are not supported");
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &'a ast::Instruction<'a>) -> Result<(), CompileError> {
        let place = self.place(instruction.span);
        let guard = match instruction.guard {
            Some(guard) => Some((
                self.register(guard.predicate.text, guard.predicate.span)?,
                guard.negated,
            )),
            None => None,
        };
        match instruction.opcode.base {
            "bra" => {
                let Some(ast::Operand {
                    kind: ast::OperandKind::Symbol { name, offset: 0, .. },
                    ..
                }) = instruction.operands.first()
                else {
                    return self.error(instruction.span, "bra: expected a label");
                };
                let taken = self.label(name);
                self.leave(guard, taken, place);
                Ok(())
            }
            "ret" | "exit" => {
                match guard {
                    None => self.end(Terminator::Return, place),
                    Some(_) => {
                        let taken = self.block("return".to_string());
                        if let Some(block) = self.function.blocks.get_mut(taken) {
                            block.place = place;
                        }
                        self.leave(guard, taken, place);
                    }
                }
                Ok(())
            }
            "call" => {
                let callee = instruction.operands.iter().find_map(|operand| match operand.kind {
                    ast::OperandKind::Symbol { name, .. } => Some(name),
                    _ => None,
                });
                self.error(
                    instruction.span,
                    format!(
                        "a call of `{}`: calls are not inlined yet, and no such function is built in",
                        callee.unwrap_or("a function by its address")
                    ),
                )
            }
            _ => {
                let Some((predicate, negated)) = guard else {
                    return translate(self, instruction);
                };
                let [inside, behind] = ["guarded", "behind"].map(|name| self.block(name.to_string()));
                for at in [inside, behind] {
                    if let Some(block) = self.function.blocks.get_mut(at) {
                        block.place = place;
                    }
                }
                self.end(
                    Terminator::Branch {
                        predicate,
                        negated,
                        taken: inside,
                        otherwise: behind,
                    },
                    place,
                );
                self.current = Some(inside);
                translate(self, instruction)?;
                self.end(Terminator::Jump(behind), place);
                self.current = Some(behind);
                Ok(())
            }
        }
    }

    /// Ends the current block with a branch, and begins the next if it may fall through.
    fn leave(&mut self, guard: Option<(Value, bool)>, taken: BlockIndex, place: Place) {
        let Some((predicate, negated)) = guard else {
            self.end(Terminator::Jump(taken), place);
            return;
        };
        let otherwise = self.block(format!("after {}", place.span));
        if let Some(block) = self.function.blocks.get_mut(otherwise) {
            block.place = place;
        }
        self.end(
            Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
            },
            place,
        );
        self.current = Some(otherwise);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::parse;

    /// The error of a kernel with this body.
    fn refused(body: &str) -> String {
        let text = format!(".version 4.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 a) {{\n{body}\n}}\n");
        let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let kernel = module.items.iter().find_map(|item| match item {
            ast::Item::Function(function) => Some(function),
            _ => None,
        });
        match build(&module, kernel.expect("a kernel")) {
            Ok(function) => panic!("{function}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_cannot_be_compiled_is_named_with_its_place() {
        let registers = ".reg .b32 %r<4>;\n.reg .f64 %fd<2>;\n";
        for (body, wanted) in [
            (
                "atom.global.add.u32 %r1, [%r2], 1;",
                "7:1: `atom.global.add.u32`: SM 1.0 has no atomic operations",
            ),
            ("mov.f64 %fd1, %fd1;", "7:1: `mov.f64`: this type is not supported"),
            ("add.s32 %r1, %r9, 1;", "7:14: the register `%r9` is not declared"),
            ("bra NOWHERE;", "7:1: there is no label `NOWHERE`"),
            (
                ".loc 1 33 4\nbar.sync 3;",
                "8:1: `bar.sync`: only barrier 0 for the whole block is supported (OpenCL line 33, column 4)",
            ),
            (
                "ld.global.u32 %r1, [gone];",
                "7:20: the register `gone` is not declared",
            ),
        ] {
            assert_eq!(refused(&format!("{registers}{body}")), wanted, "{body}");
        }
    }

    #[test]
    fn parameters_that_do_not_fit_are_refused() {
        let text = ".version 4.2\n.target sm_20\n.entry k(.param .b8 a[18446744073709551615]) { ret; }";
        let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let Some(ast::Item::Function(kernel)) = module.items.first() else {
            panic!("a kernel");
        };
        assert!(build(&module, kernel).is_err());
    }
}
