//! Calls of `printf` in the graph under construction.

use super::types::{BlockIndex, Value};
use crate::error::SourceLocation;

/// A call of `printf` before its expansion.
pub(super) struct PrintCall {
    /// The block that ends with the call.
    pub block: BlockIndex,
    /// The block where the kernel continues.
    pub after: BlockIndex,
    /// The format's address.
    pub format: Value,
    pub arguments: Passing,
    pub result: Option<Value>,
    pub place: SourceLocation,
}

/// The way in which a call passes the arguments after the format.
pub(super) enum Passing {
    /// In a struct in memory at this address; each argument is at a multiple of its alignment.
    Struct(Value),
    /// In registers: the words of each argument.
    Words(Vec<Vec<Value>>),
}
