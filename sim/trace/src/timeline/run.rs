//! The run's side of a timeline. Another thread writes the file, so on two processors the run hardly waits.
//!
//! ```text
//! run ── full batches ──> writer     at most BATCHES of them are queued: then the run waits
//!     <── empty ones ────
//! ```

use crate::timeline::batch::{Batch, TimelineStep};
use crate::timeline::file::{TimelineError, TimelineFile};
use crate::timeline::output::Output;
use crate::timeline::writer::{Machine, Writer};
use crate::times::Times;
use flexgrip_machine::Retire;
use std::panic::resume_unwind;
use std::sync::mpsc::{channel, sync_channel, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

/// The steps of a batch, or somewhat more.
const STEPS: usize = 2048;
/// Maximum number of batches in the queue.
const BATCHES: usize = 4;

/// A timeline that is written during the run. Unless it is closed, its file is removed.
pub struct Timeline {
    /// The steps that have not been sent.
    batch: Batch,
    /// The queue to the writer; `None` after the last batch.
    full: Option<SyncSender<Batch>>,
    empty: Receiver<Batch>,
    writer: Option<JoinHandle<Result<(), TimelineError>>>,
}

impl Timeline {
    /// Creates the file, and starts the writer thread.
    ///
    /// # Errors
    /// The file cannot be created, or the thread cannot be started.
    pub fn create(file: &TimelineFile, machine: Machine) -> Result<Self, TimelineError> {
        let output = Output::create(&file.path)?;
        let (full, batches) = sync_channel(BATCHES);
        let (emptied, empty) = channel();
        let file = file.clone();
        let write = move || Writer::new(file, machine, output).write_all(&batches, &emptied);
        let thread = thread::Builder::new().name("timeline".into()).spawn(write);
        Ok(Timeline {
            batch: Batch::default(),
            full: Some(full),
            empty,
            writer: Some(thread.map_err(TimelineError::Thread)?),
        })
    }

    /// Records that a warp begins on an SM. Not needed for an engine without a clock: there a warp begins with its
    /// first instruction.
    pub fn launched(&mut self, sm: u32, time: u64) {
        self.batch.steps.push(TimelineStep::Launched { sm, time });
    }

    /// Adds a record, with its times if the engine has a clock, in the order of issue for each SM. Writes of registers
    /// are not needed in the record.
    pub fn record(&mut self, record: &Retire, times: Option<&Times>) {
        self.batch.record(record, times);
    }

    /// Declares that all further records belong to instructions issued at `time` or later, so earlier ones can be
    /// written.
    ///
    /// # Errors
    /// An earlier write failed; the file is removed.
    pub fn passed(&mut self, time: u64) -> Result<(), TimelineError> {
        self.batch.steps.push(TimelineStep::Passed(time));
        if self.batch.steps.len() < STEPS {
            return Ok(());
        }
        self.hand_over()
    }

    fn hand_over(&mut self) -> Result<(), TimelineError> {
        let next = self.empty.try_recv().unwrap_or_default();
        let batch = std::mem::replace(&mut self.batch, next);
        match &self.full {
            Some(full) if full.send(batch).is_ok() => Ok(()),
            // The writer has ended, because of an error.
            _ => self.ended(),
        }
    }

    /// Waits until the writer has ended, and returns its result.
    fn ended(&mut self) -> Result<(), TimelineError> {
        self.full = None;
        match self.writer.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(panic)) => resume_unwind(panic),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// The file cannot be written; it is removed.
    pub fn close(mut self) -> Result<(), TimelineError> {
        self.batch.last = true;
        self.hand_over()?;
        self.ended()
    }
}

impl Drop for Timeline {
    /// Without the last batch the writer removes the file.
    fn drop(&mut self) {
        self.full = None;
        if let Some(writer) = self.writer.take() {
            // A drop cannot report an error.
            let _ = writer.join();
        }
    }
}
