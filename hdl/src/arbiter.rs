//! Round-robin arbiter over the warps.
//!
//! ```text
//! request ─┬─ & later ──> lowest set bit ─┐ (if any)
//!          └────────────> lowest set bit ─┴─> grant, index, valid    later = the bits above the last grant taken
//! ```
//! `later` advances when `take` is high, so an unused choice is offered again. The two lowest-set-bit searches run in
//! parallel, so their delays do not add up.

use hdlkit::prelude::*;

/// Round-robin arbiter over 32 requests; the answer is valid in the same cycle.
#[derive(LogicBlock, Cycle, Blank)]
pub struct RoundRobinArbiter {
    pub clock: Signal<In, Clock>,
    pub request: Signal<In, Bits<32>>,
    /// The grant is used this cycle.
    pub take: Signal<In, Bit>,
    pub valid: Signal<Out, Bit>,
    /// The granted request, one bit set (0 if none).
    pub grant: Signal<Out, Bits<32>>,
    pub index: Signal<Out, Bits<5>>,
    later: DFF<Bits<32>>,
    favoured: Signal<Local, Bits<32>>,
    any_favoured: Signal<Local, Bit>,
    below: Signal<Local, Bits<32>>,
    below_favoured: Signal<Local, Bits<32>>,
    chosen: Signal<Local, Bits<32>>,
    upto: Signal<Local, Bits<32>>,
    group: Signal<Local, Bits<32>>,
    bit_0: Signal<Local, Bit>,
    bit_1: Signal<Local, Bit>,
    bit_2: Signal<Local, Bit>,
    bit_3: Signal<Local, Bit>,
    bit_4: Signal<Local, Bit>,
    number: Signal<Local, Bits<5>>,
    _activity: Activity,
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, later);
        self.favoured.next = self.request.val() & self.later.q.val();
        self.any_favoured.next = self.favoured.val().any();
        // The lowest set bit: x & ~(x - 1). That bit and those below it: x ^ (x - 1).
        self.below.next = self.request.val() - 1;
        self.below_favoured.next = self.favoured.val() - 1;
        self.chosen.next = self.request.val() & !self.below.val();
        self.upto.next = self.request.val() ^ self.below.val();
        if self.any_favoured.val() {
            self.chosen.next = self.favoured.val() & !self.below_favoured.val();
            self.upto.next = self.favoured.val() ^ self.below_favoured.val();
        }
        if self.take.val() && self.request.val().any() {
            self.later.d.next = !self.upto.val();
        }
        self.group.next = self.chosen.val() & 0xaaaaaaaa_u64;
        self.bit_0.next = self.group.val().any();
        self.group.next = self.chosen.val() & 0xcccccccc_u64;
        self.bit_1.next = self.group.val().any();
        self.group.next = self.chosen.val() & 0xf0f0f0f0_u64;
        self.bit_2.next = self.group.val().any();
        self.group.next = self.chosen.val() & 0xff00ff00_u64;
        self.bit_3.next = self.group.val().any();
        self.group.next = self.chosen.val() & 0xffff0000_u64;
        self.bit_4.next = self.group.val().any();
        self.number.next = 0.into();
        if self.bit_0.val() {
            self.number.next = self.number.val() | 1;
        }
        if self.bit_1.val() {
            self.number.next = self.number.val() | 2;
        }
        if self.bit_2.val() {
            self.number.next = self.number.val() | 4;
        }
        if self.bit_3.val() {
            self.number.next = self.number.val() | 8;
        }
        if self.bit_4.val() {
            self.number.next = self.number.val() | 16;
        }
        self.valid.next = self.request.val().any();
        self.grant.next = self.chosen.val();
        self.index.next = self.number.val();
    }
}
