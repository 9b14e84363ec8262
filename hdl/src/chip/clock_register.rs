//! An SM's clock, which programs can read. It is outside the SM, because the simulation does not evaluate an SM while
//! all of its warps wait.
//!
//! ```text
//! cycle      t              t+1 until the next sample
//! in, out    sample         value = cycles to t from the one after clear, modulo 2^32
//! ```

use hdlkit::prelude::*;

/// Counts cycles; `value` is the count in the last cycle with `sample`.
#[circuit]
pub struct ClockRegister {
    pub clock: Signal<In, Clock>,
    /// The count is 0 in the next cycle.
    pub clear: Signal<In, Bit>,
    pub sample: Signal<In, Bit>,
    pub value: Signal<Out, Bits<32>>,

    count: DFF<Bits<32>>,
    sampled: DFF<Bits<32>>,
}

impl Logic for ClockRegister {
    #[hdl_gen]
    fn update(&mut self) {
        self.count.d.next = if self.clear.val() { bits(0) } else { self.count.q.val() + 1 };
        if self.sample.val() {
            self.sampled.d.next = self.count.q.val();
        }
        self.value.next = self.sampled.q.val();
    }
}
