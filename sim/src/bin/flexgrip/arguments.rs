//! Groups of arguments common to several subcommands: the kernel, the machine, the output.

use crate::shell::shell_word;
use clap::{Args, ValueEnum};
use flexgrip_compiler::clang::BuildOptions;
use flexgrip_export::size_arguments::{lanes, protect, sms};
use flexgrip_machine::sizes::{Lanes, Sms, GLOBAL_BYTES};
use flexgrip_machine::{Capability, Configuration, Protect};
use flexgrip_sim::engines::circuits::sizes::configuration;
use flexgrip_sim::engines::engine::{Coalescing, Engine, Options, MAX_CYCLES, MEMORY_LATENCY};
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::compiled::CompiledEngine;
use flexgrip_sim::engines::native::kernels::KernelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::verilog::iverilog::IverilogEngine;
use flexgrip_sim::engines::verilog::verilator::VerilatorEngine;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::dump::Dump;
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::instruction_sets::Choice;
use flexgrip_sim::job::Job;
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::waves::error::WavesError;
use flexgrip_sim::waves::file::WaveFile;
use std::path::{Path, PathBuf};

/// The instruction set of code.
#[derive(Args)]
pub struct IsaChoice {
    /// The instruction set, one of `flexgrip isa --list` [default: sm10]
    #[arg(long, value_name = "NAME", value_parser = Choice::named)]
    isa: Option<Choice>,
}

impl IsaChoice {
    /// The set that was chosen, or SM 1.0.
    pub fn choice(&self) -> Choice {
        self.isa.unwrap_or(Choice::Sm10)
    }
}

/// Build options of OpenCL C.
#[derive(Args)]
pub struct BuildArguments {
    /// The kernel [default: the only one]
    #[arg(long = "kernel", value_name = "NAME")]
    pub kernel_name: Option<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Also search this folder for #include files
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Clang's optimisation level, 1 or 2 [default: 2]
    #[arg(short = 'O', value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=2))]
    optimise: Option<u8>,
    /// Like OpenCL's -cl-fast-relaxed-math: use FMAD instead of separate products and sums
    #[arg(long)]
    fast_math: bool,
    /// OpenCL's build options, as passed to clBuildProgram
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    options: Option<String>,
}

impl BuildArguments {
    /// True if any of these options is given.
    pub fn is_given(&self) -> bool {
        let lists = self.define.len() + self.include.len();
        lists > 0 || self.fast_math || self.optimise.is_some() || self.options.is_some() || self.kernel_name.is_some()
    }

    /// The options in the form of clBuildProgram, for another implementation of OpenCL. `folder` is the folder of the
    /// source.
    pub fn text(&self, folder: Option<&Path>) -> Result<String, OpenClError> {
        let mut words = Vec::new();
        let mut word = |option: &str, value: &str| {
            if value.contains(char::is_whitespace) {
                let message =
                    format!("--compare: `{value}` contains a blank, which OpenCL's build options cannot contain");
                return Err(OpenClError::Usage(message));
            }
            words.push(format!("{option} {value}"));
            Ok(())
        };
        for definition in &self.define {
            word("-D", definition)?;
        }
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        for folder in self.include.iter().map(PathBuf::as_path).chain(folder) {
            word("-I", &folder.to_string_lossy())?;
        }
        if self.fast_math {
            words.push("-cl-fast-relaxed-math".into());
        }
        if self.optimise == Some(1) {
            words.push("-cl-opt-disable".into());
        }
        words.extend(self.options.clone());
        Ok(words.join(" "))
    }

    /// The options for the compiler.
    pub fn options(&self) -> Result<BuildOptions, OpenClError> {
        let mut options = BuildOptions::parse(self.options.as_deref().unwrap_or(""))?;
        self.define.iter().for_each(|definition| options.define(definition));
        self.include.iter().for_each(|folder| options.include(folder));
        if self.fast_math {
            options.relax();
        }
        if self.optimise == Some(1) {
            options.optimise_less();
        }
        Ok(options)
    }
}

/// The engine to run on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The golden model: no clock, fastest
    Model,
    /// The circuits, natively: cycle-accurate; as machine code if this processor supports it
    Rtl,
    /// Like rtl, but never as machine code
    Kernels,
    /// Like rtl, but only as machine code
    Compiled,
    /// The circuits' Verilog, compiled: cycle-accurate
    Verilator,
    /// The circuits' Verilog under Icarus Verilog: cycle-accurate, slow
    Iverilog,
}

impl EngineName {
    /// Returns the engine of this name.
    pub fn engine(self) -> Box<dyn Engine> {
        match self {
            EngineName::Model => Box::new(ModelEngine),
            EngineName::Rtl => Box::new(RtlEngine),
            EngineName::Kernels => Box::new(KernelEngine),
            EngineName::Compiled => Box::new(CompiledEngine),
            EngineName::Verilator => Box::new(VerilatorEngine::default()),
            EngineName::Iverilog => Box::new(IverilogEngine),
        }
    }

    /// The engine's first stage, shown until it reports one itself.
    pub fn begins_with(self) -> &'static str {
        match self {
            EngineName::Model => "running",
            EngineName::Rtl | EngineName::Compiled => "making machine code of the circuits",
            EngineName::Kernels => "building the circuits",
            EngineName::Verilator => "exporting the Verilog",
            EngineName::Iverilog => "compiling and running the Verilog",
        }
    }
}

/// The engines that can be compared with the model.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClockedEngineName {
    /// The circuits, natively
    Rtl,
    /// Like rtl, but never as machine code
    Kernels,
    /// Like rtl, but only as machine code
    Compiled,
    /// The circuits' Verilog, compiled
    Verilator,
}

impl From<ClockedEngineName> for EngineName {
    fn from(name: ClockedEngineName) -> Self {
        match name {
            ClockedEngineName::Rtl => EngineName::Rtl,
            ClockedEngineName::Kernels => EngineName::Kernels,
            ClockedEngineName::Compiled => EngineName::Compiled,
            ClockedEngineName::Verilator => EngineName::Verilator,
        }
    }
}

/// The rules of [`Coalescing`].
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CoalescingName {
    /// One request for each segment of the memory port's width that a beat's threads touch
    Segment,
    /// Compute capability 1.0: one request for a half-warp whose threads access a segment in order, otherwise one per thread
    G80,
}

impl From<CoalescingName> for Coalescing {
    fn from(name: CoalescingName) -> Self {
        match name {
            CoalescingName::Segment => Coalescing::Segment,
            CoalescingName::G80 => Coalescing::G80,
        }
    }
}

/// The kernel.
#[derive(Args)]
pub struct KernelArguments {
    /// Folder with a launch.toml, a launch file, or the name of a folder in kernels/; for run, lockstep and debug also OpenCL
    /// C: a .cl or .ocl file, - for standard input, or any other file if --global is given
    pub kernel: PathBuf,
    /// Allow long instructions at any multiple of 4, as FlexGripPlus does, not only on 8-byte boundaries
    #[arg(long)]
    pub unaligned_code: bool,
}

pub use flexgrip_export::size_arguments::capability;

impl KernelArguments {
    /// Loads the kernel. If a file is missing, the error shows its full path, which depends on the current folder.
    pub fn load(&self) -> Result<Kernel, FileError> {
        self.load_from(&self.kernel, Capability::V1_0)
    }

    /// Loads another kernel in the same way. Its assembly text may have the instructions of a capability.
    pub fn load_from(&self, path: &Path, capability: Capability) -> Result<Kernel, FileError> {
        let mut kernel = Kernel::load_at(path, capability).map_err(|mut error| {
            if error.path.is_relative() && !error.path.exists() {
                if let Ok(place) = std::path::absolute(&error.path) {
                    error.message += &format!(", looked for at {}", place.display());
                }
            }
            error
        })?;
        kernel.launch.unaligned_code |= self.unaligned_code;
        Ok(kernel)
    }
}

/// The kernel, the machine, and the output during the run.
#[derive(Args)]
pub struct MachineArguments {
    #[command(flatten)]
    pub kernel: KernelArguments,
    /// Compute capability of the machine, 1.0 to 1.3 [default: the program's; OpenCL C may have all instructions]
    #[arg(long, value_name = "VERSION", value_parser = capability())]
    pub capability: Option<Capability>,
    /// Scalar processors per streaming multiprocessor
    #[arg(long, default_value_t, value_parser = lanes())]
    pub lanes: Lanes,
    /// Streaming multiprocessors
    #[arg(long, default_value_t, value_parser = sms())]
    pub sms: Sms,
    /// Protection of the circuits from flipped bits
    #[arg(long, value_name = "CODE", default_value_t, value_parser = protect())]
    pub protect: Protect,
    /// Write waves, .vcd or .fst; run also writes save files for GTKWave (.gtkw) next to them
    #[arg(long, value_name = "FILE")]
    pub wave: Option<PathBuf>,
    /// First cycle of the waves, numbered as in the trace
    #[arg(long, value_name = "CYCLE", default_value_t = 0, requires = "wave")]
    pub wave_from: u64,
    /// Last cycle of the waves [default: the end]
    #[arg(long, value_name = "CYCLE", requires = "wave")]
    pub wave_to: Option<u64>,
    /// Blocks or signals to show in the waves, such as top.sm[0].fetch, with everything in them [default: all]
    #[arg(long, value_name = "PATH", value_delimiter = ',', requires = "wave")]
    pub wave_scope: Vec<String>,
    /// Write one line per executed warp instruction; - is standard output
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Stop the run after this many cycles (model: warp instructions)
    #[arg(long, value_name = "N", default_value_t = MAX_CYCLES)]
    pub max_cycles: u64,
    /// Latency of global memory in cycles, from a read request to its response
    #[arg(long, value_name = "N", default_value_t = MEMORY_LATENCY, value_parser = clap::value_parser!(u32).range(1..))]
    pub memory_latency: u32,
    /// How to coalesce global accesses: by segments, or by the strict rule of the G80's half-warps
    #[arg(long, value_enum, default_value_t = CoalescingName::Segment)]
    pub coalescing: CoalescingName,
    /// Size of global memory in bytes, a multiple of 64 [default: 1048576; for OpenCL C as large as the buffers need]
    #[arg(long, value_name = "BYTES")]
    pub global_size: Option<u32>,
    /// Folder that keeps compiled Verilog
    #[arg(long, value_name = "FOLDER", default_value = "build")]
    pub build_dir: PathBuf,
}

impl MachineArguments {
    /// True if the trace is written to standard output.
    pub fn trace_is_printed(&self) -> bool {
        self.trace.as_deref() == Some(Path::new("-"))
    }

    /// The kernel and the machine as arguments, for a suggested command.
    pub fn again(&self) -> String {
        let mut words = shell_word(self.kernel.kernel.as_os_str());
        if self.lanes != Lanes::default() {
            words += &format!(" --lanes {}", self.lanes);
        }
        if self.sms != Sms::default() {
            words += &format!(" --sms {}", self.sms);
        }
        if let Some(bytes) = self.global_size {
            words += &format!(" --global-size {bytes}");
        }
        if self.kernel.unaligned_code {
            words += " --unaligned-code";
        }
        if let Some(capability) = self.capability {
            words += &format!(" --capability {capability}");
        }
        if self.protect != Protect::None {
            words += &format!(" --protect {}", self.protect);
        }
        words
    }

    /// The waves to write to `path`.
    fn waves(&self, path: &Path) -> Result<WaveFile, WavesError> {
        let wave = WaveFile {
            scopes: self.wave_scope.clone(),
            from: self.wave_from,
            to: self.wave_to.unwrap_or(u64::MAX),
            ..WaveFile::new(path)?
        };
        wave.check()?;
        Ok(wave)
    }

    /// Loads a kernel as a job on this machine.
    pub fn load_from(&self, path: &Path) -> Result<Job, Error> {
        let mut kernel = self.kernel.load_from(path, self.capability.unwrap_or_default())?;
        let mut options = self.options(self.global_size.unwrap_or(GLOBAL_BYTES))?;
        if self.capability.is_none() {
            options.configuration.capability = kernel.launch.capability;
        }
        kernel.check(&options.configuration)?;
        kernel.launch.capability = options.configuration.capability;
        Ok(Job::of_launch(kernel, options))
    }

    /// The options to run a kernel with this much global memory.
    pub fn options(&self, global_bytes: u32) -> Result<Options, WavesError> {
        Ok(Options {
            configuration: Configuration {
                capability: self.capability.unwrap_or_default(),
                sms: self.sms.count(),
                ..configuration(self.lanes, global_bytes)
            },
            max_cycles: self.max_cycles,
            memory_latency: self.memory_latency,
            coalescing: self.coalescing.into(),
            protect: self.protect,
            wave: self.wave.as_deref().map(|path| self.waves(path)).transpose()?,
            build: self.build_dir.clone(),
            ..Options::default()
        })
    }
}

/// Options for the output of a run.
#[derive(Args)]
pub struct OutcomeArguments {
    /// Write bytes of global memory to a file once the kernel has ended; may be repeated
    #[arg(long, value_name = "FILE@ADDRESS+BYTES")]
    pub dump: Vec<Dump>,
    /// Print the outcome as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Print each SM's counters: where its cycles went, memory transactions, divergence, barriers
    #[arg(long)]
    pub stats: bool,
}

/// Seconds, more than 0 and at most a day.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("expected a number of seconds, above 0 and at most 86400".into()),
    }
}
