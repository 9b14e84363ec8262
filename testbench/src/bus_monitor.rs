//! Bus monitors for test benches. Each samples a bus once per cycle, after the signals have settled and before the
//! edge, and reports the first violated rule.
//!
//! | monitor | bus |
//! |---|---|
//! | [`WishboneClassic`] | the host bus: Wishbone B4, one access at a time |
//! | [`WishbonePipelined`] | a Wishbone B4 pipelined master |
//! | [`AxiLite`] | AXI4-Lite |
//! | [`Axi`] | AXI4 with one ID |
//!
//! The input is a sample of the bus, which can be taken from the ports of a block.
//!
//! A monitor does not know the expected data, which the test must check.

use flexgrip_hdl::ports::{AxiLitePort, AxiMasterPort, WishboneMasterPort};
use std::collections::VecDeque;

/// A violation of a bus rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The number of samples that the monitor has seen before, since its reset.
    pub cycle: u64,
    /// The violated rule, with the signals.
    pub rule: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bus cycle {}: {}", self.cycle, self.rule)
    }
}

impl std::error::Error for Violation {}

/// Returns a violation with this rule unless `holds` is true.
fn hold(holds: bool, cycle: u64, rule: impl FnOnce() -> String) -> Result<(), Violation> {
    if holds {
        Ok(())
    } else {
        Err(Violation { cycle, rule: rule() })
    }
}

/// An access of a Wishbone master. In a read, `data` is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WishboneAccess {
    /// WE, write enable.
    pub write: bool,
    /// ADR, a byte address.
    pub address: u32,
    /// SEL, the byte enables of the word.
    pub select: u8,
    /// DAT of the master.
    pub data: u32,
}

impl WishboneAccess {
    /// The access without ignored fields.
    fn said(self) -> Self {
        match self.write {
            true => self,
            false => WishboneAccess { data: 0, ..self },
        }
    }
}

/// The signals of a Wishbone bus in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WishboneSample {
    /// CYC, the bus cycle.
    pub cycle: bool,
    /// STB, the request.
    pub strobe: bool,
    /// The payload of STB.
    pub access: WishboneAccess,
    /// STALL; false for a classic bus, which does not have this signal.
    pub stall: bool,
    /// ACK, the answer without an error.
    pub acknowledge: bool,
    /// ERR, the answer with an error.
    pub error: bool,
}

impl WishboneSample {
    /// Samples the port of a pipelined master, which must have settled.
    pub fn of(port: &WishboneMasterPort) -> Self {
        WishboneSample {
            cycle: port.cyc_o.val(),
            strobe: port.stb_o.val(),
            access: WishboneAccess {
                write: port.we_o.val(),
                address: port.adr_o.val().raw() as u32,
                select: port.sel_o.val().raw() as u8,
                data: port.dat_o.val().raw() as u32,
            },
            stall: port.stall_i.val(),
            acknowledge: port.ack_i.val(),
            error: port.err_i.val(),
        }
    }
}

/// Checks the rules common to both kinds of Wishbone.
fn wishbone_rules(cycle: u64, bus: &WishboneSample) -> Result<(), Violation> {
    hold(!bus.strobe || bus.cycle, cycle, || "STB without CYC".into())?;
    hold(!(bus.acknowledge && bus.error), cycle, || "ACK and ERR at once".into())?;
    hold(!bus.strobe || bus.access.address % 4 == 0, cycle, || {
        format!("ADR {:#x} is not a multiple of 4", bus.access.address)
    })
}

/// A monitor of a Wishbone classic bus.
#[derive(Clone, Debug, Default)]
pub struct WishboneClassic {
    cycle: u64,
    waiting: Option<WishboneAccess>,
}

impl WishboneClassic {
    /// Checks a cycle.
    ///
    /// # Errors
    /// A rule is violated.
    pub fn sample(&mut self, bus: &WishboneSample) -> Result<(), Violation> {
        let cycle = self.cycle;
        self.cycle += 1;
        wishbone_rules(cycle, bus)?;
        let answered = bus.acknowledge || bus.error;
        hold(!answered || bus.strobe, cycle, || "ACK or ERR without STB".into())?;
        if let Some(before) = self.waiting {
            hold(bus.strobe, cycle, || "STB dropped before ACK or ERR".into())?;
            hold(before == bus.access.said(), cycle, || {
                format!(
                    "the access changed before ACK or ERR, from {before:x?} to {:x?}",
                    bus.access
                )
            })?;
        }
        self.waiting = (bus.strobe && !answered).then_some(bus.access.said());
        Ok(())
    }
}

/// A monitor of a Wishbone pipelined bus.
#[derive(Clone, Debug, Default)]
pub struct WishbonePipelined {
    cycle: u64,
    stalled: Option<WishboneAccess>,
    due: u64,
    most_due: u64,
}

impl WishbonePipelined {
    /// Checks a cycle.
    ///
    /// # Errors
    /// A rule is violated.
    pub fn sample(&mut self, bus: &WishboneSample) -> Result<(), Violation> {
        let cycle = self.cycle;
        self.cycle += 1;
        wishbone_rules(cycle, bus)?;
        hold(bus.cycle || self.due == 0, cycle, || {
            format!("CYC dropped with {} answers due", self.due)
        })?;
        if let Some(before) = self.stalled {
            hold(bus.strobe, cycle, || "STB dropped while STALL was high".into())?;
            hold(before == bus.access.said(), cycle, || {
                format!("the access changed under STALL, from {before:x?} to {:x?}", bus.access)
            })?;
        }
        hold(!bus.strobe || bus.access.select != 0, cycle, || {
            "STB without SEL".into()
        })?;
        self.stalled = (bus.strobe && bus.stall).then_some(bus.access.said());
        self.due += u64::from(bus.strobe && !bus.stall);
        self.most_due = self.most_due.max(self.due);
        if bus.acknowledge || bus.error {
            hold(self.due > 0, cycle, || "more answers than accesses".into())?;
            self.due -= 1;
        }
        Ok(())
    }

    /// The number of unanswered accesses.
    pub fn due(&self) -> u64 {
        self.due
    }

    /// The largest number of unanswered accesses at any time, including accesses that were answered in their cycle.
    pub fn most_due(&self) -> u64 {
        self.most_due
    }
}

/// The state of a channel with VALID and READY, and its payload.
#[derive(Clone, Debug)]
struct Channel<T> {
    name: &'static str,
    waiting: Option<T>,
}

impl<T: Copy + PartialEq + std::fmt::Debug> Channel<T> {
    const fn new(name: &'static str) -> Self {
        Channel { name, waiting: None }
    }

    /// Checks a cycle. Returns the payload if it was transferred.
    fn sample(&mut self, cycle: u64, beat: &Beat<T>) -> Result<Option<T>, Violation> {
        let name = self.name;
        if let Some(before) = self.waiting {
            hold(beat.valid, cycle, || format!("{name}VALID dropped before {name}READY"))?;
            hold(before == beat.payload, cycle, || {
                format!(
                    "{name}'s payload changed before {name}READY, from {before:x?} to {:x?}",
                    beat.payload
                )
            })?;
        }
        self.waiting = (beat.valid && !beat.ready).then_some(beat.payload);
        Ok(beat.passed())
    }
}

/// The signals of a channel in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat<T> {
    /// VALID, from the sender.
    pub valid: bool,
    /// READY, from the receiver.
    pub ready: bool,
    /// The payload.
    pub payload: T,
}

impl<T: Copy> Beat<T> {
    /// A channel in a cycle.
    fn new(valid: bool, ready: bool, payload: T) -> Self {
        Beat { valid, ready, payload }
    }

    /// The payload that is transferred in this cycle; `None` without a transfer.
    pub fn passed(&self) -> Option<T> {
        (self.valid && self.ready).then_some(self.payload)
    }
}

/// A word to write, with its byte enables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteWord {
    /// Data, WDATA.
    pub data: u32,
    /// Byte enables, WSTRB.
    pub strobes: u8,
    /// WLAST; unused by AXI4-Lite, which does not have this signal.
    pub last: bool,
}

/// A word that was read, with its response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadWord {
    /// Data, RDATA.
    pub data: u32,
    /// Response, RRESP.
    pub response: u8,
    /// RLAST; unused by AXI4-Lite, which does not have this signal.
    pub last: bool,
}

/// The signals of a bus in a cycle. AW and AR carry an `A`, B a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxiChannels<A> {
    /// Write address channel, AW.
    pub write_address: Beat<A>,
    /// Write data channel, W.
    pub write_data: Beat<WriteWord>,
    /// Write response channel, B.
    pub write_response: Beat<u8>,
    /// Read address channel, AR.
    pub read_address: Beat<A>,
    /// Read data channel, R.
    pub read_data: Beat<ReadWord>,
}

/// Samples a settled port, with these payloads of AW, AR, and WLAST and RLAST.
macro_rules! sample {
    ($port:ident, $write:expr, $read:expr, $wlast:expr, $rlast:expr) => {
        AxiChannels {
            write_address: Beat::new($port.awvalid.val(), $port.awready.val(), $write),
            write_data: Beat::new(
                $port.wvalid.val(),
                $port.wready.val(),
                WriteWord {
                    data: $port.wdata.val().raw() as u32,
                    strobes: $port.wstrb.val().raw() as u8,
                    last: $wlast,
                },
            ),
            write_response: Beat::new($port.bvalid.val(), $port.bready.val(), $port.bresp.val().raw() as u8),
            read_address: Beat::new($port.arvalid.val(), $port.arready.val(), $read),
            read_data: Beat::new(
                $port.rvalid.val(),
                $port.rready.val(),
                ReadWord {
                    data: $port.rdata.val().raw() as u32,
                    response: $port.rresp.val().raw() as u8,
                    last: $rlast,
                },
            ),
        }
    };
}

/// The signals of an AXI4-Lite bus: AW and AR carry a byte address.
pub type AxiLiteSample = AxiChannels<u32>;

impl AxiLiteSample {
    /// Samples the port of a slave, which must have settled.
    pub fn of(port: &AxiLitePort) -> Self {
        sample!(
            port,
            port.awaddr.val().raw() as u32,
            port.araddr.val().raw() as u32,
            true,
            true
        )
    }
}

/// A monitor of an AXI4-Lite bus.
#[derive(Clone, Debug)]
pub struct AxiLite {
    cycle: u64,
    write_address: Channel<u32>,
    write_data: Channel<WriteWord>,
    write_response: Channel<u8>,
    read_address: Channel<u32>,
    read_data: Channel<ReadWord>,
    addresses_due: u64,
    words_due: u64,
    reads_due: u64,
}

impl Default for AxiLite {
    fn default() -> Self {
        AxiLite {
            cycle: 0,
            write_address: Channel::new("AW"),
            write_data: Channel::new("W"),
            write_response: Channel::new("B"),
            read_address: Channel::new("AR"),
            read_data: Channel::new("R"),
            addresses_due: 0,
            words_due: 0,
            reads_due: 0,
        }
    }
}

impl AxiLite {
    /// Checks a cycle.
    ///
    /// # Errors
    /// A rule is violated.
    pub fn sample(&mut self, bus: &AxiLiteSample) -> Result<(), Violation> {
        let cycle = self.cycle;
        self.cycle += 1;
        // A response arrives at least one cycle after its request.
        hold(
            !bus.write_response.valid || (self.addresses_due > 0 && self.words_due > 0),
            cycle,
            || "BVALID before both AW and W were taken".into(),
        )?;
        hold(!bus.read_data.valid || self.reads_due > 0, cycle, || {
            "RVALID before AR was taken".into()
        })?;
        let address = self.write_address.sample(cycle, &bus.write_address)?;
        let word = self.write_data.sample(cycle, &bus.write_data)?;
        if self.write_response.sample(cycle, &bus.write_response)?.is_some() {
            self.addresses_due -= 1;
            self.words_due -= 1;
        }
        let read = self.read_address.sample(cycle, &bus.read_address)?;
        if self.read_data.sample(cycle, &bus.read_data)?.is_some() {
            self.reads_due -= 1;
        }
        self.addresses_due += u64::from(address.is_some());
        self.words_due += u64::from(word.is_some());
        self.reads_due += u64::from(read.is_some());
        Ok(())
    }

    /// The number of reads and writes that have begun and are not answered yet.
    pub fn due(&self) -> u64 {
        self.addresses_due.max(self.words_due) + self.reads_due
    }
}

/// The address of an AXI4 burst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Burst {
    /// The byte address of the first beat.
    pub address: u32,
    /// LEN: the number of beats minus one.
    pub length: u8,
    /// SIZE: log2 of the bytes of a beat.
    pub size: u8,
    /// The burst type, BURST.
    pub kind: u8,
    /// LOCK: an exclusive access.
    pub exclusive: bool,
    /// CACHE, the memory attributes.
    pub cache: u8,
}

/// The signals of an AXI4 bus of 32-bit words and one ID.
pub type AxiSample = AxiChannels<Burst>;

impl AxiSample {
    /// Samples the port of a master, which must have settled.
    pub fn of(port: &AxiMasterPort) -> Self {
        let write = Burst {
            address: port.awaddr.val().raw() as u32,
            length: port.awlen.val().raw() as u8,
            size: port.awsize.val().raw() as u8,
            kind: port.awburst.val().raw() as u8,
            exclusive: port.awlock.val(),
            cache: port.awcache.val().raw() as u8,
        };
        let read = Burst {
            address: port.araddr.val().raw() as u32,
            length: port.arlen.val().raw() as u8,
            size: port.arsize.val().raw() as u8,
            kind: port.arburst.val().raw() as u8,
            exclusive: port.arlock.val(),
            cache: port.arcache.val().raw() as u8,
        };
        sample!(port, write, read, port.wlast.val(), port.rlast.val())
    }
}

/// A monitor of an AXI4 bus of 32-bit words and one ID.
#[derive(Clone, Debug)]
pub struct Axi {
    cycle: u64,
    write_address: Channel<Burst>,
    write_data: Channel<WriteWord>,
    write_response: Channel<u8>,
    read_address: Channel<Burst>,
    read_data: Channel<ReadWord>,
    /// Bursts whose address was accepted and whose data are incomplete.
    writes: VecDeque<u64>,
    /// The numbers of beats of complete data bursts that preceded their address.
    data: VecDeque<u64>,
    /// The number of beats of the data burst in progress.
    beats: u64,
    responses_due: u64,
    /// The number of outstanding beats of each read burst.
    reads: VecDeque<u64>,
    most_reads: usize,
    /// The last exclusive read.
    exclusive_read: Option<Burst>,
}

impl Default for Axi {
    fn default() -> Self {
        Axi {
            cycle: 0,
            write_address: Channel::new("AW"),
            write_data: Channel::new("W"),
            write_response: Channel::new("B"),
            read_address: Channel::new("AR"),
            read_data: Channel::new("R"),
            writes: VecDeque::new(),
            data: VecDeque::new(),
            beats: 0,
            responses_due: 0,
            reads: VecDeque::new(),
            most_reads: 0,
            exclusive_read: None,
        }
    }
}

/// The value of BURST for INCR.
const INCREMENTING: u8 = 1;

fn burst_rules(cycle: u64, channel: &str, beat: &Beat<Burst>) -> Result<(), Violation> {
    if !beat.valid {
        return Ok(());
    }
    let Burst {
        address,
        length,
        size,
        kind,
        exclusive,
        cache,
    } = beat.payload;
    hold(kind == INCREMENTING, cycle, || {
        format!("{channel}BURST is {kind}, not INCR")
    })?;
    hold(size == 2, cycle, || format!("{channel}SIZE is {size}, not 2: 4 bytes"))?;
    hold(address % 4 == 0, cycle, || {
        format!("{channel}ADDR {address:#x} is not a multiple of 4")
    })?;
    let last = u64::from(address) + 4 * u64::from(length);
    hold(last / 4096 == u64::from(address) / 4096, cycle, || {
        format!("{channel}'s burst from {address:#x} to {last:#x} crosses a 4 KiB boundary")
    })?;
    // An exclusive access is of 2^n bytes, at most 128, at a multiple of its size, and no cache answers it.
    let bytes = 4 * (u32::from(length) + 1);
    let fits = bytes.is_power_of_two() && bytes <= 128 && address % bytes == 0;
    hold(!exclusive || fits, cycle, || {
        format!("{channel}: an exclusive access of {bytes} bytes at {address:#x}")
    })?;
    hold(!exclusive || cache == 2, cycle, || {
        format!("{channel}CACHE of an exclusive access is {cache}, not 2: not bufferable")
    })
}

impl Axi {
    /// Checks a cycle.
    ///
    /// # Errors
    /// A rule is violated.
    pub fn sample(&mut self, bus: &AxiSample) -> Result<(), Violation> {
        let cycle = self.cycle;
        self.cycle += 1;
        burst_rules(cycle, "AW", &bus.write_address)?;
        burst_rules(cycle, "AR", &bus.read_address)?;
        hold(!bus.write_response.valid || self.responses_due > 0, cycle, || {
            "BVALID before AW and the last W were taken".into()
        })?;
        if bus.read_data.valid {
            let due = self.reads.front().copied();
            let due = due.ok_or_else(|| Violation {
                cycle,
                rule: "RVALID before AR was taken".into(),
            })?;
            hold(bus.read_data.payload.last == (due == 1), cycle, || {
                format!("RLAST is {} with {due} beats due", bus.read_data.payload.last)
            })?;
        }

        if self.write_response.sample(cycle, &bus.write_response)?.is_some() {
            self.responses_due -= 1;
        }
        if self.read_data.sample(cycle, &bus.read_data)?.is_some() {
            if let Some(due) = self.reads.front_mut() {
                *due -= 1;
                if *due == 0 {
                    self.reads.pop_front();
                }
            }
        }
        if let Some(burst) = self.write_address.sample(cycle, &bus.write_address)? {
            hold(!burst.exclusive || self.exclusive_read == Some(burst), cycle, || {
                format!("{burst:x?} is not the last exclusive read, {:x?}", self.exclusive_read)
            })?;
            self.writes.push_back(u64::from(burst.length) + 1);
        }
        if let Some(word) = self.write_data.sample(cycle, &bus.write_data)? {
            self.beats += 1;
            if word.last {
                self.data.push_back(std::mem::take(&mut self.beats));
            }
        }
        // The beats of the data burst in progress so far.
        if let (Some(length), true) = (self.writes.front(), self.data.is_empty()) {
            hold(self.beats < *length, cycle, || {
                format!("{} beats of a burst of {length} without WLAST", self.beats)
            })?;
        }
        while let (Some(length), Some(beats)) = (self.writes.front(), self.data.front()) {
            hold(length == beats, cycle, || {
                format!("WLAST with beat {beats} of a burst of {length}")
            })?;
            self.writes.pop_front();
            self.data.pop_front();
            self.responses_due += 1;
        }
        if let Some(burst) = self.read_address.sample(cycle, &bus.read_address)? {
            if burst.exclusive {
                self.exclusive_read = Some(burst);
            }
            self.reads.push_back(u64::from(burst.length) + 1);
            self.most_reads = self.most_reads.max(self.reads.len());
        }
        Ok(())
    }

    /// The number of bursts that have begun and are not completely answered.
    pub fn due(&self) -> u64 {
        let begun = self.writes.len().max(self.data.len() + usize::from(self.beats > 0)) + self.reads.len();
        begun as u64 + self.responses_due
    }

    /// The largest number of reads in flight at any time.
    pub fn most_reads(&self) -> usize {
        self.most_reads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strobe(address: u32, stall: bool) -> WishboneSample {
        WishboneSample {
            cycle: true,
            strobe: true,
            access: WishboneAccess {
                write: true,
                address,
                select: 15,
                data: 1,
            },
            stall,
            ..Default::default()
        }
    }

    /// Returns the rule that the last of the samples violates; the others must be correct.
    fn broken<M: Default, S>(samples: &[S], sample: impl Fn(&mut M, &S) -> Result<(), Violation>) -> String {
        let mut monitor = M::default();
        let (last, before) = samples.split_last().unwrap();
        for one in before {
            sample(&mut monitor, one).unwrap();
        }
        let violation = sample(&mut monitor, last).unwrap_err();
        assert_eq!(violation.cycle, before.len() as u64);
        violation.rule
    }

    #[test]
    fn wishbone_classic_rules_are_checked() {
        let check = |samples: &[WishboneSample]| broken(samples, WishboneClassic::sample);
        let idle = WishboneSample::default();
        let alone = WishboneSample { strobe: true, ..idle };
        assert!(check(&[alone]).starts_with("STB without CYC"));
        let ack = WishboneSample {
            acknowledge: true,
            ..strobe(4, false)
        };
        assert!(check(&[strobe(4, false), ack, strobe(8, false), idle]).starts_with("STB dropped"));
        assert!(check(&[strobe(4, false), strobe(8, false)]).starts_with("the access changed"));
        let late = WishboneSample {
            acknowledge: true,
            ..idle
        };
        assert!(check(&[late]).starts_with("ACK or ERR without"));
        assert!(check(&[WishboneSample { error: true, ..ack }]).starts_with("ACK and ERR"));
        assert!(check(&[strobe(2, false)]).starts_with("ADR 0x2"));
    }

    #[test]
    fn wishbone_pipelined_rules_are_checked() {
        let check = |samples: &[WishboneSample]| broken(samples, WishbonePipelined::sample);
        let idle = WishboneSample::default();
        let answer = WishboneSample {
            cycle: true,
            acknowledge: true,
            ..idle
        };
        assert!(check(&[strobe(4, false), idle]).starts_with("CYC dropped with 1"));
        assert!(check(&[strobe(4, false), strobe(8, false), answer, answer, answer]).starts_with("more answers"));
        assert!(check(&[strobe(4, true), strobe(8, true)]).starts_with("the access changed"));
        assert!(check(&[strobe(4, true), answer]).starts_with("STB dropped"));
        let mut nothing = strobe(4, false);
        nothing.access.select = 0;
        assert!(check(&[nothing]).starts_with("STB without SEL"));
        let mut monitor = WishbonePipelined::default();
        for sample in [strobe(4, false), strobe(8, false), answer] {
            monitor.sample(&sample).unwrap();
        }
        assert_eq!((monitor.due(), monitor.most_due()), (1, 2));
    }

    fn beat<T>(ready: bool, payload: T) -> Beat<T> {
        Beat {
            valid: true,
            ready,
            payload,
        }
    }

    #[test]
    fn axi_lite_rules_are_checked() {
        let check = |samples: &[AxiLiteSample]| broken(samples, AxiLite::sample);
        let idle = AxiLiteSample::default();
        let address = |ready, address| AxiLiteSample {
            write_address: beat(ready, address),
            ..idle
        };
        assert!(check(&[address(false, 4), idle]).starts_with("AWVALID dropped"));
        assert!(check(&[address(false, 4), address(true, 8)]).starts_with("AW's payload changed"));
        let response = AxiLiteSample {
            write_response: beat(true, 0),
            ..idle
        };
        assert!(check(&[address(true, 4), response]).starts_with("BVALID before both"));
        let word = AxiLiteSample {
            write_data: beat(true, WriteWord::default()),
            ..idle
        };
        assert!(check(&[address(true, 4), word, response, response]).starts_with("BVALID before both"));
        let read = AxiLiteSample {
            read_address: beat(true, 4),
            read_data: beat(true, ReadWord::default()),
            ..idle
        };
        assert!(check(&[read]).starts_with("RVALID before AR"));
    }

    #[test]
    fn axi_rules_are_checked() {
        let check = |samples: &[AxiSample]| broken(samples, Axi::sample);
        let idle = AxiSample::default();
        let burst = |address, length| Burst {
            address,
            length,
            size: 2,
            kind: INCREMENTING,
            exclusive: false,
            cache: 3,
        };
        let write_burst = |burst| AxiSample {
            write_address: beat(true, burst),
            ..idle
        };
        let write = |length| write_burst(burst(16, length));
        let word = |last| AxiSample {
            write_data: beat(
                true,
                WriteWord {
                    last,
                    ..Default::default()
                },
            ),
            ..idle
        };
        let response = AxiSample {
            write_response: beat(true, 0),
            ..idle
        };
        assert!(check(&[write(1), word(true)]).starts_with("WLAST with beat 1 of a burst of 2"));
        assert!(check(&[write(0), word(false)]).starts_with("1 beats of a burst of 1 without"));
        assert!(check(&[word(true), write(1)]).starts_with("WLAST with beat 1 of a burst of 2"));
        assert!(check(&[write(1), word(false), response]).starts_with("BVALID before"));
        assert!(check(&[word(true), write(0), response, response]).starts_with("BVALID before"));
        let read_burst = |burst| AxiSample {
            read_address: beat(true, burst),
            ..idle
        };
        let read = |address, length| read_burst(burst(address, length));
        let data = |last| AxiSample {
            read_data: beat(
                true,
                ReadWord {
                    last,
                    ..Default::default()
                },
            ),
            ..idle
        };
        assert!(check(&[read(0, 1), data(true)]).starts_with("RLAST is true with 2"));
        assert!(check(&[read(0, 0), read(0, 1), data(true), data(true)]).starts_with("RLAST is true with 2"));
        assert!(check(&[data(true)]).starts_with("RVALID before"));
        assert!(check(&[read(4092, 1)]).contains("4 KiB"));
        let mut fixed = read(0, 0);
        fixed.read_address.payload.kind = 0;
        assert!(check(&[fixed]).starts_with("ARBURST is 0"));
        let locked = |address, length| Burst {
            exclusive: true,
            cache: 2,
            ..burst(address, length)
        };
        assert!(check(&[read_burst(locked(4, 1))]).contains("exclusive access of 8 bytes at 0x4"));
        assert!(check(&[read_burst(locked(0, 2))]).contains("exclusive access of 12 bytes"));
        let mut buffered = read_burst(locked(8, 1));
        buffered.read_address.payload.cache = 3;
        assert!(check(&[buffered]).starts_with("ARCACHE of an exclusive access is 3"));
        let other = [read_burst(locked(8, 1)), write_burst(locked(8, 0))];
        assert!(check(&other).contains("is not the last exclusive read"));
        let mut monitor = Axi::default();
        for sample in [read_burst(locked(8, 1)), write_burst(locked(8, 1))] {
            monitor.sample(&sample).unwrap();
        }
        let mut monitor = Axi::default();
        for sample in [write(0), word(true), read(0, 0), read(4, 0)] {
            monitor.sample(&sample).unwrap();
        }
        assert_eq!((monitor.due(), monitor.most_reads()), (3, 2));
    }
}
