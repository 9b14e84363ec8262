//! Bridge from the chip's memory port to a Wishbone B4 pipelined master of 32-bit words.
//!
//! ```text
//! request ──> held line ──> lowest word that is left ──> STB ADR WE SEL DAT, a word a cycle
//!                                     │ taken (STB and not STALL)
//!                                     v
//!                              awaited words, 64 places
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
//! ERR ends an access as ACK does; `error` reports it in the next cycle, which for the last word of a read is that of
//! its response.
//!
//! While `discard` is high no access is made, CYC is low at once, and the port's requests, pending and new, are
//! answered without the bus: this lets a chip come to rest after a reset when its accesses will get no more answers.

use crate::ports::{MemorySlavePort, WishboneMasterPort};
use flexgrip_machine::sizes::Lanes;
use hdlkit::prelude::*;

/// A word on the bus that has no answer yet.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AwaitedWord {
    /// Its position in the line.
    pub word: Bits<5>,
    /// A read.
    pub reads: Bit,
    /// The last word of its request.
    pub last: Bit,
}

/// The bridge for a port of LANES words (8, 16 or 32).
#[derive(LogicBlock, Cycle, Blank)]
pub struct WishboneMaster<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// See the module.
    pub discard: Signal<In, Bit>,

    // The chip's memory port, as in `gpgpu.rs`.
    pub memory: MemorySlavePort<LANES>,
    /// Pulse: an access was answered with ERR.
    pub error: Signal<Out, Bit>,
    /// Something is held, outstanding, or about to be reported.
    pub busy: Signal<Out, Bit>,

    // The bus.
    pub wbm: WishboneMasterPort,

    held: DFF<Bit>,
    write: DFF<Bit>,
    address: DFF<Bits<32>>,
    /// Words of the held line that have not been taken.
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

    one: Constant<Bits<32>>,
    word_number: [Constant<Bits<5>>; LANES],
    enabled: Signal<Local, Bits<32>>,
    below: Signal<Local, Bits<32>>,
    lowest: Signal<Local, Bits<32>>,
    others: Signal<Local, Bits<32>>,
    number: Signal<Local, Bits<5>>,
    word_offset: Signal<Local, Bits<32>>,
    bytes: Signal<Local, Bits<4>>,
    strobe: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    last_taken: Signal<Local, Bit>,
    nothing_due: Signal<Local, Bit>,
    /// Ends the held request without a word on the bus.
    skipped: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    asked: Signal<Local, AwaitedWord>,
    answered_word: Signal<Local, AwaitedWord>,
    answered: Signal<Local, Bit>,
    answered_place: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl<const LANES: usize> WishboneMaster<LANES> {
    /// A bridge at rest.
    pub fn new() -> Self {
        const { Lanes::assert(LANES) };
        WishboneMaster {
            one: Constant::new(1.into()),
            word_number: std::array::from_fn(|word| Constant::new((word as u64).into())),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for WishboneMaster<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, write, address, left, tail, head, due, response, refused);
        clock!(self, clock, awaited);
        for i in 0..LANES {
            self.data[i].clock.next = self.clock.val();
            self.enable[i].clock.next = self.clock.val();
            self.line[i].clock.next = self.clock.val();
            self.data[i].d.next = self.data[i].q.val();
            self.enable[i].d.next = self.enable[i].q.val();
            self.line[i].d.next = self.line[i].q.val();
        }

        // The lowest remaining word, and whether it is the last: x & ~(x - 1), x & (x - 1).
        self.below.next = self.left.q.val() - 1;
        self.lowest.next = self.left.q.val() & !self.below.val();
        self.others.next = self.left.q.val() & self.below.val();
        self.number.next = 0.into();
        self.wbm.dat_o.next = 0.into();
        self.bytes.next = 0.into();
        for i in 0..LANES {
            if self.lowest.val().get_bit(i) {
                self.number.next = self.word_number[i].val();
                self.wbm.dat_o.next = self.data[i].q.val();
                self.bytes.next = self.enable[i].q.val();
            }
        }
        if !self.write.q.val() {
            self.bytes.next = 15.into();
        }
        self.word_offset.next = bit_cast::<32, 5>(self.number.val()) << 2;

        // Puts a word on the bus, if there is a place for the answer.
        self.nothing_due.next = !self.due.q.val().any();
        self.strobe.next = self.left.q.val().any() && !self.due.q.val().get_bit(6) && !self.discard.val();
        self.taken.next = self.strobe.val() && !self.wbm.stall_i.val();
        self.last_taken.next = self.taken.val() && !self.others.val().any();
        self.wbm.cyc_o.next = (self.left.q.val().any() || self.due.q.val().any()) && !self.discard.val();
        self.wbm.stb_o.next = self.strobe.val();
        self.wbm.we_o.next = self.write.q.val();
        self.wbm.adr_o.next = self.address.q.val() | self.word_offset.val();
        self.wbm.sel_o.next = self.bytes.val();
        if self.taken.val() {
            self.left.d.next = self.others.val();
        }

        // A request without words, or one to discard: done when everything before it is.
        self.skipped.next =
            self.held.q.val() && self.nothing_due.val() && (self.discard.val() || !self.left.q.val().any());
        if self.last_taken.val() || self.skipped.val() {
            self.held.d.next = false;
        }
        if self.skipped.val() {
            self.left.d.next = 0.into();
        }

        // The next request.
        self.memory.request_ready.next = !self.held.q.val() || self.last_taken.val();
        self.accept.next = self.memory.request_valid.val() && (!self.held.q.val() || self.last_taken.val());
        self.enabled.next = 0.into();
        for i in 0..LANES {
            self.enabled.next = self
                .enabled
                .val()
                .replace_bit(i, self.memory.request_enable[i].val().any());
        }
        if self.accept.val() {
            self.held.d.next = true;
            self.write.d.next = self.memory.request_write.val();
            self.address.d.next = self.memory.request_address.val();
            self.left.d.next = self.enabled.val();
            for i in 0..LANES {
                self.data[i].d.next = self.memory.request_data[i].val();
                self.enable[i].d.next = self.memory.request_enable[i].val();
            }
        }

        // The answers, in order; a word may be answered in the cycle in which it is taken.
        self.asked.next.word = self.number.val();
        self.asked.next.reads = !self.write.q.val();
        self.asked.next.last = !self.others.val().any();
        self.awaited.write_enable.next = self.taken.val();
        self.awaited.write_address.next = self.tail.q.val();
        self.awaited.write_data.next = self.asked.val();
        self.awaited.read_address.next = self.head.q.val();
        self.answered_word.next = self.awaited.read_data.val();
        if self.nothing_due.val() {
            self.answered_word.next = self.asked.val();
        }
        self.answered.next =
            (self.wbm.ack_i.val() || self.wbm.err_i.val()) && (self.taken.val() || !self.nothing_due.val());
        if self.discard.val() {
            self.answered.next = !self.nothing_due.val();
        }
        if self.taken.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if self.answered.val() {
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.taken.val() && !self.answered.val() {
            self.due.d.next = self.due.q.val() + 1;
        }
        if self.answered.val() && !self.taken.val() {
            self.due.d.next = self.due.q.val() - 1;
        }
        self.answered_place.next = self.one.val() << self.answered_word.val().word;
        self.response.d.next = self.skipped.val() && !self.write.q.val();
        if self.answered.val() && self.answered_word.val().reads {
            for i in 0..LANES {
                if self.answered_place.val().get_bit(i) {
                    self.line[i].d.next = self.wbm.dat_i.val();
                }
            }
            if self.answered_word.val().last {
                self.response.d.next = true;
            }
        }
        self.refused.d.next = self.answered.val() && self.wbm.err_i.val() && !self.discard.val();
        self.error.next = self.refused.q.val();
        self.memory.response_valid.next = self.response.q.val();
        for i in 0..LANES {
            self.memory.response_data[i].next = self.line[i].q.val();
        }
        self.busy.next = self.held.q.val() || self.due.q.val().any() || self.response.q.val() || self.refused.q.val();
    }
}
