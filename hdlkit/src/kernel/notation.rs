//! A kernel's syntax, read from the text that [`hdl_gen`](hdlkit_macros::hdl_gen) makes of it.
//!
//! rust-hdl's own `hdl_gen` writes code that builds the syntax: for a chip of 20,000 lines that is most of the compiler's
//! work, once for every size of a block, and each runs once. As text it is data, the same for all sizes.
//!
//! One item per line, operations before their operands:
//!
//! | line | item, and what follows it |
//! |---|---|
//! | `{` ... `}` | a block of statements |
//! | `=` | assignment: target, value |
//! | `.field` | as a statement, assignment to a bundle's field: bundle, value |
//! | `?` | if: condition, block, then `-`, a block or another `?` |
//! | `mN` | match: value, N times a line with the pattern and a block |
//! | `@i A B` | loop of `i` from A up to B: block |
//! | `/text` | comment |
//! | `&N a b` | link N of bundles `a` and `b` |
//! | `*` | a macro's block |
//! | `pN` | the statements of part N |
//! | `sname` | signal, named for the first time |
//! | `$N` | the N-th named signal, from 0 on |
//! | `lW:V` | literal V of W bits |
//! | `cW` | cast to W bits: operand |
//! | `S`, `U`, `(` | made signed, made unsigned, in parentheses: operand |
//! | `b&&`, `u!` | an operation of two operands, of one, as in the source; `uall`, `uany`, `uxor` |
//! | `i` | a bit: value, index |
//! | `xW` | W bits: value, lowest bit |
//! | `.field` | as an expression, a bundle's field: bundle |
//! | `r` | a bit replaced: value, index, bit |
//!
//! A size is digits, or `#N` for the N-th of the sizes that depend on the block's type. The place of a bundle's field
//! comes from the block's signals.

use super::shape::Shape;
use crate::circuit::{Structure, Visitor};
use rust_hdl_core::ast::{
    Verilog, VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression, VerilogLink,
    VerilogLiteral, VerilogLoop, VerilogMatch, VerilogOp, VerilogOpUnary, VerilogStatement,
};
use rust_hdl_core::atom::Atom;
use std::collections::HashMap;

/// How a bundle's signals are linked: `LogicLink::link_hdl` or `LogicJoin::join_hdl`.
pub type Link = fn(&str, &str, &str) -> Vec<VerilogLink>;

/// The syntax of a kernel's part, by its number.
pub type Part<'a> = dyn Fn(usize) -> Verilog + 'a;

/// The [`Part`] of a kernel without parts.
///
/// # Panics
/// Always: `hdl_gen` names no part that does not exist.
#[cold]
pub fn no_parts(part: usize) -> Verilog {
    unreachable!("a kernel has no part {part}")
}

/// The syntax of `block`'s kernel, as rust-hdl's `hdl_gen` builds it.
///
/// # Panics
/// If `text` is not the output of `hdl_gen` for this block.
pub fn read(block: &dyn Structure, text: &str, sizes: &[usize], links: &[Link], part: &Part) -> Verilog {
    let fields = text.lines().any(|line| line.starts_with('.'));
    let mut reader = Reader {
        lines: text.lines(),
        sizes,
        links,
        part,
        names: vec![],
        shapes: if fields { shapes(block) } else { HashMap::new() },
    };
    match reader.next() {
        "{" => Verilog::Combinatorial(reader.block()),
        other => unreachable!("a kernel begins with {other:?}"),
    }
}

struct Reader<'a> {
    lines: std::str::Lines<'a>,
    sizes: &'a [usize],
    links: &'a [Link],
    part: &'a Part<'a>,
    /// The signals named so far.
    names: Vec<String>,
    shapes: HashMap<String, Shape>,
}

impl Reader<'_> {
    fn next(&mut self) -> &str {
        self.lines.next().expect("the kernel's text goes on")
    }

    fn size(&self, text: &str) -> usize {
        match text.strip_prefix('#') {
            Some(index) => self.sizes[index.parse::<usize>().expect("a number")],
            None => text.parse().expect("a size"),
        }
    }

    /// A signal's name, with the values of the constants in its indices.
    fn name(&self, text: &str) -> String {
        let mut parts = text.split('#');
        let mut name = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            let (number, rest) = part.split_at(end);
            name.push_str(&self.sizes[number.parse::<usize>().expect("a number")].to_string());
            name.push_str(rest);
        }
        name
    }

    /// A loop's bound: as in rust-hdl, a plain number has 32 bits, a constant of type `usize` 64.
    fn bound(&self, text: &str) -> VerilogLiteral {
        let size = self.size(text);
        match text.starts_with('#') {
            true => size.into(),
            false => (size as u32).into(),
        }
    }

    /// The statements up to the end of the block.
    fn block(&mut self) -> VerilogBlock {
        let mut statements = vec![];
        loop {
            match self.next() {
                "}" => return statements,
                line => {
                    let line = line.to_string();
                    statements.push(self.statement(&line));
                }
            }
        }
    }

    fn begun_block(&mut self) -> VerilogBlock {
        assert_eq!(self.next(), "{", "a block begins");
        self.block()
    }

    fn statement(&mut self, line: &str) -> VerilogStatement {
        let (kind, rest) = line.split_at(1);
        match kind {
            "=" => VerilogStatement::Assignment(self.expression(), self.expression()),
            "." => {
                let base = self.expression();
                let (low, width) = self.field(&base, rest);
                VerilogStatement::SliceAssignment {
                    base,
                    width,
                    offset: VerilogExpression::Literal(low.into()),
                    replacement: self.expression(),
                }
            }
            "?" => self.conditional(),
            "m" => {
                let arms: usize = rest.parse().expect("a number of arms");
                let test = self.expression();
                let cases = (0..arms)
                    .map(|_| VerilogCase {
                        condition: self.next().to_string(),
                        block: self.begun_block(),
                    })
                    .collect();
                VerilogStatement::Match(VerilogMatch { test, cases })
            }
            "@" => {
                let mut parts = rest.split(' ');
                let mut part = || parts.next().expect("an index and two sizes");
                let (index, from, to) = (part().to_string(), self.bound(part()), self.bound(part()));
                VerilogStatement::Loop(VerilogLoop {
                    index,
                    from,
                    to,
                    block: self.begun_block(),
                })
            }
            "/" => VerilogStatement::Comment(rest.to_string()),
            "&" => {
                let parts: Vec<&str> = rest.split(' ').collect();
                let [link, left, right] = parts[..] else {
                    unreachable!("a link has a number and two names");
                };
                VerilogStatement::Link(self.links[link.parse::<usize>().expect("a number")]("", left, right))
            }
            "*" => VerilogStatement::Macro(self.block()),
            "p" => match (self.part)(rest.parse().expect("a number")) {
                Verilog::Combinatorial(block) => VerilogStatement::Macro(block),
                other => unreachable!("a part is a kernel: {other:?}"),
            },
            _ => unreachable!("no statement: {line:?}"),
        }
    }

    fn conditional(&mut self) -> VerilogStatement {
        let test = self.expression();
        let then = self.begun_block();
        let otherwise = match self.next() {
            "-" => VerilogBlockOrConditional::None,
            "{" => VerilogBlockOrConditional::Block(self.block()),
            _ => VerilogBlockOrConditional::Conditional(Box::new(self.conditional())),
        };
        VerilogStatement::If(VerilogConditional { test, then, otherwise })
    }

    fn boxed(&mut self) -> Box<VerilogExpression> {
        Box::new(self.expression())
    }

    fn expression(&mut self) -> VerilogExpression {
        let line = self.next().to_string();
        let (kind, rest) = line.split_at(1);
        match kind {
            "s" => {
                let name = self.name(rest);
                self.names.push(name.clone());
                VerilogExpression::Signal(name)
            }
            "$" => VerilogExpression::Signal(self.names[rest.parse::<usize>().expect("a number")].clone()),
            "l" => VerilogExpression::Literal(literal(rest)),
            "c" => {
                let width = self.size(rest);
                VerilogExpression::Cast(self.boxed(), width)
            }
            "S" => VerilogExpression::Signed(self.boxed()),
            "U" => VerilogExpression::Unsigned(self.boxed()),
            "(" => VerilogExpression::Paren(self.boxed()),
            "b" => VerilogExpression::Binary(self.boxed(), binary(rest), self.boxed()),
            "u" => VerilogExpression::Unary(unary(rest), self.boxed()),
            "i" => VerilogExpression::Index(self.boxed(), self.boxed()),
            "x" => {
                let width = self.size(rest);
                VerilogExpression::Slice(self.boxed(), width, self.boxed())
            }
            "." => {
                let base = self.expression();
                let (low, width) = self.field(&base, rest);
                let low = VerilogExpression::Literal(low.into());
                VerilogExpression::Slice(Box::new(base), width, Box::new(low))
            }
            "r" => VerilogExpression::IndexReplace(self.boxed(), self.boxed(), self.boxed()),
            _ => unreachable!("no expression: {line:?}"),
        }
    }

    /// Lowest bit and width of a bundle's field.
    fn field(&self, bundle: &VerilogExpression, field: &str) -> (usize, usize) {
        let VerilogExpression::Signal(name) = bundle else {
            unreachable!("a field of something that is no signal: {bundle:?}");
        };
        let Some(shape) = self.shapes.get(&of_array(name)) else {
            // An array without elements: the loop that names an element does not run.
            return (0, 1);
        };
        match shape.field(&[field]) {
            Some((low, shape)) => (low, shape.width()),
            None => unreachable!("`{name}` has no field `{field}`"),
        }
    }
}

/// `lanes[i]$q` as the first of its kind, `lanes$0$q`.
fn of_array(name: &str) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for letter in name.chars() {
        match letter {
            '[' => {
                if depth == 0 {
                    text.push_str("$0");
                }
                depth += 1;
            }
            ']' => depth -= 1,
            _ if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    text
}

fn literal(text: &str) -> VerilogLiteral {
    let (bits, value) = text.split_once(':').expect("width and value");
    let value: u128 = value.parse().expect("a value");
    match bits {
        "1" => (value != 0).into(),
        "8" => (value as u8).into(),
        "16" => (value as u16).into(),
        "32" => (value as u32).into(),
        "64" => (value as u64).into(),
        _ => value.into(),
    }
}

fn binary(name: &str) -> VerilogOp {
    match name {
        "+" => VerilogOp::Add,
        "-" => VerilogOp::Sub,
        "*" => VerilogOp::Mul,
        "&&" => VerilogOp::LogicalAnd,
        "||" => VerilogOp::LogicalOr,
        "^" => VerilogOp::BitXor,
        "&" => VerilogOp::BitAnd,
        "|" => VerilogOp::BitOr,
        "<<" => VerilogOp::Shl,
        ">>" => VerilogOp::Shr,
        "==" => VerilogOp::Eq,
        "<" => VerilogOp::Lt,
        "<=" => VerilogOp::Le,
        "!=" => VerilogOp::Ne,
        ">=" => VerilogOp::Ge,
        ">" => VerilogOp::Gt,
        _ => unreachable!("no operation: {name:?}"),
    }
}

fn unary(name: &str) -> VerilogOpUnary {
    match name {
        "!" => VerilogOpUnary::Not,
        "-" => VerilogOpUnary::Neg,
        "all" => VerilogOpUnary::All,
        "any" => VerilogOpUnary::Any,
        "xor" => VerilogOpUnary::Xor,
        _ => unreachable!("no operation: {name:?}"),
    }
}

/// The layouts of the bundles that a block's kernel can name: its own signals and its parts' ports.
fn shapes(block: &dyn Structure) -> HashMap<String, Shape> {
    let mut shapes = Shapes::default();
    block.visit("", &mut shapes);
    shapes.found
}

#[derive(Default)]
struct Shapes {
    /// Names of the scopes open below the block.
    open: Vec<String>,
    /// Number of open blocks, including the block itself.
    depth: usize,
    found: HashMap<String, Shape>,
}

impl Visitor for Shapes {
    fn start_block(&mut self, name: &str, _block: &dyn Structure) {
        self.depth += 1;
        if self.depth > 1 {
            self.open.push(name.into());
        }
    }
    fn start_bundle(&mut self, name: &str) {
        self.open.push(name.into());
    }
    fn atom(&mut self, name: &str, atom: &dyn Atom) {
        if self.depth <= 2 {
            let shape = Shape::new(&atom.descriptor());
            if matches!(shape, Shape::Struct(_)) {
                let mut key = self.open.join("$");
                if !key.is_empty() {
                    key.push('$');
                }
                self.found.insert(key + name, shape);
            }
        }
    }
    fn end_bundle(&mut self) {
        self.open.pop();
    }
    fn end_block(&mut self) {
        if self.depth > 1 {
            self.open.pop();
        }
        self.depth -= 1;
    }
}
