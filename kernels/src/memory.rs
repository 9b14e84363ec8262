//! Contents of memory: words in order, and the conversion of floats and bytes to words.

use std::collections::BTreeMap;

/// Fills memory that a kernel must not change or must overwrite, so that a stray or missing store is detected.
pub const CANARY: u32 = 0xdead_beef;

/// Global memory from address 0, appended piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) words: Vec<u32>,
}

impl Memory {
    /// Appends words. Returns the byte address of the first one.
    pub(crate) fn place(&mut self, words: impl IntoIterator<Item = u32>) -> u32 {
        let address = 4 * self.words.len() as u32;
        self.words.extend(words);
        address
    }

    /// Appends canaries, as a border or as space for results. Returns the byte address of the first one.
    pub(crate) fn canaries(&mut self, count: usize) -> u32 {
        self.place(std::iter::repeat_n(CANARY, count))
    }
}

/// Consecutive results, starting at byte address `at`.
pub(crate) fn results(at: u32, words: impl IntoIterator<Item = u32>) -> BTreeMap<u32, u32> {
    (at..).step_by(4).zip(words).collect()
}

/// Floats as words of memory.
pub(crate) fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}

/// Bytes as words of memory, padded with zeros.
pub(crate) fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks(4)
        .map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        })
        .collect()
}
