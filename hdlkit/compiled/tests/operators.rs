//! The exporter: every operator, at many widths, against Icarus Verilog.

// Clippy would shorten these kernels to forms that kernels cannot have.
#![allow(clippy::nonminimal_bool, clippy::collapsible_match)]

mod common;

use common::{check_with_tools, text_of};
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Every operator on N bits, with deliberately compound operands: a block and its test for a type of bits.
macro_rules! operators {
    ($name:ident, $test:ident, $bits:ident, $narrow:ident) => {
        #[derive(LogicBlock, Cycle, Blank)]
        struct $name<const N: usize> {
            a: Signal<In, $bits<N>>,
            b: Signal<In, $bits<N>>,
            c: Signal<In, $bits<N>>,
            n: Signal<In, Bits<6>>,
            i: Signal<In, Bits<2>>,
            flag: Signal<In, Bit>,
            sum: Signal<Out, $bits<N>>,
            difference: Signal<Out, $bits<N>>,
            mixed: Signal<Out, $bits<N>>,
            inverted: Signal<Out, $bits<N>>,
            left: Signal<Out, $bits<N>>,
            right: Signal<Out, $bits<N>>,
            left_3: Signal<Out, $bits<N>>,
            right_3: Signal<Out, $bits<N>>,
            wide: Signal<Out, Bits<40>>,
            narrow: Signal<Out, Bits<3>>,
            narrow_right: Signal<Out, Bits<3>>,
            low: Signal<Out, $bits<4>>,
            picked: Signal<Out, $bits<2>>,
            shifted_out: Signal<Out, $bits<2>>,
            middle: Signal<Out, $bits<2>>,
            past_the_end: Signal<Out, $bits<8>>,
            replaced: Signal<Out, $bits<N>>,
            replaced_2: Signal<Out, $bits<N>>,
            bit: Signal<Out, Bit>,
            bit_1: Signal<Out, Bit>,
            any: Signal<Out, Bit>,
            all: Signal<Out, Bit>,
            xor: Signal<Out, Bit>,
            less: Signal<Out, Bit>,
            compound_less: Signal<Out, Bit>,
            wrapped_equal: Signal<Out, Bit>,
            carry: Signal<Out, Bit>,
            mask_equal: Signal<Out, Bit>,
            logic: Signal<Out, Bit>,
            bits_logic: Signal<Out, Bit>,
            literal: Signal<Out, $bits<N>>,
            _activity: Activity,
        }

        impl<const N: usize> Logic for $name<N> {
            #[hdl_gen]
            fn update(&mut self) {
                self.sum.next = self.a.val() + self.b.val() + 1;
                self.difference.next = self.a.val() - (self.b.val() - 3);
                self.mixed.next = (self.a.val() & self.b.val()) | (self.c.val() ^ self.a.val());
                self.inverted.next = !(self.a.val() + self.b.val());
                self.left.next = self.a.val() << self.n.val();
                self.right.next = self.a.val() >> self.n.val();
                self.left_3.next = (self.a.val() + 1) << 3;
                self.right_3.next = (self.a.val() - 1) >> 3;
                self.wide.next = $narrow::<40, N>(self.a.val() + self.b.val()) + 5;
                self.narrow.next = $narrow::<3, N>(self.a.val() + self.b.val());
                self.narrow_right.next = $narrow::<3, N>(self.a.val() >> self.n.val());
                self.low.next = self.a.val().get_bits::<4>(1);
                self.picked.next = self.a.val().get_bits::<2>(self.i.val().index());
                self.shifted_out.next = self.a.val().get_bits::<2>(self.n.val().index());
                self.middle.next = (self.a.val() + self.b.val()).get_bits::<2>(2);
                self.past_the_end.next = self.a.val().get_bits::<8>(4);
                self.replaced.next = self.a.val().replace_bit(self.i.val().index(), !self.flag.val());
                self.replaced_2.next = (self.a.val() + 1).replace_bit(2, self.flag.val());
                self.bit.next = self.a.val().get_bit(self.i.val().index());
                self.bit_1.next = (self.a.val() ^ self.b.val()).get_bit(1);
                self.any.next = (self.a.val() + 1).any();
                self.all.next = (self.a.val() - self.b.val()).all();
                self.xor.next = self.a.val().xor();
                self.less.next = self.a.val() < self.b.val();
                self.compound_less.next = (self.a.val() + 2) <= (self.b.val() - 1);
                self.wrapped_equal.next = (self.a.val() + 1) == self.b.val();
                self.carry.next = (self.a.val() + self.b.val()) < self.a.val();
                self.mask_equal.next = (self.a.val() & 5) != 4;
                self.logic.next = (self.flag.val() && !(self.a.val() > self.b.val())) || (self.c.val() >= 7);
                self.bits_logic.next = (self.flag.val() ^ self.a.val().any()) & !self.b.val().get_bit(0);
                self.literal.next = 11.into();
            }
        }

        fn $test<const N: usize>() {
            let report = cosim(
                || Box::new($name::<N>::blank()),
                400,
                N as u64,
                |x, rng, _| {
                    let near = |rng: &mut ChaCha8Rng| {
                        $bits::<N>::from_wide(match rng.gen_range(0..4) {
                            0 => rng.gen_range(0..4),
                            1 => u128::MAX - rng.gen_range(0..4),
                            _ => rng.gen(),
                        })
                    };
                    x.a.next = near(rng);
                    x.b.next = if rng.gen_range(0..4) == 0 {
                        x.a.next + 1
                    } else {
                        near(rng)
                    };
                    x.c.next = near(rng);
                    x.n.next = Bits::new(rng.gen());
                    x.i.next = Bits::new(rng.gen());
                    x.flag.next = rng.gen();
                },
            )
            .unwrap_or_else(|e| panic!("{N} bits: {e}"));
            // All but the literal.
            assert_eq!(
                (report.outputs, report.outputs_that_changed),
                (31, 30),
                "{N} bits"
            );
            check_with_tools(&text_of(&$name::<N>::blank()), &["UNUSEDSIGNAL"]);
        }
    };
}
operators!(Operators, operators, Bits, bit_cast);
operators!(WideOperators, wide_operators, WideBits, bit_cast_narrow);

#[test]
fn operators_of_5_bits_equal_verilog() {
    operators::<5>();
}

#[test]
fn operators_of_16_bits_equal_verilog() {
    operators::<16>();
}

#[test]
fn operators_of_32_bits_equal_verilog() {
    operators::<32>();
}

#[test]
fn operators_of_39_bits_equal_verilog() {
    operators::<39>();
}

#[test]
fn operators_of_64_bits_equal_verilog() {
    operators::<64>();
}

#[test]
fn operators_of_100_bits_equal_verilog() {
    wide_operators::<100>();
}

#[test]
fn operators_of_128_bits_equal_verilog() {
    wide_operators::<128>();
}

/// Signed types are rust-hdl's own.
#[derive(LogicBlock, Cycle, Blank)]
struct SignedOperators {
    a: Signal<In, Signed<8>>,
    b: Signal<In, Signed<8>>,
    c: Signal<In, Signed<16>>,
    less: Signal<Out, Bit>,
    not_less: Signal<Out, Bit>,
    negative: Signal<Out, Bit>,
    sum: Signal<Out, Signed<8>>,
    wide: Signal<Out, Signed<20>>,
    product: Signal<Out, Signed<32>>,
    limit: Constant<Signed<8>>,
    _activity: Activity,
}

impl Logic for SignedOperators {
    #[hdl_gen]
    fn update(&mut self) {
        self.less.next = self.a.val() < self.b.val();
        self.not_less.next = (self.a.val() + self.b.val()) >= self.b.val();
        self.negative.next = self.a.val() < self.limit.val();
        self.sum.next = self.a.val() - self.b.val();
        self.wide.next = signed_bit_cast::<20, 8>(self.b.val());
        self.product.next = self.c.val() * self.c.val();
    }
}

#[test]
fn signed_operators_equal_verilog() {
    let report = cosim(
        || Box::new(SignedOperators::blank()),
        500,
        1,
        |x, rng, _| {
            x.a.next = signed_cast::<8>((rng.gen::<u8>() as u64).into());
            // rust-hdl's signed_bit_cast never returns for the least value.
            x.b.next = signed_cast::<8>((rng.gen::<u8>() as u64).max(1).into());
            if x.b.next == Signed::<8>::from(-128) {
                x.b.next = Signed::<8>::from(-127);
            }
            x.c.next = signed_cast::<16>((rng.gen::<u16>() as u64).into());
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, 6);
    check_with_tools(&text_of(&SignedOperators::blank()), &[]);
}
