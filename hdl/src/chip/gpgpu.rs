//! The whole chip: host interface, counters, block scheduler, the streaming multiprocessors, the path to global memory.
//!
//! ```text
//!  host bus ──> host interface ──> block scheduler ──> streaming multiprocessors, 1 to 8
//!                     │  (window)                              │
//!                     │                                   port arbiter
//!                     └──────────────> memory port <───────────┘ (coalesced segments of LANES words)
//! ```
//! The memory port is a request and a response channel of LANES words. A request is taken in a cycle with valid and
//! ready both high. Every read gets one response, in order, at any later cycle. While a grid runs the port belongs to
//! the SMs, otherwise to the host.
//!
//! A chip of capability 1.1 or later has an atomic unit between port arbiter and memory port
//! (`memory/atomic_unit.rs`).
//!
//! Program and constants are loaded into all SMs at once. An error of one SM stops them all; the SM that failed first
//! is reported, the lowest if several fail in one cycle.
//!
//! The external memory has two signals in addition to its responses: `memory_error` (an access was refused) and
//! `memory_busy` (some writes that it has taken are not done yet; the end of a grid waits for them). Tie both low if
//! the memory has no such signals. With an atomic unit there are two more, for memories that other masters change:
//! `memory_locked` and `memory_failed`. `reset` may be tied low, too: registers start at 0. After a `reset`, while
//! `restarting`, every request of the memory port must be taken and answered, with any data; see
//! `host_interface/mod.rs`.
//!
//! The `trace` ports report the execution of each instruction, for simulation; leave them open on a board.

use crate::chip::block_scheduler::{BlockScheduler, GridMasterPort};
use crate::chip::clock_register::ClockRegister;
use crate::chip::counters::{CounterRead, CycleCounter, EventCounters, GridPulses, IssueAccount};
use crate::chip::host_interface::{ErrorReport, HostInterface};
use crate::memory::atomic_unit::AtomicUnit;
use crate::memory::port_arbiter::PortArbiter;
use crate::optional::optional;
use crate::parameters::SmParameters;
use crate::ports::{HostSlavePort, MemoryMasterPort};
use crate::streaming_multiprocessor::block_port::BlockMasterPort;
use crate::streaming_multiprocessor::StreamingMultiprocessor;
use crate::trace::Trace;
use flexgrip_machine::host_map::WARPS;
use flexgrip_machine::Protect;
use hdlkit::prelude::*;

/// The chip with SMS SMs (1 to 8) of LANES scalar processors (8, 16 or 32).
#[circuit]
#[derive(Ports)]
pub struct Gpgpu<const LANES: usize, const SMS: usize> {
    pub clock: Signal<In, Clock>,
    /// Stops everything and sets the registers to their power-up values.
    pub reset: Signal<In, Bit>,
    /// High with `reset` and until everything in flight has ended.
    pub restarting: Signal<Out, Bit>,
    // Host bus: Wishbone B4 classic, whole words.
    pub host: HostSlavePort,
    /// The grid has ended; stays high until the next start.
    pub interrupt: Signal<Out, Bit>,
    /// Global memory.
    pub memory: MemoryMasterPort<LANES>,
    /// Pulse: the memory refuses an access; for a read, no later than the cycle of its response.
    pub memory_error: Signal<In, Bit>,
    /// Requests that were taken are not done yet.
    pub memory_busy: Signal<In, Bit>,
    /// From capability 1.1 on: an atomic operation is between its read and its write. The requests at the port are its
    /// own, and no other master may change their words.
    pub memory_locked: Vec<Signal<Out, Bit>>,
    /// From capability 1.1 on: the write of the atomic operation was not done, because another master has changed a
    /// word since the read; the operation starts again. Sampled after the write, when `memory_busy` is low.
    pub memory_failed: Vec<Signal<In, Bit>>,
    /// One trace per SM.
    pub trace: [Trace<LANES>; SMS],

    host_interface: HostInterface<LANES>,
    cycle_counter: CycleCounter,
    clocks: [ClockRegister; SMS],
    accounts: [IssueAccount; SMS],
    events: [EventCounters; SMS],
    block_scheduler: BlockScheduler<LANES, SMS>,
    sm: Vec<StreamingMultiprocessor<LANES>>,
    port_arbiter: PortArbiter<SMS>,
    /// The SM whose error is reported for the grid, one-hot; 0 without an error.
    failed: DFF<Bits<8>>,
    /// The word of the segment that the host reads, one-hot.
    host_read: DFF<Bits<32>>,

    /// True if atomic operations exist, from capability 1.1 on; their unit, if they do.
    atomics: Constant<Bit>,
    atomic_unit: Vec<AtomicUnit<LANES>>,
    /// The SMs are protected.
    has_protection: Constant<Bit>,
}

impl<const LANES: usize, const SMS: usize> Gpgpu<LANES, SMS> {
    /// A chip of capability 1.0 at rest, with zeroed memories of the sizes in the host's map.
    ///
    /// # Panics
    /// If LANES is not 8, 16 or 32, or SMS not 1 to 8.
    pub fn new() -> Self {
        Self::with(SmParameters::default())
    }

    /// A chip at rest, with zeroed memories, of SMs with these parameters.
    ///
    /// # Panics
    /// If memories of these sizes do not exist, or as [`Gpgpu::new`].
    pub fn with(parameters: SmParameters) -> Self {
        let sizes = parameters.memories;
        let protected = parameters.protect != Protect::None;
        let atomics = parameters.capability.has_atomics();
        Gpgpu {
            host_interface: HostInterface::new(SMS as u8, WARPS as u8, sizes.instructions, sizes.constants)
                .protected(protected),
            sm: (0..SMS).map(|_| StreamingMultiprocessor::new(parameters)).collect(),
            memory_locked: optional(atomics),
            memory_failed: optional(atomics),
            atomics: Constant::new(atomics),
            atomic_unit: optional(atomics),
            has_protection: Constant::new(protected),
            ..Default::default()
        }
    }
}

impl<const LANES: usize, const SMS: usize> Logic for Gpgpu<LANES, SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        // Reset, and the state of the external memory.
        self.host_interface.reset.next = self.reset.val();
        self.restarting.next = self.host_interface.restarting.val();
        self.host_interface.memory_error.next = self.memory_error.val();
        self.host_interface.memory_busy.next = self.memory_busy.val();

        // Connects the host bus.
        HostSlavePort::link(&mut self.host, &mut self.host_interface.host);
        self.interrupt.next = self.host_interface.interrupt.val();

        GridMasterPort::join(&mut self.host_interface.grid, &mut self.block_scheduler.grid);
        self.block_scheduler.memory_busy.next = self.memory_busy.val();
        self.connect_counters();
        let any_error = self.record_error();
        self.connect_sms(self.host_interface.grid.abort.val() || any_error);
        self.connect_memory();
        if self.atomics.val() {
            self.insert_atomic_unit();
        }
        if self.has_protection.val() {
            self.report_protected_error();
        }
    }
}

impl<const LANES: usize, const SMS: usize> Gpgpu<LANES, SMS> {
    /// Connects the counters. Counters that are not read deliver 0.
    #[hdl_part]
    fn connect_counters(&mut self) {
        let counter = self.host_interface.counter.val();
        let grid =
            GridPulses { start: self.host_interface.grid.start.val(), done: self.block_scheduler.grid.done.val() };
        self.cycle_counter.grid.next = grid;
        self.cycle_counter.counter.next = counter;
        let mut word = self.cycle_counter.counter_word.val();
        for s in 0..SMS {
            let here = counter.valid && counter.of_sm && counter.sm == s as u64;
            self.accounts[s].grid.next = grid;
            self.accounts[s].cause.next = self.sm[s].count_cause.val();
            self.accounts[s].counter.next = CounterRead { valid: here, ..counter };
            self.events[s].grid.next = grid;
            self.events[s].counted.next = self.sm[s].counted.val();
            self.events[s].counter.next = CounterRead { valid: here, ..counter };
            word = word | self.accounts[s].counter_word.val() | self.events[s].counter_word.val();
        }
        self.host_interface.counter_word.next = word;
    }

    /// Selects the report of the SM that failed first. True while any SM has an error.
    #[hdl_part]
    fn record_error(&mut self) -> Bit {
        let failed = self.failed.q.val();
        let mut erring = bits::<8>(0);
        let mut report = ErrorReport::default();
        for s in 0..SMS {
            erring = erring.replace_bit(s, self.sm[s].blocks.error.val());
            if s == 0 || failed.get_bit(s) {
                let (error, warp) = (self.sm[s].error.val(), self.sm[s].error_warp.val());
                report = ErrorReport { error, warp, sm: bits(s as u64) };
            }
        }
        if self.block_scheduler.sm_clear.val() {
            self.failed.d.next = 0.into();
        } else if !failed.any() {
            self.failed.d.next = erring.lowest_set();
        }
        self.host_interface.error.next = report;
        erring.any()
    }

    /// Tells the host interface that the reported error has code 16 or 17
    /// ([`PROTECTED_CODES`](crate::bundles::PROTECTED_CODES)).
    #[hdl_part]
    fn report_protected_error(&mut self) {
        let failed = self.failed.q.val();
        for s in 0..SMS {
            if s == 0 || failed.get_bit(s) {
                self.host_interface.protected_error[0].next = self.sm[s].protected_error[0].val();
            }
        }
    }

    /// Connects the SMs: loads, blocks, trace. `abort` stops them all.
    #[hdl_part]
    fn connect_sms(&mut self, abort: Bit) {
        let clear = self.block_scheduler.sm_clear.val();
        for s in 0..SMS {
            self.sm[s].multiprocessor.next = bits(s as u64);
            self.clocks[s].clear.next = clear;
            self.clocks[s].sample.next = self.sm[s].clock_sample.val();
            self.sm[s].clock_value.next = self.clocks[s].value.val();
            self.sm[s].sm_clear.next = clear;
            self.sm[s].sm_abort.next = abort;
            self.sm[s].configuration.next = self.host_interface.grid.launch.val();
            self.sm[s].load.next = self.host_interface.load.val();
            BlockMasterPort::<LANES>::join(&mut self.block_scheduler.sm[s], &mut self.sm[s].blocks);
            Trace::<LANES>::link(&mut self.trace[s], &mut self.sm[s].trace);
        }
    }

    /// Connects the memory port: to the SMs while a grid runs, otherwise to the host. The host's single words are
    /// placed in, and taken from, their position in the segment.
    #[hdl_part]
    fn connect_memory(&mut self) {
        // Selects the SM or the host to serve.
        let host_owns = !self.block_scheduler.grid.running.val();
        let served = self.port_arbiter.chosen_sm.val();
        self.port_arbiter.clear.next = self.block_scheduler.sm_clear.val();
        for s in 0..SMS {
            self.port_arbiter.request_valid[s].next = self.sm[s].memory.request_valid.val();
            self.sm[s].memory.request_ready.next = self.port_arbiter.request_ready[s].val();
            self.port_arbiter.request_write[s].next = self.sm[s].memory.request_write.val();
            self.sm[s].memory.response_valid.next = self.port_arbiter.response_valid[s].val();
        }
        self.port_arbiter.memory_request_ready.next = self.memory.request_ready.val() && !host_owns;
        self.host_interface.memory.request_ready.next = self.memory.request_ready.val() && host_owns;
        self.port_arbiter.memory_response_valid.next = self.memory.response_valid.val() && !host_owns;
        self.host_interface.memory.response_valid.next = self.memory.response_valid.val() && host_owns;

        // The request at the memory port.
        let address = self.host_interface.memory.request_address.val();
        let word = (address >> 2) & (LANES as u64 - 1);
        let host_word = word.low::<5>().one_hot::<32>();
        self.memory.request_valid.next =
            if host_owns { self.host_interface.memory.request_valid.val() } else { served.any() };
        for s in 0..SMS {
            if s == 0 || served.get_bit(s) {
                self.memory.request_write.next = self.sm[s].memory.request_write.val();
                self.memory.request_address.next = self.sm[s].memory.request_address.val();
            }
        }
        if host_owns {
            self.memory.request_write.next = self.host_interface.memory.request_write.val();
            self.memory.request_address.next = address & (0xffff_ffff - (LANES as u64 * 4 - 1));
            if self.host_interface.memory.request_valid.val() {
                self.host_read.d.next = host_word;
            }
        }

        // The words of requests and responses.
        let mut answer = bits::<32>(0);
        for i in 0..LANES {
            for s in 0..SMS {
                self.sm[s].memory.response_data[i].next = self.memory.response_data[i].val();
                if s == 0 || served.get_bit(s) {
                    self.memory.request_data[i].next = self.sm[s].memory.request_data[i].val();
                    self.memory.request_enable[i].next = self.sm[s].memory.request_enable[i].val();
                }
            }
            if host_owns {
                self.memory.request_data[i].next = self.host_interface.memory.request_data[0].val();
                self.memory.request_enable[i].next = host_word.get_bit(i).fill::<4>();
            }
            if self.host_read.q.val().get_bit(i) {
                answer = self.memory.response_data[i].val();
            }
        }
        self.host_interface.memory.response_data[0].next = answer;
    }

    /// Inserts the atomic unit between the port arbiter and the memory port: it passes on the SMs' requests, and
    /// executes the atomic ones. A grid ends only when the unit is idle.
    #[hdl_part]
    fn insert_atomic_unit(&mut self) {
        let host_owns = !self.block_scheduler.grid.running.val();
        let served = self.port_arbiter.chosen_sm.val();
        let busy = self.memory_busy.val() || self.atomic_unit[0].busy.val();
        self.block_scheduler.memory_busy.next = busy;
        self.host_interface.memory_busy.next = busy;
        self.memory_locked[0].next = self.atomic_unit[0].locked.val();
        self.atomic_unit[0].memory_busy.next = self.memory_busy.val();
        self.atomic_unit[0].memory_failed.next = self.memory_failed[0].val();

        // The requests of the SMs.
        self.atomic_unit[0].request_valid.next = served.any() && !host_owns;
        for s in 0..SMS {
            if s == 0 || served.get_bit(s) {
                self.atomic_unit[0].request_write.next = self.sm[s].memory.request_write.val();
                self.atomic_unit[0].request_address.next = self.sm[s].memory.request_address.val();
                self.atomic_unit[0].request_atomic.next = self.sm[s].memory_atomic[0].val();
                for w in 0..4 {
                    self.atomic_unit[0].operand[w].next = self.sm[s].memory.request_data[w].val();
                }
            }
        }
        self.port_arbiter.memory_request_ready.next = self.atomic_unit[0].request_ready.val() && !host_owns;
        self.port_arbiter.memory_response_valid.next = self.atomic_unit[0].response_valid.val();

        // The requests to the memory.
        self.atomic_unit[0].memory_ready.next = self.memory.request_ready.val() && !host_owns;
        self.atomic_unit[0].memory_response.next = self.memory.response_valid.val() && !host_owns;
        if !host_owns {
            self.memory.request_valid.next = self.atomic_unit[0].memory_valid.val();
            self.memory.request_write.next = self.atomic_unit[0].memory_write.val();
            self.memory.request_address.next = self.atomic_unit[0].memory_address.val();
        }
        for i in 0..LANES {
            self.atomic_unit[0].memory_data[i].next = self.memory.response_data[i].val();
            if !host_owns && self.atomic_unit[0].own.val() {
                self.memory.request_data[i].next =
                    if i & 1 == 0 { self.atomic_unit[0].new_even.val() } else { self.atomic_unit[0].new_odd.val() };
                self.memory.request_enable[i].next = self.atomic_unit[0].words.val().get_bit(i).fill::<4>();
            }
            for s in 0..SMS {
                if self.atomic_unit[0].answers.val() {
                    self.sm[s].memory.response_data[i].next =
                        if i & 1 == 0 { self.atomic_unit[0].old_even.val() } else { self.atomic_unit[0].old_odd.val() };
                }
            }
        }
    }
}
