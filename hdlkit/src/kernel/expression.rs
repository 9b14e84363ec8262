//! Expressions in which every operand has exactly the width that Verilog needs to compute what Rust computes.
//!
//! Truncations are pushed down to the signals, where they are part selects.

use super::resolve::{SigId, Variant};
use super::shape::low_bits;
use num_bigint::{BigInt, BigUint};

/// Two operands of the result's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Wraps.
    Add,
    /// Wraps.
    Sub,
    /// Wraps: operands are as wide as the product.
    Mul,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
}

/// Comparisons of two operands of one width.
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

/// From all bits of an operand to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// All bits are 1.
    And,
    /// Some bit is 1.
    Or,
    /// An odd number of bits is 1.
    Xor,
}

/// An expression of `width` bits.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Bits.
    pub width: usize,
    /// What gives its value.
    pub node: Node,
}

/// What gives an expression its value.
#[derive(Clone, Debug)]
pub enum Node {
    /// A number.
    Literal(BigUint),
    /// A variant of an enum.
    Variant(Variant),
    /// Bits of a signal from `low` up.
    Signal {
        /// The signal.
        sig: SigId,
        /// Its lowest bit.
        low: usize,
    },
    /// Bits from `low` up of a signal that the exporter introduced.
    Temporary {
        /// Which of them.
        index: usize,
        /// Its lowest bit.
        low: usize,
    },
    /// Every bit inverted.
    Not(Box<Expr>),
    /// The two's complement.
    Negate(Box<Expr>),
    /// An operation of two operands.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// Zeros come in from below.
    ShiftLeft(Box<Expr>, Box<Expr>),
    /// Zeros come in from above.
    ShiftRight(Box<Expr>, Box<Expr>),
    /// A comparison.
    Compare {
        /// Which one.
        op: Compare,
        /// Of two's complements.
        signed: bool,
        /// The first operand.
        left: Box<Expr>,
        /// The second one.
        right: Box<Expr>,
    },
    /// Of two conditions.
    And(Box<Expr>, Box<Expr>),
    /// Of two conditions.
    Or(Box<Expr>, Box<Expr>),
    /// All bits to one.
    Reduce(Reduce, Box<Expr>),
    /// Zeros above.
    Extend(Box<Expr>),
    /// Copies of the sign above.
    SignExtend(Box<Expr>),
    /// Bits from `low` up of something that has no part select.
    Cut {
        /// What it is a part of.
        of: Box<Expr>,
        /// Its lowest bit.
        low: usize,
    },
    /// `of[index +: width]`, in range.
    Select {
        /// What it is a part of.
        of: Box<Expr>,
        /// Its lowest bit.
        index: Box<Expr>,
    },
    /// First is highest.
    Concat(Vec<Expr>),
}

/// In a box.
pub(crate) fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

/// A number of so many bits.
pub(crate) fn literal(value: impl Into<BigUint>, width: usize) -> Expr {
    Expr {
        width,
        node: Node::Literal(value.into()),
    }
}

impl Expr {
    /// Bits of a signal from `low` up.
    pub fn signal(sig: SigId, low: usize, width: usize) -> Expr {
        Expr {
            width,
            node: Node::Signal { sig, low },
        }
    }

    /// The value of an expression of literals.
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

    /// `width` bits from `low` up. Bits past the end are not asked for.
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

    /// With zeros above up to `width`.
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

    /// The opposite of a condition.
    pub fn inverted(self) -> Expr {
        Expr {
            width: 1,
            node: Node::Not(boxed(self)),
        }
    }

    /// With copies of the sign above up to `width`.
    pub(crate) fn sign_extend(self, width: usize) -> Expr {
        if width <= self.width {
            return self;
        }
        Expr {
            width,
            node: Node::SignExtend(boxed(self)),
        }
    }

    /// `width` bits: cut or extended with zeros.
    pub(crate) fn resize(self, width: usize) -> Expr {
        if width <= self.width {
            self.part(0, width)
        } else {
            self.extend(width)
        }
    }

    /// Calls `f` for every part of a signal that this reads: signal, lowest bit, width.
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
            Node::Concat(parts) => parts.iter().for_each(|p| p.reads(f)),
        }
    }

    /// Reads `to` wherever this reads `from`.
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
            Node::Concat(parts) => parts.iter_mut().for_each(|p| p.rename(from, to)),
        }
    }

    /// Calls `f` for every enum variant named.
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
            Node::Concat(parts) => parts.iter().for_each(|p| p.variants(f)),
        }
    }
}

impl Expr {
    /// Parts side by side, the first one highest.
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
