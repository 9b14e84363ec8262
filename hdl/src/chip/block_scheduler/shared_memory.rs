//! The initial contents of a block's shared memory: rows of zeros, the header, the parameters.

use super::BlockScheduler;
use hdlkit::prelude::*;

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// The addresses of the row to clear and the word to write in shared memory, and the next parameter.
    #[hdl_part]
    pub(super) fn address_shared_memory(&mut self) {
        self.row_address.next = bit_cast::<14, 8>(self.row.q.val());
        self.clear_address.next = self.row_address.val() << 6;
        self.base_row.next = bit_cast::<14, 8>(self.shared_row.q.val());
        self.base_address.next = self.base_row.val() << 6;
        self.word_wide.next = bit_cast::<14, 7>(self.word.q.val());
        self.word_offset.next = self.word_wide.val() << 2;
        self.word_address.next = self.base_address.val() + self.word_offset.val();
        self.last_word.next = self.grid_configuration.val().parameter_count + 3;
        self.parameter_number.next = self.word.q.val() - 3;
        self.parameter_index.next = self.parameter_number.val().get_bits::<6>(0);
    }

    /// The four header words: the block's shape, the grid's, and the block's position in the grid.
    #[hdl_part]
    pub(super) fn compose_header(&mut self) {
        self.low_half.next = 0.into();
        self.high_half.next = bit_cast::<32, 11>(self.grid_configuration.val().block_x);
        if self.word.q.val() == 1 {
            self.low_half.next = bit_cast::<32, 11>(self.grid_configuration.val().block_y);
            self.high_half.next = bit_cast::<32, 7>(self.grid_configuration.val().block_z);
        } else if self.word.q.val() == 2 {
            self.low_half.next = bit_cast::<32, 16>(self.grid_configuration.val().grid_x);
            self.high_half.next = bit_cast::<32, 16>(self.grid_configuration.val().grid_y);
        } else if self.word.q.val() == 3 {
            self.low_half.next = bit_cast::<32, 16>(self.ctaid_x.q.val());
            self.high_half.next = bit_cast::<32, 16>(self.ctaid_y.q.val());
        }
        self.high_shifted.next = self.high_half.val() << 16;
        self.header.next = self.low_half.val() | self.high_shifted.val();
    }

    /// The data written to shared memory when the dispatch is not clearing rows: the header, then the parameters.
    #[hdl_part]
    pub(super) fn offer_shared_word(&mut self) {
        self.is_writing.next = false;
        self.shared_init_clear.next = false;
        self.shared_init_address.next = self.word_address.val();
        self.shared_init_data.next = self.header.val();
        if self.word.q.val() > 3 {
            self.shared_init_data.next = self.parameter_word.val();
        }
    }
}
