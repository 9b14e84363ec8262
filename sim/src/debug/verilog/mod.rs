//! The circuits' Verilog in a session, compiled by Verilator: a cycle per step, forward only.
//!
//! The machine runs in the harness's process, which writes the trace's events of each cycle to a pipe. These events are
//! the only information about the machine; its state is reconstructed from them, in [`Shadow`]. The harness runs ahead
//! until the pipe is full. A thread reads the pipe, so that a session that waits for it can be interrupted.

mod shadow;

use crate::debug::target::{
    no_signals, Advance, Clock, Edit, Issue, Register, Registers, Space, Target, WarpId, WarpState,
};
use crate::debug::tracker::Tracker;
use flexgrip_engines::circuits::sizes::check;
use flexgrip_engines::engine::Options;
use flexgrip_engines::error::RunError;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_engines::trace::error::TraceError;
use flexgrip_engines::trace::records::Records;
use flexgrip_engines::verilog::harness::{Events, Harness, Wanted};
use flexgrip_engines::verilog::verilator::VerilatorEngine;
use flexgrip_machine::sizes::CONSTANT_BANKS;
use flexgrip_machine::trace::Event;
use flexgrip_machine::{Launch, Retire};
use std::path::PathBuf;
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender};
use std::sync::Arc;
use std::time::Duration;

use shadow::Shadow;

/// The engine's name.
const NAME: &str = "verilator";
/// Maximum number of cycles with events that are read ahead.
const READ_AHEAD: usize = 256;
/// The longest time that a step waits for the harness.
const PATIENCE: Duration = Duration::from_millis(50);

/// The events of a cycle, with their SMs.
type Cycle = Vec<(u32, Event)>;

/// The results of the reader.
enum Read {
    /// A cycle with events.
    Cycle(u64, Cycle),
    /// The end of the events: the harness has ended, or is about to.
    End,
    /// Output that cannot be parsed, or a failed read.
    Broken(RunError),
}

/// The next event after the present cycle.
enum Ahead {
    /// The next cycle with events, and these events.
    Cycle(u64, Cycle),
    /// There are no more events, and the grid ends in this cycle.
    End(u64, Ending),
}

/// Reads the events, cycle by cycle, until the session drops the receiver.
fn read(mut events: Events, to: &SyncSender<Read>) {
    let mut cycle = (0, Vec::new());
    loop {
        let last = match events.read() {
            Ok(Some((at, sm, event))) => {
                if at != cycle.0 && !cycle.1.is_empty() {
                    let (before, events) = std::mem::replace(&mut cycle, (at, Vec::new()));
                    if to.send(Read::Cycle(before, events)).is_err() {
                        return;
                    }
                }
                cycle.0 = at;
                cycle.1.push((sm, event));
                continue;
            }
            Ok(None) => Read::End,
            Err(error) => Read::Broken(error),
        };
        let (at, events) = cycle;
        // The session may be over; then the rest is not needed.
        let _ = to.send(Read::Cycle(at, events)).and_then(|()| to.send(last));
        return;
    }
}

/// The constants of a session.
struct Fixed {
    launch: Launch,
    options: Options,
    program: PathBuf,
}

/// The circuits' Verilog.
pub struct VerilogTarget {
    fixed: Arc<Fixed>,
    read: Receiver<Read>,
    harness: Harness,
    time: u64,
    /// The events of the present cycle.
    now: Cycle,
    ahead: Option<Ahead>,
    /// The reason why the harness cannot continue.
    broken: Option<String>,
    records: Records,
    tracker: Tracker,
    shadow: Shadow,
    issues: Vec<Issue>,
    retired: Vec<Retire>,
    ending: Option<Ending>,
}

impl VerilogTarget {
    /// A launch after its start, in cycle 1. Needs a big stack, because it exports the Verilog. Compiling the Verilog
    /// takes minutes, once.
    ///
    /// # Errors
    /// The launch does not fit, Verilator is missing or fails, or the harness cannot be run.
    pub fn new(launch: &Launch, options: &Options) -> Result<Self, RunError> {
        let parameters = check(NAME, launch, options)?;
        let fixed = Fixed {
            launch: launch.clone(),
            options: options.clone(),
            program: VerilatorEngine::default().harness(parameters, options)?,
        };
        VerilogTarget::start(Arc::new(fixed))
    }

    fn start(fixed: Arc<Fixed>) -> Result<Self, RunError> {
        let Fixed {
            launch,
            options,
            program,
        } = &*fixed;
        let wanted = Wanted {
            events: true,
            ..Wanted::default()
        };
        let mut harness = Harness::start(program, launch, options, &[], wanted)?;
        let (lanes, sms) = (options.configuration.lanes.count(), options.configuration.sms);
        let (sender, receiver) = sync_channel(READ_AHEAD);
        if let Some(events) = harness.events(lanes) {
            let reader = std::thread::Builder::new().name("events".into());
            let started = reader.spawn(move || read(events, &sender));
            started.map_err(RunError::io("cannot start a thread"))?;
        }
        let mut target = VerilogTarget {
            shadow: Shadow::new(launch, &options.configuration)?,
            tracker: Tracker::new(sms, launch.entry, options.configuration.capability),
            records: Records::new(lanes, sms, options.configuration.capability),
            fixed,
            read: receiver,
            harness,
            time: 0,
            now: Vec::new(),
            ahead: None,
            broken: None,
            issues: Vec::new(),
            retired: Vec::new(),
            ending: None,
        };
        // Cycle 0 is the cycle of the start's acknowledge.
        while target.step()? == Advance::Waits {}
        Ok(target)
    }

    /// Reads ahead to the next cycle with events; false if the harness has not reached it yet.
    fn look_ahead(&mut self) -> Result<bool, RunError> {
        if self.ahead.is_some() {
            return Ok(true);
        }
        if let Some(why) = &self.broken {
            return Err(RunError::Bench(format!("the harness has ended: {why}")));
        }
        let next = match self.read.recv_timeout(PATIENCE) {
            // A machine that has exceeded its limit continues while its registers are read; these cycles do not count.
            Ok(Read::Cycle(at, _)) if at > self.fixed.options.max_cycles => return Ok(false),
            Ok(Read::Cycle(at, events)) if at > self.time || events.is_empty() => Ok(Ahead::Cycle(at, events)),
            Ok(Read::Cycle(at, _)) => {
                let message = format!("events of cycle {at} come after it");
                let cycle = self.time;
                Err(TraceError { cycle, message }.into())
            }
            Ok(Read::End) => self.end(),
            Ok(Read::Broken(error)) => Err(error),
            Err(RecvTimeoutError::Timeout) => return Ok(false),
            Err(RecvTimeoutError::Disconnected) => Err(RunError::Bench("its events are not read".into())),
        };
        let next = next.inspect_err(|error| self.broken = Some(error.to_string()))?;
        self.ahead = Some(next);
        Ok(true)
    }

    /// The ending of the grid, after the harness's last event.
    fn end(&mut self) -> Result<Ahead, RunError> {
        let Fixed { launch, options, .. } = &*self.fixed;
        let result = self.harness.finish(options.configuration.sms)?;
        Ok(Ahead::End(
            result.last_cycle(options).max(self.time),
            result.ending(launch, options)?,
        ))
    }

    /// Performs the clock edge at the end of the present cycle.
    fn end_cycle(&mut self) -> Result<(), RunError> {
        let (cycle, tracker) = (self.time, &mut self.tracker);
        tracker.clear_ended();
        for (sm, event) in std::mem::take(&mut self.now) {
            self.records.event(cycle, sm, &event)?;
            tracker.event(cycle, sm, &event);
            self.shadow.event(sm, &event, |slot| tracker.in_slot(sm, slot));
        }
        while let Some(timed) = self.records.next_record() {
            self.tracker.retire(&timed.record);
            self.shadow.retire(&timed.record);
            self.retired.push(timed.record);
        }
        let tracker = &self.tracker;
        self.shadow.clear_ended(|block| tracker.place_of_block(block).is_ok());
        Ok(())
    }

    /// Ends the session's run: the grid ended in the previous cycle.
    fn close(&mut self, ending: Ending) -> Result<(), RunError> {
        if ending == Ending::Complete {
            self.records.check_complete(self.time)?;
        }
        for timed in self.records.remaining() {
            self.shadow.retire(&timed.record);
            self.retired.push(timed.record);
        }
        self.ending = Some(ending);
        Ok(())
    }

    /// Begins the next cycle.
    fn begin(&mut self) -> Result<(), RunError> {
        self.time += 1;
        self.issues.clear();
        match self.ahead.take() {
            Some(Ahead::Cycle(at, events)) if at == self.time || events.is_empty() => self.now = events,
            Some(Ahead::End(at, ending)) if at < self.time => return self.close(ending),
            later => self.ahead = later,
        }
        for (sm, event) in &self.now {
            if let Event::Issue(issue) = event {
                self.issues.extend(self.tracker.issue(*sm, issue));
            }
        }
        Ok(())
    }
}

impl Target for VerilogTarget {
    fn name(&self) -> &'static str {
        NAME
    }

    fn clock(&self) -> Clock {
        Clock::Cycles
    }

    fn time(&self) -> u64 {
        self.time
    }

    fn step(&mut self) -> Result<Advance, RunError> {
        if self.ending.is_some() {
            self.retired.clear();
            return Ok(Advance::Done);
        }
        if !self.look_ahead()? {
            return Ok(Advance::Waits);
        }
        self.retired.clear();
        let done = self.end_cycle().and_then(|()| self.begin());
        done.inspect_err(|error| self.broken = Some(error.to_string()))?;
        Ok(Advance::Done)
    }

    fn issues(&self) -> &[Issue] {
        &self.issues
    }

    fn retired(&self) -> &[Retire] {
        &self.retired
    }

    fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    fn copy(&self) -> Option<Box<dyn Target>> {
        None
    }

    fn size(&self) -> usize {
        0
    }

    fn restart(&mut self) -> Result<(), RunError> {
        *self = VerilogTarget::start(Arc::clone(&self.fixed))?;
        Ok(())
    }

    fn warps(&self) -> Vec<WarpState> {
        self.tracker
            .states(&self.fixed.launch, |_, _, id| self.shadow.masks(id).unwrap_or_default())
    }

    fn registers(&self, warp: WarpId) -> Result<Registers, String> {
        self.tracker.place(warp)?;
        Ok(self.shadow.warp(warp)?.into())
    }

    fn lanes(&self, warp: WarpId, register: Register) -> Result<[u32; 32], String> {
        self.tracker.place(warp)?;
        Ok(register.lanes(self.shadow.warp(warp)?))
    }

    fn extent(&self, space: Space) -> Result<u32, String> {
        let size = || self.shadow.memory(space, None).map_or(0, <[u8]>::len) as u32;
        match space {
            // The bytes that a thread can use; the memory exists only after the first store.
            Space::Local(id, _) => {
                self.tracker.place(id)?;
                Ok(self.fixed.launch.local_bytes)
            }
            Space::Constant(bank) if bank >= CONSTANT_BANKS as u32 => Err(format!("{space} does not exist")),
            Space::Shared(block) => self.tracker.place_of_block(block).map(|_| size()),
            _ => Ok(size()),
        }
    }

    fn read(&self, space: Space, address: u32, bytes: u32) -> Result<Vec<u8>, String> {
        self.check(space, address, bytes as usize)?;
        let place = match space {
            Space::Local(id, _) => Some(self.tracker.place(id)?),
            _ => None,
        };
        let (from, to) = (address as usize, address as usize + bytes as usize);
        let memory = self.shadow.memory(space, place);
        let found = memory.and_then(|memory| memory.get(from..to)).map(<[u8]>::to_vec);
        // Local memory without any store is still 0.
        Ok(found.unwrap_or_else(|| vec![0; bytes as usize]))
    }

    fn apply(&mut self, edit: &Edit) -> Result<(), String> {
        Err(match edit {
            Edit::Flip { .. } => format!("the {NAME} engine cannot invert bits: {}", no_signals(NAME)),
            Edit::Register { .. } | Edit::Memory { .. } => format!(
                "the {NAME} engine cannot change the state: the Verilog runs in a separate process; use --engine rtl or --engine model"
            ),
        })
    }
}
