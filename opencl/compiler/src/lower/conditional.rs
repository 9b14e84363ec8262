//! If-conversion: replaces short sides of branches by conditional instructions.
//!
//! A divergent branch costs three to five instructions: SSY, branch and pop. A short side costs less as predicated code
//! that all threads execute. Values that only the side reads are computed without a condition. Memory, and values that
//! other code reads, are only changed by the threads of the side.
//!
//! A conditional instruction needs the long form, so a constant becomes a literal; literals are limited, and kernels
//! with many constants keep their branches.

use crate::analysis::flow::predecessors;
use crate::ir::build::HEADER_BYTES;
use crate::machine_ir::{is_access, Block, Code, Destination, End, Instruction, Predicate, Source, Test, Word};
use crate::registers::numbers;
use fixedbitset::FixedBitSet;
use flexgrip_isa::{Operation, Sum};
use std::collections::HashSet;

/// The maximum number of instructions that cost no more than divergence and reconvergence, if other branches do not use
/// the join.
const ALONE: usize = 4;
/// The maximum number of instructions if other branches use the join, so SSY and pop are still needed.
const SHARED: usize = 2;
/// The maximum number of instructions for a uniform branch: only the branch is saved.
const UNIFORM: usize = 1;
/// The maximum number of different constants in a kernel for which conditional instructions may use literals. The bank
/// has 128 literals.
const NUMBERS: usize = 100;
/// The number of edges from the branch and its sides to the join.
const ENDS: usize = 2;
/// The maximum number of rounds, for nested branches.
const ROUNDS: usize = 8;

/// Runs if-conversion. `divergent` has the blocks with a divergent branch, and is updated. A block that was merged into
/// another has no instructions and returns. If `parameter_bytes`, the size of the parameters, is given, only the
/// threads of a side load from fixed addresses of shared memory after the parameters. Returns the number of branches
/// removed.
pub fn convert(code: &mut Code, divergent: &mut FixedBitSet, parameter_bytes: Option<u32>) -> usize {
    let parameters = parameter_bytes.map_or(u32::MAX, |bytes| HEADER_BYTES + bytes);
    let literals = numbers::count(code) <= NUMBERS;
    let mut converted = 0;
    for _ in 0..ROUNDS {
        let homes = homes(code);
        let mut from = predecessors(&code.successors());
        let mut changed = vec![false; code.blocks.len()];
        let before = converted;
        for at in 0..code.blocks.len() {
            let Some(found) = branch(code, &from, at) else {
                continue;
            };
            if found.sides.iter().any(|(side, _)| changed[*side]) || changed[at] {
                continue;
            }
            let limit = match (divergent.contains(at), from[found.join].len() > ENDS) {
                (false, _) => UNIFORM,
                (true, false) => ALONE,
                (true, true) => SHARED,
            };
            let mut made = Vec::new();
            let possible = found.sides.iter().all(|&(side, test)| {
                let instructions = &code.blocks[side].instructions;
                let here = |word: Word| homes[word.0 as usize] == Home::Block(side);
                instructions.len() <= limit && conditional(instructions, test, here, (literals, parameters), &mut made)
            });
            if !possible {
                continue;
            }
            converted += 1;
            changed[at] = true;
            code.blocks[at].instructions.append(&mut made);
            code.blocks[at].end = End::Jump(found.join);
            divergent.set(at, false);
            for &(side, _) in &found.sides {
                clear(&mut code.blocks[side]);
                changed[side] = true;
            }
            from[found.join].retain(|&other| !found.sides.iter().any(|&(side, _)| side == other));
            if !from[found.join].contains(&at) {
                from[found.join].push(at);
            }
            if from[found.join] == [at] && found.join != 0 {
                let mut next = code.blocks[found.join].clone();
                clear(&mut code.blocks[found.join]);
                changed[found.join] = true;
                for to in next.successors() {
                    for other in &mut from[to] {
                        if *other == found.join {
                            *other = at;
                        }
                    }
                }
                let block = &mut code.blocks[at];
                block.instructions.append(&mut next.instructions);
                (block.end, block.place) = (next.end, next.place);
                divergent.set(at, divergent.contains(found.join));
                divergent.set(found.join, false);
                // The order of returns must not change, because the last one is the main return. (The entry stays the
                // first block; if it returns, there are no other blocks.)
                if code.blocks[at].end == End::Return && at != 0 {
                    code.blocks.swap(at, found.join);
                    for &before in &from[at] {
                        code.blocks[before].retarget(at, found.join);
                    }
                    from[found.join] = std::mem::take(&mut from[at]);
                }
            }
        }
        if converted == before {
            break;
        }
    }
    converted
}

fn clear(block: &mut Block) {
    block.instructions.clear();
    block.end = End::Return;
}

/// A branch whose sides are single blocks between the branch and its join.
struct Branch {
    /// The sides, each with its condition.
    sides: Vec<(usize, Test)>,
    join: usize,
}

fn branch(code: &Code, from: &[Vec<usize>], at: usize) -> Option<Branch> {
    let End::Branch { test, taken, otherwise } = code.blocks[at].end else {
        return None;
    };
    if !matches!(test.predicate, Predicate::Word(_)) || taken == otherwise {
        return None;
    }
    let turned = Test {
        holds: !test.holds,
        ..test
    };
    let leads = |side: usize| match code.blocks[side].end {
        End::Jump(to) if from[side] == [at] && side != 0 && side != at && to != at && to != side => Some(to),
        _ => None,
    };
    let found = match (leads(taken), leads(otherwise)) {
        (Some(join), _) if join == otherwise => (vec![(taken, test)], join),
        (_, Some(join)) if join == taken => (vec![(otherwise, turned)], join),
        (Some(join), Some(other)) if join == other => (vec![(taken, test), (otherwise, turned)], join),
        _ => return None,
    };
    let (sides, join) = found;
    Some(Branch { sides, join })
}

/// The blocks in which a word occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    Nowhere,
    Block(usize),
    Several,
}

fn homes(code: &Code) -> Vec<Home> {
    let mut homes = vec![Home::Nowhere; code.words as usize];
    for (at, block) in code.blocks.iter().enumerate() {
        let mut seen = |Word(word): Word| {
            let home = &mut homes[word as usize];
            *home = match *home {
                Home::Nowhere => Home::Block(at),
                Home::Block(other) if other == at => Home::Block(at),
                _ => Home::Several,
            };
        };
        for instruction in &block.instructions {
            instruction
                .reads()
                .into_iter()
                .chain(instruction.writes())
                .for_each(&mut seen);
        }
        if let End::Branch {
            test: Test {
                predicate: Predicate::Word(word),
                ..
            },
            ..
        } = block.end
        {
            seen(word);
        }
    }
    homes
}

/// Appends a side's instructions with its condition to `made`. `here` is true for words that occur only in the side.
/// Returns `false` if an instruction cannot have a condition; the caller then drops `made`.
fn conditional(
    instructions: &[Instruction],
    test: Test,
    here: impl Fn(Word) -> bool,
    (literals, parameters): (bool, u32),
    made: &mut Vec<Instruction>,
) -> bool {
    let Predicate::Word(condition) = test.predicate else {
        return false;
    };
    // Words that the side has written, and words that it reads before they are written: in a loop, their value may be
    // from the previous iteration.
    let mut written: HashSet<Word> = HashSet::new();
    let mut earlier: HashSet<Word> = HashSet::new();
    for instruction in instructions {
        let mut instruction = instruction.clone();
        let writes = instruction.writes();
        earlier.extend(instruction.reads().into_iter().filter(|word| !written.contains(word)));
        let own = writes.iter().all(|&word| here(word) && !earlier.contains(&word));
        if writes.contains(&condition) {
            return false;
        }
        if !(own && harmless(&instruction, parameters)) {
            if !takes_condition(&instruction, literals) {
                return false;
            }
            instruction.test = Some(test);
            instruction.whole = own;
        }
        written.extend(writes);
        made.push(instruction);
    }
    true
}

/// True if all threads may execute the instruction: it only reads memory at fixed addresses of shared memory, and only
/// changes its result, a carry or an address register. Each block sets carries and address registers before it uses
/// them.
fn harmless(instruction: &Instruction, parameters: u32) -> bool {
    let outside = |source: &Source| match source {
        Source::Shared { address, offset, .. } => *address != 0 || *offset >= parameters,
        Source::Local { .. } => true,
        _ => false,
    };
    let result = matches!(
        instruction.destination,
        Destination::Word(_) | Destination::Half(_) | Destination::Discard | Destination::Address(_)
    );
    result && !is_access(instruction.operation) && !instruction.sources.iter().flatten().any(outside)
}

/// True if the instruction can be conditional.
fn takes_condition(instruction: &Instruction, literals: bool) -> bool {
    let carries = match instruction.operation {
        Operation::Iadd { sum, .. } => sum == Sum::AddCarry,
        Operation::Bar { .. } | Operation::Trap => return false,
        _ => false,
    };
    let sources = || instruction.sources.iter().flatten();
    let number = sources().any(|source| matches!(source, Source::Immediate(number) if *number != 0));
    let shared = sources().any(|source| matches!(source, Source::Shared { .. }));
    let address = matches!(instruction.destination, Destination::Address(_));
    instruction.test.is_none()
        && instruction.code.is_none()
        && !carries
        && !address
        && !(number && (shared || !literals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::divergence::divergence;
    use crate::analysis::flow::reverse_post_order;
    use crate::lower::lower;
    use crate::passes::simplify::simplify;
    use crate::testing::function;

    /// Runs if-conversion on a kernel. Returns the code and the number of branches removed.
    fn convert_body(body: &str) -> (Code, usize) {
        let function = function(body);
        let mut divergent = divergence(&function).branches;
        let mut code = lower(&function).unwrap_or_else(|error| panic!("{error}"));
        let gone = convert(&mut code, &mut divergent, None);
        for (at, block) in code.blocks.iter().enumerate() {
            assert!(
                !divergent.contains(at) || matches!(block.end, End::Branch { .. }),
                "{at}"
            );
        }
        (code, gone)
    }

    fn tested(code: &Code) -> Vec<&Instruction> {
        let all = code.blocks.iter().flat_map(|block| &block.instructions);
        all.filter(|instruction| instruction.test.is_some()).collect()
    }

    #[test]
    fn only_the_store_of_a_side_becomes_conditional() {
        let (code, gone) = convert_body(
            "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nsetp.gt.s32 %p1, %r1, 9;\n@%p1 bra END;\n\
             xor.b32 %r3, %r1, %r2;\nst.global.u32 [%r2], %r3;\nEND:\nst.global.u32 [%r2+4], %r1;\nret;",
        );
        assert_eq!(gone, 1);
        assert!(matches!(tested(&code).as_slice(), [store] if matches!(store.operation, Operation::Gst { .. })));
        assert!(code.blocks.iter().all(|block| !matches!(block.end, End::Branch { .. })));
    }

    #[test]
    fn loads_of_a_side_are_conditional() {
        let (code, gone) = convert_body(
            "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nmov.u32 %r4, 1;\nsetp.gt.s32 %p1, %r1, 9;\n@%p1 bra END;\n\
             ld.global.u32 %r3, [%r2];\nadd.s32 %r4, %r4, %r3;\nEND:\nst.global.u32 [%r2+4], %r4;\nret;",
        );
        assert_eq!(gone, 1);
        let tested = tested(&code);
        assert!(matches!(tested[0].operation, Operation::Gld { .. }));
        // No other block reads %r3; %r4 keeps its value where the side is not taken.
        assert_eq!(tested.iter().map(|i| i.whole).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn two_sides_have_opposite_conditions() {
        let (code, gone) = convert_body(
            "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nsetp.gt.s32 %p1, %r1, 9;\n@%p1 bra A;\n\
             st.global.u32 [%r2], %r1;\nbra.uni END;\nA:\nst.global.u32 [%r2+8], %r1;\nEND:\n\
             st.global.u32 [%r2+4], %r1;\nret;",
        );
        assert_eq!(gone, 1);
        let holds: Vec<bool> = tested(&code).iter().filter_map(|i| Some(i.test?.holds)).collect();
        assert_eq!(holds.len(), 2);
        assert_ne!(holds[0], holds[1]);
    }

    #[test]
    fn long_sides_barriers_and_uniform_branches_stay() {
        for (decision, side) in [
            ("%r1", "add.s32 %r3, %r3, 1;\nst.global.u32 [%r2], %r3;\n".repeat(4)),
            ("%r1", "bar.sync 0;\n".to_string()),
            ("%r5", "add.s32 %r3, %r3, %r5;\nst.global.u32 [%r2], %r3;\n".to_string()),
        ] {
            let (_, gone) = convert_body(&format!(
                "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nld.param.u32 %r5, [n];\nmov.u32 %r3, %r1;\n\
                 setp.gt.s32 %p1, {decision}, 9;\n@%p1 bra END;\n{side}END:\nst.global.u32 [%r2+4], %r3;\nret;"
            ));
            assert_eq!(gone, 0, "{side}");
        }
    }

    #[test]
    fn the_main_return_stays_last() {
        // The return after the short side is merged; SIDE also returns.
        let mut function = function(
            "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nsetp.gt.s32 %p1, %r1, 9;\n@%p1 bra SIDE;\n\
             NEXT:\nsetp.gt.s32 %p2, %r1, 5;\n@%p2 bra END;\nst.global.u32 [%r2], %r1;\nbra.uni END;\n\
             SIDE:\nsetp.gt.s32 %p3, %r1, 19;\n@!%p3 bra NEXT;\nst.global.u32 [%r2+8], %r2;\nret;\n\
             END:\nbar.sync 0;\nst.global.u32 [%r2+4], %r1;\nret;",
        );
        simplify(&mut function);
        let mut divergent = divergence(&function).branches;
        let mut code = lower(&function).unwrap_or_else(|error| panic!("{error}"));
        let gone = convert(&mut code, &mut divergent, None);
        assert_eq!(gone, 1);
        let reached = reverse_post_order(&code.successors());
        let last = reached
            .into_iter()
            .filter(|&at| code.blocks[at].end == End::Return)
            .max();
        let is_barrier = |instruction: &Instruction| matches!(instruction.operation, Operation::Bar { .. });
        assert!(code.blocks[last.unwrap()].instructions.iter().any(is_barrier));
    }

    #[test]
    fn a_nested_short_side_is_converted() {
        let (code, gone) = convert_body(
            "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nsetp.gt.s32 %p1, %r1, 9;\nsetp.gt.s32 %p2, %r1, 5;\n\
             @%p1 bra END;\n@%p2 bra IN;\nst.global.u32 [%r2], %r1;\nIN:\nst.global.u32 [%r2+8], %r1;\nEND:\n\
             st.global.u32 [%r2+4], %r1;\nret;",
        );
        // The inner branch is removed. Its store then has a condition, and cannot have a second one.
        assert_eq!((gone, tested(&code).len()), (1, 1));
    }
}
