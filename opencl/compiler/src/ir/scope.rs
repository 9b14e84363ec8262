//! Scopes: registers, variables and labels of a function and of the blocks in it.

use super::builder::{Builder, Declared, Scope, Symbol};
use super::declaration::ParameterKind;
use super::types::*;
use crate::error::{CompileError, SourceLocation, NO_HALF};
use crate::ptx::ast;
use flexgrip_machine::sizes::SHARED_BYTES_PER_SM;
use flexgrip_machine::{Region, RegionKind};

/// Bytes of shared memory before the parameters.
pub const HEADER_BYTES: u32 = 16;
/// Bytes of shared memory of an SM.
const SHARED_LIMIT: u64 = SHARED_BYTES_PER_SM as u64;
/// Bytes of local memory that a 16-bit address can reach.
pub(super) const LOCAL_LIMIT: u64 = 1 << 16;
/// The largest alignment of a variable, in bytes: the alignment of `long16`.
const MOST_ALIGNED: u32 = 128;
/// The alignment of shared memory of open size, in bytes.
const OPEN_ALIGNMENT: u32 = 16;

pub(super) fn align(value: u64, alignment: u32) -> u64 {
    value.next_multiple_of(u64::from(alignment.max(1)))
}

/// Bytes of a variable or parameter; `None` if the size is open or does not fit in 64 bits.
pub(super) fn bytes(ty: ast::Type, vector: u8, dimensions: &[Option<u64>]) -> Option<u64> {
    let element = u64::from(ty.bits / 8) * u64::from(vector.max(1));
    dimensions
        .iter()
        .try_fold(element, |size, dimension| size.checked_mul((*dimension)?))
}

/// Returns a variable's name in the source. clang prefixes `__local` variables with the kernel's name.
fn source_name(name: &str) -> &str {
    let after = |mark: &str| name.rsplit_once(mark).map(|(_, after)| after);
    after("_$_").or_else(|| after(".")).unwrap_or(name)
}

impl<'a> Builder<'a> {
    /// Opens a scope with the declarations of these statements, without nested blocks.
    pub(super) fn open(&mut self, statements: &'a [ast::Statement<'a>]) -> Result<(), CompileError> {
        self.frame().scopes.push(Scope::default());
        for statement in statements {
            match statement {
                ast::Statement::Registers(registers) => {
                    for name in &registers.names {
                        let declared = Declared {
                            ty: registers.ty,
                            count: name.count,
                        };
                        self.scope().declared.insert(name.name.text, declared);
                    }
                }
                ast::Statement::Variable(variable) => self.variable(variable)?,
                ast::Statement::BranchTargets(targets) => {
                    self.frame().tables.insert(targets.label.text, &targets.targets);
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn close(&mut self) {
        self.frame().scopes.pop();
    }

    fn variable(&mut self, variable: &'a ast::Variable<'a>) -> Result<(), CompileError> {
        let name = variable.name.text;
        let symbol = match variable.space {
            ast::Space::Shared => {
                let function = self.frame().name;
                match self.statics.get(&(function, name)) {
                    Some(&at) => Symbol::Shared(at),
                    None => {
                        return self.error(
                            variable.span,
                            format!("`{name}` has not been allocated in shared memory"),
                        )
                    }
                }
            }
            ast::Space::Local => {
                let size = bytes(variable.ty, variable.vector, &variable.dimensions);
                let alignment = variable.alignment.unwrap_or(0).max(u32::from(variable.ty.bits / 8));
                Symbol::Local(self.local_bytes(size, alignment, variable.span)?)
            }
            ast::Space::Param => {
                let size = bytes(variable.ty, variable.vector, &variable.dimensions);
                Symbol::Passed(self.passed(size, variable.span)?)
            }
            _ => {
                return self.error(
                    variable.span,
                    format!("`{name}`: a variable of this space in a function is not supported"),
                )
            }
        };
        self.scope().symbols.insert(name, symbol);
        Ok(())
    }

    /// Allocates local memory. Returns its first byte address.
    pub(super) fn local_bytes(
        &mut self,
        size: Option<u64>,
        alignment: u32,
        span: ast::Span,
    ) -> Result<u32, CompileError> {
        let at = align(u64::from(self.function.local_bytes), alignment.clamp(4, MOST_ALIGNED));
        let end = size.and_then(|size| at.checked_add(size));
        let Some(end) = end.filter(|&end| end <= LOCAL_LIMIT) else {
            return self.error(
                span,
                format!("this does not fit in the {LOCAL_LIMIT} bytes of local memory"),
            );
        };
        self.function.local_bytes = end as u32;
        Ok(at as u32)
    }

    /// Returns the address of a variable in shared memory; `None` if the launch determines its size.
    fn shared_variable(&mut self, variable: &'a ast::Variable<'a>) -> Result<Option<u32>, CompileError> {
        let alignment = variable.alignment.unwrap_or(0).max(u32::from(variable.ty.bits / 8));
        let size = bytes(variable.ty, variable.vector, &variable.dimensions);
        if let (None, ast::Linkage::Extern) = (size, variable.linkage) {
            return Ok(None);
        }
        let at = align(u64::from(self.function.shared_bytes), alignment.clamp(4, MOST_ALIGNED));
        let end = size.and_then(|size| at.checked_add(size));
        let Some(end) = end.filter(|&end| end <= SHARED_LIMIT) else {
            self.shared_is_full = true;
            return self.error(
                variable.span,
                format!("this does not fit in the {SHARED_LIMIT} bytes of shared memory"),
            );
        };
        self.function.shared_bytes = end as u32;
        self.function.shared_variables.push(Region {
            name: source_name(variable.name.text).to_string(),
            kind: RegionKind::LocalVariable,
            argument: None,
            parameter: None,
            address: at as u32,
            bytes: (end - at) as u32,
            element: u32::from(variable.ty.bits / 8).max(1),
            written: Vec::new(),
        });
        Ok(Some(at as u32))
    }

    /// Allocates the shared variables of the kernel and of the functions that it calls, and defines symbols for them
    /// and for the module's variables that they use. Shared memory whose size the launch determines is last.
    pub(super) fn module_variables(
        &mut self,
        module: &'a ast::Module<'a>,
        functions: &[&'a ast::Function<'a>],
        used: &[&'a str],
    ) -> Result<(), CompileError> {
        let mut open = Vec::new();
        for item in &module.items {
            let ast::Item::Variable(variable) = item else {
                continue;
            };
            let name = variable.name.text;
            if variable.space != ast::Space::Shared {
                if let Some(Ok(at)) = self.layout.places.get(name) {
                    self.globals.insert(name, Symbol::Variable(*at));
                }
            } else if used.contains(&name) {
                match self.shared_variable(variable)? {
                    Some(at) => {
                        self.globals.insert(name, Symbol::Shared(at));
                    }
                    None => open.push(name),
                }
            }
        }
        for function in functions {
            if let Some(body) = &function.body {
                self.statics(function.name.text, &body.statements)?;
            }
        }
        let Some(first) = open.first() else {
            return Ok(());
        };
        let local = self.function.parameters.iter().find(|p| p.kind == ParameterKind::Local);
        if let Some(local) = local {
            let message = format!(
                "the launch gives the sizes of both `{first}` and `{}`: expected at most one variable in shared memory \
                 without a size",
                local.name
            );
            return Err(CompileError::new(SourceLocation::default(), message));
        }
        let at = self.function.shared_bytes.next_multiple_of(OPEN_ALIGNMENT);
        self.function.shared_bytes = at;
        self.globals
            .extend(open.into_iter().map(|name| (name, Symbol::Shared(at))));
        Ok(())
    }

    /// Allocates the shared variables that a function declares: once for all of its calls.
    fn statics(&mut self, function: &'a str, statements: &'a [ast::Statement<'a>]) -> Result<(), CompileError> {
        for statement in statements {
            match statement {
                ast::Statement::Variable(variable) if variable.space == ast::Space::Shared => {
                    let Some(at) = self.shared_variable(variable)? else {
                        return self.error(
                            variable.span,
                            "shared memory without a size is not supported in a function",
                        );
                    };
                    self.statics.insert((function, variable.name.text), at);
                }
                ast::Statement::Block(block) => self.statics(function, &block.statements)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the index of the scope that declares a register, and the register's type.
    pub(super) fn declaration(&self, name: &str) -> Option<(usize, ast::Type)> {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = name.get(stem.len()..).and_then(|digits| digits.parse::<u32>().ok());
        let scopes = self.frames.last()?.scopes.iter();
        scopes.enumerate().rev().find_map(|(at, scope)| {
            let exact = scope.declared.get(name).filter(|declared| declared.count.is_none());
            let numbered = scope
                .declared
                .get(stem)
                .filter(|declared| matches!((declared.count, number), (Some(count), Some(number)) if number < count));
            exact.or(numbered).map(|declared| (at, declared.ty))
        })
    }

    /// True in clang's sequence for a rotation: a block that declares only `%lhs`, `%rhs` and `%amt2`. The count should
    /// be reduced modulo the width, but the sequence does not do this.
    pub(super) fn in_rotation(&self) -> bool {
        let scope = self.frames.last().and_then(|frame| frame.scopes.last());
        scope.is_some_and(|scope| {
            scope.declared.len() == 3
                && ["%lhs", "%rhs", "%amt2"]
                    .iter()
                    .all(|name| scope.declared.contains_key(name))
        })
    }

    /// The width of a declared register, in bits.
    pub(super) fn register_bits(&self, name: &str) -> Option<u8> {
        self.declaration(name).map(|(_, ty)| ty.bits)
    }

    /// Returns the virtual register with a name.
    pub fn register(&mut self, name: &'a str, span: ast::Span) -> Result<Value, CompileError> {
        let index = self.frames.len() - 1;
        let found = self.declaration(name);
        let Some((at, ty)) = found else {
            if self.functions.contains_key(name) {
                return self.error(
                    span,
                    format!("the address of the function `{name}`: function pointers are not supported"),
                );
            }
            return self.error(span, format!("the register `{name}` is not declared"));
        };
        if let Some(&value) = self.frames[index].scopes[at].values.get(name) {
            return Ok(value);
        }
        let Some(class) = self.class(ty) else {
            if is_double(ty) {
                return self.no_doubles(span);
            }
            let reason = match ty.bits {
                16 => NO_HALF.to_string(),
                _ => format!("`{name}`: registers of this type are not supported"),
            };
            return self.error(span, reason);
        };
        let value = self.function.add(class, name.to_string());
        self.frames[index].scopes[at].values.insert(name, value);
        Ok(value)
    }

    /// Returns the symbol for the name of a variable or parameter.
    pub(super) fn symbol(&self, name: &str) -> Option<Symbol> {
        let frame = self.frames.last()?;
        let here = frame.scopes.iter().rev().find_map(|scope| scope.symbols.get(name));
        here.or_else(|| self.globals.get(name)).copied()
    }

    /// Returns the error for the use of a module variable that cannot be supported.
    pub(super) fn unusable(&self, name: &str) -> Option<CompileError> {
        match self.layout.places.get(name) {
            Some(Err(error)) => Some(error.clone()),
            _ => None,
        }
    }
}
