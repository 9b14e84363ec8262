//! Checks the float and special function circuits against the arithmetic, over all inputs.

#![warn(clippy::unwrap_used)]

use clap::Parser;
use flexgrip_exhaustive::plan::{operations, Inputs, Operation, NAMES};
use flexgrip_exhaustive::run::{run, Event, OperationReport, Options};
use hdlkit::output::grouped;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  exhaustive                                       everything, on all processors; resumes
  exhaustive --only rcp,rsq --jobs 1
  exhaustive --only f2i --range 0x3f800000..0x40000000 --mixed 0
  exhaustive --only fadd --sums 10000000000        ten thousand million sums
  exhaustive --json > report.json";

/// Checks the float and special function circuits against the arithmetic, over all inputs.
///
/// yosys turns the circuits' Verilog into gates, and the gates are evaluated for 2,048 inputs at once. Operations with
/// one operand are checked with all of its values, the others with random triples of operands biased to corner cases. The
/// table's seconds are summed over all threads. Exits with 1 if anything differs.
#[derive(Parser)]
#[command(name = "exhaustive", version, after_help = EXAMPLES)]
struct Arguments {
    /// Operations to check [default: all]
    #[arg(long, value_delimiter = ',', value_name = "OPERATIONS", value_parser = NAMES)]
    only: Vec<String>,
    /// Operands to check, from FROM up to but excluding TO, such as 0x3f800000 or 1065353216; random cases are not
    /// affected [default: all]
    #[arg(long, value_name = "FROM..TO", value_parser = range)]
    range: Option<Range<u64>>,
    /// Number of random cases for each of fadd, fmul and fmad
    #[arg(long, value_name = "N", default_value_t = 1 << 30)]
    sums: u64,
    /// Number of random cases for each other operation, with all of its modifiers mixed
    #[arg(long, value_name = "N", default_value_t = 1 << 26)]
    mixed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Discard the record of checked inputs and start again
    #[arg(long)]
    restart: bool,
    /// Folder for the record of checked inputs and for the gates; only one run at a time may use it
    #[arg(long, value_name = "FOLDER", default_value = "build/exhaustive")]
    folder: PathBuf,
    /// Print the results as one JSON object
    #[arg(long)]
    json: bool,
    /// Falsify the expected result of this operand, to test that a difference is found
    #[arg(long, hide = true, value_name = "OPERAND", value_parser = operand)]
    falsify: Option<u32>,
}

/// A number, hexadecimal with 0x.
fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is not a number; expected a number such as 0x3f800000 or 1065353216"))
}

fn operand(text: &str) -> Result<u32, String> {
    u32::try_from(number(text)?).map_err(|_| format!("`{text}` has more than 32 bits"))
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let (from, to) = text
        .split_once("..")
        .ok_or("expected two numbers with `..` between them")?;
    let range = number(from)?..number(to)?;
    if range.is_empty() {
        return Err("the range is empty".into());
    }
    if range.end > 1 << 32 {
        return Err("operands have 32 bits; expected the last operand to be at most 0xffffffff".into());
    }
    Ok(range)
}

#[derive(Serialize)]
struct Report<'a> {
    operations: &'a [OperationReport],
    /// True if there are no differences.
    #[serde(rename = "match")]
    matches: bool,
    /// The duration of this run, in seconds.
    wall_seconds: f64,
}

fn table(reports: &[OperationReport]) -> String {
    let mut text = format!(
        "{:<10} {:>6} {:>17} {:>17} {:>12} {:>12}\n",
        "operation", "modes", "inputs checked", "checked before", "differences", "seconds"
    );
    for report in reports {
        text.push_str(&format!(
            "{:<10} {:>6} {:>17} {:>17} {:>12} {:>12.1}\n",
            report.operation,
            report.modes,
            grouped(report.checked),
            grouped(report.checked_before),
            grouped(report.differences),
            report.seconds
        ));
    }
    text
}

fn inputs(operation: &Operation, operands: &Range<u64>) -> u64 {
    let modes = operation.modes.iter().map(|mode| match mode.inputs {
        Inputs::Every { .. } => operands.end.min(mode.count()) - operands.start.min(mode.count()),
        Inputs::Random { .. } => mode.count(),
    });
    modes.sum()
}

/// Checks the operations. Returns true if nothing differs.
fn check(arguments: &Arguments) -> Result<bool, Box<dyn std::error::Error>> {
    let mut chosen = operations(arguments.sums, arguments.mixed);
    if !arguments.only.is_empty() {
        chosen.retain(|operation| arguments.only.iter().any(|name| name == operation.name));
    }
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
    let options = Options {
        jobs: arguments.jobs.map_or(processors, usize::from),
        operands: arguments.range.clone().unwrap_or(0..1 << 32),
        folder: arguments.folder.clone(),
        restart: arguments.restart,
        falsify: arguments.falsify,
    };
    // The progress is only shown on a terminal.
    let all = chosen
        .iter()
        .map(|operation| inputs(operation, &options.operands))
        .sum();
    let bar = ProgressBar::new(all);
    let template = "{bar:30} {percent:>3}% {human_pos} inputs, {rate} a second, {eta} left: {msg}";
    let style = ProgressStyle::with_template(template)?;
    bar.set_style(
        style.with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            // An error cannot be reported, because the text cannot be seen either.
            let _ = write!(text, "{}", grouped(state.per_sec() as u64));
        }),
    );
    let start = Instant::now();
    let reports = run(&chosen, &options, &|event| match event {
        Event::Before(inputs) => {
            bar.inc(inputs);
            // The rate must only cover this run.
            bar.reset_eta();
        }
        Event::Checked(mode, inputs) => {
            bar.set_message(mode.to_owned());
            bar.inc(inputs);
        }
    })?;
    bar.finish_and_clear();
    let report = Report {
        matches: reports.iter().all(|report| report.differences == 0),
        operations: &reports,
        wall_seconds: start.elapsed().as_secs_f64(),
    };
    let text = if arguments.json {
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        let differences = reports.iter().filter_map(|report| report.first_difference.as_ref());
        let differences = differences.map(|difference| format!("differs: {difference}\n"));
        differences.chain([table(&reports)]).collect()
    };
    match io::stdout().write_all(text.as_bytes()) {
        // A closed pipe is not an error: its reader stopped reading.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    Ok(report.matches)
}

fn main() -> ExitCode {
    match check(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
