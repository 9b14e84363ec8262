//! Parser of the text that [`hdl_gen`](hdlkit_macros::hdl_gen) generates from a kernel.
//!
//! rust-hdl's own `hdl_gen` generates code that builds the syntax: for a chip of 20,000 lines that is most of the
//! compiler's work, once for every size of a block, although the code runs just once. Text is data, the same for all
//! sizes.
//!
//! A kernel is a block. For a part or a function, further lines come before the block: one for each parameter, as for a
//! `let`, and a line `>T` for each result. One item per line, operations before their operands:
//!
//! | line | item, and the lines that follow |
//! |---|---|
//! | `{` ... `}` | a block of statements |
//! | `=` | assignment: target, value |
//! | `.field` | as a statement, assignment to a bundle's field: bundle, value |
//! | `v=name T` | local that may not change; `v~name T` one that may: its value, or `-` for none yet; T: its type, or `-`; of an array, `T*N` |
//! | `?` | if: condition, block, then `-`, a block or another `?` |
//! | `mN` | match: value, N times a line with the pattern and a block |
//! | `@i A B` | loop of `i` from A up to B: block |
//! | `/text` | comment |
//! | `&N a b` | link N of bundles `a` and `b` |
//! | `*` | a macro's block |
//! | `pN` | the statements of part N |
//! | `FN M name` | as a statement or an expression, part or function N of this name: M arguments |
//! | `tN` | locals that take the values of a tuple: N lines with `=name`, `~name` or `_`, value |
//! | `TN` | a tuple: N values |
//! | `BT N -` | a bundle of type T: N times a line with the field and its value; with `+`, the bundle that has the others |
//! | `:N` | the next statement is N lines after the kernel's first |
//! | `sname` | signal, named for the first time |
//! | `$N` | the N-th named signal, from 0 |
//! | `wname` | local |
//! | `kN text` | the N-th of the constants |
//! | `R` | resized: operand |
//! | `AN` | an array: N values |
//! | `*N` | as an expression, an array of N equal values: value |
//! | `[` | an element of a local: array, index |
//! | `Dname rest` | a signal with a variable index, `name[..]rest`: index |
//! | `fname W N` | a function's result of W bits (or `-`): N arguments |
//! | `?` | as an expression: condition, two blocks that end in `^` |
//! | `mN` | as an expression: value, N times a line with the pattern and a block that ends in `^` |
//! | `^` | the value of the block: value |
//! | `lW:V` | literal V of W bits |
//! | `cW` | cast to W bits: operand |
//! | `S`, `U`, `(` | made signed, made unsigned, in parentheses: operand |
//! | `b&&`, `u!` | an operation of two operands, of one, as in the source; `uall`, `uany`, `uxor` |
//! | `n` | as a number, `.index()`: operand |
//! | `i` | a bit: value, index |
//! | `xW` | W bits: value, lowest bit |
//! | `.field` | as an expression, a bundle's field: bundle |
//! | `r` | a bit replaced: value, index, bit |
//!
//! A pattern is `default`, or a number, `kN` for a constant, `A..=B` or a variant, or several of these with ` | `
//! between.
//!
//! A size is digits, or `#N` for the N-th of the sizes that depend on the block's type. A type is the N-th of the types
//! that are named.

use super::clocks::connect;
use super::rust_hdl::rust_hdl;
use crate::bits::{Bits, WideBits};
use crate::circuit::{Clocks, Structure};
use crate::kernel::shape::Shape;
use crate::kernel::syntax::{
    BinaryOp, Block, Conditional, Expression, Form, Function, Inlined, Let, Loop, Match, Named, ParsedKernel, Selected,
    Statement, UnaryOp,
};
use num_bigint::BigUint;
use rust_hdl_core::ast::{Verilog, VerilogLink};
use rust_hdl_core::prelude::{Synth, TypeDescriptor};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A function that links a bundle's signals: `LogicLink::link_hdl` or `LogicJoin::join_hdl`.
pub type Link = fn(&str, &str, &str) -> Vec<VerilogLink>;

/// The syntax of a kernel's part, by its number.
pub type PartSyntax<'a> = dyn Fn(usize) -> Verilog + 'a;

/// A kernel's text, with the facts that only the compiler has.
pub struct Text<'a> {
    /// The statements.
    pub text: &'a str,
    /// File and line where the kernel begins.
    pub place: (&'static str, u32),
    /// Values of expressions of type `usize`.
    pub sizes: &'a [usize],
    /// Values of Rust constants.
    pub constants: &'a [Known],
    /// Types of locals.
    pub types: &'a [fn() -> TypeDescriptor],
    /// The functions that link bundles.
    pub links: &'a [Link],
    /// The kernel's parts.
    pub part: &'a PartSyntax<'a>,
    /// The parts that the block's clock is connected to before the first statement, if `#[circuit]` does so.
    pub clocks: Option<Clocks>,
}

/// A Rust constant in a kernel: its width in bits, or 0 for an integer, which is as wide as needed; its value.
pub type Known = (usize, BigUint);

/// A type that a Rust constant in a kernel can have.
pub trait Constant {
    /// The width in bits and the value.
    fn known(self) -> Known;
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Constant for $integer {
            fn known(self) -> Known {
                (0, self.into())
            }
        }
    )*};
}
integers!(u8, u16, u32, u64, u128, usize);

impl Constant for i32 {
    /// # Panics
    /// If the value is negative.
    fn known(self) -> Known {
        (0, self.try_into().expect("a kernel's constant is not negative"))
    }
}

impl Constant for bool {
    fn known(self) -> Known {
        (1, u8::from(self).into())
    }
}

impl<const N: usize> Constant for Bits<N> {
    fn known(self) -> Known {
        (N, self.wide().into())
    }
}

impl<const N: usize> Constant for WideBits<N> {
    fn known(self) -> Known {
        (N, self.wide().into())
    }
}

/// A Rust constant of a type that the macro does not know.
pub struct Probe<T>(pub T);

/// Constants of the types that are [`Constant`].
pub trait OfConstant {
    /// The width in bits and the value.
    fn known(&self) -> Known;
}

impl<T: Constant + Copy> OfConstant for &Probe<T> {
    fn known(&self) -> Known {
        self.0.known()
    }
}

/// Constants of other types, such as enums. Rust prefers a method of a reference.
pub trait OfSynth {
    /// The width in bits and the value.
    fn known(&self) -> Known;
}

impl<T: Synth> OfSynth for Probe<T> {
    fn known(&self) -> Known {
        (T::BITS, Shape::new(&T::descriptor()).flatten(&self.0.vcd()))
    }
}

/// The [`PartSyntax`] of a kernel without parts.
///
/// # Panics
/// Always: `hdl_gen` never refers to a part that does not exist.
#[cold]
pub fn no_parts(part: usize) -> Verilog {
    unreachable!("a kernel has no part {part}")
}

/// The type of a local, as rust-hdl describes it.
pub fn type_of<T: Synth>() -> TypeDescriptor {
    T::descriptor()
}

/// The inputs of parsing the text of a kernel, a part or a function: equal inputs give equal syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// Address and length.
    text: (usize, usize),
    sizes: Vec<usize>,
    constants: Vec<Known>,
    /// Addresses: one function may have several, but several functions of one address do the same.
    types: Vec<usize>,
    links: Vec<usize>,
    clocks: Option<Clocks>,
}

impl Given {
    fn of(text: &Text) -> Given {
        Given {
            text: (text.text.as_ptr() as usize, text.text.len()),
            sizes: text.sizes.to_vec(),
            constants: text.constants.to_vec(),
            types: text.types.iter().map(|of| *of as usize).collect(),
            links: text.links.iter().map(|link| *link as usize).collect(),
            clocks: text.clocks.clone(),
        }
    }
}

thread_local! {
    /// The texts that were parsed during a call of [`kernel_and_given`].
    static GIVEN: RefCell<Option<Vec<Given>>> = const { RefCell::new(None) };
    /// Set if the next call of [`read`] must leave its result in [`KERNEL`]. rust-hdl's trait can only return
    /// rust-hdl's syntax, which cannot express all kernels.
    static ASKED: Cell<bool> = const { Cell::new(false) };
    static KERNEL: RefCell<Option<ParsedKernel>> = const { RefCell::new(None) };
}

/// The kernel described by `hdl`, which calls a block's `Logic::hdl`, or the Verilog in place of one.
pub(crate) fn kernel_of(hdl: impl FnOnce() -> Verilog) -> Result<ParsedKernel, Verilog> {
    ASKED.set(true);
    let verilog = hdl();
    ASKED.set(false);
    KERNEL.take().ok_or(verilog)
}

/// Like [`kernel_of`], with the texts that the kernel was parsed from.
pub(crate) fn kernel_and_given(hdl: impl FnOnce() -> Verilog) -> (Result<ParsedKernel, Verilog>, Vec<Given>) {
    let outer = GIVEN.replace(Some(vec![]));
    let kernel = kernel_of(hdl);
    (kernel, GIVEN.replace(outer).unwrap_or_default())
}

/// True if `block` has a kernel.
pub fn has_kernel(block: &dyn Structure) -> bool {
    kernel_of(|| block.hdl()).is_ok()
}

/// The syntax of `block`'s kernel as rust-hdl's `hdl_gen` builds it. A kernel with a feature that rust-hdl lacks has no
/// such syntax: its text is a comment, and only this crate's exporter has its Verilog.
///
/// # Panics
/// If `text` is not the output of `hdl_gen` for this block.
pub fn read(block: &dyn Structure, text: &Text) -> Verilog {
    let asked = ASKED.replace(false);
    let kernel = kernel_in(text);
    if asked {
        KERNEL.set(Some(kernel));
        return Verilog::Empty;
    }
    match rust_hdl(block, &kernel.block) {
        Some(kernel) => Verilog::Combinatorial(kernel),
        None => Verilog::Custom("// hdlkit::verilog::export writes this block".into()),
    }
}

/// The syntax of a pure function, for the kernel that calls it.
///
/// # Panics
/// If `text` is not the output of `hdl_fn`.
pub fn read_function(text: &Text) -> Verilog {
    ASKED.set(false);
    KERNEL.set(Some(kernel_in(text)));
    Verilog::Empty
}

fn kernel_in(text: &Text) -> ParsedKernel {
    GIVEN.with_borrow_mut(|given| given.iter_mut().for_each(|given| given.push(Given::of(text))));
    let mut reader = Reader {
        lines: text.text.lines(),
        text,
        names: vec![],
    };
    let (mut parameters, mut results) = (vec![], vec![]);
    loop {
        let line = reader.next();
        match line.split_at(1) {
            ("v", local) => parameters.push(reader.local(local)),
            (">", shape) => results.extend(reader.shape(shape)),
            ("{", _) => break,
            _ => unreachable!("a kernel begins with {line:?}"),
        }
    }
    let mut block = reader.block();
    if let Some(clocks) = &text.clocks {
        connect(clocks, &mut block);
    }
    ParsedKernel {
        parameters,
        results,
        block,
    }
}

struct Reader<'a> {
    lines: std::str::Lines<'a>,
    text: &'a Text<'a>,
    /// The signals in the text so far.
    names: Vec<String>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> &'a str {
        self.lines.next().expect("the kernel's text continues")
    }

    fn size(&self, text: &str) -> usize {
        match text.strip_prefix('#') {
            Some(index) => self.text.sizes[index.parse::<usize>().expect("a number")],
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
            name.push_str(&self.text.sizes[number.parse::<usize>().expect("a number")].to_string());
            name.push_str(rest);
        }
        name
    }

    /// Parses the statements up to the end of the block.
    fn block(&mut self) -> Block {
        let mut statements = vec![];
        let mut place = None;
        loop {
            match self.next() {
                "}" => return statements,
                line => match line.strip_prefix(':') {
                    Some(number) => {
                        let (file, first) = self.text.place;
                        let number = first + number.parse::<u32>().expect("a number");
                        place = Some(Rc::from(format!("{file}:{number}")));
                    }
                    None => statements.push(Statement {
                        form: self.statement(line),
                        place: place.take(),
                    }),
                },
            }
        }
    }

    fn begun_block(&mut self) -> Block {
        assert_eq!(self.next(), "{", "a block begins");
        self.block()
    }

    fn statement(&mut self, line: &str) -> Form {
        let (kind, rest) = line.split_at(1);
        match kind {
            "=" => Form::Assign(self.expression(), self.expression()),
            "." => Form::Assign(Expression::Field(self.boxed(), rest.to_string()), self.expression()),
            "v" => {
                let mut local = self.local(rest);
                local.value = match self.next() {
                    "-" => None,
                    line => Some(self.expression_of(line)),
                };
                Form::Let(local)
            }
            "t" => {
                let count: usize = rest.parse().expect("a number of names");
                let names = (0..count).map(|_| {
                    let (kind, name) = self.next().split_at(1);
                    (kind != "_").then(|| Named {
                        name: name.to_string(),
                        mutable: kind == "~",
                    })
                });
                Form::Tuple(names.collect(), self.expression())
            }
            "F" => Form::Call(Box::new(self.inlined(rest))),
            "?" => Form::If(self.conditional()),
            "m" => Form::Match(self.choice(rest)),
            "^" => Form::Value(self.expression()),
            "@" => {
                let parts: Vec<&str> = rest.split(' ').collect();
                let [index, from, to] = parts[..] else {
                    unreachable!("a loop has an index and two bounds");
                };
                Form::Loop(Loop {
                    index: index.to_string(),
                    from: self.size(from),
                    to: self.size(to),
                    plain: (!from.starts_with('#'), !to.starts_with('#')),
                    block: self.begun_block(),
                })
            }
            "/" => Form::Comment(rest.to_string()),
            "&" => {
                let parts: Vec<&str> = rest.split(' ').collect();
                let [link, left, right] = parts[..] else {
                    unreachable!("a link has a number and two names");
                };
                Form::Link(self.text.links[link.parse::<usize>().expect("a number")](
                    "", left, right,
                ))
            }
            "*" => Form::Piece(self.block()),
            "p" => {
                let number = rest.parse().expect("a number");
                match kernel_of(|| (self.text.part)(number)) {
                    Ok(kernel) => Form::Piece(kernel.block),
                    Err(other) => unreachable!("a part is a kernel: {other:?}"),
                }
            }
            _ => unreachable!("no statement: {line:?}"),
        }
    }

    /// Parses a local without its value.
    fn local(&self, line: &str) -> Let {
        let (kind, rest) = line.split_at(1);
        let (name, shape) = rest.split_once(' ').expect("a name and a type");
        let (shape, elements) = match shape.split_once('*') {
            Some((shape, elements)) => (shape, Some(self.size(elements))),
            None => (shape, None),
        };
        Let {
            name: name.to_string(),
            mutable: kind == "~",
            shape: self.shape(shape),
            elements,
            value: None,
        }
    }

    fn shape(&self, text: &str) -> Option<Shape> {
        (text != "-").then(|| {
            let number: usize = text.parse().expect("a number");
            Shape::new(&self.text.types[number]())
        })
    }

    /// Parses a call of a part or a function.
    fn inlined(&mut self, line: &str) -> Inlined {
        let parts: Vec<&str> = line.split(' ').collect();
        let [number, count, name] = parts[..] else {
            unreachable!("a call has a number, a number of arguments and a name");
        };
        let number = number.parse().expect("a number");
        let Ok(ParsedKernel {
            mut parameters,
            results,
            block,
        }) = kernel_of(|| (self.text.part)(number))
        else {
            unreachable!("a part is a kernel");
        };
        assert_eq!(count.parse(), Ok(parameters.len()), "arguments of {name}");
        for parameter in &mut parameters {
            parameter.value = Some(self.expression());
        }
        Inlined {
            name: name.to_string(),
            parameters,
            results,
            block,
        }
    }

    fn choice(&mut self, arms: &str) -> Match {
        let arms: usize = arms.parse().expect("a number of arms");
        let test = self.expression();
        let cases = (0..arms).map(|_| (self.pattern(), self.begun_block()));
        Match {
            cases: cases.collect(),
            test,
        }
    }

    /// Parses a pattern, with the values of its constants.
    fn pattern(&mut self) -> String {
        let constant = |word: &str| {
            let number = word.strip_prefix('k')?.parse::<usize>().ok()?;
            Some(self.text.constants[number].1.to_string())
        };
        let one = |word: &str| constant(word).unwrap_or_else(|| word.to_string());
        let line = self.lines.next().expect("the kernel's text continues");
        let alternatives = line.split(" | ").map(|pattern| match pattern.split_once("..=") {
            Some((from, to)) => format!("{}..={}", one(from), one(to)),
            None => one(pattern),
        });
        alternatives.collect::<Vec<_>>().join(" | ")
    }

    fn conditional(&mut self) -> Conditional {
        let test = self.expression();
        let then = self.begun_block();
        let (otherwise, chained) = match self.next() {
            "-" => (None, false),
            "{" => (Some(self.block()), false),
            _ => {
                let form = Form::If(self.conditional());
                (Some(vec![Statement { place: None, form }]), true)
            }
        };
        Conditional {
            test,
            then,
            otherwise,
            chained,
        }
    }

    fn boxed(&mut self) -> Box<Expression> {
        Box::new(self.expression())
    }

    fn expression(&mut self) -> Expression {
        let line = self.next();
        self.expression_of(line)
    }

    fn expression_of(&mut self, line: &str) -> Expression {
        let (kind, rest) = line.split_at(1);
        match kind {
            "s" => {
                let name = self.name(rest);
                self.names.push(name.clone());
                Expression::Signal(name)
            }
            "$" => Expression::Signal(self.names[rest.parse::<usize>().expect("a number")].clone()),
            "w" => Expression::Local(rest.to_string()),
            "l" => {
                let (bits, value) = rest.split_once(':').expect("width and value");
                Expression::Literal {
                    bits: bits.parse().expect("a width"),
                    value: value.parse().expect("a value"),
                }
            }
            "c" => {
                let width = self.size(rest);
                Expression::Cast(self.boxed(), width)
            }
            "k" => {
                let (number, text) = rest.split_once(' ').expect("a number and a text");
                let (bits, value) = &self.text.constants[number.parse::<usize>().expect("a number")];
                Expression::Constant(text.to_string(), *bits, value.clone())
            }
            "R" => Expression::Resize(self.boxed()),
            "F" => Expression::Inlined(Box::new(self.inlined(rest))),
            "T" => {
                let count: usize = rest.parse().expect("a number");
                Expression::Tuple((0..count).map(|_| self.expression()).collect())
            }
            "B" => {
                let parts: Vec<&str> = rest.split(' ').collect();
                let [shape, count, others] = parts[..] else {
                    unreachable!("a bundle has a type and a number of fields");
                };
                let shape = self.shape(shape).expect("a bundle's type");
                let count: usize = count.parse().expect("a number");
                let fields = (0..count).map(|_| (self.next().to_string(), self.expression()));
                let fields = fields.collect();
                Expression::Bundle(shape, fields, (others == "+").then(|| self.boxed()))
            }
            "A" => {
                let count: usize = rest.parse().expect("a number");
                Expression::Array((0..count).map(|_| self.expression()).collect())
            }
            "*" => {
                let count = self.size(rest);
                Expression::Repeat(self.boxed(), count)
            }
            "[" => Expression::Element(self.boxed(), self.boxed()),
            "D" => {
                let (array, rest) = rest.split_once(' ').expect("a name and the rest");
                Expression::Selected(Box::new(Selected {
                    array: self.name(array),
                    rest: self.name(rest),
                    index: self.expression(),
                }))
            }
            "f" => {
                let parts: Vec<&str> = rest.split(' ').collect();
                let [name, width, count] = parts[..] else {
                    unreachable!("a function has a name, a width and a number of arguments");
                };
                let function = Function::NAMED.iter().find(|(known, _)| *known == name);
                let (_, function) = function.expect("a known function");
                let width = (width != "-").then(|| self.size(width));
                let count: usize = count.parse().expect("a number");
                Expression::Call(*function, width, (0..count).map(|_| self.expression()).collect())
            }
            "?" => Expression::If(Box::new(self.conditional())),
            "m" => Expression::Match(Box::new(self.choice(rest))),
            "S" => Expression::Signed(self.boxed()),
            "U" => Expression::Unsigned(self.boxed()),
            "n" => Expression::Number(self.boxed()),
            "(" => Expression::Paren(self.boxed()),
            "b" => Expression::Binary(self.boxed(), binary(rest), self.boxed()),
            "u" => Expression::Unary(unary(rest), self.boxed()),
            "i" => Expression::Index(self.boxed(), self.boxed()),
            "x" => {
                let width = self.size(rest);
                Expression::Slice(self.boxed(), width, self.boxed())
            }
            "." => Expression::Field(self.boxed(), rest.to_string()),
            "r" => Expression::IndexReplace(self.boxed(), self.boxed(), self.boxed()),
            _ => unreachable!("no expression: {line:?}"),
        }
    }
}

fn binary(name: &str) -> BinaryOp {
    match name {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "&&" => BinaryOp::LogicalAnd,
        "||" => BinaryOp::LogicalOr,
        "^" => BinaryOp::BitXor,
        "&" => BinaryOp::BitAnd,
        "|" => BinaryOp::BitOr,
        "<<" => BinaryOp::Shl,
        ">>" => BinaryOp::Shr,
        "==" => BinaryOp::Eq,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        "!=" => BinaryOp::Ne,
        ">=" => BinaryOp::Ge,
        ">" => BinaryOp::Gt,
        _ => unreachable!("no operation: {name:?}"),
    }
}

fn unary(name: &str) -> UnaryOp {
    match name {
        "!" => UnaryOp::Not,
        "-" => UnaryOp::Neg,
        "all" => UnaryOp::All,
        "any" => UnaryOp::Any,
        "xor" => UnaryOp::Xor,
        _ => unreachable!("no operation: {name:?}"),
    }
}
