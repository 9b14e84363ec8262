//! The fetch stage: keeps every warp's instruction buffer filled.
//!
//! Code arrives as aligned 64-bit words: one long instruction or two short ones. Each warp has a buffer of two words;
//! the warps with room in their buffer take turns at the instruction memory, one word a cycle.
//!
//! ```text
//! cycle   f0                   f1                        f2
//!         choose a warp,       address to the memory,    word arrives, goes into
//!         its next address     next address written      the warp's buffer          offered from the cycle after f2
//! ```
//! A restart (launch, taken branch, end of a warp) empties the warp's buffer and drops its fetches in flight. A
//! restart's cycle is f0 for the first word of the new path, which is offered three cycles later. A warp in f1 is not
//! chosen again, because its next address is being written. The program's end is checked at issue, not here, so fetch
//! runs ahead freely.
//!
//! The two halves of the words are in separate memories. For an instruction that begins in the upper half of its word
//! (`f_read_odd`) the lower half is read from the following word: a long instruction has its high half there, in
//! launches that have such ones, and a short one ignores it. `f_read_both` tells whether that word has arrived; both
//! stay in their places until the first is used up, by any instruction that begins or ends in its upper half.

use crate::arbiter::RoundRobinArbiter;
use hdlkit::prelude::*;

/// A word in flight to a buffer.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FetchUnderWay {
    pub valid: Bit,
    pub warp: Bits<5>,
    /// The warp as one bit of 32; 0 if the word is no longer wanted.
    pub mask: Bits<32>,
    /// The word's index in the warp's buffer.
    pub slot: Bit,
}

/// The fetch stage.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Fetch {
    pub clock: Signal<In, Clock>,
    /// Start of a grid: all buffers empty, no warp fetches.
    pub f_clear: Signal<In, Bit>,
    // A warp continues elsewhere, or stops.
    pub f_restart: Signal<In, Bit>,
    pub f_restart_warp: Signal<In, Bits<5>>,
    pub f_restart_stop: Signal<In, Bit>,
    pub f_restart_pc: Signal<In, Bits<24>>,
    // Instruction memory: data in the cycle after the address.
    pub instruction_enable: Signal<Out, Bit>,
    pub instruction_address: Signal<Out, Bits<21>>,
    pub instruction_data: Signal<In, Bits<64>>,
    // The heads of the buffers: the warps that have one; one warp's word in the same cycle (its lower half from the
    // following word, and whether that is there); and the warp whose word is used up.
    pub f_available: Signal<Out, Bits<32>>,
    pub f_read_warp: Signal<In, Bits<5>>,
    pub f_read_odd: Signal<In, Bit>,
    pub f_read_lower: Signal<Out, Bits<32>>,
    pub f_read_upper: Signal<Out, Bits<32>>,
    pub f_read_both: Signal<Out, Bit>,
    pub f_pop: Signal<In, Bit>,
    pub f_pop_warp: Signal<In, Bits<5>>,

    arbiter: RoundRobinArbiter,
    next_word: LutRam<5, Bits<21>>,
    lower: LutRam<6, Bits<32>>,
    upper: LutRam<6, Bits<32>>,
    f1: DFF<FetchUnderWay>,
    /// The word to fetch.
    f1_word: DFF<Bits<21>>,
    f2: DFF<FetchUnderWay>,
    fetching: DFF<Bits<32>>,
    reserved_0: DFF<Bits<32>>,
    reserved_1: DFF<Bits<32>>,
    valid_0: DFF<Bits<32>>,
    valid_1: DFF<Bits<32>>,
    head: DFF<Bits<32>>,
    tail: DFF<Bits<32>>,

    restart_mask: Signal<Local, Bits<32>>,
    pop_mask: Signal<Local, Bits<32>>,
    one: Constant<Bits<32>>,
    f0_take: Signal<Local, Bit>,
    f0_mask: Signal<Local, Bits<32>>,
    f0_slot: Signal<Local, Bits<32>>,
    f0_full: Signal<Local, Bits<32>>,
    f0_full_1: Signal<Local, Bits<32>>,
    f0_request: Signal<Local, Bits<32>>,
    f0_restart: Signal<Local, Bits<32>>,
    f0: Signal<Local, FetchUnderWay>,
    asked: Signal<Local, FetchUnderWay>,
    arriving: Signal<Local, FetchUnderWay>,
    f1_following: Signal<Local, Bits<21>>,
    f2_mask: Signal<Local, Bits<32>>,
    f2_write: Signal<Local, Bits<6>>,
    read_second: Signal<Local, Bit>,
    read_lower: Signal<Local, Bits<6>>,
    read_upper: Signal<Local, Bits<6>>,
    keep: Signal<Local, Bits<32>>,
    reserved: Signal<Local, Bits<32>>,
    next_tail: Signal<Local, Bits<32>>,
    pop_0: Signal<Local, Bits<32>>,
    pop_1: Signal<Local, Bits<32>>,
    take_0: Signal<Local, Bits<32>>,
    take_1: Signal<Local, Bits<32>>,
    fill_0: Signal<Local, Bits<32>>,
    fill_1: Signal<Local, Bits<32>>,
    available_0: Signal<Local, Bits<32>>,
    available_1: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl Fetch {
    /// A fetch stage with all buffers empty.
    pub fn new() -> Self {
        Fetch {
            one: Constant::new(1.into()),
            ..Default::default()
        }
    }
}

impl Logic for Fetch {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, f1, f1_word, f2, fetching, reserved_0, reserved_1, valid_0, valid_1, head, tail);
        clock!(self, clock, arbiter, next_word, lower, upper);

        self.restart_mask.next = 0.into();
        if self.f_restart.val() {
            self.restart_mask.next = self.one.val() << self.f_restart_warp.val();
        }
        self.pop_mask.next = 0.into();
        if self.f_pop.val() {
            self.pop_mask.next = self.one.val() << self.f_pop_warp.val();
        }

        self.keep.next = !self.restart_mask.val();

        // f0: chooses a warp whose next buffer word is free, or one that restarts.
        self.asked.next = self.f1.q.val();
        self.f0_full.next = self.reserved_0.q.val() & !self.tail.q.val();
        self.f0_full_1.next = self.reserved_1.q.val() & self.tail.q.val();
        self.f0_full.next = self.f0_full.val() | self.f0_full_1.val();
        self.f0_request.next = self.fetching.q.val() & !self.f0_full.val();
        self.f0_request.next = self.f0_request.val() & !self.asked.val().mask;
        self.arbiter.request.next = self.f0_request.val();
        self.f0_take.next = self.arbiter.valid.val() && !self.f_restart.val();
        self.arbiter.take.next = self.f0_take.val();
        self.f0_mask.next = 0.into();
        if self.f0_take.val() {
            self.f0_mask.next = self.arbiter.grant.val();
        }
        self.f0_restart.next = self.restart_mask.val();
        if self.f_restart_stop.val() {
            self.f0_restart.next = 0.into();
        }
        self.f0_slot.next = self.tail.q.val() & self.f0_mask.val();
        self.next_word.read_address.next = self.arbiter.index.val();
        self.f0.next.valid = self.f0_take.val();
        self.f0.next.warp = self.arbiter.index.val();
        self.f0.next.mask = self.f0_mask.val();
        self.f0.next.slot = self.f0_slot.val().any();
        self.f1_word.d.next = self.next_word.read_data.val();
        if self.f_restart.val() {
            self.f0.next.valid = !self.f_restart_stop.val();
            self.f0.next.warp = self.f_restart_warp.val();
            self.f0.next.mask = self.f0_restart.val();
            self.f1_word.d.next = self.f_restart_pc.val().get_bits::<21>(3);
        }
        self.f1.d.next = self.f0.val();

        // f1: to the memory. A word of a path that is left in this cycle is dropped.
        self.instruction_enable.next = self.asked.val().valid;
        self.instruction_address.next = self.f1_word.q.val();
        self.f1_following.next = self.f1_word.q.val() + 1;
        self.next_word.write_enable.next = self.asked.val().valid;
        self.next_word.write_address.next = self.asked.val().warp;
        self.next_word.write_data.next = self.f1_following.val();
        self.f2.d.next = self.asked.val();
        self.f2.d.next.mask = self.asked.val().mask & self.keep.val();

        // f2: the word is written to its place.
        self.arriving.next = self.f2.q.val();
        self.f2_mask.next = self.arriving.val().mask;
        self.f2_write.next = bit_cast::<6, 5>(self.arriving.val().warp) << 1;
        if self.arriving.val().slot {
            self.f2_write.next = self.f2_write.val() | 1;
        }
        self.lower.write_enable.next = self.arriving.val().valid;
        self.lower.write_address.next = self.f2_write.val();
        self.lower.write_data.next = self.instruction_data.val().get_bits::<32>(0);
        self.upper.write_enable.next = self.arriving.val().valid;
        self.upper.write_address.next = self.f2_write.val();
        self.upper.write_data.next = self.instruction_data.val().get_bits::<32>(32);

        // The heads.
        self.available_0.next = self.valid_0.q.val() & !self.head.q.val();
        self.available_1.next = self.valid_1.q.val() & self.head.q.val();
        self.f_available.next = self.available_0.val() | self.available_1.val();
        self.read_second.next = self.head.q.val().get_bit(self.f_read_warp.val().index());
        self.read_upper.next = bit_cast::<6, 5>(self.f_read_warp.val()) << 1;
        self.read_lower.next = self.read_upper.val();
        if self.read_second.val() != self.f_read_odd.val() {
            self.read_lower.next = self.read_upper.val() | 1;
        }
        self.f_read_both.next = self.valid_1.q.val().get_bit(self.f_read_warp.val().index());
        if self.read_second.val() {
            self.read_upper.next = self.read_upper.val() | 1;
            self.f_read_both.next = self.valid_0.q.val().get_bit(self.f_read_warp.val().index());
        }
        self.lower.read_address.next = self.read_lower.val();
        self.f_read_lower.next = self.lower.read_data.val();
        self.upper.read_address.next = self.read_upper.val();
        self.f_read_upper.next = self.upper.read_data.val();

        // The buffers' states. A restart has priority: an empty buffer with its first place reserved.
        self.pop_0.next = self.pop_mask.val() & !self.head.q.val();
        self.pop_1.next = self.pop_mask.val() & self.head.q.val();
        self.take_0.next = self.f0_mask.val() & !self.tail.q.val();
        self.take_1.next = self.f0_mask.val() & self.tail.q.val();
        self.fill_0.next = self.f2_mask.val();
        self.fill_1.next = 0.into();
        if self.arriving.val().slot {
            self.fill_0.next = 0.into();
            self.fill_1.next = self.f2_mask.val();
        }
        self.reserved.next = ((self.reserved_0.q.val() & !self.pop_0.val()) | self.take_0.val()) & self.keep.val();
        self.reserved_0.d.next = self.reserved.val() | self.f0_restart.val();
        self.reserved_1.d.next = ((self.reserved_1.q.val() & !self.pop_1.val()) | self.take_1.val()) & self.keep.val();
        self.valid_0.d.next = ((self.valid_0.q.val() & !self.pop_0.val()) | self.fill_0.val()) & self.keep.val();
        self.valid_1.d.next = ((self.valid_1.q.val() & !self.pop_1.val()) | self.fill_1.val()) & self.keep.val();
        self.head.d.next = (self.head.q.val() ^ self.pop_mask.val()) & self.keep.val();
        self.next_tail.next = (self.tail.q.val() ^ self.f0_mask.val()) & self.keep.val();
        self.tail.d.next = self.next_tail.val() | self.f0_restart.val();
        self.fetching.d.next = self.fetching.q.val() | self.restart_mask.val();
        if self.f_restart_stop.val() {
            self.fetching.d.next = self.fetching.q.val() & self.keep.val();
        }
        if self.f_clear.val() {
            self.f1.d.next.valid = false;
            self.f1.d.next.mask = 0.into();
            self.f2.d.next.valid = false;
            self.f2.d.next.mask = 0.into();
            self.fetching.d.next = 0.into();
            self.reserved_0.d.next = 0.into();
            self.reserved_1.d.next = 0.into();
            self.valid_0.d.next = 0.into();
            self.valid_1.d.next = 0.into();
            self.head.d.next = 0.into();
            self.tail.d.next = 0.into();
        }
    }
}
