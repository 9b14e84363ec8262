//! Decoding of a program's next word: its length, its row, and whether it is a control word.

use crate::index::Index;
use crate::set::{ones, Row, Set};

/// A decoded word.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    /// The word; bits above its length are 0.
    pub word: u128,
    /// Length in bytes.
    pub bytes: u8,
    /// The row that matches the word, if there is one.
    pub row: Option<&'static Row>,
    /// True for a control word, or for a word at the address of a control word.
    pub control: bool,
    /// True if the length is known; otherwise `bytes` is one unit.
    pub known: bool,
    /// True after a word of unknown length: the word may begin within an instruction.
    pub unsure: bool,
    /// True for zeros after the end of a program.
    pub padding: bool,
}

/// The first bytes as a number, little-endian; missing bytes are 0.
pub(super) fn word(bytes: &[u8]) -> u128 {
    let mut word = [0; 16];
    let count = bytes.len().min(16);
    word[..count].copy_from_slice(&bytes[..count]);
    u128::from_le_bytes(word)
}

impl Set {
    /// True if a control word belongs at this address.
    pub fn is_control(&self, address: u64) -> bool {
        let control = self.control.as_ref();
        control.is_some_and(|control| address % u64::from(control.period.max(1)) == 0)
    }

    /// The rows for the address: control words or instructions.
    pub(super) fn index_at(&self, address: u64) -> &Index {
        let index = self.index();
        match &index.control {
            Some(control) if self.is_control(address) => control,
            _ => index,
        }
    }

    /// Decodes the word at the beginning of the bytes; `None` if there are no bytes. Too few bytes for an instruction
    /// are data.
    pub fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded> {
        if bytes.is_empty() {
            return None;
        }
        let all = word(bytes);
        let known = self.known_length(all);
        let length = known.unwrap_or(self.unit);
        let whole = usize::from(length) <= bytes.len();
        let bytes = if whole { length } else { bytes.len().min(16) as u8 };
        let word = all & ones(8 * u32::from(bytes));
        let index = self.index_at(address);
        let row = match whole && known.is_some() {
            true => index.find(word),
            false => None,
        };
        Some(Decoded {
            word,
            bytes,
            row: row.map(|row| index.rows[row as usize]),
            control: self.is_control(address),
            known: known.is_some(),
            unsure: false,
            padding: false,
        })
    }
}
