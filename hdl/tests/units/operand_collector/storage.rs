//! Compares the collector's storage, and shared memory, with plain arrays.

use super::{bits, extract, size};
use flexgrip_hdl::memory::shared::{BankAccess, SharedInit, SharedMemory};
use flexgrip_hdl::operands::operand_collector::address_file::{AddressFile, AddressPlace};
use flexgrip_hdl::operands::operand_collector::gather_buffer::{GatherBuffer, GatherStep};
use flexgrip_hdl::operands::operand_collector::warp_queue::{QueueWrite, WarpQueue};
use flexgrip_machine::Protect;
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Entries of a queue.
const PLACES: usize = 4;

fn warp_queue<const D: usize, const PAIR: usize, const LANES: usize>() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut engine = CycleEngine::new(Box::new(WarpQueue::<D, PAIR, LANES>::default()));
    let mut values = [[0u64; 32]; PLACES];
    let mut taken = [0; 16];
    for _ in 0..3_000 {
        let (write, take, upper) = (rng.gen_bool(0.7), rng.gen_bool(0.7), rng.gen());
        let (place, beat, from) = (rng.gen_range(0..PLACES), rng.gen_range(0..32 / LANES), rng.gen_range(0..PLACES));
        let data: [u64; LANES] = std::array::from_fn(|_| rng.gen::<u64>() & ((1 << D) - 1));
        let block = &mut engine.block;
        let (place_bits, beat_bits) = (Bits::new(place as u64), Bits::new(beat as u64));
        block.write.next = QueueWrite { enable: write, place: place_bits, beat: beat_bits };
        block.take.next = take;
        block.take_half.next = Bits::new(2 * from as u64 + u64::from(upper));
        for (port, value) in block.write_data.iter_mut().zip(&data) {
            port.next = Bits::new(*value);
        }
        engine.settle();
        assert!(engine.block.half.iter().zip(&taken).all(|(port, value)| port.val().raw() == *value));
        engine.tick();
        // A capture takes the data before the write.
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
fn warp_queues_convert_beats_to_half_warps() {
    warp_queue::<18, 36, 8>();
    warp_queue::<18, 36, 16>();
    warp_queue::<18, 36, 32>();
    warp_queue::<32, 64, 8>();
}

fn gather_buffer<const LANES: usize>(protected: bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut engine = CycleEngine::new(Box::new(GatherBuffer::<LANES>::new(protected)));
    let mut buffers = [[0u32; 32]; 2];
    for cycle in 0..3_000 {
        let block = &mut engine.block;
        let (buffer, upper, odd, constant) = (rng.gen_range(0..2), rng.gen(), rng.gen(), rng.gen_bool(0.3));
        let (threads, access, constant_word): (u16, _, u32) = (rng.gen(), rng.gen_range(0..4), rng.gen());
        let place: [u32; 16] = std::array::from_fn(|_| rng.gen_range(0..64) / size(access) * size(access));
        let word: [u32; 16] = std::array::from_fn(|_| rng.gen());
        let (read_buffer, read_beat) = (rng.gen_range(0..2), rng.gen_range(0..32 / LANES));
        block.write.next = GatherStep {
            buffer: buffer == 1,
            upper,
            odd,
            constant,
            access: Bits::new(access),
            threads: Bits::new(threads.into()),
        };
        block.constant_word.next = Bits::new(constant_word.into());
        for i in 0..16 {
            block.place[i].next = Bits::new(place[i].into());
            block.word[i].next = Bits::new(word[i].into());
        }
        block.read_buffer.next = read_buffer == 1;
        block.read_beat.next = Bits::new(read_beat as u64);
        let faults: u64 = (0..rng.gen_range(0..20)).fold(0, |faults, _| faults | 1 << rng.gen_range(0..64));
        for port in &mut block.faults {
            port.next = Bits::new(faults);
        }
        engine.settle();
        let takes = |thread: usize| threads >> thread & 1 == 1 && (LANES != 8 || (thread >= 8) == odd);
        let accessed = (0..16).filter(|thread| !constant && takes(*thread));
        let accessed = accessed.fold(0u64, |bytes, thread| bytes | ((1 << size(access)) - 1) << place[thread]);
        for port in &engine.block.uncorrectable {
            assert_eq!(port.val(), accessed & faults != 0, "{LANES} lanes, cycle {cycle}");
        }
        let read = &buffers[read_buffer][read_beat * LANES..][..LANES];
        for (lane, expected) in engine.block.lane.iter().zip(read) {
            assert_eq!(lane.val().raw(), u64::from(*expected), "{LANES} lanes, cycle {cycle}");
        }
        engine.tick();
        for thread in bits(threads.into()).filter(|thread| takes(*thread)) {
            let from = if constant { constant_word } else { word[(place[thread] / 4) as usize] };
            buffers[buffer][thread + if upper { 16 } else { 0 }] = extract(from, place[thread], access);
        }
    }
}

#[test]
fn gather_buffers_hold_each_threads_operand() {
    for protected in [false, true] {
        gather_buffer::<8>(protected);
        gather_buffer::<16>(protected);
        gather_buffer::<32>(protected);
    }
}

fn address_file<const LANES: usize>() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut engine = CycleEngine::new(Box::new(AddressFile::<LANES>::default()));
    let beats = 32 / LANES;
    let mut registers = vec![[[0u64; 32]; 4]; 32];
    let mut read = [0u64; LANES];
    for cycle in 0..20_000 {
        let warps = [0, 1, 15, 31];
        let (warp, register, beat) =
            (*warps.choose(&mut rng).expect("some"), rng.gen_range(0..4), rng.gen_range(0..beats));
        let (from, which, at) = (*warps.choose(&mut rng).expect("some"), rng.gen_range(0..4), rng.gen_range(0..beats));
        let (enable, lanes): (bool, u32) = (rng.gen(), if rng.gen() { rng.gen() } else { 0 });
        let data: [u64; LANES] = std::array::from_fn(|_| rng.gen::<u16>().into());
        let block = &mut engine.block;
        block.read_enable.next = enable;
        let place = |warp: usize, register: usize, beat: usize| AddressPlace {
            warp: Bits::new(warp as u64),
            register: Bits::new(register as u64),
            beat: Bits::new(beat as u64),
        };
        block.read.next = place(from, which, at);
        block.write.lanes.next = Bits::new(lanes.into());
        block.write.place.next = place(warp, register, beat);
        for (port, value) in block.write.data.iter_mut().zip(&data) {
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
fn shared_memory_ports_access_one_array() {
    for protect in [Protect::None, Protect::Parity, Protect::Secded] {
        shared_memory(protect);
    }
}

fn shared_memory(protect: Protect) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut engine = CycleEngine::new(Box::new(SharedMemory::new(protect)));
    let mut words = vec![0u32; 4096];
    let (mut word, mut bank_words) = (None, [None; 16]);
    // A few rows, among them the first and the last.
    let rows = [0u64, 1, 2, 254, 255];
    for cycle in 0..30_000 {
        // Like the users of this memory, the bench does not access the banks while a word is broadcast, nor store
        // during initialisation.
        let read = rng.gen_bool(0.3);
        let init = rng.gen_bool(0.2);
        let store = !init && rng.gen_bool(0.4);
        let accesses = if !read && (store || rng.gen()) { rng.gen::<u16>() } else { 0 };
        let clear = rng.gen_bool(0.1);
        let row: [u64; 16] = std::array::from_fn(|_| *rows.choose(&mut rng).expect("some"));
        let bytes: [u32; 16] = std::array::from_fn(|_| *[1, 2, 3, 4, 8, 12, 15].choose(&mut rng).expect("some"));
        let data: [u32; 16] = std::array::from_fn(|_| rng.gen());
        let address = rows.choose(&mut rng).expect("some") * 64 + rng.gen_range(0..64);
        let init_address = rows.choose(&mut rng).expect("some") * 64 + rng.gen_range(0..16) * 4;
        let init_data: u32 = rng.gen();
        let block = &mut engine.block;
        block.uniform.enable.next = read;
        block.uniform.address.next = Bits::new(address);
        block.banks.enable.next = Bits::new(accesses.into());
        block.banks.store.next = store;
        for bank in 0..16 {
            block.banks.access[bank].next = BankAccess {
                row: Bits::new(row[bank]),
                bytes: Bits::new(bytes[bank].into()),
                word: Bits::new(data[bank].into()),
            };
        }
        block.init.next =
            SharedInit { valid: init, clear, address: Bits::new(init_address), data: Bits::new(init_data.into()) };
        engine.settle();
        if let Some(word) = word {
            assert_eq!(engine.block.uniform.word.val().raw(), u64::from(word), "{protect}, cycle {cycle}");
            for faults in &engine.block.uniform_faults {
                assert_eq!(faults.val().raw(), 0, "{protect}, cycle {cycle}");
            }
        }
        for (bank, expected) in bank_words.iter().enumerate() {
            if let Some(expected) = expected {
                let found = engine.block.banks.word[bank].val().raw();
                assert_eq!(found, u64::from(*expected), "{protect}, cycle {cycle}, bank {bank}");
                for faults in &engine.block.bank_faults {
                    assert_eq!(faults.val().bits::<4>(4 * bank).raw(), 0, "{protect}, cycle {cycle}, bank {bank}");
                }
            }
        }
        engine.tick();
        // A read returns the data before the writes.
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
