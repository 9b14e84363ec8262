//! The native test bench: a host on the bus and global memory at its port, around any clocked [`Core`].
//!
//! It matches the C++ harness in `testbench/verilator` cycle for cycle; both follow these rules.
//!
//! - Every cycle: drive the inputs, settle, sample the outputs, tick.
//! - Host bus: a transfer holds cycle, strobe, address and data until the cycle in which acknowledge or error is
//!   sampled. The next transfer follows in the next cycle.
//! - Global memory: always ready. A write takes effect in the cycle in which it is accepted. A read accepted in cycle t
//!   is answered in cycle t + latency, with the data as of cycle t; answers are in order.
//! - A run begins with the transfer that writes CONTROL; the cycle of its acknowledge is cycle 0 of the trace. It ends
//!   with the cycle in which `interrupt` is sampled. After that the status, counter and error registers are read.

use crate::circuits::host::{endless, interrupted, launch_writes, local_layout, HostStatus};
use crate::engine::{Observer, Options};
use crate::error::RunError;
use crate::native::interface::{Core, HostDrive, HostSample};
use crate::native::last_issue::LastIssue;
use crate::native::snapshot::Snapshot;
use crate::native::surroundings::Surroundings;
use crate::outcome::counters::SmCounters;
use crate::outcome::RunReport;
use crate::progress::Progress;
use crate::recorder::Recorder;
use crate::trace::ending::Ending;
use flexgrip_machine::host_map as map;
use flexgrip_machine::{Launch, Watched};
use std::time::Instant;

/// Cycles after which a bus transfer is considered hung.
pub const BUS_TIMEOUT: u32 = 100_000;

/// Cycles between progress reports: about a hundredth of a second.
const PROGRESS_CYCLES: u64 = 1024;

/// Consecutive cycles without requests, events and answers after which idle cycles may be skipped.
const QUIET: u32 = 4;

/// The last cycle that is skipped. A run reaches it only by skipping; numbers of cycles must not overflow.
const LAST_CYCLE: u64 = 1 << 62;

/// A core with host and memory around it.
pub struct Bench<'a, 'b, C: Core> {
    core: &'a mut C,
    around: Surroundings,
    recorder: Option<Recorder<'a, 'b>>,
    last_issue: LastIssue,
    progress: Progress,
    watched: Watched,
    /// The cycle limit of a bus transfer.
    patience: u64,
    /// The number of latest cycles without a request, an event, an answer or a bus transfer.
    quiet: u32,
}

impl<'a, 'b, C: Core> Bench<'a, 'b, C> {
    /// Puts `core` into a bench with the memory that `options` specify. `saves`: snapshots will be taken.
    fn new(
        core: &'a mut C,
        launch: &Launch,
        options: &Options,
        observer: Option<&'a mut Observer<'b>>,
        saves: bool,
    ) -> Result<Self, RunError> {
        let (lanes, sms) = (core.lanes(), core.sms());
        // Rounded up to whole lines of the port, so that the last line exists even if memory ends within it.
        let words = (local_layout(launch, &options.configuration).end / 4).next_multiple_of(lanes.into());
        Ok(Bench {
            core,
            around: Surroundings::new(words, options.memory_latency),
            recorder: Recorder::new(options, observer, saves)?,
            last_issue: LastIssue::new(sms),
            progress: options.progress.clone(),
            watched: options.watched.clone(),
            // In fault campaigns, many machines never answer, so the limit is no longer than a run's.
            patience: options.max_cycles.clamp(1000, BUS_TIMEOUT.into()),
            quiet: 0,
        })
    }

    fn trace_cycle(&self) -> u64 {
        self.around.trace_cycle()
    }

    /// Simulates one clock cycle.
    fn step(&mut self) -> Result<HostSample, RunError> {
        let is_answered = self.around.answer().is_some();
        self.around.begin(self.core);
        let host = self.core.host();
        let has_request = self.around.serve(self.core)?;
        let has_events = self.trace()?;
        self.around.end(self.core)?;
        self.quiet = match is_answered || has_request || has_events || self.around.drive.strobe {
            true => 0,
            false => self.quiet.saturating_add(1),
        };
        let Surroundings { cycle, start, .. } = self.around;
        if cycle % PROGRESS_CYCLES == 0 {
            // Before the start, cycles since reset.
            self.progress.count(cycle - start.unwrap_or(0));
        }
        Ok(host)
    }

    /// Passes on the events of this cycle; false if there are none.
    fn trace(&mut self) -> Result<bool, RunError> {
        let cycle = self.trace_cycle();
        let (last_issue, mut some) = (&mut self.last_issue, false);
        let Some(recorder) = &mut self.recorder else {
            self.core.events(false, &mut |sm, event| {
                some = true;
                last_issue.note(sm, event);
            });
            return Ok(some);
        };
        let mut result = Ok(());
        self.core.events(true, &mut |sm, event| {
            some = true;
            last_issue.note(sm, event);
            if result.is_ok() {
                result = recorder.event(cycle, sm, event);
            }
        });
        result?;
        recorder.pass_on(cycle)?;
        Ok(some)
    }

    /// Skips idle cycles before cycle `to`.
    fn skip_idle(&mut self, to: u64) {
        if self.quiet < QUIET {
            return;
        }
        let most = (to - self.trace_cycle()).min(self.around.until_answer());
        let most = most.min(LAST_CYCLE.saturating_sub(self.around.cycle));
        let skipped = self.core.skip_idle(most);
        if skipped > 0 {
            self.around.cycle += skipped;
            self.progress.count(self.trace_cycle());
        }
    }

    /// Makes a transfer on the host bus: a write if there are `data`, otherwise a read. Returns the word read.
    fn transfer(&mut self, address: u32, data: Option<u32>) -> Result<u32, RunError> {
        self.around.drive = HostDrive {
            strobe: true,
            write: data.is_some(),
            address,
            data: data.unwrap_or(0),
        };
        for _ in 0..self.patience {
            let sample = self.step()?;
            if sample.error {
                let what = if data.is_some() { "write to" } else { "read of" };
                return Err(RunError::Bench(format!(
                    "the host bus refused the {what} {address:#010x}"
                )));
            }
            if sample.acknowledge {
                self.around.drive = HostDrive::default();
                return Ok(sample.data);
            }
        }
        Err(RunError::Bench(format!(
            "the host bus did not answer at {address:#010x} within {} cycles",
            self.patience
        )))
    }

    fn stopped(&self) -> bool {
        self.recorder.as_ref().is_some_and(Recorder::stopped)
    }

    fn identify(&mut self) -> Result<(), RunError> {
        let id = self.transfer(map::ID, None)?;
        if id != map::ID_VALUE {
            let message = format!("the ID register holds {id:#010x}; expected {:#010x}", map::ID_VALUE);
            return Err(RunError::Bench(message));
        }
        Ok(())
    }

    /// Loads a launch, over the bus or directly. Memory that an earlier launch left has been loaded before.
    fn load(&mut self, launch: &Launch, options: &Options, loading: Loading) -> Result<(), RunError> {
        options.progress.begin("loading over the bus", Some("cycles"));
        self.identify()?;
        let is_direct = loading == Loading::Direct || options.memory.is_some();
        for write in launch_writes(launch, options) {
            let place = write.address.checked_sub(map::GLOBAL_BASE).filter(|_| is_direct);
            match place.and_then(|place| self.around.memory.get_mut(place as usize / 4)) {
                Some(word) => *word = write.data,
                None => {
                    self.transfer(write.address, Some(write.data))?;
                }
            }
        }
        Ok(())
    }

    /// Loads and starts a launch, or continues it from a snapshot.
    fn start(&mut self, launch: &Launch, options: &Options, start: Start) -> Result<(), RunError> {
        match start {
            Start::Load(loading) => {
                self.load(launch, options, loading)?;
                self.begin()
            }
            Start::From(snapshot) => {
                let restored = self.restore(snapshot);
                restored.map_err(|reason| RunError::Bench(format!("the snapshot does not fit the machine: {reason}")))
            }
        }
    }

    /// The state of the core and its surroundings at the beginning of the present cycle.
    fn snapshot(&self) -> Result<Snapshot, RunError> {
        Ok(Snapshot {
            circuits: saved(self.core)?,
            around: self.around.clone(),
            issues: self.last_issue.events(),
            in_flight: self.recorder.as_ref().map_or_else(Vec::new, Recorder::events),
        })
    }

    /// Restores the surroundings of the core from a snapshot.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), String> {
        self.around.restore(&snapshot.around)?;
        for (sm, event) in &snapshot.issues {
            self.last_issue.note(*sm, event);
        }
        for (cycle, sm, event) in &snapshot.in_flight {
            if let Some(recorder) = &mut self.recorder {
                recorder
                    .restore(*cycle, *sm, event)
                    .map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    /// Starts the grid.
    fn begin(&mut self) -> Result<(), RunError> {
        self.transfer(map::CONTROL, Some(map::CONTROL_START))?;
        self.around.start = Some(self.around.cycle - 1);
        Ok(())
    }

    /// Reads the status and error registers.
    fn status(&mut self) -> Result<HostStatus, RunError> {
        let mut words = [0; HostStatus::REGISTERS.len()];
        for (word, register) in words.iter_mut().zip(HostStatus::REGISTERS) {
            *word = self.transfer(register, None)?;
        }
        Ok(HostStatus::from_words(words))
    }

    /// Reads the counters of an SM.
    fn counters(&mut self, sm: u32) -> Result<SmCounters, RunError> {
        SmCounters::read(|counter| {
            let address = SmCounters::address(sm, counter);
            let low = self.transfer(address, None)?;
            let high = self.transfer(address + 4, None)?;
            Ok(u64::from(high) << 32 | u64::from(low))
        })
    }

    /// Runs to the beginning of cycle `to`. Returns `Some` if the run ends before that, with its ending if that is
    /// known without reading registers.
    fn advance(&mut self, launch: &Launch, to: u64) -> Result<Option<Option<Ending>>, RunError> {
        while self.trace_cycle() < to {
            if self.step()?.interrupt {
                return Ok(Some(None));
            }
            if self.stopped() {
                return Ok(Some(Some(Ending::Stopped)));
            }
            let period = (self.around.cycle - 1) / PROGRESS_CYCLES;
            self.skip_idle(to);
            // Checked once per period, because the word is shared with another thread.
            if self.around.cycle / PROGRESS_CYCLES != period
                && self.watched.is_called()
                && self.watched.answer(self.last_issue.places())
            {
                let error = interrupted(launch, self.last_issue.place());
                return Ok(Some(Some(Ending::Failed(error))));
            }
        }
        Ok(None)
    }

    /// Runs the grid to its end, or for at most `limit` cycles. Returns the ending if it is known without reading
    /// registers.
    fn wait(&mut self, launch: &Launch, limit: u64) -> Result<Option<Ending>, RunError> {
        // The cycle of the start's acknowledge is cycle 0.
        let ended = self.advance(launch, limit.saturating_add(1))?;
        let endless = || Some(Ending::Failed(endless(launch, limit, self.last_issue.place())));
        Ok(ended.unwrap_or_else(endless))
    }

    fn finish(&mut self, ending: &Ending) -> Result<(), RunError> {
        let cycle = self.trace_cycle();
        match &mut self.recorder {
            None => Ok(()),
            Some(recorder) => recorder.finish(ending, cycle),
        }
    }
}

/// Loads and starts a checked launch on a core after reset, for a caller that then steps the core. Returns the
/// surroundings after the cycle of the start's acknowledge, which is cycle 0.
///
/// # Errors
/// The errors of [`run`].
pub fn started<C: Core>(core: &mut C, launch: &Launch, options: &Options) -> Result<Surroundings, RunError> {
    let mut bench = Bench::new(core, launch, options, None, false)?;
    bench.load(launch, options, Loading::Bus)?;
    bench.begin()?;
    Ok(bench.around)
}

/// Runs a checked launch from any start to the beginning of a cycle. `records`: keep the records in flight in the
/// snapshot, without which a run from it cannot be observed. This requires that a snapshot to start from has them.
///
/// # Errors
/// The errors of [`run`], or the grid ends before that cycle.
pub(super) fn snapshot_at<C: Core>(
    core: &mut C,
    launch: &Launch,
    options: &Options,
    start: Start,
    (cycle, records): (u64, bool),
) -> Result<Snapshot, RunError> {
    let mut bench = Bench::new(core, launch, options, None, records)?;
    bench.start(launch, options, start)?;
    match bench.advance(launch, cycle)? {
        None => bench.snapshot(),
        Some(_) => Err(RunError::Bench(format!(
            "the grid ended in cycle {}, before cycle {cycle}",
            bench.trace_cycle() - 1
        ))),
    }
}

/// The ending of a grid, from the registers that the host reads, for a caller that has stepped the core. The core is of
/// no further use.
///
/// # Errors
/// The errors of [`run`].
pub fn ending<C: Core>(
    core: &mut C,
    around: Surroundings,
    launch: &Launch,
    options: &Options,
) -> Result<Ending, RunError> {
    let mut bench = Bench::new(core, launch, options, None, false)?;
    bench.around = around;
    let error = bench.status()?.kernel_error(launch).map_err(RunError::Bench)?;
    Ok(error.map_or(Ending::Complete, Ending::Failed))
}

/// The way in which global memory gets its contents before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    /// Over the host bus, word by word, as on a board.
    Bus,
    /// Directly, in zero cycles, because the test bench holds global memory: for cores so slow that loading would take
    /// longer than the run. The run itself is the same.
    Direct,
}

/// Runs a checked launch on a core after reset.
///
/// # Errors
/// [`RunError::Bench`] or [`RunError::Trace`] if the core breaks the rules of its interfaces.
pub fn run<C: Core>(
    core: &mut C,
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    run_loaded(core, launch, options, observer, Loading::Bus)
}

/// Like [`run`], with a choice of how global memory is loaded.
///
/// # Errors
/// The errors of [`run`].
pub fn run_loaded<C: Core>(
    core: &mut C,
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
    loading: Loading,
) -> Result<RunReport, RunError> {
    run_from(core, launch, options, observer, Start::Load(loading), None)
}

/// The start of a run.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// A core after reset.
    Load(Loading),
    /// A snapshot whose circuits' state the core has already restored.
    From(&'a Snapshot),
}

/// The state of a core.
///
/// # Errors
/// The core has no snapshots.
pub(super) fn saved<C: Core>(core: &C) -> Result<Vec<u64>, RunError> {
    core.save()
        .ok_or_else(|| RunError::Bench("these circuits cannot be saved".into()))
}

/// A function that keeps a snapshot.
pub(super) type Keep<'a> = dyn FnMut(Snapshot) -> Result<(), RunError> + 'a;

/// Like [`run`], from any start. `save`: the cycle at the beginning of which a snapshot is taken, if the run reaches
/// it.
pub(super) fn run_from<C: Core>(
    core: &mut C,
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
    start: Start,
    save: Option<(u64, &mut Keep)>,
) -> Result<RunReport, RunError> {
    let mut bench = Bench::new(core, launch, options, observer, save.is_some())?;
    bench.start(launch, options, start)?;
    options.progress.begin("running", Some("cycles"));
    // A grid that has just been loaded is in cycle 1.
    let skipped = bench.trace_cycle() - 1;
    let clock = Instant::now();
    let mut ended = None;
    if let Some((cycle, keep)) = save.filter(|(cycle, _)| (skipped + 1..=options.max_cycles).contains(cycle)) {
        ended = bench.advance(launch, cycle)?;
        if ended.is_none() {
            keep(bench.snapshot()?)?;
            bench.recorder = bench.recorder.filter(Recorder::is_wanted);
        }
    }
    let ending = match ended {
        Some(ending) => ending,
        None => bench.wait(launch, options.max_cycles)?,
    };
    let wall = clock.elapsed();

    let status = bench.status()?;
    let counters = (0..bench.core.sms())
        .map(|sm| bench.counters(sm))
        .collect::<Result<Vec<SmCounters>, RunError>>()?;
    let ending = match ending {
        Some(ending) => ending,
        None => match status.kernel_error(launch).map_err(RunError::Bench)? {
            Some(error) => Ending::Failed(error),
            None => Ending::Complete,
        },
    };
    bench.finish(&ending)?;
    let ending = if bench.stopped() { Ending::Stopped } else { ending };
    let mut global = bench.around.memory;
    global.truncate(options.configuration.global_bytes as usize / 4);
    Ok(RunReport {
        skipped,
        ..RunReport::of_machine(ending, status.cycles, counters, global, wall)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::interface::MemoryRequest;
    use flexgrip_machine::host_map::SmCounter;
    use flexgrip_machine::trace::{Event, IssueEvent, LaunchEvent};
    use std::cell::Cell;

    /// A machine of 8 lanes that, once started, reads the first line of memory and stores it to the following line with
    /// some bytes enabled, and so on for `rounds` rounds.
    #[derive(Default)]
    struct Copier {
        host: HostDrive,
        response: Option<[u32; 32]>,
        rounds: u32,
        running: bool,
        waiting: bool,
        read: Option<[u32; 32]>,
        line: u32,
        cycles: u32,
        done: bool,
        broken: Option<Broken>,
        ticks: Cell<u64>,
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Broken {
        Silent,
        Refuses,
        WrongId,
        Misaligned,
    }

    impl Core for Copier {
        fn lanes(&self) -> u32 {
            8
        }

        fn sms(&self) -> u32 {
            2
        }

        fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>) {
            (self.host, self.response) = (*host, response.copied());
        }

        fn settle(&mut self) {}

        fn host(&self) -> HostSample {
            let data = match self.host.address {
                map::ID if self.broken == Some(Broken::WrongId) => 1,
                map::ID => map::ID_VALUE,
                map::STATUS => map::STATUS_DONE,
                map::CYCLES => self.cycles,
                address if address == SmCounters::address(1, SmCounter::Issued) + 4 => 1,
                address if address == SmCounters::address(0, SmCounter::Fetch) => 7,
                _ => 0,
            };
            HostSample {
                acknowledge: self.host.strobe && self.broken != Some(Broken::Silent),
                error: self.host.strobe && self.broken == Some(Broken::Refuses),
                data,
                interrupt: self.done,
            }
        }

        fn request(&self) -> Option<MemoryRequest> {
            let address = self.line * 32 + u32::from(self.broken == Some(Broken::Misaligned)) * 4;
            let request = MemoryRequest {
                write: false,
                address,
                data: [0; 32],
                enable: [15; 32],
            };
            match self.read {
                Some(data) => {
                    let enable = std::array::from_fn(|lane| lane as u8);
                    Some(MemoryRequest {
                        write: true,
                        address: address + 32,
                        data,
                        enable,
                    })
                }
                None => (self.running && !self.waiting).then_some(request),
            }
        }

        fn events(&self, _: bool, sink: &mut dyn FnMut(u32, &Event)) {
            if self.running && self.cycles == 1 {
                let launch = LaunchEvent {
                    warp: 4,
                    block: 9,
                    index: 2,
                };
                sink(1, &Event::Launch(launch));
                let issue = IssueEvent {
                    tag: 0,
                    warp: 4,
                    pc: 0x20,
                    word: 0,
                };
                sink(1, &Event::Issue(issue));
            }
        }

        fn tick(&mut self, _: Option<u64>) -> Result<(), RunError> {
            self.ticks.set(self.ticks.get() + 1);
            self.cycles += u32::from(self.running);
            if self.read.take().is_some() {
                self.line += 1;
                self.waiting = false;
                if self.line == self.rounds {
                    (self.running, self.done) = (false, true);
                }
            } else if self.running && !self.waiting {
                self.waiting = true;
            }
            if self.response.is_some() {
                self.read = self.response;
            }
            if self.host.strobe && self.host.write && self.host.address == map::CONTROL {
                self.running = true;
            }
            Ok(())
        }
    }

    fn launch() -> Launch {
        let words = vec![0x1111_1111, 0x2222_2222, 0x3333_3333, 0x4444_4444, 5, 6, 7, 8];
        Launch {
            program: vec![0x1000_8000],
            memory: vec![flexgrip_machine::MemoryImage {
                space: flexgrip_machine::ImageSpace::Global,
                address: 0,
                words,
            }],
            ..Launch::default()
        }
    }

    /// Runs the bench with memory already initialised, since this machine has no window to it.
    fn run_copier(core: &mut Copier, options: &Options) -> (Vec<u32>, u64, Result<Option<Ending>, RunError>) {
        let mut bench = Bench::new(core, &launch(), options, None, false).unwrap();
        for (place, word) in bench.around.memory.iter_mut().zip(&launch().memory[0].words) {
            *place = *word;
        }
        bench.transfer(map::CONTROL, Some(map::CONTROL_START)).unwrap();
        bench.around.start = Some(bench.around.cycle - 1);
        let ending = bench.wait(&launch(), options.max_cycles);
        (bench.around.memory.clone(), bench.trace_cycle(), ending)
    }

    #[test]
    fn memory_answers_after_its_latency_and_writes_enabled_bytes() {
        for latency in [1, 20] {
            let options = Options {
                memory_latency: latency,
                ..Options::default()
            };
            let (memory, cycle, ending) = run_copier(
                &mut Copier {
                    rounds: 2,
                    ..Copier::default()
                },
                &options,
            );
            assert_eq!(ending.unwrap(), None);
            assert_eq!(
                memory[8..16],
                [0, 0x22, 0x3300, 0x4444, 0, 6, 0, 8],
                "bytes by lane number"
            );
            assert_eq!(
                memory[16..24],
                memory[8..16],
                "the second round copies what the first wrote"
            );
            // Each round: request in one cycle, answer `latency` later, write in the next. Two more: the start's
            // acknowledge before them, done after them.
            assert_eq!(cycle, u64::from(2 * (latency + 2)) + 2);
        }
    }

    #[test]
    fn a_whole_run_reads_the_counters() {
        let mut core = Copier {
            rounds: 1,
            ..Copier::default()
        };
        let report = run(&mut core, &launch(), &Options::default(), None).unwrap();
        assert_eq!(report.ending, Ending::Complete);
        assert_eq!(report.cycles, Some(22));
        assert_eq!(report.warp_instructions, 1 << 32);
        assert_eq!(report.counters.len(), 2);
        assert_eq!(report.counters[0].get(SmCounter::Fetch), 7);
        assert_eq!(report.global.len(), 1 << 18);
    }

    #[test]
    fn an_endless_kernel_is_stopped_at_its_last_instruction() {
        let mut core = Copier {
            rounds: u32::MAX,
            ..Copier::default()
        };
        let options = Options {
            max_cycles: 50,
            ..Options::default()
        };
        let report = run(&mut core, &launch(), &options, None).unwrap();
        let Ending::Failed(error) = report.ending else {
            panic!("{report:?}")
        };
        assert_eq!(
            error.to_string(),
            "did not end within 50 steps at PC 0x0020 (SM 1, block 9, warp 2)"
        );
    }

    #[test]
    fn a_core_that_breaks_the_rules_is_named() {
        for (broken, says) in [
            (Broken::Silent, "did not answer at 0x00000000"),
            (Broken::Refuses, "refused the read of 0x00000000"),
            (Broken::WrongId, "ID register holds 0x00000001"),
            (Broken::Misaligned, "global memory at 0x4, which"),
        ] {
            let mut core = Copier {
                rounds: 1,
                broken: Some(broken),
                ..Copier::default()
            };
            let error = run(&mut core, &launch(), &Options::default(), None)
                .unwrap_err()
                .to_string();
            assert!(error.starts_with("test bench: ") && error.contains(says), "{error}");
        }
    }
}
