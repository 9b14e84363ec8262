//! Arbiter of several SMs for the one memory port: one request a cycle in all, round robin; responses return to the
//! requester.
//!
//! ```text
//! requests ──> round robin, or the one that still waits ──> chosen
//!    ^                        │ of a read: who            │ taken
//!    └──── ready              v                           │
//!                     owners, 128 places <────────────────┘
//! response ──────> owner at the head ──> response_valid of that SM
//! ```
//! All of it in the same cycle: with one SM the arbiter is a wire. `chosen` selects whose address and words go to the
//! port; these do not pass through the arbiter, and neither do the words of a response, which go to all SMs.
//!
//! A request that the memory does not take at once stays at the port until it does. The round robin restarts with each
//! grid, so that a grid always takes the same number of cycles.

use crate::bundles::MOST_SMS;
use hdlkit::prelude::*;

/// Places for owners: every SM's memory unit has at most 16 reads awaiting a response.
const _: () = assert!(16 * MOST_SMS <= 1 << 7);

/// The arbiter of SMS SMs (1 to 8).
#[derive(LogicBlock, Cycle, Blank)]
pub struct PortArbiter<const SMS: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid: SM 0 comes first. No response is outstanding then.
    pub clear: Signal<In, Bit>,

    // From the SMs. A request is taken in a cycle with valid and ready; until then it stays stable.
    pub request_valid: [Signal<In, Bit>; SMS],
    /// Also high without a request.
    pub request_ready: [Signal<Out, Bit>; SMS],
    pub request_write: [Signal<In, Bit>; SMS],
    /// The memory's response is for this SM.
    pub response_valid: [Signal<Out, Bit>; SMS],

    // To the memory, like the ports of the memory unit (`global/`).
    /// The SM whose request is at the port, one bit set; 0 without a request.
    pub chosen_sm: Signal<Out, Bits<8>>,
    pub memory_request_ready: Signal<In, Bit>,
    pub memory_response_valid: Signal<In, Bit>,

    /// The SMs after the one that was served last.
    later: DFF<Bits<8>>,
    /// A request that the memory has not taken yet, and its SM.
    waits: DFF<Bit>,
    waiting: DFF<Bits<8>>,
    owners: LutRam<7, Bits<8>>,
    owners_tail: DFF<Bits<7>>,
    owners_head: DFF<Bits<7>>,

    /// Only one SM: no owners to remember.
    alone: Constant<Bit>,
    requests: Signal<Local, Bits<8>>,
    favoured: Signal<Local, Bits<8>>,
    pool: Signal<Local, Bits<8>>,
    below: Signal<Local, Bits<8>>,
    chosen: Signal<Local, Bits<8>>,
    upto: Signal<Local, Bits<8>>,
    any: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    write: Signal<Local, Bit>,
    owner: Signal<Local, Bits<8>>,
    _activity: Activity,
}

impl<const SMS: usize> PortArbiter<SMS> {
    /// An arbiter without requests.
    ///
    /// # Panics
    /// If SMS is not 1 to 8.
    pub fn new() -> Self {
        assert!(
            (1..=MOST_SMS).contains(&SMS),
            "the port serves 1 to {MOST_SMS} SMs, not {SMS}"
        );
        PortArbiter {
            alone: Constant::new(SMS == 1),
            ..Default::default()
        }
    }
}

impl<const SMS: usize> Logic for PortArbiter<SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, later, waits, waiting, owners_tail, owners_head);
        clock!(self, clock, owners);

        // The SM to serve: the one waiting at the port; else the next one after the last served, else the lowest.
        self.requests.next = 0.into();
        for s in 0..SMS {
            self.requests.next = self.requests.val().replace_bit(s, self.request_valid[s].val());
        }
        self.favoured.next = self.requests.val() & self.later.q.val();
        self.pool.next = self.requests.val();
        if self.favoured.val().any() {
            self.pool.next = self.favoured.val();
        }
        if self.waits.q.val() {
            self.pool.next = self.waiting.q.val();
        }
        // The lowest set bit: x & ~(x - 1).
        self.below.next = self.pool.val() - 1;
        self.chosen.next = self.pool.val() & !self.below.val();
        self.any.next = self.requests.val().any();
        self.taken.next = self.any.val() && self.memory_request_ready.val();
        self.upto.next = self.chosen.val() - 1;
        self.upto.next = self.upto.val() | self.chosen.val();
        if self.taken.val() {
            self.later.d.next = !self.upto.val();
        }
        self.waits.d.next = self.any.val() && !self.memory_request_ready.val();
        self.waiting.d.next = self.chosen.val();

        self.chosen_sm.next = self.chosen.val();
        self.write.next = self.request_write[0].val();
        for s in 1..SMS {
            if self.chosen.val().get_bit(s) {
                self.write.next = self.request_write[s].val();
            }
        }

        // The owners of the responses, in order.
        self.owners.write_enable.next = self.taken.val() && !self.write.val() && !self.alone.val();
        self.owners.write_address.next = self.owners_tail.q.val();
        self.owners.write_data.next = self.chosen.val();
        if self.taken.val() && !self.write.val() && !self.alone.val() {
            self.owners_tail.d.next = self.owners_tail.q.val() + 1;
        }
        self.owners.read_address.next = self.owners_head.q.val();
        if self.memory_response_valid.val() && !self.alone.val() {
            self.owners_head.d.next = self.owners_head.q.val() + 1;
        }
        self.owner.next = self.owners.read_data.val();
        if self.alone.val() {
            self.owner.next = 1.into();
        }
        for s in 0..SMS {
            self.request_ready[s].next =
                self.memory_request_ready.val() && (!self.any.val() || self.chosen.val().get_bit(s));
            self.response_valid[s].next = self.memory_response_valid.val() && self.owner.val().get_bit(s);
        }
        if self.clear.val() {
            self.later.d.next = 0.into();
            self.waits.d.next = false;
        }
    }
}
