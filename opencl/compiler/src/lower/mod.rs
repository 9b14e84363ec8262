//! Lowering: from the intermediate representation to machine IR.
//!
//! ```text
//! mod: values, constants, instruction by instruction
//! ├── arithmetic   integers of up to 32 bits: extension, multiplication, comparison, conversion
//! ├── divide       integer division
//! ├── double       doubles
//! ├── float        division, root, special functions, conversion
//! ├── memory       global, shared and local memory, parameters, special registers
//! ├── atomic       atomic operations on global memory, locks of shared memory
//! ├── wide         64 bits as two words
//! ├── wide_divide  division of 64-bit integers
//! └── wide_convert conversion from 64 bits to floats and back
//! operands: operand folding, parameters and the header as source 1
//! conditional: if-conversion of short sides
//! predicates: allocation of condition-code registers
//! ```

mod arithmetic;
mod atomic;
pub mod conditional;
mod divide;
mod double;
mod float;
mod memory;
pub mod operands;
pub mod predicates;
mod wide;
mod wide_convert;
mod wide_divide;

use crate::analysis::bits::{bits, Bits};
use crate::error::{CompileError, SourceLocation};
use crate::ir::{self, Argument, Class, Function, Terminator, Value};
use crate::machine_ir::{Block, Code, Destination, End, Instruction, Predicate, Source, Test, Word, THREAD};
use crate::ptx::ast::Kind;
use flexgrip_isa::{Operation, RegisterPart, Width};
use flexgrip_machine::Fence;
use std::collections::HashMap;

/// Lowers a kernel.
///
/// # Errors
/// The first operation without a lowering.
pub fn lower(function: &Function) -> Result<Code, CompileError> {
    let mut lowering = Lowering {
        function,
        bits: bits(function),
        words: 1,
        values: HashMap::new(),
        specials: HashMap::new(),
        addresses: [None; 4],
        next_address: 0,
        locked: None,
        instructions: Vec::new(),
        place: SourceLocation::default(),
        barrier: false,
    };
    let mut blocks = Vec::with_capacity(function.blocks.len());
    for block in &function.blocks {
        lowering.specials.clear();
        lowering.addresses = [None; 4];
        lowering.locked = None;
        for instruction in &block.instructions {
            lowering.place = instruction.place;
            lowering.instruction(instruction)?;
        }
        lowering.place = block.place;
        let end = match block.terminator {
            Terminator::Jump(to) => End::Jump(to),
            Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
            } => End::Branch {
                test: Test {
                    predicate: lowering.predicate(predicate),
                    holds: !negated,
                },
                taken,
                otherwise,
            },
            Terminator::Return | Terminator::Exit => End::Return,
        };
        blocks.push(Block {
            instructions: std::mem::take(&mut lowering.instructions),
            end,
            place: block.place,
        });
    }
    Ok(Code {
        blocks,
        words: lowering.words,
        barrier: lowering.barrier,
        capability: function.capability,
    })
}

struct Lowering<'f> {
    function: &'f Function,
    bits: Bits,
    words: u32,
    /// The words of each value. The flag is true for the high word of a pair.
    values: HashMap<(Value, bool), Word>,
    /// The special registers that this block has read.
    specials: HashMap<ir::Special, Word>,
    /// The contents of the block's address registers, A1 first: a word and the constant added to it.
    addresses: [Option<(Word, u32)>; 4],
    next_address: usize,
    /// The predicate of the thread with this block's lock.
    locked: Option<Value>,
    instructions: Vec<Instruction>,
    place: SourceLocation,
    barrier: bool,
}

/// Returns a full word as a source.
fn full(word: Word) -> Source {
    Source::Word(word, RegisterPart::Full)
}

impl Lowering<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, CompileError> {
        Err(CompileError::new(self.place, message))
    }

    fn temporary(&mut self) -> Word {
        self.words += 1;
        Word(self.words - 1)
    }

    fn half(&mut self, value: Value, high: bool) -> Word {
        if let Some(&word) = self.values.get(&(value, high)) {
            return word;
        }
        let word = self.temporary();
        self.values.insert((value, high), word);
        word
    }

    fn low(&mut self, value: Value) -> Word {
        self.half(value, false)
    }

    /// Returns the low word of an argument.
    fn source(&mut self, argument: Argument) -> Source {
        match argument {
            Argument::Value(value) => full(self.low(value)),
            Argument::Constant(number) => Source::Immediate(number as u32),
        }
    }

    /// Returns the high word of a 64-bit argument.
    fn high_source(&mut self, argument: Argument) -> Source {
        match argument {
            Argument::Value(value) => full(self.half(value, true)),
            Argument::Constant(number) => Source::Immediate((number >> 32) as u32),
        }
    }

    /// Returns a word with an argument. Constants are moved to a new word.
    fn word(&mut self, argument: Argument) -> Word {
        let source = self.source(argument);
        self.in_word(source)
    }

    fn in_word(&mut self, source: Source) -> Word {
        match source {
            Source::Word(word, RegisterPart::Full) => word,
            other => {
                let word = self.temporary();
                self.copy(word, other);
                word
            }
        }
    }

    /// Appends an instruction. Only one of sources 2 and 3 may be a constant; other constants are moved to words first.
    fn emit(&mut self, operation: Operation, destination: Destination, sources: [Option<Source>; 3]) {
        let mut sources = sources;
        if !matches!(operation, Operation::Mov { .. }) {
            let number = |source: &Option<Source>| matches!(source, Some(Source::Immediate(number)) if *number != 0);
            if number(&sources[0]) {
                sources[0] = sources[0].map(|source| full(self.in_word(source)));
            }
            if number(&sources[1]) && number(&sources[2]) {
                sources[2] = sources[2].map(|source| full(self.in_word(source)));
            }
        }
        self.grouped(operation, destination, sources, Vec::new());
    }

    fn push(&mut self, instruction: Instruction) {
        for written in instruction.writes() {
            for address in &mut self.addresses {
                if address.is_some_and(|(word, _)| word == written) {
                    *address = None;
                }
            }
        }
        self.instructions.push(instruction);
    }

    /// Appends an operation with sources 1 and 2.
    fn binary(&mut self, operation: Operation, to: Word, a: Source, b: Source) {
        self.emit(operation, Destination::Word(to), [Some(a), Some(b), None]);
    }

    /// Appends an operation with sources 1 and 3, an addition.
    fn sum(&mut self, operation: Operation, to: Word, a: Source, b: Source) {
        self.emit(operation, Destination::Word(to), [Some(a), None, Some(b)]);
    }

    fn unary(&mut self, operation: Operation, to: Word, a: Source) {
        self.emit(operation, Destination::Word(to), [Some(a), None, None]);
    }

    fn copy(&mut self, to: Word, from: Source) {
        if from != full(to) {
            self.unary(Operation::Mov { width: Width::B32 }, to, from);
        }
    }

    /// Writes `a` to `to` if the predicate holds, else `b`.
    fn select(&mut self, to: Word, a: Source, b: Source, predicate: Word) {
        let (first, second, holds) = if a == full(to) { (a, b, false) } else { (b, a, true) };
        if to == predicate {
            // The predicate must stay live until the second move.
            let result = self.temporary();
            self.select(result, a, b, predicate);
            self.copy(to, full(result));
            return;
        }
        self.copy(to, first);
        self.emit(
            Operation::Mov { width: Width::B32 },
            Destination::Word(to),
            [Some(second), None, None],
        );
        if let Some(last) = self.instructions.last_mut() {
            last.test = Some(Test {
                predicate: Predicate::Word(predicate),
                holds,
            });
        }
    }

    fn instruction(&mut self, instruction: &ir::Instruction) -> Result<(), CompileError> {
        use ir::Operation::*;
        match instruction.operation {
            Load { memory, offset } => return self.load(instruction, memory, offset),
            Store { memory, offset } => return self.store(instruction, memory, offset),
            Atomic { atomic, offset, .. } => return self.atomic(instruction, atomic, offset),
            Lock { offset } => return self.lock(instruction, offset),
            LockedLoad { offset } => return self.locked_load(instruction, offset),
            LockedStore { offset, unlock } => return self.locked_store(instruction, offset, unlock),
            Parameter { offset } => return self.parameter(instruction, offset),
            Trap => {
                self.emit(Operation::Trap, Destination::None, [None; 3]);
                return Ok(());
            }
            Barrier { fence } => {
                self.barrier = true;
                let barrier = Operation::Bar {
                    barrier: 0,
                    mask: 0xfff,
                    arrive: true,
                    wait: true,
                };
                self.emit(barrier, Destination::None, [None; 3]);
                if let Some(last) = self.instructions.last_mut() {
                    last.fence = Some(fence).filter(|fence| *fence != Fence::ALL);
                }
                return Ok(());
            }
            _ => {}
        }
        let Some(&result) = instruction.results.first() else {
            return self.error("an operation without a result");
        };
        let arguments = instruction.arguments.as_slice();
        let wide = |argument: &Argument| match argument {
            Argument::Value(value) => self.function.registers[value.0 as usize].class == Class::Pair,
            Argument::Constant(_) => false,
        };
        let from_wide = match instruction.operation {
            Convert { from, .. } => from.bits == 64,
            Join | High => true,
            _ => false,
        };
        let is_wide = instruction.ty.bits == 64
            || from_wide
            || arguments.iter().any(wide)
            || self.function.registers[result.0 as usize].class == Class::Pair;
        if is_wide {
            return self.wide(instruction, result, arguments);
        }
        if instruction.ty.kind == Kind::Float && !matches!(instruction.operation, Copy | Select) {
            return self.float(instruction, result, arguments);
        }
        match (instruction.operation, arguments) {
            (Special(special), _) => {
                let word = self.special(special)?;
                let to = self.low(result);
                self.copy(to, full(word));
                Ok(())
            }
            (Copy, &[a]) => {
                let predicate = self.function.registers[result.0 as usize].class == Class::Predicate;
                let to = self.low(result);
                let from = match a {
                    Argument::Constant(number) if predicate => {
                        Source::Immediate(if number != 0 { u32::MAX } else { 0 })
                    }
                    _ => self.source(a),
                };
                self.copy(to, from);
                Ok(())
            }
            (Select, &[a, b, Argument::Value(predicate)]) => {
                let to = self.low(result);
                let (a, b) = (self.source(a), self.source(b));
                let predicate = self.low(predicate);
                self.select(to, a, b, predicate);
                Ok(())
            }
            _ => self.integer(instruction, result, arguments),
        }
    }

    /// Returns the predicate for a condition.
    fn predicate(&mut self, value: Value) -> Predicate {
        match self.locked == Some(value) {
            true => Predicate::Code(predicates::LOCK),
            false => Predicate::Word(self.low(value)),
        }
    }

    /// Returns the word with the thread's index.
    fn thread(&self) -> Word {
        THREAD
    }
}
