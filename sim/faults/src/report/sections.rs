//! The sections of the page, with their tables.

use super::groups::groups;
use super::histogram::{by_decades, by_name, by_powers, by_sizes, caption, run_of, Bin, Shown};
use super::html::picture;
use super::options::Options;
use super::page::{with_tables, Section};
use super::pictures::{curve, heat_map, histogram, most_lines};
use super::table::{column, outcome_columns, short, Cell, Table, FAULTS};
use super::vulnerability::{add_modules, outcomes, vulnerability, Estimates};
use crate::campaign::plan::Plan;
use crate::models::engine::Engine;
use crate::results::outcome::Outcome;
use crate::results::row::{FirstRecord, Row};
use crate::sites::list::Sites;
use crate::sites::site;
use crate::statistics::{faults as faults_of, half_width, Population};
use crate::text::error::Error;
use hdlkit::output::{counted, grouped};
use std::collections::BTreeMap;

/// The module name for registers and memories of the top.
const TOP: &str = "(top)";

/// The sections of the page.
pub(super) fn sections(plan: &Plan, rows: &[Row], sites: &Sites, options: Options) -> Result<Vec<Section>, Error> {
    let module = |name: &str| if name.is_empty() { TOP } else { name }.to_string();
    let all = groups(plan, rows, sites, |_| "all".into(), |_| "all".into())?;
    // Instructions of the golden model are grouped by mnemonic.
    let unit_of = |name: &str, module: &str| match plan.engine {
        Engine::Circuits => site::unit(name).to_string(),
        Engine::GoldenModel => module.to_string(),
    };
    let units = groups(
        plan,
        rows,
        sites,
        |row| unit_of(&row.fault.site, &row.module),
        |site| unit_of(&site.name, &site.module),
    )?;
    let modules = groups(
        plan,
        rows,
        sites,
        |row| module(&row.module),
        |site| module(&site.module),
    )?;
    let kinds = groups(
        plan,
        rows,
        sites,
        |row| row.kind.to_string(),
        |site| site.kind.to_string(),
    )?;
    let estimates = Estimates::new(plan, rows, options);
    let (unit, by_unit, by_kind) = match plan.engine {
        Engine::Circuits => ("unit", "Vulnerability by unit", "Vulnerability by kind of bit"),
        Engine::GoldenModel => (
            "instruction",
            "Vulnerability by instruction",
            "Vulnerability by kind of instruction",
        ),
    };
    let mut by_unit = vulnerability("units", unit, by_unit, &units, estimates);
    add_modules(&mut by_unit, &modules, estimates);
    Ok(vec![
        campaign(plan, rows, sites, options)?,
        outcomes(&all, rows, estimates),
        by_unit,
        vulnerability("kinds", "kind", by_kind, &kinds, estimates),
        instructions(rows),
        codes(rows),
        output(rows),
        latency(rows),
        coverage(plan, rows),
    ])
}

/// The section of facts that make the campaign repeatable.
fn campaign(plan: &Plan, rows: &[Row], sites: &Sites, options: Options) -> Result<Section, Error> {
    let mut facts = vec![
        ("plan", plan.id()?),
        ("kernel", plan.kernel.clone()),
        ("engine", plan.engine.to_string()),
        ("circuits", plan.circuits.clone()),
        ("golden run", plan.golden.clone()),
        ("golden cycles", plan.golden_cycles.to_string()),
        ("limit of cycles", plan.limit.to_string()),
        ("fault list", plan.faults.clone()),
        ("faults", plan.count.to_string()),
        ("faults with results", rows.len().to_string()),
    ];
    let level = short(options.confidence.level() * 100.0);
    let mut notes = Vec::new();
    if plan.engine == Engine::GoldenModel {
        notes.push(
            "The faults are in instructions on the golden model, which has no clock: cycles are warp instructions here."
                .to_string(),
        );
    }
    let intervals = format!("The intervals are Wilson's, at {level} % confidence.");
    let population = plan.population(sites)?;
    match &plan.sample {
        None => notes.push(format!(
            "{intervals} The faults are a list. If they are not a random sample of other faults, the intervals do not \
             apply to those faults."
        )),
        Some(sample) => {
            let possible = match population {
                Population::Finite(possible) | Population::Complete(possible) => Some(possible),
                Population::Unlimited => None,
            };
            let half = half_width(possible, rows.len() as u64, options.confidence, 0.5);
            facts.extend([
                ("sites", sample.pattern.clone()),
                ("model", sample.model.to_string()),
                ("bits of a fault", sample.bits.to_string()),
                ("seed", sample.seed.to_string()),
            ]);
            facts.extend(possible.map(|possible| ("possible faults", possible.to_string())));
            if let Some(golden_model) = &sample.golden_model {
                let duration = if golden_model.permanent {
                    "permanent"
                } else {
                    "one instruction"
                };
                facts.extend([
                    ("thread instructions", golden_model.thread_instructions.to_string()),
                    ("duration", duration.to_string()),
                    ("threads of a fault", golden_model.threads.to_string()),
                ]);
            }
            notes.push(match (population, half == 0.0) {
                (Population::Complete(_), _) if (rows.len() as u64) < plan.count => {
                    "All possible faults are in the list, each individually or in a class of equivalent faults, so there \
                     is no sampling error. Some classes have no result yet: the limits are the shares if none, and if \
                     all, of their faults have this outcome."
                        .to_string()
                }
                (Population::Complete(_), _) => {
                    "All possible faults are in these results, each individually or in a class of equivalent faults, \
                     of which one is simulated: the shares are exact, without a sampling error. Counts are of faults, \
                     not of classes."
                        .to_string()
                }
                (_, true) => "All possible faults have been simulated: the shares are exact.".to_string(),
                (_, false) => format!(
                    "{intervals} For a share of 50 % of all faults, the half-width is {} percentage points.",
                    short(half * 100.0)
                ),
            });
        }
    }
    if (rows.len() as u64) < plan.count {
        notes.push(format!(
            "Not complete: there are results of {} of {}.",
            grouped(rows.len() as u64),
            counted(plan.count, "fault")
        ));
    }
    let options = plan.options.iter();
    let options = options.map(|(name, value)| (format!("option {name}"), value.clone()));
    let facts = facts
        .into_iter()
        .map(|(name, value)| (name.to_string(), value))
        .chain(options);
    let table = Table {
        name: "campaign",
        columns: vec![column("fact"), column("value")],
        lines: facts
            .map(|(name, value)| vec![Cell::Text(name), Cell::Text(value)])
            .collect(),
    };
    Ok(with_tables("What was injected", notes, vec![table]))
}

/// The section of outcomes by the instruction of the first record that differs.
fn instructions(rows: &[Row]) -> Section {
    let mut counts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let mut without = vec![0; Outcome::ALL.len()];
    for row in rows {
        let line = match &row.first_record {
            Some(record) => counts
                .entry(FirstRecord::mnemonic(record))
                .or_insert_with(|| vec![0; Outcome::ALL.len()]),
            None => &mut without,
        };
        for (count, outcome) in line.iter_mut().zip(Outcome::ALL) {
            *count += if row.outcome == *outcome { row.fault.weight } else { 0 };
        }
    }
    let mut lines: Vec<(String, Vec<u64>)> = counts.into_iter().map(|(name, line)| (name.into(), line)).collect();
    let faults = |line: &(String, Vec<u64>)| line.1.iter().sum::<u64>();
    lines.sort_by_key(|line| std::cmp::Reverse(faults(line)));
    let without = ("(no record differs)".to_string(), without);
    let with_all = lines
        .iter()
        .chain([&without].into_iter().filter(|line| faults(line) > 0));
    let table = Table {
        name: "instructions",
        columns: [column("instruction"), FAULTS]
            .into_iter()
            .chain(outcome_columns())
            .collect(),
        lines: with_all
            .map(|line| {
                let counts = [faults(line)].into_iter().chain(line.1.iter().copied());
                [Cell::Text(line.0.clone())]
                    .into_iter()
                    .chain(counts.map(Cell::Count))
                    .collect()
            })
            .collect(),
    };
    let mut notes = vec![format!(
        "The instruction belongs to the first record that differs from the golden run. For {}, no record differs.",
        counted(faults(&without), "fault")
    )];
    notes.extend(most_lines(&mut lines, faults));
    let mut section = Section {
        title: "Instructions and outcomes",
        notes,
        parts: Vec::new(),
        tables: vec![table],
    };
    if !lines.is_empty() {
        let map = heat_map(&lines, "instruction", "Outcomes by instruction");
        section.parts.push(picture(&map));
    }
    section
}

/// Adds bins to a section: a table, and a picture if some fault has a value.
fn add(section: &mut Section, name: &'static str, of: &'static str, (about, values): (&str, &str), bins: &[Bin]) {
    section.tables.push(Table::of_bins(name, of, bins));
    let some = |shown: Shown| bins.iter().any(|bin| bin.shown == shown && bin.count > 0);
    if !some(Shown::Bar) && !some(Shown::Beside) {
        return;
    }
    section.parts.push(format!("<h3>{about}</h3>\n"));
    if some(Shown::Bar) {
        section.parts.push(picture(&histogram(bins, values, about)));
    }
    section.parts.push(caption(bins));
}

fn empty_section(title: &'static str) -> Section {
    Section {
        title,
        notes: Vec::new(),
        parts: Vec::new(),
        tables: Vec::new(),
    }
}

/// Adds a note to a section that has nothing to show.
fn or_note(mut section: Section, nothing: &str) -> Section {
    if section.parts.is_empty() {
        section.notes = vec![nothing.to_string()];
    }
    section
}

fn codes(rows: &[Row]) -> Section {
    let mut section = empty_section("Errors of the machine");
    let codes = by_name(
        rows.iter().map(|row| (row.code.as_deref(), row.fault.weight)),
        "(no error)",
    );
    add(&mut section, "codes", "code", ("Error codes", "code"), &codes);
    or_note(section, "No fault ended with an error code.")
}

/// The section of damage to the output.
fn output(rows: &[Row]) -> Section {
    let mut section = empty_section("Corrupted output");
    let bits = by_sizes(rows.iter().map(|row| (row.corrupted_bits, row.fault.weight)));
    add(
        &mut section,
        "corrupted_bits",
        "bits",
        ("Corrupted bits", "bits that differ"),
        &bits,
    );
    let words = by_sizes(rows.iter().map(|row| (row.corrupted_words, row.fault.weight)));
    add(
        &mut section,
        "corrupted_words",
        "words",
        ("Corrupted words", "words that differ"),
        &words,
    );
    let errors = by_decades(
        rows.iter().map(|row| (row.relative_error, row.fault.weight)),
        "(not computed)",
    );
    add(
        &mut section,
        "relative_error",
        "relative_error",
        ("Largest relative error", "relative error"),
        &errors,
    );
    let geometry = by_name(
        rows.iter().map(|row| (row.geometry.as_deref(), row.fault.weight)),
        "(none)",
    );
    add(
        &mut section,
        "geometry",
        "geometry",
        ("Geometry of the corrupted words", "geometry"),
        &geometry,
    );
    or_note(section, "No fault corrupted the output.")
}

/// The section of latency: cycles from the fault to its first visible effect.
fn latency(rows: &[Row]) -> Section {
    let mut section = empty_section("Latency");
    section.notes = vec!["In cycles since the fault's first cycle.".to_string()];
    // A fault with a weight is the last of the faults that it represents, one in each preceding cycle.
    let since = |row: &Row, cycle: Option<u64>| -> Vec<(Option<u64>, u64)> {
        match cycle {
            Some(cycle) => run_of(cycle.saturating_sub(row.fault.cycle), row.fault.weight).collect(),
            None => vec![(None, row.fault.weight)],
        }
    };
    let record = |row: &Row| row.first_record.as_ref().map(|record| record.cycle);
    let records = rows.iter().flat_map(|row| since(row, record(row)));
    let records = by_powers(records, "(no record differs)");
    add(
        &mut section,
        "latency_to_record",
        "cycles",
        ("To the first record that differs", "cycles"),
        &records,
    );
    let stores = rows.iter().flat_map(|row| since(row, row.first_store));
    let stores = by_powers(stores, "(no store differs)");
    add(
        &mut section,
        "latency_to_store",
        "cycles",
        ("To the first store that differs", "cycles"),
        &stores,
    );
    or_note(section, "No record or store differs.")
}

/// The section of coverage: the share of faults with an error whose first visible difference is at or before a cycle.
fn coverage(plan: &Plan, rows: &[Row]) -> Section {
    let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
    let mut others = 0;
    for row in rows {
        let weight = row.fault.weight;
        match row.first_difference().filter(|_| row.outcome.is_error()) {
            Some(cycle) => *seen.entry(cycle).or_default() += weight,
            None => others += weight,
        }
    }
    let total = faults_of(rows) as f64;
    let mut covered = 0;
    let mut steps = Vec::new();
    let mut lines = Vec::new();
    for (cycle, count) in seen {
        covered += count;
        // No division by 0: weights are at least 1.
        let share = covered as f64 / total;
        steps.push((cycle, share));
        lines.push(vec![
            Cell::Text(cycle.to_string()),
            Cell::Count(count),
            Cell::Number(Some(share)),
        ]);
    }
    lines.push(vec![
        Cell::Text("(never)".into()),
        Cell::Count(others),
        Cell::Number(None),
    ]);
    let table = Table {
        name: "coverage",
        columns: vec![column("cycle"), FAULTS, column("covered_share")],
        lines,
    };
    let about =
        "The share of all faults that ended as SDC or DUE and were visible up to this cycle, in a record or a store that \
                 differs";
    let unseen = rows
        .iter()
        .filter(|row| row.outcome.is_error() && row.first_difference().is_none());
    let mut section = Section {
        title: "Coverage",
        notes: vec![format!(
            "{about}. Not in the curve: {} without such a record or store.",
            counted(faults_of(unseen), "error")
        )],
        parts: Vec::new(),
        tables: vec![table],
    };
    if !steps.is_empty() {
        section.parts.push(picture(&curve(&steps, plan.golden_cycles, about)));
    }
    section
}
