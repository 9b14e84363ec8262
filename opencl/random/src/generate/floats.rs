//! Float expressions, restricted to operations with exact results on every implementation.

use super::Generator;
use crate::tree::Node;
use crate::types::Type;

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
}
