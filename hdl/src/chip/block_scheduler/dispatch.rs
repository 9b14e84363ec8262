//! Dispatch of blocks: chooses an SM, initialises its shared memory, launches its warps.

use super::{BlockPosition, BlockScheduler, BlockSetup, DispatchState, SlotPlace, WarpSetup};
use crate::bundles::WarpLaunch;
use crate::memory::shared::SharedInit;
use hdlkit::prelude::*;

/// Summary of all SMs in a cycle.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SmSummary {
    /// The SM that gets the next block, one-hot; 0 while all are full.
    pub chosen: Bits<8>,
    /// The chosen SM's lowest free slot.
    pub slot: Bits<3>,
    /// A warp of the chosen SM ends.
    pub ending: Bit,
    pub all_empty: Bit,
    pub all_idle: Bit,
    pub any_error: Bit,
    /// The target SM takes a beat of R0; it takes a launch.
    pub init_taken: Bit,
    pub launch_taken: Bit,
}

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// Number of the last beat of a warp's R0.
    const LAST_BEAT: u64 = 32 / LANES as u64 - 1;

    /// Summarises the SMs. Among the SMs with a free slot, the one with the fewest blocks is chosen, on a tie the
    /// lowest.
    #[hdl_part]
    pub(super) fn observe_sms(&mut self) -> SmSummary {
        let mut fewest = bits::<4>(8);
        let mut sms = SmSummary { all_empty: true, all_idle: !self.memory_busy.val(), ..Default::default() };
        for s in 0..SMS {
            if self.slots[s].free.val() && self.slots[s].blocks.val() < fewest {
                fewest = self.slots[s].blocks.val();
                sms.chosen = bits::<8>(1 << s);
                sms.slot = self.slots[s].free_slot.val();
                sms.ending = self.sm[s].ended.val().valid;
            }
            sms.all_empty = sms.all_empty && self.slots[s].blocks.val() == 0;
            sms.all_idle = sms.all_idle && self.sm[s].idle.val();
            sms.any_error = sms.any_error || self.sm[s].error.val();
            sms.init_taken = sms.init_taken || (self.offer.q.val().get_bit(s) && self.sm[s].init_ready.val());
            let launches = self.launch_target.q.val().get_bit(s) && self.sm[s].launch_ready.val();
            sms.launch_taken = sms.launch_taken || launches;
        }
        sms
    }

    /// Gives the next block to the chosen SM, and advances the coordinates to the block after it.
    #[hdl_part]
    fn pick_block(&mut self, chosen: Bits<8>, place: SlotPlace) {
        let shape = self.grid.shape.val();
        let position = self.next_block.q.val();
        let row_ends = position.x + 1 == shape.grid_x;
        self.next_block.d.next = BlockPosition {
            x: if row_ends { bits::<16>(0) } else { position.x + 1 },
            y: if row_ends { position.y + 1 } else { position.y },
            number: position.number + 1,
        };
        if row_ends {
            self.exhausted.d.next = position.y + 1 == shape.grid_y;
        }
        self.block.d.next = BlockSetup {
            target: chosen,
            position,
            shared_row: place.shared_row,
            row: place.shared_row,
            rows_left: self.grid.launch.val().shared_rows,
            word: bits(0),
        };
        self.warp.d.next =
            WarpSetup { warp: place.warp, index: bits(0), threads_left: shape.block_threads, beat: bits(0) };
        self.state.d.next = DispatchState::Clear;
    }

    /// Launches the warp whose last beat of R0 has been taken, and advances to the next warp.
    #[hdl_part]
    fn launch_warp(&mut self, warps: Bits<6>) {
        let place = self.warp_places.read_data.val();
        let block = self.block.q.val();
        let warp = self.warp.q.val();
        // The last warp of a block may have fewer than 32 threads.
        let missing =
            if warp.threads_left >= 32 { bits::<32>(0) } else { Bits::<32>::ONES << warp.threads_left.low::<5>() };
        self.launching.d.next = true;
        self.launch_target.d.next = block.target;
        self.launch.d.next = WarpLaunch {
            warp: warp.warp,
            mask: !missing,
            row: place.row,
            shared_row: block.shared_row,
            block: block.position.number,
            index: warp.index.low::<5>(),
            slot: place.slot,
            block_warps: warps,
        };
        self.warp.d.next = WarpSetup {
            warp: warp.warp + 1,
            index: warp.index + 1,
            threads_left: warp.threads_left - 32,
            beat: bits(0),
        };
    }

    /// Dispatches a block: picks its SM, clears its rows, writes its words, launches its warps. True if the chosen SM
    /// gets the block in this cycle.
    #[hdl_part]
    pub(super) fn dispatch(&mut self, warps: Bits<6>, tids_ready: Bit, sms: SmSummary) -> Bit {
        let state = self.state.q.val();
        let block = self.block.q.val();
        let warp = self.warp.q.val();

        // No pick in a cycle in which a warp of the chosen SM ends, because the SM's slots change then.
        let place = self.slot_places.read(sms.slot);
        let may_pick = state == DispatchState::Pick && !self.exhausted.q.val() && self.walk.q.val().warp != 0;
        let takes = may_pick && sms.chosen.any() && !sms.ending;

        // States Words and Warps.
        let last_word = block.word == self.grid.shape.val().parameter_count + 3;
        let beat_done = state == DispatchState::Warps && sms.init_taken;
        let warp_done = beat_done && warp.beat == Self::LAST_BEAT;
        let block_done = warp_done && warp.index + 1 == warps;
        let beat = if beat_done { warp.beat + 1 } else { warp.beat };
        let next_beat = mask(!warp_done, beat);
        self.warp.d.next.beat = next_beat;
        for i in 0..LANES {
            self.lanes[i].lane.next = bits(i as u64);
            self.lanes[i].tids.next = self.tids.q.val();
            self.lanes[i].setup.next = !tids_ready;
            self.lanes[i].step.next = beat_done;
            self.lanes[i].restart.next = block_done;
        }

        if sms.launch_taken || state == DispatchState::Stop {
            self.launching.d.next = false;
        }
        match state {
            DispatchState::Pick => {
                if takes {
                    self.pick_block(sms.chosen, place);
                }
            }
            DispatchState::Clear => {
                self.block.d.next.row = block.row + 1;
                self.block.d.next.rows_left = block.rows_left - 1;
                if block.rows_left == 1 {
                    self.state.d.next = DispatchState::Words;
                }
            }
            DispatchState::Words => {
                self.block.d.next.word = block.word + 1;
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

        // Offers a beat of R0 in the next cycle. The last beat of a warp waits until the launch register is free.
        let next_warps = match state {
            DispatchState::Words => last_word,
            DispatchState::Warps => !block_done,
            _ => false,
        };
        let next_launching = warp_done || (self.launching.q.val() && !sms.launch_taken);
        let stopping = self.grid.abort.val() || sms.any_error;
        let offers = next_warps && tids_ready && !stopping && !(next_launching && next_beat == Self::LAST_BEAT);
        self.offer.d.next = mask(offers, block.target);
        takes
    }

    /// Returns the initialisation of a block's shared memory: in state Clear a row of zeros, in Words a word of the
    /// header or a parameter.
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
