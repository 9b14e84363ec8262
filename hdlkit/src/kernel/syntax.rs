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
}

/// The beginning of a local.
#[derive(Clone, Debug)]
pub struct Let {
    /// Its name.
    pub name: String,
    /// It may be assigned again.
    pub mutable: bool,
    /// Its type, if that is written.
    pub shape: Option<super::shape::Shape>,
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
    /// The arms, with their patterns.
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
}

impl Expression {
    /// Without the parentheses around it.
    pub fn bare(&self) -> &Expression {
        match self {
            Expression::Paren(inner) => inner.bare(),
            other => other,
        }
    }
}
