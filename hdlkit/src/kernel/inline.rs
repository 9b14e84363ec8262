//! Inlining: calls of parts and pure functions are replaced by their statements; choices and calls inside expressions
//! are lifted into statements before them.

use super::locals::Meaning;
use super::resolve::{Name, Role, SigId};
use super::shape::Shape;
use super::statement::Stmt;
use super::syntax::source_text;
use super::syntax::{Block, Expression, Form, Inlined, Let, Named};
use super::unroll::{Targets, Unroller};
use std::borrow::Cow;

impl Expression {
    /// True if only statements can compute it.
    pub(super) fn has_statements(&self) -> bool {
        self.is_choice() || matches!(self.bare(), Expression::Inlined(_))
    }

    /// True if a subexpression has statements.
    fn needs_lifting(&self) -> bool {
        self.has_statements() || self.operands().into_iter().any(Expression::needs_lifting)
    }
}

impl Unroller<'_> {
    /// Inlines the statements of a call, with results in `targets`.
    pub(super) fn inline(&mut self, call: &Inlined, targets: &Targets, out: &mut Vec<Stmt>) -> Result<(), String> {
        if !targets.is_empty() && targets.len() != call.results.len() {
            return Err(format!(
                "has {} results; expected {}",
                call.results.len(),
                targets.len()
            ));
        }
        // Arguments are evaluated before any parameter of the same name is declared.
        let mut parameters = vec![];
        for parameter in &call.parameters {
            let meaning = match self.alias(parameter) {
                Some(meaning) => meaning,
                None => {
                    self.local(parameter, &[], out)?;
                    self.locals.pop().map_or(Meaning::Faulty, |(_, meaning)| meaning)
                }
            };
            parameters.push((parameter.name.clone(), meaning));
        }
        let (outer, place) = (self.locals.len(), self.place.clone());
        self.locals.extend(parameters);
        out.append(&mut self.branch(&call.block, targets));
        self.locals.truncate(outer);
        self.place = place;
        Ok(())
    }

    /// If an argument is a signal or local that cannot change during the call, returns it: the parameter is then an
    /// alias.
    fn alias(&self, parameter: &Let) -> Option<Meaning> {
        let value = parameter.value.as_ref().filter(|_| !parameter.mutable)?;
        let shape = parameter.shape.as_ref()?;
        let of = |sig: SigId| self.table.sigs[sig].shape == *shape;
        match value.bare() {
            Expression::Signal(path) => match self.table.resolve(path, &self.loops).ok()? {
                Name::Signal { sig, low: 0, .. } if of(sig) => {
                    let from_outside = matches!(self.table.sigs[sig].role, Role::Input | Role::ChildOutput(_));
                    from_outside.then_some(Meaning::Signal(sig))
                }
                _ => None,
            },
            Expression::Local(name) => match self.locals.iter().rev().find(|(known, _)| known == name)? {
                (_, Meaning::Signal(sig)) if self.fixed.contains(sig) && of(*sig) => Some(Meaning::Signal(*sig)),
                (_, Meaning::Array(elements)) if elements.iter().all(|sig| self.fixed.contains(sig) && of(*sig)) => {
                    Some(Meaning::Array(elements.clone()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// An expression without statements: its subexpressions with statements have been assigned to locals.
    pub(super) fn lifted<'e>(&mut self, e: &'e Expression, out: &mut Vec<Stmt>) -> Result<Cow<'e, Expression>, String> {
        if !e.needs_lifting() {
            return Ok(Cow::Borrowed(e));
        }
        let mut e = e.clone();
        self.lift(&mut e, out)?;
        Ok(Cow::Owned(e))
    }

    fn lift(&mut self, e: &mut Expression, out: &mut Vec<Stmt>) -> Result<(), String> {
        if !e.has_statements() {
            return e
                .operands_mut()
                .into_iter()
                .try_for_each(|operand| self.lift(operand, out));
        }
        let name = match e.bare() {
            Expression::Inlined(call) => call.name.clone(),
            _ => "choice".into(),
        };
        let text = source_text::expression(e);
        if self.shape(e)?.is_none() {
            return Err(format!(
                "the width of `{text}` is not known here; expected a `let` with its type"
            ));
        }
        let local = Let {
            name,
            mutable: false,
            shape: None,
            elements: None,
            value: Some(e.clone()),
        };
        self.local(&local, &[], out)?;
        // The local is renamed so that no name in the kernel matches it.
        let hidden = format!("={}", self.locals.len());
        if let Some((name, _)) = self.locals.last_mut() {
            name.clone_from(&hidden);
        }
        *e = Expression::Local(hidden);
        Ok(())
    }

    /// Declares locals for the values of a tuple.
    pub(super) fn locals_of_tuple(
        &mut self,
        names: &[Option<Named>],
        value: &Expression,
        out: &mut Vec<Stmt>,
    ) -> Result<(), String> {
        let shapes = self.shapes(value, names.len())?;
        let indices = self.indices();
        let mut targets = vec![];
        let mut locals = vec![];
        for (name, shape) in names.iter().zip(shapes) {
            let Some(Named { name, mutable }) = name else {
                targets.push(None);
                continue;
            };
            let Some(shape) = shape else {
                return Err(format!(
                    "the width of `{name}` is not known here; expected a value of known width"
                ));
            };
            let width = shape.width();
            let sig = self.table.add_local(name, &indices, shape);
            targets.push(Some((sig, 0, width)));
            if !mutable {
                self.fixed.insert(sig);
            }
            locals.push((name.clone(), Meaning::Signal(sig)));
        }
        self.give(&targets, value, out)?;
        self.locals.append(&mut locals);
        Ok(())
    }

    /// The types of a tuple's values.
    fn shapes(&self, value: &Expression, count: usize) -> Result<Vec<Option<Shape>>, String> {
        let of_block = |block: &Block| match block.last().map(|s| &s.form) {
            Some(Form::Value(value)) => Some(value.clone()),
            _ => None,
        };
        let shapes = match value.bare() {
            Expression::Tuple(values) => values
                .iter()
                .map(|value| self.shape(value))
                .collect::<Result<Vec<_>, _>>()?,
            Expression::Inlined(call) => call.results.iter().cloned().map(Some).collect(),
            Expression::If(_) | Expression::Match(_) => {
                let blocks: Vec<&Block> = match value.bare() {
                    Expression::If(c) => std::iter::once(&c.then).chain(&c.otherwise).collect(),
                    Expression::Match(m) => m.cases.iter().map(|(_, block)| block).collect(),
                    _ => vec![],
                };
                let mut found = vec![None; count];
                for block in blocks {
                    let Some(value) = of_block(block) else { continue };
                    let shapes = self.trial(block, |trial| trial.shapes(&value, count))?;
                    for (found, shape) in found.iter_mut().zip(shapes) {
                        *found = found.take().or(shape);
                    }
                }
                found
            }
            _ => return Err("is one value; expected a tuple".into()),
        };
        match shapes.len() == count {
            true => Ok(shapes),
            false => Err(format!("has {} values; expected {count}", shapes.len())),
        }
    }
}
