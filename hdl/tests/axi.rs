//! The bridge from the memory port to an AXI4 master: random requests against a memory that takes and answers reads and
//! writes when it likes, under the bus monitor; errors; discarding; and the bridge against its own Verilog.

mod memory_port;

use flexgrip_hdl::bus::axi4_master::Axi4Master;
use flexgrip_hdl::bus::monitor::{Axi, AxiSample, Beat, Burst, ReadWord, WriteWord};
use hdlkit::cosim::cosim;
use hdlkit::lint::lint;
use hdlkit::prelude::{Bits, CycleEngine};
use memory_port::{merge, Port, WORDS};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const SLVERR: u8 = 2;

/// A slave that has no order between reads and writes: a write takes effect at some time before its B, a read of a word is
/// made when that word goes out.
struct Slave {
    memory: [u32; WORDS],
    /// One in so many cycles each channel does something.
    slow: u32,
    addresses: VecDeque<Burst>,
    words: VecDeque<WriteWord>,
    /// Responses of writes that have taken effect.
    responses: VecDeque<u8>,
    reads: VecDeque<Burst>,
    /// Words of the read at the head that have gone out.
    sent: u32,
    /// What the slave shows until it is taken.
    response: Option<u8>,
    word: Option<ReadWord>,
    bad: std::ops::Range<u32>,
}

impl Slave {
    /// What happens inside in a cycle.
    fn work(&mut self, rng: &mut ChaCha8Rng) {
        let mut now = || rng.gen_range(0..self.slow) == 0;
        if now() {
            if let Some(&burst) = self.addresses.front() {
                let beats = usize::from(burst.length) + 1;
                if self.words.len() >= beats {
                    self.addresses.pop_front();
                    let mut response = 0;
                    for (i, word) in (0..).zip(self.words.drain(..beats)) {
                        let address = burst.address + 4 * i;
                        if self.bad.contains(&address) {
                            response = SLVERR;
                        } else {
                            merge(&mut self.memory[address as usize / 4], word.data, word.strobes);
                        }
                    }
                    self.responses.push_back(response);
                }
            }
        }
        if self.response.is_none() && now() {
            self.response = self.responses.pop_front();
        }
        if self.word.is_none() && now() {
            if let Some(&burst) = self.reads.front() {
                let address = burst.address + 4 * self.sent;
                let last = self.sent == u32::from(burst.length);
                self.word = Some(ReadWord {
                    data: self.memory[address as usize / 4],
                    response: if self.bad.contains(&address) { SLVERR } else { 0 },
                    last,
                });
                self.sent += 1;
                if last {
                    self.reads.pop_front();
                    self.sent = 0;
                }
            }
        }
    }
}

/// What one cycle was like.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    taken: bool,
    response: bool,
    error: bool,
    busy: bool,
}

struct Bench<const LANES: usize> {
    engine: CycleEngine<Axi4Master<LANES>>,
    slave: Slave,
    monitor: Axi,
    rng: ChaCha8Rng,
    cycle: u64,
    /// Beats on W and R.
    words: u64,
}

impl<const LANES: usize> Bench<LANES> {
    fn new(slow: u32, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Bench {
            engine: CycleEngine::new(Box::new(Axi4Master::new())),
            slave: Slave {
                memory: std::array::from_fn(|_| rng.gen()),
                slow,
                addresses: VecDeque::new(),
                words: VecDeque::new(),
                responses: VecDeque::new(),
                reads: VecDeque::new(),
                sent: 0,
                response: None,
                word: None,
                bad: 0..0,
            },
            monitor: Axi::default(),
            rng,
            cycle: 0,
            words: 0,
        }
    }

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
        let slow = self.slave.slow;
        let rng = &mut self.rng;
        block.m_axi_awready.next = rng.gen_range(0..slow) == 0;
        block.m_axi_wready.next = rng.gen_range(0..slow) == 0;
        block.m_axi_arready.next = rng.gen_range(0..slow) == 0;
        block.m_axi_bvalid.next = self.slave.response.is_some();
        block.m_axi_bresp.next = Bits::new(self.slave.response.unwrap_or_else(|| rng.gen_range(0..4)).into());
        let word = self.slave.word;
        block.m_axi_rvalid.next = word.is_some();
        block.m_axi_rdata.next = Bits::new(word.map_or_else(|| rng.gen(), |word| word.data).into());
        block.m_axi_rresp.next = Bits::new(word.map_or_else(|| rng.gen_range(0..4), |word| word.response).into());
        block.m_axi_rlast.next = word.map_or_else(|| rng.gen(), |word| word.last);
        self.engine.settle();

        let block = &self.engine.block;
        let sample = AxiSample {
            write_address: Beat {
                valid: block.m_axi_awvalid.val(),
                ready: block.m_axi_awready.val(),
                payload: Burst {
                    address: block.m_axi_awaddr.val().raw() as u32,
                    length: block.m_axi_awlen.val().raw() as u8,
                    size: block.m_axi_awsize.val().raw() as u8,
                    kind: block.m_axi_awburst.val().raw() as u8,
                },
            },
            write_data: Beat {
                valid: block.m_axi_wvalid.val(),
                ready: block.m_axi_wready.val(),
                payload: WriteWord {
                    data: block.m_axi_wdata.val().raw() as u32,
                    strobes: block.m_axi_wstrb.val().raw() as u8,
                    last: block.m_axi_wlast.val(),
                },
            },
            write_response: Beat {
                valid: block.m_axi_bvalid.val(),
                ready: block.m_axi_bready.val(),
                payload: self.slave.response.unwrap_or(0),
            },
            read_address: Beat {
                valid: block.m_axi_arvalid.val(),
                ready: block.m_axi_arready.val(),
                payload: Burst {
                    address: block.m_axi_araddr.val().raw() as u32,
                    length: block.m_axi_arlen.val().raw() as u8,
                    size: block.m_axi_arsize.val().raw() as u8,
                    kind: block.m_axi_arburst.val().raw() as u8,
                },
            },
            read_data: Beat {
                valid: block.m_axi_rvalid.val(),
                ready: block.m_axi_rready.val(),
                payload: word.unwrap_or_default(),
            },
        };
        if block.discard.val() {
            self.monitor = Axi::default();
            let valid = [
                sample.write_address.valid,
                sample.write_data.valid,
                sample.read_address.valid,
            ];
            assert_eq!(valid, [false; 3], "on the bus while discarding");
        } else {
            self.monitor.sample(&sample).unwrap_or_else(|error| panic!("{error}"));
        }
        let seen = Seen {
            taken: request.is_some() && block.request_ready.val(),
            response: block.response_valid.val(),
            error: block.error.val(),
            busy: block.busy.val(),
        };
        if seen.response {
            port.answer(std::array::from_fn(|i| block.response_data[i].val().raw() as u32));
        }
        if seen.taken {
            port.take();
        }
        let slave = &mut self.slave;
        if sample.write_response.valid && sample.write_response.ready {
            slave.response = None;
        }
        if sample.read_data.valid && sample.read_data.ready {
            slave.word = None;
            self.words += 1;
        }
        slave.work(&mut self.rng);
        if sample.write_address.valid && sample.write_address.ready {
            slave.addresses.push_back(sample.write_address.payload);
        }
        if sample.write_data.valid && sample.write_data.ready {
            slave.words.push_back(sample.write_data.payload);
            self.words += 1;
        }
        if sample.read_address.valid && sample.read_address.ready {
            slave.reads.push_back(sample.read_address.payload);
        }
        self.engine.tick();
        self.cycle += 1;
        assert!(self.cycle < 1_000_000, "no end");
        seen
    }
}

/// `count` requests, of which one is made in `pause` cycles; the most reads under way.
fn run<const LANES: usize>(count: u32, pause: u32, slow: u32, seed: u64) -> usize {
    let mut bench = Bench::<LANES>::new(slow, seed);
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
    bench.monitor.most_reads()
}

#[test]
fn requests_take_effect_in_order_whatever_the_slave_does() {
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
    assert!(most >= 4, "reads go one by one: {most}");
}

/// Lines follow each other without a pause in the words, reads as writes.
#[test]
fn a_word_a_cycle() {
    for write in [false, true] {
        let mut bench = Bench::<8>::new(1, 1);
        let mut port = Port::new(bench.slave.memory);
        loop {
            if port.taken < 20 && port.waiting.is_none() {
                port.ask(&mut bench.rng);
                let request = port.waiting.as_mut().unwrap();
                request.write = write;
                request.enable = [15; 8];
                request.address = port.taken % 32 * 32;
            }
            let seen = bench.step(&mut port);
            if port.waiting.is_none() && !seen.taken && !seen.busy {
                break;
            }
        }
        assert_eq!(bench.words, 160);
        assert!(bench.cycle <= 160 + 8, "{} cycles, writes: {write}", bench.cycle);
        port.check_end(&bench.slave.memory);
    }
}

#[test]
fn an_error_is_told_and_nothing_hangs() {
    let mut bench = Bench::<8>::new(2, 7);
    bench.slave.bad = 36..40;
    bench.slave.memory = [7; WORDS];
    let mut port = Port::new(bench.slave.memory);
    // A write to line 1 of which word 1 is refused, and a read of that word alone.
    for (write, enable) in [(true, 15), (false, 0)] {
        let mut request = memory_port::Request {
            write,
            address: 32,
            data: [7; 8],
            enable: [enable; 8],
        };
        request.enable[1] = 15;
        port.waiting = Some(request);
        let (mut errors, mut together) = (0, false);
        loop {
            let seen = bench.step(&mut port);
            errors += u32::from(seen.error);
            together |= seen.error && seen.response;
            if port.waiting.is_none() && !seen.taken && !seen.busy {
                break;
            }
        }
        assert_eq!(errors, 1);
        assert_eq!(together, !write, "a read's error comes with its response");
    }
    assert_eq!((port.answered, port.due()), (1, 0));
}

/// A reset in the middle of everything: no VALID at once, all requests are taken and answered, and then the bridge works as
/// if new.
#[test]
fn discarding_answers_everything_without_the_bus() {
    for seed in 0..50 {
        let mut bench = Bench::<8>::new(2, seed);
        let mut port = Port::new(bench.slave.memory);
        for _ in 0..20 + seed {
            port.ask(&mut bench.rng);
            bench.step(&mut port);
        }
        bench.engine.block.discard.next = true;
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
        let mut fresh = Bench::<8>::new(2, seed);
        std::mem::swap(&mut fresh.engine, &mut bench.engine);
        let mut bench = fresh;
        bench.engine.block.discard.next = false;
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
        || Box::new(Axi4Master::<LANES>::new()),
        4_000,
        seed,
        |block, rng, cycle| {
            block.discard.next = cycle % 1_000 > 990;
            if !block.request_valid.val() || block.request_ready.val() {
                block.request_valid.next = rng.gen();
                block.request_write.next = rng.gen();
                block.request_address.next = Bits::new(rng.gen_range(0..4) * 4 * LANES as u64);
                for i in 0..LANES {
                    block.request_data[i].next = Bits::new(rng.gen::<u32>().into());
                    block.request_enable[i].next = Bits::new(if rng.gen() { rng.gen_range(0..16) } else { 0 });
                }
            }
            let slow = if cycle % 1_000 < 500 { 8 } else { 2 };
            block.m_axi_awready.next = rng.gen();
            block.m_axi_wready.next = rng.gen();
            block.m_axi_arready.next = rng.gen();
            block.m_axi_bvalid.next = rng.gen_range(0..slow) == 0;
            block.m_axi_bresp.next = Bits::new(rng.gen_range(0..4));
            block.m_axi_rvalid.next = rng.gen_range(0..slow) == 0;
            block.m_axi_rresp.next = Bits::new(rng.gen_range(0..4));
            block.m_axi_rlast.next = rng.gen();
            block.m_axi_rdata.next = Bits::new(rng.gen::<u32>().into());
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    // ID, SIZE, BURST, LOCK, CACHE and PROT of both addresses, BREADY and RREADY are constant.
    assert_eq!(report.outputs_that_changed, report.outputs - 14);
}

#[test]
fn master_equals_its_verilog() {
    equals_its_verilog::<8>(1);
    equals_its_verilog::<32>(2);
}

#[test]
fn master_passes_the_lint() {
    assert_eq!(lint(&Axi4Master::<8>::new()), []);
    assert_eq!(lint(&Axi4Master::<32>::new()), []);
}
