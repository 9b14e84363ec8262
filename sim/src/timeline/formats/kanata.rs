//! The log of a pipeline that Konata shows: one command a line, its parts separated by tabs.
//!
//! ```text
//! I  number  number  thread          an instruction begins; thread: 32 x SM + warp slot
//! L  number  0 or 1  text            its text at the left, or under the pointer
//! S  number  0       stage           a stage begins, and with it the one before ends
//! W  number  number  0               the first needs a result of the second
//! R  number  order   0               it has ended
//! C  cycles                          time goes on
//! ```
//! Commands come in the order of time, so those of an instruction wait here until all of their time are known.

use crate::timeline::format::{About, Format};
use crate::timeline::instruction::{Instruction, Need, Unit};
use crate::timeline::output::Output;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The commands of a time.
#[derive(Default)]
struct Commands {
    /// All but ends.
    text: String,
    /// The instructions that end.
    ended: Vec<u64>,
}

/// Writes the log.
pub(in crate::timeline) struct Kanata {
    unit: Unit,
    commands: BTreeMap<u64, Commands>,
    /// The time that the log has reached.
    now: u64,
    /// Instructions that have ended.
    ended: u64,
}

impl Kanata {
    pub(in crate::timeline) fn new(unit: Unit) -> Self {
        Kanata {
            unit,
            commands: BTreeMap::new(),
            now: 0,
            ended: 0,
        }
    }

    fn at(&mut self, time: u64) -> &mut Commands {
        self.commands.entry(time).or_default()
    }
}

/// What Konata shows under the pointer; `\n` are two characters in the file, and a new line there.
fn details(instruction: &Instruction, unit: Unit) -> String {
    let Instruction {
        sm,
        warp,
        block,
        warp_in_block,
        active,
        executed,
        begin,
        ..
    } = *instruction;
    let mut text = format!(
        "SM {sm}, warp slot {warp}; block {block}, warp {warp_in_block}\\nactive {active:08x}, executed {executed:08x}: \
         {} lanes\\nissued in {unit} {begin}",
        executed.count_ones(),
    );
    if let Some(place) = &instruction.code.place {
        text += "\\n";
        text += place;
    }
    text
}

impl Format for Kanata {
    fn begin(&mut self, _: &About, out: &mut Output) -> io::Result<()> {
        out.write_all(b"Kanata\t0004\nC=\t0\n")
    }

    fn instruction(&mut self, instruction: &Instruction, needs: &[Need], _: &mut Output) -> io::Result<()> {
        let Instruction {
            number, sm, warp, pc, ..
        } = *instruction;
        let details = details(instruction, self.unit);
        let commands = self.at(instruction.begin);
        let text = &mut commands.text;
        // Writing to a string does not fail.
        let _ = writeln!(text, "I\t{number}\t{number}\t{}", 32 * sm + warp);
        let _ = writeln!(
            text,
            "L\t{number}\t0\t{sm}.{warp:02} {pc:04x}: {}",
            instruction.code.text
        );
        let _ = writeln!(text, "L\t{number}\t1\t{details}");
        for need in needs {
            let _ = writeln!(text, "W\t{number}\t{}\t0", need.producer);
        }
        for (stage, begin) in instruction.stages.iter() {
            let _ = writeln!(self.at(begin).text, "S\t{number}\t0\t{}", stage.name());
        }
        self.at(instruction.end).ended.push(number);
        Ok(())
    }

    fn passed(&mut self, time: u64, out: &mut Output) -> io::Result<()> {
        while let Some(entry) = self.commands.first_entry().filter(|entry| *entry.key() < time) {
            let (at, commands) = entry.remove_entry();
            if at > self.now {
                writeln!(out, "C\t{}", at - self.now)?;
                self.now = at;
            }
            // What ends in this time has ended before what begins in it.
            for number in commands.ended {
                writeln!(out, "R\t{number}\t{}\t0", self.ended)?;
                self.ended += 1;
            }
            out.write_all(commands.text.as_bytes())?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.passed(u64::MAX, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::instruction::tests::instruction;

    #[test]
    fn commands_come_in_the_order_of_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.kanata");
        let mut out = Output::create(&path).unwrap();
        let mut kanata = Kanata::new(Unit::Cycles);
        let need = Need {
            producer: 0,
            first_use_of_load: false,
        };
        kanata.instruction(&instruction(0, "RET", 3, 9), &[], &mut out).unwrap();
        kanata
            .instruction(&instruction(1, "RET", 9, 10), &[need], &mut out)
            .unwrap();
        kanata.passed(9, &mut out).unwrap();
        kanata.end(&mut out).unwrap();
        out.close().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
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
