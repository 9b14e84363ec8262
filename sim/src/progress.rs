//! The progress of a long run: one line on the terminal, redrawn by its own thread and erased when the run ends.
//!
//! The engine keeps a [`Progress`] up to date, at the cost of an occasional store. A [`Watch`] polls it ten times a
//! second. Without a watch, updates to a [`Progress`] are dropped.

use crate::files::output;
use crate::numbers::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Shorter runs show nothing.
const DELAY: Duration = Duration::from_secs(1);
/// The polling period.
const PERIOD: Duration = Duration::from_millis(100);
/// Turns while the run is alive; characters that every terminal has.
const SPINNER: [char; 4] = ['|', '/', '-', '\\'];

/// Where an engine reports its progress. Clones belong to the same run.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Shared>>);

struct Shared {
    /// Units counted so far in this stage.
    count: AtomicU64,
    stage: Mutex<Stage>,
    /// The line on the terminal, if any.
    bar: Mutex<Option<ProgressBar>>,
}

/// A stage of an engine's work.
#[derive(Clone, Copy, Debug)]
struct Stage {
    what: &'static str,
    /// The unit that is counted; `None` if nothing is.
    unit: Option<&'static str>,
    since: Instant,
}

/// Locks despite poison: a panic cannot leave these values half updated.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress {
    /// Begins the next stage: what is done, and the unit counted, such as `cycles`, if any.
    pub fn begin(&self, what: &'static str, unit: Option<&'static str>) {
        if let Some(shared) = &self.0 {
            *lock(&shared.stage) = Stage {
                what,
                unit,
                since: Instant::now(),
            };
            shared.count.store(0, Ordering::Relaxed);
        }
    }

    /// Sets the units counted so far in this stage.
    pub fn count(&self, count: u64) {
        if let Some(shared) = &self.0 {
            shared.count.store(count, Ordering::Relaxed);
        }
    }

    /// Like [`output::note`], above the line on the terminal.
    pub fn note(&self, text: impl fmt::Display) {
        let bar = self.0.as_ref().map(|shared| lock(&shared.bar));
        match bar.as_ref().and_then(|bar| bar.as_ref()) {
            Some(bar) => bar.suspend(|| output::note(text)),
            None => output::note(text),
        }
    }
}

/// Equal if both belong to the same run, or if neither is watched.
impl PartialEq for Progress {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for Progress {}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "watched" } else { "unwatched" })
    }
}

/// Shows the progress of a run until dropped.
pub struct Watch {
    progress: Progress,
    /// Dropping the sender ends the thread.
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Watch {
    /// Watches a run that begins now, on standard error. `engine`: its name; `what`: its first stage. Shows nothing
    /// unless `wanted` and standard error is a terminal.
    pub fn start(wanted: bool, engine: &'static str, what: &'static str) -> Self {
        let unwatched = Watch {
            progress: Progress::default(),
            thread: None,
        };
        if !wanted || !io::stderr().is_terminal() {
            return unwatched;
        }
        let start = Instant::now();
        let shared = Arc::new(Shared {
            count: AtomicU64::new(0),
            stage: Mutex::new(Stage {
                what,
                unit: None,
                since: start,
            }),
            bar: Mutex::new(None),
        });
        let progress = Progress(Some(shared.clone()));
        let (sender, receiver) = mpsc::channel();
        let draw = move || {
            let mut wait = DELAY;
            for turn in SPINNER.into_iter().cycle() {
                if receiver.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
                shared.draw(engine, turn, start);
                wait = PERIOD;
            }
            if let Some(bar) = lock(&shared.bar).take() {
                bar.finish_and_clear();
            }
        };
        // A run must not fail because it cannot be watched.
        match thread::Builder::new().name("progress".into()).spawn(draw) {
            Ok(thread) => Watch {
                progress,
                thread: Some((sender, thread)),
            },
            Err(_) => unwatched,
        }
    }

    /// For the engine's options.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            // Later output must wait until the line is erased. If the thread has failed, there is nothing to erase.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn draw(&self, engine: &str, turn: char, start: Instant) {
        let stage = *lock(&self.stage);
        let count = self.count.load(Ordering::Relaxed);
        let line = line(engine, &stage, count, start.elapsed(), stage.since.elapsed());
        let mut bar = lock(&self.bar);
        let bar = bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{wide_msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            ProgressBar::new_spinner().with_style(style)
        });
        bar.set_message(format!("{turn} {line}"));
    }
}

/// The line: engine, stage, count and rate, and the time since the start.
fn line(engine: &str, stage: &Stage, count: u64, elapsed: Duration, in_stage: Duration) -> String {
    let mut line = format!("{engine}: {}", stage.what);
    if let Some(unit) = stage.unit {
        line += &format!(", {} {unit}", grouped(count));
        let rate = count as f64 / in_stage.as_secs_f64();
        // A stage that has just begun has no rate yet.
        if in_stage >= PERIOD {
            line += &format!(", {} {unit}/s", grouped(rate as u64));
        }
    }
    line + ", " + &duration(elapsed)
}

/// A duration for people.
fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_how_much_and_how_fast() {
        let stage = |unit| Stage {
            what: "running",
            unit,
            since: Instant::now(),
        };
        let says = |unit, count, elapsed, in_stage| {
            let [elapsed, in_stage] = [elapsed, in_stage].map(Duration::from_millis);
            line("rtl", &stage(unit), count, elapsed, in_stage)
        };
        assert_eq!(
            says(Some("cycles"), 1_234_944, 12_600, 12_000),
            "rtl: running, 1,234,944 cycles, 102,912 cycles/s, 12 s"
        );
        assert_eq!(says(Some("cycles"), 0, 1000, 0), "rtl: running, 0 cycles, 1 s");
        assert_eq!(says(None, 7, 125_000, 1), "rtl: running, 2 min 5 s");
        assert_eq!(says(None, 7, 7_980_000, 1), "rtl: running, 2 h 13 min");
    }

    #[test]
    fn who_is_not_watched_says_nothing() {
        let progress = Watch::start(false, "rtl", "running").progress();
        progress.begin("running", Some("cycles"));
        progress.count(1);
        assert_eq!(progress, Progress::default());
        assert_eq!(format!("{progress:?}"), "unwatched");
    }
}
