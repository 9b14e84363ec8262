//! Stages e to g of the collector: takes half-warps out of the queue, sends them to the banks step by step, writes the
//! words to the gather buffer, and injects the instruction into the read stage.

use super::bank_select::HalfWarp;
use super::gather_buffer::GatherStep;
use super::{BankStep, HalfWarpQueue, OperandCollector};
use crate::bundles::{is_locked, uncorrectable_error, Issued, KernelError};
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// Stage h: selects a step of the half-warp. Returns true if the step proceeds, and true if the half-warp is then
    /// done.
    #[hdl_part]
    pub(super) fn choose_step(&mut self, b_proceeds: Bit, stopped: Bit) -> (Bit, Bit) {
        let mut h = self.h.q.val();
        let instruction = self.placed.read(h.place);
        let indexing = instruction.indexing;
        if self.has_locks.val() {
            // Once a warp holds a lock, no other thread of the warp gets one.
            if is_locked(indexing) && indexing.gathers && !h.faulty && self.holds_lock(instruction.warp) {
                h.pending = 0.into();
            }
        }
        let no_buffer = indexing.gathers && h.first && !h.upper && self.buffers.q.val().used.get_bit(1);
        let blocked = no_buffer || self.b.q.val().valid && !b_proceeds;
        let proceeds = h.valid && !h.faulty && !blocked && !stopped;

        self.select.half_warp.next = h;
        self.select.indexing.next = indexing;
        self.select.base.next = self.shared_row.read(instruction.warp);
        self.select.capture.next = proceeds;
        self.c_conflict.next = proceeds && h.again && !indexing.constant;
        self.c_store.next = HalfWarp { valid: proceeds && h.first && indexing.scatters && h.threads.any(), ..h };
        self.c_store_instruction.next = instruction;
        for i in 0..16 {
            self.select.address[i].next = self.h_address[i].q.val();
            self.select.data[i].next = self.data.half[i].val();
            self.c_store_address[i].next = self.h_address[i].q.val();
            self.c_store_data[i].next = self.data.half[i].val();
        }

        // With 8 lanes a step has two phases with the same waiting threads. The remaining threads are computed in the
        // last phase: the second, or the first if no thread waits. The end of the second phase uses the served threads
        // found in the first, because it needs them early.
        let last_phase = LANES != 8 || h.odd || !h.pending.any();
        self.h_served_first.d.next = self.select.served.val();
        let served = if LANES == 8 { self.h_served_first.q.val() } else { self.select.served.val() };
        let left = h.pending & !served;
        if proceeds {
            self.h.d.next.first = false;
            self.h.d.next.odd = !last_phase;
            if last_phase {
                self.h.d.next.pending = left;
                self.h.d.next.again = true;
            }
        }
        (proceeds, proceeds && last_phase && !left.any())
    }

    /// Moves the step from h to b.
    #[hdl_part]
    pub(super) fn hand_over_step(&mut self, b_proceeds: Bit, h_proceeds: Bit, h_done: Bit) {
        let h = self.h.q.val();
        let indexing = self.placed.read_data.val().indexing;
        if b_proceeds {
            self.b.d.next.valid = false;
        }
        if h_proceeds {
            self.b.d.next = BankStep {
                valid: true,
                gathers: indexing.gathers,
                last: h_done && h.upper,
                place: h.place,
                address: indexing.bank.concat(self.select.leader.val().low::<12>()),
                gather: GatherStep {
                    buffer: self.buffers.q.val().fill,
                    upper: h.upper,
                    odd: h.odd,
                    constant: indexing.constant,
                    access: indexing.access,
                    threads: self.select.served.val(),
                },
            };
        }
    }

    /// Stage e: takes the next half-warp from the queue. Bit 17 of an entry: the thread executes; bit 16: its access is
    /// illegal.
    #[hdl_part]
    pub(super) fn take_half_warp(&mut self, ready: Bits<4>, h_done: Bit, stopped: Bit) {
        let e = self.e.q.val();
        let moves = e.valid && (h_done || !self.h.q.val().valid);
        let takes = (moves || !e.valid) && e.ready.any() && !stopped;
        self.addresses.take.next = takes;
        self.addresses.take_half.next = e.next_half;
        self.data.take.next = moves;
        self.data.take_half.next = e.half;
        let mut threads = bits::<16>(0);
        let mut faults = bits::<16>(0);
        for i in 0..16 {
            threads = threads.replace_bit(i, self.addresses.half[i].val().get_bit(17));
            faults = faults.replace_bit(i, self.addresses.half[i].val().get_bit(16));
            if moves {
                self.h_address[i].d.next = self.addresses.half[i].val().low::<16>();
            }
        }
        if h_done {
            self.h.d.next.valid = false;
        }
        if moves {
            self.h.d.next = HalfWarp {
                valid: true,
                place: e.half.bits::<2>(1),
                upper: e.half.get_bit(0),
                threads,
                faulty: faults.any(),
                pending: if faults.any() { faults } else { threads },
                first: true,
                again: false,
                odd: false,
            };
            self.e.d.next.valid = false;
        }
        self.e.d.next.ready = ready;
        if takes {
            self.e.d.next =
                HalfWarpQueue { ready: ready - 1, next_half: e.next_half + 1, valid: true, half: e.next_half };
        }
    }

    /// Stage b: accesses the banks or constant memory. True if the step proceeds, because its path to them is free.
    #[hdl_part]
    pub(super) fn access_banks(&mut self) -> Bit {
        let step = self.b.q.val();
        let blocked = if !step.gathers {
            self.shared_init_busy.val()
        } else if step.gather.constant {
            self.constant_busy.val()
        } else {
            self.shared_busy.val()
        };
        let mut proceeds = step.valid && !blocked;
        if self.has_locks.val() {
            proceeds = proceeds && !(self.b_lock[0].q.val().access.valid && self.locks[0].blocked.val());
        }
        self.banks.enable.next = mask(proceeds, self.select.banks.val());
        self.banks.store.next = !step.gathers;
        for i in 0..16 {
            self.banks.access[i].next = self.select.access_to[i].val();
        }
        self.constant_enable.next = proceeds && step.gather.constant && step.gather.threads.any();
        self.constant_address.next = step.address;
        proceeds
    }

    /// Stage g: writes the arriving words to the buffer, each at its thread's position.
    #[hdl_part]
    pub(super) fn gather_words(&mut self, b_proceeds: Bit, h_proceeds: Bit) {
        let step = self.b.q.val();
        self.g.d.next = if b_proceeds && step.gathers { step.gather } else { GatherStep::default() };
        self.buffer.write.next = self.g.q.val();
        self.buffer.constant_word.next = self.constant_word.val();
        for i in 0..16 {
            if h_proceeds {
                self.b_place[i].d.next = self.h_address[i].q.val().low::<6>();
            }
            if b_proceeds {
                self.g_place[i].d.next = self.b_place[i].q.val();
            }
            self.buffer.place[i].next = self.g_place[i].q.val();
            self.buffer.word[i].next = self.banks.word[i].val();
        }
        self.buffer.read_buffer.next = self.collected.buffer.val();
        self.buffer.read_beat.next = self.collected.beat.val();
        for i in 0..LANES {
            self.collected.gathered[i].next = self.buffer.lane[i].val();
        }
    }

    /// Reports an uncorrectable word in g, with the instruction that it is for.
    #[hdl_part]
    pub(super) fn check_words(&mut self, b_proceeds: Bit, h_proceeds: Bit) {
        if h_proceeds {
            self.b_instruction[0].d.next = self.placed.read_data.val();
        }
        if b_proceeds {
            self.g_instruction[0].d.next = self.b_instruction[0].q.val();
        }
        self.buffer.faults[0].next = self.bank_faults[0].val();
        let instruction = self.g_instruction[0].q.val();
        self.c_uncorrectable[0].next = if self.buffer.uncorrectable[0].val() {
            uncorrectable_error(instruction.warp, instruction.pc)
        } else {
            KernelError::default()
        };
    }

    /// Injects the instruction with gathered operands into the read stage. True if the read stage takes it in this
    /// cycle.
    #[hdl_part]
    pub(super) fn inject_instruction(&mut self, b_proceeds: Bit, stopped: Bit) -> Bit {
        let step = self.b.q.val();
        let buffer = self.buffers.q.val().inject;
        self.gathered_place.write(b_proceeds && step.last && step.gathers, step.gather.buffer.into(), step.place);
        let instruction = self.instructions.read(self.gathered_place.read(buffer.into()));
        let mut valid = self.places.q.val().gathered.any() && !stopped;
        if self.has_locks.val() {
            // The last step of a G2R.LCK may still be undecided.
            valid = valid && !self.locks[0].blocked.val();
        }
        self.c_inject.next = Issued { valid, buffer, ..instruction };
        valid && self.c_inject_ready.val()
    }
}
