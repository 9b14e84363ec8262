//! Tests functions of one float with all 2^32 inputs.
//!
//! Each thread processes a part at a time. A work-item computes its input from its index. After each round of parts,
//! the state is written. The next run continues from it, unless the source of the functions or clang has changed.

use crate::frontend::Program;
use crate::functions::Function;
use crate::measure::Worst;
use crate::recorded::INPUTS;
use flexgrip_compiler::clang::{builtins_digest, Clang};
use flexgrip_compiler::launch::{Argument, IndexSpace};
use flexgrip_compiler::Compiled;
use flexgrip_machine::Configuration;
use flexgrip_model::Machine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Number of work-items of a work-group.
const GROUP: u32 = 256;

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The limits of a run.
pub struct Plan<'p> {
    /// Folder of the state, for one run at a time.
    pub folder: &'p Path,
    /// Number of inputs of a part: a power of two, at least 256.
    pub part: u64,
    /// Number of threads.
    pub jobs: usize,
    /// The time at which to stop.
    pub end: Option<Instant>,
    /// Number of rounds after which to stop.
    pub rounds: u64,
}

/// The progress of a function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    pub digest: String,
    pub clang: String,
    /// Number of inputs that are finished, starting with 0.
    pub inputs: u64,
    /// The largest error, in units in the last place. `at` is its input.
    pub ulp: f64,
    pub at: String,
    /// The time of all runs together.
    pub seconds: f64,
}

type State = BTreeMap<String, Progress>;

/// Returns the largest error of a part.
fn part(kernel: &Compiled, function: &Function, first: u64, count: u64) -> Result<Worst, Failure> {
    let arguments = [0, first as u32].map(|word| Argument::Value(word.to_le_bytes().to_vec()));
    let space = IndexSpace {
        dimensions: 1,
        offset: [0; 3],
        global: [count as u32, 1, 1],
        local: [GROUP, 1, 1],
    };
    let configuration = Configuration {
        global_bytes: (4 * count as u32).next_multiple_of(1 << 16),
        ..Configuration::default()
    };
    let launch = kernel.launches(&arguments, &space, 0)?.next().ok_or("a launch")?;
    let mut machine = Machine::new(launch, configuration)?;
    machine.run(u64::MAX)?;
    let mut worst = Worst::default();
    for (input, found) in (first..first + count).zip(machine.global().words()) {
        worst.add(function, &[input as u32], found);
    }
    Ok(worst)
}

/// Writes a new file and then renames it, so the file is complete even if the run is stopped.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let new = path.with_extension("new");
    std::fs::write(&new, text)?;
    std::fs::rename(new, path)?;
    Ok(())
}

/// Continues with a function until it is finished or a limit of the plan is reached.
pub fn go_on(clang: &Clang, function: &Function, plan: &Plan) -> Result<Progress, Failure> {
    std::fs::create_dir_all(plan.folder)?;
    let path = plan.folder.join("state.toml");
    let text = match path.exists() {
        true => std::fs::read_to_string(&path)?,
        false => String::new(),
    };
    let mut state: State = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let (digest, version) = (builtins_digest(), clang.version().line.clone());
    let known = state.remove(function.name);
    let known = known.filter(|known| known.digest == digest && known.clang == version);
    let mut progress = known.unwrap_or(Progress {
        digest,
        clang: version,
        inputs: 0,
        ulp: 0.0,
        at: String::new(),
        seconds: 0.0,
    });
    let text = format!(
        "kernel void all(global float *out, uint first) {{ uint i = get_global_id(0); float x = as_float(first + i); {} \
         out[i] = r; }}",
        function.statements()
    );
    let kernel = &Program::new(clang, &text, "").kernel("all");
    for _ in 0..plan.rounds {
        if progress.inputs == INPUTS || plan.end.is_some_and(|end| Instant::now() >= end) {
            break;
        }
        let start = Instant::now();
        let firsts = (0..plan.jobs as u64).map(|job| progress.inputs + plan.part * job);
        let firsts: Vec<u64> = firsts.take_while(|first| *first < INPUTS).collect();
        let parts: Vec<Result<Worst, Failure>> = std::thread::scope(|scope| {
            let threads = firsts
                .iter()
                .map(|&first| scope.spawn(move || part(kernel, function, first, plan.part)));
            let threads: Vec<_> = threads.collect();
            let ended = threads.into_iter().map(|thread| thread.join());
            ended
                .map(|ended| ended.unwrap_or_else(|_| Err("a thread panicked".into())))
                .collect()
        });
        for worst in parts {
            let worst = worst?;
            if worst.ulp > progress.ulp || progress.at.is_empty() {
                progress.ulp = worst.ulp;
                progress.at = worst.arguments.iter().map(|bits| format!("{bits:#010x}")).collect();
            }
        }
        progress.inputs += plan.part * firsts.len() as u64;
        progress.seconds += start.elapsed().as_secs_f64();
        state.insert(function.name.to_string(), progress.clone());
        write(&path, &toml::to_string(&state)?)?;
    }
    Ok(progress)
}
