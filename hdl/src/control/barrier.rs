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

/// The barrier unit of an SM.
#[derive(LogicBlock, Cycle, Blank)]
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
    /// By slot and barrier: waiters, then `waiting` above them, then `count`. Read a cycle before it is needed.
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

    one_8: Constant<Bits<8>>,
    one_16: Constant<Bits<16>>,
    one_32: Constant<Bits<32>>,
    all_slots: Constant<Bits<8>>,
    no_scan: Constant<BarrierScan>,
    no_search: Constant<BarrierSearch>,
    no_error: Constant<KernelError>,
    codes: Constant<ErrorCodes>,
    no_marks: Constant<BarrierMarks>,
    no_entry: Constant<BarrierEntry>,
    launched: Signal<Local, WarpLaunch>,
    block_begins: Signal<Local, Bit>,
    begun: Signal<Local, Bits<8>>,
    looked_for: Signal<Local, BarrierSearch>,
    searched: Signal<Local, Bits<5>>,
    found: Signal<Local, Bit>,
    due_again: Signal<Local, Bits<8>>,
    stuck: Signal<Local, Bit>,
    ended_slot: Signal<Local, Bits<3>>,
    ended_due: Signal<Local, Bits<8>>,
    coming: Signal<Local, IssuedBarrier>,
    searching: Signal<Local, Bit>,
    arrival: Signal<Local, Arrival>,
    control: Signal<Local, BarrierControl>,
    scanning: Signal<Local, BarrierScan>,
    below: Signal<Local, Bits<16>>,
    lowest: Signal<Local, Bits<16>>,
    group: Signal<Local, Bits<16>>,
    lowest_number: Signal<Local, Bits<4>>,
    due_slot: Signal<Local, Bits<3>>,
    begun_bit: Signal<Local, Bits<8>>,
    slot: Signal<Local, Bits<3>>,
    slot_bit: Signal<Local, Bits<8>>,
    is_fresh: Signal<Local, Bits<8>>,
    barrier: Signal<Local, Bits<4>>,
    barrier_bit: Signal<Local, Bits<16>>,
    other_barriers: Signal<Local, Bits<16>>,
    place: Signal<Local, Bits<7>>,
    mark: Signal<Local, BarrierMarks>,
    used_here: Signal<Local, Bits<16>>,
    armed: Signal<Local, Bits<16>>,
    armed_here: Signal<Local, Bits<16>>,
    ahead_slot: Signal<Local, Bits<3>>,
    ahead_barrier: Signal<Local, Bits<4>>,
    ahead: Signal<Local, Bits<7>>,
    word: Signal<Local, Bits<45>>,
    waiters_bits: Signal<Local, Bits<45>>,
    waiting_bits: Signal<Local, Bits<45>>,
    count_bits: Signal<Local, Bits<45>>,
    entry: Signal<Local, BarrierEntry>,
    live_warps: Signal<Local, Bits<6>>,
    live_wide: Signal<Local, Bits<8>>,
    threads: Signal<Local, Bits<13>>,
    threads_rounded: Signal<Local, Bits<13>>,
    for_all: Signal<Local, Bit>,
    number: Signal<Local, Bits<8>>,
    all_but_one: Signal<Local, Bits<8>>,
    count: Signal<Local, Bits<8>>,
    warp_bit: Signal<Local, Bits<32>>,
    opens: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    all_wait: Signal<Local, Bit>,
    one_more: Signal<Local, Bits<6>>,
    new_entry: Signal<Local, BarrierEntry>,
    new_mark: Signal<Local, BarrierMarks>,
    next_scan: Signal<Local, BarrierScan>,
    writes: Signal<Local, Bit>,
    next_due: Signal<Local, Bits<8>>,
    next_fresh: Signal<Local, Bits<8>>,
    released: Signal<Local, Bits<32>>,
    joins: Signal<Local, Bits<32>>,
    next_held: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl BarrierUnit {
    /// A barrier unit without warps.
    pub fn new() -> Self {
        BarrierUnit {
            one_8: Constant::new(1.into()),
            one_16: Constant::new(1.into()),
            one_32: Constant::new(1.into()),
            all_slots: Constant::new(0xff.into()),
            entries: BlockRam::new(128, vec![]).collision_free(),
            ..Blank::blank()
        }
    }
}

impl Logic for BarrierUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, a, b, fresh, due, scan, held, releasing, search, error, waited, written, forwards);
        clock!(self, clock, slots, pcs, live, marks, entries);
        self.launched.next = self.bar_launch_warp.val();
        self.arrival.next = self.b.q.val();
        self.control.next = self.arrival.val().control;
        self.scanning.next = self.scan.q.val();
        self.looked_for.next = self.search.q.val();

        self.track_warps();
        self.take_issued();
        self.look_up_slot();
        self.advance_scan();
        self.look_up_barrier();
        self.arrive_and_wait();
        self.fetch_next_entry();
        self.write_state();
        self.find_deadlocked_warp();
        self.clear();
    }
}

impl BarrierUnit {
    /// Warps begin and end. A slot's live warps include those that have not begun yet.
    #[hdl_part]
    fn track_warps(&mut self) {
        self.slots.write_enable.next = self.bar_launch.val();
        self.slots.write_address.next = self.launched.val().warp;
        self.slots.write_data.next = self.launched.val().slot;
        self.block_begins.next = self.bar_launch.val() && !self.launched.val().index.any();
        self.begun.next = 0.into();
        if self.block_begins.val() {
            self.begun.next = self.one_8.val() << self.launched.val().slot;
        }
        self.slots.read_address_2.next = self.bar_ended_warp.val();
        self.ended_slot.next = self.slots.read_data_2.val();
        self.live.read_address_2.next = self.ended_slot.val();
        self.live.write_enable.next = self.bar_ended.val() || self.block_begins.val();
        self.live.write_address.next = self.ended_slot.val();
        self.live.write_data.next = self.live.read_data_2.val() - 1;
        if self.block_begins.val() {
            self.live.write_address.next = self.launched.val().slot;
            self.live.write_data.next = self.launched.val().block_warps;
        }
        self.ended_due.next = 0.into();
        if self.bar_ended.val() {
            self.ended_due.next = self.one_8.val() << self.ended_slot.val();
        }
    }

    /// Issue: into a register, so that the scheduler's outputs drive little logic.
    #[hdl_part]
    fn take_issued(&mut self) {
        self.a.d.next.valid = self.bar_issue.val();
        self.a.d.next.warp = self.bar_warp.val();
        self.a.d.next.pc = self.bar_pc.val();
        self.a.d.next.control = self.bar_control.val();
    }

    /// Stage a: the warp's slot. After a deadlock nothing issues, and the search uses the same port.
    #[hdl_part]
    fn look_up_slot(&mut self) {
        self.coming.next = self.a.q.val();
        self.searching.next = self.looked_for.val().valid && !self.coming.val().valid;
        self.slots.read_address_1.next = self.coming.val().warp;
        self.pcs.read_address.next = self.looked_for.val().warp;
        if self.searching.val() {
            self.slots.read_address_1.next = self.looked_for.val().warp;
        }
        self.pcs.write_enable.next = self.coming.val().valid;
        self.pcs.write_address.next = self.coming.val().warp;
        self.pcs.write_data.next = self.coming.val().pc;
        self.b.d.next.valid = self.coming.val().valid;
        self.b.d.next.warp = self.coming.val().warp;
        self.b.d.next.slot = self.slots.read_data_1.val();
        self.b.d.next.control = self.coming.val().control;
    }

    /// The scan's next barrier, and the next slot to scan.
    #[hdl_part]
    fn advance_scan(&mut self) {
        self.below.next = self.scanning.val().left - 1;
        self.lowest.next = self.scanning.val().left & !self.below.val();
        self.lowest_number.next = 0.into();
        self.group.next = self.lowest.val() & 0xaaaa;
        if self.group.val().any() {
            self.lowest_number.next = self.lowest_number.val() | 1;
        }
        self.group.next = self.lowest.val() & 0xcccc;
        if self.group.val().any() {
            self.lowest_number.next = self.lowest_number.val() | 2;
        }
        self.group.next = self.lowest.val() & 0xf0f0;
        if self.group.val().any() {
            self.lowest_number.next = self.lowest_number.val() | 4;
        }
        self.group.next = self.lowest.val() & 0xff00;
        if self.group.val().any() {
            self.lowest_number.next = self.lowest_number.val() | 8;
        }
        self.due_slot.next = 7.into();
        if self.due.q.val().get_bit(0) {
            self.due_slot.next = 0.into();
        } else if self.due.q.val().get_bit(1) {
            self.due_slot.next = 1.into();
        } else if self.due.q.val().get_bit(2) {
            self.due_slot.next = 2.into();
        } else if self.due.q.val().get_bit(3) {
            self.due_slot.next = 3.into();
        } else if self.due.q.val().get_bit(4) {
            self.due_slot.next = 4.into();
        } else if self.due.q.val().get_bit(5) {
            self.due_slot.next = 5.into();
        } else if self.due.q.val().get_bit(6) {
            self.due_slot.next = 6.into();
        }
    }

    /// Stage b: the barrier of a BAR or of the scan.
    #[hdl_part]
    fn look_up_barrier(&mut self) {
        self.slot.next = self.scanning.val().slot;
        self.barrier.next = self.scanning.val().barrier;
        if self.arrival.val().valid {
            self.barrier.next = self.control.val().barrier;
            self.slot.next = self.arrival.val().slot;
        }
        self.slot_bit.next = self.one_8.val() << self.slot.val();
        self.barrier_bit.next = self.one_16.val() << self.barrier.val();
        self.other_barriers.next = !self.barrier_bit.val();
        self.place.next = bit_cast::<7, 3>(self.slot.val()) << 4;
        self.place.next = self.place.val() | bit_cast::<7, 4>(self.barrier.val());
        self.marks.read_address.next = self.slot.val();
        self.live.read_address_1.next = self.slot.val();
        self.live_warps.next = self.live.read_data_1.val();
        self.live_wide.next = bit_cast::<8, 6>(self.live_warps.val());
        self.mark.next = self.marks.read_data.val();
        self.is_fresh.next = self.fresh.q.val() & self.slot_bit.val();
        if self.is_fresh.val().any() {
            self.mark.next = self.no_marks.val();
        }
        self.used_here.next = self.mark.val().used & self.barrier_bit.val();
        self.armed.next = self.mark.val().used & self.mark.val().all;
        self.armed_here.next = self.armed.val() & self.barrier_bit.val();
        self.word.next = self.entries.read_data.val();
        self.entry.next.waiters = self.word.val().get_bits::<32>(0);
        self.entry.next.waiting = self.word.val().get_bits::<6>(32);
        self.entry.next.count = self.word.val().get_bits::<7>(38);
        if self.forwards.q.val() {
            self.entry.next = self.written.q.val();
        }
        if !self.used_here.val().any() {
            self.entry.next = self.no_entry.val();
        }
    }

    /// Arrivals and waits. A barrier is for the whole block (0xfff), or for a number of threads, counted in warps. It
    /// opens when the last of them arrives, or when the scan finds that the missing ones have ended.
    #[hdl_part]
    fn arrive_and_wait(&mut self) {
        self.threads.next = bit_cast::<13, 12>(self.control.val().threads);
        self.threads_rounded.next = self.threads.val() + 31;
        self.for_all.next = self.control.val().threads.all();
        self.number.next = self.threads_rounded.val().get_bits::<8>(5);
        if self.for_all.val() {
            self.number.next = self.live_wide.val();
        }
        self.all_but_one.next = self.number.val() - 1;
        self.warp_bit.next = self.one_32.val() << self.arrival.val().warp;
        self.count.next = bit_cast::<8, 7>(self.entry.val().count);
        self.new_entry.next = self.entry.val();
        self.new_mark.next = self.mark.val();
        self.opens.next = false;
        self.waits.next = false;
        self.writes.next = false;
        self.due_again.next = 0.into();
        self.stuck.next = false;
        self.released.next = 0.into();
        self.joins.next = 0.into();
        self.begun_bit.next = 0.into();
        self.next_due.next = self.due.q.val() | self.ended_due.val();
        self.next_fresh.next = self.fresh.q.val();
        self.next_scan.next = self.scanning.val();
        if !self.scanning.val().valid && self.due.q.val().any() {
            self.next_scan.next.valid = true;
            self.next_scan.next.slot = self.due_slot.val();
            self.next_scan.next.begun = false;
            self.next_scan.next.picked = false;
            self.begun_bit.next = self.one_8.val() << self.due_slot.val();
            self.next_due.next = (self.due.q.val() & !self.begun_bit.val()) | self.ended_due.val();
        }
        if self.arrival.val().valid {
            if self.control.val().arrives {
                // This arrival is the last: the count is compared with the total less one, which is known earlier than
                // the count plus one.
                self.opens.next = !self.number.val().any() || (self.count.val() >= self.all_but_one.val());
                self.count.next = self.count.val() + 1;
            }
            self.waits.next = self.control.val().waits && !self.opens.val();
            self.writes.next = self.control.val().arrives || self.control.val().waits;
            if !self.waits.val() {
                self.released.next = self.warp_bit.val();
            }
        } else if self.scanning.val().valid {
            if !self.scanning.val().begun {
                self.next_scan.next.begun = true;
                self.next_scan.next.left = self.armed.val();
            } else {
                self.opens.next = self.scanning.val().picked
                    && self.armed_here.val().any()
                    && (self.count.val() >= self.live_wide.val());
                self.writes.next = self.opens.val();
                self.next_scan.next.left = self.scanning.val().left & !self.lowest.val();
                self.next_scan.next.picked = self.scanning.val().left.any();
                self.next_scan.next.barrier = self.lowest_number.val();
                self.due_again.next = self.due.q.val() & self.slot_bit.val();
                if !self.scanning.val().picked && !self.scanning.val().left.any() {
                    self.next_scan.next.valid = false;
                    // Changes since the scan began are handled by the next scan.
                    self.stuck.next = !self.due_again.val().any()
                        && self.live_warps.val().any()
                        && (self.mark.val().waiting == self.live_warps.val());
                    if self.stuck.val() && !self.looked_for.val().valid {
                        self.search.d.next.valid = true;
                        self.search.d.next.slot = self.slot.val();
                        self.search.d.next.warp = 0.into();
                    }
                }
            }
        }
        self.one_more.next = self.mark.val().waiting + 1;
        self.all_wait.next = self.one_more.val() == self.live_warps.val();
        if self.opens.val() {
            self.released.next = self.released.val() | self.entry.val().waiters;
            self.new_mark.next.used = self.mark.val().used & self.other_barriers.val();
            self.new_mark.next.all = self.mark.val().all & self.other_barriers.val();
            self.new_mark.next.waiting = self.mark.val().waiting - self.entry.val().waiting;
        } else {
            self.new_entry.next.count = self.count.val().get_bits::<7>(0);
            self.new_mark.next.used = self.mark.val().used | self.barrier_bit.val();
            if self.control.val().arrives {
                if self.for_all.val() {
                    self.new_mark.next.all = self.mark.val().all | self.barrier_bit.val();
                } else {
                    self.new_mark.next.all = self.mark.val().all & self.other_barriers.val();
                }
            }
            if self.waits.val() {
                self.joins.next = self.warp_bit.val();
                self.new_entry.next.waiters = self.entry.val().waiters | self.warp_bit.val();
                self.new_entry.next.waiting = self.entry.val().waiting + 1;
                self.new_mark.next.waiting = self.one_more.val();
                if self.all_wait.val() {
                    self.next_due.next = self.next_due.val() | self.slot_bit.val();
                }
            }
        }
        self.scan.d.next = self.next_scan.val();
        self.entries.write_enable.next = 0.into();
        if self.writes.val() {
            self.entries.write_enable.next = 1.into();
        }
        self.entries.write_address.next = self.place.val();
        self.waiters_bits.next = bit_cast::<45, 32>(self.new_entry.val().waiters);
        self.waiting_bits.next = bit_cast::<45, 6>(self.new_entry.val().waiting) << 32;
        self.count_bits.next = bit_cast::<45, 7>(self.new_entry.val().count) << 38;
        self.entries.write_data.next = (self.waiters_bits.val() | self.waiting_bits.val()) | self.count_bits.val();
    }

    /// Reads the entry that stage b needs in the next cycle.
    #[hdl_part]
    fn fetch_next_entry(&mut self) {
        self.ahead_slot.next = self.next_scan.val().slot;
        self.ahead_barrier.next = self.next_scan.val().barrier;
        if self.coming.val().valid {
            self.ahead_slot.next = self.slots.read_data_1.val();
            self.ahead_barrier.next = self.coming.val().control.barrier;
        }
        self.ahead.next = bit_cast::<7, 3>(self.ahead_slot.val()) << 4;
        self.ahead.next = self.ahead.val() | bit_cast::<7, 4>(self.ahead_barrier.val());
        self.entries.read_enable.next = true;
        self.entries.read_address.next = self.ahead.val();
        self.forwards.d.next = self.writes.val() && (self.ahead.val() == self.place.val());
        self.written.d.next = self.new_entry.val();
    }

    /// The state for the next cycle, and the outputs.
    #[hdl_part]
    fn write_state(&mut self) {
        self.marks.write_enable.next = self.writes.val();
        self.marks.write_address.next = self.slot.val();
        self.marks.write_data.next = self.new_mark.val();
        if self.writes.val() {
            self.next_fresh.next = self.next_fresh.val() & !self.slot_bit.val();
        }
        self.due.d.next = self.next_due.val();
        // A scan of the slot's last block may still be writing when the next one begins.
        self.fresh.d.next = self.next_fresh.val() | self.begun.val();
        self.releasing.d.next = self.released.val();
        self.bar_release.next = self.releasing.q.val();
        self.bar_busy.next = self.due.q.val().any() || self.scanning.val().valid;
        self.waited.d.next = self.waits.val();
        self.bar_waits.next = self.waited.q.val();
        self.bar_held.next = self.held.q.val().any();
        self.next_held.next = self.held.q.val() | self.joins.val();
        self.held.d.next = self.next_held.val() & !self.released.val();
    }

    /// Deadlock: the lowest waiting warp of the slot is the block's lowest.
    #[hdl_part]
    fn find_deadlocked_warp(&mut self) {
        self.searched.next = self.looked_for.val().warp;
        self.found.next = self.searching.val()
            && (self.slots.read_data_1.val() == self.looked_for.val().slot)
            && self.held.q.val().get_bit(self.searched.val().index());
        if self.searching.val() && !self.found.val() {
            self.search.d.next.warp = self.searched.val() + 1;
        }
        if self.found.val() {
            self.error.d.next.code = self.codes.val().barrier_deadlock;
            self.error.d.next.warp = self.looked_for.val().warp;
            self.error.d.next.pc = self.pcs.read_data.val();
            self.error.d.next.address = 0.into();
        }
        self.bar_deadlock.next = self.looked_for.val().valid;
        self.bar_error.next = self.error.q.val();
    }

    /// Empties the unit for a new grid.
    #[hdl_part]
    fn clear(&mut self) {
        if self.bar_clear.val() {
            self.a.d.next.valid = false;
            self.b.d.next.valid = false;
            self.fresh.d.next = self.all_slots.val();
            self.due.d.next = 0.into();
            self.scan.d.next = self.no_scan.val();
            self.held.d.next = 0.into();
            self.releasing.d.next = 0.into();
            self.search.d.next = self.no_search.val();
            self.error.d.next = self.no_error.val();
            self.waited.d.next = false;
        }
    }
}
