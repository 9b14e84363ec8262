//! One warp instruction: read, compute, write, and where the warp goes on.
//!
//! The order of things is that of the machine's contract (`docs/machine.md`, "One instruction"). Numbers come from
//! `flexgrip-arith`; this module brings them the operands and puts the results away.

use crate::barrier::BarrierUse;
use crate::float;
use crate::memory::{AccessFault, ConstantMemory, Memory};
use crate::program::{PostIncrement, Program};
use crate::stack::Underflow;
use crate::warp::Warp;
use flexgrip_arith::integer::{self, Integer, Logic, Order, Product, Sum};
use flexgrip_arith::{Cc, Flagged, Width};
use flexgrip_isa::{
    Access, AddKind, Destination, Indirect, LogicKind, MadKind, Marker, Meaning, MemoryAccess, MulKind, Operand,
    Operation,
};
use flexgrip_machine::BarrierEffect;
use flexgrip_machine::ErrorKind;
use flexgrip_machine::{AddressWrite, CcWrite, MemoryEffect, MemorySpace, Part, RegisterWrite};
use flexgrip_machine::{Entry, EntryKind, StackOperation};

/// One value for each lane.
pub(crate) type Lanes = [u32; 32];

/// The memories that an instruction of a block reaches.
pub(crate) struct Memories<'a> {
    pub global: &'a mut Memory,
    pub constant: &'a ConstantMemory,
    pub shared: &'a mut Memory,
    /// The local memories of the warp's threads.
    pub local: &'a mut [Memory],
    pub surroundings: Surroundings,
}

/// What special registers tell of where and when an instruction runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    pub sm: u32,
    /// The hardware warp slot in the SM.
    pub slot: u32,
    pub clock: u32,
}

impl Surroundings {
    /// A special register in each lane; `None` for one without a meaning here.
    fn register(self, index: u8) -> Option<Lanes> {
        match index {
            0 => {
                let place = (self.slot & 0xff) << 8 | (self.sm & 0xff) << 16;
                Some(std::array::from_fn(|lane| place | lane as u32))
            }
            1 => Some([self.clock; 32]),
            // Zero on all chips, and the event counters, which count nothing.
            2 | 4..=7 => Some([0; 32]),
            _ => None,
        }
    }
}

/// Why an instruction could not be executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub kind: ErrorKind,
    pub word: u64,
    pub address: Option<u32>,
}

/// What an instruction did, for those who want to know: a run without an observer uses `()` and pays nothing.
pub(crate) trait Recorder {
    fn begin(&mut self, _word: u64, _active: u32, _executed: u32) {}
    fn register(&mut self, _write: impl FnOnce() -> RegisterWrite) {}
    fn cc(&mut self, _write: impl FnOnce() -> CcWrite) {}
    fn address(&mut self, _write: impl FnOnce() -> AddressWrite) {}
    fn post_increment(&mut self, _write: impl FnOnce() -> AddressWrite) {}
    fn memory(&mut self, _effect: MemoryEffect) {}
    fn stack(&mut self, _operation: StackOperation) {}
    fn barrier(&mut self, _effect: BarrierEffect) {}
}

impl Recorder for () {}

/// The lanes of a mask, lowest first.
pub(crate) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        Some(lane as usize)
    })
}

/// An error of one instruction before the word is known.
#[derive(Clone, Copy)]
struct Cause {
    kind: ErrorKind,
    address: Option<u32>,
}

impl Cause {
    fn of(kind: ErrorKind) -> Self {
        Cause { kind, address: None }
    }

    /// An access to `space` at `address` that the memory refused.
    fn access(space: Space, fault: AccessFault, address: u32) -> Self {
        let kind = match (space, fault) {
            (Space::Global, AccessFault::Misaligned) => ErrorKind::GlobalMisaligned,
            (Space::Global, AccessFault::OutOfRange) => ErrorKind::GlobalRange,
            (Space::Shared, AccessFault::Misaligned) => ErrorKind::SharedMisaligned,
            (Space::Shared, AccessFault::OutOfRange) => ErrorKind::SharedRange,
            (Space::Constant, AccessFault::Misaligned) => ErrorKind::ConstantMisaligned,
            (Space::Constant, AccessFault::OutOfRange) => ErrorKind::ConstantRange,
            (Space::Local, AccessFault::Misaligned) => ErrorKind::LocalMisaligned,
            (Space::Local, AccessFault::OutOfRange) => ErrorKind::LocalRange,
        };
        Cause {
            kind,
            address: Some(address),
        }
    }
}

impl From<Underflow> for Cause {
    fn from(_: Underflow) -> Self {
        Cause::of(ErrorKind::StackUnderflow)
    }
}

/// A memory that can refuse an access.
#[derive(Clone, Copy)]
enum Space {
    Global,
    Shared,
    Constant,
    Local,
}

/// What the block must know of an executed instruction.
pub(crate) struct Step {
    /// The execution mask.
    pub executed: u32,
    /// A branch that has split the warp.
    pub split: bool,
    /// The use of a barrier: all of it is left to the block.
    pub barrier: Option<BarrierUse>,
}

/// Executes the next instruction of `warp`, which can run.
pub(crate) fn step(
    warp: &mut Warp,
    program: &Program,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<Step, Fault> {
    let fetched = program.fetch(warp.pc).map_err(|kind| Fault {
        kind,
        word: 0,
        address: None,
    })?;
    let fault = |cause: Cause| Fault {
        kind: cause.kind,
        word: fetched.word,
        address: cause.address,
    };
    let Some(instruction) = &fetched.meaning else {
        return Err(fault(Cause::of(ErrorKind::IllegalInstruction)));
    };
    let behind = warp.pc.wrapping_add(fetched.bytes);
    let executed = execution_mask(warp, instruction);
    recorder.begin(fetched.word, warp.active, executed);
    let is_branch = matches!(instruction.operation, Operation::Bra { .. });
    let split = is_branch && executed != 0 && executed != warp.active;
    let post_increment = fetched.post_increment;
    execute(warp, instruction, post_increment, executed, behind, memories, recorder).map_err(fault)?;
    let barrier = match instruction.operation {
        Operation::Bar {
            barrier,
            mask: threads,
            arrive,
            wait,
        } if arrive || wait => Some(BarrierUse {
            barrier,
            threads,
            arrive,
            wait,
        }),
        _ => None,
    };
    Ok(Step {
        executed,
        split,
        barrier,
    })
}

fn execution_mask(warp: &Warp, instruction: &Meaning) -> u32 {
    let predicate = instruction.predicate;
    // So it is, too, with all instructions that ignore their condition.
    if predicate.condition == flexgrip_isa::Condition::True {
        return warp.active;
    }
    // Conditions are on two bits of register number: there is always such a register.
    let codes = &warp.cc[usize::from(predicate.register & 3)];
    lanes_of(warp.active)
        .filter(|&lane| predicate.condition.holds(codes[lane]))
        .fold(0, |mask, lane| mask | 1 << lane)
}

fn execute(
    warp: &mut Warp,
    instruction: &Meaning,
    post_increment: Option<PostIncrement>,
    executed: u32,
    behind: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    match instruction.operation {
        Operation::Bra { target } => {
            if executed == 0 {
                warp.pc = behind;
            } else if executed == warp.active {
                warp.pc = target;
            } else {
                let entry = Entry {
                    kind: EntryKind::Diverged,
                    mask: warp.active & !executed,
                    pc: behind,
                };
                push(warp, entry, recorder)?;
                warp.active = executed;
                warp.pc = target;
            }
            return Ok(());
        }
        Operation::Ret | Operation::Kil | Operation::Brk => {
            let gone = match instruction.operation {
                Operation::Brk => &mut warp.gone.broken,
                Operation::Ret if warp.stack.calls() > 0 => &mut warp.gone.returned,
                _ => &mut warp.gone.exited,
            };
            *gone |= executed;
            warp.leave(executed, behind, |operation| recorder.stack(operation))?;
            return Ok(());
        }
        Operation::Cal { target, .. } => {
            push_active(warp, EntryKind::Call, behind, recorder)?;
            warp.pc = target;
            return Ok(());
        }
        Operation::Ssy { target } => push_active(warp, EntryKind::Join, target, recorder)?,
        Operation::Pbk { target } => push_active(warp, EntryKind::Break, target, recorder)?,
        Operation::Trap => return Err(Cause::of(ErrorKind::Trap)),
        Operation::Bpt if executed != 0 => return Err(Cause::of(ErrorKind::Breakpoint)),
        Operation::Bpt | Operation::Nop | Operation::PmTrigger { .. } | Operation::Bar { .. } => {}
        Operation::R2g => store_shared(warp, instruction, executed, memories, recorder)?,
        Operation::Gld { access, .. } | Operation::Lld { access } => {
            load(warp, instruction, access, executed, memories, recorder)?
        }
        Operation::Gst { access, .. } | Operation::Lst { access } => {
            store(warp, instruction, access, executed, memories, recorder)?
        }
        _ => compute(warp, instruction, executed, memories, recorder)?,
    }
    if let Some(PostIncrement { register, step }) = post_increment {
        let old = warp.address_register(register).copied().unwrap_or([0; 32]);
        if let Some(write) = write_address(warp, register, executed, |lane| old[lane].wrapping_add(step)) {
            recorder.post_increment(|| write);
        }
    }
    match instruction.marker {
        Marker::None => warp.pc = behind,
        Marker::Join => warp.join(behind, |operation| recorder.stack(operation)),
        Marker::Exit => {
            warp.gone.exited |= warp.active;
            warp.leave(warp.active, behind, |operation| recorder.stack(operation))?;
        }
    }
    Ok(())
}

/// Pushes the threads of the current path.
fn push_active(warp: &mut Warp, kind: EntryKind, pc: u32, recorder: &mut impl Recorder) -> Result<(), Cause> {
    let mask = warp.active;
    push(warp, Entry { kind, mask, pc }, recorder)
}

fn push(warp: &mut Warp, entry: Entry, recorder: &mut impl Recorder) -> Result<(), Cause> {
    warp.stack
        .push(entry)
        .map_err(|_| Cause::of(ErrorKind::StackOverflow))?;
    recorder.stack(StackOperation::Push(entry));
    Ok(())
}

/// The width of an operation.
const fn width(width: flexgrip_isa::Width) -> Width {
    match width {
        flexgrip_isa::Width::B16 => Width::B16,
        flexgrip_isa::Width::B32 => Width::B32,
    }
}

/// The adder's function, and the condition-code register that holds the carry it adds.
const fn sum(kind: AddKind) -> (Sum, u8) {
    match kind {
        AddKind::Add => (Sum::Add, 0),
        AddKind::Sub => (Sum::Subtract, 0),
        AddKind::SubR => (Sum::ReverseSubtract, 0),
        AddKind::AddC { carry } => (Sum::AddCarry, carry),
    }
}

/// The IMAD type with this product; `None` for a combination that no instruction encodes.
const fn product(kind: MadKind) -> Option<Product> {
    Some(match (kind.product, kind.saturate) {
        (
            MulKind::Half {
                signed1: false,
                signed2: false,
            },
            false,
        ) => Product::U16,
        (
            MulKind::Half {
                signed1: true,
                signed2: true,
            },
            false,
        ) => Product::S16,
        (
            MulKind::Half {
                signed1: true,
                signed2: true,
            },
            true,
        ) => Product::SatS16,
        (
            MulKind::Bits24 {
                signed: false,
                high: false,
            },
            false,
        ) => Product::U24,
        (
            MulKind::Bits24 {
                signed: true,
                high: false,
            },
            false,
        ) => Product::S24,
        (
            MulKind::Bits24 {
                signed: true,
                high: false,
            },
            true,
        ) => Product::SatS24,
        (
            MulKind::Bits24 {
                signed: false,
                high: true,
            },
            false,
        ) => Product::HiU24,
        (
            MulKind::Bits24 {
                signed: true,
                high: true,
            },
            false,
        ) => Product::HiS24,
        (
            MulKind::Bits24 {
                signed: true,
                high: true,
            },
            true,
        ) => Product::HiSatS24,
        _ => return None,
    })
}

/// The integer type of a conversion; `None` for a size that no instruction encodes.
pub(crate) const fn integer(of: flexgrip_isa::IntegerType) -> Option<Integer> {
    Some(match (of.bits, of.signed) {
        (8, false) => Integer::U8,
        (16, false) => Integer::U16,
        (32, false) => Integer::U32,
        (8, true) => Integer::S8,
        (16, true) => Integer::S16,
        (32, true) => Integer::S32,
        _ => return None,
    })
}

fn compute(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let illegal = || Cause::of(ErrorKind::IllegalInstruction);
    let a = source(warp, instruction, 0, executed, memories)?;
    let b = source(warp, instruction, 1, executed, memories)?;
    let c = source(warp, instruction, 2, executed, memories)?;
    let mut results = Results::default();
    match instruction.operation {
        Operation::Mov { width: w } | Operation::Mvc { width: w } => {
            results.fill(executed, |l| integer::plain(width(w), a[l]))
        }
        Operation::Iadd {
            kind,
            width: w,
            saturate,
        } => {
            let (sum, register) = sum(kind);
            let carry = warp.cc[usize::from(register & 3)];
            let carry = |l: usize| Cc::from_bits(carry[l]).carry();
            results.fill(executed, |l| {
                integer::iadd(sum, width(w), saturate, a[l], c[l], carry(l))
            });
        }
        Operation::Imul {
            kind: MulKind::Half { signed1, signed2 },
        } => {
            results.fill(executed, |l| integer::imul16(signed1, signed2, a[l], b[l]));
        }
        Operation::Imul {
            kind: MulKind::Bits24 { signed, high },
        } => {
            results.fill(executed, |l| integer::imul24(signed, high, a[l], b[l]));
        }
        Operation::Imad { kind, add } => {
            let product = product(kind).ok_or_else(illegal)?;
            let (sum, register) = sum(add);
            let carry = warp.cc[usize::from(register & 3)];
            let carry = |l: usize| Cc::from_bits(carry[l]).carry();
            results.fill(executed, |l| integer::imad(product, sum, a[l], b[l], c[l], carry(l)));
        }
        Operation::Isad { width: w, signed } => {
            results.fill(executed, |l| integer::isad(width(w), signed, a[l], b[l], c[l]));
        }
        Operation::Shl { width: w } => results.fill(executed, |l| integer::shl(width(w), a[l], b[l])),
        Operation::Shr { width: w, signed } => {
            results.fill(executed, |l| integer::shr(width(w), signed, a[l], b[l]));
        }
        Operation::Logic {
            kind,
            width: w,
            invert1,
            invert2,
        } => {
            let kind = match kind {
                LogicKind::And => Logic::And,
                LogicKind::Or => Logic::Or,
                LogicKind::Xor => Logic::Xor,
                LogicKind::PassB => Logic::PassB,
            };
            results.fill(executed, |l| integer::lop(kind, width(w), invert1, invert2, a[l], b[l]));
        }
        Operation::Iset {
            compare,
            width: w,
            signed,
        } => {
            let order = Order {
                less: compare.less,
                equal: compare.equal,
                greater: compare.greater,
            };
            results.fill(executed, |l| integer::iset(order, width(w), signed, a[l], b[l]));
        }
        Operation::Imin { width: w, signed } => {
            results.fill(executed, |l| integer::imin(width(w), signed, a[l], b[l]));
        }
        Operation::Imax { width: w, signed } => {
            results.fill(executed, |l| integer::imax(width(w), signed, a[l], b[l]));
        }
        Operation::I2i {
            from,
            to,
            absolute,
            negate,
        } => {
            let (from, to) = (integer(from).ok_or_else(illegal)?, integer(to).ok_or_else(illegal)?);
            // The width of the register written; a discarded 8-bit result has the same Z and S in either width.
            let w = match (instruction.destination, to) {
                (_, Integer::U16 | Integer::S16) => Width::B16,
                (
                    Destination::Register {
                        part: Part::Low | Part::High,
                        ..
                    },
                    Integer::U8 | Integer::S8,
                ) => Width::B16,
                _ => Width::B32,
            };
            results.fill(executed, |l| integer::i2i(from, to, w, absolute, negate, a[l]));
        }
        // Their destination takes as many of the bits as it has.
        Operation::A2r | Operation::C2r | Operation::R2c | Operation::S2r => {
            results.fill(executed, |l| integer::plain(Width::B32, a[l]));
        }
        Operation::R2a { shift } => {
            results.fill(executed, |l| integer::plain(Width::B32, a[l] << (shift & 15)));
        }
        Operation::Ada => results.fill(executed, |l| integer::plain(Width::B32, a[l].wrapping_add(b[l]))),
        operation => float::compute(operation, executed, [&a, &b, &c], &mut results).ok_or_else(illegal)?,
    }
    write_destination(warp, instruction, executed, &results.values, recorder);
    write_cc(warp, instruction, executed, &results.codes, recorder);
    Ok(())
}

/// The results of an instruction, lane by lane; lanes that it does not execute in stay 0.
#[derive(Default)]
pub(crate) struct Results {
    values: Lanes,
    codes: [u8; 32],
}

impl Results {
    pub fn fill(&mut self, executed: u32, operation: impl Fn(usize) -> Flagged) {
        for lane in lanes_of(executed) {
            let Flagged { value, cc } = operation(lane);
            self.values[lane] = value;
            self.codes[lane] = cc.bits();
        }
    }
}

/// Source `index` (0 for source 1) in each lane; 0 everywhere if the instruction has no such source.
fn source(
    warp: &Warp,
    instruction: &Meaning,
    index: usize,
    executed: u32,
    memories: &Memories<'_>,
) -> Result<Lanes, Cause> {
    match instruction.sources.get(index).copied().flatten() {
        None => Ok([0; 32]),
        Some(Operand::Register { index, part }) => Ok(read_register(warp, index, part)),
        Some(Operand::Immediate(value)) => Ok([value; 32]),
        Some(Operand::Shared {
            offset,
            access,
            indirect,
        }) => read_memory(warp, executed, offset, indirect, |address| {
            let value = memories.shared.read(address, access.bytes());
            value
                .map(|value| extend(access, value))
                .map_err(|fault| Cause::access(Space::Shared, fault, address))
        }),
        Some(Operand::Constant {
            bank,
            offset,
            access,
            indirect,
        }) => read_memory(warp, executed, offset, indirect, |address| {
            let value = memories.constant.read(u32::from(bank), address, access.bytes());
            value
                .map(|value| extend(access, value))
                .map_err(|fault| Cause::access(Space::Constant, fault, address))
        }),
        Some(Operand::Address(index)) => Ok(warp
            .address_register(index)
            .map_or([0; 32], |register| register.map(u32::from))),
        // There are four of them, by two bits.
        Some(Operand::ConditionCode(index)) => Ok(warp.cc[usize::from(index & 3)].map(u32::from)),
        Some(Operand::Special(index)) => {
            let values = memories.surroundings.register(index);
            values.ok_or(Cause::of(ErrorKind::IllegalInstruction))
        }
        // Local memory is no operand of the instructions that compute.
        Some(Operand::Local { .. }) => Err(Cause::of(ErrorKind::IllegalInstruction)),
    }
}

fn read_register(warp: &Warp, index: u8, part: Part) -> Lanes {
    let Some(register) = warp.registers.get(usize::from(index)) else {
        return [0; 32];
    };
    match part {
        Part::Full => *register,
        Part::Low => register.map(|value| value & 0xffff),
        Part::High => register.map(|value| value >> 16),
    }
}

/// The byte addresses of an operand in shared or constant memory that has an address register, lane by lane.
fn addresses(warp: &Warp, offset: i32, indirect: Indirect) -> impl Fn(usize) -> u32 + '_ {
    let base = warp.address_register(indirect.register);
    let offset = if indirect.post_increment { 0 } else { offset as u16 };
    move |lane| u32::from(base.map_or(0, |base| base[lane]).wrapping_add(offset))
}

/// Reads an operand in shared or constant memory. It is read, and can be at fault, only in the lanes that execute.
fn read_memory(
    warp: &Warp,
    executed: u32,
    offset: i32,
    indirect: Option<Indirect>,
    read: impl Fn(u32) -> Result<u32, Cause>,
) -> Result<Lanes, Cause> {
    let mut values = [0; 32];
    match indirect {
        _ if executed == 0 => {}
        // One read for all lanes, since most operands have no address register.
        None => values = [read(offset as u32)?; 32],
        Some(indirect) => {
            let address = addresses(warp, offset, indirect);
            for lane in lanes_of(executed) {
                values[lane] = read(address(lane))?;
            }
        }
    }
    Ok(values)
}

/// The operand's bytes, extended to 32 bits.
fn extend(access: Access, value: u128) -> u32 {
    match access {
        Access::S16 => value as u16 as i16 as u32,
        Access::U8 | Access::U16 | Access::B32 => value as u32,
    }
}

/// Writes the destination, if the instruction has one that keeps its value.
fn write_destination(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    values: &Lanes,
    recorder: &mut impl Recorder,
) {
    match instruction.destination {
        Destination::None | Destination::Discard => {}
        Destination::Register { index, part } => write_register(warp, index, part, executed, values, recorder),
        Destination::Address(index) => {
            if let Some(write) = write_address(warp, index, executed, |lane| values[lane] as u16) {
                recorder.address(|| write);
            }
        }
        Destination::ConditionCode(index) => {
            let codes = values.map(|value| value as u8 & 15);
            write_cc_register(warp, index, executed, &codes, recorder);
        }
    }
}

fn write_register(warp: &mut Warp, index: u8, part: Part, executed: u32, values: &Lanes, recorder: &mut impl Recorder) {
    let Some(register) = warp.registers.get_mut(usize::from(index)) else {
        return;
    };
    if executed == 0 {
        return;
    }
    for lane in lanes_of(executed) {
        let old = register[lane];
        register[lane] = match part {
            Part::Full => values[lane],
            Part::Low => old & 0xffff_0000 | values[lane] & 0xffff,
            Part::High => old & 0xffff | values[lane] << 16,
        };
    }
    recorder.register(|| {
        let mask = if part == Part::Full { u32::MAX } else { 0xffff };
        RegisterWrite {
            register: index,
            part,
            values: values.map(|value| value & mask),
        }
    });
}

/// Writes an address register; gives what was written, if anything was: A0 keeps nothing.
fn write_address(warp: &mut Warp, register: u8, executed: u32, value: impl Fn(usize) -> u16) -> Option<AddressWrite> {
    let place = warp.address.get_mut(usize::from(register.checked_sub(1)?))?;
    if executed == 0 {
        return None;
    }
    let mut values = [0; 32];
    for lane in lanes_of(executed) {
        values[lane] = value(lane);
        place[lane] = values[lane];
    }
    Some(AddressWrite { register, values })
}

/// Writes the result's condition code, if the instruction names a register for it.
fn write_cc(warp: &mut Warp, instruction: &Meaning, executed: u32, codes: &[u8; 32], recorder: &mut impl Recorder) {
    if let Some(index) = instruction.cc_write {
        write_cc_register(warp, index, executed, codes, recorder);
    }
}

fn write_cc_register(warp: &mut Warp, index: u8, executed: u32, codes: &[u8; 32], recorder: &mut impl Recorder) {
    let index = index & 3;
    if executed == 0 {
        return;
    }
    let register = &mut warp.cc[usize::from(index)];
    for lane in lanes_of(executed) {
        register[lane] = codes[lane];
    }
    recorder.cc(|| CcWrite {
        register: index,
        values: *codes,
    });
}

/// The registers of an access of so many bytes, from `first` on; there are none behind R127.
fn registers_of(first: u8, bytes: u32) -> impl Iterator<Item = u8> {
    (first..=127).take(bytes.div_ceil(4) as usize)
}

/// The memory that an access of a lane goes to, and what it is called.
fn accessed<'a>(memories: &'a mut Memories<'_>, local: bool, lane: usize) -> (&'a mut Memory, Space, MemorySpace) {
    match memories.local.get_mut(lane) {
        Some(memory) if local => (memory, Space::Local, MemorySpace::Local),
        _ => (memories.global, Space::Global, MemorySpace::Global),
    }
}

/// The addresses of a load or store, and whether they are in local memory.
fn access_addresses(
    warp: &Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
) -> Result<(Lanes, bool), Cause> {
    match instruction.sources[0] {
        Some(Operand::Local { offset, indirect: None }) => Ok(([offset as u32; 32], true)),
        Some(Operand::Local {
            offset,
            indirect: Some(indirect),
        }) => Ok((std::array::from_fn(addresses(warp, offset, indirect)), true)),
        _ => Ok((source(warp, instruction, 0, executed, memories)?, false)),
    }
}

/// GLD, LLD: each lane loads from the address in source 1, eight and sixteen bytes into consecutive registers.
fn load(
    warp: &mut Warp,
    instruction: &Meaning,
    access: MemoryAccess,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let bytes = access.bytes();
    let (addresses, local) = access_addresses(warp, instruction, executed, memories)?;
    let mut loaded = [0; 32];
    for lane in lanes_of(executed) {
        let address = addresses[lane];
        let (memory, space, recorded) = accessed(memories, local, lane);
        let data = memory
            .read(address, bytes)
            .map_err(|fault| Cause::access(space, fault, address))?;
        loaded[lane] = match access {
            MemoryAccess::S8 => data as u8 as i8 as u32 as u128,
            MemoryAccess::S16 => data as u16 as i16 as u32 as u128,
            _ => data,
        };
        recorder.memory(effect(recorded, false, lane, address, bytes, data));
    }
    if let Destination::Register { index, .. } = instruction.destination {
        for (part, register) in registers_of(index, bytes).enumerate() {
            let values = loaded.map(|data| (data >> (32 * part)) as u32);
            write_register(warp, register, Part::Full, executed, &values, recorder);
        }
    }
    Ok(())
}

/// GST, LST: each lane stores source 3, or the consecutive registers from it on, to the address in source 1, lane by lane.
fn store(
    warp: &mut Warp,
    instruction: &Meaning,
    access: MemoryAccess,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let bytes = access.bytes();
    let Some(Operand::Register { index, .. }) = instruction.sources[2] else {
        return Err(Cause::of(ErrorKind::IllegalInstruction));
    };
    let (addresses, local) = access_addresses(warp, instruction, executed, memories)?;
    let mut stored = [0; 32];
    for (part, register) in registers_of(index, bytes).enumerate() {
        for (data, value) in stored.iter_mut().zip(read_register(warp, register, Part::Full)) {
            *data |= u128::from(value) << (32 * part);
        }
    }
    for lane in lanes_of(executed) {
        let address = addresses[lane];
        let data = stored[lane] & (u128::MAX >> (128 - 8 * bytes));
        let (memory, space, recorded) = accessed(memories, local, lane);
        memory
            .write(address, bytes, data)
            .map_err(|fault| Cause::access(space, fault, address))?;
        recorder.memory(effect(recorded, true, lane, address, bytes, data));
    }
    Ok(())
}

/// R2G: each lane stores source 3 to the place in shared memory that source 1 is, lane by lane.
fn store_shared(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let Some(Operand::Shared {
        offset,
        access,
        indirect,
    }) = instruction.sources[0]
    else {
        return Err(Cause::of(ErrorKind::IllegalInstruction));
    };
    let bytes = access.bytes();
    let values = source(warp, instruction, 2, executed, memories)?;
    let place = indirect.map(|indirect| addresses(warp, offset, indirect));
    for lane in lanes_of(executed) {
        let address = place.as_ref().map_or(offset as u32, |place| place(lane));
        let data = u128::from(values[lane]) & ((1 << (8 * bytes)) - 1);
        memories
            .shared
            .write(address, bytes, data)
            .map_err(|fault| Cause::access(Space::Shared, fault, address))?;
        recorder.memory(effect(MemorySpace::Shared, true, lane, address, bytes, data));
    }
    Ok(())
}

fn effect(space: MemorySpace, store: bool, lane: usize, address: u32, bytes: u32, data: u128) -> MemoryEffect {
    MemoryEffect {
        space,
        store,
        lane: lane as u8,
        address,
        bytes: bytes as u8,
        data,
    }
}
