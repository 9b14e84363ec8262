//! Small RAMs whose words hold one value per lane: queues of beats. [`LaneRam`] is read in the same cycle,
//! [`LaneBlockRam`] for the next one.
//!
//! One block rather than a RAM per lane, because a beat is written and read as a whole: one address, one enable, and
//! one block to simulate.

use hdlkit::memory::{collision_free_read, BLOCK_COLLISION_FREE};
use hdlkit::prelude::*;

/// The items of an array port, lane 0 lowest, as one Verilog vector.
pub(crate) fn concatenation(port: &str, lanes: usize) -> String {
    let items: Vec<String> = (0..lanes).rev().map(|i| format!("{port}${i}")).collect();
    format!("{{{}}}", items.join(", "))
}

/// `assign`s that unpack the array port `port`, of `width` bits per item, from the Verilog vector `vector`.
pub(crate) fn spread(port: &str, vector: &str, lanes: usize, width: usize) -> String {
    (0..lanes)
        .map(|i| {
            format!(
                "assign {port}${i} = {vector}[{}:{}];\n",
                i * width + width - 1,
                i * width
            )
        })
        .collect()
}

/// 2^A words of LANES values of D bits (at least 2), initially zero.
///
/// ```text
/// cycle        t                                   t+1
/// read         read_data = word at read_address
/// write        address, data, enable               seen by reads
/// ```
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(follows(read_address), named_by_place)]
pub struct LaneRam<const A: usize, const D: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: [Signal<Out, Bits<D>>; LANES],
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub write_enable: Signal<In, Bit>,
    _memory: Vec<[Bits<D>; LANES]>,
    _stale: Stale,
}

impl<const A: usize, const D: usize, const LANES: usize> Blank for LaneRam<A, D, LANES> {
    fn blank() -> Self {
        LaneRam {
            clock: Blank::blank(),
            read_address: Blank::blank(),
            read_data: Blank::blank(),
            write_address: Blank::blank(),
            write_data: Blank::blank(),
            write_enable: Blank::blank(),
            _memory: vec![[Bits::default(); LANES]; 1 << A],
            _stale: Stale::default(),
        }
    }
}

impl<const A: usize, const D: usize, const LANES: usize> Leaf for LaneRam<A, D, LANES> {
    fn edge(&mut self) -> bool {
        if !self.write_enable.val() {
            return false;
        }
        let write = self.write_address.val().index();
        for (place, data) in self._memory[write].iter_mut().zip(&self.write_data) {
            *place = data.val();
        }
        write == self.read_address.val().index()
    }
    fn follow(&mut self) {
        let word = &self._memory[self.read_address.val().index()];
        for (port, value) in self.read_data.iter_mut().zip(word) {
            port.next = *value;
        }
    }
    fn verilog(&self) -> String {
        let (depth, bits) = (1 << A, D * LANES);
        let mut text = format!(
            "(* ram_style = \"distributed\" *)\nreg [{}:0] memory [0:{}];\ninteger i;\ninitial begin\n    for (i = 0; i < {depth}; i = i + 1)\n        memory[i] = {{{bits}{{1'b0}}}};\nend\n",
            bits - 1,
            depth - 1,
        );
        text.push_str(&format!(
            "wire [{}:0] word;\nassign word = memory[read_address];\n",
            bits - 1
        ));
        text.push_str(&spread("read_data", "word", LANES, D));
        text.push_str(&format!(
            "always @(posedge clock)\n    if (write_enable)\n        memory[write_address] <= {};\n",
            concatenation("write_data", LANES)
        ));
        text
    }
}

/// 2^A words of LANES values of D bits (at least 2), initially zero, in block RAM.
///
/// ```text
/// cycle        t                                   t+1 until the next read
/// read         read_enable, read_address           read_data
/// write        address, data, enable               there for reads
/// ```
/// A word is never read in the cycle in which it is written.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(named_by_place)]
pub struct LaneBlockRam<const A: usize, const D: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: [Signal<Out, Bits<D>>; LANES],
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub write_enable: Signal<In, Bit>,
    _memory: Vec<[Bits<D>; LANES]>,
}

impl<const A: usize, const D: usize, const LANES: usize> Blank for LaneBlockRam<A, D, LANES> {
    fn blank() -> Self {
        LaneBlockRam {
            clock: Blank::blank(),
            read_enable: Blank::blank(),
            read_address: Blank::blank(),
            read_data: Blank::blank(),
            write_address: Blank::blank(),
            write_data: Blank::blank(),
            write_enable: Blank::blank(),
            _memory: vec![[Bits::default(); LANES]; 1 << A],
        }
    }
}

impl<const A: usize, const D: usize, const LANES: usize> Leaf for LaneBlockRam<A, D, LANES> {
    fn edge(&mut self) -> bool {
        if self.read_enable.val() {
            let word = &self._memory[self.read_address.val().index()];
            for (port, value) in self.read_data.iter_mut().zip(word) {
                port.next = *value;
            }
        }
        if self.write_enable.val() {
            let write = self.write_address.val().index();
            for (place, data) in self._memory[write].iter_mut().zip(&self.write_data) {
                *place = data.val();
            }
        }
        self.read_enable.val() || self.write_enable.val()
    }
    fn verilog(&self) -> String {
        let (depth, bits) = (1 << A, D * LANES);
        let mut text = format!(
            "\
{BLOCK_COLLISION_FREE}
reg [{top}:0] memory [0:{last}];
integer i;
initial begin
    for (i = 0; i < {depth}; i = i + 1)
        memory[i] = {{{bits}{{1'b0}}}};
end
reg [{top}:0] word;
{read}always @(posedge clock)
    if (write_enable)
        memory[write_address] <= {data};
",
            top = bits - 1,
            last = depth - 1,
            read = collision_free_read(bits, "word", "memory", "read_address", "write_enable", "write_address"),
            data = concatenation("write_data", LANES),
        );
        text.push_str(&spread("read_data", "word", LANES, D));
        text
    }
}
