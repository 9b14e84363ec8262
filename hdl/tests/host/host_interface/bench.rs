//! The bench: a Wishbone host on one side of the interface, counters and a memory on the other.

use flexgrip_hdl::bundles::*;
use flexgrip_hdl::chip::counters::{CounterRead, CycleCounter, EventCounters, GridPulses, IssueAccount};
use flexgrip_hdl::chip::host_interface::{ErrorReport, HostInterface};
use flexgrip_machine::host_map::*;
use hdlkit::prelude::{Bits, Blank, CycleEngine};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

pub type Host = HostInterface<8>;

pub const SMS: usize = 2;

pub const INSTRUCTION_BYTES: u32 = 0x8000;

pub const CONSTANT_BYTES: u32 = 0x1_0000;

pub fn host() -> Box<Host> {
    Box::new(Host::new(SMS as u8, 32, INSTRUCTION_BYTES, CONSTANT_BYTES))
}

/// The bus answered with ERR.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused;

/// A pulse of the interface.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Event {
    Start,
    Abort,
    Load { constant: bool, address: u32, data: u32 },
}

pub struct Bench {
    pub engine: CycleEngine<Host>,
    /// The counter on the interface's counter port.
    pub cycles: CycleEngine<CycleCounter>,
    pub accounts: [CycleEngine<IssueAccount>; SMS],
    pub counters: [CycleEngine<EventCounters>; SMS],
    /// The cause that each SM reports for its cycle; the SM's account receives it one cycle later.
    pub causes: [IssueCause; SMS],
    pub events: Vec<Event>,
    pub rng: ChaCha8Rng,
    /// Global memory on the memory port, which accepts requests and answers them after random times.
    pub memory: BTreeMap<u32, u32>,
    pub response: Option<(u32, u32)>,
    pub memory_busy: u32,
    pub requests: usize,
    /// Cycles of the last access, from the first cycle of the request to the cycle of the answer.
    pub access_cycles: u64,
}

impl Bench {
    pub fn new() -> Self {
        Bench {
            engine: CycleEngine::new(host()),
            cycles: CycleEngine::new(Box::new(CycleCounter::blank())),
            accounts: std::array::from_fn(|_| CycleEngine::new(Box::new(IssueAccount::blank()))),
            counters: std::array::from_fn(|_| CycleEngine::new(Box::new(EventCounters::blank()))),
            causes: [IssueCause::Issued; SMS],
            events: vec![],
            rng: ChaCha8Rng::seed_from_u64(1),
            memory: BTreeMap::new(),
            response: None,
            memory_busy: 0,
            requests: 0,
            access_cycles: 0,
        }
    }

    /// Runs one cycle. Samples the outputs before the edge; returns ACK, ERR and the data.
    pub fn step(&mut self) -> (bool, bool, u32) {
        let block = &mut self.engine.block;
        self.memory_busy = self.memory_busy.saturating_sub(1);
        let ready = self.memory_busy == 0 && self.response.is_none();
        block.memory.request_ready.next = ready;
        let respond = matches!(self.response, Some((0, _)));
        block.memory.response_valid.next = respond;
        block.memory.response_data[0].next = Bits::new(match self.response {
            Some((0, data)) => data as u64,
            _ => 0xdead_beef,
        });
        self.response = match self.response {
            Some((0, _)) | None => None,
            Some((wait, data)) => Some((wait - 1, data)),
        };
        self.engine.settle();
        let block = &mut self.engine.block;
        let cycles = &mut self.cycles.block;
        let grid = GridPulses { start: block.grid.start.val(), done: block.grid.done.val() };
        let counter = block.counter.val();
        cycles.grid.next = grid;
        cycles.counter.next = counter;
        self.cycles.settle();
        let mut word = self.cycles.block.counter_word.val();
        for (sm, counters) in (0..).zip(&mut self.counters) {
            let here = CounterRead { valid: counter.valid && counter.of_sm && counter.sm.raw() == sm, ..counter };
            let account = &mut self.accounts[sm as usize];
            account.block.grid.next = grid;
            account.block.counter.next = here;
            account.settle();
            counters.block.grid.next = grid;
            counters.block.counter.next = here;
            counters.settle();
            word = word | counters.block.counter_word.val() | account.block.counter_word.val();
        }
        block.counter_word.next = word;
        self.engine.settle();
        let block = &self.engine.block;
        if block.grid.start.val() {
            self.events.push(Event::Start);
        }
        if block.grid.abort.val() {
            self.events.push(Event::Abort);
        }
        let load = block.load.val();
        if load.valid {
            self.events.push(Event::Load {
                constant: load.constant,
                address: load.address.raw() as u32,
                data: load.data.raw() as u32,
            });
        }
        if block.memory.request_valid.val() && ready {
            self.requests += 1;
            let address = block.memory.request_address.val().raw() as u32;
            assert_eq!(address % 4, 0);
            if block.memory.request_write.val() {
                self.memory.insert(address, block.memory.request_data[0].val().raw() as u32);
            } else {
                let data = self.memory.get(&address).copied().unwrap_or(0);
                self.response = Some((self.rng.gen_range(0..5), data));
            }
            self.memory_busy = self.rng.gen_range(0..4);
        }
        let answer = (block.host.acknowledge.val(), block.host.error.val(), block.host.read_data.val().raw() as u32);
        assert!(!(answer.0 && answer.1), "ACK and ERR at once");
        self.engine.tick();
        self.cycles.tick();
        self.counters.iter_mut().for_each(CycleEngine::tick);
        for (account, cause) in self.accounts.iter_mut().zip(self.causes) {
            account.tick();
            account.block.cause.next = cause;
        }
        answer
    }

    fn access(&mut self, write: bool, address: u32, data: u32) -> Result<u32, Refused> {
        let block = &mut self.engine.block;
        block.host.cycle.next = true;
        block.host.strobe.next = true;
        block.host.write.next = write;
        block.host.address.next = Bits::new(address as u64);
        block.host.write_data.next = Bits::new(data as u64);
        for cycle in 1..100 {
            let (acknowledge, error, read) = self.step();
            if acknowledge || error {
                self.access_cycles = cycle;
                self.engine.block.host.strobe.next = false;
                // Back-to-back accesses as often as accesses with a pause.
                if self.rng.gen() {
                    self.engine.block.host.cycle.next = false;
                    let (acknowledge, error, _) = self.step();
                    assert!(!acknowledge && !error, "an answer without a request");
                }
                return if error { Err(Refused) } else { Ok(read) };
            }
        }
        panic!("no answer to an access of {address:#x}");
    }

    pub fn read(&mut self, address: u32) -> Result<u32, Refused> {
        self.access(false, address, 0x5555_5555)
    }

    pub fn write(&mut self, address: u32, data: u32) -> Result<(), Refused> {
        self.access(true, address, data).map(|_| ())
    }

    /// Configures a launch that can start.
    pub fn configure(&mut self) {
        for (address, value) in [
            (ENTRY, 0x123454),
            (CODE_END, 0x234560),
            (REGISTER_COUNT, 17),
            (SHARED_ROWS, 5),
            (PARAMETER_COUNT, 9),
            (GRID_X, 300),
            (GRID_Y, 65535),
            (BLOCK_X, 16),
            (BLOCK_Y, 4),
            (BLOCK_Z, 2),
            (BLOCK_THREADS, 128),
            (BLOCKS_PER_SM, 8),
            (GLOBAL_END, 0x8000_0000),
            (COALESCING, 1),
            (LOCAL_BASE, 0x4000_0000),
            (LOCAL_SHIFT, 12),
            (LOCAL_BYTES, 0x1_0000),
            (UNALIGNED_CODE, 1),
        ] {
            self.write(address, value).unwrap();
        }
    }

    /// Runs the last cycle of the grid.
    pub fn finish(&mut self, error: KernelError, sm: u32, index: u32, number: u32) {
        let block = &mut self.engine.block;
        block.grid.done.next = true;
        block.error.next = ErrorReport {
            error,
            warp: WarpIdentity { block: Bits::new(number as u64), index: Bits::new(index as u64) },
            sm: Bits::new(sm as u64),
        };
        self.step();
        let block = &mut self.engine.block;
        block.grid.done.next = false;
        block.grid.running.next = false;
        block.error.next = ErrorReport {
            error: Default::default(),
            warp: WarpIdentity { block: Bits::new(0xffff_ffff), index: Bits::new(31) },
            sm: Bits::new(7),
        };
    }
}
