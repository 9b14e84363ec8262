//! Dispatch of each block: choosing its SM, and launching its warps.

use super::{BlockPosition, BlockScheduler, DispatchState};
use crate::bundles::WarpLaunch;
use hdlkit::prelude::*;

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// The last beat of a warp's R0.
    const LAST_BEAT: u64 = 32 / LANES as u64 - 1;

    /// The SM that gets the next block, one bit set, none while all are full; its lowest free slot; whether one of its warps
    /// ends in this cycle. Among the SMs with a free slot it is the one with the fewest blocks, on a tie the lowest.
    #[hdl_part]
    pub(super) fn choose_sm(&mut self) -> (Bits<8>, Bits<3>, Bit) {
        let mut chosen = bits::<8>(0);
        let mut fewest = bits::<4>(8);
        let mut slot = bits::<3>(0);
        let mut ending = false;
        for s in 0..SMS {
            if self.slots[s].free.val() && self.slots[s].blocks.val() < fewest {
                chosen = bits::<8>(1 << s);
                fewest = self.slots[s].blocks.val();
                slot = self.slots[s].free_slot.val();
                ending = self.warp_ended[s].val();
            }
        }
        (chosen, slot, ending)
    }

    /// The SMs together: no blocks, nothing in flight, an error.
    #[hdl_part]
    pub(super) fn observe_sms(&mut self) -> (Bit, Bit, Bit) {
        let mut all_empty = true;
        let mut all_idle = true;
        let mut any_error = false;
        for s in 0..SMS {
            all_empty = all_empty && self.slots[s].blocks.val() == 0;
            all_idle = all_idle && self.sm_idle[s].val();
            any_error = any_error || self.sm_error[s].val();
        }
        (all_empty, all_idle, any_error)
    }

    /// Whether the target SM takes R0 of a beat, and whether it takes the launch.
    #[hdl_part]
    pub(super) fn take_handshakes(&mut self) -> (Bit, Bit) {
        let mut init_taken = false;
        let mut launch_taken = false;
        for s in 0..SMS {
            init_taken = init_taken || (self.offer.q.val().get_bit(s) && self.init_ready[s].val());
            launch_taken = launch_taken || (self.launch_target.q.val().get_bit(s) && self.launch_ready[s].val());
        }
        (init_taken, launch_taken)
    }

    /// The chosen SM gets the next block; the coordinates of the one after it.
    #[hdl_part]
    pub(super) fn pick_block(&mut self, chosen: Bits<8>) {
        let grid = self.grid_configuration.val();
        let place = self.slot_places.read_data.val();
        self.target.d.next = chosen;
        let block = self.next_block.q.val();
        let row_ends = block.x + 1 == grid.grid_x;
        self.block.d.next = block;
        self.next_block.d.next = BlockPosition {
            x: if row_ends { bits::<16>(0) } else { block.x + 1 },
            y: if row_ends { block.y + 1 } else { block.y },
            number: block.number + 1,
        };
        if row_ends {
            self.exhausted.d.next = block.y + 1 == grid.grid_y;
        }
        self.warp.d.next = place.warp;
        self.shared_row.d.next = place.shared_row;
        self.row.d.next = place.shared_row;
        self.rows_left.d.next = self.launch_configuration.val().shared_rows;
        self.word.d.next = 0.into();
        self.warp_index.d.next = 0.into();
        self.threads_left.d.next = grid.block_threads;
        self.beat.d.next = 0.into();
        self.state.d.next = DispatchState::Clear;
    }

    /// Launches the warp whose last beat of R0 has been taken; the next warp follows.
    #[hdl_part]
    pub(super) fn launch_warp(&mut self, warps: Bits<6>) {
        let place = self.warp_places.read_data.val();
        let threads = self.threads_left.q.val();
        let index = self.warp_index.q.val();
        self.launching.d.next = true;
        self.launch_target.d.next = self.target.q.val();
        self.launch_bundle.d.next = WarpLaunch {
            warp: self.warp.q.val(),
            // The last warp of a block may not be full.
            mask: if threads >= 32 {
                bits::<32>(0xffff_ffff)
            } else {
                !(bits::<32>(0xffff_ffff) << threads.low::<5>())
            },
            row: place.row,
            shared_row: self.shared_row.q.val(),
            block: self.block.q.val().number,
            index: index.low::<5>(),
            slot: place.slot,
            block_warps: warps,
        };
        self.warp.d.next = self.warp.q.val() + 1;
        self.warp_index.d.next = index + 1;
        self.threads_left.d.next = threads - 32;
    }

    /// Dispatch of a block: pick its SM, clear its rows, write its words, launch its warps. Returns whether the chosen SM
    /// gets the block, whether the grid ends, and whether an error or an abort stops it.
    #[hdl_part]
    pub(super) fn dispatch(
        &mut self,
        warps: Bits<6>,
        tids_ready: Bit,
        chosen: Bits<8>,
        ending: Bit,
    ) -> (Bit, Bit, Bit) {
        let state = self.state.q.val();
        let (all_empty, all_idle, any_error) = self.observe_sms();
        let (init_taken, launch_taken) = self.take_handshakes();
        let stopping = self.launch_abort.val() || any_error;

        // Pick: not in a cycle in which a warp of that SM ends, because its slots change then. The grid ends when no block
        // is left.
        let exhausted = self.exhausted.q.val();
        let takes =
            state == DispatchState::Pick && !exhausted && chosen.any() && self.walk.q.val().warp != 0 && !ending;
        let completes = state == DispatchState::Pick && exhausted && all_empty && all_idle && !stopping;
        let ends = completes || (state == DispatchState::Stop && all_idle);

        // Words and Warps.
        let last_word = self.word.q.val() == self.grid_configuration.val().parameter_count + 3;
        let beat_done = state == DispatchState::Warps && init_taken;
        let warp_done = beat_done && self.beat.q.val() == Self::LAST_BEAT;
        let block_done = warp_done && self.warp_index.q.val() + 1 == warps;
        let next_beat = if warp_done {
            bits::<2>(0)
        } else if beat_done {
            self.beat.q.val() + 1
        } else {
            self.beat.q.val()
        };
        for i in 0..LANES {
            self.lanes[i].step.next = beat_done;
            self.lanes[i].restart.next = block_done;
        }

        self.beat.d.next = next_beat;
        if launch_taken || state == DispatchState::Stop {
            self.launching.d.next = false;
        }
        match state {
            DispatchState::Pick => {
                if takes {
                    self.pick_block(chosen);
                }
            }
            DispatchState::Clear => {
                self.row.d.next = self.row.q.val() + 1;
                self.rows_left.d.next = self.rows_left.q.val() - 1;
                if self.rows_left.q.val() == 1 {
                    self.state.d.next = DispatchState::Words;
                }
            }
            DispatchState::Words => {
                self.word.d.next = self.word.q.val() + 1;
                if last_word {
                    self.state.d.next = DispatchState::Warps;
                }
            }
            DispatchState::Warps => {
                if warp_done {
                    self.launch_warp(warps);
                }
                if block_done {
                    self.state.d.next = DispatchState::Pick;
                }
            }
            _ => {}
        }

        // Whether the next cycle offers a beat of R0. The last beat of a warp waits until the launch register is free.
        let next_warps = match state {
            DispatchState::Words => last_word,
            DispatchState::Warps => !block_done,
            _ => false,
        };
        let next_launching = warp_done || (self.launching.q.val() && !launch_taken);
        let offers = next_warps && tids_ready && !stopping && !(next_launching && next_beat == Self::LAST_BEAT);
        self.offer.d.next = mask(offers, self.target.q.val());
        (takes, ends, stopping)
    }
}
