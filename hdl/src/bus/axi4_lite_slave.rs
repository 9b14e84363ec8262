//! Bridge from an AXI4-Lite slave of 32-bit words to the host bus, Wishbone classic.
//!
//! ```text
//! AW ──> address ──┐
//! W  ──> word ─────┴─> write ──┐           ┌──> B
//! AR ──> address ────> read ───┴─> host ───┴──> R
//! ```
//! One access at a time; a write starts when both its address and its word are there, in either order. If a read and a
//! write both wait, they alternate. A channel's READY is high while its register is free, whether or not VALID is high.
//!
//! | what | RESP |
//! |---|---|
//! | the host bus answers with ACK | OKAY |
//! | the host bus answers with ERR | SLVERR |
//! | a write with WSTRB other than 0xf; it does not reach the host bus | SLVERR |
//!
//! ```text
//! cycle    t         t+1        t+2 ..         a          a+1
//! write    AW and W  host STB   (host waits)   host ACK   BVALID
//! read     AR        host STB   (host waits)   host ACK   RVALID
//! ```
//! `reset` empties all registers: while it is high every VALID and READY is low, and the host's STB is low in the next
//! cycle.

use crate::ports::{AxiLitePort, HostMasterPort};
use hdlkit::prelude::*;

/// The bridge.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Axi4LiteSlave {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,

    pub s_axi: AxiLitePort,

    // The host bus, as in `host_interface/`.
    pub host: HostMasterPort,

    write_address_held: DFF<Bit>,
    write_address: DFF<Bits<32>>,
    word_held: DFF<Bit>,
    word: DFF<Bits<32>>,
    /// All four bytes of the word are written.
    whole: DFF<Bit>,
    read_address_held: DFF<Bit>,
    read_address: DFF<Bits<32>>,
    /// A read, or a write, has the host bus.
    reading: DFF<Bit>,
    writing: DFF<Bit>,
    /// The last access was a write.
    wrote: DFF<Bit>,
    write_answered: DFF<Bit>,
    write_refused: DFF<Bit>,
    read_answered: DFF<Bit>,
    read_refused: DFF<Bit>,
    read_data: DFF<Bits<32>>,

    bytes_whole: Signal<Local, Bit>,
    can_write: Signal<Local, Bit>,
    can_read: Signal<Local, Bit>,
    begin_write: Signal<Local, Bit>,
    begin_read: Signal<Local, Bit>,
    host_done: Signal<Local, Bit>,
    _activity: Activity,
}

impl Logic for Axi4LiteSlave {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_address_held, write_address, word_held, word, whole);
        dff_setup!(self, clock, read_address_held, read_address, reading, writing, wrote);
        dff_setup!(
            self,
            clock,
            write_answered,
            write_refused,
            read_answered,
            read_refused,
            read_data
        );

        // The incoming channels.
        self.bytes_whole.next = self.s_axi.wstrb.val() == 15;
        self.s_axi.awready.next = !self.write_address_held.q.val() && !self.reset.val();
        self.s_axi.wready.next = !self.word_held.q.val() && !self.reset.val();
        self.s_axi.arready.next = !self.read_address_held.q.val() && !self.reset.val();
        if self.s_axi.awvalid.val() && !self.write_address_held.q.val() {
            self.write_address_held.d.next = true;
            self.write_address.d.next = self.s_axi.awaddr.val();
        }
        if self.s_axi.wvalid.val() && !self.word_held.q.val() {
            self.word_held.d.next = true;
            self.word.d.next = self.s_axi.wdata.val();
            self.whole.d.next = self.bytes_whole.val();
        }
        if self.s_axi.arvalid.val() && !self.read_address_held.q.val() {
            self.read_address_held.d.next = true;
            self.read_address.d.next = self.s_axi.araddr.val();
        }

        // Answers that have been taken.
        if self.s_axi.bready.val() {
            self.write_answered.d.next = false;
        }
        if self.s_axi.rready.val() {
            self.read_answered.d.next = false;
        }

        // The next access. An answer that has not been taken blocks its channel.
        self.can_write.next = self.write_address_held.q.val()
            && self.word_held.q.val()
            && !self.write_answered.q.val()
            && !self.reading.q.val()
            && !self.writing.q.val();
        self.can_read.next = self.read_address_held.q.val()
            && !self.read_answered.q.val()
            && !self.reading.q.val()
            && !self.writing.q.val();
        self.begin_write.next = self.can_write.val() && (!self.can_read.val() || !self.wrote.q.val());
        self.begin_read.next = self.can_read.val() && (!self.can_write.val() || self.wrote.q.val());
        if self.begin_write.val() {
            self.wrote.d.next = true;
            if self.whole.q.val() {
                self.writing.d.next = true;
            } else {
                self.write_address_held.d.next = false;
                self.word_held.d.next = false;
                self.write_answered.d.next = true;
                self.write_refused.d.next = true;
            }
        }
        if self.begin_read.val() {
            self.wrote.d.next = false;
            self.reading.d.next = true;
        }

        // The host bus.
        self.host.cycle.next = self.reading.q.val() || self.writing.q.val();
        self.host.strobe.next = self.reading.q.val() || self.writing.q.val();
        self.host.write.next = self.writing.q.val();
        self.host.address.next = self.read_address.q.val();
        if self.writing.q.val() {
            self.host.address.next = self.write_address.q.val();
        }
        self.host.write_data.next = self.word.q.val();
        self.host_done.next = self.host.acknowledge.val() || self.host.error.val();
        if self.writing.q.val() && self.host_done.val() {
            self.writing.d.next = false;
            self.write_address_held.d.next = false;
            self.word_held.d.next = false;
            self.write_answered.d.next = true;
            self.write_refused.d.next = self.host.error.val();
        }
        if self.reading.q.val() && self.host_done.val() {
            self.reading.d.next = false;
            self.read_address_held.d.next = false;
            self.read_answered.d.next = true;
            self.read_refused.d.next = self.host.error.val();
            self.read_data.d.next = self.host.read_data.val();
        }

        self.s_axi.bvalid.next = self.write_answered.q.val() && !self.reset.val();
        self.s_axi.bresp.next = 0.into();
        if self.write_refused.q.val() {
            self.s_axi.bresp.next = 2.into();
        }
        self.s_axi.rvalid.next = self.read_answered.q.val() && !self.reset.val();
        self.s_axi.rresp.next = 0.into();
        if self.read_refused.q.val() {
            self.s_axi.rresp.next = 2.into();
        }
        self.s_axi.rdata.next = self.read_data.q.val();

        if self.reset.val() {
            self.write_address_held.d.next = false;
            self.word_held.d.next = false;
            self.read_address_held.d.next = false;
            self.reading.d.next = false;
            self.writing.d.next = false;
            self.wrote.d.next = false;
            self.write_answered.d.next = false;
            self.read_answered.d.next = false;
        }
    }
}
