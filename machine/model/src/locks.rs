//! The locks of words of shared memory, which G2R.LCK takes and R2G.UNL releases.

use crate::lanes::lanes_of;

/// A locked word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Index in its block of the warp that holds the lock.
    pub warp: u32,
    /// The lane that has locked the word.
    pub lane: u8,
    /// Byte address of the word in shared memory.
    pub address: u32,
}

/// The locks of a block, at most one of each warp.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    held: Vec<Lock>,
}

impl Locks {
    /// The locks, in the order in which they were taken.
    pub fn held(&self) -> &[Lock] {
        &self.held
    }

    /// The lane of a mask that gets a lock: the lowest one whose word is not locked, if the warp holds no lock.
    pub(crate) fn winner(&self, warp: u32, lanes: u32, addresses: &[u32; 32]) -> Option<usize> {
        if self.held.iter().any(|lock| lock.warp == warp) {
            return None;
        }
        lanes_of(lanes).find(|&lane| self.held.iter().all(|lock| lock.address != addresses[lane]))
    }

    /// Locks the word at `address` for a lane of a warp.
    pub(crate) fn lock(&mut self, warp: u32, lane: usize, address: u32) {
        self.held.push(Lock {
            warp,
            lane: lane as u8,
            address,
        });
    }

    /// Unlocks the word at `address` if `warp` has locked it.
    pub(crate) fn unlock(&mut self, warp: u32, address: u32) {
        self.held.retain(|lock| (lock.warp, lock.address) != (warp, address));
    }

    /// Releases the locks of the warps for which `ended` holds.
    pub(crate) fn release(&mut self, ended: impl Fn(u32) -> bool) {
        self.held.retain(|lock| !ended(lock.warp));
    }
}
