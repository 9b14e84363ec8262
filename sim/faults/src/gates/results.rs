//! The files of a campaign with faults of gates: fault list, results and windows.

use super::classes::{Class, Classes};
use super::list::{FaultList, Untestable};
use crate::campaign::folder::replace;
use crate::text::error::Error;
use hdlkit::gates::Unit;
use serde::Serialize;
use std::path::Path;

/// A line of `faults.csv`: a prime fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultRow {
    /// The number of the fault in the list of all faults of the unit.
    pub id: usize,
    /// The pin.
    pub site: String,
    /// The value of the pin, 0 or 1.
    pub stuck_at: u8,
    /// The number of equivalent faults, this one included.
    pub equivalent: usize,
    /// The reason why it has no effect.
    pub untestable: Option<Untestable>,
}

/// A fault of any pin, for printed lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedFault {
    /// The number of the fault in the list of all faults of the unit.
    pub id: usize,
    /// The pin.
    pub site: String,
    /// The value of the pin, 0 or 1.
    pub stuck_at: u8,
    /// The number of the equivalent prime fault; equal to `id` for a prime fault.
    pub prime: usize,
    /// The reason why it has no effect.
    pub untestable: Option<Untestable>,
}

/// The faults of a list for which `chosen` is true.
pub fn listed(unit: &Unit, list: &FaultList, chosen: &[bool]) -> Vec<ListedFault> {
    let numbers = (0..list.len()).filter(|number| chosen[*number]);
    let fault = |id: usize| ListedFault {
        id,
        site: list.fault(id).pin.name(unit),
        stuck_at: list.fault(id).value.into(),
        prime: list.prime(id),
        untestable: list.untestable(id),
    };
    numbers.map(fault).collect()
}

/// A line of `windows.csv`: the cycles of an instruction in the unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WindowRow {
    /// The number of the window, from 0.
    pub window: usize,
    /// The slot of the warp.
    pub warp: Option<u32>,
    /// The PC of the instruction.
    pub pc: Option<u32>,
    /// The text of the instruction.
    pub instruction: String,
    /// The first cycle of the instruction in the unit.
    pub first_cycle: usize,
    /// The last cycle of the instruction in the unit.
    pub last_cycle: usize,
    /// The number of faults with a difference at an output in these cycles.
    pub detected: usize,
}

/// A line of `results.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultRow {
    /// The number of the fault, as in the fault list.
    pub id: usize,
    /// The pin.
    pub site: String,
    /// The value of the pin, 0 or 1.
    pub stuck_at: u8,
    /// `untestable`, `not-excited`, `no-effect` or `detected`.
    pub state: &'static str,
    /// The first cycle in which the pin has the other value in the golden run.
    pub excited: Option<usize>,
    /// The first cycle of any window with a difference at an output.
    pub cycle: Option<usize>,
    /// The number of the first window with a difference at an output.
    pub window: Option<usize>,
    /// The slot of the warp in this window.
    pub warp: Option<u32>,
    /// The PC of its instruction.
    pub pc: Option<u32>,
    /// The text of its instruction.
    pub instruction: String,
    /// The first output that differs in `cycle`, in the order of the ports.
    pub output: String,
    /// The number of output bits that differ in `cycle`.
    pub bits: u32,
    /// The number of windows with a difference at an output.
    pub windows: usize,
    /// The classes of the errors in all windows.
    pub classes: String,
}

/// The prime faults that are equivalent to the chosen faults of a list, in order.
pub fn prime_faults(list: &FaultList, chosen: &[bool]) -> Vec<usize> {
    let mut is_wanted = vec![false; list.len()];
    for number in (0..list.len()).filter(|number| chosen[*number]) {
        is_wanted[list.prime(number)] = true;
    }
    (0..list.len()).filter(|number| is_wanted[*number]).collect()
}

/// Draws `count` faults, in the order of the list.
///
/// # Errors
/// [`Error::Sample`] if there are fewer than `count`.
pub fn sample(faults: &[usize], seed: u64, count: usize, pattern: &str) -> Result<Vec<usize>, Error> {
    if count > faults.len() {
        return Err(Error::Sample {
            pattern: pattern.into(),
            wrong: format!("{count} faults; there are only {}", faults.len()),
        });
    }
    let drawn = crate::campaign::sample::drawn(seed, faults.len() as u64, count as u64);
    let mut drawn: Vec<usize> = drawn.map(|place| faults[place as usize]).collect();
    drawn.sort_unstable();
    Ok(drawn)
}

/// The lines of the fault list.
pub fn fault_rows(unit: &Unit, list: &FaultList, faults: &[usize]) -> Vec<FaultRow> {
    let mut equivalent = vec![0; list.len()];
    (0..list.len()).for_each(|number| equivalent[list.prime(number)] += 1);
    let row = |id: &usize| {
        let fault = list.fault(*id);
        FaultRow {
            id: *id,
            site: fault.pin.name(unit),
            stuck_at: fault.value.into(),
            equivalent: equivalent[*id],
            untestable: list.untestable(*id),
        }
    };
    faults.iter().map(row).collect()
}

/// The counts of a class over all faults and windows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClassCounts {
    /// The number of errors: pairs of a fault and a window.
    pub errors: usize,
    /// The number of faults with an error of this class.
    pub faults: usize,
}

/// Error counts of each class, by window and over all faults.
#[derive(Clone, Debug)]
pub struct ClassTable {
    /// For each window, the number of errors by class.
    windows: Vec<[usize; Class::ALL.len()]>,
    faults: [usize; Class::ALL.len()],
}

impl ClassTable {
    /// A table without errors.
    pub fn new(windows: usize) -> Self {
        ClassTable {
            windows: vec![[0; Class::ALL.len()]; windows],
            faults: [0; Class::ALL.len()],
        }
    }

    /// Adds a fault, with the classes of its error in each window that has one.
    pub fn add(&mut self, of_windows: impl IntoIterator<Item = (usize, Classes)>) {
        let mut all = Classes::default();
        for (window, classes) in of_windows {
            all = all.union(classes);
            classes
                .iter()
                .for_each(|class| self.windows[window][class as usize] += 1);
        }
        all.iter().for_each(|class| self.faults[class as usize] += 1);
    }

    /// The counts of a class.
    pub fn of(&self, class: Class) -> ClassCounts {
        ClassCounts {
            errors: self.windows.iter().map(|window| window[class as usize]).sum(),
            faults: self.faults[class as usize],
        }
    }
}

/// Writes rows as CSV.
///
/// # Errors
/// [`Error::File`] if the file cannot be written.
pub fn write_csv<R: Serialize>(path: &Path, rows: &[R]) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(vec![]);
    for row in rows {
        writer.serialize(row).map_err(|error| unwritable(path, error))?;
    }
    keep(path, writer)
}

/// Writes `windows.csv`, with the number of errors of each class.
///
/// # Errors
/// [`Error::File`] if the file cannot be written.
pub fn write_windows(path: &Path, windows: &[WindowRow], classes: &ClassTable) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(vec![]);
    let text = |value: Option<String>| value.unwrap_or_default();
    let mut head: Vec<&str> = vec![
        "window",
        "warp",
        "pc",
        "instruction",
        "first_cycle",
        "last_cycle",
        "detected",
    ];
    head.extend(Class::ALL.iter().map(|class| class.name()));
    writer.write_record(&head).map_err(|error| unwritable(path, error))?;
    for (row, counts) in windows.iter().zip(&classes.windows) {
        let mut cells = vec![
            row.window.to_string(),
            text(row.warp.map(|warp| warp.to_string())),
            text(row.pc.map(|pc| format!("{pc:#06x}"))),
            row.instruction.clone(),
            row.first_cycle.to_string(),
            row.last_cycle.to_string(),
            row.detected.to_string(),
        ];
        cells.extend(counts.iter().map(usize::to_string));
        writer.write_record(&cells).map_err(|error| unwritable(path, error))?;
    }
    keep(path, writer)
}

/// Replaces the file by the written text.
fn keep(path: &Path, writer: csv::Writer<Vec<u8>>) -> Result<(), Error> {
    let bytes = writer.into_inner().map_err(|error| unwritable(path, error))?;
    replace(path, &String::from_utf8_lossy(&bytes))
}

fn unwritable(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::Contents {
        file: path.display().to_string(),
        wrong: format!("cannot be written: {error}"),
    }
}
