//! Bridge from the chip's memory port to a Wishbone B4 pipelined master of 32-bit words.
//!
//! ```text
//! request ──> held line ──> lowest remaining word ─────> STB ADR WE SEL DAT, a word a cycle
//!                                     │ taken (STB and not STALL)
//!                                     v
//!                              awaited words, 64 entries
//!                                     │ head
//! response <── line of LANES words <──┴── ACK or ERR, DAT
//! ```
//! Only enabled words are accessed: a write's enabled bytes, a read's whole words. The next line follows without a
//! pause, so words of several requests are in flight at once. CYC stays high until the last answer. An answer may come
//! as early as the cycle of its STB, as from a classic slave with the standard's wrapper (`STALL = CYC and not ACK`).
//!
//! ```text
//! cycle            t          t+1        t+2 .. t+9             a       a+1
//! request, 8 words valid      STB, 1st   ... 8th, next line
//!                  and ready                                    last    response_valid
//!                                                               ACK
//! ```
//! The bus answers in the order of its accesses, and so does the port: a read sees every earlier write.
//!
//! ERR ends an access as ACK does. `error` reports it in the next cycle; for the last word of a read, this is the cycle
//! of its response.
//!
//! From capability 1.1 on, CYC stays high while `memory_locked` is, from the read of an atomic operation to its write:
//! the standard's read-modify-write cycle, in which the arbiter of a bus grants it to no other master.
//!
//! While `discard` is high no access is made, CYC is low at once, and the port's requests, pending and new, are
//! answered without the bus: after a reset, the chip becomes idle although the bus no longer answers.

use crate::count::up_down;
use crate::optional::optional;
use crate::ports::{MemorySlavePort, WishboneMasterPort};
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::Capability;
use hdlkit::prelude::*;

/// A word on the bus without an answer yet.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AwaitedWord {
    /// The word's position in the line.
    pub word: Bits<5>,
    /// The access is a read.
    pub reads: Bit,
    /// The last word of its request.
    pub last: Bit,
}

/// The bridge for a port of LANES words (8, 16 or 32).
#[circuit]
pub struct WishboneMaster<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Answers all requests without the bus; see the module.
    pub discard: Signal<In, Bit>,

    // The chip's memory port; see `gpgpu.rs`.
    pub memory: MemorySlavePort<LANES>,
    /// From capability 1.1 on: no other master may have the bus.
    pub memory_locked: Vec<Signal<In, Bit>>,
    /// Pulse: an access was answered with ERR.
    pub error: Signal<Out, Bit>,
    /// A request is held or outstanding, or its response or error is about to be reported.
    pub busy: Signal<Out, Bit>,

    // The Wishbone bus to memory.
    pub wbm: WishboneMasterPort,

    held: DFF<Bit>,
    write: DFF<Bit>,
    address: DFF<Bits<32>>,
    /// Words of the held request that the bus has not taken, one bit each.
    left: DFF<Bits<32>>,
    data: [DFF<Bits<32>>; LANES],
    enable: [DFF<Bits<4>>; LANES],
    awaited: LutRam<6, AwaitedWord>,
    tail: DFF<Bits<6>>,
    head: DFF<Bits<6>>,
    /// Words awaiting an answer, 0 to 64.
    due: DFF<Bits<7>>,
    line: [DFF<Bits<32>>; LANES],
    response: DFF<Bit>,
    refused: DFF<Bit>,

    has_atomics: Constant<Bit>,
}

impl<const LANES: usize> WishboneMaster<LANES> {
    /// The bridge of a chip of this capability, at rest.
    pub fn new(capability: Capability) -> Self {
        const { Lanes::assert(LANES) };
        let atomics = capability.has_atomics();
        WishboneMaster { memory_locked: optional(atomics), has_atomics: Constant::new(atomics), ..Default::default() }
    }
}

impl<const LANES: usize> Logic for WishboneMaster<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // The lowest remaining word, and the others.
        let left = self.left.q.val();
        let lowest = left.lowest_set();
        let others = left & !lowest;
        let word = self.drive_word(lowest);
        let last = !others.any();

        // Puts a word on the bus, if there is space for the answer.
        let discard = self.discard.val();
        let nothing_due = !self.due.q.val().any();
        let strobe = left.any() && !self.due.q.val().get_bit(6) && !discard;
        let taken = strobe && !self.wbm.stall_i.val();
        if self.has_atomics.val() {
            self.wbm.cyc_o.next = (left.any() || !nothing_due || self.memory_locked[0].val()) && !discard;
        } else {
            self.wbm.cyc_o.next = (left.any() || !nothing_due) && !discard;
        }
        self.wbm.stb_o.next = strobe;

        // A request without words, or one to discard, is done when everything before it is.
        let skipped = self.held.q.val() && nothing_due && (discard || !left.any());
        if skipped {
            self.left.d.next = 0.into();
        } else if taken {
            self.left.d.next = others;
        }
        self.hold_request(taken && last, skipped);

        // The answers, in order; a word may be answered in the cycle in which it is taken.
        let asked = AwaitedWord { word, reads: !self.write.q.val(), last };
        let answered = if discard {
            !nothing_due
        } else {
            (self.wbm.ack_i.val() || self.wbm.err_i.val()) && (taken || !nothing_due)
        };
        self.due.d.next = up_down::<7>(self.due.q.val(), taken, answered);
        if taken {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if answered {
            self.head.d.next = self.head.q.val() + 1;
        }
        self.awaited.write_enable.next = taken;
        self.awaited.write_address.next = self.tail.q.val();
        self.awaited.write_data.next = asked;
        self.awaited.read_address.next = self.head.q.val();
        let awaited = if nothing_due { asked } else { self.awaited.read_data.val() };
        let read_answered = answered && awaited.reads;
        for i in 0..LANES {
            if read_answered && awaited.word == i as u64 {
                self.line[i].d.next = self.wbm.dat_i.val();
            }
            self.memory.response_data[i].next = self.line[i].q.val();
        }
        self.response.d.next = (skipped && !self.write.q.val()) || (read_answered && awaited.last);
        self.memory.response_valid.next = self.response.q.val();
        self.refused.d.next = answered && self.wbm.err_i.val() && !discard;
        self.error.next = self.refused.q.val();
        self.busy.next = self.held.q.val() || !nothing_due || self.response.q.val() || self.refused.q.val();
    }
}

impl<const LANES: usize> WishboneMaster<LANES> {
    /// Drives the word on the bus whose bit is set in `lowest`. Returns its position.
    #[hdl_part]
    fn drive_word(&mut self, lowest: Bits<32>) -> Bits<5> {
        let mut word = bits::<5>(0);
        let mut data = bits::<32>(0);
        let mut enable = bits::<4>(0);
        for i in 0..LANES {
            if lowest.get_bit(i) {
                word = bits::<5>(i as u64);
                data = self.data[i].q.val();
                enable = self.enable[i].q.val();
            }
        }
        self.wbm.we_o.next = self.write.q.val();
        self.wbm.adr_o.next = self.address.q.val() | (word.resize::<32>() << 2);
        self.wbm.dat_o.next = data;
        self.wbm.sel_o.next = if self.write.q.val() { enable } else { bits::<4>(15) };
        word
    }

    /// Holds a request until its last word is taken or it is skipped, then takes the next one.
    #[hdl_part]
    fn hold_request(&mut self, last_taken: Bit, skipped: Bit) {
        let ready = !self.held.q.val() || last_taken;
        self.memory.request_ready.next = ready;
        let mut enabled = bits::<32>(0);
        for i in 0..LANES {
            enabled = enabled.replace_bit(i, self.memory.request_enable[i].val().any());
        }
        if last_taken || skipped {
            self.held.d.next = false;
        }
        if self.memory.request_valid.val() && ready {
            self.held.d.next = true;
            self.write.d.next = self.memory.request_write.val();
            self.address.d.next = self.memory.request_address.val();
            self.left.d.next = enabled;
            for i in 0..LANES {
                self.data[i].d.next = self.memory.request_data[i].val();
                self.enable[i].d.next = self.memory.request_enable[i].val();
            }
        }
    }
}
