//! Tests of registers, addresses outside the map, and parameters.

use super::bench::{Bench, Refused, CONSTANT_BYTES, INSTRUCTION_BYTES, SMS};
use flexgrip_machine::host_map::*;
use hdlkit::prelude::Bits;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Greatest value of each writable register except CONTROL.
fn greatest(address: u32) -> u32 {
    match address {
        ENTRY | CODE_END => 0xff_ffff,
        REGISTER_COUNT => 128,
        SHARED_ROWS => 256,
        PARAMETER_COUNT => 64,
        GRID_X | GRID_Y => 65_535,
        BLOCK_X | BLOCK_Y | BLOCK_THREADS => 1024,
        BLOCK_Z => 64,
        BLOCKS_PER_SM => 8,
        GLOBAL_END => u32::MAX,
        COALESCING | UNALIGNED_CODE => 1,
        LOCAL_BASE => u32::MAX,
        LOCAL_SHIFT => 21,
        LOCAL_BYTES => 0x1_0000,
        _ => panic!("register {address:#x} is not in this test"),
    }
}

#[test]
fn registers_read_back_and_reject_excessive_values() {
    let mut bench = Bench::new();
    let mut held = BTreeMap::new();
    for register in REGISTERS {
        if !register.writable() {
            assert_eq!(bench.write(register.address, 0), Err(Refused), "{}", register.name);
        } else if register.address != CONTROL {
            held.insert(register.address, 0);
        }
    }
    let registers: Vec<u32> = held.keys().copied().collect();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..2000 {
        let address = *registers.choose(&mut rng).unwrap();
        let most = greatest(address);
        let value = match rng.gen_range(0..4) {
            0 => rng.gen(),
            1 => most,
            2 => most.wrapping_add(1),
            _ => rng.gen_range(0..=most),
        };
        let want = if value <= most { Ok(()) } else { Err(Refused) };
        assert_eq!(bench.write(address, value), want, "{value:#x} to {address:#x}");
        if value <= most {
            held.insert(address, value);
        }
        let address = *registers.choose(&mut rng).unwrap();
        assert_eq!(bench.read(address), Ok(held[&address]), "register {address:#x}");
        assert_eq!(bench.access_cycles, 2);
    }
    let launch = bench.engine.block.grid.launch.val();
    let grid = bench.engine.block.grid.shape.val();
    for (address, output) in [
        (ENTRY, launch.entry.raw()),
        (CODE_END, launch.code_end.raw()),
        (REGISTER_COUNT, launch.registers.raw()),
        (SHARED_ROWS, launch.shared_rows.raw()),
        (GLOBAL_END, launch.global_end.raw()),
        (COALESCING, u64::from(launch.strict_coalescing)),
        (LOCAL_BASE, launch.local_base.raw()),
        (LOCAL_SHIFT, launch.local_shift.raw()),
        (LOCAL_BYTES, launch.local_bytes.raw()),
        (UNALIGNED_CODE, u64::from(launch.unaligned_code)),
        (PARAMETER_COUNT, grid.parameter_count.raw()),
        (GRID_X, grid.grid_x.raw()),
        (GRID_Y, grid.grid_y.raw()),
        (BLOCK_X, grid.block_x.raw()),
        (BLOCK_Y, grid.block_y.raw()),
        (BLOCK_Z, grid.block_z.raw()),
        (BLOCK_THREADS, grid.block_threads.raw()),
        (BLOCKS_PER_SM, grid.blocks_per_sm.raw()),
    ] {
        assert_eq!(held.remove(&address), Some(output as u32), "register {address:#x}");
    }
    assert!(held.is_empty(), "registers without an output: {held:x?}");
    assert_eq!(bench.read(ID), Ok(ID_VALUE));
    assert_eq!(bench.read(CONFIGURATION), Ok(8 | (SMS as u32) << 8 | 32 << 16));
    assert_eq!(bench.read(CONTROL), Ok(0));
    assert_eq!(bench.read(STATUS), Ok(0));
    assert!(bench.events.is_empty());
}

#[test]
fn addresses_outside_the_map_are_errors() {
    let mut bench = Bench::new();
    let last = REGISTERS.last().unwrap().address;
    for address in [
        last + 4,
        0xfc,
        PARAMETER_BASE + 4 * PARAMETER_WORDS,
        COUNTER_BASE - 4,
        COUNTER_BASE + 8 * SM_COUNTERS as u32,
        COUNTER_BASE + COUNTER_STRIDE * SMS as u32,
        COUNTER_BASE + COUNTER_STRIDE * 8,
        COUNTER_BASE + 1,
        0x1_0000,
        INSTRUCTION_BASE - 4,
        INSTRUCTION_BASE + INSTRUCTION_BYTES,
        INSTRUCTION_BASE + (1 << 18),
        CONSTANT_BASE - 4,
        CONSTANT_BASE + CONSTANT_BYTES,
        CONSTANT_BASE + (1 << 18),
        0x4000_0000,
        GLOBAL_BASE - 4,
        // The address is not a multiple of 4.
        ENTRY + 1,
        ENTRY + 2,
        PARAMETER_BASE + 3,
        INSTRUCTION_BASE + 2,
        GLOBAL_BASE + 1,
    ] {
        assert_eq!(bench.read(address), Err(Refused), "read of {address:#x}");
        assert_eq!(bench.write(address, 1), Err(Refused), "write to {address:#x}");
        assert_eq!(bench.access_cycles, 2);
    }
    // The window of the instruction memory is write-only.
    assert_eq!(bench.read(INSTRUCTION_BASE), Err(Refused));
    assert_eq!(bench.read(CONSTANT_BASE), Err(Refused));
    assert!(bench.events.is_empty() && bench.requests == 0);
    assert_eq!(bench.read(ENTRY), Ok(0));
}

#[test]
fn parameters_reach_both_ports() {
    let mut bench = Bench::new();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let words: Vec<u32> = (0..PARAMETER_WORDS).map(|_| rng.gen()).collect();
    for (i, &word) in words.iter().enumerate() {
        bench.write(PARAMETER_BASE + 4 * i as u32, word).unwrap();
    }
    for (i, &word) in words.iter().enumerate() {
        assert_eq!(bench.read(PARAMETER_BASE + 4 * i as u32), Ok(word));
        bench.engine.block.grid.parameter_index.next = Bits::new(i as u64);
        bench.step();
        bench.engine.settle();
        assert_eq!(bench.engine.block.grid.parameter_word.val().raw() as u32, word);
    }
}
