//! A kernel's statements: loops unrolled, links and macros expanded, constant conditions decided, names resolved.

use super::expression::{literal, Expr, Node};
use super::index::{integer, Loops};
use super::resolve::{Name, Role, SigId, Table};
use super::scope::Scope;
use super::shape::Shape;
use super::source_text::{self, pretty};
use super::statement::Stmt;
use super::translate::Translator;
use num_bigint::BigUint;
use rust_hdl_core::ast::*;
use std::fmt;

/// Something that has no exact Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The block, as `top.lanes[3].alu`.
    pub path: String,
    /// The statement or signal, as in the source.
    pub statement: String,
    /// The fault.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.statement.is_empty() {
            write!(f, "{}: {}", self.path, self.reason)
        } else {
            write!(f, "{}: `{}`: {}", self.path, self.statement, self.reason)
        }
    }
}

/// The kernel of `scope` over `table`, and all its problems.
pub fn unroll(scope: &Scope, table: &Table, code: &VerilogBlock) -> (Vec<Stmt>, Vec<Problem>) {
    let mut unroller = Unroller {
        path: &scope.path,
        table,
        loops: vec![],
        problems: vec![],
    };
    let statements = unroller.block(code);
    (statements, unroller.problems)
}

struct Unroller<'a> {
    path: &'a str,
    table: &'a Table,
    loops: Loops,
    problems: Vec<Problem>,
}

impl Unroller<'_> {
    fn problem(&mut self, statement: String, reason: String) {
        let problem = Problem {
            path: self.path.to_string(),
            statement,
            reason,
        };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn translator(&self) -> Translator<'_> {
        Translator {
            table: self.table,
            loops: &self.loops,
            inline_constants: false,
        }
    }

    fn block(&mut self, code: &VerilogBlock) -> Vec<Stmt> {
        let mut statements = vec![];
        for s in code {
            if let Err(reason) = self.statement(s, &mut statements) {
                self.problem(source_text::statement(s), reason);
            }
        }
        statements
    }

    /// The signal, lowest bit and width set by an assignment to `path`.
    fn target(&self, path: &str) -> Result<(SigId, usize, usize), String> {
        match self.table.resolve(path, &self.loops)? {
            Name::Signal { sig, low, shape } => match self.table.sigs[sig].role {
                Role::Output | Role::Local | Role::ChildInput(_) => Ok((sig, low, shape.width())),
                Role::Input => Err("assigns this block's own input".into()),
                Role::ChildOutput(_) => Err("assigns an output of a child, which drives it itself".into()),
                Role::Constant => Err("assigns a constant".into()),
                Role::InOut => Err("bidirectional signals are not supported".into()),
            },
            Name::Loop(_) | Name::Variant(_) => Err("assigns something that is not a signal".into()),
        }
    }

    fn statement(&mut self, s: &VerilogStatement, out: &mut Vec<Stmt>) -> Result<(), String> {
        match s {
            VerilogStatement::Assignment(VerilogExpression::Signal(path), value) => {
                let (target, low, width) = self.target(path)?;
                let value = self.translator().at(value, width)?;
                out.push(Stmt::Assign { target, low, value });
            }
            VerilogStatement::Assignment(..) => return Err("assigns to an expression".into()),
            VerilogStatement::SliceAssignment {
                base,
                width,
                offset,
                replacement,
            } => {
                let VerilogExpression::Signal(path) = base else {
                    return Err("assigns to an expression".into());
                };
                let (target, low, whole) = self.target(path)?;
                let translator = self.translator();
                let offset = translator
                    .constant(offset)
                    .and_then(|o| usize::try_from(o).ok())
                    .ok_or("assigns to bits that are not known when the circuit is built")?;
                if offset + width > whole {
                    return Err(format!("assigns bits {offset}.. of {whole} bits"));
                }
                let value = translator.at(replacement, *width)?;
                out.push(Stmt::Assign {
                    target,
                    low: low + offset,
                    value,
                });
            }
            VerilogStatement::If(c) => {
                let test = self.translator().at(&c.test, 1)?;
                let known = Translator {
                    inline_constants: true,
                    ..self.translator()
                }
                .at(&c.test, 1)?
                .constant();
                let decided = known.map(|value| value != BigUint::default());
                if decided != Some(true) {
                    let mut other = vec![];
                    match &c.otherwise {
                        VerilogBlockOrConditional::Block(block) => other = self.block(block),
                        VerilogBlockOrConditional::Conditional(inner) => {
                            if let Err(reason) = self.statement(inner, &mut other) {
                                self.problem(source_text::statement(inner), reason);
                            }
                        }
                        VerilogBlockOrConditional::None => {}
                    }
                    if decided == Some(false) {
                        out.append(&mut other);
                    } else {
                        let then = self.block(&c.then);
                        out.push(Stmt::If { test, then, other });
                    }
                } else {
                    out.append(&mut self.block(&c.then));
                }
            }
            VerilogStatement::Match(m) => self.case(m, out)?,
            VerilogStatement::Loop(l) => {
                for index in l.from.as_usize()..l.to.as_usize() {
                    self.loops.push((l.index.clone(), index as i128));
                    out.append(&mut self.block(&l.block));
                    self.loops.pop();
                }
            }
            VerilogStatement::Comment(text) => out.push(Stmt::Comment(comment(text))),
            VerilogStatement::Macro(block) => out.append(&mut self.block(block)),
            VerilogStatement::Link(links) => {
                for link in links {
                    let (from, to) = match link {
                        VerilogLink::Forward(d) => (join(&d.owner_name, &d.my_name), join(&d.other_name, &d.my_name)),
                        VerilogLink::Backward(d) => (join(&d.other_name, &d.my_name), join(&d.owner_name, &d.my_name)),
                        VerilogLink::Bidirectional(_) => {
                            return Err("bidirectional signals are not supported".into());
                        }
                    };
                    let (target, low, width) = self.target(&to)?;
                    let value = self.translator().at(&VerilogExpression::Signal(from), width)?;
                    out.push(Stmt::Assign { target, low, value });
                }
            }
        }
        Ok(())
    }

    fn case(&mut self, m: &VerilogMatch, out: &mut Vec<Stmt>) -> Result<(), String> {
        let subject = self.translator().natural(&m.test)?;
        let variants = match &m.test {
            VerilogExpression::Signal(path) => match self.table.resolve(path, &self.loops)? {
                Name::Signal {
                    shape: Shape::Enum(variants),
                    ..
                } => Some(variants.len()),
                _ => None,
            },
            _ => None,
        };
        let mut arms = vec![];
        let mut default = None;
        for arm in &m.cases {
            let body = self.block(&arm.block);
            if arm.condition == "default" {
                default = Some(body);
                break;
            }
            match self.label(&arm.condition, subject.width) {
                Ok(label) => arms.push((label, body)),
                Err(reason) => self.problem(
                    format!("match {} {{ {} => }}", source_text::expression(&m.test), arm.condition),
                    reason,
                ),
            }
        }
        // Rust accepts a match without `_` only if it names every value: then the last arm serves as the default.
        let every_value = variants.map_or(1usize.checked_shl(subject.width as u32), Some);
        if default.is_none() && every_value.is_some_and(|n| arms.len() >= n) {
            default = arms.pop().map(|(_, body)| body);
        }
        if arms.is_empty() {
            out.extend(default.into_iter().flatten());
        } else {
            out.push(Stmt::Case { subject, arms, default });
        }
        Ok(())
    }

    fn label(&self, pattern: &str, width: usize) -> Result<Expr, String> {
        let value = match pattern {
            "true" => Some(1),
            "false" => Some(0),
            number => integer(number),
        };
        if let Some(value) = value {
            let value = BigUint::try_from(value).map_err(|_| "a negative pattern".to_string())?;
            if value.bits() as usize > width {
                return Err(format!("pattern {pattern} does not fit in {width} bits"));
            }
            return Ok(literal(value, width));
        }
        match self.table.resolve(pattern, &self.loops) {
            Ok(Name::Variant(variant)) if variant.width == width => Ok(Expr {
                width,
                node: Node::Variant(variant),
            }),
            _ => Err(format!(
                "pattern `{}` is neither a number nor a variant of an enum of this block's signals",
                pretty(pattern)
            )),
        }
    }
}

/// The text of a comment: rust-hdl keeps the invocation around it, `comment! ("text`.
fn comment(text: &str) -> String {
    let inside = text.split_once("! (\"").map_or(text, |(_, inside)| inside);
    inside.trim_end_matches(['"', ')', ';']).to_string()
}

fn join(signal: &str, field: &str) -> String {
    let field = field.trim_start_matches('.');
    if field.is_empty() {
        signal.to_string()
    } else {
        format!("{signal}${field}")
    }
}
