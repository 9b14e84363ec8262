//! Conversion of a kernel's syntax to rust-hdl's own types, for rust-hdl's Verilog and checks.

use crate::circuit::{Structure, Visitor};
use crate::kernel::shape::Shape;
use crate::kernel::syntax::{self, Block, Conditional, Expression, Form, Loop, Statement};
use rust_hdl_core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression, VerilogLiteral,
    VerilogLoop, VerilogMatch, VerilogStatement,
};
use rust_hdl_core::atom::Atom;
use std::collections::HashMap;

/// The kernel of `block` as rust-hdl's `hdl_gen` would build it; `None` if it has a feature that rust-hdl lacks.
pub(crate) fn rust_hdl(block: &dyn Structure, kernel: &Block) -> Option<VerilogBlock> {
    let mut shapes = Shapes::default();
    block.visit("", &mut shapes);
    Converter { shapes: shapes.found }.block(kernel)
}

struct Converter {
    shapes: HashMap<String, Shape>,
}

fn literal(bits: usize, value: u128) -> VerilogLiteral {
    match bits {
        1 => (value != 0).into(),
        8 => (value as u8).into(),
        16 => (value as u16).into(),
        32 => (value as u32).into(),
        64 => (value as u64).into(),
        _ => value.into(),
    }
}

impl Converter {
    fn block(&self, block: &Block) -> Option<VerilogBlock> {
        block.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&self, statement: &Statement) -> Option<VerilogStatement> {
        Some(match &statement.form {
            Form::Assign(Expression::Field(base, field), value) => {
                let (low, width) = self.field(base, field)?;
                VerilogStatement::SliceAssignment {
                    base: self.expression(base)?,
                    width,
                    offset: VerilogExpression::Literal(low.into()),
                    replacement: self.expression(value)?,
                }
            }
            Form::Assign(target, value) => {
                VerilogStatement::Assignment(self.expression(target)?, self.expression(value)?)
            }
            Form::Let(_) | Form::Value(_) | Form::Tuple(..) | Form::Call(_) => return None,
            Form::If(conditional) => VerilogStatement::If(self.conditional(conditional)?),
            Form::Match(syntax::Match { test, cases }) => VerilogStatement::Match(VerilogMatch {
                test: self.expression(test)?,
                cases: cases
                    .iter()
                    .map(|(condition, block)| {
                        let plain = !condition.contains([' ', '=']);
                        plain.then_some(())?;
                        Some(VerilogCase {
                            condition: condition.clone(),
                            block: self.block(block)?,
                        })
                    })
                    .collect::<Option<_>>()?,
            }),
            Form::Loop(Loop {
                index,
                from,
                to,
                plain,
                block,
            }) => {
                let bound = |value: usize, plain: bool| match plain {
                    true => (value as u32).into(),
                    false => value.into(),
                };
                VerilogStatement::Loop(VerilogLoop {
                    index: index.clone(),
                    from: bound(*from, plain.0),
                    to: bound(*to, plain.1),
                    block: self.block(block)?,
                })
            }
            Form::Comment(text) => VerilogStatement::Comment(text.clone()),
            Form::Link(links) => VerilogStatement::Link(links.clone()),
            Form::Piece(block) => VerilogStatement::Macro(self.block(block)?),
        })
    }

    fn conditional(&self, conditional: &Conditional) -> Option<VerilogConditional> {
        let otherwise = match (&conditional.otherwise, conditional.chained) {
            (None, _) => VerilogBlockOrConditional::None,
            (Some(block), false) => VerilogBlockOrConditional::Block(self.block(block)?),
            (Some(block), true) => VerilogBlockOrConditional::Conditional(Box::new(self.statement(block.first()?)?)),
        };
        Some(VerilogConditional {
            test: self.expression(&conditional.test)?,
            then: self.block(&conditional.then)?,
            otherwise,
        })
    }

    fn boxed(&self, e: &Expression) -> Option<Box<VerilogExpression>> {
        self.expression(e).map(Box::new)
    }

    fn expression(&self, e: &Expression) -> Option<VerilogExpression> {
        use Expression::*;
        Some(match e {
            Signal(name) => VerilogExpression::Signal(name.clone()),
            Literal { bits, value } => VerilogExpression::Literal(literal(*bits, *value)),
            Cast(inner, width) => VerilogExpression::Cast(self.boxed(inner)?, *width),
            Signed(inner) => VerilogExpression::Signed(self.boxed(inner)?),
            Unsigned(inner) => VerilogExpression::Unsigned(self.boxed(inner)?),
            // rust-hdl's syntax omits it.
            Number(inner) => self.expression(inner)?,
            Paren(inner) => VerilogExpression::Paren(self.boxed(inner)?),
            Binary(left, op, right) => VerilogExpression::Binary(self.boxed(left)?, op.clone(), self.boxed(right)?),
            Unary(op, inner) => VerilogExpression::Unary(op.clone(), self.boxed(inner)?),
            Index(inner, index) => VerilogExpression::Index(self.boxed(inner)?, self.boxed(index)?),
            Slice(inner, width, low) => VerilogExpression::Slice(self.boxed(inner)?, *width, self.boxed(low)?),
            IndexReplace(inner, index, bit) => {
                VerilogExpression::IndexReplace(self.boxed(inner)?, self.boxed(index)?, self.boxed(bit)?)
            }
            Field(base, field) => {
                let (low, width) = self.field(base, field)?;
                let low = VerilogExpression::Literal(low.into());
                VerilogExpression::Slice(self.boxed(base)?, width, Box::new(low))
            }
            // rust-hdl writes the constant's name.
            Constant(text, ..) if text.chars().all(|c| c.is_alphanumeric() || " _:".contains(c)) => {
                VerilogExpression::Signal(text.replace(' ', "").replace("::", "$"))
            }
            Local(_) | Constant(..) | Resize(_) | Call(..) | If(_) | Match(_) | Array(_) | Repeat(..) | Element(..)
            | Selected(_) | Inlined(_) | Bundle(..) | Tuple(_) => return None,
        })
    }

    /// Lowest bit and width of a bundle's field.
    fn field(&self, bundle: &Expression, field: &str) -> Option<(usize, usize)> {
        let Expression::Signal(name) = bundle else {
            return None;
        };
        match self.shapes.get(&of_array(name)) {
            Some(shape) => shape.field(&[field]).map(|(low, shape)| (low, shape.width())),
            // An array without elements. The loop over its elements has no iterations.
            None => Some((0, 1)),
        }
    }
}

/// The element with index 0 for an element of an array: `lanes$0$q` for `lanes[i]$q`.
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

/// The layouts of the bundles that a block's kernel can name: its own signals and its parts' ports.
#[derive(Default)]
struct Shapes {
    /// Names of the scopes open below the block.
    open: Vec<String>,
    /// The number of open blocks, including the block itself.
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
