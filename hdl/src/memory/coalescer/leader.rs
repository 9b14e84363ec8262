//! The lane that leads a request.

use super::lowest;
use crate::memory::lane_ram::concatenation;
use hdlkit::prelude::*;

/// Selects the address of the lowest waiting lane; valid in the same cycle.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(combinational)]
pub struct Leader<const LANES: usize> {
    /// Lanes that wait; bits LANES.. do not count.
    pub pending: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    /// 0 if none waits.
    pub leader: Signal<Out, Bits<32>>,
    _stale: Stale,
}

impl<const LANES: usize> Blank for Leader<LANES> {
    fn blank() -> Self {
        Leader {
            pending: Blank::blank(),
            address: Blank::blank(),
            leader: Blank::blank(),
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> Leaf for Leader<LANES> {
    fn follow(&mut self) {
        let lowest = self.pending.val().raw().trailing_zeros() as usize;
        self.leader.next = self
            .address
            .get(lowest)
            .map_or(Bits::default(), |address| address.val());
    }
    fn verilog(&self) -> String {
        format!(
            "\
wire [{top}:0] addresses;
assign addresses = {addresses};
// One bit set, that of the lowest lane: a sum of products takes less time than a number and a multiplexer.
wire [{last}:0] lowest;
{lowest}reg [31:0] lead;
integer i;
always @(*) begin
    lead = 32'd0;
    for (i = 0; i < {LANES}; i = i + 1)
        lead = lead | (addresses[i * 32 +: 32] & {{32{{lowest[i]}}}});
end
assign leader = lead;
",
            top = LANES * 32 - 1,
            addresses = concatenation("address", LANES),
            last = LANES - 1,
            lowest = lowest(LANES),
        )
    }
}
