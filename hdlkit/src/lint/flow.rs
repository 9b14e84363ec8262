//! Data-flow analysis of a kernel: the bits that it assigns, on some path and on every path, and the bits that it reads
//! too early.

use crate::kernel::expression::Expr;
use crate::kernel::resolve::SigId;
use crate::kernel::statement::Stmt;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// Bits of signals.
pub(super) type Bits = BTreeMap<SigId, BigUint>;

/// The state of the analysis, which visits a kernel in order.
pub(super) struct Flow<'a> {
    /// The signals that the kernel assigns.
    pub assigned: &'a BTreeSet<SigId>,
    /// Bits assigned anywhere.
    pub ever: Bits,
    /// Signals read before they are assigned.
    pub early: BTreeSet<SigId>,
}

impl Flow<'_> {
    fn read(&mut self, e: &Expr, sure: &Bits) {
        e.reads(&mut |sig, low, width| {
            if !self.assigned.contains(&sig) {
                return;
            }
            let mask = ((BigUint::from(1u8) << width) - 1u8) << low;
            let known = sure.get(&sig).cloned().unwrap_or_default();
            if &mask & known != mask {
                self.early.insert(sig);
            }
        });
    }

    pub fn block(&mut self, body: &[Stmt], sure: &mut Bits) {
        for s in body {
            self.statement(s, sure);
        }
    }

    fn statement(&mut self, s: &Stmt, sure: &mut Bits) {
        match s {
            Stmt::Comment(_) => {}
            Stmt::Assign { target, low, value } => {
                self.read(value, sure);
                let mask = ((BigUint::from(1u8) << value.width) - 1u8) << *low;
                *sure.entry(*target).or_default() |= &mask;
                *self.ever.entry(*target).or_default() |= mask;
            }
            Stmt::If { test, then, other } => {
                self.read(test, sure);
                let mut second = sure.clone();
                self.block(then, sure);
                self.block(other, &mut second);
                intersect(sure, &second);
            }
            Stmt::Case { subject, arms, default } => {
                self.read(subject, sure);
                let before = sure.clone();
                // Without a default, only the bits assigned before are assigned on every path.
                self.block(default.as_deref().unwrap_or_default(), sure);
                for (_, body) in arms {
                    let mut one = before.clone();
                    self.block(body, &mut one);
                    intersect(sure, &one);
                }
            }
        }
    }
}

fn intersect(a: &mut Bits, b: &Bits) {
    a.retain(|sig, bits| {
        *bits &= b.get(sig).cloned().unwrap_or_default();
        *bits != BigUint::default()
    });
}
