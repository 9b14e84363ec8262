//! `flexgrip explain`: explains instruction words bit by bit.

use crate::arguments::{capability, IsaChoice};
use crate::output::print_or_refuse;
use clap::Args;
use flexgrip_machine::Capability;
use flexgrip_sim::error::Error;
use flexgrip_sim::instruction_sets::{sm10_words, words, Choice};

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip explain 0x04000780a0000005             a long instruction: high word, low word
  flexgrip explain a0000005 04000780              the same, as listings show it
  flexgrip explain 10008000                       a short instruction
  flexgrip explain --capability 1.3 a0000829 444007c0  a conversion to a double; at 1.0 another instruction
  flexgrip explain --isa sm60 0x5c9807800ff70000  of another GPU; --isa g13 also takes bytes, 9a85c4020200

Exit code 0: explained, even if a word is not an instruction; 1: an argument is not a word; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct ExplainArguments {
    /// Words in hexadecimal: 64 bits, or 32 bits as in listings, low word of a long instruction first
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
    /// The compute capability, 1.0 to 1.3 [default: 1.0]
    #[arg(long, value_name = "VERSION", value_parser = capability(), conflicts_with = "isa")]
    capability: Option<Capability>,
    #[command(flatten)]
    isa: IsaChoice,
}

/// Explains the words; false if one is invalid.
pub fn run(arguments: &ExplainArguments) -> Result<bool, Error> {
    match arguments.isa.choice() {
        Choice::Sm10 => print_or_refuse(sm10_words::explanations(
            &arguments.words,
            arguments.capability.unwrap_or_default(),
        )),
        Choice::Other(set) => print_or_refuse(words::explanations(set, &arguments.words)),
    }
}
