//! The host interface: the host's view of the GPU as one Wishbone B4 classic slave of 32-bit words, over the map in
//! [`flexgrip_machine::host_map`].
//!
//! The host writes code, constants, parameters and the launch registers, starts the grid, waits for it (STATUS or the
//! interrupt) and reads counters, the error report and global memory.
//!
//! ```text
//! host bus ──> address decode ─┬─> launch registers ──> launch_configuration, grid_configuration
//!                              ├─> CONTROL ───────────> launch_start, launch_abort
//!                              ├─> parameter memory ──> parameter_word (block scheduler)
//!                              ├─> load port ─────────> instruction and constant memory
//!                              └─> memory port ───────> global memory, while no grid runs
//! grid_done, error ────────────> STATUS, ERROR_*, interrupt
//! counter_word ───────────────> CYCLES and the SMs' counters, which are blocks of their own (`counters.rs`)
//! ```
//!
//! # The bus
//!
//! One access at a time, full words only: there is no SEL, an address that is not a multiple of 4 is an error. CYC and STB
//! stay until ACK or ERR, which is high for one cycle; address, data and WE must be stable until then.
//!
//! ```text
//! cycle              t        t+1          t+2
//! register, loads    request  ACK or ERR   next request
//! global, write      request  to memory..  ACK in the cycle after memory took it
//! global, read       request  to memory..  ACK in the cycle after the response
//! ```
//!
//! A host that drops CYC or STB during a global access gets no ACK for it, and the access still takes place.
//!
//! ERR instead of ACK, and nothing changes:
//! - an address that the map does not have; a read of a write-only window; a write to a read-only register;
//! - a value that is out of the register's range, so that nothing is cut off silently;
//! - while a grid runs: global memory, and every write but CONTROL's abort (the launch is stable while it runs);
//! - CONTROL: a value other than start or abort; start of a launch in which a size is 0 that must not be
//!   (grid, block, threads, blocks per SM, registers, shared rows).
//!
//! An abort while no grid runs is acknowledged and does nothing, since the grid may just have ended.
//!
//! # Errors of the memory outside
//!
//! `memory_error` tells that the memory has refused an access. STATUS keeps it (BUS_ERROR) until the next start, and a grid
//! that runs is stopped as by an abort. A read of the host's that is answered in such a cycle gets ERR.
//!
//! # Reset
//!
//! `reset` may be as short as a cycle. From then on the bus is not answered and a grid that runs is stopped; the registers
//! have their power-up values. `restarting` tells how long: until the grid has ended and the memory outside has nothing left
//! to do. A transfer that the host holds meanwhile is then served as any other. Memories, parameters and counters keep what
//! they hold.

use crate::bundles::*;
use flexgrip_machine::host_map::*;
use hdlkit::prelude::*;

/// Bits of the address within the instruction window (`load_address`).
const LOAD_BITS: u32 = 18;

// The decoder looks at whole address bits only.
const _: () = {
    assert!(PARAMETER_BASE % 256 == 0 && PARAMETER_WORDS == 64);
    assert!(INSTRUCTION_BASE % (1 << LOAD_BITS) == 0);
    assert!(CONSTANT_BASE % (1 << LOAD_BITS) == 0);
    assert!(GLOBAL_BASE == 1 << 31);
    // A page of counters for each SM: the page tells which.
    assert!(COUNTER_STRIDE == 256 && COUNTER_BASE % (256 * MOST_SMS as u32) == 0 && COUNTER_BASE >= 256 * 8);
    assert!(SM_COUNTERS * 2 <= 64);
    // What the kernel below says in numbers of its own: registers that share a limit, the bits that a value is cut to, the
    // places of fields.
    assert!(register(CODE_END).greatest == register(ENTRY).greatest && register(ENTRY).greatest < 1 << 24);
    assert!(register(REGISTER_COUNT).greatest < 1 << 8 && register(SHARED_ROWS).greatest < 1 << 9);
    assert!(register(PARAMETER_COUNT).greatest < 1 << 7 && register(BLOCK_Z).greatest < 1 << 7);
    assert!(register(GRID_X).greatest == register(GRID_Y).greatest && register(GRID_X).greatest < 1 << 16);
    assert!(register(BLOCK_X).greatest == register(BLOCK_THREADS).greatest);
    assert!(register(BLOCK_Y).greatest == register(BLOCK_THREADS).greatest);
    assert!(register(BLOCK_THREADS).greatest < 1 << 11 && register(BLOCKS_PER_SM).greatest < 1 << 4);
    assert!(register(GLOBAL_END).greatest == u32::MAX && register(LOCAL_BASE).greatest == u32::MAX);
    assert!(register(COALESCING).greatest == field(COALESCING, "RULE").mask());
    assert!(field(COALESCING, "RULE").named("STRICT") == 1);
    assert!(register(UNALIGNED_CODE).greatest == register(COALESCING).greatest);
    assert!(register(LOCAL_SHIFT).greatest < 1 << 5 && register(LOCAL_BYTES).greatest < 1 << 17);
    assert!(field(ERROR_WARP, "INDEX").low == 0 && field(ERROR_WARP, "SLOT").low == 8);
    let mut i = 0;
    while i < REGISTERS.len() {
        assert!(REGISTERS[i].address < 256 && REGISTERS[i].address % 4 == 0);
        i += 1;
    }
};

/// What a global access waits for.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum HostMemoryState {
    /// No access.
    Idle,
    /// The memory's ready.
    Request,
    /// A read's data.
    Response,
}

/// The host interface. See the module for the bus.
///
/// | output | when |
/// |---|---|
/// | `launch_start`, `launch_abort` | one cycle, that of the acknowledge |
/// | `load_*` | one cycle per word, that of the acknowledge |
/// | `parameter_word` | the cycle after `parameter_index` |
/// | `interrupt` | from the cycle after `grid_done` until the next start |
/// | `launch_abort` | also while `restarting`, and while a grid runs after a `memory_error` |
/// | `counter_*` | the cycle of a request for a counter; `counter_word` must answer in it |
#[derive(LogicBlock, Cycle, Blank)]
pub struct HostInterface<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// As at power-up; see the module.
    pub reset: Signal<In, Bit>,
    /// `reset`, and until all that was under way has ended.
    pub restarting: Signal<Out, Bit>,
    // The host bus, Wishbone B4 classic.
    /// CYC
    pub host_cycle: Signal<In, Bit>,
    /// STB
    pub host_strobe: Signal<In, Bit>,
    /// WE
    pub host_write: Signal<In, Bit>,
    /// ADR, in bytes.
    pub host_address: Signal<In, Bits<32>>,
    /// DAT from the host.
    pub host_write_data: Signal<In, Bits<32>>,
    /// DAT to the host, valid with ACK.
    pub host_read_data: Signal<Out, Bits<32>>,
    /// ACK
    pub host_acknowledge: Signal<Out, Bit>,
    /// ERR
    pub host_error: Signal<Out, Bit>,
    /// A grid has ended: STATUS done.
    pub interrupt: Signal<Out, Bit>,

    // The launch.
    pub launch_start: Signal<Out, Bit>,
    pub launch_abort: Signal<Out, Bit>,
    pub launch_configuration: Signal<Out, LaunchConfiguration>,
    pub grid_configuration: Signal<Out, GridConfiguration>,
    /// Parameter word `parameter_index`, in the next cycle.
    pub parameter_index: Signal<In, Bits<6>>,
    pub parameter_word: Signal<Out, Bits<32>>,

    // Loading of on-chip memories: a word per pulse, never refused.
    pub load_valid: Signal<Out, Bit>,
    /// Constant memory, else instruction memory.
    pub load_constant: Signal<Out, Bit>,
    /// Byte address of the word.
    pub load_address: Signal<Out, Bits<18>>,
    pub load_data: Signal<Out, Bits<32>>,

    // Global memory in single words. A write is done when it is taken and must have no response; a read has one.
    pub host_memory_request_valid: Signal<Out, Bit>,
    pub host_memory_request_ready: Signal<In, Bit>,
    pub host_memory_request_write: Signal<Out, Bit>,
    /// Byte address, a multiple of 4, below 2^31.
    pub host_memory_request_address: Signal<Out, Bits<32>>,
    pub host_memory_request_data: Signal<Out, Bits<32>>,
    pub host_memory_response_valid: Signal<In, Bit>,
    pub host_memory_response_data: Signal<In, Bits<32>>,
    /// The memory refuses an access, the host's or the grid's; one of the host's reads if it is answered in this cycle.
    pub memory_error: Signal<In, Bit>,
    /// The memory has not done yet all that it has taken.
    pub memory_busy: Signal<In, Bit>,

    // The running grid.
    pub grid_running: Signal<In, Bit>,
    /// One cycle, the last one of the grid.
    pub grid_done: Signal<In, Bit>,
    /// With `grid_done`: why it ended, code 0 if not by an error.
    pub error: Signal<In, KernelError>,
    /// With `grid_done`: which warp of its block.
    pub error_warp_index: Signal<In, Bits<5>>,
    /// With `grid_done`: which SM.
    pub error_sm: Signal<In, Bits<3>>,
    /// With `grid_done`: which block.
    pub error_block: Signal<In, Bits<32>>,

    // The counters.
    pub counter_read: Signal<Out, Bit>,
    /// One of an SM's counters, else CYCLES.
    pub counter_of_sm: Signal<Out, Bit>,
    /// Which SM.
    pub counter_sm: Signal<Out, Bits<3>>,
    /// The word's place among the SM's counters' words, or among those of CYCLES.
    pub counter_index: Signal<Out, Bits<6>>,
    pub counter_word: Signal<In, Bits<32>>,

    /// The parameters, for the block scheduler, and once more for the host.
    parameters: BlockRam<6, 32, 1>,
    host_parameters: BlockRam<6, 32, 1>,
    /// What the host reads is `host_parameters`.
    answers_parameter: DFF<Bit>,
    launch: DFF<LaunchConfiguration>,
    grid: DFF<GridConfiguration>,
    acknowledge: DFF<Bit>,
    refuse: DFF<Bit>,
    read_data: DFF<Bits<32>>,
    start: DFF<Bit>,
    abort: DFF<Bit>,
    load: DFF<Bit>,
    load_is_constant: DFF<Bit>,
    access_address: DFF<Bits<32>>,
    access_data: DFF<Bits<32>>,
    access_write: DFF<Bit>,
    memory_state: DFF<HostMemoryState>,
    abandoned: DFF<Bit>,
    resetting: DFF<Bit>,
    bus_error: DFF<Bit>,
    running: DFF<Bit>,
    done: DFF<Bit>,
    fault: DFF<KernelError>,
    fault_index: DFF<Bits<5>>,
    fault_sm: DFF<Bits<3>>,
    fault_block: DFF<Bits<32>>,

    restarts: Signal<Local, Bit>,
    stopped_by_memory: Signal<Local, Bit>,
    read_done: Signal<Local, Bit>,
    selected: Signal<Local, Bit>,
    request: Signal<Local, Bit>,
    busy: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    known: Signal<Local, Bit>,
    control: Signal<Local, Bit>,
    complete: Signal<Local, Bit>,
    offset: Signal<Local, Bits<8>>,
    page: Signal<Local, Bits<24>>,
    window: Signal<Local, Bits<14>>,
    aligned: Signal<Local, Bit>,
    in_constant: Signal<Local, Bit>,
    in_instruction: Signal<Local, Bit>,
    load_offset: Signal<Local, Bits<18>>,
    answer: Signal<Local, Bits<32>>,
    most: Signal<Local, Bits<32>>,
    data_4: Signal<Local, Bits<4>>,
    data_7: Signal<Local, Bits<7>>,
    data_8: Signal<Local, Bits<8>>,
    data_9: Signal<Local, Bits<9>>,
    data_11: Signal<Local, Bits<11>>,
    data_16: Signal<Local, Bits<16>>,
    data_24: Signal<Local, Bits<24>>,
    status: Signal<Local, Bits<32>>,
    status_done: Signal<Local, Bits<32>>,
    failed: Signal<Local, Bit>,
    fault_slot: Signal<Local, Bits<32>>,
    fault_slot_shifted: Signal<Local, Bits<32>>,
    fault_number: Signal<Local, Bits<32>>,
    fault_place: Signal<Local, Bits<32>>,
    memory_address: Signal<Local, Bits<31>>,
    in_counters: Signal<Local, Bit>,
    is_cycles: Signal<Local, Bit>,
    page_of_8: Signal<Local, Bits<21>>,
    page_sm: Signal<Local, Bits<3>>,

    zero: Constant<Bits<32>>,
    id_value: Constant<Bits<32>>,
    configuration: Constant<Bits<32>>,
    control_start: Constant<Bits<32>>,
    control_abort: Constant<Bits<32>>,
    status_running: Constant<Bits<32>>,
    status_ended: Constant<Bits<32>>,
    status_error: Constant<Bits<32>>,
    status_bus_error: Constant<Bits<32>>,
    no_launch: Constant<LaunchConfiguration>,
    no_grid: Constant<GridConfiguration>,
    no_fault: Constant<KernelError>,
    parameter_page: Constant<Bits<24>>,
    counter_pages: Constant<Bits<21>>,
    last_sm: Constant<Bits<3>>,
    instruction_window: Constant<Bits<14>>,
    instruction_last: Constant<Bits<18>>,
    constant_window: Constant<Bits<14>>,
    constant_last: Constant<Bits<18>>,
    // Greatest values of the registers.
    most_entry: Constant<Bits<32>>,
    most_registers: Constant<Bits<32>>,
    most_shared_rows: Constant<Bits<32>>,
    most_parameters: Constant<Bits<32>>,
    most_grid: Constant<Bits<32>>,
    most_threads: Constant<Bits<32>>,
    most_block_z: Constant<Bits<32>>,
    most_blocks: Constant<Bits<32>>,
    most_word: Constant<Bits<32>>,
    most_flag: Constant<Bits<32>>,
    most_local_shift: Constant<Bits<32>>,
    most_local_bytes: Constant<Bits<32>>,
    // Addresses of the registers.
    at_id: Constant<Bits<8>>,
    at_configuration: Constant<Bits<8>>,
    at_control: Constant<Bits<8>>,
    at_status: Constant<Bits<8>>,
    at_entry: Constant<Bits<8>>,
    at_code_end: Constant<Bits<8>>,
    at_register_count: Constant<Bits<8>>,
    at_shared_rows: Constant<Bits<8>>,
    at_parameter_count: Constant<Bits<8>>,
    at_grid_x: Constant<Bits<8>>,
    at_grid_y: Constant<Bits<8>>,
    at_block_x: Constant<Bits<8>>,
    at_block_y: Constant<Bits<8>>,
    at_block_z: Constant<Bits<8>>,
    at_block_threads: Constant<Bits<8>>,
    at_blocks_per_sm: Constant<Bits<8>>,
    at_global_end: Constant<Bits<8>>,
    at_coalescing: Constant<Bits<8>>,
    at_unaligned_code: Constant<Bits<8>>,
    at_local_base: Constant<Bits<8>>,
    at_local_shift: Constant<Bits<8>>,
    at_local_bytes: Constant<Bits<8>>,
    at_cycles: Constant<Bits<8>>,
    at_cycles_high: Constant<Bits<8>>,
    at_last_counter: Constant<Bits<8>>,
    at_error_code: Constant<Bits<8>>,
    at_error_pc: Constant<Bits<8>>,
    at_error_sm: Constant<Bits<8>>,
    at_error_warp: Constant<Bits<8>>,
    at_error_block: Constant<Bits<8>>,
    at_error_address: Constant<Bits<8>>,
    _activity: Activity,
}

impl<const LANES: usize> HostInterface<LANES> {
    /// The interface of a GPU of `multiprocessors` SMs of `warps` warps each, as CONFIGURATION tells them, with
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
        assert!(
            LANES <= 255,
            "CONFIGURATION has 8 bits for the number of lanes, not {LANES}"
        );
        let word = |value: u32| Constant::new(Bits::<32>::new(value as u64));
        let most = |address: u32| word(register(address).greatest);
        let at = |address: u32| Constant::new(Bits::<8>::new(address as u64));
        HostInterface {
            zero: word(0),
            id_value: word(ID_VALUE),
            configuration: word(configuration_value(LANES as u32, multiprocessors.into(), warps.into())),
            control_start: word(CONTROL_START),
            control_abort: word(CONTROL_ABORT),
            status_running: word(STATUS_RUNNING),
            status_ended: word(STATUS_DONE),
            status_error: word(STATUS_DONE | STATUS_ERROR),
            status_bus_error: word(STATUS_BUS_ERROR),
            parameter_page: Constant::new(Bits::new((PARAMETER_BASE >> 8) as u64)),
            counter_pages: Constant::new(Bits::new((COUNTER_BASE >> 11) as u64)),
            last_sm: Constant::new(Bits::new(multiprocessors as u64 - 1)),
            instruction_window: Constant::new(Bits::new((INSTRUCTION_BASE >> LOAD_BITS) as u64)),
            instruction_last: Constant::new(Bits::new(instruction_bytes as u64 - 4)),
            constant_window: Constant::new(Bits::new((CONSTANT_BASE >> LOAD_BITS) as u64)),
            constant_last: Constant::new(Bits::new(constant_bytes as u64 - 4)),
            most_entry: most(ENTRY),
            most_registers: most(REGISTER_COUNT),
            most_shared_rows: most(SHARED_ROWS),
            most_parameters: most(PARAMETER_COUNT),
            most_grid: most(GRID_X),
            most_threads: most(BLOCK_THREADS),
            most_block_z: most(BLOCK_Z),
            most_blocks: most(BLOCKS_PER_SM),
            most_word: most(GLOBAL_END),
            most_flag: most(COALESCING),
            most_local_shift: most(LOCAL_SHIFT),
            most_local_bytes: most(LOCAL_BYTES),
            at_id: at(ID),
            at_configuration: at(CONFIGURATION),
            at_control: at(CONTROL),
            at_status: at(STATUS),
            at_entry: at(ENTRY),
            at_code_end: at(CODE_END),
            at_register_count: at(REGISTER_COUNT),
            at_shared_rows: at(SHARED_ROWS),
            at_parameter_count: at(PARAMETER_COUNT),
            at_grid_x: at(GRID_X),
            at_grid_y: at(GRID_Y),
            at_block_x: at(BLOCK_X),
            at_block_y: at(BLOCK_Y),
            at_block_z: at(BLOCK_Z),
            at_block_threads: at(BLOCK_THREADS),
            at_blocks_per_sm: at(BLOCKS_PER_SM),
            at_global_end: at(GLOBAL_END),
            at_coalescing: at(COALESCING),
            at_unaligned_code: at(UNALIGNED_CODE),
            at_local_base: at(LOCAL_BASE),
            at_local_shift: at(LOCAL_SHIFT),
            at_local_bytes: at(LOCAL_BYTES),
            at_cycles: at(CYCLES),
            at_cycles_high: at(CYCLES_HIGH),
            at_last_counter: at(8 * SM_COUNTERS as u32 - 4),
            at_error_code: at(ERROR_CODE),
            at_error_pc: at(ERROR_PC),
            at_error_sm: at(ERROR_SM),
            at_error_warp: at(ERROR_WARP),
            at_error_block: at(ERROR_BLOCK),
            at_error_address: at(ERROR_ADDRESS),
            ..Blank::blank()
        }
    }
}

impl<const LANES: usize> Logic for HostInterface<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            launch,
            grid,
            acknowledge,
            refuse,
            read_data,
            answers_parameter,
            start,
            abort,
            load,
            load_is_constant,
            access_address,
            access_data,
            access_write,
            memory_state,
            abandoned,
            resetting,
            bus_error,
            running,
            done,
            fault,
            fault_index,
            fault_sm,
            fault_block
        );
        clock!(self, clock, parameters, host_parameters);

        // Reset: until what was under way has ended.
        self.restarts.next = self.reset.val() || self.resetting.q.val();
        self.restarting.next = self.restarts.val();
        self.resetting.d.next = self.reset.val()
            || (self.resetting.q.val()
                && (self.grid_running.val()
                    || self.memory_busy.val()
                    || (self.memory_state.q.val() != HostMemoryState::Idle)));
        self.stopped_by_memory.next = self.bus_error.q.val() && self.grid_running.val();

        // The grid's end.
        self.busy.next = self.running.q.val() || self.grid_running.val();
        self.failed.next = self.error.val().code != 0;
        if self.grid_done.val() {
            self.running.d.next = false;
            self.done.d.next = true;
            if self.failed.val() {
                self.fault.d.next = self.error.val();
                self.fault_index.d.next = self.error_warp_index.val();
                self.fault_sm.d.next = self.error_sm.val();
                self.fault_block.d.next = self.error_block.val();
            }
        }

        // The request.
        self.acknowledge.d.next = false;
        self.refuse.d.next = false;
        self.start.d.next = false;
        self.abort.d.next = false;
        self.load.d.next = false;
        self.selected.next = self.host_cycle.val() && self.host_strobe.val() && !self.restarts.val();
        self.request.next = self.selected.val()
            && (self.memory_state.q.val() == HostMemoryState::Idle)
            && !self.acknowledge.q.val()
            && !self.refuse.q.val();
        self.offset.next = self.host_address.val().get_bits::<8>(0);
        self.page.next = self.host_address.val().get_bits::<24>(8);
        self.window.next = self.host_address.val().get_bits::<14>(18);
        self.load_offset.next = self.host_address.val().get_bits::<18>(0);
        self.aligned.next = self.host_address.val().get_bits::<2>(0) == 0;
        self.in_instruction.next = (self.window.val() == self.instruction_window.val())
            && (self.load_offset.val() <= self.instruction_last.val());
        self.in_constant.next =
            (self.window.val() == self.constant_window.val()) && (self.load_offset.val() <= self.constant_last.val());
        self.data_4.next = self.host_write_data.val().get_bits::<4>(0);
        self.data_7.next = self.host_write_data.val().get_bits::<7>(0);
        self.data_8.next = self.host_write_data.val().get_bits::<8>(0);
        self.data_9.next = self.host_write_data.val().get_bits::<9>(0);
        self.data_11.next = self.host_write_data.val().get_bits::<11>(0);
        self.data_16.next = self.host_write_data.val().get_bits::<16>(0);
        self.data_24.next = self.host_write_data.val().get_bits::<24>(0);

        // STATUS and ERROR_WARP.
        self.status_done.next = self.zero.val();
        if self.done.q.val() {
            self.status_done.next = self.status_ended.val();
            if self.fault.q.val().code != 0 {
                self.status_done.next = self.status_error.val();
            }
        }
        self.status.next = self.status_done.val();
        if self.busy.val() {
            self.status.next = self.status_done.val() | self.status_running.val();
        }
        if self.bus_error.q.val() {
            self.status.next = self.status.val() | self.status_bus_error.val();
        }
        self.fault_slot.next = bit_cast::<32, 5>(self.fault.q.val().warp);
        self.fault_slot_shifted.next = self.fault_slot.val() << 8;
        self.fault_number.next = bit_cast::<32, 5>(self.fault_index.q.val());
        self.fault_place.next = self.fault_slot_shifted.val() | self.fault_number.val();

        self.parameters.read_enable.next = true;
        self.parameters.read_address.next = self.parameter_index.val();
        self.parameter_word.next = self.parameters.read_data.val();
        self.parameters.write_address.next = self.host_address.val().get_bits::<6>(2);
        self.parameters.write_data.next = self.host_write_data.val();
        self.parameters.write_enable.next = 0.into();
        self.host_parameters.read_enable.next = true;
        self.host_parameters.read_address.next = self.host_address.val().get_bits::<6>(2);
        self.host_parameters.write_address.next = self.host_address.val().get_bits::<6>(2);
        self.host_parameters.write_data.next = self.host_write_data.val();
        self.host_parameters.write_enable.next = 0.into();
        self.answers_parameter.d.next = false;

        self.page_of_8.next = self.page.val().get_bits::<21>(3);
        self.page_sm.next = self.page.val().get_bits::<3>(0);
        self.in_counters.next = (self.page_of_8.val() == self.counter_pages.val())
            && (self.page_sm.val() <= self.last_sm.val())
            && (self.offset.val() <= self.at_last_counter.val());
        self.is_cycles.next =
            (self.offset.val() == self.at_cycles.val()) || (self.offset.val() == self.at_cycles_high.val());
        // The counters' inputs move for a read of them only. They do not wait to be told that it is one that is answered: it is
        // a long way to them and back.
        self.counter_of_sm.next = false;
        self.counter_sm.next = 0.into();
        self.counter_index.next = 0.into();
        self.counter_read.next = self.host_cycle.val()
            && self.host_strobe.val()
            && !self.host_write.val()
            && (self.in_counters.val() || ((self.page.val() == 0) && self.is_cycles.val()));
        if self.counter_read.val() {
            self.counter_of_sm.next = self.in_counters.val();
            self.counter_sm.next = self.page_sm.val();
            self.counter_index.next = self.offset.val().get_bits::<6>(2);
        }
        self.accept.next = false;
        self.known.next = true;
        self.control.next = false;
        self.complete.next = true;
        self.answer.next = self.zero.val();
        self.most.next = self.most_word.val();
        if self.request.val() {
            self.access_address.d.next = self.host_address.val();
            self.access_data.d.next = self.host_write_data.val();
            self.access_write.d.next = self.host_write.val();
            self.refuse.d.next = true;
            if !self.aligned.val() {
                self.known.next = false;
            } else if self.host_address.val().get_bit(31) {
                if !self.busy.val() {
                    self.refuse.d.next = false;
                    self.abandoned.d.next = false;
                    self.memory_state.d.next = HostMemoryState::Request;
                }
            } else if !self.host_write.val() {
                if self.page.val() == self.parameter_page.val() {
                    self.answers_parameter.d.next = true;
                    self.accept.next = true;
                } else if self.in_counters.val() {
                    self.answer.next = self.counter_word.val();
                    self.accept.next = true;
                } else if self.page.val() == 0 {
                    if self.offset.val() == self.at_id.val() {
                        self.answer.next = self.id_value.val();
                    } else if self.offset.val() == self.at_configuration.val() {
                        self.answer.next = self.configuration.val();
                    } else if self.offset.val() == self.at_control.val() {
                        self.answer.next = self.zero.val();
                    } else if self.offset.val() == self.at_status.val() {
                        self.answer.next = self.status.val();
                    } else if self.offset.val() == self.at_entry.val() {
                        self.answer.next = bit_cast::<32, 24>(self.launch.q.val().entry);
                    } else if self.offset.val() == self.at_code_end.val() {
                        self.answer.next = bit_cast::<32, 24>(self.launch.q.val().code_end);
                    } else if self.offset.val() == self.at_register_count.val() {
                        self.answer.next = bit_cast::<32, 8>(self.launch.q.val().registers);
                    } else if self.offset.val() == self.at_shared_rows.val() {
                        self.answer.next = bit_cast::<32, 9>(self.launch.q.val().shared_rows);
                    } else if self.offset.val() == self.at_parameter_count.val() {
                        self.answer.next = bit_cast::<32, 7>(self.grid.q.val().parameter_count);
                    } else if self.offset.val() == self.at_grid_x.val() {
                        self.answer.next = bit_cast::<32, 16>(self.grid.q.val().grid_x);
                    } else if self.offset.val() == self.at_grid_y.val() {
                        self.answer.next = bit_cast::<32, 16>(self.grid.q.val().grid_y);
                    } else if self.offset.val() == self.at_block_x.val() {
                        self.answer.next = bit_cast::<32, 11>(self.grid.q.val().block_x);
                    } else if self.offset.val() == self.at_block_y.val() {
                        self.answer.next = bit_cast::<32, 11>(self.grid.q.val().block_y);
                    } else if self.offset.val() == self.at_block_z.val() {
                        self.answer.next = bit_cast::<32, 7>(self.grid.q.val().block_z);
                    } else if self.offset.val() == self.at_block_threads.val() {
                        self.answer.next = bit_cast::<32, 11>(self.grid.q.val().block_threads);
                    } else if self.offset.val() == self.at_blocks_per_sm.val() {
                        self.answer.next = bit_cast::<32, 4>(self.grid.q.val().blocks_per_sm);
                    } else if self.offset.val() == self.at_global_end.val() {
                        self.answer.next = self.launch.q.val().global_end;
                    } else if self.offset.val() == self.at_coalescing.val() {
                        self.answer.next = self.zero.val();
                        if self.launch.q.val().strict_coalescing {
                            self.answer.next = self.most_flag.val();
                        }
                    } else if self.offset.val() == self.at_local_base.val() {
                        self.answer.next = self.launch.q.val().local_base;
                    } else if self.offset.val() == self.at_local_shift.val() {
                        self.answer.next = bit_cast::<32, 5>(self.launch.q.val().local_shift);
                    } else if self.offset.val() == self.at_local_bytes.val() {
                        self.answer.next = bit_cast::<32, 17>(self.launch.q.val().local_bytes);
                    } else if self.offset.val() == self.at_unaligned_code.val() {
                        self.answer.next = self.zero.val();
                        if self.launch.q.val().unaligned_code {
                            self.answer.next = self.most_flag.val();
                        }
                    } else if self.is_cycles.val() {
                        // It lies at an odd place among the words of its page; its high word is one further.
                        self.answer.next = self.counter_word.val();
                    } else if self.offset.val() == self.at_error_code.val() {
                        self.answer.next = bit_cast::<32, 4>(self.fault.q.val().code);
                    } else if self.offset.val() == self.at_error_pc.val() {
                        self.answer.next = bit_cast::<32, 24>(self.fault.q.val().pc);
                    } else if self.offset.val() == self.at_error_sm.val() {
                        self.answer.next = bit_cast::<32, 3>(self.fault_sm.q.val());
                    } else if self.offset.val() == self.at_error_warp.val() {
                        self.answer.next = self.fault_place.val();
                    } else if self.offset.val() == self.at_error_block.val() {
                        self.answer.next = self.fault_block.q.val();
                    } else if self.offset.val() == self.at_error_address.val() {
                        self.answer.next = self.fault.q.val().address;
                    } else {
                        self.known.next = false;
                    }

                    self.accept.next = self.known.val();
                }
            } else if self.page.val() == 0 {
                if self.offset.val() == self.at_control.val() {
                    self.control.next = true;
                } else if self.offset.val() == self.at_entry.val() {
                    self.most.next = self.most_entry.val();
                    self.launch.d.next.entry = self.data_24.val();
                } else if self.offset.val() == self.at_code_end.val() {
                    self.most.next = self.most_entry.val();
                    self.launch.d.next.code_end = self.data_24.val();
                } else if self.offset.val() == self.at_register_count.val() {
                    self.most.next = self.most_registers.val();
                    self.launch.d.next.registers = self.data_8.val();
                } else if self.offset.val() == self.at_shared_rows.val() {
                    self.most.next = self.most_shared_rows.val();
                    self.launch.d.next.shared_rows = self.data_9.val();
                } else if self.offset.val() == self.at_parameter_count.val() {
                    self.most.next = self.most_parameters.val();
                    self.grid.d.next.parameter_count = self.data_7.val();
                } else if self.offset.val() == self.at_grid_x.val() {
                    self.most.next = self.most_grid.val();
                    self.grid.d.next.grid_x = self.data_16.val();
                } else if self.offset.val() == self.at_grid_y.val() {
                    self.most.next = self.most_grid.val();
                    self.grid.d.next.grid_y = self.data_16.val();
                } else if self.offset.val() == self.at_block_x.val() {
                    self.most.next = self.most_threads.val();
                    self.grid.d.next.block_x = self.data_11.val();
                } else if self.offset.val() == self.at_block_y.val() {
                    self.most.next = self.most_threads.val();
                    self.grid.d.next.block_y = self.data_11.val();
                } else if self.offset.val() == self.at_block_z.val() {
                    self.most.next = self.most_block_z.val();
                    self.grid.d.next.block_z = self.data_7.val();
                } else if self.offset.val() == self.at_block_threads.val() {
                    self.most.next = self.most_threads.val();
                    self.grid.d.next.block_threads = self.data_11.val();
                } else if self.offset.val() == self.at_blocks_per_sm.val() {
                    self.most.next = self.most_blocks.val();
                    self.grid.d.next.blocks_per_sm = self.data_4.val();
                } else if self.offset.val() == self.at_global_end.val() {
                    self.most.next = self.most_word.val();
                    self.launch.d.next.global_end = self.host_write_data.val();
                } else if self.offset.val() == self.at_coalescing.val() {
                    self.most.next = self.most_flag.val();
                    self.launch.d.next.strict_coalescing = self.host_write_data.val().get_bit(0);
                } else if self.offset.val() == self.at_local_base.val() {
                    self.most.next = self.most_word.val();
                    self.launch.d.next.local_base = self.host_write_data.val();
                } else if self.offset.val() == self.at_local_shift.val() {
                    self.most.next = self.most_local_shift.val();
                    self.launch.d.next.local_shift = self.host_write_data.val().get_bits::<5>(0);
                } else if self.offset.val() == self.at_local_bytes.val() {
                    self.most.next = self.most_local_bytes.val();
                    self.launch.d.next.local_bytes = self.host_write_data.val().get_bits::<17>(0);
                } else if self.offset.val() == self.at_unaligned_code.val() {
                    self.most.next = self.most_flag.val();
                    self.launch.d.next.unaligned_code = self.host_write_data.val().get_bit(0);
                } else {
                    self.known.next = false;
                }

                if self.control.val() {
                    if self.grid.q.val().grid_x == 0 {
                        self.complete.next = false;
                    }
                    if self.grid.q.val().grid_y == 0 {
                        self.complete.next = false;
                    }
                    if self.grid.q.val().block_x == 0 {
                        self.complete.next = false;
                    }
                    if self.grid.q.val().block_y == 0 {
                        self.complete.next = false;
                    }
                    if self.grid.q.val().block_z == 0 {
                        self.complete.next = false;
                    }
                    if self.grid.q.val().block_threads == 0 {
                        self.complete.next = false;
                    }
                    if self.grid.q.val().blocks_per_sm == 0 {
                        self.complete.next = false;
                    }
                    if self.launch.q.val().registers == 0 {
                        self.complete.next = false;
                    }
                    if self.launch.q.val().shared_rows == 0 {
                        self.complete.next = false;
                    }

                    if (self.host_write_data.val() == self.control_start.val())
                        && self.complete.val()
                        && !self.busy.val()
                    {
                        self.accept.next = true;
                        self.start.d.next = true;
                        self.running.d.next = true;
                        self.done.d.next = false;
                        self.bus_error.d.next = false;
                        self.fault.d.next = self.no_fault.val();
                        self.fault_index.d.next = 0.into();
                        self.fault_sm.d.next = 0.into();
                        self.fault_block.d.next = 0.into();
                    } else if self.host_write_data.val() == self.control_abort.val() {
                        self.accept.next = true;
                        self.abort.d.next = self.busy.val();
                    }
                } else {
                    self.accept.next =
                        self.known.val() && !self.busy.val() && (self.host_write_data.val() <= self.most.val());
                    if !self.accept.val() {
                        self.launch.d.next = self.launch.q.val();
                        self.grid.d.next = self.grid.q.val();
                    }
                }
            } else if !self.busy.val() {
                if self.page.val() == self.parameter_page.val() {
                    self.parameters.write_enable.next = 1.into();
                    self.host_parameters.write_enable.next = 1.into();
                    self.accept.next = true;
                } else if self.in_instruction.val() || self.in_constant.val() {
                    self.load.d.next = true;
                    self.load_is_constant.d.next = self.in_constant.val();
                    self.accept.next = true;
                }
            }
            if self.accept.val() {
                self.acknowledge.d.next = true;
                self.refuse.d.next = false;
                self.read_data.d.next = self.answer.val();
            }
        }

        // Global memory.
        self.read_done.next = false;
        self.host_memory_request_valid.next = false;
        match self.memory_state.q.val() {
            HostMemoryState::Request => {
                self.host_memory_request_valid.next = true;
                if !self.selected.val() {
                    self.abandoned.d.next = true;
                }
                if self.host_memory_request_ready.val() {
                    if self.access_write.q.val() {
                        self.memory_state.d.next = HostMemoryState::Idle;
                        self.acknowledge.d.next = self.selected.val() && !self.abandoned.q.val();
                    } else {
                        self.memory_state.d.next = HostMemoryState::Response;
                    }
                }
            }
            HostMemoryState::Response => {
                if !self.selected.val() {
                    self.abandoned.d.next = true;
                }
                if self.host_memory_response_valid.val() {
                    self.memory_state.d.next = HostMemoryState::Idle;
                    self.read_data.d.next = self.host_memory_response_data.val();
                    self.read_done.next = self.selected.val() && !self.abandoned.q.val();
                }
            }
            _ => {}
        }
        if self.read_done.val() {
            self.acknowledge.d.next = !self.memory_error.val();
            self.refuse.d.next = self.memory_error.val();
        }
        // After the start, which clears it: the access that fails may have been one for the grid.
        if self.memory_error.val() {
            self.bus_error.d.next = true;
        }
        self.memory_address.next = self.access_address.q.val().get_bits::<31>(0);
        self.host_memory_request_address.next = bit_cast::<32, 31>(self.memory_address.val());
        self.host_memory_request_data.next = self.access_data.q.val();
        self.host_memory_request_write.next = self.access_write.q.val();

        self.host_read_data.next = self.read_data.q.val();
        if self.answers_parameter.q.val() {
            self.host_read_data.next = self.host_parameters.read_data.val();
        }
        self.host_acknowledge.next = self.acknowledge.q.val();
        self.host_error.next = self.refuse.q.val();
        self.interrupt.next = self.done.q.val();
        self.launch_start.next = self.start.q.val();
        self.launch_abort.next = self.abort.q.val() || self.restarts.val() || self.stopped_by_memory.val();
        self.launch_configuration.next = self.launch.q.val();
        self.grid_configuration.next = self.grid.q.val();
        self.load_valid.next = self.load.q.val();
        self.load_constant.next = self.load_is_constant.q.val();
        self.load_address.next = self.access_address.q.val().get_bits::<18>(0);
        self.load_data.next = self.access_data.q.val();

        if self.restarts.val() {
            self.launch.d.next = self.no_launch.val();
            self.grid.d.next = self.no_grid.val();
            self.acknowledge.d.next = false;
            self.refuse.d.next = false;
            self.read_data.d.next = 0.into();
            self.answers_parameter.d.next = false;
            self.start.d.next = false;
            self.abort.d.next = false;
            self.load.d.next = false;
            self.bus_error.d.next = false;
            self.running.d.next = false;
            self.done.d.next = false;
            self.fault.d.next = self.no_fault.val();
            self.fault_index.d.next = 0.into();
            self.fault_sm.d.next = 0.into();
            self.fault_block.d.next = 0.into();
        }
    }
}
