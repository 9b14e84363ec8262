//! A block: its warps, its shared memory and its barriers.

use crate::barrier::{Barrier, BarrierUse};
use crate::locks::Locks;
use crate::memory::Memory;
use crate::warp::{Waiting, Warp};
use flexgrip_machine::sizes::BARRIERS;
use flexgrip_machine::sizes::PARAMETERS_AT;
use flexgrip_machine::BarrierEffect;
use flexgrip_machine::Launch;

/// A running block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The block's own memory: header, parameters, then the kernel's data.
    pub shared: Memory,
    /// The warps by index in the block.
    pub warps: Vec<Warp>,
    /// The barriers by number.
    pub barriers: [Barrier; BARRIERS],
    /// The locked words of shared memory.
    pub locks: Locks,
}

impl Block {
    /// Block `index` (`ctaid.x + ctaid.y * nctaid.x`) of a checked launch, at its entry.
    pub fn new(launch: &Launch, index: u32) -> Self {
        let ctaid = [index % launch.grid[0], index / launch.grid[0]];
        // The shared size, dimensions and parameters of a checked launch fit; for an unchecked one, values that do not
        // fit are not written.
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
            barriers: [Barrier::default(); BARRIERS],
            locks: Locks::default(),
        }
    }

    /// True if all warps have ended.
    pub fn ended(&self) -> bool {
        self.warps.iter().all(|warp| warp.ended)
    }

    /// The number of warps that have not ended.
    fn running(&self) -> u32 {
        self.warps.iter().filter(|warp| !warp.ended).count() as u32
    }

    /// Releases the warps that wait at barrier `number`.
    fn go_on(&mut self, number: usize) {
        for warp in &mut self.warps {
            if warp
                .waiting
                .is_some_and(|waiting| usize::from(waiting.barrier) == number)
            {
                warp.waiting = None;
            }
        }
    }

    /// Executes the BAR of warp `warp` at byte address `pc`.
    pub(crate) fn barrier(&mut self, warp: usize, bar: BarrierUse, pc: u32) -> BarrierEffect {
        let running = self.running();
        let number = usize::from(bar.barrier) % BARRIERS;
        let opens = bar.arrive && self.barriers[number].arrive(bar.threads, running);
        if opens {
            self.go_on(number);
        }
        let waits = bar.wait && !opens;
        if let Some(warp) = self.warps.get_mut(warp).filter(|_| waits) {
            let barrier = number as u8;
            warp.waiting = Some(Waiting { barrier, pc });
        }
        BarrierEffect {
            barrier: number as u8,
            arrives: bar.arrive,
            waits: bar.wait,
        }
    }

    /// Records that a warp has ended: barriers at which all the others have arrived open, and its lock is released.
    pub(crate) fn warp_ended(&mut self) {
        let warps = &self.warps;
        self.locks
            .release(|warp| warps.get(warp as usize).is_some_and(|warp| warp.ended));
        let running = self.running();
        for number in 0..BARRIERS {
            if self.barriers[number].warp_ended(running) {
                self.go_on(number);
            }
        }
    }

    /// The lowest warp and the byte address of its BAR, if all warps that have not ended wait.
    pub(crate) fn deadlock(&self) -> Option<(u32, u32)> {
        if self.warps.iter().any(Warp::can_run) {
            return None;
        }
        let waiting = self.warps.iter().map(|warp| warp.waiting);
        (0..).zip(waiting).find_map(|(warp, waiting)| Some((warp, waiting?.pc)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_begins_with_header_and_parameters() {
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
