//! Choices: `if` and `match`, decided where the condition is constant when the circuit is built.

use super::expression::{literal, Expr, Node};
use super::index::integer;
use super::resolve::Name;
use super::shape::Shape;
use super::statement::Stmt;
use super::syntax::source_text::{self, pretty};
use super::syntax::{Conditional, Match};
use super::translate::Translator;
use super::unroll::{Targets, Unroller};
use num_bigint::BigUint;

/// The maximum number of values of a range in a pattern, because Verilog lists them.
const MOST_LABELS: u128 = 64;

impl Unroller<'_> {
    /// Unrolls an `if`. Its blocks end in a value for `value`, if there is a target.
    pub(super) fn conditional(&mut self, c: &Conditional, value: &Targets, out: &mut Vec<Stmt>) -> Result<(), String> {
        let condition = self.lifted(&c.test, out)?;
        let test = self.translator().at(&condition, 1)?;
        let known = Translator {
            inline_constants: true,
            ..self.translator()
        }
        .at(&condition, 1)?
        .constant();
        let none = vec![];
        let otherwise = c.otherwise.as_ref().unwrap_or(&none);
        match known.map(|value| value != BigUint::default()) {
            Some(true) => out.append(&mut self.branch(&c.then, value)),
            Some(false) => out.append(&mut self.branch(otherwise, value)),
            None => self.under_conditions(out, |this, out| {
                let then = this.branch(&c.then, value);
                let other = this.branch(otherwise, value);
                out.push(Stmt::If { test, then, other });
                Ok(())
            })?,
        }
        Ok(())
    }

    /// Unrolls a `match`. Its blocks end in a value for `value`, if there is a target. Returns false if it needs a `_`
    /// arm.
    pub(super) fn case(&mut self, m: &Match, value: &Targets, out: &mut Vec<Stmt>) -> Result<bool, String> {
        let test = self.lifted(&m.test, out)?;
        if let Some(known) = self.translator().constant(&test) {
            let known = known.to_biguint().ok_or("matches a negative number")?;
            return self.known_case(m, &known, 128, value, out).map(|()| true);
        }
        let subject = self.translator().natural(&test)?;
        let variants = match self.translator().shape(&test)? {
            Some(Shape::Enum(variants)) => Some(variants.len()),
            _ => None,
        };
        if let Some(known) = subject.constant() {
            return self.known_case(m, &known, subject.width, value, out).map(|()| true);
        }
        let mut complete = true;
        self.under_conditions(out, |this, out| {
            let mut arms = vec![];
            let mut default = None;
            for (pattern, block) in &m.cases {
                let body = this.branch(block, value);
                if pattern == "default" {
                    default = Some(body);
                    break;
                }
                match this.labels(pattern, subject.width) {
                    Ok(labels) => arms.push((labels, body)),
                    Err(reason) => this.problem(
                        format!("match {} {{ {pattern} => }}", source_text::expression(&m.test)),
                        reason,
                    ),
                }
            }
            let labels: usize = arms.iter().map(|(labels, _)| labels.len()).sum();
            // rustc would report a `_` after every variant as unreachable.
            complete = default.is_some() || variants.is_some_and(|n| labels >= n);
            // Rust accepts a match without `_` only if it covers every value: then the last arm serves as the default.
            let every_value = variants.map_or(1usize.checked_shl(subject.width as u32), Some);
            if default.is_none() && every_value.is_some_and(|n| labels >= n) {
                complete = true;
                default = arms.pop().map(|(_, body)| body);
            }
            if arms.is_empty() {
                out.extend(default.into_iter().flatten());
            } else {
                out.push(Stmt::Case { subject, arms, default });
            }
            Ok(())
        })?;
        Ok(complete)
    }

    /// Unrolls a match of a value that is constant when the circuit is built.
    fn known_case(
        &mut self,
        m: &Match,
        known: &BigUint,
        width: usize,
        value: &Targets,
        out: &mut Vec<Stmt>,
    ) -> Result<(), String> {
        for (pattern, block) in &m.cases {
            let is_it = |label: &Expr| label.constant().as_ref() == Some(known);
            if pattern == "default" || self.labels(pattern, width)?.iter().any(is_it) {
                out.append(&mut self.branch(block, value));
                return Ok(());
            }
        }
        Ok(())
    }

    /// The values of a pattern.
    fn labels(&self, pattern: &str, width: usize) -> Result<Vec<Expr>, String> {
        let mut labels = vec![];
        for pattern in pattern.split(" | ") {
            let Some((from, to)) = pattern.split_once("..=") else {
                labels.push(self.label(pattern, width)?);
                continue;
            };
            let of = |text: &str| -> Result<u128, String> {
                let value = self.label(text, width)?.constant();
                value
                    .and_then(|value| value.try_into().ok())
                    .ok_or_else(|| format!("pattern {text} is not a number"))
            };
            let (from, to) = (of(from)?, of(to)?);
            if to.saturating_sub(from) >= MOST_LABELS {
                return Err(format!(
                    "pattern {pattern} has more than {MOST_LABELS} values; expected a comparison in an `if`"
                ));
            }
            labels.extend((from..=to).map(|value| literal(value, width)));
        }
        Ok(labels)
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
