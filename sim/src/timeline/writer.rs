//! A timeline while it is written.

use crate::timeline::code::Codes;
use crate::timeline::counters::{Counters, INTERVAL};
use crate::timeline::error::TimelineError;
use crate::timeline::file::{TimelineFile, TimelineFormat};
use crate::timeline::format::{About, Format};
use crate::timeline::formats::chrome::Chrome;
use crate::timeline::formats::kanata::Kanata;
use crate::timeline::formats::perfetto::Perfetto;
use crate::timeline::formats::tracks::Tracks;
use crate::timeline::instruction::{Instruction, Stay, Unit};
use crate::timeline::output::Output;
use crate::timeline::requests::{requests, Rule};
use crate::timeline::stages::Stages;
use crate::timeline::warp::Warp;
use crate::trace::times::Times;
use flexgrip_machine::Retire;
use std::collections::BTreeMap;
use std::io;

/// The machine that a timeline is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// What its time is.
    pub unit: Unit,
    /// Scalar processors of an SM: 8, 16 or 32.
    pub lanes: u32,
    /// Streaming multiprocessors.
    pub sms: u32,
    /// Accesses are coalesced by the strict rule of compute capability 1.0.
    pub strict: bool,
}

/// A record on its way to the file.
struct Waiting {
    instruction: Instruction,
    /// Requests to memory, with their times.
    requests: Vec<(u64, u32)>,
    threads: u32,
    ends: bool,
    /// A warp that nobody has announced begins with it.
    begins: bool,
}

/// A timeline, written while the run goes on. Unless it is closed, its file is removed.
pub struct Timeline {
    machine: Machine,
    rule: Rule,
    codes: Codes,
    output: Output,
    format: Box<dyn Format>,
    counters: Counters,
    /// The slots of all SMs, by SM and slot.
    warps: BTreeMap<(u32, u32), Warp>,
    /// Instructions to which an earlier one may still come, by issue, SM and arrival.
    waiting: BTreeMap<(u64, u32, u64), Waiting>,
    arrived: u64,
    /// The number of the next instruction.
    number: u64,
    /// The end of the last one to end.
    end: u64,
}

impl Timeline {
    /// Creates the file.
    ///
    /// # Errors
    /// It cannot be created or written.
    pub fn create(file: &TimelineFile, machine: Machine) -> Result<Self, TimelineError> {
        let mut format: Box<dyn Format> = match file.format {
            TimelineFormat::Chrome => Box::new(Tracks::new(Chrome::default(), machine.unit)),
            TimelineFormat::Perfetto => Box::new(Tracks::new(Perfetto::default(), machine.unit)),
            TimelineFormat::Kanata => Box::new(Kanata::new(machine.unit)),
        };
        let about = About {
            title: file.title.clone(),
            machine: format!("{} lanes, {} SM", machine.lanes, machine.sms),
            unit: machine.unit,
            interval: INTERVAL,
        };
        let mut output = Output::create(&file.path)?;
        format
            .begin(&about, &mut output)
            .map_err(|error| output.failed(error))?;
        Ok(Timeline {
            rule: Rule {
                lanes: machine.lanes,
                strict: machine.strict,
            },
            codes: Codes::new(file.source.clone()),
            output,
            format,
            counters: Counters::new(machine.sms),
            warps: BTreeMap::new(),
            waiting: BTreeMap::new(),
            arrived: 0,
            number: 0,
            end: 0,
            machine,
        })
    }

    /// A warp begins on an SM. An engine without a clock need not tell: there a warp begins with its first instruction.
    pub fn launched(&mut self, sm: u32, time: u64) {
        self.counters.warps(sm, time, 1);
    }

    /// Takes a record, with its times if the engine has a clock. Those of an SM come in the order of issue.
    pub fn record(&mut self, record: &Retire, times: Option<&Times>) {
        let code = self.codes.at(record.pc, record.word);
        let counts = requests(&record.memory, self.rule);
        let (begin, end) = match times {
            Some(times) => {
                // What happens in a cycle takes it.
                let end = record.retire_cycle.unwrap_or(times.issue) + 1;
                (times.issue, end.max(times.issue + 1))
            }
            None => (self.arrived, self.arrived + 1),
        };
        let accesses = times.map_or([None; 4], |times| times.accesses);
        let requests = counts.into_iter().zip(accesses).filter(|(count, _)| *count > 0);
        let stages = match times {
            Some(times) => Stages::new(times, end, code.kind, self.machine.lanes),
            None => Stages::at_once(begin),
        };
        let waiting = Waiting {
            requests: requests.map(|(count, time)| (time.unwrap_or(begin), count)).collect(),
            threads: record.executed.count_ones(),
            ends: record.next.pc.is_none(),
            begins: times.is_none(),
            instruction: Instruction {
                number: 0,
                sm: record.sm,
                warp: record.warp,
                block: record.block,
                warp_in_block: record.warp_in_block,
                pc: record.pc,
                active: record.active,
                executed: record.executed,
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
        self.waiting.insert((begin, record.sm, self.arrived), waiting);
        self.arrived += 1;
    }

    /// Records to come are of instructions issued at `time` or later: writes what is certain now.
    ///
    /// # Errors
    /// The file cannot be written; it is given up.
    pub fn passed(&mut self, time: u64) -> Result<(), TimelineError> {
        self.write_before(time).map_err(|error| self.output.failed(error))
    }

    fn write_before(&mut self, time: u64) -> io::Result<()> {
        while let Some(entry) = self.waiting.first_entry().filter(|entry| entry.key().0 < time) {
            let waiting = entry.remove();
            self.write(waiting)?;
        }
        for sample in self.counters.passed(time) {
            self.format.sample(&sample, &mut self.output)?;
        }
        self.format.passed(time, &mut self.output)
    }

    fn write(&mut self, waiting: Waiting) -> io::Result<()> {
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
            self.counters.requested(sm, time, count);
        }
        let slot = self.warps.entry((sm, instruction.warp)).or_insert_with(Warp::new);
        if begins && slot.is_new(instruction.block, instruction.warp_in_block) {
            self.counters.warps(sm, begin, 1);
        }
        if ends {
            self.counters.warps(sm, instruction.resolved.unwrap_or(end), -1);
        }
        let clock = self.machine.unit == Unit::Cycles;
        let step = slot.next(instruction.clone(), clock);
        if let Some((before, first_uses, until, waits)) = step.before {
            let stay = Stay {
                instruction: &before,
                until,
                waits: &waits,
                first_uses: &first_uses,
            };
            self.format.stay(&stay, &mut self.output)?;
        }
        self.format.instruction(&instruction, &step.needs, &mut self.output)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// As [`Timeline::passed`].
    pub fn close(mut self) -> Result<(), TimelineError> {
        match self.write_rest() {
            Ok(()) => self.output.close(),
            Err(error) => Err(self.output.failed(error)),
        }
    }

    fn write_rest(&mut self) -> io::Result<()> {
        self.write_before(u64::MAX)?;
        for warp in self.warps.values_mut() {
            if let Some((instruction, first_uses)) = warp.end() {
                let stay = Stay {
                    instruction: &instruction,
                    until: instruction.end,
                    waits: &[],
                    first_uses: &first_uses,
                };
                self.format.stay(&stay, &mut self.output)?;
            }
        }
        for sample in self.counters.end(self.end) {
            self.format.sample(&sample, &mut self.output)?;
        }
        self.format.end(&mut self.output)
    }
}
