//! The Wishbone bus: the window that a request is for, and its answer.

use super::registers::{PRESENT, WRITABLE};
use super::{GridStatus, HostInterface, HostMemoryState, LOAD_BITS};
use flexgrip_machine::host_map::*;
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// Refuses each request unless its target exists and allows the access. An access to global memory is answered
    /// later, any other in the next cycle.
    #[hdl_part]
    pub(super) fn serve_request(&mut self, request: Bit, busy: Bit, in_counters: Bit) {
        let address = self.host.address.val();
        let data = self.host.write_data.val();
        let write = self.host.write.val();

        // The window.
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

        // What is accepted.
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

        // The answer.
        self.answer.d.next.acknowledge = reads || writes;
        self.answer.d.next.refuse = request && !reads && !writes && !access;
        self.answer.d.next.parameter = reads && in_parameters;
        if reads || writes {
            let register = mask(in_registers, self.register_value(busy));
            let word = if in_counters { self.counter_word.val() } else { register };
            self.answer.d.next.read_data = mask(!write, word);
        }

        // What it does.
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

    /// The answer on the bus, and the interrupt.
    #[hdl_part]
    pub(super) fn drive_bus(&mut self) {
        let answer = self.answer.q.val();
        self.host.read_data.next = if answer.parameter { self.parameters[1].read_data.val() } else { answer.read_data };
        self.host.acknowledge.next = answer.acknowledge;
        self.host.error.next = answer.refuse;
        self.interrupt.next = self.status.q.val().done;
    }
}
