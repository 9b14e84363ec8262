//! A reference for compiled kernels: it runs PTX as its manual describes it, one thread after the other, each up to its
//! next barrier.

use flexgrip_compiler::ptx::ast::*;
use std::collections::HashMap;

/// A launch of a kernel.
pub struct Launch<'a> {
    pub kernel: &'a Function<'a>,
    pub grid: [u32; 2],
    pub block: [u32; 3],
    /// The bytes of all parameters, 4 each.
    pub parameters: Vec<u32>,
}

/// Instructions that a thread may execute.
const LIMIT: u64 = 10_000_000;

struct Machine<'a> {
    code: Vec<&'a Instruction<'a>>,
    labels: HashMap<&'a str, usize>,
    types: HashMap<&'a str, Type>,
    symbols: HashMap<&'a str, u64>,
    launch: &'a Launch<'a>,
}

struct Thread {
    registers: HashMap<String, u64>,
    at: usize,
    index: [u32; 3],
    block: [u32; 2],
    steps: u64,
}

#[derive(PartialEq)]
enum Stop {
    Barrier,
    End,
}

fn mask(value: u64, bits: u8) -> u64 {
    match bits {
        64 => value,
        _ => value & ((1 << bits) - 1),
    }
}

fn signed(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits);
    (value << shift) as i64 >> shift
}

fn float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits(value: f32) -> u64 {
    value.to_bits().into()
}

fn collect<'a>(statements: &'a [Statement<'a>], machine: &mut Machine<'a>, shared: &mut u64) {
    for statement in statements {
        match statement {
            Statement::Instruction(instruction) => machine.code.push(instruction),
            Statement::Label(name) => {
                machine.labels.insert(name.text, machine.code.len());
            }
            Statement::Block(block) => collect(&block.statements, machine, shared),
            Statement::Variable(variable) => {
                let elements: u64 = variable.dimensions.iter().map(|size| size.expect("a size")).product();
                let alignment = u64::from(variable.alignment.unwrap_or(4));
                *shared = shared.next_multiple_of(alignment);
                machine.symbols.insert(variable.name.text, *shared);
                *shared += elements * u64::from(variable.ty.bits / 8);
            }
            Statement::Registers(registers) => {
                for name in &registers.names {
                    machine.types.insert(name.name.text, registers.ty);
                }
            }
            _ => {}
        }
    }
}

/// Runs the kernel on the memory.
pub fn run(launch: &Launch, memory: &mut [u8]) {
    let mut machine = Machine {
        code: Vec::new(),
        labels: HashMap::new(),
        types: HashMap::new(),
        symbols: HashMap::new(),
        launch,
    };
    let mut shared_bytes = 0;
    let body = launch.kernel.body.as_ref().expect("a body");
    collect(&body.statements, &mut machine, &mut shared_bytes);
    let mut at = 0;
    for parameter in &launch.kernel.parameters {
        machine.symbols.insert(parameter.name.text, at);
        at += 4;
    }
    for y in 0..launch.grid[1] {
        for x in 0..launch.grid[0] {
            let mut shared = vec![0; shared_bytes as usize];
            machine.block([x, y], memory, &mut shared);
        }
    }
}

impl<'a> Machine<'a> {
    fn block(&self, block: [u32; 2], memory: &mut [u8], shared: &mut [u8]) {
        let [width, height, depth] = self.launch.block;
        let mut threads = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    threads.push(Thread {
                        registers: HashMap::new(),
                        at: 0,
                        index: [x, y, z],
                        block,
                        steps: 0,
                    });
                }
            }
        }
        while !threads.is_empty() {
            threads.retain_mut(|thread| self.thread(thread, memory, shared) == Stop::Barrier);
        }
    }

    fn thread(&self, thread: &mut Thread, memory: &mut [u8], shared: &mut [u8]) -> Stop {
        loop {
            let Some(instruction) = self.code.get(thread.at) else {
                return Stop::End;
            };
            thread.at += 1;
            thread.steps += 1;
            assert!(thread.steps < LIMIT, "a thread does not end");
            if let Some(guard) = instruction.guard {
                let holds = thread.registers.get(guard.predicate.text).copied().unwrap_or(0) != 0;
                if holds == guard.negated {
                    continue;
                }
            }
            match instruction.opcode.base {
                "bra" => {
                    let OperandKind::Symbol { name, .. } = instruction.operands[0].kind else {
                        panic!("a label");
                    };
                    thread.at = self.labels[name];
                }
                "ret" | "exit" => return Stop::End,
                "bar" => return Stop::Barrier,
                "ld" | "st" => self.access(thread, instruction, memory, shared),
                _ => self.compute(thread, instruction),
            }
        }
    }

    fn value(&self, thread: &Thread, operand: &Operand) -> u64 {
        match &operand.kind {
            OperandKind::Register { name, negated } => {
                let value = thread.registers.get(*name).copied().unwrap_or(0);
                if *negated {
                    u64::from(value == 0)
                } else {
                    value
                }
            }
            OperandKind::Integer(integer) if integer.negative => integer.magnitude.wrapping_neg(),
            OperandKind::Integer(integer) => integer.magnitude,
            OperandKind::Float(Float::Single(bits)) => (*bits).into(),
            OperandKind::Symbol { name, offset, .. } => self.symbols[name].wrapping_add(*offset as u64),
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
                    Some("%nctaid") => of(&[self.launch.grid[0], self.launch.grid[1], 1]),
                    _ => panic!("{name}"),
                }
            }
            // Two halves.
            OperandKind::Vector(parts) if parts.len() == 2 => {
                let name = match parts[0].kind {
                    OperandKind::Register { name, .. } => name.trim_end_matches(|c: char| c.is_ascii_digit()),
                    _ => panic!("a register"),
                };
                let width = self.types[name].bits;
                self.value(thread, &parts[0]) | self.value(thread, &parts[1]) << width
            }
            other => panic!("{other:?}"),
        }
    }

    /// Writes a register, as many bits as it has.
    fn set(&self, thread: &mut Thread, operand: &Operand, value: u64) {
        let OperandKind::Register { name, .. } = operand.kind else {
            panic!("a register");
        };
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let ty = self
            .types
            .get(name)
            .or_else(|| self.types.get(stem))
            .expect("a declared register");
        let value = match ty.kind {
            Kind::Predicate => u64::from(value != 0),
            _ => mask(value, ty.bits),
        };
        thread.registers.insert(name.to_string(), value);
    }

    fn access(&self, thread: &mut Thread, instruction: &Instruction, memory: &mut [u8], shared: &mut [u8]) {
        let load = instruction.opcode.base == "ld";
        let (data, place) = if load {
            (&instruction.operands[0], &instruction.operands[1])
        } else {
            (&instruction.operands[1], &instruction.operands[0])
        };
        let OperandKind::Address(address) = place.kind else {
            panic!("an address");
        };
        let base = match address.base {
            Base::Register(name) => thread.registers.get(name).copied().unwrap_or(0),
            Base::Symbol(name) => self.symbols[name],
            Base::None => 0,
        };
        let at = mask(base.wrapping_add(address.offset as u64), 32) as usize;
        let (mut space, mut ty) = (None, None);
        for modifier in &instruction.opcode.modifiers {
            match *modifier {
                Modifier::Space(found) => space = Some(found),
                Modifier::Type(found) => ty = Some(found),
                _ => {}
            }
        }
        let ty = ty.expect("a type");
        let size = usize::from(ty.bits / 8);
        let elements = match &data.kind {
            OperandKind::Vector(elements) => elements.as_slice(),
            _ => std::slice::from_ref(data),
        };
        let mut parameters: Vec<u8> = self
            .launch
            .parameters
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let bytes: &mut [u8] = match space {
            Some(Space::Global) => memory,
            Some(Space::Shared) => shared,
            Some(Space::Param) => &mut parameters,
            other => panic!("{other:?}"),
        };
        for (index, element) in elements.iter().enumerate() {
            let at = at + index * size;
            assert_eq!(at % size, 0, "{}: misaligned", instruction.span);
            if load {
                let mut word = [0; 8];
                word[..size].copy_from_slice(&bytes[at..at + size]);
                let value = u64::from_le_bytes(word);
                let value = if ty.kind == Kind::Signed {
                    signed(value, ty.bits) as u64
                } else {
                    value
                };
                self.set(thread, element, value);
            } else {
                let value = self.value(thread, element).to_le_bytes();
                bytes[at..at + size].copy_from_slice(&value[..size]);
            }
        }
    }

    fn compute(&self, thread: &mut Thread, instruction: &Instruction) {
        let opcode = &instruction.opcode;
        let types: Vec<Type> = opcode
            .modifiers
            .iter()
            .filter_map(|modifier| match modifier {
                Modifier::Type(ty) => Some(*ty),
                _ => None,
            })
            .collect();
        let words: Vec<&str> = opcode
            .modifiers
            .iter()
            .filter_map(|modifier| match modifier {
                Modifier::Word(word) => Some(*word),
                _ => None,
            })
            .collect();
        let ty = types[0];
        if let OperandKind::Vector(parts) = &instruction.operands[0].kind {
            let value = self.value(thread, &instruction.operands[1]);
            let width = u32::from(ty.bits) / parts.len() as u32;
            for (index, part) in parts.iter().enumerate() {
                self.set(thread, part, mask(value >> (width * index as u32), width as u8));
            }
            return;
        }
        let raw: Vec<u64> = instruction.operands[1..]
            .iter()
            .map(|operand| self.value(thread, operand))
            .collect();
        let source = if opcode.base == "cvt" { types[1] } else { ty };
        let a = mask(raw[0], source.bits);
        let b = raw.get(1).map_or(0, |&b| mask(b, ty.bits));
        let c = raw.get(2).copied().unwrap_or(0);
        let (sa, sb) = (signed(a, source.bits), signed(b, ty.bits));
        let is_signed = ty.kind == Kind::Signed;
        let is_float = ty.kind == Kind::Float;
        let (fa, fb) = (float(a), float(b));
        let count = raw.get(1).map_or(0, |&count| count as u32 as u64);
        let wide = |x: i128| x as u64;
        let value = match opcode.base {
            "mov" => raw[0],
            "add" if is_float => bits(fa + fb),
            "sub" if is_float => bits(fa - fb),
            "mul" if is_float => bits(fa * fb),
            "div" if is_float => bits(fa / fb),
            "sqrt" => bits(fa.sqrt()),
            "rcp" => bits(1.0 / fa),
            "neg" if is_float => a ^ 0x8000_0000,
            "abs" if is_float => a & 0x7fff_ffff,
            "min" if is_float => bits(fa.min(fb)),
            "max" if is_float => bits(fa.max(fb)),
            "add" => a.wrapping_add(b),
            "sub" => a.wrapping_sub(b),
            "neg" => a.wrapping_neg(),
            "abs" => sa.unsigned_abs(),
            "mul" | "mad" => {
                let product = if is_signed {
                    i128::from(sa) * i128::from(sb)
                } else {
                    i128::from(a) * i128::from(b)
                };
                let product = if words.contains(&"hi") {
                    wide(product >> ty.bits)
                } else {
                    wide(product)
                };
                if opcode.base == "mad" {
                    product.wrapping_add(c)
                } else {
                    product
                }
            }
            "mul24" if is_signed => (signed(a, 24) * signed(b, 24)) as u64,
            "mul24" => mask(a, 24) * mask(b, 24),
            "div" if is_signed => sa.wrapping_div(sb) as u64,
            "rem" if is_signed => sa.wrapping_rem(sb) as u64,
            "div" => a / b,
            "rem" => a % b,
            "min" if is_signed => sa.min(sb) as u64,
            "max" if is_signed => sa.max(sb) as u64,
            "min" => a.min(b),
            "max" => a.max(b),
            "and" => raw[0] & raw[1],
            "or" => raw[0] | raw[1],
            "xor" if ty.kind == Kind::Predicate => u64::from((raw[0] != 0) != (raw[1] != 0)),
            "xor" => raw[0] ^ raw[1],
            "not" if ty.kind == Kind::Predicate => u64::from(raw[0] == 0),
            "not" => !raw[0],
            "shl" if count >= u64::from(ty.bits) => 0,
            "shl" => a << count,
            "shr" if is_signed => (sa >> count.min(63)) as u64,
            "shr" if count >= u64::from(ty.bits) => 0,
            "shr" => a >> count,
            "selp" => {
                if raw[2] != 0 {
                    raw[0]
                } else {
                    raw[1]
                }
            }
            "bfe" => {
                assert!(!is_signed);
                mask(a >> (raw[1] & 0xff), raw[2] as u8)
            }
            "setp" => {
                let order = if is_float {
                    fa.partial_cmp(&fb)
                } else if is_signed {
                    Some(sa.cmp(&sb))
                } else {
                    Some(a.cmp(&b))
                };
                u64::from(holds(words[0], order))
            }
            "cvt" => convert(ty, source, a, &words),
            other => panic!("{other}: {}", opcode.text),
        };
        self.set(thread, &instruction.operands[0], value);
    }
}

fn holds(name: &str, order: Option<std::cmp::Ordering>) -> bool {
    let Some(order) = order else {
        return matches!(name, "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" | "nan");
    };
    match name {
        "eq" | "equ" => order.is_eq(),
        "ne" | "neu" => order.is_ne(),
        "lt" | "lo" | "ltu" => order.is_lt(),
        "le" | "ls" | "leu" => order.is_le(),
        "gt" | "hi" | "gtu" => order.is_gt(),
        "ge" | "hs" | "geu" => order.is_ge(),
        "num" => true,
        "nan" => false,
        _ => panic!("{name}"),
    }
}

fn convert(to: Type, from: Type, value: u64, words: &[&str]) -> u64 {
    match (to.kind == Kind::Float, from.kind == Kind::Float) {
        (false, false) => {
            let value = if from.kind == Kind::Signed {
                signed(value, from.bits) as u64
            } else {
                value
            };
            if to.kind == Kind::Signed {
                signed(value, to.bits) as u64
            } else {
                mask(value, to.bits)
            }
        }
        (true, false) if from.kind == Kind::Signed => bits(signed(value, from.bits) as f32),
        (true, false) => bits(value as f32),
        (false, true) => {
            assert!(words.contains(&"rzi"));
            match to.kind {
                Kind::Signed => i64::from(float(value) as i32) as u64,
                _ => u64::from(float(value) as u32),
            }
        }
        (true, true) => value,
    }
}
