//! Thread indices: their sum in the shape of the block, and each lane's index.

use hdlkit::prelude::*;

/// A thread's position in its block.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ThreadIndex {
    pub x: Bits<10>,
    pub y: Bits<10>,
    pub z: Bits<6>,
}

/// The sum of two thread indices in the mixed radix of the block's shape: x carries into y, y into z. Combinational.
/// Past the block's end z continues and wraps at 64.
///
/// x and y have two sums each, with and without the block's size subtracted; the sign of the first selects.
#[derive(LogicBlock, Cycle, Blank)]
pub struct ThreadIndexSum {
    pub a: Signal<In, ThreadIndex>,
    pub b: Signal<In, ThreadIndex>,
    /// x and y of `b`, minus the block's size, modulo 2^12. `a` is less than the block in x and y; so is `b`, or its x
    /// is 1.
    pub less_x: Signal<In, Bits<12>>,
    pub less_y: Signal<In, Bits<12>>,
    pub sum: Signal<Out, ThreadIndex>,
    a_x: Signal<Local, Bits<12>>,
    sum_x: Signal<Local, Bits<12>>,
    past_x: Signal<Local, Bits<12>>,
    carry_x: Signal<Local, Bit>,
    // Extended by a low bit for the carry in.
    a_y: Signal<Local, Bits<13>>,
    b_y: Signal<Local, Bits<13>>,
    rest_y: Signal<Local, Bits<13>>,
    sum_y: Signal<Local, Bits<13>>,
    past_y: Signal<Local, Bits<13>>,
    carry_y: Signal<Local, Bit>,
    a_z: Signal<Local, Bits<7>>,
    b_z: Signal<Local, Bits<7>>,
    sum_z: Signal<Local, Bits<7>>,
    _activity: Activity,
}

impl Logic for ThreadIndexSum {
    #[hdl_gen]
    fn update(&mut self) {
        self.a_x.next = bit_cast::<12, 10>(self.a.val().x);
        self.sum_x.next = self.a_x.val() + bit_cast::<12, 10>(self.b.val().x);
        self.past_x.next = self.a_x.val() + self.less_x.val();
        self.carry_x.next = !self.past_x.val().get_bit(11);
        self.sum.next.x = self.sum_x.val().get_bits::<10>(0);
        self.a_y.next = bit_cast::<13, 10>(self.a.val().y) << 1;
        self.a_y.next = self.a_y.val() | 1;
        self.b_y.next = bit_cast::<13, 10>(self.b.val().y) << 1;
        self.rest_y.next = bit_cast::<13, 12>(self.less_y.val()) << 1;
        if self.carry_x.val() {
            self.sum.next.x = self.past_x.val().get_bits::<10>(0);
            self.b_y.next = self.b_y.val() | 1;
            self.rest_y.next = self.rest_y.val() | 1;
        }
        self.sum_y.next = self.a_y.val() + self.b_y.val();
        self.past_y.next = self.a_y.val() + self.rest_y.val();
        self.carry_y.next = !self.past_y.val().get_bit(12);
        self.sum.next.y = self.sum_y.val().get_bits::<10>(1);
        self.a_z.next = bit_cast::<7, 6>(self.a.val().z) << 1;
        self.a_z.next = self.a_z.val() | 1;
        self.b_z.next = bit_cast::<7, 6>(self.b.val().z) << 1;
        if self.carry_y.val() {
            self.sum.next.y = self.past_y.val().get_bits::<10>(1);
            self.b_z.next = self.b_z.val() | 1;
        }
        self.sum_z.next = self.a_z.val() + self.b_z.val();
        self.sum.next.z = self.sum_z.val().get_bits::<6>(1);
    }
}

/// The thread index of one lane: thread `lane` after set-up or restart, advanced by LANES threads with every step.
///
/// ```text
/// cycle          t                          t+1
/// setup, number  first thread's index, if   r0 of that thread
///                number is this lane
/// step           by `step_index`            r0 of the next beat's thread
/// restart        (over step)                r0 of the first thread
/// ```
#[derive(LogicBlock, Cycle, Blank)]
pub struct ThreadIndexLane {
    pub clock: Signal<In, Clock>,
    /// This lane's number, constant.
    pub lane: Signal<In, Bits<5>>,
    pub setup: Signal<In, Bit>,
    pub setup_lane: Signal<In, Bits<5>>,
    pub setup_index: Signal<In, ThreadIndex>,
    pub restart: Signal<In, Bit>,
    pub step: Signal<In, Bit>,
    pub step_index: Signal<In, ThreadIndex>,
    /// As in [`ThreadIndexSum`].
    pub less_x: Signal<In, Bits<12>>,
    pub less_y: Signal<In, Bits<12>>,
    /// `tid.x | tid.y << 16 | tid.z << 26`
    pub r0: Signal<Out, Bits<32>>,
    first: DFF<ThreadIndex>,
    current: DFF<ThreadIndex>,
    sum: ThreadIndexSum,
    x: Signal<Local, Bits<32>>,
    y: Signal<Local, Bits<32>>,
    y_shifted: Signal<Local, Bits<32>>,
    xy: Signal<Local, Bits<32>>,
    z: Signal<Local, Bits<32>>,
    z_shifted: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl Logic for ThreadIndexLane {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, first, current);
        self.sum.a.next = self.current.q.val();
        self.sum.b.next = self.step_index.val();
        self.sum.less_x.next = self.less_x.val();
        self.sum.less_y.next = self.less_y.val();
        if self.setup.val() && (self.setup_lane.val() == self.lane.val()) {
            self.first.d.next = self.setup_index.val();
            self.current.d.next = self.setup_index.val();
        } else if self.restart.val() {
            self.current.d.next = self.first.q.val();
        } else if self.step.val() {
            self.current.d.next = self.sum.sum.val();
        }
        self.x.next = bit_cast::<32, 10>(self.current.q.val().x);
        self.y.next = bit_cast::<32, 10>(self.current.q.val().y);
        self.z.next = bit_cast::<32, 6>(self.current.q.val().z);
        self.y_shifted.next = self.y.val() << 16;
        self.z_shifted.next = self.z.val() << 26;
        self.xy.next = self.x.val() | self.y_shifted.val();
        self.r0.next = self.xy.val() | self.z_shifted.val();
    }
}
