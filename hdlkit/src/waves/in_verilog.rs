//! The names of a circuit's signals and scopes in a wave of its exported Verilog.

use super::locals::CircuitLocals;
use super::scopes::is_in;
use crate::circuit::{Structure, Visitor};
use crate::kernel::shape::Shape;
use crate::kernel::syntax::source_text::pretty;
use crate::verilog::names::identifier;
use rust_hdl_core::atom::Atom;
use std::collections::{BTreeSet, HashMap};

/// A signal in the exported Verilog: a bundle is one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogSignal {
    /// The path in the circuit, in the form of [`WaveOptions::scopes`](super::WaveOptions::scopes).
    pub path: String,
    /// The path in the circuit of the block whose Verilog module has the signal.
    pub block: String,
    /// The path of that module in the Verilog, such as `gpgpu.sm_0.fetch`.
    pub module: String,
    /// The name in that module.
    pub name: String,
    /// Width in bits.
    pub width: usize,
    /// The fields; a single one without a name if the signal is not a bundle.
    pub fields: Vec<VerilogField>,
}

/// A field of a [`VerilogSignal`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogField {
    /// The name, such as `decoded.unit`; empty if the signal is not a bundle.
    pub name: String,
    /// The lowest bit.
    pub low: usize,
    /// Width in bits.
    pub width: usize,
    /// For an enum: its name, and the names of its values from 0.
    pub states: Option<(String, Vec<String>)>,
}

/// All signals and locals of `block` (called `top` here and `top_name` in the Verilog), with their names in its
/// Verilog.
///
/// The name may lack a number: the export appends one if another signal of the module already has that name.
pub fn verilog_signals(block: &dyn Structure, top_name: &str) -> Vec<VerilogSignal> {
    let mut signals = Signals {
        top_name,
        open: vec![],
        found: vec![],
        modules: HashMap::new(),
    };
    block.visit("top", &mut signals);
    let Signals { mut found, modules, .. } = signals;
    for local in CircuitLocals::of(block, "top").signals {
        let module = modules.get(&local.block).cloned().unwrap_or_default();
        found.push(VerilogSignal::new(&local.block, &module, &local.key, &local.shape));
    }
    found
}

impl VerilogSignal {
    fn new(block: &str, module: &str, key: &str, shape: &Shape) -> Self {
        let field = |(name, low, shape): (String, usize, Shape)| VerilogField {
            name: name.trim_start_matches('.').to_string(),
            low,
            width: shape.width(),
            states: match shape {
                Shape::Enum(variants) => Some(states(&variants)),
                _ => None,
            },
        };
        VerilogSignal {
            path: format!("{block}.{}", pretty(key)),
            block: block.to_string(),
            module: module.to_string(),
            name: identifier(key),
            width: shape.width(),
            fields: shape.leaves().into_iter().map(field).collect(),
        }
    }
}

/// Builds [`verilog_signals`].
struct Signals<'a> {
    top_name: &'a str,
    open: Vec<OpenScope>,
    found: Vec<VerilogSignal>,
    /// The modules of the blocks, by their paths.
    modules: HashMap<String, String>,
}

/// A block that is being visited.
struct OpenScope {
    /// The name in the kernel: `lanes$3`.
    instance: String,
    path: String,
    module: String,
    namespace: Vec<String>,
    register: bool,
    /// The block's own signals, by their names in the kernel, and the first one's index.
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
        self.modules.insert(path.clone(), module.clone());
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
        self.found
            .push(VerilogSignal::new(&scope.path, &scope.module, &key, &shape));
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
        // A register has no module: it is two signals of the surrounding one.
        if let (true, Some(around)) = (scope.register, self.open.last()) {
            for (signal, key) in self.found[scope.first..].iter_mut().zip(&scope.keys) {
                signal.block.clone_from(&around.path);
                signal.module.clone_from(&around.module);
                signal.name = identifier(&format!("{}${key}", scope.instance));
            }
        }
    }
}

/// An enum's name and its values' names, from rust-hdl's names (`State::Idle`).
fn states(variants: &[String]) -> (String, Vec<String>) {
    let split = |variant: &String| match variant.rsplit_once("::") {
        Some((name, state)) => (name.to_string(), state.to_string()),
        None => (String::new(), variant.clone()),
    };
    let (names, states): (Vec<String>, Vec<String>) = variants.iter().map(split).unzip();
    (names.into_iter().next().unwrap_or_default(), states)
}

/// Returns the counterparts of existing scopes (see [`WaveOptions::check`](super::WaveOptions::check)) in the exported
/// Verilog, such as the module `gpgpu.sm_0.fetch`, with all its contents, or the signal `gpgpu.sm_0.fetch.f_available`.
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
    // A module that is already listed includes its contents.
    let in_another = |name: &String| found.iter().any(|other| other != name && is_in(name, other));
    found.iter().filter(|name| !in_another(name)).cloned().collect()
}
