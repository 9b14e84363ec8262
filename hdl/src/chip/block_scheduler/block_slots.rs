//! The block slots of an SM.

use crate::bundles::WarpSelect;
use crate::count::up_down;
use hdlkit::prelude::*;

/// The block slots of one SM: tracks the free ones, and the warps of each block that have not ended.
///
/// ```text
/// cycle        t                                        t+1
/// take         `free_slot` gets a block of `warps`      the slot is busy
/// ended        with the last warp of a slot's block     the slot is free
/// ```
#[circuit]
pub struct BlockSlots {
    pub clock: Signal<In, Clock>,
    /// A grid begins: all slots become free except the missing ones.
    pub clear: Signal<In, Bit>,
    /// Slots that do not exist in this grid, a bit each. They stay busy.
    pub missing: Signal<In, Bits<8>>,
    // The walk over the warps: warp `place_warp` belongs to slot `place_slot`.
    pub place_enable: Signal<In, Bit>,
    pub place_warp: Signal<In, Bits<5>>,
    pub place_slot: Signal<In, Bits<3>>,
    /// The lowest free slot gets a block. Never set in a cycle in which a warp ends.
    pub take: Signal<In, Bit>,
    /// Warps of a block, 1 to 32.
    pub warps: Signal<In, Bits<6>>,
    /// A warp has ended, at most one per cycle.
    pub ended: Signal<In, WarpSelect>,
    /// A slot is free.
    pub free: Signal<Out, Bit>,
    /// The lowest free slot.
    pub free_slot: Signal<Out, Bits<3>>,
    /// Number of blocks that have not ended, 0 to 8.
    pub blocks: Signal<Out, Bits<4>>,

    busy: DFF<Bits<8>>,
    count: DFF<Bits<4>>,
    /// Number of warps of each slot's block that have not ended.
    remaining: LutRam<3, Bits<6>>,
    slot_of: LutRam<5, Bits<3>>,
}

impl Logic for BlockSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.slot_of.write(self.place_enable.val(), self.place_warp.val(), self.place_slot.val());

        // The lowest free slot; 7 if none is free.
        let busy = self.busy.q.val();
        let lowest = (!busy | 0x80).lowest_set();
        let free_slot = lowest.one_hot_index::<3>();
        self.free.next = !busy.all();
        self.free_slot.next = free_slot;
        self.blocks.next = self.count.q.val();

        // A warp has ended; if it was the last one of its block, the slot is free.
        let ended = self.ended.val();
        let ended_slot = self.slot_of.read(ended.warp);
        let left = self.remaining.read(ended_slot) - 1;
        let take = self.take.val();
        let freed = ended.valid && left == 0 && !take;
        let (slot, warps) = if take { (free_slot, self.warps.val()) } else { (ended_slot, left) };
        self.remaining.write(take || ended.valid, slot, warps);

        if self.clear.val() {
            self.busy.d.next = self.missing.val();
            self.count.d.next = 0.into();
        } else {
            self.busy.d.next = (busy | mask(take, lowest)) & !mask(freed, ended_slot.one_hot::<8>());
            self.count.d.next = up_down::<4>(self.count.q.val(), take, freed);
        }
    }
}
