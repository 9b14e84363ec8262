//! `flexgrip faults list`: the sites.

use super::setup::Sizes;
use crate::output::{print, print_json};
use clap::Args;
use flexgrip_faults::gates::results::{listed, ListedFault};
use flexgrip_faults::gates::{FaultList, UnitCounts, Untestable};
use flexgrip_faults::statistics::{plan_text, Confidence};
use flexgrip_faults::Sites;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::gates::{unit, FOLDER};
use flexgrip_sim::faults::inject::sites_of;
use serde::Serialize;
use std::path::Path;

/// Arguments of the subcommand.
#[derive(Args)]
pub struct ListArguments {
    #[command(flatten)]
    sizes: Sizes,
    /// Only these: paths with everything below them, or patterns with * and ?, separated by commas; register:, memory:,
    /// control:, data:, address: or architectural: before one leaves only those
    #[arg(long = "where", value_name = "PATTERN", default_value = "*")]
    pattern: String,
    /// Print every site as JSON
    #[arg(long)]
    json: bool,
    /// Instead of registers and memories, the stuck-at faults of the gates of this unit, any block of the circuits, such as
    /// sm[0].fetch; needs yosys
    #[arg(long, value_name = "UNIT")]
    gates: Option<String>,
}

/// Prints the sites.
pub fn run(arguments: &ListArguments) -> Result<bool, Error> {
    if let Some(unit) = &arguments.gates {
        return gates(arguments, unit);
    }
    let all = sites_of(arguments.sizes.lanes, arguments.sizes.sms, None)?;
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
    // A sample is small beside bits and cycles.
    print(&format!("\n{}", plan_text(None, Confidence::P95)?))?;
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
    let unit = unit(path, arguments.sizes.lanes, arguments.sizes.sms, Path::new(FOLDER))?;
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
