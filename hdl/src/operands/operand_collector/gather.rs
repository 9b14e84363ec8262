//! Stages b and g: moves the banks' words to their threads' places, and the instruction to the read stage.

use super::gather_buffer::GatherStep;
use super::OperandCollector;
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// Stage b: the banks, and constant memory. True if the step's path to them is free.
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
        let proceeds = step.valid && !blocked;
        self.banks.enable.next = mask(proceeds, self.select.banks.val());
        self.banks.store.next = !step.gathers;
        for i in 0..16 {
            self.banks.access[i].next = self.select.access_to[i].val();
        }
        self.constant_enable.next = proceeds && step.gather.constant && step.gather.threads.any();
        self.constant_address.next = step.address;
        proceeds
    }

    /// Stage g: the words arrive and are written to their threads' places in the buffer.
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

    /// The instruction whose operands are gathered goes to the read stage. True if it does in this cycle.
    #[hdl_part]
    pub(super) fn inject_instruction(&mut self, b_proceeds: Bit, stopped: Bit) -> Bit {
        let step = self.b.q.val();
        let buffer = self.buffers.q.val().inject;
        self.gathered_place.write(b_proceeds && step.last && step.gathers, step.gather.buffer.into(), step.place);
        let instruction = self.instructions.read(self.gathered_place.read(buffer.into()));
        let valid = self.places.q.val().gathered.any() && !stopped;
        self.c_inject.next = Issued { valid, buffer, ..instruction };
        valid && self.c_inject_ready.val()
    }
}
