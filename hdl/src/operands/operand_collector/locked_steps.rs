//! Accesses under a lock: G2R.LCK and R2G.UNL, from capability 1.2 on.
//!
//! A step serves one word, the leader's, and accesses the word's lock with the banks, in b. The steps' leaders are in
//! thread order, so the first step whose word is not locked has the lowest thread that can get a lock. Once the warp
//! holds it, no thread waits. With 8 lanes, only the phase with the leader accesses the lock.

use super::{LockStep, OperandCollector};
use crate::bundles::is_locked;
use crate::memory::locks::LockAccess;
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// True if a warp holds a lock, but not while a release is in b or c, which may be the warp's: the warp's next
    /// G2R.LCK in h must then try. Stage c decides.
    #[hdl_part]
    pub(super) fn holds_lock(&self, warp: Bits<5>) -> Bit {
        let access = self.b_lock[0].q.val().access;
        let releases = self.b.q.val().valid && access.valid && access.releases;
        !releases && self.locks[0].holding.val().get_bit(warp.index())
    }

    /// Connects the locks with their neighbours.
    #[hdl_part]
    pub(super) fn connect_locks(&mut self) {
        self.locks[0].clear.next = self.c_clear.val();
        self.locks[0].init.next = self.shared_init[0].val();
        self.locks[0].ended.next = self.ended[0].val();
        self.locks[0].issues.next = self.collect.holds.val() && is_locked(self.collect.issued.val().decoded.indexing);
        self.locks[0].warp.next = self.lock_warp[0].val();
        self.lock_winner[0].next = self.locks[0].winner.val();
        self.c_locking[0].next = self.locks[0].busy.val();
    }

    /// Accesses the lock of the step in b, and moves the next one from h to b.
    #[hdl_part]
    pub(super) fn access_locks(&mut self, b_proceeds: Bit, h_proceeds: Bit, h_done: Bit) {
        let step = self.b_lock[0].q.val();
        self.locks[0].access.next = LockAccess { valid: b_proceeds && step.access.valid, ..step.access };
        self.locks[0].first.next = b_proceeds && step.first;
        self.locks[0].last.next = b_proceeds && step.last;

        let h = self.h.q.val();
        let instruction = self.placed.read_data.val();
        let indexing = instruction.indexing;
        let served = self.select.served.val();
        let lower = served.low::<8>().any();
        let has_leader = if LANES != 8 {
            served.any()
        } else if h.odd {
            !lower && served.any()
        } else {
            lower
        };
        let thread: Bits<4> = served.lowest_set().one_hot_index();
        let leader = self.select.leader.val();
        let row = self.shared_row.read_data.val() + leader.bits::<8>(6);
        let locks = is_locked(indexing);
        if h_proceeds {
            self.b_lock[0].d.next = LockStep {
                access: LockAccess {
                    valid: locks && has_leader,
                    releases: indexing.scatters,
                    warp: instruction.warp,
                    thread: h.upper.fill::<1>().concat(thread),
                    word: row.concat(leader.bits::<4>(2)),
                },
                first: locks && indexing.gathers && h.first && !h.upper,
                last: locks && indexing.gathers && h_done && h.upper,
            };
        }
    }
}
