//! Runs the blocks of a grid in parallel on several threads.
//!
//! CUDA promises that the blocks of a grid may run in any order. If a kernel relies on nothing more, its blocks can run
//! on separate threads; otherwise its result would be left to chance. So this is checked word by word: each thread works
//! on a copy of memory and records which block read and which wrote each word. If no block has read a word that another
//! wrote, and words written by several got the same value, the copies are merged: the result is then that of every order.
//! Otherwise, or if an instruction asks for the clock or for the place where it runs, the grid runs again in turns, as in
//! [`Machine::run`], and [`InTurns`] gives the reason. A grid that fails or does not end also runs again in turns, so
//! that it always stops at the same place.
//!
//! ```text
//!               ┌─ thread 0: copy of memory, blocks 0, 3, 4 .. ─┐
//! launch ───────┼─ thread 1: copy of memory, blocks 1, 2, 6 .. ─┼──> put together, or run in turns
//!               └─ .. each takes the next block ────────────────┘
//! ```

use super::{Machine, Outcome};
use crate::execute::Recorder;
use crate::memory::Memory;
use flexgrip_isa::Operand;
use flexgrip_machine::sizes::WARP_THREADS;
use flexgrip_machine::KernelError;
use flexgrip_machine::Launch;
use flexgrip_machine::{MemoryEffect, MemorySpace};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Words per page, the unit in which memories are merged.
const PAGE: usize = 1024;

/// Special registers that depend on where and when a warp runs: the physical id and the clock.
const PLACE_REGISTERS: [u8; 2] = [0, 1];

/// The reason why the blocks of a grid ran in turns after all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTurns {
    /// An instruction reads the clock, or the place where its warp runs.
    Place {
        /// Byte address of the first one.
        pc: u32,
    },
    /// A block reads a word that another writes, or two write different values.
    Shared {
        /// The byte address of the word in global memory.
        address: u32,
    },
    /// A block reads local memory that it has not written: other blocks left its contents.
    Local {
        /// The byte address in local memory.
        address: u32,
    },
    /// The kernel failed, or did not end.
    Stopped,
}

impl From<KernelError> for InTurns {
    fn from(_: KernelError) -> Self {
        InTurns::Stopped
    }
}

impl fmt::Display for InTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InTurns::Place { pc } => write!(f, "the instruction at {pc:#06x} reads the clock or its warp's place"),
            InTurns::Shared { address } => write!(
                f,
                "blocks share the word at {address:#x} of global memory, and write it"
            ),
            InTurns::Local { address } => write!(
                f,
                "a block reads byte {address:#x} of local memory, which it has not written"
            ),
            InTurns::Stopped => f.write_str("the kernel failed or did not end"),
        }
    }
}

/// The blocks that have accessed a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Blocks(u32);

impl Blocks {
    const NONE: Blocks = Blocks(0);
    const SEVERAL: Blocks = Blocks(u32::MAX);

    /// One block; a checked grid has fewer than 2^32 - 2.
    fn one(block: u32) -> Self {
        Blocks(block + 1)
    }

    fn and(self, other: Blocks) -> Self {
        match (self, other) {
            (Blocks::NONE, other) => other,
            (this, Blocks::NONE) => this,
            (this, other) if this == other => this,
            _ => Blocks::SEVERAL,
        }
    }
}

/// The memory accesses of one thread's blocks. They are recorded per word: two blocks that write different bytes of one
/// word count as sharing it.
struct Accesses<'a> {
    /// Global memory before the run.
    initial: &'a Memory,
    /// The running block, and its warp.
    block: Blocks,
    warp: u32,
    /// The pages of global memory that were accessed.
    pages: Vec<Option<Box<[Word]>>>,
    /// For each word of local memory of each thread of a block: the block that wrote it last.
    local: Vec<Blocks>,
    /// Words of a thread's local memory.
    local_words: usize,
    /// The first sign that blocks are not independent.
    reason: Option<InTurns>,
}

/// The accesses to a word of global memory.
#[derive(Clone, Copy)]
struct Word {
    read: Blocks,
    written: Blocks,
    value: u32,
}

impl<'a> Accesses<'a> {
    fn new(launch: &Launch, initial: &'a Memory) -> Self {
        let local_words = launch.local_bytes.div_ceil(4) as usize;
        let threads = (launch.block_warps() * WARP_THREADS) as usize;
        Accesses {
            initial,
            block: Blocks::NONE,
            warp: 0,
            pages: (0..initial.words().len().div_ceil(PAGE)).map(|_| None).collect(),
            local: vec![Blocks::NONE; threads * local_words],
            local_words,
            reason: None,
        }
    }

    /// A word of global memory, by its index.
    fn word(&mut self, at: usize) -> Option<&mut Word> {
        let initial = self.initial;
        let page = self.pages.get_mut(at / PAGE)?.get_or_insert_with(|| {
            let first = at / PAGE * PAGE;
            let untouched = |value| Word {
                read: Blocks::NONE,
                written: Blocks::NONE,
                value,
            };
            initial.words_from(first).take(PAGE).map(untouched).collect()
        });
        page.get_mut(at % PAGE)
    }

    fn global(&mut self, effect: &MemoryEffect) {
        let block = self.block;
        let first = effect.address as usize / 4;
        let words = usize::from(effect.bytes).div_ceil(4);
        for (part, at) in (first..first + words).enumerate() {
            // The machine has refused an access outside memory.
            let Some(word) = self.word(at) else {
                return;
            };
            let alone = word.written == Blocks::NONE || word.written == block;
            let apart = if effect.store {
                let mut value = (effect.data >> (32 * part)) as u32;
                if effect.bytes < 4 {
                    let shift = 8 * (effect.address % 4);
                    let mask = u32::MAX >> (32 - 8 * u32::from(effect.bytes)) << shift;
                    value = word.value & !mask | value << shift & mask;
                }
                word.written = word.written.and(block);
                let before = std::mem::replace(&mut word.value, value);
                alone || before == value
            } else {
                word.read = word.read.and(block);
                alone
            };
            if !apart {
                let address = 4 * at as u32;
                self.reason.get_or_insert(InTurns::Shared { address });
            }
        }
    }

    fn local(&mut self, effect: &MemoryEffect) {
        let thread = (self.warp * WARP_THREADS) as usize + usize::from(effect.lane);
        let first = effect.address as usize / 4;
        for at in first..first + usize::from(effect.bytes).div_ceil(4) {
            let Some(written) = self.local.get_mut(thread * self.local_words + at) else {
                return;
            };
            // A partial write leaves the rest of the word to its previous writer.
            if effect.store && effect.bytes >= 4 {
                *written = self.block;
            } else if *written != self.block {
                let address = effect.address;
                self.reason.get_or_insert(InTurns::Local { address });
            }
        }
    }
}

impl Recorder for Accesses<'_> {
    fn memory(&mut self, effect: MemoryEffect) {
        match effect.space {
            MemorySpace::Global => self.global(&effect),
            MemorySpace::Local => self.local(&effect),
            // Private to the block.
            MemorySpace::Shared => {}
        }
    }
}

/// The result of a thread.
struct Share<'a> {
    outcome: Outcome,
    accesses: Accesses<'a>,
}

impl Machine {
    /// As [`Machine::run`], with the blocks on `jobs` threads if they are independent; the module page explains the
    /// check. With a checker they always run in turns. If they ran in turns, also returns the reason; a machine that has
    /// already begun, or a grid of one block, runs in turns without a reason.
    ///
    /// # Errors
    /// As [`Machine::run`].
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
        let next = AtomicU32::new(0);
        let stop = AtomicBool::new(false);
        let pristine: &Machine = self;
        let shares: Vec<Result<Share, InTurns>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs)
                .map(|_| {
                    scope.spawn(|| {
                        let accesses = Accesses::new(&pristine.launch, &pristine.global);
                        pristine.clone().take_blocks(limit, accesses, &next, &stop)
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        // A thread stopped because of another gives no reason of its own.
        let reasons = shares.iter().filter_map(|share| share.as_ref().err());
        if let Some(&reason) = reasons.max_by_key(|reason| **reason != InTurns::Stopped) {
            return Err(reason);
        }
        let shares: Vec<Share> = shares.into_iter().flatten().collect();
        let mut outcome = Outcome::default();
        for share in &shares {
            outcome.warp_instructions += share.outcome.warp_instructions;
            outcome.thread_instructions += share.outcome.thread_instructions;
            outcome.divergent_branches += share.outcome.divergent_branches;
            outcome.blocks += share.outcome.blocks;
        }
        if outcome.warp_instructions > limit {
            return Err(InTurns::Stopped);
        }
        self.global = self.put_together(&shares)?;
        self.outcome = outcome;
        self.started_below = self.launch.blocks();
        Ok(outcome)
    }

    /// Runs one block after another until none is left.
    fn take_blocks<'a>(
        mut self,
        limit: u64,
        mut accesses: Accesses<'a>,
        next: &AtomicU32,
        stop: &AtomicBool,
    ) -> Result<Share<'a>, InTurns> {
        while !stop.load(Ordering::Relaxed) {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= self.launch.blocks() {
                let outcome = self.outcome;
                return Ok(Share { outcome, accesses });
            }
            self.start(block, 0, 0);
            accesses.block = Blocks::one(block);
            while self.block(block).is_some() {
                if self.watched.is_called() {
                    let attended = self.attend();
                    attended.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                }
                let round = self.round(block, |machine, warp| {
                    if machine.outcome.warp_instructions >= limit || stop.load(Ordering::Relaxed) {
                        return Err(InTurns::Stopped);
                    }
                    accesses.warp = warp;
                    let surroundings = machine.surroundings(block, warp);
                    machine.step(block, warp, surroundings, &mut accesses)?;
                    accesses.reason.map_or(Ok(()), Err)
                });
                round.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
        }
        Err(InTurns::Stopped)
    }

    /// Global memory merged with the writes of the threads' blocks, if the result does not depend on their order.
    fn put_together(&self, shares: &[Share<'_>]) -> Result<Memory, InTurns> {
        let mut global = self.global.clone();
        let pages = self.global.words().len().div_ceil(PAGE);
        for page in 0..pages {
            let touching: Vec<&[Word]> = shares
                .iter()
                .filter_map(|share| share.accesses.pages.get(page)?.as_deref())
                .collect();
            for at in 0..touching.first().map_or(0, |words| words.len()) {
                let words = || touching.iter().filter_map(|words| words.get(at));
                let together = |of: fn(&Word) -> Blocks| words().map(of).fold(Blocks::NONE, Blocks::and);
                let writers = together(|word| word.written);
                let readers = together(|word| word.read);
                let mut values = words()
                    .filter(|word| word.written != Blocks::NONE)
                    .map(|word| word.value);
                let Some(value) = values.next() else {
                    continue;
                };
                let address = 4 * (page * PAGE + at) as u32;
                let own = readers == Blocks::NONE || (readers == writers && writers != Blocks::SEVERAL);
                if !own || values.any(|other| other != value) {
                    return Err(InTurns::Shared { address });
                }
                let written = global.load(address, &[value]);
                written.map_err(|_| InTurns::Shared { address })?;
            }
        }
        Ok(global)
    }
}
