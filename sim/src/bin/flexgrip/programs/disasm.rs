//! `flexgrip disasm`: lists a program as assembly text.

use crate::output::print;
use clap::{Args, ValueEnum};
use flexgrip_isa::Style;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::program::{load_program, program_listing};
use std::path::PathBuf;

/// Shown after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip disasm kernel.hex
  flexgrip disasm matrixMul.cubin          every kernel, with its registers and memory
  flexgrip disasm TP_instructions.vhd      a program of FlexGripPlus
  flexgrip disasm kernel.hex --style vendor";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct DisasmArguments {
    /// The program, .hex, .cubin, .vhd or .sass
    program: PathBuf,
    /// The style of the listing
    #[arg(long, value_enum, default_value_t = StyleName::Plain)]
    style: StyleName,
}

/// Styles of disassembly.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StyleName {
    /// Shows every bit that matters; no blanks before brackets
    Plain,
    /// As printed by cuobjdump
    Vendor,
    /// As printed by its earlier versions
    EarlyVendor,
}

impl From<StyleName> for Style {
    fn from(name: StyleName) -> Self {
        match name {
            StyleName::Plain => Style::Plain,
            StyleName::Vendor => Style::Vendor,
            StyleName::EarlyVendor => Style::EarlyVendor,
        }
    }
}

/// Lists the program.
pub fn run(arguments: &DisasmArguments) -> Result<bool, Error> {
    let program = load_program(&arguments.program)?;
    print(&program_listing(&program, arguments.style.into()))?;
    Ok(true)
}
