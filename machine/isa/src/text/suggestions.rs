//! Suggestions in error messages: names with a similar spelling, and valid alternatives.

use crate::table::field::Writer;
use crate::table::*;

/// The operands that a location accepts, in words, as far as the fields already set allow.
pub(super) fn expected(location: &Location, writer: &Writer) -> String {
    fn walk(location: &Location, writer: &Writer, kinds: &mut Vec<String>) {
        let kind = match *location {
            Location::Select(field, locations) => {
                for (value, location) in (0u32..).zip(locations) {
                    let mut trial = *writer;
                    if trial.set(field, value).is_ok() {
                        walk(location, &trial, kinds);
                    }
                }
                return;
            }
            Location::Word(_) => "a register".to_string(),
            Location::Pair(_) => "an even register (a pair)".to_string(),
            Location::Half(_) => "a register half (R0L, R0H)".to_string(),
            Location::Discard(_) => "o[0x7f]".to_string(),
            Location::Shared { .. } => "g[]".to_string(),
            Location::Constant { .. } => "c[][]".to_string(),
            Location::Local { .. } => "local[]".to_string(),
            Location::Global(..) => "global14[]".to_string(),
            Location::Number(_) | Location::FloatNumber(_) | Location::OptionalNumber(_) => "a number".to_string(),
            Location::Target(_) => "an address or a label".to_string(),
            Location::Address(_) => "an address register".to_string(),
            Location::ConditionCode(_) => "a condition-code register (C0)".to_string(),
            Location::Special(_) => "a special register (SR1)".to_string(),
            Location::Barrier(_) => "a barrier (b0)".to_string(),
            Location::Named(_, names) => {
                let names: Vec<_> = names.iter().flatten().copied().collect();
                format!("one of {}", names.join(" "))
            }
            Location::Condition(..) => "a condition (C0.NE)".to_string(),
            Location::Nothing | Location::Undefined => return,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut kinds = Vec::new();
    walk(location, writer, &mut kinds);
    if kinds.is_empty() {
        "nothing: the other operands exclude it".to_string()
    } else {
        kinds.join(" or ")
    }
}

/// All suffixes that may follow the row's name after a dot.
pub(super) fn suffixes(row: &Row) -> Vec<&'static str> {
    let mut suffixes = Vec::new();
    if row.form() == Form::Long {
        suffixes.extend(["S", "EXIT"]);
    }
    for suffix in row.suffixes {
        match *suffix {
            Suffix::Names(_, names) | Suffix::WithoutEffect(_, _, names) => {
                suffixes.extend(names.iter().flatten().filter(|name| !name.is_empty()))
            }
            Suffix::When(_, _, name) | Suffix::Fixed(name) => suffixes.push(name),
            Suffix::Alias(names) => suffixes.extend(names),
            Suffix::Code(_) => suffixes.extend(["C0", "C1", "C2", "C3"]),
            Suffix::Carry(..) => suffixes.extend(["CARRY0", "CARRY1", "CARRY2", "CARRY3"]),
            Suffix::Carry0(_) => suffixes.push("CARRY0"),
        }
    }
    if row.writes_cc {
        suffixes.extend(["C0", "C1", "C2", "C3"]);
    }
    suffixes
}

/// The nearest of `names` by edit distance, if it is close enough.
pub fn nearest<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // A long text is not a misspelt mnemonic, and the distance costs the product of the lengths.
    if text.len() > 32 {
        return None;
    }
    names
        .map(|name| (strsim::levenshtein(text, name), name))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, name)| distance <= 2 && distance < name.len())
        .map(|(_, name)| name)
}
