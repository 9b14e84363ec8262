//! Tests the bridge from the memory port to an AXI4 master with random requests to a memory that accepts and answers
//! reads and writes at random times. The bus monitor checks them. Other tests cover errors, discarding, atomic operations
//! while another master writes, and the bridge's own Verilog.

use super::memory_port::{
    discarding, drive_request, random_requests, random_words, refused_accesses, see_request, Bridge, Port, Request,
    Seen, WORDS,
};
use flexgrip_hdl::bus::axi4_master::Axi4Master;
use flexgrip_machine::Capability;
use flexgrip_testbench::axi_slave::{AxiSlave, BenchMemory};
use flexgrip_testbench::bus_monitor::{Axi, AxiSample};
use hdlkit::lint::lint;
use hdlkit::prelude::{Bits, CycleEngine};
use hdlkit_compiled::cosim::cosim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

struct Bench<const LANES: usize> {
    engine: CycleEngine<Axi4Master<LANES>>,
    memory: BenchMemory,
    slave: AxiSlave,
    /// Each channel is ready or valid in one of this many cycles, on average.
    slow: u32,
    /// The port's request belongs to an atomic operation.
    locked: bool,
    monitor: Axi,
    rng: ChaCha8Rng,
    cycle: u64,
    /// Number of beats on W and R.
    words: u64,
}

impl<const LANES: usize> Bench<LANES> {
    fn new(slow: u32, seed: u64) -> Self {
        Self::of(Capability::V1_0, slow, seed)
    }

    fn of(capability: Capability, slow: u32, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Bench {
            engine: CycleEngine::new(Box::new(Axi4Master::new(capability))),
            memory: BenchMemory { words: random_words(&mut rng), ..Default::default() },
            slave: AxiSlave::default(),
            slow,
            locked: false,
            monitor: Axi::default(),
            rng,
            cycle: 0,
            words: 0,
        }
    }
}

impl<const LANES: usize> Bridge<LANES> for Bench<LANES> {
    fn step(&mut self, port: &mut Port<LANES>) -> Seen {
        let (rng, slow) = (&mut self.rng, self.slow);
        let block = &mut self.engine.block;
        drive_request!(block, port);
        if let Some(locked) = block.memory_locked.first_mut() {
            locked.next = self.locked;
        }
        let bus = &mut block.m_axi;
        bus.awready.next = rng.gen_range(0..slow) == 0;
        bus.wready.next = rng.gen_range(0..slow) == 0;
        bus.arready.next = rng.gen_range(0..slow) == 0;
        // Without VALID the signals may have any value.
        bus.bresp.next = Bits::new(rng.gen_range(0..4));
        bus.rdata.next = Bits::new(rng.gen::<u32>().into());
        bus.rresp.next = Bits::new(rng.gen_range(0..4));
        bus.rlast.next = rng.gen();
        self.slave.drive(bus);
        self.engine.settle();

        let block = &self.engine.block;
        let bus = AxiSample::of(&block.m_axi);
        if block.discard.val() {
            self.monitor = Axi::default();
            let valid = [bus.write_address.valid, bus.write_data.valid, bus.read_address.valid];
            assert_eq!(valid, [false; 3], "on the bus while discarding");
        } else {
            self.monitor.sample(&bus).unwrap_or_else(|error| panic!("{error}"));
        }
        let seen = see_request!(block, port);
        self.words += u64::from(bus.write_data.passed().is_some());
        self.words += u64::from(bus.read_data.passed().is_some());
        self.slave.cycle(&bus, &mut self.memory, || rng.gen_range(0..slow) == 0);
        self.engine.tick();
        self.cycle += 1;
        assert!(self.cycle < 1_000_000, "no end");
        seen
    }

    fn rng(&mut self) -> &mut ChaCha8Rng {
        &mut self.rng
    }

    fn memory(&mut self) -> &mut BenchMemory {
        &mut self.memory
    }

    /// While the bridge discards, the slave continues with its requests.
    fn discard(&mut self, discard: bool) {
        self.engine.block.discard.next = discard;
        if !discard {
            self.slave = AxiSlave::default();
        }
    }

    fn due(&self) -> u64 {
        self.monitor.due()
    }
}

/// Runs `count` requests, one in `pause` cycles on average; returns the maximum number of reads in flight.
fn run<const LANES: usize>(count: u32, pause: u32, slow: u32, seed: u64) -> usize {
    let mut bench = Bench::<LANES>::new(slow, seed);
    random_requests(&mut bench, count, pause);
    bench.monitor.most_reads()
}

#[test]
fn requests_take_effect_in_order() {
    let mut seed = 0;
    let mut most = 0;
    for slow in [1, 2, 5] {
        for pause in [1, 10] {
            for _ in 0..4 {
                seed += 1;
                most = most.max(run::<8>(300, pause, slow, seed));
                most = most.max(run::<16>(100, pause, slow, seed));
                most = most.max(run::<32>(100, pause, slow, seed));
            }
        }
    }
    assert!(most >= 4, "at most {most} reads are in flight at once");
}

/// There is no gap between the words of consecutive lines, for reads and for writes.
#[test]
fn bridge_transfers_a_word_per_cycle() {
    for write in [false, true] {
        let mut bench = Bench::<8>::new(1, 1);
        let mut port = Port::new(&bench.memory);
        bench.serve(&mut port, 20, |bench, port| {
            port.ask(&mut bench.rng);
            let line = port.taken;
            let request = port.waiting.as_mut().unwrap();
            request.write = write;
            request.enable = [15; 8];
            request.address = line * 32;
        });
        assert_eq!(bench.words, 160);
        assert!(bench.cycle <= 160 + 8, "{} cycles, writes: {write}", bench.cycle);
    }
}

#[test]
fn errors_are_reported_without_hanging() {
    refused_accesses(&mut Bench::new(2, 7));
}

/// Resets the bridge while requests are in flight: VALID drops at once, all requests are accepted and answered, and
/// then the bridge works like a new one.
#[test]
fn discarding_answers_requests_without_the_bus() {
    for seed in 0..50 {
        discarding(&mut Bench::new(2, seed), 20 + seed);
    }
}

/// Makes one of the two requests of an atomic operation on `words` words at `address`, and waits until it is done.
fn locked_request(bench: &mut Bench<8>, port: &mut Port<8>, write: bool, address: u32, words: u32) {
    let mut enable = [0; 8];
    enable[address as usize / 4 % 8..][..words as usize].fill(15);
    let data = std::array::from_fn(|_| bench.rng.gen());
    port.waiting = Some(Request { write, address: address & !31, data, enable });
    bench.locked = true;
    loop {
        let seen = bench.step(port);
        assert!(!seen.error);
        if port.waiting.is_none() && !seen.taken && !seen.busy {
            break;
        }
    }
    bench.locked = false;
}

/// A write whose words another master has changed since the read is reported as not done, if the memory can tell.
#[test]
fn atomic_operations_are_exclusive() {
    for has_exclusive in [true, false] {
        let mut bench = Bench::<8>::of(Capability::V1_1, 2, 5);
        bench.slave.has_exclusive = has_exclusive;
        let mut port = Port::new(&bench.memory);
        let mut failures = 0;
        for operation in 0..400 {
            // Ordinary requests, some in flight when the operation begins.
            for _ in 0..bench.rng.gen_range(0..4) {
                port.ask(&mut bench.rng);
                while port.waiting.is_some() {
                    bench.step(&mut port);
                }
            }
            let words = bench.rng.gen_range(1..3);
            let address = bench.rng.gen_range(0..WORDS as u32 / words) * 4 * words;
            locked_request(&mut bench, &mut port, false, address, words);
            // Another master changes a word of the operation, another word, or nothing.
            let changed = match bench.rng.gen_range(0..3) {
                0 => Some(address + 4 * bench.rng.gen_range(0..words)),
                1 => Some((address + 4 * words) % (4 * WORDS as u32)),
                _ => None,
            };
            let word = bench.rng.gen();
            if let Some(changed) = changed {
                bench.slave.change(&mut bench.memory, changed, word);
                port.change(changed, word);
            }
            let before: Vec<u32> = bench.memory.words.clone();
            locked_request(&mut bench, &mut port, true, address, words);
            let hit = changed.is_some_and(|changed| (address..address + 4 * words).contains(&changed));
            let failed = bench.engine.block.memory_failed[0].val();
            assert_eq!(failed, hit && has_exclusive, "operation {operation} at {address:#x}, changed {changed:x?}");
            if failed {
                failures += 1;
                assert_eq!(bench.memory.words, before);
                for word in address / 4..address / 4 + words {
                    port.change(4 * word, before[word as usize]);
                }
            }
        }
        port.check_end(&bench.memory);
        assert_eq!(failures > 50, has_exclusive);
    }
}

/// A failed write is forgotten with the next request, also while discarding: an operation that starts again ends.
#[test]
fn discarding_forgets_a_failed_write() {
    let mut bench = Bench::<8>::of(Capability::V1_1, 1, 6);
    bench.slave.has_exclusive = true;
    let mut port = Port::new(&bench.memory);
    locked_request(&mut bench, &mut port, false, 8, 1);
    bench.slave.change(&mut bench.memory, 8, 1);
    locked_request(&mut bench, &mut port, true, 8, 1);
    assert!(bench.engine.block.memory_failed[0].val());
    bench.discard(true);
    for write in [false, true] {
        port.accept_any();
        let request = Request { write, address: 0, data: [0; 8], enable: [15; 8] };
        port.waiting = Some(request);
        bench.locked = true;
        for _ in 0..4 {
            port.accept_any();
            bench.step(&mut port);
        }
        assert!(port.waiting.is_none() && port.due() == 0);
        assert!(!bench.engine.block.memory_failed[0].val());
    }
}

fn equals_its_verilog<const LANES: usize>(capability: Capability, seed: u64) {
    let report = cosim(
        || Box::new(Axi4Master::<LANES>::new(capability)),
        4_000,
        seed,
        |block, rng, cycle| {
            block.discard.next = cycle % 1_000 > 990;
            if !block.memory.request_valid.val() || block.memory.request_ready.val() {
                block.memory.request_valid.next = rng.gen();
                block.memory.request_write.next = rng.gen();
                for locked in &mut block.memory_locked {
                    locked.next = rng.gen();
                }
                block.memory.request_address.next = Bits::new(rng.gen_range(0..4) * 4 * LANES as u64);
                for i in 0..LANES {
                    block.memory.request_data[i].next = Bits::new(rng.gen::<u32>().into());
                    block.memory.request_enable[i].next = Bits::new(if rng.gen() { rng.gen_range(0..16) } else { 0 });
                }
            }
            let slow = if cycle % 1_000 < 500 { 8 } else { 2 };
            block.m_axi.awready.next = rng.gen();
            block.m_axi.wready.next = rng.gen();
            block.m_axi.arready.next = rng.gen();
            block.m_axi.bvalid.next = rng.gen_range(0..slow) == 0;
            block.m_axi.bresp.next = Bits::new(rng.gen_range(0..4));
            block.m_axi.rvalid.next = rng.gen_range(0..slow) == 0;
            block.m_axi.rresp.next = Bits::new(rng.gen_range(0..4));
            block.m_axi.rlast.next = rng.gen();
            block.m_axi.rdata.next = Bits::new(rng.gen::<u32>().into());
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    // ID, SIZE, BURST and PROT of both addresses, BREADY and RREADY are constant; at 1.0 also LOCK and CACHE.
    let constant = if capability >= Capability::V1_1 { 10 } else { 14 };
    assert_eq!(report.outputs_that_changed, report.outputs - constant);
}

#[test]
fn master_equals_its_verilog() {
    equals_its_verilog::<8>(Capability::V1_0, 1);
    equals_its_verilog::<32>(Capability::V1_1, 2);
}

#[test]
fn master_passes_the_lint() {
    assert_eq!(lint(&Axi4Master::<8>::new(Capability::V1_0)), []);
    assert_eq!(lint(&Axi4Master::<32>::new(Capability::V1_1)), []);
}
