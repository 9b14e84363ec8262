//! The operand collector and its parts: the bank arbitration against the rule in NVIDIA's guide for the G80, the
//! storage against plain arrays, and the whole against a model that executes one instruction after another.

use flexgrip_hdl::bundles::{Indexing, Issued, WarpLaunch};
use flexgrip_hdl::memory::shared::SharedMemory;
use flexgrip_hdl::operands::operand_collector::address_file::AddressFile;
use flexgrip_hdl::operands::operand_collector::bank_select::BankSelect;
use flexgrip_hdl::operands::operand_collector::gather_buffer::GatherBuffer;
use flexgrip_hdl::operands::operand_collector::warp_queue::{WarpQueue, PLACES};
use flexgrip_hdl::operands::operand_collector::OperandCollector;
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Access codes of the circuits.
const BYTE: u64 = 0;
const HALF: u64 = 1;
const SIGNED_HALF: u64 = 2;
const WORD: u64 = 3;

/// Bytes of an access.
fn size(access: u64) -> u32 {
    [1, 2, 2, 4][access as usize]
}

/// Numbers of the bits that are set.
fn bits(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |bit| set >> bit & 1 == 1)
}

fn as_set(members: impl Iterator<Item = usize>) -> u32 {
    members.fold(0, |set, member| set | 1 << member)
}

// ---------------------------------------------------------------------------------------------------------------------
// Bank arbitration.

/// Kind of a half-warp's access to shared or constant memory.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Load,
    Store,
    Constant,
}

/// The threads served in one step, by the guide: choose a broadcast word among the outstanding ones; serve all
/// addresses within it, and one address of each other bank. Here the broadcast word is the lowest thread's, and so is
/// the address in each other bank. A store serves only identical addresses together; constant memory has no other
/// banks.
fn step(kind: Kind, waiting: u32, address: &[u32; 16]) -> u32 {
    let Some(lowest) = bits(waiting).next() else {
        return 0;
    };
    let bank = |thread: usize| address[thread] / 4 % 16;
    let together = |thread: &usize| match kind {
        Kind::Store => address[*thread] == address[lowest],
        _ => address[*thread] / 4 == address[lowest] / 4,
    };
    let mut served = as_set(bits(waiting).filter(together));
    if kind != Kind::Constant {
        for other in (0..16).filter(|other| *other != bank(lowest)) {
            served |= as_set(bits(waiting).filter(|thread| bank(*thread) == other).take(1));
        }
    }
    served
}

/// Steps until all threads are served.
fn steps(kind: Kind, threads: u32, address: &[u32; 16]) -> u64 {
    let (mut waiting, mut count) = (threads, 0);
    while waiting != 0 {
        waiting &= !step(kind, waiting, address);
        count += 1;
    }
    count
}

struct SelectBench<const LANES: usize>(CycleEngine<BankSelect<LANES>>);

impl<const LANES: usize> SelectBench<LANES> {
    fn new() -> Self {
        SelectBench(CycleEngine::new(Box::new(BankSelect::blank())))
    }

    /// Threads served by a step, over all of its phases.
    fn served(&mut self, kind: Kind, waiting: u32, address: &[u32; 16]) -> u32 {
        let block = &mut self.0.block;
        block.pending.next = Bits::new(waiting.into());
        block.store.next = kind == Kind::Store;
        block.constant.next = kind == Kind::Constant;
        for (port, value) in block.address.iter_mut().zip(address) {
            port.next = Bits::new((*value).into());
        }
        self.0.settle();
        self.0.block.served.val().raw() as u32
    }

    /// Steps that the circuit takes for a half-warp of 16 threads.
    fn degree(&mut self, kind: Kind, address: impl Fn(u32) -> u32) -> u32 {
        let address = std::array::from_fn(|thread| address(thread as u32));
        let (mut waiting, mut count) = (0xffff, 0);
        while waiting != 0 {
            let served = self.served(kind, waiting, &address);
            assert!(
                served & waiting != 0 && served & !waiting == 0,
                "{served:04x} of {waiting:04x}"
            );
            waiting &= !served;
            count += 1;
        }
        count
    }
}

#[test]
fn degrees_of_conflict_are_those_of_the_guide() {
    let mut bench = SelectBench::<16>::new();
    for (words, degree) in [(1, 1), (2, 2), (3, 1), (4, 4), (8, 8), (16, 16), (17, 1), (32, 16)] {
        for kind in [Kind::Load, Kind::Store] {
            let found = bench.degree(kind, |thread| 4 * words * thread);
            assert_eq!(found, degree, "{kind:?}, a stride of {words} words");
        }
    }
    // One word for all, then for groups of threads, together with a word in another bank.
    assert_eq!(bench.degree(Kind::Load, |_| 100), 1);
    assert_eq!(bench.degree(Kind::Store, |_| 100), 1);
    assert_eq!(
        bench.degree(Kind::Load, |thread| if thread == 3 { 200 } else { 100 }),
        1
    );
    // Another word of the broadcast word's bank is a conflict.
    assert_eq!(
        bench.degree(Kind::Load, |thread| if thread == 3 { 164 } else { 100 }),
        2
    );
    // Arrays of bytes and halves, one element after the other: the guide's four-way and two-way conflicts.
    assert_eq!(bench.degree(Kind::Load, |thread| thread), 4);
    assert_eq!(bench.degree(Kind::Load, |thread| 2 * thread), 2);
    assert_eq!(bench.degree(Kind::Load, |thread| 4 * thread + 1), 1);
    assert_eq!(bench.degree(Kind::Store, |thread| thread), 4);
    // Any permutation of the words of a row.
    assert_eq!(bench.degree(Kind::Load, |thread| 4 * (7 * thread % 16)), 1);
    // Constant memory: one step per distinct word.
    assert_eq!(bench.degree(Kind::Constant, |_| 100), 1);
    assert_eq!(bench.degree(Kind::Constant, |thread| thread), 4);
    assert_eq!(bench.degree(Kind::Constant, |thread| 4 * thread), 16);
}

fn each_step_serves_whom_the_rule_names_with<const LANES: usize>() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut bench = SelectBench::<LANES>::new();
    for _ in 0..20_000 {
        let kind = *[Kind::Load, Kind::Store, Kind::Constant]
            .choose(&mut rng)
            .expect("some");
        let access = rng.gen_range(0..4);
        let odd = rng.gen();
        let phase = match (LANES, odd) {
            (8, false) => 0x00ff,
            (8, true) => 0xff00,
            _ => 0xffff,
        };
        let waiting = rng.gen::<u32>() & *[0, 0xffff, rng.gen_range(0..0x1_0000)].choose(&mut rng).expect("some");
        let (spread, base) = (1 << rng.gen_range(1..=14), rng.gen_range(0..256));
        let mut address = [0; 16];
        let mut data = [0; 16];
        for thread in 0..16 {
            address[thread] = rng.gen_range(0..spread) / size(access) * size(access);
            data[thread] = rng.gen::<u32>();
            bench.0.block.data[thread].next = Bits::new(data[thread].into());
        }
        bench.served(kind, waiting, &address);
        bench.0.block.odd.next = odd;
        bench.0.block.access.next = Bits::new(access);
        bench.0.block.base.next = Bits::new(base);
        bench.0.block.capture.next = true;
        bench.0.settle();
        let block = &bench.0.block;
        let context = format!("{kind:?} {access} {waiting:04x} {phase:04x} {address:x?}");
        let served = step(kind, waiting, &address);
        assert_eq!(block.served.val().raw(), u64::from(served), "{context}");
        let lowest = bits(waiting).next().unwrap_or(15);
        assert_eq!(block.leader.val().raw(), u64::from(address[lowest]), "{context}");
        // The banks' outputs in the next cycle, and in all following ones while nothing is captured.
        bench.0.tick();
        if rng.gen() {
            bench.0.block.capture.next = false;
            bench.served(Kind::Load, !waiting & 0xffff, &address);
            bench.0.tick();
        }
        let block = &bench.0.block;
        let mut used = 0;
        for thread in bits(served & phase).filter(|_| kind != Kind::Constant) {
            // A later thread overwrites an earlier one: the highest thread's data stays.
            let bank = (address[thread] / 4 % 16) as usize;
            used |= 1 << bank;
            let others = |other: &usize| address[*other] / 4 % 16 == bank as u32 && *other > thread;
            if bits(served & phase).any(|other| others(&other)) {
                continue;
            }
            let row = (base + u64::from(address[thread] / 64)) % 256;
            assert_eq!(block.row[bank].val().raw(), row, "{context}");
            let (bytes, first) = (size(access), address[thread] % 4);
            let enabled = (0..4).filter(|byte| (first..first + bytes).contains(byte));
            let enable = as_set(enabled.map(|byte| byte as usize));
            assert_eq!(block.bytes[bank].val().raw(), u64::from(enable), "{context}");
            for byte in 0..bytes {
                let stored = block.word[bank].val().raw() >> (8 * (first + byte)) & 0xff;
                assert_eq!(stored, u64::from(data[thread] >> (8 * byte) & 0xff), "{context}");
            }
        }
        assert_eq!(block.banks.val().raw(), used, "{context}");
    }
}

#[test]
fn each_step_serves_whom_the_rule_names() {
    each_step_serves_whom_the_rule_names_with::<8>();
    each_step_serves_whom_the_rule_names_with::<16>();
    each_step_serves_whom_the_rule_names_with::<32>();
}

// ---------------------------------------------------------------------------------------------------------------------
// Storage.

fn warp_queue<const D: usize, const LANES: usize>() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut engine = CycleEngine::new(Box::new(WarpQueue::<D, LANES>::blank()));
    let mut values = [[0u64; 32]; PLACES];
    let mut taken = [0; 16];
    for _ in 0..3_000 {
        let (write, take, upper) = (rng.gen_bool(0.7), rng.gen_bool(0.7), rng.gen());
        let (place, beat, from) = (
            rng.gen_range(0..PLACES),
            rng.gen_range(0..32 / LANES),
            rng.gen_range(0..PLACES),
        );
        let data: [u64; LANES] = std::array::from_fn(|_| rng.gen::<u64>() & ((1 << D) - 1));
        let block = &mut engine.block;
        block.write_enable.next = write;
        block.write_place.next = Bits::new(place as u64);
        block.write_beat.next = Bits::new(beat as u64);
        block.take.next = take;
        block.take_place.next = Bits::new(from as u64);
        block.take_upper.next = upper;
        for (port, value) in block.write_data.iter_mut().zip(&data) {
            port.next = Bits::new(*value);
        }
        engine.settle();
        assert!(engine
            .block
            .half
            .iter()
            .zip(&taken)
            .all(|(port, value)| port.val().raw() == *value));
        engine.tick();
        // A capture takes the data from before the write.
        if take {
            let first = if upper { 16 } else { 0 };
            taken.copy_from_slice(&values[from][first..first + 16]);
        }
        if write {
            values[place][beat * LANES..][..LANES].copy_from_slice(&data);
        }
    }
}

#[test]
fn queues_of_warps_are_written_by_beats_and_taken_by_halves() {
    warp_queue::<18, 8>();
    warp_queue::<18, 16>();
    warp_queue::<18, 32>();
    warp_queue::<32, 8>();
}

/// The operand that an access extracts from a word.
fn extract(word: u32, place: u32, access: u64) -> u32 {
    let bytes = word.to_le_bytes();
    let half = |first: u32| u16::from_le_bytes([bytes[first as usize], bytes[first as usize + 1]]);
    match access {
        BYTE => bytes[place as usize % 4].into(),
        HALF => half(place & 2).into(),
        SIGNED_HALF => half(place & 2) as i16 as u32,
        _ => word,
    }
}

fn gather_buffer<const LANES: usize>() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut engine = CycleEngine::new(Box::new(GatherBuffer::<LANES>::blank()));
    let mut buffers = [[0u32; 32]; 2];
    for cycle in 0..3_000 {
        let block = &mut engine.block;
        let (buffer, upper, odd, constant) = (rng.gen_range(0..2), rng.gen(), rng.gen(), rng.gen_bool(0.3));
        let (threads, access, constant_word): (u16, _, u32) = (rng.gen(), rng.gen_range(0..4), rng.gen());
        let place: [u32; 16] = std::array::from_fn(|_| rng.gen_range(0..64) / size(access) * size(access));
        let word: [u32; 16] = std::array::from_fn(|_| rng.gen());
        let (read_buffer, read_beat) = (rng.gen_range(0..2), rng.gen_range(0..32 / LANES));
        block.write_buffer.next = buffer == 1;
        block.write_upper.next = upper;
        block.write_odd.next = odd;
        block.write_threads.next = Bits::new(threads.into());
        block.access.next = Bits::new(access);
        block.constant.next = constant;
        block.constant_word.next = Bits::new(constant_word.into());
        for i in 0..16 {
            block.place[i].next = Bits::new(place[i].into());
            block.word[i].next = Bits::new(word[i].into());
        }
        block.read_buffer.next = read_buffer == 1;
        block.read_beat.next = Bits::new(read_beat as u64);
        engine.settle();
        let read = &buffers[read_buffer][read_beat * LANES..][..LANES];
        for (lane, expected) in engine.block.lane.iter().zip(read) {
            assert_eq!(lane.val().raw(), u64::from(*expected), "{LANES} lanes, cycle {cycle}");
        }
        engine.tick();
        for thread in bits(threads.into()) {
            if LANES == 8 && (thread >= 8) != odd {
                continue;
            }
            let from = if constant {
                constant_word
            } else {
                word[(place[thread] / 4) as usize]
            };
            buffers[buffer][thread + if upper { 16 } else { 0 }] = extract(from, place[thread], access);
        }
    }
}

#[test]
fn gather_buffers_hold_each_threads_part_of_its_word() {
    gather_buffer::<8>();
    gather_buffer::<16>();
    gather_buffer::<32>();
}

fn address_file<const LANES: usize>() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut engine = CycleEngine::new(Box::new(AddressFile::<LANES>::new()));
    let beats = 32 / LANES;
    let mut registers = vec![[[0u64; 32]; 4]; 32];
    let mut read = [0u64; LANES];
    for cycle in 0..20_000 {
        let warps = [0, 1, 15, 31];
        let (warp, register, beat) = (
            *warps.choose(&mut rng).expect("some"),
            rng.gen_range(0..4),
            rng.gen_range(0..beats),
        );
        let (from, which, at) = (
            *warps.choose(&mut rng).expect("some"),
            rng.gen_range(0..4),
            rng.gen_range(0..beats),
        );
        let (enable, lanes): (bool, u32) = (rng.gen(), if rng.gen() { rng.gen() } else { 0 });
        let data: [u64; LANES] = std::array::from_fn(|_| rng.gen::<u16>().into());
        let block = &mut engine.block;
        block.read_enable.next = enable;
        block.read_warp.next = Bits::new(from as u64);
        block.read_register.next = Bits::new(which as u64);
        block.read_beat.next = Bits::new(at as u64);
        block.write_lanes.next = Bits::new(lanes.into());
        block.write_warp.next = Bits::new(warp as u64);
        block.write_register.next = Bits::new(register as u64);
        block.write_beat.next = Bits::new(beat as u64);
        for (port, value) in block.write_data.iter_mut().zip(&data) {
            port.next = Bits::new(*value);
        }
        engine.settle();
        for (port, value) in engine.block.read_data.iter().zip(&read) {
            assert_eq!(port.val().raw(), *value, "{LANES} lanes, cycle {cycle}");
        }
        engine.tick();
        if enable {
            read.copy_from_slice(&registers[from][which][at * LANES..][..LANES]);
        }
        for lane in bits(lanes).filter(|lane| *lane < LANES) {
            registers[warp][register][beat * LANES + lane] = data[lane];
        }
    }
}

#[test]
fn address_files_keep_four_registers_of_each_thread() {
    address_file::<8>();
    address_file::<16>();
    address_file::<32>();
}

#[test]
fn shared_memory_is_words_rows_and_banks_of_one_array() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut engine = CycleEngine::new(Box::new(SharedMemory::new()));
    let mut words = vec![0u32; 4096];
    let (mut word, mut bank_words) = (None, [None; 16]);
    // A few rows, among them the first and the last.
    let rows = [0u64, 1, 2, 254, 255];
    for cycle in 0..30_000 {
        // As its users do: nothing accesses the banks while a word is broadcast, and nothing stores during
        // initialisation.
        let read = rng.gen_bool(0.3);
        let init = rng.gen_bool(0.2);
        let store = !init && rng.gen_bool(0.4);
        let accesses = if !read && (store || rng.gen()) {
            rng.gen::<u16>()
        } else {
            0
        };
        let clear = rng.gen_bool(0.1);
        let row: [u64; 16] = std::array::from_fn(|_| *rows.choose(&mut rng).expect("some"));
        let bytes: [u32; 16] = std::array::from_fn(|_| *[1, 2, 3, 4, 8, 12, 15].choose(&mut rng).expect("some"));
        let data: [u32; 16] = std::array::from_fn(|_| rng.gen());
        let address = rows.choose(&mut rng).expect("some") * 64 + rng.gen_range(0..64);
        let init_address = rows.choose(&mut rng).expect("some") * 64 + rng.gen_range(0..16) * 4;
        let init_data: u32 = rng.gen();
        let block = &mut engine.block;
        block.read_enable.next = read;
        block.read_address.next = Bits::new(address);
        block.access_banks.next = Bits::new(accesses.into());
        block.access_store.next = store;
        for bank in 0..16 {
            block.access_row[bank].next = Bits::new(row[bank]);
            block.access_bytes[bank].next = Bits::new(bytes[bank].into());
            block.access_word[bank].next = Bits::new(data[bank].into());
        }
        block.init_enable.next = init;
        block.init_clear.next = clear;
        block.init_address.next = Bits::new(init_address);
        block.init_data.next = Bits::new(init_data.into());
        engine.settle();
        if let Some(word) = word {
            assert_eq!(engine.block.read_word.val().raw(), u64::from(word), "cycle {cycle}");
        }
        for (bank, expected) in bank_words.iter().enumerate() {
            if let Some(expected) = expected {
                let found = engine.block.bank_word[bank].val().raw();
                assert_eq!(found, u64::from(*expected), "cycle {cycle}, bank {bank}");
            }
        }
        engine.tick();
        // A read returns the data from before the writes.
        word = read.then(|| words[address as usize / 4]);
        for bank in 0..16 {
            let accessed = accesses >> bank & 1 == 1;
            bank_words[bank] = (accessed && !store).then(|| words[row[bank] as usize * 16 + bank]);
            if accessed && store {
                let place = &mut words[row[bank] as usize * 16 + bank];
                let mut own = place.to_le_bytes();
                for byte in bits(bytes[bank]) {
                    own[byte] = data[bank].to_le_bytes()[byte];
                }
                *place = u32::from_le_bytes(own);
            }
        }
        if init && clear {
            words[init_address as usize / 64 * 16..][..16].fill(0);
        } else if init {
            words[init_address as usize / 4] = init_data;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The collector as a whole.

/// An instruction for the collector.
#[derive(Clone, Debug)]
struct Task {
    issued: Issued,
    /// Active threads.
    mask: u32,
    /// Data that R2G stores.
    data: [u32; 32],
}

/// The required outcome.
#[derive(Clone, Debug)]
struct Outcome {
    /// The address register beforehand.
    register: [u16; 32],
    /// Each thread's address.
    address: [u16; 32],
    /// Operands of the active threads.
    words: [u32; 32],
    /// The address register afterwards.
    incremented: [u16; 32],
    /// Code and address of the lowest faulting thread.
    fault: Option<(u64, u16)>,
}

/// The memories and address registers, according to the machine's contract.
struct Reference {
    shared: Vec<u8>,
    constant: Vec<u8>,
    /// `None`: not written since the warp started.
    registers: Vec<[Option<[u16; 32]>; 4]>,
    /// Where the warps' blocks begin in shared memory.
    base: [usize; 32],
    /// Bytes of a block's shared memory.
    block_bytes: usize,
}

impl Reference {
    fn new(rng: &mut ChaCha8Rng) -> Self {
        Reference {
            shared: vec![0; 16384],
            constant: (0..65536).map(|_| rng.gen()).collect(),
            registers: vec![[None; 4]; 32],
            base: [0; 32],
            block_bytes: 64,
        }
    }

    fn register(&self, task: &Task) -> Option<&[u16; 32]> {
        let indexing = &task.issued.decoded.indexing;
        let register = self.registers[task.issued.warp.index()][indexing.register.index()].as_ref();
        register.filter(|_| indexing.register_used)
    }

    /// The instruction's outcome in the current state.
    fn outcome(&self, task: &Task) -> Outcome {
        let indexing = &task.issued.decoded.indexing;
        let register = *self.register(task).unwrap_or(&[0; 32]);
        let offset = indexing.offset.raw() as u16;
        let incremented = register.map(|value| value.wrapping_add(offset));
        let mut outcome = Outcome {
            register,
            address: if indexing.post_increment { register } else { incremented },
            words: [0; 32],
            incremented,
            fault: None,
        };
        if !indexing.gathers && !indexing.scatters {
            return outcome;
        }
        let access = indexing.access.raw();
        let bytes = size(access) as usize;
        let (memory, limit, misaligned, range) = if indexing.constant {
            (&self.constant[indexing.bank.index() * 4096..][..4096], 4096, 13, 8)
        } else {
            (
                &self.shared[self.base[task.issued.warp.index()]..],
                self.block_bytes,
                12,
                7,
            )
        };
        for thread in bits(task.mask) {
            let place = usize::from(outcome.address[thread]);
            if place % bytes != 0 {
                outcome.fault = Some((misaligned, outcome.address[thread]));
            } else if place + bytes > limit {
                outcome.fault = Some((range, outcome.address[thread]));
            }
            if outcome.fault.is_some() {
                break;
            }
            let mut word = [0; 4];
            word[..bytes].copy_from_slice(&memory[place..place + bytes]);
            outcome.words[thread] = extract(u32::from_le_bytes(word), 0, access);
        }
        outcome
    }

    /// Executes it.
    fn execute(&mut self, task: &Task, outcome: &Outcome) {
        let indexing = &task.issued.decoded.indexing;
        let warp = task.issued.warp.index();
        if indexing.scatters {
            for thread in bits(task.mask) {
                let place = self.base[warp] + usize::from(outcome.address[thread]);
                let bytes = size(indexing.access.raw()) as usize;
                self.shared[place..place + bytes].copy_from_slice(&task.data[thread].to_le_bytes()[..bytes]);
            }
        }
        if indexing.increments {
            self.write(warp, indexing.register.index(), task.mask, &outcome.incremented);
        }
    }

    fn write(&mut self, warp: usize, register: usize, mask: u32, values: &[u16; 32]) {
        let register = self.registers[warp][register].get_or_insert([0; 32]);
        bits(mask).for_each(|thread| register[thread] = values[thread]);
    }

    fn steps(task: &Task, outcome: &Outcome) -> u64 {
        let indexing = &task.issued.decoded.indexing;
        if indexing.constant {
            return 0;
        }
        let kind = if indexing.scatters { Kind::Store } else { Kind::Load };
        let half = |first: usize| std::array::from_fn(|thread| outcome.address[first + thread].into());
        let of = |first: usize| steps(kind, task.mask >> first & 0xffff, &half(first)).saturating_sub(1);
        of(0) + of(16)
    }
}

/// An instruction in the collector.
struct Flight {
    task: Task,
    outcome: Outcome,
    taken: u64,
    /// The cycle in which it went to the read stage.
    injected: Option<u64>,
    buffer: bool,
    /// Half-warps of R2G that the trace has reported.
    stored: u32,
}

/// A result for an address register: its beats are written one per cycle.
struct AddressWrite {
    warp: usize,
    register: usize,
    begins: u64,
    lanes: u32,
    values: [u16; 32],
}

/// Least number of cycles between two instructions of a warp.
const ISSUE_DISTANCE: u64 = 3;

/// Load from the collector's surroundings.
#[derive(Clone, Copy)]
struct Surroundings {
    issue: f64,
    ready: f64,
    busy: f64,
    /// Results for address registers.
    writes: f64,
}

/// The collector with its surroundings in the SM: the scheduler's rules, the read stage's timing, the memories.
struct Bench<const LANES: usize> {
    engine: CycleEngine<OperandCollector<LANES>>,
    reference: Reference,
    shared: Vec<u32>,
    bank_word: [u32; 16],
    constant_word: u32,
    flights: VecDeque<Flight>,
    writes: Vec<AddressWrite>,
    last_take: Option<u64>,
    last_take_of: [Option<u64>; 32],
    last_read: Option<u64>,
    /// Tag of the next instruction.
    tag: u64,
    conflicts: u64,
    expected_conflicts: u64,
    gathered: u64,
    stored: u64,
    stopped: Option<u64>,
}

impl<const LANES: usize> Bench<LANES> {
    const BEATS: u64 = (32 / LANES) as u64;
    /// Cycles of a step.
    const PHASES: u64 = if LANES == 8 { 2 } else { 1 };

    fn new(rng: &mut ChaCha8Rng) -> Self {
        Bench {
            engine: CycleEngine::new(Box::new(OperandCollector::new())),
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

    /// A new grid: nothing in flight, new contents of shared memory, all warps' blocks at new places.
    fn clear(&mut self, rng: &mut ChaCha8Rng, block_bytes: usize) {
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

    /// A warp starts; the ports are set for this cycle.
    fn launch(&mut self, rng: &mut ChaCha8Rng, warp: usize) {
        let row = rng.gen_range(0..=256 - self.reference.block_bytes / 64);
        self.reference.base[warp] = row * 64;
        self.reference.registers[warp] = [None; 4];
        self.engine.block.c_launch.next = true;
        self.engine.block.c_launch_warp.next = WarpLaunch {
            warp: Bits::new(warp as u64),
            shared_row: Bits::new(row as u64),
            ..WarpLaunch::default()
        };
    }

    fn idle_inputs(&mut self) {
        let block = &mut self.engine.block;
        block.c_launch.next = false;
        block.c_take.next = false;
        block.c_takes_place.next = false;
        block.c_holds.next = false;
        block.c_issued.next = Issued::default();
        block.c_inject_ready.next = false;
        block.c_read_buffer.next = false;
        block.c_read_beat.next = Bits::default();
        block.w_address_lanes.next = Bits::default();
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

    /// Whether a register's result has yet to be written.
    fn awaited(&self, warp: usize, register: usize) -> bool {
        self.writes
            .iter()
            .any(|write| (write.warp, write.register) == (warp, register))
    }

    /// One cycle. `source` supplies the next instruction, if any, for a warp that is not held.
    fn cycle(
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
        let held = block.c_held.val().raw() as u32;
        let (slot, room) = (block.c_slot.val(), block.c_room.val());
        let (inject, error) = (block.c_inject.val(), block.c_error.val());
        let (first, query) = (block.c_first.val(), block.c_query.val());
        let incrementing = block.c_incrementing.val();
        assert_eq!(slot, Self::slot(self.last_take, now), "cycle {now}");
        let gathering = |flight: &&Flight| flight.task.issued.decoded.indexing.gathers && flight.injected.is_none();
        if self.stopped.is_none() {
            let holds = as_set(
                self.flights
                    .iter()
                    .filter(gathering)
                    .map(|flight| flight.task.issued.warp.index()),
            );
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
            assert_eq!(block.c_error_tag.val(), issued.tag, "cycle {now}");
            self.stopped.get_or_insert(now);
        }
        // The scheduler learns of an error a cycle later.
        let stops = self.stopped.is_some_and(|at| at < now);

        // The read stage: an injected instruction goes first.
        let slot_free = Self::slot(self.last_read, now);
        let takes_injected = inject.valid && slot_free && rng.gen_bool(around.ready);
        self.engine.block.c_inject_ready.next = takes_injected;
        if inject.valid {
            let waiting = self.flights.iter_mut().find(|flight| gathering(&&**flight));
            let waiting = waiting.unwrap_or_else(|| panic!("cycle {now}: {inject:?} is in no place"));
            let expected = Issued {
                buffer: inject.buffer,
                ..waiting.task.issued
            };
            assert_eq!(inject, expected, "cycle {now}: not the oldest one");
            assert!(
                waiting.outcome.fault.is_none(),
                "cycle {now}: injected in spite of a fault"
            );
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
            let path = if indexing.gathers {
                !takes_injected
            } else {
                !inject.valid && slot_free
            };
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
            self.engine.block.c_take.next = true;
            self.engine.block.c_takes_place.next = indexing.gathers || indexing.scatters;
            self.engine.block.c_holds.next = indexing.gathers;
            self.engine.block.c_issued.next = task.issued;
            self.last_take = Some(now);
            self.last_take_of[issued_warp] = Some(now);
            if !indexing.gathers {
                self.last_read = Some(now);
            }
            self.flights.push_back(Flight {
                task,
                outcome,
                taken: now,
                injected: None,
                buffer: false,
                stored: 0,
            });
        }

        // The execution mask is available in a0 of the first beat, and only then.
        let asked = self.flights.iter().find(|flight| flight.taken + 1 == now);
        assert_eq!(first, asked.is_some(), "cycle {now}");
        self.engine.block.c_executed.next = match asked {
            Some(flight) => {
                let (issued, decoded) = (&flight.task.issued, &flight.task.issued.decoded);
                assert_eq!(
                    (query.warp, query.predicated, query.condition, query.condition_live),
                    (
                        issued.warp,
                        decoded.predicated,
                        decoded.condition,
                        issued.condition_live
                    )
                );
                Bits::new(flight.task.mask.into())
            }
            None => Bits::new(rng.gen::<u32>().into()),
        };
        // Source b of R2G comes two cycles after a0.
        let data = self.flights.iter().find_map(|flight| {
            let beat = Self::beat_at(flight.taken + 3, now)?;
            flight
                .task
                .issued
                .decoded
                .indexing
                .scatters
                .then(|| &flight.task.data[beat * LANES..])
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
            self.engine.block.c_read_buffer.next = buffer;
            self.engine.block.c_read_beat.next = Bits::new(beat as u64);
        }
        // Results for address registers.
        if let Some((write, beat)) = self
            .writes
            .iter()
            .find_map(|write| Some((write, Self::beat_at(write.begins, now)?)))
        {
            let block = &mut self.engine.block;
            block.w_address_lanes.next = Bits::new((write.lanes >> (beat * LANES)).into());
            block.w_address_warp.next = Bits::new(write.warp as u64);
            block.w_address_register.next = Bits::new(write.register as u64);
            block.w_address_beat.next = Bits::new(beat as u64);
            for (lane, port) in block.w_address_data.iter_mut().enumerate() {
                port.next = Bits::new(write.values[beat * LANES + lane].into());
            }
        }
        self.writes.retain(|write| now + 1 < write.begins + Self::BEATS);
        if self.writes.is_empty()
            && !incrementing
            && !self.engine.block.c_take.next
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
        for (port, word) in block.bank_word.iter_mut().zip(&self.bank_word) {
            port.next = Bits::new((*word).into());
        }
        block.constant_word.next = Bits::new(self.constant_word.into());
        self.engine.settle();

        self.check_cycle(now, reads);
        let block = &self.engine.block;
        let (banks, store) = (block.access_banks.val().raw() as u32, block.access_store.val());
        assert!(
            banks == 0 || store || !shared_busy,
            "cycle {now}: reads what another one reads"
        );
        assert!(
            banks == 0 || !store || !init_busy,
            "cycle {now}: stores during initialisation"
        );
        assert!(!block.constant_enable.val() || !constant_busy, "cycle {now}");
        for bank in bits(banks) {
            let place = &mut self.shared[block.access_row[bank].val().index() * 16 + bank];
            if store {
                let (mut own, new) = (place.to_le_bytes(), block.access_word[bank].val().raw() as u32);
                for byte in bits(block.access_bytes[bank].val().raw() as u32) {
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

    /// A result for an address register begins: a line of addresses, as in real programs, or random ones.
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
        // Like writeback: a first write gives all threads their value.
        let values = if live {
            values
        } else {
            self.reference.registers[warp][register].expect("written")
        };
        self.writes.push(AddressWrite {
            warp,
            register,
            begins,
            lanes: if live { mask } else { u32::MAX },
            values,
        });
    }

    /// Outputs of the cycle: operands, address registers, traces.
    fn check_cycle(&mut self, now: u64, reads: Option<(usize, bool, u32, [u32; 32])>) {
        let block = &self.engine.block;
        if let Some((beat, _, mask, words)) = reads {
            for lane in bits(mask >> (beat * LANES)).filter(|lane| *lane < LANES) {
                let (found, expected) = (block.c_gathered[lane].val().raw(), words[beat * LANES + lane]);
                assert_eq!(
                    found,
                    u64::from(expected),
                    "cycle {now}, thread {}",
                    beat * LANES + lane
                );
                self.gathered += 1;
            }
        }
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
                assert_eq!(block.c_address[lane].val().raw(), u64::from(expected), "cycle {now}");
            }
            if indexing.increments {
                increments = true;
                assert_eq!(
                    (
                        block.c_increment_tag.val(),
                        block.c_increment_beat.val().index(),
                        block.c_increment_lanes.val().raw() as u32,
                        block.c_increment_register.val()
                    ),
                    (issued.tag, beat, lanes, indexing.register),
                    "cycle {now}"
                );
                for lane in bits(lanes) {
                    let expected = outcome.incremented[beat * LANES + lane];
                    assert_eq!(
                        block.c_increment_data[lane].val().raw(),
                        u64::from(expected),
                        "cycle {now}"
                    );
                }
            }
        }
        assert_eq!(block.c_increment_valid.val(), increments, "cycle {now}");
        if block.c_store_valid.val() {
            let storing = |flight: &&mut Flight| flight.task.issued.decoded.indexing.scatters && flight.stored < 2;
            let tag = block.c_store_tag.val();
            let mut stores = self.flights.iter_mut().filter(storing);
            let flight = stores.find(|flight| flight.task.issued.tag == tag);
            let flight = flight.unwrap_or_else(|| panic!("cycle {now}: a store of no instruction"));
            let first = if block.c_store_upper.val() { 16 } else { 0 };
            let threads = flight.task.mask >> first & 0xffff;
            let access = flight.task.issued.decoded.indexing.access;
            assert_eq!(block.c_store_threads.val().raw(), u64::from(threads), "cycle {now}");
            assert_eq!(block.c_store_access.val(), access, "cycle {now}");
            for thread in bits(threads) {
                let (address, data) = (flight.outcome.address[first + thread], flight.task.data[first + thread]);
                assert_eq!(
                    block.c_store_address[thread].val().raw(),
                    u64::from(address),
                    "cycle {now}"
                );
                assert_eq!(block.c_store_data[thread].val().raw(), u64::from(data), "cycle {now}");
            }
            flight.stored += 1;
            self.stored += 1;
        }
    }

    /// Drops finished instructions: operands that have been read, and others once they can no longer affect anything.
    fn retire(&mut self, now: u64) {
        let waits = self.engine.block.c_storing.val() || self.stopped.is_some();
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

    /// Issues nothing more until the collector is idle, for at most `limit` cycles.
    fn drain(&mut self, rng: &mut ChaCha8Rng, around: Surroundings, limit: u64) {
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

    /// Shared memory matches the reference.
    fn check_memory(&self) {
        for (index, word) in self.shared.iter().enumerate() {
            let expected = &self.reference.shared[index * 4..index * 4 + 4];
            assert_eq!(word.to_le_bytes(), expected, "shared word {index}");
        }
    }
}

/// Any instruction for the collector, of one of a few warps.
fn any_task(rng: &mut ChaCha8Rng, warps: u64) -> Task {
    let access = rng.gen_range(0..4);
    let kind = rng.gen_range(0..8);
    let mut issued = Issued {
        valid: true,
        warp: Bits::new(rng.gen_range(0..warps) * (31 / (warps - 1))),
        pc: Bits::new(rng.gen_range(0..1 << 20) * 8),
        condition_live: rng.gen(),
        ..Issued::default()
    };
    let post_increment = kind < 7 && rng.gen_bool(0.2);
    let register_used = rng.gen_bool(0.9);
    issued.decoded.predicated = rng.gen();
    issued.decoded.condition = Bits::new(rng.gen_range(0..32));
    issued.decoded.condition_source = Bits::new(rng.gen_range(0..4));
    issued.decoded.indexing = Indexing {
        gathers: kind < 5,
        scatters: kind == 5 || kind == 6,
        local: false,
        constant: kind < 5 && rng.gen_bool(0.3),
        bank: Bits::new(rng.gen_range(0..16)),
        access: Bits::new(access),
        offset: match rng.gen_range(0..20) {
            0 => Bits::new(rng.gen_range(0..0x1_0000)),
            // Backwards: down to -128.
            1 => Bits::new(0x1_0000 - rng.gen_range(1..32) * 4),
            _ => Bits::new(rng.gen_range(0..32) * u64::from(size(access))),
        },
        post_increment,
        // Not where R2A writes the same register.
        increments: post_increment && register_used && rng.gen_bool(0.9),
        register: Bits::new(rng.gen_range(0..4)),
        register_used,
    };
    let mask = match rng.gen_range(0..6) {
        0 => 0,
        1 => 0xffff << (16 * rng.gen_range(0..2)),
        2 => 1 << rng.gen_range(0..32),
        3 => rng.gen(),
        _ => u32::MAX,
    };
    Task {
        issued,
        mask,
        data: std::array::from_fn(|_| rng.gen()),
    }
}

/// Grids of random instructions, some until an error. Returns the numbers of gathered words, stored half-warps and
/// errors.
fn random_grids<const LANES: usize>(seed: u64, grids: u64) -> [u64; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bench = Bench::<LANES>::new(&mut rng);
    let mut errors = 0;
    for grid in 0..grids {
        let block_bytes = *[1024, 4096, 4096, 16384].choose(&mut rng).expect("some");
        bench.clear(&mut rng, block_bytes);
        let around = Surroundings {
            issue: *[0.2, 0.7, 1.0].choose(&mut rng).expect("some"),
            ready: *[0.1, 0.6, 1.0].choose(&mut rng).expect("some"),
            busy: *[0.0, 0.3, 0.8].choose(&mut rng).expect("some"),
            writes: 0.05,
        };
        let warps = *[2, 4, 32].choose(&mut rng).expect("some");
        let fails = grid % 3 == 2;
        let mut source = |rng: &mut ChaCha8Rng, reference: &Reference| {
            let task = any_task(rng, warps);
            // Faults come late in a grid, and only in some grids.
            let good = reference.outcome(&task).fault.is_none();
            (good || fails && rng.gen_bool(0.1)).then_some(task)
        };
        for _ in 0..600 {
            bench.cycle(&mut rng, around, &mut source);
            if bench.stopped.is_some() {
                break;
            }
            let faulty = bench.flights.iter().find(|flight| flight.outcome.fault.is_some());
            if let Some(faulty) = faulty {
                assert!(bench.engine.cycle() < faulty.taken + 3_000, "a fault is never found");
            }
        }
        // In the worst case four instructions of 32 steps, each repeatedly kept from the memories.
        bench.drain(&mut rng, around, 6_000);
        if bench.flights.iter().any(|flight| flight.outcome.fault.is_some()) {
            assert!(bench.stopped.is_some(), "grid {grid}: idle, and no error");
        }
        if bench.stopped.is_some() {
            assert!(bench.engine.block.c_error.val().code.any());
            errors += 1;
        } else {
            assert!(bench.flights.is_empty() && !bench.engine.block.c_held.val().any());
            assert!(!bench.engine.block.c_storing.val() && bench.engine.block.c_room.val());
            bench.check_memory();
            assert_eq!(bench.conflicts, bench.expected_conflicts, "grid {grid}");
        }
    }
    [bench.gathered, bench.stored, errors]
}

#[test]
fn random_instructions_do_what_they_do_one_after_the_other() {
    let found = [
        random_grids::<8>(6, 80),
        random_grids::<16>(7, 80),
        random_grids::<32>(8, 80),
    ];
    println!("words gathered, half-warps stored, errors at 8, 16 and 32 lanes: {found:?}");
    for [gathered, stored, errors] in found {
        assert!(gathered > 5_000 && stored > 500 && errors > 8, "{found:?}");
    }
}

/// Cycles for 64 gathers issued as fast as possible, from eight warps in turn.
fn rate<const LANES: usize>(stride: u16) -> u64 {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut bench = Bench::<LANES>::new(&mut rng);
    bench.clear(&mut rng, 16384);
    let around = Surroundings {
        issue: 1.0,
        ready: 1.0,
        busy: 0.0,
        writes: 0.0,
    };
    for warp in 0..8 {
        let values = std::array::from_fn(|thread| stride * 4 * (thread as u16 % 16));
        bench.reference.write(warp, 0, u32::MAX, &values);
        let begins = bench.engine.cycle();
        bench.writes.push(AddressWrite {
            warp,
            register: 0,
            begins,
            lanes: u32::MAX,
            values,
        });
        for _ in 0..Bench::<LANES>::BEATS {
            bench.cycle(&mut rng, around, &mut |_, _| None);
        }
    }
    // The instructions in turn; one that has to wait is offered again.
    let run = |bench: &mut Bench<LANES>, rng: &mut ChaCha8Rng, count: u64| {
        let mut last_tag = bench.tag;
        let mut taken = 0;
        let since = bench.engine.cycle();
        while taken < count {
            let mut task = any_task(rng, 8);
            task.mask = u32::MAX;
            task.issued.warp = Bits::new(bench.tag % 8);
            task.issued.decoded.indexing = Indexing {
                gathers: true,
                access: Bits::new(WORD),
                register_used: true,
                ..Indexing::default()
            };
            bench.cycle(rng, around, &mut |_, _| Some(task.clone()));
            taken += (bench.tag + 0x1_0000 - last_tag) % 0x1_0000;
            last_tag = bench.tag;
        }
        bench.engine.cycle() - since
    };
    run(&mut bench, &mut rng, 16);
    let cycles = run(&mut bench, &mut rng, 64);
    println!("{LANES} lanes, a stride of {stride} words: {cycles} cycles for 64 warp instructions");
    cycles
}

#[test]
fn conflicts_alone_make_gathers_slower_than_the_lanes() {
    for (stride, cycles) in [(1, 4), (0, 4), (2, 8), (4, 16), (8, 32), (16, 64), (17, 4)] {
        assert_eq!(rate::<8>(stride), 64 * cycles, "a stride of {stride} words");
    }
    assert_eq!([rate::<16>(16), rate::<32>(16)], [64 * 32; 2]);
    // Without conflicts, two and a half cycles: four entries are not enough to hide the latency to the read stage.
    assert_eq!(rate::<16>(1), 160);
}
