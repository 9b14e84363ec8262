//! Blocks that match lanes with the words of a memory segment.
//!
//! A segment is LANES words of 32 bits, aligned to its size. The rule is that of compute capability 1.2, at the
//! granularity of a beat: the lowest waiting lane leads, and one request serves every lane whose address lies in its
//! segment. Optionally, the strict rule of compute capability 1.0 applies, by half-warps: see
//! [`HalfWarpRule`](half_warp_rule::HalfWarpRule).
//!
//! | block | from, to |
//! |---|---|
//! | [`AccessCheck`](access_check::AccessCheck) | addresses to the lanes whose access is not allowed |
//! | [`Leader`](leader::Leader) | waiting lanes to the address of the lowest |
//! | [`HalfWarpRule`](half_warp_rule::HalfWarpRule) | addresses to the half-warps that the strict rule serves thread by thread |
//! | [`Coalescer`](segment::Coalescer) | the leader's address and those of the waiting lanes to a segment and the lanes it serves |
//! | [`StoreBuffer`](store_buffer::StoreBuffer) | lanes to words: data and byte enables of a request |
//! | [`LoadAssembly`](load_assembly::LoadAssembly) | words to lanes: responses, collected into a beat |
//!
//! All but the first select by a dynamic index or collect from all lanes, which kernels cannot express well; each does
//! only that, as a Rust loop and as Verilog.

pub mod access_check;
pub mod half_warp_rule;
pub mod leader;
pub mod load_assembly;
pub mod segment;
pub mod store_buffer;

/// `assign`s of the lowest set bit of `pending` to `lowest`, without a carry.
fn lowest(lanes: usize) -> String {
    (0..lanes)
        .map(|i| match i {
            0 => "assign lowest[0] = pending[0];\n".to_string(),
            _ => format!("assign lowest[{i}] = pending[{i}] & ~|pending[{}:0];\n", i - 1),
        })
        .collect()
}

/// Words of an access of `1 << size` bytes.
fn words_of(size: u64) -> usize {
    match size {
        0..=2 => 1,
        3 => 2,
        _ => 4,
    }
}
