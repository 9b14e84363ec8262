//! Thread indices: their sum in the mixed radix of the block's shape, and each lane's index.

use hdlkit::prelude::*;

/// A thread's position in its block.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ThreadIndex {
    pub x: Bits<10>,
    pub y: Bits<10>,
    pub z: Bits<6>,
}

/// The count of thread indices at a grid's start.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ThreadIndices {
    /// The index of thread `count`. Thread LANES is the step from a lane's thread to its next one.
    pub index: ThreadIndex,
    pub count: Bits<6>,
    /// The arguments of [`thread_index_sum`] for the previous cycle's index.
    pub less_x: Bits<12>,
    pub less_y: Bits<12>,
}

/// Returns the sum of two thread indices in the mixed radix of the block's shape: x carries into y, y into z. Past the
/// block's end z continues and wraps at 64.
///
/// `less_x` and `less_y` are x and y of `b` minus the block's size, modulo 2^12. In x and y, `a` must be less than the
/// block, and so must `b`, unless its x is 1.
#[hdl_fn]
pub fn thread_index_sum(a: ThreadIndex, b: ThreadIndex, less_x: Bits<12>, less_y: Bits<12>) -> ThreadIndex {
    // x and y have two sums each, with and without the block's size subtracted; the sign of the former selects.
    let sum_x = a.x.resize::<12>() + b.x.resize::<12>();
    let past_x = a.x.resize::<12>() + less_x;
    let carry_x = !past_x.get_bit(11);
    // y and z are extended by a low bit for the carry in.
    let carry_in_y = mask(carry_x, bits::<13>(1));
    let a_y = (a.y.resize::<13>() << 1) | 1;
    let sum_y = a_y + ((b.y.resize::<13>() << 1) | carry_in_y);
    let past_y = a_y + ((less_y.resize::<13>() << 1) | carry_in_y);
    let carry_y = !past_y.get_bit(12);
    let carry_in_z = mask(carry_y, bits::<7>(1));
    let sum_z = ((a.z.resize::<7>() << 1) | 1) + ((b.z.resize::<7>() << 1) | carry_in_z);
    ThreadIndex {
        x: if carry_x { past_x.low::<10>() } else { sum_x.low::<10>() },
        y: if carry_y { past_y.bits::<10>(1) } else { sum_y.bits::<10>(1) },
        z: sum_z.bits::<6>(1),
    }
}

/// The thread index of one lane: thread `lane` after set-up or restart, advanced by LANES threads with every step.
///
/// ```text
/// cycle      t                              t+1
/// setup      the index, if `count` is this  r0 of that thread
///            lane
/// step       by the index                   r0 of the next beat's thread
/// restart    (over step)                    r0 of the first thread
/// ```
#[circuit]
pub struct ThreadIndexLane {
    pub clock: Signal<In, Clock>,
    /// This lane's number, constant.
    pub lane: Signal<In, Bits<5>>,
    pub setup: Signal<In, Bit>,
    pub restart: Signal<In, Bit>,
    pub step: Signal<In, Bit>,
    pub tids: Signal<In, ThreadIndices>,
    /// `tid.x | tid.y << 16 | tid.z << 26`
    pub r0: Signal<Out, Bits<32>>,

    first: DFF<ThreadIndex>,
    current: DFF<ThreadIndex>,
}

impl Logic for ThreadIndexLane {
    #[hdl_gen]
    fn update(&mut self) {
        let current = self.current.q.val();
        let tids = self.tids.val();
        let next = thread_index_sum(current, tids.index, tids.less_x, tids.less_y);
        if self.setup.val() && tids.count.low::<5>() == self.lane.val() {
            self.first.d.next = tids.index;
            self.current.d.next = tids.index;
        } else if self.restart.val() {
            self.current.d.next = self.first.q.val();
        } else if self.step.val() {
            self.current.d.next = next;
        }
        self.r0.next = current.x.resize::<32>() | (current.y.resize::<32>() << 16) | (current.z.resize::<32>() << 26);
    }
}
