//! The special function unit computes RCP, RSQ, LG2, SIN, COS and EX2, pipelined in eight stages, with one argument per
//! cycle and no stalls.
//!
//! All use quadratic interpolation, `a + b*x + c*x^2` in the low bits `x` of the argument's fraction. The high bits and
//! the function select a row of [coefficients] in one block RAM.
//!
//! ```text
//!  stage 1     2          3          4          5          6        7            8
//!
//!  argument -- RAM ------ a + half - + b*x ---- + c*x^2 -- invert - Normaliser - pack --- result
//!          \   x -------- Product b*x --+          |
//!           \- Squarer -- Product c*x^2 -----------+
//!  exponent, special values --------------------------------------------------+
//! ```
//!
//! The relative shifts of the terms differ between functions. The RAM stores shifted coefficients: here the unit of `a`
//! is always 2^11 of the sum's units, and the other terms' unit is the sum's. The bit of the sum that represents 1
//! still depends on the function: stage 6 aligns it. `half` is the function's rounding constant.
//!
//! LG2 adds the argument's exponent to the sum, before a negative sum is inverted. The range reduction before SIN, COS
//! and EX2 is an operation of the [float lane](super::float), whose multiplier and shifters it needs.
//!
//! `flexgrip_arith::special` defines the arithmetic and the tables.

pub mod coefficients;
pub mod product;
pub mod squarer;

use super::float::normaliser::Normaliser;
use coefficients::Coefficients;
use hdlkit::prelude::*;
use product::Product;
use squarer::Squarer;

pub use crate::bundles::{SpecialControl, SpecialOperation};

/// The register before stage 2, besides the RAM's row.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialArgument {
    operation: SpecialOperation,
    saturate: Bit,
    x: Bits<17>,
    /// Bits 31..23 of the argument, with its sign as modified by the instruction.
    sign: Bit,
    upper: Bits<8>,
    /// The fraction is 0.
    whole: Bit,
    /// SIN, COS: the result is negative.
    flips: Bit,
}

/// The data that travel with the sum through stages 3 to 8.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialRest {
    operation: SpecialOperation,
    saturate: Bit,
    /// Two's complement: the exponent of the normaliser's highest bit.
    exponent: Bits<10>,
    negative: Bit,
    /// The result is a NaN, an infinity or a zero, regardless of the sum.
    nan: Bit,
    infinite: Bit,
    zero: Bit,
    /// The result is 1, or 0 for LG2, regardless of the sum.
    exact: Bit,
}

/// The register before stage 3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialRow {
    a: Bits<29>,
    c: Bits<18>,
    /// LG2: the argument's exponent without its bias.
    power: Bits<8>,
}

/// The special function unit.
///
/// ```text
/// cycle   t               t+8
///         x_a, x_control  x_result
/// ```
/// There is no valid signal: every cycle's argument gives a result. The instructions have no condition code.
#[circuit]
#[derive(Clone, Debug)]
pub struct SpecialFunctionUnit {
    pub clock: Signal<In, Clock>,
    pub x_control: Signal<In, SpecialControl>,
    pub x_a: Signal<In, Bits<32>>,
    pub x_result: Signal<Out, Bits<32>>,

    coefficients: Coefficients,
    squarer: Squarer,
    linear: Product,
    quadratic: Product,
    normaliser: Normaliser<43>,

    x2: DFF<SpecialArgument>,
    x3: DFF<SpecialRow>,
    x3_rest: DFF<SpecialRest>,
    x4: DFF<Bits<46>>,
    x4_rest: DFF<SpecialRest>,
    x5: DFF<Bits<46>>,
    x5_rest: DFF<SpecialRest>,
    x6: DFF<Bits<46>>,
    x6_rest: DFF<SpecialRest>,
    x7: DFF<Bits<43>>,
    x7_rest: DFF<SpecialRest>,
    x8_rest: DFF<SpecialRest>,
    result: DFF<Bits<32>>,
}

impl Logic for SpecialFunctionUnit {
    #[hdl_gen]
    fn update(&mut self) {
        self.look_up_row();
        self.start_products();
        self.add_terms();
        self.place_sum();
        // Stage 7 shifts the highest set bit to the top, with the normaliser of the float lane.
        let rest = self.x7_rest.q.val();
        self.normaliser.value.next = self.x7.q.val();
        self.normaliser.exponent.next = rest.exponent;
        self.normaliser.counted.next = false;
        self.normaliser.count.next = 0.into();
        self.x8_rest.d.next = rest;
        self.pack_result();
    }
}

impl SpecialFunctionUnit {
    /// Stage 1 selects the row of coefficients by the function and the fraction's high bits, and x, the low bits.
    #[hdl_part]
    fn look_up_row(&mut self) {
        let operation = self.x_control.val().operation;
        let a = self.x_a.val();
        let fraction = a.low::<23>();
        let whole = !fraction.any();
        let negative = (a.get_bit(31) && !self.x_control.val().absolute) != self.x_control.val().negate;
        let quadrant = a.bits::<2>(23);
        let turned = if operation == SpecialOperation::Cosine { quadrant + 1 } else { quadrant };

        // The fraction is inverted where the function runs backward: in odd quadrants, and for negative powers.
        let is_sine = operation == SpecialOperation::Sine || operation == SpecialOperation::Cosine;
        let is_power = operation == SpecialOperation::Power;
        let inverts = (is_sine && turned.get_bit(0)) || (is_power && negative && !whole);
        let argument = fraction ^ inverts.fill::<23>();
        let segment = argument.bits::<6>(17).resize::<9>();
        self.coefficients.row.next = match operation {
            SpecialOperation::Reciprocal => argument.bits::<7>(16).resize(),
            // Rows 128 and up for an even power of 2 (an odd biased exponent), 192 and up for an odd one, which doubles
            // the significand.
            SpecialOperation::ReciprocalRoot => segment | if a.get_bit(23) { bits::<9>(128) } else { bits(192) },
            SpecialOperation::Logarithm => segment | 256,
            SpecialOperation::Power => segment | 384,
            _ => segment | 320,
        };
        self.x2.d.next = SpecialArgument {
            operation,
            saturate: self.x_control.val().saturate,
            x: if operation == SpecialOperation::Reciprocal { argument.low::<17>() << 1 } else { argument.low::<17>() },
            sign: negative,
            upper: a.bits::<8>(23),
            whole,
            flips: turned.get_bit(1) != (operation == SpecialOperation::Sine && negative),
        };
    }

    /// Stage 2 sends the row's coefficients to the multipliers. The function and the class of its argument determine
    /// the result's exponent, and results that are not taken from the sum.
    #[hdl_part]
    fn start_products(&mut self) {
        let argument = self.x2.q.val();
        self.squarer.x.next = argument.x;
        self.linear.a.next = self.coefficients.b.val().sign_extend();
        self.linear.b.next = argument.x.resize();
        self.x3.d.next = SpecialRow {
            a: self.coefficients.a.val(),
            c: self.coefficients.c.val().sign_extend(),
            power: argument.upper - 127,
        };

        let sign = argument.sign;
        let exponent = argument.upper.resize::<10>();
        let half_exponent = (exponent + 1) >> 1;
        let empty = !argument.upper.any();
        let nan = argument.upper.all() && !argument.whole;
        let infinite = argument.upper.all() && argument.whole;
        // SIN, COS, EX2: special values as marked by RRO. EX2: the integer before the fraction.
        let marked = argument.upper.get_bit(7);
        let marked_infinite = marked && argument.upper.get_bit(0);
        let integer = argument.upper.low::<7>().resize::<10>();
        let other = SpecialRest {
            operation: argument.operation,
            saturate: argument.saturate,
            exponent: 127.into(),
            ..Default::default()
        };
        self.x3_rest.d.next = match argument.operation {
            SpecialOperation::Reciprocal => SpecialRest {
                exponent: bits::<10>(254) - exponent,
                negative: sign,
                nan,
                infinite: empty,
                zero: infinite,
                ..other
            },
            SpecialOperation::ReciprocalRoot => SpecialRest {
                exponent: bits::<10>(191) - half_exponent,
                negative: sign,
                nan: nan || (sign && !empty),
                infinite: empty,
                zero: infinite,
                exact: argument.whole && argument.upper.get_bit(0),
                ..other
            },
            SpecialOperation::Logarithm => SpecialRest {
                exponent: 133.into(),
                negative: empty,
                nan: nan || (sign && !empty),
                infinite: empty || infinite,
                exact: argument.whole && argument.upper == 127,
                ..other
            },
            SpecialOperation::Power => SpecialRest {
                // For a negative power: the integer's inverse if there is a fraction, else its negative.
                exponent: if !sign {
                    integer + 128
                } else if argument.whole {
                    bits::<10>(128) - integer
                } else {
                    bits::<10>(127) - integer
                },
                nan: marked && !marked_infinite,
                infinite: marked_infinite && !sign,
                zero: marked_infinite && sign,
                ..other
            },
            _ => SpecialRest { negative: argument.flips, nan: marked, ..other },
        };
    }

    /// Stages 3 to 5 form the sum: first the constant term and the rounding constant, in the sum's units, and for LG2
    /// the argument's exponent; then the two products, one per stage.
    #[hdl_part]
    fn add_terms(&mut self) {
        let row = self.x3.q.val();
        let rest = self.x3_rest.q.val();
        self.quadratic.a.next = row.c;
        self.quadratic.b.next = self.squarer.square.val().resize();
        let half = match rest.operation {
            SpecialOperation::Reciprocal => bits::<46>(0x8fce),
            SpecialOperation::ReciprocalRoot => bits(0x7fff),
            SpecialOperation::Logarithm => bits(0x3345),
            SpecialOperation::Power => bits(0x77e2),
            _ => bits(0),
        };
        let power = mask(rest.operation == SpecialOperation::Logarithm, row.power);
        self.x4.d.next = (row.a.resize::<46>() << 11) + ((power.resize::<46>() << 38) | half);
        self.x4_rest.d.next = rest;

        self.x5.d.next = self.x4.q.val() + self.linear.product.val().sign_extend::<46>();
        self.x5_rest.d.next = self.x4_rest.q.val();
        self.x6.d.next = self.x5.q.val() + self.quadratic.product.val().sign_extend::<46>();
        self.x6_rest.d.next = self.x5_rest.q.val();
    }

    /// Stage 6 aligns the bit of the sum that represents 1, and inverts LG2's sum if it is negative. Bits below a
    /// significand of 25 bits are dropped, except for LG2, SIN and COS, which have more.
    #[hdl_part]
    fn place_sum(&mut self) {
        let sum = self.x6.q.val();
        let rest = self.x6_rest.q.val();
        let operation = rest.operation;
        let is_logarithm = operation == SpecialOperation::Logarithm;
        let is_sine = operation == SpecialOperation::Sine || operation == SpecialOperation::Cosine;
        let reverses = is_logarithm && !rest.exact && sum.get_bit(45);
        let coarse = if operation == SpecialOperation::Power { sum.bits::<25>(15) } else { sum.bits::<25>(16) };
        self.x7.d.next = if is_logarithm {
            mask(!rest.exact, sum.bits::<43>(2) ^ reverses.fill::<43>())
        } else if is_sine {
            sum.low::<38>().resize::<43>() << 5
        } else if rest.exact {
            bits(0x400_0000_0000)
        } else {
            coarse.resize::<43>() << 18
        };
        self.x7_rest.d.next = SpecialRest { negative: rest.negative || (reverses && !rest.infinite), ..rest };
    }

    /// Stage 8 assembles sign, exponent and fraction; lower bits are cut. Results out of a float's range become
    /// infinity or 0.
    #[hdl_part]
    fn pack_result(&mut self) {
        let rest = self.x8_rest.q.val();
        let value = self.normaliser.normal_value.val();
        let exponent = self.normaliser.normal_exponent.val();
        let positive = value.get_bit(42) && !exponent.get_bit(9) && exponent.any();
        let saturates = rest.saturate && rest.operation == SpecialOperation::Power;
        let magnitude = if rest.zero || (!positive && !rest.infinite) {
            bits::<32>(0)
        } else if saturates && (rest.infinite || exponent >= 127) {
            bits(0x3f80_0000)
        } else if rest.infinite || exponent >= 255 {
            bits(0x7f80_0000)
        } else {
            (exponent.low::<8>().resize::<32>() << 23) | value.bits::<23>(19).resize::<32>()
        };
        self.result.d.next = if rest.nan { bits(0x7fff_ffff) } else { magnitude.replace_bit(31, rest.negative) };
        self.x_result.next = self.result.q.val();
    }
}
