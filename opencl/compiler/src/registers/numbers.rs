//! Constants in registers, for kernels with more constants than the bank of literals.
//!
//! Only a move and some unconditional instructions have a 32-bit immediate. All others read constants from the first
//! 128 words of a constant bank. The most frequent constants stay there. Each other constant is moved into a register
//! directly before its use.

use crate::machine_ir::{Code, Destination, Instruction, Source, Word};
use flexgrip_isa::{Operation, Product, RegisterPart, Width};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The number of literals that the offset of an operand can address.
pub const LITERALS: usize = 128;

/// Returns the number of uses of each constant that may have to be a literal. Which of them can be immediates depends
/// on the registers.
fn uses(code: &Code) -> BTreeMap<u32, usize> {
    let mut uses = BTreeMap::new();
    let instructions = code.blocks.iter().flat_map(|block| &block.instructions);
    for (_, number) in instructions.flat_map(numbers) {
        *uses.entry(number).or_default() += 1;
    }
    uses
}

/// The number of different constants of the code that may have to be literals.
pub fn count(code: &Code) -> usize {
    uses(code).len()
}

/// The sources that may have to be literals, with their constants.
fn numbers(instruction: &Instruction) -> impl Iterator<Item = (usize, u32)> + '_ {
    let has_room = has_number(instruction.operation) || is_load(instruction);
    let sources = instruction.sources.iter().enumerate();
    sources.filter_map(move |(index, source)| match source {
        Some(Source::Immediate(number)) if !has_room && *number != 0 => Some((index, *number)),
        _ => None,
    })
}

/// True for a move of a constant into a word, which has a 32-bit immediate.
fn is_load(instruction: &Instruction) -> bool {
    matches!(instruction.operation, Operation::Mov { width: Width::B32 })
        && matches!(instruction.destination, Destination::Word(_))
        && instruction.test.is_none()
        && instruction.code.is_none()
}

/// True if sources 1 and 2 have 16 bits.
pub fn is_narrow(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Imul16 { .. }
            | Operation::Imad {
                product: Product::U16 | Product::S16 | Product::SatS16,
                ..
            }
    )
}

/// True if the long form has an immediate as source 2: shifts, and ADA.
pub fn has_number(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Shl { .. } | Operation::Shr { .. } | Operation::Plain(_)
    )
}

/// Moves the least frequent literals into registers, until the others fit into the bank. Register allocation may then
/// turn other constants into literals, so a second call may have to move more. Returns the number of constants moved.
pub fn into_registers(code: &mut Code, literals: &[u32]) -> usize {
    let uses = uses(code);
    let mut order: Vec<(usize, u32)> = literals
        .iter()
        .filter_map(|number| Some((*uses.get(number)?, *number)))
        .collect();
    order.sort_by_key(|&(uses, number)| (Reverse(uses), number));
    let moved: BTreeSet<u32> = order.into_iter().skip(LITERALS).map(|(_, number)| number).collect();
    for block in &mut code.blocks {
        for mut instruction in std::mem::take(&mut block.instructions) {
            let numbers: Vec<(usize, u32)> = numbers(&instruction).collect();
            for (index, number) in numbers.into_iter().filter(|(_, number)| moved.contains(number)) {
                let word = Word(code.words);
                code.words += 1;
                let part = match is_narrow(instruction.operation) && index < 2 {
                    true => RegisterPart::Low,
                    false => RegisterPart::Full,
                };
                instruction.sources[index] = Some(Source::Word(word, part));
                block.instructions.push(Instruction::new(
                    Operation::Mov { width: Width::B32 },
                    Destination::Word(word),
                    [Some(Source::Immediate(number)), None, None],
                    instruction.place,
                ));
            }
            block.instructions.push(instruction);
        }
    }
    moved.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::code;
    use std::fmt::Write;

    /// Returns a kernel that combines `numbers` constants, and uses the last one `more` times again.
    fn body(numbers: usize, more: usize) -> String {
        let mut body = String::from("mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nmov.u32 %r3, %r1;\n");
        for number in (0..numbers).chain(std::iter::repeat_n(numbers - 1, more)) {
            let _ = writeln!(
                body,
                "mul.lo.s32 %r4, %r3, %r1;\nsub.s32 %r3, {}, %r4;",
                70_001 + 13 * number
            );
        }
        body + "st.global.u32 [%r2], %r3;\nret;"
    }

    #[test]
    fn few_literals_are_not_moved() {
        let mut code = code(&body(LITERALS, 0));
        let before = code.clone();
        assert_eq!(count(&code), LITERALS);
        let all: Vec<u32> = uses(&code).into_keys().collect();
        assert_eq!(into_registers(&mut code, &all), 0);
        // Literals that are not in the code have no effect.
        assert_eq!(into_registers(&mut code, &Vec::from_iter(1..200)), 0);
        assert_eq!(code, before);
    }

    #[test]
    fn the_least_frequent_literals_are_moved_before_their_use() {
        let mut code = code(&body(LITERALS + 3, 2));
        let (words, before) = (code.words, code.blocks[0].instructions.len());
        let all: Vec<u32> = uses(&code).into_keys().collect();
        assert_eq!(into_registers(&mut code, &all), 3);
        assert_eq!(count(&code), LITERALS);
        assert_eq!(uses(&code)[&(70_001 + 13 * (LITERALS as u32 + 2))], 3);
        assert_eq!(code.words, words + 3);
        assert_eq!(code.blocks[0].instructions.len(), before + 3);
        let pairs: Vec<_> = code.blocks[0].instructions.windows(2).collect();
        let moved: Vec<_> = pairs
            .iter()
            .filter(|pair| matches!(pair[0].destination, Destination::Word(word) if word.0 >= words))
            .collect();
        assert_eq!(moved.len(), 3);
        for pair in moved {
            let Destination::Word(word) = pair[0].destination else {
                unreachable!("it was filtered");
            };
            assert!(pair[1].sources.contains(&Some(Source::Word(word, RegisterPart::Full))));
        }
    }
}
