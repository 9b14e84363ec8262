//! `flexgrip gtkwave-filter`: translates values to text, for GTKWave.

use clap::Args;
use flexgrip_sim::error::Error;
use flexgrip_sim::outside::IoError;
use flexgrip_sim::waves::gtkwave_filter;
use std::ffi::OsString;
use std::io;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  echo 04000780a0000005 | flexgrip gtkwave-filter
  echo 3 | flexgrip gtkwave-filter --kind IssueCause
  echo 000202c4859a | flexgrip gtkwave-filter --kind g13        words of another set's code
  echo 00A | flexgrip gtkwave-filter --kind g13.row             the port `row` of its decoder

Values are hexadecimal (also with $ or 0x), or binary (with %, or more than 16 digits, all 0 or 1). Anything that is not a
value of the kind is returned unchanged. The save files that --wave writes name this filter; GTKWave starts it.

Exit code 0: the input has ended; 1: an unknown kind, or an error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct FilterArguments {
    /// The kind of values: instruction, another instruction set, such as g13, its decoder's rows, g13.row, or an enum of the
    /// circuits, such as IssueCause
    #[arg(long, value_name = "KIND", default_value = gtkwave_filter::INSTRUCTION)]
    kind: String,
}

/// Answers all lines of standard input.
pub fn run(arguments: &FilterArguments) -> Result<bool, Error> {
    let kind = gtkwave_filter::Kind::named(&arguments.kind)?;
    let what = "cannot write to GTKWave";
    gtkwave_filter::serve(&kind, io::stdin().lock(), io::stdout().lock()).map_err(IoError::of(what))?;
    Ok(true)
}

/// The arguments of this process. GTKWave passes everything after a filter's program as one argument.
pub fn arguments() -> Vec<OsString> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let [program, one] = &arguments[..] {
        let words: Vec<&str> = one.to_str().unwrap_or_default().split_whitespace().collect();
        if words.len() > 1 && words[0] == gtkwave_filter::COMMAND {
            return std::iter::once(program.clone())
                .chain(words.into_iter().map(OsString::from))
                .collect();
        }
    }
    arguments
}
