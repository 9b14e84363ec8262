//! Options of the compiler.

use flexgrip_isa::Capability;

/// Options of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// True if a fused multiply-add may become a multiply-add that truncates the product, as `-cl-mad-enable` allows.
    pub contract: bool,
    /// The maximum number of registers of a thread, 1 to 124; `None` is 124. Further values are spilled to local
    /// memory.
    pub registers: Option<u32>,
    /// True if grids may be larger than the machine's in a dimension, which takes several launches. The kernel then
    /// adds the first block of its launch to block indices: one or two further instructions.
    /// [`crate::launch::IndexSpace::needs_large_grid`] is true for index spaces that need this.
    pub large_grid: bool,
    /// True if `__local` memory may take all of shared memory. The kernel then reads its arguments at its entry, with a
    /// barrier after them. [`crate::Compiled::needs_whole_shared`] is true for arguments that need this; a kernel with
    /// `__local` variables of that size is always compiled like this.
    pub whole_shared: bool,
    /// True if `float` arguments of `printf` are passed as `double`. clang does so if the source uses doubles.
    pub promoted: bool,
    /// The compute capability of the device: the instructions that the code may use.
    pub capability: Capability,
    /// True to compile for a checker: threads only make accesses of the source. Otherwise a thread may make a load with
    /// an unused result.
    pub checked: bool,
}
