//! Waveforms: a VCD file of a circuit that runs on the cycle engine, and what a wave of its Verilog calls the same things.
//!
//! Differs from rust-hdl's own writer in what viewers need: enums are string variables, bundles and arrays are scopes and
//! names that no viewer takes for a bit select, and a run can be cut to some scopes and some cycles. The engine has no
//! clock edges; signals of type `Clock` are drawn as the clock that the cycles stand for:
//!
//! ```text
//! time    10 c      10 c + 5     10 (c + 1)
//! clock   rises     falls        rises
//! other   values of cycle c      values of cycle c + 1
//! ```

use crate::circuit::{Structure, Visitor};
use crate::kernel::shape::Shape;
use crate::kernel::source_text::pretty;
use crate::verilog::names::identifier;
use rust_hdl_core::atom::Atom;
use rust_hdl_core::prelude::VCDValue;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::io::{self, Write};
use vcd::{IdCode, TimescaleUnit, Value, VarType};

/// Time units (ns) in a cycle: cycle c is from `c * PERIOD` to `(c + 1) * PERIOD`.
pub const PERIOD: u64 = 10;

/// What of a run goes to the file.
#[derive(Clone, Debug)]
pub struct WaveOptions {
    /// Paths of blocks or signals, such as `top.lanes[3]` or `top.lanes` for all of an array, each with all that is in it;
    /// none means everything.
    pub scopes: Vec<String>,
    /// First cycle.
    pub from: u64,
    /// Last cycle.
    pub to: u64,
}

impl Default for WaveOptions {
    /// Everything.
    fn default() -> Self {
        WaveOptions {
            scopes: vec![],
            from: 0,
            to: u64::MAX,
        }
    }
}

impl WaveOptions {
    /// Whether there is what the options name.
    ///
    /// # Errors
    /// [`WaveError::Window`] if the first cycle is behind the last, [`WaveError::UnknownScope`] if `block`, which is called
    /// `top`, has no such scope.
    pub fn check(&self, block: &dyn Structure) -> Result<(), WaveError> {
        if self.from > self.to {
            return Err(WaveError::Window {
                from: self.from,
                to: self.to,
            });
        }
        let paths = &mut Paths::default();
        block.visit("top", paths);
        for scope in &self.scopes {
            if !paths.found.iter().any(|path| is_in(path, scope)) {
                return Err(WaveError::UnknownScope(UnknownScope::new(scope, &paths.found)));
            }
        }
        Ok(())
    }
}

/// Which signals of a circuit a waveform with these options shows, in the order of a visit: what
/// `hdlkit_compiled::Code::compile_showing` takes.
///
/// # Errors
/// As [`WaveOptions::check`].
pub fn shown(block: &dyn Structure, options: &WaveOptions) -> Result<Vec<bool>, WaveError> {
    options.check(block)?;
    let mut layout = Layout::new(options, None);
    block.visit("top", &mut layout);
    Ok(layout.is_chosen)
}

/// Why a waveform was not written.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    #[error(transparent)]
    UnknownScope(UnknownScope),
    #[error("the window begins in cycle {from}, behind its last cycle, {to}")]
    Window { from: u64, to: u64 },
    #[error("cycle {now} after cycle {before}: cycles must ascend")]
    Order { before: u64, now: u64 },
    #[error("the block is not the one that the waveform was opened with")]
    OtherBlock,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A scope that the design does not have, and what there is instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownScope {
    /// As asked for.
    pub scope: String,
    /// The longest beginning of it that there is; empty if there is none.
    pub known: String,
    /// What in that is most like what was asked for.
    pub nearest: Vec<String>,
}

impl UnknownScope {
    /// `paths`: all that there are.
    fn new(scope: &str, paths: &[String]) -> Self {
        let holds = |known: &str| paths.iter().any(|path| path != known && is_in(path, known));
        let mut ends = scope.rmatch_indices(['.', '[']).map(|(at, _)| &scope[..at]);
        let known = ends.find(|known| holds(known));
        let known = known.unwrap_or_default();
        // What follows `known`, up to the next scope.
        let next = |path: &str| {
            let rest = &path[known.len()..];
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            rest[..rest.find('.').unwrap_or(rest.len())].to_string()
        };
        let inside: BTreeSet<String> = paths
            .iter()
            .filter(|path| known.is_empty() || is_in(path, known))
            .map(|path| next(path))
            .collect();
        let wanted = next(scope);
        let alike = |name: &String| name.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
        let most = inside.iter().map(alike).max().unwrap_or(0);
        UnknownScope {
            scope: scope.into(),
            known: known.into(),
            nearest: inside.into_iter().filter(|name| alike(name) == most).collect(),
        }
    }
}

impl fmt::Display for UnknownScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the design has no scope or signal `{}`; expected ", self.scope)?;
        let nearest = self.nearest.join(", ");
        match self.known.as_str() {
            "" => write!(f, "a path that begins with {nearest}"),
            known => write!(f, "something in `{known}` such as {nearest}"),
        }
    }
}

impl std::error::Error for UnknownScope {}

/// Collects the paths of all signals.
#[derive(Default)]
struct Paths {
    open: Vec<String>,
    found: Vec<String>,
}

impl Visitor for Paths {
    fn start_block(&mut self, name: &str, _block: &dyn Structure) {
        self.open.push(pretty(name));
    }
    fn start_bundle(&mut self, name: &str) {
        self.open.push(pretty(name));
    }
    fn atom(&mut self, name: &str, _atom: &dyn Atom) {
        self.found.push(format!("{}.{}", self.open.join("."), pretty(name)));
    }
    fn end_bundle(&mut self) {
        self.open.pop();
    }
    fn end_block(&mut self) {
        self.open.pop();
    }
}

/// A signal as the exported Verilog has it: a bundle is one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogSignal {
    /// Here, as in [`WaveOptions::scopes`].
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

/// What scopes that there are (see [`WaveOptions::check`]) are in the exported Verilog: modules, each with all that is in it,
/// and signals, as `gpgpu.sm_0.fetch` and `gpgpu.sm_0.fetch.f_available`.
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

/// A VCD file being written. The top scope is called `top`.
pub struct Wave<W: Write> {
    file: W,
    options: WaveOptions,
    /// Of each atom in the order of a visit: the variables of its leaves, none if it is not chosen.
    atoms: Vec<Option<Vec<IdCode>>>,
    clock: Option<IdCode>,
    /// What was last written.
    last: Vec<Option<VCDValue>>,
    cycle: Option<u64>,
}

/// A scope of the file.
#[derive(Default)]
struct Node {
    /// Order of first appearance.
    scopes: Vec<(String, Node)>,
    /// Name, type, atom, and which leaf of the atom.
    variables: Vec<(String, Kind, usize, usize)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Wire(u32),
    Text,
    Clock,
}

impl Node {
    fn scope(&mut self, name: &str) -> &mut Node {
        let index = match self.scopes.iter().position(|(n, _)| n == name) {
            Some(index) => index,
            None => {
                self.scopes.push((name.to_string(), Node::default()));
                self.scopes.len() - 1
            }
        };
        &mut self.scopes[index].1
    }

    fn write<W: Write>(
        &self,
        writer: &mut vcd::Writer<W>,
        clock: &mut Option<IdCode>,
        codes: &mut BTreeMap<(usize, usize), IdCode>,
    ) -> io::Result<()> {
        for (name, kind, atom, leaf) in &self.variables {
            match (kind, *clock) {
                (Kind::Wire(width), _) => {
                    codes.insert((*atom, *leaf), writer.add_var(VarType::Wire, *width, name, None)?);
                }
                (Kind::Text, _) => {
                    codes.insert((*atom, *leaf), writer.add_var(VarType::String, 1, name, None)?);
                }
                // All clocks are one.
                (Kind::Clock, Some(code)) => writer.var_def(VarType::Wire, 1, code, name, None)?,
                (Kind::Clock, None) => *clock = Some(writer.add_var(VarType::Wire, 1, name, None)?),
            }
        }
        for (name, scope) in &self.scopes {
            writer.add_module(name)?;
            scope.write(writer, clock, codes)?;
            writer.upscope()?;
        }
        Ok(())
    }
}

/// Whether `path` is `chosen` or in it.
fn is_in(path: &str, chosen: &str) -> bool {
    path.strip_prefix(chosen)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Builds the tree of scopes.
struct Layout<'a> {
    options: &'a WaveOptions,
    path: Vec<String>,
    /// For each block that is open, whether it is a register. Its `d` is left out, since the engine takes it over at the edge
    /// only; a cycle later it is `q`.
    registers: Vec<bool>,
    root: Node,
    /// For each atom so far, whether it is chosen.
    is_chosen: Vec<bool>,
    /// The atoms that there are values of, if not of all.
    known: Option<HashSet<usize>>,
}

impl<'a> Layout<'a> {
    fn new(options: &'a WaveOptions, known: Option<HashSet<usize>>) -> Self {
        Layout {
            options,
            path: vec![],
            registers: vec![],
            root: Node::default(),
            is_chosen: vec![],
            known,
        }
    }

    fn chosen(&self, path: &str) -> bool {
        let scopes = &self.options.scopes;
        scopes.is_empty() || scopes.iter().any(|scope| is_in(path, scope))
    }
}

impl Visitor for Layout<'_> {
    fn start_block(&mut self, name: &str, block: &dyn Structure) {
        self.path.push(pretty(name));
        self.registers.push(block.register().is_some());
    }
    fn start_bundle(&mut self, name: &str) {
        self.path.push(pretty(name));
    }
    fn atom(&mut self, name: &str, atom: &dyn Atom) {
        let index = self.is_chosen.len();
        let path = format!("{}.{}", self.path.join("."), pretty(name));
        let chosen = self.chosen(&path);
        self.is_chosen.push(chosen);
        let descriptor = atom.descriptor();
        let is_known = |known: &HashSet<usize>| descriptor.name == "clock" || known.contains(&index);
        if !chosen || !self.known.as_ref().is_none_or(is_known) {
            return;
        }
        // Brackets at the end of a variable's name would be taken for a bit select.
        let name = name.replace('$', "_");
        let mut home = &mut self.root;
        for scope in &self.path {
            home = home.scope(scope);
        }
        for (order, (field, _, shape)) in Shape::new(&descriptor).leaves().into_iter().enumerate() {
            let kind = match &shape {
                _ if descriptor.name == "clock" => Kind::Clock,
                Shape::Enum(_) => Kind::Text,
                shape => Kind::Wire(shape.width() as u32),
            };
            let mut place = &mut *home;
            let mut leaf = name.as_str();
            for field in field.split('.').skip(1) {
                place = place.scope(leaf);
                leaf = field;
            }
            place.variables.push((leaf.to_string(), kind, index, order));
        }
    }
    fn end_bundle(&mut self) {
        self.path.pop();
    }
    fn end_block(&mut self) {
        if self.registers.pop() == Some(true) {
            let mut home = &mut self.root;
            for scope in &self.path {
                home = home.scope(scope);
            }
            home.variables.retain(|(name, ..)| name != "d");
            home.scopes.retain(|(name, _)| name != "d");
        }
        self.path.pop();
    }
}

impl<W: Write> Wave<W> {
    /// Opens a waveform of `block` and writes the file's header.
    ///
    /// # Errors
    /// As [`WaveOptions::check`]; then nothing has been written.
    pub fn new(writer: W, block: &dyn Structure, options: WaveOptions) -> Result<Self, WaveError> {
        Self::open(writer, block, options, None)
    }

    /// Opens a waveform of `block` of which only the signals `known` are at hand, as when it runs as machine code: their
    /// places in the order of a visit. The others are left out.
    ///
    /// # Errors
    /// As [`Wave::new`].
    pub fn of_known(
        writer: W,
        block: &dyn Structure,
        options: WaveOptions,
        known: impl IntoIterator<Item = usize>,
    ) -> Result<Self, WaveError> {
        Self::open(writer, block, options, Some(known.into_iter().collect()))
    }

    fn open(
        writer: W,
        block: &dyn Structure,
        options: WaveOptions,
        known: Option<HashSet<usize>>,
    ) -> Result<Self, WaveError> {
        options.check(block)?;
        let mut layout = Layout::new(&options, known);
        block.visit("top", &mut layout);
        let mut file = writer;
        let mut writer = vcd::Writer::new(&mut file);
        writer.timescale(1, TimescaleUnit::NS)?;
        let (mut clock, mut codes) = (None, BTreeMap::new());
        layout.root.write(&mut writer, &mut clock, &mut codes)?;
        writer.enddefinitions()?;
        // A scope is written after the variables beside it, so codes were not given in the order of the leaves.
        let count = layout.is_chosen.len();
        let mut atoms: Vec<Option<Vec<IdCode>>> = vec![None; count];
        for ((atom, _), code) in codes {
            atoms[atom].get_or_insert_default().push(code);
        }
        Ok(Wave {
            file,
            atoms,
            clock,
            last: vec![None; count],
            cycle: None,
            options,
        })
    }

    /// Writes what changed by `cycle`, whose values `block` has (settled, before its tick). Cycles outside the window
    /// are skipped at no cost.
    ///
    /// # Errors
    /// [`WaveError::Order`] if `cycle` is not after the last one, [`WaveError::OtherBlock`] for a different circuit.
    pub fn sample(&mut self, cycle: u64, block: &dyn Structure) -> Result<(), WaveError> {
        self.cycle(cycle, |changes| {
            block.visit("top", changes);
            changes.atom == changes.atoms.len()
        })
    }

    /// The same of the known signals: `tell` calls its argument with the place and the value of each that has changed.
    ///
    /// # Errors
    /// As [`Wave::sample`].
    pub fn sample_changes(
        &mut self,
        cycle: u64,
        tell: impl FnOnce(&mut dyn FnMut(usize, VCDValue)),
    ) -> Result<(), WaveError> {
        self.cycle(cycle, |changes| {
            tell(&mut |atom, value| changes.change(atom, value));
            true
        })
    }

    /// A cycle's changes; `tell` says whether they are those of the circuit that the waveform was opened with.
    fn cycle(&mut self, cycle: u64, tell: impl FnOnce(&mut Changes<W>) -> bool) -> Result<(), WaveError> {
        if cycle < self.options.from || cycle > self.options.to {
            return Ok(());
        }
        if let Some(before) = self.cycle.filter(|before| cycle <= *before) {
            return Err(WaveError::Order { before, now: cycle });
        }
        let first = self.cycle.is_none();
        self.cycle = Some(cycle);
        // A writer keeps nothing between two changes but its file.
        let mut writer = vcd::Writer::new(&mut self.file);
        writer.timestamp(cycle * PERIOD)?;
        if first {
            writer.begin(vcd::SimulationCommand::Dumpvars)?;
        }
        if let Some(clock) = self.clock {
            writer.change_scalar(clock, Value::V1)?;
        }
        let mut changes = Changes {
            writer,
            atoms: &self.atoms,
            last: &mut self.last,
            atom: 0,
            result: Ok(()),
        };
        let same = tell(&mut changes);
        let mut writer = changes.writer;
        changes.result?;
        if !same {
            return Err(WaveError::OtherBlock);
        }
        if first {
            writer.end()?;
        }
        if let Some(clock) = self.clock {
            writer.timestamp(cycle * PERIOD + PERIOD / 2)?;
            writer.change_scalar(clock, Value::V0)?;
        }
        Ok(())
    }

    /// Whether a cycle has been written.
    pub fn any(&self) -> bool {
        self.cycle.is_some()
    }

    /// Ends the last cycle, flushes, and gives back what was written to.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<W, WaveError> {
        if let Some(cycle) = self.cycle {
            vcd::Writer::new(&mut self.file).timestamp((cycle + 1) * PERIOD)?;
        }
        self.file.flush()?;
        Ok(self.file)
    }
}

/// Writes the signals that differ from what was last written.
struct Changes<'a, W: Write> {
    writer: vcd::Writer<&'a mut W>,
    atoms: &'a [Option<Vec<IdCode>>],
    last: &'a mut [Option<VCDValue>],
    atom: usize,
    result: Result<(), WaveError>,
}

impl<W: Write> Visitor for Changes<'_, W> {
    fn atom(&mut self, _name: &str, atom: &dyn Atom) {
        let index = self.atom;
        self.atom += 1;
        if matches!(self.atoms.get(index), Some(Some(_))) {
            self.change(index, atom.vcd());
        }
    }
}

impl<W: Write> Changes<'_, W> {
    /// The atom of this index has this value.
    fn change(&mut self, index: usize, value: VCDValue) {
        let Some(Some(codes)) = self.atoms.get(index) else {
            return;
        };
        let before = self.last[index].as_ref();
        if before == Some(&value) || self.result.is_err() {
            return;
        }
        let mut rest = &codes[..];
        self.result = write_value(&mut self.writer, &mut rest, &value, before).map_err(WaveError::from);
        if self.result.is_ok() && !rest.is_empty() {
            self.result = Err(WaveError::OtherBlock);
        }
        self.last[index] = Some(value);
    }
}

/// Writes the leaves of `value` that differ from `before` to the first of `codes`, and takes those away.
fn write_value<W: Write>(
    writer: &mut vcd::Writer<W>,
    codes: &mut &[IdCode],
    value: &VCDValue,
    before: Option<&VCDValue>,
) -> io::Result<()> {
    if let VCDValue::Composite(fields) = value {
        for (index, field) in fields.iter().enumerate() {
            let before = match before {
                Some(VCDValue::Composite(before)) => before.get(index),
                _ => None,
            };
            write_value(writer, codes, field, before.map(|b| &**b))?;
        }
        return Ok(());
    }
    let Some((code, rest)) = codes.split_first() else {
        return Ok(());
    };
    *codes = rest;
    if before == Some(value) {
        return Ok(());
    }
    match value {
        VCDValue::Single(bit) => writer.change_scalar(*code, *bit),
        VCDValue::Vector(bits) if bits.len() == 1 => writer.change_scalar(*code, bits[0]),
        VCDValue::Vector(bits) => writer.change_vector(*code, bits),
        VCDValue::String(text) => writer.change_string(*code, text),
        VCDValue::Composite(_) => Ok(()),
    }
}
