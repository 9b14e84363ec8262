//! Puts the circuits' trace events together to the records that every engine gives.
//!
//! An instruction's parts come from several stages, in several cycles, with other instructions' between them; the tag
//! tells which belong together. A record is complete when
//!
//! - its masks and the last beat of its results are known, of each register for a load of 64 or 128 bits,
//! - for a global access or a store to shared memory, every thread of the execution mask has made it; a store of 64 or 128
//!   bits gives an event for each of its registers, in order,
//! - for a control instruction, a join or an exit marker, it is known where the warp goes on. All others go on behind
//!   themselves, with the same active mask.
//!
//! Each SM has an [`Assembler`]; [`Records`] are those of a machine.
//!
//! **Records come out in issue order** of their SM: a complete one is held back until all that were issued earlier are out. Global
//! accesses are served in issue order, and shared memory is accessed in order in the pipeline, so issue order is the order
//! of memory effects: a model that follows the records sees what the circuits saw, also where warps of an SM race. Between
//! SMs there is no order; records that become complete in one cycle come in the order of their SMs.

use crate::events::{Event, IncrementEvent, IssueEvent, LaunchEvent, MemoryEvent, SharedEvent, WriteEvent};
use flexgrip_isa::{Destination, Marker, Operation};
use flexgrip_model::{
    AddressWrite, BarrierEffect, CcWrite, Entry, EntryKind, MemoryEffect, MemorySpace, Next, Part, RegisterWrite,
    Retire, StackOperation,
};
use std::collections::VecDeque;
use thiserror::Error;

/// The events contradict each other or the trace's rules: a defect of the circuits or of their trace.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("cycle {cycle}: {message}")]
pub struct TraceError {
    /// The clock cycle of the event.
    pub cycle: u64,
    /// What is wrong.
    pub message: String,
}

/// Tags that there are.
const TAGS: usize = 1 << 16;

/// An instruction in flight, or one that waits for an earlier one.
struct InFlight {
    record: Retire,
    /// Needs a `Next` event.
    control: bool,
    /// Needs a `Memory` event for every thread.
    global: bool,
    /// Needs a `Shared` event for every thread.
    shared: bool,
    /// Registers of its global access behind the first: 0, 1 or 3.
    further_registers: u32,
    masks_known: bool,
    /// Last beats of its results that have not come.
    results_left: u32,
    next_known: bool,
    /// Threads whose access has been seen, of each register.
    accessed: [u32; 4],
    /// What each thread's result is, whether written or not: a load's data, by register.
    results: [[u32; 32]; 4],
    complete: bool,
}

/// Assembles records from the events of one SM.
pub struct Assembler {
    lanes: u32,
    sm: u32,
    /// Block and index of the warp in each slot.
    warps: [Option<LaunchEvent>; 32],
    in_flight: VecDeque<InFlight>,
    /// Sequence number, from the start of the run, of the first in `in_flight`.
    first: u64,
    /// Sequence number of the latest instruction with each tag.
    by_tag: Box<[Option<u64>; TAGS]>,
}

impl Assembler {
    /// For the SM of that number, with `lanes` scalar processors.
    pub fn new(lanes: u32, sm: u32) -> Self {
        Assembler {
            lanes,
            sm,
            warps: [None; 32],
            in_flight: VecDeque::new(),
            first: 0,
            by_tag: Box::new([None; TAGS]),
        }
    }

    /// Takes an event. Events of one cycle come in the order of the variants of [`Event`].
    ///
    /// # Errors
    /// [`TraceError`] if the event cannot be: an unknown tag or warp, a tag that is still in use, a beat out of range.
    pub fn event(&mut self, cycle: u64, event: &Event) -> Result<(), TraceError> {
        let result = match event {
            Event::Launch(launch) => self.launch(launch),
            Event::Issue(issue) => self.issue(cycle, issue),
            Event::Mask(mask) => self.instruction(cycle, mask.tag, |instruction, _| {
                (instruction.record.active, instruction.record.executed) = (mask.active, mask.executed);
                instruction.masks_known = true;
                Ok(())
            }),
            Event::Memory(memory) => self.instruction(cycle, memory.tag, |instruction, lanes| {
                instruction.access(memory, lanes)
            }),
            Event::Shared(shared) => {
                self.instruction(cycle, shared.tag, |instruction, _| instruction.store_shared(shared))
            }
            Event::Increment(increment) => self.instruction(cycle, increment.tag, |instruction, lanes| {
                instruction.increment(increment, lanes)
            }),
            Event::Stack(stack) => self.instruction(cycle, stack.tag, |instruction, _| {
                let kind = match stack.kind {
                    0 => EntryKind::Join,
                    1 => EntryKind::Diverged,
                    2 => EntryKind::Call,
                    3 => EntryKind::Break,
                    other => return Err(format!("a divergence stack entry of kind {other}, which is not known")),
                };
                let entry = Entry {
                    kind,
                    mask: stack.mask,
                    pc: stack.pc,
                };
                let operation = if stack.push {
                    StackOperation::Push(entry)
                } else {
                    StackOperation::Pop(entry)
                };
                instruction.record.stack.push(operation);
                Ok(())
            }),
            Event::Write(write) => {
                self.instruction(cycle, write.tag, |instruction, lanes| instruction.write(write, lanes))
            }
            Event::Next(next) => self.instruction(cycle, next.tag, |instruction, _| {
                let pc = if next.ended { None } else { Some(next.pc) };
                instruction.record.next = Next {
                    pc,
                    active: if next.ended { 0 } else { next.active },
                };
                instruction.next_known = true;
                Ok(())
            }),
        };
        result.map_err(|message| TraceError { cycle, message })
    }

    fn launch(&mut self, launch: &LaunchEvent) -> Result<(), String> {
        let slot = self
            .warps
            .get_mut(launch.warp as usize)
            .ok_or(format!("there is no warp slot {}", launch.warp))?;
        *slot = Some(*launch);
        Ok(())
    }

    fn issue(&mut self, cycle: u64, issue: &IssueEvent) -> Result<(), String> {
        let launch = self.warps.get(issue.warp as usize).copied().flatten();
        let launch =
            launch.ok_or_else(|| format!("an instruction is issued for warp slot {}, which is empty", issue.warp))?;
        if let Some(earlier) = self.of_tag(issue.tag).filter(|earlier| !earlier.complete) {
            return Err(format!(
                "tag {:#06x} is given to PC {:#x} while the instruction at PC {:#x} still has it",
                issue.tag, issue.pc, earlier.record.pc
            ));
        }
        let decoded = flexgrip_isa::decode(issue.word).ok();
        let control = decoded.as_ref().is_some_and(|instruction| {
            use Operation as O;
            let by_operation = matches!(
                instruction.operation(),
                O::Bra { .. }
                    | O::Ssy { .. }
                    | O::Cal { .. }
                    | O::Ret
                    | O::Pbk { .. }
                    | O::Brk
                    | O::Kil
                    | O::Trap
                    | O::Bpt
            );
            by_operation || instruction.marker() != Marker::None
        });
        let (global, bytes) = match decoded.as_ref().map(|instruction| instruction.operation()) {
            Some(Operation::Gld { access, .. } | Operation::Lld { access }) => (Some(false), access.bytes()),
            Some(Operation::Gst { access, .. } | Operation::Lst { access }) => (Some(true), access.bytes()),
            _ => (None, 0),
        };
        let further_registers = (bytes / 4).saturating_sub(1);
        let shared = decoded
            .as_ref()
            .is_some_and(|instruction| matches!(instruction.operation(), Operation::R2g));
        let barrier = decoded.as_ref().and_then(|instruction| match instruction.operation() {
            // With neither it does nothing.
            Operation::Bar {
                barrier, arrive, wait, ..
            } if arrive || wait => Some(BarrierEffect {
                barrier,
                arrives: arrive,
                waits: wait,
            }),
            _ => None,
        });
        let sequence = self.first + self.in_flight.len() as u64;
        self.by_tag[usize::from(issue.tag)] = Some(sequence);
        self.in_flight.push_back(InFlight {
            record: Retire {
                sm: self.sm,
                warp: issue.warp,
                block: launch.block,
                warp_in_block: launch.index,
                pc: issue.pc,
                word: issue.word,
                active: 0,
                executed: 0,
                destination: None,
                further: Vec::new(),
                cc: None,
                address: None,
                post_increment: None,
                memory: Vec::new(),
                stack: Vec::new(),
                barrier,
                next: Next { pc: None, active: 0 },
                issue_cycle: Some(cycle),
                retire_cycle: None,
            },
            control,
            global: global.is_some(),
            shared,
            further_registers,
            masks_known: false,
            results_left: if global == Some(false) {
                further_registers + 1
            } else {
                1
            },
            next_known: false,
            accessed: [0; 4],
            results: [[0; 32]; 4],
            complete: false,
        });
        Ok(())
    }

    fn of_tag(&mut self, tag: u16) -> Option<&mut InFlight> {
        let index = self.by_tag[usize::from(tag)]?.checked_sub(self.first)?;
        self.in_flight.get_mut(usize::try_from(index).ok()?)
    }

    fn instruction(
        &mut self,
        cycle: u64,
        tag: u16,
        change: impl FnOnce(&mut InFlight, u32) -> Result<(), String>,
    ) -> Result<(), String> {
        let lanes = self.lanes;
        let instruction = self
            .of_tag(tag)
            .filter(|instruction| !instruction.complete)
            .ok_or_else(|| format!("an event of tag {tag:#06x}, which no instruction in flight has"))?;
        change(instruction, lanes)?;
        instruction.complete_if_known(cycle);
        Ok(())
    }

    /// The next record in issue order, if it is complete.
    pub fn next_record(&mut self) -> Option<Retire> {
        if !self.in_flight.front()?.complete {
            return None;
        }
        self.first += 1;
        self.in_flight.pop_front().map(|instruction| instruction.record)
    }

    /// At the end of a run: the complete records that were held back, in issue order. Of a warp with an instruction that
    /// never completed, only the records before it. That happens where a kernel went wrong; after any other end,
    /// [`Assembler::check_complete`] tells whether something is missing.
    pub fn remaining(&mut self) -> Vec<Retire> {
        let mut cut = [false; 32];
        let mut records = Vec::new();
        for instruction in self.in_flight.drain(..) {
            let cut = &mut cut[instruction.record.warp as usize % 32];
            *cut |= !instruction.complete;
            if !*cut {
                records.push(instruction.record);
            }
        }
        *self.by_tag = [None; TAGS];
        records
    }

    /// That no issued instruction is incomplete.
    ///
    /// # Errors
    /// [`TraceError`] with the first that is, and what it lacks.
    pub fn check_complete(&self, cycle: u64) -> Result<(), TraceError> {
        let Some(instruction) = self.in_flight.iter().find(|instruction| !instruction.complete) else {
            return Ok(());
        };
        let lacks = match instruction {
            InFlight { masks_known: false, .. } => "masks",
            InFlight { results_left: 1.., .. } => "last beat",
            InFlight {
                control: true,
                next_known: false,
                ..
            } => "next PC",
            InFlight { shared: true, .. } => "stores to shared memory",
            _ => "global accesses",
        };
        let Retire {
            sm,
            pc,
            warp,
            issue_cycle,
            ..
        } = &instruction.record;
        let issued = issue_cycle.unwrap_or(0);
        let message = format!(
            "the grid has ended, but the instruction at PC {pc:#x} of warp slot {warp} of SM {sm}, issued in cycle {issued}, \
             never gave its {lacks}"
        );
        Err(TraceError { cycle, message })
    }
}

/// Assembles the records of a machine: an [`Assembler`] for each of its SMs.
pub struct Records {
    sms: Vec<Assembler>,
}

impl Records {
    /// For a machine with `sms` SMs of `lanes` scalar processors.
    pub fn new(lanes: u32, sms: u32) -> Self {
        Records {
            sms: (0..sms).map(|sm| Assembler::new(lanes, sm)).collect(),
        }
    }

    /// Takes an event of an SM, as [`Assembler::event`].
    ///
    /// # Errors
    /// [`TraceError`] if there is no such SM, or the event cannot be.
    pub fn event(&mut self, cycle: u64, sm: u32, event: &Event) -> Result<(), TraceError> {
        let count = self.sms.len();
        let assembler = self.sms.get_mut(sm as usize).ok_or_else(|| TraceError {
            cycle,
            message: format!("an event of SM {sm}; there are {count}"),
        })?;
        assembler.event(cycle, event)
    }

    /// The next complete record: of the lowest SM that has one, the first in issue order.
    pub fn next_record(&mut self) -> Option<Retire> {
        self.sms.iter_mut().find_map(Assembler::next_record)
    }

    /// At the end of a run: what the SMs held back, SM by SM, as [`Assembler::remaining`].
    pub fn remaining(&mut self) -> Vec<Retire> {
        self.sms.iter_mut().flat_map(Assembler::remaining).collect()
    }

    /// That no issued instruction is incomplete.
    ///
    /// # Errors
    /// As [`Assembler::check_complete`], of the lowest SM that has one.
    pub fn check_complete(&self, cycle: u64) -> Result<(), TraceError> {
        self.sms.iter().try_for_each(|sm| sm.check_complete(cycle))
    }
}

/// Whether the record is of a branch that split its warp.
pub fn splits(record: &Retire) -> bool {
    let diverged = |operation: &StackOperation| matches!(operation, StackOperation::Push(entry) if entry.kind == EntryKind::Diverged);
    record.stack.iter().any(diverged)
}

/// Calls `each` with lane and thread of every set lane of a beat.
fn threads(
    lanes: u32,
    beat: u32,
    mask: u32,
    mut each: impl FnMut(usize, usize) -> Result<(), String>,
) -> Result<(), String> {
    for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
        let thread = beat * lanes + lane;
        if lane >= lanes || thread >= 32 {
            return Err(format!("lane {lane} of beat {beat} is beyond the warp"));
        }
        each(lane as usize, thread as usize)?;
    }
    Ok(())
}

/// The low so many bytes, 1 to 16.
fn keep(bytes: u8) -> u128 {
    u128::MAX >> (128 - 8 * u32::from(bytes))
}

impl InFlight {
    fn access(&mut self, event: &MemoryEvent, lanes: u32) -> Result<(), String> {
        if !self.global {
            return Err(format!(
                "a global access of the instruction at PC {:#x}, which makes none",
                self.record.pc
            ));
        }
        if event.size > 4 {
            return Err(format!("a global access of 2^{} bytes", event.size));
        }
        let bytes = 1u8 << event.size;
        let events = if event.store { usize::from(bytes).div_ceil(4) } else { 1 };
        let (accessed, memory) = (&mut self.accessed, &mut self.record.memory);
        threads(lanes, event.beat, event.lanes, |lane, thread| {
            let Some(part) = (0..events).find(|&part| accessed[part] >> thread & 1 == 0) else {
                return Err(format!("thread {thread} makes its global access once too often"));
            };
            accessed[part] |= 1 << thread;
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
                Some(first) if first.address == effect.address => first.data |= data,
                _ => {
                    return Err(format!(
                        "the registers of thread {thread}'s store have different addresses"
                    ))
                }
            }
            Ok(())
        })
    }

    fn store_shared(&mut self, event: &SharedEvent) -> Result<(), String> {
        if !self.shared {
            return Err(format!(
                "a store to shared memory by the instruction at PC {:#x}, which makes none",
                self.record.pc
            ));
        }
        let bytes = match event.access {
            0 => 1,
            1 => 2,
            3 => 4,
            other => return Err(format!("a store to shared memory of size {other}, which is not known")),
        };
        let first = if event.upper { 16 } else { 0 };
        for i in (0..16).filter(|i| event.threads >> i & 1 == 1) {
            let thread = first + i;
            if self.accessed[0] >> thread & 1 == 1 {
                return Err(format!("thread {thread} makes its store to shared memory twice"));
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

    fn increment(&mut self, event: &IncrementEvent, lanes: u32) -> Result<(), String> {
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

    /// Which register of the access a write is about, from 0: the one named by the instruction, or one behind it.
    fn part(&self, event: &WriteEvent) -> Result<usize, String> {
        if self.further_registers == 0 {
            return Ok(0);
        }
        let first = match flexgrip_isa::decode(self.record.word).map(|instruction| instruction.destination()) {
            Ok(Destination::Register { index, .. }) => u32::from(index),
            _ => return Ok(0),
        };
        match event.register.wrapping_sub(first) & 127 {
            part if part <= self.further_registers => Ok(part as usize),
            _ => Err(format!(
                "the instruction at PC {:#x} writes R{}",
                self.record.pc, event.register
            )),
        }
    }

    fn write(&mut self, event: &WriteEvent, lanes: u32) -> Result<(), String> {
        let part_of_access = self.part(event)?;
        if event.register_enable {
            let part = match event.halves {
                1 => Part::Low,
                2 => Part::High,
                3 => Part::Full,
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
            let mask = if part == Part::Full { u32::MAX } else { 0xffff };
            let values = &mut destination.values;
            threads(lanes, event.beat, event.lanes, |lane, thread| {
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
                    "the beats of the instruction at PC {:#x} write two codes",
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

    fn complete_if_known(&mut self, cycle: u64) {
        let store = self.record.memory.iter().any(|effect| effect.store);
        let events = if store { self.further_registers as usize + 1 } else { 1 };
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
        // Canonical: an instruction that no thread executes writes nothing.
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
        record.retire_cycle = Some(cycle);
        self.complete = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{MaskEvent, NextEvent, StackEvent};

    /// `RET`; `GLD.U32 R0, global14[R0]`; `GST.U32 global14[R0], R1`; `MOV32 R0, R0`.
    const RET: u64 = 0x0000_0780_3000_0003;
    const GLD: u64 = 0x80c0_0780_d00e_0001;
    const GST: u64 = 0xa0c0_0780_d00e_0005;
    const MOV32: u64 = 0x1000_8000;

    fn launch(warp: u32, block: u32, index: u32) -> Event {
        Event::Launch(LaunchEvent { warp, block, index })
    }

    fn issue(tag: u16, warp: u32, word: u64) -> Event {
        Event::Issue(IssueEvent {
            tag,
            warp,
            pc: 0x10,
            word,
        })
    }

    fn mask(tag: u16, active: u32, executed: u32) -> Event {
        Event::Mask(MaskEvent { tag, active, executed })
    }

    fn write(tag: u16, beat: u32, last: bool, data: [u32; 32]) -> WriteEvent {
        WriteEvent {
            tag,
            beat,
            last,
            lanes: 0xffff,
            register: 5,
            register_enable: true,
            halves: 3,
            condition_register: 2,
            condition_enable: false,
            address_register: 0,
            address_enable: false,
            data,
            condition: [0; 32],
        }
    }

    fn last_write(tag: u16) -> Event {
        Event::Write(Box::new(WriteEvent {
            register_enable: false,
            ..write(tag, 1, true, [0; 32])
        }))
    }

    fn access(tag: u16, beat: u32, store: bool, lanes: u32) -> Event {
        let address = std::array::from_fn(|lane| 0x100 + 64 * beat + 4 * lane as u32);
        Event::Memory(Box::new(MemoryEvent {
            tag,
            beat,
            store,
            local: false,
            size: 2,
            lanes,
            address,
            data: [7; 32],
        }))
    }

    /// An assembler for 16 lanes with warp 0 of block 3 in slot 1 and warp 1 in slot 2.
    fn assembler() -> Assembler {
        let mut assembler = Assembler::new(16, 0);
        assembler.event(0, &launch(1, 3, 0)).unwrap();
        assembler.event(0, &launch(2, 3, 1)).unwrap();
        assembler
    }

    #[track_caller]
    fn feed(assembler: &mut Assembler, events: &[Event]) {
        for (cycle, event) in (1..).zip(events) {
            assembler.event(cycle, event).unwrap();
        }
    }

    #[track_caller]
    fn refused(assembler: &mut Assembler, event: &Event, says: &str) {
        let error = assembler.event(9, event).expect_err("refused");
        assert!(error.message.contains(says), "{error}");
    }

    #[test]
    fn two_beats_make_a_record() {
        let mut assembler = assembler();
        let low = std::array::from_fn(|lane| lane as u32);
        let high = std::array::from_fn(|lane| 100 + lane as u32);
        let beats = [write(0, 0, false, low), write(0, 1, true, high)].map(|beat| Event::Write(Box::new(beat)));
        feed(&mut assembler, &[issue(0, 2, MOV32), mask(0, !0, !0), beats[0].clone()]);
        assert_eq!(assembler.next_record(), None);
        assembler.event(8, &beats[1]).unwrap();
        let record = assembler.next_record().unwrap();
        assert_eq!(
            (record.block, record.warp_in_block, record.warp, record.pc),
            (3, 1, 2, 0x10)
        );
        assert_eq!((record.issue_cycle, record.retire_cycle), (Some(1), Some(8)));
        assert_eq!(
            record.next,
            Next {
                pc: Some(0x14),
                active: !0
            }
        );
        let values = std::array::from_fn(|thread| if thread < 16 { thread as u32 } else { 84 + thread as u32 });
        assert_eq!(
            record.destination,
            Some(RegisterWrite {
                register: 5,
                part: Part::Full,
                values
            })
        );
        assert_eq!(assembler.next_record(), None);
        assert_eq!(assembler.check_complete(9), Ok(()));
    }

    #[test]
    fn halves_and_conditions() {
        let mut assembler = assembler();
        let mut beat = WriteEvent {
            halves: 2,
            condition_enable: true,
            ..write(0, 0, true, [0xffff_1234; 32])
        };
        beat.lanes = 1;
        beat.condition[0] = 9;
        feed(
            &mut assembler,
            &[issue(0, 1, MOV32), mask(0, 1, 1), Event::Write(Box::new(beat))],
        );
        let record = assembler.next_record().unwrap();
        let destination = record.destination.unwrap();
        assert_eq!(
            (destination.part, destination.values[0], destination.values[1]),
            (Part::High, 0x1234, 0)
        );
        let cc = record.cc.unwrap();
        assert_eq!((cc.register, cc.values[0], cc.values[1]), (2, 9, 0));
    }

    #[test]
    fn what_no_thread_executes_writes_nothing() {
        let mut assembler = assembler();
        let beat = WriteEvent {
            lanes: 0,
            condition_enable: true,
            ..write(0, 0, true, [1; 32])
        };
        feed(
            &mut assembler,
            &[issue(0, 1, MOV32), mask(0, !0, 0), Event::Write(Box::new(beat))],
        );
        let record = assembler.next_record().unwrap();
        assert_eq!((record.destination, record.cc), (None, None));
    }

    #[test]
    fn records_come_in_issue_order() {
        let mut assembler = assembler();
        feed(
            &mut assembler,
            &[
                issue(0xffff, 1, MOV32),
                issue(0, 2, MOV32),
                mask(0xffff, 1, 1),
                mask(0, 2, 2),
                last_write(0),
            ],
        );
        assert_eq!(assembler.next_record(), None, "the first is not complete");
        assembler.event(9, &last_write(0xffff)).unwrap();
        assert_eq!(assembler.next_record().map(|record| record.warp), Some(1));
        assert_eq!(assembler.next_record().map(|record| record.warp), Some(2));
    }

    #[test]
    fn a_load_waits_for_its_data_and_a_store_for_its_accesses() {
        let mut assembler = assembler();
        let events = [
            issue(0, 1, GLD),
            mask(0, 0x0003_0001, 0x0003_0001),
            access(0, 0, false, 1),
            access(0, 1, false, 3),
        ];
        feed(&mut assembler, &events);
        assert_eq!(assembler.next_record(), None);
        let mut data = [0; 32];
        data[0] = 0xabcd;
        let beats = [
            WriteEvent {
                lanes: 1,
                ..write(0, 0, false, data)
            },
            WriteEvent {
                lanes: 3,
                ..write(0, 1, true, data)
            },
        ];
        feed(&mut assembler, &beats.map(|beat| Event::Write(Box::new(beat))));
        let memory = assembler.next_record().unwrap().memory;
        let shown: Vec<_> = memory
            .iter()
            .map(|effect| (effect.lane, effect.address, effect.data, effect.store))
            .collect();
        assert_eq!(
            shown,
            [
                (0, 0x100, 0xabcd, false),
                (16, 0x140, 0xabcd, false),
                (17, 0x144, 0, false)
            ]
        );

        feed(
            &mut assembler,
            &[
                issue(1, 1, GST),
                mask(1, 0x0001_0001, 0x0001_0001),
                last_write(1),
                access(1, 0, true, 1),
            ],
        );
        assert_eq!(assembler.next_record(), None);
        assert!(assembler
            .check_complete(9)
            .is_err_and(|error| error.message.contains("global accesses")));
        assembler.event(9, &access(1, 1, true, 1)).unwrap();
        let record = assembler.next_record().unwrap();
        assert_eq!(record.memory.len(), 2);
        assert_eq!((record.memory[1].data, record.memory[1].store), (7, true));
    }

    #[test]
    fn a_wide_access_is_put_together_from_its_registers() {
        // `GLD.S64 R4, global14[R0]`; `GST.S128 global14[R0], R4`.
        let load = GLD ^ 2 << 53 | 4 << 2;
        let store = GST ^ 3 << 53 ^ 5 << 2;
        let mut assembler = assembler();
        let wide = |event, size| match event {
            Event::Memory(memory) => Event::Memory(Box::new(MemoryEvent { size, ..*memory })),
            other => other,
        };
        let beat = |register, last, value| {
            Event::Write(Box::new(WriteEvent {
                register,
                lanes: 1,
                ..write(0, u32::from(last), last, [value; 32])
            }))
        };
        feed(
            &mut assembler,
            &[
                issue(0, 1, load),
                mask(0, 0x0001_0001, 0x0001_0001),
                wide(access(0, 0, false, 1), 3),
                wide(access(0, 1, false, 1), 3),
                beat(4, false, 10),
                beat(5, false, 20),
                beat(4, true, 11),
            ],
        );
        assert_eq!(
            assembler.next_record(),
            None,
            "the second register's last beat is to come"
        );
        assembler.event(9, &beat(5, true, 21)).unwrap();
        let record = assembler.next_record().unwrap();
        let registers: Vec<_> = record.destination.iter().chain(&record.further).collect();
        assert_eq!(registers.iter().map(|write| write.register).collect::<Vec<_>>(), [4, 5]);
        assert_eq!((registers[0].values[16], registers[1].values[0]), (11, 20));
        assert_eq!((record.memory[0].bytes, record.memory[0].data), (8, 20 << 32 | 10));
        assert_eq!(record.memory[1].data, 21 << 32 | 11);

        feed(&mut assembler, &[issue(1, 1, store), mask(1, 1, 1), last_write(1)]);
        for part in 0..4 {
            assert_eq!(assembler.next_record(), None);
            let Event::Memory(mut memory) = wide(access(1, 0, true, 1), 4) else {
                panic!()
            };
            memory.data[0] = part + 1;
            assembler.event(9, &Event::Memory(memory)).unwrap();
        }
        let memory = assembler.next_record().unwrap().memory;
        assert_eq!((memory.len(), memory[0].bytes), (1, 16));
        assert_eq!(memory[0].data, 4 << 96 | 3 << 64 | 2 << 32 | 1);

        feed(&mut assembler, &[issue(2, 1, load), mask(2, 1, 1)]);
        let other = Event::Write(Box::new(WriteEvent {
            tag: 2,
            register: 7,
            ..write(0, 0, true, [0; 32])
        }));
        refused(&mut assembler, &other, "writes R7");
    }

    #[test]
    fn control_waits_for_where_the_warp_goes_on() {
        let mut assembler = assembler();
        feed(&mut assembler, &[issue(0, 1, RET), mask(0, 3, 3), last_write(0)]);
        assert!(assembler
            .check_complete(9)
            .is_err_and(|error| error.message.contains("next PC")));
        let pop = Event::Stack(StackEvent {
            tag: 0,
            push: false,
            kind: 1,
            mask: 4,
            pc: 0x80,
        });
        let next = Event::Next(NextEvent {
            tag: 0,
            ended: false,
            pc: 0x80,
            active: 4,
        });
        feed(&mut assembler, &[pop, next]);
        let record = assembler.next_record().unwrap();
        assert_eq!(
            record.stack,
            [StackOperation::Pop(Entry {
                kind: EntryKind::Diverged,
                mask: 4,
                pc: 0x80
            })]
        );
        assert_eq!(
            record.next,
            Next {
                pc: Some(0x80),
                active: 4
            }
        );

        let ended = Event::Next(NextEvent {
            tag: 1,
            ended: true,
            pc: 0x80,
            active: 4,
        });
        feed(&mut assembler, &[issue(1, 1, RET), mask(1, 4, 4), last_write(1), ended]);
        assert_eq!(assembler.next_record().unwrap().next, Next { pc: None, active: 0 });
    }

    #[test]
    fn after_an_error_each_warp_is_shown_up_to_its_first_incomplete_instruction() {
        let mut assembler = assembler();
        feed(
            &mut assembler,
            &[issue(0, 1, GLD), issue(1, 2, MOV32), issue(2, 1, MOV32)],
        );
        for tag in 0..3 {
            feed(&mut assembler, &[mask(tag, 1, 1), last_write(tag)]);
        }
        assert_eq!(assembler.next_record(), None);
        let remaining = assembler.remaining();
        assert_eq!(remaining.iter().map(|record| record.warp).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn each_sm_has_its_own_order_and_tags() {
        let mut records = Records::new(16, 2);
        records.event(0, 1, &launch(1, 7, 0)).unwrap();
        records.event(0, 0, &launch(1, 6, 0)).unwrap();
        for event in [issue(0, 1, MOV32), mask(0, 1, 1)] {
            records.event(1, 1, &event).unwrap();
            records.event(2, 0, &event).unwrap();
        }
        assert!(records.check_complete(3).is_err());
        records.event(3, 1, &last_write(0)).unwrap();
        records.event(3, 0, &last_write(0)).unwrap();
        let mut next = || records.next_record().map(|record| (record.sm, record.block));
        assert_eq!([next(), next(), next()], [Some((0, 6)), Some((1, 7)), None]);
        let error = records.event(4, 2, &launch(0, 0, 0)).unwrap_err();
        assert!(error.message.contains("SM 2; there are 2"), "{error}");
    }

    #[test]
    fn events_that_cannot_be() {
        let mut assembler = assembler();
        refused(&mut assembler, &launch(32, 0, 0), "no warp slot");
        refused(&mut assembler, &issue(0, 7, MOV32), "empty");
        refused(&mut assembler, &mask(4, 0, 0), "no instruction in flight");
        feed(&mut assembler, &[issue(0, 1, MOV32), mask(0, !0, !0)]);
        refused(&mut assembler, &issue(0, 1, MOV32), "still has it");
        refused(&mut assembler, &access(0, 0, true, 1), "makes none");
        refused(
            &mut assembler,
            &Event::Write(Box::new(write(0, 2, false, [0; 32]))),
            "beyond the warp",
        );
        let halves = WriteEvent {
            halves: 0,
            ..write(0, 0, false, [0; 32])
        };
        refused(&mut assembler, &Event::Write(Box::new(halves)), "halves 00");
        feed(&mut assembler, &[last_write(0)]);
        refused(&mut assembler, &last_write(0), "no instruction in flight");
        feed(&mut assembler, &[issue(1, 1, GST), access(1, 0, true, 1)]);
        refused(&mut assembler, &access(1, 0, true, 1), "once too often");
        let entry = Event::Stack(StackEvent {
            tag: 1,
            push: true,
            kind: 4,
            mask: 0,
            pc: 0,
        });
        refused(&mut assembler, &entry, "kind 4");
    }
}
