//! Calls of `printf`: each becomes code that reserves a record in the warp's slice of the launch's buffer and writes
//! the number of the call and its arguments ([`crate::printf`]).
//!
//! A call ends its block. After the whole graph is built, [`expand`] finds the formats and puts the code between the
//! call's block and the one after it. Clang 15 writes a call with each argument as a parameter, clang 19 with
//! the address of a struct of all arguments.

mod code;
mod doubles;
mod literals;

use super::builder::{Builder, Symbol};
use super::print_call::{Passing, PrintCall};
use super::types::*;
use super::variables::Layout;
use crate::error::CompileError;
use crate::printf::format::{conversions, ConversionKind, Format};
use crate::printf::records::MOST_SITES;
use crate::printf::Site;
use crate::ptx::ast::{self, OperandKind};
use code::{Candidate, Emitter};
use literals::Tracer;

impl<'a> Builder<'a> {
    /// True for OpenCL's `printf`; false for a function of that name in the source.
    pub(super) fn is_printf(&self, name: &str) -> bool {
        name == "printf" && self.functions.get(name).is_some_and(|function| function.body.is_none())
    }

    /// Ends the block with a call of `printf`.
    pub(super) fn print_call(
        &mut self,
        callee: &'a ast::Function<'a>,
        results: &'a [ast::Operand<'a>],
        arguments: &'a [ast::Operand<'a>],
        span: ast::Span,
    ) -> Result<(), CompileError> {
        let place = self.place(span);
        let words = |operand: &ast::Operand<'a>| match operand.kind {
            OperandKind::Symbol { name, offset: 0, .. } => match self.symbol(name) {
                Some(Symbol::Passed(index)) => self.passed.get(index).map(|passed| passed.words.clone()),
                _ => None,
            },
            _ => None,
        };
        let passed: Option<Vec<Vec<Value>>> = arguments.iter().map(words).collect();
        let result = results.first().and_then(words).and_then(|words| words.first().copied());
        let Some((Some(&format), others)) = passed.as_ref().and_then(|passed| {
            let (format, others) = passed.split_first()?;
            Some((format.first(), others))
        }) else {
            return self.error(span, "a call of `printf` without a format");
        };
        let arguments = match (callee.parameters.len(), others) {
            (2, [pointer]) => match pointer.first() {
                Some(&pointer) => Passing::Struct(pointer),
                None => return self.error(span, "a call of `printf` without the address of its arguments"),
            },
            _ => Passing::Words(others.to_vec()),
        };
        let block = match self.current {
            Some(block) => block,
            None => self.block("unreachable".to_string()),
        };
        self.current = Some(block);
        let after = self.block("after printf".to_string());
        if let Some(block) = self.function.blocks.get_mut(after) {
            block.place = place;
        }
        self.end(Terminator::Jump(after), place);
        self.current = Some(after);
        self.prints.push(PrintCall {
            block,
            after,
            format,
            arguments,
            result,
            place,
        });
        Ok(())
    }
}

/// Adds the code of each call to the graph. If `promoted`, scalars of type `float` are passed as `double`.
///
/// # Errors
/// A format that is not a literal or is not valid in OpenCL C, or an argument of `%s` that is not a literal, at the
/// place of the call.
pub(super) fn expand(
    function: &mut Function,
    calls: &[PrintCall],
    layout: &Layout,
    promoted: bool,
) -> Result<(), CompileError> {
    if calls.is_empty() {
        return Ok(());
    }
    let tracer = Tracer::new(function, &layout.variables.bytes);
    // All calls are resolved first: the code of an expanded call would hide the stores before the next call.
    let resolved = calls
        .iter()
        .map(|call| resolve(&tracer, call, promoted).map_err(|why| CompileError::new(call.place, why)))
        .collect::<Result<Vec<_>, _>>()?;
    for (call, candidates) in calls.iter().zip(resolved) {
        if function.prints.len() + candidates.len() > MOST_SITES {
            let message = format!("more than {MOST_SITES} calls of `printf`, with all calls inlined");
            return Err(CompileError::new(call.place, message));
        }
        Emitter::new(function, call).call(call, candidates);
    }
    Ok(())
}

/// Returns the formats of a call: one, unless the source selects between literals.
fn resolve(tracer: &Tracer, call: &PrintCall, promoted: bool) -> Result<Vec<Candidate>, String> {
    let Some(places) = tracer.literals(Argument::Value(call.format)) else {
        return Err("the format of `printf` must be a string literal".into());
    };
    let mut candidates = Vec::new();
    for at in places {
        let Some(text) = tracer.string(at) else {
            return Err("the format of `printf` has no end".into());
        };
        let site = Site {
            format: text.to_vec(),
            promoted,
        };
        let format = site.parsed()?;
        check_arguments(tracer, call, &format)?;
        candidates.push(Candidate { at, site, format });
    }
    Ok(candidates)
}

/// Checks the number and sizes of arguments that are passed one by one, and that strings are literals.
fn check_arguments(tracer: &Tracer, call: &PrintCall, format: &Format) -> Result<(), String> {
    let mut offset = 0;
    for (number, conversion) in conversions(format).enumerate() {
        offset = usize::next_multiple_of(offset, conversion.alignment());
        if let Passing::Words(passed) = &call.arguments {
            let (wanted, found) = (conversion.words(), passed.get(number).map_or(0, Vec::len));
            if found < wanted {
                return Err(format!(
                    "argument {} of `printf` has {} bytes; its conversion takes {}",
                    number + 1,
                    4 * found,
                    4 * wanted
                ));
            }
        }
        if conversion.kind == ConversionKind::String {
            let is_literal = match &call.arguments {
                Passing::Words(passed) => {
                    let word = passed.get(number).and_then(|words| words.first());
                    word.is_some_and(|&word| tracer.is_literal(Argument::Value(word)))
                }
                Passing::Struct(pointer) => tracer.is_literal_in_struct(call.block, *pointer, offset as u32),
            };
            if !is_literal {
                return Err(format!(
                    "argument {} of `printf`: `%s` takes a string literal",
                    number + 1
                ));
            }
        }
        offset += conversion.alignment();
    }
    Ok(())
}
