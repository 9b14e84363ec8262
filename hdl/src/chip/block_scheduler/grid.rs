//! Work done once per grid: the tables of warps and thread indices, and the grid's start and end.

use super::dispatch::SmSummary;
use super::{
    thread_index_sum, BlockPosition, BlockScheduler, DispatchState, SlotPlace, ThreadIndex, WarpPlace, WarpWalk,
};
use hdlkit::prelude::*;

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// Counts the first threads' indices, one a cycle, up to thread LANES, which is the step. True when the step has
    /// been found.
    #[hdl_part]
    pub(super) fn count_thread_indices(&mut self) -> Bit {
        let tids = self.tids.q.val();
        let ready = tids.count == LANES as u64;
        let block_x = self.grid.shape.val().block_x.resize::<12>();
        let block_y = self.grid.shape.val().block_y.resize::<12>();
        let one_thread = ThreadIndex { x: 1.into(), ..Default::default() };
        if !ready {
            self.tids.d.next.index =
                thread_index_sum(tids.index, one_thread, bits::<12>(1) - block_x, bits::<12>(0) - block_y);
            self.tids.d.next.count = tids.count + 1;
        }
        // These differences belong to the step one cycle after it is found. The first beat never completes earlier.
        self.tids.d.next.less_x = tids.index.x.resize::<12>() - block_x;
        self.tids.d.next.less_y = tids.index.y.resize::<12>() - block_y;
        ready
    }

    /// Walks over the warps, and writes each one's slot and rows to the tables. The walk is always ahead of the
    /// dispatch, except for the first warp, for which the dispatch waits. True while it walks.
    #[hdl_part]
    pub(super) fn walk_warps(&mut self, warps: Bits<6>) -> Bit {
        let walk = self.walk.q.val();
        let walking = walk.warp < 32 && walk.slot != self.grid.shape.val().blocks_per_sm;
        self.warp_places.write(walking, walk.warp.low::<5>(), WarpPlace { slot: walk.slot.low::<3>(), row: walk.row });
        let first = SlotPlace { warp: walk.warp.low::<5>(), shared_row: walk.shared_row };
        self.slot_places.write(walking && walk.index == 0, walk.slot.low::<3>(), first);

        let launch = self.grid.launch.val();
        let block_ends = walk.index + 1 == warps;
        if walking {
            self.walk.d.next = WarpWalk {
                warp: walk.warp + 1,
                index: if block_ends { bits(0) } else { walk.index + 1 },
                slot: if block_ends { walk.slot + 1 } else { walk.slot },
                row: walk.row + launch.registers.resize::<9>(),
                shared_row: walk.shared_row + mask(block_ends, launch.shared_rows.low::<8>()),
            };
        }
        walking
    }

    /// Starts and ends the grid, overriding the dispatch. A grid ends when all blocks have ended and the SMs are idle,
    /// after an error or an abort when the SMs are idle.
    #[hdl_part]
    pub(super) fn start_and_end_grid(&mut self, sms: SmSummary) {
        let shape = self.grid.shape.val();
        let state = self.state.q.val();
        let stopping = self.grid.abort.val() || sms.any_error;
        let completes = state == DispatchState::Pick && self.exhausted.q.val() && sms.all_empty && !stopping;
        let ends = sms.all_idle && (completes || state == DispatchState::Stop);
        let idle = state == DispatchState::Idle;
        let starts = idle && self.grid.start.val();
        self.sm_clear.next = starts;
        if ends {
            self.state.d.next = DispatchState::Idle;
        } else if starts {
            self.state.d.next = DispatchState::Pick;
            self.next_block.d.next = BlockPosition::default();
            self.exhausted.d.next =
                shape.grid_x == 0 || shape.grid_y == 0 || shape.block_threads == 0 || shape.blocks_per_sm == 0;
            self.tids.d.next.count = 0.into();
            self.tids.d.next.index = ThreadIndex::default();
            self.walk.d.next = WarpWalk::default();
            self.launching.d.next = false;
        } else if stopping && !idle {
            self.state.d.next = DispatchState::Stop;
            self.launching.d.next = false;
        }
        self.grid.running.next = !idle;
        self.grid.done.next = ends;
    }
}
