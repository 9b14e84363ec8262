//! A random kernel as a tree, which can be printed and made smaller.
//!
//! Expressions are text with places for others: the generator decides what is valid, and everything else needs only types.

use crate::types::Type;
use std::fmt::Write;

/// Work-items of a group: not a multiple of a warp's 32 threads.
pub const GROUP: usize = 40;
/// Work-groups.
pub const GROUPS: usize = 2;
/// Work-items.
pub const ITEMS: usize = GROUP * GROUPS;

/// An expression, or the text of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The result's type; `None` for a statement.
    pub ty: Option<Type>,
    /// OpenCL C, in which `$0` to `$f` stand for `arguments`.
    pub text: String,
    /// Expressions in it.
    pub arguments: Vec<Node>,
}

impl Node {
    /// An expression.
    pub fn new(ty: Type, text: impl Into<String>, arguments: Vec<Node>) -> Node {
        Node {
            ty: Some(ty),
            text: text.into(),
            arguments,
        }
    }

    /// An expression without others in it.
    pub fn leaf(ty: Type, text: impl Into<String>) -> Node {
        Node::new(ty, text, Vec::new())
    }

    /// A statement.
    pub fn statement(text: impl Into<String>, arguments: Vec<Node>) -> Statement {
        Statement::Simple(Node {
            ty: None,
            text: text.into(),
            arguments,
        })
    }

    /// Writes it as OpenCL C.
    pub fn print(&self, to: &mut String) {
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once('$') {
            to.push_str(before);
            let mut characters = after.chars();
            let argument = characters.next().and_then(|digit| digit.to_digit(16));
            if let Some(argument) = argument.and_then(|at| self.arguments.get(at as usize)) {
                argument.print(to);
            }
            rest = characters.as_str();
        }
        to.push_str(rest);
    }
}

/// How a loop is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `for`, counting up.
    Up,
    /// `for`, counting down.
    Down,
    /// `while`.
    While,
    /// `do`.
    Do,
    /// A label and a `goto`.
    Goto,
}

/// A case of a `switch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its values; `None` is `default`.
    pub labels: Vec<Option<u32>>,
    /// What it does.
    pub body: Vec<Statement>,
    /// Whether it goes on with the next case.
    pub falls: bool,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// One without others in it.
    Simple(Node),
    /// `if`.
    If {
        /// Of type `int`.
        condition: Node,
        /// If it is not 0.
        then: Vec<Statement>,
        /// Otherwise; empty is no `else`.
        otherwise: Vec<Statement>,
    },
    /// A loop.
    Loop {
        /// How it is written.
        form: Form,
        /// Its counter, of type `uint`, from 0.
        counter: String,
        /// At most so many rounds, computed anew for each: of type `uint`, with a small bound.
        rounds: Node,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// `switch`.
    Switch {
        /// Of an integer type.
        value: Node,
        /// The cases in order.
        cases: Vec<Case>,
    },
    /// Statements with a label behind them, to which they may jump.
    Block {
        /// The label.
        label: String,
        /// The statements.
        body: Vec<Statement>,
    },
}

/// A parameter of a kernel, with its argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type and name, as in the kernel's head.
    pub declaration: String,
    /// What it is given.
    pub argument: Argument,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A buffer with these bytes at first.
    Buffer(Vec<u8>),
    /// A value's bytes.
    Value(Vec<u8>),
    /// `__local` memory of so many bytes.
    Local(usize),
}

/// A struct, a table or a macro that others need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A function that the kernel calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Result, name and parameters.
    pub head: String,
    /// What it does.
    pub body: Vec<Statement>,
    /// What it gives back.
    pub result: Node,
}

/// A kernel with all that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name: `k` and its number, which is in the names of all other items, too.
    pub name: String,
    /// Structs, tables, macros.
    pub items: Vec<Item>,
    /// Functions, before those that call them.
    pub functions: Vec<Function>,
    /// Parameters with their arguments.
    pub parameters: Vec<Parameter>,
    /// `__local` arrays, with what they hold at first: the statements that come first.
    pub locals: Vec<Item>,
    /// What it does.
    pub body: Vec<Statement>,
}

fn line(to: &mut String, depth: usize, text: &str) {
    // A string takes all.
    let _ = writeln!(to, "{:1$}{text}", "", 4 * depth);
}

/// Writes an `if`, a loop or the like: a line with an expression in it.
fn opening(to: &mut String, depth: usize, before: &str, node: &Node, after: &str) {
    let mut text = before.to_string();
    node.print(&mut text);
    text.push_str(after);
    line(to, depth, &text);
}

fn print_all(statements: &[Statement], to: &mut String, depth: usize) {
    for statement in statements {
        statement.print(to, depth);
    }
}

impl Statement {
    /// Writes it as OpenCL C.
    fn print(&self, to: &mut String, depth: usize) {
        match self {
            Statement::Simple(node) => opening(to, depth, "", node, ""),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                opening(to, depth, "if (", condition, ") {");
                print_all(then, to, depth + 1);
                if !otherwise.is_empty() {
                    line(to, depth, "} else {");
                    print_all(otherwise, to, depth + 1);
                }
                line(to, depth, "}");
            }
            Statement::Loop {
                form,
                counter: c,
                rounds,
                body,
            } => {
                // The number of rounds stands in the first line, or in the last.
                let (first, last) = match form {
                    Form::Up => (format!("for (uint {c} = 0; {c} < $0; {c}++) {{"), "}".into()),
                    Form::Down => (format!("for (uint {c} = $0; {c}-- > 0;) {{"), "}".into()),
                    Form::While => (format!("{{ uint {c} = 0; while ({c}++ < $0) {{"), "} }".into()),
                    Form::Do => (format!("{{ uint {c} = 0; do {{"), format!("}} while (++{c} < $0); }}")),
                    Form::Goto => (
                        format!("{{ uint {c} = 0; again_{c}:; {{"),
                        format!("}} if (++{c} < $0) goto again_{c}; }}"),
                    ),
                };
                let with_rounds = |text: String| Node {
                    ty: None,
                    text,
                    arguments: vec![rounds.clone()],
                };
                opening(to, depth, "", &with_rounds(first), "");
                print_all(body, to, depth + 1);
                opening(to, depth, "", &with_rounds(last), "");
            }
            Statement::Switch { value, cases } => {
                opening(to, depth, "switch (", value, ") {");
                for case in cases {
                    for label in &case.labels {
                        match label {
                            Some(value) => line(to, depth, &format!("case {value}:")),
                            None => line(to, depth, "default:"),
                        }
                    }
                    line(to, depth, "{");
                    print_all(&case.body, to, depth + 1);
                    line(to, depth, if case.falls { "}" } else { "} break;" });
                }
                line(to, depth, "}");
            }
            Statement::Block { label, body } => {
                line(to, depth, "{");
                print_all(body, to, depth + 1);
                line(to, depth, &format!("}} {label}:;"));
            }
        }
    }
}

impl Kernel {
    /// The kernel and all that it needs as OpenCL C.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for item in &self.items {
            line(&mut text, 0, &item.text);
        }
        for function in &self.functions {
            line(&mut text, 0, &format!("{} {{", function.head));
            print_all(&function.body, &mut text, 1);
            opening(&mut text, 1, "return ", &function.result, ";");
            line(&mut text, 0, "}");
        }
        let parameters: Vec<&str> = self.parameters.iter().map(|one| one.declaration.as_str()).collect();
        line(
            &mut text,
            0,
            &format!("kernel void {}({}) {{", self.name, parameters.join(", ")),
        );
        line(
            &mut text,
            1,
            "const uint gid = get_global_id(0), lid = get_local_id(0);",
        );
        for local in &self.locals {
            line(&mut text, 1, &local.text);
        }
        if !self.locals.is_empty() {
            line(&mut text, 1, "barrier(CLK_LOCAL_MEM_FENCE);");
        }
        print_all(&self.body, &mut text, 1);
        line(&mut text, 0, "}");
        text
    }

    /// How many statements there are, those in others too.
    #[must_use]
    pub fn statements(&self) -> usize {
        fn of(statements: &[Statement]) -> usize {
            statements
                .iter()
                .map(|statement| match statement {
                    Statement::Simple(_) => 1,
                    Statement::If { then, otherwise, .. } => 1 + of(then) + of(otherwise),
                    Statement::Loop { body, .. } | Statement::Block { body, .. } => 1 + of(body),
                    Statement::Switch { cases, .. } => 1 + cases.iter().map(|case| of(&case.body)).sum::<usize>(),
                })
                .sum()
        }
        of(&self.body) + self.functions.iter().map(|function| of(&function.body)).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_nodes_as_text() {
        let one = || Node::leaf(Type::UINT, "1u");
        let sum = Node::new(Type::UINT, "($0 + $1)", vec![one(), Node::leaf(Type::UINT, "gid")]);
        let body = |form| Statement::Loop {
            form,
            counter: "n".into(),
            rounds: sum.clone(),
            body: vec![Node::statement("x += $0;", vec![one()])],
        };
        for (form, text) in [
            (Form::Up, "for (uint n = 0; n < (1u + gid); n++) {\n    x += 1u;\n}\n"),
            (Form::Down, "for (uint n = (1u + gid); n-- > 0;) {\n    x += 1u;\n}\n"),
            (
                Form::While,
                "{ uint n = 0; while (n++ < (1u + gid)) {\n    x += 1u;\n} }\n",
            ),
            (
                Form::Do,
                "{ uint n = 0; do {\n    x += 1u;\n} while (++n < (1u + gid)); }\n",
            ),
            (
                Form::Goto,
                "{ uint n = 0; again_n:; {\n    x += 1u;\n} if (++n < (1u + gid)) goto again_n; }\n",
            ),
        ] {
            let mut printed = String::new();
            body(form).print(&mut printed, 0);
            assert_eq!(printed, text);
        }
        let case = |labels, falls| Case {
            labels,
            body: vec![body(Form::Up)],
            falls,
        };
        let statement = Statement::Block {
            label: "l".into(),
            body: vec![Statement::Switch {
                value: one(),
                cases: vec![case(vec![Some(3), None], true), case(vec![Some(4)], false)],
            }],
        };
        let mut printed = String::new();
        statement.print(&mut printed, 0);
        for part in [
            "{\n    switch (1u) {\n    case 3:\n    default:\n    {\n",
            "    }\n    case 4:",
            "    } break;\n    }\n} l:;\n",
        ] {
            assert!(printed.contains(part), "{printed}");
        }
    }
}
