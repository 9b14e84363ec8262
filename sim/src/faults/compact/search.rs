//! The search: which instructions to delete, and whether they stay deleted. It knows nothing of circuits; [`Judge`] tries
//! programs.

use super::log::{ranges, Attempt, Verdict};
use crate::reduce::Reducer;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// What is known of a program that was tried; each is `None` or false if it did not come to that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// Whether it assembles, and is a kernel.
    pub compiles: bool,
    /// Whether it runs to its end.
    pub runs: bool,
    /// Cycles.
    pub cycles: Option<u64>,
    /// Of the faults that were simulated, those that are detected, each with the instruction that does so first, if it is one.
    pub first: Option<BTreeMap<usize, Option<usize>>>,
}

/// Which faults to simulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faults<'a> {
    /// All of them.
    All,
    /// These.
    These(&'a [usize]),
}

/// Tries programs.
pub trait Judge {
    /// Why it cannot.
    type Error;

    /// Tries the program with these instructions, ascending. Faults are not simulated if it takes more than `cycles`.
    ///
    /// # Errors
    /// Programs cannot be tried at all; that this one is wrong is no error.
    fn judge(&mut self, kept: &[usize], faults: Faults, cycles: u64) -> Result<Trial, Self::Error>;

    /// The lines of instructions in the text.
    fn line(&self, instruction: usize) -> usize;

    /// A fault's weight: how many are equivalent, with itself.
    fn weight(&self, fault: usize) -> u64;

    /// Keeps what is known, sooner or later; at once if `now`.
    ///
    /// # Errors
    /// It cannot be written.
    fn keep(&mut self, state: &State, now: bool) -> Result<(), Self::Error>;
}

/// What is known of a search, to go on later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// All attempts.
    pub log: Vec<Attempt>,
    /// The instruction that detects each detected fault first.
    pub first: BTreeMap<usize, Option<usize>>,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions of a block, from the second pass on.
    pub block: usize,
    /// Passes, at most.
    pub passes: usize,
    /// Detected faults, with equivalent ones, that may be lost.
    pub loss: u64,
}

/// A compaction on its way.
pub struct Search<'j, J> {
    judge: &'j mut J,
    limits: Limits,
    state: State,
    /// Attempts of a search that was stopped, with their verdicts, and what was known then.
    known: VecDeque<Attempt>,
    known_first: BTreeMap<usize, Option<usize>>,
    /// Detected faults, with equivalent ones.
    detected: u64,
    /// That must be detected.
    goal: u64,
    cycles: u64,
    pass: usize,
    block: usize,
    /// Blocks that were deleted in this pass.
    deleted: Vec<Vec<usize>>,
    /// Instructions that cannot be deleted, as was seen when all faults were simulated.
    fixed: Vec<usize>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The instructions that are left.
    pub kept: Vec<usize>,
    /// What is known.
    pub state: State,
}

impl<'j, J: Judge> Search<'j, J> {
    /// Of a program that takes so many cycles, and of which these faults are detected first by these instructions. `known`: of a
    /// search that was stopped.
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

    /// Searches, beginning with so many instructions.
    ///
    /// # Errors
    /// Those of the judge.
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
                // The first pass may find nothing where the next one does.
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

    /// The blocks of a pass, in the order in which they are tried: in the first one, runs of instructions that detect nothing
    /// first; later, blocks of one size. Both from the end.
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

    /// Tries to delete a block; if that fails, its halves, the later one first.
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

    /// Whether a program without a block is as good: of the faults, those are simulated that the block detected first.
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

    /// Writes an attempt down; whether its program is taken.
    fn take(&mut self, attempt: Attempt) -> bool {
        let passes = attempt.verdict == Verdict::Proceed;
        if let (true, Some(cycles), Some(detected)) = (passes, attempt.tat, attempt.detected) {
            (self.cycles, self.detected) = (cycles, detected);
        }
        self.state.log.push(attempt);
        passes
    }

    /// The next attempt of the search that was stopped; with the last one, what was known then holds again.
    fn next_known(&mut self, block: usize, removed: &str) -> Option<Attempt> {
        let next = self.known.pop_front()?;
        if (next.pass, next.block, next.removed.as_str()) != (self.pass, block, removed) {
            // Of another search: nothing of it holds.
            self.known.clear();
            return None;
        }
        if self.known.is_empty() {
            self.state.first = std::mem::take(&mut self.known_first);
        }
        Some(next)
    }

    /// Simulates all faults of what a pass has left. If too many are lost, the instruction is put back with which that begins, and
    /// the rest is tried again.
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
            // Of so many blocks it is known that they can be deleted, and of so many that they cannot.
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
                // Perhaps a half of it is not needed.
                length => {
                    let (earlier, later) = block.split_at(length / 2);
                    deleted.splice(bad - 1..bad - 1, [later.to_vec(), earlier.to_vec()]);
                }
            }
            if deleted.is_empty() {
                // The program as it was, whose first detections are needed again.
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

/// A list without some of its elements.
fn without(list: &[usize], deleted: &[usize]) -> Vec<usize> {
    list.iter().copied().filter(|one| !deleted.contains(one)).collect()
}

#[cfg(test)]
mod tests;
