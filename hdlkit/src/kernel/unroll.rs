//! A kernel's statements: loops unrolled, links and macros expanded, constant conditions decided, names resolved.

use super::expression::{literal, Expr};
use super::index::Loops;
use super::locals::{Locals, Meaning};
use super::resolve::{Name, Role, SigId, Table};
use super::scope::Scope;
use super::shape::Shape;
use super::statement::Stmt;
use super::syntax::source_text;
use super::syntax::{Block, Expression, Form, Let, Statement};
use super::translate::Translator;
use rust_hdl_core::ast::{VerilogLink, VerilogLinkDetails};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

/// A statement or signal without exact Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The block, such as `top.lanes[3].alu`.
    pub path: String,
    /// The statement or signal, as in the source.
    pub statement: String,
    /// The reason, for the message.
    pub reason: String,
    /// File and line, if they are known.
    pub place: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        if self.statement.is_empty() {
            write!(f, "{}: {}", self.path, self.reason)
        } else {
            write!(f, "{}: `{}`: {}", self.path, self.statement, self.reason)
        }
    }
}

/// A kernel over resolved signals.
pub struct Unrolled {
    /// The statements of the kernel, with loops unrolled.
    pub statements: Vec<Stmt>,
    /// Statements without exact Verilog.
    pub problems: Vec<Problem>,
    /// Statements with exact Verilog that should be avoided.
    pub notes: Vec<Problem>,
}

/// The kernel of `scope` over `table`, to which its locals are added.
pub fn unroll(scope: &Scope, table: &mut Table, code: &Block) -> Unrolled {
    let mut unroller = Unroller {
        path: &scope.path,
        table,
        loops: vec![],
        locals: vec![],
        conditional: false,
        value: vec![],
        constants: BTreeSet::new(),
        fixed: BTreeSet::new(),
        place: None,
        problems: vec![],
        notes: vec![],
    };
    Unrolled {
        statements: unroller.block(code),
        problems: unroller.problems,
        notes: unroller.notes,
    }
}

/// The signal, lowest bit and width that an assignment sets.
pub(super) type AssignedBits = (SigId, usize, usize);

/// The target of a block's value; for a tuple, of each value. `None` is `_`.
pub(super) type Targets = [Option<AssignedBits>];

pub(super) struct Unroller<'a> {
    path: &'a str,
    pub(super) table: &'a mut Table,
    pub(super) loops: Loops,
    pub(super) locals: Locals,
    /// True if the statements run only under a condition.
    conditional: bool,
    /// The targets of the current block's value.
    pub(super) value: Vec<Option<AssignedBits>>,
    /// Locals that only their declaration assigns.
    constants: BTreeSet<SigId>,
    /// Locals that may not change.
    pub(super) fixed: BTreeSet<SigId>,
    /// The source location of the current statement.
    pub(super) place: Option<String>,
    problems: Vec<Problem>,
    notes: Vec<Problem>,
}

impl Unroller<'_> {
    pub(super) fn problem(&mut self, statement: String, reason: String) {
        let problem = self.problem_of(statement, reason);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn note(&mut self, s: &Statement, reason: &str) {
        let note = self.problem_of(source_text::statement(s), reason.to_string());
        self.notes.push(note);
    }

    fn problem_of(&self, statement: String, reason: String) -> Problem {
        Problem {
            path: self.path.to_string(),
            statement,
            reason,
            place: self.place.clone(),
        }
    }

    pub(super) fn translator(&self) -> Translator<'_> {
        Translator {
            table: self.table,
            loops: &self.loops,
            locals: &self.locals,
            inline_constants: false,
        }
    }

    fn block(&mut self, code: &Block) -> Vec<Stmt> {
        let outer = self.locals.len();
        let mut statements = vec![];
        for (index, s) in code.iter().enumerate() {
            if let Some(place) = &s.place {
                self.place = Some(place.to_string());
            }
            if let Err(reason) = self.statement(s, &code[index + 1..], &mut statements) {
                if !reason.is_empty() {
                    self.problem(source_text::statement(s), reason);
                }
                if let Form::Let(local) = &s.form {
                    self.locals.push((local.name.clone(), Meaning::Faulty));
                }
            }
        }
        self.locals.truncate(outer);
        statements
    }

    /// The block's statements, which run only under a condition.
    pub(super) fn branch(&mut self, code: &Block, value: &Targets) -> Vec<Stmt> {
        let outer = std::mem::replace(&mut self.value, value.to_vec());
        let statements = self.block(code);
        self.value = outer;
        statements
    }

    /// Adds the statements of `add`, some of which run only under a condition.
    pub(super) fn under_conditions(
        &mut self,
        out: &mut Vec<Stmt>,
        add: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Result<(), String>,
    ) -> Result<(), String> {
        let before = self.table.locals.len();
        let outer = std::mem::replace(&mut self.conditional, true);
        let mut code = vec![];
        let added = add(self, &mut code);
        self.conditional = outer;
        if !outer {
            code = settled(code, &self.table.locals[before..], &self.constants, self.table);
        }
        out.append(&mut code);
        added
    }

    fn assign(&mut self, target: AssignedBits, value: &Expression, out: &mut Vec<Stmt>) -> Result<(), String> {
        self.give(&[Some(target)], value, out)
    }

    /// Assigns a value or a tuple, by statements if it is a choice between blocks, a call or a bundle.
    pub(super) fn give(&mut self, targets: &Targets, value: &Expression, out: &mut Vec<Stmt>) -> Result<(), String> {
        match (value.bare(), targets) {
            (Expression::If(c), _) if value.is_choice() || targets.len() > 1 => self.conditional(c, targets, out),
            (Expression::Match(m), _) => self.case(m, targets, out).map(drop),
            (Expression::Inlined(call), _) => self.inline(call, targets, out),
            (Expression::Tuple(values), _) if values.len() == targets.len() => {
                for (value, target) in values.iter().zip(targets) {
                    if let Some(target) = target {
                        self.assign(*target, value, out)?;
                    }
                }
                Ok(())
            }
            (Expression::Bundle(Shape::Struct(of), fields, None), [Some((target, low, _))])
                if fields.len() == of.len() =>
            {
                let mut low = *low;
                for (name, shape) in of {
                    let field = fields.iter().find(|(known, _)| known == name);
                    let (_, value) = field.ok_or_else(|| format!("has no field `{name}`"))?;
                    self.assign((*target, low, shape.width()), value, out)?;
                    low += shape.width();
                }
                Ok(())
            }
            (_, [Some((target, low, width))]) => {
                let value = self.lifted(value, out)?;
                let value = self.translator().at(&value, *width)?;
                out.push(Stmt::Assign {
                    target: *target,
                    low: *low,
                    value,
                });
                Ok(())
            }
            (_, [None]) => Ok(()),
            _ => Err(format!("is one value; expected {}", targets.len())),
        }
    }

    /// The type of a value; its blocks may have locals.
    pub(super) fn shape(&self, value: &Expression) -> Result<Option<Shape>, String> {
        let blocks: Vec<&Block> = match value.bare() {
            Expression::If(c) if value.is_choice() => std::iter::once(&c.then).chain(&c.otherwise).collect(),
            Expression::Match(m) => m.cases.iter().map(|(_, block)| block).collect(),
            _ => return self.translator().shape(value),
        };
        for block in blocks {
            let Some(Form::Value(value)) = block.last().map(|s| &s.form) else {
                continue;
            };
            if let Ok(Some(shape)) = self.trial(block, |trial| trial.shape(value)) {
                return Ok(Some(shape));
            }
        }
        Ok(None)
    }

    /// The result of `look` at the end of a block. The block is unrolled on a copy, because its statements are unrolled
    /// again when its value is assigned.
    pub(super) fn trial<T>(&self, block: &Block, look: impl FnOnce(&Unroller) -> T) -> T {
        let Some((_, before)) = block.split_last().filter(|(_, before)| !before.is_empty()) else {
            return look(self);
        };
        let mut table = self.table.clone();
        let mut trial = Unroller {
            path: self.path,
            table: &mut table,
            loops: self.loops.clone(),
            locals: self.locals.clone(),
            conditional: true,
            value: vec![],
            constants: BTreeSet::new(),
            fixed: BTreeSet::new(),
            place: None,
            problems: vec![],
            notes: vec![],
        };
        for (index, s) in before.iter().enumerate() {
            // A problem will be found again when the statement is unrolled.
            let _ = trial.statement(s, &block[index + 1..], &mut vec![]);
        }
        look(&trial)
    }

    /// The indices of the enclosing loops.
    pub(super) fn indices(&self) -> Vec<i128> {
        self.loops.iter().map(|(_, index)| *index).collect()
    }

    /// The signal, lowest bit and width set by an assignment to `target`.
    fn target(&self, target: &Expression) -> Result<(SigId, usize, usize), String> {
        match target {
            Expression::Signal(path) => self.signal(path),
            Expression::Field(bundle, field) => {
                if let Expression::Signal(path) = &**bundle {
                    return self.signal(&format!("{path}$next${field}"));
                }
                let (sig, low, _) = self.target(bundle)?;
                let shape = self.translator().shape(bundle)?;
                match shape.as_ref().and_then(|shape| shape.field(&[field])) {
                    Some((offset, field)) => Ok((sig, low + offset, field.width())),
                    None => Err(format!("`{}` has no field `{field}`", source_text::expression(bundle))),
                }
            }
            Expression::Local(name) => {
                let found = self.locals.iter().rev().find(|(known, _)| known == name);
                match found {
                    Some((_, Meaning::Signal(sig))) => Ok((*sig, 0, self.table.sigs[*sig].width())),
                    Some((_, Meaning::Faulty)) => Err(String::new()),
                    _ => Err(format!("assigns `{name}`, which is not a value of bits")),
                }
            }
            Expression::Element(array, index) => {
                let translator = self.translator();
                let elements = translator.array(array)?;
                let index = translator.constant(index).and_then(|index| usize::try_from(index).ok());
                match index.and_then(|index| elements.get(index)) {
                    Some(sig) => Ok((*sig, 0, self.table.sigs[*sig].width())),
                    None => Err(format!("assigns an element of {}", elements.len())),
                }
            }
            _ => Err("assigns to an expression".into()),
        }
    }

    /// The variable index of an assignment's target, and the number of elements.
    fn choice_of<'e>(&self, target: &'e Expression) -> Result<Option<(&'e Expression, usize)>, String> {
        let translator = self.translator();
        Ok(match target {
            Expression::Field(bundle, _) => self.choice_of(bundle)?,
            Expression::Element(array, index) if translator.constant(index).is_none() => {
                Some((&**index, translator.array(array)?.len()))
            }
            Expression::Selected(selected) => Some((&selected.index, translator.elements(selected)?.len())),
            _ => None,
        })
    }

    /// Assigns the element that a variable index selects.
    fn assign_chosen(
        &mut self,
        target: &Expression,
        (index, count): (&Expression, usize),
        value: &Expression,
        out: &mut Vec<Stmt>,
    ) -> Result<(), String> {
        let (subject, _) = self.translator().index(index)?;
        if let Some(index) = subject.constant().and_then(|index| usize::try_from(index).ok()) {
            let target = self.target(&at_index(target, index))?;
            return self.assign(target, value, out);
        }
        self.under_conditions(out, |this, out| {
            let mut arms = vec![];
            let reachable = 1usize.checked_shl(subject.width as u32).unwrap_or(count).min(count);
            for index in 0..reachable {
                let target = this.target(&at_index(target, index))?;
                let mut body = vec![];
                this.assign(target, value, &mut body)?;
                arms.push((vec![literal(index, subject.width)], body));
            }
            // Rust panics if there is no such element.
            out.push(Stmt::Case {
                subject,
                arms,
                default: Some(vec![]),
            });
            Ok(())
        })
    }

    /// The signal, lowest bit and width set by an assignment to `path`.
    fn signal(&self, path: &str) -> Result<(SigId, usize, usize), String> {
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

    /// Declares a local; `rest`: the statements in its scope.
    pub(super) fn local(&mut self, local: &Let, rest: &[Statement], out: &mut Vec<Stmt>) -> Result<(), String> {
        let Let {
            name,
            mutable,
            shape,
            value,
            ..
        } = local;
        if let Some(count) = self.array_length(local)? {
            return self.array(local, count, rest, out);
        }
        // Choices and calls in the value are lifted before it.
        let value = match value {
            Some(value) if !value.has_statements() => Some(self.lifted(value, out)?),
            other => other.as_ref().map(Cow::Borrowed),
        };
        let value = value.as_deref();
        let translator = self.translator();
        let shape = match (shape, value) {
            (Some(shape), _) => Some(shape.clone()),
            (None, Some(value)) => self.shape(value)?,
            (None, None) => None,
        };
        let number = value.is_some_and(|value| translator.is_number(value));
        let unchanged = !mutable && value.is_some();
        let constant = value.and_then(|value| translator.constant(value));
        if let (None, true, Some(constant)) = (&shape, unchanged, constant) {
            self.locals.push((name.clone(), Meaning::Value(constant)));
            return Ok(());
        }
        if number && *mutable {
            return Err("is a variable `usize` of unknown width; expected a value of bits".into());
        }
        let shape = shape.or_else(|| self.assigned_shape(name, rest)).ok_or_else(|| {
            format!("the width of `{name}` is not known here; expected its type: `let {name}: Bits<8>`, for example")
        })?;
        let indices = self.indices();
        let width = shape.width();
        // The value may still read a name that the new local shadows.
        let value = match value {
            Some(value) if !value.has_statements() => Some(Ok(self.translator().at(value, width)?)),
            Some(value) => Some(Err(value)),
            None => None,
        };
        let target = self.table.add_local(name, &indices, shape);
        match value {
            Some(Ok(value)) => {
                if unchanged {
                    self.constants.insert(target);
                }
                out.push(Stmt::Assign { target, low: 0, value });
            }
            Some(Err(choice)) => self.assign((target, 0, width), choice, out)?,
            None => {}
        }
        if unchanged {
            self.fixed.insert(target);
        }
        let meaning = match number {
            true => Meaning::Number(target),
            false => Meaning::Signal(target),
        };
        self.locals.push((name.clone(), meaning));
        Ok(())
    }

    /// The number of elements if a local is an array.
    fn array_length(&self, local: &Let) -> Result<Option<usize>, String> {
        Ok(match &local.value {
            Some(Expression::Array(values)) => Some(values.len()),
            Some(Expression::Repeat(_, count)) => Some(*count),
            Some(Expression::Local(name)) => {
                let found = self.locals.iter().rev().find(|(known, _)| known == name);
                match found {
                    Some((_, Meaning::Array(elements))) => Some(elements.len()),
                    _ => None,
                }
            }
            _ => local.elements,
        })
    }

    /// Declares a local that is an array.
    fn array(&mut self, local: &Let, count: usize, rest: &[Statement], out: &mut Vec<Stmt>) -> Result<(), String> {
        let name = &local.name;
        let element = |index: usize| match &local.value {
            Some(Expression::Array(values)) => Some(values[index].clone()),
            Some(Expression::Repeat(value, _)) => Some((**value).clone()),
            Some(array) => {
                let index = Expression::Literal {
                    bits: 64,
                    value: index as u128,
                };
                Some(Expression::Element(Box::new(array.clone()), Box::new(index)))
            }
            None => None,
        };
        let values: Vec<Option<Expression>> = (0..count).map(element).collect();
        let mut shape = local.shape.clone();
        for value in values.iter().flatten() {
            if shape.is_none() {
                shape = self.shape(value)?;
            }
        }
        let shape = shape.or_else(|| self.assigned_shape(name, rest)).ok_or_else(|| {
            format!(
                "the width of `{name}` is not known here; expected its type: `let {name}: [Bits<8>; 4]`, for example"
            )
        })?;
        let loops = self.indices();
        let mut elements = vec![];
        for (index, value) in values.iter().enumerate() {
            let indices: Vec<i128> = loops.iter().copied().chain([index as i128]).collect();
            let target = self.table.add_local(name, &indices, shape.clone());
            if let Some(value) = value {
                self.assign((target, 0, shape.width()), value, out)?;
                if !local.mutable && !value.is_choice() {
                    self.constants.insert(target);
                }
            }
            elements.push(target);
            if !local.mutable && local.value.is_some() {
                self.fixed.insert(target);
            }
        }
        self.locals.push((name.clone(), Meaning::Array(elements)));
        Ok(())
    }

    /// The type of a local, from an assignment to it.
    fn assigned_shape(&self, name: &str, code: &[Statement]) -> Option<Shape> {
        code.iter().find_map(|s| match &s.form {
            Form::Assign(Expression::Local(target), value) if target == name => {
                self.translator().shape(value).ok().flatten()
            }
            Form::Assign(Expression::Element(array, _), value)
                if matches!(&**array, Expression::Local(target) if target == name) =>
            {
                self.translator().shape(value).ok().flatten()
            }
            Form::If(c) => {
                let otherwise = || self.assigned_shape(name, c.otherwise.as_ref()?);
                self.assigned_shape(name, &c.then).or_else(otherwise)
            }
            Form::Match(m) => m.cases.iter().find_map(|(_, block)| self.assigned_shape(name, block)),
            Form::Loop(l) => self.assigned_shape(name, &l.block),
            _ => None,
        })
    }

    fn statement(&mut self, s: &Statement, rest: &[Statement], out: &mut Vec<Stmt>) -> Result<(), String> {
        match &s.form {
            Form::Assign(target, value) => {
                if let Some(choice) = self.choice_of(target)? {
                    return self.assign_chosen(target, choice, value, out);
                }
                if let Expression::Local(name) = target {
                    if let (Ok(to), Ok(from)) = (self.translator().array(target), self.translator().array(value)) {
                        if to.len() != from.len() {
                            return Err(format!("assigns `{name}` an array of another length"));
                        }
                        for (to, from) in to.iter().zip(from) {
                            out.push(Stmt::Assign {
                                target: *to,
                                low: 0,
                                value: Expr::signal(*from, 0, self.table.sigs[*from].width()),
                            });
                        }
                        return Ok(());
                    }
                }
                let (target, low, width) = self.target(target)?;
                let plain = matches!(value.bare(), Expression::Signal(_));
                if self.table.sigs[target].clock && !plain {
                    self.note(s, "a clock is computed: connect the clock directly");
                }
                if let Expression::Signed(inner) = value.bare() {
                    if self.translator().width(inner)? != Some(width) {
                        let why =
                            "signed_bit_cast never returns for the least value (rust-hdl): extend the sign by hand";
                        self.note(s, why);
                    }
                }
                self.assign((target, low, width), value, out)?;
            }
            Form::Let(local) => self.local(local, rest, out)?,
            Form::Value(value) => {
                let targets = self.value.clone();
                if targets.is_empty() {
                    return Err("is a value that is not used".into());
                }
                self.give(&targets, value, out)?;
            }
            Form::If(c) => self.conditional(c, &[], out)?,
            Form::Match(m) => {
                if !self.case(m, &[], out)? {
                    self.note(s, "has no `_` arm");
                }
            }
            Form::Loop(l) => {
                for index in l.from..l.to {
                    self.loops.push((l.index.clone(), index as i128));
                    out.append(&mut self.block(&l.block));
                    self.loops.pop();
                }
            }
            Form::Tuple(names, value) => self.locals_of_tuple(names, value, out)?,
            Form::Call(call) => self.inline(call, &[], out)?,
            Form::Comment(text) => out.push(Stmt::Comment(comment(text))),
            Form::Piece(block) => out.append(&mut self.block(block)),
            Form::Link(links) => {
                for link in links {
                    let join = |signal: &str, d: &VerilogLinkDetails| join(signal, &d.my_name);
                    let (from, to) = match link {
                        VerilogLink::Forward(d) => (join(&d.owner_name, d), join(&d.other_name, d)),
                        VerilogLink::Backward(d) => (join(&d.other_name, d), join(&d.owner_name, d)),
                        VerilogLink::Bidirectional(_) => {
                            return Err("bidirectional signals are not supported".into());
                        }
                    };
                    let (target, low, width) = self.signal(&to)?;
                    let value = self.translator().at(&Expression::Signal(from), width)?;
                    out.push(Stmt::Assign { target, low, value });
                }
            }
        }
        Ok(())
    }
}

/// An assignment's target with a constant in place of the variable index.
fn at_index(target: &Expression, index: usize) -> Expression {
    let number = Expression::Literal {
        bits: 64,
        value: index as u128,
    };
    match target {
        Expression::Field(bundle, field) => Expression::Field(Box::new(at_index(bundle, index)), field.clone()),
        Expression::Element(array, _) => Expression::Element(array.clone(), Box::new(number)),
        Expression::Selected(selected) => Expression::Signal(selected.at(index)),
        other => other.clone(),
    }
}

/// Completes the statements of a condition, so that each of their locals has a value on every path. A local that does
/// not depend on any signal that the statements assign is moved before them. Any other local is initialised to 0,
/// because Verilog would keep its last value.
fn settled(code: Vec<Stmt>, locals: &[SigId], constants: &BTreeSet<SigId>, table: &Table) -> Vec<Stmt> {
    if locals.is_empty() {
        return code;
    }
    let mut targets = BTreeSet::new();
    code.iter().for_each(|s| s.targets(&mut targets));
    let mut before = vec![];
    let code = without_constants(code, constants, &mut targets, &mut before);
    let defaults = locals
        .iter()
        .filter(|local| targets.contains(local))
        .map(|local| Stmt::Assign {
            target: *local,
            low: 0,
            value: literal(0u8, table.sigs[*local].width()),
        });
    before.into_iter().chain(defaults).chain(code).collect()
}

/// Moves locals that depend on none of `targets` to `before`.
fn without_constants(
    code: Vec<Stmt>,
    constants: &BTreeSet<SigId>,
    targets: &mut BTreeSet<SigId>,
    before: &mut Vec<Stmt>,
) -> Vec<Stmt> {
    let mut kept = vec![];
    for s in code {
        match s {
            Stmt::Assign { target, ref value, .. } if constants.contains(&target) => {
                let mut depends = false;
                value.reads(&mut |sig, _, _| depends |= targets.contains(&sig));
                if depends {
                    kept.push(s);
                } else {
                    targets.remove(&target);
                    before.push(s);
                }
            }
            Stmt::If { test, then, other } => kept.push(Stmt::If {
                test,
                then: without_constants(then, constants, targets, before),
                other: without_constants(other, constants, targets, before),
            }),
            Stmt::Case { subject, arms, default } => kept.push(Stmt::Case {
                subject,
                arms: arms
                    .into_iter()
                    .map(|(label, body)| (label, without_constants(body, constants, targets, before)))
                    .collect(),
                default: default.map(|body| without_constants(body, constants, targets, before)),
            }),
            other => kept.push(other),
        }
    }
    kept
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
