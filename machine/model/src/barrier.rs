//! The barriers of a block, where its warps wait for each other.
//!
//! The rules are defined by the machine's contract (`docs/machine.md`, "Barriers"). A barrier only counts arrivals; the
//! state of waiting is in the warps, and [`crate::Block`] combines the two.

use flexgrip_machine::sizes::WARP_THREADS;

/// The thread count of a BAR for the whole block.
const ALL: u16 = 0xfff;

/// The request of a BAR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BarrierUse {
    /// The barrier, 0 to 15.
    pub barrier: u8,
    /// The number of participating threads; 0xfff: the whole block.
    pub threads: u16,
    /// True if the warp arrives.
    pub arrive: bool,
    /// True if the warp waits after that.
    pub wait: bool,
}

/// A barrier of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Barrier {
    arrivals: u32,
    /// True if the last arrival was by a BAR for the whole block.
    for_all: bool,
}

impl Barrier {
    /// Arrivals since the barrier last opened.
    pub fn arrivals(&self) -> u32 {
        self.arrivals
    }

    /// Counts the arrival of a warp, by a BAR for `threads` threads; `running` warps of the block have not ended.
    /// Returns true if the barrier opens, which resets it.
    pub(crate) fn arrive(&mut self, threads: u16, running: u32) -> bool {
        self.for_all = threads == ALL;
        self.arrivals += 1;
        let needed = if self.for_all {
            running
        } else {
            u32::from(threads).div_ceil(WARP_THREADS)
        };
        self.open_at(needed)
    }

    /// Records that a warp of the block has ended, which leaves `running`. Returns true if the barrier opens, which
    /// resets it.
    pub(crate) fn warp_ended(&mut self, running: u32) -> bool {
        self.for_all && self.open_at(running)
    }

    fn open_at(&mut self, needed: u32) -> bool {
        let opens = self.arrivals >= needed;
        if opens {
            *self = Barrier::default();
        }
        opens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barrier_opens_at_the_thread_count_in_warps() {
        let mut barrier = Barrier::default();
        for threads in [33, 64] {
            assert!(!barrier.arrive(threads, 9));
            assert_eq!(barrier.arrivals(), 1);
            assert!(barrier.arrive(threads, 9));
            assert_eq!(barrier, Barrier::default());
        }
        assert!(barrier.arrive(32, 9) && barrier.arrive(1, 9) && barrier.arrive(0, 9));
        for _ in 1..128 {
            assert!(!barrier.arrive(0xffe, 9), "4094 threads are 128 warps");
        }
        assert!(barrier.arrive(0xffe, 9));
    }

    #[test]
    fn barrier_for_all_opens_when_a_warp_ends() {
        let mut barrier = Barrier::default();
        assert!(!barrier.warp_ended(3), "nothing has arrived");
        assert!(!barrier.arrive(0xfff, 3));
        assert!(!barrier.warp_ended(2));
        assert!(barrier.warp_ended(1));
        assert!(!barrier.arrive(64, 3));
        assert!(!barrier.warp_ended(1), "a number stays as it is");
    }
}
