//! The sections of the page, with their tables.

use super::groups::groups;
use super::histogram::{by_decades, by_name, by_powers};
use super::page::{picture, Section};
use super::pictures::{curve, heat_map, histogram};
use super::table::{column, short, Cell, Column, Table};
use super::vulnerability::{outcomes, vulnerability};
use super::Options;
use crate::error::Error;
use crate::fault::Model;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::row::{FirstRecord, Row};
use crate::sites::Sites;
use crate::statistics::half_width;
use std::collections::BTreeMap;

/// Most lines of a picture; the table has all of them.
const MOST_LINES: usize = 40;

/// All sections.
pub(super) fn sections(plan: &Plan, rows: &[Row], sites: &Sites, options: Options) -> Result<Vec<Section>, Error> {
    let all = groups(plan, rows, sites, |_| "all", |_| "all");
    let modules = groups(plan, rows, sites, |row| &row.module, |site| &site.module);
    let kinds = groups(plan, rows, sites, |row| row.kind.name(), |site| site.kind.name());
    // Stuck-at faults have no rate: there is one for each time a chip is made, not for each hour.
    let flips = rows.iter().all(|row| row.fault.model == Model::Flip);
    let options = Options {
        raw_fit_per_mbit: options.raw_fit_per_mbit.filter(|_| flips),
        ..options
    };
    Ok(vec![
        campaign(plan, rows, sites, options)?,
        outcomes(&all, rows, options),
        vulnerability("modules", "module", "Vulnerability by module", &modules, options),
        vulnerability("kinds", "kind", "Vulnerability by kind of bit", &kinds, options),
        instructions(rows),
        codes(rows),
        output(rows),
        latency(rows),
        coverage(plan, rows),
    ])
}

/// The facts that make the campaign repeatable.
fn campaign(plan: &Plan, rows: &[Row], sites: &Sites, options: Options) -> Result<Section, Error> {
    let mut facts = vec![
        ("plan", plan.id()?),
        ("kernel", plan.kernel.clone()),
        ("circuits", plan.circuits.clone()),
        ("golden run", plan.golden.clone()),
        ("golden cycles", plan.golden_cycles.to_string()),
        ("limit of cycles", plan.limit.to_string()),
        ("fault list", plan.faults.clone()),
        ("faults", plan.count.to_string()),
        ("results", rows.len().to_string()),
    ];
    let level = short(options.confidence.level() * 100.0);
    let mut notes = vec![format!("Intervals are Wilson's, at {level} % confidence.")];
    match &plan.sample {
        None => notes.push("The faults are not a random sample: the intervals say nothing of other faults.".into()),
        Some(sample) => {
            let population = sample.population(sites, plan.golden_cycles)?;
            let half = half_width(Some(population), rows.len() as u64, options.confidence, 0.5);
            facts.extend([
                ("sites", sample.pattern.clone()),
                ("model", sample.model.to_string()),
                ("bits of a fault", sample.bits.to_string()),
                ("seed", sample.seed.to_string()),
                ("possible faults", population.to_string()),
            ]);
            let half = short(half * 100.0);
            notes.push(format!(
                "Half-width of the interval of a share of 50 % of all results: {half} %."
            ));
        }
    }
    if (rows.len() as u64) < plan.count {
        notes.push(format!(
            "Not complete: {} of {} faults have results.",
            rows.len(),
            plan.count
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

/// A section whose page shows its tables.
pub(super) fn with_tables(title: &'static str, notes: Vec<String>, tables: Vec<Table>) -> Section {
    Section {
        title,
        notes,
        parts: tables.iter().map(Table::html).collect(),
        tables,
    }
}

/// A column for each outcome.
pub(super) fn outcome_columns() -> impl Iterator<Item = Column> {
    Outcome::ALL.iter().map(|outcome| column(outcome.name()))
}

/// Keeps the lines of a picture with the most runs, in their order, and says so if that leaves some out.
pub(super) fn most_lines<T>(lines: &mut Vec<T>, runs: impl Fn(&T) -> u64) -> Vec<String> {
    if lines.len() <= MOST_LINES {
        return Vec::new();
    }
    let mut counts: Vec<u64> = lines.iter().map(&runs).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let least = counts[MOST_LINES - 1];
    let note = format!(
        "The picture has the {MOST_LINES} lines with the most runs, of {}.",
        lines.len()
    );
    lines.retain(|line| runs(line) >= least);
    // Several may have as many as the last one.
    lines.truncate(MOST_LINES);
    vec![note]
}

/// Outcomes by the instruction of the first record that differs.
fn instructions(rows: &[Row]) -> Section {
    let mut counts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in rows {
        let name = row
            .first_record
            .as_ref()
            .map_or("(no record differs)", FirstRecord::mnemonic);
        let line = counts.entry(name).or_insert_with(|| vec![0; Outcome::ALL.len()]);
        for (count, outcome) in line.iter_mut().zip(Outcome::ALL) {
            *count += u64::from(row.outcome == *outcome);
        }
    }
    let mut lines: Vec<(String, Vec<u64>)> = counts.into_iter().map(|(name, line)| (name.into(), line)).collect();
    let runs = |line: &(String, Vec<u64>)| line.1.iter().sum::<u64>();
    lines.sort_by_key(|line| std::cmp::Reverse(runs(line)));
    let table = Table {
        name: "instructions",
        columns: [column("instruction"), column("runs")]
            .into_iter()
            .chain(outcome_columns())
            .collect(),
        lines: lines
            .iter()
            .map(|line| {
                let counts = [runs(line)].into_iter().chain(line.1.iter().copied());
                [Cell::Text(line.0.clone())]
                    .into_iter()
                    .chain(counts.map(Cell::Count))
                    .collect()
            })
            .collect(),
    };
    let mut notes = vec!["The instruction is that of the first record that differs from the golden run.".to_string()];
    notes.extend(most_lines(&mut lines, runs));
    Section {
        title: "Instructions and outcomes",
        notes,
        parts: vec![picture(&heat_map(&lines, "Instructions and outcomes"))],
        tables: vec![table],
    }
}

/// A part of a section with counts as a picture, and their table.
fn counted(section: &mut Section, name: &'static str, of: &'static str, about: &str, counts: &[(String, u64)]) {
    section.parts.push(format!("<h3>{about}</h3>\n"));
    section.parts.push(picture(&histogram(counts, about)));
    section.tables.push(Table::of_counts(name, of, counts));
}

fn empty_section(title: &'static str, notes: Vec<String>) -> Section {
    Section {
        title,
        notes,
        parts: Vec::new(),
        tables: Vec::new(),
    }
}

fn codes(rows: &[Row]) -> Section {
    let mut section = empty_section("Errors of the machine", Vec::new());
    let codes = by_name(rows.iter().map(|row| row.code.as_deref()), "(no error)");
    counted(&mut section, "codes", "code", "Error codes", &codes);
    section
}

/// The damage to the output.
fn output(rows: &[Row]) -> Section {
    let mut section = empty_section("Corrupted output", Vec::new());
    let bits = by_powers(rows.iter().map(|row| Some(row.corrupted_bits)), "(not known)");
    counted(&mut section, "corrupted_bits", "bits", "Corrupted bits", &bits);
    let words = by_powers(rows.iter().map(|row| Some(row.corrupted_words)), "(not known)");
    counted(&mut section, "corrupted_words", "words", "Corrupted words", &words);
    let errors = by_decades(rows.iter().map(|row| row.relative_error), "(not computed)");
    counted(
        &mut section,
        "relative_error",
        "relative_error",
        "Largest relative error",
        &errors,
    );
    let geometry = by_name(rows.iter().map(|row| row.geometry.as_deref()), "(none)");
    counted(
        &mut section,
        "geometry",
        "geometry",
        "Geometry of the corrupted words",
        &geometry,
    );
    section
}

/// Cycles from the fault to what is seen of it.
fn latency(rows: &[Row]) -> Section {
    let note = "In cycles, from the fault's first one. An instruction that was issued before the fault counts as 0.";
    let mut section = empty_section("Latency", vec![note.to_string()]);
    let since = |row: &Row, cycle: u64| cycle.saturating_sub(row.fault.cycle);
    let records = rows
        .iter()
        .map(|row| Some(since(row, row.first_record.as_ref()?.cycle)));
    let records = by_powers(records, "(no record differs)");
    counted(
        &mut section,
        "latency_to_record",
        "cycles",
        "To the first record that differs",
        &records,
    );
    let stores = rows.iter().map(|row| Some(since(row, row.first_store?)));
    let stores = by_powers(stores, "(no store differs)");
    counted(
        &mut section,
        "latency_to_store",
        "cycles",
        "To the first store that differs",
        &stores,
    );
    section
}

/// The share of faults that have led to an error and were seen, by the cycle of their first difference.
fn coverage(plan: &Plan, rows: &[Row]) -> Section {
    let mut seen: BTreeMap<u64, (u64, f64)> = BTreeMap::new();
    let (mut others, mut total) = (0, 0.0);
    for row in rows {
        total += row.weight;
        match row.first_difference().filter(|_| row.outcome.is_error()) {
            Some(cycle) => {
                let (count, weight) = seen.entry(cycle).or_default();
                *count += 1;
                *weight += row.weight;
            }
            None => others += 1,
        }
    }
    let mut weight = 0.0;
    let mut steps = Vec::new();
    let mut lines = Vec::new();
    for (cycle, (count, more)) in seen {
        weight += more;
        // Not 0: the row has added its weight.
        let share = weight / total;
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
        columns: vec![column("cycle"), column("runs"), column("covered_share")],
        lines,
    };
    let about = "Share of faults with a wrong output, an error or a hang whose first difference was up to this cycle";
    Section {
        title: "Coverage",
        notes: vec![format!(
            "{about}. Errors without a record or store that differs are not in the curve."
        )],
        parts: vec![picture(&curve(&steps, plan.golden_cycles, about))],
        tables: vec![table],
    }
}
