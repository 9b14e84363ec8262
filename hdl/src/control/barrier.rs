//! The barrier unit synchronises the warps of a block: it counts arrivals at each barrier, and holds the waiting warps
//! until the barrier opens.
//!
//! ```text
//! cycle   s4 (issue)      a             b                              b+1
//!         BAR             the warp's    count, compare; release, or    `bar_release`: these warps may be
//!                         slot          wait; state written            chosen in s0 from b+2 onward
//!
//! cycle   t               t+1           t+2           t+3               t+4 ..
//!         a warp ends:    scan is due   read marks    pick a barrier    examine it, pick the next
//!         remaining - 1
//! ```
//! The scheduler holds a warp from the issue of its BAR until this unit releases it; a warp that need not wait is
//! released at once. From the last arrival to the issue of a released warp takes eight cycles.
//!
//! Each of the 8 block slots has 16 barriers. A barrier's entry is valid while its `used` bit in the slot's marks is
//! set. The marks are invalid from the start of a block to their first write (`fresh`), so a block begins without
//! clearing anything. A block's remaining warps are all that have not ended, including warps that have not begun.
//!
//! A BAR does not issue while the branch unit may still end a warp, or while a scan is due or in progress: arrivals and
//! ends count in issue order.
//!
//! When a warp ends, and when all remaining warps of a block wait, the block's slot is scanned: whole-block barriers
//! whose count now reaches the number of remaining warps open, the lowest first. A scan reads the slot's marks in one
//! cycle; from then on, in each cycle without a BAR in b, it picks a barrier and examines the one picked before. If all
//! remaining warps still wait after the scan, no further warp can arrive: a deadlock. Then all issue stops
//! (`bar_deadlock`), a search over the warps in order of their numbers finds the lowest remaining warp of the block,
//! and `bar_error` reports it. Rules: `docs/machine.md`, "Barriers".

use crate::bundles::*;
use flexgrip_machine::code;
use hdlkit::prelude::*;

/// Pipeline register between s4 and a: a BAR.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IssuedBarrier {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub control: BarrierControl,
}

/// Pipeline register between a and b: a BAR.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Arrival {
    pub valid: Bit,
    pub warp: Bits<5>,
    /// The slot of the warp's block.
    pub slot: Bits<3>,
    pub control: BarrierControl,
}

/// One barrier of one block.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierEntry {
    /// Mask of the warps that wait here, and their number.
    pub waiters: Bits<32>,
    pub waiting: Bits<6>,
    /// Arrivals since the barrier last opened. A BAR names at most 128 warps, so the barrier opens before the count
    /// reaches 128.
    pub count: Bits<7>,
}

/// Summary of a block's barriers.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierMarks {
    /// Barriers with arrivals or waiting warps: their entries are valid.
    pub used: Bits<16>,
    /// Barriers whose latest arrival was for the whole block.
    pub all: Bits<16>,
    /// Number of warps of the block that wait at any barrier.
    pub waiting: Bits<6>,
}

/// A scan in progress over a block's barriers.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierScan {
    pub valid: Bit,
    pub slot: Bits<3>,
    /// True if `left` is valid.
    pub begun: Bit,
    /// Barriers still to pick.
    pub left: Bits<16>,
    /// True if there is a barrier to examine; its number.
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

/// The barrier in stage b, of a BAR or of a scan.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ExaminedBarrier {
    pub slot: Bits<3>,
    pub barrier: Bits<4>,
    pub entry: BarrierEntry,
    /// The marks of the block.
    pub marks: BarrierMarks,
}

/// The outcome at the barrier in stage b.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierOutcome {
    /// The barrier opens.
    pub opens: Bit,
    /// The arriving warp waits.
    pub waits: Bit,
    /// The barrier's entry and marks change.
    pub writes: Bit,
}

/// Returns the state of the scan in the next cycle. The scan pauses while a BAR is in b (`waits`). `armed` are the
/// slot's barriers that may open when a warp ends; `due` are the slots to scan.
#[hdl_fn]
fn scan_after(scan: BarrierScan, waits: Bit, armed: Bits<16>, due: Bits<8>) -> BarrierScan {
    let lowest = scan.left.lowest_set();
    if !scan.valid && due.any() {
        BarrierScan { valid: true, slot: due.lowest_set().one_hot_index::<3>(), begun: false, picked: false, ..scan }
    } else if !scan.valid || waits {
        scan
    } else if !scan.begun {
        BarrierScan { begun: true, left: armed, ..scan }
    } else {
        let picked = scan.left.any();
        let barrier = lowest.one_hot_index::<4>();
        BarrierScan { valid: scan.picked || picked, left: scan.left & !lowest, picked, barrier, ..scan }
    }
}

/// The barrier unit of an SM.
#[circuit]
pub struct BarrierUnit {
    pub clock: Signal<In, Clock>,
    /// Pulse: a grid starts.
    pub bar_clear: Signal<In, Bit>,
    /// A warp begins; with the first warp, its block begins. Never in a cycle in which a warp ends.
    pub begins: Signal<In, WarpBegin>,
    pub s_barrier: Signal<In, IssuedBarrier>,
    /// A warp ends. Never in the two cycles after the issue of a BAR: the branch unit is idle at that issue, and takes
    /// longer than two cycles.
    pub b_resolved: Signal<In, Resolved>,
    /// A scan is due or in progress: a BAR must wait for its result.
    pub bar_busy: Signal<Out, Bit>,
    /// Pulse for statistics: a warp started to wait in the previous cycle.
    pub bar_waits: Signal<Out, Bit>,
    /// True while at least one warp waits, for statistics.
    pub bar_waiting: Signal<Out, Bit>,
    /// Mask of the warps that continue after their BAR.
    pub bar_release: Signal<Out, Bits<32>>,
    /// Deadlock: all remaining warps of a block wait. From this cycle onward no instruction may issue.
    pub bar_deadlock: Signal<Out, Bit>,
    /// Code 9 with the block's lowest warp, up to 32 cycles later; code 0 until then.
    pub bar_error: Signal<Out, KernelError>,

    slots: LutRam2R<5, Bits<3>>,
    pcs: LutRam<5, Bits<24>>,
    remaining: LutRam2R<3, Bits<6>>,
    marks: LutRam<3, BarrierMarks>,
    /// Indexed by slot and barrier; read a cycle ahead.
    #[blank(BundleRam::blank().collision_free())]
    entries: BundleRam<7, BarrierEntry>,
    /// The data written to the entry in the cycle of its read; `forwards` is true if there was such a write.
    written: DFF<BarrierEntry>,
    forwards: DFF<Bit>,
    a: DFF<IssuedBarrier>,
    b: DFF<Arrival>,
    fresh: DFF<Bits<8>>,
    /// Mask of the slots that are still to be scanned.
    due: DFF<Bits<8>>,
    scan: DFF<BarrierScan>,
    /// Masks of the warps that wait and of the warps to release.
    waiters: DFF<Bits<32>>,
    releasing: DFF<Bits<32>>,
    search: DFF<BarrierSearch>,
    error: DFF<KernelError>,
    /// Delays `bar_waits` by a cycle: statistics may be late.
    waited: DFF<Bit>,
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
        let due = self.due.q.val();
        let examined = self.look_up_barrier(arrival, scanning);
        let armed = examined.marks.used & examined.marks.all;
        let next_scan = scan_after(scanning, arrival.valid, armed, due);
        self.scan.d.next = next_scan;
        let outcome = self.arrive(arrival, scanning, examined.entry, armed.get_bit(examined.barrier.index()));

        // All remaining warps of the block wait: a deadlock, unless the scan opens a barrier.
        let all_wait = outcome.waits && examined.marks.waiting + 1 == self.remaining.read_data_1.val();
        let scans = mask(!scanning.valid, due.lowest_set());
        let slot = examined.slot.one_hot::<8>();
        self.due.d.next = due & !scans | ended | mask(all_wait, slot);
        self.bar_busy.next = due.any() || scanning.valid;

        self.write_marks(arrival.control, examined, outcome);
        // A scan of the slot's previous block may still write when the next block begins.
        self.fresh.d.next = self.fresh.q.val() & !mask(outcome.writes, slot) | begun;
        let next_place: Bits<7> = if issued.valid {
            self.slots.read_data_1.val().concat(issued.control.barrier)
        } else {
            next_scan.slot.concat(next_scan.barrier)
        };
        self.write_entry(arrival, examined, outcome, next_place);

        self.release_and_hold(arrival, examined.entry, outcome);
        let scan_ends = !arrival.valid && scanning.valid && !next_scan.valid;
        self.find_deadlock(examined, scan_ends, deadlock, searches);
        if self.bar_clear.val() {
            self.clear();
        }
    }
}

impl BarrierUnit {
    /// Tracks the remaining warps of each block. Returns the slot in which a block begins and the slot in which a warp
    /// ends, both one-hot.
    #[hdl_part]
    fn track_warps(&mut self) -> (Bits<8>, Bits<8>) {
        let begins = self.begins.val();
        let launch = begins.launch;
        self.slots.write(begins.valid, launch.warp, launch.slot);
        let block_begins = begins.valid && !launch.index.any();

        let resolved = self.b_resolved.val();
        let warp_ends = resolved.valid && resolved.ended;
        let ended_slot = self.slots.read_2(resolved.warp);
        let remaining_less_1 = self.remaining.read_2(ended_slot) - 1;
        let (slot, remaining) =
            if block_begins { (launch.slot, launch.block_warps) } else { (ended_slot, remaining_less_1) };
        self.remaining.write(warp_ends || block_begins, slot, remaining);
        (mask(block_begins, launch.slot.one_hot::<8>()), mask(warp_ends, ended_slot.one_hot::<8>()))
    }

    /// Stage a looks up the warp's slot. After a deadlock no instruction issues, and the search uses the same port. The
    /// scheduler's outputs are registered first, so they drive little logic.
    #[hdl_part]
    fn look_up_slot(&mut self, issued: IssuedBarrier, deadlock: BarrierSearch, searches: Bit) {
        self.a.d.next = self.s_barrier.val();
        self.pcs.write(issued.valid, issued.warp, issued.pc);
        let slot = self.slots.read_1(if searches { deadlock.warp } else { issued.warp });
        self.b.d.next = Arrival { valid: issued.valid, warp: issued.warp, slot, control: issued.control };
    }

    /// Stage b selects the barrier of a BAR, or else of the scan. Its entry was read in the previous cycle. While the
    /// slot is fresh, no mark is set. Also reads the number of the block's remaining warps.
    #[hdl_part]
    fn look_up_barrier(&mut self, arrival: Arrival, scanning: BarrierScan) -> ExaminedBarrier {
        let (slot, barrier) =
            if arrival.valid { (arrival.slot, arrival.control.barrier) } else { (scanning.slot, scanning.barrier) };
        self.remaining.read_address_1.next = slot;
        let fresh = self.fresh.q.val().get_bit(slot.index());
        let stored = self.marks.read(slot);
        let marks = if fresh { BarrierMarks::default() } else { stored };
        let entry = if !marks.used.get_bit(barrier.index()) {
            BarrierEntry::default()
        } else if self.forwards.q.val() {
            self.written.q.val()
        } else {
            self.entries.read_data.val()
        };
        ExaminedBarrier { slot, barrier, entry, marks }
    }

    /// Decides if the barrier opens and if the arriving warp waits. A BAR names the whole block (0xfff) or a number of
    /// threads, rounded up to warps. The barrier opens when the last of these warps arrives, or when the scan finds
    /// that the missing warps have ended; the scan opens only an `armed` barrier.
    #[hdl_part]
    fn arrive(&mut self, arrival: Arrival, scanning: BarrierScan, entry: BarrierEntry, armed: Bit) -> BarrierOutcome {
        let control = arrival.control;
        let remaining = self.remaining.read_data_1.val().resize::<8>();
        let count = entry.count.resize::<8>();
        let threads_rounded = control.threads.resize::<13>() + 31;
        let number = if control.threads.all() { remaining } else { threads_rounded.bits::<8>(5) };
        // The count is compared with the number less one, which is known earlier than the count plus one.
        let is_last = control.arrives && (!number.any() || count >= number - 1);
        let examines = scanning.valid && scanning.begun && scanning.picked;
        let opens = if arrival.valid { is_last } else { examines && armed && count >= remaining };
        BarrierOutcome {
            opens,
            waits: arrival.valid && control.waits && !opens,
            writes: if arrival.valid { control.arrives || control.waits } else { opens },
        }
    }

    /// Writes the slot's marks after an arrival or an opening.
    #[hdl_part]
    fn write_marks(&mut self, control: BarrierControl, examined: ExaminedBarrier, outcome: BarrierOutcome) {
        let now = examined.marks;
        let this = examined.barrier.one_hot::<16>();
        let for_all = control.threads.all();
        let next = if outcome.opens {
            BarrierMarks { used: now.used & !this, all: now.all & !this, waiting: now.waiting - examined.entry.waiting }
        } else {
            BarrierMarks {
                used: now.used | this,
                all: now.all & !mask(control.arrives, this) | mask(control.arrives && for_all, this),
                waiting: if outcome.waits { now.waiting + 1 } else { now.waiting },
            }
        };
        self.marks.write(outcome.writes, examined.slot, next);
    }

    /// Writes the barrier's entry after an arrival; a barrier that opens keeps its entry, which becomes invalid. Also
    /// reads the entry at `next`, for stage b in the next cycle.
    #[hdl_part]
    fn write_entry(&mut self, arrival: Arrival, examined: ExaminedBarrier, outcome: BarrierOutcome, next: Bits<7>) {
        let mut entry = examined.entry;
        if !outcome.opens && arrival.valid && arrival.control.arrives {
            entry.count = examined.entry.count + 1;
        }
        if outcome.waits {
            entry.waiters = examined.entry.waiters | arrival.warp.one_hot::<32>();
            entry.waiting = examined.entry.waiting + 1;
        }
        let place: Bits<7> = examined.slot.concat(examined.barrier);
        self.entries.write(outcome.writes, place, entry);

        self.entries.fetch(true, next);
        self.written.d.next = entry;
        self.forwards.d.next = outcome.writes && next == place;
    }

    /// Updates the masks of the warps to release and of the waiting warps.
    #[hdl_part]
    fn release_and_hold(&mut self, arrival: Arrival, entry: BarrierEntry, outcome: BarrierOutcome) {
        let warp = arrival.warp.one_hot::<32>();
        let released = mask(arrival.valid && !outcome.waits, warp) | mask(outcome.opens, entry.waiters);
        self.releasing.d.next = released;
        self.bar_release.next = self.releasing.q.val();
        self.waiters.d.next = (self.waiters.q.val() | mask(outcome.waits, warp)) & !released;
        self.bar_waiting.next = self.waiters.q.val().any();
        self.waited.d.next = outcome.waits;
        self.bar_waits.next = self.waited.q.val();
    }

    /// Detects a deadlock: all remaining warps still wait at the end of a scan. If another scan of the slot is due by
    /// then, that one decides. All remaining warps wait, so the search looks for the lowest waiting warp of the slot.
    #[hdl_part]
    fn find_deadlock(&mut self, examined: ExaminedBarrier, scan_ends: Bit, deadlock: BarrierSearch, searches: Bit) {
        let slot = examined.slot;
        let remaining = self.remaining.read_data_1.val();
        let stuck = scan_ends
            && !self.due.q.val().get_bit(slot.index())
            && remaining.any()
            && examined.marks.waiting == remaining;
        if stuck && !deadlock.valid {
            self.search.d.next = BarrierSearch { valid: true, slot, warp: 0.into() };
        }
        self.bar_deadlock.next = deadlock.valid;

        let warp = deadlock.warp;
        let is_of_block = self.slots.read_data_1.val() == deadlock.slot;
        let found = searches && is_of_block && self.waiters.q.val().get_bit(warp.index());
        if searches && !found {
            self.search.d.next.warp = warp + 1;
        }
        let pc = self.pcs.read(warp);
        if found {
            let code = bits::<4>(code::BARRIER_DEADLOCK as u64);
            self.error.d.next = KernelError { code, warp, pc, address: 0.into() };
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
        self.waiters.d.next = 0.into();
        self.releasing.d.next = 0.into();
        self.search.d.next = BarrierSearch::default();
        self.error.d.next = KernelError::default();
        self.waited.d.next = false;
    }
}
