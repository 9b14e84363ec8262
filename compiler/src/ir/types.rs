//! What a kernel is between parser and lowering.
//!
//! A [`Function`] is a graph of [`Block`]s. A virtual register ([`Value`]) may be written more than once: clang has left
//! SSA form by the time it writes PTX. A register of less than 32 bits lies in the low bits of a word whose other bits
//! are undefined; who reads it extends it.

use crate::error::Place;
use crate::ptx::ast::{Kind, Type};
use flexgrip_machine::{Fence, Region};

/// A virtual register, by its index in [`Function::registers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// What a virtual register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// True or false.
    Predicate,
    /// Up to 32 bits.
    Word,
    /// 64 bits.
    Pair,
}

/// A virtual register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// What it holds.
    pub class: Class,
    /// Its name in the PTX.
    pub name: String,
}

/// What an instruction reads.
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

/// How exact a float division, root or reciprocal must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accuracy {
    /// `.approx`: 2 ulp, where the reciprocal does not become too small.
    Approximate,
    /// `.rn`, `.full` or unsaid: 2.5 ulp (3 of a root), as OpenCL asks for, in the whole range of exponents.
    Rounded,
}

/// A comparison's condition. The unordered ones hold for a NaN as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// Holds if less.
    pub less: bool,
    /// Holds if equal.
    pub equal: bool,
    /// Holds if greater.
    pub greater: bool,
    /// Holds if one is a NaN.
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

/// How a conversion rounds.
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

/// A memory that loads and stores reach. Addresses have 32 bits and begin at 0 in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Of the device.
    Global,
    /// Of the block.
    Shared,
    /// Of the thread.
    Local,
    /// Not said; [`crate::passes::spaces`] finds it out.
    Generic,
}

/// What a thread can ask about itself and its launch.
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
    /// Thread in its warp.
    Lane,
    /// The clock.
    Clock,
}

/// What an instruction does. Arguments are named a, b, c in their order.
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
    /// the low 24 bits of a times those of b: the low 32 bits
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
    /// Whether the comparison of a with b holds
    Compare(Comparison),
    /// a if c, else b
    Select,
    /// a, of type `from`, as the instruction's type
    Convert {
        /// The type of a.
        from: Type,
        /// How to round.
        rounding: Rounding,
        /// A float that becomes a float becomes an integral one.
        integral: bool,
        /// Clamp to [0, 1].
        saturate: bool,
    },
    /// 1 / a
    Reciprocal(Accuracy),
    /// The square root
    SquareRoot(Accuracy),
    /// 1 / its square root
    ReciprocalRoot,
    /// 2 to the power of a
    Power,
    /// The logarithm to base 2
    Logarithm,
    /// The sine
    Sine,
    /// The cosine
    Cosine,
    /// What lies at address a + `offset`; more results are neighbours
    Load {
        /// In which memory.
        memory: Memory,
        /// In bytes.
        offset: i32,
    },
    /// Stores b, and its neighbours c and so on, at address a + `offset`
    Store {
        /// In which memory.
        memory: Memory,
        /// In bytes.
        offset: i32,
    },
    /// The kernel's parameters from this byte
    Parameter {
        /// In bytes, from the first parameter.
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
        /// The memories that it is meant to order.
        fence: Fence,
    },
    /// Stops the grid with an error
    Trap,
}

impl Operation {
    /// Whether it does more than give a result, so that it must stay.
    pub fn has_effect(self) -> bool {
        matches!(
            self,
            Operation::Store { .. } | Operation::Barrier { .. } | Operation::Trap
        )
    }
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// On what: the type of the result, or of what is compared or stored; of a source of a wide multiplication.
    pub ty: Type,
    /// What it writes.
    pub results: Vec<Value>,
    /// What it reads.
    pub arguments: Vec<Argument>,
    /// Where it comes from.
    pub place: Place,
}

/// A block, by its index in [`Function::blocks`].
pub type BlockIndex = usize;

/// How a block ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Terminator {
    /// Always there.
    Jump(BlockIndex),
    /// There if the predicate holds (does not, if negated), else elsewhere.
    Branch {
        /// The predicate.
        predicate: Value,
        /// Holds if it is false.
        negated: bool,
        /// If it holds.
        taken: BlockIndex,
        /// If not.
        otherwise: BlockIndex,
    },
    /// The thread ends.
    Return,
    /// The same by PTX's `exit`, which clang 19 writes for a place that no thread reaches.
    Exit,
}

impl Terminator {
    /// Whether the thread ends.
    pub fn ends(&self) -> bool {
        matches!(self, Terminator::Return | Terminator::Exit)
    }

    /// Sets the blocks to which it leads. A branch whose ways are the same then is a jump.
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

    /// The blocks that may follow.
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
    /// Its label in the PTX, or a name made up.
    pub name: String,
    /// In order.
    pub instructions: Vec<Instruction>,
    /// The end.
    pub terminator: Terminator,
    /// Where the end comes from.
    pub place: Place,
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// In bytes, from the first parameter; a multiple of 4.
    pub offset: u32,
    /// In bytes.
    pub bytes: u32,
    /// What it is.
    pub kind: ParameterKind,
}

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A number, a vector or a struct.
    Value,
    /// A pointer to `__global` or `__constant` memory, or to a space that the PTX does not tell: an address in global memory.
    Global,
    /// A pointer to `__local` memory: the launch gives its size and gets it a place.
    Local,
}

/// A word behind the parameters that the launch adds because the kernel reads it. In PTX it is a special register that the
/// machine does not have; [`Hidden::of`] has their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// The first global index in a dimension: `%envreg0` to `%envreg2`.
    GlobalOffset(u8),
    /// How many dimensions the index space has: `%envreg3`.
    Dimensions,
    /// The index of the slice, the third of a block's: `%ctaid.z`.
    Slice,
    /// How many slices the grid has: `%nctaid.z`.
    Slices,
    /// Of a grid that is larger than the machine's: the index of the launch's first block in a dimension, 0 or 1. With
    /// the machine's block index it makes `%ctaid.x` or `.y`.
    FirstBlock(u8),
    /// Of such a grid: how many blocks all launches together have in a dimension: `%nctaid.x`, `.y`.
    Blocks(u8),
    /// Byte address in global memory of the module's variables.
    Variables,
}

/// What the word is, in words.
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
        }
    }
}

impl Hidden {
    /// The word that a special register of PTX stands for, or is to be added to it. `large_grid`: the grid may be larger
    /// than the machine's.
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
    /// Its name.
    pub name: String,
    /// Virtual registers.
    pub registers: Vec<Register>,
    /// Blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// Parameters in order.
    pub parameters: Vec<Parameter>,
    /// Words behind the parameters, in order.
    pub hidden: Vec<Hidden>,
    /// Bytes of shared memory: header, parameters, hidden words and static `__local` variables.
    pub shared_bytes: u32,
    /// The variables among it.
    pub shared_variables: Vec<Region>,
    /// Whether `__local` memory begins at byte 0, over header and parameters, which are read at the entry.
    pub whole_shared: bool,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// Whether an initial value in memory is a generic address.
    pub generic_values: bool,
}

impl Function {
    /// Bytes of the kernel's own parameters, a multiple of 4.
    pub(super) fn own_bytes(&self) -> u32 {
        self.parameters
            .iter()
            .map(|p| p.offset.saturating_add(p.bytes.next_multiple_of(4)))
            .max()
            .unwrap_or(0)
    }

    /// Bytes of all parameters, hidden ones too; a multiple of 4.
    pub fn parameter_bytes(&self) -> u32 {
        self.own_bytes() + 4 * self.hidden.len() as u32
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

/// The class of a register of this type; `None` for a type that no register holds here.
pub fn class(ty: Type) -> Option<Class> {
    match (ty.kind, ty.bits) {
        (Kind::Predicate, _) => Some(Class::Predicate),
        (Kind::Bits | Kind::Unsigned | Kind::Signed, 64) => Some(Class::Pair),
        // 16-bit floats are only moved and converted.
        (Kind::Bits | Kind::Unsigned | Kind::Signed, 8 | 16 | 32) | (Kind::Float, 16 | 32) => Some(Class::Word),
        _ => None,
    }
}
