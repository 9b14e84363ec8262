//! From blocks and kernels to one [`Graph`]: hierarchy and bundles dissolve into cells, statements into values.
//!
//! A cell is a signal's field, in one block; a port and what is connected to it are the same cells. Every kernel is
//! executed once with values for cells: an `if` becomes a choice between what its branches leave. What a cell is in the
//! end drives it.

use crate::graph::{mask, Graph, Id, Op, MOST_BITS};
use crate::CompileError;
use hdlkit::circuit::{Follows, Kind, Primitive};
use hdlkit::kernel::expression::{Compare, Expr, Node, Op as Binary, Reduce};
use hdlkit::kernel::resolve::{Role, SigId, Table};
use hdlkit::kernel::scope::{AtomInfo, Scope};
use hdlkit::kernel::shape::{low_bits, Shape};
use hdlkit::kernel::statement::Stmt;
use hdlkit::kernel::unroll::unroll;
use num_bigint::{BigInt, BigUint};
use rust_hdl_core::ast::Verilog;
use rust_hdl_core::atom::AtomKind;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Bits `low ..` of a signal, which are a cell.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    low: u32,
    width: u32,
    cell: u32,
}

type Leaves = Rc<Vec<Leaf>>;

/// Where a cell's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Nothing,
    /// Logic, a node of the graph before it is resolved.
    Wire(Id),
    Register,
    /// An input of the top block, from this word on.
    Input(u32),
    /// A memory's registered read data: memory and word of its ports.
    Memory {
        memory: u32,
        word: u32,
    },
    /// A memory that is read within the cycle: word of the element, and the cell of the address.
    Read {
        memory: u32,
        word: u32,
        address: u32,
    },
    /// An opaque block's output that follows none of its inputs.
    Opaque {
        opaque: u32,
        word: u32,
    },
    /// An opaque block's output that follows inputs.
    Call {
        opaque: u32,
        word: u32,
    },
}

pub(crate) struct Cell {
    pub name: String,
    pub width: u32,
    pub source: Source,
}

pub(crate) struct Register {
    pub cell: u32,
    /// What it takes: a cell, then the node that drives it.
    pub next: u32,
    /// Which flip-flop of the circuit it is a field of, counted in the order of the fields, and its lowest bit there.
    pub flip_flop: u32,
    pub low: u32,
    pub family: u32,
}

/// A word that is handed over, or two for a value of more than 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub place: u32,
    /// A cell, then the node that drives it.
    pub value: u32,
}

pub(crate) struct Memory {
    /// Words of an element.
    pub stride: u32,
    /// How an element is laid out.
    pub shape: Shape,
    /// Read data are registered.
    pub registered: bool,
    /// Write enables.
    pub enables: u32,
    /// What is handed over: read enable (registered memories), write enable, write address, read addresses (registered
    /// memories), write data.
    pub inputs: Vec<Word>,
    /// For every read port with registered data, the place of its first word; the others follow.
    pub reads: Vec<u32>,
    /// Words that are handed over, in both directions.
    pub words: u32,
    pub family: u32,
}

pub(crate) struct Opaque {
    pub words: u32,
    pub family: u32,
    pub inputs: Vec<Word>,
    /// Which of `inputs` the outputs follow within the cycle.
    pub followed: Vec<usize>,
}

/// A port of the top block.
pub(crate) struct Port {
    /// Which of the block's own signals it is.
    pub atom: usize,
    pub key: String,
    pub input: bool,
    /// Lowest bit, width and place of every field.
    pub fields: Vec<(u32, u32, u32)>,
}

/// A signal inside the circuit that is shown.
pub(crate) struct Shown {
    /// Which it is, in the order of a visit.
    pub atom: usize,
    pub shape: Shape,
    /// Lowest bit and width of every field, its cell, and its place behind the ports' words.
    pub fields: Vec<(u32, u32, u32, u32)>,
}

/// A circuit without hierarchy.
pub(crate) struct Design {
    pub shown: Vec<Shown>,
    pub ports: Vec<Port>,
    /// Flip-flops of the circuit; each has a register for every field.
    pub flip_flops: u32,
    pub graph: Graph,
    pub cells: Vec<Cell>,
    pub registers: Vec<Register>,
    pub memories: Vec<Memory>,
    pub opaques: Vec<Opaque>,
    /// Outputs of the top block.
    pub outputs: Vec<Word>,
    /// Words of the top block's ports.
    pub port_words: u32,
    /// Those, and of what is shown.
    pub words: u32,
    /// Number of [families](Elaborator::family) of registers, memories and opaque blocks.
    pub families: u32,
}

/// Words of 64 bits that a value has.
pub(crate) fn words_of(width: u32) -> u32 {
    width.div_ceil(64)
}

/// The design under `top`, whose leaves without a kernel are `primitives`, in the order of the fields.
/// `shown`: for each signal in the order of a visit, whether it is to be seen from outside; those behind its end are not.
pub(crate) fn elaborate(top: &Scope, primitives: &[Primitive], shown: &[bool]) -> Result<Design, CompileError> {
    let mut elaborator = Elaborator {
        shown,
        design: Design {
            shown: vec![],
            ports: vec![],
            flip_flops: 0,
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
        families: HashMap::new(),
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
    resolve(elaborator.design)
}

struct Elaborator<'a> {
    shown: &'a [bool],
    design: Design,
    primitives: std::slice::Iter<'a, Primitive>,
    families: HashMap<String, u32>,
}

impl Elaborator<'_> {
    /// What the part at `path` of the circuit has in common with its like: those that differ in the last index of their paths,
    /// as one lane's registers from the next one's, move together. Not so arrays of parts of the top block: they are whole machines.
    fn family(&mut self, path: &str) -> u32 {
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

    fn cells(&mut self, name: &str, shape: &Shape) -> Result<Leaves, CompileError> {
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
                cell: self.design.cells.len() as u32,
            });
            self.design.cells.push(Cell {
                name: format!("{name}{field}"),
                width,
                source: Source::Nothing,
            });
        }
        Ok(Rc::new(leaves))
    }

    /// Notes a signal if it is to be shown. Clocks have no value.
    fn show(&mut self, atom: &AtomInfo, leaves: &Leaves) {
        if atom.clock || !self.shown.get(atom.index).copied().unwrap_or(false) {
            return;
        }
        let place = &mut self.design.words;
        let mut field = |leaf: &Leaf| {
            let at = *place;
            *place += words_of(leaf.width);
            (leaf.low, leaf.width, leaf.cell, at)
        };
        self.design.shown.push(Shown {
            atom: atom.index,
            shape: atom.shape.clone(),
            fields: leaves.iter().map(&mut field).collect(),
        });
    }

    fn source(&mut self, cell: u32, source: Source) {
        self.design.cells[cell as usize].source = source;
    }

    fn block(&mut self, scope: &Scope, ports: &HashMap<String, Leaves>) -> Result<(), CompileError> {
        let Verilog::Combinatorial(code) = &scope.hdl else {
            return self.primitive(scope, ports);
        };
        let table = Table::new(scope);
        let (kernel, problems) = unroll(scope, &table, code);
        if let Some(problem) = problems.first() {
            return Err(CompileError::new(&scope.path, problem.to_string()));
        }
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
        let mut kernel_run = Kernel {
            graph: &mut self.design.graph,
            leaves: &leaves,
            values: HashMap::new(),
            log: vec![],
        };
        kernel_run
            .run(&kernel)
            .map_err(|reason| CompileError::new(&scope.path, reason))?;
        let values = std::mem::take(&mut kernel_run.values);
        for (cell, value) in values {
            self.source(cell, Source::Wire(value));
        }
        for atom in &scope.atoms {
            self.show(atom, &leaves[table.named(&atom.key)]);
        }
        for (index, child) in scope.children.iter().enumerate() {
            let mut ports = HashMap::new();
            let kernel = matches!(child.hdl, Verilog::Combinatorial(_));
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
        let flip_flop = self.design.flip_flops;
        self.design.flip_flops += 1;
        for (q, d) in ports["q"].iter().zip(ports["d"].iter()) {
            self.source(q.cell, Source::Register);
            self.design.registers.push(Register {
                cell: q.cell,
                next: d.cell,
                flip_flop,
                low: q.low,
                family,
            });
        }
    }

    fn primitive(&mut self, scope: &Scope, ports: &HashMap<String, Leaves>) -> Result<(), CompileError> {
        let Some(Primitive(kind)) = self.primitives.next() else {
            return Err(CompileError::new(
                &scope.path,
                "has neither a kernel nor a `Leaf::primitives` that says what it is",
            ));
        };
        match kind {
            Kind::Memory(_) | Kind::Registered(..) => self.memory(scope, ports),
            Kind::Opaque(_, follows) => self.opaque(scope, ports, *follows),
        }
    }

    fn memory(&mut self, scope: &Scope, ports: &HashMap<String, Leaves>) -> Result<(), CompileError> {
        let port = |key: &str| {
            ports
                .get(key)
                .cloned()
                .ok_or_else(|| CompileError::new(&scope.path, format!("is a memory without `{key}`")))
        };
        let memory = self.design.memories.len() as u32;
        let registered = ports.contains_key("read_enable");
        let write_data = port("write_data")?;
        let mut stride = 0;
        // Word of the element of each leaf.
        let mut places = vec![];
        for leaf in write_data.iter() {
            places.push(stride);
            stride += words_of(leaf.width);
        }
        let mut place = 0;
        let mut inputs = vec![];
        let mut word = |leaf: &Leaf, inputs: &mut Vec<Word>| {
            inputs.push(Word {
                place,
                value: leaf.cell,
            });
            place += words_of(leaf.width);
        };
        if registered {
            word(&port("read_enable")?[0], &mut inputs);
        }
        let write_enable = port("write_enable")?[0];
        word(&write_enable, &mut inputs);
        word(&port("write_address")?[0], &mut inputs);
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
                word(&address, &mut inputs);
            }
            reads.push((address, port(&format!("read_data{number}"))?));
        }
        for leaf in write_data.iter() {
            word(leaf, &mut inputs);
        }
        let mut words = place;
        let mut read_ports = vec![];
        for (address, data) in reads {
            if registered {
                read_ports.push(words);
            }
            for (leaf, element) in data.iter().zip(&places) {
                if registered {
                    self.source(leaf.cell, Source::Memory { memory, word: words });
                    words += words_of(leaf.width);
                } else {
                    let source = Source::Read {
                        memory,
                        word: *element,
                        address: address.cell,
                    };
                    self.source(leaf.cell, source);
                }
            }
        }
        let Some(data) = scope.atoms.iter().find(|a| a.key == "write_data") else {
            return Err(CompileError::new(&scope.path, "is a memory without `write_data`"));
        };
        let family = self.family(&scope.path);
        self.design.memories.push(Memory {
            family,
            stride,
            shape: data.shape.clone(),
            registered,
            enables: write_enable.width,
            inputs,
            reads: read_ports,
            words,
        });
        Ok(())
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
            words: place,
            family,
            inputs,
            followed: chosen,
        });
        Ok(())
    }
}

/// `width` bits of a value from `low` up, at most [`MOST_BITS`].
pub(crate) fn field(value: &BigUint, low: u32, width: u32) -> u128 {
    u128::try_from(low_bits(&BigInt::from(value >> low), width as usize)).unwrap_or_default()
}

/// A kernel being executed.
struct Kernel<'a> {
    graph: &'a mut Graph,
    /// Cells of every signal.
    leaves: &'a [Leaves],
    /// What cells are, as far as they have been assigned.
    values: HashMap<u32, Id>,
    /// What they were before.
    log: Vec<(u32, Option<Id>)>,
}

type Result<T, E = String> = std::result::Result<T, E>;

impl Kernel<'_> {
    fn set(&mut self, cell: u32, value: Id) {
        let old = self.values.insert(cell, value);
        self.log.push((cell, old));
    }

    fn value(&mut self, leaf: Leaf) -> Id {
        match self.values.get(&leaf.cell) {
            Some(value) => *value,
            None => self.graph.add(Op::Cell(leaf.cell), leaf.width),
        }
    }

    /// What `body` assigns, which is then undone.
    fn branch(&mut self, body: &[Stmt]) -> Result<BTreeMap<u32, Id>> {
        let start = self.log.len();
        self.run(body)?;
        let mut changed = BTreeMap::new();
        for (cell, old) in self.log.drain(start..).rev() {
            let last = match old {
                Some(old) => self.values.insert(cell, old),
                None => self.values.remove(&cell),
            };
            if let Some(last) = last {
                changed.entry(cell).or_insert(last);
            }
        }
        Ok(changed)
    }

    /// `one` where `test` is 1, else `zero`, for all cells that either assigns.
    fn choose(&mut self, test: Id, mut one: BTreeMap<u32, Id>, zero: BTreeMap<u32, Id>) -> BTreeMap<u32, Id> {
        let mut chosen = BTreeMap::new();
        for (cell, zero) in zero {
            let one = match one.remove(&cell) {
                Some(one) => one,
                None => self.before(cell, zero),
            };
            chosen.insert(cell, self.graph.mux(test, one, zero));
        }
        for (cell, one) in one {
            let zero = self.before(cell, one);
            chosen.insert(cell, self.graph.mux(test, one, zero));
        }
        chosen
    }

    /// What a cell is now; `like` has its width.
    fn before(&mut self, cell: u32, like: Id) -> Id {
        let width = self.graph.width(like);
        match self.values.get(&cell) {
            Some(value) => *value,
            None => self.graph.add(Op::Cell(cell), width),
        }
    }

    fn run(&mut self, body: &[Stmt]) -> Result<()> {
        for s in body {
            match s {
                Stmt::Comment(_) => {}
                Stmt::Assign { target, low, value } => {
                    let pieces = self.pieces(value)?;
                    self.assign(*target, *low as u32, value.width as u32, &pieces)?;
                }
                Stmt::If { test, then, other } => {
                    let test = self.word(test)?;
                    let (one, zero) = (self.branch(then)?, self.branch(other)?);
                    for (cell, value) in self.choose(test, one, zero) {
                        self.set(cell, value);
                    }
                }
                Stmt::Case { subject, arms, default } => {
                    let subject = self.word(subject)?;
                    let mut chosen = self.branch(default.as_deref().unwrap_or_default())?;
                    for (label, body) in arms.iter().rev() {
                        let label = self.word(label)?;
                        let test = self.graph.add(Op::Equal(subject, label), 1);
                        let one = self.branch(body)?;
                        chosen = self.choose(test, one, chosen);
                    }
                    for (cell, value) in chosen {
                        self.set(cell, value);
                    }
                }
            }
        }
        Ok(())
    }

    fn assign(&mut self, target: SigId, low: u32, width: u32, pieces: &[Id]) -> Result<()> {
        let leaves = self.leaves[target].clone();
        for leaf in leaves.iter() {
            let from = leaf.low.max(low);
            let to = (leaf.low + leaf.width).min(low + width);
            if from >= to {
                continue;
            }
            let mut value = self.extract(pieces, from - low, to - from)?;
            if to - from < leaf.width {
                let old = self.value(*leaf);
                let mut parts = vec![];
                if from > leaf.low {
                    parts.push(self.graph.slice(old, 0, from - leaf.low));
                }
                parts.push(value);
                let top = leaf.low + leaf.width;
                if to < top {
                    parts.push(self.graph.slice(old, to - leaf.low, top - to));
                }
                value = self.join(&parts)?;
            }
            self.set(leaf.cell, value);
        }
        Ok(())
    }

    /// `width` bits from `low` up of `pieces`, the lowest of which is first.
    fn extract(&mut self, pieces: &[Id], low: u32, width: u32) -> Result<Id> {
        let mut parts = vec![];
        let mut base = 0;
        for &piece in pieces {
            let bits = self.graph.width(piece);
            let from = low.max(base);
            let to = (low + width).min(base + bits);
            if from < to {
                parts.push(self.graph.slice(piece, from - base, to - from));
            }
            base += bits;
        }
        self.join(&parts)
    }

    /// Pieces as one word, the lowest first.
    fn join(&mut self, pieces: &[Id]) -> Result<Id> {
        let (first, rest) = pieces.split_first().ok_or("a value without bits")?;
        let mut word = *first;
        for &piece in rest {
            let width = self.graph.width(word) + self.graph.width(piece);
            if width > MOST_BITS {
                return Err(format!("a value of more than {MOST_BITS} bits"));
            }
            word = self.graph.add(Op::Concat(piece, word), width);
        }
        Ok(word)
    }

    fn constant_pieces(&mut self, value: &BigUint, width: u32) -> Vec<Id> {
        let mut pieces = vec![];
        let mut low = 0;
        while low < width {
            let bits = (width - low).min(MOST_BITS);
            pieces.push(self.graph.constant(field(value, low, bits), bits));
            low += bits;
        }
        pieces
    }

    /// The value of `e` in pieces, the lowest first.
    fn pieces(&mut self, e: &Expr) -> Result<Vec<Id>> {
        let width = e.width as u32;
        Ok(match &e.node {
            Node::Literal(value) => self.constant_pieces(value, width),
            Node::Signal { sig, low } => {
                let low = *low as u32;
                let leaves = self.leaves[*sig].clone();
                let mut pieces = vec![];
                for leaf in leaves.iter() {
                    let from = leaf.low.max(low);
                    let to = (leaf.low + leaf.width).min(low + width);
                    if from < to {
                        let value = self.value(*leaf);
                        pieces.push(self.graph.slice(value, from - leaf.low, to - from));
                    }
                }
                pieces
            }
            Node::Concat(parts) => {
                let mut pieces = vec![];
                for part in parts.iter().rev() {
                    pieces.extend(self.pieces(part)?);
                }
                pieces
            }
            Node::Extend(inner) => {
                let mut pieces = self.pieces(inner)?;
                pieces.extend(self.constant_pieces(&BigUint::default(), width - inner.width as u32));
                pieces
            }
            _ => vec![self.word(e)?],
        })
    }

    /// The value of `e` as one word.
    fn word(&mut self, e: &Expr) -> Result<Id> {
        let width = e.width as u32;
        if width > MOST_BITS {
            return Err(format!("a value of {width} bits is computed with"));
        }
        let op = match &e.node {
            Node::Literal(_) | Node::Signal { .. } | Node::Concat(_) | Node::Extend(_) => {
                let pieces = self.pieces(e)?;
                return self.join(&pieces);
            }
            Node::Variant(variant) => return Ok(self.graph.constant(variant.value as u128, width)),
            Node::Temporary { .. } => return Err("an expression that was lowered for Verilog".into()),
            Node::Not(a) => Op::Not(self.word(a)?),
            Node::Negate(a) => Op::Negate(self.word(a)?),
            Node::Binary(op, a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                match op {
                    Binary::Add => Op::Add(a, b),
                    Binary::Sub => Op::Sub(a, b),
                    Binary::Mul => Op::Mul(a, b),
                    Binary::And => Op::And(a, b),
                    Binary::Or => Op::Or(a, b),
                    Binary::Xor => Op::Xor(a, b),
                }
            }
            Node::ShiftLeft(a, b) => Op::ShiftLeft(self.word(a)?, self.word(b)?),
            Node::ShiftRight(a, b) => Op::ShiftRight(self.word(a)?, self.word(b)?),
            Node::And(a, b) => Op::And(self.word(a)?, self.word(b)?),
            Node::Or(a, b) => Op::Or(self.word(a)?, self.word(b)?),
            Node::Compare {
                op,
                signed,
                left,
                right,
            } => {
                let (a, b) = (self.word(left)?, self.word(right)?);
                let less = |left, right| Op::Less {
                    signed: *signed,
                    left,
                    right,
                };
                let (op, inverted) = match op {
                    Compare::Eq => (Op::Equal(a, b), false),
                    Compare::Ne => (Op::Equal(a, b), true),
                    Compare::Lt => (less(a, b), false),
                    Compare::Ge => (less(a, b), true),
                    Compare::Gt => (less(b, a), false),
                    Compare::Le => (less(b, a), true),
                };
                let result = self.graph.add(op, 1);
                return Ok(if inverted { self.graph.not(result) } else { result });
            }
            Node::Reduce(op, a) => {
                let a = self.word(a)?;
                let bits = self.graph.width(a);
                match op {
                    Reduce::And => {
                        let ones = self.graph.constant(mask(bits), bits);
                        Op::Equal(a, ones)
                    }
                    Reduce::Or => {
                        let zero = self.graph.constant(0, bits);
                        let none = self.graph.add(Op::Equal(a, zero), 1);
                        return Ok(self.graph.not(none));
                    }
                    Reduce::Xor => Op::Parity(a),
                }
            }
            Node::SignExtend(a) => Op::SignExtend(self.word(a)?),
            Node::Cut { of, low } => Op::Slice(self.word(of)?, *low as u32),
            Node::Select { of, index } => {
                let (of, index) = (self.word(of)?, self.word(index)?);
                let whole = self.graph.width(of);
                let shifted = self.graph.add(Op::ShiftRight(of, index), whole);
                Op::Slice(shifted, 0)
            }
        };
        Ok(self.graph.add(op, width))
    }
}

/// The design with cells replaced by what drives them: [`Op::Cell`] is left for state and inputs only.
fn resolve(design: Design) -> Result<Design, CompileError> {
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
        memory_inputs.push(word(&mut resolver, &memory.inputs)?);
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
