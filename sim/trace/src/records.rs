//! The records of a machine, assembled by its SMs' [`Assembler`]s.

use crate::assembler::Assembler;
use crate::error::TraceError;
use crate::times::Timed;
use flexgrip_isa::Capability;
use flexgrip_machine::trace::Event;
use flexgrip_machine::{EntryKind, Retire, StackOperation};

/// An assembler for a machine, with one [`Assembler`] per SM.
#[derive(Clone)]
pub struct Records {
    sms: Vec<Assembler>,
}

impl Records {
    /// An assembler for a machine of `sms` SMs with `lanes` scalar processors each and the instructions of a
    /// capability.
    pub fn new(lanes: u32, sms: u32, capability: Capability) -> Self {
        Records {
            sms: (0..sms).map(|sm| Assembler::new(lanes, sm, capability)).collect(),
        }
    }

    /// Like [`Assembler::keep_events`], for all SMs.
    pub fn keep_events(&mut self) {
        self.sms.iter_mut().for_each(Assembler::keep_events);
    }

    /// Events with their cycles and SMs that bring new records to this state, like [`Assembler::events`].
    pub fn events(&self) -> Vec<(u64, u32, Event)> {
        let of_sm = |(number, sm): (u32, &Assembler)| {
            let events = sm.events().into_iter();
            events
                .map(move |(cycle, event)| (cycle, number, event))
                .collect::<Vec<_>>()
        };
        (0..).zip(&self.sms).flat_map(of_sm).collect()
    }

    /// Processes an event of an SM, like [`Assembler::event`].
    ///
    /// # Errors
    /// [`TraceError`] if there is no such SM, or the event is impossible.
    pub fn event(&mut self, cycle: u64, sm: u32, event: &Event) -> Result<(), TraceError> {
        let count = self.sms.len();
        let assembler = self.sms.get_mut(sm as usize).ok_or_else(|| TraceError {
            cycle,
            message: format!("an event of SM {sm}, but there are {count} SMs"),
        })?;
        assembler.event(cycle, event)
    }

    /// The next complete record: the first in issue order of the lowest SM with one.
    pub fn next_record(&mut self) -> Option<Timed> {
        self.sms.iter_mut().find_map(Assembler::next_record)
    }

    /// The earliest possible issue cycle of the records that have not been returned, in cycle `now`.
    pub fn earliest_issue(&self, now: u64) -> u64 {
        let issues = self.sms.iter().filter_map(Assembler::issue_of_next);
        issues.min().unwrap_or(now)
    }

    /// At the end of a run: the records that the SMs held back, SM by SM, like [`Assembler::remaining`].
    pub fn remaining(&mut self) -> Vec<Timed> {
        self.sms.iter_mut().flat_map(Assembler::remaining).collect()
    }

    /// Checks that every issued instruction is complete.
    ///
    /// # Errors
    /// The same as [`Assembler::check_complete`], for the lowest SM with an incomplete one.
    pub fn check_complete(&self, cycle: u64) -> Result<(), TraceError> {
        self.sms.iter().try_for_each(|sm| sm.check_complete(cycle))
    }
}

/// True if the record is a branch that split its warp.
pub fn splits(record: &Retire) -> bool {
    let diverged = |operation: &StackOperation| matches!(operation, StackOperation::Push(entry) if entry.kind == EntryKind::Diverged);
    record.stack.iter().any(diverged)
}
