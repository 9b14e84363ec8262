//! Simulates faults of a unit's gates with the inputs of a kernel.

use super::record::{record, Recorded};
use super::windows::windows;
use super::words::Words;
use super::UnitError;
use crate::engines::engine::Options;
use flexgrip_faults::gates::classes::{meanings, Class, Classes, Meaning};
use flexgrip_faults::gates::results::{ClassTable, ResultRow, WindowRow};
use flexgrip_faults::gates::{excited, simulate, Detection, FaultList, Golden, Options as HowToSimulate};
use flexgrip_machine::Launch;
use hdlkit::gates::Unit;
use std::num::NonZeroUsize;
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
    /// The wall-clock time of the fault simulation alone.
    pub simulated: Duration,
}

/// Runs the kernel once, then simulates faults, given by their numbers in the list, in the unit alone.
///
/// # Errors
/// The kernel cannot be run, or the outputs of the gates differ from the circuits in this run.
pub fn run(
    (launch, options): (&Launch, &Options),
    unit: &Unit,
    list: &FaultList,
    faults: &[usize],
    how: How,
) -> Result<Results, UnitError> {
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
    let testable: Vec<usize> = faults
        .iter()
        .copied()
        .filter(|fault| list.untestable(*fault).is_none())
        .collect();
    let simulation = HowToSimulate {
        windows: &cycles,
        drops: how.drops,
        jobs: how.jobs,
    };
    let mut found = simulate(&golden, list, &testable, simulation, classes).into_iter();
    let simulated = clock.elapsed();
    let mut table = ClassTable::new(windows.len());
    let mut rows = vec![];
    for fault in faults {
        let detections = match list.untestable(*fault) {
            None => found.next().unwrap_or_default(),
            Some(_) => vec![],
        };
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
    Ok(Results {
        rows,
        windows,
        classes: table,
        cycles: golden.cycles(),
        simulated,
    })
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
