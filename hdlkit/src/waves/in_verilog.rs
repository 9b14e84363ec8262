//! What a wave of a circuit's exported Verilog calls the circuit's signals and scopes.

use super::scopes::is_in;
use crate::circuit::{Structure, Visitor};
use crate::kernel::shape::Shape;
use crate::kernel::source_text::pretty;
use crate::verilog::names::identifier;
use rust_hdl_core::atom::Atom;
use std::collections::BTreeSet;

/// A signal as the exported Verilog has it: a bundle is one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogSignal {
    /// Here, as in [`WaveOptions::scopes`](super::WaveOptions::scopes).
    pub path: String,
    /// Here: the block whose module it is in there.
    pub block: String,
    /// There: that module, as `gpgpu.sm_0.fetch`.
    pub module: String,
    /// There: its name in that.
    pub name: String,
    /// Bits.
    pub width: usize,
    /// What it consists of; one without a name if it is no bundle.
    pub fields: Vec<VerilogField>,
}

/// A field of a [`VerilogSignal`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogField {
    /// As `decoded.unit`; empty if the signal is no bundle.
    pub name: String,
    /// Its lowest bit.
    pub low: usize,
    /// Bits.
    pub width: usize,
    /// If it is an enum: the enum's name, and those of its values from 0 on.
    pub states: Option<(String, Vec<String>)>,
}

/// All signals of `block` (called `top` here and `top_name` in the Verilog), with their names in its Verilog.
///
/// A name is left without the number that the export adds to it where it is taken already, by a signal that its
/// surroundings have under the same name.
pub fn verilog_signals(block: &dyn Structure, top_name: &str) -> Vec<VerilogSignal> {
    let mut signals = Signals {
        top_name,
        open: vec![],
        found: vec![],
    };
    block.visit("top", &mut signals);
    signals.found
}

/// Builds [`verilog_signals`].
struct Signals<'a> {
    top_name: &'a str,
    open: Vec<OpenScope>,
    found: Vec<VerilogSignal>,
}

/// A block that is being visited.
struct OpenScope {
    /// As the kernel calls it: `lanes$3`.
    instance: String,
    path: String,
    module: String,
    namespace: Vec<String>,
    register: bool,
    /// Its own signals, by their kernel's names, and the first one's index.
    keys: Vec<String>,
    first: usize,
}

impl Visitor for Signals<'_> {
    fn start_block(&mut self, name: &str, block: &dyn Structure) {
        let (path, module) = match self.open.last() {
            Some(around) => (
                format!("{}.{}", around.path, pretty(name)),
                format!("{}.{}", around.module, identifier(name)),
            ),
            None => (pretty(name), self.top_name.to_string()),
        };
        self.open.push(OpenScope {
            instance: name.to_string(),
            path,
            module,
            namespace: vec![],
            register: block.register().is_some(),
            keys: vec![],
            first: self.found.len(),
        });
    }
    fn start_bundle(&mut self, name: &str) {
        if let Some(scope) = self.open.last_mut() {
            scope.namespace.push(name.to_string());
        }
    }
    fn atom(&mut self, name: &str, atom: &dyn Atom) {
        let Some(scope) = self.open.last_mut() else {
            return;
        };
        let mut key = scope.namespace.clone();
        key.push(name.to_string());
        let key = key.join("$");
        let shape = Shape::new(&atom.descriptor());
        let field = |(name, low, shape): (String, usize, Shape)| VerilogField {
            name: name.trim_start_matches('.').to_string(),
            low,
            width: shape.width(),
            states: match shape {
                Shape::Enum(variants) => Some(states(&variants)),
                _ => None,
            },
        };
        self.found.push(VerilogSignal {
            path: format!("{}.{}", scope.path, pretty(&key)),
            block: scope.path.clone(),
            module: scope.module.clone(),
            name: identifier(&key),
            width: shape.width(),
            fields: shape.leaves().into_iter().map(field).collect(),
        });
        scope.keys.push(key);
    }
    fn end_bundle(&mut self) {
        if let Some(scope) = self.open.last_mut() {
            scope.namespace.pop();
        }
    }
    fn end_block(&mut self) {
        let Some(scope) = self.open.pop() else {
            return;
        };
        // A register is no module of its own but two signals of the one around it.
        if let (true, Some(around)) = (scope.register, self.open.last()) {
            for (signal, key) in self.found[scope.first..].iter_mut().zip(&scope.keys) {
                signal.block.clone_from(&around.path);
                signal.module.clone_from(&around.module);
                signal.name = identifier(&format!("{}${key}", scope.instance));
            }
        }
    }
}

/// An enum's name and its values' names, from what rust-hdl calls them (`State::Idle`).
fn states(variants: &[String]) -> (String, Vec<String>) {
    let split = |variant: &String| match variant.rsplit_once("::") {
        Some((name, state)) => (name.to_string(), state.to_string()),
        None => (String::new(), variant.clone()),
    };
    let (names, states): (Vec<String>, Vec<String>) = variants.iter().map(split).unzip();
    (names.into_iter().next().unwrap_or_default(), states)
}

/// What scopes that there are (see [`WaveOptions::check`](super::WaveOptions::check)) are in the exported Verilog: modules, each
/// with all that is in it, and signals, as `gpgpu.sm_0.fetch` and `gpgpu.sm_0.fetch.f_available`.
pub fn verilog_scopes(signals: &[VerilogSignal], scopes: &[String]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for scope in scopes {
        for signal in signals.iter().filter(|signal| is_in(&signal.path, scope)) {
            found.insert(match is_in(&signal.block, scope) {
                true => signal.module.clone(),
                false => format!("{}.{}", signal.module, signal.name),
            });
        }
    }
    // What is in a module that is there already, is.
    let in_another = |name: &String| found.iter().any(|other| other != name && is_in(name, other));
    found.iter().filter(|name| !in_another(name)).cloned().collect()
}
