//! Integer expressions: operators and functions of OpenCL, scalars and vectors.

use super::expressions::{convert, same_bits};
use super::Generator;
use crate::tree::{Item, Node};
use crate::types::{Scalar, Type};

/// Functions with operands of the result's type, defined for all values, and their numbers of operands.
const FUNCTIONS: &[(&str, usize)] = &[
    ("min", 2),
    ("max", 2),
    ("add_sat", 2),
    ("sub_sat", 2),
    ("hadd", 2),
    ("rhadd", 2),
    ("rotate", 2),
    ("clz", 1),
    ("popcount", 1),
    ("bitselect", 3),
    ("mul_hi", 2),
    ("mad_hi", 3),
    ("mad_sat", 3),
];

impl Generator {
    /// Generates several expressions of a type.
    pub(super) fn several(&mut self, count: usize, ty: Type, depth: usize) -> Vec<Node> {
        (0..count).map(|_| self.expression(ty, depth)).collect()
    }

    /// Generates an integer operation.
    pub(super) fn integer_expression(&mut self, ty: Type, depth: usize) -> Node {
        // A division or a product of wide vectors has thousands of instructions.
        let narrow = ty.lanes * ty.scalar.bits() as usize <= 128;
        match self.below(22) {
            0..=2 => self.sum(ty, depth),
            3 | 4 => {
                let operator = self.one(&["&", "|", "^"]);
                let arguments = self.several(2, ty, depth);
                let text = format!("($0 {operator} $1)");
                Node::new(ty, self.narrowed(ty, text), arguments)
            }
            5 | 6 => self.shift(ty, depth),
            // Excludes vectors of two 16-bit integers, as in `comparison`.
            7 | 8 if narrow && !(ty.lanes == 2 && ty.scalar.bits() == 16) => self.quotient(ty, depth),
            9 => {
                let text = self.narrowed(ty, "(~$0)".into());
                Node::new(ty, text, vec![self.expression(ty, depth)])
            }
            10..=12 => {
                let (function, count) = self.one(FUNCTIONS);
                let wide = matches!(function, "mul_hi" | "mad_hi" | "mad_sat");
                // A signed sum of mad_hi could overflow.
                if wide && !narrow || function == "mad_hi" && ty.scalar.is_signed() {
                    return self.sum(ty, depth);
                }
                let arguments = self.several(count, ty, depth);
                let places = ["$0", "$0, $1", "$0, $1, $2"][count - 1];
                Node::new(ty, format!("{function}({places})"), arguments)
            }
            13 => {
                let arguments = self.several(3, ty, depth);
                Node::new(ty, "clamp($0, min($1, $2), max($1, $2))", arguments)
            }
            14 => self.difference(ty, depth),
            15 | 16 => self.conversion(ty, depth),
            17 => self.other_bits(ty, depth),
            18 => {
                // The result of a comparison as a number.
                let compared = if ty.is_vector() {
                    self.comparison(ty, depth)
                } else {
                    self.condition(depth)
                };
                convert_bits(ty, compared)
            }
            19 => self.of_24_bits(ty, depth),
            20 => self.of_halves(ty, depth),
            _ => self.sum(ty, depth),
        }
    }

    /// Text of an operation, converted back from `int` for narrow scalars.
    pub(super) fn narrowed(&self, ty: Type, text: String) -> String {
        if ty.is_vector() || ty.scalar.bits() >= 32 {
            text
        } else {
            same_bits(ty, &text)
        }
    }

    /// Generates a sum, difference or product of unsigned integers, for which overflow is defined.
    fn sum(&mut self, ty: Type, depth: usize) -> Node {
        let narrow = ty.lanes * ty.scalar.bits() as usize <= 128;
        let operator = self.one(if narrow { &["+", "-", "*"] } else { &["+", "-", "+"] });
        let arguments = self.several(2, ty, depth);
        let unsigned = ty.unsigned();
        let text = if ty.is_vector() {
            if ty == unsigned {
                format!("($0 {operator} $1)")
            } else {
                format!("as_{ty}(as_{unsigned}($0) {operator} as_{unsigned}($1))")
            }
        } else {
            let wide = if ty.scalar.bits() == 64 { "ulong" } else { "uint" };
            format!("(({ty})(({wide})$0 {operator} ({wide})$1))")
        };
        Node::new(ty, text, arguments)
    }

    /// Generates a shift. OpenCL masks the count to the width of the operand, which is at least 32 bits for scalars.
    fn shift(&mut self, ty: Type, depth: usize) -> Node {
        let operator = self.one(&["<<", ">>", ">>"]);
        let arguments = self.several(2, ty, depth);
        let bits = ty.scalar.bits();
        let unsigned = ty.unsigned();
        let masked = self.percent(60);
        let count = match (ty.is_vector(), masked) {
            (_, false) => "$1".to_string(),
            (true, true) => format!("($1 & ({ty})({}))", bits - 1),
            (false, true) => format!("($1 & {})", bits - 1),
        };
        let shifted = if operator == "<<" && ty != unsigned {
            if ty.is_vector() {
                format!("as_{ty}(as_{unsigned}($0) << as_{unsigned}({count}))")
            } else {
                let wide = if bits == 64 { "ulong" } else { "uint" };
                format!("(({ty})(({wide})$0 << {count}))")
            }
        } else {
            self.narrowed(ty, format!("($0 {operator} {count})"))
        };
        Node::new(ty, shifted, arguments)
    }

    /// Generates a quotient or remainder by a helper function that excludes the undefined cases.
    fn quotient(&mut self, ty: Type, depth: usize) -> Node {
        let (short, operator) = self.one(&[("div", "/"), ("rem", "%")]);
        let name = format!("{}_{short}_{ty}", self.name);
        if !self.items.iter().any(|item| item.name == name) {
            let least = match ty.scalar {
                Scalar::Char => "CHAR_MIN",
                Scalar::Short => "SHRT_MIN",
                Scalar::Int => "INT_MIN",
                _ => "LONG_MIN",
            };
            let signed = ty.scalar.is_signed();
            let (zero, one) = (format!("({ty})(0)"), format!("({ty})(1)"));
            let text = match (ty.is_vector(), signed) {
                (true, false) => format!("return a {operator} select(b, {one}, b == {zero});"),
                (true, true) => format!(
                    "return a {operator} select(b, {one}, (b == {zero}) | ((a == ({ty})({least})) & (b == ({ty})(-1))));"
                ),
                (false, false) => format!("return b == 0 ? a : a {operator} b;"),
                (false, true) => format!("return b == 0 || (a == {least} && b == -1) ? a : a {operator} b;"),
            };
            self.items.push(Item {
                text: format!("{ty} {name}({ty} a, {ty} b) {{ {text} }}"),
                name: name.clone(),
            });
        }
        Node::new(ty, format!("{name}($0, $1)"), self.several(2, ty, depth))
    }

    /// Generates `abs` or `abs_diff`; their results are unsigned.
    fn difference(&mut self, ty: Type, depth: usize) -> Node {
        let signed = self.percent(70);
        let of = ty.with(ty.scalar.with_sign(signed));
        let (text, count) = self.one(&[("abs($0)", 1), ("abs_diff($0, $1)", 2)]);
        let arguments = self.several(count, of, depth);
        // PoCL negates and subtracts signed numbers, and this must not overflow: the operands are halved.
        let text = match (signed, count) {
            (true, 1) => format!("abs(hadd($0, ({of})(0)))"),
            (true, 2) => format!("abs_diff(hadd($0, ({of})(0)), hadd($1, ({of})(0)))"),
            _ => text.to_string(),
        };
        Node::new(ty, same_bits(ty, &text), arguments)
    }

    /// Converts from another type with the same number of elements.
    fn conversion(&mut self, ty: Type, depth: usize) -> Node {
        let from = Type {
            scalar: self.scalar(),
            ..ty
        };
        let value = self.expression(from, depth);
        if from.is_real() {
            let mode = self.one(&["", "_rtz", "_rte", "_rtp", "_rtn"]);
            let text = if from.is_double() { from.tame("$0") } else { "$0".into() };
            return Node::new(ty, format!("convert_{ty}_sat{mode}({text})"), vec![value]);
        }
        if from == ty || self.percent(50) {
            return convert(ty, value);
        }
        Node::new(ty, format!("convert_{ty}_sat($0)"), vec![value])
    }

    /// Reinterprets the bits of a type with another number of elements.
    fn other_bits(&mut self, ty: Type, depth: usize) -> Node {
        let bits = ty.lanes * ty.scalar.bits() as usize;
        let scalar = self.scalar();
        let lanes = bits / scalar.bits() as usize;
        if ty.lanes == 3 || ![1, 2, 4, 8, 16].contains(&lanes) {
            return self.conversion(ty, depth);
        }
        let from = Type { scalar, lanes };
        let depth = depth.min(if lanes > 4 { 1 } else { depth });
        let text = format!("as_{ty}({})", from.tame("$0"));
        Node::new(ty, text, vec![self.expression(from, depth)])
    }

    /// Multiplies 24-bit operands. The product of signed operands fits 32 bits.
    fn of_24_bits(&mut self, ty: Type, depth: usize) -> Node {
        if ty.scalar.bits() != 32 {
            return self.conversion(ty, depth);
        }
        let unsigned = ty.unsigned();
        if ty.scalar.is_signed() {
            let cut = |at: usize, bits: u32| format!("(as_{ty}(as_{unsigned}(${at}) << {bits}) >> {bits})");
            let text = format!("mul24({}, {})", cut(0, 8), cut(1, 24));
            return Node::new(ty, text, self.several(2, ty, depth));
        }
        let operands = format!("$0 & ({ty})(0xffffff), $1 & ({ty})(0xffffff)");
        let (text, count) = if self.percent(50) {
            (format!("mul24({operands})"), 2)
        } else {
            (format!("mad24({operands}, $2)"), 3)
        };
        Node::new(ty, text, self.several(count, ty, depth))
    }

    /// Combines the two halves of a number.
    fn of_halves(&mut self, ty: Type, depth: usize) -> Node {
        let half = match ty.scalar.bits() {
            16 => Scalar::Uchar,
            32 => Scalar::Ushort,
            64 => Scalar::Uint,
            _ => return self.sum(ty, depth),
        };
        let high = ty.with(half.with_sign(ty.scalar.is_signed()));
        let arguments = vec![self.expression(high, depth), self.expression(ty.with(half), depth)];
        Node::new(ty, "upsample($0, $1)", arguments)
    }
}

/// Reinterprets the result of a condition or of a vector comparison as a type of the same size, or as a scalar.
fn convert_bits(ty: Type, compared: Node) -> Node {
    if compared.ty == Some(ty) {
        compared
    } else {
        Node::new(ty, same_bits(ty, "$0"), vec![compared])
    }
}
