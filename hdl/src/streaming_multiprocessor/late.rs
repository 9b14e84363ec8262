//! Results and stores that outlive their warp.
//!
//! A warp ends when the branch unit has resolved its last instruction, whose result may still be in flight. Until it is
//! written, the registers of the warp's slot are not free. Stores from the collector may be in flight, too: their warp
//! counts as ended only after them, because the block's shared memory may then be cleared.

use super::state::{LateResults, LateStore};
use super::StreamingMultiprocessor;
use crate::bundles::*;
use crate::count::up_down;
use hdlkit::prelude::*;

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// Tracks late results from the read stage to writeback.
    #[hdl_part]
    pub(super) fn track_late_results(&mut self, to_read: Issued) {
        let late = self.late_results.q.val();
        let mut drained =
            self.memory_unit.m_idle.val() && self.special_functions.sf_idle.val() && self.read.r_idle.val();
        if self.doubles.val() {
            drained = drained && self.execute.double_events[0].val().idle;
        }
        let decoded = to_read.decoded;
        let exits = to_read.valid && decoded.exit_marker;
        let (in_queue, in_pipeline) = match decoded.unit {
            Unit::Memory => (!decoded.store, false),
            Unit::SpecialFunction => (true, false),
            _ => (false, decoded.register_enable || decoded.condition_enable),
        };
        let left = mask(late.cycles.any(), late.cycles - 1);
        let running = !self.sm_clear.val();
        self.late_results.d.next = LateResults {
            queued: running && (exits && in_queue || late.queued && !drained),
            // On the long path the fourth beat is written 13 cycles after issue, or after injection by the collector.
            cycles: mask(running, if exits && in_pipeline { bits(13) } else { left }),
            any: late.queued || late.cycles.any(),
        };
    }

    /// Reports the warps that have ended to the block scheduler. If the collector has stores at the issue of an
    /// instruction that may end its warp, the warp ends only when they are done: some may be its own.
    #[hdl_part]
    pub(super) fn end_warps(&mut self, issued: Issued, resolved: Resolved) {
        let late = self.late_store.q.val();
        let decoded = issued.decoded;
        let stored = self.collector.c_stored.val();
        let stores = up_down::<3>(self.collector.c_stores.val(), issued.valid && decoded.indexing.scatters, stored);
        let begins = issued.valid && may_end(decoded) && stores.any();
        let ends = resolved.valid && resolved.ended;
        let is_late = resolved.valid && late.valid && resolved.warp == late.warp;
        let late_ends = late.ended && !ends && !late.left.any();
        let clear = self.sm_clear.val() || late_ends;
        self.late_store.d.next = LateStore {
            valid: (late.valid || begins) && (!is_late || ends) && !clear,
            warp: if begins { issued.warp } else { late.warp },
            left: if begins { stores } else { up_down::<3>(late.left, false, stored && late.left.any()) },
            ended: !clear && (late.ended || is_late && ends),
        };
        let warp = if late_ends { late.warp } else { resolved.warp };
        self.blocks.ended.next = WarpSelect { valid: late_ends || ends && !is_late, warp };
    }
}
