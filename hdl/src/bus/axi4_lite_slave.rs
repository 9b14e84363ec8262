//! Bridge from an AXI4-Lite slave of 32-bit words to the host bus, Wishbone classic.
//!
//! ```text
//! AW ──> address ──┐
//! W  ──> word ─────┴─> write ──┐           ┌──> B
//! AR ──> address ────> read ───┴─> host ───┴──> R
//! ```
//! One access at a time. A write starts when both its address and its word have arrived, in either order. If a read and
//! a write both wait, they alternate. A channel's READY is high while its register is free, whether or not VALID is
//! high.
//!
//! | access | RESP |
//! |---|---|
//! | the host bus answers with ACK | OKAY |
//! | the host bus answers with ERR | SLVERR |
//! | a write with WSTRB other than 0xf; it does not reach the host bus | SLVERR |
//!
//! ```text
//! cycle    t         t+1        t+2        t+3 ..         a          a+1
//! write    AW and W  choose     host STB   (host waits)   host ACK   BVALID
//! read     AR        choose     host STB   (host waits)   host ACK   RVALID
//! ```
//! `reset` empties all registers: while it is high every VALID and READY is low, and the host's STB is low in the next
//! cycle.

use crate::ports::{AxiLitePort, HostMasterPort};
use hdlkit::prelude::*;

/// The bridge.
#[circuit]
pub struct Axi4LiteSlave {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,

    pub s_axi: AxiLitePort,

    // The host bus; see `host_interface/`.
    pub host: HostMasterPort,

    write_address_held: DFF<Bit>,
    write_address: DFF<Bits<32>>,
    word_held: DFF<Bit>,
    word: DFF<Bits<32>>,
    /// All four bytes of the word are written.
    whole: DFF<Bit>,
    read_address_held: DFF<Bit>,
    read_address: DFF<Bits<32>>,
    /// `reading`, `writing`: a read or a write is on the host bus.
    reading: DFF<Bit>,
    writing: DFF<Bit>,
    /// The last access was a write.
    wrote: DFF<Bit>,
    write_answered: DFF<Bit>,
    write_refused: DFF<Bit>,
    read_answered: DFF<Bit>,
    read_refused: DFF<Bit>,
    read_data: DFF<Bits<32>>,
}

impl Logic for Axi4LiteSlave {
    #[hdl_gen]
    fn update(&mut self) {
        let reset = self.reset.val();

        // The incoming channels: a channel is ready while its register is free.
        self.s_axi.awready.next = !self.write_address_held.q.val() && !reset;
        self.s_axi.wready.next = !self.word_held.q.val() && !reset;
        self.s_axi.arready.next = !self.read_address_held.q.val() && !reset;
        if self.s_axi.awvalid.val() && !self.write_address_held.q.val() {
            self.write_address_held.d.next = true;
            self.write_address.d.next = self.s_axi.awaddr.val();
        }
        if self.s_axi.wvalid.val() && !self.word_held.q.val() {
            self.word_held.d.next = true;
            self.word.d.next = self.s_axi.wdata.val();
            self.whole.d.next = self.s_axi.wstrb.val().all();
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
        let busy = self.reading.q.val() || self.writing.q.val();
        let can_write =
            self.write_address_held.q.val() && self.word_held.q.val() && !self.write_answered.q.val() && !busy;
        let can_read = self.read_address_held.q.val() && !self.read_answered.q.val() && !busy;
        if can_write && (!can_read || !self.wrote.q.val()) {
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
        if can_read && (!can_write || self.wrote.q.val()) {
            self.wrote.d.next = false;
            self.reading.d.next = true;
        }

        // The access on the host bus.
        self.host.cycle.next = busy;
        self.host.strobe.next = busy;
        self.host.write.next = self.writing.q.val();
        self.host.address.next =
            if self.writing.q.val() { self.write_address.q.val() } else { self.read_address.q.val() };
        self.host.write_data.next = self.word.q.val();
        let host_done = self.host.acknowledge.val() || self.host.error.val();
        if self.writing.q.val() && host_done {
            self.writing.d.next = false;
            self.write_address_held.d.next = false;
            self.word_held.d.next = false;
            self.write_answered.d.next = true;
            self.write_refused.d.next = self.host.error.val();
        }
        if self.reading.q.val() && host_done {
            self.reading.d.next = false;
            self.read_address_held.d.next = false;
            self.read_answered.d.next = true;
            self.read_refused.d.next = self.host.error.val();
            self.read_data.d.next = self.host.read_data.val();
        }

        // The response code SLVERR is 2.
        self.s_axi.bvalid.next = self.write_answered.q.val() && !reset;
        self.s_axi.bresp.next = mask(self.write_refused.q.val(), bits::<2>(2));
        self.s_axi.rvalid.next = self.read_answered.q.val() && !reset;
        self.s_axi.rresp.next = mask(self.read_refused.q.val(), bits::<2>(2));
        self.s_axi.rdata.next = self.read_data.q.val();

        if reset {
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
