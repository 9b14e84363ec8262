//! The kernel of a campaign and its machine: as arguments, and as options in a plan.

use crate::arguments::{CoalescingName, KernelArguments};
use clap::{Args, Parser, ValueEnum};
use flexgrip_export::size_arguments::{lanes, protect, sms};
use flexgrip_faults::{Engine, Plan, Sites};
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::sizes::{Lanes, Sms, GLOBAL_BYTES};
use flexgrip_machine::{Capability, Configuration, Protect};
use flexgrip_sim::engines::circuits::sizes::configuration;
use flexgrip_sim::engines::engine::{Options, MEMORY_LATENCY};
use flexgrip_sim::engines::native::snapshot::verilog;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::circuits::sites::sites_of;
use flexgrip_sim::faults::instruction::sites_of_launch;
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::faults::unit::pins::GateFaults;
use flexgrip_sim::faults::unit::FOLDER;
use flexgrip_sim::files::expectation::Comparison;
use flexgrip_sim::Kernel;
use std::collections::BTreeMap;
use std::convert::Infallible;
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
    /// Protection of the circuits from flipped bits
    #[arg(long, value_name = "CODE", default_value_t, value_parser = protect())]
    pub protect: Protect,
}

impl Sizes {
    /// The circuits of capability 1.0 of these sizes.
    pub fn parameters(&self) -> MachineParameters {
        MachineParameters {
            protect: self.protect,
            ..MachineParameters::new(self.lanes, self.sms)
        }
    }
}

/// The machine that runs the kernel.
#[derive(Args)]
#[command(next_help_heading = "Machine")]
pub struct MachineOfKernel {
    #[command(flatten)]
    pub sizes: Sizes,
    /// Latency of global memory in cycles, from a read request to its response
    #[arg(long, value_name = "N", default_value_t = MEMORY_LATENCY, value_parser = clap::value_parser!(u32).range(1..))]
    memory_latency: u32,
    /// How to coalesce global accesses: by segments, or by the strict rule of the G80's half-warps
    #[arg(long, value_enum, default_value_t = CoalescingName::Segment)]
    coalescing: CoalescingName,
    /// Size of global memory in bytes, a multiple of 64
    #[arg(long, value_name = "BYTES", default_value_t = GLOBAL_BYTES)]
    global_size: u32,
}

/// The limit after which a run counts as a hang.
#[derive(Args)]
#[command(next_help_heading = "Machine")]
pub struct Limit {
    /// A run that takes this many times the golden run's cycles, plus 1,000, is a hang
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = factor)]
    pub hang: f64,
}

/// The machine of a campaign, and the criteria for its verdicts.
#[derive(Args)]
#[command(next_help_heading = "Machine")]
pub struct MachineOfCampaign {
    #[command(flatten)]
    pub kernels: MachineOfKernel,
    /// Simulate this block as gates synthesised by yosys, such as fetch, decode or sm[0].branch: the gates' pins become
    /// sites of stuck-at faults
    #[arg(long, value_name = "BLOCK", value_parser = unit_path)]
    gates: Option<String>,
    #[command(flatten)]
    pub limit: Limit,
    /// Accept floats of the output that differ from the golden run's by at most this many units in the last place
    #[arg(long, value_name = "ULPS", default_value_t = 0)]
    tolerance: u32,
}

/// Units with a short name: the units of the SC 2023 study.
const UNITS: [(&str, &str); 3] = [
    ("decode", "sm[0].scheduler.decode"),
    ("fetch", "sm[0].fetch"),
    ("scheduler", "sm[0].scheduler"),
];

/// The path of a unit, given by its short name or as a path.
pub fn unit_path(text: &str) -> Result<String, Infallible> {
    let known = UNITS.iter().find(|(name, _)| *name == text);
    Ok(known.map_or(text, |(_, path)| path).into())
}

/// The name of a unit's folder, from its path.
pub fn folder_of(unit: &str) -> String {
    unit.replace(['[', ']', '.'], "-").replace("--", "-")
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
        let MachineOfKernel {
            sizes,
            memory_latency,
            coalescing,
            global_size,
        } = &self.kernels;
        let coalescing = coalescing.to_possible_value();
        let mut options = BTreeMap::from([
            ("lanes".to_string(), sizes.lanes.to_string()),
            ("sms".into(), sizes.sms.to_string()),
            ("memory-latency".into(), memory_latency.to_string()),
            (
                "coalescing".into(),
                coalescing.map_or_else(String::new, |name| name.get_name().into()),
            ),
            ("global-size".into(), global_size.to_string()),
            ("hang".into(), self.limit.hang.to_string()),
        ]);
        if let Some(gates) = &self.gates {
            options.insert("gates".into(), gates.clone());
        }
        // Omitted at its default, so the identity of plans from before this option does not change.
        if self.tolerance > 0 {
            options.insert("tolerance".into(), self.tolerance.to_string());
        }
        if sizes.protect != Protect::None {
            options.insert("protect".into(), sizes.protect.to_string());
        }
        if kernel.unaligned_code {
            options.insert("unaligned-code".into(), "true".into());
        }
        options
    }

    /// True if every option has its default value.
    pub fn is_default(&self) -> bool {
        let default = Planned::try_parse_from(["kernel"]);
        default.is_ok_and(|default| default.machine.planned(&default.kernel) == self.planned(&default.kernel))
    }

    /// The block that is simulated as gates, if there is one.
    pub fn gates(&self) -> Result<Option<Arc<GateFaults>>, Error> {
        let of = |path: &String| self.kernels.gates(path);
        self.gates.as_ref().map(of).transpose()
    }

    /// Loads a kernel for the machine.
    pub fn load(&self, kernel: &KernelArguments) -> Result<Ready, Error> {
        let ready = self.kernels.load(kernel, self.gates()?, self.limit.hang)?;
        let floats = ready.floats.into_keys().map(|place| (place, self.tolerance));
        Ok(Ready {
            floats: floats.collect(),
            ..ready
        })
    }
}

impl MachineOfKernel {
    /// Bytes of global memory.
    pub fn global_size(&self) -> u32 {
        self.global_size
    }

    /// A block as gates.
    pub fn gates(&self, path: &str) -> Result<Arc<GateFaults>, Error> {
        Ok(GateFaults::of(self.sizes.parameters(), path, Path::new(FOLDER))?)
    }

    /// Loads a kernel for the machine, with one of its blocks as `gates` if given.
    pub fn load(&self, kernel: &KernelArguments, gates: Option<Arc<GateFaults>>, hang: f64) -> Result<Ready, Error> {
        let kernel = kernel.load()?;
        let capability = kernel.launch.capability;
        if gates.is_some() && capability > Capability::V1_0 {
            let reason = "gate faults are only supported in machines of capability 1.0";
            return Err(Error::Usage(format!(
                "the program is for compute capability {capability}; {reason}"
            )));
        }
        let options = Options {
            configuration: Configuration {
                capability,
                sms: self.sizes.sms.count(),
                ..configuration(self.sizes.lanes, self.global_size)
            },
            memory_latency: self.memory_latency,
            coalescing: self.coalescing.into(),
            protect: self.sizes.protect,
            gates: gates.as_ref().map(|gates| gates.level()),
            ..Options::default()
        };
        kernel.check(&options.configuration)?;
        let floats = kernel
            .expectations
            .iter()
            .filter(|expected| expected.comparison != Comparison::Exact);
        let floats = floats.flat_map(|expected| expected.words.iter().map(|word| (word.address / 4, 0)));
        Ok(Ready {
            floats: floats.collect(),
            kernel,
            options,
            factor: hang,
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

    /// The kernel with its lines.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The kernel's name, for messages and folders.
    pub fn name(&self) -> &str {
        &self.kernel.launch.name
    }

    /// The kernel's instructions, and the multiprocessors.
    pub fn instruction_sites(&self) -> Result<Sites, Error> {
        Ok(sites_of_launch(&self.kernel.launch, self.options.configuration.sms)?)
    }

    /// The hash of the circuits.
    pub fn circuits(&self) -> Result<String, Error> {
        let verilog = verilog(&self.options.configuration, self.options.protect)?;
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
    let capability = planned.machine.load(&planned.kernel)?.options.configuration.capability;
    let parameters = MachineParameters {
        capability,
        ..planned.machine.kernels.sizes.parameters()
    };
    Ok(sites_of(parameters, planned.machine.gates()?.as_deref())?)
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
