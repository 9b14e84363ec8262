//! The float unit of one scalar processor executes float arithmetic and all conversions from and to floats, pipelined
//! in seven stages, with one result per cycle and no stalls.
//!
//! Every operation is `a * b + c` or a special case of it: an addition multiplies by 1, a multiplication adds a zero of
//! the product's sign, a conversion does both. So all operations share one aligner, one addition stage, one normaliser
//! and one rounder:
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
//! * A rounding to an integer (F2I, F2F to an integral value, RRO) aligns the product to the integer's exponent, as if
//!   a 0 of that exponent were added. The half for rounding is in the larger operand's lowest bits. A rounding to a
//!   16-bit denormal, which is an integer times 2^-24, works the same way.
//! * An integer to convert, or a result that is ready after the comparison (FSET, FSLCT), replaces the smaller operand.
//!   A negative integer is subtracted from 2^32.
//! * FMIN and FMAX add their choice to 0.
//!
//! In the words that are aligned, added and normalised, an integer's unit is bit 2 and a float's highest bit is bit 34.
//! A product of significands, which may begin one bit lower, is not normalised before the addition. FMAD is not fused:
//! it truncates the product to 24 bits before it adds, unless c is 0.
//!
//! `flexgrip_arith::float` and `flexgrip_arith::convert` define the arithmetic, `flexgrip_arith::special` RRO's.

pub mod aligner;
pub mod bundles;
pub mod normaliser;
pub mod pack;
pub mod unpack;

use crate::bundles::Operands;
use aligner::Aligner;
use hdlkit::prelude::*;
use pack::FloatPack;
use unpack::FloatUnpack;

pub use crate::bundles::{FloatControl, FloatOperation};
pub use bundles::*;

/// One lane's float unit.
///
/// ```text
/// cycle   t              t+1         t+2         t+3         t+4         t+5         t+6         t+7
///         x_operands                                                                             x_result, x_condition
///         x1_control                 x3_control              x5_control
///         x1_factor_a, b             x3_product
/// ```
/// The three controls are one control, delayed by the parent once for all lanes. There is no valid signal: every
/// cycle's operands give a result. The factors go to a [`Multiplier`](super::multiplier::Multiplier), which is in the
/// integer lane; both are less than 2^24.
///
/// `x_condition` of RRO is 0.
#[circuit]
#[derive(Clone, Debug)]
pub struct FloatLane {
    pub clock: Signal<In, Clock>,
    /// Control of the operands in stage 1.
    pub x1_control: Signal<In, FloatControl>,
    /// `x1_control`, two cycles and four cycles later. Stage 1 decodes stage 2's part, before stage 2's registers.
    pub x3_control: Signal<In, FloatControl>,
    pub x5_control: Signal<In, FloatControl>,
    pub x_operands: Signal<In, Operands>,
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
}

impl Logic for FloatLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.unpack.x1_control.next = self.x1_control.val();
        self.unpack.x_operands.next = self.x_operands.val();
        self.x1_factor_a.next = self.unpack.x1_factor_a.val();
        self.x1_factor_b.next = self.unpack.x1_factor_b.val();

        self.align_terms();
        self.add_terms();

        self.pack.x5_control.next = self.x5_control.val();
        self.pack.x5_sum.next = self.x5.q.val();
        self.x_result.next = self.pack.x_result.val();
        self.x_condition.next = self.pack.x_condition.val();
    }
}

/// The bits, of bits 31..25, that the G80 loses when it converts an integer to a 16-bit float: the upper two, and one
/// more for each leading zero, up to five, of the integer's lower half, or of the inverse's if it is negative. `zeros`
/// marks the zeros among that half's top five bits.
#[hdl_fn]
fn lost_bits(zeros: Bits<5>) -> Bits<7> {
    let mut lost = bits::<7>(0x60);
    let mut all = true;
    for i in 0..5 {
        all = all && zeros.get_bit(4 - i);
        lost = lost.replace_bit(4 - i, all);
    }
    lost
}

impl FloatLane {
    /// Stage 3 sends the smaller one of the product and the second term to the aligner. The larger one, with the addend
    /// that rounds to an integer, goes straight to stage 4.
    #[hdl_part]
    fn align_terms(&mut self) {
        let control = self.x3_control.val();
        let operation = control.operation;
        let terms = self.unpack.x3_terms.val();
        let second = terms.second;
        let from_integer = operation == FloatOperation::FromInteger;
        let ready = operation == FloatOperation::Set || operation == FloatOperation::Select || from_integer;
        let is_float = operation == FloatOperation::MultiplyAdd
            || operation == FloatOperation::Add
            || operation == FloatOperation::MinMax;
        let reduces_sine = operation == FloatOperation::ReduceSine;

        // The second term.
        let exponent = second.bits::<8>(23);
        let fraction = second.low::<23>();
        let normal = exponent.any();
        let significand = mask(normal, fraction.resize::<24>() | 0x80_0000);
        let second_term = significand.resize::<35>() << 11;
        let second_nan = is_float && exponent.all() && fraction.any();
        let second_infinite = is_float && exponent.all() && !fraction.any();

        // The product: 34 bits and a sticky bit. FMAD truncates it to 24 bits unless c is 0, RRO.SIN to 32.
        let product = self.x3_product.val();
        let upper = product.bits::<35>(13);
        let product_term = if operation == FloatOperation::MultiplyAdd && normal {
            if upper.get_bit(34) {
                upper & 0x7_ffff_f800
            } else {
                upper & 0x7_ffff_fc00
            }
        } else if reduces_sine {
            upper & 0x7_ffff_fff8
        } else {
            upper | mask(product.low::<13>().any(), bits::<35>(1))
        };

        // The addend that rounds the sum to an integer once the two bits below are dropped.
        let away = match control.rounding.index() {
            1 => terms.product_negative,
            2 => !terms.product_negative,
            _ => false,
        };
        let half = if !terms.integral || reduces_sine || operation == FloatOperation::ReducePower {
            bits::<2>(0)
        } else if away {
            bits(3)
        } else if control.rounding == 0 {
            bits(2)
        } else {
            bits(0)
        };

        // The term to shift, and the other term.
        let (smaller, larger) = if ready {
            (second.resize::<35>() << 2, mask(terms.subtract, bits::<35>(0x4_0000_0000)))
        } else if terms.product_smaller {
            (product_term, second_term)
        } else {
            (second_term, product_term)
        };
        self.aligner.x3_value.next = smaller;
        self.aligner.x3_count.next = terms.distance;
        self.aligner.x3_beyond.next = terms.beyond;

        let zeros = second.bits::<5>(11) ^ (!terms.subtract).fill::<5>();
        let second_decides = second_infinite || (terms.product_smaller && !terms.product_infinite);
        let opposite_infinities = terms.product_infinite && second_infinite && terms.subtract;
        let shifts_angle = reduces_sine && !terms.product_smaller;
        self.x4.d.next = FloatAddends {
            larger: larger | half.resize::<35>(),
            subtract: terms.subtract,
            lost: mask(from_integer && control.result_half, lost_bits(zeros)),
            integral: terms.integral,
            even: half == 2,
            negative: if second_decides { terms.second_negative } else { terms.product_negative },
            rest: FloatRest {
                exponent: terms.exponent,
                zero_negative: terms.product_negative && terms.second_negative,
                two_terms: is_float && normal,
                nan: terms.product_nan || second_nan || opposite_infinities,
                infinite: terms.product_infinite || second_infinite,
                past: terms.past,
                denormal: terms.denormal,
                count: mask(shifts_angle, terms.distance),
                count_beyond: shifts_angle && terms.beyond,
            },
        };
    }

    /// Stage 4 forms the sum, and the reversed difference in case the aligned term is larger after all, which is
    /// possible without a shift or after a shift by one bit.
    #[hdl_part]
    fn add_terms(&mut self) {
        let addends = self.x4.q.val();
        let aligned = self.aligner.x4_value.val();
        let larger = addends.larger.resize::<36>();
        let smaller = aligned.resize::<36>();
        let backward = smaller - larger;
        let forward = if addends.subtract { larger - smaller } else { larger + smaller };
        let wrong_way = addends.subtract && !backward.get_bit(35) && backward.any();
        let magnitude = if wrong_way {
            backward
        } else if addends.integral {
            if addends.even && aligned.low::<2>() == 2 {
                forward & 0xf_ffff_fff8
            } else {
                forward & 0xf_ffff_fffc
            }
        } else {
            forward & !(addends.lost.resize::<36>() << 27)
        };
        let rest = addends.rest;
        self.x5.d.next = FloatSum {
            magnitude,
            negative: addends.negative != (wrong_way && !rest.infinite),
            rest: FloatRest { exponent: rest.exponent + 1, ..rest },
        };
    }
}
