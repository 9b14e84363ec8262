//! The verifier of the intermediate representation: registers and blocks exist, and each instruction has arguments and
//! results of the number and class that its operation takes.

use super::types::*;
use crate::error::CompileError;

/// Verifies a function.
///
/// # Errors
/// The first invalid instruction.
pub fn verify(function: &Function) -> Result<(), CompileError> {
    for block in &function.blocks {
        for instruction in &block.instructions {
            check(function, instruction)
                .map_err(|what| CompileError::new(instruction.place, format!("{:?}: {what}", instruction.operation)))?;
        }
        let mut locked = None;
        for instruction in &block.instructions {
            let is_other = |value: &Argument| locked.is_none() || value.value() != locked;
            match instruction.operation {
                Operation::Lock { .. } => locked = instruction.results.get(1).copied(),
                Operation::LockedLoad { .. } | Operation::LockedStore { .. }
                    if instruction.arguments.last().is_none_or(is_other) =>
                {
                    return Err(CompileError::new(instruction.place, "a locked access without its lock"));
                }
                _ => {}
            }
        }
        let known = block
            .terminator
            .successors()
            .iter()
            .all(|&to| to < function.blocks.len());
        let predicate = match block.terminator {
            Terminator::Branch { predicate, .. } => class_of(function, predicate) == Some(Class::Predicate),
            _ => true,
        };
        if !known || !predicate {
            return Err(CompileError::new(
                block.place,
                "a branch to nowhere, or not on a predicate",
            ));
        }
    }
    Ok(())
}

fn class_of(function: &Function, value: Value) -> Option<Class> {
    function.registers.get(value.0 as usize).map(|register| register.class)
}

fn check(function: &Function, instruction: &Instruction) -> Result<(), String> {
    use Operation::*;
    let own = class(instruction.ty).ok_or("it has no type that a register holds")?;
    let wide = match own {
        Class::Word if instruction.ty.bits == 32 => Class::Pair,
        Class::Word => Class::Word,
        _ => own,
    };
    let (results, arguments): (Vec<Class>, Vec<Class>) = match instruction.operation {
        Copy | Not | Negate | Absolute | Reciprocal(_) | SquareRoot(_) | ReciprocalRoot | Power | Logarithm | Sine
        | Cosine | AddressOf(_) | ToGeneric(_) | FromGeneric(_) => (vec![own], vec![own]),
        Join => (vec![Class::Pair], vec![Class::Word, Class::Word]),
        High => (vec![Class::Word], vec![Class::Pair]),
        Add | Subtract | Multiply | MultiplyHigh | Multiply24 | MultiplyHigh24 | Divide(_) | Remainder | Minimum
        | Maximum | And | Or | Xor => (vec![own], vec![own, own]),
        Directed(Arithmetic::FusedMultiplyAdd, _) => (vec![own], vec![own, own, own]),
        Directed(..) => (vec![own], vec![own, own]),
        MultiplyWide => (vec![wide], vec![own, own]),
        MultiplyAdd | MultiplyAdd24 | FusedMultiplyAdd => (vec![own], vec![own, own, own]),
        MultiplyAddWide => (vec![wide], vec![own, own, wide]),
        ShiftLeft | ShiftRight => (vec![own], vec![own, Class::Word]),
        Compare(_) => (vec![Class::Predicate], vec![own, own]),
        Select => (vec![own], vec![own, own, Class::Predicate]),
        Convert { from, .. } => (
            vec![own],
            vec![class(from).ok_or("the source has no type that a register holds")?],
        ),
        Load { .. } => (vec![own; instruction.results.len()], vec![Class::Word]),
        Store { .. } => {
            let mut arguments = vec![own; instruction.arguments.len()];
            if let Some(base) = arguments.first_mut() {
                *base = Class::Word;
            }
            (Vec::new(), arguments)
        }
        Atomic { atomic, .. } => {
            let mut arguments = vec![own; 2 + usize::from(atomic.has_operand_c())];
            arguments[0] = Class::Word;
            (vec![own; instruction.results.len().min(1)], arguments)
        }
        Lock { .. } => (vec![Class::Word, Class::Predicate], vec![Class::Word]),
        LockedLoad { .. } => (vec![Class::Word], vec![Class::Word, Class::Predicate]),
        LockedStore { .. } => (Vec::new(), vec![Class::Word, Class::Word, Class::Predicate]),
        Parameter { .. } => (vec![own; instruction.results.len()], Vec::new()),
        Special(_) => (vec![Class::Word], Vec::new()),
        Barrier { .. } | Trap => (Vec::new(), Vec::new()),
    };
    let elements = instruction
        .results
        .len()
        .max(instruction.arguments.len().saturating_sub(1));
    if matches!(instruction.operation, Load { .. } | Store { .. }) && !matches!(elements, 1 | 2 | 4) {
        return Err("a vector has one, two or four elements".to_string());
    }
    if instruction.results.len() != results.len() || instruction.arguments.len() != arguments.len() {
        return Err(format!(
            "{} results and {} arguments; expected {} and {}",
            instruction.results.len(),
            instruction.arguments.len(),
            results.len(),
            arguments.len()
        ));
    }
    let given = instruction.results.iter().map(|&value| Argument::Value(value));
    for (argument, wanted) in given
        .chain(instruction.arguments.iter().copied())
        .zip(results.iter().chain(&arguments).copied())
    {
        match argument {
            Argument::Constant(_) => {}
            Argument::Value(value) => match class_of(function, value) {
                Some(found) if found == wanted => {}
                Some(found) => return Err(format!("a {found:?} where a {wanted:?} is expected")),
                None => return Err("a register that does not exist".to_string()),
            },
        }
    }
    Ok(())
}
