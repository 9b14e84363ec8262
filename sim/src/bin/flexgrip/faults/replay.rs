//! `flexgrip faults replay`: runs one fault again.

use super::results::open;
use super::setup::Ready;
use crate::kernels::debug::{hold, Talk};
use crate::output::print;
use clap::Args;
use flexgrip_faults::{Engine, Fault, Model};
use flexgrip_machine::Retire;
use flexgrip_sim::debug::code::Code;
use flexgrip_sim::debug::open::Machine;
use flexgrip_sim::debug::target::Edit;
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::circuits::replay::{flipped, replay, Files};
use flexgrip_sim::files::program::SourceLines;
use flexgrip_sim::outside::IoError;
use flexgrip_sim::timeline::file::TimelineFile;
use flexgrip_sim::trace::ending::Ending;
use flexgrip_sim::trace::file::Trace;
use flexgrip_sim::waves::file::WaveFile;
use flexgrip_sim::waves::save::write_gtkwave_saves;
use flexgrip_sim::Kernel;
use hdlkit::output::grouped;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Arguments of the subcommand.
#[derive(Args)]
pub struct ReplayArguments {
    /// The campaign's folder
    folder: PathBuf,
    /// The number of the fault
    id: u64,
    /// Write waves of the faulty run, .vcd or .fst, with save files for GTKWave; the golden run's waves get `golden` in
    /// the name
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// Write a timeline from the fault onward, .perfetto or .json for Perfetto, .kanata for Konata; also for the golden
    /// run
    #[arg(long, value_name = "FILE", value_parser = |name: &str| TimelineFile::new(name))]
    timeline: Option<TimelineFile>,
    /// Write one line per executed warp instruction; also for the golden run
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Open the debugger on the circuits, in the cycle of a flip, with the flip; `golden` switches to the golden run in
    /// the same cycle, and back
    #[arg(long, conflicts_with_all = ["wave", "trace", "timeline"])]
    debug: bool,
    #[command(flatten)]
    talk: Talk,
    /// Maximum number of differing records to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    records: usize,
}

/// The golden run's file beside the faulty one's: `17.vcd` and `17.golden.vcd`.
fn golden(path: &Path) -> PathBuf {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("golden.{extension}"))
}

impl ReplayArguments {
    /// The files of both runs, the golden one first.
    fn files(&self, kernel: &Kernel) -> [Files; 2] {
        let of = |run: &str, path: &dyn Fn(&Path) -> PathBuf| Files {
            wave: self.wave.as_deref().map(path),
            timeline: self.timeline.as_ref().map(|timeline| TimelineFile {
                path: path(&timeline.path),
                title: format!("{}, {run} run, fault {}", kernel.launch.name, self.id),
                places: kernel.source.as_ref().map_or_else(BTreeMap::new, SourceLines::places),
                ..timeline.clone()
            }),
        };
        [of("golden", &golden), of("faulty", &Path::to_path_buf)]
    }
}

/// Runs the fault, and prints what differs.
pub fn run(arguments: &ReplayArguments) -> Result<bool, Error> {
    let (campaign, _) = open(&arguments.folder)?;
    let ready = Ready::of_plan(campaign.plan())?;
    let id = arguments.id;
    let fault = campaign.faults().iter().find(|fault| fault.id == id);
    let fault = fault.ok_or_else(|| Error::Usage(format!("the campaign has no fault {id}")))?;
    let setup = ready.setup();
    if arguments.debug {
        return debug(&ready, fault, &arguments.talk);
    }
    let replay = match campaign.plan().engine {
        Engine::Circuits => replay(&setup, fault, arguments.files(ready.kernel()))?,
        Engine::GoldenModel if arguments.wave.is_some() || arguments.timeline.is_some() => {
            let message = "--wave and --timeline: the golden model has neither signals nor a clock; expected --trace";
            return Err(Error::Usage(message.into()));
        }
        Engine::GoldenModel => setup.instruction_bench(campaign.plan())?.replay(fault)?,
    };
    if let Some(path) = &arguments.wave {
        write_saves(&golden(path), fault.cycle)?;
        write_saves(path, fault.cycle)?;
    }
    if let Some(path) = &arguments.trace {
        write(path, &replay.faulty)?;
        write(&golden(path), replay.golden.all())?;
    }
    print(&format!("{}\n", about(fault)))?;
    let (differing, missing) = replay.differing();
    for record in differing.iter().take(arguments.records) {
        print(&format!("{record}\n"))?;
    }
    let counts = [differing.len(), replay.faulty.len(), replay.golden.all().len(), missing];
    let [count, faulty, golden, missing] = counts.map(|count| grouped(count as u64));
    print(&format!(
        "{count} of {faulty} records from the fault onward differ; {missing} of the golden run's {golden} are missing\n"
    ))?;
    let end = match &replay.end {
        Ok(report) => match (report.ending, report.cycles) {
            (Ending::Failed(error), _) => error.to_string(),
            (_, Some(cycles)) => format!("complete, {} cycles", grouped(cycles)),
            (_, None) => format!("complete, {} instructions", grouped(report.warp_instructions)),
        },
        Err(error) => error.to_string(),
    };
    print(&format!("the faulty run: {end}\n"))?;
    if let Some(row) = campaign
        .read_results(None)
        .ok()
        .and_then(|rows| rows.into_iter().find(|row| row.fault.id == id))
    {
        print(&format!("outcome in the campaign: {}\n", row.outcome))?;
    }
    Ok(true)
}

/// Writes GTKWave's save files next to waves. They open at the cycle of the fault.
fn write_saves(path: &Path, cycle: u64) -> Result<(), Error> {
    let wave = WaveFile::new(path).map_err(RunError::from)?;
    let wave = WaveFile { from: cycle, ..wave };
    write_gtkwave_saves(&wave, None).map_err(IoError::of("cannot write GTKWave's save files"))?;
    Ok(())
}

/// Opens the debugger.
fn debug(ready: &Ready, fault: &Fault, talk: &Talk) -> Result<bool, Error> {
    if fault.model != Model::Flip {
        let message = format!(
            "--debug: {}; expected a flip: the debugger cannot hold a bit stuck",
            about(fault)
        );
        return Err(Error::Usage(message));
    }
    let setup = ready.setup();
    let flipped = flipped(&setup, fault)?;
    print(&format!("{}\n", about(fault)))?;
    let code = Code::of_kernel(ready.kernel())?;
    hold(Machine::Circuits, setup.launch, code, setup.options, talk, |session| {
        session.go_to(fault.cycle)?;
        let mut flips = flipped.into_iter().map(|(name, bit)| Edit::Flip { name, bit });
        flips.try_for_each(|flip| session.change(flip))
    })
}

fn about(fault: &Fault) -> String {
    let Fault {
        id,
        model,
        site,
        element,
        bit,
        bits,
        cycle,
        until,
        parameters,
        weight: _,
    } = fault;
    let bits = if *bits > 1 {
        format!(" and {} more", bits - 1)
    } else {
        String::new()
    };
    if model.engine() == Engine::GoldenModel {
        let place = match site.starts_with("sm[") {
            true => format!("from instruction {cycle} on"),
            false => format!("instruction {cycle}, thread {element}"),
        };
        let bits = match model.has_bits() {
            true => format!(", bit {bit}{bits}"),
            false => String::new(),
        };
        let parameters = parameters.to_string();
        let blank = if parameters.is_empty() { "" } else { ", " };
        return format!("fault {id}: {model} in {site}, {place}{bits}{blank}{parameters}");
    }
    let element = if *element > 0 {
        format!(", element {element}")
    } else {
        String::new()
    };
    let until = until.map_or(String::new(), |until| format!(" to {}", until - 1));
    format!("fault {id}: {model} of {site}{element}, bit {bit}{bits}, cycle {cycle}{until}")
}

fn write(path: &Path, records: &[Retire]) -> Result<(), Error> {
    let mut trace = Trace::open(path)?;
    for record in records {
        if trace.record(record).is_break() {
            break;
        }
    }
    Ok(trace.close()?)
}
