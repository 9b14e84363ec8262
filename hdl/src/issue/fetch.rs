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
#[circuit]
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
    // A bit for each warp: whether it fetches; whether its buffer's words 0 and 1 are taken or on their way, and whether
    // they have arrived; which word is used next, and which is fetched next.
    fetching: DFF<Bits<32>>,
    reserved_0: DFF<Bits<32>>,
    reserved_1: DFF<Bits<32>>,
    valid_0: DFF<Bits<32>>,
    valid_1: DFF<Bits<32>>,
    head: DFF<Bits<32>>,
    tail: DFF<Bits<32>>,
}

impl Logic for Fetch {
    #[hdl_gen]
    fn update(&mut self) {
        let restarts = mask(self.f_restart.val(), self.f_restart_warp.val().one_hot::<32>());
        let f0_mask = self.choose_warp(mask(!self.f_restart_stop.val(), restarts));
        self.ask_memory(!restarts);
        self.take_word();
        self.offer_heads();
        self.track_buffers(restarts, f0_mask);
        if self.f_clear.val() {
            self.clear();
        }
    }
}

impl Fetch {
    /// Stage f0: the warp of `restarts`, or one whose next buffer word is free. The latter as one bit.
    #[hdl_part]
    fn choose_warp(&mut self, restarts: Bits<32>) -> Bits<32> {
        let tail = self.tail.q.val();
        let full = (self.reserved_0.q.val() & !tail) | (self.reserved_1.q.val() & tail);
        self.arbiter.request.next = self.fetching.q.val() & !full & !self.f1.q.val().mask;
        let f0_take = self.arbiter.valid.val() && !self.f_restart.val();
        self.arbiter.take.next = f0_take;
        self.next_word.read_address.next = self.arbiter.index.val();
        let f0_mask = mask(f0_take, self.arbiter.grant.val());
        let mut f0 = FetchUnderWay {
            valid: f0_take,
            warp: self.arbiter.index.val(),
            mask: f0_mask,
            slot: (tail & f0_mask).any(),
        };
        let mut f0_word = self.next_word.read_data.val();
        if self.f_restart.val() {
            f0.valid = !self.f_restart_stop.val();
            f0.warp = self.f_restart_warp.val();
            f0.mask = restarts;
            f0_word = self.f_restart_pc.val().bits::<21>(3);
        }
        self.f1.d.next = f0;
        self.f1_word.d.next = f0_word;
        f0_mask
    }

    /// Stage f1: to the memory. A word of a path that is left in this cycle is dropped.
    #[hdl_part]
    fn ask_memory(&mut self, keep: Bits<32>) {
        let asked = self.f1.q.val();
        self.instruction_enable.next = asked.valid;
        self.instruction_address.next = self.f1_word.q.val();
        self.next_word.write_enable.next = asked.valid;
        self.next_word.write_address.next = asked.warp;
        self.next_word.write_data.next = self.f1_word.q.val() + 1;
        self.f2.d.next = asked;
        self.f2.d.next.mask = asked.mask & keep;
    }

    /// Stage f2: the word is written to its place.
    #[hdl_part]
    fn take_word(&mut self) {
        let arriving = self.f2.q.val();
        let slot: Bits<1> = arriving.slot.into();
        let place: Bits<6> = arriving.warp.concat(slot);
        self.lower.write_enable.next = arriving.valid;
        self.lower.write_address.next = place;
        self.lower.write_data.next = self.instruction_data.val().low::<32>();
        self.upper.write_enable.next = arriving.valid;
        self.upper.write_address.next = place;
        self.upper.write_data.next = self.instruction_data.val().bits::<32>(32);
    }

    /// The heads of the buffers. The lower half is that of the following word if the instruction begins in the upper one.
    #[hdl_part]
    fn offer_heads(&mut self) {
        let head = self.head.q.val();
        self.f_available.next = (self.valid_0.q.val() & !head) | (self.valid_1.q.val() & head);
        let warp = self.f_read_warp.val();
        let second = head.get_bit(warp.index());
        let upper: Bits<1> = second.into();
        let lower: Bits<1> = (second != self.f_read_odd.val()).into();
        self.lower.read_address.next = warp.concat(lower);
        self.upper.read_address.next = warp.concat(upper);
        self.f_read_lower.next = self.lower.read_data.val();
        self.f_read_upper.next = self.upper.read_data.val();
        self.f_read_both.next = if second {
            self.valid_0.q.val().get_bit(warp.index())
        } else {
            self.valid_1.q.val().get_bit(warp.index())
        };
    }

    /// The buffers' states. A restart has priority: an empty buffer with its first word reserved.
    #[hdl_part]
    fn track_buffers(&mut self, restarts: Bits<32>, f0_mask: Bits<32>) {
        let keep = !restarts;
        let begins = mask(!self.f_restart_stop.val(), restarts);
        let pops = mask(self.f_pop.val(), self.f_pop_warp.val().one_hot::<32>());
        let arriving = self.f2.q.val();
        let head = self.head.q.val();
        let tail = self.tail.q.val();
        let kept_0 = !(pops & !head);
        let kept_1 = !(pops & head);
        self.reserved_0.d.next = (self.reserved_0.q.val() & kept_0 | f0_mask & !tail) & keep | begins;
        self.reserved_1.d.next = (self.reserved_1.q.val() & kept_1 | f0_mask & tail) & keep;
        self.valid_0.d.next = (self.valid_0.q.val() & kept_0 | mask(!arriving.slot, arriving.mask)) & keep;
        self.valid_1.d.next = (self.valid_1.q.val() & kept_1 | mask(arriving.slot, arriving.mask)) & keep;
        self.head.d.next = (head ^ pops) & keep;
        self.tail.d.next = (tail ^ f0_mask) & keep | begins;
        self.fetching.d.next =
            if self.f_restart_stop.val() { self.fetching.q.val() & keep } else { self.fetching.q.val() | restarts };
    }

    /// Start of a grid: all buffers are empty, no warp fetches.
    #[hdl_part]
    fn clear(&mut self) {
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
