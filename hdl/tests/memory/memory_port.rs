//! The chip's side of a memory bridge: random requests, and the required answers by the port's rules, under which
//! requests take effect in the order of their acceptance. It also defines the required behaviour of bridges to all
//! buses.

use flexgrip_hdl::memory::write_bytes;
use flexgrip_testbench::axi_slave::{BenchMemory, REFUSED};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Words of the memory on the bus.
pub const WORDS: usize = 256;

/// A request of LANES words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request<const LANES: usize> {
    pub write: bool,
    pub address: u32,
    pub data: [u32; LANES],
    pub enable: [u8; LANES],
}

/// The words that a read must return; `None` for words that were not requested.
pub type Wanted<const LANES: usize> = [Option<u32>; LANES];

/// The chip's side of the port, with a reference memory.
pub struct Port<const LANES: usize> {
    /// The request at the port.
    pub waiting: Option<Request<LANES>>,
    memory: Vec<u32>,
    expected: VecDeque<Wanted<LANES>>,
    /// Numbers of accepted requests and of answered reads.
    pub taken: u32,
    pub answered: u32,
}

impl<const LANES: usize> Port<LANES> {
    /// A port over a memory with these contents.
    pub fn new(memory: &BenchMemory) -> Self {
        Port { waiting: None, memory: memory.words.clone(), expected: VecDeque::new(), taken: 0, answered: 0 }
    }

    /// Makes a request unless one waits: to a few lines, which forces conflicts, and occasionally without any word.
    pub fn ask(&mut self, rng: &mut ChaCha8Rng) {
        if self.waiting.is_some() {
            return;
        }
        let write = rng.gen();
        let mut enable = [0; LANES];
        match rng.gen_range(0..8) {
            0 => {}
            1 => enable[rng.gen_range(0..LANES)] = 15,
            2 | 3 => enable = [15; LANES],
            _ => enable.fill_with(|| if rng.gen() { rng.gen_range(0..16) } else { 0 }),
        }
        self.waiting = Some(Request {
            write,
            address: rng.gen_range(0..(WORDS / LANES).min(5) as u32) * LANES as u32 * 4,
            data: std::array::from_fn(|_| rng.gen()),
            enable,
        });
    }

    /// Accepts the waiting request.
    pub fn take(&mut self) {
        let request = self.waiting.take().expect("a request was accepted that was not made");
        self.taken += 1;
        let line = &mut self.memory[request.address as usize / 4..][..LANES];
        if request.write {
            for ((word, data), enable) in line.iter_mut().zip(request.data).zip(request.enable) {
                write_bytes(word, data, enable);
            }
        } else {
            self.expected.push_back(std::array::from_fn(|i| (request.enable[i] != 0).then_some(line[i])));
        }
    }

    /// Checks a response that arrives.
    pub fn answer(&mut self, words: [u32; LANES]) {
        let wanted = self.expected.pop_front().expect("a response to nothing");
        self.answered += 1;
        for (i, (wanted, word)) in wanted.into_iter().zip(words).enumerate() {
            assert!(
                wanted.is_none_or(|wanted| wanted == word),
                "word {i} of read {} is {word:#x}, expected {wanted:x?}",
                self.answered
            );
        }
    }

    /// Another master changes a word.
    pub fn change(&mut self, address: u32, word: u32) {
        self.memory[address as usize / 4] = word;
    }

    /// Accepts any words for the reads in flight.
    pub fn accept_any(&mut self) {
        self.expected.iter_mut().for_each(|wanted| *wanted = [None; LANES]);
    }

    /// Checks that all requests are accepted and answered, and that the memory has the right contents.
    pub fn check_end(&self, memory: &BenchMemory) {
        assert!(self.waiting.is_none() && self.expected.is_empty());
        assert_eq!(self.memory, memory.words);
    }

    /// Number of reads in flight.
    pub fn due(&self) -> usize {
        self.expected.len()
    }
}

/// Random contents of the memory.
pub fn random_words(rng: &mut ChaCha8Rng) -> Vec<u32> {
    (0..WORDS).map(|_| rng.gen()).collect()
}

/// The events on the chip's side in one cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub taken: bool,
    pub response: bool,
    pub error: bool,
    pub busy: bool,
}

/// Puts the waiting request on the ports of a bridge's block.
macro_rules! drive_request {
    ($block:expr, $port:expr) => {
        $block.memory.request_valid.next = $port.waiting.is_some();
        if let Some(request) = $port.waiting {
            $block.memory.request_write.next = request.write;
            $block.memory.request_address.next = Bits::new(request.address.into());
            for (i, (data, enable)) in request.data.into_iter().zip(request.enable).enumerate() {
                $block.memory.request_data[i].next = Bits::new(data.into());
                $block.memory.request_enable[i].next = Bits::new(enable.into());
            }
        }
    };
}
pub(crate) use drive_request;

/// Samples the outcome once the block has settled, and passes it to the port.
macro_rules! see_request {
    ($block:expr, $port:expr) => {{
        let seen = Seen {
            taken: $port.waiting.is_some() && $block.memory.request_ready.val(),
            response: $block.memory.response_valid.val(),
            error: $block.error.val(),
            busy: $block.busy.val(),
        };
        if seen.response {
            $port.answer(std::array::from_fn(|i| $block.memory.response_data[i].val().raw() as u32));
        }
        if seen.taken {
            $port.take();
        }
        seen
    }};
}
pub(crate) use see_request;

/// A bridge with a slave on its bus.
pub trait Bridge<const LANES: usize> {
    /// Runs one cycle of port, bridge and slave.
    fn step(&mut self, port: &mut Port<LANES>) -> Seen;
    fn rng(&mut self) -> &mut ChaCha8Rng;
    fn memory(&mut self) -> &mut BenchMemory;
    /// Sets `discard`, from this cycle onward; when it ends, the slave owes no more answers.
    fn discard(&mut self, discard: bool);
    /// Number of answers due on the bus, according to its monitor.
    fn due(&self) -> u64;

    /// Runs until `count` requests have been accepted and the bridge is idle. `ask` may make a request in every cycle
    /// in which none waits; no access may be refused.
    fn serve(&mut self, port: &mut Port<LANES>, count: u32, mut ask: impl FnMut(&mut Self, &mut Port<LANES>)) {
        loop {
            if port.taken < count && port.waiting.is_none() {
                ask(self, port);
            }
            let seen = self.step(port);
            assert!(!seen.error);
            if port.taken == count && !seen.taken && !seen.busy {
                break;
            }
        }
        port.check_end(self.memory());
        assert_eq!(self.due(), 0);
    }
}

/// Runs `count` random requests, one in `pause` cycles on average.
pub fn random_requests<const LANES: usize>(bench: &mut impl Bridge<LANES>, count: u32, pause: u32) {
    let mut port = Port::new(bench.memory());
    bench.serve(&mut port, count, |bench, port| {
        if bench.rng().gen_range(0..pause) == 0 {
            port.ask(bench.rng());
        }
    });
}

/// Writes to line 1 with word 1 refused, and reads that word alone: each access reports one error, the read with its
/// response, and nothing hangs.
pub fn refused_accesses(bench: &mut impl Bridge<8>) {
    let mut memory = bench.memory().words.clone();
    bench.memory().bad = 36..40;
    let mut port = Port::new(bench.memory());
    for (write, enable) in [(true, 15), (false, 0)] {
        // The port's reference executes the write, so its data must be the word of a refused read.
        let mut request = Request { write, address: 32, data: [REFUSED; 8], enable: [enable; 8] };
        request.enable[1] = 15;
        port.waiting = Some(request);
        let before = bench.memory().refused;
        let (mut errors, mut together) = (0, false);
        loop {
            let seen = bench.step(&mut port);
            errors += u32::from(seen.error);
            together |= seen.error && seen.response;
            if port.waiting.is_none() && !seen.taken && !seen.busy {
                break;
            }
        }
        assert_eq!((errors, bench.memory().refused - before), (1, 1));
        assert_eq!(together, !write, "a read's error arrives with its response");
    }
    assert_eq!((port.answered, port.due()), (1, 0));
    let refused = memory[9];
    memory[8..16].fill(REFUSED);
    memory[9] = refused;
    assert_eq!(bench.memory().words, memory, "all but the refused word is written");
}

/// Makes requests for `cycles` cycles, then resets while requests are in flight: all are accepted and answered, and
/// then the bridge works like a new one. The bench itself checks that the bus is quiet at once.
pub fn discarding(bench: &mut impl Bridge<8>, cycles: u64) {
    let mut port = Port::new(bench.memory());
    for _ in 0..cycles {
        port.ask(bench.rng());
        assert!(!bench.step(&mut port).error);
    }
    bench.discard(true);
    for cycle in 0.. {
        if cycle < 30 {
            port.ask(bench.rng());
        }
        port.accept_any();
        let seen = bench.step(&mut port);
        if !seen.busy && !seen.taken && port.waiting.is_none() && cycle >= 30 {
            break;
        }
        assert!(cycle < 200, "not at rest");
    }
    assert_eq!(port.due(), 0);
    bench.discard(false);
    bench.memory().words = random_words(bench.rng());
    random_requests(bench, 50, 1);
}
