//! Tests the bridge from the memory port to a Wishbone master with random requests to a memory with random stalls and
//! answers. The bus monitor checks them. Other tests cover errors, discarding, atomic operations, and the bridge's own
//! Verilog.

use super::memory_port::{
    discarding, drive_request, random_requests, random_words, refused_accesses, see_request, Bridge, Port, Request,
    Seen,
};
use flexgrip_hdl::bus::wishbone_master::WishboneMaster;
use flexgrip_machine::Capability;
use flexgrip_testbench::axi_slave::{BenchMemory, REFUSED};
use flexgrip_testbench::bus_monitor::{WishbonePipelined, WishboneSample};
use hdlkit::lint::lint;
use hdlkit::prelude::{Bits, CycleEngine};
use hdlkit_compiled::cosim::cosim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// The timing of a slave: it accepts an access in one of `takes` cycles on average and answers in one of `answers`, at
/// least `latency` cycles after the access. With latency 0 it may answer in the cycle of the strobe, like a classic
/// slave.
#[derive(Clone, Copy)]
struct Manners {
    takes: u32,
    answers: u32,
    latency: u64,
}

struct Bench<const LANES: usize> {
    engine: CycleEngine<WishboneMaster<LANES>>,
    memory: BenchMemory,
    manners: Manners,
    /// An atomic operation is between its read and its write.
    locked: bool,
    /// The answers that the slave owes: the cycle, and the word, or `None` for ERR.
    owed: VecDeque<(u64, Option<u32>)>,
    monitor: WishbonePipelined,
    rng: ChaCha8Rng,
    cycle: u64,
    /// Number of cycles with STB.
    strobes: u64,
}

impl<const LANES: usize> Bench<LANES> {
    fn new(manners: Manners, seed: u64) -> Self {
        Self::of(Capability::V1_0, manners, seed)
    }

    fn of(capability: Capability, manners: Manners, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Bench {
            engine: CycleEngine::new(Box::new(WishboneMaster::new(capability))),
            memory: BenchMemory { words: random_words(&mut rng), ..Default::default() },
            manners,
            locked: false,
            owed: VecDeque::new(),
            monitor: WishbonePipelined::default(),
            rng,
            cycle: 0,
            strobes: 0,
        }
    }
}

impl<const LANES: usize> Bridge<LANES> for Bench<LANES> {
    fn step(&mut self, port: &mut Port<LANES>) -> Seen {
        let block = &mut self.engine.block;
        drive_request!(block, port);
        if let Some(locked) = block.memory_locked.first_mut() {
            locked.next = self.locked;
        }
        let stall = self.rng.gen_range(0..self.manners.takes) != 0;
        let willing = self.rng.gen_range(0..self.manners.answers) == 0;
        block.wbm.stall_i.next = stall;
        block.wbm.ack_i.next = false;
        block.wbm.err_i.next = false;
        self.engine.settle();

        // The bridge's strobe does not depend on the answer, so the slave may sample it first.
        let WishboneSample { strobe, access, .. } = WishboneSample::of(&self.engine.block.wbm);
        if strobe && !stall {
            let write = access.write.then_some((access.data, access.select));
            let answer = self.memory.access(access.address, write);
            self.owed.push_back((self.cycle + self.manners.latency, answer));
        }
        let bus = &mut self.engine.block.wbm;
        let ripe = self.owed.front().is_some_and(|(due, _)| *due <= self.cycle);
        if ripe && willing {
            let (_, answer) = self.owed.pop_front().unwrap();
            bus.ack_i.next = answer.is_some();
            bus.err_i.next = answer.is_none();
            bus.dat_i.next = Bits::new(answer.unwrap_or(REFUSED).into());
        } else {
            bus.dat_i.next = Bits::new(self.rng.gen::<u32>().into());
        }
        self.engine.settle();

        let block = &self.engine.block;
        let bus = WishboneSample::of(&block.wbm);
        assert_eq!((bus.strobe, bus.access), (strobe, access), "STB depends on the answer");
        if block.discard.val() {
            self.monitor = WishbonePipelined::default();
            assert!(!bus.cycle && !bus.strobe, "on the bus while discarding");
        } else {
            self.monitor.sample(&bus).unwrap_or_else(|error| panic!("{error}"));
            assert!(bus.cycle || !self.locked, "CYC dropped in an atomic operation");
        }
        let seen = see_request!(block, port);
        self.strobes += u64::from(bus.strobe);
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

    /// CYC drops, so the slave drops the answers that it owes.
    fn discard(&mut self, discard: bool) {
        self.engine.block.discard.next = discard;
        self.owed.clear();
    }

    fn due(&self) -> u64 {
        self.monitor.due()
    }
}

#[test]
fn requests_take_effect_in_order() {
    let mut seed = 0;
    for (takes, answers) in [(1, 1), (3, 1), (1, 3), (4, 4)] {
        for latency in [0, 1, 7, 90] {
            for pause in [1, 10] {
                let manners = Manners { takes, answers, latency };
                seed += 1;
                random_requests(&mut Bench::<8>::new(manners, seed), 200, pause);
                random_requests(&mut Bench::<16>::new(manners, seed), 100, pause);
                random_requests(&mut Bench::<32>::new(manners, seed), 100, pause);
            }
        }
    }
}

/// The bridge accepts a word per cycle, and several lines in flight, but no more than it has entries.
#[test]
fn bridge_transfers_a_word_per_cycle() {
    let manners = |latency| Manners { takes: 1, answers: 1, latency };
    for (latency, most) in [(1, 2), (20, 21), (200, 64)] {
        let mut bench = Bench::<8>::new(manners(latency), 1);
        let mut port = Port::new(&bench.memory);
        for line in 0..16 {
            port.ask(&mut bench.rng);
            let request = port.waiting.as_mut().unwrap();
            request.write = false;
            request.address = line * 32;
            request.enable = [15; 8];
            while port.waiting.is_some() {
                bench.step(&mut port);
            }
        }
        // The last line was accepted in the cycle of the previous line's last word.
        if latency < 64 {
            assert_eq!((bench.cycle, bench.strobes), (1 + 15 * 8, 15 * 8));
        }
        while bench.step(&mut port).busy {}
        assert_eq!(bench.monitor.most_due(), most);
        assert_eq!(port.answered, 16);
    }
}

#[test]
fn errors_are_reported_without_hanging() {
    let manners = Manners { takes: 2, answers: 2, latency: 1 };
    refused_accesses(&mut Bench::new(manners, 7));
}

/// Resets the bridge while requests are in flight: the bus is quiet at once, all requests are accepted and answered,
/// and then the bridge works like a new one.
#[test]
fn discarding_answers_requests_without_the_bus() {
    for seed in 0..50 {
        let manners = Manners { takes: 2, answers: 2, latency: 5 };
        discarding(&mut Bench::new(manners, seed), 20 + seed);
    }
}

/// From an operation's read to its write CYC stays high, and falls when the write and all before it are answered.
#[test]
fn atomic_operations_hold_the_bus() {
    let manners = Manners { takes: 2, answers: 2, latency: 3 };
    let mut bench = Bench::<8>::of(Capability::V1_1, manners, 9);
    let mut port = Port::new(&bench.memory);
    let mut cycles = 0;
    for operation in 0..200 {
        for write in [false, true] {
            bench.locked = true;
            let address = bench.rng.gen_range(0..8) * 32;
            let data = std::array::from_fn(|_| bench.rng.gen());
            port.waiting = Some(Request { write, address, data, enable: [15, 0, 0, 0, 0, 0, 0, 0] });
            let read = port.answered + u32::from(!write);
            // A few cycles pass between the read's response and the write.
            while port.waiting.is_some() || port.answered < read {
                bench.step(&mut port);
            }
            bench.locked = !write;
            for _ in 0..bench.rng.gen_range(0..3) {
                bench.step(&mut port);
            }
        }
        while bench.step(&mut port).busy {}
        assert!(!bench.engine.block.wbm.cyc_o.val(), "CYC is high after operation {operation}");
        cycles += bench.strobes;
    }
    assert!(cycles > 400);
    port.check_end(&bench.memory);
}

fn equals_its_verilog<const LANES: usize>(capability: Capability, seed: u64) {
    let report = cosim(
        || Box::new(WishboneMaster::<LANES>::new(capability)),
        4_000,
        seed,
        |block, rng, cycle| {
            block.discard.next = cycle % 1_000 > 990;
            if !block.memory.request_valid.val() || block.memory.request_ready.val() {
                block.memory.request_valid.next = rng.gen();
                block.memory.request_write.next = rng.gen();
                block.memory.request_address.next =
                    Bits::new(u64::from(rng.gen::<u32>()) / (4 * LANES as u64) * (4 * LANES as u64));
                for i in 0..LANES {
                    block.memory.request_data[i].next = Bits::new(rng.gen::<u32>().into());
                    block.memory.request_enable[i].next = Bits::new(if rng.gen() { rng.gen_range(0..16) } else { 0 });
                }
            }
            for locked in &mut block.memory_locked {
                locked.next = rng.gen();
            }
            // Slow at first, to fill all entries.
            let slow = if cycle % 1_000 < 500 { 8 } else { 1 };
            block.wbm.stall_i.next = rng.gen_range(0..4) == 0;
            block.wbm.ack_i.next = rng.gen_range(0..slow) == 0;
            block.wbm.err_i.next = rng.gen_range(0..20) == 0;
            block.wbm.dat_i.next = Bits::new(rng.gen::<u32>().into());
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn master_equals_its_verilog() {
    equals_its_verilog::<8>(Capability::V1_0, 1);
    equals_its_verilog::<32>(Capability::V1_1, 2);
}

#[test]
fn master_passes_the_lint() {
    assert_eq!(lint(&WishboneMaster::<8>::new(Capability::V1_0)), []);
    assert_eq!(lint(&WishboneMaster::<32>::new(Capability::V1_1)), []);
}
