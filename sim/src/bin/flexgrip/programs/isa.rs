//! `flexgrip isa`: describes the instructions of a set, all or one, or lists the sets.

use crate::arguments::IsaChoice;
use crate::output::{print, print_or_refuse};
use clap::Args;
use flexgrip_isa::reference::text_page;
use flexgrip_sim::error::Error;
use flexgrip_sim::instruction_sets::{list, Choice};

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip isa                   one line for each instruction
  flexgrip isa IADD              its forms, bits, operands, modifiers and sources
  flexgrip isa imad32i           any form's name leads to the page
  flexgrip isa --list            the instruction sets, what each covers, and its sources
  flexgrip isa --isa sm60 XMAD   an instruction of another set

Exit code 0: printed; 1: no instruction has the name; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct IsaArguments {
    /// The instruction
    mnemonic: Option<String>,
    #[command(flatten)]
    isa: IsaChoice,
    /// List the instruction sets with their coverage and sources
    #[arg(long, conflicts_with_all = ["mnemonic", "isa"])]
    list: bool,
}

/// Describes the instructions; false if no instruction has this name.
pub fn run(arguments: &IsaArguments) -> Result<bool, Error> {
    if arguments.list {
        return print(&list()).map(|()| true);
    }
    let set = arguments.isa.choice().set();
    match (&arguments.mnemonic, arguments.isa.choice()) {
        (None, _) => print(&set.overview()).map(|()| true),
        (Some(name), Choice::Sm10) => print_or_refuse(text_page(name)),
        (Some(name), Choice::Other(other)) => print_or_refuse(set.page(name).ok_or_else(|| {
            let nearest = other
                .nearest(name)
                .map_or(String::new(), |nearest| format!("; did you mean {nearest}?"));
            format!("{} has no instruction `{name}`{nearest}", other.name)
        })),
    }
}
