//! A strict reader of Konata's log, written from the documentation of the format (`docs/kanata-log-format.md` of
//! Konata). Deviations that Konata's own reader tolerates are errors here.

use std::collections::BTreeSet;

/// An instruction of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Op {
    pub thread: u32,
    pub begin: u64,
    pub end: u64,
    /// The text at the left, and the tooltip.
    pub label: String,
    pub details: String,
    /// The names of stages, with their start times.
    pub stages: Vec<(String, u64)>,
    /// The instructions whose results it needs.
    pub needs: Vec<u64>,
}

/// Reads a log: its instructions by number.
///
/// # Panics
/// The text breaks a rule of the format.
#[track_caller]
pub fn read(text: &str) -> Vec<Op> {
    let mut lines = text.split_terminator('\n').zip(1..);
    assert!(text.ends_with('\n'), "the last line has no newline");
    assert_eq!(lines.next(), Some(("Kanata\t0004", 1)));
    assert_eq!(lines.next(), Some(("C=\t0", 2)));
    let mut now = 0;
    let mut ops: Vec<Op> = Vec::new();
    let mut alive: BTreeSet<u64> = BTreeSet::new();
    let mut retired = 0;
    for (line, number) in lines {
        let parts: Vec<&str> = line.split('\t').collect();
        let value = |at: usize| -> u64 {
            let part = parts
                .get(at)
                .unwrap_or_else(|| panic!("line {number}: too short: {line}"));
            part.parse()
                .unwrap_or_else(|_| panic!("line {number}: `{part}`: {line}"))
        };
        let count = match parts[0] {
            "C" => 2,
            "I" | "L" | "S" | "R" | "W" => 4,
            other => panic!("line {number}: the command {other}"),
        };
        assert_eq!(parts.len(), count, "line {number}: {line}");
        let id = value(1);
        if parts[0] == "C" {
            assert!(id > 0, "line {number}: time does not advance");
            now += id;
            continue;
        }
        if parts[0] == "I" {
            assert_eq!(id, ops.len() as u64, "line {number}: numbers are in order");
            ops.push(Op {
                thread: value(3) as u32,
                begin: now,
                ..Op::default()
            });
            alive.insert(id);
            continue;
        }
        assert!(alive.contains(&id), "line {number}: {id} is not alive: {line}");
        let known = ops.len() as u64;
        let op = &mut ops[id as usize];
        match parts[0] {
            "L" if value(2) == 0 => op.label += parts[3],
            "L" => {
                assert_eq!(value(2), 1, "line {number}");
                op.details += parts[3];
            }
            "S" => {
                assert_eq!(value(2), 0, "line {number}: the lane");
                let last = op.stages.last().map_or(op.begin, |(_, begin)| begin + 1);
                assert!(last <= now, "line {number}: the previous stage has no duration");
                assert!(
                    op.stages.iter().all(|(name, _)| name != parts[3]),
                    "line {number}: again {line}"
                );
                op.stages.push((parts[3].into(), now));
            }
            "W" => {
                assert_eq!(value(3), 0, "line {number}: the kind");
                assert!(
                    value(2) < id && value(2) < known,
                    "line {number}: it needs the result of a later instruction"
                );
                op.needs.push(value(2));
            }
            _ => {
                assert_eq!((value(2), value(3)), (retired, 0), "line {number}: ends are in order");
                retired += 1;
                op.end = now;
                alive.remove(&id);
            }
        }
    }
    assert_eq!(alive.len(), 0, "instructions that never end: {alive:?}");
    for (op, number) in ops.iter().zip(0..) {
        assert!(!op.label.is_empty() && !op.details.is_empty(), "{number}: {op:?}");
        assert_eq!(
            op.stages.first().map(|(_, begin)| *begin),
            Some(op.begin),
            "{number}: {op:?}"
        );
        assert!(
            op.stages.last().is_some_and(|(_, begin)| *begin < op.end),
            "{number}: {op:?}"
        );
        let needs: BTreeSet<&u64> = op.needs.iter().collect();
        assert_eq!(needs.len(), op.needs.len(), "{number} needs something twice");
        // A result is written before it is read, by the same thread.
        for &need in &op.needs {
            let producer = &ops[need as usize];
            assert_eq!(producer.thread, op.thread, "{number} needs {need}");
        }
    }
    ops
}
