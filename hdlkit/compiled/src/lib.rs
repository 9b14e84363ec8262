//! The compiled engine: a circuit's kernels as machine code, for long runs.
//!
//! The cycle engine runs kernels as they are, block by block, and looks in every pass at what has changed. This one takes
//! the same kernels as the Verilog export does, dissolves the hierarchy, computes what is constant once, and compiles the
//! rest to code that computes every signal of a cycle in one go, in an order in which each is computed once, but for those
//! that follow nothing that has changed. What has no kernel stays what it is in Rust: memories, and blocks whose Verilog is
//! written by hand.
//!
//! | step | file |
//! |---|---|
//! | memories, and blocks that are called | `primitive` |
//! | words and operations | `graph` |
//! | from kernels to one graph | `elaborate` |
//! | what has to be computed together, and when | `activity` |
//! | machine code | `emit` |
//!
//! It starts from the circuit as it is, registers and memories included, so that it can take over from the cycle engine
//! between two cycles. It shows the outputs of the top block, and of what is inside the signals that it was made to show, for
//! waves. A test holds the two together.

mod activity;
pub mod cosim;
mod elaborate;
mod emit;
mod graph;

use activity::{group_of_port, groups};
use elaborate::{elaborate, field, words_of, Design};
use emit::{compile, Program};
use hdlkit::circuit::{Called, Follows, Kind, Primitive};
use hdlkit::circuit::{Structure, Visitor};
use hdlkit::kernel::scope::{collect, collect_signals};
use hdlkit::kernel::shape::{value_of, Shape};
use hdlkit::kernel::source_text::pretty;
use num_bigint::BigUint;
use rust_hdl_core::ast::Verilog;
use rust_hdl_core::atom::Atom;
use rust_hdl_core::prelude::VCDValue;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Why a circuit was not compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// Something of the circuit.
    #[error("{place}: {reason}")]
    Circuit {
        /// The block or signal, as `top.lanes[3].alu`.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Code for this processor cannot be made.
    #[error("no machine code for this processor: {0}")]
    Processor(String),
}

impl CompileError {
    fn new(place: impl fmt::Display, reason: impl Into<String>) -> Self {
        CompileError::Circuit {
            place: place.to_string(),
            reason: reason.into(),
        }
    }
}

/// The machine code of a circuit, for any number of engines.
pub struct Code {
    design: Design,
    program: Program,
}

impl Code {
    /// Compiles the kernels of `block`, which should not have run: its parts' text tells what registers hold, and a bundle
    /// of more than 64 bits may have no literal. What it holds does not matter to the code.
    ///
    /// # Errors
    /// The circuit has something that cannot be compiled, or the processor is not known: see [`CompileError`].
    pub fn compile(block: &dyn Structure) -> Result<Self, CompileError> {
        Self::compile_showing(block, &[])
    }

    /// The same, with signals that are seen from outside: for each in the order of a visit of `block`, whether it is; those
    /// behind the end of `shown` are not. What only they need is computed, too.
    ///
    /// # Errors
    /// As [`Code::compile`].
    pub fn compile_showing(block: &dyn Structure, shown: &[bool]) -> Result<Self, CompileError> {
        let top = collect(block, "top").ok_or_else(|| CompileError::new("top", "is not one block"))?;
        let mut primitives = vec![];
        block.primitives(&mut primitives);
        let design = elaborate(&top, &primitives, shown)?;
        let program = compile(&design, call_opaque as *const u8)?;
        Ok(Code { design, program })
    }

    /// The signals that are shown, in the order of a visit: those asked for, but for clocks and what is inside of blocks whose
    /// Verilog is written by hand.
    pub fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        self.design.shown.iter().map(|shown| shown.atom)
    }
}

/// A memory as it runs.
struct Memory {
    words: Vec<u64>,
    stride: usize,
    wrap: usize,
    registered: bool,
    enables: u32,
    /// Bits of each write enable.
    part: u32,
    /// Words in the state, from its ports' first one on.
    at: usize,
    /// For each read port with registered data, where its address is, and the first word of its data.
    reads: Vec<(usize, usize)>,
    write_enable: usize,
    write_data: usize,
    family: u32,
}

struct CalledBlock {
    block: Box<dyn Called + Send>,
    /// First byte and number of words in the state.
    at: usize,
    words: usize,
    has_state: bool,
    /// The words after it last settled, if its state has not changed since.
    settled: Box<[u64]>,
    is_settled: bool,
    /// The words before its last edge, if that changed nothing.
    quiet: Box<[u64]>,
    is_quiet: bool,
    family: u32,
}

impl CalledBlock {
    // Most blocks have nothing to do in most cycles.

    fn settle(&mut self, words: &mut [u64]) {
        if !self.is_settled || self.settled[..] != *words {
            self.block.settle(words);
            self.settled.copy_from_slice(words);
            self.is_settled = true;
        }
    }

    /// True if something has changed.
    fn tick(&mut self, words: &mut [u64]) -> bool {
        if self.is_quiet && self.quiet[..] == *words {
            return false;
        }
        let changed = self.block.tick(words);
        self.is_settled &= !changed;
        self.is_quiet = !changed;
        if !changed {
            self.quiet.copy_from_slice(words);
        }
        changed
    }
}

/// A circuit's state, with the code that it runs by.
struct Machine {
    code: Arc<Code>,
    state: Vec<u64>,
    memories: Vec<Memory>,
    /// Where the words of `memories` are.
    pointers: Vec<*const u64>,
    opaques: Vec<CalledBlock>,
    awake_memories: Awake,
    awake_opaques: Awake,
    /// The top block's ports in the state.
    ports: Range<usize>,
    /// For each input port, its group and its words.
    inputs: Vec<(u32, Range<usize>)>,
    /// The words of what is shown, when it was last told of, and whether that has yet to happen.
    told: (Vec<u64>, bool),
    /// The ports' words when they were last looked at.
    seen: Vec<u64>,
}

/// A circuit that runs as machine code. Its ports are words.
pub struct MachineCode(Box<Machine>);

/// What compiled code calls for an opaque block.
///
/// # Safety
/// `opaques` and `state` are those of one engine, which is borrowed for the call.
unsafe extern "C" fn call_opaque(opaques: *mut CalledBlock, state: *mut u8, number: usize) {
    // SAFETY: compiled for this engine's number of opaque blocks and the layout of its state; nothing else refers to them
    // while the code runs.
    let (opaque, words) = unsafe {
        let opaque = &mut *opaques.add(number);
        let words = std::slice::from_raw_parts_mut(state.add(opaque.at).cast::<u64>(), opaque.words);
        (opaque, words)
    };
    opaque.settle(words);
}

impl Machine {
    /// As [`MachineCode::new`].
    fn new(block: &dyn Structure, code: Arc<Code>) -> Self {
        let Code { design, program } = &*code;
        let layout = &program.layout;
        let mut state = vec![0u64; layout.bytes as usize / 8];
        let flip_flops = FlipFlops::of(block);
        assert_eq!(flip_flops.len(), design.flip_flops as usize, "flip-flops");
        for (register, at) in design.registers.iter().zip(&layout.register) {
            let width = design.cells[register.cell as usize].width;
            let value = field(&flip_flops[register.flip_flop as usize], register.low, width);
            let size = emit::size(width);
            bytes_mut(&mut state)[*at as usize..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        let mut primitives = vec![];
        block.primitives(&mut primitives);
        let mut memories = vec![];
        let mut opaques = vec![];
        for Primitive(kind) in primitives {
            let (words, shown) = match kind {
                Kind::Opaque(block, follows) => {
                    let at = layout.opaque[opaques.len()] as usize;
                    let words = design.opaques[opaques.len()].words as usize;
                    block.outputs(&mut state[at / 8..][..words]);
                    opaques.push(CalledBlock {
                        block,
                        at,
                        words,
                        has_state: !matches!(follows, Follows::All),
                        settled: vec![0; words].into(),
                        is_settled: false,
                        quiet: vec![0; words].into(),
                        is_quiet: false,
                        family: design.opaques[opaques.len()].family,
                    });
                    continue;
                }
                Kind::Registered(words, shown) => (words, shown),
                Kind::Memory(values) => {
                    let shape = &design.memories[memories.len()].shape;
                    let words = values.iter().flat_map(|value| element(shape, value)).collect();
                    (words, vec![])
                }
            };
            let ports = &design.memories[memories.len()];
            let memory = Memory::new(ports, layout.memory[memories.len()], words);
            let places = memory.reads.iter().flat_map(|(_, data)| *data..data + memory.stride);
            for (place, shown) in places.zip(shown) {
                state[memory.at + place] = shown;
            }
            memories.push(memory);
        }
        assert_eq!(memories.len(), design.memories.len(), "memories");
        assert_eq!(opaques.len(), design.opaques.len(), "blocks");
        let first = layout.top as usize / 8;
        let mut inputs = vec![];
        for (index, port) in design.ports.iter().enumerate().filter(|(_, port)| port.input) {
            let group = group_of_port(design, index);
            for (_, width, place) in &port.fields {
                let start = first + *place as usize;
                inputs.push((group, start..start + words_of(*width) as usize));
            }
        }
        let changed = layout.changed as usize / 8;
        state[changed..][..(groups(design) as usize).div_ceil(64)].fill(!0);
        Machine {
            ports: first..first + design.words as usize,
            inputs,
            seen: vec![0; design.port_words as usize],
            told: (vec![0; (design.words - design.port_words) as usize], true),
            pointers: memories.iter().map(|m| m.words.as_ptr()).collect(),
            awake_memories: Awake::all(memories.len()),
            awake_opaques: Awake::all(opaques.len()),
            state,
            memories,
            opaques,
            code,
        }
    }

    /// Combinational logic, from the ports' inputs to their outputs.
    fn settle(&mut self) {
        let state = self.state.as_mut_ptr().cast::<u8>();
        for function in &self.code.program.functions {
            // SAFETY: the code was compiled for this layout of the state, these memories (whose words do not move) and
            // these opaque blocks; nothing else refers to them while it runs.
            unsafe { function(state, self.pointers.as_ptr(), self.opaques.as_mut_ptr().cast::<u8>()) };
        }
    }

    /// Looks at the top block's inputs, which have been set.
    fn look(&mut self) {
        let changed = self.code.program.layout.changed as usize / 8;
        for (group, words) in &self.inputs {
            let seen = words.start - self.ports.start..words.end - self.ports.start;
            if self.state[words.clone()] != self.seen[seen.clone()] {
                self.seen[seen].copy_from_slice(&self.state[words.clone()]);
                mark(&mut self.state[changed..], *group);
            }
        }
    }

    /// The rising edge.
    fn tick(&mut self) {
        let Machine {
            code,
            state,
            memories,
            opaques,
            awake_memories,
            awake_opaques,
            ..
        } = self;
        let program = &code.program;
        let layout = &program.layout;
        let changed = layout.changed as usize / 8;
        let computed = program.computed as usize / 8;
        let distance = layout.registers as usize / 8;
        state[changed..computed].fill(0);
        for (word, takers) in program.takers.chunks(8).enumerate() {
            let mut bytes = std::mem::take(&mut state[computed + word]);
            while bytes != 0 {
                let byte = bytes.trailing_zeros() as usize / 8;
                bytes &= !(0xff << (byte * 8));
                let takers = &takers[byte];
                for family in &takers.families {
                    if take(state, layout.families[*family as usize].clone(), distance) {
                        mark(&mut state[changed..], *family);
                    }
                }
                takers.memories.iter().for_each(|memory| awake_memories.wake(*memory));
                takers.opaques.iter().for_each(|opaque| awake_opaques.wake(*opaque));
            }
        }
        awake_memories.visit(|memory| {
            let memory = &mut memories[memory as usize];
            let (shows, again) = memory.tick(state);
            if shows {
                mark(&mut state[changed..], memory.family);
            }
            again
        });
        awake_opaques.visit(|opaque| {
            let opaque = &mut opaques[opaque as usize];
            if !opaque.has_state {
                return false;
            }
            let shows = opaque.tick(&mut state[opaque.at / 8..][..opaque.words]);
            if shows {
                mark(&mut state[changed..], opaque.family);
            }
            shows
        });
    }
}

/// Registers take what there is for them, which is `distance` words further; true if it is something else.
#[inline(always)]
fn take(state: &mut [u64], registers: Range<usize>, distance: usize) -> bool {
    let (now, next) = state.split_at_mut(distance);
    let mut different = 0;
    for (now, next) in now[registers.clone()].iter_mut().zip(&next[registers]) {
        different |= *now ^ next;
        *now = *next;
    }
    different != 0
}

/// Which of some parts an edge may change: those whose inputs have been computed again, and those that it changed last time.
struct Awake {
    is: Vec<bool>,
    list: Vec<u32>,
}

impl Awake {
    fn all(parts: usize) -> Self {
        Awake {
            is: vec![true; parts],
            list: (0..parts as u32).collect(),
        }
    }

    #[inline(always)]
    fn wake(&mut self, part: u32) {
        if !std::mem::replace(&mut self.is[part as usize], true) {
            self.list.push(part);
        }
    }

    /// Calls `edge` with each; those for which it says so stay awake.
    #[inline(always)]
    fn visit(&mut self, mut edge: impl FnMut(u32) -> bool) {
        let is = &mut self.is;
        self.list.retain(|part| {
            let again = edge(*part);
            is[*part as usize] = again;
            again
        });
    }
}

/// Sets a group's bit.
#[inline(always)]
fn mark(changed: &mut [u64], group: u32) {
    changed[group as usize / 64] |= 1 << (group % 64);
}

impl MachineCode {
    /// Takes over `block` as it is after it has settled. Its inputs are 0 until they are set.
    ///
    /// # Panics
    /// If `block` is not like the one that `code` was made from: other memories, another number of registers.
    pub fn new(block: &dyn Structure, code: Arc<Code>) -> Self {
        MachineCode(Box::new(Machine::new(block, code)))
    }

    /// The words of the top block's ports, in the order of its fields: what [`Ports`](hdlkit::Ports) carries. Where a port
    /// is, [`port_places`] tells.
    pub fn ports(&self) -> &[u64] {
        let ports = self.0.code.design.port_words as usize;
        &self.0.state[self.0.ports.clone()][..ports]
    }

    /// The same, to set the inputs.
    pub fn ports_mut(&mut self) -> &mut [u64] {
        let words = self.0.code.design.port_words as usize;
        let ports = self.0.ports.clone();
        &mut self.0.state[ports][..words]
    }

    /// Tells `change` of every [shown](Code::shown) signal that has another value than the last time, with its value.
    pub fn changes(&mut self, change: &mut dyn FnMut(usize, VCDValue)) {
        let Machine {
            code,
            state,
            ports,
            told,
            ..
        } = &mut *self.0;
        let design = &code.design;
        let words = &state[ports.clone()][design.port_words as usize..];
        let first = std::mem::take(&mut told.1);
        for shown in &design.shown {
            let places = shown.fields.iter().map(|&(_, width, _, place)| {
                let start = (place - design.port_words) as usize;
                start..start + words_of(width) as usize
            });
            let changed = places.clone().any(|place| words[place.clone()] != told.0[place]);
            if changed || first {
                let mut value = BigUint::default();
                for (&(low, ..), place) in shown.fields.iter().zip(places) {
                    let word = |index: usize| BigUint::from(words[place.start + index]) << (64 * index);
                    value |= (0..place.len()).map(word).sum::<BigUint>() << low;
                }
                change(shown.atom, shown.shape.value(&value));
            }
        }
        told.0.copy_from_slice(words);
    }

    /// Combinational logic; then the outputs are valid.
    pub fn settle(&mut self) {
        self.0.look();
        self.0.settle();
    }

    /// The rising edge.
    pub fn tick(&mut self) {
        self.0.tick();
    }
}

/// Where the ports of a block are in its words.
pub struct PortPlaces {
    places: BTreeMap<String, usize>,
    words: usize,
}

impl PortPlaces {
    /// The first word of a port, whose name is as in the source: `trace[0].issue_valid`; of an array's first if that is one.
    ///
    /// # Panics
    /// If there is no such port.
    pub fn place(&self, name: &str) -> usize {
        let place = self.places.get(name).or_else(|| self.places.get(&format!("{name}[0]")));
        *place.unwrap_or_else(|| panic!("the circuit has no port `{name}`"))
    }

    /// The words of all ports.
    pub fn words(&self) -> usize {
        self.words
    }
}

/// Where the ports of a block are in the words that [`Ports`](hdlkit::Ports) and [`MachineCode::ports`] carry.
pub fn port_places(block: &dyn Structure) -> PortPlaces {
    let mut place = 0;
    let mut places = BTreeMap::new();
    let scope = collect_signals(block, "top");
    let atoms = scope.iter().flat_map(|top| &top.atoms);
    for atom in atoms.filter(|atom| atom.kind.is_parameter()) {
        places.insert(pretty(&atom.key), place);
        let leaves = atom.shape.leaves().into_iter();
        place += leaves
            .map(|(_, _, leaf)| words_of(leaf.width() as u32) as usize)
            .sum::<usize>();
    }
    PortPlaces { places, words: place }
}

/// Machine code that runs beside a block, for tests: with its inputs, whatever they are, compared in its outputs.
pub(crate) struct Shadow(Machine);

/// An output that machine code computes differently.
pub(crate) struct Deviation {
    /// As `bus$data`.
    pub port: String,
    /// What the block gives, and what its code does: the field's bits.
    pub native: BigUint,
    pub compiled: BigUint,
}

impl Shadow {
    /// Beside `block`, which has settled. None if its Verilog is written by hand: then nothing of it is compiled.
    pub fn new(block: &dyn Structure) -> Result<Option<Self>, CompileError> {
        if matches!(block.hdl(), Verilog::Custom(_)) {
            return Ok(None);
        }
        Ok(Some(Shadow(Machine::new(block, Arc::new(Code::compile(block)?)))))
    }

    /// A cycle up to its edge. `values`: those of the block's own signals, after it has settled.
    pub fn settle(&mut self, values: &[BigUint]) -> Vec<Deviation> {
        let machine = &mut self.0;
        let code = machine.code.clone();
        let first = machine.ports.start;
        for port in code.design.ports.iter().filter(|port| port.input) {
            for (low, width, place) in &port.fields {
                let words = words(&values[port.atom], *low, *width);
                machine.state[first + *place as usize..][..words.len()].copy_from_slice(&words);
            }
        }
        machine.look();
        machine.settle();
        let mut deviations = vec![];
        for port in code.design.ports.iter().filter(|port| !port.input) {
            let native = &values[port.atom];
            let mut compiled = BigUint::default();
            for (low, width, place) in &port.fields {
                let words = &machine.state[first + *place as usize..];
                let high = if *width > 64 { words[1] } else { 0 };
                compiled |= BigUint::from(u128::from(high) << 64 | u128::from(words[0])) << low;
            }
            if *native != compiled {
                deviations.push(Deviation {
                    port: port.key.clone(),
                    native: native.clone(),
                    compiled,
                });
            }
        }
        deviations
    }

    pub fn tick(&mut self) {
        self.0.tick();
    }
}

impl Memory {
    /// A memory whose ports are at byte `at` of the state.
    fn new(memory: &elaborate::Memory, at: u32, words: Vec<u64>) -> Self {
        let place = |index: usize| memory.inputs[index].place as usize;
        let first = usize::from(memory.registered);
        let ports = memory.reads.len();
        Memory {
            stride: memory.stride as usize,
            wrap: words.len() / memory.stride as usize - 1,
            registered: memory.registered,
            enables: memory.enables,
            part: memory.shape.width() as u32 / memory.enables,
            at: at as usize / 8,
            reads: (0..ports)
                .map(|port| (place(first + 2 + port), memory.reads[port] as usize))
                .collect(),
            write_enable: place(first),
            write_data: place(first + 2 + ports),
            words,
            family: memory.family,
        }
    }

    /// The edge. First, whether it shows: what is read may be something else; then, whether the next edge may change something
    /// with the same inputs.
    #[inline(always)]
    fn tick(&mut self, state: &mut [u64]) -> (bool, bool) {
        let words = &mut state[self.at..];
        let mut different = 0;
        if self.registered && words[0] != 0 {
            for &(address, data) in &self.reads {
                let element = (words[address] as usize & self.wrap) * self.stride;
                for (word, now) in words[data..].iter_mut().zip(&self.words[element..][..self.stride]) {
                    different |= *word ^ now;
                    *word = *now;
                }
            }
        }
        let enable = words[self.write_enable];
        if enable == 0 {
            return (different != 0, false);
        }
        let element = (words[self.write_enable + 1] as usize & self.wrap) * self.stride;
        let data = &words[self.write_data..][..self.stride];
        if self.enables == 1 {
            self.words[element..][..self.stride].copy_from_slice(data);
        } else {
            let mut mask = 0;
            for part in 0..self.enables {
                if enable >> part & 1 != 0 {
                    mask |= ((1u64 << self.part) - 1) << (part * self.part);
                }
            }
            self.words[element] = self.words[element] & !mask | data[0] & mask;
        }
        // Of a memory that is read within the cycle, every write may show.
        (different != 0 || !self.registered, true)
    }
}

/// The state as bytes.
fn bytes_mut(state: &mut [u64]) -> &mut [u8] {
    let bytes = std::mem::size_of_val(state);
    // SAFETY: the same memory, and every byte is a valid u8.
    unsafe { std::slice::from_raw_parts_mut(state.as_mut_ptr().cast::<u8>(), bytes) }
}

/// The words of `width` bits of a value from `low` up.
fn words(value: &BigUint, low: u32, width: u32) -> Vec<u64> {
    let value = field(value, low, width);
    let words = [value as u64, (value >> 64) as u64];
    words[..words_of(width) as usize].into()
}

/// The words of a memory's element, field by field.
fn element(shape: &Shape, value: &VCDValue) -> Vec<u64> {
    let flat = shape.flatten(value);
    let leaves = shape.leaves().into_iter();
    leaves
        .flat_map(|(_, low, leaf)| words(&flat, low as u32, leaf.width() as u32))
        .collect()
}

/// The values of all flip-flops of a circuit, in the order of the fields.
#[derive(Default)]
struct FlipFlops {
    /// For every open block, whether it is a register.
    open: Vec<bool>,
    found: Vec<BigUint>,
}

impl FlipFlops {
    fn of(block: &dyn Structure) -> Vec<BigUint> {
        let mut flip_flops = FlipFlops::default();
        block.visit("top", &mut flip_flops);
        flip_flops.found
    }
}

impl Visitor for FlipFlops {
    fn start_block(&mut self, _name: &str, block: &dyn Structure) {
        self.open.push(block.register().is_some());
    }
    fn atom(&mut self, name: &str, atom: &dyn Atom) {
        if name == "q" && self.open.last() == Some(&true) {
            self.found.push(value_of(atom, &Shape::new(&atom.descriptor())));
        }
    }
    fn end_block(&mut self) {
        self.open.pop();
    }
}
