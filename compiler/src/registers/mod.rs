//! Registers for the virtual words.
//!
//! ```text
//! liveness ──> interference ──> coalescing of copies ──> colouring, few registers first
//! ```

mod colour;
mod interference;

use crate::error::CompileError;
use crate::lower::machine::{Code, Word};
use crate::passes::live::{live, Effects, Live};

pub use colour::colour;

/// Registers that words get. R124 and above read as zero.
pub const REGISTERS: usize = 124;

/// The register of each word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// By word; `None` for one that is never live.
    pub register: Vec<Option<u8>>,
    /// Registers of a thread: one more than the highest.
    pub count: u32,
}

impl Assignment {
    /// The register of a word. One that is read without ever being written is R0, with whatever is there.
    pub fn of(&self, word: Word) -> u8 {
        self.register.get(word.0 as usize).copied().flatten().unwrap_or(0)
    }
}

/// Reads and writes of each block.
fn effects(code: &Code) -> Vec<Effects> {
    code.blocks
        .iter()
        .map(|block| {
            let mut effects = Effects::new(code.words as usize);
            for instruction in &block.instructions {
                for word in instruction.reads() {
                    effects.read(word.0 as usize);
                }
                for word in instruction.writes() {
                    effects.write(word.0 as usize);
                }
            }
            effects
        })
        .collect()
}

/// What is live in the code. Every condition must be on a condition code by now.
pub(crate) fn liveness(code: &Code) -> Live {
    live(&code.successors(), &effects(code))
}

/// Drops instructions whose results nobody reads. Returns how many.
pub fn drop_dead(code: &mut Code) -> usize {
    let mut dropped = 0;
    loop {
        let live = liveness(code);
        let before = dropped;
        for (block, mut needed) in code.blocks.iter_mut().zip(live.at_end) {
            let mut kept = Vec::with_capacity(block.instructions.len());
            for instruction in block.instructions.drain(..).rev() {
                let writes = instruction.writes();
                if instruction.is_pure() && !writes.iter().any(|word| needed.contains(word.0 as usize)) {
                    dropped += 1;
                    continue;
                }
                for word in writes {
                    needed.set(word.0 as usize, false);
                }
                for word in instruction.reads() {
                    needed.insert(word.0 as usize);
                }
                kept.push(instruction);
            }
            kept.reverse();
            block.instructions = kept;
        }
        if dropped == before {
            return dropped;
        }
    }
}

/// Assigns registers, and drops the copies that this makes superfluous.
///
/// # Errors
/// More registers are needed than there are.
pub fn assign(code: &mut Code) -> Result<Assignment, CompileError> {
    let assignment = colour(code)?;
    for block in &mut code.blocks {
        block.instructions.retain(|instruction| match instruction.copied() {
            Some((to, from)) => assignment.of(to) != assignment.of(from),
            None => true,
        });
    }
    Ok(assignment)
}
