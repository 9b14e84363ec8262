//! The locations of a warp's state in the circuits: registers, masks, stacks and memories, found by their paths.

use crate::debug::target::{Register, Registers};
use flexgrip_machine::{Entry, EntryKind};
use hdlkit_compiled::{Code, MachineCode};
use std::collections::BTreeMap;

/// The index of a memory in the machine code.
#[derive(Clone, Copy)]
struct CodeMemory(usize);

/// The memories of an SM.
struct SmMemories {
    /// The general registers, by lane.
    registers: Vec<CodeMemory>,
    addresses: Vec<CodeMemory>,
    /// The condition codes, by group of four threads.
    conditions: Vec<CodeMemory>,
    /// Shared memory, by bank.
    shared: Vec<CodeMemory>,
    constants: CodeMemory,
    /// First rows in the register file and in shared memory, by warp slot.
    context: CodeMemory,
    /// The sets of registers that have been written, by warp slot.
    written: CodeMemory,
    active: CodeMemory,
    existing: CodeMemory,
    depth: CodeMemory,
    stack: CodeMemory,
}

/// The memories of all state.
pub(super) struct Probes {
    lanes: usize,
    sms: Vec<SmMemories>,
}

/// The first row of a warp in the register file, and of its block in shared memory.
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
        let memories: BTreeMap<&str, CodeMemory> =
            memories.map(|(index, shape)| (shape.name, CodeMemory(index))).collect();
        let find = |name: &str| {
            let memory = memories.get(name).copied();
            memory.ok_or_else(|| format!("the circuits have no memory `{name}`"))
        };
        let of_sm = |sm: u32| -> Result<SmMemories, String> {
            let at = |name: &str| find(&format!("top.sm[{sm}].{name}"));
            let all = |name: &str, count: u32| {
                let each = (0..count).map(|index| at(&format!("{name}[{index}]")));
                each.collect::<Result<Vec<CodeMemory>, String>>()
            };
            Ok(SmMemories {
                registers: all("register_file.bank", lanes)?,
                addresses: all("collector.address_file.bank", lanes)?,
                conditions: all("predicate_file.group", 8)?,
                shared: all("shared_memory.bank", 16)?,
                constants: at("constant_memory.memory")?,
                context: at("read.warp_context")?,
                written: at("scheduler.scoreboard.written")?,
                active: at("branch.active")?,
                existing: at("branch.existing")?,
                depth: at("branch.depth")?,
                stack: at("branch.stack.memory")?,
            })
        };
        Ok(Probes {
            lanes: lanes as usize,
            sms: (0..sms).map(of_sm).collect::<Result<_, _>>()?,
        })
    }

    fn sm(&self, sm: u32) -> &SmMemories {
        &self.sms[sm as usize]
    }

    fn rows(&self, code: &MachineCode, sm: u32, slot: u32) -> Rows {
        let context = |number| field(code, self.sm(sm).context, slot as usize, number) as usize;
        Rows {
            registers: context(0),
            shared: context(1),
        }
    }

    /// Bank and index of a thread's word in a file with a bank for each lane, in which a row has all threads of a warp.
    fn of_thread(&self, row: usize, thread: usize) -> (usize, usize) {
        let beats = 32 / self.lanes;
        (thread % self.lanes, row * beats + thread / self.lanes)
    }

    /// The masks of the threads on the current path and of the threads at the warp's launch.
    pub fn masks(&self, code: &MachineCode, sm: u32, slot: u32) -> (u32, u32) {
        let memories = self.sm(sm);
        let mask = |memory| field(code, memory, slot as usize, 0) as u32;
        (mask(memories.active), mask(memories.existing))
    }

    /// The divergence stack, the top last.
    pub fn stack(&self, code: &MachineCode, sm: u32, slot: u32) -> Vec<Entry> {
        let memories = self.sm(sm);
        let depth = field(code, memories.depth, slot as usize, 0) as usize;
        let entries = (0..depth.min(32)).map(|index| {
            let entry = |number| field(code, memories.stack, slot as usize * 32 + index, number);
            Entry {
                kind: EntryKind::ALL[entry(0) as usize & 3],
                mask: entry(1) as u32,
                pc: entry(2) as u32,
            }
        });
        entries.collect()
    }

    /// A register of the warp in a slot of an SM, in all lanes; the launch has `count` registers for each thread. A
    /// register that the warp has not written reads as 0, as for the kernel.
    pub fn lanes(&self, code: &MachineCode, (sm, slot, count): (u32, u32, u32), register: Register) -> [u32; 32] {
        let memories = self.sm(sm);
        let [low, high, conditions, addresses] = self.written(code, sm, slot);
        let in_banks = |banks: &[CodeMemory], row: usize| {
            std::array::from_fn(|thread| {
                let (bank, at) = self.of_thread(row, thread);
                field(code, banks[bank], at, 0) as u32
            })
        };
        let (number, written) = match register {
            Register::General(number) if u32::from(number) < count => {
                (number.into(), [low, high][number as usize / 64])
            }
            Register::General(_) => return [0; 32],
            Register::Condition(number) => (usize::from(number) % 4, conditions),
            Register::Address(number) => (usize::from(number).wrapping_sub(1) % 4, addresses),
        };
        if written >> (number % 64) & 1 == 0 {
            return [0; 32];
        }
        match register {
            Register::General(_) => in_banks(&memories.registers, self.rows(code, sm, slot).registers + number),
            Register::Condition(_) => std::array::from_fn(|thread| {
                let codes = field(code, memories.conditions[thread / 4], slot as usize * 4 + number, 0);
                (codes >> (thread % 4 * 4)) as u32 & 15
            }),
            Register::Address(_) => in_banks(&memories.addresses, slot as usize * 4 + number),
        }
    }

    /// All of a warp's registers.
    pub fn registers(&self, code: &MachineCode, sm: u32, slot: u32, count: u32) -> Registers {
        let lanes = |register| self.lanes(code, (sm, slot, count), register);
        Registers {
            general: (0..count as u8)
                .map(|number| lanes(Register::General(number)))
                .collect(),
            conditions: std::array::from_fn(|number| lanes(Register::Condition(number as u8)).map(|bits| bits as u8)),
            addresses: std::array::from_fn(|number| lanes(Register::Address(number as u8 + 1)).map(|bits| bits as u16)),
        }
    }

    fn written(&self, code: &MachineCode, sm: u32, slot: u32) -> [u64; 4] {
        std::array::from_fn(|number| field(code, self.sm(sm).written, slot as usize, number))
    }

    /// Changes a register of one thread. If the warp has not written the register, it becomes written, with 0 in the
    /// other threads.
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
        let mut values = self.lanes(code, (sm, slot, count), register);
        values[usize::from(thread) % 32] = value;
        let memories = self.sm(sm);
        let (set, bit) = match register {
            Register::General(number) if u32::from(number) >= count => {
                return Err(format!("{register} does not exist: a thread has {count} registers"));
            }
            Register::General(number) => {
                let number = usize::from(number);
                let row = self.rows(code, sm, slot).registers + number;
                self.set_banks(code, &memories.registers, row, values);
                (number / 64, number % 64)
            }
            Register::Condition(number) => {
                let number = usize::from(number) % 4;
                for (group, values) in memories.conditions.iter().zip(values.chunks(4)) {
                    let codes = values
                        .iter()
                        .rev()
                        .fold(0, |codes, bits| codes << 4 | u64::from(bits & 15));
                    code.set_memory(group.0, slot as usize * 4 + number, codes);
                }
                (2, number)
            }
            Register::Address(number) => {
                let number = usize::from(number).wrapping_sub(1) % 4;
                let row = slot as usize * 4 + number;
                self.set_banks(code, &memories.addresses, row, values.map(|bits| bits & 0xffff));
                (3, number)
            }
        };
        let (written, slot) = (memories.written, slot as usize);
        let old = field(code, written, slot, set);
        code.set_memory_field(written.0, slot, set, old | 1 << bit);
        Ok(())
    }

    /// Writes a row of a file with a bank for each lane.
    fn set_banks(&self, code: &mut MachineCode, banks: &[CodeMemory], row: usize, values: [u32; 32]) {
        for (thread, value) in values.into_iter().enumerate() {
            let (bank, at) = self.of_thread(row, thread);
            code.set_memory(banks[bank].0, at, value.into());
        }
    }

    /// Bank and row of a word of shared memory, by the byte address in the block's shared memory.
    fn of_shared(&self, code: &MachineCode, sm: u32, slot: u32, address: u32) -> (usize, usize) {
        let row = self.rows(code, sm, slot).shared + address as usize / 64;
        (address as usize / 4 % 16, row % 256)
    }

    /// A byte of shared memory, by the address in the block's shared memory; `slot` is the slot of any of its warps.
    pub fn shared(&self, code: &MachineCode, sm: u32, slot: u32, address: u32) -> u8 {
        let (bank, row) = self.of_shared(code, sm, slot, address);
        (field(code, self.sm(sm).shared[bank], row, 0) >> (address % 4 * 8)) as u8
    }

    /// Changes a byte of shared memory.
    pub fn set_shared(&self, code: &mut MachineCode, sm: u32, slot: u32, address: u32, value: u8) {
        let (bank, row) = self.of_shared(code, sm, slot, address);
        let memory = self.sm(sm).shared[bank];
        let shift = address % 4 * 8;
        let old = field(code, memory, row, 0);
        code.set_memory(memory.0, row, old & !(0xff << shift) | u64::from(value) << shift);
    }

    /// A byte of constant memory.
    pub fn constant(&self, code: &MachineCode, bank: u32, address: u32) -> u8 {
        let at = (bank * flexgrip_machine::sizes::CONSTANT_BANK_BYTES + address) as usize;
        (field(code, self.sm(0).constants, at / 4, 0) >> (at % 4 * 8)) as u8
    }
}

/// A field of an element; 0 if the memory has no such element.
fn field(code: &MachineCode, memory: CodeMemory, element: usize, number: usize) -> u64 {
    code.memory_field(memory.0, element, number).unwrap_or_default()
}
