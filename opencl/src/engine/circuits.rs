//! The circuits and Verilator as engines.

use super::device::{Engine, Kind};
use super::stop::Stop;
use flexgrip_compiler::launch::words;
use flexgrip_engines::engine::{Engine as _, Options};
use flexgrip_engines::native::rtl::RtlEngine;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_engines::verilog::verilator::VerilatorEngine;
use flexgrip_machine::{Launch, Watched};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Folder for Verilator's programs, in the working folder; `FLEXGRIP_BUILD` overrides it, as for `flexgrip`.
const BUILD: &str = "build";

/// A single engine for all runs, because it caches its builds.
static VERILATOR: LazyLock<Mutex<VerilatorEngine>> = LazyLock::new(Mutex::default);

/// Runs a launch on the circuits, and returns the clock cycles.
pub(super) fn run(
    engine: Engine,
    launch: &Launch,
    memory: &mut Vec<u8>,
    limit: u64,
    watched: Watched,
) -> Result<u64, Stop> {
    let options = Options {
        configuration: engine.machine(memory.len() as u32),
        max_cycles: limit,
        memory: Some(words(memory)),
        watched,
        build: std::env::var_os("FLEXGRIP_BUILD").map_or(PathBuf::from(BUILD), PathBuf::from),
        ..Options::default()
    };
    let report = match engine.kind {
        Kind::Verilator => {
            let mut verilator = VERILATOR.lock().unwrap_or_else(PoisonError::into_inner);
            verilator.run(launch, &options, None)
        }
        Kind::Model | Kind::Rtl => RtlEngine.run(launch, &options, None),
    };
    let report = report.map_err(|error| Stop::Engine(error.to_string()))?;
    let bytes = report.global.iter().flat_map(|word| word.to_le_bytes());
    let len = memory.len();
    memory.clear();
    memory.extend(bytes.take(len));
    memory.resize(len, 0);
    match report.ending {
        Ending::Complete => Ok(report.cycles.unwrap_or(0)),
        Ending::Failed(error) => Err(Stop::Kernel(error)),
        other => Err(Stop::Engine(format!("the run did not end: {other:?}"))),
    }
}
