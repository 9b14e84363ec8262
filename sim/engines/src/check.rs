//! The findings of the golden model's checker in a kernel, as text and as JSON.

use crate::files::launch::Kernel;
use flexgrip_model::check::{self, Checker, Finding, Report};
use serde::Serialize;
use std::ops::Range;

/// The outcome of a checked run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The checker's findings.
    pub findings: check::Findings,
    /// For each region of the launch, the ranges of byte addresses written by the host or the kernel; none for regions
    /// outside global memory.
    pub written: Vec<Vec<Range<u32>>>,
}

impl Checked {
    /// The outcome of a run that has ended.
    pub fn of(checker: &Checker) -> Self {
        let regions = checker.launch().facts.regions.iter();
        Checked {
            findings: checker.findings().clone(),
            written: regions
                .map(|region| match region.is_global() {
                    true => checker.written(region.range()),
                    false => Vec::new(),
                })
                .collect(),
        }
    }
}

/// A finding in its serialised form.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// The kind: `out-of-bounds`, `misaligned`, `unwritten`, `race`, `lockstep-race` (a note), `barrier`,
    /// `division-by-zero`, `trap`.
    pub kind: &'static str,
    /// File, line and column, or the kernel, and the byte address of the instruction.
    pub place: String,
    /// Byte address of the instruction.
    pub pc: u32,
    /// The error in words.
    pub message: String,
    /// The thread or work-item.
    pub thread: String,
    /// Further lines, such as the other access of a race.
    pub details: Vec<String>,
}

/// All findings of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Findings {
    /// The number of errors, without notes.
    pub errors: u64,
    /// The first 100,000 findings.
    pub findings: Vec<Told>,
    /// The findings as text for people, counted by place.
    #[serde(skip)]
    pub text: String,
}

impl Findings {
    /// Appends the findings of the next launch.
    pub fn append(&mut self, other: Findings) {
        self.errors += other.errors;
        self.findings.extend(other.findings);
        self.text += &other.text;
    }

    /// The findings in a launch of `kernel`.
    pub fn new(kernel: &Kernel, checked: &Checked) -> Self {
        let place = |pc: u32| kernel.source.as_ref().map(|source| source.exact_place(pc));
        let report = Report {
            launch: &kernel.launch,
            place: &place,
        };
        let told = |finding: &Finding| Told {
            kind: report.kind(finding),
            place: report.at(finding.pc),
            pc: finding.pc,
            message: report.message(finding),
            thread: report.thread(finding.thread),
            details: report.details(finding),
        };
        Findings {
            errors: checked.findings.errors(),
            findings: checked.findings.all().iter().map(told).collect(),
            text: report.text(&checked.findings),
        }
    }
}
