//! `flexgrip run`: runs a kernel and checks its result.

mod arguments;
mod batch;
mod input;

pub use arguments::RunArguments;

use crate::arguments::EngineName;
use crate::output::{finish, print, print_bytes};
use crate::shell::{invocation, shell_word};
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::sizes::Sms;
use flexgrip_sim::engines::engine::{processors, Options};
use flexgrip_sim::error::Error;
use flexgrip_sim::files::output::note;
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::opencl::printed::Output;
use flexgrip_sim::outside::IoError;
use flexgrip_sim::performance::accesses::table;
use flexgrip_sim::waves::file::WaveFile;
use flexgrip_sim::waves::save::write_gtkwave_saves;
use flexgrip_sim::waves::signals::machine_signals;
use std::io::{self, IsTerminal};

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip run kernels/vectoradd                       the circuits, natively, with 8 lanes
  flexgrip run vectoradd                               the same: names are also searched for in kernels/
  flexgrip run kernels/sort --engine verilator --lanes 32
  flexgrip run kernels/life --sms 4 --stats            and show where each SM's cycles went
  flexgrip run kernels/transpose --accesses            and show how each load and store coalesces
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
    let is_source = arguments.source.is_source(path, &arguments.results.given())?;
    let other = arguments.other(is_source)?;
    let name = arguments.engine()?;
    let job = arguments.plan(is_source)?;
    let files = job.options.wave.is_some() || arguments.timeline.is_some() || arguments.is_with_snapshots();
    if job.launches.len() > 1 && (files || arguments.outcome.stats) {
        let message = "--wave, --timeline, --save-at, --from and --stats apply to a single launch; each slice of a \
                       third dimension is a launch";
        return Err(OpenClError::Usage(message.into()).into());
    }
    let mut job = arguments.checked(job)?;
    if let Some(jobs) = arguments.jobs {
        job.options.jobs = jobs.unwrap_or_else(processors);
    }
    let quiet = arguments.outcome.json || arguments.machine.trace_is_printed();
    job.trace.clone_from(&arguments.machine.trace);
    job.accesses = arguments.accesses;
    job.stage = (!quiet).then_some(name.begins_with());
    let mut ran = job.run(&mut *name.engine())?;
    if let Some(wave) = &ran.options.wave {
        write_saves(wave, name, &ran.options, arguments.machine.sms)?;
        if let Some(cycles) = ran.report.cycles.filter(|cycles| *cycles < wave.from) {
            let (path, from) = (wave.path.display(), wave.from);
            note(format_args!(
                "note: the grid ended in cycle {cycles}; {path} begins after that, in cycle {from}"
            ));
        }
    }
    if let Some(printed) = &ran.summary.printed {
        show_printed(printed, arguments)?;
    }
    arguments.compare(other.as_ref(), &mut ran)?;
    if let (false, Some(check)) = (arguments.outcome.json, &ran.summary.check) {
        print(&check.text)?;
    }
    if let (false, Some(accesses)) = (arguments.outcome.json, &ran.summary.accesses) {
        print(&table(accesses))?;
    }
    let success = finish(&ran.kernel, &ran.report, &ran.summary, &arguments.outcome)?;
    match &ran.bound {
        Some(bound) => arguments.results.show(&bound.placed, &ran.report.global, quiet)?,
        None if success && !quiet && io::stderr().is_terminal() => note(next_step(arguments, name)),
        None => {}
    }
    Ok(success)
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
fn write_saves(wave: &WaveFile, engine: EngineName, options: &Options, sms: Sms) -> Result<(), Error> {
    let parameters = MachineParameters {
        lanes: options.configuration.lanes,
        sms,
        capability: options.configuration.capability,
        protect: options.protect,
    };
    let verilog = match engine {
        EngineName::Verilator => Some(machine_signals(parameters)?),
        _ => None,
    };
    let what = format!("cannot write the save files of {}", wave.path.display());
    write_gtkwave_saves(wave, verilog.as_deref()).map_err(IoError::of(what))?;
    Ok(())
}
