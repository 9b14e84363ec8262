//! The lines that a viewer can show for a waveform, from its header, and the lines selected by a group.

use crate::waves::header::Variable;
use crate::waves::views::Group;
use hdlkit::waves::VerilogSignal;
use std::collections::HashMap;

/// A signal or field that a viewer can show as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The path of the signal or field, without a register's `q` and with `_3` for `[3]`.
    pub(super) name: String,
    /// The path of the variable as GTKWave writes it, with the bit range of a vector.
    pub(super) variable: String,
    /// Width in bits; 0 for a text.
    pub(super) bits: u32,
    /// For a part of a variable: its lowest bit, and the variable's width.
    pub(super) part: Option<(u32, u32)>,
    /// The name of the enum, if the value is the number of an enum's state.
    pub(super) states: Option<String>,
}

/// A path with `_3` for `[3]`.
fn plain(path: &str) -> String {
    path.replace('[', "_").replace(']', "")
}

/// The name of a signal from its path and field, without a register's `q`; `None` for registers' inputs and for clocks.
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

/// The lines of a waveform. `verilog`: the circuit's signals, if the waveform is from its Verilog.
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
        // Verilator adds the scope `TOP`, which repeats the top's ports.
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

/// The part of `path` below the first scope whose path ends in `scope`; `None` if there is none.
fn below<'a>(path: &'a str, scope: &str) -> Option<&'a str> {
    let (at, _) = path.match_indices(scope).find(|(at, _)| {
        let starts = *at == 0 || path.as_bytes()[at - 1] == b'.';
        starts && path.as_bytes().get(at + scope.len()) == Some(&b'.')
    })?;
    Some(&path[at + scope.len() + 1..])
}

/// True if a group's `pattern` selects the signal or field `name`.
fn means(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name
            .strip_prefix(pattern)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

impl Group {
    /// The lines of the group, each once, with their names below the group's scope.
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
