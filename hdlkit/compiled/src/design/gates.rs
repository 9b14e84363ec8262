//! Elaboration of a block of gates: its flip-flops and gates in the graph, each of one bit, and the switches of its
//! faults.

use super::elaborate::Elaborator;
use super::execute::Leaves;
use super::graph::{Id, Op};
use super::parts::{Initial, Register, Source, Switches, SWITCHES};
use crate::error::CompileError;
use crate::gates::Gates;
use hdlkit::gates::{Function, Gate, NetId, Pin, Port, Unit};
use hdlkit::kernel::scope::Scope;
use hdlkit::verilog::names::identifier;
use rust_hdl_core::atom::AtomKind;
use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// The cells of each port, by the port's key.
type Ports = HashMap<String, Leaves>;

/// The position of a switch: a fault of a pin that drives a net affects all readers of the net.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Switched {
    Net(NetId),
    Reader(Pin),
}

/// The switches and their values by position.
type Switching = FxHashMap<Switched, Vec<(Id, bool)>>;

/// The values of nets, and the switches.
struct Nets {
    values: FxHashMap<NetId, Id>,
    switches: Switching,
}

impl<'a> Elaborator<'a> {
    /// Adds the gates of a block in place of its contents.
    pub(super) fn gates(
        &mut self,
        scope: &'a Scope,
        gates: &Gates,
        ports: &HashMap<String, Leaves>,
    ) -> Result<(), CompileError> {
        let wrong = |reason: String| CompileError::new(&scope.path, format!("has gates that {reason}"));
        let switches = self.switches(scope, gates)?;
        let mut nets = Nets {
            values: FxHashMap::default(),
            switches,
        };
        // Net 0 is low, net 1 high.
        for net in [0, 1] {
            let value = self.design.graph.constant(net.into(), 1);
            nets.values.insert(net, value);
        }
        let unit = &gates.unit;
        let memories = self.memories_in(scope, unit)?;
        // The cells of a port, or of a memory's port.
        let leaves = |port: &Port| {
            let found = match port.verilog.contains('.') {
                true => port
                    .path
                    .rsplit_once('.')
                    .and_then(|(memory, _)| memories.get(&format!("top.{memory}"))),
                false => Some(ports),
            };
            let own = port.verilog.rsplit('.').next().unwrap_or_default();
            let found = found.and_then(|ports| ports.iter().find(|(key, _)| identifier(key) == own));
            let missing = || wrong(format!("have a port `{}`, which the block does not have", port.verilog));
            found.map(|(_, leaves)| leaves.clone()).ok_or_else(missing)
        };
        for port in &unit.inputs {
            let name = &port.verilog;
            for leaf in leaves(port)?.iter() {
                let word = self.design.graph.add(Op::Cell(leaf.cell), leaf.width);
                for bit in 0..leaf.width {
                    let Some(net) = port.nets.get((leaf.low + bit) as usize) else {
                        return Err(wrong(format!("have only {} bits of `{name}`", port.nets.len())));
                    };
                    let value = self.design.graph.slice(word, bit, 1);
                    self.drive(&mut nets, *net, value);
                }
            }
        }
        let mut nexts = vec![];
        for register in &unit.registers {
            let name = format!("top.{}", register.name);
            let cell = self.cell(format!("{name}$q"), 1, Source::Register);
            let next = self.cell(format!("{name}$d"), 1, Source::Nothing);
            let initial = Initial::Value(register.initial.into());
            let family = self.family(&name);
            self.design.registers.push(Register {
                cell,
                next,
                initial,
                low: 0,
                family,
            });
            nexts.push(next);
            let value = self.design.graph.add(Op::Cell(cell), 1);
            self.drive(&mut nets, register.q, value);
        }
        for (number, gate) in (0..).zip(&unit.gates) {
            let mut operands = [0; 3];
            for (index, operand) in (0..).zip(&mut operands) {
                *operand = self
                    .read(
                        &nets,
                        gate.inputs[index as usize],
                        Pin::GateInput {
                            gate: number,
                            input: index,
                        },
                    )
                    .ok_or_else(|| wrong(format!("read a net of {} before it is driven", gate.name)))?;
            }
            let value = self.gate(gate, operands);
            self.drive(&mut nets, gate.output, value);
        }
        for (number, (register, next)) in (0..).zip(unit.registers.iter().zip(nexts)) {
            let value = self
                .read(&nets, register.d, Pin::RegisterInput { register: number })
                .ok_or_else(|| wrong(format!("do not drive {}", register.name)))?;
            self.source(next, Source::Wire(value));
        }
        for (number, port) in (0..).zip(&unit.outputs) {
            let name = &port.verilog;
            for leaf in leaves(port)?.iter() {
                let mut word = None;
                for bit in leaf.low..leaf.low + leaf.width {
                    let value = port
                        .nets
                        .get(bit as usize)
                        .and_then(|net| self.read(&nets, *net, Pin::Output { port: number, bit }))
                        .ok_or_else(|| wrong(format!("do not drive bit {bit} of `{name}`")))?;
                    word = Some(match word {
                        None => value,
                        Some(low) => self.design.graph.add(Op::Concat(value, low), bit - leaf.low + 1),
                    });
                }
                if let Some(word) = word {
                    self.source(leaf.cell, Source::Wire(word));
                }
            }
        }
        let outputs = |atom: &&hdlkit::kernel::scope::AtomInfo| atom.kind == AtomKind::OutputParameter;
        for atom in scope.atoms.iter().filter(outputs) {
            if !unit.outputs.iter().any(|port| identifier(&atom.key) == port.verilog) {
                return Err(wrong(format!("do not drive `{}`", atom.key)));
            }
        }
        self.inside(scope, &memories)
    }

    /// Adds a register for every 64 faults, and returns their bits by pin.
    fn switches(&mut self, scope: &Scope, gates: &Gates) -> Result<Switching, CompileError> {
        self.design.switches.push(Switches {
            path: scope.path.clone(),
            register: self.design.registers.len() as u32,
            count: gates.faults.len() as u32,
        });
        let mut switches = Switching::default();
        for (number, faults) in gates.faults.chunks(SWITCHES as usize).enumerate() {
            let name = format!("{}.{FAULTS}[{number}]", scope.path);
            let width = faults.len() as u32;
            let zero = self.design.graph.constant(0, width);
            let cell = self.cell(format!("{name}$q"), width, Source::Register);
            let next = self.cell(format!("{name}$d"), width, Source::Wire(zero));
            let family = self.family(&name);
            self.design.registers.push(Register {
                cell,
                next,
                initial: Initial::Value(0),
                low: 0,
                family,
            });
            let word = self.design.graph.add(Op::Cell(cell), width);
            for (bit, fault) in (0..).zip(faults) {
                let switch = self.design.graph.slice(word, bit, 1);
                let place = match fault.pin.drives() {
                    true => Switched::Net(fault.pin.net(&gates.unit)),
                    false => Switched::Reader(fault.pin),
                };
                switches.entry(place).or_default().push((switch, fault.value));
            }
        }
        Ok(switches)
    }

    /// Sets a net to this value, unless it is stuck.
    fn drive(&mut self, nets: &mut Nets, net: NetId, value: Id) {
        let value = self.stuck(nets, Switched::Net(net), value);
        nets.values.insert(net, value);
    }

    /// The value of a net at a pin; `None` if nothing drives it.
    fn read(&mut self, nets: &Nets, net: NetId, pin: Pin) -> Option<Id> {
        let value = *nets.values.get(&net)?;
        Some(self.stuck(nets, Switched::Reader(pin), value))
    }

    /// A value after the switches of a position.
    fn stuck(&mut self, nets: &Nets, place: Switched, mut value: Id) -> Id {
        let graph = &mut self.design.graph;
        for (switch, one) in nets.switches.get(&place).into_iter().flatten() {
            value = match one {
                true => graph.add(Op::Or(value, *switch), 1),
                false => {
                    let free = graph.not(*switch);
                    graph.add(Op::And(value, free), 1)
                }
            };
        }
        value
    }

    fn gate(&mut self, gate: &Gate, [first, second, third]: [Id; 3]) -> Id {
        let graph = &mut self.design.graph;
        let value = match gate.function {
            // Registers are not gates.
            Function::Same | Function::Register => first,
            Function::And => graph.add(Op::And(first, second), 1),
            Function::Or => graph.add(Op::Or(first, second), 1),
            Function::Xor => graph.add(Op::Xor(first, second), 1),
            Function::AndNot => {
                let second = graph.not(second);
                graph.add(Op::And(first, second), 1)
            }
            Function::OrNot => {
                let second = graph.not(second);
                graph.add(Op::Or(first, second), 1)
            }
            Function::Choose => graph.mux(third, second, first),
        };
        match gate.inverted {
            true => graph.not(value),
            false => value,
        }
    }

    /// The ports' cells of the memories in a block that its gates use, by the memories' paths.
    fn memories_in(&mut self, scope: &'a Scope, unit: &Unit) -> Result<HashMap<String, Ports>, CompileError> {
        let mut found = HashMap::new();
        let mut scopes: Vec<&Scope> = scope.children.iter().collect();
        while let Some(scope) = scopes.pop() {
            let is_used = |port: &Port| {
                let memory = port.path.rsplit_once('.').map(|(memory, _)| memory);
                port.verilog.contains('.') && memory.is_some_and(|memory| format!("top.{memory}") == scope.path)
            };
            scopes.extend(&scope.children);
            if scope.kernel.is_some() || !unit.inputs.iter().chain(&unit.outputs).any(is_used) {
                continue;
            }
            let mut ports = HashMap::new();
            for atom in scope.atoms.iter().filter(|atom| atom.kind.is_parameter()) {
                let leaves = self.cells(&format!("{}.{}", scope.path, atom.key), &atom.shape)?;
                self.show(atom, &leaves);
                ports.insert(atom.key.clone(), leaves);
            }
            found.insert(scope.path.clone(), ports);
        }
        Ok(found)
    }

    /// Adds the memories in a block of gates, and nothing else of its contents. Registers and locals keep their order
    /// among the others.
    fn inside(&mut self, scope: &'a Scope, memories: &HashMap<String, Ports>) -> Result<(), CompileError> {
        let Some(code) = &scope.kernel else {
            if let Some(ports) = memories.get(&scope.path) {
                return self.primitive(scope, ports);
            }
            self.primitives.next();
            self.design.absent.push(self.design.primitives);
            self.design.primitives += 1;
            return Ok(());
        };
        self.locals += self.kernel(scope, code)?.table.locals.len();
        for child in &scope.children {
            match child.register {
                Some(_) => self.design.flip_flops += 1,
                None => self.inside(child, memories)?,
            }
        }
        Ok(())
    }
}

/// The name of the registers of a block's switches.
const FAULTS: &str = "gate_faults";
