//! The launch: start, abort, end of the grid, and reset.

use super::{HostInterface, HostMemoryState};
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// A reset lasts until everything in flight has ended: the grid, the memory, the host's own access.
    #[hdl_part]
    pub(super) fn hold_reset(&mut self) {
        self.restarts.next = self.reset.val() || self.resetting.q.val();
        self.restarting.next = self.restarts.val();
        self.resetting.d.next = self.reset.val()
            || (self.resetting.q.val()
                && (self.grid_running.val()
                    || self.memory_busy.val()
                    || (self.memory_state.q.val() != HostMemoryState::Idle)));
        self.stopped_by_memory.next = self.bus_error.q.val() && self.grid_running.val();
    }

    /// STATUS and the error report at the end of the grid.
    #[hdl_part]
    pub(super) fn record_grid_end(&mut self) {
        self.busy.next = self.running.q.val() || self.grid_running.val();
        self.failed.next = self.error.val().code != 0;
        if self.grid_done.val() {
            self.running.d.next = false;
            self.done.d.next = true;
            if self.failed.val() {
                self.fault.d.next = self.error.val();
                self.fault_index.d.next = self.error_warp_index.val();
                self.fault_sm.d.next = self.error_sm.val();
                self.fault_block.d.next = self.error_block.val();
            }
        }
    }

    /// A write to CONTROL: start, if no size of the launch is 0, or abort.
    #[hdl_part]
    pub(super) fn control_grid(&mut self) {
        if self.grid.q.val().grid_x == 0 {
            self.complete.next = false;
        }
        if self.grid.q.val().grid_y == 0 {
            self.complete.next = false;
        }
        if self.grid.q.val().block_x == 0 {
            self.complete.next = false;
        }
        if self.grid.q.val().block_y == 0 {
            self.complete.next = false;
        }
        if self.grid.q.val().block_z == 0 {
            self.complete.next = false;
        }
        if self.grid.q.val().block_threads == 0 {
            self.complete.next = false;
        }
        if self.grid.q.val().blocks_per_sm == 0 {
            self.complete.next = false;
        }
        if self.launch.q.val().registers == 0 {
            self.complete.next = false;
        }
        if self.launch.q.val().shared_rows == 0 {
            self.complete.next = false;
        }

        if (self.host.write_data.val() == self.control_start.val()) && self.complete.val() && !self.busy.val() {
            self.accept.next = true;
            self.start.d.next = true;
            self.running.d.next = true;
            self.done.d.next = false;
            self.bus_error.d.next = false;
            self.fault.d.next = self.no_fault.val();
            self.fault_index.d.next = 0.into();
            self.fault_sm.d.next = 0.into();
            self.fault_block.d.next = 0.into();
        } else if self.host.write_data.val() == self.control_abort.val() {
            self.accept.next = true;
            self.abort.d.next = self.busy.val();
        }
    }

    /// The launch to the block scheduler and the SMs, and words to load into on-chip memories.
    #[hdl_part]
    pub(super) fn drive_launch(&mut self) {
        self.launch_start.next = self.start.q.val();
        self.launch_abort.next = self.abort.q.val() || self.restarts.val() || self.stopped_by_memory.val();
        self.launch_configuration.next = self.launch.q.val();
        self.grid_configuration.next = self.grid.q.val();
        self.load_valid.next = self.load.q.val();
        self.load_constant.next = self.load_is_constant.q.val();
        self.load_address.next = self.access_address.q.val().get_bits::<18>(0);
        self.load_data.next = self.access_data.q.val();
    }

    /// A reset gives all registers their power-up values, overriding everything above.
    #[hdl_part]
    pub(super) fn reset_registers(&mut self) {
        if self.restarts.val() {
            self.launch.d.next = self.no_launch.val();
            self.grid.d.next = self.no_grid.val();
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
            self.fault.d.next = self.no_fault.val();
            self.fault_index.d.next = 0.into();
            self.fault_sm.d.next = 0.into();
            self.fault_block.d.next = 0.into();
        }
    }
}
