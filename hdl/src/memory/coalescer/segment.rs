//! The segment of a beat's next request, and the lanes that it serves.

use super::lowest;
use crate::memory::lane_ram::concatenation;
use hdlkit::prelude::*;

/// Chooses the next request of a beat, led by the lowest waiting lane; the answer is valid in the same cycle.
///
/// ```text
/// leader ──────> segment
///    v
/// address ─────> equal above the segment, & pending ──> served ──> complete
/// ```
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(combinational)]
pub struct Coalescer<const LANES: usize> {
    /// Lanes that wait; bits LANES.. do not count.
    pub pending: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    /// Address of the lowest lane that waits.
    pub leader: Signal<In, Bits<32>>,
    /// A request serves lanes of one half-warp only.
    pub strict: Signal<In, Bit>,
    /// Half-warps (lanes 0 to 15, 16 to 31) that need a request per lane; only with `strict`.
    pub one_by_one: Signal<In, Bits<2>>,
    /// The leader's address without the bits inside a segment.
    pub segment: Signal<Out, Bits<32>>,
    /// Waiting lanes that this request serves.
    pub served: Signal<Out, Bits<32>>,
    /// Lanes still waiting after this request.
    pub rest: Signal<Out, Bits<32>>,
    /// No lane is left waiting.
    pub complete: Signal<Out, Bit>,
    _stale: Stale,
}

/// Address bits inside a segment of `lanes` words.
const fn segment_bits(lanes: usize) -> usize {
    lanes.trailing_zeros() as usize + 2
}

impl<const LANES: usize> Blank for Coalescer<LANES> {
    fn blank() -> Self {
        Coalescer {
            pending: Blank::blank(),
            address: Blank::blank(),
            leader: Blank::blank(),
            strict: Blank::blank(),
            one_by_one: Blank::blank(),
            segment: Blank::blank(),
            served: Blank::blank(),
            rest: Blank::blank(),
            complete: Blank::blank(),
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> Leaf for Coalescer<LANES> {
    fn follow(&mut self) {
        let shift = segment_bits(LANES);
        let pending = self.pending.val().raw() & ((1 << LANES) - 1);
        let leader = self.leader.val().raw();
        let mut served = 0;
        for (i, address) in self.address.iter().enumerate() {
            served |= u64::from(address.val().raw() >> shift == leader >> shift) << i;
        }
        served &= pending;
        let lowest = if pending == 0 { 0 } else { pending.trailing_zeros() };
        let half = lowest as usize / 16;
        if self.strict.val() {
            served &= 0xffff << (16 * half);
        }
        if self.one_by_one.val().get_bit(half) {
            served &= 1 << lowest;
        }
        self.segment.next = (leader >> shift << shift).into();
        self.served.next = served.into();
        self.rest.next = (pending & !served).into();
        self.complete.next = served == pending;
    }
    fn verilog(&self) -> String {
        let shift = segment_bits(LANES);
        format!(
            "\
wire [{top}:0] addresses;
assign addresses = {addresses};
wire [{last}:0] lowest;
{lowest}// Who may share the leader's request; known before who wants its segment.
reg [{last}:0] allowed;
reg [{last}:0] same;
integer i;
always @(*) begin
    allowed = pending[{last}:0];
{strict}    for (i = 0; i < {LANES}; i = i + 1)
        same[i] = allowed[i] & (addresses[i * 32 + {shift} +: {high}] == leader[31:{shift}]);
end
assign segment = {{leader[31:{shift}], {shift}'d0}};
assign served = {{{pad}same}};
assign rest = {{{pad}pending[{last}:0] & ~same}};
assign complete = ~|(pending[{last}:0] & ~same);
",
            top = LANES * 32 - 1,
            addresses = concatenation("address", LANES),
            last = LANES - 1,
            high = 32 - shift,
            lowest = lowest(LANES),
            pad = if LANES == 32 {
                String::new()
            } else {
                format!("{}'d0, ", 32 - LANES)
            },
            strict = if LANES == 32 {
                "    if (strict)
        allowed = allowed & ((|pending[15:0]) ? 32'h0000ffff : 32'hffff0000);
    if ((|pending[15:0]) ? one_by_one[0] : one_by_one[1])
        allowed = allowed & lowest;
"
            } else {
                "    if (one_by_one[0])
        allowed = allowed & lowest;
"
            },
        )
    }
}
