//! The windows of the map: parameters, counters, global memory.

use super::{HostInterface, HostMemoryState};
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// The parameters are kept in two memories: one read by the block scheduler, one by the host. Both get every write.
    #[hdl_part]
    pub(super) fn access_parameters(&mut self) {
        self.parameters.read_enable.next = true;
        self.parameters.read_address.next = self.parameter_index.val();
        self.parameter_word.next = self.parameters.read_data.val();
        self.parameters.write_address.next = self.host.address.val().get_bits::<6>(2);
        self.parameters.write_data.next = self.host.write_data.val();
        self.parameters.write_enable.next = 0.into();
        self.host_parameters.read_enable.next = true;
        self.host_parameters.read_address.next = self.host.address.val().get_bits::<6>(2);
        self.host_parameters.write_address.next = self.host.address.val().get_bits::<6>(2);
        self.host_parameters.write_data.next = self.host.write_data.val();
        self.host_parameters.write_enable.next = 0.into();
        self.answers_parameter.d.next = false;
    }

    /// Selects the counter to read, CYCLES or one of an SM's.
    #[hdl_part]
    pub(super) fn select_counter(&mut self) {
        self.page_of_8.next = self.page.val().get_bits::<21>(3);
        self.page_sm.next = self.page.val().get_bits::<3>(0);
        self.in_counters.next = (self.page_of_8.val() == self.counter_pages.val())
            && (self.page_sm.val() <= self.last_sm.val())
            && (self.offset.val() <= self.at_last_counter.val());
        self.is_cycles.next =
            (self.offset.val() == self.at_cycles.val()) || (self.offset.val() == self.at_cycles_high.val());
        // The counters' inputs change only for a counter read. They do not wait to learn whether the read will be
        // answered: the path there and back is long.
        self.counter_of_sm.next = false;
        self.counter_sm.next = 0.into();
        self.counter_index.next = 0.into();
        self.counter_read.next = self.host.cycle.val()
            && self.host.strobe.val()
            && !self.host.write.val()
            && (self.in_counters.val() || ((self.page.val() == 0) && self.is_cycles.val()));
        if self.counter_read.val() {
            self.counter_of_sm.next = self.in_counters.val();
            self.counter_sm.next = self.page_sm.val();
            self.counter_index.next = self.offset.val().get_bits::<6>(2);
        }
    }

    /// A write to the parameters, or a word to load into instruction or constant memory.
    #[hdl_part]
    pub(super) fn write_window(&mut self) {
        if self.page.val() == self.parameter_page.val() {
            self.parameters.write_enable.next = 1.into();
            self.host_parameters.write_enable.next = 1.into();
            self.accept.next = true;
        } else if self.in_instruction.val() || self.in_constant.val() {
            self.load.d.next = true;
            self.load_is_constant.d.next = self.in_constant.val();
            self.accept.next = true;
        }
    }

    /// The host's access to global memory, until the memory has taken it or answered. A host that no longer waits gets
    /// no acknowledge.
    #[hdl_part]
    pub(super) fn access_global_memory(&mut self) {
        self.read_done.next = false;
        self.host_memory_request_valid.next = false;
        match self.memory_state.q.val() {
            HostMemoryState::Request => {
                self.host_memory_request_valid.next = true;
                if !self.selected.val() {
                    self.abandoned.d.next = true;
                }
                if self.host_memory_request_ready.val() {
                    if self.access_write.q.val() {
                        self.memory_state.d.next = HostMemoryState::Idle;
                        self.acknowledge.d.next = self.selected.val() && !self.abandoned.q.val();
                    } else {
                        self.memory_state.d.next = HostMemoryState::Response;
                    }
                }
            }
            HostMemoryState::Response => {
                if !self.selected.val() {
                    self.abandoned.d.next = true;
                }
                if self.host_memory_response_valid.val() {
                    self.memory_state.d.next = HostMemoryState::Idle;
                    self.read_data.d.next = self.host_memory_response_data.val();
                    self.read_done.next = self.selected.val() && !self.abandoned.q.val();
                }
            }
            _ => {}
        }
        if self.read_done.val() {
            self.acknowledge.d.next = !self.memory_error.val();
            self.refuse.d.next = self.memory_error.val();
        }
        // After the start, which clears it: the failing access may belong to the grid.
        if self.memory_error.val() {
            self.bus_error.d.next = true;
        }
        self.memory_address.next = self.access_address.q.val().get_bits::<31>(0);
        self.host_memory_request_address.next = bit_cast::<32, 31>(self.memory_address.val());
        self.host_memory_request_data.next = self.access_data.q.val();
        self.host_memory_request_write.next = self.access_write.q.val();
    }
}
