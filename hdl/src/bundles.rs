//! The bundles that stages pass to each other, and their enumerations.
//!
//! One struct for each transfer between stages, named for its contents; a stage keeps a bundle in one register. Widths
//! shared by several circuits: a warp is 5 bits (32 warps), a PC 24 bits (bytes), a register 7 bits, a row of the
//! register file 9 bits (512 rows of 32 threads), a beat 2 bits (at most 4 beats of LANES threads), a tag 16 bits
//! (identifies the instruction in flight, for the trace). A mask of lanes is 32 bits wide at any LANES; bits from LANES
//! on are 0. A mask of SMs is 8 bits wide at any SMS.

mod counted;
mod double;
mod float;
mod integer;
mod operands;
mod special;

use flexgrip_machine::code;
use hdlkit::prelude::*;

pub use counted::{Counted, IssueCause};
pub use double::{control_of, DoubleBeat, DoubleControl, DoubleEvents, DoubleOperands, DoubleOperation};
pub use float::{FloatControl, FloatOperation};
pub(crate) use integer::{operation_of, width_of};
pub use integer::{IntegerControl, IntegerOperation, IntegerWidth};
pub use operands::{Operands, QuadControl};
pub use special::{SpecialControl, SpecialOperation};

/// Maximum number of SMs in a chip.
pub const MOST_SMS: usize = 8;

/// The warp of an event in this cycle, if there is one.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpSelect {
    pub valid: Bit,
    pub warp: Bits<5>,
}

/// The destinations of a beat's result. It accompanies the data from read to writeback.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WriteControl {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub beat: Bits<2>,
    /// Last beat of the instruction.
    pub last: Bit,
    /// Row of the register file: the warp's first row + register.
    pub row: Bits<9>,
    pub register: Bits<7>,
    /// Halves of the register to write: bit 0 low, bit 1 high.
    pub halves: Bits<2>,
    pub register_enable: Bit,
    /// First write of this register since its block began: threads and halves that are not written become 0.
    pub fill: Bit,
    pub condition_register: Bits<2>,
    pub condition_enable: Bit,
    /// First write of this condition-code register since its block began: threads that are not written become 0.
    pub condition_fill: Bit,
    /// The low 16 bits of the result are written to an address register (A1 is 0); `address_fill` is like `fill`.
    pub address_register: Bits<2>,
    pub address_enable: Bit,
    pub address_fill: Bit,
    /// Another unit delivers the result later: the memory unit, the special function units, or the double-precision
    /// unit. In the pipeline the beat is empty.
    pub elsewhere: Bit,
}

/// A release, from writeback to the scoreboard: destinations that have been written, or will be by the time a dependent
/// instruction reads them.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Release {
    /// At least one of the three destinations below is released.
    pub valid: Bit,
    pub warp: Bits<5>,
    pub register_enable: Bit,
    pub register: Bits<7>,
    pub condition_enable: Bit,
    pub condition: Bits<2>,
    pub address_enable: Bit,
    /// Number of the address register; A1 is 0.
    pub address: Bits<2>,
}

/// A beat that leaves the read stage.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DispatchedBeat {
    pub write: WriteControl,
    /// Participating threads, in bits 0..LANES; the carries of the beat's threads.
    pub lanes: Bits<32>,
    pub carries: Bits<32>,
    /// The beat is for the float unit; the special function units; the memory unit.
    pub for_float: Bit,
    pub for_special: Bit,
    pub for_memory: Bit,
}

/// A beat of a memory instruction, with the destination of a load.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct MemoryBeat {
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub beat: Bits<2>,
    pub last: Bit,
    /// The fields of [`WriteControl`].
    pub row: Bits<9>,
    pub register: Bits<7>,
    pub halves: Bits<2>,
    pub fill: Bit,
    /// Loads of 64 and 128 bits, one bit for each register after the first: the register exists; this is its first
    /// write.
    pub further: Bits<3>,
    pub further_fill: Bits<3>,
}

/// An atomic operation of an access to global memory, or none.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AtomicOperation {
    pub valid: Bit,
    /// The operation's number in the instruction word: 0 add, 1 exchange, 2 compare and swap, 4 increment, 5 decrement,
    /// 6 maximum, 7 minimum, 10 and, 11 or, 12 exclusive or.
    pub number: Bits<4>,
    /// Maximum and minimum of signed numbers.
    pub is_signed: Bit,
    /// 64 bits, else 32: add, exchange, compare and swap only.
    pub wide: Bit,
}

/// True if an instruction is an atomic operation.
#[hdl_fn]
pub fn is_atomic(instruction: Decoded) -> Bit {
    instruction.size == 5 || instruction.size == 6
}

/// True if an instruction is for the double-precision unit: decode marks it by a `size` of 3. Its control is in `float`
/// (see [`control_of`]).
#[hdl_fn]
pub fn is_double(instruction: Decoded) -> Bit {
    instruction.unit == Unit::SpecialFunction && instruction.size == 3
}

/// Control of a beat, from read to the memory unit.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct MemoryControl {
    pub beat: MemoryBeat,
    pub pc: Bits<24>,
    pub store: Bit,
    /// Local memory: addresses start at 0 in each thread's own space.
    pub local: Bit,
    /// log2 of the access size in bytes: 0 to 4.
    pub size: Bits<3>,
    /// Sign-extend a load of less than 32 bits.
    pub is_signed: Bit,
    /// Index of the store's register that is the data, 0 to 3: a beat of 64 or 128 bits is sent once for each register.
    pub part: Bits<2>,
    /// This is the beat's last register, or its only one.
    pub complete: Bit,
}

/// The error that stopped a kernel.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct KernelError {
    /// A code of [`flexgrip_machine::ErrorKind`]; 0 for none.
    pub code: Bits<4>,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    /// The faulting address, for memory errors.
    pub address: Bits<32>,
}

/// A code in [`KernelError`] has 4 bits. The codes that only protected circuits report are larger: this number is
/// subtracted from them, and a separate bit tells them from the others.
pub const PROTECTED_CODES: u64 = 15;

/// Returns the error of an instruction that has read an uncorrectable word of a protected memory.
#[hdl_fn]
pub fn uncorrectable_error(warp: Bits<5>, pc: Bits<24>) -> KernelError {
    KernelError { code: bits(code::UNCORRECTABLE as u64 - PROTECTED_CODES), warp, pc, address: 0.into() }
}

/// Returns the error of two schedulers that differ, with the instruction that would issue next.
#[hdl_fn]
pub fn schedulers_differ_error(warp: Bits<5>, pc: Bits<24>) -> KernelError {
    KernelError { code: bits(code::SCHEDULERS_DIFFER as u64 - PROTECTED_CODES), warp, pc, address: 0.into() }
}

/// An error that is found after issue, and the instruction's tag. The code is 0 if there is none.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct TaggedError {
    pub error: KernelError,
    pub tag: Bits<16>,
}

/// The launch registers, stable while the grid runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LaunchConfiguration {
    /// First instruction, as a byte address.
    pub entry: Bits<24>,
    /// End of the program, as a byte address.
    pub code_end: Bits<24>,
    /// Long instructions may begin at any multiple of 4, not only on 8-byte boundaries.
    pub unaligned_code: Bit,
    /// Registers per thread, 1 to 128.
    pub registers: Bits<8>,
    /// Size of a block's shared memory in units of 64 bytes, 1 to 256.
    pub shared_rows: Bits<9>,
    /// End of global memory: the first address past it; 0 for 2^32.
    pub global_end: Bits<32>,
    /// Coalesce global accesses by the G80's strict rule.
    pub strict_coalescing: Bit,
    /// Local memory: address of its first byte in external memory, a multiple of a warp's share; log2 of a warp's share
    /// in bytes, at least 9; bytes that each thread may access, 0 to 65,536.
    pub local_base: Bits<32>,
    pub local_shift: Bits<5>,
    pub local_bytes: Bits<17>,
}

/// The shape of the grid, and the division of an SM by the block scheduler, stable while the grid runs. Registers per
/// thread and shared memory per block are in [`LaunchConfiguration`].
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct GridConfiguration {
    /// Blocks in x and y, 1 to 65,535.
    pub grid_x: Bits<16>,
    pub grid_y: Bits<16>,
    /// Threads of a block in x and y, 1 to 1,024.
    pub block_x: Bits<11>,
    pub block_y: Bits<11>,
    /// Threads of a block in z, 1 to 64.
    pub block_z: Bits<7>,
    /// Threads of a block: the product of the three dimensions, 1 to 1,024.
    pub block_threads: Bits<11>,
    /// The maximum number of blocks resident in an SM, 1 to 8.
    pub blocks_per_sm: Bits<4>,
    /// Parameter words, 0 to 64.
    pub parameter_count: Bits<7>,
}

/// A warp launch, from the block scheduler.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpLaunch {
    pub warp: Bits<5>,
    /// Threads of the warp that exist.
    pub mask: Bits<32>,
    /// The warp's first row in the register file.
    pub row: Bits<9>,
    /// The block's first row of 64 bytes in shared memory.
    pub shared_row: Bits<8>,
    /// Linear block number, ctaid.x + ctaid.y * nctaid.x.
    pub block: Bits<32>,
    /// The warp's index in its block.
    pub index: Bits<5>,
    /// The block's slot on the SM.
    pub slot: Bits<3>,
    /// Warps of the block, 1 to 32.
    pub block_warps: Bits<6>,
}

/// A warp that begins in this cycle, or none.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpBegin {
    pub valid: Bit,
    pub launch: WarpLaunch,
}

/// The unit of the SM that executes an instruction.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Unit {
    Integer,
    Float,
    /// The special function units, or the double-precision unit: see [`is_double`].
    SpecialFunction,
    Memory,
    /// Flow control: the branch unit or the barrier unit.
    Control,
}

/// The control flow operation of an instruction, apart from its marker.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ControlOperation {
    /// No operation: the branch unit only processes the instruction's marker.
    Marker,
    // BRA, SSY, RET, CAL, PBK, BRK, KIL, TRAP, BPT.
    Branch,
    PushJoin,
    Return,
    Call,
    PushBreak,
    Break,
    Kill,
    Trap,
    Breakpoint,
    /// BAR, which is executed by the barrier unit instead of the branch unit.
    Barrier,
}

/// The operation of a BAR.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BarrierControl {
    /// Number of the barrier in its block, 0 to 15.
    pub barrier: Bits<4>,
    /// Participating threads; 0xfff: the whole block.
    pub threads: Bits<12>,
    /// `.ARV`: the warp arrives at the barrier.
    pub arrives: Bit,
    /// `.WAIT`: the warp waits for the barrier.
    pub waits: Bit,
}

/// The part of a register that is an operand.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Part {
    Whole,
    /// Bits 15..0, zero-extended.
    Low,
    /// Bits 31..16, as bits 15..0, zero-extended.
    High,
}

/// The source of an operand.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Source {
    Register,
    /// A shared memory address that is the same for all threads.
    Shared,
    /// A constant memory address that is the same for all threads.
    Constant,
    Immediate,
    /// A condition-code register: the one in the instruction's condition.
    ConditionCode,
    /// The thread's address register.
    Address,
    /// A per-thread address in shared or constant memory; the operand collector has fetched the operand.
    Gathered,
    /// The special register given by the operand's number.
    Special,
    /// 0 from the read stage. For FSWZ the quad exchange replaces it by another thread's operand b.
    Quad,
    /// The result of a VOTE: of any thread, or of all threads if the operand's register is 1.
    Vote,
}

/// Per-thread addressing: the address in shared or constant memory that each thread computes for itself, and the use of
/// the address file.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Indexing {
    /// The collector fetches an operand before the read stage.
    pub gathers: Bit,
    /// R2G: the collector stores source b.
    pub scatters: Bit,
    /// LLD, LST: the address is in local memory, for the memory unit. With `gathers` or `scatters`: see [`is_locked`].
    pub local: Bit,
    /// The address is in `bank` of constant memory; else in shared memory.
    pub constant: Bit,
    pub bank: Bits<4>,
    /// The access type: 0 u8, 1 u16, 2 s16, 3 b32.
    pub access: Bits<2>,
    /// Bytes added to the address register, modulo 2^16.
    pub offset: Bits<16>,
    /// The address is the address register alone, not the sum.
    pub post_increment: Bit,
    /// The address register is set to the sum.
    pub increments: Bit,
    /// The address register (A1 is 0). If `register_used` is low, the register is A0, which reads as 0.
    pub register: Bits<2>,
    pub register_used: Bit,
}

/// True if an instruction accesses shared memory under a lock: G2R.LCK, which gathers, or R2G.UNL, which scatters.
/// Decode marks both as `local`, and no other instruction that gathers or scatters.
#[hdl_fn]
pub fn is_locked(indexing: Indexing) -> Bit {
    indexing.local && (indexing.gathers || indexing.scatters)
}

/// True if an instruction may end its warp.
#[hdl_fn]
pub fn may_end(decoded: Decoded) -> Bit {
    decoded.exit_marker || decoded.control == ControlOperation::Return || decoded.control == ControlOperation::Kill
}

/// One operand of an instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Operand {
    pub source: Source,
    /// The operand is a register whose value is needed.
    pub register_used: Bit,
    /// The 32-bit register, also for a half.
    pub register: Bits<7>,
    pub part: Part,
}

/// A decoded instruction word, for all later stages.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Decoded {
    /// Not an instruction, or one that this core does not execute.
    pub illegal: Bit,
    /// The instruction has eight bytes, not four.
    pub long: Bit,
    pub unit: Unit,
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    /// The value of an immediate operand.
    pub immediate: Bits<32>,
    /// Byte offset of a shared operand in the block's shared memory.
    pub shared_offset: Bits<7>,
    /// Access type of a shared operand: 0 u8, 1 u16, 2 s16, 3 b32.
    pub shared_access: Bits<2>,
    /// Byte address of a constant operand: bank * 4096 + offset.
    pub constant_address: Bits<16>,
    /// The constant operand is 16 bits wide.
    pub constant_narrow: Bit,
    pub indexing: Indexing,
    /// Number of the destination's register.
    pub register: Bits<7>,
    /// Halves of the register to write: bit 0 low, bit 1 high.
    pub halves: Bits<2>,
    pub register_enable: Bit,
    /// Address register to write: A1 is 0.
    pub address_register: Bits<2>,
    pub address_enable: Bit,
    /// The instruction is predicated; its condition, bits 43..39 of the word.
    pub predicated: Bit,
    pub condition: Bits<5>,
    /// Condition-code register to read: for the condition, for a carry or as an operand.
    pub condition_used: Bit,
    pub condition_source: Bits<2>,
    /// Condition-code register to write.
    pub condition_enable: Bit,
    pub condition_register: Bits<2>,
    pub store: Bit,
    /// log2 of a memory access's bytes, 0 to 4; or an atomic operation on 4 (5) or 8 bytes (6). See also [`is_double`].
    pub size: Bits<3>,
    /// Registers of a memory access after the first: 0, 1 or 3. Of a double instruction 1 if its result has 64 bits.
    pub further_registers: Bits<2>,
    /// Sign-extend a load of less than 32 bits.
    pub load_signed: Bit,
    /// `Marker` in the instructions of other units.
    pub control: ControlOperation,
    /// BRA, SSY, CAL, PBK: the target as a byte address.
    pub target: Bits<24>,
    pub barrier: BarrierControl,
    /// After the instruction: the active threads exit; they join, which pops the divergence stack.
    pub exit_marker: Bit,
    pub join_marker: Bit,
    pub integer: IntegerControl,
    pub float: FloatControl,
    pub quad: QuadControl,
    pub special: SpecialControl,
}

/// An issued instruction, from the warp scheduler to the read stage.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Issued {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub decoded: Decoded,
    /// The operand's register has been written before; otherwise it reads as 0.
    pub a_live: Bit,
    pub b_live: Bit,
    pub c_live: Bit,
    pub condition_live: Bit,
    /// First write of the destination: parts that the instruction does not write become 0.
    pub fill: Bit,
    /// Bit i: register b + i + 1 has been written before. Of a double instruction: the second register of b, a, c.
    pub b_further_live: Bits<3>,
    /// Bit i: a load also writes its destination + i + 1; this is the first write of that register.
    pub further: Bits<3>,
    pub further_fill: Bits<3>,
    pub condition_fill: Bit,
    /// The address register to read has been written before; the address register to write is written for the first
    /// time.
    pub address_live: Bit,
    pub address_fill: Bit,
    /// The buffer that holds the gathered operand.
    pub buffer: Bit,
}

/// A query for a warp's execution mask.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct MaskQuery {
    pub valid: Bit,
    pub warp: Bits<5>,
    /// The same fields as in [`Decoded`].
    pub predicated: Bit,
    pub condition: Bits<5>,
    /// The same field as in [`Issued`].
    pub condition_live: Bit,
}

/// The result of the branch unit for an instruction: the warp's next state.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Resolved {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    /// The warp has ended.
    pub ended: Bit,
    /// The warp continues at `pc`; otherwise at the next instruction.
    pub redirected: Bit,
    pub pc: Bits<24>,
    /// The warp's new active mask.
    pub active: Bits<32>,
}

/// An instruction for the branch unit, with the warp's active mask and the instruction's execution mask.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ControlRequest {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub control: ControlOperation,
    pub exit_marker: Bit,
    pub join_marker: Bit,
    /// The same fields as in [`Decoded`].
    pub target: Bits<24>,
    pub active: Bits<32>,
    pub executed: Bits<32>,
}

/// The block of a warp, and the warp's index in the block.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpIdentity {
    pub block: Bits<32>,
    pub index: Bits<5>,
}
