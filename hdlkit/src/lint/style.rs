//! Style rules for kernels: one operator per statement, parentheses, clocks left alone, a `_` arm.

use crate::kernel::resolve::{Name, Table};
use crate::kernel::shape::Shape;
use crate::kernel::source_text;
use crate::kernel::translate::Translator;
use crate::kernel::Loops;
use rust_hdl_core::ast::*;

/// Walks a kernel as written.
pub(super) struct Style<'a> {
    pub table: &'a Table,
    pub loops: Loops,
    pub found: Vec<(String, String)>,
}

fn bare(e: &VerilogExpression) -> &VerilogExpression {
    match e {
        VerilogExpression::Paren(inner) => bare(inner),
        e => e,
    }
}

fn is_compare(op: &VerilogOp) -> bool {
    use VerilogOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

fn is_logic(op: &VerilogOp) -> bool {
    matches!(op, VerilogOp::LogicalAnd | VerilogOp::LogicalOr)
}

/// Bitwise operators.
fn is_bitwise(op: &VerilogOp) -> bool {
    matches!(op, VerilogOp::BitAnd | VerilogOp::BitOr | VerilogOp::BitXor)
}

fn same(a: &VerilogOp, b: &VerilogOp) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

impl Style<'_> {
    fn translator(&self) -> Translator<'_> {
        Translator {
            table: self.table,
            loops: &self.loops,
            inline_constants: false,
        }
    }

    pub fn block(&mut self, code: &VerilogBlock) {
        for s in code {
            self.statement(s);
        }
    }

    fn note(&mut self, s: &VerilogStatement, reason: &str) {
        self.found.push((source_text::statement(s), reason.to_string()));
    }

    fn statement(&mut self, s: &VerilogStatement) {
        match s {
            VerilogStatement::Assignment(target, value) => {
                self.expression(s, value);
                let width = self.translator().width(target).ok().flatten();
                if let VerilogExpression::Signed(inner) = bare(value) {
                    let from = self.translator().width(inner).ok().flatten();
                    if from != width {
                        let why =
                            "signed_bit_cast never returns for the least value (rust-hdl): extend the sign by hand";
                        self.note(s, why);
                    }
                }
                if let VerilogExpression::Signal(name) = target {
                    if let Ok(Name::Signal { sig, .. }) = self.table.resolve(name, &self.loops) {
                        let plain = matches!(bare(value), VerilogExpression::Signal(_));
                        if self.table.sigs[sig].clock && !plain {
                            self.note(s, "a clock is computed: connect the clock directly");
                        }
                    }
                }
            }
            VerilogStatement::SliceAssignment { replacement, .. } => self.expression(s, replacement),
            VerilogStatement::If(c) => {
                self.expression(s, &c.test);
                self.block(&c.then);
                match &c.otherwise {
                    VerilogBlockOrConditional::Block(block) => self.block(block),
                    VerilogBlockOrConditional::Conditional(inner) => self.statement(inner),
                    VerilogBlockOrConditional::None => {}
                }
            }
            VerilogStatement::Match(m) => {
                self.expression(s, &m.test);
                if !m.cases.iter().any(|c| c.condition == "default") && !self.every_variant(m) {
                    self.note(s, "has no `_` arm");
                }
                for case in &m.cases {
                    self.block(&case.block);
                }
            }
            VerilogStatement::Loop(l) => {
                // Style does not depend on the index: one iteration is enough.
                if l.from.as_usize() < l.to.as_usize() {
                    self.loops.push((l.index.clone(), l.from.as_usize() as i128));
                    self.block(&l.block);
                    self.loops.pop();
                }
            }
            VerilogStatement::Macro(block) => self.block(block),
            VerilogStatement::Comment(_) | VerilogStatement::Link(_) => {}
        }
    }

    /// A match over an enum that names every variant: rustc would not let `_` be added.
    fn every_variant(&self, m: &VerilogMatch) -> bool {
        let VerilogExpression::Signal(name) = bare(&m.test) else {
            return false;
        };
        match self.table.resolve(name, &self.loops) {
            Ok(Name::Signal {
                shape: Shape::Enum(variants),
                ..
            }) => m.cases.len() >= variants.len(),
            _ => false,
        }
    }

    fn expression(&mut self, s: &VerilogStatement, e: &VerilogExpression) {
        let mut mixed = false;
        precedence(e, &mut mixed);
        if mixed {
            self.note(
                s,
                "mixes operators without parentheses: their precedence differs between Rust and Verilog",
            );
        }
        if !self.simple(e) {
            self.note(
                s,
                "has more than one operator: assign the inner one to a Local first, whose type fixes its width",
            );
        }
    }

    /// A signal, a literal, or bits of one.
    fn plain(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        if self.translator().constant(e).is_some() {
            return true;
        }
        match bare(e) {
            Signal(_) | Literal(_) => true,
            Cast(inner, _) | Signed(inner) | Unsigned(inner) => self.plain(inner),
            Slice(inner, _, index) | Index(inner, index) => self.plain(inner) && self.index(index),
            _ => false,
        }
    }

    /// A signal, or a constant multiple of one.
    fn index(&self, e: &VerilogExpression) -> bool {
        if self.plain(e) {
            return true;
        }
        match bare(e) {
            VerilogExpression::Binary(left, VerilogOp::Mul | VerilogOp::Shl | VerilogOp::Add, right) => {
                let constant = |e: &VerilogExpression| self.translator().constant(e).is_some();
                (self.index(left) && constant(right)) || (constant(left) && self.index(right))
            }
            _ => false,
        }
    }

    /// At most one operator besides conditions.
    fn simple(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        if self.plain(e) || self.condition(e) {
            return true;
        }
        match bare(e) {
            Binary(_, op, _) if is_bitwise(op) => self.bitwise(e),
            Binary(left, _, right) => self.plain(left) && self.plain(right),
            Unary(_, inner) => self.plain(inner),
            IndexReplace(inner, index, bit) => self.plain(inner) && self.index(index) && self.condition(bit),
            _ => false,
        }
    }

    /// `&`, `|`, `^` and `!` of plain operands and conditions: all have one width, in any order.
    fn bitwise(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        match bare(e) {
            Binary(left, op, right) if is_bitwise(op) => self.bitwise(left) && self.bitwise(right),
            Binary(left, VerilogOp::Shl | VerilogOp::Shr, right) => {
                matches!(bare(left), Cast(..)) && self.plain(left) && self.translator().constant(right).is_some()
            }
            Unary(VerilogOpUnary::Not, inner) => self.bitwise(inner),
            inner => self.plain(inner) || self.condition(inner),
        }
    }

    /// Booleans of signals and of single comparisons and reductions.
    fn condition(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        match bare(e) {
            Binary(left, op, right) if is_logic(op) => self.condition(left) && self.condition(right),
            Binary(left, op, right) if is_compare(op) => self.plain(left) && self.plain(right),
            Unary(VerilogOpUnary::Not, inner) => {
                self.translator().width(inner).ok().flatten() == Some(1) && self.condition(inner)
            }
            Unary(VerilogOpUnary::All | VerilogOpUnary::Any | VerilogOpUnary::Xor, inner) => self.plain(inner),
            inner => self.plain(inner),
        }
    }
}

/// Sets `mixed` if an operator has a different operator as an operand without parentheses.
fn precedence(e: &VerilogExpression, mixed: &mut bool) {
    use VerilogExpression::*;
    match e {
        Binary(left, op, right) => {
            for inner in [left, right] {
                if let Binary(_, other, _) = &**inner {
                    // The precedence of conditions is common knowledge, and the same in both languages.
                    *mixed |= !(same(op, other) || is_logic(op) && (is_compare(other) || is_logic(other)));
                }
                precedence(inner, mixed);
            }
        }
        Paren(inner) | Cast(inner, _) | Signed(inner) | Unsigned(inner) | Unary(_, inner) => precedence(inner, mixed),
        // An index is `usize`, whose operators have the same precedence in both languages.
        Index(inner, _) | Slice(inner, _, _) => precedence(inner, mixed),
        IndexReplace(inner, _, bit) => {
            precedence(inner, mixed);
            precedence(bit, mixed);
        }
        Signal(_) | Literal(_) => {}
    }
}
