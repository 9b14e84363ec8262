//! The locations of bits in a thread: registers, condition codes and address registers.

use flexgrip_isa::{Capability, Condition, Destination, Instruction, Meaning, Operand, Operation, RegisterPart};
use flexgrip_model::Warp;

/// A register file of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    Register,
    ConditionCode,
    Address,
}

/// Adjacent bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterBits {
    pub file: File,
    /// The number of the register; address registers are numbered from 1.
    pub index: u8,
    /// The lowest bit.
    pub low: u32,
    pub width: u32,
}

impl RegisterBits {
    fn register(index: u8, part: RegisterPart) -> RegisterBits {
        let (low, width) = match part {
            RegisterPart::Full => (0, 32),
            RegisterPart::Low => (0, 16),
            RegisterPart::High => (16, 16),
        };
        let file = File::Register;
        RegisterBits {
            file,
            index,
            low,
            width,
        }
    }

    fn address(index: u8) -> RegisterBits {
        let file = File::Address;
        RegisterBits {
            file,
            index,
            low: 0,
            width: 16,
        }
    }

    fn condition_code(index: u8) -> RegisterBits {
        let file = File::ConditionCode;
        RegisterBits {
            file,
            index: index & 3,
            low: 0,
            width: 4,
        }
    }

    /// The mask of the bits in their register.
    pub fn bits(self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.low
    }

    /// The whole register in a lane; 0 if the register does not exist.
    pub fn read(self, warp: &Warp, lane: usize) -> u32 {
        let index = usize::from(self.index);
        match self.file {
            File::Register => warp.registers.get(index).map_or(0, |values| values[lane]),
            File::ConditionCode => u32::from(warp.cc[index & 3][lane]),
            File::Address => index
                .checked_sub(1)
                .and_then(|index| warp.address.get(index))
                .map_or(0, |values| u32::from(values[lane])),
        }
    }

    /// Writes the bits of `mask` of the register in a lane.
    pub fn write(self, warp: &mut Warp, lane: usize, value: u32, mask: u32) {
        let value = self.read(warp, lane) & !mask | value & mask;
        let index = usize::from(self.index);
        match self.file {
            File::Register => {
                if let Some(values) = warp.registers.get_mut(index) {
                    values[lane] = value;
                }
            }
            File::ConditionCode => warp.cc[index & 3][lane] = value as u8 & 15,
            File::Address => {
                if let Some(values) = index.checked_sub(1).and_then(|index| warp.address.get_mut(index)) {
                    values[lane] = value as u16;
                }
            }
        }
    }

    /// True if the register exists, with `registers` registers in each thread.
    fn exists(&self, registers: u32) -> bool {
        match self.file {
            File::Register => u32::from(self.index) < registers,
            File::ConditionCode => true,
            File::Address => (1..=4).contains(&self.index),
        }
    }
}

/// A register or a half of one, or `count` consecutive registers.
fn consecutive(first: u8, part: RegisterPart, count: u32) -> impl Iterator<Item = RegisterBits> {
    (first..=127)
        .take(count as usize)
        .map(move |index| RegisterBits::register(index, part))
}

/// The registers that an instruction writes: first the destination, then the condition code.
pub fn destinations(meaning: &Meaning, registers: u32) -> Vec<RegisterBits> {
    let mut found = Vec::new();
    match meaning.destination {
        Destination::None | Destination::Discard => {}
        Destination::Register { index, part } => {
            found.extend(consecutive(index, part, meaning.operation.destination_registers()));
        }
        Destination::Address(index) => found.push(RegisterBits::address(index)),
        Destination::ConditionCode(index) => found.push(RegisterBits::condition_code(index)),
    }
    found.extend(meaning.cc_write.map(RegisterBits::condition_code));
    found.retain(|register| register.exists(registers));
    found
}

/// The address registers that an instruction increments after their use.
pub fn incremented(meaning: &Meaning) -> Vec<RegisterBits> {
    let indirect = meaning.sources.iter().flatten().filter_map(Operand::indirect);
    let incremented = indirect.filter(|indirect| indirect.post_increment && indirect.register > 0);
    incremented
        .map(|indirect| RegisterBits::address(indirect.register))
        .collect()
}

/// The registers that an instruction reads: its sources in order, their address registers, then the register of its
/// condition.
pub fn sources(meaning: &Meaning, registers: u32) -> Vec<RegisterBits> {
    let mut found = Vec::new();
    for (number, operand) in meaning.sources.iter().enumerate() {
        let Some(operand) = operand else { continue };
        match *operand {
            Operand::Register { index, part } => {
                found.extend(consecutive(index, part, meaning.operation.source_registers(number + 1)));
            }
            Operand::Address(index) => found.push(RegisterBits::address(index)),
            Operand::ConditionCode(index) => found.push(RegisterBits::condition_code(index)),
            _ => {}
        }
        found.extend(
            operand
                .indirect()
                .map(|indirect| RegisterBits::address(indirect.register)),
        );
    }
    if let Operation::Vote { condition, .. } = meaning.operation {
        found.push(RegisterBits::condition_code(condition.register));
    }
    if is_conditional(meaning) {
        found.push(RegisterBits::condition_code(meaning.predicate.register));
    }
    found.retain(|register| register.exists(registers));
    found
}

/// True if the instruction's condition depends on a condition code.
pub fn is_conditional(meaning: &Meaning) -> bool {
    !matches!(meaning.predicate.condition, Condition::True | Condition::False)
}

/// The bits of an instruction's word that change only register numbers, each inverted on its own.
pub fn register_bits(instruction: &Instruction, capability: Capability) -> u64 {
    let word = flexgrip_isa::encode(instruction);
    let meaning = without_registers(instruction.meaning());
    let bits = (0..64).filter(|bit| instruction.meaningful_bits() >> bit & 1 == 1);
    let changes = bits.filter(|bit| {
        let other = flexgrip_isa::decode_at(word ^ 1 << bit, capability);
        other.is_ok_and(|other| {
            std::ptr::eq(other.row(), instruction.row())
                && other.meaning() != instruction.meaning()
                && without_registers(other.meaning()) == meaning
        })
    });
    changes.fold(0, |bits, bit| bits | 1 << bit)
}

fn without_registers(mut meaning: Meaning) -> Meaning {
    if let Destination::Register { index, .. } = &mut meaning.destination {
        *index = 0;
    }
    for operand in meaning.sources.iter_mut().flatten() {
        if let Operand::Register { index, .. } = operand {
            *index = 0;
        }
    }
    meaning
}

/// The register that contains bit `bit` if the bits of `all` are numbered consecutively, and the bit's position in it.
pub fn register_of_bit(all: &[RegisterBits], bit: u32) -> Option<(RegisterBits, u32)> {
    let mut bit = bit;
    for register in all {
        if bit < register.width {
            return Some((*register, bit));
        }
        bit -= register.width;
    }
    None
}

/// The bits of `all`, numbered consecutively, at which `bits` adjacent bits of a single register begin.
pub fn starts(all: &[RegisterBits], bits: u32) -> Vec<u32> {
    let mut starts = Vec::new();
    let mut first = 0;
    for register in all {
        starts.extend(first..first + (register.width + 1).saturating_sub(bits));
        first += register.width;
    }
    starts
}
