//! Runs the launches of a kernel, one after another, for `flexgrip run` of one or several kernels.

use flexgrip_compiler::placement::Placement;
use flexgrip_compiler::printf::records::{Extent, Printer};
use flexgrip_machine::{ImageSpace, MemoryImage};
use flexgrip_sim::check::Findings;
use flexgrip_sim::engines::engine::{Engine, Observer, Options};
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::opencl::printed::{read_bytes, Output};
use flexgrip_sim::report::Summary;
use flexgrip_sim::trace::ending::Ending;

/// A kernel that has run.
pub struct Ran {
    /// The last launch.
    pub kernel: Kernel,
    /// The outcome of all launches.
    pub report: RunReport,
    /// The summary of the outcome, with the verdict on the expected results and the output of `printf`.
    pub summary: Summary,
}

/// Runs launches one after another, each on the memory left by the previous one, until one fails. `placement` has the
/// guards between buffers, which no launch may overwrite.
pub fn launches(
    engine: &mut dyn Engine,
    mut kernels: Vec<Kernel>,
    options: &Options,
    placement: Option<&Placement>,
    mut observer: Option<&mut Observer>,
) -> Result<Ran, Error> {
    let mut all: Option<RunReport> = None;
    let mut found: Option<Findings> = None;
    let mut overwritten = None;
    let mut last = 0;
    let printing = kernels.first().and_then(|kernel| kernel.printing.as_ref());
    let printer = printing.map(Printer::new).transpose();
    let mut printer = printer.map_err(OpenClError::Usage)?;
    for (index, kernel) in kernels.iter_mut().enumerate() {
        if let Some(before) = &all {
            continue_after(kernel, before);
        }
        let mut report = engine.run(&kernel.launch, options, observer.as_deref_mut())?;
        if let Some(printer) = &mut printer {
            collect(printer, &Extent::from(&kernel.launch), &mut report.global);
        }
        last = index;
        if let Some(check) = report.check.as_ref().map(|check| Findings::new(kernel, check)) {
            match &mut found {
                Some(found) => found.append(check),
                None => found = Some(check),
            }
        }
        let report = match all.take() {
            Some(before) => after(before, report),
            None => report,
        };
        let complete = report.ending == Ending::Complete;
        overwritten = placement
            // With a checker, the overwritten guard is already a finding, with its location.
            .filter(|_| complete && !options.check)
            .and_then(|placement| placement.overwritten_words(&report.global));
        all = Some(report);
        if !complete || overwritten.is_some() {
            break;
        }
    }
    kernels.truncate(last + 1);
    let (Some(report), Some(kernel)) = (all, kernels.pop()) else {
        return Err(OpenClError::Usage("there is no kernel to run".into()).into());
    };
    let machine = &options.configuration;
    let mut summary = Summary::new(&kernel, engine.name(), machine.lanes.count(), machine.sms, &report);
    if let Some(overwritten) = overwritten {
        let (path, name) = (kernel.path.display(), &kernel.launch.name);
        summary.refuse(format!("{path}: kernel {name} {overwritten}; --check names the line"));
    }
    summary.check = found;
    summary.printed = printer.map(|printer| Output::from(printer.finish()));
    Ok(Ran {
        kernel,
        report,
        summary,
    })
}

/// Takes the records of a launch out of global memory, and clears the buffer for the next.
fn collect(printer: &mut Printer, extent: &Extent, memory: &mut [u32]) {
    printer.collect(extent, &mut |at, bytes| read_bytes(memory, at, bytes));
    let all = printer.range(extent);
    if let Some(buffer) = memory.get_mut(all.start as usize / 4..all.end as usize / 4) {
        buffer.fill(0);
    }
}

/// Initialises a launch with the memory left by the previous one and, for a checker, the ranges written so far.
fn continue_after(kernel: &mut Kernel, before: &RunReport) {
    let written = before.check.iter().flat_map(|check| &check.written);
    for (region, written) in kernel.launch.facts.regions.iter_mut().zip(written) {
        region.written.clone_from(written);
    }
    kernel.launch.memory.push(MemoryImage {
        space: ImageSpace::Global,
        address: 0,
        words: before.global.clone(),
    });
}

/// The outcome of a launch and of the launches before it. Counters belong to the last launch.
fn after(before: RunReport, report: RunReport) -> RunReport {
    RunReport {
        cycles: before.cycles.zip(report.cycles).map(|(a, b)| a + b),
        warp_instructions: before.warp_instructions + report.warp_instructions,
        thread_instructions: before.thread_instructions + report.thread_instructions,
        divergent_branches: before.divergent_branches + report.divergent_branches,
        wall: before.wall + report.wall,
        ..report
    }
}
