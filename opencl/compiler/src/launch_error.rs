//! Errors in the arguments and the index space of a launch, and the limits of work-groups that they name.

use flexgrip_machine::sizes::MAX_GRID;
use thiserror::Error;

/// The maximum number of work-items of a work-group, as on the G80. Each may then have 32 registers.
pub const WORK_GROUP: u32 = 512;
/// The maximum number of work-items of a work-group in each dimension.
pub const WORK_ITEMS: [u32; 3] = [WORK_GROUP, WORK_GROUP, 64];

/// An error in the arguments or the index space of a launch.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentError {
    /// Too few or too many arguments.
    #[error("the kernel {kernel} takes {expected} arguments; found {found}")]
    Count {
        /// The kernel's name.
        kernel: String,
        /// The number of parameters.
        expected: usize,
        /// The number of arguments given.
        found: usize,
    },
    /// The size of an argument differs from the parameter's.
    #[error("argument {index} ({name}) takes {expected} bytes; found {found}")]
    Size {
        /// The argument, from 0.
        index: usize,
        /// The parameter's name.
        name: String,
        /// The parameter's size in bytes.
        expected: u32,
        /// The argument's size in bytes.
        found: usize,
    },
    /// A value for a pointer to `__local` memory, or a size of `__local` memory for another parameter.
    #[error("argument {index} ({name}) {expected}")]
    Kind {
        /// The argument, from 0.
        index: usize,
        /// The parameter's name.
        name: String,
        /// The kind of argument that the parameter needs.
        expected: &'static str,
    },
    /// The index space is not a whole number of groups in a dimension.
    #[error("global size {global} in dimension {dimension} is not a multiple of the local size {local}; both must be at least 1")]
    IndexSpace {
        /// The dimension, from 0.
        dimension: usize,
        /// The work-items in this dimension.
        global: u32,
        /// The work-items of a group in this dimension.
        local: u32,
    },
    /// A group has more work-items than the device supports.
    #[error(
        "a work-group of {}x{}x{} work-items; expected at most {WORK_GROUP} in all, and {}, {} and {} in x, y and z",
        local[0], local[1], local[2], WORK_ITEMS[0], WORK_ITEMS[1], WORK_ITEMS[2]
    )]
    WorkGroup {
        /// Work-items in each dimension.
        local: [u32; 3],
    },
    /// The size of groups differs from the size that the source requires.
    #[error("a work-group of {found:?} work-items; expected the kernel's reqd_work_group_size, {required:?}")]
    Required {
        /// The size that the source requires.
        required: [u32; 3],
        /// The size given.
        found: [u32; 3],
    },
    /// More groups than fit in the machine's grid, for a kernel that was not compiled for large grids.
    #[error("more than {MAX_GRID} work-groups in a dimension; the kernel must be compiled for large grids")]
    LargeGrid,
    /// The `__local` memory has more than 2^32 - 1 bytes. The launch checks smaller sizes.
    #[error("the __local arguments need more than 4 GiB")]
    Local,
    /// The kernel calls `printf`, and there is no buffer.
    #[error("the kernel calls printf; expected a buffer for its output")]
    Printf,
}
