//! A run of the C++ harness around the compiled Verilog: its job, process, events and result.

use crate::circuits::host::{launch_writes, local_layout};
use crate::engine::Options;
use crate::error::RunError;
use crate::files::hex::read_words;
use crate::trace::error::TraceError;
use crate::verilog::result::HarnessResult;
use flexgrip_machine::host_map::REGISTERS;
use flexgrip_machine::trace::Event;
use flexgrip_machine::{Launch, Watched};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The harness's job for a checked launch.
fn job(launch: &Launch, options: &Options) -> String {
    let mut text = format!(
        "memory-bytes {}\ndump-bytes {}\nmemory-latency {}\nmax-cycles {}\n",
        local_layout(launch, &options.configuration).end,
        options.configuration.global_bytes,
        options.memory_latency.max(1),
        options.max_cycles
    );
    for write in launch_writes(launch, options) {
        let register = REGISTERS.iter().find(|register| register.address == write.address);
        let _ = match register {
            Some(register) => writeln!(text, "write {} {:x}", register.name, write.data),
            None => writeln!(text, "write {:x} {:x}", write.address, write.data),
        };
    }
    text
}

/// The outputs requested from a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// The trace's events, as they happen.
    pub events: bool,
    /// Global memory after the run.
    pub memory: bool,
    /// The runs with faults, instead of a single run without faults, and the number that run at the same time: see
    /// `testbench/verilator/README.md`.
    pub faults: Option<(&'a str, NonZeroUsize)>,
}

/// A running harness. Its process is killed when the value is dropped.
pub struct Harness {
    child: Child,
    folder: TempDir,
    watched: Watched,
}

impl Harness {
    /// Starts a checked launch on a harness that was built for its machine. `scopes`: modules and signals of the
    /// Verilog for the waves requested by the options; empty for all.
    ///
    /// # Errors
    /// The job cannot be written, or the program cannot be started.
    pub fn start(
        program: &Path,
        launch: &Launch,
        options: &Options,
        scopes: &[String],
        wanted: Wanted,
    ) -> Result<Self, RunError> {
        let folder = tempfile::tempdir().map_err(RunError::io("cannot create a temporary folder"))?;
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("job.txt"), job(launch, options)).map_err(RunError::io("cannot write the job"))?;
        let mut command = Command::new(program);
        command.arg("--job").arg(path("job.txt"));
        command.arg("--result").arg(path("result.txt"));
        if wanted.memory {
            command.arg("--memory").arg(path("memory.hex"));
        }
        if let Some(wave) = &options.wave {
            command.arg("--wave").arg(&wave.path);
            command.args(["--wave-from", &wave.from.to_string(), "--wave-to", &wave.to.to_string()]);
            for scope in scopes {
                command.args(["--wave-scope", scope]);
            }
        }
        if wanted.events {
            command.args(["--events", "-"]);
        }
        if let Some((faults, jobs)) = wanted.faults {
            std::fs::write(path("faults.txt"), faults).map_err(RunError::io("cannot write the faults"))?;
            command.arg("--faults").arg(path("faults.txt"));
            command.args(["--jobs", &jobs.to_string()]);
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command
            .spawn()
            .map_err(RunError::io(format!("cannot run {}", program.display())))?;
        Ok(Harness {
            child,
            folder,
            watched: options.watched.clone(),
        })
    }

    /// The events of the run, for the caller to read; `None` if they have been taken before. `lanes` is the machine's
    /// number of lanes.
    pub fn events(&mut self, lanes: u32) -> Option<Events> {
        Some(Events {
            stream: BufReader::with_capacity(1 << 16, self.child.stdout.take()?),
            line: String::new(),
            lanes,
            cycle: 0,
        })
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for the end of the process, after its events have been read. `sms` is the machine's number of SMs.
    ///
    /// # Errors
    /// [`RunError::Bench`] with the harness's message or its exit status.
    pub fn finish(&mut self, sms: u32) -> Result<HarnessResult, RunError> {
        HarnessResult::parse(&self.finish_text()?, sms).map_err(RunError::Bench)
    }

    /// Like [`Harness::finish`], but returns the text of the result.
    ///
    /// # Errors
    /// The errors of [`Harness::finish`].
    pub fn finish_text(&mut self) -> Result<String, RunError> {
        let stderr = self.child.stderr.take();
        let (status, message) = thread::scope(|scope| {
            let message = scope.spawn(move || {
                let mut message = String::new();
                // Used only in the error below; may be missing.
                let _ = stderr.map(|mut stderr| stderr.read_to_string(&mut message));
                message
            });
            let status = self.wait();
            (status, message.join().unwrap_or_default())
        });
        let status = status.map_err(RunError::io("cannot wait for the harness"))?;
        if self.watched.is_stopped() {
            return Err(RunError::Bench("the run was interrupted".into()));
        }
        if !status.success() {
            let message = message.trim().trim_start_matches("harness: ");
            return Err(RunError::Bench(match message {
                "" => format!("the harness ended with {status}"),
                message => message.into(),
            }));
        }
        let text = std::fs::read_to_string(self.path("result.txt"));
        text.map_err(RunError::io("cannot read the harness's result"))
    }

    /// Waits for the end of the process; kills it if the watch stops the run.
    fn wait(&mut self) -> std::io::Result<ExitStatus> {
        if self.watched == Watched::default() {
            return self.child.wait();
        }
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if self.watched.is_stopped() {
                self.kill();
                return self.child.wait();
            }
            thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(64));
        }
    }

    /// Global memory after the run, if requested.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn memory(&self) -> Result<Vec<u32>, RunError> {
        Ok(read_words(&self.path("memory.hex"), "memory after the run")?)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The events of a harness, in order.
pub struct Events {
    stream: BufReader<ChildStdout>,
    line: String,
    lanes: u32,
    cycle: u64,
}

impl Events {
    /// Waits for the next event, and returns it with its cycle and its SM. `None` at the end of the output of the
    /// harness, whether it succeeded or failed.
    ///
    /// # Errors
    /// The harness wrote a line that is not an event.
    pub fn read(&mut self) -> Result<Option<(u64, u32, Event)>, RunError> {
        self.line.clear();
        let length = self.stream.read_line(&mut self.line);
        length.map_err(RunError::io("cannot read the harness's events"))?;
        // A killed harness may leave part of a line; its exit status is the better error.
        if !self.line.ends_with('\n') {
            return Ok(None);
        }
        let event = Event::parse(&self.line, self.lanes).map_err(|message| TraceError {
            cycle: self.cycle,
            message: format!("{message} in `{}`", self.line.trim()),
        })?;
        self.cycle = event.0;
        Ok(Some(event))
    }
}
