//! A run as another thread sees it: it can ask where the warps are, and stop the run.
//!
//! An engine looks at one word from time to time, which costs nothing that can be measured. Only after a call does
//! it answer.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The call that stops a run. Any other number is a question for places, new for each.
const STOP: u32 = u32::MAX;

/// Where a warp is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpPlace {
    /// The SM that runs it.
    pub sm: u32,
    /// Linear index of its block.
    pub block: u32,
    /// Its index in the block.
    pub warp_in_block: u32,
    /// Byte address of the instruction that it executes next, or has issued last.
    pub pc: u32,
}

/// The side of who watches a run.
#[derive(Debug, Default)]
pub struct Watch {
    call: AtomicU32,
    seen: Mutex<Vec<WarpPlace>>,
}

impl Watch {
    /// Ends the run soon: its ending is [`crate::ErrorKind::Interrupted`].
    pub fn stop(&self) {
        self.call.store(STOP, Ordering::Relaxed);
    }

    /// True after [`Watch::stop`].
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.call.load(Ordering::Relaxed) == STOP
    }

    /// Asks where the warps are; [`Watch::places`] has the answer soon after.
    pub fn ask(&self) {
        self.seen().clear();
        let next = |call| (call != STOP).then(|| (call + 1) % STOP);
        // A run that is being stopped answers by itself.
        let _ = self.call.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    }

    /// The answers since the last question. An engine that runs blocks on several threads answers for each.
    #[must_use]
    pub fn places(&self) -> Vec<WarpPlace> {
        self.seen().clone()
    }

    fn seen(&self) -> MutexGuard<'_, Vec<WarpPlace>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The engine's side. By default there is no watcher.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    watch: Option<Arc<Watch>>,
    answered: u32,
}

/// Equal if both are watched by the same, or neither is watched.
impl PartialEq for Watched {
    fn eq(&self, other: &Self) -> bool {
        match (&self.watch, &other.watch) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for Watched {}

impl Watched {
    /// Watched by this.
    #[must_use]
    pub fn new(watch: Arc<Watch>) -> Self {
        Watched {
            watch: Some(watch),
            answered: 0,
        }
    }

    /// True if a call waits for an answer.
    #[inline]
    #[must_use]
    pub fn is_called(&self) -> bool {
        match &self.watch {
            None => false,
            Some(watch) => watch.call.load(Ordering::Relaxed) != self.answered,
        }
    }

    /// Answers with the places of the running warps. Returns true if the run is to stop.
    pub fn answer(&mut self, places: impl IntoIterator<Item = WarpPlace>) -> bool {
        let Some(watch) = &self.watch else { return false };
        self.answered = watch.call.load(Ordering::Relaxed);
        watch.seen().extend(places);
        if self.answered == STOP {
            // Every further look stops, too.
            self.answered = 0;
            return true;
        }
        false
    }

    /// The first place that was answered since the last question or since the run was stopped.
    #[must_use]
    pub fn first_place(&self) -> Option<WarpPlace> {
        self.watch.as_ref()?.seen().first().copied()
    }

    /// True after [`Watch::stop`].
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.is_stopped())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: WarpPlace = WarpPlace {
        sm: 0,
        block: 3,
        warp_in_block: 1,
        pc: 8,
    };

    #[test]
    fn questions_and_answers() {
        let watch = Arc::new(Watch::default());
        let (mut first, mut second) = (Watched::new(watch.clone()), Watched::new(watch.clone()));
        assert!(!first.is_called());
        watch.ask();
        assert!(first.is_called() && second.is_called());
        assert!(!first.answer([PLACE]) && !second.answer([PLACE]));
        assert!(!first.is_called() && !second.is_called());
        assert_eq!(watch.places(), [PLACE, PLACE]);
        watch.ask();
        assert!(watch.places().is_empty() && first.is_called());
    }

    #[test]
    fn a_stopped_run_stays_stopped() {
        let watch = Arc::new(Watch::default());
        let mut run = Watched::new(watch.clone());
        watch.stop();
        watch.ask();
        assert!(run.is_called() && run.answer([PLACE]));
        assert!(run.is_called() && run.is_stopped());
        assert_eq!(run.first_place(), Some(PLACE));
        let mut alone = Watched::default();
        assert!(!alone.is_called() && !alone.answer([PLACE]) && !alone.is_stopped());
        assert_eq!(run, Watched::new(watch));
        assert_ne!(run, alone);
    }
}
