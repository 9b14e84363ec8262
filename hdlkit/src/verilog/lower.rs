//! Lowering: a separate signal for each expression without a direct form in Verilog.

use crate::kernel::expression::{boxed, Expr, Node, Op};
use crate::kernel::resolve::Table;
use rust_hdl_core::bits::clog2;

/// A signal for an expression that Verilog cannot slice: bits `low ..` of `value`.
#[derive(Clone, Debug)]
pub(crate) struct Temporary {
    pub width: usize,
    pub low: usize,
    pub value: Expr,
}

/// Replaces expressions without a direct form by [`Temporary`]s, to be assigned in order before the statement.
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

    /// Width of the signal that `e` is a part of.
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

    /// An expression that allows a select or a sign bit.
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
            // A single bit is replicated directly. For any other expression, the sign bit is selected.
            Node::SignExtend(e) if e.width == 1 => Node::SignExtend(boxed(self.lower(*e))),
            Node::SignExtend(e) => Node::SignExtend(boxed(self.named(*e))),
            // In Verilog, a product is only signed if the whole expression is signed.
            Node::Binary(Op::Mul, a, b) if a.is_sign_extended() && b.is_sign_extended() => {
                let factors = [self.lower(*a), self.lower(*b)];
                let [a, b] = factors.map(boxed);
                let product = Node::Binary(Op::Mul, a, b);
                return self.temporary(Expr { width, node: product }, 0, width);
            }
            Node::Not(e) => Node::Not(boxed(self.lower(*e))),
            Node::Negate(e) => Node::Negate(boxed(self.lower(*e))),
            Node::Mux(test, a, b) => Node::Mux(boxed(self.lower(*test)), boxed(self.lower(*a)), boxed(self.lower(*b))),
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

/// True if `value` is just the last of `temporaries`.
pub(super) fn is_last(value: &Expr, temporaries: &[Temporary]) -> bool {
    match (&value.node, temporaries.last()) {
        (Node::Temporary { index, low: 0 }, Some(last)) => *index + 1 == temporaries.len() && value.width == last.width,
        _ => false,
    }
}
