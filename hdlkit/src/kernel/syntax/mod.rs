//! The syntax tree of a kernel: statements and expressions as written, before names and widths are resolved.

mod clocks;
pub(crate) mod notation;
mod rust_hdl;
pub mod source_text;

use crate::kernel::shape::Shape;
use rust_hdl_core::ast::VerilogLink;
use std::rc::Rc;

pub use rust_hdl_core::ast::{VerilogOp as BinaryOp, VerilogOpUnary as UnaryOp};

/// The statements of a kernel, a part or a block in braces.
pub type Block = Vec<Statement>;

/// A statement with its source location.
#[derive(Clone, Debug)]
pub struct Statement {
    /// File and line, if the compiler provides them: `src/coalescer.rs:41`.
    pub place: Option<Rc<str>>,
    /// The statement itself.
    pub form: Form,
}

/// The form of a statement.
#[derive(Clone, Debug)]
pub enum Form {
    /// An assignment to a signal, a field of one, or a local.
    Assign(Expression, Expression),
    /// The declaration of a local.
    Let(Let),
    /// A choice between two blocks.
    If(Conditional),
    /// A choice among several blocks.
    Match(Match),
    /// A block repeated for each value of an index.
    Loop(Loop),
    /// A comment for readers of the Verilog.
    Comment(String),
    /// A connection of bundles of signals.
    Link(Vec<VerilogLink>),
    /// The statements of a part, or the expansion of a macro.
    Piece(Block),
    /// The value of the block, as its last statement.
    Value(Expression),
    /// The declaration of locals for the values of a tuple; `None` is `_`.
    Tuple(Vec<Option<Named>>, Expression),
    /// The statements of a part with arguments.
    Call(Box<Inlined>),
}

/// A local's name and mutability.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name of the local in the source.
    pub name: String,
    /// True if it may be assigned again.
    pub mutable: bool,
}

/// A call of a part or a pure function, to be replaced by its statements.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The function's name.
    pub name: String,
    /// The parameters, with the arguments as their values.
    pub parameters: Vec<Let>,
    /// The types of the results; more than one if the function returns a tuple.
    pub results: Vec<Shape>,
    /// The statements; the last is the result.
    pub block: Block,
}

/// A kernel, a part or a pure function after parsing.
#[derive(Clone, Debug)]
pub struct ParsedKernel {
    /// The parameters.
    pub parameters: Vec<Let>,
    /// The types of the results.
    pub results: Vec<Shape>,
    /// The statements.
    pub block: Block,
}

/// The declaration of a local.
#[derive(Clone, Debug)]
pub struct Let {
    /// The name of the local in the source.
    pub name: String,
    /// True if it may be assigned again.
    pub mutable: bool,
    /// The type, if it is written; for an array, the elements' type.
    pub shape: Option<Shape>,
    /// The number of elements, if the type is written as an array.
    pub elements: Option<usize>,
    /// The value, unless it is assigned later.
    pub value: Option<Expression>,
}

/// A statement `if`.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// The condition.
    pub test: Expression,
    /// The block if the condition is true.
    pub then: Block,
    /// The block if the condition is false, or a single `if`.
    pub otherwise: Option<Block>,
    /// True if `otherwise` is written `else if`.
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
    /// The name of the index.
    pub index: String,
    /// The first value of the index.
    pub from: usize,
    /// The end of the index's range, exclusive.
    pub to: usize,
    /// For each bound, true if it is a plain number.
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
    /// A number; a number of one bit is `true` or `false`.
    Literal {
        /// The width of the Rust type in bits.
        bits: usize,
        /// The value.
        value: u128,
    },
    /// Truncation or zero-extension to a width.
    Cast(Box<Expression>, usize),
    /// Conversion to signed.
    Signed(Box<Expression>),
    /// Conversion to unsigned.
    Unsigned(Box<Expression>),
    /// Conversion to a `usize`, which does not wrap: `.index()`.
    Number(Box<Expression>),
    /// An expression in parentheses.
    Paren(Box<Expression>),
    /// An operation on two operands.
    Binary(Box<Expression>, BinaryOp, Box<Expression>),
    /// An operation on one operand.
    Unary(UnaryOp, Box<Expression>),
    /// A bit: value, index.
    Index(Box<Expression>, Box<Expression>),
    /// A slice: value, width, lowest bit.
    Slice(Box<Expression>, usize, Box<Expression>),
    /// A value with a bit replaced: value, index, bit.
    IndexReplace(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A bundle's field.
    Field(Box<Expression>, String),
    /// A Rust constant: the expression as written, its width in bits, and its value. An integer has width 0: it is as
    /// wide as needed.
    Constant(String, usize, num_bigint::BigUint),
    /// Truncation or zero-extension to the width of the context: `.resize()`.
    Resize(Box<Expression>),
    /// A call of a function in [`bits`](crate::bits), with the width of its result, if that is written.
    Call(Function, Option<usize>, Vec<Expression>),
    /// An array of values.
    Array(Vec<Expression>),
    /// An array of equal values.
    Repeat(Box<Expression>, usize),
    /// An element of an array that is a local: array, index.
    Element(Box<Expression>, Box<Expression>),
    /// A signal at an index that is not constant when the circuit is built.
    Selected(Box<Selected>),
    /// A choice between two values; each block ends in one.
    If(Box<Conditional>),
    /// A choice among several values; each block ends in one.
    Match(Box<Match>),
    /// The result of a part or a pure function.
    Inlined(Box<Inlined>),
    /// A bundle by its fields; the remaining fields are copied from another bundle.
    Bundle(Shape, Vec<(String, Expression)>, Option<Box<Expression>>),
    /// A tuple.
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

/// A signal at an index that is not constant when the circuit is built: `lanes[..]$q`.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The array: `lanes`.
    pub array: String,
    /// The index.
    pub index: Expression,
    /// The path after the index: `$q`.
    pub rest: String,
}

impl Selected {
    /// The signal at a constant index.
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
    /// True if it chooses between values with blocks that have statements or choices.
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

    /// The operands, without the statements of blocks.
    pub(super) fn operands(&self) -> Vec<&Expression> {
        operands!(self, as_ref, shared, iter)
    }

    /// The operands, to be changed.
    pub(super) fn operands_mut(&mut self) -> Vec<&mut Expression> {
        operands!(self, as_mut, unique, iter_mut)
    }

    /// The expression without the parentheses around it.
    pub fn bare(&self) -> &Expression {
        match self {
            Expression::Paren(inner) => inner.bare(),
            other => other,
        }
    }
}
