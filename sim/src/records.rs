//! Puts the circuits' trace events together to the records that every engine gives.
//!
//! An instruction's parts come from several stages, in several cycles, with other instructions' between them; the tag
//! tells which belong together. A record is complete when
//!
//! - its masks and the last beat of its results are known,
//! - for a global access, every thread of the execution mask has made it,
//! - for a control instruction, a join or an exit marker, it is known where the warp goes on. All others go on behind
//!   themselves, with the same active mask.
//!
//! **Records come out in issue order**: a complete one is held back until all that were issued earlier are out. Global
//! accesses are served in issue order, and shared memory is accessed in order in the pipeline, so issue order is the order
//! of memory effects: a model that follows the records sees what the circuits saw, also where warps race.

use crate::events::{Event, IssueEvent, LaunchEvent, MemoryEvent, WriteEvent};
use flexgrip_isa::{Marker, Operation};
use flexgrip_model::{
    CcWrite, Entry, EntryKind, MemoryEffect, MemorySpace, Next, Part, RegisterWrite, Retire, StackOperation,
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

/// An instruction in flight, or one that waits for an earlier one.
struct InFlight {
    record: Retire,
    /// Needs a `Next` event.
    control: bool,
    /// Needs a `Memory` event for every thread.
    global: bool,
    masks_known: bool,
    results_known: bool,
    next_known: bool,
    /// Threads whose access has been seen.
    accessed: u32,
    /// What each thread's result is, whether written or not: a load's data.
    results: [u32; 32],
    complete: bool,
}

/// Assembles records from events.
pub struct Assembler {
    lanes: u32,
    /// Block and index of the warp in each slot.
    warps: [Option<LaunchEvent>; 32],
    in_flight: VecDeque<InFlight>,
    /// Sequence number, from the start of the run, of the first in `in_flight`.
    first: u64,
    /// Sequence number of the latest instruction with each tag.
    by_tag: [Option<u64>; 256],
}

impl Assembler {
    /// For a machine with `lanes` scalar processors.
    pub fn new(lanes: u32) -> Self {
        Assembler {
            lanes,
            warps: [None; 32],
            in_flight: VecDeque::new(),
            first: 0,
            by_tag: [None; 256],
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
            Event::Stack(stack) => self.instruction(cycle, stack.tag, |instruction, _| {
                let kind = match stack.kind {
                    0 => EntryKind::Join,
                    1 => EntryKind::Diverged,
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
                "tag {:#04x} is given to PC {:#x} while the instruction at PC {:#x} still has it",
                issue.tag, issue.pc, earlier.record.pc
            ));
        }
        let decoded = flexgrip_isa::decode(issue.word).ok();
        let control = decoded.as_ref().is_some_and(|instruction| {
            use Operation as O;
            let by_operation = matches!(
                instruction.operation(),
                O::Bra { .. } | O::Ssy { .. } | O::Cal { .. } | O::Ret | O::Pbk { .. } | O::Brk
            );
            by_operation || instruction.marker() != Marker::None
        });
        let global = decoded.as_ref().is_some_and(|instruction| {
            matches!(instruction.operation(), Operation::Gld { .. } | Operation::Gst { .. })
        });
        let sequence = self.first + self.in_flight.len() as u64;
        self.by_tag[usize::from(issue.tag)] = Some(sequence);
        self.in_flight.push_back(InFlight {
            record: Retire {
                sm: 0,
                warp: issue.warp,
                block: launch.block,
                warp_in_block: launch.index,
                pc: issue.pc,
                word: issue.word,
                active: 0,
                executed: 0,
                destination: None,
                cc: None,
                address: None,
                memory: Vec::new(),
                stack: Vec::new(),
                next: Next { pc: None, active: 0 },
                issue_cycle: Some(cycle),
                retire_cycle: None,
            },
            control,
            global,
            masks_known: false,
            results_known: false,
            next_known: false,
            accessed: 0,
            results: [0; 32],
            complete: false,
        });
        Ok(())
    }

    fn of_tag(&mut self, tag: u8) -> Option<&mut InFlight> {
        let index = self.by_tag[usize::from(tag)]?.checked_sub(self.first)?;
        self.in_flight.get_mut(usize::try_from(index).ok()?)
    }

    fn instruction(
        &mut self,
        cycle: u64,
        tag: u8,
        change: impl FnOnce(&mut InFlight, u32) -> Result<(), String>,
    ) -> Result<(), String> {
        let lanes = self.lanes;
        let instruction = self
            .of_tag(tag)
            .filter(|instruction| !instruction.complete)
            .ok_or_else(|| format!("an event of tag {tag:#04x}, which no instruction in flight has"))?;
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
        self.by_tag = [None; 256];
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
            InFlight {
                results_known: false, ..
            } => "last beat",
            InFlight {
                control: true,
                next_known: false,
                ..
            } => "next PC",
            _ => "global accesses",
        };
        let Retire {
            pc, warp, issue_cycle, ..
        } = &instruction.record;
        let issued = issue_cycle.unwrap_or(0);
        let message = format!(
            "the grid has ended, but the instruction at PC {pc:#x} of warp slot {warp}, issued in cycle {issued}, \
             never gave its {lacks}"
        );
        Err(TraceError { cycle, message })
    }
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

impl InFlight {
    fn access(&mut self, event: &MemoryEvent, lanes: u32) -> Result<(), String> {
        if !self.global {
            return Err(format!(
                "a global access of the instruction at PC {:#x}, which makes none",
                self.record.pc
            ));
        }
        if event.size > 3 {
            return Err(format!("a global access of 2^{} bytes", event.size));
        }
        let (accessed, memory) = (&mut self.accessed, &mut self.record.memory);
        threads(lanes, event.beat, event.lanes, |lane, thread| {
            if *accessed >> thread & 1 == 1 {
                return Err(format!("thread {thread} makes its global access twice"));
            }
            *accessed |= 1 << thread;
            let bytes = 1u8 << event.size;
            let keep = u64::MAX >> (64 - 8 * u32::from(bytes));
            memory.push(MemoryEffect {
                space: MemorySpace::Global,
                store: event.store,
                lane: thread as u8,
                address: event.address[lane],
                bytes,
                data: u64::from(event.data[lane]) & keep,
            });
            Ok(())
        })
    }

    fn write(&mut self, event: &WriteEvent, lanes: u32) -> Result<(), String> {
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
            let destination = self.record.destination.get_or_insert(write);
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
        threads(lanes, event.beat, event.lanes, |lane, thread| {
            self.results[thread] = event.data[lane];
            Ok(())
        })?;
        self.results_known |= event.last;
        Ok(())
    }

    fn complete_if_known(&mut self, cycle: u64) {
        let accesses_known = !self.global || self.accessed == self.record.executed;
        let next_known = !self.control || self.next_known;
        if !(self.masks_known && self.results_known && next_known && accesses_known) {
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
        }
        record.memory.sort_by_key(|effect| (effect.lane, effect.address));
        for effect in record.memory.iter_mut().filter(|effect| !effect.store) {
            let keep = u64::MAX >> (64 - 8 * u32::from(effect.bytes));
            effect.data = u64::from(self.results[usize::from(effect.lane)]) & keep;
        }
        record.retire_cycle = Some(cycle);
        self.complete = true;
    }
}
