//! The launch: start, abort, end of the grid, and reset.

use super::{BusAnswer, GridStatus, HostInterface, HostMemoryState};
use crate::bundles::*;
use crate::memory::HostLoad;
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// Holds a reset until everything in flight has ended: the grid, the memory's accesses, the host's own access.
    #[hdl_part]
    pub(super) fn hold_reset(&mut self, restarts: Bit) {
        self.restarting.next = restarts;
        let accesses = self.memory_state.q.val() != HostMemoryState::Idle;
        let in_flight = self.grid.running.val() || self.memory_busy.val() || accesses;
        self.resetting.d.next = self.reset.val() || (self.resetting.q.val() && in_flight);
    }

    /// Updates STATUS and the error report at the end of the grid.
    #[hdl_part]
    pub(super) fn record_grid_end(&mut self) {
        if self.grid.done.val() {
            self.status.d.next.running = false;
            self.status.d.next.done = true;
            if self.error.val().error.code != 0 {
                self.status.d.next.report = self.error.val();
            }
        }
    }

    /// True if no size of the launch is 0.
    #[hdl_part]
    pub(super) fn is_complete(&mut self) -> Bit {
        let shape = self.shape.q.val();
        let launch = self.launch.q.val();
        shape.grid_x != 0
            && shape.grid_y != 0
            && shape.block_x != 0
            && shape.block_y != 0
            && shape.block_z != 0
            && shape.block_threads != 0
            && shape.blocks_per_sm != 0
            && launch.registers != 0
            && launch.shared_rows != 0
    }

    /// Drives the launch to the block scheduler and the SMs, and words to load into on-chip memories.
    #[hdl_part]
    pub(super) fn drive_launch(&mut self, restarts: Bit) {
        let answer = self.answer.q.val();
        let stopped_by_memory = self.status.q.val().bus_error && self.grid.running.val();
        self.grid.start.next = answer.start;
        self.grid.abort.next = answer.abort || restarts || stopped_by_memory;
        self.grid.launch.next = self.launch.q.val();
        self.grid.shape.next = self.shape.q.val();
        self.load.next = HostLoad {
            valid: answer.load,
            constant: self.access_constant.q.val(),
            address: self.access_address.q.val().low::<18>(),
            data: self.access_data.q.val(),
        };
    }

    /// Sets the registers to their power-up values, overriding everything else.
    #[hdl_part]
    pub(super) fn reset_registers(&mut self) {
        self.launch.d.next = LaunchConfiguration::default();
        self.shape.d.next = GridConfiguration::default();
        self.answer.d.next = BusAnswer::default();
        self.status.d.next = GridStatus::default();
    }
}
