//! The files of a grade: `faults.csv`, `instructions.csv`, `detections.csv`, `coverage.svg`.

use super::graded::{hexadecimal, Grade, GradedFault, InstructionRow};
use crate::campaign::folder::replace;
use crate::gates::list::Untestable;
use crate::gates::results::write_csv;
use crate::report::curve;
use crate::text::error::Error;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// A line of `faults.csv`.
#[derive(Serialize)]
struct FaultLine<'a> {
    id: usize,
    site: &'a str,
    stuck_at: u8,
    equivalent: usize,
    status: &'a str,
    untestable: Option<Untestable>,
    cycle: Option<u64>,
    sm: Option<u32>,
    warp: Option<u32>,
    pc: String,
    instruction: &'a str,
    lane: Option<u32>,
    thread: Option<u32>,
    output: &'a str,
    outcome: Option<&'a str>,
    code: Option<&'a str>,
}

impl<'a> FaultLine<'a> {
    fn new(fault: &'a GradedFault) -> Self {
        let first = fault.first.as_ref();
        FaultLine {
            id: fault.id,
            site: &fault.site,
            stuck_at: fault.stuck_at,
            equivalent: fault.equivalent,
            status: fault.status.name(),
            untestable: fault.untestable,
            cycle: first.map(|first| first.cycle),
            sm: first.and_then(|first| first.sm),
            warp: first.and_then(|first| first.warp),
            pc: first.and_then(|first| first.pc).map(hexadecimal).unwrap_or_default(),
            instruction: first.map_or("", |first| &first.instruction),
            lane: first.and_then(|first| first.lane),
            thread: first.and_then(|first| first.thread),
            output: first.map_or("", |first| &first.output),
            outcome: fault.outcome.map(|outcome| outcome.name()),
            code: fault.code.as_deref(),
        }
    }
}

/// A line of `detections.csv`: an instruction that detects a fault.
#[derive(Serialize)]
struct DetectionLine {
    id: usize,
    pc: String,
}

impl Grade {
    /// Writes all files into a folder, each atomically. `detections.csv` is only written without dropping.
    ///
    /// # Errors
    /// [`Error::File`] if a file cannot be written or removed.
    pub fn write(&self, folder: &Path, about: &str) -> Result<(), Error> {
        std::fs::create_dir_all(folder).map_err(Error::at(folder))?;
        let faults: Vec<FaultLine> = self.faults.iter().map(FaultLine::new).collect();
        write_csv(&folder.join("faults.csv"), &faults)?;
        write_csv(&folder.join("instructions.csv"), &self.instructions())?;
        let detections = folder.join("detections.csv");
        match self.faults.iter().any(|fault| fault.instructions.is_some()) {
            true => write_csv(&detections, &self.detections())?,
            // Removes the file of an earlier grade.
            false if detections.exists() => std::fs::remove_file(&detections).map_err(Error::at(&detections))?,
            false => {}
        }
        replace(&folder.join("coverage.svg"), &curve(&self.curve(), self.cycles, about))
    }

    fn detections(&self) -> Vec<DetectionLine> {
        let of_fault = |fault: &GradedFault| {
            let id = fault.id;
            let pcs = fault.instructions.clone().unwrap_or_default().into_iter();
            pcs.map(move |pc| DetectionLine {
                id,
                pc: hexadecimal(pc),
            })
        };
        self.faults.iter().flat_map(of_fault).collect()
    }

    /// The instructions as a table for a terminal.
    pub fn table(&self) -> String {
        let rows = self.instructions();
        let width = rows.iter().map(|row| row.instruction.len()).max().unwrap_or_default();
        let has_all = rows.iter().any(|row| row.all.is_some());
        let mut text = format!("{:>8}  {:width$}  executed      new", "PC", "instruction");
        text += if has_all {
            "      all  coverage\n"
        } else {
            "  coverage\n"
        };
        for row in &rows {
            let InstructionRow {
                pc,
                instruction,
                executions,
                new,
                all,
                coverage,
                ..
            } = row;
            let all = all.map_or_else(String::new, |all| format!("  {all:>7}"));
            let pc = if pc.is_empty() { "none" } else { pc };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{pc:>8}  {instruction:width$}  {executions:>8}  {new:>7}{all}  {:>6.2} %",
                100.0 * coverage
            );
        }
        text
    }
}
