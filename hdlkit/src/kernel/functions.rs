//! Translation of the library's bit functions to expressions.

use super::expression::{boxed, literal, Expr, Node, Op, Reduce};
use super::syntax::source_text;
use super::syntax::{Expression, Function};
use super::translate::{Result, Translator};
use num_bigint::BigUint;

impl Translator<'_> {
    /// Translates a call of such a function.
    pub(super) fn call(
        &self,
        function: Function,
        width: Option<usize>,
        arguments: &[Expression],
        e: &Expression,
    ) -> Result<Expr> {
        let needed = || {
            width.ok_or_else(|| {
                let text = source_text::expression(e);
                format!("the width of `{text}` is not known here; expected it, `::<8>`, for example")
            })
        };
        let first = || self.natural(&arguments[0]);
        let node = |width: usize, node: Node| Expr { width, node };
        let bits = |x: &Expr| (0..x.width).map(|bit| x.clone().part(bit, 1)).collect::<Vec<Expr>>();
        Ok(match function {
            Function::LowestSet => {
                let x = first()?;
                let negated = node(x.width, Node::Negate(boxed(x.clone())));
                node(x.width, Node::Binary(Op::And, boxed(x), boxed(negated)))
            }
            Function::HighestSet => {
                let x = first()?;
                let alone = |(index, bit): (usize, Expr)| {
                    let above = x.width - index - 1;
                    if above == 0 {
                        return bit;
                    }
                    let above = x.clone().part(index + 1, above);
                    let none = match above.width {
                        1 => above.inverted(),
                        _ => node(1, Node::Reduce(Reduce::Or, boxed(above))).inverted(),
                    };
                    node(1, Node::And(boxed(bit), boxed(none)))
                };
                let parts = bits(&x).into_iter().enumerate().map(alone);
                Expr::concat(parts.rev().collect())
            }
            Function::OneHot => {
                let (width, index) = (needed()?, first()?);
                node(width, Node::ShiftLeft(boxed(literal(1u8, width)), boxed(index)))
            }
            Function::OnesBelow => {
                let (width, count) = (needed()?, first()?);
                let one = literal(1u8, width);
                let power = node(width, Node::ShiftLeft(boxed(one.clone()), boxed(count)));
                node(width, Node::Binary(Op::Sub, boxed(power), boxed(one)))
            }
            Function::OneHotIndex => {
                let (width, x) = (needed()?, first()?);
                let of_bit = |bit: usize| {
                    let mut places = BigUint::default();
                    for index in (0..x.width).filter(|index| index.checked_shr(bit as u32).is_some_and(|i| i & 1 == 1))
                    {
                        places.set_bit(index as u64, true);
                    }
                    if places == BigUint::default() {
                        return literal(0u8, 1);
                    }
                    let chosen = Node::Binary(Op::And, boxed(x.clone()), boxed(literal(places, x.width)));
                    node(1, Node::Reduce(Reduce::Or, boxed(node(x.width, chosen))))
                };
                Expr::concat((0..width).rev().map(of_bit).collect())
            }
            Function::PopulationCount => {
                let (width, x) = (needed()?, first()?);
                let mut sums: Vec<Expr> = bits(&x).into_iter().map(|bit| bit.extend(width)).collect();
                while sums.len() > 1 {
                    let pairs = sums.chunks(2).map(|pair| match pair {
                        [a, b] => node(width, Node::Binary(Op::Add, boxed(a.clone()), boxed(b.clone()))),
                        rest => rest[0].clone(),
                    });
                    sums = pairs.collect();
                }
                sums.remove(0)
            }
            Function::Reverse => Expr::concat(bits(&first()?)),
            Function::Fill => self.at(&arguments[0], 1)?.sign_extend(needed()?),
            Function::Mask => {
                let value = self.translate(&arguments[1], width)?;
                let test = self.at(&arguments[0], 1)?.sign_extend(value.width);
                node(value.width, Node::Binary(Op::And, boxed(value), boxed(test)))
            }
            Function::Concat => Expr::concat(vec![first()?, self.natural(&arguments[1])?]),
            Function::SignExtend => first()?.sign_extend(needed()?),
            Function::SignedProduct => {
                let (a, b) = (first()?, self.natural(&arguments[1])?);
                let width = a.width + b.width;
                let factors = [a, b].map(|factor| boxed(factor.sign_extend(width)));
                let [a, b] = factors;
                node(width, Node::Binary(Op::Mul, a, b))
            }
        })
    }
}
