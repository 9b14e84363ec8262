//! Statements of a kernel over resolved signals.

use super::expression::Expr;
use super::resolve::SigId;
use std::collections::BTreeSet;

/// A statement over resolved signals.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Assigns bits `low .. low + value.width` of a signal.
    Assign {
        /// The signal.
        target: SigId,
        /// Lowest assigned bit.
        low: usize,
        /// The assigned value.
        value: Expr,
    },
    /// Executes one of two blocks.
    If {
        /// The condition, one bit.
        test: Expr,
        /// The block for a condition of 1.
        then: Vec<Stmt>,
        /// The block for a condition of 0.
        other: Vec<Stmt>,
    },
    /// Executes one of several blocks.
    Case {
        /// The value compared.
        subject: Expr,
        /// Labels with their blocks; the first block with an equal label is executed.
        arms: Vec<(Vec<Expr>, Vec<Stmt>)>,
        /// The block if no label is equal.
        default: Option<Vec<Stmt>>,
    },
    /// A comment kept for readers of the Verilog.
    Comment(String),
}

impl Stmt {
    /// Adds every signal that this statement assigns.
    pub fn targets(&self, found: &mut BTreeSet<SigId>) {
        match self {
            Stmt::Assign { target, .. } => {
                found.insert(*target);
            }
            Stmt::If { then, other, .. } => then.iter().chain(other).for_each(|s| s.targets(found)),
            Stmt::Case { arms, default, .. } => {
                arms.iter().flat_map(|(_, body)| body).for_each(|s| s.targets(found));
                default.iter().flatten().for_each(|s| s.targets(found));
            }
            Stmt::Comment(_) => {}
        }
    }

    /// Replaces reads (and, if `targets`, assignments) of `from` by `to`.
    pub fn rename(&mut self, from: SigId, to: SigId, targets: bool) {
        match self {
            Stmt::Assign { target, value, .. } => {
                if targets && *target == from {
                    *target = to;
                }
                value.rename(from, to);
            }
            Stmt::If { test, then, other } => {
                test.rename(from, to);
                then.iter_mut().chain(other).for_each(|s| s.rename(from, to, targets));
            }
            Stmt::Case { subject, arms, default } => {
                subject.rename(from, to);
                let bodies = arms.iter_mut().map(|(_, body)| body).chain(default);
                bodies.flatten().for_each(|s| s.rename(from, to, targets));
            }
            Stmt::Comment(_) => {}
        }
    }

    /// Calls `f` with every expression of this statement and of nested ones.
    pub fn expressions(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            Stmt::Assign { value, .. } => f(value),
            Stmt::If { test, then, other } => {
                f(test);
                then.iter().chain(other).for_each(|s| s.expressions(f));
            }
            Stmt::Case { subject, arms, default } => {
                f(subject);
                for (labels, body) in arms {
                    labels.iter().for_each(&mut *f);
                    body.iter().for_each(|s| s.expressions(f));
                }
                default.iter().flatten().for_each(|s| s.expressions(f));
            }
            Stmt::Comment(_) => {}
        }
    }
}
