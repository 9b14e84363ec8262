//! The table's requirements for every word, as functions of its bits.

mod operands;
mod results;

use super::operations::Class;
use crate::controls::Given;
use crate::float_controls::{is_exact, DOUBLE_IGNORES};
use flexgrip_exhaustive::bdd::{Diagrams, Function};
use flexgrip_exhaustive::ports::{bits, port_fields, PortField};
use flexgrip_hdl::bundles::*;
use flexgrip_isa as isa;
use hdlkit::prelude::*;
use isa::table::{rows_at, Guard, Location, Role, Suffix, CONDITION, MARKER, ROWS};
use isa::{Execution, Field, Form, Row};
use std::cmp::Reverse;

/// Bits of a word.
pub const BITS: u32 = 64;
/// The required value of an output bit.
#[derive(Clone, Copy)]
pub struct Expected {
    /// The words for which the bit matters.
    pub care: Function,
    /// The bit's value for these words; false elsewhere.
    pub value: Function,
}

/// A row's words.
pub struct Words {
    pub row: &'static Row,
    /// Words that match the row's pattern and form.
    pub matched: Function,
    /// Words that are decoded and executed.
    pub legal: Function,
}

/// A form of an operand slot, under its condition: never [`Location::Select`].
#[derive(Clone, Copy)]
struct Alternative {
    when: Function,
    location: Location,
}

/// The control that determines the operands' sources.
#[derive(Clone, Copy, PartialEq)]
struct Routing {
    operands: [Option<Given>; 3],
    narrow_sources: Option<bool>,
    scatters: bool,
    local: bool,
    locked: bool,
    moves_constant: bool,
}

/// The table's requirements, as functions of a word's bits.
pub struct Reference {
    pub diagrams: Diagrams,
    /// For each bit of the word: its position in the diagrams' order, and its function.
    pub levels: Vec<u32>,
    pub word: Vec<Function>,
    /// The outputs, and the required values of their bits.
    pub fields: Vec<PortField>,
    pub expected: Vec<Expected>,
    pub rows: Vec<Words>,
    pub legal: Function,
    capability: isa::Capability,
}

impl Reference {
    /// The requirements of a capability.
    pub fn new(capability: isa::Capability) -> Self {
        let fields = port_fields::<Decoded>();
        let outputs = fields.last().map_or(0, |last| last.low + last.width);
        let nothing = Expected { care: Function::FALSE, value: Function::FALSE };
        for code in 0..1 << CONDITION.width() {
            let condition = isa::Condition::from_code(code);
            assert!(condition.is_none_or(|condition| condition as u32 == code));
        }
        let mut diagrams = Diagrams::default();
        let levels = levels();
        let word = levels.iter().map(|level| diagrams.variable(*level)).collect();
        let mut reference = Reference {
            diagrams,
            levels,
            word,
            fields,
            expected: vec![nothing; outputs],
            rows: vec![],
            legal: Function::FALSE,
            capability,
        };
        for row in rows_at(capability) {
            reference.row(row);
        }
        let legal = reference.legal;
        reference.demand(Function::TRUE, "illegal", &[!legal]);
        reference
    }

    /// The capability of the requirements.
    pub fn capability(&self) -> isa::Capability {
        self.capability
    }

    // ---- Functions ------------------------------------------------------------------------------------------------

    pub fn and(&mut self, a: Function, b: Function) -> Function {
        self.diagrams.and(a, b)
    }

    fn or(&mut self, a: Function, b: Function) -> Function {
        self.diagrams.or(a, b)
    }

    fn any(&mut self, functions: &[Function]) -> Function {
        let none = self.diagrams.all(functions.iter().map(|function| !*function));
        !none
    }

    /// A field's value, the lowest bit first.
    fn field(&self, field: &Field) -> Vec<Function> {
        let bits = field.parts.iter().flat_map(|(low, width)| *low..low + width);
        bits.map(|bit| self.word[bit as usize]).collect()
    }

    /// The words for which `holds` is true of the field's value.
    fn field_is(&mut self, field: &Field, holds: impl Fn(u32) -> bool) -> Function {
        let bits = self.field(field);
        let values = (0..1u32 << field.width()).filter(|value| holds(*value));
        let mut found = Function::FALSE;
        for value in values {
            let is = self.diagrams.is(&bits, u64::from(value));
            found = self.or(found, is);
        }
        found
    }

    fn sum(&mut self, a: &[Function], b: &[Function]) -> Vec<Function> {
        let mut carry = Function::FALSE;
        let get = |bits: &[Function], place: usize| bits.get(place).copied().unwrap_or(Function::FALSE);
        let mut sum = vec![];
        for place in 0..a.len().max(b.len()) {
            let (a, b) = (get(a, place), get(b, place));
            let one = self.diagrams.xor(a, b);
            sum.push(self.diagrams.xor(one, carry));
            let both = self.and(a, b);
            let passed = self.and(one, carry);
            carry = self.or(both, passed);
        }
        sum.push(carry);
        sum
    }

    // ---- Demands --------------------------------------------------------------------------------------------------

    /// Requires, in the words `when`, that the named output or outputs have these bits, and 0 above them.
    fn demand(&mut self, when: Function, name: &str, bits: &[Function]) {
        let all: Vec<usize> =
            self.fields_of(name).iter().flat_map(|field| field.low..field.low + field.width).collect();
        for place in 0..all.len().max(bits.len()) {
            let bit = bits.get(place).copied().unwrap_or(Function::FALSE);
            let bit = self.and(when, bit);
            let Some(output) = all.get(place) else {
                assert_eq!(bit, Function::FALSE, "{name} has no bit {place}");
                continue;
            };
            self.require(*output, when, bit, name);
        }
    }

    /// Requires, in the words `when`, that an output bit, of the outputs `name`, has this value.
    fn require(&mut self, output: usize, when: Function, bit: Function, name: &str) {
        let bit = self.and(when, bit);
        let Expected { care, value } = self.expected[output];
        let both = self.and(care, when);
        let known = self.and(both, value);
        let new = self.and(both, bit);
        assert_eq!(known, new, "the table requires two values of {name}, output bit {output}");
        self.expected[output] = Expected { care: self.or(care, when), value: self.or(value, bit) };
    }

    pub fn fields_of(&self, name: &str) -> Vec<PortField> {
        let within = |field: &&PortField| {
            field.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let found: Vec<PortField> = self.fields.iter().filter(within).cloned().collect();
        assert!(!found.is_empty(), "Decoded has no {name}");
        found
    }

    fn demand_flag(&mut self, when: Function, name: &str, flag: Function) {
        self.demand(when, name, &[flag]);
    }

    fn demand_number(&mut self, when: Function, name: &str, number: u64) {
        let bits: Vec<Function> = (0..BITS).map(|bit| Function::constant(number >> bit & 1 == 1)).collect();
        self.demand(when, name, &bits);
    }

    /// Requires the fields of `value` in all outputs of this name, except `any`, which do not matter.
    fn demand_value<T: Synth>(&mut self, when: Function, name: &str, value: T, any: &[&str]) {
        let bits = bits(value).expect("a type that rust-hdl describes");
        let fields = self.fields_of(name);
        let first = fields[0].low;
        assert_eq!(fields.iter().map(|field| field.width).sum::<usize>(), bits.len(), "{name}");
        for field in fields.iter().filter(|field| !any.contains(&field.name.as_str())) {
            let bits = &bits[field.low - first..field.low - first + field.width];
            let bits: Vec<Function> = bits.iter().map(|bit| Function::constant(*bit)).collect();
            self.demand(when, &field.name, &bits);
        }
    }

    // ---- Rows -----------------------------------------------------------------------------------------------------

    fn row(&mut self, row: &'static Row) {
        if row.form() == Form::Short {
            // `decode` reads only the low half.
            let upper = row.fields().iter().fold(row.pattern.mask, |bits, field| bits | field.mask()) >> 32;
            assert_eq!(upper, 0, "{}: fields in the upper half", row.name);
        }
        let matched = self.matched(row);
        let slots: Vec<(Role, Vec<Alternative>)> =
            row.slots.iter().map(|slot| (slot.role, self.alternatives(&slot.location, Function::TRUE))).collect();
        let words = self.legal_words(row, matched, &slots);
        self.rows.push(Words { row, matched, legal: words });
        let before = self.and(self.legal, words);
        assert_eq!(before, Function::FALSE, "{}: words that also match another row", row.name);
        self.legal = self.or(self.legal, words);
        if words == Function::FALSE {
            return;
        }

        self.demand_flag(words, "long", Function::constant(row.form().size() == 8));
        for (name, value) in [("exit_marker", 1), ("join_marker", 2)] {
            let marked = match row.form() {
                Form::Long => self.field_is(&MARKER, |marker| marker == value),
                _ => Function::FALSE,
            };
            self.demand_flag(words, name, marked);
        }

        // The operation.
        let classes = self.classes(row);
        let known: Vec<Function> = classes.iter().map(|class| class.when).collect();
        let known = self.any(&known);
        let unknown = self.and(words, !known);
        assert_eq!(unknown, Function::FALSE, "{}: some words have no known operation", row.name);
        let destination = self.of_role(&slots, Role::Destination);
        let mut routings: Vec<(Routing, Function)> = vec![];
        let (mut carries, mut reads_code) = (Function::FALSE, Function::FALSE);
        for class in &classes {
            let when = self.and(words, class.when);
            if when == Function::FALSE {
                continue;
            }
            self.controls(row, when, class, &destination);
            let controls = &class.controls;
            let routing = Routing {
                operands: controls.operands,
                narrow_sources: controls.narrow_sources,
                scatters: controls.scatters,
                local: controls.local,
                locked: controls.locked,
                moves_constant: controls.moves_constant,
            };
            match routings.iter_mut().find(|(known, _)| *known == routing) {
                Some((_, already)) => *already = self.diagrams.or(*already, when),
                None => routings.push((routing, when)),
            }
            if let Some(vote) = controls.vote {
                self.demand_number(when, "condition", vote.condition as u64);
                if vote.reads() {
                    self.demand_number(when, "condition_source", vote.register.into());
                    reads_code = self.or(reads_code, when);
                }
            }
            if let Some(carry) = controls.carry {
                self.demand_number(when, "condition_source", u64::from(carry));
                carries = self.or(carries, when);
            }
            if controls.reads_code {
                reads_code = self.or(reads_code, when);
            }
        }

        // Operands.
        let sources = [Role::Source1, Role::Source2, Role::Source3].map(|role| self.of_role(&slots, role));
        for (routing, when) in routings {
            self.operands(when, &routing, &sources);
        }
        self.destination(words, &destination, &sources);
        self.condition_codes(row, words, &destination);
        self.condition(row, words, carries, reads_code);
    }

    /// The words of the row's pattern and form.
    fn matched(&mut self, row: &Row) -> Function {
        let own = row.pattern_at(self.capability);
        let fixed: Vec<Function> = (0..BITS)
            .filter(|bit| own.mask >> bit & 1 == 1)
            .map(|bit| {
                let variable = self.word[bit as usize];
                if own.value >> bit & 1 == 1 {
                    variable
                } else {
                    !variable
                }
            })
            .collect();
        let pattern = self.diagrams.all(fixed);
        let (low, long_marker) = ([self.word[0], self.word[1]], [self.word[32], self.word[33]]);
        let full = self.diagrams.is(&low, 1);
        let immediate = self.diagrams.is(&long_marker, 3);
        let form = match row.form() {
            Form::Short => !low[0],
            Form::Control => self.diagrams.is(&low, 3),
            Form::Immediate => self.and(full, immediate),
            Form::Long => self.and(full, !immediate),
        };
        self.and(pattern, form)
    }

    /// The matching words with defined fields that are executed.
    fn legal_words(&mut self, row: &Row, matched: Function, slots: &[(Role, Vec<Alternative>)]) -> Function {
        if !row.executes() {
            return Function::FALSE;
        }
        let restrictions = match row.execution {
            Execution::Full => &[][..],
            Execution::Only(restrictions) => restrictions,
            Execution::NotYet => return Function::FALSE,
        };
        let mut words = matched;
        if row.guard == Guard::Conditional {
            let defined = self.field_is(&CONDITION, |code| isa::Condition::from_code(code).is_some());
            words = self.and(words, defined);
        }
        for suffix in row.suffixes {
            if let Suffix::Names(field, names) = suffix {
                let defined = self.field_is(field, |value| is_named(names, value));
                words = self.and(words, defined);
            }
        }
        for (_, alternatives) in slots {
            let mut defined = Function::FALSE;
            for alternative in alternatives {
                let own = match alternative.location {
                    Location::Discard(field) => self.field_is(&field, |value| value == 0x7f),
                    Location::Address(field) => self.field_is(&field, |register| register <= 4),
                    Location::Pair(field) => self.field_is(&field, |register| register % 2 == 0),
                    Location::Condition(_, field) => {
                        self.field_is(&field, |code| isa::Condition::from_code(code).is_some())
                    }
                    Location::Named(field, names) => self.field_is(&field, |value| is_named(names, value)),
                    location => match location.indirect() {
                        Some(fields) => self.field_is(&fields.register, |register| register <= 4),
                        None => Function::TRUE,
                    },
                };
                let own = self.and(own, alternative.when);
                defined = self.or(defined, own);
            }
            words = self.and(words, defined);
        }
        for (field, values) in restrictions {
            // A field that is not always in the row would be 0 where it is absent.
            let always =
                row.slots.iter().any(|slot| match slot.location {
                    Location::Global(one, other) => one == *field || other == *field,
                    Location::Special(one) | Location::Word(one) | Location::Number(one) => one == *field,
                    _ => false,
                }) || row.suffixes.iter().any(|suffix| matches!(suffix, Suffix::Names(one, _) if one == field));
            assert!(always, "{}: {} is not a field of all its words", row.name, field.name);
            let executed = self.field_is(field, |value| values.contains(&value));
            words = self.and(words, executed);
        }
        words
    }

    /// The alternatives of a location with their conditions; undefined selections give none.
    fn alternatives(&mut self, location: &Location, when: Function) -> Vec<Alternative> {
        match location {
            Location::Undefined => vec![],
            Location::Select(field, locations) => {
                let mut found = vec![];
                for (value, location) in locations.iter().enumerate() {
                    let chosen = self.field_is(field, |is| is as usize == value);
                    let when = self.and(when, chosen);
                    if when != Function::FALSE {
                        found.extend(self.alternatives(location, when));
                    }
                }
                found
            }
            location => vec![Alternative { when, location: *location }],
        }
    }

    /// The alternatives of the slot with this role; empty if there is no such slot.
    fn of_role(&self, slots: &[(Role, Vec<Alternative>)], role: Role) -> Vec<Alternative> {
        let mut found = slots.iter().filter(|(its, _)| *its == role).map(|(_, alternatives)| alternatives.clone());
        let alternatives = found.next().unwrap_or_default();
        assert!(found.next().is_none(), "two operands have the same role");
        alternatives
    }

    /// Requires the control lines of the units.
    fn controls(&mut self, row: &Row, when: Function, class: &Class, destination: &[Alternative]) {
        let controls = &class.controls;
        self.demand_value(when, "unit", controls.unit, &[]);
        self.demand_value(when, "control", controls.flow, &[]);
        self.demand_flag(when, "quad.exchanges", Function::constant(controls.quad.is_some()));
        self.demand_number(when, "further_registers", u64::from(controls.registers() - 1));
        match controls.unit {
            Unit::Integer => {
                let mut any = vec![];
                if controls.any_width || controls.narrow_as_destination {
                    any.push("integer.narrow");
                }
                if controls.any_sign {
                    any.push("integer.is_signed");
                }
                self.demand_value(when, "integer", controls.integer, &any);
                for alternative in destination.iter().filter(|_| controls.narrow_as_destination) {
                    let when = self.and(when, alternative.when);
                    match alternative.location {
                        Location::Word(_) => self.demand_flag(when, "integer.narrow", Function::FALSE),
                        Location::Half(_) => self.demand_flag(when, "integer.narrow", Function::TRUE),
                        _ => {}
                    }
                }
            }
            Unit::Float => {
                let float = controls.float.unwrap_or_else(|| panic!("{} does nothing in a float lane", row.name));
                self.demand_value(when, "float", float, &[]);
            }
            Unit::SpecialFunction if controls.double.is_some() => {
                let float = controls.float.unwrap_or_else(|| panic!("{} has no control", row.name));
                let mut any = DOUBLE_IGNORES.to_vec();
                if is_exact(&float) {
                    any.push("float.rounding");
                }
                self.demand_value(when, "float", float, &any);
                self.demand_number(when, "size", 3);
            }
            Unit::SpecialFunction => {
                // 3 would be the double-precision unit.
                self.demand_number(when, "size", 2);
                let special = controls.special.unwrap_or_else(|| panic!("{} is not a special function", row.name));
                self.demand_value(when, "special", special, &[]);
            }
            Unit::Memory => {
                let store = controls.store.unwrap_or_else(|| panic!("{} neither loads nor stores", row.name));
                let size = controls.size().unwrap_or_else(|| panic!("{} has no size", row.name));
                self.demand_flag(when, "store", Function::constant(store));
                self.demand_number(when, "size", size);
                if let Some((number, signed)) = controls.number() {
                    let bits = (0..4).map(|bit| (6 + bit, number >> bit & 1 == 1));
                    for (bit, value) in bits.chain(signed.map(|signed| (25, signed))) {
                        let output = self.fields_of("immediate")[0].low + bit;
                        self.require(output, when, Function::constant(value), "immediate");
                    }
                }
                if let Some(signed) = controls.load_signed() {
                    self.demand_flag(when, "load_signed", Function::constant(signed));
                }
            }
            Unit::Control => {}
        }
        for (name, bits) in &class.numbers {
            self.demand(when, name, bits);
        }
    }
}

pub fn is_named(names: &[Option<&str>], value: u32) -> bool {
    names.get(value as usize).is_some_and(|name| name.is_some())
}

/// The position of each bit of a word in the diagrams' order: first the bits that distinguish rows, then the bits that
/// select, then the rest. Another order proves the same, but takes longer.
fn levels() -> Vec<u32> {
    fn selecting(location: &Location) -> u64 {
        match location {
            Location::Select(field, locations) => {
                locations.iter().fold(field.mask(), |bits, location| bits | selecting(location))
            }
            _ => 0,
        }
    }
    let weight = |bit: u32| -> (usize, usize) {
        let has = |bits: u64| bits >> bit & 1 == 1;
        let fixed = ROWS.iter().filter(|row| has(row.pattern.mask)).count();
        let selects = ROWS
            .iter()
            .filter(|row| row.slots.iter().any(|slot| has(selecting(&slot.location))) || has(row.operation_bits()));
        let marks_form = bit < 2 || bit == MARKER.parts[0].0 || bit == MARKER.parts[0].0 + 1;
        (fixed + if marks_form { ROWS.len() } else { 0 }, selects.count())
    };
    let mut order: Vec<u32> = (0..BITS).collect();
    order.sort_by_key(|bit| Reverse(weight(*bit)));
    let place = |bit: u32| order.iter().position(|other| *other == bit).expect("all bits") as u32;
    (0..BITS).map(place).collect()
}
