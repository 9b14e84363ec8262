//! Address space inference: the memory of each generic address.
//!
//! SM 1.0 has no generic addresses: each access specifies its memory. In OpenCL C 1.x a pointer without an address
//! space points to private memory. clang infers the other spaces, but uses generic addresses for private memory. Here,
//! memories are propagated from variables and parameters to all values that are computed from them. The memory of a
//! loaded address is known if the kernel only converts addresses of one memory to generic addresses.

use crate::error::CompileError;
use crate::ir::{Argument, Function, Memory, Operation, ParameterKind};

/// A set of memories, with one bit for each.
type Set = u8;

const GLOBAL: Set = 1;
const SHARED: Set = 2;
const LOCAL: Set = 4;

fn bit(memory: Memory) -> Set {
    match memory {
        Memory::Global => GLOBAL,
        Memory::Shared => SHARED,
        Memory::Local => LOCAL,
        Memory::Generic => 0,
    }
}

fn only(set: Set) -> Option<Memory> {
    match set {
        GLOBAL => Some(Memory::Global),
        SHARED => Some(Memory::Shared),
        LOCAL => Some(Memory::Local),
        _ => None,
    }
}

/// Determines the memory of every access, and replaces address conversions by copies. Returns the number of generic
/// accesses.
///
/// # Errors
/// A generic address that may lie in more than one memory, or in an unknown one.
pub fn resolve(function: &mut Function) -> Result<usize, CompileError> {
    let sets = sets(function);
    let made = made(function);
    let mut resolved = 0;
    for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        match &mut instruction.operation {
            Operation::AddressOf(_) | Operation::ToGeneric(_) | Operation::FromGeneric(_) => {
                instruction.operation = Operation::Copy;
            }
            Operation::Load { memory, .. } | Operation::Store { memory, .. } | Operation::Atomic { memory, .. }
                if *memory == Memory::Generic =>
            {
                let set = match instruction.arguments.first() {
                    Some(Argument::Value(base)) => sets[base.0 as usize],
                    _ => 0,
                };
                let set = if set == 0 { made } else { set };
                let Some(found) = only(set) else {
                    let why = if set == 0 {
                        "the memory of this address is unknown: SM 1.0 has no generic addresses"
                    } else {
                        "this address may be in more than one memory: SM 1.0 has no generic addresses"
                    };
                    return Err(CompileError::new(instruction.place, why));
                };
                *memory = found;
                resolved += 1;
            }
            _ => {}
        }
    }
    Ok(resolved)
}

/// Returns the memories whose addresses the kernel converts to generic addresses.
fn made(function: &Function) -> Set {
    let values = if function.generic_values { GLOBAL } else { 0 };
    function
        .blocks
        .iter()
        .flat_map(|block| &block.instructions)
        .fold(values, |set, instruction| match instruction.operation {
            Operation::ToGeneric(memory) => set | bit(memory),
            _ => set,
        })
}

/// Returns for each register the memories in which its value may be an address.
fn sets(function: &Function) -> Vec<Set> {
    let pointer = |offset: u32| {
        let parameter = function.parameters.iter().find(|parameter| parameter.offset == offset);
        match parameter.map(|parameter| parameter.kind) {
            Some(ParameterKind::Global | ParameterKind::Image { .. }) => GLOBAL,
            Some(ParameterKind::Local) => SHARED,
            _ => 0,
        }
    };
    let mut sets = vec![0; function.registers.len()];
    loop {
        let mut changed = false;
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let of = |index: usize| match instruction.arguments.get(index) {
                Some(Argument::Value(value)) => sets[value.0 as usize],
                _ => 0,
            };
            let set = match instruction.operation {
                Operation::AddressOf(memory) | Operation::ToGeneric(memory) | Operation::FromGeneric(memory) => {
                    bit(memory)
                }
                Operation::Parameter { offset } => pointer(offset),
                Operation::Copy => of(0),
                Operation::Add
                | Operation::Subtract
                | Operation::And
                | Operation::Or
                | Operation::Select
                | Operation::Minimum
                | Operation::Maximum => of(0) | of(1),
                Operation::MultiplyAdd | Operation::MultiplyAdd24 => of(2),
                _ => 0,
            };
            for result in &instruction.results {
                let old = &mut sets[result.0 as usize];
                if *old | set != *old {
                    *old |= set;
                    changed = true;
                }
            }
        }
        if !changed {
            return sets;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::unresolved;

    fn memories(body: &str) -> Result<Vec<Memory>, String> {
        let mut function = unresolved(body);
        resolve(&mut function).map_err(|error| error.message)?;
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        Ok(instructions
            .filter_map(|instruction| match instruction.operation {
                Operation::Load { memory, .. } | Operation::Store { memory, .. } => Some(memory),
                _ => None,
            })
            .collect())
    }

    const DEPOT: &str = ".local .align 4 .b8 depot[16];\n.shared .align 4 .b8 block[16];\n";

    #[test]
    fn an_address_is_followed_to_its_variable() {
        let body = "mov.u32 %r1, depot;\ncvta.local.u32 %r2, %r1;\nadd.u32 %r3, %r2, 4;\nst.u32 [%r3+4], %r1;\n\
                    mov.u32 %r4, block;\ncvta.shared.u32 %r5, %r4;\nmad.lo.s32 %r6, %r1, 4, %r5;\nld.u32 %r7, [%r6];\n\
                    ld.param.u32 %r8, [out];\nst.u32 [%r8], %r7;\nret;";
        let found = memories(&format!("{DEPOT}{body}"));
        assert_eq!(found, Ok(vec![Memory::Local, Memory::Shared, Memory::Global]));
    }

    #[test]
    fn a_loaded_address_has_the_only_generic_memory() {
        let body = "mov.u32 %r1, depot;\ncvta.local.u32 %r2, %r1;\nst.u32 [%r2], %r2;\nld.u32 %r3, [%r2];\nst.u32 [%r3+8], 1;\nret;";
        assert_eq!(memories(&format!("{DEPOT}{body}")), Ok(vec![Memory::Local; 3]));
    }

    #[test]
    fn unknown_and_ambiguous_memories_are_errors() {
        let two = "mov.u32 %r1, depot;\ncvta.local.u32 %r2, %r1;\nmov.u32 %r4, block;\ncvta.shared.u32 %r5, %r4;\n\
                   selp.b32 %r6, %r2, %r5, %p1;\nst.u32 [%r6], 1;\nret;";
        let error = memories(&format!("{DEPOT}{two}")).expect_err("an error");
        assert!(error.contains("more than one memory"), "{error}");
        let error = memories("ld.global.u32 %r1, [%r2];\nst.u32 [%r1], 1;\nret;").expect_err("an error");
        assert!(error.contains("is unknown"), "{error}");
    }
}
