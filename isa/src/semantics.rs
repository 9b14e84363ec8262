//! A lane's computation: the `flexgrip-arith` function of each operation.

use crate::operation::{LaneInputs, Operation, Quad, Width};
use flexgrip_arith::convert::{f2f, f2i, i2f};
use flexgrip_arith::float::{fadd, fmad, fmax, fmin, fmul, fset, fslct, fswz, Sign};
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

impl Operation {
    /// The condition-code register (0..3) whose carry the operation adds; 0 if it adds none.
    pub const fn carry_register(self) -> u8 {
        match self {
            Operation::Iadd { carry, .. } | Operation::Imad { carry, .. } => carry & 3,
            _ => 0,
        }
    }

    /// The quad lane (0..3) whose source 1 goes to the other three: only FSWZ exchanges.
    pub const fn quad_lane(self) -> Option<u8> {
        match self {
            Operation::Fswz { thread, .. } => thread,
            _ => None,
        }
    }

    /// The lane's result and its condition code; `None` if the lanes take no part in the operation: memory, branches,
    /// barriers, textures.
    #[inline]
    pub fn compute(self, lane: LaneInputs) -> Option<Flagged> {
        let LaneInputs { a, b, c, carry, .. } = lane;
        Some(match self {
            Operation::Mov { width } | Operation::Mvc { width } => plain(width, a),
            Operation::Plain(plain) => plain.compute(lane),
            // Their destination takes as many of the bits as it holds.
            Operation::A2r | Operation::C2r | Operation::R2c | Operation::S2r => plain(Width::B32, a),
            Operation::R2a { shift } => plain(Width::B32, a << (shift & 15)),

            Operation::Iadd {
                sum, width, saturate, ..
            } => iadd(sum, width, saturate, a, c, carry),
            Operation::Imul16 { signed1, signed2 } => imul16(signed1, signed2, a, b),
            Operation::Imul24 { signed, high } => imul24(signed, high, a, b),
            Operation::Imad { product, sum, .. } => imad(product, sum, a, b, c, carry),
            Operation::Isad { width, signed } => isad(width, signed, a, b, c),
            Operation::Shl { width } => shl(width, a, b),
            Operation::Shr { width, signed } => shr(width, signed, a, b),
            Operation::Logic {
                logic,
                width,
                invert1,
                invert2,
            } => lop(logic, width, invert1, invert2, a, b),
            Operation::Iset { order, width, signed } => iset(order, width, signed, a, b),
            Operation::Imin { width, signed } => imin(width, signed, a, b),
            Operation::Imax { width, signed } => imax(width, signed, a, b),
            Operation::I2i {
                from,
                to,
                width,
                absolute,
                negate,
            } => i2i(from, to, width, absolute, negate, a),

            Operation::Fadd {
                rounding,
                saturate,
                negate1,
                negate3,
            } => fadd(rounding, saturate, negated(negate1).apply(a), negated(negate3).apply(c)),
            Operation::Fmul {
                rounding,
                negate1,
                negate2,
            } => fmul(rounding, negated(negate1).apply(a), negated(negate2).apply(b)),
            // Negating a factor negates the product.
            Operation::Fmad {
                saturate,
                negate_product,
                negate3,
            } => fmad(saturate, negated(negate_product).apply(a), b, negated(negate3).apply(c)),
            Operation::Fset { order, sign1, sign2 } => fset(order, sign1.apply(a), sign2.apply(b)),
            Operation::Fmin { sign1, sign2 } => fmin(sign1.apply(a), sign2.apply(b)),
            Operation::Fmax { sign1, sign2 } => fmax(sign1.apply(a), sign2.apply(b)),
            Operation::Fslct { negate3 } => fslct(a, b, negated(negate3).apply(c)),
            Operation::Fswz { thread, operations } => match thread {
                Some(_) => fswz(operations[usize::from(lane.quad & 3)], lane.other, c),
                None => fswz(Quad::Move, 0, 0),
            },
            Operation::F2f {
                from,
                to,
                sign,
                rounding,
                integral,
                saturate,
            } => f2f(from, to, sign, rounding, integral, saturate, a),
            Operation::F2i {
                from,
                width,
                signed,
                sign,
                rounding,
            } => f2i(from, width, signed, sign, rounding, a),
            Operation::I2f {
                from,
                to,
                sign,
                rounding,
                saturate,
            } => i2f(from, to, sign, rounding, saturate, a),
            Operation::Rro { ex2: false, sign } => bare(special::rro_sin(sign.apply(a))),
            Operation::Rro { ex2: true, sign } => bare(special::rro_ex2(sign.apply(a))),
            Operation::Special {
                function,
                sign,
                saturate,
            } => bare(function.of(saturate, sign.apply(a))),

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
            | Operation::Texture(_) => return None,
        })
    }
}
