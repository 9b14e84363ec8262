//! Lists the program around an address.

use crate::debug::adapter::arguments::Disassemble;
use crate::debug::adapter::memory::address_of;
use crate::debug::adapter::state::{Adapter, Answer};
use crate::debug::adapter::threads::described;
use crate::debug::code::Code;
use serde_json::json;

/// Maximum number of instructions in an answer.
const MOST: u64 = 100_000;
/// The size in bytes that is assumed for instructions before the beginning and after the end of the program.
const APART: i64 = 8;

/// The addresses of `count` instructions, from the instruction `offset` after the one at `base`. Outside the program,
/// which may be below 0, they are [`APART`] bytes apart.
fn addresses(code: &Code, base: i64, offset: i64, count: u64) -> Vec<i64> {
    let known: Vec<(i64, i64)> = code
        .statements()
        .map(|(pc, _)| (i64::from(pc), code.size(pc).unwrap_or(4).into()))
        .collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        let index = |at: u64| base.saturating_add(offset.saturating_add(at as i64).saturating_mul(APART));
        return (0..count).map(index).collect();
    };
    let (first, end) = (first.0, last.0 + last.1);
    // The number of the instruction that contains this address. The numbers continue outside the program.
    let here = if base < first {
        base.saturating_sub(first).div_euclid(APART)
    } else if base >= end {
        known.len() as i64 + base.saturating_sub(end) / APART
    } else {
        known.partition_point(|(at, _)| *at <= base) as i64 - 1
    };
    let place = |number: i64| match usize::try_from(number).ok().and_then(|index| known.get(index)) {
        Some((at, _)) => *at,
        None if number < 0 => first.saturating_add(number.saturating_mul(APART)),
        None => end.saturating_add(number.saturating_sub(known.len() as i64).saturating_mul(APART)),
    };
    let number = |at: u64| here.saturating_add(offset).saturating_add(at as i64);
    (0..count).map(|at| place(number(at))).collect()
}

/// An address for the client. A negative one is in decimal, because the protocol has no sign before hexadecimal digits.
fn shown(address: i64) -> String {
    if address < 0 {
        address.to_string()
    } else {
        format!("{address:#x}")
    }
}

impl Adapter<'_> {
    /// Handles `disassemble`: always returns as many instructions as requested. Those outside the program are marked as
    /// invalid.
    ///
    /// # Errors
    /// The reference is not an address, or the number of instructions is too large.
    pub(super) fn disassemble(&self, arguments: Disassemble) -> Answer {
        let count = arguments.instruction_count;
        if count > MOST {
            return Err(format!("{count} instructions requested; expected at most {MOST}"));
        }
        let base = i64::from(address_of(&arguments.memory_reference)?).saturating_add(arguments.offset);
        let code = self.session().code();
        let mut listed = Vec::new();
        let mut line_before = None;
        for address in addresses(code, base, arguments.instruction_offset, count) {
            let mut instruction = json!({ "address": shown(address) });
            let known = u32::try_from(address)
                .ok()
                .and_then(|pc| Some((pc, code.statement(pc)?)));
            let Some((pc, statement)) = known else {
                instruction["instruction"] = "outside the program".into();
                instruction["presentationHint"] = "invalid".into();
                listed.push(instruction);
                continue;
            };
            instruction["instruction"] = statement.into();
            instruction["instructionBytes"] = self.words(pc, code.size(pc).unwrap_or(4)).into();
            if arguments.resolve_symbols {
                if let Some(label) = code.label(pc) {
                    instruction["symbol"] = label.into();
                }
            }
            // A location is valid until the next one.
            let line = code.line(pc);
            if let (Some(line), Some(source)) = (line.filter(|_| line != line_before), &self.facts.source) {
                instruction["location"] = described(source);
                instruction["line"] = self.facts.line_to_client(line);
                line_before = Some(line);
            }
            listed.push(instruction);
        }
        Ok(json!({ "instructions": listed }))
    }

    /// The words of an instruction, as in listings.
    fn words(&self, pc: u32, bytes: u32) -> String {
        let words = (0..bytes / 4).filter_map(|word| self.facts.launch.program.get((pc / 4 + word) as usize));
        let words: Vec<String> = words.map(|word| format!("{word:08x}")).collect();
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_go_on_outside_the_program() {
        // MOV and two short instructions: 0, 8, 12; the end is 16.
        let code = Code::of_words(
            &[0x3000_0003, 0x0000_0780, 0x1000_8000, 0x1000_8000],
            flexgrip_isa::Capability::V1_0,
        );
        let starts: Vec<u32> = code.statements().map(|(pc, _)| pc).collect();
        assert_eq!(starts, [0, 8, 12]);
        assert_eq!(addresses(&code, 8, -2, 6), [-8, 0, 8, 12, 16, 24]);
        assert_eq!(addresses(&code, 4, 0, 1), [0], "within the first");
        assert_eq!(addresses(&code, 24, -1, 2), [16, 24]);
        assert_eq!(addresses(&code, 0, -3, 2), [-24, -16]);
        assert_eq!(addresses(&code, i64::MIN, i64::MIN, 1).len(), 1);
        assert_eq!(addresses(&code, i64::MAX, i64::MAX, 2).len(), 2);
        assert_eq!(addresses(&Code::default(), 0, -1, 3), [-8, 0, 8]);
        assert_eq!((shown(-8), shown(24)), ("-8".into(), "0x18".into()));
    }
}
