//! LLVM IR of clang as text: facts that clang omits from the PTX, and changes that its nvptx back end needs.
//!
//! ```text
//! arguments       the declarations of parameters
//! group_size      reqd_work_group_size
//! tables          initial values of tables with padding
//! compares        comparisons of two-element vectors, by element if clang cannot compile them
//! unwritten       uninitialised variables, for a checker
//! representation  the scanner: the end of a value, bracket or string
//! ```

pub(super) mod arguments;
pub(super) mod compares;
pub(super) mod group_size;
mod representation;
pub(super) mod tables;
pub(super) mod unwritten;
