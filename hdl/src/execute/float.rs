//! The float unit of one scalar processor: float arithmetic and all conversions from and to floats, one result per
//! cycle, no stalls.
//!
//! Every operation is `a * b + c` or a special case of it: an addition multiplies by 1, a multiplication adds a zero of
//! the product's sign, a conversion does both. So there is one shifter of each kind and one adder of each kind:
//!
//! ```text
//!  stage 1      stage 2           stage 3         stage 4      stage 5       stage 6   stage 7
//!
//!  a, b ------- Multiplier ------ product -+
//!  exponents -- distance, larger --------- Aligner -- + - ---- Normaliser -- round --- pack --- result
//!  c; a or b -- compare, choose -----------+                   range                   clamp    condition
//! ```
//!
//! Operations that are not sums take the same path:
//!
//! * A rounding to an integer (F2I, F2F to an integral value, RRO) aligns the product to the exponent of the integer's
//!   place, as if a 0 of that exponent were added. The half for rounding is in the larger operand's lowest bits.
//!   A rounding to a 16-bit denormal, which is an integer times 2^-24, works the same way.
//! * An integer to convert, and a result that is ready after the comparison (FSET, FSLCT), replace the smaller
//!   operand. A negative integer is subtracted from 2^32.
//! * FMIN and FMAX add their choice to 0.
//!
//! The words that are aligned, added and normalised have an integer's unit at bit 2 and a float's highest bit at bit
//! 34; a product of significands, whose highest bit may be one lower, is not normalised before the addition.
//!
//! The arithmetic is that of `flexgrip_arith::float` and `flexgrip_arith::convert`; RRO's is that of
//! `flexgrip_arith::special`.

pub mod aligner;
pub mod bundles;
pub mod normaliser;
pub mod pack;
pub mod unpack;

use aligner::Aligner;
use hdlkit::prelude::*;
use pack::FloatPack;
use unpack::FloatUnpack;

pub use bundles::*;

/// One lane's float unit.
///
/// ```text
/// cycle   t               t+1          t+2          t+3          t+4          t+5          t+6          t+7
///         x_a, x_b, x_c                                                                                 x_result, x_condition
///         x1_control                   x3_control                x5_control
///         x1_factor_a, b               x3_product
/// ```
/// The three controls are one control, delayed by the parent once for all lanes. There is no valid: every cycle's
/// operands give a result. The factors go to a [`Multiplier`](super::multiplier::Multiplier), which is in the integer
/// lane; both are less than 2^24.
///
/// `x_condition` of RRO is 0.
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
pub struct FloatLane {
    pub clock: Signal<In, Clock>,
    /// Control of the operands in stage 1.
    pub x1_control: Signal<In, FloatControl>,
    /// The same, two cycles and four cycles later. Stage 2's part is decoded in stage 1, before stage 2's registers.
    pub x3_control: Signal<In, FloatControl>,
    pub x5_control: Signal<In, FloatControl>,
    pub x_a: Signal<In, Bits<32>>,
    pub x_b: Signal<In, Bits<32>>,
    pub x_c: Signal<In, Bits<32>>,
    pub x1_factor_a: Signal<Out, Bits<25>>,
    pub x1_factor_b: Signal<Out, Bits<25>>,
    /// The product of the factors.
    pub x3_product: Signal<In, Bits<48>>,
    pub x_result: Signal<Out, Bits<32>>,
    /// Z = bit 0, S = bit 1.
    pub x_condition: Signal<Out, Bits<4>>,

    unpack: FloatUnpack,
    aligner: Aligner,
    pack: FloatPack,
    x4: DFF<FloatAddends>,
    x5: DFF<FloatSum>,

    x3_terms: Signal<Local, FloatTerms>,
    x3_upper: Signal<Local, Bits<35>>,
    x3_below: Signal<Local, Bits<13>>,
    x3_whole: Signal<Local, Bits<35>>,
    x3_short: Signal<Local, Bits<35>>,
    x3_product_term: Signal<Local, Bits<35>>,
    x3_bits: Signal<Local, Bits<32>>,
    x3_ready: Signal<Local, Bit>,
    x3_scale: Signal<Local, Bits<8>>,
    x3_fraction: Signal<Local, Bits<23>>,
    x3_normal: Signal<Local, Bit>,
    x3_is_float: Signal<Local, Bit>,
    x3_significand: Signal<Local, Bits<24>>,
    x3_second_term: Signal<Local, Bits<35>>,
    x3_integer: Signal<Local, Bits<35>>,
    x3_second_nan: Signal<Local, Bit>,
    x3_second_infinite: Signal<Local, Bit>,
    x3_cut: Signal<Local, Bit>,
    x3_negative: Signal<Local, Bit>,
    x3_rounding: Signal<Local, Bits<2>>,
    x3_away: Signal<Local, Bit>,
    x3_half: Signal<Local, Bits<2>>,
    x3_half_term: Signal<Local, Bits<35>>,
    x3_base: Signal<Local, Bits<35>>,
    x3_low: Signal<Local, Bits<16>>,
    x3_zeros: Signal<Local, Bits<16>>,
    x3_lost: Signal<Local, Bits<7>>,

    x4_addends: Signal<Local, FloatAddends>,
    x4_larger: Signal<Local, Bits<36>>,
    x4_smaller: Signal<Local, Bits<36>>,
    x4_aligned: Signal<Local, Bits<35>>,
    x4_forward: Signal<Local, Bits<36>>,
    x4_backward: Signal<Local, Bits<36>>,
    x4_wrong_way: Signal<Local, Bit>,
    x4_magnitude: Signal<Local, Bits<36>>,
    x4_rest: Signal<Local, Bits<2>>,
    x4_lost: Signal<Local, Bits<36>>,
    x4_next: Signal<Local, FloatRest>,
    x4_exponent: Signal<Local, Bits<10>>,

    _activity: Activity,
}

impl Logic for FloatLane {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x4, x5);
        self.unpack.clock.next = self.clock.val();
        self.aligner.clock.next = self.clock.val();
        self.pack.clock.next = self.clock.val();

        self.unpack.x1_control.next = self.x1_control.val();
        self.unpack.x_a.next = self.x_a.val();
        self.unpack.x_b.next = self.x_b.val();
        self.unpack.x_c.next = self.x_c.val();
        self.x1_factor_a.next = self.unpack.x1_factor_a.val();
        self.x1_factor_b.next = self.unpack.x1_factor_b.val();

        // Stage 3. The second term.
        self.x3_terms.next = self.unpack.x3_terms.val();
        self.x3_bits.next = self.x3_terms.val().second;
        self.x3_ready.next = self.x3_control.val().operation == FloatOperation::Set
            || self.x3_control.val().operation == FloatOperation::Select
            || self.x3_control.val().operation == FloatOperation::FromInteger;
        self.x3_is_float.next = self.x3_control.val().operation == FloatOperation::MultiplyAdd
            || self.x3_control.val().operation == FloatOperation::Add
            || self.x3_control.val().operation == FloatOperation::MinMax;
        self.x3_scale.next = self.x3_bits.val().get_bits::<8>(23);
        self.x3_fraction.next = self.x3_bits.val().get_bits::<23>(0);
        self.x3_normal.next = self.x3_scale.val().any();
        self.x3_significand.next = 0.into();
        if self.x3_normal.val() {
            self.x3_significand.next = bit_cast::<24, 23>(self.x3_fraction.val()) | 0x80_0000;
        }
        self.x3_second_term.next = bit_cast::<35, 24>(self.x3_significand.val()) << 11;
        self.x3_integer.next = bit_cast::<35, 32>(self.x3_bits.val()) << 2;
        self.x3_second_nan.next = self.x3_is_float.val() && self.x3_scale.val().all() && self.x3_fraction.val().any();
        self.x3_second_infinite.next =
            self.x3_is_float.val() && self.x3_scale.val().all() && !self.x3_fraction.val().any();

        // The product: cut to 34 bits with a sticky bit, or to 24. RRO.SIN cuts it to 32.
        self.x3_upper.next = self.x3_product.val().get_bits::<35>(13);
        self.x3_below.next = self.x3_product.val().get_bits::<13>(0);
        self.x3_whole.next = self.x3_upper.val();
        if self.x3_below.val().any() {
            self.x3_whole.next = self.x3_upper.val() | 1;
        }
        self.x3_short.next = self.x3_upper.val() & 0x7_ffff_fc00_u64;
        if self.x3_upper.val().get_bit(34) {
            self.x3_short.next = self.x3_upper.val() & 0x7_ffff_f800_u64;
        }
        self.x3_cut.next = self.x3_control.val().operation == FloatOperation::MultiplyAdd && self.x3_normal.val();
        self.x3_product_term.next = self.x3_whole.val();
        if self.x3_cut.val() {
            self.x3_product_term.next = self.x3_short.val();
        } else if self.x3_control.val().operation == FloatOperation::ReduceSine {
            self.x3_product_term.next = self.x3_upper.val() & 0x7_ffff_fff8_u64;
        }

        // The addend that rounds the sum to an integer once the two bits below are dropped.
        self.x3_negative.next = self.x3_terms.val().product_negative;
        self.x3_rounding.next = self.x3_control.val().rounding;
        self.x3_away.next = false;
        match self.x3_rounding.val().index() {
            1 => self.x3_away.next = self.x3_negative.val(),
            2 => self.x3_away.next = !self.x3_negative.val(),
            _ => {}
        }
        self.x3_half.next = 0.into();
        if self.x3_terms.val().integral {
            if self.x3_away.val() {
                self.x3_half.next = 3.into();
            } else if self.x3_rounding.val() == 0 {
                self.x3_half.next = 2.into();
            }
        }
        if self.x3_control.val().operation == FloatOperation::ReduceSine
            || self.x3_control.val().operation == FloatOperation::ReducePower
        {
            self.x3_half.next = 0.into();
        }
        self.x3_half_term.next = bit_cast::<35, 2>(self.x3_half.val());

        // The term to shift.
        self.aligner.x3_value.next = self.x3_second_term.val();
        self.x3_base.next = self.x3_product_term.val();
        if self.x3_ready.val() {
            self.aligner.x3_value.next = self.x3_integer.val();
            self.x3_base.next = 0.into();
            if self.x3_terms.val().subtract {
                self.x3_base.next = 0x4_0000_0000_u64.into();
            }
        } else if self.x3_terms.val().product_smaller {
            self.aligner.x3_value.next = self.x3_product_term.val();
            self.x3_base.next = self.x3_second_term.val();
        }
        self.aligner.x3_count.next = self.x3_terms.val().distance;
        self.aligner.x3_beyond.next = self.x3_terms.val().beyond;

        // The bits that the G80 loses of an integer on its way to a 16-bit float: two, plus one for each leading zero,
        // up to five, of its lower half; of the inverse if it is negative.
        self.x3_low.next = self.x3_bits.val().get_bits::<16>(0);
        self.x3_zeros.next = !self.x3_low.val();
        if self.x3_terms.val().subtract {
            self.x3_zeros.next = self.x3_low.val();
        }
        self.x3_lost.next = 0.into();
        if self.x3_control.val().operation == FloatOperation::FromInteger && self.x3_control.val().result_half {
            self.x3_lost.next = 0x60.into();
            if self.x3_zeros.val().get_bit(15) {
                self.x3_lost.next = 0x70.into();
                if self.x3_zeros.val().get_bit(14) {
                    self.x3_lost.next = 0x78.into();
                    if self.x3_zeros.val().get_bit(13) {
                        self.x3_lost.next = 0x7c.into();
                        if self.x3_zeros.val().get_bit(12) {
                            self.x3_lost.next = 0x7e.into();
                            if self.x3_zeros.val().get_bit(11) {
                                self.x3_lost.next = 0x7f.into();
                            }
                        }
                    }
                }
            }
        }

        self.x4.d.next.larger = self.x3_base.val() | self.x3_half_term.val();
        self.x4.d.next.subtract = self.x3_terms.val().subtract;
        self.x4.d.next.lost = self.x3_lost.val();
        self.x4.d.next.integral = self.x3_terms.val().integral;
        self.x4.d.next.even = self.x3_half.val() == 2;
        self.x4.d.next.negative = self.x3_terms.val().product_negative;
        if self.x3_second_infinite.val()
            || (self.x3_terms.val().product_smaller && !self.x3_terms.val().product_infinite)
        {
            self.x4.d.next.negative = self.x3_terms.val().second_negative;
        }
        self.x4.d.next.rest.exponent = self.x3_terms.val().exponent;
        self.x4.d.next.rest.zero_negative = self.x3_terms.val().product_negative && self.x3_terms.val().second_negative;
        self.x4.d.next.rest.two_terms = self.x3_is_float.val() && self.x3_normal.val();
        self.x4.d.next.rest.nan = self.x3_terms.val().product_nan
            || self.x3_second_nan.val()
            || (self.x3_terms.val().product_infinite && self.x3_second_infinite.val() && self.x3_terms.val().subtract);
        self.x4.d.next.rest.infinite = self.x3_terms.val().product_infinite || self.x3_second_infinite.val();
        self.x4.d.next.rest.past = self.x3_terms.val().past;
        self.x4.d.next.rest.denormal = self.x3_terms.val().denormal;
        self.x4.d.next.rest.count = 0.into();
        self.x4.d.next.rest.count_beyond = false;
        if self.x3_control.val().operation == FloatOperation::ReduceSine && !self.x3_terms.val().product_smaller {
            self.x4.d.next.rest.count = self.x3_terms.val().distance;
            self.x4.d.next.rest.count_beyond = self.x3_terms.val().beyond;
        }

        // Stage 4. The sum, and the reversed difference, in case the aligned term is larger after all, which is
        // possible without a shift or after a shift by one bit.
        self.x4_addends.next = self.x4.q.val();
        self.x4_aligned.next = self.aligner.x4_value.val();
        self.x4_larger.next = bit_cast::<36, 35>(self.x4_addends.val().larger);
        self.x4_smaller.next = bit_cast::<36, 35>(self.x4_aligned.val());
        self.x4_backward.next = self.x4_smaller.val() - self.x4_larger.val();
        self.x4_forward.next = self.x4_larger.val() + self.x4_smaller.val();
        self.x4_wrong_way.next = false;
        if self.x4_addends.val().subtract {
            self.x4_forward.next = self.x4_larger.val() - self.x4_smaller.val();
            self.x4_wrong_way.next = !self.x4_backward.val().get_bit(35) && self.x4_backward.val().any();
        }
        self.x4_rest.next = self.x4_aligned.val().get_bits::<2>(0);
        self.x4_lost.next = bit_cast::<36, 7>(self.x4_addends.val().lost) << 27;
        self.x4_magnitude.next = self.x4_forward.val() & !self.x4_lost.val();
        if self.x4_wrong_way.val() {
            self.x4_magnitude.next = self.x4_backward.val();
        } else if self.x4_addends.val().integral {
            self.x4_magnitude.next = self.x4_forward.val() & 0xf_ffff_fffc_u64;
            if self.x4_addends.val().even && (self.x4_rest.val() == 2) {
                self.x4_magnitude.next = self.x4_forward.val() & 0xf_ffff_fff8_u64;
            }
        }
        self.x4_next.next = self.x4_addends.val().rest;
        self.x4_exponent.next = self.x4_next.val().exponent;
        self.x5.d.next.magnitude = self.x4_magnitude.val();
        self.x5.d.next.negative = self.x4_addends.val().negative;
        if self.x4_wrong_way.val() && !self.x4_next.val().infinite {
            self.x5.d.next.negative = !self.x4_addends.val().negative;
        }
        self.x5.d.next.rest = self.x4_next.val();
        self.x5.d.next.rest.exponent = self.x4_exponent.val() + 1;

        self.pack.x5_control.next = self.x5_control.val();
        self.pack.x5_sum.next = self.x5.q.val();
        self.x_result.next = self.pack.x_result.val();
        self.x_condition.next = self.pack.x_condition.val();
    }
}
