//! Printer of the intermediate representation, for `--emit ir` and tests.

use super::types::*;
use crate::ptx::ast::{Kind, Type};
use std::fmt;

/// The type as PTX writes it, without the dot.
fn type_name(ty: Type) -> String {
    let letter = match ty.kind {
        Kind::Unsigned => 'u',
        Kind::Signed => 's',
        Kind::Float => 'f',
        Kind::Predicate => return "pred".to_string(),
        _ => 'b',
    };
    format!("{letter}{}", ty.bits)
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |value: Value| match self.registers.get(value.0 as usize) {
            Some(register) => register.name.clone(),
            None => format!("?{}", value.0),
        };
        let block_name = |block: BlockIndex| match self.blocks.get(block) {
            Some(target) => format!("{block} {}", target.name),
            None => format!("?{block}"),
        };
        writeln!(
            f,
            "kernel {}: {} bytes of parameters, {} of shared, {} of local memory",
            self.name,
            self.parameter_bytes(),
            self.shared_bytes,
            self.local_bytes
        )?;
        for (index, block) in self.blocks.iter().enumerate() {
            writeln!(f, "block {}:", block_name(index))?;
            for instruction in &block.instructions {
                let results: Vec<_> = instruction.results.iter().map(|&value| name(value)).collect();
                let arguments: Vec<_> = instruction
                    .arguments
                    .iter()
                    .map(|&argument| match argument {
                        Argument::Value(value) => name(value),
                        Argument::Constant(number) => format!("{:#x}", number),
                    })
                    .collect();
                let results = results.join(", ");
                let arrow = if results.is_empty() { "" } else { " = " };
                writeln!(
                    f,
                    "    {results}{arrow}{:?}.{} {}",
                    instruction.operation,
                    type_name(instruction.ty),
                    arguments.join(", ")
                )?;
            }
            match block.terminator {
                Terminator::Jump(to) => writeln!(f, "    jump {}", block_name(to))?,
                Terminator::Branch {
                    predicate,
                    negated,
                    taken,
                    otherwise,
                } => writeln!(
                    f,
                    "    if {}{} {} else {}",
                    if negated { "!" } else { "" },
                    name(predicate),
                    block_name(taken),
                    block_name(otherwise)
                )?,
                Terminator::Return => writeln!(f, "    return")?,
                Terminator::Exit => writeln!(f, "    exit")?,
            }
        }
        Ok(())
    }
}
