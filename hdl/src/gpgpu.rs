//! The whole chip: host interface, counters, block scheduler, one streaming multiprocessor, the way to global memory.
//!
//! ```text
//!  host bus ──> host interface ──> block scheduler ──> streaming multiprocessor
//!                     │  (window)                              │
//!                     └──────────────> memory port <───────────┘ (coalesced segments of LANES words)
//! ```
//! The memory port is a request and a response channel of LANES words. A request is taken in a cycle with valid and ready
//! both high; every read is answered in order, one response each, at any later cycle. While a grid runs the port is the
//! SM's, else the host's.
//!
//! The `trace_` outputs tell what happens to each instruction, for simulation; leave them open on a board.

use crate::block_scheduler::BlockScheduler;
use crate::counters::Counters;
use crate::cycle_counter::CycleCounter;
use crate::host_interface::HostInterface;
use crate::streaming_multiprocessor::StreamingMultiprocessor;
use hdlkit::prelude::*;

/// The chip with one SM of LANES scalar processors (8, 16 or 32).
#[derive(LogicBlock, Cycle, Blank)]
pub struct Gpgpu<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    // Host bus: Wishbone B4 classic, whole words.
    pub host_cycle: Signal<In, Bit>,
    pub host_strobe: Signal<In, Bit>,
    pub host_write: Signal<In, Bit>,
    pub host_address: Signal<In, Bits<32>>,
    pub host_write_data: Signal<In, Bits<32>>,
    pub host_read_data: Signal<Out, Bits<32>>,
    pub host_acknowledge: Signal<Out, Bit>,
    pub host_error: Signal<Out, Bit>,
    /// The grid has ended; until the next start.
    pub interrupt: Signal<Out, Bit>,
    // Global memory port.
    pub memory_request_valid: Signal<Out, Bit>,
    pub memory_request_ready: Signal<In, Bit>,
    pub memory_request_write: Signal<Out, Bit>,
    /// Aligned to LANES * 4 bytes.
    pub memory_request_address: Signal<Out, Bits<32>>,
    pub memory_request_data: [Signal<Out, Bits<32>>; LANES],
    /// Bytes to write; for a read, the words that are wanted.
    pub memory_request_enable: [Signal<Out, Bits<4>>; LANES],
    pub memory_response_valid: Signal<In, Bit>,
    pub memory_response_data: [Signal<In, Bits<32>>; LANES],
    // Trace.
    pub trace_launch_valid: Signal<Out, Bit>,
    pub trace_launch_warp: Signal<Out, Bits<5>>,
    pub trace_launch_block: Signal<Out, Bits<32>>,
    pub trace_launch_index: Signal<Out, Bits<5>>,
    pub trace_issue_valid: Signal<Out, Bit>,
    pub trace_issue_tag: Signal<Out, Bits<8>>,
    pub trace_issue_warp: Signal<Out, Bits<5>>,
    pub trace_issue_pc: Signal<Out, Bits<24>>,
    pub trace_issue_word: Signal<Out, Bits<64>>,
    pub trace_mask_valid: Signal<Out, Bit>,
    pub trace_mask_tag: Signal<Out, Bits<8>>,
    pub trace_mask_active: Signal<Out, Bits<32>>,
    pub trace_mask_executed: Signal<Out, Bits<32>>,
    pub trace_write_valid: Signal<Out, Bit>,
    pub trace_write_tag: Signal<Out, Bits<8>>,
    pub trace_write_beat: Signal<Out, Bits<2>>,
    pub trace_write_last: Signal<Out, Bit>,
    pub trace_write_lanes: Signal<Out, Bits<32>>,
    pub trace_write_register: Signal<Out, Bits<7>>,
    pub trace_write_register_enable: Signal<Out, Bit>,
    pub trace_write_halves: Signal<Out, Bits<2>>,
    pub trace_write_condition_register: Signal<Out, Bits<2>>,
    pub trace_write_condition_enable: Signal<Out, Bit>,
    pub trace_write_data: [Signal<Out, Bits<32>>; LANES],
    pub trace_write_condition: [Signal<Out, Bits<4>>; LANES],
    pub trace_memory_valid: Signal<Out, Bit>,
    pub trace_memory_tag: Signal<Out, Bits<8>>,
    pub trace_memory_beat: Signal<Out, Bits<2>>,
    pub trace_memory_store: Signal<Out, Bit>,
    pub trace_memory_size: Signal<Out, Bits<3>>,
    pub trace_memory_lanes: Signal<Out, Bits<32>>,
    pub trace_memory_address: [Signal<Out, Bits<32>>; LANES],
    pub trace_memory_data: [Signal<Out, Bits<32>>; LANES],
    pub trace_stack_valid: Signal<Out, Bit>,
    pub trace_stack_tag: Signal<Out, Bits<8>>,
    pub trace_stack_push: Signal<Out, Bit>,
    pub trace_stack_kind: Signal<Out, Bits<2>>,
    pub trace_stack_mask: Signal<Out, Bits<32>>,
    pub trace_stack_pc: Signal<Out, Bits<24>>,
    pub trace_next_valid: Signal<Out, Bit>,
    pub trace_next_tag: Signal<Out, Bits<8>>,
    pub trace_next_ended: Signal<Out, Bit>,
    pub trace_next_pc: Signal<Out, Bits<24>>,
    pub trace_next_active: Signal<Out, Bits<32>>,
    host: HostInterface<LANES>,
    counters: Counters,
    cycle_counter: CycleCounter,
    block_scheduler: BlockScheduler<LANES>,
    sm: StreamingMultiprocessor<LANES>,
    /// Word of the segment that the host's read is about.
    host_read: DFF<Bits<32>>,
    segment_mask: Constant<Bits<32>>,
    word_mask: Constant<Bits<32>>,
    one: Constant<Bits<32>>,
    host_word: Signal<Local, Bits<32>>,
    host_select: Signal<Local, Bits<32>>,
    host_owns: Signal<Local, Bit>,
    host_segment: Signal<Local, Bits<32>>,
    answer: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl<const LANES: usize> Gpgpu<LANES> {
    /// A chip at rest, memories zero.
    pub fn new() -> Self {
        let segment = LANES as u64 * 4;
        Gpgpu {
            host: HostInterface::new(1, 32, 256 * 1024, 64 * 1024),
            block_scheduler: BlockScheduler::new(),
            sm: StreamingMultiprocessor::new(),
            segment_mask: Constant::new((0xffff_ffff - (segment - 1)).into()),
            word_mask: Constant::new((segment / 4 - 1).into()),
            one: Constant::new(1.into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Gpgpu<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, host_read);
        clock!(self, clock, host, counters, cycle_counter, block_scheduler, sm);

        // Host bus.
        self.host.host_cycle.next = self.host_cycle.val();
        self.host.host_strobe.next = self.host_strobe.val();
        self.host.host_write.next = self.host_write.val();
        self.host.host_address.next = self.host_address.val();
        self.host.host_write_data.next = self.host_write_data.val();
        self.host_read_data.next = self.host.host_read_data.val();
        self.host_acknowledge.next = self.host.host_acknowledge.val();
        self.host_error.next = self.host.host_error.val();
        self.interrupt.next = self.host.interrupt.val();

        // Launch.
        self.block_scheduler.launch_start.next = self.host.launch_start.val();
        self.block_scheduler.abort.next = self.host.launch_abort.val();
        self.block_scheduler.grid_configuration.next = self.host.grid_configuration.val();
        self.block_scheduler.launch_configuration.next = self.host.launch_configuration.val();
        self.block_scheduler.parameter_word.next = self.host.parameter_word.val();
        self.host.parameter_index.next = self.block_scheduler.parameter_index.val();
        self.host.grid_running.next = self.block_scheduler.grid_running.val();
        self.host.grid_done.next = self.block_scheduler.grid_done.val();
        self.host.error.next = self.sm.error.val();
        self.host.error_block.next = self.sm.error_block.val();
        self.host.error_warp_index.next = self.sm.error_warp_index.val();

        // The counters.
        self.counters.launch_start.next = self.host.launch_start.val();
        self.counters.grid_done.next = self.block_scheduler.grid_done.val();
        self.counters.count_issue.next = self.sm.count_issue.val();
        self.counters.count_threads.next = self.sm.count_threads.val();
        self.counters.counter_read.next = self.host.counter_read.val();
        self.counters.counter_index.next = self.host.counter_index.val();
        self.host.counter_word.next = self.counters.counter_word.val();

        // The SM.
        self.sm.multiprocessor.next = 0.into();
        self.cycle_counter.clear.next = self.block_scheduler.sm_clear.val();
        self.cycle_counter.sample.next = self.sm.clock_sample.val();
        self.sm.clock_value.next = self.cycle_counter.value.val();
        self.sm.sm_clear.next = self.block_scheduler.sm_clear.val();
        self.sm.sm_abort.next = self.host.launch_abort.val();
        self.sm.configuration.next = self.host.launch_configuration.val();
        self.sm.load_valid.next = self.host.load_valid.val();
        self.sm.load_constant.next = self.host.load_constant.val();
        self.sm.load_address.next = self.host.load_address.val();
        self.sm.load_data.next = self.host.load_data.val();
        self.sm.launch_valid.next = self.block_scheduler.launch_valid.val();
        self.block_scheduler.launch_ready.next = self.sm.launch_ready.val();
        self.sm.launch.next = self.block_scheduler.launch.val();
        self.sm.init_valid.next = self.block_scheduler.init_valid.val();
        self.block_scheduler.init_ready.next = self.sm.init_ready.val();
        self.sm.init_row.next = self.block_scheduler.init_row.val();
        self.sm.init_beat.next = self.block_scheduler.init_beat.val();
        self.sm.shared_init_valid.next = self.block_scheduler.shared_init_valid.val();
        self.sm.shared_init_clear.next = self.block_scheduler.shared_init_clear.val();
        self.sm.shared_init_address.next = self.block_scheduler.shared_init_address.val();
        self.sm.shared_init_data.next = self.block_scheduler.shared_init_data.val();
        self.block_scheduler.warp_ended.next = self.sm.warp_ended.val();
        self.block_scheduler.warp_ended_index.next = self.sm.warp_ended_index.val();
        self.block_scheduler.sm_idle.next = self.sm.sm_idle.val();
        self.block_scheduler.sm_error.next = self.sm.sm_error.val();

        // The memory port: the SM's while a grid runs. The host's single words go to and come from their place in the
        // segment.
        self.host_owns.next = !self.block_scheduler.grid_running.val();
        self.host_segment.next = self.host.host_memory_request_address.val() & self.segment_mask.val();
        self.host_word.next = self.host.host_memory_request_address.val() >> 2;
        self.host_word.next = self.host_word.val() & self.word_mask.val();
        self.host_select.next = self.one.val() << self.host_word.val().get_bits::<5>(0);
        if self.host_owns.val() && self.host.host_memory_request_valid.val() {
            self.host_read.d.next = self.host_select.val();
        }
        self.memory_request_valid.next = self.sm.memory_request_valid.val();
        self.memory_request_write.next = self.sm.memory_request_write.val();
        self.memory_request_address.next = self.sm.memory_request_address.val();
        self.sm.memory_request_ready.next = self.memory_request_ready.val() && !self.host_owns.val();
        self.host.host_memory_request_ready.next = self.memory_request_ready.val() && self.host_owns.val();
        self.sm.memory_response_valid.next = self.memory_response_valid.val() && !self.host_owns.val();
        self.host.host_memory_response_valid.next = self.memory_response_valid.val() && self.host_owns.val();
        if self.host_owns.val() {
            self.memory_request_valid.next = self.host.host_memory_request_valid.val();
            self.memory_request_write.next = self.host.host_memory_request_write.val();
            self.memory_request_address.next = self.host_segment.val();
        }
        self.answer.next = 0.into();
        for i in 0..LANES {
            self.sm.init_data[i].next = self.block_scheduler.init_data[i].val();
            self.memory_request_data[i].next = self.sm.memory_request_data[i].val();
            self.memory_request_enable[i].next = self.sm.memory_request_enable[i].val();
            if self.host_owns.val() {
                self.memory_request_data[i].next = self.host.host_memory_request_data.val();
                self.memory_request_enable[i].next = 0.into();
                if self.host_select.val().get_bit(i) {
                    self.memory_request_enable[i].next = 15.into();
                }
            }
            self.sm.memory_response_data[i].next = self.memory_response_data[i].val();
            if self.host_read.q.val().get_bit(i) {
                self.answer.next = self.memory_response_data[i].val();
            }
        }
        self.host.host_memory_response_data.next = self.answer.val();

        self.trace_launch_valid.next = self.sm.trace_launch_valid.val();
        self.trace_launch_warp.next = self.sm.trace_launch_warp.val();
        self.trace_launch_block.next = self.sm.trace_launch_block.val();
        self.trace_launch_index.next = self.sm.trace_launch_index.val();
        self.trace_issue_valid.next = self.sm.trace_issue_valid.val();
        self.trace_issue_tag.next = self.sm.trace_issue_tag.val();
        self.trace_issue_warp.next = self.sm.trace_issue_warp.val();
        self.trace_issue_pc.next = self.sm.trace_issue_pc.val();
        self.trace_issue_word.next = self.sm.trace_issue_word.val();
        self.trace_mask_valid.next = self.sm.trace_mask_valid.val();
        self.trace_mask_tag.next = self.sm.trace_mask_tag.val();
        self.trace_mask_active.next = self.sm.trace_mask_active.val();
        self.trace_mask_executed.next = self.sm.trace_mask_executed.val();
        self.trace_write_valid.next = self.sm.trace_write_valid.val();
        self.trace_write_tag.next = self.sm.trace_write_tag.val();
        self.trace_write_beat.next = self.sm.trace_write_beat.val();
        self.trace_write_last.next = self.sm.trace_write_last.val();
        self.trace_write_lanes.next = self.sm.trace_write_lanes.val();
        self.trace_write_register.next = self.sm.trace_write_register.val();
        self.trace_write_register_enable.next = self.sm.trace_write_register_enable.val();
        self.trace_write_halves.next = self.sm.trace_write_halves.val();
        self.trace_write_condition_register.next = self.sm.trace_write_condition_register.val();
        self.trace_write_condition_enable.next = self.sm.trace_write_condition_enable.val();
        self.trace_memory_valid.next = self.sm.trace_memory_valid.val();
        self.trace_memory_tag.next = self.sm.trace_memory_tag.val();
        self.trace_memory_beat.next = self.sm.trace_memory_beat.val();
        self.trace_memory_store.next = self.sm.trace_memory_store.val();
        self.trace_memory_size.next = self.sm.trace_memory_size.val();
        self.trace_memory_lanes.next = self.sm.trace_memory_lanes.val();
        self.trace_stack_valid.next = self.sm.trace_stack_valid.val();
        self.trace_stack_tag.next = self.sm.trace_stack_tag.val();
        self.trace_stack_push.next = self.sm.trace_stack_push.val();
        self.trace_stack_kind.next = self.sm.trace_stack_kind.val();
        self.trace_stack_mask.next = self.sm.trace_stack_mask.val();
        self.trace_stack_pc.next = self.sm.trace_stack_pc.val();
        self.trace_next_valid.next = self.sm.trace_next_valid.val();
        self.trace_next_tag.next = self.sm.trace_next_tag.val();
        self.trace_next_ended.next = self.sm.trace_next_ended.val();
        self.trace_next_pc.next = self.sm.trace_next_pc.val();
        self.trace_next_active.next = self.sm.trace_next_active.val();
        for i in 0..LANES {
            self.trace_write_data[i].next = self.sm.trace_write_data[i].val();
            self.trace_write_condition[i].next = self.sm.trace_write_condition[i].val();
            self.trace_memory_address[i].next = self.sm.trace_memory_address[i].val();
            self.trace_memory_data[i].next = self.sm.trace_memory_data[i].val();
        }
    }
}
