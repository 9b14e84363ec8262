//! The graph under construction: name tables, and the block that instructions are appended to.

use super::print_call::PrintCall;
use super::types::*;
use super::variables::Layout;
use crate::error::{no_doubles, CompileError, SourceLine, SourceLocation, DOUBLES};
use crate::ptx::ast;
use flexgrip_machine::Fence;
use std::collections::HashMap;

/// Registers of one declaration, by their name without the number.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    pub ty: ast::Type,
    /// `None` for one register of exactly this name.
    pub count: Option<u32>,
}

/// The meaning of a variable's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// A byte address in shared memory.
    Shared(u32),
    /// A byte address in local memory.
    Local(u32),
    /// A parameter of the kernel, by its offset in bytes.
    Parameter(u32),
    /// A variable of the module, by its offset in bytes.
    Variable(u32),
    /// A parameter or result of a call, by its index in [`Builder::passed`].
    Passed(usize),
}

/// The declarations of a function, or of a block in braces.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub declared: HashMap<&'a str, Declared>,
    pub values: HashMap<&'a str, Value>,
    pub symbols: HashMap<&'a str, Symbol>,
}

/// A function that is being built: the kernel, or one that is inlined.
pub(super) struct Frame<'a> {
    pub name: &'a str,
    /// The scopes, innermost last.
    pub scopes: Vec<Scope<'a>>,
    pub labels: HashMap<&'a str, BlockIndex>,
    /// Lists for branches by a table, with the labels in them.
    pub tables: HashMap<&'a str, &'a [ast::Name<'a>]>,
    /// The block after the call, where a return continues; `None` if a return ends the thread.
    pub end: Option<BlockIndex>,
}

/// A parameter or result of a call: words of 32 bits.
pub(super) struct Passed {
    pub bytes: u32,
    pub words: Vec<Value>,
}

/// A kernel's graph so far, and the symbols of the module.
pub(super) struct Builder<'a> {
    pub function: Function,
    /// The module's variables.
    pub(super) layout: &'a Layout<'a>,
    /// The module's functions: the definition if there is one, otherwise the declaration.
    pub(super) functions: HashMap<&'a str, &'a ast::Function<'a>>,
    /// Symbols of the module and of the kernel's parameters.
    pub(super) globals: HashMap<&'a str, Symbol>,
    /// Byte addresses of functions' variables in shared memory, by function and name.
    pub(super) statics: HashMap<(&'a str, &'a str), u32>,
    /// The kernel, then the functions that are being inlined.
    pub(super) frames: Vec<Frame<'a>>,
    /// Parameters and results of calls.
    pub(super) passed: Vec<Passed>,
    /// The block being filled; `None` after a branch.
    pub(super) current: Option<BlockIndex>,
    pub(super) location: Option<SourceLine>,
    /// The span of the call while a function from another module is inlined.
    pub(super) called_from: Option<ast::Span>,
    /// The number of instructions so far.
    pub(super) size: usize,
    /// True if the grid may be larger than the machine's.
    pub(super) large_grid: bool,
    /// The fence, if the last instruction was one.
    pub(super) fence: Option<Fence>,
    /// The calls of `printf`. They are expanded when the graph is complete.
    pub(super) prints: Vec<PrintCall>,
    /// True if a variable did not fit in shared memory.
    pub(super) shared_is_full: bool,
}

impl<'a> Builder<'a> {
    /// The place of this span, with the current `.loc`.
    pub fn place(&self, span: ast::Span) -> SourceLocation {
        SourceLocation {
            span: self.called_from.unwrap_or(span),
            source: self.location,
        }
    }

    pub fn error<T>(&self, span: ast::Span, message: impl Into<String>) -> Result<T, CompileError> {
        Err(CompileError::new(self.place(span), message))
    }

    /// True if the device has doubles.
    pub(super) fn has_doubles(&self) -> bool {
        self.function.capability >= DOUBLES
    }

    /// Returns the error for doubles on a device that does not support them.
    pub(super) fn no_doubles<T>(&self, span: ast::Span) -> Result<T, CompileError> {
        self.error(span, no_doubles(self.function.capability))
    }

    /// The class of a register for this type, if the device has the type.
    pub(super) fn class(&self, ty: ast::Type) -> Option<Class> {
        class(ty).filter(|_| !is_double(ty) || self.has_doubles())
    }

    pub(super) fn block(&mut self, name: String) -> BlockIndex {
        self.function.blocks.push(Block {
            name,
            instructions: Vec::new(),
            terminator: Terminator::Return,
            place: SourceLocation::default(),
        });
        self.function.blocks.len() - 1
    }

    /// Returns the block of a label, which may be defined later.
    pub(super) fn label(&mut self, name: &'a str) -> BlockIndex {
        if let Some(&block) = self.frame().labels.get(name) {
            return block;
        }
        let block = self.block(name.to_string());
        self.frame().labels.insert(name, block);
        block
    }

    /// Ends the current block with a terminator.
    pub(super) fn end(&mut self, terminator: Terminator, place: SourceLocation) {
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
            self.size += 1;
        }
    }

    /// Appends an operation at this place of the PTX.
    pub(super) fn emit(
        &mut self,
        operation: Operation,
        ty: ast::Type,
        results: Vec<Value>,
        arguments: Vec<Argument>,
        span: ast::Span,
    ) {
        let place = self.place(span);
        self.push(Instruction {
            operation,
            ty,
            results,
            arguments,
            place,
        });
    }

    pub(super) fn frame(&mut self) -> &mut Frame<'a> {
        // The kernel's frame is never popped.
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn scope(&mut self) -> &mut Scope<'a> {
        let scopes = &mut self.frame().scopes;
        if scopes.is_empty() {
            scopes.push(Scope::default());
        }
        let last = scopes.len() - 1;
        &mut scopes[last]
    }
}
