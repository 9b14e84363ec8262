//! Watching a run from another thread: requests for the locations of warps, and for a stop.
//!
//! An engine checks one word from time to time, at no measurable cost, and answers only after a request.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The value of `call` that requests a stop. A request for locations increments the value.
const STOP: u32 = u32::MAX;

/// The location of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpPlace {
    /// The SM that runs the warp.
    pub sm: u32,
    /// Linear index of the warp's block.
    pub block: u32,
    /// The warp's index in the block.
    pub warp_in_block: u32,
    /// Byte address of the instruction that the warp executes next, or has issued last.
    pub pc: u32,
}

/// The watcher's side.
#[derive(Debug, Default)]
pub struct Watch {
    call: AtomicU32,
    seen: Mutex<Vec<WarpPlace>>,
}

impl Watch {
    /// Stops the run soon: it ends with [`crate::ErrorKind::Interrupted`].
    pub fn stop(&self) {
        self.call.store(STOP, Ordering::Relaxed);
    }

    /// True after [`Watch::stop`].
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.call.load(Ordering::Relaxed) == STOP
    }

    /// Requests the locations of warps; [`Watch::places`] returns the answer soon after.
    pub fn ask(&self) {
        self.seen().clear();
        let next = |call| (call != STOP).then(|| (call + 1) % STOP);
        // A run that is being stopped answers without a request.
        let _ = self.call.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    }

    /// The answers since the last request. An engine that runs blocks on several threads answers for each.
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

/// Equal if both have the same watcher, or none.
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
    /// The engine's side of this watcher.
    #[must_use]
    pub fn new(watch: Arc<Watch>) -> Self {
        Watched {
            watch: Some(watch),
            answered: 0,
        }
    }

    /// True if a request waits for an answer.
    #[inline]
    #[must_use]
    pub fn is_called(&self) -> bool {
        match &self.watch {
            None => false,
            Some(watch) => watch.call.load(Ordering::Relaxed) != self.answered,
        }
    }

    /// Answers with the locations of the running warps. Returns true if the run must stop.
    pub fn answer(&mut self, places: impl IntoIterator<Item = WarpPlace>) -> bool {
        let Some(watch) = &self.watch else { return false };
        self.answered = watch.call.load(Ordering::Relaxed);
        watch.seen().extend(places);
        if self.answered == STOP {
            // Every further check also stops the run.
            self.answered = 0;
            return true;
        }
        false
    }

    /// The first location in the answers since the last request or since the run was stopped.
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
    fn answers_reach_the_watcher() {
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
