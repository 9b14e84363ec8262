//! The machine code of a circuit, compiled once for any number of engines.

use super::called::call_opaque;
use super::period::tables::IdleTables;
use crate::code::{compile, Counts, Program};
use crate::design::{elaborate, Design};
use crate::error::CompileError;
use crate::gates::Gates;
use hdlkit::kernel::scope::collect;
use hdlkit::Structure;
use std::sync::atomic::AtomicU64;
use std::sync::OnceLock;

/// The machine code of a circuit, for any number of engines.
pub struct Code {
    pub(crate) design: Design,
    pub(super) program: Program,
    /// The tables for skipping cycles, generated before the first skip.
    pub(super) idle: OnceLock<IdleTables>,
    /// The number of idle cycles of all machines before `idle` was generated.
    pub(super) waited: AtomicU64,
}

impl Code {
    /// Compiles the kernels of `block`. It should not have run: the text of its parts contains the values of the
    /// registers, and a bundle of more than 64 bits may have no literal. The code does not depend on the values in
    /// `block`.
    ///
    /// # Errors
    /// The circuit has a construct that cannot be compiled, or the processor is not supported: see [`CompileError`].
    pub fn compile(block: &dyn Structure) -> Result<Self, CompileError> {
        Self::compile_showing(block, &[])
    }

    /// Like [`Code::compile`], with visible signals. `shown` is true for each visible signal in visiting order, and
    /// then for each visible local of the kernels; signals past its end are hidden. Logic that only visible signals
    /// need is also computed.
    ///
    /// # Errors
    /// The errors of [`Code::compile`].
    pub fn compile_showing(block: &dyn Structure, shown: &[bool]) -> Result<Self, CompileError> {
        Code::compile_as(block, shown, &[], true)
    }

    /// Like [`Code::compile_showing`], with blocks as gates.
    ///
    /// # Errors
    /// The errors of [`Code::compile`]; a block does not exist, or its gates do not fit it.
    pub fn compile_with_gates(block: &dyn Structure, shown: &[bool], gates: &[Gates]) -> Result<Self, CompileError> {
        Code::compile_as(block, shown, gates, true)
    }

    /// Like [`Code::compile_with_gates`]; without vectors on any processor if `vectors` is false.
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
        Ok(Code {
            design,
            program,
            idle: OnceLock::new(),
            waited: AtomicU64::new(0),
        })
    }

    /// The signals that are shown, in visiting order: the requested ones, except clocks and signals inside blocks with
    /// Verilog written by hand.
    pub fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        self.design.shown.iter().map(|shown| shown.atom)
    }

    /// What the code computes otherwise than node by node.
    pub fn counts(&self) -> Counts {
        self.program.counts
    }
}
