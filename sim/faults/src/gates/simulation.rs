//! Many faults, on several threads.

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
    /// The window's number.
    pub window: usize,
    /// The cycle, from 0.
    pub cycle: usize,
    /// The first bit of the output ports that differs in this cycle, counted over all ports.
    pub first: u32,
    /// How many differ.
    pub bits: u32,
    /// What was made of it.
    pub about: T,
}

/// How faults are simulated.
#[derive(Clone, Copy, Debug)]
pub struct Options<'w> {
    /// Where outputs are looked at.
    pub windows: &'w [Window],
    /// Whether a fault ends with its first difference at an output.
    pub drops: bool,
    /// Threads.
    pub jobs: NonZeroUsize,
}

/// Simulates faults of a list by their numbers, each in a machine of its own, from the first cycle to the end of the last
/// window. Returns the detections of each fault, by window. `about` is called for each with the cycle and the bits of the output
/// ports that differ in it.
pub fn simulate<T: Send>(
    golden: &Golden,
    list: &FaultList,
    faults: &[usize],
    options: Options,
    about: impl Fn(usize, &[u32]) -> T + Sync,
) -> Vec<Vec<Detection<T>>> {
    let tables = Tables::new(golden.unit);
    // With the first cycle of an effect, and the place in `faults`.
    let excited = faults.iter().enumerate().filter_map(|(place, number)| {
        let from = excited(golden, list, *number)?;
        Some((place, from as usize))
    });
    let mut excited: Vec<(usize, usize)> = excited.collect();
    // Machines of a group then compute much of the same gates.
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

/// The first cycle, from 0, in which a fault changes the value of its pin; `None` if there is none.
pub fn excited(golden: &Golden, list: &FaultList, fault: usize) -> Option<u32> {
    let fault = list.fault(fault);
    golden.first(fault.pin.net(golden.unit), !fault.value)
}
