//! Detection of illegal accesses in a beat.

use hdlkit::prelude::*;

/// Those of `lanes` whose access of `1 << size` bytes is misaligned or not entirely inside the memory. `end` is the first
/// address past it; 0 for 2^32.
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
        // The last byte of an aligned access: no carry out of 32 bits.
        let outside = end.any() && (address[i] | within) >= end;
        faulting = faulting.replace_bit(i, lanes.get_bit(i) && (misaligned || outside));
    }
    faulting
}
