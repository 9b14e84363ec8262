//! A compiled kernel: its program, and the facts that launches need.

use crate::error::SourceLocation;
use crate::index_space::IndexSpace;
use crate::ir::types::{Hidden, Parameter};
use crate::ir::variables::ModuleVariables;
use crate::printf::buffer::PrintBuffer;
use crate::printf::records::Printing;
use crate::printf::Site;
use flexgrip_isa::Program;
use flexgrip_machine::LaunchFacts;
use std::sync::Arc;

/// A compiled kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The program, with one kernel. Its parameters are the words in shared memory. Its line numbers refer to the OpenCL
    /// source. Its capability is the lowest that supports all of its instructions.
    pub program: Program,
    /// The kernel's parameters.
    pub parameters: Vec<Parameter>,
    /// The words that the launch adds after the parameters.
    pub hidden: Vec<Hidden>,
    /// The initial values of the module's `__constant` and `__global` variables, which all of its kernels share. The
    /// caller places the variables in global memory, at a multiple of 256 bytes. They keep their values between
    /// launches.
    pub variables: Arc<ModuleVariables>,
    /// The calls of `printf`, by their numbers in records, from 1.
    pub prints: Vec<Site>,
    /// True if the kernel was compiled for large grids.
    pub large_grid: bool,
    /// True if `__local` memory begins at byte 0 of shared memory.
    pub whole_shared: bool,
    /// The work-group size that the source requires with `reqd_work_group_size`.
    pub required: Option<[u32; 3]>,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// True if the kernel has a barrier.
    pub barrier: bool,
    /// Byte address and place of each instruction.
    pub places: Vec<(u32, SourceLocation)>,
    /// Facts for checkers: the variables in shared memory, and the instructions that read divisors.
    pub facts: LaunchFacts,
}

impl Compiled {
    /// Returns the calls of `printf` for a launch with a buffer.
    #[must_use]
    pub fn printing(&self, space: &IndexSpace, buffer: Option<PrintBuffer>) -> Option<Printing> {
        Some(Printing {
            sites: self.prints.clone(),
            buffer: buffer?,
            groups: space.groups().ok()?,
        })
    }
}
