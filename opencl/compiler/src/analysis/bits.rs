//! Known-bits analysis: the number of low bits of each virtual register that can be nonzero.
//!
//! A 16-by-16 or 24-by-24 bit multiplication is one instruction, a 32-bit multiplication four. A value without bits
//! above its type needs no extension.

use crate::ir::{Argument, Class, Function, Instruction, Operation, Special};
use crate::ptx::ast::Kind;

/// The number of low bits that can be nonzero, by virtual register, 0 to 32.
#[derive(Debug, Clone)]
pub struct Bits(Vec<u32>);

impl Bits {
    /// The number of low bits of an argument that can be nonzero, 0 to 32. The upper 32 bits of a constant are ignored.
    pub fn of(&self, argument: Argument) -> u32 {
        match argument {
            Argument::Value(value) => self.0.get(value.0 as usize).copied().unwrap_or(32),
            Argument::Constant(number) => 32 - (number as u32).leading_zeros(),
        }
    }
}

/// Computes the analysis: starts at zero bits and rises until every write of every register is covered.
pub fn bits(function: &Function) -> Bits {
    let mut bits = Bits(vec![0; function.registers.len()]);
    loop {
        let mut changed = false;
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let result_bits = match instruction.results.as_slice() {
                [_] => result(&bits, instruction),
                _ => loaded(instruction),
            };
            for value in &instruction.results {
                let register = value.0 as usize;
                let wanted = match function.registers[register].class {
                    Class::Pair => 32,
                    _ => result_bits.min(32),
                };
                if bits.0[register] < wanted {
                    bits.0[register] = wanted;
                    changed = true;
                }
            }
        }
        if !changed {
            return bits;
        }
    }
}

fn loaded(instruction: &Instruction) -> u32 {
    match instruction.ty.kind {
        Kind::Signed => 32,
        _ => u32::from(instruction.ty.bits),
    }
}

fn result(bits: &Bits, instruction: &Instruction) -> u32 {
    let a = instruction.arguments.first().map_or(32, |&a| bits.of(a));
    let b = instruction.arguments.get(1).map_or(32, |&b| bits.of(b));
    let number = match instruction.arguments.get(1) {
        Some(Argument::Constant(number)) => Some(*number as u32),
        _ => None,
    };
    let ty = instruction.ty;
    let float = ty.kind == Kind::Float;
    match instruction.operation {
        Operation::Copy => a,
        Operation::And => a.min(b),
        Operation::Or | Operation::Xor => a.max(b),
        Operation::Add if !float => a.max(b) + 1,
        Operation::Select => a.max(b),
        Operation::ShiftRight if ty.bits == 32 => match (ty.kind, number) {
            (Kind::Signed, _) if a == 32 => 32,
            (_, Some(count)) => a.saturating_sub(count),
            _ => a,
        },
        Operation::ShiftLeft => match number {
            Some(count) if count < 32 => a + count,
            _ => 32,
        },
        Operation::Multiply if !float && ty.bits == 32 => a + b,
        Operation::Multiply if !float && ty.bits == 16 => a.min(16) + b.min(16),
        Operation::Minimum if ty.kind == Kind::Unsigned && ty.bits == 32 => a.min(b),
        Operation::Maximum if ty.kind == Kind::Unsigned && ty.bits == 32 => a.max(b),
        Operation::Remainder if ty.kind == Kind::Unsigned && ty.bits == 32 => a.min(b),
        Operation::Divide(_) if ty.kind == Kind::Unsigned && ty.bits == 32 => a,
        Operation::Convert { from, .. } if from.kind != Kind::Float && !float => match (from.kind, ty.bits) {
            // A conversion to a narrower type leaves the word unchanged.
            (_, to) if to <= from.bits => a,
            (Kind::Unsigned, _) => a.min(u32::from(from.bits)),
            _ => 32,
        },
        Operation::Load { .. } | Operation::Parameter { .. } => loaded(instruction),
        Operation::Special(special) => match special {
            Special::ThreadIndex(2) => 6,
            Special::ThreadIndex(1) => 10,
            Special::ThreadIndex(_) | Special::BlockSize(_) | Special::BlockIndex(_) | Special::GridSize(_) => 16,
            Special::Lane => 5,
            Special::Clock => 32,
        },
        _ => 32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::function;

    #[test]
    fn a_global_index_has_a_product_of_16_bits() {
        let function = function(
            "ld.global.u32 %r9, [%r8];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nand.b32 %r3, %r9, 255;\nshr.u32 %r4, %r9, 28;\n\
             mov.u32 %r5, 0;\nL:\nadd.s32 %r5, %r5, 1;\nsetp.ne.s32 %p1, %r5, %r1;\n@%p1 bra L;\nret;",
        );
        let bits = bits(&function);
        let of = |name: &str| {
            let at = function.registers.iter().position(|register| register.name == name);
            bits.of(Argument::Value(crate::ir::Value(at.expect("a register") as u32)))
        };
        assert_eq!(["%r1", "%r2", "%r3", "%r5"].map(of), [16, 16, 8, 32]);
    }
}
