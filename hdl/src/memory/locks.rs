//! The locks of words of shared memory, from capability 1.2 on: G2R.LCK takes the lock of a word, R2G.UNL and the end
//! of a warp release it.
//!
//! ```text
//! cycle       b                            c
//!             access: its row of lock      decision: the row is written with the word's bit changed,
//!             bits is read                 unless initialisation uses the write port: then c waits
//! ```
//! A bit beside each word of shared memory says that the word is locked; a row has the bits of the 16 banks. A warp
//! holds at most one lock, so the word and the thread are kept for each warp. The initialisation of a block clears its
//! rows, like its words. The end of a warp is an access, too, to the word that the warp has locked.
//!
//! An access occupies c until it is decided, and the next one waits in b: it would read an old row. Accesses arrive in
//! issue order, and so do the ends of warps: an instruction that may end a warp does not issue while `busy`, nor a
//! G2R.LCK while such an instruction is in flight. So at most one end waits here.

use super::shared::SharedInit;
use crate::bundles::WarpSelect;
use crate::count::up_down;
use hdlkit::prelude::*;

/// An access to the lock of a word, by a step of the operand collector.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LockAccess {
    pub valid: Bit,
    /// R2G.UNL or the end of a warp, else G2R.LCK.
    pub releases: Bit,
    pub warp: Bits<5>,
    /// The lowest thread of the warp that accesses the word.
    pub thread: Bits<5>,
    /// Number of the word in the SM's shared memory: the bank in bits 3..0, the row in bits 11..4.
    pub word: Bits<12>,
}

/// The thread that got the lock in a warp's last G2R.LCK.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LockWinner {
    /// A thread got it.
    pub valid: Bit,
    pub thread: Bits<5>,
}

/// The locks of an SM's shared memory.
#[circuit]
pub struct SharedLocks {
    pub clock: Signal<In, Clock>,
    /// Start of a grid.
    pub clear: Signal<In, Bit>,
    pub init: Signal<In, SharedInit>,
    /// A G2R.LCK issues; its first step and its last step are in b, where a step may have no thread and no access.
    pub issues: Signal<In, Bit>,
    pub first: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    /// The access in b, never valid while `blocked`; its warp also belongs to `first`.
    pub access: Signal<In, LockAccess>,
    pub blocked: Signal<Out, Bit>,
    /// A warp ends.
    pub ended: Signal<In, WarpSelect>,
    /// A G2R.LCK or the end of a warp that holds a lock is in flight.
    pub busy: Signal<Out, Bit>,
    /// Warps that hold a lock; none while a release is in c.
    pub holding: Signal<Out, Bits<32>>,
    /// A warp, and the answer to its last G2R.LCK.
    pub warp: Signal<In, Bits<5>>,
    pub winner: Signal<Out, LockWinner>,

    #[blank(BlockRam::blank().collision_free())]
    locked: BlockRam<8, 16, 1>,
    held_word: LutRam<5, Bits<12>>,
    winners: LutRam<5, Bits<5>>,
    held: DFF<Bits<32>>,
    won: DFF<Bits<32>>,
    c: DFF<LockAccess>,
    ending: DFF<WarpSelect>,
    /// Number of G2R.LCKs that have issued and whose last step has not been in b.
    undecided: DFF<Bits<3>>,
}

impl Logic for SharedLocks {
    #[hdl_gen]
    fn update(&mut self) {
        let access = self.access.val();
        let c = self.c.q.val();
        let ending = self.ending.q.val();
        let held = self.held.q.val();
        let init = self.init.val();
        let decides = c.valid && !init.valid;
        // No row is read in the cycle in which initialisation may clear it.
        let ends = ending.valid && !c.valid && !init.valid;
        let held_word = self.held_word.read(if c.valid { c.warp } else { ending.warp });

        // Stage c: a G2R.LCK succeeds if the word is not locked and the warp holds no lock.
        let row = self.locked.read_data.val();
        let place = c.word.low::<4>().one_hot::<16>();
        let holds = held.get_bit(c.warp.index());
        let succeeds = decides && !c.releases && !holds && !(row & place).any();
        let releases = decides && c.releases && holds && held_word == c.word;
        let warp = c.warp.one_hot::<32>();
        self.held_word.write(succeeds, c.warp, c.word);
        self.winners.write(succeeds, c.warp, c.thread);
        self.held.d.next = (held | mask(succeeds, warp)) & !mask(releases, warp);
        let begins = mask(self.first.val(), access.warp.one_hot::<32>());
        self.won.d.next = (self.won.q.val() & !begins) | mask(succeeds, warp);
        if init.valid {
            self.locked.write(init.clear.into(), init.address.bits::<8>(6), bits(0));
        } else {
            let changed = if c.releases { row & !place } else { row | place };
            self.locked.write((succeeds || releases).into(), c.word.bits::<8>(4), changed);
        }

        // Stage b: the next access, or the end of a warp.
        let read_row = if ends { held_word.bits::<8>(4) } else { access.word.bits::<8>(4) };
        self.locked.fetch(ends || access.valid, read_row);
        if ends {
            self.c.d.next =
                LockAccess { valid: true, releases: true, warp: ending.warp, thread: bits(0), word: held_word };
        } else if access.valid {
            self.c.d.next = access;
        } else if decides {
            self.c.d.next.valid = false;
        }
        let ended = self.ended.val();
        if ended.valid && held.get_bit(ended.warp.index()) {
            self.ending.d.next = ended;
        } else if ends {
            self.ending.d.next.valid = false;
        }
        self.undecided.d.next = up_down::<3>(self.undecided.q.val(), self.issues.val(), self.last.val());
        self.blocked.next = c.valid || ending.valid;
        self.busy.next = self.undecided.q.val().any() || c.valid || ending.valid;

        self.holding.next = mask(!(c.valid && c.releases), held);
        let asked = self.warp.val();
        self.winner.next =
            LockWinner { valid: self.won.q.val().get_bit(asked.index()), thread: self.winners.read(asked) };
        if self.clear.val() {
            self.held.d.next = 0.into();
            self.c.d.next.valid = false;
            self.ending.d.next.valid = false;
            self.undecided.d.next = 0.into();
        }
    }
}
