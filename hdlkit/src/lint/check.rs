//! The lint of a circuit: names of blocks, and data flow, links and style of kernels.

use super::finding::Finding;
use super::flow::{Bits, Flow};
use crate::circuit::Structure;
use crate::kernel::resolve::{Role, Table};
use crate::kernel::scope::{collect, Scope};
use crate::kernel::shape::Shape;
use crate::kernel::statement::Stmt;
use crate::kernel::syntax::source_text::pretty;
use crate::kernel::syntax::{Block, Form, Loop, Statement};
use crate::kernel::unroll::unroll;
use crate::verilog::names::is_keyword;
use crate::verilog::NO_KERNEL;
use num_bigint::BigUint;
use rust_hdl_core::ast::Verilog;
use std::collections::BTreeSet;

/// Limits of the lint.
#[derive(Clone, Debug)]
pub struct LintOptions {
    /// The maximum width of a signal, or of a field of a bundle, in bits.
    pub max_width: usize,
    /// The maximum number of assignments in a kernel, or in one of its parts (`hdl_part`), as written: an assignment in
    /// a loop counts once.
    pub max_assignments: usize,
    /// True to allow `Signal<Local>`, which kernels of rust-hdl itself need.
    pub local_signals: bool,
}

impl Default for LintOptions {
    fn default() -> Self {
        LintOptions {
            max_width: 64,
            max_assignments: 150,
            local_signals: false,
        }
    }
}

/// All findings in `block` and its inner blocks; empty for a clean circuit.
pub fn lint(block: &dyn Structure) -> Vec<Finding> {
    lint_with(block, &LintOptions::default())
}

/// [`lint`] with custom limits.
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

struct Lint<'a> {
    options: &'a LintOptions,
    findings: Vec<Finding>,
}

/// `top.lanes[3].alu` without indices: the same for equal blocks.
fn family(path: &str) -> String {
    path.chars().filter(|c| !c.is_ascii_digit()).collect()
}

impl Lint<'_> {
    fn add(&mut self, path: &str, statement: &str, reason: impl Into<String>) {
        self.add_at(None, path, statement, reason.into());
    }

    fn add_at(&mut self, place: Option<String>, path: &str, statement: &str, reason: String) {
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
                place,
            });
        }
    }

    fn scope(&mut self, scope: &Scope) {
        self.names(scope);
        match (&scope.kernel, &scope.hdl) {
            (Some(code), _) => self.kernel(scope, code),
            (None, Verilog::Empty | Verilog::Combinatorial(_)) => self.add(&scope.path, "", NO_KERNEL),
            (None, Verilog::Custom(_) | Verilog::Blackbox(_) | Verilog::Wrapper(_)) => {}
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
                        format!("has {width} bits; expected at most {limit} in a signal or field (use an array)"),
                    );
                } else if shape.width() == 0 {
                    self.add(&scope.path, &name, "has no bits");
                }
            }
        }
    }

    fn kernel(&mut self, scope: &Scope, code: &Block) {
        let own = Table::new(scope);
        let mut table = own.clone();
        let unrolled = unroll(scope, &mut table, code);
        if unrolled.problems.is_empty() {
            self.flow(scope, &table, &unrolled.statements);
            self.links(scope, &own, code);
        }
        // A signal in a problem statement would be reported again, as not assigned.
        for problem in unrolled.problems.into_iter().chain(unrolled.notes) {
            self.add_at(problem.place, &problem.path, &problem.statement, problem.reason);
        }
        self.lengths(scope, code);
        if !self.options.local_signals {
            for local in own.sigs.iter().filter(|sig| sig.role == Role::Local) {
                let why = "is a Signal<Local>; expected a `let` where the value is used";
                self.add(&scope.path, &local.pretty(), why);
            }
        }
    }

    /// Reports kernels and parts with too many assignments.
    fn lengths(&mut self, scope: &Scope, code: &Block) {
        let mut pieces = vec![];
        let length = length(code, &mut pieces);
        let limit = self.options.max_assignments;
        if length > limit {
            let reason = format!(
                "has {length} assignments in one piece; expected at most {limit}: split it by subject (#[hdl_part])"
            );
            self.add(&scope.path, "kernel", reason);
        }
        for piece in pieces {
            self.lengths(scope, piece);
        }
    }

    /// Reports latches, signals never assigned, and reads before assignments.
    fn flow(&mut self, scope: &Scope, table: &Table, statements: &[Stmt]) {
        let mut assigned = BTreeSet::new();
        statements.iter().for_each(|s| s.targets(&mut assigned));
        let mut flow = Flow {
            assigned: &assigned,
            ever: Bits::new(),
            early: BTreeSet::new(),
        };
        let mut sure = Bits::new();
        flow.block(statements, &mut sure);
        let (ever, early) = (flow.ever, flow.early);
        for sig in early {
            let why = "is read before it is assigned: Rust sees the last pass's value, Verilog a latch or a loop";
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

    /// Reports signals with two drivers: linked twice, or linked and assigned.
    fn links(&mut self, scope: &Scope, table: &Table, code: &Block) {
        let (mut links, mut others) = (vec![], vec![]);
        split_links(code, &mut links, &mut others);
        let (mut linked, mut assigned) = (BTreeSet::new(), BTreeSet::new());
        for s in unroll(scope, &mut table.clone(), &links).statements {
            if let Stmt::Assign { target, .. } = s {
                if !linked.insert(target) {
                    let name = table.sigs[target].pretty();
                    self.add(&scope.path, &name, "is linked twice: two drivers");
                }
            }
        }
        unroll(scope, &mut table.clone(), &others)
            .statements
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

/// Separates a kernel's link statements from all others, each with the loops around them.
fn split_links(code: &Block, links: &mut Block, others: &mut Block) {
    for s in code {
        match &s.form {
            Form::Link(_) => links.push(s.clone()),
            Form::Loop(l) => {
                let (mut inner_links, mut inner_others) = (vec![], vec![]);
                split_links(&l.block, &mut inner_links, &mut inner_others);
                for (block, list) in [(inner_links, &mut *links), (inner_others, &mut *others)] {
                    list.push(Statement {
                        form: Form::Loop(Loop { block, ..l.clone() }),
                        ..s.clone()
                    });
                }
            }
            _ => others.push(s.clone()),
        }
    }
}

/// The number of assignments in a piece of a kernel. Separate pieces in it, parts and expansions of macros, are not
/// counted, but added to `pieces`.
fn length<'a>(code: &'a Block, pieces: &mut Vec<&'a Block>) -> usize {
    code.iter().map(|statement| length_of(statement, pieces)).sum()
}

fn length_of<'a>(statement: &'a Statement, pieces: &mut Vec<&'a Block>) -> usize {
    match &statement.form {
        Form::Assign(..) | Form::Let(_) | Form::Tuple(..) | Form::Link(_) => 1,
        Form::If(conditional) => {
            let otherwise = conditional.otherwise.as_ref().map_or(0, |block| length(block, pieces));
            length(&conditional.then, pieces) + otherwise
        }
        Form::Match(choice) => choice.cases.iter().map(|(_, block)| length(block, pieces)).sum(),
        Form::Loop(repetition) => length(&repetition.block, pieces),
        Form::Piece(piece) => {
            pieces.push(piece);
            0
        }
        Form::Call(call) => {
            pieces.push(&call.block);
            0
        }
        Form::Comment(_) | Form::Value(_) => 0,
    }
}
