//! Choices that have a value, and the patterns of a `match`.

use super::syntax::{is_constant, name_of, Syntax};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Error, Expr, Pat, Result, Stmt};

impl Syntax {
    /// Translates a block that ends in a value.
    pub(super) fn value_block(&mut self, block: &syn::Block) -> Result<()> {
        let Some((Stmt::Expr(value, None), statements)) = block.stmts.split_last() else {
            return Err(Error::new(block.span(), "expected a value at the end of this block"));
        };
        let outer = self.locals.len();
        self.line("{");
        self.statements(statements)?;
        self.place(value);
        self.line("^");
        self.expression(value)?;
        self.line("}");
        self.locals.truncate(outer);
        Ok(())
    }

    /// Translates a value as a block.
    pub(super) fn value_body(&mut self, value: &Expr) -> Result<()> {
        if let Expr::Block(block) = value {
            return self.value_block(&block.block);
        }
        self.line("{");
        self.line("^");
        self.expression(value)?;
        self.line("}");
        Ok(())
    }

    /// Translates an `if` that has a value.
    pub(super) fn value_conditional(&mut self, conditional: &syn::ExprIf) -> Result<()> {
        let Some((_, otherwise)) = &conditional.else_branch else {
            return Err(Error::new(conditional.span(), "an if without else has no value"));
        };
        self.line("?");
        self.expression(&conditional.cond)?;
        self.value_block(&conditional.then_branch)?;
        self.value_body(otherwise)
    }

    /// Translates the beginning of a `match`, and its arms' patterns.
    pub(super) fn arms(&mut self, choice: &syn::ExprMatch, body: fn(&mut Self, &Expr) -> Result<()>) -> Result<()> {
        self.line(format!("m{}", choice.arms.len()));
        self.expression(&choice.expr)?;
        for arm in &choice.arms {
            let pattern = self.pattern(&arm.pat)?;
            self.line(pattern);
            body(self, &arm.body)?;
        }
        Ok(())
    }

    fn pattern(&mut self, pattern: &Pat) -> Result<String> {
        Ok(match pattern {
            Pat::Ident(name) if name.subpat.is_none() && is_constant(&name.ident) => {
                format!("k{}", self.constant_number(name.ident.to_token_stream()))
            }
            Pat::Ident(name) if name.ident.to_string().starts_with(|c: char| c.is_ascii_uppercase()) => {
                name.ident.to_string()
            }
            Pat::Lit(literal) => literal.to_token_stream().to_string(),
            Pat::Path(path) => match path.path.segments.last() {
                Some(last) if is_constant(&last.ident) => {
                    format!("k{}", self.constant_number(path.to_token_stream()))
                }
                _ => name_of(path),
            },
            Pat::Wild(_) => "default".into(),
            Pat::Paren(inner) => self.pattern(&inner.pat)?,
            Pat::Or(alternatives) => {
                let alternatives = alternatives.cases.iter().map(|pattern| match pattern {
                    Pat::Wild(_) => Err(Error::new(
                        pattern.span(),
                        "`_` is not allowed together with other patterns",
                    )),
                    pattern => self.pattern(pattern),
                });
                alternatives.collect::<Result<Vec<_>>>()?.join(" | ")
            }
            Pat::Range(range) => {
                let (Some(from), Some(to)) = (&range.start, &range.end) else {
                    return Err(Error::new(pattern.span(), "expected a range with both ends"));
                };
                let syn::RangeLimits::Closed(_) = range.limits else {
                    return Err(Error::new(pattern.span(), "expected an inclusive range, `a..=b`"));
                };
                let mut end = |end: &Expr| match end {
                    Expr::Lit(literal) => literal.to_token_stream().to_string(),
                    other => format!("k{}", self.constant_number(other.to_token_stream())),
                };
                let (from, to) = (end(from), end(to));
                format!("{from}..={to}")
            }
            other => {
                let reason = "unsupported pattern in a match of an HDL kernel";
                return Err(Error::new(other.span(), reason));
            }
        })
    }
}
