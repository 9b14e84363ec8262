//! The resources that an instruction reads and writes, derived from its row's operands, condition and operation.

use crate::instruction::Instruction;
use crate::operation::*;
use crate::table::*;
use std::fmt;

/// A resource that an instruction reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// A register or a half of one.
    Register {
        /// Register, 0..127.
        index: u8,
        /// The part of the register.
        part: RegisterPart,
    },
    /// An address register, 1..4. (A0 is not a register: it reads 0.)
    Address(u8),
    /// A condition-code register, 0..3.
    ConditionCode(u8),
    /// A special register, 0..15.
    Special(u8),
    /// Shared memory of the block.
    Shared,
    /// A bank of constant memory, 0..15.
    Constant(u8),
    /// The locks of words of shared memory.
    Locks,
    /// Local memory of the thread.
    Local,
    /// A space of global memory, 0..15.
    Global(u8),
    /// A texture's memory.
    Texture,
    /// A barrier of the block, 0..15.
    Barrier(u8),
    /// The warp's program counter, other than by advancing to the next instruction.
    ProgramCounter,
    /// The warp's divergence stack.
    DivergenceStack,
    /// The set of threads still running.
    Threads,
    /// Counters of the performance monitor.
    EventCounters,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Register { index, part } => {
                let part = match part {
                    RegisterPart::Full => "",
                    RegisterPart::Low => "L",
                    RegisterPart::High => "H",
                };
                write!(f, "R{index}{part}")
            }
            Resource::Address(index) => write!(f, "A{index}"),
            Resource::ConditionCode(index) => write!(f, "C{index}"),
            Resource::Special(index) => write!(f, "SR{index}"),
            Resource::Shared => f.write_str("shared memory"),
            Resource::Constant(bank) => write!(f, "constant bank {bank}"),
            Resource::Locks => f.write_str("locks of shared memory"),
            Resource::Local => f.write_str("local memory"),
            Resource::Global(space) => write!(f, "global memory, space {space}"),
            Resource::Texture => f.write_str("texture memory"),
            Resource::Barrier(index) => write!(f, "barrier {index}"),
            Resource::ProgramCounter => f.write_str("program counter"),
            Resource::DivergenceStack => f.write_str("divergence stack"),
            Resource::Threads => f.write_str("active mask"),
            Resource::EventCounters => f.write_str("event counters"),
        }
    }
}

/// Adds `new` unless it is already there.
fn add<T: PartialEq>(all: &mut Vec<T>, new: T) {
    if !all.contains(&new) {
        all.push(new);
    }
}

/// Resources that an operation reads in addition to its operands.
fn read_by_operation(operation: Operation) -> Vec<Resource> {
    match operation {
        Operation::Gld { space, .. } | Operation::Atomic { space, .. } => vec![Resource::Global(space)],
        Operation::Texture(_) => vec![Resource::Texture],
        Operation::Ret | Operation::Brk => vec![Resource::DivergenceStack],
        Operation::G2rLock { .. } => vec![Resource::Locks],
        Operation::Bar { barrier, .. } => vec![Resource::Barrier(barrier)],
        _ => Vec::new(),
    }
}

/// Resources that an operation writes in addition to its destination and the store address among its operands.
fn written_by_operation(operation: Operation) -> Vec<Resource> {
    use Resource::{DivergenceStack, ProgramCounter, Threads};
    match operation {
        Operation::Gst { space, .. } | Operation::Atomic { space, .. } => vec![Resource::Global(space)],
        Operation::G2rLock { .. } | Operation::R2gUnlock => vec![Resource::Locks],
        Operation::BranchIndexed { .. } => vec![ProgramCounter],
        Operation::PreReturn { .. } => vec![DivergenceStack],
        Operation::Bra { .. } | Operation::Cal { .. } | Operation::Brk => vec![ProgramCounter, DivergenceStack],
        Operation::Ret => vec![ProgramCounter, DivergenceStack, Threads],
        Operation::Ssy { .. } | Operation::Pbk { .. } => vec![DivergenceStack],
        Operation::Bar { barrier, .. } => vec![Resource::Barrier(barrier)],
        Operation::Kil => vec![Threads],
        Operation::PmTrigger { .. } => vec![Resource::EventCounters],
        _ => Vec::new(),
    }
}

/// True if source 1 is a store address.
fn stores(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::R2g | Operation::R2gUnlock | Operation::Lst { .. } | Operation::Gst { .. }
    )
}

/// The memory of an operand.
fn memory(operand: Operand) -> Option<Resource> {
    match operand {
        Operand::Shared { .. } => Some(Resource::Shared),
        Operand::Constant { bank, .. } => Some(Resource::Constant(bank)),
        Operand::Local { .. } => Some(Resource::Local),
        _ => None,
    }
}

/// `count` registers starting at `first`; there are none beyond R127.
fn registers(first: u8, count: u32) -> impl Iterator<Item = Resource> {
    (u32::from(first)..=127)
        .take(count as usize)
        .map(|index| Resource::Register {
            index: index as u8,
            part: RegisterPart::Full,
        })
}

impl Operation {
    /// Number of registers that source `number` (1 to 3) takes, if it is a register.
    pub fn source_registers(self, number: usize) -> u32 {
        match (self, number) {
            (Operation::Gst { access, .. } | Operation::Lst { access }, 3) => access.bytes().div_ceil(4),
            (Operation::Atomic { atomic, .. }, 2 | 3) => atomic.bytes().div_ceil(4),
            (Operation::Double(double), _) if double.is_wide() => 2,
            (Operation::Texture(texture), 1) => u32::from(texture.coordinates),
            _ => 1,
        }
    }

    /// Number of registers that the destination takes, if it is a register.
    pub fn destination_registers(self) -> u32 {
        match self {
            Operation::Gld { access, .. } | Operation::Lld { access } => access.bytes().div_ceil(4),
            Operation::Atomic { atomic, .. } => atomic.bytes().div_ceil(4),
            Operation::Double(double) if double.has_wide_result() => 2,
            Operation::Texture(texture) => texture.components.count_ones(),
            _ => 1,
        }
    }
}

impl Instruction {
    /// Resources that a thread reads when it executes the instruction, without repetition. A condition that is always
    /// true or never true reads nothing.
    pub fn reads(&self) -> Vec<Resource> {
        let mut all = Vec::new();
        let Predicate { register, condition } = self.predicate();
        if !matches!(condition, Condition::True | Condition::False) {
            add(&mut all, Resource::ConditionCode(register));
        }
        if let Operation::Iadd {
            sum: Sum::AddCarry,
            carry,
            ..
        }
        | Operation::Imad {
            sum: Sum::AddCarry,
            carry,
            ..
        } = self.operation()
        {
            add(&mut all, Resource::ConditionCode(carry));
        }
        if let Operation::Vote {
            condition: Predicate { register, condition },
            ..
        } = self.operation()
        {
            if !matches!(condition, Condition::True | Condition::False) {
                add(&mut all, Resource::ConditionCode(register));
            }
        }
        for (number, operand) in (1..).zip(self.sources()) {
            let Some(operand) = operand else { continue };
            match operand {
                Operand::Register {
                    index,
                    part: RegisterPart::Full,
                } => {
                    for register in registers(index, self.operation().source_registers(number)) {
                        add(&mut all, register);
                    }
                }
                Operand::Register { index, part } => add(&mut all, Resource::Register { index, part }),
                Operand::Address(index @ 1..) => add(&mut all, Resource::Address(index)),
                Operand::ConditionCode(index) => add(&mut all, Resource::ConditionCode(index)),
                Operand::Special(index) => add(&mut all, Resource::Special(index)),
                _ => {}
            }
            if let Some(indirect) = operand.indirect().filter(|indirect| indirect.register != 0) {
                add(&mut all, Resource::Address(indirect.register));
            }
            if !(number == 1 && stores(self.operation())) {
                if let Some(memory) = memory(operand) {
                    add(&mut all, memory);
                }
            }
        }
        for resource in read_by_operation(self.operation()) {
            add(&mut all, resource);
        }
        if self.marker() == Marker::Join {
            add(&mut all, Resource::DivergenceStack);
        }
        all
    }

    /// Resources that a thread writes when it executes the instruction, without repetition.
    pub fn writes(&self) -> Vec<Resource> {
        let mut all = Vec::new();
        match self.destination() {
            Destination::Register {
                index,
                part: RegisterPart::Full,
            } => {
                all.extend(registers(index, self.operation().destination_registers()));
            }
            Destination::Register { index, part } => all.push(Resource::Register { index, part }),
            Destination::Address(index @ 1..) => all.push(Resource::Address(index)),
            Destination::ConditionCode(index) => all.push(Resource::ConditionCode(index)),
            Destination::Address(0) | Destination::None | Destination::Discard => {}
        }
        if let Some(register) = self.cc_write() {
            add(&mut all, Resource::ConditionCode(register));
        }
        for operand in self.sources().into_iter().flatten() {
            if let Some(indirect) = operand.indirect() {
                if indirect.post_increment && indirect.register != 0 {
                    add(&mut all, Resource::Address(indirect.register));
                }
            }
        }
        if stores(self.operation()) {
            if let Some(memory) = self.sources()[0].and_then(memory) {
                add(&mut all, memory);
            }
        }
        for resource in written_by_operation(self.operation()) {
            add(&mut all, resource);
        }
        match self.marker() {
            Marker::None => {}
            Marker::Exit => add(&mut all, Resource::Threads),
            Marker::Join => {
                add(&mut all, Resource::ProgramCounter);
                add(&mut all, Resource::DivergenceStack);
            }
        }
        all
    }
}

/// The highest register below R124 that the instruction names, counting every register of a wide operand.
pub(crate) fn highest_register(instruction: &Instruction) -> Option<u32> {
    let sources = (1..).zip(instruction.sources()).map(|(number, source)| match source {
        Some(Operand::Register { index, .. }) => {
            Some(u32::from(index) + instruction.operation().source_registers(number) - 1)
        }
        _ => None,
    });
    let destination = match instruction.destination() {
        Destination::Register { index, .. } => {
            Some(u32::from(index) + instruction.operation().destination_registers() - 1)
        }
        _ => None,
    };
    sources
        .chain([destination])
        .flatten()
        .filter(|&index| index < 124)
        .max()
}

/// An operand with all its alternatives, `source 1 (Rn, g[])`.
fn described(slot: &Slot) -> String {
    let mut notations = Vec::new();
    for location in slot.location.alternatives() {
        add(&mut notations, location.notation());
    }
    format!("{} ({})", slot.name(), notations.join(", "))
}

/// A resource without the number that a particular word gives it.
fn general(resource: Resource) -> String {
    match resource {
        Resource::Global(_) => "global memory".into(),
        Resource::Barrier(_) => "a barrier".into(),
        other => other.to_string(),
    }
}

/// True if an operand of the row may have an address register.
fn has_indirect(row: &Row) -> bool {
    row.slots
        .iter()
        .flat_map(|slot| slot.location.alternatives())
        .any(|location| {
            matches!(
                location,
                Location::Shared { .. } | Location::Local { .. } | Location::Constant { indirect: Some(_), .. }
            )
        })
}

impl Row {
    /// The resources that the row's instructions may read, in words.
    pub fn reads(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.guard == Guard::Conditional {
            all.push("the condition's condition-code register".to_string());
        }
        for suffix in self.suffixes {
            match suffix {
                Suffix::Carry(..) => all.push("the condition-code register of a carry".to_string()),
                Suffix::Carry0(_) => all.push("C0, for a carry".to_string()),
                _ => {}
            }
        }
        let operation = (self.operation)(self.pattern.value);
        if self
            .slots
            .iter()
            .any(|slot| matches!(slot.location, Location::Condition(..)))
        {
            all.push("the operand's condition-code register".to_string());
        }
        for slot in self.slots {
            if !matches!(slot.role, Role::Source1 | Role::Source2 | Role::Source3) {
                continue;
            }
            let numbers_only = slot.location.alternatives().iter().all(|location| {
                matches!(
                    location,
                    Location::Number(_) | Location::FloatNumber(_) | Location::OptionalNumber(_)
                )
            });
            // A store address in shared or local memory is written, not read; an immediate is not a memory.
            let place =
                slot.role == Role::Source1 && stores(operation) && !matches!(slot.location, Location::Global(..));
            if !numbers_only && !place {
                all.push(described(slot));
            }
        }
        if has_indirect(self) {
            all.push("an operand's address register".to_string());
        }
        for resource in read_by_operation(operation) {
            add(&mut all, general(resource));
        }
        all
    }

    /// The resources that the row's instructions may write, in words.
    pub fn writes(&self) -> Vec<String> {
        let mut all = Vec::new();
        let operation = (self.operation)(self.pattern.value);
        for slot in self.slots {
            let place =
                slot.role == Role::Source1 && stores(operation) && !matches!(slot.location, Location::Global(..));
            if slot.role == Role::Destination || place {
                all.push(described(slot));
            }
        }
        if self.always_written_code().is_some() {
            all.push("a condition-code register".to_string());
        }
        if self.writes_cc {
            all.push("a condition-code register, if the mnemonic names one".to_string());
        }
        if has_indirect(self) {
            all.push("an operand's address register, if it is post-incremented".to_string());
        }
        for resource in written_by_operation(operation) {
            add(&mut all, general(resource));
        }
        all
    }
}
