//! Allocation of condition-code registers to predicates.
//!
//! If only conditions in the same block read a comparison's result, the comparison writes its condition code to C1, C2
//! or C3, and has no other result. Any other predicate is a word of 0 or all ones; before a condition it is compared
//! with zero, with the condition code in C0. C0 is also the carry between the two additions of a 64-bit addition, which
//! are adjacent.

use crate::machine_ir::{Block, Code, Destination, End, Instruction, Predicate, Source, Test, Word};
use flexgrip_isa::{Double, Operation, Order, RegisterPart, Width};

/// The registers for comparisons.
const CODES: [u8; 3] = [1, 2, 3];
/// The register that identifies the thread with the lock, in a block with a lock.
pub(super) const LOCK: u8 = 3;
/// The register for tests of words.
const SCRATCH: u8 = 0;

/// The number of writes and reads of each word in all of the code.
struct Counts {
    writes: Vec<u32>,
    reads: Vec<u32>,
}

impl Counts {
    fn of(code: &Code) -> Self {
        let mut counts = Counts {
            writes: vec![0; code.words as usize],
            reads: vec![0; code.words as usize],
        };
        for block in &code.blocks {
            for instruction in &block.instructions {
                for word in instruction.writes() {
                    counts.writes[word.0 as usize] += 1;
                }
                for word in instruction.reads() {
                    counts.reads[word.0 as usize] += 1;
                }
            }
            if let Some(word) = branch_word(block) {
                counts.reads[word.0 as usize] += 1;
            }
        }
        counts
    }
}

fn branch_word(block: &Block) -> Option<Word> {
    match block.end {
        End::Branch {
            test: Test {
                predicate: Predicate::Word(word),
                ..
            },
            ..
        } => Some(word),
        _ => None,
    }
}

fn tests(instruction: &Instruction, word: Word) -> bool {
    instruction
        .test
        .is_some_and(|test| test.predicate == Predicate::Word(word))
}

/// Gives every condition a condition-code register. Returns the number of comparisons without a result.
pub fn assign(code: &mut Code) -> usize {
    let counts = Counts::of(code);
    let mut fused = 0;
    for block in &mut code.blocks {
        fused += fuse(block, &counts);
        test_words(block);
    }
    fused
}

fn fuse(block: &mut Block, counts: &Counts) -> usize {
    let mut fused = 0;
    let end = block.instructions.len();
    // The last instruction that uses each register. The register of a lock is in use in its whole block.
    let locks = block.instructions.iter().filter_map(|instruction| instruction.code);
    let locks: Vec<u8> = locks.collect();
    let mut taken = CODES.map(|code| if locks.contains(&code) { usize::MAX } else { 0 });
    for at in 0..end {
        let instruction = &block.instructions[at];
        let compares = matches!(
            instruction.operation,
            Operation::Iset { .. } | Operation::Fset { .. } | Operation::Double(Double::Set { .. })
        );
        let Destination::Word(word) = instruction.destination else {
            continue;
        };
        if !compares || instruction.test.is_some() || counts.writes[word.0 as usize] != 1 {
            continue;
        }
        let here: Vec<usize> = (at + 1..end)
            .filter(|&at| tests(&block.instructions[at], word))
            .collect();
        let branch = branch_word(block) == Some(word);
        if here.is_empty() && !branch || counts.reads[word.0 as usize] as usize != here.len() + usize::from(branch) {
            continue;
        }
        let last = if branch {
            end
        } else {
            here.last().copied().unwrap_or(end)
        };
        let Some(free) = taken.iter().position(|&until| until <= at) else {
            continue;
        };
        taken[free] = last;
        let register = CODES[free];
        let instruction = &mut block.instructions[at];
        instruction.destination = Destination::Discard;
        instruction.code = Some(register);
        for at in here {
            if let Some(test) = &mut block.instructions[at].test {
                test.predicate = Predicate::Code(register);
            }
        }
        if let End::Branch { test, .. } = &mut block.end {
            if branch {
                test.predicate = Predicate::Code(register);
            }
        }
        fused += 1;
    }
    fused
}

/// Inserts tests before conditions on words, unless C0 already has the word's condition code.
fn test_words(block: &mut Block) {
    let mut held: Option<Word> = None;
    let mut instructions = Vec::with_capacity(block.instructions.len());
    for mut instruction in block.instructions.drain(..) {
        if let Some(test) = &mut instruction.test {
            if let Predicate::Word(word) = test.predicate {
                if held != Some(word) {
                    instructions.push(compare_with_zero(word, instruction.place));
                    held = Some(word);
                }
                test.predicate = Predicate::Code(SCRATCH);
            }
        }
        if instruction.code == Some(SCRATCH) || instruction.writes().into_iter().any(|word| held == Some(word)) {
            held = None;
        }
        instructions.push(instruction);
    }
    if let End::Branch { test, .. } = &mut block.end {
        if let Predicate::Word(word) = test.predicate {
            if held != Some(word) {
                instructions.push(compare_with_zero(word, block.place));
            }
            test.predicate = Predicate::Code(SCRATCH);
        }
    }
    block.instructions = instructions;
}

fn compare_with_zero(word: Word, place: crate::error::SourceLocation) -> Instruction {
    let operation = Operation::Iset {
        order: Order {
            less: true,
            equal: false,
            greater: true,
        },
        width: Width::B32,
        signed: false,
    };
    let sources = [
        Some(Source::Word(word, RegisterPart::Full)),
        Some(Source::Immediate(0)),
        None,
    ];
    Instruction {
        code: Some(SCRATCH),
        ..Instruction::new(operation, Destination::Discard, sources, place)
    }
}
