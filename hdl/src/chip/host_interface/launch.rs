//! The launch: start, abort, end of the grid, and reset.

use super::{ErrorReport, HostInterface, HostMemoryState};
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// A reset lasts until everything in flight has ended: the grid, the memory, the host's own access.
    #[hdl_part]
    pub(super) fn hold_reset(&mut self, restarts: Bit) {
        self.restarting.next = restarts;
        let in_flight =
            self.grid_running.val() || self.memory_busy.val() || self.memory_state.q.val() != HostMemoryState::Idle;
        self.resetting.d.next = self.reset.val() || (self.resetting.q.val() && in_flight);
    }

    /// STATUS and the error report at the end of the grid.
    #[hdl_part]
    pub(super) fn record_grid_end(&mut self) {
        if self.grid_done.val() {
            self.running.d.next = false;
            self.done.d.next = true;
            if self.error.val().code != 0 {
                self.report.d.next = ErrorReport {
                    error: self.error.val(),
                    warp_index: self.error_warp_index.val(),
                    sm: self.error_sm.val(),
                    block: self.error_block.val(),
                };
            }
        }
    }

    /// No size of the launch is 0.
    #[hdl_part]
    pub(super) fn is_complete(&mut self) -> Bit {
        let grid = self.grid.q.val();
        let launch = self.launch.q.val();
        grid.grid_x != 0
            && grid.grid_y != 0
            && grid.block_x != 0
            && grid.block_y != 0
            && grid.block_z != 0
            && grid.block_threads != 0
            && grid.blocks_per_sm != 0
            && launch.registers != 0
            && launch.shared_rows != 0
    }

    #[hdl_part]
    pub(super) fn start_grid(&mut self) {
        self.start.d.next = true;
        self.running.d.next = true;
        self.done.d.next = false;
        self.bus_error.d.next = false;
        self.report.d.next = ErrorReport { ..Default::default() };
    }

    /// The launch to the block scheduler and the SMs, and words to load into on-chip memories.
    #[hdl_part]
    pub(super) fn drive_launch(&mut self, restarts: Bit) {
        let stopped_by_memory = self.bus_error.q.val() && self.grid_running.val();
        self.launch_start.next = self.start.q.val();
        self.launch_abort.next = self.abort.q.val() || restarts || stopped_by_memory;
        self.launch_configuration.next = self.launch.q.val();
        self.grid_configuration.next = self.grid.q.val();
        self.load_valid.next = self.load.q.val();
        self.load_constant.next = self.load_is_constant.q.val();
        self.load_address.next = self.access_address.q.val().low::<18>();
        self.load_data.next = self.access_data.q.val();
    }

    /// The power-up values, overriding everything else.
    #[hdl_part]
    pub(super) fn reset_registers(&mut self) {
        self.launch.d.next = LaunchConfiguration { ..Default::default() };
        self.grid.d.next = GridConfiguration { ..Default::default() };
        self.acknowledge.d.next = false;
        self.refuse.d.next = false;
        self.read_data.d.next = 0.into();
        self.answers_parameter.d.next = false;
        self.start.d.next = false;
        self.abort.d.next = false;
        self.load.d.next = false;
        self.bus_error.d.next = false;
        self.running.d.next = false;
        self.done.d.next = false;
        self.report.d.next = ErrorReport { ..Default::default() };
    }
}
