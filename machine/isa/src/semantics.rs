//! Semantics: the `flexgrip-arith` function of each operation, for one lane or many.

use crate::operation::{LaneInputs, Logic, Operation, Product, Quad, Sum, Width};
use flexgrip_arith::convert::{f2f, f2i, i2f};
use flexgrip_arith::float::{fadd, fmad, fmax, fmin, fmul, fmul_saturated, fset, fslct, fswz, Sign};
use flexgrip_arith::integer::{i2i, iadd, imad, imax, imin, imul16, imul24, isad, iset, lop, plain, shl, shr};
use flexgrip_arith::{special, Cc, Flagged};

/// The result of an instruction that writes no condition code.
const fn bare(value: u32) -> Flagged {
    Flagged {
        value,
        cc: Cc::from_bits(0),
    }
}

const fn negated(negate: bool) -> Sign {
    Sign {
        absolute: false,
        negate,
    }
}

/// The lanes that execute an operation.
pub trait Lanes {
    /// Calls `function` with the inputs of each of these lanes and stores its result there.
    fn each(&mut self, function: impl Fn(LaneInputs) -> Flagged);

    /// Like [`Lanes::each`], for a function so short that calling it for inactive lanes costs less than finding the
    /// active ones.
    fn every(&mut self, function: impl Fn(LaneInputs) -> Flagged) {
        self.each(function);
    }

    /// The value of source 2 if it is known to be the same in all lanes.
    fn common_b(&self) -> Option<u32> {
        None
    }
}

/// Compiles an expression once for each of these values: then the loop over lanes has no branch on the value, and is
/// vectorised.
macro_rules! constant {
    ($value:expr, [$($known:path),*], |$name:ident| $body:expr) => {
        match $value {
            $($known => { let $name = $known; $body })*
        }
    };
}

impl Operation {
    /// The condition-code register (0..3) with the carry that the operation adds; 0 if it adds none.
    pub const fn carry_register(self) -> u8 {
        match self {
            Operation::Iadd { carry, .. } | Operation::Imad { carry, .. } => carry & 3,
            _ => 0,
        }
    }

    /// The quad lane (0..3) that sends its source 1 to the other three in FSWZ; `None` for other operations.
    pub const fn quad_lane(self) -> Option<u8> {
        match self {
            Operation::Fswz { thread, .. } => thread,
            _ => None,
        }
    }

    /// Computes the operation in all of `lanes`. For operations outside the lanes, which are memory accesses, branches,
    /// barriers, votes, doubles ([`Double::compute`](crate::Double::compute)) and textures, it returns `None` and
    /// computes nothing. The function is selected once, not for each lane: a golden model spends its time here.
    pub fn compute(self, lanes: &mut impl Lanes) -> Option<()> {
        match self {
            Operation::Mov { width } | Operation::Mvc { width } | Operation::G2r { width } => {
                lanes.every(|x| plain(width, x.a))
            }
            Operation::Plain(plain) => lanes.each(|x| plain.compute(x)),
            // The destination keeps as many of the bits as it has.
            Operation::A2r | Operation::C2r | Operation::R2c | Operation::S2r => {
                lanes.every(|x| plain(Width::B32, x.a))
            }
            Operation::R2a { shift } => lanes.every(|x| plain(Width::B32, x.a << (shift & 15))),

            Operation::Iadd {
                sum: Sum::Add,
                width: Width::B32,
                saturate: false,
                ..
            } => lanes.every(|x| iadd(Sum::Add, Width::B32, false, x.a, x.c, false)),
            Operation::Iadd {
                sum,
                width,
                saturate: false,
                ..
            } => lanes.every(|x| iadd(sum, width, false, x.a, x.c, x.carry)),
            Operation::Iadd { sum, width, .. } => lanes.every(|x| iadd(sum, width, true, x.a, x.c, x.carry)),
            Operation::Imul16 { signed1, signed2 } => lanes.every(|x| imul16(signed1, signed2, x.a, x.b)),
            Operation::Imul24 { signed, high: false } => lanes.every(|x| imul24(signed, false, x.a, x.b)),
            Operation::Imul24 { signed, high: true } => lanes.every(|x| imul24(signed, true, x.a, x.b)),
            Operation::Imad { product, sum, .. } => constant!(
                product,
                [
                    Product::U16,
                    Product::S16,
                    Product::SatS16,
                    Product::U24,
                    Product::S24,
                    Product::SatS24,
                    Product::HiU24,
                    Product::HiS24,
                    Product::HiSatS24
                ],
                |product| lanes.every(|x| imad(product, sum, x.a, x.b, x.c, x.carry))
            ),
            Operation::Isad { width, signed } => lanes.every(|x| isad(width, signed, x.a, x.b, x.c)),
            // Most shift counts are immediates.
            Operation::Shl { width } => match lanes.common_b() {
                Some(count) => lanes.every(|x| shl(width, x.a, count)),
                None => lanes.every(|x| shl(width, x.a, x.b)),
            },
            Operation::Shr { width, signed } => match lanes.common_b() {
                Some(count) => lanes.every(|x| shr(width, signed, x.a, count)),
                None => lanes.every(|x| shr(width, signed, x.a, x.b)),
            },
            Operation::Logic {
                logic,
                width,
                invert1,
                invert2,
            } => constant!(logic, [Logic::And, Logic::Or, Logic::Xor, Logic::PassB], |logic| lanes
                .every(|x| lop(logic, width, invert1, invert2, x.a, x.b))),
            Operation::Iset { order, width, signed } => lanes.every(|x| iset(order, width, signed, x.a, x.b)),
            Operation::Imin { width, signed } => lanes.every(|x| imin(width, signed, x.a, x.b)),
            Operation::Imax { width, signed } => lanes.every(|x| imax(width, signed, x.a, x.b)),
            Operation::I2i {
                from,
                to,
                width,
                absolute,
                negate,
            } => lanes.every(|x| i2i(from, to, width, absolute, negate, x.a)),

            Operation::Fadd {
                rounding,
                saturate,
                negate1,
                negate3,
            } => lanes.each(|x| {
                fadd(
                    rounding,
                    saturate,
                    negated(negate1).apply(x.a),
                    negated(negate3).apply(x.c),
                )
            }),
            Operation::Fmul {
                rounding,
                saturate: false,
                negate1,
                negate2,
            } => lanes.each(|x| fmul(rounding, negated(negate1).apply(x.a), negated(negate2).apply(x.b))),
            Operation::Fmul {
                rounding,
                negate1,
                negate2,
                ..
            } => lanes.each(|x| fmul_saturated(rounding, negated(negate1).apply(x.a), negated(negate2).apply(x.b))),
            // Negating a factor negates the product.
            Operation::Fmad {
                saturate,
                negate_product,
                negate3,
            } => lanes.each(|x| {
                fmad(
                    saturate,
                    negated(negate_product).apply(x.a),
                    x.b,
                    negated(negate3).apply(x.c),
                )
            }),
            Operation::Fset { order, sign1, sign2 } => lanes.each(|x| fset(order, sign1.apply(x.a), sign2.apply(x.b))),
            Operation::Fmin { sign1, sign2 } => lanes.each(|x| fmin(sign1.apply(x.a), sign2.apply(x.b))),
            Operation::Fmax { sign1, sign2 } => lanes.each(|x| fmax(sign1.apply(x.a), sign2.apply(x.b))),
            Operation::Fslct { negate3 } => lanes.each(|x| fslct(x.a, x.b, negated(negate3).apply(x.c))),
            Operation::Fswz { thread, operations } => match thread {
                Some(_) => lanes.each(|x| fswz(operations[usize::from(x.quad & 3)], x.other, x.c)),
                None => lanes.each(|_| fswz(Quad::Move, 0, 0)),
            },
            Operation::F2f {
                from,
                to,
                sign,
                rounding,
                integral,
                saturate,
            } => lanes.each(|x| f2f(from, to, sign, rounding, integral, saturate, x.a)),
            Operation::F2i {
                from,
                width,
                signed,
                sign,
                rounding,
            } => lanes.each(|x| f2i(from, width, signed, sign, rounding, x.a)),
            Operation::I2f {
                from,
                to,
                sign,
                rounding,
                saturate,
            } => lanes.each(|x| i2f(from, to, sign, rounding, saturate, x.a)),
            Operation::Rro { ex2: false, sign } => lanes.each(|x| bare(special::rro_sin(sign.apply(x.a)))),
            Operation::Rro { ex2: true, sign } => lanes.each(|x| bare(special::rro_ex2(sign.apply(x.a)))),
            Operation::Special {
                function,
                sign,
                saturate,
            } => lanes.each(|x| bare(function.of(saturate, sign.apply(x.a)))),

            Operation::Bra { .. }
            | Operation::Ssy { .. }
            | Operation::Cal { .. }
            | Operation::Ret
            | Operation::Pbk { .. }
            | Operation::Brk
            | Operation::Kil
            | Operation::Bpt
            | Operation::Bar { .. }
            | Operation::Trap
            | Operation::Nop
            | Operation::PmTrigger { .. }
            | Operation::Gld { .. }
            | Operation::Gst { .. }
            | Operation::Lld { .. }
            | Operation::Lst { .. }
            | Operation::R2g
            | Operation::R2gUnlock
            | Operation::G2rLock { .. }
            | Operation::Atomic { .. }
            | Operation::Vote { .. }
            | Operation::Double(_)
            | Operation::BranchIndexed { .. }
            | Operation::PreReturn { .. }
            | Operation::Texture(_) => return None,
        }
        Some(())
    }
}
