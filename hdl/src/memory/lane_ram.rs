//! Small RAMs whose words hold one value for each lane: queues of beats. [`LaneRam`] is read in the same cycle,
//! [`LaneBlockRam`] for the next one.
//!
//! One block, not a RAM a lane, because a beat is written and read as a whole: one address, one enable, and one
//! thing to simulate.

use hdlkit::memory::{collision_free_read, BLOCK_COLLISION_FREE};
use hdlkit::prelude::*;

/// The items of an array port, lane 0 lowest, as one Verilog vector.
pub(crate) fn concatenation(port: &str, lanes: usize) -> String {
    let items: Vec<String> = (0..lanes).rev().map(|i| format!("{port}${i}")).collect();
    format!("{{{}}}", items.join(", "))
}

/// `assign`s that take the array port `port`, of `width` bits an item, out of the Verilog vector `vector`.
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

/// 2^A words of LANES values of D bits (at least 2), zero at first.
///
/// ```text
/// cycle        t                                   t+1
/// read         read_data = word at read_address
/// write        address, data, enable               seen by reads
/// ```
#[derive(Clone, Debug, LogicBlock, Structure, Ports)]
#[leaf]
pub struct LaneRam<const A: usize, const D: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: [Signal<Out, Bits<D>>; LANES],
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub write_enable: Signal<In, Bit>,
    _memory: Vec<[Bits<D>; LANES]>,
    /// The word that is read was written at the last edge.
    _fresh: bool,
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
            _fresh: false,
        }
    }
}

impl<const A: usize, const D: usize, const LANES: usize> LaneRam<A, D, LANES> {
    /// The rising edge; true if what is read changed.
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

    fn read(&mut self) {
        let word = &self._memory[self.read_address.val().index()];
        for (port, value) in self.read_data.iter_mut().zip(word) {
            port.next = *value;
        }
    }
}

impl<const A: usize, const D: usize, const LANES: usize> Logic for LaneRam<A, D, LANES> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.edge();
        }
        self.read();
    }
    fn connect(&mut self) {
        self.read_data.iter_mut().for_each(|port| port.connect());
    }
    fn hdl(&self) -> Verilog {
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
        Verilog::Custom(text)
    }
}

impl<const A: usize, const D: usize, const LANES: usize> Cycle for LaneRam<A, D, LANES> {
    fn tick(&mut self) -> bool {
        let fresh = self.edge();
        self._fresh |= fresh;
        fresh
    }
    fn settle(&mut self) -> bool {
        self.write_address.commit_in();
        self.write_data.commit_in();
        self.write_enable.commit_in();
        let moved = self.read_address.commit_in();
        if !moved && !self._fresh {
            return false;
        }
        self._fresh = false;
        self.read();
        self.read_data.commit_out()
    }
}

impl<const A: usize, const D: usize, const LANES: usize> Leaf for LaneRam<A, D, LANES> {
    fn primitives(&self, found: &mut Vec<Primitive>) {
        found.push(Primitive::opaque(self, &["read_address"]));
    }
}

/// 2^A words of LANES values of D bits (at least 2), zero at first, in block RAM.
///
/// ```text
/// cycle        t                                   t+1 until the next read
/// read         read_enable, read_address           read_data
/// write        address, data, enable               there for reads
/// ```
/// A place is not read in the cycle of a write to it.
#[derive(Clone, Debug, LogicBlock, Structure, Ports)]
#[leaf]
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

impl<const A: usize, const D: usize, const LANES: usize> LaneBlockRam<A, D, LANES> {
    /// The rising edge; true if a later edge could see a difference.
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
}

impl<const A: usize, const D: usize, const LANES: usize> Logic for LaneBlockRam<A, D, LANES> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.edge();
        }
    }
    fn connect(&mut self) {
        self.read_data.iter_mut().for_each(|port| port.connect());
    }
    fn hdl(&self) -> Verilog {
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
        Verilog::Custom(text)
    }
}

impl<const A: usize, const D: usize, const LANES: usize> Cycle for LaneBlockRam<A, D, LANES> {
    fn tick(&mut self) -> bool {
        self.edge()
    }
    fn settle(&mut self) -> bool {
        self.read_enable.commit_in();
        self.read_address.commit_in();
        self.write_address.commit_in();
        self.write_data.commit_in();
        self.write_enable.commit_in();
        self.read_data.commit_out()
    }
}

impl<const A: usize, const D: usize, const LANES: usize> Leaf for LaneBlockRam<A, D, LANES> {
    fn primitives(&self, found: &mut Vec<Primitive>) {
        found.push(Primitive::opaque(self, &[]));
    }
}
