//! Machine code with vectors and without: equal lanes, with every operation that has a vector instruction.

use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use hdlkit_compiled::Code;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// One of several equal blocks, with registers at both ends.
#[derive(LogicBlock, Cycle, Blank)]
struct Lane<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub take: Signal<In, Bit>,
    pub a: Signal<In, Bits<N>>,
    pub b: Signal<In, Bits<N>>,
    pub flag: Signal<In, Bit>,
    /// A different constant in each lane.
    pub number: Signal<In, Bits<3>>,
    /// A value that is equal in all lanes.
    pub common: Signal<In, Bits<N>>,
    pub count: Signal<In, Bits<6>>,
    pub few: Signal<In, Bits<2>>,
    pub choose: Signal<In, Bit>,
    pub which: Signal<In, Bits<5>>,
    pub shown: Signal<Out, Bits<32>>,
    x_a: DFF<Bits<N>>,
    x_b: DFF<Bits<N>>,
    x_flag: DFF<Bit>,
    sum: DFF<Bits<N>>,
    difference: DFF<Bits<N>>,
    negative: DFF<Bits<N>>,
    product: DFF<Bits<8>>,
    logic: DFF<Bits<N>>,
    inverted: DFF<Bits<N>>,
    chosen: DFF<Bits<N>>,
    cleared: DFF<Bits<N>>,
    kept: DFF<Bits<N>>,
    left: DFF<Bits<N>>,
    right: DFF<Bits<N>>,
    left_few: DFF<Bits<N>>,
    right_few: DFF<Bits<N>>,
    own_shift: DFF<Bits<N>>,
    middle: DFF<Bits<3>>,
    turned: DFF<Bits<N>>,
    extended: DFF<Bits<32>>,
    filled: DFF<Bits<N>>,
    wide: DFF<Bits<40>>,
    bits: DFF<Bits<4>>,
    numbered: DFF<Bits<N>>,
    numbered_else: DFF<Bits<N>>,
    less: DFF<Bit>,
    less_signed: DFF<Bit>,
    equal: DFF<Bit>,
    bit_logic: DFF<Bit>,
    parity: DFF<Bit>,
    _activity: Activity,
}

impl<const N: usize> Lane<N> {
    const ZERO: Bits<N> = Bits::new(0);
}

impl<const N: usize> Logic for Lane<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x_a, x_b, x_flag, sum, difference, negative, product, logic, inverted, chosen, cleared);
        dff_setup!(self, clock, kept, left, right, left_few, right_few, own_shift, middle, turned, extended, filled);
        dff_setup!(
            self,
            clock,
            numbered,
            numbered_else,
            wide,
            bits,
            less,
            less_signed,
            equal,
            bit_logic,
            parity
        );
        if self.take.val() {
            self.x_a.d.next = self.a.val();
            self.x_b.d.next = self.b.val();
            self.x_flag.d.next = self.flag.val();
        }
        let (a, b, flag) = (self.x_a.q.val(), self.x_b.q.val(), self.x_flag.q.val());
        let common = self.common.val();
        let sum = a + b;
        let top = a.get_bit(N - 1);
        let same = a == b;
        let less = a < b;
        self.sum.d.next = sum + common;
        self.difference.d.next = (a - b) - 3;
        self.negative.d.next = Self::ZERO - sum;
        self.product.d.next = a.get_bits::<4>(0).signed_product(b.get_bits::<4>(0));
        self.logic.d.next = (a & b) | (common ^ a);
        self.inverted.d.next = !sum;
        self.chosen.d.next = if less ^ self.choose.val() { sum } else { common };
        self.cleared.d.next = if flag { a } else { Self::ZERO };
        let number = bit_cast::<N, 3>(self.number.val());
        self.numbered.d.next = if flag { number } else { a };
        self.numbered_else.d.next = if less { b } else { number };
        self.kept.d.next = if less { Self::ZERO } else { b };
        self.left.d.next = a << self.count.val();
        self.right.d.next = sum >> self.count.val();
        self.left_few.d.next = (a << self.few.val()) << 1;
        self.right_few.d.next = (a >> self.few.val()) >> 2;
        let step: Bits<1> = less.into();
        self.own_shift.d.next = (a << b.get_bits::<2>(0)) >> step;
        self.middle.d.next = sum.get_bits::<3>(1);
        self.turned.d.next = (a << 2) | (b >> 3);
        self.extended.d.next = (sum ^ common).sign_extend();
        self.filled.d.next = (flag ^ same).fill() ^ a;
        self.wide.d.next = bit_cast::<40, N>(a) << 3;
        let flags: Bits<2> = bit_cast::<1, 1>(flag.into()).concat(step);
        self.bits.d.next = flags.concat(a.get_bits::<2>(1));
        self.less.d.next = less || (sum <= common);
        // The signed comparison: if the signs differ, they decide.
        self.less_signed.d.next = if top == b.get_bit(N - 1) { less } else { top };
        self.equal.d.next = same && !flag;
        self.bit_logic.d.next = (flag == top) || (self.choose.val() && !sum.get_bit(2));
        self.parity.d.next = sum.xor();
        let which = self.which.val();
        let mut shown: Bits<32> = 0.into();
        if which == 0 {
            shown = bit_cast::<32, N>(self.sum.q.val());
        }
        if which == 1 {
            shown = bit_cast::<32, N>(self.difference.q.val());
        }
        if which == 2 {
            shown = bit_cast::<32, N>(self.negative.q.val());
        }
        if which == 3 {
            shown = bit_cast::<32, 8>(self.product.q.val());
        }
        if which == 4 {
            shown = bit_cast::<32, N>(self.logic.q.val());
        }
        if which == 5 {
            shown = bit_cast::<32, N>(self.inverted.q.val());
        }
        if which == 6 {
            shown = bit_cast::<32, N>(self.chosen.q.val());
        }
        if which == 7 {
            shown = bit_cast::<32, N>(self.cleared.q.val());
        }
        if which == 8 {
            shown = bit_cast::<32, N>(self.kept.q.val());
        }
        if which == 9 {
            shown = bit_cast::<32, N>(self.left.q.val());
        }
        if which == 10 {
            shown = bit_cast::<32, N>(self.right.q.val());
        }
        if which == 11 {
            shown = bit_cast::<32, N>(self.left_few.q.val());
        }
        if which == 12 {
            shown = bit_cast::<32, N>(self.right_few.q.val());
        }
        if which == 13 {
            shown = bit_cast::<32, N>(self.own_shift.q.val());
        }
        if which == 14 {
            shown = bit_cast::<32, 3>(self.middle.q.val());
        }
        if which == 15 {
            shown = bit_cast::<32, N>(self.turned.q.val());
        }
        if which == 16 {
            shown = self.extended.q.val();
        }
        if which == 17 {
            shown = bit_cast::<32, N>(self.filled.q.val());
        }
        if which == 18 {
            shown = self.wide.q.val().get_bits::<32>(3);
        }
        if which == 19 {
            shown = bit_cast::<32, 4>(self.bits.q.val());
        }
        if which == 21 {
            shown = bit_cast::<32, N>(self.numbered.q.val());
        }
        if which == 22 {
            shown = bit_cast::<32, N>(self.numbered_else.q.val());
        }
        if which == 20 {
            shown = shown.replace_bit(0, self.less.q.val());
            shown = shown.replace_bit(1, self.less_signed.q.val());
            shown = shown.replace_bit(2, self.equal.q.val());
            shown = shown.replace_bit(3, self.bit_logic.q.val());
            shown = shown.replace_bit(4, self.parity.q.val());
        }
        self.shown.next = shown;
    }
}

/// Eight lanes: two vectors.
#[derive(LogicBlock, Cycle, Blank)]
struct Lanes<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub takes: Signal<In, Bits<8>>,
    pub a: Signal<In, Bits<N>>,
    pub b: Signal<In, Bits<N>>,
    pub flag: Signal<In, Bit>,
    pub common: Signal<In, Bits<N>>,
    pub count: Signal<In, Bits<6>>,
    pub choose: Signal<In, Bit>,
    pub which: Signal<In, Bits<5>>,
    pub lane_shown: Signal<In, Bits<3>>,
    pub shown: Signal<Out, Bits<32>>,
    lane: [Lane<N>; 8],
    held_common: DFF<Bits<N>>,
    held_count: DFF<Bits<6>>,
    held_choose: DFF<Bit>,
    _activity: Activity,
}

impl<const N: usize> Logic for Lanes<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held_common, held_count, held_choose);
        self.held_common.d.next = self.common.val();
        self.held_count.d.next = self.count.val();
        self.held_choose.d.next = self.choose.val();
        let mut shown: Bits<32> = 0.into();
        for i in 0..8 {
            self.lane[i].clock.next = self.clock.val();
            self.lane[i].take.next = self.takes.val().get_bit(i);
            self.lane[i].a.next = self.a.val();
            self.lane[i].b.next = self.b.val();
            self.lane[i].flag.next = self.flag.val();
            self.lane[i].number.next = i.to_bits();
            self.lane[i].common.next = self.held_common.q.val();
            self.lane[i].count.next = self.held_count.q.val();
            self.lane[i].few.next = self.held_count.q.val().get_bits::<2>(0);
            self.lane[i].choose.next = self.held_choose.q.val();
            self.lane[i].which.next = self.which.val();
            if self.lane_shown.val().index() == i {
                shown = self.lane[i].shown.val();
            }
        }
        self.shown.next = shown;
    }
}

/// Blocks below the top, so that they share vectors: parts of the top block itself are whole machines.
#[derive(LogicBlock, Cycle, Blank, Ports)]
struct Machine<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub takes: Signal<In, Bits<8>>,
    pub a: Signal<In, Bits<N>>,
    pub b: Signal<In, Bits<N>>,
    pub flag: Signal<In, Bit>,
    pub common: Signal<In, Bits<N>>,
    pub count: Signal<In, Bits<6>>,
    pub choose: Signal<In, Bit>,
    pub which: Signal<In, Bits<5>>,
    pub lane_shown: Signal<In, Bits<3>>,
    pub shown: Signal<Out, Bits<32>>,
    lanes: Lanes<N>,
    _activity: Activity,
}

impl<const N: usize> Logic for Machine<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.lanes.clock.next = self.clock.val();
        self.lanes.takes.next = self.takes.val();
        self.lanes.a.next = self.a.val();
        self.lanes.b.next = self.b.val();
        self.lanes.flag.next = self.flag.val();
        self.lanes.common.next = self.common.val();
        self.lanes.count.next = self.count.val();
        self.lanes.choose.next = self.choose.val();
        self.lanes.which.next = self.which.val();
        self.lanes.lane_shown.next = self.lane_shown.val();
        self.shown.next = self.lanes.shown.val();
    }
}

/// Lanes change occasionally, one or more at a time, and so do their common inputs.
fn stimulus<const N: usize>(block: &mut Machine<N>, random: &mut ChaCha8Rng, cycle: u64) {
    let near = |random: &mut ChaCha8Rng| {
        Bits::<N>::new(match random.gen_range(0..4) {
            0 => random.gen_range(0..4),
            1 => u64::MAX - random.gen_range(0..4u64),
            _ => random.gen(),
        })
    };
    block.takes.next = Bits::new(random.gen::<u64>() & random.gen::<u64>() & random.gen::<u64>());
    block.a.next = near(random);
    block.b.next = if random.gen_range(0..4) == 0 {
        block.a.next
    } else {
        near(random)
    };
    block.flag.next = random.gen();
    if random.gen_range(0..4) == 0 {
        block.common.next = near(random);
        block.count.next = Bits::new(random.gen());
        block.choose.next = random.gen();
    }
    block.which.next = Bits::new(cycle % 23);
    block.lane_shown.next = Bits::new(random.gen());
}

/// Compares vectors with the kernels and their Verilog, and with machine code without vectors.
fn check<const N: usize>() {
    // All operations in two vectors of four lanes each; on an unsupported processor there would be none.
    let vectors = Code::compile(&Machine::<N>::default()).unwrap().counts().vectors;
    assert!(vectors >= 2 * 30, "{vectors} vectors");
    let report =
        cosim(Box::<Machine<N>>::default, 4000, N as u64, stimulus).unwrap_or_else(|e| panic!("{N} bits: {e}"));
    assert_eq!(report.outputs_that_changed, 1);
}

#[test]
fn lanes_of_4_bits_are_vectors() {
    check::<4>();
}

#[test]
fn lanes_of_8_bits_are_vectors() {
    check::<8>();
}

#[test]
fn lanes_of_13_bits_are_vectors() {
    check::<13>();
}

#[test]
fn lanes_of_31_bits_are_vectors() {
    check::<31>();
}

#[test]
fn lanes_of_32_bits_are_vectors() {
    check::<32>();
}
