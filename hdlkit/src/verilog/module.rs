//! One module: its names, declarations, instances, logic and registers.

use super::collect::Scope;
use super::expr::{part_select, print, print_literal, Expr, Lowering, Names, Node, Temporary};
use super::group::{groups, split, versions, Flow, Form, Group};
use super::names::{capitals, Namer};
use super::resolve::{Role, SigId, Table, Variant};
use super::stmt::{unroll, Stmt};
use super::Problem;
use num_bigint::BigUint;
use rust_hdl_core::ast::Verilog;
use rust_hdl_core::atom::AtomKind;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Longest line before it is broken.
const COLUMNS: usize = 110;

/// A module's ports and body; its name is chosen later.
pub(crate) struct Body {
    /// `(\n ports \n);` and everything up to `endmodule`.
    pub text: String,
    /// Text of black boxes that this module needs.
    pub external: Vec<String>,
    /// Inputs and outputs (by key) with a path between them within a cycle; perhaps more than there are.
    pub paths: Vec<(String, String)>,
}

/// A child that has a module of its own.
pub(crate) struct Part {
    pub module: String,
    /// As [`Body::paths`].
    pub paths: Vec<(String, String)>,
}

/// The module of `scope`, given the modules of its children that are no registers.
pub(crate) fn body(scope: &Scope, parts: &HashMap<usize, Part>) -> Result<Body, Vec<Problem>> {
    let mut table = Table::new(scope);
    let mut problems = vec![];
    let mut kernel = None;
    if let Verilog::Combinatorial(code) = &scope.hdl {
        let (statements, found) = unroll(scope, &table, code);
        problems = found;
        for sig in stale_reads(&statements, &table) {
            problems.push(Problem {
                path: scope.path.clone(),
                statement: table.sigs[sig].pretty(),
                reason: "is a part's input that is read before its last assignment: Rust sees the final value".into(),
            });
        }
        kernel = Some(versions(statements, &mut table));
    }
    let mut writer = Writer {
        scope,
        names: vec![],
        temporaries: vec![],
        variants: HashMap::new(),
        namer: Namer::default(),
        problems,
        paths: vec![],
        table: &table,
    };
    let text = match &scope.hdl {
        Verilog::Combinatorial(_) => writer.kernel(kernel.unwrap_or_default(), parts),
        Verilog::Custom(code) => writer.custom(code, false),
        Verilog::Wrapper(wrapper) => writer.custom(&wrapper.code, true),
        Verilog::Blackbox(_) => String::new(),
        Verilog::Empty => {
            writer.problem(
                "",
                "has no kernel: rust-hdl's #[hdl_gen] or an hdl() of its own is missing",
            );
            String::new()
        }
    };
    if !writer.problems.is_empty() {
        return Err(writer.problems);
    }
    let external = match &scope.hdl {
        Verilog::Wrapper(wrapper) => vec![wrapper.cores.clone()],
        Verilog::Blackbox(black_box) => vec![black_box.code.clone()],
        _ => vec![],
    };
    let paths = match &scope.hdl {
        Verilog::Combinatorial(_) => writer.paths,
        // Nothing is known but that text without a continuous assignment is all clocked.
        Verilog::Custom(code) if !code.contains("assign") && !code.contains("@*") && !code.contains("@(*") => vec![],
        _ => {
            let of = |kind: AtomKind| scope.atoms.iter().filter(move |a| a.kind == kind);
            let outputs = |from: &str| {
                of(AtomKind::OutputParameter)
                    .map(|to| (from.to_string(), to.key.clone()))
                    .collect::<Vec<_>>()
            };
            of(AtomKind::InputParameter)
                .filter(|from| !from.clock)
                .flat_map(|from| outputs(&from.key))
                .collect()
        }
    };
    Ok(Body { text, external, paths })
}

/// Inputs of parts that are read before they are last assigned. In Rust such a read sees what the part sees in the end.
fn stale_reads(kernel: &[Stmt], table: &Table) -> BTreeSet<SigId> {
    let mut last = BTreeMap::new();
    for (index, s) in kernel.iter().enumerate() {
        let mut targets = BTreeSet::new();
        s.targets(&mut targets);
        last.extend(targets.into_iter().map(|t| (t, index)));
    }
    let mut stale = BTreeSet::new();
    for (index, s) in kernel.iter().enumerate() {
        s.expressions(&mut |e| {
            e.reads(&mut |sig, _, _| {
                let of_part = matches!(table.sigs[sig].role, Role::ChildInput(_));
                if of_part && last.get(&sig).is_some_and(|last| *last >= index) {
                    stale.insert(sig);
                }
            })
        });
    }
    stale
}

struct Writer<'a> {
    scope: &'a Scope,
    table: &'a Table,
    names: Vec<String>,
    temporaries: Vec<(String, usize)>,
    variants: HashMap<Variant, String>,
    namer: Namer,
    problems: Vec<Problem>,
    paths: Vec<(String, String)>,
}

impl Names for Writer<'_> {
    fn signal(&self, sig: SigId) -> &str {
        &self.names[sig]
    }
    fn signal_width(&self, sig: SigId) -> usize {
        self.table.sigs[sig].width()
    }
    fn temporary(&self, index: usize) -> &str {
        &self.temporaries[index].0
    }
    fn temporary_width(&self, index: usize) -> usize {
        self.temporaries[index].1
    }
    fn variant(&self, variant: &Variant) -> &str {
        &self.variants[variant]
    }
}

/// `[7:0] ` for a declaration, nothing for one bit.
fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// `line` in pieces of at most [`COLUMNS`], broken at the outermost spaces.
fn broken(indent: usize, line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    let mut margin = indent * 4;
    loop {
        let mut best: Option<(i32, usize)> = None;
        if margin + rest.len() > COLUMNS {
            let mut depth = 0;
            for (at, c) in rest.char_indices() {
                if margin + at > COLUMNS && best.is_some() {
                    break;
                }
                match c {
                    '(' | '{' | '[' => depth += 1,
                    ')' | '}' | ']' => depth -= 1,
                    // Not within the first word or two, where nothing is gained.
                    ' ' if at > 24 && best.is_none_or(|(least, _)| depth <= least) => best = Some((depth, at)),
                    _ => {}
                }
            }
        }
        text.push_str(&" ".repeat(margin));
        match best {
            Some((_, at)) => {
                text.push_str(&rest[..at]);
                text.push('\n');
                rest = &rest[at + 1..];
                margin = indent * 4 + 4;
            }
            None => {
                text.push_str(rest);
                text.push('\n');
                return text;
            }
        }
    }
}

/// Declarations of signals: names and widths.
fn declarations(kind: &str, signals: &[(String, usize)]) -> String {
    let line = |(name, width): &(String, usize)| format!("    {kind} {}{name};\n", range(*width));
    signals.iter().map(line).collect()
}

/// `value` is nothing but the last of `temporaries`.
fn is_last(value: &Expr, temporaries: &[Temporary]) -> bool {
    match (&value.node, temporaries.last()) {
        (Node::Temporary { index, low: 0 }, Some(last)) => *index + 1 == temporaries.len() && value.width == last.width,
        _ => false,
    }
}

/// A titled part of a module; nothing if it is empty.
fn section(text: &mut String, title: &str, content: &str) {
    if !content.is_empty() {
        text.push_str(&format!("\n    // {title}\n{content}"));
    }
}

impl Writer<'_> {
    fn problem(&mut self, statement: &str, reason: &str) {
        self.problems.push(Problem {
            path: self.scope.path.clone(),
            statement: statement.to_string(),
            reason: reason.to_string(),
        });
    }

    fn own(&self) -> impl Iterator<Item = (SigId, Role)> + '_ {
        let is_own = |r: Role| !matches!(r, Role::ChildInput(_) | Role::ChildOutput(_));
        self.table
            .sigs
            .iter()
            .enumerate()
            .map(|(id, sig)| (id, sig.role))
            .filter(move |(_, role)| is_own(*role))
    }

    /// Names of the block's own signals; those of its children come later.
    fn name_own(&mut self) {
        self.names = vec![String::new(); self.table.sigs.len()];
        // Ports first: their names are the module's interface and must not depend on what is inside.
        let mut own: Vec<(SigId, Role)> = self.own().collect();
        own.sort_by_key(|(_, role)| matches!(role, Role::Local | Role::Constant));
        for (sig, role) in own {
            self.names[sig] = self.namer.name(&self.table.sigs[sig].key);
            if role == Role::InOut {
                self.problem(
                    &self.table.sigs[sig].pretty(),
                    "bidirectional signals are not supported",
                );
            }
            if self.table.sigs[sig].width() == 0 {
                self.problem(&self.table.sigs[sig].pretty(), "has no bits");
            }
        }
    }

    /// Where the fields of bundles are, as comments.
    fn layouts(&self, sigs: &[SigId]) -> String {
        let mut text = String::new();
        for sig in sigs {
            let leaves = self.table.sigs[*sig].shape.leaves();
            if leaves.len() < 2 {
                continue;
            }
            let mut line = format!("    // {}:", self.names[*sig]);
            for (index, (path, low, shape)) in leaves.iter().enumerate() {
                let field = part_select(path.trim_start_matches('.'), 0, *low, shape.width());
                let comma = if index > 0 { "," } else { "" };
                if line.len() + field.len() + 2 > COLUMNS {
                    text.push_str(&format!("{line}{comma}\n"));
                    line = format!("    //     {field}");
                } else {
                    line.push_str(&format!("{comma} {field}"));
                }
            }
            text.push_str(&format!("{line}\n"));
        }
        text
    }

    fn ports(&self, is_reg: &dyn Fn(SigId) -> bool) -> String {
        let lines: Vec<(String, String, &str)> = self
            .own()
            .filter_map(|(sig, role)| {
                let direction = match role {
                    Role::Input => "input  wire",
                    Role::Output if is_reg(sig) => "output reg ",
                    Role::Output => "output wire",
                    _ => return None,
                };
                Some((
                    direction.to_string(),
                    range(self.table.sigs[sig].width()),
                    self.names[sig].as_str(),
                ))
            })
            .collect();
        let column = lines.iter().map(|(_, range, _)| range.len()).max().unwrap_or(0);
        let lines: Vec<String> = lines
            .iter()
            .map(|(direction, range, name)| format!("    {direction} {range:column$}{name}"))
            .collect();
        if lines.is_empty() {
            return "();\n".into();
        }
        let ports: Vec<SigId> = self
            .own()
            .filter(|(_, role)| matches!(role, Role::Input | Role::Output))
            .map(|(sig, _)| sig)
            .collect();
        let mut text = format!("(\n{}\n);\n", lines.join(",\n"));
        section(&mut text, "Bundles", &self.layouts(&ports));
        text
    }

    /// A module whose body is given as text; signals are called there what rust-hdl calls them (`bus$data`).
    fn custom(&mut self, code: &str, wrapper: bool) -> String {
        self.name_own();
        if !self.scope.children.is_empty() {
            self.problem("", "has both children and a Verilog body of its own");
        }
        let renamed: HashMap<&str, &str> = self
            .own()
            .map(|(sig, _)| (self.table.sigs[sig].key.as_str(), self.names[sig].as_str()))
            .collect();
        let mut code_out = String::new();
        let mut assigned = BTreeSet::new();
        let mut mentioned = BTreeSet::new();
        let mut in_assign = false;
        let mut rest = code;
        while !rest.is_empty() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if end == 0 {
                let c = rest.chars().next().unwrap_or(' ');
                in_assign &= c != '=';
                code_out.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let word = &rest[..end];
            mentioned.insert(word.to_string());
            if in_assign {
                assigned.insert(word.to_string());
            }
            in_assign |= word == "assign";
            code_out.push_str(renamed.get(word).copied().unwrap_or(word));
            rest = &rest[end..];
        }
        let mut constants = String::new();
        let mut locals = String::new();
        for (sig, role) in self.own() {
            let info = &self.table.sigs[sig];
            let name = &self.names[sig];
            match role {
                Role::Constant if mentioned.contains(&info.key) => {
                    let value = print_literal(&info.value, info.width());
                    constants.push_str(&format!("    localparam {}{name} = {value};\n", range(info.width())));
                }
                Role::Local if mentioned.contains(&info.key) => {
                    let kind = if assigned.contains(&info.key) { "wire" } else { "reg" };
                    locals.push_str(&format!("    {kind} {}{name};\n", range(info.width())));
                }
                _ => {}
            }
        }
        let mut text = self.ports(&|sig| !wrapper && !assigned.contains(&self.table.sigs[sig].key));
        section(&mut text, "Constants", &constants);
        section(&mut text, "Signals", &locals);
        text.push('\n');
        let common = code_out
            .lines()
            .filter(|l| !l.trim().is_empty())
            .map(|l| l.len() - l.trim_start().len())
            .min()
            .unwrap_or(0);
        for line in code_out.trim_matches('\n').lines() {
            if line.trim().is_empty() {
                text.push('\n');
            } else {
                text.push_str(&format!("    {}\n", line[common..].trim_end()));
            }
        }
        text
    }

    fn kernel(&mut self, statements: Vec<Stmt>, parts: &HashMap<usize, Part>) -> String {
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

    /// Names a temporary and what is cut off around it: the left side of its assignment, and what to declare.
    ///
    /// `place` is where it goes if that needs no name of its own.
    fn temporary_target(
        &mut self,
        base: &str,
        place: Option<&str>,
        temporary: &Temporary,
    ) -> (String, Vec<(String, usize)>) {
        let mut declared = vec![];
        let (name, rest) = match place {
            Some(place) => (place.to_string(), base.to_string()),
            None => {
                let name = self.namer.name(&format!("{base}_part"));
                declared.push((name.clone(), temporary.width));
                (name.clone(), name)
            }
        };
        let above = temporary.value.width - temporary.low - temporary.width;
        let mut left = vec![];
        for (bits, where_) in [(above, "above"), (temporary.low, "below")] {
            if where_ == "below" {
                left.push(name.clone());
            }
            if bits > 0 {
                let unused = self.namer.name(&format!("{rest}_unused_{where_}"));
                declared.push((unused.clone(), bits));
                left.push(unused);
            }
        }
        self.temporaries.push((name, temporary.width));
        let left = match left.len() {
            1 => left.remove(0),
            _ => format!("{{{}}}", left.join(", ")),
        };
        (left, declared)
    }

    fn instances(&self, names: &[String], parts: &HashMap<usize, Part>, direct: &BTreeMap<SigId, Expr>) -> String {
        let mut text = String::new();
        for (index, child) in self.scope.children.iter().enumerate() {
            let Some(Part { module, .. }) = parts.get(&index) else {
                continue;
            };
            // A child's ports are named in the same order as in its own module.
            let mut namer = Namer::default();
            let mut ports = vec![];
            for atom in child.atoms.iter().filter(|a| a.kind.is_parameter()) {
                let port = namer.name(&atom.key);
                let sig = self.table.named(&format!("{}${}", child.instance, atom.key));
                let value = match direct.get(&sig) {
                    Some(value) if atom.kind == AtomKind::InputParameter => print(value, self),
                    _ => self.names[sig].clone(),
                };
                ports.push(format!("        .{port}({value})"));
            }
            text.push_str(&format!(
                "    {module} {} (\n{}\n    );\n",
                names[index],
                ports.join(",\n")
            ));
        }
        text
    }

    /// Flip-flops, those of one clock together.
    fn registers(&self, registers: &BTreeMap<usize, BigUint>, direct: &BTreeMap<SigId, Expr>) -> String {
        let mut initial = String::new();
        let mut by_clock: Vec<(String, String)> = vec![];
        for (child, value) in registers {
            let port = |name: &str| {
                let sig = self
                    .table
                    .named(&format!("{}${name}", self.scope.children[*child].instance));
                match direct.get(&sig) {
                    Some(value) => print(value, self),
                    None => self.names[sig].clone(),
                }
            };
            let q = self.table.named(&format!("{}$q", self.scope.children[*child].instance));
            let (clock, d, name) = (port("clock"), port("d"), &self.names[q]);
            let value = print_literal(value, self.table.sigs[q].width());
            initial.push_str(&format!("        {name} = {value};\n"));
            let line = broken(2, &format!("{name} <= {d};"));
            match by_clock.iter_mut().find(|(c, _)| *c == clock) {
                Some((_, lines)) => lines.push_str(&line),
                None => by_clock.push((clock, line)),
            }
        }
        if initial.is_empty() {
            return String::new();
        }
        let mut text = format!("    initial begin\n{initial}    end\n");
        for (clock, lines) in by_clock {
            text.push_str(&format!("    always @(posedge {clock}) begin\n{lines}    end\n"));
        }
        text
    }
}

/// The inside of one always block.
struct Procedure<'a, 'b> {
    writer: &'a mut Writer<'b>,
    lowering: Lowering<'b>,
    declared: String,
    defaults: String,
    base: SigId,
}

impl Procedure<'_, '_> {
    /// The text of `e`; what must be assigned before it is added to `lines`.
    fn expression(&mut self, e: &Expr, indent: usize, outermost: bool, lines: &mut String) -> String {
        let before = self.lowering.temporaries.len();
        let e = self.lowering.lower(e.clone());
        self.temporaries(before, None, indent, outermost, lines);
        print(&e, self.writer)
    }

    /// Assigns the temporaries from `before` on, the last one to `place` if there is one.
    fn temporaries(&mut self, before: usize, place: Option<&str>, indent: usize, outermost: bool, lines: &mut String) {
        if before == 0 {
            self.writer.temporaries.clear();
        }
        let base = self.writer.names[self.base].clone();
        let count = self.lowering.temporaries.len();
        for index in before..count {
            let temporary = self.lowering.temporaries[index].clone();
            let place = if index + 1 == count { place } else { None };
            let (left, declared) = self.writer.temporary_target(&base, place, &temporary);
            if !outermost {
                // Assigned on some path only, but never read on another: a default keeps it from being a latch.
                for (name, width) in &declared {
                    let zero = print_literal(&BigUint::default(), *width);
                    self.defaults.push_str(&format!("        {name} = {zero};\n"));
                }
            }
            self.declared.push_str(&declarations("reg ", &declared));
            lines.push_str(&broken(
                indent,
                &format!("{left} = {};", print(&temporary.value, self.writer)),
            ));
        }
    }

    fn statements(&mut self, body: &[Stmt], indent: usize, outermost: bool, lines: &mut String) {
        for s in body {
            self.statement(s, indent, outermost, lines);
        }
    }

    fn statement(&mut self, s: &Stmt, indent: usize, outermost: bool, lines: &mut String) {
        let margin = " ".repeat(indent * 4);
        match s {
            Stmt::Comment(text) => {
                for line in text.lines() {
                    lines.push_str(&format!("{margin}// {}\n", line.trim()));
                }
            }
            Stmt::Assign { target, low, value } => {
                let whole = self.writer.signal_width(*target);
                let left = part_select(self.writer.signal(*target), whole, *low, value.width);
                let before = self.lowering.temporaries.len();
                let value = self.lowering.lower(value.clone());
                self.base = *target;
                if is_last(&value, &self.lowering.temporaries) {
                    self.temporaries(before, Some(&left), indent, outermost, lines);
                } else {
                    self.temporaries(before, None, indent, outermost, lines);
                    let value = print(&value, self.writer);
                    lines.push_str(&broken(indent, &format!("{left} = {value};")));
                }
            }
            Stmt::If { test, then, other } => {
                let mut test = self.expression(test, indent, outermost, lines);
                let (mut then, mut other) = (then, other);
                let mut head = margin.clone();
                loop {
                    let first = broken(indent, &format!("if ({test}) begin"));
                    lines.push_str(&head);
                    lines.push_str(first.trim_start());
                    self.statements(then, indent + 1, false, lines);
                    if other.is_empty() {
                        break;
                    }
                    if let [Stmt::If {
                        test: next,
                        then: next_then,
                        other: next_other,
                    }] = &other[..]
                    {
                        // A condition that needs temporaries cannot follow `else` at once.
                        let mut trial = Lowering::new(self.writer.table);
                        let next = trial.lower(next.clone());
                        if trial.temporaries.is_empty() {
                            head = format!("{margin}end else ");
                            test = print(&next, self.writer);
                            (then, other) = (next_then, next_other);
                            continue;
                        }
                    }
                    lines.push_str(&format!("{margin}end else begin\n"));
                    self.statements(other, indent + 1, false, lines);
                    break;
                }
                lines.push_str(&format!("{margin}end\n"));
            }
            Stmt::Case { subject, arms, default } => {
                let subject = self.expression(subject, indent, outermost, lines);
                lines.push_str(&format!("{margin}case ({subject})\n"));
                for (label, body) in arms {
                    let label = print(label, self.writer);
                    lines.push_str(&format!("{margin}    {label}: begin\n"));
                    self.statements(body, indent + 2, false, lines);
                    lines.push_str(&format!("{margin}    end\n"));
                }
                if let Some(body) = default {
                    lines.push_str(&format!("{margin}    default: begin\n"));
                    self.statements(body, indent + 2, false, lines);
                    lines.push_str(&format!("{margin}    end\n"));
                }
                lines.push_str(&format!("{margin}endcase\n"));
            }
        }
    }
}
