//! Expressions of any type: leaves, selections, conversions. `integers` and `floats` generate their operations.
//!
//! Each text is a name, a call, or in parentheses, so that it is valid as an operand of any operator.

use super::scope::{bounded, Lvalue};
use super::Generator;
use crate::tree::Node;
use crate::types::{Scalar, Type};

/// Reinterprets the bits as another type: `(type)` for a scalar, `as_type` for a vector.
pub(super) fn same_bits(ty: Type, of: &str) -> String {
    if ty.is_vector() {
        format!("as_{ty}({of})")
    } else {
        format!("(({ty}){of})")
    }
}

/// Names of vector elements, for use after `.s`.
pub(super) fn elements(of: &[usize]) -> String {
    of.iter().map(|at| format!("{at:x}")).collect()
}

impl Generator {
    /// Generates any expression of a type, with a nesting of at most `depth`.
    pub(super) fn expression(&mut self, ty: Type, depth: usize) -> Node {
        if depth == 0 || self.percent(12) {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match self.below(16) {
            0 => self.choice(ty, depth),
            1 | 2 => self.leaf(ty),
            3 => self.call_expression(ty, depth),
            4 if ty.is_vector() => self.build(ty, depth),
            4 | 5 => self.piece(ty, depth),
            6 => self.load(ty, depth),
            _ => self.operation(ty, depth),
        }
    }

    /// Generates an operation with a result of this type.
    pub(super) fn operation(&mut self, ty: Type, depth: usize) -> Node {
        match ty.scalar {
            Scalar::Float => self.float(ty, depth),
            Scalar::Double => self.double(ty, depth),
            _ => self.integer_expression(ty, depth),
        }
    }

    /// Generates an expression with the same value in all work-items of a group.
    pub(super) fn uniform_expression(&mut self, ty: Type, depth: usize) -> Node {
        let before = std::mem::replace(&mut self.uniform, true);
        let node = self.expression(ty, depth);
        self.uniform = before;
        node
    }

    /// Generates a condition, of type `int`.
    pub(super) fn condition(&mut self, depth: usize) -> Node {
        let below = depth.saturating_sub(1);
        match self.below(8) {
            0 if !self.uniform => {
                let bits = self.one(&[1, 2, 3, 4, 6, 8, 16, 31]);
                let index = self.index_leaf();
                Node::new(Type::INT, format!("(($0 & {bits}u) != 0)"), vec![index])
            }
            1 if depth > 0 => {
                let text = self.one(&["($0 && $1)", "($0 || $1)"]);
                Node::new(Type::INT, text, vec![self.condition(below), self.condition(below)])
            }
            2 if depth > 0 => Node::new(Type::INT, "(!$0)", vec![self.condition(below)]),
            3 if depth > 0 => {
                let scalar = self.integer();
                let ty = Type {
                    scalar,
                    lanes: self.one(&[2, 3, 4]),
                };
                let text = self.one(&["any($0)", "all($0)", "(!any($0))"]);
                Node::new(Type::INT, text, vec![self.comparison(ty, below)])
            }
            _ => {
                let ty = Type::of(self.scalar());
                self.comparison(ty, below)
            }
        }
    }

    /// Compares two values of a type. The result is `int` for scalars, and signed integers of the same size for
    /// vectors.
    pub(super) fn comparison(&mut self, ty: Type, depth: usize) -> Node {
        // clang 19 cannot compile operations of vectors of two 16-bit integers (docs/compiler.md).
        if ty.lanes == 2 && ty.scalar.bits() == 16 {
            let wide = self.comparison(ty.with(Scalar::Int), depth);
            return Node::new(ty.signed(), format!("convert_{}($0)", ty.signed()), vec![wide]);
        }
        let result = if ty.is_vector() { ty.signed() } else { Type::INT };
        let arguments = vec![self.expression(ty, depth), self.expression(ty, depth)];
        if ty.is_real() && self.percent(40) {
            let function = self.one(&[
                "isgreater",
                "isless",
                "isequal",
                "isnotequal",
                "islessequal",
                "islessgreater",
            ]);
            return Node::new(result, format!("{function}($0, $1)"), arguments);
        }
        let operator = self.one(&["<", "<=", ">", ">=", "==", "!="]);
        Node::new(result, format!("($0 {operator} $1)"), arguments)
    }

    /// A work-item function: the global or local index, or, if `uniform`, a value that is the same for the group.
    fn index_leaf(&mut self) -> Node {
        let function = if self.uniform {
            self.one(&["get_group_id", "get_local_size", "get_num_groups", "get_global_size"])
        } else {
            self.one(&["get_global_id", "get_local_id", "get_global_id"])
        };
        let text = match function {
            "get_global_id" if !self.in_function => "gid".into(),
            "get_local_id" if !self.in_function => "lid".into(),
            _ => format!("((uint){function}(0))"),
        };
        Node::leaf(Type::UINT, text)
    }

    /// Selects an lvalue that fits and, if `uniform`, has the same value in all work-items of a group.
    fn readable(&mut self, fits: impl Fn(&Lvalue) -> bool) -> Option<Lvalue> {
        let uniform = self.uniform;
        let suits = |lvalue: &&Lvalue| (!uniform || lvalue.uniform) && fits(lvalue);
        let count = self.lvalues.iter().filter(suits).count();
        if count == 0 {
            return None;
        }
        let at = self.below(count);
        self.lvalues.iter().filter(suits).nth(at).cloned()
    }

    /// Selects an lvalue that fits and can be written.
    pub(super) fn writable(&mut self, fits: impl Fn(&Lvalue) -> bool) -> Option<Lvalue> {
        self.readable(|lvalue| lvalue.writable && fits(lvalue))
    }

    /// Reads an lvalue; an element of an array gets an index.
    pub(super) fn at(&mut self, lvalue: &Lvalue) -> Node {
        let arguments = if lvalue.text.contains('$') {
            vec![self.index()]
        } else {
            Vec::new()
        };
        Node::new(lvalue.ty, lvalue.text.clone(), arguments)
    }

    /// Generates an index without bounds.
    pub(super) fn index(&mut self) -> Node {
        match self.below(4) {
            0 => Node::leaf(Type::UINT, format!("{}u", self.below(16))),
            1 => self.expression(Type::UINT, 1),
            _ => self.leaf(Type::UINT),
        }
    }

    /// Generates an expression without subexpressions, except for indices.
    pub(super) fn leaf(&mut self, ty: Type) -> Node {
        if self.percent(65) {
            if let Some(lvalue) = self.readable(|lvalue| lvalue.ty == ty) {
                // An index may contain an indexed lvalue; the probability of 60 % ends this recursion.
                if !lvalue.text.contains('$') || self.percent(60) {
                    return self.at(&lvalue);
                }
            }
        }
        if ty == Type::UINT && self.percent(60) {
            return self.index_leaf();
        }
        if self.percent(75) {
            // An lvalue of another type, converted.
            if let Some(lvalue) = self.readable(|_| true) {
                if !lvalue.text.contains('$') || self.percent(50) {
                    let from = self.at(&lvalue);
                    return self.adapted(ty, lvalue.ty, from);
                }
            }
        }
        self.literal(ty)
    }

    /// Converts an expression of another type: elements of a vector, or a scalar for each element.
    fn adapted(&mut self, ty: Type, other: Type, from: Node) -> Node {
        if other.lanes == ty.lanes {
            convert(ty, from)
        } else if other.is_vector() {
            let of: Vec<usize> = (0..ty.lanes).map(|_| self.below(other.lanes)).collect();
            let piece = Type {
                lanes: ty.lanes,
                ..other
            };
            convert(ty, Node::new(piece, format!("(($0).s{})", elements(&of)), vec![from]))
        } else {
            let one = convert(Type::of(ty.scalar), from);
            Node::new(ty, format!("(({ty})($0))"), vec![one])
        }
    }

    /// Selects one of two values by a condition or a mask.
    fn choice(&mut self, ty: Type, depth: usize) -> Node {
        let (one, other) = (self.expression(ty, depth), self.expression(ty, depth));
        if !ty.is_vector() {
            let condition = self.condition(depth);
            // The result of narrow integers would be an `int`.
            let text = self.narrowed(ty, "($2 ? $0 : $1)".into());
            return Node::new(ty, text, vec![one, other, condition]);
        }
        let mask = self.expression(ty.signed(), depth);
        let unsigned = self.percent(30);
        let mask = if unsigned {
            Node::new(ty.unsigned(), format!("as_{}($0)", ty.unsigned()), vec![mask])
        } else {
            mask
        };
        let text = if unsigned || self.percent(50) {
            "select($0, $1, $2)"
        } else {
            "($2 ? $0 : $1)"
        };
        Node::new(ty, text, vec![one, other, mask])
    }

    /// Builds a vector from shorter vectors and scalars.
    fn build(&mut self, ty: Type, depth: usize) -> Node {
        let mut left = ty.lanes;
        let mut arguments = Vec::new();
        while left > 0 {
            let lanes = self.one(&[1, 1, 2, 3, 4, 8]);
            if lanes <= left && lanes < ty.lanes {
                left -= lanes;
                arguments.push(self.expression(Type { lanes, ..ty }, if ty.lanes > 4 { 0 } else { depth.min(1) }));
            }
        }
        let places: Vec<String> = (0..arguments.len()).map(|at| format!("${at:x}")).collect();
        Node::new(ty, format!("(({ty})({}))", places.join(", ")), arguments)
    }

    /// Selects elements of a vector in any order.
    fn piece(&mut self, ty: Type, depth: usize) -> Node {
        let from = Type {
            lanes: self.one(&[2, 3, 4, 4, 8, 16]),
            ..ty
        };
        let depth = depth.min(if from.lanes > 4 { 1 } else { depth });
        let vector = self.expression(from, depth);
        if from.lanes == 2 * ty.lanes && self.percent(50) {
            let half = self.one(&["lo", "hi", "even", "odd"]);
            return Node::new(ty, format!("(($0).{half})"), vec![vector]);
        }
        let of: Vec<usize> = (0..ty.lanes).map(|_| self.below(from.lanes)).collect();
        if ty.is_vector() && from.lanes != 3 && ty.lanes != 3 && ty.lanes <= 4 && self.percent(25) {
            let masks = Type {
                lanes: ty.lanes,
                ..ty.unsigned()
            };
            let mask = self.expression(masks, 0);
            return Node::new(ty, "shuffle($0, $1)", vec![vector, mask]);
        }
        Node::new(ty, format!("(($0).s{})", elements(&of)), vec![vector])
    }

    /// Loads an element of an array, or a vector from consecutive elements.
    fn load(&mut self, ty: Type, depth: usize) -> Node {
        if self.uniform {
            return self.leaf(ty);
        }
        let suits: Vec<usize> = (0..self.arrays.len())
            .filter(|at| {
                let array = &self.arrays[*at];
                array.ty == ty || ty.is_vector() && array.ty == Type::of(ty.scalar) && array.count >= ty.lanes
            })
            .collect();
        if suits.is_empty() {
            return self.leaf(ty);
        }
        let array = self.one_array(&suits);
        let index = self.expression(Type::UINT, depth.min(2));
        if array.ty == ty {
            return Node::new(ty, array.element().text, vec![index]);
        }
        let bound = bounded(array.count / ty.lanes);
        Node::new(ty, format!("vload{}({bound}, {})", ty.lanes, array.text), vec![index])
    }
}

/// Converts an expression to a type with the same number of elements, only by conversions that are defined for all
/// values.
pub(super) fn convert(ty: Type, from: Node) -> Node {
    match (from.ty, ty.scalar) {
        (Some(other), _) if other == ty => from,
        (Some(other), Scalar::Float) if other.is_double() => {
            let text = ty.tame(&format!("convert_{ty}({})", other.tame("$0")));
            Node::new(ty, text, vec![from])
        }
        (_, Scalar::Double) => Node::new(ty, format!("convert_{ty}($0)"), vec![from]),
        (Some(other), scalar) if other.is_real() && scalar != Scalar::Float => {
            let text = if other.is_double() {
                other.tame("$0")
            } else {
                "$0".into()
            };
            Node::new(ty, format!("convert_{ty}_sat({text})"), vec![from])
        }
        (_, Scalar::Float) => {
            let narrow = if ty.is_vector() {
                format!("convert_{}($0)", ty.with(Scalar::Char))
            } else {
                "((char)$0)".into()
            };
            let narrow = Node::new(ty.with(Scalar::Char), narrow, vec![from]);
            Node::new(ty, format!("convert_{ty}($0)"), vec![narrow])
        }
        _ if ty.is_vector() => Node::new(ty, format!("convert_{ty}($0)"), vec![from]),
        _ => Node::new(ty, format!("(({ty})$0)"), vec![from]),
    }
}
