//! The windows of the map: parameters, counters, global memory.

use super::{HostInterface, HostMemoryState};
use flexgrip_machine::host_map::*;
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// The parameters are kept in two memories: one read by the block scheduler, one by the host. Both get every write.
    #[hdl_part]
    pub(super) fn access_parameters(&mut self, write: Bit) {
        let place = self.host.address.val().bits::<6>(2);
        self.parameters.read_enable.next = true;
        self.parameters.read_address.next = self.parameter_index.val();
        self.parameter_word.next = self.parameters.read_data.val();
        self.parameters.write_address.next = place;
        self.parameters.write_data.next = self.host.write_data.val();
        self.parameters.write_enable.next = write.fill::<1>();
        self.host_parameters.read_enable.next = true;
        self.host_parameters.read_address.next = place;
        self.host_parameters.write_address.next = place;
        self.host_parameters.write_data.next = self.host.write_data.val();
        self.host_parameters.write_enable.next = write.fill::<1>();
    }

    /// Selects the counter to read, CYCLES or one of an SM's. True if the address is that of an SM's counter.
    #[hdl_part]
    pub(super) fn select_counter(&mut self) -> Bit {
        let address = self.host.address.val();
        let offset = address.low::<8>();
        let sm = address.bits::<3>(8);
        let in_counters = address.bits::<21>(11) == (COUNTER_BASE as u64 >> 11)
            && sm <= self.last_sm.val()
            && offset <= (8 * SM_COUNTERS as u64 - 4);
        let is_cycles = address.bits::<24>(8) == 0 && (offset == CYCLES as u64 || offset == CYCLES_HIGH as u64);
        // The counters' inputs change only for a counter read. They do not wait to learn whether the read will be
        // answered: the path there and back is long.
        let reads =
            self.host.cycle.val() && self.host.strobe.val() && !self.host.write.val() && (in_counters || is_cycles);
        self.counter_read.next = reads;
        self.counter_of_sm.next = reads && in_counters;
        self.counter_sm.next = mask(reads, sm);
        // CYCLES is at an odd word index in its page; its high word is the next one.
        self.counter_index.next = mask(reads, address.bits::<6>(2));
        in_counters
    }

    /// The host's access to global memory, until the memory has taken it or answered. A host that no longer waits gets
    /// no acknowledge.
    #[hdl_part]
    pub(super) fn access_global_memory(&mut self, selected: Bit) {
        let waits = selected && !self.abandoned.q.val();
        let requests = self.memory_state.q.val() == HostMemoryState::Request;
        let awaits = self.memory_state.q.val() == HostMemoryState::Response;
        if (requests || awaits) && !selected {
            self.abandoned.d.next = true;
        }
        if requests && self.host_memory_request_ready.val() {
            if self.access_write.q.val() {
                self.memory_state.d.next = HostMemoryState::Idle;
                self.acknowledge.d.next = waits;
            } else {
                self.memory_state.d.next = HostMemoryState::Response;
            }
        }
        if awaits && self.host_memory_response_valid.val() {
            self.memory_state.d.next = HostMemoryState::Idle;
            self.read_data.d.next = self.host_memory_response_data.val();
            if waits {
                self.acknowledge.d.next = !self.memory_error.val();
                self.refuse.d.next = self.memory_error.val();
            }
        }
        // After the start, which clears it: the failing access may belong to the grid.
        if self.memory_error.val() {
            self.bus_error.d.next = true;
        }
        self.host_memory_request_valid.next = requests;
        self.host_memory_request_address.next = self.access_address.q.val() & 0x7fff_ffff;
        self.host_memory_request_data.next = self.access_data.q.val();
        self.host_memory_request_write.next = self.access_write.q.val();
    }
}
