//! l: loaded beats to writeback, a register at a time.

use super::{GlobalMemoryUnit, LoadedBeat};
use crate::bundles::WriteControl;
use hdlkit::prelude::*;

/// The beat without its first register; invalid if that was the last one.
#[hdl_fn]
fn without_first(beat: LoadedBeat) -> LoadedBeat {
    let written = beat.control;
    LoadedBeat {
        control: WriteControl {
            valid: beat.parts.any(),
            row: written.row + 1,
            register: written.register + 1,
            halves: beat.further.get_bit(0).fill::<2>(),
            fill: beat.further_fill.get_bit(0),
            ..written
        },
        lanes: beat.lanes,
        parts: beat.parts - 1,
        further: beat.further >> 1,
        further_fill: beat.further_fill >> 1,
    }
}

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// Offers the next register to write back: a further register of the beat that has already delivered its first, if
    /// there is one, else the first register of the beat that has just become complete. True if that one is taken: its
    /// further registers move to the place for `later`, and the next beat's responses can come in.
    #[hdl_part]
    pub(super) fn offer_loaded_register(&mut self) -> Bit {
        let later = self.later.q.val();
        let part = self.later_part.q.val();
        let beat = if later.control.valid { later } else { self.loaded.q.val() };
        self.loads.valid.next = beat.control.valid;
        self.loads.control.next = beat.control;
        self.loads.lanes.next = beat.lanes;

        let taken = beat.control.valid && self.loads.ready.val();
        if taken {
            self.later.d.next = without_first(beat);
            self.later_part.d.next = mask(beat.parts.any(), part + 1);
        }
        let first_taken = taken && !later.control.valid;
        self.load_data.keep.next = first_taken;
        self.load_data.part.next = part;
        for i in 0..LANES {
            self.loads.data[i].next = self.load_data.lane[i].val();
        }
        first_taken
    }
}
