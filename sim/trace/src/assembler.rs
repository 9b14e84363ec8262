//! Assembles the circuits' trace events into the records that every engine emits.
//!
//! The events of an instruction are from several stages and cycles, interleaved with other instructions' events; the
//! tag identifies the instruction. A record is complete when
//!
//! - its masks and the last beat of its results (of each register, for a load of 64 or 128 bits or a result of 64 bits)
//!   have been reported,
//! - for a global access or a store to shared memory, every thread of the execution mask has made it; a store of 64 or
//!   128 bits gives an event for each of its registers, in order; an atomic operation gives one event, for b, or four,
//!   for both words of b and of c,
//! - for a control instruction, a join or an exit marker, the warp's next PC has been reported. After any other
//!   instruction the warp continues at the following one, with the same active mask.
//!
//! Each SM has an [`Assembler`]; a machine has [`Records`](crate::records::Records).
//!
//! **Records are returned in the issue order** of their SM: a complete record is held back until all records issued
//! earlier have been returned. Global accesses are served in issue order, and shared memory is accessed in order in the
//! pipeline, so issue order is the order of memory effects: a model that follows the records sees what the circuits
//! saw, even if warps of an SM race. There is no order between SMs; records completed in the same cycle come in the
//! order of their SMs.

use crate::error::TraceError;
use crate::in_flight::InFlight;
use crate::times::{Timed, Times};
use flexgrip_isa::{decode_at, Capability, Instruction, Marker, Operation};
use flexgrip_machine::trace::{Event, IssueEvent, LaunchEvent};
use flexgrip_machine::{BarrierEffect, Entry, EntryKind, Next, Retire, StackOperation};
use std::collections::VecDeque;

/// Number of tags.
const TAGS: usize = 1 << 16;

/// True if the branch unit decides where the warp continues after an instruction, and reports it with an
/// [`Event::Next`].
pub fn is_control(instruction: &Instruction) -> bool {
    use Operation as O;
    let by_operation = matches!(
        instruction.operation(),
        O::Bra { .. } | O::Ssy { .. } | O::Cal { .. } | O::Ret | O::Pbk { .. } | O::Brk | O::Kil | O::Trap | O::Bpt
    );
    by_operation || instruction.marker() != Marker::None
}

/// The instruction of an executed word, of any capability. Of words that are different instructions at different
/// capabilities, it is the earliest one.
pub fn instruction_of(word: u64) -> Option<Instruction> {
    let found = flexgrip_isa::decode(word).or_else(|_| decode_at(word, Capability::LATEST));
    found.ok()
}

/// The tag of an event's instruction.
fn tag(event: &Event) -> Option<u16> {
    Some(match event {
        Event::Launch(_) => return None,
        Event::Issue(event) => event.tag,
        Event::Mask(event) => event.tag,
        Event::Memory(event) => event.tag,
        Event::Shared(event) => event.tag,
        Event::Increment(event) => event.tag,
        Event::Stack(event) => event.tag,
        Event::Write(event) => event.tag,
        Event::Next(event) => event.tag,
    })
}

/// Assembles records from the events of one SM.
#[derive(Clone)]
pub struct Assembler {
    lanes: u32,
    sm: u32,
    capability: Capability,
    /// Block and index of the warp in each slot.
    warps: [Option<LaunchEvent>; 32],
    in_flight: VecDeque<InFlight>,
    /// Sequence number, from the start of the run, of the first instruction in `in_flight`.
    first: u64,
    /// Sequence number of the latest instruction with each tag.
    by_tag: Box<[Option<u64>; TAGS]>,
    /// True to keep the events of instructions in flight, for [`Assembler::events`].
    keeps: bool,
}

impl Assembler {
    /// An assembler for SM number `sm`, with `lanes` scalar processors and the instructions of a capability.
    pub fn new(lanes: u32, sm: u32, capability: Capability) -> Self {
        Assembler {
            lanes,
            sm,
            capability,
            warps: [None; 32],
            in_flight: VecDeque::new(),
            first: 0,
            by_tag: Box::new([None; TAGS]),
            keeps: false,
        }
    }

    /// Keeps the events of further instructions until their records are returned.
    pub fn keep_events(&mut self) {
        self.keeps = true;
    }

    /// Events with their cycles that bring a new assembler to this one's state: the events of instructions in flight,
    /// if they have been kept, and the launches of warps.
    pub fn events(&self) -> Vec<(u64, Event)> {
        let mut events = Vec::new();
        for instruction in &self.in_flight {
            // The slot may have another warp by now, so the launch is rebuilt from the record.
            let record = &instruction.record;
            let launch = LaunchEvent {
                warp: record.warp,
                block: record.block,
                index: record.warp_in_block,
            };
            events.push((instruction.times.issue, Event::Launch(launch)));
            events.extend(instruction.events.iter().cloned());
        }
        let warps = self.warps.iter().flatten();
        events.extend(warps.map(|launch| (0, Event::Launch(*launch))));
        events
    }

    /// Processes an event. Events of one cycle are passed in the order of the variants of [`Event`].
    ///
    /// # Errors
    /// [`TraceError`] if the event is impossible: an unknown tag or warp, a tag still in use, a beat out of range.
    pub fn event(&mut self, cycle: u64, event: &Event) -> Result<(), TraceError> {
        self.take(cycle, event)
            .map_err(|message| TraceError { cycle, message })?;
        if self.keeps {
            if let Some(instruction) = tag(event).and_then(|tag| self.of_tag(tag)) {
                instruction.events.push((cycle, event.clone()));
            }
        }
        Ok(())
    }

    fn take(&mut self, cycle: u64, event: &Event) -> Result<(), String> {
        match event {
            Event::Launch(launch) => self.launch(launch),
            Event::Issue(issue) => self.issue(cycle, issue),
            Event::Mask(mask) => self.instruction(cycle, mask.tag, |instruction, _| {
                (instruction.record.active, instruction.record.executed) = (mask.active, mask.executed);
                instruction.masks_known = true;
                instruction.times.read = cycle;
                Ok(())
            }),
            Event::Memory(memory) => self.instruction(cycle, memory.tag, |instruction, lanes| {
                instruction.times.access(memory.beat, cycle);
                instruction.access(memory, lanes)
            }),
            Event::Shared(shared) => {
                self.instruction(cycle, shared.tag, |instruction, _| instruction.store_shared(shared))
            }
            Event::Increment(increment) => self.instruction(cycle, increment.tag, |instruction, lanes| {
                instruction.increment(increment, lanes)
            }),
            Event::Stack(stack) => self.instruction(cycle, stack.tag, |instruction, _| {
                let kind = EntryKind::ALL.get(stack.kind as usize).copied();
                let kind =
                    kind.ok_or_else(|| format!("a divergence stack entry of the unknown kind {}", stack.kind))?;
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
            Event::Write(write) => self.instruction(cycle, write.tag, |instruction, lanes| {
                instruction.times.write(cycle);
                instruction.write(write, lanes)
            }),
            Event::Next(next) => self.instruction(cycle, next.tag, |instruction, _| {
                let pc = if next.ended { None } else { Some(next.pc) };
                instruction.record.next = Next {
                    pc,
                    active: if next.ended { 0 } else { next.active },
                };
                instruction.next_known = true;
                instruction.times.next = Some(cycle);
                Ok(())
            }),
        }
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
                "tag {:#06x} is assigned to the instruction at PC {:#x} while the instruction at PC {:#x} still uses it",
                issue.tag, issue.pc, earlier.record.pc
            ));
        }
        let decoded = decode_at(issue.word, self.capability).ok();
        let control = decoded.as_ref().is_some_and(is_control);
        let (global, bytes) = match decoded.as_ref().map(|instruction| instruction.operation()) {
            Some(Operation::Gld { access, .. } | Operation::Lld { access }) => (Some(false), access.bytes()),
            Some(Operation::Gst { access, .. } | Operation::Lst { access }) => (Some(true), access.bytes()),
            Some(Operation::Atomic { atomic, .. }) => (Some(false), atomic.bytes()),
            _ => (None, 0),
        };
        let atomic = match decoded.as_ref().map(|instruction| instruction.operation()) {
            Some(Operation::Atomic { atomic, .. }) => Some(atomic),
            _ => None,
        };
        let further_registers = match decoded.as_ref().map(|instruction| instruction.operation()) {
            Some(Operation::Double(double)) => u32::from(double.has_wide_result()),
            _ => (bytes / 4).saturating_sub(1),
        };
        let shared = decoded
            .as_ref()
            .is_some_and(|instruction| matches!(instruction.operation(), Operation::R2g | Operation::R2gUnlock));
        let locks = decoded
            .as_ref()
            .is_some_and(|instruction| matches!(instruction.operation(), Operation::G2rLock { .. }));
        let barrier = decoded.as_ref().and_then(|instruction| match instruction.operation() {
            // A barrier that neither arrives nor waits has no effect.
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
                barrier,
                issue_cycle: Some(cycle),
                ..Retire::default()
            },
            control,
            global: global.is_some(),
            shared,
            locks,
            further_registers,
            atomic,
            operands: [[0; 32]; 4],
            masks_known: false,
            // A store writes none of its registers.
            results_left: if global == Some(true) { 1 } else { further_registers + 1 },
            next_known: false,
            accessed: [0; 4],
            results: [[0; 32]; 4],
            complete: false,
            times: Times::of_issue(cycle),
            events: Vec::new(),
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
            .ok_or_else(|| format!("event with tag {tag:#06x}: no instruction in flight has this tag"))?;
        change(instruction, lanes)?;
        instruction.complete_if_known(cycle);
        Ok(())
    }

    /// The next record in issue order, if it is complete.
    pub fn next_record(&mut self) -> Option<Timed> {
        if !self.in_flight.front()?.complete {
            return None;
        }
        self.first += 1;
        self.in_flight.pop_front().map(InFlight::timed)
    }

    /// The cycle of issue of the next record to come, if its instruction has been issued. Later records were issued in
    /// later cycles.
    pub fn issue_of_next(&self) -> Option<u64> {
        self.in_flight.front().map(|instruction| instruction.times.issue)
    }

    /// At the end of a run: the complete records that were held back, in issue order. If an instruction of a warp never
    /// completed, only the warp's records before it are returned. That happens when a kernel failed; after any other
    /// end, [`Assembler::check_complete`] reports missing events.
    pub fn remaining(&mut self) -> Vec<Timed> {
        let mut cut = [false; 32];
        let mut records = Vec::new();
        for instruction in self.in_flight.drain(..) {
            let cut = &mut cut[instruction.record.warp as usize % 32];
            *cut |= !instruction.complete;
            if !*cut {
                records.push(instruction.timed());
            }
        }
        *self.by_tag = [None; TAGS];
        records
    }

    /// Checks that every issued instruction is complete.
    ///
    /// # Errors
    /// [`TraceError`] with the first incomplete instruction, and its missing events.
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
             never reported its {lacks}"
        );
        Err(TraceError { cycle, message })
    }
}
