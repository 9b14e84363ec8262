//! The double-precision unit of compute capability 1.3 executes double arithmetic and all conversions with a 64-bit
//! source or result, pipelined in ten stages, with one result per cycle and no stalls.
//!
//! Every operation is `a * b + c` or a special case of it: an addition multiplies by 1, a multiplication adds a zero of
//! the product's sign, a conversion does both. So all operations share one multiplier, aligner, adder, normaliser and
//! rounder:
//!
//! ```text
//!  stage 1      stage 2           stage 3     stage 4, 5      stage 6   stage 7, 8     stage 9   stage 10
//!
//!  a, b ------- digits' products  + + + +  -+
//!  classes ---- distance, larger ---------- DoubleAligner --- + - ----- normaliser --- round --- pack --- result
//!  exponents -- compare, choose ------------+                           range                    clamp    condition
//! ```
//!
//! Denormals need no stage of their own:
//!
//! * A denormal operand keeps its leading zeros and has the least normal exponent. The product then also begins with
//!   zeros, but at least 52 bits are below its first one, and three more are added for c. c is shifted past these three
//!   only if it is less than half the product; then they are at worst the result's last bit, the guard bit and the
//!   sticky bit.
//! * The sum is never aligned to less than the least exponent of the result's format, because c has that exponent at
//!   least, even if it is 0. The normaliser does not shift the sum below that exponent.
//!
//! Operations that are not sums take the same path:
//!
//! * A rounding to an integer (F2I, F2F to an integral value) aligns the product to the integer's exponent, as if a 0
//!   of that exponent were added. The half for rounding is in the larger operand's lowest bits.
//! * An integer to convert, or a result that is ready after the comparison (DSET, DMIN, DMAX, NaNs, infinities),
//!   replaces the smaller operand. A negative integer is subtracted from 2^64.
//!
//! In the words that are aligned and added, an integer's unit is bit 2 and a double's highest bit is bit 107, the
//! exponent's. The product may begin one bit higher, and a sum two.
//!
//! # A warp
//!
//! An SM has one such unit, as in a GT200: a warp's threads enter one by one, from a [queue](super::double_queue). The
//! instruction's control enters with each thread, so instructions may follow each other without a gap. `xN` is stage N.
//!
//! ```text
//! cycle      t      t+1    t+2    ..   t+9    t+10           t+11         ..   t+31          ..   t+41
//! thread 0   x1     x2     x3     ..   x10    result 0
//! thread 1          x1     x2     ..   x9     x10            result 1
//! ..
//! thread 31                                                                    x1            ..   result 31
//! next warp                                                                    (x1 at t+32)
//! ```
//!
//! `flexgrip_arith::double` defines the arithmetic.

pub mod aligner;
pub mod bundles;
pub mod multiplier;
pub mod normaliser;
pub mod pack;
pub mod unpack;

use aligner::DoubleAligner;
use bundles::{DoubleAddends, DoubleRest, DoubleScale, DoubleTerms};
use hdlkit::prelude::*;
use multiplier::DoubleMultiplier;
use pack::DoublePack;
use unpack::DoubleUnpack;

pub use crate::bundles::{DoubleControl, DoubleOperands, DoubleOperation};

/// The double-precision unit of an SM.
///
/// ```text
/// cycle   t                       t+10
///         x_control, x_operands   x_result, x_condition
/// ```
/// There is no valid signal: every cycle's operands give a result.
#[circuit]
#[derive(Clone, Debug)]
pub struct DoubleUnit {
    pub clock: Signal<In, Clock>,
    pub x_control: Signal<In, DoubleControl>,
    pub x_operands: Signal<In, DoubleOperands>,
    /// A result of 32 bits is in bits 31..0; the others are 0.
    pub x_result: Signal<Out, Bits<64>>,
    /// Z = bit 0, S = bit 1, C = bit 2, always 0, O = bit 3.
    pub x_condition: Signal<Out, Bits<4>>,

    unpack: DoubleUnpack,
    multiplier: DoubleMultiplier,
    aligner: DoubleAligner,
    pack: DoublePack,
    x4: DFF<DoubleTerms>,
    x5: DFF<DoubleAddends>,
    x5_larger: DFF<WideBits<109>>,
    x6: DFF<DoubleAddends>,
    x6_larger: DFF<WideBits<109>>,
    x7_sum: DFF<WideBits<110>>,
    x7_negative: DFF<Bit>,
    x7_scale: DFF<DoubleScale>,
    x7_rest: DFF<DoubleRest>,
}

impl Logic for DoubleUnit {
    #[hdl_gen]
    fn update(&mut self) {
        self.unpack.x_control.next = self.x_control.val();
        self.unpack.x_operands.next = self.x_operands.val();
        self.multiplier.x1_a.next = self.unpack.x1_factor_a.val();
        self.multiplier.x1_b.next = self.unpack.x1_factor_b.val();
        // Stage 3 adds the digits' products.
        self.x4.d.next = self.unpack.x3_terms.val();

        self.align_terms();
        self.add_terms();

        self.pack.x7_sum.next = self.x7_sum.q.val();
        self.pack.x7_negative.next = self.x7_negative.q.val();
        self.pack.x7_scale.next = self.x7_scale.q.val();
        self.pack.x7_rest.next = self.x7_rest.q.val();
        self.x_result.next = self.pack.x_result.val();
        self.x_condition.next = self.pack.x_condition.val();
    }
}

impl DoubleUnit {
    /// Stage 4 sends one of the terms to the aligner and keeps the other, plus half a unit for rounding.
    #[hdl_part]
    fn align_terms(&mut self) {
        let terms = self.x4.q.val();
        let rest = terms.rest;
        let product = self.multiplier.x4_product.val().resize::<109>() << 3;
        let second = terms.second.widen::<109>() << 55;
        let chosen = terms.chosen.widen::<109>() << 2;
        let negation = WideBits::<109>::ZERO.replace_bit(66, terms.subtract);
        let (smaller, larger) = if terms.is_chosen {
            (chosen, negation)
        } else if terms.product_smaller {
            (product, second)
        } else {
            (second, product)
        };
        self.aligner.x4_value.next = smaller;
        self.aligner.x4_count.next = terms.distance;
        self.aligner.x4_beyond.next = terms.beyond;
        self.x5_larger.d.next = larger | terms.half.widen::<109>();

        let exponent = terms.exponent + 2;
        let least = if rest.short { bits::<12>(1023 - 126) } else { bits(1) };
        let limit = exponent - least;
        let far = limit.bits::<5>(7).any();
        let direct = rest.ready || rest.to_integer;
        self.x5.d.next = DoubleAddends {
            subtract: terms.subtract,
            negative: terms.negative,
            integral: terms.integral,
            tie: terms.half == 2,
            scale: DoubleScale { exponent, limit: mask(!direct, limit.low::<7>() | far.fill::<7>()) },
            rest,
        };

        let addends = self.x5.q.val();
        self.aligner.x5_invert.next = addends.subtract;
        self.x6.d.next = DoubleAddends { tie: addends.tie && self.aligner.x5_low.val() == 2, ..addends };
        self.x6_larger.d.next = self.x5_larger.q.val();
    }

    /// Stage 6 forms the sum, and the reversed difference in case the aligned term is larger after all.
    #[hdl_part]
    fn add_terms(&mut self) {
        let addends = self.x6.q.val();
        let larger = self.x6_larger.q.val().resize::<111>();
        let smaller = self.aligner.x6_value.val();
        let subtract = addends.subtract;
        // A subtraction adds the aligned term, inverted, and a carry: bit 0 of a sum that is one bit wider.
        let carry = subtract.fill::<1>().widen::<1>();
        let augend: WideBits<112> = larger.concat(WideBits::<1>::ONES);
        let addend: WideBits<112> = smaller.concat(carry);
        let forward = (augend + addend).bits::<111>(1);
        let backward = !(larger + smaller);
        let wrong_way = subtract && forward.get_bit(110);
        let sum = if wrong_way { backward } else { forward };
        let magnitude = if addends.integral {
            if addends.tie {
                sum & !WideBits::<111>::new(7)
            } else {
                sum & !WideBits::<111>::new(3)
            }
        } else {
            sum
        };
        self.x7_sum.d.next = magnitude.low::<110>();
        self.x7_negative.d.next = addends.negative != wrong_way;
        self.x7_scale.d.next = addends.scale;
        self.x7_rest.d.next = addends.rest;
    }
}
