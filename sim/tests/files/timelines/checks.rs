//! The required contents of a timeline, derived only from the records of its run.

use super::kanata::Op;
use super::traces::{Slice, Trace};
use flexgrip_isa::{decode, Instruction, Operation, Resource};
use flexgrip_machine::host_map::SmCounter;
use flexgrip_machine::Retire;
use flexgrip_sim::engines::outcome::counters::total;
use flexgrip_sim::engines::outcome::RunReport;
use std::collections::{BTreeMap, BTreeSet};

/// The names of waits.
const WAITS: [&str; 7] = [
    "wait: barrier",
    "wait: branch",
    "wait: collector",
    "wait: memory",
    "wait: special function",
    "wait: arithmetic",
    "wait: turn",
];

/// The maximum number of cycles between two instructions of a warp that do not count as a wait.
const APART: u64 = 5;
/// The units of time in an interval of the counters.
const INTERVAL: u64 = 100;

/// A run with its records.
pub struct Run {
    /// The records in the order of issue, and within a cycle in the order of SMs.
    pub records: Vec<Retire>,
    pub report: RunReport,
}

/// The times of a record: its cycles on an engine with a clock, otherwise its number in the run.
fn times(record: &Retire, number: usize) -> (u64, u64) {
    match (record.issue_cycle, record.retire_cycle) {
        (Some(issue), Some(retire)) => (issue, retire + 1),
        _ => (number as u64, number as u64 + 1),
    }
}

fn warp(record: &Retire) -> (u32, u32, u32, u32) {
    (record.sm, record.warp, record.block, record.warp_in_block)
}

/// The register of a resource; a half counts as its whole register.
fn register(resource: &Resource) -> Option<String> {
    match resource {
        Resource::Register { index, .. } => Some(format!("R{index}")),
        Resource::Address(_) | Resource::ConditionCode(_) => Some(resource.to_string()),
        _ => None,
    }
}

fn instruction(record: &Retire) -> Instruction {
    decode(record.word).unwrap()
}

fn is_load(record: &Retire) -> bool {
    matches!(
        instruction(record).operation(),
        Operation::Gld { .. } | Operation::Lld { .. }
    )
}

impl Run {
    pub fn new(mut records: Vec<Retire>, report: RunReport) -> Self {
        // A stable sort: records of the same SM keep their order.
        records.sort_by_key(|record| (record.issue_cycle, record.sm));
        Run { records, report }
    }

    /// For each record, the numbers of the records whose results it reads; for each load, the time of its first use.
    fn uses(&self) -> (Vec<BTreeSet<u64>>, BTreeMap<u64, u64>) {
        let mut writers: BTreeMap<(u32, u32, u32, u32), BTreeMap<String, usize>> = BTreeMap::new();
        let (mut needs, mut first) = (Vec::new(), BTreeMap::new());
        for (number, record) in self.records.iter().enumerate() {
            let own = writers.entry(warp(record)).or_default();
            let instruction = instruction(record);
            let read = instruction.reads();
            let producers: BTreeSet<usize> = read
                .iter()
                .filter_map(register)
                .filter_map(|register| own.get(&register).copied())
                .collect();
            for &producer in producers.iter().filter(|&&producer| is_load(&self.records[producer])) {
                first.entry(producer as u64).or_insert(number as u64);
            }
            needs.push(producers.into_iter().map(|producer| producer as u64).collect());
            for register in instruction.writes().iter().filter_map(register) {
                own.insert(register, number);
            }
        }
        (needs, first)
    }

    /// Checks Konata's log.
    #[track_caller]
    pub fn check_kanata(&self, ops: &[Op]) {
        assert_eq!(ops.len(), self.records.len());
        let (needs, _) = self.uses();
        for (number, (op, record)) in ops.iter().zip(&self.records).enumerate() {
            assert_eq!((op.begin, op.end), times(record, number), "{number}: {record}");
            assert_eq!(op.thread, 32 * record.sm + record.warp, "{number}: {record}");
            let text = format!("{:04x}: {}", record.pc, instruction(record));
            assert!(op.label.ends_with(&text), "{}: expected {text}", op.label);
            let mask = format!("executed {:08x}", record.executed);
            assert!(op.details.contains(&mask), "{}: expected {mask}", op.details);
            assert_eq!(
                op.needs.iter().copied().collect::<BTreeSet<_>>(),
                needs[number],
                "{number}: {record}"
            );
        }
    }

    /// Checks a picture: the first 120 instructions in order, with their positions and times.
    #[track_caller]
    pub fn check_picture(&self, picture: &str) {
        let drawn: Vec<&str> = picture.lines().filter(|line| line.starts_with("block ")).collect();
        let expected = self.records.iter().enumerate().take(120).map(|(number, record)| {
            let (begin, end) = times(record, number);
            let text = instruction(record).to_string().replace('&', "&amp;");
            let text = text.replace('<', "&lt;").replace('>', "&gt;");
            format!(
                "block {}, warp {} in it, {} lanes: {text}, {begin} to {}",
                record.block,
                record.warp_in_block,
                record.executed.count_ones(),
                end - 1
            )
        });
        assert_eq!(drawn, expected.collect::<Vec<_>>());
        let left_out = self.records.len() - drawn.len();
        let says = picture.contains(&format!("; {left_out} later instructions are left out"));
        assert_eq!(says, left_out > 0);
    }

    /// Checks a trace.
    #[track_caller]
    pub fn check_trace(&self, trace: &Trace, clock: bool) {
        self.check_instructions(trace, clock);
        self.check_waits(trace);
        let (_, first) = self.uses();
        let numbers = trace.arrows.iter().map(|(arrow, (from, to))| {
            let [from, to] = [from, to].map(|at| number(&trace.slices[*at]));
            assert_eq!(*arrow, from as u64, "an arrow has the number of its load");
            let start = if clock { "flight" } else { "instruction" };
            assert_eq!(trace.slices[trace.arrows[arrow].0].category, start);
            assert_eq!(trace.slices[trace.arrows[arrow].1].category, "instruction");
            (from as u64, to as u64)
        });
        assert_eq!(numbers.collect::<BTreeMap<_, _>>(), first);
        self.check_counters(trace, clock);
    }

    fn check_instructions(&self, trace: &Trace, clock: bool) {
        let mut seen = [vec![0; self.records.len()], vec![0; self.records.len()]];
        for slice in trace.slices.iter().filter(|slice| slice.category != "wait") {
            let flight = slice.category == "flight";
            assert!(flight || slice.category == "instruction", "{slice:?}");
            let number = number(slice);
            seen[usize::from(flight)][number] += 1;
            let record = &self.records[number];
            let (begin, end) = times(record, number);
            assert_eq!((slice.depth, slice.begin), (0, begin), "{slice:?}");
            if flight {
                assert_eq!(slice.end, end, "{slice:?}");
            }
            assert_eq!(slice.name, instruction(record).to_string());
            let (process, track) = &trace.tracks[&slice.track];
            assert_eq!(*process, u64::from(record.sm) + 1);
            let name = format!("warp {:02}{}", record.warp, if flight { " in flight" } else { "" });
            assert_eq!(*track, name, "{slice:?}");
            let expected = [
                ("pc", format!("{:#06x}", record.pc)),
                ("lanes", record.executed.count_ones().to_string()),
                ("block", record.block.to_string()),
                ("warp in block", record.warp_in_block.to_string()),
                ("active", format!("{:#010x}", record.active)),
                ("executed", format!("{:#010x}", record.executed)),
            ];
            // Instructions in flight have fewer arguments.
            let count = if flight { 2 } else { expected.len() };
            assert_eq!(slice.arguments.len(), count + 1, "{slice:?}");
            for (name, value) in expected.into_iter().take(count) {
                assert_eq!(slice.arguments[name], value, "{slice:?}");
            }
        }
        let [instructions, flights] = seen;
        assert!(
            instructions.iter().all(|&count| count == 1),
            "each once: {instructions:?}"
        );
        let expected = i32::from(clock);
        assert!(flights.iter().all(|&count| count == expected), "each once: {flights:?}");
        // A stay ends when the next instruction issues. The last stay may end any time up to the end of the run.
        let mut stays: Vec<&Slice> = trace
            .slices
            .iter()
            .filter(|slice| slice.category == "instruction")
            .collect();
        stays.sort_by_key(|slice| number(slice));
        let mut next: BTreeMap<(u32, u32, u32, u32), u64> = BTreeMap::new();
        for (number, record) in self.records.iter().enumerate().rev() {
            let (begin, end) = times(record, number);
            let after = next.insert(warp(record), begin);
            match after.filter(|_| clock) {
                Some(after) => assert_eq!(stays[number].end, after, "{record}"),
                None => assert!(stays[number].end <= end, "{record}"),
            }
        }
    }

    fn check_waits(&self, trace: &Trace) {
        // The ends of instructions, by track and start.
        let stays = trace.slices.iter().filter(|slice| slice.category == "instruction");
        let stays: BTreeMap<(u64, u64), u64> = stays.map(|slice| ((slice.track, slice.begin), slice.end)).collect();
        let mut covered: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        for wait in trace.slices.iter().filter(|slice| slice.category == "wait") {
            assert!(WAITS.contains(&wait.name.as_str()), "{wait:?}");
            assert_eq!(wait.depth, 1, "{wait:?}");
            let around = stays.range((wait.track, 0)..=(wait.track, wait.begin)).next_back();
            let (&key, &end) = around.expect("an instruction around");
            assert!(
                wait.begin >= key.1 + APART && wait.end <= end,
                "{wait:?} in {key:?} to {end}"
            );
            *covered.entry(key).or_default() += wait.end - wait.begin;
            let on_instruction = wait.arguments.contains_key("of instruction");
            let of_results = ["wait: memory", "wait: special function", "wait: arithmetic"];
            assert_eq!(on_instruction, of_results.contains(&wait.name.as_str()), "{wait:?}");
        }
        // Waits cover all of a stay except its first cycles.
        for (key, covered) in covered {
            assert_eq!(covered, stays[&key] - key.1 - APART, "{key:?}");
        }
    }

    fn check_counters(&self, trace: &Trace, clock: bool) {
        let end = (0..)
            .zip(&self.records)
            .map(|(number, record)| times(record, number).1)
            .max()
            .unwrap_or(0);
        let mut counters: BTreeMap<(u64, &str), Vec<(u64, f64)>> = BTreeMap::new();
        for (process, name, time, value) in &trace.values {
            assert!(*time <= end, "{name} at {time}");
            counters.entry((*process, name)).or_default().push((*time, *value));
        }
        let mut requests = 0.0;
        for ((process, name), values) in counters {
            let next = values.iter().skip(1).map(|(time, _)| *time).chain([end]);
            let intervals = values.iter().zip(next);
            match name {
                "resident warps" => {
                    let last = values.last().map(|(_, value)| *value);
                    assert_eq!(last, Some(0.0), "process {process}");
                    assert!(
                        values.iter().all(|(_, warps)| (0.0..=32.0).contains(warps)),
                        "{values:?}"
                    );
                }
                "active lanes of an instruction" => {
                    assert!(
                        values.iter().all(|(_, lanes)| (0.0..=32.0).contains(lanes)),
                        "{values:?}"
                    );
                }
                name if name.starts_with("memory requests in 100 ") => {
                    for ((time, value), next) in intervals {
                        requests += value * next.saturating_sub(*time).div_ceil(INTERVAL) as f64;
                    }
                }
                other => panic!("the counter {other}"),
            }
        }
        if clock {
            let counted = total(&self.report.counters, SmCounter::MemoryTransactions);
            assert_eq!(requests, counted as f64, "requests");
        }
    }
}

/// The number of the instruction that a slice shows.
fn number(slice: &Slice) -> usize {
    slice.arguments["instruction"].parse().unwrap()
}
