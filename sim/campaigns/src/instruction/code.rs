//! The instructions of a program as fault sites.

use super::places::{destinations, incremented, is_conditional, register_bits, sources, RegisterBits};
use flexgrip_engines::files::program::instruction_text;
use flexgrip_faults::{Error, Kind, Model, Site, Sites};
use flexgrip_isa::table::Unit;
use flexgrip_isa::{decode_at, Destination, Instruction, Meaning, Operand, Operation};
use flexgrip_machine::Launch;

/// The byte addresses of a block's indices in shared memory: x, then y, 16 bits each.
pub const CTAID: std::ops::Range<u32> = 12..16;

/// An instruction, with the facts that fault models need.
#[derive(Clone, Debug)]
pub struct Info {
    pub pc: u32,
    pub word: u64,
    pub meaning: Meaning,
    /// The mnemonic without modifiers and without the length of the word, as in laws of relative errors.
    pub name: &'static str,
    pub kind: Kind,
    pub sources: Vec<RegisterBits>,
    pub destinations: Vec<RegisterBits>,
    /// The destinations, and the address registers with a post-increment.
    pub written: Vec<RegisterBits>,
    /// The bits of the word that form the opcode, and the bits of register numbers.
    pub opcode_bits: u64,
    pub register_bits: u64,
    /// True if the instruction computes a register value, lane by lane.
    pub is_computing: bool,
    /// True if the result is a float.
    pub is_float: bool,
}

/// A decoded program.
#[derive(Debug)]
pub struct DecodedProgram {
    /// The instructions by word address.
    infos: Vec<Option<Info>>,
}

impl DecodedProgram {
    /// Decodes the program of a launch from its first word onward.
    pub fn new(launch: &Launch) -> DecodedProgram {
        let words = &launch.program;
        let mut infos: Vec<Option<Info>> = words.iter().map(|_| None).collect();
        let mut at = 0;
        while let Some(&low) = words.get(at) {
            let (word, length) = match low & 1 {
                0 => (u64::from(low), 1),
                _ => (
                    u64::from(words.get(at + 1).copied().unwrap_or_default()) << 32 | u64::from(low),
                    2,
                ),
            };
            let instruction = decode_at(word, launch.capability).ok().filter(Instruction::executed);
            infos[at] = instruction.map(|instruction| Info::new(4 * at as u32, &instruction, launch));
            at += length;
        }
        DecodedProgram { infos }
    }

    /// The instruction at a byte address.
    pub fn at(&self, pc: u32) -> Option<&Info> {
        self.infos.get(pc as usize / 4)?.as_ref()
    }

    /// The instructions in order.
    pub fn iter(&self) -> impl Iterator<Item = &Info> {
        self.infos.iter().flatten()
    }

    /// The sites: the instructions, then the multiprocessors with the occurring kinds of instructions.
    ///
    /// # Errors
    /// Never fails for the program of a checked launch.
    pub fn sites(&self, sms: u32) -> Result<Sites, Error> {
        let mut sites: Vec<Site> = self.iter().map(Info::site).collect();
        let kinds = Kind::ALL.iter().copied();
        let kinds: Vec<Kind> = kinds
            .filter(|kind| *kind == Kind::All || self.iter().any(|info| info.kind == *kind))
            .collect();
        sites.extend((0..sms).flat_map(|sm| kinds.iter().map(move |kind| Site::multiprocessor(sm, *kind))));
        Sites::new(sites)
    }
}

/// The sites of a launch on the golden model with `sms` multiprocessors.
///
/// # Errors
/// The errors of [`Sites::new`].
pub fn sites_of_launch(launch: &Launch, sms: u32) -> Result<Sites, Error> {
    DecodedProgram::new(launch).sites(sms)
}

/// The kind of an instruction.
fn kind(unit: Unit, operation: Operation) -> Kind {
    match (unit, operation) {
        (_, Operation::R2g | Operation::R2gUnlock | Operation::Gst { .. } | Operation::Lst { .. }) => Kind::Store,
        (_, Operation::Gld { .. } | Operation::Lld { .. } | Operation::Atomic { .. } | Operation::G2rLock { .. }) => {
            Kind::Load
        }
        (_, Operation::Nop | Operation::PmTrigger { .. }) => Kind::Branch,
        (Unit::Float | Unit::Double, _) => Kind::Float,
        (Unit::SpecialFunction, _) => Kind::Special,
        (Unit::Branch, _) => Kind::Branch,
        (Unit::Integer | Unit::Memory | Unit::Texture, _) => Kind::Integer,
    }
}

fn has_float_result(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Fadd { .. }
            | Operation::Fmul { .. }
            | Operation::Fmad { .. }
            | Operation::Fmin { .. }
            | Operation::Fmax { .. }
            | Operation::Fslct { .. }
            | Operation::Fswz { .. }
            | Operation::F2f { .. }
            | Operation::I2f { .. }
            | Operation::Special { .. }
            | Operation::Rro { .. }
    )
}

impl Info {
    fn new(pc: u32, instruction: &Instruction, launch: &Launch) -> Info {
        let registers = launch.registers;
        let meaning = instruction.meaning();
        let row = instruction.row();
        let name = row.name.strip_suffix("32I").or_else(|| row.name.strip_suffix("32"));
        let destinations = destinations(&meaning, registers);
        let kind = kind(row.unit, meaning.operation);
        let computes = matches!(kind, Kind::Float | Kind::Special | Kind::Integer);
        Info {
            pc,
            word: flexgrip_isa::encode(instruction),
            name: name.unwrap_or(row.name),
            kind,
            sources: sources(&meaning, registers),
            written: destinations.iter().copied().chain(incremented(&meaning)).collect(),
            is_computing: computes
                && matches!(meaning.destination, Destination::Register { .. })
                && !destinations.is_empty(),
            is_float: has_float_result(meaning.operation),
            destinations,
            opcode_bits: row.pattern.mask,
            register_bits: register_bits(instruction, launch.capability),
            meaning,
        }
    }

    /// The width of the word in bits: 32 or 64.
    pub fn word_bits(&self) -> u32 {
        if self.word & 1 == 0 {
            32
        } else {
            64
        }
    }

    /// The site of this instruction.
    pub fn site(&self) -> Site {
        let text = instruction_text(self.word);
        Site::instruction(flexgrip_faults::results::row::mnemonic(&text), self.kind, self.pc)
    }

    /// True if the condition reads a condition-code register.
    pub fn is_conditional(&self) -> bool {
        is_conditional(&self.meaning)
    }

    /// The indices of its block, x and y, that the instruction reads from shared memory.
    pub fn block_indices(&self) -> [bool; 2] {
        let mut read = [false; 2];
        if matches!(self.meaning.operation, Operation::R2g) {
            return read;
        }
        for operand in self.meaning.sources.iter().flatten() {
            if let Operand::Shared {
                offset,
                access,
                indirect: None,
            } = *operand
            {
                let from = i64::from(offset);
                let to = from + i64::from(access.bytes());
                for (half, read) in (0..2).zip(&mut read) {
                    let first = i64::from(CTAID.start) + 2 * half;
                    *read |= from < first + 2 && to > first;
                }
            }
        }
        read
    }

    /// True if a source is R0, which initially contains a thread's index.
    pub fn reads_r0(&self) -> bool {
        self.meaning
            .sources
            .iter()
            .flatten()
            .any(|operand| matches!(operand, Operand::Register { index: 0, .. }))
    }

    /// True if a source is an immediate.
    pub fn has_immediate(&self) -> bool {
        self.meaning
            .sources
            .iter()
            .flatten()
            .any(|operand| matches!(operand, Operand::Immediate(_)))
    }

    /// True if an operand is a register: 0 is the destination, 1 to 3 are the sources.
    pub fn has_register(&self, operand: u8) -> bool {
        match operand.checked_sub(1) {
            None => matches!(self.meaning.destination, Destination::Register { .. }),
            Some(source) => {
                let source = self.meaning.sources.get(usize::from(source));
                matches!(source, Some(Some(Operand::Register { .. })))
            }
        }
    }

    /// True if a fault of this model can change the instruction or its effects. Ignores the laws of relative errors.
    pub fn is_hit_by(&self, model: Model) -> bool {
        match model {
            Model::Flip | Model::StuckAt0 | Model::StuckAt1 | Model::Delayed => false,
            Model::FlipDestination => !self.destinations.is_empty(),
            Model::FlipSource | Model::Ims => !self.sources.is_empty(),
            Model::FlipMask | Model::FlipWord | Model::FlipOpcode => true,
            Model::FlipImmediate => self.has_immediate(),
            Model::FlipRegister => self.register_bits != 0,
            Model::RelativeError | Model::Ioc => self.is_computing,
            Model::Iat => self.reads_r0(),
            Model::Iaw => self.reads_r0() || self.block_indices() != [false; 2],
            Model::Iac => self.block_indices() != [false; 2],
            Model::Wv => self
                .destinations
                .iter()
                .any(|register| register.file == super::places::File::ConditionCode),
            Model::Ira => (0..4).any(|operand| self.has_register(operand)),
            Model::Imd => {
                matches!(self.meaning.destination, Destination::Register { .. }) && !self.destinations.is_empty()
            }
            Model::Ial => self.kind != Kind::Branch || self.is_conditional(),
            Model::Iio => self.has_immediate() && self.is_computing,
        }
    }
}

/// The requirement for a fault of this model, as used in messages.
pub fn needs(model: Model) -> &'static str {
    match model {
        Model::FlipDestination | Model::Imd => "a result in a register",
        Model::FlipSource | Model::Ims => "a source in a register",
        Model::FlipImmediate => "an immediate",
        Model::FlipRegister | Model::Ira => "an operand in a register",
        Model::RelativeError => "a computed result, and a law in --laws for its mnemonic",
        Model::Ioc => "a computed result",
        Model::Iat => "R0, the thread's index, as a source",
        Model::Iaw => "the thread's index, R0, or the block's, in shared memory, as a source",
        Model::Iac => "the block's index, in shared memory, as a source",
        Model::Wv => "a condition code as a result",
        Model::Ial => "a condition, or an effect on its threads",
        Model::Iio => "an immediate and a computed result",
        _ => "an address in the program",
    }
}
