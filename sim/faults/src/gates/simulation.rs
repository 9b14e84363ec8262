//! Simulates many faults on several threads.

use super::golden::Golden;
use super::group::{Group, Seen, Window, MACHINES};
use super::list::FaultList;
use super::tables::{near, Tables};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The first cycle of a window in which an output of a faulty machine differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection<T> {
    /// The number of the window.
    pub window: usize,
    /// The cycle, from 0.
    pub cycle: usize,
    /// The first bit of the output ports that differs in this cycle, indexed over all ports.
    pub first: u32,
    /// The number of bits that differ.
    pub bits: u32,
    /// The result of the caller's `about`.
    pub about: T,
}

/// Options of a simulation.
#[derive(Clone, Copy, Debug)]
pub struct Options<'w> {
    /// The windows in which outputs are compared.
    pub windows: &'w [Window],
    /// True if the simulation of a fault ends at its first difference at an output.
    pub drops: bool,
    /// The number of threads.
    pub jobs: NonZeroUsize,
}

/// Simulates faults of a list, given by their numbers, each in its own machine, up to the end of the last window.
/// Returns the detections of each fault, by window. `about` is called for each detection with the cycle and the bits of
/// the output ports that differ.
pub fn simulate<T: Send>(
    golden: &Golden,
    list: &FaultList,
    faults: &[usize],
    options: Options,
    about: impl Fn(usize, &[u32]) -> T + Sync,
) -> Vec<Vec<Detection<T>>> {
    let tables = Tables::new(golden.unit);
    // Pairs of the index in `faults` and the first cycle with an effect.
    let excited = faults.iter().enumerate().filter_map(|(place, number)| {
        let from = excited(golden, list, *number)?;
        Some((place, from as usize))
    });
    let mut excited: Vec<(usize, usize)> = excited.collect();
    // Faults near each other share a group, because their machines compute mostly the same gates.
    let near = near(golden.unit);
    excited.sort_by_key(|(place, _)| near[list.fault(faults[*place]).pin.net(golden.unit) as usize]);
    let groups: Vec<&[(usize, usize)]> = excited.chunks(MACHINES).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut group = Group::new(golden, &tables);
        let mut found: Vec<(usize, Detection<T>)> = vec![];
        while let Some(members) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            let machines: Vec<_> = members.iter().map(|(place, _)| list.fault(faults[*place])).collect();
            let from = members.iter().map(|(_, from)| *from).min().unwrap_or_default();
            group.run(&machines, from, options.windows, options.drops, &mut |seen: Seen| {
                let detection = Detection {
                    window: seen.window,
                    cycle: seen.cycle,
                    first: seen.bits[0],
                    bits: seen.bits.len() as u32,
                    about: about(seen.cycle, seen.bits),
                };
                found.push((members[seen.machine].0, detection));
            });
        }
        found
    };
    let mut results: Vec<Vec<Detection<T>>> = faults.iter().map(|_| vec![]).collect();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs.get()).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            let found = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            for (place, detection) in found {
                results[place].push(detection);
            }
        }
    });
    for detections in &mut results {
        detections.sort_by_key(|detection| detection.window);
    }
    results
}

/// The first cycle, from 0, in which a fault changes the value of its pin; `None` if it never does.
pub fn excited(golden: &Golden, list: &FaultList, fault: usize) -> Option<u32> {
    let fault = list.fault(fault);
    golden.first(fault.pin.net(golden.unit), !fault.value)
}
