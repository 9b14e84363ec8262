//! The past of a session: copies of the machine on the way, and changes by hand.

use crate::debug::target::{Advance, Edit, Target};
use crate::engines::error::RunError;
use std::collections::BTreeMap;

/// Copies that are kept at most, besides that of the beginning.
const MOST_COPIES: usize = 64;
/// Bytes that they may take together; there are always [`LEAST_COPIES`].
const MOST_BYTES: usize = 512 << 20;
const LEAST_COPIES: usize = 4;
/// Steps from one copy to the next, at first.
const FIRST_DISTANCE: u64 = 1024;

/// Copies of a machine by their time, and the changes that were made.
pub(super) struct Past {
    beginning: u64,
    /// None, if the machine cannot be copied.
    copies: BTreeMap<u64, Box<dyn Target>>,
    /// Steps from one copy to the next.
    distance: u64,
    most: usize,
    /// In order; several may have the same time.
    edits: Vec<(u64, Edit)>,
}

impl Past {
    /// The past of a machine at its beginning.
    pub fn new(target: &dyn Target) -> Self {
        let beginning = target.time();
        let most = (MOST_BYTES / target.size().max(1)).clamp(LEAST_COPIES, MOST_COPIES);
        Past {
            beginning,
            copies: target.copy().map(|copy| (beginning, copy)).into_iter().collect(),
            distance: FIRST_DISTANCE,
            most,
            edits: Vec::new(),
        }
    }

    /// The machine takes a step, as it did the first time if this is known time: the changes made at its new time are made
    /// again.
    ///
    /// # Errors
    /// As [`Target::step`].
    pub fn step(&mut self, target: &mut dyn Target) -> Result<Advance, RunError> {
        let advance = self.replay(target)?;
        let now = target.time();
        let last = self.copies.last_key_value().map(|(time, _)| *time);
        if last.is_some_and(|last| now >= last + self.distance) {
            self.copies.extend(target.copy().map(|copy| (now, copy)));
            if self.copies.len() > self.most + 1 {
                self.thin_out();
            }
        }
        Ok(advance)
    }

    /// The same, without keeping copies: for a machine that only looks for something.
    ///
    /// # Errors
    /// As [`Target::step`].
    pub fn replay(&self, target: &mut dyn Target) -> Result<Advance, RunError> {
        let before = target.time();
        let advance = target.step()?;
        let now = target.time();
        if now == before {
            return Ok(advance);
        }
        let first = self.edits.partition_point(|(time, _)| *time < now);
        for (_, edit) in self.edits[first..].iter().take_while(|(time, _)| *time == now) {
            // The same change at the same moment succeeded before.
            target.apply(edit).map_err(RunError::Bench)?;
        }
        Ok(advance)
    }

    /// Drops every other copy; the beginning stays.
    fn thin_out(&mut self) {
        let (first, mut keep) = (self.beginning, true);
        self.copies.retain(|time, _| {
            keep = !keep;
            *time == first || keep
        });
        self.distance *= 2;
    }

    /// Makes a change now. What was to come is forgotten: from here on, everything may be different.
    ///
    /// # Errors
    /// The change cannot be made; nothing is forgotten then.
    pub fn change(&mut self, target: &mut dyn Target, edit: Edit) -> Result<(), String> {
        target.apply(&edit)?;
        let now = target.time();
        self.edits.retain(|(time, _)| *time <= now);
        self.edits.push((now, edit));
        self.copies.split_off(&now);
        self.copies.extend(target.copy().map(|copy| (now, copy)));
        Ok(())
    }

    /// The time of the beginning.
    pub fn beginning(&self) -> u64 {
        self.beginning
    }

    /// Whether there is a way back.
    pub fn is_kept(&self) -> bool {
        !self.copies.is_empty()
    }

    /// The latest copy at or before a time: the machine as it was then.
    pub fn before(&self, time: u64) -> Option<Box<dyn Target>> {
        let (_, copy) = self.copies.range(..=time).next_back()?;
        copy.copy()
    }

    /// The time of the latest copy before a time.
    pub fn earlier(&self, time: u64) -> Option<u64> {
        self.copies.range(..time).next_back().map(|(time, _)| *time)
    }

    /// The changes made so far, with their times.
    pub fn edits(&self) -> &[(u64, Edit)] {
        &self.edits
    }
}
