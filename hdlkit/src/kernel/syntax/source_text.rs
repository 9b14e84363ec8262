//! Names and kernel statements in source notation, close enough to find them in the source.

use crate::kernel::syntax::{self, BinaryOp, Expression, Form, Function, Statement, UnaryOp};
use rust_hdl_core::ast::VerilogLink;

/// `lanes$3` in source notation: `lanes[3]`.
pub fn pretty(name: &str) -> String {
    let mut text = String::new();
    for (index, part) in name.split('$').enumerate() {
        if index > 0 && !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) {
            text.push_str(&format!("[{part}]"));
        } else {
            if index > 0 {
                text.push('.');
            }
            text.push_str(part);
        }
    }
    text
}

/// The path of a signal, `self.lanes[i].a`.
fn path(name: &str) -> String {
    let bare = name.trim_start_matches('.');
    let words = bare.replace("$next", ".next").replace("$val()", ".val()");
    // An enum variant or a Rust const: fields are lower case.
    if words.starts_with(|c: char| c.is_ascii_uppercase()) {
        return words.replace('$', "::");
    }
    format!("self.{}", pretty(&words))
}

fn operator(op: &BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Ne => "!=",
        BinaryOp::Ge => ">=",
        BinaryOp::Gt => ">",
    }
}

pub(crate) fn expression(e: &Expression) -> String {
    use Expression::*;
    match e {
        Signal(name) => {
            let text = path(name);
            if text.starts_with("self.") && !text.contains(".val()") {
                format!("{text}.val()")
            } else {
                text
            }
        }
        Local(name) => name.clone(),
        Literal { bits: 1, value: 0 } => "false".into(),
        Literal { bits: 1, .. } => "true".into(),
        Literal { value, .. } if *value < 10 => value.to_string(),
        Literal { value, .. } => format!("{value:#x}"),
        Cast(inner, bits) => format!("bit_cast::<{bits}, _>({})", expression(inner)),
        Signed(inner) => format!("signed_cast({})", expression(inner)),
        Unsigned(inner) => format!("unsigned_cast({})", expression(inner)),
        Number(inner) => format!("{}.index()", expression(inner)),
        Paren(inner) => format!("({})", expression(inner)),
        Binary(left, op, right) => format!("{} {} {}", expression(left), operator(op), expression(right)),
        Unary(UnaryOp::Not, inner) => format!("!{}", expression(inner)),
        Unary(UnaryOp::Neg, inner) => format!("-{}", expression(inner)),
        Unary(UnaryOp::All, inner) => format!("{}.all()", expression(inner)),
        Unary(UnaryOp::Any, inner) => format!("{}.any()", expression(inner)),
        Unary(UnaryOp::Xor, inner) => format!("{}.xor()", expression(inner)),
        Index(inner, index) => format!("{}.get_bit({})", expression(inner), expression(index)),
        Slice(inner, width, low) => format!("{}.get_bits::<{width}>({})", expression(inner), expression(low)),
        IndexReplace(inner, index, bit) => {
            let (inner, index, bit) = (expression(inner), expression(index), expression(bit));
            format!("{inner}.replace_bit({index}, {bit})")
        }
        Field(inner, field) => format!("{}.{field}", expression(inner)),
        Constant(text, ..) => text.clone(),
        Resize(inner) => format!("{}.resize()", expression(inner)),
        Call(function, _, arguments) => {
            let name = Function::NAMED.iter().find(|(_, known)| known == function);
            let arguments: Vec<String> = arguments.iter().map(expression).collect();
            format!("{}({})", name.map_or("", |(name, _)| name), arguments.join(", "))
        }
        Array(values) => format!("[{}]", values.iter().map(expression).collect::<Vec<_>>().join(", ")),
        Repeat(value, count) => format!("[{}; {count}]", expression(value)),
        Element(array, index) => format!("{}[{}]", expression(array), expression(index)),
        Selected(selected) => {
            let rest = selected.rest.replace("$next", ".next").replace('$', ".");
            format!("{}[{}]{rest}", path(&selected.array), expression(&selected.index))
        }
        If(c) => format!("if {} {{ .. }}", expression(&c.test)),
        Match(m) => format!("match {} {{ .. }}", expression(&m.test)),
        Inlined(call) => called(call),
        Bundle(..) => "a bundle { .. }".into(),
        Tuple(values) => format!("({})", values.iter().map(expression).collect::<Vec<_>>().join(", ")),
    }
}

fn called(call: &syntax::Inlined) -> String {
    let arguments = call.parameters.iter().filter_map(|parameter| parameter.value.as_ref());
    format!(
        "{}({})",
        call.name,
        arguments.map(expression).collect::<Vec<_>>().join(", ")
    )
}

/// The first line of a statement.
pub(crate) fn statement(s: &Statement) -> String {
    match &s.form {
        Form::Assign(target, value) => format!("{} = {}", assigned(target), expression(value)),
        Form::Let(local) => {
            let head = match local.mutable {
                true => format!("let mut {}", local.name),
                false => format!("let {}", local.name),
            };
            match &local.value {
                Some(value) => format!("{head} = {}", expression(value)),
                None => head,
            }
        }
        Form::If(c) => format!("if {}", expression(&c.test)),
        Form::Match(m) => format!("match {}", expression(&m.test)),
        Form::Loop(l) => format!("for {} in {}..{}", l.index, l.from, l.to),
        Form::Comment(text) => format!("// {text}"),
        Form::Link(links) => match links.first() {
            Some(VerilogLink::Forward(d) | VerilogLink::Backward(d) | VerilogLink::Bidirectional(d)) => {
                format!("link(&mut {}, &mut {})", path(&d.owner_name), path(&d.other_name))
            }
            None => "link".into(),
        },
        Form::Value(value) => expression(value),
        Form::Tuple(names, value) => {
            let names = names.iter().map(|name| name.as_ref().map_or("_", |local| &local.name));
            format!("let ({}) = {}", names.collect::<Vec<_>>().join(", "), expression(value))
        }
        Form::Call(call) => called(call),
        Form::Piece(_) => "clock! or dff_setup!".into(),
    }
}

/// The left side of an assignment.
fn assigned(target: &Expression) -> String {
    match target {
        Expression::Signal(name) => path(name),
        Expression::Field(inner, field) => match &**inner {
            Expression::Signal(name) => format!("{}.next.{field}", path(name)),
            other => format!("{}.{field}", assigned(other)),
        },
        other => expression(other),
    }
}
