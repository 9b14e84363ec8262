//! Simulates many faults on several threads.

use super::golden::Golden;
use super::group::{Group, Seen, Window, MACHINES};
use super::list::FaultList;
use super::tables::{near, Tables};
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
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
    let mut results: Vec<Vec<Detection<T>>> = faults.iter().map(|_| vec![]).collect();
    let done = simulate_groups(golden, list, faults, options, about, |group| {
        for (place, detections) in group {
            results[place] = detections;
        }
        Ok::<(), Infallible>(())
    });
    match done {
        Ok(()) => results,
        Err(never) => match never {},
    }
}

/// The detections of the faults of a group, each with the fault's index.
type OfGroup<T> = Vec<(usize, Vec<Detection<T>>)>;

/// Like [`simulate`], but calls `finished` with the detections of each group of faults as soon as they are known. A
/// fault is named by its index in `faults`; faults whose pin never changes are in no group. Ends early if `finished`
/// fails.
///
/// # Errors
/// The first error of `finished`.
pub fn simulate_groups<T: Send, E: Send>(
    golden: &Golden,
    list: &FaultList,
    faults: &[usize],
    options: Options,
    about: impl Fn(usize, &[u32]) -> T + Sync,
    finished: impl FnMut(OfGroup<T>) -> Result<(), E> + Send,
) -> Result<(), E> {
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
    let finished = Mutex::new(finished);
    let work = || -> Result<(), E> {
        let mut group = Group::new(golden, &tables);
        while let Some(members) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            let machines: Vec<_> = members.iter().map(|(place, _)| list.fault(faults[*place])).collect();
            let from = members.iter().map(|(_, from)| *from).min().unwrap_or_default();
            let mut found: OfGroup<T> = members.iter().map(|(place, _)| (*place, vec![])).collect();
            group.run(&machines, from, options.windows, options.drops, &mut |seen: Seen| {
                found[seen.machine].1.push(Detection {
                    window: seen.window,
                    cycle: seen.cycle,
                    first: seen.bits[0],
                    bits: seen.bits.len() as u32,
                    about: about(seen.cycle, seen.bits),
                });
            });
            for (_, detections) in &mut found {
                detections.sort_by_key(|detection| detection.window);
            }
            let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = finished(found) {
                // The other threads get no further groups.
                next.store(groups.len(), Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs.get()).map(|_| scope.spawn(work)).collect();
        let join = |thread: thread::ScopedJoinHandle<_>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().try_for_each(join)
    })
}

/// The first cycle, from 0, in which a fault changes the value of its pin; `None` if it never does.
pub fn excited(golden: &Golden, list: &FaultList, fault: usize) -> Option<u32> {
    let fault = list.fault(fault);
    golden.first(fault.pin.net(golden.unit), !fault.value)
}
