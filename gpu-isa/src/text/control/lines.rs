//! Listings with control codes in the notations of other tools.

use super::reuse::with_reuse;
use super::{Notation, Slot};
use crate::set::{Control, Set};
use crate::text::listed::{Kind, Line, Listed};

/// The widths of the columns of NVIDIA's listing: before an instruction, and of an instruction.
const BEFORE: usize = 19;
const INSTRUCTION: usize = 46;

/// The lines of a listing with control codes in a notation; the set's own text if it has no such control words. They
/// assemble to the same bytes.
///
/// If a notation cannot express a control word (a barrier 6, or a kept operand that is not a register), it is listed as
/// a separate `.control` or `.word` line, and its instructions have no control text.
pub fn control_lines(set: &Set, listed: &Listed, notation: Notation) -> Vec<String> {
    let Some(control) = set.control.as_ref().filter(|control| !control.slots.is_empty()) else {
        return listed.lines.iter().map(plain).collect();
    };
    let mut text = Vec::new();
    let mut rest = listed.lines.as_slice();
    // True if the last instruction is issued together with the next one.
    let mut open = false;
    while let Some((first, more)) = rest.split_first() {
        let is_control = set.is_control(first.address) && first.bytes == 8;
        let count = more.iter().take_while(|line| !set.is_control(line.address)).count();
        let (group, next) = more.split_at(if is_control { count } else { 0 });
        rest = next;
        if !is_control {
            text.push(plain(first));
            continue;
        }
        match notation {
            Notation::Vendor => vendor(set, control, (first, group, next), &mut open, &mut text),
            _ => match prefixed(set, control, first, group, notation) {
                Some(lines) => text.extend(lines),
                None => text.extend(std::iter::once(first).chain(group).map(plain)),
            },
        }
    }
    text
}

/// A line without control codes.
fn plain(line: &Line) -> String {
    format!("/*{:04x}*/ {};", line.address, line.text)
}

/// The slots of a control word.
fn slots(control: &Control, word: u128) -> Vec<Slot> {
    let slot = |low: &u8| Slot((word as u64 >> low & Slot::MASK) as u32);
    control.slots.iter().map(slot).collect()
}

/// The text of a line with its `.reuse` marks.
fn kept(set: &Set, line: &Line, slot: Slot) -> Option<String> {
    match (line.kind, slot.reuse()) {
        (_, 0) => Some(line.text.clone()),
        (Kind::Instruction, reuse) => with_reuse(set.find(line.word)?, line.word, &line.text, reuse),
        _ => None,
    }
}

/// A group with a control text before each instruction, if the notation can express it.
fn prefixed(set: &Set, control: &Control, word: &Line, group: &[Line], notation: Notation) -> Option<Vec<String>> {
    let slots = slots(control, word.word);
    let rest = slots.get(group.len()..)?;
    if word.kind != Kind::Control || group.is_empty() || rest.iter().any(|slot| *slot != Slot::DEFAULT) {
        return None;
    }
    let line = |(line, slot): (&Line, &Slot)| {
        let text = kept(set, line, *slot)?;
        Some(format!("{}  /*{:04x}*/  {text};", slot.text(notation)?, line.address))
    };
    if group.iter().any(|line| line.bytes != 8) {
        return None;
    }
    group.iter().zip(&slots).map(line).collect()
}

/// Prints a group as cuobjdump does.
fn vendor(
    set: &Set,
    control: &Control,
    (word, group, next): (&Line, &[Line], &[Line]),
    open: &mut bool,
    text: &mut Vec<String>,
) {
    let alone = |word: u128| format!("{:width$}/* {word:#018x} */", "", width = 8 + 8 + BEFORE + INSTRUCTION);
    text.push(alone(word.word));
    let slots = slots(control, word.word);
    for (place, line) in group.iter().enumerate() {
        let slot = slots.get(place).copied().unwrap_or(Slot::DEFAULT);
        let instruction = kept(set, line, slot).unwrap_or_else(|| line.text.clone());
        // The next instruction, which may be after the next control word.
        let follower = group.get(place + 1).or(next.get(1));
        let closes = std::mem::take(open);
        let is_instruction = |line: &Line| line.kind == Kind::Instruction;
        *open = !closes && slot.is_paired() && is_instruction(line) && follower.is_some_and(is_instruction);
        let before = if *open { "         {" } else { "" };
        let address = format!("        /*{:04x}*/{before:<BEFORE$}", line.address);
        if line.bytes != 8 {
            text.push(format!("{address}{instruction};"));
        } else if closes {
            text.push(format!("{address}{instruction}         }}"));
            text.push(alone(line.word));
        } else {
            text.push(format!(
                "{address}{:<INSTRUCTION$}/* {:#018x} */",
                instruction + " ;",
                line.word
            ));
        }
    }
}
