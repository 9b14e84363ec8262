//! Coverage: faults by status, and the resulting shares.

use super::graded::{share, Grade, Observe, Status};
use crate::statistics::{wilson, Confidence, Interval};
use hdlkit::output::grouped;
use serde::Serialize;
use std::fmt;

/// A number of faults, without and with equivalent ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Number {
    /// The number of prime faults: one of each set of equivalent faults.
    pub prime: usize,
    /// The number of all faults.
    pub all: usize,
}

/// The number of faults with a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OfStatus {
    /// The status of the faults.
    pub status: Status,
    /// The abbreviation of the status.
    pub code: &'static str,
    /// The number of faults.
    pub faults: Number,
}

/// A share of faults, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Detected prime faults / prime faults.
    pub prime: f64,
    /// The lower limit of the 95 % interval of `prime` if the faults are a sample; otherwise `prime` itself.
    pub prime_low: f64,
    /// The upper limit of the interval.
    pub prime_high: f64,
    /// Detected faults / faults, with equivalent faults counted.
    pub all: f64,
}

/// The coverage of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The name of the kernel.
    pub kernel: String,
    /// The path of the unit.
    pub unit: String,
    /// The points at which differences were observed.
    pub observe: Observe,
    /// The cycles of the run without a fault.
    pub cycles: u64,
    /// The number of instructions of the program.
    pub instructions: usize,
    /// The number of instructions that are the first to detect some fault.
    pub essential: usize,
    /// All faults.
    pub faults: Number,
    /// The faults by status.
    pub statuses: Vec<OfStatus>,
    /// (detected + stopped) / all.
    pub fault_coverage: Coverage,
    /// (detected + stopped) / (all - untestable).
    pub test_coverage: Coverage,
    /// Like `fault_coverage`, with hangs counted as detected: for a test with a watchdog.
    pub fault_coverage_with_watchdog: Coverage,
    /// Like `test_coverage`, with hangs counted as detected.
    pub test_coverage_with_watchdog: Coverage,
}

impl Summary {
    /// The summary of a grade. `population` is the number of prime faults from which the graded ones were drawn, if
    /// they are a sample.
    pub fn new(kernel: &str, unit: &str, grade: &Grade, population: Option<u64>) -> Summary {
        let count = |chosen: &dyn Fn(Status) -> bool| {
            let chosen = grade.faults.iter().filter(|fault| chosen(fault.status));
            chosen.fold(Number::default(), |sum, fault| Number {
                prime: sum.prime + 1,
                all: sum.all + fault.equivalent,
            })
        };
        let of_status = |status: &Status| OfStatus {
            status: *status,
            code: status.code(),
            faults: count(&|other| other == *status),
        };
        let coverage = |is_of_testable: bool, has_watchdog: bool| {
            let hits = count(&|status| status.is_detected(has_watchdog));
            let of = count(&|status| !is_of_testable || status != Status::Untestable);
            // Without a sample, the graded faults are the population.
            let population = population.unwrap_or(of.prime as u64).max(of.prime as u64);
            let interval = wilson(hits.prime as u64, of.prime as u64, Some(population), Confidence::P95);
            let interval = interval.unwrap_or(Interval {
                share: 0.0,
                low: 0.0,
                high: 0.0,
            });
            Coverage {
                prime: interval.share,
                prime_low: interval.low,
                prime_high: interval.high,
                all: share(hits.all, of.all),
            }
        };
        let rows = grade.instructions();
        Summary {
            kernel: kernel.into(),
            unit: unit.into(),
            observe: grade.observe,
            cycles: grade.cycles,
            instructions: grade.program.len(),
            essential: rows
                .iter()
                .filter(|row| row.new_prime > 0 && !row.pc.is_empty())
                .count(),
            faults: count(&|_| true),
            statuses: Status::ALL.iter().map(of_status).collect(),
            fault_coverage: coverage(false, false),
            test_coverage: coverage(true, false),
            fault_coverage_with_watchdog: coverage(false, true),
            test_coverage_with_watchdog: coverage(true, true),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: usize| grouped(number as u64);
        writeln!(f, "{} in {}, observed: {}", self.kernel, self.unit, self.observe)?;
        writeln!(
            f,
            "{} cycles, {} instructions, of which {} detect a fault first\n",
            grouped(self.cycles),
            number(self.instructions),
            number(self.essential)
        )?;
        writeln!(f, "{:<22}{:>9}{:>9}", "faults", "prime", "all")?;
        for OfStatus { status, code, faults } in &self.statuses {
            let name = format!("  {status} ({code})");
            writeln!(f, "{name:<22}{:>9}{:>9}", number(faults.prime), number(faults.all))?;
        }
        writeln!(
            f,
            "{:<22}{:>9}{:>9}\n",
            "  all",
            number(self.faults.prime),
            number(self.faults.all)
        )?;
        let hangs = self.statuses.iter().find(|of| of.status == Status::Hang);
        let has_hangs = hangs.is_some_and(|of| of.faults.prime > 0);
        let rows = [
            ("fault coverage", self.fault_coverage, true),
            ("test coverage", self.test_coverage, true),
            ("  with a watchdog, FC", self.fault_coverage_with_watchdog, has_hangs),
            ("  with a watchdog, TC", self.test_coverage_with_watchdog, has_hangs),
        ];
        for (name, coverage, _) in rows.into_iter().filter(|(.., is_shown)| *is_shown) {
            let prime = format!("{:.2}", 100.0 * coverage.prime);
            write!(f, "{name:<22}{prime:>9}{:>9.2} %", 100.0 * coverage.all)?;
            match coverage.prime_low < coverage.prime_high {
                true => writeln!(
                    f,
                    "  prime: {:.2} to {:.2} %",
                    100.0 * coverage.prime_low,
                    100.0 * coverage.prime_high
                )?,
                false => writeln!(f)?,
            }
        }
        Ok(())
    }
}
