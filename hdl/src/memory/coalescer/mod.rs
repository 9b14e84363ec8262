//! The coalescer: combines the accesses of a beat's lanes into memory requests, and moves words between lanes and
//! requests.
//!
//! A request is for one segment of external memory: LANES words of 32 bits, aligned to its size. Accesses are aligned
//! and have at most 16 bytes, so none crosses segments. A lane waits until a request serves it; the lowest waiting lane
//! is the leader. **Two lanes of a beat share a request if both wait and both addresses are in the leader's segment**
//! ([`next_request`](segment::next_request)). The other lanes wait for the beat's next request. Compute capability 1.2
//! is similar, but for half-warps, with segments of 32 to 128 bytes.
//!
//! Two cases narrow this:
//!
//! - Under the strict rule of compute capability 1.0 (`strict_coalescing`, set by the host), only lanes of one
//!   half-warp share a request, and only if the half-warp obeys the rule
//!   ([`HalfWarpRule`](half_warp_rule::HalfWarpRule)); else each lane makes its own.
//! - In an atomic operation each lane makes its own request.
//!
//! | function, block | from, to |
//! |---|---|
//! | [`faulting_lanes`](segment::faulting_lanes) | addresses to the lanes whose access is not allowed |
//! | [`leader_address`](segment::leader_address) | waiting lanes to the address of the lowest |
//! | [`HalfWarpRule`](half_warp_rule::HalfWarpRule) | addresses to the half-warps served thread by thread |
//! | [`next_request`](segment::next_request) | leader and waiting lanes to a segment and the lanes served |
//! | [`StoreBuffer`](store_buffer::StoreBuffer) | lanes to words: data and byte enables of a request |
//! | [`LoadAssembly`](load_assembly::LoadAssembly) | words to lanes: responses, collected into a beat |

pub mod half_warp_rule;
pub mod load_assembly;
pub mod segment;
pub mod store_buffer;
