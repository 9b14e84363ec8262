//! The record of one executed warp instruction.
//!
//! Every engine returns one [`Retire`] per warp instruction, and records of two engines are compared field by field. A
//! record has everything that the instruction changed and, for engines with a clock, the times. Two rules make records
//! canonical: a write without effect is not recorded (a discarded result, a register past the thread's allocation, an
//! instruction with an empty execution mask), and the values of lanes outside the execution mask are 0.

use crate::barrier::BarrierEffect;
use crate::divergence::StackOperation;
use crate::error::Word;
use std::fmt;

pub use flexgrip_isa::RegisterPart;

/// A written register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterWrite {
    /// Register number.
    pub register: u8,
    /// The part of the register that was written; the other half is unchanged.
    pub part: RegisterPart,
    /// Each lane's value, 16 bits wide for a half.
    pub values: [u32; 32],
}

/// A written condition-code register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CcWrite {
    /// Number of the register, 0 to 3.
    pub register: u8,
    /// Each lane's four bits: Z = bit 0, S, C, O.
    pub values: [u8; 32],
}

/// A written address register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressWrite {
    /// Number of the register, 1 to 4.
    pub register: u8,
    /// Each lane's value.
    pub values: [u16; 32],
}

/// A memory that load and store instructions access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemorySpace {
    /// Global memory.
    Global,
    /// The block's shared memory.
    Shared,
    /// The thread's local memory.
    Local,
}

/// A load or store of one lane. Operands read from shared or constant memory are not effects and not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEffect {
    /// The memory that is accessed.
    pub space: MemorySpace,
    /// True for a store, false for a load.
    pub store: bool,
    /// The lane, 0 to 31.
    pub lane: u8,
    /// Byte address.
    pub address: u32,
    /// Size in bytes: 1, 2, 4, 8 or 16.
    pub bytes: u8,
    /// The bytes loaded or stored, little endian, zero-extended.
    pub data: u128,
}

/// The state in which the warp continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Next {
    /// Byte address of the warp's next instruction; `None` if the warp has ended.
    pub pc: Option<u32>,
    /// The active mask there; 0 for a warp that has ended.
    pub active: u32,
}

/// One executed warp instruction. The default has no effects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retire {
    /// The SM that ran it.
    pub sm: u32,
    /// The hardware warp slot in the SM.
    pub warp: u32,
    /// Linear index of the block, `ctaid.x + ctaid.y * nctaid.x`.
    pub block: u32,
    /// Index of the warp in its block.
    pub warp_in_block: u32,
    /// Byte address of the instruction.
    pub pc: u32,
    /// The instruction word, a short one in bits 31..0.
    pub word: u64,
    /// Active mask before the instruction, bit = lane.
    pub active: u32,
    /// Execution mask: the active threads for which the instruction's condition held.
    pub executed: u32,
    /// The register written.
    pub destination: Option<RegisterWrite>,
    /// The consecutive registers that a load of 64 or 128 bits, or a result of 64 bits, also writes, in order.
    pub further: Vec<RegisterWrite>,
    /// The condition-code register written.
    pub cc: Option<CcWrite>,
    /// The address register written as the destination.
    pub address: Option<AddressWrite>,
    /// The address register of an operand, written by its post-increment.
    pub post_increment: Option<AddressWrite>,
    /// Loads and stores in lane order. An atomic operation is a load and a store of each lane.
    pub memory: Vec<MemoryEffect>,
    /// Changes of the divergence stack in order.
    pub stack: Vec<StackOperation>,
    /// The effect on a barrier.
    pub barrier: Option<BarrierEffect>,
    /// The state in which the warp continues.
    pub next: Next,
    /// Cycle of issue, for engines with a clock.
    pub issue_cycle: Option<u64>,
    /// Cycle of retirement, for engines with a clock.
    pub retire_cycle: Option<u64>,
}

/// The treatment of SM and warp slot in comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// SM and hardware warp slot must be equal.
    Compare,
    /// SM and hardware warp slot are ignored.
    Ignore,
}

/// The first field in which two records differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// The field's path, such as `destination.values`.
    pub field: &'static str,
    /// The lane, for a field of all lanes.
    pub lane: Option<u8>,
    /// The value in the record that the comparison was called on.
    pub this: String,
    /// The value in the other record.
    pub other: String,
}

impl fmt::Display for FieldDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.field)?;
        if let Some(lane) = self.lane {
            write!(f, " of lane {lane}")?;
        }
        write!(f, ": {} against {}", self.this, self.other)
    }
}

fn field<T: PartialEq>(
    field: &'static str,
    this: &T,
    other: &T,
    show: impl Fn(&T) -> String,
) -> Result<(), FieldDifference> {
    if this == other {
        return Ok(());
    }
    Err(FieldDifference {
        field,
        lane: None,
        this: show(this),
        other: show(other),
    })
}

fn lanes<T: Copy + PartialEq>(
    field: &'static str,
    this: &[T; 32],
    other: &[T; 32],
    show: impl Fn(T) -> String,
) -> Result<(), FieldDifference> {
    match this.iter().zip(other).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(lane) => Err(FieldDifference {
            field,
            lane: Some(lane as u8),
            this: show(this[lane]),
            other: show(other[lane]),
        }),
    }
}

/// Compares a written address register, `name`, and its values, `values`.
fn address(
    name: &'static str,
    values: &'static str,
    this: &Option<AddressWrite>,
    other: &Option<AddressWrite>,
) -> Result<(), FieldDifference> {
    let register = |write: &Option<AddressWrite>| write.as_ref().map(|write| write.register);
    field(name, &register(this), &register(other), |register| {
        register.map_or("none".into(), |register| format!("A{register}"))
    })?;
    match (this, other) {
        (Some(this), Some(other)) => lanes(values, &this.values, &other.values, |value| format!("{value:04x}")),
        _ => Ok(()),
    }
}

fn hex32(value: &u32) -> String {
    format!("{value:08x}")
}

fn register_name(write: &RegisterWrite) -> String {
    format!("R{}{}", write.register, part_name(write.part))
}

const fn part_name(part: RegisterPart) -> &'static str {
    match part {
        RegisterPart::Full => "",
        RegisterPart::Low => "L",
        RegisterPart::High => "H",
    }
}

impl Retire {
    /// The first difference between two records, if any. Everything is compared except the cycles; SM and hardware warp
    /// slot are compared only with [`Placement::Compare`].
    pub fn difference(&self, other: &Retire, placement: Placement) -> Option<FieldDifference> {
        self.compare(other, placement).err()
    }

    fn compare(&self, other: &Retire, placement: Placement) -> Result<(), FieldDifference> {
        let decimal = u32::to_string;
        if placement == Placement::Compare {
            field("sm", &self.sm, &other.sm, decimal)?;
            field("warp", &self.warp, &other.warp, decimal)?;
        }
        field("block", &self.block, &other.block, decimal)?;
        field("warp_in_block", &self.warp_in_block, &other.warp_in_block, decimal)?;
        field("pc", &self.pc, &other.pc, |pc| format!("{pc:04x}"))?;
        field("word", &self.word, &other.word, |&word| Word(word).to_string())?;
        field("active", &self.active, &other.active, hex32)?;
        field("executed", &self.executed, &other.executed, hex32)?;

        let name = |write: &Option<RegisterWrite>| write.as_ref().map_or("none".into(), register_name);
        let names = [&self.destination, &other.destination].map(name);
        field("destination", &names[0], &names[1], String::clone)?;
        if let (Some(this), Some(other)) = (&self.destination, &other.destination) {
            lanes("destination.values", &this.values, &other.values, |value| hex32(&value))?;
        }
        let names = [&self.further, &other.further].map(|writes| {
            let names: Vec<String> = writes.iter().map(register_name).collect();
            if names.is_empty() {
                "none".into()
            } else {
                names.join(" ")
            }
        });
        field("further", &names[0], &names[1], String::clone)?;
        for (this, other) in self.further.iter().zip(&other.further) {
            lanes("further.values", &this.values, &other.values, |value| hex32(&value))?;
        }
        let name = |write: &Option<CcWrite>| write.as_ref().map_or("none".into(), |w| format!("C{}", w.register));
        let names = [&self.cc, &other.cc].map(name);
        field("cc", &names[0], &names[1], String::clone)?;
        if let (Some(this), Some(other)) = (&self.cc, &other.cc) {
            lanes("cc.values", &this.values, &other.values, cc_bits)?;
        }
        address("address", "address.values", &self.address, &other.address)?;
        address(
            "post_increment",
            "post_increment.values",
            &self.post_increment,
            &other.post_increment,
        )?;

        for i in 0..self.memory.len().max(other.memory.len()) {
            let pair = [self.memory.get(i), other.memory.get(i)];
            if pair[0] != pair[1] {
                let lane = pair.iter().flatten().map(|effect| effect.lane).min();
                let [this, other] = pair.map(|effect| effect.map_or("none".into(), MemoryEffect::to_string));
                return Err(FieldDifference {
                    field: "memory",
                    lane,
                    this,
                    other,
                });
            }
        }
        field("stack", &self.stack, &other.stack, |stack| {
            if stack.is_empty() {
                return "none".into();
            }
            stack
                .iter()
                .map(StackOperation::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        })?;
        field("barrier", &self.barrier, &other.barrier, |barrier| {
            barrier.map_or("none".into(), |barrier| barrier.to_string())
        })?;
        field("next.pc", &self.next.pc, &other.next.pc, |pc| {
            pc.map_or("end".into(), |pc| format!("{pc:04x}"))
        })?;
        field("next.active", &self.next.active, &other.next.active, hex32)
    }
}

fn cc_bits(bits: u8) -> String {
    flexgrip_arith::Cc::from_bits(bits).to_string()
}

impl fmt::Display for MemoryEffect {
    /// `G[1f40]=0000002a` for a store, `G[1f40]:0000002a` for a load; G, S or L by space, as many digits as bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = match self.space {
            MemorySpace::Global => 'G',
            MemorySpace::Shared => 'S',
            MemorySpace::Local => 'L',
        };
        let sign = if self.store { '=' } else { ':' };
        write!(
            f,
            "{space}[{:x}]{sign}{:0width$x}",
            self.address,
            self.data,
            width = 2 * usize::from(self.bytes)
        )
    }
}

/// Prints the values of the lanes in `mask`: one value if all are equal, else a comma-separated list in lane order.
fn values<T: Copy + PartialEq>(
    f: &mut fmt::Formatter<'_>,
    mask: u32,
    values: &[T; 32],
    show: impl Fn(T) -> String,
) -> fmt::Result {
    let mut of_mask = (0..32).filter(|lane| mask >> lane & 1 == 1).map(|lane| values[lane]);
    let Some(first) = of_mask.next() else {
        return Ok(());
    };
    f.write_str(&show(first))?;
    if of_mask.clone().any(|value| value != first) {
        for value in of_mask {
            write!(f, ",{}", show(value))?;
        }
    }
    Ok(())
}

impl fmt::Display for Retire {
    /// One line of a trace. Columns, separated by spaces:
    ///
    /// - `SM.slot`, `block.warp`, PC, instruction word (a long one as `low_high`), active mask, execution mask, next PC
    ///   or `end`, next active mask; all hexadecimal except the first two.
    /// - Then, where present, in this order: the registers written, `R3L=`, with the values of the executed lanes (one
    ///   if all are equal); `C0=` and the codes as `OCSZ` letters; `A1=`, the destination before an operand's
    ///   post-increment; memory effects, `G[a]=d` for a store and `G[a]:d` for a load; stack operations,
    ///   `push(join,mask,pc)`; `barrier(0,arrives,waits)`; `@issue..retire` cycles.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Word(self.word).to_string().replace(' ', "_");
        write!(
            f,
            "{}.{} {}.{} {:04x} {word:<17} {:08x} {:08x} ",
            self.sm, self.warp, self.block, self.warp_in_block, self.pc, self.active, self.executed
        )?;
        match self.next.pc {
            Some(pc) => write!(f, "{pc:04x}")?,
            None => write!(f, "end ")?,
        }
        write!(f, " {:08x}", self.next.active)?;
        for write in self.destination.iter().chain(&self.further) {
            write!(f, " {}=", register_name(write))?;
            values(f, self.executed, &write.values, |value| match write.part {
                RegisterPart::Full => format!("{value:08x}"),
                RegisterPart::Low | RegisterPart::High => format!("{value:04x}"),
            })?;
        }
        if let Some(write) = &self.cc {
            write!(f, " C{}=", write.register)?;
            values(f, self.executed, &write.values, cc_bits)?;
        }
        for write in [&self.address, &self.post_increment].into_iter().flatten() {
            write!(f, " A{}=", write.register)?;
            values(f, self.executed, &write.values, |value| format!("{value:04x}"))?;
        }
        for effect in &self.memory {
            write!(f, " {effect}")?;
        }
        for operation in &self.stack {
            write!(f, " {}", operation.to_string().replace(' ', ","))?;
        }
        if let Some(barrier) = &self.barrier {
            write!(f, " {}", barrier.to_string().replace(' ', ","))?;
        }
        if let Some(issue) = self.issue_cycle {
            write!(f, " @{issue}..")?;
            if let Some(retire) = self.retire_cycle {
                write!(f, "{retire}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::{Entry, EntryKind};

    fn record() -> Retire {
        let mut values = [0; 32];
        values[1] = 7;
        values[2] = 8;
        Retire {
            sm: 0,
            warp: 2,
            block: 5,
            warp_in_block: 1,
            pc: 0x18,
            word: 0x0400_0780_a000_0005,
            active: 0xf,
            executed: 0x6,
            destination: Some(RegisterWrite {
                register: 3,
                part: RegisterPart::Low,
                values,
            }),
            further: Vec::new(),
            cc: Some(CcWrite {
                register: 0,
                values: [0; 32],
            }),
            address: None,
            post_increment: None,
            memory: vec![MemoryEffect {
                space: MemorySpace::Global,
                store: true,
                lane: 1,
                address: 0x1f40,
                bytes: 4,
                data: 42,
            }],
            stack: vec![StackOperation::Push(Entry {
                kind: EntryKind::Join,
                mask: 0xf,
                pc: 0x40,
            })],
            barrier: None,
            next: Next {
                pc: Some(0x20),
                active: 0xf,
            },
            issue_cycle: None,
            retire_cycle: None,
        }
    }

    #[track_caller]
    fn differs(change: impl FnOnce(&mut Retire)) -> String {
        let mut other = record();
        change(&mut other);
        record()
            .difference(&other, Placement::Compare)
            .expect("a difference")
            .to_string()
    }

    #[test]
    fn every_field_is_compared() {
        assert_eq!(record().difference(&record(), Placement::Compare), None);
        assert_eq!(differs(|r| r.sm = 1), "sm: 0 against 1");
        assert_eq!(differs(|r| r.warp = 1), "warp: 2 against 1");
        assert_eq!(differs(|r| r.block = 1), "block: 5 against 1");
        assert_eq!(differs(|r| r.warp_in_block = 0), "warp_in_block: 1 against 0");
        assert_eq!(differs(|r| r.pc = 0x20), "pc: 0018 against 0020");
        assert_eq!(differs(|r| r.word = 2), "word: a0000005 04000780 against 00000002");
        assert_eq!(differs(|r| r.active = 1), "active: 0000000f against 00000001");
        assert_eq!(differs(|r| r.executed = 1), "executed: 00000006 against 00000001");
        assert_eq!(differs(|r| r.destination = None), "destination: R3L against none");
        assert_eq!(
            differs(|r| r.destination.as_mut().unwrap().part = RegisterPart::Full),
            "destination: R3L against R3"
        );
        assert_eq!(
            differs(|r| r.destination.as_mut().unwrap().values[2] = 9),
            "destination.values of lane 2: 00000008 against 00000009"
        );
        let further = |value| RegisterWrite {
            register: 4,
            part: RegisterPart::Full,
            values: [value; 32],
        };
        assert_eq!(differs(|r| r.further.push(further(1))), "further: none against R4");
        let (mut one, mut two) = (record(), record());
        one.further.push(further(1));
        two.further.push(further(2));
        assert_eq!(
            one.difference(&two, Placement::Compare)
                .expect("a difference")
                .to_string(),
            "further.values of lane 0: 00000001 against 00000002"
        );
        assert!(one.to_string().contains(" R3L=0007,0008 R4=00000001 C0="), "{one}");
        assert_eq!(differs(|r| r.cc = None), "cc: C0 against none");
        assert_eq!(
            differs(|r| r.cc.as_mut().unwrap().values[4] = 9),
            "cc.values of lane 4: ---- against O--Z"
        );
        assert_eq!(
            differs(|r| r.address = Some(AddressWrite {
                register: 1,
                values: [0; 32]
            })),
            "address: none against A1"
        );
        assert_eq!(
            differs(|r| r.post_increment = Some(AddressWrite {
                register: 4,
                values: [0; 32]
            })),
            "post_increment: none against A4"
        );
        assert_eq!(
            differs(|r| r.memory[0].data = 1),
            "memory of lane 1: G[1f40]=0000002a against G[1f40]=00000001"
        );
        assert_eq!(
            differs(|r| r.memory.clear()),
            "memory of lane 1: G[1f40]=0000002a against none"
        );
        assert_eq!(
            differs(|r| r.stack.clear()),
            "stack: push(join 0000000f 0040) against none"
        );
        assert_eq!(
            differs(|r| r.barrier = Some(BarrierEffect {
                barrier: 2,
                arrives: true,
                waits: false
            })),
            "barrier: none against barrier(2 arrives)"
        );
        assert_eq!(differs(|r| r.next.pc = None), "next.pc: 0020 against end");
        assert_eq!(differs(|r| r.next.active = 1), "next.active: 0000000f against 00000001");
    }

    #[test]
    fn cycles_and_optionally_the_location_are_omitted() {
        let mut other = record();
        (other.issue_cycle, other.retire_cycle) = (Some(1), Some(9));
        assert_eq!(record().difference(&other, Placement::Compare), None);
        (other.sm, other.warp) = (7, 7);
        assert_eq!(record().difference(&other, Placement::Ignore), None);
    }

    #[test]
    fn a_trace_line_has_its_columns() {
        let mut record = record();
        assert_eq!(
            record.to_string(),
            "0.2 5.1 0018 a0000005_04000780 0000000f 00000006 0020 0000000f R3L=0007,0008 C0=---- G[1f40]=0000002a \
             push(join,0000000f,0040)"
        );
        record.destination.as_mut().unwrap().values[2] = 7;
        (record.issue_cycle, record.retire_cycle) = (Some(10), Some(31));
        let line = record.to_string();
        assert!(line.contains(" R3L=0007 C0") && line.ends_with(" @10..31"), "{line}");
    }

    #[test]
    fn trace_lines_show_address_registers_stores_and_barriers() {
        let mut record = record();
        let mut values = [0; 32];
        (values[1], values[2]) = (0x10, 0x14);
        let write = |register| Some(AddressWrite { register, values });
        (record.destination, record.cc) = (None, None);
        (record.address, record.post_increment) = (write(1), write(4));
        record.memory[0] = MemoryEffect {
            space: MemorySpace::Shared,
            bytes: 2,
            ..record.memory[0]
        };
        record.barrier = Some(BarrierEffect {
            barrier: 15,
            arrives: true,
            waits: true,
        });
        let line = record.to_string();
        let end = " A1=0010,0014 A4=0010,0014 S[1f40]=002a push(join,0000000f,0040) barrier(15,arrives,waits)";
        assert!(line.ends_with(end), "{line}");
        let mut other = record.clone();
        other.address.as_mut().unwrap().values[2] = 0;
        let difference = record.difference(&other, Placement::Compare).expect("a difference");
        assert_eq!(difference.to_string(), "address.values of lane 2: 0014 against 0000");
    }
}
