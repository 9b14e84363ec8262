use super::*;
use crate::gates::list::Untestable;
use std::collections::BTreeMap;

fn fault(id: usize, equivalent: usize, status: Status, pc: Option<u32>, cycle: u64) -> GradedFault {
    GradedFault {
        id,
        site: format!("sm[0].fetch.and_{id}.A"),
        stuck_at: (id % 2) as u8,
        equivalent,
        status,
        untestable: (status == Status::Untestable).then_some(Untestable::Constant),
        first: (status == Status::Detected).then(|| First {
            cycle,
            pc,
            ..First::default()
        }),
        outcome: None,
        code: None,
        instructions: None,
    }
}

/// Ten prime faults, twenty with equivalent ones; two instructions, the second of which detects a fault before the
/// first.
fn grade() -> Grade {
    let line = |text: &str, executions| ProgramLine {
        text: text.into(),
        executions,
    };
    Grade {
        observe: Observe::State,
        faults: vec![
            fault(0, 1, Status::Detected, Some(0), 30),
            fault(1, 2, Status::Detected, Some(8), 10),
            fault(2, 1, Status::Detected, Some(8), 10),
            fault(3, 3, Status::Detected, None, 20),
            fault(4, 1, Status::Stopped, None, 0),
            fault(5, 4, Status::Hang, None, 0),
            fault(6, 2, Status::NotObserved, None, 0),
            fault(7, 2, Status::NotExcited, None, 0),
            fault(8, 3, Status::Untestable, None, 0),
            fault(9, 1, Status::Untestable, None, 0),
        ],
        program: BTreeMap::from([(0, line("MOV R0, R1", 4)), (8, line("RET", 2)), (16, line("NOP", 0))]),
        cycles: 40,
    }
}

#[test]
fn coverage_counts_status_groups() {
    let summary = Summary::new("k", "u", &grade(), None);
    assert_eq!((summary.faults.prime, summary.faults.all), (10, 20));
    let shares = |coverage: Coverage| (coverage.prime, coverage.all);
    assert_eq!(shares(summary.fault_coverage), (0.5, 0.4));
    assert_eq!(shares(summary.test_coverage), (5.0 / 8.0, 8.0 / 16.0));
    assert_eq!(shares(summary.fault_coverage_with_watchdog), (0.6, 0.6));
    assert_eq!(shares(summary.test_coverage_with_watchdog), (6.0 / 8.0, 12.0 / 16.0));
    assert_eq!((summary.instructions, summary.essential), (3, 2));
    // All faults were graded, so the coverage is exact.
    assert_eq!(summary.fault_coverage.prime_low, summary.fault_coverage.prime_high);
    let text = summary.to_string();
    for expected in ["untestable (UT)", "hang (HG)", "40.00 %", "with a watchdog"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn sample_has_an_interval() {
    let coverage = Summary::new("k", "u", &grade(), Some(1_000)).fault_coverage;
    assert!(coverage.prime_low < 0.3 && coverage.prime_high > 0.7, "{coverage:?}");
}

#[test]
fn instructions_sum_up_in_program_order() {
    let rows = grade().instructions();
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row.pc.as_str(), row.new_prime, row.new, row.all, row.coverage))
        .collect();
    assert_eq!(
        found,
        [
            ("0x0000", 1, 1, None, 0.05),
            ("0x0008", 2, 3, None, 0.2),
            ("0x0010", 0, 0, None, 0.2),
            // Detections without an instruction; the sum is the fault coverage.
            ("", 2, 4, None, 0.4),
        ]
    );
}

#[test]
fn all_detections_are_counted_without_dropping() {
    let mut grade = grade();
    grade.faults[1].instructions = Some(vec![0, 8]);
    grade.faults[2].instructions = Some(vec![8]);
    let rows = grade.instructions();
    let found: Vec<_> = rows.iter().map(|row| (row.all_prime, row.all)).collect();
    assert_eq!(found[..3], [(Some(1), Some(2)), (Some(2), Some(3)), (Some(0), Some(0))]);
}

#[test]
fn curve_is_ordered_by_time() {
    assert_eq!(grade().curve(), [(10, 0.15), (20, 0.3), (30, 0.35)]);
}

#[test]
fn files_list_each_fault_and_instruction() {
    let folder = tempfile::tempdir().unwrap();
    let mut grade = grade();
    grade.faults[1].instructions = Some(vec![0, 8]);
    grade.write(folder.path(), "about").unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let faults = read("faults.csv");
    assert_eq!(faults.lines().count(), 11);
    assert_eq!(
        faults.lines().nth(2),
        Some("1,sm[0].fetch.and_1.A,1,2,detected,,10,,,0x0008,,,,,,")
    );
    assert!(
        faults.contains("8,sm[0].fetch.and_8.A,0,3,untestable,constant,,"),
        "{faults}"
    );
    assert_eq!(read("instructions.csv").lines().count(), 5);
    assert_eq!(read("detections.csv"), "id,pc\n1,0x0000\n1,0x0008\n");
    roxmltree::Document::parse(&read("coverage.svg")).unwrap();
    // A grade with dropping must remove the file of an earlier grade.
    grade.faults[1].instructions = None;
    grade.write(folder.path(), "about").unwrap();
    assert!(!folder.path().join("detections.csv").exists());
}
