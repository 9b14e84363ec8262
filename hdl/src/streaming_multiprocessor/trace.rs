//! The trace ports: what each stage did in this cycle.

use super::StreamingMultiprocessor;
use crate::control::divergence_stack::StackKind;
use hdlkit::prelude::*;

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// The trace ports.
    #[hdl_part]
    pub(super) fn trace(&mut self) {
        self.trace.launch_valid.next = self.launching.val();
        self.trace.launch_warp.next = self.launched.val().warp;
        self.trace.launch_block.next = self.launched.val().block;
        self.trace.launch_index.next = self.launched.val().index;
        self.trace.issue_valid.next = self.issued.val().valid;
        self.trace.issue_tag.next = self.issued.val().tag;
        self.trace.issue_warp.next = self.issued.val().warp;
        self.trace.issue_pc.next = self.issued.val().pc;
        self.trace.issue_word.next = self.scheduler.s_issued_word.val();
        self.trace.mask_valid.next = self.read.r_mask_valid.val();
        self.trace.mask_tag.next = self.read.r_mask_tag.val();
        self.trace.mask_active.next = self.branch.r_active.val();
        self.trace.mask_executed.next = self.read.r_executed.val();
        self.trace.write_valid.next = self.written.val().valid;
        self.trace.write_tag.next = self.written.val().tag;
        self.trace.write_beat.next = self.written.val().beat;
        self.trace.write_last.next = self.written.val().last;
        self.trace.write_lanes.next = self.writeback.w_written_lanes.val();
        self.trace.write_register.next = self.written.val().register;
        self.trace.write_register_enable.next = self.writeback.w_register_enable.val();
        self.trace.write_halves.next = self.written.val().halves;
        self.trace.write_condition_register.next = self.written.val().condition_register;
        self.trace.write_condition_enable.next = self.written.val().condition_enable;
        self.trace.write_address_register.next = self.written.val().address_register;
        self.trace.write_address_enable.next = self.written.val().address_enable;
        self.trace.shared_valid.next = self.collector.c_store_valid.val();
        self.trace.shared_tag.next = self.collector.c_store_tag.val();
        self.trace.shared_upper.next = self.collector.c_store_upper.val();
        self.trace.shared_access.next = self.collector.c_store_access.val();
        self.trace.shared_threads.next = self.collector.c_store_threads.val();
        for i in 0..16 {
            self.trace.shared_address[i].next = self.collector.c_store_address[i].val();
            self.trace.shared_data[i].next = self.collector.c_store_data[i].val();
        }
        self.trace.increment_valid.next = self.collector.c_increment_valid.val();
        self.trace.increment_tag.next = self.collector.c_increment_tag.val();
        self.trace.increment_beat.next = self.collector.c_increment_beat.val();
        self.trace.increment_lanes.next = self.collector.c_increment_lanes.val();
        self.trace.increment_register.next = self.collector.c_increment_register.val();
        self.request.next = self.read.x_memory.val();
        self.trace.memory_valid.next = self.read.x_enqueue.val();
        self.trace.memory_tag.next = self.request.val().tag;
        self.trace.memory_beat.next = self.request.val().beat;
        self.trace.memory_store.next = self.request.val().store;
        self.trace.memory_local.next = self.request.val().local;
        self.trace.memory_size.next = self.request.val().size;
        self.trace.memory_lanes.next = self.read.m_lanes.val();
        self.trace.stack_valid.next = self.stack_event.val().valid;
        self.trace.stack_tag.next = self.stack_event.val().tag;
        self.trace.stack_push.next = self.stack_event.val().push;
        match self.event_entry.val().kind {
            StackKind::Diverged => self.trace.stack_kind.next = 1.into(),
            StackKind::Call => self.trace.stack_kind.next = 2.into(),
            StackKind::Break => self.trace.stack_kind.next = 3.into(),
            _ => self.trace.stack_kind.next = 0.into(),
        }
        self.trace.stack_mask.next = self.event_entry.val().mask;
        self.trace.stack_pc.next = self.event_entry.val().pc;
        self.trace.next_valid.next = self.resolved.val().valid;
        self.trace.next_tag.next = self.resolved.val().tag;
        self.trace.next_ended.next = self.resolved.val().ended;
        self.trace.next_pc.next = self.resolved.val().pc;
        self.trace.next_active.next = self.resolved.val().active;
    }
}
