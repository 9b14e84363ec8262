//! Compaction of a self-test: deletes instructions as long as neither its detected faults nor its time get worse.
//!
//! ```text
//! grade ─> first detections ─> search: delete a block ─> assemble ─> model ─> circuits ─> its faults ─> keep or put back
//!                               └─ at the end of a pass: all faults ─> confirm, or find the block that loses some
//! ```
//! [`search`] decides, [`source`] deletes instructions, [`folder`] writes kernels, [`log`] records the attempts.

pub mod error;
pub mod folder;
pub mod log;
pub mod search;
pub mod source;

use super::grade::{How, Run};
use super::setup::Setup;
use super::unit::error::UnitError;
use error::CompactError;
use flexgrip_engines::engine::{Engine, Options};
use flexgrip_engines::error::RunError;
use flexgrip_engines::files::error::FileError;
use flexgrip_engines::files::launch::Kernel;
use flexgrip_engines::files::output::write_file;
use flexgrip_engines::model::ModelEngine;
use flexgrip_engines::native::snapshot::hash;
use flexgrip_engines::outside::IoError;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_faults::gates::grade::{Grade, Status};
use flexgrip_isa::assemble;
use flexgrip_machine::Launch;
use folder::Files;
use search::{Faults, Judge, Limits, Search, State, Trial};
use serde::{Deserialize, Serialize};
use source::AssemblySource;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The minimum time between two writes of the state.
const KEEP: Duration = Duration::from_secs(2);

/// The kernel to compact, with options.
pub struct Compaction<'a> {
    /// The machine, with the unit as gates, and the launch of the kernel.
    pub setup: Setup<'a>,
    /// The kernel to compact.
    pub kernel: &'a Kernel,
    /// The numbers of the prime faults.
    pub faults: &'a [usize],
    /// The options of the grade: the observed differences.
    pub how: How,
    /// The limits of the search: block size, passes and allowed loss.
    pub limits: Limits,
    /// The folder for the compacted kernel.
    pub folder: &'a Path,
}

/// The result of a compaction.
pub struct Compacted {
    /// The grade of the original kernel.
    pub before: Grade,
    /// The grade of the compacted kernel.
    pub after: Grade,
    /// The size of the original code in bytes.
    pub bytes_before: usize,
    /// The size of the compacted code in bytes.
    pub bytes_after: usize,
    /// The number of instructions of the original kernel.
    pub instructions_before: usize,
    /// The number of instructions of the compacted kernel.
    pub instructions_after: usize,
    /// The number of attempts, including attempts in earlier, interrupted runs.
    pub attempts: usize,
    /// The number of attempts that simulated all faults.
    pub confirmations: usize,
    /// The number of instructions that were deleted in the first pass.
    pub deleted_first: usize,
}

/// The contents of the state file.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// A hash of all inputs of the search.
    identity: String,
    state: State,
}

/// Compacts a kernel into a folder. `progress` is called with the number of attempts so far and the number of
/// instructions left.
///
/// # Errors
/// Any [`CompactError`].
pub fn compact(compaction: &Compaction, progress: &mut dyn FnMut(usize, usize)) -> Result<Compacted, CompactError> {
    let Compaction { kernel, faults, .. } = compaction;
    let files = Files::new(kernel)?;
    let program = kernel.path.display().to_string();
    let source = AssemblySource::new(files.text.clone()).map_err(|errors| {
        let first = errors.first().map(ToString::to_string).unwrap_or_default();
        FileError::whole(&kernel.path, first)
    })?;
    if let Some(instruction) = source.numeric_target() {
        return Err(CompactError::Target {
            path: program,
            line: source.line(instruction),
            text: source.instruction(instruction).into(),
        });
    }
    let identity = compaction.identity(&files);
    let known = known(compaction.folder, &identity)?;
    let work = tempfile::tempdir().map_err(IoError::of("cannot create a temporary folder"))?;
    let all: Vec<usize> = (0..source.len()).collect();
    let gates = compaction.setup.gates.ok_or(UnitError::NoGates)?;
    let testable = faults
        .iter()
        .copied()
        .filter(|fault| gates.list().untestable(*fault).is_none());
    let mut judge = Circuits {
        compaction,
        testable: testable.collect(),
        files: &files,
        source: &source,
        work: work.path(),
        identity,
        written: Instant::now(),
        progress,
    };
    let before = judge.graded(&all, faults)?;
    let first = judge.first_detections(&all, &before)?;
    let found = Search::new(&mut judge, compaction.limits, (before.cycles, first), known).run(source.len())?;
    let after = judge.graded(&found.kept, faults)?;
    let (text, candidate) = judge.candidate(&found.kept)?;
    let candidate = candidate?;
    let global = model(&candidate.launch, compaction.setup.options)?.ok_or(CompactError::Unlike)?;
    files.write(compaction.folder, &text, Some((&candidate, &global)))?;
    let about = |what: &str| format!("Coverage of the faults of {} by the {what} kernel", gates.unit().path);
    before.write(&compaction.folder.join("original"), &about("original"))?;
    after.write(&compaction.folder.join("compacted"), &about("compacted"))?;
    let log = &found.state.log;
    Ok(Compacted {
        bytes_before: 4 * kernel.launch.program.len(),
        bytes_after: 4 * candidate.launch.program.len(),
        instructions_before: source.len(),
        instructions_after: found.kept.len(),
        attempts: log.len(),
        confirmations: log.iter().filter(|attempt| attempt.block == 0).count(),
        deleted_first: {
            let last = log
                .iter()
                .rfind(|attempt| attempt.pass == 1 && attempt.verdict == log::Verdict::Proceed);
            source.len() - last.map_or(source.len(), |attempt| attempt.left)
        },
        before,
        after,
    })
}

impl Compaction<'_> {
    /// A hash of all inputs that the result depends on.
    fn identity(&self, files: &Files) -> String {
        let Compaction {
            setup,
            faults,
            how,
            limits,
            kernel,
            ..
        } = self;
        let how = (how.observe, &how.memory);
        let options = Options {
            gates: None,
            ..setup.options.clone()
        };
        let unit = setup.gates.map(|gates| gates.unit());
        let text = &files.text;
        hash(format!(
            "{:?}",
            (&kernel.launch, text, options, setup.factor, unit, faults, how, limits)
        ))
    }
}

/// The state that an interrupted run of the same compaction has left in the folder.
fn known(folder: &Path, identity: &str) -> Result<State, CompactError> {
    let wrong = |wrong| CompactError::Folder {
        folder: folder.display().to_string(),
        wrong,
    };
    let Ok(text) = std::fs::read_to_string(state_file(folder)) else {
        // A temporary file of a killed process does not count as other contents.
        let is_other = |name: &OsStr| !name.to_string_lossy().starts_with(".writing-");
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_empty = !files.into_iter().any(|file| is_other(&file.file_name()));
        return match is_empty {
            true => Ok(State::default()),
            false => Err(wrong("the folder has other files")),
        };
    };
    let kept: Kept =
        serde_json::from_str(&text).map_err(|_| wrong("its state.json is not the state of a compaction"))?;
    match kept.identity == identity {
        true => Ok(kept.state),
        false => Err(wrong(
            "the folder has the compaction of another kernel or with other options",
        )),
    }
}

fn state_file(folder: &Path) -> PathBuf {
    folder.join("state.json")
}

/// Global memory after a run on the golden model; `None` if the run fails.
fn model(launch: &Launch, options: &Options) -> Result<Option<Vec<u32>>, RunError> {
    let options = Options {
        gates: None,
        ..options.clone()
    };
    match ModelEngine.run(launch, &options, None) {
        Ok(report) => Ok((report.ending == Ending::Complete).then_some(report.global)),
        // The launch does not fit the machine: a program without instructions may be empty.
        Err(RunError::Launch(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Judges programs on model and circuits.
struct Circuits<'a, 'p> {
    compaction: &'a Compaction<'a>,
    testable: Vec<usize>,
    files: &'a Files,
    source: &'a AssemblySource,
    /// The folder for candidates.
    work: &'a Path,
    identity: String,
    written: Instant,
    progress: &'p mut dyn FnMut(usize, usize),
}

impl Circuits<'_, '_> {
    /// The text of a candidate program, and the kernel with it.
    fn candidate(&self, kept: &[usize]) -> Result<(String, Result<Kernel, FileError>), IoError> {
        let text = self.source.with(kept);
        let mut kernel = self.files.load(self.work, &text)?;
        if let Ok(kernel) = &mut kernel {
            kernel.launch.unaligned_code |= self.compaction.kernel.launch.unaligned_code;
        }
        Ok((text, kernel))
    }

    fn graded(&self, kept: &[usize], faults: &[usize]) -> Result<Grade, CompactError> {
        let kernel = self.candidate(kept)?.1?;
        let setup = Setup {
            launch: &kernel.launch,
            ..self.compaction.setup
        };
        let run = Run::new(&setup)?;
        let expected = model(&kernel.launch, setup.options)?;
        if expected.is_none_or(|expected| expected != run.global()) {
            return Err(CompactError::Unlike);
        }
        Ok(run.grade(faults, &self.compaction.how)?)
    }

    /// The faults that a program detects, with the number of the first instruction that detects each.
    fn first_detections(&self, kept: &[usize], grade: &Grade) -> Result<BTreeMap<usize, Option<usize>>, CompactError> {
        let program = assemble(&self.source.with(kept), "").unwrap_or_default();
        let pcs = program.instructions.iter().map(|(pc, _)| *pc);
        let numbers: BTreeMap<u32, usize> = pcs.zip(kept.iter().copied()).collect();
        let detected = grade.faults.iter().filter(|fault| fault.status.is_detected(false));
        let first = detected.map(|fault| {
            let pc = fault.first.as_ref().and_then(|first| first.pc);
            (fault.id, pc.and_then(|pc| numbers.get(&pc).copied()))
        });
        debug_assert!(grade
            .faults
            .iter()
            .all(|fault| fault.status != Status::Untestable || fault.first.is_none()));
        Ok(first.collect())
    }
}

impl Judge for Circuits<'_, '_> {
    type Error = CompactError;

    fn judge(&mut self, kept: &[usize], faults: Faults, cycles: u64) -> Result<Trial, CompactError> {
        let mut trial = Trial::default();
        let Ok(kernel) = self.candidate(kept)?.1 else {
            return Ok(trial);
        };
        let options = Options {
            // The limit ends programs in an endless loop early. An SM issues at most one warp instruction in each
            // cycle.
            max_cycles: (2 * cycles + 1000) * u64::from(self.compaction.setup.options.configuration.sms),
            ..self.compaction.setup.options.clone()
        };
        if kernel.check(&options.configuration).is_err() {
            return Ok(trial);
        }
        trial.compiles = true;
        let Some(expected) = model(&kernel.launch, &options)? else {
            return Ok(trial);
        };
        let setup = Setup {
            launch: &kernel.launch,
            options: &options,
            ..self.compaction.setup
        };
        let run = match Run::new(&setup) {
            Ok(run) => run,
            // The model finds no error, so the program exceeds the time limit or depends on the order of warps.
            Err(UnitError::Run(RunError::Kernel(_) | RunError::OffBoundary(_) | RunError::Launch(_))) => {
                return Ok(trial);
            }
            Err(error) => return Err(error.into()),
        };
        trial.runs = run.global() == expected;
        if !trial.runs {
            return Ok(trial);
        }
        trial.cycles = Some(run.cycles());
        if run.cycles() > cycles {
            return Ok(trial);
        }
        let faults = match faults {
            Faults::All => &self.testable,
            Faults::These(faults) => faults,
        };
        let grade = run.grade(faults, &self.compaction.how)?;
        trial.first = Some(self.first_detections(kept, &grade)?);
        Ok(trial)
    }

    fn line(&self, instruction: usize) -> usize {
        self.source.line(instruction)
    }

    fn weight(&self, fault: usize) -> u64 {
        self.compaction.setup.gates.map_or(1, |gates| gates.equivalent(fault)) as u64
    }

    fn keep(&mut self, state: &State, now: bool) -> Result<(), CompactError> {
        let left = state
            .log
            .iter()
            .rfind(|attempt| attempt.verdict == log::Verdict::Proceed);
        (self.progress)(state.log.len(), left.map_or(self.source.len(), |attempt| attempt.left));
        if !now && self.written.elapsed() < KEEP {
            return Ok(());
        }
        self.written = Instant::now();
        let kept = Kept {
            identity: self.identity.clone(),
            state: state.clone(),
        };
        let json = serde_json::to_string(&kept).map_err(std::io::Error::from);
        let json = json.map_err(IoError::of("cannot write JSON"))?;
        write_file(&state_file(self.compaction.folder), &json)?;
        let faults = self.compaction.faults.iter().map(|fault| self.weight(*fault)).sum();
        let name = self.compaction.kernel.path.display().to_string();
        Ok(log::write(
            &self.compaction.folder.join("log.csv"),
            &state.log,
            &name,
            faults,
        )?)
    }
}
