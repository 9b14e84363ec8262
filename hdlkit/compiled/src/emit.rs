//! Machine code for a [`Design`]: the nodes of each [cluster](super::activity) in the order in which they are needed, behind
//! a test whether the cluster follows anything that has changed; in functions of some thousand nodes each.
//!
//! Cells live in one block of memory, the state:
//!
//! ```text
//! registers, by family | what they take | words of memories, opaque blocks and ports
//!     | groups that have changed, a bit each | clusters that have been computed, a byte each
//!     | values that one cluster leaves for another
//! ```

use crate::activity::{clusters, groups, Groups, Item, Takers};
use crate::elaborate::{Design, Source};
use crate::graph::{mask, Id, Op};
use crate::CompileError;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{types, AbiParam, InstBuilder, MemFlags, Type, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{default_libcall_names, FuncId, Linkage, Module};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Nodes of one function: the register allocator's time grows faster than its input.
const NODES: usize = 1500;

/// Compiled code: state, memories, opaque blocks.
pub(crate) type Function = unsafe extern "C" fn(*mut u8, *const *const u64, *mut u8);

/// Where everything is in the state.
pub(crate) struct Layout {
    /// Registers: where each is; what it takes is [`Layout::registers`] bytes further.
    pub register: Vec<u32>,
    pub registers: u32,
    /// The words of the state in which the registers of each family are.
    pub families: Vec<Range<usize>>,
    /// Words of each memory's ports.
    pub memory: Vec<u32>,
    pub opaque: Vec<u32>,
    pub top: u32,
    /// Whole words with a bit for each group.
    pub changed: u32,
    pub bytes: u32,
}

/// Machine code and the layout of its state.
pub(crate) struct Program {
    pub layout: Layout,
    pub functions: Vec<Function>,
    /// What each cluster gives to take.
    pub takers: Vec<Takers>,
    /// Byte of the state for the first of `takers`, whole words in all.
    pub computed: u32,
    /// Owns the code. None once it is gone.
    module: Option<JITModule>,
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are reached through this program only, which is going away.
            unsafe { module.free_memory() }
        }
    }
}

// SAFETY: the code is not changed after it has been made, and its functions have no state of their own.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

/// Bytes that a value is kept in.
fn bytes(width: u32) -> u32 {
    match width {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => 16,
    }
}

/// As [`bytes`], for slices.
pub(crate) fn size(width: u32) -> usize {
    bytes(width) as usize
}

/// What a value is in registers.
fn type_of(width: u32) -> Type {
    match width {
        1 => types::I8,
        2..=32 => types::I32,
        33..=64 => types::I64,
        _ => types::I128,
    }
}

pub(crate) fn lay_out(design: &Design) -> Layout {
    let mut order: Vec<usize> = (0..design.registers.len()).collect();
    let size = |index: usize| bytes(design.cells[design.registers[index].cell as usize].width);
    order.sort_by_key(|index| (design.registers[*index].family, std::cmp::Reverse(size(*index))));
    let mut register = vec![0; order.len()];
    let mut families = vec![0..0; design.families as usize];
    let mut at = 0u32;
    for same in order.chunk_by(|a, b| design.registers[*a].family == design.registers[*b].family) {
        let first = at;
        for index in same {
            register[*index] = at;
            at += size(*index);
        }
        at = at.next_multiple_of(8);
        families[design.registers[same[0]].family as usize] = first as usize / 8..at as usize / 8;
    }
    let registers = at.next_multiple_of(64);
    at = registers * 2;
    let mut place = |words: u32| {
        let start = at;
        at += words * 8;
        start
    };
    let memory = design.memories.iter().map(|m| place(m.words)).collect();
    let opaque = design.opaques.iter().map(|o| place(o.words)).collect();
    let top = place(design.words);
    let changed = place(groups(design).div_ceil(64));
    Layout {
        register,
        registers,
        families,
        memory,
        opaque,
        top,
        changed,
        bytes: at,
    }
}

/// A cluster, or a part of one that is too large for a function.
struct Part<'a> {
    cluster: usize,
    first: bool,
    follows: &'a Groups,
    items: &'a [Item],
}

/// Compiles `design`. `call` is what calls an opaque block: opaque blocks, state, number.
pub(crate) fn compile(design: &Design, call: *const u8) -> Result<Program, CompileError> {
    if cfg!(target_endian = "big") {
        let reason = "the state is laid out with the lowest byte first";
        return Err(CompileError::Processor(reason.into()));
    }
    let mut layout = lay_out(design);
    let clusters = clusters(design, &layout)?;
    let computed = layout.bytes;
    layout.bytes += (clusters.len() as u32).next_multiple_of(8);
    let parts: Vec<Part> = clusters
        .iter()
        .enumerate()
        .flat_map(|(number, cluster)| {
            let parts = cluster.items.chunks(NODES).enumerate();
            parts.map(move |(part, items)| Part {
                cluster: number,
                first: part == 0,
                follows: &cluster.follows,
                items,
            })
        })
        .collect();

    let failed = |e: &dyn std::fmt::Display| CompileError::new("machine code", e.to_string());
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("enable_verifier", "false"),
    ] {
        flags.set(name, value).map_err(|e| failed(&e))?;
    }
    let isa = cranelift_native::builder()
        .map_err(|e| CompileError::Processor(e.to_string()))?
        .finish(settings::Flags::new(flags))
        .map_err(|e| failed(&e))?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.symbol("call_opaque", call);
    let mut module = JITModule::new(builder);
    let mut call_signature = module.make_signature();
    for kind in [types::I64, types::I64, types::I64] {
        call_signature.params.push(AbiParam::new(kind));
    }
    let call = module
        .declare_function("call_opaque", Linkage::Import, &call_signature)
        .map_err(|e| failed(&e))?;

    let kept = keep(design, &parts, &mut layout);
    let registers: HashMap<u32, usize> = design.registers.iter().enumerate().map(|(i, r)| (r.cell, i)).collect();
    let mut context = module.make_context();
    let mut frontend = FunctionBuilderContext::new();
    let mut ids = vec![];
    let mut rest = &parts[..];
    while !rest.is_empty() {
        let mut nodes = 0;
        let parts = rest.iter().take_while(|part| {
            nodes += part.items.len();
            nodes <= NODES
        });
        let (parts, later) = rest.split_at(parts.count().max(1));
        rest = later;
        let id = module
            .declare_function(&format!("settle_{}", ids.len()), Linkage::Export, &call_signature)
            .map_err(|e| failed(&e))?;
        context.func.signature = call_signature.clone();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let parameters = builder.block_params(block).to_vec();
        let mut emitter = Emitter {
            design,
            layout: &layout,
            kept: &kept,
            registers: &registers,
            builder,
            module: &mut module,
            call,
            state: parameters[0],
            memories: parameters[1],
            opaques: parameters[2],
            values: HashMap::new(),
            bases: HashMap::new(),
        };
        for part in parts {
            emitter.part(part, computed);
        }
        emitter.builder.ins().return_(&[]);
        emitter.builder.finalize();
        module.define_function(id, &mut context).map_err(|e| failed(&e))?;
        module.clear_context(&mut context);
        ids.push(id);
    }
    module.finalize_definitions().map_err(|e| failed(&e))?;
    let functions = ids
        .into_iter()
        .map(|id| {
            let code = module.get_finalized_function(id);
            // SAFETY: this is the function just compiled, with the signature of `Function`.
            unsafe { std::mem::transmute::<*const u8, Function>(code) }
        })
        .collect();
    layout.bytes = layout.bytes.next_multiple_of(64);
    Ok(Program {
        layout,
        functions,
        takers: clusters.into_iter().map(|cluster| cluster.takers).collect(),
        computed,
        module: Some(module),
    })
}

/// Places in the state for values that a later part needs.
fn keep(design: &Design, parts: &[Part], layout: &mut Layout) -> HashMap<Id, u32> {
    let mut made = HashMap::new();
    let mut kept = HashSet::new();
    for (number, part) in parts.iter().enumerate() {
        for item in part.items {
            let mut need = |id: Id| {
                let again = matches!(design.graph.op(id), Op::Constant(_) | Op::Cell(_) | Op::Call { .. });
                if !again && made.get(&id).is_some_and(|at| *at != number) {
                    kept.insert(id);
                }
            };
            match *item {
                Item::Node(id) => {
                    design.graph.op(id).operands(&mut need);
                    made.insert(id, number);
                }
                Item::Register(register) => need(design.registers[register].next),
                Item::Word { value, .. } => need(value),
                Item::Call(_) => {}
            }
        }
    }
    let bytes = |id: Id| type_of(design.graph.width(id)).bytes();
    let mut kept: Vec<Id> = kept.into_iter().collect();
    kept.sort_by_key(|id| (std::cmp::Reverse(bytes(*id)), *id));
    kept.into_iter()
        .map(|id| {
            let at = layout.bytes;
            layout.bytes += bytes(id);
            (id, at)
        })
        .collect()
}

struct Emitter<'a> {
    design: &'a Design,
    layout: &'a Layout,
    kept: &'a HashMap<Id, u32>,
    /// Which register a cell is.
    registers: &'a HashMap<u32, usize>,
    builder: FunctionBuilder<'a>,
    module: &'a mut JITModule,
    call: FuncId,
    state: Value,
    memories: Value,
    opaques: Value,
    values: HashMap<Id, Value>,
    /// Addresses of memories.
    bases: HashMap<u32, Value>,
}

impl Emitter<'_> {
    /// The part, behind a test whether it follows anything that has changed; `computed`: see [`Program::computed`].
    fn part(&mut self, part: &Part, computed: u32) {
        let own: HashSet<Id> = part
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Node(id) => Some(*id),
                _ => None,
            })
            .collect();
        self.values.clear();
        self.bases.clear();
        let mut test = None;
        for (word, groups) in part.follows.words() {
            let at = (self.layout.changed + word * 4) as i32;
            let changed = self.builder.ins().load(types::I32, unaligned(), self.state, at);
            let changed = self.builder.ins().band_imm(changed, i64::from(groups));
            test = Some(match test {
                Some(test) => self.builder.ins().bor(test, changed),
                None => changed,
            });
        }
        let mut behind = None;
        if let Some(test) = test {
            let body = self.builder.create_block();
            let next = self.builder.create_block();
            self.builder.ins().brif(test, body, &[], next, &[]);
            self.builder.seal_block(body);
            self.builder.switch_to_block(body);
            behind = Some(next);
        }
        for item in part.items {
            self.item(*item, &own);
        }
        if part.first {
            let one = self.builder.ins().iconst(types::I8, 1);
            let at = (computed + part.cluster as u32) as i32;
            self.builder.ins().store(unaligned(), one, self.state, at);
        }
        if let Some(next) = behind {
            self.builder.ins().jump(next, &[]);
            self.builder.seal_block(next);
            self.builder.switch_to_block(next);
        }
    }

    fn item(&mut self, item: Item, own: &HashSet<Id>) {
        match item {
            Item::Node(id) => {
                self.value(id, own);
                if let Some(at) = self.kept.get(&id) {
                    let value = self.values[&id];
                    self.builder.ins().store(unaligned(), value, self.state, *at as i32);
                }
            }
            Item::Register(index) => {
                let register = &self.design.registers[index];
                let value = self.value(register.next, own);
                let at = (self.layout.register[index] + self.layout.registers) as i32;
                let width = self.design.graph.width(register.next);
                let state = self.state;
                match (bytes(width), self.builder.func.dfg.value_type(value)) {
                    (1, types::I32) => self.builder.ins().istore8(unaligned(), value, state, at),
                    (2, types::I32) => self.builder.ins().istore16(unaligned(), value, state, at),
                    _ => self.builder.ins().store(unaligned(), value, state, at),
                };
            }
            Item::Word { at, value } => {
                let mut value = self.value(value, own);
                if self.builder.func.dfg.value_type(value).bits() < 64 {
                    value = self.builder.ins().uextend(types::I64, value);
                }
                self.builder.ins().store(unaligned(), value, self.state, at as i32);
            }
            Item::Call(opaque) => {
                let function = self.module.declare_func_in_func(self.call, self.builder.func);
                let number = self.builder.ins().iconst(types::I64, i64::from(opaque));
                let arguments = [self.opaques, self.state, number];
                self.builder.ins().call(function, &arguments);
            }
        }
    }

    fn constant(&mut self, value: u128, kind: Type) -> Value {
        if kind == types::I128 {
            let low = self.builder.ins().iconst(types::I64, value as u64 as i64);
            let high = self.builder.ins().iconst(types::I64, (value >> 64) as u64 as i64);
            return self.builder.ins().iconcat(low, high);
        }
        // As the instruction wants it: extended with zeros from the type's bits.
        self.builder.ins().iconst(kind, value as u64 as i64)
    }

    /// Bits above `width` cleared.
    fn masked(&mut self, value: Value, width: u32) -> Value {
        let kind = type_of(width);
        if kind.bits() == width {
            return value;
        }
        let ones = self.constant(mask(width), kind);
        self.builder.ins().band(value, ones)
    }

    /// From a type to another one; what does not fit is lost.
    fn convert(&mut self, value: Value, kind: Type) -> Value {
        let have = self.builder.func.dfg.value_type(value);
        match have.bits().cmp(&kind.bits()) {
            std::cmp::Ordering::Less => self.builder.ins().uextend(kind, value),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.builder.ins().ireduce(kind, value),
        }
    }

    /// The sign of a value of `width` bits above it, in its own type.
    fn sign_filled(&mut self, value: Value, width: u32) -> Value {
        let kind = self.builder.func.dfg.value_type(value);
        let spare = i64::from(kind.bits() - width);
        if spare == 0 {
            return value;
        }
        let up = self.builder.ins().ishl_imm(value, spare);
        self.builder.ins().sshr_imm(up, spare)
    }

    /// A cell or word of the state.
    fn load(&mut self, at: u32, width: u32, size: u32) -> Value {
        let (state, at) = (self.state, at as i32);
        match (type_of(width), size) {
            (types::I32, 1) => self.builder.ins().uload8(types::I32, unaligned(), state, at),
            (types::I32, 2) => self.builder.ins().uload16(types::I32, unaligned(), state, at),
            (kind, _) => self.builder.ins().load(kind, unaligned(), state, at),
        }
    }

    fn value(&mut self, id: Id, own: &HashSet<Id>) -> Value {
        if let Some(value) = self.values.get(&id) {
            return *value;
        }
        let node = self.design.graph.nodes[id as usize];
        if !own.contains(&id) {
            if let Some(at) = self.kept.get(&id) {
                let value = self
                    .builder
                    .ins()
                    .load(type_of(node.width), unaligned(), self.state, *at as i32);
                self.values.insert(id, value);
                return value;
            }
        }
        let value = self.compute(node.op, node.width, own);
        self.values.insert(id, value);
        value
    }

    fn compute(&mut self, op: Op, width: u32, own: &HashSet<Id>) -> Value {
        let kind = type_of(width);
        match op {
            Op::Constant(value) => self.constant(value, kind),
            Op::Cell(cell) => {
                let layout = self.layout;
                match self.design.cells[cell as usize].source {
                    Source::Register => {
                        let index = self.registers[&cell];
                        self.load(layout.register[index], width, bytes(width))
                    }
                    Source::Input(word) => self.load(layout.top + word * 8, width, 8),
                    Source::Memory { memory, word } => self.load(layout.memory[memory as usize] + word * 8, width, 8),
                    Source::Opaque { opaque, word } => self.load(layout.opaque[opaque as usize] + word * 8, width, 8),
                    Source::Nothing | Source::Wire(_) | Source::Read { .. } | Source::Call { .. } => {
                        unreachable!("resolved: only state and inputs are cells")
                    }
                }
            }
            Op::Call { opaque, word } => {
                let at = self.layout.opaque[opaque as usize] + word * 8;
                self.load(at, width, 8)
            }
            Op::Read { memory, word, address } => {
                let stride = i64::from(self.design.memories[memory as usize].stride) * 8;
                let base = match self.bases.get(&memory) {
                    Some(base) => *base,
                    None => {
                        let flags = MemFlags::trusted();
                        let base = self
                            .builder
                            .ins()
                            .load(types::I64, flags, self.memories, (memory * 8) as i32);
                        self.bases.insert(memory, base);
                        base
                    }
                };
                let index = self.value(address, own);
                let index = self.convert(index, types::I64);
                let offset = self.builder.ins().imul_imm(index, stride);
                let at = self.builder.ins().iadd(base, offset);
                self.builder.ins().load(kind, unaligned(), at, (word * 8) as i32)
            }
            Op::Not(a) => {
                let a = self.value(a, own);
                let ones = self.constant(mask(width), kind);
                self.builder.ins().bxor(a, ones)
            }
            Op::Negate(a) => {
                let a = self.value(a, own);
                let zero = self.constant(0, kind);
                let result = self.builder.ins().isub(zero, a);
                self.masked(result, width)
            }
            Op::Add(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                let result = self.builder.ins().iadd(a, b);
                self.masked(result, width)
            }
            Op::Sub(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                let result = self.builder.ins().isub(a, b);
                self.masked(result, width)
            }
            Op::Mul(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                let result = self.builder.ins().imul(a, b);
                self.masked(result, width)
            }
            Op::And(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                self.builder.ins().band(a, b)
            }
            Op::Or(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                self.builder.ins().bor(a, b)
            }
            Op::Xor(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                self.builder.ins().bxor(a, b)
            }
            Op::ShiftLeft(a, count) | Op::ShiftRight(a, count) => {
                let bits = self.design.graph.width(count);
                let (a, mut count) = (self.value(a, own), self.value(count, own));
                if bits > 64 {
                    // Far more than any value has.
                    let limit = self.constant(1 << 32, types::I128);
                    let far = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, count, limit);
                    count = self.builder.ins().select(far, limit, count);
                }
                let count = self.convert(count, types::I64);
                let shifted = match op {
                    Op::ShiftLeft(..) => self.builder.ins().ishl(a, count),
                    _ => self.builder.ins().ushr(a, count),
                };
                let shifted = match op {
                    Op::ShiftLeft(..) => self.masked(shifted, width),
                    _ => shifted,
                };
                // The instruction takes the count modulo the type's bits.
                if bits < 32 && (1u64 << bits) <= u64::from(kind.bits()) {
                    return shifted;
                }
                let limit = i64::from(kind.bits());
                let fits = self.builder.ins().icmp_imm(IntCC::UnsignedLessThan, count, limit);
                let zero = self.constant(0, kind);
                self.builder.ins().select(fits, shifted, zero)
            }
            Op::Equal(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                self.builder.ins().icmp(IntCC::Equal, a, b)
            }
            Op::Less { signed, left, right } => {
                let bits = self.design.graph.width(left);
                let (mut a, mut b) = (self.value(left, own), self.value(right, own));
                if signed {
                    a = self.sign_filled(a, bits);
                    b = self.sign_filled(b, bits);
                }
                let condition = match signed {
                    true => IntCC::SignedLessThan,
                    false => IntCC::UnsignedLessThan,
                };
                self.builder.ins().icmp(condition, a, b)
            }
            Op::Mux(test, one, zero) => {
                let test = self.value(test, own);
                let (one, zero) = (self.value(one, own), self.value(zero, own));
                self.builder.ins().select(test, one, zero)
            }
            Op::Slice(a, low) => {
                let whole = self.design.graph.width(a);
                let a = self.value(a, own);
                let shifted = match low {
                    0 => a,
                    _ => self.builder.ins().ushr_imm(a, i64::from(low)),
                };
                let part = self.convert(shifted, kind);
                if low + width == whole {
                    return part;
                }
                self.masked(part, width)
            }
            Op::Concat(high, low) => {
                let border = self.design.graph.width(low);
                let (high, low) = (self.value(high, own), self.value(low, own));
                let (high, low) = (self.convert(high, kind), self.convert(low, kind));
                let high = self.builder.ins().ishl_imm(high, i64::from(border));
                self.builder.ins().bor(high, low)
            }
            Op::ZeroExtend(a) => {
                let a = self.value(a, own);
                self.convert(a, kind)
            }
            Op::SignExtend(a) => {
                let bits = self.design.graph.width(a);
                let a = self.value(a, own);
                let wide = self.convert(a, kind);
                let filled = self.sign_filled(wide, bits);
                self.masked(filled, width)
            }
            Op::Parity(a) => {
                let a = self.value(a, own);
                let mut ones = self.builder.ins().popcnt(a);
                ones = self.convert(ones, types::I8);
                self.builder.ins().band_imm(ones, 1)
            }
        }
    }
}

/// Values are packed in the state without regard to their alignment.
fn unaligned() -> MemFlags {
    let mut flags = MemFlags::new();
    flags.set_notrap();
    flags
}
