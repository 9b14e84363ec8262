//! `flexgrip faults grade`: a kernel as a self-test of a unit.

use super::setup::{folder_of, unit_path, Limit, MachineOfKernel, Ready};
use crate::arguments::KernelArguments;
use crate::output::{print, print_json};
use clap::{Args, ValueEnum};
use flexgrip_faults::gates::grade::{Grade, InstructionRow, Observe, Summary};
use flexgrip_faults::gates::results::{prime_faults, sample};
use flexgrip_sim::engines::engine::processors;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::grade::{grade, How};
use flexgrip_sim::faults::unit::pins::GateFaults;
use flexgrip_sim::files::output::note;
use hdlkit::output::grouped;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip faults grade vectoradd --unit decode             at the unit's outputs, in a second
  flexgrip faults grade sort --unit decode --all            and every instruction that detects a fault, not only the first
  flexgrip faults grade vectoradd --unit fetch --observe state      in the whole machine: registers, masks, stores
  flexgrip faults grade crc32 --unit decode --observe memory --memory 0x800+4    only a signature, one word
  flexgrip faults grade saxpy --unit scheduler --observe state --count 2000
  flexgrip faults grade sort --unit fetch --json | jq .summary.test_coverage.all

Separate lines assume a watchdog; only there, a fault that ends in a hang counts as detected.
docs/reliability.md, \"Self-test programs\", explains the figures.
Exit code 0: done; 1: an error; 2: wrong usage.";

/// The points at which differences are observed.
#[derive(Clone, Copy, ValueEnum)]
pub enum ObserveName {
    /// At the unit's outputs; the unit alone, with recorded inputs
    Outputs,
    /// In registers, condition codes, masks, addresses and stores of instructions; in the whole machine
    State,
    /// In global memory at the end; in the whole machine
    Memory,
}

/// The faults to simulate and the points to observe, for `grade` and `compact`.
#[derive(Args)]
pub struct Observation {
    /// The unit: decode, fetch, scheduler, or the path of any block of the circuits, such as sm[0].branch
    #[arg(long, value_name = "UNIT", value_parser = unit_path)]
    pub unit: String,
    /// Where a fault must cause a difference
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = ObserveName::Outputs)]
    observe: ObserveName,
    /// With --observe memory, only these bytes of global memory, such as a signature: 0x800+4
    #[arg(long, value_name = "ADDRESS+BYTES", value_parser = bytes)]
    memory: Option<Range<u32>>,
    /// Only faults of these pins, as for `faults list --gates`
    #[arg(long = "where", value_name = "PATTERN", default_value = "*")]
    pub pattern: String,
    /// Number of prime faults to draw at random; 0: all
    #[arg(long, value_name = "N", default_value_t = 0)]
    count: usize,
    /// Seed of the random sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub machine: MachineOfKernel,
    #[command(flatten)]
    limit: Limit,
}

fn bytes(text: &str) -> Result<Range<u32>, String> {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    let range = text.split_once('+').and_then(|(start, length)| {
        let (start, length) = (number(start)?, number(length)?);
        let end = start.checked_add(length).filter(|_| length > 0)?;
        Some(start..end)
    });
    range.ok_or_else(|| "expected an address and a number of bytes, such as 0x800+4".into())
}

/// A kernel, its unit, and the faults to simulate.
pub struct Chosen {
    pub ready: Ready,
    pub gates: Arc<GateFaults>,
    pub faults: Vec<usize>,
    /// The number of faults from which a sample was drawn; `None` if it is not a sample.
    pub population: Option<u64>,
    pub how: How,
}

impl Observation {
    /// Loads the kernel, the unit and its faults. With `drops`, a fault is dropped after its first difference.
    pub fn load(&self, kernel: &KernelArguments, drops: bool) -> Result<Chosen, Error> {
        let observe = match self.observe {
            ObserveName::Outputs => Observe::Outputs,
            ObserveName::State => Observe::State,
            ObserveName::Memory => Observe::Memory,
        };
        if self.memory.is_some() && observe != Observe::Memory {
            return Err(Error::Usage("--memory: expected --observe memory with it".into()));
        }
        if !drops && observe != Observe::Outputs {
            let message =
                "--all: in the whole machine only the first difference is recorded; expected --observe outputs";
            return Err(Error::Usage(message.into()));
        }
        let global = self.machine.global_size();
        if let Some(memory) = self.memory.as_ref().filter(|memory| memory.end > global) {
            let message = format!(
                "--memory: the bytes up to {:#x} are outside the global memory of {global} bytes",
                memory.end
            );
            return Err(Error::Usage(message));
        }
        let gates = self.machine.gates(&self.unit)?;
        let ready = self.machine.load(kernel, Some(gates.clone()), self.limit.hang)?;
        let chosen = gates.list().matching(gates.unit(), &self.pattern)?;
        let mut faults = prime_faults(gates.list(), &chosen);
        let population = (self.count > 0).then_some(faults.len() as u64);
        if self.count > 0 {
            faults = sample(&faults, self.seed, self.count, &self.pattern)?;
        }
        Ok(Chosen {
            ready,
            gates,
            faults,
            population,
            how: How {
                observe,
                memory: self.memory.clone(),
                drops,
                jobs: self.jobs.unwrap_or_else(processors),
            },
        })
    }
}

/// Arguments of the subcommand.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct GradeArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    #[command(flatten)]
    observation: Observation,
    /// Do not drop a fault after its first difference: count all instructions that detect it
    #[arg(long)]
    all: bool,
    /// Folder for the results [default: build/faults/KERNEL-UNIT-grade]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Print coverage and instructions as one JSON object
    #[arg(long)]
    json: bool,
}

/// The result as printed by `--json`.
#[derive(Serialize)]
struct Json {
    summary: Summary,
    instructions: Vec<InstructionRow>,
    folder: PathBuf,
}

/// Grades a kernel.
pub fn run(arguments: &GradeArguments) -> Result<bool, Error> {
    let observation = &arguments.observation;
    let chosen = observation.load(&arguments.kernel, !arguments.all)?;
    let clock = Instant::now();
    let graded = grade(&chosen.ready.setup(), &chosen.faults, &chosen.how)?;
    let seconds = clock.elapsed().as_secs_f64();
    note(format!(
        "{} faults in {seconds:.2} s, with the run of the kernel",
        grouped(chosen.faults.len() as u64)
    ));
    let folder = arguments.output.clone().unwrap_or_else(|| {
        let name = format!("{}-{}-grade", chosen.ready.name(), folder_of(&observation.unit));
        Path::new("build/faults").join(name)
    });
    let name = chosen.ready.name();
    let summary = Summary::new(name, &observation.unit, &graded, chosen.population);
    graded.write(&folder, &about(name, &observation.unit))?;
    show(arguments.json, summary, &graded, folder)?;
    Ok(true)
}

/// The title of the picture.
pub fn about(kernel: &str, unit: &str) -> String {
    format!("Coverage of the stuck-at faults of {unit} by {kernel}, by the cycle of the first difference")
}

fn show(is_json: bool, summary: Summary, graded: &Grade, folder: PathBuf) -> Result<(), Error> {
    if is_json {
        return print_json(&Json {
            summary,
            instructions: graded.instructions(),
            folder,
        });
    }
    print(&format!("{summary}\n{}", graded.table()))?;
    print(&format!("\nresults are in {}\n", folder.display()))
}
