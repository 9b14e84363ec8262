//! What a module consists of besides logic: instances of other modules, and registers.

use super::names::Namer;
use super::print::{broken, print, print_literal};
use super::writer::Writer;
use crate::kernel::expression::Expr;
use crate::kernel::resolve::SigId;
use num_bigint::BigUint;
use rust_hdl_core::atom::AtomKind;
use std::collections::{BTreeMap, HashMap};

/// A child that has a module of its own.
pub(crate) struct Part {
    pub module: String,
    /// Inputs and outputs (by key) with a path between them within a cycle; perhaps more than there are.
    pub paths: Vec<(String, String)>,
}

impl Writer<'_> {
    pub(super) fn instances(
        &self,
        names: &[String],
        parts: &HashMap<usize, Part>,
        direct: &BTreeMap<SigId, Expr>,
    ) -> String {
        let mut text = String::new();
        for (index, child) in self.scope.children.iter().enumerate() {
            let Some(Part { module, .. }) = parts.get(&index) else {
                continue;
            };
            // A child's ports are named in the same order as in its own module.
            let mut namer = Namer::default();
            let mut ports = vec![];
            for atom in child.atoms.iter().filter(|a| a.kind.is_parameter()) {
                let port = namer.name(&atom.key);
                let sig = self.table.named(&format!("{}${}", child.instance, atom.key));
                let value = match direct.get(&sig) {
                    Some(value) if atom.kind == AtomKind::InputParameter => print(value, self),
                    _ => self.names[sig].clone(),
                };
                ports.push(format!("        .{port}({value})"));
            }
            text.push_str(&format!(
                "    {module} {} (\n{}\n    );\n",
                names[index],
                ports.join(",\n")
            ));
        }
        text
    }

    /// Flip-flops, those of one clock together.
    pub(super) fn registers(&self, registers: &BTreeMap<usize, BigUint>, direct: &BTreeMap<SigId, Expr>) -> String {
        let mut initial = String::new();
        let mut by_clock: Vec<(String, String)> = vec![];
        for (child, value) in registers {
            let port = |name: &str| {
                let sig = self
                    .table
                    .named(&format!("{}${name}", self.scope.children[*child].instance));
                match direct.get(&sig) {
                    Some(value) => print(value, self),
                    None => self.names[sig].clone(),
                }
            };
            let q = self.table.named(&format!("{}$q", self.scope.children[*child].instance));
            let (clock, d, name) = (port("clock"), port("d"), &self.names[q]);
            let value = print_literal(value, self.table.sigs[q].width());
            initial.push_str(&format!("        {name} = {value};\n"));
            let line = broken(2, &format!("{name} <= {d};"));
            match by_clock.iter_mut().find(|(c, _)| *c == clock) {
                Some((_, lines)) => lines.push_str(&line),
                None => by_clock.push((clock, line)),
            }
        }
        if initial.is_empty() {
            return String::new();
        }
        let mut text = format!("    initial begin\n{initial}    end\n");
        for (clock, lines) in by_clock {
            text.push_str(&format!("    always @(posedge {clock}) begin\n{lines}    end\n"));
        }
        text
    }
}
