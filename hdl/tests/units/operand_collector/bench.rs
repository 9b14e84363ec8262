//! The bench: the collector with models of its neighbours in an SM.

use super::reference::{Outcome, Reference, Task};
use super::{as_set, bits};
use flexgrip_hdl::bundles::{Issued, WarpBegin, WarpLaunch};
use flexgrip_hdl::operands::operand_collector::address_file::AddressPlace;
use flexgrip_hdl::operands::operand_collector::OperandCollector;
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// An instruction in the collector.
pub struct Flight {
    pub task: Task,
    pub outcome: Outcome,
    pub taken: u64,
    /// The cycle in which the instruction entered the read stage.
    pub injected: Option<u64>,
    pub buffer: bool,
    /// Half-warps of R2G that the trace has reported.
    pub stored: u32,
}

/// A result for an address register: its beats are written one per cycle.
pub struct AddressWrite {
    pub warp: usize,
    pub register: usize,
    pub begins: u64,
    pub lanes: u32,
    pub values: [u16; 32],
}

/// Minimum cycles between two instructions of a warp.
const ISSUE_DISTANCE: u64 = 3;

/// Probabilities of the neighbours' events in a cycle.
#[derive(Clone, Copy)]
pub struct Surroundings {
    pub issue: f64,
    pub ready: f64,
    pub busy: f64,
    /// Probability of a result for an address register.
    pub writes: f64,
}

/// The collector with models of its neighbours in the SM: the scheduler's rules, the read stage's timing, the memories.
pub struct Bench<const LANES: usize> {
    pub engine: CycleEngine<OperandCollector<LANES>>,
    pub reference: Reference,
    pub shared: Vec<u32>,
    pub bank_word: [u32; 16],
    pub constant_word: u32,
    pub flights: VecDeque<Flight>,
    pub writes: Vec<AddressWrite>,
    pub last_take: Option<u64>,
    pub last_take_of: [Option<u64>; 32],
    pub last_read: Option<u64>,
    /// Tag of the next instruction.
    pub tag: u64,
    pub conflicts: u64,
    pub expected_conflicts: u64,
    pub gathered: u64,
    pub stored: u64,
    pub stopped: Option<u64>,
}

impl<const LANES: usize> Bench<LANES> {
    pub const BEATS: u64 = (32 / LANES) as u64;
    /// The number of cycles that a step takes.
    const PHASES: u64 = if LANES == 8 { 2 } else { 1 };

    pub fn new(rng: &mut ChaCha8Rng) -> Self {
        Bench {
            engine: CycleEngine::new(Box::new(OperandCollector::default())),
            reference: Reference::new(rng),
            shared: vec![0; 4096],
            bank_word: [0; 16],
            constant_word: 0,
            flights: VecDeque::new(),
            writes: Vec::new(),
            last_take: None,
            last_take_of: [None; 32],
            last_read: None,
            tag: 0,
            conflicts: 0,
            expected_conflicts: 0,
            gathered: 0,
            stored: 0,
            stopped: None,
        }
    }

    /// Starts a new grid: nothing in flight, new contents of shared memory, a new base of shared memory for each warp's
    /// block.
    pub fn clear(&mut self, rng: &mut ChaCha8Rng, block_bytes: usize) {
        self.flights.clear();
        self.writes.clear();
        self.stopped = None;
        (self.conflicts, self.expected_conflicts) = (0, 0);
        self.reference.block_bytes = block_bytes;
        self.shared.fill_with(|| rng.gen());
        self.reference.shared = self.shared.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.idle_inputs();
        self.engine.block.c_clear.next = true;
        self.engine.block.shared_rows.next = Bits::new(block_bytes as u64 / 64);
        self.engine.settle();
        self.engine.tick();
        self.engine.block.c_clear.next = false;
        for warp in 0..32 {
            self.launch(rng, warp);
            self.engine.settle();
            self.engine.tick();
        }
        self.idle_inputs();
    }

    /// Starts a warp, with the ports set for this cycle.
    fn launch(&mut self, rng: &mut ChaCha8Rng, warp: usize) {
        let row = rng.gen_range(0..=256 - self.reference.block_bytes / 64);
        self.reference.base[warp] = row * 64;
        self.reference.registers[warp] = [None; 4];
        let launch =
            WarpLaunch { warp: Bits::new(warp as u64), shared_row: Bits::new(row as u64), ..WarpLaunch::default() };
        self.engine.block.begins.next = WarpBegin { valid: true, launch };
    }

    fn idle_inputs(&mut self) {
        let block = &mut self.engine.block;
        block.begins.next.valid = false;
        block.collect.takes_place.next = false;
        block.collect.holds.next = false;
        block.collect.issued.next = Issued::default();
        block.c_inject_ready.next = false;
        block.collected.buffer.next = false;
        block.collected.beat.next = Bits::default();
        block.w_address.lanes.next = Bits::default();
        block.shared_busy.next = false;
        block.shared_init_busy.next = false;
        block.constant_busy.next = false;
    }

    fn beat_at(start: u64, now: u64) -> Option<usize> {
        let beat = now.checked_sub(start)?;
        (beat < Self::BEATS).then_some(beat as usize)
    }

    fn slot(last: Option<u64>, now: u64) -> bool {
        last.is_none_or(|last| now >= last + Self::BEATS)
    }

    /// True if a register's result has yet to be written.
    fn awaited(&self, warp: usize, register: usize) -> bool {
        self.writes.iter().any(|write| (write.warp, write.register) == (warp, register))
    }

    /// Runs one cycle. `source` supplies the next instruction, if any, for a warp that is not held.
    pub fn cycle(
        &mut self,
        rng: &mut ChaCha8Rng,
        around: Surroundings,
        source: &mut dyn FnMut(&mut ChaCha8Rng, &Reference) -> Option<Task>,
    ) {
        let now = self.engine.cycle();
        self.idle_inputs();
        // Outputs that depend on registers only.
        self.engine.settle();
        let block = &self.engine.block;
        let held = block.collect.held.val().raw() as u32;
        let (slot, room) = (block.collect.slot.val(), block.collect.room.val());
        let (inject, error) = (block.c_inject.val(), block.c_error.val().error);
        let query = block.collected.query.val();
        let incrementing = block.collect.incrementing.val();
        assert_eq!(slot, Self::slot(self.last_take, now), "cycle {now}");
        let gathering = |flight: &&Flight| flight.task.issued.decoded.indexing.gathers && flight.injected.is_none();
        if self.stopped.is_none() {
            let holds = as_set(self.flights.iter().filter(gathering).map(|flight| flight.task.issued.warp.index()));
            assert_eq!(held, holds, "cycle {now}");
        }
        if error.code.any() {
            let faulty = self.flights.iter().find(|flight| flight.outcome.fault.is_some());
            let faulty = faulty.unwrap_or_else(|| panic!("cycle {now}: {error:?} of no instruction"));
            let issued = &faulty.task.issued;
            let (code, address) = faulty.outcome.fault.expect("found for it");
            assert_eq!(
                (error.code.raw(), error.address.raw(), error.warp, error.pc),
                (code, address.into(), issued.warp, issued.pc),
                "cycle {now}"
            );
            assert_eq!(block.c_error.val().tag, issued.tag, "cycle {now}");
            self.stopped.get_or_insert(now);
        }
        // The scheduler sees an error a cycle later.
        let stops = self.stopped.is_some_and(|at| at < now);

        // The read stage: an injected instruction has priority.
        let slot_free = Self::slot(self.last_read, now);
        let takes_injected = inject.valid && slot_free && rng.gen_bool(around.ready);
        self.engine.block.c_inject_ready.next = takes_injected;
        if inject.valid {
            let waiting = self.flights.iter_mut().find(|flight| gathering(&&**flight));
            let waiting = waiting.unwrap_or_else(|| panic!("cycle {now}: {inject:?} is in no entry"));
            let expected = Issued { buffer: inject.buffer, ..waiting.task.issued };
            assert_eq!(inject, expected, "cycle {now}: the injected instruction is not the oldest one");
            assert!(waiting.outcome.fault.is_none(), "cycle {now}: injected in spite of a fault");
            if takes_injected {
                waiting.injected = Some(now);
                waiting.buffer = inject.buffer;
                self.last_read = Some(now);
            }
        }

        // Issue.
        let mut takes = None;
        if slot && !stops && rng.gen_bool(around.issue) {
            takes = source(rng, &self.reference);
        }
        if let Some(task) = &takes {
            let indexing = &task.issued.decoded.indexing;
            let warp = task.issued.warp.index();
            let path = if indexing.gathers { !takes_injected } else { !inject.valid && slot_free };
            let free = (!indexing.gathers && !indexing.scatters || room)
                && held >> warp & 1 == 0
                && self.last_take_of[warp].is_none_or(|last| now >= last + ISSUE_DISTANCE)
                && !(indexing.register_used && self.awaited(warp, indexing.register.index()))
                && (!indexing.increments || self.writes.is_empty());
            if !path || !free {
                takes = None;
            }
        }
        if let Some(mut task) = takes {
            let indexing = task.issued.decoded.indexing;
            let issued_warp = task.issued.warp.index();
            task.issued.tag = Bits::new(self.tag);
            self.tag = (self.tag + 1) % 0x1_0000;
            task.issued.address_live = self.reference.register(&task).is_some();
            let outcome = self.reference.outcome(&task);
            if outcome.fault.is_none() {
                self.reference.execute(&task, &outcome);
            }
            if indexing.gathers || indexing.scatters {
                self.expected_conflicts += Reference::steps(&task, &outcome) * Self::PHASES;
            }
            self.engine.block.collect.takes_place.next = indexing.gathers || indexing.scatters;
            self.engine.block.collect.holds.next = indexing.gathers;
            self.engine.block.collect.issued.next = task.issued;
            self.last_take = Some(now);
            self.last_take_of[issued_warp] = Some(now);
            if !indexing.gathers {
                self.last_read = Some(now);
            }
            self.flights.push_back(Flight { task, outcome, taken: now, injected: None, buffer: false, stored: 0 });
        }

        // The execution mask is available in a0 of the first beat, and only then.
        let asked = self.flights.iter().find(|flight| flight.taken + 1 == now);
        assert_eq!(query.valid, asked.is_some(), "cycle {now}");
        self.engine.block.collected.executed.next = match asked {
            Some(flight) => {
                let (issued, decoded) = (&flight.task.issued, &flight.task.issued.decoded);
                assert_eq!(
                    (query.warp, query.predicated, query.condition, query.condition_live),
                    (issued.warp, decoded.predicated, decoded.condition, issued.condition_live)
                );
                Bits::new(flight.task.mask.into())
            }
            None => Bits::new(rng.gen::<u32>().into()),
        };
        // Source b of R2G arrives two cycles after a0.
        let data = self.flights.iter().find_map(|flight| {
            let beat = Self::beat_at(flight.taken + 3, now)?;
            flight.task.issued.decoded.indexing.scatters.then(|| &flight.task.data[beat * LANES..])
        });
        for (lane, port) in self.engine.block.c_data.iter_mut().enumerate() {
            port.next = Bits::new(data.map_or_else(|| rng.gen(), |data| data[lane]).into());
        }
        // The beat that the read stage has in r1.
        let reads = self.flights.iter().find_map(|flight| {
            let beat = Self::beat_at(flight.injected? + 2, now)?;
            Some((beat, flight.buffer, flight.task.mask, flight.outcome.words))
        });
        if let Some((beat, buffer, _, _)) = reads {
            self.engine.block.collected.buffer.next = buffer;
            self.engine.block.collected.beat.next = Bits::new(beat as u64);
        }
        // Results for address registers.
        if let Some((write, beat)) =
            self.writes.iter().find_map(|write| Some((write, Self::beat_at(write.begins, now)?)))
        {
            let block = &mut self.engine.block;
            block.w_address.lanes.next = Bits::new((write.lanes >> (beat * LANES)).into());
            block.w_address.place.next = AddressPlace {
                warp: Bits::new(write.warp as u64),
                register: Bits::new(write.register as u64),
                beat: Bits::new(beat as u64),
            };
            for (lane, port) in block.w_address.data.iter_mut().enumerate() {
                port.next = Bits::new(write.values[beat * LANES + lane].into());
            }
        }
        self.writes.retain(|write| now + 1 < write.begins + Self::BEATS);
        if self.writes.is_empty()
            && !incrementing
            && !self.engine.block.collect.issued.next.valid
            && !stops
            && rng.gen_bool(around.writes)
        {
            let (warp, register) = (rng.gen_range(0..32), rng.gen_range(0..4));
            if held >> warp & 1 == 0 {
                self.write_register(rng, warp, register, now + 6);
            }
        }
        // Other users of the memories.
        let shared_busy = rng.gen_bool(around.busy);
        let constant_busy = rng.gen_bool(around.busy);
        let init_busy = rng.gen_bool(around.busy);
        let block = &mut self.engine.block;
        block.shared_busy.next = shared_busy;
        block.constant_busy.next = constant_busy;
        block.shared_init_busy.next = init_busy;
        for (port, word) in block.banks.word.iter_mut().zip(&self.bank_word) {
            port.next = Bits::new((*word).into());
        }
        block.constant_word.next = Bits::new(self.constant_word.into());
        self.engine.settle();

        self.check_cycle(now, reads);
        let block = &self.engine.block;
        let (banks, store) = (block.banks.enable.val().raw() as u32, block.banks.store.val());
        assert!(banks == 0 || store || !shared_busy, "cycle {now}: reads a buffer that another instruction reads");
        assert!(banks == 0 || !store || !init_busy, "cycle {now}: stores during initialisation");
        assert!(!block.constant_enable.val() || !constant_busy, "cycle {now}");
        for bank in bits(banks) {
            let access = block.banks.access[bank].val();
            let place = &mut self.shared[access.row.index() * 16 + bank];
            if store {
                let (mut own, new) = (place.to_le_bytes(), access.word.raw() as u32);
                for byte in bits(access.bytes.raw() as u32) {
                    own[byte] = new.to_le_bytes()[byte];
                }
                *place = u32::from_le_bytes(own);
            } else {
                self.bank_word[bank] = *place;
            }
        }
        if shared_busy {
            self.bank_word[rng.gen_range(0..16)] = rng.gen();
        }
        if constant_busy {
            self.constant_word = rng.gen();
        } else if block.constant_enable.val() {
            let word = block.constant_address.val().index() / 4 * 4;
            let bytes = self.reference.constant[word..word + 4].try_into().expect("four bytes");
            self.constant_word = u32::from_le_bytes(bytes);
        }
        self.conflicts += u64::from(block.c_conflict.val());
        self.retire(now);
        self.engine.tick();
    }

    /// Begins the result for an address register: addresses with a stride, like in real programs, or random ones.
    fn write_register(&mut self, rng: &mut ChaCha8Rng, warp: usize, register: usize, begins: u64) {
        let stride = *[0, 1, 2, 4, 4, 8, 12, 16, 32, 64, 68].choose(rng).expect("some");
        let base = rng.gen_range(0..64) * 4;
        let wild = rng.gen_bool(0.2);
        let values: [u16; 32] = std::array::from_fn(|thread| match wild {
            true => rng.gen_range(0..256) * 4,
            false => base + stride * thread as u16,
        });
        let mask: u32 = if rng.gen() { u32::MAX } else { rng.gen() };
        let live = self.reference.registers[warp][register].is_some();
        self.reference.write(warp, register, mask, &values);
        // Like writeback: a first write sets the values of all threads.
        let values = if live { values } else { self.reference.registers[warp][register].expect("written") };
        self.writes.push(AddressWrite { warp, register, begins, lanes: if live { mask } else { u32::MAX }, values });
    }

    /// Checks the cycle's outputs: operands, address registers, traces.
    fn check_cycle(&mut self, now: u64, reads: Option<(usize, bool, u32, [u32; 32])>) {
        let block = &self.engine.block;
        if let Some((beat, _, mask, words)) = reads {
            for lane in bits(mask >> (beat * LANES)).filter(|lane| *lane < LANES) {
                let (found, expected) = (block.collected.gathered[lane].val().raw(), words[beat * LANES + lane]);
                assert_eq!(found, u64::from(expected), "cycle {now}, thread {}", beat * LANES + lane);
                self.gathered += 1;
            }
        }
        let increment = block.c_increment.val();
        let mut increments = false;
        for flight in &self.flights {
            let Some(beat) = Self::beat_at(flight.taken + 2, now) else {
                continue;
            };
            let (issued, outcome) = (&flight.task.issued, &flight.outcome);
            let indexing = &issued.decoded.indexing;
            let lanes = flight.task.mask >> (beat * LANES) & (u32::MAX >> (32 - LANES));
            for lane in 0..LANES {
                let expected = outcome.register[beat * LANES + lane];
                assert_eq!(block.collected.address[lane].val().raw(), u64::from(expected), "cycle {now}");
            }
            if indexing.increments {
                increments = true;
                assert_eq!(
                    (increment.tag, increment.beat.index(), increment.lanes.raw() as u32, increment.indexing.register),
                    (issued.tag, beat, lanes, indexing.register),
                    "cycle {now}"
                );
                for lane in bits(lanes) {
                    let expected = outcome.incremented[beat * LANES + lane];
                    assert_eq!(block.c_increment_data[lane].val().raw(), u64::from(expected), "cycle {now}");
                }
            }
        }
        assert_eq!(increment.valid, increments, "cycle {now}");
        let (store, instruction) = (block.c_store.val(), block.c_store_instruction.val());
        if store.valid {
            let storing = |flight: &&mut Flight| flight.task.issued.decoded.indexing.scatters && flight.stored < 2;
            let tag = instruction.tag;
            let mut stores = self.flights.iter_mut().filter(storing);
            let flight = stores.find(|flight| flight.task.issued.tag == tag);
            let flight = flight.unwrap_or_else(|| panic!("cycle {now}: a store of no instruction"));
            let first = if store.upper { 16 } else { 0 };
            let threads = flight.task.mask >> first & 0xffff;
            let access = flight.task.issued.decoded.indexing.access;
            assert_eq!(store.threads.raw(), u64::from(threads), "cycle {now}");
            assert_eq!(instruction.indexing.access, access, "cycle {now}");
            for thread in bits(threads) {
                let (address, data) = (flight.outcome.address[first + thread], flight.task.data[first + thread]);
                assert_eq!(block.c_store_address[thread].val().raw(), u64::from(address), "cycle {now}");
                assert_eq!(block.c_store_data[thread].val().raw(), u64::from(data), "cycle {now}");
            }
            flight.stored += 1;
            self.stored += 1;
        }
    }

    /// Drops finished instructions: once their operands have been read, others once they can no longer have effects.
    fn retire(&mut self, now: u64) {
        let waits = self.engine.block.collect.storing.val() || self.stopped.is_some();
        self.flights.retain(|flight| {
            let indexing = &flight.task.issued.decoded.indexing;
            if flight.outcome.fault.is_some() {
                return true;
            }
            match flight.injected {
                Some(injected) => now < injected + 2 + Self::BEATS,
                None if indexing.gathers => true,
                None => now < flight.taken + 3 + Self::BEATS || indexing.scatters && waits,
            }
        });
    }

    /// Runs without further instructions until the collector is idle, for at most `limit` cycles.
    pub fn drain(&mut self, rng: &mut ChaCha8Rng, around: Surroundings, limit: u64) {
        let since = self.engine.cycle();
        loop {
            self.cycle(rng, around, &mut |_, _| None);
            let reading = self.flights.iter().any(|flight| flight.injected.is_some());
            let dropped = self.stopped.is_some() && !reading;
            if self.engine.block.c_idle.val() && (dropped || self.flights.is_empty()) {
                break;
            }
            assert!(self.engine.cycle() < since + limit, "no end in {limit} cycles");
        }
    }

    /// Checks shared memory against the reference.
    pub fn check_memory(&self) {
        for (index, word) in self.shared.iter().enumerate() {
            let expected = &self.reference.shared[index * 4..index * 4 + 4];
            assert_eq!(word.to_le_bytes(), expected, "shared word {index}");
        }
    }
}
