//! A kernel's syntax: statements and expressions as written, before names and widths are known.

use rust_hdl_core::ast::VerilogLink;
use std::rc::Rc;

pub use rust_hdl_core::ast::{VerilogOp as BinaryOp, VerilogOpUnary as UnaryOp};

/// The statements of a kernel, a part or a block in braces.
pub type Block = Vec<Statement>;

/// A statement, and where it is.
#[derive(Clone, Debug)]
pub struct Statement {
    /// File and line, if the compiler told them: `src/coalescer.rs:41`.
    pub place: Option<Rc<str>>,
    /// The statement itself.
    pub form: Form,
}

/// The form of a statement.
#[derive(Clone, Debug)]
pub enum Form {
    /// A signal, a field of one, or a local takes a value.
    Assign(Expression, Expression),
    /// A local begins.
    Let(Let),
    /// One of two blocks.
    If(Conditional),
    /// One of several blocks.
    Match(Match),
    /// A block for each value of an index.
    Loop(Loop),
    /// A comment for readers of the Verilog.
    Comment(String),
    /// Bundles of signals are connected.
    Link(Vec<VerilogLink>),
    /// The statements of a part, or those that a macro stands for.
    Piece(Block),
    /// The value of the block that it ends.
    Value(Expression),
    /// Locals take the values of a tuple; `None` is `_`.
    Tuple(Vec<Option<Named>>, Expression),
    /// The statements of a part with arguments.
    Call(Box<Inlined>),
}

/// A local's name, and whether it may be assigned again.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// It may be assigned again.
    pub mutable: bool,
}

/// A call of a part or a pure function, in whose place its statements stand.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The function's name.
    pub name: String,
    /// Its parameters, with the arguments as their values.
    pub parameters: Vec<Let>,
    /// The types of its results, which have more than one element if it returns a tuple.
    pub results: Vec<super::shape::Shape>,
    /// Its statements; the last is the result.
    pub block: Block,
}

/// A kernel, a part or a pure function as read.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its parameters.
    pub parameters: Vec<Let>,
    /// The types of its results.
    pub results: Vec<super::shape::Shape>,
    /// Its statements.
    pub block: Block,
}

/// The beginning of a local.
#[derive(Clone, Debug)]
pub struct Let {
    /// Its name.
    pub name: String,
    /// It may be assigned again.
    pub mutable: bool,
    /// Its type, if that is written; of an array, its elements' type.
    pub shape: Option<super::shape::Shape>,
    /// The number of its elements, if its type is written as an array.
    pub elements: Option<usize>,
    /// Its value, unless it is assigned later.
    pub value: Option<Expression>,
}

/// A statement `if`.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// The condition.
    pub test: Expression,
    /// Runs if it is true.
    pub then: Block,
    /// Runs if it is false: a block, or a single `if`.
    pub otherwise: Option<Block>,
    /// `otherwise` is written `else if`.
    pub chained: bool,
}

/// A statement `match`.
#[derive(Clone, Debug)]
pub struct Match {
    /// The value compared.
    pub test: Expression,
    /// The arms, with their patterns: `default`, or numbers, ranges `A..=B` and variants, with ` | ` between.
    pub cases: Vec<(String, Block)>,
}

/// A loop; it is unrolled.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The index.
    pub index: String,
    /// Its first value.
    pub from: usize,
    /// The value after its last.
    pub to: usize,
    /// Whether each bound is a plain number.
    pub plain: (bool, bool),
    /// The statements.
    pub block: Block,
}

/// An expression as written.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A signal of the block, a loop's index, or a variant of an enum: `lanes[i]$q`, `State$Idle`.
    Signal(String),
    /// A local.
    Local(String),
    /// A number; one of one bit is `true` or `false`.
    Literal {
        /// Bits of the Rust type.
        bits: usize,
        /// The value.
        value: u128,
    },
    /// Truncated or zero-extended to a width.
    Cast(Box<Expression>, usize),
    /// Made signed.
    Signed(Box<Expression>),
    /// Made unsigned.
    Unsigned(Box<Expression>),
    /// As a `usize`, which does not wrap: `.index()`.
    Number(Box<Expression>),
    /// In parentheses.
    Paren(Box<Expression>),
    /// An operation on two operands.
    Binary(Box<Expression>, BinaryOp, Box<Expression>),
    /// An operation on one operand.
    Unary(UnaryOp, Box<Expression>),
    /// A bit: value, index.
    Index(Box<Expression>, Box<Expression>),
    /// So many bits from a lowest one up: value, width, lowest bit.
    Slice(Box<Expression>, usize, Box<Expression>),
    /// A value with a bit replaced: value, index, bit.
    IndexReplace(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A bundle's field.
    Field(Box<Expression>, String),
    /// A Rust constant: the expression as written, its bits, and its value. An integer has 0 bits: it is as wide as needed.
    Constant(String, usize, num_bigint::BigUint),
    /// Truncated or zero-extended to the width that is wanted: `.resize()`.
    Resize(Box<Expression>),
    /// A function of [`bits`](crate::bits), with the width of its result, if that is written.
    Call(Function, Option<usize>, Vec<Expression>),
    /// Values in an array.
    Array(Vec<Expression>),
    /// An array of equal values.
    Repeat(Box<Expression>, usize),
    /// An element of an array that is a local: array, index.
    Element(Box<Expression>, Box<Expression>),
    /// A signal at an index that is not known when the circuit is built.
    Selected(Box<Selected>),
    /// One of two values; each block ends in one.
    If(Box<Conditional>),
    /// One of several values; each block ends in one.
    Match(Box<Match>),
    /// The result of a part or a pure function.
    Inlined(Box<Inlined>),
    /// A bundle by its fields; the others are those of another bundle.
    Bundle(super::shape::Shape, Vec<(String, Expression)>, Option<Box<Expression>>),
    /// Several values.
    Tuple(Vec<Expression>),
}

macro_rules! operands {
    ($e:ident, $boxed:ident, $value_of:ident, $iter:ident) => {{
        use Expression::*;
        match $e {
            Signal(_) | Local(_) | Literal { .. } | Constant(..) => vec![],
            Cast(x, _) | Signed(x) | Unsigned(x) | Number(x) | Paren(x) | Unary(_, x) | Field(x, _) | Resize(x)
            | Repeat(x, _) => vec![x.$boxed()],
            Binary(x, _, y) | Index(x, y) | Slice(x, _, y) | Element(x, y) => vec![x.$boxed(), y.$boxed()],
            IndexReplace(x, y, z) => vec![x.$boxed(), y.$boxed(), z.$boxed()],
            Call(_, _, values) | Array(values) | Tuple(values) => values.$iter().collect(),
            Selected(selected) => {
                let selected = selected.$boxed();
                vec![$value_of!(selected.index)]
            }
            If(c) => {
                let c = c.$boxed();
                let blocks = std::iter::once($value_of!(c.then)).chain($value_of!(c.otherwise));
                let values = blocks.flatten().filter_map(|statement| match $value_of!(statement.form) {
                    Form::Value(value) => Some(value),
                    _ => None,
                });
                std::iter::once($value_of!(c.test)).chain(values).collect()
            }
            Match(m) => {
                let m = m.$boxed();
                vec![$value_of!(m.test)]
            }
            Inlined(_) => vec![],
            Bundle(_, fields, rest) => {
                let fields = fields.$iter().map(|(_, value)| value);
                fields.chain(rest.$iter().map(|rest| rest.$boxed())).collect()
            }
        }
    }};
}
macro_rules! shared {
    ($e:expr) => {
        &$e
    };
}
macro_rules! unique {
    ($e:expr) => {
        &mut $e
    };
}

/// A signal at an index that is not known when the circuit is built: `lanes[..]$q`.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The array: `lanes`.
    pub array: String,
    /// The index.
    pub index: Expression,
    /// What follows it: `$q`.
    pub rest: String,
}

impl Selected {
    /// The signal at one index.
    pub fn at(&self, index: usize) -> String {
        format!("{}[{index}]{}", self.array, self.rest)
    }
}

/// The functions of [`bits`](crate::bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `lowest_set`
    LowestSet,
    /// `highest_set`
    HighestSet,
    /// `one_hot`
    OneHot,
    /// `one_hot_index`
    OneHotIndex,
    /// `ones_below`
    OnesBelow,
    /// `population_count`
    PopulationCount,
    /// `reverse`
    Reverse,
    /// `fill`
    Fill,
    /// `mask`
    Mask,
    /// `concat`
    Concat,
    /// `sign_extend`
    SignExtend,
    /// `signed_product`
    SignedProduct,
}

impl Function {
    /// The functions by their names.
    pub const NAMED: [(&'static str, Function); 12] = [
        ("lowest_set", Function::LowestSet),
        ("highest_set", Function::HighestSet),
        ("one_hot", Function::OneHot),
        ("one_hot_index", Function::OneHotIndex),
        ("ones_below", Function::OnesBelow),
        ("population_count", Function::PopulationCount),
        ("reverse", Function::Reverse),
        ("fill", Function::Fill),
        ("mask", Function::Mask),
        ("concat", Function::Concat),
        ("sign_extend", Function::SignExtend),
        ("signed_product", Function::SignedProduct),
    ];
}

impl Expression {
    /// Whether it chooses between values by conditions that have statements, or choices, in them.
    pub(super) fn is_choice(&self) -> bool {
        let plain = |block: &Block| match &block[..] {
            [Statement {
                form: Form::Value(value),
                ..
            }] => !matches!(value.bare(), Expression::If(_) | Expression::Match(_)),
            _ => false,
        };
        match self.bare() {
            Expression::If(c) => !plain(&c.then) || !c.otherwise.as_ref().is_some_and(plain),
            Expression::Match(_) => true,
            _ => false,
        }
    }

    /// The expressions in it, but for the statements of blocks.
    pub(super) fn operands(&self) -> Vec<&Expression> {
        operands!(self, as_ref, shared, iter)
    }

    /// The same, to be changed.
    pub(super) fn operands_mut(&mut self) -> Vec<&mut Expression> {
        operands!(self, as_mut, unique, iter_mut)
    }

    /// Without the parentheses around it.
    pub fn bare(&self) -> &Expression {
        match self {
            Expression::Paren(inner) => inner.bare(),
            other => other,
        }
    }
}
