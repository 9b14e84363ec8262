//! The special function unit: RCP, RSQ, LG2, SIN, COS and EX2, one argument per cycle, no stalls.
//!
//! All are one quadratic `a + b*x + c*x^2` in the low bits `x` of the argument's fraction; the high bits and the
//! function select a row of one block RAM with the [coefficients].
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
//! The functions' sums differ in how their terms are shifted against each other. The RAM's rows are stored shifted, so
//! that here `a` counts 2^11 of the sum's units and the other terms one. The bit of the sum that represents 1 still
//! depends on the function: stage 6 aligns it.
//!
//! LG2 adds the argument's exponent to the sum, before a negative sum is inverted. The range reduction before SIN, COS
//! and EX2 is an operation of the [float lane](super::float), whose multiplier and shifters it needs.
//!
//! The arithmetic and the tables are those of `flexgrip_arith::special`.

pub mod coefficients;
pub mod product;
pub mod squarer;

use super::float::normaliser::Normaliser;
use coefficients::Coefficients;
use hdlkit::prelude::*;
use product::Product;
use squarer::Squarer;

/// The function that the special function unit computes.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum SpecialOperation {
    /// RCP: 1 / a.
    Reciprocal,
    /// RSQ: 1 / sqrt(a).
    ReciprocalRoot,
    /// LG2.
    Logarithm,
    /// SIN of the result of RRO.SIN.
    Sine,
    /// COS of the result of RRO.SIN.
    Cosine,
    /// EX2 of the result of RRO.EX2.
    Power,
}

/// The unit's operation on its argument.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialControl {
    pub operation: SpecialOperation,
    /// Take the absolute value, then negate: acts on the sign bit of any argument.
    pub absolute: Bit,
    pub negate: Bit,
    /// Power: clamp to [+0, 1]. Other functions ignore it.
    pub saturate: Bit,
}

/// Stage 2's input, besides the RAM's row.
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
    /// SIN, COS: the result's sign.
    flips: Bit,
}

/// Data that travels with the sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialRest {
    operation: SpecialOperation,
    saturate: Bit,
    /// Two's complement: the exponent of the normaliser's highest bit.
    exponent: Bits<10>,
    negative: Bit,
    /// The result is not taken from the sum.
    nan: Bit,
    infinite: Bit,
    zero: Bit,
    /// The result is 1, or 0 for LG2, whatever the sum is.
    exact: Bit,
}

/// Stage 3's input.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialRow {
    a: Bits<29>,
    c: Bits<18>,
    /// The argument's exponent without its bias: LG2.
    power: Bits<8>,
}

/// The special function unit.
///
/// ```text
/// cycle   t               t+8
///         x_a, x_control  x_result
/// ```
/// There is no valid: every cycle's argument gives a result. The instructions have no condition code.
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
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

    x1_sign: Signal<Local, Bit>,
    x1_negative: Signal<Local, Bit>,
    x1_quadrant: Signal<Local, Bits<2>>,
    x1_turned: Signal<Local, Bits<2>>,
    x1_is_sine: Signal<Local, Bit>,
    x1_fraction: Signal<Local, Bits<23>>,
    x1_inverse: Signal<Local, Bits<23>>,
    x1_inverts: Signal<Local, Bit>,
    x1_whole: Signal<Local, Bit>,
    x1_argument: Signal<Local, Bits<23>>,
    x1_upper: Signal<Local, Bits<7>>,
    x1_segment: Signal<Local, Bits<7>>,
    x1_row: Signal<Local, Bits<9>>,
    x1_x: Signal<Local, Bits<17>>,
    x1_low: Signal<Local, Bits<16>>,

    x2_x: Signal<Local, Bits<17>>,
    x2_b: Signal<Local, Bits<17>>,
    x2_wide_b: Signal<Local, Bits<18>>,
    x2_c: Signal<Local, Bits<14>>,
    x2_wide_c: Signal<Local, Bits<18>>,
    x2_upper: Signal<Local, Bits<8>>,
    x2_scale: Signal<Local, Bits<10>>,
    x2_next_scale: Signal<Local, Bits<10>>,
    x2_half_scale: Signal<Local, Bits<10>>,
    x2_integer: Signal<Local, Bits<10>>,
    x2_empty: Signal<Local, Bit>,
    x2_nan: Signal<Local, Bit>,
    x2_infinite: Signal<Local, Bit>,
    x2_sign: Signal<Local, Bit>,
    x2_marked: Signal<Local, Bit>,
    x2_marked_infinite: Signal<Local, Bit>,
    x2_exponent: Signal<Local, Bits<10>>,

    x3_a: Signal<Local, Bits<29>>,
    x3_power: Signal<Local, Bits<8>>,
    x3_term: Signal<Local, Bits<46>>,
    x3_half: Signal<Local, Bits<46>>,
    x3_bias: Signal<Local, Bits<46>>,

    x4_product: Signal<Local, Bits<36>>,
    x4_term: Signal<Local, Bits<46>>,
    x5_product: Signal<Local, Bits<36>>,
    x5_term: Signal<Local, Bits<46>>,

    x6_sum: Signal<Local, Bits<46>>,
    x6_coarse: Signal<Local, Bits<25>>,
    x6_sine: Signal<Local, Bits<38>>,
    x6_logarithm: Signal<Local, Bits<43>>,
    x6_placed: Signal<Local, Bits<43>>,
    x6_travels: Signal<Local, SpecialRest>,

    x7_travels: Signal<Local, SpecialRest>,

    x8_flags: Signal<Local, SpecialRest>,
    x8_value: Signal<Local, Bits<43>>,
    x8_exponent: Signal<Local, Bits<10>>,
    x8_fraction: Signal<Local, Bits<23>>,
    x8_positive: Signal<Local, Bit>,
    x8_saturates: Signal<Local, Bit>,
    x8_scale: Signal<Local, Bits<8>>,
    x8_magnitude: Signal<Local, Bits<32>>,

    _activity: Activity,
}

impl Logic for SpecialFunctionUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x2, x3, x3_rest, x4, x4_rest, x5, x5_rest, x6, x6_rest, x7, x7_rest, x8_rest, result);
        self.coefficients.clock.next = self.clock.val();
        self.squarer.clock.next = self.clock.val();
        self.linear.clock.next = self.clock.val();
        self.quadratic.clock.next = self.clock.val();
        self.normaliser.clock.next = self.clock.val();

        // Stage 1
        self.fold_argument();
        self.select_row();
        self.register_argument();
        // Stage 2
        self.start_products();
        self.classify_argument();
        self.find_exponent();
        // Stage 3
        self.bias_constant();
        // Stages 4 and 5
        self.add_products();
        // Stage 6
        self.place_sum();
        // Stage 7
        self.normalise_sum();
        // Stage 8
        self.pack_result();
    }
}

impl SpecialFunctionUnit {
    /// The argument's fraction, inverted where the function runs backward: odd quadrants, and negative powers.
    #[hdl_part]
    fn fold_argument(&mut self) {
        self.x1_sign.next = self.x_a.val().get_bit(31) && !self.x_control.val().absolute;
        self.x1_negative.next = self.x1_sign.val() != self.x_control.val().negate;
        self.x1_quadrant.next = self.x_a.val().get_bits::<2>(23);
        self.x1_turned.next = self.x1_quadrant.val();
        if self.x_control.val().operation == SpecialOperation::Cosine {
            self.x1_turned.next = self.x1_quadrant.val() + 1;
        }
        self.x1_is_sine.next = self.x_control.val().operation == SpecialOperation::Sine
            || self.x_control.val().operation == SpecialOperation::Cosine;
        self.x1_fraction.next = self.x_a.val().get_bits::<23>(0);
        self.x1_inverse.next = !self.x1_fraction.val();
        self.x1_whole.next = !self.x1_fraction.val().any();
        self.x1_inverts.next = (self.x1_is_sine.val() && self.x1_turned.val().get_bit(0))
            || ((self.x_control.val().operation == SpecialOperation::Power)
                && self.x1_negative.val()
                && !self.x1_whole.val());
        self.x1_argument.next = self.x1_fraction.val();
        if self.x1_inverts.val() {
            self.x1_argument.next = self.x1_inverse.val();
        }
    }

    /// The row of coefficients, selected by the function and the fraction's high bits, and the low bits that are x.
    #[hdl_part]
    fn select_row(&mut self) {
        self.x1_upper.next = self.x1_argument.val().get_bits::<7>(16);
        self.x1_segment.next = self.x1_upper.val() >> 1;
        self.x1_low.next = self.x1_argument.val().get_bits::<16>(0);
        self.x1_x.next = self.x1_argument.val().get_bits::<17>(0);
        self.x1_row.next = bit_cast::<9, 7>(self.x1_segment.val()) | 320;
        match self.x_control.val().operation {
            SpecialOperation::Reciprocal => {
                self.x1_x.next = bit_cast::<17, 16>(self.x1_low.val()) << 1;
                self.x1_row.next = bit_cast::<9, 7>(self.x1_upper.val());
            }
            SpecialOperation::ReciprocalRoot => {
                // An odd power, that is, an even exponent, leaves its lowest bit above the fraction.
                self.x1_row.next = bit_cast::<9, 7>(self.x1_segment.val()) | 192;
                if self.x_a.val().get_bit(23) {
                    self.x1_row.next = bit_cast::<9, 7>(self.x1_segment.val()) | 128;
                }
            }
            SpecialOperation::Logarithm => {
                self.x1_row.next = bit_cast::<9, 7>(self.x1_segment.val()) | 256;
            }
            SpecialOperation::Power => {
                self.x1_row.next = bit_cast::<9, 7>(self.x1_segment.val()) | 384;
            }
            _ => {}
        }
        self.coefficients.row.next = self.x1_row.val();
    }

    /// Stage 2's data on the argument, besides its row.
    #[hdl_part]
    fn register_argument(&mut self) {
        self.x2.d.next.operation = self.x_control.val().operation;
        self.x2.d.next.saturate = self.x_control.val().saturate;
        self.x2.d.next.x = self.x1_x.val();
        self.x2.d.next.sign = self.x1_negative.val();
        self.x2.d.next.upper = self.x_a.val().get_bits::<8>(23);
        self.x2.d.next.whole = self.x1_whole.val();
        self.x2.d.next.flips = self.x1_turned.val().get_bit(1);
        if self.x_control.val().operation == SpecialOperation::Sine {
            self.x2.d.next.flips = self.x1_turned.val().get_bit(1) != self.x1_negative.val();
        }
    }

    /// The row's coefficients to the multipliers, their signs extended.
    #[hdl_part]
    fn start_products(&mut self) {
        self.x2_x.next = self.x2.q.val().x;
        self.x2_b.next = self.coefficients.b.val();
        self.x2_wide_b.next = bit_cast::<18, 17>(self.x2_b.val());
        if self.x2_b.val().get_bit(16) {
            self.x2_wide_b.next = bit_cast::<18, 17>(self.x2_b.val()) | 0x2_0000;
        }
        self.x2_c.next = self.coefficients.c.val();
        self.x2_wide_c.next = bit_cast::<18, 14>(self.x2_c.val());
        if self.x2_c.val().get_bit(13) {
            self.x2_wide_c.next = bit_cast::<18, 14>(self.x2_c.val()) | 0x3_c000;
        }
        self.squarer.x.next = self.x2_x.val();
        self.linear.a.next = self.x2_wide_b.val();
        self.linear.b.next = bit_cast::<18, 17>(self.x2_x.val());
        self.x3.d.next.a = self.coefficients.a.val();
        self.x3.d.next.c = self.x2_wide_c.val();
        self.x2_upper.next = self.x2.q.val().upper;
        self.x3.d.next.power = self.x2_upper.val() - 127;
    }

    /// The argument's class, and its exponent as the functions need it.
    #[hdl_part]
    fn classify_argument(&mut self) {
        self.x2_scale.next = bit_cast::<10, 8>(self.x2_upper.val());
        self.x2_next_scale.next = self.x2_scale.val() + 1;
        self.x2_half_scale.next = self.x2_next_scale.val() >> 1;
        self.x2_integer.next = self.x2_scale.val() & 0x7f;
        self.x2_sign.next = self.x2.q.val().sign;
        self.x2_empty.next = !self.x2_upper.val().any();
        self.x2_nan.next = self.x2_upper.val().all() && !self.x2.q.val().whole;
        self.x2_infinite.next = self.x2_upper.val().all() && self.x2.q.val().whole;
        self.x2_marked.next = self.x2_upper.val().get_bit(7);
        self.x2_marked_infinite.next = self.x2_upper.val().get_bit(7) && self.x2_upper.val().get_bit(0);
    }

    /// The exponent of the result, and results not taken from the sum: by the function and the class of its argument.
    #[hdl_part]
    fn find_exponent(&mut self) {
        self.x3_rest.d.next.operation = self.x2.q.val().operation;
        self.x3_rest.d.next.saturate = self.x2.q.val().saturate;
        self.x3_rest.d.next.negative = false;
        self.x3_rest.d.next.nan = false;
        self.x3_rest.d.next.infinite = false;
        self.x3_rest.d.next.zero = false;
        self.x3_rest.d.next.exact = false;
        self.x2_exponent.next = 127.into();
        match self.x2.q.val().operation {
            SpecialOperation::Reciprocal => {
                self.x2_exponent.next = bits::<10>(254) - self.x2_scale.val();
                self.x3_rest.d.next.negative = self.x2_sign.val();
                self.x3_rest.d.next.nan = self.x2_nan.val();
                self.x3_rest.d.next.infinite = self.x2_empty.val();
                self.x3_rest.d.next.zero = self.x2_infinite.val();
            }
            SpecialOperation::ReciprocalRoot => {
                self.x2_exponent.next = bits::<10>(191) - self.x2_half_scale.val();
                self.x3_rest.d.next.negative = self.x2_sign.val();
                self.x3_rest.d.next.nan = self.x2_nan.val() || (self.x2_sign.val() && !self.x2_empty.val());
                self.x3_rest.d.next.infinite = self.x2_empty.val();
                self.x3_rest.d.next.zero = self.x2_infinite.val();
                self.x3_rest.d.next.exact = self.x2.q.val().whole && self.x2_upper.val().get_bit(0);
            }
            SpecialOperation::Logarithm => {
                self.x2_exponent.next = 133.into();
                self.x3_rest.d.next.negative = self.x2_empty.val();
                self.x3_rest.d.next.nan = self.x2_nan.val() || (self.x2_sign.val() && !self.x2_empty.val());
                self.x3_rest.d.next.infinite = self.x2_empty.val() || self.x2_infinite.val();
                self.x3_rest.d.next.exact = self.x2.q.val().whole && (self.x2_upper.val() == 127);
            }
            SpecialOperation::Power => {
                // For a negative power: the integer's inverse if there is a fraction, else its negative.
                self.x2_exponent.next = self.x2_integer.val() + 128;
                if self.x2_sign.val() {
                    self.x2_exponent.next = bits::<10>(127) - self.x2_integer.val();
                    if self.x2.q.val().whole {
                        self.x2_exponent.next = bits::<10>(128) - self.x2_integer.val();
                    }
                }
                self.x3_rest.d.next.nan = self.x2_marked.val() && !self.x2_marked_infinite.val();
                self.x3_rest.d.next.infinite = self.x2_marked_infinite.val() && !self.x2_sign.val();
                self.x3_rest.d.next.zero = self.x2_marked_infinite.val() && self.x2_sign.val();
            }
            _ => {
                self.x3_rest.d.next.negative = self.x2.q.val().flips;
                self.x3_rest.d.next.nan = self.x2_marked.val();
            }
        }
        self.x3_rest.d.next.exponent = self.x2_exponent.val();
    }

    /// The sum starts with the constant term and the rounding constant, in the sum's units. LG2 adds the argument's
    /// exponent.
    #[hdl_part]
    fn bias_constant(&mut self) {
        self.quadratic.a.next = self.x3.q.val().c;
        self.quadratic.b.next = bit_cast::<18, 15>(self.squarer.square.val());
        self.x3_a.next = self.x3.q.val().a;
        self.x3_power.next = self.x3.q.val().power;
        self.x3_half.next = 0.into();
        match self.x3_rest.q.val().operation {
            SpecialOperation::Reciprocal => self.x3_half.next = 0x8fce.into(),
            SpecialOperation::ReciprocalRoot => self.x3_half.next = 0x7fff.into(),
            SpecialOperation::Logarithm => self.x3_half.next = 0x3345.into(),
            SpecialOperation::Power => self.x3_half.next = 0x77e2.into(),
            _ => {}
        }
        self.x3_bias.next = self.x3_half.val();
        if self.x3_rest.q.val().operation == SpecialOperation::Logarithm {
            self.x3_bias.next = (bit_cast::<46, 8>(self.x3_power.val()) << 38) | self.x3_half.val();
        }
        self.x3_term.next = bit_cast::<46, 29>(self.x3_a.val()) << 11;
        self.x4.d.next = self.x3_term.val() + self.x3_bias.val();
        self.x4_rest.d.next = self.x3_rest.q.val();
    }

    /// Adds the two products to the sum, sign-extended, one per stage.
    #[hdl_part]
    fn add_products(&mut self) {
        self.x4_product.next = self.linear.product.val();
        self.x4_term.next = bit_cast::<46, 36>(self.x4_product.val());
        if self.x4_product.val().get_bit(35) {
            self.x4_term.next = bit_cast::<46, 36>(self.x4_product.val()) | 0x3ff0_0000_0000_u64;
        }
        self.x5.d.next = self.x4.q.val() + self.x4_term.val();
        self.x5_rest.d.next = self.x4_rest.q.val();
        self.x5_product.next = self.quadratic.product.val();
        self.x5_term.next = bit_cast::<46, 36>(self.x5_product.val());
        if self.x5_product.val().get_bit(35) {
            self.x5_term.next = bit_cast::<46, 36>(self.x5_product.val()) | 0x3ff0_0000_0000_u64;
        }
        self.x6.d.next = self.x5.q.val() + self.x5_term.val();
        self.x6_rest.d.next = self.x5_rest.q.val();
    }

    /// Aligns the sum's 1, and inverts LG2's sum if it is negative. Bits below a significand of 25 bits are dropped,
    /// except for LG2 and SIN, which have more.
    #[hdl_part]
    fn place_sum(&mut self) {
        self.x6_sum.next = self.x6.q.val();
        self.x6_travels.next = self.x6_rest.q.val();
        self.x6_coarse.next = self.x6_sum.val().get_bits::<25>(16);
        if self.x6_travels.val().operation == SpecialOperation::Power {
            self.x6_coarse.next = self.x6_sum.val().get_bits::<25>(15);
        }
        self.x6_sine.next = self.x6_sum.val().get_bits::<38>(0);
        self.x6_logarithm.next = self.x6_sum.val().get_bits::<43>(2);
        self.x6_placed.next = bit_cast::<43, 25>(self.x6_coarse.val()) << 18;
        if self.x6_travels.val().exact {
            self.x6_placed.next = 0x400_0000_0000_u64.into();
        }
        self.x7_rest.d.next = self.x6_travels.val();
        match self.x6_travels.val().operation {
            SpecialOperation::Logarithm => {
                self.x6_placed.next = self.x6_logarithm.val();
                if self.x6_travels.val().exact {
                    self.x6_placed.next = 0.into();
                } else if self.x6_sum.val().get_bit(45) {
                    self.x6_placed.next = !self.x6_logarithm.val();
                    if !self.x6_travels.val().infinite {
                        self.x7_rest.d.next.negative = true;
                    }
                }
            }
            SpecialOperation::Sine => self.x6_placed.next = bit_cast::<43, 38>(self.x6_sine.val()) << 5,
            SpecialOperation::Cosine => self.x6_placed.next = bit_cast::<43, 38>(self.x6_sine.val()) << 5,
            _ => {}
        }
        self.x7.d.next = self.x6_placed.val();
    }

    /// Shifts the highest bit to the top, with the same normaliser as the float lane.
    #[hdl_part]
    fn normalise_sum(&mut self) {
        self.x7_travels.next = self.x7_rest.q.val();
        self.normaliser.value.next = self.x7.q.val();
        self.normaliser.exponent.next = self.x7_travels.val().exponent;
        self.normaliser.counted.next = false;
        self.normaliser.count.next = 0.into();
        self.x8_rest.d.next = self.x7_travels.val();
    }

    /// Assembles sign, exponent and fraction; lower bits are cut. Results out of a float's range become infinity or 0.
    #[hdl_part]
    fn pack_result(&mut self) {
        self.x8_flags.next = self.x8_rest.q.val();
        self.x8_value.next = self.normaliser.normal_value.val();
        self.x8_exponent.next = self.normaliser.normal_exponent.val();
        self.x8_fraction.next = self.x8_value.val().get_bits::<23>(19);
        self.x8_positive.next =
            self.x8_value.val().get_bit(42) && !self.x8_exponent.val().get_bit(9) && self.x8_exponent.val().any();
        self.x8_saturates.next =
            self.x8_flags.val().saturate && self.x8_flags.val().operation == SpecialOperation::Power;
        self.x8_scale.next = self.x8_exponent.val().get_bits::<8>(0);
        self.x8_magnitude.next =
            (bit_cast::<32, 8>(self.x8_scale.val()) << 23) | bit_cast::<32, 23>(self.x8_fraction.val());
        if self.x8_flags.val().infinite || (self.x8_positive.val() && self.x8_exponent.val() >= 255) {
            self.x8_magnitude.next = 0x7f80_0000.into();
        }
        if self.x8_saturates.val()
            && (self.x8_flags.val().infinite || (self.x8_positive.val() && self.x8_exponent.val() >= 127))
        {
            self.x8_magnitude.next = 0x3f80_0000.into();
        }
        if self.x8_flags.val().zero || (!self.x8_positive.val() && !self.x8_flags.val().infinite) {
            self.x8_magnitude.next = 0.into();
        }
        self.result.d.next = self.x8_magnitude.val().replace_bit(31, self.x8_flags.val().negative);
        if self.x8_flags.val().nan {
            self.result.d.next = 0x7fff_ffff.into();
        }
        self.x_result.next = self.result.q.val();
    }
}
