//! The host interface, driven by a Wishbone host: every register of the map, every error, the ports to the rest of the
//! GPU; and against its own Verilog.

use flexgrip_hdl::bundles::*;
use flexgrip_hdl::chip::counters::{Counted, CycleCounter, EventCounters, IssueAccount, IssueCause};
use flexgrip_hdl::chip::host_interface::HostInterface;
use flexgrip_machine::host_map::*;
use hdlkit::lint::lint;
use hdlkit::prelude::{Bits, Blank, CycleEngine};
use hdlkit_compiled::cosim::cosim;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

type Host = HostInterface<8>;

const SMS: usize = 2;
const INSTRUCTION_BYTES: u32 = 0x8000;
const CONSTANT_BYTES: u32 = 0x1_0000;

fn host() -> Box<Host> {
    Box::new(Host::new(SMS as u8, 32, INSTRUCTION_BYTES, CONSTANT_BYTES))
}

/// The bus answered with ERR.
#[derive(Debug, PartialEq, Eq)]
struct Refused;

/// The block's pulses, in order.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Event {
    Start,
    Abort,
    Load { constant: bool, address: u32, data: u32 },
}

struct Bench {
    engine: CycleEngine<Host>,
    /// The counter behind the interface's counter port.
    cycles: CycleEngine<CycleCounter>,
    accounts: [CycleEngine<IssueAccount>; SMS],
    counters: [CycleEngine<EventCounters>; SMS],
    /// The account that each SM's cycle is charged to; the SM's account learns of it one cycle later.
    causes: [IssueCause; SMS],
    events: Vec<Event>,
    rng: ChaCha8Rng,
    /// Global memory behind the memory port, which accepts requests and answers them after random times.
    memory: BTreeMap<u32, u32>,
    response: Option<(u32, u32)>,
    memory_busy: u32,
    requests: usize,
    /// Cycles of the last access, from the first cycle of the request to that of the answer.
    access_cycles: u64,
}

impl Bench {
    fn new() -> Self {
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

    /// One cycle. Samples the outputs before the edge; returns ACK, ERR and the data.
    fn step(&mut self) -> (bool, bool, u32) {
        let block = &mut self.engine.block;
        self.memory_busy = self.memory_busy.saturating_sub(1);
        let ready = self.memory_busy == 0 && self.response.is_none();
        block.host_memory_request_ready.next = ready;
        let respond = matches!(self.response, Some((0, _)));
        block.host_memory_response_valid.next = respond;
        block.host_memory_response_data.next = Bits::new(match self.response {
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
        cycles.launch_start.next = block.launch_start.val();
        cycles.grid_done.next = block.grid_done.val();
        cycles.counter_read.next = block.counter_read.val() && !block.counter_of_sm.val();
        cycles.counter_high.next = !block.counter_index.val().get_bit(0);
        self.cycles.settle();
        let mut word = self.cycles.block.counter_word.val();
        for (sm, counters) in (0..).zip(&mut self.counters) {
            let here = block.counter_read.val() && block.counter_of_sm.val() && block.counter_sm.val().raw() == sm;
            let account = &mut self.accounts[sm as usize];
            account.block.launch_start.next = block.launch_start.val();
            account.block.grid_done.next = block.grid_done.val();
            account.block.counter_read.next = here;
            account.block.counter_index.next = block.counter_index.val();
            account.settle();
            counters.block.launch_start.next = block.launch_start.val();
            counters.block.grid_done.next = block.grid_done.val();
            counters.block.counter_read.next = here;
            counters.block.counter_index.next = block.counter_index.val();
            counters.settle();
            word = word | counters.block.counter_word.val() | account.block.counter_word.val();
        }
        block.counter_word.next = word;
        self.engine.settle();
        let block = &self.engine.block;
        if block.launch_start.val() {
            self.events.push(Event::Start);
        }
        if block.launch_abort.val() {
            self.events.push(Event::Abort);
        }
        if block.load_valid.val() {
            self.events.push(Event::Load {
                constant: block.load_constant.val(),
                address: block.load_address.val().raw() as u32,
                data: block.load_data.val().raw() as u32,
            });
        }
        if block.host_memory_request_valid.val() && ready {
            self.requests += 1;
            let address = block.host_memory_request_address.val().raw() as u32;
            assert_eq!(address % 4, 0);
            if block.host_memory_request_write.val() {
                self.memory
                    .insert(address, block.host_memory_request_data.val().raw() as u32);
            } else {
                let data = self.memory.get(&address).copied().unwrap_or(0);
                self.response = Some((self.rng.gen_range(0..5), data));
            }
            self.memory_busy = self.rng.gen_range(0..4);
        }
        let answer = (
            block.host.acknowledge.val(),
            block.host.error.val(),
            block.host.read_data.val().raw() as u32,
        );
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

    fn read(&mut self, address: u32) -> Result<u32, Refused> {
        self.access(false, address, 0x5555_5555)
    }

    fn write(&mut self, address: u32, data: u32) -> Result<(), Refused> {
        self.access(true, address, data).map(|_| ())
    }

    /// Configures a launch that can start.
    fn configure(&mut self) {
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

    /// The last cycle of the grid.
    fn finish(&mut self, error: KernelError, sm: u32, index: u32, number: u32) {
        let block = &mut self.engine.block;
        block.grid_done.next = true;
        block.error.next = error;
        block.error_sm.next = Bits::new(sm as u64);
        block.error_warp_index.next = Bits::new(index as u64);
        block.error_block.next = Bits::new(number as u64);
        self.step();
        let block = &mut self.engine.block;
        block.grid_done.next = false;
        block.grid_running.next = false;
        block.error.next = Default::default();
        block.error_sm.next = Bits::new(7);
        block.error_warp_index.next = Bits::new(31);
        block.error_block.next = Bits::new(0xffff_ffff);
    }
}

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
fn every_register_reads_back_and_refuses_what_it_cannot_hold() {
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
    let launch = bench.engine.block.launch_configuration.val();
    let grid = bench.engine.block.grid_configuration.val();
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
        // Not word-aligned.
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
    // Write-only.
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
        bench.engine.block.parameter_index.next = Bits::new(i as u64);
        bench.step();
        bench.engine.settle();
        assert_eq!(bench.engine.block.parameter_word.val().raw() as u32, word);
    }
}

#[test]
fn loads_are_pulses() {
    let mut bench = Bench::new();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut want = vec![];
    for i in 0..300 {
        let constant: bool = rng.gen();
        let (base, bytes) = if constant {
            (CONSTANT_BASE, CONSTANT_BYTES)
        } else {
            (INSTRUCTION_BASE, INSTRUCTION_BYTES)
        };
        let address = if i < 8 {
            bytes - 4
        } else {
            rng.gen_range(0..bytes / 4) * 4
        };
        let data = rng.gen();
        bench.write(base + address, data).unwrap();
        want.push(Event::Load {
            constant,
            address,
            data,
        });
    }
    assert_eq!(bench.events, want);
}

#[test]
fn global_memory_reads_and_writes() {
    let mut bench = Bench::new();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut want = BTreeMap::new();
    for _ in 0..500 {
        let address = rng.gen_range(0..40) * 4 + if rng.gen() { 0x7fff_ff00 } else { 0 };
        if rng.gen() {
            let data: u32 = rng.gen();
            bench.write(GLOBAL_BASE + address, data).unwrap();
            want.insert(address, data);
        } else {
            let value = want.get(&address).copied().unwrap_or(0);
            assert_eq!(bench.read(GLOBAL_BASE + address), Ok(value));
        }
    }
    assert_eq!(bench.memory, want);
    assert_eq!(bench.requests, 500);
}

#[test]
fn a_dropped_global_access_gets_no_answer_and_disturbs_no_other() {
    let mut bench = Bench::new();
    bench.memory.insert(0x40, 77);
    for write in [false, true] {
        for held in 1..4 {
            bench.memory_busy = 6;
            let block = &mut bench.engine.block;
            block.host.cycle.next = true;
            block.host.strobe.next = true;
            block.host.write.next = write;
            block.host.address.next = Bits::new((GLOBAL_BASE + 0x80) as u64);
            block.host.write_data.next = Bits::new(5);
            for _ in 0..held {
                assert_eq!((bench.step().0, bench.step().1), (false, false));
            }
            bench.engine.block.host.cycle.next = false;
            bench.step();
            // The next access starts while the dropped one is still in flight.
            assert_eq!(bench.read(ID), Ok(ID_VALUE));
            assert_eq!(bench.read(GLOBAL_BASE + 0x40), Ok(77));
        }
    }
    assert_eq!(bench.memory[&0x80], 5);
}

/// A memory error stays in STATUS until the next start; a host read gets ERR; a grid is stopped.
#[test]
fn an_error_of_the_memory_is_told() {
    let mut bench = Bench::new();
    bench.memory.insert(0x40, 77);
    // The write was accepted and acknowledged; its outcome is known only later.
    bench.write(GLOBAL_BASE + 0x80, 5).unwrap();
    bench.engine.block.memory_error.next = true;
    bench.step();
    bench.engine.block.memory_error.next = false;
    assert_eq!(bench.read(STATUS), Ok(STATUS_BUS_ERROR));
    // A read whose response arrives with the error.
    bench.engine.block.memory_error.next = true;
    assert_eq!(bench.read(GLOBAL_BASE + 0x40), Err(Refused));
    bench.engine.block.memory_error.next = false;
    assert_eq!(bench.read(GLOBAL_BASE + 0x40), Ok(77));
    assert_eq!(bench.read(STATUS), Ok(STATUS_BUS_ERROR));

    bench.configure();
    bench.write(CONTROL, CONTROL_START).unwrap();
    bench.engine.block.grid_running.next = true;
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING));
    assert_eq!(bench.events, [Event::Start]);
    bench.engine.block.memory_error.next = true;
    bench.step();
    bench.engine.block.memory_error.next = false;
    bench.step();
    assert_eq!(bench.events[..2], [Event::Start, Event::Abort]);
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING | STATUS_BUS_ERROR));
    bench.finish(Default::default(), 0, 0, 0);
    assert_eq!(bench.read(STATUS), Ok(STATUS_DONE | STATUS_BUS_ERROR));
    assert!(bench.engine.block.interrupt.val());
    assert!(!bench.engine.block.launch_abort.val());
    bench.write(CONTROL, CONTROL_START).unwrap();
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING));
}

/// A reset of one cycle: no answer, and an abort until the grid has ended and the memory is idle, then power-up values.
#[test]
fn a_reset_waits_for_all_that_is_under_way() {
    let mut bench = Bench::new();
    bench.configure();
    bench.write(PARAMETER_BASE, 9).unwrap();
    bench.write(CONTROL, CONTROL_START).unwrap();
    let block = &mut bench.engine.block;
    block.grid_running.next = true;
    block.memory_busy.next = true;
    bench.step();
    bench.events.clear();
    let block = &mut bench.engine.block;
    block.reset.next = true;
    block.host.cycle.next = true;
    block.host.strobe.next = true;
    block.host.write.next = false;
    block.host.address.next = Bits::new(ENTRY.into());
    for cycle in 0..30 {
        let (acknowledge, error, _) = bench.step();
        assert!(!acknowledge && !error, "an answer in cycle {cycle}");
        let block = &mut bench.engine.block;
        assert!(block.restarting.val() && block.launch_abort.val());
        block.reset.next = false;
        block.grid_done.next = cycle == 10;
        if cycle == 11 {
            block.grid_running.next = false;
        }
        block.memory_busy.next = cycle < 28;
    }
    // The transfer that the host has held all along is served now.
    bench.step();
    assert!(!bench.engine.block.restarting.val() && !bench.engine.block.launch_abort.val());
    assert_eq!(bench.step(), (true, false, 0));
    bench.engine.block.host.strobe.next = false;
    assert!(
        !bench.engine.block.interrupt.val(),
        "the end of a grid that a reset has stopped"
    );
    for register in REGISTERS {
        let value = match register.address {
            ID => ID_VALUE,
            CONFIGURATION => 8 | (SMS as u32) << 8 | 32 << 16,
            // A counter keeps its value.
            CYCLES => continue,
            _ => 0,
        };
        assert_eq!(bench.read(register.address), Ok(value), "{}", register.name);
    }
    assert_eq!(bench.read(PARAMETER_BASE), Ok(9));
    assert_eq!(bench.write(CONTROL, CONTROL_START), Err(Refused));
}

/// A reset in the middle of the host's own access to memory.
#[test]
fn a_reset_ends_an_access_of_the_host() {
    let mut bench = Bench::new();
    bench.memory.insert(0x40, 77);
    bench.memory_busy = 6;
    let block = &mut bench.engine.block;
    block.host.cycle.next = true;
    block.host.strobe.next = true;
    block.host.write.next = false;
    block.host.address.next = Bits::new((GLOBAL_BASE + 0x80).into());
    bench.step();
    bench.step();
    let block = &mut bench.engine.block;
    block.reset.next = true;
    block.host.strobe.next = false;
    bench.step();
    bench.engine.block.reset.next = false;
    let mut waited = 0;
    while bench.engine.block.restarting.val() {
        let (acknowledge, error, _) = bench.step();
        assert!(!acknowledge && !error);
        waited += 1;
    }
    assert!(waited > 4, "the request was still at the memory");
    assert_eq!(bench.read(GLOBAL_BASE + 0x40), Ok(77));
}

#[test]
fn start_needs_every_size_and_no_running_grid() {
    let mut bench = Bench::new();
    assert_eq!(bench.write(CONTROL, CONTROL_START), Err(Refused));
    for address in [
        GRID_X,
        GRID_Y,
        BLOCK_X,
        BLOCK_Y,
        BLOCK_Z,
        BLOCK_THREADS,
        BLOCKS_PER_SM,
        REGISTER_COUNT,
        SHARED_ROWS,
    ] {
        bench.configure();
        bench.write(address, 0).unwrap();
        assert_eq!(bench.write(CONTROL, CONTROL_START), Err(Refused), "{address:#x} is 0");
    }
    bench.configure();
    for value in [0, 3, 4, 0x8000_0001, u32::MAX] {
        assert_eq!(bench.write(CONTROL, value), Err(Refused));
    }
    assert_eq!(bench.write(CONTROL, CONTROL_ABORT), Ok(()));
    assert!(bench.events.is_empty(), "an abort without a grid");
    assert_eq!(bench.write(CONTROL, CONTROL_START), Ok(()));
    assert_eq!(bench.events, [Event::Start]);
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING));
    bench.engine.block.grid_running.next = true;

    // While the grid runs, the launch is stable and memory belongs to the grid.
    let before = bench.engine.block.launch_configuration.val();
    let grid = bench.engine.block.grid_configuration.val();
    for register in REGISTERS {
        let want = match register.address {
            CONTROL => continue,
            _ => Err(Refused),
        };
        assert_eq!(bench.write(register.address, 1), want, "{}", register.name);
        assert!(bench.read(register.address).is_ok(), "{}", register.name);
    }
    assert_eq!(bench.write(CONTROL, CONTROL_START), Err(Refused));
    assert_eq!(bench.write(PARAMETER_BASE, 1), Err(Refused));
    assert_eq!(bench.read(PARAMETER_BASE), Ok(0));
    assert_eq!(bench.write(INSTRUCTION_BASE, 1), Err(Refused));
    assert_eq!(bench.write(CONSTANT_BASE, 1), Err(Refused));
    assert_eq!(bench.write(GLOBAL_BASE, 1), Err(Refused));
    assert_eq!(bench.read(GLOBAL_BASE), Err(Refused));
    assert_eq!(bench.engine.block.launch_configuration.val(), before);
    assert_eq!(bench.engine.block.grid_configuration.val(), grid);
    assert_eq!(bench.requests, 0);

    assert_eq!(bench.write(CONTROL, CONTROL_ABORT), Ok(()));
    assert_eq!(bench.events, [Event::Start, Event::Abort]);
    assert!(!bench.engine.block.interrupt.val());
    bench.finish(Default::default(), 0, 0, 0);
    assert_eq!(bench.read(STATUS), Ok(STATUS_DONE));
    assert!(bench.engine.block.interrupt.val());
    bench.configure();
    assert_eq!(bench.write(CONTROL, CONTROL_START), Ok(()));
    assert_eq!(bench.read(STATUS), Ok(STATUS_RUNNING));
    assert!(!bench.engine.block.interrupt.val());
}

const CAUSES: [IssueCause; ACCOUNT_COUNTERS] = [
    IssueCause::Issued,
    IssueCause::ReadSlot,
    IssueCause::WritePort,
    IssueCause::Scoreboard,
    IssueCause::MemoryQueue,
    IssueCause::SpecialFunction,
    IssueCause::Collector,
    IssueCause::Branch,
    IssueCause::Barrier,
    IssueCause::Fetch,
    IssueCause::NoWarp,
];

fn counted(rng: &mut ChaCha8Rng) -> Counted {
    Counted {
        executed: Bits::new(
            if rng.gen() {
                rng.gen::<u32>() & rng.gen::<u32>()
            } else {
                0
            }
            .into(),
        ),
        transaction: rng.gen(),
        divergence: rng.gen_bool(0.1),
        barrier_wait: rng.gen_bool(0.2),
        at_barrier: rng.gen_bool(0.3),
        bank_conflict: rng.gen_bool(0.4),
    }
}

#[test]
fn counters_and_error_report() {
    let mut bench = Bench::new();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    bench.configure();
    for round in 0..20u32 {
        bench.write(CONTROL, CONTROL_START).unwrap();
        // The acknowledge is in the cycle of launch_start, cycle 0. A pause of the host after it counts.
        let start = bench.engine.cycle() - 1 - u64::from(!bench.engine.block.host.cycle.next);
        bench.engine.block.grid_running.next = true;
        // The first cycle has no warp, whatever the SM reports; with a pause, the second counts by its last report.
        let mut expected = [[0u64; SM_COUNTERS]; SMS];
        let count = |expected: &mut [u64; SM_COUNTERS], cause: IssueCause, now: &Counted| {
            expected[CAUSES.iter().position(|one| *one == cause).unwrap()] += 1;
            expected[ACCOUNT_COUNTERS] += u64::from(now.executed.raw().count_ones());
            let events = [
                now.transaction,
                now.divergence,
                now.barrier_wait,
                now.at_barrier,
                now.bank_conflict,
            ];
            for (expected, event) in expected[ACCOUNT_COUNTERS + 1..].iter_mut().zip(events) {
                *expected += u64::from(event);
            }
        };
        for (s, expected) in expected.iter_mut().enumerate() {
            expected[ACCOUNT_COUNTERS - 1] += 1;
            if bench.engine.cycle() - start == 2 {
                count(expected, bench.causes[s], &bench.counters[s].block.counted.next);
            }
        }
        // Not every cause in every round: a cause that has not occurred reads as 0.
        let causes = rng.gen_range(1..=CAUSES.len());
        for _ in 0..rng.gen_range(1..200) {
            for (s, expected) in expected.iter_mut().enumerate() {
                let now = counted(&mut rng);
                bench.counters[s].block.counted.next = now;
                bench.causes[s] = CAUSES[rng.gen_range(0..causes)];
                count(expected, bench.causes[s], &now);
            }
            bench.step();
        }
        let code = if round % 2 == 0 { 0 } else { rng.gen_range(1..=10u32) };
        let (warp, pc, address) = (rng.gen_range(0..32u32), rng.gen_range(0..1u32 << 24), rng.gen::<u32>());
        let (sm, index, number) = (rng.gen_range(0..8u32), rng.gen_range(0..32u32), rng.gen::<u32>());
        let cycles = bench.engine.cycle() - start;
        // Events from the last cycle on do not count.
        bench.finish(
            KernelError {
                code: Bits::new(code as u64),
                warp: Bits::new(warp as u64),
                pc: Bits::new(pc as u64),
                address: Bits::new(address as u64),
            },
            sm,
            index,
            number,
        );
        for _ in 0..5 {
            bench.step();
        }
        assert_eq!(bench.read(CYCLES), Ok(cycles as u32));
        assert_eq!(bench.read(CYCLES_HIGH), Ok(0));
        for (s, expected) in (0..).zip(expected) {
            for (n, value) in (0..).zip(expected) {
                let address = COUNTER_BASE + s * COUNTER_STRIDE + 8 * n;
                let name = SmCounter::ALL[n as usize].name();
                assert_eq!(
                    bench.read(address),
                    Ok(value as u32),
                    "{name} of SM {s} in round {round}"
                );
                assert_eq!(bench.read(address + 4), Ok(0));
                assert_eq!(bench.write(address, 0), Err(Refused));
            }
            assert_eq!(
                expected[..ACCOUNT_COUNTERS].iter().sum::<u64>(),
                cycles,
                "the account is complete"
            );
        }
        let failed = code != 0;
        let or_0 = |value: u32| if failed { value } else { 0 };
        assert_eq!(bench.read(STATUS), Ok(STATUS_DONE | or_0(STATUS_ERROR)));
        assert_eq!(bench.read(ERROR_CODE), Ok(code));
        assert_eq!(bench.read(ERROR_PC), Ok(or_0(pc)));
        assert_eq!(bench.read(ERROR_SM), Ok(or_0(sm)));
        assert_eq!(bench.read(ERROR_WARP), Ok(or_0(index | warp << 8)));
        assert_eq!(bench.read(ERROR_BLOCK), Ok(or_0(number)));
        assert_eq!(bench.read(ERROR_ADDRESS), Ok(or_0(address)));
    }
}

#[test]
fn host_interface_equals_its_verilog() {
    let mut addresses: Vec<u32> = REGISTERS.iter().map(|r| r.address).collect();
    addresses.extend([
        PARAMETER_BASE,
        PARAMETER_BASE + 0xfc,
        COUNTER_BASE + 8,
        COUNTER_BASE + COUNTER_STRIDE + 0x74,
        COUNTER_BASE + COUNTER_STRIDE + 0x78,
        COUNTER_BASE + 2 * COUNTER_STRIDE,
        INSTRUCTION_BASE + 0x40,
        CONSTANT_BASE + 0xfffc,
    ]);
    addresses.extend([
        GLOBAL_BASE,
        GLOBAL_BASE + 0x1234,
        0x64,
        0x1_0000,
        INSTRUCTION_BASE + INSTRUCTION_BYTES,
    ]);
    let report = cosim(host, 20_000, 7, |block, rng, cycle| {
        let answered = block.host.acknowledge.val() || block.host.error.val();
        // Usually hold a request until its answer; sizes come first, so that grids can start.
        if answered || !block.host.strobe.val() || rng.gen_range(0..50) == 0 {
            block.host.cycle.next = rng.gen_range(0..8) != 0;
            block.host.strobe.next = rng.gen_range(0..8) != 0;
            let any = *addresses.choose(rng).expect("not empty");
            let control = rng.gen_range(0..8) == 0;
            block.host.write.next = control || rng.gen();
            block.host.address.next = Bits::new(if control { CONTROL } else { any } as u64);
            block.host.write_data.next = Bits::new(if control || cycle % 1000 < 500 {
                rng.gen_range(1..3)
            } else {
                rng.gen::<u32>() as u64
            });
            if rng.gen_range(0..20) == 0 {
                block.host.address.next = Bits::new(rng.gen::<u32>() as u64);
            }
        }
        block.parameter_index.next = Bits::new(rng.gen_range(0..2) * 63);
        block.host_memory_request_ready.next = rng.gen();
        block.host_memory_response_valid.next = rng.gen();
        block.host_memory_response_data.next = Bits::new(rng.gen::<u32>() as u64);
        block.reset.next = rng.gen_range(0..3000) == 0;
        block.memory_error.next = rng.gen_range(0..100) == 0;
        block.memory_busy.next = rng.gen();
        block.grid_done.next = rng.gen_range(0..60) == 0;
        block.grid_running.next = rng.gen_range(0..100) == 0;
        block.error.next = KernelError {
            code: Bits::new(rng.gen_range(0..4)),
            warp: Bits::new(rng.gen_range(0..32)),
            pc: Bits::new(rng.gen_range(0..1 << 24)),
            address: Bits::new(rng.gen::<u32>() as u64),
        };
        block.error_warp_index.next = Bits::new(rng.gen_range(0..32));
        block.error_sm.next = Bits::new(rng.gen_range(0..8));
        block.error_block.next = Bits::new(rng.gen::<u32>() as u64);
        block.counter_word.next = Bits::new(rng.gen::<u32>() as u64);
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn counters_equal_their_verilog() {
    let mut values = ChaCha8Rng::seed_from_u64(9);
    let report = cosim(
        || Box::new(EventCounters::blank()),
        5_000,
        8,
        |block, rng, _| {
            block.launch_start.next = rng.gen_range(0..100) == 0;
            block.grid_done.next = rng.gen_range(0..150) == 0;
            block.counted.next = counted(&mut values);
            block.counter_read.next = rng.gen();
            block.counter_index.next = Bits::new(rng.gen_range(0..64));
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
    let report = cosim(
        || Box::new(IssueAccount::blank()),
        5_000,
        8,
        |block, rng, _| {
            block.launch_start.next = rng.gen_range(0..100) == 0;
            block.grid_done.next = rng.gen_range(0..150) == 0;
            block.cause.next = CAUSES[rng.gen_range(0..CAUSES.len())];
            block.counter_read.next = rng.gen();
            block.counter_index.next = Bits::new(rng.gen_range(0..64));
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
    let report = cosim(
        || Box::new(CycleCounter::blank()),
        5_000,
        8,
        |block, rng, _| {
            block.launch_start.next = rng.gen_range(0..100) == 0;
            block.grid_done.next = rng.gen_range(0..150) == 0;
            block.counter_read.next = rng.gen();
            block.counter_high.next = rng.gen();
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn host_interface_passes_the_lint() {
    assert_eq!(lint(&*host()), []);
    assert_eq!(lint(&CycleCounter::blank()), []);
    assert_eq!(lint(&IssueAccount::blank()), []);
    assert_eq!(lint(&EventCounters::blank()), []);
}
