//! Ctrl-C while a call waits for a kernel: the kernel is stopped, and the call returns.
//!
//! A program such as Python has a handler of its own for SIGINT that only sets a flag, for which it looks when the call has
//! returned. So while a call waits, our handler stands before the program's, and calls it. Without a handler the program ends at
//! once, as it always did. Kernels that run stop, commands that were enqueued before are not begun any more, and what waits for
//! them gets their error.

use crate::abi::signal::Before;
use crate::error::say;
use flexgrip_machine::{WarpPlace, Watch, Watched};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a waiting call looks whether it was interrupted.
pub const TURN: Duration = Duration::from_millis(50);
/// How long an interrupted call waits for the end of what it waits for, which may never come: an event of the application.
pub const PATIENCE: Duration = Duration::from_millis(500);
/// A kernel that runs as long as this is said to run, on a terminal.
const LONG: Duration = Duration::from_secs(10);

/// Counts interrupts: a command that was enqueued before the last one is not begun.
static EPOCH: AtomicU64 = AtomicU64::new(0);
/// The kernels that run.
static RUNNING: Mutex<Vec<Arc<Running>>> = Mutex::new(Vec::new());

/// The number of interrupts so far.
pub fn epoch() -> u64 {
    EPOCH.load(Ordering::Relaxed)
}

/// Says in words where warps are.
type Describe = Box<dyn Fn(&[WarpPlace]) -> String + Send + Sync>;

/// A kernel that runs.
pub struct Running {
    watch: Arc<Watch>,
    since: Instant,
    /// 0, then 1 when it was asked where its warps are, then 2 when that was said.
    told: AtomicU8,
    describe: Describe,
}

/// Takes a kernel out of the list at its end.
pub struct Registered(Arc<Running>);

fn running() -> MutexGuard<'static, Vec<Arc<Running>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registered {
    /// A kernel begins. `describe` says where its warps are.
    pub fn new(describe: Describe) -> Self {
        let kernel = Arc::new(Running {
            watch: Arc::default(),
            since: Instant::now(),
            told: AtomicU8::new(0),
            describe,
        });
        running().push(kernel.clone());
        Registered(kernel)
    }

    /// For the engine.
    pub fn watched(&self) -> Watched {
        Watched::new(self.0.watch.clone())
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        running().retain(|other| !Arc::ptr_eq(other, &self.0));
    }
}

/// A call that waits.
pub struct InterruptibleWait {
    handler: Before,
    /// When it was interrupted.
    interrupted: Option<Instant>,
}

impl InterruptibleWait {
    /// Begins to wait.
    pub fn begin() -> Self {
        InterruptibleWait {
            handler: Before::begin(),
            interrupted: None,
        }
    }

    /// What is to be done every [`TURN`]. Returns true if the call is to return, whatever it waits for.
    pub fn turn(&mut self) -> bool {
        if self.interrupted.is_none() && self.handler.is_called() {
            self.interrupted = Some(Instant::now());
            EPOCH.fetch_add(1, Ordering::Relaxed);
        }
        match self.interrupted {
            None => running().iter().for_each(|kernel| kernel.tell()),
            // Again in each turn: one may have been about to begin.
            Some(_) => running().iter().for_each(|kernel| kernel.watch.stop()),
        }
        self.interrupted.is_some_and(|since| since.elapsed() > PATIENCE)
    }
}

impl Running {
    /// Says where the warps are, once, if it has run for long and somebody can read it.
    fn tell(&self) {
        match self.told.load(Ordering::Relaxed) {
            0 if self.since.elapsed() >= LONG => {
                self.watch.ask();
                self.told.store(1, Ordering::Relaxed);
            }
            // The engine has had a turn's time for an answer.
            1 => {
                self.told.store(2, Ordering::Relaxed);
                if std::io::stderr().is_terminal() {
                    say(&(self.describe)(&self.watch.places()));
                }
            }
            _ => {}
        }
    }
}
