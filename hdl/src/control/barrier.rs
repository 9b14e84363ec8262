//! The barrier unit: how many warps have arrived at each barrier of each block, and which are waiting there.
//!
//! ```text
//! cycle   s4 (issue)   a               b                                b+1
//!         BAR          the warp's      count, compare; release, or      released warps may be chosen
//!                      slot            wait; state written              by the scheduler from b+2 on
//! ended                live warps - 1  scan: an entry a cycle of those that are for all, if no BAR is in b
//! ```
//! The scheduler holds a warp from the issue of its BAR until this unit releases it; a warp that need not wait is
//! released at once. From the last arrival to the issue of a released warp takes eight cycles.
//!
//! Each of the 8 block slots has 16 barriers. An entry is valid while its bit in the slot's marks is set, and the marks
//! are valid while the slot is not `fresh`, so that a block begins without clearing anything. A block's live warps are
//! those that have not ended, whether or not they have begun.
//!
//! A BAR does not issue while it is undecided whether a warp ends, nor while a scan is due, so that arrivals and ends
//! count in issue order.
//!
//! When a warp ends, and when all live warps of a block wait, the block's slot is scanned: whole-block barriers whose
//! count now reaches the number of live warps open, the lowest first. A scan reads the slot's marks in one cycle; from
//! then on, in each cycle without a BAR in b, it picks a barrier and examines the one picked before. If all live warps
//! still wait after that, no arrival can come any more: deadlock. Then all issue stops (`bar_deadlock`), a search over
//! the warps finds the block's lowest one, which is also the one with the lowest warp number, and `bar_error` reports
//! it. Rules: `docs/machine.md`, "Barriers".

use crate::bundles::*;
use flexgrip_machine::code;
use hdlkit::prelude::*;

/// A BAR between issue and a.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IssuedBarrier {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub control: BarrierControl,
}

/// A BAR between a and b.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Arrival {
    pub valid: Bit,
    pub warp: Bits<5>,
    /// Block slot.
    pub slot: Bits<3>,
    pub control: BarrierControl,
}

/// One barrier of one block.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierEntry {
    /// Arrivals since it last opened. No BAR can name more than 128 warps, so it opens before the count exceeds that.
    pub count: Bits<7>,
    /// Warps waiting here, and their number.
    pub waiters: Bits<32>,
    pub waiting: Bits<6>,
}

/// Summary of a block's barriers.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierMarks {
    /// Barriers with arrivals or waiting warps: their entries are valid.
    pub used: Bits<16>,
    /// Barriers whose latest arrival was for all warps of the block.
    pub all: Bits<16>,
    /// Warps of the block that wait at any barrier.
    pub waiting: Bits<6>,
}

/// A scan in progress over a block's barriers.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierScan {
    pub valid: Bit,
    pub slot: Bits<3>,
    /// `left` is known.
    pub begun: Bit,
    /// Barriers still to pick.
    pub left: Bits<16>,
    /// Whether there is a barrier to examine, and which.
    pub picked: Bit,
    pub barrier: Bits<4>,
}

/// The search for a deadlocked block's lowest warp.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierSearch {
    pub valid: Bit,
    pub slot: Bits<3>,
    /// The warp being examined.
    pub warp: Bits<5>,
}

/// What happens at the barrier in stage b.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierOutcome {
    /// The barrier opens.
    pub opens: Bit,
    /// The arriving warp waits.
    pub waits: Bit,
    /// The barrier's entry and marks change.
    pub writes: Bit,
}

/// An entry as it is stored: waiters, then `waiting` above them, then `count`.
#[hdl_fn]
fn word_of(entry: BarrierEntry) -> Bits<45> {
    let numbers: Bits<13> = entry.count.concat(entry.waiting);
    let word: Bits<45> = numbers.concat(entry.waiters);
    word
}

/// The entry that is stored in a word.
#[hdl_fn]
fn entry_of(word: Bits<45>) -> BarrierEntry {
    BarrierEntry { count: word.bits::<7>(38), waiters: word.low::<32>(), waiting: word.bits::<6>(32) }
}

/// The scan in the next cycle. It waits while a BAR is in b. `armed` are the slot's barriers that may open when a warp
/// ends; `due` are the slots to scan.
#[hdl_fn]
fn scan_after(scan: BarrierScan, waits: Bit, armed: Bits<16>, due: Bits<8>) -> BarrierScan {
    let mut next = scan;
    if !scan.valid {
        if due.any() {
            next.valid = true;
            next.slot = due.lowest_set().one_hot_index::<3>();
            next.begun = false;
            next.picked = false;
        }
    } else if !waits {
        if scan.begun {
            let lowest = scan.left.lowest_set();
            next.valid = scan.picked || scan.left.any();
            next.left = scan.left & !lowest;
            next.picked = scan.left.any();
            next.barrier = lowest.one_hot_index::<4>();
        } else {
            next.begun = true;
            next.left = armed;
        }
    }
    next
}

/// The barrier unit of an SM.
#[circuit]
pub struct BarrierUnit {
    pub clock: Signal<In, Clock>,
    /// Start of a grid.
    pub bar_clear: Signal<In, Bit>,
    // A warp begins; with the first warp, a block. Not in a cycle in which a warp ends.
    pub bar_launch: Signal<In, Bit>,
    pub bar_launch_warp: Signal<In, WarpLaunch>,
    // A BAR issues.
    pub bar_issue: Signal<In, Bit>,
    pub bar_warp: Signal<In, Bits<5>>,
    pub bar_pc: Signal<In, Bits<24>>,
    pub bar_control: Signal<In, BarrierControl>,
    // A warp ends. Not in the two cycles after a BAR has issued: the branch unit takes longer, and has no work when a
    // BAR issues.
    pub bar_ended: Signal<In, Bit>,
    pub bar_ended_warp: Signal<In, Bits<5>>,
    /// A scan is due or in progress: a BAR must wait for its result.
    pub bar_busy: Signal<Out, Bit>,
    /// Pulse for statistics: a warp started to wait in the previous cycle.
    pub bar_waits: Signal<Out, Bit>,
    /// Some warp waits, for statistics.
    pub bar_held: Signal<Out, Bit>,
    /// Warps that continue after their BAR.
    pub bar_release: Signal<Out, Bits<32>>,
    /// All warps of a block wait. Nothing may issue any more.
    pub bar_deadlock: Signal<Out, Bit>,
    /// Code 9 with the block's lowest warp, up to 32 cycles later; code 0 until then.
    pub bar_error: Signal<Out, KernelError>,

    slots: LutRam2R<5, Bits<3>>,
    pcs: LutRam<5, Bits<24>>,
    live: LutRam2R<3, Bits<6>>,
    marks: LutRam<3, BarrierMarks>,
    /// By slot and barrier: [`BarrierEntry`]. Read a cycle before it is needed.
    entries: BlockRam<7, 45, 1>,
    /// The data written to the entry while it was being read, and whether there was such a write.
    written: DFF<BarrierEntry>,
    forwards: DFF<Bit>,
    a: DFF<IssuedBarrier>,
    b: DFF<Arrival>,
    fresh: DFF<Bits<8>>,
    /// Slots to scan.
    due: DFF<Bits<8>>,
    scan: DFF<BarrierScan>,
    held: DFF<Bits<32>>,
    releasing: DFF<Bits<32>>,
    search: DFF<BarrierSearch>,
    error: DFF<KernelError>,
    /// For statistics, which may be late.
    waited: DFF<Bit>,
}

impl BarrierUnit {
    /// A barrier unit without warps.
    pub fn new() -> Self {
        BarrierUnit { entries: BlockRam::new(128, vec![]).collision_free(), ..Blank::blank() }
    }
}

impl Logic for BarrierUnit {
    #[hdl_gen]
    fn update(&mut self) {
        let (begun, ended) = self.track_warps();
        let issued = self.a.q.val();
        let deadlock = self.search.q.val();
        let searches = deadlock.valid && !issued.valid;
        self.look_up_slot(issued, deadlock, searches);

        // Stage b: a BAR, or else the scan.
        let arrival = self.b.q.val();
        let scanning = self.scan.q.val();
        let (slot, barrier) =
            if arrival.valid { (arrival.slot, arrival.control.barrier) } else { (scanning.slot, scanning.barrier) };
        let block_marks = self.marks_of(slot);
        let entry = self.entry_at(block_marks, barrier);
        let armed = block_marks.used & block_marks.all;
        let next_scan = scan_after(scanning, arrival.valid, armed, self.due.q.val());
        self.scan.d.next = next_scan;
        let outcome = self.arrive(arrival, scanning, entry, armed.get_bit(barrier.index()));

        // All live warps of the block wait: some barrier may be complete.
        let all_wait = outcome.waits && block_marks.waiting + 1 == self.live.read_data_1.val();
        let starts = !scanning.valid && self.due.q.val().any();
        self.due.d.next = self.due.q.val() & !mask(starts, self.due.q.val().lowest_set())
            | ended
            | mask(all_wait, slot.one_hot::<8>());
        self.bar_busy.next = self.due.q.val().any() || scanning.valid;

        self.write_marks(arrival.control, slot, barrier, block_marks, entry, outcome);
        // A scan of the slot's last block may still be writing when the next one begins.
        self.fresh.d.next = self.fresh.q.val() & !mask(outcome.writes, slot.one_hot::<8>()) | begun;
        let place: Bits<7> = slot.concat(barrier);
        let next_entry = self.write_entry(arrival, place, entry, outcome);
        self.read_next_entry(issued, next_scan, place, next_entry, outcome.writes);

        self.release_and_hold(arrival, entry, outcome);
        let scan_ends = !arrival.valid && scanning.valid && !next_scan.valid;
        self.find_deadlock(slot, block_marks, scan_ends);
        self.find_deadlocked_warp(deadlock, searches);
        if self.bar_clear.val() {
            self.clear();
        }
    }
}

impl BarrierUnit {
    /// Warps begin and end. A slot's live warps include those that have not begun yet. The slot in which a block begins,
    /// and the one in which a warp ends.
    #[hdl_part]
    fn track_warps(&mut self) -> (Bits<8>, Bits<8>) {
        let launch = self.bar_launch_warp.val();
        self.slots.write_enable.next = self.bar_launch.val();
        self.slots.write_address.next = launch.warp;
        self.slots.write_data.next = launch.slot;
        let block_begins = self.bar_launch.val() && !launch.index.any();

        self.slots.read_address_2.next = self.bar_ended_warp.val();
        let ended_slot = self.slots.read_data_2.val();
        self.live.read_address_2.next = ended_slot;
        self.live.write_enable.next = self.bar_ended.val() || block_begins;
        let (slot, live) = if block_begins {
            (launch.slot, launch.block_warps)
        } else {
            (ended_slot, self.live.read_data_2.val() - 1)
        };
        self.live.write_address.next = slot;
        self.live.write_data.next = live;
        let begun = mask(block_begins, launch.slot.one_hot::<8>());
        let ended = mask(self.bar_ended.val(), ended_slot.one_hot::<8>());
        (begun, ended)
    }

    /// Stage a: the warp's slot. After a deadlock nothing issues, and the search uses the same port. The scheduler's
    /// outputs go into a register first, so that they drive little logic.
    #[hdl_part]
    fn look_up_slot(&mut self, issued: IssuedBarrier, deadlock: BarrierSearch, searches: Bit) {
        self.a.d.next = IssuedBarrier {
            valid: self.bar_issue.val(),
            warp: self.bar_warp.val(),
            pc: self.bar_pc.val(),
            control: self.bar_control.val(),
        };
        self.slots.read_address_1.next = if searches { deadlock.warp } else { issued.warp };
        self.pcs.read_address.next = deadlock.warp;
        self.pcs.write_enable.next = issued.valid;
        self.pcs.write_address.next = issued.warp;
        self.pcs.write_data.next = issued.pc;
        self.b.d.next = Arrival {
            valid: issued.valid,
            warp: issued.warp,
            slot: self.slots.read_data_1.val(),
            control: issued.control,
        };
    }

    /// Stage b: the marks of a slot; none is set if its block has just begun. Its live warps are read, too.
    #[hdl_part]
    fn marks_of(&mut self, slot: Bits<3>) -> BarrierMarks {
        self.marks.read_address.next = slot;
        self.live.read_address_1.next = slot;
        if self.fresh.q.val().get_bit(slot.index()) {
            BarrierMarks::default()
        } else {
            self.marks.read_data.val()
        }
    }

    /// Stage b: the barrier's entry, which was read in the cycle before.
    #[hdl_part]
    fn entry_at(&mut self, block_marks: BarrierMarks, barrier: Bits<4>) -> BarrierEntry {
        if !block_marks.used.get_bit(barrier.index()) {
            BarrierEntry::default()
        } else if self.forwards.q.val() {
            self.written.q.val()
        } else {
            entry_of(self.entries.read_data.val())
        }
    }

    /// Arrivals, waits and openings. A barrier is for the whole block (0xfff), or for a
    /// number of threads, counted in warps. It opens when the last of them arrives, or when the scan finds that the
    /// missing ones have ended; `armed` is whether the scan may open it.
    #[hdl_part]
    fn arrive(&mut self, arrival: Arrival, scanning: BarrierScan, entry: BarrierEntry, armed: Bit) -> BarrierOutcome {
        let live = self.live.read_data_1.val().resize::<8>();
        let count = entry.count.resize::<8>();
        let threads_rounded = arrival.control.threads.resize::<13>() + 31;
        let number = if arrival.control.threads.all() { live } else { threads_rounded.bits::<8>(5) };
        // This arrival is the last: the count is compared with the total less one, which is known earlier than the count
        // plus one.
        let is_last = arrival.control.arrives && (!number.any() || count >= number - 1);
        let examines = scanning.valid && scanning.begun && scanning.picked;
        let opens = if arrival.valid { is_last } else { examines && armed && count >= live };
        BarrierOutcome {
            opens,
            waits: arrival.valid && arrival.control.waits && !opens,
            writes: if arrival.valid { arrival.control.arrives || arrival.control.waits } else { opens },
        }
    }

    /// The slot's marks after an arrival or an opening.
    #[hdl_part]
    fn write_marks(
        &mut self,
        control: BarrierControl,
        slot: Bits<3>,
        barrier: Bits<4>,
        block_marks: BarrierMarks,
        entry: BarrierEntry,
        outcome: BarrierOutcome,
    ) {
        let this = barrier.one_hot::<16>();
        let mut next = block_marks;
        if outcome.opens {
            next.used = block_marks.used & !this;
            next.all = block_marks.all & !this;
            next.waiting = block_marks.waiting - entry.waiting;
        } else {
            next.used = block_marks.used | this;
            if control.arrives && control.threads.all() {
                next.all = block_marks.all | this;
            } else if control.arrives {
                next.all = block_marks.all & !this;
            }
            if outcome.waits {
                next.waiting = block_marks.waiting + 1;
            }
        }
        self.marks.write_enable.next = outcome.writes;
        self.marks.write_address.next = slot;
        self.marks.write_data.next = next;
    }

    /// The barrier's entry after an arrival. One that opens keeps its entry, which is no longer valid.
    #[hdl_part]
    fn write_entry(
        &mut self,
        arrival: Arrival,
        place: Bits<7>,
        entry: BarrierEntry,
        outcome: BarrierOutcome,
    ) -> BarrierEntry {
        let mut next = entry;
        if !outcome.opens && arrival.valid && arrival.control.arrives {
            next.count = entry.count + 1;
        }
        if outcome.waits {
            next.waiters = entry.waiters | arrival.warp.one_hot::<32>();
            next.waiting = entry.waiting + 1;
        }
        self.entries.write_enable.next = outcome.writes.into();
        self.entries.write_address.next = place;
        self.entries.write_data.next = word_of(next);
        next
    }

    /// Reads the entry that stage b needs in the next cycle.
    #[hdl_part]
    fn read_next_entry(
        &mut self,
        issued: IssuedBarrier,
        next_scan: BarrierScan,
        place: Bits<7>,
        entry: BarrierEntry,
        writes: Bit,
    ) {
        let next_place: Bits<7> = if issued.valid {
            self.slots.read_data_1.val().concat(issued.control.barrier)
        } else {
            next_scan.slot.concat(next_scan.barrier)
        };
        self.entries.read_enable.next = true;
        self.entries.read_address.next = next_place;
        self.forwards.d.next = writes && next_place == place;
        self.written.d.next = entry;
    }

    /// The warps that continue, and those that wait.
    #[hdl_part]
    fn release_and_hold(&mut self, arrival: Arrival, entry: BarrierEntry, outcome: BarrierOutcome) {
        let warp = arrival.warp.one_hot::<32>();
        let released = mask(arrival.valid && !outcome.waits, warp) | mask(outcome.opens, entry.waiters);
        self.releasing.d.next = released;
        self.bar_release.next = self.releasing.q.val();
        self.held.d.next = (self.held.q.val() | mask(outcome.waits, warp)) & !released;
        self.bar_held.next = self.held.q.val().any();
        self.waited.d.next = outcome.waits;
        self.bar_waits.next = self.waited.q.val();
    }

    /// Deadlock: all live warps still wait at the end of a scan. If something has changed since the scan began, the next
    /// scan decides.
    #[hdl_part]
    fn find_deadlock(&mut self, slot: Bits<3>, block_marks: BarrierMarks, scan_ends: Bit) {
        let live = self.live.read_data_1.val();
        let stuck = scan_ends && !self.due.q.val().get_bit(slot.index()) && live.any() && block_marks.waiting == live;
        if stuck && !self.search.q.val().valid {
            self.search.d.next = BarrierSearch { valid: true, slot, warp: 0.into() };
        }
        self.bar_deadlock.next = self.search.q.val().valid;
    }

    /// The lowest waiting warp of the deadlocked block's slot is the block's lowest.
    #[hdl_part]
    fn find_deadlocked_warp(&mut self, deadlock: BarrierSearch, searches: Bit) {
        let found = searches
            && self.slots.read_data_1.val() == deadlock.slot
            && self.held.q.val().get_bit(deadlock.warp.index());
        if searches && !found {
            self.search.d.next.warp = deadlock.warp + 1;
        }
        if found {
            self.error.d.next = KernelError {
                code: bits(code::BARRIER_DEADLOCK as u64),
                warp: deadlock.warp,
                pc: self.pcs.read_data.val(),
                address: 0.into(),
            };
        }
        self.bar_error.next = self.error.q.val();
    }

    /// Empties the unit for a new grid.
    #[hdl_part]
    fn clear(&mut self) {
        self.a.d.next.valid = false;
        self.b.d.next.valid = false;
        self.fresh.d.next = 0xff.into();
        self.due.d.next = 0.into();
        self.scan.d.next = BarrierScan::default();
        self.held.d.next = 0.into();
        self.releasing.d.next = 0.into();
        self.search.d.next = BarrierSearch::default();
        self.error.d.next = KernelError::default();
        self.waited.d.next = false;
    }
}
