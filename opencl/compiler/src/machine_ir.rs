//! Machine IR before register allocation: operations of `isa` on virtual words.

use crate::error::SourceLocation;
use flexgrip_isa::{Access, Capability, Operation, RegisterPart};
use flexgrip_machine::Fence;

/// A virtual register of 32 bits, numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word(pub u32);

/// The word that has the thread's index when the kernel begins, in R0.
pub const THREAD: Word = Word(0);

/// A source of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// A word, or half of one.
    Word(Word, RegisterPart),
    /// An immediate.
    Immediate(u32),
    /// Shared memory, at the address register (if not 0) plus the offset.
    Shared {
        /// Byte offset.
        offset: u32,
        /// The width of the access.
        access: Access,
        /// The address register, 1 to 4, or 0 for none.
        address: u8,
    },
    /// A parameter in constant memory.
    Parameter {
        /// Byte offset in its bank.
        offset: u32,
        /// The width of the access.
        access: Access,
    },
    /// Local memory, at the address register (if not 0) plus the offset, modulo 2^16.
    Local {
        /// Byte offset.
        offset: u32,
        /// The address register, 1 to 4, or 0 for none.
        address: u8,
    },
    /// A special register.
    Special(u8),
    /// An address register as a value.
    Address(u8),
}

/// The destination of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Destination {
    /// The operation has no result.
    None,
    /// The result is discarded; the condition code is not.
    Discard,
    /// A word.
    Word(Word),
    /// The low half of a word; the other half becomes undefined.
    Half(Word),
    /// An address register.
    Address(u8),
}

/// A predicate for conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// A word that is 0 for false and all ones for true.
    Word(Word),
    /// A condition-code register with the code of such a word.
    Code(u8),
}

/// The condition under which a thread executes an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Test {
    /// The predicate.
    pub predicate: Predicate,
    /// True if the predicate must be true.
    pub holds: bool,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// The operation.
    pub operation: Operation,
    /// The condition; `None` if the instruction is always executed.
    pub test: Option<Test>,
    /// For a conditional instruction: true if its result is never read where the condition does not hold, so that the
    /// destination's old value is dead.
    pub whole: bool,
    /// The destination of the result.
    pub destination: Destination,
    /// The condition-code register that is written.
    pub code: Option<u8>,
    /// Sources 1 to 3 of the operation.
    pub sources: [Option<Source>; 3],
    /// Words that need consecutive registers. For a memory access of 64 or 128 bits: its words; the first is the
    /// destination or source 3. For an atomic operation on 64 bits: operand b, which is also the destination, then
    /// operand c if there is one.
    pub group: Vec<Word>,
    /// The upper words of 64-bit operands: of the destination, then of sources 1 to 3. A lower word needs an even
    /// register, its upper word the next one.
    pub upper: [Option<Word>; 4],
    /// True if the instruction reads the divisor of an integer division: all of its sources are zero if and only if the
    /// divisor is zero. Checkers use this.
    pub divisor: bool,
    /// For a barrier: the memories that it orders.
    pub fence: Option<Fence>,
    /// The instruction's place in the source.
    pub place: SourceLocation,
}

impl Instruction {
    /// Creates an unconditional instruction with operands of at most 32 bits.
    pub fn new(
        operation: Operation,
        destination: Destination,
        sources: [Option<Source>; 3],
        place: SourceLocation,
    ) -> Self {
        Instruction {
            operation,
            test: None,
            whole: false,
            destination,
            code: None,
            sources,
            group: Vec::new(),
            upper: [None; 4],
            divisor: false,
            fence: None,
            place,
        }
    }

    /// Returns the words that the instruction reads. A conditional instruction that is not `whole` also reads its
    /// destination, because it may leave the destination unchanged.
    pub fn reads(&self) -> Vec<Word> {
        let mut words: Vec<Word> = self
            .sources
            .iter()
            .filter_map(|source| match source {
                Some(Source::Word(word, _)) => Some(*word),
                _ => None,
            })
            .collect();
        words.extend(self.upper[1..].iter().flatten());
        if let Some(Test {
            predicate: Predicate::Word(word),
            ..
        }) = self.test
        {
            words.push(word);
        }
        match self.operation {
            Operation::Gst { .. } | Operation::Lst { .. } => words.extend(self.group.iter().skip(1)),
            Operation::Atomic { .. } => words.extend(&self.group),
            _ => {}
        }
        if self.test.is_some() && !self.whole {
            words.extend(self.writes());
        }
        words
    }

    /// Returns the words that the instruction writes.
    pub fn writes(&self) -> Vec<Word> {
        match (self.destination, self.operation) {
            // The old value replaces operand b, which has two words.
            (Destination::Word(_), Operation::Atomic { .. }) if !self.group.is_empty() => self.group[..2].to_vec(),
            (Destination::Word(_), _) if !self.group.is_empty() => self.group.clone(),
            (Destination::Word(word) | Destination::Half(word), _) => {
                [Some(word), self.upper[0]].into_iter().flatten().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the lower and upper words of 64-bit operands.
    pub fn pairs(&self) -> impl Iterator<Item = [Word; 2]> + use<'_> {
        let destination = match self.destination {
            Destination::Word(word) => Some(word),
            _ => None,
        };
        let sources = self.sources.iter().map(|source| match source {
            Some(Source::Word(word, _)) => Some(*word),
            _ => None,
        });
        let lower = std::iter::once(destination).chain(sources);
        lower
            .zip(self.upper)
            .filter_map(|(lower, upper)| Some([lower?, upper?]))
    }

    /// Returns the destination and the source of a copy between words.
    pub fn copied(&self) -> Option<(Word, Word)> {
        match (self.operation, self.destination, self.sources[0]) {
            (Operation::Mov { .. }, Destination::Word(to), Some(Source::Word(from, RegisterPart::Full))) => {
                Some((to, from))
            }
            _ => None,
        }
    }

    /// True if the instruction only computes its result, so that dead-code elimination may remove it.
    pub fn is_pure(&self) -> bool {
        let atomic = matches!(self.operation, Operation::Atomic { .. });
        matches!(self.destination, Destination::Word(_) | Destination::Half(_)) && self.code.is_none() && !atomic
    }

    /// Drops the result of an atomic operation, if there is a form without a result.
    pub fn drop_old_value(&mut self) {
        let Operation::Atomic { atomic, .. } = self.operation else {
            return;
        };
        if atomic.reads_memory() && !atomic.has_operand_c() {
            self.destination = Destination::None;
        }
    }
}

/// True for operations that access memory.
pub fn is_access(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Gld { .. }
            | Operation::Gst { .. }
            | Operation::Lld { .. }
            | Operation::Lst { .. }
            | Operation::R2g
            | Operation::R2gUnlock
            | Operation::G2rLock { .. }
            | Operation::Atomic { .. }
    )
}

/// The end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Continues at a block.
    Jump(usize),
    /// Continues at one of two blocks.
    Branch {
        /// The condition.
        test: Test,
        /// The successor if the condition holds.
        taken: usize,
        /// The successor if not.
        otherwise: usize,
    },
    /// The thread ends.
    Return,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The instructions in order.
    pub instructions: Vec<Instruction>,
    /// The terminator.
    pub end: End,
    /// The terminator's place in the source.
    pub place: SourceLocation,
}

impl Block {
    /// The successors.
    pub fn successors(&self) -> Vec<usize> {
        match self.end {
            End::Jump(to) => vec![to],
            End::Branch { taken, otherwise, .. } => vec![taken, otherwise],
            End::Return => Vec::new(),
        }
    }

    /// Replaces the successor `old` by `new`.
    pub fn retarget(&mut self, old: usize, new: usize) {
        let change = |to: &mut usize| {
            if *to == old {
                *to = new;
            }
        };
        match &mut self.end {
            End::Jump(to) => change(to),
            End::Branch { taken, otherwise, .. } => {
                change(taken);
                change(otherwise);
            }
            End::Return => {}
        }
    }
}

/// A kernel in machine IR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// The number of virtual words.
    pub words: u32,
    /// True if the kernel has a barrier.
    pub barrier: bool,
    /// The compute capability whose instructions the code may use.
    pub capability: Capability,
}

impl Code {
    /// The successors of every block.
    pub fn successors(&self) -> Vec<Vec<usize>> {
        self.blocks.iter().map(Block::successors).collect()
    }
}
