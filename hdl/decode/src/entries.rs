//! The executed rows as entries of the decoder, with all their flags and checks.

use super::control::Control;
use super::entry::{Check, Entry};
use super::source::name_of;
use super::table::control_of;
use super::words::{pieces, residue, shares_key, value_of};
use flexgrip_isa::table::{Execution, Guard, Location, Row, Suffix, ROWS};
use flexgrip_isa::Field;

impl Entry {
    fn new(row: &'static Row, control: Control, name: String) -> Self {
        let mut entry = Entry { row, control, name, flags: Default::default(), checks: vec![] };
        entry.operands();
        if row.writes_cc {
            entry.set("result", "sets_cc");
        }
        if row.guard == Guard::Conditional {
            entry.set("result", "guarded");
        }
        for line in control.sets {
            entry.set("lines", name_of(line));
        }
        for reading in control.reads {
            if reading.field(row.form()).is_none() {
                entry.fail(&format!("read {} in a word of this form", reading.name));
            }
            entry.set("lines", reading.name);
        }
        entry.undefined();
        entry
    }

    fn check(&mut self, name: &str, field: &[(u32, u32)], values: Vec<u32>) {
        let name = format!("checks_{}_{}", identifier(name), field[0].0);
        self.set("undefined", &name);
        let parts = field.to_vec();
        self.checks.push(Check { name, parts, values });
    }

    fn undefined(&mut self) {
        let names = |names: &[Option<&str>]| -> Vec<u32> {
            (0..).zip(names).filter(|(_, name)| name.is_some()).map(|(value, _)| value).collect()
        };
        let mut named: Vec<(Field, Vec<u32>)> = vec![];
        for suffix in self.row.suffixes {
            if let Suffix::Names(field, known) = suffix {
                named.push((*field, names(known)));
            }
        }
        for slot in self.row.slots {
            if let Location::Named(field, known) = slot.location {
                named.push((field, names(known)));
            }
        }
        if let Execution::Only(only) = self.row.execution {
            named.extend(only.iter().map(|(field, values)| (*field, values.to_vec())));
        }
        for (field, values) in named {
            if values.len() < 1 << field.width() {
                self.check(field.name, field.parts, values);
            }
        }
    }
}

/// `text` as an identifier.
fn identifier(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_").to_ascii_lowercase()
}

/// The executed rows, with the field names that they have in a kernel.
pub(super) fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = vec![];
    for row in ROWS.iter().filter(|row| row.executes()) {
        let fixed = row.suffixes.iter().filter_map(|suffix| match suffix {
            Suffix::Fixed(text) => Some(*text),
            _ => None,
        });
        let base = identifier(&std::iter::once(row.name).chain(fixed).collect::<Vec<_>>().join("_"));
        let control = control_of(row).unwrap_or_else(|error| panic!("{error}"));
        let set = control.sets.last().map_or("", |path| name_of(path));
        let opcode = |row: &Row| row.pattern.value >> 28 & 15;
        let first = entries.iter().find(|entry| entry.name == base);
        let other_opcode = first.is_some_and(|first| opcode(first.row) != opcode(row));
        let by_opcode = if other_opcode { format!("{base}_{:x}", opcode(row)) } else { base.clone() };
        let candidates = [base.clone(), by_opcode, format!("{base}_{set}")];
        let taken = |name: &String| entries.iter().any(|entry| entry.name == *name);
        let name = candidates.into_iter().find(|name| !taken(name) && !name.ends_with('_'));
        let name = name.unwrap_or_else(|| panic!("two rows are called {base}"));
        entries.push(Entry::new(row, control, name));
    }
    // Checks of fixed bits outside the key. The key alone does not distinguish such a word from other rows' words.
    let own: Vec<(usize, Check)> = (0..entries.len())
        .filter_map(|index| {
            let row = entries[index].row;
            let alike = |other: &&Entry| shares_key(row, other.row);
            let others: Vec<&Entry> = entries.iter().filter(alike).collect();
            let mask = others.iter().fold(0, |mask, other| mask | residue(other.row));
            let parts = pieces(mask);
            let width: u32 = parts.iter().map(|(_, width)| width).sum();
            let covered = |value: &u32| {
                others.iter().any(|other| {
                    let (mask, fixed) =
                        (value_of(&parts, residue(other.row)), value_of(&parts, other.row.pattern.value));
                    (*value ^ fixed) & mask == 0
                })
            };
            let values: Vec<u32> = (0..1 << width).filter(covered).collect();
            let whole = values.len() == 1 << width;
            (!whole).then(|| {
                let parts = parts.clone();
                (index, Check { name: format!("checks_fixed_{}", parts[0].0), parts, values })
            })
        })
        .collect();
    for (index, check) in own {
        entries[index].set("undefined", &check.name);
        entries[index].checks.push(check);
    }
    entries
}
