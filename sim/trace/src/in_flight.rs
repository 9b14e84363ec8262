//! An instruction in flight: the contents of its events so far, until its record is complete.

use crate::times::{Timed, Times};
use flexgrip_isa::Atomic;
use flexgrip_machine::trace::{Event, IncrementEvent, MemoryEvent, SharedEvent, WriteEvent};
use flexgrip_machine::{AddressWrite, CcWrite, MemoryEffect, MemorySpace, Next, RegisterPart, RegisterWrite, Retire};

/// An instruction in flight, or one held back by an earlier one.
#[derive(Clone)]
pub(super) struct InFlight {
    pub(super) record: Retire,
    /// True if it needs a `Next` event.
    pub(super) control: bool,
    /// True if it needs a `Memory` event for every thread.
    pub(super) global: bool,
    /// True if it needs a `Shared` event for every thread.
    pub(super) shared: bool,
    /// True for G2R.LCK: only a lane with the code S writes the register.
    pub(super) locks: bool,
    /// Registers of its global access after the first: 0, 1 or 3; 1 if its result is a double or a 64-bit integer.
    pub(super) further_registers: u32,
    /// The atomic operation of its global access, and the operands of each thread: b, the high word of b, c, the high
    /// word of c.
    pub(super) atomic: Option<Atomic>,
    pub(super) operands: [[u32; 32]; 4],
    pub(super) masks_known: bool,
    /// The last beats of results that are still missing.
    pub(super) results_left: u32,
    pub(super) next_known: bool,
    /// Threads with a reported access, for each register.
    pub(super) accessed: [u32; 4],
    /// The result of each thread, written or not: a load's data, by register.
    pub(super) results: [[u32; 32]; 4],
    pub(super) complete: bool,
    pub(super) times: Times,
    /// The events with their cycles, if they are kept.
    pub(super) events: Vec<(u64, Event)>,
}

/// The condition code of a lane that gets the lock of its word: S.
const CODE_OF_LOCK: u8 = 0b0010;

/// Calls `each` with lane and thread for every set lane of a beat.
fn threads(
    lanes: u32,
    beat: u32,
    mask: u32,
    mut each: impl FnMut(usize, usize) -> Result<(), String>,
) -> Result<(), String> {
    for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
        let thread = beat * lanes + lane;
        if lane >= lanes || thread >= 32 {
            return Err(format!("lane {lane} of beat {beat} is outside the warp"));
        }
        each(lane as usize, thread as usize)?;
    }
    Ok(())
}

/// A mask of the low `bytes` bytes, 1 to 16.
fn keep(bytes: u8) -> u128 {
    u128::MAX >> (128 - 8 * u32::from(bytes))
}

impl InFlight {
    pub(super) fn timed(self) -> Timed {
        Timed {
            record: self.record,
            times: self.times,
        }
    }

    pub(super) fn access(&mut self, event: &MemoryEvent, lanes: u32) -> Result<(), String> {
        if !self.global {
            return Err(format!(
                "unexpected global access by the instruction at PC {:#x}",
                self.record.pc
            ));
        }
        if event.size > 4 {
            return Err(format!("a global access of 2^{} bytes", event.size));
        }
        let bytes = 1u8 << event.size;
        let events = match self.atomic {
            Some(_) => self.events_of_access(),
            None if event.store => usize::from(bytes).div_ceil(4),
            None => 1,
        };
        let is_atomic = self.atomic.is_some();
        let (accessed, memory, operands) = (&mut self.accessed, &mut self.record.memory, &mut self.operands);
        threads(lanes, event.beat, event.lanes, |lane, thread| {
            let Some(part) = (0..events).find(|&part| accessed[part] >> thread & 1 == 0) else {
                return Err(format!("thread {thread} reports too many parts of its global access"));
            };
            accessed[part] |= 1 << thread;
            operands[part][thread] = event.data[lane];
            let data = u128::from(event.data[lane]) << (32 * part) & keep(bytes);
            let effect = MemoryEffect {
                space: if event.local {
                    MemorySpace::Local
                } else {
                    MemorySpace::Global
                },
                store: event.store,
                lane: thread as u8,
                address: event.address[lane],
                bytes,
                data,
            };
            if part == 0 {
                memory.push(effect);
                return Ok(());
            }
            let first = memory.iter_mut().find(|first| usize::from(first.lane) == thread);
            match first {
                // The data of an atomic operation are known with its result.
                Some(first) if is_atomic && first.address == effect.address => {}
                Some(first) if first.address == effect.address => first.data |= data,
                _ => return Err(format!("the parts of thread {thread}'s store have different addresses")),
            }
            Ok(())
        })
    }

    /// Number of events of each thread's global access.
    fn events_of_access(&self) -> usize {
        match self.atomic {
            Some(atomic) if atomic.has_operand_c() || atomic.bytes() == 8 => 4,
            Some(_) => 1,
            None if self.record.memory.iter().any(|effect| effect.store) => self.further_registers as usize + 1,
            None => 1,
        }
    }

    /// The stores of an atomic operation, each after the load of its thread.
    fn atomic_effects(&self, atomic: Atomic) -> Vec<MemoryEffect> {
        let both = self.record.memory.iter().flat_map(|load| {
            let operand = |part: usize| {
                let word = |part: usize| u64::from(self.operands[part][usize::from(load.lane)]);
                word(part + 1) << 32 | word(part)
            };
            let stored = atomic.compute(load.data as u64, operand(0), operand(2));
            let store = MemoryEffect {
                store: true,
                data: u128::from(stored) & keep(load.bytes),
                ..*load
            };
            [*load, store]
        });
        both.collect()
    }

    pub(super) fn store_shared(&mut self, event: &SharedEvent) -> Result<(), String> {
        if !self.shared {
            return Err(format!(
                "unexpected store to shared memory by the instruction at PC {:#x}",
                self.record.pc
            ));
        }
        let bytes = match event.access {
            0 => 1,
            1 => 2,
            3 => 4,
            other => return Err(format!("unknown size {other} of a store to shared memory")),
        };
        let first = if event.upper { 16 } else { 0 };
        for i in (0..16).filter(|i| event.threads >> i & 1 == 1) {
            let thread = first + i;
            if self.accessed[0] >> thread & 1 == 1 {
                return Err(format!("thread {thread} reports its store to shared memory twice"));
            }
            self.accessed[0] |= 1 << thread;
            self.record.memory.push(MemoryEffect {
                space: MemorySpace::Shared,
                store: true,
                lane: thread as u8,
                address: event.address[i],
                bytes,
                data: u128::from(event.data[i]) & keep(bytes),
            });
        }
        Ok(())
    }

    pub(super) fn increment(&mut self, event: &IncrementEvent, lanes: u32) -> Result<(), String> {
        let register = event.register as u8 + 1;
        let write = self.record.post_increment.get_or_insert(AddressWrite {
            register,
            values: [0; 32],
        });
        if write.register != register {
            return Err(format!(
                "the beats of the instruction at PC {:#x} increment two address registers",
                self.record.pc
            ));
        }
        threads(lanes, event.beat, event.lanes, |lane, thread| {
            write.values[thread] = event.data[lane] as u16;
            Ok(())
        })
    }

    /// The index of a write's register in the access or result, from 0: the instruction's register, or one after it.
    fn part(&self, event: &WriteEvent) -> Result<usize, String> {
        if self.further_registers == 0 {
            return Ok(0);
        }
        // The field of the destination, or for a GRED, which has no destination, the field of operand b.
        let first = (self.record.word >> 2 & 127) as u32;
        match event.register.wrapping_sub(first) & 127 {
            part if part <= self.further_registers => Ok(part as usize),
            _ => Err(format!(
                "the instruction at PC {:#x} writes R{}",
                self.record.pc, event.register
            )),
        }
    }

    pub(super) fn write(&mut self, event: &WriteEvent, lanes: u32) -> Result<(), String> {
        let part_of_access = self.part(event)?;
        let writers = if self.locks {
            let succeeds = |lane: &u32| event.condition[*lane as usize] == CODE_OF_LOCK;
            (0..32).filter(succeeds).fold(0, |lanes, lane| lanes | 1 << lane) & event.lanes
        } else {
            event.lanes
        };
        if event.register_enable && (writers != 0 || !self.locks) {
            let part = match event.halves {
                1 => RegisterPart::Low,
                2 => RegisterPart::High,
                3 => RegisterPart::Full,
                other => return Err(format!("a register is written in halves {other:02b}")),
            };
            let register = event.register as u8;
            let write = RegisterWrite {
                register,
                part,
                values: [0; 32],
            };
            let further = &mut self.record.further;
            let destination = if part_of_access == 0 {
                self.record.destination.get_or_insert(write)
            } else {
                let at = further.iter().position(|earlier| earlier.register == register);
                let at = at.unwrap_or_else(|| {
                    further.push(write);
                    further.len() - 1
                });
                &mut further[at]
            };
            if (destination.register, destination.part) != (register, part) {
                return Err(format!(
                    "the beats of the instruction at PC {:#x} write two registers",
                    self.record.pc
                ));
            }
            let mask = if part == RegisterPart::Full { u32::MAX } else { 0xffff };
            let values = &mut destination.values;
            threads(lanes, event.beat, writers, |lane, thread| {
                values[thread] = event.data[lane] & mask;
                Ok(())
            })?;
        }
        if event.condition_enable {
            let register = event.condition_register as u8;
            let cc = self.record.cc.get_or_insert(CcWrite {
                register,
                values: [0; 32],
            });
            if cc.register != register {
                return Err(format!(
                    "the beats of the instruction at PC {:#x} write two condition-code registers",
                    self.record.pc
                ));
            }
            threads(lanes, event.beat, event.lanes, |lane, thread| {
                cc.values[thread] = event.condition[lane] & 15;
                Ok(())
            })?;
        }
        if event.address_enable {
            let register = event.address_register as u8 + 1;
            let write = self.record.address.get_or_insert(AddressWrite {
                register,
                values: [0; 32],
            });
            if write.register != register {
                return Err(format!(
                    "the beats of the instruction at PC {:#x} write two address registers",
                    self.record.pc
                ));
            }
            threads(lanes, event.beat, event.lanes, |lane, thread| {
                write.values[thread] = event.data[lane] as u16;
                Ok(())
            })?;
        }
        threads(lanes, event.beat, event.lanes, |lane, thread| {
            self.results[part_of_access][thread] = event.data[lane];
            Ok(())
        })?;
        self.results_left = self.results_left.saturating_sub(u32::from(event.last));
        Ok(())
    }

    pub(super) fn complete_if_known(&mut self, cycle: u64) {
        let events = self.events_of_access();
        let accesses = self.global || self.shared;
        let accesses_known = !accesses || self.accessed[..events].iter().all(|&seen| seen == self.record.executed);
        let next_known = !self.control || self.next_known;
        if !(self.masks_known && self.results_left == 0 && next_known && accesses_known) {
            return;
        }
        let record = &mut self.record;
        if !self.next_known {
            let size = if record.word & 1 == 1 { 8 } else { 4 };
            record.next = Next {
                pc: Some(record.pc.wrapping_add(size)),
                active: record.active,
            };
        }
        // Canonical form: an instruction that no thread executes has no writes.
        if record.executed == 0 {
            (record.destination, record.cc) = (None, None);
            (record.address, record.post_increment) = (None, None);
            record.further.clear();
        }
        record.further.sort_by_key(|write| write.register);
        record.memory.sort_by_key(|effect| (effect.lane, effect.address));
        for effect in record.memory.iter_mut().filter(|effect| !effect.store) {
            let parts = self.results.iter().zip(0..).map(|(values, part)| {
                let value = u128::from(values[usize::from(effect.lane)]);
                value << (32 * part)
            });
            effect.data = parts.fold(0, |data, part| data | part) & keep(effect.bytes);
        }
        if let Some(atomic) = self.atomic {
            self.record.memory = self.atomic_effects(atomic);
        }
        let record = &mut self.record;
        record.retire_cycle = Some(cycle);
        self.complete = true;
    }
}
