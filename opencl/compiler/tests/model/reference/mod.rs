//! A reference for compiled kernels: it interprets PTX as specified in the manual, one thread after another, each up to
//! its next barrier.
//!
//! Generic addresses have tags: shared memory begins at [`SHARED`], local memory, which also contains parameters, at
//! [`LOCAL`]. All other addresses are in global memory.

mod compute;

use flexgrip_compiler::ptx::ast::*;
use std::collections::HashMap;

/// A launch of a kernel.
pub struct Launch<'a> {
    pub module: &'a Module<'a>,
    pub kernel: &'a Function<'a>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// The bytes of all parameters, each aligned to 4.
    pub parameters: Vec<u8>,
    /// Addresses of the module's variables in global memory.
    pub variables: HashMap<String, u32>,
}

/// Maximum number of instructions of a thread.
const LIMIT: u64 = 10_000_000;
const SHARED: u64 = 0x8000_0000;
const LOCAL: u64 = 0xc000_0000;

/// A function without nested blocks.
struct FlatFunction<'a> {
    function: &'a Function<'a>,
    instructions: Vec<&'a Instruction<'a>>,
    labels: HashMap<&'a str, usize>,
    tables: HashMap<&'a str, Vec<&'a str>>,
    types: HashMap<&'a str, Type>,
    /// Variables in local memory and parameters of calls: name, size in bytes, alignment.
    locals: Vec<(&'a str, u64, u64)>,
}

struct Machine<'a> {
    functions: HashMap<&'a str, FlatFunction<'a>>,
    /// Addresses of variables in shared memory.
    shared: HashMap<&'a str, u64>,
    shared_bytes: u64,
    launch: &'a Launch<'a>,
}

/// An active call.
struct Frame<'a> {
    name: &'a str,
    at: usize,
    registers: HashMap<&'a str, u64>,
    /// Addresses of symbols in local memory.
    symbols: HashMap<&'a str, u64>,
    /// Addresses in local memory at which the caller expects the results.
    results: Vec<u64>,
    /// Start of the call's local memory.
    bottom: u64,
}

struct Thread<'a> {
    frames: Vec<Frame<'a>>,
    local: Vec<u8>,
    top: u64,
    index: [u32; 3],
    block: [u32; 3],
    steps: u64,
}

#[derive(PartialEq)]
enum Stop {
    Barrier,
    End,
}

pub fn mask(value: u64, bits: u8) -> u64 {
    match bits {
        64 => value,
        _ => value & ((1 << bits) - 1),
    }
}

pub fn signed(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits);
    (value << shift) as i64 >> shift
}

fn size_of(ty: Type, vector: u8, dimensions: &[Option<u64>]) -> u64 {
    let elements: u64 = dimensions.iter().map(|size| size.expect("a size")).product();
    elements * u64::from(ty.bits / 8) * u64::from(vector.max(1))
}

impl<'a> Machine<'a> {
    fn new(launch: &'a Launch<'a>) -> Self {
        let mut machine = Machine {
            functions: HashMap::new(),
            shared: HashMap::new(),
            shared_bytes: 0,
            launch,
        };
        for item in &launch.module.items {
            match item {
                Item::Variable(variable) if variable.space == Space::Shared => machine.share(variable),
                Item::Function(function) => {
                    if let Some(body) = &function.body {
                        let mut code = FlatFunction {
                            function,
                            instructions: Vec::new(),
                            labels: HashMap::new(),
                            tables: HashMap::new(),
                            types: HashMap::new(),
                            locals: Vec::new(),
                        };
                        machine.collect(&body.statements, &mut code);
                        machine.functions.insert(function.name.text, code);
                    }
                }
                _ => {}
            }
        }
        machine
    }

    fn share(&mut self, variable: &'a Variable<'a>) {
        let alignment = u64::from(variable.alignment.unwrap_or(8)).max(1);
        self.shared_bytes = self.shared_bytes.next_multiple_of(alignment);
        self.shared.insert(variable.name.text, self.shared_bytes);
        self.shared_bytes += size_of(variable.ty, variable.vector, &variable.dimensions);
    }

    fn collect(&mut self, statements: &'a [Statement<'a>], code: &mut FlatFunction<'a>) {
        for statement in statements {
            match statement {
                Statement::Instruction(instruction) => code.instructions.push(instruction),
                Statement::Label(name) => {
                    code.labels.insert(name.text, code.instructions.len());
                }
                Statement::Block(block) => self.collect(&block.statements, code),
                Statement::Variable(variable) if variable.space == Space::Shared => self.share(variable),
                Statement::Variable(variable) => {
                    let size = size_of(variable.ty, variable.vector, &variable.dimensions);
                    let alignment = u64::from(variable.alignment.unwrap_or(8));
                    code.locals.push((variable.name.text, size, alignment));
                }
                Statement::Registers(registers) => {
                    for name in &registers.names {
                        code.types.insert(name.name.text, registers.ty);
                    }
                }
                Statement::BranchTargets(targets) => {
                    let labels = targets.targets.iter().map(|target| target.text).collect();
                    code.tables.insert(targets.label.text, labels);
                }
                _ => {}
            }
        }
    }
}

/// Runs the kernel, and updates the memory.
pub fn run(launch: &Launch, memory: &mut [u8]) {
    let machine = Machine::new(launch);
    for z in 0..launch.grid[2] {
        for y in 0..launch.grid[1] {
            for x in 0..launch.grid[0] {
                let mut shared = vec![0; machine.shared_bytes as usize];
                machine.block([x, y, z], memory, &mut shared);
            }
        }
    }
}

/// Returns the memory at an address.
fn slice<'m>(
    place: u64,
    size: usize,
    memory: &'m mut [u8],
    shared: &'m mut [u8],
    local: &'m mut [u8],
    what: &Instruction,
) -> &'m mut [u8] {
    let (bytes, at) = match place {
        LOCAL.. => (local, place - LOCAL),
        SHARED.. => (shared, place - SHARED),
        _ => (memory, place),
    };
    let at = at as usize;
    assert_eq!(at % size, 0, "{}: misaligned", what.span);
    bytes
        .get_mut(at..at + size)
        .unwrap_or_else(|| panic!("{}: {place:#x} is outside", what.span))
}

impl<'a> Machine<'a> {
    fn block(&self, block: [u32; 3], memory: &mut [u8], shared: &mut [u8]) {
        let [width, height, depth] = self.launch.block;
        let mut threads = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    let mut thread = Thread {
                        frames: Vec::new(),
                        local: Vec::new(),
                        top: 0,
                        index: [x, y, z],
                        block,
                        steps: 0,
                    };
                    self.enter(&mut thread, self.launch.kernel.name.text, Vec::new());
                    let mut at = 0;
                    for parameter in &self.launch.kernel.parameters {
                        let size = size_of(parameter.ty, parameter.vector, &parameter.dimensions) as usize;
                        let place = thread.frames[0].symbols[parameter.name.text] as usize;
                        thread.local[place..place + size].copy_from_slice(&self.launch.parameters[at..at + size]);
                        at += size.next_multiple_of(4);
                    }
                    threads.push(thread);
                }
            }
        }
        while !threads.is_empty() {
            threads.retain_mut(|thread| self.thread(thread, memory, shared) == Stop::Barrier);
        }
    }

    fn enter(&self, thread: &mut Thread<'a>, name: &str, results: Vec<u64>) {
        let code = &self.functions[name];
        let bottom = thread.top;
        let mut symbols = HashMap::new();
        let function = code.function;
        let passed = function.parameters.iter().chain(&function.returns).map(|parameter| {
            let size = size_of(parameter.ty, parameter.vector, &parameter.dimensions);
            (parameter.name.text, size, 16)
        });
        for (name, size, alignment) in passed.chain(code.locals.iter().copied()) {
            thread.top = thread.top.next_multiple_of(alignment.max(1));
            symbols.insert(name, thread.top);
            thread.top += size;
        }
        if thread.local.len() < thread.top as usize {
            thread.local.resize(thread.top as usize, 0);
        }
        thread.frames.push(Frame {
            name: function.name.text,
            at: 0,
            registers: HashMap::new(),
            symbols,
            results,
            bottom,
        });
    }

    /// Returns to the caller; `false` if there is none.
    fn leave(&self, thread: &mut Thread<'a>) -> bool {
        let frame = thread.frames.pop().expect("a frame");
        let function = self.functions[frame.name].function;
        for (result, to) in function.returns.iter().zip(&frame.results) {
            let size = size_of(result.ty, result.vector, &result.dimensions) as usize;
            let from = frame.symbols[result.name.text] as usize;
            thread.local.copy_within(from..from + size, *to as usize);
        }
        thread.top = frame.bottom;
        !thread.frames.is_empty()
    }

    fn call(&self, thread: &mut Thread<'a>, instruction: &'a Instruction<'a>) {
        let mut lists: Vec<Vec<&str>> = Vec::new();
        let mut name = None;
        for operand in &instruction.operands {
            match &operand.kind {
                OperandKind::Arguments(list) => {
                    if name.is_some() && lists.is_empty() {
                        lists.push(Vec::new());
                    }
                    let names = list.iter().map(|operand| match operand.kind {
                        OperandKind::Symbol { name, .. } => name,
                        _ => panic!("a name"),
                    });
                    lists.push(names.collect());
                }
                OperandKind::Symbol { name: found, .. } => name = Some(*found),
                other => panic!("{other:?}"),
            }
        }
        lists.resize(2, Vec::new());
        let symbols = thread.frames.last().expect("a frame").symbols.clone();
        let results = lists[0].iter().map(|name| symbols[name]).collect();
        let name = name.expect("a function");
        self.enter(thread, name, results);
        let function = self.functions[name].function;
        for (parameter, argument) in function.parameters.iter().zip(&lists[1]) {
            let size = size_of(parameter.ty, parameter.vector, &parameter.dimensions) as usize;
            let from = symbols[argument] as usize;
            let to = thread.frames.last().expect("a frame").symbols[parameter.name.text] as usize;
            thread.local.copy_within(from..from + size, to);
        }
    }

    fn thread(&self, thread: &mut Thread<'a>, memory: &mut [u8], shared: &mut [u8]) -> Stop {
        loop {
            let frame = thread.frames.last_mut().expect("a frame");
            let code = &self.functions[frame.name];
            let Some(&instruction) = code.instructions.get(frame.at) else {
                if self.leave(thread) {
                    continue;
                }
                return Stop::End;
            };
            frame.at += 1;
            thread.steps += 1;
            assert!(thread.steps < LIMIT, "a thread does not end");
            if let Some(guard) = instruction.guard {
                let holds = frame.registers.get(guard.predicate.text).copied().unwrap_or(0) != 0;
                if holds == guard.negated {
                    continue;
                }
            }
            match instruction.opcode.base {
                "bra" => {
                    let OperandKind::Symbol { name, .. } = instruction.operands[0].kind else {
                        panic!("a label");
                    };
                    frame.at = code.labels[name];
                }
                "brx" => {
                    let OperandKind::Symbol { name, .. } = instruction.operands[1].kind else {
                        panic!("a list");
                    };
                    let index = self.value(thread, &instruction.operands[0]);
                    let label = code.tables[name][index as usize];
                    thread.frames.last_mut().expect("a frame").at = code.labels[label];
                }
                "ret" => {
                    if !self.leave(thread) {
                        return Stop::End;
                    }
                }
                "exit" => return Stop::End,
                "call" => self.call(thread, instruction),
                "bar" => return Stop::Barrier,
                "membar" => {}
                "ld" | "st" => self.access(thread, instruction, memory, shared),
                _ => self.compute(thread, instruction),
            }
        }
    }

    /// Returns the address of a name in its own space, and as a generic address.
    fn address(&self, thread: &Thread<'a>, name: &str) -> Option<(u64, u64)> {
        let frame = thread.frames.last().expect("a frame");
        if let Some(&at) = frame.symbols.get(name) {
            return Some((at, LOCAL + at));
        }
        if let Some(&at) = self.shared.get(name) {
            return Some((at, SHARED + at));
        }
        let at = u64::from(*self.launch.variables.get(name)?);
        Some((at, at))
    }

    fn value(&self, thread: &Thread<'a>, operand: &Operand) -> u64 {
        let frame = thread.frames.last().expect("a frame");
        match &operand.kind {
            OperandKind::Register { name, negated } => {
                let value = frame.registers.get(*name).copied().unwrap_or(0);
                if *negated {
                    u64::from(value == 0)
                } else {
                    value
                }
            }
            OperandKind::Integer(integer) if integer.negative => integer.magnitude.wrapping_neg(),
            OperandKind::Integer(integer) => integer.magnitude,
            OperandKind::Float(Float::Single(bits)) => (*bits).into(),
            OperandKind::Symbol { name, offset, .. } => {
                let (own, generic) = self.address(thread, name).unwrap_or_else(|| panic!("{name}"));
                // `ld.param` reads the address of a parameter, which is generic here.
                let parameters = &self.functions[frame.name].function.parameters;
                let parameter = parameters.iter().any(|parameter| parameter.name.text == *name);
                (if parameter { generic } else { own }).wrapping_add(*offset as u64)
            }
            OperandKind::Generic { name, offset } => self
                .address(thread, name)
                .expect("a variable")
                .1
                .wrapping_add(*offset as u64),
            OperandKind::Special(name) => {
                let of = |values: &[u32]| -> u64 {
                    match name.as_bytes()[name.len() - 1] {
                        b'x' => values[0],
                        b'y' => values[1],
                        _ => values.get(2).copied().unwrap_or(0),
                    }
                    .into()
                };
                match name.split('.').next() {
                    Some("%tid") => of(&thread.index),
                    Some("%ntid") => of(&self.launch.block),
                    Some("%ctaid") => of(&thread.block),
                    Some("%nctaid") => of(&self.launch.grid),
                    Some("%envreg0" | "%envreg1" | "%envreg2") => 0,
                    Some("%envreg3") => 3,
                    _ => panic!("{name}"),
                }
            }
            // The parts in ascending order.
            OperandKind::Vector(parts) => {
                let types = &self.functions[frame.name].types;
                let width = match parts[0].kind {
                    OperandKind::Register { name, .. } => {
                        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
                        types
                            .get(name)
                            .or_else(|| types.get(stem))
                            .expect("a declared register")
                            .bits
                    }
                    _ => panic!("a register"),
                };
                let of = |part: &Operand| mask(self.value(thread, part), width);
                parts
                    .iter()
                    .rev()
                    .fold(0, |value, part| value.checked_shl(width.into()).unwrap_or(0) | of(part))
            }
            other => panic!("{other:?}"),
        }
    }

    /// Writes a register, with its number of bits.
    fn set(&self, thread: &mut Thread<'a>, operand: &'a Operand<'a>, value: u64) {
        let name = match operand.kind {
            OperandKind::Register { name, .. } | OperandKind::Symbol { name, .. } => name,
            OperandKind::Sink => return,
            ref other => panic!("{other:?}: expected a register"),
        };
        let frame = thread.frames.last_mut().expect("a frame");
        let types = &self.functions[frame.name].types;
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let ty = types
            .get(name)
            .or_else(|| types.get(stem))
            .expect("a declared register");
        let value = match ty.kind {
            Kind::Predicate => u64::from(value != 0),
            _ => mask(value, ty.bits),
        };
        frame.registers.insert(name, value);
    }

    fn access(&self, thread: &mut Thread<'a>, instruction: &'a Instruction<'a>, memory: &mut [u8], shared: &mut [u8]) {
        let load = instruction.opcode.base == "ld";
        let (data, place) = if load {
            (&instruction.operands[0], &instruction.operands[1])
        } else {
            (&instruction.operands[1], &instruction.operands[0])
        };
        let OperandKind::Address(address) = place.kind else {
            panic!("an address");
        };
        let (mut space, mut ty) = (None, None);
        for modifier in &instruction.opcode.modifiers {
            match *modifier {
                Modifier::Space(found) => space = Some(found),
                Modifier::Type(found) => ty = Some(found),
                _ => {}
            }
        }
        let ty = ty.expect("a type");
        let registers = &thread.frames.last().expect("a frame").registers;
        let (base, named) = match address.base {
            Base::Register(name) => (registers.get(name).copied().unwrap_or(0), false),
            Base::Symbol(name) => (self.address(thread, name).unwrap_or_else(|| panic!("{name}")).1, true),
            Base::None => (0, false),
        };
        let at = mask(base.wrapping_add(address.offset as u64), 32);
        let at = match (named, space) {
            (false, Some(Space::Shared)) => SHARED + at,
            (false, Some(Space::Local)) => LOCAL + at,
            _ => at,
        };
        let size = usize::from(ty.bits / 8);
        let elements = match &data.kind {
            OperandKind::Vector(elements) => elements.as_slice(),
            _ => std::slice::from_ref(data),
        };
        let mut local = std::mem::take(&mut thread.local);
        let mut loaded = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            let bytes = slice(
                at + (index * size) as u64,
                size,
                memory,
                shared,
                &mut local,
                instruction,
            );
            if load {
                let mut word = [0; 8];
                word[..size].copy_from_slice(bytes);
                let value = u64::from_le_bytes(word);
                loaded.push(if ty.kind == Kind::Signed {
                    signed(value, ty.bits) as u64
                } else {
                    value
                });
            } else {
                bytes.copy_from_slice(&self.value(thread, element).to_le_bytes()[..size]);
            }
        }
        thread.local = local;
        for (element, value) in elements.iter().zip(loaded) {
            self.set(thread, element, value);
        }
    }
}
