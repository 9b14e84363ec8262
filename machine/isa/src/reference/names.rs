//! The rows that make up an instruction, and their names.

use crate::table::manual::Section;
use crate::table::*;

/// The instruction that a mnemonic is a form of: `IADD` for `IADD32` and `IADD32I`.
pub(super) fn base(name: &str) -> &str {
    name.strip_suffix("32I")
        .or_else(|| name.strip_suffix("32"))
        .filter(|base| ROWS.iter().any(|row| row.name == *base))
        .unwrap_or(name)
}

/// All instructions, in the table's order, each form's name reduced to the instruction's.
pub fn instructions() -> Vec<&'static str> {
    let mut all = Vec::new();
    for row in ROWS {
        let base = base(row.name);
        if !all.contains(&base) {
            all.push(base);
        }
    }
    all
}

/// The rows of an instruction, `name` being one of [`instructions`].
pub(super) fn rows(name: &str) -> Vec<&'static Row> {
    ROWS.iter().filter(|row| base(row.name) == name).collect()
}

/// The mnemonic with the suffixes that all words of the row have.
pub(super) fn full_name(row: &Row) -> String {
    let mut name = row.name.to_string();
    for suffix in row.suffixes {
        if let Suffix::Fixed(fixed) = suffix {
            name.push('.');
            name.push_str(fixed);
        }
    }
    name
}

/// The title of a row's section: its full name and form and, if another row has the same, a fixed bit that differs
/// there.
pub fn heading(row: &Row) -> String {
    let plain = |row: &Row| format!("{}, {}", full_name(row), row.form().name());
    let name = plain(row);
    let twins = ROWS
        .iter()
        .filter(|other| !std::ptr::eq(*other, row) && plain(other) == name);
    let differing = twins.fold(0, |bits, other| {
        bits | (row.pattern.value ^ other.pattern.value) & row.pattern.mask & other.pattern.mask
    });
    match differing.trailing_zeros() {
        64 => name,
        bit => format!("{name}, bit {bit} is {}", row.pattern.value >> bit & 1),
    }
}

pub(super) fn executed(row: &Row) -> &'static str {
    match row.execution {
        Execution::Full => "yes",
        Execution::Only(_) => "in part",
        Execution::NotYet => "not yet",
    }
}

/// The sections of the manual about these rows.
pub(super) fn sections(rows: &[&'static Row]) -> Vec<&'static Section> {
    let mut all = Vec::new();
    for section in rows.iter().flat_map(|row| row.manual) {
        if !all.contains(section) {
            all.push(*section);
        }
    }
    all
}
