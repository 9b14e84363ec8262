//! Layout of a circuit's signals in a VCD file: scopes, variables, and a selection.

use super::locals::{CircuitLocals, LocalSignal};
use super::options::{WaveError, WaveOptions};
use super::scopes::is_in;
use crate::circuit::{Structure, Visitor};
use crate::kernel::shape::Shape;
use crate::kernel::syntax::source_text::pretty;
use rust_hdl_core::atom::Atom;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use vcd::{IdCode, VarType};

/// For each signal, in visiting order, and then for each local, true if a waveform with these options shows it: the
/// argument of `hdlkit_compiled::Code::compile_showing`.
///
/// # Errors
/// The errors of [`WaveOptions::check`].
pub fn shown(block: &dyn Structure, options: &WaveOptions) -> Result<Vec<bool>, WaveError> {
    options.check(block)?;
    let mut layout = Layout::new(options, None);
    block.visit("top", &mut layout);
    layout.locals(&CircuitLocals::of(block, "top").signals);
    Ok(layout.is_chosen)
}

/// A scope of the file.
#[derive(Default)]
pub(super) struct Node {
    /// The scopes in order of first appearance.
    scopes: Vec<(String, Node)>,
    /// The variables: name, type, atom, and the index of the atom's leaf.
    variables: Vec<(String, VariableKind, usize, usize)>,
}

#[derive(Clone, Copy, PartialEq)]
enum VariableKind {
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

    pub fn write<W: Write>(
        &self,
        writer: &mut vcd::Writer<W>,
        clock: &mut Option<IdCode>,
        codes: &mut BTreeMap<(usize, usize), IdCode>,
    ) -> io::Result<()> {
        for (name, kind, atom, leaf) in &self.variables {
            match (kind, *clock) {
                (VariableKind::Wire(width), _) => {
                    codes.insert((*atom, *leaf), writer.add_var(VarType::Wire, *width, name, None)?);
                }
                (VariableKind::Text, _) => {
                    codes.insert((*atom, *leaf), writer.add_var(VarType::String, 1, name, None)?);
                }
                // All clocks share one variable.
                (VariableKind::Clock, Some(code)) => writer.var_def(VarType::Wire, 1, code, name, None)?,
                (VariableKind::Clock, None) => *clock = Some(writer.add_var(VarType::Wire, 1, name, None)?),
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

/// Builds the tree of scopes.
pub(super) struct Layout<'a> {
    options: &'a WaveOptions,
    path: Vec<String>,
    /// For each open block, true if it is a register. Its `d` is omitted: the engine commits it only at the edge, and a
    /// cycle later its value is `q`.
    registers: Vec<bool>,
    pub root: Node,
    /// For each atom so far, true if it is selected.
    pub is_chosen: Vec<bool>,
    /// The atoms with known values; `None` if all values are known.
    known: Option<HashSet<usize>>,
}

impl<'a> Layout<'a> {
    pub fn new(options: &'a WaveOptions, known: Option<HashSet<usize>>) -> Self {
        Layout {
            options,
            path: vec![],
            registers: vec![],
            root: Node::default(),
            is_chosen: vec![],
            known,
        }
    }

    /// Adds the locals, after all signals.
    pub fn locals(&mut self, locals: &[LocalSignal]) {
        for local in locals {
            self.path = local.block.split('.').map(String::from).collect();
            self.add(&local.key, &local.shape, false);
        }
    }

    /// Adds a signal in the open scopes.
    fn add(&mut self, name: &str, shape: &Shape, clock: bool) {
        let index = self.is_chosen.len();
        let path = format!("{}.{}", self.path.join("."), pretty(name));
        let chosen = self.chosen(&path);
        self.is_chosen.push(chosen);
        let is_known = |known: &HashSet<usize>| clock || known.contains(&index);
        if !chosen || !self.known.as_ref().is_none_or(is_known) {
            return;
        }
        // Viewers would take brackets at the end of a variable's name for a bit select.
        let name = name.replace('$', "_");
        let mut home = &mut self.root;
        for scope in &self.path {
            home = home.scope(scope);
        }
        for (order, (field, _, shape)) in shape.leaves().into_iter().enumerate() {
            let kind = match &shape {
                _ if clock => VariableKind::Clock,
                Shape::Enum(_) => VariableKind::Text,
                shape => VariableKind::Wire(shape.width() as u32),
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
        let descriptor = atom.descriptor();
        self.add(name, &Shape::new(&descriptor), descriptor.name == "clock");
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
