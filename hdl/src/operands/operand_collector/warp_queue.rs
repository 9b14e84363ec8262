//! Queue storage whose words hold a value per thread of a warp: written beat by beat, read by half-warps.
//!
//! A beat is what the lanes deliver in a cycle, a half-warp what the shared memory banks serve. One block, so that the
//! width conversion is in one place.

use crate::memory::lane_ram::{concatenation, spread};
use hdlkit::memory::{garbage, BLOCK_COLLISION_FREE, POISON};
use hdlkit::prelude::*;

/// Places of a [`WarpQueue`].
pub const PLACES: usize = 4;

/// Four places of 32 values of D bits, initially zero.
///
/// ```text
/// cycle   t                                    t+1
/// write   place, beat, data, enable            seen by takes
/// take    place, half                          half, until the next take
/// ```
/// Block RAM: a place is never taken in the cycle of a write to it.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(named_by_place)]
pub struct WarpQueue<const D: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_place: Signal<In, Bits<2>>,
    /// Lane i of beat b is thread b * LANES + i.
    pub write_beat: Signal<In, Bits<2>>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub take: Signal<In, Bit>,
    pub take_place: Signal<In, Bits<2>>,
    /// Threads 16 to 31, else 0 to 15.
    pub take_upper: Signal<In, Bit>,
    pub half: [Signal<Out, Bits<D>>; 16],
    _memory: [[Bits<D>; 32]; PLACES],
}

impl<const D: usize, const LANES: usize> Blank for WarpQueue<D, LANES> {
    fn blank() -> Self {
        WarpQueue {
            clock: Blank::blank(),
            write_enable: Blank::blank(),
            write_place: Blank::blank(),
            write_beat: Blank::blank(),
            write_data: Blank::blank(),
            take: Blank::blank(),
            take_place: Blank::blank(),
            take_upper: Blank::blank(),
            half: Blank::blank(),
            _memory: [[Bits::default(); 32]; PLACES],
        }
    }
}

impl<const D: usize, const LANES: usize> Leaf for WarpQueue<D, LANES> {
    fn edge(&mut self) -> bool {
        let mut changed = false;
        if self.take.val() {
            let place = &self._memory[self.take_place.val().index()];
            let first = if self.take_upper.val() { 16 } else { 0 };
            for (port, value) in self.half.iter_mut().zip(&place[first..]) {
                changed |= port.next != *value;
                port.next = *value;
            }
        }
        if self.write_enable.val() {
            let first = self.write_beat.val().index() * LANES % 32;
            let place = &mut self._memory[self.write_place.val().index()];
            for (value, port) in place[first..].iter_mut().zip(&self.write_data) {
                *value = port.val();
            }
        }
        changed
    }
    fn verilog(&self) -> String {
        // One memory per simultaneous read: per beat of a half-warp, or per half of a beat.
        let (memories, places) = match LANES {
            8 | 16 => (16 / LANES, 2 * PLACES),
            _ => (2, PLACES),
        };
        let bits = D * LANES.min(16);
        let (write_at, take_at, taken) = match LANES {
            8 => (
                "{write_place, write_beat[1]}",
                "{take_place, take_upper}",
                "{memory_1[take_at], memory_0[take_at]}",
            ),
            16 => (
                "{write_place, write_beat[0]}",
                "{take_place, take_upper}",
                "memory_0[take_at]",
            ),
            _ => (
                "write_place",
                "take_place",
                "take_upper ? memory_1[take_at] : memory_0[take_at]",
            ),
        };
        let at_top = places.trailing_zeros() - 1;
        let mut text = format!(
            "integer i;\nwire [{at_top}:0] write_at;\nassign write_at = {write_at};\nwire [{at_top}:0] take_at;\nassign take_at = {take_at};\n"
        );
        for memory in 0..memories {
            text.push_str(&format!(
                "{BLOCK_COLLISION_FREE}\nreg [{top}:0] memory_{memory} [0:{last}];\ninitial\n    for (i = 0; i < {places}; i = i + 1)\n        memory_{memory}[i] = {{{bits}{{1'b0}}}};\n",
                top = bits - 1,
                last = places - 1,
            ));
        }
        text.push_str(&format!(
            "\
wire [{top}:0] beat;
assign beat = {data};
reg [{half_top}:0] taken;
initial taken = {{{half_bits}{{1'b0}}}};
always @(posedge clock) begin
    if (take)
        taken <= {taken};
`ifdef {POISON}
    if (take && write_enable && take_at == write_at)
        taken <= {garbage};
`endif
",
            top = D * LANES - 1,
            data = concatenation("write_data", LANES),
            half_top = D * 16 - 1,
            half_bits = D * 16,
            garbage = garbage(D * 16),
        ));
        for memory in 0..memories {
            let (here, part) = match LANES {
                8 => (format!(" && write_beat[0] == 1'd{memory}"), String::new()),
                16 => Default::default(),
                _ => (
                    String::new(),
                    format!("[{}:{}]", bits * memory + bits - 1, bits * memory),
                ),
            };
            text.push_str(&format!(
                "    if (write_enable{here})\n        memory_{memory}[write_at] <= beat{part};\n"
            ));
        }
        text.push_str("end\n");
        text.push_str(&spread("half", "taken", 16, D));
        text
    }
}
