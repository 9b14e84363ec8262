//! Operands: their sources, registers, addresses and widths.

use super::{Alternative, Reference, Routing};
use crate::checker::access_code;
use crate::controls::Given;
use flexgrip_exhaustive::bdd::Function;
use flexgrip_hdl::bundles::*;
use flexgrip_isa as isa;
use isa::table::{IndirectFields, Location};
use isa::Field;

impl Reference {
    pub(super) fn operands(&mut self, when: Function, routing: &Routing, sources: &[Vec<Alternative>; 3]) {
        let narrow = [routing.narrow_sources, routing.narrow_sources, Some(false)];
        for ((name, given), narrow) in ["a", "b", "c"].into_iter().zip(routing.operands).zip(narrow) {
            match given {
                Some(Given::Source(index)) if !sources[index].is_empty() => {
                    for alternative in &sources[index] {
                        let when = self.and(when, alternative.when);
                        // Operand c of an atomic operation other than compare and swap.
                        if matches!(alternative.location, Location::Nothing) {
                            assert_eq!(when, Function::FALSE);
                            continue;
                        }
                        self.operand(when, name, &alternative.location, narrow, routing.moves_constant);
                    }
                }
                Some(Given::Quad) => {
                    self.demand_value(when, &format!("{name}.source"), Source::Quad, &[]);
                    self.demand_flag(when, &format!("{name}.register_used"), Function::FALSE);
                }
                Some(Given::Vote { all }) => {
                    self.demand_value(when, &format!("{name}.source"), Source::Vote, &[]);
                    self.demand_number(when, &format!("{name}.register"), all.into());
                    self.demand_flag(when, &format!("{name}.register_used"), Function::FALSE);
                }
                Some(Given::Number(number)) => {
                    let bits: Vec<Function> = (0..32).map(|bit| Function::constant(number >> bit & 1 == 1)).collect();
                    self.immediate(when, name, &bits, narrow);
                }
                _ => self.demand_flag(when, &format!("{name}.register_used"), Function::FALSE),
            }
        }
        self.demand_flag(when, "indexing.scatters", Function::constant(routing.scatters));
        self.demand_flag(when, "indexing.local", Function::constant(routing.local || routing.locked));
        if routing.scatters {
            for alternative in &sources[0] {
                let Location::Shared { offset, access, indirect, .. } = alternative.location else {
                    panic!("stored to {:?}", alternative.location);
                };
                let when = self.and(when, alternative.when);
                self.place(when, &offset, access.bytes(), Some(indirect));
                self.demand_number(when, "indexing.access", access_code(access));
            }
        }
        let indirect: Vec<Function> = self.indirects(sources).iter().map(|(when, ..)| *when).collect();
        let indirect = self.any(&indirect);
        let gathers = !routing.scatters && !routing.local;
        let gathers = match (gathers, routing.moves_constant) {
            (true, true) => Function::TRUE,
            (true, false) => indirect,
            (false, _) => Function::FALSE,
        };
        self.demand_flag(when, "indexing.gathers", gathers);
    }

    /// The sources with an address register or post-increment: condition, register, post-increment. If there are
    /// several, the first one counts.
    pub(super) fn indirects(&mut self, sources: &[Vec<Alternative>; 3]) -> Vec<(Function, Vec<Function>, Function)> {
        let mut found = vec![];
        let mut before = Function::FALSE;
        for source in sources {
            let mut own = vec![];
            for alternative in source {
                let Some(fields) = alternative.location.indirect() else {
                    continue;
                };
                let is = self.is_indirect(&fields);
                let when = self.and(is, alternative.when);
                let when = self.and(when, !before);
                own.push((when, self.field(&fields.register), self.field(&fields.post_increment)[0]));
            }
            let whens: Vec<Function> = own.iter().map(|(when, ..)| *when).collect();
            let any = self.any(&whens);
            before = self.or(before, any);
            found.extend(own);
        }
        found
    }

    fn is_indirect(&mut self, fields: &IndirectFields) -> Function {
        let mut bits = self.field(&fields.register);
        bits.extend(self.field(&fields.post_increment));
        self.any(&bits)
    }

    /// Requires the per-thread address in a memory, without the access.
    fn place(&mut self, when: Function, offset: &Field, unit: u32, indirect: Option<IndirectFields>) {
        let (register, post_increment) = match indirect {
            Some(fields) => (self.field(&fields.register), self.field(&fields.post_increment)[0]),
            None => (vec![], Function::FALSE),
        };
        let value = self.field(offset);
        let sign = value.last().copied().unwrap_or(Function::FALSE);
        let sign = self.and(sign, post_increment);
        let mut bits = vec![Function::FALSE; unit.trailing_zeros() as usize];
        bits.extend(value);
        // Offsets are modulo 2^16.
        bits.resize(16, sign);
        self.demand(when, "indexing.offset", &bits);
        self.demand_flag(when, "indexing.post_increment", post_increment);
        self.address(when, &register);
    }

    /// Requires the address register that is read: none for register 0, otherwise the number minus 1.
    fn address(&mut self, when: Function, register: &[Function]) {
        let used = self.any(register);
        self.demand_flag(when, "indexing.register_used", used);
        for number in 1..1u64 << register.len() {
            let is = self.diagrams.is(register, number);
            let when = self.and(when, is);
            if when != Function::FALSE {
                self.demand_number(when, "indexing.register", number - 1);
            }
        }
    }

    fn immediate(&mut self, when: Function, name: &str, bits: &[Function], narrow: Option<bool>) {
        self.demand_value(when, &format!("{name}.source"), Source::Immediate, &[]);
        self.demand_flag(when, &format!("{name}.register_used"), Function::FALSE);
        let width = if narrow == Some(true) { 16 } else { 32 };
        self.demand(when, "immediate", &bits[..bits.len().min(width)]);
    }

    /// Requires the width of an operand from a memory: half a word or a whole word.
    fn width(&mut self, when: Function, name: &str, narrow: Option<bool>) {
        let part = format!("{name}.part");
        match narrow {
            None => {}
            Some(false) => self.demand_value(when, &part, Part::Whole, &[]),
            // A memory operand arrives in the low half.
            Some(true) => self.demand_value(when, &part, Part::Low, &[]),
        }
    }

    /// Requires an operand of the circuit.
    fn operand(&mut self, when: Function, name: &str, location: &Location, narrow: Option<bool>, moves_constant: bool) {
        let [source, register_used, register, part] =
            ["source", "register_used", "register", "part"].map(|field| format!("{name}.{field}"));
        let is_register =
            matches!(location, Location::Word(_) | Location::Pair(_) | Location::Half(_) | Location::Global(..));
        self.demand_flag(when, &register_used, Function::constant(is_register));
        match location {
            Location::Word(field) | Location::Pair(field) | Location::Global(_, field) => {
                self.demand_value(when, &source, Source::Register, &[]);
                let bits = self.field(field);
                self.demand(when, &register, &bits);
                self.demand_value(when, &part, Part::Whole, &[]);
            }
            Location::Half(field) => {
                self.demand_value(when, &source, Source::Register, &[]);
                let bits = self.field(field);
                self.demand(when, &register, &bits[1..]);
                let (low, high) = (self.and(when, !bits[0]), self.and(when, bits[0]));
                self.demand_value(low, &part, Part::Low, &[]);
                self.demand_value(high, &part, Part::High, &[]);
            }
            Location::Number(field) | Location::FloatNumber(field) | Location::OptionalNumber(field) => {
                let bits = self.field(field);
                self.immediate(when, name, &bits, narrow);
            }
            Location::Shared { offset, access, indirect, .. } => {
                self.width(when, name, narrow);
                let own_place = if moves_constant { Function::TRUE } else { self.is_indirect(indirect) };
                let (gathered, direct) = (self.and(when, own_place), self.and(when, !own_place));
                self.demand_value(gathered, &source, Source::Gathered, &[]);
                self.demand_flag(gathered, "indexing.constant", Function::FALSE);
                self.demand_number(gathered, "indexing.access", access_code(*access));
                self.place(gathered, offset, access.bytes(), Some(*indirect));
                self.demand_value(direct, &source, Source::Shared, &[]);
                self.demand_number(direct, "shared_access", access_code(*access));
                let mut bits = vec![Function::FALSE; access.bytes().trailing_zeros() as usize];
                bits.extend(self.field(offset));
                self.demand(direct, "shared_offset", &bits);
            }
            Location::Constant { bank, offset, access, indirect, .. } => {
                let own_place = match indirect {
                    _ if moves_constant => Function::TRUE,
                    Some(fields) => self.is_indirect(fields),
                    None => Function::FALSE,
                };
                let (gathered, direct) = (self.and(when, own_place), self.and(when, !own_place));
                self.demand_value(gathered, &source, Source::Gathered, &[]);
                self.demand_flag(gathered, "indexing.constant", Function::TRUE);
                let bank = self.field(bank);
                self.demand(gathered, "indexing.bank", &bank);
                self.demand_number(gathered, "indexing.access", access_code(*access));
                self.place(gathered, offset, access.bytes(), *indirect);
                self.demand_value(direct, &source, Source::Constant, &[]);
                self.demand_flag(direct, "constant_narrow", Function::constant(*access != isa::Access::B32));
                let mut bytes = vec![Function::FALSE; access.bytes().trailing_zeros() as usize];
                bytes.extend(self.field(offset));
                // Banks of 4096 bytes.
                let mut start = vec![Function::FALSE; 12];
                start.extend(bank);
                let address = self.sum(&start, &bytes);
                self.demand(direct, "constant_address", &address);
            }
            Location::Local { offset, indirect } => {
                self.demand_value(when, &source, Source::Address, &[]);
                self.demand_flag(when, "indexing.local", Function::TRUE);
                self.place(when, offset, 1, Some(*indirect));
            }
            Location::Address(field) => {
                self.demand_value(when, &source, Source::Address, &[]);
                let bits = self.field(field);
                self.address(when, &bits);
            }
            Location::ConditionCode(field) => {
                self.demand_value(when, &source, Source::ConditionCode, &[]);
                let bits = self.field(field);
                self.demand(when, "condition_source", &bits);
                self.demand_flag(when, "condition_used", Function::TRUE);
            }
            Location::Special(field) => {
                self.demand_value(when, &source, Source::Special, &[]);
                let bits = self.field(field);
                self.demand(when, &register, &bits);
            }
            Location::Discard(_)
            | Location::Target(_)
            | Location::Barrier(_)
            | Location::Named(..)
            | Location::Select(..)
            | Location::Condition(..)
            | Location::Nothing
            | Location::Undefined => panic!("{location:?} is not an operand"),
        }
    }
}
