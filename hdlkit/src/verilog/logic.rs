//! A module with a kernel: what its signals, parts, logic and registers are in Verilog.

use super::group::{groups, split, Flow, Form, Group};
use super::lower::{is_last, Lowering};
use super::names::capitals;
use super::parts::Part;
use super::print::{broken, declarations, print, print_literal, range, section};
use super::procedure::Procedure;
use super::writer::Writer;
use crate::kernel::expression::{Expr, Node};
use crate::kernel::resolve::{Role, SigId, Variant};
use crate::kernel::statement::Stmt;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl Writer<'_> {
    pub(super) fn kernel(&mut self, statements: Vec<Stmt>, parts: &HashMap<usize, Part>) -> String {
        self.name_own();
        let table = self.table;
        let width = |sig: SigId| table.sigs[sig].width();
        let registers: BTreeMap<usize, BigUint> = self
            .scope
            .children
            .iter()
            .enumerate()
            .filter_map(|(index, child)| Some((index, child.register.clone()?)))
            .collect();

        // Who assigns and who reads what.
        let mut assigned = BTreeSet::new();
        let mut reads: BTreeMap<SigId, usize> = BTreeMap::new();
        for s in &statements {
            s.targets(&mut assigned);
            s.expressions(&mut |e| e.reads(&mut |sig, _, _| *reads.entry(sig).or_default() += 1));
        }
        for (sig, info) in table.sigs.iter().enumerate() {
            let needed = match info.role {
                Role::Output | Role::ChildInput(_) => true,
                Role::Local => reads.contains_key(&sig),
                _ => false,
            };
            if needed && !assigned.contains(&sig) {
                self.problem(&info.pretty(), "is never assigned");
            }
        }
        if !self.problems.is_empty() {
            return String::new();
        }

        // What needs no signal of its own: inputs of children that are connected directly, and signals that only pass an
        // output of a child on.
        let mut direct: BTreeMap<SigId, Expr> = BTreeMap::new();
        let mut passed_on: BTreeMap<SigId, SigId> = BTreeMap::new();
        let mut kept: Vec<Group> = vec![];
        let flow = self.flow(&statements, parts);
        let groups = groups(statements, &width);
        for group in groups.into_iter().flat_map(|group| split(group, &flow)) {
            if let Form::Assign { target, value } = &group.form {
                let plain = matches!(value.node, Node::Signal { .. } | Node::Literal(_) | Node::Variant(_));
                match table.sigs[*target].role {
                    Role::ChildInput(child) if !reads.contains_key(target) => {
                        let mut lowering = Lowering::new(table);
                        let value = lowering.lower(value.clone());
                        let into_register = registers.contains_key(&child) && lowering.temporaries.is_empty();
                        if plain || into_register {
                            direct.insert(*target, value);
                            continue;
                        }
                    }
                    Role::Output => {
                        if let Node::Signal { sig, .. } = value.node {
                            let from_child = matches!(table.sigs[sig].role, Role::ChildOutput(_));
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

        // Names of instances and of the signals between them.
        let instances: Vec<String> = self
            .scope
            .children
            .iter()
            .enumerate()
            .map(|(index, child)| match registers.contains_key(&index) {
                true => String::new(),
                false => self.namer.name(&child.instance),
            })
            .collect();
        for (sig, info) in table.sigs.iter().enumerate() {
            match info.role {
                Role::ChildInput(_) if !direct.contains_key(&sig) => self.names[sig] = self.namer.name(&info.key),
                Role::ChildOutput(_) => {
                    self.names[sig] = match passed_on.get(&sig) {
                        Some(target) => self.names[*target].clone(),
                        None if reads.contains_key(&sig) => self.namer.name(&info.key),
                        None => self.namer.name(&format!("{}_unused", info.key)),
                    }
                }
                _ => {}
            }
        }
        let constants = self.constants(&kept, &direct);

        // Logic, and with it what its signals are declared as.
        let mut regs: BTreeSet<SigId> = BTreeSet::new();
        let mut temporaries = String::new();
        let mut logic = String::new();
        for group in &kept {
            for comment in &group.comments {
                for line in comment.lines() {
                    logic.push_str(&format!("    // {}\n", line.trim()));
                }
            }
            match &group.form {
                Form::Assign { target, value } => {
                    let name = self.names[*target].clone();
                    let mut lowering = Lowering::new(table);
                    let value = lowering.lower(value.clone());
                    self.temporaries.clear();
                    let itself = is_last(&value, &lowering.temporaries);
                    for (index, temporary) in lowering.temporaries.iter().enumerate() {
                        let place = (itself && index + 1 == lowering.temporaries.len()).then_some(name.as_str());
                        let (left, declared) = self.temporary_target(&name, place, temporary);
                        temporaries.push_str(&declarations("wire", &declared));
                        logic.push_str(&broken(
                            1,
                            &format!("assign {left} = {};", print(&temporary.value, self)),
                        ));
                    }
                    if !itself {
                        logic.push_str(&broken(1, &format!("assign {name} = {};", print(&value, self))));
                    }
                }
                Form::Always { targets, body } => {
                    regs.extend(targets);
                    let mut live = false;
                    for s in body {
                        s.expressions(&mut |e| {
                            e.reads(&mut |sig, _, _| {
                                live |= table.sigs[sig].role != Role::Constant && !targets.contains(&sig)
                            })
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
                    temporaries.push_str(&declared);
                    // Nothing would ever trigger an always block that reads no signal.
                    let head = if live { "always @(*) begin" } else { "initial begin" };
                    logic.push_str(&format!("    {head}\n{defaults}{lines}    end\n"));
                }
            }
        }

        let clocked = self.registers(&registers, &direct);
        for child in registers.keys() {
            for (sig, info) in table.sigs.iter().enumerate() {
                if info.role == Role::ChildOutput(*child) {
                    regs.insert(passed_on.get(&sig).copied().unwrap_or(sig));
                }
            }
        }
        let instances = self.instances(&instances, parts, &direct);
        let mut signals = String::new();
        for (sig, info) in table.sigs.iter().enumerate() {
            let declared = match info.role {
                Role::Local => assigned.contains(&sig),
                Role::ChildInput(_) => !direct.contains_key(&sig),
                Role::ChildOutput(_) => !passed_on.contains_key(&sig),
                _ => false,
            };
            if declared {
                let kind = if regs.contains(&sig) { "reg " } else { "wire" };
                signals.push_str(&self.layouts(&[sig]));
                signals.push_str(&format!("    {kind} {}{};\n", range(info.width()), self.names[sig]));
            }
        }
        signals.push_str(&temporaries);

        let mut text = self.ports(&|sig| regs.contains(&sig));
        section(&mut text, "Constants", &constants);
        section(&mut text, "Signals", &signals);
        section(&mut text, "Parts", &instances);
        section(&mut text, "Logic", &logic);
        section(&mut text, "Registers", &clocked);
        text
    }

    /// What reaches what within a cycle, through parts too; from inputs to outputs is kept in `paths`.
    fn flow(&mut self, statements: &[Stmt], parts: &HashMap<usize, Part>) -> Flow {
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

    /// Declarations of the constants and enum variants that are used, and names for the latter.
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
