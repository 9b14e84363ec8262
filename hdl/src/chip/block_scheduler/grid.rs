//! Once per grid: values derived from the launch, tables of warps and thread indices, start and end of the grid.

use super::{BlockScheduler, DispatchState};
use hdlkit::prelude::*;

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// Values derived from the launch: warps per block, slots that do not exist, and whether there are threads at all.
    #[hdl_part]
    pub(super) fn derive_launch(&mut self) {
        self.threads_rounded.next = self.grid_configuration.val().block_threads + 31;
        self.warps.next = self.threads_rounded.val().get_bits::<6>(5);
        self.registers.next = bit_cast::<9, 8>(self.launch_configuration.val().registers);
        self.shared_rows.next = self.launch_configuration.val().shared_rows;
        self.shared_rows_low.next = self.shared_rows.val().get_bits::<8>(0);
        self.missing_slots.next = self.all_slots.val() << self.grid_configuration.val().blocks_per_sm;
        self.empty.next = (self.grid_configuration.val().grid_x == 0)
            || (self.grid_configuration.val().grid_y == 0)
            || (self.grid_configuration.val().block_threads == 0)
            || (self.grid_configuration.val().blocks_per_sm == 0);
    }

    /// The first threads' indices, one a cycle: `tid` is that of thread `tid_count`, up to thread LANES, which is the
    /// step.
    #[hdl_part]
    pub(super) fn count_thread_indices(&mut self) {
        self.tids_ready.next = self.tid_count.q.val() == self.lane_count.val();
        self.tid_sum.a.next = self.tid.q.val();
        self.tid_sum.b.next = self.one_thread.val();
        self.block_x.next = bit_cast::<12, 11>(self.grid_configuration.val().block_x);
        self.block_y.next = bit_cast::<12, 11>(self.grid_configuration.val().block_y);
        self.tid_sum.less_x.next = self.one.val() - self.block_x.val();
        self.tid_sum.less_y.next = self.zero.val() - self.block_y.val();
        // Computed from the step one cycle after the step; the first beat is never done earlier.
        self.tid_x.next = bit_cast::<12, 10>(self.tid.q.val().x);
        self.tid_y.next = bit_cast::<12, 10>(self.tid.q.val().y);
        self.step_less_x.d.next = self.tid_x.val() - self.block_x.val();
        self.step_less_y.d.next = self.tid_y.val() - self.block_y.val();
        if !self.tids_ready.val() {
            self.tid.d.next = self.tid_sum.sum.val();
            self.tid_count.d.next = self.tid_count.q.val() + 1;
        }
    }

    /// The walk over the warps puts each one's slot and rows into the tables. It is always ahead of the dispatch,
    /// except for the first warp.
    #[hdl_part]
    pub(super) fn walk_warps(&mut self) {
        self.walking.next =
            (self.walk.q.val() < 32) && (self.walk_slot.q.val() != self.grid_configuration.val().blocks_per_sm);
        self.walk_index_next.next = self.walk_index.q.val() + 1;
        self.walk_place.next.slot = self.walk_slot.q.val().get_bits::<3>(0);
        self.walk_place.next.row = self.walk_row.q.val();
        self.walk_slot_place.next.warp = self.walk.q.val().get_bits::<5>(0);
        self.walk_slot_place.next.shared_row = self.walk_shared.q.val();
        self.warp_places.write_address.next = self.walk.q.val().get_bits::<5>(0);
        self.warp_places.write_data.next = self.walk_place.val();
        self.warp_places.write_enable.next = self.walking.val();
        self.slot_places.write_address.next = self.walk_slot.q.val().get_bits::<3>(0);
        self.slot_places.write_data.next = self.walk_slot_place.val();
        self.slot_places.write_enable.next = self.walking.val() && (self.walk_index.q.val() == 0);
        if self.walking.val() {
            self.walk.d.next = self.walk.q.val() + 1;
            self.walk_row.d.next = self.walk_row.q.val() + self.registers.val();
            self.walk_index.d.next = self.walk_index_next.val();
            if self.walk_index_next.val() == self.warps.val() {
                self.walk_index.d.next = 0.into();
                self.walk_slot.d.next = self.walk_slot.q.val() + 1;
                self.walk_shared.d.next = self.walk_shared.q.val() + self.shared_rows_low.val();
            }
        }
    }

    /// The grid's start and end, overriding the dispatch's decisions. An error or an abort stops the grid.
    #[hdl_part]
    pub(super) fn start_and_end_grid(&mut self) {
        self.sm_clear.next = false;
        if self.ends.val() {
            self.state.d.next = DispatchState::Idle;
        } else if self.state.q.val() == DispatchState::Idle {
            if self.launch_start.val() {
                self.sm_clear.next = true;
                self.state.d.next = DispatchState::Pick;
                self.exhausted.d.next = self.empty.val();
                self.next_x.d.next = 0.into();
                self.next_y.d.next = 0.into();
                self.next_block.d.next = 0.into();
                self.tid_count.d.next = 0.into();
                self.tid.d.next = self.no_thread.val();
                self.walk.d.next = 0.into();
                self.walk_index.d.next = 0.into();
                self.walk_slot.d.next = 0.into();
                self.walk_row.d.next = 0.into();
                self.walk_shared.d.next = 0.into();
                self.launching.d.next = false;
            }
        } else if self.stopping.val() {
            self.state.d.next = DispatchState::Stop;
            self.launching.d.next = false;
        }
    }
}
