//! Resolution: cells are replaced by their drivers.

use super::graph::{Graph, Id, Op};
use super::parts::{Cell, Design, Register, Source, Word};
use crate::error::CompileError;

/// The design with cells replaced by their drivers: [`Op::Cell`] remains for state and inputs only.
pub(super) fn resolve(design: Design) -> Result<Design, CompileError> {
    let mut resolver = Resolver {
        old: &design.graph,
        cells: &design.cells,
        graph: Graph::default(),
        nodes: vec![None; design.graph.nodes.len()],
        done: vec![None; design.cells.len()],
        active: vec![],
        is_active: vec![false; design.cells.len()],
    };
    let word = |resolver: &mut Resolver, words: &[Word]| {
        words
            .iter()
            .map(|word| {
                Ok(Word {
                    value: resolver.cell(word.value)?,
                    ..*word
                })
            })
            .collect::<Result<Vec<Word>, CompileError>>()
    };
    let mut registers = vec![];
    for register in &design.registers {
        registers.push(Register {
            next: resolver.cell(register.next)?,
            ..*register
        });
    }
    let mut memory_inputs = vec![];
    for memory in &design.memories {
        let inputs = memory.inputs.iter().map(|cell| resolver.cell(*cell));
        memory_inputs.push(inputs.collect::<Result<Vec<Id>, CompileError>>()?);
    }
    let mut opaque_inputs = vec![];
    for opaque in &design.opaques {
        opaque_inputs.push(word(&mut resolver, &opaque.inputs)?);
    }
    let mut outputs = word(&mut resolver, &design.outputs)?;
    let fields = design.shown.iter().flat_map(|shown| &shown.fields);
    let driven = fields.filter(|(_, _, cell, _)| design.cells[*cell as usize].source != Source::Nothing);
    let shown: Vec<Word> = driven.map(|&(_, _, value, place)| Word { place, value }).collect();
    outputs.extend(word(&mut resolver, &shown)?);
    let graph = resolver.graph;
    let mut design = design;
    for (memory, inputs) in design.memories.iter_mut().zip(memory_inputs) {
        memory.inputs = inputs;
    }
    for (opaque, inputs) in design.opaques.iter_mut().zip(opaque_inputs) {
        opaque.inputs = inputs;
    }
    Ok(Design {
        graph,
        registers,
        outputs,
        ..design
    })
}

struct Resolver<'a> {
    old: &'a Graph,
    cells: &'a [Cell],
    graph: Graph,
    nodes: Vec<Option<Id>>,
    done: Vec<Option<Id>>,
    active: Vec<u32>,
    is_active: Vec<bool>,
}

impl Resolver<'_> {
    fn cell(&mut self, cell: u32) -> Result<Id, CompileError> {
        let at = cell as usize;
        if let Some(done) = self.done[at] {
            return Ok(done);
        }
        let Cell { name, width, source } = &self.cells[at];
        if self.is_active[at] {
            let start = self.active.iter().position(|c| *c == cell).unwrap_or(0);
            let path: Vec<&str> = self.active[start..]
                .iter()
                .map(|c| self.cells[*c as usize].name.as_str())
                .collect();
            return Err(CompileError::new(
                name,
                format!("depends on itself within a cycle, through {}", path.join(", ")),
            ));
        }
        self.is_active[at] = true;
        self.active.push(cell);
        let value = match *source {
            Source::Nothing => return Err(CompileError::new(name, "is never assigned")),
            Source::Wire(id) => self.node(id)?,
            Source::Call { opaque, word } => self.graph.add(Op::Call { opaque, word }, *width),
            Source::Read { memory, word, address } => {
                let address = self.cell(address)?;
                self.graph.add(Op::Read { memory, word, address }, *width)
            }
            Source::Register | Source::Input(_) | Source::Memory { .. } | Source::Opaque { .. } => {
                self.graph.add(Op::Cell(cell), *width)
            }
        };
        self.active.pop();
        self.is_active[at] = false;
        self.done[at] = Some(value);
        Ok(value)
    }

    fn node(&mut self, id: Id) -> Result<Id, CompileError> {
        if let Some(done) = self.nodes[id as usize] {
            return Ok(done);
        }
        let node = self.old.nodes[id as usize];
        let value = match node.op {
            Op::Cell(cell) => self.cell(cell)?,
            op => {
                let op = op.map(|operand| self.node(operand))?;
                self.graph.add(op, node.width)
            }
        };
        self.nodes[id as usize] = Some(value);
        Ok(value)
    }
}
