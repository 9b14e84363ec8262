//! Accesses, and the model: the required effects of each, lane by lane and in order.

use rand::Rng;
use std::collections::BTreeMap;

/// A memory of 2^32 bytes whose initial contents depend on their address.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Memory(BTreeMap<u32, u8>);

impl Memory {
    pub fn byte(&self, address: u32) -> u8 {
        let initial = (address.wrapping_mul(0x9e37_79b1) ^ 0x5bd1_e995) >> 11;
        *self.0.get(&address).unwrap_or(&(initial as u8))
    }
    fn load(&self, address: u32, bytes: u32) -> u128 {
        (0..bytes).fold(0, |word, i| word | u128::from(self.byte(address + i)) << (8 * i))
    }
    pub fn store(&mut self, address: u32, bytes: u32, data: u128) {
        for i in 0..bytes {
            self.0.insert(address + i, (data >> (8 * i)) as u8);
        }
    }
}

/// A warp instruction.
#[derive(Clone, Debug)]
pub struct Access {
    pub store: bool,
    /// log2 of the size in bytes.
    pub size: u32,
    pub is_signed: bool,
    pub mask: u32,
    pub address: [u32; 32],
    /// Data to store, in the low bytes.
    pub data: [u128; 32],
    pub tag: u16,
    pub warp: u8,
    pub pc: u32,
    pub row: u16,
    pub register: u8,
    pub halves: u8,
    pub fill: bool,
    pub further: u8,
    pub further_fill: u8,
}

impl Access {
    pub fn registers(&self) -> usize {
        (1 << self.size as usize) / 4 + usize::from(self.size < 2)
    }
}

pub fn access(rng: &mut impl Rng, end: u64) -> Access {
    let mask = match rng.gen_range(0..6) {
        0 => 0,
        1 => u32::MAX,
        2 => 1 << rng.gen_range(0..32),
        // Few active lanes: some beats have none.
        3 => 0xff << (8 * rng.gen_range(0..4)) & rng.gen::<u32>(),
        4 => u32::MAX << rng.gen_range(0..32),
        _ => rng.gen(),
    };
    let size = if end < 64 { 2 } else { rng.gen_range(0..5) };
    let places = (end >> size).min(u32::MAX.into()) as u32;
    // Few locations, to make accesses alias.
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
            // Consecutive addresses, with one exception.
            7 => origin / 32 * 32 + if lane == odd_one_out { rng.gen_range(0..32) } else { lane },
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

/// One beat and register of a load, as required at writeback.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    pub tag: u16,
    pub warp: u8,
    pub row: u16,
    pub register: u8,
    pub halves: u8,
    pub fill: bool,
    pub beat: usize,
    pub last: bool,
    pub mask: u32,
    pub data: Vec<Option<u32>>,
}

/// Code, warp, PC, address.
pub type Fault = (u64, u64, u64, u64);

/// The required effects of the accesses.
#[derive(Default)]
pub struct Expected {
    pub memory: Memory,
    /// Requests: write, segment, bytes enabled.
    pub requests: Vec<(bool, u32, u128)>,
    pub loaded: Vec<Loaded>,
    pub fault: Option<Fault>,
    /// After each beat, the numbers of requests and loaded beats so far.
    pub progress: Vec<(usize, usize)>,
}

/// The G80's coalescing rule: true if the k-th thread of `thread`'s half-warp accesses 4, 8 or 16 bytes at `base + k *
/// size`, for a base that is a multiple of 16 times the size. Any thread may be inactive.
fn keeps_the_rule(a: &Access, thread: usize) -> bool {
    let size = 1 << a.size;
    let half = thread / 16 * 16..thread / 16 * 16 + 16;
    let mut bases = half.filter(|thread| a.mask >> thread & 1 != 0).map(|thread| {
        // A misaligned access counts at its aligned address.
        let element = i64::from(a.address[thread]) / size;
        (element - (thread % 16) as i64) * size
    });
    let Some(base) = bases.next() else { return true };
    a.size >= 2 && base % (16 * size) == 0 && bases.all(|other| other == base)
}

pub fn expect(lanes: usize, accesses: &[Access], mut memory: Memory, end: u64, strict: bool) -> Expected {
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
            // Segments in the order of their lowest lanes. Under the strict rule, each half-warp that keeps the rule
            // has its own segments, otherwise each of its threads.
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
            expected.requests.extend(segments.iter().map(|&(_, s, enabled)| (a.store, s, enabled)));
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
                        halves: if first { a.halves } else { 3 * (a.further >> (part - 1) & 1) },
                        fill: if first { a.fill } else { a.further_fill >> (part - 1) & 1 == 1 },
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

/// A full warp's access to consecutive words starting at `address`.
pub fn coalesced(store: bool, address: u32) -> Access {
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
