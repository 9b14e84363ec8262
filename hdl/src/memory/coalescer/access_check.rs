//! Detection of illegal accesses in a beat.

use hdlkit::prelude::*;

/// Checks a beat's accesses; the answer is valid in the same cycle.
#[derive(LogicBlock, Cycle, Blank)]
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
    ones: Constant<Bits<32>>,
    above: Signal<Local, Bits<32>>,
    low_bits: Signal<Local, Bits<32>>,
    bounded: Signal<Local, Bit>,
    last_byte: Signal<Local, Bits<32>>,
    remainder: Signal<Local, Bits<32>>,
    bad: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize> AccessCheck<LANES> {
    /// The circuit; it has no state.
    pub fn new() -> Self {
        AccessCheck {
            ones: Constant::new(0xffff_ffff.into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for AccessCheck<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.above.next = self.ones.val() << self.size.val();
        self.low_bits.next = !self.above.val();
        self.bounded.next = self.memory_end.val().any();
        self.fault.next = 0.into();
        for i in 0..LANES {
            self.remainder.next = self.address[i].val() & self.low_bits.val();
            // The last byte of an aligned access: no carry out of 32 bits.
            self.last_byte.next = self.address[i].val() | self.low_bits.val();
            self.bad.next =
                self.remainder.val().any() || (self.bounded.val() && (self.last_byte.val() >= self.memory_end.val()));
            self.fault.next = self
                .fault
                .val()
                .replace_bit(i, self.bad.val() && self.mask.val().get_bit(i));
        }
    }
}
