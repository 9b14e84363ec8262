//! What stands behind a master in a test bench: a memory that can refuse accesses, and AXI4's way to it.

use crate::bus_monitor::{AxiSample, Burst, ReadWord, WriteWord};
use flexgrip_hdl::bus::ports::AxiMasterPort;
use flexgrip_hdl::memory::write_bytes;
use hdlkit::prelude::Bits;
use std::collections::VecDeque;
use std::ops::Range;

/// What is on the data lines of a read that is refused.
pub const REFUSED: u32 = 0xbad0_bad0;
/// AXI's response to an access that went well.
pub const OKAY: u8 = 0;
/// AXI's response to an access that the slave refuses.
pub const SLVERR: u8 = 2;

/// A memory of words.
#[derive(Clone, Debug, Default)]
pub struct BenchMemory {
    /// What it holds.
    pub words: Vec<u32>,
    /// Byte addresses that are refused.
    pub bad: Range<u32>,
    /// Accesses that have been refused, or had no word.
    pub refused: u32,
}

impl BenchMemory {
    /// A write with its byte enables, or a read, at a byte address; the word then, or nothing if it is refused or there is
    /// none.
    pub fn access(&mut self, address: u32, write: Option<(u32, u8)>) -> Option<u32> {
        let word = self.words.get_mut(address as usize / 4);
        let Some(word) = word.filter(|_| !self.bad.contains(&address)) else {
            self.refused += 1;
            return None;
        };
        if let Some((data, enable)) = write {
            write_bytes(word, data, enable);
        }
        Some(*word)
    }
}

/// An AXI4 slave that has no order between reads and writes: a write takes effect at some time before its B, a read of a word
/// is made when that word goes out. When each channel does something is the test's business, but for what it shows, which
/// stays until it is taken.
#[derive(Clone, Debug, Default)]
pub struct AxiSlave {
    addresses: VecDeque<Burst>,
    words: VecDeque<WriteWord>,
    /// Responses of writes that have taken effect.
    responses: VecDeque<u8>,
    reads: VecDeque<Burst>,
    /// Words of the read at the head that have gone out.
    sent: u32,
    /// What it shows on B and on R.
    response: Option<u8>,
    word: Option<ReadWord>,
}

impl AxiSlave {
    /// Drives B and R. What goes with VALID is left as it is while that is low.
    pub fn drive(&self, port: &mut AxiMasterPort) {
        port.bvalid.next = self.response.is_some();
        if let Some(response) = self.response {
            port.bresp.next = Bits::new(response.into());
        }
        port.rvalid.next = self.word.is_some();
        if let Some(word) = self.word {
            port.rdata.next = Bits::new(word.data.into());
            port.rresp.next = Bits::new(word.response.into());
            port.rlast.next = word.last;
        }
    }

    /// The end of a cycle in which the bus was as in `bus`. `now` is asked for each channel whether it does something.
    pub fn cycle(&mut self, bus: &AxiSample, memory: &mut BenchMemory, mut now: impl FnMut() -> bool) {
        if bus.write_response.passed().is_some() {
            self.response = None;
        }
        if bus.read_data.passed().is_some() {
            self.word = None;
        }
        if now() {
            self.write(memory);
        }
        if self.response.is_none() && now() {
            self.response = self.responses.pop_front();
        }
        if self.word.is_none() && now() {
            self.read(memory);
        }
        self.addresses.extend(bus.write_address.passed());
        self.words.extend(bus.write_data.passed());
        self.reads.extend(bus.read_address.passed());
    }

    /// The oldest write takes effect, if all of it is there.
    fn write(&mut self, memory: &mut BenchMemory) {
        let Some(&burst) = self.addresses.front() else {
            return;
        };
        let beats = usize::from(burst.length) + 1;
        if self.words.len() < beats {
            return;
        }
        self.addresses.pop_front();
        let mut response = OKAY;
        for (i, word) in (0..).zip(self.words.drain(..beats)) {
            if memory
                .access(burst.address + 4 * i, Some((word.data, word.strobes)))
                .is_none()
            {
                response = SLVERR;
            }
        }
        self.responses.push_back(response);
    }

    /// The next word of the oldest read.
    fn read(&mut self, memory: &mut BenchMemory) {
        let Some(&burst) = self.reads.front() else {
            return;
        };
        let answer = memory.access(burst.address + 4 * self.sent, None);
        let last = self.sent == u32::from(burst.length);
        self.word = Some(ReadWord {
            data: answer.unwrap_or(REFUSED),
            response: if answer.is_some() { OKAY } else { SLVERR },
            last,
        });
        self.sent += 1;
        if last {
            self.reads.pop_front();
            self.sent = 0;
        }
    }
}
