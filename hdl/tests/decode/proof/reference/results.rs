//! Results: the destination, address registers and condition codes, and the condition of their write.

use super::{Alternative, Reference};
use flexgrip_exhaustive::bdd::Function;
use flexgrip_isa as isa;
use isa::table::{Guard, Location, CC_ENABLE, CC_REGISTER, CONDITION, CONDITION_REGISTER};
use isa::Row;

impl Reference {
    /// Requires the destination of the result, and address registers.
    pub(super) fn destination(
        &mut self,
        words: Function,
        destination: &[Alternative],
        sources: &[Vec<Alternative>; 3],
    ) {
        let mut to_register = Function::FALSE;
        let mut written = vec![];
        for alternative in destination {
            let when = self.and(words, alternative.when);
            match alternative.location {
                Location::Word(field) | Location::Pair(field) => {
                    let bits = self.field(&field);
                    self.demand(when, "register", &bits);
                    self.demand_number(when, "halves", 3);
                    to_register = self.or(to_register, when);
                }
                Location::Half(field) => {
                    let bits = self.field(&field);
                    self.demand(when, "register", &bits[1..]);
                    self.demand(when, "halves", &[!bits[0], bits[0]]);
                    to_register = self.or(to_register, when);
                }
                Location::Address(field) => {
                    let bits = self.field(&field);
                    for number in 1..1 << bits.len() {
                        let is = self.diagrams.is(&bits, number);
                        let when = self.and(when, is);
                        if when != Function::FALSE {
                            self.demand_number(when, "address_register", number - 1);
                        }
                    }
                    written.push((when, bits));
                }
                Location::ConditionCode(_) | Location::Discard(_) => {}
                location => panic!("{location:?} is not a destination"),
            }
        }
        self.demand_flag(words, "register_enable", to_register);
        let mut enable = Function::FALSE;
        for (when, bits) in &written {
            let any = self.any(bits);
            let any = self.and(any, *when);
            enable = self.or(enable, any);
        }
        self.demand_flag(words, "address_enable", enable);

        // An address register is incremented unless the instruction writes it. An instruction must not wait for one
        // that it does not read.
        let (mut increments, mut reads) = (Function::FALSE, Function::FALSE);
        for (when, register, post_increment) in self.indirects(sources) {
            let mut own = self.any(&register);
            own = self.diagrams.all([own, when, post_increment]);
            for (when, bits) in &written {
                let equal: Vec<Function> =
                    bits.iter().zip(&register).map(|(a, b)| !self.diagrams.xor(*a, *b)).collect();
                assert_eq!(bits.len(), register.len());
                let same = self.diagrams.all(equal);
                let same = self.and(same, *when);
                own = self.and(own, !same);
            }
            increments = self.or(increments, own);
        }
        for alternative in sources.iter().flatten() {
            let register = match (alternative.location, alternative.location.indirect()) {
                (Location::Address(field), _) => field,
                (_, Some(fields)) => fields.register,
                _ => continue,
            };
            let bits = self.field(&register);
            let any = self.any(&bits);
            let own = self.and(any, alternative.when);
            reads = self.or(reads, own);
        }
        self.demand_flag(words, "indexing.increments", increments);
        self.demand_flag(words, "indexing.register_used", reads);
    }

    /// Requires the condition-code register that is written.
    pub(super) fn condition_codes(&mut self, row: &Row, words: Function, destination: &[Alternative]) {
        let mut named = Function::FALSE;
        if let Some(field) = row.always_written_code() {
            let bits = self.field(&field);
            self.demand(words, "condition_register", &bits);
            named = words;
        }
        for alternative in destination {
            if let Location::ConditionCode(field) = alternative.location {
                let when = self.and(words, alternative.when);
                let bits = self.field(&field);
                self.demand(when, "condition_register", &bits);
                named = self.or(named, when);
            }
        }
        let beside = match row.writes_cc {
            true => self.field(&CC_ENABLE)[0],
            false => Function::FALSE,
        };
        let enable = self.or(named, beside);
        self.demand_flag(words, "condition_enable", enable);
        let when = self.diagrams.all([words, !named, beside]);
        let bits = self.field(&CC_REGISTER);
        self.demand(when, "condition_register", &bits);
    }

    /// Requires the condition, and the condition-code register that it reads.
    pub(super) fn condition(&mut self, row: &Row, words: Function, carries: Function, reads_code: Function) {
        let always = isa::Condition::True as u32;
        let never = isa::Condition::False as u32;
        let (predicated, reads) = match row.guard {
            Guard::Always => (Function::FALSE, Function::FALSE),
            Guard::Conditional => (
                self.field_is(&CONDITION, |code| code != always),
                self.field_is(&CONDITION, |code| code != always && code != never),
            ),
        };
        self.demand_flag(words, "predicated", predicated);
        let when = self.and(words, predicated);
        let code = self.field(&CONDITION);
        self.demand(when, "condition", &code);
        let when = self.and(words, reads);
        let register = self.field(&CONDITION_REGISTER);
        self.demand(when, "condition_source", &register);
        let used = self.any(&[carries, reads_code, reads]);
        self.demand_flag(words, "condition_used", used);
    }
}
