//! Stages b and g: moves the banks' words to their threads' places, and the instruction to the read stage.

use super::OperandCollector;
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// The banks, and constant memory.
    #[hdl_part]
    pub(super) fn access_banks(&mut self) {
        self.access_banks.next = 0.into();
        if self.b_go.val() {
            self.access_banks.next = self.select.banks.val();
        }
        self.access_store.next = !self.b_step.val().gathers;
        self.constant_enable.next =
            self.b_go.val() && self.b_gather.val().constant && self.b_gather.val().threads.any();
        self.constant_address.next = self.b_step.val().address;
        self.b_gathered.next = self.b_go.val() && self.b_step.val().last && self.b_step.val().gathers;
        self.b_stored.next = self.b_go.val() && self.b_step.val().last && !self.b_step.val().gathers;
    }

    /// Stage g: the words arrive and are written to their threads' places in the buffer.
    #[hdl_part]
    pub(super) fn gather_words(&mut self) {
        self.step.next = self.no_step.val();
        if self.b_go.val() && self.b_step.val().gathers {
            self.step.next = self.b_gather.val();
        }
        self.g.d.next = self.step.val();
        self.buffer.write_buffer.next = self.g.q.val().buffer;
        self.buffer.write_upper.next = self.g.q.val().upper;
        self.buffer.write_odd.next = self.g.q.val().odd;
        self.buffer.write_threads.next = self.g.q.val().threads;
        self.buffer.access.next = self.g.q.val().access;
        self.buffer.constant.next = self.g.q.val().constant;
        self.buffer.constant_word.next = self.constant_word.val();
        for i in 0..16 {
            self.b_place[i].clock.next = self.clock.val();
            self.b_place[i].d.next = self.b_place[i].q.val();
            if self.h_go.val() {
                self.b_place[i].d.next = self.h_address[i].q.val().get_bits::<6>(0);
            }
            self.g_place[i].clock.next = self.clock.val();
            self.g_place[i].d.next = self.g_place[i].q.val();
            if self.b_go.val() {
                self.g_place[i].d.next = self.b_place[i].q.val();
            }
            self.buffer.place[i].next = self.g_place[i].q.val();
            self.buffer.word[i].next = self.bank_word[i].val();
            self.access_row[i].next = self.select.row[i].val();
            self.access_bytes[i].next = self.select.bytes[i].val();
            self.access_word[i].next = self.select.word[i].val();
        }
    }

    /// The instruction goes to the read stage, which frees its place and its buffer.
    #[hdl_part]
    pub(super) fn inject_instruction(&mut self) {
        self.gathered_place.write_enable.next = self.b_gathered.val();
        self.gathered_place.write_address.next = self.b_gather.val().buffer.into();
        self.gathered_place.write_data.next = self.b_step.val().place;
        self.gathered_place.read_address.next = self.inject_buffer.q.val().into();
        self.instructions.read_address.next = self.gathered_place.read_data.val();
        self.inject.next = self.instructions.read_data.val();
        self.inject.next.valid = self.gathered.q.val().any() && !self.stopped.val();
        self.inject.next.buffer = self.inject_buffer.q.val();
        self.c_inject.next = self.inject.val();
        self.injected.next = self.inject.val().valid && self.c_inject_ready.val();
        self.released.next = 0.into();
        self.free_places.next = 0.into();
        if self.injected.val() {
            self.inject_buffer.d.next = !self.inject_buffer.q.val();
            self.released.next = self.one.val() << self.inject.val().warp;
            self.free_places.next = self.one_place.val() << self.gathered_place.read_data.val();
        }
        self.held.d.next = self.held_now.val() & !self.released.val();
        if self.b_gathered.val() && !self.injected.val() {
            self.gathered.d.next = self.gathered.q.val() + 1;
        }
        if !self.b_gathered.val() && self.injected.val() {
            self.gathered.d.next = self.gathered.q.val() - 1;
        }
        self.stored_place.next = self.one_place.val() << self.b_step.val().place;
        if self.b_stored.val() {
            self.free_places.next = self.free_places.val() | self.stored_place.val();
        }
        self.places_busy.d.next = (self.places_busy.q.val() | self.new_place.val()) & !self.free_places.val();
        if self.c_takes_place.val() && !self.c_holds.val() {
            if !self.b_stored.val() {
                self.storing.d.next = self.storing.q.val() + 1;
            }
        } else if self.b_stored.val() {
            self.storing.d.next = self.storing.q.val() - 1;
        }
        if self.h_allocates.val() && self.h_go.val() {
            if !self.frees_buffer.q.val() {
                self.buffers_used.d.next = self.buffers_used.q.val() + 1;
            }
        } else if self.frees_buffer.q.val() {
            self.buffers_used.d.next = self.buffers_used.q.val() - 1;
        }
        // The buffer can be refilled a cycle after its instruction went to the read stage: a step of the next one that
        // may start then writes no beat before the read stage has read it, because both process the beats in order.
        // (The earliest such writes are the upper beats of an instruction without threads in the lower half-warp.)
        self.frees_buffer.d.next = self.injected.val();
        self.buffer.read_buffer.next = self.c_read_buffer.val();
        self.buffer.read_beat.next = self.c_read_beat.val();
        for i in 0..LANES {
            self.c_gathered[i].next = self.buffer.lane[i].val();
        }
    }
}
