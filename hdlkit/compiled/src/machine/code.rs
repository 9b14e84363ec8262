//! The machine code of a circuit, compiled once for any number of engines.

use super::called::call_opaque;
use crate::code::{compile, Program};
use crate::design::{elaborate, Design};
use crate::error::CompileError;
use crate::gates::Gates;
use hdlkit::kernel::scope::collect;
use hdlkit::Structure;

/// The machine code of a circuit, for any number of engines.
pub struct Code {
    pub(crate) design: Design,
    pub(super) program: Program,
}

impl Code {
    /// Compiles the kernels of `block`, which should not have run: its parts' text gives the registers' values, and a
    /// bundle of more than 64 bits may have no literal. The code does not depend on the values that `block` holds.
    ///
    /// # Errors
    /// The circuit has something that cannot be compiled, or the processor is not supported: see [`CompileError`].
    pub fn compile(block: &dyn Structure) -> Result<Self, CompileError> {
        Self::compile_showing(block, &[])
    }

    /// The same, with signals visible from outside: `shown` says so for each signal in visiting order, and then for each
    /// local of the kernels; those past its end are hidden. Logic that only shown signals need is computed, too.
    ///
    /// # Errors
    /// As [`Code::compile`].
    pub fn compile_showing(block: &dyn Structure, shown: &[bool]) -> Result<Self, CompileError> {
        Code::compile_as(block, shown, &[], true)
    }

    /// The same, with blocks as gates.
    ///
    /// # Errors
    /// As [`Code::compile`]; a block is not there, or its gates do not fit it.
    pub fn compile_with_gates(block: &dyn Structure, shown: &[bool], gates: &[Gates]) -> Result<Self, CompileError> {
        Code::compile_as(block, shown, gates, true)
    }

    /// The same, without vectors on any processor if `vectors` is false.
    pub(super) fn compile_as(
        block: &dyn Structure,
        shown: &[bool],
        gates: &[Gates],
        vectors: bool,
    ) -> Result<Self, CompileError> {
        let top = collect(block, "top").ok_or_else(|| CompileError::new("top", "is not one block"))?;
        let mut primitives = vec![];
        block.primitives(&mut primitives);
        let design = elaborate(&top, &primitives, shown, gates)?;
        let program = compile(&design, call_opaque as *const u8, vectors)?;
        Ok(Code { design, program })
    }

    /// The signals that are shown, in visiting order: the requested ones, except clocks and signals inside blocks whose
    /// Verilog is written by hand.
    pub fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        self.design.shown.iter().map(|shown| shown.atom)
    }

    /// How many times a cycle four neighbours' values are computed as one vector, if all is computed.
    pub fn vectors(&self) -> usize {
        self.program.vectors
    }
}
