//! Instructions as text, for errors and records.

use flexgrip_isa::{Capability, DecodeError};

/// The text of an instruction that could not be executed. If `illegal`, the machine does not have the instruction, and
/// the text includes the reason.
///
/// The capability of the machine is not known here. An instruction that 1.0 does not have is decoded at the first
/// capability that has it. If 1.0 executes an illegal word, a later capability refused it.
pub(crate) fn disassembly(word: u64, illegal: bool) -> String {
    let last = Capability::LATEST;
    match flexgrip_isa::decode(word) {
        Ok(instruction) if illegal && instruction.executed() => match flexgrip_isa::decode_at(word, last) {
            Ok(instruction) => instruction.to_string(),
            Err(error) => format!("({error})"),
        },
        Ok(instruction) => instruction.to_string(),
        Err(error @ DecodeError::Later { since, .. }) => match flexgrip_isa::decode_at(word, since) {
            Ok(instruction) if illegal && instruction.executed() => format!("{instruction} ({error})"),
            Ok(instruction) => instruction.to_string(),
            Err(error) => format!("({error})"),
        },
        Err(error) => format!("({error})"),
    }
}
