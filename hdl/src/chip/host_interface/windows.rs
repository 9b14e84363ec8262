//! The windows of the map: parameters, counters, global memory.

use super::{HostInterface, HostMemoryState};
use crate::chip::counters::CounterRead;
use flexgrip_machine::host_map::*;
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// The parameters are kept in two memories: one read by the block scheduler, one by the host. Both get every write.
    #[hdl_part]
    pub(super) fn access_parameters(&mut self, write: Bit) {
        let place = self.host.address.val().bits::<6>(2);
        self.parameters[0].fetch(true, self.grid.parameter_index.val());
        self.parameters[1].fetch(true, place);
        for i in 0..2 {
            self.parameters[i].write(write.fill::<1>(), place, self.host.write_data.val());
        }
        self.grid.parameter_word.next = self.parameters[0].read_data.val();
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
        self.counter.next = CounterRead {
            valid: reads,
            of_sm: reads && in_counters,
            sm: mask(reads, sm),
            // CYCLES is at an odd word index in its page; its high word is the next one.
            index: mask(reads, address.bits::<6>(2)),
        };
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
        if requests && self.memory.request_ready.val() {
            if self.access_write.q.val() {
                self.memory_state.d.next = HostMemoryState::Idle;
                self.answer.d.next.acknowledge = waits;
            } else {
                self.memory_state.d.next = HostMemoryState::Response;
            }
        }
        if awaits && self.memory.response_valid.val() {
            self.memory_state.d.next = HostMemoryState::Idle;
            self.answer.d.next.read_data = self.memory.response_data[0].val();
            if waits {
                self.answer.d.next.acknowledge = !self.memory_error.val();
                self.answer.d.next.refuse = self.memory_error.val();
            }
        }
        // After the start, which clears it: the failing access may belong to the grid.
        if self.memory_error.val() {
            self.status.d.next.bus_error = true;
        }
        self.memory.request_valid.next = requests;
        self.memory.request_write.next = self.access_write.q.val();
        self.memory.request_address.next = self.access_address.q.val() & 0x7fff_ffff;
        self.memory.request_data[0].next = self.access_data.q.val();
        self.memory.request_enable[0].next = 15.into();
    }
}
