//! `flexgrip run`: runs a kernel and checks its result.

mod arguments;
mod batch;
mod input;

pub use arguments::RunArguments;

use crate::arguments::EngineName;
use crate::kernels::launches::{launches, Ran};
use crate::output::{finish, print, print_bytes};
use crate::shell::{invocation, shell_word};
use crate::trace_file::Trace;
use flexgrip_compiler::placement::Placement;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::Retire;
use flexgrip_sim::engines::engine::{processors, Options};
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::files::output::note;
use flexgrip_sim::files::program::SourceLines;
use flexgrip_sim::opencl::compare::Comparison;
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::opencl::printed::Output;
use flexgrip_sim::outside::IoError;
use flexgrip_sim::progress::{described, Watch};
use flexgrip_sim::timeline::file::TimelineFile;
use flexgrip_sim::waves::file::WaveFile;
use flexgrip_sim::waves::save::write_gtkwave_saves;
use flexgrip_sim::waves::signals::machine_signals;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

/// Shown after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip run kernels/vectoradd                       the circuits, natively, with 8 lanes
  flexgrip run vectoradd                               the same: names are also searched for in kernels/
  flexgrip run kernels/sort --engine verilator --lanes 32
  flexgrip run kernels/life --sms 4 --stats            and show where each SM's cycles went
  flexgrip run kernels/saxpy_int --json | jq .cycles
  flexgrip run kernels/sort --unaligned-code           long instructions need not be aligned, as on FlexGripPlus
  flexgrip run kernels/sobel --engine model --jobs     blocks in parallel, on all processors
  flexgrip run kernels/sobel --dump sobel.pgm@6288+6160
                                                       and write the resulting picture
  flexgrip run kernels/divergence --trace -            every executed instruction, on standard output
  flexgrip run kernels/vectoradd --wave vectoradd.vcd  then: gtkwave vectoradd.gtkw
  flexgrip run kernels/sha256 --wave sha.fst --wave-from 5000 --wave-to 5200
  flexgrip run kernels/sort --wave sort.fst --wave-scope 'top.sm[0].scheduler,top.sm[0].trace'
  flexgrip run saxpy.cl --global 1024 --local 64 --arg float:2 --arg buffer:float:1024=range --arg buffer:float:1024
                                                       a kernel in OpenCL C, and the buffers that it has changed
  ./generate.py | flexgrip run - --global 64 --arg buffer:int:64     OpenCL C from standard input
  flexgrip run saxpy.cl --global 1024 --local 64 --arg float:2 --arg buffer:float:1024=range --arg buffer:float:1024 \
      --engine model --compare cpu                     and run it in PoCL, too, to compare all buffers
  flexgrip run blur.cl --kernel rows --global 64,64 --local 16,16 --arg buffer:float=in.npy --arg buffer:float:4096 \
      --result 1=out.npy --engine model

  flexgrip run k.cl --global 64 --local 64 --arg buffer:int:64 --check
                                                       errors of the kernel that do not stop it; --json lists all

  flexgrip run kernels/sort --timeline sort.perfetto   then: drop the file on https://ui.perfetto.dev
  flexgrip run kernels/sort --timeline sort.kanata     then: open the file in Konata
  flexgrip run kernels/vectoradd --timeline v.svg      then: open the picture in a browser

  flexgrip run kernels/sort --save-at 5000 sort.snap   save the machine at the beginning of cycle 5000
  flexgrip run kernels/sort --from sort.snap --trace - and continue from there, with the same cycles

  flexgrip run kernels/*/launch.toml                   many kernels on all processors, and a table of their results
  flexgrip run kernels/sha256 --batch inputs/          the kernel with each .hex file of the folder as its global memory
  flexgrip run kernels/sort --batch a.hex b.hex --jobs 2 --dump '{}.bin@0+256'
                                                       and write a.bin and b.bin: {} is the name of the run
  flexgrip run saxpy.cl --global 1024 --local 64 --arg float:2 --arg buffer:float:1024=random \\
      --arg buffer:float:1024=random --compare cpu --batch 1-64
                                                       64 times with different random numbers, each compared with PoCL

Next to the waves are save files for GTKWave: .gtkw with all stages of the pipeline, .scheduler.gtkw with the warp
scheduler, .memory.gtkw with memory.

Memory outside the buffers of a kernel in OpenCL C holds a pattern; a launch that has changed it is an error that names the
buffer. Memory is as large as the buffers need, up to 2 GiB on the circuits and 4 GiB on the model.

The printf output of a kernel in OpenCL C is shown before its results, sorted by work-group, work-item and call;
FLEXGRIP_PRINTF_BUFFER is the size of its buffer in bytes [default: 4194304].

Results of several runs are in the order of the command line. A run that fails does not end the others.

Exit code 0: the result matches, or there is nothing to check; 1: a result does not match, or an error; 2: wrong usage.
With --compare, integers must be the same and floats within --tolerance, or within ATOL + RTOL * |reference|.";

/// Runs the kernel, or all of them; false if a result does not match.
pub fn run(arguments: &RunArguments) -> Result<bool, Error> {
    if !arguments.kernels.is_empty() || !arguments.batch.is_empty() {
        return batch::run(arguments);
    }
    let path = &arguments.machine.kernel.kernel;
    if !arguments.source.is_source(path, &arguments.results.given())? {
        let (kernel, options) = arguments.machine.load()?;
        let (success, _) = execute(arguments, vec![kernel], options, None, &|_| Ok(None))?;
        return Ok(success);
    }
    let other = arguments.results.other(path, &arguments.source)?;
    let prepared = arguments
        .source
        .prepare(path, &arguments.machine, arguments.engine()?, arguments.check)?;
    arguments.results.check(&prepared.placed)?;
    let options = prepared.options.clone();
    let files = options.wave.is_some() || arguments.timeline.is_some() || arguments.is_with_snapshots();
    if prepared.launches.len() > 1 && (files || arguments.outcome.stats) {
        let message = "--wave, --timeline, --save-at, --from and --stats apply to a single launch; each slice of a \
                       third dimension is a launch";
        return Err(OpenClError::Usage(message.into()).into());
    }
    for kernel in &prepared.launches {
        kernel.check(&options.configuration)?;
    }
    let quiet = arguments.outcome.json || arguments.machine.trace_is_printed();
    let compare = |global: &[u32]| {
        let sources = (path.as_path(), &arguments.source);
        let other = other.as_ref();
        other
            .map(|other| arguments.results.compare(other, sources, &prepared, global))
            .transpose()
    };
    let placement = Some(&prepared.placed.placement);
    let (success, global) = execute(arguments, prepared.launches.clone(), options, placement, &compare)?;
    arguments.results.show(&prepared, &global, quiet)?;
    Ok(success)
}

/// Compares global memory at the end with another implementation, if requested.
type Compare<'a> = dyn Fn(&[u32]) -> Result<Option<Comparison>, Error> + 'a;

/// Runs launches one after another, each on the memory left by the previous one, and prints their outcome with the
/// verdict on global memory. `placement` has the guards between buffers, which no launch may overwrite; `compare`
/// compares global memory at the end with another implementation, if requested.
fn execute(
    arguments: &RunArguments,
    kernels: Vec<Kernel>,
    mut options: Options,
    placement: Option<&Placement>,
    compare: &Compare,
) -> Result<(bool, Vec<u32>), Error> {
    let engine_name = arguments.engine()?;
    options.check = arguments.check;
    options.save = arguments.save()?;
    options.from.clone_from(&arguments.from);
    if let Some(jobs) = arguments.jobs {
        options.jobs = jobs.unwrap_or_else(processors);
    }
    for dump in &arguments.outcome.dump {
        dump.check(options.configuration.global_bytes)?;
    }
    let mut engine = engine_name.engine();
    let mut trace = arguments.machine.trace.as_deref().map(Trace::open).transpose()?;
    let for_people = !arguments.outcome.json && !arguments.machine.trace_is_printed();
    let watch = Watch::start(for_people, engine.name(), engine_name.begins_with());
    options.progress = watch.progress();
    let places = kernels
        .first()
        .and_then(|kernel| kernel.source.as_ref())
        .map_or_else(BTreeMap::new, SourceLines::places);
    options.watched = watch.watched(move |warps| described(&places, warps));
    if let (Some(timeline), Some(kernel)) = (&arguments.timeline, kernels.first()) {
        options.timeline = Some(TimelineFile {
            title: format!("{} on {}", kernel.launch.name, engine.name()),
            places: kernel.source.as_ref().map_or_else(BTreeMap::new, SourceLines::places),
            ..timeline.clone()
        });
    }
    let Ran {
        kernel,
        report,
        mut summary,
    } = match &mut trace {
        None => launches(&mut *engine, kernels, &options, placement, None)?,
        Some(trace) => {
            let mut record = |record: &Retire| trace.record(record);
            launches(&mut *engine, kernels, &options, placement, Some(&mut record))?
        }
    };
    drop(watch);
    trace.map_or(Ok(()), Trace::close)?;
    if let Some(wave) = &options.wave {
        let parameters = MachineParameters {
            lanes: arguments.machine.lanes,
            sms: arguments.machine.sms,
            capability: options.configuration.capability,
            protect: options.protect,
        };
        write_saves(wave, engine_name, parameters)?;
        if let Some(cycles) = report.cycles.filter(|cycles| *cycles < wave.from) {
            let (path, from) = (wave.path.display(), wave.from);
            note(format_args!(
                "note: the grid ended in cycle {cycles}; {path} begins after that, in cycle {from}"
            ));
        }
    }
    if let Some(printed) = &summary.printed {
        show_printed(printed, arguments)?;
    }
    if summary.error.is_none() {
        summary.comparison = compare(&report.global)?;
    }
    if let (false, Some(check)) = (arguments.outcome.json, &summary.check) {
        print(&check.text)?;
    }
    let success = finish(&kernel, &report, &summary, &arguments.outcome)?;
    if success && for_people && io::stderr().is_terminal() && placement.is_none() {
        note(next_step(arguments, engine_name));
    }
    Ok((success, report.global))
}

/// Writes the output of `printf`: on standard output, unless that is for programs, and what was lost on standard error.
fn show_printed(printed: &Output, arguments: &RunArguments) -> Result<(), Error> {
    if arguments.machine.trace_is_printed() {
        note(printed.text.trim_end_matches('\n'));
    } else if !arguments.outcome.json {
        print_bytes(&printed.lines())?;
    }
    if let Some(lost) = printed.lost() {
        note(lost);
    }
    Ok(())
}

/// The suggested next step after a successful run.
fn next_step(arguments: &RunArguments, engine: EngineName) -> String {
    let (program, again) = (invocation(), arguments.machine.again());
    if let Some(wave) = &arguments.machine.wave {
        let save = shell_word(wave.with_extension("gtkw").as_os_str());
        return format!("next: gtkwave {save} shows the waves, pipeline stage by stage");
    }
    let lockstep = |engine, more| {
        format!("next: {program} lockstep {again}{engine} compares every instruction with the model{more}")
    };
    match engine {
        EngineName::Model => format!("next: {program} run {again} runs it on the circuits, cycle by cycle"),
        // Waves would need another compilation, which takes minutes.
        EngineName::Verilator => lockstep(" --engine verilator", ""),
        // Lockstep does not support Icarus Verilog, and the native engines do the same.
        _ => lockstep("", "; --wave w.vcd shows every signal"),
    }
}

/// Writes the save files next to the waves.
fn write_saves(wave: &WaveFile, engine: EngineName, parameters: MachineParameters) -> Result<(), Error> {
    let verilog = match engine {
        EngineName::Verilator => Some(machine_signals(parameters)?),
        _ => None,
    };
    let what = format!("cannot write the save files of {}", wave.path.display());
    write_gtkwave_saves(wave, verilog.as_deref()).map_err(IoError::of(what))?;
    Ok(())
}
