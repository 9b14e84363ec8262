//! `flexgrip run` of a file of OpenCL C: its arguments, sizes and results.

use crate::arguments::{BuildArguments, MachineArguments};
use crate::output::print;
use clap::{Args, ValueEnum};
use flexgrip_compiler::launch::{words, IndexSpace};
use flexgrip_compiler::placement::Placement;
use flexgrip_machine::{ImageSpace, MemoryImage};
use flexgrip_opencl_host::Cpu;
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::files::output::{note, write_file};
use flexgrip_sim::files::program::is_opencl_file;
use flexgrip_sim::opencl::argument::{place, Buffer, Given, Placed};
use flexgrip_sim::opencl::compare::{compare, Comparison, Run, Tolerance, TOLERANCE};
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::opencl::npy;
use flexgrip_sim::opencl::source::Built;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Elements of a buffer that are printed unless all are asked for.
const SHOWN: usize = 16;

/// A result that is wanted.
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
            .map_err(|_| "expected an argument's index, from 0, as in 2 or 2=out.npy".to_string())?;
        Ok(Wanted { argument, file })
    }
}

/// What the buffers are compared with.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Other {
    /// This computer's processor, by its OpenCL driver, such as PoCL
    Cpu,
}

/// What a file of OpenCL C needs besides.
#[derive(Args)]
#[command(next_help_heading = "OpenCL C, with a source as kernel")]
pub struct SourceArguments {
    #[command(flatten)]
    build: BuildArguments,
    /// Work-items in each dimension
    #[arg(long, value_name = "X[,Y[,Z]]", value_delimiter = ',', num_args = 1)]
    global: Vec<u32>,
    /// Work-items of a work-group in each dimension, at most 512 in all [default: what the source requires, or 1]
    #[arg(long, value_name = "X[,Y[,Z]]", value_delimiter = ',', num_args = 1)]
    local: Vec<u32>,
    /// First global index in each dimension [default: 0]
    #[arg(long, value_name = "X[,Y[,Z]]", value_delimiter = ',', num_args = 1)]
    offset: Vec<u32>,
    /// The next argument: buffer:TYPE:COUNT=random, =range, =zero or =FILE.npy; TYPE:VALUE; local:BYTES
    #[arg(long = "arg", value_name = "ARGUMENT")]
    arguments: Vec<Given>,
    /// Print the buffer of argument N at the end, or write it to a .npy, .csv or .txt file [default: print the beginning of
    /// those that have changed]
    #[arg(long = "result", value_name = "N[=FILE]")]
    results: Vec<Wanted>,
    /// Run the kernel there, too, and compare all buffers
    #[arg(long, value_enum, value_name = "WITH")]
    compare: Option<Other>,
    /// Units in the last place that floats may be apart with --compare
    #[arg(long, value_name = "ULP", default_value_t = TOLERANCE, requires = "compare")]
    tolerance: u64,
    /// With --compare, floats within ATOL + RTOL * |there| are right, too, as numpy.isclose has it
    #[arg(long, value_name = "RTOL", default_value_t = 0.0, requires = "compare", value_parser = distance)]
    rtol: f64,
    /// The absolute part of that
    #[arg(long, value_name = "ATOL", default_value_t = 0.0, requires = "compare", value_parser = distance)]
    atol: f64,
}

/// A difference that is accepted.
fn distance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(distance) if (0.0..f64::INFINITY).contains(&distance) => Ok(distance),
        _ => Err("expected a number from 0, such as 1e-5".into()),
    }
}

/// A kernel with its arguments, ready to run.
pub struct Prepared {
    /// One launch after the other: each continues with the memory of the one before.
    pub launches: Vec<Kernel>,
    /// How to run them.
    pub options: Options,
    placed: Placed,
    space: IndexSpace,
    /// The kernel's name.
    name: String,
    /// The processor to compare with, and OpenCL's build options.
    other: Option<(Cpu, String)>,
}

impl Prepared {
    /// Where buffers lie, and the guards between them.
    pub fn placement(&self) -> &Placement {
        &self.placed.placement
    }
}

impl SourceArguments {
    /// True if any of these options is given.
    fn is_given(&self) -> bool {
        let lists =
            self.global.len() + self.local.len() + self.offset.len() + self.arguments.len() + self.results.len();
        lists > 0 || self.compare.is_some() || self.build.is_given()
    }

    /// True if the kernel is OpenCL C. If not, these options are refused.
    pub fn is_source(&self, path: &Path) -> Result<bool, Error> {
        let is_given = self.is_given();
        if is_opencl_file(path, is_given) {
            return Ok(true);
        }
        if is_given && path.exists() {
            let message = format!(
                "{}: --kernel, --global, --local, --offset, --arg, --result, --compare and build options are for OpenCL C: a .cl \
                 or .ocl file, - for standard input, or a file with another extension than .toml, .sass, .hex, .cubin and .vhd",
                path.display()
            );
            return Err(OpenClError::Usage(message).into());
        }
        Ok(false)
    }

    /// Compiles the kernel and places its arguments.
    pub fn prepare(&self, path: &Path, machine: &MachineArguments) -> Result<Prepared, Error> {
        let usage = |message: &str| Error::from(OpenClError::Usage(message.into()));
        let dimensions = self.global.len();
        if !(1..=3).contains(&dimensions) {
            return Err(usage("OpenCL C needs --global with one to three sizes"));
        }
        let padded = |list: &[u32], missing: u32, name: &str| match list.len() {
            0 => Ok([missing; 3]),
            count if count == dimensions => Ok(std::array::from_fn(|at| list.get(at).copied().unwrap_or(missing))),
            count => Err(usage(&format!("--{name} has {count} sizes, --global {dimensions}"))),
        };
        let (offset, global) = (padded(&self.offset, 0, "offset")?, padded(&self.global, 1, "global")?);
        let local = padded(&self.local, 1, "local")?;
        // What is missing is said before a long run, not after it.
        let other = match self.compare {
            Some(Other::Cpu) => {
                let cpu = Cpu::find().map_err(OpenClError::from)?;
                Some((cpu, self.build.text(path.parent())?))
            }
            None => None,
        };
        let built = Built::new(path, &self.build.options()?)?;
        let name = self.build.kernel_name.as_deref();
        let required = built.required(name)?.filter(|_| self.local.is_empty());
        let space = IndexSpace {
            dimensions: dimensions as u32,
            offset,
            global,
            local: required.unwrap_or(local),
        };
        let large_grid = space.needs_large_grid();
        let mut compiled = built.kernel(name, large_grid, false)?;
        let mut placed = place(&self.arguments, &compiled.variables)?;
        if compiled.needs_whole_shared(&placed.arguments) {
            compiled = built.kernel(name, large_grid, true)?;
        }
        if !built.ptx.log.is_empty() {
            note(built.ptx.log.trim_end());
        }
        self.check_results(&placed)?;
        let launches = compiled
            .launches(&placed.arguments, &space, placed.variables)
            .map_err(OpenClError::from)?;
        let needed = placed.memory.len() as u32;
        let global_bytes = machine.global_size.unwrap_or(needed);
        if global_bytes < needed {
            let message =
                format!("the buffers need {needed} bytes of global memory; --global-size {global_bytes} is too small");
            return Err(OpenClError::Usage(message).into());
        }
        placed.grow(global_bytes as usize);
        let words = words(&placed.memory);
        let lines = built.lines(&compiled)?;
        let launches = launches.into_iter().enumerate().map(|(index, mut launch)| {
            if index == 0 && !words.is_empty() {
                launch.memory.push(MemoryImage {
                    space: ImageSpace::Global,
                    address: 0,
                    words: words.clone(),
                });
            }
            let named = compiled.named(placed.placement.regions());
            launch.facts.regions.extend(named.map(|region| placed.written(region)));
            let mut kernel = Kernel::of_launch(path, launch);
            kernel.source.clone_from(&lines);
            kernel
        });
        Ok(Prepared {
            launches: launches.collect(),
            options: machine.options(global_bytes)?,
            placed,
            space,
            other,
            name: compiled
                .program
                .kernels
                .first()
                .map(|kernel| kernel.name.clone())
                .unwrap_or_default(),
        })
    }

    fn check_results(&self, placed: &Placed) -> Result<(), Error> {
        for wanted in &self.results {
            let buffer = placed.buffers.iter().find(|buffer| buffer.argument == wanted.argument);
            let Some(buffer) = buffer else {
                let message = format!("--result {0}: argument {0} is no buffer", wanted.argument);
                return Err(OpenClError::Usage(message).into());
            };
            if let Some(path) = &wanted.file {
                npy::file(path, buffer.element, &[])?;
            }
        }
        Ok(())
    }

    /// Runs the kernel on the processor, if that is asked for, and compares its buffers with those in global memory.
    pub fn compare(&self, path: &Path, prepared: &Prepared, memory: &[u32]) -> Result<Option<Comparison>, Error> {
        let Some((cpu, options)) = &prepared.other else {
            return Ok(None);
        };
        let run = Run {
            path,
            options,
            kernel: &prepared.name,
            given: &self.arguments,
            placed: &prepared.placed,
            space: &prepared.space,
        };
        let tolerance = Tolerance {
            ulp: self.tolerance,
            rtol: self.rtol,
            atol: self.atol,
        };
        compare(cpu, &run, memory, &tolerance).map(Some)
    }

    /// Prints and writes results.
    pub fn show(&self, prepared: &Prepared, memory: &[u32], quiet: bool) -> Result<(), Error> {
        let placed = &prepared.placed;
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
