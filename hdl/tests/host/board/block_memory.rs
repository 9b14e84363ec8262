//! Block memory: reads return the written data, and accesses past the end are refused.

use super::cosim::equal;
use super::random;
use flexgrip_hdl::board::block_memory::{BlockMemory, LATENCY};
use flexgrip_testbench::axi_slave::BenchMemory;
use hdlkit::prelude::*;
use rand::Rng;
use std::collections::VecDeque;

/// Sends random requests to few lines, to force conflicts, and checks that each answer arrives on time, with the data
/// written before.
fn memory_requests<const LANES: usize>(seed: u64) {
    const BYTES: u32 = 1024;
    let mut rng = random(seed);
    let mut engine = CycleEngine::new(Box::new(BlockMemory::<LANES>::new(BYTES)));
    let mut reference = BenchMemory { words: vec![0; BYTES as usize / 4], ..Default::default() };
    // The cycles and words of the answers due.
    let mut due: VecDeque<(u64, Vec<Option<u32>>)> = VecDeque::new();
    let (mut writes, mut answered) = (0, 0);
    for cycle in 0..2000u64 {
        let valid = rng.gen_range(0..3) != 0;
        let write = rng.gen();
        let address = rng.gen_range(0..(BYTES / 4 / LANES as u32).min(5)) * LANES as u32 * 4;
        let block = &mut engine.block;
        block.memory.request_valid.next = valid;
        block.memory.request_write.next = write;
        block.memory.request_address.next = Bits::new(address.into());
        let mut words = vec![];
        for i in 0..LANES {
            let (data, enable) = (rng.gen(), rng.gen_range(0..16));
            block.memory.request_data[i].next = Bits::new(u32::into(data));
            block.memory.request_enable[i].next = Bits::new(u8::into(enable));
            let place = address + 4 * i as u32;
            if valid {
                words.push(reference.access(place, write.then_some((data, enable))));
            }
        }
        engine.settle();
        let block = &engine.block;
        assert!(block.memory.request_ready.val() && !block.memory_error.val() && !block.memory_busy.val());
        let answer = due.front().is_some_and(|(when, _)| *when == cycle);
        assert_eq!(block.memory.response_valid.val(), answer);
        if answer {
            let got = block.memory.response_data.each_ref().map(|word| Some(word.val().raw() as u32));
            assert_eq!(due.pop_front().map(|(_, words)| words).as_deref(), Some(&got[..]));
            answered += 1;
        }
        if valid && write {
            writes += 1;
        } else if valid {
            due.push_back((cycle + u64::from(LATENCY), words));
        }
        engine.tick();
    }
    assert!(writes > 300 && answered > 300, "{writes} writes, {answered} answers");
}

#[test]
fn reads_return_the_written_words() {
    memory_requests::<8>(1);
    memory_requests::<16>(2);
    memory_requests::<32>(3);
}

/// An access past the end sets an error [`LATENCY`] cycles later, answers a read, and writes nothing.
#[test]
fn accesses_past_the_end_are_refused() {
    let mut engine = CycleEngine::new(Box::new(BlockMemory::<8>::new(1024)));
    let mut step = |request: Option<(bool, u32)>| {
        let block = &mut engine.block;
        block.memory.request_valid.next = request.is_some();
        let (write, address) = request.unwrap_or_default();
        block.memory.request_write.next = write;
        block.memory.request_address.next = Bits::new(address.into());
        for i in 0..8 {
            block.memory.request_data[i].next = Bits::new(0x77);
            block.memory.request_enable[i].next = Bits::new(15);
        }
        engine.settle();
        let block = &engine.block;
        let seen = (
            block.memory.response_valid.val(),
            block.memory_error.val(),
            block.memory_busy.val(),
            block.memory.response_data[0].val().raw(),
        );
        engine.tick();
        seen
    };
    for address in [1024, 2048, 0x8000_0000 - 32, 0xffff_ffe0] {
        assert_eq!(step(Some((true, address))), (false, false, false, 0));
        let (response, error, busy, _) = step(Some((false, address)));
        assert_eq!((response, error, busy), (false, false, true));
        let (response, error, busy, _) = step(None);
        assert_eq!((response, error, busy), (false, false, true));
        let (response, error, busy, _) = step(None);
        assert_eq!((response, error, busy), (false, true, true));
        let (response, error, busy, _) = step(None);
        assert_eq!((response, error, busy), (true, true, true));
        assert!(!step(None).2);
        // The access has not wrapped around to another address.
        step(Some((false, address & 1023)));
        step(None);
        step(None);
        assert_eq!(step(None), (true, false, false, 0));
    }
    step(Some((true, 1024 - 32)));
    step(Some((false, 1024 - 32)));
    step(None);
    step(None);
    assert_eq!(step(None), (true, false, false, 0x77));
}

#[test]
fn block_memory_equals_its_verilog() {
    fn check<const LANES: usize>() {
        // `request_ready` is always high.
        equal!(BlockMemory::<LANES>::new(1024), 2000, 1, |block: &mut BlockMemory<LANES>, rng, _| {
            block.memory.request_valid.next = rng.gen();
            block.memory.request_write.next = rng.gen();
            let line = rng.gen_range(0..1024 / LANES as u64 / 4 + 1);
            block.memory.request_address.next = Bits::new(line * LANES as u64 * 4);
            for i in 0..LANES {
                block.memory.request_data[i].next = Bits::new(rng.gen::<u32>().into());
                block.memory.request_enable[i].next = Bits::new(rng.gen_range(0..16));
            }
        });
    }
    check::<8>();
    check::<32>();
}

#[test]
#[should_panic(expected = "a memory of 1000 bytes; expected a power of two")]
fn sizes_must_be_powers_of_two() {
    BlockMemory::<8>::new(1000);
}
