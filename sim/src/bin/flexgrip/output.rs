//! Printed output: texts, colours, JSON, errors, and the outcome of a run.

use crate::arguments::OutcomeArguments;
use flexgrip_sim::board::error::BoardError;
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::files::output::note;
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::outside::IoError;
use flexgrip_sim::report::Summary;
use flexgrip_sim::trace::ending::Ending;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal, Write};

/// Text in colour, if for a terminal.
pub fn coloured(text: &str, code: &str, terminal: bool) -> String {
    let plain = !terminal || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain {
        text.into()
    } else {
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// Terminal colour code for success.
pub const GREEN: &str = "32";
/// Terminal colour code for failure.
pub const RED: &str = "31";

/// Writes the dumps and prints the outcome of a run.
pub fn finish(
    kernel: &Kernel,
    report: &RunReport,
    summary: &Summary,
    arguments: &OutcomeArguments,
) -> Result<bool, Error> {
    if report.ending == Ending::Complete {
        for dump in &arguments.dump {
            dump.write(&report.global)?;
        }
    }
    if arguments.json {
        print_json(summary)?;
    } else {
        print(&summary.to_string())?;
        if arguments.stats {
            print(&summary.stats())?;
        }
    }
    match report.ending {
        Ending::Failed(error) => return Err(RunError::of_kernel(kernel, error).into()),
        Ending::OutOfTime(late) => return Err(BoardError::from(late).into()),
        Ending::Complete => {
            // Memory outside the buffers has changed.
            if let Some(error) = &summary.error {
                return Err(OpenClError::Overwritten(error.clone()).into());
            }
        }
        Ending::Stopped => {}
    }
    if !arguments.json {
        let colour = if summary.success() { GREEN } else { RED };
        print(&format!(
            "{}\n",
            coloured(&summary.verdict(), colour, io::stdout().is_terminal())
        ))?;
    }
    Ok(summary.success())
}

/// A progress bar on standard error, if that is a terminal.
pub fn progress_bar(total: u64, what: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{rate}} a second, {{eta}} left");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
        // A bar that cannot be drawn is not an error.
        let _ = write!(out, "{:.0}", state.per_sec());
    };
    ProgressBar::new(total).with_style(style.with_key("rate", rate))
}

/// Prints as one JSON object.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Error> {
    let json = serde_json::to_string(value).map_err(io::Error::from);
    let json = json.map_err(IoError::of("cannot write JSON"))?;
    print(&format!("{json}\n"))
}

/// Prints a text. A closed pipe is not an error: the reader has seen enough.
pub fn print(text: &str) -> Result<(), Error> {
    print_bytes(text.as_bytes())
}

/// Like [`print`], for bytes that need not be UTF-8.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Error> {
    match io::stdout().write_all(bytes) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(IoError::of("cannot write to standard output")(error).into())
        }
        _ => Ok(()),
    }
}

/// Prints a text, or the error in its place.
pub fn print_or_refuse<E: std::fmt::Display>(text: Result<String, E>) -> Result<bool, Error> {
    match text {
        Ok(text) => print(&text).map(|()| true),
        Err(error) => {
            refuse(&error);
            Ok(false)
        }
    }
}

/// Prints an error on standard error.
pub fn refuse(error: &impl std::fmt::Display) {
    let label = coloured("error:", RED, io::stderr().is_terminal());
    note(format_args!("{label} {error}"));
}
