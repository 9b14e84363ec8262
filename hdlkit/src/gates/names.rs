//! Mapping of bit names: from names in the Verilog to names in waves, the debugger and fault campaigns.

use crate::circuit::Structure;
use crate::waves::{verilog_signals, VerilogSignal};
use std::collections::HashMap;

/// A bit of a register, named like in the machine code's state, in which each field is a separate register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RegisterBit {
    /// The register's path without the top's name: `sm[0].fetch.f1.warp`.
    pub site: String,
    /// The index of the bit in the register.
    pub bit: u32,
}

pub(super) struct Named {
    pub name: String,
    /// True if the circuit has the name. Otherwise only the Verilog has it, for a wire between two parts.
    pub is_known: bool,
    /// The register's bit, if it is one.
    pub register_bit: Option<RegisterBit>,
}

/// The names of a block's signals.
pub(super) struct Names {
    /// The path of the block.
    path: String,
    /// Signals by the module's path below the block, such as `scoreboard.issued`, and by name in the module.
    signals: HashMap<(String, String), VerilogSignal>,
    /// Paths below the block, by module.
    blocks: HashMap<String, String>,
}

impl Names {
    /// The names of the block with this path and the module `top`.
    pub fn of(block: &dyn Structure, top: &str, path: &str) -> Names {
        let below = |name: &str| match name.split_once('.') {
            Some((_, rest)) => rest.to_string(),
            None => String::new(),
        };
        let (mut signals, mut blocks) = (HashMap::new(), HashMap::new());
        for signal in verilog_signals(block, top) {
            let module = below(&signal.module);
            blocks.entry(module.clone()).or_insert_with(|| below(&signal.block));
            // A second signal with the same name has a number in the Verilog, which is not known here.
            signals.entry((module, signal.name.clone())).or_insert(signal);
        }
        Names {
            path: path.into(),
            signals,
            blocks,
        }
    }

    /// The path of a module's block.
    pub fn block(&self, module: &str) -> String {
        let below = self.blocks.get(module).map_or(module, String::as_str);
        join(&self.path, below)
    }

    /// The path of a port.
    pub fn path_of(&self, port: &str) -> String {
        let (module, name) = port.rsplit_once('.').unwrap_or(("", port));
        let signal = self.signals.get(&(module.into(), name.into()));
        let below = signal.and_then(|signal| signal.path.split_once('.'));
        join(&self.path, below.map_or(port, |(_, below)| below))
    }

    /// A bit of a port or of another signal of the Verilog, such as `scoreboard.pending_q`.
    pub fn bit(&self, name: &str, bit: usize) -> Named {
        let (module, name) = name.rsplit_once('.').unwrap_or(("", name));
        let Some(signal) = self.signals.get(&(module.into(), name.into())) else {
            return Named {
                name: join(&self.block(module), &format!("{name}[{bit}]")),
                is_known: false,
                register_bit: None,
            };
        };
        let below = signal.path.split_once('.').map_or("", |(_, rest)| rest);
        // A register's output has the register's name.
        let register = below.strip_suffix(".q").filter(|_| signal.name != "q");
        let (field, index) = field(signal, bit);
        let site = join(&join(&self.path, register.unwrap_or(below)), &field);
        Named {
            name: format!("{site}{index}"),
            is_known: true,
            register_bit: register.map(|_| RegisterBit {
                site,
                bit: place_in_field(signal, bit),
            }),
        }
    }
}

/// A signal's field with a bit, and the bit's index in brackets; none in a field of one bit.
fn field(signal: &VerilogSignal, bit: usize) -> (String, String) {
    let is_in = |low: usize, width: usize| (low..low + width).contains(&bit);
    match signal.fields.iter().find(|field| is_in(field.low, field.width)) {
        Some(field) if field.width == 1 => (field.name.clone(), String::new()),
        Some(field) => (field.name.clone(), format!("[{}]", bit - field.low)),
        None => (String::new(), format!("[{bit}]")),
    }
}

/// A bit's number in its field.
fn place_in_field(signal: &VerilogSignal, bit: usize) -> u32 {
    let lows = signal.fields.iter().map(|field| field.low);
    let low = lows.filter(|low| *low <= bit).max().unwrap_or_default();
    (bit - low) as u32
}

/// The concatenation of a path and a path below it; either may be empty.
pub(super) fn join(path: &str, below: &str) -> String {
    match (path, below) {
        ("", _) => below.into(),
        (_, "") => path.into(),
        _ => format!("{path}.{below}"),
    }
}
