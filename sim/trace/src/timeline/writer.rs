//! The thread that merges records and writes a timeline.

use crate::coalescing::{requests, Access, Port};
use crate::timeline::batch::{Batch, Brief, TimelineStep};
use crate::timeline::code::Codes;
use crate::timeline::counters::{Counters, INTERVAL};
use crate::timeline::file::{TimelineError, TimelineFile, TimelineFormat};
use crate::timeline::formats::chrome::Chrome;
use crate::timeline::formats::format::{About, Format};
use crate::timeline::formats::kanata::Kanata;
use crate::timeline::formats::perfetto::Perfetto;
use crate::timeline::formats::picture::Picture;
use crate::timeline::formats::tracks::Tracks;
use crate::timeline::instruction::{Instruction, Stay, Unit};
use crate::timeline::output::Output;
use crate::timeline::stages::Stages;
use crate::timeline::warp::{Next, Warp};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};

/// The machine of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The unit of time.
    pub unit: Unit,
    /// Scalar processors of an SM: 8, 16 or 32.
    pub lanes: u32,
    /// Streaming multiprocessors.
    pub sms: u32,
    /// True if accesses are coalesced by the strict rule of compute capability 1.0.
    pub strict: bool,
}

/// A record in the queue of its SM.
struct Waiting {
    instruction: Instruction,
    /// The memory requests of each beat, with their times.
    requests: [(u64, u32); 4],
    threads: u32,
    ends: bool,
    /// True if the warp begins with this record, without an announcement.
    begins: bool,
}

/// The state of an SM.
#[derive(Default)]
struct Sm {
    /// Instructions, in the order of issue, until no earlier one of another SM can follow.
    waiting: VecDeque<Waiting>,
    /// The warp slots.
    warps: Vec<Warp>,
}

/// The writer of a timeline.
pub(super) struct Writer {
    machine: Machine,
    port: Port,
    codes: Codes,
    output: Output,
    format: Box<dyn Format>,
    counters: Counters,
    sms: Vec<Sm>,
    arrived: u64,
    /// The number of the next instruction.
    number: u64,
    /// The latest end of an instruction.
    end: u64,
    /// Kept to reuse its memory.
    next: Next,
}

impl Writer {
    pub(super) fn new(file: TimelineFile, machine: Machine, mut output: Output) -> Self {
        let mut format: Box<dyn Format> = match file.format {
            TimelineFormat::Chrome => Box::new(Tracks::new(Chrome::default(), machine.unit)),
            TimelineFormat::Perfetto => Box::new(Tracks::new(Perfetto::default(), machine.unit)),
            TimelineFormat::Kanata => Box::new(Kanata::new(machine.unit)),
            TimelineFormat::Picture => Box::new(Picture::new(machine.sms)),
        };
        let about = About {
            title: file.title,
            machine: format!("{} lanes, {} SM", machine.lanes, machine.sms),
            unit: machine.unit,
            interval: INTERVAL,
        };
        format.begin(&about, output.text());
        Writer {
            port: Port {
                lanes: machine.lanes,
                strict: machine.strict,
            },
            codes: Codes::new(file.places),
            output,
            format,
            counters: Counters::new(machine.sms),
            sms: (0..machine.sms).map(|_| Sm::default()).collect(),
            arrived: 0,
            number: 0,
            end: 0,
            next: Next::default(),
            machine,
        }
    }

    /// Writes batches until the last one, and returns them empty. Without the last one, the file is removed.
    ///
    /// # Errors
    /// The file cannot be written; it is removed.
    pub(super) fn write_all(mut self, batches: &Receiver<Batch>, emptied: &Sender<Batch>) -> Result<(), TimelineError> {
        for mut batch in batches {
            self.batch(&batch)?;
            if batch.last {
                return self.close();
            }
            batch.clear();
            // At the end of the run there is no receiver.
            let _ = emptied.send(batch);
        }
        Ok(())
    }

    fn batch(&mut self, batch: &Batch) -> Result<(), TimelineError> {
        let mut briefs = batch.briefs.iter();
        let mut accesses = &batch.accesses[..];
        for step in &batch.steps {
            match *step {
                TimelineStep::Launched { sm, time } => self.counters.warps(sm, time, 1),
                TimelineStep::Record => {
                    if let Some(brief) = briefs.next() {
                        let (own, rest) = accesses.split_at(brief.accesses.min(accesses.len()));
                        accesses = rest;
                        self.record(brief, own);
                    }
                }
                TimelineStep::Passed(time) => self.write_before(time)?,
            }
        }
        Ok(())
    }

    fn record(&mut self, brief: &Brief, accesses: &[Access]) {
        let code = self.codes.at(brief.pc, brief.word);
        let times = brief.times.as_ref();
        let (begin, end) = match times {
            Some(times) => {
                // An event lasts until the end of its cycle.
                let end = brief.retired.unwrap_or(times.issue) + 1;
                (times.issue, end.max(times.issue + 1))
            }
            None => (self.arrived, self.arrived + 1),
        };
        self.arrived += 1;
        let counts = requests(accesses, self.port);
        let handed_over = times.map_or([None; 4], |times| times.accesses);
        let stages = match times {
            Some(times) => Stages::new(times, end, code.kind, self.machine.lanes),
            None => Stages::at_once(begin),
        };
        let waiting = Waiting {
            requests: std::array::from_fn(|beat| (handed_over[beat].unwrap_or(begin), counts[beat])),
            threads: brief.executed.count_ones(),
            ends: brief.ends,
            begins: times.is_none(),
            instruction: Instruction {
                number: 0,
                sm: brief.sm,
                warp: brief.warp,
                block: brief.block,
                warp_in_block: brief.warp_in_block,
                pc: brief.pc,
                active: brief.active,
                executed: brief.executed,
                code,
                begin,
                read: times.map_or(begin, |times| times.read),
                resolved: times.and_then(|times| times.next).map(|next| next + 1),
                written: times
                    .and_then(|times| times.writeback)
                    .map_or(end, |(_, last)| last + 1),
                end,
                stages,
            },
        };
        // The engines refuse events of other SMs.
        if let Some(sm) = self.sms.get_mut(brief.sm as usize) {
            sm.waiting.push_back(waiting);
        }
    }

    /// The earliest queued instruction issued before `time`; of several, the lowest SM's.
    fn next_before(&mut self, time: u64) -> Option<Waiting> {
        let begin = |sm: &Sm| sm.waiting.front().map(|waiting| waiting.instruction.begin);
        let sms = self.sms.iter_mut().filter_map(|sm| Some((begin(sm)?, sm)));
        let (begin, sm) = sms.min_by_key(|(begin, _)| *begin)?;
        if begin < time {
            sm.waiting.pop_front()
        } else {
            None
        }
    }

    /// Writes the instructions issued before `time`, when all records of instructions before it have been received.
    fn write_before(&mut self, time: u64) -> Result<(), TimelineError> {
        while let Some(waiting) = self.next_before(time) {
            self.write(waiting)?;
        }
        for sample in self.counters.passed(time) {
            self.format.sample(&sample, self.output.text());
        }
        self.format.passed(time, self.output.text());
        self.output.write_if_much()
    }

    fn write(&mut self, waiting: Waiting) -> Result<(), TimelineError> {
        let Waiting {
            mut instruction,
            requests,
            threads,
            ends,
            begins,
        } = waiting;
        instruction.number = self.number;
        self.number += 1;
        self.end = self.end.max(instruction.end);
        let Instruction { sm, begin, end, .. } = instruction;
        self.counters.executed(sm, begin, threads);
        for (time, count) in requests {
            if count > 0 {
                self.counters.requested(sm, time, count);
            }
        }
        let (slot, warps) = (instruction.warp as usize, &mut self.sms[sm as usize].warps);
        if warps.len() <= slot {
            warps.resize_with(slot + 1, Warp::new);
        }
        let warp = &mut warps[slot];
        if begins && warp.is_new(instruction.block, instruction.warp_in_block) {
            self.counters.warps(sm, begin, 1);
        }
        if ends {
            self.counters.warps(sm, instruction.resolved.unwrap_or(end), -1);
        }
        let next = &mut self.next;
        let instruction = warp.next(instruction, self.machine.unit == Unit::Cycles, next);
        let out = self.output.text();
        if let Some((before, first_uses, until)) = &next.before {
            let stay = Stay {
                instruction: before,
                until: *until,
                waits: &next.waits,
                first_uses,
            };
            self.format.stay(&stay, out);
        }
        self.format.instruction(instruction, &next.needs, out);
        self.output.write_if_much()
    }

    fn close(mut self) -> Result<(), TimelineError> {
        self.write_before(u64::MAX)?;
        let out = self.output.text();
        for warp in self.sms.iter_mut().flat_map(|sm| &mut sm.warps) {
            if let Some((instruction, first_uses)) = warp.end() {
                let stay = Stay {
                    instruction: &instruction,
                    until: instruction.end,
                    waits: &[],
                    first_uses: &first_uses,
                };
                self.format.stay(&stay, out);
            }
        }
        for sample in self.counters.end(self.end) {
            self.format.sample(&sample, out);
        }
        self.format.end(out);
        self.output.close()
    }
}
