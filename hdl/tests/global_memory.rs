//! The global memory unit against a model that works lane by lane, in order: every request, the memory's final
//! contents, every load's data, the credits, the errors; its speed; and the native circuit against its Verilog.

use flexgrip_hdl::bundles::MemoryControl;
use flexgrip_hdl::memory::global::{queue_instructions, GlobalMemoryUnit};
use hdlkit::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};

/// A memory of 2^32 bytes whose initial contents depend on their address.
#[derive(Clone, Default, PartialEq, Debug)]
struct Memory(BTreeMap<u32, u8>);

impl Memory {
    fn byte(&self, address: u32) -> u8 {
        let initial = (address.wrapping_mul(0x9e37_79b1) ^ 0x5bd1_e995) >> 11;
        *self.0.get(&address).unwrap_or(&(initial as u8))
    }
    fn load(&self, address: u32, bytes: u32) -> u128 {
        (0..bytes).fold(0, |word, i| word | u128::from(self.byte(address + i)) << (8 * i))
    }
    fn store(&mut self, address: u32, bytes: u32, data: u128) {
        for i in 0..bytes {
            self.0.insert(address + i, (data >> (8 * i)) as u8);
        }
    }
}

/// A warp instruction.
#[derive(Clone, Debug)]
struct Access {
    store: bool,
    /// log2 of the size in bytes.
    size: u32,
    is_signed: bool,
    mask: u32,
    address: [u32; 32],
    /// Data to store, in the low bytes.
    data: [u128; 32],
    tag: u16,
    warp: u8,
    pc: u32,
    row: u16,
    register: u8,
    halves: u8,
    fill: bool,
    further: u8,
    further_fill: u8,
}

impl Access {
    fn registers(&self) -> usize {
        (1 << self.size as usize) / 4 + usize::from(self.size < 2)
    }
}

fn access(rng: &mut impl Rng, end: u64) -> Access {
    let mask = match rng.gen_range(0..6) {
        0 => 0,
        1 => u32::MAX,
        2 => 1 << rng.gen_range(0..32),
        // Some beats without active lanes.
        3 => 0xff << (8 * rng.gen_range(0..4)) & rng.gen::<u32>(),
        4 => u32::MAX << rng.gen_range(0..32),
        _ => rng.gen(),
    };
    let size = if end < 64 { 2 } else { rng.gen_range(0..5) };
    let places = (end >> size).min(u32::MAX.into()) as u32;
    // Few locations, so that accesses alias.
    let base = if rng.gen() { 0 } else { places.saturating_sub(512) };
    let span = places.min(512);
    let origin = rng.gen_range(0..span);
    let kind = rng.gen_range(0..8);
    let odd_one_out = rng.gen_range(0..32);
    let stride = rng.gen_range(0..40);
    let address = std::array::from_fn(|lane| {
        let lane = lane as u32;
        let place = match kind {
            0 | 6 => origin / 32 * 32 + lane,
            // In order, with one exception.
            7 => {
                origin / 32 * 32
                    + if lane == odd_one_out {
                        rng.gen_range(0..32)
                    } else {
                        lane
                    }
            }
            1 => origin + lane,
            2 => origin + lane * stride,
            3 => origin + (31 - lane),
            4 => origin + rng.gen_range(0..12),
            _ => rng.gen_range(0..span),
        };
        (base + place % span) << size
    });
    Access {
        store: rng.gen(),
        size,
        is_signed: rng.gen(),
        mask,
        address,
        data: rng.gen(),
        tag: rng.gen(),
        warp: rng.gen_range(0..32),
        pc: rng.gen_range(0..1 << 24),
        row: rng.gen_range(0..512),
        register: rng.gen_range(0..128),
        halves: rng.gen_range(0..4),
        fill: rng.gen(),
        further: rng.gen_range(0..8),
        further_fill: rng.gen_range(0..8),
    }
}

/// One beat and register of a load, as it must be written back.
#[derive(Clone, Debug, PartialEq)]
struct Loaded {
    tag: u16,
    warp: u8,
    row: u16,
    register: u8,
    halves: u8,
    fill: bool,
    beat: usize,
    last: bool,
    mask: u32,
    data: Vec<Option<u32>>,
}

/// Code, warp, PC, address.
type Fault = (u64, u64, u64, u64);

/// The required effects of the accesses.
#[derive(Default)]
struct Expected {
    memory: Memory,
    /// Requests: write, segment, bytes enabled.
    requests: Vec<(bool, u32, u128)>,
    loaded: Vec<Loaded>,
    fault: Option<Fault>,
    /// After each beat, the numbers of requests and loaded beats so far.
    progress: Vec<(usize, usize)>,
}

/// The G80's rule: whether the half-warp of `thread` accesses 4, 8 or 16 bytes per thread at `base + k * size` in its
/// k-th thread, for a base that is a multiple of 16 times the size. Any thread may be missing.
fn keeps_the_rule(a: &Access, thread: usize) -> bool {
    let size = 1 << a.size;
    let half = thread / 16 * 16..thread / 16 * 16 + 16;
    let mut bases = half.filter(|thread| a.mask >> thread & 1 != 0).map(|thread| {
        // For a misaligned access, the address that it would have if it were aligned.
        let element = i64::from(a.address[thread]) / size;
        (element - (thread % 16) as i64) * size
    });
    let Some(base) = bases.next() else { return true };
    a.size >= 2 && base % (16 * size) == 0 && bases.all(|other| other == base)
}

fn expect(lanes: usize, accesses: &[Access], mut memory: Memory, end: u64, strict: bool) -> Expected {
    let mut expected = Expected::default();
    let segment_bytes = 4 * lanes as u32;
    'all: for a in accesses {
        let bytes = 1 << a.size;
        for beat in 0..32 / lanes {
            let active: Vec<usize> = (0..lanes).filter(|i| a.mask >> (beat * lanes + i) & 1 != 0).collect();
            let address = |i: usize| a.address[beat * lanes + i];
            for &i in &active {
                let code = if address(i) % bytes != 0 {
                    5
                } else if u64::from(address(i)) + u64::from(bytes) > end {
                    6
                } else {
                    continue;
                };
                expected.fault = Some((code, a.warp.into(), a.pc.into(), address(i).into()));
                break 'all;
            }
            // Segments in the order of the lowest lane in each. Under the strict rule, each half-warp, or each of its
            // threads, has its own segments.
            let mut segments: Vec<(usize, u32, u128)> = vec![];
            for &i in &active {
                let thread = beat * lanes + i;
                let group = match strict {
                    false => 0,
                    true if keeps_the_rule(a, thread) => 100 + thread / 16,
                    true => thread,
                };
                let segment = address(i) / segment_bytes * segment_bytes;
                let covered = ((1 << bytes) - 1) << (address(i) - segment);
                match segments.iter_mut().find(|(g, s, _)| (*g, *s) == (group, segment)) {
                    Some((_, _, enabled)) => *enabled |= covered,
                    None => segments.push((group, segment, covered)),
                }
            }
            expected
                .requests
                .extend(segments.iter().map(|&(_, s, enabled)| (a.store, s, enabled)));
            if a.store {
                for &i in &active {
                    memory.store(address(i), bytes, a.data[beat * lanes + i]);
                }
            } else {
                for part in 0..a.registers() {
                    let mut data = vec![None; lanes];
                    for &i in &active {
                        let loaded = memory.load(address(i), bytes);
                        data[i] = Some(match (a.size, a.is_signed) {
                            (0, true) => loaded as i8 as u32,
                            (1, true) => loaded as i16 as u32,
                            _ => (loaded >> (32 * part)) as u32,
                        });
                    }
                    let first = part == 0;
                    expected.loaded.push(Loaded {
                        tag: a.tag,
                        warp: a.warp,
                        row: (a.row + part as u16) % 512,
                        register: (a.register + part as u8) % 128,
                        halves: if first {
                            a.halves
                        } else {
                            3 * (a.further >> (part - 1) & 1)
                        },
                        fill: if first {
                            a.fill
                        } else {
                            a.further_fill >> (part - 1) & 1 == 1
                        },
                        beat,
                        last: beat == 32 / lanes - 1,
                        mask: active.iter().fold(0, |m, i| m | 1 << i),
                        data,
                    });
                }
            }
            expected.progress.push((expected.requests.len(), expected.loaded.len()));
        }
    }
    expected.memory = memory;
    expected
}

/// Number of times that a beat of an access is sent: for a store, once for each register.
fn passes(a: &Access) -> usize {
    if a.store {
        a.registers()
    } else {
        1
    }
}

/// Puts register `part` of beat `beat` of an access on the unit's input.
fn drive<const LANES: usize>(unit: &mut GlobalMemoryUnit<LANES>, a: &Access, beat: usize, part: usize) {
    unit.m_enqueue.next = true;
    unit.m_control.next = MemoryControl {
        tag: Bits::new(a.tag.into()),
        warp: Bits::new(a.warp.into()),
        pc: Bits::new(a.pc.into()),
        beat: Bits::new(beat as u64),
        last: beat == 32 / LANES - 1 && part == passes(a) - 1,
        store: a.store,
        local: false,
        size: Bits::new(a.size.into()),
        is_signed: a.is_signed,
        row: Bits::new(a.row.into()),
        register: Bits::new(a.register.into()),
        halves: Bits::new(a.halves.into()),
        fill: a.fill,
        further: Bits::new(a.further.into()),
        further_fill: Bits::new(a.further_fill.into()),
        part: Bits::new(part as u64),
        complete: part == passes(a) - 1,
    };
    let all = u32::MAX >> (32 - LANES);
    unit.m_mask.next = Bits::new((a.mask >> (beat * LANES) & all).into());
    for i in 0..LANES {
        unit.m_address[i].next = Bits::new(a.address[beat * LANES + i].into());
        let data = (a.data[beat * LANES + i] >> (32 * part)) as u32;
        unit.m_data[i].next = Bits::new(data.into());
    }
}

/// Behaviour of the surroundings.
#[derive(Clone, Copy, Debug)]
struct Surroundings {
    /// Probability that a beat is sent when one is allowed.
    enqueue: f64,
    /// Probability that the memory accepts a request.
    ready: f64,
    /// Probability that writeback accepts a beat.
    writeback: f64,
    /// Cycles from a request to its response, at least 1.
    latency: (u64, u64),
}

const PROMPT: Surroundings = Surroundings {
    enqueue: 1.0,
    ready: 1.0,
    writeback: 1.0,
    latency: (1, 1),
};

/// The times of events.
#[derive(Default, Debug)]
struct Times {
    enqueued: Vec<u64>,
    requested: Vec<u64>,
    /// The cycle in which it was first valid, accepted or not.
    offered: Vec<u64>,
    responded: Vec<u64>,
    loaded: Vec<u64>,
}

struct Bench<const LANES: usize> {
    engine: CycleEngine<GlobalMemoryUnit<LANES>>,
    rng: ChaCha8Rng,
    memory: Memory,
    end: u64,
    strict: bool,
}

impl<const LANES: usize> Bench<LANES> {
    fn new(seed: u64, end: u64) -> Self {
        let mut engine = CycleEngine::new(Box::new(GlobalMemoryUnit::new()));
        engine.block.global_end.next = Bits::new(end & 0xffff_ffff);
        Bench {
            engine,
            rng: ChaCha8Rng::seed_from_u64(seed),
            memory: Memory::default(),
            end,
            strict: false,
        }
    }

    /// Runs the accesses to the end and compares everything with the model.
    fn run(&mut self, accesses: &[Access], around: Surroundings) -> Times {
        let expected = expect(LANES, accesses, self.memory.clone(), self.end, self.strict);
        self.engine.block.strict_coalescing.next = self.strict;
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
            assert!(
                cycle - first < 2000 + 400 * accesses.len() as u64,
                "the unit hangs, {around:?}"
            );
            let unit = &mut self.engine.block;
            unit.m_enqueue.next = false;
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
            // The unit's offer must not depend on whether it is accepted.
            let offered = |unit: &GlobalMemoryUnit<LANES>| {
                (
                    unit.memory.request_valid.val(),
                    unit.memory.request_write.val(),
                    unit.memory.request_address.val(),
                    unit.l_valid.val(),
                )
            };
            unit.memory.request_ready.next = false;
            unit.l_ready.next = false;
            self.engine.settle();
            let before = offered(&self.engine.block);
            let ready = self.rng.gen_bool(around.ready);
            self.engine.block.memory.request_ready.next = ready;
            let writeback = self.rng.gen_bool(around.writeback);
            self.engine.block.l_ready.next = writeback;
            self.engine.settle();
            let unit = &self.engine.block;
            assert_eq!(before, offered(unit), "an offer depends on ready");

            if unit.m_dequeued.val() {
                credits += 1;
                assert!(credits <= capacity, "more credits than places");
            }
            if unit.m_idle.val() && expected.fault.is_none() {
                let done = beats_before.checked_sub(1).map_or((0, 0), |b| expected.progress[b]);
                assert_eq!((requests, loaded), done, "idle too early");
            }
            if unit.memory.request_valid.val() {
                let request = (
                    unit.memory.request_write.val(),
                    unit.memory.request_address.val().raw(),
                    unit.memory
                        .request_data
                        .iter()
                        .map(|x| x.val().raw())
                        .collect::<Vec<_>>(),
                    unit.memory
                        .request_enable
                        .iter()
                        .map(|x| x.val().raw())
                        .collect::<Vec<_>>(),
                );
                match &held {
                    Some(held) => assert_eq!(held, &request, "a request changed while it waited"),
                    None => times.offered.push(cycle),
                }
                assert_eq!(unit.m_transaction.val(), ready);
                if ready {
                    let (write, segment, words, enables) = request;
                    let enabled = enables
                        .iter()
                        .enumerate()
                        .fold(0, |m, (i, e)| m | u128::from(*e) << (4 * i));
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
            let control = unit.l_control.val();
            assert_eq!(control.valid, unit.l_valid.val());
            if unit.l_valid.val() && writeback {
                let want = expected.loaded.get(loaded).expect("more loaded than asked for");
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
                    mask: unit.l_mask.val().raw() as u32,
                    data: (0..LANES)
                        .map(|i| want.data[i].map(|_| unit.l_data[i].val().raw() as u32))
                        .collect(),
                };
                assert_eq!(&got, want, "loaded beat {loaded}");
                loaded += 1;
                times.loaded.push(cycle);
            }
            let error = unit.m_error.val();
            if error.code.any() {
                assert_eq!(
                    Some((error.code.raw(), error.warp.raw(), error.pc.raw(), error.address.raw())),
                    expected.fault
                );
                assert_eq!(
                    (requests, loaded),
                    (expected.requests.len(), expected.loaded.len()),
                    "an error before what came before it was done"
                );
            }
            let finished = instruction == accesses.len() && credits == capacity && unit.m_idle.val();
            quiet = if finished && !unit.m_enqueue.val() {
                quiet + 1
            } else {
                0
            };
            self.engine.tick();
        }
        assert_eq!(requests, expected.requests.len());
        assert_eq!(loaded, expected.loaded.len());
        assert_eq!(
            self.engine.block.m_error.val().code.any(),
            expected.fault.is_some(),
            "{:?}",
            expected.fault
        );
        assert!(self.memory == expected.memory, "memory differs");
        times
    }

    /// Start of the next grid.
    fn clear(&mut self) {
        self.engine.block.clear.next = true;
        self.engine.settle();
        self.engine.tick();
        self.engine.block.clear.next = false;
        self.engine.settle();
        assert!(!self.engine.block.m_error.val().code.any());
    }
}

fn surroundings(rng: &mut impl Rng) -> Surroundings {
    let probability = |rng: &mut dyn rand::RngCore| *[1.0, 1.0, 0.7, 0.2].get(rng.gen_range(0..4)).unwrap_or(&1.0);
    let least = rng.gen_range(1..8);
    Surroundings {
        enqueue: probability(rng),
        ready: probability(rng),
        writeback: probability(rng),
        latency: (least, least + if rng.gen() { 0 } else { rng.gen_range(0..40) }),
    }
}

/// Ends of memory: the whole range, the smallest above 0, some not at a segment's end.
const ENDS: [u64; 5] = [1 << 32, 1 << 16, 4, 4096 + 20, 8192 + 3];

fn random_accesses<const LANES: usize>() {
    for seed in 0..if cfg!(feature = "soak") { 60 } else { 20 } {
        let mut rng = ChaCha8Rng::seed_from_u64(1000 + seed);
        let end = ENDS[seed as usize % ENDS.len()];
        let mut bench = Bench::<LANES>::new(seed, end);
        for _ in 0..3 {
            let accesses: Vec<Access> = (0..rng.gen_range(1..60)).map(|_| access(&mut rng, end)).collect();
            bench.strict = rng.gen();
            bench.run(&accesses, surroundings(&mut rng));
        }
    }
}

#[test]
fn random_accesses_at_8_lanes() {
    random_accesses::<8>();
}

#[test]
fn random_accesses_at_16_lanes() {
    random_accesses::<16>();
}

#[test]
fn random_accesses_at_32_lanes() {
    random_accesses::<32>();
}

fn random_errors<const LANES: usize>() {
    let mut seen = [0; 16];
    for seed in 0..80 {
        let mut rng = ChaCha8Rng::seed_from_u64(2000 + seed);
        let end = ENDS[seed as usize % ENDS.len()];
        let mut bench = Bench::<LANES>::new(seed, end);
        for _ in 0..3 {
            let mut accesses: Vec<Access> = (0..rng.gen_range(1..40)).map(|_| access(&mut rng, end)).collect();
            for _ in 0..rng.gen_range(1..4) {
                let victim = rng.gen_range(0..accesses.len());
                for _ in 0..rng.gen_range(1..4) {
                    let lane = rng.gen_range(0..32);
                    let address = &mut accesses[victim].address[lane];
                    *address = match rng.gen_range(0..4) {
                        0 => *address + rng.gen_range(1..4),
                        1 => rng.gen(),
                        2 => (end as u32).wrapping_sub(rng.gen_range(0..6)),
                        _ => u32::MAX - 3,
                    };
                    accesses[victim].mask |= u32::from(rng.gen::<bool>()) << lane;
                }
            }
            bench.strict = rng.gen();
            let expected = expect(LANES, &accesses, Memory::default(), end, bench.strict);
            seen[expected.fault.map_or(0, |f| f.0 as usize)] += 1;
            bench.run(&accesses, surroundings(&mut rng));
            bench.clear();
        }
    }
    assert!(seen[0] > 5 && seen[5] > 20 && seen[6] > 20, "{seen:?}");
}

#[test]
fn random_errors_at_8_lanes() {
    random_errors::<8>();
}

#[test]
fn random_errors_at_16_lanes() {
    random_errors::<16>();
}

#[test]
fn random_errors_at_32_lanes() {
    random_errors::<32>();
}

/// A full warp's access of consecutive words from `address`.
fn coalesced(store: bool, address: u32) -> Access {
    Access {
        store,
        size: 2,
        is_signed: false,
        mask: u32::MAX,
        address: std::array::from_fn(|i| address + 4 * i as u32),
        data: std::array::from_fn(|i| u128::from(0x1000 * i as u32 + address) * (1 | 3 << 32 | 5 << 64 | 7 << 96)),
        tag: 1,
        warp: 2,
        pc: 0x48,
        row: 3,
        register: 4,
        halves: 3,
        fill: false,
        further: 0,
        further_fill: 0,
    }
}

/// The error of a single instruction.
fn fault_of(end: u64, a: Access) -> Option<Fault> {
    let mut bench = Bench::<8>::new(1, end);
    bench.run(&[a], PROMPT);
    let error = bench.engine.block.m_error.val();
    error
        .code
        .any()
        .then(|| (error.code.raw(), error.warp.raw(), error.pc.raw(), error.address.raw()))
}

#[test]
fn errors_by_hand() {
    let with = |changes: &[(usize, u32)]| {
        let mut a = coalesced(true, 0x100);
        for &(lane, address) in changes {
            a.address[lane] = address;
        }
        a
    };
    assert_eq!(fault_of(0x1000, with(&[])), None);
    // Both faults in one lane: misaligned takes priority.
    assert_eq!(fault_of(0x1000, with(&[(3, 0x1001)])), Some((5, 2, 0x48, 0x1001)));
    // The lowest lane, whatever its fault; the first beat.
    assert_eq!(
        fault_of(0x1000, with(&[(9, 0x1000), (10, 0x102)])),
        Some((6, 2, 0x48, 0x1000))
    );
    assert_eq!(
        fault_of(0x1000, with(&[(9, 0x106), (31, 0x1000)])),
        Some((5, 2, 0x48, 0x106))
    );
    // The last word, and the end of the address space.
    assert_eq!(fault_of(0x1000, with(&[(0, 0xffc)])), None);
    assert_eq!(fault_of(0xfff, with(&[(0, 0xffc)])), Some((6, 2, 0x48, 0xffc)));
    assert_eq!(fault_of(1 << 32, with(&[(0, 0xffff_fffc)])), None);
    assert_eq!(
        fault_of(1 << 32, with(&[(0, 0xffff_ffff)])),
        Some((5, 2, 0x48, 0xffff_ffff))
    );
    // An inactive lane may hold any address.
    let mut a = with(&[(5, 0x1003)]);
    a.mask = !(1 << 5);
    assert_eq!(fault_of(0x1000, a), None);
}

/// Latencies of a lone load, and the rate of many.
fn speed<const LANES: usize>() {
    let mut bench = Bench::<LANES>::new(3, 1 << 16);
    let lone = bench.run(&[coalesced(false, 0x400)], PROMPT);
    let beats = 32 / LANES;
    assert_eq!(lone.offered.len(), beats);
    for beat in 0..beats {
        assert!(lone.offered[beat] - lone.enqueued[beat] <= 4, "{lone:?}");
        assert!(lone.loaded[beat] - lone.responded[beat] <= 2, "{lone:?}");
    }
    for (store, latency) in [(false, 1), (false, 12), (true, 1)] {
        let many: Vec<Access> = (0..100).map(|i| coalesced(store, 128 * i)).collect();
        let around = Surroundings {
            latency: (latency, latency),
            ..PROMPT
        };
        let times = bench.run(&many, around);
        let count = 100 * beats;
        let span = |times: &[u64]| {
            assert_eq!(times.len(), count);
            times[count - 1] - times[0] + 1
        };
        assert_eq!(span(&times.enqueued), count as u64, "one beat a cycle comes");
        assert_eq!(span(&times.requested), count as u64, "one request a cycle");
        if !store {
            assert_eq!(span(&times.loaded), count as u64, "one beat a cycle is loaded");
        }
    }
    // Every lane in its own segment: as many requests as lanes, still one per cycle.
    let mut scattered = coalesced(false, 0);
    scattered.address = std::array::from_fn(|i| 256 * i as u32);
    let times = bench.run(&vec![scattered; 20], PROMPT);
    assert_eq!(times.requested.len(), 640);
    assert_eq!(times.requested[639] - times.requested[0] + 1, 640);
}

#[test]
fn speed_at_8_lanes() {
    speed::<8>();
}

#[test]
fn speed_at_16_lanes() {
    speed::<16>();
}

#[test]
fn speed_at_32_lanes() {
    speed::<32>();
}

/// Requests for one access by all threads, counted by the unit's statistics pulse.
fn requests<const LANES: usize>(strict: bool, a: &Access) -> usize {
    let mut bench = Bench::<LANES>::new(4, 1 << 16);
    bench.strict = strict;
    // The bench checks `m_transaction` against each accepted request.
    bench.run(std::slice::from_ref(a), PROMPT).requested.len()
}

/// Number of requests under both rules, with 8, 16 and 32 lanes.
#[test]
fn requests_of_both_rules() {
    let pattern = |size: u32, element: fn(u32) -> u32, mask: u32| Access {
        size,
        address: std::array::from_fn(|thread| 0x400 + (element(thread as u32) << size)),
        mask,
        ..coalesced(false, 0)
    };
    let in_order = |thread| thread;
    for (what, a, segment, g80) in [
        ("32 bits in order", pattern(2, in_order, !0), [4, 2, 1], [4, 2, 2]),
        ("64 bits in order", pattern(3, in_order, !0), [8, 4, 2], [8, 4, 2]),
        ("128 bits in order", pattern(4, in_order, !0), [16, 8, 4], [16, 8, 4]),
        (
            "threads missing",
            pattern(2, in_order, 0x5555_5555),
            [4, 2, 1],
            [4, 2, 2],
        ),
        ("one thread", pattern(3, in_order, 1 << 13), [1; 3], [1; 3]),
        ("half a warp", pattern(2, in_order, 0xffff), [2, 1, 1], [2, 1, 1]),
        ("backwards", pattern(2, |thread| thread ^ 15, !0), [4, 2, 1], [32; 3]),
        ("one word on", pattern(2, |thread| thread + 1, !0), [8, 4, 2], [32; 3]),
        (
            "64 bits, one on",
            pattern(3, |thread| thread + 1, !0),
            [12, 6, 3],
            [32; 3],
        ),
        ("all in one place", pattern(2, |_| 5, !0), [4, 2, 1], [32; 3]),
        (
            "every other word",
            pattern(2, |thread| 2 * thread, !0),
            [8, 4, 2],
            [32; 3],
        ),
        (
            "halves swapped",
            pattern(2, |thread| thread ^ 16, !0),
            [4, 2, 1],
            [4, 2, 2],
        ),
        (
            "quarters swapped",
            pattern(2, |thread| thread ^ 8, !0),
            [4, 2, 1],
            [32; 3],
        ),
        (
            "an odd one",
            pattern(2, |thread| if thread == 31 { 0 } else { thread }, !0),
            [5, 3, 1],
            [18, 17, 17],
        ),
        ("bytes", pattern(0, in_order, !0), [4, 2, 1], [32; 3]),
        ("16 bits", pattern(1, in_order, !0), [4, 2, 1], [32; 3]),
    ] {
        let got = |strict| {
            [
                requests::<8>(strict, &a),
                requests::<16>(strict, &a),
                requests::<32>(strict, &a),
            ]
        };
        assert_eq!((got(false), got(true)), (segment, g80), "{what}");
        let store = Access {
            store: true,
            ..a.clone()
        };
        assert_eq!(requests::<8>(true, &store), g80[0], "{what}, stored");
    }
}

/// 64 and 128 bits: one request and one register per cycle.
fn wide_speed<const LANES: usize>() {
    for (size, registers) in [(3, 2), (4, 4)] {
        for store in [false, true] {
            let wide = |i: u32| {
                let bytes = 1 << size;
                Access {
                    size,
                    address: std::array::from_fn(|thread| 32 * bytes * (i % 16) + bytes * thread as u32),
                    ..coalesced(store, 0)
                }
            };
            let mut bench = Bench::<LANES>::new(5, 1 << 16);
            let times = bench.run(&(0..64).map(wide).collect::<Vec<_>>(), PROMPT);
            let count = 64 * (32 / LANES) * registers;
            let span = |times: &[u64]| {
                assert_eq!(times.len(), count);
                times[count - 1] - times[0] + 1
            };
            assert_eq!(span(&times.requested), count as u64, "one request a cycle");
            if store {
                assert_eq!(span(&times.enqueued), count as u64, "one register a cycle comes");
            } else {
                assert_eq!(span(&times.loaded), count as u64, "one register a cycle is loaded");
            }
            // A lone load is as fast as one of 32 bits.
            let lone = Bench::<LANES>::new(6, 1 << 16).run(&[wide(0)], PROMPT);
            let begun = if store { registers - 1 } else { 0 };
            assert_eq!(lone.offered[0] - lone.enqueued[begun], 4, "{lone:?}");
            if !store {
                assert_eq!(lone.loaded[0] - lone.responded[registers - 1], 1, "{lone:?}");
            }
        }
    }
}

/// Stores of 128 bits in which lanes a quarter of the lane count apart are neighbours in memory: the store buffer reads
/// their data in two cycles per request.
fn meeting_stores<const LANES: usize>() {
    let bit = LANES.ilog2() - 2;
    let swapped = |thread: u32| thread & !(1 | 1 << bit) | thread >> bit & 1 | (thread & 1) << bit;
    let scattered = |i: u32| Access {
        size: 4,
        address: std::array::from_fn(|thread| 32 * 16 * (i % 16) + 16 * swapped(thread as u32)),
        ..coalesced(true, 0)
    };
    let mut bench = Bench::<LANES>::new(7, 1 << 16);
    let times = bench.run(&(0..64).map(scattered).collect::<Vec<_>>(), PROMPT);
    let count = 64 * (32 / LANES) * 4;
    assert_eq!(times.requested.len(), count);
    assert_eq!(
        times.requested[count - 1] - times.requested[0] + 1,
        2 * count as u64 - 1
    );
}

#[test]
fn meeting_stores_take_two_cycles() {
    meeting_stores::<8>();
    meeting_stores::<16>();
    meeting_stores::<32>();
}

#[test]
fn wide_speed_at_8_lanes() {
    wide_speed::<8>();
}

#[test]
fn wide_speed_at_16_lanes() {
    wide_speed::<16>();
}

#[test]
fn wide_speed_at_32_lanes() {
    wide_speed::<32>();
}

fn lint<const LANES: usize>() {
    let findings = hdlkit::lint::lint(&GlobalMemoryUnit::<LANES>::new());
    let text: Vec<String> = findings.iter().map(|f| f.to_string()).collect();
    assert!(text.is_empty(), "{}", text.join("\n"));
}

#[test]
fn kernels_keep_the_rules() {
    lint::<8>();
    lint::<16>();
    lint::<32>();
}

/// The native circuit against its Verilog, with random accesses and an occasional error and clear.
fn equals_verilog<const LANES: usize>(cycles: u64) {
    let (mut credits, mut beat, mut part, mut current) = (queue_instructions(LANES), 0, 0, None);
    let (mut taken, mut awaited) = (false, 0u32);
    let stimulus = |unit: &mut GlobalMemoryUnit<LANES>, rng: &mut ChaCha8Rng, cycle: u64| {
        // Outcome of the previous cycle.
        credits += usize::from(unit.m_dequeued.val());
        if taken && unit.memory.request_valid.val() && !unit.memory.request_write.val() {
            awaited += 1;
        }
        unit.global_end.next = Bits::new(0x1_0000);
        unit.strict_coalescing.next = cycle % 1000 >= 500;
        unit.m_enqueue.next = false;
        if (beat > 0 || part > 0 || credits > 0) && rng.gen_bool(0.8) {
            if beat == 0 && part == 0 {
                credits -= 1;
                let mut a = access(rng, 0x1_0000);
                if rng.gen_range(0..40) == 0 {
                    a.address[rng.gen_range(0..32)] = rng.gen();
                }
                current = Some(a);
            }
            if let Some(a) = &current {
                drive(unit, a, beat, part);
                part = (part + 1) % passes(a);
            }
            if part == 0 {
                beat = (beat + 1) % (32 / LANES);
            }
        }
        unit.clear.next = unit.m_error.val().code.any() && rng.gen_range(0..20) == 0;
        unit.memory.response_valid.next = awaited > 0 && rng.gen_bool(0.7);
        awaited -= u32::from(unit.memory.response_valid.next);
        for port in &mut unit.memory.response_data {
            port.next = Bits::new(rng.gen::<u32>().into());
        }
        // Phases in which the queues fill up.
        taken = rng.gen_bool(if cycle % 500 < 100 { 0.1 } else { 0.9 });
        unit.memory.request_ready.next = taken;
        unit.l_ready.next = rng.gen_bool(if cycle % 700 < 150 { 0.1 } else { 0.9 });
    };
    match hdlkit_compiled::cosim::cosim(|| Box::new(GlobalMemoryUnit::<LANES>::new()), cycles, 7, stimulus) {
        Ok(report) => {
            assert_eq!(report.cycles, cycles);
            assert_eq!(report.outputs_that_changed, report.outputs, "{report:?}");
        }
        Err(hdlkit_compiled::cosim::CosimError::Missing { tool, .. }) => println!("skipped: no {tool}"),
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn equals_verilog_at_8_lanes() {
    equals_verilog::<8>(6000);
}

#[test]
#[cfg(feature = "soak")]
fn equals_verilog_at_16_lanes() {
    equals_verilog::<16>(3000);
}

#[test]
#[cfg(feature = "soak")]
fn equals_verilog_at_32_lanes() {
    equals_verilog::<32>(2000);
}
