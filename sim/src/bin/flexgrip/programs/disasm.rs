//! `flexgrip disasm`: lists a program as assembly text.

use crate::arguments::{capability, IsaChoice};
use crate::output::print;
use clap::{Args, ValueEnum};
use flexgrip_gpu_isa::{of_architecture, Notation};
use flexgrip_isa::cubin::read_cubin_code;
use flexgrip_isa::Style;
use flexgrip_machine::Capability;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::output::{note, write_file};
use flexgrip_sim::files::program::{load_program, program_listing};
use flexgrip_sim::instruction_sets::code_file::{listing, read_code, Control, Listing};
use flexgrip_sim::instruction_sets::{gxp_file, Choice};
use std::path::{Path, PathBuf};

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip disasm kernel.hex
  flexgrip disasm matrixMul.cubin          every kernel, with its registers and memory
  flexgrip disasm TP_instructions.vhd      a program of FlexGripPlus
  flexgrip disasm kernel.hex --style vendor
  flexgrip disasm kernel.hex --capability 1.3   with atomics, votes and double precision
  flexgrip disasm --isa sm60 kernel.cubin  every function of a cubin for sm_60
  flexgrip disasm --isa usse shader.gxp    both programs of a shader of the PS Vita
  flexgrip disasm --isa g13 shader.bin     raw code; in a .hex file, digits are bytes or words
  flexgrip disasm --isa sm52 k.cubin --control=maxas -o k.sass

With --isa, code that is not an instruction is listed as .word, and counted on standard error. A listing with --control
or -o has all that asm needs to reproduce the code; asm --template makes a cubin.
Lines after code of unknown length are marked as unsure, up to a branch's target or the program's end.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct DisasmArguments {
    /// The program, .hex, .cubin, .vhd or .sass; with --isa .hex, .cubin, .gxp or .bin
    program: PathBuf,
    /// The style of the listing, for sm10
    #[arg(long, value_enum, default_value_t = StyleName::Plain)]
    style: StyleName,
    /// The compute capability to decode for, 1.0 to 1.3 [default: a cubin's own, else 1.0]
    #[arg(long, value_name = "VERSION", value_parser = capability(), conflicts_with = "isa")]
    capability: Option<Capability>,
    #[command(flatten)]
    isa: IsaChoice,
    /// With --isa, also list control words: as .control lines, or as another tool shows them (sm50, sm52, sm60)
    #[arg(
        long,
        requires = "isa",
        value_enum,
        value_name = "NOTATION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "lines"
    )]
    control: Option<ControlName>,
    /// Write the listing to a file; with --isa in the form of --control, so that asm can reproduce the code
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The notations of control words in listings.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ControlName {
    /// Separate .control lines with all parts by name
    Lines,
    /// Like cuobjdump: words in comments, braces around instructions issued together, .reuse
    Vendor,
    /// Like maxas: --:-:1:Y:6 before each instruction
    Maxas,
    /// Like CuAssembler: [B------:R-:W0:Y:S06] before each instruction
    Cuasm,
}

impl From<ControlName> for Control {
    fn from(name: ControlName) -> Self {
        match name {
            ControlName::Lines => Control::Lines,
            ControlName::Vendor => Control::As(Notation::Vendor),
            ControlName::Maxas => Control::As(Notation::Maxas),
            ControlName::Cuasm => Control::As(Notation::Cuasm),
        }
    }
}

/// Styles of disassembly.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StyleName {
    /// Shows every bit that matters; no blanks before brackets
    Plain,
    /// As printed by cuobjdump
    Vendor,
    /// As printed by earlier versions of cuobjdump
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
    let write = |text: &str| match &arguments.output {
        None => print(text),
        Some(path) => write_file(path, text.as_bytes()).map_err(Error::from),
    };
    match arguments.isa.choice() {
        Choice::Sm10 => {
            let program = load_program(&arguments.program, arguments.capability.unwrap_or_default())
                .map_err(|error| with_set(error, &arguments.program))?;
            write(&program_listing(&program, arguments.style.into(), arguments.capability))?;
        }
        Choice::Other(set) => {
            let hidden = if arguments.output.is_some() {
                Control::Lines
            } else {
                Control::Hidden
            };
            let control = arguments.control.map_or(hidden, Control::from);
            let has_slots = set.control.is_some_and(|control| !control.slots.is_empty());
            if matches!(control, Control::As(_)) && !has_slots {
                let message = format!(
                    "{} has no such control codes; expected --control without a notation",
                    set.name
                );
                return Err(Error::Usage(message));
            }
            let Listing { text, unknown, lines } = match gxp_file::is_gxp(&arguments.program) {
                true => gxp_file::listing(set, &arguments.program)?,
                false => listing(set, &read_code(set, &arguments.program)?, control),
            };
            write(&text)?;
            if unknown > 0 {
                note(format_args!(
                    "{unknown} of {lines} lines are not instructions of {}",
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
