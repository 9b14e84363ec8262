//! Input and output of the front end.

use crate::options::Options;

/// An OpenCL C source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// The name in messages and lines. It need not be a file: it is not opened.
    pub name: &'a str,
    /// The text, in UTF-8 or an encoding like Latin-1; clang accepts bytes that are not UTF-8 in comments and strings.
    pub text: &'a [u8],
}

/// The output of clang.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ptx {
    /// PTX with `.loc` lines.
    pub text: String,
    /// Clang's warnings; empty if there are none.
    pub log: String,
    /// Options for the back end. `contract` is always true: a fused multiply-add in this PTX comes from `mad` or a
    /// contracted expression, never from `fma`, which is computed with integers.
    pub options: Options,
}
