//! Runs the blocks of a grid in parallel on several threads.
//!
//! CUDA permits the blocks of a grid to run in any order. If the result of a kernel does not depend on the order, its
//! blocks can run on separate threads. So this is checked word by word: each thread writes to copies of memory's pages
//! and records the words that its blocks read and wrote (`accesses.rs`). If no block has read a word that another
//! wrote, and all writers of a word wrote the same value, the writes are merged: every order would have given this
//! result. Otherwise, or if an instruction reads the clock or its location, the grid runs again in turns, as in
//! [`Machine::run`], and [`InTurns`] gives the reason. A grid that fails or does not end also runs again in turns, so
//! that it always stops at the same instruction.
//!
//! ```text
//!               ┌─ thread 0: pages it writes, blocks 0 to 7, 12 to 15 .. ──┐
//! launch ───────┼─ thread 1: pages it writes, blocks 8 to 11, 16, 17 .. ───┼──> put together, or run in turns
//!               └─ .. each takes the next few blocks, fewer at the end ────┘
//! ```

use super::accesses::{put_together, Accesses, Done};
use super::in_turns::InTurns;
use super::{Machine, Outcome};
use crate::memory::Memory;
use flexgrip_isa::Operand;
use flexgrip_machine::KernelError;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Special registers that depend on where and when a warp runs: the physical id and the clock.
const PLACE_REGISTERS: [u8; 2] = [0, 1];

/// The maximum number of blocks that a thread takes at once. Neighbouring blocks often access the same pages, which
/// only one thread then copies.
const MOST_TAKEN: u64 = 64;

/// The blocks of a grid, taken by threads.
struct Blocks {
    all: u64,
    jobs: u64,
    next: AtomicU64,
    /// Set when a block fails or turns out to depend on another.
    stop: AtomicBool,
}

impl Blocks {
    /// The next blocks; none if all are taken. The number shrinks, so that all threads end at about the same time.
    fn take(&self) -> Range<u64> {
        let some = |first: u64| (self.all.saturating_sub(first) / (4 * self.jobs)).clamp(1, MOST_TAKEN);
        let behind = |first: u64| (first < self.all).then(|| first + some(first));
        match self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, behind) {
            Ok(first) => first..first + some(first),
            Err(all) => all..all,
        }
    }
}

impl Machine {
    /// Like [`Machine::run`], with the blocks on `jobs` threads if they are independent; the module page explains the
    /// check. With a checker they always run in turns. If they ran in turns, also returns the reason; a machine that
    /// has already begun, or a grid of one block, runs in turns without a reason.
    ///
    /// # Errors
    /// The errors of [`Machine::run`].
    pub fn run_parallel(&mut self, limit: u64, jobs: NonZeroUsize) -> Result<(Outcome, Option<InTurns>), KernelError> {
        let begun = self.stopped.is_some() || self.started_below > 0 || !self.started.is_empty();
        let jobs = jobs.get().min(self.launch.blocks() as usize);
        if begun || jobs < 2 || self.checker.is_some() {
            return Ok((self.run(limit)?, None));
        }
        match self.side_by_side(limit, jobs) {
            Ok(outcome) => Ok((outcome, None)),
            Err(_) if self.watched.is_stopped() => Err(self.interrupted()),
            Err(reason) => Ok((self.run(limit)?, Some(reason))),
        }
    }

    /// Runs the whole grid on several threads; on failure the machine is unchanged.
    fn side_by_side(&mut self, limit: u64, jobs: usize) -> Result<Outcome, InTurns> {
        let asks_for_place =
            |operand: &Operand| matches!(operand, Operand::Special(index) if PLACE_REGISTERS.contains(index));
        if let Some(pc) = self.program.first_with_source(asks_for_place) {
            return Err(InTurns::Place { pc });
        }
        // Threads copy the machine without global memory, and copy the pages that they access.
        let mut global = std::mem::replace(&mut self.global, Memory::new(0));
        let outcome = self.on_threads(limit, jobs, &mut global);
        self.global = global;
        self.outcome = outcome?;
        self.started_below = self.launch.blocks();
        Ok(self.outcome)
    }

    fn on_threads(&self, limit: u64, jobs: usize, global: &mut Memory) -> Result<Outcome, InTurns> {
        let blocks = Blocks {
            all: self.launch.blocks().into(),
            jobs: jobs as u64,
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        };
        let initial: &Memory = global;
        let shares: Vec<Result<(Outcome, Done), InTurns>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs)
                .map(|_| {
                    scope.spawn(|| {
                        let mut machine = self.clone();
                        machine.global = Memory::new(initial.size());
                        machine.take_blocks(limit, Accesses::new(&self.launch, initial), &blocks)
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        // A thread that was stopped because of another one only has the reason `Stopped`.
        let reasons = shares.iter().filter_map(|share| share.as_ref().err());
        if let Some(&reason) = reasons.max_by_key(|reason| **reason != InTurns::Stopped) {
            return Err(reason);
        }
        let mut outcome = Outcome::default();
        let mut done = Vec::new();
        for (share, of_thread) in shares.into_iter().flatten() {
            outcome.warp_instructions += share.warp_instructions;
            outcome.thread_instructions += share.thread_instructions;
            outcome.divergent_branches += share.divergent_branches;
            outcome.blocks += share.blocks;
            done.push(of_thread);
        }
        if outcome.warp_instructions > limit {
            return Err(InTurns::Stopped);
        }
        put_together(global, &done)?;
        Ok(outcome)
    }

    /// Runs blocks, some at a time, until none is left.
    fn take_blocks(
        mut self,
        limit: u64,
        mut accesses: Accesses<'_>,
        blocks: &Blocks,
    ) -> Result<(Outcome, Done), InTurns> {
        loop {
            let taken = blocks.take();
            if taken.is_empty() {
                return Ok((self.outcome, accesses.end(self.global)));
            }
            for block in taken {
                let ran = self.take_block(block as u32, limit, &mut accesses, &blocks.stop);
                ran.inspect_err(|_| blocks.stop.store(true, Ordering::Relaxed))?;
            }
        }
    }

    fn take_block(
        &mut self,
        block: u32,
        limit: u64,
        accesses: &mut Accesses<'_>,
        stop: &AtomicBool,
    ) -> Result<(), InTurns> {
        // Blocks of other threads count as started.
        self.started_below = block;
        self.start(block, 0, 0);
        accesses.begin(block);
        while self.block(block).is_some() {
            if self.watched.is_called() {
                self.attend()?;
            }
            self.round(block, |machine, warp| {
                if machine.outcome.warp_instructions >= limit || stop.load(Ordering::Relaxed) {
                    return Err(InTurns::Stopped);
                }
                accesses.warp = warp;
                let surroundings = machine.surroundings(block, warp);
                machine.step(block, warp, surroundings, accesses)?;
                accesses.reason.map_or(Ok(()), Err)
            })?;
        }
        Ok(())
    }
}
