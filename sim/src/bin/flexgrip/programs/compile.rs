//! `flexgrip compile`: OpenCL C to a program.

use crate::arguments::{capability, BuildArguments};
use crate::output::print;
use clap::{Args, ValueEnum};
use flexgrip_compiler::{Capability, Compiled};
use flexgrip_machine::sizes::{MAX_PARAMETERS, PARAMETER_BANK};
use flexgrip_sim::error::Error;
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::output::{note, write_file};
use flexgrip_sim::files::program::program_file;
use flexgrip_sim::opencl::source::{sass, Built};
use flexgrip_trace::extension::extension;
use std::path::PathBuf;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip compile saxpy.cl                         assembly text, on standard output
  flexgrip compile saxpy.cl -o saxpy.cubin          an ELF cubin, for sm_10 by default, with the kernel's name and requirements
  flexgrip compile scan.cl --kernel add -D N=64 -I include -o add.sass
  flexgrip compile saxpy.cl --explain               each line of the source with its instructions
  flexgrip compile saxpy.cl --emit ptx              clang's PTX
  flexgrip compile count.cl --capability 1.1 -o count.cubin   with atomic operations; a cubin for sm_11
  flexgrip compile saxpy.cl --options '-cl-mad-enable -cl-std=CL1.1'

A file or a text has one kernel. The extension selects the format: .cubin, .sass, .hex, .mif or .vhd; only the first two keep
the kernel's name, its requirements and the constants. Clang is found as clang-19 or by FLEXGRIP_CLANG.";

/// Stages of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// Clang's PTX, of the whole file
    Ptx,
    /// The compiler's control-flow graph
    Ir,
    /// Assembly text
    Sass,
}

/// Arguments of the subcommand.
#[derive(Args)]
pub struct CompileArguments {
    /// The source, such as a .cl file; - is standard input
    source: PathBuf,
    #[command(flatten)]
    build: BuildArguments,
    /// The device's compute capability, 1.0 to 1.3; the program gets the lowest one that supports all of its
    /// instructions [default: 1.0]
    #[arg(long, value_name = "VERSION", value_parser = capability())]
    capability: Option<Capability>,
    /// File for the program, .cubin, .sass, .hex, .mif or .vhd [default: assembly text on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print a stage of the compiler as text instead
    #[arg(long, value_enum, conflicts_with = "output")]
    emit: Option<Stage>,
    /// Print each line of the source with the instructions that come from it instead
    #[arg(long, conflicts_with_all = ["output", "emit"])]
    explain: bool,
}

/// Prints the settings that a launch needs in addition to the program.
fn warn_of_needs(kernel: &Compiled) {
    let name = kernel.program.kernels.first().map_or("", |kernel| kernel.name.as_str());
    let capability = kernel.program.capability;
    if capability > Capability::V1_0 {
        note(format_args!(
            "{name} needs compute capability {capability}: capability = \"{capability}\" in its launch file"
        ));
    }
    if kernel.local_bytes > 0 {
        let bytes = kernel.local_bytes;
        note(format_args!("{name} needs local_bytes = {bytes} in its launch file"));
    }
    let words = kernel.words();
    if words > MAX_PARAMETERS {
        note(format_args!(
            "{name} has {words} parameter words: the first {MAX_PARAMETERS} are params of its launch file, the others memory \
             of constant bank {PARAMETER_BANK}"
        ));
    }
    if !kernel.hidden.is_empty() {
        let words: Vec<String> = kernel.hidden.iter().map(ToString::to_string).collect();
        note(format_args!(
            "after its own parameters {name} reads {}; `flexgrip run` of the source passes them",
            words.join(", ")
        ));
    }
}

/// Compiles the kernel, and writes or prints the result.
pub fn run(arguments: &CompileArguments) -> Result<bool, Error> {
    let mut options = arguments.build.options()?;
    options.set_capability(arguments.capability.unwrap_or_default());
    let built = Built::new(&arguments.source, &options)?;
    // Not called before an error is printed, which would be hard to find among the warnings.
    let warn = || {
        if !built.ptx.log.is_empty() {
            note(built.ptx.log.trim_end());
        }
    };
    let name = arguments.build.kernel_name.as_deref();
    match arguments.emit {
        Some(Stage::Ptx) => {
            warn();
            return print(&built.ptx.text).map(|()| true);
        }
        Some(Stage::Ir) => return print(&built.representation(name)?).map(|()| true),
        Some(Stage::Sass) | None => {}
    }
    let kernel = built.kernel(name, false, false)?;
    warn();
    if arguments.explain {
        print(&built.explained(&kernel)?)?;
        return Ok(true);
    }
    warn_of_needs(&kernel);
    match &arguments.output {
        None => print(&sass(&kernel.program))?,
        Some(path) => match extension(path).as_str() {
            "sass" => write_file(path, sass(&kernel.program).as_bytes())?,
            "hex" | "cubin" | "mif" | "vhd" => write_file(path, &program_file(&kernel.program, path)?)?,
            _ => {
                let message = "unknown kind of output; expected a .cubin, .sass, .hex, .mif or .vhd file";
                return Err(FileError::whole(path, message).into());
            }
        },
    }
    Ok(true)
}
