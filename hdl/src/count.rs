//! Up/down counters of items in flight.

use hdlkit::prelude::*;

/// Returns the count after an arrival (`up`), a departure (`down`), both or neither. It wraps: the caller keeps it
/// within 0..2^N.
#[hdl_fn]
pub fn up_down<const N: usize>(now: Bits<N>, up: Bit, down: Bit) -> Bits<N> {
    if up && !down {
        now + 1
    } else if down && !up {
        now - 1
    } else {
        now
    }
}
