//! The host interface: the GPU as one Wishbone B4 classic slave of 32-bit words, with the register map in
//! [`flexgrip_machine::host_map`].
//!
//! The host writes code, constants, parameters and the launch registers, starts the grid, waits for it (STATUS or the
//! interrupt) and reads counters, the error report and global memory.
//!
//! ```text
//! host bus ──> address decode ─┬─> launch registers ──> grid.launch, grid.shape (block scheduler)
//!                              ├─> CONTROL ───────────> grid.start, grid.abort
//!                              ├─> parameter memory ──> grid.parameter_word
//!                              ├─> load ──────────────> instruction and constant memory
//!                              └─> memory port ───────> global memory, while no grid runs
//! grid.done, error ────────────> STATUS, ERROR_*, interrupt
//! counter_word ────────────────> CYCLES and the SMs' counters, which are blocks of their own (`counters.rs`)
//! ```
//!
//! # The bus
//!
//! One access at a time, full words only: there is no SEL; an address that is not a multiple of 4 is an error. CYC and
//! STB stay high until ACK or ERR, which is high for one cycle; address, data and WE must be stable until then.
//!
//! ```text
//! cycle              t        t+1          t+2
//! register, loads    request  ACK or ERR   next request
//! global, write      request  to memory..  ACK in the cycle after memory took it
//! global, read       request  to memory..  ACK in the cycle after the response
//! ```
//!
//! If the host drops CYC or STB during a global access, it gets no ACK, but the access still takes place.
//!
//! The answer is ERR instead of ACK, and nothing changes, for:
//! - an address that is not in the map; a read of a write-only window; a write to a read-only register;
//! - a value out of the register's range, so values are never truncated silently;
//! - while a grid runs: global memory, and every write but CONTROL's abort (the launch is stable while it runs);
//! - CONTROL: a value other than start or abort; start of a launch with a size of 0 where that is not allowed
//!   (grid, block, threads, blocks per SM, registers, shared rows).
//!
//! An abort while no grid runs is acknowledged and does nothing, because the grid may have just ended.
//!
//! # Errors of the external memory
//!
//! `memory_error` means that the memory has refused an access. STATUS keeps it (BUS_ERROR) until the next start, and a
//! running grid is stopped as by an abort. A host read that is answered in the same cycle gets ERR.
//!
//! # Reset
//!
//! `reset` may be as short as one cycle. From then on the bus is not answered, a running grid is stopped, and the
//! registers have their power-up values. `restarting` is high until the grid has ended and the external memory has
//! completed its accesses. A transfer that the host holds meanwhile is then served normally. Memories, parameters and
//! counters keep their contents.

mod bus;
mod launch;
mod registers;

use crate::bundles::*;
use crate::chip::block_scheduler::GridMasterPort;
use crate::chip::counters::CounterRead;
use crate::memory::HostLoad;
use crate::optional::optional;
use crate::ports::{HostSlavePort, MemoryMasterPort};
use flexgrip_machine::host_map::*;
use hdlkit::prelude::*;

/// Number of address bits within the instruction window (`load.address`).
const LOAD_BITS: u32 = 18;

// The decoder compares whole address bits only.
const _: () = {
    assert!(PARAMETER_BASE % 256 == 0 && PARAMETER_WORDS == 64);
    assert!(INSTRUCTION_BASE % (1 << LOAD_BITS) == 0);
    assert!(CONSTANT_BASE % (1 << LOAD_BITS) == 0);
    assert!(GLOBAL_BASE == 1 << 31);
    // One page of counters per SM: the page selects the SM.
    assert!(COUNTER_STRIDE == 256 && COUNTER_BASE % (256 * MOST_SMS as u32) == 0 && COUNTER_BASE >= 256 * 8);
    assert!(SM_COUNTERS * 2 <= 64);
    assert!(field(ERROR_WARP, "INDEX").low == 0 && field(ERROR_WARP, "SLOT").low == 8);
    let mut i = 0;
    while i < REGISTERS.len() {
        assert!(REGISTERS[i].address < 256 && REGISTERS[i].address % 4 == 0);
        i += 1;
    }
};

/// State of a host access to global memory.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum HostMemoryState {
    /// No access.
    Idle,
    /// Waits until the memory takes the request.
    Request,
    /// Waits for a read's data.
    Response,
}

/// The error that stopped the grid, and its warp and SM.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ErrorReport {
    pub error: KernelError,
    pub warp: WarpIdentity,
    pub sm: Bits<3>,
}

/// The answer on the bus, for one cycle, and the actions that it starts.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BusAnswer {
    pub acknowledge: Bit,
    pub refuse: Bit,
    pub read_data: Bits<32>,
    /// The data are a parameter, not `read_data`.
    pub parameter: Bit,
    pub start: Bit,
    pub abort: Bit,
    pub load: Bit,
}

/// STATUS and the error report.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct GridStatus {
    pub running: Bit,
    pub done: Bit,
    pub bus_error: Bit,
    pub report: ErrorReport,
}

/// The host interface. See the module for the bus.
///
/// | output | when |
/// |---|---|
/// | `grid.start`, `grid.abort` | the cycle of the acknowledge |
/// | `load` | for each word, the cycle of the acknowledge |
/// | `grid.parameter_word` | the cycle after `grid.parameter_index` |
/// | `grid.abort` | also while `restarting`, and while a grid runs after a `memory_error` |
/// | `interrupt` | from the cycle after `grid.done` until the next start |
/// | `counter` | the cycle of a request for a counter; `counter_word` must answer in it |
#[circuit]
pub struct HostInterface<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Sets the registers to their power-up values; see the module.
    pub reset: Signal<In, Bit>,
    /// High with `reset` and until everything in flight has ended.
    pub restarting: Signal<Out, Bit>,
    // The host bus, Wishbone B4 classic.
    pub host: HostSlavePort,
    /// A grid has ended: STATUS done.
    pub interrupt: Signal<Out, Bit>,

    /// The grid and its launch, for the block scheduler.
    pub grid: GridMasterPort,
    /// Words for on-chip memories, never refused.
    pub load: Signal<Out, HostLoad>,
    /// Global memory in single words, below 2^31. A write is done when it is taken and must have no response.
    pub memory: MemoryMasterPort<1>,
    /// The memory refuses an access of the host or the grid; a host read if it is answered in this cycle.
    pub memory_error: Signal<In, Bit>,
    /// The memory has not finished all accesses that it has taken.
    pub memory_busy: Signal<In, Bit>,

    /// Valid with `grid.done`: the error that ended the grid, code 0 for none.
    pub error: Signal<In, ErrorReport>,
    pub counter: Signal<Out, CounterRead>,
    pub counter_word: Signal<In, Bits<32>>,

    /// The parameters, once for the block scheduler and once for the host.
    parameters: [BlockRam<6, 32, 1>; 2],
    launch: DFF<LaunchConfiguration>,
    shape: DFF<GridConfiguration>,
    answer: DFF<BusAnswer>,
    // The host's last access; if it is a load, true if it is for constant memory.
    access_address: DFF<Bits<32>>,
    access_data: DFF<Bits<32>>,
    access_write: DFF<Bit>,
    access_constant: DFF<Bit>,
    memory_state: DFF<HostMemoryState>,
    /// The host no longer waits for its access to global memory.
    abandoned: DFF<Bit>,
    status: DFF<GridStatus>,
    resetting: DFF<Bit>,
    // The machine's sizes: the value of CONFIGURATION, the last SM, the last words of the memories.
    configuration: Constant<Bits<32>>,
    last_sm: Constant<Bits<3>>,
    instruction_last: Constant<Bits<18>>,
    constant_last: Constant<Bits<18>>,

    /// The circuits are protected. If they are: `error`, or the error in `status`, has code 16 or 17, see
    /// [`PROTECTED_CODES`](crate::bundles::PROTECTED_CODES).
    has_protection: Constant<Bit>,
    pub protected_error: Vec<Signal<In, Bit>>,
    status_protected: Vec<DFF<Bit>>,
}

impl<const LANES: usize> HostInterface<LANES> {
    /// The interface of a GPU with `multiprocessors` SMs of `warps` warps each, as reported in CONFIGURATION, with
    /// `instruction_bytes` of instruction memory and `constant_bytes` of constant memory, at most 256 KiB each.
    ///
    /// # Panics
    /// If the sizes do not fit the map.
    pub fn new(multiprocessors: u8, warps: u8, instruction_bytes: u32, constant_bytes: u32) -> Self {
        for bytes in [instruction_bytes, constant_bytes] {
            assert!(
                (4..=1 << LOAD_BITS).contains(&bytes) && bytes % 4 == 0,
                "a memory of {bytes} bytes does not fit the host's window of 256 KiB"
            );
        }
        assert!(
            (1..=MOST_SMS).contains(&usize::from(multiprocessors)),
            "the map has room for 1 to {MOST_SMS} SMs, not {multiprocessors}"
        );
        assert!(LANES <= 255, "CONFIGURATION has 8 bits for the number of lanes, not {LANES}");
        let configuration = configuration_value(LANES as u32, multiprocessors.into(), warps.into());
        HostInterface {
            configuration: Constant::new(Bits::new(configuration.into())),
            last_sm: Constant::new(Bits::new(u64::from(multiprocessors) - 1)),
            instruction_last: Constant::new(Bits::new(u64::from(instruction_bytes) - 4)),
            constant_last: Constant::new(Bits::new(u64::from(constant_bytes) - 4)),
            ..Default::default()
        }
    }

    /// Returns the interface of a GPU whose circuits are protected, if `protected`.
    #[must_use]
    pub fn protected(self, protected: bool) -> Self {
        HostInterface {
            has_protection: Constant::new(protected),
            protected_error: optional(protected),
            status_protected: optional(protected),
            ..self
        }
    }
}

impl<const LANES: usize> Logic for HostInterface<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let restarts = self.reset.val() || self.resetting.q.val();
        let busy = self.status.q.val().running || self.grid.running.val();
        let selected = self.host.cycle.val() && self.host.strobe.val() && !restarts;
        // A request is new if no answer and no access is in progress.
        let request = selected
            && self.memory_state.q.val() == HostMemoryState::Idle
            && !self.answer.q.val().acknowledge
            && !self.answer.q.val().refuse;

        self.hold_reset(restarts);
        self.record_grid_end();
        let in_counters = self.select_counter();
        self.serve_request(request, busy, in_counters);
        self.access_global_memory(selected);
        if self.has_protection.val() {
            self.report_protected_error();
        }
        self.drive_bus();
        self.drive_launch(restarts);
        if restarts {
            self.reset_registers();
        }
    }
}
