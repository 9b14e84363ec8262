//! The code of a call: one after another, the threads of the warp reserve the bytes of their records, then all write
//! their records.
//!
//! ```text
//!     slice = address of the warp's slice
//!     for (turn = 0; turn < 32; turn++)
//!         if (turn == lane)                     // one thread at a time: there are no atomics
//!             if (used + size fits) { record = slice + used; used += size }
//!             else { record = 0; lost += size }
//!     if (record) { arguments; the number of the call, last: it completes the record }
//! ```
//! Only one warp uses a slice, and its loads and stores take effect in order. The loop's branch is uniform, so all
//! threads have the same turn.

use super::super::print_call::{Passing, PrintCall};
use super::super::translate::U32;
use super::super::types::*;
use crate::error::SourceLocation;
use crate::printf::buffer::{HEADER_BYTES, LOST_AT, LOST_CALLS_AT, USED_AT};
use crate::printf::format::{conversions, Conversion, Format};
use crate::printf::records::LANE_SHIFT;
use crate::printf::Site;
use crate::ptx::ast::{Kind, Type};
use flexgrip_machine::sizes::WARP_THREADS;
use Argument::{Constant as Number, Value as Register};

/// A possible format of a call.
pub(super) struct Candidate {
    /// Byte offset of the format in the module's variables.
    pub(super) at: u32,
    pub(super) site: Site,
    pub(super) format: Format,
}

const NOT_ABOVE: Comparison = Comparison {
    less: true,
    equal: true,
    greater: false,
    unordered: false,
};

/// Appends code to a block of a function.
pub(super) struct Emitter<'f> {
    function: &'f mut Function,
    block: BlockIndex,
    place: SourceLocation,
}

impl<'f> Emitter<'f> {
    pub(super) fn new(function: &'f mut Function, call: &PrintCall) -> Self {
        Emitter {
            function,
            block: call.block,
            place: call.place,
        }
    }

    fn push(&mut self, operation: Operation, ty: Type, results: Vec<Value>, arguments: &[Argument]) {
        let instruction = Instruction {
            operation,
            ty,
            results,
            arguments: arguments.to_vec(),
            place: self.place,
        };
        if let Some(block) = self.function.blocks.get_mut(self.block) {
            block.instructions.push(instruction);
        }
    }

    fn register(&mut self) -> Value {
        self.function.add(Class::Word, "printf".to_string())
    }

    fn make(&mut self, operation: Operation, arguments: &[Argument]) -> Argument {
        let result = self.register();
        self.push(operation, U32, vec![result], arguments);
        Register(result)
    }

    fn compare(&mut self, comparison: Comparison, a: Argument, b: Argument) -> Value {
        let result = self.function.add(Class::Predicate, "printf".to_string());
        self.push(Operation::Compare(comparison), U32, vec![result], &[a, b]);
        result
    }

    fn copy(&mut self, to: Value, from: Argument) {
        self.push(Operation::Copy, U32, vec![to], &[from]);
    }

    fn load(&mut self, memory: Memory, address: Argument, offset: u32, bits: u8) -> Argument {
        let result = self.register();
        let offset = offset as i32;
        let ty = Type::new(Kind::Unsigned, bits);
        self.push(Operation::Load { memory, offset }, ty, vec![result], &[address]);
        Register(result)
    }

    fn store(&mut self, address: Argument, offset: u32, value: Argument) {
        let store = Operation::Store {
            memory: Memory::Global,
            offset: offset as i32,
        };
        self.push(store, U32, Vec::new(), &[address, value]);
    }

    /// Returns a word that the launch adds to the parameters.
    fn hidden(&mut self, word: Hidden) -> Argument {
        // The builder adds the hidden words to every kernel that calls `printf`.
        let offset = self.function.hidden_offset(word).unwrap_or(0);
        self.make(Operation::Parameter { offset }, &[])
    }

    fn new_block(&mut self) -> BlockIndex {
        self.function.blocks.push(Block {
            name: "printf".to_string(),
            instructions: Vec::new(),
            terminator: Terminator::Return,
            place: self.place,
        });
        self.function.blocks.len() - 1
    }

    /// Ends the current block, and continues with `next`.
    fn end(&mut self, terminator: Terminator, next: BlockIndex) {
        if let Some(block) = self.function.blocks.get_mut(self.block) {
            block.terminator = terminator;
        }
        self.block = next;
    }

    fn branch(&mut self, predicate: Value, taken: BlockIndex, otherwise: BlockIndex, next: BlockIndex) {
        let branch = Terminator::Branch {
            predicate,
            negated: false,
            taken,
            otherwise,
        };
        self.end(branch, next);
    }

    /// Appends the code of a call, which has one of these formats at run time.
    pub(super) fn call(&mut self, call: &PrintCall, candidates: Vec<Candidate>) {
        let mut rest = candidates.into_iter().peekable();
        while let Some(candidate) = rest.next() {
            let next = match rest.peek() {
                None => None,
                Some(_) => {
                    let base = self.hidden(Hidden::Variables);
                    let address = self.make(Operation::Add, &[base, Number(candidate.at.into())]);
                    let is_this = self.compare(Comparison::EQUAL, Register(call.format), address);
                    let (this, other) = (self.new_block(), self.new_block());
                    self.branch(is_this, this, other, this);
                    Some(other)
                }
            };
            self.function.prints.push(candidate.site);
            let number = self.function.prints.len() as u32;
            self.record(call, number, &candidate.format);
            self.end(Terminator::Jump(call.after), next.unwrap_or(call.after));
        }
    }

    /// Returns the address of the warp's slice.
    fn slice(&mut self) -> Argument {
        let special = |this: &mut Self, special| this.make(Operation::Special(special), &[]);
        let [x, y, z] = [0, 1, 2].map(|d| special(self, Special::ThreadIndex(d)));
        let [width, height, depth] = [0, 1, 2].map(|d| special(self, Special::BlockSize(d)));
        let row = self.make(Operation::MultiplyAdd24, &[height, z, y]);
        let item = self.make(Operation::MultiplyAdd24, &[width, row, x]);
        let warp = self.make(Operation::ShiftRight, &[item, Number(5)]);
        let area = self.make(Operation::Multiply24, &[width, height]);
        let items = self.make(Operation::MultiplyAdd24, &[area, depth, Number(31)]);
        let warps = self.make(Operation::ShiftRight, &[items, Number(5)]);
        let [column, line] = [0, 1].map(|d| special(self, Special::BlockIndex(d)));
        let columns = special(self, Special::GridSize(0));
        let block = self.make(Operation::MultiplyAdd, &[line, columns, column]);
        let index = self.make(Operation::MultiplyAdd, &[block, warps, warp]);
        let (bytes, base) = (self.hidden(Hidden::PrintSlice), self.hidden(Hidden::PrintBuffer));
        self.make(Operation::MultiplyAdd, &[index, bytes, base])
    }

    /// Appends code that reserves a record and writes it. The current block is then the last one of this code.
    fn record(&mut self, call: &PrintCall, number: u32, format: &Format) {
        let words: usize = conversions(format).map(Conversion::words).sum();
        let size = 4 + 4 * words as u64;
        let slice = self.slice();
        let lane = self.make(Operation::Special(Special::Lane), &[]);
        let record = self.reserved(slice, lane, size);
        let is_lost = self.compare(Comparison::EQUAL, Register(record), Number(0));
        if let Some(result) = call.result {
            let arguments = [Number(u64::from(u32::MAX)), Number(0), Register(is_lost)];
            self.push(Operation::Select, U32, vec![result], &arguments);
        }
        let (write, done) = (self.new_block(), self.new_block());
        self.branch(is_lost, done, write, write);
        let mut at = 4;
        self.arguments(call, format, |this, value| {
            this.store(Register(record), at, value);
            at += 4;
        });
        let high = self.make(Operation::ShiftLeft, &[lane, Number(LANE_SHIFT.into())]);
        let head = self.make(Operation::Or, &[high, Number(number.into())]);
        self.store(Register(record), 0, head);
        self.end(Terminator::Jump(done), done);
    }

    /// Reserves a record of `size` bytes. The result is its address, or 0 if it does not fit.
    fn reserved(&mut self, slice: Argument, lane: Argument, size: u64) -> Value {
        let (turn, record) = (self.register(), self.register());
        self.copy(turn, Number(0));
        self.copy(record, Number(0));
        let [head, mine, fits, full, next, done] = [(); 6].map(|()| self.new_block());
        self.end(Terminator::Jump(head), head);
        let is_mine = self.compare(Comparison::EQUAL, Register(turn), lane);
        self.branch(is_mine, mine, next, mine);
        let used = self.load(Memory::Global, slice, USED_AT, 32);
        let sum = self.make(Operation::Add, &[used, Number(size)]);
        let end = self.make(Operation::Add, &[sum, Number(HEADER_BYTES.into())]);
        let bytes = self.hidden(Hidden::PrintSlice);
        let is_room = self.compare(NOT_ABOVE, end, bytes);
        self.branch(is_room, fits, full, fits);
        let begin = self.make(Operation::Add, &[slice, used]);
        self.push(Operation::Add, U32, vec![record], &[begin, Number(HEADER_BYTES.into())]);
        self.store(slice, USED_AT, sum);
        self.end(Terminator::Jump(next), full);
        for (at, more) in [(LOST_AT, size), (LOST_CALLS_AT, 1)] {
            let before = self.load(Memory::Global, slice, at, 32);
            let after = self.make(Operation::Add, &[before, Number(more)]);
            self.store(slice, at, after);
        }
        self.end(Terminator::Jump(next), next);
        self.push(Operation::Add, U32, vec![turn], &[Register(turn), Number(1)]);
        let is_last = self.compare(Comparison::EQUAL, Register(turn), Number(WARP_THREADS.into()));
        self.branch(is_last, done, head, done);
        record
    }

    /// Passes the words of the arguments to `store`, in order.
    fn arguments(&mut self, call: &PrintCall, format: &Format, mut store: impl FnMut(&mut Self, Argument)) {
        let mut offset = 0;
        for (number, conversion) in conversions(format).enumerate() {
            offset = u32::next_multiple_of(offset, conversion.alignment() as u32);
            for word in 0..conversion.words() {
                let value = match &call.arguments {
                    Passing::Words(passed) => {
                        let found = passed.get(number).and_then(|words| words.get(word));
                        found.map_or(Number(0), |&value| Register(value))
                    }
                    Passing::Struct(pointer) => {
                        let left = conversion.size() - 4 * word;
                        self.in_struct(*pointer, offset + 4 * word as u32, left)
                    }
                };
                store(self, value);
            }
            offset += conversion.alignment() as u32;
        }
    }

    /// Loads a word of an argument in a struct. At most the remaining `left` bytes of the argument are read.
    fn in_struct(&mut self, pointer: Value, offset: u32, left: usize) -> Argument {
        let pointer = Register(pointer);
        let mut part = |offset, bits| self.load(Memory::Generic, pointer, offset, bits);
        match left {
            1 => part(offset, 8),
            2 => part(offset, 16),
            3 => {
                let (low, high) = (part(offset, 16), part(offset + 2, 8));
                let high = self.make(Operation::ShiftLeft, &[high, Number(16)]);
                self.make(Operation::Or, &[low, high])
            }
            _ => part(offset, 32),
        }
    }
}
