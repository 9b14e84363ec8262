//! A program, decoded once.
//!
//! The model meets an instruction many times but decodes it only here, when the program is loaded. Decoding is done at
//! every word, as if the PC could come to each, because a branch may go to any.

use crate::error::ErrorKind;
use flexgrip_isa::{Instruction, Meaning};

/// What stands at one address of a program.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The instruction word, a short one in bits 31..0.
    pub word: u64,
    /// Its length in bytes, 4 or 8.
    pub bytes: u32,
    /// What it means; `None` if it is no instruction, or none that this core executes.
    pub meaning: Option<Meaning>,
}

/// A decoded program.
#[derive(Clone, Debug)]
pub struct Program {
    /// By word address; `None` where a long instruction would not lie on an 8-byte boundary inside of the program.
    places: Vec<Option<Fetched>>,
}

impl Program {
    /// Decodes the program whose 32-bit words begin at byte address 0.
    pub fn new(words: &[u32]) -> Self {
        let places = (0..words.len())
            .map(|at| {
                let low = words[at];
                let (word, bytes) = if low & 1 == 0 {
                    (u64::from(low), 4)
                } else if at % 2 == 0 {
                    (u64::from(*words.get(at + 1)?) << 32 | u64::from(low), 8)
                } else {
                    return None;
                };
                let instruction = flexgrip_isa::decode(word).ok().filter(Instruction::executed);
                let meaning = instruction.map(|instruction| instruction.meaning());
                Some(Fetched { word, bytes, meaning })
            })
            .collect();
        Program { places }
    }

    /// What stands at byte address `pc`.
    ///
    /// # Errors
    /// [`ErrorKind::ProgramCounter`] if `pc` is out of the program, is no multiple of 4, or holds a long instruction that
    /// is not on an 8-byte boundary or has its high half out of the program.
    pub fn fetch(&self, pc: u32) -> Result<&Fetched, ErrorKind> {
        match self.places.get(pc as usize / 4) {
            Some(Some(fetched)) if pc % 4 == 0 => Ok(fetched),
            _ => Err(ErrorKind::ProgramCounter),
        }
    }
}
