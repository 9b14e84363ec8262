//! A kernel in OpenCL C on the command line: its build options, sizes and arguments.

use crate::arguments::{BuildArguments, MachineArguments};
use clap::Args;
use flexgrip_compiler::ir::{Parameter, ParameterKind};
use flexgrip_compiler::launch::{words, Argument, IndexSpace, Places};
use flexgrip_machine::{Capability, ImageSpace, MemoryImage};
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::files::output::note;
use flexgrip_sim::files::program::is_opencl_file;
use flexgrip_sim::job::Job;
use flexgrip_sim::opencl::argument::{place, Bound, Given};
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::opencl::source::Built;
use std::path::Path;

/// Options of a kernel in OpenCL C.
#[derive(Args)]
#[command(next_help_heading = "OpenCL C, with a source as kernel")]
pub struct SourceArguments {
    #[command(flatten)]
    pub build: BuildArguments,
    /// Work-items in each dimension
    #[arg(long, value_name = "X[,Y[,Z]]", value_delimiter = ',', num_args = 1)]
    global: Vec<u32>,
    /// Work-items of a work-group in each dimension, at most 512 in all [default: the size that the source requires, or
    /// 1]
    #[arg(long, value_name = "X[,Y[,Z]]", value_delimiter = ',', num_args = 1)]
    local: Vec<u32>,
    /// First global index in each dimension [default: 0]
    #[arg(long, value_name = "X[,Y[,Z]]", value_delimiter = ',', num_args = 1)]
    offset: Vec<u32>,
    /// The next argument: buffer:TYPE:COUNT=random, =range, =zero or =FILE.npy; TYPE:VALUE; local:BYTES
    #[arg(long = "arg", value_name = "ARGUMENT")]
    pub arguments: Vec<Given>,
}

impl SourceArguments {
    /// True if any of these options is given.
    pub fn is_given(&self) -> bool {
        let lists = self.global.len() + self.local.len() + self.offset.len() + self.arguments.len();
        lists > 0 || self.build.is_given()
    }

    /// True if the kernel is OpenCL C. For any other existing file, these options and `others` are errors.
    pub fn is_source(&self, path: &Path, others: &[(&str, bool)]) -> Result<bool, Error> {
        let is_given = self.is_given() || others.iter().any(|(_, given)| *given);
        if is_opencl_file(path, is_given) {
            return Ok(true);
        }
        if is_given && path.exists() {
            let others: String = others.iter().map(|(name, _)| format!("{name}, ")).collect();
            let message = format!(
                "{}: --kernel, --global, --local, --offset, --arg, {others}and build options are for OpenCL C: a .cl or .ocl file, - \
                 for standard input, or a file with an extension other than .toml, .sass, .hex, .cubin and .vhd",
                path.display()
            );
            return Err(OpenClError::Usage(message).into());
        }
        Ok(false)
    }

    /// Loads a kernel of any kind for a comparison or a debugger; with `check`, for a checker.
    pub fn load(&self, machine: &MachineArguments, check: bool) -> Result<Job, Error> {
        let path = &machine.kernel.kernel;
        match self.is_source(path, &[])? {
            true => self.prepare(path, machine, check),
            false => machine.load_from(path),
        }
    }

    /// Compiles the kernel and places its arguments; with `check`, for a checker.
    pub fn prepare(&self, path: &Path, machine: &MachineArguments, check: bool) -> Result<Job, Error> {
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
        let mut options = self.build.options()?;
        options.set_capability(machine.capability.unwrap_or(Capability::LATEST));
        if check {
            options.check();
        }
        let built = Built::new(path, &options)?;
        let name = self.build.kernel_name.as_deref();
        let required = built.required(name)?.filter(|_| self.local.is_empty());
        let space = IndexSpace {
            dimensions: dimensions as u32,
            offset,
            global,
            local: required.unwrap_or(local),
        };
        space.check_group().map_err(OpenClError::from)?;
        let large_grid = space.needs_large_grid();
        let mut compiled = built.kernel(name, large_grid, false)?;
        let is_image = |parameter: &Parameter| matches!(parameter.kind, ParameterKind::Image { .. });
        if let Some(index) = compiled.parameters.iter().position(is_image) {
            let message = format!(
                "argument {index} is an image, which the command line does not support; expected numbers, buffers and \
                 samplers; a host program with the OpenCL driver can create images"
            );
            return Err(OpenClError::Usage(message).into());
        }
        let mut placed = place(&self.arguments, &space, &compiled.variables)?;
        if compiled.needs_whole_shared(&placed.arguments) {
            compiled = built.kernel(name, large_grid, true)?;
        }
        if !built.ptx.log.is_empty() {
            note(built.ptx.log.trim_end());
        }
        let given = compiled.parameters.iter().zip(&placed.arguments).enumerate();
        let is_null = |(index, (parameter, argument)): (usize, (&Parameter, &Argument))| match argument {
            Argument::Value(bytes) if parameter.kind == ParameterKind::Global => {
                bytes.iter().all(|&byte| byte == 0).then_some(index)
            }
            _ => None,
        };
        given
            .filter_map(is_null)
            .for_each(|index| placed.placement.add_null(index));
        placed.add_printf(&compiled, &space)?;
        let places = Places {
            variables: placed.variables,
            printf: placed.printf,
        };
        let printing = compiled.printing(&space, placed.printf);
        let launches = compiled
            .launches(&placed.arguments, &space, places)
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
            kernel.printing.clone_from(&printing);
            kernel
        });
        let mut options = machine.options(global_bytes)?;
        options.configuration.capability = machine.capability.unwrap_or(compiled.program.capability);
        let kernel = compiled.program.kernels.first();
        let name = kernel.map(|kernel| kernel.name.clone()).unwrap_or_default();
        Ok(Job {
            launches: launches.collect(),
            options,
            bound: Some(Bound { name, space, placed }),
            trace: None,
            accesses: false,
            stage: None,
        })
    }
}
