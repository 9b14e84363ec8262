//! Constant folding, and simplification of products with 0 and 1.
//!
//! Only integers are folded: the machine's float operations flush denormals, and the host's do not.

use crate::ir::{Argument, Comparison, Function, Instruction, Operation};
use crate::ptx::ast::{Kind, Type};
use Argument::Constant as Number;

/// Replaces operations with a constant result by copies. Returns the number of operations changed.
pub fn fold(function: &mut Function) -> usize {
    let mut changed = 0;
    for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        if let Some(number) = number(instruction) {
            instruction.operation = Operation::Copy;
            instruction.arguments = vec![Number(number)];
            changed += 1;
        } else if let Some((operation, arguments)) = simpler(instruction) {
            instruction.operation = operation;
            instruction.arguments = arguments;
            changed += 1;
        }
    }
    changed
}

fn whole(ty: Type) -> bool {
    matches!(ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed) && matches!(ty.bits, 8 | 16 | 32 | 64)
}

/// Extends a constant of this type to 64 bits.
fn extended(number: u64, ty: Type) -> u64 {
    let shift = 64 - u32::from(ty.bits);
    match ty.kind {
        Kind::Signed => ((number << shift) as i64 >> shift) as u64,
        _ => number << shift >> shift,
    }
}

/// Returns the result if it is constant; `None` for a copy of a constant, which is already simple.
fn number(instruction: &Instruction) -> Option<u64> {
    let ty = instruction.ty;
    let [_] = instruction.results.as_slice() else {
        return None;
    };
    let numbers: Option<Vec<u64>> = instruction
        .arguments
        .iter()
        .map(|argument| match argument {
            Number(number) => Some(*number),
            Argument::Value(_) => None,
        })
        .collect();
    let numbers = numbers?;
    if !whole(ty) {
        return None;
    }
    let signed = ty.kind == Kind::Signed;
    let of = |index: usize| numbers.get(index).map(|&number| extended(number, ty));
    let bits = u64::from(ty.bits);
    let result = match instruction.operation {
        Operation::Not => !of(0)?,
        Operation::Negate => of(0)?.wrapping_neg(),
        Operation::Absolute => (of(0)? as i64).unsigned_abs(),
        Operation::Add => of(0)?.wrapping_add(of(1)?),
        Operation::Subtract => of(0)?.wrapping_sub(of(1)?),
        Operation::Multiply => of(0)?.wrapping_mul(of(1)?),
        Operation::MultiplyAdd => of(0)?.wrapping_mul(of(1)?).wrapping_add(of(2)?),
        Operation::MultiplyWide if ty.bits <= 32 => return Some(of(0)?.wrapping_mul(of(1)?)),
        Operation::And => of(0)? & of(1)?,
        Operation::Or => of(0)? | of(1)?,
        Operation::Xor => of(0)? ^ of(1)?,
        Operation::ShiftLeft => match u64::from(*numbers.get(1)? as u32) {
            count if count < bits => of(0)? << count,
            _ => 0,
        },
        Operation::ShiftRight => {
            let count = u64::from(*numbers.get(1)? as u32).min(bits);
            match signed {
                true => (of(0)? as i64 >> count.min(63)) as u64,
                false => of(0)?.checked_shr(count as u32).unwrap_or(0),
            }
        }
        Operation::Minimum if signed => (of(0)? as i64).min(of(1)? as i64) as u64,
        Operation::Maximum if signed => (of(0)? as i64).max(of(1)? as i64) as u64,
        Operation::Minimum => of(0)?.min(of(1)?),
        Operation::Maximum => of(0)?.max(of(1)?),
        Operation::Compare(comparison) => return Some(holds(comparison, of(0)?, of(1)?, signed).into()),
        Operation::Convert { from, .. } if whole(from) => extended(*numbers.first()?, from),
        Operation::Join => (numbers.first()? & 0xffff_ffff) | numbers.get(1)? << 32,
        Operation::High => numbers.first()? >> 32,
        _ => return None,
    };
    Some(extended(result, ty))
}

fn holds(comparison: Comparison, a: u64, b: u64, signed: bool) -> bool {
    let order = if signed { (a as i64).cmp(&(b as i64)) } else { a.cmp(&b) };
    match order {
        std::cmp::Ordering::Less => comparison.less,
        std::cmp::Ordering::Equal => comparison.equal,
        std::cmp::Ordering::Greater => comparison.greater,
    }
}

/// Returns a simpler operation for a product with 0 or 1.
fn simpler(instruction: &Instruction) -> Option<(Operation, Vec<Argument>)> {
    let ty = instruction.ty;
    if !whole(ty) {
        return None;
    }
    let product = |a: Argument, b: Argument| match (a, b) {
        (Number(a), Number(b)) => Some(Number(extended(a.wrapping_mul(b), ty))),
        (Number(number), other) | (other, Number(number)) => match extended(number, ty) {
            0 => Some(Number(0)),
            1 => Some(other),
            _ => None,
        },
        _ => None,
    };
    match (instruction.operation, instruction.arguments.as_slice()) {
        (Operation::Multiply, &[a, b]) => Some((Operation::Copy, vec![product(a, b)?])),
        (Operation::MultiplyAdd, &[a, b, c]) => match product(a, b)? {
            Number(0) => Some((Operation::Copy, vec![c])),
            product => Some((Operation::Add, vec![c, product])),
        },
        (Operation::MultiplyAdd, _) => None,
        (Operation::Subtract, &[a, Number(0)]) => Some((Operation::Copy, vec![a])),
        (Operation::And, &[_, Number(number)] | &[Number(number), _]) if extended(number, ty) == 0 => {
            Some((Operation::Copy, vec![Number(0)]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::copies;
    use crate::testing::function;

    /// Returns the stored value if it is constant.
    fn stored(body: &str) -> Option<u64> {
        let mut function = function(&format!("{body}\nst.global.u32 [%r9], %r1;\nret;"));
        copies::clean(&mut function);
        crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
        let last = function.blocks[0].instructions.last().expect("a store");
        match last.arguments[1] {
            Number(number) => Some(number),
            Argument::Value(_) => None,
        }
    }

    #[test]
    fn numbers_are_computed() {
        for (body, wanted) in [
            ("mov.u32 %r3, 3;\nmad.lo.s32 %r1, %r3, 4, 5;", Some(17)),
            ("mov.u32 %r3, -8;\nshr.s32 %r1, %r3, 1;", Some(-4i64 as u64)),
            ("mov.u32 %r3, -8;\nshr.u32 %r1, %r3, 40;", Some(0)),
            ("mov.u32 %r3, 7;\nshl.b32 %r1, %r3, 31;", Some(0x8000_0000)),
            ("mul.lo.s32 %r1, %r4, 0;", Some(0)),
            ("mul.lo.s32 %r1, %r4, 2;", None),
        ] {
            assert_eq!(stored(body), wanted, "{body}");
        }
    }
}
