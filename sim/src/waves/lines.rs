//! The lines that a viewer can show of a waveform, found in its header, and those that a group means.

use crate::waves::header::Variable;
use crate::waves::views::Group;
use hdlkit::waves::VerilogSignal;
use std::collections::HashMap;

/// Something that a viewer can show as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The signal's or field's path here, without a register's `q` and with `_3` for `[3]`.
    pub(super) name: String,
    /// Its variable's path as GTKWave writes it, with the bit range of a vector.
    pub(super) variable: String,
    /// Bits; 0 for a text.
    pub(super) bits: u32,
    /// If it is a part of the variable: its lowest bit, and the variable's bits.
    pub(super) part: Option<(u32, u32)>,
    /// The enum that the value is a number of.
    pub(super) states: Option<String>,
}

/// A path with `_3` for `[3]`.
fn plain(path: &str) -> String {
    path.replace('[', "_").replace(']', "")
}

/// The name of a signal by its path and field, without a register's `q`; None for a register's other signals.
fn line_name(path: &str, field: &str) -> Option<String> {
    let mut parts: Vec<&str> = path
        .split('.')
        .chain(field.split('.').filter(|f| !f.is_empty()))
        .collect();
    if parts.contains(&"d") || parts.last() == Some(&"clock") {
        return None;
    }
    parts.retain(|part| *part != "q");
    Some(plain(&parts.join(".")))
}

/// What a waveform shows. `verilog`: the circuit's signals, if it is one of the circuit's Verilog.
pub(super) fn lines(header: &[Variable], verilog: Option<&[VerilogSignal]>) -> Vec<Line> {
    let by_name: Option<HashMap<(&str, &str), &VerilogSignal>> = verilog.map(|signals| {
        let named = signals.iter().map(|signal| ((&*signal.module, &*signal.name), signal));
        named.collect()
    });
    let mut lines = Vec::new();
    for variable in header {
        let full = &variable.name;
        let bits = variable.bits;
        let range = match variable.range {
            Some((msb, lsb)) if bits > 1 => format!("[{msb}:{lsb}]"),
            None if bits > 1 => format!("[{}:0]", bits - 1),
            _ => String::new(),
        };
        let path = format!("{full}{range}");
        let Some(signals) = &by_name else {
            lines.extend(line_name(full, "").map(|name| Line {
                name,
                variable: path,
                bits,
                part: None,
                states: None,
            }));
            continue;
        };
        // Verilator puts everything into a scope of its own, and the top's ports there once more.
        let module = full.strip_prefix("TOP.").unwrap_or(full).rsplit_once('.');
        let Some(signal) = module.and_then(|key| signals.get(&key)) else {
            continue;
        };
        if signal.width != bits as usize {
            continue;
        }
        for field in &signal.fields {
            let Some(name) = line_name(&signal.path, &field.name) else {
                continue;
            };
            lines.push(Line {
                name,
                variable: path.clone(),
                bits: field.width as u32,
                part: (!field.name.is_empty()).then_some((field.low as u32, bits)),
                states: field.states.as_ref().map(|(name, _)| name.clone()),
            });
        }
    }
    lines
}

/// What of `path` lies below a scope whose path ends in `scope`.
fn below<'a>(path: &'a str, scope: &str) -> Option<&'a str> {
    let (at, _) = path.match_indices(scope).find(|(at, _)| {
        let starts = *at == 0 || path.as_bytes()[at - 1] == b'.';
        starts && path.as_bytes().get(at + scope.len()) == Some(&b'.')
    })?;
    Some(&path[at + scope.len() + 1..])
}

/// Whether a group's `pattern` means the signal or field `name`.
fn means(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name
            .strip_prefix(pattern)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

impl Group {
    /// What is shown, with its name in the group, each line once.
    pub(super) fn members<'a>(&self, lines: &'a [Line]) -> Vec<(&'a str, &'a Line)> {
        let scope = plain(self.scope);
        let here: Vec<(&str, &Line)> = lines
            .iter()
            .filter_map(|line| Some((below(&line.name, &scope)?, line)))
            .collect();
        let mut shown = vec![false; here.len()];
        let mut members = Vec::new();
        for pattern in self.signals {
            for ((name, line), shown) in here.iter().zip(&mut shown) {
                if !*shown && means(pattern, name) {
                    *shown = true;
                    members.push((*name, *line));
                }
            }
        }
        members
    }
}
