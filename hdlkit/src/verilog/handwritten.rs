//! Modules with Verilog written by hand: their text, with the signals renamed as in this export.

use super::print::{print_literal, range, section};
use super::writer::Writer;
use crate::kernel::resolve::Role;
use std::collections::{BTreeSet, HashMap};

/// True if the text is entirely clocked: then no output follows an input within a cycle. Text with a continuous
/// assignment may have such a path.
pub(super) fn is_clocked(code: &str) -> bool {
    !code.contains("assign") && !code.contains("@*") && !code.contains("@(*")
}

impl Writer<'_> {
    /// A module with a body given as text, in which signals have rust-hdl's names (`bus$data`).
    pub(super) fn custom(&mut self, code: &str, wrapper: bool) -> String {
        self.name_own();
        if !self.scope.children.is_empty() {
            self.problem("", "has both children and a Verilog body of its own");
        }
        let renamed: HashMap<&str, &str> = self
            .own()
            .map(|(sig, _)| (self.table.sigs[sig].key.as_str(), self.names[sig].as_str()))
            .collect();
        let mut code_out = String::new();
        let mut assigned = BTreeSet::new();
        let mut mentioned = BTreeSet::new();
        let mut in_assign = false;
        let mut rest = code;
        while !rest.is_empty() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if end == 0 {
                let c = rest.chars().next().unwrap_or(' ');
                in_assign &= c != '=';
                code_out.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let word = &rest[..end];
            mentioned.insert(word.to_string());
            if in_assign {
                assigned.insert(word.to_string());
            }
            in_assign |= word == "assign";
            code_out.push_str(renamed.get(word).copied().unwrap_or(word));
            rest = &rest[end..];
        }
        let mut constants = String::new();
        let mut locals = String::new();
        for (sig, role) in self.own() {
            let info = &self.table.sigs[sig];
            let name = &self.names[sig];
            match role {
                Role::Constant if mentioned.contains(&info.key) => {
                    let value = print_literal(&info.value, info.width());
                    constants.push_str(&format!("    localparam {}{name} = {value};\n", range(info.width())));
                }
                Role::Local if mentioned.contains(&info.key) => {
                    let kind = if assigned.contains(&info.key) { "wire" } else { "reg" };
                    locals.push_str(&format!("    {kind} {}{name};\n", range(info.width())));
                }
                _ => {}
            }
        }
        let mut text = self.ports(&|sig| !wrapper && !assigned.contains(&self.table.sigs[sig].key));
        section(&mut text, "Constants", &constants);
        section(&mut text, "Signals", &locals);
        text.push('\n');
        let common = code_out
            .lines()
            .filter(|l| !l.trim().is_empty())
            .map(|l| l.len() - l.trim_start().len())
            .min()
            .unwrap_or(0);
        for line in code_out.trim_matches('\n').lines() {
            if line.trim().is_empty() {
                text.push('\n');
            } else {
                text.push_str(&format!("    {}\n", line[common..].trim_end()));
            }
        }
        text
    }
}
