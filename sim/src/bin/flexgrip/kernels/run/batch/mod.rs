//! Many runs by one `flexgrip run`: several kernels, or one kernel with several inputs. They share the circuits'
//! machine code and run on several threads. Output is always in the order of the command line.

mod report;

use self::report::{Outcome, Report, Row};
use crate::arguments::EngineName;
use crate::kernels::run::arguments::RunArguments;
use crate::kernels::run::input::{Input, MOST_RUNS};
use crate::output::{print, print_json, progress_bar};
use flexgrip_opencl_host::Cpu;
use flexgrip_sim::engines::engine::processors;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::dump::Dump;
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::program::is_opencl_file;
use flexgrip_sim::in_order::in_order;
use flexgrip_sim::job::{Job, Ran};
use flexgrip_sim::trace::ending::Ending;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The placeholder for a run's name in file names.
const PLACE: &str = "{}";

/// One run of a batch.
enum Item {
    Kernel(PathBuf),
    Input(PathBuf),
    Seed(u64),
}

impl Item {
    /// The run's name in the table.
    fn name(&self) -> String {
        match self {
            Item::Kernel(path) | Item::Input(path) => path.display().to_string(),
            Item::Seed(seed) => format!("seed {seed}"),
        }
    }

    /// The run's name in file names: the name of the folder or file, or the seed.
    fn place(&self) -> String {
        let of_file = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match self {
            Item::Kernel(path) if path.file_name() == Some(OsStr::new("launch.toml")) => {
                path.parent().map_or_else(String::new, of_file)
            }
            Item::Kernel(path) | Item::Input(path) => of_file(path),
            Item::Seed(seed) => seed.to_string(),
        }
    }
}

/// The kernels or inputs to run, in the order of the command line.
fn items(arguments: &RunArguments) -> Result<Vec<Item>, Error> {
    let first = &arguments.machine.kernel.kernel;
    let kernels = std::iter::once(first).chain(&arguments.kernels);
    if arguments.batch.is_empty() {
        return Ok(kernels.cloned().map(Item::Kernel).collect());
    }
    if !arguments.kernels.is_empty() {
        return Err(Error::Usage(
            "--batch is for one kernel; expected one, before --batch".into(),
        ));
    }
    let mut items = Vec::new();
    for input in &arguments.batch {
        match input {
            Input::Seeds(first, last) => items.extend((*first..=*last).map(Item::Seed)),
            Input::Files(path) => items.extend(files(path)?.into_iter().map(Item::Input)),
        }
    }
    let seeds = items.iter().filter(|item| matches!(item, Item::Seed(_))).count();
    if seeds != 0 && seeds != items.len() {
        return Err(Error::Usage(
            "--batch has both seeds and files; expected only one of them".into(),
        ));
    }
    if items.len() as u64 > MOST_RUNS {
        return Err(Error::Usage(format!("--batch: more than {MOST_RUNS} runs")));
    }
    Ok(items)
}

/// The `.hex` files at a path: the file itself, or the files of a folder, sorted by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_input = |path: &Path| path.extension() == Some(OsStr::new("hex"));
    if !path.is_dir() {
        // An unreadable file fails only its own run, so it is not checked here.
        if is_input(path) {
            return Ok(vec![path.into()]);
        }
        let message =
            "expected .hex files with the launch's global memory, folders of them, or seeds such as 1-64 for OpenCL C";
        return Err(Error::Usage(format!("--batch {}: {message}", path.display())));
    }
    let unreadable = |error: io::Error| FileError::whole(path, format!("cannot read the folder: {error}"));
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(unreadable)?.into_iter().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| is_input(path)).collect();
    files.sort();
    match files.is_empty() {
        true => Err(FileError::whole(path, "there is no .hex file in this folder").into()),
        false => Ok(files),
    }
}

/// Refuses options for a single run: files that every run would overwrite, and output that runs would print at once.
fn check(arguments: &RunArguments, items: &[Item]) -> Result<(), Error> {
    let usage = |message: String| Err(Error::Usage(message));
    let machine = &arguments.machine;
    let one: [(&str, bool); 7] = [
        ("--wave", machine.wave.is_some()),
        ("--trace", machine.trace.is_some()),
        ("--timeline", arguments.timeline.is_some()),
        ("--save-at", arguments.save_at.is_some()),
        ("--from", arguments.from.is_some()),
        ("--stats", arguments.outcome.stats),
        ("--accesses", arguments.accesses),
    ];
    if let Some((name, _)) = one.iter().find(|(_, given)| *given) {
        return usage(format!(
            "{name} is for a single run; this command has {} runs",
            items.len()
        ));
    }
    if arguments.results.files().any(|file| file.is_none()) {
        return usage(format!(
            "--result is printed for one run only; expected N=FILE with {PLACE} in its name"
        ));
    }
    let dumps = arguments.outcome.dump.iter().map(|dump| dump.path.as_path());
    let mut files = dumps.chain(arguments.results.files().flatten()).peekable();
    if files.peek().is_some() {
        let mut places = BTreeSet::new();
        if let Some(twice) = items
            .iter()
            .map(Item::place)
            .find(|place| !places.insert(place.clone()))
        {
            return usage(format!(
                "two runs have the name `{twice}`, which would be the name of their files"
            ));
        }
    }
    match files.find(|path| !path.to_string_lossy().contains(PLACE)) {
        Some(path) => usage(format!(
            "every run would write {}; expected {PLACE} in the file name, in place of the run's name",
            path.display()
        )),
        None => Ok(()),
    }
}

/// The job that the runs of a batch share, with different inputs; `None` if each run has its own kernel.
fn base(arguments: &RunArguments, items: &[Item]) -> Result<Option<Job>, Error> {
    let path = &arguments.machine.kernel.kernel;
    let usage = |message: &str| Err(Error::Usage(message.into()));
    if arguments.batch.is_empty() {
        let kernels = std::iter::once(path).chain(&arguments.kernels);
        let given = arguments.source.is_given() || arguments.results.given().iter().any(|(_, given)| *given);
        return match kernels.into_iter().find(|path| given || is_opencl_file(path, false)) {
            None => Ok(None),
            Some(_) if given => {
                usage("options of OpenCL C apply to a single kernel; expected one kernel, or none of these options")
            }
            Some(path) => Err(Error::Usage(format!(
                "{}: a kernel in OpenCL C has options of its own and must be run alone; expected only launches",
                path.display()
            ))),
        };
    }
    let is_source = arguments.source.is_source(path, &arguments.results.given())?;
    match (is_source, matches!(items.first(), Some(Item::Seed(_)))) {
        (false, true) => {
            usage("--batch: seeds are for OpenCL C with random buffers; a launch takes .hex files, or folders of them")
        }
        (true, false) => {
            usage("--batch: .hex files are for launches; OpenCL C takes seeds of random buffers, such as 1-64")
        }
        _ => {
            let mut job = arguments.plan(is_source)?;
            if is_source && !job.reseed(&arguments.source.arguments, 0) {
                return usage(
                    "--batch: there is nothing random; expected a buffer such as --arg buffer:float:64=random",
                );
            }
            Ok(Some(job))
        }
    }
}

/// Plans a run. Called on the thread that runs it, so only the inputs of current runs are in memory.
fn job(arguments: &RunArguments, base: Option<&Job>, item: &Item) -> Result<Job, Error> {
    let job = match (base, item) {
        (Some(base), Item::Input(file)) => base.with_input(file)?,
        (Some(base), Item::Seed(seed)) => {
            let mut job = base.clone();
            job.reseed(&arguments.source.arguments, *seed);
            job
        }
        (_, Item::Kernel(path) | Item::Input(path)) => arguments.machine.load_from(path)?,
        // Seeds are refused without a source.
        (None, Item::Seed(seed)) => return Err(Error::Usage(format!("seed {seed}: nothing is random"))),
    };
    arguments.checked(job)
}

/// Runs the whole batch; false if any run fails.
pub fn run(arguments: &RunArguments) -> Result<bool, Error> {
    let engine = arguments.engine()?;
    let items = items(arguments)?;
    check(arguments, &items)?;
    let base = base(arguments, &items)?;
    let other = arguments.other(base.as_ref().is_some_and(|base| base.bound.is_some()))?;
    let wanted = arguments.jobs.flatten().unwrap_or_else(processors);
    let batch = Batch {
        arguments,
        engine,
        is_read: other.is_some() || !arguments.outcome.dump.is_empty() || arguments.results.files().next().is_some(),
        width: items
            .iter()
            .map(|item| item.name().chars().count())
            .max()
            .unwrap_or(0)
            .max(3),
        jobs: wanted.get().min(items.len()),
        items,
        base,
    };
    let start = Instant::now();
    let rows = batch.rows(other.as_ref())?;
    let report = Report::new(rows, batch.jobs, start.elapsed());
    match arguments.outcome.json {
        true => print_json(&report)?,
        false => print(&report.text())?,
    }
    Ok(report.failed == 0)
}

/// The data that all threads share.
struct Batch<'a> {
    arguments: &'a RunArguments,
    engine: EngineName,
    items: Vec<Item>,
    base: Option<Job>,
    /// Number of runs at the same time.
    jobs: usize,
    /// True if global memory is read after a run.
    is_read: bool,
    /// The width of names in the table.
    width: usize,
}

impl Batch<'_> {
    /// Runs all items; prints and writes their results in the order of the items.
    fn rows(&self, other: Option<&(Cpu, String)>) -> Result<Vec<Row>, Error> {
        let shown = !self.arguments.outcome.json;
        let (width, terminal) = (self.width, io::stdout().is_terminal());
        let bar = progress_bar(self.items.len() as u64, "runs");
        if shown {
            let titles = format!(
                "{:width$}  {:>13}  {:>17}  result\n",
                "run", "cycles", "warp instructions"
            );
            print(&titles)?;
        }
        let mut rows = Vec::new();
        let done = in_order(
            self.jobs,
            self.items.iter(),
            || self.engine.engine(),
            |engine, item| {
                let mut ran = job(self.arguments, self.base.as_ref(), item).and_then(|job| job.run(&mut **engine));
                // Many finished runs may wait for an earlier long one, so they drop memory that is not read.
                if let (false, Ok(ran)) = (self.is_read, &mut ran) {
                    (ran.report.global, ran.bound) = (Vec::new(), None);
                }
                bar.inc(1);
                (item, ran)
            },
            |(item, ran)| {
                let row = self.row(item, ran, other);
                if shown {
                    bar.suspend(|| print(&row.line(width, terminal)).and_then(|()| row.show_printed()))?;
                }
                rows.push(row);
                Ok(ControlFlow::Continue(()))
            },
        );
        bar.finish_and_clear();
        done.map(|()| rows)
    }

    fn row(&self, item: &Item, ran: Result<Ran, Error>, other: Option<&(Cpu, String)>) -> Row {
        let outcome = ran.and_then(|ran| self.finish(item, ran, other));
        Row {
            run: item.name(),
            outcome: outcome.unwrap_or_else(|error| Outcome::Refused {
                matches: false,
                error: error.to_string(),
            }),
        }
    }

    /// Compares a run's memory and writes its files, like for a single run.
    fn finish(&self, item: &Item, mut ran: Ran, other: Option<&(Cpu, String)>) -> Result<Outcome, Error> {
        let named = |path: &Path| PathBuf::from(path.to_string_lossy().replace(PLACE, &item.place()));
        if ran.report.ending == Ending::Complete {
            for dump in &self.arguments.outcome.dump {
                let path = named(&dump.path);
                Dump { path, ..dump.clone() }.write(&ran.report.global)?;
            }
        }
        self.arguments.compare(other, &mut ran)?;
        if let (Some(bound), None) = (&ran.bound, &ran.summary.error) {
            self.arguments.results.write(&bound.placed, &ran.report.global, named)?;
        }
        Ok(Outcome::Ran(Box::new(ran.summary)))
    }
}
