//! Types of the intermediate representation, from parser to lowering.
//!
//! A [`Function`] is a graph of [`Block`]s. A virtual register ([`Value`]) may be written more than once: clang has
//! left SSA form by the time it writes PTX. A register of less than 32 bits lies in the low bits of a word whose other
//! bits are undefined; the instruction that reads it extends it.

use super::declaration::{Declaration, ParameterKind};
use crate::error::SourceLocation;
use crate::ptx::ast::{Kind, Type};
use flexgrip_isa::{Atomic, Capability};
use flexgrip_machine::{Fence, Region};

/// A virtual register, by its index in [`Function::registers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// The class of a virtual register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// True or false.
    Predicate,
    /// Up to 32 bits.
    Word,
    /// 64 bits.
    Pair,
}

/// The declaration of a virtual register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// The class of its values.
    pub class: Class,
    /// The register's name in the PTX.
    pub name: String,
}

/// An argument of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A virtual register.
    Value(Value),
    /// A number, in two's complement of 64 bits.
    Constant(u64),
}

impl Argument {
    /// The virtual register, if it is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Argument::Value(value) => Some(value),
            Argument::Constant(_) => None,
        }
    }
}

/// The required accuracy of a float division, root or reciprocal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accuracy {
    /// `.approx`: 2 ulp, unless the reciprocal is denormal.
    Approximate,
    /// `.rn`, `.full` or no modifier: 2.5 ulp (3 for a root), as OpenCL requires, in the whole range of exponents.
    Rounded,
}

/// A comparison's condition. With `unordered` it also holds if an argument is a NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// Holds if a < b.
    pub less: bool,
    /// Holds if a = b.
    pub equal: bool,
    /// Holds if a > b.
    pub greater: bool,
    /// Holds if an argument is a NaN.
    pub unordered: bool,
}

impl Comparison {
    const NEVER: Comparison = Comparison {
        less: false,
        equal: false,
        greater: false,
        unordered: false,
    };
    /// a = b
    pub const EQUAL: Comparison = Comparison {
        equal: true,
        ..Comparison::NEVER
    };
    /// a < b
    pub const LESS: Comparison = Comparison {
        less: true,
        ..Comparison::NEVER
    };
    /// a > b
    pub const GREATER: Comparison = Comparison {
        greater: true,
        ..Comparison::NEVER
    };
}

/// The rounding mode of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Down.
    Down,
    /// Up.
    Up,
}

/// An operation of doubles that rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// a + b
    Add,
    /// a - b
    Subtract,
    /// a * b
    Multiply,
    /// a * b + c
    FusedMultiplyAdd,
}

/// A memory for loads and stores. In each, addresses have 32 bits and begin at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Memory of the device.
    Global,
    /// Memory of the block.
    Shared,
    /// Memory of the thread.
    Local,
    /// The PTX does not name the memory; [`crate::passes::spaces`] finds it.
    Generic,
}

/// A special register: a property of a thread or its launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// Index in the block; dimension 0 to 2.
    ThreadIndex(u8),
    /// Size of the block.
    BlockSize(u8),
    /// Index of the block in the grid; dimension 0 or 1.
    BlockIndex(u8),
    /// Size of the grid in blocks; dimension 0 or 1.
    GridSize(u8),
    /// Index of the thread in its warp, 0 to 31.
    Lane,
    /// The clock.
    Clock,
}

/// An operation. Its arguments are a, b, c, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// a
    Copy,
    /// ~a, or not a
    Not,
    /// -a
    Negate,
    /// |a|
    Absolute,
    /// a + b
    Add,
    /// a - b
    Subtract,
    /// a * b, the low half
    Multiply,
    /// a * b, the high half
    MultiplyHigh,
    /// a * b of 16 or 32 bits, twice as wide
    MultiplyWide,
    /// the product of the low 24 bits of a and b: its low 32 bits
    Multiply24,
    /// as `Multiply24`: bits 16 to 47
    MultiplyHigh24,
    /// a * b + c, the low half
    MultiplyAdd,
    /// a * b of 16 or 32 bits, twice as wide, + c
    MultiplyAddWide,
    /// as `Multiply24`, + c
    MultiplyAdd24,
    /// a * b + c of floats
    FusedMultiplyAdd,
    /// An operation of doubles, rounded in this direction; rounding to nearest has separate operations
    Directed(Arithmetic, Rounding),
    /// a / b
    Divide(Accuracy),
    /// a % b
    Remainder,
    /// The smaller
    Minimum,
    /// The larger
    Maximum,
    /// a & b
    And,
    /// a | b
    Or,
    /// a ^ b
    Xor,
    /// a << b; a count of the width or more gives 0
    ShiftLeft,
    /// a >> b, arithmetic if signed; a count of the width or more gives 0 or the sign
    ShiftRight,
    /// True if the comparison of a with b holds
    Compare(Comparison),
    /// a if c, else b
    Select,
    /// a, of type `from`, as the instruction's type
    Convert {
        /// The type of a.
        from: Type,
        /// The rounding mode.
        rounding: Rounding,
        /// True for a conversion from float to float that rounds to an integral value.
        integral: bool,
        /// True if the result is clamped to [0, 1].
        saturate: bool,
    },
    /// 1 / a
    Reciprocal(Accuracy),
    /// The square root of a
    SquareRoot(Accuracy),
    /// 1 / the square root of a
    ReciprocalRoot,
    /// 2 to the power of a
    Power,
    /// The logarithm to base 2
    Logarithm,
    /// The sine
    Sine,
    /// The cosine
    Cosine,
    /// The value at address a + `offset`; further results are the values after it
    Load {
        /// The memory that is loaded from.
        memory: Memory,
        /// Byte offset from a.
        offset: i32,
    },
    /// Replaces the value at address a + `offset` atomically by the operation of this value, b and c. The result, if
    /// there is one, is the old value
    Atomic {
        /// The operation.
        atomic: Atomic,
        /// The memory; [`crate::passes::atomics`] leaves only global memory.
        memory: Memory,
        /// Byte offset from a.
        offset: i32,
    },
    /// Locks the word of shared memory at address a + `offset` in at most one thread of the warp. The results are the
    /// word, which is undefined in other threads, and true in the thread with the lock
    Lock {
        /// Byte offset from a.
        offset: i32,
    },
    /// The word of shared memory at address a + `offset` if b, the second result of a `Lock` in this block, is true;
    /// otherwise undefined
    LockedLoad {
        /// Byte offset from a.
        offset: i32,
    },
    /// Stores b in shared memory at address a + `offset` if c, the second result of a `Lock` in this block, is true
    LockedStore {
        /// Byte offset from a.
        offset: i32,
        /// True if this unlocks the word.
        unlock: bool,
    },
    /// Stores b, and c and so on after it, at address a + `offset`
    Store {
        /// The memory that is stored to.
        memory: Memory,
        /// Byte offset from a.
        offset: i32,
    },
    /// The kernel's parameters from this byte
    Parameter {
        /// Byte offset from the first parameter.
        offset: u32,
    },
    /// The address a in this memory
    AddressOf(Memory),
    /// The address a, of this memory, as a generic one
    ToGeneric(Memory),
    /// The generic address a as one of this memory
    FromGeneric(Memory),
    /// 64 bits of a, the low word, and b
    Join,
    /// The high word of a
    High,
    /// A special register
    Special(Special),
    /// The barrier of the block
    Barrier {
        /// The memories that the barrier orders.
        fence: Fence,
    },
    /// Stops the grid with an error
    Trap,
}

impl Operation {
    /// True if the operation has a side effect, so dead-code elimination must keep it.
    pub fn has_effect(self) -> bool {
        matches!(
            self,
            Operation::Store { .. }
                | Operation::Atomic { .. }
                | Operation::Lock { .. }
                | Operation::LockedStore { .. }
                | Operation::Barrier { .. }
                | Operation::Trap
        )
    }
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// The operation.
    pub operation: Operation,
    /// The type of the result, or of the compared or stored value; for a wide multiplication, the type of a source.
    pub ty: Type,
    /// The virtual registers that are written.
    pub results: Vec<Value>,
    /// The arguments a, b, c in order.
    pub arguments: Vec<Argument>,
    /// The instruction's place in the source.
    pub place: SourceLocation,
}

/// A block, by its index in [`Function::blocks`].
pub type BlockIndex = usize;

/// The end of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Terminator {
    /// Always continues at this block.
    Jump(BlockIndex),
    /// Continues at `taken` if the predicate holds (or does not, if negated), else at `otherwise`.
    Branch {
        /// The predicate register.
        predicate: Value,
        /// True if the branch is taken where the predicate is false.
        negated: bool,
        /// The successor if the branch is taken.
        taken: BlockIndex,
        /// The successor if the branch is not taken.
        otherwise: BlockIndex,
    },
    /// The thread ends.
    Return,
    /// The thread ends with PTX's `exit`, which clang 19 generates in unreachable blocks.
    Exit,
}

impl Terminator {
    /// True if the thread ends.
    pub fn ends(&self) -> bool {
        matches!(self, Terminator::Return | Terminator::Exit)
    }

    /// Replaces the successors. A branch with the same successor on both sides becomes a jump.
    pub fn retarget(&mut self, mut to: impl FnMut(usize) -> usize) {
        match self {
            Terminator::Jump(target) => *target = to(*target),
            Terminator::Branch { taken, otherwise, .. } => {
                *taken = to(*taken);
                *otherwise = to(*otherwise);
                if taken == otherwise {
                    *self = Terminator::Jump(*taken);
                }
            }
            Terminator::Return | Terminator::Exit => {}
        }
    }

    /// The successors.
    pub fn successors(&self) -> Vec<BlockIndex> {
        match *self {
            Terminator::Jump(to) => vec![to],
            Terminator::Branch { taken, otherwise, .. } if taken == otherwise => vec![taken],
            Terminator::Branch { taken, otherwise, .. } => vec![taken, otherwise],
            Terminator::Return | Terminator::Exit => Vec::new(),
        }
    }
}

/// A block: instructions without a branch, then the terminator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The label in the PTX, or a generated name.
    pub name: String,
    /// The instructions in order of execution.
    pub instructions: Vec<Instruction>,
    /// The terminator.
    pub terminator: Terminator,
    /// The terminator's place in the source.
    pub place: SourceLocation,
}

/// The most bytes of parameters, hidden ones too, in shared memory. The parameters after them are in constant memory.
pub const SHARED_PARAMETER_BYTES: u32 = 4 * flexgrip_machine::sizes::MAX_PARAMETERS as u32;
/// The most bytes of a kernel's parameters, hidden ones too.
pub const PARAMETER_BYTES: u32 = SHARED_PARAMETER_BYTES + flexgrip_machine::sizes::CONSTANT_BANK_BYTES;

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name in the PTX.
    pub name: String,
    /// Byte offset from the first parameter, a multiple of 4.
    pub offset: u32,
    /// The size in bytes.
    pub bytes: u32,
    /// The kind of the parameter.
    pub kind: ParameterKind,
    /// The parameter in the source, if the front end has added it to the PTX.
    pub declaration: Option<Declaration>,
}

/// Bytes of a kernel's own parameters, a multiple of 4.
pub(crate) fn own_bytes(parameters: &[Parameter]) -> u32 {
    let end = |parameter: &Parameter| parameter.offset.saturating_add(parameter.bytes.next_multiple_of(4));
    parameters.iter().map(end).max().unwrap_or(0)
}

/// A word after the parameters that the launch adds because the kernel reads it. In PTX it is a special register that
/// the machine does not have; [`Hidden::of`] has their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// The first global index in a dimension: `%envreg0` to `%envreg2`.
    GlobalOffset(u8),
    /// The number of dimensions of the index space: `%envreg3`.
    Dimensions,
    /// The index of the slice, the third of a block's: `%ctaid.z`.
    Slice,
    /// The number of slices of the grid: `%nctaid.z`.
    Slices,
    /// For a grid that is larger than the machine's: the index of the launch's first block in a dimension, 0 or 1. With
    /// the machine's block index it makes `%ctaid.x` or `.y`.
    FirstBlock(u8),
    /// For such a grid: the number of blocks of all launches together in a dimension: `%nctaid.x`, `.y`.
    Blocks(u8),
    /// Byte address in global memory of the module's variables.
    Variables,
    /// Byte address in global memory of the buffer of `printf`.
    PrintBuffer,
    /// Bytes of the slice of each warp in that buffer.
    PrintSlice,
}

/// A description of the word for messages.
impl std::fmt::Display for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Hidden::GlobalOffset(dimension) => write!(f, "the global offset in dimension {dimension}"),
            Hidden::Dimensions => f.write_str("the number of dimensions"),
            Hidden::Slice => f.write_str("the index of the slice in dimension 2"),
            Hidden::Slices => f.write_str("the number of slices in dimension 2"),
            Hidden::FirstBlock(dimension) => write!(f, "the launch's first block in dimension {dimension}"),
            Hidden::Blocks(dimension) => write!(f, "the number of blocks in dimension {dimension}"),
            Hidden::Variables => f.write_str("the address of the module's variables"),
            Hidden::PrintBuffer => f.write_str("the address of the buffer of printf"),
            Hidden::PrintSlice => f.write_str("the bytes of each warp in the buffer of printf"),
        }
    }
}

impl Hidden {
    /// Returns the hidden word that replaces a special register of PTX, or that is added to it. `large_grid`: the grid
    /// may be larger than the machine's.
    pub fn of(name: &str, large_grid: bool) -> Option<Hidden> {
        match name {
            "%ctaid.x" if large_grid => Some(Hidden::FirstBlock(0)),
            "%ctaid.y" if large_grid => Some(Hidden::FirstBlock(1)),
            "%nctaid.x" if large_grid => Some(Hidden::Blocks(0)),
            "%nctaid.y" if large_grid => Some(Hidden::Blocks(1)),
            "%envreg0" => Some(Hidden::GlobalOffset(0)),
            "%envreg1" => Some(Hidden::GlobalOffset(1)),
            "%envreg2" => Some(Hidden::GlobalOffset(2)),
            "%envreg3" => Some(Hidden::Dimensions),
            "%ctaid.z" => Some(Hidden::Slice),
            "%nctaid.z" => Some(Hidden::Slices),
            _ => None,
        }
    }
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The kernel's name in the PTX.
    pub name: String,
    /// The virtual registers, by index.
    pub registers: Vec<Register>,
    /// The blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// The hidden words, after the parameters.
    pub hidden: Vec<Hidden>,
    /// The calls of `printf`.
    pub prints: Vec<crate::printf::Site>,
    /// Bytes of shared memory: header, parameters, hidden words and static `__local` variables.
    pub shared_bytes: u32,
    /// The variables in shared memory.
    pub shared_variables: Vec<Region>,
    /// True if `__local` memory begins at byte 0, over header and parameters, which are read at the entry.
    pub whole_shared: bool,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// True if an initial value in memory is a generic address.
    pub generic_values: bool,
    /// The compute capability of the device.
    pub capability: Capability,
}

impl Function {
    /// Bytes of the kernel's parameters, without hidden words, a multiple of 4.
    pub(super) fn own_bytes(&self) -> u32 {
        own_bytes(&self.parameters)
    }

    /// Bytes of all parameters, hidden ones too; a multiple of 4.
    pub fn parameter_bytes(&self) -> u32 {
        self.own_bytes() + 4 * self.hidden.len() as u32
    }

    /// Bytes of the parameters in shared memory: the first ones. The others are in constant memory.
    pub fn shared_parameter_bytes(&self) -> u32 {
        self.parameter_bytes().min(SHARED_PARAMETER_BYTES)
    }

    /// The offset of a hidden word in bytes from the first parameter, if the kernel has it.
    pub fn hidden_offset(&self, word: Hidden) -> Option<u32> {
        let at = self.hidden.iter().position(|&hidden| hidden == word)?;
        Some(self.own_bytes() + 4 * at as u32)
    }

    /// A new virtual register.
    pub fn add(&mut self, class: Class, name: String) -> Value {
        self.registers.push(Register { class, name });
        Value(self.registers.len() as u32 - 1)
    }

    /// The successors of every block.
    pub fn successors(&self) -> Vec<Vec<BlockIndex>> {
        self.blocks.iter().map(|block| block.terminator.successors()).collect()
    }
}

/// True for doubles.
pub fn is_double(ty: Type) -> bool {
    ty.kind == Kind::Float && ty.bits == 64
}

/// The class of a register for this type; `None` for a type that no register can have.
pub fn class(ty: Type) -> Option<Class> {
    match (ty.kind, ty.bits) {
        (Kind::Predicate, _) => Some(Class::Predicate),
        (Kind::Bits | Kind::Unsigned | Kind::Signed | Kind::Float, 64) => Some(Class::Pair),
        // 16-bit floats are only moved and converted.
        (Kind::Bits | Kind::Unsigned | Kind::Signed, 8 | 16 | 32) | (Kind::Float, 16 | 32) => Some(Class::Word),
        _ => None,
    }
}
