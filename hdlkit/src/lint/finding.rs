//! Findings of the lint, with their locations in the source.

use std::fmt;

/// A fault of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The block, such as `top.lanes[0].alu`; the first of equal blocks.
    pub path: String,
    /// The statement or signal, as in the source.
    pub statement: String,
    /// The rule that is broken.
    pub reason: String,
    /// File and line of the statement, if the compiler provides them.
    pub place: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}", self.path)?;
        if !self.statement.is_empty() {
            write!(f, ": `{}`", self.statement)?;
        }
        write!(f, ": {}", self.reason)
    }
}
