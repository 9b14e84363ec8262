//! A block: its warps and its shared memory.

use crate::launch::Launch;
use crate::memory::{Memory, PARAMETERS_AT};
use crate::warp::Warp;

/// The threads that a BAR names when it means all of the block.
const ALL_THREADS: u16 = 0xfff;

/// A BAR that a warp has executed and that its block has not yet taken note of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub barrier: u8,
    pub threads: u16,
    pub arrives: bool,
    pub waits: bool,
    /// Byte address of the BAR.
    pub pc: u32,
}

/// Where a warp waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The barrier, 0 to 15.
    pub barrier: u8,
    /// Byte address of the BAR.
    pub pc: u32,
}

/// One of a block's barriers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Barrier {
    /// Arrivals since it last opened.
    count: u32,
    /// The latest of them was for all of the block.
    for_all: bool,
}

/// One block that runs.
#[derive(Clone, Debug)]
pub struct Block {
    /// The block's own memory: header, parameters, then what the kernel puts there.
    pub shared: Memory,
    /// By index in the block.
    pub warps: Vec<Warp>,
    pub(crate) barriers: [Barrier; 16],
}

impl Block {
    /// Block `index` (`ctaid.x + ctaid.y * nctaid.x`) of a checked launch, at its entry.
    pub(crate) fn new(launch: &Launch, index: u32) -> Self {
        let ctaid = [index % launch.grid[0], index / launch.grid[0]];
        // A checked launch's shared size, dimensions and parameters fit; what does not is not written.
        let mut shared = Memory::new(u32::try_from(launch.block_shared_bytes()).unwrap_or(0));
        let [nx, ny, nz] = launch.block;
        let header = [0, nx, ny, nz, launch.grid[0], launch.grid[1], ctaid[0], ctaid[1]];
        let words: Vec<u32> = header.chunks(2).map(|pair| pair[0] & 0xffff | pair[1] << 16).collect();
        debug_assert_eq!(words.len() * 4, PARAMETERS_AT as usize);
        let fits = shared
            .load(0, &words)
            .and_then(|()| shared.load(PARAMETERS_AT, &launch.params));
        debug_assert_eq!(fits, Ok(()));
        let warps = (0..launch.block_warps())
            .map(|warp| Warp::new(warp, launch.block, launch.registers, launch.entry))
            .collect();
        Block {
            shared,
            warps,
            barriers: Default::default(),
        }
    }

    fn live_warps(&self) -> u32 {
        self.warps.iter().map(|warp| u32::from(!warp.ended)).sum()
    }

    fn open(&mut self, barrier: u8) {
        self.barriers[usize::from(barrier & 15)] = Barrier::default();
        for warp in &mut self.warps {
            if warp.waiting.is_some_and(|waiting| waiting.barrier == barrier) {
                warp.waiting = None;
            }
        }
    }

    /// Warp `index` executes a BAR.
    pub(crate) fn arrive(&mut self, index: usize, arrival: Arrival) {
        let Arrival { barrier, pc, .. } = arrival;
        if arrival.waits {
            if let Some(warp) = self.warps.get_mut(index) {
                warp.waiting = Some(Waiting { barrier, pc });
            }
        }
        if arrival.arrives {
            let for_all = arrival.threads == ALL_THREADS;
            let number = match for_all {
                true => self.live_warps(),
                false => u32::from(arrival.threads).div_ceil(32),
            };
            let state = &mut self.barriers[usize::from(barrier & 15)];
            state.count += 1;
            state.for_all = for_all;
            if state.count >= number {
                self.open(barrier);
            }
        }
    }

    /// A warp has ended: barriers for all of the block may open.
    pub(crate) fn warp_ended(&mut self) {
        let live = self.live_warps();
        for barrier in 0..16 {
            let Barrier { count, for_all } = self.barriers[usize::from(barrier)];
            if for_all && count >= live {
                self.open(barrier);
            }
        }
    }

    /// The lowest warp and where it waits, if all warps that have not ended wait.
    pub(crate) fn deadlock(&self) -> Option<(usize, Waiting)> {
        let mut live = self.warps.iter().enumerate().filter(|(_, warp)| !warp.ended);
        let (index, lowest) = live.next()?;
        let waiting = lowest.waiting?;
        live.all(|(_, warp)| warp.waiting.is_some()).then_some((index, waiting))
    }

    /// Whether all of its warps have ended.
    pub fn ended(&self) -> bool {
        self.warps.iter().all(|warp| warp.ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_begins_with_the_header_and_the_parameters() {
        let launch = Launch {
            grid: [3, 4],
            block: [33, 2, 1],
            params: vec![0x1234_5678, 9],
            shared_bytes: 100,
            ..Launch::default()
        };
        let block = Block::new(&launch, 7);
        let halves: Vec<_> = (0..8).map(|i| block.shared.read(2 * i, 2).unwrap()).collect();
        assert_eq!(halves, [0, 33, 2, 1, 3, 4, 1, 2]);
        assert_eq!(block.shared.read(16, 4), Ok(0x1234_5678));
        assert_eq!(block.shared.read(20, 4), Ok(9));
        assert_eq!(block.shared.read(24, 4), Ok(0));
        assert_eq!(block.shared.size(), 128);
        assert_eq!(block.warps.len(), 3);
        assert!(!block.ended());
    }
}
