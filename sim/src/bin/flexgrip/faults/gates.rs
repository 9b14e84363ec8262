//! `flexgrip faults gates`: stuck-at faults of the gates of a unit.

use super::setup::{folder_of, unit_path, MachineOfKernel};
use crate::arguments::KernelArguments;
use crate::output::print;
use clap::Args;
use flexgrip_faults::gates::classes::Class;
use flexgrip_faults::gates::journal::remove;
use flexgrip_faults::gates::results::{fault_rows, prime_faults, sample, write_csv, write_windows};
use flexgrip_faults::gates::{FaultList, UnitCounts};
use flexgrip_faults::Shard;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_sim::engines::engine::processors;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::gates::campaign::{run as simulate, How, Keep, Ran, Results, Simulated};
use flexgrip_sim::faults::unit::{unit, FOLDER};
use flexgrip_sim::files::output::note;
use flexgrip_sim::outside::IoError;
use hdlkit::output::grouped;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Arguments of the subcommand.
#[derive(Args)]
pub struct GatesArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    /// The unit: decode, fetch, scheduler, or the path of any block of the circuits, such as sm[0].branch
    #[arg(long, value_name = "UNIT", value_parser = unit_path)]
    unit: String,
    /// Only faults of these pins, as for `faults list --gates`
    #[arg(long = "where", value_name = "PATTERN", default_value = "*")]
    pattern: String,
    /// Number of prime faults to draw at random; 0: all
    #[arg(long, value_name = "N", default_value_t = 0)]
    count: usize,
    /// Seed of the random sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The warp slot whose instructions are observed, each while it is in the unit
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "whole")]
    warp: u32,
    /// Observe the whole run instead
    #[arg(long)]
    whole: bool,
    /// Stop simulating a fault at its first difference in an output
    #[arg(long)]
    drop: bool,
    /// Folder for the results [default: build/faults/KERNEL-UNIT]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Simulate only shard I of N, I from 0; the same command without --shard then combines all shards in the folder,
    /// and simulates missing faults
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    machine: MachineOfKernel,
}

/// Simulates faults.
pub fn run(arguments: &GatesArguments) -> Result<bool, Error> {
    let ready = arguments.machine.load(&arguments.kernel, None, 1.0)?;
    let parameters = MachineParameters {
        capability: ready.setup().options.configuration.capability,
        ..arguments.machine.sizes.parameters()
    };
    let unit = unit(&arguments.unit, parameters, Path::new(FOLDER))?;
    let list = FaultList::of(&unit);
    let chosen = list.matching(&unit, &arguments.pattern)?;
    let mut faults = prime_faults(&list, &chosen);
    if arguments.count > 0 {
        faults = sample(&faults, arguments.seed, arguments.count, &arguments.pattern)?;
    }
    let setup = ready.setup();
    let how = How {
        warp: (!arguments.whole).then_some(arguments.warp),
        drops: arguments.drop,
        jobs: arguments.jobs.unwrap_or_else(processors),
    };
    let folder = arguments
        .output
        .clone()
        .unwrap_or_else(|| Path::new("build/faults").join(format!("{}-{}", ready.name(), folder_of(&arguments.unit))));
    let is_new = !folder.exists();
    std::fs::create_dir_all(&folder).map_err(IoError::of("cannot create the folder of results"))?;
    let keep = Keep {
        folder: &folder,
        shard: arguments.shard,
    };
    let kernel = (setup.launch, setup.options);
    let ran = simulate(kernel, &unit, &list, &faults, how, Some(keep));
    if is_new && ran.is_err() {
        // Only an empty folder is deleted, so the detections of a failed run remain.
        let _ = std::fs::remove_dir(&folder);
    }
    let results = match ran? {
        Ran::All(results) => results,
        Ran::Shard(simulated) => {
            note(rate(simulated));
            print(&format!("the shard is in {}\n", folder.display()))?;
            return Ok(true);
        }
    };
    write_csv(&folder.join("faults.csv"), &fault_rows(&unit, &list, &faults))?;
    write_csv(&folder.join("results.csv"), &results.rows)?;
    write_windows(&folder.join("windows.csv"), &results.windows, &results.classes)?;
    // The campaign is complete: the kept detections are in the results.
    remove(&folder)?;
    note(rate(results.simulated));
    print(&summary(&results, &UnitCounts::new(&unit, &list, &chosen)))?;
    print(&format!("\nresults are in {}\n", folder.display()))?;
    Ok(true)
}

fn rate(simulated: Simulated) -> String {
    let seconds = simulated.time.as_secs_f64();
    format!(
        "{} faults in {seconds:.2} s, {} a second",
        grouped(simulated.faults as u64),
        grouped((simulated.faults as f64 / seconds) as u64)
    )
}

fn summary(results: &Results, counts: &UnitCounts) -> String {
    let mut text = format!("{counts}\n");
    let all = results.rows.len();
    let percent = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} faults, {} cycles, {} windows",
        grouped(all as u64),
        grouped(results.cycles as u64),
        results.windows.len()
    );
    for state in ["untestable", "not-excited", "no-effect", "detected"] {
        let count = results.rows.iter().filter(|row| row.state == state).count();
        let _ = writeln!(
            text,
            "  {state:<12}{:>9} {:>5.1} %",
            grouped(count as u64),
            percent(count)
        );
    }
    let errors: usize = Class::ALL.iter().map(|class| results.classes.of(*class).errors).sum();
    let _ = writeln!(text, "\nclass   errors    share   faults");
    for class in Class::ALL {
        let counts = results.classes.of(*class);
        if counts.errors > 0 {
            let share = 100.0 * counts.errors as f64 / errors as f64;
            let (errors, faults) = (grouped(counts.errors as u64), grouped(counts.faults as u64));
            let _ = writeln!(text, "{class:<5} {errors:>8} {share:>6.1} % {faults:>8}");
        }
    }
    let _ = writeln!(text, "\nwindow  cycles          PC  detected");
    for window in &results.windows {
        let pc = window.pc.map_or_else(String::new, |pc| format!("{pc:#06x}"));
        let cycles = format!("{}-{}", window.first_cycle, window.last_cycle);
        let share = percent(window.detected);
        let _ = writeln!(
            text,
            "{:>6}  {cycles:<10}{pc:>8}  {share:>6.1} %  {}",
            window.window, window.instruction
        );
    }
    text
}
