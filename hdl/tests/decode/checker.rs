//! Compares the simulated circuit with [`isa::decode`], word by word.

use crate::controls::{Controls, Given};
use crate::float_controls::is_exact;
use flexgrip_hdl::bundles::QuadControl;
use flexgrip_hdl::bundles::*;
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_isa as isa;
use hdlkit::prelude::*;
use isa::{Destination, Marker};

/// The circuit, compared with the table word by word.
pub struct Checker {
    engine: CycleEngine<Decode>,
    capability: isa::Capability,
    /// Number of compared words that are executed.
    pub legal: u64,
}

pub fn access_code(access: isa::Access) -> u64 {
    match access {
        isa::Access::U8 => 0,
        isa::Access::U16 => 1,
        isa::Access::S16 => 2,
        isa::Access::B32 => 3,
    }
}

impl Checker {
    pub fn new(capability: isa::Capability) -> Self {
        Checker { engine: CycleEngine::new(Box::new(Decode::new(capability))), capability, legal: 0 }
    }

    pub fn circuit(&mut self, word: u64) -> Decoded {
        self.engine.block.d_word.next = Bits::new(word);
        self.engine.settle();
        self.engine.block.d_decoded.val()
    }

    /// Checks the address register that is read.
    fn address(&self, d: &Decoded, register: u8, context: &str) {
        assert_eq!(d.indexing.register_used, register != 0, "{context}");
        if register != 0 {
            assert_eq!(d.indexing.register.raw(), u64::from(register) - 1, "{context}");
        }
    }

    /// Checks the per-thread address in a memory.
    fn place(&self, d: &Decoded, offset: i32, access: isa::Access, indirect: Option<isa::Indirect>, context: &str) {
        assert_eq!(d.indexing.offset.raw(), u64::from(offset as u16), "{context}");
        assert_eq!(d.indexing.access.raw(), access_code(access), "{context}");
        let post_increment = indirect.is_some_and(|indirect| indirect.post_increment);
        assert_eq!(d.indexing.post_increment, post_increment, "{context}");
        self.address(d, indirect.map_or(0, |indirect| indirect.register), context);
    }

    /// Checks an operand that the collector fetches.
    fn gathered(
        &self,
        got: Operand,
        offset: i32,
        access: isa::Access,
        indirect: Option<isa::Indirect>,
        d: &Decoded,
        context: &str,
    ) {
        assert_eq!(got.source, Source::Gathered, "{context}");
        assert!(!got.register_used, "{context}");
        assert!(d.indexing.gathers, "{context}");
        self.place(d, offset, access, indirect, context);
    }

    /// Compares an operand of the circuit with the table's.
    fn operand(
        &self,
        got: Operand,
        want: Option<isa::Operand>,
        d: &Decoded,
        narrow: Option<bool>,
        moves_constant: bool,
        context: &str,
    ) {
        let Some(want) = want else {
            assert!(!got.register_used, "{context}: the circuit has an operand that the table does not have");
            return;
        };
        match want {
            isa::Operand::Register { index, part } => {
                assert_eq!(got.source, Source::Register, "{context}");
                assert!(got.register_used, "{context}");
                assert_eq!(got.register.raw(), u64::from(index), "{context}");
                let part = match part {
                    isa::RegisterPart::Full => Part::Whole,
                    isa::RegisterPart::Low => Part::Low,
                    isa::RegisterPart::High => Part::High,
                };
                assert_eq!(got.part, part, "{context}");
            }
            isa::Operand::Immediate(value) => {
                assert_eq!(got.source, Source::Immediate, "{context}");
                assert!(!got.register_used, "{context}");
                let mask = if narrow == Some(true) { 0xffff } else { 0xffff_ffff };
                assert_eq!(d.immediate.raw(), u64::from(value & mask), "{context}");
            }
            isa::Operand::Shared { offset, access, indirect } if indirect.is_some() || moves_constant => {
                self.gathered(got, offset, access, indirect, d, context);
                assert!(!d.indexing.constant, "{context}");
                if let Some(narrow) = narrow {
                    assert_eq!(got.part, if narrow { Part::Low } else { Part::Whole }, "{context}");
                }
            }
            isa::Operand::Shared { offset, access, .. } => {
                assert_eq!(got.source, Source::Shared, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(d.shared_offset.raw(), offset as u64, "{context}");
                assert_eq!(d.shared_access.raw(), access_code(access), "{context}");
                if let Some(narrow) = narrow {
                    assert_eq!(got.part, if narrow { Part::Low } else { Part::Whole }, "{context}");
                }
            }
            isa::Operand::Constant { bank, offset, access, indirect } if indirect.is_some() || moves_constant => {
                self.gathered(got, offset, access, indirect, d, context);
                assert!(d.indexing.constant, "{context}");
                assert_eq!(d.indexing.bank.raw(), u64::from(bank), "{context}");
            }
            isa::Operand::Constant { bank, offset, access, .. } => {
                assert_eq!(got.source, Source::Constant, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(d.constant_address.raw(), u64::from(bank) * 4096 + offset as u64, "{context}");
                assert_eq!(d.constant_narrow, access != isa::Access::B32, "{context}");
            }
            isa::Operand::Local { offset, indirect } => {
                assert_eq!(got.source, Source::Address, "{context}");
                assert!(!got.register_used, "{context}");
                assert!(d.indexing.local, "{context}");
                assert_eq!(d.indexing.offset.raw(), u64::from(offset as u16), "{context}");
                let post_increment = indirect.is_some_and(|indirect| indirect.post_increment);
                assert_eq!(d.indexing.post_increment, post_increment, "{context}");
                self.address(d, indirect.map_or(0, |indirect| indirect.register), context);
            }
            isa::Operand::Address(register) => {
                assert_eq!(got.source, Source::Address, "{context}");
                assert!(!got.register_used, "{context}");
                self.address(d, register, context);
            }
            isa::Operand::ConditionCode(register) => {
                assert_eq!(got.source, Source::ConditionCode, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(d.condition_source.raw(), u64::from(register), "{context}");
                assert!(d.condition_used, "{context}");
            }
            isa::Operand::Special(register) => {
                assert_eq!(got.source, Source::Special, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(got.register.raw(), u64::from(register), "{context}");
            }
        }
    }

    pub fn check(&mut self, word: u64) {
        let d = self.circuit(word);
        let context = format!("{word:#018x}");
        let instruction = match isa::decode_at(word, self.capability) {
            Ok(i) if i.executed() => i,
            _ => {
                assert!(d.illegal, "{context}: legal for the circuit, not for the table");
                return;
            }
        };
        let context = format!("{context} {instruction}");
        assert!(!d.illegal, "{context}: illegal for the circuit");
        self.legal += 1;
        assert_eq!(d.long, instruction.size() == 8, "{context}");
        assert_eq!(d.exit_marker, instruction.marker() == Marker::Exit, "{context}");
        assert_eq!(d.join_marker, instruction.marker() == Marker::Join, "{context}");

        // Operation.
        let want = Controls::of(instruction.row(), instruction.operation());
        assert_eq!(d.further_registers.raw() + 1, u64::from(want.registers()), "{context}");
        assert_eq!(d.unit, want.unit, "{context}");
        assert_eq!(d.control, want.flow, "{context}");
        // Without an exchange the other fields do not matter.
        let quad = want.quad.unwrap_or(QuadControl { exchanges: false, ..d.quad });
        assert_eq!(d.quad, quad, "{context}");
        match want.unit {
            Unit::Integer => {
                let mut integer = want.integer;
                match instruction.destination() {
                    Destination::Register { part, .. } if want.narrow_as_destination => {
                        integer.narrow = part != isa::RegisterPart::Full;
                    }
                    _ if want.narrow_as_destination || want.any_width => integer.narrow = d.integer.narrow,
                    _ => {}
                }
                if want.any_sign {
                    integer.is_signed = d.integer.is_signed;
                }
                assert_eq!(d.integer, integer, "{context}");
            }
            Unit::Float => assert_eq!(Some(d.float), want.float, "{context}"),
            Unit::SpecialFunction => {
                assert_eq!(is_double(d), want.double.is_some(), "{context}");
                if want.double.is_none() {
                    assert_eq!(Some(d.special), want.special, "{context}");
                }
                if let (Some(_), Some(mut float)) = (want.double, want.float) {
                    float.source_width = d.float.source_width;
                    float.result_narrow = d.float.result_narrow;
                    float.saturate = d.float.saturate;
                    if is_exact(&float) {
                        float.rounding = d.float.rounding;
                    }
                    assert_eq!(d.float, float, "{context}");
                }
            }
            Unit::Memory => {
                assert_eq!(Some(d.store), want.store, "{context}");
                assert_eq!(Some(d.size.raw()), want.size(), "{context}");
                if let Some((number, signed)) = want.number() {
                    assert_eq!(d.immediate.bits::<4>(6).raw(), number, "{context}");
                    assert!(signed.is_none_or(|signed| d.immediate.get_bit(25) == signed), "{context}");
                }
                if let Some(signed) = want.load_signed() {
                    assert_eq!(d.load_signed, signed, "{context}");
                }
            }
            Unit::Control => {
                if let Some(target) = want.target {
                    assert_eq!(d.target.raw(), u64::from(target), "{context}");
                }
                if let Some(barrier) = want.barrier {
                    assert_eq!(d.barrier, barrier, "{context}");
                }
            }
        }
        let sources = instruction.sources();
        let narrow = [want.narrow_sources, want.narrow_sources, Some(false)];
        for ((got, given), (narrow, name)) in
            [d.a, d.b, d.c].into_iter().zip(want.operands).zip(narrow.into_iter().zip(["a", "b", "c"]))
        {
            let operand = match given {
                Some(Given::Source(index)) => sources[index],
                Some(Given::Number(number)) => Some(isa::Operand::Immediate(number)),
                Some(Given::Quad) => {
                    assert_eq!(got.source, Source::Quad, "{context}, {name}");
                    None
                }
                Some(Given::Vote { all }) => {
                    assert_eq!(got.source, Source::Vote, "{context}, {name}");
                    assert_eq!(got.register.get_bit(0), all, "{context}, {name}");
                    None
                }
                None => None,
            };
            self.operand(got, operand, &d, narrow, want.moves_constant, &format!("{context}, {name}"));
        }

        // The signals for the operand collector and for address registers.
        assert_eq!(d.indexing.scatters, want.scatters, "{context}");
        if want.scatters {
            let Some(isa::Operand::Shared { offset, access, indirect }) = sources[0] else {
                panic!("{context}: stored to {:?}", sources[0]);
            };
            self.place(&d, offset, access, indirect, &context);
        }
        let indirect = sources.iter().flatten().find_map(|operand| operand.indirect());
        assert_eq!(d.indexing.local, want.local || want.locked, "{context}");
        let gathers = !want.scatters && !want.local && (indirect.is_some() || want.moves_constant);
        assert_eq!(d.indexing.gathers, gathers, "{context}");
        // An instruction must not wait for an address register that it does not read.
        let reads_address = sources.iter().flatten().any(|operand| match operand {
            isa::Operand::Address(register) => *register != 0,
            _ => operand.indirect().is_some_and(|indirect| indirect.register != 0),
        });
        assert_eq!(d.indexing.register_used, reads_address, "{context}");
        let written = match instruction.destination() {
            Destination::Address(register) => Some(register),
            _ => None,
        };
        let increments = indirect.is_some_and(|indirect| {
            indirect.post_increment && indirect.register != 0 && written != Some(indirect.register)
        });
        assert_eq!(d.indexing.increments, increments, "{context}");
        assert_eq!(d.address_enable, written.is_some_and(|register| register != 0), "{context}");
        if d.address_enable {
            assert_eq!(Some(d.address_register.raw() + 1), written.map(u64::from), "{context}");
        }

        // Destination and conditions.
        match instruction.destination() {
            Destination::Register { index, part } => {
                assert!(d.register_enable, "{context}");
                assert_eq!(d.register.raw(), u64::from(index), "{context}");
                let halves = match part {
                    isa::RegisterPart::Full => 3,
                    isa::RegisterPart::Low => 1,
                    isa::RegisterPart::High => 2,
                };
                assert_eq!(d.halves.raw(), halves, "{context}");
            }
            _ => assert!(!d.register_enable, "{context}"),
        }
        let written = match instruction.destination() {
            Destination::ConditionCode(register) => Some(register),
            _ => instruction.cc_write(),
        };
        assert_eq!(d.condition_enable, written.is_some(), "{context}");
        if let Some(register) = written {
            assert_eq!(d.condition_register.raw(), u64::from(register), "{context}");
        }
        let predicate = instruction.predicate();
        let code = predicate.condition as u64;
        assert_eq!(d.predicated, code != 15, "{context}");
        if d.predicated {
            assert_eq!(d.condition.raw(), code, "{context}");
        }
        if let Some(carry) = want.carry {
            assert_eq!(d.condition_source.raw(), u64::from(carry), "{context}");
        }
        if d.predicated && code != 0 {
            assert_eq!(d.condition_source.raw(), u64::from(predicate.register), "{context}");
        }
        let mut used = want.carry.is_some() || want.reads_code || d.predicated && code != 0;
        if let Some(vote) = want.vote {
            assert_eq!(d.condition.raw(), vote.condition as u64, "{context}");
            if vote.reads() {
                assert_eq!(d.condition_source.raw(), u64::from(vote.register), "{context}");
                used = true;
            }
        }
        assert_eq!(d.condition_used, used, "{context}");
    }
}
