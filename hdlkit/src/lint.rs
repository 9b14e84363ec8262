//! Kernel lint: finds without simulating what would run differently in Verilog, or not at all.
//!
//! `#[hdl_gen]` sees names, not types, so a kernel can compile and still have no exact Verilog. Besides everything that
//! the exporter rejects, the lint holds the rules under which kernels stay readable in both languages:
//!
//! | rule | why |
//! |---|---|
//! | every signal is assigned, on every path | else it is a latch, or undriven |
//! | nothing is read before it is assigned | Rust sees the last pass's value, Verilog a latch or a loop |
//! | one operator per statement | `.index()` and `.into()` leave no trace in the syntax, so a compound may mean two things |
//! | parentheses around mixed operators | Rust and Verilog rank `&`, `\|`, `^` and comparisons differently |
//! | clocks are connected, not computed | one clock, no gating |
//! | no reserved words, no signal above 64 bits | names survive into Verilog; wide signals are slow |
//!
//! Conditions of `&&`, `||` and `!` over signals, comparisons and reductions of signals may be as long as they like, and
//! so may `&`, `|`, `^` and `!` over signals and over casts shifted by a constant: their width is that of each operand.

use crate::circuit::Structure;
use crate::kernel::resolve::{Name, Role, SigId, Table};
use crate::kernel::scope::{collect, Scope};
use crate::kernel::shape::Shape;
use crate::kernel::source_text::{self, pretty};
use crate::kernel::statement::Stmt;
use crate::kernel::translate::Translator;
use crate::kernel::unroll::unroll;
use crate::kernel::Loops;
use crate::verilog::names::is_keyword;
use num_bigint::BigUint;
use rust_hdl_core::ast::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// Something that a kernel should not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The block, as `top.lanes[0].alu`; of equal blocks the first.
    pub path: String,
    /// The statement or signal, as in the source.
    pub statement: String,
    /// What is wrong with it.
    pub reason: String,
    /// File and line, if [`locate`] found them.
    pub place: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}", self.path)?;
        if !self.statement.is_empty() {
            write!(f, ": `{}`", self.statement)?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// Limits of the lint.
#[derive(Clone, Debug)]
pub struct LintOptions {
    /// Bits of a signal, or of one field of a bundle.
    pub max_width: usize,
}

impl Default for LintOptions {
    fn default() -> Self {
        LintOptions { max_width: 64 }
    }
}

/// All findings in `block` and the blocks in it; none is good.
pub fn lint(block: &dyn Structure) -> Vec<Finding> {
    lint_with(block, &LintOptions::default())
}

/// [`lint`] with limits of one's own.
pub fn lint_with(block: &dyn Structure, options: &LintOptions) -> Vec<Finding> {
    let mut lint = Lint {
        options,
        findings: vec![],
    };
    match collect(block, "top") {
        Some(scope) => lint.scope(&scope),
        None => lint.add("top", "", "the top of a design must be one block"),
    }
    lint.findings
}

/// Adds file and line to the findings whose statement stands in exactly one place in the Rust sources under `sources`.
///
/// # Errors
/// If a directory or a file cannot be read.
pub fn locate(findings: &mut [Finding], sources: &Path) -> std::io::Result<()> {
    let mut files = vec![];
    let mut open = vec![sources.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push((path.clone(), std::fs::read_to_string(path)?));
            }
        }
    }
    for finding in findings {
        // Only an assignment's left side is printed exactly as it is written.
        let Some((target, _)) = finding.statement.split_once(" = ") else {
            continue;
        };
        let start = format!("{target} = ");
        let mut places = vec![];
        for (path, source) in &files {
            for (index, line) in source.lines().enumerate() {
                if line.trim_start().starts_with(&start) {
                    places.push((format!("{}:{}", path.display(), index + 1), line.trim()));
                }
            }
        }
        let exact: Vec<_> = places
            .iter()
            .filter(|(_, line)| line.trim_end_matches([';', ',']) == finding.statement)
            .collect();
        if let [(place, _)] = exact[..] {
            finding.place = Some(place.clone());
        } else if let ([(place, _)], true) = (&places[..], exact.is_empty()) {
            finding.place = Some(place.clone());
        }
    }
    Ok(())
}

struct Lint<'a> {
    options: &'a LintOptions,
    findings: Vec<Finding>,
}

/// `top.lanes[3].alu` without indices: equal blocks.
fn family(path: &str) -> String {
    path.chars().filter(|c| !c.is_ascii_digit()).collect()
}

impl Lint<'_> {
    fn add(&mut self, path: &str, statement: &str, reason: impl Into<String>) {
        let reason = reason.into();
        let known = |f: &Finding| {
            family(&f.path) == family(path)
                && family(&f.statement) == family(statement)
                && family(&f.reason) == family(&reason)
        };
        if !self.findings.iter().any(known) {
            self.findings.push(Finding {
                path: path.to_string(),
                statement: statement.to_string(),
                reason,
                place: None,
            });
        }
    }

    fn scope(&mut self, scope: &Scope) {
        self.names(scope);
        match &scope.hdl {
            Verilog::Combinatorial(code) => self.kernel(scope, code),
            Verilog::Empty => self.add(&scope.path, "", "has no kernel (#[hdl_gen]) and no hdl() of its own"),
            Verilog::Custom(_) | Verilog::Blackbox(_) | Verilog::Wrapper(_) => {}
        }
        for child in &scope.children {
            self.scope(child);
        }
    }

    fn names(&mut self, scope: &Scope) {
        let is_register = scope.register.is_some();
        let instances = scope.children.iter().map(|c| c.instance.as_str());
        for name in scope.atoms.iter().map(|a| a.key.as_str()).chain(instances) {
            if is_keyword(name) {
                self.add(
                    &scope.path,
                    &pretty(name),
                    "is a reserved word of Verilog or SystemVerilog",
                );
            }
        }
        for atom in scope.atoms.iter().filter(|_| !is_register) {
            for (field, _, shape) in atom.shape.leaves() {
                let name = format!("{}{field}", pretty(&atom.key));
                if shape.width() > self.options.max_width {
                    let (width, limit) = (shape.width(), self.options.max_width);
                    self.add(
                        &scope.path,
                        &name,
                        format!("has {width} bits; {limit} is the most for a signal or field (use an array)"),
                    );
                } else if shape.width() == 0 {
                    self.add(&scope.path, &name, "has no bits");
                }
            }
        }
    }

    fn kernel(&mut self, scope: &Scope, code: &VerilogBlock) {
        let table = Table::new(scope);
        let (statements, problems) = unroll(scope, &table, code);
        if problems.is_empty() {
            self.flow(scope, &table, &statements);
            self.links(scope, &table, code);
        }
        // What was not understood would only be reported again, as not assigned.
        for problem in problems {
            self.add(&problem.path, &problem.statement, problem.reason);
        }
        let mut style = Style {
            table: &table,
            loops: vec![],
            found: vec![],
        };
        style.block(code);
        for (statement, reason) in style.found {
            self.add(&scope.path, &statement, reason);
        }
    }

    /// Latches, signals never assigned, reads before assignments.
    fn flow(&mut self, scope: &Scope, table: &Table, statements: &[Stmt]) {
        let mut last = BTreeMap::new();
        for (index, s) in statements.iter().enumerate() {
            let mut targets = BTreeSet::new();
            s.targets(&mut targets);
            last.extend(targets.into_iter().map(|t| (t, index)));
        }
        let mut flow = Flow {
            table,
            last: &last,
            at: 0,
            ever: Bits::new(),
            early: BTreeSet::new(),
            stale: BTreeSet::new(),
        };
        let mut sure = Bits::new();
        for (index, s) in statements.iter().enumerate() {
            flow.at = index;
            flow.statement(s, &mut sure);
        }
        let (ever, early, stale) = (flow.ever, flow.early, flow.stale);
        for sig in early {
            let why = "is read before it is assigned: Rust sees the last pass's value, Verilog a latch or a loop";
            self.add(&scope.path, &table.sigs[sig].pretty(), why);
        }
        for sig in stale {
            let why =
                "is a child's input that is read before its last assignment: Rust sees the final value, Verilog not";
            self.add(&scope.path, &table.sigs[sig].pretty(), why);
        }
        let none = BigUint::default();
        for (sig, info) in table.sigs.iter().enumerate() {
            let all = (BigUint::from(1u8) << info.width()) - 1u8;
            let ever = ever.get(&sig).unwrap_or(&none);
            let sure = sure.get(&sig).unwrap_or(&none);
            let assignable = matches!(info.role, Role::Output | Role::Local | Role::ChildInput(_));
            if assignable && *ever == none {
                self.add(&scope.path, &info.pretty(), "is never assigned");
            } else if assignable && *ever != all {
                let which = bit_names(&info.shape, &(&all ^ ever));
                self.add(&scope.path, &info.pretty(), format!("{which} never assigned"));
            } else if *sure != *ever {
                let which = match sure == &none {
                    true => "is".to_string(),
                    false => bit_names(&info.shape, &(ever ^ sure)),
                };
                self.add(
                    &scope.path,
                    &info.pretty(),
                    format!("{which} not assigned on every path (a latch): assign a default first"),
                );
            }
        }
    }

    /// Signals with two drivers: linked twice, or linked and assigned.
    fn links(&mut self, scope: &Scope, table: &Table, code: &VerilogBlock) {
        let (mut links, mut others) = (vec![], vec![]);
        split_links(code, &mut links, &mut others);
        let (mut linked, mut assigned) = (BTreeSet::new(), BTreeSet::new());
        for s in unroll(scope, table, &links).0 {
            if let Stmt::Assign { target, .. } = s {
                if !linked.insert(target) {
                    let name = table.sigs[target].pretty();
                    self.add(&scope.path, &name, "is linked twice: two drivers");
                }
            }
        }
        unroll(scope, table, &others)
            .0
            .iter()
            .for_each(|s| s.targets(&mut assigned));
        for target in linked.intersection(&assigned) {
            let name = table.sigs[*target].pretty();
            self.add(&scope.path, &name, "is linked and also assigned: two drivers");
        }
    }
}

/// The fields (or bits) of `shape` in `mask`, with a verb.
fn bit_names(shape: &Shape, mask: &BigUint) -> String {
    let mut fields = vec![];
    for (path, low, leaf) in shape.leaves() {
        let field = ((BigUint::from(1u8) << leaf.width()) - 1u8) << low;
        if field & mask != BigUint::default() && !path.is_empty() {
            fields.push(format!("`{path}`"));
        }
    }
    match fields.len() {
        0 => "some bits are".into(),
        1 => format!("{} is", fields[0]),
        _ => format!("{} are", fields.join(", ")),
    }
}

/// The link statements of a kernel and all others, with the loops around them.
fn split_links(code: &VerilogBlock, links: &mut VerilogBlock, others: &mut VerilogBlock) {
    for s in code {
        match s {
            VerilogStatement::Link(_) => links.push(s.clone()),
            VerilogStatement::Loop(l) => {
                let (mut inner_links, mut inner_others) = (vec![], vec![]);
                split_links(&l.block, &mut inner_links, &mut inner_others);
                for (block, list) in [(inner_links, &mut *links), (inner_others, &mut *others)] {
                    list.push(VerilogStatement::Loop(VerilogLoop { block, ..l.clone() }));
                }
            }
            _ => others.push(s.clone()),
        }
    }
}

/// Bits of signals.
type Bits = BTreeMap<SigId, BigUint>;

/// Walks a kernel in its order.
struct Flow<'a> {
    table: &'a Table,
    /// The last top-level statement that assigns a signal.
    last: &'a BTreeMap<SigId, usize>,
    /// The current top-level statement.
    at: usize,
    /// Bits assigned anywhere.
    ever: Bits,
    /// Signals read before they are assigned.
    early: BTreeSet<SigId>,
    /// Inputs of children read before their last assignment.
    stale: BTreeSet<SigId>,
}

impl Flow<'_> {
    fn read(&mut self, e: &crate::kernel::expression::Expr, sure: &Bits) {
        e.reads(&mut |sig, low, width| {
            let Some(last) = self.last.get(&sig) else {
                return;
            };
            if matches!(self.table.sigs[sig].role, Role::ChildInput(_)) {
                if *last >= self.at {
                    self.stale.insert(sig);
                }
                return;
            }
            let mask = ((BigUint::from(1u8) << width) - 1u8) << low;
            let known = sure.get(&sig).cloned().unwrap_or_default();
            if &mask & known != mask {
                self.early.insert(sig);
            }
        });
    }

    fn block(&mut self, body: &[Stmt], sure: &mut Bits) {
        for s in body {
            self.statement(s, sure);
        }
    }

    fn statement(&mut self, s: &Stmt, sure: &mut Bits) {
        match s {
            Stmt::Comment(_) => {}
            Stmt::Assign { target, low, value } => {
                self.read(value, sure);
                let mask = ((BigUint::from(1u8) << value.width) - 1u8) << *low;
                *sure.entry(*target).or_default() |= &mask;
                *self.ever.entry(*target).or_default() |= mask;
            }
            Stmt::If { test, then, other } => {
                self.read(test, sure);
                let mut second = sure.clone();
                self.block(then, sure);
                self.block(other, &mut second);
                intersect(sure, &second);
            }
            Stmt::Case { subject, arms, default } => {
                self.read(subject, sure);
                let before = sure.clone();
                // Without a default nothing is sure but what was.
                self.block(default.as_deref().unwrap_or_default(), sure);
                for (_, body) in arms {
                    let mut one = before.clone();
                    self.block(body, &mut one);
                    intersect(sure, &one);
                }
            }
        }
    }
}

fn intersect(a: &mut Bits, b: &Bits) {
    a.retain(|sig, bits| {
        *bits &= b.get(sig).cloned().unwrap_or_default();
        *bits != BigUint::default()
    });
}

/// Walks a kernel as written.
struct Style<'a> {
    table: &'a Table,
    loops: Loops,
    found: Vec<(String, String)>,
}

fn bare(e: &VerilogExpression) -> &VerilogExpression {
    match e {
        VerilogExpression::Paren(inner) => bare(inner),
        e => e,
    }
}

fn is_compare(op: &VerilogOp) -> bool {
    use VerilogOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

fn is_logic(op: &VerilogOp) -> bool {
    matches!(op, VerilogOp::LogicalAnd | VerilogOp::LogicalOr)
}

/// Operators that go bit by bit.
fn is_bitwise(op: &VerilogOp) -> bool {
    matches!(op, VerilogOp::BitAnd | VerilogOp::BitOr | VerilogOp::BitXor)
}

fn same(a: &VerilogOp, b: &VerilogOp) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

impl Style<'_> {
    fn translator(&self) -> Translator<'_> {
        Translator {
            table: self.table,
            loops: &self.loops,
            inline_constants: false,
        }
    }

    fn block(&mut self, code: &VerilogBlock) {
        for s in code {
            self.statement(s);
        }
    }

    fn note(&mut self, s: &VerilogStatement, reason: &str) {
        self.found.push((source_text::statement(s), reason.to_string()));
    }

    fn statement(&mut self, s: &VerilogStatement) {
        match s {
            VerilogStatement::Assignment(target, value) => {
                self.expression(s, value);
                let width = self.translator().width(target).ok().flatten();
                if let VerilogExpression::Signed(inner) = bare(value) {
                    let from = self.translator().width(inner).ok().flatten();
                    if from != width {
                        let why =
                            "signed_bit_cast never returns for the least value (rust-hdl): extend the sign by hand";
                        self.note(s, why);
                    }
                }
                if let VerilogExpression::Signal(name) = target {
                    if let Ok(Name::Signal { sig, .. }) = self.table.resolve(name, &self.loops) {
                        let plain = matches!(bare(value), VerilogExpression::Signal(_));
                        if self.table.sigs[sig].clock && !plain {
                            self.note(s, "a clock is computed: connect the clock as it is");
                        }
                    }
                }
            }
            VerilogStatement::SliceAssignment { replacement, .. } => self.expression(s, replacement),
            VerilogStatement::If(c) => {
                self.expression(s, &c.test);
                self.block(&c.then);
                match &c.otherwise {
                    VerilogBlockOrConditional::Block(block) => self.block(block),
                    VerilogBlockOrConditional::Conditional(inner) => self.statement(inner),
                    VerilogBlockOrConditional::None => {}
                }
            }
            VerilogStatement::Match(m) => {
                self.expression(s, &m.test);
                if !m.cases.iter().any(|c| c.condition == "default") && !self.every_variant(m) {
                    self.note(s, "has no `_` arm");
                }
                for case in &m.cases {
                    self.block(&case.block);
                }
            }
            VerilogStatement::Loop(l) => {
                // Style does not depend on the index: the first turn is enough.
                if l.from.as_usize() < l.to.as_usize() {
                    self.loops.push((l.index.clone(), l.from.as_usize() as i128));
                    self.block(&l.block);
                    self.loops.pop();
                }
            }
            VerilogStatement::Macro(block) => self.block(block),
            VerilogStatement::Comment(_) | VerilogStatement::Link(_) => {}
        }
    }

    /// A match over an enum that names each of its variants, to which rustc would not let one add `_`.
    fn every_variant(&self, m: &VerilogMatch) -> bool {
        let VerilogExpression::Signal(name) = bare(&m.test) else {
            return false;
        };
        match self.table.resolve(name, &self.loops) {
            Ok(Name::Signal {
                shape: Shape::Enum(variants),
                ..
            }) => m.cases.len() >= variants.len(),
            _ => false,
        }
    }

    fn expression(&mut self, s: &VerilogStatement, e: &VerilogExpression) {
        let mut mixed = false;
        precedence(e, &mut mixed);
        if mixed {
            self.note(
                s,
                "mixes operators without parentheses, which Rust and Verilog rank differently",
            );
        }
        if !self.simple(e) {
            self.note(
                s,
                "has more than one operator: assign the inner one to a Local first, whose type fixes its width",
            );
        }
    }

    /// A signal, a literal, or bits of one.
    fn plain(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        if self.translator().constant(e).is_some() {
            return true;
        }
        match bare(e) {
            Signal(_) | Literal(_) => true,
            Cast(inner, _) | Signed(inner) | Unsigned(inner) => self.plain(inner),
            Slice(inner, _, index) | Index(inner, index) => self.plain(inner) && self.index(index),
            _ => false,
        }
    }

    /// A signal, or a constant multiple of one.
    fn index(&self, e: &VerilogExpression) -> bool {
        if self.plain(e) {
            return true;
        }
        match bare(e) {
            VerilogExpression::Binary(left, VerilogOp::Mul | VerilogOp::Shl | VerilogOp::Add, right) => {
                let constant = |e: &VerilogExpression| self.translator().constant(e).is_some();
                (self.index(left) && constant(right)) || (constant(left) && self.index(right))
            }
            _ => false,
        }
    }

    /// At most one operator besides conditions.
    fn simple(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        if self.plain(e) || self.condition(e) {
            return true;
        }
        match bare(e) {
            Binary(_, op, _) if is_bitwise(op) => self.bitwise(e),
            Binary(left, _, right) => self.plain(left) && self.plain(right),
            Unary(_, inner) => self.plain(inner),
            IndexReplace(inner, index, bit) => self.plain(inner) && self.index(index) && self.condition(bit),
            _ => false,
        }
    }

    /// `&`, `|`, `^` and `!` of plain operands and conditions: all of one width, whatever the order.
    fn bitwise(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        match bare(e) {
            Binary(left, op, right) if is_bitwise(op) => self.bitwise(left) && self.bitwise(right),
            Binary(left, VerilogOp::Shl | VerilogOp::Shr, right) => {
                matches!(bare(left), Cast(..)) && self.plain(left) && self.translator().constant(right).is_some()
            }
            Unary(VerilogOpUnary::Not, inner) => self.bitwise(inner),
            inner => self.plain(inner) || self.condition(inner),
        }
    }

    /// Booleans of signals and of single comparisons and reductions.
    fn condition(&self, e: &VerilogExpression) -> bool {
        use VerilogExpression::*;
        match bare(e) {
            Binary(left, op, right) if is_logic(op) => self.condition(left) && self.condition(right),
            Binary(left, op, right) if is_compare(op) => self.plain(left) && self.plain(right),
            Unary(VerilogOpUnary::Not, inner) => {
                self.translator().width(inner).ok().flatten() == Some(1) && self.condition(inner)
            }
            Unary(VerilogOpUnary::All | VerilogOpUnary::Any | VerilogOpUnary::Xor, inner) => self.plain(inner),
            inner => self.plain(inner),
        }
    }
}

/// Sets `mixed` if an operator is an operand of another one without parentheses, other than of itself.
fn precedence(e: &VerilogExpression, mixed: &mut bool) {
    use VerilogExpression::*;
    match e {
        Binary(left, op, right) => {
            for inner in [left, right] {
                if let Binary(_, other, _) = &**inner {
                    // Of conditions everyone knows the ranks, and they are the same in both.
                    *mixed |= !(same(op, other) || is_logic(op) && (is_compare(other) || is_logic(other)));
                }
                precedence(inner, mixed);
            }
        }
        Paren(inner) | Cast(inner, _) | Signed(inner) | Unsigned(inner) | Unary(_, inner) => precedence(inner, mixed),
        // An index is `usize`, whose operators rank alike in both.
        Index(inner, _) | Slice(inner, _, _) => precedence(inner, mixed),
        IndexReplace(inner, _, bit) => {
            precedence(inner, mixed);
            precedence(bit, mixed);
        }
        Signal(_) | Literal(_) => {}
    }
}
