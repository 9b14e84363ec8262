//! l: loaded beats to writeback, a register at a time.

use super::{GlobalMemoryUnit, LoadedBeat};
use crate::bundles::WriteControl;
use hdlkit::prelude::*;

/// The beat without its first register.
#[hdl_fn]
fn without_first(beat: LoadedBeat) -> LoadedBeat {
    let written = beat.control;
    LoadedBeat {
        control: WriteControl {
            row: written.row + 1,
            register: written.register + 1,
            halves: beat.further.get_bit(0).fill::<2>(),
            fill: beat.further_fill.get_bit(0),
            ..written
        },
        mask: beat.mask,
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
        let is_later = self.later_valid.q.val();
        let beat = if is_later { self.later.q.val() } else { self.loaded.q.val() };
        let present = is_later || self.loaded_complete.q.val();
        self.l_valid.next = present;
        self.l_control.next = WriteControl { valid: present, ..beat.control };
        self.l_mask.next = beat.mask;

        let taken = present && self.l_ready.val();
        if taken {
            self.later.d.next = without_first(beat);
            self.later_valid.d.next = beat.parts.any();
            self.later_part.d.next = mask(beat.parts.any(), self.later_part.q.val() + 1);
        }
        let first_taken = taken && !is_later;
        self.load_data.keep.next = first_taken;
        self.load_data.part.next = self.later_part.q.val();
        for i in 0..LANES {
            self.l_data[i].next = self.load_data.lane[i].val();
        }
        first_taken
    }
}
