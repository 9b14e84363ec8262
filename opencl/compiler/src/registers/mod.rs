//! Register allocation for virtual words.
//!
//! ```text
//! liveness ──> interference ──> coalescing of copies ──> colouring, few registers first
//!     ^                                                      │ too few: words are spilled to local memory
//!     └──────────────────────────────────────────────────────┘
//! ```

mod assignment;
mod colour;
mod interference;
mod liveness;
pub mod numbers;
mod spill;

use crate::error::CompileError;
use crate::machine_ir::Code;
use liveness::liveness;

pub use assignment::Assignment;
pub use colour::{colour, Limits};

/// The number of registers for words. R124 and above read as zero.
pub const REGISTERS: usize = 124;

/// Dead-code elimination: removes instructions whose results are never read. Returns the number removed.
pub fn drop_dead(code: &mut Code) -> usize {
    let mut dropped = 0;
    loop {
        let live = liveness(code);
        let before = dropped;
        for (block, mut needed) in code.blocks.iter_mut().zip(live.at_end) {
            let mut kept = Vec::with_capacity(block.instructions.len());
            for mut instruction in block.instructions.drain(..).rev() {
                let writes = instruction.writes();
                if !writes.iter().any(|word| needed.contains(word.0 as usize)) {
                    if instruction.is_pure() {
                        dropped += 1;
                        continue;
                    }
                    instruction.drop_old_value();
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

/// Assigns at most `registers` registers, and removes copies between words that have the same register. Other words are
/// spilled to local memory: their slots are added to `local_bytes`.
///
/// # Errors
/// A single instruction needs more registers than there are, or local memory does not suffice.
pub fn assign(code: &mut Code, registers: usize, local_bytes: &mut u32) -> Result<Assignment, CompileError> {
    let assignment = spill::colour(code, registers.min(REGISTERS), local_bytes)?;
    for block in &mut code.blocks {
        block.instructions.retain(|instruction| match instruction.copied() {
            Some((to, from)) => assignment.of(to) != assignment.of(from),
            None => true,
        });
    }
    Ok(assignment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine_ir::{Destination, Word};
    use crate::testing::code;

    #[test]
    fn vectors_get_neighbouring_registers() {
        let mut code = code(
            "ld.param.u32 %r1, [out];\nld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%r1];\nadd.s32 %r2, %r2, %r5;\n\
             st.global.v4.u32 [%r1], {%r5, %r4, %r3, %r2};\nst.global.v2.u32 [%r1+16], {%r3, %r4};\nret;",
        );
        let assignment = assign(&mut code, REGISTERS, &mut 0).unwrap_or_else(|error| panic!("{error}"));
        let groups = code
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .filter(|i| !i.group.is_empty());
        let mut seen = 0;
        for instruction in groups {
            let registers: Vec<u8> = instruction.group.iter().map(|&word| assignment.of(word)).collect();
            assert_eq!(usize::from(registers[0]) % registers.len(), 0, "{registers:?}");
            assert!(registers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{registers:?}");
            seen += 1;
        }
        assert_eq!(seen, 3);
    }

    #[test]
    fn two_words_alive_at_once_never_share_a_register() {
        let code = code(
            "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nmul.hi.u32 %r3, %r1, %r2;\ndiv.u32 %r4, %r3, %r2;\n\
             mul.wide.u32 %rd1, %r1, %r4;\nst.global.u64 [%r2], %rd1;\nst.global.u32 [%r2+8], %r3;\nret;",
        );
        // The copies are still there; a shared register makes them superfluous.
        let costs = vec![None; code.words as usize];
        let limits = Limits {
            registers: REGISTERS,
            costs: &costs,
        };
        let assignment = colour(&code, &limits).expect("registers");
        let live = liveness(&code);
        for (block, mut alive) in code.blocks.iter().zip(live.at_end) {
            for instruction in block.instructions.iter().rev() {
                for written in instruction.writes() {
                    let same = alive.ones().filter(|&other| {
                        let copies = instruction.copied() == Some((written, Word(other as u32)));
                        other != written.0 as usize
                            && !copies
                            && assignment.register[other] == Some(assignment.of(written))
                    });
                    assert_eq!(same.count(), 0, "{instruction:?}");
                    alive.set(written.0 as usize, false);
                }
                for word in instruction.reads() {
                    alive.insert(word.0 as usize);
                }
            }
        }
    }

    #[test]
    fn a_comparison_for_one_branch_has_no_result() {
        let code = code("setp.eq.s32 %p1, %r1, 0;\n@%p1 bra END;\nst.global.u32 [%r1], 1;\nEND:\nret;");
        let first = &code.blocks[0].instructions;
        assert!(
            matches!(first.as_slice(), [compare] if compare.destination == Destination::Discard && compare.code == Some(1))
        );
    }
}
