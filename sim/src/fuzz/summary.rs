//! The summary of fuzzing, as text and as JSON (`flexgrip fuzz --json`), which `make conformance` stores.

use super::coverage::FloatResults;
use super::generate::Mix;
use super::program::MEMORY_BYTES;
use super::{Failure, FuzzOptions, FuzzReport};
use flexgrip_isa::table::Unit;
use hdlkit::output::grouped;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The outcome of fuzzing, with all the data needed to repeat it.
#[derive(Clone, Debug, Serialize)]
pub struct FuzzSummary {
    /// The engine compared with the golden model.
    pub engine: &'static str,
    /// The [`circuit_hash`](flexgrip_export::verilog::circuit_hash) of the circuits, if requested.
    pub circuit: Option<String>,
    /// The mix of the programs' instructions.
    pub mix: Mix,
    /// The seed of the programs.
    pub seed: u64,
    /// The number of the first program.
    pub first: u64,
    /// The number of programs that agree.
    pub programs: u64,
    /// The number of warp instructions that were compared.
    pub warp_instructions: u64,
    /// These warp instructions, by the unit that executes them.
    pub warp_instructions_by_unit: BTreeMap<String, u64>,
    /// The numbers of 32-bit float results of each kind, counted per thread.
    pub float_results: FloatResults,
    /// The number of coverage items.
    pub items: usize,
    /// The items that were not reached.
    pub not_reached: Vec<String>,
    /// True if all programs agree.
    #[serde(rename = "match")]
    pub matches: bool,
    /// The first program that differs.
    pub failure: Option<Failure>,
    /// The number of the last requested program. Not in the JSON, because it follows from the other fields.
    #[serde(skip)]
    last: u64,
}

impl FuzzSummary {
    /// The summary of fuzzing `engine`; `circuit` is the hash of its circuits, if requested.
    pub fn new(engine: &'static str, circuit: Option<String>, options: &FuzzOptions, report: &FuzzReport) -> Self {
        let coverage = &report.coverage;
        FuzzSummary {
            engine,
            circuit,
            mix: options.mix,
            seed: options.seed,
            first: options.first,
            programs: report.programs,
            warp_instructions: report.warp_instructions,
            warp_instructions_by_unit: Unit::ALL
                .into_iter()
                .map(|unit| (unit.to_string(), coverage.instructions_of(unit)))
                .filter(|(_, count)| *count > 0)
                .collect(),
            float_results: coverage.float_results(),
            items: coverage.all(),
            not_reached: coverage.missing().into_iter().map(String::from).collect(),
            matches: report.failure.is_none(),
            failure: report.failure.clone(),
            last: options.first.saturating_add(options.count).saturating_sub(1),
        }
    }

    /// The result of the comparison and, after a difference, instructions to reproduce it.
    pub fn verdict(&self) -> String {
        match &self.failure {
            None => format!("{} and the model agree", self.engine),
            Some(failure) => format!(
                "program {} differs, shrunk as far as possible: {}\nagain: flexgrip lockstep {} --engine {} --lanes {} \
                 --memory-latency {} --global-size {}",
                failure.number,
                failure.message,
                failure.folder.display(),
                self.engine,
                failure.lanes,
                failure.latency,
                MEMORY_BYTES,
            ),
        }
    }

    fn on_floats(&self) -> u64 {
        let of = |unit: Unit| self.warp_instructions_by_unit.get(&unit.to_string()).copied();
        of(Unit::Float).unwrap_or(0) + of(Unit::SpecialFunction).unwrap_or(0)
    }
}

impl fmt::Display for FuzzSummary {
    /// Formats the outcome without the verdict, which is printed last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "seed               {}, programs {} to {}",
            self.seed, self.first, self.last
        )?;
        writeln!(f, "programs           {}", grouped(self.programs))?;
        writeln!(f, "warp instructions  {}", grouped(self.warp_instructions))?;
        writeln!(f, "  on floats        {}", grouped(self.on_floats()))?;
        writeln!(f, "float results      {}", shares(&self.float_results))?;
        writeln!(
            f,
            "reached            {} of {} rows, operand forms, field values, conditions, stack operations and hazards",
            self.items - self.not_reached.len(),
            self.items
        )?;
        self.not_reached
            .iter()
            .try_for_each(|item| writeln!(f, "  not reached: {item}"))
    }
}

/// The shares of the kinds of float results, as text.
fn shares(results: &FloatResults) -> String {
    let all = results.numbers + results.zeros + results.infinities + results.nans;
    let share = |count: u64| (100 * count + all / 2).checked_div(all).unwrap_or(0);
    format!(
        "{} % numbers, {} % zeros, {} % infinities, {} % NaNs",
        share(results.numbers),
        share(results.zeros),
        share(results.infinities),
        share(results.nans)
    )
}
