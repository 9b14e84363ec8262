//! The streaming multiprocessor (SM): an in-order SIMT pipeline for up to 32 warps, with its register files and
//! memories.
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
//! With 8 lanes a warp instruction takes four beats; the next one, of another warp, can issue four cycles later. An
//! instruction that needs the result of its predecessor issues eight cycles after it, or twelve if the result takes the
//! long path, as all results of float units do (`execute/mod.rs`).
//!
//! Special functions, and double instructions from capability 1.3 on, leave the pipeline at x1. Like loads, their
//! results return to writeback later.
//!
//! BAR leaves the pipeline at issue for the barrier unit (`control/barrier.rs`), which releases waiting warps in the
//! scheduler.
//!
//! Operands at per-thread addresses in shared or constant memory pass through the operand collector
//! (`operands/operand_collector/`) to the read stage.
//!
//! An error stops issue; instructions in flight complete, then `blocks.idle` signals the end. The error to report is
//! determined only then, because an older global memory access may still fail. A barrier deadlock also stops issue; it
//! is reported only if no instruction in flight fails.

pub mod block_port;
mod errors;
mod late;
mod second_scheduler;
mod state;
mod trace;

use self::block_port::BlockSlavePort;
use self::state::{ErrorState, LateResults, LateStore};
use crate::bundles::*;
use crate::control::barrier::{BarrierUnit, IssuedBarrier};
use crate::control::branch::BranchUnit;
use crate::control::divergence_stack::StackKind;
use crate::execute::special_function_queue::SpecialFunctionQueue;
use crate::execute::writeback::Writeback;
use crate::execute::{Execute, PipelinePort};
use crate::issue::fetch::{BufferPort, Fetch, FetchRestart};
use crate::issue::warp_scheduler::WarpScheduler;
use crate::memory::constant::ConstantMemory;
use crate::memory::global::{queue_instructions, AccessPort, GlobalMemoryUnit};
use crate::memory::instruction::{InstructionMemory, InstructionPort};
use crate::memory::shared::{BankMasterPort, SharedMemory, UniformPort};
use crate::memory::HostLoad;
use crate::operands::operand_collector::address_file::AddressWritePort;
use crate::operands::operand_collector::{CollectPort, CollectedPort, OperandCollector};
use crate::operands::predicate_file::PredicateFile;
use crate::operands::read::Read;
use crate::operands::register_file::{RegisterFile, RegisterReadPort, RegisterWritePort};
use crate::optional::optional;
use crate::parameters::SmParameters;
use crate::ports::MemoryMasterPort;
use crate::stage_ports::{DispatchPort, ResultPort};
use crate::trace::Trace;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::Protect;
use hdlkit::prelude::*;

/// A streaming multiprocessor with LANES scalar processors (8, 16 or 32).
#[circuit]
pub struct StreamingMultiprocessor<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Pulse: a grid starts.
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
    /// Contents of instruction and constant memory, from the host.
    pub load: Signal<In, HostLoad>,
    /// Blocks, from the block scheduler.
    pub blocks: BlockSlavePort<LANES>,
    /// The error to report, and the block of its warp.
    pub error: Signal<Out, KernelError>,
    pub error_warp: Signal<Out, WarpIdentity>,
    /// The use of the last cycle's issue slot, and the events of this cycle; for the counters.
    pub count_cause: Signal<Out, IssueCause>,
    pub counted: Signal<Out, Counted>,
    /// Global memory.
    pub memory: MemoryMasterPort<LANES>,
    /// The trace for simulation. It takes no logic if it is unconnected.
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
    /// A local copy of the configuration, which is constant while a grid runs: the host's registers are far away on the
    /// chip.
    configured: DFF<LaunchConfiguration>,
    errors: DFF<ErrorState>,
    late_results: DFF<LateResults>,
    late_store: DFF<LateStore>,
    hold: DFF<Bit>,
    special_dequeued: DFF<Bit>,
    idle: DFF<Bit>,

    /// Atomic operations exist: capability 1.1. The operation of the request in `memory`, if they do.
    atomics: Constant<Bit>,
    pub memory_atomic: Vec<Signal<Out, AtomicOperation>>,
    /// Locks of shared memory exist: capability 1.2.
    locks: Constant<Bit>,
    /// The double-precision unit exists: capability 1.3.
    doubles: Constant<Bit>,
    /// The SM is protected. If it is: the error that stopped it has code 16 or 17, see
    /// [`PROTECTED_CODES`](crate::bundles::PROTECTED_CODES).
    has_protection: Constant<Bit>,
    stopped_by_protection: Vec<DFF<Bit>>,
    pub protected_error: Vec<Signal<Out, Bit>>,
    /// The register file and shared memory have check bits.
    has_check_bits: Constant<Bit>,
    /// There is a second scheduler; and the second scheduler.
    has_second_scheduler: Constant<Bit>,
    second_scheduler: Vec<WarpScheduler>,
}

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// A streaming multiprocessor at rest.
    ///
    /// # Panics
    /// If there are no memories of these sizes.
    pub fn new(parameters: SmParameters) -> Self {
        const { Lanes::assert(LANES) };
        let SmParameters { memories: sizes, capability, protect } = parameters;
        let protected = protect != Protect::None;
        let second_scheduler = protect.has_second_scheduler();
        let atomics = capability.has_atomics();
        StreamingMultiprocessor {
            instruction_memory: InstructionMemory::new(sizes.instructions),
            constant_memory: ConstantMemory::new(sizes.constants),
            register_file: RegisterFile::new(sizes.registers, protect),
            shared_memory: SharedMemory::new(protect),
            scheduler: WarpScheduler::new(capability),
            read: Read::new(capability, protect),
            collector: OperandCollector::new(capability, protect),
            execute: Execute::new(capability),
            writeback: Writeback::new(capability),
            locks: Constant::new(capability.has_locks()),
            doubles: Constant::new(capability.has_doubles()),
            memory_unit: GlobalMemoryUnit::new(capability),
            atomics: Constant::new(atomics),
            memory_atomic: optional(atomics),
            has_protection: Constant::new(protected),
            stopped_by_protection: optional(protected),
            protected_error: optional(protected),
            has_check_bits: Constant::new(protect.has_check_bits()),
            has_second_scheduler: Constant::new(second_scheduler),
            second_scheduler: second_scheduler.then(|| WarpScheduler::new(capability)).into_iter().collect(),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for StreamingMultiprocessor<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.configured.d.next = self.configuration.val();
        let limits = self.configured.q.val();
        let issued = self.scheduler.s_issued.val();
        let resolved = self.branch.b_resolved.val();

        // No instruction is in flight after issue.
        let quiet = self.read.r_idle.val()
            && self.collector.c_idle.val()
            && self.execute.x_idle.val()
            && self.special_functions.sf_idle.val()
            && self.memory_unit.m_idle.val()
            && !self.branch.b_busy.val()
            && !resolved.valid;
        let stop = self.stop_on_errors(quiet);

        // A warp begins when the branch unit and the PCs' write port are free, and no late result of the slot's
        // previous warp is in flight.
        let launch_ready = !self.branch.b_busy.val() && !resolved.valid && !self.late_results.q.val().any && !stop;
        let launch = self.blocks.launch.val();
        let begins = WarpBegin { valid: self.blocks.launch_valid.val() && launch_ready, launch };
        self.blocks.launch_ready.next = launch_ready;

        // In the read stage the collector's instruction has priority over the scheduler's.
        let collected = self.collector.c_inject.val();
        let injects = collected.valid && self.read.r_slot.val() && !self.hold.q.val();
        let to_read = if injects { collected } else { Issued { valid: self.scheduler.s_reads.val(), ..issued } };

        self.connect_stages();
        if self.atomics.val() {
            self.connect_atomics();
        }
        if self.locks.val() {
            self.connect_locks(resolved);
        }
        if self.doubles.val() {
            self.connect_doubles();
        }
        self.control_fetch(limits, begins, resolved);
        self.control_scheduler(limits, begins, stop, injects);
        if self.has_second_scheduler.val() {
            self.drive_second_scheduler(begins, stop, injects);
        }
        if self.has_protection.val() {
            self.stop_on_protected_errors(quiet);
        }
        self.control_read(limits, begins, to_read);
        self.control_collector(limits, begins, injects);
        self.control_branches_and_barriers(begins, issued, resolved);
        self.control_units(limits);
        self.read_codes_and_clock(issued, to_read, injects);

        self.track_late_results(to_read);
        self.end_warps(issued, resolved);
        self.report(begins, quiet, stop);
        if self.has_second_scheduler.val() {
            self.end_if_schedulers_differ();
        }
        self.trace(begins, issued, resolved);
    }
}

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// Connects the stages from fetch to writeback and the units beside them. An interface has the same name on both
    /// sides.
    #[hdl_part]
    fn connect_stages(&mut self) {
        InstructionPort::join(&mut self.instruction_memory.instruction, &mut self.fetch.instruction);
        BufferPort::join(&mut self.fetch.heads, &mut self.scheduler.heads);
        CollectPort::join(&mut self.collector.collect, &mut self.scheduler.collect);
        CollectedPort::<LANES>::join(&mut self.collector.collected, &mut self.read.collected);
        BankMasterPort::join(&mut self.collector.banks, &mut self.shared_memory.banks);
        UniformPort::join(&mut self.shared_memory.uniform, &mut self.read.uniform);
        RegisterReadPort::<LANES>::join(&mut self.register_file.registers, &mut self.read.registers);
        DispatchPort::<LANES>::join(&mut self.read.x, &mut self.execute.x);
        AccessPort::<LANES>::join(&mut self.memory_unit.m, &mut self.read.m);
        MemoryMasterPort::<LANES>::link(&mut self.memory, &mut self.memory_unit.memory);
        PipelinePort::<LANES>::join(&mut self.execute.pipeline, &mut self.writeback.pipeline);
        ResultPort::<LANES>::join(&mut self.special_functions.specials, &mut self.writeback.specials);
        ResultPort::<LANES>::join(&mut self.memory_unit.loads, &mut self.writeback.loads);
        RegisterWritePort::<LANES>::join(&mut self.register_file.write, &mut self.writeback.write);
        AddressWritePort::<LANES>::join(&mut self.collector.w_address, &mut self.writeback.w_address);
        for i in 0..LANES {
            self.collector.c_data[i].next = self.read.m.data[i].val();
            self.special_functions.x_a[i].next = self.read.x.float_operands[i].val().a;
            self.writeback.init_data[i].next = self.blocks.init_data[i].val();
        }
        self.predicate_file.write.next = self.writeback.w_codes.val();
        self.read.r_codes.next = self.predicate_file.read_codes.val();
        self.instruction_memory.load.next = self.load.val();
        self.constant_memory.load.next = self.load.val();
        self.shared_memory.init.next = self.blocks.shared_init.val();
    }

    /// Connects the path of atomic operations.
    #[hdl_part]
    fn connect_atomics(&mut self) {
        self.memory_unit.m_atomic[0].next = self.read.m_atomic[0].val();
        self.memory_atomic[0].next = self.memory_unit.memory_atomic[0].val();
    }

    /// Connects the locks of shared memory. A warp's lock is released when the branch unit has resolved the warp's end.
    #[hdl_part]
    fn connect_locks(&mut self, resolved: Resolved) {
        self.collector.shared_init[0].next = self.blocks.shared_init.val();
        self.collector.ended[0].next = WarpSelect { valid: resolved.valid && resolved.ended, warp: resolved.warp };
        self.collector.lock_warp[0].next = self.read.lock_warp[0].val();
        self.read.lock_winner[0].next = self.collector.lock_winner[0].val();
        self.scheduler.s_locking[0].next = self.collector.c_locking[0].val();
    }

    /// Connects the double-precision unit.
    #[hdl_part]
    fn connect_doubles(&mut self) {
        self.execute.x_double[0].next = self.read.x_double[0].val();
        self.writeback.is_double[0].next = self.execute.double_events[0].val().fills;
    }

    /// Fetch restarts for a warp that begins or is redirected, and stops for a warp that ends.
    #[hdl_part]
    fn control_fetch(&mut self, limits: LaunchConfiguration, begins: WarpBegin, resolved: Resolved) {
        self.fetch.f_clear.next = self.sm_clear.val();
        let redirected = resolved.valid && (resolved.redirected || resolved.ended);
        self.fetch.f_restart.next = FetchRestart {
            valid: redirected || begins.valid,
            warp: if begins.valid { begins.launch.warp } else { resolved.warp },
            stop: !begins.valid && resolved.ended,
            pc: if begins.valid { limits.entry } else { resolved.pc },
        };
    }

    /// Drives the inputs of the warp scheduler: back-pressure from the later stages, resolved branches, and releases
    /// from writeback. Signals with many or distant readers are a cycle late.
    #[hdl_part]
    fn control_scheduler(&mut self, limits: LaunchConfiguration, begins: WarpBegin, stop: Bit, injects: Bit) {
        self.scheduler.s_clear.next = self.sm_clear.val();
        self.scheduler.configuration.next = limits;
        self.scheduler.begins.next = begins;
        self.scheduler.s_stop.next = stop;
        self.scheduler.r_slot.next = self.read.r_slot.val();
        self.hold.d.next = self.writeback.w_hold.val();
        self.scheduler.s_hold.next = self.hold.q.val();
        self.scheduler.c_injects.next = self.collector.c_inject.val().valid;
        self.scheduler.c_injected.next = injects;
        self.scheduler.s_late_store.next = self.late_store.q.val().valid;
        self.scheduler.memory_places.next = bits(queue_instructions(LANES) as u64);
        self.scheduler.m_dequeued.next = self.memory_unit.m_dequeued.val();
        self.special_dequeued.d.next = self.special_functions.sf_dequeued.val();
        if self.doubles.val() {
            let double = self.execute.double_events[0].val();
            self.hold.d.next = self.writeback.w_hold.val() || double.waits;
            // Never both in a cycle: writeback takes one beat.
            self.special_dequeued.d.next = self.special_functions.sf_dequeued.val() || double.dequeued;
        }
        self.scheduler.s_special_dequeued.next = self.special_dequeued.q.val();
        self.scheduler.b_resolved.next = self.branch.b_resolved.val();
        self.scheduler.bar_release.next = self.barriers.bar_release.val();
        self.scheduler.bar_busy.next = self.barriers.bar_busy.val();
        self.scheduler.w_release.next = self.writeback.w_release.val();
        self.scheduler.w_address_done.next = self.writeback.w_address_done.val();
    }

    /// Drives the inputs of the read stage.
    #[hdl_part]
    fn control_read(&mut self, limits: LaunchConfiguration, begins: WarpBegin, to_read: Issued) {
        self.read.shared_rows.next = limits.shared_rows;
        self.read.begins.next = begins;
        self.read.r_multiprocessor.next = self.multiprocessor.val();
        self.read.r_issued.next = to_read;
        self.read.r_active.next = self.branch.r_active.val();
    }

    /// Drives the inputs of the operand collector, which change only for its own instructions. Uniform operands have
    /// priority over the collector's words; constant memory has one port for both.
    #[hdl_part]
    fn control_collector(&mut self, limits: LaunchConfiguration, begins: WarpBegin, injects: Bit) {
        let works = !self.collector.c_idle.val();
        self.collector.c_clear.next = self.sm_clear.val();
        self.collector.shared_rows.next = limits.shared_rows;
        self.collector.begins.next = begins;
        self.collector.c_inject_ready.next = injects;
        self.collector.shared_busy.next = self.read.uniform.enable.val() && works;
        self.collector.shared_init_busy.next = self.blocks.shared_init.val().valid;
        self.collector.constant_busy.next = self.read.r_constant_enable.val() && works;
        self.collector.constant_word.next = mask(works, self.constant_memory.read_word.val());

        let collects = self.collector.constant_enable.val();
        self.constant_memory.read_enable.next = collects || self.read.r_constant_enable.val();
        self.constant_memory.read_address.next =
            if collects { self.collector.constant_address.val() } else { self.read.r_constant_address.val() };
        self.read.r_constant_word.next = self.constant_memory.read_word.val();
    }

    /// Drives the inputs of the branch unit and of the barrier unit, whose `s_barrier` changes only for a BAR.
    #[hdl_part]
    fn control_branches_and_barriers(&mut self, begins: WarpBegin, issued: Issued, resolved: Resolved) {
        self.branch.begins.next = begins;
        self.branch.r_warp.next = self.read.r_warp.val();
        self.branch.r_control.next = self.read.r_control.val();
        self.barriers.bar_clear.next = self.sm_clear.val();
        self.barriers.begins.next = begins;
        self.barriers.s_barrier.next = if issued.valid && issued.decoded.control == ControlOperation::Barrier {
            IssuedBarrier { valid: true, warp: issued.warp, pc: issued.pc, control: issued.decoded.barrier }
        } else {
            IssuedBarrier::default()
        };
        self.barriers.b_resolved.next = resolved;
    }

    /// Drives the inputs of the special function queue, whose `x_beat` changes only for its own beats, of the memory
    /// unit, and of writeback for R0 of warps that are about to begin.
    #[hdl_part]
    fn control_units(&mut self, limits: LaunchConfiguration) {
        let beat = self.read.x.beat.val();
        self.special_functions.x_beat.next = if beat.for_special { beat } else { DispatchedBeat::default() };
        self.special_functions.x_special.next = self.read.x_special.val();
        self.memory_unit.clear.next = self.sm_clear.val();
        self.memory_unit.configuration.next = limits;
        self.memory_unit.multiprocessor.next = self.multiprocessor.val();
        self.writeback.init_valid.next = self.blocks.init_valid.val() && !self.late_results.q.val().any;
        self.writeback.init_row.next = self.blocks.init_row.val();
        self.writeback.init_beat.next = self.blocks.init_beat.val();
        self.blocks.init_ready.next = self.writeback.init_ready.val();
    }

    /// Reads an instruction's condition codes as it leaves the scheduler or returns from the collector; if it does
    /// both, the value is the same. The clock that programs read is sampled at issue.
    #[hdl_part]
    fn read_codes_and_clock(&mut self, issued: Issued, to_read: Issued, injects: Bit) {
        self.predicate_file.fetch(
            (issued.valid || injects) && to_read.decoded.condition_used,
            to_read.warp.concat(to_read.decoded.condition_source),
        );
        self.clock_sample.next = issued.valid && issued.decoded.a.source == Source::Special;
        self.read.r_clock.next = self.clock_value.val();
    }

    /// Reports the SM's state, and the events of this cycle for the counters. The SM is idle if no instruction is in
    /// flight, no candidate may still issue, and the error to report, if there is one, has been determined. The host
    /// reads the error with the block of its warp.
    #[hdl_part]
    fn report(&mut self, begins: WarpBegin, quiet: Bit, stop: Bit) {
        let errors = self.errors.q.val();
        let found = errors.counts.code.any();
        let sought = errors.stopped_by.code.any() || self.memory_unit.m_error.val().error.code.any();
        self.idle.d.next = (self.scheduler.s_idle.val() || stop) && quiet && (found || !sought);
        self.blocks.idle.next = self.idle.q.val();
        self.blocks.error.next = found;
        self.error.next = errors.counts;
        self.error_warp.next = self.identity.read(errors.counts.warp);
        self.identity.write(
            begins.valid,
            begins.launch.warp,
            WarpIdentity { block: begins.launch.block, index: begins.launch.index },
        );

        let event = self.branch.b_event.val();
        self.count_cause.next = self.scheduler.s_cause.val();
        self.counted.next = Counted {
            executed: self.read.r_executed.val(),
            transaction: self.memory_unit.m_transaction.val(),
            divergence: event.valid && event.push && event.entry.kind == StackKind::Diverged,
            barrier_wait: self.barriers.bar_waits.val(),
            at_barrier: self.barriers.bar_waiting.val(),
            bank_conflict: self.collector.c_conflict.val(),
        };
    }
}
