//! A pass: one golden run together with a set of faults, each simulated as its differences.
//!
//! A faulty machine leaves the pass with a verdict when it equals the good machine again, or at the end of the run. If
//! it has too many differences, or if the host sees different outputs, it continues from its current state as a whole
//! machine.

use super::first::{EventDifference, InFlight};
use super::injection::Injection;
use super::memory::Memories;
use super::memory_uses::MemoryUses;
use crate::verdict::{Damage, Golden, Verdict, PROTOCOL};
use flexgrip_engines::circuits::host::HostStatus;
use flexgrip_engines::error::RunError;
use flexgrip_engines::native::core::NativeCore;
use flexgrip_engines::native::interface::{Core, HostDrive, HostSample, MemoryRequest};
use flexgrip_engines::native::snapshot::Snapshot;
use flexgrip_engines::native::surroundings::Surroundings;
use flexgrip_engines::outcome::counters::SmCounters;
use flexgrip_faults::{FirstRecord, Outcome};
use flexgrip_machine::host_map::SmCounter;
use flexgrip_machine::trace::Event;
use flexgrip_machine::Launch;

use hdlkit_compiled::{Concurrent, Next};
use std::collections::VecDeque;

/// The average number of nodes per cycle above which a whole machine is faster.
const SPREAD: u32 = 600;

/// A fault in a pass.
struct Running {
    /// The index among the injections.
    index: usize,
    is_excited: bool,
    /// Eight times the moving average of nodes per cycle.
    nodes: u32,
    /// True if the events of both machines no longer correspond.
    has_drifted: bool,
    first_record: Option<FirstRecord>,
    /// Words that the host reads at the end, by their number, if they differ from the good machine's.
    status: Vec<(usize, u32)>,
}

/// A faulty machine that continues as a whole machine.
pub(super) struct Spread {
    /// The index among the injections.
    pub index: usize,
    pub from: Snapshot,
    /// The cycle at the start of which it continues.
    pub cycle: u64,
    pub first_record: Option<FirstRecord>,
    pub first_store: Option<u64>,
    /// The late bits of a delayed fault, as in [`Injection::held`].
    pub late: Vec<u128>,
}

/// A pass at some cycle.
pub(super) struct Pass<'a> {
    core: &'a mut NativeCore<Concurrent>,
    around: Surroundings,
    memories: Memories,
    golden: &'a Golden,
    injections: &'a [Injection],
    /// The indices of the remaining injections, by cycle.
    waiting: VecDeque<usize>,
    /// The cycles in which stuck bits are released, with the numbers of the machines.
    releases: Vec<(u64, u32)>,
    /// The running faults, by the number of the faulty machine.
    running: Vec<Option<Running>>,
    in_flight: InFlight,
    /// The number of the word that the host is reading.
    reading: Option<usize>,
    launch: &'a Launch,
    /// Receives the good machine's memory uses.
    uses: Option<&'a mut MemoryUses>,
    /// Called with the index and the verdict of each fault that ends here. The last argument is true if events did not
    /// correspond, so that a first record may have been missed.
    verdicts: &'a mut dyn FnMut(usize, Verdict, bool) -> Result<(), RunError>,
    spread: &'a mut dyn FnMut(Spread) -> Result<(), RunError>,
}

/// The outputs of a faulty machine that differ from the good machine in a cycle.
struct Seen {
    number: u32,
    /// The request, if it differs.
    request: Option<Option<MemoryRequest>>,
    /// The state at the start of the cycle and the late bits of a delayed fault, if the machine continues as a whole
    /// machine.
    leaves: Option<(Vec<u64>, Vec<u128>)>,
}

impl<'a> Pass<'a> {
    /// Creates a pass at the start of the grid's first cycle.
    pub fn new(
        core: &'a mut NativeCore<Concurrent>,
        (launch, start): (&'a Launch, &Snapshot),
        golden: &'a Golden,
        injections: &'a [Injection],
        verdicts: &'a mut dyn FnMut(usize, Verdict, bool) -> Result<(), RunError>,
        spread: &'a mut dyn FnMut(Spread) -> Result<(), RunError>,
    ) -> Result<Self, RunError> {
        core.take(&start.circuits)?;
        let mut waiting: Vec<usize> = (0..injections.len()).collect();
        waiting.sort_by_key(|index| injections[*index].cycle);
        Ok(Pass {
            memories: Memories::new(core.lanes()),
            core,
            around: start.around.clone(),
            golden,
            injections,
            waiting: waiting.into(),
            releases: vec![],
            running: vec![],
            in_flight: InFlight::default(),
            reading: None,
            launch,
            uses: None,
            verdicts,
            spread,
        })
    }

    /// Makes the pass record the good machine's memory uses.
    pub fn noting(self, uses: &'a mut MemoryUses) -> Self {
        Pass {
            uses: Some(uses),
            ..self
        }
    }

    /// Runs to the end of the grid, and through the host's accesses after it.
    pub fn run(mut self) -> Result<(), RunError> {
        while !self.step()?.interrupt {}
        let sms = self.core.sms();
        let counters = (0..sms).flat_map(|sm| {
            let addresses = SmCounter::ALL
                .iter()
                .map(move |counter| SmCounters::address(sm, *counter));
            addresses.flat_map(|address| [address, address + 4])
        });
        let mut status = [0; HostStatus::REGISTERS.len()];
        for (number, address) in HostStatus::REGISTERS.into_iter().chain(counters).enumerate() {
            self.reading = Some(number);
            self.around.drive = HostDrive {
                strobe: true,
                address,
                ..HostDrive::default()
            };
            let word = loop {
                let sample = self.step()?;
                if sample.acknowledge {
                    break sample.data;
                }
            };
            if let Some(place) = status.get_mut(number) {
                *place = word;
            }
            self.around.drive = HostDrive::default();
        }
        if Concurrent::save(self.core.stepper()) != self.golden.state {
            return Err(RunError::Bench(
                "the good machine of a pass is not the golden one".into(),
            ));
        }
        let left = std::mem::take(&mut self.running);
        for (number, running) in (0..).zip(left) {
            let Some(running) = running else { continue };
            let mut words = status;
            for (place, word) in &running.status {
                if let Some(place) = words.get_mut(*place) {
                    *place = *word;
                }
            }
            let verdict = self.end(number, &running, HostStatus::from_words(words))?;
            (self.verdicts)(running.index, verdict, running.has_drifted)?;
        }
        Ok(())
    }

    /// The verdict on a machine at the end of the grid, with the status that the host has read.
    fn end(&self, number: u32, running: &Running, status: HostStatus) -> Result<Verdict, RunError> {
        let is_same = self.core.stepper().is_equal(number);
        let verdict = match status.kernel_error(self.launch) {
            Err(_) => Verdict::detected(PROTOCOL),
            Ok(Some(error)) => Verdict::failed(error)?,
            Ok(None) => {
                let golden = &self.golden.report.global;
                let words = self.memories.words(number);
                let words = words.filter_map(|(place, word)| Some((place, *golden.get(place as usize)?, word)));
                let damage = Damage::of(words, &self.golden.floats);
                self.golden.complete(self.golden.cycles, damage, is_same)
            }
        };
        Ok(self.found(number, running, verdict))
    }

    /// Completes a verdict with the results that only a pass finds.
    fn found(&self, number: u32, running: &Running, verdict: Verdict) -> Verdict {
        Verdict {
            outcome: match verdict.outcome {
                Outcome::Masked if !running.is_excited => Outcome::NotExcited,
                outcome => outcome,
            },
            first_record: running.first_record.clone(),
            first_store: self.memories.first_store(number),
            ..verdict
        }
    }

    /// Simulates a cycle. Returns the good machine's outputs to the host.
    fn step(&mut self) -> Result<HostSample, RunError> {
        let cycle = self.around.trace_cycle();
        self.inject(cycle)?;
        let answer = self.around.answer();
        self.around.begin(self.core);
        let (ports, stepper) = self.core.parts();
        if let Some(uses) = &mut self.uses {
            stepper.memory_uses(|used| uses.push(cycle, &used));
        }
        self.memories
            .answer(self.around.cycle, answer.as_ref(), |number, valid, data| {
                ports
                    .answer(valid, data)
                    .for_each(|(place, word)| stepper.set_input(number, place, word));
            });
        let host = self.core.host();
        let request = self.core.request();
        let mut events: Vec<(u32, Event)> = vec![];
        self.core
            .events(true, &mut |sm, event| events.push((sm, event.clone())));
        self.in_flight.note(&events);
        let seen = self.see(&host, request.as_ref(), &events);
        self.serve(cycle, answer, request.as_ref(), seen)?;
        self.memories.end_cycle(self.around.cycle);
        self.around.serve(self.core)?;
        self.around.end(self.core)?;
        self.settle()?;
        Ok(host)
    }

    /// Injects the faults of this cycle.
    fn inject(&mut self, cycle: u64) -> Result<(), RunError> {
        while let Some(index) = self
            .waiting
            .front()
            .copied()
            .filter(|index| self.injections[*index].cycle == cycle)
        {
            self.waiting.pop_front();
            let injection = &self.injections[index];
            let stepper = self.core.stepper_mut();
            let number = stepper.inject(&injection.targets, injection.effect);
            let number =
                number.ok_or_else(|| RunError::Bench(format!("fault {index} is not in a bit of the circuits")))?;
            let running = Running {
                index,
                is_excited: !stepper.is_equal(number),
                nodes: 0,
                has_drifted: false,
                first_record: None,
                status: vec![],
            };
            debug_assert_eq!(self.running.len(), number as usize);
            self.running.push(Some(running));
            if let Some(until) = injection.until {
                self.releases.push((until, number));
            }
        }
        // The values taken at the preceding edge are the first ones without the fault.
        let stepper = self.core.stepper_mut();
        self.releases.retain(|(until, number)| {
            let is_due = cycle + 1 >= *until;
            if is_due && stepper.is_stuck(*number) {
                stepper.release(*number);
            }
            !is_due
        });
        Ok(())
    }

    /// Settles the faulty machines that are awake, and returns their differences.
    fn see(&mut self, host: &HostSample, request: Option<&MemoryRequest>, events: &[(u32, Event)]) -> Vec<Seen> {
        let mut seen = vec![];
        let mut before = vec![];
        let (lanes, cycle) = (self.core.lanes(), self.around.trace_cycle());
        let mut words = self.core.stepper().ports().to_vec();
        let (running, in_flight) = (&mut self.running, &self.in_flight);
        let around = &self.around;
        let reading = self.reading;
        let (ports, stepper) = self.core.parts();
        stepper.settle_faulty(&mut |faulty| {
            let Some(about) = &mut running[faulty.number as usize] else {
                return Next::End;
            };
            about.nodes = about.nodes - about.nodes / 8 + faulty.computed as u32;
            let mut leaves = about.nodes > 8 * SPREAD;
            let mut other = None;
            if !faulty.differing.is_empty() {
                about.is_excited = true;
                before.clear();
                before.extend(faulty.differing.iter().map(|place| words[*place as usize]));
                faulty
                    .differing
                    .iter()
                    .for_each(|place| words[*place as usize] = faulty.port(*place as usize));
                let sample = ports.host(&words);
                let same = (sample.acknowledge, sample.error, sample.interrupt);
                leaves |= same != (host.acknowledge, host.error, host.interrupt);
                if let Some(number) = reading.filter(|_| sample.acknowledge && sample.data != host.data) {
                    about.status.push((number, sample.data));
                }
                other = Some(ports.request(&words)).filter(|other| other.as_ref() != request);
                let own = other.as_ref().and_then(Option::as_ref);
                leaves |= own.is_some_and(|own| around.line(own, lanes as usize).is_none());
                if about.first_record.is_none() && !about.has_drifted {
                    let mut own = vec![];
                    ports.events(&words, true, &mut |sm, event| own.push((sm, event.clone())));
                    match in_flight.compare(cycle, lanes, events, &own) {
                        EventDifference::None => {}
                        EventDifference::Time => about.has_drifted = true,
                        EventDifference::Record(record) => about.first_record = record,
                    }
                }
                let places = faulty.differing.iter().zip(&before);
                places.for_each(|(place, word)| words[*place as usize] = *word);
            }
            let next = match (leaves, &other) {
                (true, _) => Next::End,
                (false, Some(_)) => Next::Stay,
                (false, None) => Next::Sleep,
            };
            if leaves || other.is_some() {
                seen.push(Seen {
                    number: faulty.number,
                    request: other,
                    leaves: leaves.then(|| (faulty.state(), faulty.delayed())),
                });
            }
            next
        });
        seen
    }

    /// Applies requests to the memories of the machines that differ.
    fn serve(
        &mut self,
        cycle: u64,
        answer: Option<[u32; 32]>,
        request: Option<&MemoryRequest>,
        seen: Vec<Seen>,
    ) -> Result<(), RunError> {
        let times = (cycle, self.around.answered());
        let mut concerned = request.map_or_else(Vec::new, |request| self.memories.concerned(request));
        for Seen {
            number,
            request: own,
            leaves,
        } in seen
        {
            concerned.retain(|other| *other != number);
            if let Some(held) = leaves {
                self.leave(number, cycle, answer, held)?;
                continue;
            }
            if let Some(own) = own {
                let memory = &self.around.memory;
                self.memories.serve(number, times, request, own.as_ref(), memory);
            }
        }
        for number in concerned
            .into_iter()
            .filter(|number| self.running[*number as usize].is_some())
        {
            // The machine has the good machine's request, so its address is inside memory.
            self.memories
                .serve(number, times, request, request, &self.around.memory);
        }
        Ok(())
    }

    /// Removes a faulty machine from the pass. It continues as a whole machine from the start of this cycle.
    fn leave(
        &mut self,
        number: u32,
        cycle: u64,
        answer: Option<[u32; 32]>,
        (circuits, late): (Vec<u64>, Vec<u128>),
    ) -> Result<(), RunError> {
        let Some(running) = self.running[number as usize].take() else {
            return Ok(());
        };
        let (words, answers) = (self.memories.words(number), self.memories.answers(number));
        let around = self.around.differing(answer, words, answers);
        let first_store = self.memories.first_store(number);
        self.memories.end(number);
        (self.spread)(Spread {
            index: running.index,
            from: Snapshot {
                circuits,
                around,
                issues: vec![],
                in_flight: vec![],
            },
            cycle,
            first_record: running.first_record,
            first_store,
            late,
        })
    }

    /// Ends the machines that equal the good machine again after the clock edge.
    fn settle(&mut self) -> Result<(), RunError> {
        let stepper = self.core.stepper();
        let mut equal = vec![];
        for number in stepper.awake() {
            let Some(running) = &mut self.running[*number as usize] else {
                continue;
            };
            let is_equal = stepper.is_equal(*number);
            running.is_excited |= !is_equal;
            // A machine from which the host has read other words cannot end here.
            let is_right = running.status.is_empty();
            if is_equal && is_right && !stepper.is_stuck(*number) && self.memories.is_equal(*number) {
                equal.push(*number);
            }
        }
        for number in equal {
            self.core.stepper_mut().end(number);
            if let Some(running) = self.running[number as usize].take() {
                let complete = self.golden.complete(self.golden.cycles, Damage::default(), true);
                let verdict = self.found(number, &running, complete);
                self.memories.end(number);
                (self.verdicts)(running.index, verdict, running.has_drifted)?;
            }
        }
        Ok(())
    }
}
