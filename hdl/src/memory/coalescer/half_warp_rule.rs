//! The strict rule of compute capability 1.0, by half-warps.

use hdlkit::prelude::*;

/// What the accesses of a half-warp have in common, or those of its first beat of two. Nothing without accesses.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct HalfWarpAccesses {
    /// Bits that are 1 in some address, and those that are 0 in some: addresses differ where both are set.
    pub ones: Bits<32>,
    pub zeros: Bits<32>,
    /// Some access is not to its thread's element of a segment.
    pub misplaced: Bit,
}

/// Which half-warps break the G80's strict rule, for each place in the queue of beats.
///
/// A half-warp is 16 threads. It obeys the rule if an access has 4, 8 or 16 bytes and the k-th thread, if active,
/// accesses the k-th element of one segment of 16 elements, aligned to its size. Any other half-warp is served thread
/// by thread.
///
/// ```text
/// cycle   t                                       t+1        from t+2
///         write_enable, write_place, the beat     verdict    one_by_one, for the read_place, next_one_by_one, for the next
/// ```
/// With 8 lanes a half-warp is two consecutive beats, at an even and an odd place. Both are judged when the second
/// arrives; until then `one_by_one` of the first is meaningless.
#[circuit]
pub struct HalfWarpRule<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_place: Signal<In, Bits<4>>,
    /// log2 of an access's bytes, 0 to 4.
    pub size: Signal<In, Bits<3>>,
    /// Lanes that access.
    pub mask: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    pub read_place: Signal<In, Bits<4>>,
    /// Bit 0: the beat's half-warp, or that of lanes 0 to 15; bit 1: that of lanes 16 to 31.
    pub one_by_one: Signal<Out, Bits<2>>,
    /// The same for the beat that comes next.
    pub next_place: Signal<In, Bits<4>>,
    pub next_one_by_one: Signal<Out, Bits<2>>,

    /// The beat that arrived in the previous cycle: its place, the size of its accesses, its half-warps.
    entered: DFF<Bit>,
    entered_place: DFF<Bits<4>>,
    entered_size: DFF<Bits<3>>,
    entered_accesses: [DFF<HalfWarpAccesses>; 2],
    /// With 8 lanes, the first beat of a half-warp.
    earlier: DFF<HalfWarpAccesses>,
    /// Half-warps that break the rule, two bits for each place.
    broken: DFF<Bits<32>>,
}

/// The accesses of some of a half-warp's threads, and of the others.
#[hdl_fn]
fn together(some: HalfWarpAccesses, others: HalfWarpAccesses) -> HalfWarpAccesses {
    HalfWarpAccesses {
        ones: some.ones | others.ones,
        zeros: some.zeros | others.zeros,
        misplaced: some.misplaced || others.misplaced,
    }
}

/// The access of a thread.
#[hdl_fn]
fn access_of(thread: Bits<4>, address: Bits<32>, size: Bits<3>) -> HalfWarpAccesses {
    // Accesses of less than 4 bytes break the rule anyway.
    let element = if size.get_bit(2) {
        address.bits::<4>(4)
    } else if size.get_bit(0) {
        address.bits::<4>(3)
    } else {
        address.bits::<4>(2)
    };
    HalfWarpAccesses { ones: address, zeros: !address, misplaced: element != thread }
}

/// Whether a half-warp breaks the rule.
#[hdl_fn]
fn breaks_rule(accesses: HalfWarpAccesses, size: Bits<3>) -> Bit {
    // Above the segment's 16 elements no two addresses may differ.
    let differing = accesses.ones & accesses.zeros;
    size < 2
        || accesses.misplaced
        || differing.bits::<24>(8).any()
        || (differing.get_bit(7) && !size.get_bit(2))
        || (differing.get_bit(6) && !size.get_bit(2) && !size.get_bit(0))
}

impl<const LANES: usize> Logic for HalfWarpRule<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // t: the beat's accesses, by half-warps.
        let size = self.size.val();
        self.entered.d.next = self.write_enable.val();
        self.entered_place.d.next = self.write_place.val();
        self.entered_size.d.next = size;
        let second_beat = LANES == 8 && self.write_place.val().get_bit(0);
        for half in 0..LANES.div_ceil(16) {
            let mut accesses = HalfWarpAccesses::default();
            for i in 0..LANES.min(16) {
                let thread = if second_beat { bits::<4>(i as u64 + 8) } else { bits(i as u64) };
                let access = access_of(thread, self.address[16 * half + i].val(), size);
                if self.mask.val().get_bit(16 * half + i) {
                    accesses = together(accesses, access);
                }
            }
            self.entered_accesses[half].d.next = accesses;
        }

        // t+1: the verdict, of a half-warp's second beat also for the first.
        let entered = self.entered.q.val();
        let place = self.entered_place.q.val();
        let completes = LANES == 8 && place.get_bit(0);
        let mut broken = self.broken.q.val();
        for half in 0..LANES.div_ceil(16) {
            let mut accesses = self.entered_accesses[half].q.val();
            if completes {
                accesses = together(accesses, self.earlier.q.val());
            }
            let breaks = breaks_rule(accesses, self.entered_size.q.val());
            broken = broken.replace_bit(place.index() * 2 + half, breaks);
            if completes {
                broken = broken.replace_bit(place.bits::<3>(1).index() * 4, breaks);
            }
            if LANES == 8 && entered {
                self.earlier.d.next = accesses;
            }
        }
        if entered {
            self.broken.d.next = broken;
        }

        // From t+2.
        self.one_by_one.next = self.broken.q.val().bits::<2>(self.read_place.val().index() * 2);
        self.next_one_by_one.next = self.broken.q.val().bits::<2>(self.next_place.val().index() * 2);
    }
}
