//! `flexgrip run` of OpenCL C: prints, writes and compares the resulting buffers.

use crate::kernels::source::SourceArguments;
use crate::output::print;
use clap::{Args, ValueEnum};
use flexgrip_opencl_host::Cpu;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::output::write_file;
use flexgrip_sim::opencl::argument::{Bound, Buffer, Placed};
use flexgrip_sim::opencl::compare::{compare, Comparison, Run, Tolerance, TOLERANCE};
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::opencl::npy;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Number of elements printed of each changed buffer without `--result`.
const SHOWN: usize = 16;

/// A result requested by `--result`.
#[derive(Clone)]
pub struct Wanted {
    argument: usize,
    file: Option<PathBuf>,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (argument, file) = match text.split_once('=') {
            Some((argument, file)) => (argument, Some(file.into())),
            None => (text, None),
        };
        let argument = argument
            .parse()
            .map_err(|_| "expected an argument's index, from 0, such as 2 or 2=out.npy".to_string())?;
        Ok(Wanted { argument, file })
    }
}

/// The implementation to compare buffers with.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Other {
    /// This computer's processor, through its OpenCL driver, such as PoCL
    Cpu,
}

/// Options for the buffers of a kernel in OpenCL C.
#[derive(Args)]
#[command(next_help_heading = "OpenCL C, with a source as kernel")]
pub struct ResultArguments {
    /// Print the buffer of argument N at the end, or write it to a .npy, .csv or .txt file [default: print the
    /// beginning of each buffer that has changed]
    #[arg(long = "result", value_name = "N[=FILE]")]
    results: Vec<Wanted>,
    /// Also run the kernel on another implementation, and compare all buffers
    #[arg(long, value_enum, value_name = "WITH")]
    compare: Option<Other>,
    /// With --compare, the accepted difference of floats in units in the last place
    #[arg(long, value_name = "ULP", default_value_t = TOLERANCE, requires = "compare")]
    tolerance: u64,
    /// With --compare, also accept floats within ATOL + RTOL * |reference|, like numpy.isclose
    #[arg(long, value_name = "RTOL", default_value_t = 0.0, requires = "compare", value_parser = distance)]
    rtol: f64,
    /// With --compare, the absolute tolerance of floats, see --rtol
    #[arg(long, value_name = "ATOL", default_value_t = 0.0, requires = "compare", value_parser = distance)]
    atol: f64,
}

/// Parses an accepted difference.
fn distance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(distance) if (0.0..f64::INFINITY).contains(&distance) => Ok(distance),
        _ => Err("expected a number from 0, such as 1e-5".into()),
    }
}

impl ResultArguments {
    /// These options, each with true if it is given.
    pub fn given(&self) -> [(&'static str, bool); 2] {
        [
            ("--result", !self.results.is_empty()),
            ("--compare", self.compare.is_some()),
        ]
    }

    /// The processor of `--compare`, and OpenCL's build options. Called before a run, so a missing driver is reported
    /// at once.
    pub fn other(&self, path: &Path, source: &SourceArguments) -> Result<Option<(Cpu, String)>, Error> {
        match self.compare {
            Some(Other::Cpu) => {
                let cpu = Cpu::find().map_err(OpenClError::from)?;
                Ok(Some((cpu, source.build.text(path.parent())?)))
            }
            None => Ok(None),
        }
    }

    /// Refuses arguments that are not buffers, and files that cannot be written.
    pub fn check(&self, placed: &Placed) -> Result<(), Error> {
        for wanted in &self.results {
            let buffer = placed.buffers.iter().find(|buffer| buffer.argument == wanted.argument);
            let Some(buffer) = buffer else {
                let message = format!("--result {0}: argument {0} is not a buffer", wanted.argument);
                return Err(OpenClError::Usage(message).into());
            };
            if let Some(path) = &wanted.file {
                npy::file(path, buffer.element, &[])?;
            }
        }
        Ok(())
    }

    /// Runs the kernel on another implementation, with these build options, and compares its buffers with global
    /// memory.
    pub fn compare(
        &self,
        (cpu, options): &(Cpu, String),
        (path, source): (&Path, &SourceArguments),
        bound: &Bound,
        memory: &[u32],
    ) -> Result<Comparison, Error> {
        let run = Run {
            path,
            options,
            given: &source.arguments,
            bound,
        };
        let tolerance = Tolerance {
            ulp: self.tolerance,
            rtol: self.rtol,
            atol: self.atol,
        };
        Ok(compare(cpu, &run, memory, &tolerance)?)
    }

    /// The requested files; `None` for a result to be printed.
    pub fn files(&self) -> impl Iterator<Item = Option<&Path>> {
        self.results.iter().map(|wanted| wanted.file.as_deref())
    }

    /// Writes the results of one run of a batch; `file` gives the path for this run.
    pub fn write(&self, placed: &Placed, memory: &[u32], file: impl Fn(&Path) -> PathBuf) -> Result<(), Error> {
        for wanted in &self.results {
            let buffer = placed.buffers.iter().find(|buffer| buffer.argument == wanted.argument);
            if let (Some(buffer), Some(path)) = (buffer, &wanted.file) {
                let path = file(path);
                write_file(&path, &npy::file(&path, buffer.element, &buffer.read(memory))?)?;
            }
        }
        Ok(())
    }

    /// Prints and writes results.
    pub fn show(&self, placed: &Placed, memory: &[u32], quiet: bool) -> Result<(), Error> {
        for wanted in &self.results {
            let buffer = placed.buffers.iter().find(|buffer| buffer.argument == wanted.argument);
            let Some(buffer) = buffer else { continue };
            match &wanted.file {
                Some(path) => write_file(path, &npy::file(path, buffer.element, &buffer.read(memory))?)?,
                None => print(&listed(buffer, &buffer.read(memory), usize::MAX))?,
            }
        }
        if self.results.is_empty() && !quiet {
            for buffer in &placed.buffers {
                let bytes = buffer.read(memory);
                if placed.memory[buffer.address..buffer.address + buffer.bytes] != bytes {
                    print(&listed(buffer, &bytes, SHOWN))?;
                }
            }
        }
        Ok(())
    }
}

/// A buffer as text.
fn listed(buffer: &Buffer, bytes: &[u8], most: usize) -> String {
    let element = buffer.element;
    let count = bytes.len() / element.bytes();
    let mut text = format!("argument {}, {count} of {element}:", buffer.argument);
    for value in bytes.chunks_exact(element.bytes()).take(most) {
        text += " ";
        text += &npy::text(element, value, ",");
    }
    if count > most {
        text += " ...";
    }
    text + "\n"
}
