//! The machine: a launch from its first block to its last.
//!
//! It runs in one of two ways. [`Machine::run`] lets all resident warps take turns, one instruction each, in block and
//! warp order, skipping warps that wait at a barrier: the same launch always runs the same way. [`Machine::step_warp`]
//! executes the next instruction of a warp named by the caller, so that the model can follow another engine's order of
//! events.

mod accesses;
mod advance;
pub(crate) mod in_turns;
mod parallel;
mod recording;
mod residents;
pub(crate) mod stepped;

use crate::block::Block;
use crate::check::Checker;
use crate::execute::{self, Memories, Recorder, Surroundings};
use crate::inject::{Injector, Issued};
use crate::lanes::lanes_of;
use crate::memory::{ConstantMemory, Memory};
use crate::program::{Fetched, Program};
use crate::warp::Warp;
use flexgrip_machine::sizes::WARP_THREADS;
use flexgrip_machine::Retire;
use flexgrip_machine::{Configuration, ImageSpace, Launch, LaunchError};
use flexgrip_machine::{ErrorKind, KernelError, WarpPlace, Watched};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use recording::{place, Outline};
use residents::{Resident, Residents};

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// Thread instructions: each warp instruction counted once for every thread of its execution mask.
    pub thread_instructions: u64,
    /// Branches that split a warp.
    pub divergent_branches: u64,
    /// Blocks that have ended.
    pub blocks: u64,
}

/// The reason why a run ends before its grid.
enum Halt {
    /// The kernel failed, or reached its limit.
    Kernel(KernelError),
    /// The observer ended the run.
    Observer,
}

impl From<KernelError> for Halt {
    fn from(error: KernelError) -> Self {
        Halt::Kernel(error)
    }
}

/// The error of initial contents that exceed a memory.
fn misfit(space: ImageSpace, address: u32, words: usize) -> LaunchError {
    let reason = "the words do not fit in the memory";
    LaunchError::Image {
        space,
        address,
        words,
        reason,
    }
}

/// The golden model.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Shared, as these never change: machines are copied for threads and debuggers.
    launch: Arc<Launch>,
    configuration: Configuration,
    program: Arc<Program>,
    global: Memory,
    constant: ConstantMemory,
    /// Local memories of the threads of each SM's warp slots; as in hardware, they outlive the warps there.
    local: BTreeMap<(u32, u32), Vec<Memory>>,
    /// The local memories for a launch without local memory.
    no_local: Vec<Memory>,
    resident: Residents,
    /// True if no block has started or ended since the last attempt to start one found all SMs full.
    full: bool,
    /// All blocks below this index have been started.
    started_below: u32,
    /// The started blocks with an index of at least `started_below`.
    started: BTreeSet<u32>,
    outcome: Outcome,
    stopped: Option<KernelError>,
    /// The checker, if there is one.
    checker: Option<Box<Checker>>,
    /// The watcher, which may stop a run.
    watched: Watched,
}

impl Machine {
    /// Loads a launch into a machine.
    ///
    /// # Errors
    /// [`LaunchError`] if the machine cannot be built or the launch does not fit it.
    pub fn new(launch: Launch, configuration: Configuration) -> Result<Self, LaunchError> {
        launch.check(&configuration)?;
        let mut global = Memory::new(configuration.global_bytes);
        let mut constant = ConstantMemory::default();
        for image in &launch.memory {
            let loaded = match image.space {
                ImageSpace::Global => global.load(image.address, &image.words),
                ImageSpace::Constant { bank } => constant.load(bank, image.address, &image.words),
            };
            loaded.map_err(|_| misfit(image.space, image.address, image.words.len()))?;
        }
        Ok(Machine {
            program: Arc::new(Program::new(
                &launch.program,
                launch.unaligned_code,
                configuration.capability,
            )),
            launch: Arc::new(launch),
            configuration,
            global,
            constant,
            local: BTreeMap::new(),
            no_local: vec![Memory::new(0); WARP_THREADS as usize],
            resident: Residents::default(),
            full: false,
            started_below: 0,
            started: BTreeSet::new(),
            outcome: Outcome::default(),
            stopped: None,
            checker: None,
            watched: Watched::default(),
        })
    }

    /// The launch that the machine runs.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The machine's sizes.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The current contents of global memory.
    pub fn global(&self) -> &Memory {
        &self.global
    }

    /// The constant memory of the launch.
    pub fn constant(&self) -> &ConstantMemory {
        &self.constant
    }

    /// The state of a block that has been started and has not ended.
    pub fn block(&self, index: u32) -> Option<&Block> {
        self.resident.get(index).map(|resident| &resident.block)
    }

    /// Progress so far.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// True if all blocks have ended.
    pub fn ended(&self) -> bool {
        self.resident.is_empty() && self.started_below == self.launch.blocks()
    }

    fn is_started(&self, index: u32) -> bool {
        index < self.started_below || self.started.contains(&index)
    }

    fn start(&mut self, index: u32, sm: u32, slot: u32) {
        let block = Block::new(&self.launch, index);
        self.resident.insert(index, Resident { block, sm, slot });
        self.full = false;
        self.started.insert(index);
        while self.started.remove(&self.started_below) {
            self.started_below += 1;
        }
    }

    /// Blocks that an SM holds at a time, at least 1 for a checked launch.
    fn blocks_per_sm(&self) -> u32 {
        let configuration = &self.configuration;
        let warps = self.launch.block_warps().max(1);
        let registers = (warps * 32 * self.launch.registers).max(1);
        let shared = u32::try_from(self.launch.block_shared_bytes())
            .unwrap_or(u32::MAX)
            .max(1);
        configuration
            .blocks_per_sm
            .min(configuration.warps_per_sm / warps)
            .min(configuration.registers_per_sm / registers)
            .min(configuration.shared_bytes_per_sm / shared)
            .max(1)
    }

    /// Starts blocks in order while they fit: each on the SM with the fewest, there in the lowest free slot.
    fn fill(&mut self) {
        if self.full {
            return;
        }
        let room = self.blocks_per_sm();
        while self.started_below < self.launch.blocks() {
            let mut taken = vec![0u64; self.configuration.sms as usize];
            for (_, resident) in self.resident.iter() {
                if let Some(slots) = taken.get_mut(resident.sm as usize) {
                    *slots |= 1 << (resident.slot & 63);
                }
            }
            let Some((sm, slots)) = taken.iter().enumerate().min_by_key(|(_, slots)| slots.count_ones()) else {
                return;
            };
            if slots.count_ones() >= room {
                self.full = true;
                return;
            }
            self.start(self.started_below, sm as u32, slots.trailing_ones());
        }
    }

    /// Sets a watcher, which can ask for the locations of warps, and stop a run. A stopped run ends with
    /// [`ErrorKind::Interrupted`], and can continue. A stopped run on several threads leaves the machine in its state
    /// before the run.
    pub fn watch(&mut self, watched: Watched) {
        self.watched = watched;
    }

    /// Answers the watcher.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] if the run must stop.
    fn attend(&mut self) -> Result<(), KernelError> {
        let places: Vec<WarpPlace> = self
            .resident
            .iter()
            .flat_map(|(block, resident)| {
                let warps = (0u32..).zip(&resident.block.warps).filter(|(_, warp)| !warp.ended);
                warps.map(move |(warp_in_block, warp)| WarpPlace {
                    sm: resident.sm,
                    block,
                    warp_in_block,
                    pc: warp.pc,
                })
            })
            .collect();
        match self.watched.answer(places) {
            true => Err(self.interrupted()),
            false => Ok(()),
        }
    }

    /// The error of a stopped run, at the first location that was reported.
    fn interrupted(&self) -> KernelError {
        let place = self.watched.first_place().unwrap_or(WarpPlace {
            sm: 0,
            block: 0,
            warp_in_block: 0,
            pc: self.launch.entry,
        });
        KernelError {
            kind: ErrorKind::Interrupted,
            capability: self.launch.capability,
            sm: place.sm,
            block: place.block,
            warp_in_block: place.warp_in_block,
            pc: place.pc,
            word: self.program.fetch(place.pc).map_or(0, |fetched| fetched.word),
            address: None,
        }
    }

    /// Attaches a checker for all further instructions; blocks then never run in parallel. The checker takes running
    /// blocks for blocks that begin, so this should be called before the first step.
    pub fn check(&mut self) {
        let checker = Checker::new(&self.launch, self.configuration.global_bytes);
        self.checker = Some(Box::new(checker));
    }

    /// Replaces the contents of global memory, before the first instruction, by the words that an earlier launch has
    /// left. For a checker of a launch without regions in global memory, they count as written.
    ///
    /// # Errors
    /// There are more words than global memory has.
    pub fn carry_over(&mut self, words: &[u32]) -> Result<(), LaunchError> {
        let loaded = self.global.load(0, words);
        loaded.map_err(|_| misfit(ImageSpace::Global, 0, words.len()))?;
        if let Some(checker) = &mut self.checker {
            checker.carry_over(4 * words.len());
        }
        Ok(())
    }

    /// The checker, if there is one.
    pub fn checker(&self) -> Option<&Checker> {
        self.checker.as_deref()
    }

    /// Executes one instruction of a resident warp that can run.
    fn step(
        &mut self,
        block: u32,
        warp: u32,
        surroundings: Surroundings,
        recorder: &mut impl Recorder,
    ) -> Result<(), KernelError> {
        self.step_with(block, warp, surroundings, recorder, &mut ())
    }

    #[inline(always)]
    fn step_with(
        &mut self,
        block: u32,
        warp_in_block: u32,
        surroundings: Surroundings,
        recorder: &mut impl Recorder,
        injector: &mut impl Injector,
    ) -> Result<(), KernelError> {
        let capability = self.launch.capability;
        let missing = || KernelError {
            kind: ErrorKind::NoSuchWarp,
            capability,
            sm: 0,
            block,
            warp_in_block,
            pc: 0,
            word: 0,
            address: None,
        };
        let resident = self.resident.get_mut(block).ok_or_else(missing)?;
        let sm = resident.sm;
        let state = &mut resident.block;
        let warp = match state.warps.get_mut(warp_in_block as usize) {
            Some(warp) if warp.can_run() => warp,
            Some(warp) if warp.waiting.is_some() => {
                self.check_deadlock(block)?;
                return Err(missing());
            }
            _ => return Err(missing()),
        };
        let pc = warp.pc;
        injector.at(Issued {
            number: self.outcome.warp_instructions + 1,
            sm: surroundings.sm,
            slot: surroundings.slot,
            block,
            warp_in_block,
            pc,
        });
        let local = match self.launch.local_bytes {
            0 => &mut self.no_local,
            bytes => {
                let place = (surroundings.sm, surroundings.slot);
                self.local
                    .entry(place)
                    .or_insert_with(|| vec![Memory::new(bytes); WARP_THREADS as usize])
            }
        };
        let mut memories = Memories {
            global: &mut self.global,
            constant: &self.constant,
            shared: &mut state.shared,
            locks: &mut state.locks,
            local,
            warp: warp_in_block,
            surroundings,
        };
        let place = (block, warp_in_block);
        let checker = self.checker.as_deref_mut();
        let inspect = |warp: &Warp, fetched: &Fetched, executed: u32, memories: &Memories<'_>| {
            if let Some(checker) = checker {
                checker.inspect(place, warp, fetched, executed, memories);
            }
        };
        match execute::step(warp, &self.program, &mut memories, recorder, injector, inspect) {
            Ok(step) => {
                injector.after(warp, &mut state.shared, step.executed);
                self.outcome.warp_instructions += 1;
                self.outcome.divergent_branches += u64::from(step.split);
                self.outcome.thread_instructions += u64::from(step.executed.count_ones());
                recorder.next(warp.next());
                if warp.ended {
                    state.warp_ended();
                }
                if let Some(bar) = step.barrier {
                    recorder.barrier(state.barrier(warp_in_block as usize, bar, pc));
                }
                if let Some(checker) = &mut self.checker {
                    checker.done(place, state);
                }
                Ok(())
            }
            Err(fault) => Err(self.stop(KernelError {
                kind: fault.kind,
                capability,
                sm,
                block,
                warp_in_block,
                pc,
                word: fault.word,
                address: fault.address,
            })),
        }
    }

    /// Stops the grid with an error; all further steps return it.
    fn stop(&mut self, error: KernelError) -> KernelError {
        self.stopped = Some(error);
        error
    }

    /// Stops the grid if all warps of a block wait.
    fn check_deadlock(&mut self, block: u32) -> Result<(), KernelError> {
        let Some(resident) = self.resident.get(block) else {
            return Ok(());
        };
        let Some((warp_in_block, pc)) = resident.block.deadlock() else {
            return Ok(());
        };
        if let Some(checker) = &mut self.checker {
            checker.deadlock(block, &resident.block);
        }
        let error = KernelError {
            kind: ErrorKind::BarrierDeadlock,
            capability: self.launch.capability,
            sm: resident.sm,
            block,
            warp_in_block,
            pc,
            word: self.program.fetch(pc).map_or(0, |fetched| fetched.word),
            address: None,
        };
        Err(self.stop(error))
    }

    /// A warp's location, and a clock that counts the machine's warp instructions.
    fn surroundings(&self, block: u32, warp_in_block: u32) -> Surroundings {
        let (sm, slot) = match self.resident.get(block) {
            Some(Resident { sm, slot, block }) => (*sm, slot * block.warps.len() as u32 + warp_in_block),
            None => (0, 0),
        };
        Surroundings {
            sm,
            slot,
            clock: self.outcome.warp_instructions as u32,
        }
    }

    /// Like [`Machine::step`], with a record of the effects.
    fn step_recorded(
        &mut self,
        block: u32,
        warp_in_block: u32,
        surroundings: Surroundings,
    ) -> Result<Retire, KernelError> {
        let mut record = Retire::default();
        place(&mut record, surroundings, block, warp_in_block);
        self.step(block, warp_in_block, surroundings, &mut record)?;
        Ok(record)
    }

    fn warp(&self, block: u32, warp_in_block: u32) -> Option<&Warp> {
        self.block(block)?.warps.get(warp_in_block as usize)
    }

    fn retire_block_if_ended(&mut self, block: u32) {
        if self.block(block).is_some_and(Block::ended) {
            self.resident.remove(block);
            self.full = false;
            if let Some(checker) = &mut self.checker {
                checker.end_block(block);
            }
            self.outcome.blocks += 1;
        }
    }

    /// Executes the next instruction of one warp and returns its record. Starts the block if necessary; any number of
    /// blocks can be in progress, and the record's SM and hardware warp slot are meaningless.
    ///
    /// # Errors
    /// The [`KernelError`] that stops the kernel; every further step returns it again. [`ErrorKind::NoSuchWarp`], which
    /// stops nothing, if the warp has ended, waits at a barrier, or does not exist. If all warps of its block wait, the
    /// error is [`ErrorKind::BarrierDeadlock`] instead; the step that leads there succeeds.
    pub fn step_warp(&mut self, block: u32, warp_in_block: u32) -> Result<Retire, KernelError> {
        self.step_in(block, warp_in_block, |own| own)
    }

    /// Like [`Machine::step_warp`] for the warp of another engine's record, which gives the values that this machine
    /// cannot compute: the physical id is made of the record's SM and warp slot, and the clock is the value in the
    /// record's lowest executing thread, if its instruction reads the clock.
    ///
    /// # Errors
    /// The errors of [`Machine::step_warp`].
    pub fn follow(&mut self, record: &Retire) -> Result<Retire, KernelError> {
        let read = record.destination.as_ref().and_then(|write| {
            let lane = lanes_of(record.executed).next()?;
            write.values.get(lane).copied()
        });
        self.step_in(record.block, record.warp_in_block, |own| Surroundings {
            sm: record.sm,
            slot: record.warp,
            clock: read.unwrap_or(own.clock),
        })
    }

    fn step_in(
        &mut self,
        block: u32,
        warp_in_block: u32,
        surroundings: impl FnOnce(Surroundings) -> Surroundings,
    ) -> Result<Retire, KernelError> {
        if let Some(error) = self.stopped {
            return Err(error);
        }
        if block < self.launch.blocks() && warp_in_block < self.launch.block_warps() && !self.is_started(block) {
            self.start(block, 0, 0);
        }
        let surroundings = surroundings(self.surroundings(block, warp_in_block));
        let record = self.step_recorded(block, warp_in_block, surroundings)?;
        self.retire_block_if_ended(block);
        Ok(record)
    }

    /// Runs to the end, for at most `limit` warp instructions.
    ///
    /// # Errors
    /// The [`KernelError`] that stops the kernel, or [`ErrorKind::Endless`] at the limit; a run can continue after the
    /// latter.
    pub fn run(&mut self, limit: u64) -> Result<Outcome, KernelError> {
        self.schedule(limit, |machine, block, warp| {
            let surroundings = machine.surroundings(block, warp);
            machine.step(block, warp, surroundings, &mut ())
        })
    }

    /// Like [`Machine::run`], and shows `observer` the record of every executed warp instruction.
    ///
    /// # Errors
    /// The errors of [`Machine::run`].
    pub fn run_observed(&mut self, limit: u64, mut observer: impl FnMut(&Retire)) -> Result<Outcome, KernelError> {
        let ended = self.run_while(limit, &mut |record| {
            observer(record);
            ControlFlow::Continue(())
        })?;
        match ended {
            ControlFlow::Continue(outcome) => Ok(outcome),
            ControlFlow::Break(()) => Ok(self.outcome),
        }
    }

    /// Like [`Machine::run_observed`], for an observer that may end the run: after a record for which it returns
    /// [`ControlFlow::Break`] nothing more is executed, and the run returns `Break`.
    ///
    /// # Errors
    /// The errors of [`Machine::run`].
    // This function is not generic: a generic function is optimised like the observer's crate, and this one contains
    // the whole model.
    pub fn run_while(
        &mut self,
        limit: u64,
        observer: &mut dyn FnMut(&Retire) -> ControlFlow<()>,
    ) -> Result<ControlFlow<(), Outcome>, KernelError> {
        self.schedule_while(limit, |machine, block, warp, surroundings| {
            Ok(observer(&machine.step_recorded(block, warp, surroundings)?))
        })
    }

    /// Like [`Machine::run_while`], with records of each instruction's location, word, accesses to global and local
    /// memory and next state, but without writes of registers and shared memory and changes of the divergence stack,
    /// which are most of a record's cost.
    ///
    /// # Errors
    /// The errors of [`Machine::run`].
    pub fn run_outlined(
        &mut self,
        limit: u64,
        observer: &mut dyn FnMut(&Retire) -> ControlFlow<()>,
    ) -> Result<ControlFlow<(), Outcome>, KernelError> {
        let mut record = Retire::default();
        self.schedule_while(limit, |machine, block, warp, surroundings| {
            place(&mut record, surroundings, block, warp);
            machine.step(block, warp, surroundings, &mut Outline(&mut record))?;
            Ok(observer(&record))
        })
    }

    fn schedule_while(
        &mut self,
        limit: u64,
        mut step: impl FnMut(&mut Self, u32, u32, Surroundings) -> Result<ControlFlow<()>, KernelError>,
    ) -> Result<ControlFlow<(), Outcome>, KernelError> {
        let ended = self.schedule(limit, |machine, block, warp| {
            let surroundings = machine.surroundings(block, warp);
            match step(machine, block, warp, surroundings)? {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(Halt::Observer),
            }
        });
        match ended {
            Ok(outcome) => Ok(ControlFlow::Continue(outcome)),
            Err(Halt::Observer) => Ok(ControlFlow::Break(())),
            Err(Halt::Kernel(error)) => Err(error),
        }
    }

    /// Lets all resident warps take turns until the grid has ended.
    fn schedule<E: From<KernelError>>(
        &mut self,
        limit: u64,
        mut step: impl FnMut(&mut Self, u32, u32) -> Result<(), E>,
    ) -> Result<Outcome, E> {
        if let Some(error) = self.stopped {
            return Err(error.into());
        }
        let mut left = limit;
        let mut blocks = Vec::new();
        loop {
            self.fill();
            if self.resident.is_empty() {
                return Ok(self.outcome);
            }
            blocks.clear();
            blocks.extend(self.resident.indices());
            for &block in &blocks {
                if self.watched.is_called() {
                    self.attend()?;
                }
                self.round(block, |machine, warp| {
                    if left == 0 {
                        return Err(machine.endless(block, warp, limit).into());
                    }
                    left -= 1;
                    step(machine, block, warp)
                })?;
            }
        }
    }

    /// Gives each warp of a block that can run one turn, and checks for the block's end and for a deadlock.
    fn round<E: From<KernelError>>(
        &mut self,
        block: u32,
        mut step: impl FnMut(&mut Self, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut from = 0;
        while let Some(warp) = self.next_in_round(block, from)? {
            step(self, warp)?;
            from = warp + 1;
        }
        Ok(())
    }

    /// The next warp of a block that can run, counted `from` this one. `None` if all have had their turns; the block
    /// may have ended then, or wait forever.
    fn next_in_round(&mut self, block: u32, from: u32) -> Result<Option<u32>, KernelError> {
        let warps = self.block(block).and_then(|block| block.warps.get(from as usize..));
        if let Some(next) = warps.and_then(|warps| warps.iter().position(Warp::can_run)) {
            return Ok(Some(from + next as u32));
        }
        self.retire_block_if_ended(block);
        self.check_deadlock(block)?;
        Ok(None)
    }

    /// The error of a warp when the limit of turns is reached.
    fn endless(&self, block: u32, warp_in_block: u32, limit: u64) -> KernelError {
        let pc = self.warp(block, warp_in_block).map_or(0, |warp| warp.pc);
        KernelError {
            kind: ErrorKind::Endless { limit },
            capability: self.launch.capability,
            sm: self.resident.get(block).map_or(0, |resident| resident.sm),
            block,
            warp_in_block,
            pc,
            word: self.program.fetch(pc).map_or(0, |fetched| fetched.word),
            address: None,
        }
    }
}
