//! Simulates faults of a unit's gates with the inputs of a kernel.

use super::record::{record, Recorded};
use super::windows::windows;
use super::words::Words;
use crate::unit::error::UnitError;
use flexgrip_engines::engine::Options;
use flexgrip_engines::native::snapshot::hash;
use flexgrip_faults::gates::classes::{meanings, Class, Classes, Meaning};
use flexgrip_faults::gates::journal::{Found, Journal};
use flexgrip_faults::gates::results::{ClassTable, ResultRow, WindowRow};
use flexgrip_faults::gates::{excited, simulate_groups, Detection, FaultList, Golden, Options as HowToSimulate};
use flexgrip_faults::Shard;
use flexgrip_machine::Launch;
use hdlkit::gates::Unit;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

/// Options of a simulation.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// The warp slot whose instructions define the windows; `None` for a single window over the whole run.
    pub warp: Option<u32>,
    /// True if the simulation of a fault ends at its first difference at an output.
    pub drops: bool,
    /// The number of threads.
    pub jobs: NonZeroUsize,
}

/// The results of the faults.
pub struct Results {
    /// A row for each fault.
    pub rows: Vec<ResultRow>,
    /// The windows, in the order of issue.
    pub windows: Vec<WindowRow>,
    /// The number of errors of each class.
    pub classes: ClassTable,
    /// The cycles of the kernel's run.
    pub cycles: usize,
    /// The part of the faults that this run simulated.
    pub simulated: Simulated,
}

/// The fault simulation of a run, without the run of the kernel.
#[derive(Clone, Copy, Debug)]
pub struct Simulated {
    /// The number of faults, except for faults that an earlier run simulated.
    pub faults: usize,
    /// The wall-clock time.
    pub time: Duration,
}

/// The folder and the shard of a campaign that may be interrupted.
#[derive(Clone, Copy, Debug)]
pub struct Keep<'a> {
    /// The campaign's folder, which must exist.
    pub folder: &'a Path,
    /// The part of the faults to simulate; `None` for all.
    pub shard: Option<Shard>,
}

/// The end of a run.
pub enum Ran {
    /// All faults are simulated.
    All(Results),
    /// The faults of a shard are simulated.
    Shard(Simulated),
}

/// Runs the kernel once, then simulates faults, given by their numbers in the list, in the unit alone. With `keep`, the
/// detections are kept in the folder meanwhile, and faults whose detections are kept there are not simulated again.
///
/// # Errors
/// The kernel cannot be run, the outputs of the gates differ from the circuits in this run, or the kept detections
/// belong to another campaign.
pub fn run(
    (launch, options): (&Launch, &Options),
    unit: &Unit,
    list: &FaultList,
    faults: &[usize],
    how: How,
    keep: Option<Keep>,
) -> Result<Ran, UnitError> {
    let recorded = record(launch, options, unit)?;
    let golden = Golden::new(unit, &recorded.stimulus)?;
    let mut windows = windows(&recorded, &unit.path, how.warp);
    if windows.is_empty() {
        return Err(UnitError::NoWarp(how.warp.unwrap_or_default()));
    }
    let cycles: Vec<(usize, usize)> = windows
        .iter()
        .map(|window| (window.first_cycle, window.last_cycle))
        .collect();
    let meanings = meanings(unit);
    let words = Words::of(unit);
    let classes = |cycle: usize, bits: &[u32]| classes(&recorded, &meanings, &words, cycle, bits);
    let clock = Instant::now();
    let shard = keep.and_then(|keep| keep.shard);
    let is_own = |fault: &usize| shard.is_none_or(|shard| shard.contains(*fault as u64));
    let mut own: Vec<usize> = faults.iter().copied().filter(is_own).collect();
    own.retain(|fault| list.untestable(*fault).is_none());
    let simulation = HowToSimulate {
        windows: &cycles,
        drops: how.drops,
        jobs: how.jobs,
    };
    let mut found = Found::new();
    let mut journal = None;
    if let Some(Keep { folder, shard }) = keep {
        let (kept, known) = Journal::open(folder, &identity(unit, &recorded, &cycles, how), shard)?;
        (journal, found) = (Some(kept), known);
        if let Some(window) = found
            .values()
            .flatten()
            .map(|one| one.window)
            .find(|one| *one >= windows.len())
        {
            let wrong = format!(
                "a journal has window {window}; expected a number below {}",
                windows.len()
            );
            let file = folder.display().to_string();
            return Err(flexgrip_faults::Error::Contents { file, wrong }.into());
        }
    }
    let left: Vec<usize> = own.iter().copied().filter(|fault| !found.contains_key(fault)).collect();
    let done = simulate_groups(&golden, list, &left, simulation, classes, |group| {
        for (place, detections) in group {
            if let Some(journal) = &mut journal {
                journal.push(left[place], &detections);
            }
            found.insert(left[place], detections);
        }
        journal.as_mut().map_or(Ok(()), Journal::keep)
    });
    if let (Some(journal), true) = (&mut journal, shard.is_some() || done.is_err()) {
        journal.write()?;
    }
    done?;
    let simulated = Simulated {
        faults: faults.iter().filter(|fault| is_own(fault)).count() - (own.len() - left.len()),
        time: clock.elapsed(),
    };
    if shard.is_some() {
        return Ok(Ran::Shard(simulated));
    }
    let mut table = ClassTable::new(windows.len());
    let mut rows = vec![];
    for fault in faults {
        let detections = found.remove(fault).unwrap_or_default();
        for detection in &detections {
            windows[detection.window].detected += 1;
        }
        table.add(detections.iter().map(|detection| (detection.window, detection.about)));
        rows.push(row(&golden, unit, list, *fault, &windows, &detections));
    }
    // Cycles are numbered from 1 in traces.
    for window in &mut windows {
        window.first_cycle += 1;
        window.last_cycle += 1;
    }
    Ok(Ran::All(Results {
        rows,
        windows,
        classes: table,
        cycles: golden.cycles(),
        simulated,
    }))
}

/// A hash of all inputs of the detections: the gates, the unit's inputs, the windows, and whether faults are dropped.
fn identity(unit: &Unit, recorded: &Recorded, windows: &[(usize, usize)], how: How) -> String {
    let stimulus = &recorded.stimulus;
    let words = stimulus.inputs.iter().chain(&stimulus.outputs).flatten();
    let mut bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(format!("{unit:?}{:?}{windows:?}{}", stimulus.start, how.drops).into_bytes());
    let mut identity = hash(bytes);
    identity.truncate(16);
    identity
}

/// The classes of an error in a cycle.
fn classes(recorded: &Recorded, meanings: &[Meaning], words: &Words, cycle: usize, bits: &[u32]) -> Classes {
    let mut classes = Classes::default();
    let mut has_word = false;
    for bit in bits {
        match meanings[*bit as usize] {
            Meaning::Class(class) => classes.insert(class),
            Meaning::Word => has_word = true,
            Meaning::Nothing => {}
        }
    }
    if has_word {
        classes.insert(match words.is_instruction(&recorded.stimulus, cycle, bits) {
            true => Class::Ioc,
            false => Class::Ivoc,
        });
    }
    classes
}

fn row(
    golden: &Golden,
    unit: &Unit,
    list: &FaultList,
    number: usize,
    windows: &[WindowRow],
    detections: &[Detection<Classes>],
) -> ResultRow {
    let fault = list.fault(number);
    let excited = excited(golden, list, number).map(|cycle| cycle as usize + 1);
    // Windows may overlap, so the earliest detection is not always in the first one.
    let first = detections
        .iter()
        .min_by_key(|detection| (detection.cycle, detection.window));
    let window = first.map(|first| &windows[first.window]);
    let mut names = unit.outputs.iter().flat_map(|port| &port.names);
    let classes = detections
        .iter()
        .fold(Classes::default(), |all, detection| all.union(detection.about));
    ResultRow {
        id: number,
        site: fault.pin.name(unit),
        stuck_at: fault.value.into(),
        state: match (list.untestable(number), excited, first) {
            (Some(_), ..) => "untestable",
            (None, None, _) => "not-excited",
            (None, Some(_), None) => "no-effect",
            (None, Some(_), Some(_)) => "detected",
        },
        excited,
        cycle: first.map(|first| first.cycle + 1),
        window: first.map(|first| first.window),
        warp: window.and_then(|window| window.warp),
        pc: window.and_then(|window| window.pc),
        instruction: window.map(|window| window.instruction.clone()).unwrap_or_default(),
        output: first
            .and_then(|first| names.nth(first.first as usize))
            .cloned()
            .unwrap_or_default(),
        bits: first.map_or(0, |first| first.bits),
        windows: detections.len(),
        classes: classes.names(),
    }
}
