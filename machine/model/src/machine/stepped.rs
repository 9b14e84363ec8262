//! A run in single steps, for a debugger: the turns of [`Machine::run`], one at a time, with access to the whole
//! state between them.

use super::Machine;
use crate::block::Block;
use crate::memory::Memory;
use flexgrip_machine::{Configuration, KernelError, Launch, LaunchError, Retire};
use std::collections::VecDeque;

/// The state of a round of turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    /// The blocks of the round that are not done.
    blocks: VecDeque<u32>,
    /// The warp in the first of these blocks that has the next turn.
    pub(super) warp: u32,
}

impl Turn {
    /// The block and warp of the next turn; `None` if the grid has ended. The order is the order of
    /// `Machine::schedule`, which cannot stop between two turns.
    fn next(&mut self, machine: &mut Machine) -> Result<Option<(u32, u32)>, KernelError> {
        loop {
            let Some(&block) = self.blocks.front() else {
                machine.fill();
                if machine.resident.is_empty() {
                    return Ok(None);
                }
                self.blocks = machine.resident.indices().collect();
                continue;
            };
            if let Some(warp) = machine.next_in_round(block, self.warp)? {
                self.warp = warp;
                return Ok(Some((block, warp)));
            }
            self.blocks.pop_front();
            self.warp = 0;
        }
    }
}

/// A launch that runs one warp instruction at a time, in the order of [`Machine::run`].
#[derive(Clone, Debug)]
pub struct Stepped {
    pub(super) machine: Machine,
    pub(super) turn: Turn,
    /// The block and warp of the next turn, or the reason why no warp has one.
    pub(super) next: Result<Option<(u32, u32)>, KernelError>,
}

impl Stepped {
    /// Loads a launch; its first blocks are on their SMs.
    ///
    /// # Errors
    /// The errors of [`Machine::new`].
    pub fn new(launch: Launch, configuration: Configuration) -> Result<Self, LaunchError> {
        let mut stepped = Stepped {
            machine: Machine::new(launch, configuration)?,
            turn: Turn::default(),
            next: Ok(None),
        };
        stepped.look();
        Ok(stepped)
    }

    /// The machine, between two turns.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Attaches a checker for all further instructions: see [`Machine::check`].
    pub fn check(&mut self) {
        self.machine.check();
    }

    pub(super) fn look(&mut self) {
        self.next = self.turn.next(&mut self.machine);
    }

    /// The block, and the warp in it, that executes the next instruction; `None` if the grid has ended.
    ///
    /// # Errors
    /// The [`KernelError`] that has stopped the kernel.
    pub fn next(&self) -> Result<Option<(u32, u32)>, KernelError> {
        self.next
    }

    /// The error of a run that must not exceed this many warp instructions; `None` if it has ended, or failed.
    pub fn endless(&self, limit: u64) -> Option<KernelError> {
        let (block, warp) = self.next.ok()??;
        Some(self.machine.endless(block, warp, limit))
    }

    /// Executes the next instruction; `None` if the grid has ended.
    ///
    /// # Errors
    /// The [`KernelError`] that has stopped the kernel, or does so now.
    pub fn step(&mut self) -> Result<Option<Retire>, KernelError> {
        let Some((block, warp)) = self.next? else {
            return Ok(None);
        };
        let surroundings = self.machine.surroundings(block, warp);
        let record = self.machine.step_recorded(block, warp, surroundings);
        match record {
            Ok(record) => {
                self.turn.warp += 1;
                self.look();
                Ok(Some(record))
            }
            Err(error) => {
                self.next = Err(error);
                Err(error)
            }
        }
    }

    /// The blocks on the SMs, in order, with the SM and the first warp slot of each.
    pub fn resident(&self) -> impl Iterator<Item = (u32, u32, u32, &Block)> {
        let warps = self.machine.launch.block_warps();
        let resident = self.machine.resident.iter();
        resident.map(move |(index, resident)| (index, resident.sm, resident.slot * warps, &resident.block))
    }

    /// A block on an SM, to change its state.
    pub fn block_mut(&mut self, index: u32) -> Option<&mut Block> {
        self.machine.resident.get_mut(index).map(|resident| &mut resident.block)
    }

    /// Global memory, to change its contents.
    pub fn global_mut(&mut self) -> &mut Memory {
        &mut self.machine.global
    }

    /// The local memory of a thread, which belongs to its warp slot; `None` before the slot's first warp with local
    /// memory. It keeps the contents of the slot's last warp.
    pub fn local(&self, sm: u32, slot: u32, lane: u8) -> Option<&Memory> {
        self.machine.local.get(&(sm, slot))?.get(usize::from(lane))
    }

    /// The local memory of a thread, to change its contents; allocated if it is missing.
    pub fn local_mut(&mut self, sm: u32, slot: u32, lane: u8) -> Option<&mut Memory> {
        let bytes = self.machine.launch.local_bytes;
        let local = self.machine.local.entry((sm, slot));
        let threads = flexgrip_machine::sizes::WARP_THREADS as usize;
        local
            .or_insert_with(|| vec![Memory::new(bytes); threads])
            .get_mut(usize::from(lane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Machine;

    /// Two blocks of 40 threads: `MOV R1, 7` and `RET`, both long.
    fn launch() -> Launch {
        Launch {
            program: vec![0x1007_8005, 0x0000_0003, 0x3000_0003, 0x0000_0780],
            registers: 2,
            grid: [2, 1],
            block: [40, 1, 1],
            ..Launch::default()
        }
    }

    #[test]
    fn single_steps_are_the_turns_of_a_run() {
        let mut whole = Machine::new(launch(), Configuration::default()).unwrap();
        let mut expected = vec![];
        whole.run_observed(100, |record| expected.push(record.clone())).unwrap();
        let mut stepped = Stepped::new(launch(), Configuration::default()).unwrap();
        let mut found = vec![];
        while let Some(place) = stepped.next().unwrap() {
            let record = stepped.step().unwrap().unwrap();
            assert_eq!((record.block, record.warp_in_block), place);
            found.push(record);
        }
        assert_eq!(found, expected);
        assert_eq!(found.len(), 8);
        assert_eq!(stepped.machine().outcome(), whole.outcome());
        assert_eq!(stepped.step(), Ok(None), "nothing comes after the end");
    }

    #[test]
    fn error_is_reported_on_every_call() {
        let mut launch = launch();
        launch.program.truncate(2);
        let mut stepped = Stepped::new(launch, Configuration::default()).unwrap();
        let error = loop {
            if let Err(error) = stepped.step() {
                break error;
            }
        };
        assert_eq!(error.pc, 8);
        assert_eq!((stepped.step(), stepped.next()), (Err(error), Err(error)));
    }

    #[test]
    fn state_of_a_thread_can_be_changed() {
        let mut stepped = Stepped::new(launch(), Configuration::default()).unwrap();
        assert_eq!(stepped.resident().map(|(index, ..)| index).collect::<Vec<_>>(), [0, 1]);
        stepped.block_mut(1).unwrap().warps[0].registers[1][3] = 9;
        let (.., block) = stepped.resident().nth(1).unwrap();
        assert_eq!(block.warps[0].registers[1][3], 9);
        stepped.global_mut().write(8, 4, 5).unwrap();
        assert_eq!(stepped.machine().global().read(8, 4), Ok(5));
        assert!(stepped.block_mut(2).is_none() && stepped.local(0, 0, 0).is_none());
    }
}
