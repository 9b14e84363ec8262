//! Float expressions, restricted to operations with exact results on every implementation.

use super::Generator;
use crate::tree::Node;
use crate::types::{Scalar, Type};
use rand::Rng;

/// Functions with exact results, and their numbers of operands. Operands are bounded where the result would otherwise
/// be inexact.
const FUNCTIONS: &[(&str, usize)] = &[
    ("($0 + $1)", 2),
    ("($0 - $1)", 2),
    ("(SMALL($0) * SMALL($1))", 2),
    ("(-$0)", 1),
    ("fabs($0)", 1),
    ("fmin($0, $1)", 2),
    ("fmax($0, $1)", 2),
    ("floor($0)", 1),
    ("ceil($0)", 1),
    ("trunc($0)", 1),
    ("rint($0)", 1),
    ("round($0)", 1),
    ("fma(SMALL($0), SMALL($1), SMALL($2))", 3),
    ("fmod(TAME($0), 3.25f)", 1),
    ("step($0, $1)", 2),
    ("sign($0)", 1),
    ("fdim($0, $1)", 2),
    ("clamp($0, fmin($1, $2), fmax($1, $2))", 3),
    ("TAME($0)", 1),
    ("($0 * 0.5f)", 1),
];

/// Operations of doubles that are rounded once, or exact.
const OPERATIONS: &[(&str, usize)] = &[
    ("($0 + $1)", 2),
    ("($0 - $1)", 2),
    ("($0 * $1)", 2),
    ("($0 / $1)", 2),
    ("($0 / $1)", 2),
    ("fma($0, $1, $2)", 3),
    ("fma(-$0, $1, $2)", 3),
    ("sqrt($0)", 1),
    ("sqrt(fabs($0))", 1),
    ("(-$0)", 1),
    ("fabs($0)", 1),
    ("(fmin($0, $1) + 0.0)", 2),
    ("(fmax($0, $1) + 0.0)", 2),
    ("floor($0)", 1),
    ("ceil($0)", 1),
    ("trunc($0)", 1),
    ("rint($0)", 1),
    ("round($0)", 1),
    ("sign($0)", 1),
    ("fdim($0, $1)", 2),
    ("REAL($0)", 1),
    ("($0 * 0.1)", 1),
];

impl Generator {
    /// Generates a float operation or a conversion from integers.
    pub(super) fn float(&mut self, ty: Type, depth: usize) -> Node {
        if self.percent(25) {
            let from = Type {
                scalar: self.integer(),
                ..ty
            };
            let mode = self.one(&["", "", "_rte", "_rtz", "_rtp", "_rtn"]);
            let number = self.expression(from, depth);
            return Node::new(ty, format!("convert_{ty}{mode}($0)"), vec![number]);
        }
        let (text, count) = self.one(FUNCTIONS);
        let mut text = text.to_string();
        if ty.is_vector() {
            // For vectors, fmod has no form with a scalar operand.
            text = text.replace("3.25f", &format!("({ty})(3.25f)"));
        }
        let arguments = self.several(count, ty, depth);
        Node::new(ty, text, arguments)
    }

    /// Generates an operation on doubles. IEEE 754 determines all results, except for the sign of a NaN and the sign of
    /// a zero that `fmin` or `fmax` returns.
    pub(super) fn double(&mut self, ty: Type, depth: usize) -> Node {
        if self.percent(25) {
            let from = Type {
                scalar: if self.percent(20) {
                    Scalar::Float
                } else {
                    self.integer()
                },
                ..ty
            };
            let mode = match from.scalar {
                Scalar::Float => "",
                _ => self.one(&["", "_rte", "_rtz", "_rtp", "_rtn"]),
            };
            let number = self.expression(from, depth);
            return Node::new(ty, format!("convert_{ty}{mode}($0)"), vec![number]);
        }
        let (text, count) = self.one(OPERATIONS);
        let arguments = self.several(count, ty, depth);
        Node::new(ty, text, arguments)
    }

    /// Generates a double that is not a NaN: a small one, any one, or one of few bits.
    pub(super) fn real(&mut self) -> f64 {
        let bits: u64 = self.random.gen();
        let number = match self.below(4) {
            0 => f64::from_bits(bits),
            1 => f64::from_bits(bits & 0xffff_8000_0000_0000),
            2 => f64::from(bits as i16) * 0.25,
            _ => (bits as i64 >> (bits % 60)) as f64 * 2f64.powi((bits >> 60) as i32 - 8),
        };
        if number.is_finite() {
            number
        } else {
            1.5
        }
    }
}
