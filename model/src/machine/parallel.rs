//! Blocks of a grid side by side, on several threads.
//!
//! CUDA promises that the blocks of a grid may run in any order. A kernel that keeps to it can have its blocks run on
//! threads of their own; one that does not would come out by chance. So it is checked, word for word: each thread works
//! on a copy of memory and notes which block read and which wrote each word. If no block has read what another wrote, and
//! several have written a word only with the same value, the copies are put together: the result is then that of every
//! order. Otherwise, and where an instruction asks for the clock or for the place where it runs, the grid runs again in
//! turns, as [`Machine::run`] does it, and [`InTurns`] says why. A grid that goes wrong or does not end runs again in
//! turns too, so that it always stops at the same place.
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

/// Words that are looked at together when memories are put together.
const PAGE: usize = 1024;

/// Special registers that tell where a warp runs and when: the physical id and the clock.
const PLACE_REGISTERS: [u8; 2] = [0, 1];

/// Why the blocks of a grid ran in turns after all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTurns {
    /// An instruction asks for the clock, or for the place where its warp runs.
    Place {
        /// Byte address of the first one.
        pc: u32,
    },
    /// Blocks read what others write, or write what others write otherwise.
    Shared {
        /// The byte address of the word in global memory.
        address: u32,
    },
    /// A block reads local memory that it has not written: what is there is left by other blocks.
    Local {
        /// The byte address in local memory.
        address: u32,
    },
    /// The kernel went wrong, or did not end.
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
            InTurns::Place { pc } => write!(f, "the instruction at {pc:#06x} asks for the clock or for its place"),
            InTurns::Shared { address } => write!(f, "blocks meet at {address:#x} of global memory, which they write"),
            InTurns::Local { address } => write!(
                f,
                "a block reads byte {address:#x} of local memory, which it has not written"
            ),
            InTurns::Stopped => f.write_str("it did not come to its end"),
        }
    }
}

/// Which blocks have done something with a word.
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

/// What the blocks of one thread have done with memory. It is kept for words: two blocks that write different bytes of
/// one count as sharing it.
struct Accesses<'a> {
    /// Global memory before the run.
    initial: &'a Memory,
    /// The block that runs, and its warp.
    block: Blocks,
    warp: u32,
    /// The pages of global memory that were accessed.
    pages: Vec<Option<Box<[Word]>>>,
    /// Of each word of local memory of each thread of a block: the block that wrote it last.
    local: Vec<Blocks>,
    /// Words of local memory of a thread.
    local_words: usize,
    /// The first sign that blocks are not independent.
    reason: Option<InTurns>,
}

/// What has been done with a word of global memory.
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

    /// A word of global memory, by its number.
    fn word(&mut self, at: usize) -> Option<&mut Word> {
        let initial = self.initial;
        let page = self.pages.get_mut(at / PAGE)?.get_or_insert_with(|| {
            let first = at / PAGE * PAGE;
            let untouched = |value| Word {
                read: Blocks::NONE,
                written: Blocks::NONE,
                value,
            };
            initial.words().skip(first).take(PAGE).map(untouched).collect()
        });
        page.get_mut(at % PAGE)
    }

    fn global(&mut self, effect: &MemoryEffect) {
        let block = self.block;
        let first = effect.address as usize / 4;
        let words = usize::from(effect.bytes).div_ceil(4);
        for (part, at) in (first..first + words).enumerate() {
            // The machine has refused an access that leaves memory.
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
            // Part of a word leaves the rest to whoever was there before.
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
            // A block's own.
            MemorySpace::Shared => {}
        }
    }
}

/// What a thread hands over.
struct Share<'a> {
    outcome: Outcome,
    accesses: Accesses<'a>,
}

impl Machine {
    /// As [`Machine::run`], with the blocks on `jobs` threads where they are independent of each other; the module tells
    /// how that is found out. Also gives why they were not, if they ran in turns; a machine that has already begun, or a
    /// grid of one block, runs in turns without a reason.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub fn run_parallel(&mut self, limit: u64, jobs: NonZeroUsize) -> Result<(Outcome, Option<InTurns>), KernelError> {
        let begun = self.stopped.is_some() || self.started_below > 0 || !self.started.is_empty();
        let jobs = jobs.get().min(self.launch.blocks() as usize);
        if begun || jobs < 2 {
            return Ok((self.run(limit)?, None));
        }
        match self.side_by_side(limit, jobs) {
            Ok(outcome) => Ok((outcome, None)),
            Err(reason) => Ok((self.run(limit)?, Some(reason))),
        }
    }

    /// Runs the whole grid on several threads; if that cannot be, the machine is as it was.
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
        // That one was told to stop is no reason of its own.
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

    /// Runs one block after the other, as long as there are some.
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

    /// Global memory with what the threads' blocks have written, if that does not depend on their order.
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
