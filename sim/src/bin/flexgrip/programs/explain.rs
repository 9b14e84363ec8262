//! `flexgrip explain`: explains instruction words bit by bit.

use crate::output::print_or_refuse;
use clap::Args;
use flexgrip_sim::error::Error;
use flexgrip_sim::isa_commands::explanations;

/// Shown after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip explain 0x04000780a0000005      a long instruction: high word, low word
  flexgrip explain a0000005 04000780       the same, as listings show it
  flexgrip explain 10008000                a short instruction

Exit code 0: explained, also where a word is not an instruction; 1: an argument is not a word; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct ExplainArguments {
    /// Words in hexadecimal: 64 bits, or 32 bits as in listings, low word of a long instruction first
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
}

/// Explains the words; false if one is invalid.
pub fn run(arguments: &ExplainArguments) -> Result<bool, Error> {
    print_or_refuse(explanations(&arguments.words))
}
