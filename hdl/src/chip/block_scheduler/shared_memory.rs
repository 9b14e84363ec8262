//! The initial contents of a block's shared memory: rows of zeros, the header, the parameters.

use super::{BlockScheduler, DispatchState};
use hdlkit::prelude::*;

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// In state Clear a row of zeros, in Words a word of the header or a parameter.
    #[hdl_part]
    pub(super) fn write_shared_memory(&mut self) {
        let clear = self.state.q.val() == DispatchState::Clear;
        let word = self.word.q.val();
        let row = self.row.q.val().resize::<14>();
        let first_row = self.shared_row.q.val().resize::<14>();
        self.shared_init_clear.next = clear;
        self.shared_init_address.next = if clear { row << 6 } else { (first_row << 6) + (word.resize::<14>() << 2) };

        // The header: the block's shape, the grid's, and the block's position in the grid.
        let grid = self.grid_configuration.val();
        let block = self.block.q.val();
        let (low, high) = match word.index() {
            1 => (grid.block_y.resize::<16>(), grid.block_z.resize::<16>()),
            2 => (grid.grid_x, grid.grid_y),
            3 => (block.x, block.y),
            _ => (bits::<16>(0), grid.block_x.resize::<16>()),
        };
        self.shared_init_data.next =
            if word > 3 { self.parameter_word.val() } else { low.resize::<32>() | (high.resize::<32>() << 16) };
        self.parameter_index.next = (word - 3).low::<6>();
    }
}
