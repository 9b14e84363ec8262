//! The result of register allocation.

use crate::machine_ir::Word;

/// The register of each word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The register of each word; `None` for a word that is never live.
    pub register: Vec<Option<u8>>,
    /// The number of registers of a thread: one more than the highest.
    pub count: u32,
}

impl Assignment {
    /// Returns the register of a word: R0, with an arbitrary value, for a word that is never written.
    pub fn of(&self, word: Word) -> u8 {
        self.register.get(word.0 as usize).copied().flatten().unwrap_or(0)
    }
}
