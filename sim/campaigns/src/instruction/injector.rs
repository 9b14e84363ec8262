//! Changes the instructions of a run according to the model of a fault.

use super::code::{DecodedProgram, Info, CTAID};
use super::fault::Injection;
use super::multiplied::multiplied;
use super::operations::with_operation;
use super::places::{register_of_bit, RegisterBits};
use flexgrip_engines::files::program::instruction_text;
use flexgrip_faults::{FirstRecord, Kind, Model};
use flexgrip_isa::{Destination, Meaning, Operand};
use flexgrip_machine::{ErrorKind, Launch};
use flexgrip_model::{lanes_of, Decoded, Injector, Issue, Issued, Memory, Warp};
use std::collections::HashSet;

/// State that is restored after an instruction.
enum Saved {
    Nothing,
    /// A register, with its previous values.
    Source(RegisterBits, [u32; 32]),
    /// The indices of a block in shared memory, with their previous and changed values.
    BlockIndices {
        before: u32,
        changed: u32,
    },
}

/// An injector for a single fault.
pub struct FaultInjector<'a> {
    fault: &'a Injection,
    code: &'a DecodedProgram,
    launch: &'a Launch,
    issued: Option<Issued>,
    /// The current instruction, if the fault can hit it.
    hit: Option<&'a Info>,
    /// The lanes that were active before the instruction.
    active: u32,
    saved: Saved,
    /// True if the warp begins with this instruction, with wrong indices.
    begins: bool,
    /// The warps that have begun.
    begun: HashSet<(u32, u32)>,
    /// The first instruction that the fault has changed.
    pub first: Option<FirstRecord>,
}

impl<'a> FaultInjector<'a> {
    /// Creates an injector for a fault in a launch with this program.
    pub fn new(fault: &'a Injection, code: &'a DecodedProgram, launch: &'a Launch) -> Self {
        FaultInjector {
            fault,
            code,
            launch,
            issued: None,
            hit: None,
            active: 0,
            saved: Saved::Nothing,
            begins: false,
            begun: HashSet::new(),
            first: None,
        }
    }

    /// Records that the fault has changed something: in these lanes, or in the whole warp if 0.
    fn changed(&mut self, lanes: u32) {
        let (None, Some(issued)) = (&self.first, self.issued) else {
            return;
        };
        self.first = Some(FirstRecord {
            cycle: issued.number,
            sm: issued.sm,
            warp: issued.slot,
            pc: issued.pc.into(),
            instruction: self
                .code
                .at(issued.pc)
                .map_or_else(String::new, |info| instruction_text(info.word)),
            thread: (lanes != 0).then(|| lanes.trailing_zeros()),
        });
    }

    /// A value with stuck bits. If they already have the stuck value, they are inverted instead.
    fn forced(&self, value: u32, ones: u32) -> u32 {
        let forced = if self.fault.stuck { value | ones } else { value & !ones };
        if forced == value {
            value ^ ones
        } else {
            forced
        }
    }

    /// Begins a warp: changes the indices of its threads in R0, but only in dimensions that the block has.
    fn begin(&mut self, warp: &mut Warp) {
        let fault = self.fault;
        let lanes = if fault.model == Model::Iat {
            fault.lanes
        } else {
            u32::MAX
        } & warp.threads;
        let ones = fault.ones() as u32;
        let fields = [(0, 16), (16, 10), (26, 6)];
        let fields = fields.into_iter().zip(self.launch.block).enumerate();
        let fields: Vec<(u32, u32)> = fields
            .filter(|(number, (_, threads))| *number == 0 || *threads > 1)
            .map(|(_, (field, _))| field)
            .collect();
        let Some(values) = warp.registers.first().copied() else {
            return;
        };
        for lane in lanes_of(lanes) {
            let mut value = values[lane];
            for (low, width) in &fields {
                let bits = u32::MAX >> (32 - width);
                let field = self.forced(value >> low & bits, ones & bits);
                value = value & !(bits << low) | field << low;
            }
            warp.registers[0][lane] = value;
        }
        if lanes != 0 {
            self.changed(lanes);
        }
    }

    fn block_indices(&mut self, info: &Info, shared: &mut Memory) {
        let Ok(before) = shared.read(CTAID.start, 4) else {
            return;
        };
        let before = before as u32;
        let mut changed = before;
        for (is_read, low) in info.block_indices().into_iter().zip([0, 16]) {
            if is_read {
                let field = self.forced(before >> low & 0xffff, self.fault.ones() as u32 & 0xffff);
                changed = changed & !(0xffff << low) | field << low;
            }
        }
        if changed != before && shared.write(CTAID.start, 4, changed.into()).is_ok() {
            self.saved = Saved::BlockIndices { before, changed };
            self.changed(0);
        }
    }

    /// Inverts bits of a source in the faulty lanes while the instruction reads it.
    fn source(&mut self, register: RegisterBits, low: u32, warp: &mut Warp) {
        let ones = (u32::MAX >> (32 - self.fault.bits.min(32)))
            .checked_shl(register.low + low)
            .unwrap_or(0);
        let ones = ones & register.bits();
        self.saved = Saved::Source(register, std::array::from_fn(|lane| register.read(warp, lane)));
        for lane in lanes_of(self.fault.lanes) {
            let value = register.read(warp, lane);
            register.write(warp, lane, value ^ ones, ones);
        }
        if self.fault.lanes & self.active != 0 {
            self.changed(self.fault.lanes & self.active);
        }
    }

    /// Inverts bits of the word, and decodes it again.
    fn word(&mut self, info: &Info) -> Result<Decoded, ErrorKind> {
        self.changed(0);
        let at = info.pc as usize / 4;
        let mut words: Vec<u32> = self.launch.program.iter().skip(at).take(2).copied().collect();
        let ones = self.fault.ones();
        for (word, shift) in words.iter_mut().zip([0, 32]) {
            *word ^= (ones >> shift) as u32;
        }
        Decoded::at(info.pc, &words, self.launch.unaligned_code, self.launch.capability)
    }

    /// The instruction with a different register number; `None` if the kernel does not have this register.
    fn other_register(&self, meaning: &Meaning) -> Option<Meaning> {
        let mut meaning = *meaning;
        let index = match (self.fault.operand, &mut meaning.destination) {
            (0, Destination::Register { index, .. }) => index,
            (operand, _) => match meaning.sources.get_mut(usize::from(operand).wrapping_sub(1)) {
                Some(Some(Operand::Register { index, .. })) => index,
                _ => return Some(meaning),
            },
        };
        *index ^= self.fault.mask;
        (u32::from(*index) < self.launch.registers).then_some(meaning)
    }

    /// Inverts bits of the result, in lanes that executed the instruction.
    fn invert(&mut self, warp: &mut Warp, register: RegisterBits, low: u32, lanes: u32) {
        let ones = (u32::MAX >> (32 - self.fault.bits.min(32)))
            .checked_shl(register.low + low)
            .unwrap_or(0);
        let ones = ones & register.bits();
        for lane in lanes_of(lanes) {
            let value = register.read(warp, lane);
            register.write(warp, lane, value ^ ones, ones);
        }
        if lanes != 0 && ones != 0 {
            self.changed(lanes);
        }
    }

    fn relative_error(&mut self, warp: &mut Warp, info: &Info, lanes: u32) {
        let Some(register) = info.destinations.first() else {
            return;
        };
        let mut different = 0;
        for lane in lanes_of(lanes) {
            let before = register.read(warp, lane);
            let part = (before & register.bits()) >> register.low;
            let result = multiplied(part, self.fault.factor, info.is_float, register.width);
            register.write(warp, lane, result << register.low, register.bits());
            different |= u32::from(register.read(warp, lane) != before) << lane;
        }
        if different != 0 {
            self.changed(different);
        }
    }

    /// Restores values that the instruction only read. Values that it wrote stay.
    fn restore(&mut self, warp: &mut Warp, shared: &mut Memory, executed: u32) {
        match std::mem::replace(&mut self.saved, Saved::Nothing) {
            Saved::Source(register, before) => {
                let written = self.hit.map_or(&[][..], |info| &info.written);
                let same = written
                    .iter()
                    .filter(|other| (other.file, other.index) == (register.file, register.index));
                let written = same.fold(0, |bits, other| bits | other.bits());
                for (lane, value) in before.iter().enumerate() {
                    let stays = if executed >> lane & 1 == 1 { written } else { 0 };
                    register.write(warp, lane, *value, register.bits() & !stays);
                }
            }
            Saved::BlockIndices { before, changed } => {
                if shared.read(CTAID.start, 4) == Ok(changed.into()) {
                    // The address was read before, so the write cannot fail.
                    let _ = shared.write(CTAID.start, 4, before.into());
                }
            }
            Saved::Nothing => {}
        }
    }
}

impl Injector for FaultInjector<'_> {
    fn at(&mut self, issued: Issued) {
        let fault = self.fault;
        let in_time = (fault.from..fault.until).contains(&issued.number);
        let here = match fault.pc {
            Some(pc) => issued.pc == pc,
            None => issued.sm == fault.sm && fault.warps.checked_shr(issued.slot).unwrap_or(0) & 1 == 1,
        };
        let info = self.code.at(issued.pc).filter(|_| in_time && here);
        let of_kind = |info: &&Info| fault.pc.is_some() || fault.kind == Kind::All || info.kind == fault.kind;
        self.hit = info.filter(of_kind).filter(|info| info.is_hit_by(fault.model));
        let is_first =
            matches!(fault.model, Model::Iat | Model::Iaw) && self.begun.insert((issued.block, issued.warp_in_block));
        self.begins = is_first && in_time && here;
        self.issued = (self.begins || self.hit.is_some()).then_some(issued);
        self.saved = Saved::Nothing;
    }

    fn before(&mut self, issue: &mut Issue<'_>) -> Option<Result<Decoded, ErrorKind>> {
        self.issued?;
        if self.begins {
            self.begin(issue.warp);
        }
        let info = self.hit?;
        self.active = issue.warp.active;
        let fault = self.fault;
        let meaning = *issue.meaning()?;
        match fault.model {
            Model::FlipSource => {
                let (register, bit) = register_of_bit(&info.sources, fault.bit)?;
                self.source(register, bit, issue.warp);
                None
            }
            Model::Ims => {
                let register = info
                    .sources
                    .get(usize::from(fault.operand) % info.sources.len().max(1))?;
                self.source(*register, fault.bit % register.width, issue.warp);
                None
            }
            Model::FlipImmediate => {
                let mut meaning = meaning;
                for operand in meaning.sources.iter_mut().flatten() {
                    if let Operand::Immediate(value) = operand {
                        *value ^= fault.ones() as u32;
                    }
                }
                self.changed(0);
                Some(Ok(issue.decoded().with_meaning(Some(meaning))))
            }
            Model::FlipWord => Some(self.word(info)),
            Model::FlipOpcode => (info.opcode_bits & fault.ones() != 0).then(|| self.word(info)),
            Model::FlipRegister => (info.register_bits & fault.ones() != 0).then(|| self.word(info)),
            Model::Ira => {
                let other = self.other_register(&meaning);
                if other != Some(meaning) {
                    self.changed(0);
                }
                Some(Ok(issue.decoded().with_meaning(other)))
            }
            Model::Ioc => {
                let operation = fault.operation.filter(|operation| *operation != meaning.operation)?;
                self.changed(0);
                Some(Ok(issue
                    .decoded()
                    .with_meaning(Some(with_operation(&meaning, operation)))))
            }
            Model::Iac | Model::Iaw => {
                self.block_indices(info, issue.shared);
                None
            }
            _ => None,
        }
    }

    fn mask(&mut self, active: u32, executed: u32) -> u32 {
        let (Some(info), fault) = (self.hit, self.fault) else {
            return executed;
        };
        let other = match fault.model {
            Model::FlipMask => executed ^ fault.lanes,
            Model::Ial if fault.stuck && info.is_conditional() => executed | fault.lanes & active,
            Model::Ial if !fault.stuck && info.kind != Kind::Branch => executed & !fault.lanes,
            _ => executed,
        };
        if other != executed {
            self.changed(other ^ executed);
        }
        other
    }

    fn after(&mut self, warp: &mut Warp, shared: &mut Memory, executed: u32) {
        self.restore(warp, shared, executed);
        let (Some(info), fault) = (self.hit, self.fault) else {
            return;
        };
        let lanes = fault.lanes & executed;
        match fault.model {
            Model::FlipDestination => {
                if let Some((register, bit)) = register_of_bit(&info.destinations, fault.bit) {
                    self.invert(warp, register, bit, lanes);
                }
            }
            Model::Iio => {
                if let Some(register) = info.destinations.first() {
                    self.invert(warp, *register, fault.bit % register.width, executed);
                }
            }
            Model::Imd => {
                let Some(register) = info.destinations.first() else {
                    return;
                };
                let other = RegisterBits {
                    index: fault.register,
                    ..*register
                };
                for lane in lanes_of(lanes) {
                    let right = register.read(warp, lane);
                    other.write(warp, lane, right, register.bits());
                }
                self.invert(warp, *register, fault.bit % register.width, lanes);
            }
            Model::Wv => {
                let written = info.destinations.iter();
                let codes: Vec<RegisterBits> = written.filter(|register| register.width == 4).copied().collect();
                let ones = fault.ones() as u32 & 15;
                let mut different = 0;
                for register in codes {
                    for lane in lanes_of(lanes) {
                        let before = register.read(warp, lane);
                        register.write(warp, lane, if fault.stuck { ones } else { 0 }, ones);
                        different |= u32::from(register.read(warp, lane) != before) << lane;
                    }
                }
                if different != 0 {
                    self.changed(different);
                }
            }
            Model::RelativeError => self.relative_error(warp, info, lanes),
            _ => {}
        }
    }
}
