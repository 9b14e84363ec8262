//! Round-robin arbiter of the SMs for the one memory port: at most one request per cycle. Responses return to the SM
//! that made the request.
//!
//! ```text
//! requests ──> round robin, or the request that waits ────> chosen
//!    ^                        │ the SM of a read          │ taken
//!    └──── ready              v                           │
//!                     owners, 128 entries <───────────────┘
//! response ──────> owner at the head ──> response_valid of that SM
//! ```
//! The path through the arbiter is combinational; with one SM it is a wire. `chosen_sm` selects the SM whose address
//! and words are at the port. These do not pass through the arbiter, nor do the words of a response, which all SMs
//! receive.
//!
//! A request that the memory does not take at once stays at the port until it does. The round robin restarts with each
//! grid, so a grid always takes the same number of cycles.

use crate::bundles::MOST_SMS;
use hdlkit::prelude::*;

/// The queue of owners has 128 entries: every SM's memory unit has at most 16 reads awaiting a response.
const _: () = assert!(16 * MOST_SMS <= 1 << 7);

/// The arbiter of SMS SMs (1 to 8).
#[circuit]
pub struct PortArbiter<const SMS: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid: SM 0 has priority. No response may be outstanding.
    pub clear: Signal<In, Bit>,

    // Requests of the SMs. A request is taken in a cycle with valid and ready; until then it stays stable.
    pub request_valid: [Signal<In, Bit>; SMS],
    /// Also high without a request.
    pub request_ready: [Signal<Out, Bit>; SMS],
    pub request_write: [Signal<In, Bit>; SMS],
    /// The memory's response is for this SM.
    pub response_valid: [Signal<Out, Bit>; SMS],

    // The request to the memory, like the ports of the memory unit (`global/`).
    /// The SM whose request is at the port, one-hot; 0 without a request.
    pub chosen_sm: Signal<Out, Bits<8>>,
    pub memory_request_ready: Signal<In, Bit>,
    pub memory_response_valid: Signal<In, Bit>,

    /// The SMs with higher numbers than the one that was served last: they have priority.
    later: DFF<Bits<8>>,
    /// The memory has not taken the request at the port yet; the request's SM.
    waits: DFF<Bit>,
    waiting: DFF<Bits<8>>,
    owners: LutRam<7, Bits<8>>,
    owners_tail: DFF<Bits<7>>,
    owners_head: DFF<Bits<7>>,
}

impl<const SMS: usize> PortArbiter<SMS> {
    /// True if there is only one SM: its responses need no queue of owners.
    const ALONE: bool = SMS == 1;
}

impl<const SMS: usize> Logic for PortArbiter<SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        // The SM to serve: the one waiting at the port; else the next one after the last served, else the lowest.
        let mut requests = Bits::<8>::ZERO;
        for s in 0..SMS {
            requests = requests.replace_bit(s, self.request_valid[s].val());
        }
        let favoured = requests & self.later.q.val();
        let pool = if self.waits.q.val() {
            self.waiting.q.val()
        } else if favoured.any() {
            favoured
        } else {
            requests
        };
        let below = pool - 1;
        let chosen = pool & !below;
        self.chosen_sm.next = chosen;
        let any = requests.any();
        let taken = any && self.memory_request_ready.val();
        if taken {
            // The bits above the chosen one.
            self.later.d.next = !(pool ^ below);
        }
        self.waits.d.next = any && !self.memory_request_ready.val();
        self.waiting.d.next = chosen;

        // The owners of the responses, in order.
        let mut write = self.request_write[0].val();
        for s in 1..SMS {
            if chosen.get_bit(s) {
                write = self.request_write[s].val();
            }
        }
        let awaits = taken && !write && !Self::ALONE;
        self.owners.write(awaits, self.owners_tail.q.val(), chosen);
        if awaits {
            self.owners_tail.d.next = self.owners_tail.q.val() + 1;
        }
        if self.memory_response_valid.val() && !Self::ALONE {
            self.owners_head.d.next = self.owners_head.q.val() + 1;
        }
        let oldest = self.owners.read(self.owners_head.q.val());
        let owner = if Self::ALONE { bits::<8>(1) } else { oldest };
        for s in 0..SMS {
            self.request_ready[s].next = self.memory_request_ready.val() && (!any || chosen.get_bit(s));
            self.response_valid[s].next = self.memory_response_valid.val() && owner.get_bit(s);
        }
        if self.clear.val() {
            self.later.d.next = 0.into();
            self.waits.d.next = false;
        }
    }
}
