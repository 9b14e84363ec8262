//! Stages e and h: takes half-warps out of the queue and sends them to the banks step by step.

use super::{BankStep, GatherStep, OperandCollector};
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// Stage h: a step of the half-warp. True if it proceeds; true if the half-warp is then done.
    #[hdl_part]
    pub(super) fn choose_step(&mut self, b_proceeds: Bit, stopped: Bit) -> (Bit, Bit) {
        self.placed.read_address.next = self.h_place.q.val();
        let instruction = self.placed.read_data.val();
        let indexing = instruction.indexing;
        let first = self.h_first.q.val();
        let pending = self.h_pending.q.val();
        self.shared_row.read_address.next = instruction.warp;
        let no_buffer = indexing.gathers && first && !self.h_upper.q.val() && self.buffers_used.q.val().get_bit(1);
        let blocked = no_buffer || self.b.q.val().valid && !b_proceeds;
        let proceeds = self.h_valid.q.val() && !self.h_faulty.q.val() && !blocked && !stopped;

        self.select.pending.next = pending;
        self.select.odd.next = self.h_odd.q.val();
        self.select.store.next = indexing.scatters;
        self.select.constant.next = indexing.constant;
        self.select.access.next = indexing.access;
        self.select.base.next = self.shared_row.read_data.val();
        self.select.capture.next = proceeds;
        for i in 0..16 {
            self.select.address[i].next = self.h_address[i].q.val();
            self.select.data[i].next = self.data.half[i].val();
        }

        // With 8 lanes a step has two phases, in both of which the same threads wait: the remaining ones matter in the
        // last, which is the second, or the first if no thread waits.
        let last_phase = LANES != 8 || self.h_odd.q.val() || !pending.any();
        self.h_served_first.d.next = self.select.served.val();
        let served = if LANES == 8 { self.h_served_first.q.val() } else { self.select.served.val() };
        let left = pending & !served;
        if proceeds {
            self.h_first.d.next = false;
            self.h_odd.d.next = !last_phase;
            if last_phase {
                self.h_pending.d.next = left;
                self.h_again.d.next = true;
            }
        }

        self.c_conflict.next = proceeds && self.h_again.q.val() && !indexing.constant;
        self.c_store_valid.next = proceeds && first && indexing.scatters && self.h_threads.q.val().any();
        self.c_store_tag.next = instruction.tag;
        self.c_store_upper.next = self.h_upper.q.val();
        self.c_store_access.next = indexing.access;
        self.c_store_threads.next = self.h_threads.q.val();
        for i in 0..16 {
            self.c_store_address[i].next = self.h_address[i].q.val();
            self.c_store_data[i].next = self.data.half[i].val();
        }
        (proceeds, proceeds && last_phase && !left.any())
    }

    /// The step, from h to b.
    #[hdl_part]
    pub(super) fn hand_over_step(&mut self, b_proceeds: Bit, h_proceeds: Bit, h_done: Bit) {
        let indexing = self.placed.read_data.val().indexing;
        let last = h_done && self.h_upper.q.val();
        if b_proceeds {
            self.b.d.next.valid = false;
        }
        if h_proceeds {
            self.b.d.next = BankStep {
                valid: true,
                gathers: indexing.gathers,
                last,
                place: self.h_place.q.val(),
                address: indexing.bank.concat(self.select.leader.val().low::<12>()),
                gather: GatherStep {
                    buffer: self.h_buffer.q.val(),
                    upper: self.h_upper.q.val(),
                    odd: self.h_odd.q.val(),
                    constant: indexing.constant,
                    access: indexing.access,
                    threads: self.select.served.val(),
                },
            };
        }
        if last && indexing.gathers {
            self.h_buffer.d.next = !self.h_buffer.q.val();
        }
    }

    /// Stage e: the next half-warp. Bit 17 of an entry: the thread executes; bit 16: its access is illegal.
    #[hdl_part]
    pub(super) fn take_half_warp(&mut self, ready: Bits<4>, h_done: Bit, stopped: Bit) {
        let mut threads = bits::<16>(0);
        let mut faults = bits::<16>(0);
        for i in 0..16 {
            threads = threads.replace_bit(i, self.addresses.half[i].val().get_bit(17));
            faults = faults.replace_bit(i, self.addresses.half[i].val().get_bit(16));
        }
        let moves = self.e_valid.q.val() && (h_done || !self.h_valid.q.val());
        let takes = (moves || !self.e_valid.q.val()) && self.ready.q.val().any() && !stopped;
        self.addresses.take.next = takes;
        self.addresses.take_place.next = self.next_place.q.val();
        self.addresses.take_upper.next = self.next_upper.q.val();
        self.data.take.next = moves;
        self.data.take_place.next = self.e_place.q.val();
        self.data.take_upper.next = self.e_upper.q.val();
        if h_done {
            self.h_valid.d.next = false;
        }
        if moves {
            self.e_valid.d.next = false;
            self.h_valid.d.next = true;
            self.h_first.d.next = true;
            self.h_again.d.next = false;
            self.h_odd.d.next = false;
            self.h_place.d.next = self.e_place.q.val();
            self.h_upper.d.next = self.e_upper.q.val();
            self.h_threads.d.next = threads;
            self.h_faulty.d.next = faults.any();
            self.h_pending.d.next = if faults.any() { faults } else { threads };
            for i in 0..16 {
                self.h_address[i].d.next = self.addresses.half[i].val().low::<16>();
            }
        }
        self.ready.d.next = if takes { ready - 1 } else { ready };
        if takes {
            self.e_valid.d.next = true;
            self.e_place.d.next = self.next_place.q.val();
            self.e_upper.d.next = self.next_upper.q.val();
            self.next_upper.d.next = !self.next_upper.q.val();
            if self.next_upper.q.val() {
                self.next_place.d.next = self.next_place.q.val() + 1;
            }
        }
    }
}
