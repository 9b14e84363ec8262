//! Elaboration, from blocks and kernels to one graph: hierarchy and bundles are flattened to cells, statements become
//! values.
//!
//! A cell is a signal's field in one block; a port and the signal connected to it share their cells. Every kernel is
//! executed once with values for cells: an `if` becomes a choice between the results of its branches. The final value
//! of a cell is its driver.

use super::execute::{execute, Leaf, Leaves};
use super::graph::{Graph, Op, MOST_BITS};
use super::parts::{field, words_of, Cell, Design, Initial, Memory, Opaque, Port, Register, Shown, Source, Word};
use super::resolve::resolve;
use crate::error::CompileError;
use crate::gates::Gates;
use hdlkit::circuit::{Follows, Kind, Primitive};
use hdlkit::kernel::resolve::{Role, Table};
use hdlkit::kernel::scope::{AtomInfo, Scope};
use hdlkit::kernel::shape::Shape;
use hdlkit::kernel::statement::Stmt;
use hdlkit::kernel::syntax::Block;
use hdlkit::kernel::unroll::unroll;
use rust_hdl_core::atom::AtomKind;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The design under `top`, with `primitives` as its leaves without a kernel, in the order of the fields. `shown` is
/// true for each visible signal, in visiting order, and then for each visible local; signals past its end are hidden.
/// `gates` replace blocks' kernels.
pub(crate) fn elaborate<'a>(
    top: &'a Scope,
    primitives: &'a [Primitive],
    shown: &'a [bool],
    gates: &'a [Gates],
) -> Result<Design, CompileError> {
    let mut elaborator = Elaborator {
        shown,
        locals: signals(top),
        design: Design {
            shown: vec![],
            ports: vec![],
            flip_flops: 0,
            primitives: 0,
            absent: vec![],
            switches: vec![],
            graph: Graph::default(),
            cells: vec![],
            registers: vec![],
            memories: vec![],
            opaques: vec![],
            outputs: vec![],
            port_words: 0,
            words: 0,
            families: 0,
        },
        primitives: primitives.iter(),
        gates,
        families: HashMap::new(),
        unrolled: HashMap::new(),
    };
    let mut ports = HashMap::new();
    let mut place = 0;
    for (index, atom) in top.atoms.iter().enumerate().filter(|(_, a)| a.kind.is_parameter()) {
        let leaves = elaborator.cells(&format!("{}.{}", top.path, atom.key), &atom.shape)?;
        let mut port = Port {
            atom: index,
            key: atom.key.clone(),
            input: atom.kind == AtomKind::InputParameter,
            fields: vec![],
        };
        for leaf in leaves.iter() {
            match port.input {
                true => elaborator.source(leaf.cell, Source::Input(place)),
                false => elaborator.design.outputs.push(Word {
                    place,
                    value: leaf.cell,
                }),
            }
            port.fields.push((leaf.low, leaf.width, place));
            place += words_of(leaf.width);
        }
        elaborator.design.ports.push(port);
        ports.insert(atom.key.clone(), leaves);
    }
    elaborator.design.port_words = place;
    elaborator.design.words = place;
    elaborator.block(top, &ports)?;
    if elaborator.primitives.next().is_some() {
        return Err(CompileError::new(&top.path, "has more primitives than its fields show"));
    }
    let made = |gates: &&Gates| elaborator.design.switches.iter().any(|made| made.path == gates.path());
    if let Some(unknown) = gates.iter().find(|gates| !made(gates)) {
        return Err(CompileError::new(
            unknown.path(),
            "is not a block that can be made of gates",
        ));
    }
    resolve(elaborator.design)
}

/// The number of signals in a block and the blocks in it.
fn signals(scope: &Scope) -> usize {
    scope.atoms.len() + scope.children.iter().map(signals).sum::<usize>()
}

pub(super) struct Elaborator<'a> {
    shown: &'a [bool],
    gates: &'a [Gates],
    /// The index of the next local: they follow all signals.
    pub(super) locals: usize,
    pub(super) design: Design,
    pub(super) primitives: std::slice::Iter<'a, Primitive>,
    families: HashMap<String, u32>,
    /// Blocks by the name of their type, with their kernels, for reuse: most of a chip consists of equal lanes.
    unrolled: HashMap<&'static str, Vec<(&'a Scope, Rc<UnrolledKernel>)>>,
}

/// A kernel's statements, and its names.
pub(super) struct UnrolledKernel {
    pub table: Table,
    statements: Vec<Stmt>,
}

impl<'a> Elaborator<'a> {
    /// The kernel `code` of a block, unrolled once for all equal blocks.
    pub(super) fn kernel(&mut self, scope: &'a Scope, code: &Block) -> Result<Rc<UnrolledKernel>, CompileError> {
        let known = self.unrolled.entry(scope.type_name).or_default();
        if let Some((_, kernel)) = known.iter().find(|(other, _)| other.unrolls_as(scope)) {
            return Ok(kernel.clone());
        }
        let mut table = Table::new(scope);
        let unrolled = unroll(scope, &mut table, code);
        if let Some(problem) = unrolled.problems.first() {
            return Err(CompileError::new(&scope.path, problem.to_string()));
        }
        let statements = unrolled.statements;
        let kernel = Rc::new(UnrolledKernel { table, statements });
        known.push((scope, kernel.clone()));
        Ok(kernel)
    }

    /// The family of the part at `path`. Parts with paths that differ only in the last index, such as one lane's
    /// registers and the next lane's, change together and share a family. Arrays of parts of the top block do not: they
    /// are whole machines.
    pub(super) fn family(&mut self, path: &str) -> u32 {
        let name = match path.rfind('[').zip(path.rfind(']')) {
            Some((open, close)) if open < close && path[..open].matches('.').count() > 1 => {
                format!("{}{}", &path[..=open], &path[close..])
            }
            _ => path.to_string(),
        };
        let next = self.families.len() as u32;
        let family = *self.families.entry(name).or_insert(next);
        self.design.families = self.families.len() as u32;
        family
    }

    pub(super) fn cells(&mut self, name: &str, shape: &Shape) -> Result<Leaves, CompileError> {
        let mut leaves = vec![];
        for (field, low, leaf) in shape.leaves() {
            let width = leaf.width() as u32;
            if width == 0 {
                continue;
            }
            if width > MOST_BITS {
                return Err(CompileError::new(name, format!("has a field of {width} bits")));
            }
            leaves.push(Leaf {
                low: low as u32,
                width,
                cell: self.cell(format!("{name}{field}"), width, Source::Nothing),
            });
        }
        Ok(Rc::new(leaves))
    }

    pub(super) fn cell(&mut self, name: String, width: u32, source: Source) -> u32 {
        self.design.cells.push(Cell { name, width, source });
        (self.design.cells.len() - 1) as u32
    }

    /// Records a signal if it is shown. Clocks have no value.
    pub(super) fn show(&mut self, atom: &AtomInfo, leaves: &Leaves) {
        if !atom.clock {
            self.show_at(atom.index, &atom.shape, leaves);
        }
    }

    /// Records the signal or local with this index if it is shown.
    fn show_at(&mut self, index: usize, shape: &Shape, leaves: &Leaves) {
        if !self.shown.get(index).copied().unwrap_or(false) {
            return;
        }
        let place = &mut self.design.words;
        let mut field = |leaf: &Leaf| {
            let at = *place;
            *place += words_of(leaf.width);
            (leaf.low, leaf.width, leaf.cell, at)
        };
        self.design.shown.push(Shown {
            atom: index,
            shape: shape.clone(),
            fields: leaves.iter().map(&mut field).collect(),
        });
    }

    pub(super) fn source(&mut self, cell: u32, source: Source) {
        self.design.cells[cell as usize].source = source;
    }

    fn block(&mut self, scope: &'a Scope, ports: &HashMap<String, Leaves>) -> Result<(), CompileError> {
        let Some(code) = &scope.kernel else {
            return self.primitive(scope, ports);
        };
        if let Some(gates) = self.gates.iter().find(|gates| gates.path() == scope.path) {
            return self.gates(scope, gates, ports);
        }
        let kernel = self.kernel(scope, code)?;
        let UnrolledKernel { table, statements } = &*kernel;
        let mut leaves = vec![];
        for sig in &table.sigs {
            let name = format!("{}.{}", scope.path, sig.key);
            leaves.push(match sig.role {
                Role::Input | Role::Output => ports[&sig.key].clone(),
                Role::Constant => {
                    let cells = self.cells(&name, &sig.shape)?;
                    for leaf in cells.iter() {
                        let value = field(&sig.value, leaf.low, leaf.width);
                        let value = self.design.graph.constant(value, leaf.width);
                        self.source(leaf.cell, Source::Wire(value));
                    }
                    cells
                }
                Role::Local | Role::ChildInput(_) | Role::ChildOutput(_) => self.cells(&name, &sig.shape)?,
                Role::InOut => return Err(CompileError::new(&name, "is bidirectional")),
            });
        }
        let values = execute(statements, &mut self.design.graph, &leaves)
            .map_err(|reason| CompileError::new(&scope.path, reason))?;
        for (cell, value) in values {
            self.source(cell, Source::Wire(value));
        }
        for atom in &scope.atoms {
            self.show(atom, &leaves[table.named(&atom.key)]);
        }
        for sig in &table.locals {
            self.show_at(self.locals, &table.sigs[*sig].shape, &leaves[*sig]);
            self.locals += 1;
        }
        for (index, child) in scope.children.iter().enumerate() {
            let mut ports = HashMap::new();
            let kernel = child.kernel.is_some();
            for atom in child.atoms.iter().filter(|a| a.kind.is_parameter()) {
                let sig = table.named(&format!("{}${}", child.instance, atom.key));
                debug_assert!(matches!(table.sigs[sig].role, Role::ChildInput(c) | Role::ChildOutput(c) if c == index));
                if !kernel {
                    self.show(atom, &leaves[sig]);
                }
                ports.insert(atom.key.clone(), leaves[sig].clone());
            }
            if child.register.is_some() {
                self.register(&child.path, &ports);
            } else {
                self.block(child, &ports)?;
            }
        }
        Ok(())
    }

    fn register(&mut self, path: &str, ports: &HashMap<String, Leaves>) {
        let family = self.family(path);
        let number = self.design.flip_flops;
        self.design.flip_flops += 1;
        for (q, d) in ports["q"].iter().zip(ports["d"].iter()) {
            self.source(q.cell, Source::Register);
            self.design.registers.push(Register {
                cell: q.cell,
                next: d.cell,
                initial: Initial::FlipFlop(number),
                low: q.low,
                family,
            });
        }
    }

    pub(super) fn primitive(&mut self, scope: &Scope, ports: &HashMap<String, Leaves>) -> Result<(), CompileError> {
        let Some(Primitive(kind)) = self.primitives.next() else {
            return Err(CompileError::new(
                &scope.path,
                "has neither a kernel nor `#[derive(Leaf)]`",
            ));
        };
        self.design.primitives += 1;
        match kind {
            Kind::Memory(values, _) => self.memory(scope, ports, |_| values.len()),
            Kind::Registered(words, _) => self.memory(scope, ports, |stride| words.len() / stride as usize),
            Kind::Opaque(_, follows) => self.opaque(scope, ports, *follows),
        }
    }

    /// Adds a memory. `elements`: the number of elements, from the number of words in one.
    fn memory(
        &mut self,
        scope: &Scope,
        ports: &HashMap<String, Leaves>,
        elements: impl Fn(u32) -> usize,
    ) -> Result<(), CompileError> {
        let port = |key: &str| {
            ports
                .get(key)
                .cloned()
                .ok_or_else(|| CompileError::new(&scope.path, format!("is a memory without `{key}`")))
        };
        let memory = self.design.memories.len() as u32;
        let registered = ports.contains_key("read_enable");
        let write_data = port("write_data")?;
        let mut inputs = vec![];
        if registered {
            inputs.push(port("read_enable")?[0].cell);
        }
        let write_enable = port("write_enable")?[0];
        inputs.push(write_enable.cell);
        let joined = joined(&write_data, write_enable.width);
        let (mut values, mut fields, mut stride) = (vec![], vec![], 0);
        for leaves in joined.iter().map(|range| &write_data[range.clone()]) {
            let low = leaves[0].low;
            fields.extend(leaves.iter().map(|leaf| (stride as usize, leaf.low - low, leaf.width)));
            let width = leaves.iter().map(|leaf| leaf.width).sum();
            values.push((low, width));
            stride += words_of(width);
        }
        inputs.push(port("write_address")?[0].cell);
        let numbered: Vec<String> = match ports.contains_key("read_address") {
            true => vec![String::new()],
            false => (1..=3)
                .map(|n| format!("_{n}"))
                .filter(|n| ports.contains_key(&format!("read_address{n}")))
                .collect(),
        };
        let mut reads = vec![];
        for number in &numbered {
            let address = port(&format!("read_address{number}"))?[0];
            if registered {
                inputs.push(address.cell);
            }
            reads.push((address, port(&format!("read_data{number}"))?));
        }
        for range in &joined {
            inputs.push(self.side_by_side(&scope.path, &write_data[range.clone()]));
        }
        let mut words = 0;
        let mut read_ports = vec![];
        for (address, data) in reads {
            if registered {
                read_ports.push(words);
            }
            let mut element = 0;
            for (range, (_, width)) in joined.iter().zip(&values) {
                let source = match registered {
                    true => Source::Memory {
                        memory,
                        word: words + element,
                    },
                    false => Source::Read {
                        memory,
                        word: element,
                        address: address.cell,
                    },
                };
                self.fields_of(&scope.path, &data[range.clone()], *width, source);
                element += words_of(*width);
            }
            if registered {
                words += element;
            }
        }
        let Some(data) = scope.atoms.iter().find(|a| a.key == "write_data") else {
            return Err(CompileError::new(&scope.path, "is a memory without `write_data`"));
        };
        let elements = elements(stride);
        if !elements.is_power_of_two() {
            let reason = format!("is a memory of {elements} elements, which is not a power of two");
            return Err(CompileError::new(&scope.path, reason));
        }
        let family = self.family(&scope.path);
        self.design.memories.push(Memory {
            name: scope.path.clone(),
            family,
            elements: elements as u32,
            stride,
            shape: data.shape.clone(),
            values,
            fields,
            registered,
            enables: write_enable.width,
            inputs,
            reads: read_ports,
            words,
        });
        Ok(())
    }

    /// A cell with these cells' values side by side.
    fn side_by_side(&mut self, name: &str, fields: &[Leaf]) -> u32 {
        if let [field] = fields {
            return field.cell;
        }
        let graph = &mut self.design.graph;
        let mut width = 0;
        let parts = fields.iter().map(|field| (field.cell, field.width));
        let whole = parts.fold(None, |low, (cell, bits)| {
            let high = graph.add(Op::Cell(cell), bits);
            width += bits;
            Some(low.map_or(high, |low| graph.add(Op::Concat(high, low), width)))
        });
        let source = whole.map_or(Source::Nothing, Source::Wire);
        self.cell(format!("{name}.data"), width, source)
    }

    /// Gives these cells the fields of a value from `source`.
    fn fields_of(&mut self, name: &str, fields: &[Leaf], width: u32, source: Source) {
        if let [field] = fields {
            return self.source(field.cell, source);
        }
        let value = self.cell(format!("{name}.data"), width, source);
        let value = self.design.graph.add(Op::Cell(value), width);
        for field in fields {
            let part = self.design.graph.slice(value, field.low - fields[0].low, field.width);
            self.source(field.cell, Source::Wire(part));
        }
    }

    fn opaque(&mut self, scope: &Scope, ports: &HashMap<String, Leaves>, follows: Follows) -> Result<(), CompileError> {
        let opaque = self.design.opaques.len() as u32;
        let mut place = 0;
        let mut inputs = vec![];
        let mut chosen = vec![];
        for atom in scope.atoms.iter().filter(|a| a.kind.is_parameter()) {
            let leaves = &ports[&atom.key];
            let [leaf] = leaves.as_slice() else {
                return Err(CompileError::new(
                    &scope.path,
                    format!("is called from compiled code with a bundle, `{}`", atom.key),
                ));
            };
            if atom.kind == AtomKind::InputParameter {
                if !atom.clock {
                    let array = atom.key.split('$').next().unwrap_or_default();
                    if matches!(follows, Follows::All)
                        || matches!(follows, Follows::Only(followed) if followed.contains(&array))
                    {
                        chosen.push(inputs.len());
                    }
                    inputs.push(Word {
                        place,
                        value: leaf.cell,
                    });
                }
            } else if matches!(follows, Follows::Only([])) {
                self.source(leaf.cell, Source::Opaque { opaque, word: place });
            } else {
                self.source(leaf.cell, Source::Call { opaque, word: place });
            }
            place += words_of(leaf.width);
        }
        let family = self.family(&scope.path);
        self.design.opaques.push(Opaque {
            name: scope.path.clone(),
            words: place,
            family,
            inputs,
            followed: chosen,
        });
        Ok(())
    }
}

/// The fields of an element that are side by side in a word, or one of more than 64 bits. The parts that several write
/// enables select are in one field.
fn joined(fields: &[Leaf], enables: u32) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = vec![];
    let mut sum = 0;
    for (number, field) in fields.iter().enumerate() {
        sum += field.width;
        match ranges.last_mut() {
            Some(range) if enables == 1 && sum <= u64::BITS => range.end = number + 1,
            _ => {
                ranges.push(number..number + 1);
                sum = field.width;
            }
        }
    }
    ranges
}
