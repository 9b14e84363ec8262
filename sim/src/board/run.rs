//! Runs a kernel on a board: loads it over the line, starts it, waits, and reads the results back.
//!
//! The chip gets the same writes as from any host ([`flexgrip_engines::circuits::host`]). Its memories are first filled
//! with zeros, because the board may have run other kernels before.
//!
//! ```text
//! kernel ──> launch_writes ──> bursts ──> Client: frames, answers, retries ──> Line: serial port, or a command's pipes
//! ```

use crate::board::client::{runs, Client};
use crate::board::error::BoardError;
use crate::board::line::Line;
use flexgrip_engines::circuits::host::{launch_writes, local_layout, HostStatus};
use flexgrip_engines::engine::{Coalescing, Options};
use flexgrip_engines::files::dump::Dump;
use flexgrip_engines::files::expectation::initial_global;
use flexgrip_engines::files::launch::Kernel;
use flexgrip_engines::outcome::counters::SmCounters;
use flexgrip_engines::outcome::RunReport;
use flexgrip_engines::trace::ending::{Ending, OutOfTime};
use flexgrip_hdl::board::protocol::Identification;
use flexgrip_machine::host_map as map;
use flexgrip_machine::sizes::CONSTANT_BANK_BYTES;
use flexgrip_machine::{Configuration, ImageSpace, Launch};
use std::time::{Duration, Instant};

/// The default time limit of a grid, in seconds.
pub const GRID_SECONDS: f64 = 600.0;
/// Global memory, followed by the threads' local memories.
const GLOBAL_AND_LOCAL: &str = "global memory and the threads' local memories";
/// The smallest global memory of a machine.
const LEAST_GLOBAL_BYTES: u64 = 64;
/// A request may read up to this many unneeded words in a row, which is cheaper than a second request.
const WORTHWHILE_GAP: usize = 4;

/// Options of a run on a board.
#[derive(Clone, Debug)]
pub struct BoardOptions {
    /// The rule by which global accesses are coalesced into requests.
    pub coalescing: Coalescing,
    /// Bytes of global memory for the kernel; `None` for as much as fits.
    pub global_bytes: Option<u32>,
    /// The time limit of the grid.
    pub grid_time: Duration,
}

impl Default for BoardOptions {
    fn default() -> Self {
        BoardOptions {
            coalescing: Coalescing::Segment,
            global_bytes: None,
            grid_time: Duration::from_secs_f64(GRID_SECONDS),
        }
    }
}

/// Checks that `needed` bytes fit; the error gives the bytes needed and available.
fn fits(what: &'static str, needed: u64, available: u32) -> Result<(), BoardError> {
    if needed > u64::from(available) {
        return Err(BoardError::TooLarge {
            what,
            needed,
            available,
        });
    }
    Ok(())
}

/// The largest global memory, in bytes, for a checked launch on a machine with `bytes` of memory, which also holds the
/// threads' local memories.
fn global_room(launch: &Launch, configuration: &Configuration, bytes: u32) -> Result<u32, BoardError> {
    let whole = Configuration {
        global_bytes: bytes,
        ..configuration.clone()
    };
    let local = local_layout(launch, &whole).end - u64::from(bytes);
    fits(GLOBAL_AND_LOCAL, local + LEAST_GLOBAL_BYTES, bytes)?;
    Ok(bytes - local as u32)
}

/// Checks that a checked launch fits into a board's memories.
fn check_room(launch: &Launch, board: &Identification, configuration: &Configuration) -> Result<(), BoardError> {
    let instructions = 4 * launch.program.len() as u64;
    fits("its instructions", instructions, board.instruction_bytes)?;
    for image in &launch.memory {
        let end = u64::from(image.address) + 4 * image.words.len() as u64;
        match image.space {
            ImageSpace::Constant { bank } => {
                let start = u64::from(bank) * u64::from(CONSTANT_BANK_BYTES);
                fits("its constants", start + end, board.constant_bytes)?;
            }
            ImageSpace::Global => fits("its global memory's contents", end, board.global_bytes)?,
        }
    }
    fits(
        GLOBAL_AND_LOCAL,
        local_layout(launch, configuration).end,
        board.global_bytes,
    )
}

/// Runs a kernel on the board at the other end of a line. The report has the words of global memory named by the
/// kernel's expectations and `dumps`, or all of it if an expectation is exact; other words are from before the run.
///
/// # Errors
/// The line or the board fails, or the kernel does not fit. A kernel that fails or exceeds its time is not an error
/// here; after a timeout the grid is stopped and its counters are read, but no memory.
pub fn run<L: Line>(
    client: &mut Client<L>,
    kernel: &Kernel,
    dumps: &[Dump],
    options: &BoardOptions,
) -> Result<(RunReport, Configuration), BoardError> {
    let launch = &kernel.launch;
    let board = client.identify()?;
    let mut configuration = client.machine(board.registers, map::GLOBAL_BYTES)?;
    // Reject launches that no machine can run; only checked launches have a memory layout.
    kernel.check(&configuration)?;
    configuration.global_bytes = match options.global_bytes {
        Some(bytes) => bytes,
        None => global_room(launch, &configuration, board.global_bytes)?,
    };
    check_room(launch, &board, &configuration)?;
    kernel.check(&configuration)?;
    dumps
        .iter()
        .try_for_each(|dump| dump.check(configuration.global_bytes))?;

    // A grid of an earlier run may still be running.
    client.abort()?;
    client.fill(map::CONSTANT_BASE, board.constant_bytes, 0)?;
    client.fill(map::GLOBAL_BASE, board.global_bytes, 0)?;
    let mut burst: (u32, Vec<u32>) = (0, Vec::new());
    let loaded = Options {
        configuration: configuration.clone(),
        coalescing: options.coalescing,
        ..Options::default()
    };
    for write in launch_writes(launch, &loaded) {
        if write.address != burst.0.wrapping_add(4 * burst.1.len() as u32) {
            client.write(burst.0, &burst.1)?;
            burst = (write.address, Vec::new());
        }
        burst.1.push(write.data);
    }
    client.write(burst.0, &burst.1)?;

    let clock = Instant::now();
    client.start()?;
    let in_time = client.wait(options.grid_time)?.is_some();
    let wall = clock.elapsed();
    if !in_time {
        client.abort()?;
    }
    let status = HostStatus::from_words(client.registers(HostStatus::REGISTERS)?);
    let mut counters = Vec::new();
    for sm in 0..configuration.sms {
        match read_counters(client, sm) {
            Ok(read) => counters.push(read),
            // After a timeout, report the counters that can be read.
            Err(_) if !in_time => break,
            Err(error) => return Err(error),
        }
    }
    let mut global = initial_global(launch, configuration.global_bytes as usize / 4);
    if !in_time {
        let (time, cycles) = (options.grid_time, status.cycles);
        let ending = Ending::OutOfTime(OutOfTime { time, cycles });
        let report = RunReport::of_machine(ending, cycles, counters, global, wall);
        return Ok((report, configuration));
    }
    let ending = match status.kernel_error(launch).map_err(BoardError::Bench)? {
        Some(error) => Ending::Failed(error),
        None => Ending::Complete,
    };
    if ending == Ending::Complete && status.status & map::STATUS_BUS_ERROR != 0 {
        return Err(BoardError::Memory { status: status.status });
    }
    for (first, count) in wanted(kernel, dumps, global.len()) {
        let words = client.read(map::GLOBAL_BASE + 4 * first as u32, count)?;
        global[first..first + count].copy_from_slice(&words);
    }
    let report = RunReport::of_machine(ending, status.cycles, counters, global, wall);
    Ok((report, configuration))
}

/// Reads the counters of an SM.
fn read_counters<L: Line>(client: &mut Client<L>, sm: u32) -> Result<SmCounters, BoardError> {
    let words = client.read(map::COUNTER_BASE + sm * map::COUNTER_STRIDE, 2 * map::SM_COUNTERS)?;
    SmCounters::read(|counter| {
        let place = 2 * counter as usize;
        Ok(u64::from(words[place + 1]) << 32 | u64::from(words[place]))
    })
}

/// The words of global memory to read back, as runs (first, length).
fn wanted(kernel: &Kernel, dumps: &[Dump], words: usize) -> Vec<(usize, usize)> {
    if kernel.expectations.iter().any(|expectation| expectation.exact) {
        return vec![(0, words)];
    }
    let expected = kernel.expectations.iter().flat_map(|expectation| &expectation.words);
    let expected = expected.map(|entry| entry.address as usize / 4);
    let dumped = dumps.iter().flat_map(|dump| {
        let end = dump.address as usize + dump.bytes as usize;
        dump.address as usize / 4..end.div_ceil(4)
    });
    runs(expected.chain(dumped).filter(|word| *word < words), WORTHWHILE_GAP)
}
