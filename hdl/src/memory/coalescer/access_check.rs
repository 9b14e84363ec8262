//! Detection of illegal accesses in a beat.

use hdlkit::prelude::*;

/// Checks a beat's accesses; the answer is valid in the same cycle.
#[circuit]
pub struct AccessCheck<const LANES: usize> {
    /// Lanes that access.
    pub mask: Signal<In, Bits<32>>,
    /// log2 of an access's bytes.
    pub size: Signal<In, Bits<3>>,
    /// End of memory: the first address past it; 0 for 2^32.
    pub memory_end: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    /// Lanes of `mask` whose address is misaligned or whose access is not entirely inside the memory.
    pub fault: Signal<Out, Bits<32>>,
}

impl<const LANES: usize> Logic for AccessCheck<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let bounded = self.memory_end.val().any();
        // The bits of an address that are 0 if the access is aligned.
        let within = !(Bits::<32>::ONES << self.size.val());
        let mut faulting = Bits::<32>::ZERO;
        for i in 0..LANES {
            let misaligned = (self.address[i].val() & within).any();
            // The last byte of an aligned access: no carry out of 32 bits.
            let last_byte = self.address[i].val() | within;
            let outside = bounded && last_byte >= self.memory_end.val();
            faulting = faulting.replace_bit(i, self.mask.val().get_bit(i) && (misaligned || outside));
        }
        self.fault.next = faulting;
    }
}
