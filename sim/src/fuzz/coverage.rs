//! What random programs have reached: rows of the ISA table, their operands' forms, conditions, stack operations, and
//! hazards: what an instruction has to do with the three before it.

use super::generate::is_straight;
use flexgrip_isa::table::{Guard, Row, ROWS};
use flexgrip_isa::{decode, encode, Indirect, Marker, Part, Resource};
use flexgrip_model::{EntryKind, Retire, StackOperation};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// A thing that can be reached, as it is named in reports.
type Item = String;

/// Counts of everything that there is to reach.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    counts: BTreeMap<Item, u64>,
    /// Words met before.
    of_word: HashMap<u64, Known>,
    /// The latest words of each warp, by block and index.
    latest: HashMap<(u32, u32), VecDeque<u64>>,
}

fn row_name(row: &Row) -> String {
    format!("{} ({})", row.name, row.form().name())
}

/// Markers, as reports name them.
const EXIT: &str = "exit marker";
const JOIN: &str = "join marker";
/// Uses of address registers.
const INDEXED: &str = "address register";
const INCREMENTED: &str = "post-increment";
/// Warp instructions behind another one that may still be under way.
const NEAR: usize = 3;
/// What an instruction can have to do with an earlier one's results or operands.
const HAZARDS: [&str; 3] = ["read after write", "write after read", "write after write"];
/// Kinds of things that an instruction reads or writes, as reports name them.
const RESOURCES: [&str; 5] = [
    "register",
    "address register",
    "condition code",
    "shared memory",
    "global memory",
];

fn resource_name(resource: &Resource) -> Option<&'static str> {
    Some(match resource {
        Resource::Register { .. } => RESOURCES[0],
        Resource::Address(_) => RESOURCES[1],
        Resource::ConditionCode(_) => RESOURCES[2],
        Resource::Shared => RESOURCES[3],
        Resource::Global(_) => RESOURCES[4],
        _ => return None,
    })
}

/// Whether they have something in common.
fn meet(one: &Resource, other: &Resource) -> bool {
    match (one, other) {
        (Resource::Register { index, part }, Resource::Register { index: i, part: p }) => {
            index == i && (part == p || *part == Part::Full || *p == Part::Full)
        }
        _ => one == other,
    }
}

/// What is known of a word.
#[derive(Clone, Debug, Default)]
struct Known {
    items: Vec<Item>,
    reads: Vec<Resource>,
    writes: Vec<Resource>,
}

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
                    let operand = format!("{name}, operand {index}: {}", location.notation());
                    if location.indirect().is_some() {
                        counts.insert(format!("{operand}, {INDEXED}"), 0);
                        counts.insert(format!("{operand}, {INCREMENTED}"), 0);
                    }
                    counts.insert(operand, 0);
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
        for resource in RESOURCES {
            for hazard in HAZARDS {
                counts.insert(format!("hazard: {resource}, {hazard}"), 0);
            }
        }
        Coverage {
            counts,
            of_word: HashMap::new(),
            latest: HashMap::new(),
        }
    }

    /// A new program begins: nothing comes before its warps' first instructions.
    pub fn start_program(&mut self) {
        self.latest.clear();
    }

    /// Counts an executed instruction.
    pub fn record(&mut self, record: &Retire) {
        let known = self.of_word.entry(record.word).or_insert_with(|| known(record.word));
        for item in &known.items {
            if let Some(count) = self.counts.get_mut(item) {
                *count += 1;
            }
        }
        self.hazards(record);
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

    /// Counts what an instruction has to do with those of its warp just before it.
    fn hazards(&mut self, record: &Retire) {
        let latest = self.latest.entry((record.block, record.warp_in_block)).or_default();
        let own = &self.of_word[&record.word];
        for earlier in latest.iter().filter_map(|word| self.of_word.get(word)) {
            let pairs = [
                (&earlier.writes, &own.reads),
                (&earlier.reads, &own.writes),
                (&earlier.writes, &own.writes),
            ];
            for ((earlier, own), hazard) in pairs.into_iter().zip(HAZARDS) {
                for resource in own
                    .iter()
                    .filter(|own| earlier.iter().any(|earlier| meet(earlier, own)))
                {
                    let count = resource_name(resource)
                        .and_then(|resource| self.counts.get_mut(&format!("hazard: {resource}, {hazard}")));
                    if let Some(count) = count {
                        *count += 1;
                    }
                }
            }
        }
        latest.push_back(record.word);
        if latest.len() > NEAR {
            latest.pop_front();
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

fn known(word: u64) -> Known {
    let Ok(instruction) = decode(word) else {
        return Known::default();
    };
    let row = instruction.row();
    let name = row_name(row);
    let mut items = vec![name.clone()];
    for (index, slot) in row.slots.iter().enumerate() {
        let location = slot.location.resolve(encode(&instruction));
        let operand = format!("{name}, operand {index}: {}", location.notation());
        if location.indirect().is_some() {
            let indirect = instruction
                .sources()
                .iter()
                .flatten()
                .find_map(|operand| operand.indirect());
            match indirect {
                Some(Indirect {
                    post_increment: true, ..
                }) => items.push(format!("{operand}, {INCREMENTED}")),
                Some(_) => items.push(format!("{operand}, {INDEXED}")),
                None => {}
            }
        }
        items.push(operand);
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
    Known {
        items,
        reads: instruction.reads(),
        writes: instruction.writes(),
    }
}
