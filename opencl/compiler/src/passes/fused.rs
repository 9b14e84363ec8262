//! Expansion of the fused multiply-add to integer arithmetic.
//!
//! SM 1.0 does not have it: FMAD truncates its product. Here the product of the significands has all of its 48 bits.
//! The addend is added in 64 bits, with a sticky bit for the bits shifted out. The sum is rounded once, by the
//! conversion of a 32-bit integer. Denormal operands and results are zeros, as in all float operations of the machine.

use crate::error::SourceLocation;
use crate::ir::{Argument, Class, Comparison, Function, Instruction, Operation, Rounding};
use crate::ptx::ast::{Kind, Type};
use Argument::Constant as Number;
use Operation::{Add, And, Compare, Minimum, Multiply, Or, Select, ShiftLeft, ShiftRight, Subtract, Xor};

const U32: Type = Type::new(Kind::Unsigned, 32);
const S32: Type = Type::new(Kind::Signed, 32);
const U64: Type = Type::new(Kind::Unsigned, 64);
const F32: Type = Type::new(Kind::Float, 32);
const PREDICATE: Type = Type::new(Kind::Predicate, 1);

const SIGN: u64 = 0x8000_0000;
const INFINITY: u64 = 0x7f80_0000;
const FRACTION: u64 = 0x007f_ffff;
const HIDDEN: u64 = 0x0080_0000;
/// The exponent field of infinities and NaNs.
const SPECIAL: u64 = 255;
/// The number of bits by which the product is shifted left. Its highest bit is then bit 60 or 61.
const ROOM: u64 = 14;
/// The maximum number of bits by which the addend is shifted left. Its highest bit is then bit 61.
const MOST: u64 = 38;

/// Replaces every fused multiply-add of floats; there is an instruction for doubles. Returns the number replaced.
pub fn expand(function: &mut Function) -> usize {
    let mut expanded = 0;
    for block in 0..function.blocks.len() {
        let instructions = std::mem::take(&mut function.blocks[block].instructions);
        let mut made = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            match (instruction.operation, instruction.arguments.as_slice()) {
                (Operation::FusedMultiplyAdd, &[a, b, c]) if instruction.ty == F32 => {
                    expanded += 1;
                    let mut sequence = Sequence {
                        function,
                        instructions: made,
                        place: instruction.place,
                    };
                    let result = sequence.fused(a, b, c);
                    made = sequence.instructions;
                    made.push(Instruction {
                        operation: Operation::Copy,
                        arguments: vec![result],
                        ..instruction
                    });
                }
                _ => made.push(instruction),
            }
        }
        function.blocks[block].instructions = made;
    }
    expanded
}

struct Sequence<'f> {
    function: &'f mut Function,
    instructions: Vec<Instruction>,
    place: SourceLocation,
}

impl Sequence<'_> {
    fn make(&mut self, operation: Operation, ty: Type, arguments: &[Argument]) -> Argument {
        let class = match (operation, ty.bits) {
            (Compare(_), _) | (_, 1) => Class::Predicate,
            (Operation::MultiplyWide, _) | (_, 64) => Class::Pair,
            _ => Class::Word,
        };
        let result = self.function.add(class, "fma".to_string());
        self.instructions.push(Instruction {
            operation,
            ty,
            results: vec![result],
            arguments: arguments.to_vec(),
            place: self.place,
        });
        Argument::Value(result)
    }

    fn convert(&mut self, from: Type, to: Type, a: Argument) -> Argument {
        let operation = Operation::Convert {
            from,
            rounding: Rounding::Nearest,
            integral: false,
            saturate: false,
        };
        self.make(operation, to, &[a])
    }

    fn either(&mut self, a: Argument, b: Argument) -> Argument {
        self.make(Or, PREDICATE, &[a, b])
    }

    /// Returns the exponent field and the significand with its hidden bit; the significand is 0 for a denormal.
    fn parts(&mut self, a: Argument) -> (Argument, Argument) {
        let up = self.make(ShiftRight, U32, &[a, Number(23)]);
        let exponent = self.make(And, U32, &[up, Number(255)]);
        let fraction = self.make(And, U32, &[a, Number(FRACTION)]);
        let whole = self.make(Or, U32, &[fraction, Number(HIDDEN)]);
        let zero = self.make(Compare(Comparison::EQUAL), U32, &[exponent, Number(0)]);
        let significand = self.make(Select, U32, &[Number(0), whole, zero]);
        (exponent, significand)
    }

    /// Shifts a number right, with a sticky bit 0. The count is not negative.
    fn shifted_down(&mut self, a: Argument, count: Argument) -> Argument {
        let down = self.make(ShiftRight, U64, &[a, count]);
        let back = self.make(ShiftLeft, U64, &[down, count]);
        let exact = self.make(Compare(Comparison::EQUAL), U64, &[back, a]);
        let lost = self.make(Select, U64, &[Number(0), Number(1), exact]);
        self.make(Or, U64, &[down, lost])
    }

    fn fused(&mut self, a: Argument, b: Argument, c: Argument) -> Argument {
        let [(ea, ma), (eb, mb), (ec, mc)] = [a, b, c].map(|number| self.parts(number));
        let exact = self.make(Operation::MultiplyWide, U32, &[ma, mb]);
        let product = self.make(ShiftLeft, U64, &[exact, Number(ROOM)]);
        // Bit 0 of the product has the weight 2^(ea + eb - 300), bit 0 of the addend 2^(ec - 150).
        let ep = self.make(Add, U32, &[ea, eb]);
        let distance = self.make(Subtract, U32, &[ec, ep]);
        let up = self.make(Add, U32, &[distance, Number(150 + ROOM)]);
        // The addend is shifted left by up to 38, or right. If 38 is not enough, the product is shifted right.
        let negative = self.make(Compare(Comparison::LESS), S32, &[up, Number(0)]);
        let minus = self.make(Subtract, U32, &[Number(0), up]);
        let down = self.make(Select, U32, &[minus, Number(0), negative]);
        let at_least = self.make(Select, U32, &[Number(0), up, negative]);
        let by = self.make(Minimum, U32, &[at_least, Number(MOST)]);
        let product_down = self.make(Subtract, U32, &[at_least, by]);
        let wide = self.convert(U32, U64, mc);
        let raised = self.make(ShiftLeft, U64, &[wide, by]);
        let third = self.shifted_down(raised, down);
        let product = self.shifted_down(product, product_down);
        // The weight of bit 0: 2^(unit - 314).
        let unit = self.make(Add, U32, &[ep, product_down]);
        // Sum or difference of the magnitudes.
        let both = self.make(Xor, U32, &[a, b]);
        let differ = self.make(Xor, U32, &[both, c]);
        let differ = self.make(Compare(Comparison::LESS), S32, &[differ, Number(0)]);
        let sum = self.make(Add, U64, &[product, third]);
        let less = self.make(Subtract, U64, &[product, third]);
        let more = self.make(Subtract, U64, &[third, product]);
        let third_larger = self.make(Compare(Comparison::LESS), U64, &[product, third]);
        let difference = self.make(Select, U64, &[more, less, third_larger]);
        let magnitude = self.make(Select, U64, &[difference, sum, differ]);
        let larger = self.make(Select, U32, &[c, both, third_larger]);
        let sign = self.make(And, U32, &[larger, Number(SIGN)]);
        let rounded = self.rounded(magnitude, unit);
        let signed = self.make(Or, U32, &[rounded, sign]);
        // A zero sum is positive.
        let none = self.make(Compare(Comparison::EQUAL), U64, &[magnitude, Number(0)]);
        let general = self.make(Select, U32, &[Number(0), signed, none]);

        // For an infinite or NaN operand, or a zero product, the machine's own operations are correct; but a finite
        // product must not overflow there.
        let special = |sequence: &mut Self, exponent| {
            sequence.make(Compare(Comparison::EQUAL), U32, &[exponent, Number(SPECIAL)])
        };
        let [sa, sb, sc] = [ea, eb, ec].map(|exponent| special(self, exponent));
        let factor = self.either(sa, sb);
        let empty = self.make(Compare(Comparison::EQUAL), U64, &[exact, Number(0)]);
        let plain_product = self.either(factor, empty);
        let plain = self.either(plain_product, sc);
        let product = self.make(Multiply, F32, &[a, b]);
        let product = self.make(Select, F32, &[product, Number(0), plain_product]);
        let simple = self.make(Add, F32, &[product, c]);
        self.make(Select, U32, &[simple, general, plain])
    }

    /// Rounds a magnitude in units of 2^(unit - 314) to a float.
    fn rounded(&mut self, magnitude: Argument, unit: Argument) -> Argument {
        let low = self.convert(U64, U32, magnitude);
        let high = self.make(Operation::High, U32, &[magnitude]);
        // Without an upper word, the lower word is used.
        let small = self.make(Compare(Comparison::EQUAL), U32, &[high, Number(0)]);
        let upper = self.make(Select, U32, &[low, high, small]);
        let lower = self.make(Select, U32, &[Number(0), low, small]);
        let weight = self.make(Select, U32, &[Number(0), Number(32), small]);
        // Shifts the highest bit to bit 31, with a sticky bit 0.
        let cut = Operation::Convert {
            from: U32,
            rounding: Rounding::Zero,
            integral: false,
            saturate: false,
        };
        let float = self.make(cut, F32, &[upper]);
        let exponent = self.make(ShiftRight, U32, &[float, Number(23)]);
        let zeros = self.make(Subtract, U32, &[Number(127 + 31), exponent]);
        let rest = self.make(Subtract, U32, &[Number(32), zeros]);
        let own = self.make(ShiftLeft, U32, &[upper, zeros]);
        let next = self.make(ShiftRight, U32, &[lower, rest]);
        let top = self.make(Or, U32, &[own, next]);
        let tail = self.make(ShiftLeft, U32, &[lower, zeros]);
        let none = self.make(Compare(Comparison::EQUAL), U32, &[tail, Number(0)]);
        let more = self.make(Select, U32, &[Number(0), Number(1), none]);
        let top = self.make(Or, U32, &[top, more]);
        let float = self.convert(U32, F32, top);
        // The word is multiplied by 2^(unit - 314 + weight - zeros).
        let power = self.make(Add, U32, &[unit, weight]);
        let power = self.make(Subtract, U32, &[power, zeros]);
        let power = self.make(Subtract, U32, &[power, Number(300 + ROOM)]);
        let field = self.make(ShiftRight, U32, &[float, Number(23)]);
        let field = self.make(Add, U32, &[field, power]);
        let moved = self.make(ShiftLeft, U32, &[power, Number(23)]);
        let result = self.make(Add, U32, &[float, moved]);
        let too_large = self.make(Compare(Comparison::GREATER), S32, &[field, Number(SPECIAL - 1)]);
        let result = self.make(Select, U32, &[Number(INFINITY), result, too_large]);
        let too_small = self.make(Compare(Comparison::LESS), S32, &[field, Number(1)]);
        self.make(Select, U32, &[Number(0), result, too_small])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::function;

    #[test]
    fn none_is_left() {
        let mut function = function("fma.rn.f32 %f1, %f2, %f3, %f4;\nfma.rn.f32 %f1, %f1, 0f3F800000, %f1;\nret;");
        assert_eq!(expand(&mut function), 2);
        crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}\n{function}"));
        let mut all = function.blocks.iter().flat_map(|block| &block.instructions);
        assert!(all.all(|instruction| instruction.operation != Operation::FusedMultiplyAdd));
    }
}
