//! `flexgrip asm`: assembles a program, or moves existing code.

use crate::arguments::{capability, IsaChoice};
use crate::output::{print, print_json};
use clap::Args;
use flexgrip_machine::Capability;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::output::{note, write_file};
use flexgrip_sim::files::program::{assemble_file, hex_text, program_file, words_file};
use flexgrip_sim::files::realign::realign_file;
use flexgrip_sim::instruction_sets::code_file::{
    assemble_code, cubin_of_code, file_of_code, hex_text as hex_text_of, joined,
};
use flexgrip_sim::instruction_sets::Choice;
use std::path::PathBuf;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip asm kernel.sass                          words in hexadecimal, on standard output
  flexgrip asm kernel.sass -o sort.cubin            an ELF cubin for sm_10, with its kernels' names
  flexgrip asm kernel.sass -o sort.mif              a memory initialisation file for Quartus
  flexgrip asm kernel.sass -o TP_instructions.vhd   the instruction memory of FlexGripPlus
  flexgrip asm --realign kernel.hex -o kernel.hex   long instructions moved to 8-byte boundaries
  flexgrip asm --capability 1.3 kernel.sass -o dot.cubin  with atomics, votes, doubles; a cubin for sm_13
  flexgrip asm --isa sm60 kernel.sass -o kernel.bin  another GPU's code: .bin or .hex
  flexgrip asm --isa sm60 new.sass --template old.cubin -o new.cubin
  flexgrip asm --realign TP_instructions.vhd --entry 0x24 -o kernel.hex --json

The extension selects the format. Only a .cubin has the kernels' names and requirements, and the constants.

With --isa sm50, sm52 or sm60 the program may have control codes as cuobjdump (words in comments, braces, .reuse), maxas
(--:-:1:Y:6) and CuAssembler ([B------:R-:W0:Y:S06]) write them. --template replaces the code of a cubin: flexgrip disasm
--isa sm60 old.cubin -o new.sass writes its text, in which `// function NAME` begins a function. The new code must be
as long as the old.

--realign puts a filler, MOV32 R0, R0, before each long instruction that would not be on a boundary, and corrects all branch
targets; it reports what has moved, and where --entry is now. A target that is not an instruction's start is an error.";

/// A byte address, decimal or hexadecimal.
fn address(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected a byte address, such as 36 or 0x24".into())
}

/// Arguments of the subcommand.
#[derive(Args)]
pub struct AsmArguments {
    /// The .sass program, - for standard input; with --realign, a .hex or .vhd file
    program: PathBuf,
    /// File for the program, .hex, .cubin, .mif or .vhd [default: words on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Move the code of a .hex or .vhd file so that all long instructions lie on 8-byte boundaries
    #[arg(long, conflicts_with = "isa")]
    realign: bool,
    /// With --isa and -o FILE.cubin, the cubin whose code is replaced by this program's, function by function
    #[arg(long, value_name = "CUBIN", requires_all = ["isa", "output"])]
    template: Option<PathBuf>,
    /// With --realign, byte address of the launch's entry
    #[arg(long, value_name = "ADDRESS", requires = "realign", default_value = "0", value_parser = address)]
    entry: u32,
    /// With --realign and -o, print the changes as one JSON object
    #[arg(long, requires_all = ["realign", "output"])]
    json: bool,
    /// The program's compute capability, 1.0 to 1.3 [default: 1.0]
    #[arg(long, value_name = "VERSION", value_parser = capability(), conflicts_with_all = ["isa", "realign"])]
    capability: Option<Capability>,
    #[command(flatten)]
    isa: IsaChoice,
}

/// Writes the program.
pub fn run(arguments: &AsmArguments) -> Result<bool, Error> {
    if arguments.realign {
        return move_code(arguments);
    }
    check_template(arguments)?;
    if let Choice::Other(set) = arguments.isa.choice() {
        let source = &arguments.program;
        let program = assemble_code(set, source)?;
        match (&arguments.output, &arguments.template) {
            (None, _) => print(&hex_text_of(set, &joined(set, &program, source)?))?,
            (Some(path), Some(template)) => write_file(path, &cubin_of_code(set, &program, source, template)?)?,
            (Some(path), None) => write_file(path, &file_of_code(set, &joined(set, &program, source)?, path)?)?,
        }
        if let Some(warning) = &program.warning {
            note(format_args!("warning: {}: {warning}", source.display()));
        }
        return Ok(true);
    }
    let program = assemble_file(&arguments.program, arguments.capability.unwrap_or_default())?;
    match &arguments.output {
        None => print(&hex_text(&program.words))?,
        Some(path) => write_file(path, &program_file(&program, path)?)?,
    }
    Ok(true)
}

/// A template is only for cubins of the other instruction sets.
fn check_template(arguments: &AsmArguments) -> Result<(), Error> {
    let Some(output) = arguments.output.as_ref().filter(|_| arguments.template.is_some()) else {
        return Ok(());
    };
    let usage = |message: &str| Err(Error::Usage(message.into()));
    if matches!(arguments.isa.choice(), Choice::Sm10) {
        return usage("a cubin for sm_10 needs no --template; expected --isa with another set");
    }
    match output.extension().and_then(|extension| extension.to_str()) {
        Some("cubin") => Ok(()),
        _ => usage("--template gives a cubin; expected -o FILE.cubin"),
    }
}

fn move_code(arguments: &AsmArguments) -> Result<bool, Error> {
    let (words, changes) = realign_file(&arguments.program, arguments.entry)?;
    match &arguments.output {
        None => {
            print(&hex_text(&words))?;
            note(changes.to_string().trim_end());
        }
        Some(path) => {
            write_file(path, &words_file(&words, path)?)?;
            if arguments.json {
                print_json(&changes)?;
            } else {
                print(&changes.to_string())?;
            }
        }
    }
    Ok(true)
}
