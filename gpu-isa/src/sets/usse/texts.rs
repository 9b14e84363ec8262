//! Tables that only the assembler uses.

use crate::index::Built;
use crate::set::{Lengths, Row, Set};

/// A table that only the assembler uses.
pub(super) const fn texts(name: &'static str, title: &'static str, rows: &'static [&'static [Row]]) -> Set {
    Set {
        name,
        title,
        version: 0,
        unit: 8,
        lengths: Lengths::Table(&[(0, 0, 8)]),
        rows,
        control: None,
        ports: &[],
        dropped: &[],
        synonyms: &[],
        notes: &[],
        open: &[],
        sources: &[],
        built: Built::new(),
    }
}
