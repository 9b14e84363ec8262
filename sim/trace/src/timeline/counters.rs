//! Counters over time, for each SM.

use crate::timeline::instruction::{Counter, Sample};
use std::collections::BTreeMap;

/// The units of time in an interval.
pub(super) const INTERVAL: u64 = 100;

/// The sums over an interval.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    requests: u64,
    instructions: u64,
    threads: u64,
}

/// The counters of an SM: sums of intervals that are not complete, and the last values returned.
#[derive(Clone, Debug, Default)]
struct SmCounters {
    intervals: BTreeMap<u64, Sums>,
    warps: BTreeMap<u64, i64>,
    resident: i64,
    last: [f64; Counter::ALL.len()],
    /// The interval after the last one returned.
    next: u64,
}

impl SmCounters {
    fn give(&mut self, sm: u32, counter: Counter, time: u64, value: f64, samples: &mut Vec<Sample>) {
        let last = &mut self.last[counter as usize];
        if *last != value {
            *last = value;
            samples.push(Sample {
                sm,
                counter,
                time,
                value,
            });
        }
    }

    fn interval(&mut self, sm: u32, time: u64, sums: Sums, samples: &mut Vec<Sample>) {
        let mean = match sums.instructions {
            0 => 0.0,
            count => (100 * sums.threads / count) as f64 / 100.0,
        };
        self.give(sm, Counter::Requests, time, sums.requests as f64, samples);
        self.give(sm, Counter::Lanes, time, mean, samples);
    }
}

/// The counters of a machine.
#[derive(Clone, Debug)]
pub(super) struct Counters {
    sms: Vec<SmCounters>,
    samples: Vec<Sample>,
}

impl Counters {
    pub(super) fn new(sms: u32) -> Self {
        Counters {
            sms: vec![SmCounters::default(); sms as usize],
            samples: Vec::new(),
        }
    }

    fn sums(&mut self, sm: u32, time: u64) -> Option<&mut Sums> {
        let sm = self.sms.get_mut(sm as usize)?;
        Some(sm.intervals.entry(time / INTERVAL).or_default())
    }

    /// Counts an instruction with this many threads.
    pub(super) fn executed(&mut self, sm: u32, time: u64, threads: u32) {
        if let Some(sums) = self.sums(sm, time) {
            sums.instructions += 1;
            sums.threads += u64::from(threads);
        }
    }

    pub(super) fn requested(&mut self, sm: u32, time: u64, count: u32) {
        if let Some(sums) = self.sums(sm, time) {
            sums.requests += u64::from(count);
        }
    }

    /// Counts a warp that begins (1) or ends (-1).
    pub(super) fn warps(&mut self, sm: u32, time: u64, change: i64) {
        if let Some(sm) = self.sms.get_mut(sm as usize) {
            *sm.warps.entry(time).or_default() += change;
        }
    }

    /// The new values before `time`, when everything before it has been counted.
    pub(super) fn passed(&mut self, time: u64) -> Vec<Sample> {
        let mut samples = std::mem::take(&mut self.samples);
        for (sm, counters) in (0..).zip(&mut self.sms) {
            while let Some(entry) = counters.warps.first_entry().filter(|entry| *entry.key() < time) {
                let (at, change) = entry.remove_entry();
                counters.resident += change;
                let value = counters.resident as f64;
                counters.give(sm, Counter::Warps, at, value, &mut samples);
            }
            while let Some(entry) = counters
                .intervals
                .first_entry()
                .filter(|entry| *entry.key() < time / INTERVAL)
            {
                let (interval, sums) = entry.remove_entry();
                if interval > counters.next {
                    let empty = counters.next * INTERVAL;
                    counters.interval(sm, empty, Sums::default(), &mut samples);
                }
                counters.interval(sm, interval * INTERVAL, sums, &mut samples);
                counters.next = interval + 1;
            }
        }
        samples
    }

    /// The remaining values, for a run that ends at `time`.
    pub(super) fn end(&mut self, time: u64) -> Vec<Sample> {
        let mut samples = self.passed(u64::MAX);
        for (sm, counters) in (0..).zip(&mut self.sms) {
            let zero = (counters.next * INTERVAL).min(time);
            counters.interval(sm, zero, Sums::default(), &mut samples);
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(samples: &[Sample]) -> Vec<(Counter, u64, f64)> {
        samples
            .iter()
            .map(|sample| (sample.counter, sample.time, sample.value))
            .collect()
    }

    #[test]
    fn values_are_returned_once_changed_and_final() {
        use Counter::{Lanes, Requests, Warps};
        let mut counters = Counters::new(2);
        counters.warps(0, 5, 1);
        counters.warps(0, 5, 1);
        counters.executed(0, 10, 32);
        counters.executed(0, 99, 1);
        counters.requested(0, 50, 4);
        counters.requested(0, 150, 4);
        assert_eq!(shown(&counters.passed(99)), [(Warps, 5, 2.0)]);
        assert_eq!(shown(&counters.passed(199)), [(Requests, 0, 4.0), (Lanes, 0, 16.5)]);
        // The second interval has as many requests, but no instruction; the following ones are empty.
        counters.executed(0, 720, 8);
        counters.warps(0, 760, -1);
        let rest = shown(&counters.end(800));
        let expected = [
            (Warps, 760, 1.0),
            (Lanes, 100, 0.0),
            (Requests, 200, 0.0),
            (Lanes, 700, 8.0),
            (Lanes, 800, 0.0),
        ];
        assert_eq!(rest, expected);
    }

    #[test]
    fn sms_are_counted_separately_and_unknown_ones_ignored() {
        let mut counters = Counters::new(2);
        counters.warps(1, 3, 1);
        counters.warps(7, 3, 1);
        counters.executed(7, 3, 1);
        let samples = counters.end(10);
        assert_eq!(samples.len(), 1);
        assert_eq!((samples[0].sm, samples[0].time), (1, 3));
    }
}
