//! `flexgrip faults list`: the sites.

use super::setup::{unit_path, Sizes};
use crate::arguments::KernelArguments;
use crate::output::{print, print_json};
use clap::Args;
use flexgrip_faults::gates::results::{listed, ListedFault};
use flexgrip_faults::gates::{FaultList, UnitCounts, Untestable};
use flexgrip_faults::statistics::{plan_text, Confidence};
use flexgrip_faults::{Engine, Models, Sites};
use flexgrip_machine::sizes::GLOBAL_BYTES;
use flexgrip_machine::Configuration;
use flexgrip_sim::engines::circuits::sizes::configuration;
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::circuits::sites::sites_of;
use flexgrip_sim::faults::instruction::bench::InstructionBench;
use flexgrip_sim::faults::instruction::listed::ListedInstruction;
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::faults::unit::{unit, FOLDER};
use hdlkit::output::grouped;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip faults list                                  registers and memories of the circuits, counted
  flexgrip faults list --where 'sm[0].scheduler'        the warp scheduler's, one by one
  flexgrip faults list --gates decode                   the stuck-at faults of the decoder's gates
  flexgrip faults list saxpy                            the instructions of a kernel, and how often each is executed
  flexgrip faults list saxpy --model flip-destination --where float:    only float instructions with a result
  flexgrip faults list saxpy --model ira --json

Exit code 0: done; 1: an error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ListArguments {
    /// List the instructions of this kernel, in which faults are injected on the golden model, instead of registers and
    /// memories
    #[arg(conflicts_with = "gates")]
    kernel: Option<PathBuf>,
    /// Only instructions to which this model applies, as for `faults run`, such as flip-destination or ira
    #[arg(long, value_name = "MODEL", requires = "kernel")]
    model: Option<Models>,
    #[command(flatten)]
    sizes: Sizes,
    /// Size of global memory in bytes for the kernel, a multiple of 64
    #[arg(long, value_name = "BYTES", requires = "kernel", default_value_t = GLOBAL_BYTES)]
    global_size: u32,
    /// Only these sites: paths with everything below them, or patterns with * and ?, separated by commas. A prefix
    /// selects a kind: register:, memory:, control:, data:, address: or architectural:; for instructions float:,
    /// special:, integer:, branch:, load: or store:
    #[arg(long = "where", value_name = "PATTERN", default_value = "*")]
    pattern: String,
    /// Print every site as JSON
    #[arg(long)]
    json: bool,
    /// Instead of registers and memories, the stuck-at faults of the gates of this unit: decode, fetch, scheduler, or
    /// the path of any block of the circuits, such as sm[0].branch; needs yosys
    #[arg(long, value_name = "UNIT", value_parser = unit_path)]
    gates: Option<String>,
}

/// Prints the sites.
pub fn run(arguments: &ListArguments) -> Result<bool, Error> {
    if let Some(unit) = &arguments.gates {
        return gates(arguments, unit);
    }
    if let Some(kernel) = &arguments.kernel {
        return instructions(arguments, kernel);
    }
    let all = sites_of(arguments.sizes.parameters(), None)?;
    let matching = all.matching(&arguments.pattern)?.into_iter().cloned();
    let sites = Sites::new(matching.collect())?;
    if arguments.json {
        print_json(&sites)?;
        return Ok(true);
    }
    if arguments.pattern != "*" {
        let width = sites.iter().map(|site| site.name.len()).max().unwrap_or_default();
        for site in sites.iter() {
            let size = match site.elements {
                1 => format!("{} bits", site.width),
                elements => format!("{elements} x {} bits", site.width),
            };
            print(&format!("{:width$}  {:13}  {size}\n", site.name, site.kind))?;
        }
        print("\n")?;
    }
    print(&sites.counts_text())?;
    // Without a population: samples are small compared to the number of bits times cycles.
    print(&format!("\n{}", plan_text(None, Confidence::P95)?))?;
    Ok(true)
}

/// Prints the instructions of a kernel.
fn instructions(arguments: &ListArguments, kernel: &Path) -> Result<bool, Error> {
    let model = match arguments.model {
        None => None,
        Some(Models::Of(model)) if model.engine() == Engine::GoldenModel => Some(model),
        Some(models) => {
            let message = format!(
                "--model {models}: these faults are in registers and memories, independent of the kernel; expected no \
                 kernel, or a model of faults in instructions"
            );
            return Err(Error::Usage(message));
        }
    };
    let kernel = KernelArguments {
        kernel: kernel.into(),
        unaligned_code: false,
    };
    let kernel = kernel.load()?;
    let options = Options {
        configuration: Configuration {
            capability: kernel.launch.capability,
            sms: arguments.sizes.sms.count(),
            ..configuration(arguments.sizes.lanes, arguments.global_size)
        },
        protect: arguments.sizes.protect,
        ..Options::default()
    };
    kernel.check(&options.configuration)?;
    let setup = Setup {
        launch: &kernel.launch,
        options: &options,
        factor: 1.0,
        floats: &BTreeMap::new(),
        gates: None,
    };
    let listed = InstructionBench::new(&setup)?.listed(&arguments.pattern, model)?;
    if arguments.json {
        return print_json(&listed).map(|()| true);
    }
    let width = |text: &dyn Fn(&ListedInstruction) -> usize| listed.iter().map(text).max().unwrap_or_default();
    let sites = width(&|line| line.site.len()).max("site".len());
    let texts = width(&|line| line.instruction.len()).max("instruction".len());
    let line = |site: &str, kind: &str, text: &str, warps: &str, threads: &str| {
        print(&format!(
            "{site:sites$}  {kind:8}{text:texts$}{warps:>9}{threads:>10}\n"
        ))
    };
    line("site", "kind", "instruction", "warps", "threads")?;
    let mut sum = (0, 0);
    for of in &listed {
        let (warps, threads) = (of.warp_instructions, of.thread_instructions);
        sum = (sum.0 + warps, sum.1 + threads);
        line(
            &of.site,
            of.kind.name(),
            &of.instruction,
            &grouped(warps),
            &grouped(threads),
        )?;
    }
    line("all", "", "", &grouped(sum.0), &grouped(sum.1))?;
    Ok(true)
}

/// The faults of a unit's gates, as JSON.
#[derive(Serialize)]
struct UnitFaults {
    counts: UnitCounts,
    faults: Vec<ListedFault>,
}

/// Prints the faults of a unit's gates.
fn gates(arguments: &ListArguments, path: &str) -> Result<bool, Error> {
    let unit = unit(path, arguments.sizes.parameters(), Path::new(FOLDER))?;
    let list = FaultList::of(&unit);
    let chosen = list.matching(&unit, &arguments.pattern)?;
    let counts = UnitCounts::new(&unit, &list, &chosen);
    let faults = listed(&unit, &list, &chosen);
    if arguments.json {
        print_json(&UnitFaults { counts, faults })?;
        return Ok(true);
    }
    if arguments.pattern != "*" {
        for fault in &faults {
            let about = match (fault.untestable, fault.prime == fault.id) {
                (Some(Untestable::Constant), _) => "untestable: constant".into(),
                (Some(Untestable::Unobservable), _) => "untestable: unobservable".into(),
                (None, true) => String::new(),
                (None, false) => format!("= {}", list.name(fault.prime, &unit)),
            };
            print(format!("{}  {about}", list.name(fault.id, &unit)).trim_end())?;
            print("\n")?;
        }
        print("\n")?;
    }
    print(&counts.to_string())?;
    Ok(true)
}
