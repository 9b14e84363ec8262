//! Where the circuits keep what a warp has: registers, masks, stacks, memories, by the paths of the blocks that hold them.

use crate::debug::target::{Register, Registers};
use flexgrip_hdl::operands::predicate_file::PredicateFile;
use flexgrip_machine::{Entry, EntryKind};
use hdlkit_compiled::{Code, MachineCode};
use std::collections::BTreeMap;

/// A memory's number in the machine code, and the words of its elements.
#[derive(Clone, Copy)]
struct Place {
    memory: usize,
    stride: usize,
}

/// The memories of an SM.
struct SmPlaces {
    /// By lane.
    registers: Vec<Place>,
    addresses: Vec<Place>,
    /// By bank.
    shared: Vec<Place>,
    constants: Place,
    /// Rows of registers and of shared memory, by warp slot.
    context: Place,
    /// The registers that have been written, by warp slot.
    written: Place,
    active: Place,
    existing: Place,
    depth: Place,
    stack: Place,
    /// The number of the block.
    conditions: usize,
}

/// Where everything is.
pub(super) struct Probes {
    lanes: usize,
    sms: Vec<SmPlaces>,
}

/// A warp's row in the register file, and its block's in shared memory.
#[derive(Clone, Copy)]
struct Rows {
    registers: usize,
    shared: usize,
}

impl Probes {
    /// Finds the memories.
    ///
    /// # Errors
    /// A memory is missing: the circuits have changed, and this file has not.
    pub fn find(code: &Code, lanes: u32, sms: u32) -> Result<Self, String> {
        let memories = code.memories().enumerate();
        let memories: BTreeMap<&str, Place> = memories
            .map(|(memory, shape)| {
                let stride = shape.stride;
                (shape.name, Place { memory, stride })
            })
            .collect();
        let blocks: BTreeMap<&str, usize> = code.called().zip(0..).collect();
        let find = |name: &str| {
            let place = memories.get(name).copied();
            place.ok_or_else(|| format!("the circuits have no memory `{name}`"))
        };
        let of_sm = |sm: u32| -> Result<SmPlaces, String> {
            let at = |name: &str| find(&format!("top.sm[{sm}].{name}"));
            let banks = |name: &str, count: u32| {
                let banks = (0..count).map(|bank| at(&format!("{name}.bank[{bank}]")));
                banks.collect::<Result<Vec<Place>, String>>()
            };
            let conditions = format!("top.sm[{sm}].predicate_file");
            Ok(SmPlaces {
                registers: banks("register_file", lanes)?,
                addresses: banks("collector.address_file", lanes)?,
                shared: banks("shared_memory", 16)?,
                constants: at("constant_memory.memory")?,
                context: at("read.warp_context")?,
                written: at("scheduler.scoreboard.written")?,
                active: at("branch.active")?,
                existing: at("branch.existing")?,
                depth: at("branch.depth")?,
                stack: at("branch.stack.memory")?,
                conditions: *(blocks.get(conditions.as_str()))
                    .ok_or_else(|| format!("there is no block `{conditions}`"))?,
            })
        };
        Ok(Probes {
            lanes: lanes as usize,
            sms: (0..sms).map(of_sm).collect::<Result<_, _>>()?,
        })
    }

    fn sm(&self, sm: u32) -> &SmPlaces {
        &self.sms[sm as usize]
    }

    fn rows(&self, code: &MachineCode, sm: u32, slot: u32) -> Rows {
        let context = element(code, self.sm(sm).context, slot as usize);
        Rows {
            registers: context[0] as usize,
            shared: context[1] as usize,
        }
    }

    /// Bank and place of a thread's word in a file with a bank for each lane, in which a row has all threads of a warp.
    fn of_thread(&self, row: usize, thread: usize) -> (usize, usize) {
        let beats = 32 / self.lanes;
        (thread % self.lanes, row * beats + thread / self.lanes)
    }

    /// The active mask, and the threads that the warp began with.
    pub fn masks(&self, code: &MachineCode, sm: u32, slot: u32) -> (u32, u32) {
        let places = self.sm(sm);
        let mask = |place| element(code, place, slot as usize)[0] as u32;
        (mask(places.active), mask(places.existing))
    }

    /// The divergence stack, the top last.
    pub fn stack(&self, code: &MachineCode, sm: u32, slot: u32) -> Vec<Entry> {
        let places = self.sm(sm);
        let depth = element(code, places.depth, slot as usize)[0] as usize;
        let entries = (0..depth.min(32)).map(|index| {
            let word = element(code, places.stack, slot as usize * 32 + index)[0];
            Entry {
                kind: EntryKind::ALL[word as usize & 3],
                mask: (word >> 2) as u32,
                pc: (word >> 34) as u32 & 0xff_ffff,
            }
        });
        entries.collect()
    }

    /// A warp's registers; `count` for each thread. What the warp has not written reads as 0, as it does for the kernel.
    pub fn registers(&self, code: &MachineCode, sm: u32, slot: u32, count: u32) -> Registers {
        let places = self.sm(sm);
        let rows = self.rows(code, sm, slot);
        let [low, high, conditions, addresses] = self.written(code, sm, slot);
        let is_written = |number: usize| [low, high][number / 64] >> (number % 64) & 1 == 1;
        let general = (0..count as usize).map(|number| {
            std::array::from_fn(|thread| {
                let (bank, at) = self.of_thread(rows.registers + number, thread);
                match is_written(number) {
                    true => element(code, places.registers[bank], at)[0] as u32,
                    false => 0,
                }
            })
        });
        let condition = |register: usize| -> [u8; 32] {
            let Some(file) = code.block::<PredicateFile>(places.conditions) else {
                return [0; 32];
            };
            let planes = file.word(slot as usize * 4 + register);
            std::array::from_fn(|thread| match conditions >> register & 1 {
                1 => planes.thread(thread),
                _ => 0,
            })
        };
        let address = |register: usize| -> [u16; 32] {
            std::array::from_fn(|thread| {
                let (bank, at) = self.of_thread(slot as usize * 4 + register, thread);
                match addresses >> register & 1 {
                    1 => element(code, places.addresses[bank], at)[0] as u16,
                    _ => 0,
                }
            })
        };
        Registers {
            general: general.collect(),
            conditions: std::array::from_fn(condition),
            addresses: std::array::from_fn(address),
        }
    }

    fn written(&self, code: &MachineCode, sm: u32, slot: u32) -> [u64; 4] {
        let words = element(code, self.sm(sm).written, slot as usize);
        [words[0], words[1], words[2], words[3]]
    }

    /// Changes one thread's register. One that the warp has not written becomes written, with 0 in the other threads.
    ///
    /// # Errors
    /// The launch has no such register.
    pub fn set_register(
        &self,
        code: &mut MachineCode,
        (sm, slot, count): (u32, u32, u32),
        register: Register,
        thread: u8,
        value: u32,
    ) -> Result<(), String> {
        let before = self.registers(code, sm, slot, count);
        let places = self.sm(sm);
        let rows = self.rows(code, sm, slot);
        let thread = usize::from(thread) % 32;
        let mark = |code: &mut MachineCode, word: usize, bit: usize| {
            let at = slot as usize * places.written.stride + word;
            let old = code.memory(places.written.memory).map_or(0, |words| words[at]);
            code.set_memory(places.written.memory, at, old | 1 << bit);
        };
        match register {
            Register::General(number) => {
                let number = usize::from(number);
                let Some(values) = before.general.get(number) else {
                    return Err(format!("there is no {register}: a thread has {count} registers"));
                };
                for (other, old) in values.iter().enumerate() {
                    let (bank, at) = self.of_thread(rows.registers + number, other);
                    let value = if other == thread { value } else { *old };
                    code.set_memory(places.registers[bank].memory, at, value.into());
                }
                mark(code, number / 64, number % 64);
            }
            Register::Condition(number) => {
                let number = usize::from(number) % 4;
                let mut values = before.conditions[number];
                values[thread] = value as u8 & 15;
                if let Some(file) = code.block_mut::<PredicateFile>(places.conditions) {
                    file.set_word(slot as usize * 4 + number, values);
                }
                mark(code, 2, number);
            }
            Register::Address(number) => {
                let number = usize::from(number).wrapping_sub(1) % 4;
                for (other, old) in before.addresses[number].iter().enumerate() {
                    let (bank, at) = self.of_thread(slot as usize * 4 + number, other);
                    let value = if other == thread { value as u16 } else { *old };
                    code.set_memory(places.addresses[bank].memory, at, value.into());
                }
                mark(code, 3, number);
            }
        }
        Ok(())
    }

    /// Bank and row of a word of shared memory, by the byte address in the block's own.
    fn of_shared(&self, code: &MachineCode, sm: u32, slot: u32, address: u32) -> (usize, usize) {
        let row = self.rows(code, sm, slot).shared + address as usize / 64;
        (address as usize / 4 % 16, row % 256)
    }

    /// A byte of shared memory, by the address in the block's own; `slot`: of one of its warps.
    pub fn shared(&self, code: &MachineCode, sm: u32, slot: u32, address: u32) -> u8 {
        let (bank, row) = self.of_shared(code, sm, slot, address);
        (element(code, self.sm(sm).shared[bank], row)[0] >> (address % 4 * 8)) as u8
    }

    /// Changes a byte of shared memory.
    pub fn set_shared(&self, code: &mut MachineCode, sm: u32, slot: u32, address: u32, value: u8) {
        let (bank, row) = self.of_shared(code, sm, slot, address);
        let place = self.sm(sm).shared[bank];
        let shift = address % 4 * 8;
        let old = element(code, place, row)[0];
        code.set_memory(place.memory, row, old & !(0xff << shift) | u64::from(value) << shift);
    }

    /// A byte of constant memory.
    pub fn constant(&self, code: &MachineCode, bank: u32, address: u32) -> u8 {
        let at = (bank * flexgrip_machine::sizes::CONSTANT_BANK_BYTES + address) as usize;
        (element(code, self.sm(0).constants, at / 4)[0] >> (at % 4 * 8)) as u8
    }
}

/// An element's words.
fn element(code: &MachineCode, place: Place, index: usize) -> &[u64] {
    let words = code.memory(place.memory).unwrap_or_default();
    words
        .get(index * place.stride..(index + 1) * place.stride)
        .unwrap_or(&[0; 4])
}
