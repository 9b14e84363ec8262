//! Names and kernel statements as their author wrote them, close enough to find them in the source.

use rust_hdl_core::ast::*;

/// `lanes$3` as in the source: `lanes[3]`.
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

fn operator(op: &VerilogOp) -> &'static str {
    match op {
        VerilogOp::Add => "+",
        VerilogOp::Sub => "-",
        VerilogOp::Mul => "*",
        VerilogOp::LogicalAnd => "&&",
        VerilogOp::LogicalOr => "||",
        VerilogOp::BitXor => "^",
        VerilogOp::BitAnd => "&",
        VerilogOp::BitOr => "|",
        VerilogOp::Shl => "<<",
        VerilogOp::Shr => ">>",
        VerilogOp::Eq => "==",
        VerilogOp::Lt => "<",
        VerilogOp::Le => "<=",
        VerilogOp::Ne => "!=",
        VerilogOp::Ge => ">=",
        VerilogOp::Gt => ">",
    }
}

pub(crate) fn expression(e: &VerilogExpression) -> String {
    use VerilogExpression::*;
    match e {
        Signal(name) => {
            let text = path(name);
            if text.starts_with("self.") && !text.contains(".val()") {
                format!("{text}.val()")
            } else {
                text
            }
        }
        Literal(value) => {
            let text = format!("{value:x}");
            let (bits, digits) = text.split_once("'h").unwrap_or(("", &text));
            match (bits, digits) {
                ("1", "0") => "false".into(),
                ("1", "1") => "true".into(),
                (_, digits) if digits.len() == 1 && digits.as_bytes()[0].is_ascii_digit() => digits.into(),
                (_, digits) => format!("0x{digits}"),
            }
        }
        Cast(inner, bits) => format!("bit_cast::<{bits}, _>({})", expression(inner)),
        Signed(inner) => format!("signed_cast({})", expression(inner)),
        Unsigned(inner) => format!("unsigned_cast({})", expression(inner)),
        Paren(inner) => format!("({})", expression(inner)),
        Binary(left, op, right) => format!("{} {} {}", expression(left), operator(op), expression(right)),
        Unary(VerilogOpUnary::Not, inner) => format!("!{}", expression(inner)),
        Unary(VerilogOpUnary::Neg, inner) => format!("-{}", expression(inner)),
        Unary(VerilogOpUnary::All, inner) => format!("{}.all()", expression(inner)),
        Unary(VerilogOpUnary::Any, inner) => format!("{}.any()", expression(inner)),
        Unary(VerilogOpUnary::Xor, inner) => format!("{}.xor()", expression(inner)),
        Index(inner, index) => format!("{}.get_bit({})", expression(inner), expression(index)),
        Slice(inner, width, low) => format!("{}.get_bits::<{width}>({})", expression(inner), expression(low)),
        IndexReplace(inner, index, bit) => {
            let (inner, index, bit) = (expression(inner), expression(index), expression(bit));
            format!("{inner}.replace_bit({index}, {bit})")
        }
    }
}

/// The first line of a statement.
pub(crate) fn statement(s: &VerilogStatement) -> String {
    use VerilogStatement::*;
    match s {
        Assignment(VerilogExpression::Signal(target), value) => format!("{} = {}", path(target), expression(value)),
        Assignment(target, value) => format!("{} = {}", expression(target), expression(value)),
        SliceAssignment {
            base,
            width,
            offset,
            replacement,
        } => {
            let base = match base {
                VerilogExpression::Signal(name) => path(name),
                other => expression(other),
            };
            let low = expression(offset);
            format!(
                "{base}.next.<field of {width} bits at {low}> = {}",
                expression(replacement)
            )
        }
        If(c) => format!("if {}", expression(&c.test)),
        Match(m) => format!("match {}", expression(&m.test)),
        Loop(l) => format!("for {} in {}..{}", l.index, l.from.as_usize(), l.to.as_usize()),
        Comment(text) => format!("// {text}"),
        Link(links) => match links.first() {
            Some(VerilogLink::Forward(d) | VerilogLink::Backward(d) | VerilogLink::Bidirectional(d)) => {
                format!("link(&mut {}, &mut {})", path(&d.owner_name), path(&d.other_name))
            }
            None => "link".into(),
        },
        Macro(_) => "clock! or dff_setup!".into(),
    }
}
