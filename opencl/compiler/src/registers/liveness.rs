//! Live words of each block.

use crate::analysis::live::{live, Effects, Live};
use crate::machine_ir::Code;

/// Returns the reads and writes of each block.
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

/// Computes the live words of each block. Every condition must already be on a condition code.
pub(crate) fn liveness(code: &Code) -> Live {
    live(&code.successors(), &effects(code))
}
