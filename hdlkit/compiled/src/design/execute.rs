//! Symbolic execution of a kernel, once, with values for cells: an `if` becomes a choice between the results of its
//! branches.

use super::graph::{mask, Graph, Id, Op, MOST_BITS};
use super::parts::field;
use hdlkit::kernel::expression::{Compare, Expr, Node, Op as Binary, Reduce};
use hdlkit::kernel::resolve::SigId;
use hdlkit::kernel::statement::Stmt;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bits of a signal starting at `low` that form a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub low: u32,
    pub width: u32,
    pub cell: u32,
}

/// The cells of a signal.
pub(super) type Leaves = Rc<Vec<Leaf>>;

/// The final values of the cells that `kernel` assigns; `leaves`: the cells of every signal.
pub(super) fn execute(kernel: &[Stmt], graph: &mut Graph, leaves: &[Leaves]) -> Result<FxHashMap<u32, Id>> {
    let mut run = KernelExecution {
        graph,
        leaves,
        values: FxHashMap::default(),
        log: vec![],
    };
    run.run(kernel)?;
    Ok(run.values)
}

/// A kernel being executed.
struct KernelExecution<'a> {
    graph: &'a mut Graph,
    /// Cells of every signal.
    leaves: &'a [Leaves],
    /// Values of the cells assigned so far.
    values: FxHashMap<u32, Id>,
    /// The previous values of assigned cells, to undo a branch.
    log: Vec<(u32, Option<Id>)>,
}

type Result<T, E = String> = std::result::Result<T, E>;

impl KernelExecution<'_> {
    fn set(&mut self, cell: u32, value: Id) {
        let old = self.values.insert(cell, value);
        self.log.push((cell, old));
    }

    fn value(&mut self, leaf: Leaf) -> Id {
        match self.values.get(&leaf.cell) {
            Some(value) => *value,
            None => self.graph.add(Op::Cell(leaf.cell), leaf.width),
        }
    }

    /// Returns the assignments of `body`, and undoes them.
    fn branch(&mut self, body: &[Stmt]) -> Result<BTreeMap<u32, Id>> {
        let start = self.log.len();
        self.run(body)?;
        let mut changed = BTreeMap::new();
        for (cell, old) in self.log.drain(start..).rev() {
            let last = match old {
                Some(old) => self.values.insert(cell, old),
                None => self.values.remove(&cell),
            };
            if let Some(last) = last {
                changed.entry(cell).or_insert(last);
            }
        }
        Ok(changed)
    }

    /// A choice of `one` where `test` is 1, else `zero`, for all cells that either one assigns.
    fn choose(&mut self, test: Id, mut one: BTreeMap<u32, Id>, zero: BTreeMap<u32, Id>) -> BTreeMap<u32, Id> {
        let mut chosen = BTreeMap::new();
        for (cell, zero) in zero {
            let one = match one.remove(&cell) {
                Some(one) => one,
                None => self.before(cell, zero),
            };
            chosen.insert(cell, self.graph.mux(test, one, zero));
        }
        for (cell, one) in one {
            let zero = self.before(cell, one);
            chosen.insert(cell, self.graph.mux(test, one, zero));
        }
        chosen
    }

    /// A cell's current value; `like` has its width.
    fn before(&mut self, cell: u32, like: Id) -> Id {
        let width = self.graph.width(like);
        match self.values.get(&cell) {
            Some(value) => *value,
            None => self.graph.add(Op::Cell(cell), width),
        }
    }

    fn run(&mut self, body: &[Stmt]) -> Result<()> {
        for s in body {
            match s {
                Stmt::Comment(_) => {}
                Stmt::Assign { target, low, value } => {
                    let pieces = self.pieces(value)?;
                    self.assign(*target, *low as u32, value.width as u32, &pieces)?;
                }
                Stmt::If { test, then, other } => {
                    let test = self.word(test)?;
                    let (one, zero) = (self.branch(then)?, self.branch(other)?);
                    for (cell, value) in self.choose(test, one, zero) {
                        self.set(cell, value);
                    }
                }
                Stmt::Case { subject, arms, default } => {
                    let subject = self.word(subject)?;
                    let mut chosen = self.branch(default.as_deref().unwrap_or_default())?;
                    for (labels, body) in arms.iter().rev() {
                        let mut test = None;
                        for label in labels {
                            let label = self.word(label)?;
                            let equal = self.graph.add(Op::Equal(subject, label), 1);
                            test = Some(match test {
                                Some(test) => self.graph.add(Op::Or(test, equal), 1),
                                None => equal,
                            });
                        }
                        let test = test.ok_or("an arm without a pattern")?;
                        let one = self.branch(body)?;
                        chosen = self.choose(test, one, chosen);
                    }
                    for (cell, value) in chosen {
                        self.set(cell, value);
                    }
                }
            }
        }
        Ok(())
    }

    fn assign(&mut self, target: SigId, low: u32, width: u32, pieces: &[Id]) -> Result<()> {
        let leaves = self.leaves[target].clone();
        for leaf in leaves.iter() {
            let from = leaf.low.max(low);
            let to = (leaf.low + leaf.width).min(low + width);
            if from >= to {
                continue;
            }
            let mut value = self.extract(pieces, from - low, to - from)?;
            if to - from < leaf.width {
                let old = self.value(*leaf);
                let mut parts = vec![];
                if from > leaf.low {
                    parts.push(self.graph.slice(old, 0, from - leaf.low));
                }
                parts.push(value);
                let top = leaf.low + leaf.width;
                if to < top {
                    parts.push(self.graph.slice(old, to - leaf.low, top - to));
                }
                value = self.join(&parts)?;
            }
            self.set(leaf.cell, value);
        }
        Ok(())
    }

    /// `width` bits starting at `low` of `pieces`, lowest first.
    fn extract(&mut self, pieces: &[Id], low: u32, width: u32) -> Result<Id> {
        let mut parts = vec![];
        let mut base = 0;
        for &piece in pieces {
            let bits = self.graph.width(piece);
            let from = low.max(base);
            let to = (low + width).min(base + bits);
            if from < to {
                parts.push(self.graph.slice(piece, from - base, to - from));
            }
            base += bits;
        }
        self.join(&parts)
    }

    /// Joins pieces, lowest first, into one word.
    fn join(&mut self, pieces: &[Id]) -> Result<Id> {
        let (first, rest) = pieces.split_first().ok_or("a value without bits")?;
        let mut word = *first;
        for &piece in rest {
            let width = self.graph.width(word) + self.graph.width(piece);
            if width > MOST_BITS {
                return Err(format!("a value of more than {MOST_BITS} bits"));
            }
            word = self.graph.add(Op::Concat(piece, word), width);
        }
        Ok(word)
    }

    fn constant_pieces(&mut self, value: &BigUint, width: u32) -> Vec<Id> {
        let mut pieces = vec![];
        let mut low = 0;
        while low < width {
            let bits = (width - low).min(MOST_BITS);
            pieces.push(self.graph.constant(field(value, low, bits), bits));
            low += bits;
        }
        pieces
    }

    /// The value of `e` in pieces, lowest first.
    fn pieces(&mut self, e: &Expr) -> Result<Vec<Id>> {
        let width = e.width as u32;
        Ok(match &e.node {
            Node::Literal(value) => self.constant_pieces(value, width),
            Node::Signal { sig, low } => {
                let low = *low as u32;
                let leaves = self.leaves[*sig].clone();
                let mut pieces = vec![];
                for leaf in leaves.iter() {
                    let from = leaf.low.max(low);
                    let to = (leaf.low + leaf.width).min(low + width);
                    if from < to {
                        let value = self.value(*leaf);
                        pieces.push(self.graph.slice(value, from - leaf.low, to - from));
                    }
                }
                pieces
            }
            Node::Concat(parts) => {
                let mut pieces = vec![];
                for part in parts.iter().rev() {
                    pieces.extend(self.pieces(part)?);
                }
                pieces
            }
            Node::Extend(inner) => {
                let mut pieces = self.pieces(inner)?;
                pieces.extend(self.constant_pieces(&BigUint::default(), width - inner.width as u32));
                pieces
            }
            Node::Mux(test, a, b) if width > MOST_BITS => {
                let test = self.word(test)?;
                let (a, b) = (self.pieces(a)?, self.pieces(b)?);
                let mut pieces = vec![];
                let mut low = 0;
                while low < width {
                    let bits = (width - low).min(MOST_BITS);
                    let (one, zero) = (self.extract(&a, low, bits)?, self.extract(&b, low, bits)?);
                    pieces.push(self.graph.mux(test, one, zero));
                    low += bits;
                }
                pieces
            }
            _ => vec![self.word(e)?],
        })
    }

    /// Compares bundles that are wider than a word. True if they are equal.
    fn equal_pieces(&mut self, left: &Expr, right: &Expr) -> Result<Id> {
        let (a, b) = (self.pieces(left)?, self.pieces(right)?);
        let width = left.width as u32;
        let mut equal = self.graph.constant(1, 1);
        for low in (0..width).step_by(MOST_BITS as usize) {
            let bits = (width - low).min(MOST_BITS);
            let (a, b) = (self.extract(&a, low, bits)?, self.extract(&b, low, bits)?);
            let same = self.graph.add(Op::Equal(a, b), 1);
            equal = self.graph.add(Op::And(equal, same), 1);
        }
        Ok(equal)
    }

    /// The value of `e` as one word.
    fn word(&mut self, e: &Expr) -> Result<Id> {
        let width = e.width as u32;
        if width > MOST_BITS {
            return Err(format!("a value of {width} bits is computed with"));
        }
        let op = match &e.node {
            Node::Literal(_) | Node::Signal { .. } | Node::Concat(_) | Node::Extend(_) => {
                let pieces = self.pieces(e)?;
                return self.join(&pieces);
            }
            Node::Variant(variant) => return Ok(self.graph.constant(variant.value as u128, width)),
            Node::Temporary { .. } => return Err("an expression that was lowered for Verilog".into()),
            Node::Not(a) => Op::Not(self.word(a)?),
            Node::Negate(a) => Op::Negate(self.word(a)?),
            Node::Binary(op, a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                match op {
                    Binary::Add => Op::Add(a, b),
                    Binary::Sub => Op::Sub(a, b),
                    Binary::Mul => Op::Mul(a, b),
                    Binary::And => Op::And(a, b),
                    Binary::Or => Op::Or(a, b),
                    Binary::Xor => Op::Xor(a, b),
                }
            }
            Node::ShiftLeft(a, b) => Op::ShiftLeft(self.word(a)?, self.word(b)?),
            Node::ShiftRight(a, b) => Op::ShiftRight(self.word(a)?, self.word(b)?),
            Node::And(a, b) => Op::And(self.word(a)?, self.word(b)?),
            Node::Or(a, b) => Op::Or(self.word(a)?, self.word(b)?),
            Node::Compare {
                op,
                signed,
                left,
                right,
            } => {
                if left.width as u32 > MOST_BITS && matches!(op, Compare::Eq | Compare::Ne) {
                    let equal = self.equal_pieces(left, right)?;
                    return Ok(if *op == Compare::Ne {
                        self.graph.not(equal)
                    } else {
                        equal
                    });
                }
                let (a, b) = (self.word(left)?, self.word(right)?);
                let less = |left, right| Op::Less {
                    signed: *signed,
                    left,
                    right,
                };
                let (op, inverted) = match op {
                    Compare::Eq => (Op::Equal(a, b), false),
                    Compare::Ne => (Op::Equal(a, b), true),
                    Compare::Lt => (less(a, b), false),
                    Compare::Ge => (less(a, b), true),
                    Compare::Gt => (less(b, a), false),
                    Compare::Le => (less(b, a), true),
                };
                let result = self.graph.add(op, 1);
                return Ok(if inverted { self.graph.not(result) } else { result });
            }
            Node::Reduce(op, a) => {
                let a = self.word(a)?;
                let bits = self.graph.width(a);
                match op {
                    Reduce::And => {
                        let ones = self.graph.constant(mask(bits), bits);
                        Op::Equal(a, ones)
                    }
                    Reduce::Or => {
                        let zero = self.graph.constant(0, bits);
                        let none = self.graph.add(Op::Equal(a, zero), 1);
                        return Ok(self.graph.not(none));
                    }
                    Reduce::Xor => Op::Parity(a),
                }
            }
            Node::Mux(test, a, b) => {
                let (test, a, b) = (self.word(test)?, self.word(a)?, self.word(b)?);
                return Ok(self.graph.mux(test, a, b));
            }
            Node::SignExtend(a) => Op::SignExtend(self.word(a)?),
            Node::Cut { of, low } => Op::Slice(self.word(of)?, *low as u32),
            Node::Select { of, index } => {
                let (of, index) = (self.word(of)?, self.word(index)?);
                let whole = self.graph.width(of);
                let shifted = self.graph.add(Op::ShiftRight(of, index), whole);
                Op::Slice(shifted, 0)
            }
        };
        Ok(self.graph.add(op, width))
    }
}
