//! `flexgrip run`: runs a kernel and checks its result.

use crate::arguments::{EngineName, MachineArguments, OutcomeArguments};
use crate::output::finish;
use crate::shell::{invocation, shell_word};
use crate::trace_file::Trace;
use clap::Args;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_sim::engines::engine::processors;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::output::note;
use flexgrip_sim::outside::IoError;
use flexgrip_sim::progress::Watch;
use flexgrip_sim::report::Summary;
use flexgrip_sim::waves::file::WaveFile;
use flexgrip_sim::waves::save::write_gtkwave_saves;
use flexgrip_sim::waves::signals::machine_signals;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;

/// Shown after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip run kernels/vectoradd                       the circuits, natively, with 8 lanes
  flexgrip run kernels/sort --engine verilator --lanes 32
  flexgrip run kernels/life --sms 4 --stats            and show where each SM's cycles went
  flexgrip run kernels/saxpy_int --json | jq .cycles
  flexgrip run kernels/sort --unaligned-code           long instructions may be off 8-byte boundaries, as on FlexGripPlus
  flexgrip run kernels/sobel --engine model --jobs     blocks in parallel, on all processors
  flexgrip run kernels/sobel --dump sobel.pgm@6288+6160
                                                       and write the resulting picture
  flexgrip run kernels/divergence --trace -            every executed instruction, on standard output
  flexgrip run kernels/vectoradd --wave vectoradd.vcd  then: gtkwave vectoradd.gtkw
  flexgrip run kernels/sha256 --wave sha.fst --wave-from 5000 --wave-to 5200
  flexgrip run kernels/sort --wave sort.fst --wave-scope 'top.sm[0].scheduler,top.sm[0].trace'

Next to the waves are save files for GTKWave: .gtkw with all stages of the pipeline, .scheduler.gtkw with the warp
scheduler, .memory.gtkw with memory.

Exit code 0: the result matches, or there is nothing to check; 1: it does not, or an error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct RunArguments {
    #[command(flatten)]
    machine: MachineArguments,
    /// The engine to run on
    #[arg(long, value_enum, default_value_t = EngineName::Rtl)]
    engine: EngineName,
    /// With the model, run independent blocks on N threads, or on all processors
    #[arg(long, value_name = "N", num_args = 0..=1)]
    jobs: Option<Option<NonZeroUsize>>,
    #[command(flatten)]
    outcome: OutcomeArguments,
}

/// Runs the kernel; false if the result does not match.
pub fn run(arguments: &RunArguments) -> Result<bool, Error> {
    let (kernel, mut options) = arguments.machine.load()?;
    if let Some(jobs) = arguments.jobs {
        options.jobs = jobs.unwrap_or_else(processors);
    }
    for dump in &arguments.outcome.dump {
        dump.check(options.configuration.global_bytes)?;
    }
    let mut engine = arguments.engine.engine();
    let mut trace = arguments.machine.trace.as_deref().map(Trace::open).transpose()?;
    let for_people = !arguments.outcome.json && !arguments.machine.trace_is_printed();
    let watch = Watch::start(for_people, engine.name(), arguments.engine.begins_with());
    options.progress = watch.progress();
    let report = match &mut trace {
        None => engine.run(&kernel.launch, &options, None)?,
        Some(trace) => engine.run(&kernel.launch, &options, Some(&mut |record| trace.record(record)))?,
    };
    drop(watch);
    trace.map_or(Ok(()), Trace::close)?;
    if let Some(wave) = &options.wave {
        write_saves(wave, arguments.engine, arguments.machine.lanes, arguments.machine.sms)?;
        if let Some(cycles) = report.cycles.filter(|cycles| *cycles < wave.from) {
            let (path, from) = (wave.path.display(), wave.from);
            note(format_args!(
                "note: the grid ended in cycle {cycles}; {path} begins after that, in cycle {from}"
            ));
        }
    }
    let configuration = &options.configuration;
    let summary = Summary::new(
        &kernel,
        engine.name(),
        configuration.lanes.count(),
        configuration.sms,
        &report,
    );
    let success = finish(&kernel.launch, &report, &summary, &arguments.outcome)?;
    if success && for_people && io::stderr().is_terminal() {
        note(next_step(arguments));
    }
    Ok(success)
}

/// The suggested next step after a successful run.
fn next_step(arguments: &RunArguments) -> String {
    let (program, again) = (invocation(), arguments.machine.again());
    if let Some(wave) = &arguments.machine.wave {
        let save = shell_word(wave.with_extension("gtkw").as_os_str());
        return format!("next: gtkwave {save} shows the waves, pipeline stage by stage");
    }
    let lockstep = |engine, more| {
        format!("next: {program} lockstep {again}{engine} compares every instruction with the model{more}")
    };
    match arguments.engine {
        EngineName::Model => format!("next: {program} run {again} runs it on the circuits, cycle by cycle"),
        // Waves would need another compilation, which takes minutes.
        EngineName::Verilator => lockstep(" --engine verilator", ""),
        // Lockstep does not support Icarus Verilog, and the native engines do the same.
        _ => lockstep("", "; --wave w.vcd shows every signal"),
    }
}

/// Writes the save files next to the waves.
fn write_saves(wave: &WaveFile, engine: EngineName, lanes: Lanes, sms: Sms) -> Result<(), Error> {
    let verilog = match engine {
        EngineName::Verilator => Some(machine_signals(lanes, sms)?),
        _ => None,
    };
    let what = format!("cannot write the save files of {}", wave.path.display());
    write_gtkwave_saves(wave, verilog.as_deref()).map_err(IoError::of(what))?;
    Ok(())
}
