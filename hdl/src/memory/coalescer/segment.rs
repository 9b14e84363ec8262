//! Checks the accesses of a beat, and finds its next request: the segment, and the lanes that the request serves.

use hdlkit::prelude::*;

/// Returns the lanes in `lanes` with an access of `1 << size` bytes that is misaligned or not entirely inside the
/// memory. `end` is the first address past the memory; 0 for 2^32.
#[hdl_fn]
pub fn faulting_lanes<const LANES: usize>(
    lanes: Bits<32>,
    address: [Bits<32>; LANES],
    size: Bits<3>,
    end: Bits<32>,
) -> Bits<32> {
    // The bits of an address that are 0 if the access is aligned.
    let within = !(Bits::<32>::ONES << size);
    let mut faulting = Bits::<32>::ZERO;
    for i in 0..LANES {
        let misaligned = (address[i] & within).any();
        // `address | within` is the last byte of an aligned access, without a carry out of 32 bits.
        let outside = end.any() && (address[i] | within) >= end;
        faulting = faulting.replace_bit(i, lanes.get_bit(i) && (misaligned || outside));
    }
    faulting
}

/// Returns the lowest waiting lane of the first LANES, one-hot; 0 if none waits. `lowest_set` would put a carry chain
/// through all lanes before the comparators of addresses.
#[hdl_fn]
fn lowest_lane<const LANES: usize>(pending: Bits<32>) -> Bits<32> {
    let mut lowest = Bits::<32>::ZERO;
    for i in 0..LANES {
        lowest = lowest.replace_bit(i, pending.get_bit(i) && !(pending & ((1u64 << i) - 1)).any());
    }
    lowest
}

/// Returns the address of the leader, the lowest waiting lane; 0 if none waits. A sum of products is faster than an
/// encoder and a multiplexer.
#[hdl_fn]
pub fn leader_address<const LANES: usize>(pending: Bits<32>, address: [Bits<32>; LANES]) -> Bits<32> {
    let lowest = lowest_lane::<LANES>(pending);
    let mut leader = Bits::<32>::ZERO;
    for i in 0..LANES {
        leader = leader | mask(lowest.get_bit(i), address[i]);
    }
    leader
}

/// Returns the next request of a beat, led by the lowest waiting lane, whose address is `leader`: its segment (the
/// leader's address rounded down), the waiting lanes that it serves, and the lanes that still wait after it.
///
/// ```text
/// leader ──────> segment
///    v
/// address ─────> equal above the segment, & may share ──> served ──> rest
/// pending, strict, one_by_one ────────────────┘
/// ```
/// | mode | lanes that share the leader's request |
/// |---|---|
/// | plain | lanes that wait for its segment |
/// | `strict` | lanes of its half-warp that wait for its segment |
/// | its half-warp (bit 0: lanes 0 to 15, bit 1: 16 to 31) is `one_by_one` | only the leader |
#[hdl_fn]
pub fn next_request<const LANES: usize>(
    pending: Bits<32>,
    address: [Bits<32>; LANES],
    leader: Bits<32>,
    strict: Bit,
    one_by_one: Bits<2>,
) -> (Bits<32>, Bits<32>, Bits<32>) {
    let waiting = pending & (u64::MAX >> (64 - LANES));
    // The segment's number, above the address bits inside a segment of LANES words.
    let wanted = leader >> (clog2(4 * LANES) as u64);

    // The leader's half-warp.
    let upper = if LANES > 16 { !waiting.low::<16>().any() } else { false };
    let half_warp = if upper { bits::<32>(0xffff_0000) } else { bits(0xffff) };
    let alone = if upper { one_by_one.get_bit(1) } else { one_by_one.get_bit(0) };

    // The lanes that may share the leader's request are known before the comparison of segments.
    let may_share = if alone {
        lowest_lane::<LANES>(waiting)
    } else if strict {
        waiting & half_warp
    } else {
        waiting
    };
    let mut served = Bits::<32>::ZERO;
    for i in 0..LANES {
        let same_segment = address[i] >> (clog2(4 * LANES) as u64) == wanted;
        served = served.replace_bit(i, may_share.get_bit(i) && same_segment);
    }
    (wanted << (clog2(4 * LANES) as u64), served, waiting & !served)
}
