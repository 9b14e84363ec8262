//! Propagation of undefined bits through one lane of one operation, as precise as is possible at low cost.
//!
//! And, or, shifts and moves are exact. A sum or a product is undefined from its lowest undefined bit up. A comparison
//! is undefined unless the defined bits decide it. The result of any other operation is completely undefined if an
//! operand has an undefined bit.

use flexgrip_isa::{Float, Integer, Logic, Meaning, Operation, Order, Product, Width};

/// A lane's operand: its value and its undefined bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) value: u32,
    pub(super) undefined: u32,
}

impl Operand {
    fn low(self, mask: u32) -> Operand {
        Operand {
            value: self.value & mask,
            undefined: self.undefined & mask,
        }
    }

    /// The smallest and the largest value that the operand may have, as a number of a type.
    fn bounds(self, signed: bool, width: Width) -> (i64, i64) {
        let (mask, sign) = (width.mask(), 1u32 << (width.bits() - 1));
        // With the sign bit inverted, signed numbers are ordered like unsigned ones.
        let flip = if signed { sign } else { 0 };
        let (value, undefined) = ((self.value & mask) ^ flip, self.undefined & mask);
        (i64::from(value & !undefined), i64::from(value | undefined))
    }
}

/// All bits if a condition holds.
fn all_if(undefined: bool) -> u32 {
    if undefined {
        u32::MAX
    } else {
        0
    }
}

/// All bits from the lowest undefined one up.
fn upward(undefined: u32) -> u32 {
    undefined | undefined.wrapping_neg()
}

/// The undefined bits of a product's low half. A factor that is certainly zero makes all of the product zero.
fn product(a: Operand, b: Operand) -> u32 {
    let zero = |operand: Operand| operand == Operand::default();
    if zero(a) || zero(b) {
        return 0;
    }
    upward(a.undefined | b.undefined)
}

fn compare(order: Order, (a, b): (Operand, Operand), signed: bool, width: Width) -> u32 {
    let ((a_low, a_high), (b_low, b_high)) = (a.bounds(signed, width), b.bounds(signed, width));
    let different = (a.value ^ b.value) & !(a.undefined | b.undefined) & width.mask() != 0;
    let less = a_low < b_high;
    let greater = a_high > b_low;
    let equal = !different && a_low <= b_high && b_low <= a_high;
    let possible = [(less, order.less), (equal, order.equal), (greater, order.greater)];
    let can_be = |truth| possible.iter().any(|(possible, holds)| *possible && *holds == truth);
    all_if(can_be(true) && can_be(false))
}

fn logic(logic: Logic, a: Operand, b: Operand) -> u32 {
    match logic {
        Logic::And => a.undefined & b.undefined | a.undefined & b.value | b.undefined & a.value,
        Logic::Or => a.undefined & b.undefined | a.undefined & !b.value | b.undefined & !a.value,
        Logic::Xor => a.undefined | b.undefined,
        Logic::PassB => b.undefined,
    }
}

/// The undefined bits of an operation's result. `carry`: true if the added carry is undefined.
pub(super) fn undefined(meaning: &Meaning, [a, b, c]: [Operand; 3], carry: bool) -> u32 {
    let any = |operand: Operand| operand.undefined != 0;
    match meaning.operation {
        Operation::Mov { width } | Operation::Mvc { width } | Operation::G2r { width } => a.undefined & width.mask(),
        Operation::A2r | Operation::C2r | Operation::R2c | Operation::S2r => a.undefined,
        Operation::R2a { shift } => a.undefined << (shift & 15),
        Operation::Iadd {
            sum: _,
            width,
            saturate,
            ..
        } => {
            let undefined = (a.undefined | c.undefined) & width.mask() | u32::from(carry);
            if saturate {
                all_if(undefined != 0)
            } else {
                upward(undefined) & width.mask()
            }
        }
        Operation::Imul16 { .. } => product(a.low(0xffff), b.low(0xffff)),
        Operation::Imul24 { high, .. } => {
            let low = product(a.low(0xff_ffff), b.low(0xff_ffff));
            if high {
                all_if(low != 0)
            } else {
                low
            }
        }
        Operation::Imad { product: kind, .. } => {
            let (mask, whole) = match kind {
                Product::U16 | Product::S16 => (0xffff, false),
                Product::SatS16 => (0xffff, true),
                Product::U24 | Product::S24 => (0xff_ffff, false),
                Product::SatS24 | Product::HiU24 | Product::HiS24 | Product::HiSatS24 => (0xff_ffff, true),
            };
            let factor = product(a.low(mask), b.low(mask));
            if whole {
                all_if(factor | c.undefined != 0 || carry)
            } else {
                upward(factor | c.undefined | u32::from(carry))
            }
        }
        Operation::Isad { width, .. } => all_if((a.undefined | b.undefined) & width.mask() != 0) | upward(c.undefined),
        Operation::Shl { width } => shift(a, b, width, |bits, count| bits.checked_shl(count).unwrap_or(0)),
        Operation::Shr { width, signed } => shift(a, b, width, |bits, count| {
            let unused = 32 - width.bits();
            if signed {
                // An undefined sign makes all its copies undefined.
                ((((bits << unused) as i32) >> unused) >> count.min(31)) as u32
            } else {
                bits.checked_shr(count).unwrap_or(0)
            }
        }),
        Operation::Logic {
            logic: function,
            width,
            invert1,
            invert2,
        } => {
            let turned = |operand: Operand, invert: bool| Operand {
                value: if invert { !operand.value } else { operand.value },
                ..operand
            };
            logic(function, turned(a, invert1), turned(b, invert2)) & width.mask()
        }
        Operation::Iset { order, width, signed } => compare(order, (a, b), signed, width),
        Operation::Imin { width, signed } | Operation::Imax { width, signed } => {
            let least = matches!(meaning.operation, Operation::Imin { .. });
            let ((a_low, a_high), (b_low, b_high)) = (a.bounds(signed, width), b.bounds(signed, width));
            // True if one operand is certainly chosen.
            let a_wins = if least { a_high <= b_low } else { a_low >= b_high };
            let b_wins = if least { b_high <= a_low } else { b_low >= a_high };
            if a_wins {
                a.undefined & width.mask()
            } else if b_wins {
                b.undefined & width.mask()
            } else {
                all_if((a.undefined | b.undefined) & width.mask() != 0) & width.mask()
            }
        }
        Operation::I2i {
            from,
            to,
            absolute,
            negate,
            ..
        } => converted(from, to, absolute || negate, a.undefined),
        Operation::Fslct { negate3: false }
            if c.undefined & !0x8000_0000 == 0 && c.value & 0x7f80_0000 != 0x7f80_0000 =>
        {
            // A NaN is excluded: the sign alone decides.
            if c.undefined != 0 {
                if a.value == b.value {
                    a.undefined | b.undefined
                } else {
                    u32::MAX
                }
            } else if c.value >> 31 == 0 || c.value << 1 == 0 {
                a.undefined
            } else {
                b.undefined
            }
        }
        Operation::I2f { from, .. } => all_if(a.undefined & low_bits(from.bits()) != 0),
        Operation::F2f { from, .. } | Operation::F2i { from, .. } => {
            let bits = if from == Float::F16 { 16 } else { 32 };
            all_if(a.undefined & low_bits(bits) != 0)
        }
        // A product with a zero of known sign could be defined; compilers make no use of it.
        _ => all_if(any(a) || any(b) || any(c)),
    }
}

fn low_bits(bits: u32) -> u32 {
    u32::MAX >> (32 - bits.clamp(1, 32))
}

fn shift(a: Operand, count: Operand, width: Width, shifted: impl Fn(u32, u32) -> u32) -> u32 {
    if count.undefined & width.mask() != 0 {
        // With an undefined count, the result is only defined if the operand is a defined zero.
        return all_if(a != Operand::default()) & width.mask();
    }
    shifted(a.undefined & width.mask(), count.value & width.mask()) & width.mask()
}

fn converted(from: Integer, to: Integer, turned: bool, undefined: u32) -> u32 {
    let bits = undefined & low_bits(from.bits());
    let (least, most) = from.range();
    let (to_least, to_most) = to.range();
    let clamps = least < to_least || most > to_most;
    if turned || clamps {
        return all_if(bits != 0);
    }
    let unused = 32 - from.bits();
    if from.is_signed() {
        ((bits << unused) as i32 >> unused) as u32
    } else {
        bits
    }
}

/// The undefined bits of a condition code (Z, S, C, O from bit 0), from the undefined bits of the result.
pub(super) fn undefined_code(meaning: &Meaning, undefined: u32, any_operand: bool) -> u8 {
    match meaning.operation {
        // Sums and shifts: the carry depends on bits that the result may not contain.
        Operation::Iadd { .. } | Operation::Imad { .. } | Operation::Shl { .. } | Operation::Shr { .. }
            if any_operand =>
        {
            0xf
        }
        _ if undefined != 0 => 0xf,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexgrip_isa::Condition;

    fn of(text: &str, operands: [(u32, u32); 3]) -> u32 {
        let program = flexgrip_isa::assemble(text, "t").unwrap();
        let high = program.words.get(1).copied().unwrap_or(0);
        let word = u64::from(high) << 32 | u64::from(program.words[0]);
        let meaning = flexgrip_isa::decode(word).unwrap().meaning();
        assert_eq!(meaning.predicate.condition, Condition::True);
        undefined(
            &meaning,
            operands.map(|(value, undefined)| Operand { value, undefined }),
            false,
        )
    }

    #[test]
    fn logic_is_exact() {
        let and = |a, b| of("LOP.AND R1, R2, R3\n", [a, b, (0, 0)]);
        assert_eq!(and((0, 0xff), (0x0f, 0)), 0x0f, "a defined 0 decides");
        assert_eq!(and((0, 0xff), (0, 0xf0)), 0xf0 & 0xff);
        let or = |a, b| of("LOP.OR R1, R2, R3\n", [a, b, (0, 0)]);
        assert_eq!(or((0, 0xff), (0x0f, 0)), 0xf0, "a defined 1 decides");
        let xor = |a, b| of("LOP.XOR R1, R2, R3\n", [a, b, (0, 0)]);
        assert_eq!(xor((0, 0x11), (7, 0x100)), 0x111);
    }

    #[test]
    fn shifts_move_undefined_bits() {
        assert_eq!(of("SHL R1, R2, 4\n", [(0, 0xff), (4, 0), (0, 0)]), 0xff0);
        assert_eq!(of("SHR R1, R2, 4\n", [(0, 0x8000_00ff), (4, 0), (0, 0)]), 0x0800_000f);
        assert_eq!(
            of("SHR.S32 R1, R2, 4\n", [(0, 0x8000_0000), (4, 0), (0, 0)]),
            0xf800_0000
        );
        assert_eq!(of("SHL R1, R2, R3\n", [(1, 0), (0, 1), (0, 0)]), u32::MAX);
    }

    #[test]
    fn sums_are_undefined_upward() {
        assert_eq!(of("IADD R1, R2, R3\n", [(0, 0x100), (0, 0), (5, 0)]), 0xffff_ff00);
        assert_eq!(of("IMUL.U16.U16 R1, R2L, R3L\n", [(0, 0), (0, 0xff), (0, 0)]), 0);
    }

    #[test]
    fn defined_bits_can_decide_a_comparison() {
        let less = |a, b| of("ISET R1, R2, R3, LT\n", [a, b, (0, 0)]);
        assert_eq!(less((0x100, 0xff), (0x100, 0)), 0, "at least 0x100");
        assert_eq!(less((0x100, 0xff), (0x180, 0)), u32::MAX);
        let equal = |a, b| of("ISET R1, R2, R3, EQ\n", [a, b, (0, 0)]);
        assert_eq!(equal((0x100, 0xff), (0x200, 0)), 0);
        assert_eq!(equal((0x100, 0xff), (0x1ff, 0)), u32::MAX);
    }

    #[test]
    fn conversions_extend() {
        assert_eq!(of("I2I.S32.S16 R1, R2L\n", [(0, 0x8000), (0, 0), (0, 0)]), 0xffff_8000);
        assert_eq!(of("I2I.U32.U16 R1, R2L\n", [(0, 0xffff_0000), (0, 0), (0, 0)]), 0);
    }
}
