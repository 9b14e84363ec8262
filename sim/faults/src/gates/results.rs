//! The files of a campaign with faults of gates: fault list, results, windows.

use super::classes::{Class, Classes};
use super::list::{FaultList, Untestable};
use crate::campaign::replace;
use crate::error::Error;
use hdlkit::gates::Unit;
use serde::Serialize;
use std::path::Path;

/// A line of `faults.csv`: a prime fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultRow {
    /// Its number in the list of all faults of the unit.
    pub id: usize,
    /// The pin.
    pub site: String,
    /// Its value.
    pub stuck_at: u8,
    /// Faults that are equivalent, with this one.
    pub equivalent: usize,
    /// Why it can have no effect.
    pub untestable: Option<Untestable>,
}

/// A fault of any pin, for lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedFault {
    /// Its number in the list of all faults of the unit.
    pub id: usize,
    /// The pin.
    pub site: String,
    /// Its value.
    pub stuck_at: u8,
    /// The number of the prime fault that it is equivalent to: its own if it is one.
    pub prime: usize,
    /// Why it can have no effect.
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

/// A line of `windows.csv`: an instruction in the unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WindowRow {
    /// From 0.
    pub window: usize,
    /// The warp's slot.
    pub warp: Option<u32>,
    /// The instruction's PC.
    pub pc: Option<u32>,
    /// The instruction.
    pub instruction: String,
    /// The first cycle in which it is in the unit.
    pub first_cycle: usize,
    /// The last one.
    pub last_cycle: usize,
    /// Faults of which an output differs in these cycles.
    pub detected: usize,
}

/// A line of `results.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultRow {
    /// As in the fault list.
    pub id: usize,
    /// The pin.
    pub site: String,
    /// Its value.
    pub stuck_at: u8,
    /// `untestable`, `not-excited`, `no-effect` or `detected`.
    pub state: &'static str,
    /// The first cycle in which the pin should have the other value.
    pub excited: Option<usize>,
    /// The first cycle in a window in which an output differs.
    pub cycle: Option<usize>,
    /// The first window in which one differs.
    pub window: Option<usize>,
    /// Its warp.
    pub warp: Option<u32>,
    /// The instruction's PC.
    pub pc: Option<u32>,
    /// The instruction.
    pub instruction: String,
    /// The first output that differs in this cycle, in the order of the ports.
    pub output: String,
    /// Bits of outputs that differ in this cycle.
    pub bits: u32,
    /// Windows in which an output differs.
    pub windows: usize,
    /// Classes of the errors in all windows.
    pub classes: String,
}

/// The prime faults to which the chosen faults of a list are equivalent, in order.
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
/// [`Error::Sample`] if there are fewer.
pub fn sample(faults: &[usize], seed: u64, count: usize, pattern: &str) -> Result<Vec<usize>, Error> {
    if count > faults.len() {
        return Err(Error::Sample {
            pattern: pattern.into(),
            wrong: format!("{count} faults are more than there are, {}", faults.len()),
        });
    }
    let drawn = crate::sample::drawn(seed, faults.len() as u64, count as u64);
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

/// How many errors of each class there are, over all faults and windows, and how many faults have one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClassCounts {
    /// Fault and window.
    pub errors: usize,
    /// Faults.
    pub faults: usize,
}

/// Counts classes, by window and over all faults.
#[derive(Clone, Debug)]
pub struct ClassTable {
    /// By window, errors by class.
    windows: Vec<[usize; Class::ALL.len()]>,
    faults: [usize; Class::ALL.len()],
}

impl ClassTable {
    /// Without errors.
    pub fn new(windows: usize) -> Self {
        ClassTable {
            windows: vec![[0; Class::ALL.len()]; windows],
            faults: [0; Class::ALL.len()],
        }
    }

    /// Counts a fault: the classes of its error in each window where it has one.
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

    /// The numbers of a class.
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
/// [`Error::File`].
pub fn write_csv<R: Serialize>(path: &Path, rows: &[R]) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(vec![]);
    for row in rows {
        writer.serialize(row).map_err(|error| unwritable(path, error))?;
    }
    keep(path, writer)
}

/// Writes the windows, with the errors of each class.
///
/// # Errors
/// [`Error::File`].
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

/// Puts what was written into the file.
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
