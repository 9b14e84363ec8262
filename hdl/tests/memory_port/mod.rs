//! The chip's side of a memory bridge: random requests, and what the answers must be by the port's own rules, by which
//! requests take effect in the order in which they are taken.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Words of the memory behind the bus.
pub const WORDS: usize = 256;

/// A request of LANES words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request<const LANES: usize> {
    pub write: bool,
    pub address: u32,
    pub data: [u32; LANES],
    pub enable: [u8; LANES],
}

/// The words of a read that are wanted.
pub type Wanted<const LANES: usize> = [Option<u32>; LANES];

/// A byte-enabled write.
pub fn merge(word: &mut u32, data: u32, enable: u8) {
    for byte in 0..4 {
        if enable >> byte & 1 == 1 {
            let mask = 0xff << (8 * byte);
            *word = *word & !mask | data & mask;
        }
    }
}

/// The chip's side.
pub struct Port<const LANES: usize> {
    /// The request at the port.
    pub waiting: Option<Request<LANES>>,
    memory: [u32; WORDS],
    expected: VecDeque<Wanted<LANES>>,
    /// Requests taken, and reads answered.
    pub taken: u32,
    pub answered: u32,
}

impl<const LANES: usize> Port<LANES> {
    /// Over a memory with these contents.
    pub fn new(memory: [u32; WORDS]) -> Self {
        Port {
            waiting: None,
            memory,
            expected: VecDeque::new(),
            taken: 0,
            answered: 0,
        }
    }

    /// Makes a request if none waits: to few lines, so that they meet; now and then with no word at all.
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

    /// The request that waits is taken.
    pub fn take(&mut self) {
        let request = self.waiting.take().expect("a request was taken that was not made");
        self.taken += 1;
        let line = &mut self.memory[request.address as usize / 4..][..LANES];
        if request.write {
            for ((word, data), enable) in line.iter_mut().zip(request.data).zip(request.enable) {
                merge(word, data, enable);
            }
        } else {
            self.expected
                .push_back(std::array::from_fn(|i| (request.enable[i] != 0).then_some(line[i])));
        }
    }

    /// A response came.
    pub fn answer(&mut self, words: [u32; LANES]) {
        let wanted = self.expected.pop_front().expect("a response to nothing");
        self.answered += 1;
        for (i, (wanted, word)) in wanted.into_iter().zip(words).enumerate() {
            assert!(
                wanted.is_none_or(|wanted| wanted == word),
                "word {i} of read {} is {word:#x}, not {wanted:x?}",
                self.answered
            );
        }
    }

    /// The reads that are due may get any words.
    pub fn accept_any(&mut self) {
        self.expected.iter_mut().for_each(|wanted| *wanted = [None; LANES]);
    }

    /// All is taken and answered, and the memory is what it should be.
    pub fn check_end(&self, memory: &[u32; WORDS]) {
        assert!(self.waiting.is_none() && self.expected.is_empty());
        assert_eq!(&self.memory, memory);
    }

    /// Reads without a response yet.
    pub fn due(&self) -> usize {
        self.expected.len()
    }
}
