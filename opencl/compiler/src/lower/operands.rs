//! Operand folding: parameters and the block's header as operands.
//!
//! A read-only word at a fixed address of shared memory need not be loaded to a register: source 1 of most operations
//! may be in shared memory. If the word is another source, the operands are exchanged if the operation allows this.

use super::memory::LARGEST_OFFSET;
use crate::ir::build::HEADER_BYTES;
use crate::machine_ir::{Code, Destination, End, Instruction, Predicate, Source, Test, Word};
use flexgrip_isa::{Access, FloatOrder, Operation, Order, RegisterPart, Sum, Width};
use std::collections::HashMap;

/// The location in shared memory that a word is a copy of.
#[derive(Clone, Copy)]
struct SharedLocation {
    offset: u32,
    access: Access,
    address: u8,
}

/// Replaces words by the locations that they are copies of. `parameter_bytes` is the number of read-only bytes after
/// the header. Returns the number of operands replaced.
pub fn fold(code: &mut Code, parameter_bytes: u32) -> usize {
    let end = HEADER_BYTES + parameter_bytes;
    let mut writes: HashMap<Word, u32> = HashMap::new();
    let mut locations: HashMap<Word, SharedLocation> = HashMap::new();
    for instruction in code.blocks.iter().flat_map(|block| &block.instructions) {
        for word in instruction.writes() {
            *writes.entry(word).or_default() += 1;
        }
        if let (
            Operation::Mov { width: Width::B32 },
            Destination::Word(word),
            Some(Source::Shared {
                offset,
                access: access @ (Access::B32 | Access::U16),
                address: 0,
            }),
            None,
        ) = (
            instruction.operation,
            instruction.destination,
            instruction.sources[0],
            instruction.test,
        ) {
            if offset + access.bytes() <= end {
                let address = 0;
                locations.insert(
                    word,
                    SharedLocation {
                        offset,
                        access,
                        address,
                    },
                );
            }
        }
    }
    locations.retain(|word, _| writes.get(word) == Some(&1));
    let mut folded = 0;
    for instruction in code.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        folded += usize::from(fold_one(instruction, &locations));
    }
    folded
}

/// Folds loads from shared memory into the only instruction that reads the loaded word, in the same block, if there is
/// no store and no change of an address register in between. Returns the number of loads folded.
pub fn fold_loads(code: &mut Code) -> usize {
    let (mut reads, mut writes) = (vec![0u32; code.words as usize], vec![0u32; code.words as usize]);
    for block in &code.blocks {
        for instruction in &block.instructions {
            for word in instruction.reads() {
                reads[word.0 as usize] += 1;
            }
            for word in instruction.writes() {
                writes[word.0 as usize] += 1;
            }
        }
        if let End::Branch {
            test: Test {
                predicate: Predicate::Word(word),
                ..
            },
            ..
        } = block.end
        {
            reads[word.0 as usize] += 1;
        }
    }
    let mut folded = 0;
    for block in &mut code.blocks {
        let mut gone = vec![false; block.instructions.len()];
        for (at, gone) in gone.iter_mut().enumerate() {
            let load = &block.instructions[at];
            let (
                Operation::Mov { width: Width::B32 },
                Destination::Word(word),
                Some(Source::Shared {
                    offset,
                    access,
                    address,
                }),
                None,
            ) = (load.operation, load.destination, load.sources[0], load.test)
            else {
                continue;
            };
            if reads[word.0 as usize] != 1 || writes[word.0 as usize] != 1 {
                continue;
            }
            let stops = |instruction: &Instruction| {
                matches!(
                    instruction.operation,
                    Operation::R2g | Operation::R2gUnlock | Operation::G2rLock { .. } | Operation::Bar { .. }
                ) || address != 0 && instruction.destination == Destination::Address(address)
            };
            let mut after = block.instructions.iter().enumerate().skip(at + 1);
            let found = after.find(|(_, instruction)| instruction.reads().contains(&word) || stops(instruction));
            let Some((reader, _)) = found.filter(|(_, instruction)| instruction.reads().contains(&word)) else {
                continue;
            };
            let location = HashMap::from([(
                word,
                SharedLocation {
                    offset,
                    access,
                    address,
                },
            )]);
            if fold_one(&mut block.instructions[reader], &location) {
                *gone = true;
                folded += 1;
            }
        }
        let mut gone = gone.into_iter();
        block.instructions.retain(|_| gone.next() != Some(true));
    }
    folded
}

fn shared_source(source: Option<Source>, narrow: bool, locations: &HashMap<Word, SharedLocation>) -> Option<Source> {
    let Some(Source::Word(word, part)) = source else {
        return None;
    };
    let location = locations.get(&word)?;
    let access = match (part, narrow) {
        (RegisterPart::Full, false) => location.access,
        // Only for accesses of at least two bytes: the byte after a single byte is another value.
        (RegisterPart::Low, true) if location.access.bytes() >= 2 && location.offset % 2 == 0 => Access::U16,
        _ => return None,
    };
    // The unit of the offset is the size of the access.
    (location.offset / access.bytes() <= LARGEST_OFFSET).then_some(Source::Shared {
        offset: location.offset,
        access,
        address: location.address,
    })
}

fn fold_one(instruction: &mut Instruction, locations: &HashMap<Word, SharedLocation>) -> bool {
    if !instruction.group.is_empty() || !takes_shared(instruction.operation) {
        return false;
    }
    let narrow = instruction
        .sources
        .iter()
        .take(2)
        .any(|source| matches!(source, Some(Source::Word(_, RegisterPart::Low | RegisterPart::High))));
    if let Some(source) = shared_source(instruction.sources[0], narrow, locations) {
        instruction.sources[0] = Some(source);
        return true;
    }
    let Some((operation, other)) = turned(instruction.operation) else {
        return false;
    };
    // The other operand becomes source 1, so source 1 must be able to encode it.
    if !matches!(instruction.sources[0], Some(Source::Word(..))) {
        return false;
    }
    let Some(source) = shared_source(instruction.sources[other], narrow, locations) else {
        return false;
    };
    instruction.sources[other] = instruction.sources[0];
    instruction.sources[0] = Some(source);
    instruction.operation = operation;
    true
}

/// True if source 1 may be in shared memory in the long form, with any other sources.
fn takes_shared(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Iadd { .. }
            | Operation::R2a { .. }
            | Operation::Imul16 { .. }
            | Operation::Imul24 { .. }
            | Operation::Imad { .. }
            | Operation::Shl { .. }
            | Operation::Shr { .. }
            | Operation::Logic { .. }
            | Operation::Iset { .. }
            | Operation::Imin { .. }
            | Operation::Imax { .. }
            | Operation::Fadd { .. }
            | Operation::Fmul { .. }
            | Operation::Fmad { .. }
            | Operation::Fset { .. }
            | Operation::Fmin { .. }
            | Operation::Fmax { .. }
    )
}

fn mirror(order: Order) -> Order {
    Order {
        less: order.greater,
        greater: order.less,
        ..order
    }
}

/// Returns the operation with source 1 and another source exchanged, and the index of that source.
fn turned(operation: Operation) -> Option<(Operation, usize)> {
    Some(match operation {
        Operation::Iadd {
            sum,
            carry,
            width,
            saturate,
        } => {
            let sum = match sum {
                Sum::Subtract => Sum::ReverseSubtract,
                Sum::ReverseSubtract => Sum::Subtract,
                same => same,
            };
            let operation = Operation::Iadd {
                sum,
                carry,
                width,
                saturate,
            };
            (operation, 2)
        }
        Operation::Imul16 { signed1, signed2 } => {
            let operation = Operation::Imul16 {
                signed1: signed2,
                signed2: signed1,
            };
            (operation, 1)
        }
        Operation::Imul24 { .. } | Operation::Imad { .. } | Operation::Fmad { .. } => (operation, 1),
        Operation::Imin { .. } | Operation::Imax { .. } => (operation, 1),
        Operation::Logic {
            logic: flexgrip_isa::Logic::PassB,
            ..
        } => return None,
        Operation::Logic {
            logic,
            width,
            invert1,
            invert2,
        } => {
            let operation = Operation::Logic {
                logic,
                width,
                invert1: invert2,
                invert2: invert1,
            };
            (operation, 1)
        }
        Operation::Iset { order, width, signed } => {
            let operation = Operation::Iset {
                order: mirror(order),
                width,
                signed,
            };
            (operation, 1)
        }
        Operation::Fadd {
            rounding,
            saturate,
            negate1,
            negate3,
        } => {
            let operation = Operation::Fadd {
                rounding,
                saturate,
                negate1: negate3,
                negate3: negate1,
            };
            (operation, 2)
        }
        Operation::Fmul {
            rounding,
            saturate,
            negate1,
            negate2,
        } => {
            let operation = Operation::Fmul {
                rounding,
                saturate,
                negate1: negate2,
                negate2: negate1,
            };
            (operation, 1)
        }
        Operation::Fset { order, sign1, sign2 } => {
            let operation = Operation::Fset {
                order: FloatOrder {
                    ordered: mirror(order.ordered),
                    ..order
                },
                sign1: sign2,
                sign2: sign1,
            };
            (operation, 1)
        }
        Operation::Fmin { sign1, sign2 } => (
            Operation::Fmin {
                sign1: sign2,
                sign2: sign1,
            },
            1,
        ),
        Operation::Fmax { sign1, sign2 } => (
            Operation::Fmax {
                sign1: sign2,
                sign2: sign1,
            },
            1,
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::lower;
    use crate::testing::function;

    /// Returns the number of loads that become operands.
    fn folded(body: &str) -> usize {
        let mut code = lower(&function(body)).unwrap_or_else(|error| panic!("{error}"));
        fold_loads(&mut code)
    }

    #[test]
    fn a_load_becomes_the_operand_of_its_only_reader() {
        let load = "ld.shared.u32 %r2, [%r1+8];\n";
        assert_eq!(
            folded(&format!(
                "{load}add.s32 %r3, %r2, %r4;\nst.global.u32 [%r4], %r3;\nret;"
            )),
            1
        );
        assert_eq!(
            folded(&format!(
                "{load}st.shared.u32 [%r1], %r4;\nadd.s32 %r3, %r2, %r4;\nret;"
            )),
            0
        );
        assert_eq!(folded(&format!("{load}bar.sync 0;\nadd.s32 %r3, %r2, %r4;\nret;")), 0);
        assert_eq!(folded(&format!("{load}add.s32 %r3, %r2, %r2;\nret;")), 0);
        assert_eq!(
            folded(&format!(
                "{load}{}add.s32 %r3, %r2, %r5;\nret;",
                load.replace("%r2", "%r5")
            )),
            1
        );
    }

    #[test]
    fn bytes_are_not_folded_into_16_bit_operands() {
        let product = |load: &str| {
            let reader = "mul.wide.u16 %r3, %rs1, %rs2;\nst.global.u32 [%r4], %r3;\nret;";
            folded(&format!(
                ".reg .b16 %rs<3>;\nld.global.u16 %rs2, [%r4];\nld.shared.{load} %rs1, [%r1+8];\n{reader}"
            ))
        };
        assert_eq!(product("u16"), 1);
        // A 16-bit access at its address would read another value, or be a misaligned access that stops the machine.
        assert_eq!(product("u8"), 0);
    }
}
