//! The barriers of a block, where its warps wait for each other.
//!
//! The rules are those of the machine's contract (`docs/machine.md`, "Barriers"). A barrier only counts arrivals; the
//! warps know whether they wait, and [`crate::Block`] combines the two.

use flexgrip_machine::sizes::WARP_THREADS;

/// A BAR's thread count that means the whole block.
const ALL: u16 = 0xfff;

/// The request of a BAR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BarrierUse {
    /// Which barrier, 0 to 15.
    pub barrier: u8,
    /// The number of participating threads; 0xfff: the whole block.
    pub threads: u16,
    /// The warp arrives.
    pub arrive: bool,
    /// It waits after that.
    pub wait: bool,
}

/// One barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Barrier {
    arrivals: u32,
    /// The last arrival came from a BAR for the whole block.
    for_all: bool,
}

impl Barrier {
    /// Arrivals since it last opened.
    pub fn arrivals(&self) -> u32 {
        self.arrivals
    }

    /// A warp arrives, by a BAR for `threads` threads; `running` warps of the block have not ended. Returns whether the
    /// barrier opens, which resets it.
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

    /// A warp of the block has ended, which leaves `running`. Returns whether the barrier opens, which resets it.
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
    fn it_opens_when_the_count_reaches_the_number_in_warps() {
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
    fn one_for_all_also_opens_when_a_warp_ends() {
        let mut barrier = Barrier::default();
        assert!(!barrier.warp_ended(3), "nothing has arrived");
        assert!(!barrier.arrive(0xfff, 3));
        assert!(!barrier.warp_ended(2));
        assert!(barrier.warp_ended(1));
        assert!(!barrier.arrive(64, 3));
        assert!(!barrier.warp_ended(1), "a number stays as it is");
    }
}
