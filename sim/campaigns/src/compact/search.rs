//! The search for instructions to delete. It is independent of circuits: a [`Judge`] tries programs.

use super::log::{ranges, Attempt, Verdict};
use flexgrip_engines::reduce::Reducer;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The result of trying a program. Fields that were not determined are `None` or false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// True if the program assembles and is a kernel.
    pub compiles: bool,
    /// True if the program runs to its end.
    pub runs: bool,
    /// The cycles of the run.
    pub cycles: Option<u64>,
    /// The simulated faults that are detected, each with the first instruction that detects it, if any.
    pub first: Option<BTreeMap<usize, Option<usize>>>,
}

/// The faults to simulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faults<'a> {
    /// All faults.
    All,
    /// Only these faults.
    These(&'a [usize]),
}

/// Tries programs for a search.
pub trait Judge {
    /// The error if programs cannot be tried.
    type Error;

    /// Tries the program with these instructions, in ascending order. Faults are only simulated if it takes at most
    /// `cycles`.
    ///
    /// # Errors
    /// Programs cannot be tried. A wrong program is not an error, but a result.
    fn judge(&mut self, kept: &[usize], faults: Faults, cycles: u64) -> Result<Trial, Self::Error>;

    /// The line of an instruction in the text, from 1.
    fn line(&self, instruction: usize) -> usize;

    /// The weight of a fault: the number of equivalent faults, itself included.
    fn weight(&self, fault: usize) -> u64;

    /// Saves the state, immediately if `now`; otherwise it may be delayed.
    ///
    /// # Errors
    /// The state cannot be written.
    fn keep(&mut self, state: &State, now: bool) -> Result<(), Self::Error>;
}

/// The state of a search, from which it can be resumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// All attempts.
    pub log: Vec<Attempt>,
    /// The first instruction that detects each detected fault.
    pub first: BTreeMap<usize, Option<usize>>,
}

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of instructions of a block, from the second pass onward.
    pub block: usize,
    /// The maximum number of passes.
    pub passes: usize,
    /// The number of detected faults, equivalent ones included, that may be lost.
    pub loss: u64,
}

/// A compaction in progress.
pub struct Search<'j, J> {
    judge: &'j mut J,
    limits: Limits,
    state: State,
    /// Attempts of an interrupted search that are still to be replayed. `known_first` are its first detections at the
    /// end.
    known: VecDeque<Attempt>,
    known_first: BTreeMap<usize, Option<usize>>,
    /// The number of detected faults, equivalent ones included.
    detected: u64,
    /// The number of faults that must be detected.
    goal: u64,
    cycles: u64,
    pass: usize,
    block: usize,
    /// Blocks that were deleted in this pass.
    deleted: Vec<Vec<usize>>,
    /// Instructions that cannot be deleted, as found by simulations of all faults.
    fixed: Vec<usize>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The instructions that are left.
    pub kept: Vec<usize>,
    /// The final state.
    pub state: State,
}

impl<'j, J: Judge> Search<'j, J> {
    /// A search that starts with a program of `cycles` and with these first detections. `known` is the state of an
    /// interrupted search.
    pub fn new(
        judge: &'j mut J,
        limits: Limits,
        (cycles, first): (u64, BTreeMap<usize, Option<usize>>),
        known: State,
    ) -> Self {
        let detected = first.keys().map(|fault| judge.weight(*fault)).sum();
        Search {
            judge,
            limits,
            known: known.log.into(),
            known_first: known.first,
            state: State { log: vec![], first },
            detected,
            goal: detected - limits.loss.min(detected),
            cycles,
            pass: 0,
            block: 0,
            deleted: vec![],
            fixed: vec![],
        }
    }

    /// Runs the search, starting with `instructions` instructions.
    ///
    /// # Errors
    /// Errors of the judge.
    pub fn run(mut self, instructions: usize) -> Result<Found, J::Error> {
        let all: Vec<usize> = (0..instructions).collect();
        let kept = Reducer::new(all, usize::MAX).rounds(|reducer| {
            if self.pass == self.limits.passes {
                return Ok(false);
            }
            self.pass += 1;
            self.block = 0;
            let before = reducer.program().clone();
            let cycles = self.cycles;
            for block in self.blocks(&before) {
                self.delete(reducer, &block)?;
            }
            if self.deleted.is_empty() {
                // The second pass may delete instructions even if the first one did not.
                return Ok(self.pass == 1);
            }
            let kept = self.confirm(&before, cycles)?;
            let is_smaller = kept.len() < before.len();
            *reducer = Reducer::new(kept, usize::MAX);
            Ok(is_smaller || self.pass == 1)
        })?;
        self.judge.keep(&self.state, true)?;
        Ok(Found {
            kept,
            state: self.state,
        })
    }

    /// The blocks of a pass, in the order in which they are tried. In the first pass: runs of instructions without a
    /// first detection. Later: blocks of a fixed size. Both begin at the end of the program.
    fn blocks(&self, kept: &[usize]) -> Vec<Vec<usize>> {
        if self.pass > 1 {
            return kept.rchunks(self.limits.block.max(1)).map(<[usize]>::to_vec).collect();
        }
        let mut is_essential = vec![false; kept.last().map_or(0, |last| last + 1)];
        for instruction in self.state.first.values().flatten() {
            if let Some(is_essential) = is_essential.get_mut(*instruction) {
                *is_essential = true;
            }
        }
        let runs = kept.chunk_by(|one, other| is_essential[*one] == is_essential[*other]);
        let runs = runs.filter(|run| !is_essential[run[0]]).map(<[usize]>::to_vec);
        let mut blocks: Vec<Vec<usize>> = runs.collect();
        blocks.reverse();
        blocks
    }

    /// Tries to delete a block. If that fails, tries its halves, the later one first.
    fn delete(&mut self, reducer: &mut Reducer<Vec<usize>>, block: &[usize]) -> Result<(), J::Error> {
        let mut open = vec![block.to_vec()];
        while let Some(block) = open.pop() {
            let block: Vec<usize> = block.into_iter().filter(|one| !self.fixed.contains(one)).collect();
            if block.is_empty() {
                continue;
            }
            let left = without(reducer.program(), &block);
            if reducer.attempt(left, |left| self.passes(left, &block))? {
                self.deleted.push(block);
            } else if block.len() > 1 {
                let (earlier, later) = block.split_at(block.len() / 2);
                open.extend([earlier.to_vec(), later.to_vec()]);
            }
        }
        Ok(())
    }

    /// True if the program without a block is as good. Only the faults that the block detects first are simulated.
    fn passes(&mut self, left: &[usize], block: &[usize]) -> Result<bool, J::Error> {
        self.block += 1;
        let removed = ranges(block.iter().map(|instruction| self.judge.line(*instruction)));
        if let Some(attempt) = self.next_known(self.block, &removed) {
            return Ok(self.take(attempt));
        }
        let is_of_block = |first: &Option<usize>| first.is_some_and(|first| block.contains(&first));
        let of_block = self.state.first.iter().filter(|(_, first)| is_of_block(first));
        let faults: Vec<usize> = of_block.map(|(fault, _)| *fault).collect();
        let trial = self.judge.judge(left, Faults::These(&faults), self.cycles)?;
        let lost = |first: &BTreeMap<usize, Option<usize>>| {
            let lost = faults.iter().filter(|fault| !first.contains_key(fault));
            lost.map(|fault| self.judge.weight(*fault)).sum::<u64>()
        };
        let detected = trial.first.as_ref().map(|first| self.detected - lost(first));
        let attempt = self.attempt((self.block, removed, left.len()), &trial, detected);
        if attempt.verdict == Verdict::Proceed {
            for fault in &faults {
                self.state.first.remove(fault);
            }
            self.state.first.extend(trial.first.unwrap_or_default());
        }
        let passes = self.take(attempt);
        self.judge.keep(&self.state, false)?;
        Ok(passes)
    }

    fn attempt(&self, (block, removed, left): (usize, String, usize), trial: &Trial, detected: Option<u64>) -> Attempt {
        let is_in_time = trial.cycles.is_some_and(|cycles| cycles <= self.cycles);
        let passes = is_in_time && detected.is_some_and(|detected| detected >= self.goal);
        Attempt {
            pass: self.pass,
            block,
            removed,
            left,
            compiles: trial.compiles,
            lsim_ok: trial.compiles.then_some(trial.runs),
            tat: trial.cycles,
            fsim_ok: trial.runs.then_some(trial.first.is_some()),
            detected,
            verdict: if passes { Verdict::Proceed } else { Verdict::Restore },
        }
    }

    /// Logs an attempt. Returns true if its program is accepted.
    fn take(&mut self, attempt: Attempt) -> bool {
        let passes = attempt.verdict == Verdict::Proceed;
        if let (true, Some(cycles), Some(detected)) = (passes, attempt.tat, attempt.detected) {
            (self.cycles, self.detected) = (cycles, detected);
        }
        self.state.log.push(attempt);
        passes
    }

    /// The next attempt of the interrupted search. After the last one, the first detections of that search are
    /// restored.
    fn next_known(&mut self, block: usize, removed: &str) -> Option<Attempt> {
        let next = self.known.pop_front()?;
        if (next.pass, next.block, next.removed.as_str()) != (self.pass, block, removed) {
            // The log belongs to another search, so the rest of it is useless.
            self.known.clear();
            return None;
        }
        if self.known.is_empty() {
            self.state.first = std::mem::take(&mut self.known_first);
        }
        Some(next)
    }

    /// Simulates all faults after a pass. If too many are lost, finds the first block whose deletion loses them by
    /// bisection, restores it or a half of it, and repeats.
    fn confirm(&mut self, before: &[usize], cycles: u64) -> Result<Vec<usize>, J::Error> {
        let mut deleted = std::mem::take(&mut self.deleted);
        let detected = self.detected;
        loop {
            let left = |count: usize| without(before, &deleted[..count].concat());
            let all = left(deleted.len());
            (self.cycles, self.detected) = (cycles, detected);
            if deleted.is_empty() || self.is_confirmed(&all)? {
                return Ok(all);
            }
            // The first `good` blocks can be deleted without too many lost faults; the first `bad` cannot.
            let (mut good, mut bad) = (0, deleted.len());
            while bad - good > 1 {
                let middle = good.midpoint(bad);
                (self.cycles, self.detected) = (cycles, detected);
                match self.is_confirmed(&left(middle))? {
                    true => good = middle,
                    false => bad = middle,
                }
            }
            let block = deleted.remove(bad - 1);
            match block.len() {
                1 => self.fixed.extend(block),
                // Perhaps only one half of the block is needed.
                length => {
                    let (earlier, later) = block.split_at(length / 2);
                    deleted.splice(bad - 1..bad - 1, [later.to_vec(), earlier.to_vec()]);
                }
            }
            if deleted.is_empty() {
                // The original program must be tried again, for its first detections.
                (self.cycles, self.detected) = (cycles, detected);
                self.is_confirmed(before)?;
            }
        }
    }

    fn is_confirmed(&mut self, left: &[usize]) -> Result<bool, J::Error> {
        if let Some(attempt) = self.next_known(0, "") {
            return Ok(self.take(attempt));
        }
        let trial = self.judge.judge(left, Faults::All, self.cycles)?;
        let weight = |first: &BTreeMap<usize, Option<usize>>| {
            let faults = first.keys();
            faults.map(|fault| self.judge.weight(*fault)).sum()
        };
        let detected = trial.first.as_ref().map(weight);
        let attempt = self.attempt((0, String::new(), left.len()), &trial, detected);
        if attempt.verdict == Verdict::Proceed {
            self.state.first = trial.first.unwrap_or_default();
        }
        let passes = self.take(attempt);
        self.judge.keep(&self.state, false)?;
        Ok(passes)
    }
}

/// The elements of a list that are not deleted.
fn without(list: &[usize], deleted: &[usize]) -> Vec<usize> {
    list.iter().copied().filter(|one| !deleted.contains(one)).collect()
}

#[cfg(test)]
mod tests;
