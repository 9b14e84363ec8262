//! The slave side of a test bench for bus masters: a memory that can refuse accesses, and an AXI4 slave in front of it.

use crate::bus_monitor::{AxiSample, Burst, ReadWord, WriteWord};
use flexgrip_hdl::memory::write_bytes;
use flexgrip_hdl::ports::AxiMasterPort;
use hdlkit::prelude::Bits;
use std::collections::VecDeque;
use std::ops::Range;

/// The read data of a refused read.
pub const REFUSED: u32 = 0xbad0_bad0;
/// The AXI response to a successful access.
pub const OKAY: u8 = 0;
/// The AXI response to a successful exclusive access.
pub const EXOKAY: u8 = 1;
/// The AXI response to a refused access.
pub const SLVERR: u8 = 2;

/// A memory of words, with addresses that it refuses.
#[derive(Clone, Debug, Default)]
pub struct BenchMemory {
    /// The contents.
    pub words: Vec<u32>,
    /// Byte addresses at which accesses are refused.
    pub bad: Range<u32>,
    /// The number of accesses that were refused or out of range.
    pub refused: u32,
}

impl BenchMemory {
    /// Makes an access at a byte address: a write with its byte enables, or a read. Returns the resulting word, or
    /// `None` if the access is refused or out of range.
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

/// An AXI4 slave without an order between reads and writes: a write takes effect at some time before its B; a word is
/// read when it is sent. The test decides when each channel acts, except that anything offered is held until it is
/// accepted.
#[derive(Clone, Debug, Default)]
pub struct AxiSlave {
    addresses: VecDeque<Burst>,
    words: VecDeque<WriteWord>,
    /// The responses of writes that have taken effect.
    responses: VecDeque<u8>,
    reads: VecDeque<Burst>,
    /// The number of words of the oldest read that have been sent.
    sent: u32,
    /// The slave has exclusive accesses; otherwise it answers them like others.
    pub has_exclusive: bool,
    /// The exclusive read whose words nobody has written since.
    watched: Option<Burst>,
    /// The B and R beats that are offered.
    response: Option<u8>,
    word: Option<ReadWord>,
}

impl AxiSlave {
    /// Drives B and R. The payload is unchanged while VALID is low.
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

    /// Ends a cycle with the bus in the state `bus`. `now` is called for each channel, and returns true if it acts.
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

    /// The response to a successful access of this burst.
    fn success(&self, burst: &Burst) -> u8 {
        match burst.exclusive && self.has_exclusive {
            true => EXOKAY,
            false => OKAY,
        }
    }

    /// Ends the watch over a word that is written.
    fn unwatch(&mut self, address: u32) {
        self.watched = self
            .watched
            .filter(|burst| !(burst.address..=burst.address + 4 * u32::from(burst.length)).contains(&address));
    }

    /// Changes a word as another master does.
    pub fn change(&mut self, memory: &mut BenchMemory, address: u32, word: u32) {
        memory.words[address as usize / 4] = word;
        self.unwatch(address);
    }

    /// Performs the oldest write, if it is complete.
    fn write(&mut self, memory: &mut BenchMemory) {
        let Some(&burst) = self.addresses.front() else {
            return;
        };
        let beats = usize::from(burst.length) + 1;
        if self.words.len() < beats {
            return;
        }
        self.addresses.pop_front();
        let words: Vec<WriteWord> = self.words.drain(..beats).collect();
        let mut response = self.success(&burst);
        if response == EXOKAY && self.watched != Some(burst) {
            self.responses.push_back(OKAY);
            return;
        }
        for (address, word) in (burst.address..).step_by(4).zip(words) {
            self.unwatch(address);
            if memory.access(address, Some((word.data, word.strobes))).is_none() {
                response = SLVERR;
            }
        }
        self.responses.push_back(response);
    }

    /// Sends the next word of the oldest read.
    fn read(&mut self, memory: &mut BenchMemory) {
        let Some(&burst) = self.reads.front() else {
            return;
        };
        let answer = memory.access(burst.address + 4 * self.sent, None);
        let last = self.sent == u32::from(burst.length);
        let success = self.success(&burst);
        if success == EXOKAY && self.sent == 0 {
            self.watched = Some(burst);
        }
        self.word = Some(ReadWord {
            data: answer.unwrap_or(REFUSED),
            response: if answer.is_some() { success } else { SLVERR },
            last,
        });
        self.sent += 1;
        if last {
            self.reads.pop_front();
            self.sent = 0;
        }
    }
}
