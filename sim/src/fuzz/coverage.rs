//! What random programs have reached: rows of the ISA table, their operands' forms, the values of the fields that decide
//! what they do, conditions, stack operations, and hazards: what an instruction has to do with those just before it.

use crate::engines::counters::{total, SmCounters};
use flexgrip_isa::table::{Execution, Guard, Location, Row, Suffix, Unit, CC_ENABLE, MARKER, ROWS};
use flexgrip_isa::{decode, encode, Condition, Field, Indirect, Instruction, Kind, Marker, Operation, Part, Resource};
use flexgrip_machine::host_map::SmCounter;
use flexgrip_machine::{EntryKind, Retire, StackOperation};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};

/// Whether random instructions are made of this row: it is executed, and neither branches nor accesses global memory.
pub fn is_straight(row: &Row) -> bool {
    let lanes = matches!(row.unit, Unit::Integer | Unit::Float | Unit::SpecialFunction);
    row.executes() && lanes || matches!(row.name, "NOP" | "PMTRIG" | "R2G" | "MVC")
}

/// A thing that can be reached, as it is named in reports.
pub type Item = String;

/// Counts of everything that there is to reach.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// In the order of reports.
    items: Vec<(Item, u64)>,
    index: HashMap<Item, usize>,
    /// Where hazards are counted: by hazard and resource; by hazard, unit of the earlier instruction and own unit.
    resource_hazards: Vec<Vec<usize>>,
    unit_hazards: Vec<Vec<Vec<usize>>>,
    /// Words met before.
    of_word: HashMap<u64, Known>,
    /// The latest words of each warp, by block and index.
    latest: HashMap<(u32, u32), VecDeque<u64>>,
    /// The latest instruction of all warps.
    last: Option<Issued>,
    /// Cycles between an instruction's first beat and its last.
    beats: u64,
    /// Warp instructions of each unit, at its place in [`Unit::ALL`].
    of_unit: [u64; Unit::ALL.len()],
    float_results: FloatResults,
}

/// What kinds of numbers the threads' results in 32-bit floats were: a measure of how much they say.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct FloatResults {
    /// Other than the following.
    pub numbers: u64,
    /// Zeros.
    pub zeros: u64,
    /// Infinities.
    pub infinities: u64,
    /// NaNs.
    pub nans: u64,
}

/// An instruction that was issued.
#[derive(Clone, Copy, Debug)]
struct Issued {
    block: u32,
    warp: u32,
    unit: Unit,
    cycle: u64,
}

/// What reports call a row: with those parts of the mnemonic that it always has.
fn row_name(row: &Row) -> String {
    let mut name = row.name.to_string();
    for suffix in row.suffixes {
        if let Suffix::Fixed(part) = suffix {
            name.push('.');
            name.push_str(part);
        }
    }
    format!("{name} ({})", row.form().name())
}

/// Uses of address registers.
const INDEXED: &str = "address register";
const INCREMENTED: &str = "post-increment";
/// A row's instruction with a condition.
const CONDITION: &str = "condition";
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
/// Units whose results and operands go different ways to and from the registers.
const UNITS: [Unit; 4] = [Unit::Integer, Unit::Float, Unit::SpecialFunction, Unit::Memory];
/// Units that a marked instruction is of.
const MARKED_UNITS: [Unit; 3] = [Unit::Integer, Unit::Float, Unit::SpecialFunction];

// What only two ways through the lanes, and a third beside them, bring about.
const PORT_SAME: &str = "hazard: integer lanes so close behind float lanes that results would meet, same warp";
const PORT_OTHER: &str = "hazard: integer lanes so close behind float lanes that results would meet, another warp";
const SPECIAL_AT_ONCE: &str = "hazard: special function's result is used by the next instruction";
const SPECIAL_QUEUE: &str = "hazard: special function waits while the queue is full";
const CODE_AT_ONCE: &str = "hazard: float condition code decides the next instruction";
const REDUCED: [(&str, &str); 3] = [
    ("SIN", "operand from RRO: SIN"),
    ("COS", "operand from RRO: COS"),
    ("EX2", "operand from RRO: EX2"),
];

fn unit_hazard(earlier: Unit, own: Unit, hazard: &str) -> Item {
    format!("hazard: register, {hazard}: {own} behind {earlier}")
}

fn resource_hazard(resource: &str, hazard: &str) -> Item {
    format!("hazard: {resource}, {hazard}")
}

fn marked(marker: Marker, unit: Unit) -> Option<Item> {
    match marker {
        Marker::None => None,
        Marker::Exit => Some(format!("exit marker: {unit}")),
        Marker::Join => Some(format!("join marker: {unit}")),
    }
}

/// Its kind's place in [`RESOURCES`].
fn resource_kind(resource: &Resource) -> Option<usize> {
    Some(match resource {
        Resource::Register { .. } => 0,
        Resource::Address(_) => 1,
        Resource::ConditionCode(_) => 2,
        Resource::Shared => 3,
        Resource::Global(_) => 4,
        _ => return None,
    })
}

/// Its place in [`UNITS`].
fn unit_place(unit: Unit) -> Option<usize> {
    UNITS.iter().position(|&other| other == unit)
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

/// A field's value, in a row's words.
fn value_item(name: &str, field: Field, value: u32) -> Item {
    let meaning = match field.kind {
        Kind::Choice(words) => words.get(value as usize).copied().unwrap_or("undefined"),
        _ if value == 0 => "no",
        _ => "yes",
    };
    format!("{name}, {}: {meaning}", field.name)
}

/// The fields of a row that decide what its instructions do, beside those that say where operands are: what the
/// mnemonic's suffixes, the operands' marks, names and access sizes show.
fn deciding_fields(row: &Row) -> Vec<Field> {
    let suffixes = row.suffixes.iter().filter_map(|suffix| match *suffix {
        Suffix::Names(field, _) | Suffix::When(field, ..) | Suffix::Carry(field, _) | Suffix::Carry0(field) => {
            Some(field)
        }
        Suffix::Fixed(_) => None,
    });
    let marks = row.slots.iter().flat_map(|slot| slot.marks).map(|&(_, field, _)| field);
    let shown: Vec<Field> = suffixes.chain(marks).collect();
    let mut fields = row.fields();
    fields.retain(|field| match field.kind {
        Kind::Choice(_) => *field != MARKER,
        Kind::Flag => *field != CC_ENABLE && shown.contains(field),
        _ => false,
    });
    fields
}

/// The values of a deciding field that are defined and executed.
fn values(row: &Row, field: Field) -> Vec<u32> {
    let suffixes = row.suffixes.iter().filter_map(|suffix| match *suffix {
        Suffix::Names(of, names) => Some((of, names)),
        _ => None,
    });
    let named = row.slots.iter().filter_map(|slot| match slot.location {
        Location::Named(of, names) => Some((of, names)),
        _ => None,
    });
    let names: Vec<_> = suffixes.chain(named).filter(|(of, _)| *of == field).collect();
    let defined = |value: u32| {
        let worded = match field.kind {
            Kind::Choice(words) => words.get(value as usize).is_some_and(|word| !word.is_empty()),
            _ => true,
        };
        let executed = match row.execution {
            Execution::Only(restrictions) => restrictions
                .iter()
                .all(|(of, values)| *of != field || values.contains(&value)),
            _ => true,
        };
        let named = names
            .iter()
            .all(|(_, names)| names.get(value as usize).is_some_and(Option::is_some));
        worded && executed && named
    };
    (0..1 << field.width()).filter(|&value| defined(value)).collect()
}

/// Everything to reach with the instructions of one row of those that random instructions are made of, without
/// repetition.
pub fn row_items(row: &Row) -> Vec<Item> {
    let name = row_name(row);
    let mut items = vec![name.clone()];
    let mut add = |item: Item| {
        if !items.contains(&item) {
            items.push(item);
        }
    };
    for (index, slot) in row.slots.iter().enumerate() {
        for location in slot.location.alternatives() {
            let operand = format!("{name}, operand {index}: {}", location.notation());
            if location.indirect().is_some() {
                add(format!("{operand}, {INDEXED}"));
                add(format!("{operand}, {INCREMENTED}"));
            }
            add(operand);
        }
    }
    for field in deciding_fields(row) {
        for value in values(row, field) {
            add(value_item(&name, field, value));
        }
    }
    if row.guard == Guard::Conditional {
        add(format!("{name}, {CONDITION}"));
    }
    if row.writes_cc {
        add(format!("{name}, condition code written"));
    }
    items
}

/// Whether the item is an instruction with a condition.
pub fn is_conditional(item: &str) -> bool {
    item.ends_with(&format!(", {CONDITION}"))
}

/// Whether the item is a use of an address register; whether one with post-increment.
pub fn address_use(item: &str) -> Option<bool> {
    let ends = |with| item.ends_with(&format!(", {with}"));
    (ends(INDEXED) || ends(INCREMENTED)).then(|| ends(INCREMENTED))
}

/// What an instruction reaches of what [`row_items`] gives for its row.
pub fn instruction_items(instruction: &Instruction) -> Vec<Item> {
    let row = instruction.row();
    let word = encode(instruction);
    let name = row_name(row);
    let mut items = vec![name.clone()];
    for (index, slot) in row.slots.iter().enumerate() {
        let location = slot.location.resolve(word);
        let operand = format!("{name}, operand {index}: {}", location.notation());
        if location.indirect().is_some() {
            match indirect(instruction) {
                Some(Indirect {
                    post_increment: true, ..
                }) => items.push(format!("{operand}, {INCREMENTED}")),
                Some(_) => items.push(format!("{operand}, {INDEXED}")),
                None => {}
            }
        }
        items.push(operand);
    }
    let meaningful = row.fields_of(word);
    for field in deciding_fields(row) {
        if meaningful.contains(&field) {
            items.push(value_item(&name, field, field.get(word)));
        }
    }
    if instruction.predicate().condition != Condition::True {
        items.push(format!("{name}, {CONDITION}"));
    }
    if instruction.cc_write().is_some() {
        items.push(format!("{name}, condition code written"));
    }
    items
}

fn indirect(instruction: &Instruction) -> Option<Indirect> {
    instruction
        .sources()
        .iter()
        .flatten()
        .find_map(|operand| operand.indirect())
}

/// What is known of a word.
#[derive(Clone, Debug)]
struct Known {
    unit: Unit,
    /// Operands of each thread's own: it leaves the pipeline's order of issue for the collector.
    collects: bool,
    /// Its row's name, RRO's with the kind.
    name: &'static str,
    /// Its result is a 32-bit float that it has computed.
    float_result: bool,
    items: Vec<usize>,
    reads: Vec<Resource>,
    writes: Vec<Resource>,
    /// What decides whether a thread executes it.
    condition: Option<Resource>,
}

impl Coverage {
    /// Everything there is, nothing of it reached.
    pub fn new() -> Self {
        let mut items = Vec::new();
        for row in ROWS.iter().filter(|row| row.executes()) {
            // Those end a run with an error.
            if matches!(row.name, "TRAP" | "TRAP32" | "BPT" | "BPT32") {
                continue;
            }
            if is_straight(row) {
                items.extend(row_items(row));
            } else {
                items.push(row_name(row));
            }
        }
        for unit in MARKED_UNITS {
            items.extend(marked(Marker::Exit, unit));
            items.extend(marked(Marker::Join, unit));
        }
        for kind in EntryKind::ALL.map(EntryKind::name) {
            items.push(format!("push of {kind}"));
            items.push(format!("pop of {kind}"));
        }
        for hazard in HAZARDS {
            items.extend(RESOURCES.map(|resource| resource_hazard(resource, hazard)));
            for earlier in UNITS {
                items.extend(UNITS.map(|own| unit_hazard(earlier, own, hazard)));
            }
        }
        items.extend([PORT_SAME, PORT_OTHER, SPECIAL_AT_ONCE, SPECIAL_QUEUE, CODE_AT_ONCE].map(Item::from));
        items.extend(REDUCED.map(|(_, item)| item.into()));
        items.sort();
        items.dedup();
        let index: HashMap<Item, usize> = items.iter().cloned().zip(0..).collect();
        let by_resource = |hazard| {
            RESOURCES
                .map(|resource| index[&resource_hazard(resource, hazard)])
                .to_vec()
        };
        let by_unit = |hazard| {
            UNITS
                .map(|earlier| UNITS.map(|own| index[&unit_hazard(earlier, own, hazard)]).to_vec())
                .to_vec()
        };
        Coverage {
            resource_hazards: HAZARDS.map(by_resource).to_vec(),
            unit_hazards: HAZARDS.map(by_unit).to_vec(),
            index,
            items: items.into_iter().map(|item| (item, 0)).collect(),
            ..Coverage::default()
        }
    }

    /// A new program begins, on a machine with so many lanes: nothing comes before its warps' first instructions.
    pub fn start_program(&mut self, lanes: u32) {
        self.latest.clear();
        self.last = None;
        self.beats = u64::from(32 / lanes.max(1));
    }

    /// Counts what a program's run counted itself.
    pub fn end_program(&mut self, counters: &[SmCounters]) {
        self.add(SPECIAL_QUEUE, total(counters, SmCounter::SpecialFunction));
    }

    fn add(&mut self, item: &str, count: u64) {
        if let Some(&index) = self.index.get(item) {
            self.items[index].1 += count;
        }
    }

    fn known(&self, word: u64) -> Option<Known> {
        let instruction = decode(word).ok()?;
        let row = instruction.row();
        let mut items = instruction_items(&instruction);
        items.extend(marked(instruction.marker(), row.unit));
        let indexes = items.iter().filter_map(|item| self.index.get(item).copied());
        let name = match instruction.operation() {
            Operation::Rro { ex2: true, .. } => "RRO.EX2",
            Operation::Rro { ex2: false, .. } => "RRO.SIN",
            _ => row.name,
        };
        let predicate = instruction.predicate();
        Some(Known {
            unit: row.unit,
            collects: indirect(&instruction).is_some() || matches!(row.name, "MVC" | "R2G"),
            name,
            float_result: row.unit == Unit::SpecialFunction
                || ["FADD", "FMUL", "FMAD"].iter().any(|start| row.name.starts_with(start)),
            items: indexes.collect(),
            reads: instruction.reads(),
            writes: instruction.writes(),
            condition: (!matches!(predicate.condition, Condition::True | Condition::False))
                .then_some(Resource::ConditionCode(predicate.register)),
        })
    }

    /// Counts an executed instruction.
    pub fn record(&mut self, record: &Retire) {
        if !self.of_word.contains_key(&record.word) {
            let Some(known) = self.known(record.word) else { return };
            self.of_word.insert(record.word, known);
        }
        let known = &self.of_word[&record.word];
        self.of_unit[known.unit as usize] += 1;
        if let (true, Some(destination)) = (known.float_result, &record.destination) {
            let results = &mut self.float_results;
            for (lane, &value) in destination.values.iter().enumerate() {
                let magnitude = value & 0x7fff_ffff;
                let count = match magnitude {
                    0 => &mut results.zeros,
                    0x7f80_0000 => &mut results.infinities,
                    0x7f80_0001.. => &mut results.nans,
                    _ => &mut results.numbers,
                };
                *count += u64::from(record.executed >> lane & 1);
            }
        }
        // Where no thread executes it, it shows nothing.
        if record.executed != 0 {
            for &index in &known.items {
                self.items[index].1 += 1;
            }
        }
        self.hazards(record);
        for operation in &record.stack {
            let (verb, entry) = match operation {
                StackOperation::Push(entry) => ("push", entry),
                StackOperation::Pop(entry) => ("pop", entry),
            };
            self.add(&format!("{verb} of {}", entry.kind.name()), 1);
        }
    }

    /// Counts what an instruction has to do with those just before it.
    fn hazards(&mut self, record: &Retire) {
        let mut found = Vec::new();
        let own = &self.of_word[&record.word];
        let latest = self.latest.entry((record.block, record.warp_in_block)).or_default();
        for earlier in latest.iter().filter_map(|word| self.of_word.get(word)) {
            let pairs = [
                (&earlier.writes, &own.reads),
                (&earlier.reads, &own.writes),
                (&earlier.writes, &own.writes),
            ];
            for ((first, second), hazard) in pairs.into_iter().zip(0..) {
                for resource in second
                    .iter()
                    .filter(|second| first.iter().any(|first| meet(first, second)))
                {
                    let Some(kind) = resource_kind(resource) else { continue };
                    found.push(self.resource_hazards[hazard][kind]);
                    let units = (unit_place(earlier.unit), unit_place(own.unit));
                    if let (Resource::Register { .. }, (Some(earlier), Some(own))) = (resource, units) {
                        found.push(self.unit_hazards[hazard][earlier][own]);
                    }
                }
            }
        }
        let mut hit = |item: &str| found.extend(self.index.get(item).copied());
        if let Some(before) = latest.back().and_then(|word| self.of_word.get(word)) {
            let uses = own.reads.iter().any(|own| {
                matches!(own, Resource::Register { .. }) && before.writes.iter().any(|before| meet(before, own))
            });
            if before.unit == Unit::SpecialFunction && uses {
                hit(SPECIAL_AT_ONCE);
            }
            let decided = own.condition.is_some_and(|code| before.writes.contains(&code));
            if before.unit == Unit::Float && decided {
                hit(CODE_AT_ONCE);
            }
            let reduction = if own.name == "EX2" { "RRO.EX2" } else { "RRO.SIN" };
            for (name, item) in REDUCED {
                if own.name == name && before.name == reduction && uses {
                    hit(item);
                }
            }
        }
        let issued = record.issue_cycle.filter(|_| !own.collects).map(|cycle| Issued {
            block: record.block,
            warp: record.warp_in_block,
            unit: own.unit,
            cycle,
        });
        if let (Some(last), Some(issued)) = (self.last, issued) {
            // The float's last beat is less than four steps ahead of the integer's first, so that a later beat of the
            // integer's would come to the write port together with one of the float's.
            let close = issued.cycle.saturating_sub(last.cycle) < self.beats + 4;
            if last.unit == Unit::Float && issued.unit == Unit::Integer && close {
                let same = (last.block, last.warp) == (issued.block, issued.warp);
                hit(if same { PORT_SAME } else { PORT_OTHER });
            }
        }
        self.last = issued;
        latest.push_back(record.word);
        if latest.len() > NEAR {
            latest.pop_front();
        }
        for index in found {
            self.items[index].1 += 1;
        }
    }

    /// Warp instructions of a unit.
    pub fn instructions_of(&self, unit: Unit) -> u64 {
        self.of_unit[unit as usize]
    }

    /// Warp instructions of the float lanes and the special function units.
    pub fn float_instructions(&self) -> u64 {
        self.instructions_of(Unit::Float) + self.instructions_of(Unit::SpecialFunction)
    }

    /// What the threads' results were.
    pub fn float_results(&self) -> FloatResults {
        self.float_results
    }

    /// How many things there are.
    pub fn all(&self) -> usize {
        self.items.len()
    }

    /// Those that were not reached.
    pub fn missing(&self) -> Vec<&str> {
        self.items
            .iter()
            .filter(|(_, count)| *count == 0)
            .map(|(item, _)| item.as_str())
            .collect()
    }
}
