//! Machine code before registers are assigned: operations of `isa` on virtual words.

use crate::error::Place;
use flexgrip_isa::{Access, Operation, Part};
use flexgrip_machine::Fence;

/// A virtual register of 32 bits, numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word(pub u32);

/// The word that holds the thread's index when the kernel begins, R0.
pub const THREAD: Word = Word(0);

/// Where an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// A word, or half of one.
    Word(Word, Part),
    /// A number.
    Immediate(u32),
    /// Shared memory, at the address register (if not 0) plus the offset in bytes.
    Shared {
        /// In bytes.
        offset: u32,
        /// How much.
        access: Access,
        /// 1 to 4, or 0 for none.
        address: u8,
    },
    /// Local memory, at the address register (if not 0) plus the offset in bytes, modulo 2^16.
    Local {
        /// In bytes.
        offset: u32,
        /// 1 to 4, or 0 for none.
        address: u8,
    },
    /// A special register.
    Special(u8),
    /// The address register itself.
    Address(u8),
}

/// Where an instruction writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Destination {
    /// It has no result.
    None,
    /// The result is dropped; the condition code is not.
    Discard,
    /// A word.
    Word(Word),
    /// The low half of a word, whose other half is then undefined.
    Half(Word),
    /// An address register.
    Address(u8),
}

/// What a condition is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// A word that is 0 for false and all ones for true.
    Word(Word),
    /// A condition-code register with the code of such a value.
    Code(u8),
}

/// The condition under which a thread executes an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Test {
    /// The predicate.
    pub predicate: Predicate,
    /// Whether it must be true.
    pub holds: bool,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// When.
    pub test: Option<Test>,
    /// Of a conditional one: nobody reads its result where the condition does not hold, so that what was there before need
    /// not stay.
    pub whole: bool,
    /// Where the result goes.
    pub destination: Destination,
    /// The condition-code register written.
    pub code: Option<u8>,
    /// Sources 1 to 3 of the operation.
    pub sources: [Option<Source>; 3],
    /// Of a memory access of 64 or 128 bits: its words, the first of which is the destination or source 3. They lie in
    /// neighbouring registers.
    pub group: Vec<Word>,
    /// Its sources are all zero if, and only if, the divisor of an integer division is: checkers look at it.
    pub divisor: bool,
    /// A barrier's: the memories that it is meant to order.
    pub fence: Option<Fence>,
    /// Where it comes from.
    pub place: Place,
}

impl Instruction {
    /// The words that it reads. A conditional one reads what it may leave as it is, unless it is whole.
    pub fn reads(&self) -> Vec<Word> {
        let mut words: Vec<Word> = self
            .sources
            .iter()
            .filter_map(|source| match source {
                Some(Source::Word(word, _)) => Some(*word),
                _ => None,
            })
            .collect();
        if let Some(Test {
            predicate: Predicate::Word(word),
            ..
        }) = self.test
        {
            words.push(word);
        }
        if matches!(self.operation, Operation::Gst { .. } | Operation::Lst { .. }) {
            words.extend(self.group.iter().skip(1));
        }
        if self.test.is_some() && !self.whole {
            words.extend(self.writes());
        }
        words
    }

    /// The words that it writes.
    pub fn writes(&self) -> Vec<Word> {
        match self.destination {
            Destination::Word(_) if !self.group.is_empty() => self.group.clone(),
            Destination::Word(word) | Destination::Half(word) => vec![word],
            _ => Vec::new(),
        }
    }

    /// The source of a plain copy from word to word.
    pub fn copied(&self) -> Option<(Word, Word)> {
        match (self.operation, self.destination, self.sources[0]) {
            (Operation::Mov { .. }, Destination::Word(to), Some(Source::Word(from, Part::Full))) => Some((to, from)),
            _ => None,
        }
    }

    /// Whether it only computes its result, so that it can go if nobody reads it.
    pub fn is_pure(&self) -> bool {
        matches!(self.destination, Destination::Word(_) | Destination::Half(_)) && self.code.is_none()
    }
}

/// How a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Goes on at a block.
    Jump(usize),
    /// At one of two.
    Branch {
        /// The condition.
        test: Test,
        /// If it holds.
        taken: usize,
        /// If not.
        otherwise: usize,
    },
    /// The thread ends.
    Return,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// In order.
    pub instructions: Vec<Instruction>,
    /// The end.
    pub end: End,
    /// Where the end comes from.
    pub place: Place,
}

impl Block {
    /// The blocks that may follow.
    pub fn successors(&self) -> Vec<usize> {
        match self.end {
            End::Jump(to) => vec![to],
            End::Branch { taken, otherwise, .. } => vec![taken, otherwise],
            End::Return => Vec::new(),
        }
    }

    /// Leads to another block wherever it led to `old`.
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

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// Number of virtual words.
    pub words: u32,
    /// Whether it has a barrier.
    pub barrier: bool,
}

impl Code {
    /// The successors of every block.
    pub fn successors(&self) -> Vec<Vec<usize>> {
        self.blocks.iter().map(Block::successors).collect()
    }
}
