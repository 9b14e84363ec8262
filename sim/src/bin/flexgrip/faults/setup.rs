//! The kernel of a campaign and its machine: as arguments, and as options in a plan.

use crate::arguments::{CoalescingName, KernelArguments};
use clap::{Args, Parser, ValueEnum};
use flexgrip_export::size_arguments::{lanes, sms};
use flexgrip_faults::{Engine, Plan, Sites};
use flexgrip_machine::sizes::{Lanes, Sms, GLOBAL_BYTES};
use flexgrip_machine::Configuration;
use flexgrip_sim::engines::engine::{Options, MEMORY_LATENCY};
use flexgrip_sim::engines::native::snapshot::verilog;
use flexgrip_sim::engines::sizes::configuration;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::bench::Setup;
use flexgrip_sim::faults::gates::pins::GateFaults;
use flexgrip_sim::faults::gates::FOLDER;
use flexgrip_sim::faults::inject::sites_of;
use flexgrip_sim::faults::instruction::sites_of_launch;
use flexgrip_sim::files::expectation::Comparison;
use flexgrip_sim::Kernel;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The circuits' sizes.
#[derive(Args)]
pub struct Sizes {
    /// Scalar processors per streaming multiprocessor
    #[arg(long, default_value_t, value_parser = lanes())]
    pub lanes: Lanes,
    /// Streaming multiprocessors
    #[arg(long, default_value_t, value_parser = sms())]
    pub sms: Sms,
}

/// The machine.
#[derive(Args)]
#[command(next_help_heading = "Machine")]
pub struct MachineOfCampaign {
    #[command(flatten)]
    pub sizes: Sizes,
    /// Cycles from a read request to its answer in global memory
    #[arg(long, value_name = "N", default_value_t = MEMORY_LATENCY, value_parser = clap::value_parser!(u32).range(1..))]
    memory_latency: u32,
    /// How to coalesce global accesses: by segments, or by the strict rule of the G80's half-warps
    #[arg(long, value_enum, default_value_t = CoalescingName::Segment)]
    coalescing: CoalescingName,
    /// Size of global memory, a multiple of 64
    #[arg(long, value_name = "BYTES", default_value_t = GLOBAL_BYTES)]
    global_size: u32,
    /// Simulate this block as the gates that yosys makes of it, such as sm[0].fetch or sm[0].scheduler.decode: its pins are
    /// sites, too, that can be stuck
    #[arg(long, value_name = "BLOCK")]
    gates: Option<String>,
    /// A run of more than so many times the golden run's cycles, and 1,000 more, is a hang
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = factor)]
    pub hang: f64,
    /// Floats of the output that are at most so many units in the last place from the golden run's are right
    #[arg(long, value_name = "ULPS", default_value_t = 0)]
    tolerance: u32,
}

fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| (1.0..=1000.0).contains(factor));
    factor.ok_or_else(|| "expected a number from 1 to 1000".into())
}

/// A kernel, ready to run.
pub struct Ready {
    kernel: Kernel,
    options: Options,
    factor: f64,
    floats: BTreeMap<u32, u32>,
    gates: Option<Arc<GateFaults>>,
}

/// The options of a plan, as if they were given on the command line.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Planned {
    #[command(flatten)]
    kernel: KernelArguments,
    #[command(flatten)]
    machine: MachineOfCampaign,
}

impl MachineOfCampaign {
    /// The options, for a plan.
    pub fn planned(&self, kernel: &KernelArguments) -> BTreeMap<String, String> {
        let coalescing = self.coalescing.to_possible_value();
        let mut options = BTreeMap::from([
            ("lanes".to_string(), self.sizes.lanes.to_string()),
            ("sms".into(), self.sizes.sms.to_string()),
            ("memory-latency".into(), self.memory_latency.to_string()),
            (
                "coalescing".into(),
                coalescing.map_or_else(String::new, |name| name.get_name().into()),
            ),
            ("global-size".into(), self.global_size.to_string()),
            ("hang".into(), self.hang.to_string()),
        ]);
        if let Some(gates) = &self.gates {
            options.insert("gates".into(), gates.clone());
        }
        // Left out of plans without it, whose identity stays the same.
        if self.tolerance > 0 {
            options.insert("tolerance".into(), self.tolerance.to_string());
        }
        if kernel.unaligned_code {
            options.insert("unaligned-code".into(), "true".into());
        }
        options
    }

    /// Whether nothing is given, or only what holds without.
    pub fn is_default(&self) -> bool {
        let default = Planned::try_parse_from(["kernel"]);
        default.is_ok_and(|default| default.machine.planned(&default.kernel) == self.planned(&default.kernel))
    }

    /// The block that is gates, if there is one.
    pub fn gates(&self) -> Result<Option<Arc<GateFaults>>, Error> {
        let Sizes { lanes, sms } = self.sizes;
        let of = |path: &String| GateFaults::of(lanes, sms, path, Path::new(FOLDER));
        Ok(self.gates.as_ref().map(of).transpose()?)
    }

    /// Loads a kernel for the machine.
    pub fn load(&self, kernel: &KernelArguments) -> Result<Ready, Error> {
        let kernel = kernel.load()?;
        let gates = self.gates()?;
        let options = Options {
            configuration: Configuration {
                sms: self.sizes.sms.count(),
                ..configuration(self.sizes.lanes, self.global_size)
            },
            memory_latency: self.memory_latency,
            coalescing: self.coalescing.into(),
            gates: gates.as_ref().map(|gates| gates.level()),
            ..Options::default()
        };
        kernel.check(&options.configuration)?;
        let floats = kernel
            .expectations
            .iter()
            .filter(|expected| expected.comparison != Comparison::Exact);
        let floats = floats.flat_map(|expected| expected.words.iter().map(|word| (word.address / 4, self.tolerance)));
        Ok(Ready {
            floats: floats.collect(),
            kernel,
            options,
            factor: self.hang,
            gates,
        })
    }
}

impl Ready {
    /// The kernel of a plan.
    pub fn of_plan(plan: &Plan) -> Result<Self, Error> {
        let planned = Planned::of(plan)?;
        planned.machine.load(&planned.kernel)
    }

    /// The kernel with its machine.
    pub fn setup(&self) -> Setup<'_> {
        Setup {
            launch: &self.kernel.launch,
            options: &self.options,
            factor: self.factor,
            floats: &self.floats,
            gates: self.gates.as_deref(),
        }
    }

    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.kernel.launch.name
    }

    /// The kernel's instructions, and the multiprocessors.
    pub fn instruction_sites(&self) -> Result<Sites, Error> {
        Ok(sites_of_launch(&self.kernel.launch, self.options.configuration.sms)?)
    }

    /// The hash of the circuits.
    pub fn circuits(&self) -> Result<String, Error> {
        let verilog = verilog(&self.options.configuration)?;
        Ok(match &self.gates {
            None => verilog,
            Some(gates) => gates.hash(&verilog),
        })
    }
}

/// The sites of a plan's machine; for the circuits without its kernel.
pub fn sites_of_plan(plan: &Plan) -> Result<Sites, Error> {
    let planned = Planned::of(plan)?;
    if plan.engine == Engine::GoldenModel {
        return planned.machine.load(&planned.kernel)?.instruction_sites();
    }
    let Sizes { lanes, sms } = planned.machine.sizes;
    Ok(sites_of(lanes, sms, planned.machine.gates()?.as_deref())?)
}

impl Planned {
    fn of(plan: &Plan) -> Result<Self, Error> {
        let options = plan
            .options
            .iter()
            .map(|(name, value)| match (name.as_str(), value.as_str()) {
                ("unaligned-code", "true") => format!("--{name}"),
                _ => format!("--{name}={value}"),
            });
        let arguments = options.chain(["--".into(), plan.kernel.clone()]);
        Planned::try_parse_from(arguments).map_err(|error| {
            let text = error.to_string();
            let reason = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Error::Usage(format!("the plan's kernel and options: {reason}"))
        })
    }
}
