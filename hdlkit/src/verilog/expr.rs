//! Expressions with their widths: from rust-hdl's syntax to a form in which every operand has exactly the width that
//! Verilog needs to compute what Rust computes, and from there to text.
//!
//! rust-hdl's syntax has no types; the signals have. A literal takes the width of what it meets. Truncations are pushed
//! down to the signals, where they are part selects; what cannot be sliced (a sum's upper half) becomes a named signal,
//! see [`Lowering`].

use super::resolve::{evaluate, Loops, Name, Role, SigId, Table, Variant};
use super::shape::{low_bits, Shape};
use super::text;
use num_bigint::{BigInt, BigUint, Sign};
use rust_hdl_core::ast::{VerilogExpression, VerilogLiteral, VerilogOp, VerilogOpUnary};
use rust_hdl_core::bits::clog2;

/// Two operands of the result's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    And,
    Or,
    Xor,
}

/// An expression of `width` bits.
#[derive(Clone, Debug)]
pub struct Expr {
    pub width: usize,
    pub node: Node,
}

#[derive(Clone, Debug)]
pub enum Node {
    Literal(BigUint),
    Variant(Variant),
    /// Bits of a signal from `low` up.
    Signal {
        sig: SigId,
        low: usize,
    },
    /// Bits from `low` up of a signal that [`Lowering`] introduced.
    Temporary {
        index: usize,
        low: usize,
    },
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    ShiftLeft(Box<Expr>, Box<Expr>),
    ShiftRight(Box<Expr>, Box<Expr>),
    Compare {
        op: Compare,
        signed: bool,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Reduce(Reduce, Box<Expr>),
    /// Zeros above.
    Extend(Box<Expr>),
    /// Copies of the sign above.
    SignExtend(Box<Expr>),
    /// Bits from `low` up of something that has no part select.
    Cut {
        of: Box<Expr>,
        low: usize,
    },
    /// `of[index +: width]`, in range.
    Select {
        of: Box<Expr>,
        index: Box<Expr>,
    },
    /// First is highest.
    Concat(Vec<Expr>),
}

fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

pub(crate) fn literal(value: impl Into<BigUint>, width: usize) -> Expr {
    Expr {
        width,
        node: Node::Literal(value.into()),
    }
}

/// Bits that `value` needs.
fn bits_of(value: &BigUint) -> usize {
    (value.bits() as usize).max(1)
}

impl Expr {
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

    fn sign_extend(self, width: usize) -> Expr {
        if width <= self.width {
            return self;
        }
        Expr {
            width,
            node: Node::SignExtend(boxed(self)),
        }
    }

    /// `width` bits: cut or extended with zeros.
    fn resize(self, width: usize) -> Expr {
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

/// Width as written and value of a literal. Booleans have width 1.
fn parse_literal(value: &VerilogLiteral) -> (usize, BigInt) {
    let text = format!("{value:x}");
    let (width, digits) = text.split_once("'h").unwrap_or(("64", &text));
    (
        width.parse().unwrap_or(64),
        BigInt::parse_bytes(digits.as_bytes(), 16).unwrap_or_default(),
    )
}

/// Translates the expressions of one kernel.
pub(crate) struct Translator<'a> {
    pub table: &'a Table,
    pub loops: &'a Loops,
    /// Constants as their values, to decide what is known when the circuit is built.
    pub inline_constants: bool,
}

type Result<T> = std::result::Result<T, String>;

impl Translator<'_> {
    /// The value of an expression of literals and loop variables.
    pub fn constant(&self, e: &VerilogExpression) -> Option<BigInt> {
        use VerilogExpression::*;
        Some(match e {
            Literal(value) => parse_literal(value).1,
            Signal(name) => match self.loops.iter().rev().find(|(n, _)| n == name) {
                Some((_, value)) => BigInt::from(*value),
                None if name.starts_with(|c: char| c.is_ascii_digit()) => {
                    BigInt::from(evaluate(name, self.loops).ok()?)
                }
                None => return None,
            },
            Paren(inner) => self.constant(inner)?,
            Unary(VerilogOpUnary::Neg, inner) => -self.constant(inner)?,
            Binary(left, op, right) => {
                let (a, b) = (self.constant(left)?, self.constant(right)?);
                let truth = |b: bool| BigInt::from(b as u8);
                match op {
                    VerilogOp::Add => a + b,
                    VerilogOp::Sub => a - b,
                    VerilogOp::Mul => a * b,
                    VerilogOp::BitAnd => a & b,
                    VerilogOp::BitOr => a | b,
                    VerilogOp::BitXor => a ^ b,
                    VerilogOp::Shl => a << u32::try_from(b).ok().filter(|b| *b < 1024)?,
                    VerilogOp::Shr => a >> u32::try_from(b).ok().filter(|b| *b < 1024)?,
                    VerilogOp::LogicalAnd => a & b,
                    VerilogOp::LogicalOr => a | b,
                    VerilogOp::Eq => truth(a == b),
                    VerilogOp::Ne => truth(a != b),
                    VerilogOp::Lt => truth(a < b),
                    VerilogOp::Le => truth(a <= b),
                    VerilogOp::Gt => truth(a > b),
                    VerilogOp::Ge => truth(a >= b),
                }
            }
            _ => return None,
        })
    }

    /// The width that signals give an expression; None if it has only literals and loop variables.
    pub fn width(&self, e: &VerilogExpression) -> Result<Option<usize>> {
        use VerilogExpression::*;
        Ok(match e {
            Signal(name) => match self.table.resolve(name, self.loops)? {
                Name::Signal { shape, .. } => Some(shape.width()),
                Name::Loop(_) => None,
                Name::Variant(variant) => Some(variant.width),
            },
            Literal(value) => (parse_literal(value).0 == 1).then_some(1),
            Cast(_, width) | Slice(_, width, _) => Some(*width),
            Paren(inner) | Signed(inner) | Unsigned(inner) | IndexReplace(inner, _, _) => self.width(inner)?,
            Unary(VerilogOpUnary::Not | VerilogOpUnary::Neg, inner) => self.width(inner)?,
            Unary(..) | Index(..) => Some(1),
            Binary(left, op, right) => match op {
                VerilogOp::Shl | VerilogOp::Shr => self.width(left)?,
                VerilogOp::Mul => match (self.width(left)?, self.width(right)?) {
                    (Some(a), Some(b)) => Some(a + b),
                    _ => None,
                },
                VerilogOp::Add | VerilogOp::Sub | VerilogOp::BitAnd | VerilogOp::BitOr | VerilogOp::BitXor => {
                    self.width(left)?.or(self.width(right)?)
                }
                _ if self.constant(e).is_some() => None,
                _ => Some(1),
            },
        })
    }

    /// Whether an expression is of a `Signed` type.
    pub fn signed(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        match e {
            Signal(name) => matches!(
                self.table.resolve(name, self.loops),
                Ok(Name::Signal {
                    shape: Shape::Signed(_),
                    ..
                })
            ),
            Signed(_) => true,
            Paren(inner) | Unary(VerilogOpUnary::Neg | VerilogOpUnary::Not, inner) => self.signed(inner),
            Binary(left, VerilogOp::Add | VerilogOp::Sub | VerilogOp::Mul, right) => {
                self.signed(left) || self.signed(right)
            }
            _ => false,
        }
    }

    /// `e` at `width` bits.
    pub fn at(&self, e: &VerilogExpression, width: usize) -> Result<Expr> {
        let found = self.translate(e, Some(width))?;
        if found.width == width {
            return Ok(found);
        }
        match e {
            // `signed_bit_cast`: the syntax keeps neither width.
            VerilogExpression::Signed(_) if found.width < width => Ok(found.sign_extend(width)),
            VerilogExpression::Signed(_) => Ok(found.part(0, width)),
            // `index().to_bits()`: the value fits, or Rust panics.
            VerilogExpression::Signal(_) | VerilogExpression::Slice(..) if found.width < width => {
                Ok(found.extend(width))
            }
            _ => Err(format!(
                "`{}` has {} bits where {width} are wanted",
                text::expression(e),
                found.width
            )),
        }
    }

    /// `e` at its own width.
    pub fn natural(&self, e: &VerilogExpression) -> Result<Expr> {
        self.translate(e, None)
    }

    fn constant_at(&self, value: &BigInt, e: &VerilogExpression, width: Option<usize>) -> Result<Expr> {
        let Some(width) = width else {
            return Err(format!("the width of `{}` is not known here", text::expression(e)));
        };
        let fits = match value.sign() {
            Sign::Minus => (-value).bits() as usize <= width && -value <= BigInt::from(1) << (width - 1),
            _ => value.bits() as usize <= width,
        };
        if !fits {
            return Err(format!("{value} does not fit in {width} bits"));
        }
        Ok(literal(low_bits(value, width), width))
    }

    fn translate(&self, e: &VerilogExpression, want: Option<usize>) -> Result<Expr> {
        use VerilogExpression::*;
        if let Some(value) = self.constant(e) {
            return self.constant_at(&value, e, self.width(e)?.or(want));
        }
        match e {
            Signal(name) => match self.table.resolve(name, self.loops)? {
                Name::Signal { sig, low, shape } => {
                    let info = &self.table.sigs[sig];
                    let slice = shape.width() != info.width();
                    if info.role == Role::Constant && (slice || self.inline_constants) {
                        return Ok(literal(
                            low_bits(&BigInt::from(&info.value >> low), shape.width()),
                            shape.width(),
                        ));
                    }
                    Ok(Expr::signal(sig, low, shape.width()))
                }
                Name::Loop(value) => self.constant_at(&BigInt::from(value), e, want),
                Name::Variant(variant) => Ok(Expr {
                    width: variant.width,
                    node: Node::Variant(variant),
                }),
            },
            Literal(_) => Err("a literal without a value".into()),
            Paren(inner) => self.translate(inner, want),
            Cast(inner, width) => match self.constant(inner) {
                // `bits::<8>(x)` truncates.
                Some(value) => Ok(literal(low_bits(&value, *width), *width)),
                None => Ok(self.natural(inner)?.resize(*width)),
            },
            Signed(inner) | Unsigned(inner) => self.translate(inner, want),
            Unary(op, inner) => self.unary(op, inner, want),
            Binary(left, op, right) => self.binary(left, op, right, e, want),
            Index(inner, index) => self.bit(inner, index),
            Slice(inner, width, low) => self.slice(inner, *width, low),
            IndexReplace(inner, index, bit) => self.replace_bit(inner, index, bit, want),
        }
    }

    fn unary(&self, op: &VerilogOpUnary, inner: &VerilogExpression, want: Option<usize>) -> Result<Expr> {
        let reduce = match op {
            VerilogOpUnary::Not | VerilogOpUnary::Neg => {
                let inner = self.translate(inner, want)?;
                let width = inner.width;
                let node = match op {
                    VerilogOpUnary::Not => Node::Not(boxed(inner)),
                    _ => Node::Negate(boxed(inner)),
                };
                return Ok(Expr { width, node });
            }
            VerilogOpUnary::All => Reduce::And,
            VerilogOpUnary::Any => Reduce::Or,
            VerilogOpUnary::Xor => Reduce::Xor,
        };
        let inner = self.natural(inner)?;
        if inner.width == 1 {
            return Ok(inner);
        }
        Ok(Expr {
            width: 1,
            node: Node::Reduce(reduce, boxed(inner)),
        })
    }

    fn binary(
        &self,
        left: &VerilogExpression,
        op: &VerilogOp,
        right: &VerilogExpression,
        e: &VerilogExpression,
        want: Option<usize>,
    ) -> Result<Expr> {
        let same = |op: Op| -> Result<Expr> {
            let width = self
                .width(left)?
                .or(self.width(right)?)
                .or(want)
                .ok_or_else(|| format!("the width of `{}` is not known here", text::expression(e)))?;
            let (a, b) = (self.at(left, width)?, self.at(right, width)?);
            Ok(Expr {
                width,
                node: Node::Binary(op, boxed(a), boxed(b)),
            })
        };
        let compare = |op: Compare| -> Result<Expr> {
            let width = self
                .width(left)?
                .or(self.width(right)?)
                .ok_or_else(|| format!("the width of `{}` is not known here", text::expression(e)))?;
            let signed = !matches!(op, Compare::Eq | Compare::Ne) && (self.signed(left) || self.signed(right));
            Ok(Expr {
                width: 1,
                node: Node::Compare {
                    op,
                    signed,
                    left: boxed(self.at(left, width)?),
                    right: boxed(self.at(right, width)?),
                },
            })
        };
        match op {
            VerilogOp::Add => same(Op::Add),
            VerilogOp::Sub => same(Op::Sub),
            VerilogOp::BitAnd => same(Op::And),
            VerilogOp::BitOr => same(Op::Or),
            VerilogOp::BitXor => same(Op::Xor),
            VerilogOp::Mul => {
                let signed = self.signed(left) || self.signed(right);
                let (a, b) = (self.natural(left)?, self.natural(right)?);
                let width = a.width + b.width;
                let widen = |x: Expr| if signed { x.sign_extend(width) } else { x.extend(width) };
                Ok(Expr {
                    width,
                    node: Node::Binary(Op::Mul, boxed(widen(a)), boxed(widen(b))),
                })
            }
            VerilogOp::Shl | VerilogOp::Shr => {
                if self.signed(left) {
                    return Err(format!("`{}` shifts a signed value", text::expression(e)));
                }
                let left = self.translate(left, want)?;
                let width = left.width;
                let count = match self.constant(right) {
                    Some(value) => match value.to_biguint() {
                        Some(value) => literal(value.clone(), bits_of(&value)),
                        None => return Err(format!("`{}` shifts by a negative count", text::expression(e))),
                    },
                    None => self.natural(right)?,
                };
                if count.constant().is_some_and(|c| c >= BigUint::from(width)) {
                    return Ok(literal(0u8, width));
                }
                let node = match op {
                    VerilogOp::Shl => Node::ShiftLeft(boxed(left), boxed(count)),
                    _ => Node::ShiftRight(boxed(left), boxed(count)),
                };
                Ok(Expr { width, node })
            }
            VerilogOp::LogicalAnd | VerilogOp::LogicalOr => {
                let (a, b) = (boxed(self.at(left, 1)?), boxed(self.at(right, 1)?));
                let node = match op {
                    VerilogOp::LogicalAnd => Node::And(a, b),
                    _ => Node::Or(a, b),
                };
                Ok(Expr { width: 1, node })
            }
            VerilogOp::Eq => compare(Compare::Eq),
            VerilogOp::Ne => compare(Compare::Ne),
            VerilogOp::Lt => compare(Compare::Lt),
            VerilogOp::Le => compare(Compare::Le),
            VerilogOp::Gt => compare(Compare::Gt),
            VerilogOp::Ge => compare(Compare::Ge),
        }
    }

    /// An index in Rust's `usize`, which does not wrap: the expression, wide enough for its greatest value, and that value.
    fn index(&self, e: &VerilogExpression) -> Result<(Expr, BigUint)> {
        use VerilogExpression::*;
        if let Some(value) = self.constant(e) {
            let value = value
                .to_biguint()
                .ok_or_else(|| format!("index `{}` is negative", text::expression(e)))?;
            return Ok((literal(value.clone(), bits_of(&value)), value));
        }
        let wide = |op: Op, a: Expr, b: Expr, most: BigUint| {
            let width = bits_of(&most);
            let node = Node::Binary(op, boxed(a.extend(width)), boxed(b.extend(width)));
            (Expr { width, node }, most)
        };
        match e {
            Binary(left, op @ (VerilogOp::Mul | VerilogOp::Shl), right) if self.constant(right).is_some() => {
                let (index, most) = self.index(left)?;
                let (factor, value) = self.index(right)?;
                let value = match op {
                    VerilogOp::Shl => BigUint::from(1u8) << usize::try_from(value).map_err(|_| "shift too large")?,
                    _ => value,
                };
                let most = most * &value;
                let zeros = value.trailing_zeros().unwrap_or(0) as usize;
                if value.bits() as usize == zeros + 1 {
                    if zeros == 0 {
                        return Ok((index, most));
                    }
                    return Ok((concat(vec![index, literal(0u8, zeros)]), most));
                }
                Ok(wide(Op::Mul, index, factor, most))
            }
            Binary(left, VerilogOp::Mul, right) if self.constant(left).is_some() => {
                let (factor, value) = self.index(left)?;
                let (index, most) = self.index(right)?;
                Ok(wide(Op::Mul, index, factor, most * value))
            }
            Binary(left, VerilogOp::Add, right) => {
                let ((a, most_a), (b, most_b)) = (self.index(left)?, self.index(right)?);
                Ok(wide(Op::Add, a, b, most_a + most_b))
            }
            // `(a + 1).index()` wraps, `(a.index() + 1)` does not, and the syntax does not tell them apart.
            Paren(inner) if matches!(**inner, Binary(_, VerilogOp::Add | VerilogOp::Sub | VerilogOp::Mul, _)) => {
                Err(format!(
                    "whether index `{}` wraps is not known here; assign it to a signal first",
                    text::expression(e)
                ))
            }
            Binary(_, VerilogOp::Sub | VerilogOp::Mul, _) => Err(format!(
                "index `{}` is not a sum or a constant multiple; assign it to a signal first",
                text::expression(e)
            )),
            _ => {
                let index = self.natural(e)?;
                let most = (BigUint::from(1u8) << index.width) - 1u8;
                Ok((index, most))
            }
        }
    }

    fn bit(&self, inner: &VerilogExpression, index: &VerilogExpression) -> Result<Expr> {
        let of = self.natural(inner)?;
        let (index_expr, _) = self.index(index)?;
        match index_expr.constant() {
            Some(at) if at < BigUint::from(of.width) => {
                let at = usize::try_from(at).map_err(|e| e.to_string())?;
                Ok(of.part(at, 1))
            }
            Some(at) => Err(format!("bit {at} of {} bits", of.width)),
            None if of.width == 1 => Ok(of),
            None => Ok(select(of, index_expr, 1)),
        }
    }

    fn slice(&self, inner: &VerilogExpression, width: usize, low: &VerilogExpression) -> Result<Expr> {
        let of = self.natural(inner)?;
        let (index, most) = self.index(low)?;
        if let Some(low) = index.constant() {
            // Bits past the end are 0.
            if low >= BigUint::from(of.width) {
                return Ok(literal(0u8, width));
            }
            let low = usize::try_from(low).map_err(|e| e.to_string())?;
            let have = width.min(of.width - low);
            return Ok(of.part(low, have).extend(width));
        }
        if most + width <= BigUint::from(of.width) {
            return Ok(select(of, index, width));
        }
        let shifted = Expr {
            width: of.width,
            node: Node::ShiftRight(boxed(of), boxed(index)),
        };
        Ok(shifted.resize(width))
    }

    fn replace_bit(
        &self,
        inner: &VerilogExpression,
        index: &VerilogExpression,
        bit: &VerilogExpression,
        want: Option<usize>,
    ) -> Result<Expr> {
        let of = self.translate(inner, want)?;
        let bit = self.at(bit, 1)?;
        let width = of.width;
        let (index, _) = self.index(index)?;
        if let Some(at) = index.constant() {
            if at >= BigUint::from(width) {
                return Err(format!("bit {at} of {width} bits"));
            }
            let at = usize::try_from(at).map_err(|e| e.to_string())?;
            let mut parts = vec![];
            if at + 1 < width {
                parts.push(of.clone().part(at + 1, width - at - 1));
            }
            parts.push(bit);
            if at > 0 {
                parts.push(of.part(0, at));
            }
            return Ok(concat(parts));
        }
        let shifted = |x: Expr| Expr {
            width,
            node: Node::ShiftLeft(boxed(x), boxed(index.clone())),
        };
        let hole = Expr {
            width,
            node: Node::Not(boxed(shifted(literal(1u8, width)))),
        };
        let kept = Expr {
            width,
            node: Node::Binary(Op::And, boxed(of), boxed(hole)),
        };
        Ok(Expr {
            width,
            node: Node::Binary(Op::Or, boxed(kept), boxed(shifted(bit.extend(width)))),
        })
    }
}

/// `of[index +: width]` where the index is in range.
fn select(of: Expr, index: Expr, width: usize) -> Expr {
    Expr {
        width,
        node: Node::Select {
            of: boxed(of),
            index: boxed(index),
        },
    }
}

/// A signal introduced for what Verilog cannot slice: bits `low ..` of `value`.
#[derive(Clone, Debug)]
pub(crate) struct Temporary {
    pub width: usize,
    pub low: usize,
    pub value: Expr,
}

/// Replaces what has no direct form by [`Temporary`]s, to be assigned in order before the statement.
pub(crate) struct Lowering<'a> {
    pub temporaries: Vec<Temporary>,
    table: &'a Table,
}

impl<'a> Lowering<'a> {
    pub fn new(table: &'a Table) -> Self {
        Lowering {
            temporaries: vec![],
            table,
        }
    }

    /// Bits of the signal that `e` is a part of.
    fn whole(&self, e: &Expr) -> usize {
        match e.node {
            Node::Signal { sig, .. } => self.table.sigs[sig].width(),
            Node::Temporary { index, .. } => self.temporaries[index].width,
            _ => e.width,
        }
    }

    fn temporary(&mut self, value: Expr, low: usize, width: usize) -> Expr {
        let index = self.temporaries.len();
        self.temporaries.push(Temporary { width, low, value });
        Expr {
            width,
            node: Node::Temporary { index, low: 0 },
        }
    }

    /// Something that a select or a sign bit can be taken of.
    fn named(&mut self, e: Expr) -> Expr {
        let e = self.lower(e);
        match e.node {
            Node::Signal { .. } | Node::Temporary { .. } => e,
            _ => {
                let width = e.width;
                self.temporary(e, 0, width)
            }
        }
    }

    pub fn lower(&mut self, e: Expr) -> Expr {
        let width = e.width;
        let node = match e.node {
            Node::Literal(_) | Node::Variant(_) | Node::Signal { .. } | Node::Temporary { .. } => e.node,
            Node::Cut { of, low } => {
                let of = self.lower(*of);
                return self.temporary(of, low, width);
            }
            Node::Select { of, index } => {
                let of = self.named(*of);
                let most = clog2(self.whole(&of)).max(1);
                let index = if index.width > most {
                    index.part(0, most)
                } else {
                    *index
                };
                Node::Select {
                    of: boxed(of),
                    index: boxed(self.lower(index)),
                }
            }
            Node::SignExtend(e) => Node::SignExtend(boxed(self.named(*e))),
            Node::Not(e) => Node::Not(boxed(self.lower(*e))),
            Node::Negate(e) => Node::Negate(boxed(self.lower(*e))),
            Node::Reduce(op, e) => Node::Reduce(op, boxed(self.lower(*e))),
            Node::Extend(e) => Node::Extend(boxed(self.lower(*e))),
            Node::Binary(op, a, b) => Node::Binary(op, boxed(self.lower(*a)), boxed(self.lower(*b))),
            Node::ShiftLeft(a, b) => Node::ShiftLeft(boxed(self.lower(*a)), boxed(self.lower(*b))),
            Node::ShiftRight(a, b) => Node::ShiftRight(boxed(self.lower(*a)), boxed(self.lower(*b))),
            Node::And(a, b) => Node::And(boxed(self.lower(*a)), boxed(self.lower(*b))),
            Node::Or(a, b) => Node::Or(boxed(self.lower(*a)), boxed(self.lower(*b))),
            Node::Compare {
                op,
                signed,
                left,
                right,
            } => Node::Compare {
                op,
                signed,
                left: boxed(self.lower(*left)),
                right: boxed(self.lower(*right)),
            },
            Node::Concat(parts) => Node::Concat(parts.into_iter().map(|p| self.lower(p)).collect()),
        };
        Expr { width, node }
    }
}

/// Names for printing.
pub(crate) trait Names {
    fn signal(&self, sig: SigId) -> &str;
    fn signal_width(&self, sig: SigId) -> usize;
    fn temporary(&self, index: usize) -> &str;
    fn temporary_width(&self, index: usize) -> usize;
    fn variant(&self, variant: &Variant) -> &str;
}

/// `name[high:low]`, or less if that says the same.
pub(crate) fn part_select(name: &str, whole: usize, low: usize, width: usize) -> String {
    if low == 0 && width == whole {
        name.to_string()
    } else if width == 1 {
        format!("{name}[{low}]")
    } else {
        format!("{name}[{}:{low}]", low + width - 1)
    }
}

/// A sized literal: small ones decimal, others hexadecimal.
pub(crate) fn print_literal(value: &BigUint, width: usize) -> String {
    if width == 1 {
        format!("1'b{value}")
    } else if *value < BigUint::from(10u8) {
        format!("{width}'d{value}")
    } else {
        format!("{width}'h{value:x}")
    }
}

/// How tightly a printed expression holds together.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Shell {
    Closed,
    /// `!x`, `~x`: an operand as it is, but not of another such.
    Prefix,
    Open,
    /// Operands of the same operator need no parentheses.
    Chain(&'static str),
}

/// The text of a lowered expression.
pub(crate) fn print(e: &Expr, names: &dyn Names) -> String {
    write(e, names).0
}

fn closed(e: &Expr, names: &dyn Names) -> String {
    match write(e, names) {
        (text, Shell::Closed | Shell::Prefix) => text,
        (text, _) => format!("({text})"),
    }
}

/// The operand of a prefix operator.
fn single(e: &Expr, names: &dyn Names) -> String {
    match write(e, names) {
        (text, Shell::Closed) => text,
        (text, _) => format!("({text})"),
    }
}

fn chained(e: &Expr, operator: &'static str, names: &dyn Names) -> String {
    match write(e, names) {
        (text, Shell::Closed | Shell::Prefix) => text,
        (text, Shell::Chain(inner)) if inner == operator => text,
        (text, _) => format!("({text})"),
    }
}

fn write(e: &Expr, names: &dyn Names) -> (String, Shell) {
    let infix = |a: &Expr, operator: &str, b: &Expr| {
        (
            format!("{} {operator} {}", closed(a, names), closed(b, names)),
            Shell::Open,
        )
    };
    let chain = |a: &Expr, operator: &'static str, b: &Expr| {
        (
            format!(
                "{} {operator} {}",
                chained(a, operator, names),
                chained(b, operator, names)
            ),
            Shell::Chain(operator),
        )
    };
    match &e.node {
        Node::Literal(value) => (print_literal(value, e.width), Shell::Closed),
        Node::Variant(variant) => (names.variant(variant).to_string(), Shell::Closed),
        Node::Signal { sig, low } => (
            part_select(names.signal(*sig), names.signal_width(*sig), *low, e.width),
            Shell::Closed,
        ),
        Node::Temporary { index, low } => (
            part_select(names.temporary(*index), names.temporary_width(*index), *low, e.width),
            Shell::Closed,
        ),
        Node::Not(inner) => {
            let operator = if e.width == 1 { "!" } else { "~" };
            (format!("{operator}{}", single(inner, names)), Shell::Prefix)
        }
        Node::Negate(inner) => (format!("-{}", single(inner, names)), Shell::Open),
        Node::Binary(op, a, b) => match op {
            Op::Add => infix(a, "+", b),
            Op::Sub => infix(a, "-", b),
            Op::Mul => infix(a, "*", b),
            Op::And => chain(a, "&", b),
            Op::Or => chain(a, "|", b),
            Op::Xor => chain(a, "^", b),
        },
        Node::ShiftLeft(a, b) => infix(a, "<<", b),
        Node::ShiftRight(a, b) => infix(a, ">>", b),
        Node::Compare {
            op,
            signed,
            left,
            right,
        } => {
            let operator = match op {
                Compare::Eq => "==",
                Compare::Ne => "!=",
                Compare::Lt => "<",
                Compare::Le => "<=",
                Compare::Gt => ">",
                Compare::Ge => ">=",
            };
            if *signed {
                let (left, right) = (print(left, names), print(right, names));
                (format!("$signed({left}) {operator} $signed({right})"), Shell::Open)
            } else {
                infix(left, operator, right)
            }
        }
        Node::And(a, b) => chain(a, "&&", b),
        Node::Or(a, b) => chain(a, "||", b),
        Node::Reduce(op, inner) => {
            let operator = match op {
                Reduce::And => "&",
                Reduce::Or => "|",
                Reduce::Xor => "^",
            };
            (format!("{operator}{}", single(inner, names)), Shell::Open)
        }
        Node::Extend(inner) => {
            let zeros = print_literal(&BigUint::default(), e.width - inner.width);
            let parts = match &inner.node {
                Node::Concat(parts) => parts.iter().map(|p| print(p, names)).collect::<Vec<_>>().join(", "),
                _ => print(inner, names),
            };
            (format!("{{{zeros}, {parts}}}"), Shell::Closed)
        }
        Node::SignExtend(inner) => {
            let text = print(inner, names);
            let sign = print(&inner.as_ref().clone().part(inner.width - 1, 1), names);
            (
                format!("{{{{{}{{{sign}}}}}, {text}}}", e.width - inner.width),
                Shell::Closed,
            )
        }
        Node::Concat(parts) => {
            let parts: Vec<String> = parts.iter().map(|p| print(p, names)).collect();
            (format!("{{{}}}", parts.join(", ")), Shell::Closed)
        }
        Node::Cut { .. } => unreachable!("lowered: a cut is a temporary"),
        Node::Select { of, index } => {
            let (name, whole, low) = match of.node {
                Node::Signal { sig, low } => (names.signal(sig), names.signal_width(sig), low),
                Node::Temporary { index, low } => (names.temporary(index), names.temporary_width(index), low),
                _ => unreachable!("lowered: a select is of a signal"),
            };
            // In exactly the bits that an index into the whole signal has; being in range, it loses none.
            let bits = clog2(whole).max(1);
            let index = if index.width < bits {
                index.as_ref().clone().extend(bits)
            } else {
                index.as_ref().clone()
            };
            let index = if low == 0 {
                print(&index, names)
            } else {
                let base = print_literal(&BigUint::from(low), index.width);
                format!("{} + {base}", closed(&index, names))
            };
            if e.width == 1 {
                (format!("{name}[{index}]"), Shell::Closed)
            } else {
                (format!("{name}[{index} +: {}]", e.width), Shell::Closed)
            }
        }
    }
}
