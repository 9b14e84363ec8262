//! Expansion of PTX instructions into several operations: bit fields, counts, permutations, classes of floats.

use super::{comparison, Translation, U32};
use crate::error::CompileError;
use crate::ir::types::*;
use crate::ptx::ast::{Kind, Type};

const S32: Type = Type {
    kind: Kind::Signed,
    bits: 32,
};
const F32: Type = Type {
    kind: Kind::Float,
    bits: 32,
};
const PREDICATE: Type = Type {
    kind: Kind::Predicate,
    bits: 1,
};
const SIGN_BIT: u64 = 0x8000_0000;
const INFINITY: u64 = 0x7f80_0000;
const SMALLEST: u64 = 0x0080_0000;
const ONE: u64 = 0x3f80_0000;

use Argument::Constant as Number;
use Operation::{Add, And, Compare, Maximum, Minimum, Not, Or, Select, ShiftLeft, ShiftRight, Subtract, Xor};

impl<'a> Translation<'_, 'a> {
    fn finish(&mut self, value: Argument) -> Result<(), CompileError> {
        let operand = self.operand(0)?;
        let result = self.result(operand)?;
        let ty = match self
            .builder
            .function
            .registers
            .get(result.0 as usize)
            .map(|register| register.class)
        {
            Some(Class::Pair) => Type {
                kind: Kind::Unsigned,
                bits: 64,
            },
            Some(Class::Predicate) => PREDICATE,
            _ => U32,
        };
        self.push(Operation::Copy, ty, vec![result], vec![value]);
        Ok(())
    }

    /// Translates an instruction without a corresponding operation.
    pub(crate) fn expand(&mut self, base: &str, ty: Type) -> Result<(), CompileError> {
        let unsigned = Type {
            kind: Kind::Unsigned,
            ..ty
        };
        let value = match (base, ty.bits, ty.kind) {
            ("bfe", 32 | 64, _) => self.extract(ty)?,
            ("bfi", 32 | 64, _) => self.insert(unsigned)?,
            ("popc" | "clz" | "brev" | "bfind", 32 | 64, _) => {
                let a = self.argument(1)?;
                let (low, high) = match ty.bits {
                    64 => (
                        self.resize(a, unsigned, U32),
                        Some(self.make(Operation::High, U32, &[a])),
                    ),
                    _ => (a, None),
                };
                match base {
                    "popc" => {
                        let count = self.ones(low);
                        match high {
                            Some(high) => {
                                let upper = self.ones(high);
                                self.make(Add, U32, &[count, upper])
                            }
                            None => count,
                        }
                    }
                    "clz" => self.zeros(low, high),
                    "brev" => {
                        let low = self.reversed(low);
                        match high {
                            Some(high) => {
                                let high = self.reversed(high);
                                self.make(Operation::Join, unsigned, &[high, low])
                            }
                            None => low,
                        }
                    }
                    _ => self.find_highest(ty, a)?,
                }
            }
            ("prmt", 32, _) => self.permute()?,
            ("shf", 32, _) => self.funnel()?,
            ("sad", 16 | 32, _) => {
                let arguments = self.arguments(3)?;
                let largest = self.make(Maximum, ty, &arguments[..2]);
                let smallest = self.make(Minimum, ty, &arguments[..2]);
                let distance = self.make(Subtract, ty, &[largest, smallest]);
                self.make(Add, ty, &[distance, arguments[2]])
            }
            ("slct", 32 | 64, _) => {
                let arguments = self.arguments(3)?;
                let predicate = match self.modifiers.types.get(1) {
                    Some(&F32) => {
                        let at_least = Comparison {
                            equal: true,
                            ..Comparison::GREATER
                        };
                        self.make(Compare(at_least), F32, &[arguments[2], Number(0)])
                    }
                    Some(&S32) => {
                        let negative = self.make(Compare(Comparison::LESS), S32, &[arguments[2], Number(0)]);
                        self.make(Not, PREDICATE, &[negative])
                    }
                    _ => return self.unsupported("expected a condition of type f32 or s32"),
                };
                self.make(Select, unsigned, &[arguments[0], arguments[1], predicate])
            }
            ("set", 32, _) => self.set(ty)?,
            ("cnot", 16 | 32 | 64, _) => {
                let a = self.argument(1)?;
                let zero = self.make(Compare(Comparison::EQUAL), unsigned, &[a, Number(0)]);
                self.make(Select, unsigned, &[Number(1), Number(0), zero])
            }
            ("testp", 32, Kind::Float) => self.test()?,
            ("copysign", 64, Kind::Float) => self.copy_sign_of_double()?,
            ("copysign", 32, Kind::Float) => {
                let arguments = self.arguments(2)?;
                let sign = self.make(And, U32, &[arguments[0], Number(SIGN_BIT)]);
                let rest = self.make(And, U32, &[arguments[1], Number(SIGN_BIT - 1)]);
                self.make(Or, U32, &[sign, rest])
            }
            _ => return self.unsupported("this instruction is not supported"),
        };
        self.finish(value)
    }

    /// Returns the lowest 8 bits of a position or length; PTX ignores the others.
    fn byte(&mut self, argument: Argument) -> Argument {
        match argument {
            Number(number) => Number(number & 0xff),
            Argument::Value(_) => self.make(And, U32, &[argument, Number(0xff)]),
        }
    }

    /// `bfe`: a bit field, extended.
    fn extract(&mut self, ty: Type) -> Result<Argument, CompileError> {
        let arguments = self.arguments(3)?;
        let width = u64::from(ty.bits);
        let (first, length) = (self.byte(arguments[1]), self.byte(arguments[2]));
        let value = arguments[0];
        if let (Number(first), Number(length)) = (first, length) {
            if length == 0 {
                return Ok(Number(0));
            }
            // The bits beyond the width are zeros or copies of the sign.
            let end = (first + length).min(width);
            if ty.kind != Kind::Signed {
                let down = self.make(ShiftRight, ty, &[value, Number(first)]);
                let mask = match length {
                    0..=63 => (1u64 << length) - 1,
                    _ => u64::MAX,
                };
                return Ok(self.make(And, ty, &[down, Number(mask)]));
            }
            let up = self.make(ShiftLeft, ty, &[value, Number(width - end)]);
            return Ok(self.make(ShiftRight, ty, &[up, Number(width - end + first)]));
        }
        if ty.kind != Kind::Signed {
            let down = self.make(ShiftRight, ty, &[value, first]);
            let mask = self.mask(ty, length);
            return Ok(self.make(And, ty, &[down, mask]));
        }
        let sum = self.make(Add, U32, &[first, length]);
        let end = self.make(Minimum, U32, &[sum, Number(width)]);
        let left = self.make(Subtract, U32, &[Number(width), end]);
        let up = self.make(ShiftLeft, ty, &[value, left]);
        let right = self.make(Add, U32, &[left, first]);
        let down = self.make(ShiftRight, ty, &[up, right]);
        let empty = self.make(Compare(Comparison::EQUAL), U32, &[length, Number(0)]);
        Ok(self.make(Select, ty, &[Number(0), down, empty]))
    }

    /// Returns a mask of `length` ones from bit 0.
    fn mask(&mut self, ty: Type, length: Argument) -> Argument {
        let above = self.make(ShiftLeft, ty, &[Number(1), length]);
        self.make(Subtract, ty, &[above, Number(1)])
    }

    /// `bfi`: inserts the low bits of a number at a position of another.
    fn insert(&mut self, ty: Type) -> Result<Argument, CompileError> {
        let arguments = self.arguments(4)?;
        let (first, length) = (self.byte(arguments[2]), self.byte(arguments[3]));
        let low = self.mask(ty, length);
        let mask = self.make(ShiftLeft, ty, &[low, first]);
        let moved = self.make(ShiftLeft, ty, &[arguments[0], first]);
        let inside = self.make(And, ty, &[moved, mask]);
        let outside = self.make(Not, ty, &[mask]);
        let rest = self.make(And, ty, &[arguments[1], outside]);
        Ok(self.make(Or, ty, &[inside, rest]))
    }

    /// `popc`: the number of ones; pairs, fours and eights are added in parallel.
    fn ones(&mut self, a: Argument) -> Argument {
        let half = self.make(ShiftRight, U32, &[a, Number(1)]);
        let odd = self.make(And, U32, &[half, Number(0x5555_5555)]);
        let twos = self.make(Subtract, U32, &[a, odd]);
        let lower = self.make(And, U32, &[twos, Number(0x3333_3333)]);
        let upper = self.make(ShiftRight, U32, &[twos, Number(2)]);
        let upper = self.make(And, U32, &[upper, Number(0x3333_3333)]);
        let fours = self.make(Add, U32, &[lower, upper]);
        let upper = self.make(ShiftRight, U32, &[fours, Number(4)]);
        let sums = self.make(Add, U32, &[fours, upper]);
        let eights = self.make(And, U32, &[sums, Number(0x0f0f_0f0f)]);
        let upper = self.make(ShiftRight, U32, &[eights, Number(8)]);
        let sixteens = self.make(Add, U32, &[eights, upper]);
        let upper = self.make(ShiftRight, U32, &[sixteens, Number(16)]);
        let all = self.make(Add, U32, &[sixteens, upper]);
        self.make(And, U32, &[all, Number(0x3f)])
    }

    /// `clz`: the number of leading zeros.
    fn zeros(&mut self, low: Argument, high: Option<Argument>) -> Argument {
        let count = self.zeros_of_word(low);
        let Some(high) = high else {
            return count;
        };
        let upper = self.zeros_of_word(high);
        let both = self.make(Add, U32, &[count, Number(32)]);
        let none = self.make(Compare(Comparison::EQUAL), U32, &[high, Number(0)]);
        self.make(Select, U32, &[both, upper, none])
    }

    fn zeros_of_word(&mut self, a: Argument) -> Argument {
        // Rounded toward zero, a float's exponent is the position of the highest bit; the exponent of 0 is far below.
        let convert = Operation::Convert {
            from: U32,
            rounding: Rounding::Zero,
            integral: false,
            saturate: false,
        };
        let float = self.make(convert, F32, &[a]);
        let exponent = self.make(ShiftRight, U32, &[float, Number(23)]);
        let count = self.make(Subtract, U32, &[Number(127 + 31), exponent]);
        self.make(Minimum, U32, &[count, Number(32)])
    }

    fn reversed(&mut self, a: Argument) -> Argument {
        let mut value = a;
        for (by, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff)] {
            let down = self.make(ShiftRight, U32, &[value, Number(by)]);
            let down = self.make(And, U32, &[down, Number(mask)]);
            let kept = self.make(And, U32, &[value, Number(mask)]);
            let up = self.make(ShiftLeft, U32, &[kept, Number(by)]);
            value = self.make(Or, U32, &[down, up]);
        }
        let down = self.make(ShiftRight, U32, &[value, Number(16)]);
        let up = self.make(ShiftLeft, U32, &[value, Number(16)]);
        self.make(Or, U32, &[down, up])
    }

    /// `bfind`: the position of the highest bit that is not the sign; all ones if there is none.
    fn find_highest(&mut self, ty: Type, a: Argument) -> Result<Argument, CompileError> {
        let unsigned = Type {
            kind: Kind::Unsigned,
            ..ty
        };
        let mut searched = a;
        if ty.kind == Kind::Signed {
            let sign = self.make(ShiftRight, ty, &[a, Number(u64::from(ty.bits) - 1)]);
            searched = self.make(Xor, unsigned, &[a, sign]);
        }
        let (low, high) = match ty.bits {
            64 => (
                self.resize(searched, unsigned, U32),
                Some(self.make(Operation::High, U32, &[searched])),
            ),
            _ => (searched, None),
        };
        let zeros = self.zeros(low, high);
        let place = self.make(Subtract, U32, &[Number(u64::from(ty.bits) - 1), zeros]);
        if !self.modifiers.has("shiftamt") {
            return Ok(place);
        }
        // `place` is -1 if there is none.
        let none = self.make(Compare(Comparison::LESS), S32, &[place, Number(0)]);
        Ok(self.make(Select, U32, &[place, zeros, none]))
    }

    /// `prmt`: four bytes of eight, each selected by four bits; the upper bit replicates the sign of the byte.
    fn permute(&mut self) -> Result<Argument, CompileError> {
        if !self.modifiers.words.is_empty() {
            return self.unsupported("only the general mode is supported");
        }
        let arguments = self.arguments(3)?;
        let mut result = Number(0);
        for index in 0..4u64 {
            let choice = match arguments[2] {
                Number(number) => Number(number >> (4 * index) & 0xf),
                value => {
                    let down = self.make(ShiftRight, U32, &[value, Number(4 * index)]);
                    self.make(And, U32, &[down, Number(0xf)])
                }
            };
            let byte = self.chosen_byte(arguments[0], arguments[1], choice);
            let placed = self.make(ShiftLeft, U32, &[byte, Number(8 * index)]);
            result = match result {
                Number(_) => placed,
                before => self.make(Or, U32, &[before, placed]),
            };
        }
        Ok(result)
    }

    fn chosen_byte(&mut self, low: Argument, high: Argument, choice: Argument) -> Argument {
        if let Number(choice) = choice {
            let from = if choice & 4 == 0 { low } else { high };
            if choice & 8 != 0 {
                let up = self.make(ShiftLeft, U32, &[from, Number(24 - 8 * (choice & 3))]);
                let sign = self.make(ShiftRight, S32, &[up, Number(31)]);
                return self.make(And, U32, &[sign, Number(0xff)]);
            }
            let down = self.make(ShiftRight, U32, &[from, Number(8 * (choice & 3))]);
            return self.make(And, U32, &[down, Number(0xff)]);
        }
        let place = self.make(And, U32, &[choice, Number(7)]);
        let by = self.make(ShiftLeft, U32, &[place, Number(3)]);
        // A shift by 32 or more, which includes negative counts, gives 0.
        let over = self.make(Subtract, U32, &[by, Number(32)]);
        let lower = self.make(ShiftRight, U32, &[low, by]);
        let upper = self.make(ShiftRight, U32, &[high, over]);
        let both = self.make(Or, U32, &[lower, upper]);
        let upper_half = self.make(Compare(Comparison::LESS), U32, &[by, Number(32)]);
        let chosen = self.make(Select, U32, &[lower, both, upper_half]);
        let byte = self.make(And, U32, &[chosen, Number(0xff)]);
        let up = self.make(ShiftLeft, U32, &[byte, Number(24)]);
        let sign = self.make(ShiftRight, S32, &[up, Number(31)]);
        let sign = self.make(And, U32, &[sign, Number(0xff)]);
        let asks = self.make(Compare(Comparison::GREATER), U32, &[choice, Number(7)]);
        self.make(Select, U32, &[sign, byte, asks])
    }

    /// `shf`: shifts 64 bits and returns the upper or lower word.
    fn funnel(&mut self) -> Result<Argument, CompileError> {
        let arguments = self.arguments(3)?;
        let by = if self.modifiers.has("wrap") {
            self.make(And, U32, &[arguments[2], Number(31)])
        } else {
            self.make(Minimum, U32, &[arguments[2], Number(32)])
        };
        let rest = self.make(Subtract, U32, &[Number(32), by]);
        let (up, down) = if self.modifiers.has("l") {
            (by, rest)
        } else {
            (rest, by)
        };
        let upper = self.make(ShiftLeft, U32, &[arguments[1], up]);
        let lower = self.make(ShiftRight, U32, &[arguments[0], down]);
        Ok(self.make(Or, U32, &[upper, lower]))
    }

    /// `set`: a comparison's result as a number.
    fn set(&mut self, to: Type) -> Result<Argument, CompileError> {
        let Some(&from) = self.modifiers.types.get(1) else {
            return self.unsupported("expected two types");
        };
        let words = self.modifiers.words.clone();
        let found = words
            .first()
            .and_then(|word| comparison(word, from.kind == Kind::Float));
        let (Some(comparison), true) = (found, self.builder.class(from).is_some() && words.len() == 1) else {
            return self.unsupported("this comparison is not supported");
        };
        let arguments = self.arguments(2)?;
        let holds = self.make(Compare(comparison), from, &arguments);
        let yes = if to.kind == Kind::Float {
            ONE
        } else {
            u64::from(u32::MAX)
        };
        Ok(self.make(Select, U32, &[Number(yes), Number(0), holds]))
    }

    /// `testp`: the class of a float.
    fn test(&mut self) -> Result<Argument, CompileError> {
        let a = self.argument(1)?;
        let magnitude = self.make(And, U32, &[a, Number(SIGN_BIT - 1)]);
        let Some(&kind) = self.modifiers.words.first() else {
            return self.unsupported("the property is missing");
        };
        Ok(match kind {
            "infinite" => self.make(Compare(Comparison::EQUAL), U32, &[magnitude, Number(INFINITY)]),
            "finite" => self.make(Compare(Comparison::LESS), U32, &[magnitude, Number(INFINITY)]),
            "notanumber" => self.make(Compare(Comparison::GREATER), U32, &[magnitude, Number(INFINITY)]),
            "number" => {
                let at_most = Comparison {
                    equal: true,
                    ..Comparison::LESS
                };
                self.make(Compare(at_most), U32, &[magnitude, Number(INFINITY)])
            }
            "normal" => {
                let beyond = self.make(Subtract, U32, &[magnitude, Number(SMALLEST)]);
                self.make(Compare(Comparison::LESS), U32, &[beyond, Number(INFINITY - SMALLEST)])
            }
            "subnormal" => {
                let before = self.make(Subtract, U32, &[magnitude, Number(1)]);
                self.make(Compare(Comparison::LESS), U32, &[before, Number(SMALLEST - 1)])
            }
            _ => return self.unsupported("unknown property"),
        })
    }
}
