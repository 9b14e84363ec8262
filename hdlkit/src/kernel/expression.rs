//! Typed expressions: all operands have exactly the width at which Verilog computes the same result as Rust.
//!
//! Truncations are pushed down to the signals, where they become part selects.

use super::resolve::{SigId, Variant};
use super::shape::low_bits;
use num_bigint::{BigInt, BigUint};

/// Operations on two operands of the result's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Addition; wraps.
    Add,
    /// Subtraction; wraps.
    Sub,
    /// Multiplication; wraps: operands are as wide as the product.
    Mul,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// Comparisons of two operands of equal width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// Reductions of all bits of an operand to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// All bits are 1.
    And,
    /// At least one bit is 1.
    Or,
    /// An odd number of bits are 1.
    Xor,
}

/// An expression of `width` bits.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Width in bits.
    pub width: usize,
    /// The expression itself.
    pub node: Node,
}

/// The form of an expression.
#[derive(Clone, Debug)]
pub enum Node {
    /// A number.
    Literal(BigUint),
    /// A variant of an enum.
    Variant(Variant),
    /// Bits of a signal starting at `low`.
    Signal {
        /// The signal.
        sig: SigId,
        /// Lowest bit.
        low: usize,
    },
    /// Bits starting at `low` of a signal that the exporter introduced.
    Temporary {
        /// The signal's index.
        index: usize,
        /// Lowest bit.
        low: usize,
    },
    /// Every bit inverted.
    Not(Box<Expr>),
    /// The two's complement.
    Negate(Box<Expr>),
    /// An operation on two operands.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// Left shift; zeros are shifted in.
    ShiftLeft(Box<Expr>, Box<Expr>),
    /// Right shift; zeros are shifted in.
    ShiftRight(Box<Expr>, Box<Expr>),
    /// A comparison.
    Compare {
        /// The comparison.
        op: Compare,
        /// True if the operands are two's complement.
        signed: bool,
        /// The first operand.
        left: Box<Expr>,
        /// The second operand.
        right: Box<Expr>,
    },
    /// Conjunction of two conditions.
    And(Box<Expr>, Box<Expr>),
    /// Disjunction of two conditions.
    Or(Box<Expr>, Box<Expr>),
    /// The second operand where the first is 1, else the third.
    Mux(Box<Expr>, Box<Expr>, Box<Expr>),
    /// All bits reduced to one.
    Reduce(Reduce, Box<Expr>),
    /// Zero-extended.
    Extend(Box<Expr>),
    /// Sign-extended.
    SignExtend(Box<Expr>),
    /// Bits starting at `low` of an expression without a part select.
    Cut {
        /// The expression that is sliced.
        of: Box<Expr>,
        /// Lowest bit.
        low: usize,
    },
    /// `of[index +: width]`, in range.
    Select {
        /// The expression that is selected from.
        of: Box<Expr>,
        /// Lowest bit.
        index: Box<Expr>,
    },
    /// Concatenation; the first part is the highest.
    Concat(Vec<Expr>),
}

/// Boxes an expression.
pub(crate) fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

/// A number of `width` bits.
pub(crate) fn literal(value: impl Into<BigUint>, width: usize) -> Expr {
    Expr {
        width,
        node: Node::Literal(value.into()),
    }
}

impl Expr {
    /// Bits of a signal starting at `low`.
    pub fn signal(sig: SigId, low: usize, width: usize) -> Expr {
        Expr {
            width,
            node: Node::Signal { sig, low },
        }
    }

    /// The value of a constant expression.
    pub fn constant(&self) -> Option<BigUint> {
        let truth = |b: bool| BigUint::from(b as u8);
        Some(match &self.node {
            Node::Literal(value) => value.clone(),
            Node::Variant(variant) => BigUint::from(variant.value),
            Node::Not(e) => low_bits(&!BigInt::from(e.constant()?), self.width),
            Node::Extend(e) => e.constant()?,
            Node::And(a, b) => match (a.constant(), b.constant()) {
                (Some(a), Some(b)) => a & b,
                (Some(zero), _) | (_, Some(zero)) if zero == BigUint::default() => zero,
                _ => return None,
            },
            Node::Or(a, b) => match (a.constant(), b.constant()) {
                (Some(a), Some(b)) => a | b,
                (Some(one), _) | (_, Some(one)) if one == BigUint::from(1u8) => one,
                _ => return None,
            },
            Node::Compare {
                op,
                signed: false,
                left,
                right,
            } => {
                let order = left.constant()?.cmp(&right.constant()?);
                truth(match op {
                    Compare::Eq => order.is_eq(),
                    Compare::Ne => order.is_ne(),
                    Compare::Lt => order.is_lt(),
                    Compare::Le => order.is_le(),
                    Compare::Gt => order.is_gt(),
                    Compare::Ge => order.is_ge(),
                })
            }
            _ => return None,
        })
    }

    /// `width` bits starting at `low`. Bits past the end are never requested.
    pub fn part(self, low: usize, width: usize) -> Expr {
        if low == 0 && width == self.width {
            return self;
        }
        debug_assert!(low + width <= self.width);
        let node = match self.node {
            Node::Literal(value) => Node::Literal(low_bits(&BigInt::from(value >> low), width)),
            Node::Variant(variant) => Node::Literal(low_bits(&BigInt::from(variant.value >> low), width)),
            Node::Signal { sig, low: base } => Node::Signal { sig, low: base + low },
            Node::Temporary { index, low: base } => Node::Temporary { index, low: base + low },
            Node::Not(e) => Node::Not(boxed(e.part(low, width))),
            Node::Mux(test, a, b) => Node::Mux(test, boxed(a.part(low, width)), boxed(b.part(low, width))),
            Node::Negate(e) if low == 0 => Node::Negate(boxed(e.part(0, width))),
            Node::Binary(op, a, b) if low == 0 || matches!(op, Op::And | Op::Or | Op::Xor) => {
                Node::Binary(op, boxed(a.part(low, width)), boxed(b.part(low, width)))
            }
            Node::ShiftLeft(e, count) if low == 0 => Node::ShiftLeft(boxed(e.part(0, width)), count),
            Node::ShiftRight(e, count) if count.constant().is_some() => {
                let count: usize = count.constant().and_then(|c| c.try_into().ok()).unwrap_or(usize::MAX);
                let from = low.saturating_add(count);
                if from >= e.width {
                    Node::Literal(BigUint::default())
                } else {
                    let have = width.min(e.width - from);
                    return e.part(from, have).extend(width);
                }
            }
            Node::Extend(e) => {
                if low >= e.width {
                    Node::Literal(BigUint::default())
                } else {
                    let have = width.min(e.width - low);
                    return e.part(low, have).extend(width);
                }
            }
            Node::SignExtend(e) if low + width <= e.width => return e.part(low, width),
            Node::SignExtend(e) if low == 0 => Node::SignExtend(e),
            Node::Concat(parts) => {
                let mut chosen = vec![];
                let mut base = self.width;
                for part in parts {
                    base -= part.width;
                    let from = low.max(base);
                    let to = (low + width).min(base + part.width);
                    if from < to {
                        chosen.push(part.part(from - base, to - from));
                    }
                }
                return concat(chosen);
            }
            node => Node::Cut {
                of: boxed(Expr {
                    width: self.width,
                    node,
                }),
                low,
            },
        };
        Expr { width, node }
    }

    /// Zero-extended to `width`.
    pub fn extend(self, width: usize) -> Expr {
        if width <= self.width {
            return self;
        }
        match self.node {
            Node::Literal(value) => literal(value, width),
            Node::Extend(inner) => inner.extend(width),
            node => Expr {
                width,
                node: Node::Extend(boxed(Expr {
                    width: self.width,
                    node,
                })),
            },
        }
    }

    /// The negation of a condition.
    pub fn inverted(self) -> Expr {
        Expr {
            width: 1,
            node: Node::Not(boxed(self)),
        }
    }

    /// Sign-extended to `width`.
    pub(crate) fn sign_extend(self, width: usize) -> Expr {
        if width <= self.width {
            return self;
        }
        Expr {
            width,
            node: Node::SignExtend(boxed(self)),
        }
    }

    /// True if the upper bits repeat a sign.
    pub(crate) fn is_sign_extended(&self) -> bool {
        matches!(self.node, Node::SignExtend(_))
    }

    /// Truncated or zero-extended to `width` bits.
    pub(crate) fn resize(self, width: usize) -> Expr {
        if width <= self.width {
            self.part(0, width)
        } else {
            self.extend(width)
        }
    }

    /// Calls `f` for every part of a signal that this expression reads: signal, lowest bit, width.
    pub fn reads(&self, f: &mut dyn FnMut(SigId, usize, usize)) {
        match &self.node {
            Node::Literal(_) | Node::Variant(_) | Node::Temporary { .. } => {}
            Node::Signal { sig, low } => f(*sig, *low, self.width),
            Node::Not(e) | Node::Negate(e) | Node::Reduce(_, e) | Node::Extend(e) | Node::SignExtend(e) => e.reads(f),
            Node::Cut { of, .. } => of.reads(f),
            Node::Binary(_, a, b)
            | Node::ShiftLeft(a, b)
            | Node::ShiftRight(a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Compare { left: a, right: b, .. }
            | Node::Select { of: a, index: b } => {
                a.reads(f);
                b.reads(f);
            }
            Node::Mux(test, a, b) => [test, a, b].into_iter().for_each(|e| e.reads(f)),
            Node::Concat(parts) => parts.iter().for_each(|p| p.reads(f)),
        }
    }

    /// Replaces reads of `from` by reads of `to`.
    pub fn rename(&mut self, from: SigId, to: SigId) {
        match &mut self.node {
            Node::Literal(_) | Node::Variant(_) | Node::Temporary { .. } => {}
            Node::Signal { sig, .. } => {
                if *sig == from {
                    *sig = to;
                }
            }
            Node::Not(e) | Node::Negate(e) | Node::Reduce(_, e) | Node::Extend(e) | Node::SignExtend(e) => {
                e.rename(from, to)
            }
            Node::Cut { of, .. } => of.rename(from, to),
            Node::Binary(_, a, b)
            | Node::ShiftLeft(a, b)
            | Node::ShiftRight(a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Compare { left: a, right: b, .. }
            | Node::Select { of: a, index: b } => {
                a.rename(from, to);
                b.rename(from, to);
            }
            Node::Mux(test, a, b) => [test, a, b].into_iter().for_each(|e| e.rename(from, to)),
            Node::Concat(parts) => parts.iter_mut().for_each(|p| p.rename(from, to)),
        }
    }

    /// Calls `f` for every enum variant in the expression.
    pub fn variants(&self, f: &mut dyn FnMut(&Variant)) {
        match &self.node {
            Node::Variant(variant) => f(variant),
            Node::Literal(_) | Node::Signal { .. } | Node::Temporary { .. } => {}
            Node::Not(e) | Node::Negate(e) | Node::Reduce(_, e) | Node::Extend(e) | Node::SignExtend(e) => {
                e.variants(f)
            }
            Node::Cut { of, .. } => of.variants(f),
            Node::Binary(_, a, b)
            | Node::ShiftLeft(a, b)
            | Node::ShiftRight(a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Compare { left: a, right: b, .. }
            | Node::Select { of: a, index: b } => {
                a.variants(f);
                b.variants(f);
            }
            Node::Mux(test, a, b) => [test, a, b].into_iter().for_each(|e| e.variants(f)),
            Node::Concat(parts) => parts.iter().for_each(|p| p.variants(f)),
        }
    }
}

impl Expr {
    /// Concatenates parts, the first one highest.
    pub fn concat(parts: Vec<Expr>) -> Expr {
        concat(parts)
    }
}

fn concat(mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    Expr {
        width: parts.iter().map(|p| p.width).sum(),
        node: Node::Concat(parts),
    }
}
