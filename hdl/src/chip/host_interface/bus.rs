//! The Wishbone bus: decodes a request's window, answers it, and accesses parameters, counters and global memory.

use super::registers::{PRESENT, WRITABLE};
use super::{GridStatus, HostInterface, HostMemoryState, LOAD_BITS};
use crate::chip::counters::CounterRead;
use flexgrip_machine::host_map::*;
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// Serves a request, or refuses it if its target does not exist or does not allow the access. An access to global
    /// memory is answered later, any other in the next cycle.
    #[hdl_part]
    pub(super) fn serve_request(&mut self, request: Bit, busy: Bit, in_counters: Bit) {
        let address = self.host.address.val();
        let data = self.host.write_data.val();
        let write = self.host.write.val();

        // The addressed window.
        let aligned = address.low::<2>() == 0;
        let in_global = address.get_bit(31);
        let in_registers = address.bits::<24>(8) == 0;
        let in_parameters = address.bits::<24>(8) == (PARAMETER_BASE as u64 >> 8);
        let window = address.bits::<14>(LOAD_BITS as usize);
        let place = address.low::<18>();
        let in_instructions = window == (INSTRUCTION_BASE as u64 >> LOAD_BITS) && place <= self.instruction_last.val();
        let in_constants = window == (CONSTANT_BASE as u64 >> LOAD_BITS) && place <= self.constant_last.val();
        let number = address.bits::<6>(2);
        let in_control = in_registers && address.low::<8>() == CONTROL as u64;

        // Accesses that are accepted.
        let starts = data == CONTROL_START as u64 && self.is_complete() && !busy;
        let aborts = data == CONTROL_ABORT as u64;
        let sets_register =
            in_registers && bits::<64>(WRITABLE).get_bit(number.index()) && !busy && data <= self.greatest();
        let loads = (in_instructions || in_constants) && !busy;
        let accepts_read =
            in_parameters || in_counters || (in_registers && bits::<64>(PRESENT).get_bit(number.index()));
        let accepts_write = (in_control && (starts || aborts)) || sets_register || (in_parameters && !busy) || loads;
        let listens = request && aligned && !in_global;
        let reads = listens && !write && accepts_read;
        let writes = listens && write && accepts_write;
        let access = request && aligned && in_global && !busy;

        // The answer on the bus.
        self.answer.d.next.acknowledge = reads || writes;
        self.answer.d.next.refuse = request && !reads && !writes && !access;
        self.answer.d.next.parameter = reads && in_parameters;
        if reads || writes {
            let register = mask(in_registers, self.register_value(busy));
            let word = if in_counters { self.counter_word.val() } else { register };
            self.answer.d.next.read_data = mask(!write, word);
        }

        // The effects of an accepted access.
        if writes && sets_register {
            self.write_register();
        }
        let controls = writes && in_control;
        self.answer.d.next.start = controls && starts;
        self.answer.d.next.abort = controls && !starts && busy;
        self.answer.d.next.load = writes && loads;
        if controls && starts {
            self.status.d.next = GridStatus { running: true, ..Default::default() };
        }
        self.access_parameters(writes && in_parameters);
        if writes && loads {
            self.access_constant.d.next = in_constants;
        }
        if request {
            self.access_address.d.next = address;
            self.access_data.d.next = data;
            self.access_write.d.next = write;
        }
        if access {
            self.abandoned.d.next = false;
            self.memory_state.d.next = HostMemoryState::Request;
        }
    }

    /// Drives the answer on the bus, and the interrupt.
    #[hdl_part]
    pub(super) fn drive_bus(&mut self) {
        let answer = self.answer.q.val();
        self.host.read_data.next = if answer.parameter { self.parameters[1].read_data.val() } else { answer.read_data };
        self.host.acknowledge.next = answer.acknowledge;
        self.host.error.next = answer.refuse;
        self.interrupt.next = self.status.q.val().done;
    }

    /// Accesses the parameters. They are kept in two memories with the same contents: the block scheduler reads one,
    /// the host the other.
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

    /// Selects the counter to read: CYCLES, or a counter of an SM. True if the address is in an SM's counters.
    #[hdl_part]
    pub(super) fn select_counter(&mut self) -> Bit {
        let address = self.host.address.val();
        let offset = address.low::<8>();
        let sm = address.bits::<3>(8);
        let in_counters = address.bits::<21>(11) == (COUNTER_BASE as u64 >> 11)
            && sm <= self.last_sm.val()
            && offset <= (8 * SM_COUNTERS as u64 - 4);
        let is_cycles = address.bits::<24>(8) == 0 && (offset == CYCLES as u64 || offset == CYCLES_HIGH as u64);
        // The counters' inputs change only for a counter read. They do not depend on whether the read is accepted: the
        // path there and back is long.
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

    /// Makes the host's access to global memory, until the memory has taken a write or answered a read. A host that no
    /// longer waits gets no acknowledge.
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
        // This overrides the start, which clears it: the failing access may belong to the grid.
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
