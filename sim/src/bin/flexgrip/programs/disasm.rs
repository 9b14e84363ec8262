//! `flexgrip disasm`: lists a program as assembly text.

use crate::arguments::IsaChoice;
use crate::output::print;
use clap::{Args, ValueEnum};
use flexgrip_gpu_isa::of_architecture;
use flexgrip_isa::cubin::read_cubin_code;
use flexgrip_isa::Style;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::output::note;
use flexgrip_sim::files::program::{load_program, program_listing};
use flexgrip_sim::instruction_sets::code_file::{listing, read_code, Listing};
use flexgrip_sim::instruction_sets::{gxp_file, Choice};
use std::path::{Path, PathBuf};

/// Shown after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip disasm kernel.hex
  flexgrip disasm matrixMul.cubin          every kernel, with its registers and memory
  flexgrip disasm TP_instructions.vhd      a program of FlexGripPlus
  flexgrip disasm kernel.hex --style vendor
  flexgrip disasm --isa sm60 kernel.cubin  every function of a cubin for sm_60
  flexgrip disasm --isa usse shader.gxp    both programs of a shader of the PS Vita
  flexgrip disasm --isa g13 shader.bin     raw code; of a .hex file the digits are bytes or words

With --isa, code that is no instruction is listed as .word; how much is said on standard error.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct DisasmArguments {
    /// The program, .hex, .cubin, .vhd or .sass; with --isa .hex, .cubin, .gxp or .bin
    program: PathBuf,
    /// The style of the listing, for sm10
    #[arg(long, value_enum, default_value_t = StyleName::Plain)]
    style: StyleName,
    #[command(flatten)]
    isa: IsaChoice,
    /// With --isa, list control words, too
    #[arg(long, requires = "isa")]
    control: bool,
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
    match arguments.isa.choice() {
        Choice::Sm10 => {
            let program = load_program(&arguments.program).map_err(|error| with_set(error, &arguments.program))?;
            print(&program_listing(&program, arguments.style.into()))?;
        }
        Choice::Other(set) => {
            let Listing { text, unknown, lines } = match gxp_file::is_gxp(&arguments.program) {
                true => gxp_file::listing(set, &arguments.program)?,
                false => listing(set, &read_code(set, &arguments.program)?, arguments.control),
            };
            print(&text)?;
            if unknown > 0 {
                note(format_args!(
                    "{unknown} of {lines} lines are no instructions of {}",
                    set.name
                ));
            }
        }
    }
    Ok(true)
}

/// The error of a cubin for another set, with that set's name.
fn with_set(mut error: FileError, path: &Path) -> FileError {
    if gxp_file::is_gxp(path) {
        error.message.push_str(&gxp_file::hint());
        return error;
    }
    let architecture = std::fs::read(path).ok().and_then(|bytes| read_cubin_code(&bytes).ok());
    if let Some(set) = architecture.and_then(|code| of_architecture(code.architecture)) {
        error
            .message
            .push_str(&format!("; `--isa {}` has its instructions", set.name));
    }
    error
}
