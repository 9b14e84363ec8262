//! The rows of the hardware's decoder, written from the table: `hdl/src/issue/decode/rows.rs`, a kernel that tells the rows apart,
//! and `hdl/src/issue/decode/lines.rs`, a kernel that drives the units' lines from the word's fields.
//!
//! What a row needs is said here as flags: a few that follow from its slots (`uses_a`, `shared_a`, ...), its control column
//! ([`crate::table::control`]) and what makes a word of it undefined. A table that asks for what the decoder's hand-written part cannot
//! do stops the generator with a message that names the row.

use crate::table::control::{Line, Reading};
use crate::table::field::Field;
use crate::table::{Execution, Form, Guard, Location, Role, Row, Slot, Suffix, Unit, ROWS};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The committed file with the rows.
pub const ROWS_PATH: &str = "hdl/src/issue/decode/rows.rs";
/// The committed file with the units' lines.
pub const LINES_PATH: &str = "hdl/src/issue/decode/lines.rs";

/// First lines of both.
const HEAD: &str = "// Written by `make reference`. Do not edit.\n";

/// The bit that tells whether a sized operand is 32 bits wide, in long words and in the others.
const WIDE_BITS: (u32, u32) = (58, 15);
/// The same for a conversion's source, in long words.
const FROM_BIT: u32 = 46;
/// The line that tells whether a product's operands are whole registers.
const PRODUCT_LINE: &str = "integer.multiply_24";

/// Flags that follow from operands, with what they tell; in the order of the file. They are the hand-written part's interface.
const FLAGS: &[(&str, &str)] = &[
    ("uses_a", "Operand a is a register or, with `shared_a`, a place in s[]."),
    ("shared_a", "Bit 53 or 24 makes operand a a place in s[]."),
    ("sized_a", "Operand a is a half unless bit 58 or 15 is set."),
    ("from_a", "Operand a is a half unless bit 46 is set."),
    (
        "product",
        "Operands a and b are halves unless the product is of 24 bits.",
    ),
    ("a_is_3", "Operand a is in source 3's field."),
    ("a_is_number", "Operand a is the 32-bit number."),
    (
        "reads_address",
        "Operand a is an address register, or a place in local memory.",
    ),
    ("is_local", "It is a place in local memory."),
    ("reads_code", "Operand a is a condition-code register."),
    ("reads_special", "Operand a is a special register."),
    ("moves_constant", "Operand a is a place in c[] with a 16-bit offset."),
    ("scatters", "Source 1 is a place in s[] that operand b is stored to."),
    (
        "uses_b",
        "Operand b is a register or, with `constant_b`, a place in c[].",
    ),
    (
        "constant_b",
        "Bit 23, or 24 of source 3, makes operand b a place in c[].",
    ),
    ("sized_b", "Operand b is a half unless bit 58 or 15 is set."),
    ("word_b", "Operand b is a half unless bit 53 is set."),
    ("b_is_1", "Operand b is in source 1's field."),
    ("b_is_3", "Operand b is in source 3's field."),
    ("b_is_destination", "Operand b is in the destination's field."),
    ("b_is_number", "Operand b is the 32-bit number."),
    (
        "b_is_count",
        "Bit 52 makes operand b the 7-bit number in source 2's field.",
    ),
    ("b_is_shift", "Operand b is the 4-bit number from bit 16 on."),
    ("b_is_offset", "Operand b is the 16-bit number from bit 9 on."),
    (
        "uses_c",
        "Operand c is a register or, with `constant_c`, a place in c[].",
    ),
    (
        "constant_c",
        "Bit 24, or 23 of source 2, makes operand c a place in c[].",
    ),
    ("c_is_2", "Operand c is in source 2's field."),
    ("c_is_destination", "Operand c is in the destination's field."),
    ("c_is_number", "Operand c is the 32-bit number."),
    ("writes", "The destination is a register."),
    ("sized", "It is a half unless bit 58 or 15 is set."),
    ("seven_bits", "Its field has seven bits, though the form is not long."),
    (
        "discards",
        "Bit 35 makes it o[], of which there is only the one that discards.",
    ),
    ("writes_address", "The destination is an address register."),
    ("writes_code", "The destination is a condition-code register."),
    ("sets_cc", "Bit 38 has a condition-code register written beside."),
    ("guarded", "The condition in bits 43..39 has a say."),
    ("store", "Stores to memory."),
];

/// What a flag belongs to, in the order of a row's groups.
const GROUPS: [&str; 6] = ["a", "b", "c", "result", "lines", "undefined"];

/// A condition that a word must meet to be an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Check {
    name: String,
    parts: Vec<(u32, u32)>,
    values: Vec<u32>,
}

/// A row for the decoder.
#[derive(Clone, Debug)]
struct Entry {
    row: &'static Row,
    name: String,
    /// By group.
    flags: [Vec<String>; GROUPS.len()],
    checks: Vec<Check>,
}

/// `field` as an identifier.
fn identifier(text: &str) -> String {
    let parts = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_").to_ascii_lowercase()
}

fn name_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The bits that every row's words differ by first: the form, the opcode and, of long words, the sub-opcode.
fn key_mask(form: Form) -> u64 {
    let forms = match form {
        Form::Immediate => 3 | 3 << 32,
        _ => 3,
    };
    let subop = if form == Form::Long { 7 << 61 } else { 0 };
    forms | 0xf << 28 | subop
}

/// What is fixed beyond the key, as pieces of neighbouring bits.
fn residue(row: &Row) -> u64 {
    row.pattern.mask & !key_mask(row.form())
}

fn pieces(mask: u64) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = vec![];
    for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
        match found.last_mut() {
            Some((low, width)) if *low + *width == bit => *width += 1,
            _ => found.push((bit, 1)),
        }
    }
    found
}

fn value_of(parts: &[(u32, u32)], word: u64) -> u32 {
    let mut value = 0;
    let mut at = 0;
    for &(low, width) in parts {
        value |= ((word >> low) as u32 & ((1 << width) - 1)) << at;
        at += width;
    }
    value
}

/// The opcodes whose words are the row's.
fn opcodes(row: &Row) -> Vec<u32> {
    let of = |opcode: &u32| (row.pattern.value ^ u64::from(*opcode) << 28) & row.pattern.mask & 0xf000_0000 == 0;
    (0..16).filter(of).collect()
}

/// The sub-opcodes, of a long row.
fn subops(row: &Row) -> Vec<u32> {
    let of = |subop: &u32| (row.pattern.value ^ u64::from(*subop) << 61) & row.pattern.mask & 7 << 61 == 0;
    (0..8).filter(of).collect()
}

/// Whether bit 1 is set: the flow instructions' words.
fn is_control(row: &Row) -> bool {
    row.pattern.value & 2 != 0
}

/// How wide a register operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Whole,
    /// By the bits of [`WIDE_BITS`].
    Sized,
    /// By [`FROM_BIT`].
    From,
    /// By bit 53.
    Word,
    /// By [`PRODUCT_LINE`].
    Product,
}

impl Entry {
    fn fail(&self, what: &str) -> ! {
        panic!("{}: the decoder has no way to {what}", self.row.name)
    }

    fn set(&mut self, group: &str, flag: &str) {
        let group = GROUPS
            .iter()
            .position(|known| *known == group)
            .unwrap_or_else(|| self.fail("group flags so"));
        if !self.flags[group].iter().any(|known| known == flag) {
            self.flags[group].push(flag.into());
        }
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.iter().flatten().any(|known| known == flag)
    }

    fn slot(&self, role: Role) -> Option<&'static Slot> {
        self.row.slots.iter().find(|slot| slot.role == role)
    }

    /// The row's words with random other bits: enough to see which bits matter.
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let words = std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        });
        let own = words.map(|word| word & !self.row.pattern.mask | self.row.pattern.value);
        own.filter(|word| Form::of(*word) == self.row.form()).take(2_000)
    }

    /// Which bit says how wide a register is.
    fn size(&self, location: &Location) -> Size {
        self.size_of(
            location,
            [Size::From, Size::Sized, Size::Word, Size::Product, Size::Whole],
        )
    }

    /// The first of these that fits. Where the pattern fixes a bit, the operand goes by that bit nevertheless: rows beside it do.
    fn size_of(&self, location: &Location, sizes: [Size; 5]) -> Size {
        let wide = if self.row.form() == Form::Long {
            WIDE_BITS.0
        } else {
            WIDE_BITS.1
        };
        let product = self.row.control.reads.iter().find_map(|reading| {
            let line = reading.lines.iter().find(|line| line.path() == PRODUCT_LINE)?;
            Some((reading.field, *line))
        });
        for size in sizes {
            let is_wide = |word: u64| match (size, product) {
                (Size::Whole, _) => true,
                (Size::Sized, _) => word >> wide & 1 == 1,
                (Size::From, _) => word >> FROM_BIT & 1 == 1,
                (Size::Word, _) => word >> 53 & 1 == 1,
                (Size::Product, Some((field, Line::When(_, values)))) => values.contains(&field.get(word)),
                (Size::Product, _) => false,
            };
            let holds = self.words().all(|word| match location.resolve(word) {
                Location::Word(_) | Location::Global(..) => is_wide(word),
                Location::Half(_) => !is_wide(word),
                _ => true,
            });
            if holds {
                return size;
            }
        }
        self.fail(&format!("tell how wide {location:?} is"))
    }

    /// The lowest bit of the register's field, if it may be a register.
    fn register_bit(&self, location: &Location) -> Option<u32> {
        let mut bits: Vec<u32> = vec![];
        for alternative in location.alternatives() {
            if let Location::Word(field) | Location::Half(field) | Location::Global(_, field) = alternative {
                bits.push(field.parts[0].0);
            }
        }
        bits.dedup();
        match bits[..] {
            [] => None,
            [bit] => Some(bit),
            _ => self.fail("read an operand from two register fields"),
        }
    }

    fn is(&self, location: &Location, kind: fn(&Location) -> bool) -> bool {
        location.alternatives().iter().any(kind)
    }

    fn a(&mut self, slot: &Slot) {
        let location = &slot.location;
        match location {
            Location::Number(_) | Location::FloatNumber(_) => return self.a_as_result("a_is_number"),
            Location::Address(_) => return self.set("a", "reads_address"),
            Location::ConditionCode(_) => return self.set("a", "reads_code"),
            Location::Special(_) => return self.set("a", "reads_special"),
            Location::Local { .. } => {
                self.set("a", "reads_address");
                return self.set("a", "is_local");
            }
            _ => {}
        }
        let Some(bit) = self.register_bit(location) else {
            if self.is(location, |location| matches!(location, Location::Constant { .. })) {
                return self.a_as_result("moves_constant");
            }
            if self.is(location, |location| matches!(location, Location::Shared { .. })) {
                return self.set("a", "scatters");
            }
            self.fail("make operand a of this")
        };
        self.set("a", "uses_a");
        match bit {
            9 => {}
            46 => self.set("a", "a_is_3"),
            _ => self.fail("have operand a there"),
        }
        if self.is(location, |location| matches!(location, Location::Shared { .. })) {
            self.set("a", "shared_a");
        }
        match self.size(location) {
            Size::Whole => {}
            Size::Sized => self.set("a", "sized_a"),
            Size::From => self.set("a", "from_a"),
            Size::Product => self.set("a", "product"),
            Size::Word => self.fail("have bit 53 say how wide operand a is"),
        }
    }

    fn b(&mut self, slot: &Slot) {
        let location = &slot.location;
        match location {
            Location::Number(field) | Location::FloatNumber(field) | Location::OptionalNumber(field) => {
                let flag = match field.parts {
                    [(16, 6), (34, 26)] => "b_is_number",
                    [(16, 4)] => "b_is_shift",
                    [(9, 16)] => "b_is_offset",
                    _ => self.fail("take a number from there"),
                };
                return self.set("b", flag);
            }
            _ => {}
        }
        let Some(bit) = self.register_bit(location) else {
            self.fail("make operand b of this")
        };
        self.set("b", "uses_b");
        match bit {
            16 => {}
            46 => self.set("b", "b_is_3"),
            9 => self.set("b", "b_is_1"),
            2 => self.set("b", "b_is_destination"),
            _ => self.fail("have operand b there"),
        }
        if self.is(location, |location| matches!(location, Location::Constant { .. })) {
            self.set("b", "constant_b");
        }
        if self.is(location, |location| matches!(location, Location::Number(_))) {
            let Location::Select(Field { parts: [(52, 1)], .. }, [_, Location::Number(Field { parts: [(16, 7)], .. })]) =
                location
            else {
                self.fail("choose a number so")
            };
            self.set("b", "b_is_count");
        }
        match self.size(location) {
            Size::Whole => {}
            Size::Sized => self.set("b", "sized_b"),
            Size::Word => self.set("b", "word_b"),
            Size::Product => self.set("a", "product"),
            Size::From => self.fail("have bit 46 say how wide operand b is"),
        }
    }

    fn c(&mut self, slot: &Slot) {
        let location = &slot.location;
        if let Location::Number(_) | Location::FloatNumber(_) = location {
            return self.set("c", "c_is_number");
        }
        let Some(bit) = self.register_bit(location) else {
            self.fail("make operand c of this")
        };
        self.set("c", "uses_c");
        match bit {
            46 => {}
            16 => self.set("c", "c_is_2"),
            2 => self.set("c", "c_is_destination"),
            _ => self.fail("have operand c there"),
        }
        if self.is(location, |location| matches!(location, Location::Constant { .. })) {
            self.set("c", "constant_c");
        }
        if self.size(location) != Size::Whole {
            self.fail("have half an operand c");
        }
    }

    fn result_size(&self) -> Option<Size> {
        let slot = self.slot(Role::Destination)?;
        Some(self.size_of(
            &slot.location,
            [Size::Sized, Size::Whole, Size::From, Size::Word, Size::Product],
        ))
    }

    /// An operand that is neither a register nor in s[] is as wide as the result.
    fn a_as_result(&mut self, flag: &str) {
        self.set("a", flag);
        if self.result_size() == Some(Size::Sized) {
            self.set("a", "sized_a");
        }
    }

    fn result(&mut self) {
        let Some(slot) = self.slot(Role::Destination) else {
            if self.row.unit == Unit::Memory {
                self.set("result", "store");
            }
            return;
        };
        match slot.location {
            Location::Address(_) => return self.set("result", "writes_address"),
            Location::ConditionCode(_) => return self.set("result", "writes_code"),
            _ => {}
        }
        self.set("result", "writes");
        match self.result_size() {
            Some(Size::Sized) => self.set("result", "sized"),
            Some(Size::Whole) => {}
            _ => self.fail("have another bit say how wide the result is"),
        }
        for alternative in slot.location.alternatives() {
            match alternative {
                Location::Discard(_) => self.set("result", "discards"),
                Location::Word(field) | Location::Half(field)
                    if self.row.form() != Form::Long && field.parts[0].1 == 7 =>
                {
                    self.set("result", "seven_bits");
                }
                _ => {}
            }
        }
    }

    fn check(&mut self, name: &str, field: &[(u32, u32)], values: Vec<u32>) {
        let name = format!("checks_{}_{}", identifier(name), field[0].0);
        self.set("undefined", &name);
        let parts = field.to_vec();
        self.checks.push(Check { name, parts, values });
    }

    fn undefined(&mut self) {
        let names = |names: &[Option<&str>]| -> Vec<u32> {
            (0..)
                .zip(names)
                .filter(|(_, name)| name.is_some())
                .map(|(value, _)| value)
                .collect()
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

    fn new(row: &'static Row, name: String) -> Self {
        let mut entry = Entry {
            row,
            name,
            flags: Default::default(),
            checks: vec![],
        };
        let [a, b, c] = row.control.operands.map(|role| match role {
            Role::Inherent => row
                .slots
                .iter()
                .find(|slot| matches!(slot.location, Location::OptionalNumber(_))),
            role => row.slots.iter().find(|slot| slot.role == role),
        });
        if let Some(slot) = a {
            entry.a(slot);
        }
        if let Some(slot) = b {
            entry.b(slot);
        }
        if let Some(slot) = c {
            entry.c(slot);
        }
        entry.result();
        if row.writes_cc {
            entry.set("result", "sets_cc");
        }
        if row.guard == Guard::Conditional {
            entry.set("result", "guarded");
        }
        for line in row.control.sets {
            entry.set("lines", name_of(line));
        }
        for reading in row.control.reads {
            entry.set("lines", reading.name);
        }
        entry.undefined();
        entry
    }
}

/// The executed rows, and their names as fields of a kernel.
fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = vec![];
    for row in ROWS.iter().filter(|row| row.executes()) {
        let fixed = row.suffixes.iter().filter_map(|suffix| match suffix {
            Suffix::Fixed(text) => Some(*text),
            _ => None,
        });
        let base = identifier(&std::iter::once(row.name).chain(fixed).collect::<Vec<_>>().join("_"));
        let set = row.control.sets.last().map_or("", |path| name_of(path));
        let opcode = |row: &Row| row.pattern.value >> 28 & 15;
        let first = entries.iter().find(|entry| entry.name == base);
        let other_opcode = first.is_some_and(|first| opcode(first.row) != opcode(row));
        let by_opcode = if other_opcode {
            format!("{base}_{:x}", opcode(row))
        } else {
            base.clone()
        };
        let candidates = [base.clone(), by_opcode, format!("{base}_{set}")];
        let taken = |name: &String| entries.iter().any(|entry| entry.name == *name);
        let name = candidates.into_iter().find(|name| !taken(name) && !name.ends_with('_'));
        let name = name.unwrap_or_else(|| panic!("two rows are called {base}"));
        entries.push(Entry::new(row, name));
    }
    // What is fixed beyond the key, where no row has the rest of the words.
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
                    let (mask, fixed) = (
                        value_of(&parts, residue(other.row)),
                        value_of(&parts, other.row.pattern.value),
                    );
                    (*value ^ fixed) & mask == 0
                })
            };
            let values: Vec<u32> = (0..1 << width).filter(covered).collect();
            let whole = values.len() == 1 << width;
            (!whole).then(|| {
                let parts = parts.clone();
                (
                    index,
                    Check {
                        name: format!("checks_fixed_{}", parts[0].0),
                        parts,
                        values,
                    },
                )
            })
        })
        .collect();
    for (index, check) in own {
        entries[index].set("undefined", &check.name);
        entries[index].checks.push(check);
    }
    entries
}

/// Whether a word may belong to either by its form, opcode and sub-opcode.
fn shares_key(one: &Row, other: &Row) -> bool {
    let mask = key_mask(one.form()) & one.pattern.mask & other.pattern.mask;
    one.form() == other.form() && (one.pattern.value ^ other.pattern.value) & mask == 0
}

/// `49..46`, or `34`.
fn range(low: u32, width: u32) -> String {
    match width {
        1 => low.to_string(),
        _ => format!("{}..{low}", low + width - 1),
    }
}

/// The bits that fix a row, as they stand in a word: `?` is free.
fn mask_text(row: &Row) -> String {
    let bit = |bit: u32| match (row.pattern.mask >> bit & 1, row.pattern.value >> bit & 1) {
        (0, _) => '?',
        (_, 0) => '0',
        _ => '1',
    };
    let bits = |high: u32, low: u32| (low..=high).rev().map(bit).collect::<String>();
    let mut text = match row.form() {
        Form::Short => format!("           {} {}", bits(31, 28), bits(1, 0)),
        Form::Long => format!("{}     ?? {} {}", bits(63, 61), bits(31, 28), bits(1, 0)),
        Form::Immediate => format!("        {} {} {}", bits(33, 32), bits(31, 28), bits(1, 0)),
        Form::Control => format!("           {} {}", bits(31, 28), bits(1, 0)),
    };
    for (low, width) in pieces(residue(row)) {
        let high = low + width - 1;
        let _ = write!(text, ", {}: {}", range(low, width), bits(high, low));
    }
    text
}

/// The enumeration of a unit's operations, and the row bundle's field of it.
fn unit_names(unit: Unit) -> (&'static str, &'static str, &'static str) {
    match unit {
        Unit::Integer => ("Integer", "integer", "IntegerOperation"),
        Unit::Float => ("Float", "float", "FloatOperation"),
        Unit::SpecialFunction => ("SpecialFunction", "special", "SpecialOperation"),
        Unit::Branch => ("Control", "control", "ControlOperation"),
        Unit::Memory => ("Memory", "", ""),
        Unit::Texture => panic!("the decoder knows no texture unit"),
    }
}

/// A kernel's expression for bits of the word: one bit as a `Bit`, several as `Bits<WIDTH>`.
fn bits_expression(parts: &[(u32, u32)]) -> String {
    let width: u32 = parts.iter().map(|(_, width)| width).sum();
    if let [(low, width)] = parts {
        return match width {
            1 => format!("self.d_word.val().get_bit({low})"),
            _ => format!("self.d_word.val().get_bits::<{width}>({low})"),
        };
    }
    let mut at = 0;
    let mut terms = vec![];
    for (low, part) in parts {
        let bits = format!("bit_cast::<{width}, {part}>(self.d_word.val().get_bits::<{part}>({low}))");
        terms.push(if at == 0 { bits } else { format!("({bits} << {at})") });
        at += part;
    }
    terms.join(" | ")
}

/// One arm, or what stands in it: which row it is, by what is fixed beyond the key.
fn choose(out: &mut String, indent: usize, arm: &str, rows: &[&Entry]) {
    let pad = " ".repeat(indent);
    let first = rows[0];
    if rows
        .iter()
        .all(|other| other.flags == first.flags && other.row.control.operation == first.row.control.operation)
    {
        let names: Vec<&str> = rows.iter().map(|entry| entry.row.name).collect();
        let line = format!("{pad}{arm}self.row.next = self.{}.val(),", first.name);
        let mut names = names;
        names.dedup();
        let _ = writeln!(out, "{line:<76} // {:<28} {}", mask_text(first.row), names.join(", "));
        return;
    }
    let mask = rows.iter().fold(0, |mask, entry| mask | residue(entry.row));
    let parts = pieces(mask);
    let width: u32 = parts.iter().map(|(_, width)| width).sum();
    let name = residue_name(mask);
    if width == 1 {
        // A match on a single bit is no match.
        let is = |bit: u32| {
            rows.iter()
                .find(|entry| value_of(&parts, entry.row.pattern.value) == bit)
        };
        let (Some(zero), Some(one)) = (is(0), is(1)) else {
            panic!("{}: rows without the rest of the words", first.row.name)
        };
        let _ = writeln!(out, "{pad}{arm}{{");
        let statement = |entry: &Entry, indent: usize| {
            let line = format!("{}self.row.next = self.{}.val();", " ".repeat(indent), entry.name);
            format!("{line:<76} // {:<28} {}\n", mask_text(entry.row), entry.row.name)
        };
        out.push_str(&statement(zero, indent + 4));
        let _ = writeln!(out, "{pad}    if self.{name}.val() {{");
        out.push_str(&statement(one, indent + 8));
        let _ = writeln!(out, "{pad}    }}\n{pad}}}");
        return;
    }
    let _ = writeln!(out, "{pad}{arm}match self.{name}.val().index() {{");
    for value in 0..1u32 << width {
        let of = |entry: &&&Entry| {
            let (mask, fixed) = (
                value_of(&parts, residue(entry.row)),
                value_of(&parts, entry.row.pattern.value),
            );
            (value ^ fixed) & mask == 0
        };
        let Some(entry) = rows.iter().find(of) else { continue };
        let arm = if value + 1 == 1 << width {
            "_ => ".into()
        } else {
            format!("{value} => ")
        };
        choose(out, indent + 4, &arm, &[entry]);
    }
    let _ = writeln!(out, "{pad}}},");
}

fn residue_name(mask: u64) -> String {
    let places = pieces(mask).iter().map(|(low, _)| low.to_string()).collect::<Vec<_>>();
    format!("bits_{}", places.join("_"))
}

/// All flags of rows, in the order of the file, with what they tell.
fn flags(entries: &[Entry]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = FLAGS
        .iter()
        .map(|(flag, text)| (flag.to_string(), text.to_string()))
        .collect();
    for entry in entries {
        for path in entry.row.control.sets {
            let text = format!("Sets {path}.");
            if !all.iter().any(|(known, _)| known == name_of(path)) {
                all.push((name_of(path).into(), text));
            }
        }
        for reading in entry.row.control.reads {
            if !all.iter().any(|(known, _)| known == reading.name) {
                let mut lines: Vec<&str> = reading.lines.iter().map(|line| line.path()).collect();
                lines.sort();
                all.push((
                    reading.name.into(),
                    format!("The field \"{}\" drives {}.", reading.field.name, lines.join(", ")),
                ));
            }
        }
        for check in &entry.checks {
            if !all.iter().any(|(known, _)| *known == check.name) {
                let bits: Vec<String> = check.parts.iter().map(|(low, width)| range(*low, *width)).collect();
                all.push((
                    check.name.clone(),
                    format!("Not all values of bits {} are defined.", bits.join(", ")),
                ));
            }
        }
    }
    let is_set = |name: &str| {
        entries
            .iter()
            .any(|entry| entry.row.control.sets.iter().any(|path| name_of(path) == name))
    };
    let is_derived = |name: &str| FLAGS.iter().any(|(known, _)| *known == name);
    for name in entries
        .iter()
        .flat_map(|entry| entry.row.control.reads)
        .map(|reading| reading.name)
    {
        assert!(
            !is_set(name) && !is_derived(name),
            "{name}: a reading, and another flag"
        );
    }
    for entry in entries {
        let mut own: Vec<&String> = entry.flags.iter().flatten().collect();
        own.sort();
        let count = own.len();
        own.dedup();
        assert_eq!(own.len(), count, "{}: a flag with two meanings", entry.row.name);
    }
    all
}

/// The kernel that tells the rows apart.
pub fn rows_file() -> String {
    let entries = entries();
    let flags = flags(&entries);
    let mut out = String::from(HEAD);
    out.push_str(
        "\n//! The rows of the ISA table, as the decoder sees them: which word is of which row, and what the row asks for.\n\n\
         use super::layout::Layout;\nuse crate::bundles::*;\nuse crate::execute::float::FloatOperation;\n\
         use crate::execute::special_function::SpecialOperation;\nuse hdlkit::prelude::*;\n\n\
         /// What a row asks for.\n#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]\npub struct Row {\n    \
         pub unit: Unit,\n    pub integer: IntegerOperation,\n    pub float: FloatOperation,\n    pub special: SpecialOperation,\n    \
         pub control: ControlOperation,\n",
    );
    for (flag, text) in &flags {
        let _ = writeln!(out, "    /// {text}\n    pub {flag}: Bit,");
    }
    out.push_str("}\n\n");

    // The constants.
    out.push_str(
        "/// A row: its unit and operation, and its flags.\nmacro_rules! row {\n    \
         (Memory $operation:ident $(| $($flag:ident)*)*) => {\n        \
         row!(@ Row { unit: Unit::Memory, ..Row::default() }; $($($flag)*)*)\n    };\n",
    );
    for unit in [Unit::Integer, Unit::Float, Unit::SpecialFunction, Unit::Branch] {
        let (unit, field, kind) = unit_names(unit);
        let _ = writeln!(
            out,
            "    ({unit} $operation:ident $(| $($flag:ident)*)*) => {{\n        \
             row!(@ Row {{ unit: Unit::{unit}, {field}: {kind}::$operation, ..Row::default() }}; $($($flag)*)*)\n    }};"
        );
    }
    out.push_str(
        "    (@ $row:expr; $($flag:ident)*) => {\n        Constant::new(Row { $($flag: true,)* ..$row })\n    };\n}\n\n",
    );
    let unit_text = |entry: &Entry| format!("{:<15} {}", unit_names(entry.row.unit).0, entry.row.control.operation);
    let name_width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0) + 1;
    let unit_width = entries.iter().map(|entry| unit_text(entry).len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..GROUPS.len())
        .map(|group| {
            if group + 2 < GROUPS.len() {
                entries
                    .iter()
                    .map(|entry| entry.flags[group].join(" ").len())
                    .max()
                    .unwrap_or(0)
            } else {
                0
            }
        })
        .collect();
    out.push_str("impl Default for Rows {\n    fn default() -> Self {\n        Rows {\n");
    let mut head = format!(
        "            // {:name_width$}     {:<unit_width$}",
        "row", "unit, operation"
    );
    for (group, width) in GROUPS.iter().zip(&widths) {
        let _ = write!(head, " | {group:<width$}");
    }
    let _ = writeln!(out, "{}", head.trim_end());
    for entry in &entries {
        let name = format!("{}:", entry.name);
        let mut line = format!(
            "            {name:name_width$} row!(  {:<unit_width$}",
            unit_text(entry)
        );
        for (flags, width) in entry.flags.iter().zip(&widths) {
            let _ = write!(line, " | {:<width$}", flags.join(" "));
        }
        let _ = writeln!(out, "{}),", line.trim_end_matches([' ', '|']));
    }
    let mut locals = vec![
        "opcode: Signal<Local, Bits<4>>".to_string(),
        "subop: Signal<Local, Bits<3>>".into(),
    ];
    let mut selectors: Vec<(String, Vec<(u32, u32)>)> = vec![];
    for entry in &entries {
        let alike: Vec<&Entry> = entries
            .iter()
            .filter(|other| shares_key(entry.row, other.row))
            .collect();
        let differ = alike.iter().any(|other| other.flags != entry.flags);
        let mask = alike.iter().fold(0, |mask, other| mask | residue(other.row));
        if differ && !selectors.iter().any(|(name, _)| *name == residue_name(mask)) {
            selectors.push((residue_name(mask), pieces(mask)));
        }
    }
    let mut checks: Vec<Check> = vec![];
    for check in entries.iter().flat_map(|entry| &entry.checks) {
        match checks.iter().find(|known| known.name == check.name) {
            None => checks.push(check.clone()),
            Some(known) => assert_eq!(known, check, "two checks of one name"),
        }
    }
    let typed = |parts: &[(u32, u32)]| match parts.iter().map(|(_, width)| width).sum::<u32>() {
        1 => "Bit".to_string(),
        width => format!("Bits<{width}>"),
    };
    for (name, parts) in &selectors {
        locals.push(format!("{name}: Signal<Local, {}>", typed(parts)));
    }
    for check in &checks {
        locals.push(format!(
            "{}: Signal<Local, {}>",
            &check.name["checks_".len()..],
            typed(&check.parts)
        ));
        locals.push(format!(
            "{}_defined: Signal<Local, Bit>",
            &check.name["checks_".len()..]
        ));
    }
    locals.push("opcodes: Signal<Local, Bits<16>>".into());
    locals.push("subops: Signal<Local, Bits<8>>".into());
    locals.push("exists: Signal<Local, Bit>".into());
    locals.push("row: Signal<Local, Row>".into());
    for local in &locals {
        let name = local.split(':').next().unwrap_or("");
        let _ = writeln!(out, "            {name}: Signal::default(),");
    }
    out.push_str(
        "            d_word: Signal::default(),\n            d_layout: Signal::default(),\n            d_row: Signal::default(),\n            \
         d_exists: Signal::default(),\n            _activity: Activity::default(),\n        }\n    }\n}\n\n\
         impl Blank for Rows {\n    fn blank() -> Self {\n        Rows::default()\n    }\n}\n\n",
    );

    // The block.
    out.push_str(
        "/// Which row a word is of. Where the word is none's, `d_exists` is 0 and the row is any.\n\
         #[derive(LogicBlock, Cycle)]\npub struct Rows {\n    pub d_word: Signal<In, Bits<64>>,\n    pub d_layout: Signal<In, Layout>,\n    \
         pub d_row: Signal<Out, Row>,\n    pub d_exists: Signal<Out, Bit>,\n",
    );
    for entry in &entries {
        let _ = writeln!(out, "    {}: Constant<Row>,", entry.name);
    }
    for local in &locals {
        let _ = writeln!(out, "    {local},");
    }
    out.push_str("    _activity: Activity,\n}\n\n");

    // The kernel.
    out.push_str("impl Logic for Rows {\n    #[hdl_gen]\n    fn update(&mut self) {\n");
    for (name, parts) in [("opcode".to_string(), vec![(28, 4)]), ("subop".into(), vec![(61, 3)])]
        .iter()
        .chain(&selectors)
    {
        let _ = writeln!(out, "        self.{name}.next = {};", bits_expression(parts));
    }
    out.push_str("\n        // Which row. Rows are told apart by as few bits as will do: whether the word is one of the row is below.\n");
    let default = &entries[0];
    let _ = writeln!(out, "        self.row.next = self.{}.val();", default.name);
    let of = |control: bool, opcode: u32, form: Form| -> Vec<&Entry> {
        let own = |entry: &&Entry| {
            is_control(entry.row) == control && entry.row.form() == form && opcodes(entry.row).contains(&opcode)
        };
        entries.iter().filter(own).collect()
    };
    out.push_str("        if self.d_layout.val().is_control {\n            match self.opcode.val().index() {\n");
    for opcode in 0..16 {
        let (long, short) = (of(true, opcode, Form::Control), of(true, opcode, Form::Short));
        match (long.first(), short.first()) {
            (None, None) => {}
            (Some(row), None) | (None, Some(row)) => choose(&mut out, 16, &format!("{opcode} => "), &[row]),
            (Some(long), Some(short)) if long.flags == short.flags => {
                choose(&mut out, 16, &format!("{opcode} => "), &[long, short]);
            }
            (Some(long), Some(short)) => {
                let _ = writeln!(out, "                {opcode} => {{");
                for (entry, open) in [(long, false), (short, true)] {
                    if open {
                        out.push_str("                    if !self.d_layout.val().is_long {\n");
                    }
                    let line = format!(
                        "                    {}self.row.next = self.{}.val();",
                        if open { "    " } else { "" },
                        entry.name
                    );
                    let _ = writeln!(out, "{line:<76} // {:<28} {}", mask_text(entry.row), entry.row.name);
                }
                out.push_str("                    }\n                }\n");
            }
        }
    }
    out.push_str(
        "                _ => {}\n            }\n        } else {\n            match self.opcode.val().index() {\n",
    );
    for opcode in 0..16 {
        let forms = [Form::Short, Form::Immediate, Form::Long].map(|form| (form, of(false, opcode, form)));
        let used: Vec<_> = forms.iter().filter(|(_, rows)| !rows.is_empty()).collect();
        if used.is_empty() {
            continue;
        }
        let single = used.len() == 1;
        let indent = if single { 16 } else { 20 };
        if !single {
            let _ = writeln!(
                out,
                "                {opcode} => match self.d_layout.val().form.index() {{"
            );
        }
        for (place, (form, rows)) in used.iter().enumerate() {
            let arm = match (single, place + 1 == used.len(), form) {
                (true, ..) => format!("{opcode} => "),
                (_, true, _) => "_ => ".into(),
                (_, _, Form::Short) => "0 => ".into(),
                (_, _, Form::Immediate) => "3 => ".into(),
                _ => "1 => ".into(),
            };
            if *form != Form::Long {
                choose(&mut out, indent, &arm, rows);
                continue;
            }
            let mut keys: Vec<(Vec<u32>, Vec<&Entry>)> = vec![];
            for subop in 0..8 {
                let own: Vec<&Entry> = rows
                    .iter()
                    .copied()
                    .filter(|entry| subops(entry.row).contains(&subop))
                    .collect();
                if own.is_empty() {
                    continue;
                }
                let same = |known: &&mut (Vec<u32>, Vec<&Entry>)| {
                    known.1.len() == own.len() && known.1.iter().zip(&own).all(|(one, other)| one.name == other.name)
                };
                match keys.iter_mut().find(same) {
                    Some((subops, _)) => subops.push(subop),
                    None => keys.push((vec![subop], own)),
                }
            }
            if let [(_, own)] = &keys[..] {
                choose(&mut out, indent, &arm, own);
                continue;
            }
            // The one with most sub-opcodes is what is left over.
            let most = keys.iter().map(|(subops, _)| subops.len()).max();
            let rest = keys
                .iter()
                .position(|(subops, _)| Some(subops.len()) == most)
                .unwrap_or(0);
            let _ = writeln!(out, "{}{arm}match self.subop.val().index() {{", " ".repeat(indent));
            for (_, (subops, own)) in keys.iter().enumerate().filter(|(place, _)| *place != rest) {
                for subop in subops {
                    choose(&mut out, indent + 4, &format!("{subop} => "), own);
                }
            }
            choose(&mut out, indent + 4, "_ => ", &keys[rest].1);
            let _ = writeln!(out, "{}}},", " ".repeat(indent));
        }
        if !single {
            out.push_str("                },\n");
        }
    }
    out.push_str("                _ => {}\n            }\n        }\n        self.d_row.next = self.row.val();\n\n");

    // Which exist.
    out.push_str("        // Which opcodes exist; of long words, which sub-opcodes.\n        self.opcodes.next = 0.into();\n        self.subops.next = 0.into();\n");
    let opcode_set = |control: bool, form: Form| -> Vec<u32> {
        (0..16)
            .filter(|opcode| !of(control, *opcode, form).is_empty())
            .collect()
    };
    for (test, control, form) in [
        ("is_control && self.d_layout.val().is_long", true, Form::Control),
        ("is_control", true, Form::Short),
        ("is_short", false, Form::Short),
        ("is_immediate", false, Form::Immediate),
    ] {
        let set = opcode_set(control, form)
            .iter()
            .fold(0, |set, opcode| set | 1 << opcode);
        let open = if form == Form::Control {
            "        if "
        } else {
            "        } else if "
        };
        let _ = writeln!(
            out,
            "{open}self.d_layout.val().{test} {{\n            self.opcodes.next = {set:>5}.into(); // {set:#018b}"
        );
    }
    out.push_str("        } else {\n            match self.opcode.val().index() {\n");
    let mut long: Vec<(u32, u32)> = vec![];
    for opcode in opcode_set(false, Form::Long) {
        let subops = of(false, opcode, Form::Long)
            .iter()
            .flat_map(|entry| subops(entry.row))
            .fold(0, |set, subop| set | 1 << subop);
        long.push((opcode, subops));
    }
    for (opcode, subops) in &long {
        let _ = writeln!(
            out,
            "                {opcode:>2} => self.subops.next = {subops:>3}.into(), // {subops:#010b}"
        );
    }
    out.push_str(
        "                _ => {}\n            }\n        }\n        self.exists.next = self.opcodes.val().get_bit(self.opcode.val().index());\n        \
         if self.d_layout.val().is_full {\n            self.exists.next = self.subops.val().get_bit(self.subop.val().index());\n        }\n",
    );
    for check in &checks {
        let name = &check.name["checks_".len()..];
        let width: u32 = check.parts.iter().map(|(_, width)| width).sum();
        let rows: Vec<&str> = entries
            .iter()
            .filter(|entry| entry.has(&check.name))
            .map(|entry| entry.row.name)
            .collect();
        let _ = writeln!(out, "\n        // {}", rows.join(", "));
        let _ = writeln!(out, "        self.{name}.next = {};", bits_expression(&check.parts));
        let refused = check.values.len() * 2 > 1 << width;
        let listed: Vec<u32> = (0..1u32 << width)
            .filter(|value| check.values.contains(value) != refused)
            .collect();
        if let [value] = listed[..] {
            let sign = if refused { "!=" } else { "==" };
            let _ = writeln!(
                out,
                "        self.{name}_defined.next = self.{name}.val() {sign} {value};"
            );
        } else {
            let _ = writeln!(out, "        self.{name}_defined.next = {refused};");
            let _ = writeln!(out, "        match self.{name}.val().index() {{");
            for value in listed {
                let _ = writeln!(out, "            {value} => self.{name}_defined.next = {},", !refused);
            }
            out.push_str("            _ => {}\n        }\n");
        }
        let _ = writeln!(out, "        if self.row.val().{} && !self.{name}_defined.val() {{\n            self.exists.next = false;\n        }}", check.name);
    }
    out.push_str("        self.d_exists.next = self.exists.val();\n    }\n}\n");
    out
}

/// Readings by name, with the field in long words and in the others.
fn readings() -> Vec<(&'static Reading, Option<Field>, Option<Field>)> {
    let mut all: Vec<(&'static Reading, Option<Field>, Option<Field>)> = vec![];
    for row in ROWS.iter().filter(|row| row.executes()) {
        for reading in row.control.reads {
            let place = all
                .iter()
                .position(|(known, ..)| known.name == reading.name)
                .unwrap_or_else(|| {
                    all.push((reading, None, None));
                    all.len() - 1
                });
            assert_eq!(
                all[place].0.lines, reading.lines,
                "{}: two readings of one name",
                reading.name
            );
            let field = if row.form() == Form::Long {
                &mut all[place].1
            } else {
                &mut all[place].2
            };
            let known = field.get_or_insert(reading.field);
            assert_eq!(known.parts, reading.field.parts, "{}: two fields", reading.name);
        }
    }
    all
}

/// The kernel that drives the units' lines.
pub fn lines_file() -> String {
    let readings = readings();
    let width_of = |reading: &Reading| reading.field.width();
    let mut locals: Vec<String> = vec![];
    let mut body = String::new();
    // By line: what is 1 where it is.
    let mut bits: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut others = String::new();
    for row in ROWS.iter().filter(|row| row.executes()) {
        for path in row.control.sets.iter().filter(|path| path.contains('.')) {
            let term = format!("self.d_row.val().{}", name_of(path));
            let terms = bits.entry(path).or_default();
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    }
    for (reading, long, short) in &readings {
        let name = reading.name;
        let width = width_of(reading);
        let typed = if width == 1 {
            "Bit".into()
        } else {
            format!("Bits<{width}>")
        };
        locals.push(format!("{name}: Signal<Local, {typed}>"));
        match (long, short) {
            (Some(long), Some(short)) if long.parts == short.parts => {
                let _ = writeln!(body, "        self.{name}.next = {};", bits_expression(long.parts));
            }
            (Some(long), Some(short)) => {
                let _ = writeln!(body, "        self.{name}.next = {};", bits_expression(short.parts));
                let _ = writeln!(
                    body,
                    "        if self.d_layout.val().is_full {{\n            self.{name}.next = {};\n        }}",
                    bits_expression(long.parts)
                );
            }
            (Some(field), None) | (None, Some(field)) => {
                let _ = writeln!(body, "        self.{name}.next = {};", bits_expression(field.parts));
            }
            (None, None) => {}
        }
        let chosen = format!("self.d_row.val().{name}");
        for line in reading.lines {
            match line {
                Line::Bit(path) => bits
                    .entry(path)
                    .or_default()
                    .push(format!("({chosen} && self.{name}.val())")),
                Line::When(path, values) => {
                    let set = (0..1u32 << width)
                        .filter(|value| values.contains(value))
                        .collect::<Vec<_>>();
                    let single = (0..width)
                        .find(|bit| (0..1u32 << width).all(|value| set.contains(&value) == (value >> bit & 1 == 1)));
                    let term = match (single, &set[..]) {
                        (Some(bit), _) => format!("self.{name}.val().get_bit({bit})"),
                        (None, [value]) => format!("(self.{name}.val() == {value})"),
                        _ => {
                            let local = format!("{name}_{}", name_of(path));
                            if !locals.iter().any(|known| known.starts_with(&format!("{local}:"))) {
                                locals.push(format!("{local}: Signal<Local, Bit>"));
                                let _ = writeln!(
                                    body,
                                    "        self.{local}.next = false;\n        match self.{name}.val().index() {{"
                                );
                                for value in &set {
                                    let _ = writeln!(body, "            {value} => self.{local}.next = true,");
                                }
                                body.push_str("            _ => {}\n        }\n");
                            }
                            format!("self.{local}.val()")
                        }
                    };
                    bits.entry(path).or_default().push(format!("({chosen} && {term})"));
                }
                Line::Number(path) => {
                    let (unit, line) = path.split_once('.').unwrap_or((path, ""));
                    let _ = writeln!(others, "        if {chosen} {{\n            self.{unit}_lines.next.{line} = self.{name}.val();\n        }}");
                }
                Line::Variant(path, kind, variants) => {
                    let (unit, line) = path.split_once('.').unwrap_or((path, ""));
                    let _ = writeln!(others, "        if {chosen} {{");
                    if let [zero, one] = variants {
                        let _ = writeln!(others, "            self.{unit}_lines.next.{line} = {kind}::{zero};");
                        let _ = writeln!(others, "            if self.{name}.val() {{\n                self.{unit}_lines.next.{line} = {kind}::{one};\n            }}");
                    } else {
                        let _ = writeln!(others, "            match self.{name}.val().index() {{");
                        let last = variants.len() - 1;
                        for (value, variant) in variants.iter().enumerate() {
                            let arm = if value == last { "_".into() } else { value.to_string() };
                            let _ = writeln!(
                                others,
                                "                {arm} => self.{unit}_lines.next.{line} = {kind}::{variant},"
                            );
                        }
                        others.push_str("            }\n");
                    }
                    others.push_str("        }\n");
                }
            }
        }
    }
    let mut out = String::from(HEAD);
    out.push_str(
        "\n//! The lines of the units' control that the word's fields drive, each for the rows that ask for it.\n\n\
         use super::layout::Layout;\nuse super::rows::Row;\nuse crate::bundles::*;\nuse crate::execute::float::{FloatControl, FloatOperation};\n\
         use crate::execute::special_function::SpecialControl;\nuse hdlkit::prelude::*;\n\n\
         /// The units' lines. Those of a unit that the instruction does not go to mean nothing.\n\
         #[derive(LogicBlock, Cycle, Blank)]\npub struct Lines {\n    pub d_word: Signal<In, Bits<64>>,\n    pub d_layout: Signal<In, Layout>,\n    \
         pub d_row: Signal<In, Row>,\n    pub d_integer: Signal<Out, IntegerControl>,\n    pub d_float: Signal<Out, FloatControl>,\n    \
         pub d_special: Signal<Out, SpecialControl>,\n    integer_lines: Signal<Local, IntegerControl>,\n    float_lines: Signal<Local, FloatControl>,\n    \
         special_lines: Signal<Local, SpecialControl>,\n    no_integer: Constant<IntegerControl>,\n    no_float: Constant<FloatControl>,\n    \
         no_special: Constant<SpecialControl>,\n",
    );
    for local in &locals {
        let _ = writeln!(out, "    {local},");
    }
    out.push_str("    _activity: Activity,\n}\n\nimpl Logic for Lines {\n    #[hdl_gen]\n    fn update(&mut self) {\n        // The fields.\n");
    out.push_str(&body);
    out.push_str(
        "\n        // The lines.\n        self.integer_lines.next = self.no_integer.val();\n        self.float_lines.next = self.no_float.val();\n        \
         self.special_lines.next = self.no_special.val();\n        self.integer_lines.next.operation = self.d_row.val().integer;\n        \
         self.float_lines.next.operation = self.d_row.val().float;\n        self.special_lines.next.operation = self.d_row.val().special;\n        \
         self.integer_lines.next.narrow =\n            (self.d_row.val().sized || self.d_row.val().sized_a) && !self.d_layout.val().wide;\n",
    );
    for (path, terms) in &bits {
        let (unit, line) = path.split_once('.').unwrap_or((path, ""));
        match &terms[..] {
            [one] => {
                let one = one
                    .strip_prefix('(')
                    .and_then(|one| one.strip_suffix(')'))
                    .unwrap_or(one);
                let _ = writeln!(out, "        self.{unit}_lines.next.{line} = {one};");
            }
            _ => {
                let _ = writeln!(
                    out,
                    "        self.{unit}_lines.next.{line} = {};",
                    terms.join("\n            || ")
                );
            }
        }
    }
    out.push_str(&others);
    out.push_str(
        "        self.d_integer.next = self.integer_lines.val();\n        self.d_float.next = self.float_lines.val();\n        \
         self.d_special.next = self.special_lines.val();\n    }\n}\n",
    );
    out
}
