//! The text of expressions.

use super::{function, is_constant, is_known_index, name_of, part_of, type_of_default, Syntax};
use quote::quote;
use syn::spanned::Spanned;
use syn::{BinOp, Error, Expr, ExprCall, ExprMethodCall, Lit, Member, Result, UnOp};

impl Syntax {
    pub(crate) fn expression(&mut self, expression: &Expr) -> Result<()> {
        match expression {
            Expr::Path(path) => {
                if let Some(name) = self.local_of(expression) {
                    self.line(format!("w{name}"));
                    return Ok(());
                }
                match path.path.segments.last() {
                    // A zero of the width that its context requires.
                    Some(_) if name_of(path) == "Bits$ZERO" => {
                        self.line("R");
                        self.line("l64:0");
                        Ok(())
                    }
                    Some(last) if is_constant(&last.ident) => {
                        self.constant(path);
                        Ok(())
                    }
                    _ => self.signal(expression),
                }
            }
            Expr::If(conditional) => self.value_conditional(conditional),
            Expr::Match(choice) => self.arms(choice, Self::value_body),
            Expr::Cast(cast) if self.is_free(cast) => {
                self.constant(cast);
                Ok(())
            }
            Expr::Cast(cast) if is_known_index(&cast.expr, &self.locals) => self.expression(&cast.expr),
            Expr::Cast(cast) => {
                let reason = "`as` is only allowed for constants and loop indices; expected `.resize()`, `.index()` or `.to_bits()`";
                Err(Error::new(cast.span(), reason))
            }
            Expr::Index(element) if self.is_of_local(&element.expr) => {
                self.line("[");
                self.expression(&element.expr)?;
                self.expression(&element.index)
            }
            Expr::Index(_) => self.signal(expression),
            Expr::Struct(bundle) => self.bundle(bundle),
            Expr::Tuple(tuple) => {
                self.line(format!("T{}", tuple.elems.len()));
                tuple.elems.iter().try_for_each(|value| self.expression(value))
            }
            Expr::Array(array) => {
                self.line(format!("A{}", array.elems.len()));
                array.elems.iter().try_for_each(|value| self.expression(value))
            }
            Expr::Repeat(array) => {
                let count = self.size(&array.len);
                self.line(format!("*{count}"));
                self.expression(&array.expr)
            }
            Expr::Field(field) => self.field(field),
            Expr::Paren(inner) => {
                self.line("(");
                self.expression(&inner.expr)
            }
            Expr::Group(inner) => self.expression(&inner.expr),
            Expr::Binary(operation) => self.binary(operation),
            Expr::Unary(operation) => {
                self.line(match operation.op {
                    UnOp::Not(_) => "u!",
                    UnOp::Neg(_) => "u-",
                    _ => return Err(Error::new(operation.span(), "unsupported operator in an HDL kernel")),
                });
                self.expression(&operation.expr)
            }
            Expr::Call(call) => self.cast(call),
            Expr::MethodCall(call) => self.method(call),
            Expr::Lit(literal) => self.literal(&literal.lit),
            other => Err(Error::new(other.span(), "unsupported expression in an HDL kernel")),
        }
    }

    fn signal(&mut self, expression: &Expr) -> Result<()> {
        if let Some(selected) = self.selected(expression) {
            return self.select(selected);
        }
        let name = name_of(expression);
        if name.ends_with("$next") {
            let reason = "a kernel cannot read from .next; expected .val()";
            return Err(Error::new_spanned(expression, reason));
        }
        self.named(name);
        Ok(())
    }

    /// Translates a part of the block, or a bundle's field if it follows `val()`.
    fn field(&mut self, field: &syn::ExprField) -> Result<()> {
        let of_value = matches!(&*field.base, Expr::MethodCall(_) | Expr::Call(_)) || self.is_of_local(&field.base);
        if !of_value {
            return self.signal(&Expr::Field(field.clone()));
        }
        let Member::Named(member) = &field.member else {
            return Err(Error::new(field.span(), "unsupported field access in an HDL kernel"));
        };
        self.line(format!(".{member}"));
        self.expression(&field.base)
    }

    fn literal(&mut self, literal: &Lit) -> Result<()> {
        match literal {
            Lit::Bool(value) => self.line(format!("l1:{}", u8::from(value.value))),
            Lit::Int(value) => {
                let bits = match value.suffix().trim_start_matches('_') {
                    "" | "i32" | "u32" => 32,
                    "u8" => 8,
                    "u16" => 16,
                    "u64" | "usize" => 64,
                    "u128" => 128,
                    _ => {
                        return Err(Error::new(
                            literal.span(),
                            "unsupported type of literal in an HDL kernel",
                        ))
                    }
                };
                self.line(format!("l{bits}:{}", value.base10_digits()));
            }
            _ => return Err(Error::new(literal.span(), "unsupported literal in an HDL kernel")),
        }
        Ok(())
    }

    fn binary(&mut self, operation: &syn::ExprBinary) -> Result<()> {
        if matches!(operation.op, BinOp::Div(_) | BinOp::Rem(_)) && self.is_free(operation) {
            self.constant(operation);
            return Ok(());
        }
        let name = match &operation.op {
            BinOp::Sub(_) => "-",
            BinOp::Add(_) => "+",
            BinOp::Mul(_) => "*",
            BinOp::And(_) => "&&",
            BinOp::Or(_) => "||",
            BinOp::BitXor(_) => "^",
            BinOp::BitAnd(_) => "&",
            BinOp::BitOr(_) => "|",
            BinOp::Shl(_) => "<<",
            BinOp::Shr(_) => ">>",
            BinOp::Eq(_) => "==",
            BinOp::Lt(_) => "<",
            BinOp::Le(_) => "<=",
            BinOp::Ne(_) => "!=",
            BinOp::Ge(_) => ">=",
            BinOp::Gt(_) => ">",
            _ => return Err(Error::new(operation.span(), "unsupported operator in an HDL kernel")),
        };
        self.line(format!("b{name}"));
        self.expression(&operation.left)?;
        self.expression(&operation.right)
    }

    /// Translates a call that changes a value's width or sign, or a call of a pure function.
    fn cast(&mut self, call: &ExprCall) -> Result<()> {
        let whole = name_of(&call.func);
        let name = function(call).map(|f| f.ident.to_string()).unwrap_or_default();
        let Some(argument) = call.args.first() else {
            if !self.is_free(call) {
                return Err(Error::new(call.span(), "expected an argument"));
            }
            if let Some(of) = type_of_default(&call.func) {
                // The type determines the fields.
                let shape = self.shape(&of);
                self.line(format!("B{shape} 0 +"));
            }
            self.constant(call);
            return Ok(());
        };
        if whole == "mask" && call.args.len() == 2 {
            self.line("fmask - 2");
            self.expression(argument)?;
            return self.expression(&call.args[1]);
        }
        let is_bit_cast = matches!(
            name.as_str(),
            "bit_cast" | "bit_cast_within_wide" | "bit_cast_wide" | "bit_cast_narrow" | "bits"
        );
        if is_bit_cast || whole.starts_with("Bits") {
            // For hdlkit's casts and `bits`, the first type argument is the width. For anything else, the result's type
            // gives it.
            let arguments = match function(call).map(|f| &f.arguments) {
                Some(syn::PathArguments::AngleBracketed(of)) if !whole.starts_with("Bits") => Some(of),
                _ => None,
            };
            let is_plain = matches!(whole.as_str(), "bits" | "Bits$new" | "Bits$from");
            match self.turbofish(arguments) {
                Some(width) => self.line(format!("c{width}")),
                None if is_plain || arguments.is_some() => self.line("R"),
                None => {
                    let width = self.size(quote!((#call).bits()));
                    self.line(format!("c{width}"));
                }
            }
        } else if matches!(name.as_str(), "unsigned_cast" | "unsigned_bit_cast") {
            self.line("U");
        } else if matches!(name.as_str(), "signed_cast" | "signed_bit_cast") {
            self.line("S");
        } else if self.is_free(call) {
            self.constant(call);
            return Ok(());
        } else {
            return self.function_call(call);
        }
        self.expression(argument)
    }

    /// Translates a call of a function with `#[hdl_fn]`: the type of its name has the syntax.
    fn function_call(&mut self, call: &ExprCall) -> Result<()> {
        let (Some(last), Expr::Path(path)) = (function(call), &*call.func) else {
            return Err(Error::new(call.span(), "expected a function's name"));
        };
        self.inlined(quote!(<#path>::hdl()), &last.ident, call.args.iter())
    }

    fn method(&mut self, call: &ExprMethodCall) -> Result<()> {
        if let Some(part) = part_of(call) {
            return self.call_of_part(part, call);
        }
        let name = call.method.to_string();
        let argument = |index: usize| {
            let missing = || Error::new(call.span(), format!("{name} needs another argument"));
            call.args.get(index).ok_or_else(missing)
        };
        match name.as_str() {
            "val" | "into" => self.expression(&call.receiver),
            "resize" | "low" | "narrow" | "widen" | "to_bits" => {
                match self.turbofish(call.turbofish.as_ref()) {
                    Some(width) => self.line(format!("c{width}")),
                    None if name == "to_bits" => {}
                    None => self.line("R"),
                }
                self.expression(&call.receiver)
            }
            "lowest_set" | "highest_set" | "one_hot" | "one_hot_index" | "ones_below" | "population_count"
            | "reverse" | "fill" | "concat" | "sign_extend" | "signed_product" => {
                let width = match self.turbofish(call.turbofish.as_ref()) {
                    Some(width) if name != "concat" && name != "signed_product" => width,
                    _ => "-".into(),
                };
                self.line(format!("f{name} {width} {}", 1 + call.args.len()));
                self.expression(&call.receiver)?;
                call.args.iter().try_for_each(|argument| self.expression(argument))
            }
            "index" => {
                self.line("n");
                self.expression(&call.receiver)
            }
            "get_bits" | "bits" => {
                let Some(width) = self.turbofish(call.turbofish.as_ref()) else {
                    let reason = format!("{name} needs the slice's width; expected x.{name}::<4>(index), for example");
                    return Err(Error::new(call.span(), reason));
                };
                self.line(format!("x{width}"));
                self.expression(&call.receiver)?;
                self.expression(argument(0)?)
            }
            "get_bit" => {
                self.line("i");
                self.expression(&call.receiver)?;
                self.expression(argument(0)?)
            }
            "replace_bit" => {
                self.line("r");
                self.expression(&call.receiver)?;
                self.expression(argument(0)?)?;
                self.expression(argument(1)?)
            }
            "all" => {
                self.line("uall");
                self.expression(&call.receiver)
            }
            "any" => {
                self.line("uany");
                self.expression(&call.receiver)
            }
            "xor" => {
                self.line("uxor");
                self.expression(&call.receiver)
            }
            "to_signed_bits" => {
                self.line("S");
                self.expression(&call.receiver)
            }
            _ if self.is_free(call) => {
                self.constant(call);
                Ok(())
            }
            _ => Err(Error::new(
                call.span(),
                format!("unsupported method {name} in an HDL kernel"),
            )),
        }
    }
}
