//! Konata's pipeline log: one command per line, with its parts separated by tabs.
//!
//! ```text
//! I  number  number  thread          an instruction begins; thread: 32 x SM + warp slot
//! L  number  0 or 1  text            its text at the left, or in the tooltip
//! S  number  0       stage           a stage begins, and the stage before it ends
//! W  number  number  0               the first needs a result of the second
//! R  number  order   0               the instruction has ended
//! C  cycles                          time advances
//! ```
//! Commands are written in the order of time, so they are buffered here until all commands of their time are known.

use crate::timeline::formats::format::{About, Format};
use crate::timeline::formats::text::{hex, number};
use crate::timeline::instruction::{Instruction, Need, Unit};
use std::collections::BTreeMap;

/// The commands of a time.
#[derive(Default)]
struct Commands {
    /// All commands but ends.
    text: Vec<u8>,
    /// The instructions that end.
    ended: Vec<u64>,
}

/// The encoder.
pub(in crate::timeline) struct Kanata {
    unit: Unit,
    commands: BTreeMap<u64, Commands>,
    /// Written commands, kept to reuse their memory.
    written: Vec<Commands>,
    /// The time that the log has reached.
    now: u64,
    /// The number of ended instructions.
    ended: u64,
}

impl Kanata {
    pub(in crate::timeline) fn new(unit: Unit) -> Self {
        Kanata {
            unit,
            commands: BTreeMap::new(),
            written: Vec::new(),
            now: 0,
            ended: 0,
        }
    }

    fn at(&mut self, time: u64) -> &mut Commands {
        let new = || self.written.pop().unwrap_or_default();
        self.commands.entry(time).or_insert_with(new)
    }
}

/// Appends a command with numbers, each after a tab. The line is not ended.
fn command<const COUNT: usize>(out: &mut Vec<u8>, name: u8, numbers: [u64; COUNT]) {
    out.push(name);
    for value in numbers {
        out.push(b'\t');
        number(out, value);
    }
}

/// Appends Konata's tooltip; `\n` are two characters in the file, and a line break in the tooltip.
fn details(out: &mut Vec<u8>, instruction: &Instruction, unit: &[u8]) {
    let Instruction { active, executed, .. } = *instruction;
    let mut part = |before: &[u8], value: u64| {
        out.extend_from_slice(before);
        number(out, value);
    };
    part(b"SM ", instruction.sm.into());
    part(b", warp slot ", instruction.warp.into());
    part(b"; block ", instruction.block.into());
    part(b", warp ", instruction.warp_in_block.into());
    out.extend_from_slice(b"\\nactive ");
    hex(out, active, 8);
    out.extend_from_slice(b", executed ");
    hex(out, executed, 8);
    out.extend_from_slice(b": ");
    number(out, executed.count_ones().into());
    out.extend_from_slice(b" lanes\\nissued in ");
    out.extend_from_slice(unit);
    out.push(b' ');
    number(out, instruction.begin);
    if let Some(place) = &instruction.code.place {
        out.extend_from_slice(b"\\n");
        out.extend_from_slice(place.as_bytes());
    }
}

impl Format for Kanata {
    fn begin(&mut self, _: &About, out: &mut Vec<u8>) {
        out.extend_from_slice(b"Kanata\t0004\nC=\t0\n");
    }

    fn instruction(&mut self, instruction: &Instruction, needs: &[Need], _: &mut Vec<u8>) {
        let Instruction {
            number: id, sm, warp, ..
        } = *instruction;
        let unit: &[u8] = match self.unit {
            Unit::Cycles => b"cycle",
            Unit::Instructions => b"warp instruction",
        };
        let text = &mut self.at(instruction.begin).text;
        command(text, b'I', [id, id, u64::from(32 * sm + warp)]);
        text.push(b'\n');
        command(text, b'L', [id, 0, sm.into()]);
        text.extend_from_slice(if warp < 10 { b".0" } else { b"." });
        number(text, warp.into());
        text.push(b' ');
        hex(text, instruction.pc, 4);
        text.extend_from_slice(b": ");
        text.extend_from_slice(instruction.code.text.as_bytes());
        text.push(b'\n');
        command(text, b'L', [id, 1]);
        text.push(b'\t');
        details(text, instruction, unit);
        text.push(b'\n');
        for need in needs {
            command(text, b'W', [id, need.producer, 0]);
            text.push(b'\n');
        }
        for (stage, begin) in instruction.stages.iter() {
            let text = &mut self.at(begin).text;
            command(text, b'S', [id, 0]);
            text.push(b'\t');
            text.extend_from_slice(stage.name().as_bytes());
            text.push(b'\n');
        }
        self.at(instruction.end).ended.push(id);
    }

    fn passed(&mut self, time: u64, out: &mut Vec<u8>) {
        while let Some(entry) = self.commands.first_entry().filter(|entry| *entry.key() < time) {
            let (at, mut commands) = entry.remove_entry();
            if at > self.now {
                command(out, b'C', [at - self.now]);
                out.push(b'\n');
                self.now = at;
            }
            // At the same time, ends of instructions precede beginnings.
            for id in commands.ended.drain(..) {
                command(out, b'R', [id, self.ended, 0]);
                out.push(b'\n');
                self.ended += 1;
            }
            out.append(&mut commands.text);
            self.written.push(commands);
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        self.passed(u64::MAX, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::instruction::tests::instruction;

    #[test]
    fn commands_come_in_the_order_of_time() {
        let mut out = Vec::new();
        let mut kanata = Kanata::new(Unit::Cycles);
        let need = Need {
            producer: 0,
            first_use_of_load: false,
        };
        kanata.instruction(&instruction(0, "RET", 3, 9), &[], &mut out);
        kanata.instruction(&instruction(1, "RET", 9, 10), &[need], &mut out);
        kanata.passed(9, &mut out);
        kanata.end(&mut out);
        let text = String::from_utf8(out).unwrap();
        let commands: Vec<&str> = text.lines().filter(|line| !line.starts_with('L')).collect();
        // The first ends before the second begins, in the same cycle.
        let expected = [
            "C\t3",
            "I\t0\t0\t0",
            "S\t0\t0\tX",
            "C\t6",
            "R\t0\t0\t0",
            "I\t1\t1\t0",
            "W\t1\t0\t0",
            "S\t1\t0\tX",
            "C\t1",
            "R\t1\t1\t0",
        ];
        assert_eq!(commands, expected);
        assert!(text.contains("L\t1\t0\t0.00 0008: RET\n"), "{text}");
    }
}
