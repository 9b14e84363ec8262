//! The streaming multiprocessor: the pipeline, its files and memories.
//!
//! ```text
//!             ┌────────── resolved: restart, wait over, ended ───────────────┐
//!             v                                                              │
//!  fetch ─> warp scheduler ─> read ─> execute (lanes) ─> writeback     branch unit, stacks
//!  f0 f1 f2 s0 s1 .. s4       r0 r1    x1 x2 x3 .. x7    w                   ^
//!   ^        ^ scoreboard      │ │       │                │ ^                │
//!   │        └──── release ────┼─┼───────┼────────────────┘ │ loads          │
//!  instruction    registers, predicates, └─> global memory unit (m_, l_) ──> memory port
//!  memory         shared, constant                │
//!                                                 └─ control instructions ───┘
//! ```
//! With 8 lanes a warp instruction takes four beats; the next one, of any warp, follows on the fifth cycle. An
//! instruction that needs the result of its predecessor issues eight cycles after it, or twelve if a float unit is
//! involved (`execute/mod.rs`).
//!
//! Special functions leave the pipeline at x1 and return to writeback as loads do.
//!
//! BAR leaves the pipeline at issue, for the barrier unit (`control/barrier.rs`), which tells the scheduler which warps to
//! release.
//!
//! Operands at per-thread addresses in shared or constant memory pass through the operand collector
//! (`operand_collector/`) to the read stage.
//!
//! An error stops issue; instructions in flight complete, and `sm_idle` signals the end. Only then is it known which
//! error counts: an older global memory access may still fail. A barrier deadlock also stops issue, and counts only if
//! nothing in flight fails.

mod trace;

use crate::bundles::*;
use crate::chip::counters::{Counted, IssueCause};
use crate::control::barrier::BarrierUnit;
use crate::control::branch::{BranchUnit, StackEvent};
use crate::control::divergence_stack::{StackEntry, StackKind};
use crate::execute::special_function_queue::SpecialFunctionQueue;
use crate::execute::writeback::Writeback;
use crate::execute::Execute;
use crate::issue::fetch::Fetch;
use crate::issue::warp_scheduler::WarpScheduler;
use crate::memory::constant::ConstantMemory;
use crate::memory::global::GlobalMemoryUnit;
use crate::memory::instruction::InstructionMemory;
use crate::memory::shared::SharedMemory;
use crate::memory::MemorySizes;
use crate::operands::operand_collector::OperandCollector;
use crate::operands::predicate_file::PredicateFile;
use crate::operands::read::Read;
use crate::operands::register_file::RegisterFile;
use crate::ports::MemoryMasterPort;
use crate::trace::Trace;
use hdlkit::prelude::*;

/// The block that a warp belongs to.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpIdentity {
    pub block: Bits<32>,
    pub index: Bits<5>,
}

/// A streaming multiprocessor with LANES scalar processors (8, 16 or 32).
#[derive(LogicBlock, Cycle, Blank)]
pub struct StreamingMultiprocessor<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid.
    pub sm_clear: Signal<In, Bit>,
    pub sm_abort: Signal<In, Bit>,
    /// Valid from the cycle before `sm_clear` until the grid ends.
    pub configuration: Signal<In, LaunchConfiguration>,
    /// Number of this SM.
    pub multiprocessor: Signal<In, Bits<8>>,
    /// An instruction that reads a special register issues; from the next cycle, `clock_value` is the cycle of that
    /// issue.
    pub clock_sample: Signal<Out, Bit>,
    pub clock_value: Signal<In, Bits<32>>,
    // Contents of instruction and constant memory, from the host.
    pub load_valid: Signal<In, Bit>,
    pub load_constant: Signal<In, Bit>,
    pub load_address: Signal<In, Bits<18>>,
    pub load_data: Signal<In, Bits<32>>,
    // Blocks, from the block scheduler.
    pub launch_valid: Signal<In, Bit>,
    pub launch_ready: Signal<Out, Bit>,
    pub launch: Signal<In, WarpLaunch>,
    pub init_valid: Signal<In, Bit>,
    pub init_ready: Signal<Out, Bit>,
    pub init_row: Signal<In, Bits<9>>,
    pub init_beat: Signal<In, Bits<2>>,
    pub init_data: [Signal<In, Bits<32>>; LANES],
    pub shared_init_valid: Signal<In, Bit>,
    pub shared_init_clear: Signal<In, Bit>,
    pub shared_init_address: Signal<In, Bits<14>>,
    pub shared_init_data: Signal<In, Bits<32>>,
    pub warp_ended: Signal<Out, Bit>,
    pub warp_ended_index: Signal<Out, Bits<5>>,
    // State.
    pub sm_idle: Signal<Out, Bit>,
    pub sm_error: Signal<Out, Bit>,
    pub error: Signal<Out, KernelError>,
    pub error_block: Signal<Out, Bits<32>>,
    pub error_warp_index: Signal<Out, Bits<5>>,
    /// For the counters: where the last cycle went, and what happens in this one.
    pub count_cause: Signal<Out, IssueCause>,
    pub counted: Signal<Out, Counted>,
    /// Global memory.
    pub memory: MemoryMasterPort<LANES>,
    /// For simulation: left open, it costs nothing.
    pub trace: Trace<LANES>,

    fetch: Fetch,
    instruction_memory: InstructionMemory,
    scheduler: WarpScheduler,
    read: Read<LANES>,
    register_file: RegisterFile<LANES>,
    predicate_file: PredicateFile,
    shared_memory: SharedMemory,
    constant_memory: ConstantMemory,
    collector: OperandCollector<LANES>,
    execute: Execute<LANES>,
    special_functions: SpecialFunctionQueue<LANES>,
    branch: BranchUnit,
    barriers: BarrierUnit,
    memory_unit: GlobalMemoryUnit<LANES>,
    writeback: Writeback<LANES>,
    identity: LutRam<5, WarpIdentity>,
    stopped_by: DFF<KernelError>,
    aborted: DFF<Bit>,
    // Registered copies of signals that have many readers or are far from them: one cycle late.
    held: DFF<Bit>,
    special_dequeued: DFF<Bit>,
    idle: DFF<Bit>,
    /// The error that counts.
    final_error: DFF<KernelError>,
    /// A load or special function with an exit marker is in flight: its warp has ended, but its registers are not free
    /// yet.
    late_result: DFF<Bit>,
    /// Cycles for which another result of an instruction with an exit marker may still be in flight.
    late_cycles: DFF<Bits<4>>,
    /// Either of the two, one cycle late, because its readers have no time to spare.
    results_late: DFF<Bit>,
    /// A store to shared memory that may end its warp is in flight. If it does, the warp counts as ended only once the
    /// store is done, because the block's shared memory may be cleared then.
    late_store: DFF<Bit>,
    late_store_warp: DFF<Bits<5>>,
    late_store_ended: DFF<Bit>,

    issued: Signal<Local, Issued>,
    instruction: Signal<Local, Decoded>,
    issued_a: Signal<Local, Operand>,
    resolved: Signal<Local, Resolved>,
    launched: Signal<Local, WarpLaunch>,
    launching: Signal<Local, Bit>,
    stop: Signal<Local, Bit>,
    written: Signal<Local, WriteControl>,
    memory_error: Signal<Local, KernelError>,
    branch_error: Signal<Local, KernelError>,
    barrier_error: Signal<Local, KernelError>,
    read_error: Signal<Local, KernelError>,
    issue_error: Signal<Local, KernelError>,
    stop_error: Signal<Local, KernelError>,
    collector_error: Signal<Local, KernelError>,
    known_error: Signal<Local, KernelError>,
    /// How far the faulting global memory instruction issued after the collector's; negative if before.
    memory_behind: Signal<Local, Bits<16>>,
    injected: Signal<Local, Issued>,
    injects: Signal<Local, Bit>,
    to_read: Signal<Local, Issued>,
    predicate_place: Signal<Local, Bits<7>>,
    reading: Signal<Local, Decoded>,
    to_collector: Signal<Local, Issued>,
    no_issued: Constant<Issued>,
    no_write: Constant<WriteControl>,
    indexing: Signal<Local, Indexing>,
    late_ends: Signal<Local, Bit>,
    now_error: Signal<Local, KernelError>,
    who: Signal<Local, WarpIdentity>,
    stack_event: Signal<Local, StackEvent>,
    event_entry: Signal<Local, StackEntry>,
    request: Signal<Local, MemoryControl>,
    /// A local copy of the configuration, which does not change while a grid runs: the host's registers are far away.
    configured: DFF<LaunchConfiguration>,
    limits: Signal<Local, LaunchConfiguration>,
    restart: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    quiet: Signal<Local, Bit>,
    arrives: Signal<Local, Bit>,
    barrier_control: Signal<Local, BarrierControl>,
    no_barrier: Constant<BarrierControl>,
    no_error: Constant<KernelError>,
    _activity: Activity,
}

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// A streaming multiprocessor at rest.
    ///
    /// # Panics
    /// If memories of these sizes do not exist.
    pub fn new(sizes: MemorySizes) -> Self {
        StreamingMultiprocessor {
            fetch: Fetch::default(),
            instruction_memory: InstructionMemory::new(sizes.instructions),
            constant_memory: ConstantMemory::new(sizes.constants),
            scheduler: WarpScheduler::new(crate::memory::global::queue_instructions(LANES)),
            read: Read::new(),
            collector: OperandCollector::new(),
            register_file: RegisterFile::new(sizes.registers),
            predicate_file: PredicateFile::new(),
            shared_memory: SharedMemory::new(),
            branch: BranchUnit::default(),
            barriers: BarrierUnit::new(),
            special_functions: SpecialFunctionQueue::new(),
            writeback: Writeback::new(),
            memory_unit: GlobalMemoryUnit::new(),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for StreamingMultiprocessor<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            stopped_by,
            final_error,
            aborted,
            held,
            special_dequeued,
            idle,
            late_result,
            late_cycles,
            results_late,
            late_store,
            late_store_warp,
            late_store_ended,
            configured
        );
        clock!(
            self,
            clock,
            fetch,
            instruction_memory,
            scheduler,
            read,
            register_file,
            predicate_file,
            shared_memory,
            constant_memory,
            collector,
            execute,
            special_functions,
            branch,
            barriers,
            memory_unit,
            identity
        );
        self.configured.d.next = self.configuration.val();
        self.limits.next = self.configured.q.val();
        self.issued.next = self.scheduler.s_issued.val();
        self.instruction.next = self.issued.val().decoded;
        self.resolved.next = self.branch.b_resolved.val();
        self.launched.next = self.launch.val();

        self.quiesce();
        self.stop_on_errors();
        self.launch_and_end_warps();
        self.wire_fetch();
        self.wire_scheduler();
        self.sample_clock();
        self.wire_read();
        self.wire_collector();
        self.wire_branch();
        self.wire_barriers();
        self.wire_execute_and_memory();
        self.wire_writeback();
        self.wire_lanes();
        self.report_idle();
        self.report_to_counters();
        self.trace();
    }
}

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// Whether the pipeline is empty: nothing is in flight after issue.
    #[hdl_part]
    fn quiesce(&mut self) {
        self.quiet.next = self.read.r_idle.val()
            && self.collector.c_idle.val()
            && self.execute.x_idle.val()
            && self.special_functions.sf_idle.val()
            && self.memory_unit.m_idle.val()
            && !self.branch.b_busy.val()
            && !self.resolved.val().valid;
    }

    /// Errors. If a warp has several, the one of its oldest instruction counts. Global memory and the collector find
    /// theirs late, so whatever else stopped the warp is younger; of these two, the one whose instruction issued first
    /// counts. The tags give the order: they are sequential, and fewer than half of them are in flight.
    #[hdl_part]
    fn stop_on_errors(&mut self) {
        self.memory_error.next = self.memory_unit.m_error.val();
        self.branch_error.next = self.branch.b_error.val();
        self.collector_error.next = self.collector.c_error.val();
        self.read_error.next = self.read.r_error.val();
        self.issue_error.next = self.scheduler.s_error.val();
        self.stop_error.next = self.stopped_by.q.val();
        self.barrier_error.next = self.barriers.bar_error.val();
        self.now_error.next = self.issue_error.val();
        if self.quiet.val() && self.barrier_error.val().code.any() {
            self.now_error.next = self.barrier_error.val();
        }
        if self.read_error.val().code.any() {
            self.now_error.next = self.read_error.val();
        }
        if self.collector_error.val().code.any() {
            self.now_error.next = self.collector_error.val();
        }
        if self.branch_error.val().code.any() {
            self.now_error.next = self.branch_error.val();
        }
        if !self.stop_error.val().code.any() {
            self.stopped_by.d.next = self.now_error.val();
        }
        self.known_error.next = self.final_error.q.val();
        self.memory_behind.next = self.memory_unit.m_error_tag.val() - self.collector.c_error_tag.val();
        if self.quiet.val() && !self.known_error.val().code.any() {
            self.final_error.d.next = self.stop_error.val();
            if self.collector_error.val().code.any() {
                self.final_error.d.next = self.collector_error.val();
            }
            if self.memory_error.val().code.any()
                && (!self.collector_error.val().code.any() || self.memory_behind.val().get_bit(15))
            {
                self.final_error.d.next = self.memory_error.val();
            }
        }
        if self.sm_abort.val() {
            self.aborted.d.next = true;
        }
        self.stop.next = self.stop_error.val().code.any()
            || self.memory_error.val().code.any()
            || self.aborted.q.val()
            || self.barriers.bar_deadlock.val();
        self.error.next = self.known_error.val();
        self.sm_error.next = self.known_error.val().code.any();
        self.identity.read_address.next = self.known_error.val().warp;
        self.who.next = self.identity.read_data.val();
        self.error_block.next = self.who.val().block;
        self.error_warp_index.next = self.who.val().index;
    }

    /// A warp begins when the branch unit and the PCs' write port are free, and no late result of the slot's previous
    /// warp is still to be written. A warp that ends with a store from the collector ends when that store is done.
    #[hdl_part]
    fn launch_and_end_warps(&mut self) {
        self.results_late.d.next = self.late_result.q.val() || self.late_cycles.q.val().any();
        self.launch_ready.next =
            !self.branch.b_busy.val() && !self.resolved.val().valid && !self.results_late.q.val() && !self.stop.val();
        self.launching.next = self.launch_valid.val() && self.launch_ready.val();
        self.identity.write_enable.next = self.launching.val();
        self.identity.write_address.next = self.launched.val().warp;
        self.identity.write_data.next.block = self.launched.val().block;
        self.identity.write_data.next.index = self.launched.val().index;
        self.ends.next = self.resolved.val().valid && self.resolved.val().ended;
        self.indexing.next = self.instruction.val().indexing;
        if self.issued.val().valid && self.indexing.val().scatters && self.instruction.val().exit_marker {
            self.late_store.d.next = true;
            self.late_store_warp.d.next = self.issued.val().warp;
        }
        self.late_ends.next = self.resolved.val().valid
            && self.late_store.q.val()
            && (self.resolved.val().warp == self.late_store_warp.q.val());
        if self.late_ends.val() {
            if self.ends.val() {
                self.late_store_ended.d.next = true;
            } else {
                self.late_store.d.next = false;
            }
        }
        self.warp_ended.next = self.ends.val() && !self.late_ends.val();
        self.warp_ended_index.next = self.resolved.val().warp;
        if self.late_store_ended.q.val() && !self.ends.val() && !self.collector.c_storing.val() {
            self.warp_ended.next = true;
            self.warp_ended_index.next = self.late_store_warp.q.val();
            self.late_store_ended.d.next = false;
            self.late_store.d.next = false;
        }
    }

    /// Fetch and instruction memory.
    #[hdl_part]
    fn wire_fetch(&mut self) {
        self.restart.next = self.resolved.val().valid && (self.resolved.val().redirected || self.resolved.val().ended);
        self.fetch.f_clear.next = self.sm_clear.val();
        self.fetch.f_restart.next = self.restart.val() || self.launching.val();
        self.fetch.f_restart_warp.next = self.resolved.val().warp;
        self.fetch.f_restart_stop.next = self.resolved.val().ended;
        self.fetch.f_restart_pc.next = self.resolved.val().pc;
        if self.launching.val() {
            self.fetch.f_restart_warp.next = self.launched.val().warp;
            self.fetch.f_restart_stop.next = false;
            self.fetch.f_restart_pc.next = self.limits.val().entry;
        }
        self.fetch.instruction_data.next = self.instruction_memory.instruction_data.val();
        self.fetch.f_read_warp.next = self.scheduler.f_read_warp.val();
        self.fetch.f_read_odd.next = self.scheduler.f_read_odd.val();
        self.fetch.f_pop.next = self.scheduler.f_pop.val();
        self.fetch.f_pop_warp.next = self.scheduler.f_pop_warp.val();
        self.instruction_memory.instruction_enable.next = self.fetch.instruction_enable.val();
        self.instruction_memory.instruction_address.next = self.fetch.instruction_address.val();
        self.instruction_memory.load_enable.next = self.load_valid.val() && !self.load_constant.val();
        self.instruction_memory.load_address.next = self.load_address.val();
        self.instruction_memory.load_data.next = self.load_data.val();
    }

    /// The warp scheduler: limits, words from fetch, back-pressure from the stages after it, and releases from
    /// writeback.
    #[hdl_part]
    fn wire_scheduler(&mut self) {
        self.scheduler.s_clear.next = self.sm_clear.val();
        self.scheduler.registers.next = self.limits.val().registers;
        self.scheduler.code_end.next = self.limits.val().code_end;
        self.scheduler.entry.next = self.limits.val().entry;
        self.scheduler.unaligned_code.next = self.limits.val().unaligned_code;
        self.scheduler.s_stop.next = self.stop.val();
        self.scheduler.s_launch.next = self.launching.val();
        self.scheduler.s_launch_warp.next = self.launched.val().warp;
        self.scheduler.f_available.next = self.fetch.f_available.val();
        self.scheduler.f_read_lower.next = self.fetch.f_read_lower.val();
        self.scheduler.f_read_upper.next = self.fetch.f_read_upper.val();
        self.scheduler.f_read_both.next = self.fetch.f_read_both.val();
        self.scheduler.s_slot.next = self.read.r_slot.val();
        self.held.d.next = self.writeback.w_hold.val();
        self.scheduler.s_hold.next = self.held.q.val();
        self.scheduler.c_slot.next = self.collector.c_slot.val();
        self.scheduler.c_room.next = self.collector.c_room.val();
        self.scheduler.c_storing.next = self.collector.c_storing.val();
        self.scheduler.c_incrementing.next = self.collector.c_incrementing.val();
        self.scheduler.c_held.next = self.collector.c_held.val();
        self.scheduler.s_late_store.next = self.late_store.q.val();
        self.injected.next = self.collector.c_inject.val();
        self.injects.next = self.injected.val().valid && self.read.r_slot.val() && !self.held.q.val();
        self.scheduler.c_injects.next = self.injected.val().valid;
        self.scheduler.c_injected.next = self.injects.val();
        self.scheduler.s_memory_dequeued.next = self.memory_unit.m_dequeued.val();
        self.special_dequeued.d.next = self.special_functions.sf_dequeued.val();
        self.scheduler.s_special_dequeued.next = self.special_dequeued.q.val();
        self.scheduler.s_control_done.next = self.resolved.val().valid;
        self.scheduler.s_resolved.next = self.resolved.val();
        self.scheduler.s_release.next = self.writeback.w_release.val();
        self.written.next = self.writeback.w_written.val();
        self.scheduler.s_address_done.next = self.writeback.w_address_done.val();
    }

    /// The clock as programs read it: sampled at issue.
    #[hdl_part]
    fn sample_clock(&mut self) {
        self.issued_a.next = self.instruction.val().a;
        self.clock_sample.next = self.issued.val().valid && (self.issued_a.val().source == Source::Special);
        self.read.r_clock.next = self.clock_value.val();
        self.read.r_multiprocessor.next = self.multiprocessor.val();
    }

    /// The read stage with the register, condition-code, shared and constant memories. It also tracks how long late
    /// results of ending warps may take.
    #[hdl_part]
    fn wire_read(&mut self) {
        self.read.shared_rows.next = self.limits.val().shared_rows;
        self.read.r_launch.next = self.launching.val();
        self.read.r_launch_warp.next = self.launched.val();
        self.to_read.next = self.issued.val();
        self.to_read.next.valid = self.scheduler.s_reads.val();
        if self.injects.val() {
            self.to_read.next = self.injected.val();
        }
        self.read.r_issued.next = self.to_read.val();
        if self.late_cycles.q.val().any() {
            self.late_cycles.d.next = self.late_cycles.q.val() - 1;
        }
        if self.memory_unit.m_idle.val() && self.special_functions.sf_idle.val() && self.read.r_idle.val() {
            self.late_result.d.next = false;
        }
        self.reading.next = self.to_read.val().decoded;
        if self.to_read.val().valid && self.reading.val().exit_marker {
            match self.reading.val().unit {
                Unit::Memory => {
                    if !self.reading.val().store {
                        self.late_result.d.next = true;
                    }
                }
                Unit::SpecialFunction => self.late_result.d.next = true,
                // Up to the fourth beat at the end of the longest path, less the cycle of `results_late`.
                _ => {
                    if self.reading.val().register_enable || self.reading.val().condition_enable {
                        self.late_cycles.d.next = 13.into();
                    }
                }
            }
        }
        self.read.r_active.next = self.branch.r_active.val();
        // The condition codes that an instruction needs are read as it leaves the scheduler or returns from the
        // collector. For an instruction that does both, the value is the same.
        self.predicate_file.read_enable.next =
            (self.issued.val().valid || self.injects.val()) && self.reading.val().condition_used;
        self.predicate_place.next = bit_cast::<7, 5>(self.to_read.val().warp) << 2;
        self.predicate_file.read_address.next =
            self.predicate_place.val() | bit_cast::<7, 2>(self.reading.val().condition_source);
        self.read.r_zero.next = self.predicate_file.read_zero.val();
        self.read.r_sign.next = self.predicate_file.read_sign.val();
        self.read.r_carry.next = self.predicate_file.read_carry.val();
        self.read.r_overflow.next = self.predicate_file.read_overflow.val();
        self.register_file.read_enable.next = self.read.r_enable.val();
        self.register_file.read_beat.next = self.read.r_beat.val();
        self.register_file.read_row_1.next = self.read.r_row_1.val();
        self.register_file.read_row_2.next = self.read.r_row_2.val();
        self.register_file.read_row_3.next = self.read.r_row_3.val();
        self.read.c_first.next = self.collector.c_first.val();
        self.read.c_query.next = self.collector.c_query.val();
        self.shared_memory.read_enable.next = self.read.r_shared_enable.val();
        self.shared_memory.read_address.next = self.read.r_shared_address.val();
        self.read.r_shared_word.next = self.shared_memory.read_word.val();
        self.shared_memory.init_enable.next = self.shared_init_valid.val();
        self.shared_memory.init_clear.next = self.shared_init_clear.val();
        self.shared_memory.init_address.next = self.shared_init_address.val();
        self.shared_memory.init_data.next = self.shared_init_data.val();
        self.constant_memory.read_enable.next = self.read.r_constant_enable.val();
        self.constant_memory.read_address.next = self.read.r_constant_address.val();
        self.read.r_constant_word.next = self.constant_memory.read_word.val();
        self.constant_memory.load_enable.next = self.load_valid.val() && self.load_constant.val();
        self.constant_memory.load_address.next = self.load_address.val();
        self.constant_memory.load_data.next = self.load_data.val();
    }

    /// The operand collector. Its inputs change only for its own instructions. Words shared by all threads are read
    /// before its per-thread words.
    #[hdl_part]
    fn wire_collector(&mut self) {
        self.to_collector.next = self.no_issued.val();
        if self.scheduler.s_collects.val() {
            self.to_collector.next = self.issued.val();
        }
        self.collector.c_clear.next = self.sm_clear.val();
        self.collector.shared_rows.next = self.limits.val().shared_rows;
        self.collector.c_launch.next = self.launching.val();
        self.collector.c_launch_warp.next = self.launched.val();
        self.collector.c_take.next = self.scheduler.s_collects.val();
        self.collector.c_takes_place.next = self.scheduler.s_places.val();
        self.collector.c_holds.next = self.scheduler.s_gathers.val();
        self.collector.c_issued.next = self.to_collector.val();
        self.collector.c_executed.next = self.read.c_executed.val();
        self.collector.c_inject_ready.next = self.injects.val();
        self.collector.c_read_buffer.next = self.read.c_read_buffer.val();
        self.collector.c_read_beat.next = self.read.c_read_beat.val();
        self.collector.w_address_lanes.next = self.writeback.w_address_lanes.val();
        self.collector.w_address_warp.next = self.writeback.w_address_warp.val();
        self.collector.w_address_register.next = self.writeback.w_address_register.val();
        self.collector.w_address_beat.next = self.writeback.w_address_beat.val();
        self.collector.shared_busy.next = self.read.r_shared_enable.val() && !self.collector.c_idle.val();
        self.collector.shared_init_busy.next = self.shared_init_valid.val();
        self.collector.constant_busy.next = self.read.r_constant_enable.val() && !self.collector.c_idle.val();
        self.collector.constant_word.next = 0.into();
        if !self.collector.c_idle.val() {
            self.collector.constant_word.next = self.constant_memory.read_word.val();
        }
        self.shared_memory.access_banks.next = self.collector.access_banks.val();
        self.shared_memory.access_store.next = self.collector.access_store.val();
        if self.collector.constant_enable.val() {
            self.constant_memory.read_enable.next = true;
            self.constant_memory.read_address.next = self.collector.constant_address.val();
        }
        for i in 0..16 {
            self.shared_memory.access_row[i].next = self.collector.access_row[i].val();
            self.shared_memory.access_bytes[i].next = self.collector.access_bytes[i].val();
            self.shared_memory.access_word[i].next = self.collector.access_word[i].val();
            self.collector.bank_word[i].next = self.shared_memory.bank_word[i].val();
        }
    }

    /// The branch unit.
    #[hdl_part]
    fn wire_branch(&mut self) {
        self.branch.b_launch.next = self.launching.val();
        self.branch.b_launch_warp.next = self.launched.val();
        self.branch.r_warp.next = self.read.r_warp.val();
        self.branch.b_request.next = self.read.r_control.val();
    }

    /// The barrier unit. Its inputs change only for a BAR.
    #[hdl_part]
    fn wire_barriers(&mut self) {
        self.arrives.next = self.issued.val().valid && (self.instruction.val().control == ControlOperation::Barrier);
        self.barrier_control.next = self.no_barrier.val();
        self.barriers.bar_warp.next = 0.into();
        self.barriers.bar_pc.next = 0.into();
        if self.arrives.val() {
            self.barrier_control.next = self.instruction.val().barrier;
            self.barriers.bar_warp.next = self.issued.val().warp;
            self.barriers.bar_pc.next = self.issued.val().pc;
        }
        self.barriers.bar_clear.next = self.sm_clear.val();
        self.barriers.bar_launch.next = self.launching.val();
        self.barriers.bar_launch_warp.next = self.launched.val();
        self.barriers.bar_issue.next = self.arrives.val();
        self.barriers.bar_control.next = self.barrier_control.val();
        self.barriers.bar_ended.next = self.ends.val();
        self.barriers.bar_ended_warp.next = self.resolved.val().warp;
        self.scheduler.s_barrier_release.next = self.barriers.bar_release.val();
        self.scheduler.s_barrier_busy.next = self.barriers.bar_busy.val();
    }

    /// Execute and the memory unit.
    #[hdl_part]
    fn wire_execute_and_memory(&mut self) {
        self.execute.x_write.next = self.read.x_write.val();
        self.execute.x_integer.next = self.read.x_integer.val();
        self.execute.x_is_float.next = self.read.x_is_float.val();
        self.execute.x_float.next = self.read.x_float.val();
        self.execute.x_quad.next = self.read.x_quad.val();
        self.execute.x_lanes.next = self.read.x_lanes.val();
        self.execute.x_carries.next = self.read.x_carries.val();
        // The queue's inputs change only for its own beats.
        self.special_functions.x_enqueue.next = self.read.x_is_special.val();
        self.special_functions.x_special.next = self.read.x_special.val();
        self.special_functions.x_write.next = self.no_write.val();
        self.special_functions.x_lanes.next = 0.into();
        if self.read.x_is_special.val() {
            self.special_functions.x_write.next = self.read.x_write.val();
            self.special_functions.x_lanes.next = self.read.x_lanes.val();
        }
        self.memory_unit.clear.next = self.sm_clear.val();
        self.memory_unit.global_end.next = self.limits.val().global_end;
        self.memory_unit.local_base.next = self.limits.val().local_base;
        self.memory_unit.local_shift.next = self.limits.val().local_shift;
        self.memory_unit.local_bytes.next = self.limits.val().local_bytes;
        self.memory_unit.multiprocessor.next = self.multiprocessor.val();
        self.memory_unit.strict_coalescing.next = self.limits.val().strict_coalescing;
        self.memory_unit.m_enqueue.next = self.read.x_enqueue.val();
        self.memory_unit.m_control.next = self.read.x_memory.val();
        self.memory_unit.m_mask.next = self.read.m_lanes.val();
        MemoryMasterPort::<LANES>::link(&mut self.memory, &mut self.memory_unit.memory);
    }

    /// Writeback.
    #[hdl_part]
    fn wire_writeback(&mut self) {
        self.writeback.w_pipeline.next = self.execute.w_pipeline.val();
        self.writeback.w_lanes.next = self.execute.w_lanes.val();
        self.writeback.init_valid.next = self.init_valid.val() && !self.results_late.q.val();
        self.writeback.init_row.next = self.init_row.val();
        self.writeback.init_beat.next = self.init_beat.val();
        self.init_ready.next = self.writeback.init_ready.val();
        self.writeback.sf_valid.next = self.special_functions.sf_valid.val();
        self.special_functions.sf_ready.next = self.writeback.sf_ready.val();
        self.writeback.sf_control.next = self.special_functions.sf_control.val();
        self.writeback.sf_lanes.next = self.special_functions.sf_lanes.val();
        self.writeback.l_valid.next = self.memory_unit.l_valid.val();
        self.memory_unit.l_ready.next = self.writeback.l_ready.val();
        self.writeback.l_control.next = self.memory_unit.l_control.val();
        self.writeback.l_lanes.next = self.memory_unit.l_mask.val();
        self.register_file.write_row.next = self.writeback.w_row.val();
        self.register_file.write_beat.next = self.writeback.w_beat.val();
        self.predicate_file.write_address.next = self.writeback.w_predicate.val();
        self.predicate_file.write_threads.next = self.writeback.w_threads.val();
        self.predicate_file.write_zero.next = self.writeback.w_zero.val();
        self.predicate_file.write_sign.next = self.writeback.w_sign.val();
        self.predicate_file.write_carry.next = self.writeback.w_carry.val();
        self.predicate_file.write_overflow.next = self.writeback.w_overflow.val();
    }

    /// The lanes' data, from stage to stage.
    #[hdl_part]
    fn wire_lanes(&mut self) {
        for i in 0..LANES {
            self.read.r_register_1[i].next = self.register_file.read_data_1[i].val();
            self.read.r_register_2[i].next = self.register_file.read_data_2[i].val();
            self.read.r_register_3[i].next = self.register_file.read_data_3[i].val();
            self.read.c_gathered[i].next = self.collector.c_gathered[i].val();
            self.read.c_address[i].next = self.collector.c_address[i].val();
            self.collector.c_data[i].next = self.read.m_data[i].val();
            self.collector.w_address_data[i].next = self.writeback.w_address_data[i].val();
            self.execute.x_a[i].next = self.read.x_a[i].val();
            self.execute.x_b[i].next = self.read.x_b[i].val();
            self.execute.x_c[i].next = self.read.x_c[i].val();
            self.execute.x_float_a[i].next = self.read.x_float_a[i].val();
            self.execute.x_float_b[i].next = self.read.x_float_b[i].val();
            self.execute.x_float_c[i].next = self.read.x_float_c[i].val();
            self.special_functions.x_a[i].next = self.read.x_float_a[i].val();
            self.writeback.sf_data[i].next = self.special_functions.sf_data[i].val();
            self.memory_unit.m_address[i].next = self.read.m_address[i].val();
            self.memory_unit.m_data[i].next = self.read.m_data[i].val();
            self.writeback.w_result[i].next = self.execute.w_result[i].val();
            self.writeback.w_condition[i].next = self.execute.w_condition[i].val();
            self.writeback.init_data[i].next = self.init_data[i].val();
            self.writeback.l_data[i].next = self.memory_unit.l_data[i].val();
            self.register_file.write_halves[i].next = self.writeback.w_halves[i].val();
            self.register_file.write_data[i].next = self.writeback.w_data[i].val();
            self.trace.increment_data[i].next = self.collector.c_increment_data[i].val();
            self.trace.write_data[i].next = self.writeback.w_value[i].val();
            self.trace.write_condition[i].next = self.execute.w_condition[i].val();
            self.trace.memory_address[i].next = self.read.m_address[i].val();
            self.trace.memory_data[i].next = self.read.m_data[i].val();
        }
    }

    /// Idle: nothing is in flight. Candidates count only while they may still issue. Not idle until the error that
    /// counts has been found.
    #[hdl_part]
    fn report_idle(&mut self) {
        self.idle.d.next = (self.scheduler.s_idle.val() || self.stop.val())
            && self.quiet.val()
            && (self.known_error.val().code.any()
                || !self.stop_error.val().code.any() && !self.memory_error.val().code.any());
        self.sm_idle.next = self.idle.q.val();
        if self.sm_clear.val() {
            self.stopped_by.d.next = self.no_error.val();
            self.final_error.d.next = self.no_error.val();
            self.late_store.d.next = false;
            self.late_store_ended.d.next = false;
            self.aborted.d.next = false;
            self.late_result.d.next = false;
            self.late_cycles.d.next = 0.into();
        }
    }

    /// The inputs of the counters.
    #[hdl_part]
    fn report_to_counters(&mut self) {
        self.stack_event.next = self.branch.b_event.val();
        self.event_entry.next = self.stack_event.val().entry;
        self.count_cause.next = self.scheduler.s_cause.val();
        self.counted.next.executed = self.read.r_executed.val();
        self.counted.next.transaction = self.memory_unit.m_transaction.val();
        self.counted.next.divergence = self.stack_event.val().valid
            && self.stack_event.val().push
            && (self.event_entry.val().kind == StackKind::Diverged);
        self.counted.next.barrier_wait = self.barriers.bar_waits.val();
        self.counted.next.at_barrier = self.barriers.bar_held.val();
        self.counted.next.bank_conflict = self.collector.c_conflict.val();
    }
}
