//! The initial contents of a block's shared memory: rows of zeros, the header, the parameters.

use super::{BlockScheduler, DispatchState};
use crate::memory::shared::SharedInit;
use hdlkit::prelude::*;

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// In state Clear a row of zeros, in Words a word of the header or a parameter.
    #[hdl_part]
    pub(super) fn shared_init(&mut self) -> SharedInit {
        let state = self.state.q.val();
        let clear = state == DispatchState::Clear;
        let block = self.block.q.val();
        let word_address = (block.shared_row.resize::<14>() << 6) + (block.word.resize::<14>() << 2);

        // The header: the block's shape, the grid's, and the block's position in the grid.
        let shape = self.grid.shape.val();
        let (low, high) = match block.word.index() {
            1 => (shape.block_y.resize::<16>(), shape.block_z.resize::<16>()),
            2 => (shape.grid_x, shape.grid_y),
            3 => (block.position.x, block.position.y),
            _ => (bits::<16>(0), shape.block_x.resize::<16>()),
        };
        let header: Bits<32> = high.concat(low);
        self.grid.parameter_index.next = (block.word - 3).low::<6>();
        SharedInit {
            valid: clear || state == DispatchState::Words,
            clear,
            address: if clear { block.row.resize::<14>() << 6 } else { word_address },
            data: if block.word > 3 { self.grid.parameter_word.val() } else { header },
        }
    }
}
