//! The pipeline stages of an instruction, as far as its events show them.

use crate::timeline::code::CodeKind;
use crate::times::Times;

/// Maximum number of stages of an instruction.
const MOST: usize = 5;

/// A stage of the pipeline, by its name in the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stage {
    /// Issue.
    Issue,
    /// The operand collector.
    Collector,
    /// Read: the beats pass the read stage.
    Read,
    /// Execution in the lanes.
    Execute,
    /// Execution in the special function units, or waiting in their queue.
    SpecialFunction,
    /// Memory access.
    Memory,
    /// Writeback of the beats; also the time until the rest of the instruction, such as the warp's next state, is done.
    Writeback,
}

impl Stage {
    /// The name in viewers. Konata draws dependencies between stages with an X in their names.
    pub(super) fn name(self) -> &'static str {
        match self {
            Stage::Issue => "I",
            Stage::Collector => "C",
            Stage::Read => "R",
            Stage::Execute => "X",
            Stage::SpecialFunction => "Xs",
            Stage::Memory => "Xm",
            Stage::Writeback => "W",
        }
    }
}

/// The stages of an instruction with their start times, in order; the last ends with the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stages {
    all: [(Stage, u64); MOST],
    count: usize,
}

impl Stages {
    /// The stages of an instruction on an engine without a clock.
    pub(super) fn at_once(time: u64) -> Self {
        Stages {
            all: [(Stage::Execute, time); MOST],
            count: 1,
        }
    }

    /// Derives the stages from the times of an instruction that ends at `end`; `lanes` is the machine's number of
    /// lanes.
    pub(super) fn new(times: &Times, end: u64, kind: CodeKind, lanes: u32) -> Self {
        let mut stages = Stages {
            all: [(Stage::Issue, times.issue); MOST],
            count: 1,
        };
        let registers = if let CodeKind::Store(registers) = kind {
            registers
        } else {
            1
        };
        let read = times.read + u64::from(32 / lanes.clamp(1, 32) * registers);
        let access = times.accesses.iter().flatten().min().copied();
        let (execute, begins) = match kind {
            CodeKind::Load | CodeKind::Store(_) => (Stage::Memory, access.unwrap_or(read)),
            CodeKind::SpecialFunction => (Stage::SpecialFunction, read),
            CodeKind::Barrier | CodeKind::Plain => (Stage::Execute, read),
        };
        let writeback = times.writeback.map_or(end, |(first, _)| first);
        let later = [
            (
                Stage::Collector,
                (times.read > times.issue + 1).then_some(times.issue + 1),
            ),
            (Stage::Read, Some(times.read)),
            (execute, (begins < writeback).then_some(begins)),
            (Stage::Writeback, Some(writeback)),
        ];
        for (stage, begin) in later {
            let (_, last) = stages.all[stages.count - 1];
            // A stage is not shown if it begins at or after the next stage, or at the instruction's end.
            if let Some(begin) = begin.filter(|begin| (last + 1..end).contains(begin)) {
                stages.all[stages.count] = (stage, begin);
                stages.count += 1;
            }
        }
        stages
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Stage, u64)> + '_ {
        self.all[..self.count].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(times: Times, end: u64, kind: CodeKind) -> String {
        let parts = Stages::new(&times, end, kind, 8);
        let parts = parts.iter().map(|(stage, begin)| format!("{}{begin}", stage.name()));
        parts.collect::<Vec<_>>().join(" ")
    }

    const TIMES: Times = Times {
        issue: 10,
        read: 11,
        accesses: [None; 4],
        writeback: Some((16, 19)),
        next: None,
    };

    #[test]
    fn stages_are_consecutive() {
        assert_eq!(shown(TIMES, 20, CodeKind::Plain), "I10 R11 X15 W16");
        let collected = Times {
            read: 20,
            writeback: Some((26, 29)),
            ..TIMES
        };
        assert_eq!(shown(collected, 30, CodeKind::Plain), "I10 C11 R20 X24 W26");
        let loaded = Times {
            accesses: [Some(14), Some(15), Some(16), Some(17)],
            writeback: Some((50, 53)),
            ..TIMES
        };
        assert_eq!(shown(loaded, 54, CodeKind::Load), "I10 R11 Xm14 W50");
        let special = Times {
            writeback: Some((40, 60)),
            ..TIMES
        };
        assert_eq!(shown(special, 61, CodeKind::SpecialFunction), "I10 R11 Xs15 W40");
    }

    #[test]
    fn stages_never_overlap_or_outlast_the_instruction() {
        let early = Times {
            writeback: Some((12, 12)),
            ..TIMES
        };
        assert_eq!(shown(early, 13, CodeKind::Plain), "I10 R11 W12");
        let at_once = Times {
            read: 10,
            writeback: Some((10, 10)),
            ..TIMES
        };
        assert_eq!(shown(at_once, 11, CodeKind::Plain), "I10");
        assert_eq!(Stages::at_once(7).iter().collect::<Vec<_>>(), [(Stage::Execute, 7)]);
    }
}
