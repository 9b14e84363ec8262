//! The text of a program, from which instructions are deleted.

use flexgrip_isa::{assemble, decode, instructions, Diagnostic, Operation, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A program as assembly text.
pub struct AssemblySource {
    text: String,
    /// The byte range of each instruction, in the order of the text. The index is the number of the instruction.
    places: Vec<Range<usize>>,
}

impl AssemblySource {
    /// Parses a text that assembles.
    ///
    /// # Errors
    /// The diagnostics of the assembler.
    pub fn new(text: String) -> Result<AssemblySource, Vec<Diagnostic>> {
        let program = assemble(&text, "")?;
        let places = program.instructions.into_iter().map(|(_, place)| place).collect();
        Ok(AssemblySource { text, places })
    }

    /// The number of instructions.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if there are no instructions.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The line, from 1, of an instruction.
    pub fn line(&self, instruction: usize) -> usize {
        let before = self
            .places
            .get(instruction)
            .map_or("", |place| &self.text[..place.start]);
        before.matches('\n').count() + 1
    }

    /// The text of an instruction.
    pub fn instruction(&self, instruction: usize) -> &str {
        self.places
            .get(instruction)
            .map_or("", |place| &self.text[place.clone()])
    }

    /// The text with only these instructions, in ascending order. Labels are kept, so branches lead to the next
    /// instruction left. Lines that only consist of a comment after a deletion are also deleted.
    pub fn with(&self, kept: &[usize]) -> String {
        let kept: BTreeSet<usize> = kept.iter().copied().collect();
        let mut deleted = self.places.iter().enumerate();
        let mut next = deleted.find(|(number, _)| !kept.contains(number));
        let mut text = String::with_capacity(self.text.len());
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let end = start + line.len();
            let (mut left, mut from) = (String::new(), start);
            let mut is_changed = false;
            while let Some((_, place)) = next.filter(|(_, place)| place.start < end) {
                left.push_str(&self.text[from..place.start]);
                from = place.end;
                // The semicolon after the instruction.
                let rest = &self.text[from..end];
                let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                if rest[blanks..].starts_with(';') {
                    from += blanks + 1;
                }
                is_changed = true;
                next = deleted.find(|(number, _)| !kept.contains(number));
            }
            left.push_str(&self.text[from..end]);
            let is_empty = left.trim().is_empty() || left.trim_start().starts_with("//");
            if !(is_changed && is_empty) {
                text.push_str(&left);
            }
            start = end;
        }
        text
    }

    /// The first instruction with a numeric branch target instead of a label: deleting instructions would change its
    /// target.
    pub fn numeric_target(&self) -> Option<usize> {
        let place = self.places.first()?;
        // An instruction is added at the beginning, which moves all labels, but not numbers.
        let longer = [&self.text[..place.start], "NOP; ", &self.text[place.start..]].concat();
        let (old, new) = (assemble(&self.text, "").ok()?, assemble(&longer, "").ok()?);
        let (old_targets, new_targets) = (targets(&old), targets(&new));
        let moved: BTreeMap<u32, u32> = (old.instructions.iter().zip(new.instructions.iter().skip(1)))
            .map(|(old, new)| (old.0, new.0))
            .collect();
        let first = (old.instructions.first()?.0, new.instructions.first()?.0);
        (0..self.places.len()).find(|number| {
            let (old, new) = (old_targets.get(number), new_targets.get(&(number + 1)));
            let (Some(old), Some(new)) = (old, new) else {
                return false;
            };
            let is_moved = match moved.get(old) {
                Some(expected) => expected == new,
                // The target is the end of the program.
                None => old < new,
            };
            // A label before the first instruction is now before the added one.
            !(is_moved || (*old, *new) == first)
        })
    }
}

/// The target of each branch, by the number of its instruction.
fn targets(program: &Program) -> BTreeMap<usize, u32> {
    let words: BTreeMap<u32, u64> = instructions(&program.words)
        .map(|listed| {
            let high = listed.words.get(1).copied().unwrap_or_default();
            let low = listed.words.first().copied().unwrap_or_default();
            (listed.address as u32, u64::from(high) << 32 | u64::from(low))
        })
        .collect();
    let target = |pc: &u32| match decode(*words.get(pc)?).ok()?.operation() {
        Operation::Bra { target }
        | Operation::Ssy { target }
        | Operation::Cal { target, .. }
        | Operation::Pbk { target } => Some(target),
        _ => None,
    };
    let numbered = program.instructions.iter().enumerate();
    numbered
        .filter_map(|(number, (pc, _))| Some((number, target(pc)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
.kernel k
.registers 4
    MOV R1, R2; MOV R2, R3 // both
    SSY end             /* of the loop */
loop: IADD32I R1, R1, -1;
    BRA C0.NE, loop // back
    // alone
end: NOP.S; RET
";

    fn source() -> AssemblySource {
        AssemblySource::new(TEXT.into()).unwrap()
    }

    #[test]
    fn all_instructions_give_the_whole_text() {
        let source = source();
        assert_eq!((source.len(), source.is_empty()), (7, false));
        assert_eq!(source.with(&[0, 1, 2, 3, 4, 5, 6]), TEXT);
        assert_eq!(source.instruction(2), "SSY end");
        assert_eq!(
            (0..7).map(|number| source.line(number)).collect::<Vec<_>>(),
            [3, 3, 4, 5, 6, 8, 8]
        );
    }

    #[test]
    fn other_labels_and_comments_stay() {
        let text = source().with(&[1, 4, 6]);
        let expected = "\
.kernel k
.registers 4
     MOV R2, R3 // both
                 /* of the loop */
loop: 
    BRA C0.NE, loop // back
    // alone
end:  RET
";
        assert_eq!(text, expected);
        // Labels lead to the next instruction.
        let program = assemble(&text, "").unwrap();
        assert_eq!(program.labels["loop"], program.instructions[1].0);
        assert_eq!(program.labels["end"], program.instructions[2].0);
    }

    #[test]
    fn lines_without_an_instruction_are_deleted() {
        assert_eq!(
            source().with(&[]),
            ".kernel k\n.registers 4\n                 /* of the loop */\nloop: \n    // alone\nend:  \n"
        );
    }

    #[test]
    fn numeric_targets_are_found() {
        assert_eq!(source().numeric_target(), None);
        for (text, expected) in [
            ("a: MOV R1, R2; BRA a; RET", None),
            ("MOV R1, R2; BRA 0x8; RET", Some(1)),
            // The beginning does not move.
            ("SSY 0x0; BRA end; end:", None),
            ("MOV R1, R2; BRA end; end:", None),
            ("MOV32 R1, R2; MOV R1, R2; b: MOV R3, R1; BRA b", None),
        ] {
            let found = AssemblySource::new(text.into()).unwrap().numeric_target();
            assert_eq!(found, expected, "{text}");
        }
    }
}
