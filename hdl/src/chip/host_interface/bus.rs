//! The Wishbone bus: detection of a new request, the window it is for, and its answer.

use super::{HostInterface, HostMemoryState};
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// A request is new if no answer and no access is in progress. Answers and pulses last one cycle, so each is
    /// cleared before the request may set it.
    #[hdl_part]
    pub(super) fn accept_request(&mut self) {
        self.acknowledge.d.next = false;
        self.refuse.d.next = false;
        self.start.d.next = false;
        self.abort.d.next = false;
        self.load.d.next = false;
        self.selected.next = self.host.cycle.val() && self.host.strobe.val() && !self.restarts.val();
        self.request.next = self.selected.val()
            && (self.memory_state.q.val() == HostMemoryState::Idle)
            && !self.acknowledge.q.val()
            && !self.refuse.q.val();
    }

    /// Decodes the window, and cuts the written value to the registers' widths.
    #[hdl_part]
    pub(super) fn decode_address(&mut self) {
        self.offset.next = self.host.address.val().get_bits::<8>(0);
        self.page.next = self.host.address.val().get_bits::<24>(8);
        self.window.next = self.host.address.val().get_bits::<14>(18);
        self.load_offset.next = self.host.address.val().get_bits::<18>(0);
        self.aligned.next = self.host.address.val().get_bits::<2>(0) == 0;
        self.in_instruction.next = (self.window.val() == self.instruction_window.val())
            && (self.load_offset.val() <= self.instruction_last.val());
        self.in_constant.next =
            (self.window.val() == self.constant_window.val()) && (self.load_offset.val() <= self.constant_last.val());
        self.data_4.next = self.host.write_data.val().get_bits::<4>(0);
        self.data_7.next = self.host.write_data.val().get_bits::<7>(0);
        self.data_8.next = self.host.write_data.val().get_bits::<8>(0);
        self.data_9.next = self.host.write_data.val().get_bits::<9>(0);
        self.data_11.next = self.host.write_data.val().get_bits::<11>(0);
        self.data_16.next = self.host.write_data.val().get_bits::<16>(0);
        self.data_24.next = self.host.write_data.val().get_bits::<24>(0);
    }

    /// Refuses each request unless its target exists and allows the access. An access to global memory is answered
    /// later, any other in the next cycle.
    #[hdl_part]
    pub(super) fn serve_request(&mut self) {
        self.accept.next = false;
        self.known.next = true;
        self.control.next = false;
        self.complete.next = true;
        self.answer.next = self.zero.val();
        self.most.next = self.most_word.val();
        if self.request.val() {
            self.access_address.d.next = self.host.address.val();
            self.access_data.d.next = self.host.write_data.val();
            self.access_write.d.next = self.host.write.val();
            self.refuse.d.next = true;
            if !self.aligned.val() {
                self.known.next = false;
            } else if self.host.address.val().get_bit(31) {
                if !self.busy.val() {
                    self.refuse.d.next = false;
                    self.abandoned.d.next = false;
                    self.memory_state.d.next = HostMemoryState::Request;
                }
            } else if !self.host.write.val() {
                if self.page.val() == self.parameter_page.val() {
                    self.answers_parameter.d.next = true;
                    self.accept.next = true;
                } else if self.in_counters.val() {
                    self.answer.next = self.counter_word.val();
                    self.accept.next = true;
                } else if self.page.val() == 0 {
                    self.read_register();
                }
            } else if self.page.val() == 0 {
                self.write_register();
                if self.control.val() {
                    self.control_grid();
                } else {
                    self.accept.next =
                        self.known.val() && !self.busy.val() && (self.host.write_data.val() <= self.most.val());
                    if !self.accept.val() {
                        self.launch.d.next = self.launch.q.val();
                        self.grid.d.next = self.grid.q.val();
                    }
                }
            } else if !self.busy.val() {
                self.write_window();
            }
            if self.accept.val() {
                self.acknowledge.d.next = true;
                self.refuse.d.next = false;
                self.read_data.d.next = self.answer.val();
            }
        }
    }

    /// The answer on the bus, and the interrupt.
    #[hdl_part]
    pub(super) fn drive_bus(&mut self) {
        self.host.read_data.next = self.read_data.q.val();
        if self.answers_parameter.q.val() {
            self.host.read_data.next = self.host_parameters.read_data.val();
        }
        self.host.acknowledge.next = self.acknowledge.q.val();
        self.host.error.next = self.refuse.q.val();
        self.interrupt.next = self.done.q.val();
    }
}
