//! Values of a kernel's locals for waves: no block stores them, so they are computed from the signals.

use crate::circuit::Structure;
use crate::kernel::expression::{Compare, Expr, Node, Op, Reduce};
use crate::kernel::resolve::{SigId, Table};
use crate::kernel::scope::{collect, Scope};
use crate::kernel::shape::{low_bits, Shape};
use crate::kernel::statement::Stmt;
use crate::kernel::syntax::source_text::pretty;
use crate::kernel::unroll::unroll;
use num_bigint::{BigInt, BigUint};

/// A local of a kernel.
#[derive(Clone, Debug)]
pub struct LocalSignal {
    /// The path of the block: `top.lanes[3].alu`.
    pub block: String,
    /// The name in the kernel, with the indices of enclosing loops: `lowest$3`.
    pub key: String,
    /// The layout of the type.
    pub shape: Shape,
}

impl LocalSignal {
    /// The path: `top.lanes[3].alu.lowest[3]`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.block, pretty(&self.key))
    }
}

/// A kernel with locals, ready to be evaluated.
struct EvaluatedKernel {
    statements: Vec<Stmt>,
    /// For each signal, its index in the circuit's visiting order.
    atoms: Vec<Option<usize>>,
    locals: Vec<SigId>,
}

/// The locals of a circuit's kernels, block by block in visiting order.
#[derive(Default)]
pub struct CircuitLocals {
    /// The locals.
    pub signals: Vec<LocalSignal>,
    kernels: Vec<EvaluatedKernel>,
}

impl CircuitLocals {
    /// The locals of `block`, which is called `name`, and of the blocks in it.
    pub fn of(block: &dyn Structure, name: &str) -> Self {
        let mut locals = Self::default();
        if let Some(scope) = collect(block, name) {
            locals.add(&scope);
        }
        locals
    }

    fn add(&mut self, scope: &Scope) {
        if let Some(code) = &scope.kernel {
            let mut table = Table::new(scope);
            let statements = unroll(scope, &mut table, code).statements;
            let signals = table.locals.iter().map(|sig| LocalSignal {
                block: scope.path.clone(),
                key: table.sigs[*sig].key.clone(),
                shape: table.sigs[*sig].shape.clone(),
            });
            self.signals.extend(signals);
            if !table.locals.is_empty() {
                let mut atoms = vec![None; table.sigs.len()];
                for atom in &scope.atoms {
                    atoms[table.named(&atom.key)] = Some(atom.index);
                }
                for child in &scope.children {
                    for atom in child.atoms.iter().filter(|atom| atom.kind.is_parameter()) {
                        atoms[table.named(&format!("{}${}", child.instance, atom.key))] = Some(atom.index);
                    }
                }
                self.kernels.push(EvaluatedKernel {
                    statements,
                    atoms,
                    locals: table.locals,
                });
            }
        }
        scope.children.iter().for_each(|child| self.add(child));
    }

    /// The values of the locals; `atoms`: the values of the circuit's signals, in visiting order.
    pub fn values(&self, atoms: &[BigUint]) -> Vec<BigUint> {
        let mut values = vec![];
        for kernel in &self.kernels {
            let of_atom = |atom: &Option<usize>| atom.map(|atom| atoms[atom].clone()).unwrap_or_default();
            let mut run = Run(kernel.atoms.iter().map(of_atom).collect());
            run.block(&kernel.statements);
            values.extend(kernel.locals.iter().map(|sig| run.0[*sig].clone()));
        }
        values
    }
}

/// The values of the signals during an evaluation.
struct Run(Vec<BigUint>);

fn mask(width: usize) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

impl Run {
    fn block(&mut self, code: &[Stmt]) {
        for s in code {
            match s {
                Stmt::Comment(_) => {}
                Stmt::Assign { target, low, value } => {
                    let (width, value) = (value.width, self.value(value));
                    let place = &mut self.0[*target];
                    let before = &*place & (mask(width) << *low);
                    *place ^= before ^ (value << *low);
                }
                Stmt::If { test, then, other } => match self.is_true(test) {
                    true => self.block(then),
                    false => self.block(other),
                },
                Stmt::Case { subject, arms, default } => {
                    let subject = self.value(subject);
                    let arm = arms
                        .iter()
                        .find(|(labels, _)| labels.iter().any(|label| self.value(label) == subject));
                    let body = arm.map(|(_, body)| body).or(default.as_ref());
                    self.block(body.map(Vec::as_slice).unwrap_or_default());
                }
            }
        }
    }

    fn is_true(&self, e: &Expr) -> bool {
        self.value(e) != BigUint::default()
    }

    fn signed(&self, e: &Expr) -> BigInt {
        let value = self.value(e);
        let negative = value.bit(e.width as u64 - 1);
        BigInt::from(value) - (BigInt::from(negative as u8) << e.width)
    }

    fn value(&self, e: &Expr) -> BigUint {
        let width = e.width;
        let all = mask(width);
        let count = |e: &Expr| usize::try_from(self.value(e)).unwrap_or(usize::MAX);
        let truth = |b: bool| BigUint::from(b as u8);
        match &e.node {
            Node::Literal(value) => value.clone(),
            Node::Variant(variant) => BigUint::from(variant.value),
            Node::Signal { sig, low } => (&self.0[*sig] >> *low) & all,
            Node::Temporary { .. } => unreachable!("only the exporter introduces temporaries"),
            Node::Not(a) => all ^ self.value(a),
            Node::Negate(a) => ((&all + 1u8) - self.value(a)) & all,
            Node::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match op {
                    Op::Add => (a + b) & all,
                    Op::Sub => (a + &all + 1u8 - b) & all,
                    Op::Mul => (a * b) & all,
                    Op::And => a & b,
                    Op::Or => a | b,
                    Op::Xor => a ^ b,
                }
            }
            Node::ShiftLeft(a, b) => match count(b) {
                count if count < width => (self.value(a) << count) & all,
                _ => BigUint::default(),
            },
            Node::ShiftRight(a, b) => match count(b) {
                count if count < width => self.value(a) >> count,
                _ => BigUint::default(),
            },
            Node::Compare {
                op,
                signed,
                left,
                right,
            } => {
                let order = match signed {
                    true => self.signed(left).cmp(&self.signed(right)),
                    false => self.value(left).cmp(&self.value(right)),
                };
                truth(match op {
                    Compare::Eq => order.is_eq(),
                    Compare::Ne => order.is_ne(),
                    Compare::Lt => order.is_lt(),
                    Compare::Le => order.is_le(),
                    Compare::Gt => order.is_gt(),
                    Compare::Ge => order.is_ge(),
                })
            }
            Node::And(a, b) => truth(self.is_true(a) && self.is_true(b)),
            Node::Or(a, b) => truth(self.is_true(a) || self.is_true(b)),
            Node::Mux(test, a, b) => self.value(if self.is_true(test) { a } else { b }),
            Node::Reduce(op, a) => {
                let (value, all) = (self.value(a), mask(a.width));
                truth(match op {
                    Reduce::And => value == all,
                    Reduce::Or => value != BigUint::default(),
                    Reduce::Xor => value.count_ones() % 2 == 1,
                })
            }
            Node::Extend(a) => self.value(a),
            Node::SignExtend(a) => low_bits(&self.signed(a), width),
            Node::Cut { of, low } => (self.value(of) >> *low) & all,
            Node::Select { of, index } => (self.value(of) >> count(index).min(of.width)) & all,
            Node::Concat(parts) => {
                let join = |high: BigUint, part: &Expr| (high << part.width) | self.value(part);
                parts.iter().fold(BigUint::default(), join)
            }
        }
    }
}
