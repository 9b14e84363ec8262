//! Waveforms: a VCD file of a circuit that runs on the cycle engine.
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

use crate::verilog::collect::pretty;
use crate::verilog::shape::Shape;
use rust_hdl_core::atom::Atom;
use rust_hdl_core::prelude::{Block, Probe, VCDValue};
use std::collections::BTreeMap;
use std::io::{self, Write};
use vcd::{IdCode, TimescaleUnit, Value, VarType};

/// Time units (ns) in a cycle.
const PERIOD: u64 = 10;

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

/// Why a waveform was not written.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    #[error("the design has no scope or signal `{0}`")]
    UnknownScope(String),
    #[error("cycle {now} after cycle {before}: cycles must ascend")]
    Order { before: u64, now: u64 },
    #[error("the block is not the one that the waveform was opened with")]
    OtherBlock,
    #[error(transparent)]
    Io(#[from] io::Error),
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
    /// Whether each of the chosen scopes was met.
    met: Vec<bool>,
    path: Vec<String>,
    /// For each scope that is open, the atoms in it so far: a register's are `d`, `q` and `clock`. Its `d` is left out, since
    /// the engine takes it over at the edge only; a cycle later it is `q`.
    names: Vec<Vec<String>>,
    root: Node,
    atoms: usize,
}

impl Layout<'_> {
    fn chosen(&mut self, path: &str) -> bool {
        let mut any = self.options.scopes.is_empty();
        for (scope, met) in self.options.scopes.iter().zip(&mut self.met) {
            if is_in(path, scope) {
                any = true;
                *met = true;
            }
        }
        any
    }
}

impl Probe for Layout<'_> {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        self.path.push(pretty(name));
        self.names.push(vec![]);
    }
    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.path.push(pretty(name));
    }
    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let index = self.atoms;
        self.atoms += 1;
        if let Some(names) = self.names.last_mut() {
            names.push(name.to_string());
        }
        let path = format!("{}.{}", self.path.join("."), pretty(name));
        if !self.chosen(&path) {
            return;
        }
        let descriptor = atom.descriptor();
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
    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.path.pop();
    }
    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        let names: Vec<String> = self.names.pop().unwrap_or_default();
        if names == ["d", "q", "clock"] {
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
    /// [`WaveError::UnknownScope`] if the options name something that is not there.
    pub fn new(writer: W, block: &dyn Block, options: WaveOptions) -> Result<Self, WaveError> {
        let mut layout = Layout {
            met: vec![false; options.scopes.len()],
            options: &options,
            path: vec![],
            names: vec![],
            root: Node::default(),
            atoms: 0,
        };
        block.accept("top", &mut layout);
        if let Some((scope, _)) = options.scopes.iter().zip(&layout.met).find(|(_, met)| !**met) {
            return Err(WaveError::UnknownScope(scope.clone()));
        }
        let mut file = writer;
        let mut writer = vcd::Writer::new(&mut file);
        writer.timescale(1, TimescaleUnit::NS)?;
        let (mut clock, mut codes) = (None, BTreeMap::new());
        layout.root.write(&mut writer, &mut clock, &mut codes)?;
        writer.enddefinitions()?;
        // A scope is written after the variables beside it, so codes were not given in the order of the leaves.
        let mut atoms: Vec<Option<Vec<IdCode>>> = vec![None; layout.atoms];
        for ((atom, _), code) in codes {
            atoms[atom].get_or_insert_default().push(code);
        }
        Ok(Wave {
            file,
            atoms,
            clock,
            last: vec![None; layout.atoms],
            cycle: None,
            options,
        })
    }

    /// Writes what changed by `cycle`, whose values `block` has (settled, before its tick). Cycles outside the window
    /// are skipped at no cost.
    ///
    /// # Errors
    /// [`WaveError::Order`] if `cycle` is not after the last one, [`WaveError::OtherBlock`] for a different circuit.
    pub fn sample(&mut self, cycle: u64, block: &dyn Block) -> Result<(), WaveError> {
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
        block.accept("top", &mut changes);
        let (mut writer, seen) = (changes.writer, changes.atom);
        changes.result?;
        if seen != self.atoms.len() {
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

    /// Ends the last cycle and flushes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<(), WaveError> {
        if let Some(cycle) = self.cycle {
            vcd::Writer::new(&mut self.file).timestamp((cycle + 1) * PERIOD)?;
        }
        self.file.flush()?;
        Ok(())
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

impl<W: Write> Probe for Changes<'_, W> {
    fn visit_atom(&mut self, _name: &str, atom: &dyn Atom) {
        let index = self.atom;
        self.atom += 1;
        let Some(Some(codes)) = self.atoms.get(index) else {
            return;
        };
        let value = atom.vcd();
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
