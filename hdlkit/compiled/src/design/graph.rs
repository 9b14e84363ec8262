//! Data-flow graph of a cycle, in words: no hierarchy, no statements, every value once.
//!
//! Bits above a value's width are zero. Equal nodes are merged, and constants are folded here.

use rustc_hash::FxHashMap;

/// The widest value, in bits.
pub(crate) const MOST_BITS: u32 = 128;

/// The number of nested conjunctions that simplifications look into.
const DEEPEST_AND: u32 = 16;

/// A node of a [`Graph`].
pub(crate) type Id = u32;

/// The operation of a node. Operands of arithmetic and logic have the result's width; both operands of a comparison
/// have the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Constant(u128),
    /// The value of a cell in this cycle.
    Cell(u32),
    /// A word that an opaque block returns in this cycle.
    Call {
        opaque: u32,
        word: u32,
    },
    /// A memory read within the cycle: word `word` of the element at an address.
    Read {
        memory: u32,
        word: u32,
        address: Id,
    },
    Not(Id),
    Negate(Id),
    Add(Id, Id),
    Sub(Id, Id),
    Mul(Id, Id),
    And(Id, Id),
    Or(Id, Id),
    Xor(Id, Id),
    ShiftLeft(Id, Id),
    ShiftRight(Id, Id),
    Equal(Id, Id),
    Less {
        signed: bool,
        left: Id,
        right: Id,
    },
    /// Test, value if 1, value if 0.
    Mux(Id, Id, Id),
    /// Bits of the operand from this bit up.
    Slice(Id, u32),
    /// Concatenation; the first operand is the upper one.
    Concat(Id, Id),
    ZeroExtend(Id),
    SignExtend(Id),
    Parity(Id),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub op: Op,
    pub width: u32,
}

#[derive(Default)]
pub(crate) struct Graph {
    pub nodes: Vec<Node>,
    known: FxHashMap<Node, Id>,
}

/// The low `width` bits set.
pub(crate) fn mask(width: u32) -> u128 {
    if width >= MOST_BITS {
        !0
    } else {
        (1 << width) - 1
    }
}

/// `value` of `width` bits as a signed number.
fn signed(value: u128, width: u32) -> i128 {
    let shift = MOST_BITS - width;
    ((value << shift) as i128) >> shift
}

impl Graph {
    pub fn width(&self, id: Id) -> u32 {
        self.nodes[id as usize].width
    }

    pub fn op(&self, id: Id) -> Op {
        self.nodes[id as usize].op
    }

    pub fn as_constant(&self, id: Id) -> Option<u128> {
        match self.op(id) {
            Op::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub fn constant(&mut self, value: u128, width: u32) -> Id {
        self.raw(Op::Constant(value & mask(width)), width)
    }

    fn raw(&mut self, op: Op, width: u32) -> Id {
        debug_assert!((1..=MOST_BITS).contains(&width), "{width} bits");
        let node = Node { op, width };
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            (self.nodes.len() - 1) as Id
        })
    }

    pub fn not(&mut self, id: Id) -> Id {
        let width = self.width(id);
        self.add(Op::Not(id), width)
    }

    /// `width` bits starting at `low`.
    pub fn slice(&mut self, id: Id, low: u32, width: u32) -> Id {
        self.add(Op::Slice(id, low), width)
    }

    pub fn zero_extend(&mut self, id: Id, width: u32) -> Id {
        match self.width(id) < width {
            true => self.add(Op::ZeroExtend(id), width),
            false => id,
        }
    }

    pub fn mux(&mut self, test: Id, one: Id, zero: Id) -> Id {
        let width = self.width(one);
        self.add(Op::Mux(test, one, zero), width)
    }

    /// The node for `op`, or a simpler one of equal value.
    pub fn add(&mut self, op: Op, width: u32) -> Id {
        let ones = mask(width);
        // Constants come second, and commutative operations have their operands in a fixed order.
        let turn = |a: Id, b: Id| self.as_constant(a).is_some() || a > b && self.as_constant(b).is_none();
        let op = match op {
            Op::And(a, b) if turn(a, b) => Op::And(b, a),
            Op::Or(a, b) if turn(a, b) => Op::Or(b, a),
            Op::Xor(a, b) if turn(a, b) => Op::Xor(b, a),
            Op::Equal(a, b) if turn(a, b) => Op::Equal(b, a),
            op => op,
        };
        if let Some(value) = self.evaluate(op, width) {
            return self.constant(value, width);
        }
        let known = |graph: &Self, id| graph.as_constant(id);
        match op {
            Op::Not(a) => {
                if let Op::Not(inner) = self.op(a) {
                    return inner;
                }
            }
            Op::And(a, b) => {
                match known(self, b) {
                    Some(0) => return b,
                    Some(value) if value == ones => return a,
                    _ if a == b => return a,
                    _ => {}
                }
                for (a, b) in [(a, b), (b, a)] {
                    if let Some(simpler) = self.and_not_equal(a, b) {
                        return simpler;
                    }
                }
            }
            Op::Or(a, b) => match known(self, b) {
                Some(0) => return a,
                Some(value) if value == ones => return b,
                _ if a == b => return a,
                _ => {}
            },
            Op::Xor(a, b) => match known(self, b) {
                Some(0) => return a,
                Some(value) if value == ones => return self.not(a),
                _ if a == b => return self.constant(0, width),
                _ => {}
            },
            Op::Add(a, b) | Op::Sub(a, b) if known(self, b) == Some(0) => return a,
            Op::Add(a, b) if known(self, a) == Some(0) => return b,
            Op::ShiftLeft(a, b) => {
                if let Some(count) = known(self, b) {
                    if count >= u128::from(width) {
                        return self.constant(0, width);
                    }
                    if count == 0 {
                        return a;
                    }
                    let count = count as u32;
                    let high = self.slice(a, 0, width - count);
                    let low = self.constant(0, count);
                    return self.add(Op::Concat(high, low), width);
                }
            }
            Op::ShiftRight(a, b) => {
                if let Some(count) = known(self, b) {
                    if count >= u128::from(width) {
                        return self.constant(0, width);
                    }
                    let part = self.slice(a, count as u32, width - count as u32);
                    return self.zero_extend(part, width);
                }
            }
            Op::Equal(a, b) => {
                if a == b {
                    return self.constant(1, 1);
                }
                if self.width(a) == 1 {
                    match known(self, b) {
                        Some(0) => return self.not(a),
                        Some(_) => return a,
                        None => {}
                    }
                }
            }
            Op::Mux(test, one, zero) => {
                match known(self, test) {
                    Some(0) => return zero,
                    Some(_) => return one,
                    None => {}
                }
                if one == zero {
                    return one;
                }
                if let Op::Not(inner) = self.op(test) {
                    return self.add(Op::Mux(inner, zero, one), width);
                }
                if width == 1 {
                    match (known(self, one), known(self, zero)) {
                        (Some(1), Some(0)) => return test,
                        (Some(0), Some(1)) => return self.not(test),
                        (Some(1), None) => return self.add(Op::Or(test, zero), 1),
                        (None, Some(0)) => return self.add(Op::And(test, one), 1),
                        (Some(0), None) => {
                            let other = self.not(test);
                            return self.add(Op::And(other, zero), 1);
                        }
                        (None, Some(1)) => {
                            let other = self.not(test);
                            return self.add(Op::Or(other, one), 1);
                        }
                        _ => {}
                    }
                }
            }
            Op::Slice(of, low) => {
                let whole = self.width(of);
                if low == 0 && width == whole {
                    return of;
                }
                match self.op(of) {
                    Op::Slice(inner, base) => return self.slice(inner, base + low, width),
                    Op::ZeroExtend(inner) => {
                        let have = self.width(inner);
                        if low >= have {
                            return self.constant(0, width);
                        }
                        if low + width <= have {
                            return self.slice(inner, low, width);
                        }
                        let part = self.slice(inner, low, have - low);
                        return self.zero_extend(part, width);
                    }
                    Op::Concat(high, below) => {
                        let border = self.width(below);
                        if low >= border {
                            return self.slice(high, low - border, width);
                        }
                        if low + width <= border {
                            return self.slice(below, low, width);
                        }
                        let below = self.slice(below, low, border - low);
                        let high = self.slice(high, 0, low + width - border);
                        return self.add(Op::Concat(high, below), width);
                    }
                    _ => {}
                }
            }
            Op::Concat(high, low) => {
                if known(self, high) == Some(0) {
                    return self.add(Op::ZeroExtend(low), width);
                }
                if let Some(joined) = self.neighbours(high, low) {
                    return joined;
                }
                if let Op::Concat(upper, lower) = self.op(low) {
                    if let Some(joined) = self.neighbours(high, upper) {
                        return self.add(Op::Concat(joined, lower), width);
                    }
                }
                if let Op::Concat(upper, lower) = self.op(high) {
                    if let Some(joined) = self.neighbours(lower, low) {
                        return self.add(Op::Concat(upper, joined), width);
                    }
                }
            }
            Op::ZeroExtend(a) => {
                if self.width(a) == width {
                    return a;
                }
                if let Op::ZeroExtend(inner) = self.op(a) {
                    return self.add(Op::ZeroExtend(inner), width);
                }
            }
            Op::SignExtend(a) if self.width(a) == width => return a,
            Op::Parity(a) if self.width(a) == 1 => return a,
            _ => {}
        }
        self.raw(op, width)
    }

    /// The slice with both of these side by side, if they are neighbouring slices of one value.
    fn neighbours(&mut self, high: Id, low: Id) -> Option<Id> {
        let (Op::Slice(a, from), Op::Slice(b, base)) = (self.op(high), self.op(low)) else {
            return None;
        };
        let width = self.width(high) + self.width(low);
        (a == b && base + self.width(low) == from).then(|| self.slice(a, base, width))
    }

    /// Simplifies `not & rest`, where `not` says that a value is not equal to a constant, as for the arms of a `match`
    /// after the first, most of which exclude each other.
    fn and_not_equal(&mut self, not: Id, rest: Id) -> Option<Id> {
        let (value, constant) = self.excluded(not)?;
        if self.is_other(rest, value, constant, DEEPEST_AND) {
            return Some(rest);
        }
        let Op::And(a, b) = self.op(rest) else { return None };
        for (none, rest) in [(a, b), (b, a)] {
            if self.excludes(none, value, DEEPEST_AND) && self.excluded(rest).is_none() {
                // All values of a `match` share the product of these.
                let none = self.add(Op::And(not, none), 1);
                return Some(self.add(Op::And(none, rest), 1));
            }
        }
        None
    }

    /// The value and the constant, if the node says that they are not equal.
    fn excluded(&self, id: Id) -> Option<(Id, u128)> {
        match self.op(id) {
            Op::Not(equal) => match self.op(equal) {
                Op::Equal(value, constant) => Some((value, self.as_constant(constant)?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// True if the node is 1 only if `value` has a constant value other than this one.
    fn is_other(&self, id: Id, value: Id, constant: u128, depth: u32) -> bool {
        match self.op(id) {
            Op::Equal(of, other) => of == value && self.as_constant(other).is_some_and(|other| other != constant),
            Op::And(a, b) if depth > 0 => [a, b].iter().any(|id| self.is_other(*id, value, constant, depth - 1)),
            _ => false,
        }
    }

    /// True if the node is a product of terms that say what `value` is not.
    fn excludes(&self, id: Id, value: Id, depth: u32) -> bool {
        match self.op(id) {
            Op::Not(_) => self.excluded(id).is_some_and(|(of, _)| of == value),
            Op::And(a, b) if depth > 0 => [a, b].iter().all(|id| self.excludes(*id, value, depth - 1)),
            _ => false,
        }
    }

    /// The value of an operation on constants.
    fn evaluate(&self, op: Op, width: u32) -> Option<u128> {
        self.apply(op, width, |id| self.as_constant(id))
    }

    /// The value of an operation on operands with these values; `None` if a needed operand has no value. Cells, reads
    /// and called blocks have no value.
    #[inline(always)]
    pub fn apply(&self, op: Op, width: u32, value: impl Fn(Id) -> Option<u128>) -> Option<u128> {
        let shift = |a: u128, count: u128, left: bool| match u32::try_from(count) {
            Ok(count) if count < MOST_BITS => match left {
                true => a << count,
                false => a >> count,
            },
            _ => 0,
        };
        let result = match op {
            Op::Constant(value) => value,
            Op::Cell(_) | Op::Call { .. } | Op::Read { .. } => return None,
            Op::Mux(test, one, zero) => match value(test)? {
                0 => value(zero)?,
                _ => value(one)?,
            },
            Op::Not(a) => !value(a)?,
            Op::Negate(a) => value(a)?.wrapping_neg(),
            Op::Add(a, b) => value(a)?.wrapping_add(value(b)?),
            Op::Sub(a, b) => value(a)?.wrapping_sub(value(b)?),
            Op::Mul(a, b) => value(a)?.wrapping_mul(value(b)?),
            Op::And(a, b) => value(a)? & value(b)?,
            Op::Or(a, b) => value(a)? | value(b)?,
            Op::Xor(a, b) => value(a)? ^ value(b)?,
            Op::ShiftLeft(a, b) => shift(value(a)?, value(b)?, true),
            Op::ShiftRight(a, b) => shift(value(a)?, value(b)?, false),
            Op::Equal(a, b) => (value(a)? == value(b)?).into(),
            Op::Less {
                signed: false,
                left,
                right,
            } => (value(left)? < value(right)?).into(),
            Op::Less {
                signed: true,
                left,
                right,
            } => {
                let bits = self.width(left);
                (signed(value(left)?, bits) < signed(value(right)?, bits)).into()
            }
            Op::Slice(a, low) => value(a)? >> low,
            Op::Concat(high, low) => value(high)? << self.width(low) | value(low)?,
            Op::ZeroExtend(a) => value(a)?,
            Op::SignExtend(a) => signed(value(a)?, self.width(a)) as u128,
            Op::Parity(a) => (value(a)?.count_ones() & 1).into(),
        };
        Some(result & mask(width))
    }
}

impl Op {
    /// The same operation with `f` applied to its operands.
    pub fn map<E>(self, mut f: impl FnMut(Id) -> Result<Id, E>) -> Result<Op, E> {
        Ok(match self {
            Op::Constant(_) | Op::Cell(_) | Op::Call { .. } => self,
            Op::Read { memory, word, address } => Op::Read {
                memory,
                word,
                address: f(address)?,
            },
            Op::Not(a) => Op::Not(f(a)?),
            Op::Negate(a) => Op::Negate(f(a)?),
            Op::Add(a, b) => Op::Add(f(a)?, f(b)?),
            Op::Sub(a, b) => Op::Sub(f(a)?, f(b)?),
            Op::Mul(a, b) => Op::Mul(f(a)?, f(b)?),
            Op::And(a, b) => Op::And(f(a)?, f(b)?),
            Op::Or(a, b) => Op::Or(f(a)?, f(b)?),
            Op::Xor(a, b) => Op::Xor(f(a)?, f(b)?),
            Op::ShiftLeft(a, b) => Op::ShiftLeft(f(a)?, f(b)?),
            Op::ShiftRight(a, b) => Op::ShiftRight(f(a)?, f(b)?),
            Op::Equal(a, b) => Op::Equal(f(a)?, f(b)?),
            Op::Less { signed, left, right } => Op::Less {
                signed,
                left: f(left)?,
                right: f(right)?,
            },
            Op::Mux(a, b, c) => Op::Mux(f(a)?, f(b)?, f(c)?),
            Op::Slice(a, low) => Op::Slice(f(a)?, low),
            Op::Concat(a, b) => Op::Concat(f(a)?, f(b)?),
            Op::ZeroExtend(a) => Op::ZeroExtend(f(a)?),
            Op::SignExtend(a) => Op::SignExtend(f(a)?),
            Op::Parity(a) => Op::Parity(f(a)?),
        })
    }

    /// Calls `f` with every operand.
    pub fn operands(self, f: &mut dyn FnMut(Id)) {
        let _: Result<Op, std::convert::Infallible> = self.map(|operand| {
            f(operand);
            Ok(operand)
        });
    }
}
