//! Passes atomic operations through stages m0 to m4, alongside their beats and requests.

use super::GlobalMemoryUnit;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// Moves the operation with its beat and its requests. The store buffer holds the operands of a beat like the four
    /// registers of a store. They are read for one lane at a time, into the first four words of the request.
    #[hdl_part]
    pub(super) fn pass_atomics(&mut self, m0_complete: Bit, popped: Bit, leaves: Bit) {
        let arriving = self.m_atomic[0].val();
        self.queue_atomic[0].write(m0_complete, self.beats.q.val().tail, arriving);
        if arriving.valid {
            self.words.write_size.next = bits(4);
        }

        let oldest = self.queue_atomic[0].read(self.beats.q.val().head);
        if popped {
            self.m2_atomic[0].d.next = oldest;
        }
        let splitting = self.m2_atomic[0].q.val();
        if splitting.valid {
            self.words.read_of_four.next = true;
        }

        let chosen = self.m3_atomic[0].q.val();
        if chosen.valid {
            self.words.request.next.queued.size = bits(4);
            for i in 0..LANES {
                self.words.offset[i].next = 0.into();
            }
        }
        let m3 = self.m3.q.val();
        if leaves && m3.request {
            self.m4_atomic[0].d.next = chosen;
        }
        self.memory_atomic[0].next = self.m4_atomic[0].q.val();
    }
}
