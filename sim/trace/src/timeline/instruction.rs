//! The input of formats: instructions, waits of warps, and counters over time. Times are in the run's unit.

use crate::timeline::code::{ProgramInstruction, Reason};
use crate::timeline::stages::Stages;
use std::fmt;
use std::rc::Rc;

/// The unit of time of a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Clock cycles, from the start's acknowledge.
    Cycles,
    /// Executed warp instructions, for an engine without a clock: each takes one.
    Instructions,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Cycles => "cycle",
            Unit::Instructions => "warp instruction",
        })
    }
}

/// An executed warp instruction.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    /// The number in the run: in the order of issue, and within a cycle in the order of the SMs.
    pub number: u64,
    pub sm: u32,
    /// The warp's slot.
    pub warp: u32,
    pub block: u32,
    pub warp_in_block: u32,
    pub pc: u32,
    /// The active threads, one bit each.
    pub active: u32,
    pub executed: u32,
    pub code: Rc<ProgramInstruction>,
    /// The time of its issue.
    pub begin: u64,
    /// The time from which its operand is gathered, if it passes through the operand collector.
    pub read: u64,
    /// The time from which the warp's next state is known, for instructions that determine it.
    pub resolved: Option<u64>,
    /// The time at which its results have been written.
    pub written: u64,
    /// The end of all of its effects; later than `begin`.
    pub end: u64,
    pub stages: Stages,
}

/// A result that an instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Need {
    /// The number of the instruction that wrote it last.
    pub producer: u64,
    /// True if the producer is a load, and this is the first use of its result.
    pub first_use_of_load: bool,
}

/// A wait: a part of the time until a warp's next instruction.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    pub from: u64,
    /// The end of the wait, later than `from`.
    pub to: u64,
    pub reason: Reason,
    /// The instruction in flight that the warp waits for, if it waits for one.
    pub on: Option<On>,
}

/// An instruction in flight that another one waits for.
#[derive(Clone, Debug)]
pub(super) struct On {
    pub producer: u64,
    pub pc: u32,
    pub code: Rc<ProgramInstruction>,
    /// The registers that the producer writes and the waiting instruction needs, as text.
    pub what: String,
}

/// An instruction, with the time until the next one of its warp.
#[derive(Debug)]
pub(super) struct Stay<'a> {
    pub instruction: &'a Instruction,
    /// The issue time of the next instruction; without one, the end of this one.
    pub until: u64,
    /// The waits, in order, without overlaps, within the stay.
    pub waits: &'a [Wait],
    /// The loads with a first use by this instruction.
    pub first_uses: &'a [u64],
}

/// The kinds of counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Counter {
    /// Requests to global memory in an interval.
    Requests,
    /// Threads that execute an instruction, on average over an interval's instructions.
    Lanes,
    /// Warps that have begun and not ended.
    Warps,
}

impl Counter {
    pub(super) const ALL: [Counter; 3] = [Counter::Requests, Counter::Lanes, Counter::Warps];

    /// The counter's name in viewers, and its unit, with `interval` units of time in an interval.
    pub(super) fn name(self, interval: u64, unit: Unit) -> (String, &'static str) {
        match self {
            Counter::Requests => (format!("memory requests in {interval} {unit}s"), "requests"),
            Counter::Lanes => ("active lanes of an instruction".into(), "lanes"),
            Counter::Warps => ("resident warps".into(), "warps"),
        }
    }
}

/// A counter's value from a time onward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub sm: u32,
    pub counter: Counter,
    pub time: u64,
    pub value: f64,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::timeline::code::Codes;
    use std::collections::BTreeMap;

    /// The instruction of one line of SASS, issued at `begin`, with its result written at `written`.
    pub(in crate::timeline) fn instruction(number: u64, text: &str, begin: u64, written: u64) -> Instruction {
        let program = flexgrip_isa::assemble(text, "t").unwrap();
        let words = program.words.iter().rev();
        let word = words.fold(0, |word, part| word << 32 | u64::from(*part));
        Instruction {
            number,
            sm: 0,
            warp: 0,
            block: 0,
            warp_in_block: 0,
            pc: 8 * number as u32,
            active: !0,
            executed: !0,
            code: Codes::new(BTreeMap::new()).at(0, word),
            begin,
            read: begin + 1,
            resolved: None,
            written,
            end: written,
            stages: Stages::at_once(begin),
        }
    }

    #[test]
    fn counters_name_their_interval_and_unit() {
        let (name, unit) = Counter::Requests.name(100, Unit::Cycles);
        assert_eq!((name.as_str(), unit), ("memory requests in 100 cycles", "requests"));
        let (name, _) = Counter::Requests.name(10, Unit::Instructions);
        assert_eq!(name, "memory requests in 10 warp instructions");
    }
}
