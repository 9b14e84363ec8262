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
//! AXI orders reads among themselves and writes among themselves, but not a read and a write. The bridge does so where
//! it matters: a read waits for the B of writes to its line, a write for the R of reads of its line. Others overlap.
//!
//! ```text
//! cycle              t          t+1             t+2 .. t+8              a         a+1
//! read, 8 words      valid      ARVALID         next request ..         RLAST     response_valid
//!                    and ready  and ARREADY
//! write, 8 words     valid      AWVALID, 1st W  .. 8th W, next request  BVALID    not busy
//!                    and ready
//! ```
//! SLVERR and DECERR end a burst as OKAY does; `error` reports them in the cycle after the beat, which for the last
//! word of a read is that of its response.
//!
//! While `discard` is high all VALIDs are low, and the port's requests, pending and new, are answered without the bus:
//! this lets a chip come to rest after a reset when its accesses will get no more answers.

use crate::ports::{AxiMasterPort, MemorySlavePort};
use flexgrip_machine::sizes::Lanes;
use hdlkit::prelude::*;

/// Maximum number of reads, and of writes, in flight.
const UNDER_WAY: usize = 8;

/// A read burst that has no answer yet.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AwaitedBurst {
    /// Positions of its first and last word in the line.
    pub first: Bits<5>,
    pub last: Bits<5>,
}

/// The bridge for a port of LANES words (8, 16 or 32).
#[derive(LogicBlock, Cycle, Blank)]
pub struct Axi4Master<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// See the module.
    pub discard: Signal<In, Bit>,

    // The chip's memory port, as in `gpgpu.rs`.
    pub memory: MemorySlavePort<LANES>,
    /// Pulse: a burst was answered with SLVERR or DECERR.
    pub error: Signal<Out, Bit>,
    /// Something is held, outstanding, or about to be reported.
    pub busy: Signal<Out, Bit>,

    // The bus.
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

    /// The lines being written: a ring, in order, one bit per occupied place.
    writes: DFF<Bits<8>>,
    write_lines: [DFF<Bits<32>>; UNDER_WAY],
    write_tail: DFF<Bits<3>>,
    write_head: DFF<Bits<3>>,
    /// The lines being read, likewise.
    reads: DFF<Bits<8>>,
    read_lines: [DFF<Bits<32>>; UNDER_WAY],
    bursts: LutRam<3, AwaitedBurst>,
    read_tail: DFF<Bits<3>>,
    read_head: DFF<Bits<3>>,
    /// Words received of the burst at the head.
    got: DFF<Bits<5>>,
    line: [DFF<Bits<32>>; LANES],
    response: DFF<Bit>,
    refused: DFF<Bit>,

    one_8: Constant<Bits<8>>,
    one_32: Constant<Bits<32>>,
    word_number: [Constant<Bits<5>>; LANES],
    enabled: Signal<Local, Bits<32>>,
    below: Signal<Local, Bits<32>>,
    lowest: Signal<Local, Bits<32>>,
    new_first: Signal<Local, Bits<5>>,
    new_last: Signal<Local, Bits<5>>,
    being_written: Signal<Local, Bits<8>>,
    being_read: Signal<Local, Bits<8>>,
    write_place: Signal<Local, Bits<8>>,
    read_place: Signal<Local, Bits<8>>,
    place: Signal<Local, Bits<8>>,
    in_place: Signal<Local, Bits<8>>,
    writes_next: Signal<Local, Bits<8>>,
    reads_next: Signal<Local, Bits<8>>,
    write_room: Signal<Local, Bit>,
    read_room: Signal<Local, Bit>,
    active: Signal<Local, Bit>,
    may_write: Signal<Local, Bit>,
    address_valid: Signal<Local, Bit>,
    data_valid: Signal<Local, Bit>,
    read_valid: Signal<Local, Bit>,
    address_taken: Signal<Local, Bit>,
    data_taken: Signal<Local, Bit>,
    last_word: Signal<Local, Bit>,
    write_done: Signal<Local, Bit>,
    read_taken: Signal<Local, Bit>,
    no_reads: Signal<Local, Bit>,
    /// Ends the held request without the bus.
    skipped: Signal<Local, Bit>,
    finished: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    word_place: Signal<Local, Bits<32>>,
    word_offset: Signal<Local, Bits<32>>,
    burst_address: Signal<Local, Bits<32>>,
    length: Signal<Local, Bits<5>>,
    burst: Signal<Local, AwaitedBurst>,
    written: Signal<Local, Bit>,
    beat: Signal<Local, Bit>,
    read_word: Signal<Local, Bits<5>>,
    read_word_place: Signal<Local, Bits<32>>,
    last_beat: Signal<Local, Bit>,
    read_done: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize> Axi4Master<LANES> {
    /// A bridge at rest.
    pub fn new() -> Self {
        const { Lanes::assert(LANES) };
        Axi4Master {
            one_8: Constant::new(1.into()),
            one_32: Constant::new(1.into()),
            word_number: std::array::from_fn(|word| Constant::new((word as u64).into())),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Axi4Master<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            held,
            write,
            empty,
            address,
            first,
            last,
            address_sent,
            data_sent,
            word
        );
        dff_setup!(self, clock, writes, write_tail, write_head, reads, read_tail, read_head, got);
        dff_setup!(self, clock, response, refused);
        clock!(self, clock, bursts);
        for i in 0..LANES {
            self.data[i].clock.next = self.clock.val();
            self.enable[i].clock.next = self.clock.val();
            self.line[i].clock.next = self.clock.val();
            self.data[i].d.next = self.data[i].q.val();
            self.enable[i].d.next = self.enable[i].q.val();
            self.line[i].d.next = self.line[i].q.val();
        }
        for i in 0..8 {
            self.write_lines[i].clock.next = self.clock.val();
            self.read_lines[i].clock.next = self.clock.val();
            self.write_lines[i].d.next = self.write_lines[i].q.val();
            self.read_lines[i].d.next = self.read_lines[i].q.val();
        }

        // Whether the held line is in flight in the other direction. Both sets only shrink while the request is held.
        self.being_written.next = 0.into();
        self.being_read.next = 0.into();
        for i in 0..8 {
            if self.writes.q.val().get_bit(i) && (self.write_lines[i].q.val() == self.address.q.val()) {
                self.being_written.next = self.being_written.val().replace_bit(i, true);
            }
            if self.reads.q.val().get_bit(i) && (self.read_lines[i].q.val() == self.address.q.val()) {
                self.being_read.next = self.being_read.val().replace_bit(i, true);
            }
        }
        self.write_place.next = self.one_8.val() << self.write_tail.q.val();
        self.in_place.next = self.writes.q.val() & self.write_place.val();
        self.write_room.next = !self.in_place.val().any();
        self.read_place.next = self.one_8.val() << self.read_tail.q.val();
        self.in_place.next = self.reads.q.val() & self.read_place.val();
        self.read_room.next = !self.in_place.val().any();

        // A write: address and words start together, each at its own pace.
        self.active.next = self.held.q.val() && !self.empty.q.val() && !self.discard.val();
        self.may_write.next =
            self.active.val() && self.write.q.val() && self.write_room.val() && !self.being_read.val().any();
        self.address_valid.next = self.may_write.val() && !self.address_sent.q.val();
        self.data_valid.next = self.may_write.val() && !self.data_sent.q.val();
        self.address_taken.next = self.address_valid.val() && self.m_axi.awready.val();
        self.data_taken.next = self.data_valid.val() && self.m_axi.wready.val();
        self.last_word.next = self.word.q.val() == self.last.q.val();
        if self.address_taken.val() {
            self.address_sent.d.next = true;
        }
        if self.data_taken.val() {
            self.word.d.next = self.word.q.val() + 1;
            self.data_sent.d.next = self.last_word.val();
        }
        self.write_done.next = self.may_write.val()
            && (self.address_sent.q.val() || self.address_taken.val())
            && (self.data_sent.q.val() || (self.data_taken.val() && self.last_word.val()));

        // A read.
        self.read_valid.next =
            self.active.val() && !self.write.q.val() && self.read_room.val() && !self.being_written.val().any();
        self.read_taken.next = self.read_valid.val() && self.m_axi.arready.val();

        // A request without words, or one to discard: done when all reads before it are.
        self.no_reads.next = !self.reads.q.val().any();
        self.skipped.next = self.held.q.val() && (self.empty.q.val() || self.discard.val()) && self.no_reads.val();

        // The next request.
        self.finished.next = self.write_done.val() || self.read_taken.val();
        if self.finished.val() || self.skipped.val() {
            self.held.d.next = false;
        }
        self.memory.request_ready.next = !self.held.q.val() || self.finished.val();
        self.accept.next = self.memory.request_valid.val() && (!self.held.q.val() || self.finished.val());
        self.enabled.next = 0.into();
        self.new_last.next = 0.into();
        for i in 0..LANES {
            self.enabled.next = self
                .enabled
                .val()
                .replace_bit(i, self.memory.request_enable[i].val().any());
            if self.memory.request_enable[i].val().any() {
                self.new_last.next = self.word_number[i].val();
            }
        }
        // x & ~(x - 1).
        self.below.next = self.enabled.val() - 1;
        self.lowest.next = self.enabled.val() & !self.below.val();
        self.new_first.next = 0.into();
        for i in 0..LANES {
            if self.lowest.val().get_bit(i) {
                self.new_first.next = self.word_number[i].val();
            }
        }
        if self.accept.val() {
            self.held.d.next = true;
            self.write.d.next = self.memory.request_write.val();
            self.empty.d.next = !self.enabled.val().any();
            self.address.d.next = self.memory.request_address.val();
            self.first.d.next = self.new_first.val();
            self.last.d.next = self.new_last.val();
            self.word.d.next = self.new_first.val();
            self.address_sent.d.next = false;
            self.data_sent.d.next = false;
            for i in 0..LANES {
                self.data[i].d.next = self.memory.request_data[i].val();
                self.enable[i].d.next = self.memory.request_enable[i].val();
            }
        }

        // The bus.
        self.word_offset.next = bit_cast::<32, 5>(self.first.q.val()) << 2;
        self.burst_address.next = self.address.q.val() | self.word_offset.val();
        self.length.next = self.last.q.val() - self.first.q.val();
        self.m_axi.awid.next = 0.into();
        self.m_axi.awaddr.next = self.burst_address.val();
        self.m_axi.awlen.next = bit_cast::<8, 5>(self.length.val());
        self.m_axi.awsize.next = 2.into();
        self.m_axi.awburst.next = 1.into();
        self.m_axi.awlock.next = false;
        // Normal memory, non-cacheable, bufferable.
        self.m_axi.awcache.next = 3.into();
        self.m_axi.awprot.next = 0.into();
        self.m_axi.awvalid.next = self.address_valid.val();
        self.m_axi.arid.next = 0.into();
        self.m_axi.araddr.next = self.burst_address.val();
        self.m_axi.arlen.next = bit_cast::<8, 5>(self.length.val());
        self.m_axi.arsize.next = 2.into();
        self.m_axi.arburst.next = 1.into();
        self.m_axi.arlock.next = false;
        self.m_axi.arcache.next = 3.into();
        self.m_axi.arprot.next = 0.into();
        self.m_axi.arvalid.next = self.read_valid.val();
        self.word_place.next = self.one_32.val() << self.word.q.val();
        self.m_axi.wdata.next = 0.into();
        self.m_axi.wstrb.next = 0.into();
        for i in 0..LANES {
            if self.word_place.val().get_bit(i) {
                self.m_axi.wdata.next = self.data[i].q.val();
                self.m_axi.wstrb.next = self.enable[i].q.val();
            }
        }
        self.m_axi.wlast.next = self.last_word.val();
        self.m_axi.wvalid.next = self.data_valid.val();
        self.m_axi.bready.next = true;
        self.m_axi.rready.next = true;

        // The lines in flight.
        self.written.next = self.m_axi.bvalid.val() && self.writes.q.val().any();
        if self.discard.val() {
            self.written.next = self.writes.q.val().any();
        }
        self.writes_next.next = self.writes.q.val();
        if self.write_done.val() {
            self.writes_next.next = self.writes.q.val() | self.write_place.val();
            self.write_tail.d.next = self.write_tail.q.val() + 1;
        }
        for i in 0..8 {
            if self.write_done.val() && self.write_place.val().get_bit(i) {
                self.write_lines[i].d.next = self.address.q.val();
            }
            if self.read_taken.val() && self.read_place.val().get_bit(i) {
                self.read_lines[i].d.next = self.address.q.val();
            }
        }
        self.place.next = self.one_8.val() << self.write_head.q.val();
        if self.written.val() {
            self.write_head.d.next = self.write_head.q.val() + 1;
            self.writes_next.next = self.writes_next.val() & !self.place.val();
        }
        self.writes.d.next = self.writes_next.val();
        self.burst.next.first = self.first.q.val();
        self.burst.next.last = self.last.q.val();
        self.bursts.write_enable.next = self.read_taken.val();
        self.bursts.write_address.next = self.read_tail.q.val();
        self.bursts.write_data.next = self.burst.val();
        self.bursts.read_address.next = self.read_head.q.val();
        self.beat.next = self.m_axi.rvalid.val() && !self.no_reads.val() && !self.discard.val();
        self.read_word.next = self.bursts.read_data.val().first + self.got.q.val();
        self.last_beat.next = self.read_word.val() == self.bursts.read_data.val().last;
        self.read_done.next = self.beat.val() && self.last_beat.val();
        if self.discard.val() {
            self.read_done.next = !self.no_reads.val();
        }
        self.read_word_place.next = self.one_32.val() << self.read_word.val();
        if self.beat.val() {
            self.got.d.next = self.got.q.val() + 1;
            for i in 0..LANES {
                if self.read_word_place.val().get_bit(i) {
                    self.line[i].d.next = self.m_axi.rdata.val();
                }
            }
        }
        self.reads_next.next = self.reads.q.val();
        if self.read_taken.val() {
            self.reads_next.next = self.reads.q.val() | self.read_place.val();
            self.read_tail.d.next = self.read_tail.q.val() + 1;
        }
        self.place.next = self.one_8.val() << self.read_head.q.val();
        if self.read_done.val() {
            self.got.d.next = 0.into();
            self.read_head.d.next = self.read_head.q.val() + 1;
            self.reads_next.next = self.reads_next.val() & !self.place.val();
        }
        self.reads.d.next = self.reads_next.val();
        self.response.d.next = self.read_done.val() || (self.skipped.val() && !self.write.q.val());
        self.refused.d.next = (self.written.val() && self.m_axi.bresp.val().get_bit(1) && !self.discard.val())
            || (self.beat.val() && self.m_axi.rresp.val().get_bit(1));
        self.error.next = self.refused.q.val();
        self.memory.response_valid.next = self.response.q.val();
        for i in 0..LANES {
            self.memory.response_data[i].next = self.line[i].q.val();
        }
        self.busy.next = self.held.q.val()
            || self.reads.q.val().any()
            || self.writes.q.val().any()
            || self.response.q.val()
            || self.refused.q.val();
    }
}
