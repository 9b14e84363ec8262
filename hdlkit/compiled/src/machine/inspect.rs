//! Inspection and modification of the state of a circuit that runs as machine code, between two cycles, for debuggers
//! and for faults.
//!
//! Registers, memories and called blocks have numbers, in the order of the circuit's fields; [`Code`] has their names.
//! Changes take effect with the next [`settle`](MachineCode::settle).

use super::code::Code;
use super::machine_code::MachineCode;
use crate::design::{mask, Target};
use hdlkit::kernel::shape::Shape;
use hdlkit::kernel::syntax::source_text::pretty;
use std::any::Any;
use std::sync::Arc;

/// A register's field, or a register without fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlipFlop {
    /// The path: `top.sm[0].scheduler.candidate.pc`.
    pub name: String,
    /// The width in bits, 1 to 128.
    pub width: u32,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryShape<'a> {
    /// The path: `top.sm[0].register_file.bank[3]`.
    pub name: &'a str,
    /// The number of elements.
    pub elements: u32,
    /// Words of an element.
    pub stride: usize,
    /// An element's type.
    pub shape: &'a Shape,
}

impl Code {
    /// The registers' fields, by number.
    pub fn flip_flops(&self) -> impl Iterator<Item = FlipFlop> + '_ {
        self.design.registers.iter().map(|register| {
            let cell = &self.design.cells[register.cell as usize];
            FlipFlop {
                name: pretty(&cell.name.replacen("$q", "", 1)),
                width: cell.width,
            }
        })
    }

    /// The register of the switch of a fault in a block of gates, and its bit there; `None` if there is no such block
    /// or fault.
    pub fn gate_fault(&self, path: &str, fault: u32) -> Option<(Target, u128)> {
        let block = self.design.switches.iter().find(|block| block.path == path)?;
        let (register, bit) = block.place(fault)?;
        Some((Target::FlipFlop(register as usize), 1 << bit))
    }

    /// True if a register has only switches of faults in a block of gates.
    pub fn is_gate_faults(&self, number: usize) -> bool {
        self.design.has_switches(number as u32)
    }

    /// The memories, by number.
    pub fn memories(&self) -> impl Iterator<Item = MemoryShape<'_>> {
        self.design.memories.iter().map(|memory| MemoryShape {
            name: &memory.name,
            elements: memory.elements,
            stride: memory.stride as usize,
            shape: &memory.shape,
        })
    }

    /// The widths of the words of a memory's element, in bits; `None` if the memory does not exist.
    pub fn word_widths(&self, memory: usize) -> Option<Vec<u32>> {
        Some(self.design.memories.get(memory)?.word_widths().collect())
    }

    /// The paths of the blocks that are called, by number.
    pub fn called(&self) -> impl Iterator<Item = &str> {
        self.design.opaques.iter().map(|block| block.name.as_str())
    }

    /// The type of a shown signal, by its number among them.
    pub fn shown_shape(&self, number: usize) -> Option<&Shape> {
        Some(&self.design.shown.get(number)?.shape)
    }
}

impl MachineCode {
    /// The machine code that runs.
    pub fn code(&self) -> &Code {
        &self.0.code
    }

    /// The machine code, to create further machines.
    pub fn shared_code(&self) -> Arc<Code> {
        self.0.code.clone()
    }

    /// A register's value; `None` if the register does not exist.
    pub fn flip_flop(&self, number: usize) -> Option<u128> {
        let (at, width) = self.0.register(number)?;
        Some(self.0.value(at, width))
    }

    /// Sets a register to the low bits of `value`. Returns false if the register does not exist.
    pub fn set_flip_flop(&mut self, number: usize, value: u128) -> bool {
        self.0.set_register(number, value)
    }

    /// A memory's words, element by element; `None` if the memory does not exist.
    pub fn memory(&self, number: usize) -> Option<&[u64]> {
        self.0.memory_words(number)
    }

    /// Sets a word of a memory to the low bits of `value`. Registered read data stay as they are. Returns false if the
    /// word does not exist.
    pub fn set_memory(&mut self, number: usize, word: usize, value: u64) -> bool {
        self.0.set_memory_word(number, word, value)
    }

    /// The words and the bits of the first one that hold a field of an element, both by number; `None` if there is no such
    /// memory, element or field.
    fn field(&self, memory: usize, element: usize, field: usize) -> Option<(usize, u32, u32)> {
        let about = self.0.code.design.memories.get(memory)?;
        let (word, low, width) = *about.fields.get(field)?;
        let word = element.checked_mul(about.stride as usize)?.checked_add(word)?;
        (element < about.elements as usize).then_some((word, low, width))
    }

    /// A field of a memory's element, by number; a field of more than 64 bits without the upper ones. `None` if there is no
    /// such memory, element or field.
    pub fn memory_field(&self, memory: usize, element: usize, field: usize) -> Option<u64> {
        let (word, low, width) = self.field(memory, element, field)?;
        let value = self.memory(memory)?.get(word)? >> low;
        Some(value & mask(width) as u64)
    }

    /// Sets a field of a memory's element to the low bits of `value`, a field of more than 64 bits without the upper ones.
    /// Registered read data stay as they are. Returns false if there is no such memory, element or field.
    pub fn set_memory_field(&mut self, memory: usize, element: usize, field: usize, value: u64) -> bool {
        let Some((word, low, width)) = self.field(memory, element, field) else {
            return false;
        };
        let ones = mask(width) as u64;
        let old = self.memory(memory).and_then(|words| words.get(word)).copied();
        let new = old.unwrap_or_default() & !(ones << low) | (value & ones) << low;
        self.set_memory(memory, word, new)
    }

    /// A called block; `None` if it does not exist, or is of another type.
    pub fn block<T: Any>(&self, number: usize) -> Option<&T> {
        self.0.opaque(number)?.block().downcast_ref()
    }

    /// A called block, to change its state; `None` if it does not exist, or is of another type.
    pub fn block_mut<T: Any>(&mut self, number: usize) -> Option<&mut T> {
        self.0.opaque_mut(number)?.block_mut().downcast_mut()
    }

    /// The value of a shown signal's field after the last settling, both by number; a signal without fields has one.
    pub fn signal(&self, number: usize, field: usize) -> Option<u128> {
        let &(_, width, _, place) = self.0.code.design.shown.get(number)?.fields.get(field)?;
        let words = &self.0.state[self.0.ports.clone()][place as usize..];
        let high = if width > 64 { words[1] } else { 0 };
        Some(u128::from(high) << 64 | u128::from(words[0]))
    }
}
