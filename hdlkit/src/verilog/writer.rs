//! The state of a module that is being written: its names, its ports, the signals that it introduces.

use super::lower::Temporary;
use super::names::Namer;
use super::print::{part_select, range, section, Names, COLUMNS};
use crate::kernel::resolve::{Role, SigId, Table, Variant};
use crate::kernel::scope::Scope;
use crate::kernel::unroll::Problem;
use std::collections::HashMap;

/// A module being written.
pub(super) struct Writer<'a> {
    pub scope: &'a Scope,
    pub table: &'a Table,
    pub names: Vec<String>,
    pub temporaries: Vec<(String, usize)>,
    pub variants: HashMap<Variant, String>,
    pub namer: Namer,
    pub problems: Vec<Problem>,
    pub paths: Vec<(String, String)>,
    pub own_registers: bool,
}

impl Names for Writer<'_> {
    fn signal(&self, sig: SigId) -> &str {
        &self.names[sig]
    }
    fn signal_width(&self, sig: SigId) -> usize {
        self.table.sigs[sig].width()
    }
    fn temporary(&self, index: usize) -> &str {
        &self.temporaries[index].0
    }
    fn temporary_width(&self, index: usize) -> usize {
        self.temporaries[index].1
    }
    fn variant(&self, variant: &Variant) -> &str {
        &self.variants[variant]
    }
}

impl Writer<'_> {
    pub(super) fn problem(&mut self, statement: &str, reason: &str) {
        self.problems.push(Problem {
            path: self.scope.path.clone(),
            statement: statement.to_string(),
            reason: reason.to_string(),
            place: None,
        });
    }

    pub(super) fn own(&self) -> impl Iterator<Item = (SigId, Role)> + '_ {
        let is_own = |r: Role| !matches!(r, Role::ChildInput(_) | Role::ChildOutput(_));
        self.table
            .sigs
            .iter()
            .enumerate()
            .map(|(id, sig)| (id, sig.role))
            .filter(move |(_, role)| is_own(*role))
    }

    /// Names the block's own signals; its children's signals are named later.
    pub(super) fn name_own(&mut self) {
        self.names = vec![String::new(); self.table.sigs.len()];
        // Ports first: their names are the module's interface and must not depend on its contents.
        let mut own: Vec<(SigId, Role)> = self.own().collect();
        own.sort_by_key(|(_, role)| matches!(role, Role::Local | Role::Constant));
        for (sig, role) in own {
            self.names[sig] = self.namer.name(&self.table.sigs[sig].key);
            if role == Role::InOut {
                self.problem(
                    &self.table.sigs[sig].pretty(),
                    "bidirectional signals are not supported",
                );
            }
            if self.table.sigs[sig].width() == 0 {
                self.problem(&self.table.sigs[sig].pretty(), "has no bits");
            }
        }
    }

    /// The bits of bundles' fields, as comments.
    pub(super) fn layouts(&self, sigs: &[SigId]) -> String {
        let mut text = String::new();
        for sig in sigs {
            let leaves = self.table.sigs[*sig].shape.leaves();
            if leaves.len() < 2 {
                continue;
            }
            let mut line = format!("    // {}:", self.names[*sig]);
            for (index, (path, low, shape)) in leaves.iter().enumerate() {
                let field = part_select(path.trim_start_matches('.'), 0, *low, shape.width());
                let comma = if index > 0 { "," } else { "" };
                if line.len() + field.len() + 2 > COLUMNS {
                    text.push_str(&format!("{line}{comma}\n"));
                    line = format!("    //     {field}");
                } else {
                    line.push_str(&format!("{comma} {field}"));
                }
            }
            text.push_str(&format!("{line}\n"));
        }
        text
    }

    pub(super) fn ports(&self, is_reg: &dyn Fn(SigId) -> bool) -> String {
        let lines: Vec<(String, String, &str)> = self
            .own()
            .filter_map(|(sig, role)| {
                let direction = match role {
                    Role::Input => "input  wire",
                    Role::Output if is_reg(sig) => "output reg ",
                    Role::Output => "output wire",
                    _ => return None,
                };
                Some((
                    direction.to_string(),
                    range(self.table.sigs[sig].width()),
                    self.names[sig].as_str(),
                ))
            })
            .collect();
        let column = lines.iter().map(|(_, range, _)| range.len()).max().unwrap_or(0);
        let lines: Vec<String> = lines
            .iter()
            .map(|(direction, range, name)| format!("    {direction} {range:column$}{name}"))
            .collect();
        if lines.is_empty() {
            return "();\n".into();
        }
        let ports: Vec<SigId> = self
            .own()
            .filter(|(_, role)| matches!(role, Role::Input | Role::Output))
            .map(|(sig, _)| sig)
            .collect();
        let mut text = format!("(\n{}\n);\n", lines.join(",\n"));
        section(&mut text, "Bundles", &self.layouts(&ports));
        text
    }

    /// The left side of a temporary's assignment: its name and the discarded bits around it. Also returns the names to
    /// declare.
    ///
    /// `place` is the assignment's target if the temporary does not need a name.
    pub(super) fn temporary_target(
        &mut self,
        base: &str,
        place: Option<&str>,
        temporary: &Temporary,
    ) -> (String, Vec<(String, usize)>) {
        let mut declared = vec![];
        let (name, rest) = match place {
            Some(place) => (place.to_string(), base.to_string()),
            None => {
                let name = self.namer.name(&format!("{base}_part"));
                declared.push((name.clone(), temporary.width));
                (name.clone(), name)
            }
        };
        let above = temporary.value.width - temporary.low - temporary.width;
        let mut left = vec![];
        for (bits, where_) in [(above, "above"), (temporary.low, "below")] {
            if where_ == "below" {
                left.push(name.clone());
            }
            if bits > 0 {
                let unused = self.namer.name(&format!("{rest}_unused_{where_}"));
                declared.push((unused.clone(), bits));
                left.push(unused);
            }
        }
        self.temporaries.push((name, temporary.width));
        let left = match left.len() {
            1 => left.remove(0),
            _ => format!("{{{}}}", left.join(", ")),
        };
        (left, declared)
    }
}
