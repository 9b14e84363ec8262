//! Inlining: the function's body in place of the call.
//!
//! The machine has a stack for calls, but cannot save a function's registers, and a call in a loop with several exits
//! would mix its stack entries with the entries of divergent branches. So every call is inlined, at any depth.
//! Parameters and results are virtual words, or local memory if the function takes their address.

use super::builder::{Builder, Frame, Passed, Scope, Symbol};
use super::scope::bytes;
use super::types::*;
use crate::error::{no_doubles, CompileError, DOUBLES, NO_ATOMICS, NO_HALF, NO_IMAGES};
use crate::ptx::ast::{self, Kind, OperandKind, Type};
use flexgrip_isa::Capability;
use std::collections::HashMap;

/// The maximum depth of nested calls.
const DEPTH: usize = 64;
/// The maximum number of instructions of a kernel after inlining.
pub(super) const SIZE: usize = 60_000;
/// The maximum size of a parameter, in bytes.
const PASSED_LIMIT: u64 = 4096;

const U32: Type = Type {
    kind: Kind::Unsigned,
    bits: 32,
};

impl<'a> Builder<'a> {
    /// Creates words for a parameter or result of `size` bytes, with zeros. Returns its index in [`Builder::passed`].
    pub(super) fn passed(&mut self, size: Option<u64>, span: ast::Span) -> Result<usize, CompileError> {
        let Some(size) = size.filter(|&size| size <= PASSED_LIMIT) else {
            return self.error(
                span,
                format!("a parameter or result of a call has at most {PASSED_LIMIT} bytes"),
            );
        };
        let words: Vec<Value> = (0..size.div_ceil(4))
            .map(|index| self.function.add(Class::Word, format!("passed+{}", 4 * index)))
            .collect();
        // Elements smaller than a word are inserted into it one by one.
        for &word in &words {
            self.emit(Operation::Copy, U32, vec![word], vec![Argument::Constant(0)], span);
        }
        self.passed.push(Passed {
            bytes: size as u32,
            words,
        });
        Ok(self.passed.len() - 1)
    }

    /// Returns the names in a call: result, function, arguments.
    fn call_operands(
        &self,
        instruction: &'a ast::Instruction<'a>,
    ) -> Result<(&'a [ast::Operand<'a>], &'a str, &'a [ast::Operand<'a>]), CompileError> {
        let mut lists = Vec::new();
        let mut callee = None;
        for operand in &instruction.operands {
            match &operand.kind {
                OperandKind::Arguments(list) => lists.push((callee.is_none(), list.as_slice())),
                OperandKind::Symbol { name, .. } if callee.is_none() => callee = Some(*name),
                OperandKind::Symbol { .. } => {}
                _ => {
                    return self.error(
                        operand.span,
                        "a call of a function by its address: function pointers are not supported",
                    )
                }
            }
        }
        let Some(callee) = callee else {
            return self.error(instruction.span, "a call without a function");
        };
        let find = |before: bool| {
            lists
                .iter()
                .find(|list| list.0 == before)
                .map_or(&[][..], |list| list.1)
        };
        Ok((find(true), callee, find(false)))
    }

    /// Inlines the called function.
    pub(super) fn call(&mut self, instruction: &'a ast::Instruction<'a>) -> Result<(), CompileError> {
        let (results, name, arguments) = self.call_operands(instruction)?;
        let span = instruction.span;
        let Some(&callee) = self.functions.get(name) else {
            if self.symbol(name).is_some() || self.register(name, span).is_ok() {
                return self.error(
                    span,
                    format!("a call through `{name}`: function pointers are not supported"),
                );
            }
            return self.error(span, missing(name, self.function.capability));
        };
        if self.is_printf(name) {
            return self.print_call(callee, results, arguments, span);
        }
        let Some(body) = &callee.body else {
            return self.error(span, missing(name, self.function.capability));
        };
        if self.frames.iter().any(|frame| frame.name == name) {
            return self.error(span, format!("`{name}` calls itself: recursion is not supported"));
        }
        if self.frames.len() > DEPTH {
            return self.error(span, format!("calls are nested more than {DEPTH} deep"));
        }
        if arguments.len() != callee.parameters.len() || results.len() != callee.returns.len() {
            return self.error(
                span,
                format!("a call of `{name}` with the wrong number of parameters or results"),
            );
        }
        let mut scope = Scope::default();
        for (parameter, operand) in callee.parameters.iter().zip(arguments) {
            let symbol = self.argument_symbol(parameter, operand)?;
            let symbol = match symbol {
                Symbol::Passed(index) if takes_address(&body.statements, parameter.name.text) => {
                    self.in_local_memory(index, parameter, span)?
                }
                other => other,
            };
            scope.symbols.insert(parameter.name.text, symbol);
        }
        for (parameter, operand) in callee.returns.iter().zip(results) {
            let symbol = self.argument_symbol(parameter, operand)?;
            scope.symbols.insert(parameter.name.text, symbol);
        }
        self.inline(callee, body, scope, span)
    }

    /// Inlines a function with the symbols of its parameters and results.
    pub(super) fn inline(
        &mut self,
        callee: &'a ast::Function<'a>,
        body: &'a ast::Block<'a>,
        scope: Scope<'a>,
        span: ast::Span,
    ) -> Result<(), CompileError> {
        let name = callee.name.text;
        let place = self.place(span);
        let end = self.block(format!("after {name}"));
        if let Some(block) = self.function.blocks.get_mut(end) {
            block.place = place;
        }
        self.frames.push(Frame {
            name,
            scopes: vec![scope],
            labels: HashMap::new(),
            tables: HashMap::new(),
            end: Some(end),
        });
        let location = self.location;
        self.open(&body.statements)?;
        self.statements(&body.statements)?;
        self.location = location;
        if self.current.is_some() {
            self.end(Terminator::Jump(end), place);
        }
        self.frames.pop();
        self.current = Some(end);
        Ok(())
    }

    /// Returns the symbol of a parameter in the function: the argument of the call.
    fn argument_symbol(
        &mut self,
        parameter: &'a ast::Parameter<'a>,
        operand: &'a ast::Operand<'a>,
    ) -> Result<Symbol, CompileError> {
        let wanted = bytes(parameter.ty, parameter.vector, &parameter.dimensions);
        let found = match operand.kind {
            OperandKind::Symbol { name, offset: 0, .. } => self.symbol(name),
            _ => None,
        };
        let size = match found {
            Some(Symbol::Passed(index)) => self.passed.get(index).map(|passed| u64::from(passed.bytes)),
            _ => None,
        };
        match (found, size) {
            // The sizes must be equal; a parameter of unspecified size (`.b8 x[]`) has the size of the argument.
            (Some(symbol), Some(size)) if wanted.is_none_or(|wanted| wanted == size) => Ok(symbol),
            (Some(_), Some(size)) => self.error(
                operand.span,
                format!(
                    "{size} bytes are passed for `{}`, which has {}",
                    parameter.name.text,
                    wanted.unwrap_or(0)
                ),
            ),
            _ => self.error(
                operand.span,
                "only parameters in `.param` variables are supported in calls",
            ),
        }
    }

    /// Copies a parameter to local memory, for a function that takes its address.
    fn in_local_memory(
        &mut self,
        index: usize,
        parameter: &'a ast::Parameter<'a>,
        span: ast::Span,
    ) -> Result<Symbol, CompileError> {
        let words = self.passed.get(index).map_or(Vec::new(), |passed| passed.words.clone());
        let alignment = parameter.alignment.unwrap_or(0).max(u32::from(parameter.ty.bits / 8));
        let at = self.local_bytes(Some(4 * words.len() as u64), alignment, span)?;
        for (index, word) in words.into_iter().enumerate() {
            let operation = Operation::Store {
                memory: Memory::Local,
                offset: 4 * index as i32,
            };
            let arguments = vec![Argument::Constant(at.into()), Argument::Value(word)];
            self.emit(operation, U32, Vec::new(), arguments, span);
        }
        Ok(Symbol::Local(at))
    }
}

/// Returns the error message for a called function without a definition.
fn missing(mangled: &str, capability: Capability) -> String {
    let (name, parameters) = source_name(mangled);
    let starts = |beginnings: &[&str]| beginnings.iter().any(|beginning| name.starts_with(beginning));
    let is_of_doubles = parameters.ends_with('d') || parameters.contains("_d") || name.contains("double");
    if starts(&["atomic_", "atom_"]) {
        format!("`{name}`: {NO_ATOMICS}")
    } else if mangled.contains("ocl_image") {
        format!("`{name}`: {NO_IMAGES}")
    } else if capability < DOUBLES && is_of_doubles {
        format!("`{name}`: {}", no_doubles(capability))
    } else if parameters.contains("Dh") || (name.contains("half") && !starts(&["vload", "vstore"])) {
        format!("`{name}`: {NO_HALF}")
    } else {
        format!("`{name}` is called, but is neither defined nor a built-in function")
    }
}

/// Returns a function's name in the source and the mangled types of its parameters: `_Z10atomic_incPU3AS1Vi` is
/// `atomic_inc` and `PU3AS1Vi`.
fn source_name(mangled: &str) -> (&str, &str) {
    let split = || {
        let rest = mangled.strip_prefix("_Z")?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (length, name) = rest.split_at(digits);
        name.split_at_checked(length.parse().ok()?)
    };
    split().unwrap_or((mangled, ""))
}

/// True if the statements use a parameter's name other than to load from it.
pub(super) fn takes_address(statements: &[ast::Statement<'_>], name: &str) -> bool {
    fn in_operand(operand: &ast::Operand<'_>, wanted: &str) -> bool {
        match &operand.kind {
            OperandKind::Symbol { name, .. } | OperandKind::Generic { name, .. } => *name == wanted,
            OperandKind::Vector(list) | OperandKind::AddressList(list) => {
                list.iter().any(|operand| in_operand(operand, wanted))
            }
            _ => false,
        }
    }
    statements.iter().any(|statement| match statement {
        ast::Statement::Instruction(instruction) => {
            instruction.operands.iter().any(|operand| in_operand(operand, name))
        }
        ast::Statement::Block(block) => takes_address(&block.statements, name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_functions_have_specific_messages() {
        for (name, wanted) in [
            (
                "_Z8atom_minPU3AS1Vll",
                "`atom_min`: this atomic function is not supported: expected one of OpenCL 1.2; on 64 bits there are \
                 atom_add, atom_sub, atom_inc, atom_dec, atom_xchg and atom_cmpxchg",
            ),
            (
                "_Z11read_imagef20ocl_image2d_depth_ro11ocl_samplerDv2_i",
                "`read_imagef`: this type of image is not supported: expected one of OpenCL 1.2",
            ),
            (
                "_Z4sqrtd",
                "`sqrt`: doubles need compute capability 1.3, and this device has 1.0: choose another by --capability, or \
                 for OpenCL programs by FLEXGRIP_DEVICE",
            ),
            (
                "_Z4fmaxDv2_dS_",
                "`fmax`: doubles need compute capability 1.3, and this device has 1.0: choose another by --capability, or \
                 for OpenCL programs by FLEXGRIP_DEVICE",
            ),
            (
                "_Z3foof",
                "`foo` is called, but is neither defined nor a built-in function",
            ),
            (
                "_Z99foo",
                "`_Z99foo` is called, but is neither defined nor a built-in function",
            ),
        ] {
            assert_eq!(missing(name, Capability::V1_0), wanted);
        }
    }
}
