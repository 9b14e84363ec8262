//! Parameters and the block's header as operands.
//!
//! What a kernel only reads at fixed places of shared memory need not be moved to a register: source 1 of most operations
//! may lie there. Where the word is another source, the operation is turned round if it can be.

use super::machine::{Code, Destination, Instruction, Source, Word};
use super::memory::LARGEST_OFFSET;
use crate::ir::build::HEADER_BYTES;
use flexgrip_isa::{Access, FloatOrder, Operation, Order, Part, Sum, Width};
use std::collections::HashMap;

/// What a word is a copy of.
#[derive(Clone, Copy)]
struct Place {
    offset: u32,
    access: Access,
}

/// Replaces words by the places that they are copies of. `parameter_bytes` is how much behind the header is only read.
/// Returns how many operands were replaced.
pub fn fold(code: &mut Code, parameter_bytes: u32) -> usize {
    let end = HEADER_BYTES + parameter_bytes;
    let mut writes: HashMap<Word, u32> = HashMap::new();
    let mut places: HashMap<Word, Place> = HashMap::new();
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
                places.insert(word, Place { offset, access });
            }
        }
    }
    places.retain(|word, _| writes.get(word) == Some(&1));
    let mut folded = 0;
    for instruction in code.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        folded += usize::from(fold_one(instruction, &places));
    }
    folded
}

fn place_of(source: Option<Source>, narrow: bool, places: &HashMap<Word, Place>) -> Option<Source> {
    let Some(Source::Word(word, part)) = source else {
        return None;
    };
    let place = places.get(&word)?;
    let access = match (part, narrow) {
        (Part::Full, false) => place.access,
        (Part::Low, true) => Access::U16,
        _ => return None,
    };
    // Half of a word has half the reach.
    (place.offset / access.bytes() <= LARGEST_OFFSET).then_some(Source::Shared {
        offset: place.offset,
        access,
        address: 0,
    })
}

fn fold_one(instruction: &mut Instruction, places: &HashMap<Word, Place>) -> bool {
    if !instruction.group.is_empty() || !takes_shared(instruction.operation) {
        return false;
    }
    let narrow = instruction
        .sources
        .iter()
        .take(2)
        .any(|source| matches!(source, Some(Source::Word(_, Part::Low | Part::High))));
    if let Some(place) = place_of(instruction.sources[0], narrow, places) {
        instruction.sources[0] = Some(place);
        return true;
    }
    let Some((operation, other)) = turned(instruction.operation) else {
        return false;
    };
    // Source 1 becomes the other one, which takes what source 1 takes.
    if !matches!(instruction.sources[0], Some(Source::Word(..))) {
        return false;
    }
    let Some(place) = place_of(instruction.sources[other], narrow, places) else {
        return false;
    };
    instruction.sources[other] = instruction.sources[0];
    instruction.sources[0] = Some(place);
    instruction.operation = operation;
    true
}

/// Whether source 1 may lie in shared memory, in the long form with any other sources.
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

/// The operation with source 1 and another one exchanged, and which one that is.
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
            negate1,
            negate2,
        } => {
            let operation = Operation::Fmul {
                rounding,
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
