//! Lowering of global, shared and local memory, parameters and special registers.

use super::arithmetic::{add, logic, shift_right, SHIFT_LEFT};
use super::{full, Lowering};
use crate::error::CompileError;
use crate::ir::build::HEADER_BYTES;
use crate::ir::types::SHARED_PARAMETER_BYTES;
use crate::ir::{self, Argument, Memory, Special, Value};
use crate::machine_ir::{Destination, Instruction, Source, Word};
use crate::ptx::ast::{Kind, Type};
use flexgrip_isa::{decode, Access, Integer, Logic, MemoryAccess, Operation, RegisterPart, Sum, Width};

/// The global space that programs use.
pub(super) const GLOBAL: u8 = 14;
/// The largest offset of an operand in shared memory: five bits, in units of the access.
pub(super) const LARGEST_OFFSET: u32 = 31;
/// The largest offset of R2G and G2R, in units of the access.
pub(super) const FAR: u32 = (1 << 14) - 1;

/// A scalar access to global memory.
fn scalar(ty: Type) -> MemoryAccess {
    match (ty.bits, ty.kind) {
        (8, Kind::Signed) => MemoryAccess::S8,
        (8, _) => MemoryAccess::U8,
        (16, Kind::Signed) => MemoryAccess::S16,
        (16, _) => MemoryAccess::U16,
        _ => MemoryAccess::B32,
    }
}

/// The access of an operand in shared or constant memory that reads a number of this type, or a word of it.
fn narrowest(ty: Type) -> Access {
    match (ty.bits, ty.kind) {
        (8, _) => Access::U8,
        (16, Kind::Signed) => Access::S16,
        (16, _) => Access::U16,
        _ => Access::B32,
    }
}

/// Splits an access of this many words into pieces of 1, 2 or 4.
fn pieces(mut words: usize) -> Vec<usize> {
    let mut pieces = Vec::new();
    while words > 0 {
        let piece = match words {
            4.. => 4,
            2.. => 2,
            _ => 1,
        };
        pieces.push(piece);
        words -= piece;
    }
    pieces
}

fn access_of(words: usize) -> MemoryAccess {
    match words {
        4 => MemoryAccess::B128,
        2 => MemoryAccess::B64,
        _ => MemoryAccess::B32,
    }
}

fn load_operation(memory: Memory, access: MemoryAccess) -> Operation {
    match memory {
        Memory::Local => Operation::Lld { access },
        _ => Operation::Gld { space: GLOBAL, access },
    }
}

fn store_operation(memory: Memory, access: MemoryAccess) -> Operation {
    match memory {
        Memory::Local => Operation::Lst { access },
        _ => Operation::Gst { space: GLOBAL, access },
    }
}

impl Lowering<'_> {
    /// Returns a word with the sum of base and offset.
    pub(super) fn address(&mut self, base: Argument, offset: i32) -> Word {
        match base {
            Argument::Constant(number) => self.in_word(Source::Immediate((number as u32).wrapping_add(offset as u32))),
            Argument::Value(value) => {
                let base = self.low(value);
                if offset == 0 {
                    return base;
                }
                let sum = self.temporary();
                self.sum(add(Sum::Add), sum, full(base), Source::Immediate(offset as u32));
                sum
            }
        }
    }

    /// Returns the words of values of this type, low word first.
    fn words_of(&mut self, values: &[Value], ty: Type) -> Vec<Word> {
        let mut words = Vec::new();
        for &value in values {
            words.push(self.low(value));
            if ty.bits == 64 {
                words.push(self.half(value, true));
            }
        }
        words
    }

    /// Returns the address of an access to global or local memory, as source 1.
    fn place(&mut self, memory: Memory, base: Argument, offset: i32) -> Source {
        if memory != Memory::Local {
            return full(self.address(base, offset));
        }
        match base {
            // Addresses are computed modulo 2^16.
            Argument::Constant(number) => Source::Local {
                offset: (number as u32).wrapping_add(offset as u32) & 0xffff,
                address: 0,
            },
            Argument::Value(value) => {
                let word = self.low(value);
                let (address, added) = self.address_register(word, |_| true);
                Source::Local {
                    offset: (offset as u32).wrapping_sub(added) & 0xffff,
                    address,
                }
            }
        }
    }

    pub(super) fn load(
        &mut self,
        instruction: &ir::Instruction,
        memory: Memory,
        offset: i32,
    ) -> Result<(), CompileError> {
        let ty = instruction.ty;
        let Some(&base) = instruction.arguments.first() else {
            return self.error("a load without an address");
        };
        let words = self.words_of(&instruction.results, ty);
        // Accesses of several words to global and local memory have a group of consecutive registers. If a result is
        // also the address, all words are loaded before a result is written.
        let address = base.value().map(|value| self.low(value));
        let one_by_one = memory == Memory::Shared && !words.iter().any(|&word| Some(word) == address);
        let loaded: Vec<Word> = if words.len() == 1 || one_by_one {
            words.clone()
        } else {
            words.iter().map(|_| self.temporary()).collect()
        };
        let step = i32::from(ty.bits.min(32) / 8);
        let at = |index: usize| offset.wrapping_add(step.wrapping_mul(index as i32));
        if memory == Memory::Shared {
            for (index, &word) in loaded.iter().enumerate() {
                self.load_shared(word, base, at(index), ty)?;
            }
        } else if ty.bits < 32 {
            if words.len() > 1 && usize::from(ty.bits) * words.len() <= 32 {
                let place = self.place(memory, base, offset);
                self.load_packed(&loaded, memory, place, ty);
            } else {
                for (index, &word) in loaded.iter().enumerate() {
                    let place = self.place(memory, base, at(index));
                    self.unary(load_operation(memory, scalar(ty)), word, place);
                }
            }
        } else {
            let mut first = 0;
            for piece in pieces(words.len()) {
                let place = self.place(memory, base, at(first));
                let group = loaded[first..first + piece].to_vec();
                self.grouped(
                    load_operation(memory, access_of(piece)),
                    Destination::Word(group[0]),
                    [Some(place), None, None],
                    group,
                );
                first += piece;
            }
        }
        for (&to, &from) in words.iter().zip(&loaded) {
            self.copy(to, full(from));
        }
        Ok(())
    }

    pub(super) fn grouped(
        &mut self,
        operation: Operation,
        destination: Destination,
        sources: [Option<Source>; 3],
        group: Vec<Word>,
    ) {
        let group = if group.len() > 1 { group } else { Vec::new() };
        self.push(Instruction {
            group,
            ..Instruction::new(operation, destination, sources, self.place)
        });
    }

    /// Loads small elements in one aligned word or half-word by one access.
    fn load_packed(&mut self, words: &[Word], memory: Memory, place: Source, ty: Type) {
        let bits = u32::from(ty.bits);
        let signed = ty.kind == Kind::Signed;
        let access = match bits * words.len() as u32 {
            32 => MemoryAccess::B32,
            _ => MemoryAccess::U16,
        };
        let packed = self.temporary();
        self.unary(load_operation(memory, access), packed, place);
        for (index, &word) in words.iter().enumerate() {
            let at = bits * index as u32;
            match (bits, signed) {
                (16, _) => {
                    let part = if index == 0 {
                        RegisterPart::Low
                    } else {
                        RegisterPart::High
                    };
                    let from = if signed { Integer::S16 } else { Integer::U16 };
                    self.convert_integer(word, Source::Word(packed, part), from);
                }
                (_, true) => {
                    let up = self.temporary();
                    self.binary(SHIFT_LEFT, up, full(packed), Source::Immediate(32 - bits - at));
                    self.binary(shift_right(true), word, full(up), Source::Immediate(32 - bits));
                }
                (_, false) => {
                    let down = self.temporary();
                    self.binary(shift_right(false), down, full(packed), Source::Immediate(at));
                    self.binary(logic(Logic::And), word, full(down), Source::Immediate((1 << bits) - 1));
                }
            }
        }
    }

    pub(super) fn store(
        &mut self,
        instruction: &ir::Instruction,
        memory: Memory,
        offset: i32,
    ) -> Result<(), CompileError> {
        let ty = instruction.ty;
        let Some((&base, values)) = instruction.arguments.split_first() else {
            return self.error("a store without an address");
        };
        let mut words = Vec::new();
        for &value in values {
            words.push(self.source(value));
            if ty.bits == 64 {
                let high = self.high_source(value);
                words.push(high);
            }
        }
        let step = i32::from(ty.bits.min(32) / 8);
        let at = |index: usize| offset.wrapping_add(step.wrapping_mul(index as i32));
        if memory == Memory::Shared {
            for (index, &word) in words.iter().enumerate() {
                self.store_shared(word, base, at(index), ty)?;
            }
            return Ok(());
        }
        if ty.bits < 32 || words.len() == 1 {
            for (index, &word) in words.iter().enumerate() {
                let value = self.in_word(word);
                let place = self.place(memory, base, at(index));
                self.emit(
                    store_operation(memory, scalar(ty)),
                    Destination::None,
                    [Some(place), None, Some(full(value))],
                );
            }
            return Ok(());
        }
        let mut first = 0;
        for piece in pieces(words.len()) {
            let group: Vec<Word> = words[first..first + piece]
                .iter()
                .map(|&source| {
                    let word = self.temporary();
                    self.copy(word, source);
                    word
                })
                .collect();
            let place = self.place(memory, base, at(first));
            self.grouped(
                store_operation(memory, access_of(piece)),
                Destination::None,
                [Some(place), None, Some(full(group[0]))],
                group,
            );
            first += piece;
        }
        Ok(())
    }

    /// Allocates an address register, round-robin. Returns its index and its number, from 1.
    fn take_address(&mut self) -> (usize, u8) {
        let index = self.next_address;
        self.next_address = (index + 1) % self.addresses.len();
        self.addresses[index] = None;
        (index, index as u8 + 1)
    }

    /// Returns an address register with the word plus a constant, and that constant, for which `fits` is true if
    /// possible.
    fn address_register(&mut self, word: Word, fits: impl Fn(u32) -> bool) -> (u8, u32) {
        let held = self
            .addresses
            .iter()
            .enumerate()
            .filter_map(|(index, held)| match *held {
                Some((held, added)) if held == word => Some((index as u8 + 1, added)),
                _ => None,
            });
        let held: Vec<(u8, u32)> = held.collect();
        if let Some(&found) = held.iter().find(|(_, added)| fits(*added)).or(held.first()) {
            return found;
        }
        let (index, register) = self.take_address();
        self.emit(
            Operation::R2a { shift: 0 },
            Destination::Address(register),
            [Some(full(word)), None, None],
        );
        self.addresses[index] = Some((word, 0));
        (register, 0)
    }

    /// Sets a new address register to another one, or 0, plus a constant.
    fn add_to_address(&mut self, from: u8, added: u32) -> Result<(usize, u8), CompileError> {
        // ADA A1, A0, 0
        let Ok(instruction) = decode(0x2000_0000_d000_0001) else {
            return self.error("the machine has no addition of address registers");
        };
        let (index, register) = self.take_address();
        self.emit(
            instruction.operation(),
            Destination::Address(register),
            [
                Some(Source::Address(from)),
                Some(Source::Immediate(added & 0xffff)),
                None,
            ],
        );
        Ok((index, register))
    }

    /// Returns an operand in shared memory with an offset of at most `largest` units.
    pub(super) fn shared(
        &mut self,
        base: Argument,
        offset: i32,
        access: Access,
        largest: u32,
    ) -> Result<Source, CompileError> {
        let unit = access.bytes();
        let fits = |offset: u32| offset % unit == 0 && offset / unit <= largest;
        let value = match base {
            Argument::Value(value) => value,
            Argument::Constant(number) => {
                let at = (number as u32).wrapping_add(offset as u32);
                if at >= 1 << 16 {
                    return self.error(format!("the address {at:#x} is outside of shared memory"));
                }
                if fits(at) {
                    return Ok(Source::Shared {
                        offset: at,
                        access,
                        address: 0,
                    });
                }
                let (_, address) = self.add_to_address(0, at)?;
                return Ok(Source::Shared {
                    offset: 0,
                    access,
                    address,
                });
            }
        };
        let word = self.low(value);
        let offset = offset as u32;
        // Addresses, and the constants in address registers, are computed modulo 2^16.
        let (address, added) = self.address_register(word, |added| fits(offset.wrapping_sub(added) & 0xffff));
        let rest = offset.wrapping_sub(added) & 0xffff;
        if fits(rest) {
            return Ok(Source::Shared {
                offset: rest,
                access,
                address,
            });
        }
        // Accesses to neighbouring addresses are likely, so the new register's constant is rounded down.
        let window = if rest % unit == 0 {
            rest / unit % (largest + 1) * unit
        } else {
            0
        };
        let (index, address) = self.add_to_address(address, rest.wrapping_sub(window))?;
        self.addresses[index] = Some((word, offset.wrapping_sub(window)));
        Ok(Source::Shared {
            offset: window,
            access,
            address,
        })
    }

    fn load_shared(&mut self, to: Word, base: Argument, offset: i32, ty: Type) -> Result<(), CompileError> {
        let source = self.shared(base, offset, narrowest(ty), LARGEST_OFFSET)?;
        self.extended(Operation::Mov { width: Width::B32 }, to, source, ty);
        Ok(())
    }

    /// Moves a number of this type, from a source with its [`narrowest`] access, to a word. Bytes are zero-extended by
    /// the access, so signed ones are extended again.
    fn extended(&mut self, operation: Operation, to: Word, source: Source, ty: Type) {
        if ty.bits == 8 && ty.kind == Kind::Signed {
            let byte = self.temporary();
            self.unary(operation, byte, source);
            self.convert_integer(to, full(byte), Integer::S8);
        } else {
            self.unary(operation, to, source);
        }
    }

    fn store_shared(&mut self, value: Source, base: Argument, offset: i32, ty: Type) -> Result<(), CompileError> {
        let access = match ty.bits {
            8 => Access::U8,
            16 => Access::U16,
            _ => Access::B32,
        };
        let value = self.in_word(value);
        let place = self.shared(base, offset, access, FAR)?;
        self.emit(
            Operation::R2g,
            Destination::None,
            [Some(place), None, Some(full(value))],
        );
        Ok(())
    }

    pub(super) fn parameter(&mut self, instruction: &ir::Instruction, offset: u32) -> Result<(), CompileError> {
        let ty = instruction.ty;
        let words = self.words_of(&instruction.results, ty);
        let step = u32::from(ty.bits.min(32) / 8);
        for (index, &word) in words.iter().enumerate() {
            let at = offset + step * index as u32;
            match at.checked_sub(SHARED_PARAMETER_BYTES) {
                None => self.load_shared(word, Argument::Constant((HEADER_BYTES + at).into()), 0, ty)?,
                Some(offset) => {
                    let access = narrowest(ty);
                    let source = Source::Parameter { offset, access };
                    self.extended(Operation::Mvc { width: Width::B32 }, word, source, ty);
                }
            }
        }
        Ok(())
    }

    /// Returns a word with the value of a special register, which is read once in each block.
    pub(super) fn special(&mut self, special: Special) -> Result<Word, CompileError> {
        if let Some(&word) = self.specials.get(&special) {
            return Ok(word);
        }
        let to = self.temporary();
        let header = |index: u8| Source::Shared {
            offset: 2 * u32::from(index),
            access: Access::U16,
            address: 0,
        };
        let thread = self.thread();
        match special {
            Special::ThreadIndex(0) => self.convert_integer(to, Source::Word(thread, RegisterPart::Low), Integer::U16),
            Special::ThreadIndex(1) => {
                let high = self.temporary();
                self.convert_integer(high, Source::Word(thread, RegisterPart::High), Integer::U16);
                self.binary(logic(Logic::And), to, full(high), Source::Immediate(0x3ff));
            }
            Special::ThreadIndex(_) => self.binary(shift_right(false), to, full(thread), Source::Immediate(26)),
            Special::BlockSize(dimension) => self.copy(to, header(1 + dimension)),
            Special::GridSize(dimension) => self.copy(to, header(4 + dimension)),
            Special::BlockIndex(dimension) => self.copy(to, header(6 + dimension)),
            Special::Lane => {
                let id = self.temporary();
                self.unary(Operation::S2r, id, Source::Special(0));
                self.binary(logic(Logic::And), to, full(id), Source::Immediate(31));
            }
            Special::Clock => self.unary(Operation::S2r, to, Source::Special(1)),
        }
        if special != Special::Clock {
            self.specials.insert(special, to);
        }
        Ok(to)
    }
}
