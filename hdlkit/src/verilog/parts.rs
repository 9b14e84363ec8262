//! Parts of a module: instances of other modules, and registers.

use super::names::Namer;
use super::print::{broken, print, print_literal};
use super::writer::Writer;
use crate::kernel::expression::Expr;
use crate::kernel::resolve::{Role, SigId};
use rust_hdl_core::atom::AtomKind;
use std::collections::{BTreeMap, HashMap};

/// A child with a separate module.
pub(crate) struct ChildModule {
    pub module: String,
    /// Inputs and outputs (by key) with a path between them within a cycle; a superset.
    pub paths: Vec<(String, String)>,
}

/// Direct connections of a module's parts, without a signal in between.
#[derive(Default)]
pub(super) struct Connections {
    /// Inputs of parts, and their drivers.
    pub direct: BTreeMap<SigId, Expr>,
    /// Outputs of parts, and the module's outputs that they drive.
    pub passed_on: BTreeMap<SigId, SigId>,
}

impl Writer<'_> {
    /// True if this child is a register, which does not have a separate module.
    pub(super) fn is_register(&self, child: usize) -> bool {
        self.scope.children[child].register.is_some()
    }

    /// Instances of other modules.
    pub(super) fn instances(
        &self,
        names: &[String],
        parts: &HashMap<usize, ChildModule>,
        connections: &Connections,
    ) -> String {
        let mut text = String::new();
        for (index, child) in self.scope.children.iter().enumerate() {
            let Some(ChildModule { module, .. }) = parts.get(&index) else {
                continue;
            };
            // A child's ports are named in the same order as in its own module.
            let mut namer = Namer::default();
            let mut ports = vec![];
            for atom in child.atoms.iter().filter(|a| a.kind.is_parameter()) {
                let port = namer.name(&atom.key);
                let sig = self.table.named(&format!("{}${}", child.instance, atom.key));
                let value = match connections.direct.get(&sig) {
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

    /// The signals that registers drive.
    pub(super) fn held<'a>(&'a self, connections: &'a Connections) -> impl Iterator<Item = SigId> + 'a {
        let sigs = self.table.sigs.iter().enumerate();
        let outputs = sigs.filter(|(_, info)| matches!(info.role, Role::ChildOutput(child) if self.is_register(child)));
        outputs.map(|(sig, _)| connections.passed_on.get(&sig).copied().unwrap_or(sig))
    }

    /// Flip-flops, grouped by clock.
    pub(super) fn registers(&self, connections: &Connections) -> String {
        let mut initial = String::new();
        let mut by_clock: Vec<(String, String)> = vec![];
        for child in &self.scope.children {
            let Some(value) = &child.register else {
                continue;
            };
            let signal = |name: &str| self.table.named(&format!("{}${name}", child.instance));
            let port = |name: &str| match connections.direct.get(&signal(name)) {
                Some(value) => print(value, self),
                None => self.names[signal(name)].clone(),
            };
            let q = signal("q");
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
