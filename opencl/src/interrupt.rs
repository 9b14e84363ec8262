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
            None => {
                let notes: Vec<String> = running().iter().filter_map(|kernel| kernel.note()).collect();
                if std::io::stderr().is_terminal() {
                    notes.iter().for_each(|note| say(note));
                }
            }
            // Again in each turn: one may have been about to begin.
            Some(_) => running().iter().for_each(|kernel| kernel.watch.stop()),
        }
        self.interrupted.is_some_and(|since| since.elapsed() > PATIENCE)
    }
}

impl Running {
    /// Where the warps are, once, if it has run for long.
    fn note(&self) -> Option<String> {
        match self.told.load(Ordering::Relaxed) {
            0 if self.since.elapsed() >= LONG => {
                self.watch.ask();
                self.told.store(1, Ordering::Relaxed);
                None
            }
            // The engine has had a turn's time for an answer.
            1 => {
                self.told.store(2, Ordering::Relaxed);
                Some((self.describe)(&self.watch.places()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_kernel_is_noted_once() {
        let since = |time: Duration| Running {
            watch: Arc::default(),
            since: Instant::now().checked_sub(time).expect("a clock that has run as long"),
            told: AtomicU8::new(0),
            describe: Box::new(|warps| format!("{} warps, at {:?}", warps.len(), warps.first().map(|warp| warp.pc))),
        };
        let short = since(LONG / 2);
        assert_eq!([short.note(), short.note()], [None, None]);
        let long = since(LONG);
        let mut engine = Watched::new(long.watch.clone());
        assert!(!engine.is_called());
        assert_eq!(long.note(), None);
        assert!(engine.is_called(), "asked for the places");
        let place = WarpPlace {
            sm: 0,
            block: 3,
            warp_in_block: 1,
            pc: 0x48,
        };
        assert!(!engine.answer(vec![place]), "it goes on");
        let notes = [long.note(), long.note()];
        assert_eq!(notes, [Some("1 warps, at Some(72)".into()), None]);
    }
}
