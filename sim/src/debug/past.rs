//! The past of a session: copies of the machine, and manual changes.

use crate::debug::target::{Advance, Edit, Target};
use flexgrip_engines::error::RunError;
use std::collections::BTreeMap;

/// Maximum number of copies kept, without the copy of the beginning.
const MOST_COPIES: usize = 64;
/// Maximum size of all copies in bytes; at least [`LEAST_COPIES`] are kept, regardless of their size.
const MOST_BYTES: usize = 512 << 20;
const LEAST_COPIES: usize = 4;
/// Steps from one copy to the next, in the beginning.
const FIRST_DISTANCE: u64 = 1024;

/// Copies of a machine by time, and the changes made.
pub(super) struct Past {
    beginning: u64,
    /// Empty if the machine cannot be copied.
    copies: BTreeMap<u64, Box<dyn Target>>,
    /// Steps from one copy to the next.
    distance: u64,
    most: usize,
    /// The changes with their times, in order; several may have the same time.
    edits: Vec<(u64, Edit)>,
    /// The changes during the run without them.
    aside: Vec<(u64, Edit)>,
    /// The machine at the beginning, without changes.
    unchanged: Option<Box<dyn Target>>,
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
            aside: Vec::new(),
            unchanged: target.copy(),
        }
    }

    /// Steps the machine, and applies the changes that were made at its new time. Makes a copy if the last one is far
    /// enough in the past.
    ///
    /// # Errors
    /// The errors of [`Target::step`].
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

    /// Steps the machine like [`Past::step`] without making copies, for searches.
    ///
    /// # Errors
    /// The errors of [`Target::step`].
    pub fn replay(&self, target: &mut dyn Target) -> Result<Advance, RunError> {
        let before = target.time();
        let advance = target.step()?;
        let now = target.time();
        if now == before {
            return Ok(advance);
        }
        let first = self.edits.partition_point(|(time, _)| *time < now);
        for (_, edit) in self.edits[first..].iter().take_while(|(time, _)| *time == now) {
            // The same change at the same moment has succeeded before.
            target.apply(edit).map_err(RunError::Bench)?;
        }
        Ok(advance)
    }

    /// Drops every other copy, but not the copy of the beginning.
    fn thin_out(&mut self) {
        let (first, mut keep) = (self.beginning, true);
        self.copies.retain(|time, _| {
            keep = !keep;
            *time == first || keep
        });
        self.distance *= 2;
    }

    /// Changes the machine now. Later changes and copies are dropped: after the change, everything may be different.
    ///
    /// # Errors
    /// The change cannot be made. The recorded future is then kept.
    pub fn change(&mut self, target: &mut dyn Target, edit: Edit) -> Result<(), String> {
        if !self.aside.is_empty() {
            return Err("this is the run without the changes; `golden` returns to the run with the changes".into());
        }
        target.apply(&edit)?;
        let now = target.time();
        self.edits.retain(|(time, _)| *time <= now);
        self.edits.push((now, edit));
        self.copies.split_off(&now);
        self.copies.extend(target.copy().map(|copy| (now, copy)));
        Ok(())
    }

    /// Switches between the run with all changes and the run without. Returns the latest machine before the first
    /// change, and true if the run is now without changes.
    ///
    /// # Errors
    /// There are no changes, or the machine cannot be copied.
    pub fn exchange(&mut self) -> Result<(Box<dyn Target>, bool), String> {
        let first = self.edits.first().or(self.aside.first());
        let first = first.ok_or("there are no changes, so there is only one run")?.0;
        let begins = |past: &Past| past.unchanged.as_ref().and_then(|target| target.copy());
        let mut target = begins(self).ok_or("this engine cannot run backwards")?;
        // Copies from the first change onward are from the other run.
        self.copies.split_off(&first);
        std::mem::swap(&mut self.edits, &mut self.aside);
        let of_beginning = self.edits.iter().take_while(|(time, _)| *time == self.beginning);
        for (_, edit) in of_beginning {
            target.apply(edit)?;
        }
        if first == self.beginning {
            self.copies.extend(target.copy().map(|copy| (first, copy)));
        }
        let latest = first.checked_sub(1).and_then(|before| self.before(before));
        Ok((latest.unwrap_or(target), self.edits.is_empty()))
    }

    /// The time of the beginning.
    pub fn beginning(&self) -> u64 {
        self.beginning
    }

    /// True if the session can go back.
    pub fn is_kept(&self) -> bool {
        !self.copies.is_empty()
    }

    /// A copy of the machine at the latest copied time up to `time`.
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
