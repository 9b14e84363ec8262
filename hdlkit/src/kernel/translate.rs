//! Typing of expressions, to [`Expr`]: types come from the signals, widths of literals from their context.
//!
//! Syntax has no types, but signals do. A literal takes the width of the other operand. An expression that cannot be
//! sliced (a sum's upper half) stays a [`Node::Cut`].

use super::expression::{boxed, literal, Compare, Expr, Node, Op, Reduce};
use super::index::{evaluate, Loops};
use super::locals::{Locals, Meaning};
use super::resolve::{Name, Role, SigId, Table};
use super::shape::{low_bits, Shape};
use super::syntax::source_text;
use super::syntax::{BinaryOp, Block, Expression, Form, Function, Selected, Statement, UnaryOp};
use num_bigint::{BigInt, BigUint, Sign};

/// The cycle engine returns the last pass's value of a part's input; rust-hdl's simulation and Verilog return the new
/// one.
const READS_A_PARTS_INPUT: &str =
    "is an input of a part; expected a `let` of what is assigned to it, used in both places";

/// Bits needed for `value`.
fn bits_of(value: &BigUint) -> usize {
    (value.bits() as usize).max(1)
}

/// Translates the expressions of one kernel.
pub(crate) struct Translator<'a> {
    pub table: &'a Table,
    pub loops: &'a Loops,
    pub locals: &'a Locals,
    /// True to replace constants by their values, to decide conditions that are constant when the circuit is built.
    pub inline_constants: bool,
}

pub(super) type Result<T> = std::result::Result<T, String>;

impl Translator<'_> {
    fn local(&self, name: &str) -> Result<&Meaning> {
        let found = self.locals.iter().rev().find(|(known, _)| known == name);
        match found.map(|(_, meaning)| meaning) {
            // An error without a text has been reported already.
            Some(Meaning::Faulty) => Err(String::new()),
            Some(meaning) => Ok(meaning),
            None => Err(format!("`{name}` is not known here")),
        }
    }

    /// The value of an expression of literals and loop variables.
    pub fn constant(&self, e: &Expression) -> Option<BigInt> {
        use Expression::*;
        Some(match e {
            Literal { value, .. } => BigInt::from(*value),
            Constant(_, 0, value) => BigInt::from(value.clone()),
            Local(name) => match self.local(name).ok()? {
                Meaning::Value(value) => value.clone(),
                _ => return None,
            },
            Signal(name) => match self.loops.iter().rev().find(|(n, _)| n == name) {
                Some((_, value)) => BigInt::from(*value),
                None if name.starts_with(|c: char| c.is_ascii_digit()) => {
                    BigInt::from(evaluate(name, self.loops).ok()?)
                }
                None => return None,
            },
            Paren(inner) => self.constant(inner)?,
            Unary(UnaryOp::Neg, inner) => -self.constant(inner)?,
            Binary(left, op, right) => {
                let (a, b) = (self.constant(left)?, self.constant(right)?);
                let truth = |b: bool| BigInt::from(b as u8);
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::BitAnd => a & b,
                    BinaryOp::BitOr => a | b,
                    BinaryOp::BitXor => a ^ b,
                    BinaryOp::Shl => a << u32::try_from(b).ok().filter(|b| *b < 1024)?,
                    BinaryOp::Shr => a >> u32::try_from(b).ok().filter(|b| *b < 1024)?,
                    BinaryOp::LogicalAnd => a & b,
                    BinaryOp::LogicalOr => a | b,
                    BinaryOp::Eq => truth(a == b),
                    BinaryOp::Ne => truth(a != b),
                    BinaryOp::Lt => truth(a < b),
                    BinaryOp::Le => truth(a <= b),
                    BinaryOp::Gt => truth(a > b),
                    BinaryOp::Ge => truth(a >= b),
                }
            }
            _ => return None,
        })
    }

    /// The width that its signals give an expression; `None` if it has only literals and loop variables.
    pub fn width(&self, e: &Expression) -> Result<Option<usize>> {
        use Expression::*;
        Ok(match e {
            Signal(name) => match self.table.resolve(name, self.loops)? {
                Name::Signal { shape, .. } => Some(shape.width()),
                Name::Loop(_) => None,
                Name::Variant(variant) => Some(variant.width),
            },
            Literal { bits, .. } => (*bits == 1).then_some(1),
            Local(_) | Field(..) | If(_) | Match(_) | Element(..) | Selected(_) => {
                self.shape(e)?.map(|shape| shape.width())
            }
            Array(_) | Repeat(..) => return Err(AN_ARRAY.into()),
            Tuple(_) => return Err(A_TUPLE.into()),
            Inlined(call) => match &call.results[..] {
                [one] => Some(one.width()),
                _ => return Err(A_TUPLE.into()),
            },
            Bundle(shape, ..) => Some(shape.width()),
            Constant(_, width, _) => (*width > 0).then_some(*width),
            Resize(_) => None,
            Call(function, width, arguments) => match function {
                Function::LowestSet | Function::HighestSet | Function::Reverse => self.width(&arguments[0])?,
                Function::Mask => self.width(&arguments[1])?,
                Function::Concat | Function::SignedProduct => {
                    match (self.width(&arguments[0])?, self.width(&arguments[1])?) {
                        (Some(a), Some(b)) => Some(a + b),
                        _ => None,
                    }
                }
                _ => *width,
            },
            Cast(_, width) | Slice(_, width, _) => Some(*width),
            Number(inner) | Paren(inner) | Signed(inner) | Unsigned(inner) | IndexReplace(inner, _, _) => {
                self.width(inner)?
            }
            Binary(..) if self.is_number(e) => Some(self.index(e)?.0.width),
            Unary(UnaryOp::Not | UnaryOp::Neg, inner) => self.width(inner)?,
            Unary(..) | Index(..) => Some(1),
            Binary(left, op, right) => match op {
                BinaryOp::Shl | BinaryOp::Shr => self.width(left)?,
                BinaryOp::Mul => match (self.width(left)?, self.width(right)?) {
                    (Some(a), Some(b)) => Some(a + b),
                    _ => None,
                },
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                    self.width(left)?.or(self.width(right)?)
                }
                _ if self.constant(e).is_some() => None,
                _ => Some(1),
            },
        })
    }

    /// The layout of an expression's type; `None` if it has only literals and loop variables.
    pub fn shape(&self, e: &Expression) -> Result<Option<Shape>> {
        use Expression::*;
        Ok(match e {
            Signal(name) => match self.table.resolve(name, self.loops)? {
                Name::Signal { shape, .. } => Some(shape),
                Name::Loop(_) => None,
                Name::Variant(variant) => Some(self.table.shape_of(&variant)),
            },
            Local(name) => match self.local(name)? {
                Meaning::Value(_) | Meaning::Faulty => None,
                Meaning::Array(_) => return Err(AN_ARRAY.into()),
                Meaning::Signal(sig) | Meaning::Number(sig) => Some(self.table.sigs[*sig].shape.clone()),
            },
            Field(..) => Some(self.field(e)?.1),
            Element(array, _) => {
                let sig = self
                    .array(array)?
                    .first()
                    .ok_or("is an element of an array without elements")?;
                Some(self.table.sigs[*sig].shape.clone())
            }
            Selected(selected) => self.shape(&Signal(selected.at(0)))?,
            If(c) => self.shape_of(std::iter::once(&c.then).chain(&c.otherwise))?,
            Match(m) => self.shape_of(m.cases.iter().map(|(_, block)| block))?,
            Paren(inner) => self.shape(inner)?,
            Bundle(shape, ..) => Some(shape.clone()),
            Inlined(call) if call.results.len() == 1 => call.results.first().cloned(),
            _ => self.width(e)?.map(|width| match self.signed(e) {
                true => Shape::Signed(width),
                false => Shape::Bits(width),
            }),
        })
    }

    /// The layout of the values of blocks.
    fn shape_of<'a>(&self, blocks: impl Iterator<Item = &'a Block>) -> Result<Option<Shape>> {
        for block in blocks {
            if let Some(shape) = self.shape(value_of(block)?)? {
                return Ok(Some(shape));
            }
        }
        Ok(None)
    }

    /// A bundle's field, as an expression, and its layout.
    fn field(&self, e: &Expression) -> Result<(Expr, Shape)> {
        let Expression::Field(bundle, field) = e else {
            return Err(format!("`{}` is not a field", source_text::expression(e)));
        };
        let shape = self.shape(bundle)?;
        let found = shape.as_ref().and_then(|shape| shape.field(&[field]));
        let Some((low, shape)) = found else {
            let bundle = source_text::expression(bundle);
            return Err(format!("`{bundle}` has no field `{field}`"));
        };
        Ok((self.natural(bundle)?.part(low, shape.width()), shape.clone()))
    }

    /// True for an expression of type `usize`, which does not wrap.
    pub fn is_number(&self, e: &Expression) -> bool {
        use Expression::*;
        match e {
            Number(_) => true,
            Local(name) => matches!(self.local(name), Ok(Meaning::Number(_))),
            Paren(inner) => self.is_number(inner),
            Binary(left, op, right) => {
                let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
                let sum = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
                (shift || sum) && self.is_number(left) || sum && self.is_number(right)
            }
            _ => false,
        }
    }

    /// True for an expression of a `Signed` type.
    pub fn signed(&self, e: &Expression) -> bool {
        use Expression::*;
        match e {
            Signal(name) => matches!(
                self.table.resolve(name, self.loops),
                Ok(Name::Signal {
                    shape: Shape::Signed(_),
                    ..
                })
            ),
            Local(_) | Field(..) | If(_) | Match(_) | Element(..) | Selected(_) | Inlined(_) => {
                matches!(self.shape(e), Ok(Some(Shape::Signed(_))))
            }
            Signed(_) => true,
            Paren(inner) | Unary(UnaryOp::Neg | UnaryOp::Not, inner) => self.signed(inner),
            Binary(left, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, right) => {
                self.signed(left) || self.signed(right)
            }
            _ => false,
        }
    }

    /// `e` converted to `width` bits.
    pub fn at(&self, e: &Expression, width: usize) -> Result<Expr> {
        let found = self.translate(e, Some(width))?;
        if found.width == width {
            return Ok(found);
        }
        match e {
            // `signed_bit_cast`: the syntax has neither width.
            Expression::Signed(_) if found.width < width => Ok(found.sign_extend(width)),
            Expression::Signed(_) => Ok(found.part(0, width)),
            // `index().to_bits()`: the value fits, or Rust panics.
            Expression::Signal(_) | Expression::Slice(..) | Expression::Number(_) if found.width < width => {
                Ok(found.extend(width))
            }
            _ => Err(format!(
                "`{}` has {} bits; expected {width}",
                source_text::expression(e),
                found.width
            )),
        }
    }

    /// `e` at its own width.
    pub fn natural(&self, e: &Expression) -> Result<Expr> {
        self.translate(e, None)
    }

    fn constant_at(&self, value: &BigInt, e: &Expression, width: Option<usize>) -> Result<Expr> {
        let Some(width) = width else {
            return Err(format!(
                "the width of `{}` is not known here",
                source_text::expression(e)
            ));
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

    pub(super) fn translate(&self, e: &Expression, want: Option<usize>) -> Result<Expr> {
        use Expression::*;
        if let Some(value) = self.constant(e) {
            return self.constant_at(&value, e, self.width(e)?.or(want));
        }
        match e {
            Signal(name) => match self.table.resolve(name, self.loops)? {
                Name::Signal { sig, low, shape } => {
                    let info = &self.table.sigs[sig];
                    if let Role::ChildInput(_) = info.role {
                        return Err(format!("`{}` {READS_A_PARTS_INPUT}", info.pretty()));
                    }
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
            Literal { .. } => Err("a literal without a value".into()),
            Local(name) => match self.local(name)? {
                Meaning::Signal(sig) | Meaning::Number(sig) => Ok(Expr::signal(*sig, 0, self.table.sigs[*sig].width())),
                Meaning::Value(value) => self.constant_at(value, e, want),
                Meaning::Faulty => Err(String::new()),
                Meaning::Array(_) => Err(AN_ARRAY.into()),
            },
            Field(..) => Ok(self.field(e)?.0),
            Constant(_, width, value) => Ok(literal(value.clone(), *width)),
            Array(_) | Repeat(..) => Err(AN_ARRAY.into()),
            Element(array, index) => {
                let of = |sig: &SigId| Ok(Expr::signal(*sig, 0, self.table.sigs[*sig].width()));
                self.selected(self.array(array)?.iter().map(of).collect::<Result<_>>()?, index)
            }
            Selected(selected) => {
                let elements = self.elements(selected)?;
                let values = elements.into_iter().map(|path| self.natural(&Signal(path)));
                self.selected(values.collect::<Result<_>>()?, &selected.index)
            }
            Resize(inner) => {
                let Some(width) = want else {
                    let text = source_text::expression(e);
                    return Err(format!(
                        "the width of `{text}` is not known here; expected `.resize::<8>()`, for example"
                    ));
                };
                match self.constant(inner) {
                    Some(value) => Ok(literal(low_bits(&value, width), width)),
                    None => Ok(self.natural(inner)?.resize(width)),
                }
            }
            Call(function, width, arguments) => self.call(*function, width.or(want), arguments, e),
            If(c) => {
                let width = self.choice_width(e, want)?;
                let test = self.at(&c.test, 1)?;
                let otherwise = c.otherwise.as_ref().ok_or("an `if` without `else` has no value")?;
                let (a, b) = (
                    self.at(value_of(&c.then)?, width)?,
                    self.at(value_of(otherwise)?, width)?,
                );
                Ok(match test.constant() {
                    Some(value) if value == BigUint::default() => b,
                    Some(_) => a,
                    None => mux(test, a, b),
                })
            }
            // The unroller has replaced these by locals.
            Match(_) | Inlined(_) => Err("a choice or a call is used where no statement can compute it".into()),
            Tuple(_) => Err(A_TUPLE.into()),
            Bundle(shape, fields, rest) => self.bundle(shape, fields, rest.as_deref()),
            Number(inner) => self.natural(inner),
            Binary(..) if self.is_number(e) => Ok(self.index(e)?.0),
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

    /// A bundle by its fields.
    fn bundle(&self, shape: &Shape, fields: &[(String, Expression)], rest: Option<&Expression>) -> Result<Expr> {
        if let ([], Some(rest)) = (fields, rest) {
            return self.at(rest, shape.width());
        }
        let Shape::Struct(of) = shape else {
            return Err("is not a bundle".into());
        };
        let mut parts = vec![];
        for (name, field) in of {
            parts.push(match (fields.iter().find(|(known, _)| known == name), rest) {
                (Some((_, value)), _) => self.at(value, field.width())?,
                (None, Some(rest)) => {
                    let (low, field) = shape.field(&[name]).ok_or("has another type")?;
                    self.at(rest, shape.width())?.part(low, field.width())
                }
                (None, None) => return Err(format!("has no field `{name}`")),
            });
        }
        parts.reverse();
        Ok(Expr::concat(parts))
    }

    /// The elements of a local that is an array.
    pub fn array(&self, e: &Expression) -> Result<&[SigId]> {
        match e.bare() {
            Expression::Local(name) => match self.local(name)? {
                Meaning::Array(elements) => Ok(elements),
                _ => Err(format!("`{name}` is not an array")),
            },
            other => Err(format!("`{}` is not an array", source_text::expression(other))),
        }
    }

    /// The signals that a path with a variable index can name.
    pub fn elements(&self, selected: &Selected) -> Result<Vec<String>> {
        self.table.resolve(&selected.at(0), self.loops)?;
        let paths = (0..).map(|index| selected.at(index));
        Ok(paths
            .take_while(|path| self.table.resolve(path, self.loops).is_ok())
            .collect())
    }

    /// Selects one of several values by an index.
    fn selected(&self, values: Vec<Expr>, index: &Expression) -> Result<Expr> {
        let (index, _) = self.index(index)?;
        if let Some(index) = index.constant() {
            let count = values.len();
            let found = usize::try_from(&index)
                .ok()
                .and_then(|index| values.into_iter().nth(index));
            return found.ok_or_else(|| format!("element {index} of {count}"));
        }
        choose(&values, &index).ok_or_else(|| "is an element of an array without elements".into())
    }

    /// The width of a choice of values.
    fn choice_width(&self, e: &Expression, want: Option<usize>) -> Result<usize> {
        let unknown = || format!("the width of `{}` is not known here", source_text::expression(e));
        self.width(e)?.or(want).ok_or_else(unknown)
    }

    fn unary(&self, op: &UnaryOp, inner: &Expression, want: Option<usize>) -> Result<Expr> {
        let reduce = match op {
            UnaryOp::Not | UnaryOp::Neg => {
                let inner = self.translate(inner, want)?;
                let width = inner.width;
                let node = match op {
                    UnaryOp::Not => Node::Not(boxed(inner)),
                    _ => Node::Negate(boxed(inner)),
                };
                return Ok(Expr { width, node });
            }
            UnaryOp::All => Reduce::And,
            UnaryOp::Any => Reduce::Or,
            UnaryOp::Xor => Reduce::Xor,
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
        left: &Expression,
        op: &BinaryOp,
        right: &Expression,
        e: &Expression,
        want: Option<usize>,
    ) -> Result<Expr> {
        let same = |op: Op| -> Result<Expr> {
            let width = self
                .width(left)?
                .or(self.width(right)?)
                .or(want)
                .ok_or_else(|| format!("the width of `{}` is not known here", source_text::expression(e)))?;
            let (a, b) = (self.at(left, width)?, self.at(right, width)?);
            Ok(Expr {
                width,
                node: Node::Binary(op, boxed(a), boxed(b)),
            })
        };
        let compare = |op: Compare| -> Result<Expr> {
            if self.is_number(left) || self.is_number(right) {
                let ((a, _), (b, _)) = (self.index(left)?, self.index(right)?);
                let width = a.width.max(b.width);
                let (left, right) = (boxed(a.extend(width)), boxed(b.extend(width)));
                return Ok(Expr {
                    width: 1,
                    node: Node::Compare {
                        op,
                        signed: false,
                        left,
                        right,
                    },
                });
            }
            let width = self
                .width(left)?
                .or(self.width(right)?)
                .ok_or_else(|| format!("the width of `{}` is not known here", source_text::expression(e)))?;
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
            BinaryOp::Add => same(Op::Add),
            BinaryOp::Sub => same(Op::Sub),
            BinaryOp::BitAnd => same(Op::And),
            BinaryOp::BitOr => same(Op::Or),
            BinaryOp::BitXor => same(Op::Xor),
            BinaryOp::Mul => {
                let signed = self.signed(left) || self.signed(right);
                let (a, b) = (self.natural(left)?, self.natural(right)?);
                let width = a.width + b.width;
                let widen = |x: Expr| if signed { x.sign_extend(width) } else { x.extend(width) };
                Ok(Expr {
                    width,
                    node: Node::Binary(Op::Mul, boxed(widen(a)), boxed(widen(b))),
                })
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                if self.signed(left) {
                    return Err(format!("`{}` shifts a signed value", source_text::expression(e)));
                }
                let left = self.translate(left, want)?;
                let width = left.width;
                let count = match self.constant(right) {
                    Some(value) => match value.to_biguint() {
                        Some(value) => literal(value.clone(), bits_of(&value)),
                        None => return Err(format!("`{}` shifts by a negative count", source_text::expression(e))),
                    },
                    None => self.natural(right)?,
                };
                if count.constant().is_some_and(|c| c >= BigUint::from(width)) {
                    return Ok(literal(0u8, width));
                }
                let node = match op {
                    BinaryOp::Shl => Node::ShiftLeft(boxed(left), boxed(count)),
                    _ => Node::ShiftRight(boxed(left), boxed(count)),
                };
                Ok(Expr { width, node })
            }
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let (a, b) = (self.at(left, 1)?, self.at(right, 1)?);
                let is_and = matches!(op, BinaryOp::LogicalAnd);
                // A constant operand determines the result, or the result is the other operand.
                let neutral = BigUint::from(u8::from(is_and));
                match (a.constant(), b.constant()) {
                    (Some(known), _) => return Ok(if known == neutral { b } else { literal(known, 1) }),
                    (_, Some(known)) => return Ok(if known == neutral { a } else { literal(known, 1) }),
                    _ => {}
                }
                let (a, b) = (boxed(a), boxed(b));
                let node = if is_and { Node::And(a, b) } else { Node::Or(a, b) };
                Ok(Expr { width: 1, node })
            }
            BinaryOp::Eq => compare(Compare::Eq),
            BinaryOp::Ne => compare(Compare::Ne),
            BinaryOp::Lt => compare(Compare::Lt),
            BinaryOp::Le => compare(Compare::Le),
            BinaryOp::Gt => compare(Compare::Gt),
            BinaryOp::Ge => compare(Compare::Ge),
        }
    }

    /// An index in Rust's `usize`, which does not wrap: the expression, wide enough for its maximum, and the maximum.
    pub fn index(&self, e: &Expression) -> Result<(Expr, BigUint)> {
        use Expression::*;
        if let Some(value) = self.constant(e) {
            let value = value
                .to_biguint()
                .ok_or_else(|| format!("index `{}` is negative", source_text::expression(e)))?;
            return Ok((literal(value.clone(), bits_of(&value)), value));
        }
        let wide = |op: Op, a: Expr, b: Expr, most: BigUint| {
            let width = bits_of(&most);
            let node = Node::Binary(op, boxed(a.extend(width)), boxed(b.extend(width)));
            (Expr { width, node }, most)
        };
        match e {
            Binary(left, op @ (BinaryOp::Mul | BinaryOp::Shl), right) if self.constant(right).is_some() => {
                let (index, most) = self.index(left)?;
                let (factor, value) = self.index(right)?;
                let value = match op {
                    BinaryOp::Shl => BigUint::from(1u8) << usize::try_from(value).map_err(|_| "shift too large")?,
                    _ => value,
                };
                let most = most * &value;
                let zeros = value.trailing_zeros().unwrap_or(0) as usize;
                if value.bits() as usize == zeros + 1 {
                    if zeros == 0 {
                        return Ok((index, most));
                    }
                    return Ok((Expr::concat(vec![index, literal(0u8, zeros)]), most));
                }
                Ok(wide(Op::Mul, index, factor, most))
            }
            Binary(left, BinaryOp::Mul, right) if self.constant(left).is_some() => {
                let (factor, value) = self.index(left)?;
                let (index, most) = self.index(right)?;
                Ok(wide(Op::Mul, index, factor, most * value))
            }
            Binary(left, BinaryOp::Add, right) => {
                let ((a, most_a), (b, most_b)) = (self.index(left)?, self.index(right)?);
                Ok(wide(Op::Add, a, b, most_a + most_b))
            }
            // Rust panics if the result is negative.
            Binary(left, BinaryOp::Sub, right) => {
                let ((a, most), (b, most_b)) = (self.index(left)?, self.index(right)?);
                let width = bits_of(&most.clone().max(most_b));
                let node = Node::Binary(Op::Sub, boxed(a.extend(width)), boxed(b.extend(width)));
                Ok((Expr { width, node }, most))
            }
            Binary(left, BinaryOp::Mul, right) => {
                let ((a, most_a), (b, most_b)) = (self.index(left)?, self.index(right)?);
                Ok(wide(Op::Mul, a, b, most_a * most_b))
            }
            Binary(_, BinaryOp::Shl | BinaryOp::Shr, _) => Err(format!(
                "index `{}` is shifted by a count that is not known; expected a constant",
                source_text::expression(e)
            )),
            Paren(inner) => self.index(inner),
            _ => {
                let index = self.natural(e)?;
                let most = (BigUint::from(1u8) << index.width) - 1u8;
                Ok((index, most))
            }
        }
    }

    fn bit(&self, inner: &Expression, index: &Expression) -> Result<Expr> {
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

    fn slice(&self, inner: &Expression, width: usize, low: &Expression) -> Result<Expr> {
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
        inner: &Expression,
        index: &Expression,
        bit: &Expression,
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
            return Ok(Expr::concat(parts));
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

/// The value of a block without other statements.
fn value_of(block: &Block) -> Result<&Expression> {
    match &block[..] {
        [Statement {
            form: Form::Value(value),
            ..
        }] => Ok(value),
        _ => Err("a block with statements has a value only in a let or an assignment".into()),
    }
}

/// The value with the number `index`, selected by the index's bits from the highest down. Rust panics if there is none.
fn choose(values: &[Expr], index: &Expr) -> Option<Expr> {
    let (first, rest) = values.split_first()?;
    if rest.is_empty() {
        return Some(first.clone());
    }
    let bit = values.len().next_power_of_two().ilog2() as usize - 1;
    let (low, high) = values.split_at(1 << bit);
    let low = choose(low, index)?;
    if bit >= index.width {
        return Some(low);
    }
    Some(mux(index.clone().part(bit, 1), choose(high, index)?, low))
}

/// The error for several values in place of one.
const A_TUPLE: &str = "several values are used as one; expected names for them: `let (a, b) = ..;`";

/// The error for an array in place of a value.
const AN_ARRAY: &str = "an array is used as a value; expected an element";

fn mux(test: Expr, a: Expr, b: Expr) -> Expr {
    Expr {
        width: a.width,
        node: Node::Mux(boxed(test), boxed(a), boxed(b)),
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
