//! The integer unit of one scalar processor executes every integer operation of the G80, pipelined in three stages,
//! with one result per cycle and no stalls.
//!
//! All operations use one saturating adder, in the third stage. Operations that are not sums have their result ready
//! before it and add 0; a conversion clamps with the adder's saturation. So there is one multiplexer before the adder,
//! one after it, and no other path to the result:
//!
//! ```text
//!  stage 1                       stage 2                         stage 3
//!
//!  a, b --- 16/24 bits ---------- Multiplier -----------------+--- (floats' product)
//!  a, b ------------------------- Shifter --------------------|
//!  a, b; 0, value to convert -+-- logic, compare, difference -+- + --- clamp --- result
//!  c -------------------------+-- b, c or 0, inverted; carry ----+               condition
//! ```
//!
//! The differences `b - a` and `c - product` are the inverse of `a + ~b` and `product + ~c`, so the inversion is after
//! the adder, and only the operand select is before it. The distance `|a - b|` is the difference from stage 2's
//! comparison; if it is negative, its inverse is added with a carry.
//!
//! In a float beat the float unit uses the multiplier.
//!
//! `flexgrip_arith::integer` defines the arithmetic.

pub(super) mod operands;
mod sum;
mod terms;

use super::multiplier::Multiplier;
use super::shifter::Shifter;
use crate::bundles::*;
use crate::optional::optional;
use hdlkit::prelude::*;

/// The register before stage 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IntegerOperands {
    /// a; for a conversion 0, which makes `first - second` the negative.
    first: Bits<32>,
    /// b; the source's value for a conversion.
    second: Bits<32>,
    /// c, unchanged.
    third: Bits<32>,
    /// C of the source condition code.
    carry: Bit,
    /// Inverts the unsigned comparison: the operands are signed, and their signs differ. Convert: the value is
    /// negative.
    flip: Bit,
    /// Convert: negate the value.
    negate: Bit,
}

/// The register before stage 3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IntegerTerms {
    /// First operand of the adder, unless it comes from the multiplier or the shifter.
    augend: Bits<32>,
    /// Second operand of the adder, and the carry in bit 0.
    addend: Bits<33>,
    /// Convert: the value is out of range.
    clamp: Bit,
    /// Convert: the value is negative.
    negative: Bit,
    /// The distance to add is 2^31.
    farthest: Bit,
    // Decoded in stage 2: stage 3 has no time.
    /// The first operand is the product's bits 47..16; its bits 31..0; the shifter's result.
    takes_high: Bit,
    takes_low: Bit,
    takes_shift: Bit,
    /// The sum has a carry and an overflow; it is inverted; it is clamped on overflow.
    counts: Bit,
    inverts: Bit,
    saturates: Bit,
    converts: Bit,
    narrow: Bit,
    sets_code: Bit,
}

/// The register before stage 3 for G2R.LCK.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LockTerms {
    /// The operation is G2R.LCK.
    valid: Bit,
    /// The lane has the lock.
    succeeds: Bit,
}

/// A result of the unit.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IntegerResult {
    pub value: Bits<32>,
    /// Z = bit 0, S = bit 1, C = bit 2, O = bit 3.
    pub condition: Bits<4>,
}

/// One lane's integer unit.
///
/// ```text
/// cycle   t                       t+1           t+2           t+3
///         x_operands, x_carry                                 x_result, x_condition
///         x1_control              x2_control    x3_control
/// ```
/// The three controls are one control, delayed by the parent once for all lanes. There is no valid signal: every
/// cycle's operands give a result. Operands of `narrow` operations have bits 31..16 clear, and so have their results;
/// for SumDistance only a and b are 16 bits.
///
/// At most one of `negate_first`, `negate_last` and `carry_in` is set. A multiplication ignores these and `saturate`
/// without `accumulate`, and `multiply_high` without `multiply_24`.
#[circuit]
#[derive(Clone, Debug)]
pub struct IntegerLane {
    pub clock: Signal<In, Clock>,
    /// Control of the operands in stage 1.
    pub x1_control: Signal<In, IntegerControl>,
    /// `x1_control`, a cycle later.
    pub x2_control: Signal<In, IntegerControl>,
    /// `x1_control`, two cycles later.
    pub x3_control: Signal<In, IntegerControl>,
    pub x_operands: Signal<In, Operands>,
    /// C of the source condition code.
    pub x_carry: Signal<In, Bit>,
    /// Multiply the float unit's two factors instead. The product of either unit appears two cycles later.
    pub x1_is_float: Signal<In, Bit>,
    pub x1_float_a: Signal<In, Bits<25>>,
    pub x1_float_b: Signal<In, Bits<25>>,
    pub x3_product: Signal<Out, Bits<48>>,
    pub x_result: Signal<Out, Bits<32>>,
    /// Z = bit 0, S = bit 1, C = bit 2, O = bit 3.
    pub x_condition: Signal<Out, Bits<4>>,
    /// Keep this cycle's result in `x5_result`, from the next cycle onward.
    pub x4_keep: Signal<In, Bit>,
    pub x5_result: Signal<Out, IntegerResult>,

    multiplier: Multiplier,
    shifter: Shifter,
    x2: DFF<IntegerOperands>,
    x3: DFF<IntegerTerms>,
    x4: DFF<IntegerResult>,
    x5: DFF<IntegerResult>,

    /// G2R.LCK exists: capability 1.2. It is a SetCode with `carry_in`: the value is a, the code S with the carry and Z
    /// without.
    locks: Constant<Bit>,
    x3_lock: Vec<DFF<LockTerms>>,
}

impl IntegerLane {
    /// Returns a lane with or without G2R.LCK.
    pub fn new(locks: bool) -> Self {
        IntegerLane { locks: Constant::new(locks), x3_lock: optional(locks), ..Default::default() }
    }
}

impl Logic for IntegerLane {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: operands.
        self.feed_multiplier();
        self.feed_shifter();
        self.choose_operands();
        // Stage 2: the adder's terms.
        self.form_terms();
        // Stage 3: the sum, clamped, with its condition code.
        self.add_terms();
        // The result, and the result kept for the long path.
        let result = self.x4.q.val();
        self.x_result.next = result.value;
        self.x_condition.next = result.condition;
        if self.x4_keep.val() {
            self.x5.d.next = result;
        }
        self.x5_result.next = self.x5.q.val();
        if self.locks.val() {
            self.form_lock_terms();
            self.set_lock_code();
        }
    }
}
