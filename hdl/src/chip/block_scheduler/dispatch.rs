//! Dispatch of each block: choosing its SM and launching its warps.

use super::{BlockScheduler, DispatchState};
use hdlkit::prelude::*;

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// The next block's SM: among those with a free slot the one with the fewest blocks, on a tie the lowest. Also the
    /// combined state of all SMs: no blocks, nothing in flight, an error.
    #[hdl_part]
    pub(super) fn choose_sm(&mut self) {
        self.chosen.next = 0.into();
        self.fewest.next = 8.into();
        self.free_slot.next = 0.into();
        self.ending.next = false;
        self.all_empty.next = true;
        self.all_idle.next = true;
        self.any_error.next = false;
        for s in 0..SMS {
            if self.slots[s].free.val() && (self.slots[s].blocks.val() < self.fewest.val()) {
                self.chosen.next = self.sm_bit[s].val();
                self.fewest.next = self.slots[s].blocks.val();
                self.free_slot.next = self.slots[s].free_slot.val();
                self.ending.next = self.warp_ended[s].val();
            }
            if self.slots[s].blocks.val() != 0 {
                self.all_empty.next = false;
            }
            if !self.sm_idle[s].val() {
                self.all_idle.next = false;
            }
            if self.sm_error[s].val() {
                self.any_error.next = true;
            }
        }
        self.slot_places.read_address.next = self.free_slot.val();
    }

    /// The threads of the warp that exist: the last warp of a block may not be full.
    #[hdl_part]
    pub(super) fn mask_threads(&mut self) {
        self.warp_places.read_address.next = self.warp.q.val();
        self.place.next = self.warp_places.read_data.val();
        self.warp_index_next.next = self.warp_index.q.val() + 1;
        self.partial.next = self.threads_left.q.val().get_bits::<5>(0);
        self.missing_threads.next = self.all_threads.val() << self.partial.val();
        self.mask.next = !self.missing_threads.val();
        if self.threads_left.q.val() >= 32 {
            self.mask.next = self.all_threads.val();
        }
    }

    /// The target SM's handshakes in this cycle, and the defaults of the dispatch's decisions.
    #[hdl_part]
    pub(super) fn take_handshakes(&mut self) {
        self.after_x.next = self.next_x.q.val() + 1;
        self.after_y.next = self.next_y.q.val() + 1;
        self.stopping.next = self.launch_abort.val() || self.any_error.val();
        self.ends.next = false;
        self.beat_done.next = false;
        self.warp_done.next = false;
        self.block_done.next = false;
        self.takes.next = false;
        self.next_beat.next = self.beat.q.val();
        self.init_taken.next = false;
        self.launch_taken.next = false;
        for s in 0..SMS {
            if self.offer.q.val().get_bit(s) && self.init_ready[s].val() {
                self.init_taken.next = true;
            }
            if self.launch_target.q.val().get_bit(s) && self.launch_ready[s].val() {
                self.launch_taken.next = true;
            }
        }
        if self.launch_taken.val() {
            self.launching.d.next = false;
        }
    }

    /// Dispatch of a block: pick its SM, clear its rows, write its words, launch its warps.
    #[hdl_part]
    pub(super) fn dispatch(&mut self) {
        match self.state.q.val() {
            DispatchState::Pick => {
                self.pick_block();
            }
            DispatchState::Clear => {
                self.is_writing.next = true;
                self.shared_init_clear.next = true;
                self.shared_init_address.next = self.clear_address.val();
                self.row.d.next = self.row.q.val() + 1;
                self.rows_left.d.next = self.rows_left.q.val() - 1;
                if self.rows_left.q.val() == 1 {
                    self.state.d.next = DispatchState::Words;
                }
            }
            DispatchState::Words => {
                self.is_writing.next = true;
                self.word.d.next = self.word.q.val() + 1;
                if self.word.q.val() == self.last_word.val() {
                    self.state.d.next = DispatchState::Warps;
                }
            }
            DispatchState::Warps => {
                self.launch_warps();
            }
            DispatchState::Stop => {
                self.ends.next = self.all_idle.val();
                self.launching.d.next = false;
            }
            _ => {}
        }
    }

    /// Hands the next block to the chosen SM and computes the coordinates of the following one, or ends the grid when
    /// none is left. Not in a cycle in which a warp of that SM ends: its slots change then.
    #[hdl_part]
    fn pick_block(&mut self) {
        if self.exhausted.q.val() {
            if self.all_empty.val() && self.all_idle.val() && !self.stopping.val() {
                self.ends.next = true;
            }
        } else if self.chosen.val().any() && (self.walk.q.val() != 0) && !self.ending.val() {
            self.takes.next = true;
            self.target.d.next = self.chosen.val();
            self.ctaid_x.d.next = self.next_x.q.val();
            self.ctaid_y.d.next = self.next_y.q.val();
            self.block_number.d.next = self.next_block.q.val();
            self.next_block.d.next = self.next_block.q.val() + 1;
            self.next_x.d.next = self.after_x.val();
            if self.after_x.val() == self.grid_configuration.val().grid_x {
                self.next_x.d.next = 0.into();
                self.next_y.d.next = self.after_y.val();
                self.exhausted.d.next = self.after_y.val() == self.grid_configuration.val().grid_y;
            }
            self.warp.d.next = self.slot_places.read_data.val().warp;
            self.shared_row.d.next = self.slot_places.read_data.val().shared_row;
            self.row.d.next = self.slot_places.read_data.val().shared_row;
            self.rows_left.d.next = self.shared_rows.val();
            self.word.d.next = 0.into();
            self.warp_index.d.next = 0.into();
            self.threads_left.d.next = self.grid_configuration.val().block_threads;
            self.beat.d.next = 0.into();
            self.state.d.next = DispatchState::Clear;
        }
    }

    /// R0 of the warp's threads, beat by beat; with the last beat the warp is launched, and the next warp follows.
    #[hdl_part]
    fn launch_warps(&mut self) {
        self.beat_done.next = self.init_taken.val();
        self.warp_done.next = self.beat_done.val() && (self.beat.q.val() == self.last_beat.val());
        self.block_done.next = self.warp_done.val() && (self.warp_index_next.val() == self.warps.val());
        if self.beat_done.val() {
            self.next_beat.next = self.beat.q.val() + 1;
        }
        if self.warp_done.val() {
            self.next_beat.next = 0.into();
            self.launching.d.next = true;
            self.launch_target.d.next = self.target.q.val();
            self.launch_bundle.d.next.warp = self.warp.q.val();
            self.launch_bundle.d.next.mask = self.mask.val();
            self.launch_bundle.d.next.row = self.place.val().row;
            self.launch_bundle.d.next.shared_row = self.shared_row.q.val();
            self.launch_bundle.d.next.block = self.block_number.q.val();
            self.launch_bundle.d.next.index = self.warp_index.q.val().get_bits::<5>(0);
            self.launch_bundle.d.next.slot = self.place.val().slot;
            self.launch_bundle.d.next.block_warps = self.warps.val();
            self.warp.d.next = self.warp.q.val() + 1;
            self.warp_index.d.next = self.warp_index_next.val();
            self.threads_left.d.next = self.threads_left.q.val() - 32;
        }
        self.beat.d.next = self.next_beat.val();
        if self.block_done.val() {
            self.state.d.next = DispatchState::Pick;
        }
    }

    /// Whether the next cycle offers a beat of R0. The last beat of a warp waits until the launch register is free.
    #[hdl_part]
    pub(super) fn offer_next_beat(&mut self) {
        self.next_warps.next = false;
        if self.state.q.val() == DispatchState::Words {
            self.next_warps.next = self.word.q.val() == self.last_word.val();
        } else if self.state.q.val() == DispatchState::Warps {
            self.next_warps.next = !self.block_done.val();
        }
        self.next_launching.next = self.warp_done.val() || (self.launching.q.val() && !self.launch_taken.val());
        self.offer.d.next = 0.into();
        if self.next_warps.val()
            && self.tids_ready.val()
            && !self.stopping.val()
            && !(self.next_launching.val() && (self.next_beat.val() == self.last_beat.val()))
        {
            self.offer.d.next = self.target.q.val();
        }
    }
}
