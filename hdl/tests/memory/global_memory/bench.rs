//! The bench: the unit between the execute stage, a memory with random latency, and writeback.

use super::model::{expect, Access, Loaded, Memory};
use flexgrip_hdl::bundles::{MemoryBeat, MemoryControl};
use flexgrip_hdl::memory::global::{queue_instructions, GlobalMemoryUnit};
use hdlkit::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Number of times that each beat of an access is sent: for a store, once for each register.
pub fn passes(a: &Access) -> usize {
    if a.store {
        a.registers()
    } else {
        1
    }
}

/// Puts register `part` of beat `beat` of an access on the unit's input.
pub fn drive<const LANES: usize>(unit: &mut GlobalMemoryUnit<LANES>, a: &Access, beat: usize, part: usize) {
    unit.m.enqueue.next = true;
    unit.m.control.next = MemoryControl {
        beat: MemoryBeat {
            tag: Bits::new(a.tag.into()),
            warp: Bits::new(a.warp.into()),
            beat: Bits::new(beat as u64),
            last: beat == 32 / LANES - 1 && part == passes(a) - 1,
            row: Bits::new(a.row.into()),
            register: Bits::new(a.register.into()),
            halves: Bits::new(a.halves.into()),
            fill: a.fill,
            further: Bits::new(a.further.into()),
            further_fill: Bits::new(a.further_fill.into()),
        },
        pc: Bits::new(a.pc.into()),
        store: a.store,
        local: false,
        size: Bits::new(a.size.into()),
        is_signed: a.is_signed,
        part: Bits::new(part as u64),
        complete: part == passes(a) - 1,
    };
    let all = u32::MAX >> (32 - LANES);
    unit.m.lanes.next = Bits::new((a.mask >> (beat * LANES) & all).into());
    for i in 0..LANES {
        unit.m.address[i].next = Bits::new(a.address[beat * LANES + i].into());
        let data = (a.data[beat * LANES + i] >> (32 * part)) as u32;
        unit.m.data[i].next = Bits::new(data.into());
    }
}

/// The timing of the unit's neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings {
    /// Probability that a beat is sent when one is allowed.
    pub enqueue: f64,
    /// Probability that the memory accepts a request.
    pub ready: f64,
    /// Probability that writeback accepts a beat.
    pub writeback: f64,
    /// Cycles from a request to its response, at least 1.
    pub latency: (u64, u64),
}

pub const PROMPT: Surroundings = Surroundings { enqueue: 1.0, ready: 1.0, writeback: 1.0, latency: (1, 1) };

/// The cycles of events.
#[derive(Default, Debug)]
pub struct Times {
    pub enqueued: Vec<u64>,
    pub requested: Vec<u64>,
    /// The first cycle in which each request was valid, accepted or not.
    pub offered: Vec<u64>,
    pub responded: Vec<u64>,
    pub loaded: Vec<u64>,
}

pub struct Bench<const LANES: usize> {
    pub engine: CycleEngine<GlobalMemoryUnit<LANES>>,
    pub rng: ChaCha8Rng,
    pub memory: Memory,
    pub end: u64,
    pub strict: bool,
}

impl<const LANES: usize> Bench<LANES> {
    pub fn new(seed: u64, end: u64) -> Self {
        let mut engine = CycleEngine::new(Box::new(GlobalMemoryUnit::default()));
        engine.block.configuration.next.global_end = Bits::new(end & 0xffff_ffff);
        Bench { engine, rng: ChaCha8Rng::seed_from_u64(seed), memory: Memory::default(), end, strict: false }
    }

    /// Runs the accesses to their end and compares all effects with the model.
    pub fn run(&mut self, accesses: &[Access], around: Surroundings) -> Times {
        let expected = expect(LANES, accesses, self.memory.clone(), self.end, self.strict);
        self.engine.block.configuration.next.strict_coalescing = self.strict;
        let capacity = queue_instructions(LANES);
        let beats = 32 / LANES;
        let mut times = Times::default();
        let (mut instruction, mut beat, mut part, mut credits) = (0, 0, 0, capacity);
        let mut enqueued = 0usize;
        let mut responses: VecDeque<(u64, Vec<u32>)> = VecDeque::new();
        let mut last_response = 0;
        let (mut requests, mut loaded) = (0, 0);
        let mut held: Option<(bool, u64, Vec<u64>, Vec<u64>)> = None;
        let mut quiet = 0;
        let first = self.engine.cycle();
        while quiet < 20 {
            let cycle = self.engine.cycle();
            assert!(cycle - first < 2000 + 400 * accesses.len() as u64, "the unit hangs, {around:?}");
            let unit = &mut self.engine.block;
            unit.m.enqueue.next = false;
            let beats_before = enqueued;
            let begun = beat > 0 || part > 0;
            if instruction < accesses.len() && (begun || credits > 0) && self.rng.gen_bool(around.enqueue) {
                if !begun {
                    credits -= 1;
                }
                drive(unit, &accesses[instruction], beat, part);
                times.enqueued.push(cycle);
                part += 1;
                if part == passes(&accesses[instruction]) {
                    (part, beat) = (0, beat + 1);
                    enqueued += 1;
                }
                if beat == beats {
                    (instruction, beat) = (instruction + 1, 0);
                }
            }
            unit.memory.response_valid.next = false;
            if responses.front().is_some_and(|(when, _)| *when <= cycle) {
                let (_, words) = responses.pop_front().unwrap_or_default();
                unit.memory.response_valid.next = true;
                for (port, word) in unit.memory.response_data.iter_mut().zip(words) {
                    port.next = Bits::new(word.into());
                }
                times.responded.push(cycle);
            }
            // The unit's request must not depend on `request_ready`.
            let offered = |unit: &GlobalMemoryUnit<LANES>| {
                (
                    unit.memory.request_valid.val(),
                    unit.memory.request_write.val(),
                    unit.memory.request_address.val(),
                    unit.loads.valid.val(),
                )
            };
            unit.memory.request_ready.next = false;
            unit.loads.ready.next = false;
            self.engine.settle();
            let before = offered(&self.engine.block);
            let ready = self.rng.gen_bool(around.ready);
            self.engine.block.memory.request_ready.next = ready;
            let writeback = self.rng.gen_bool(around.writeback);
            self.engine.block.loads.ready.next = writeback;
            self.engine.settle();
            let unit = &self.engine.block;
            assert_eq!(before, offered(unit), "an offer depends on ready");

            if unit.m_dequeued.val() {
                credits += 1;
                assert!(credits <= capacity, "more credits than queue entries");
            }
            if unit.m_idle.val() && expected.fault.is_none() {
                let done = beats_before.checked_sub(1).map_or((0, 0), |b| expected.progress[b]);
                assert_eq!((requests, loaded), done, "idle too early");
            }
            if unit.memory.request_valid.val() {
                let request = (
                    unit.memory.request_write.val(),
                    unit.memory.request_address.val().raw(),
                    unit.memory.request_data.iter().map(|x| x.val().raw()).collect::<Vec<_>>(),
                    unit.memory.request_enable.iter().map(|x| x.val().raw()).collect::<Vec<_>>(),
                );
                match &held {
                    Some(held) => assert_eq!(held, &request, "a request changed while it waited"),
                    None => times.offered.push(cycle),
                }
                assert_eq!(unit.m_transaction.val(), ready);
                if ready {
                    let (write, segment, words, enables) = request;
                    let enabled = enables.iter().enumerate().fold(0, |m, (i, e)| m | u128::from(*e) << (4 * i));
                    assert_eq!(
                        Some(&(write, segment as u32, enabled)),
                        expected.requests.get(requests),
                        "request {requests}"
                    );
                    requests += 1;
                    times.requested.push(cycle);
                    let bytes = (0..4 * LANES as u32).filter(|byte| enabled >> byte & 1 != 0);
                    if write {
                        for byte in bytes {
                            let data = words[byte as usize / 4] >> (8 * (byte % 4));
                            self.memory.store(segment as u32 + byte, 1, data.into());
                        }
                    } else {
                        // Bytes that were not requested arrive as garbage.
                        let mut words: Vec<u32> = (0..LANES).map(|_| self.rng.gen()).collect();
                        for byte in bytes {
                            let shift = 8 * (byte % 4);
                            let word = &mut words[byte as usize / 4];
                            *word &= !(0xff << shift);
                            *word |= u32::from(self.memory.byte(segment as u32 + byte)) << shift;
                        }
                        let when = cycle + self.rng.gen_range(around.latency.0..=around.latency.1);
                        last_response = when.max(last_response + 1);
                        responses.push_back((last_response, words));
                    }
                    held = None;
                } else {
                    held = Some(request);
                }
            } else {
                assert!(held.is_none(), "a request was withdrawn");
                assert!(!unit.m_transaction.val());
            }
            let control = unit.loads.control.val();
            assert_eq!(control.valid, unit.loads.valid.val());
            if unit.loads.valid.val() && writeback {
                let want = expected.loaded.get(loaded).expect("more loaded than requested");
                assert!(control.register_enable && !control.condition_enable && !control.elsewhere);
                let got = Loaded {
                    tag: control.tag.raw() as u16,
                    warp: control.warp.raw() as u8,
                    row: control.row.raw() as u16,
                    register: control.register.raw() as u8,
                    halves: control.halves.raw() as u8,
                    fill: control.fill,
                    beat: control.beat.index(),
                    last: control.last,
                    mask: unit.loads.lanes.val().raw() as u32,
                    data: (0..LANES).map(|i| want.data[i].map(|_| unit.loads.data[i].val().raw() as u32)).collect(),
                };
                assert_eq!(&got, want, "loaded beat {loaded}");
                loaded += 1;
                times.loaded.push(cycle);
            }
            let error = unit.m_error.val().error;
            if error.code.any() {
                assert_eq!(
                    Some((error.code.raw(), error.warp.raw(), error.pc.raw(), error.address.raw())),
                    expected.fault
                );
                assert_eq!(
                    (requests, loaded),
                    (expected.requests.len(), expected.loaded.len()),
                    "an error was reported before the earlier accesses were done"
                );
            }
            let finished = instruction == accesses.len() && credits == capacity && unit.m_idle.val();
            quiet = if finished && !unit.m.enqueue.val() { quiet + 1 } else { 0 };
            self.engine.tick();
        }
        assert_eq!(requests, expected.requests.len());
        assert_eq!(loaded, expected.loaded.len());
        assert_eq!(self.engine.block.m_error.val().error.code.any(), expected.fault.is_some(), "{:?}", expected.fault);
        assert!(self.memory == expected.memory, "memory differs");
        times
    }

    /// Starts the next grid.
    pub fn clear(&mut self) {
        self.engine.block.clear.next = true;
        self.engine.settle();
        self.engine.tick();
        self.engine.block.clear.next = false;
        self.engine.settle();
        assert!(!self.engine.block.m_error.val().error.code.any());
    }
}
