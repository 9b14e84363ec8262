//! Printer: literals, expressions, declarations, and line breaking.

use crate::kernel::expression::{Compare, Expr, Node, Op, Reduce};
use crate::kernel::resolve::{SigId, Variant};
use num_bigint::BigUint;
use rust_hdl_core::bits::clog2;

/// The longest line that is not broken.
pub(super) const COLUMNS: usize = 110;

/// Names for printing.
pub(crate) trait Names {
    fn signal(&self, sig: SigId) -> &str;
    fn signal_width(&self, sig: SigId) -> usize;
    fn temporary(&self, index: usize) -> &str;
    fn temporary_width(&self, index: usize) -> usize;
    fn variant(&self, variant: &Variant) -> &str;
}

/// `name[high:low]`; `name[low]` for one bit, `name` for all bits.
pub(crate) fn part_select(name: &str, whole: usize, low: usize, width: usize) -> String {
    if low == 0 && width == whole {
        name.to_string()
    } else if width == 1 {
        format!("{name}[{low}]")
    } else {
        format!("{name}[{}:{low}]", low + width - 1)
    }
}

/// A sized literal: small ones decimal, others hexadecimal.
pub(crate) fn print_literal(value: &BigUint, width: usize) -> String {
    if width == 1 {
        format!("1'b{value}")
    } else if *value < BigUint::from(10u8) {
        format!("{width}'d{value}")
    } else {
        format!("{width}'h{value:x}")
    }
}

/// The precedence of a printed expression.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Shell {
    Closed,
    /// `!x`, `~x`: allowed as an operand without parentheses, except of another prefix.
    Prefix,
    Open,
    /// Operands of the same operator without parentheses.
    Chain(&'static str),
}

/// The text of a lowered expression.
pub(crate) fn print(e: &Expr, names: &dyn Names) -> String {
    write(e, names).0
}

fn closed(e: &Expr, names: &dyn Names) -> String {
    match write(e, names) {
        (text, Shell::Closed | Shell::Prefix) => text,
        (text, _) => format!("({text})"),
    }
}

/// The operand of a prefix operator.
fn single(e: &Expr, names: &dyn Names) -> String {
    match write(e, names) {
        (text, Shell::Closed) => text,
        (text, _) => format!("({text})"),
    }
}

fn chained(e: &Expr, operator: &'static str, names: &dyn Names) -> String {
    match write(e, names) {
        (text, Shell::Closed | Shell::Prefix) => text,
        (text, Shell::Chain(inner)) if inner == operator => text,
        (text, _) => format!("({text})"),
    }
}

fn write(e: &Expr, names: &dyn Names) -> (String, Shell) {
    let infix = |a: &Expr, operator: &str, b: &Expr| {
        (
            format!("{} {operator} {}", closed(a, names), closed(b, names)),
            Shell::Open,
        )
    };
    let chain = |a: &Expr, operator: &'static str, b: &Expr| {
        (
            format!(
                "{} {operator} {}",
                chained(a, operator, names),
                chained(b, operator, names)
            ),
            Shell::Chain(operator),
        )
    };
    match &e.node {
        Node::Literal(value) => (print_literal(value, e.width), Shell::Closed),
        Node::Variant(variant) => (names.variant(variant).to_string(), Shell::Closed),
        Node::Signal { sig, low } => (
            part_select(names.signal(*sig), names.signal_width(*sig), *low, e.width),
            Shell::Closed,
        ),
        Node::Temporary { index, low } => (
            part_select(names.temporary(*index), names.temporary_width(*index), *low, e.width),
            Shell::Closed,
        ),
        Node::Not(inner) => {
            let operator = if e.width == 1 { "!" } else { "~" };
            (format!("{operator}{}", single(inner, names)), Shell::Prefix)
        }
        Node::Negate(inner) => (format!("-{}", single(inner, names)), Shell::Open),
        Node::Binary(op, a, b) => match op {
            Op::Add => infix(a, "+", b),
            Op::Sub => infix(a, "-", b),
            // Synthesis only recognises a narrow signed multiplier in this form.
            Op::Mul => match (&a.node, &b.node) {
                (Node::SignExtend(a), Node::SignExtend(b)) => {
                    let (a, b) = (print(a, names), print(b, names));
                    (format!("$signed({a}) * $signed({b})"), Shell::Open)
                }
                _ => infix(a, "*", b),
            },
            Op::And => chain(a, "&", b),
            Op::Or => chain(a, "|", b),
            Op::Xor => chain(a, "^", b),
        },
        Node::ShiftLeft(a, b) => infix(a, "<<", b),
        Node::ShiftRight(a, b) => infix(a, ">>", b),
        Node::Compare {
            op,
            signed,
            left,
            right,
        } => {
            let operator = match op {
                Compare::Eq => "==",
                Compare::Ne => "!=",
                Compare::Lt => "<",
                Compare::Le => "<=",
                Compare::Gt => ">",
                Compare::Ge => ">=",
            };
            if *signed {
                let (left, right) = (print(left, names), print(right, names));
                (format!("$signed({left}) {operator} $signed({right})"), Shell::Open)
            } else {
                infix(left, operator, right)
            }
        }
        Node::And(a, b) => chain(a, "&&", b),
        Node::Or(a, b) => chain(a, "||", b),
        Node::Mux(test, a, b) => {
            let [test, a, b] = [test, a, b].map(|e| closed(e, names));
            (format!("{test} ? {a} : {b}"), Shell::Open)
        }
        Node::Reduce(op, inner) => {
            let operator = match op {
                Reduce::And => "&",
                Reduce::Or => "|",
                Reduce::Xor => "^",
            };
            (format!("{operator}{}", single(inner, names)), Shell::Open)
        }
        Node::Extend(inner) => {
            let zeros = print_literal(&BigUint::default(), e.width - inner.width);
            let parts = match &inner.node {
                Node::Concat(parts) => parts.iter().map(|p| print(p, names)).collect::<Vec<_>>().join(", "),
                _ => print(inner, names),
            };
            (format!("{{{zeros}, {parts}}}"), Shell::Closed)
        }
        Node::SignExtend(inner) if inner.width == 1 => {
            (format!("{{{}{{{}}}}}", e.width, print(inner, names)), Shell::Closed)
        }
        Node::SignExtend(inner) => {
            let text = print(inner, names);
            let sign = print(&inner.as_ref().clone().part(inner.width - 1, 1), names);
            (
                format!("{{{{{}{{{sign}}}}}, {text}}}", e.width - inner.width),
                Shell::Closed,
            )
        }
        Node::Concat(parts) => {
            let parts: Vec<String> = parts.iter().map(|p| print(p, names)).collect();
            (format!("{{{}}}", parts.join(", ")), Shell::Closed)
        }
        Node::Cut { .. } => unreachable!("lowered: a cut is a temporary"),
        Node::Select { of, index } => {
            let (name, whole, low) = match of.node {
                Node::Signal { sig, low } => (names.signal(sig), names.signal_width(sig), low),
                Node::Temporary { index, low } => (names.temporary(index), names.temporary_width(index), low),
                _ => unreachable!("lowered: a select is of a signal"),
            };
            // An index into the whole signal has exactly these bits; since it is in range, it loses none.
            let bits = clog2(whole).max(1);
            let index = if index.width < bits {
                index.as_ref().clone().extend(bits)
            } else {
                index.as_ref().clone()
            };
            let index = if low == 0 {
                print(&index, names)
            } else {
                let base = print_literal(&BigUint::from(low), index.width);
                format!("{} + {base}", closed(&index, names))
            };
            if e.width == 1 {
                (format!("{name}[{index}]"), Shell::Closed)
            } else {
                (format!("{name}[{index} +: {}]", e.width), Shell::Closed)
            }
        }
    }
}

/// `[7:0] ` for a declaration, empty for one bit.
pub(super) fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// `line` in pieces of at most [`COLUMNS`], broken at the outermost spaces.
pub(super) fn broken(indent: usize, line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    let mut margin = indent * 4;
    loop {
        let mut best: Option<(i32, usize)> = None;
        if margin + rest.len() > COLUMNS {
            let mut depth = 0;
            for (at, c) in rest.char_indices() {
                if margin + at > COLUMNS && best.is_some() {
                    break;
                }
                match c {
                    '(' | '{' | '[' => depth += 1,
                    ')' | '}' | ']' => depth -= 1,
                    // A break after the first word or two would gain nothing.
                    ' ' if at > 24 && best.is_none_or(|(least, _)| depth <= least) => best = Some((depth, at)),
                    _ => {}
                }
            }
        }
        text.push_str(&" ".repeat(margin));
        match best {
            Some((_, at)) => {
                text.push_str(&rest[..at]);
                text.push('\n');
                rest = &rest[at + 1..];
                margin = indent * 4 + 4;
            }
            None => {
                text.push_str(rest);
                text.push('\n');
                return text;
            }
        }
    }
}

/// Declarations of signals: names and widths.
pub(super) fn declarations(kind: &str, signals: &[(String, usize)]) -> String {
    let line = |(name, width): &(String, usize)| format!("    {kind} {}{name};\n", range(*width));
    signals.iter().map(line).collect()
}

/// Writes a titled section of a module; omitted if it is empty.
pub(super) fn section(text: &mut String, title: &str, content: &str) {
    if !content.is_empty() {
        text.push_str(&format!("\n    // {title}\n{content}"));
    }
}
