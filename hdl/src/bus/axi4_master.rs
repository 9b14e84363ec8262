//! Bridge from the chip's memory port to an AXI4 master of 32-bit words.
//!
//! ```text
//! request ──> held line ──┬─ write ──> AW, and W a word a cycle ──> lines being written, 8 ──> B
//!                         └─ read ───> AR ────────────────────────> lines being read, 8
//!                                                                          │ head
//! response <── line of LANES words <───────────────────────────────────────┴── R
//! ```
//! A request is one INCR burst, from its first to its last enabled word; words in between that are not enabled are read
//! and discarded, or written with WSTRB 0. A burst is at most one line and lines are aligned, so none crosses 4 KiB.
//! All IDs are 0, and BREADY and RREADY are always high.
//!
//! AXI keeps the order of reads and the order of writes, but not of a read and a write. The bridge keeps it where it
//! matters: a read waits for the B of writes to its line, a write for the R of reads of its line. Other accesses
//! overlap.
//!
//! ```text
//! cycle              t          t+1             t+2 .. t+8              a         a+1
//! read, 8 words      valid      ARVALID         next request ..         RLAST     response_valid
//!                    and ready  and ARREADY
//! write, 8 words     valid      AWVALID, 1st W  .. 8th W, next request  BVALID    not busy
//!                    and ready
//! ```
//! SLVERR and DECERR end a burst as OKAY does. `error` reports them in the cycle after the beat; for the last word of a
//! read, this is the cycle of its response.
//!
//! While `discard` is high all VALIDs are low, and the port's requests, pending and new, are answered without the bus:
//! after a reset, the chip becomes idle although the bus no longer answers.
//!
//! # Atomic operations
//!
//! From capability 1.1 on, a request that is taken with `memory_locked` is the read or the write of an atomic operation.
//! The read is exclusive (LOCK 1). EXOKAY says that the memory watches the words; then the write is exclusive, too. OKAY
//! to an exclusive write says that it was not done, because another master has changed a word: `memory_failed` makes the
//! operation start again. A memory without exclusive accesses answers the read with OKAY; then the write is an ordinary
//! one, and other masters are not kept out. CACHE of exclusive accesses is not bufferable, so the memory itself answers.

use crate::optional::optional;
use crate::ports::{AxiMasterPort, MemorySlavePort};
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::Capability;
use hdlkit::prelude::*;

/// Values of RESP: done, and done exclusively.
const OKAY: u64 = 0;
const EXOKAY: u64 = 1;

/// Maximum number of reads, and of writes, in flight.
const UNDER_WAY: usize = 8;

/// A read burst that has not received its last word.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AwaitedBurst {
    /// Positions of its first and last word in the line.
    pub first: Bits<5>,
    pub last: Bits<5>,
}

/// A ring of the lines of up to eight bursts in flight in one direction, in order.
///
/// ```text
/// cycle        t                       t+1
/// add          `line`; needs `room`    in flight
/// remove       the oldest; needs `any` removed
/// in_flight    `line` is in flight; same cycle
/// ```
#[circuit]
pub struct LinesInFlight {
    pub clock: Signal<In, Clock>,
    pub line: Signal<In, Bits<32>>,
    pub add: Signal<In, Bit>,
    pub remove: Signal<In, Bit>,
    pub in_flight: Signal<Out, Bit>,
    pub any: Signal<Out, Bit>,
    pub room: Signal<Out, Bit>,
    /// Indices of the next line and of the oldest one.
    pub tail: Signal<Out, Bits<3>>,
    pub head: Signal<Out, Bits<3>>,

    occupied: DFF<Bits<8>>,
    lines: [DFF<Bits<32>>; UNDER_WAY],
    next: DFF<Bits<3>>,
    oldest: DFF<Bits<3>>,
}

impl Logic for LinesInFlight {
    #[hdl_gen]
    fn update(&mut self) {
        let line = self.line.val();
        let occupied = self.occupied.q.val();
        let tail = self.next.q.val();
        let head = self.oldest.q.val();
        let mut in_flight = false;
        for i in 0..UNDER_WAY {
            in_flight = in_flight || (occupied.get_bit(i) && self.lines[i].q.val() == line);
        }
        self.in_flight.next = in_flight;
        self.any.next = occupied.any();
        self.room.next = !occupied.get_bit(tail.index());
        self.tail.next = tail;
        self.head.next = head;
        self.occupied.d.next =
            (occupied | mask(self.add.val(), tail.one_hot::<8>())) & !mask(self.remove.val(), head.one_hot::<8>());
        if self.add.val() {
            self.lines[tail.index()].d.next = line;
            self.next.d.next = tail + 1;
        }
        if self.remove.val() {
            self.oldest.d.next = head + 1;
        }
    }
}

/// The bridge for a port of LANES words (8, 16 or 32).
#[circuit]
pub struct Axi4Master<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Answers all requests without the bus; see the module.
    pub discard: Signal<In, Bit>,

    // The chip's memory port; see `gpgpu.rs`.
    pub memory: MemorySlavePort<LANES>,
    /// From capability 1.1 on: the request belongs to an atomic operation.
    pub memory_locked: Vec<Signal<In, Bit>>,
    /// From capability 1.1 on: the last exclusive write was not done. Valid while `busy` is low, until the next request.
    pub memory_failed: Vec<Signal<Out, Bit>>,
    /// Pulse: a burst was answered with SLVERR or DECERR.
    pub error: Signal<Out, Bit>,
    /// A request is held or outstanding, or its response or error is about to be reported.
    pub busy: Signal<Out, Bit>,

    // The AXI4 bus to memory.
    pub m_axi: AxiMasterPort,

    held: DFF<Bit>,
    write: DFF<Bit>,
    /// The request has no enabled word.
    empty: DFF<Bit>,
    address: DFF<Bits<32>>,
    first: DFF<Bits<5>>,
    last: DFF<Bits<5>>,
    data: [DFF<Bits<32>>; LANES],
    enable: [DFF<Bits<4>>; LANES],
    address_sent: DFF<Bit>,
    data_sent: DFF<Bit>,
    /// The next word to send on W.
    word: DFF<Bits<5>>,

    writes: LinesInFlight,
    reads: LinesInFlight,
    bursts: LutRam<3, AwaitedBurst>,
    /// Number of words received of the burst at the head.
    got: DFF<Bits<5>>,
    line: [DFF<Bits<32>>; LANES],
    response: DFF<Bit>,
    refused: DFF<Bit>,

    has_atomics: Constant<Bit>,
    /// The last request taken is an exclusive access.
    exclusive: Vec<DFF<Bit>>,
    /// The last word read came with EXOKAY.
    watched: Vec<DFF<Bit>>,
    failed: Vec<DFF<Bit>>,
}

impl<const LANES: usize> Axi4Master<LANES> {
    /// The bridge of a chip of this capability, at rest.
    pub fn new(capability: Capability) -> Self {
        const { Lanes::assert(LANES) };
        let atomics = capability.has_atomics();
        Axi4Master {
            memory_locked: optional(atomics),
            memory_failed: optional(atomics),
            has_atomics: Constant::new(atomics),
            exclusive: optional(atomics),
            watched: optional(atomics),
            failed: optional(atomics),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Axi4Master<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let line = self.address.q.val();
        let active = self.held.q.val() && !self.empty.q.val() && !self.discard.val();
        self.writes.line.next = line;
        self.reads.line.next = line;

        // A request waits while its line is in flight in the other direction. Both sets only shrink while the request
        // is held, so VALID does not fall before READY.
        let write_done =
            self.send_write(active && self.write.q.val() && self.writes.room.val() && !self.reads.in_flight.val());
        let read_valid = active && !self.write.q.val() && self.reads.room.val() && !self.writes.in_flight.val();
        let read_taken = read_valid && self.m_axi.arready.val();
        self.m_axi.arvalid.next = read_valid;

        // A request without words, or one to discard, is done when all earlier reads are.
        let reads_due = self.reads.any.val();
        let skipped = self.held.q.val() && (self.empty.q.val() || self.discard.val()) && !reads_due;
        self.hold_request(write_done || read_taken, skipped);
        self.drive_address();

        // The lines in flight.
        let written = self.writes.any.val() && (self.discard.val() || self.m_axi.bvalid.val());
        self.writes.add.next = write_done;
        self.writes.remove.next = written;
        let beat = self.m_axi.rvalid.val() && reads_due && !self.discard.val();
        let last_beat = self.receive_word(beat, read_taken);
        let read_done = if self.discard.val() { reads_due } else { beat && last_beat };
        self.reads.add.next = read_taken;
        self.reads.remove.next = read_done;
        if read_done {
            self.got.d.next = 0.into();
        }

        // The responses on the memory port.
        self.response.d.next = read_done || (skipped && !self.write.q.val());
        self.refused.d.next = (written && self.m_axi.bresp.val().get_bit(1) && !self.discard.val())
            || (beat && self.m_axi.rresp.val().get_bit(1));
        self.error.next = self.refused.q.val();
        self.memory.response_valid.next = self.response.q.val();
        for i in 0..LANES {
            self.memory.response_data[i].next = self.line[i].q.val();
        }
        self.busy.next =
            self.held.q.val() || reads_due || self.writes.any.val() || self.response.q.val() || self.refused.q.val();
        if self.has_atomics.val() {
            self.make_exclusive(beat, written);
        }
    }
}

impl<const LANES: usize> Axi4Master<LANES> {
    /// Sends a write: address and words start together and proceed independently. True when both are done.
    #[hdl_part]
    fn send_write(&mut self, may_write: Bit) -> Bit {
        let word = self.word.q.val();
        let last_word = word == self.last.q.val();
        let address_valid = may_write && !self.address_sent.q.val();
        let data_valid = may_write && !self.data_sent.q.val();
        let address_taken = address_valid && self.m_axi.awready.val();
        let data_taken = data_valid && self.m_axi.wready.val();
        if address_taken {
            self.address_sent.d.next = true;
        }
        if data_taken {
            self.word.d.next = word + 1;
            self.data_sent.d.next = last_word;
        }

        let mut data = bits::<32>(0);
        let mut enable = bits::<4>(0);
        for i in 0..LANES {
            if word == i as u64 {
                data = self.data[i].q.val();
                enable = self.enable[i].q.val();
            }
        }
        self.m_axi.awvalid.next = address_valid;
        self.m_axi.wdata.next = data;
        self.m_axi.wstrb.next = enable;
        self.m_axi.wlast.next = last_word;
        self.m_axi.wvalid.next = data_valid;
        may_write
            && (self.address_sent.q.val() || address_taken)
            && (self.data_sent.q.val() || (data_taken && last_word))
    }

    /// Holds a request until it is on the bus or skipped, then takes the next one.
    #[hdl_part]
    fn hold_request(&mut self, finished: Bit, skipped: Bit) {
        let ready = !self.held.q.val() || finished;
        self.memory.request_ready.next = ready;
        let mut enabled = bits::<32>(0);
        let mut last = bits::<5>(0);
        for i in 0..LANES {
            if self.memory.request_enable[i].val().any() {
                enabled = enabled.replace_bit(i, true);
                last = bits::<5>(i as u64);
            }
        }
        let first = enabled.lowest_set().one_hot_index::<5>();
        if finished || skipped {
            self.held.d.next = false;
        }
        if self.memory.request_valid.val() && ready {
            self.held.d.next = true;
            self.write.d.next = self.memory.request_write.val();
            self.empty.d.next = !enabled.any();
            self.address.d.next = self.memory.request_address.val();
            self.first.d.next = first;
            self.last.d.next = last;
            self.word.d.next = first;
            self.address_sent.d.next = false;
            self.data_sent.d.next = false;
            if self.has_atomics.val() {
                let watched = self.watched[0].q.val() || !self.memory.request_write.val();
                self.exclusive[0].d.next = self.memory_locked[0].val() && watched;
                self.failed[0].d.next = false;
            }
            for i in 0..LANES {
                self.data[i].d.next = self.memory.request_data[i].val();
                self.enable[i].d.next = self.memory.request_enable[i].val();
            }
        }
    }

    /// Drives the address and length of the held request's burst, and the constant signals: words, INCR, normal memory,
    /// non-cacheable, bufferable.
    #[hdl_part]
    fn drive_address(&mut self) {
        let first = self.first.q.val();
        let address = self.address.q.val() | (first.resize::<32>() << 2);
        let length = (self.last.q.val() - first).resize::<8>();
        self.m_axi.awid.next = 0.into();
        self.m_axi.awaddr.next = address;
        self.m_axi.awlen.next = length;
        self.m_axi.awsize.next = 2.into();
        self.m_axi.awburst.next = 1.into();
        self.m_axi.awlock.next = false;
        self.m_axi.awcache.next = 3.into();
        self.m_axi.awprot.next = 0.into();
        self.m_axi.bready.next = true;
        self.m_axi.arid.next = 0.into();
        self.m_axi.araddr.next = address;
        self.m_axi.arlen.next = length;
        self.m_axi.arsize.next = 2.into();
        self.m_axi.arburst.next = 1.into();
        self.m_axi.arlock.next = false;
        self.m_axi.arcache.next = 3.into();
        self.m_axi.arprot.next = 0.into();
        self.m_axi.rready.next = true;
    }

    /// Drives LOCK and CACHE, and receives the answers to exclusive accesses. No other request follows the read or the
    /// write of an atomic operation before that is done, so the last R is of its read, and the last B of its write.
    #[hdl_part]
    fn make_exclusive(&mut self, beat: Bit, written: Bit) {
        let exclusive = self.exclusive[0].q.val();
        let cache = if exclusive { bits::<4>(2) } else { bits::<4>(3) };
        self.m_axi.arlock.next = exclusive;
        self.m_axi.arcache.next = cache;
        self.m_axi.awlock.next = exclusive;
        self.m_axi.awcache.next = cache;
        if beat {
            self.watched[0].d.next = self.m_axi.rresp.val() == EXOKAY;
        }
        if written {
            let not_done = self.m_axi.bresp.val() == OKAY && !self.discard.val();
            self.failed[0].d.next = exclusive && self.write.q.val() && not_done;
        }
        self.memory_failed[0].next = self.failed[0].q.val();
    }

    /// Receives a word of the oldest burst. True if it is the last one.
    #[hdl_part]
    fn receive_word(&mut self, beat: Bit, taken: Bit) -> Bit {
        self.bursts.write_enable.next = taken;
        self.bursts.write_address.next = self.reads.tail.val();
        self.bursts.write_data.next = AwaitedBurst { first: self.first.q.val(), last: self.last.q.val() };
        self.bursts.read_address.next = self.reads.head.val();
        let burst = self.bursts.read_data.val();
        let word = burst.first + self.got.q.val();
        if beat {
            self.got.d.next = self.got.q.val() + 1;
            for i in 0..LANES {
                if word == i as u64 {
                    self.line[i].d.next = self.m_axi.rdata.val();
                }
            }
        }
        word == burst.last
    }
}
