//! The bridge from the memory port to a Wishbone master: random requests against a memory with random stalls and answers,
//! under the bus monitor; errors; discarding; and the bridge against its own Verilog.

mod memory_port;

use flexgrip_hdl::bus::monitor::{WishboneAccess, WishbonePipelined, WishboneSample};
use flexgrip_hdl::bus::wishbone_master::WishboneMaster;
use hdlkit::cosim::cosim;
use hdlkit::lint::lint;
use hdlkit::prelude::{Bits, CycleEngine};
use memory_port::{merge, Port, WORDS};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// How a slave behaves: one in so many cycles it takes an access, or has an answer; cycles that an answer takes at least.
#[derive(Clone, Copy)]
struct Manners {
    takes: u32,
    answers: u32,
    latency: u64,
}

/// What is on the data lines with ERR.
const REFUSED: u32 = 0xbad0_bad0;

/// A slave over a memory. With latency 0 it may answer in the cycle of the strobe, as a classic slave does.
struct Slave {
    memory: [u32; WORDS],
    manners: Manners,
    /// The answers that are due: when, and the word, or none for ERR.
    due: VecDeque<(u64, Option<u32>)>,
    /// Byte addresses that are answered with ERR.
    bad: std::ops::Range<u32>,
    errors: u32,
}

/// What one cycle was like.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    taken: bool,
    response: bool,
    error: bool,
    busy: bool,
    sample: WishboneSample,
}

struct Bench<const LANES: usize> {
    engine: CycleEngine<WishboneMaster<LANES>>,
    slave: Slave,
    monitor: WishbonePipelined,
    rng: ChaCha8Rng,
    cycle: u64,
}

impl<const LANES: usize> Bench<LANES> {
    fn new(manners: Manners, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Bench {
            engine: CycleEngine::new(Box::new(WishboneMaster::new())),
            slave: Slave {
                memory: std::array::from_fn(|_| rng.gen()),
                manners,
                due: VecDeque::new(),
                bad: 0..0,
                errors: 0,
            },
            monitor: WishbonePipelined::default(),
            rng,
            cycle: 0,
        }
    }

    /// One cycle of port, bridge and slave.
    fn step(&mut self, port: &mut Port<LANES>) -> Seen {
        let block = &mut self.engine.block;
        let request = port.waiting;
        block.request_valid.next = request.is_some();
        if let Some(request) = request {
            block.request_write.next = request.write;
            block.request_address.next = Bits::new(request.address.into());
            for i in 0..LANES {
                block.request_data[i].next = Bits::new(request.data[i].into());
                block.request_enable[i].next = Bits::new(request.enable[i].into());
            }
        }
        let manners = self.slave.manners;
        let stall = self.rng.gen_range(0..manners.takes) != 0;
        let willing = self.rng.gen_range(0..manners.answers) == 0;
        block.wbm_stall_i.next = stall;
        block.wbm_ack_i.next = false;
        block.wbm_err_i.next = false;
        self.engine.settle();

        // What the bridge strobes does not hang on the answer, so the slave may look at it first.
        let block = &mut self.engine.block;
        let mut sample = WishboneSample {
            cycle: block.wbm_cyc_o.val(),
            strobe: block.wbm_stb_o.val(),
            access: WishboneAccess {
                write: block.wbm_we_o.val(),
                address: block.wbm_adr_o.val().raw() as u32,
                select: block.wbm_sel_o.val().raw() as u8,
                data: block.wbm_dat_o.val().raw() as u32,
            },
            stall,
            ..Default::default()
        };
        if sample.strobe && !stall {
            let access = sample.access;
            let word = &mut self.slave.memory[access.address as usize / 4];
            let refused = self.slave.bad.contains(&access.address);
            if access.write && !refused {
                merge(word, access.data, access.select);
            }
            let answer = (!refused).then_some(*word);
            self.slave.due.push_back((self.cycle + manners.latency, answer));
            self.slave.errors += u32::from(refused);
        }
        let ripe = self.slave.due.front().is_some_and(|(due, _)| *due <= self.cycle);
        if ripe && willing {
            let (_, answer) = self.slave.due.pop_front().unwrap();
            sample.acknowledge = answer.is_some();
            sample.error = answer.is_none();
            block.wbm_ack_i.next = sample.acknowledge;
            block.wbm_err_i.next = sample.error;
            block.wbm_dat_i.next = Bits::new(answer.unwrap_or(REFUSED).into());
        } else {
            block.wbm_dat_i.next = Bits::new(self.rng.gen::<u32>().into());
        }
        self.engine.settle();
        let block = &self.engine.block;
        let seen = Seen {
            taken: request.is_some() && block.request_ready.val(),
            response: block.response_valid.val(),
            error: block.error.val(),
            busy: block.busy.val(),
            sample,
        };
        if block.discard.val() {
            self.monitor = WishbonePipelined::default();
            assert!(!sample.cycle && !sample.strobe, "on the bus while discarding");
        } else {
            self.monitor.sample(&sample).unwrap_or_else(|error| panic!("{error}"));
        }
        if seen.response {
            port.answer(std::array::from_fn(|i| block.response_data[i].val().raw() as u32));
        }
        if seen.taken {
            port.take();
        }
        self.engine.tick();
        self.cycle += 1;
        assert!(self.cycle < 1_000_000, "no end");
        seen
    }
}

/// `count` requests, of which one is made in `pause` cycles; the cycles that they take, and the most accesses under way.
fn run<const LANES: usize>(count: u32, pause: u32, manners: Manners, seed: u64) -> (u64, u64) {
    let mut bench = Bench::<LANES>::new(manners, seed);
    let mut port = Port::new(bench.slave.memory);
    let mut made = 0;
    loop {
        if made < count && port.waiting.is_none() && bench.rng.gen_range(0..pause) == 0 {
            port.ask(&mut bench.rng);
            made += 1;
        }
        let seen = bench.step(&mut port);
        assert!(!seen.error);
        if port.taken == count && !seen.taken && !seen.busy {
            break;
        }
    }
    port.check_end(&bench.slave.memory);
    assert_eq!(bench.monitor.due(), 0);
    (bench.cycle, bench.monitor.most_due())
}

#[test]
fn requests_take_effect_in_order_whatever_the_slave_does() {
    let mut seed = 0;
    for (takes, answers) in [(1, 1), (3, 1), (1, 3), (4, 4)] {
        for latency in [0, 1, 7, 90] {
            for pause in [1, 10] {
                let manners = Manners {
                    takes,
                    answers,
                    latency,
                };
                seed += 1;
                run::<8>(200, pause, manners, seed);
                run::<16>(100, pause, manners, seed);
                run::<32>(100, pause, manners, seed);
            }
        }
    }
}

/// A word a cycle, several lines under way, and no more than the bridge has places for.
#[test]
fn a_word_a_cycle() {
    let manners = |latency| Manners {
        takes: 1,
        answers: 1,
        latency,
    };
    for (latency, most) in [(1, 2), (20, 21), (200, 64)] {
        let mut bench = Bench::<8>::new(manners(latency), 1);
        let mut port = Port::new(bench.slave.memory);
        let mut strobes = 0;
        for line in 0..16 {
            port.ask(&mut bench.rng);
            let request = port.waiting.as_mut().unwrap();
            request.write = false;
            request.address = line * 32;
            request.enable = [15; 8];
            while port.waiting.is_some() {
                strobes += u32::from(bench.step(&mut port).sample.strobe);
            }
        }
        // The last line was taken in the cycle of the last word before it.
        if latency < 64 {
            assert_eq!((bench.cycle, strobes), (1 + 15 * 8, 15 * 8));
        }
        while bench.step(&mut port).busy {}
        assert_eq!(bench.monitor.most_due(), most);
        assert_eq!(port.answered, 16);
    }
}

#[test]
fn an_error_is_told_and_nothing_hangs() {
    let manners = Manners {
        takes: 2,
        answers: 2,
        latency: 1,
    };
    let mut bench = Bench::<8>::new(manners, 7);
    bench.slave.bad = 36..40;
    let mut port = Port::new(bench.slave.memory);
    // A write to line 1 of which word 1 is refused, and a read of that word alone.
    for (write, enable) in [(true, 15), (false, 0)] {
        port.ask(&mut bench.rng);
        let request = port.waiting.as_mut().unwrap();
        *request = memory_port::Request {
            write,
            address: 32,
            data: [REFUSED; 8],
            enable: [enable; 8],
        };
        request.enable[1] = 15;
        let before = bench.slave.errors;
        let (mut errors, mut together) = (0, false);
        loop {
            let seen = bench.step(&mut port);
            errors += u32::from(seen.error);
            together |= seen.error && seen.response;
            if port.waiting.is_none() && !seen.taken && !seen.busy {
                break;
            }
        }
        assert_eq!((errors, bench.slave.errors - before), (1, 1));
        assert_eq!(together, !write, "a read's error comes with its response");
    }
    assert_eq!((port.answered, port.due()), (1, 0));
}

/// A reset in the middle of everything: the bus is quiet at once, all requests are taken and answered, and then the bridge
/// works as if new.
#[test]
fn discarding_answers_everything_without_the_bus() {
    for seed in 0..50 {
        let manners = Manners {
            takes: 2,
            answers: 2,
            latency: 5,
        };
        let mut bench = Bench::<8>::new(manners, seed);
        let mut port = Port::new(bench.slave.memory);
        for _ in 0..20 + seed {
            port.ask(&mut bench.rng);
            bench.step(&mut port);
        }
        bench.engine.block.discard.next = true;
        bench.slave.due.clear();
        for cycle in 0.. {
            if cycle < 30 {
                port.ask(&mut bench.rng);
            }
            port.accept_any();
            let seen = bench.step(&mut port);
            if !seen.busy && !seen.taken && port.waiting.is_none() && cycle >= 30 {
                break;
            }
            assert!(cycle < 200, "not at rest");
        }
        assert_eq!(port.due(), 0);
        bench.engine.block.discard.next = false;
        bench.slave.memory = std::array::from_fn(|_| bench.rng.gen());
        let mut port = Port::new(bench.slave.memory);
        loop {
            if port.taken < 50 {
                port.ask(&mut bench.rng);
            }
            let seen = bench.step(&mut port);
            if port.waiting.is_none() && !seen.taken && !seen.busy {
                break;
            }
        }
        port.check_end(&bench.slave.memory);
    }
}

fn equals_its_verilog<const LANES: usize>(seed: u64) {
    let report = cosim(
        || Box::new(WishboneMaster::<LANES>::new()),
        4_000,
        seed,
        |block, rng, cycle| {
            block.discard.next = cycle % 1_000 > 990;
            if !block.request_valid.val() || block.request_ready.val() {
                block.request_valid.next = rng.gen();
                block.request_write.next = rng.gen();
                block.request_address.next =
                    Bits::new(u64::from(rng.gen::<u32>()) / (4 * LANES as u64) * (4 * LANES as u64));
                for i in 0..LANES {
                    block.request_data[i].next = Bits::new(rng.gen::<u32>().into());
                    block.request_enable[i].next = Bits::new(if rng.gen() { rng.gen_range(0..16) } else { 0 });
                }
            }
            // Slow at first, so that all places are taken.
            let slow = if cycle % 1_000 < 500 { 8 } else { 1 };
            block.wbm_stall_i.next = rng.gen_range(0..4) == 0;
            block.wbm_ack_i.next = rng.gen_range(0..slow) == 0;
            block.wbm_err_i.next = rng.gen_range(0..20) == 0;
            block.wbm_dat_i.next = Bits::new(rng.gen::<u32>().into());
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn master_equals_its_verilog() {
    equals_its_verilog::<8>(1);
    equals_its_verilog::<32>(2);
}

#[test]
fn master_passes_the_lint() {
    assert_eq!(lint(&WishboneMaster::<8>::new()), []);
    assert_eq!(lint(&WishboneMaster::<32>::new()), []);
}
