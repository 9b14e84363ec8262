//! The checksum of a frame in hardware. `protocol.rs` defines it.

use hdlkit::prelude::*;

/// The checksum `sum` with one more byte, all eight bits at once.
#[hdl_fn]
pub fn checksum_after(sum: Bits<16>, byte: Bits<8>) -> Bits<16> {
    // With x the outgoing byte XOR `byte`, folded with its upper half: x * (1 + 2^5 + 2^12).
    let outgoing = sum.bits::<8>(8) ^ byte;
    let x = ((outgoing >> 4) ^ outgoing).resize::<16>();
    (sum << 8) ^ x ^ (x << 5) ^ (x << 12)
}
