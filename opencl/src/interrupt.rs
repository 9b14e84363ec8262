//! Ctrl-C while a call waits for a kernel: the kernel is stopped, and the call returns.
//!
//! A program such as Python has its own SIGINT handler, which only sets a flag that is checked after the call. So while
//! a call waits, our handler runs before the program's handler, and then calls it. Without a handler, the signal ends
//! the program as usual. Running kernels are stopped, commands that were enqueued before the signal are not started,
//! and commands that wait for them get their error.

use crate::error::say;
use crate::native::signal::Before;
use flexgrip_machine::{WarpPlace, Watch, Watched};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The interval at which a waiting call checks for an interrupt.
pub const TURN: Duration = Duration::from_millis(50);
/// The time that an interrupted call waits for its command, which may depend on a user event that never ends.
pub const PATIENCE: Duration = Duration::from_millis(500);
/// The running time after which a kernel is reported, if the output is a terminal.
const LONG: Duration = Duration::from_secs(10);

/// The number of interrupts: a command that was enqueued before the last one is not started.
static EPOCH: AtomicU64 = AtomicU64::new(0);
/// The running kernels.
static RUNNING: Mutex<Vec<Arc<Running>>> = Mutex::new(Vec::new());

/// The number of interrupts so far.
pub fn epoch() -> u64 {
    EPOCH.load(Ordering::Relaxed)
}

/// Describes the positions of warps in words.
type Describe = Box<dyn Fn(&[WarpPlace]) -> String + Send + Sync>;

/// A running kernel.
pub struct Running {
    watch: Arc<Watch>,
    since: Instant,
    /// 0 at first, 1 after the positions of the warps were requested, 2 after they were reported.
    told: AtomicU8,
    describe: Describe,
}

/// Removes a kernel from the list when dropped.
pub struct Registered(Arc<Running>);

fn running() -> MutexGuard<'static, Vec<Arc<Running>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registered {
    /// Adds a kernel to the list. `describe` puts the positions of its warps into words.
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

    /// Returns the watch for the engine.
    pub fn watched(&self) -> Watched {
        Watched::new(self.0.watch.clone())
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        running().retain(|other| !Arc::ptr_eq(other, &self.0));
    }
}

/// The state of a waiting call.
pub struct InterruptibleWait {
    handler: Before,
    /// The time of the interrupt, if there was one.
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

    /// Called every [`TURN`]. Returns true if the call must return now.
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
            // The request is repeated in each turn, because a kernel may have started since the last turn.
            Some(_) => running().iter().for_each(|kernel| kernel.watch.stop()),
        }
        self.interrupted.is_some_and(|since| since.elapsed() > PATIENCE)
    }
}

impl Running {
    /// Describes the positions of the warps, once, after the kernel has run for [`LONG`].
    fn note(&self) -> Option<String> {
        match self.told.load(Ordering::Relaxed) {
            0 if self.since.elapsed() >= LONG => {
                self.watch.ask();
                self.told.store(1, Ordering::Relaxed);
                None
            }
            // The engine has had one turn to answer.
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
    fn long_kernel_is_reported_once() {
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
        assert!(!engine.answer(vec![place]), "the kernel continues");
        let notes = [long.note(), long.note()];
        assert_eq!(notes, [Some("1 warps, at Some(72)".into()), None]);
    }
}
