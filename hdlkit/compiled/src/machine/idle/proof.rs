//! The proof that a cycle is idle: symbolic evaluation of all nodes that depend on counters.

use crate::design::graph::{mask, Id, Op};
use crate::design::tables::NONE;
use crate::design::words_of;
use crate::machine::period::symbolic::{Scratch, Value};
use crate::machine::period::tables::{CountedValue, IdleTables};
use crate::machine::state::Machine;
use std::collections::BTreeSet;

/// The maximum number of nodes that depend on counters.
const MOST_NODES: u32 = 5000;

/// The longest chain of operands, which are evaluated by recursion.
const DEEPEST: u32 = 500;

/// The number that a cycle adds to a counter, modulo 2^width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CounterStep {
    pub source: CountedValue,
    pub step: u128,
}

struct Proof<'a> {
    machine: &'a Machine,
    tables: &'a IdleTables,
    counters: &'a [CountedValue],
    scratch: &'a mut Scratch,
}

/// Returns the steps of `counters`, or `None` if one of them is not a counter or another value depends on them.
pub(super) fn steps(
    machine: &Machine,
    tables: &IdleTables,
    counters: &[CountedValue],
    scratch: &mut Scratch,
) -> Option<Vec<CounterStep>> {
    scratch.proof += 1;
    scratch.values.resize(tables.tables.nodes, (Value::Unknown, 0, 0));
    let mut proof = Proof {
        machine,
        tables,
        counters,
        scratch,
    };
    let mut steps = vec![];
    let mut memories = BTreeSet::new();
    let tables = &tables.tables;
    let mut open: Vec<Id> = vec![];
    for counter in counters {
        match *counter {
            CountedValue::Register(number) => {
                open.extend(Some(tables.lasting[number as usize].node).filter(|id| *id != NONE))
            }
            CountedValue::Word { memory, .. } => {
                memories.insert(memory);
                open.extend(&tables.memories[memory as usize].reads);
            }
        }
    }
    let mut seen = 0;
    while let Some(id) = open.pop() {
        if !proof.is_new(id) || matches!(proof.value(id, 0), Value::Known(_)) {
            continue;
        }
        seen += 1;
        if seen > MOST_NODES || !tables.outputs_of.of(id).is_empty() {
            return None;
        }
        for register in tables.takers.of(id) {
            steps.push(proof.step(id, CountedValue::Register(*register))?);
        }
        memories.extend(tables.memories_of.of(id));
        open.extend(tables.users.of(id));
    }
    for memory in memories {
        proof.memory(memory, &mut steps)?;
    }
    // A register without a step is not a counter: its next value does not depend on it.
    let is_register = |source: &CountedValue| matches!(source, CountedValue::Register(_));
    let registers = steps.iter().filter(|step| is_register(&step.source)).count();
    (registers == counters.iter().filter(|source| is_register(source)).count()).then_some(steps)
}

impl Proof<'_> {
    /// True if this is the first call for a node.
    fn is_new(&mut self, id: Id) -> bool {
        let (.., seen) = &mut self.scratch.values[id as usize];
        std::mem::replace(seen, self.scratch.proof) != self.scratch.proof
    }

    /// Returns the step of a counter with the next value `next`; `None` if it does not count.
    fn step(&mut self, next: Id, source: CountedValue) -> Option<CounterStep> {
        match self.value(next, 0) {
            Value::Sum(of, step) if of == source => Some(CounterStep { source, step }),
            _ => None,
        }
    }

    fn known(&mut self, id: Id) -> Option<u128> {
        match self.value(id, 0) {
            Value::Known(value) => Some(value),
            _ => None,
        }
    }

    /// Adds the steps of the words in the element that a memory writes; `None` if another value depends on counters.
    fn memory(&mut self, memory: u32, steps: &mut Vec<CounterStep>) -> Option<()> {
        let ports = &self.tables.tables.memories[memory as usize];
        let (enable, address) = (self.known(ports.write_enable)?, self.known(ports.write_address)?);
        if ports.registered {
            self.known(ports.read_enable)?;
            for address in &ports.read_addresses {
                self.known(*address)?;
            }
        }
        if enable == 0 {
            return Some(());
        }
        let element = ports.element(address) as u32;
        for (word, (data, _)) in (element..).zip(&ports.write_data) {
            // Data that do not depend on counters are the same in every period.
            if self.known(*data).is_none() {
                if ports.registered || ports.part.is_some() {
                    return None;
                }
                steps.push(self.step(*data, CountedValue::Word { memory, word })?);
            }
        }
        Some(())
    }

    fn value(&mut self, id: Id, depth: u32) -> Value {
        let (value, proof, _) = self.scratch.values[id as usize];
        if proof == self.scratch.proof {
            return value;
        }
        if depth > DEEPEST {
            return Value::Unknown;
        }
        let value = self.evaluate(id, depth + 1);
        let place = &mut self.scratch.values[id as usize];
        (place.0, place.1) = (value, self.scratch.proof);
        value
    }

    fn evaluate(&mut self, id: Id, depth: u32) -> Value {
        let graph = &self.machine.code.design.graph;
        let width = graph.width(id);
        match graph.op(id) {
            Op::Cell(cell) => self.cell(cell, width),
            Op::Read { memory, word, address } => {
                let address = self.value(address, depth);
                self.read(memory, word, address, width)
            }
            Op::Mux(test, one, zero) => match self.value(test, depth) {
                Value::Known(0) => self.value(zero, depth),
                Value::Known(_) => self.value(one, depth),
                _ => match (self.value(one, depth), self.value(zero, depth)) {
                    (one, zero) if one == zero => one,
                    _ => Value::Unknown,
                },
            },
            op @ (Op::And(a, b) | Op::Or(a, b)) => {
                let (neutral, absorbing) = match op {
                    Op::And(..) => (mask(width), 0),
                    _ => (0, mask(width)),
                };
                for (one, other) in [(a, b), (b, a)] {
                    match self.value(one, depth) {
                        Value::Known(number) if number == absorbing => return Value::Known(number),
                        Value::Known(number) if number == neutral => return self.value(other, depth),
                        _ => {}
                    }
                }
                self.number(op, width, depth)
            }
            op @ (Op::Add(a, b) | Op::Sub(a, b)) => match (op, self.value(a, depth), self.value(b, depth)) {
                (Op::Add(..), Value::Known(number), Value::Sum(source, sum))
                | (Op::Add(..), Value::Sum(source, sum), Value::Known(number)) => {
                    Value::Sum(source, sum.wrapping_add(number) & mask(width))
                }
                (Op::Sub(..), Value::Sum(source, sum), Value::Known(number)) => {
                    Value::Sum(source, sum.wrapping_sub(number) & mask(width))
                }
                _ => self.number(op, width, depth),
            },
            op => self.number(op, width, depth),
        }
    }

    /// Returns the value of an operation on known operands.
    fn number(&mut self, op: Op, width: u32, depth: u32) -> Value {
        let mut all = true;
        op.operands(&mut |id| all = all && matches!(self.value(id, depth), Value::Known(_)));
        if !all {
            return Value::Unknown;
        }
        let values = &self.scratch.values;
        let known = |id: Id| match values[id as usize].0 {
            Value::Known(number) => Some(number),
            _ => None,
        };
        let known = self.machine.code.design.graph.apply(op, width, known);
        known.map_or(Value::Unknown, Value::Known)
    }

    fn cell(&self, cell: u32, width: u32) -> Value {
        let register = self.tables.register_of_cell[cell as usize].map(CountedValue::Register);
        if let Some(counter) = register.filter(|register| self.counters.contains(register)) {
            return Value::Sum(counter, 0);
        }
        match self.tables.places[cell as usize] {
            Some(place) => Value::Known(self.machine.value(place, width)),
            None => Value::Unknown,
        }
    }

    /// A memory read within the cycle.
    fn read(&self, memory: u32, word: u32, address: Value, width: u32) -> Value {
        let Value::Known(address) = address else {
            return Value::Unknown;
        };
        let first = self.tables.tables.memories[memory as usize].element(address) as u32 + word;
        let words = first..first + words_of(width);
        let counts = |word: &u32| self.counters.contains(&CountedValue::Word { memory, word: *word });
        match words.clone().find(counts) {
            Some(word) if width <= 64 => Value::Sum(CountedValue::Word { memory, word }, 0),
            Some(_) => Value::Unknown,
            None => {
                let words = words
                    .rev()
                    .map(|word| self.machine.memories[memory as usize][word as usize]);
                Value::Known(words.fold(0, |value, word| value << 64 | u128::from(word)) & mask(width))
            }
        }
    }
}
