//! `flexgrip isa`: describes the instructions, all or one.

use crate::output::{print, print_or_refuse};
use clap::Args;
use flexgrip_isa::reference::{text_overview, text_page};
use flexgrip_sim::error::Error;

/// Shown after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip isa                   one line for each instruction
  flexgrip isa IADD              its forms, bits, operands, modifiers and sources
  flexgrip isa imad32i           any form's name leads to the page

Exit code 0: printed; 1: no instruction has the name; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct IsaArguments {
    /// The instruction
    mnemonic: Option<String>,
}

/// Describes the instructions; false if there is none of that name.
pub fn run(arguments: &IsaArguments) -> Result<bool, Error> {
    match &arguments.mnemonic {
        None => print(&text_overview()).map(|()| true),
        Some(name) => print_or_refuse(text_page(name)),
    }
}
