//! Coverage of random programs: rows of the ISA table, forms of their operands, values of the fields that select the
//! operation, conditions, stack operations, and hazards between nearby instructions.

use flexgrip_engines::outcome::counters::{total, SmCounters};
use flexgrip_isa::table::{rows_at, Execution, Guard, Location, Row, Suffix, Unit, CC_ENABLE, MARKER};
use flexgrip_isa::{
    decode_at, encode, Capability, Condition, Field, Indirect, Instruction, Kind, Marker, Operation, RegisterPart,
    Resource,
};
use flexgrip_machine::host_map::SmCounter;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::{EntryKind, Retire, StackOperation};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};

/// True if random instructions are made from this row: it is executed, and neither branches nor accesses global memory.
pub fn is_straight(row: &Row) -> bool {
    let lanes = matches!(
        row.unit,
        Unit::Integer | Unit::Float | Unit::SpecialFunction | Unit::Double
    );
    row.executes() && lanes || matches!(row.name, "NOP" | "PMTRIG" | "R2G" | "MVC" | "VOTE")
}

/// True for an atomic operation on global memory.
pub fn is_atomic(row: &Row) -> bool {
    matches!(row.name, "GATOM" | "GRED")
}

/// True for a G2R.LCK.
pub fn is_lock(row: &Row) -> bool {
    matches!((row.operation)(row.pattern.value), Operation::G2rLock { .. })
}

/// A coverage item, as named in reports.
pub type Item = String;

/// The counts of all coverage items.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The items with their counts, in the order of the report.
    items: Vec<(Item, u64)>,
    index: HashMap<Item, usize>,
    /// The indices of hazard counts, first by hazard and resource, then by hazard, unit of the earlier instruction and
    /// unit of the later one.
    resource_hazards: Vec<Vec<usize>>,
    unit_hazards: Vec<Vec<Vec<usize>>>,
    /// Facts about the words seen so far.
    of_word: HashMap<u64, Known>,
    /// The latest words of each warp, by its block and its index there.
    latest: HashMap<(u32, u32), VecDeque<u64>>,
    /// The latest instruction of any warp.
    last: Option<Issued>,
    /// The beats of an instruction, one cycle each.
    beats: u64,
    /// The number of warp instructions of each unit, indexed like [`Unit::ALL`].
    of_unit: [u64; Unit::ALL.len()],
    float_results: FloatResults,
    /// The capability of the programs.
    capability: Capability,
}

/// The kinds of 32-bit float results, counted per thread: a measure of how meaningful they are.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct FloatResults {
    /// The number of all other results.
    pub numbers: u64,
    /// The number of zeros.
    pub zeros: u64,
    /// The number of infinities.
    pub infinities: u64,
    /// The number of NaNs.
    pub nans: u64,
}

/// An issued instruction.
#[derive(Clone, Copy, Debug)]
struct Issued {
    block: u32,
    warp: u32,
    unit: Unit,
    cycle: u64,
}

/// The name of a row in reports, with the fixed parts of the mnemonic.
fn row_name(row: &Row) -> String {
    let mut name = row.name.to_string();
    for suffix in row.suffixes {
        if let Suffix::Fixed(part) | Suffix::Alias([part, ..]) = suffix {
            name.push('.');
            name.push_str(part);
        }
    }
    format!("{name} ({})", row.form().name())
}

/// The item suffix for a use of an address register.
const INDEXED: &str = "address register";
const INCREMENTED: &str = "post-increment";
/// The item suffix for an instruction with a condition.
const CONDITION: &str = "condition";
/// The number of earlier warp instructions that may still be in flight.
const NEAR: usize = 3;
/// Kinds of hazards between an instruction and the results or operands of an earlier one.
const HAZARDS: [&str; 3] = ["read after write", "write after read", "write after write"];
/// Kinds of resources that an instruction reads or writes, as named in reports.
const RESOURCES: [&str; 5] = [
    "register",
    "address register",
    "condition code",
    "shared memory",
    "global memory",
];
/// The units with different paths to and from the registers.
const UNITS: [Unit; 4] = [Unit::Integer, Unit::Float, Unit::SpecialFunction, Unit::Memory];
/// The units of instructions with markers.
const MARKED_UNITS: [Unit; 3] = [Unit::Integer, Unit::Float, Unit::SpecialFunction];

// Hazards that exist only because the lanes have a short and a long path.
const PORT_SAME: &str = "hazard: integer lanes so soon after float lanes that results would collide, same warp";
const PORT_OTHER: &str = "hazard: integer lanes so soon after float lanes that results would collide, another warp";
const SPECIAL_AT_ONCE: &str = "hazard: special function's result is used by the next instruction";
const SPECIAL_QUEUE: &str = "hazard: special function waits while the queue is full";
const CODE_AT_ONCE: &str = "hazard: float condition code decides the next instruction";
const REDUCED: [(&str, &str); 3] = [
    ("SIN", "operand from RRO: SIN"),
    ("COS", "operand from RRO: COS"),
    ("EX2", "operand from RRO: EX2"),
];

fn unit_hazard(earlier: Unit, own: Unit, hazard: &str) -> Item {
    format!("hazard: register, {hazard}: {own} after {earlier}")
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

/// The index of the resource's kind in [`RESOURCES`].
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

/// The index of the unit in [`UNITS`].
fn unit_place(unit: Unit) -> Option<usize> {
    UNITS.iter().position(|&other| other == unit)
}

/// True if the two resources overlap.
fn meet(one: &Resource, other: &Resource) -> bool {
    match (one, other) {
        (Resource::Register { index, part }, Resource::Register { index: i, part: p }) => {
            index == i && (part == p || *part == RegisterPart::Full || *p == RegisterPart::Full)
        }
        _ => one == other,
    }
}

/// The item for the value of a field, as the row names it.
fn value_item(name: &str, field: Field, value: u32) -> Item {
    let meaning = match field.kind {
        Kind::Choice(words) => words.get(value as usize).copied().unwrap_or("undefined"),
        _ if value == 0 => "no",
        _ => "yes",
    };
    format!("{name}, {}: {meaning}", field.name)
}

/// True if a field that the text shows has any effect.
pub fn has_effect(row: &Row, field: Field) -> bool {
    let is_idle = |suffix: &Suffix| matches!(suffix, Suffix::WithoutEffect(_, idle, _) if *idle == field);
    !row.suffixes.iter().any(is_idle)
}

/// The fields of a row that select the operation of its instructions rather than the location of operands: fields shown
/// in the mnemonic's suffixes and in the operands' marks, names and access sizes.
fn deciding_fields(row: &Row) -> Vec<Field> {
    let suffixes = row.suffixes.iter().filter_map(|suffix| match *suffix {
        Suffix::Names(field, _) | Suffix::When(field, ..) | Suffix::Carry(field, _) | Suffix::Carry0(field) => {
            Some(field)
        }
        Suffix::WithoutEffect(..) | Suffix::Fixed(_) | Suffix::Alias(_) | Suffix::Code(_) => None,
    });
    let marks = row.slots.iter().flat_map(|slot| slot.marks).map(|&(_, field, _)| field);
    let shown: Vec<Field> = suffixes.chain(marks).collect();
    let mut fields = row.fields();
    fields.retain(|field| match field.kind {
        Kind::Choice(_) => *field != MARKER && has_effect(row, *field),
        Kind::Flag => *field != CC_ENABLE && shown.contains(field),
        _ => false,
    });
    fields
}

/// The values of such a field that are defined and executed.
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

/// The coverage items of a row, without duplicates.
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

/// True if the item is an instruction with a condition.
pub fn is_conditional(item: &str) -> bool {
    item.ends_with(&format!(", {CONDITION}"))
}

/// For an item that uses an address register: true with post-increment. `None` for other items.
pub fn address_use(item: &str) -> Option<bool> {
    let ends = |with| item.ends_with(&format!(", {with}"));
    (ends(INDEXED) || ends(INCREMENTED)).then(|| ends(INCREMENTED))
}

/// The items among [`row_items`] of its row that an instruction covers.
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

/// Facts about a word of an instruction.
#[derive(Clone, Debug)]
struct Known {
    unit: Unit,
    /// True for per-thread operands, for which the instruction leaves the issue order and enters the operand collector.
    collects: bool,
    /// The name of the row; for RRO with the kind of range reduction.
    name: &'static str,
    /// True if the result is a 32-bit float.
    float_result: bool,
    items: Vec<usize>,
    reads: Vec<Resource>,
    writes: Vec<Resource>,
    /// The condition-code register that its condition reads.
    condition: Option<Resource>,
}

/// The counts of programs, in the order of a [`Coverage`]'s items.
#[derive(Clone, Debug)]
pub struct Counts {
    items: Vec<u64>,
    of_unit: [u64; Unit::ALL.len()],
    float_results: FloatResults,
}

impl Coverage {
    /// Takes the counts, and starts again from 0.
    pub fn take(&mut self) -> Counts {
        Counts {
            items: self.items.iter_mut().map(|(_, count)| std::mem::take(count)).collect(),
            of_unit: std::mem::take(&mut self.of_unit),
            float_results: std::mem::take(&mut self.float_results),
        }
    }

    /// Adds the counts of another coverage.
    pub fn merge(&mut self, counts: &Counts) {
        for ((_, count), more) in self.items.iter_mut().zip(&counts.items) {
            *count += more;
        }
        for (count, more) in self.of_unit.iter_mut().zip(counts.of_unit) {
            *count += more;
        }
        let (sum, more) = (&mut self.float_results, counts.float_results);
        sum.numbers += more.numbers;
        sum.zeros += more.zeros;
        sum.infinities += more.infinities;
        sum.nans += more.nans;
    }

    /// All items of a capability's programs, with counts of 0.
    pub fn new(capability: Capability) -> Self {
        let mut items = Vec::new();
        for row in rows_at(capability).filter(|row| row.executes()) {
            // These end a run with an error, so programs cannot contain them.
            if matches!(row.name, "TRAP" | "TRAP32" | "BPT" | "BPT32") {
                continue;
            }
            if is_straight(row) || is_atomic(row) {
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
            capability,
            ..Coverage::default()
        }
    }

    /// Begins a new program on a machine with `lanes` lanes; no earlier instruction causes hazards with its first ones.
    pub fn start_program(&mut self, lanes: Lanes) {
        self.latest.clear();
        self.last = None;
        self.beats = lanes.beats().into();
    }

    /// Adds the counters of a program's run.
    pub fn end_program(&mut self, counters: &[SmCounters]) {
        self.add(SPECIAL_QUEUE, total(counters, SmCounter::SpecialFunction));
    }

    fn add(&mut self, item: &str, count: u64) {
        if let Some(&index) = self.index.get(item) {
            self.items[index].1 += count;
        }
    }

    fn known(&self, word: u64) -> Option<Known> {
        let instruction = decode_at(word, self.capability).ok()?;
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
        // An instruction without active threads covers nothing.
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

    /// Counts the hazards between an instruction and the latest ones before it.
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
            // The float's last beat is less than four steps ahead of the integer's first beat, so a later beat of the
            // integer would reach the write port in the same cycle as a beat of the float.
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

    /// The number of warp instructions of a unit.
    pub fn instructions_of(&self, unit: Unit) -> u64 {
        self.of_unit[unit as usize]
    }

    /// The number of warp instructions of the float lanes and the special function units.
    pub fn float_instructions(&self) -> u64 {
        self.instructions_of(Unit::Float) + self.instructions_of(Unit::SpecialFunction)
    }

    /// The kinds of the threads' float results.
    pub fn float_results(&self) -> FloatResults {
        self.float_results
    }

    /// The number of items.
    pub fn all(&self) -> usize {
        self.items.len()
    }

    /// The items that were not reached.
    pub fn missing(&self) -> Vec<&str> {
        self.items
            .iter()
            .filter(|(_, count)| *count == 0)
            .map(|(item, _)| item.as_str())
            .collect()
    }
}
