//! Export of a circuit: its modules, each distinct body once, as one text.

use super::module::body;
use super::names::{module_name, Namer};
use super::parts::ChildModule;
use crate::circuit::Structure;
use crate::kernel::scope::{collect, Scope};
use crate::kernel::unroll::Problem;
use rust_hdl_core::ast::Verilog;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A text that depends on a block's path, such as `top.lanes[3].alu`.
pub type OfPath = Box<dyn Fn(&str) -> Option<String>>;

/// Options of the export.
pub struct ExportOptions {
    /// The name of the top module.
    pub top_name: String,
    /// The module's name for the block at a path such as `top.lanes[3].alu`. `None` selects the default: its type's
    /// name, or for a memory, and for a type with several bodies here, the surrounding module's name and its own name
    /// there. Blocks with equal names and bodies share a module; different bodies under one name are distinguished by a
    /// number.
    pub name_of: OfPath,
    /// A comment for the head of the block's module, by path.
    pub comment_of: OfPath,
    /// A comment for the head of the file.
    pub header: String,
    /// True if every register is a signal with its own name; otherwise a register that only drives an output port has
    /// the port's name.
    pub own_registers: bool,
}

impl ExportOptions {
    /// Default names, no comments.
    pub fn new(top_name: impl Into<String>) -> Self {
        ExportOptions {
            top_name: top_name.into(),
            name_of: Box::new(|_| None),
            comment_of: Box::new(|_| None),
            header: String::new(),
            own_registers: false,
        }
    }
}

/// The reason why a circuit was not exported.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ExportError {
    /// The top is an array or a signal.
    #[error("the top of a design must be one block")]
    NotOneBlock,
    /// All problems found in every block.
    #[error("{}", .0.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
    Problems(Vec<Problem>),
}

/// The Verilog of `uut`: the top module first, then its parts in the order of use.
///
/// Memories are exported with their current contents. The export is deterministic.
///
/// # Errors
/// [`ExportError::Problems`] if a kernel has no exact Verilog or a signal is never assigned.
pub fn export(uut: &dyn Structure, options: &ExportOptions) -> Result<String, ExportError> {
    let top = collect(uut, &options.top_name).ok_or(ExportError::NotOneBlock)?;
    let mut by_place = BTreeSet::new();
    let (exporter, top_name) = loop {
        let mut exporter = Exporter {
            options,
            by_place: &by_place,
            several: BTreeSet::new(),
            namer: Namer::default(),
            by_body: HashMap::new(),
            modules: BTreeMap::new(),
            external: BTreeSet::new(),
            problems: vec![],
        };
        let top_name = exporter.namer.name(&options.top_name);
        exporter.module(&top, Some(top_name.clone()), "");
        if !exporter.problems.is_empty() {
            return Err(ExportError::Problems(exporter.problems));
        }
        let several = std::mem::take(&mut exporter.several);
        if several.is_subset(&by_place) {
            break (exporter, top_name);
        }
        by_place.extend(several);
    };
    let mut text = String::new();
    for line in options.header.lines() {
        text.push_str(format!("// {line}").trim_end());
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str("`default_nettype none\n");
    exporter.write(&top_name, &mut BTreeSet::new(), &mut text);
    for code in &exporter.external {
        text.push_str(&format!("\n{}\n", code.trim()));
    }
    text.push_str("\n`default_nettype wire\n");
    Ok(text)
}

struct Module {
    comment: String,
    text: String,
    /// The modules that it instantiates, in order.
    uses: Vec<String>,
}

struct Exporter<'a> {
    options: &'a ExportOptions,
    /// Types with modules named for their positions, because they have several bodies.
    by_place: &'a BTreeSet<&'static str>,
    /// Types found to have several bodies.
    several: BTreeSet<&'static str>,
    namer: Namer,
    /// The modules' names, by requested name and body.
    by_body: HashMap<(String, String), String>,
    modules: BTreeMap<String, Module>,
    external: BTreeSet<String>,
    problems: Vec<Problem>,
}

impl Exporter<'_> {
    /// The name of the module for `scope` in the module `parent`; its parts are named first.
    fn module(&mut self, scope: &Scope, name: Option<String>, parent: &str) -> ChildModule {
        let wanted = name.clone().unwrap_or_else(|| {
            let type_name = match self.by_place.contains(scope.type_name) {
                true => "",
                false => scope.type_name,
            };
            (self.options.name_of)(&scope.path).unwrap_or_else(|| module_name(type_name, parent, &scope.instance))
        });
        let mut parts = HashMap::new();
        let mut uses = vec![];
        for (index, child) in scope.children.iter().enumerate() {
            if child.register.is_none() {
                let part = self.module(child, None, &wanted);
                uses.push(part.module.clone());
                parts.insert(index, part);
            }
        }
        let body = match body(scope, &parts, self.options.own_registers) {
            Ok(body) => body,
            Err(problems) => {
                // Equal mistakes in several lanes are reported once.
                for problem in problems {
                    let known = |p: &Problem| p.statement == problem.statement && p.reason == problem.reason;
                    if !self.problems.iter().any(known) || problem.statement.is_empty() {
                        self.problems.push(problem);
                    }
                }
                return ChildModule {
                    module: String::new(),
                    paths: vec![],
                };
            }
        };
        let paths = body.paths;
        self.external.extend(body.external);
        if let Verilog::Blackbox(black_box) = &scope.hdl {
            let module = black_box.name.clone();
            return ChildModule { module, paths };
        }
        let key = (wanted, body.text);
        if name.is_none() {
            if let Some(known) = self.by_body.get(&key) {
                let module = known.clone();
                return ChildModule { module, paths };
            }
        }
        if !scope.type_name.is_empty() && self.by_body.keys().any(|(wanted, _)| *wanted == key.0) {
            self.several.insert(scope.type_name);
        }
        let name = name.unwrap_or_else(|| self.namer.name(&key.0));
        let mut comment = String::new();
        for line in (self.options.comment_of)(&scope.path).iter().flat_map(|c| c.lines()) {
            comment.push_str(format!("// {line}").trim_end());
            comment.push('\n');
        }
        let text = key.1.clone();
        self.by_body.insert(key, name.clone());
        self.modules.insert(name.clone(), Module { comment, text, uses });
        ChildModule { module: name, paths }
    }

    fn write(&self, name: &str, written: &mut BTreeSet<String>, text: &mut String) {
        let Some(module) = self.modules.get(name) else {
            return;
        };
        if !written.insert(name.to_string()) {
            return;
        }
        text.push_str(&format!("\n{}module {name} {}", module.comment, module.text));
        text.push_str("\nendmodule\n");
        for part in &module.uses {
            self.write(part, written, text);
        }
    }
}
