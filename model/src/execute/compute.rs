//! Instructions that compute: which function of `flexgrip-arith` each integer instruction is.

use super::context::{Cause, Memories, Recorder};
use super::float;
use super::operands::{source, write_cc, write_destination};
use super::results::{integer, Results};
use crate::warp::Warp;
use flexgrip_arith::integer::{self, Integer, Logic, Order, Product, Sum};
use flexgrip_arith::{Cc, Width};
use flexgrip_isa::{AddKind, Destination, LogicKind, MadKind, Meaning, MulKind, Operation};
use flexgrip_machine::{ErrorKind, Part};

/// The width of an operation.
pub(super) const fn width(width: flexgrip_isa::Width) -> Width {
    match width {
        flexgrip_isa::Width::B16 => Width::B16,
        flexgrip_isa::Width::B32 => Width::B32,
    }
}

/// The adder's function, and the condition-code register that holds the carry it adds.
pub(super) const fn sum(kind: AddKind) -> (Sum, u8) {
    match kind {
        AddKind::Add => (Sum::Add, 0),
        AddKind::Sub => (Sum::Subtract, 0),
        AddKind::SubR => (Sum::ReverseSubtract, 0),
        AddKind::AddC { carry } => (Sum::AddCarry, carry),
    }
}

/// The IMAD type with this product; `None` for a combination that no instruction encodes.
pub(super) const fn product(kind: MadKind) -> Option<Product> {
    Some(match (kind.product, kind.saturate) {
        (
            MulKind::Half {
                signed1: false,
                signed2: false,
            },
            false,
        ) => Product::U16,
        (
            MulKind::Half {
                signed1: true,
                signed2: true,
            },
            false,
        ) => Product::S16,
        (
            MulKind::Half {
                signed1: true,
                signed2: true,
            },
            true,
        ) => Product::SatS16,
        (
            MulKind::Bits24 {
                signed: false,
                high: false,
            },
            false,
        ) => Product::U24,
        (
            MulKind::Bits24 {
                signed: true,
                high: false,
            },
            false,
        ) => Product::S24,
        (
            MulKind::Bits24 {
                signed: true,
                high: false,
            },
            true,
        ) => Product::SatS24,
        (
            MulKind::Bits24 {
                signed: false,
                high: true,
            },
            false,
        ) => Product::HiU24,
        (
            MulKind::Bits24 {
                signed: true,
                high: true,
            },
            false,
        ) => Product::HiS24,
        (
            MulKind::Bits24 {
                signed: true,
                high: true,
            },
            true,
        ) => Product::HiSatS24,
        _ => return None,
    })
}

pub(super) fn compute(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let illegal = || Cause::of(ErrorKind::IllegalInstruction);
    let a = source(warp, instruction, 0, executed, memories)?;
    let b = source(warp, instruction, 1, executed, memories)?;
    let c = source(warp, instruction, 2, executed, memories)?;
    let mut results = Results::default();
    match instruction.operation {
        Operation::Mov { width: w } | Operation::Mvc { width: w } => {
            results.fill(executed, |l| integer::plain(width(w), a[l]))
        }
        Operation::Iadd {
            kind,
            width: w,
            saturate,
        } => {
            let (sum, register) = sum(kind);
            let carry = warp.cc[usize::from(register & 3)];
            let carry = |l: usize| Cc::from_bits(carry[l]).carry();
            results.fill(executed, |l| {
                integer::iadd(sum, width(w), saturate, a[l], c[l], carry(l))
            });
        }
        Operation::Imul {
            kind: MulKind::Half { signed1, signed2 },
        } => {
            results.fill(executed, |l| integer::imul16(signed1, signed2, a[l], b[l]));
        }
        Operation::Imul {
            kind: MulKind::Bits24 { signed, high },
        } => {
            results.fill(executed, |l| integer::imul24(signed, high, a[l], b[l]));
        }
        Operation::Imad { kind, add } => {
            let product = product(kind).ok_or_else(illegal)?;
            let (sum, register) = sum(add);
            let carry = warp.cc[usize::from(register & 3)];
            let carry = |l: usize| Cc::from_bits(carry[l]).carry();
            results.fill(executed, |l| integer::imad(product, sum, a[l], b[l], c[l], carry(l)));
        }
        Operation::Isad { width: w, signed } => {
            results.fill(executed, |l| integer::isad(width(w), signed, a[l], b[l], c[l]));
        }
        Operation::Shl { width: w } => results.fill(executed, |l| integer::shl(width(w), a[l], b[l])),
        Operation::Shr { width: w, signed } => {
            results.fill(executed, |l| integer::shr(width(w), signed, a[l], b[l]));
        }
        Operation::Logic {
            kind,
            width: w,
            invert1,
            invert2,
        } => {
            let kind = match kind {
                LogicKind::And => Logic::And,
                LogicKind::Or => Logic::Or,
                LogicKind::Xor => Logic::Xor,
                LogicKind::PassB => Logic::PassB,
            };
            results.fill(executed, |l| integer::lop(kind, width(w), invert1, invert2, a[l], b[l]));
        }
        Operation::Iset {
            compare,
            width: w,
            signed,
        } => {
            let order = Order {
                less: compare.less,
                equal: compare.equal,
                greater: compare.greater,
            };
            results.fill(executed, |l| integer::iset(order, width(w), signed, a[l], b[l]));
        }
        Operation::Imin { width: w, signed } => {
            results.fill(executed, |l| integer::imin(width(w), signed, a[l], b[l]));
        }
        Operation::Imax { width: w, signed } => {
            results.fill(executed, |l| integer::imax(width(w), signed, a[l], b[l]));
        }
        Operation::I2i {
            from,
            to,
            absolute,
            negate,
        } => {
            let (from, to) = (integer(from).ok_or_else(illegal)?, integer(to).ok_or_else(illegal)?);
            // The width of the register written; a discarded 8-bit result has the same Z and S in either width.
            let w = match (instruction.destination, to) {
                (_, Integer::U16 | Integer::S16) => Width::B16,
                (
                    Destination::Register {
                        part: Part::Low | Part::High,
                        ..
                    },
                    Integer::U8 | Integer::S8,
                ) => Width::B16,
                _ => Width::B32,
            };
            results.fill(executed, |l| integer::i2i(from, to, w, absolute, negate, a[l]));
        }
        // Their destination takes as many of the bits as it has.
        Operation::A2r | Operation::C2r | Operation::R2c | Operation::S2r => {
            results.fill(executed, |l| integer::plain(Width::B32, a[l]));
        }
        Operation::R2a { shift } => {
            results.fill(executed, |l| integer::plain(Width::B32, a[l] << (shift & 15)));
        }
        Operation::Ada => results.fill(executed, |l| integer::plain(Width::B32, a[l].wrapping_add(b[l]))),
        operation => float::compute(operation, executed, [&a, &b, &c], &mut results).ok_or_else(illegal)?,
    }
    write_destination(warp, instruction, executed, &results.values, recorder);
    write_cc(warp, instruction, executed, &results.codes, recorder);
    Ok(())
}
