//! A module with a kernel: its signals, parts, logic and registers in Verilog.

use super::group::{groups, split, Flow, Form, Group};
use super::lower::{is_last, Lowering};
use super::names::capitals;
use super::parts::{ChildModule, Connections};
use super::print::{broken, declarations, print, print_literal, range, section};
use super::procedure::Procedure;
use super::writer::Writer;
use crate::kernel::expression::{Expr, Node};
use crate::kernel::resolve::{Role, SigId, Variant};
use crate::kernel::statement::Stmt;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The text of a module's logic.
#[derive(Default)]
struct Logic {
    text: String,
    /// Declarations of the temporaries.
    temporaries: String,
    /// Signals that always blocks assign.
    regs: BTreeSet<SigId>,
}

impl Writer<'_> {
    /// The ports and the body of a module with these statements.
    pub(super) fn kernel(&mut self, statements: Vec<Stmt>, parts: &HashMap<usize, ChildModule>) -> String {
        self.name_own();
        let (mut assigned, mut reads) = (BTreeSet::new(), BTreeSet::new());
        for s in &statements {
            s.targets(&mut assigned);
            s.expressions(&mut |e| {
                e.reads(&mut |sig, _, _| {
                    reads.insert(sig);
                })
            });
        }
        self.all_assigned(&assigned, &reads);
        if !self.problems.is_empty() {
            return String::new();
        }

        let flow = self.flow(&statements, parts);
        let (connections, kept) = self.connect(statements, &flow);
        let instances = self.name_parts(&connections, &reads);
        let constants = self.constants(&kept, &connections.direct);
        let Logic {
            text: logic,
            temporaries,
            mut regs,
        } = self.logic(&kept);
        regs.extend(self.held(&connections));
        let signals = self.signals(&assigned, &connections, &regs) + &temporaries;

        let mut text = self.ports(&|sig| regs.contains(&sig));
        section(&mut text, "Constants", &constants);
        section(&mut text, "Signals", &signals);
        section(&mut text, "Parts", &self.instances(&instances, parts, &connections));
        section(&mut text, "Logic", &logic);
        section(&mut text, "Registers", &self.registers(&connections));
        text
    }

    /// Reports signals that are read but never assigned.
    fn all_assigned(&mut self, assigned: &BTreeSet<SigId>, reads: &BTreeSet<SigId>) {
        for (sig, info) in self.table.sigs.iter().enumerate() {
            let needed = match info.role {
                Role::Output | Role::ChildInput(_) => true,
                Role::Local => reads.contains(&sig),
                _ => false,
            };
            if needed && !assigned.contains(&sig) {
                self.problem(&info.pretty(), "is never assigned");
            }
        }
    }

    /// Finds the connections without a signal of their own: inputs of parts that are connected directly, and signals
    /// that only forward an output of a part. The remaining groups are logic.
    fn connect(&self, statements: Vec<Stmt>, flow: &Flow) -> (Connections, Vec<Group>) {
        let table = self.table;
        let width = |sig: SigId| table.sigs[sig].width();
        let Connections {
            mut direct,
            mut passed_on,
        } = Connections::default();
        let mut kept: Vec<Group> = vec![];
        let groups = groups(statements, &width);
        for group in groups.into_iter().flat_map(|group| split(group, flow)) {
            if let Form::Assign { target, value } = &group.form {
                let plain = matches!(value.node, Node::Signal { .. } | Node::Literal(_) | Node::Variant(_));
                match table.sigs[*target].role {
                    Role::ChildInput(child) => {
                        let mut lowering = Lowering::new(table);
                        let value = lowering.lower(value.clone());
                        let into_register = self.is_register(child) && lowering.temporaries.is_empty();
                        if plain || into_register {
                            direct.insert(*target, value);
                            continue;
                        }
                    }
                    Role::Output => {
                        if let Node::Signal { sig, .. } = value.node {
                            let from_child = matches!(table.sigs[sig].role, Role::ChildOutput(child)
                                if !(self.own_registers && self.is_register(child)));
                            if from_child && value.width == width(sig) && !passed_on.contains_key(&sig) {
                                passed_on.insert(sig, *target);
                                continue;
                            }
                        }
                    }
                    _ => {}
                }
            }
            kept.push(group);
        }
        (Connections { direct, passed_on }, kept)
    }

    /// Names the signals between parts; returns the instances' names, empty for a register.
    fn name_parts(&mut self, connections: &Connections, reads: &BTreeSet<SigId>) -> Vec<String> {
        let mut instances = vec![];
        for child in &self.scope.children {
            instances.push(match child.register {
                Some(_) => String::new(),
                None => self.namer.name(&child.instance),
            });
        }
        for (sig, info) in self.table.sigs.iter().enumerate() {
            match info.role {
                Role::ChildInput(_) if !connections.direct.contains_key(&sig) => {
                    self.names[sig] = self.namer.name(&info.key)
                }
                Role::ChildOutput(_) => {
                    self.names[sig] = match connections.passed_on.get(&sig) {
                        Some(target) => self.names[*target].clone(),
                        None if reads.contains(&sig) => self.namer.name(&info.key),
                        None => self.namer.name(&format!("{}_unused", info.key)),
                    }
                }
                _ => {}
            }
        }
        instances
    }

    /// The text of all groups, and the declarations of their signals.
    fn logic(&mut self, kept: &[Group]) -> Logic {
        let mut logic = Logic::default();
        for group in kept {
            for comment in &group.comments {
                for line in comment.lines() {
                    logic.text.push_str(&format!("    // {}\n", line.trim()));
                }
            }
            match &group.form {
                Form::Assign { target, value } => self.assignment(*target, value, &mut logic),
                Form::Always { targets, body } => self.always(targets, body, &mut logic),
            }
        }
        logic
    }

    /// Writes a continuous assignment, and the assignments of its temporaries.
    fn assignment(&mut self, target: SigId, value: &Expr, logic: &mut Logic) {
        let name = self.names[target].clone();
        let mut lowering = Lowering::new(self.table);
        let value = lowering.lower(value.clone());
        self.temporaries.clear();
        let itself = is_last(&value, &lowering.temporaries);
        for (index, temporary) in lowering.temporaries.iter().enumerate() {
            let place = (itself && index + 1 == lowering.temporaries.len()).then_some(name.as_str());
            let (left, declared) = self.temporary_target(&name, place, temporary);
            logic.temporaries.push_str(&declarations("wire", &declared));
            let line = format!("assign {left} = {};", print(&temporary.value, self));
            logic.text.push_str(&broken(1, &line));
        }
        if !itself {
            let line = format!("assign {name} = {};", print(&value, self));
            logic.text.push_str(&broken(1, &line));
        }
    }

    /// Writes an always block.
    fn always(&mut self, targets: &BTreeSet<SigId>, body: &[Stmt], logic: &mut Logic) {
        let table = self.table;
        logic.regs.extend(targets);
        let mut live = false;
        for s in body {
            s.expressions(&mut |e| {
                e.reads(&mut |sig, _, _| live |= table.sigs[sig].role != Role::Constant && !targets.contains(&sig))
            });
        }
        let mut block = Procedure {
            writer: self,
            lowering: Lowering::new(table),
            declared: String::new(),
            defaults: String::new(),
            base: targets.first().copied().unwrap_or_default(),
        };
        let mut lines = String::new();
        block.statements(body, 2, true, &mut lines);
        let (declared, defaults) = (block.declared, block.defaults);
        logic.temporaries.push_str(&declared);
        // An always block that reads no signal would never be triggered.
        let head = if live { "always @(*) begin" } else { "initial begin" };
        logic.text.push_str(&format!("    {head}\n{defaults}{lines}    end\n"));
    }

    /// Declarations of the signals that are not ports.
    fn signals(&self, assigned: &BTreeSet<SigId>, connections: &Connections, regs: &BTreeSet<SigId>) -> String {
        let mut signals = String::new();
        for (sig, info) in self.table.sigs.iter().enumerate() {
            let declared = match info.role {
                Role::Local => assigned.contains(&sig),
                Role::ChildInput(_) => !connections.direct.contains_key(&sig),
                Role::ChildOutput(_) => !connections.passed_on.contains_key(&sig),
                _ => false,
            };
            if declared {
                let kind = if regs.contains(&sig) { "reg " } else { "wire" };
                signals.push_str(&self.layouts(&[sig]));
                signals.push_str(&format!("    {kind} {}{};\n", range(info.width()), self.names[sig]));
            }
        }
        signals
    }

    /// Same-cycle paths between signals, including those through parts; paths from inputs to outputs are kept in
    /// `paths`.
    fn flow(&mut self, statements: &[Stmt], parts: &HashMap<usize, ChildModule>) -> Flow {
        let mut flow = Flow::of(statements);
        for (index, part) in parts {
            let instance = &self.scope.children[*index].instance;
            for (from, to) in &part.paths {
                let of_part = |key: &str| self.table.named(&format!("{instance}${key}"));
                flow.add(of_part(from), of_part(to));
            }
        }
        for (from, info) in self.table.sigs.iter().enumerate() {
            if info.role == Role::Input && !info.clock {
                for to in flow.reach(from) {
                    if self.table.sigs[to].role == Role::Output {
                        self.paths.push((info.key.clone(), self.table.sigs[to].key.clone()));
                    }
                }
            }
        }
        flow
    }

    /// Declarations of the constants and enum variants in use, and names for the latter.
    fn constants(&mut self, kept: &[Group], direct: &BTreeMap<SigId, Expr>) -> String {
        let mut sigs = BTreeSet::new();
        let mut variants: Vec<Variant> = vec![];
        let mut look = |e: &Expr| {
            e.reads(&mut |sig, _, _| {
                sigs.insert(sig);
            });
            e.variants(&mut |v| {
                if !variants.contains(v) {
                    variants.push(v.clone());
                }
            });
        };
        for group in kept {
            match &group.form {
                Form::Assign { value, .. } => look(value),
                Form::Always { body, .. } => body.iter().for_each(|s| s.expressions(&mut look)),
            }
        }
        direct.values().for_each(&mut look);
        let mut text = String::new();
        for sig in sigs {
            let info = &self.table.sigs[sig];
            if info.role == Role::Constant {
                let value = print_literal(&info.value, info.width());
                text.push_str(&format!(
                    "    localparam {}{} = {value};\n",
                    range(info.width()),
                    self.names[sig]
                ));
            }
        }
        variants.sort_by_key(|v| (v.name.0.clone(), v.value));
        for variant in variants {
            let name = self
                .namer
                .name(&format!("{}_{}", capitals(&variant.name.0), capitals(&variant.name.1)));
            let value = print_literal(&BigUint::from(variant.value), variant.width);
            text.push_str(&format!("    localparam {}{name} = {value};\n", range(variant.width)));
            self.variants.insert(variant, name);
        }
        text
    }
}
