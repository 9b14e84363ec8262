//! The strict coalescing rule of compute capability 1.0, checked for each half-warp.

use hdlkit::prelude::*;

/// Summary of the accesses of a half-warp, or of the first of its two beats.
#[derive(Copy, Clone, Debug, PartialEq, LogicStruct)]
pub struct HalfWarpAccesses {
    /// AND of all addresses; `any` is the OR. They differ in the bits in which two addresses differ. A register's
    /// initial value can have ones only in its low 64 bits, so `any`, initially 0, is last.
    pub all: Bits<32>,
    /// In each address, the four bits above those within the access are the thread's number in the half-warp.
    pub in_place: Bit,
    pub any: Bits<32>,
}

impl HalfWarpAccesses {
    const NONE: Self = HalfWarpAccesses { all: Bits::ONES, in_place: true, any: Bits::ZERO };
}

impl Default for HalfWarpAccesses {
    fn default() -> Self {
        HalfWarpAccesses::NONE
    }
}

/// The half-warps that break the G80's strict rule, for each entry of the queue of beats.
///
/// A half-warp is 16 threads. It obeys the rule if its accesses have n = 4, 8 or 16 bytes and the k-th thread, if
/// active, accesses address B + k n, with one B that is a multiple of 16 n. Any other half-warp is served thread by
/// thread.
///
/// ```text
/// cycle   t                                       t+1        from t+2
///         write_enable, write_place, the beat     verdict    one_by_one, for the beat in read_place;
///                                                            next_one_by_one, for the beat in next_place
/// ```
/// With 8 lanes a half-warp is two consecutive beats, in an even entry and the odd one after it. Both are checked when
/// the second arrives; until then `one_by_one` of the first is meaningless.
#[circuit]
pub struct HalfWarpRule<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_place: Signal<In, Bits<4>>,
    /// log2 of an access's bytes, 0 to 4.
    pub size: Signal<In, Bits<3>>,
    /// Mask of the lanes that access memory.
    pub mask: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    pub read_place: Signal<In, Bits<4>>,
    /// True if a half-warp breaks the rule. Bit 0: the beat's half-warp (with 32 lanes: lanes 0 to 15); bit 1: lanes 16
    /// to 31.
    pub one_by_one: Signal<Out, Bits<2>>,
    /// Like `read_place` and `one_by_one`, for the next beat.
    pub next_place: Signal<In, Bits<4>>,
    pub next_one_by_one: Signal<Out, Bits<2>>,

    /// A beat arrived in the previous cycle; its entry, the size of its accesses, its half-warps.
    entered: DFF<Bit>,
    entered_place: DFF<Bits<4>>,
    entered_size: DFF<Bits<3>>,
    entered_accesses: [DFF<HalfWarpAccesses>; 2],
    /// With 8 lanes, the first beat of a half-warp.
    earlier: DFF<HalfWarpAccesses>,
    /// Half-warps that break the rule, two bits for each entry.
    broken: DFF<Bits<32>>,
}

/// Adds a thread's access to the summary.
#[hdl_fn]
fn with_access(others: HalfWarpAccesses, thread: Bits<4>, address: Bits<32>, size: Bits<3>) -> HalfWarpAccesses {
    // Accesses of less than 4 bytes break the rule anyway.
    let element = if size.get_bit(2) {
        address.bits::<4>(4)
    } else if size.get_bit(0) {
        address.bits::<4>(3)
    } else {
        address.bits::<4>(2)
    };
    HalfWarpAccesses {
        all: others.all & address,
        in_place: others.in_place && element == thread,
        any: others.any | address,
    }
}

/// True if a half-warp breaks the rule.
#[hdl_fn]
fn breaks_rule(accesses: HalfWarpAccesses, size: Bits<3>) -> Bit {
    // No two addresses may differ above the bits within 16 elements: from bit 6, 7 or 8 for 4, 8 or 16 bytes.
    let differing = accesses.any & !accesses.all;
    size < 2
        || !accesses.in_place
        || differing.bits::<24>(8).any()
        || (differing.get_bit(7) && !size.get_bit(2))
        || (differing.get_bit(6) && !size.get_bit(2) && !size.get_bit(0))
}

impl<const LANES: usize> Logic for HalfWarpRule<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // t: the beat's accesses, by half-warps.
        self.entered.d.next = self.write_enable.val();
        self.entered_place.d.next = self.write_place.val();
        self.entered_size.d.next = self.size.val();
        let second_beat = if LANES == 8 { self.write_place.val().get_bit(0) } else { false };
        for half in 0..LANES.div_ceil(16) {
            let mut accesses: HalfWarpAccesses = HalfWarpAccesses::NONE;
            for i in 0..LANES.min(16) {
                let thread = if second_beat { bits::<4>(i as u64 + 8) } else { bits(i as u64) };
                if self.mask.val().get_bit(16 * half + i) {
                    accesses = with_access(accesses, thread, self.address[16 * half + i].val(), self.size.val());
                }
            }
            self.entered_accesses[half].d.next = accesses;
        }

        // t+1: the verdict; after a half-warp's second beat, also for the first beat.
        let place = self.entered_place.q.val();
        let mut broken = self.broken.q.val();
        for half in 0..LANES.div_ceil(16) {
            let mut accesses = self.entered_accesses[half].q.val();
            if LANES == 8 && place.get_bit(0) {
                let earlier = self.earlier.q.val();
                accesses.all = accesses.all & earlier.all;
                accesses.in_place = accesses.in_place && earlier.in_place;
                accesses.any = accesses.any | earlier.any;
            }
            let breaks = breaks_rule(accesses, self.entered_size.q.val());
            broken = broken.replace_bit(place.index() * 2 + half, breaks);
            if LANES == 8 && place.get_bit(0) {
                broken = broken.replace_bit(place.bits::<3>(1).index() * 4, breaks);
            }
            if LANES == 8 && self.entered.q.val() {
                self.earlier.d.next = accesses;
            }
        }
        if self.entered.q.val() {
            self.broken.d.next = broken;
        }

        // From t+2: the verdict that is looked up.
        self.one_by_one.next = self.broken.q.val().bits::<2>(self.read_place.val().index() * 2);
        self.next_one_by_one.next = self.broken.q.val().bits::<2>(self.next_place.val().index() * 2);
    }
}
