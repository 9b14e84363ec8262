//! The segment of a beat's next request, and the lanes that it serves.

use super::{all_lanes, lowest_lane};
use hdlkit::prelude::*;

/// Chooses the next request of a beat, led by the lowest waiting lane; the answer is valid in the same cycle.
///
/// ```text
/// leader ──────> segment
///    v
/// address ─────> equal above the segment, & may share ──> served ──> rest, complete
/// pending, strict, one_by_one ────────────────┘
/// ```
/// | mode | lanes that share the leader's request |
/// |---|---|
/// | plain | those that wait for its segment |
/// | `strict` | those of its half-warp that wait for its segment |
/// | its half-warp is `one_by_one` | only the leader |
#[circuit]
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
}

impl<const LANES: usize> Coalescer<LANES> {
    /// Address bits inside a segment of LANES words.
    const SEGMENT_BITS: u64 = LANES.trailing_zeros() as u64 + 2;
}

impl<const LANES: usize> Logic for Coalescer<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let waiting = self.pending.val() & all_lanes(LANES);
        let wanted = self.leader.val() >> Self::SEGMENT_BITS;

        // The leader's half-warp.
        let upper = if LANES > 16 { !waiting.low::<16>().any() } else { false };
        let half_warp = if upper { bits::<32>(0xffff_0000) } else { bits(0xffff) };
        let alone = if upper { self.one_by_one.val().get_bit(1) } else { self.one_by_one.val().get_bit(0) };

        // The lanes that may share the leader's request are known before those that wait for its segment.
        let may_share = if alone {
            lowest_lane::<LANES>(waiting)
        } else if self.strict.val() {
            waiting & half_warp
        } else {
            waiting
        };
        let mut shares = Bits::<32>::ZERO;
        for i in 0..LANES {
            let same_segment = self.address[i].val() >> Self::SEGMENT_BITS == wanted;
            shares = shares.replace_bit(i, may_share.get_bit(i) && same_segment);
        }

        self.segment.next = wanted << Self::SEGMENT_BITS;
        self.served.next = shares;
        self.rest.next = waiting & !shares;
        self.complete.next = !(waiting & !shares).any();
    }
}
