//! The rows that make up an instruction, and their names.

use crate::table::manual::Section;
use crate::table::*;

/// The instruction that a mnemonic is a form of: `IADD` for `IADD32` and `IADD32I`.
pub(super) fn base(name: &str) -> &str {
    name.strip_suffix("32I")
        .or_else(|| name.strip_suffix("32"))
        .filter(|base| all_rows().any(|row| row.name == *base))
        .unwrap_or(name)
}

/// All instructions, in the table's order, each form's name reduced to the instruction's.
pub fn instructions() -> Vec<&'static str> {
    let mut all = Vec::new();
    for row in all_rows() {
        let base = base(row.name);
        if !all.contains(&base) {
            all.push(base);
        }
    }
    all
}

/// The rows of an instruction, `name` being one of [`instructions`].
pub(super) fn rows(name: &str) -> Vec<&'static Row> {
    all_rows().filter(|row| base(row.name) == name).collect()
}

/// The mnemonic with the suffixes that all words of the row have.
pub(super) fn full_name(row: &Row) -> String {
    let mut name = row.name.to_string();
    for suffix in row.suffixes {
        if let Suffix::Fixed(fixed) | Suffix::Alias([fixed, ..]) = suffix {
            name.push('.');
            name.push_str(fixed);
        }
    }
    name
}

/// True for a row that only later capabilities than 1.0 have.
pub(super) fn is_later(row: &Row) -> bool {
    LATER_ROWS.iter().any(|later| std::ptr::eq(later, row))
}

/// The title of a row's section: its full name and form, and the capability if it is later than 1.0. If other rows
/// have the same title, also one fixed bit in which all of them differ, or several bits.
pub fn heading(row: &Row) -> String {
    let plain = |row: &Row| {
        let since = if is_later(row) {
            format!(", since {}", row.since)
        } else {
            String::new()
        };
        format!("{}, {}{since}", full_name(row), row.form().name())
    };
    let name = plain(row);
    let twins: Vec<&Row> = all_rows()
        .filter(|other| !std::ptr::eq(*other, row) && plain(other) == name)
        .collect();
    let differing = |other: &&Row| (row.pattern.value ^ other.pattern.value) & row.pattern.mask & other.pattern.mask;
    let mut bits = twins.iter().map(differing).fold(0, |bits, differing| bits | differing);
    let lowest = bits & bits.wrapping_neg();
    if twins.iter().all(|other| differing(other) & lowest != 0) {
        bits = lowest;
    }
    let bits = (0..64).filter(|bit| bits >> bit & 1 != 0);
    bits.fold(name, |name, bit| {
        format!("{name}, bit {bit} is {}", row.pattern.value >> bit & 1)
    })
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
