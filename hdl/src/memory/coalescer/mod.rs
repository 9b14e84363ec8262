//! The coalescer: which lanes share a memory request, and how words move between lanes and requests.
//!
//! A request is for one segment of global memory: LANES words of 32 bits, aligned to its size. Of the lanes that wait,
//! the lowest leads ([`Leader`](leader::Leader)). **Two lanes of a beat share a request if both wait and both addresses
//! are in the leader's segment** ([`Coalescer`](segment::Coalescer)): the rule of compute capability 1.2, at the
//! granularity of a beat. The other lanes wait for the beat's next request.
//!
//! Optionally, the strict rule of compute capability 1.0 narrows this: only lanes of one half-warp share a request, and
//! only if the half-warp obeys the rule ([`HalfWarpRule`](half_warp_rule::HalfWarpRule)); else each lane has its own.
//!
//! | block | from, to |
//! |---|---|
//! | [`AccessCheck`](access_check::AccessCheck) | addresses to the lanes whose access is not allowed |
//! | [`Leader`](leader::Leader) | waiting lanes to the address of the lowest |
//! | [`HalfWarpRule`](half_warp_rule::HalfWarpRule) | addresses to the half-warps that the strict rule serves thread by thread |
//! | [`Coalescer`](segment::Coalescer) | the leader's address and those of the waiting lanes to a segment and the lanes it serves |
//! | [`StoreBuffer`](store_buffer::StoreBuffer) | lanes to words: data and byte enables of a request |
//! | [`LoadAssembly`](load_assembly::LoadAssembly) | words to lanes: responses, collected into a beat |

pub mod access_check;
pub mod half_warp_rule;
pub mod leader;
pub mod load_assembly;
pub mod segment;
pub mod store_buffer;

use hdlkit::prelude::*;

/// A bit for each of `lanes` lanes.
const fn all_lanes(lanes: usize) -> u64 {
    (1 << lanes) - 1
}

/// The lowest of the first LANES lanes that wait, as one set bit; 0 if none waits. `lowest_set` is the same with a carry
/// through all lanes, in front of the compares of addresses.
#[hdl_fn]
fn lowest_lane<const LANES: usize>(pending: Bits<32>) -> Bits<32> {
    let mut lowest = Bits::<32>::ZERO;
    for i in 0..LANES {
        lowest = lowest.replace_bit(i, pending.get_bit(i) && !(pending & ((1u64 << i) - 1)).any());
    }
    lowest
}
