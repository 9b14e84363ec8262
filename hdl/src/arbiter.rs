//! Round-robin arbiter over the warps.
//!
//! ```text
//! request ─┬─ & later ──> lowest set bit ─┐ (if any)
//!          └────────────> lowest set bit ─┴─> grant, index, valid    later = the bits above the last grant taken
//! ```
//! `later` advances when `take` is high, so an unused grant is offered again. The two lowest-set-bit searches run in
//! parallel, so their delays do not add up.

use hdlkit::prelude::*;

/// Round-robin arbiter over 32 requests; the answer is valid in the same cycle.
#[circuit]
pub struct RoundRobinArbiter {
    pub clock: Signal<In, Clock>,
    pub request: Signal<In, Bits<32>>,
    /// The grant is used in this cycle.
    pub take: Signal<In, Bit>,
    pub valid: Signal<Out, Bit>,
    /// The granted request, one-hot; 0 if there is none.
    pub grant: Signal<Out, Bits<32>>,
    pub index: Signal<Out, Bits<5>>,
    later: DFF<Bits<32>>,
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        let request = self.request.val();
        let favoured = request & self.later.q.val();
        // The lowest set bit is x & ~(x - 1); x ^ (x - 1) also has all bits below it.
        let below = request - 1;
        let below_favoured = favoured - 1;
        let (chosen, upto) = if favoured.any() {
            (favoured & !below_favoured, favoured ^ below_favoured)
        } else {
            (request & !below, request ^ below)
        };
        if self.take.val() && request.any() {
            self.later.d.next = !upto;
        }
        self.valid.next = request.any();
        self.grant.next = chosen;
        self.index.next = chosen.one_hot_index();
    }
}
