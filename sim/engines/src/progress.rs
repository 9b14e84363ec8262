//! The progress of a long run: one line on the terminal, redrawn by its own thread and erased when the run ends.
//!
//! The engine keeps a [`Progress`] up to date, at the cost of an occasional store. A [`Watch`] polls it ten times a
//! second. Without a watch, updates to a [`Progress`] are dropped.

use crate::files::output;
use flexgrip_machine::{WarpPlace, Watched};
use hdlkit::output::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Shorter runs show no progress line.
const DELAY: Duration = Duration::from_secs(1);
/// After this time, the places of the warps are printed once.
const LONG: Duration = Duration::from_secs(10);
/// The polling period.
const PERIOD: Duration = Duration::from_millis(100);
/// The spinner. Every terminal has these characters.
const SPINNER: [char; 4] = ['|', '/', '-', '\\'];

/// An engine's handle for reporting progress. Clones belong to the same run.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Shared>>);

struct Shared {
    /// Units counted so far in this stage.
    count: AtomicU64,
    stage: Mutex<Stage>,
    /// The line on the terminal, if any.
    bar: Mutex<Option<ProgressBar>>,
    /// Requests the warps' places from the engine.
    watch: Arc<flexgrip_machine::Watch>,
    /// Describes the warps' places, if the run has a description.
    describe: Mutex<Option<Describe>>,
}

/// Converts the places of warps to text.
type Describe = Box<dyn Fn(&[WarpPlace]) -> String + Send>;

/// The places of warps by source line, each with the number of warps there; a byte address if no line is known.
#[must_use]
pub fn described(places: &BTreeMap<u32, String>, warps: &[WarpPlace]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for warp in warps {
        // Instructions without a line of their own belong to the last line before them.
        let place = places.range(..=warp.pc).next_back().map(|(_, place)| place.clone());
        *counts
            .entry(place.unwrap_or_else(|| format!("PC {:#06x}", warp.pc)))
            .or_default() += 1;
    }
    let counts = counts.iter().map(|(place, count)| format!("{count} at {place}"));
    counts.collect::<Vec<_>>().join(", ")
}

/// A stage of an engine's work.
#[derive(Clone, Copy, Debug)]
struct Stage {
    what: &'static str,
    /// The counted unit; `None` if the stage counts nothing.
    unit: Option<&'static str>,
    since: Instant,
}

/// Locks a mutex even after a panic, because no panic can leave these values half updated.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress {
    /// Begins the next stage: its name, and the unit counted, such as `cycles`, if any.
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
    /// Watches a run that begins now, and draws on standard error. `engine` is its name, `what` its first stage. Draws
    /// nothing unless `wanted` and standard error is a terminal.
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
            watch: Arc::default(),
            describe: Mutex::new(None),
        });
        let progress = Progress(Some(shared.clone()));
        let (sender, receiver) = mpsc::channel();
        let draw = move || {
            let mut wait = DELAY;
            // `None`: places not requested; `Some(false)`: requested; `Some(true)`: printed.
            let mut asked: Option<bool> = None;
            for turn in SPINNER.into_iter().cycle() {
                if receiver.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
                shared.draw(engine, turn, start);
                wait = PERIOD;
                match (asked, start.elapsed() >= LONG) {
                    (None, true) => {
                        shared.watch.ask();
                        asked = Some(false);
                    }
                    // The engine has had one period to answer.
                    (Some(false), _) => {
                        shared.tell();
                        asked = Some(true);
                    }
                    _ => {}
                }
            }
            if let Some(bar) = lock(&shared.bar).take() {
                bar.finish_and_clear();
            }
        };
        // A run must not fail because its progress cannot be drawn.
        match thread::Builder::new().name("progress".into()).spawn(draw) {
            Ok(thread) => Watch {
                progress,
                thread: Some((sender, thread)),
            },
            Err(_) => unwatched,
        }
    }

    /// The progress, for the engine's options.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Returns the watch for the engine's options. The places of the warps are printed once, after ten seconds, in the
    /// words of `describe`.
    pub fn watched(&self, describe: impl Fn(&[WarpPlace]) -> String + Send + 'static) -> Watched {
        match &self.progress.0 {
            None => Watched::default(),
            Some(shared) => {
                *lock(&shared.describe) = Some(Box::new(describe));
                Watched::new(shared.watch.clone())
            }
        }
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
    /// Prints the places of the warps above the line. An engine in another process does not report any.
    fn tell(&self) {
        let places = self.watch.places();
        let describe = lock(&self.describe);
        let Some(describe) = describe.as_ref().filter(|_| !places.is_empty()) else {
            return;
        };
        let text = format!("after ten seconds, warps: {}; Ctrl-C ends the run", describe(&places));
        match lock(&self.bar).as_ref() {
            Some(bar) => bar.suspend(|| output::note(text)),
            None => output::note(text),
        }
    }

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

/// A duration in words.
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
    fn places_are_counted_by_line() {
        let places = BTreeMap::from([(8, "k.cl:2".to_string()), (16, "k.cl:3".to_string())]);
        let warps: Vec<WarpPlace> = [8, 12, 20, 0]
            .map(|pc| WarpPlace {
                sm: 0,
                block: 0,
                warp_in_block: 0,
                pc,
            })
            .to_vec();
        assert_eq!(described(&places, &warps), "1 at PC 0x0000, 2 at k.cl:2, 1 at k.cl:3");
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
