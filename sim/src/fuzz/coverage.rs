//! What random programs have reached: rows of the ISA table, their operands' forms, conditions, and stack operations.

use super::generate::is_straight;
use flexgrip_isa::table::{Guard, Row, ROWS};
use flexgrip_isa::{decode, encode, Marker};
use flexgrip_model::{EntryKind, Retire, StackOperation};
use std::collections::{BTreeMap, HashMap};

/// A thing that can be reached, as it is named in reports.
type Item = String;

/// Counts of everything that there is to reach.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    counts: BTreeMap<Item, u64>,
    /// The items of words met before.
    of_word: HashMap<u64, Vec<Item>>,
}

fn row_name(row: &Row) -> String {
    format!("{} ({})", row.name, row.form().name())
}

/// Markers, as reports name them.
const EXIT: &str = "exit marker";
const JOIN: &str = "join marker";

impl Coverage {
    /// Everything there is, nothing of it reached.
    pub fn new() -> Self {
        let mut counts = BTreeMap::new();
        for row in ROWS.iter().filter(|row| row.executes()) {
            // Those end a run with an error.
            if matches!(row.name, "TRAP" | "TRAP32" | "BPT" | "BPT32") {
                continue;
            }
            let name = row_name(row);
            counts.insert(name.clone(), 0);
            if !is_straight(row) {
                continue;
            }
            for (index, slot) in row.slots.iter().enumerate() {
                for location in slot.location.alternatives() {
                    counts.insert(format!("{name}, operand {index}: {}", location.notation()), 0);
                }
            }
            if row.guard == Guard::Conditional {
                counts.insert(format!("{name}, condition"), 0);
            }
            if row.writes_cc {
                counts.insert(format!("{name}, condition code written"), 0);
            }
        }
        counts.extend([(EXIT.into(), 0), (JOIN.into(), 0)]);
        for kind in EntryKind::ALL.map(EntryKind::name) {
            counts.insert(format!("push of {kind}"), 0);
            counts.insert(format!("pop of {kind}"), 0);
        }
        Coverage {
            counts,
            of_word: HashMap::new(),
        }
    }

    /// Counts an executed instruction.
    pub fn record(&mut self, record: &Retire) {
        let items = self.of_word.entry(record.word).or_insert_with(|| items(record.word));
        for item in items {
            if let Some(count) = self.counts.get_mut(item) {
                *count += 1;
            }
        }
        for operation in &record.stack {
            let (verb, entry) = match operation {
                StackOperation::Push(entry) => ("push", entry),
                StackOperation::Pop(entry) => ("pop", entry),
            };
            if let Some(count) = self.counts.get_mut(&format!("{verb} of {}", entry.kind.name())) {
                *count += 1;
            }
        }
    }

    /// How many things there are.
    pub fn all(&self) -> usize {
        self.counts.len()
    }

    /// Those that were not reached.
    pub fn missing(&self) -> Vec<&str> {
        self.counts
            .iter()
            .filter(|(_, &count)| count == 0)
            .map(|(item, _)| item.as_str())
            .collect()
    }
}

fn items(word: u64) -> Vec<Item> {
    let Ok(instruction) = decode(word) else {
        return Vec::new();
    };
    let row = instruction.row();
    let name = row_name(row);
    let mut items = vec![name.clone()];
    for (index, slot) in row.slots.iter().enumerate() {
        let location = slot.location.resolve(encode(&instruction));
        items.push(format!("{name}, operand {index}: {}", location.notation()));
    }
    if instruction.predicate().condition != flexgrip_isa::Condition::True {
        items.push(format!("{name}, condition"));
    }
    match instruction.marker() {
        Marker::None => {}
        Marker::Exit => items.push(EXIT.into()),
        Marker::Join => items.push(JOIN.into()),
    }
    if instruction.cc_write().is_some() {
        items.push(format!("{name}, condition code written"));
    }
    items
}
