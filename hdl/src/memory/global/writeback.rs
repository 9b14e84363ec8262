//! l: loaded beats to writeback, a register at a time.

use super::GlobalMemoryUnit;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The next register to write back: a further register of the beat that has already delivered its first, if there
    /// is one, else the first register of the beat that has just become complete.
    #[hdl_part]
    pub(super) fn offer_loaded_register(&mut self) {
        self.l_present.next = self.later_valid.q.val() || self.loaded_complete.q.val();
        self.l_take.next = self.l_present.val() && self.l_ready.val();
        self.l_first.next = self.l_take.val() && !self.later_valid.q.val();
        self.l_beat.next = self.loaded.q.val();
        if self.later_valid.q.val() {
            self.l_beat.next = self.later.q.val();
        }
        self.l_more.next = self.l_beat.val().parts.any();
        self.l_valid.next = self.l_present.val();
        self.l_write.next = self.l_beat.val().control;
        self.l_next.next = self.l_write.val();
        self.l_write.next.valid = self.l_present.val();
        self.l_control.next = self.l_write.val();
        self.l_mask.next = self.l_beat.val().mask;
    }

    /// Removes that register from the beat: its further registers move to the place for `later`, and the next beat's
    /// responses can come in.
    #[hdl_part]
    pub(super) fn keep_further_registers(&mut self) {
        self.l_next.next.row = self.l_write.val().row + 1;
        self.l_next.next.register = self.l_write.val().register + 1;
        self.l_next.next.halves = 0.into();
        if self.l_beat.val().further.get_bit(0) {
            self.l_next.next.halves = 3.into();
        }
        self.l_next.next.fill = self.l_beat.val().further_fill.get_bit(0);
        self.l_rest.next.control = self.l_next.val();
        self.l_rest.next.mask = self.l_beat.val().mask;
        self.l_rest.next.parts = self.l_beat.val().parts - 1;
        self.l_rest.next.further = self.l_beat.val().further >> 1;
        self.l_rest.next.further_fill = self.l_beat.val().further_fill >> 1;
        if self.l_take.val() {
            self.later.d.next = self.l_rest.val();
            self.later_valid.d.next = self.l_more.val();
            self.later_part.d.next = 0.into();
            if self.l_more.val() {
                self.later_part.d.next = self.later_part.q.val() + 1;
            }
        }
        self.load_data.keep.next = self.l_first.val();
        self.load_data.part.next = self.later_part.q.val();
        for i in 0..LANES {
            self.l_data[i].next = self.load_data.lane[i].val();
        }
    }
}
