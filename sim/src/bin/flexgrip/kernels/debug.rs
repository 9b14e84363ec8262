//! `flexgrip debug`: a kernel step by step, forwards and backwards.

use crate::arguments::MachineArguments;
use crate::kernels::screen::{self, Events};
use crate::kernels::source::SourceArguments;
use crate::output::print;
use clap::{Args, ValueEnum};
use flexgrip_isa::text_of_bytes;
use flexgrip_machine::Launch;
use flexgrip_sim::debug::code::Code;
use flexgrip_sim::debug::console::Console;
use flexgrip_sim::debug::open::{with_session, Machine};
use flexgrip_sim::debug::session::{DebugError, Session};
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::error::{read_text, FileError};
use flexgrip_sim::files::input::is_standard_input;
use flexgrip_sim::files::output::note;
use flexgrip_sim::job::Job;
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::outside::IoError;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip debug kernels/divergence                    on the golden model, a full screen; ? lists the keys
  flexgrip debug kernels/divergence --plain            by commands in text; help lists them
  flexgrip debug kernels/vectoradd --engine rtl        on the circuits, cycle by cycle
  flexgrip debug kernels/sort --engine verilator       on their Verilog, cycle by cycle, forwards only
  flexgrip debug kernels/sort --script sort.txt        the commands of a file
  echo 'break line 12\ncontinue\nregisters' | flexgrip debug kernels/sort
  flexgrip debug saxpy.cl --global 64 --local 64 --arg float:2 --arg buffer:float:64=range --arg buffer:float:64

Exit code 0: the session has ended; 1: an error, or a command that failed in a script; 2: wrong usage.";

/// The machines that can be debugged.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MachineName {
    /// The golden model: one instruction per step
    Model,
    /// The circuits, natively: one cycle per step, with every signal
    Rtl,
    /// The circuits' Verilog, compiled by Verilator: one cycle per step, forwards only, with the state that its trace
    /// reports
    Verilator,
}

/// Arguments of the subcommand.
#[derive(Args)]
pub struct DebugArguments {
    #[command(flatten)]
    machine: MachineArguments,
    /// The machine to debug on
    #[arg(long, value_enum, default_value_t = MachineName::Model)]
    engine: MachineName,
    #[command(flatten)]
    talk: Talk,
    #[command(flatten)]
    source: SourceArguments,
}

/// The source of a session's commands.
#[derive(Args)]
pub struct Talk {
    /// Execute debugger commands from a file, one per line, and end; - is standard input
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Read commands as text even on a terminal, instead of showing a full screen
    #[arg(long)]
    plain: bool,
}

impl DebugArguments {
    /// The machine to debug on.
    pub fn machine(&self) -> Machine {
        match self.engine {
            MachineName::Model => Machine::Model,
            MachineName::Rtl => Machine::Circuits,
            MachineName::Verilator => Machine::Verilog,
        }
    }
}

/// Loads the kernel with its lines.
pub fn load(arguments: &DebugArguments) -> Result<(Job, Code), Error> {
    let machine = &arguments.machine;
    if machine.wave.is_some() || machine.trace.is_some() {
        let message = "--wave and --trace are for run; a debugger shows signals and instructions itself";
        return Err(OpenClError::Usage(message.into()).into());
    }
    if is_standard_input(&machine.kernel.kernel) && arguments.talk.script.as_deref().is_none_or(is_standard_input) {
        let message = "the source is read from standard input, so commands cannot be; expected --script FILE";
        return Err(OpenClError::Usage(message.into()).into());
    }
    let job = arguments.source.load(machine, false)?;
    let code = Code::of_kernel(job.single()?)?;
    Ok((job, code))
}

/// Runs the session.
pub fn run(arguments: &DebugArguments) -> Result<bool, Error> {
    let (job, code) = load(arguments)?;
    let launch = &job.single()?.launch;
    hold(arguments.machine(), launch, code, &job.options, &arguments.talk, |_| {
        Ok(())
    })
}

/// Runs a session on a full screen or with commands as text. `prepare` is called with the session at its beginning.
pub fn hold(
    machine: Machine,
    launch: &Launch,
    code: Code,
    options: &Options,
    talk: &Talk,
    prepare: impl FnOnce(&mut Session) -> Result<(), DebugError> + Send,
) -> Result<bool, Error> {
    let script = match talk.script.as_deref() {
        Some(path) if path != Path::new("-") => Some((path.to_path_buf(), read_text(path, "script")?)),
        _ => None,
    };
    let is_script = talk.script.is_some() || !io::stdin().is_terminal();
    let mut is_plain = is_script || talk.plain;
    if let (false, Some(reason)) = (is_plain, screen::unfit()) {
        note(format_args!(
            "note: no full screen: {reason}; commands are read as text, as with --plain"
        ));
        is_plain = true;
    }
    let events = Events::default();
    let keys = events.clone();
    with_session(
        machine,
        launch,
        code,
        options,
        move || !is_plain && keys.interrupted(),
        |mut session| {
            prepare(&mut session).map_err(|error| Error::Usage(error.to_string()))?;
            if !is_plain {
                let console = screen::run(session, &events)?;
                print(&console.never_reached())?;
                return Ok(true);
            }
            let mut console = Console { session };
            print(&console.place())?;
            match script {
                Some((path, text)) => follow(&mut console, &path, text.lines().map(|line| Ok(line.to_string())), true)?,
                None => {
                    let lines = io::stdin().lock().split(b'\n').map(|line| {
                        let text = text_of_bytes(&line?).map(|text| text.trim_end_matches('\r').to_string());
                        text.map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))
                    });
                    follow(&mut console, Path::new("standard input"), lines, is_script)?;
                }
            }
            print(&console.never_reached())?;
            Ok(true)
        },
    )
}

/// Executes commands. A script prints each, and ends at the first that fails; an interactive session continues.
fn follow(
    console: &mut Console,
    path: &Path,
    lines: impl Iterator<Item = io::Result<String>>,
    is_script: bool,
) -> Result<(), Error> {
    for (number, line) in lines.enumerate() {
        let line = line.map_err(IoError::of(format!("cannot read {}", path.display())))?;
        if is_script && !line.trim().is_empty() {
            print(&format!("> {}\n", line.trim()))?;
        }
        match console.run(&line) {
            Ok(reply) => {
                print(&reply.text)?;
                if reply.quits {
                    break;
                }
            }
            Err(error) if is_script => {
                return Err(FileError::at(path, number + 1, 1, error.to_string()).into());
            }
            Err(error) => print(&format!("{error}\n"))?,
        }
    }
    Ok(())
}
