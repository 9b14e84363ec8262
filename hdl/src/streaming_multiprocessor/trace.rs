//! The trace ports: the events of each stage in this cycle.

use super::StreamingMultiprocessor;
use crate::bundles::*;
use crate::control::divergence_stack::code_of;
use hdlkit::prelude::*;

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// Drives the trace ports.
    #[hdl_part]
    pub(super) fn trace(&mut self, begins: WarpBegin, issued: Issued, resolved: Resolved) {
        let beat = self.writeback.w_written.val();
        let written = beat.control;
        let request = self.read.m.control.val();
        let event = self.branch.b_event.val();
        self.trace.launch_valid.next = begins.valid;
        self.trace.launch_warp.next = begins.launch.warp;
        self.trace.launch_block.next = begins.launch.block;
        self.trace.launch_index.next = begins.launch.index;
        self.trace.issue_valid.next = issued.valid;
        self.trace.issue_tag.next = issued.tag;
        self.trace.issue_warp.next = issued.warp;
        self.trace.issue_pc.next = issued.pc;
        self.trace.issue_word.next = self.scheduler.s_issued_word.val();
        self.trace.mask_valid.next = self.read.r_mask_valid.val();
        self.trace.mask_tag.next = self.read.r_mask_tag.val();
        self.trace.mask_active.next = self.branch.r_active.val();
        self.trace.mask_executed.next = self.read.r_executed.val();
        self.trace.write_valid.next = written.valid;
        self.trace.write_tag.next = written.tag;
        self.trace.write_beat.next = written.beat;
        self.trace.write_last.next = written.last;
        self.trace.write_lanes.next = beat.lanes;
        self.trace.write_register.next = written.register;
        self.trace.write_register_enable.next = beat.register_enable;
        self.trace.write_halves.next = written.halves;
        self.trace.write_condition_register.next = written.condition_register;
        self.trace.write_condition_enable.next = written.condition_enable;
        self.trace.write_address_register.next = written.address_register;
        self.trace.write_address_enable.next = written.address_enable;
        let store = self.collector.c_store.val();
        let store_instruction = self.collector.c_store_instruction.val();
        self.trace.shared_valid.next = store.valid;
        self.trace.shared_tag.next = store_instruction.tag;
        self.trace.shared_upper.next = store.upper;
        self.trace.shared_access.next = store_instruction.indexing.access;
        self.trace.shared_threads.next = store.threads;
        for i in 0..16 {
            self.trace.shared_address[i].next = self.collector.c_store_address[i].val();
            self.trace.shared_data[i].next = self.collector.c_store_data[i].val();
        }
        let increment = self.collector.c_increment.val();
        self.trace.increment_valid.next = increment.valid;
        self.trace.increment_tag.next = increment.tag;
        self.trace.increment_beat.next = increment.beat;
        self.trace.increment_lanes.next = increment.lanes;
        self.trace.increment_register.next = increment.indexing.register;
        self.trace.memory_valid.next = self.read.m.enqueue.val();
        self.trace.memory_tag.next = request.beat.tag;
        self.trace.memory_beat.next = request.beat.beat;
        self.trace.memory_store.next = request.store;
        self.trace.memory_local.next = request.local;
        self.trace.memory_size.next = request.size;
        self.trace.memory_lanes.next = self.read.m.lanes.val();
        self.trace.stack_valid.next = event.valid;
        self.trace.stack_tag.next = event.tag;
        self.trace.stack_push.next = event.push;
        self.trace.stack_kind.next = code_of(event.entry.kind);
        self.trace.stack_mask.next = event.entry.mask;
        self.trace.stack_pc.next = event.entry.pc;
        self.trace.next_valid.next = resolved.valid;
        self.trace.next_tag.next = resolved.tag;
        self.trace.next_ended.next = resolved.ended;
        self.trace.next_pc.next = resolved.pc;
        self.trace.next_active.next = resolved.active;
        for i in 0..LANES {
            self.trace.increment_data[i].next = self.collector.c_increment_data[i].val();
            self.trace.write_data[i].next = self.writeback.w_value[i].val();
            self.trace.write_condition[i].next = self.execute.pipeline.condition[i].val();
            self.trace.memory_address[i].next = self.read.m.address[i].val();
            self.trace.memory_data[i].next = self.read.m.data[i].val();
        }
    }
}
