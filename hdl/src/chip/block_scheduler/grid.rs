//! Once per grid: tables of warps and thread indices, start and end of the grid.

use super::{
    thread_index_sum, BlockPosition, BlockScheduler, DispatchState, SlotPlace, ThreadIndex, WarpPlace, WarpWalk,
};
use hdlkit::prelude::*;

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// The first threads' indices, one a cycle: `tid` is that of thread `tid_count`, up to thread LANES, which is the step.
    /// True when the step is there.
    #[hdl_part]
    pub(super) fn count_thread_indices(&mut self) -> Bit {
        let ready = self.tid_count.q.val() == LANES as u64;
        let tid = self.tid.q.val();
        let block_x = self.grid_configuration.val().block_x.resize::<12>();
        let block_y = self.grid_configuration.val().block_y.resize::<12>();
        let one_thread = ThreadIndex { x: 1.into(), ..Default::default() };
        let next = thread_index_sum(tid, one_thread, bits::<12>(1) - block_x, bits::<12>(0) - block_y);
        if !ready {
            self.tid.d.next = next;
            self.tid_count.d.next = self.tid_count.q.val() + 1;
        }
        // Computed from the step one cycle after the step; the first beat is never done earlier.
        self.step_less_x.d.next = tid.x.resize::<12>() - block_x;
        self.step_less_y.d.next = tid.y.resize::<12>() - block_y;
        ready
    }

    /// The walk over the warps puts each one's slot and rows into the tables. It is always ahead of the dispatch, except
    /// for the first warp. True while it walks.
    #[hdl_part]
    pub(super) fn walk_warps(&mut self, warps: Bits<6>) -> Bit {
        let walk = self.walk.q.val();
        let walking = walk.warp < 32 && walk.slot != self.grid_configuration.val().blocks_per_sm;
        self.warp_places.write_enable.next = walking;
        self.warp_places.write_address.next = walk.warp.low::<5>();
        self.warp_places.write_data.next = WarpPlace { slot: walk.slot.low::<3>(), row: walk.row };
        self.slot_places.write_enable.next = walking && walk.index == 0;
        self.slot_places.write_address.next = walk.slot.low::<3>();
        self.slot_places.write_data.next = SlotPlace { warp: walk.warp.low::<5>(), shared_row: walk.shared_row };

        let launch = self.launch_configuration.val();
        if walking {
            self.walk.d.next.warp = walk.warp + 1;
            self.walk.d.next.row = walk.row + launch.registers.resize::<9>();
            if walk.index + 1 == warps {
                self.walk.d.next.index = 0.into();
                self.walk.d.next.slot = walk.slot + 1;
                self.walk.d.next.shared_row = walk.shared_row + launch.shared_rows.low::<8>();
            } else {
                self.walk.d.next.index = walk.index + 1;
            }
        }
        walking
    }

    /// The grid's start and end, overriding the dispatch's decisions. An error or an abort stops the grid.
    #[hdl_part]
    pub(super) fn start_and_end_grid(&mut self, ends: Bit, stopping: Bit) {
        let grid = self.grid_configuration.val();
        let idle = self.state.q.val() == DispatchState::Idle;
        let starts = idle && self.launch_start.val();
        self.sm_clear.next = starts;
        if ends {
            self.state.d.next = DispatchState::Idle;
        } else if starts {
            self.state.d.next = DispatchState::Pick;
            self.exhausted.d.next =
                grid.grid_x == 0 || grid.grid_y == 0 || grid.block_threads == 0 || grid.blocks_per_sm == 0;
            self.next_block.d.next = BlockPosition { ..Default::default() };
            self.tid_count.d.next = 0.into();
            self.tid.d.next = ThreadIndex { ..Default::default() };
            self.walk.d.next = WarpWalk { ..Default::default() };
            self.launching.d.next = false;
        } else if stopping && !idle {
            self.state.d.next = DispatchState::Stop;
            self.launching.d.next = false;
        }
        self.grid_running.next = !idle;
        self.grid_done.next = ends;
    }
}
