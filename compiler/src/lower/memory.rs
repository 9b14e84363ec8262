//! Global and shared memory, parameters and special registers.

use super::arithmetic::{add, logic, shift_right, SHIFT_LEFT};
use super::machine::{Destination, Instruction, Source, Word};
use super::{full, Lowering};
use crate::error::CompileError;
use crate::ir::build::HEADER_BYTES;
use crate::ir::{self, Argument, Special, Value};
use crate::ptx::ast::{Kind, Space, Type};
use flexgrip_isa::{Access, Integer, Logic, MemoryAccess, Operation, Part, Sum, Width};

/// The global space that programs use.
const GLOBAL: u8 = 14;
/// Offsets of operands in shared memory have five bits, in units of the access.
const LARGEST_OFFSET: u32 = 31;

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

/// Pieces that accesses of this many words fall into, each of 1, 2 or 4.
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

impl Lowering<'_> {
    /// Base plus offset in a word.
    fn address(&mut self, base: Argument, offset: i32) -> Word {
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

    /// The words of values of this type, low before high.
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

    pub(super) fn load(
        &mut self,
        instruction: &ir::Instruction,
        space: Space,
        offset: i32,
    ) -> Result<(), CompileError> {
        let ty = instruction.ty;
        let Some(&base) = instruction.arguments.first() else {
            return self.error("a load without an address");
        };
        let words = self.words_of(&instruction.results, ty);
        if space == Space::Shared {
            let step = u32::from(ty.bits.min(32) / 8);
            // All are loaded before any is written: one may be the address.
            let loaded: Vec<Word> = match words.len() {
                1 => words.clone(),
                _ => words.iter().map(|_| self.temporary()).collect(),
            };
            for (index, &word) in loaded.iter().enumerate() {
                self.load_shared(word, base, offset.wrapping_add((step * index as u32) as i32), ty)?;
            }
            for (&to, &from) in words.iter().zip(&loaded) {
                self.copy(to, full(from));
            }
            return Ok(());
        }
        let vector = instruction.results.len() > 1 && ty.bits < 32;
        if vector && usize::from(ty.bits) * instruction.results.len() <= 32 {
            let address = self.address(base, offset);
            return self.load_packed(&words, address, ty);
        }
        if ty.bits < 32 {
            // Eight bytes and more of small elements: one after the other, the first last if it is the address.
            let loaded: Vec<Word> = match words.len() {
                1 => words.clone(),
                _ => words.iter().map(|_| self.temporary()).collect(),
            };
            for (index, &word) in loaded.iter().enumerate() {
                let at = offset.wrapping_add(i32::from(ty.bits / 8) * index as i32);
                let address = self.address(base, at);
                let access = scalar(ty);
                self.unary(Operation::Gld { space: GLOBAL, access }, word, full(address));
            }
            for (&to, &from) in words.iter().zip(&loaded) {
                self.copy(to, full(from));
            }
            return Ok(());
        }
        if let [word] = words.as_slice() {
            let address = self.address(base, offset);
            let access = MemoryAccess::B32;
            self.unary(Operation::Gld { space: GLOBAL, access }, *word, full(address));
            return Ok(());
        }
        let mut loaded = Vec::new();
        let mut at = offset;
        for piece in pieces(words.len()) {
            let address = self.address(base, at);
            let group: Vec<Word> = (0..piece).map(|_| self.temporary()).collect();
            self.grouped(
                Operation::Gld {
                    space: GLOBAL,
                    access: access_of(piece),
                },
                Destination::Word(group[0]),
                [Some(full(address)), None, None],
                group.clone(),
            );
            loaded.extend(group);
            at = at.wrapping_add(4 * piece as i32);
        }
        for (&to, &from) in words.iter().zip(&loaded) {
            self.copy(to, full(from));
        }
        Ok(())
    }

    fn grouped(
        &mut self,
        operation: Operation,
        destination: Destination,
        sources: [Option<Source>; 3],
        group: Vec<Word>,
    ) {
        let group = if group.len() > 1 { group } else { Vec::new() };
        self.push(Instruction {
            operation,
            test: None,
            destination,
            code: None,
            sources,
            group,
            place: self.place,
        });
    }

    /// Small elements that lie in one aligned word, or half of one: one access.
    fn load_packed(&mut self, words: &[Word], address: Word, ty: Type) -> Result<(), CompileError> {
        let bits = u32::from(ty.bits);
        let signed = ty.kind == Kind::Signed;
        let access = match bits * words.len() as u32 {
            32 => MemoryAccess::B32,
            _ => MemoryAccess::U16,
        };
        let packed = self.temporary();
        self.unary(Operation::Gld { space: GLOBAL, access }, packed, full(address));
        for (index, &word) in words.iter().enumerate() {
            let at = bits * index as u32;
            match (bits, signed) {
                (16, _) => {
                    let part = if index == 0 { Part::Low } else { Part::High };
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
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        instruction: &ir::Instruction,
        space: Space,
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
        if space == Space::Shared {
            for (index, &word) in words.iter().enumerate() {
                self.store_shared(word, base, offset.wrapping_add(step * index as i32), ty)?;
            }
            return Ok(());
        }
        if ty.bits < 32 || words.len() == 1 {
            for (index, &word) in words.iter().enumerate() {
                let value = self.in_word(word);
                let address = self.address(base, offset.wrapping_add(step * index as i32));
                let access = scalar(ty);
                self.emit(
                    Operation::Gst { space: GLOBAL, access },
                    Destination::None,
                    [Some(full(address)), None, Some(full(value))],
                );
            }
            return Ok(());
        }
        let mut at = offset;
        let mut rest = words.as_slice();
        for piece in pieces(words.len()) {
            let (now, later) = rest.split_at(piece);
            rest = later;
            let address = self.address(base, at);
            let group: Vec<Word> = now
                .iter()
                .map(|&source| {
                    let word = self.temporary();
                    self.copy(word, source);
                    word
                })
                .collect();
            self.grouped(
                Operation::Gst {
                    space: GLOBAL,
                    access: access_of(piece),
                },
                Destination::None,
                [Some(full(address)), None, Some(full(group[0]))],
                group,
            );
            at = at.wrapping_add(4 * piece as i32);
        }
        Ok(())
    }

    /// Takes the next address register.
    fn take_address(&mut self) -> (usize, u8) {
        let index = self.next_address;
        self.next_address = (index + 1) % self.addresses.len();
        self.addresses[index] = None;
        (index, index as u8 + 1)
    }

    /// An address register that holds the word.
    fn address_register(&mut self, word: Word) -> u8 {
        if let Some(index) = self.addresses.iter().position(|&held| held == Some(word)) {
            return index as u8 + 1;
        }
        let (index, register) = self.take_address();
        self.emit(
            Operation::R2a { shift: 0 },
            Destination::Address(register),
            [Some(full(word)), None, None],
        );
        self.addresses[index] = Some(word);
        register
    }

    /// An operand in shared memory whose offset is at most `largest` units.
    fn shared(&mut self, base: Argument, offset: i32, access: Access, largest: u32) -> Result<Source, CompileError> {
        let unit = access.bytes();
        let fits = |offset: u32| offset % unit == 0 && offset / unit <= largest;
        let Argument::Value(value) = base else {
            let Argument::Constant(number) = base else {
                return self.error("an address that is not one");
            };
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
            let word = self.in_word(Source::Immediate(at));
            let address = self.address_register(word);
            return Ok(Source::Shared {
                offset: 0,
                access,
                address,
            });
        };
        let word = self.low(value);
        if offset >= 0 && fits(offset as u32) {
            let address = self.address_register(word);
            return Ok(Source::Shared {
                offset: offset as u32,
                access,
                address,
            });
        }
        let word = self.address(base, offset);
        let address = self.address_register(word);
        Ok(Source::Shared {
            offset: 0,
            access,
            address,
        })
    }

    fn load_shared(&mut self, to: Word, base: Argument, offset: i32, ty: Type) -> Result<(), CompileError> {
        let signed = ty.kind == Kind::Signed;
        let access = match ty.bits {
            8 => Access::U8,
            16 if signed => Access::S16,
            16 => Access::U16,
            _ => Access::B32,
        };
        let source = self.shared(base, offset, access, LARGEST_OFFSET)?;
        if ty.bits == 8 && signed {
            let byte = self.temporary();
            self.copy(byte, source);
            self.convert_integer(to, full(byte), Integer::S8);
        } else {
            self.unary(Operation::Mov { width: Width::B32 }, to, source);
        }
        Ok(())
    }

    fn store_shared(&mut self, value: Source, base: Argument, offset: i32, ty: Type) -> Result<(), CompileError> {
        let access = match ty.bits {
            8 => Access::U8,
            16 => Access::U16,
            _ => Access::B32,
        };
        let value = self.in_word(value);
        let place = self.shared(base, offset, access, (1 << 14) - 1)?;
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
            let at = HEADER_BYTES + offset + step * index as u32;
            self.load_shared(word, Argument::Constant(at.into()), 0, ty)?;
        }
        Ok(())
    }

    /// A special register in a word, read once in a block.
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
            Special::ThreadIndex(0) => self.convert_integer(to, Source::Word(thread, Part::Low), Integer::U16),
            Special::ThreadIndex(1) => {
                let high = self.temporary();
                self.convert_integer(high, Source::Word(thread, Part::High), Integer::U16);
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
