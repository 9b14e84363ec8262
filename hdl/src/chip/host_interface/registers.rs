//! The registers: read values and permitted writes.

use super::HostInterface;
use hdlkit::prelude::*;

impl<const LANES: usize> HostInterface<LANES> {
    /// The words of STATUS and ERROR_WARP.
    #[hdl_part]
    pub(super) fn compose_status(&mut self) {
        self.status_done.next = self.zero.val();
        if self.done.q.val() {
            self.status_done.next = self.status_ended.val();
            if self.fault.q.val().code != 0 {
                self.status_done.next = self.status_error.val();
            }
        }
        self.status.next = self.status_done.val();
        if self.busy.val() {
            self.status.next = self.status_done.val() | self.status_running.val();
        }
        if self.bus_error.q.val() {
            self.status.next = self.status.val() | self.status_bus_error.val();
        }
        self.fault_slot.next = bit_cast::<32, 5>(self.fault.q.val().warp);
        self.fault_slot_shifted.next = self.fault_slot.val() << 8;
        self.fault_number.next = bit_cast::<32, 5>(self.fault_index.q.val());
        self.fault_place.next = self.fault_slot_shifted.val() | self.fault_number.val();
    }

    /// The value of the register at `offset`, if it exists and can be read.
    #[hdl_part]
    pub(super) fn read_register(&mut self) {
        if self.offset.val() == self.at_id.val() {
            self.answer.next = self.id_value.val();
        } else if self.offset.val() == self.at_configuration.val() {
            self.answer.next = self.configuration.val();
        } else if self.offset.val() == self.at_control.val() {
            self.answer.next = self.zero.val();
        } else if self.offset.val() == self.at_status.val() {
            self.answer.next = self.status.val();
        } else if self.offset.val() == self.at_entry.val() {
            self.answer.next = bit_cast::<32, 24>(self.launch.q.val().entry);
        } else if self.offset.val() == self.at_code_end.val() {
            self.answer.next = bit_cast::<32, 24>(self.launch.q.val().code_end);
        } else if self.offset.val() == self.at_register_count.val() {
            self.answer.next = bit_cast::<32, 8>(self.launch.q.val().registers);
        } else if self.offset.val() == self.at_shared_rows.val() {
            self.answer.next = bit_cast::<32, 9>(self.launch.q.val().shared_rows);
        } else if self.offset.val() == self.at_parameter_count.val() {
            self.answer.next = bit_cast::<32, 7>(self.grid.q.val().parameter_count);
        } else if self.offset.val() == self.at_grid_x.val() {
            self.answer.next = bit_cast::<32, 16>(self.grid.q.val().grid_x);
        } else if self.offset.val() == self.at_grid_y.val() {
            self.answer.next = bit_cast::<32, 16>(self.grid.q.val().grid_y);
        } else if self.offset.val() == self.at_block_x.val() {
            self.answer.next = bit_cast::<32, 11>(self.grid.q.val().block_x);
        } else if self.offset.val() == self.at_block_y.val() {
            self.answer.next = bit_cast::<32, 11>(self.grid.q.val().block_y);
        } else if self.offset.val() == self.at_block_z.val() {
            self.answer.next = bit_cast::<32, 7>(self.grid.q.val().block_z);
        } else if self.offset.val() == self.at_block_threads.val() {
            self.answer.next = bit_cast::<32, 11>(self.grid.q.val().block_threads);
        } else if self.offset.val() == self.at_blocks_per_sm.val() {
            self.answer.next = bit_cast::<32, 4>(self.grid.q.val().blocks_per_sm);
        } else if self.offset.val() == self.at_global_end.val() {
            self.answer.next = self.launch.q.val().global_end;
        } else if self.offset.val() == self.at_coalescing.val() {
            self.answer.next = self.zero.val();
            if self.launch.q.val().strict_coalescing {
                self.answer.next = self.most_flag.val();
            }
        } else if self.offset.val() == self.at_local_base.val() {
            self.answer.next = self.launch.q.val().local_base;
        } else if self.offset.val() == self.at_local_shift.val() {
            self.answer.next = bit_cast::<32, 5>(self.launch.q.val().local_shift);
        } else if self.offset.val() == self.at_local_bytes.val() {
            self.answer.next = bit_cast::<32, 17>(self.launch.q.val().local_bytes);
        } else if self.offset.val() == self.at_unaligned_code.val() {
            self.answer.next = self.zero.val();
            if self.launch.q.val().unaligned_code {
                self.answer.next = self.most_flag.val();
            }
        } else if self.is_cycles.val() {
            // CYCLES is at an odd word index in its page; its high word is the next one.
            self.answer.next = self.counter_word.val();
        } else if self.offset.val() == self.at_error_code.val() {
            self.answer.next = bit_cast::<32, 4>(self.fault.q.val().code);
        } else if self.offset.val() == self.at_error_pc.val() {
            self.answer.next = bit_cast::<32, 24>(self.fault.q.val().pc);
        } else if self.offset.val() == self.at_error_sm.val() {
            self.answer.next = bit_cast::<32, 3>(self.fault_sm.q.val());
        } else if self.offset.val() == self.at_error_warp.val() {
            self.answer.next = self.fault_place.val();
        } else if self.offset.val() == self.at_error_block.val() {
            self.answer.next = self.fault_block.q.val();
        } else if self.offset.val() == self.at_error_address.val() {
            self.answer.next = self.fault.q.val().address;
        } else {
            self.known.next = false;
        }

        self.accept.next = self.known.val();
    }

    /// Writes the register at `offset`; `most` is the greatest value that it may have. A refused write is undone where
    /// writes are accepted.
    #[hdl_part]
    pub(super) fn write_register(&mut self) {
        if self.offset.val() == self.at_control.val() {
            self.control.next = true;
        } else if self.offset.val() == self.at_entry.val() {
            self.most.next = self.most_entry.val();
            self.launch.d.next.entry = self.data_24.val();
        } else if self.offset.val() == self.at_code_end.val() {
            self.most.next = self.most_entry.val();
            self.launch.d.next.code_end = self.data_24.val();
        } else if self.offset.val() == self.at_register_count.val() {
            self.most.next = self.most_registers.val();
            self.launch.d.next.registers = self.data_8.val();
        } else if self.offset.val() == self.at_shared_rows.val() {
            self.most.next = self.most_shared_rows.val();
            self.launch.d.next.shared_rows = self.data_9.val();
        } else if self.offset.val() == self.at_parameter_count.val() {
            self.most.next = self.most_parameters.val();
            self.grid.d.next.parameter_count = self.data_7.val();
        } else if self.offset.val() == self.at_grid_x.val() {
            self.most.next = self.most_grid.val();
            self.grid.d.next.grid_x = self.data_16.val();
        } else if self.offset.val() == self.at_grid_y.val() {
            self.most.next = self.most_grid.val();
            self.grid.d.next.grid_y = self.data_16.val();
        } else if self.offset.val() == self.at_block_x.val() {
            self.most.next = self.most_threads.val();
            self.grid.d.next.block_x = self.data_11.val();
        } else if self.offset.val() == self.at_block_y.val() {
            self.most.next = self.most_threads.val();
            self.grid.d.next.block_y = self.data_11.val();
        } else if self.offset.val() == self.at_block_z.val() {
            self.most.next = self.most_block_z.val();
            self.grid.d.next.block_z = self.data_7.val();
        } else if self.offset.val() == self.at_block_threads.val() {
            self.most.next = self.most_threads.val();
            self.grid.d.next.block_threads = self.data_11.val();
        } else if self.offset.val() == self.at_blocks_per_sm.val() {
            self.most.next = self.most_blocks.val();
            self.grid.d.next.blocks_per_sm = self.data_4.val();
        } else if self.offset.val() == self.at_global_end.val() {
            self.most.next = self.most_word.val();
            self.launch.d.next.global_end = self.host.write_data.val();
        } else if self.offset.val() == self.at_coalescing.val() {
            self.most.next = self.most_flag.val();
            self.launch.d.next.strict_coalescing = self.host.write_data.val().get_bit(0);
        } else if self.offset.val() == self.at_local_base.val() {
            self.most.next = self.most_word.val();
            self.launch.d.next.local_base = self.host.write_data.val();
        } else if self.offset.val() == self.at_local_shift.val() {
            self.most.next = self.most_local_shift.val();
            self.launch.d.next.local_shift = self.host.write_data.val().get_bits::<5>(0);
        } else if self.offset.val() == self.at_local_bytes.val() {
            self.most.next = self.most_local_bytes.val();
            self.launch.d.next.local_bytes = self.host.write_data.val().get_bits::<17>(0);
        } else if self.offset.val() == self.at_unaligned_code.val() {
            self.most.next = self.most_flag.val();
            self.launch.d.next.unaligned_code = self.host.write_data.val().get_bit(0);
        } else {
            self.known.next = false;
        }
    }
}
