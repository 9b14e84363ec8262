//! A random kernel as a tree, which can be printed and reduced.
//!
//! Expressions are texts with placeholders for subexpressions. Only the generator knows what is valid; all other code
//! needs only the types.

use crate::types::Type;
use std::fmt::Write;

/// Work-items of a work-group, not a multiple of a warp's 32 threads.
pub const GROUP: usize = 40;
/// Number of work-groups.
pub const GROUPS: usize = 2;
/// Number of work-items.
pub const ITEMS: usize = GROUP * GROUPS;

/// An expression, or the text of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The result's type; `None` for a statement.
    pub ty: Option<Type>,
    /// OpenCL C with the placeholders `$0` to `$f` for `arguments`.
    pub text: String,
    /// Subexpressions.
    pub arguments: Vec<Node>,
}

impl Node {
    /// Creates an expression.
    pub fn new(ty: Type, text: impl Into<String>, arguments: Vec<Node>) -> Node {
        Node {
            ty: Some(ty),
            text: text.into(),
            arguments,
        }
    }

    /// Creates an expression without subexpressions.
    pub fn leaf(ty: Type, text: impl Into<String>) -> Node {
        Node::new(ty, text, Vec::new())
    }

    /// Creates a simple statement.
    pub fn statement(text: impl Into<String>, arguments: Vec<Node>) -> Statement {
        Statement::Simple(Node {
            ty: None,
            text: text.into(),
            arguments,
        })
    }

    /// Appends the node as OpenCL C.
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

/// The form of a loop in OpenCL C.
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
    /// Values of the labels; `None` is `default`.
    pub labels: Vec<Option<u32>>,
    /// Statements of the case.
    pub body: Vec<Statement>,
    /// True if the case falls through to the next one.
    pub falls: bool,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A statement without nested statements.
    Simple(Node),
    /// `if`.
    If {
        /// Condition, of type `int`.
        condition: Node,
        /// Statements if the condition is not 0.
        then: Vec<Statement>,
        /// Statements if the condition is 0; if empty, there is no `else`.
        otherwise: Vec<Statement>,
    },
    /// A loop with a bounded number of iterations.
    Loop {
        /// Form of the loop.
        form: Form,
        /// Name of the counter, of type `uint`, which starts at 0.
        counter: String,
        /// Number of iterations, of type `uint`, with a small upper bound; evaluated again before each iteration.
        rounds: Node,
        /// Statements of the loop.
        body: Vec<Statement>,
    },
    /// `switch`.
    Switch {
        /// Value to compare with the labels, of an integer type.
        value: Node,
        /// Cases in source order.
        cases: Vec<Case>,
    },
    /// Statements followed by a label, to which they may jump.
    Block {
        /// Name of the label.
        label: String,
        /// Statements before the label.
        body: Vec<Statement>,
    },
}

/// A parameter of a kernel, with its argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the parameter.
    pub name: String,
    /// Declaration in the kernel's parameter list.
    pub declaration: String,
    /// Argument for the parameter.
    pub argument: Argument,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A buffer with these initial bytes.
    Buffer(Vec<u8>),
    /// The bytes of a value.
    Value(Vec<u8>),
    /// `__local` memory of this many bytes.
    Local(usize),
}

/// A struct, table or helper function that other code uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Name of the item.
    pub name: String,
    /// OpenCL C of the item.
    pub text: String,
}

/// A function that the kernel calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Name of the function.
    pub name: String,
    /// Result type, name and parameters.
    pub head: String,
    /// Statements of the function.
    pub body: Vec<Statement>,
    /// Value to return.
    pub result: Node,
}

/// A kernel with everything that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Name: `k` and the kernel's number. The names of the items and functions begin with it.
    pub name: String,
    /// Structs, tables and helper functions.
    pub items: Vec<Item>,
    /// Functions, each before its callers.
    pub functions: Vec<Function>,
    /// Parameters with their arguments.
    pub parameters: Vec<Parameter>,
    /// `__local` arrays, with the statements at the start of the kernel that initialise them.
    pub locals: Vec<Item>,
    /// Statements of the kernel.
    pub body: Vec<Statement>,
}

fn line(to: &mut String, depth: usize, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(to, "{:1$}{text}", "", 4 * depth);
}

/// Writes a line with an expression: `if`, a loop, or a simple statement.
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
    /// Writes the statement as OpenCL C.
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
                // The number of iterations is in the first or in the last line of the loop.
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
    /// Returns the kernel and everything that it uses, as OpenCL C.
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

    /// Number of statements, including nested ones.
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
    fn loops_and_nodes_are_written_as_text() {
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
