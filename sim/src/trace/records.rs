//! The records of a machine, which its SMs' [`Assembler`]s put together.

use crate::trace::assembler::Assembler;
use crate::trace::error::TraceError;
use flexgrip_machine::trace::Event;
use flexgrip_machine::{EntryKind, Retire, StackOperation};

/// Assembles the records of a machine: an [`Assembler`] for each of its SMs.
pub struct Records {
    sms: Vec<Assembler>,
}

impl Records {
    /// For a machine with `sms` SMs of `lanes` scalar processors.
    pub fn new(lanes: u32, sms: u32) -> Self {
        Records {
            sms: (0..sms).map(|sm| Assembler::new(lanes, sm)).collect(),
        }
    }

    /// Takes an event of an SM, as [`Assembler::event`].
    ///
    /// # Errors
    /// [`TraceError`] if there is no such SM, or the event cannot be.
    pub fn event(&mut self, cycle: u64, sm: u32, event: &Event) -> Result<(), TraceError> {
        let count = self.sms.len();
        let assembler = self.sms.get_mut(sm as usize).ok_or_else(|| TraceError {
            cycle,
            message: format!("an event of SM {sm}; there are {count}"),
        })?;
        assembler.event(cycle, event)
    }

    /// The next complete record: of the lowest SM that has one, the first in issue order.
    pub fn next_record(&mut self) -> Option<Retire> {
        self.sms.iter_mut().find_map(Assembler::next_record)
    }

    /// At the end of a run: what the SMs held back, SM by SM, as [`Assembler::remaining`].
    pub fn remaining(&mut self) -> Vec<Retire> {
        self.sms.iter_mut().flat_map(Assembler::remaining).collect()
    }

    /// That no issued instruction is incomplete.
    ///
    /// # Errors
    /// As [`Assembler::check_complete`], of the lowest SM that has one.
    pub fn check_complete(&self, cycle: u64) -> Result<(), TraceError> {
        self.sms.iter().try_for_each(|sm| sm.check_complete(cycle))
    }
}

/// Whether the record is of a branch that split its warp.
pub fn splits(record: &Retire) -> bool {
    let diverged = |operation: &StackOperation| matches!(operation, StackOperation::Push(entry) if entry.kind == EntryKind::Diverged);
    record.stack.iter().any(diverged)
}
