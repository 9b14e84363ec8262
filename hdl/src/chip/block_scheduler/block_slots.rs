//! The block slots of an SM.

use hdlkit::prelude::*;

/// The block slots of one SM: which are free, and how many warps the others still hold.
///
/// ```text
/// cycle        t                                        t+1
/// take         `free_slot` gets a block of `warps`      the slot is busy
/// warp_ended   with the last warp of a slot's block     the slot is free
/// ```
#[circuit]
pub struct BlockSlots {
    pub clock: Signal<In, Clock>,
    /// A grid begins: all slots become free except the missing ones.
    pub clear: Signal<In, Bit>,
    /// Slots that no block fits into, a bit each. They stay busy.
    pub missing: Signal<In, Bits<8>>,
    // The walk: warp `place_warp` belongs to slot `place_slot`.
    pub place_enable: Signal<In, Bit>,
    pub place_warp: Signal<In, Bits<5>>,
    pub place_slot: Signal<In, Bits<3>>,
    /// The lowest free slot gets a block. Not in a cycle in which a warp ends.
    pub take: Signal<In, Bit>,
    /// Warps of a block, 1 to 32.
    pub warps: Signal<In, Bits<6>>,
    /// A warp has ended, at most one per cycle.
    pub warp_ended: Signal<In, Bit>,
    pub warp_ended_index: Signal<In, Bits<5>>,
    /// A slot is free.
    pub free: Signal<Out, Bit>,
    /// The lowest free slot.
    pub free_slot: Signal<Out, Bits<3>>,
    /// Blocks that have not ended, 0 to 8.
    pub blocks: Signal<Out, Bits<4>>,

    busy: DFF<Bits<8>>,
    count: DFF<Bits<4>>,
    /// Warps of the slot's block that have not ended.
    remaining: LutRam<3, Bits<6>>,
    slot_of: LutRam<5, Bits<3>>,
    one_slot: Constant<Bits<8>>,
    lowest: Signal<Local, Bits<3>>,
    taken: Signal<Local, Bits<8>>,
    freed: Signal<Local, Bits<8>>,
    kept: Signal<Local, Bits<8>>,
    not_freed: Signal<Local, Bits<8>>,
    ended_slot: Signal<Local, Bits<3>>,
    ended_left: Signal<Local, Bits<6>>,
}

impl BlockSlots {
    /// The slots of an SM without blocks.
    pub fn new() -> Self {
        BlockSlots {
            one_slot: Constant::new(Bits::new(1)),
            ..Default::default()
        }
    }
}

impl Logic for BlockSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.slot_of.write_address.next = self.place_warp.val();
        self.slot_of.write_data.next = self.place_slot.val();
        self.slot_of.write_enable.next = self.place_enable.val();

        // The lowest free slot.
        self.lowest.next = 7.into();
        if !self.busy.q.val().get_bit(0) {
            self.lowest.next = 0.into();
        } else if !self.busy.q.val().get_bit(1) {
            self.lowest.next = 1.into();
        } else if !self.busy.q.val().get_bit(2) {
            self.lowest.next = 2.into();
        } else if !self.busy.q.val().get_bit(3) {
            self.lowest.next = 3.into();
        } else if !self.busy.q.val().get_bit(4) {
            self.lowest.next = 4.into();
        } else if !self.busy.q.val().get_bit(5) {
            self.lowest.next = 5.into();
        } else if !self.busy.q.val().get_bit(6) {
            self.lowest.next = 6.into();
        }
        self.free.next = !self.busy.q.val().all();
        self.free_slot.next = self.lowest.val();
        self.blocks.next = self.count.q.val();

        // A warp has ended; if it was the last one of its block, the slot is free.
        self.slot_of.read_address.next = self.warp_ended_index.val();
        self.ended_slot.next = self.slot_of.read_data.val();
        self.remaining.read_address.next = self.ended_slot.val();
        self.ended_left.next = self.remaining.read_data.val() - 1;
        self.remaining.write_address.next = self.ended_slot.val();
        self.remaining.write_data.next = self.ended_left.val();
        self.remaining.write_enable.next = self.warp_ended.val();
        self.taken.next = 0.into();
        self.freed.next = 0.into();
        if self.take.val() {
            self.taken.next = self.one_slot.val() << self.lowest.val();
            self.count.d.next = self.count.q.val() + 1;
            self.remaining.write_address.next = self.lowest.val();
            self.remaining.write_data.next = self.warps.val();
            self.remaining.write_enable.next = true;
        } else if self.warp_ended.val() && (self.ended_left.val() == 0) {
            self.freed.next = self.one_slot.val() << self.ended_slot.val();
            self.count.d.next = self.count.q.val() - 1;
        }
        self.kept.next = self.busy.q.val() | self.taken.val();
        self.not_freed.next = !self.freed.val();
        self.busy.d.next = self.kept.val() & self.not_freed.val();
        if self.clear.val() {
            self.busy.d.next = self.missing.val();
            self.count.d.next = 0.into();
        }
    }
}
