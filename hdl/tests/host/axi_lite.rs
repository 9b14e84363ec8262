//! Tests the bridge from AXI4-Lite to the host bus with a random master and a random host, both checked by bus
//! monitors, and compares the bridge with its own Verilog.

use flexgrip_hdl::bus::axi4_lite_slave::Axi4LiteSlave;
use flexgrip_testbench::axi_slave::{OKAY, SLVERR};
use flexgrip_testbench::bus_monitor::{
    AxiLite, AxiLiteSample, ReadWord, WishboneAccess, WishboneClassic, WishboneSample,
};
use hdlkit::lint::lint;
use hdlkit::prelude::{Bits, Blank, CycleEngine};
use hdlkit_compiled::cosim::cosim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Addresses that the host rejects.
fn refused(address: u32) -> bool {
    address % 64 == 60
}

/// The required result of an access.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Write {
    address: u32,
    data: u32,
    strobes: u8,
}

/// Runs `count` writes to 16 words, and `count` reads of 16 other words with known values.
fn run(count: usize, pause: u32, slow: u32, seed: u64) -> u64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut engine = CycleEngine::new(Box::new(Axi4LiteSlave::blank()));
    let mut memory: Vec<u32> = (0..32).map(|_| rng.gen()).collect();
    let initial = memory.clone();
    let (mut axi, mut host) = (AxiLite::default(), WishboneClassic::default());
    let mut address: Option<u32> = None;
    let mut word: Option<(u32, u8)> = None;
    let mut read: Option<u32> = None;
    let (mut addresses, mut words, mut reads) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
    let (mut made, mut answered) = ([0; 3], [0; 2]);
    // Writes that the host has received.
    let mut seen = vec![];
    let mut done: Vec<Write> = vec![];
    for cycle in 0.. {
        assert!(cycle < 1_000_000, "no end");
        if answered == [count; 2] {
            assert_eq!(axi.due(), 0);
            let accepted: Vec<Write> = done.into_iter().filter(|write| write.strobes == 15).collect();
            assert_eq!(seen, accepted, "every whole write once and in order, no other");
            return cycle;
        }
        let block = &mut engine.block;
        if address.is_none() && made[0] < count && rng.gen_range(0..pause) == 0 {
            address = Some(rng.gen_range(0..16) * 4);
            made[0] += 1;
        }
        if word.is_none() && made[1] < count && rng.gen_range(0..pause) == 0 {
            word = Some((rng.gen(), if rng.gen_range(0..8) == 0 { rng.gen_range(0..16) } else { 15 }));
            made[1] += 1;
        }
        if read.is_none() && made[2] < count && rng.gen_range(0..pause) == 0 {
            read = Some(rng.gen_range(16..32) * 4);
            made[2] += 1;
        }
        let (data, strobes) = word.unwrap_or((rng.gen(), 0));
        block.s_axi.awvalid.next = address.is_some();
        block.s_axi.awaddr.next = Bits::new(address.unwrap_or_else(|| rng.gen()).into());
        block.s_axi.wvalid.next = word.is_some();
        block.s_axi.wdata.next = Bits::new(data.into());
        block.s_axi.wstrb.next = Bits::new(strobes.into());
        block.s_axi.arvalid.next = read.is_some();
        block.s_axi.araddr.next = Bits::new(read.unwrap_or_else(|| rng.gen()).into());
        block.s_axi.bready.next = rng.gen_range(0..slow) == 0;
        block.s_axi.rready.next = rng.gen_range(0..slow) == 0;
        engine.settle();

        // The host answers at any time, even in the same cycle.
        let block = &mut engine.block;
        let strobe = block.host.strobe.val();
        let at = block.host.address.val().raw() as u32;
        let answer = strobe && rng.gen_range(0..slow) == 0;
        let bus = WishboneSample {
            cycle: block.host.cycle.val(),
            strobe,
            access: WishboneAccess {
                write: block.host.write.val(),
                address: at,
                select: 15,
                data: block.host.write_data.val().raw() as u32,
            },
            stall: false,
            acknowledge: answer && !refused(at),
            error: answer && refused(at),
        };
        host.sample(&bus).unwrap_or_else(|error| panic!("host: {error}"));
        block.host.acknowledge.next = bus.acknowledge;
        block.host.error.next = bus.error;
        block.host.read_data.next = Bits::new(rng.gen::<u32>().into());
        if answer && bus.access.write {
            seen.push(Write { address: at, data: bus.access.data, strobes: 15 });
            if bus.acknowledge {
                memory[at as usize / 4] = bus.access.data;
            }
        } else if answer {
            block.host.read_data.next = Bits::new(memory[at as usize / 4].into());
        }
        engine.settle();

        let sample = AxiLiteSample::of(&engine.block.s_axi);
        axi.sample(&sample).unwrap_or_else(|error| panic!("AXI: {error}"));
        if sample.write_address.passed().is_some() {
            addresses.extend(address.take());
        }
        if sample.write_data.passed().is_some() {
            words.extend(word.take());
        }
        if sample.read_address.passed().is_some() {
            reads.extend(read.take());
        }
        if let Some(response) = sample.write_response.passed() {
            let (address, (data, strobes)) = (addresses.pop_front().unwrap(), words.pop_front().unwrap());
            let bad = strobes != 15 || refused(address);
            assert_eq!(response, if bad { SLVERR } else { OKAY });
            done.push(Write { address, data, strobes });
            answered[0] += 1;
        }
        if let Some(ReadWord { data, response, .. }) = sample.read_data.passed() {
            let address: u32 = reads.pop_front().unwrap();
            assert_eq!(response, if refused(address) { SLVERR } else { OKAY });
            if !refused(address) {
                assert_eq!(data, initial[address as usize / 4], "{address:#x}");
            }
            answered[1] += 1;
        }
        engine.tick();
    }
    unreachable!()
}

#[test]
fn accesses_are_made_once_and_in_order() {
    for (seed, (pause, slow)) in [(1, 1), (1, 4), (5, 1), (4, 4)].into_iter().enumerate() {
        run(1000, pause, slow, seed as u64);
    }
}

/// With continuous reads and writes, neither starves.
#[test]
fn reads_and_writes_take_turns() {
    let mut engine = CycleEngine::new(Box::new(Axi4LiteSlave::blank()));
    let block = &mut engine.block;
    block.s_axi.awvalid.next = true;
    block.s_axi.wvalid.next = true;
    block.s_axi.wstrb.next = Bits::new(15);
    block.s_axi.arvalid.next = true;
    block.s_axi.bready.next = true;
    block.s_axi.rready.next = true;
    block.host.acknowledge.next = true;
    let mut order = vec![];
    for _ in 0..40 {
        engine.settle();
        if engine.block.host.strobe.val() {
            order.push(engine.block.host.write.val());
        }
        engine.tick();
    }
    assert!(order.len() >= 16);
    assert!(order.windows(2).all(|pair| pair[0] != pair[1]), "{order:?}");
}

#[test]
fn reset_empties_the_bridge() {
    let mut engine = CycleEngine::new(Box::new(Axi4LiteSlave::blank()));
    let block = &mut engine.block;
    block.s_axi.awvalid.next = true;
    block.s_axi.wvalid.next = true;
    block.s_axi.wstrb.next = Bits::new(15);
    block.s_axi.arvalid.next = true;
    for _ in 0..5 {
        engine.settle();
        engine.tick();
    }
    assert!(engine.block.host.strobe.val());
    let block = &mut engine.block;
    block.reset.next = true;
    engine.settle();
    let block = &engine.block;
    let ready = [
        block.s_axi.awready.val(),
        block.s_axi.wready.val(),
        block.s_axi.arready.val(),
        block.s_axi.bvalid.val(),
        block.s_axi.rvalid.val(),
    ];
    assert_eq!(ready, [false; 5]);
    engine.tick();
    let block = &mut engine.block;
    block.reset.next = false;
    block.s_axi.awvalid.next = false;
    block.s_axi.wvalid.next = false;
    block.s_axi.arvalid.next = false;
    for _ in 0..10 {
        engine.settle();
        let block = &engine.block;
        assert!(!block.host.strobe.val() && !block.s_axi.bvalid.val() && !block.s_axi.rvalid.val());
        assert!(block.s_axi.awready.val() && block.s_axi.wready.val() && block.s_axi.arready.val());
        engine.tick();
    }
}

#[test]
fn slave_equals_its_verilog() {
    let report = cosim(
        || Box::new(Axi4LiteSlave::blank()),
        10_000,
        1,
        |block, rng, _| {
            block.reset.next = rng.gen_range(0..200) == 0;
            block.s_axi.awvalid.next = rng.gen();
            block.s_axi.awaddr.next = Bits::new(rng.gen::<u32>().into());
            block.s_axi.wvalid.next = rng.gen();
            block.s_axi.wdata.next = Bits::new(rng.gen::<u32>().into());
            block.s_axi.wstrb.next = Bits::new(if rng.gen() { 15 } else { rng.gen_range(0..16) });
            block.s_axi.arvalid.next = rng.gen();
            block.s_axi.araddr.next = Bits::new(rng.gen::<u32>().into());
            block.s_axi.bready.next = rng.gen();
            block.s_axi.rready.next = rng.gen();
            block.host.acknowledge.next = rng.gen();
            block.host.error.next = rng.gen_range(0..8) == 0;
            block.host.read_data.next = Bits::new(rng.gen::<u32>().into());
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn slave_passes_the_lint() {
    assert_eq!(lint(&Axi4LiteSlave::blank()), []);
}
